/* Bodies and joints of MJCF. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "scene/mjcf.h"

carom_pose mjcf_local(const mjcf *m, carom_pose pose)
{
    return m->s.global ? scene_pose_compose(pose_inverse(m->global[m->robot.link_count - 1]), pose) : pose;
}

carom_status mjcf_take_name(mjcf *m, const xml_element *e, const char *kind)
{
    const robot *r = &m->robot;
    const char *name = xml_attribute_of(e, "name");
    const char *key = name ? carom_arena_printf(r->arena, "%s %s", kind, name) : NULL;
    if (!name) {
        return CAROM_OK;
    }
    if (key && json_object_get(m->taken, key)) {
        return robot_fail(r, e, "there are two %s '%.80s'", kind, name);
    }
    return key && json_object_set_new(m->taken, key, json_true()) == 0 ? CAROM_OK : robot_no_memory(r);
}

/* ---- joints ----------------------------------------------------------------------------------------------------------------------- */

static carom_status read_range(const mjcf *m, const xml_element *e, robot_axis *axis)
{
    double range[2];
    size_t count = 0;
    bool turns = axis->kind != AXIS_SLIDE;
    carom_status status = mjcf_reals(m, e, "range", 2, 2, range, &count);
    status = status == CAROM_OK ? mjcf_limited(m, e, "limited", count == 2, &axis->limited) : status;
    if (status != CAROM_OK || !axis->limited) {
        return status;
    }
    axis->low = turns ? mjcf_angle(m, range[0]) : range[0];
    axis->high = turns ? mjcf_angle(m, range[1]) : range[1];
    return axis->low <= axis->high
               ? CAROM_OK
               : robot_fail(&m->robot, e, "the range goes from %g down to %g", range[0], range[1]);
}

static carom_status read_resistance(const mjcf *m, const xml_element *e, robot_axis *axis)
{
    bool turns = axis->kind != AXIS_SLIDE;
    double springref = 0.0;
    carom_status status = mjcf_number(m, e, "stiffness", &axis->stiffness);
    status = status == CAROM_OK ? mjcf_number(m, e, "damping", &axis->damping) : status;
    status = status == CAROM_OK ? mjcf_number(m, e, "frictionloss", &axis->friction) : status;
    status = status == CAROM_OK ? mjcf_number(m, e, "springref", &springref) : status;
    status = status == CAROM_OK ? mjcf_number(m, e, "ref", &axis->reference) : status;
    axis->rest = turns ? mjcf_angle(m, springref) : springref;
    axis->reference = turns ? mjcf_angle(m, axis->reference) : axis->reference;
    axis->value = axis->reference;
    if (status == CAROM_OK && (axis->stiffness < 0.0 || axis->damping < 0.0 || axis->friction < 0.0)) {
        status = robot_fail(&m->robot, e, "stiffness %g, damping %g, frictionloss %g; they must not be negative",
                            axis->stiffness, axis->damping, axis->friction);
    }
    return status;
}

/* What has an effect in MuJoCo and none here. */
static void warn_of_rest(mjcf *m, const xml_element *e, robot_axis *axis)
{
    double armature = 0.0;
    robot *r = &m->robot;
    if (mjcf_number(m, e, "armature", &armature) == CAROM_OK && armature != 0.0) {
        robot_remark(r, REMARK_WARNING, e, "armature %g of '%.80s' has no effect: rotors are bodies with a gear",
                     armature, axis->name);
    }
    if (mjcf_attribute(m, e, "springdamper")) {
        robot_remark(r, REMARK_WARNING, e, "springdamper of '%.80s' has no effect: give stiffness and damping",
                     axis->name);
    }
    if (axis->kind == AXIS_BALL && (axis->limited || axis->friction > 0.0)) {
        robot_remark(r, REMARK_WARNING, e, "the range and frictionloss of the ball '%.80s' have no effect",
                     axis->name);
        axis->limited = false;
        axis->friction = 0.0;
    }
}

static carom_status read_axis(mjcf *m, const xml_element *e, robot_axis *axis)
{
    v3 direction = axis->axis;
    carom_pose frame = scene_pose_identity();
    carom_status status = mjcf_vector(m, e, "axis", &direction);
    status = status == CAROM_OK ? mjcf_vector(m, e, "pos", &frame.position) : status;
    status = status == CAROM_OK ? robot_unit(&m->robot, e, "axis", &direction) : status;
    if (m->s.global) {
        carom_pose local = mjcf_local(m, frame);
        direction = q_rotate(local.orientation, direction);
        frame = local;
    }
    axis->axis = direction;
    axis->anchor = frame.position;
    return status;
}

