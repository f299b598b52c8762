/* Where a collider's signed distance comes from.
 *
 * From stored nodes near the surface. Beyond their band grids know bounds only, which decide that nothing touches; what
 * may touch there (the centre of a ball larger than the band, a point far inside) asks the triangles.
 *
 * Directly from a mesh: the nearest triangle, and the side by the angle-weighted pseudonormal [Baerentzen2005]
 * where the surface is closed and does not cut itself, else by the winding number [Jacobson2013]. The gradient is the
 * unit vector from the nearest point, turned outwards; within rounding of the surface, the normal of the triangle. */
#include "collision/collider_field.h"

static carom_status choose_side_rule(collider_field_source *s, int sign, carom_error *err)
{
    mesh_quality quality;
    carom_status status = mesh_inspect(s->surface, &quality, err);
    if (status != CAROM_OK) {
        return status;
    }
    bool closed = quality.open_edges + quality.nonmanifold_edges + quality.flipped_edges == 0;
    s->by_winding = sign == SDF_SIGN_WINDING ||
                    (sign == SDF_SIGN_AUTO && (!closed || bvh_self_intersections(s->tree, 0, NULL, 0) > 0));
    s->orientation = quality.volume < 0.0 ? -1.0 : 1.0;
    return CAROM_OK;
}

static carom_status create_direct(collider_field_source *s, const mesh *m, int sign, carom_error *err)
{
    s->surface = m;
    carom_status status = bvh_create(&s->tree, m, err);
    return status == CAROM_OK ? choose_side_rule(s, sign, err) : status;
}

/* Values of a grid differ from the distance by at most the error bound near the surface, and exceed it nowhere by more:
 * twice that is what a value in the middle of a cell may promise too much about a point of it. */
static carom_status create_grid(collider_field_source *s, const mesh *m, const collider_options *options,
                                carom_error *err)
{
    sdf_options field = options->field;
    if (options->method == DETECT_SDF_OCTREE) {
        field.kind = SDF_OCTREE;
    }
    carom_status status = sdf_build_cached_watched(&s->grid, m, &field, options->cache, options->threads,
                                                   options->watch, err);
    if (status != CAROM_OK) {
        return status;
    }
    const sdf_info *about = sdf_about(s->grid);
    s->slack = 2.0 * about->error_bound;
    s->band = about->kind == SDF_BRICKS ? about->band : HUGE_VAL;
    s->by_winding = about->sign == SDF_SIGN_WINDING;
    s->orientation = about->volume < 0.0 ? -1.0 : 1.0;
    s->surface = m;
    return isfinite(s->band) ? bvh_create(&s->tree, m, err) : CAROM_OK;
}

carom_status field_source_create(collider_field_source *out, const carom_shape_type *type, const void *params,
                                 const mesh *m, const collider_options *options, carom_error *err)
{
    *out = (collider_field_source){ .type = type, .params = params, .orientation = 1.0 };
    if (type->distance) {
        return CAROM_OK;
    }
    carom_status status = options->method == DETECT_DIRECT ? create_direct(out, m, options->field.sign, err)
                                                           : create_grid(out, m, options, err);
    if (status != CAROM_OK) {
        field_source_free(out);
    }
    return status;
}

void field_source_free(collider_field_source *s)
{
    bvh_destroy(s->tree);
    sdf_destroy(s->grid);
    s->tree = NULL;
    s->grid = NULL;
}

/* ---- nearest triangle ---------------------------------------------------------------------------------------------- */

static double side_of(const collider_field_source *s, v3 p, const bvh_hit *hit)
{
    if (s->by_winding) {
        return fabs(bvh_winding(s->tree, p)) > 0.5 ? -1.0 : 1.0;
    }
    return s->orientation * bvh_side(s->tree, p, hit);
}

static v3 triangle_normal(const mesh *m, int triangle)
{
    const int *corner = m->triangles[triangle];
    v3 a = m->vertices[corner[0]];
    v3 n = v3_cross(v3_sub(m->vertices[corner[1]], a), v3_sub(m->vertices[corner[2]], a));
    double length = v3_norm(n);
    return length > 0.0 ? v3_scale(1.0 / length, n) : v3_make(0.0, 0.0, 1.0);
}

field_sample field_source_nearest(const collider_field_source *s, v3 p, double reach, bvh_hit *near)
{
    const double rounding = 1e-13; /* of the coordinates: the direction to the nearest point is noise */
    bvh_hit hit = bvh_closest(s->tree, p, near->triangle, reach * reach);
    *near = hit;
    if (hit.triangle < 0) { /* nothing within reach; or not a number */
        return (field_sample){ .distance = (double)NAN };
    }
    v3 away = v3_sub(p, hit.point);
    double distance = sqrt(hit.dist2);
    if (distance <= rounding * v3_norm(p)) {
        v3 normal = v3_scale(s->orientation, triangle_normal(s->surface, hit.triangle));
        return (field_sample){ .distance = v3_dot(normal, away), .gradient = normal };
    }
    double side = side_of(s, p, &hit);
    return (field_sample){ .distance = side * distance, .gradient = v3_scale(side / distance, away) };
}

static field_sample sample_direct(const collider_field_source *s, v3 p, int *hint)
{
    bvh_hit near = { .triangle = *hint };
    field_sample f = field_source_nearest(s, p, HUGE_VAL, &near);
    *hint = near.triangle >= 0 ? near.triangle : *hint;
    return f;
}

/* ---- any source ---------------------------------------------------------------------------------------------------- */

field_sample field_source_settle(const collider_field_source *s, v3 p, field_sample f, int *hint)
{
    return s->grid && fabs(f.distance) > s->band ? sample_direct(s, p, hint) : f;
}

field_sample field_source_sample(const collider_field_source *s, v3 p, int *hint)
{
    if (s->grid) {
        return field_source_settle(s, p, sdf_sample(s->grid, p), hint);
    }
    if (s->type->thin) {
        return (field_sample){ .distance = HUGE_VAL }; /* nothing is ever inside */
    }
    return s->tree ? sample_direct(s, p, hint) : s->type->distance(s->params, p);
}

double field_source_distance(const collider_field_source *s, v3 p, int *hint)
{
    return s->grid ? sdf_distance(s->grid, p) : field_source_sample(s, p, hint).distance;
}

void field_source_sample_many(const collider_field_source *s, const v3 *p, size_t count, field_sample *out, int *hint)
{
    if (s->grid) {
        sdf_sample_many(s->grid, p, count, out);
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        out[i] = field_source_sample(s, p[i], hint);
    }
}
