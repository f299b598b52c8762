#include "elements/flexible/zone_shapes.h"

#include <string.h>

#include "elements/flexible/holding.h"
#include "math/numbers.h"

/* While the shapes are found. */
typedef struct finder {
    zone_shapes *z;
    const flexible_input *in;
    const motion_space *s;
    carom_arena room;
    sparse_matrix *K; /* of all freedoms */
    holding boundary; /* nodes of the zone and rigid attachments held */
    bool *rigid;      /* per node: moves with a rigid attachment */
    int base;         /* the first rigid attachment, -1 */
    motion_mean *means;
    double *raw; /* shapes before they are combined: raw_count x freedoms */
    int raw_count;
} finder;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the zone of a mesh");
}

static double *vectors(carom_arena *arena, const finder *f, int count)
{
    return CAROM_ARENA_ARRAY(arena, double, (size_t)count *(size_t)f->s->freedoms + 1);
}

/* ---- who is where ---------------------------------------------------------------------------------------------------- */

/* Nodes of the zone, those with neighbours outside of it among them. */
static carom_status mark_zone(finder *f, carom_error *err)
{
    const int *nodes = NULL;
    int count = 0;
    if (!f->in->def->zone.kind) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "it is of kind 'zone' and says no 'zone'; write \"zone\": {\"box\": {\"low\": [...], \"high\": "
            "[...]}} around the nodes that touch");
    }
    carom_status status = flexible_nodes_find(f->in, &f->in->def->zone, "'zone'", &f->room, &nodes, &count, err);
    for (int i = 0; status == CAROM_OK && i < count; ++i) {
        f->z->zone[nodes[i]] = true;
        f->z->inside[nodes[i]] = !f->rigid[nodes[i]];
    }
    for (int e = 0; status == CAROM_OK && e < solid_mesh_element_count(f->in->mesh); ++e) {
        const solid_element element = solid_mesh_element(f->in->mesh, e);
        bool within = true;
        for (int i = 0; i < element.type->node_count; ++i) {
            within = within && (f->z->zone[element.nodes[i]] || f->rigid[element.nodes[i]]);
        }
        for (int i = 0; i < element.type->node_count && !within; ++i) {
            f->z->inside[element.nodes[i]] = false;
        }
    }
    return status;
}

static void mark_rigid(finder *f)
{
    f->base = -1;
    for (int a = 0; a < f->in->attachment_count; ++a) {
        const flexible_attachment *from = &f->in->attachments[a];
        bool rigid = from->as == CAROM_ATTACH_RIGID;
        f->base = rigid && f->base < 0 ? a : f->base;
        for (int i = 0; rigid && i < from->node_count; ++i) {
            f->rigid[from->nodes[i]] = true;
        }
    }
}

static bool at_border(const finder *f, int node)
{
    return f->z->zone[node] && !f->z->inside[node] && !f->rigid[node];
}

static void hold_boundary(finder *f)
{
    for (int i = 0; i < f->s->nodes; ++i) {
        if (f->z->zone[i] || f->rigid[i]) {
            holding_add_nodes(&f->boundary, &i, 1);
        }
    }
}

/* Averaging attachments whose nodes do not tell how the body turns may still mark the end of a chord. */
static carom_status find_means(finder *f, carom_error *err)
{
    for (int a = 0; a < f->in->attachment_count; ++a) {
        const flexible_attachment *from = &f->in->attachments[a];
        carom_error why = { 0 };
        carom_status status = motion_mean_make(&f->means[a], f->s, from, &f->room, &why);
        bool mark = from->as == CAROM_ATTACH_AVERAGE && status == CAROM_BAD_INPUT;
        if (status != CAROM_OK && !mark) {
            return carom_fail(err, status, "%s", why.message);
        }
        f->z->lost[a] = status != CAROM_OK;
    }
    return CAROM_OK;
}

/* ---- shapes outside -------------------------------------------------------------------------------------------------- */

static component_source *add_source(finder *f, component_source source)
{
    component_source *out = &f->z->all.sources[f->raw_count++];
    *out = source;
    return out;
}

