/* Joints of URDF, and those that mimic others. */
#include <string.h>

#include "scene/urdf.h"

/* ---- joints --------------------------------------------------------------------------------------------------------------------------- */

typedef enum urdf_joint {
    JOINT_REVOLUTE,
    JOINT_CONTINUOUS,
    JOINT_PRISMATIC,
    JOINT_FIXED,
    JOINT_FLOATING,
    JOINT_PLANAR
} urdf_joint;
static const char *const joint_types[] = {
    "revolute", "continuous", "prismatic", "fixed", "floating", "planar", NULL
};

static carom_status read_type(const robot *r, const xml_element *joint, urdf_joint *out)
{
    const char *text = NULL;
    carom_status status = robot_text(r, joint, "type", &text);
    for (int i = 0; status == CAROM_OK && joint_types[i]; ++i) {
        if (strcmp(joint_types[i], text) == 0) {
            *out = (urdf_joint)i;
            return CAROM_OK;
        }
    }
    return status == CAROM_OK
               ? robot_fail(
                     r, joint,
                     "there is no joint '%.60s'; there are revolute, continuous, prismatic, fixed, floating, planar",
                     text)
               : status;
}

static carom_status read_limit(robot *r, const xml_element *joint, urdf_joint type, robot_axis *axis)
{
    const xml_element *limit = xml_child(joint, "limit");
    bool needed = type == JOINT_REVOLUTE || type == JOINT_PRISMATIC;
    if (!limit || !needed) {
        if (needed) {
            robot_remark(r, REMARK_NOTE, joint, "'%.80s' has no <limit>: it moves without stops", axis->name);
        }
        return CAROM_OK;
    }
    bool any = xml_attribute_of(limit, "lower") || xml_attribute_of(limit, "upper");
    carom_status status = robot_number(r, limit, "lower", &axis->low);
    status = status == CAROM_OK ? robot_number(r, limit, "upper", &axis->high) : status;
    axis->limited = any;
    if (!any) {
        robot_remark(r, REMARK_NOTE, limit, "'%.80s' has neither 'lower' nor 'upper': it moves without stops",
                     axis->name);
    }
    if (status == CAROM_OK && any && !(axis->low <= axis->high)) {
        status = robot_fail(r, limit, "'%.80s' goes from %g to %g; the upper limit lies below the lower one",
                            axis->name, axis->low, axis->high);
    }
    if (status == CAROM_OK && (xml_attribute_of(limit, "effort") || xml_attribute_of(limit, "velocity"))) {
        robot_remark(r, REMARK_TOLD, limit,
                     "effort and velocity are limits of motors, which this format does not have");
    }
    return status;
}

static carom_status read_dynamics(robot *r, const xml_element *joint, robot_axis *axis)
{
    const xml_element *dynamics = xml_child(joint, "dynamics");
    carom_status status = dynamics ? robot_number(r, dynamics, "damping", &axis->damping) : CAROM_OK;
    status = dynamics && status == CAROM_OK ? robot_number(r, dynamics, "friction", &axis->friction) : status;
    if (status == CAROM_OK && (axis->damping < 0.0 || axis->friction < 0.0)) {
        status = robot_fail(r, dynamics, "a damping of %g and a friction of %g; they must not be negative",
                            axis->damping, axis->friction);
    }
    bool one = axis->kind == AXIS_HINGE || axis->kind == AXIS_SLIDE;
    if (status == CAROM_OK && !one && (axis->damping > 0.0 || axis->friction > 0.0)) {
        robot_remark(r, REMARK_WARNING, dynamics,
                     "damping and friction of '%.80s' have no effect: it moves along more than one coordinate",
                     axis->name);
        axis->damping = axis->friction = 0.0;
    }
    return status;
}

