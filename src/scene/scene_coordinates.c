/* Numbers along a joint coordinate (CAROM_ALONG): whether "min": -30 means millimetres or degrees depends on the coordinate.
 * They are read as they stand and brought to SI here, once that is known. */
#include "scene/scene_reader.h"

#include <math.h>
#include <string.h>

#include "elements/forces/force.h"
#include "elements/joints/joint.h"

/* SI values of the scene's units along a coordinate. */
typedef struct coordinate_units {
    double position; /* m or rad            */
    double speed;
    double force; /* N or N m            */
    double stiffness;
    double damping;
    double integral; /* per second and position */
} coordinate_units;

static coordinate_units units_along(const carom_units *units, bool angle)
{
    double position = angle ? units->angle : units->length;
    double force = carom_units_factor(units,
                                      angle ? (carom_dimension)CAROM_DIM_TORQUE : (carom_dimension)CAROM_DIM_FORCE);
    return (coordinate_units){
        .position = position,
        .speed = position / units->time,
        .force = force,
        .stiffness = force / position,
        .damping = force * units->time / position,
        .integral = force / (position * units->time),
    };
}

static void scale_value(carom_value *value, double factor)
{
    value->number *= value->kind == CAROM_NUMBER ? factor : 1.0;
    value->scale *= value->kind == CAROM_EXPRESSION ? factor : 1.0;
    for (size_t i = 0; value->kind == CAROM_TABLE && i < value->table.count; ++i) {
        ((double *)(uintptr_t)value->table.y)[i] *= factor; /* the reader's own copy */
    }
}

/* ---- which coordinate ---------------------------------------------------------------------------------------- */

static carom_status unknown_coordinate(const scene_reader *r, const json_place *at, const carom_joint_type *type,
                                       const char *name)
{
    const char *names[JOINT_COORDINATES + 1] = { NULL };
    size_t count = (size_t)type->coordinate_count;
    for (size_t i = 0; i < count; ++i) {
        names[i] = type->coordinates[i].name;
    }
    char allowed[200];
    char hint[128];
    name_list(names, allowed, sizeof allowed);
    if (count == 0) {
        return scene_fail(r, at, "a %s joint has no coordinate that could be named", type->kind.name);
    }
    if (!name) {
        return scene_fail(r, at, "a %s joint has several coordinates: add \"coordinate\": one of %s", type->kind.name,
                          allowed);
    }
    scene_hint(carom_text_nearest(name, names, count), hint, sizeof hint);
    return scene_fail(r, at, "a %s joint has no coordinate '%.60s'%s; there are: %s", type->kind.name, name, hint,
                      allowed);
}

static carom_status find_coordinate(const scene_reader *r, const json_place *at, const carom_joint_type *type,
                                    const char *name, bool *angle)
{
    int found = name || type->coordinate_count != 1 ? -1 : 0;
    for (int i = 0; name && i < type->coordinate_count; ++i) {
        found = strcmp(type->coordinates[i].name, name) == 0 ? i : found;
    }
    if (found < 0) {
        const json_place place = { at, "coordinate", 0 };
        return unknown_coordinate(r, name ? &place : at, type, name);
    }
    *angle = type->coordinates[found].angle;
    return CAROM_OK;
}

/* ---- joints -------------------------------------------------------------------------------------------------- */

static const char *text_of(const char *item, const carom_field *fields, const char *name)
{
    const carom_field *field = field_find(fields, name);
    const char *text = NULL;
    if (field && field->kind == CAROM_FIELD_TEXT) {
        memcpy(&text, item + field->offset, sizeof text);
    }
    return text;
}

/* The coordinate that an entry names: {"coordinate": "angle"}, or {"angle": 30} where it has fields of such names. */
static const char *coordinate_of(const char *item, const carom_field *fields)
{
    const char *const short_names[] = { "angle", "travel" };
    for (int k = 0; k < 2; ++k) {
        const carom_field *field = field_find(fields, short_names[k]);
        if (field && !isnan(*(const double *)(const void *)(item + field->offset))) {
            return field->name;
        }
    }
    return text_of(item, fields, "coordinate");
}