static double *next_raw(const finder *f)
{
    return f->raw + (size_t)f->raw_count * (size_t)f->s->freedoms;
}

/* What is static: the boundary moves as in the next vector, the rest follows. */
static carom_status follow_boundary(finder *f, int attachment, carom_error *err)
{
    double *u = next_raw(f);
    double *load = vectors(&f->room, f, 1);
    holding_follow(&f->boundary, f->K, u);
    if (!load || f->room.failed) {
        return no_memory(err);
    }
    sparse_times(f->K, u, load);
    double mass = motion_product(f->s, u, u);
    add_source(f, (component_source){ .kind = SHAPE_CONSTRAINT,
                                      .attachment = attachment,
                                      .omega2 = mass > 0.0 ? numbers_dot(u, load, f->s->freedoms) / mass : 0.0 });
    return CAROM_OK;
}

static carom_status add_static_shapes(finder *f, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int i = 0; i < f->s->nodes && status == CAROM_OK; ++i) {
        for (int a = 0; a < 3 && at_border(f, i) && status == CAROM_OK; ++a) {
            int freedom = motion_freedom(f->s, i, a);
            if (freedom >= 0) {
                next_raw(f)[freedom] = 1.0;
                status = follow_boundary(f, -1, err);
            }
        }
    }
    for (int k = f->base + 1; f->base >= 0 && k < f->in->attachment_count && status == CAROM_OK; ++k) {
        const flexible_attachment *a = &f->in->attachments[k];
        for (int m = 0; a->as == CAROM_ATTACH_RIGID && m < f->s->count && status == CAROM_OK; ++m) {
            motion_add(f->s, f->s->motions[m], f->means[k].at, 1.0, a->nodes, a->node_count, next_raw(f));
            status = follow_boundary(f, k, err);
        }
    }
    return status;
}

static int static_count(const finder *f)
{
    int count = 0;
    for (int i = 0; i < f->s->nodes; ++i) {
        count += at_border(f, i) ? 3 : 0;
    }
    return count + MOTIONS * f->in->attachment_count;
}

static carom_status find_modes(finder *f, int asked, carom_error *err)
{
    eigen_modes modes = { 0 };
    int wanted = 0;
    carom_status status = holding_make(&f->boundary, true, err);
    status = status == CAROM_OK ? holding_wanted(&f->boundary, asked, 0, &wanted, err) : status;
    int most = wanted + static_count(f);
    f->raw = vectors(&f->z->all.arena, f, most);
    f->z->all.raw = f->raw;
    f->z->all.sources = CAROM_ARENA_ARRAY(&f->z->all.arena, component_source, most + 1);
    status = status == CAROM_OK && f->z->all.arena.failed ? no_memory(err) : status;
    status = status == CAROM_OK ? holding_modes(&f->boundary, wanted, 0, &modes, err) : status;
    for (int k = 0; status == CAROM_OK && k < modes.count; ++k) {
        holding_spread(&f->boundary, &modes, k, next_raw(f));
        add_source(f, (component_source){ .kind = SHAPE_FIXED, .attachment = -1, .omega2 = modes.lambda[k] });
    }
    f->z->modes = f->raw_count;
    eigen_modes_free(&modes);
    return status;
}

