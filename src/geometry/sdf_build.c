/* Building a distance field: options are checked, the box is laid out in cubic cells, the sign is chosen by what the
 * surface is, the nodes are filled by the kind of field, the error is measured. */
#include <stdlib.h>

#include "base/clock.h"
#include "geometry/sdf_impl.h"

sdf_options sdf_options_default(void)
{
    return (sdf_options){ .kind = SDF_BRICKS, .sign = SDF_SIGN_AUTO, .resolution = 128 };
}

/* ---- options -------------------------------------------------------------------------------------------------------- */

enum { LEAST_RESOLUTION = 8, MOST_RESOLUTION = 1 << 20 };

static carom_status check_length(const char *name, double value, carom_error *err)
{
    if (!(value >= 0.0 && value < HUGE_VAL)) {
        return carom_fail(err, CAROM_BAD_INPUT, "distance field: %s must be a length, or 0 for its default, not %g",
                          name, value);
    }
    return CAROM_OK;
}

static carom_status check_lengths(const sdf_options *o, carom_error *err)
{
    carom_status status = check_length("spacing", o->spacing, err);
    status = status == CAROM_OK ? check_length("margin", o->margin, err) : status;
    status = status == CAROM_OK ? check_length("band", o->band, err) : status;
    return status == CAROM_OK ? check_length("tolerance", o->tolerance, err) : status;
}

static carom_status check_options(const sdf_options *o, carom_error *err)
{
    if (!sdf_type_of(o->kind)) {
        return carom_fail(err, CAROM_BAD_INPUT, "distance field: no kind %d; there are dense, bricks and octree",
                          o->kind);
    }
    if (o->sign < SDF_SIGN_AUTO || o->sign > SDF_SIGN_WINDING) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "distance field: no sign %d; there are auto, pseudonormal and winding", o->sign);
    }
    if (o->spacing == 0.0 && (o->resolution < LEAST_RESOLUTION || o->resolution > MOST_RESOLUTION)) {
        return carom_fail(err, CAROM_BAD_INPUT, "distance field: resolution must be between %d and %d cells, not %d",
                          LEAST_RESOLUTION, MOST_RESOLUTION, o->resolution);
    }
    return check_lengths(o, err);
}

static carom_status check_mesh(const mesh *m, carom_error *err)
{
    if (m->triangle_count == 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "the mesh has no triangles: there is no distance to it");
    }
    for (int i = 0; i < m->vertex_count; ++i) {
        if (!v3_finite(m->vertices[i])) {
            return carom_fail(err, CAROM_BAD_INPUT, "vertex %d of the mesh is not finite", i);
        }
    }
    return CAROM_OK;
}

/* ---- the box -------------------------------------------------------------------------------------------------------- */

static double longest_edge(v3 extent)
{
    return fmax(extent.x, fmax(extent.y, extent.z));
}

/* A margin of two cells takes four of the resolution. */
static double choose_spacing(const sdf_options *o, v3 extent)
{
    double longest = longest_edge(extent);
    if (o->spacing > 0.0) {
        return o->spacing;
    }
    return o->margin > 0.0 ? (longest + 2.0 * o->margin) / o->resolution : longest / (o->resolution - 4);
}

static carom_status count_cells(sdf *f, v3 extent, double margin, carom_error *err)
{
    const double rounding = 1e-9; /* of a cell: the longest edge makes exactly the resolution asked for */
    for (int a = 0; a < 3; ++a) {
        double cells = ceil((v3_get(extent, a) + 2.0 * margin) / f->spacing - rounding);
        if (!(cells <= MOST_RESOLUTION)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "a distance field with %.3g cells along an edge is too large; a spacing of %.3g m fits",
                              cells, (longest_edge(extent) + 2.0 * margin) / 1000.0);
        }
        f->cells[a] = cells >= 1.0 ? (int)cells : 1;
    }
    if (f->type->round_cells) {
        f->type->round_cells(f->cells);
    }
    return CAROM_OK;
}

static carom_status lay_out(sdf *f, const mesh *m, carom_error *err)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    v3 extent = v3_sub(high, low);
    f->spacing = choose_spacing(&f->options, extent);
    f->per_spacing = 1.0 / f->spacing;
    if (!(longest_edge(extent) > 0.0 && longest_edge(extent) < HUGE_VAL && f->spacing > 0.0 &&
          f->per_spacing < HUGE_VAL)) {
        return carom_fail(err, CAROM_BAD_INPUT, "a mesh that is %g m long has no room for a distance field",
                          longest_edge(extent));
    }
    double margin = f->options.margin > 0.0 ? f->options.margin : 2.0 * f->spacing;
    carom_status status = count_cells(f, extent, margin, err);
    if (status != CAROM_OK) {
        return status;
    }
    v3 size = v3_make(f->cells[0] * f->spacing, f->cells[1] * f->spacing, f->cells[2] * f->spacing);
    f->low = v3_axpy(low, -0.5, v3_sub(size, extent));
    v3 top = v3_add(f->low, size);
    v3 below = v3_sub(low, f->low);
    v3 above = v3_sub(top, high);
    f->margin = fmax(0.0, fmin(fmin(fmin(below.x, below.y), below.z), fmin(fmin(above.x, above.y), above.z)));
    f->info.spacing = f->spacing;
    f->info.low = f->low;
    f->info.high = top;
    if (!v3_finite(f->low) || !v3_finite(top) || f->low.x + f->spacing == f->low.x ||
        f->low.y + f->spacing == f->low.y || f->low.z + f->spacing == f->low.z) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the mesh lies so far from its origin (%.3g m) that cells of %.3g m cannot be told apart; "
                          "move it nearer",
                          v3_norm(low), f->spacing);
    }
    return CAROM_OK;
}

