/* Parameters of the kind `zone`: the reduction (elements/flexible/zone_shapes.h), sums over the nodes outside, nodes of the zone, stiffness. */
#include "elements/bodies/zone_make.h"

#include <string.h>

#include "elements/bodies/modes_make.h"
#include "elements/flexible/zone_shapes.h"

typedef struct maker {
    const flexible_input *in;
    const zone_shapes *z;
    const motion_space *s;
    zone_body *out;
    carom_arena *arena;
} maker;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a body with a zone");
}

static v3 vector_at(const maker *m, const double *u, int node)
{
    double x[3] = { 0.0, 0.0, 0.0 };
    for (int a = 0; a < 3; ++a) {
        int freedom = motion_freedom(m->s, node, a);
        x[a] = freedom >= 0 ? u[freedom] : 0.0;
    }
    return v3_load(x);
}

static const double *row(const double *rows, int k, const motion_space *s)
{
    return rows + (size_t)k * (size_t)s->freedoms;
}

/* ---- nodes outside --------------------------------------------------------------------------------------------------- */

static carom_status make_rest(const maker *m, carom_error *err)
{
    modal_body *rest = &m->out->rest;
    const int n = m->z->dense + (m->z->rank > 0 ? m->s->count : 0); /* without rank nothing moves the frame */
    modal_sums sums;
    double *here = CAROM_ARENA_ARRAY(m->arena, double, 3 * n + 1);
    *rest = (modal_body){ .count = n, .total = n, .axes = m->out->all.axes };
    if (!modal_sums_create(&sums, rest, m->arena)) {
        return no_memory(err);
    }
    for (int i = 0; i < m->s->nodes; ++i) {
        double mass = flexible_node_used(m->in, i) && !m->z->inside[i] ? flexible_node_mass(m->in, m->s->mass, i)
                                                                       : 0.0;
        for (int k = 0; mass > 0.0 && k < n; ++k) {
            bool shape = k < m->z->dense;
            v3_store(here + 3 * k,
                     vector_at(m, shape ? row(m->z->V, k, m->s) : row(m->z->R, k - m->z->dense, m->s), i));
        }
        if (mass > 0.0) {
            v3 X = v3_sub(solid_mesh_node(m->in->mesh, i), m->in->centre);
            modal_sums_add(&sums, here, mass, X, rest);
            rest->first = v3_axpy(rest->first, mass, X);
        }
    }
    rest->mass = m->in->mass; /* of the whole: thickness belongs to all nodes */
    modal_add_thickness(m->in, m->s, rest);
    modal_sums_take(&sums, rest);
    return CAROM_OK;
}

/* ---- nodes of the zone ------------------------------------------------------------------------------------------------ */

/* Displacement per sigma: what H adds to its own coordinates, minus the rigid motion of the frame. */
static double *make_lift(const maker *m, const zone_node *n)
{
    const int rank = m->z->rank;
    double *lift = CAROM_ARENA_ARRAY(m->arena, double, 3 * rank + 1);
    for (int a = 0; lift && a < 3; ++a) {
        for (int j = 0; j < rank; ++j) {
            double sum = 0.0;
            for (int i = 0; n->at[a] >= 0 && i < rank; ++i) {
                sum += m->z->Q[n->at[a] * rank + i] * m->z->T[i * rank + j] / n->root;
            }
            for (int i = 0; i < m->s->count; ++i) {
                sum -= v3_get(n->motion[i], a) * m->z->C[i * rank + j];
            }
            lift[a * rank + j] = sum;
        }
    }
    return lift;
}

static void make_node(const maker *m, int node, zone_node *out)
{
    double mass = flexible_node_mass(m->in, m->s->mass, node);
    *out = (zone_node){ .X = v3_sub(solid_mesh_node(m->in->mesh, node), m->in->centre),
                        .mass = mass,
                        .root = sqrt(mass),
                        .per_root = 1.0 / sqrt(mass),
                        .at = { -1, -1, -1 } };
    for (int a = 0; a < 3; ++a) {
        int freedom = motion_freedom(m->s, node, a);
        out->at[a] = freedom >= 0 ? m->z->coordinate[freedom] : -1;
    }
    for (int i = 0; i < m->s->count; ++i) {
        out->motion[i] = vector_at(m, row(m->z->R, i, m->s), node);
    }
    out->lift = make_lift(m, out);
}

