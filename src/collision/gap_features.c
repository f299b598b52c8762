/* How near two features of rounded polyhedra are, and whether nothing of theirs is nearer.
 *
 * A pair of features is a local minimum of the distance when the place of contact is inside both (between the ends of an
 * edge, inside the outline of a face) and the direction between them is in the cones of normals of both: seen from a
 * corner or an edge nothing beside it comes nearer (the Voronoi regions of [Mirtich1998]; for two edges the crossing of
 * their arcs on the Gauss map). All is computed in the axes of the collider whose face or edge is met. */
#include "collision/gap_features.h"

#include "base/array.h"
#include "collision/feature_walk.h"
#include "collision/oval.h"
#include "math/quat.h"

static const double TOUCH = 1e-9;    /* of the size: about what integrators keep constraints to */
static const double PARALLEL = 1e-7; /* sine of the angle of edges that have no common normal to speak of */
static const double LEVEL = 1e-6;    /* sine of the tilt of a circle that has no lowest point to speak of */

static carom_pose pose_times(carom_pose a, carom_pose b)
{
    return (carom_pose){ pose_point(&a, b.position), q_mul(a.orientation, b.orientation) };
}

/* b^-1 a */
static carom_pose pose_between(carom_pose a, carom_pose b)
{
    return (carom_pose){ q_unrotate(b.orientation, v3_sub(a.position, b.position)),
                         q_mul(q_conj(b.orientation), a.orientation) };
}

static double size_of(const gap_pair *pair)
{
    double size = fmin(pair->a->facets->size, pair->b->facets->size);
    return isfinite(size) ? size : 1.0; /* two half-spaces */
}

gap_scene gap_scene_of(const gap_pair *pair, const carom_pose pose_w[2])
{
    gap_scene s = { .collider = { pair->a, pair->b }, .f = { pair->a->facets, pair->b->facets } };
    for (int k = 0; k < 2; ++k) {
        s.pose_c[k] = pair->pose_c[k];
        s.pose_w[k] = pose_times(pose_w[k], pair->pose_c[k]);
    }
    s.to[0] = pose_between(s.pose_w[0], s.pose_w[1]);
    s.to[1] = pose_between(s.pose_w[1], s.pose_w[0]);
    s.size = size_of(pair);
    s.touch = gap_rounding(pair);
    return s;
}

double gap_rounding(const gap_pair *pair)
{
    return TOUCH * size_of(pair);
}

bool gap_push(gap_list *list, const gap_feature *feature)
{
    if (!CAROM_ARRAY_RESERVE(list->items, list->capacity, list->count + 1)) {
        return false;
    }
    list->items[list->count++] = *feature;
    return true;
}

bool gap_in_reach(const gap_scene *s, const gap_closeness *c, double margin)
{
    return c->inside >= -s->touch && c->gap <= margin && c->gap >= -GAP_DEPTH * s->size;
}

/* A search has seen enough. */
static bool is_settled(const gap_scene *s, const gap_closeness *c)
{
    return s->searching && !gap_in_reach(s, c, s->margin);
}

/* The same for a cone outside of which nothing counts. */
static bool is_settled_by_cone(const gap_scene *s, double cone)
{
    return s->searching && cone < -s->touch;
}

/* The direction u, given in the axes of the other, leaves a feature of `on`. */
static v3 seen_from(const gap_scene *s, int on, v3 u)
{
    return q_unrotate(s->to[on].orientation, u);
}

/* How far [m] the point p, `depth` behind a face, is behind all other faces that a way straight in from that face would
 * come out through: negative, it is outside, beside a ridge so sharp that it is behind the face beyond. */
static double buried(const gap_scene *s, const facets *f, int face, v3 p, double depth)
{
    v3 in = v3_neg(f->faces[face].normal);
    double least = HUGE_VAL;
    feature_walk w = feature_walk_near(&f->trees[FACET_FACES], f->balls[FACET_FACES], v3_axpy(p, -0.5 * depth, in),
                                       0.5 * depth + s->touch);
    for (int k = feature_walk_next(&w); k >= 0; k = feature_walk_next(&w)) {
        double outside = v3_dot(f->faces[k].normal, v3_sub(p, f->faces[k].r));
        double climb = v3_dot(f->faces[k].normal, in);
        if (k != face && outside > 0.0 && outside < climb * depth) {
            v3 exit = v3_axpy(p, -outside / climb, in);
            least = facet_face_inside(f, k, exit) >= -s->touch ? fmin(least, -outside) : least;
        }
    }
    return least;
}

