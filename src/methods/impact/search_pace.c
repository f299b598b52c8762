/* How fast bodies move and approach each other within the last step. */
#include "methods/impact/search_parts.h"

static double larger(v3 x, v3 y)
{
    return fmax(v3_norm(x), v3_norm(y));
}

/* Prescribed motion is sampled only: with a margin on what changes between samples. */
static motion_bound bound_of_kinematic(carom_scratch *w, int body)
{
    motion_bound bound = motion_bound_prescribed(w, w->dense->begin.t, w->dense->end.t, body);
    bound.acceleration *= 1.5;
    bound.spin_up *= 1.5;
    return bound;
}

void search_find_bounds(impact_work *iw, carom_scratch *w)
{
    for (int i = 0; i < iw->model->body_count; ++i) {
        bool kinematic = iw->model->bodies[i].role == BODY_KINEMATIC;
        iw->bounds[i] = kinematic ? bound_of_kinematic(w, i) : motion_bound_within(w->dense, i);
    }
}

span search_whole(const impact_work *iw, const carom_scratch *w)
{
    return (span){ w->dense, iw->bounds };
}

span search_piece(impact_work *iw, const carom_scratch *w, const int body[2], double t0, double t1)
{
    for (int side = 0; side < 2; ++side) {
        int i = body[side];
        bool kinematic = iw->model->bodies[i].role == BODY_KINEMATIC;
        dense_body_piece(w->dense, t0, t1, i, iw->piece);
        iw->in_piece[i] = kinematic ? iw->bounds[i] : motion_bound_within(iw->piece, i);
    }
    return (span){ iw->piece, iw->in_piece };
}

/* Of two bodies with the levers of what may touch: bodies that move freely are compared with each other. */
pace search_pace_of(const impact_work *iw, const span *in, const int body[2], const double lever[2])
{
    const dense_step *d = in->d;
    int a = body[0];
    int b = body[1];
    const motion_bound *x = &in->bounds[a];
    const motion_bound *y = &in->bounds[b];
    approach_bound p = { x->speed + y->speed, x->acceleration + y->acceleration };
    if (iw->model->bodies[a].role != BODY_KINEMATIC && iw->model->bodies[b].role != BODY_KINEMATIC) {
        double bend = motion_largest_bend(d, a, b);
        p.speed = larger(v3_sub(d->begin.rate[a].v_w, d->begin.rate[b].v_w),
                         v3_sub(d->end.rate[a].v_w, d->end.rate[b].v_w)) +
                  0.5 * (d->end.t - d->begin.t) * bend;
        p.acceleration = bend;
    }
    double passing = p.speed + x->spin * lever[0] + y->spin * lever[1];
    approach_add_turning(&p, *x, lever[0], passing);
    approach_add_turning(&p, *y, lever[1], passing);
    return (pace){ .speed = 1.1 * p.speed, .acceleration = 1.5 * p.acceleration, .lever = { lever[0], lever[1] } };
}

/* ---- onto a plane -------------------------------------------------------------------------------------------------------- */

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
static double turning_along(const span *in, int body, double lever, v3 n)
{
    const dense_end *p = &in->d->begin;
    const dense_end *q = &in->d->end;
    double h = q->t - p->t;
    v3 up[2] = { p->acceleration[body].omega_w, q->acceleration[body].omega_w };
    v3 mean = v3_scale(0.5, v3_add(up[0], up[1]));
    v3 made = v3_scale(1.0 / h, v3_sub(q->rate[body].omega_w, p->rate[body].omega_w));
    double between = 0.5 * v3_norm(v3_sub(up[1], up[0])) + 3.0 * v3_norm(v3_sub(made, mean));
    double spin_up = larger(v3_cross(n, up[0]), v3_cross(n, up[1])) + between;
    double spin = larger(v3_cross(n, p->rate[body].omega_w), v3_cross(n, q->rate[body].omega_w)) + 0.25 * h * spin_up;
    return lever > 0.0 ? 1.5 * (spin_up + spin * in->bounds[body].spin) * lever : 0.0;
}

double search_pace_onto(const impact_work *iw, const span *in, const pace *p, const int body[2], int on, v3 n_w)
{
    const model_body *bodies = iw->model->bodies;
    int base = body[on];
    int other = body[1 - on];
    bool turns = in->bounds[base].spin > 0.0 || in->bounds[base].spin_up > 0.0;
    if (turns || bodies[base].role == BODY_KINEMATIC || bodies[other].role == BODY_KINEMATIC) {
        return p->acceleration;
    }
    double towards = fmax(-least_translation(in->d, other, base, n_w), 0.0);
    return fmin(p->acceleration, towards + turning_along(in, other, p->lever[1 - on], n_w));
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

pace search_pace_of_colliders(const impact_work *iw, const span *in, int a, int b)
{
    int body[2] = { iw->model->colliders[a].body, iw->model->colliders[b].body };
    double lever[2];
    finite_levers(iw, in->d, a, b, lever);
    return search_pace_of(iw, in, body, lever);
}

void search_bodies_at(const impact_work *iw, carom_scratch *w, const int body[2], double t, contact_bodies *out)
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
        const motion_bound *b = &iw->bounds[iw->model->colliders[i].body];
        double reach = iw->near->reach[i];
        iw->margin[i] = 1.1 * h * (b->speed + (isfinite(reach) ? b->spin * reach : 0.0)) +
                        fmax(1e-9 * iw->model->length_scale, 0.5 * near);
    }
}
