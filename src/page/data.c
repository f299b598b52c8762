/* The header of a page: everything about each run that is not an array, and the table of a comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "page/page.h"
#include "result/result_read.h"

enum { MOST_EVENTS = 20000 };

/* ---- values ------------------------------------------------------------------------------------------------------- */

void page_put(page_writer *w, json_t *object, const char *key, json_t *value)
{
    w->failed = json_object_set_new(object, key, value) != 0 || w->failed;
}

static void append(page_writer *w, json_t *list, json_t *value)
{
    w->failed = json_array_append_new(list, value) != 0 || w->failed;
}

/* ---- one run ------------------------------------------------------------------------------------------------------ */

/* What is no JSON object is as good as no summary. */
static json_t *summary_object(page_writer *w, const char *text)
{
    bool lacks_memory = false;
    json_t *object = text ? json_read_text(text, strlen(text), 0, NULL, &lacks_memory) : NULL;
    w->failed = w->failed || lacks_memory;
    if (!json_is_object(object)) {
        json_decref(object);
        return json_null();
    }
    return object;
}

static bool are_texts(const json_t *list)
{
    bool all = json_is_array(list);
    for (size_t i = 0; i < json_array_size(list); ++i) {
        all = all && json_is_string(json_array_get(list, i));
    }
    return all;
}

/* As result_view_text writes it; the page relies on that. */
static bool is_view(const json_t *v)
{
    const json_t *from = json_object_get(v, "from");
    bool numbers = json_array_size(from) == 3 && json_is_number(json_object_get(v, "at")) &&
                   json_is_number(json_object_get(v, "speed"));
    for (size_t i = 0; i < json_array_size(from); ++i) {
        numbers = numbers && json_is_number(json_array_get(from, i));
    }
    return numbers && json_is_boolean(json_object_get(v, "follow")) && json_is_boolean(json_object_get(v, "play")) &&
           are_texts(json_object_get(v, "hide")) && are_texts(json_object_get(v, "show")) &&
           are_texts(json_object_get(v, "plots"));
}

/* The views that the scene asks for; what is none is left out. */
static json_t *view_list(page_writer *w)
{
    const char *text = carom_result_text(w->result, "view");
    bool lacks_memory = false;
    json_t *read = text[0] ? json_read_text(text, strlen(text), 0, NULL, &lacks_memory) : NULL;
    json_t *list = json_array();
    w->failed = w->failed || lacks_memory;
    for (size_t i = 0; i < json_array_size(read); ++i) {
        json_t *view = json_array_get(read, i);
        w->failed = (is_view(view) && json_array_append(list, view) != 0) || w->failed;
    }
    json_decref(read);
    return list;
}

static void add_texts(page_writer *w, const char *label)
{
    static const char *const keys[] = { "name", "method", "command", "version" };
    const char *summary = carom_result_summary_text(w->result);
    page_put(w, w->run, "label", json_value_text(label));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        page_put(w, w->run, keys[i], json_value_text(carom_result_text(w->result, keys[i])));
    }
    page_put(w, w->run, "scene", json_value_text(carom_result_scene(w->result)));
    page_put(w, w->run, "views", view_list(w));
    page_put(w, w->run, "summary", summary_object(w, summary));
}

static json_t *color_of(const carom_result_body *body)
{
    const double *c = body->color;
    return c[0] >= 0.0
               ? json_pack("[o,o,o]", json_value_number(c[0]), json_value_number(c[1]), json_value_number(c[2]))
               : json_null();
}

static void add_bodies(page_writer *w)
{
    json_t *list = json_array();
    for (carom_id i = 1; i < (carom_id)carom_result_body_count(w->result);
         ++i) { /* a page has no row for the ground */
        carom_result_body body = carom_result_body_info(w->result, i);
        append(w, list,
               json_pack("{s:o, s:o, s:o, s:o}", "name", json_value_text(body.name), "role",
                         json_value_text(body.role), "mass", json_value_number(body.mass), "color", color_of(&body)));
    }
    page_put(w, w->run, "bodies", list);
}

static json_t *marker_object(const carom_pose *pose)
{
    const carom_v3 *p = &pose->position;
    const carom_quat *q = &pose->orientation;
    return json_pack("{s:[o,o,o], s:[o,o,o,o]}", "position", json_value_number(p->x), json_value_number(p->y),
                     json_value_number(p->z), "orientation", json_value_number(q->w), json_value_number(q->x),
                     json_value_number(q->y), json_value_number(q->z));
}

