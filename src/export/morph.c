#include "export/morph.h"
#include "math/numbers.h"

#include <math.h>
#include <string.h>

enum { MOST_TARGETS = 24, MOST_SAMPLES = 96 };
static const double TOLERANCE = 1e-3; /* of the largest displacement */

typedef struct morph_work {
    morph_mesh *out;
    const morph_request *from;
    flexible_mesh mesh;
    size_t numbers;   /* 3 per vertex */
    double *u, *turn; /* of all nodes */
    double *now;      /* displacements of the vertices at a frame */
    size_t sample_count;
    double *samples; /* what is left of the displacements at some frames */
    double *basis;   /* orthonormal */
} morph_work;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for the deformed bodies of an export");
}

static void subtract(double *a, double factor, const double *b, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        a[i] -= factor * b[i];
    }
}

/* ---- displacements ------------------------------------------------------------------------------------------------- */

/* Of every vertex: u + turn x offset; numbers that are none are zero. */
static carom_status read_frame(morph_work *w, size_t frame, double *to, carom_error *err)
{
    const flexible_skin *skin = &w->out->skin;
    carom_status status = result_flexible_displacements(w->from->result, w->from->body, frame, w->u, NULL, err);
    status = status == CAROM_OK ? result_flexible_turns(w->from->result, w->from->body, frame, w->turn, err) : status;
    for (size_t i = 0; status == CAROM_OK && i < w->out->vertex_count; ++i) {
        size_t node = 3 * (size_t)skin->nodes[skin->vertex_node[i]];
        v3 moved = v3_add(v3_load(w->u + node), v3_cross(v3_load(w->turn + node), skin->offset[i]));
        v3_store(to + 3 * i, v3_finite(moved) ? v3_scale(w->from->factor, moved) : v3_zero());
    }
    return status;
}

static double largest(const double *u, size_t vertices)
{
    double most2 = 0.0;
    for (size_t i = 0; i < vertices; ++i) {
        most2 = fmax(most2, v3_norm2(v3_load(u + 3 * i)));
    }
    return sqrt(most2);
}

/* ---- a basis ------------------------------------------------------------------------------------------------------- */

static carom_status read_samples(morph_work *w, carom_error *err)
{
    carom_status status = CAROM_OK;
    size_t total = w->from->frame_count;
    for (size_t k = 0; k < w->sample_count && status == CAROM_OK; ++k) {
        size_t frame = w->from->frames[w->sample_count > 1 ? k * (total - 1) / (w->sample_count - 1) : 0];
        status = read_frame(w, frame, w->samples + k * w->numbers, err);
    }
    return status;
}

/* The sample of which most is left; its largest displacement. */
static double find_worst(const morph_work *w, size_t *worst)
{
    double most = 0.0;
    *worst = 0;
    for (size_t k = 0; k < w->sample_count; ++k) {
        double left = largest(w->samples + k * w->numbers, w->out->vertex_count);
        if (left > most) {
            most = left;
            *worst = k;
        }
    }
    return most;
}

static void find_basis(morph_work *w)
{
    size_t worst;
    double whole = find_worst(w, &worst);
    double left = whole;
    size_t *count = &w->out->target_count;
    while (left > TOLERANCE * whole && *count < MOST_TARGETS && *count < w->sample_count) {
        double *next = w->basis + (*count)++ * w->numbers;
        memcpy(next, w->samples + worst * w->numbers, w->numbers * sizeof *next);
        double length = sqrt(numbers_dot(next, next, w->numbers));
        for (size_t i = 0; i < w->numbers; ++i) {
            next[i] /= length;
        }
        for (size_t k = 0; k < w->sample_count; ++k) {
            double *sample = w->samples + k * w->numbers;
            subtract(sample, numbers_dot(sample, next, w->numbers), next, w->numbers);
        }
        left = find_worst(w, &worst);
    }
}

/* ---- weights ------------------------------------------------------------------------------------------------------- */

/* Parts of every frame along the basis; what is left of it. */
static carom_status find_weights(morph_work *w, double *parts, carom_error *err)
{
    double most = 0.0, left = 0.0;
    carom_status status = CAROM_OK;
    size_t count = w->out->target_count;
    for (size_t k = 0; k < w->from->frame_count && status == CAROM_OK; ++k) {
        status = read_frame(w, w->from->frames[k], w->now, err);
        most = fmax(most, largest(w->now, w->out->vertex_count));
        for (size_t t = 0; t < count && status == CAROM_OK; ++t) {
            const double *target = w->basis + t * w->numbers;
            parts[k * count + t] = numbers_dot(w->now, target, w->numbers);
            subtract(w->now, parts[k * count + t], target, w->numbers);
        }
        left = fmax(left, largest(w->now, w->out->vertex_count));
    }
    w->out->off = most > 0.0 ? left / most : 0.0;
    return status;
}

