/* Drag: resistance of a still medium to the motion of marker A,
 *     force = -(linear + quadratic |v|) v,   torque = -angular omega. */
#include "elements/forces/force.h"

static void drag_effect(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const carom_drag_def *def = params;
    v3 v = f->a.v_w;
    v3 omega = f->a.omega_w;
    double resistance = def->linear + def->quadratic * v3_norm(v);
    *out = (carom_force_effect){
        .force_a = v3_scale(-resistance, v),
        .torque_a = v3_scale(-def->angular, omega),
        .dissipation = resistance * v3_norm2(v) + def->angular * v3_norm2(omega),
    };
}

/* The derivative of the force by the marker's velocity, (linear + quadratic |v|) I + quadratic v v^T / |v|. */
static m3 resistance_tensor(const carom_drag_def *def, v3 v)
{
    double speed = v3_norm(v);
    double resistance = def->linear + def->quadratic * speed;
    m3 D = m3_diag(resistance, resistance, resistance);
    return speed > 0.0 ? m3_add(D, m3_outer(v3_scale(def->quadratic / speed, v), v)) : D;
}

static void set_block(double matrix[PAIR_COLUMNS][PAIR_COLUMNS], int row, int column, m3 block)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            matrix[row + i][column + j] = block.m[3 * i + j];
        }
    }
}

/* Carried to the centre of mass by v = v_c - [r]x omega: [[D, -D S], [S D, -S D S]] with S = [r]x, exact. The dependence
 * on position, by the turning lever arm, is not symmetric and left out. */
static void drag_tangent(carom_force_tangent *out, const carom_force_frames *f, const void *params)
{
    const carom_drag_def *def = params;
    m3 D = resistance_tensor(def, f->a.v_w);
    m3 S = m3_skew(f->a.r_w);
    m3 SD = m3_mul(S, D);
    m3 turning = m3_diag(def->angular, def->angular, def->angular);
    set_block(out->damping, 0, 0, D);
    set_block(out->damping, 0, 3, m3_transpose(SD));
    set_block(out->damping, 3, 0, SD);
    set_block(out->damping, 3, 3, m3_add(turning, m3_scale(-1.0, m3_mul(SD, S))));
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        for (int j = 0; j < FRAME_COLUMNS; ++j) {
            out->stiffness[i][j] = 0.0;
        }
    }
}

static const carom_field drag_fields[] = {
    { .name = "linear",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_drag_def, linear),
      .dimension = CAROM_DIM_DAMPING,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Force per speed of the marker; 0 by default." },
    { .name = "quadratic",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_drag_def, quadratic),
      .dimension = { -1, 1, 0, 0 },
      .flags = CAROM_NONNEGATIVE,
      .doc = "Force per speed squared, 1/2 density area coefficient of a body in air; 0 by default." },
    { .name = "angular",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_drag_def, angular),
      .dimension = CAROM_DIM_ANGULAR_DAMPING,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Torque per angular speed; 0 by default." },
    { 0 },
};

static const carom_drag_def drag_defaults = { .linear = 0.0 };

const carom_force_type carom_force_drag = {
    .kind = { .name = "drag",
              .doc = "Resistance of a still medium, linear and quadratic in the speed, on one body or on all.",
              .fields = drag_fields,
              .defaults = &drag_defaults,
              .size = sizeof(carom_drag_def) },
    .target = FORCE_ON_BODY,
    .input_account = ACCOUNT_LOADS,
    .dissipation_account = ACCOUNT_DRAG,
    .effect = drag_effect,
    .tangent = drag_tangent,
};
