/* Bodies in nodal coordinates: from finite elements to what a model has of them (nodal.h), and a rigid body for each of their rigid
 * attachments. */
#include <string.h>

#include "elements/bodies/rigid.h"
#include "elements/flexible/flexible.h"
#include "model/compile.h"

static int no_coordinates(const void *body)
{
    (void)body;
    return 0;
}

static carom_status refuse_marker(const void *body, body_point *point, carom_arena *arena, carom_error *err)
{
    (void)body;
    (void)point;
    (void)arena;
    return carom_fail(err, CAROM_BAD_INPUT, "joints and forces act on its rigid attachments");
}

/* A kind in name: it has no columns, and nothing of it is evaluated through this table. */
static const carom_body_type kind_nodes = {
    .kind = { .name = "nodes", .doc = "Every node of the mesh moves." },
    .coordinate_count = no_coordinates,
    .attach = refuse_marker,
    .strain_energy = nodal_strain_energy,
    .about = nodal_about,
    .probes = nodal_probes,
    .probe = nodal_probe,
};

/* ---- frames ---- */

/* The node of an attachment that is nearest to the middle of its nodes. */
static int middle_node(const flexible_input *in, const flexible_attachment *a)
{
    v3 middle = v3_zero();
    int best = a->nodes[0];
    double least = HUGE_VAL;
    for (int i = 0; i < a->node_count; ++i) {
        middle = v3_axpy(middle, 1.0 / a->node_count, solid_mesh_node(in->mesh, a->nodes[i]));
    }
    for (int i = 0; i < a->node_count; ++i) {
        double d = v3_norm(v3_sub(solid_mesh_node(in->mesh, a->nodes[i]), middle));
        if (d < least) {
            least = d;
            best = a->nodes[i];
        }
    }
    return best;
}

static carom_status choose_frame(const flexible_input *in, nodal_def *out, int chord[2], carom_error *err)
{
    const carom_flexible_def *def = in->def;
    int needed = def->frame == CAROM_FRAME_MEAN ? 0 : def->frame == CAROM_FRAME_CHORD ? 2 : 1;
    out->rotation = def->rotation == CAROM_ROTATION_ELEMENT ? ROTATION_ELEMENT : ROTATION_WHOLE;
    if (needed == 0 || out->rotation == ROTATION_ELEMENT) {
        return CAROM_OK;
    }
    if (in->attachment_count < needed) {
        return carom_fail(err, CAROM_BAD_INPUT, "its frame needs %d attachment%s, and there %s %d", needed,
                          needed == 1 ? "" : "s", in->attachment_count == 1 ? "is" : "are", in->attachment_count);
    }
    out->rotation = ROTATION_SET;
    if (needed == 1) {
        out->set = in->attachments[0].nodes;
        out->set_count = in->attachments[0].node_count;
        return CAROM_OK;
    }
    chord[0] = middle_node(in, &in->attachments[0]);
    chord[1] = middle_node(in, &in->attachments[1]);
    out->set = chord;
    out->set_count = 2;
    return CAROM_OK;
}

/* ---- the body ---- */

static carom_status check_start(const model_nodal *n, const model_body *body, carom_error *err)
{
    int d = nodal_dimension(n->nodes);
    const double rounding = 1e-9;
    v3 v = q_unrotate(body->start.orientation, body->start_velocity);
    v3 omega = q_unrotate(body->start.orientation, body->start_omega_w);
    bool axis = nodal_axisymmetric(n->nodes);
    double across = d == 3 ? 0.0 : axis ? hypot(v.x, v.z) : d == 2 ? fabs(v.z) : hypot(v.y, v.z);
    double turning = d == 3 ? 0.0 : d == 2 && !axis ? hypot(omega.x, omega.y) : v3_norm(omega);
    if (across <= rounding * v3_norm(v) && turning <= rounding * v3_norm(omega)) {
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_BAD_INPUT, "it starts with a motion that its nodes cannot follow: they move %s",
                      d == 1 ? "along its x axis"
                      : axis ? "along its y axis"
                             : "in its xy plane");
}