static void add_joints(page_writer *w)
{
    json_t *list = json_array();
    for (size_t i = 0; i < carom_result_joint_count(w->result); ++i) {
        carom_result_joint joint = carom_result_joint_info(w->result, i);
        json_t *markers = joint.has_markers ? json_pack("[o,o]", marker_object(&joint.marker_b[0]),
                                                        marker_object(&joint.marker_b[1]))
                                            : json_null();
        append(w, list,
               json_pack("{s:o, s:o, s:[i,i], s:o}", "name", json_value_text(joint.name), "type",
                         json_value_text(joint.type), "body", result_body_row(joint.body[0]),
                         result_body_row(joint.body[1]), "markers", markers));
    }
    page_put(w, w->run, "joints", list);
}

/* Springs, dampers, bushings, motors, loads. */
static void add_forces(page_writer *w)
{
    json_t *list = json_array();
    for (size_t i = 0; i < carom_result_force_count(w->result); ++i) {
        carom_result_force f = carom_result_force_info(w->result, i);
        bool single = f.body[1] == CAROM_NONE;
        append(w, list,
               json_pack("{s:o, s:o, s:[i,i], s:[o,o], s:i, s:b}", "name", json_value_text(f.name), "kind",
                         json_value_text(f.kind), "body", result_body_row(f.body[0]),
                         single ? RESULT_NO_BODY : result_body_row(f.body[1]), "markers",
                         marker_object(&f.marker_b[0]), marker_object(&f.marker_b[1]), "joint", f.joint, "turns",
                         f.turns));
    }
    page_put(w, w->run, "forces", list);
}

/* A run counts all of its events in the summary but records only so many. */
static double counted_events(const page_writer *w)
{
    const char *kind;
    const json_t *count;
    double sum = 0.0;
    json_object_foreach(json_object_get(json_object_get(w->run, "summary"), "events"), kind, count)
    {
        sum += json_number_value(count);
    }
    return sum < 9e15 ? sum : 0.0; /* what no run counts to is damage */
}

static json_t *vector_value(carom_v3 a)
{
    return json_pack("[o,o,o]", json_value_number(a.x), json_value_number(a.y), json_value_number(a.z));
}

/* What only methods that resolve impacts know, see viewer/src/format.ts. */
static json_t *details_object(const carom_event *e)
{
    return json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "joint", e->joint, "mode",
                     e->mode != CAROM_MODE_NONE ? carom_contact_mode_name(e->mode) : "", "position",
                     vector_value(e->position), "speed_after", json_value_number(e->speed_after), "slip",
                     json_value_number(v3_norm(e->slip)), "slip_after", json_value_number(v3_norm(e->slip_after)),
                     "normal_impulse", json_value_number(carom_event_normal_impulse(e)), "tangential_impulse",
                     json_value_number(carom_event_tangential_impulse(e)), "energy_lost",
                     json_value_number(e->energy_lost), "friction", carom_friction_state_name(e->friction),
                     "friction_after", carom_friction_state_name(e->friction_after));
}

static json_t *event_object(page_writer *w, const carom_event *e)
{
    json_t *object = json_pack("{s:o, s:s, s:i, s:i, s:o}", "t", json_value_number(e->t), "kind",
                               carom_event_kind_name(e->kind), "a", result_body_row(e->body[0]), "b",
                               result_body_row(e->body[1]), "speed", json_value_number(e->speed));
    if (object && e->kind == CAROM_EVENT_SCENE) {
        page_put(w, object, "name", json_value_text(carom_result_event_name(w->result, e)));
    }
    if (object && carom_event_has_details(e)) {
        page_put(w, object, "details", details_object(e));
    }
    return object;
}

static void add_events(page_writer *w)
{
    json_t *list = json_array();
    size_t recorded = carom_result_event_count(w->result);
    double total = fmax(counted_events(w), (double)recorded);
    const carom_event *events = carom_result_events(w->result);
    for (size_t i = 0; i < recorded && i < MOST_EVENTS; ++i) {
        append(w, list, event_object(w, &events[i]));
    }
    page_put(w, w->run, "events", list);
    page_put(w, w->run, "events_total", json_integer((json_int_t)total));
}

static carom_status add_pairs(page_writer *w, carom_error *err)
{
    json_t *list = json_array();
    carom_result_pair *pairs = NULL;
    size_t total = 0;
    carom_status status = carom_result_pairs(w->result, &pairs, &total, err);
    for (size_t i = 0; i < total && status == CAROM_OK; ++i) {
        const carom_result_pair *p = &pairs[i];
        append(w, list,
               json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "a", result_body_row(p->body[0]), "b",
                         result_body_row(p->body[1]), "first_touch", json_value_number(p->first_touch), "in_contact",
                         json_value_number(p->in_contact), "peak_force", json_value_number(p->peak_force), "peak_at",
                         json_value_number(p->peak_at), "impulse", json_value_number(p->impulse), "penetration",
                         json_value_number(p->penetration)));
    }
    carom_result_pairs_destroy(pairs);
    page_put(w, w->run, "pairs", list);
    page_put(w, w->run, "pairs_from", json_string(carom_result_pairs_of_steps(w->result) ? "steps" : "frames"));
    page_put(w, w->run, "pairs_total", json_integer((json_int_t)total));
    return status;
}

