/* The public face of distance fields: options by name, files, slices. */
#include <carom/sdf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "files/input_file.h"
#include "geometry/sdf.h"
#include "mesh_files/mesh_read.h"

carom_sdf_options carom_sdf_options_default(void)
{
    sdf_options o = sdf_options_default();
    return (carom_sdf_options){
        .kind = sdf_kind_name(o.kind), .sign = sdf_sign_name(o.sign), .scale = 1.0, .resolution = o.resolution
    };
}

static carom_status find_name(int *out, const char *what, const char *name, const char *const *names,
                              carom_error *err)
{
    for (int i = 0; i < 3; ++i) {
        if (name && strcmp(name, names[i]) == 0) {
            *out = i;
            return CAROM_OK;
        }
    }
    return carom_fail(err, CAROM_BAD_INPUT, "a distance field has no %s '%.40s'; there are %s, %s and %s", what,
                      name ? name : "", names[0], names[1], names[2]);
}

static carom_status read_options(sdf_options *out, const carom_sdf_options *o, carom_error *err)
{
    const char *const kinds[] = { sdf_kind_name(0), sdf_kind_name(1), sdf_kind_name(2) };
    const char *const signs[] = { sdf_sign_name(0), sdf_sign_name(1), sdf_sign_name(2) };
    *out = (sdf_options){
        .spacing = o->spacing,
        .resolution = o->resolution,
        .margin = o->margin,
        .band = o->band,
        .tolerance = o->tolerance,
    };
    carom_status status = find_name(&out->kind, "kind", o->kind, kinds, err);
    return status == CAROM_OK ? find_name(&out->sign, "sign", o->sign, signs, err) : status;
}

static bool is_saved_field(const char *file)
{
    char magic[8] = { 0 };
    carom_input input;
    FILE *f = carom_input_stream(&input, file);
    bool found = f && fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "CAROMSDF", 8) == 0;
    if (f) {
        fclose(f);
    }
    return found;
}

static carom_status build_watched(carom_sdf **out, const mesh *m, const sdf_options *options, const char *cache,
                                  const char *file, const carom_sdf_options *o, carom_error *err)
{
    char what[300];
    const char *slash = strrchr(file, '/');
    carom_watch watch;
    snprintf(what, sizeof what, "the distance field of %.250s", slash ? slash + 1 : file);
    carom_watch_init(&watch, o->keep_going, o->context, what);
    return sdf_build_cached_watched(out, m, options, cache, o->threads, o->keep_going ? &watch : NULL, err);
}

static carom_status open_mesh(const char *file, const carom_sdf_options *o, carom_sdf **out, carom_error *err)
{
    char folder[4096];
    sdf_options options;
    mesh *surface = NULL;
    carom_status status = read_options(&options, o, err);
    status = status == CAROM_OK ? mesh_read(&surface, file, o->scale, err) : status;
    if (status == CAROM_OK) {
        const char *cache = o->cache ? o->cache : sdf_cache_folder(folder, sizeof folder);
        status = build_watched(out, surface, &options, cache, file, o, err);
    }
    mesh_destroy(surface);
    return status;
}

static carom_status check_open(const char *file, const carom_sdf_options *o, carom_sdf **out, carom_error *err)
{
    if (out) {
        *out = NULL;
    }
    carom_status status = argument_given("carom_sdf_open", "out", out, err);
    status = status == CAROM_OK ? argument_text("carom_sdf_open", "file", file, err) : status;
    status = status == CAROM_OK ? argument_threads("carom_sdf_open", o->threads, err) : status;
    if (status == CAROM_OK && !(o->scale > 0.0 && o->scale < HUGE_VAL)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "the scale of a mesh must be positive, not %g", o->scale);
    }
    return status;
}

carom_status carom_sdf_open(const char *file, const carom_sdf_options *options, carom_sdf **out, carom_error *err)
{
    carom_sdf_options defaults = carom_sdf_options_default();
    const carom_sdf_options *o = options ? options : &defaults;
    carom_status status = check_open(file, o, out, err);
    if (status != CAROM_OK) {
        return status;
    }
    return is_saved_field(file) ? sdf_load(out, file, err) : open_mesh(file, o, out, err);
}

carom_status carom_sdf_save(const carom_sdf *f, const char *file, carom_error *err)
{
    carom_status status = argument_given("carom_sdf_save", "f", f, err);
    status = status == CAROM_OK ? argument_text("carom_sdf_save", "file", file, err) : status;
    return status == CAROM_OK ? sdf_save(f, file, err) : status;
}

