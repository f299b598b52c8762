/* How near bodies come within a step in which nothing touches: the smallest distance of all pairs, at both ends of the step
 * and where a distance turns from falling to rising in between.
 *
 * Following gaps does without distances, as a plane between two bodies says enough; they are measured here where a user may
 * ask for them, below SEARCH_NEAR of the model's size only, so that what is told is the smallest of all. */
#include "methods/impact/search_parts.h"

/* Two colliders, or one contact of a joint. */
typedef struct couple {
    impact_work *iw;
    carom_scratch *w;
    int a, b;               /* colliders */
    const contact *contact; /* of a joint; NULL: colliders */
    int body[2];
    double travel; /* [m] by which the distance changes at most within the step */
    bool failed;   /* out of memory */
} couple;

typedef struct closeness {
    double distance; /* [m]; infinite: not within the margin */
    double rate;     /* [m/s] */
} closeness;

static void keep_nearest(const couple *c, const contact *s, const contact_bodies *bodies, closeness *out)
{
    gap_value g;
    contact_gap(s, c->iw->model, bodies, c->w->near, &g);
    if (g.gap < out->distance) {
        *out = (closeness){ g.gap, g.rate };
    }
}

/* The distance at t where it is below the margin [m]. */
static closeness closeness_at(couple *c, double t, double margin)
{
    impact_work *iw = c->iw;
    closeness out = { HUGE_VAL, 0.0 };
    contact_bodies bodies;
    search_bodies_at(iw, c->w, c->body, t, &bodies);
    if (c->contact) {
        keep_nearest(c, c->contact, &bodies, &out);
        return out;
    }
    gap_pair pair = contact_colliders(iw->model, c->a, c->b);
    carom_pose pose_w[2] = { { bodies.pose[0].x_w, bodies.pose[0].q_wb },
                             { bodies.pose[1].x_w, bodies.pose[1].q_wb } };
    iw->gaps.count = 0;
    c->failed = c->failed || !gap_find(&iw->gaps, &pair, pose_w, margin);
    for (size_t k = 0; k < iw->gaps.count && !c->failed; ++k) {
        contact s = contact_of_surface(iw->model, c->a, c->b, &iw->gaps.items[k]);
        keep_nearest(c, &s, &bodies, &out);
    }
    return out;
}

/* Between a moment at which the distance falls and one at which it rises. */
static void keep_turning_point(couple *c, double falls, double rises, double *least)
{
    enum { HALVINGS = 60 };
    static const double FINE = 1e-9; /* of the distance */
    double speed = HUGE_VAL;
    for (int k = 0; k < HALVINGS && !c->failed && speed * (rises - falls) > FINE * *least; ++k) {
        double t = 0.5 * (falls + rises);
        closeness now = closeness_at(c, t, *least + c->travel);
        *least = fmin(*least, now.distance);
        *(now.rate < 0.0 ? &falls : &rises) = t;
        speed = fabs(now.rate);
    }
}

static void keep_least(couple *c, double *least)
{
    const dense_step *d = c->w->dense;
    double margin = *least + c->travel;
    closeness first = closeness_at(c, d->begin.t, margin);
    closeness last = closeness_at(c, d->end.t, margin);
    double between = 0.5 * (first.distance + last.distance - c->travel); /* no less can it be on the way */
    *least = fmin(*least, fmin(first.distance, last.distance));
    if (first.rate < 0.0 && last.rate > 0.0 && between < *least) {
        keep_turning_point(c, d->begin.t, d->end.t, least);
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------------- */

/* By how much the boxes around both are apart at least when the step begins. */
static double room_between(const obb *a, const obb *b)
{
    v3 apart = v3_sub(a->center, b->center);
    bool open = a->half_space || b->half_space;
    return open ? 0.0 : v3_norm(apart) - v3_norm(a->half) - v3_norm(b->half);
}

static bool pair_distance(impact_work *iw, carom_scratch *w, box_pair pair, double *least)
{
    const model_collider *colliders = iw->model->colliders;
    span step = search_whole(iw, w);
    double travel = search_approach_of_colliders(iw, &step, pair.a, pair.b).speed *
                    (w->dense->end.t - w->dense->begin.t);
    couple c = { .iw = iw,
                 .w = w,
                 .a = pair.a,
                 .b = pair.b,
                 .body = { colliders[pair.a].body, colliders[pair.b].body },
                 .travel = travel };
    if (room_between(&iw->near->box_w[pair.a], &iw->near->box_w[pair.b]) < *least + travel) {
        keep_least(&c, least);
    }
    return !c.failed;
}

static void joint_distances(impact_work *iw, carom_scratch *w, int joint, double *least)
{
    contact contacts[CONTACT_PER_JOINT];
    int count = contact_of_joint(iw->model, joint, contacts);
    for (int k = 0; k < count; ++k) {
        couple c = {
            .iw = iw, .w = w, .contact = &contacts[k], .body = { contacts[k].body[0], contacts[k].body[1] }
        };
        c.travel = HUGE_VAL; /* nothing is looked up: a gap is cheap */
        keep_least(&c, least);
    }
}

bool search_distance(impact_work *iw, carom_scratch *w, const box_pair *pairs, size_t count, double *out)
{
    double near = SEARCH_NEAR * iw->model->length_scale;
    double least = near;
    for (size_t k = 0; k < count; ++k) {
        if (!pair_distance(iw, w, pairs[k], &least)) {
            return false;
        }
    }
    for (int j = 0; j < iw->model->joint_count; ++j) {
        joint_distances(iw, w, j, &least);
    }
    *out = least < near ? fmax(least, 0.0) : HUGE_VAL; /* what rounding takes away does not count */
    return true;
}