/* The joint above the link that was added last. */
carom_status urdf_read_joint(urdf_reading *u, const xml_element *joint, robot_link *link)
{
    static const char *const known[] = { "origin", "parent", "child", "axis", "limit", "dynamics", "mimic", NULL };
    static const axis_kind kinds[] = { AXIS_HINGE, AXIS_HINGE, AXIS_SLIDE, AXIS_FREE, AXIS_FREE, AXIS_PLANE };
    robot *r = &u->robot;
    urdf_joint type = JOINT_FIXED;
    carom_status status = read_type(r, joint, &type);
    status = status == CAROM_OK ? urdf_origin(r, joint, &link->pose) : status;
    robot_ignore_strangers(r, joint, known);
    if (status != CAROM_OK || type == JOINT_FIXED) {
        return status;
    }
    robot_axis *axis = robot_add_axis(r, joint, xml_attribute_of(joint, "name"), kinds[type]);
    if (!axis) {
        return robot_no_memory(r);
    }
    const xml_element *direction = xml_child(joint, "axis");
    axis->axis = v3_make(1.0, 0.0, 0.0);
    status = direction ? robot_vector(r, direction, "xyz", &axis->axis) : CAROM_OK;
    status = status == CAROM_OK ? robot_unit(r, direction ? direction : joint, "xyz", &axis->axis) : status;
    status = status == CAROM_OK ? read_limit(r, joint, type, axis) : status;
    return status == CAROM_OK ? read_dynamics(r, joint, axis) : status;
}

/* ---- mimicked joints ---------------------------------------------------------------------------------------------------------------------- */

static robot_axis *axis_named(const robot *r, const char *name)
{
    for (size_t i = 0; i < r->axis_count; ++i) {
        if (strcmp(r->axes[i].name, name) == 0) {
            return &r->axes[i];
        }
    }
    return NULL;
}

static bool has_coordinate(const robot_axis *a)
{
    return a && (a->kind == AXIS_HINGE || a->kind == AXIS_SLIDE);
}

static carom_status read_mimic(const robot *r, const robot_axis *axis, urdf_mimic *out)
{
    const xml_element *mimic = xml_child(axis->from, "mimic");
    const char *name = NULL;
    *out = (urdf_mimic){ .multiplier = 1.0 };
    if (!mimic) {
        return CAROM_OK;
    }
    carom_status status = robot_text(r, mimic, "joint", &name);
    out->master = status == CAROM_OK ? axis_named(r, name) : NULL;
    if (status == CAROM_OK && !out->master) {
        return robot_fail(r, mimic, "there is no joint '%.80s' that moves", name);
    }
    if (status == CAROM_OK && (!has_coordinate(out->master) || !has_coordinate(axis))) {
        return robot_fail(r, mimic, "'%.80s' mimics '%.80s'; both must be revolute, continuous or prismatic joints",
                          axis->name, name);
    }
    status = status == CAROM_OK ? robot_number(r, mimic, "multiplier", &out->multiplier) : status;
    return status == CAROM_OK ? robot_number(r, mimic, "offset", &out->offset) : status;
}

/* Follows a joint to the one it ends with. Answers false where it goes around in a circle. */
static bool find_value(const robot *r, const urdf_mimic *all, robot_axis *axis)
{
    double factor = 1.0;
    double sum = 0.0;
    const robot_axis *a = axis;
    for (size_t steps = 0; steps <= r->axis_count; ++steps) {
        const urdf_mimic *m = &all[a - r->axes];
        if (!m->master) {
            axis->value = sum;
            return true;
        }
        sum += factor * m->offset;
        factor *= m->multiplier;
        a = m->master;
    }
    return false;
}

carom_status urdf_read_mimics(robot *r, urdf_mimic **out)
{
    urdf_mimic *all = CAROM_ARENA_ARRAY(r->arena, urdf_mimic, r->axis_count + 1);
    carom_status status = all ? CAROM_OK : robot_no_memory(r);
    for (size_t i = 0; i < r->axis_count && status == CAROM_OK; ++i) {
        status = read_mimic(r, &r->axes[i], &all[i]);
    }
    for (size_t i = 0; i < r->axis_count && status == CAROM_OK; ++i) {
        if (!find_value(r, all, &r->axes[i])) {
            status = robot_fail(r, xml_child(r->axes[i].from, "mimic"), "'%.80s' mimics itself in the end",
                                r->axes[i].name);
        }
    }
    *out = all;
    return status;
}

carom_status urdf_write_mimics(robot *r, const urdf_mimic *all)
{
    for (size_t i = 0; i < r->axis_count; ++i) {
        const urdf_mimic *m = &all[i];
        const robot_axis *axis = &r->axes[i];
        const xml_element *mimic = xml_child(axis->from, "mimic");
        if (!m->master || !m->master->joint || !axis->joint) {
            continue;
        }
        const char *name = robot_unique_name(r, mimic, robot_name_of(r, axis->name, " mimic"), "gear");
        if (!name) {
            return robot_no_memory(r);
        }
        robot_gear(r, mimic, name, m->master, axis, -m->multiplier);
    }
    return CAROM_OK;
}
