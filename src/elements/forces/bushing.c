/* Bushing: springs and dampers in six components along the axes of marker A. With
 *     x = R_a^T (p_b - p_a),   phi = log(R_a^T R_b),   w = R_a^T (omega_b - omega_a),   T = so3_tangent(phi):
 *     stored 1/2 x.K x + 1/2 phi.K_phi phi,   phi' = T^-1 w,   x' = R_a^T (v_b - v_a - omega_a x d),   d = p_b - p_a.
 * The wrench is the exact gradient: B gets the force -F = -R_a (K x + D x') at its marker and the torque
 * -M = -R_a (T^-T K_phi phi + D_phi w); A gets the opposites at the point under marker B, so that the moments about any
 * point cancel. K_phi acts on the rotation vector: good for less than half a turn, where phi jumps. */
#include "elements/forces/tangent.h"

typedef struct bushing_state {
    v3 d_w;
    v3 x_a;
    v3 x_rate_a;
    v3 phi_a;
    v3 w_a;
} bushing_state;

static v3 scaled(v3 diagonal, v3 v)
{
    return v3_make(diagonal.x * v.x, diagonal.y * v.y, diagonal.z * v.z);
}

static bushing_state bushing_between(const carom_force_frames *f)
{
    v3 d = v3_sub(f->b.p_w, f->a.p_w);
    v3 v_rel = v3_sub(v3_sub(f->b.v_w, f->a.v_w), v3_cross(f->a.omega_w, d));
    m3 R_ab = m3_mul(m3_transpose(f->a.R_w), f->b.R_w);
    return (bushing_state){
        .d_w = d,
        .x_a = m3_tmulv(f->a.R_w, d),
        .x_rate_a = m3_tmulv(f->a.R_w, v_rel),
        .phi_a = so3_log(q_from_matrix(R_ab)),
        .w_a = m3_tmulv(f->a.R_w, v3_sub(f->b.omega_w, f->a.omega_w)),
    };
}

static void bushing_effect(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const carom_bushing_def *def = params;
    bushing_state s = bushing_between(f);
    v3 elastic_a = scaled(def->stiffness, s.x_a);
    v3 damping_a = scaled(def->damping, s.x_rate_a);
    v3 gradient_a = scaled(def->angular_stiffness, s.phi_a);
    v3 elastic_torque_a = m3_tmulv(so3_tangent_inverse(s.phi_a), gradient_a);
    v3 damping_torque_a = scaled(def->angular_damping, s.w_a);
    v3 F_w = m3_mulv(f->a.R_w, v3_add(elastic_a, damping_a));
    v3 M_w = m3_mulv(f->a.R_w, v3_add(elastic_torque_a, damping_torque_a));
    *out = (carom_force_effect){
        .force_a = F_w,
        .torque_a = v3_add(v3_cross(s.d_w, F_w), M_w),
        .torque_b = v3_neg(M_w),
        .potential = 0.5 * (v3_dot(s.x_a, elastic_a) + v3_dot(s.phi_a, gradient_a)),
        .dissipation = v3_dot(s.x_rate_a, damping_a) + v3_dot(s.w_a, damping_torque_a),
    };
}

/* Stiffness by Gauss and Newton: exact where the bushing is relaxed, positive semidefinite everywhere. Damping is
 * exact. */
static void bushing_tangent(carom_force_tangent *out, const carom_force_frames *f, const void *params)
{
    const carom_bushing_def *def = params;
    tangent_clear(out->stiffness);
    tangent_clear(out->damping);
    bushing_state s = bushing_between(f);
    m3 phi_by_spin = m3_mul(so3_tangent_inverse(s.phi_a), m3_transpose(f->a.R_w));
    v3 lever_a = v3_add(f->a.r_w, s.d_w);
    for (int k = 0; k < 3; ++k) {
        v3 axis_w = m3_column(f->a.R_w, k);
        pair_row slide = pair_row_of_points(axis_w, lever_a, f->b.r_w);
        tangent_add(out->stiffness, v3_get(def->stiffness, k), &slide);
        tangent_add(out->damping, v3_get(def->damping, k), &slide);
        pair_row twist = pair_row_of_spin(m3_row(phi_by_spin, k));
        tangent_add(out->stiffness, v3_get(def->angular_stiffness, k), &twist);
        pair_row spin = pair_row_of_spin(axis_w);
        tangent_add(out->damping, v3_get(def->angular_damping, k), &spin);
    }
}

static carom_status bushing_prepare(void *params, const carom_force_frames *f, struct carom_arena *arena,
                                    carom_error *err)
{
    (void)f;
    (void)arena;
    const carom_bushing_def *def = params;
    const v3 *parts[] = { &def->stiffness, &def->damping, &def->angular_stiffness, &def->angular_damping };
    static const char *const names[] = { "stiffness", "damping", "angular_stiffness", "angular_damping" };
    for (int k = 0; k < 4; ++k) {
        v3 p = *parts[k];
        if (!(p.x >= 0.0 && p.y >= 0.0 && p.z >= 0.0)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "%s of a bushing is (%g, %g, %g); its components must not be negative", names[k], p.x,
                              p.y, p.z);
        }
    }
    return CAROM_OK;
}

static const carom_field bushing_fields[] = {
    { .name = "stiffness",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_bushing_def, stiffness),
      .dimension = CAROM_DIM_STIFFNESS,
      .doc = "Force per displacement of B along the x, y, z axes of marker A; 0 by default." },
    { .name = "damping",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_bushing_def, damping),
      .dimension = CAROM_DIM_DAMPING,
      .doc = "Force per speed of B seen from A, along the axes of marker A; 0 by default." },
    { .name = "angular_stiffness",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_bushing_def, angular_stiffness),
      .dimension = CAROM_DIM_ANGULAR_STIFFNESS,
      .doc = "Torque per component of the rotation vector of B in A; for turns of less than 180 degrees; 0 by "
             "default." },
    { .name = "angular_damping",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_bushing_def, angular_damping),
      .dimension = CAROM_DIM_ANGULAR_DAMPING,
      .doc = "Torque per angular speed of B in A about the axes of marker A; 0 by default." },
    { 0 },
};

static const carom_bushing_def bushing_defaults = { .stiffness = { 0.0, 0.0, 0.0 } };

static const char *bushing_symbol(const void *params)
{
    (void)params;
    return "bushing";
}

const carom_force_type carom_force_bushing = {
    .kind = { .name = "bushing",
              .doc = "An elastic mount: springs and dampers between two markers in three directions and three turns.",
              .fields = bushing_fields,
              .defaults = &bushing_defaults,
              .size = sizeof(carom_bushing_def) },
    .target = FORCE_ON_PAIR,
    .symbol = bushing_symbol,
    .input_account = ACCOUNT_LOADS,
    .dissipation_account = ACCOUNT_DAMPING,
    .effect = bushing_effect,
    .tangent = bushing_tangent,
    .prepare = bushing_prepare,
};