/* ---- ellipsoids --------------------------------------------------------------------------------------------------- */

/* A corner with what is around it, in the axes of the other collider. */
static oval oval_of(const gap_scene *s, int on, int vertex)
{
    const facet_vertex *v = &s->f[on]->vertices[vertex];
    return (oval){ pose_point(&s->to[on], v->r), q_matrix(s->to[on].orientation), v->half };
}

static oval oval_here(const facet_vertex *v)
{
    return (oval){ v->r, m3_identity(), v->half };
}

static double roundness(const gap_scene *s, int on, int vertex)
{
    v3 half = s->f[on]->vertices[vertex].half;
    return fmin(half.x, fmin(half.y, half.z));
}

static gap_closeness oval_face(const gap_scene *s, int on, int vertex, int face)
{
    const facet_face *k = &s->f[1 - on]->faces[face];
    oval o = oval_of(s, on, vertex);
    v3 lowest = oval_support(&o, v3_neg(k->normal));
    gap_closeness c = { .gap = v3_dot(k->normal, v3_sub(lowest, k->r)),
                        .radius = roundness(s, on, vertex),
                        .inside = HUGE_VAL,
                        .cone = HUGE_VAL,
                        .own = HUGE_VAL };
    if (!is_settled(s, &c)) {
        c.inside = facet_face_inside(s->f[1 - on], face, lowest);
    }
    return c;
}

static gap_closeness oval_edge(const gap_scene *s, int on, int vertex, int edge)
{
    const facets *f = s->f[1 - on];
    const facet_edge *e = &f->edges[edge];
    oval o = oval_of(s, on, vertex);
    oval_meeting at = oval_meet(&o, &(oval){ .c = e->r, .axes = m3_identity() }, &e->d);
    double along = v3_dot(v3_sub(at.p[0], e->r), e->d);
    gap_closeness c = { .gap = at.gap - e->radius,
                        .radius = roundness(s, on, vertex) + e->radius,
                        .inside = fmin(along, e->length - along),
                        .own = HUGE_VAL };
    c.cone = (fabs(c.gap) + c.radius) * facet_edge_cone(f, edge, at.n);
    return c;
}

/* Ellipsoid k of the pair against a corner, a ball or another ellipsoid. */
static gap_closeness oval_vertex(const gap_scene *s, int on, int vertex, int other)
{
    const facet_vertex *v = &s->f[1 - on]->vertices[other];
    oval a = oval_of(s, on, vertex), b = oval_here(v);
    oval_meeting at = oval_meet(&a, &b, NULL);
    gap_closeness c = {
        .gap = at.gap - v->radius, .radius = roundness(s, on, vertex) + v->radius, .inside = HUGE_VAL, .own = HUGE_VAL
    };
    c.cone = (fabs(c.gap) + c.radius) * facet_vertex_cone(s->f[1 - on], other, at.n);
    return c;
}

gap_closeness gap_rim_oval(const gap_scene *s, int on, int rim)
{
    const shape_rim *r = &s->f[on]->rims[rim];
    oval a = oval_of(s, 1 - on, 0);
    v3 x = v3_across(r->axis);
    oval disc = { r->center, m3_from_columns(x, v3_cross(r->axis, x), r->axis), { r->radius, r->radius, 0.0 } };
    oval_meeting at = oval_meet(&a, &disc, NULL);
    gap_closeness c = { .gap = at.gap, .radius = roundness(s, 1 - on, 0), .inside = HUGE_VAL, .own = HUGE_VAL };
    double along = v3_dot(at.n, r->axis);
    c.cone = (fabs(c.gap) + c.radius) * along;
    c.inside = fabs(along) < 1.0 - 1e-15 ? HUGE_VAL : -r->radius; /* on its flat side the face is what is met */
    return c;
}

/* ---- corners ------------------------------------------------------------------------------------------------------ */

