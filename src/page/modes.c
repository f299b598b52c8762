/* A page of modes: a run of one body that deforms, in which each shape swings once in a second of its own. */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "files/output.h"
#include "page/page.h"
#include "result/flexible_skin.h"
#include "result/modes_mesh.h"

enum {
    MOST_MODES = 100,
    MOST_NODES = 6000,
    PER_MODE = 24,  /* frames */
    PER_STRAIN = 4, /* frames with strains: none, most, none, most */
};

typedef struct modes_page {
    const carom_modes *modes;
    int shown;
    carom_arena arena;
    flexible_mesh mesh;
    flexible_skin skin;
    page_writer w;
} modes_page;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for a page of modes");
}

static double *numbers(modes_page *p, size_t count)
{
    return CAROM_ARENA_ARRAY(&p->arena, double, count + 1);
}

static json_t *f32(modes_page *p, const double *values, size_t count)
{
    return values ? page_f32(p->w.arrays, values, count) : NULL;
}

/* ---- the body ------------------------------------------------------------------------------------------------------ */

/* Shape by shape at the drawn nodes, so large that the node that moves most moves by a tenth of the size. */
static json_t *basis(modes_page *p, bool turn)
{
    size_t count = p->skin.node_count;
    double *to = numbers(p, 3 * count * (size_t)p->shown);
    for (int k = 0; to && k < p->shown; ++k) {
        node_motion motion = modes_motion(p->modes, k);
        double reach = modes_reach(p->modes, k);
        double scale = reach > 0.0 ? 0.1 * p->modes->size / reach : 0.0;
        for (size_t i = 0; i < 3 * count; ++i) {
            size_t from = 3 * (size_t)p->skin.nodes[i / 3] + i % 3;
            to[3 * count * (size_t)k + i] = scale * (turn ? motion.turn : motion.u)[from];
        }
    }
    return f32(p, to, 3 * count * (size_t)p->shown);
}

static json_t *shapes_object(modes_page *p)
{
    const double two_pi = 6.28318530717958647693;
    size_t shown = (size_t)p->shown, frames = shown * PER_MODE + 1;
    double *factors = numbers(p, 2 * shown), *q = numbers(p, frames * shown);
    json_t *object = json_object();
    for (size_t k = 0; factors && q && k < shown; ++k) {
        factors[2 * k] = (double)k;
        factors[2 * k + 1] = -1.0;
        for (size_t f = 0; f < PER_MODE; ++f) {
            q[(k * PER_MODE + f) * shown + k] = sin(two_pi * (double)f / PER_MODE);
        }
    }
    page_put(&p->w, object, "factors", factors ? page_i32(p->w.arrays, factors, 2 * shown) : NULL);
    page_put(&p->w, object, "move", basis(p, false));
    page_put(&p->w, object, "turn", basis(p, true));
    page_put(&p->w, object, "coordinate", f32(p, q, frames * shown));
    return object;
}

/* Strain relative to the largest of its mode: a shape has no size of its own. */
static json_t *strain_array(modes_page *p, carom_error *err)
{
    size_t count = p->skin.node_count;
    stress_room room;
    node_stress *at = CAROM_ARENA_ARRAY(&p->arena, node_stress, p->modes->node_count + 1);
    double *to = numbers(p, count * ((size_t)p->shown * PER_STRAIN + 1));
    if (!stress_room_make(&room, &p->arena, (size_t)p->modes->node_count) || !at || !to) {
        no_memory(err);
        return NULL;
    }
    for (int k = 0; k < p->shown; ++k) {
        double most = 0.0;
        stress_at_nodes(&p->mesh, modes_motion(p->modes, k), NULL, &room, at);
        for (int i = 0; i < p->modes->node_count; ++i) {
            most = fmax(most, fabs((double)at[i].principal));
        }
        for (size_t i = 0; i < count; ++i) {
            double strain = fabs((double)at[p->skin.nodes[i]].principal);
            double share = most > 0.0 && isfinite(strain) ? strain / most : 0.0;
            for (size_t odd = 1; odd < PER_STRAIN; odd += 2) {
                to[((size_t)k * PER_STRAIN + odd) * count + i] = 65534.0 * share;
            }
        }
    }
    return page_u16(p->w.arrays, to, count * ((size_t)p->shown * PER_STRAIN + 1));
}

