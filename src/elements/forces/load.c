/* Load: a force and a torque, given over time or by an expression, on one body at marker A. */
#include "elements/forces/force.h"

static void load_effect(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const carom_load_def *def = params;
    v3 force = v3_load(f->values);
    v3 torque = v3_load(f->values + 3);
    if (def->follow) {
        force = m3_mulv(f->a.R_w, force);
        torque = m3_mulv(f->a.R_w, torque);
    }
    *out = (carom_force_effect){
        .force_a = force,
        .torque_a = torque,
        .input = v3_dot(force, f->a.v_w) + v3_dot(torque, f->a.omega_w),
    };
}

static const carom_field load_fields[] = {
    { .name = "force",
      .kind = CAROM_FIELD_VALUE3,
      .offset = offsetof(carom_load_def, force),
      .dimension = CAROM_DIM_FORCE,
      .doc = "Force at the marker, three components; 0 by default." },
    { .name = "torque",
      .kind = CAROM_FIELD_VALUE3,
      .offset = offsetof(carom_load_def, torque),
      .dimension = CAROM_DIM_TORQUE,
      .doc = "Torque on the body, three components; 0 by default." },
    { .name = "follow",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(carom_load_def, follow),
      .doc = "Components along the marker's axes, which turn with the body, not the world's; false by default." },
    { 0 },
};

#define ZERO                                                                     \
    {                                                                            \
        .kind = CAROM_NUMBER, .scale = 1.0, .units = { 1.0, 1.0, 1.0, 1.0, 0.0 } \
    }
static const carom_load_def load_defaults = { .force = { ZERO, ZERO, ZERO }, .torque = { ZERO, ZERO, ZERO } };

static const char *load_symbol(const void *params)
{
    (void)params;
    return "load";
}

const carom_force_type carom_force_load = {
    .kind = { .name = "load",
              .doc = "A force and a torque on one body, over time or by an expression.",
              .fields = load_fields,
              .defaults = &load_defaults,
              .size = sizeof(carom_load_def) },
    .target = FORCE_ON_BODY,
    .symbol = load_symbol,
    .input_account = ACCOUNT_LOADS,
    .dissipation_account = ACCOUNT_DAMPING,
    .effect = load_effect,
};