gap_closeness gap_vertex_face(const gap_scene *s, int on, int vertex, int face)
{
    if (facet_is_oval(&s->f[on]->vertices[vertex])) {
        return oval_face(s, on, vertex, face);
    }
    const facets *f = s->f[1 - on];
    const facet_face *k = &f->faces[face];
    v3 p = pose_point(&s->to[on], s->f[on]->vertices[vertex].r);
    double radius = s->f[on]->vertices[vertex].radius;
    gap_closeness c = {
        .gap = v3_dot(k->normal, v3_sub(p, k->r)) - radius, .radius = radius, .inside = HUGE_VAL, .cone = HUGE_VAL
    };
    if (is_settled(s, &c)) {
        return c;
    }
    c.inside = facet_face_inside(f, face, p);
    if (c.gap < -s->touch && c.inside >= -s->touch && !(radius > 0.0) && isfinite(f->size)) {
        c.inside = fmin(c.inside, buried(s, f, face, p, -c.gap));
    }
    c.own = s->size * facet_vertex_cone(s->f[on], vertex, seen_from(s, on, v3_neg(k->normal)));
    return c;
}

gap_closeness gap_vertex_edge(const gap_scene *s, int on, int vertex, int edge)
{
    if (facet_is_oval(&s->f[on]->vertices[vertex])) {
        return oval_edge(s, on, vertex, edge);
    }
    const facets *f = s->f[1 - on];
    const facet_edge *e = &f->edges[edge];
    v3 from = v3_sub(pose_point(&s->to[on], s->f[on]->vertices[vertex].r), e->r);
    double along = v3_dot(from, e->d);
    v3 away = v3_axpy(from, -along, e->d);
    double distance = v3_norm(away);
    if (!(distance > 0.0)) {
        return (gap_closeness){ .gap = (double)NAN };
    }
    v3 u = v3_scale(1.0 / distance, away);
    double radius = s->f[on]->vertices[vertex].radius + e->radius;
    gap_closeness c = { .gap = distance - radius, .radius = radius, .inside = fmin(along, e->length - along) };
    if (is_settled(s, &c)) {
        return c;
    }
    c.cone = distance * facet_edge_cone(f, edge, u);
    if (!is_settled_by_cone(s, c.cone)) {
        c.own = distance * facet_vertex_cone(s->f[on], vertex, seen_from(s, on, v3_neg(u)));
    }
    return c;
}

gap_closeness gap_vertex_vertex(const gap_scene *s, int vertex_a, int vertex_b)
{
    if (facet_is_oval(&s->f[0]->vertices[vertex_a])) {
        return oval_vertex(s, 0, vertex_a, vertex_b);
    }
    if (facet_is_oval(&s->f[1]->vertices[vertex_b])) {
        return oval_vertex(s, 1, vertex_b, vertex_a);
    }
    v3 away = v3_sub(pose_point(&s->to[0], s->f[0]->vertices[vertex_a].r), s->f[1]->vertices[vertex_b].r);
    double distance = v3_norm(away);
    if (!(distance > 0.0)) {
        return (gap_closeness){ .gap = (double)NAN };
    }
    v3 u = v3_scale(1.0 / distance, away);
    double radius = s->f[0]->vertices[vertex_a].radius + s->f[1]->vertices[vertex_b].radius;
    gap_closeness c = { .gap = distance - radius, .radius = radius, .inside = HUGE_VAL };
    if (is_settled(s, &c)) {
        return c;
    }
    double cone = facet_vertex_cone(s->f[1], vertex_b, u);
    if (!is_settled_by_cone(s, distance * cone)) {
        cone = fmin(cone, facet_vertex_cone(s->f[0], vertex_a, seen_from(s, 0, v3_neg(u))));
    }
    c.cone = distance * cone;
    return c;
}

/* Which way the common normal n of two edges points from B to A: the way both cones allow; lines without faces are met
 * from where they are. */
static double side_of_edges(const gap_scene *s, const int edge[2], v3 n, double apart, double *cone)
{
    double value[2];
    for (int k = 0; k < 2; ++k) {
        v3 u = v3_scale(k == 0 ? 1.0 : -1.0, n);
        value[k] = fmin(facet_edge_cone(s->f[1], edge[1], u),
                        facet_edge_cone(s->f[0], edge[0], seen_from(s, 0, v3_neg(u))));
    }
    bool forward = value[0] == value[1] ? apart >= 0.0 : value[0] > value[1];
    *cone = value[forward ? 0 : 1];
    return forward ? 1.0 : -1.0;
}

