/* Units of a scene: {"length": "mm", "angle": "deg"}, or the SI value of the unit as a number. */
#include "scene/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "expr/units.h"

static const char *const lengths[] = { "m", "mm", "cm", "km", "um", "in", "ft", NULL };
static const char *const masses[] = { "kg", "g", "t", "lb", NULL };
static const char *const times[] = { "s", "ms", "us", "min", "h", NULL };
static const char *const angles[] = { "rad", "deg", "turn", NULL };
static const char *const forces[] = { "N", "mN", "kN", "lbf", "kgf", NULL };

static const scene_quantity quantities[] = {
    { "length", lengths, offsetof(carom_units, length) }, { "mass", masses, offsetof(carom_units, mass) },
    { "time", times, offsetof(carom_units, time) },       { "angle", angles, offsetof(carom_units, angle) },
    { "force", forces, offsetof(carom_units, force) },    { 0 },
};

static double unit_si(const char *name)
{
    carom_dimension dimension;
    double si = 1.0;
    bool known = unit_parse(name, &dimension, &si);
    CAROM_ASSERT(known);
    return si;
}

const scene_quantity *scene_quantities(void)
{
    return quantities;
}

static const scene_quantity *find_quantity(const char *name)
{
    for (const scene_quantity *q = quantities; q->name; ++q) {
        if (strcmp(q->name, name) == 0) {
            return q;
        }
    }
    return NULL;
}

static carom_status unknown_unit(const scene_reader *r, const json_place *at, const scene_quantity *quantity,
                                 const char *name)
{
    size_t count = 0;
    while (quantity->units[count]) {
        ++count;
    }
    char allowed[128];
    char hint[64];
    name_list(quantity->units, allowed, sizeof allowed);
    scene_hint(carom_text_nearest(name, quantity->units, count), hint, sizeof hint);
    return scene_fail(r, at, "unknown unit of %s '%.40s'%s; there are: %s, or the SI value of the unit as a number",
                      quantity->name, name, hint, allowed);
}

static carom_status read_unit(const scene_reader *r, const json_place *at, const scene_quantity *quantity,
                              const json_t *json, double *out)
{
    if (json_is_real(json)) {
        double si = json_real_value(json);
        *out = si;
        bool sane = si >= 1e-30 && si <= 1e30;
        const char *reason = si > 0.0 ? "between 1e-30 and 1e30" : "positive";
        return sane ? CAROM_OK : scene_fail(r, at, "is %g; the SI value of a unit must be %s", si, reason);
    }
    if (!json_is_string(json)) {
        return scene_wrong_type(r, at, json, "the name of a unit or its SI value");
    }
    for (const char *const *name = quantity->units; *name; ++name) {
        if (strcmp(*name, json_string_value(json)) == 0) {
            *out = unit_si(*name);
            return CAROM_OK;
        }
    }
    return unknown_unit(r, at, quantity, json_string_value(json));
}

static carom_status read_quantity(const scene_reader *r, const json_place *at, const json_t *json, carom_units *out)
{
    const scene_quantity *quantity = find_quantity(at->key);
    if (!quantity) {
        const char *const names[] = { "length", "mass", "time", "angle", "force" };
        char hint[64];
        return scene_fail(r, at, "unknown quantity '%.40s'%s; units are given of length, mass, time, angle, force",
                          at->key, scene_hint(carom_text_nearest(at->key, names, 5), hint, sizeof hint));
    }
    double unit = 1.0;
    carom_status status = read_unit(r, at, quantity, json, &unit);
    if (status == CAROM_OK) { /* a unit that is refused stays SI, so that numbers after it can be read */
        *(double *)((char *)out + quantity->offset) = unit;
    }
    return status;
}

carom_status scene_read_units(const scene_reader *r, const json_place *at, const json_t *json, carom_units *out)
{
    *out = carom_units_si();
    if (!json) {
        return CAROM_OK;
    }
    if (!json_is_object(json)) {
        return scene_wrong_type(r, at, json, "an object such as {\"length\": \"mm\"}");
    }
    carom_status status = CAROM_OK;
    void *object = (json_t *)(uintptr_t)json;
    for (void *m = json_object_iter(object); m && error_goes_on(r->err, status);
         m = json_object_iter_next(object, m)) {
        const json_place place = { at, json_object_iter_key(m), 0 };
        status = error_worse(status, read_quantity(r, &place, json_object_iter_value(m), out));
    }
    return status;
}

/* The name of a unit, or its value in SI. */
static const char *unit_name(const scene_quantity *q, double si, char *buffer, size_t size)
{
    for (const char *const *name = q->units; *name; ++name) {
        if (fabs(unit_si(*name) - si) <= 1e-12 * si) {
            return *name;
        }
    }
    snprintf(buffer, size, "of %g %s", si, q->units[0]);
    return buffer;
}

void scene_units_text(const carom_units *units, char *out, size_t size)
{
    static const char *const plurals[] = { "lengths", "masses", "times", "angles", "forces" };
    carom_units all = *units;
    all.force = carom_units_factor(units, (carom_dimension)CAROM_DIM_FORCE);
    size_t length = 0;
    for (size_t k = 0; quantities[k].name && length < size; ++k) {
        char buffer[48];
        double si = *(const double *)((const char *)&all + quantities[k].offset);
        length += (size_t)snprintf(out + length, size - length, "%s%s %s", k > 0 ? ", " : "", plurals[k],
                                   unit_name(&quantities[k], si, buffer, sizeof buffer));
    }
}