static carom_status read_joint(mjcf *m, const xml_element *e)
{
    static const char *const types[] = { "hinge", "slide", "ball", "free", NULL };
    static const axis_kind kinds[] = { AXIS_HINGE, AXIS_SLIDE, AXIS_BALL, AXIS_FREE };
    robot *r = &m->robot;
    const robot_link *link = &r->links[r->link_count - 1];
    int type = strcmp(e->name, "freejoint") == 0 ? 3 : 0;
    carom_status status = mjcf_check_class(m, e);
    status = status == CAROM_OK ? mjcf_take_name(m, e, "joints") : status;
    status = status == CAROM_OK && type == 0 ? mjcf_word(m, e, "type", types, &type) : status;
    if (status != CAROM_OK) {
        return status;
    }
    const char *given = xml_attribute_of(e, "name");
    const char *name = given ? given
                       : link->axis_count > 0
                           ? carom_arena_printf(r->arena, "%s_joint_%d", link->name, link->axis_count + 1)
                           : carom_arena_printf(r->arena, "%s_joint", link->name);
    robot_axis *axis = name ? robot_add_axis(r, e, name, kinds[type]) : NULL;
    if (!axis) {
        return robot_no_memory(r);
    }
    if (axis->kind == AXIS_FREE) {
        axis->pose = m->global[r->link_count - 1];
        return link->parent == 0 && link->axis_count == 1
                   ? CAROM_OK
                   : robot_fail(r, e, "a free joint stands alone, in a body of the worldbody");
    }
    status = read_axis(m, e, axis);
    status = status == CAROM_OK ? read_range(m, e, axis) : status;
    status = status == CAROM_OK ? read_resistance(m, e, axis) : status;
    warn_of_rest(m, e, axis);
    return status;
}

/* ---- masses ----------------------------------------------------------------------------------------------------------------------- */

static carom_status read_inertial(const mjcf *m, const xml_element *e, mass_properties *out)
{
    const robot *r = &m->robot;
    carom_pose pose;
    double mass = 0.0;
    double x[6] = { 0 };
    size_t diagonal = 0;
    size_t full = 0;
    carom_status status = mjcf_pose(m, e, &pose);
    status = status == CAROM_OK ? robot_number(r, e, "mass", &mass) : status;
    status = status == CAROM_OK ? mjcf_reals(m, e, "diaginertia", 3, 3, x, &diagonal) : status;
    status = status == CAROM_OK ? mjcf_reals(m, e, "fullinertia", 6, 6, x, &full) : status;
    if (status == CAROM_OK && diagonal + full == 0) {
        status = robot_fail(r, e, "there is neither diaginertia nor fullinertia");
    }
    if (status != CAROM_OK) {
        return status;
    }
    pose = mjcf_local(m, pose);
    m3 tensor = full ? (m3){ { x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2] } } : m3_diag(x[0], x[1], x[2]);
    out->mass = mass;
    out->center = pose.position;
    out->inertia = m3_rotate_tensor(q_matrix(pose.orientation), tensor);
    const char *problem = robot_mass_problem(out);
    return problem ? robot_fail(r, e, "mass %g kg: %s", mass, problem) : CAROM_OK;
}

static carom_status read_geoms(mjcf *m, const xml_element *body, mass_properties *sum)
{
    carom_status status = CAROM_OK;
    for (const xml_element *e = xml_child(body, "geom"); e && error_goes_on(m->robot.t->r->err, status);
         e = xml_next(e, "geom")) {
        mass_properties one = { 0 };
        status = error_worse(status, mjcf_read_geom(m, e, &one));
        if (one.mass > 0.0) {
            *sum = sum->mass > 0.0 ? mass_add(*sum, one) : one;
        } else if (isnan(one.mass)) {
            sum->mass = (double)NAN;
        }
    }
    return status;
}

static carom_status read_mass(mjcf *m, const xml_element *body, robot_link *link)
{
    mass_properties of_geoms = { 0 };
    const xml_element *inertial = xml_child(body, "inertial");
    carom_status status = read_geoms(m, body, &of_geoms);
    if (status != CAROM_OK) {
        return status;
    }
    if (inertial && m->s.masses != MASSES_OF_GEOMS) {
        return read_inertial(m, inertial, &link->mass);
    }
    if (isnan(of_geoms.mass)) {
        return robot_fail(&m->robot, body,
                          "a mesh of '%.80s' does not close and has no volume; give the body an <inertial>",
                          link->name);
    }
    link->mass = m->s.masses == MASSES_GIVEN ? (mass_properties){ 0 } : of_geoms;
    return CAROM_OK;
}

