/* The list of finite elements, and what is asked of materials and coordinates before one of them sees them. */
#include "elements/solids/solid.h"

#include <string.h>

#define SOLID(name) extern const solid_type solid_##name;
#include "elements/solids/list.inc"
#undef SOLID

#define SOLID(name) &solid_##name,
static const solid_type *const types[] = {
#include "elements/solids/list.inc"
    NULL,
};
#undef SOLID

const solid_type *const *solid_types(void)
{
    return types;
}

const solid_type *solid_type_find(const char *name)
{
    for (const solid_type *const *type = types; *type; ++type) {
        if (name && strcmp((*type)->kind.name, name) == 0) {
            return *type;
        }
    }
    return NULL;
}

int solid_node_freedoms(unsigned freedoms)
{
    int count = 0;
    for (; freedoms; freedoms &= freedoms - 1) {
        ++count;
    }
    return count;
}

int solid_freedom_count(const solid_type *type)
{
    return type->node_count * solid_node_freedoms(type->freedoms);
}

/* ---- materials ---- */

static carom_status check_positive(const solid_type *type, const solid_material *material, carom_error *err)
{
    for (const carom_field *f = type->kind.fields; f->name; ++f) {
        if (f->flags & CAROM_POSITIVE) {
            double value;
            memcpy(&value, (const unsigned char *)material + f->offset, sizeof value);
            if (!(value > 0.0 && value < HUGE_VAL)) {
                return carom_fail(err, CAROM_BAD_INPUT,
                                  "'%s' of the material is %g; elements of the kind '%s' need a positive number",
                                  f->name, value, type->kind.name);
            }
        }
    }
    return CAROM_OK;
}

carom_status solid_check_material(const solid_type *type, const solid_material *material, carom_error *err)
{
    carom_status status = check_positive(type, material, err);
    if (status == CAROM_OK && !(material->poisson > -1.0 && material->poisson < 0.5)) {
        status =
            carom_fail(err, CAROM_BAD_INPUT,
                       "'poisson' of the material is %g; it must be above -1 and below 0.5 (a material that keeps "
                       "its volume is not among those that elements know: use 0.49)",
                       material->poisson);
    }
    if (status == CAROM_OK && (material->plane < PLANE_STRESS || material->plane > AXISYMMETRIC)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "'plane' of the material is %d, which is none of its names",
                            material->plane);
    }
    return status;
}

/* ---- coordinates ---- */

static bool is_planar(const solid_type *type)
{
    return !(type->freedoms & MOVE_Z);
}

/* The largest distance from the first node: what is flat is flat against this. */
static double extent_of(const solid_type *type, const v3 *X)
{
    double extent2 = 0.0;
    for (int i = 1; i < type->node_count; ++i) {
        extent2 = fmax(extent2, v3_norm2(v3_sub(X[i], X[0])));
    }
    return sqrt(extent2);
}

carom_status solid_check_geometry(const solid_type *type, const v3 *X, const solid_material *material,
                                  carom_error *err)
{
    for (int i = 0; i < type->node_count; ++i) {
        if (!(isfinite(X[i].x) && isfinite(X[i].y) && isfinite(X[i].z))) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "node %d of an element of the kind '%s' has coordinates that are no numbers", i + 1,
                              type->kind.name);
        }
        if (is_planar(type) && fabs(X[i].z) > 1e-9 * extent_of(type, X)) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "node %d of an element of the kind '%s' lies %g m outside the xy plane; such elements lie in it",
                i + 1, type->kind.name, X[i].z);
        }
    }
    const char *fault = type->geometry_fault(type, X, material);
    if (fault) {
        return carom_fail(err, CAROM_BAD_INPUT, "an element of the kind '%s' at (%g, %g, %g) %s", type->kind.name,
                          X[0].x, X[0].y, X[0].z, fault);
    }
    return CAROM_OK;
}
