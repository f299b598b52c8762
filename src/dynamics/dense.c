/* Quintic Hermite interpolation on R^3 x SO(3), cubic for the ledger's sums. */
#include "dynamics/dense.h"

#include <string.h>

#include "base/assert.h"

static void allocate_end(dense_end *end, carom_arena *arena, int n)
{
    end->pose = CAROM_ARENA_ARRAY(arena, body_pose, n);
    end->rate = CAROM_ARENA_ARRAY(arena, body_rate, n);
    end->acceleration = CAROM_ARENA_ARRAY(arena, body_rate, n);
}

dense_step *dense_create(carom_arena *arena, const carom_model *model)
{
    dense_step *step = CAROM_ARENA_ARRAY(arena, dense_step, 1);
    if (step) {
        step->body_count = model->body_count;
        allocate_end(&step->begin, arena, model->body_count);
        allocate_end(&step->end, arena, model->body_count);
    }
    return step;
}

void dense_take(dense_end *end, const carom_state *state, int body_count)
{
    size_t n = (size_t)body_count;
    end->t = *state->time;
    memcpy(end->pose, state->pose, n * sizeof *end->pose);
    memcpy(end->rate, state->rate, n * sizeof *end->rate);
    memcpy(end->acceleration, state->acceleration, n * sizeof *end->acceleration);
    end->sums = *state->sums;
    end->power = *state->power;
}

/* Values and scaled derivatives at both ends: p, h p', h^2 p''. */
typedef struct hermite {
    v3 p0, v0, a0, p1, v1, a1;
} hermite;

/* Position and derivative by s at s in [0, 1]. */
static void hermite_at(const hermite *c, double s, v3 *p, v3 *dp)
{
    double s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
    double w[6] = {
        1 - 10 * s3 + 15 * s4 - 6 * s5, s - 6 * s3 + 8 * s4 - 3 * s5, 0.5 * s2 - 1.5 * s3 + 1.5 * s4 - 0.5 * s5,
        10 * s3 - 15 * s4 + 6 * s5,     -4 * s3 + 7 * s4 - 3 * s5,    0.5 * s3 - s4 + 0.5 * s5
    };
    double d[6] = { -30 * s2 + 60 * s3 - 30 * s4, 1 - 18 * s2 + 32 * s3 - 15 * s4, s - 4.5 * s2 + 6 * s3 - 2.5 * s4,
                    30 * s2 - 60 * s3 + 30 * s4,  -12 * s2 + 28 * s3 - 15 * s4,    1.5 * s2 - 4 * s3 + 2.5 * s4 };
    const v3 *points[6] = { &c->p0, &c->v0, &c->a0, &c->p1, &c->v1, &c->a1 };
    *p = v3_zero();
    *dp = v3_zero();
    for (int k = 0; k < 6; ++k) {
        *p = v3_axpy(*p, w[k], *points[k]);
        *dp = v3_axpy(*dp, d[k], *points[k]);
    }
}

static v3 hermite_second(const hermite *c, double s)
{
    double s2 = s * s, s3 = s2 * s;
    double w[6] = { -60 * s + 180 * s2 - 120 * s3, -36 * s + 96 * s2 - 60 * s3, 1 - 9 * s + 18 * s2 - 10 * s3,
                    60 * s - 180 * s2 + 120 * s3,  -24 * s + 84 * s2 - 60 * s3, 3 * s - 12 * s2 + 10 * s3 };
    const v3 *points[6] = { &c->p0, &c->v0, &c->a0, &c->p1, &c->v1, &c->a1 };
    v3 second = v3_zero();
    for (int k = 0; k < 6; ++k) {
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

static void sums_at(const dense_step *step, double s, double h, ledger_sums *out)
{
    const double *p0 = (const double *)(const void *)&step->begin.sums;
    const double *p1 = (const double *)(const void *)&step->end.sums;
    const double *v0 = (const double *)(const void *)&step->begin.power;
    const double *v1 = (const double *)(const void *)&step->end.power;
    double *p = (double *)(void *)out;
    double s2 = s * s, s3 = s2 * s;
    for (int k = 0; k < LEDGER_SUMS; ++k) {
        p[k] = (1 - 3 * s2 + 2 * s3) * p0[k] + (3 * s2 - 2 * s3) * p1[k] + h * (s - 2 * s2 + s3) * v0[k] +
               h * (s3 - s2) * v1[k];
    }
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

void dense_at(const dense_step *step, double t, motion out, ledger_sums *sums)
{
    for (int i = 0; i < step->body_count; ++i) {
        dense_body_at(step, t, i, &out.pose[i], &out.rate[i]);
    }
    const dense_end *exact = end_at(step, t);
    double h = step->end.t - step->begin.t;
    if (sums && exact) {
        *sums = exact->sums;
    } else if (sums) {
        sums_at(step, (t - step->begin.t) / h, h, sums);
    }
}
