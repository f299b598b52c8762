/* Shapes of second order: bending shortens a body without straining it. */
#include "elements/flexible/component_parts.h"

#include <string.h>

enum { BENDING_MOST = 10 }; /* shapes of one body that shorten it: pairs of them are 55 */

/* u = -K^-1 of what a pair of shapes would strain: the ends come nearer, and nothing is strained. */
static carom_status shorten(reducer *r, const holding *h, const double *a, const double *b, double *u,
                            carom_error *err)
{
    double *load = component_vectors(r, 1);
    if (!load) {
        return component_no_memory(err);
    }
    solid_mesh_shortening(r->in->mesh, a, b, load);
    holding_solve(h, load, u);
    component_fit_to_frame(r, u);
    return r->room.failed ? component_no_memory(err) : CAROM_OK;
}

static const double *shape_of(const reducer *r, int k)
{
    return r->out->shapes + (size_t)k * (size_t)r->s->freedoms;
}

/* The shapes that shorten the body most for their energy; those that do less than a hundredth of that are left out. */
static carom_status choose_bending(reducer *r, const holding *h, int *chosen, int *count, carom_error *err)
{
    const double least = 0.01;
    double *measure = CAROM_ARENA_ARRAY(&r->room, double, r->out->count + 1);
    double *u = component_vectors(r, 1);
    double most = 0.0;
    carom_status status = measure && u ? CAROM_OK : component_no_memory(err);
    for (int k = 0; status == CAROM_OK && k < r->out->count; ++k) {
        memset(u, 0, (size_t)r->s->freedoms * sizeof *u);
        status = shorten(r, h, shape_of(r, k), shape_of(r, k), u, err);
        measure[k] = sqrt(motion_product(r->s, u, u)) / r->out->omega2[k];
        most = fmax(most, measure[k]);
    }
    *count = 0;
    for (int k = 0; status == CAROM_OK && k < r->out->count && *count < BENDING_MOST; ++k) {
        if (measure[k] > least * most) {
            chosen[(*count)++] = k;
        }
    }
    return status;
}

static carom_status make_pairs(reducer *r, const holding *h, carom_error *err)
{
    component_modes *out = r->out;
    int chosen[BENDING_MOST];
    int count = 0;
    carom_status status = choose_bending(r, h, chosen, &count, err);
    size_t most = (size_t)count * (size_t)(count + 1) / 2 + 1;
    out->pairs = carom_arena_array(&out->arena, most, sizeof *out->pairs);
    out->second = CAROM_ARENA_ARRAY(&out->arena, double, most *(size_t)r->s->freedoms);
    status = status == CAROM_OK && out->arena.failed ? component_no_memory(err) : status;
    for (int i = 0; i < count; ++i) {
        for (int j = i; j < count && status == CAROM_OK; ++j) {
            int *pair = out->pairs[out->pair_count];
            double *u = out->second + (size_t)out->pair_count++ * (size_t)r->s->freedoms;
            pair[0] = chosen[i];
            pair[1] = chosen[j];
            status = shorten(r, h, shape_of(r, chosen[i]), shape_of(r, chosen[j]), u, err);
        }
    }
    return status;
}

carom_status component_find_shortening(reducer *r, carom_error *err)
{
    holding light = { 0 };
    if (!r->in->def->stiffening) {
        return CAROM_OK;
    }
    bool begun = holding_begin(&light, r->s, &r->room) && holding_add_motions(&light, NULL) >= 0;
    carom_status status = begun ? holding_make(&light, true, err) : component_no_memory(err);
    status = status == CAROM_OK ? make_pairs(r, &light, err) : status;
    holding_free(&light);
    return status;
}
