/* What persistent contacts keep outside.
 *
 * What slides along a table must not stumble over the rim of the next one of equal height, whose side it meets at the very
 * rim: bounds of features are loose by gap_rounding, and surfaces that touch keep a tiny gap. Which side of the rim it is on
 * would be rounding, but a persistent contact in whose plane the rim lies says it: the bodies are held apart there, so the
 * place is outside if lifting them off what they lie on takes it out. Where both lie on that plane (the toe of a ramp
 * slides into a box on the same floor) lifting tells nothing and they meet. Without such a contact loose bounds stay: flush
 * bodies that fall on each other must not fall past each other. */
#include "methods/impact/search_parts.h"

static void bodies_of(const moment *m, const contact *s, contact_bodies *out)
{
    if (!m->pose) {
        search_bodies_at(m->iw, m->w, s->body, m->t, out);
        return;
    }
    for (int side = 0; side < 2; ++side) {
        out->pose[side] = m->pose[s->body[side]];
        out->rate[side] = m->rate[s->body[side]];
    }
}

/* A persistent contact of a body of a contact, as it moves A of that contact relative to B when it opens. */
typedef struct lift {
    v3 way_w;
    double amount; /* [m] beyond rounding, and what the step has let the contact drift */
} lift;

/* False where the contact is none of these bodies, or its plane is not one that the place of the contact lies in. */
static bool lift_of(const moment *m, const contact *persistent, const contact *s, const gap_value *g, double rounding,
                    lift *out)
{
    double toward = 0.0; /* sum of both bodies: between them it is the same lift */
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        toward += persistent->body[side] == s->body[0] ? sign : persistent->body[side] == s->body[1] ? -sign : 0.0;
    }
    if (toward == 0.0) {
        return false;
    }
    contact_bodies bodies;
    gap_value held;
    bodies_of(m, persistent, &bodies);
    contact_gap(persistent, m->iw->model, &bodies, m->near, &held);
    out->way_w = v3_scale(toward > 0.0 ? 1.0 : -1.0, held.normal_w);
    out->amount = 2.0 * rounding + fabs(held.gap);
    return fabs(v3_dot(held.normal_w, v3_sub(g->point_w, held.point_w))) <= 2.0 * out->amount;
}

/* Whether a lift, along the surfaces of the contact so that its gap stays, takes it out of its bounds. */
static bool lift_takes_out(const contact *s, const gap_pair *pair, const contact_bodies *bodies, const gap_value *g,
                           const lift *l)
{
    static const double LEAST_SINE = 1e-3; /* less: the surfaces of the contact lie in that plane themselves */
    v3 along = v3_axpy(l->way_w, -v3_dot(l->way_w, g->normal_w), g->normal_w);
    double sine = v3_norm(along);
    if (!(sine > LEAST_SINE)) {
        return false;
    }
    v3 moved = v3_axpy(bodies->pose[0].x_w, l->amount / sine, along);
    carom_pose pose_w[2] = { { moved, bodies->pose[0].q_wb }, { bodies->pose[1].x_w, bodies->pose[1].q_wb } };
    return gap_bounds(&s->feature, pair, pose_w) < 0.0;
}

/* Whether another persistent contact in the same plane is lifted the opposite way. */
static bool lift_is_undone(const moment *m, const contact *s, const gap_value *g, double rounding, const lift *l)
{
    const contact_list *all = &m->iw->present.contacts;
    bool undone = false;
    for (size_t k = 0; k < all->count && !undone; ++k) {
        lift other;
        undone = all->items[k].kind == CONTACT_SURFACE && lift_of(m, &all->items[k], s, g, rounding, &other) &&
                 v3_dot(other.way_w, l->way_w) < -0.5;
    }
    return undone;
}

/* Where generator 0 is the corner that meets a face: a persistent contact holds it at the surface of the other body, so it is
 * not behind another face there, however sharp the ridge between both. */
