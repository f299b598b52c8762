/* Modes of bodies that deform, for people and pictures. */
#include "model/modes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/hash.h"
#include "elements/flexible/zone_shapes.h"
#include "model/flexible_parts.h"
#include "model/method.h"
#include "model/model.h"

#define TWO_PI 6.28318530717958647693

carom_flexible_info carom_model_flexible(const carom_model *model, carom_id body)
{
    carom_flexible_info info = { 0 };
    bool there = model && body >= 0 && body < model->body_count;
    if (there && model->bodies[body].type->about) {
        info.kind = model->bodies[body].type->kind.name;
        model->bodies[body].type->about(model->bodies[body].params, &info);
    }
    for (int k = 0; info.kind && k < model->skin_count; ++k) {
        info.facet_count = model->skins[k].body == body ? model->skins[k].surface->facet_count : info.facet_count;
    }
    for (int k = 0; info.kind && model->method->leaps && k < model->surface_count; ++k) {
        info.facet_count = model->surfaces[k].body == body ? model->surfaces[k].facet_count : info.facet_count;
    }
    return info;
}

/* ---- finding --------------------------------------------------------------------------------------------------------- */

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for modes");
}

static const carom_body_def *find_body(const carom_spec *spec, const char *name, carom_error *err)
{
    for (size_t i = 0; i < carom_spec_body_count(spec); ++i) {
        const carom_body_def *def = carom_spec_body(spec, i);
        if (strcmp(def->name, name) == 0) {
            if (!def->flexible.given) {
                carom_fail(err, CAROM_BAD_INPUT, "body '%.100s' is rigid and has no modes; give it 'flexible'", name);
            }
            return def->flexible.given ? def : NULL;
        }
    }
    carom_text known = { 0 };
    for (size_t i = 0; i < carom_spec_body_count(spec); ++i) {
        const carom_body_def *def = carom_spec_body(spec, i);
        if (def->flexible.given) {
            carom_text_add(&known, "%s%s", known.data ? ", " : "", def->name);
        }
    }
    carom_fail(err, CAROM_BAD_INPUT, "the scene has no body '%.100s'; those that deform: %.300s", name,
               known.data ? known.data : "none");
    carom_text_free(&known);
    return NULL;
}

static double hertz(double omega2)
{
    return sqrt(fmax(0.0, omega2)) / TWO_PI;
}

static void take_shape(carom_modes *m, const component_modes *c, int from, int to)
{
    const double *u = c->raw + (size_t)from * (size_t)c->space.freedoms;
    size_t first = 3 * (size_t)to * (size_t)m->node_count;
    for (int i = 0; i < 3 * m->node_count; ++i) {
        int move = motion_freedom(&c->space, i / 3, i % 3);
        int turn = motion_freedom(&c->space, i / 3, 3 + i % 3);
        m->shapes[first + (size_t)i] = move >= 0 ? u[move] : 0.0;
        m->turns[first + (size_t)i] = turn >= 0 ? u[turn] : 0.0;
    }
}

static carom_status take_modes(carom_modes *m, const component_modes *c, const flexible_input *in, carom_error *err)
{
    static const char *const kinds[] = { [SHAPE_FIXED] = "fixed-interface",
                                         [SHAPE_CONSTRAINT] = "constraint",
                                         [SHAPE_LOAD] = "attachment",
                                         [SHAPE_FREE] = "free" };
    m->modes = CAROM_ARENA_ARRAY(&m->arena, carom_mode_info, c->source_count + 1);
    size_t numbers = 3 * (size_t)c->source_count * (size_t)m->node_count;
    m->shapes = CAROM_ARENA_ARRAY(&m->arena, double, numbers + 1);
    m->turns = CAROM_ARENA_ARRAY(&m->arena, double, numbers + 1);
    if (m->arena.failed) {
        return no_memory(err);
    }
    for (int k = 0; k < c->source_count; ++k) {
        const component_source *s = &c->sources[k];
        const char *attachment = s->attachment >= 0 ? in->attachments[s->attachment].name : NULL;
        m->modes[k] = (carom_mode_info){ .kind = kinds[s->kind],
                                         .attachment = carom_arena_text(&m->arena, attachment),
                                         .frequency = hertz(s->omega2),
                                         .mass = { s->effective[0], s->effective[1], s->effective[2] } };
        take_shape(m, c, k, k);
    }
    m->count = c->source_count;
    return m->arena.failed ? no_memory(err) : CAROM_OK;
}

