/* What a result knows besides signals: bodies and their motion, shapes, joints, texts, events, contacts. */
#include "result/result_inside.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arguments.h"
#include "result/summary.h"

size_t carom_result_body_count(const carom_result *r)
{
    return r ? r->body_count + 1 : 0;
}

/* Whether the file has a row for this body; it has none for the ground. */
static bool has_row(const carom_result *r, carom_id body)
{
    return body > CAROM_GROUND && (size_t)body <= r->body_count;
}

const char *carom_result_body_name(const carom_result *r, carom_id body)
{
    if (r && body == CAROM_GROUND) {
        return "ground";
    }
    return r && has_row(r, body) ? r->body_names[result_body_row(body)] : NULL;
}

carom_result_body carom_result_body_info(const carom_result *r, carom_id body)
{
    if (r && has_row(r, body)) {
        return r->shapes->bodies[result_body_row(body)];
    }
    return (carom_result_body){ .name = "ground", .role = "fixed", .color = { -1.0, -1.0, -1.0 } };
}

/* The components [0, parts) of an item, a body or a joint, at a frame. */
static carom_status read_item(const carom_result *r, int table_index, size_t item, size_t parts, size_t frame,
                              double *out, carom_error *err)
{
    result_table *table = &r->tables[table_index];
    carom_status status = result_load_table(r, table, err);
    for (size_t c = 0; c < parts; ++c) {
        out[c] = status == CAROM_OK ? table->columns[(item * parts + c) * r->frames + frame] : 0.0;
    }
    return status;
}

carom_status carom_result_motion(const carom_result *r, carom_id body, size_t frame, carom_motion *out,
                                 carom_error *err)
{
    double p[3], q[4], v[3], w[3];
    const argument needed[] = { { "result", r }, { "out", out } };
    carom_status given = arguments_given("carom_result_motion", needed, 2, err);
    if (given != CAROM_OK) {
        return given;
    }
    *out = (carom_motion){ .pose.orientation.w = 1.0 };
    if (body == CAROM_GROUND) {
        return CAROM_OK;
    }
    if (!has_row(r, body) || frame >= r->frames) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.500s' has %zu bodies, body 0 being the ground, and %zu frames: no body %d at frame %zu",
                          r->path, r->body_count + 1, r->frames, body, frame);
    }
    static const size_t parts[] = { 3, 4, 3, 3 };
    double *const numbers[] = { p, q, v, w };
    size_t row = (size_t)result_body_row(body);
    for (int k = 0; k < 4; ++k) {
        carom_status status = read_item(r, r->motion_tables[k], row, parts[k], frame, numbers[k], err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    *out = (carom_motion){ .pose = { { p[0], p[1], p[2] }, { q[0], q[1], q[2], q[3] } },
                           .velocity = { v[0], v[1], v[2] },
                           .angular_velocity = { w[0], w[1], w[2] } };
    return CAROM_OK;
}

/* Force and torque of an item at a frame. */
static carom_status read_pair(const carom_result *r, const int tables[2], size_t item, size_t frame, carom_v3 *force,
                              carom_v3 *torque, carom_error *err)
{
    double numbers[2][3] = { { 0.0 } };
    carom_status status = read_item(r, tables[0], item, 3, frame, numbers[0], err);
    status = status == CAROM_OK ? read_item(r, tables[1], item, 3, frame, numbers[1], err) : status;
    *force = (carom_v3){ numbers[0][0], numbers[0][1], numbers[0][2] };
    *torque = (carom_v3){ numbers[1][0], numbers[1][1], numbers[1][2] };
    return status;
}

carom_status carom_result_reaction(const carom_result *r, size_t joint, size_t frame, carom_v3 *force,
                                   carom_v3 *torque, carom_error *err)
{
    const argument needed[] = { { "result", r }, { "force", force }, { "torque", torque } };
    carom_status status = arguments_given("carom_result_reaction", needed, 3, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (joint >= r->shapes->joint_count || frame >= r->frames) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu joints and %zu frames: no joint %zu at frame %zu",
                          r->path, r->shapes->joint_count, r->frames, joint, frame);
    }
    return read_pair(r, r->reaction_tables, joint, frame, force, torque, err);
}

size_t carom_result_force_count(const carom_result *r)
{
    return r ? r->shapes->force_count : 0;
}

carom_result_force carom_result_force_info(const carom_result *r, size_t force)
{
    return r && force < r->shapes->force_count
               ? r->shapes->forces[force]
               : (carom_result_force){ "", "", { CAROM_NONE, CAROM_NONE }, .joint = -1 };
}

carom_status carom_result_effort(const carom_result *r, size_t force, size_t frame, carom_v3 *effort,
                                 carom_v3 *torque, carom_error *err)
{
    const argument needed[] = { { "result", r }, { "effort", effort }, { "torque", torque } };
    carom_status status = arguments_given("carom_result_effort", needed, 3, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (force >= r->shapes->force_count || frame >= r->frames) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu forces and %zu frames: no force %zu at frame %zu",
                          r->path, r->shapes->force_count, r->frames, force, frame);
    }
    return read_pair(r, r->effort_tables, force, frame, effort, torque, err);
}

size_t carom_result_shape_count(const carom_result *r)
{
    return r ? r->shapes->shape_count : 0;
}

carom_result_shape carom_result_shape_info(const carom_result *r, size_t shape)
{
    return r && shape < r->shapes->shape_count
               ? r->shapes->shapes[shape]
               : (carom_result_shape){ .body = CAROM_NONE, .kind = "", .surface = -1 };
}

