/* Every kind of procedural mesh: a new one is a file here, a line in make.h and two lines below. */
#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "geometry/make/make.h"
#include "geometry/mesh_refine.h"

static const mesh_make_type *const types[] = {
    &make_box,    &make_sphere,     &make_cylinder,     &make_capsule,       &make_cone,
    &make_torus,  &make_gear,       &make_bolt,         &make_nut,           &make_chain_link,
    &make_tube,   &make_link_plate, &make_sprocket,     &make_geneva_wheel,  &make_geneva_disc,
    &make_spiral, &make_statue,     &make_docking_ring, &make_docking_latch, &make_docking_catch,
};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

const carom_kind *const *carom_mesh_make_kinds(void)
{
    static const carom_kind *const kinds[TYPE_COUNT + 1] = {
        &make_box.kind,           &make_sphere.kind,        &make_cylinder.kind,
        &make_capsule.kind,       &make_cone.kind,          &make_torus.kind,
        &make_gear.kind,          &make_bolt.kind,          &make_nut.kind,
        &make_chain_link.kind,    &make_tube.kind,          &make_link_plate.kind,
        &make_sprocket.kind,      &make_geneva_wheel.kind,  &make_geneva_disc.kind,
        &make_spiral.kind,        &make_statue.kind,        &make_docking_ring.kind,
        &make_docking_latch.kind, &make_docking_catch.kind, NULL,
    };
    return kinds;
}

/* ---- params ------------------------------------------------------------------------------------------------------ */

static carom_status check_number(const carom_kind *kind, const carom_field *field, double x, carom_error *err)
{
    const double largest = 1e9; /* [m] or anything else: beyond it are wrong units */
    const double smallest = 1e-9;
    bool positive = (field->flags & CAROM_POSITIVE) != 0;
    if (!isfinite(x) || x < 0.0 || (positive && x == 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: %s is %g; it must %s", kind->name, field->name, x,
                          positive ? "be greater than 0" : "not be negative");
    }
    if (x > largest || (x > 0.0 && x < smallest)) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: %s is %g; numbers between %g and %g are possible (wrong units?)",
                          kind->name, field->name, x, smallest, largest);
    }
    return CAROM_OK;
}

static carom_status check_field(const carom_kind *kind, const carom_field *field, const void *at, carom_error *err)
{
    const carom_v3 *v = at;
    switch (field->kind) {
    case CAROM_FIELD_REAL:
        return check_number(kind, field, *(const double *)at, err);
    case CAROM_FIELD_INT:
        return check_number(kind, field, *(const int *)at, err);
    case CAROM_FIELD_VECTOR: {
        carom_status status = check_number(kind, field, v->x, err);
        status = status ? status : check_number(kind, field, v->y, err);
        return status ? status : check_number(kind, field, v->z, err);
    }
    default:
        return CAROM_OK;
    }
}

static carom_status check_params(const carom_kind *kind, const void *params, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (const carom_field *f = kind->fields; f->name && status == CAROM_OK; ++f) {
        status = check_field(kind, f, (const char *)params + f->offset, err);
    }
    return status;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static carom_status unknown_kind(const char *name, carom_error *err)
{
    const char *names[TYPE_COUNT];
    for (int i = 0; i < TYPE_COUNT; ++i) {
        names[i] = types[i]->kind.name;
    }
    const char *nearest = carom_text_nearest(name, names, TYPE_COUNT);
    return carom_fail(err, CAROM_BAD_INPUT, "there is no mesh to make called '%.60s'%s%s%s", name,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

carom_status mesh_make(mesh **out, const char *kind, const void *params, carom_error *err)
{
    *out = NULL;
    for (int i = 0; i < TYPE_COUNT; ++i) {
        const carom_kind *own = &types[i]->kind;
        if (strcmp(own->name, kind) == 0) {
            params = params ? params : own->defaults;
            carom_status status = check_params(own, params, err);
            return status ? status : types[i]->build(out, params, err);
        }
    }
    return unknown_kind(kind, err);
}

carom_status make_no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory while making a mesh");
}

carom_status make_steps(int *out, double length, double spacing, int least, carom_error *err)
{
    const double most = 1e5;
    double steps = ceil(length / spacing * (1.0 - 1e-12)); /* a whole number of steps stays whole */
    if (!(steps <= most)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a spacing of %g divides a length of %g into %.3g steps; at most %g are possible (wrong "
                          "units?)",
                          spacing, length, steps, most);
    }
    *out = steps < least ? least : (int)steps;
    return CAROM_OK;
}

carom_status make_spaced(mesh **out, mesh *coarse, double spacing, carom_error *err)
{
    if (spacing == 0.0) {
        *out = coarse;
        return CAROM_OK;
    }
    carom_status status = mesh_refine_edges(out, coarse, spacing, err);
    mesh_destroy(coarse);
    return status;
}
