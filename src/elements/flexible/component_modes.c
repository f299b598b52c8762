#include "elements/flexible/component_parts.h"

#include "elements/flexible/component_cache.h"

carom_status component_no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the modes of a mesh");
}

double *component_vectors(reducer *r, int count)
{
    return CAROM_ARENA_ARRAY(&r->room, double, (size_t)count *(size_t)r->s->freedoms + 1);
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
