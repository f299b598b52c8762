/* Quintic Hermite interpolation on R^3 x SO(3), cubic for the ledger's sums and what is integrated along. */
#include "dynamics/dense.h"

#include <string.h>

#include "base/assert.h"

static void allocate_end(dense_end *end, carom_arena *arena, const carom_model *model)
{
    int n = model->body_count;
    end->pose = CAROM_ARENA_ARRAY(arena, body_pose, n);
    end->rate = CAROM_ARENA_ARRAY(arena, body_rate, n);
    end->acceleration = CAROM_ARENA_ARRAY(arena, body_rate, n);
    end->q = CAROM_ARENA_ARRAY(arena, double, model->deform_count);
    end->q_dot = CAROM_ARENA_ARRAY(arena, double, model->deform_count);
    end->q_ddot = CAROM_ARENA_ARRAY(arena, double, model->deform_count);
    end->z = CAROM_ARENA_ARRAY(arena, double, model->integral_count);
    end->z_dot = CAROM_ARENA_ARRAY(arena, double, model->integral_count);
}

dense_step *dense_create(carom_arena *arena, const carom_model *model)
{
    dense_step *step = CAROM_ARENA_ARRAY(arena, dense_step, 1);
    if (step) {
        step->body_count = model->body_count;
        step->deform_count = model->deform_count;
        step->integral_count = model->integral_count;
        allocate_end(&step->begin, arena, model);
        allocate_end(&step->end, arena, model);
    }
    return step;
}

void dense_take_point(dense_end *end, double t, motion at, motion_rates acceleration, const double *z_dot,
                      const carom_model *model)
{
    size_t n = (size_t)model->body_count;
    size_t coordinates = (size_t)model->deform_count * sizeof *end->q;
    end->t = t;
    memcpy(end->pose, at.pose, n * sizeof *end->pose);
    memcpy(end->rate, at.rate, n * sizeof *end->rate);
    memcpy(end->acceleration, acceleration.rate, n * sizeof *end->acceleration);
    if (model->deform_count > 0) {
        memcpy(end->q, at.q, coordinates);
        memcpy(end->q_dot, at.q_dot, coordinates);
        memcpy(end->q_ddot, acceleration.q_dot, coordinates);
    }
    if (model->integral_count > 0) {
        memcpy(end->z, at.z, (size_t)model->integral_count * sizeof *end->z);
        memcpy(end->z_dot, z_dot, (size_t)model->integral_count * sizeof *end->z_dot);
    }
}

void dense_take(dense_end *end, const carom_state *state, const carom_model *model)
{
    const motion_rates acceleration = { state->acceleration, state->q_ddot };
    dense_take_point(end, *state->time, state_motion(state), acceleration, state->z_dot, model);
    end->sums = *state->sums;
    end->power = *state->power;
}

/* Values and scaled derivatives at both ends: p, h p', h^2 p''. */
typedef struct hermite {
    v3 p0, v0, a0, p1, v1, a1;
} hermite;

enum { HERMITE_POINTS = 6 }; /* value and two derivatives at either end */

/* Weights of the position and of its derivative by s at s in [0, 1]. */
static void hermite_weights(double s, double w[HERMITE_POINTS], double d[HERMITE_POINTS])
{
    double s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
    w[0] = 1 - 10 * s3 + 15 * s4 - 6 * s5;
    w[1] = s - 6 * s3 + 8 * s4 - 3 * s5;
    w[2] = 0.5 * s2 - 1.5 * s3 + 1.5 * s4 - 0.5 * s5;
    w[3] = 10 * s3 - 15 * s4 + 6 * s5;
    w[4] = -4 * s3 + 7 * s4 - 3 * s5;
    w[5] = 0.5 * s3 - s4 + 0.5 * s5;
    d[0] = -30 * s2 + 60 * s3 - 30 * s4;
    d[1] = 1 - 18 * s2 + 32 * s3 - 15 * s4;
    d[2] = s - 4.5 * s2 + 6 * s3 - 2.5 * s4;
    d[3] = 30 * s2 - 60 * s3 + 30 * s4;
    d[4] = -12 * s2 + 28 * s3 - 15 * s4;
    d[5] = 1.5 * s2 - 4 * s3 + 2.5 * s4;
}

/* Position and derivative by s at s in [0, 1]. */
static void hermite_at(const hermite *c, double s, v3 *p, v3 *dp)
{
    double w[HERMITE_POINTS];
    double d[HERMITE_POINTS];
    const v3 *points[HERMITE_POINTS] = { &c->p0, &c->v0, &c->a0, &c->p1, &c->v1, &c->a1 };
    hermite_weights(s, w, d);
    *p = v3_zero();
    *dp = v3_zero();
    for (int k = 0; k < HERMITE_POINTS; ++k) {
        *p = v3_axpy(*p, w[k], *points[k]);
        *dp = v3_axpy(*dp, d[k], *points[k]);
    }
}