/* Edge k of two as the other one sees it: that has the direction d, is met from direction u, crosses it with this sine
 * `along` its length and lies `depth` below. How far [m] it is inside the solid between the wings of edge k: negative, it
 * ends beside the ridge, however deep the lines of both pass each other. */
typedef struct edge_crossing {
    v3 d, u;
    double sine, along, length, depth;
} edge_crossing;

static double overlap(const facets *f, int edge, const edge_crossing *x)
{
    const facet_edge *e = &f->edges[edge];
    double low = HUGE_VAL, high = -HUGE_VAL; /* along the other: where it comes in and where it goes out */
    for (int i = e->first; i < e->first + e->count; ++i) {
        double fall = -v3_dot(f->wings[i], x->u) * x->sine * x->sine;
        double way = v3_dot(f->wings[i], x->d) * x->depth;
        double at = fall > 0.0 ? way / fall : copysign(HUGE_VAL, way);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    return e->count < 2 ? HUGE_VAL : fmin(x->along + high, x->length - x->along - low);
}

gap_closeness gap_edge_edge(const gap_scene *s, int edge_a, int edge_b)
{
    const facet_edge *a = &s->f[0]->edges[edge_a];
    const facet_edge *b = &s->f[1]->edges[edge_b];
    v3 d = pose_turn(&s->to[0], a->d);
    v3 apart = v3_sub(pose_point(&s->to[0], a->r), b->r);
    v3 across = v3_cross(d, b->d);
    double sine = v3_norm(across);
    if (!(sine > PARALLEL)) {
        return (gap_closeness){ .gap = (double)NAN };
    }
    v3 n = v3_scale(1.0 / sine, across);
    double along_a = -v3_dot(v3_cross(apart, b->d), n) / sine;
    double along_b = -v3_dot(v3_cross(apart, d), n) / sine;
    gap_closeness c = { .inside = fmin(fmin(along_a, a->length - along_a), fmin(along_b, b->length - along_b)) };
    if (s->searching && !(c.inside >= -s->touch)) {
        return c;
    }
    double cone;
    c.side = side_of_edges(s, (const int[]){ edge_a, edge_b }, n, v3_dot(apart, n), &cone);
    c.cone = cone * fmin(a->length, b->length);
    c.radius = a->radius + b->radius;
    c.gap = c.side * v3_dot(apart, n) - c.radius;
    if (c.gap < -s->touch && !(c.radius > 0.0)) {
        v3 u = v3_scale(c.side, n);
        edge_crossing of_a = { d, u, sine, along_a, a->length, -c.gap - s->touch };
        edge_crossing of_b = {
            seen_from(s, 0, b->d), seen_from(s, 0, v3_neg(u)), sine, along_b, b->length, of_a.depth
        };
        c.inside = fmin(c.inside, fmin(overlap(s->f[1], edge_b, &of_a), overlap(s->f[0], edge_a, &of_b)));
    }
    return c;
}

static v3 rim_axis(const gap_scene *s, int on, int rim)
{
    return pose_turn(&s->to[on], s->f[on]->rims[rim].axis);
}

double gap_rim_tilt(const gap_scene *s, int on, int rim, int face)
{
    return v3_norm(v3_cross(rim_axis(s, on, rim), s->f[1 - on]->faces[face].normal));
}

gap_closeness gap_rim_face(const gap_scene *s, int on, int rim, int face)
{
    const facets *f = s->f[1 - on];
    const facet_face *k = &f->faces[face];
    const shape_rim *r = &s->f[on]->rims[rim];
    v3 axis = rim_axis(s, on, rim);
    v3 up = v3_axpy(k->normal, -v3_dot(axis, k->normal), axis);
    double tilt = v3_norm(up);
    if (!(tilt > LEVEL)) {
        return (gap_closeness){ .gap = (double)NAN };
    }
    v3 lowest = v3_axpy(pose_point(&s->to[on], r->center), -r->radius / tilt, up);
    gap_closeness c = { .gap = v3_dot(k->normal, v3_sub(lowest, k->r)), .inside = HUGE_VAL, .cone = HUGE_VAL };
    if (!is_settled(s, &c)) {
        c.inside = facet_face_inside(f, face, lowest);
    }
    return c;
}
