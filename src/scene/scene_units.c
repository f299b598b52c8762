/* Units of a scene: {"length": "mm", "angle": "deg"}, or the SI value of the unit as a number. */
#include "scene/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const scene_unit lengths[] = {
    { "m", 1.0 },   { "mm", 1e-3 },   { "cm", 1e-2 },   { "km", 1e3 },
    { "um", 1e-6 }, { "in", 0.0254 }, { "ft", 0.3048 }, { NULL, 0.0 },
};
static const scene_unit masses[] = {
    { "kg", 1.0 }, { "g", 1e-3 }, { "t", 1e3 }, { "lb", 0.45359237 }, { NULL, 0.0 },
};
static const scene_unit times[] = {
    { "s", 1.0 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "min", 60.0 }, { "h", 3600.0 }, { NULL, 0.0 },
};
static const scene_unit angles[] = {
    { "rad", 1.0 },
    { "deg", PI / 180.0 },
    { "turn", 2.0 * PI },
    { NULL, 0.0 },
};

static const scene_quantity quantities[] = {
    { "length", lengths, offsetof(carom_units, length) },
    { "mass", masses, offsetof(carom_units, mass) },
    { "time", times, offsetof(carom_units, time) },
    { "angle", angles, offsetof(carom_units, angle) },
    { 0 },
};

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
    const char *names[16];
    size_t count = 0;
    for (const scene_unit *u = quantity->units; u->name; ++u) {
        names[count++] = u->name;
    }
    names[count] = NULL;
    char allowed[128];
    char hint[64];
    name_list(names, allowed, sizeof allowed);
    scene_hint(carom_text_nearest(name, names, count), hint, sizeof hint);
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
    for (const scene_unit *u = quantity->units; u->name; ++u) {
        if (strcmp(u->name, json_string_value(json)) == 0) {
            *out = u->si;
            return CAROM_OK;
        }
    }
    return unknown_unit(r, at, quantity, json_string_value(json));
}

static carom_status read_quantity(const scene_reader *r, const json_place *at, const json_t *json, carom_units *out)
{
    const scene_quantity *quantity = find_quantity(at->key);
    if (!quantity) {
        const char *const names[] = { "length", "mass", "time", "angle" };
        char hint[64];
        return scene_fail(r, at, "unknown quantity '%.40s'%s; units are given of length, mass, time, angle", at->key,
                          scene_hint(carom_text_nearest(at->key, names, 4), hint, sizeof hint));
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
