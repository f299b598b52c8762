/* Whether two surfaces cut each other where they stand: the check that results are held to. It shares trees, but no distances with
 * what finds contacts and limits motions: triangles and lines are judged by exact predicates on their computed corners, round
 * features by the distance of their skeletons in long double, solid cylinders by a plane that parts them from others. */
#include "collision/surface_rim.h"
#include "collision/surface_round.h"

#include "geometry/triangle.h"

typedef struct meet_search {
    const surface_pair *p;
    const surface_kernels *kernels;
    surface_view view[2];
    feature_pair *witness;
} meet_search;

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

/* Whether a plane parts a solid cylinder from another leaf. Found by the distance, judged by itself in long double. */
static bool solids_miss(const meet_search *s, int leaf_a, int leaf_b)
{
    feature_pair f = leaf_features(s->p, leaf_a, leaf_b);
    bool parted = surface_round_parted(s->p, &f) > 0;
    if (!parted) {
        *s->witness = f;
    }
    return parted;
}

/* Returns false where they do, which ends the search. */
static bool leaves_miss(void *context, int leaf_a, int leaf_b)
{
    const meet_search *s = context;
    v3 corners[2][LEAF_CORNERS];
    const surface_leaf *a = &s->p->a->leaves[leaf_a];
    const surface_leaf *b = &s->p->b->leaves[leaf_b];
    double rounding = a->rounding + b->rounding;
    if (a->round || b->round) {
        return solids_miss(s, leaf_a, leaf_b);
    }
    if (s->kernels->leaves_far(s->p, a, b, s->p->rounding + rounding, corners)) {
        return true;
    }
    feature_pair f = leaf_features(s->p, leaf_a, leaf_b);
    bool meets = triangles_meet(corners[0], corners[1]) ||
                 (rounding > 0.0 && round_features_meet(&f, corners[0], corners[1], rounding));
    if (meets) {
        *s->witness = f;
    }
    return !meets;
}

static unsigned open_meeting(void *context, int side, const surface_group *group, group_lane other)
{
    const meet_search *s = context;
    return s->kernels->near(&s->view[side], other, group, s->p->rounding);
}

/* Height of the lowest point of a rim, R |a x n| below its centre. */
static long double rim_height(const surface_pair *p, const surface_plane *plane, const feature_pair *pair)
{
    placed_rim rim = surface_place_rim(p, pair);
    v3 center = plane->side == 1 ? v3_add(p->c, rim.arm) : rim.arm;
    long_v3 n = long_minus(plane->normal, v3_zero());
    long_v3 a = long_minus(rim.axis, v3_zero());
    long_v3 across = { a.y * n.z - a.z * n.y, a.z * n.x - a.x * n.z, a.x * n.y - a.y * n.x };
    return long_dot(n, long_minus(center, plane->origin)) - (long double)rim.radius * sqrtl(long_dot(across, across));
}

/* Whether a vertex, roundings included, or a rim is at or below the plane of a half-space. */
static bool meets_plane(const surface_pair *p, feature_pair *witness)
{
    surface_plane plane = surface_pair_plane(p);
    for (int k = 0; k < plane.other->vertex_count; ++k) {
        v3 r = plane.other->vertices[k];
        v3 x = plane.side == 1 ? v3_add(p->c, m3_mulv(p->R, r)) : r;
        long_v3 n = long_minus(plane.normal, v3_zero());
        if (long_dot(n, long_minus(x, plane.origin)) <= (long double)plane.other->vertex_rounding[k]) {
            *witness = surface_plane_pair(&plane, SURFACE_VERTEX, k);
            return true;
        }
    }
    for (int k = 0; k < plane.other->rim_count; ++k) {
        feature_pair pair = surface_plane_pair(&plane, SURFACE_RIM, k);
        if (rim_height(p, &plane, &pair) <= 0) {
            *witness = pair;
            return true;
        }
    }
    return false;
}

bool surface_pair_meets(const surface_pair *p, feature_pair *witness)
{
    if (p->a->half_space || p->b->half_space) {
        return meets_plane(p, witness);
    }
    meet_search s = { p, surface_kernels_here(), { surface_view_of(p, 0), surface_view_of(p, 1) }, witness };
    return !surface_descend(&(surface_descent){
        .a = p->a, .b = p->b, .context = &s, .open = open_meeting, .leaves = leaves_miss });
}
