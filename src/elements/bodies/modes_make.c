/* Parameters of the kind `modes`: the reduction, the sums over nodes that its mass needs, and what is kept of the mesh. */
#include <string.h>

#include "elements/bodies/modes_make.h"

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a body that deforms");
}

/* A shape, those of second order behind the others. */
static const double *vector_of(const modes_maker *m, int shape)
{
    int n = m->r->count;
    return shape < n ? m->r->shapes + (size_t)shape * (size_t)m->s->freedoms
                     : m->r->second + (size_t)(shape - n) * (size_t)m->s->freedoms;
}

v3 modes_shape_at(const modes_maker *m, int shape, int node, int from)
{
    const double *u = vector_of(m, shape);
    double x[3];
    for (int a = 0; a < 3; ++a) {
        int freedom = motion_freedom(m->s, node, from + a);
        x[a] = freedom >= 0 ? u[freedom] : 0.0;
    }
    return v3_load(x);
}

/* ---- sums ---------------------------------------------------------------------------------------------------------- */

int modal_axes(const motion_space *space)
{
    int axes = 1;
    for (int i = 0; i < space->count; ++i) {
        int motion = space->motions[i];
        axes = motion < 3 && motion >= axes ? motion + 1 : axes;
    }
    return axes;
}

/* The first `axes` rows and columns of m a b'. */
static void add_outer(double *sum, int axes, double mass, v3 a, v3 b)
{
    for (int i = 0; i < axes; ++i) {
        for (int k = 0; k < axes; ++k) {
            sum[axes * i + k] += mass * v3_get(a, i) * v3_get(b, k);
        }
    }
}

typedef modal_sums sums;

bool modal_sums_create(modal_sums *s, const modal_body *of, carom_arena *arena)
{
    size_t n = (size_t)of->total;
    size_t block = (size_t)(of->axes * of->axes);
    *s = (modal_sums){ .S = CAROM_ARENA_ARRAY(arena, double, 3 * n + 1),
                       .Q = CAROM_ARENA_ARRAY(arena, double, block *n + 1),
                       .P = CAROM_ARENA_ARRAY(arena, double, block *n *n + 1),
                       .A = CAROM_ARENA_ARRAY(arena, double, (size_t)modal_spins(of) * n * n + 1),
                       .T = CAROM_ARENA_ARRAY(arena, double, 3 * n + 1),
                       .F = CAROM_ARENA_ARRAY(arena, double, n *n + 1) };
    return !arena->failed;
}

void modal_sums_add(const modal_sums *s, const double *shapes, double mass, v3 X, modal_body *out)
{
    const int n = out->total;
    const int axes = out->axes;
    const int block = axes * axes;
    const int spins = modal_spins(out);
    add_outer(out->second.m, 3, mass, X, X);
    for (int k = 0; k < n; ++k) {
        v3 u = v3_load(shapes + 3 * k);
        add_outer(s->Q + block * k, axes, mass, X, u);
        for (int a = 0; a < 3; ++a) {
            s->S[n * a + k] += mass * v3_get(u, a);
        }
        for (int l = 0; l < n; ++l) {
            v3 other = v3_load(shapes + 3 * l);
            v3 cross = v3_cross(other, u);
            const size_t pair = (size_t)l * (size_t)n + (size_t)k;
            add_outer(s->P + (size_t)block * pair, axes, mass, other, u);
            for (int a = 0; a < spins; ++a) {
                s->A[(size_t)spins * pair + (size_t)a] += mass * v3_get(cross, 3 - spins + a);
            }
        }
    }
}

/* A shape that turns nodes of a beam without moving them moves its surface. */
static void add_reach(const modes_maker *m, double *reach, int node)
{
    const solid_section *c = &m->in->material->section;
    double radius = c->area > 0.0 ? sqrt((c->inertia_y + c->inertia_z) / c->area) : 0.0;
    for (int k = 0; k < m->out->count; ++k) {
        double moved = v3_norm(modes_shape_at(m, k, node, 0)) + radius * v3_norm(modes_shape_at(m, k, node, 3));
        reach[k] = fmax(reach[k], moved);
    }
}

