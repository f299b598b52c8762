/* Sources of shapes: modes of vibration with rigid attachments held, static shapes of attachments. */
#include "elements/flexible/component_parts.h"

#include <string.h>

static component_source *add_source(reducer *r, shape_kind kind, int attachment)
{
    component_source *source = &r->out->sources[r->raw_count++];
    *source = (component_source){ .kind = kind, .attachment = attachment };
    r->out->source_count = r->raw_count;
    return source;
}

static double *raw_of(const reducer *r, int index)
{
    return r->raw + (size_t)index * (size_t)r->s->freedoms;
}

/* The mass that shaking along an axis moves with a mode of unit mass. */
static double effective_mass(const reducer *r, const double *mode, int axis)
{
    double sum = 0.0;
    for (int i = 0; i < r->s->nodes; ++i) {
        int f = motion_freedom(r->s, i, axis);
        sum += f >= 0 ? r->s->mass[f] * mode[f] : 0.0;
    }
    return sum * sum;
}

static void take_modes(reducer *r, const eigen_modes *modes, int skipped)
{
    for (int k = skipped; k < modes->count; ++k) {
        double *u = raw_of(r, r->raw_count);
        component_source *source = add_source(r, r->base >= 0 ? SHAPE_FIXED : SHAPE_FREE, -1);
        source->omega2 = modes->lambda[k];
        holding_spread(&r->fixed, modes, k, u);
        for (int axis = 0; axis < 3 && source->kind == SHAPE_FIXED; ++axis) {
            source->effective[axis] = effective_mass(r, u, axis);
        }
    }
}

static carom_status allocate_sources(reducer *r, int modes, carom_error *err)
{
    int most = modes + MOTIONS * r->in->attachment_count + 1;
    r->raw = CAROM_ARENA_ARRAY(&r->out->arena, double, (size_t)most *(size_t)r->s->freedoms);
    r->out->raw = r->raw;
    r->out->sources = CAROM_ARENA_ARRAY(&r->out->arena, component_source, most);
    return r->raw && r->out->sources ? CAROM_OK : component_no_memory(err);
}

static carom_status find_modes(reducer *r, int asked, carom_error *err)
{
    const int rigid = r->base >= 0 ? 0 : r->s->count;
    int wanted = 0;
    eigen_modes modes = { 0 };
    carom_status status = holding_wanted(&r->fixed, asked, rigid, &wanted, err);
    status = status == CAROM_OK ? allocate_sources(r, wanted, err) : status;
    status = status == CAROM_OK ? holding_modes(&r->fixed, wanted, rigid, &modes, err) : status;
    if (status == CAROM_OK) {
        take_modes(r, &modes, rigid);
    }
    eigen_modes_free(&modes);
    return status;
}

/* Static shapes of a rigid attachment: its nodes move as a rigid body, the rest follows. */
static void add_constraint_shapes(reducer *r, int attachment)
{
    const flexible_attachment *a = &r->in->attachments[attachment];
    for (int i = 0; i < r->s->count; ++i) {
        double *u = raw_of(r, r->raw_count);
        add_source(r, SHAPE_CONSTRAINT, attachment);
        motion_add(r->s, r->s->motions[i], r->means[attachment].at, 1.0, a->nodes, a->node_count, u);
        holding_follow(&r->fixed, r->K, u);
    }
}

/* Takes the part of a load away that moves the free body as a whole: inertia balances it. */
static void balance(const reducer *r, double *load)
{
    for (int i = 0; i < r->s->count; ++i) {
        const double *R = r->rigid + (size_t)i * (size_t)r->s->freedoms;
        double part = 0.0;
        for (int f = 0; f < r->s->freedoms; ++f) {
            part += R[f] * load[f];
        }
        for (int f = 0; f < r->s->freedoms; ++f) {
            load[f] -= part * r->s->mass[f] * R[f];
        }
    }
}

/* Static shapes of an averaging attachment, by unit loads on it. */
static void add_load_shapes(reducer *r, int attachment, const holding *h)
{
    for (int i = 0; i < r->s->count; ++i) {
        double *u = raw_of(r, r->raw_count);
        double *load = component_vectors(r, 1);
        add_source(r, SHAPE_LOAD, attachment);
        if (load) {
            memcpy(load, r->means[attachment].weights + (size_t)i * (size_t)r->s->freedoms,
                   (size_t)r->s->freedoms * sizeof *load);
            if (r->base < 0) {
                balance(r, load);
            }
            holding_solve(h, load, u);
        }
    }
}

static carom_status find_static_shapes(reducer *r, carom_error *err)
{
    holding light = { 0 };
    bool averages = false;
    for (int i = 0; i < r->in->attachment_count; ++i) {
        bool rigid = r->in->attachments[i].as == CAROM_ATTACH_RIGID;
        averages = averages || !rigid;
        if (rigid && i != r->base) {
            add_constraint_shapes(r, i);
        }
    }
    carom_status status = CAROM_OK;
    if (averages && r->base < 0) {
        bool begun = holding_begin(&light, r->s, &r->room) && holding_add_motions(&light, NULL) >= 0;
        status = begun ? holding_make(&light, true, err) : component_no_memory(err);
    }
    for (int i = 0; i < r->in->attachment_count && status == CAROM_OK; ++i) {
        if (r->in->attachments[i].as == CAROM_ATTACH_AVERAGE) {
            add_load_shapes(r, i, r->base < 0 ? &light : &r->fixed);
        }
    }
    holding_free(&light);
    return status == CAROM_OK && r->room.failed ? component_no_memory(err) : status;
}

carom_status component_find_sources(reducer *r, int fixed, carom_error *err)
{
    carom_status status = find_modes(r, fixed, err);
    return status == CAROM_OK ? find_static_shapes(r, err) : status;
}
