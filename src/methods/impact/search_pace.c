/* How fast bodies move and approach each other within the last step. */
#include "methods/impact/search_parts.h"

static double larger(v3 x, v3 y)
{
    return fmax(v3_norm(x), v3_norm(y));
}

/* Largest values over the step, from both ends; what bends in between is covered by a share of the change. */
static body_bound bound_of(const dense_step *d, int body)
{
    double h = d->end.t - d->begin.t;
    double bend = larger(d->begin.acceleration[body].v_w, d->end.acceleration[body].v_w);
    double spin_up = larger(d->begin.acceleration[body].omega_w, d->end.acceleration[body].omega_w);
    return (body_bound){
        .speed = larger(d->begin.rate[body].v_w, d->end.rate[body].v_w) + 0.25 * h * bend,
        .spin = larger(d->begin.rate[body].omega_w, d->end.rate[body].omega_w) + 0.25 * h * spin_up,
        .acceleration = 1.5 * bend,
        .spin_up = 1.5 * spin_up,
    };
}

/* Prescribed motion obeys no error control: it is looked at often within the step. */
static body_bound bound_of_kinematic(carom_scratch *w, int body)
{
    enum { SAMPLES = 16 };
    const dense_step *d = w->dense;
    body_bound bound = { 0 };
    for (int k = 0; k <= SAMPLES; ++k) {
        body_pose pose;
        body_rate rate, acceleration;
        work_kinematic(w, d->begin.t + (d->end.t - d->begin.t) * k / SAMPLES, body, &pose, &rate, &acceleration);
        bound = (body_bound){ .speed = fmax(bound.speed, v3_norm(rate.v_w)),
                              .spin = fmax(bound.spin, v3_norm(rate.omega_w)),
                              .acceleration = fmax(bound.acceleration, 1.5 * v3_norm(acceleration.v_w)),
                              .spin_up = fmax(bound.spin_up, 1.5 * v3_norm(acceleration.omega_w)) };
    }
    return bound;
}

void search_find_bounds(impact_work *iw, carom_scratch *w)
{
    for (int i = 0; i < iw->model->body_count; ++i) {
        bool kinematic = iw->model->bodies[i].role == BODY_KINEMATIC;
        iw->bounds[i] = kinematic ? bound_of_kinematic(w, i) : bound_of(w->dense, i);
    }
}

static void add_turning(pace *p, body_bound b, double lever, double speed)
{
    if (b.spin > 0.0 || b.spin_up > 0.0) { /* else the lever may be infinite */
        p->speed += b.spin * lever;
        p->acceleration += (b.spin_up + b.spin * b.spin) * lever + 2.0 * b.spin * speed;
    }
}

/* Of two bodies with the levers of what may touch: bodies that move freely are compared with each other. */
pace search_pace_of(const impact_work *iw, const dense_step *d, const int body[2], const double lever[2])
{
    int a = body[0];
    int b = body[1];
    const body_bound *x = &iw->bounds[a];
    const body_bound *y = &iw->bounds[b];
    pace p = { .speed = x->speed + y->speed,
               .acceleration = x->acceleration + y->acceleration,
               .lever = { lever[0], lever[1] } };
    if (iw->model->bodies[a].role != BODY_KINEMATIC && iw->model->bodies[b].role != BODY_KINEMATIC) {
        double bend = larger(v3_sub(d->begin.acceleration[a].v_w, d->begin.acceleration[b].v_w),
                             v3_sub(d->end.acceleration[a].v_w, d->end.acceleration[b].v_w));
        p.speed = larger(v3_sub(d->begin.rate[a].v_w, d->begin.rate[b].v_w),
                         v3_sub(d->end.rate[a].v_w, d->end.rate[b].v_w)) +
                  0.25 * (d->end.t - d->begin.t) * bend;
        p.acceleration = 1.5 * bend;
    }
    double total = p.speed + x->spin * lever[0] + y->spin * lever[1];
    add_turning(&p, *x, lever[0], total);
    add_turning(&p, *y, lever[1], total);
    p.speed *= 1.1;
    p.acceleration *= 1.5;
    return p;
}

/* ---- onto a plane -------------------------------------------------------------------------------------------------------- */

/* The least second derivative of n . (x_a - x_b) within the step: that of the quintic of dense output is a cubic, which
 * lies between its Bernstein coefficients. */
