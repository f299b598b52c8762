/* Collision detection of cylinders along screws.
 *
 * A cylinder is the convex hull of its two discs, as an edge is that of its ends: corners become discs, and all of the argument of
 * surface_query.c stays. With n at rest the lowest point of a disc is, to first order in s,
 * n . (c + s v_c) - R |P (n + s n x w')| (surface_rim.c: P across its axis, w' its turn without that about the axis, which moves
 * no circle), less s^2 / 2 times a bound of accelerations |w x v_c| + R |w'| (|k| + |w'|). The highest point of a disc
 * below is the same with the opposite sign. For each pair of a disc or corner of A and one of B the gap is bounded below by
 *     n . (x - y) + s n . (v_x - v_y) - R_x |..| - R_y |..| - c s^2 / 2,
 * a concave function of s, which is least at the ends of [0, tau].
 *
 * Where this is short, normals that turn are tried. With the body of corners y_j: the plane through the highest of them along n turns
 * with it, stays above all of them, and the discs are above it as above the plane of a half-space (surface_rim.c). With the body
 * of the cylinder: the plane through its highest point along -n turns with it, stays above the solid, and the corners are above it
 * as vertices are above the plane of a half-space (surface_query.c). */
#include "collision/surface_rim.h"
#include "collision/surface_round.h"

#define SHORT 0.1 /* of the motion that is left: for less, normals that turn are tried */

static const surface *surface_at(const surface_pair *p, int side)
{
    return side == 0 ? p->a : p->b;
}

static v3 arm_of(const surface_pair *p, int side, v3 r)
{
    return side == 0 ? m3_mulv(p->R, r) : r;
}

static moving_disc disc_at(const surface_pair *p, int side, double t, const shape_rim *rim)
{
    moving_disc d = { .axis = arm_of(p, side, rim->axis), .radius = rim->radius };
    d.c = surface_moved_point(p, side, t, arm_of(p, side, rim->center), &d.axis);
    d.spin = v3_dot(p->d[side].w, d.axis);
    d.w = v3_axpy(p->d[side].w, -d.spin, d.axis);
    return d;
}

static void move_feature(round_sight *s, const surface_query *q, int side, double t)
{
    const surface *body = surface_at(q->p, side);
    int kind = q->pair->kind[side];
    int index = q->pair->index[side];
    int corner[3];
    if (kind >= SURFACE_RIM) {
        s->count[side] = kind == SURFACE_RIM ? 1 : 2;
        for (int k = 0; k < s->count[side]; ++k) {
            s->at[side][k] = disc_at(q->p, side, t, &body->rims[kind == SURFACE_RIM ? index : k]);
        }
        return;
    }
    s->count[side] = surface_corners(body, kind, index, corner);
    for (int k = 0; k < s->count[side]; ++k) {
        v3 none = v3_zero();
        s->at[side][k] = (moving_disc){ .radius = 0.0 };
        s->at[side][k].c = surface_moved_point(q->p, side, t, arm_of(q->p, side, body->vertices[corner[k]]), &none);
    }
}

/* ---- where they are ------------------------------------------------------------------------------------------------------- */

static cylinder round_of(const round_sight *s, int side)
{
    const moving_disc *d = s->at[side];
    cylinder c = { .center = d[0].c.x, .axis = d[0].axis, .radius = d[0].radius };
    if (s->count[side] == 2) {
        v3 between = v3_sub(d[1].c.x, d[0].c.x);
        c.center = v3_axpy(d[0].c.x, 0.5, between);
        c.axis = d[1].axis;
        c.half = 0.5 * v3_norm(between);
    }
    return c;
}

/* From the second to the first; the second is round. */
static v3 normal_from_round(const round_sight *s, int first, int kind)
{
    cylinder c = round_of(s, 1 - first);
    v3 x[3];
    for (int k = 0; k < s->count[first]; ++k) {
        x[k] = s->at[first][k].c.x;
    }
    switch (kind) {
    case SURFACE_VERTEX:
        return vertex_cylinder_distance(x[0], &c).normal;
    case SURFACE_EDGE:
        return edge_cylinder_distance(x, &c).normal;
    case SURFACE_TRIANGLE:
        return triangle_disc_distance(x, &c).normal;
    default: {
        cylinder own = round_of(s, first);
        return cylinder_cylinder_distance(&own, &c).normal;
    }
    }
}

/* How far a disc reaches along n from its centre. */
static double reach_along(const moving_disc *d, v3 n)
{
    return d->radius > 0.0 ? d->radius * v3_norm(v3_axpy(n, -v3_dot(n, d->axis), d->axis)) : 0.0;
}

/* The highest that the feature of a side is along n. */
static double highest(const round_sight *s, int side, v3 n)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < s->count[side]; ++k) {
        double height = v3_dot(n, s->at[side][k].c.x) + reach_along(&s->at[side][k], n);
        most = height > most ? height : most;
    }
    return most;
}

