/* A robot as bodies, joints and forces of a carom scene. */
#include "scene/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STICK_SPEED 1e-2 /* [rad/s] or [m/s]: below it dry friction of a joint is viscous */

/* ---- bodies ------------------------------------------------------------------------------------------------------------------------ */

static bool is_identity(quat q)
{
    return q.w == 1.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

static void set_vector(robot *r, json_t *object, const char *key, v3 value)
{
    if (v3_norm2(value) > 0.0) {
        translation_set(r->t, object, key, translation_vector(value));
    }
}

static json_t *shape_json(robot *r, const robot_shape *s, carom_pose in_owner)
{
    json_t *shape = json_deep_copy(s->kind);
    carom_pose pose = scene_pose_compose(in_owner, s->pose);
    set_vector(r, shape, "at", pose.position);
    if (!is_identity(pose.orientation)) {
        translation_set(r->t, shape, "orientation", translation_turn(pose.orientation));
    }
    if (!s->touches) {
        translation_set(r->t, shape, "touches", json_false());
    }
    if (s->material) {
        translation_set(r->t, shape, "material", json_string(s->material));
    }
    return shape;
}

static void set_mass(robot *r, json_t *body, const mass_properties *m)
{
    const double *I = m->inertia.m;
    translation_set(r->t, body, "mass", json_real(m->mass));
    translation_set(r->t, body, "center_of_mass", translation_vector(m->center));
    translation_set(r->t, body, "inertia",
                    json_pack("[ffffff]", I[0], I[4], I[8], 0.5 * (I[1] + I[3]), 0.5 * (I[2] + I[6]),
                              0.5 * (I[5] + I[7])));
}

static json_t *body_json(robot *r, const robot_link *link)
{
    json_t *body = json_object();
    translation_set(r->t, body, "name", json_string(link->body));
    set_vector(r, body, "position", link->pose_w.position);
    if (!is_identity(link->pose_w.orientation)) {
        translation_set(r->t, body, "orientation", translation_turn(link->pose_w.orientation));
    }
    if (link->fixed) {
        translation_set(r->t, body, "fixed", json_true());
    } else {
        set_vector(r, body, "velocity", link->velocity_w);
        set_vector(r, body, "angular_velocity", link->omega_w);
        set_mass(r, body, &link->total);
    }
    if (link->shaped) {
        translation_set(r->t, body, "shapes", json_array());
    }
    if (link->colored) {
        translation_set(r->t, body, "color", json_pack("[fff]", link->color[0], link->color[1], link->color[2]));
    }
    return body;
}

/* Bodies first, then the shapes of every link into the body it belongs to. */
static void write_bodies(robot *r)
{
    json_t **written = CAROM_ARENA_ARRAY(r->arena, json_t *, r->link_count);
    for (size_t i = 0; written && i < r->link_count; ++i) {
        const robot_link *link = &r->links[i];
        const robot_link *owner = &r->links[link->owner];
        if (link == owner && strcmp(link->body, "ground") != 0) {
            written[i] = body_json(r, link);
            translation_add(r->t, r->t->bodies, "bodies", written[i], link->from->line);
        }
        json_t *shapes = json_object_get(written[link->owner], "shapes");
        for (int k = link->first_shape; shapes && k < link->first_shape + link->shape_count; ++k) {
            translation_append(r->t, shapes, shape_json(r, &r->shapes[k], link->in_owner));
        }
    }
}

/* ---- markers ---------------------------------------------------------------------------------------------------------------------------- */

/* A marker of a link in the frame of its body. */
static carom_pose in_body(const robot *r, int link, carom_pose marker)
{
    const robot_link *l = &r->links[link];
    const robot_link *owner = &r->links[l->owner];
    carom_pose p = scene_pose_compose(l->in_owner, marker);
    return strcmp(owner->body, "ground") == 0 ? scene_pose_compose(owner->drawn_w, p) : p;
}

static json_t *frame_json(robot *r, carom_pose p)
{
    json_t *frame = json_object();
    set_vector(r, frame, "position", p.position);
    if (!is_identity(p.orientation)) {
        translation_set(r->t, frame, "orientation", translation_turn(p.orientation));
    }
    return frame;
}

static json_t *joint_json(robot *r, const char *name, const char *type, int link_a, carom_pose a, int link_b,
                          carom_pose b)
{
    const robot_link *la = &r->links[r->links[link_a].owner];
    const robot_link *lb = &r->links[r->links[link_b].owner];
    json_t *joint = json_object();
    translation_set(r->t, joint, "name", json_string(name));
    translation_set(r->t, joint, "type", json_string(type));
    translation_set(r->t, joint, "bodies", json_pack("[ss]", la->body, lb->body));
    translation_set(r->t, joint, "frame_a", frame_json(r, in_body(r, link_a, a)));
    translation_set(r->t, joint, "frame_b", frame_json(r, in_body(r, link_b, b)));
    return joint;
}

carom_status robot_close_loop(robot *r, const xml_element *from, const char *name, const char *type, int link_a,
                              carom_pose a, int link_b, carom_pose b)
{
    bool nothing = r->links[r->links[link_a].owner].fixed && r->links[r->links[link_b].owner].fixed;
    if (nothing || r->links[link_a].owner == r->links[link_b].owner) {
        return robot_fail(r, from, "it holds two parts together that do not move against each other");
    }
    translation_add(r->t, r->t->joints, "joints", joint_json(r, name, type, link_a, a, link_b, b), from->line);
    return CAROM_OK;
}

/* ---- what acts along a coordinate ------------------------------------------------------------------------------------------------------ */

static void set_coordinate(robot *r, json_t *object, const robot_axis *a)
{
    translation_set(r->t, object, "coordinate", json_string(a->coordinate));
}

static void append_to(robot *r, json_t *joint, const char *key, json_t *entry)
{
    if (!json_object_get(joint, key)) {
        translation_set(r->t, joint, key, json_array());
    }
    translation_append(r->t, json_object_get(joint, key), entry);
}

static void set_limits(robot *r, json_t *joint, const robot_axis *a)
{
    if (a->limited) {
        json_t *limits = json_object();
        set_coordinate(r, limits, a);
        translation_set(r->t, limits, "min", json_real(a->low));
        translation_set(r->t, limits, "max", json_real(a->high));
        append_to(r, joint, "limits", limits);
    }
}

static void set_spring(robot *r, json_t *joint, const robot_axis *a)
{
    if (a->stiffness != 0.0 || a->damping != 0.0) {
        json_t *spring = json_object();
        set_coordinate(r, spring, a);
        translation_set(r->t, spring, "stiffness", json_real(a->stiffness));
        translation_set(r->t, spring, "damping", json_real(a->damping));
        translation_set(r->t, spring, "free", json_real(a->rest));
        append_to(r, joint, "spring", spring);
    }
}

/* Markers tell the angle within half a turn; beyond that the joint says where it starts. */
static void set_start(robot *r, json_t *joint, const robot_axis *a)
{
    const double half_turn = 3.14159265358979323846;
    if (a->kind == AXIS_HINGE && fabs(a->value) >= half_turn) {
        json_t *start = json_object();
        set_coordinate(r, start, a);
        translation_set(r->t, start, "value", json_real(a->value));
        append_to(r, joint, "start", start);
    }
}

static void add_friction(robot *r, const robot_axis *a)
{
    if (!(a->friction > 0.0)) {
        return;
    }
    char target[700];
    const char *name = robot_unique_name(r, a->from, robot_name_of(r, a->name, " friction"), "force");
    snprintf(target, sizeof target, "-%.17g*tanh(%s.%s.rate/%g)", a->friction, a->joint, a->coordinate, STICK_SPEED);
    if (name) {
        json_t *motor = json_pack("{ssssssssss}", "name", name, "type", "motor", "joint", a->joint, "coordinate",
                                  a->coordinate, "target", target);
        translation_add(r->t, r->t->forces, "forces", motor, a->from->line);
        robot_remark(r, REMARK_NOTE, a->from,
                     "dry friction of %g %s at any load: a force that grows with the speed up to about %g %s",
                     a->friction, a->kind == AXIS_HINGE ? "N m" : "N", STICK_SPEED,
                     a->kind == AXIS_HINGE ? "rad/s" : "m/s");
    }
}

/* A ball joint's spring and damper act on its rotation vector. */
static void add_ball_spring(robot *r, const robot_axis *a, int parent, carom_pose ma, carom_pose mb)
{
    bool acts = a->stiffness != 0.0 || a->damping != 0.0;
    const char *wanted = acts ? robot_name_of(r, a->name, " spring") : NULL;
    const char *name = acts ? robot_unique_name(r, a->from, wanted, "force") : NULL;
    if (name) {
        double k = a->stiffness;
        double d = a->damping;
        json_t *bushing = joint_json(r, name, "bushing", parent, ma, a->link, mb);
        translation_set(r->t, bushing, "angular_stiffness", json_pack("[fff]", k, k, k));
        translation_set(r->t, bushing, "angular_damping", json_pack("[fff]", d, d, d));
        translation_add(r->t, r->t->forces, "forces", bushing, a->from->line);
    }
}

/* ---- joints --------------------------------------------------------------------------------------------------------------------------- */

/* Which of carom's joints the axes of a link make together. The z axis of marker A and its x axis, in the link's frame as
 * drawn; how the coordinates of the axes are called; where the markers are. */
typedef struct joint_fit {
    const char *type;
    v3 z, x, at;
    const char *coordinates[3];
    carom_pose turn_a, turn_b; /* of the markers: coordinates are at their references as drawn */
} joint_fit;

static quat frame_of(v3 z, v3 x)
{
    return q_from_matrix(m3_from_columns(x, v3_cross(z, x), z));
}

static const v3 own_z = { 0.0, 0.0, 1.0 };
static const v3 own_x = { 1.0, 0.0, 0.0 };

static joint_fit fit_one(const robot_axis *a)
{
    joint_fit fit = { .z = a->axis, .x = v3_across(a->axis), .at = a->anchor };
    fit.turn_a = fit.turn_b = scene_pose_identity();
    switch (a->kind) {
    case AXIS_HINGE:
        fit.type = "revolute";
        fit.coordinates[0] = "angle";
        fit.turn_b.orientation = q_axis_angle(own_z, a->reference);
        break;
    case AXIS_SLIDE:
        fit.type = "prismatic";
        fit.coordinates[0] = "travel";
        fit.turn_b.position = v3_scale(a->reference, own_z);
        break;
    case AXIS_BALL:
        fit.type = "spherical";
        fit.coordinates[0] = "swing";
        break;
    case AXIS_PLANE:
        fit.type = "planar";
        fit.coordinates[0] = "angle";
        break;
    case AXIS_FREE:
        break;
    }
    return fit;
}

static bool is_across(v3 a, v3 b)
{
    return fabs(v3_dot(a, b)) < 1e-9;
}

/* The point where two lines meet; false: they do not. */
static bool lines_meet(const robot_axis *a, const robot_axis *b, v3 *out)
{
    v3 between = v3_sub(b->anchor, a->anchor); /* the lines are perpendicular */
    v3 on_a = v3_axpy(a->anchor, v3_dot(between, a->axis), a->axis);
    v3 on_b = v3_axpy(b->anchor, -v3_dot(between, b->axis), b->axis);
    *out = on_a;
    return v3_norm(v3_sub(on_a, on_b)) <= 1e-9 * (1.0 + v3_norm(between));
}

static bool fit_two_hinges(const robot_axis *a, joint_fit *fit)
{
    bool ok = a[0].kind == AXIS_HINGE && a[1].kind == AXIS_HINGE && is_across(a[0].axis, a[1].axis) &&
              lines_meet(&a[0], &a[1], &fit->at);
    fit->type = "universal";
    fit->z = a[0].axis;
    fit->x = a[1].axis;
    fit->coordinates[0] = "angle_1";
    fit->coordinates[1] = "angle_2";
    fit->turn_a.orientation = q_axis_angle(own_z, -a[0].reference);
    fit->turn_b.orientation = q_axis_angle(own_x, a[1].reference);
    return ok;
}

static bool fit_shaft(const robot_axis *a, joint_fit *fit)
{
    int turn = a[0].kind == AXIS_HINGE ? 0 : 1;
    int slide = 1 - turn;
    bool ok = a[turn].kind == AXIS_HINGE && a[slide].kind == AXIS_SLIDE &&
              v3_norm(v3_sub(a[0].axis, a[1].axis)) < 1e-9;
    fit->type = "cylindrical";
    fit->z = a[turn].axis;
    fit->x = v3_across(fit->z);
    fit->at = a[turn].anchor;
    fit->coordinates[turn] = "angle";
    fit->coordinates[slide] = "travel";
    fit->turn_b = pose_make(v3_scale(a[slide].reference, own_z), q_axis_angle(own_z, a[turn].reference));
    return ok;
}

/* Two slides across each other, then a hinge across both. */
static bool fit_plane(const robot_axis *a, joint_fit *fit)
{
    bool ok = a[0].kind == AXIS_SLIDE && a[1].kind == AXIS_SLIDE && a[2].kind == AXIS_HINGE &&
              is_across(a[0].axis, a[1].axis) && is_across(a[0].axis, a[2].axis) && is_across(a[1].axis, a[2].axis);
    bool right = v3_dot(v3_cross(a[0].axis, a[1].axis), a[2].axis) > 0.0;
    int x = right ? 0 : 1;
    fit->type = "planar";
    fit->z = a[2].axis;
    fit->x = a[x].axis;
    fit->at = a[2].anchor;
    fit->coordinates[x] = "x";
    fit->coordinates[1 - x] = "y";
    fit->coordinates[2] = "angle";
    fit->turn_a.position = v3_make(-a[x].reference, -a[1 - x].reference, 0.0);
    fit->turn_b.orientation = q_axis_angle(own_z, a[2].reference);
    return ok;
}

static carom_status fit_axes(const robot *r, const robot_link *link, joint_fit *fit)
{
    const robot_axis *a = &r->axes[link->first_axis];
    *fit = (joint_fit){ .turn_a = scene_pose_identity(), .turn_b = scene_pose_identity() };
    if (link->axis_count == 1) {
        *fit = fit_one(a);
        return CAROM_OK;
    }
    bool ok = false;
    if (link->axis_count == 2) {
        ok = fit_two_hinges(a, fit);
        if (!ok) {
            fit->turn_a = fit->turn_b = scene_pose_identity();
            ok = fit_shaft(a, fit);
        }
    } else if (link->axis_count == 3) {
        ok = fit_plane(a, fit);
    }
    return ok ? CAROM_OK
              : robot_fail(
                    r, a[1].from,
                    "'%.80s' has %d joints that no joint of carom is together. Possible are two hinges that meet "
                    "at a right angle, a slide and a hinge along one axis, and two slides and then a hinge, all at "
                    "right angles. Put bodies with mass between them",
                    link->name, link->axis_count);
}

static const char *joint_name(robot *r, const robot_link *link)
{
    const char *wanted = NULL;
    bool rubs = false;
    for (int k = 0; k < link->axis_count; ++k) {
        const robot_axis *a = &r->axes[link->first_axis + k];
        wanted = k == 0 ? a->name : wanted ? carom_arena_printf(r->arena, "%s_%s", wanted, a->name) : NULL;
        rubs = rubs || a->friction > 0.0;
    }
    const char *name = rubs && wanted ? robot_word(r, wanted) : wanted; /* friction is an expression */
    if (name && strcmp(name, wanted) != 0) {
        robot_remark(r, REMARK_NOTE, link->from, "the joint '%.100s' is called '%.100s', as an expression can say it",
                     wanted, name);
    }
    return name ? robot_unique_name(r, link->from, name, "joint") : NULL;
}

static void write_coordinate(robot *r, json_t *joint, robot_axis *a)
{
    set_limits(r, joint, a);
    set_spring(r, joint, a);
    set_start(r, joint, a);
}

static carom_status write_axes(robot *r, const robot_link *link)
{
    joint_fit fit;
    int self = (int)(link - r->links);
    robot_axis *axes = &r->axes[link->first_axis];
    carom_status status = fit_axes(r, link, &fit);
    if (status != CAROM_OK || axes[0].kind == AXIS_FREE) {
        return status;
    }
    const char *name = joint_name(r, link);
    if (!name) {
        return robot_no_memory(r);
    }
    carom_pose marker = pose_make(fit.at, frame_of(fit.z, fit.x));
    carom_pose a = scene_pose_compose(link->pose, scene_pose_compose(marker, fit.turn_a));
    carom_pose b = scene_pose_compose(marker, fit.turn_b);
    json_t *joint = joint_json(r, name, fit.type, link->parent, a, self, b);
    for (int k = 0; k < link->axis_count; ++k) {
        axes[k].joint = name;
        axes[k].coordinate = fit.coordinates[k];
        if (axes[k].kind == AXIS_HINGE || axes[k].kind == AXIS_SLIDE) {
            write_coordinate(r, joint, &axes[k]);
        }
    }
    translation_add(r->t, r->t->joints, "joints", joint, axes[0].from->line);
    if (axes[0].kind == AXIS_BALL) {
        add_ball_spring(r, &axes[0], link->parent, a, b);
    }
    for (int k = 0; k < link->axis_count; ++k) {
        add_friction(r, &axes[k]);
    }
    if (link->axis_count > 1) {
        robot_remark(r, REMARK_TOLD, axes[0].from, "the %d joints of '%.80s' are one %s joint, '%.100s'",
                     link->axis_count, link->name, fit.type, name);
    }
    return CAROM_OK;
}

static carom_status write_joint(robot *r, const robot_link *link)
{
    int self = (int)(link - r->links);
    if (link->parent == ROBOT_NONE || link->owner != self || link->fixed) {
        return CAROM_OK;
    }
    if (link->axis_count > 0) {
        return write_axes(r, link);
    }
    const char *name = robot_unique_name(r, link->from, robot_name_of(r, link->name, " fixed"), "joint");
    if (!name) {
        return robot_no_memory(r);
    }
    json_t *joint = joint_json(r, name, "fixed", link->parent, link->pose, self, scene_pose_identity());
    translation_add(r->t, r->t->joints, "joints", joint, link->from->line);
    return CAROM_OK;
}

void robot_gear(robot *r, const xml_element *from, const char *name, const robot_axis *first,
                const robot_axis *second, double ratio)
{
    json_t *gear = json_pack("{sssssssssssssf}", "name", name, "type", "gear", "joint_1", first->joint,
                             "coordinate_1", first->coordinate, "joint_2", second->joint, "coordinate_2",
                             second->coordinate, "ratio", ratio);
    translation_add(r->t, r->t->joints, "joints", gear, from->line);
}

carom_status robot_write(robot *r)
{
    carom_status status = CAROM_OK;
    write_bodies(r);
    for (size_t i = 0; i < r->link_count && error_goes_on(r->t->r->err, status); ++i) {
        status = error_worse(status, write_joint(r, &r->links[i]));
    }
    return status == CAROM_OK && (r->t->out_of_memory || r->arena->failed) ? robot_no_memory(r) : status;
}
