/* Elements of solids; those of meshes are made in exact_creases.c. */
#include "collision/exact_elements.h"

#include <stdlib.h>

#include "collision/facets_build.h"

/* ---- one element -------------------------------------------------------------------------------------------------- */

static void add(exact_elements *e, exact_element x)
{
    x.reach += x.radius;
    e->items[e->count++] = x;
}

void exact_add_point(exact_elements *e, v3 r, double radius)
{
    add(e, (exact_element){ .kind = radius > 0.0 ? EXACT_BALL : EXACT_POINT, .r = r, .radius = radius, .middle = r });
}

void exact_add_line(exact_elements *e, exact_kind kind, const facet_edge *edge)
{
    add(e, (exact_element){ .kind = kind,
                            .r = edge->r,
                            .u = edge->d,
                            .length = edge->length,
                            .radius = edge->radius,
                            .middle = v3_axpy(edge->r, 0.5 * edge->length, edge->d),
                            .reach = 0.5 * edge->length });
}

/* Rounded where it has a radius. */
static void add_circle(exact_elements *e, v3 center, v3 axis, double ring, double radius)
{
    v3 u = v3_across(axis);
    add(e, (exact_element){ .kind = radius > 0.0 ? EXACT_HOOP : EXACT_CIRCLE,
                            .radius = radius,
                            .r = center,
                            .u = u,
                            .v = v3_cross(axis, u),
                            .length = 2.0 * acos(-1.0) * ring,
                            .ring = ring,
                            .middle = center,
                            .reach = ring });
}

/* ---- of shapes ---------------------------------------------------------------------------------------------------- */

/* Beside the corners of a flat face, on the way to its middle. */
static void add_feet(exact_elements *e, const facets *f, const facet_face *face)
{
    v3 sum = v3_zero();
    for (int i = face->first; i < face->first + face->count; ++i) {
        sum = v3_add(sum, f->sides[i][0]);
    }
    v3 middle = v3_scale(1.0 / face->count, sum);
    for (int i = face->first; i < face->first + face->count; ++i) {
        exact_add_point(e, v3_axpy(f->sides[i][0], EXACT_INSET, v3_sub(middle, f->sides[i][0])), 0.0);
    }
}

static void take_polyhedron(exact_elements *e, const facets *f)
{
    for (int i = 0; i < f->counts[FACET_VERTICES]; ++i) {
        exact_add_point(e, f->vertices[i].r, 0.0);
    }
    for (int i = 0; i < f->counts[FACET_FACES] && isfinite(f->size); ++i) {
        add_feet(e, f, &f->faces[i]);
    }
    for (int i = 0; i < f->counts[FACET_EDGES]; ++i) {
        exact_add_line(e, EXACT_EDGE, &f->edges[i]);
    }
}

static void add_oval(exact_elements *e, const facet_vertex *v)
{
    add(e, (exact_element){ .kind = EXACT_OVAL,
                            .r = v->r,
                            .u = v3_make(1.0, 0.0, 0.0),
                            .v = v3_make(0.0, 1.0, 0.0),
                            .half = v->half,
                            .middle = v->r,
                            .reach = facet_vertex_reach(v) });
}

/* Balls, ellipsoids and capsules. */
static void take_whole(exact_elements *e, const facets *f)
{
    if (facet_is_oval(&f->vertices[0])) {
        add_oval(e, &f->vertices[0]);
        return;
    }
    for (int i = 0; i < f->counts[FACET_VERTICES]; ++i) {
        exact_add_point(e, f->vertices[i].r, f->vertices[i].radius);
    }
    for (int i = 0; i < f->counts[FACET_EDGES]; ++i) {
        exact_add_line(e, EXACT_AXIS, &f->edges[i]);
    }
}

/* A rim, a circle inside of its flat face, and one on the side: `up` [m] along the axis, `in` [m] narrower. */
static void add_rim(exact_elements *e, const shape_rim *rim, double up, double in)
{
    v3 inwards = v3_neg(rim->axis);
    add_circle(e, rim->center, inwards, rim->radius, 0.0);
    add_circle(e, rim->center, inwards, (1.0 - EXACT_INSET) * rim->radius, 0.0);
    add_circle(e, v3_axpy(rim->center, up, inwards), inwards, rim->radius - in, 0.0);
}