static carom_status list_sections(carom_model *model, model_nodal *n, const flexible_input *in, carom_error *err)
{
    int d = nodal_dimension(n->nodes);
    n->sections = CAROM_ARENA_ARRAY(&model->arena, model_section, in->attachment_count + 1);
    n->section_of = CAROM_ARENA_ARRAY(&model->arena, int, nodal_node_count(n->nodes) + 1);
    if (model->arena.failed) {
        return compile_check_memory(model, err);
    }
    for (int i = 0; i < nodal_node_count(n->nodes); ++i) {
        n->section_of[i] = -1;
    }
    for (int a = 0; a < in->attachment_count; ++a) {
        const flexible_attachment *from = &in->attachments[a];
        if (from->as != CAROM_ATTACH_RIGID) {
            continue;
        }
        if (nodal_axisymmetric(n->nodes) || from->node_count < d) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "attachment '%.100s' has %d node%s; a rigid one of such a body needs %s", from->name,
                              from->node_count, from->node_count == 1 ? "" : "s",
                              d == 3                         ? "three"
                              : nodal_axisymmetric(n->nodes) ? "a mesh that is no solid of revolution"
                                                             : "two: a hinge at a single node does not converge");
        }
        int number = n->section_count++;
        n->sections[number] = (model_section){ .name = from->name,
                                               .node_count = from->node_count,
                                               .nodes = from->nodes,
                                               .low = from->low,
                                               .high = from->high };
        for (int i = 0; i < from->node_count; ++i) {
            n->section_of[from->nodes[i]] = number;
        }
    }
    return CAROM_OK;
}

static carom_status make_nodal(carom_model *model, model_nodal *n, const model_body *body, const flexible_input *in,
                               carom_error *err)
{
    int chord[2];
    nodal_def def = { .mesh = n->mesh, .damping = in->def->damping.stiffness };
    carom_status status = choose_frame(in, &def, chord, err);
    if (status == CAROM_OK && in->def->damping.ratio > 0.0) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "damping.ratio is for modes; bodies in nodal coordinates know damping.stiffness");
    }
    if (status == CAROM_OK && in->def->initial == CAROM_STATIC) {
        status =
            carom_fail(err, CAROM_BAD_INPUT,
                       "'initial' is 'static', which a body in nodal coordinates cannot start with; write \"as\": "
                       "\"modes\" or \"zone\"");
    }
    status = status == CAROM_OK ? nodal_create(&n->nodes, &def, err) : status;
    status = status == CAROM_OK ? check_start(n, body, err) : status;
    status = status == CAROM_OK ? list_sections(model, n, in, err) : status;
    status = status == CAROM_OK ? nodal_make_probes(n, in, &model->arena, err) : status;
    if (status == CAROM_OK) {
        n->fastest = nodal_fastest_vibration(n->nodes);
        n->critical = nodal_critical_step(n->nodes, n->fastest.omega);
        status = isfinite(n->fastest.omega) ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    return status;
}

static void describe_body(carom_model *model, model_body *body, const model_nodal *n, const flexible_input *in)
{
    solid_totals totals = solid_mesh_totals(n->mesh);
    body->type = &kind_nodes;
    body->role = BODY_NODES;
    body->nodal = n;
    body->solid = n->mesh;
    body->params = n;
    body->com_b = in->centre;
    body->mass = nodal_total_mass(n->nodes);
    body->inertia_b = totals.inertia;
    body->first_deform = n->first_deform;
    model->deform_count += nodal_coordinate_count(n->nodes);
}

carom_status compile_nodes(carom_model *model, model_body *body, const flexible_input *in, solid_mesh **solid,
                           carom_error *err)
{
    model_nodal *n = &model->nodal[model->nodal_count++]; /* given back with the model from here on */
    *n = (model_nodal){ .body = model->body_count,
                        .mesh = *solid,
                        .first_deform = model->deform_count,
                        .start = body->start,
                        .R_start = q_matrix(body->start.orientation) };
    *solid = NULL;
    carom_status status = make_nodal(model, n, body, in, err);
    if (status == CAROM_OK) {
        describe_body(model, body, n, in);
    }
    return status;
}

/* ---- sections ---- */

/* Mass, centre and inertia of the nodes of a section. What cannot turn about an axis has the inertia of the axis it can turn about:
 * no moment ever acts about the others. */
