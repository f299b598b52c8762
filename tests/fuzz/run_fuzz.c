/* Fuzz target: any bytes as a scene, and what it describes run for a few steps. Whatever the numbers, the library
 * answers with a status; it does not crash, hang or leave a changed state behind a failure. */
#include <stdlib.h>

#include <carom/carom.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BODIES = 50, STEPS = 5 };

static void take_steps(const carom_model *model, carom_state *state, carom_scratch *scratch)
{
    carom_error err = { 0 };
    for (int k = 0; k < STEPS; ++k) {
        uint64_t before = carom_state_hash(state);
        carom_step_report report;
        carom_status status = carom_step(model, state, scratch, 1e-3, &report, &err);
        if (status != CAROM_OK) {
            if (!err.message[0] || (k > 0 && carom_state_hash(state) != before)) {
                abort();
            }
            return;
        }
    }
}

static void run_model(const carom_model *model)
{
    carom_error err = { 0 };
    carom_state *state = carom_state_create(model);
    carom_scratch *scratch = NULL;
    if (state && carom_scratch_create(model, 1, &scratch, &err) == CAROM_OK) {
        carom_mobility mobility;
        if (carom_assemble(model, state, scratch, NULL, &err) == CAROM_OK) {
            carom_observe_mobility(model, state, scratch, &mobility, &err);
            take_steps(model, state, scratch);
        }
    }
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_error err = { 0 };
    carom_status status = carom_scene_parse((const char *)data, size, "fuzz.json", "/nonexistent", NULL, 0, &spec,
                                            &err);
    if (status == CAROM_OK && carom_spec_body_count(spec) <= MOST_BODIES &&
        carom_compile(spec, &model, &err) == CAROM_OK) {
        run_model(model);
    }
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return 0;
}
