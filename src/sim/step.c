/* carom_step: the public step, handed to the model's contact method. */
#include "model/method.h"
#include "model/model.h"
#include "model/state.h"

carom_status carom_step(const carom_model *model, carom_state *state, carom_scratch *scratch, double dt,
                        carom_step_report *report, carom_error *err)
{
    carom_step_report own;
    if (!(dt > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "a step must be longer than %g s", dt);
    }
    carom_step_context c = { model, state, scratch, model->method_options, err };
    if (*state->initialised == 0.0) {
        carom_status status = carom_assemble(model, state, scratch, NULL, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    if (*state->initialised == 1.0) { /* assembled, but the method has not started */
        carom_status status = model->method->start ? model->method->start(&c) : CAROM_OK;
        if (status != CAROM_OK) {
            return status;
        }
        *state->initialised = 2.0;
    }
    return model->method->step(&c, dt, report ? report : &own);
}
