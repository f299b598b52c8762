/* Materials, and bodies that deform: from their definitions to finite elements, and from these to a kind of body (body.h: make). */
#include <string.h>

#include <carom/modes.h>

#include "base/hash.h"
#include "base/text.h"
#include "mesh_files/gmsh.h"
#include "model/compile.h"
#include "model/fields.h"
#include "model/flexible_parts.h"
#include "model/method.h"

/* ---- materials ------------------------------------------------------------------------------------------------- */

static carom_status check_material(const carom_list *materials, size_t index, carom_error *err)
{
    const carom_material_def *all = materials->items;
    const carom_material_def *m = &all[index];
    for (size_t i = 0; i < index; ++i) {
        if (strcmp(all[i].name, m->name) == 0) {
            return carom_fail(err, CAROM_BAD_INPUT, "two materials have the name '%.100s'", m->name);
        }
    }
    if (!(m->poisson > -1.0 && m->poisson < 0.5)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'poisson' of the material '%.100s' is %g; it must be above -1 and below 0.5", m->name,
                          m->poisson);
    }
    return CAROM_OK;
}

carom_status compile_materials(carom_model *model, const carom_list *materials, carom_error *err)
{
    const carom_material_def *defs = materials->items;
    carom_material_def *copies = CAROM_ARENA_ARRAY(&model->arena, carom_material_def, materials->count + 1);
    model->scene.materials = (carom_list){ 0 };
    carom_status status = compile_check_memory(model, err);
    for (size_t i = 0; i < materials->count && status == CAROM_OK; ++i) {
        copies[i] = defs[i];
        copies[i].name = carom_arena_text(&model->arena, defs[i].name);
        status = compile_check_memory(model, err);
        model->scene.materials = (carom_list){ i + 1, copies };
        status = status == CAROM_OK ? check_material(&model->scene.materials, i, err) : status;
    }
    return status == CAROM_OK ? status : model_blame_setting(model, "materials", status, err);
}

static const carom_material_def *find_material(const carom_list *materials, const char *name)
{
    const carom_material_def *all = materials->items;
    for (size_t i = 0; name && i < materials->count; ++i) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    return NULL;
}

const carom_material_def *compile_find_material(const carom_model *model, const char *name)
{
    return find_material(&model->scene.materials, name);
}

/* Sound is slower than light; below a micrometre per second a modulus or a density has the wrong unit. */
static carom_status check_sound(const carom_body_def *def, const carom_material_def *m, carom_error *err)
{
    const double slowest = 1e-6;
    const double light = 299792458.0;
    double speed = sqrt(m->young / m->density);
    return speed >= slowest && speed <= light
               ? CAROM_OK
               : carom_fail(
                     err, CAROM_BAD_INPUT,
                     "body '%.100s' deforms, and sound in its material '%.100s' would run at %.3g m/s (young %g Pa, "
                     "density %g kg/m^3; steel: 5000 m/s); check their units",
                     def->name, def->material, speed, m->young, m->density);
}

static carom_status elastic_material(const carom_list *materials, const carom_body_def *def,
                                     const carom_material_def **out, carom_error *err)
{
    const carom_material_def *m = find_material(materials, def->material);
    *out = m;
    if (!def->material) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "body '%.100s' deforms and has no 'material'; name one of the scene's \"materials\": {\"steel\": "
            "{\"young\": 210e9, \"poisson\": 0.3, \"density\": 7850}}",
            def->name);
    }
    if (!m) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "body '%.100s' deforms, and its material '%.100s' is not among the scene's 'materials'",
                          def->name, def->material);
    }
    if (!(m->young > 0.0) || !(m->density > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "body '%.100s' deforms, and its material '%.100s' has no '%s'",
                          def->name, def->material, m->young > 0.0 ? "density" : "young");
    }
    return check_sound(def, m, err);
}

/* ---- kinds ----------------------------------------------------------------------------------------------------- */

static const char *as_name(const carom_flexible_def *def)
{
    return field_find(carom_flexible_fields(), "as")->names[def->as];
}

/* The kind of body that `as` names, where it is one that is made of finite elements. */
static carom_status find_type(const carom_body_def *def, const carom_body_type **out, carom_error *err)
{
    for (const carom_body_type *const *type = carom_body_types(); *type; ++type) {
        if ((*type)->make && strcmp((*type)->kind.name, as_name(&def->flexible)) == 0) {
            *out = *type;
            return CAROM_OK;
        }
    }
    return carom_fail(err, CAROM_BAD_INPUT,
                      "body '%.100s' is to deform as '%s', which this version does not know; write \"as\": \"modes\"",
                      def->name, as_name(&def->flexible));
}

