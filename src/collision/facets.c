/* Colliders as corners, edges and faces: lines, half-spaces, round edges, and the trees all are found by.
 *
 * Round edges of cylinders and cones are circles against flat faces; against anything else they are SEGMENTS straight
 * edges, which lie inside the circle by at most radius (1 - cos(pi / SEGMENTS)), 0.12 %. The side of a cone is SEGMENTS
 * flat faces; that of a cylinder is exact. */
#include "collision/facets_build.h"

#include <stdlib.h>

enum { SEGMENTS = 64, FEET = 8 };

/* [1] of the radius: corners this near to a circle lie on it, axes this near to a normal are it */
static const double ON_RIM = 1e-7;

/* ---- measuring ----------------------------------------------------------------------------------------------------- */

static double cone_of(const v3 *away, int count, v3 u)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        smallest = fmin(smallest, -v3_dot(away[i], u));
    }
    return smallest;
}

double facet_vertex_cone(const facets *f, int vertex, v3 u)
{
    const facet_vertex *v = &f->vertices[vertex];
    return cone_of(f->spokes + v->first, v->count, u);
}

double facet_edge_cone(const facets *f, int edge, v3 u)
{
    const facet_edge *e = &f->edges[edge];
    return cone_of(f->wings + e->first, e->count, u);
}

/* The two axes across the one along which the normal is longest: the plane seen from there, not turned over. */
static void flat_axes(v3 n, int axis[2])
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    int longest = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    bool up = v3_get(n, longest) > 0.0;
    axis[up ? 0 : 1] = (longest + 1) % 3;
    axis[up ? 1 : 0] = (longest + 2) % 3;
}

/* Whether a ray from p along the first axis crosses the side. */
static bool ray_crosses(v3 p, const v3 side[2], const int axis[2])
{
    double ax = v3_get(side[0], axis[0]) - v3_get(p, axis[0]), ay = v3_get(side[0], axis[1]) - v3_get(p, axis[1]);
    double bx = v3_get(side[1], axis[0]) - v3_get(p, axis[0]), by = v3_get(side[1], axis[1]) - v3_get(p, axis[1]);
    return (ay > 0.0) != (by > 0.0) && (ax * by - ay * bx > 0.0) == (by > ay);
}

static double segment_dist2(v3 p, const v3 side[2])
{
    v3 along = v3_sub(side[1], side[0]);
    v3 from = v3_sub(p, side[0]);
    double length2 = v3_norm2(along);
    double s = length2 > 0.0 ? fmax(0.0, fmin(1.0, v3_dot(from, along) / length2)) : 0.0;
    return v3_norm2(v3_axpy(from, -s, along));
}

double facet_face_inside(const facets *f, int face, v3 p)
{
    const facet_face *k = &f->faces[face];
    if (k->disc > 0.0) {
        v3 from = v3_sub(p, k->r);
        return k->disc - v3_norm(v3_axpy(from, -v3_dot(from, k->normal), k->normal));
    }
    if (k->count == 0) {
        return HUGE_VAL;
    }
    int axis[2];
    flat_axes(k->normal, axis);
    double nearest2 = HUGE_VAL;
    bool inside = false;
    p = v3_axpy(p, -v3_dot(v3_sub(p, k->r), k->normal), k->normal);
    for (int i = k->first; i < k->first + k->count; ++i) {
        nearest2 = fmin(nearest2, segment_dist2(p, f->sides[i]));
        inside ^= ray_crosses(p, f->sides[i], axis);
    }
    return inside ? sqrt(nearest2) : -sqrt(nearest2);
}

carom_status facets_no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the corners, edges and faces of a shape");
}

/* ---- points, lines, half-spaces ------------------------------------------------------------------------------------ */

static bool build_line(facets *f, const shape_skeleton *s)
{
    if (!facets_allocate(f, &(facet_room){ .vertices = 2, .edges = 1, .spokes = 2 })) {
        return false;
    }
    int n = s->point_count;
    f->counts[FACET_VERTICES] = n;
    for (int i = 0; i < n; ++i) {
        f->vertices[i] = (facet_vertex){
            .r = s->points[i], .radius = s->rounding, .half = s->half, .first = i, .count = n - 1
        };
    }
    if (n == 2) {
        v3 along = v3_sub(s->points[1], s->points[0]);
        double length = v3_norm(along);
        v3 d = v3_scale(1.0 / length, along);
        f->edges[0] = (facet_edge){
            .r = s->points[0], .d = d, .length = length, .radius = s->rounding, .ends = { -1, -1 }
        };
        f->spokes[0] = d;
        f->spokes[1] = v3_neg(d);
        f->counts[FACET_EDGES] = 1;
    }
    return true;
}