/* From `below` the base to its other end, with balls that touch the side all along. */
static void add_side(exact_elements *e, double below, double length, double radius, double taper)
{
    const exact_solid *s = &e->solid;
    v3 start = v3_axpy(s->center, -below, s->axis);
    add(e, (exact_element){ .kind = EXACT_SIDE,
                            .r = start,
                            .u = s->axis,
                            .length = length,
                            .radius = radius,
                            .taper = taper,
                            .middle = v3_axpy(start, 0.5 * length, s->axis),
                            .reach = 0.5 * length });
}

static void take_cylinder(exact_elements *e, const facets *f)
{
    double length = v3_norm(v3_sub(f->rims[1].center, f->rims[0].center));
    for (int k = 0; k < 2; ++k) {
        add_rim(e, &f->rims[k], 0.5 * EXACT_INSET * length, 0.0);
    }
    add_side(e, 0.0, length, e->solid.radius, 0.0);
}

static void take_cone(exact_elements *e, const facets *f)
{
    const exact_solid *s = &e->solid;
    exact_add_point(e, v3_axpy(s->center, s->height, s->axis), 0.0);
    add_rim(e, &f->rims[0], EXACT_INSET * s->height, EXACT_INSET * s->radius);
    /* the ball that touches the side at the rim has its middle below the base */
    double below = s->radius * s->radius / s->height;
    double sine = s->radius / sqrt(s->radius * s->radius + s->height * s->height);
    add_side(e, below, below + s->height, sine * (below + s->height), -sine);
}

/* ---- any shape ---------------------------------------------------------------------------------------------------- */

/* A rod is a line without thickness to gap functions. */
static carom_status check_thickness(const facets *f, carom_error *err)
{
    if (f->counts[FACET_FACES] == 0 && !(facet_vertex_reach(&f->vertices[0]) > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "\"features\": \"exact\" does not take rods yet: make it a cylinder or capsule, or write "
                          "\"features\": \"points\"");
    }
    return CAROM_OK;
}

static bool take(exact_elements *e, const facets *f, bool of_mesh)
{
    switch (e->solid.round) {
    case ROUND_BARREL:
        take_cylinder(e, f);
        break;
    case ROUND_SLANT:
        take_cone(e, f);
        break;
    case ROUND_WHOLE:
        take_whole(e, f);
        break;
    case ROUND_HOOP:
        add_circle(e, v3_zero(), v3_make(0.0, 0.0, 1.0), f->hoop, f->tube);
        break;
    case ROUND_NONE:
        if (of_mesh) {
            return exact_take_creases(e, f);
        }
        take_polyhedron(e, f);
        break;
    case ROUND_MESH:
        return exact_take_creases(e, f);
    }
    return true;
}

/* Over the balls around elements, where there are too many to try them one by one. */
static bool build_tree(exact_elements *e)
{
    enum { FEW = 48 };
    if (e->count <= FEW) {
        return true;
    }
    feature_ball *balls = malloc((size_t)e->count * sizeof *balls);
    for (int i = 0; balls && i < e->count; ++i) {
        balls[i] = (feature_ball){ e->items[i].middle, e->items[i].reach };
    }
    bool ok = balls && feature_tree_build(&e->tree, balls, e->count);
    free(balls);
    return ok;
}

static carom_status build(exact_elements *e, const facets *f, bool of_mesh, carom_error *err)
{
    enum { ROUND_MOST = 8 }; /* elements of a round shape */
    size_t sides = 0;
    for (int i = 0; i < f->counts[FACET_FACES]; ++i) {
        sides += (size_t)f->faces[i].count;
    }
    size_t most = (size_t)f->counts[FACET_VERTICES] + (size_t)f->counts[FACET_EDGES] + sides + ROUND_MOST;
    carom_status status = exact_solid_create(&e->solid, f, of_mesh, err);
    status = status == CAROM_OK ? check_thickness(f, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    e->items = malloc(most * sizeof *e->items);
    if (!e->items) {
        return facets_no_memory(err);
    }
    return take(e, f, of_mesh) && build_tree(e) ? CAROM_OK : facets_no_memory(err);
}

carom_status exact_elements_create(exact_elements **out, const facets *f, bool of_mesh, carom_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) {
        return facets_no_memory(err);
    }
    carom_status status = build(*out, f, of_mesh, err);
    if (status != CAROM_OK) {
        exact_elements_destroy(*out);
        *out = NULL;
    }
    return status;
}

void exact_elements_destroy(exact_elements *e)
{
    if (e) {
        exact_solid_free(&e->solid);
        feature_tree_free(&e->tree);
        bvh_destroy(e->owns_tree ? e->surface.tree : NULL);
        surface_features_free(&e->triangles);
        free(e->items);
        free(e);
    }
}