/* The raw shapes combined so that mass and stiffness are diagonal. */
static carom_status combine(finder *f, carom_error *err)
{
    zone_shapes *z = f->z;
    const int n = f->raw_count;
    const size_t freedoms = (size_t)f->s->freedoms;
    double *K = CAROM_ARENA_ARRAY(&f->room, double, (size_t)n *(size_t)n + 1);
    double *M = CAROM_ARENA_ARRAY(&f->room, double, (size_t)n *(size_t)n + 1);
    double *Ku = vectors(&f->room, f, 1);
    z->omega2 = CAROM_ARENA_ARRAY(&z->all.arena, double, n + 1);
    if (f->room.failed || z->all.arena.failed) {
        return no_memory(err);
    }
    for (int i = 0; i < n; ++i) {
        sparse_times(f->K, f->raw + (size_t)i * freedoms, Ku);
        for (int k = 0; k <= i; ++k) {
            K[i * n + k] = numbers_dot(f->raw + (size_t)k * freedoms, Ku, f->s->freedoms);
            M[i * n + k] = motion_product(f->s, f->raw + (size_t)k * freedoms, f->raw + (size_t)i * freedoms);
        }
    }
    eigen_modes modes = { 0 };
    carom_status status = n > 0 ? zone_small_modes(&modes, K, M, n, err) : CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < n; ++k) {
        double *v = z->V + (size_t)k * freedoms;
        z->omega2[k] = modes.lambda[k];
        for (int i = 0; i < n; ++i) {
            double part = modes.vectors[(size_t)k * (size_t)n + (size_t)i];
            const double *u = f->raw + (size_t)i * freedoms;
            for (size_t j = 0; j < freedoms; ++j) {
                v[j] += part * u[j];
            }
        }
    }
    eigen_modes_free(&modes);
    return status;
}

/* ---- coordinates ----------------------------------------------------------------------------------------------------- */

/* Without a rigid attachment: freedoms inside that keep the body from moving as a whole are no coordinates. */
static carom_status hold_body(finder *f, const bool *inside, bool *held, carom_error *err)
{
    holding h;
    int count = holding_begin(&h, f->s, &f->room) ? holding_add_motions(&h, inside) : -1;
    if (count < 0) {
        return no_memory(err);
    }
    memcpy(held, h.held, (size_t)f->s->freedoms * sizeof *held);
    return count == f->s->count
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT,
                            "it has no rigid attachment, and its zone is too small to hold it; make the zone larger");
}

static carom_status number_coordinates(finder *f, carom_error *err)
{
    zone_shapes *z = f->z;
    bool *held = CAROM_ARENA_ARRAY(&f->room, bool, f->s->freedoms + 1);
    bool *inside = CAROM_ARENA_ARRAY(&f->room, bool, f->s->freedoms + 1);
    if (!held || !inside) {
        return no_memory(err);
    }
    for (int i = 0; i < f->s->nodes; ++i) {
        for (int a = 0; a < 3 && z->inside[i]; ++a) {
            int freedom = motion_freedom(f->s, i, a);
            if (freedom >= 0) {
                inside[freedom] = true;
            }
        }
    }
    carom_status status = f->base < 0 ? hold_body(f, inside, held, err) : CAROM_OK;
    z->dense = f->raw_count;
    z->count = z->dense;
    for (int k = 0; k < f->s->freedoms; ++k) {
        z->coordinate[k] = inside[k] && !held[k] ? z->count++ : -1;
    }
    z->V = vectors(&z->all.arena, f, z->count);
    z->KV = vectors(&z->all.arena, f, z->count);
    status = status == CAROM_OK && z->all.arena.failed ? no_memory(err) : status;
    for (int k = 0; status == CAROM_OK && k < f->s->freedoms; ++k) {
        if (z->coordinate[k] >= 0) {
            z->V[(size_t)z->coordinate[k] * (size_t)f->s->freedoms + (size_t)k] = 1.0 / sqrt(f->s->mass[k]);
        }
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

static carom_status check_elements(const finder *f, carom_error *err)
{
    for (int e = 0; e < solid_mesh_element_count(f->in->mesh); ++e) {
        if (!solid_mesh_element(f->in->mesh, e).type->continuum) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "zones are there for plane cells and solids; beams and bars are 'modes' or 'nodes'");
        }
    }
    return CAROM_OK;
}