static carom_status add_run(page_writer *w, const char *label, carom_error *err)
{
    carom_status (*const parts[])(page_writer *, carom_error *) = {
        page_add_motion, page_add_contacts, page_add_surfaces, page_add_flexible, page_add_signals, add_pairs,
    };
    carom_status status = page_frames_choose(&w->frames, w->result, err);
    add_texts(w, label);
    add_bodies(w);
    add_joints(w);
    add_forces(w);
    add_events(w);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == CAROM_OK; ++i) {
        status = parts[i](w, err);
    }
    page_frames_free(&w->frames);
    return status;
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static json_t *row_object(page_writer *w, const carom_comparison_row *row, size_t count)
{
    json_t *values = json_array();
    for (size_t k = 0; k < count; ++k) {
        append(w, values, json_value_number(row->values[k]));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "group", json_value_text(row->group), "name", json_value_text(row->name),
                     "unit", json_value_text(row->unit), "values", values);
}

static json_t *comparison_object(page_writer *w, const carom_comparison *c)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < c->row_count; ++i) {
        append(w, rows, row_object(w, &c->rows[i], c->run_count));
    }
    return json_pack("{s:o}", "rows", rows);
}

static carom_status add_comparison(page_writer *w, json_t *report, const carom_result *const *results, size_t count,
                                   carom_error *err)
{
    carom_comparison *comparison = NULL;
    carom_status status = count > 1 ? carom_compare(results, count, &comparison, err) : CAROM_OK;
    page_put(w, report, "comparison", comparison ? comparison_object(w, comparison) : json_null());
    carom_comparison_destroy(comparison);
    return status;
}

static const char *title_of(const carom_result *const *results, const carom_page_options *options)
{
    return options && options->title ? options->title : carom_result_text(results[0], "name");
}

static carom_status add_runs(json_t *runs, const carom_result *const *results, size_t count,
                             const carom_page_options *options, byte_buffer *arrays, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; ++i) {
        page_writer w = { .result = results[i], .arrays = arrays, .run = json_object() };
        const char *method = carom_result_text(results[i], "method");
        status = add_run(&w, options && options->labels ? options->labels[i] : method, err);
        bool lost = json_array_append_new(runs, w.run) != 0 || w.failed || arrays->failed;
        if (status == CAROM_OK && lost) {
            status = carom_fail(err, CAROM_NO_MEMORY, "no memory for a page");
        }
    }
    return status;
}

carom_status page_join(json_t *report, const byte_buffer *arrays, byte_buffer *out, carom_error *err)
{
    static const unsigned char zeros[8];
    char *text = json_write_text(report, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (text) {
        size_t length = strlen(text);
        for (int i = 0; i < 4; ++i) {
            byte_buffer_add(out, &(unsigned char){ (unsigned char)(length >> 8 * i & 255) }, 1);
        }
        byte_buffer_add(out, text, length);
        byte_buffer_add(out, zeros, (8 - out->size % 8) % 8);
        byte_buffer_add(out, arrays->data, arrays->size);
    }
    free(text);
    return text && !out->failed ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "no memory for a page");
}

json_t *page_report(const char *title, json_t *runs)
{
    return json_pack("{s:i, s:s, s:o, s:o, s:n}", "format", 1, "carom", CAROM_VERSION, "title",
                     json_value_text(title), "runs", runs, "comparison");
}

carom_status page_data(const carom_result *const *results, size_t count, const carom_page_options *options,
                       byte_buffer *out, carom_error *err)
{
    byte_buffer arrays = { 0 };
    json_t *runs = json_array();
    page_writer head = { 0 }; /* for what is about no single run */
    carom_status status = add_runs(runs, results, count, options, &arrays, err);
    json_t *report = page_report(title_of(results, options), runs);
    if (status == CAROM_OK && report) {
        status = add_comparison(&head, report, results, count, err);
    }
    if (status == CAROM_OK && (head.failed || !report)) {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory for a page");
    }
    if (status == CAROM_OK) {
        status = page_join(report, &arrays, out, err);
    }
    json_decref(report);
    byte_buffer_free(&arrays);
    return status;
}
