/* How fast bodies move and approach each other within the last step. */
#include "methods/impact/search_parts.h"

static double larger(v3 x, v3 y)
{
    return fmax(v3_norm(x), v3_norm(y));
}

/* Prescribed motion is sampled only: with a reserve on what changes between samples. */
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
gap_approach search_approach_of(const impact_work *iw, const span *in, const int body[2], const double lever[2])
{
    const dense_step *d = in->d;
    int a = body[0];
    int b = body[1];
    bool both_free = iw->model->bodies[a].role != BODY_KINEMATIC && iw->model->bodies[b].role != BODY_KINEMATIC;
    approach_bound together = { 0 };
    if (both_free) {
        double bend = motion_largest_bend(d, a, b);
        together.speed = larger(v3_sub(d->begin.rate[a].v_w, d->begin.rate[b].v_w),
                                v3_sub(d->end.rate[a].v_w, d->end.rate[b].v_w)) +
                         0.5 * (d->end.t - d->begin.t) * bend;
        together.acceleration = bend;
    }
    approach_bound p = approach_of(&in->bounds[a], &in->bounds[b], both_free ? &together : NULL, lever, true);
    return (gap_approach){ .speed = 1.1 * p.speed,
                           .acceleration = 1.5 * p.acceleration,
                           .lever = { lever[0], lever[1] } };
}

double search_approach_onto(const impact_work *iw, const span *in, const gap_approach *p, const int body[2], int on,
                            v3 n_w)
{
    const model_body *bodies = iw->model->bodies;
    int base = body[on];
    int other = body[1 - on];
    bool turns = in->bounds[base].spin > 0.0 || in->bounds[base].spin_up > 0.0;
    if (turns || bodies[base].role == BODY_KINEMATIC || bodies[other].role == BODY_KINEMATIC) {
        return p->acceleration;
    }
    return fmin(p->acceleration,
                motion_onto_plane(in->d, other, base, p->lever[1 - on], in->bounds[other].spin, n_w));
}

/* ---- of colliders ------------------------------------------------------------------------------------------------------ */

gap_approach search_approach_of_colliders(const impact_work *iw, const span *in, int a, int b)
{
    const dense_step *d = in->d;
    int body[2] = { iw->model->colliders[a].body, iw->model->colliders[b].body };
    double apart = larger(v3_sub(d->begin.pose[body[0]].x_w, d->begin.pose[body[1]].x_w),
                          v3_sub(d->end.pose[body[0]].x_w, d->end.pose[body[1]].x_w));
    double lever[2];
    approach_levers(iw->near, a, b, apart, lever);
    return search_approach_of(iw, in, body, lever);
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
