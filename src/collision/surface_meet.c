/* Whether two surfaces cut each other where they stand: the check that results are held to. It shares neither distances nor
 * bounds with what finds contacts and limits motions: triangles and lines are judged by exact predicates on their computed
 * corners, round features by the distance of their skeletons in long double. */
#include "collision/surface_pair.h"

#include "geometry/triangle.h"

typedef struct meet_search {
    const surface_pair *p;
    feature_pair *witness;
} meet_search;

static bool boxes_overlap(const surface_pair *p, const surface_node *a, const surface_node *b)
{
    v3 d = v3_sub(v3_add(p->c, m3_mulv(p->R, a->center)), b->center);
    double more = a->rounding + b->rounding + p->rounding;
    for (int k = 0; k < PAIR_AXES; ++k) {
        double both = v3_dot(p->reach[0][k], a->half) + v3_dot(p->reach[1][k], b->half);
        if (fabs(v3_dot(p->axes[k], d)) > both + more) {
            return false;
        }
    }
    return true;
}

/* A leaf as three corners: lines and points repeat their last one. */
static void corners_of(const surface_pair *p, int side, const feature_pair *f, v3 out[3])
{
    const surface *s = side == 0 ? p->a : p->b;
    int corner[3];
    int count = surface_corners(s, f->kind[side], f->index[side], corner);
    for (int k = 0; k < 3; ++k) {
        v3 r = s->vertices[corner[k < count ? k : count - 1]];
        out[k] = side == 0 ? v3_add(p->c, m3_mulv(p->R, r)) : r;
    }
}

static feature_pair leaf_features(const surface_pair *p, int leaf_a, int leaf_b)
{
    feature_pair f;
    f.kind[0] = (uint8_t)surface_leaf_feature(p->a, leaf_a, &f.index[0]);
    f.kind[1] = (uint8_t)surface_leaf_feature(p->b, leaf_b, &f.index[1]);
    return f;
}

/* ---- round features --------------------------------------------------------------------------------------------------- */

typedef struct long_v3 {
    long double x, y, z;
} long_v3;

static long_v3 long_minus(v3 a, v3 b)
{
    return (long_v3){ (long double)a.x - (long double)b.x, (long double)a.y - (long double)b.y,
                      (long double)a.z - (long double)b.z };
}

