/* Colliders: a shape's field, the features it is detected by, and the box around it. */
#include "collision/collider_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

collider_options collider_options_default(void)
{
    return (collider_options){
        .method = DETECT_SDF_TREE,
        .features = FEATURES_POINTS,
        .field = sdf_options_default(),
        .threads = 1,
    };
}

static carom_status check_options(const collider_options *o, carom_error *err)
{
    if (o->method < DETECT_DIRECT || o->method > DETECT_SDF_TREE) {
        return carom_fail(err, CAROM_BAD_INPUT, "there is no detection method %d", o->method);
    }
    if (o->features < FEATURES_POINTS || o->features > FEATURES_EXACT) {
        return carom_fail(err, CAROM_BAD_INPUT, "there are no detection features %d", o->features);
    }
    if (o->features == FEATURES_EXACT && o->spacing > 0.0) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'spacing' is %g m, and \"features\": \"exact\" has no points that could be apart; leave it out",
            o->spacing);
    }
    if (!isfinite(o->spacing) || o->spacing < 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a spacing of detection points of %g m is not possible; give a length, or 0", o->spacing);
    }
    return CAROM_OK;
}

static carom_status check_mesh(const carom_shape_type *type, const mesh *m, carom_error *err)
{
    if (type->solid && !type->distance && (!m || m->triangle_count == 0 || m->vertex_count == 0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: contact needs a surface of at least one triangle",
                          type->kind.name);
    }
    return CAROM_OK;
}

/* Primitives are tight in their own axes; a mesh may lie in its file at any angle. */
static carom_status fit_box(collider *c, const carom_shape_type *type, const mesh *m, carom_error *err)
{
    if (shape_is_half_space(type)) {
        c->box = obb_of_plane(type->distance(c->params, v3_zero()).gradient);
        return CAROM_OK;
    }
    if (!type->distance) {
        return obb_fit(&c->box, m->vertices, (size_t)m->vertex_count, err);
    }
    v3 low, high;
    type->bounds(&low, &high, c->params, NULL);
    c->box = (obb){
        .center = v3_scale(0.5, v3_add(low, high)),
        .axes = m3_identity(),
        .half = v3_scale(0.5, v3_sub(high, low)),
    };
    return CAROM_OK;
}

static double radius_around_origin(const surface_features *f)
{
    double radius = 0.0;
    for (int i = 0; i < f->count; ++i) {
        radius = fmax(radius, v3_norm(f->centers[i]) + (f->radii ? f->radii[i] : 0.0));
    }
    return radius;
}

/* Edges and triangles: of their corners, because the balls that hold them reach farther. */
static double outermost(const collider *c)
{
    const surface_features *f = &c->features;
    if (!f->corners) {
        return radius_around_origin(f);
    }
    double radius = 0.0;
    size_t corner_count = (size_t)f->count * (f->kind == FEATURES_EDGES ? 2 : 3);
    for (size_t i = 0; i < corner_count; ++i) {
        radius = fmax(radius, v3_norm(f->corners[i]));
    }
    return radius;
}

/* Without an inside: no field, and nothing that is detected by one. */
static carom_status build_thin(collider *c, const carom_shape_type *type, const mesh *m,
                               const collider_options *options, carom_error *err)
{
    if (!options->surface) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "a %s has no inside, which this contact method needs; use the method 'barrier', give the shape "
            "\"touches\": false, or make it a solid with a thickness",
            type->kind.name);
    }
    c->field = (collider_field_source){ .type = type, .params = c->params, .orientation = 1.0 };
    carom_status status = fit_box(c, type, m, err);
    if (status == CAROM_OK) {
        status = surface_of_shape(&c->surface, type, c->params, m, err);
    }
    if (status == CAROM_OK) {
        double rounding = type->rounding ? type->rounding(c->params) : 0.0;
        c->box.half = v3_add(c->box.half, v3_make(rounding, rounding, rounding));
        c->radius = c->surface->radius;
    }
    return status;
}

/* Where whole elements are a choice, large meshes keep their points: a look into a stored field takes a hundredth
 * of the time of the nearest triangle. */
static bool has_many_triangles(const collider *c, const mesh *m)
{
    enum { MANY = 2000 };
    return c->elements->solid.round == ROUND_MESH && m->triangle_count > MANY;
}