static double least_translation(const dense_step *d, int a, int b, v3 n)
{
    const dense_end *p = &d->begin;
    const dense_end *q = &d->end;
    double h = q->t - p->t;
    double way = v3_dot(n, v3_sub(v3_sub(q->pose[a].x_w, p->pose[a].x_w), v3_sub(q->pose[b].x_w, p->pose[b].x_w)));
    double v0 = v3_dot(n, v3_sub(p->rate[a].v_w, p->rate[b].v_w));
    double v1 = v3_dot(n, v3_sub(q->rate[a].v_w, q->rate[b].v_w));
    double a0 = v3_dot(n, v3_sub(p->acceleration[a].v_w, p->acceleration[b].v_w));
    double a1 = v3_dot(n, v3_sub(q->acceleration[a].v_w, q->acceleration[b].v_w));
    double c1 = 20.0 * (way / h - 0.6 * v0 - 0.4 * v1) / h + a1 - 2.0 * a0;
    double c2 = 20.0 * (0.4 * v0 + 0.6 * v1 - way / h) / h + a0 - 2.0 * a1;
    double rounding = 1e-14 * (v3_norm(p->pose[a].x_w) + v3_norm(p->pose[b].x_w)) / (h * h);
    return fmin(fmin(a0, a1), fmin(c1, c2)) - rounding;
}

/* What the turning of a body gives a point at this lever along n: n . (alpha x r) and n . (omega x (omega x r)), of which
 * only the parts across n count. Between the ends of the step by the change, and by what ends do not explain. */
static double turning_along(const impact_work *iw, const dense_step *d, int body, double lever, v3 n)
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
    return lever > 0.0 ? 1.5 * (spin_up + spin * iw->bounds[body].spin) * lever : 0.0;
}

double search_pace_onto(const impact_work *iw, const dense_step *d, const pace *p, const int body[2], int on, v3 n_w)
{
    const model_body *bodies = iw->model->bodies;
    int base = body[on];
    int other = body[1 - on];
    bool turns = iw->bounds[base].spin > 0.0 || iw->bounds[base].spin_up > 0.0;
    if (turns || bodies[base].role == BODY_KINEMATIC || bodies[other].role == BODY_KINEMATIC) {
        return p->acceleration;
    }
    double towards = fmax(-least_translation(d, other, base, n_w), 0.0);
    return fmin(p->acceleration, towards + turning_along(iw, d, other, p->lever[1 - on], n_w));
}

/* ---- of colliders ------------------------------------------------------------------------------------------------------ */

/* A half-space turns about as far away as the other one is. */
static void finite_levers(const impact_work *iw, const dense_step *d, int a, int b, double lever[2])
{
    int colliders[2] = { a, b };
    for (int side = 0; side < 2; ++side) {
        lever[side] = iw->near->reach[colliders[side]];
    }
    const model_collider *c = iw->model->colliders;
    double apart = larger(v3_sub(d->begin.pose[c[a].body].x_w, d->begin.pose[c[b].body].x_w),
                          v3_sub(d->end.pose[c[a].body].x_w, d->end.pose[c[b].body].x_w));
    for (int side = 0; side < 2; ++side) {
        lever[side] = isfinite(lever[side]) ? lever[side] : apart + lever[!side];
    }
}

pace search_pace_of_colliders(const impact_work *iw, const dense_step *d, int a, int b)
{
    int body[2] = { iw->model->colliders[a].body, iw->model->colliders[b].body };
    double lever[2];
    finite_levers(iw, d, a, b, lever);
    return search_pace_of(iw, d, body, lever);
}

void search_bodies_at(const impact_work *iw, carom_scratch *w, const int body[2], double t, site_bodies *out)
{
    for (int side = 0; side < 2; ++side) {
        body_rate acceleration;
        if (iw->model->bodies[body[side]].role == BODY_KINEMATIC) {
            work_kinematic(w, t, body[side], &out->pose[side], &out->rate[side], &acceleration);
        } else {
            dense_body_at(w->dense, t, body[side], &out->pose[side], &out->rate[side]);
        }
    }
}

/* Every box as much wider as its body may move within the step. */
void search_find_margins(impact_work *iw, const dense_step *d, double near)
{
    double h = d->end.t - d->begin.t;
    for (int i = 0; i < iw->model->collider_count; ++i) {
        const body_bound *b = &iw->bounds[iw->model->colliders[i].body];
        double reach = iw->near->reach[i];
        iw->margin[i] = 1.1 * h * (b->speed + (isfinite(reach) ? b->spin * reach : 0.0)) +
                        fmax(1e-9 * iw->model->length_scale, 0.5 * near);
    }
}
