/* The hash of the state after the first steps of each scene: one line "HASH STEPS SCENE" per file.
 *
 *     state_hashes STEPS ROOT SCENE...
 *
 * A state holds poses, velocities, accelerations, multipliers, contact records, the integrator's history and the sums of
 * the ledger, so two programs that print the same line have done the same arithmetic. Scenes are named relative to ROOT.
 * A run that ends or is refused early says so in place of the hash: that is part of what must not change. */
#include <carom/carom.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static carom_status advance(const carom_model *model, carom_state *state, double end, long most, long *steps,
                            carom_error *err)
{
    carom_scratch *scratch = NULL;
    carom_status status = carom_scratch_create(model, 1, &scratch, err);
    status = status == CAROM_OK ? carom_assemble(model, state, scratch, NULL, err) : status;
    while (status == CAROM_OK && *steps < most && carom_state_time(state) < end) {
        status = carom_step(model, state, scratch, end - carom_state_time(state), NULL, err);
        *steps += status == CAROM_OK;
    }
    carom_scratch_destroy(scratch);
    return status;
}

static void print_scene(const char *root, const char *scene, long most)
{
    char file[4096];
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_state *state = NULL;
    long steps = 0;
    snprintf(file, sizeof file, "%s/%s", root, scene);
    carom_status status = carom_scene_load(file, NULL, 0, &spec, &err);
    double end = status == CAROM_OK ? carom_spec_scene(spec)->time.end : 0.0;
    status = status == CAROM_OK ? carom_compile(spec, &model, &err) : status;
    if (status == CAROM_OK) {
        state = carom_state_create(model);
        status = state ? advance(model, state, end, most, &steps, &err)
                       : carom_fail(&err, CAROM_NO_MEMORY, "out of memory");
    }
    printf("%016" PRIx64 " %5ld %s%s%s\n", carom_state_hash(state), steps, scene, status == CAROM_OK ? "" : ": ",
           status == CAROM_OK ? "" : carom_status_name(status));
    fflush(stdout);
    carom_state_destroy(state);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s STEPS ROOT SCENE...\n", argv[0]);
        return 2;
    }
    for (int i = 3; i < argc; ++i) {
        print_scene(argv[2], argv[i], strtol(argv[1], NULL, 10));
    }
    return 0;
}