static carom_status begin(finder *f, carom_error *err)
{
    carom_arena *arena = &f->z->all.arena;
    const size_t freedoms = (size_t)f->s->freedoms + 1;
    const size_t nodes = (size_t)f->s->nodes + 1;
    f->rigid = CAROM_ARENA_ARRAY(&f->room, bool, nodes);
    f->means = CAROM_ARENA_ARRAY(&f->room, motion_mean, f->in->attachment_count + 1);
    f->z->zone = CAROM_ARENA_ARRAY(arena, bool, nodes);
    f->z->inside = CAROM_ARENA_ARRAY(arena, bool, nodes);
    f->z->lost = CAROM_ARENA_ARRAY(arena, bool, f->in->attachment_count + 1);
    f->z->coordinate = CAROM_ARENA_ARRAY(arena, int, freedoms);
    f->z->R = vectors(arena, f, f->s->count);
    if (!holding_begin(&f->boundary, f->s, &f->room) || f->room.failed || arena->failed) {
        return no_memory(err);
    }
    for (int i = 0; i < f->s->count; ++i) {
        motion_add(f->s, f->s->motions[i], f->in->centre, 1.0, NULL, 0, f->z->R + (size_t)i * (size_t)f->s->freedoms);
    }
    carom_status status = check_elements(f, err);
    mark_rigid(f);
    status = status == CAROM_OK ? mark_zone(f, err) : status;
    status = status == CAROM_OK ? find_means(f, err) : status;
    if (status == CAROM_OK) {
        hold_boundary(f);
        f->boundary.where = " outside of the zone";
        status = solid_mesh_stiffness(f->in->mesh, NULL, &f->K, err);
    }
    return status;
}

/* How each attachment follows the coordinates. */
static carom_status make_places(finder *f, carom_error *err)
{
    component_modes *all = &f->z->all;
    const int n = all->count;
    all->places = CAROM_ARENA_ARRAY(&all->arena, component_place, f->in->attachment_count + 1);
    for (int i = 0; all->places && i < f->in->attachment_count; ++i) {
        all->places[i] = (component_place){ f->means[i].at, CAROM_ARENA_ARRAY(&all->arena, double, MOTIONS *n + 1) };
        for (int k = 0; all->places[i].psi && !f->z->lost[i] && k < n; ++k) {
            const double *u = all->shapes + (size_t)k * (size_t)f->s->freedoms;
            for (int m = 0; m < f->s->count; ++m) {
                const double *weights = f->means[i].weights + (size_t)m * (size_t)f->s->freedoms;
                all->places[i].psi[n * f->s->motions[m] + k] = numbers_dot(weights, u, f->s->freedoms);
            }
        }
    }
    return all->arena.failed ? no_memory(err) : CAROM_OK;
}

static carom_status find_all(finder *f, int modes, carom_error *err)
{
    zone_shapes *z = f->z;
    carom_status status = begin(f, err);
    status = status == CAROM_OK ? find_modes(f, modes, err) : status;
    status = status == CAROM_OK ? add_static_shapes(f, err) : status;
    status = status == CAROM_OK ? number_coordinates(f, err) : status;
    status = status == CAROM_OK ? combine(f, err) : status;
    for (int k = 0; status == CAROM_OK && k < z->count; ++k) {
        sparse_times(f->K, z->V + (size_t)k * (size_t)f->s->freedoms, z->KV + (size_t)k * (size_t)f->s->freedoms);
    }
    z->all.source_count = f->raw_count;
    z->all.count = z->count;
    status = status == CAROM_OK ? zone_follow_frame(z, f->in, f->means, err) : status;
    status = status == CAROM_OK ? zone_find_stiffness(z, &f->room, err) : status;
    return status == CAROM_OK ? make_places(f, err) : status;
}

carom_status zone_shapes_make(zone_shapes *out, const flexible_input *in, int modes, carom_error *err)
{
    *out = (zone_shapes){ 0 };
    finder f = { .z = out, .in = in, .s = &out->all.space };
    carom_status status = motion_space_make(&out->all.space, in, &out->all.arena, err);
    status = status == CAROM_OK ? find_all(&f, modes, err) : status;
    holding_free(&f.boundary);
    sparse_destroy(f.K);
    carom_arena_free(&f.room);
    return status;
}

void zone_shapes_free(zone_shapes *z)
{
    component_modes_free(&z->all);
    *z = (zone_shapes){ 0 };
}