static bool is_held_outside(const moment *m, const contact *persistent, const contact *s,
                            const contact_bodies *bodies, const gap_value *g, double rounding)
{
    if (s->feature.mode != CAROM_MODE_VERTEX_FACE || persistent->a != s->a || persistent->b != s->b ||
        !(g->gap < -rounding)) {
        return false;
    }
    const body_pose *on = &bodies->pose[s->feature.swapped ? 1 : 0];
    v3 corner_w = v3_add(on->x_w, q_rotate(on->q_wb, s->feature.c_c[0]));
    gap_value held;
    contact_gap(persistent, m->iw->model, bodies, m->near, &held);
    return v3_norm(v3_sub(corner_w, held.point_w)) <= 2.0 * rounding + fabs(held.gap);
}

/* Whether the contact is met at a rim that lies in the plane of a persistent contact, from outside. */
static bool is_flush(const moment *m, const contact *persistent, const contact *s, const contact_bodies *bodies,
                     const gap_value *g, const gap_pair *pair, double rounding)
{
    lift l;
    return lift_of(m, persistent, s, g, rounding, &l) && lift_takes_out(s, pair, bodies, g, &l) &&
           !lift_is_undone(m, s, g, rounding, &l);
}

bool search_is_kept_off(const moment *m, const contact *s, const contact_bodies *bodies, const gap_value *g)
{
    const contact_list *all = &m->iw->present.contacts;
    if (s->kind != CONTACT_SURFACE || all->count == 0) {
        return false;
    }
    gap_pair pair = contact_colliders(m->iw->model, s->a, s->b);
    double rounding = gap_rounding(&pair);
    bool off = false;
    for (size_t k = 0; k < all->count && !off; ++k) {
        const contact *persistent = &all->items[k];
        off = persistent->kind == CONTACT_SURFACE && (is_held_outside(m, persistent, s, bodies, g, rounding) ||
                                                      is_flush(m, persistent, s, bodies, g, &pair, rounding));
    }
    return off;
}

/* ---- face to face --------------------------------------------------------------------------------------------------- */

static const double SAME_NORMAL = 1e-6; /* sine */

typedef struct held_place {
    v3 point_w, normal_w;
} held_place;

/* Persistent contacts of a pair that carry force, from *k on; false where there are no more. */
static bool next_held(const moment *m, int a, int b, size_t *k, held_place *out)
{
    const active_set *all = &m->iw->present;
    for (; *k < all->contacts.count; ++*k) {
        const contact *s = &all->contacts.items[*k];
        if (s->kind == CONTACT_SURFACE && s->a == a && s->b == b && !all->modes[*k].inactive) {
            contact_bodies bodies;
            gap_value g;
            bodies_of(m, s, &bodies);
            contact_gap(s, m->iw->model, &bodies, m->near, &g);
            *out = (held_place){ g.point_w, g.normal_w };
            ++*k;
            return true;
        }
    }
    return false;
}

/* The held place with the first one's normal that is farthest from a point, or from a line through it; false: none is off. */
static bool farthest_from(const moment *m, int a, int b, const held_place *first, v3 along, held_place *out)
{
    double most = 0.0;
    held_place here;
    for (size_t k = 0; next_held(m, a, b, &k, &here);) {
        v3 from = v3_sub(here.point_w, first->point_w);
        double off = v3_norm(v3_axpy(from, -v3_dot(from, along), along));
        bool same = v3_norm(v3_cross(here.normal_w, first->normal_w)) <= SAME_NORMAL;
        if (same && off > most) {
            most = off;
            *out = here;
        }
    }
    return most > 0.0;
}

bool search_is_face_to_face(const moment *begin, int a, int b)
{
    static const double LEAST_HEIGHT = 1e-2; /* of the triangle of three places, in lengths of a side */
    const model_collider *c = begin->iw->model->colliders;
    held_place p[3];
    size_t k = 0;
    if (!collider_is_convex(c[a].collider) || !collider_is_convex(c[b].collider) ||
        !next_held(begin, a, b, &k, &p[0]) || !farthest_from(begin, a, b, &p[0], v3_zero(), &p[1])) {
        return false;
    }
    v3 side = v3_sub(p[1].point_w, p[0].point_w);
    v3 along = v3_unit(side);
    if (!farthest_from(begin, a, b, &p[0], along, &p[2])) {
        return false;
    }
    v3 from = v3_sub(p[2].point_w, p[0].point_w);
    return v3_norm(v3_axpy(from, -v3_dot(from, along), along)) > LEAST_HEIGHT * v3_norm(side);
}