/* ---- bodies ----------------------------------------------------------------------------------------------------------------------- */

static carom_status refuse_kinds(mjcf *m, const xml_element *body)
{
    const char *mocap = xml_attribute_of(body, "mocap");
    if (mocap && strcmp(mocap, "true") == 0) {
        return robot_fail(&m->robot, body, "mocap bodies are not read; a carom body with 'motion' moves as told");
    }
    if (xml_attribute_of(body, "gravcomp")) {
        robot_remark(&m->robot, REMARK_WARNING, body, "gravcomp has no effect");
    }
    return CAROM_OK;
}

static carom_status place_link(mjcf *m, const xml_element *body, robot_link *link)
{
    robot *r = &m->robot;
    carom_pose pose;
    carom_status status = mjcf_pose(m, body, &pose);
    size_t i = r->link_count - 1;
    if (status != CAROM_OK) {
        return status;
    }
    if (!CAROM_ARRAY_RESERVE(m->global, m->global_capacity, r->link_count)) {
        return robot_no_memory(r);
    }
    carom_pose parent = m->global[link->parent];
    link->pose = m->s.global ? scene_pose_compose(pose_inverse(parent), pose) : pose;
    m->global[i] = m->s.global ? pose : scene_pose_compose(parent, pose);
    return CAROM_OK;
}

static carom_status read_joints(mjcf *m, const xml_element *body)
{
    carom_status status = CAROM_OK;
    for (const xml_element *e = xml_child(body, NULL); e && status == CAROM_OK; e = e->next) {
        bool joint = strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0;
        status = joint ? read_joint(m, e) : CAROM_OK;
    }
    return status;
}

static carom_status read_body(mjcf *m, const xml_element *body, int parent)
{
    static const char *const known[] = { "inertial", "joint", "freejoint", "geom", "body", NULL };
    robot *r = &m->robot;
    const char *given = xml_attribute_of(body, "name");
    const char *name = given ? given : carom_arena_printf(r->arena, "body-%zu", r->link_count);
    robot_link *link = name ? robot_add_link(r, body, name, parent) : NULL;
    int self = (int)r->link_count - 1;
    if (!link) {
        return robot_no_memory(r);
    }
    carom_status status = refuse_kinds(m, body);
    status = status == CAROM_OK ? mjcf_take_name(m, body, "bodies") : status;
    status = status == CAROM_OK ? mjcf_check_class(m, body) : status;
    status = status == CAROM_OK ? place_link(m, body, link) : status;
    status = status == CAROM_OK ? read_joints(m, body) : status;
    status = status == CAROM_OK ? read_mass(m, body, link) : status;
    robot_ignore_strangers(r, body, known);
    for (const xml_element *e = xml_child(body, "body"); e && error_goes_on(r->t->r->err, status);
         e = xml_next(e, "body")) {
        status = error_worse(status, read_body(m, e, self));
    }
    return status;
}

carom_status mjcf_read_world(mjcf *m)
{
    static const char *const known[] = { "geom", "body", NULL };
    robot *r = &m->robot;
    const xml_element *first = xml_child(m->root, "worldbody");
    if (!first) {
        return robot_fail(r, m->root, "there is no <worldbody>");
    }
    robot_link *world = robot_add_link(r, first, "world", ROBOT_NONE);
    if (!world || !CAROM_ARRAY_RESERVE(m->global, m->global_capacity, 1)) {
        return robot_no_memory(r);
    }
    world->grounded = true;
    m->global[0] = scene_pose_identity();
    carom_status status = CAROM_OK;
    for (const xml_element *w = first; w && error_goes_on(r->t->r->err, status); w = xml_next(w, "worldbody")) {
        mass_properties unused = { 0 };
        status = error_worse(status, read_geoms(m, w, &unused));
        robot_ignore_strangers(r, w, known);
    }
    for (const xml_element *w = first; w && error_goes_on(r->t->r->err, status); w = xml_next(w, "worldbody")) {
        for (const xml_element *e = xml_child(w, "body"); e && error_goes_on(r->t->r->err, status);
             e = xml_next(e, "body")) {
            status = error_worse(status, read_body(m, e, 0));
        }
    }
    return status;
}
