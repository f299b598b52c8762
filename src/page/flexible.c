/* Bodies that deform: the surface of their finite elements and how it moves, and fields to colour it by. A body of shapes sends them and
 * the coordinates of every frame of the page; one whose nodes move on their own sends displacements, 16 bits each. Fields, and those
 * displacements, are sent for as many frames as a bound on their number allows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "math/quat.h"
#include "page/page.h"
#include "result/flexible_skin.h"
#include "result/result_read.h"
#include "result/result_stress.h"

enum {
    MOST_NODES = 6000,         /* of all bodies that deform: finer ones are made coarser */
    FEWEST_NODES = 300,        /* of one of them, however many there are */
    MOST_NODE_FRAMES = 600000, /* nodes x frames of fields: 7 MB of numbers */
    FEWEST_FRAMES = 60,
    UNKNOWN = 65535, /* of 16 bits: a value that is none */
};

/* ---- one body ----------------------------------------------------------------------------------------------------- */

enum { FIELD_SPEED, FIELD_VON_MISES, FIELD_STRAIN, FIELDS };
static const char *const field_names[FIELDS][2] = { { "speed", "m/s" },
                                                    { "von_mises", "Pa" },
                                                    { "principal_strain", "" } };

typedef struct drawn_body {
    page_writer *w;
    carom_id body;
    flexible_mesh mesh;
    flexible_skin skin;
    carom_arena arena;
    size_t snapshot_count;
    size_t *snapshots; /* recorded frames */
    double *u, *rate, *turn;
    node_stress *stress;
    stress_room room;
    bool *drawn;           /* nodes of the body */
    double *moved;         /* snapshots x nodes x 3, in units of scale */
    double *scale;         /* [m] of each snapshot */
    double *field[FIELDS]; /* snapshots x nodes */
} drawn_body;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for the deformed bodies of a page");
}

static bool has_shapes(const drawn_body *d)
{
    return d->mesh.body->moved.count == 0;
}

static bool make_room(drawn_body *d)
{
    size_t all = d->mesh.body->nodes.count;
    size_t rows = d->snapshot_count * d->skin.node_count;
    d->u = CAROM_ARENA_ARRAY(&d->arena, double, 3 * all + 1);
    d->rate = CAROM_ARENA_ARRAY(&d->arena, double, 3 * all + 1);
    d->turn = CAROM_ARENA_ARRAY(&d->arena, double, 3 * all + 1);
    d->stress = CAROM_ARENA_ARRAY(&d->arena, node_stress, all + 1);
    d->drawn = CAROM_ARENA_ARRAY(&d->arena, bool, all + 1);
    d->moved = has_shapes(d) ? NULL : CAROM_ARENA_ARRAY(&d->arena, double, 3 * rows + 1);
    d->scale = CAROM_ARENA_ARRAY(&d->arena, double, d->snapshot_count + 1);
    for (int k = 0; k < FIELDS; ++k) {
        d->field[k] = CAROM_ARENA_ARRAY(&d->arena, double, rows + 1);
    }
    for (size_t i = 0; d->drawn && i < d->skin.node_count; ++i) {
        d->drawn[d->skin.nodes[i]] = true;
    }
    return stress_room_make(&d->room, &d->arena, all);
}

/* ---- snapshots ---------------------------------------------------------------------------------------------------- */

static void keep_displacements(drawn_body *d, size_t k)
{
    size_t count = d->skin.node_count;
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) {
        const double *u = d->u + 3 * (size_t)d->skin.nodes[i];
        most = fmax(most, fmax(fabs(u[0]), fmax(fabs(u[1]), fabs(u[2]))));
    }
    d->scale[k] = most > 0.0 && isfinite(most) ? most / INT16_MAX : 1.0;
    for (size_t i = 0; i < 3 * count; ++i) {
        double u = d->u[3 * (size_t)d->skin.nodes[i / 3] + i % 3];
        d->moved[3 * count * k + i] = isfinite(u) ? u / d->scale[k] : 0.0;
    }
}

static void keep_fields(drawn_body *d, size_t k, const carom_motion *frame)
{
    for (size_t i = 0; i < d->skin.node_count; ++i) {
        size_t node = (size_t)d->skin.nodes[i], row = k * d->skin.node_count + i;
        v3 r_b = v3_add(v3_load(d->mesh.nodes + 3 * node), v3_load(d->u + 3 * node));
        v3 r_w = q_rotate(frame->pose.orientation, r_b);
        v3 carried_w = v3_add(frame->velocity, v3_cross(frame->angular_velocity, r_w));
        v3 moved_w = q_rotate(frame->pose.orientation, v3_load(d->rate + 3 * node));
        d->field[FIELD_SPEED][row] = v3_norm(v3_add(carried_w, moved_w));
        d->field[FIELD_VON_MISES][row] = (double)d->stress[node].von_mises;
        d->field[FIELD_STRAIN][row] = (double)d->stress[node].principal;
    }
}