static carom_status weigh(const model_nodal *n, model_section *s, double *mass, m3 *inertia, carom_error *err)
{
    int d = nodal_dimension(n->nodes);
    const double *m = nodal_mass(n->nodes);
    *mass = 0.0;
    s->centre = v3_zero();
    m3 second = m3_diag(0.0, 0.0, 0.0);
    for (int i = 0; i < s->node_count; ++i) {
        *mass += m[d * s->nodes[i]];
        s->centre = v3_axpy(s->centre, m[d * s->nodes[i]], nodal_place(n->nodes, s->nodes[i]));
    }
    s->centre = v3_scale(1.0 / *mass, s->centre);
    for (int i = 0; i < s->node_count; ++i) {
        v3 r = v3_sub(nodal_place(n->nodes, s->nodes[i]), s->centre);
        second = m3_add(second, m3_scale(m[d * s->nodes[i]], m3_outer(r, r)));
    }
    double polar = d == 1 ? *mass * n->surface->facet_size * n->surface->facet_size : m3_trace(second);
    *inertia = d == 3 ? m3_add(m3_diag(polar, polar, polar), m3_scale(-1.0, second)) : m3_diag(polar, polar, polar);
    double values[3];
    m3 axes;
    m3_eigen_symmetric(*inertia, values, &axes);
    return values[0] > 1e-9 * values[2]
               ? CAROM_OK
               : carom_fail(
                     err, CAROM_BAD_INPUT,
                     "the nodes of the rigid attachment '%.100s' lie on one line, about which it cannot be held",
                     s->name);
}

static carom_status make_section(carom_model *model, const model_nodal *n, model_section *s, carom_error *err)
{
    const model_body *whole = &model->bodies[n->body];
    model_body *body = &model->bodies[model->body_count];
    *body = (model_body){ .name = carom_arena_printf(&model->arena, "%s.%s", whole->name, s->name),
                          .role = BODY_FREE,
                          .type = &carom_body_rigid,
                          .slot = model->free_count,
                          .column = model->column_count,
                          .width = FRAME_COLUMNS,
                          .first_deform = model->deform_count,
                          .start = whole->start,
                          .start_velocity = whole->start_velocity,
                          .start_omega_w = whole->start_omega_w,
                          .color = { -1.0, 0.0, 0.0 },
                          .origin = whole->origin };
    carom_status status = weigh(n, s, &body->mass, &body->inertia_b, err);
    if (status != CAROM_OK) {
        return status;
    }
    const rigid_body rigid = { body->mass, body->inertia_b };
    body->params = carom_arena_copy(&model->arena, &rigid, sizeof rigid);
    body->com_b = s->centre;
    body->reach = v3_norm(v3_sub(s->high, s->low));
    s->body = model->body_count;
    model->free_bodies[model->free_count++] = model->body_count++;
    model->column_count += FRAME_COLUMNS;
    carom_names_add(&model->names, body->name, element_code(ELEMENT_BODY, s->body));
    return compile_check_memory(model, err);
}

carom_status compile_sections(carom_model *model, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int k = 0; k < model->nodal_count && status == CAROM_OK; ++k) {
        for (int s = 0; s < model->nodal[k].section_count && status == CAROM_OK; ++s) {
            status = make_section(model, &model->nodal[k], &model->nodal[k].sections[s], err);
        }
    }
    return status;
}

size_t compile_count_sections(const carom_spec *spec)
{
    size_t count = 0;
    for (size_t i = 0; i < carom_spec_body_count(spec); ++i) {
        const carom_body_def *def = carom_spec_body(spec, i);
        bool nodes = def->flexible.given && def->flexible.as == CAROM_FLEXIBLE_NODES;
        count += nodes ? def->flexible.attachments.count : 0;
    }
    return count;
}

/* ---- where joints and forces take hold ---- */

/* How far a place is outside of the box around a section's nodes. */
static double outside(const model_section *s, v3 p)
{
    v3 low = v3_sub(s->low, p);
    v3 high = v3_sub(p, s->high);
    return fmax(0.0, fmax(fmax(low.x, high.x), fmax(fmax(low.y, high.y), fmax(low.z, high.z))));
}

carom_status compile_find_section(const carom_model *model, int *body, v3 place_b, carom_error *err)
{
    const model_body *b = &model->bodies[*body];
    const model_nodal *n = b->nodal;
    const model_section *best = NULL;
    double least = HUGE_VAL;
    for (int s = 0; s < n->section_count; ++s) {
        double d = outside(&n->sections[s], place_b);
        if (d < least) {
            least = d;
            best = &n->sections[s];
        }
    }
    const double room = 1e-6 * v3_norm(v3_sub(place_b, b->com_b)) + 1e-9;
    if (best && least <= room) {
        *body = best->body;
        return CAROM_OK;
    }
    if (!best) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "body '%.100s' deforms and has no rigid attachment that a joint or a force could act on; give "
            "'flexible' an entry in 'attachments'",
            b->name);
    }
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "(%g, %g, %g) m is at no rigid attachment of body '%.100s'; the nearest one, '%.100s', is %.3g m "
        "away",
        place_b.x, place_b.y, place_b.z, b->name, best->name, least);
}
