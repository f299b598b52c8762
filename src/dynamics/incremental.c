/* Difference formulas for methods that minimise an incremental potential. The method takes the step (method.h, `minimises`). */
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
