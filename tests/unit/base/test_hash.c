/* FNV-1a against the test vectors of its authors: a hash in a checkpoint must mean the same for ever. */
#include "base/hash.h"
#include "support/check.h"

static uint64_t hash_text(const char *text)
{
    return carom_hash(CAROM_HASH_START, text, strlen(text));
}

TEST(hash, matches_the_published_vectors)
{
    CHECK(hash_text("") == UINT64_C(0xcbf29ce484222325));
    CHECK(hash_text("a") == UINT64_C(0xaf63dc4c8601ec8c));
    CHECK(hash_text("foobar") == UINT64_C(0x85944171f73967e8));
}

TEST(hash, of_parts_is_the_hash_of_the_whole)
{
    const char text[] = "contact and impact";
    for (size_t cut = 0; cut < sizeof text; ++cut) {
        uint64_t parts = carom_hash(CAROM_HASH_START, text, cut);
        parts = carom_hash(parts, text + cut, sizeof text - cut);
        CHECK(parts == carom_hash(CAROM_HASH_START, text, sizeof text));
    }
}

TEST(hash, sees_every_bit_of_a_number)
{
    double x = 1.0;
    uint64_t before = carom_hash(CAROM_HASH_START, &x, sizeof x);
    for (int bit = 0; bit < 64; ++bit) {
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        bits ^= UINT64_C(1) << bit;
        CHECK(carom_hash(CAROM_HASH_START, &bits, sizeof bits) != before);
    }
}

/* In every place of every length around the lanes; nothing else is written beside it. */
TEST(hash, of_words_sees_every_bit_and_every_place)
{
    enum { MOST = 11 };
    for (size_t count = 1; count <= MOST; ++count) {
        uint64_t words[MOST] = { 0 };
        uint64_t before = carom_hash_words(CAROM_HASH_START, words, count);
        CHECK(carom_hash_words(CAROM_HASH_START, words, count - 1) != before);
        for (size_t k = 0; k < count; ++k) {
            for (int bit = 0; bit < 64; ++bit) {
                words[k] = UINT64_C(1) << bit;
                CHECK(carom_hash_words(CAROM_HASH_START, words, count) != before);
                words[k] = 0;
            }
        }
    }
}

TEST(hash, of_words_depends_on_their_order)
{
    double words[9] = { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0 };
    uint64_t before = carom_hash_words(CAROM_HASH_START, words, 9);
    for (int k = 0; k < 8; ++k) {
        double swapped[9];
        memcpy(swapped, words, sizeof words);
        swapped[k] = words[k + 1];
        swapped[k + 1] = words[k];
        CHECK(carom_hash_words(CAROM_HASH_START, swapped, 9) != before);
    }
    CHECK(carom_hash_words(CAROM_HASH_START + 1, words, 9) != before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(hash, matches_the_published_vectors),   RUN_TEST(hash, of_parts_is_the_hash_of_the_whole),
        RUN_TEST(hash, sees_every_bit_of_a_number),      RUN_TEST(hash, of_words_sees_every_bit_and_every_place),
        RUN_TEST(hash, of_words_depends_on_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