/* Inertia of a node that turns, and its angular momentum per rate. */
static void add_turning(const modes_maker *m, const sums *s, int node, modal_body *out)
{
    for (int a = 0; a < 3; ++a) {
        int freedom = motion_freedom(m->s, node, 3 + a);
        double inertia = freedom >= 0 ? m->s->mass[freedom] : 0.0;
        out->turning.m[4 * a] += inertia;
        for (int k = 0; k < out->total; ++k) {
            s->T[out->total * a + k] += inertia * v3_get(modes_shape_at(m, k, node, 3), a);
        }
    }
}

/* What nodes in a plane or on a line do not have: inertia of the thickness, of the cross section. It matters where such a body turns out of
 * its plane, or about its line. */
void modal_add_thickness(const flexible_input *in, const motion_space *space, modal_body *out)
{
    const solid_material *material = in->material;
    bool in_space = space->count == MOTIONS;
    bool line = material->section.area > 0.0;
    if (in_space) {
        return;
    }
    if (!line) {
        double across = out->mass * material->thickness * material->thickness / 12.0;
        out->turning = m3_add(out->turning, m3_diag(across, across, 0.0));
        return;
    }
    const solid_section *c = &material->section;
    double y = out->mass * c->inertia_y / c->area;
    double z = out->mass * c->inertia_z / c->area;
    bool turns = space->count > 1; /* a beam in the plane: its nodes turn about z */
    out->turning = m3_add(out->turning, m3_diag(y + z, turns ? y + z : y, turns ? 0.0 : z));
}

static void add_products(const modes_maker *m, const sums *s)
{
    const modal_body *out = m->out;
    for (int i = 0; i < out->total; ++i) {
        for (int k = 0; k < out->total; ++k) {
            bool first = i < out->count && k < out->count;
            s->F[(size_t)i * (size_t)out->total + (size_t)k] = first ? (double)(i == k)
                                                                     : motion_product(m->s, vector_of(m, i),
                                                                                      vector_of(m, k));
        }
    }
}

/* What is kept for pictures: displacements (from 0) or rotations (from 3) per coordinate, by axis. */
static void keep_shapes(const modes_maker *m, int node, int from, double *out)
{
    int n = m->out->total;
    for (int k = 0; k < n; ++k) {
        v3 u = modes_shape_at(m, k, node, from);
        for (int a = 0; a < 3; ++a) {
            out[n * a + k] = v3_get(u, a);
        }
    }
}

static bool has_beams(const solid_mesh *mesh)
{
    bool found = false;
    for (int e = 0; e < solid_mesh_element_count(mesh) && !found; ++e) {
        found = solid_mesh_element(mesh, e).type->beam != NULL;
    }
    return found;
}

static carom_status make_sums(const modes_maker *m, carom_error *err)
{
    modal_body *out = m->out;
    size_t n = (size_t)out->total;
    sums s;
    double *here = CAROM_ARENA_ARRAY(m->arena, double, 3 * n);
    if (!modal_sums_create(&s, out, m->arena)) {
        return no_memory(err);
    }
    for (int i = 0; i < m->s->nodes; ++i) {
        for (int k = 0; k < out->total; ++k) {
            v3_store(here + 3 * k, modes_shape_at(m, k, i, 0));
        }
        if (flexible_node_used(m->in, i)) {
            modal_sums_add(&s, here, flexible_node_mass(m->in, m->s->mass, i), out->nodes[i], out);
            add_turning(m, &s, i, out);
        }
    }
    modal_add_thickness(m->in, m->s, out);
    add_products(m, &s);
    modal_sums_take(&s, out);
    return CAROM_OK;
}

void modal_sums_take(const modal_sums *s, modal_body *out)
{
    out->S = s->S;
    out->Q = s->Q;
    out->P = s->P;
    out->A = s->A;
    out->T = s->T;
    out->F = s->F;
}

/* Nodes and shapes, for pictures and for contact; how far each coordinate moves. */
static carom_status make_nodes(const modes_maker *m, carom_error *err)
{
    modal_body *out = m->out;
    size_t per_node = 3 * (size_t)out->total;
    double *shapes = CAROM_ARENA_ARRAY(m->arena, double, per_node *(size_t)m->s->nodes);
    bool turns = has_beams(m->in->mesh);
    double *turn = turns ? CAROM_ARENA_ARRAY(m->arena, double, per_node *(size_t)m->s->nodes) : NULL;
    double *reach = CAROM_ARENA_ARRAY(m->arena, double, out->total);
    v3 *nodes = CAROM_ARENA_ARRAY(m->arena, v3, m->s->nodes);
    if (m->arena->failed) {
        return no_memory(err);
    }
    for (int i = 0; i < m->s->nodes; ++i) {
        nodes[i] = v3_sub(solid_mesh_node(m->in->mesh, i), m->in->centre);
        keep_shapes(m, i, 0, shapes + per_node * (size_t)i);
        if (turns) {
            keep_shapes(m, i, 3, turn + per_node * (size_t)i);
        }
        if (flexible_node_used(m->in, i)) {
            add_reach(m, reach, i);
        }
    }
    out->nodes = nodes;
    out->shapes = shapes;
    out->turns = turn;
    out->reach = reach;
    return CAROM_OK;
}