static json_t *times(modes_page *p, size_t per_mode)
{
    size_t count = (size_t)p->shown * per_mode + 1;
    double *time = numbers(p, count);
    for (size_t k = 0; time && k < count; ++k) {
        time[k] = (double)k / (double)per_mode;
    }
    return time ? page_f64(p->w.arrays, time, count) : NULL;
}

static json_t *integers(modes_page *p, const int32_t *values, size_t count)
{
    double *to = numbers(p, count);
    for (size_t i = 0; to && i < count; ++i) {
        to[i] = values[i];
    }
    return to ? page_u32(p->w.arrays, to, count) : NULL;
}

static json_t *body_object(modes_page *p, carom_error *err)
{
    const flexible_skin *s = &p->skin;
    double *nodes = numbers(p, 3 * s->node_count), *offsets = numbers(p, 3 * s->vertex_count);
    json_t *object = json_object(), *fields = json_array();
    for (size_t i = 0; nodes && i < s->node_count; ++i) {
        memcpy(nodes + 3 * i, p->mesh.nodes + 3 * (size_t)s->nodes[i], 3 * sizeof *nodes);
    }
    for (size_t i = 0; offsets && i < s->vertex_count; ++i) {
        v3_store(offsets + 3 * i, s->offset[i]);
    }
    json_t *strain = json_pack("{s:s, s:s, s:i, s:i, s:o}", "name", "relative_strain", "unit", "", "low", 0, "high",
                               1, "values", strain_array(p, err));
    p->w.failed = json_array_append_new(fields, strain) != 0 || p->w.failed;
    page_put(&p->w, object, "body", json_integer(0));
    page_put(&p->w, object, "kind", json_string("modes"));
    page_put(&p->w, object, "nodes_total", json_integer((json_int_t)s->all_nodes));
    page_put(&p->w, object, "nodes", f32(p, nodes, 3 * s->node_count));
    page_put(&p->w, object, "numbers", integers(p, s->nodes, s->node_count));
    page_put(&p->w, object, "vertex_node", integers(p, s->vertex_node, s->vertex_count));
    page_put(&p->w, object, "vertex_offset", s->has_offsets ? f32(p, offsets, 3 * s->vertex_count) : json_null());
    page_put(&p->w, object, "triangles", integers(p, s->triangles, 3 * s->triangle_count));
    page_put(&p->w, object, "shapes", shapes_object(p));
    page_put(&p->w, object, "displacement", json_null());
    page_put(&p->w, object, "time", times(p, PER_STRAIN));
    page_put(&p->w, object, "fields", fields);
    return object;
}

/* ---- the run ------------------------------------------------------------------------------------------------------- */

/* NULL: no memory. A shape in which something moves has a strain. */
static json_t *mode_object(const carom_modes *m, int k)
{
    carom_mode_info info = carom_modes_get(m, k);
    double strain = carom_modes_strain(m, k);
    if (isnan(strain) && modes_reach(m, k) > 0.0) {
        return NULL;
    }
    return json_pack("{s:o, s:o, s:o, s:[o,o,o], s:o}", "kind", json_value_text(info.kind), "attachment",
                     info.attachment ? json_value_text(info.attachment) : json_null(), "frequency",
                     json_value_number(info.frequency), "mass", json_value_number(info.mass[0]),
                     json_value_number(info.mass[1]), json_value_number(info.mass[2]), "strain",
                     json_value_number(1e-3 * strain));
}

static void put_modes(modes_page *p)
{
    json_t *list = json_array(), *frequencies = json_array();
    for (int k = 0; k < p->shown; ++k) {
        p->w.failed = json_array_append_new(list, mode_object(p->modes, k)) != 0 || p->w.failed;
    }
    for (int k = 0; k < carom_modes_frequency_count(p->modes); ++k) {
        carom_body_frequency f = carom_modes_frequency(p->modes, k);
        json_t *pair = json_pack("[o,o]", json_value_number(f.frequency), json_value_number(f.better));
        p->w.failed = json_array_append_new(frequencies, pair) != 0 || p->w.failed;
    }
    json_t *object = json_pack("{s:o, s:i, s:o, s:o}", "list", list, "total", p->modes->count, "mass",
                               json_value_number(p->modes->mass), "frequencies", frequencies);
    page_put(&p->w, p->w.run, "modes", object);
}