static carom_status read_snapshot(drawn_body *d, size_t k, carom_error *err)
{
    const carom_result *r = d->w->result;
    carom_motion frame;
    size_t at = d->snapshots[k];
    carom_status status = carom_result_motion(r, d->body, at, &frame, err);
    status = status == CAROM_OK ? result_flexible_displacements(r, d->body, at, d->u, d->rate, err) : status;
    status = status == CAROM_OK ? result_flexible_turns(r, d->body, at, d->turn, err) : status;
    if (status == CAROM_OK) {
        stress_at_nodes(&d->mesh, (node_motion){ d->u, d->turn }, d->drawn, &d->room, d->stress);
        keep_fields(d, k, &frame);
        if (!has_shapes(d)) {
            keep_displacements(d, k);
        }
    }
    return status;
}

/* ---- into the page ------------------------------------------------------------------------------------------------ */

/* The numbers of a field as 16 bits between the least and the largest of them. */
static json_t *field_object(drawn_body *d, int k)
{
    size_t count = d->snapshot_count * d->skin.node_count;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < count; ++i) {
        double value = d->field[k][i];
        low = isfinite(value) ? fmin(low, value) : low;
        high = isfinite(value) ? fmax(high, value) : high;
    }
    for (size_t i = 0; i < count; ++i) {
        double value = d->field[k][i], range = high - low;
        d->field[k][i] = !isfinite(value) ? UNKNOWN : range > 0.0 ? (UNKNOWN - 1) * ((value - low) / range) : 0.0;
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", field_names[k][0], "unit", field_names[k][1], "low",
                     json_value_number(low <= high ? low : 0.0), "high", json_value_number(low <= high ? high : 0.0),
                     "values", page_u16(d->w->arrays, d->field[k], count));
}

static json_t *snapshot_times(drawn_body *d)
{
    double *time = CAROM_ARENA_ARRAY(&d->arena, double, d->snapshot_count + 1);
    for (size_t k = 0; time && k < d->snapshot_count; ++k) {
        time[k] = carom_result_time(d->w->result)[d->snapshots[k]];
    }
    return time ? page_f64(d->w->arrays, time, d->snapshot_count) : NULL;
}

static void put_fields(drawn_body *d, json_t *object)
{
    json_t *list = json_array();
    for (int k = 0; k < FIELDS; ++k) {
        d->w->failed = json_array_append_new(list, field_object(d, k)) != 0 || d->w->failed;
    }
    page_put(d->w, object, "time", snapshot_times(d));
    page_put(d->w, object, "fields", list);
}

static json_t *displacement_object(drawn_body *d)
{
    json_t *object = json_object();
    page_put(d->w, object, "scale", page_f64(d->w->arrays, d->scale, d->snapshot_count));
    page_put(d->w, object, "values", page_i16(d->w->arrays, d->moved, 3 * d->snapshot_count * d->skin.node_count));
    return object;
}

/* Displacements or rotations of the drawn nodes, shape by shape. */
static json_t *basis_array(drawn_body *d, const double *from, size_t shapes)
{
    size_t count = d->skin.node_count, all = d->mesh.body->nodes.count;
    double *basis = CAROM_ARENA_ARRAY(&d->arena, double, 3 * shapes * count + 1);
    for (size_t i = 0; basis && i < shapes * count; ++i) {
        size_t node = i / count * all + (size_t)d->skin.nodes[i % count];
        memcpy(basis + 3 * i, from + 3 * node, 3 * sizeof *basis);
    }
    return basis ? page_f32(d->w->arrays, basis, 3 * shapes * count) : NULL;
}

static carom_status read_coordinates(drawn_body *d, double *to, carom_error *err)
{
    size_t count = d->mesh.body->coordinates.count;
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < d->w->frames.count && status == CAROM_OK; ++k) {
        status = result_flexible_coordinates(d->w->result, d->body, d->w->frames.index[k], to + k * count, err);
    }
    return status;
}

static carom_status put_shapes(drawn_body *d, json_t *object, carom_error *err)
{
    flexible_basis b = result_flexible_basis(d->w->result, d->mesh.body);
    size_t numbers = d->w->frames.count * d->mesh.body->coordinates.count;
    double *q = CAROM_ARENA_ARRAY(&d->arena, double, numbers + 1);
    carom_status status = q ? read_coordinates(d, q, err) : no_memory(err);
    json_t *shapes = json_object();
    if (status == CAROM_OK) {
        page_put(d->w, shapes, "factors", page_i32(d->w->arrays, b.factors, 2 * b.shapes));
        page_put(d->w, shapes, "move", basis_array(d, b.move, b.shapes));
        page_put(d->w, shapes, "turn", b.turn ? basis_array(d, b.turn, b.shapes) : json_null());
        page_put(d->w, shapes, "coordinate", page_f32(d->w->arrays, q, numbers));
    }
    page_put(d->w, object, "shapes", shapes);
    return status;
}

static void put_integers(drawn_body *d, json_t *object, const char *key, const int32_t *values, size_t count)
{
    double *numbers = CAROM_ARENA_ARRAY(&d->arena, double, count + 1);
    for (size_t i = 0; numbers && i < count; ++i) {
        numbers[i] = values[i];
    }
    page_put(d->w, object, key, numbers ? page_u32(d->w->arrays, numbers, count) : NULL);
}

