#include "elements/flexible/component_parts.h"

#include "base/union_find.h"
#include "elements/flexible/component_cache.h"

carom_status component_no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the modes of a mesh");
}

double *component_vectors(reducer *r, int count)
{
    return CAROM_ARENA_ARRAY(&r->room, double, (size_t)count *(size_t)r->s->freedoms + 1);
}

/* Nodes of one element, and of one rigid attachment, hang together. */
static void unite_nodes(const reducer *r, int *parent)
{
    for (int c = 0; c < r->in->cells->cell_count; ++c) {
        const volume_cell *cell = &r->in->cells->cells[c];
        for (int i = 1; i < cell_kind_nodes(cell->kind); ++i) {
            set_unite(parent, cell->nodes[0], cell->nodes[i]);
        }
    }
    for (int k = 0; k < r->in->attachment_count; ++k) {
        const flexible_attachment *a = &r->in->attachments[k];
        for (int i = 1; a->as == CAROM_ATTACH_RIGID && i < a->node_count; ++i) {
            set_unite(parent, a->nodes[0], a->nodes[i]);
        }
    }
}

static carom_status check_connected(reducer *r, carom_error *err)
{
    int *parent = CAROM_ARENA_ARRAY(&r->room, int, r->s->nodes + 1);
    int first = -1;
    for (int i = 0; parent && i < r->s->nodes; ++i) {
        parent[i] = i;
    }
    if (!parent) {
        return component_no_memory(err);
    }
    unite_nodes(r, parent);
    for (int i = 0; i < r->s->nodes; ++i) {
        first = first < 0 && flexible_node_used(r->in, i) ? i : first;
        if (flexible_node_used(r->in, i) && set_root(parent, i) != set_root(parent, first)) {
            v3 a = solid_mesh_node(r->in->mesh, first);
            v3 b = solid_mesh_node(r->in->mesh, i);
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "the mesh falls apart: nothing connects node %d at (%g, %g, %g) m with node %d at (%g, %g, %g) m; merge "
                "nodes that coincide, or put both parts into one rigid attachment",
                first, a.x, a.y, a.z, i, b.x, b.y, b.z);
        }
    }
    return CAROM_OK;
}

static carom_status begin(reducer *r, carom_error *err)
{
    int count = r->in->attachment_count;
    r->means = CAROM_ARENA_ARRAY(&r->room, motion_mean, count + 1);
    r->rigid = component_vectors(r, r->s->count);
    carom_status status = r->means && r->rigid && holding_begin(&r->fixed, r->s, &r->room) ? CAROM_OK
                                                                                           : component_no_memory(err);
    r->base = -1;
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        const flexible_attachment *a = &r->in->attachments[i];
        status = motion_mean_make(&r->means[i], r->s, a, &r->room, err);
        if (a->as == CAROM_ATTACH_RIGID) {
            r->base = r->base < 0 ? i : r->base;
            holding_add_nodes(&r->fixed, a->nodes, a->node_count);
        }
    }
    status = status == CAROM_OK ? check_connected(r, err) : status;
    status = status == CAROM_OK ? component_check_frame(r, err) : status;
    status = status == CAROM_OK ? solid_mesh_stiffness(r->in->mesh, NULL, &r->K, err) : status;
    status = status == CAROM_OK ? holding_make(&r->fixed, r->base >= 0, err) : status;
    if (status == CAROM_OK) {
        component_make_rigid(r);
    }
    return status;
}

/* How each attachment follows the coordinates. */
static carom_status make_places(reducer *r, carom_error *err)
{
    component_modes *out = r->out;
    int n = out->count + out->pair_count;
    out->places = CAROM_ARENA_ARRAY(&out->arena, component_place, r->in->attachment_count + 1);
    for (int i = 0; out->places && i < r->in->attachment_count; ++i) {
        component_place *place = &out->places[i];
        *place = (component_place){ r->means[i].at, CAROM_ARENA_ARRAY(&out->arena, double, MOTIONS *n) };
        for (int k = 0; place->psi && k < n; ++k) {
            v3 move, turn;
            const double *u = k < out->count ? out->shapes + (size_t)k * (size_t)r->s->freedoms
                                             : out->second + (size_t)(k - out->count) * (size_t)r->s->freedoms;
            component_mean_of(r, &r->means[i], u, &move, &turn);
            for (int c = 0; c < 3; ++c) {
                place->psi[n * c + k] = v3_get(move, c);
                place->psi[n * (3 + c) + k] = v3_get(turn, c);
            }
        }
    }
    return out->arena.failed ? component_no_memory(err) : CAROM_OK;
}

static carom_status find_all(component_modes *out, const flexible_input *in, int fixed, carom_error *err)
{
    reducer r = { .out = out, .in = in, .s = &out->space };
    carom_status status = begin(&r, err);
    status = status == CAROM_OK ? component_find_sources(&r, fixed, err) : status;
    status = status == CAROM_OK ? component_make_shapes(&r, err) : status;
    status = status == CAROM_OK ? component_find_shortening(&r, err) : status;
    status = status == CAROM_OK ? make_places(&r, err) : status;
    holding_free(&r.fixed);
    sparse_destroy(r.K);
    carom_arena_free(&r.room);
    return status;
}

carom_status component_modes_make(component_modes *out, const flexible_input *in, int fixed, carom_error *err)
{
    *out = (component_modes){ 0 };
    const uint64_t key = component_cache_key(in, fixed);
    carom_status status = motion_space_make(&out->space, in, &out->arena, err);
    if (status == CAROM_OK && key != 0 && component_cache_load(out, in, key)) {
        return CAROM_OK;
    }
    status = status == CAROM_OK ? find_all(out, in, fixed, err) : status;
    if (status == CAROM_OK && key != 0) {
        component_cache_save(out, in, key);
    }
    return status;
}

void component_modes_free(component_modes *r)
{
    carom_arena_free(&r->arena);
    *r = (component_modes){ 0 };
}
