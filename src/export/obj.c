/* A folder of Wavefront OBJ files, frame-000000.obj, ..., and the colours in materials.mtl.
 *
 * One object per body, in carom's axes (z is up in most scenes) and metres, with nine digits. OBJ knows neither spaces
 * nor quotes in names: what is not a letter, digit, '.', '-' or '_' becomes '_', and the number of the body is added. */
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "files/output_folder.h"
#include "export/geometry.h"
#include "files/output.h"
#include "files/utf8.h"
#include "result/result_read.h"

enum { DIGITS = 9, NAME = 80 };

typedef struct obj_work {
    const export_job *job;
    export_geometry geometry;
    carom_arena arena;
    carom_pose *pose; /* of each body, the ground first */
} obj_work;

static bool has_shapes(const export_geometry *g, carom_id body)
{
    return g->first[body] < g->first[body + 1];
}

static void object_name(const carom_result *result, carom_id body, char name[NAME])
{
    if (!export_plain_name(carom_result_body_name(result, body), name, NAME - 16)) {
        size_t length = strlen(name);
        snprintf(name + length, NAME - length, "_%d", result_body_row(body));
    }
}

/* ---- one frame ------------------------------------------------------------------------------------------------------ */

static void put_vertex(output_file *out, v3 r)
{
    output_text(out, "v ");
    output_number(out, r.x, DIGITS);
    output_text(out, " ");
    output_number(out, r.y, DIGITS);
    output_text(out, " ");
    output_number(out, r.z, DIGITS);
    output_text(out, "\n");
}

/* Faces count vertices from 1, through the whole file. */
static void put_shape(output_file *out, const export_geometry *g, size_t i, carom_pose pose_wb, size_t *base)
{
    const carom_result_shape *shape = &g->shapes[i];
    const carom_surface *surface = &g->surfaces[shape->surface];
    for (size_t k = 0; k < surface->vertex_count; ++k) {
        v3 r_b = export_place(shape->pose_b, v3_load(surface->vertices + 3 * k));
        put_vertex(out, export_place(pose_wb, r_b));
    }
    for (size_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t *corner = surface->triangles + 3 * t;
        output_printf(out, "f %zu %zu %zu\n", *base + (size_t)corner[0], *base + (size_t)corner[1],
                      *base + (size_t)corner[2]);
    }
    *base += surface->vertex_count;
}

static void put_bodies(output_file *out, const obj_work *w)
{
    const export_geometry *g = &w->geometry;
    size_t base = 1;
    for (carom_id b = CAROM_GROUND; b < g->body_count; ++b) {
        if (has_shapes(g, b)) {
            char name[NAME];
            object_name(w->job->result, b, name);
            output_printf(out, "o %s\nusemtl body_%d\n", name, b);
        }
        for (size_t i = g->first[b]; i < g->first[b + 1]; ++i) {
            put_shape(out, g, i, w->pose[b], &base);
        }
    }
}

static carom_status write_frame(obj_work *w, size_t frame, carom_error *err)
{
    char file[64];
    char path[FILE_PATH];
    output_file out;
    carom_status status = CAROM_OK;
    for (carom_id b = CAROM_GROUND; b < w->geometry.body_count && status == CAROM_OK; ++b) {
        status = export_next_pose(w->job->result, b, frame, &w->pose[b], &w->job->report->poses_held, err);
    }
    snprintf(file, sizeof file, "frame-%06zu.obj", frame);
    status = status == CAROM_OK ? file_path(path, w->job->path, file, err) : status;
    status = status == CAROM_OK ? output_open(&out, path, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    output_text(&out, "# carom " CAROM_VERSION ", t = ");
    output_number(&out, carom_result_time(w->job->result)[frame], 0);
    output_text(&out, " s\nmtllib materials.mtl\n");
    put_bodies(&out, w);
    return output_close(&out, CAROM_OK, w->job->report, err);
}

/* ---- the folder ----------------------------------------------------------------------------------------------------- */

static carom_status write_materials(const obj_work *w, carom_error *err)
{
    char path[FILE_PATH];
    output_file out;
    carom_status status = file_path(path, w->job->path, "materials.mtl", err);
    status = status == CAROM_OK ? output_open(&out, path, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    for (carom_id b = CAROM_GROUND; b < w->geometry.body_count; ++b) {
        double colour[3];
        export_colour(w->job->result, b, colour);
        output_printf(&out, "newmtl body_%d\nKd", b);
        for (int k = 0; k < 3; ++k) {
            output_text(&out, " ");
            output_number(&out, colour[k], 6);
        }
        output_text(&out, "\n");
    }
    return output_close(&out, CAROM_OK, w->job->report, err);
}

static carom_status prepare(obj_work *w, carom_error *err)
{
    static const char *const patterns[] = { "frame-#.obj", "materials.mtl", NULL };
    carom_status status = export_geometry_build(&w->geometry, w->job, err);
    if (status == CAROM_OK && w->geometry.shape_count == 0) {
        status =
            carom_fail(err, CAROM_BAD_INPUT,
                       "the result holds no shapes, so there is nothing to write as OBJ: its scene has none, or an "
                       "older carom wrote it and the scene must be run again");
    }
    if (status != CAROM_OK) {
        return status;
    }
    w->pose = CAROM_ARENA_ARRAY(&w->arena, carom_pose, (size_t)w->geometry.body_count);
    for (carom_id b = CAROM_GROUND; w->pose && b < w->geometry.body_count; ++b) {
        w->pose[b] = (carom_pose){ .orientation.w = 1.0 };
    }
    return w->pose ? output_folder_prepare(w->job->path, patterns, err)
                   : carom_fail(err, CAROM_NO_MEMORY, "no memory for an export to obj");
}

static carom_status obj_write(const export_job *job, carom_error *err)
{
    obj_work w = { .job = job };
    carom_status status = prepare(&w, err);
    status = status == CAROM_OK ? write_materials(&w, err) : status;
    for (size_t k = 0; k < job->frames.count && status == CAROM_OK; ++k) {
        status = write_frame(&w, export_frame(job->frames, k), err);
    }
    carom_arena_free(&w.arena);
    export_geometry_free(&w.geometry);
    return status;
}

const export_writer export_obj = {
    .format = { .name = "obj",
                .extension = ".obj",
                .folder = true,
                .doc = "a folder for modellers: an .obj per frame, and materials.mtl" },
    .write = obj_write,
};