static void put_places(drawn_body *d, json_t *object)
{
    const flexible_skin *s = &d->skin;
    double *nodes = CAROM_ARENA_ARRAY(&d->arena, double, 3 * s->node_count + 1);
    double *offsets = CAROM_ARENA_ARRAY(&d->arena, double, 3 * s->vertex_count + 1);
    for (size_t i = 0; nodes && i < s->node_count; ++i) {
        memcpy(nodes + 3 * i, d->mesh.nodes + 3 * (size_t)s->nodes[i], 3 * sizeof *nodes);
    }
    for (size_t i = 0; offsets && i < s->vertex_count; ++i) {
        v3_store(offsets + 3 * i, s->offset[i]);
    }
    page_put(d->w, object, "nodes", nodes ? page_f32(d->w->arrays, nodes, 3 * s->node_count) : NULL);
    page_put(d->w, object, "vertex_offset",
             !offsets         ? NULL
             : s->has_offsets ? page_f32(d->w->arrays, offsets, 3 * s->vertex_count)
                              : json_null());
}

static carom_status put_body(drawn_body *d, json_t *object, carom_error *err)
{
    const flexible_skin *s = &d->skin;
    page_put(d->w, object, "body", json_integer(result_body_row(d->body)));
    page_put(d->w, object, "kind", json_value_text(d->mesh.body->kind));
    page_put(d->w, object, "nodes_total", json_integer((json_int_t)s->all_nodes));
    put_places(d, object);
    put_integers(d, object, "numbers", s->nodes, s->node_count);
    put_integers(d, object, "vertex_node", s->vertex_node, s->vertex_count);
    put_integers(d, object, "triangles", s->triangles, 3 * s->triangle_count);
    put_fields(d, object);
    if (has_shapes(d)) {
        page_put(d->w, object, "displacement", json_null());
        return put_shapes(d, object, err);
    }
    page_put(d->w, object, "shapes", json_null());
    page_put(d->w, object, "displacement", displacement_object(d));
    return CAROM_OK;
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

static size_t count_deforming(const page_writer *w)
{
    size_t count = 0;
    for (carom_id b = 1; b < (carom_id)carom_result_body_count(w->result); ++b) {
        count += carom_result_node_count(w->result, b) > 0;
    }
    return count;
}

/* Recorded frames that say where nodes are: all of the page, or where only some do, those. */
static size_t known_frame(const drawn_body *d, size_t k)
{
    size_t every = carom_result_nodes_every(d->w->result, d->body);
    return every > 1 ? k * every : d->w->frames.index[k];
}

static size_t count_known(const drawn_body *d)
{
    size_t every = carom_result_nodes_every(d->w->result, d->body);
    return every > 1 ? (carom_result_frame_count(d->w->result) + every - 1) / every : d->w->frames.count;
}

/* Some of them, evenly spread, with the first and the last. */
static bool choose_snapshots(drawn_body *d, size_t bodies)
{
    size_t total = count_known(d);
    size_t fitting = MOST_NODE_FRAMES / bodies / (d->skin.node_count + 1);
    size_t count = fitting < FEWEST_FRAMES ? FEWEST_FRAMES : fitting;
    count = count < total ? count : total;
    d->snapshot_count = count;
    d->snapshots = CAROM_ARENA_ARRAY(&d->arena, size_t, count + 1);
    for (size_t k = 0; d->snapshots && k < count; ++k) {
        d->snapshots[k] = known_frame(d, count == total ? k : (k * (total - 1) + (count - 1) / 2) / (count - 1));
    }
    return d->snapshots;
}

static carom_status fill_body(drawn_body *d, size_t bodies, json_t *list, carom_error *err)
{
    size_t share = MOST_NODES / bodies;
    carom_status status = result_flexible_mesh(d->w->result, d->body, &d->mesh, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (!flexible_skin_make(&d->skin, &d->mesh, share < FEWEST_NODES ? FEWEST_NODES : share) ||
        !choose_snapshots(d, bodies) || !make_room(d)) {
        return no_memory(err);
    }
    for (size_t k = 0; k < d->snapshot_count && status == CAROM_OK; ++k) {
        status = read_snapshot(d, k, err);
    }
    json_t *object = json_object();
    status = status == CAROM_OK ? put_body(d, object, err) : status;
    d->w->failed = json_array_append_new(list, object) != 0 || d->w->failed;
    return status == CAROM_OK && d->arena.failed ? no_memory(err) : status;
}

carom_status page_add_flexible(page_writer *w, carom_error *err)
{
    json_t *list = json_array();
    size_t bodies = count_deforming(w);
    carom_status status = CAROM_OK;
    for (carom_id b = 1; b < (carom_id)carom_result_body_count(w->result) && status == CAROM_OK; ++b) {
        drawn_body d = { .w = w, .body = b };
        if (carom_result_node_count(w->result, b) > 0) {
            status = fill_body(&d, bodies, list, err);
            flexible_skin_free(&d.skin);
            carom_arena_free(&d.arena);
        }
    }
    page_put(w, w->run, "flexible", list);
    return status;
}
