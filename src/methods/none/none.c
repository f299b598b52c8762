/* Method "none": no contact. Bodies pass through each other; joints, forces and stops act. The step is the
 * integrator's. */
#include "methods/none/none.h"

#include "dynamics/integrator.h"

static carom_status none_check(const carom_model *model, const void *options, carom_error *err)
{
    (void)options;
    return dynamics_check(model, err);
}

static carom_status none_start(carom_step_context *c)
{
    return dynamics_start(c->scratch, c->state, c->err);
}

static carom_status none_step(carom_step_context *c, double dt, carom_step_report *report)
{
    return dynamics_step(c->scratch, c->state, dt, report, c->err);
}

static const carom_field fields[] = { { .name = NULL } };

const carom_method carom_method_none = {
    .kind = { .name = "none",
              .doc = "No contact: bodies pass through each other; joints, forces and joint stops act.",
              .fields = fields },
    .deformation = true,
    .check = none_check,
    .start = none_start,
    .step = none_step,
};
