/* Numbers along a joint coordinate: whether "min": -30 means millimetres or degrees depends on the coordinate, which
 * no field table can know. They are read as they stand and brought to SI here. */
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
                                    const char *name, coordinate_units *out)
{
    int found = name || type->coordinate_count != 1 ? -1 : 0;
    for (int i = 0; name && i < type->coordinate_count; ++i) {
        found = strcmp(type->coordinates[i].name, name) == 0 ? i : found;
    }
    if (found < 0) {
        const json_place place = { at, "coordinate", 0 };
        return unknown_coordinate(r, name ? &place : at, type, name);
    }
    *out = units_along(&r->file->units, type->coordinates[found].angle);
    return CAROM_OK;
}

/* ---- joints -------------------------------------------------------------------------------------------------- */

/* Units of the i-th entry of a joint's list `key`, which may name its coordinate. */
static carom_status item_units(const scene_reader *r, const json_place *at, const char *key, size_t i,
                               const carom_joint_type *type, const char *coordinate, coordinate_units *out)
{
    const json_place all = { at, key, 0 };
    const json_place item = { &all, NULL, i };
    return find_coordinate(r, &item, type, coordinate, out);
}

static carom_status scale_springs(const scene_reader *r, const json_place *at, const carom_joint_type *type,
                                  carom_list *list)
{
    carom_joint_spring_def *springs = (carom_joint_spring_def *)(uintptr_t)list->items;
    for (size_t i = 0; i < list->count; ++i) {
        coordinate_units u;
        carom_status status = item_units(r, at, "spring", i, type, springs[i].coordinate, &u);
        if (status != CAROM_OK) {
            return status;
        }
        springs[i].stiffness *= u.stiffness;
        springs[i].damping *= u.damping;
        springs[i].free *= u.position;
        springs[i].preload *= u.force;
    }
    return CAROM_OK;
}

static carom_status scale_limits(const scene_reader *r, const json_place *at, const carom_joint_type *type,
                                 carom_list *list)
{
    carom_joint_limit_def *limits = (carom_joint_limit_def *)(uintptr_t)list->items;
    for (size_t i = 0; i < list->count; ++i) {
        coordinate_units u;
        carom_status status = item_units(r, at, "limits", i, type, limits[i].coordinate, &u);
        if (status != CAROM_OK) {
            return status;
        }
        limits[i].min *= u.position;
        limits[i].max *= u.position;
        limits[i].stiffness *= u.stiffness;
        limits[i].damping *= r->file->units.time / u.position;
    }
    return CAROM_OK;
}

static carom_status scale_motions(const scene_reader *r, const json_place *at, const carom_joint_type *type,
                                  carom_list *list)
{
    carom_joint_motion_def *motions = (carom_joint_motion_def *)(uintptr_t)list->items;
    for (size_t i = 0; i < list->count; ++i) {
        coordinate_units u;
        carom_status status = item_units(r, at, "motion", i, type, motions[i].coordinate, &u);
        if (status != CAROM_OK) {
            return status;
        }
        scale_value(&motions[i].value, u.position);
    }
    return CAROM_OK;
}

static carom_status scale_starts(const scene_reader *r, const json_place *at, const carom_joint_type *type,
                                 carom_list *list)
{
    carom_joint_start_def *starts = (carom_joint_start_def *)(uintptr_t)list->items;
    for (size_t i = 0; i < list->count; ++i) {
        coordinate_units u;
        const char *named = !isnan(starts[i].angle) ? "angle" : !isnan(starts[i].travel) ? "travel" : NULL;
        carom_status status = item_units(r, at, "start", i, type, named ? named : starts[i].coordinate, &u);
        if (status != CAROM_OK) {
            return status;
        }
        starts[i].value = isnan(starts[i].value) ? starts[i].value : starts[i].value * u.position;
        starts[i].rate = isnan(starts[i].rate) ? starts[i].rate : starts[i].rate * u.speed;
    }
    return CAROM_OK;
}

carom_status scene_scale_joint(const scene_reader *r, const json_place *at, carom_joint_def *def)
{
    const carom_joint_type *type = carom_joint_type_find(def->joint.kind);
    if (!type) {
        return CAROM_OK;
    }
    carom_status status = scale_springs(r, at, type, &def->springs);
    status = status == CAROM_OK ? scale_limits(r, at, type, &def->limits) : status;
    status = status == CAROM_OK ? scale_motions(r, at, type, &def->motions) : status;
    return status == CAROM_OK ? scale_starts(r, at, type, &def->starts) : status;
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
        scale_value(&motor->target, u->position);
        motor->gain *= u->stiffness;
        break;
    }
    motor->damping *= u->damping;
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
    coordinate_units u;
    carom_status status = joint ? find_coordinate(r, at, joint, def->coordinate, &u) : CAROM_OK;
    if (status == CAROM_OK && joint && strcmp(def->force.kind, "motor") == 0) {
        scale_motor((carom_motor_def *)(uintptr_t)def->force.params, &u);
    }
    return status;
}