/* Targets as large as their weights allow: these lie within -1 and 1. */
static void put_targets(morph_work *w, const double *parts)
{
    morph_mesh *out = w->out;
    for (size_t t = 0; t < out->target_count; ++t) {
        double most = 0.0;
        for (size_t k = 0; k < w->from->frame_count; ++k) {
            most = fmax(most, fabs(parts[k * out->target_count + t]));
        }
        for (size_t k = 0; k < w->from->frame_count; ++k) {
            double part = parts[k * out->target_count + t];
            out->weights[k * out->target_count + t] = (float)(most > 0.0 ? part / most : 0.0);
        }
        for (size_t i = 0; i < w->numbers; ++i) {
            out->targets[t * w->numbers + i] = (float)(most * w->basis[t * w->numbers + i]);
        }
    }
}

/* ---- all of it ----------------------------------------------------------------------------------------------------- */

static void put_base(morph_work *w)
{
    morph_mesh *out = w->out;
    const flexible_skin *skin = &out->skin;
    for (size_t i = 0; i < out->vertex_count; ++i) {
        v3 X = v3_load(w->mesh.nodes + 3 * (size_t)skin->nodes[skin->vertex_node[i]]);
        v3 at = v3_add(X, skin->offset[i]);
        out->positions[3 * i] = (float)at.x;
        out->positions[3 * i + 1] = (float)at.y;
        out->positions[3 * i + 2] = (float)at.z;
    }
    for (size_t i = 0; i < 3 * out->triangle_count; ++i) {
        out->triangles[i] = (uint32_t)skin->triangles[i];
    }
}

static bool make_room(morph_work *w, carom_arena *room)
{
    morph_mesh *out = w->out;
    size_t nodes = w->mesh.body->nodes.count;
    size_t frames = w->from->frame_count;
    w->numbers = 3 * out->vertex_count;
    w->sample_count = frames < MOST_SAMPLES ? frames : MOST_SAMPLES;
    w->u = CAROM_ARENA_ARRAY(room, double, 3 * nodes + 1);
    w->turn = CAROM_ARENA_ARRAY(room, double, 3 * nodes + 1);
    w->now = CAROM_ARENA_ARRAY(room, double, w->numbers + 1);
    w->samples = CAROM_ARENA_ARRAY(room, double, w->sample_count * w->numbers + 1);
    w->basis = CAROM_ARENA_ARRAY(room, double, MOST_TARGETS * w->numbers + 1);
    out->positions = CAROM_ARENA_ARRAY(&out->arena, float, w->numbers + 1);
    out->triangles = CAROM_ARENA_ARRAY(&out->arena, uint32_t, 3 * out->triangle_count + 1);
    return !room->failed && !out->arena.failed;
}

static carom_status fill(morph_work *w, carom_arena *room, carom_error *err)
{
    morph_mesh *out = w->out;
    if (!make_room(w, room)) {
        return no_memory(err);
    }
    put_base(w);
    carom_status status = read_samples(w, err);
    if (status != CAROM_OK) {
        return status;
    }
    find_basis(w);
    double *parts = CAROM_ARENA_ARRAY(room, double, w->from->frame_count * out->target_count + 1);
    out->targets = CAROM_ARENA_ARRAY(&out->arena, float, out->target_count * w->numbers + 1);
    out->weights = CAROM_ARENA_ARRAY(&out->arena, float, w->from->frame_count * out->target_count + 1);
    if (room->failed || out->arena.failed) {
        return no_memory(err);
    }
    status = find_weights(w, parts, err);
    if (status == CAROM_OK) {
        put_targets(w, parts);
    }
    return status;
}

carom_status morph_make(morph_mesh *out, const morph_request *request, carom_error *err)
{
    carom_arena room = { 0 };
    morph_work w = { .out = out, .from = request };
    *out = (morph_mesh){ 0 };
    carom_status status = result_flexible_mesh(request->result, request->body, &w.mesh, err);
    if (status == CAROM_OK && !flexible_skin_make(&out->skin, &w.mesh, request->most_nodes)) {
        status = no_memory(err);
    }
    out->vertex_count = out->skin.vertex_count;
    out->triangle_count = out->skin.triangle_count;
    status = status == CAROM_OK ? fill(&w, &room, err) : status;
    carom_arena_free(&room);
    return status;
}

void morph_free(morph_mesh *mesh)
{
    flexible_skin_free(&mesh->skin);
    carom_arena_free(&mesh->arena);
}
