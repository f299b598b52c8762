/* Convex solids as the least of several depths; meshes by their nearest triangle. */
#include "collision/exact_solid.h"

#include "collision/collider_field.h"

#include <stdlib.h>

#include "collision/facets_build.h"

/* [1] of the size: corners this far outside of a plane are rounding, as where faces are made (facets_polyhedron.c). */
static const double CONVEX = 2e-7;

/* ---- looking ------------------------------------------------------------------------------------------------------ */

/* The direction away from the axis; any one on the axis itself. */
static v3 outwards(const exact_solid *s, v3 across, double rho)
{
    return rho > 0.0 ? v3_scale(1.0 / rho, across) : v3_across(s->axis);
}

/* Beyond the tip, as seen from the slant, the tip itself is nearest. */
static exact_look look_at_slant(const exact_solid *s, double z, v3 across, double rho)
{
    double slant = sqrt(s->radius * s->radius + s->height * s->height);
    double cosine = s->height / slant; /* of the angle between slant and axis */
    double sine = s->radius / slant;
    double up = z - s->height;
    double outside = rho * cosine + up * sine;
    double along = up * cosine - rho * sine; /* [m] along the slant, from the tip */
    v3 out = outwards(s, across, rho);
    if (along > 0.0 && outside > 0.0) {
        double distance = sqrt(outside * outside + along * along);
        v3 away = v3_axpy(v3_scale(rho / distance, out), up / distance, s->axis);
        return (exact_look){ -distance, v3_neg(away), EXACT_ROUND };
    }
    v3 normal = v3_axpy(v3_scale(cosine, out), sine, s->axis);
    return (exact_look){ -outside, v3_neg(normal), EXACT_ROUND };
}

static exact_look look_at_round(const exact_solid *s, v3 p)
{
    v3 from = v3_sub(p, s->center);
    double z = v3_dot(from, s->axis);
    v3 across = v3_axpy(from, -z, s->axis);
    double rho = v3_norm(across);
    if (s->round == ROUND_SLANT) {
        return look_at_slant(s, z, across, rho);
    }
    return (exact_look){ s->radius - rho, v3_neg(outwards(s, across, rho)), EXACT_ROUND };
}

/* Where a face itself is nearest, along its normal: the way to it may be too short to have a direction. */
static exact_look look_at_mesh(const exact_solid *s, v3 p, double reach, int *hint)
{
    bvh_hit hit = { .triangle = *hint };
    field_sample f = field_source_nearest(s->surface, p, reach, &hit);
    if (hit.triangle < 0) {
        return (exact_look){ -reach, v3_zero(), EXACT_ROUND };
    }
    *hint = hit.triangle;
    int region = s->region_of[hit.triangle][hit.feature];
    if (region >= s->face_count || s->surface->by_winding) {
        return (exact_look){ -f.distance, v3_neg(f.gradient), region };
    }
    const mesh *m = s->surface->surface;
    const int *corner = m->triangles[hit.triangle];
    v3 a = m->vertices[corner[0]];
    v3 n = v3_cross(v3_sub(m->vertices[corner[1]], a), v3_sub(m->vertices[corner[2]], a));
    v3 inwards = v3_scale(-s->surface->orientation / v3_norm(n), n);
    return (exact_look){ v3_dot(inwards, v3_sub(p, hit.point)), inwards, region };
}

exact_look exact_solid_look(const exact_solid *s, v3 p, int *hint)
{
    if (s->round == ROUND_MESH) {
        return look_at_mesh(s, p, HUGE_VAL, hint);
    }
    int nearest = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < s->plane_count; ++i) {
        double depth = s->offsets[i] - v3_dot(s->normals[i], p);
        nearest = depth < least ? i : nearest;
        least = depth < least ? depth : least;
    }
    if (exact_has_round_side(s)) {
        exact_look k = look_at_round(s, p);
        if (k.depth < least) {
            return k;
        }
    }
    return (exact_look){ least, v3_neg(s->normals[nearest]), nearest };
}

double exact_solid_far(const exact_solid *s, v3 p)
{
    return s->filter ? sdf_distance(s->filter, p) - s->slack : -HUGE_VAL;
}

/* Between nodes with exact distances a value is a mean of distances that differ from that of the place by its way to each node, which is
 * no more than half the diagonal of a cell in the mean; nodes are floats. */
void exact_solid_set_filter(exact_solid *s, const sdf *field, bool by_winding)
{
    const double half_diagonal = 0.8661;
    const double rounding = 1e-6;
    const sdf_info *about = field ? sdf_about(field) : NULL;
    if (about && !by_winding && about->kind != SDF_OCTREE) {
        s->filter = field;
        s->slack = fmax(half_diagonal * about->spacing, 2.0 * about->error_bound) + rounding * s->size;
    }
}

/* Depths are 1-Lipschitz: one look at the middle is enough. What is outside and has no triangle within reach has none inside; what is
 * inside and deeper than its radius has no triangle within reach either. */
bool exact_solid_misses(const exact_solid *s, v3 middle, double radius, int *hint)
{
    if (s->round != ROUND_MESH) {
        return exact_solid_look(s, middle, hint).depth + radius <= 0.0;
    }
    if (s->filter) {
        return exact_solid_far(s, middle) >= radius;
    }
    bvh_hit hit = { .triangle = *hint };
    if (radius > 0.0) {
        hit = bvh_closest(s->surface->tree, middle, *hint, radius * radius);
    }
    if (radius > 0.0 && hit.triangle >= 0) {
        *hint = hit.triangle;
        return false;
    }
    return look_at_mesh(s, middle, HUGE_VAL, hint).depth <= 0.0;
}

