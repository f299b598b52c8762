#include "contact/motion_bounds.h"

/* ---- one body ------------------------------------------------------------------------------------------------------ */

static double larger(v3 x, v3 y)
{
    return fmax(v3_norm(x), v3_norm(y));
}

motion_bound motion_bound_now(const body_rate *rate, const body_rate *acceleration)
{
    return (motion_bound){ v3_norm(rate->v_w), v3_norm(rate->omega_w), v3_norm(acceleration->v_w),
                           v3_norm(acceleration->omega_w) };
}

void motion_bends(const dense_step *d, int a, int b, v3 c[4])
{
    const dense_end *p = &d->begin;
    const dense_end *q = &d->end;
    double h = q->t - p->t;
    v3 way = v3_sub(q->pose[a].x_w, p->pose[a].x_w);
    v3 v0 = p->rate[a].v_w;
    v3 v1 = q->rate[a].v_w;
    c[0] = p->acceleration[a].v_w;
    c[3] = q->acceleration[a].v_w;
    if (b >= 0) {
        way = v3_sub(way, v3_sub(q->pose[b].x_w, p->pose[b].x_w));
        v0 = v3_sub(v0, p->rate[b].v_w);
        v1 = v3_sub(v1, q->rate[b].v_w);
        c[0] = v3_sub(c[0], p->acceleration[b].v_w);
        c[3] = v3_sub(c[3], q->acceleration[b].v_w);
    }
    v3 mean = v3_scale(1.0 / h, way);
    v3 early = v3_sub(mean, v3_add(v3_scale(0.6, v0), v3_scale(0.4, v1)));
    v3 late = v3_sub(v3_add(v3_scale(0.4, v0), v3_scale(0.6, v1)), mean);
    c[1] = v3_add(v3_scale(20.0 / h, early), v3_axpy(c[3], -2.0, c[0]));
    c[2] = v3_add(v3_scale(20.0 / h, late), v3_axpy(c[0], -2.0, c[3]));
}

double motion_largest_bend(const dense_step *d, int a, int b)
{
    v3 c[4];
    motion_bends(d, a, b, c);
    return fmax(larger(c[0], c[3]), d->end.t > d->begin.t ? larger(c[1], c[2]) : 0.0);
}

motion_bound motion_bound_within(const dense_step *d, int body)
{
    double h = d->end.t - d->begin.t;
    double bend = motion_largest_bend(d, body, -1);
    double spin_up = larger(d->begin.acceleration[body].omega_w, d->end.acceleration[body].omega_w);
    return (motion_bound){
        .speed = larger(d->begin.rate[body].v_w, d->end.rate[body].v_w) + 0.5 * h * bend,
        .spin = larger(d->begin.rate[body].omega_w, d->end.rate[body].omega_w) + 0.25 * h * spin_up,
        .acceleration = bend,
        .spin_up = 1.5 * spin_up,
    };
}

motion_bound motion_bound_prescribed(carom_scratch *w, double t0, double t1, int body)
{
    enum { SAMPLES = 16 };
    motion_bound bound = { 0 };
    for (int k = 0; k <= SAMPLES; ++k) {
        body_pose pose;
        body_rate rate, acceleration;
        work_kinematic(w, t0 + (t1 - t0) * k / SAMPLES, body, &pose, &rate, &acceleration);
        motion_bound now = motion_bound_now(&rate, &acceleration);
        bound = (motion_bound){ fmax(bound.speed, now.speed), fmax(bound.spin, now.spin),
                                fmax(bound.acceleration, now.acceleration), fmax(bound.spin_up, now.spin_up) };
    }
    return bound;
}

/* ---- onto a plane -------------------------------------------------------------------------------------------------- */

/* The least second derivative of n . (x_a - x_b) within the step. */
static double least_translation(const dense_step *d, int a, int b, v3 n)
{
    double h = d->end.t - d->begin.t;
    double rounding = 1e-14 * (v3_norm(d->begin.pose[a].x_w) + v3_norm(d->begin.pose[b].x_w)) / (h * h);
    double least = HUGE_VAL;
    v3 c[4];
    motion_bends(d, a, b, c);
    for (int k = 0; k < 4; ++k) {
        least = fmin(least, v3_dot(n, c[k]));
    }
    return least - rounding;
}

/* What the turning of a body gives a point at this lever along n: n . (alpha x r) and n . (omega x (omega x r)), of which
 * only the parts across n count. Between the ends of the step by the change, and by what ends do not explain. */
static double turning_along(const dense_step *d, int body, double lever, double most_spin, v3 n)
{
    const dense_end *p = &d->begin;
    const dense_end *q = &d->end;
    double h = q->t - p->t;
    v3 up[2] = { p->acceleration[body].omega_w, q->acceleration[body].omega_w };
    v3 mean = v3_scale(0.5, v3_add(up[0], up[1]));
    v3 made = v3_scale(1.0 / h, v3_sub(q->rate[body].omega_w, p->rate[body].omega_w));
    double between = 0.5 * v3_norm(v3_sub(up[1], up[0])) + 3.0 * v3_norm(v3_sub(made, mean));
    double spin_up = larger(v3_cross(n, up[0]), v3_cross(n, up[1])) + between;
    double spin = larger(v3_cross(n, p->rate[body].omega_w), v3_cross(n, q->rate[body].omega_w)) + 0.25 * h * spin_up;
    return lever > 0.0 ? 1.5 * (spin_up + spin * most_spin) * lever : 0.0;
}

double motion_onto_plane(const dense_step *d, int body, int base, double lever, double spin, v3 n_w)
{
    double towards = fmax(-least_translation(d, body, base, n_w), 0.0);
    return towards + turning_along(d, body, lever, spin, n_w);
}