static long double long_dot(long_v3 a, long_v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static long_v3 long_axpy(long_v3 a, long double s, long_v3 b)
{
    return (long_v3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static long double from_origin_to_segment(long_v3 a, long_v3 edge)
{
    long double length2 = long_dot(edge, edge);
    long double s = length2 > 0 ? -long_dot(a, edge) / length2 : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    long_v3 off = long_axpy(a, s, edge);
    return sqrtl(long_dot(off, off));
}

/* The distance of a line (or point) x from a triangle, line or point y that it does not cut: between an end and the whole, or
 * between two edges. The difference set of two segments is a parallelogram: its distance from the origin is found on its four
 * sides unless the foot of the perpendicular is inside. */
static long double segments_apart(v3 a, v3 b, v3 c, v3 d)
{
    long_v3 from = long_minus(a, c);
    long_v3 u = long_minus(b, a);
    long_v3 v = long_minus(c, d);
    long double best = fminl(fminl(from_origin_to_segment(from, u), from_origin_to_segment(from, v)),
                             fminl(from_origin_to_segment(long_axpy(from, 1, u), v),
                                   from_origin_to_segment(long_axpy(from, 1, v), u)));
    long double uu = long_dot(u, u), vv = long_dot(v, v), uv = long_dot(u, v);
    long double det = uu * vv - uv * uv;
    if (det > 0) {
        long double s = (uv * long_dot(from, v) - vv * long_dot(from, u)) / det;
        long double t = (uv * long_dot(from, u) - uu * long_dot(from, v)) / det;
        if (s > 0 && s < 1 && t > 0 && t < 1) {
            long_v3 off = long_axpy(long_axpy(from, s, u), t, v);
            best = fminl(best, sqrtl(long_dot(off, off)));
        }
    }
    return best;
}

/* A point above the inside of a triangle: its height; else infinite. */
static long double above_face(v3 p, const v3 t[3])
{
    long_v3 u = long_minus(t[1], t[0]), v = long_minus(t[2], t[0]), r = long_minus(p, t[0]);
    long double uu = long_dot(u, u), vv = long_dot(v, v), uv = long_dot(u, v);
    long double det = uu * vv - uv * uv;
    if (!(det > 0)) {
        return HUGE_VALL;
    }
    long double s = (vv * long_dot(r, u) - uv * long_dot(r, v)) / det;
    long double w = (uu * long_dot(r, v) - uv * long_dot(r, u)) / det;
    long_v3 off = long_axpy(long_axpy(r, -s, u), -w, v);
    return s >= 0 && w >= 0 && s + w <= 1 ? sqrtl(long_dot(off, off)) : HUGE_VALL;
}

static bool round_features_meet(const feature_pair *f, const v3 x[3], const v3 y[3], double rounding)
{
    long double best = HUGE_VALL;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            best = fminl(best, segments_apart(x[i], x[(i + 1) % 3], y[k], y[(k + 1) % 3]));
        }
        best = f->kind[1] == SURFACE_TRIANGLE ? fminl(best, above_face(x[i], y)) : best;
        best = f->kind[0] == SURFACE_TRIANGLE ? fminl(best, above_face(y[i], x)) : best;
    }
    return best < (long double)rounding;
}

/* ---- trees ------------------------------------------------------------------------------------------------------------ */

static bool leaves_meet(const meet_search *s, int leaf_a, int leaf_b)
{
    v3 x[3], y[3];
    feature_pair f = leaf_features(s->p, leaf_a, leaf_b);
    double rounding = feature_pair_rounding(s->p->a, s->p->b, &f);
    corners_of(s->p, 0, &f, x);
    corners_of(s->p, 1, &f, y);
    bool meets = triangles_meet(x, y) || (rounding > 0.0 && round_features_meet(&f, x, y, rounding));
    if (meets) {
        *s->witness = f;
    }
    return meets;
}

static bool nodes_meet(const meet_search *s, int at_a, int at_b)
{
    const surface_node *a = &s->p->a->nodes[at_a];
    const surface_node *b = &s->p->b->nodes[at_b];
    if (!boxes_overlap(s->p, a, b)) {
        return false;
    }
    if (a->leaf >= 0 && b->leaf >= 0) {
        return leaves_meet(s, a->leaf, b->leaf);
    }
    if (surface_opens_first(a, b)) {
        return nodes_meet(s, at_a + 1, at_b) || nodes_meet(s, a->other, at_b);
    }
    return nodes_meet(s, at_a, at_b + 1) || nodes_meet(s, at_a, b->other);
}

/* Whether a vertex is at or below the plane of a half-space, roundings included. */
static bool meets_plane(const surface_pair *p, feature_pair *witness)
{
    surface_plane plane = surface_pair_plane(p);
    for (int k = 0; k < plane.other->vertex_count; ++k) {
        v3 r = plane.other->vertices[k];
        v3 x = plane.side == 1 ? v3_add(p->c, m3_mulv(p->R, r)) : r;
        long_v3 n = long_minus(plane.normal, v3_zero());
        if (long_dot(n, long_minus(x, plane.origin)) <= (long double)plane.other->vertex_rounding[k]) {
            *witness = surface_plane_pair(&plane, k);
            return true;
        }
    }
    return false;
}

bool surface_pair_meets(const surface_pair *p, feature_pair *witness)
{
    meet_search s = { p, witness };
    if (p->a->half_space || p->b->half_space) {
        return meets_plane(p, witness);
    }
    return p->a->leaf_count > 0 && p->b->leaf_count > 0 && nodes_meet(&s, 0, 0);
}