static void put_motion(modes_page *p)
{
    static const char *const vectors[] = { "position", "velocity", "angular_velocity" };
    size_t frames = (size_t)p->shown * PER_MODE + 1;
    double *zero = numbers(p, 3 * frames), *turn = numbers(p, 4 * frames);
    for (size_t k = 0; turn && k < frames; ++k) {
        turn[4 * k] = 1.0;
    }
    for (int k = 0; k < 3; ++k) {
        page_put(&p->w, p->w.run, vectors[k], f32(p, zero, 3 * frames));
    }
    page_put(&p->w, p->w.run, "orientation", f32(p, turn, 4 * frames));
    page_put(&p->w, p->w.run, "frames",
             json_pack("{s:I, s:I, s:o}", "total", (json_int_t)frames, "shown", (json_int_t)frames, "time",
                       times(p, PER_MODE)));
}

/* What a run has and modes have not. */
static void put_nothing(modes_page *p)
{
    static const char *const texts[] = { "label", "method", "command", "scene" };
    static const char *const lists[] = { "surfaces", "shapes", "joints", "forces", "events", "pairs", "views" };
    static const char *const nulls[] = { "summary",      "joint_force",   "joint_torque",
                                         "effort_force", "effort_torque", "contacts" };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        page_put(&p->w, p->w.run, texts[k], json_string(""));
    }
    for (size_t k = 0; k < sizeof nulls / sizeof *nulls; ++k) {
        page_put(&p->w, p->w.run, nulls[k], json_null());
    }
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        page_put(&p->w, p->w.run, lists[k], json_array());
    }
    page_put(&p->w, p->w.run, "events_total", json_integer(0));
    page_put(&p->w, p->w.run, "pairs_total", json_integer(0));
    page_put(&p->w, p->w.run, "triangles", json_pack("{s:i, s:i}", "total", 0, "shown", 0));
    page_put(&p->w, p->w.run, "signals",
             json_pack("{s:o, s:i, s:i, s:[]}", "time", page_f64(p->w.arrays, NULL, 0), "every", 1, "total", 0,
                       "list"));
}

static carom_status fill(modes_page *p, const char *title, carom_error *err)
{
    const carom_modes *m = p->modes;
    p->shown = m->count < MOST_MODES ? m->count : MOST_MODES;
    if (!modes_mesh_make(&p->mesh, m, &p->arena) || !flexible_skin_make(&p->skin, &p->mesh, MOST_NODES)) {
        return no_memory(err);
    }
    json_t *body = json_pack("{s:o, s:s, s:o, s:o}", "name", json_value_text(title), "role", "free", "mass",
                             json_value_number(m->mass), "color", json_null());
    page_put(&p->w, p->w.run, "bodies", json_pack("[o]", body));
    page_put(&p->w, p->w.run, "name", json_value_text(title));
    page_put(&p->w, p->w.run, "version", json_string(CAROM_VERSION));
    put_motion(p);
    put_nothing(p);
    put_modes(p);
    page_put(&p->w, p->w.run, "flexible", json_pack("[o]", body_object(p, err)));
    return p->w.failed || p->arena.failed || p->w.arrays->failed ? no_memory(err) : CAROM_OK;
}

carom_status carom_modes_page(const carom_modes *modes, const char *title, const char *file, carom_error *err)
{
    const argument needed[] = { { "modes", modes }, { "file", file } };
    byte_buffer arrays = { 0 }, data = { 0 };
    carom_status status = arguments_given("carom_modes_page", needed, 2, err);
    if (status != CAROM_OK) {
        return status;
    }
    const char *name = title ? title : "modes";
    modes_page p = { .modes = modes, .w = { .arrays = &arrays, .run = json_object() } };
    status = fill(&p, name, err);
    json_t *runs = json_array();
    bool lost = json_array_append_new(runs, p.w.run) != 0;
    json_t *report = page_report(name, runs);
    if (status == CAROM_OK && (lost || !report)) {
        status = no_memory(err);
    }
    status = status == CAROM_OK ? page_join(report, &arrays, &data, err) : status;
    status = status == CAROM_OK ? page_save(&data, file, err) : status;
    json_decref(report);
    flexible_skin_free(&p.skin);
    carom_arena_free(&p.arena);
    byte_buffer_free(&arrays);
    byte_buffer_free(&data);
    return status;
}
