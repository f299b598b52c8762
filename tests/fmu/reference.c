/* The judge of FMUs: carom's own steps with the same ends. usage: reference SCENE "INPUT,..." "OUTPUT,..." with lines
 * "step T", "set I X", "get" on standard input; prints outputs with %a. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

static size_t split(char *text, const char **out, size_t most)
{
    size_t count = 0;
    for (char *word = strtok(text, ","); word && count < most; word = strtok(NULL, ",")) {
        out[count++] = word;
    }
    return count;
}

static void must(carom_status status, const carom_error *err)
{
    char text[2000];
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", carom_error_text(err, text, sizeof text));
        exit(3);
    }
}

int main(int count, char **words)
{
    const char *inputs[16];
    const char *outputs[16];
    double values[16];
    char line[400];
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    carom_observer *observer = NULL;
    if (count != 4) {
        return 2;
    }
    split(words[2], inputs, 16);
    size_t out = split(words[3], outputs, 16);
    must(carom_scene_load(words[1], NULL, 0, &spec, &err), &err);
    must(carom_compile(spec, &model, &err), &err);
    must(carom_scratch_create(model, 1, &scratch, &err), &err);
    must(carom_observer_create(model, outputs, out, &observer, &err), &err);
    carom_state *state = carom_state_create(model);
    must(carom_assemble(model, state, scratch, NULL, &err), &err);
    while (fgets(line, sizeof line, stdin)) {
        char *rest = line + strcspn(line, " \n");
        if (strncmp(line, "step", 4) == 0) {
            must(carom_advance(model, state, scratch, strtod(rest, NULL), 0.0, &err), &err);
        } else if (strncmp(line, "set", 3) == 0) {
            long i = strtol(rest, &rest, 10);
            must(carom_state_set_input(model, state, carom_model_find_input(model, inputs[i]), strtod(rest, NULL),
                                       &err),
                 &err);
        } else {
            must(carom_observe(observer, state, scratch, values, &err), &err);
            for (size_t i = 0; i < out; ++i) {
                printf("%s%a", i ? " " : "", values[i]);
            }
            printf("\n");
        }
    }
    carom_state_destroy(state);
    carom_observer_destroy(observer);
    carom_scratch_destroy(scratch);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return 0;
}
