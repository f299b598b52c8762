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

/* ---- two bodies ---------------------------------------------------------------------------------------------------- */

void approach_add_turning(approach_bound *p, motion_bound b, double lever, double passing)
{
    if (b.spin > 0.0 || b.spin_up > 0.0) { /* else the lever may be infinite */
        p->speed += b.spin * lever;
        p->acceleration += (b.spin_up + b.spin * b.spin) * lever + 2.0 * b.spin * passing;
    }
}

double approach_distance(approach_bound p, double dt)
{
    return dt * (p.speed + 0.5 * dt * p.acceleration);
}

double approach_time(approach_bound p, double gap)
{
    double rate = p.speed + sqrt(p.speed * p.speed + 2.0 * p.acceleration * gap);
    return rate > 0.0 ? 2.0 * gap / rate : HUGE_VAL;
}