static carom_status make_nodes(const maker *m, carom_error *err)
{
    const size_t count = (size_t)m->s->nodes + 1;
    zone_node *nodes = CAROM_ARENA_ARRAY(m->arena, zone_node, count);
    int *zone_of = CAROM_ARENA_ARRAY(m->arena, int, count);
    for (int i = 0; nodes && zone_of && i < m->s->nodes; ++i) {
        zone_of[i] = m->z->inside[i] ? m->out->node_count : -1;
        if (m->z->inside[i]) {
            make_node(m, i, &nodes[m->out->node_count++]);
        }
    }
    m->out->nodes = nodes;
    m->out->zone_of = zone_of;
    m->out->touches = carom_arena_copy(m->arena, m->z->zone, count * sizeof *m->z->zone);
    return m->arena->failed ? no_memory(err) : CAROM_OK;
}

/* ---- stiffness -------------------------------------------------------------------------------------------------------- */

/* Of the coordinate i of the zone with freedom `k`: root of its mass times K v_j there. */
static double coupling(const maker *m, int freedom, int j)
{
    return row(m->z->KV, j, m->s)[freedom] / sqrt(m->s->mass[freedom]);
}

static carom_status make_links(const maker *m, const int *freedom_of, carom_error *err)
{
    const int own = m->z->count - m->z->dense;
    const int d = m->z->dense;
    int *link = CAROM_ARENA_ARRAY(m->arena, int, own + 1);
    double *links = CAROM_ARENA_ARRAY(m->arena, double, (size_t)own *(size_t)d + 1);
    int count = 0;
    for (int i = 0; link && links && i < own; ++i) {
        bool any = false;
        for (int k = 0; k < d; ++k) {
            links[(size_t)count * (size_t)d + (size_t)k] = coupling(m, freedom_of[i], k);
            any = any || links[(size_t)count * (size_t)d + (size_t)k] != 0.0;
        }
        link[count] = d + i;
        count += any;
    }
    m->out->link_count = count;
    m->out->link = link;
    m->out->links = links;
    return m->arena->failed ? no_memory(err) : CAROM_OK;
}

/* The part among coordinates of the zone, by rows; column j of K V is row j, and only what differs from zero is kept. */
static carom_status make_rows(const maker *m, const int *freedom_of, carom_error *err)
{
    const int own = m->z->count - m->z->dense;
    const int d = m->z->dense;
    int entries = 0;
    for (int i = 0; i < own; ++i) {
        for (int k = 0; k < own; ++k) {
            entries += coupling(m, freedom_of[i], d + k) != 0.0;
        }
    }
    int *start = CAROM_ARENA_ARRAY(m->arena, int, own + 1);
    int *column = CAROM_ARENA_ARRAY(m->arena, int, entries + 1);
    double *value = CAROM_ARENA_ARRAY(m->arena, double, entries + 1);
    int at = 0;
    for (int i = 0; start && column && value && i < own; ++i) {
        start[i] = at;
        for (int k = 0; k < own; ++k) {
            double x = coupling(m, freedom_of[i], d + k);
            if (x != 0.0) {
                column[at] = d + k;
                value[at++] = x;
            }
        }
        start[i + 1] = at;
    }
    m->out->start = start;
    m->out->column = column;
    m->out->value = value;
    return m->arena->failed ? no_memory(err) : CAROM_OK;
}