void carom_sdf_destroy(carom_sdf *f)
{
    sdf_destroy(f);
}

carom_sdf_info carom_sdf_about(const carom_sdf *f)
{
    if (!f) {
        return (carom_sdf_info){ 0 };
    }
    const sdf_info *i = sdf_about(f);
    return (carom_sdf_info){
        .kind = sdf_kind_name(i->kind),
        .sign = sdf_sign_name(i->sign),
        .spacing = i->spacing,
        .low = i->low,
        .high = i->high,
        .node_count = i->node_count,
        .bytes = i->bytes,
        .error_bound = i->error_bound,
        .error_mean = i->error_mean,
        .band = i->band,
        .volume = i->volume,
        .triangle_count = i->triangle_count,
        .vertex_count = i->vertex_count,
        .open_edges = i->open_edges,
        .nonmanifold_edges = i->nonmanifold_edges,
        .flipped_edges = i->flipped_edges,
        .self_intersections = i->self_intersections,
        .build_seconds = i->build_seconds,
        .from_cache = i->from_cache,
    };
}

char *carom_sdf_remarks(const carom_sdf *f)
{
    carom_text text = { 0 };
    if (!f) {
        return NULL;
    }
    sdf_remarks(sdf_about(f), &text);
    if (text.failed) {
        carom_text_free(&text);
        return NULL;
    }
    return text.data;
}

double carom_sdf_sample(const carom_sdf *f, carom_v3 p, carom_v3 *gradient)
{
    field_sample s = f ? sdf_sample(f, p) : (field_sample){ .distance = HUGE_VAL };
    if (gradient) {
        *gradient = s.gradient;
    }
    return s.distance;
}

/* ---- slices --------------------------------------------------------------------------------------------------------- */

static int first_axis(int axis)
{
    return axis == 0 ? 1 : 0;
}

static int second_axis(int axis)
{
    return axis == 2 ? 1 : 2;
}

carom_sdf_slice carom_sdf_slice_of_box(const carom_sdf *f, int axis, double at, int columns)
{
    if (!f || axis < 0 || axis > 2 || columns < 1 || !isfinite(at)) {
        return (carom_sdf_slice){ 0 };
    }
    const sdf_info *info = sdf_about(f);
    carom_sdf_slice s = { .axis = axis, .at = at, .columns = columns };
    int axes[2] = { first_axis(axis), second_axis(axis) };
    for (int a = 0; a < 2; ++a) {
        s.low[a] = v3_get(info->low, axes[a]);
        s.high[a] = v3_get(info->high, axes[a]);
    }
    double rows = 1.0 + nearbyint((s.high[1] - s.low[1]) / (s.high[0] - s.low[0]) * (columns - 1));
    s.rows = rows < 2.0 ? 2 : rows > 1e6 ? 1000000 : (int)rows;
    return s;
}

static v3 slice_point(const carom_sdf_slice *s, int column, int row)
{
    double at[3];
    double u = s->columns > 1 ? (double)column / (s->columns - 1) : 0.0;
    double v = s->rows > 1 ? (double)row / (s->rows - 1) : 0.0;
    at[s->axis] = s->at;
    at[first_axis(s->axis)] = s->low[0] + u * (s->high[0] - s->low[0]);
    at[second_axis(s->axis)] = s->low[1] + v * (s->high[1] - s->low[1]);
    return v3_load(at);
}

carom_status carom_sdf_slice_values(const carom_sdf *f, const carom_sdf_slice *slice, double *out, carom_error *err)
{
    const argument needed[] = { { "f", f }, { "slice", slice }, { "out", out } };
    carom_status status = arguments_given("carom_sdf_slice_values", needed, 3, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (slice->axis < 0 || slice->axis > 2 || slice->columns < 1 || slice->rows < 1 || !isfinite(slice->at)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a slice needs axis 0, 1 or 2, a finite place and points, not axis %d at %g "
                          "with %d x %d points",
                          slice->axis, slice->at, slice->columns, slice->rows);
    }
    for (int row = 0; row < slice->rows; ++row) {
        for (int column = 0; column < slice->columns; ++column) {
            *out++ = sdf_distance(f, slice_point(slice, column, row));
        }
    }
    return CAROM_OK;
}