static carom_status take_elements(carom_modes *m, const solid_mesh *solid, carom_error *err)
{
    int count = solid_mesh_element_count(solid);
    solid_element *elements = CAROM_ARENA_ARRAY(&m->arena, solid_element, count + 1);
    const solid_element first = solid_mesh_element(solid, 0);
    m->material = carom_arena_copy(&m->arena, first.material, sizeof *first.material);
    for (int e = 0; !m->arena.failed && e < count; ++e) {
        elements[e] = solid_mesh_element(solid, e);
        elements[e].material = m->material;
    }
    m->elements = elements;
    m->element_count = count;
    return m->arena.failed ? no_memory(err) : CAROM_OK;
}

static carom_status take_mesh(carom_modes *m, const flexible_input *in, carom_error *err)
{
    m->mass = in->mass;
    m->size = in->size;
    m->node_count = in->cells->node_count;
    m->cell_count = in->cells->cell_count;
    m->nodes = carom_arena_copy(&m->arena, in->cells->nodes, (size_t)m->node_count * sizeof *m->nodes);
    m->cells = carom_arena_copy(&m->arena, in->cells->cells, (size_t)m->cell_count * sizeof *m->cells);
    return m->arena.failed ? no_memory(err) : take_elements(m, in->mesh, err);
}

/* The frequencies of the body beside better ones, as far as those are known. */
static carom_status take_frequencies(carom_modes *m, const component_modes *body, const double *better,
                                     int better_count, carom_error *err)
{
    m->frequency_count = body->count;
    m->frequencies = CAROM_ARENA_ARRAY(&m->arena, carom_body_frequency, body->count + 1);
    for (int k = 0; m->frequencies && k < body->count; ++k) {
        m->frequencies[k] = (carom_body_frequency){ hertz(body->free_omega2[k]),
                                                    k < better_count ? hertz(better[k]) : (double)NAN };
    }
    return m->frequencies ? CAROM_OK : no_memory(err);
}

static int fixed_count(const component_modes *c)
{
    int count = 0;
    for (int k = 0; k < c->source_count; ++k) {
        count += c->sources[k].kind == SHAPE_FIXED || c->sources[k].kind == SHAPE_FREE;
    }
    return count;
}

/* The same of a body with a zone, of which nodes are coordinates too: shapes are those elsewhere. */
static carom_status find_zone(carom_modes *m, const flexible_input *in, int count, carom_error *err)
{
    zone_shapes own, twice = { 0 };
    carom_status status = zone_shapes_make(&own, in, count > 0 ? count : -1, err);
    status = status == CAROM_OK ? take_modes(m, &own.all, in, err) : status;
    status = status == CAROM_OK ? zone_shapes_make(&twice, in, 2 * own.modes, err) : status;
    status = status == CAROM_OK ? take_frequencies(m, &own.all, twice.all.free_omega2, twice.count, err) : status;
    zone_shapes_free(&own);
    zone_shapes_free(&twice);
    return status;
}

/* The shapes of the body, and its frequencies against those with twice the modes. */
static carom_status find_own(carom_modes *m, const flexible_input *in, int count, carom_error *err)
{
    component_modes own, twice = { 0 };
    carom_status status = component_modes_make(&own, in, count > 0 ? count : -1, err);
    status = status == CAROM_OK ? take_modes(m, &own, in, err) : status;
    status = status == CAROM_OK ? component_modes_make(&twice, in, 2 * fixed_count(&own), err) : status;
    status = status == CAROM_OK ? take_frequencies(m, &own, twice.free_omega2, twice.count, err) : status;
    component_modes_free(&own);
    component_modes_free(&twice);
    return status;
}

