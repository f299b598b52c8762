/* Difference formulas of methods that take the step themselves: those that minimise an incremental potential (method.h, `minimises`), and
 * central differences (`leaps`). */
#include "dynamics/integrator.h"

static const carom_field fields[] = { { .name = NULL } };

const integrator_type integrator_implicit_euler = {
    .kind = { .name = "implicit-euler",
              .doc = "Implicit Euler, for the method barrier: order 1, fixed step, damps whatever forces change "
                     "quickly.",
              .fields = fields },
    .incremental = 1,
    .preset_step = { 2e-2, 1e-2, 1e-3 },
};

const integrator_type integrator_bdf2 = {
    .kind = { .name = "bdf2",
              .doc =
                  "Backward differences of order 2, for the method barrier: fixed step, little damping; bodies take "
                  "a step of implicit Euler whenever what touches them has changed.",
              .fields = fields },
    .incremental = 2,
    .preset_step = { 2e-2, 1e-2, 1e-3 },
};

const integrator_type integrator_central_differences = {
    .kind = { .name = "central-differences",
              .doc =
                  "Central differences, for the method constraint: explicit, order 2; time.step, by default 0.9 of the "
                  "longest stable step of the finite elements.",
              .fields = fields },
    .leaps = true,
    .preset_step = { 1e-3, 1e-4, 1e-5 },
};