/* [1] of the size: a point this near to a plane is on it. */
static const double ON_PLANE = 1e-10;

uint32_t exact_solid_region(const exact_solid *s, v3 p)
{
    if (s->round == ROUND_WHOLE) {
        double along = v3_dot(v3_sub(p, s->center), s->axis);
        return along <= 0.0 ? 0 : along < s->height ? 1 : 2;
    }
    uint32_t region = 0;
    for (int i = 0; i < s->plane_count; ++i) {
        bool on = fabs(s->offsets[i] - v3_dot(s->normals[i], p)) <= ON_PLANE * s->size;
        region = on ? 31 * region + (uint32_t)i + 1 : region;
    }
    bool round = s->round != ROUND_NONE && fabs(look_at_round(s, p).depth) <= ON_PLANE * s->size;
    return round ? ~region : region;
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

static bool is_round(const facets *f)
{
    return f->counts[FACET_FACES] == 0;
}

/* Flat pieces of a cone's side give way to the round one. */
static bool is_plane_of(const facets *f, const facet_face *face)
{
    return f->rim_count != 1 || face->disc > 0.0;
}

static void take_planes(exact_solid *s, const facets *f)
{
    for (int i = 0; i < f->counts[FACET_FACES] && f->hoop == 0.0; ++i) {
        const facet_face *face = &f->faces[i];
        if (is_plane_of(f, face)) {
            s->normals[s->plane_count] = face->normal;
            s->offsets[s->plane_count++] = v3_dot(face->normal, face->r);
        }
    }
}

static void take_round_side(exact_solid *s, const facets *f)
{
    const shape_rim *rim = &f->rims[0];
    s->round = f->hoop > 0.0       ? ROUND_HOOP
               : is_round(f)       ? ROUND_WHOLE
               : f->rim_count == 2 ? ROUND_BARREL
               : f->rim_count == 1 ? ROUND_SLANT
                                   : ROUND_NONE;
    if (f->rim_count > 0) {
        s->center = rim->center;
        s->axis = v3_neg(rim->axis);
        s->radius = rim->radius;
    }
    if (s->round == ROUND_WHOLE) {
        s->center = f->vertices[0].r;
        s->ball = f->counts[FACET_EDGES] == 0 && !facet_is_oval(&f->vertices[0]);
        s->axis = f->counts[FACET_EDGES] > 0 ? f->edges[0].d : v3_zero();
        s->height = f->counts[FACET_EDGES] > 0 ? f->edges[0].length : 0.0;
    }
    for (int i = 0; s->round == ROUND_SLANT && i < f->counts[FACET_VERTICES]; ++i) {
        if (f->rim_of[i] < 0) { /* the tip */
            s->height = v3_dot(s->axis, v3_sub(f->vertices[i].r, s->center));
        }
    }
}

/* How far [m] a corner is outside of a plane; one that is `enough` will do. */
static double farthest_outside(const exact_solid *s, const facets *f, double enough)
{
    double farthest = 0.0;
    for (int v = 0; v < f->counts[FACET_VERTICES] && farthest <= enough; ++v) {
        for (int i = 0; i < s->plane_count; ++i) {
            farthest = fmax(farthest, v3_dot(s->normals[i], f->vertices[v].r) - s->offsets[i]);
        }
    }
    return farthest;
}

static bool is_closed(const facets *f)
{
    for (int i = 0; i < f->counts[FACET_EDGES]; ++i) {
        if (f->edges[i].count != 2) {
            return false;
        }
    }
    return true;
}

/* What is not convex is seen by its triangles, if it has any. */
static carom_status check_convex(exact_solid *s, const facets *f, bool of_mesh, carom_error *err)
{
    if (s->round != ROUND_NONE || !isfinite(f->size)) {
        return CAROM_OK;
    }
    if (!is_closed(f)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the surface is not closed; \"features\": \"exact\" takes closed solids only: repair the "
                          "mesh ('carom mesh repair'), or write \"features\": \"points\"");
    }
    enum { MANY_PLANES = 256 }; /* the nearest triangle is found faster */
    double outside = farthest_outside(s, f, of_mesh ? CONVEX * f->size : HUGE_VAL);
    bool convex = outside <= CONVEX * f->size;
    if (convex && !(of_mesh && s->plane_count > MANY_PLANES)) {
        return CAROM_OK;
    }
    if (of_mesh) {
        s->round = ROUND_MESH;
        s->convex_mesh = convex;
        s->plane_count = convex ? s->plane_count : 0; /* for ellipsoids */
        return CAROM_OK;
    }
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "the shape is not convex (a corner lies %.3g m in front of a face); \"features\": \"exact\" takes "
        "convex solids and meshes only: write \"features\": \"points\", or make the body of convex shapes",
        outside);
}

carom_status exact_solid_create(exact_solid *out, const facets *f, bool of_mesh, carom_error *err)
{
    size_t faces = (size_t)f->counts[FACET_FACES] + 1;
    *out = (exact_solid){ .normals = malloc(faces * sizeof *out->normals),
                          .offsets = malloc(faces * sizeof *out->offsets) };
    if (!out->normals || !out->offsets) {
        return facets_no_memory(err);
    }
    out->size = isfinite(f->size) ? f->size : 1.0;
    take_planes(out, f);
    take_round_side(out, f);
    return check_convex(out, f, of_mesh, err);
}

void exact_solid_free(exact_solid *s)
{
    free(s->normals);
    free(s->offsets);
    free(s->region_of);
    *s = (exact_solid){ 0 };
}