/* Modes of the finite elements without attachments, and the frequencies of the body against them. */
static carom_status find_free(carom_modes *m, const flexible_input *in, int count, carom_error *err)
{
    carom_flexible_def loose = *in->def;
    flexible_input free_input = *in;
    component_modes all, own = { 0 };
    loose.attachments = (carom_list){ 0 };
    loose.frame = CAROM_FRAME_MEAN;
    free_input.def = &loose;
    free_input.attachment_count = 0;
    free_input.key = in->key != 0 ? carom_hash(in->key, "free", sizeof "free") : 0;
    carom_status status = component_modes_make(&all, &free_input, count > 0 ? count : 10, err);
    status = status == CAROM_OK ? take_modes(m, &all, &free_input, err) : status;
    if (in->def->as == CAROM_FLEXIBLE_ZONE) {
        zone_shapes zone = { 0 };
        status = status == CAROM_OK ? zone_shapes_make(&zone, in, -1, err) : status;
        status = status == CAROM_OK ? take_frequencies(m, &zone.all, all.free_omega2, all.count, err) : status;
        zone_shapes_free(&zone);
    } else {
        status = status == CAROM_OK ? component_modes_make(&own, in, -1, err) : status;
        status = status == CAROM_OK ? take_frequencies(m, &own, all.free_omega2, all.count, err) : status;
    }
    component_modes_free(&all);
    component_modes_free(&own);
    return status;
}

static carom_status find(carom_modes *m, const carom_spec *spec, const carom_body_def *def,
                         const carom_modes_options *options, carom_error *err)
{
    flexible_parts parts;
    carom_error why = { 0 };
    carom_status status = flexible_parts_make(&parts, &carom_spec_scene(spec)->materials, def, &m->arena, err);
    if (status == CAROM_OK) {
        status = take_mesh(m, &parts.in, err);
        status = status != CAROM_OK                        ? status
                 : options->free                           ? find_free(m, &parts.in, options->count, &why)
                 : def->flexible.as == CAROM_FLEXIBLE_ZONE ? find_zone(m, &parts.in, options->count, &why)
                                                           : find_own(m, &parts.in, options->count, &why);
        status = why.message[0] ? carom_fail(err, status, "body '%.100s': %s", def->name, why.message) : status;
    }
    flexible_parts_free(&parts);
    return status;
}

carom_status carom_modes_find(const carom_spec *spec, const char *body, const carom_modes_options *options,
                              carom_modes **out, carom_error *err)
{
    const carom_modes_options usual = { 0 };
    const argument needed[] = { { "spec", spec }, { "body", body }, { "out", out } };
    carom_status status = arguments_given("carom_modes_find", needed, 3, err);
    if (out) {
        *out = NULL;
    }
    if (status == CAROM_OK && options && options->count < 0) {
        status = carom_fail(err, CAROM_BAD_INPUT, "carom_modes_find: %d modes are asked for", options->count);
    }
    const carom_body_def *def = status == CAROM_OK ? find_body(spec, body, err) : NULL;
    if (!def) {
        return CAROM_BAD_INPUT;
    }
    carom_modes *m = calloc(1, sizeof *m);
    status = m ? find(m, spec, def, options ? options : &usual, err) : no_memory(err);
    if (status != CAROM_OK) {
        carom_modes_destroy(m);
        return status;
    }
    *out = m;
    return CAROM_OK;
}

void carom_modes_destroy(carom_modes *modes)
{
    if (modes) {
        carom_arena_free(&modes->arena);
        free(modes);
    }
}

/* ---- questions ------------------------------------------------------------------------------------------------------- */

int carom_modes_count(const carom_modes *modes)
{
    return modes ? modes->count : 0;
}

carom_mode_info carom_modes_get(const carom_modes *modes, int index)
{
    bool there = modes && index >= 0 && index < modes->count;
    return there ? modes->modes[index] : (carom_mode_info){ 0 };
}

int carom_modes_frequency_count(const carom_modes *modes)
{
    return modes ? modes->frequency_count : 0;
}

carom_body_frequency carom_modes_frequency(const carom_modes *modes, int index)
{
    bool there = modes && index >= 0 && index < modes->frequency_count;
    return there ? modes->frequencies[index] : (carom_body_frequency){ 0 };
}

double carom_modes_mass(const carom_modes *modes)
{
    return modes ? modes->mass : 0.0;
}