static bool build_half_space(facets *f, v3 normal)
{
    if (!facets_allocate(f, &(facet_room){ .faces = 1 })) {
        return false;
    }
    f->counts[FACET_FACES] = 1;
    f->faces[0] = (facet_face){ .normal = v3_unit(normal) };
    return true;
}

/* ---- circles ------------------------------------------------------------------------------------------------------- */

static bool near_rim(const shape_rim *rim, v3 r)
{
    v3 from = v3_sub(r, rim->center);
    double up = v3_dot(from, rim->axis);
    double across = v3_norm(v3_axpy(from, -up, rim->axis));
    return fabs(up) <= ON_RIM * rim->radius && fabs(across - rim->radius) <= ON_RIM * rim->radius;
}

/* Every SEGMENTS / FEET-th corner around the rim, counted from the widest x. */
static bool is_foot(const shape_rim *rim, v3 r)
{
    v3 x = v3_across(rim->axis);
    v3 from = v3_sub(r, rim->center);
    double angle = atan2(v3_dot(from, v3_cross(rim->axis, x)), v3_dot(from, x));
    double turns = angle / (2.0 * acos(-1.0)) * FEET;
    return fabs(turns - round(turns)) < 0.25 * FEET / SEGMENTS;
}

static void mark_rim(facets *f, int rim)
{
    for (int v = 0; v < f->counts[FACET_VERTICES]; ++v) {
        if (near_rim(&f->rims[rim], f->vertices[v].r)) {
            f->rim_of[v] = rim;
            f->is_foot[v] = is_foot(&f->rims[rim], f->vertices[v].r);
        }
    }
}

/* Flat pieces of the side and the edges between them make room for the axis. */
static void drop_side(facets *f, v3 axis)
{
    int kept = 0;
    for (int i = 0; i < f->counts[FACET_FACES]; ++i) {
        if (fabs(v3_dot(f->faces[i].normal, axis)) > 0.5) {
            f->faces[kept++] = f->faces[i];
        }
    }
    f->counts[FACET_FACES] = kept;
    kept = 0;
    for (int i = 0; i < f->counts[FACET_EDGES]; ++i) {
        if (fabs(v3_dot(f->edges[i].d, axis)) < 0.5) {
            f->edges[kept++] = f->edges[i];
        }
    }
    f->counts[FACET_EDGES] = kept;
}

static void take_barrel(facets *f)
{
    v3 axis = f->rims[1].axis;
    drop_side(f, axis);
    double radius = f->rims[0].radius;
    int vertices = f->counts[FACET_VERTICES];
    int spokes = vertices > 0 ? f->vertices[vertices - 1].first + f->vertices[vertices - 1].count : 0;
    for (int k = 0; k < 2; ++k) {
        f->spokes[spokes + 2 * k] = axis;
        f->spokes[spokes + 2 * k + 1] = v3_neg(axis);
        f->vertices[vertices + k] = (facet_vertex){
            .r = f->rims[k].center, .radius = radius, .barrel = true, .first = spokes + 2 * k, .count = 2
        };
        f->rim_of[vertices + k] = -1;
    }
    f->counts[FACET_VERTICES] += 2;
    f->edges[f->counts[FACET_EDGES]++] = (facet_edge){
        .r = f->rims[0].center,
        .d = axis,
        .length = v3_dot(axis, v3_sub(f->rims[1].center, f->rims[0].center)),
        .radius = radius,
        .ends = { -1, -1 },
    };
}

/* The faces that rims bound are discs, the corners on them pieces of the circle. */
static bool take_rims(facets *f, const shape_skeleton *s)
{
    size_t count = (size_t)f->counts[FACET_VERTICES] + 2; /* a barrel has two more */
    f->rim_count = s->rim_count;
    f->rim_of = malloc(count * sizeof *f->rim_of);
    f->is_foot = calloc(count, sizeof *f->is_foot);
    if (!f->rim_of || !f->is_foot) {
        return false;
    }
    for (size_t v = 0; v < count; ++v) {
        f->rim_of[v] = -1;
    }
    for (int k = 0; k < s->rim_count; ++k) {
        f->rims[k] = s->rims[k];
        mark_rim(f, k);
        for (int i = 0; i < f->counts[FACET_FACES]; ++i) {
            if (v3_dot(f->faces[i].normal, f->rims[k].axis) > 1.0 - ON_RIM) {
                f->faces[i].r = f->rims[k].center;
                f->faces[i].disc = f->rims[k].radius;
            }
        }
    }
    if (s->barrel) {
        take_barrel(f);
    }
    return true;
}

/* ---- trees --------------------------------------------------------------------------------------------------------- */