static carom_status make_stiffness(const maker *m, carom_error *err)
{
    const size_t n = (size_t)m->z->count;
    int *freedom_of = CAROM_ARENA_ARRAY(m->arena, int, n + 1);
    for (int k = 0; freedom_of && k < m->s->freedoms; ++k) {
        if (m->z->coordinate[k] >= 0) {
            freedom_of[m->z->coordinate[k] - m->z->dense] = k;
        }
    }
    m->out->damping = m->in->def->damping.stiffness;
    m->out->all.damping_stiffness = m->out->damping;
    m->out->omega2 = carom_arena_copy(m->arena, m->z->omega2, (size_t)m->z->dense * sizeof(double));
    m->out->K = carom_arena_copy(m->arena, m->z->K, n * n * sizeof(double));
    carom_status status = m->arena->failed ? no_memory(err) : make_links(m, freedom_of, err);
    return status == CAROM_OK ? make_rows(m, freedom_of, err) : status;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static carom_status check(const flexible_input *in, carom_error *err)
{
    const char *what = in->material->plane == AXISYMMETRIC           ? "axisymmetric elements"
                       : in->def->stiffening                         ? "'stiffening'"
                       : in->def->damping.ratio > 0.0                ? "'damping.ratio'"
                       : in->def->rotation == CAROM_ROTATION_ELEMENT ? "'rotation': 'element'"
                                                                     : NULL;
    return what ? carom_fail(err, CAROM_BAD_INPUT, "a body with a zone knows no %s; leave it out", what) : CAROM_OK;
}

static carom_status check_size(const zone_shapes *z, carom_error *err)
{
    if (z->count > ZONE_MOST || z->dense + ZONE_MOTIONS > MODES_MOST) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "%d coordinates, %d of them shapes, are too many; at most %d and %d are possible: make the zone "
            "or its border smaller, or take \"as\": \"nodes\"",
            z->count, z->dense, ZONE_MOST, MODES_MOST - ZONE_MOTIONS);
    }
    return z->count > 0 ? CAROM_OK : carom_fail(err, CAROM_BAD_INPUT, "nothing of it deforms: the zone has no nodes");
}

/* Nothing sits where nobody knows how the body turns. */
static void drop_lost(const maker *m)
{
    modal_place *places = carom_arena_copy(m->arena, m->out->all.places,
                                           (size_t)m->out->all.place_count * sizeof *places);
    for (int i = 0; places && i < m->out->all.place_count; ++i) {
        if (m->z->lost[i]) {
            places[i].low = v3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
            places[i].high = v3_scale(-1.0, places[i].low);
        }
    }
    m->out->all.places = places;
}

static carom_status make_all(const maker *m, carom_error *err)
{
    zone_body *out = m->out;
    const zone_shapes *z = m->z;
    const size_t n = (size_t)z->count;
    out->all = (modal_body){ .count = z->count,
                             .total = z->count,
                             .axes = modal_axes(m->s),
                             .mass = m->in->mass,
                             .node_count = m->s->nodes,
                             .element_count = solid_mesh_element_count(m->in->mesh),
                             .freedom_count = m->s->freedoms,
                             .free_omega2 = carom_arena_copy(m->arena, z->all.free_omega2, n * sizeof(double)) };
    out->dense = z->dense;
    out->motions = m->s->count;
    out->modes = z->modes;
    out->planar = m->s->count == 3;
    out->rank = z->rank;
    out->Q = carom_arena_copy(m->arena, z->Q, n * (size_t)z->rank * sizeof(double) + 1);
    out->T = carom_arena_copy(m->arena, z->T, (size_t)(z->rank * z->rank) * sizeof(double) + 1);
    out->C = carom_arena_copy(m->arena, z->C, (size_t)(m->s->count * z->rank) * sizeof(double) + 1);
    carom_status status = m->arena->failed ? no_memory(err)
                                           : modal_describe(&out->all, m->in, &z->all, m->arena, err);
    status = status == CAROM_OK ? make_rest(m, err) : status;
    status = status == CAROM_OK ? make_nodes(m, err) : status;
    status = status == CAROM_OK ? make_stiffness(m, err) : status;
    if (status == CAROM_OK && m->in->skin) {
        const modes_maker all = { m->in, &z->all, m->s, &out->all, m->arena };
        status = modes_make_surface(&all, err);
    }
    if (status == CAROM_OK) {
        drop_lost(m);
    }
    return status == CAROM_OK && m->arena->failed ? no_memory(err) : status;
}

carom_status zone_make(const void **params, const flexible_input *in, carom_arena *arena, carom_error *err)
{
    carom_status status = check(in, err);
    if (status != CAROM_OK) {
        return status;
    }
    zone_shapes z;
    zone_body *out = carom_arena_alloc(arena, sizeof *out);
    status = zone_shapes_make(&z, in, -1, err);
    status = status == CAROM_OK ? check_size(&z, err) : status;
    if (status == CAROM_OK && out) {
        *out = (zone_body){ 0 };
        const maker m = { in, &z, &z.all.space, out, arena };
        status = make_all(&m, err);
    }
    zone_shapes_free(&z);
    *params = out;
    return status == CAROM_OK && !out ? no_memory(err) : status;
}