/* What the mesh decides cannot be given as well. */
static carom_status check_given(const model_body *body, const carom_body_def *def, carom_error *err)
{
    if (body->role != BODY_FREE) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "body '%.100s' is 'flexible' and does not move freely; leave out 'fixed' and 'motion' and hold it by "
            "joints at its attachments, or leave out 'flexible'",
            def->name);
    }
    const char *given = def->mass > 0.0                 ? "mass"
                        : def->inertia.count > 0        ? "inertia"
                        : def->center_of_mass.count > 0 ? "center_of_mass"
                        : def->density > 0.0            ? "density"
                                                        : NULL;
    return given
               ? carom_fail(
                     err, CAROM_BAD_INPUT,
                     "body '%.100s' is 'flexible' and gives '%s'; its mass, centre of mass and inertia come from its "
                     "mesh and its material: leave '%s' out",
                     def->name, given, given)
               : CAROM_OK;
}

/* ---- making ---------------------------------------------------------------------------------------------------- */

static carom_status read_or_make(volume_mesh *out, const carom_body_def *body, carom_error *err)
{
    const carom_flexible_def *def = &body->flexible;
    const carom_mesh_from_file_def *file = def->mesh.params;
    return flexible_mesh_is_made(&def->mesh)         ? flexible_mesh_make(out, def, err)
           : strcmp(def->mesh.kind, "of_shape") == 0 ? flexible_fill(out, body, def->mesh.params, err)
                                                     : gmsh_read(out, file->file, file->scale, err);
}

static uint64_t hash_cells(uint64_t hash, const volume_mesh *cells)
{
    hash = carom_hash(hash, cells->nodes, (size_t)cells->node_count * sizeof *cells->nodes);
    for (int c = 0; c < cells->cell_count; ++c) {
        const volume_cell *cell = &cells->cells[c];
        hash = hash_int(hash, (int)cell->kind);
        hash = carom_hash(hash, cell->nodes, (size_t)cell_kind_nodes(cell->kind) * sizeof *cell->nodes);
    }
    return hash;
}

/* Names the body in front of what went wrong. */
static carom_status blame(const char *body, const carom_error *why, carom_status status, carom_error *err)
{
    return carom_fail(err, status, "body '%.100s': %s", body, why->message);
}

void flexible_parts_free(flexible_parts *parts)
{
    solid_mesh_destroy(parts->solid);
    volume_mesh_free(&parts->cells);
}

/* Of all that a body is made from. Groups of the mesh count by the nodes that attachments found in them. */
static uint64_t hash_parts(const flexible_parts *parts)
{
    const flexible_input *in = &parts->in;
    uint64_t hash = fields_hash(CAROM_HASH_START, carom_flexible_fields(), in->def);
    hash = fields_hash(hash_cells(hash, &parts->cells), carom_material_fields(), parts->material);
    for (int i = 0; i < in->attachment_count; ++i) {
        const flexible_attachment *a = &in->attachments[i];
        hash = carom_hash(hash_int(hash, a->node_count), a->nodes, (size_t)a->node_count * sizeof *a->nodes);
    }
    return hash;
}

carom_status flexible_parts_make(flexible_parts *out, const carom_list *materials, const carom_body_def *def,
                                 carom_arena *arena, carom_error *err)
{
    carom_error why = { 0 };
    *out = (flexible_parts){ 0 };
    carom_status status = elastic_material(materials, def, &out->material, err);
    if (status != CAROM_OK) {
        return status;
    }
    status = read_or_make(&out->cells, def, &why);
    status = status == CAROM_OK
                 ? flexible_solid_make(&out->solid, &out->numbers, &out->cells, &def->flexible, out->material, &why)
                 : status;
    out->in = (flexible_input){
        .body = def->name, .def = &def->flexible, .cells = &out->cells, .mesh = out->solid, .material = &out->numbers
    };
    status = status == CAROM_OK ? flexible_input_make(&out->in, arena, &why) : status;
    out->hash = status == CAROM_OK ? hash_parts(out) : 0;
    out->in.key = hash_text(out->hash, CAROM_VERSION); /* what is kept belongs to one version of the program */
    return status == CAROM_OK ? status : blame(def->name, &why, status, err);
}

/* What follows the deformation of a body with columns: every node of its mesh. */
static carom_status make_points(carom_model *model, model_surface *s, const model_body *body, const solid_mesh *solid,
                                carom_error *err)
{
    int count = solid_mesh_node_count(solid);
    body_point *points = CAROM_ARENA_ARRAY(&model->arena, body_point, count + 1);
    for (int i = 0; points && i < count; ++i) {
        points[i].orientation = q_identity();
        points[i].position = v3_sub(solid_mesh_node(solid, i), body->com_b);
        body->type->attach_node(body->params, i, &points[i]);
    }
    s->points = points;
    return compile_check_memory(model, err);
}