static v3 hermite_second(const hermite *c, double s)
{
    double s2 = s * s, s3 = s2 * s;
    double w[HERMITE_POINTS] = { -60 * s + 180 * s2 - 120 * s3, -36 * s + 96 * s2 - 60 * s3,
                                 1 - 9 * s + 18 * s2 - 10 * s3, 60 * s - 180 * s2 + 120 * s3,
                                 -24 * s + 84 * s2 - 60 * s3,   3 * s - 12 * s2 + 10 * s3 };
    const v3 *points[HERMITE_POINTS] = { &c->p0, &c->v0, &c->a0, &c->p1, &c->v1, &c->a1 };
    v3 second = v3_zero();
    for (int k = 0; k < HERMITE_POINTS; ++k) {
        second = v3_axpy(second, w[k], *points[k]);
    }
    return second;
}

/* The second derivative of the rotation vector: T^-1 alpha + (d/dt T^-1) omega, the last term by a central difference
 * along theta_dot, whose error is far below the interpolation's. */
static v3 rotation_second_derivative(v3 theta, v3 theta_dot, v3 omega, v3 alpha)
{
    const double tiny = 1e-5;
    double speed = v3_norm(theta_dot);
    v3 direct = m3_mulv(so3_tangent_inverse(theta), alpha);
    if (speed == 0.0) {
        return direct;
    }
    v3 shift = v3_scale(tiny / speed, theta_dot);
    v3 ahead = m3_mulv(so3_tangent_inverse(v3_add(theta, shift)), omega);
    v3 behind = m3_mulv(so3_tangent_inverse(v3_sub(theta, shift)), omega);
    return v3_add(direct, v3_scale(speed / (2.0 * tiny), v3_sub(ahead, behind)));
}

/* The other way round: alpha = T theta'' + (d/dt T) theta'. */
static v3 angular_acceleration(v3 theta, v3 theta_dot, v3 second)
{
    const double tiny = 1e-5;
    double speed = v3_norm(theta_dot);
    v3 direct = m3_mulv(so3_tangent(theta), second);
    if (speed == 0.0) {
        return direct;
    }
    v3 shift = v3_scale(tiny / speed, theta_dot);
    v3 ahead = m3_mulv(so3_tangent(v3_add(theta, shift)), theta_dot);
    v3 behind = m3_mulv(so3_tangent(v3_sub(theta, shift)), theta_dot);
    return v3_add(direct, v3_scale(speed / (2.0 * tiny), v3_sub(ahead, behind)));
}

static hermite translation(const dense_step *step, int i, double h)
{
    return (hermite){ step->begin.pose[i].x_w,
                      v3_scale(h, step->begin.rate[i].v_w),
                      v3_scale(h * h, step->begin.acceleration[i].v_w),
                      step->end.pose[i].x_w,
                      v3_scale(h, step->end.rate[i].v_w),
                      v3_scale(h * h, step->end.acceleration[i].v_w) };
}

static hermite rotation(const dense_step *step, int i, double h)
{
    v3 theta = so3_log(q_mul(step->end.pose[i].q_wb, q_conj(step->begin.pose[i].q_wb)));
    v3 omega = step->end.rate[i].omega_w;
    v3 theta_dot = m3_mulv(so3_tangent_inverse(theta), omega);
    v3 second = rotation_second_derivative(theta, theta_dot, omega, step->end.acceleration[i].omega_w);
    return (hermite){ v3_zero(),
                      v3_scale(h, step->begin.rate[i].omega_w),
                      v3_scale(h * h, step->begin.acceleration[i].omega_w),
                      theta,
                      v3_scale(h, theta_dot),
                      v3_scale(h * h, second) };
}

/* Values and rates of `count` numbers at both ends of a step of h, s of it from its beginning. */
typedef struct cubic {
    const double *p0, *p1, *v0, *v1;
    int count;
} cubic;

static void cubic_at(const cubic *c, double s, double h, double *p)
{
    const double *p0 = c->p0, *p1 = c->p1, *v0 = c->v0, *v1 = c->v1;
    double s2 = s * s, s3 = s2 * s;
    for (int k = 0; k < c->count; ++k) {
        p[k] = (1 - 3 * s2 + 2 * s3) * p0[k] + (3 * s2 - 2 * s3) * p1[k] + h * (s - 2 * s2 + s3) * v0[k] +
               h * (s3 - s2) * v1[k];
    }
}

static void sums_at(const dense_step *step, double s, double h, ledger_sums *out)
{
    const cubic sums = { (const double *)(const void *)&step->begin.sums,
                         (const double *)(const void *)&step->end.sums,
                         (const double *)(const void *)&step->begin.power,
                         (const double *)(const void *)&step->end.power, LEDGER_SUMS };
    cubic_at(&sums, s, h, (double *)(void *)out);
}