/* ---- the sign ------------------------------------------------------------------------------------------------------- */

static bool is_closed(const mesh_quality *q)
{
    return q->open_edges == 0 && q->nonmanifold_edges == 0 && q->flipped_edges == 0;
}

/* Self-intersections are looked for only where they decide something. */
static carom_status choose_sign(sdf *f, sdf_source *s, bvh *tree, carom_error *err)
{
    mesh_quality quality;
    carom_status status = mesh_inspect(s->surface, &quality, err);
    if (status != CAROM_OK) {
        return status;
    }
    bool closed = is_closed(&quality);
    f->info.open_edges = quality.open_edges;
    f->info.nonmanifold_edges = quality.nonmanifold_edges;
    f->info.flipped_edges = quality.flipped_edges;
    f->info.degenerate_triangles = quality.degenerate;
    f->info.volume = closed ? quality.volume : fabs(quality.volume);
    bool asked = f->options.sign == SDF_SIGN_AUTO; /* who chooses the sign knows the surface */
    f->info.self_intersections = closed && asked ? bvh_self_intersections(s->tree, CAROM_MESH_MOST_CUTS, NULL, 0) : 0;
    s->sign = f->options.sign;
    if (s->sign == SDF_SIGN_AUTO) {
        s->sign = closed && f->info.self_intersections == 0 ? SDF_SIGN_PSEUDONORMAL : SDF_SIGN_WINDING;
    }
    s->encloses = closed && f->info.self_intersections == 0;
    s->orientation = f->info.volume < 0.0 ? -1.0 : 1.0;
    f->info.sign = s->sign;
    return s->sign == SDF_SIGN_WINDING ? bvh_prepare_winding(tree, err) : CAROM_OK;
}

/* ---- building ------------------------------------------------------------------------------------------------------- */

static carom_status fill(sdf *f, sdf_source *s, carom_error *err)
{
    bvh *tree = NULL;
    carom_watch_stage(s->watch, SDF_SHARE_TREE, 1);
    carom_status status = bvh_create_plain(&tree, s->surface, err);
    s->tree = tree;
    status = status == CAROM_OK ? choose_sign(f, s, tree, err) : status;
    status = status == CAROM_OK ? f->type->build(f, s, err) : status;
    status = status == CAROM_OK ? carom_watch_status(s->watch, err) : status;
    status = status == CAROM_OK ? sdf_measure(f, s, err) : status;
    status = status == CAROM_OK ? carom_watch_status(s->watch, err) : status;
    bvh_destroy(tree);
    return status;
}

static void describe(sdf *f, const mesh *m, double seconds)
{
    f->info.kind = f->options.kind;
    f->info.triangle_count = m->triangle_count;
    f->info.vertex_count = m->vertex_count;
    f->info.bytes = sizeof *f + (size_t)f->index_count * sizeof *f->index + (size_t)f->node_count * sizeof *f->nodes +
                    (size_t)f->coarse_count * sizeof *f->coarse;
    f->info.build_seconds = seconds;
}

carom_status sdf_build_watched(sdf **out, const mesh *m, const sdf_options *options, int threads, carom_watch *watch,
                               carom_error *err)
{
    *out = NULL;
    double start = carom_clock_wall();
    carom_status status = check_options(options, err);
    status = status == CAROM_OK ? check_mesh(m, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    sdf *f = calloc(1, sizeof *f);
    if (!f) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a distance field");
    }
    f->type = sdf_type_of(options->kind);
    f->options = *options;
    sdf_source source = { .surface = m, .threads = threads, .watch = watch };
    status = lay_out(f, m, err);
    status = status == CAROM_OK && f->type->check ? f->type->check(f, err) : status;
    status = status == CAROM_OK ? fill(f, &source, err) : status;
    if (status != CAROM_OK) {
        sdf_destroy(f);
        return status;
    }
    describe(f, m, carom_clock_wall() - start);
    *out = f;
    return CAROM_OK;
}

carom_status sdf_build(sdf **out, const mesh *m, const sdf_options *options, int threads, carom_error *err)
{
    return sdf_build_watched(out, m, options, threads, NULL, err);
}