/* Bars in a row along x have ends that can touch; trusses have no surface. */
static bool has_surface(const solid_mesh *solid)
{
    for (int e = 0; e < solid_mesh_element_count(solid); ++e) {
        const solid_element element = solid_mesh_element(solid, e);
        v3 along = v3_sub(element.X[1], element.X[0]);
        if (element.type->dimension == 1 && (along.y != 0.0 || along.z != 0.0)) {
            return false;
        }
    }
    return true;
}

/* The surface that can touch. Beams have none. Methods with skins ask the kind of the body for another one. */
static carom_status compile_surface(carom_model *model, model_body *body, const char *material, carom_error *err)
{
    model_surface *s = &model->surfaces[model->surface_count];
    const model_nodal *n = body->nodal;
    if (!n && (model->method->skins || !body->type->attach_node || !has_surface(body->solid))) {
        return CAROM_OK;
    }
    *s = (model_surface){ .body = model->body_count,
                          .material = carom_arena_text(&model->arena, material),
                          .nodal = n,
                          .dimension = solid_mesh_element(body->solid, 0).type->dimension };
    carom_status status = surface_find(s, body->solid, n ? nodal_held(n->nodes) : NULL, &model->arena, err);
    if (status == CAROM_OK && body->type->touches) {
        surface_leave_zone(s, body->type, body->params, &model->arena);
    }
    status = status == CAROM_OK && !n ? make_points(model, s, body, body->solid, err) : status;
    if (status == CAROM_OK) {
        model->surface_count++;
    }
    return status;
}

carom_status compile_flexible(carom_model *model, model_body *body, const carom_body_def *def, carom_error *err)
{
    carom_status status = check_given(body, def, err);
    bool nodes = def->flexible.as == CAROM_FLEXIBLE_NODES;
    status = status == CAROM_OK && !nodes ? find_type(def, &body->type, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    flexible_parts parts;
    carom_error why = { 0 };
    status = flexible_parts_make(&parts, &model->scene.materials, def, &model->arena, err);
    parts.in.skin = model->method->skins;
    if (status == CAROM_OK) {
        status = nodes ? compile_nodes(model, body, &parts.in, &parts.solid, &why)
                       : body->type->make(&body->params, &parts.in, &model->arena, &why);
        status = status == CAROM_OK ? compile_check_memory(model, err) : blame(body->name, &why, status, err);
        body->com_b = parts.in.centre;
        body->flexible_hash = parts.hash;
        body->quasi_static = def->flexible.initial == CAROM_STATIC;
        body->material = carom_arena_text(&model->arena, def->material);
    }
    if (status == CAROM_OK && !nodes) {
        body->solid = model->solids[model->solid_count++] = parts.solid;
        parts.solid = NULL;
    }
    flexible_parts_free(&parts);
    status = status == CAROM_OK ? compile_surface(model, body, def->material, err) : status;
    if (status == CAROM_OK && nodes) {
        model->nodal[model->nodal_count - 1].surface = &model->surfaces[model->surface_count - 1];
    }
    return status == CAROM_OK && !nodes ? compile_take_mass(body, err) : status;
}

void compile_flexible_notes(carom_model *model, const model_body *body, const carom_body_def *def)
{
    const double two_pi = 6.28318530717958647693;
    const double fast =
        0.1; /* of the lowest frequency: stiffness by tension is then a hundredth of that of bending */
    carom_flexible_info about = { 0 };
    if (!body->type->about || body->role == BODY_NODES) { /* nodes have no shapes to speak of */
        return;
    }
    body->type->about(body->params, &about);
    if (about.dropped > 0) {
        compile_note(model, (note_place){ .origin = &body->origin, .inside = "flexible" },
                     "body '%.100s': %d of its shapes say nothing that the others do not, and are left out",
                     body->name, about.dropped);
    }
    double spin = v3_norm(body->start_omega_w);
    if (!def->flexible.stiffening && about.lowest > 0.0 && spin > fast * two_pi * about.lowest) {
        compile_note(
            model, (note_place){ .origin = &body->origin, .inside = "flexible", .warning = true },
            "body '%.100s' starts turning at %.3g rad/s, and its lowest frequency is %.3g rad/s: tension will make it "
            "stiffer than it is here; \"modes\" follow that with \"stiffening\": true, \"nodes\" with \"rotation\": "
            "\"element\"",
            body->name, spin, two_pi * about.lowest);
    }
}
