/* Runs a fuzz target over files named on the command line, each as it is and with bytes changed by a seeded random
 * generator: what every build can do without a fuzzing engine. usage: TARGET ROUNDS FILE... */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 20 };

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

/* Replaces, removes or repeats a few bytes; returns the new length. */
static size_t mutate(uint8_t *data, size_t size, size_t room, uint64_t *random)
{
    static const char favourites[] = "{}[]\",:0123456789.eE-+$ntf \\/\n";
    uint64_t edits = 1 + next_random(random) % 6;
    for (uint64_t k = 0; k < edits && size > 1; ++k) {
        size_t at = next_random(random) % size;
        switch (next_random(random) % 3) {
        case 0:
            data[at] = (uint8_t)favourites[next_random(random) % (sizeof favourites - 1)];
            break;
        case 1:
            for (size_t i = at; i + 1 < size; ++i) {
                data[i] = data[i + 1];
            }
            --size;
            break;
        default:
            if (size < room) {
                for (size_t i = size; i > at; --i) {
                    data[i] = data[i - 1];
                }
                ++size;
            }
        }
    }
    return size;
}

static void run_file(const char *path, long rounds, uint8_t *original, uint8_t *changed)
{
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(original, 1, MOST_BYTES - 16, file) : 0;
    if (file) {
        fclose(file);
    }
    uint64_t random = UINT64_C(0x9E3779B97F4A7C15) ^ size;
    LLVMFuzzerTestOneInput(original, size);
    for (long k = 0; k < rounds; ++k) {
        for (size_t i = 0; i < size; ++i) {
            changed[i] = original[i];
        }
        LLVMFuzzerTestOneInput(changed, mutate(changed, size, MOST_BYTES, &random));
    }
}

int main(int argc, char **argv)
{
    uint8_t *original = malloc(MOST_BYTES);
    uint8_t *changed = malloc(MOST_BYTES);
    if (!original || !changed || argc < 3) {
        fprintf(stderr, "usage: %s ROUNDS FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc; ++i) {
        run_file(argv[i], strtol(argv[1], NULL, 10), original, changed);
    }
    printf("%d files, each as it is and %s times changed\n", argc - 2, argv[1]);
    free(original);
    free(changed);
    return 0;
}