static void integrals_at(const dense_step *step, double s, double h, double *out)
{
    const cubic integrals = { step->begin.z, step->end.z, step->begin.z_dot, step->end.z_dot, step->integral_count };
    cubic_at(&integrals, s, h, out);
}

/* The end of the step that t is, or NULL. */
static const dense_end *end_at(const dense_step *step, double t)
{
    bool at_end = t == step->end.t || step->end.t - step->begin.t <= 0.0;
    return t == step->begin.t ? &step->begin : at_end ? &step->end : NULL;
}

/* acceleration may be NULL. */
static void motion_at(const dense_step *step, double t, int body, body_pose *pose, body_rate *rate,
                      body_rate *acceleration)
{
    CAROM_ASSERT(t > step->begin.t && t < step->end.t);
    double h = step->end.t - step->begin.t;
    double s = (t - step->begin.t) / h;
    hermite x = translation(step, body, h);
    hermite turn = rotation(step, body, h);
    v3 p, dp, theta, dtheta;
    hermite_at(&x, s, &p, &dp);
    hermite_at(&turn, s, &theta, &dtheta);
    *pose = (body_pose){ p, q_unit(q_mul(so3_exp(theta), step->begin.pose[body].q_wb)) };
    *rate = (body_rate){ v3_scale(1.0 / h, dp), v3_scale(1.0 / h, m3_mulv(so3_tangent(theta), dtheta)) };
    if (acceleration) {
        v3 alpha = angular_acceleration(theta, dtheta, hermite_second(&turn, s));
        *acceleration = (body_rate){ v3_scale(1.0 / (h * h), hermite_second(&x, s)), v3_scale(1.0 / (h * h), alpha) };
    }
}

void dense_body_at(const dense_step *step, double t, int body, body_pose *pose, body_rate *rate)
{
    const dense_end *exact = end_at(step, t);
    if (!exact) {
        motion_at(step, t, body, pose, rate, NULL);
        return;
    }
    *pose = exact->pose[body];
    *rate = exact->rate[body];
}

void dense_body_motion_at(const dense_step *step, double t, int body, body_pose *pose, body_rate *rate,
                          body_rate *acceleration)
{
    const dense_end *exact = end_at(step, t);
    if (!exact) {
        motion_at(step, t, body, pose, rate, acceleration);
        return;
    }
    *pose = exact->pose[body];
    *rate = exact->rate[body];
    *acceleration = exact->acceleration[body];
}

void dense_body_piece(const dense_step *step, double t0, double t1, int body, dense_step *piece)
{
    dense_end *ends[2] = { &piece->begin, &piece->end };
    const double t[2] = { t0, t1 };
    for (int k = 0; k < 2; ++k) {
        ends[k]->t = t[k];
        dense_body_motion_at(step, t[k], body, &ends[k]->pose[body], &ends[k]->rate[body],
                             &ends[k]->acceleration[body]);
    }
}

static void coordinates_at(const dense_step *step, double t, motion out)
{
    double h = step->end.t - step->begin.t;
    double w[HERMITE_POINTS];
    double d[HERMITE_POINTS];
    hermite_weights((t - step->begin.t) / h, w, d);
    for (int k = 0; k < step->deform_count; ++k) {
        const double points[HERMITE_POINTS] = {
            step->begin.q[k], h * step->begin.q_dot[k], h * h * step->begin.q_ddot[k],
            step->end.q[k],   h * step->end.q_dot[k],   h * h * step->end.q_ddot[k]
        };
        out.q[k] = 0.0;
        out.q_dot[k] = 0.0;
        for (int i = 0; i < HERMITE_POINTS; ++i) {
            out.q[k] += w[i] * points[i];
            out.q_dot[k] += d[i] / h * points[i];
        }
    }
}

/* Deformation coordinates of all bodies. */
static void deformation_at(const dense_step *step, double t, motion out)
{
    const dense_end *exact = end_at(step, t);
    if (!exact) {
        coordinates_at(step, t, out);
        return;
    }
    memcpy(out.q, exact->q, (size_t)step->deform_count * sizeof *out.q);
    memcpy(out.q_dot, exact->q_dot, (size_t)step->deform_count * sizeof *out.q_dot);
}

void dense_at(const dense_step *step, double t, motion out, ledger_sums *sums)
{
    for (int i = 0; i < step->body_count; ++i) {
        dense_body_at(step, t, i, &out.pose[i], &out.rate[i]);
    }
    if (step->deform_count > 0) {
        deformation_at(step, t, out);
    }
    const dense_end *exact = end_at(step, t);
    double h = step->end.t - step->begin.t;
    if (exact && step->integral_count > 0) {
        memcpy(out.z, exact->z, (size_t)step->integral_count * sizeof *out.z);
    } else if (step->integral_count > 0) {
        integrals_at(step, (t - step->begin.t) / h, h, out.z);
    }
    if (sums && exact) {
        *sums = exact->sums;
    } else if (sums) {
        sums_at(step, (t - step->begin.t) / h, h, sums);
    }
}