/* Numbers of an entry along its coordinate, by the table of its fields. */
static void scale_item(const carom_units *units, bool angle, char *item, const carom_field *fields)
{
    for (const carom_field *f = fields; f->name; ++f) {
        if (!(f->flags & CAROM_ALONG)) {
            continue;
        }
        double factor = carom_units_factor(units, angle ? f->dimension_x : f->dimension);
        void *at = item + f->offset;
        if (f->kind == CAROM_FIELD_VALUE) {
            scale_value(at, factor);
        } else {
            *(double *)at *= factor; /* NaN: not given */
        }
    }
}

static carom_status scale_list(const scene_reader *r, const json_place *at, const carom_joint_type *type,
                               const carom_field *field, carom_list *list)
{
    const json_place all = { at, field->name, 0 };
    for (size_t i = 0; i < list->count; ++i) {
        const json_place place = { &all, NULL, i };
        char *item = (char *)(uintptr_t)list->items + i * field->size;
        bool angle = false;
        carom_status status = find_coordinate(r, &place, type, coordinate_of(item, field->fields), &angle);
        if (status != CAROM_OK) {
            return status;
        }
        scale_item(&r->file->units, angle, item, field->fields);
    }
    return CAROM_OK;
}

static bool has_numbers_along(const carom_field *fields)
{
    bool any = false;
    for (const carom_field *f = fields; f->name; ++f) {
        any = any || f->flags & CAROM_ALONG;
    }
    return any;
}

carom_status scene_scale_joint(const scene_reader *r, const json_place *at, carom_joint_def *def)
{
    const carom_joint_type *type = carom_joint_type_find(def->joint.kind);
    carom_status status = CAROM_OK;
    for (const carom_field *f = carom_joint_fields(); type && f->name && status == CAROM_OK; ++f) {
        if (f->kind == CAROM_FIELD_LIST && has_numbers_along(f->fields)) {
            carom_list *list = (carom_list *)(void *)((char *)def + f->offset);
            status = scale_list(r, at, type, f, list);
        }
    }
    return status;
}

/* ---- forces on joints ---------------------------------------------------------------------------------------- */

static void scale_motor(carom_motor_def *motor, const coordinate_units *u)
{
    switch (motor->mode) {
    case CAROM_MOTOR_TORQUE:
        scale_value(&motor->target, u->force);
        break;
    case CAROM_MOTOR_SPEED:
        scale_value(&motor->target, u->speed);
        motor->gain *= u->damping;
        break;
    case CAROM_MOTOR_POSITION:
    case CAROM_MOTOR_PID:
        scale_value(&motor->target, u->position);
        motor->gain *= u->stiffness;
        break;
    }
    motor->damping *= u->damping;
    motor->integral *= u->integral;
    motor->limit *= u->force;
}

carom_status scene_scale_force(const scene_reader *r, const json_place *at, const carom_spec *spec,
                               carom_force_def *def)
{
    const carom_force_type *type = carom_force_type_find(def->force.kind);
    spec_class which;
    size_t index;
    if (!type || type->target != FORCE_ON_JOINT || !def->joint || !spec_find(spec, def->joint, &which, &index) ||
        which != SPEC_JOINT) {
        return CAROM_OK; /* what is missing is named when the model is compiled */
    }
    const carom_joint_type *joint = carom_joint_type_find(carom_spec_joint(spec, index)->joint.kind);
    bool angle = false;
    carom_status status = joint ? find_coordinate(r, at, joint, def->coordinate, &angle) : CAROM_OK;
    if (status == CAROM_OK && joint && strcmp(def->force.kind, "motor") == 0) {
        coordinate_units u = units_along(&r->file->units, angle);
        scale_motor((carom_motor_def *)(uintptr_t)def->force.params, &u);
    }
    return status;
}