/* ---- places and probes --------------------------------------------------------------------------------------------- */

static carom_status make_places(const modes_maker *m, carom_error *err)
{
    int count = m->in->attachment_count;
    modal_place *places = CAROM_ARENA_ARRAY(m->arena, modal_place, count + 1);
    for (int i = 0; places && i < count; ++i) {
        const flexible_attachment *a = &m->in->attachments[i];
        const component_place *place = &m->r->places[i];
        places[i] = (modal_place){
            .name = a->name,
            .at = v3_sub(place->at, m->in->centre),
            .low = v3_sub(a->low, m->in->centre),
            .high = v3_sub(a->high, m->in->centre),
            .psi = carom_arena_copy(m->arena, place->psi, (size_t)MOTIONS * (size_t)m->out->total * sizeof(double)),
        };
    }
    m->out->places = places;
    m->out->place_count = count;
    return m->arena->failed ? no_memory(err) : CAROM_OK;
}

/* A gauge on a beam measures along it. */
static carom_status check_gauge(const modes_maker *m, const carom_probe_def *def, const solid_spot *spot, v3 along,
                                carom_error *err)
{
    const double aligned = 1e-6; /* of a turn: what scenes write is rounded */
    v3 axis = solid_mesh_axis(m->in->mesh, spot->element);
    if (!(v3_norm(along) > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "'along' of the probe '%.100s' has no direction", def->name);
    }
    if (v3_norm(axis) > 0.0 && v3_norm(v3_cross(axis, v3_unit(along))) > aligned) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the gauge '%.100s' is on a beam and measures along it, (%g, %g, %g), not along (%g, %g, %g)", def->name,
            axis.x, axis.y, axis.z, along.x, along.y, along.z);
    }
    return CAROM_OK;
}

static carom_status make_probe(const modes_maker *m, const carom_probe_def *def, modal_probe *out, carom_error *err)
{
    int n = m->out->total;
    solid_spot spot;
    if (!solid_mesh_locate(m->in->mesh, def->at, &spot)) {
        return carom_fail(err, CAROM_BAD_INPUT, "the probe '%.100s' at (%g, %g, %g) m lies in no element of the mesh",
                          def->name, def->at.x, def->at.y, def->at.z);
    }
    const v3 along = def->along.count == 3 ? v3_load(def->along.data) : v3_zero();
    carom_status status = def->along.count == 3 ? check_gauge(m, def, &spot, along, err) : CAROM_OK;
    double *psi = CAROM_ARENA_ARRAY(m->arena, double, 3 * n);
    double *gauge = def->along.count == 3 ? CAROM_ARENA_ARRAY(m->arena, double, n) : NULL;
    *out = (modal_probe){ .at = v3_sub(def->at, m->in->centre), .psi = psi, .gauge = gauge };
    if (m->arena->failed) {
        return no_memory(err);
    }
    for (int k = 0; k < n && status == CAROM_OK; ++k) {
        const double *u = vector_of(m, k);
        v3 moved = solid_mesh_displacement(m->in->mesh, &spot, u);
        for (int a = 0; a < 3; ++a) {
            psi[n * a + k] = v3_get(moved, a);
        }
        if (gauge && k < m->out->count) { /* what shortens does not strain */
            gauge[k] = solid_mesh_strain_along(m->in->mesh, &spot, u, v3_unit(along));
        }
    }
    return status;
}