double surface_round_look(round_sight *s, const surface_query *q, double t)
{
    int kind[2] = { q->pair->kind[0], q->pair->kind[1] };
    s->t = t;
    move_feature(s, q, 0, t);
    move_feature(s, q, 1, t);
    int first = kind[0] <= kind[1] ? 0 : 1;
    v3 n = normal_from_round(s, first, kind[first]);
    s->normal = first == 0 ? n : v3_neg(n);
    return -highest(s, 0, v3_neg(s->normal)) - highest(s, 1, s->normal) - q->offset;
}

/* ---- a normal at rest ------------------------------------------------------------------------------------------------------- */

/* Bound of the accelerations of the points of a disc against n, for a time. */
static double inward_of(const moving_disc *d, double turn, v3 n, double time)
{
    double inward = turn * d->c.bend * time - v3_dot(n, d->c.pull);
    inward = inward > 0.0 ? inward : 0.0;
    inward = inward < d->c.bend ? inward : d->c.bend;
    double w = v3_norm(d->w);
    return inward + d->radius * w * (fabs(d->spin) + w);
}

static v3 across_axis(v3 x, v3 axis)
{
    return v3_axpy(x, -v3_dot(x, axis), axis);
}

static rim_sight sight_of(const round_sight *s, const surface_query *q, int i, int k, double left)
{
    const moving_disc *x = &s->at[0][i];
    const moving_disc *y = &s->at[1][k];
    v3 n = s->normal;
    rim_sight r = { .height = v3_dot(n, v3_sub(x->c.x, y->c.x)) - q->offset,
                    .rate = v3_dot(n, v3_sub(x->c.velocity, y->c.velocity)),
                    .radius = x->radius,
                    .other_radius = y->radius,
                    .inward = inward_of(x, q->p->turn[0], n, left) + inward_of(y, q->p->turn[1], v3_neg(n), left) };
    if (x->radius > 0.0) {
        r.level = across_axis(n, x->axis);
        r.turn = across_axis(v3_cross(n, x->w), x->axis);
    }
    if (y->radius > 0.0) {
        r.other_level = across_axis(n, y->axis);
        r.other_turn = across_axis(v3_cross(n, y->w), y->axis);
    }
    return r;
}

static double at_rest_for(const round_sight *s, const surface_query *q, double low, double left, double wanted)
{
    double least = HUGE_VAL;
    for (int i = 0; i < s->count[0]; ++i) {
        for (int k = 0; k < s->count[1]; ++k) {
            rim_sight r = sight_of(s, q, i, k, left);
            r.height -= low;
            double tau = surface_rim_clear_for(&r, left, wanted);
            least = tau < least ? tau : least;
        }
    }
    return least;
}

/* ---- normals that turn ------------------------------------------------------------------------------------------------------- */

/* With the body of `side`: its own feature stays below the plane through its highest point, and what is of the other side stays above
 * it for so long. */
static double turning_for(const round_sight *s, const surface_query *q, int side, double low, double left,
                          double wanted)
{
    const surface_pair *p = q->p;
    v3 n = side == 1 ? s->normal : v3_neg(s->normal);
    double floor = highest(s, side, n) + q->offset + low;
    double turn = p->turn[side];
    double least = HUGE_VAL;
    for (int k = 0; k < s->count[1 - side]; ++k) {
        const moving_disc *d = &s->at[1 - side][k];
        v3 field = twist_velocity(&p->d[side], v3_sub(d->c.x, side == 0 ? p->c : v3_zero()));
        double w = v3_norm(d->w);
        double speed = v3_norm(d->c.velocity) + d->radius * w;
        v3 tilt = v3_cross(n, v3_sub(d->w, p->d[side].w));
        rim_sight r = { .height = v3_dot(n, d->c.x) - floor,
                        .rate = v3_dot(n, v3_sub(d->c.velocity, field)),
                        .radius = d->radius,
                        .inward = d->c.bend + d->radius * w * (fabs(d->spin) + w) +
                                  turn * (2.0 * speed + v3_norm(field) + turn * (d->radius + speed)) };
        if (d->radius > 0.0) {
            r.level = across_axis(n, d->axis);
            r.turn = across_axis(tilt, d->axis);
        }
        double tau = r.height > 0.0 || d->radius > 0.0 ? surface_rim_clear_for(&r, left, wanted) : 0.0;
        least = tau < least ? tau : least;
    }
    return least;
}

double surface_round_clear_for(const round_sight *s, const surface_query *q, double low, double left, double wanted)
{
    double longest = at_rest_for(s, q, low, left, wanted);
    if (longest > SHORT * left) {
        return longest;
    }
    for (int side = 0; side < 2 && longest < wanted; ++side) { /* both: which of them is A does not matter */
        double turning = q->p->turn[side] > 0.0 ? turning_for(s, q, side, low, left, wanted) : 0.0;
        longest = turning > longest ? turning : longest;
    }
    return longest;
}