/* Whole elements, as asked for: where they are a choice, a shape that they do not take keeps its points and says why. */
static carom_status make_elements(collider *c, const carom_shape_type *type, const mesh *m,
                                  const collider_options *options, carom_error *err)
{
    bool needed = options->features == FEATURES_EXACT;
    carom_error why = { 0 };
    if (options->whole && !needed && options->spacing > 0.0) {
        snprintf(c->why_points, sizeof c->why_points, "a 'spacing' of points is given");
        return CAROM_OK;
    }
    carom_status status = c->facets ? CAROM_OK : facets_create(&c->facets, type, c->params, m, &why);
    status = status == CAROM_OK ? exact_elements_create(&c->elements, c->facets, m != NULL && !type->tessellate, &why)
                                : status;
    if (status == CAROM_OK && !needed && has_many_triangles(c, m)) {
        status = carom_fail(&why, CAROM_BAD_INPUT, "it has %d triangles, for which a field is faster",
                            m->triangle_count);
        exact_elements_destroy(c->elements);
        c->elements = NULL;
    }
    if (status == CAROM_OK) {
        return CAROM_OK;
    }
    if (!needed && status == CAROM_BAD_INPUT) {
        snprintf(c->why_points, sizeof c->why_points, "%.*s", (int)strcspn(why.message, ";:"), why.message);
        facets_destroy(options->facets ? NULL : c->facets);
        c->facets = options->facets ? c->facets : NULL;
        return CAROM_OK;
    }
    return carom_fail(err, status, "%s", why.message);
}

/* Solids that are not convex ask their triangles. */
static carom_status see_triangles(collider *c, const carom_shape_type *type, const mesh *m,
                                  const collider_options *options, carom_error *err)
{
    collider_options triangles = *options;
    triangles.features = FEATURES_FACES;
    triangles.spacing = 0.0;
    exact_solid_set_filter(&c->elements->solid, c->field.grid, c->field.by_winding);
    if (!exact_number_regions(&c->elements->solid, c->facets, m)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh of %d triangles", m->triangle_count);
    }
    return surface_features_create(&c->elements->triangles, type, c->params, m, &triangles, err);
}

/* Distances of the elements' solid: closed forms, or the triangles themselves. */
static carom_status take_surface(collider *c, const mesh *m, carom_error *err)
{
    exact_elements *e = c->elements;
    e->surface = c->field;
    e->surface.grid = NULL;
    e->solid.surface = &e->surface;
    if (!c->field.grid || c->field.tree) {
        return CAROM_OK;
    }
    e->owns_tree = true;
    return bvh_create(&e->surface.tree, m, err);
}

/* Where fields come from. Solids that are not convex have a stored one where pairs by points may ask it, or where it is worth its
 * making to tell what is outside; all others that touch by whole elements ask their planes or triangles. */
static int field_method(const collider *c, const mesh *m, const collider_options *options)
{
    enum { WORTHWHILE = 500 }; /* triangles */
    bool stored = !c->elements ||
                  (c->elements->solid.round == ROUND_MESH && (options->whole || m->triangle_count >= WORTHWHILE));
    return stored ? options->method : (int)DETECT_DIRECT;
}

static carom_status build(collider *c, const carom_shape_type *type, const mesh *m, const collider_options *options,
                          carom_error *err)
{
    carom_status status = CAROM_OK;
    if (options->facets) {
        status = facets_create(&c->facets, type, c->params, m, err);
    }
    if (status == CAROM_OK && (options->features == FEATURES_EXACT || options->whole)) {
        status = make_elements(c, type, m, options, err);
    }
    collider_options field = *options;
    field.method = field_method(c, m, options);
    if (status == CAROM_OK) {
        status = field_source_create(&c->field, type, c->params, m, &field, err);
    }
    if (status == CAROM_OK && c->elements) {
        status = take_surface(c, m, err);
    }
    if (status == CAROM_OK && c->elements && c->elements->solid.round == ROUND_MESH) {
        status = see_triangles(c, type, m, options, err);
    }
    if (status == CAROM_OK) {
        status = surface_features_create(&c->features, type, c->params, m, options, err);
    }
    if (status == CAROM_OK) {
        status = fit_box(c, type, m, err);
    }
    if (status == CAROM_OK && options->facets) {
        status = convex_create(c->facets, &c->convex) ? CAROM_OK
                                                      : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a shape");
    }
    if (status == CAROM_OK && options->surface) {
        status = surface_of_shape(&c->surface, type, c->params, m, err);
    }
    c->radius = type->solid ? outermost(c) : HUGE_VAL;
    c->pruned = options->method == DETECT_SDF_TREE;
    return status;
}