size_t carom_result_surface_count(const carom_result *r)
{
    return r ? r->shapes->surface_count : 0;
}

carom_status carom_result_surface(const carom_result *r, size_t surface, carom_surface *out, carom_error *err)
{
    const argument needed[] = { { "result", r }, { "out", out } };
    carom_status given = arguments_given("carom_result_surface", needed, 2, err);
    if (given != CAROM_OK) {
        return given;
    }
    result_shapes *s = r->shapes;
    const char *what = NULL;
    *out = (carom_surface){ 0 };
    if (surface >= s->surface_count) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu surfaces: no surface %zu", r->path,
                          s->surface_count, surface);
    }
    h5_quiet quiet = h5_quiet_begin();
    bool ok = result_shapes_load(s, r->file, &what);
    h5_quiet_end(quiet);
    if (!ok) {
        return what ? result_damaged(r, what, err) : result_no_memory(r, err);
    }
    size_t vertex = (size_t)s->first_vertex[surface];
    size_t triangle = (size_t)s->first_triangle[surface];
    *out = (carom_surface){ .vertex_count = (size_t)s->first_vertex[surface + 1] - vertex,
                            .triangle_count = (size_t)s->first_triangle[surface + 1] - triangle,
                            .vertices = s->vertices + 3 * vertex,
                            .triangles = s->triangles + 3 * triangle };
    return CAROM_OK;
}

size_t carom_result_joint_count(const carom_result *r)
{
    return r ? r->shapes->joint_count : 0;
}

carom_result_joint carom_result_joint_info(const carom_result *r, size_t joint)
{
    return r && joint < r->shapes->joint_count
               ? r->shapes->joints[joint]
               : (carom_result_joint){ .name = "", .type = "", .body = { CAROM_NONE, CAROM_NONE } };
}

const char *carom_result_text(const carom_result *r, const char *key)
{
    if (!r || !key) {
        return "";
    }
    if (strcmp(key, "version") == 0) {
        return r->version;
    }
    for (int i = 0; i < RESULT_TEXTS; ++i) {
        if (strcmp(key, result_text_names[i]) == 0 && r->texts[i] && r->texts[i][0]) {
            return r->texts[i][0];
        }
    }
    return "";
}

/* The folder the result lies in, with its last slash. */
static int folder_length(const carom_result *r)
{
    const char *slash = strrchr(r->path, '/');
    return slash ? (int)(slash - r->path) + 1 : 0;
}

carom_status result_read_summary(carom_result *r, carom_error *err)
{
    enum { LARGEST = 1 << 28 }; /* a million bodies take 200 MB */
    char path[FILE_PATH + 16];
    size_t bytes = 0;
    snprintf(path, sizeof path, "%.*ssummary.json", folder_length(r), r->path);
    if (!file_exists(path)) {
        return CAROM_OK;
    }
    carom_status status = file_read_whole(path, LARGEST, r->summary_text, &bytes, err);
    status = status == CAROM_OK ? summary_parse(*r->summary_text, bytes, path, &r->summary, err) : status;
    status = status == CAROM_OK ? summary_pairs(r->summary, r, &r->pairs, &r->pair_count, err) : status;
    return status == CAROM_IO_FAILED ? CAROM_BAD_INPUT : status;
}

const char *carom_result_summary_text(const carom_result *r)
{
    return r ? *r->summary_text : NULL;
}

const carom_summary *carom_result_summary(const carom_result *r)
{
    return r ? r->summary : NULL;
}

size_t carom_result_event_count(const carom_result *r)
{
    return r ? r->event_count : 0;
}

const char *carom_result_event_name(const carom_result *r, const carom_event *event)
{
    if (!r || !event) {
        return "";
    }
    bool own = event->kind == CAROM_EVENT_SCENE && event->named >= 0 && (size_t)event->named < r->named_count;
    return own ? r->named[event->named] : carom_event_kind_name(event->kind);
}

const carom_event *carom_result_events(const carom_result *r)
{
    return r ? r->events : NULL;
}

bool carom_result_has_contacts(const carom_result *r)
{
    return r && r->contacts->count != NULL;
}

size_t carom_result_contact_count(const carom_result *r, size_t frame)
{
    return r && r->contacts->count && frame < r->frames ? (size_t)r->contacts->count[frame] : 0;
}

carom_status carom_result_contacts(const carom_result *r, size_t frame, const carom_contact_point **out,
                                   carom_error *err)
{
    size_t count = 0;
    bool out_of_memory = false;
    const argument needed[] = { { "result", r }, { "out", out } };
    carom_status given = arguments_given("carom_result_contacts", needed, 2, err);
    if (given != CAROM_OK) {
        return given;
    }
    *out = NULL;
    if (frame >= r->frames) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu frames: no frame %zu", r->path, r->frames, frame);
    }
    h5_quiet quiet = h5_quiet_begin();
    bool ok = contact_reader_get(r->contacts, r->file, frame, out, &count, &out_of_memory);
    h5_quiet_end(quiet);
    if (!ok) {
        return out_of_memory ? result_no_memory(r, err) : result_damaged(r, "contacts", err);
    }
    return CAROM_OK;
}

carom_status result_refuse_own(const carom_result *r, const char *path, carom_error *err)
{
    struct stat own, other;
    bool same = stat(r->path, &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev &&
                own.st_ino == other.st_ino;
    return same ? carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is the result itself: choose another file", path)
                : CAROM_OK;
}