static feature_ball face_ball(const facets *f, const facet_face *face)
{
    if (face->disc > 0.0) {
        return (feature_ball){ face->r, face->disc };
    }
    v3 low = f->sides[face->first][0];
    v3 high = low;
    for (int i = face->first; i < face->first + face->count; ++i) {
        v3 r = f->sides[i][0];
        low = v3_make(fmin(low.x, r.x), fmin(low.y, r.y), fmin(low.z, r.z));
        high = v3_make(fmax(high.x, r.x), fmax(high.y, r.y), fmax(high.z, r.z));
    }
    feature_ball ball = { .center = v3_scale(0.5, v3_add(low, high)) };
    for (int i = face->first; i < face->first + face->count; ++i) {
        ball.radius = fmax(ball.radius, v3_norm(v3_sub(f->sides[i][0], ball.center)));
    }
    return ball;
}

static feature_ball ball_of(const facets *f, int kind, int i)
{
    if (kind == FACET_VERTICES) {
        return (feature_ball){ f->vertices[i].r, facet_vertex_reach(&f->vertices[i]) };
    }
    if (kind == FACET_EDGES) {
        const facet_edge *e = &f->edges[i];
        return (feature_ball){ v3_axpy(e->r, 0.5 * e->length, e->d), 0.5 * e->length + e->radius };
    }
    return face_ball(f, &f->faces[i]);
}

static bool unbounded(const facets *f)
{
    return !isfinite(f->size);
}

static bool build_trees(facets *f)
{
    for (int kind = 0; kind < FACET_KINDS && !unbounded(f); ++kind) {
        int count = f->counts[kind];
        f->balls[kind] = malloc(((size_t)count + 1) * sizeof *f->balls[kind]);
        if (!f->balls[kind]) {
            return false;
        }
        for (int i = 0; i < count; ++i) {
            f->balls[kind][i] = ball_of(f, kind, i);
        }
        if (count > 0 && !feature_tree_build(&f->trees[kind], f->balls[kind], count)) {
            return false;
        }
    }
    return true;
}

/* ---- any shape ----------------------------------------------------------------------------------------------------- */

static double size_of(const carom_shape_type *type, const void *params, const mesh *m)
{
    v3 low, high;
    type->bounds(&low, &high, params, m);
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

static carom_status build_surface(facets *f, const carom_shape_type *type, const void *params, const mesh *m,
                                  carom_error *err)
{
    if (!type->tessellate) {
        return facets_take_polyhedron(f, m, err);
    }
    mesh *surface = NULL;
    carom_status status = type->tessellate(&surface, params, (surface_grain){ .around = SEGMENTS }, err);
    if (status == CAROM_OK) {
        status = facets_take_polyhedron(f, surface, err);
    }
    mesh_destroy(surface);
    return status;
}

static carom_status build(facets *f, const carom_shape_type *type, const void *params, const mesh *m,
                          carom_error *err)
{
    shape_skeleton s = { 0 };
    if (type->skeleton) {
        type->skeleton(&s, params);
    }
    f->size = size_of(type, params, m);
    f->hoop = s.hoop;
    f->tube = s.hoop > 0.0 ? s.rounding : 0.0;
    carom_status status = CAROM_OK;
    bool ok = true;
    if (shape_is_half_space(type)) {
        ok = build_half_space(f, type->distance(params, v3_zero()).gradient);
    } else if (s.point_count > 0) {
        ok = build_line(f, &s);
    } else {
        status = build_surface(f, type, params, m, err);
    }
    ok = ok && status == CAROM_OK && (s.rim_count == 0 || take_rims(f, &s)) &&
         (!s.planar || facets_take_outline(f, type, params, &s)) && build_trees(f);
    return status != CAROM_OK ? status : ok ? CAROM_OK : facets_no_memory(err);
}

carom_status facets_create(facets **out, const carom_shape_type *type, const void *params, const mesh *m,
                           carom_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) {
        return facets_no_memory(err);
    }
    carom_status status = build(*out, type, params, m, err);
    if (status != CAROM_OK) {
        facets_destroy(*out);
        *out = NULL;
    }
    return status;
}

void facets_destroy(facets *f)
{
    if (!f) {
        return;
    }
    for (int kind = 0; kind < FACET_KINDS; ++kind) {
        feature_tree_free(&f->trees[kind]);
        free(f->balls[kind]);
    }
    free(f->vertices);
    free(f->edges);
    free(f->faces);
    free(f->spokes);
    free(f->wings);
    free(f->sides);
    free(f->face_of);
    free(f->rim_of);
    free(f->is_foot);
    facets_free_outline(f);
    free(f);
}