static carom_status make_probes(const modes_maker *m, carom_error *err)
{
    const carom_probe_def *defs = m->in->def->probes.items;
    int count = (int)m->in->def->probes.count;
    modal_probe *probes = CAROM_ARENA_ARRAY(m->arena, modal_probe, count + 1);
    body_probe *names = CAROM_ARENA_ARRAY(m->arena, body_probe, count + 1);
    carom_status status = probes && names ? CAROM_OK : no_memory(err);
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        for (int k = 0; k < i && status == CAROM_OK; ++k) {
            if (strcmp(defs[k].name, defs[i].name) == 0) {
                status = carom_fail(err, CAROM_BAD_INPUT, "two probes have the name '%.100s'", defs[i].name);
            }
        }
        status = status == CAROM_OK ? make_probe(m, &defs[i], &probes[i], err) : status;
        names[i] = (body_probe){ carom_arena_text(m->arena, defs[i].name), defs[i].along.count == 3 };
    }
    m->out->probe_names = names;
    m->out->probes = probes;
    m->out->probe_count = count;
    return status;
}

/* ---- stiffness and damping ------------------------------------------------------------------------------------------ */

static carom_status make_springs(const modes_maker *m, carom_error *err)
{
    size_t n = (size_t)m->out->count;
    const carom_flexible_damping_def *damping = &m->in->def->damping;
    double *d = CAROM_ARENA_ARRAY(m->arena, double, n);
    m->out->omega2 = carom_arena_copy(m->arena, m->r->omega2, n * sizeof(double));
    m->out->free_omega2 = carom_arena_copy(m->arena, m->r->free_omega2, n * sizeof(double));
    m->out->damping = d;
    m->out->damping_stiffness = damping->stiffness;
    m->out->damping_ratio = damping->ratio;
    if (m->arena->failed) {
        return no_memory(err);
    }
    for (size_t k = 0; k < n; ++k) {
        double omega2 = m->r->omega2[k];
        if (!(omega2 > 0.0)) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "its shape %zu of %zu has no stiffness (%g 1/s^2); are all cells of the mesh connected?", k + 1, n,
                omega2);
        }
        d[k] = damping->stiffness * omega2 + 2.0 * damping->ratio * sqrt(omega2);
    }
    return CAROM_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------ */

static carom_status check_kind(const flexible_input *in, carom_error *err)
{
    if (in->material->plane == AXISYMMETRIC) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "axisymmetric elements move along their axis only and cannot be 'modes'; take \"as\": \"nodes\", or "
            "elements in space");
    }
    return CAROM_OK;
}

static carom_status describe(const modes_maker *m, carom_error *err)
{
    carom_status status = make_nodes(m, err);
    status = status == CAROM_OK ? make_places(m, err) : status;
    return status == CAROM_OK ? make_probes(m, err) : status;
}

carom_status modal_describe(modal_body *out, const flexible_input *in, const component_modes *r, carom_arena *arena,
                            carom_error *err)
{
    const modes_maker m = { in, r, &r->space, out, arena };
    return describe(&m, err);
}

static carom_status make_all(const modes_maker *m, carom_error *err)
{
    carom_status status = describe(m, err);
    status = status == CAROM_OK ? make_sums(m, err) : status;
    status = status == CAROM_OK ? modes_make_surface(m, err) : status;
    return status == CAROM_OK ? make_springs(m, err) : status;
}

carom_status modes_make(const void **params, const flexible_input *in, carom_arena *arena, carom_error *err)
{
    carom_status status = check_kind(in, err);
    if (status != CAROM_OK) {
        return status;
    }
    component_modes r;
    modal_body *out = carom_arena_alloc(arena, sizeof *out);
    status = component_modes_make(&r, in, -1, err);
    if (status == CAROM_OK && r.count + r.pair_count > MODES_MOST) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "%d shapes of deformation are too many; at most %d are possible: ask for fewer modes",
                            r.count + r.pair_count, MODES_MOST);
    }
    if (status == CAROM_OK && out) {
        const modes_maker m = { in, &r, &r.space, out, arena };
        *out = (modal_body){ .count = r.count,
                             .total = r.count + r.pair_count,
                             .pairs = carom_arena_copy(arena, r.pairs, (size_t)r.pair_count * sizeof *r.pairs),
                             .axes = modal_axes(&r.space),
                             .mass = in->mass,
                             .node_count = r.space.nodes,
                             .element_count = solid_mesh_element_count(in->mesh),
                             .freedom_count = r.space.freedoms,
                             .dropped = r.dropped };
        status = make_all(&m, err);
    }
    component_modes_free(&r);
    *params = out;
    return status == CAROM_OK && !out ? no_memory(err) : status;
}