carom_status collider_create(collider **out, const carom_shape_type *type, const void *params, const mesh *m,
                             const collider_options *options, carom_error *err)
{
    *out = NULL;
    carom_status status = check_options(options, err);
    status = status == CAROM_OK ? check_mesh(type, m, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    collider *c = calloc(1, sizeof *c);
    void *copy = malloc(type->kind.size);
    if (!c || !copy) {
        free(c);
        free(copy);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a collider");
    }
    c->params = memcpy(copy, params, type->kind.size);
    status = type->thin ? build_thin(c, type, m, options, err) : build(c, type, m, options, err);
    if (status != CAROM_OK) {
        collider_destroy(c);
        return status;
    }
    *out = c;
    return CAROM_OK;
}

void collider_destroy(collider *c)
{
    if (c) {
        field_source_free(&c->field);
        surface_features_free(&c->features);
        convex_destroy(c->convex);
        facets_destroy(c->facets);
        exact_elements_destroy(c->elements);
        surface_destroy(c->surface);
        free(c->params);
        free(c);
    }
}

field_sample collider_sample(const collider *c, v3 p)
{
    int hint = -1;
    return field_source_sample(&c->field, p, &hint);
}

const obb *collider_box(const collider *c)
{
    return &c->box;
}

double collider_radius(const collider *c)
{
    return c->radius;
}

int collider_point_count(const collider *c)
{
    return c->features.count;
}

int collider_depth(const collider *c)
{
    return c->pruned ? feature_tree_depth(&c->features.tree) : 0;
}

detection_point collider_point(const collider *c, int index)
{
    const surface_features *f = &c->features;
    int place = f->places[index];
    return (detection_point){
        .r = f->centers[place],
        .radius = f->balls ? f->radii[place] : 0.0,
        .area = f->areas[place],
    };
}

int collider_edge_count(const collider *c)
{
    return c->facets ? c->facets->counts[FACET_EDGES] : 0;
}

collider_edge collider_edge_at(const collider *c, int index)
{
    const facet_edge *e = &c->facets->edges[index];
    return (collider_edge){ .ends = { e->r, v3_axpy(e->r, e->length, e->d) }, .radius = e->radius };
}

double collider_edge_cone(const collider *c, int index, v3 u)
{
    return facet_edge_cone(c->facets, index, u);
}

double collider_ball_radius(const collider *c)
{
    double radius = 0.0;
    for (int i = 0; c->features.balls && i < c->features.count; ++i) {
        radius = fmax(radius, c->features.radii[i]);
    }
    return radius;
}

/* Shapes with rims are cylinders and cones. */
bool collider_is_convex(const collider *c)
{
    return c->convex || (c->facets && c->facets->rim_count > 0);
}

bool collider_is_line(const collider *c)
{
    return c->facets && c->facets->outline.line;
}

bool collider_is_exact(const collider *c)
{
    return c->elements != NULL;
}

static bool is_oval(const collider *c)
{
    return c->elements->count == 1 && c->elements->items[0].kind == EXACT_OVAL;
}

static bool is_hoop(const collider *c)
{
    return c->elements->solid.round == ROUND_HOOP;
}

/* What is tried in convex solids only. */
static bool is_whole_curved(const collider *c)
{
    return is_oval(c) || is_hoop(c);
}

static bool is_hollow(const collider *c)
{
    return c->elements->solid.round == ROUND_MESH && !c->elements->solid.convex_mesh;
}

bool collider_pair_is_exact(const collider *a, const collider *b)
{
    if (!a->elements || !b->elements) {
        return false;
    }
    return !(is_whole_curved(a) && is_hollow(b)) && !(is_whole_curved(b) && is_hollow(a)) &&
           !(is_hoop(a) && is_hoop(b));
}

const char *collider_why_points(const collider *c)
{
    return c->why_points[0] ? c->why_points : NULL;
}

int collider_element_count(const collider *c)
{
    return c->elements ? c->elements->count : 0;
}

bool collider_has_balls(const collider *c)
{
    return c->features.balls;
}

const surface *collider_surface(const collider *c)
{
    return c->surface;
}

const sdf_info *collider_field(const collider *c)
{
    return c->field.grid ? sdf_about(c->field.grid) : NULL;
}
