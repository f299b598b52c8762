/* Links of URDF: shapes, colours, masses. */
#include <math.h>
#include <string.h>

#include "scene/urdf.h"

/* ---- shapes --------------------------------------------------------------------------------------------------------------------------- */

static carom_status read_round(robot *r, const xml_element *at, carom_pose pose)
{
    double radius = 0.0;
    double length = 0.0;
    bool capsule = strcmp(at->name, "capsule") == 0;
    carom_status status = urdf_number(r, at, "radius", &radius);
    status = status == CAROM_OK ? urdf_number(r, at, "length", &length) : status;
    if (status != CAROM_OK) {
        return status;
    }
    return capsule ? robot_capsule(r, at, radius, length, pose) : robot_cylinder(r, at, radius, length, pose);
}

static carom_status read_geometry(robot *r, const xml_element *at, carom_pose pose)
{
    v3 size = v3_zero();
    double radius = 0.0;
    carom_status status;
    if (strcmp(at->name, "box") == 0) {
        status = robot_vector(r, at, "size", &size);
        return status == CAROM_OK ? robot_box(r, at, size, pose) : status;
    }
    if (strcmp(at->name, "sphere") == 0) {
        status = urdf_number(r, at, "radius", &radius);
        return status == CAROM_OK ? robot_sphere(r, at, radius, pose) : status;
    }
    if (strcmp(at->name, "cylinder") == 0 || strcmp(at->name, "capsule") == 0) {
        return read_round(r, at, pose);
    }
    if (strcmp(at->name, "mesh") == 0) {
        return urdf_mesh(r, at, pose);
    }
    return robot_fail(r, at, "there is no geometry <%.60s>; there are box, sphere, cylinder, capsule and mesh",
                      at->name);
}

/* A <visual> or <collision>. */
static carom_status read_shape(robot *r, const xml_element *from, bool touches)
{
    static const char *const known[] = { "origin", "geometry", "material", NULL };
    const xml_element *geometry = xml_child(from, "geometry");
    const xml_element *kind = xml_child(geometry, NULL);
    carom_pose pose;
    robot_ignore_strangers(r, from, known);
    if (!kind) {
        return robot_fail(r, from, "there is no geometry in it");
    }
    carom_status status = urdf_origin(r, from, &pose);
    status = status == CAROM_OK ? read_geometry(r, kind, pose) : status;
    if (status == CAROM_OK) {
        r->shapes[r->shape_count - 1].touches = touches;
    }
    return status;
}

static carom_status read_shapes(urdf_reading *u, const xml_element *link, const char *kind, bool touches)
{
    carom_status status = CAROM_OK;
    for (const xml_element *e = xml_child(link, kind); e && error_goes_on(u->robot.t->r->err, status);
         e = xml_next(e, kind)) {
        status = error_worse(status, read_shape(&u->robot, e, touches));
    }
    return status;
}

static void ignore_all(robot *r, const xml_element *link, const char *kind)
{
    for (const xml_element *e = xml_child(link, kind); e; e = xml_next(e, kind)) {
        robot_ignore(r, e);
    }
}

/* What touches, and where a link has nothing that does, what is seen. */
carom_status urdf_read_shapes(urdf_reading *u, const xml_element *link)
{
    bool collides = xml_child(link, "collision") != NULL;
    bool visual = u->shapes == SHAPES_VISUAL || u->shapes == SHAPES_BOTH || (u->shapes == SHAPES_AUTO && !collides);
    bool collision = u->shapes != SHAPES_VISUAL;
    carom_status status = collision ? read_shapes(u, link, "collision", true) : CAROM_OK;
    status = visual ? error_worse(status, read_shapes(u, link, "visual", false)) : status;
    if (!visual) {
        ignore_all(&u->robot, link, "visual");
    }
    if (!collision) {
        ignore_all(&u->robot, link, "collision");
    }
    return status;
}

/* ---- colours -------------------------------------------------------------------------------------------------------------------------- */

static const xml_element *named(const xml_element *parent, const char *kind, const char *name)
{
    const xml_element *e = xml_child(parent, kind);
    while (e && (!xml_attribute_of(e, "name") || strcmp(xml_attribute_of(e, "name"), name) != 0)) {
        e = xml_next(e, kind);
    }
    return e;
}

/* Of the first <visual> that has one; materials stand there or, by their name, in the robot. */
carom_status urdf_read_color(urdf_reading *u, const xml_element *element, robot_link *link)
{
    double rgba[4];
    for (const xml_element *v = xml_child(element, "visual"); v; v = xml_next(v, "visual")) {
        const xml_element *material = xml_child(v, "material");
        const char *name = material ? xml_attribute_of(material, "name") : NULL;
        const xml_element *color = xml_child(material, "color");
        color = color || !name ? color : xml_child(named(u->root, "material", name), "color");
        const char *text = color ? xml_attribute_of(color, "rgba") : NULL;
        if (text) {
            carom_status status = robot_numbers(&u->robot, color, "rgba", text, 3, 4, rgba, NULL);
            for (int k = 0; k < 3 && status == CAROM_OK; ++k) {
                link->color[k] = fmin(fmax(rgba[k], 0.0), 1.0);
            }
            link->colored = status == CAROM_OK;
            return status;
        }
    }
    return CAROM_OK;
}

/* ---- masses --------------------------------------------------------------------------------------------------------------------------- */

static carom_status read_tensor(const robot *r, const xml_element *at, m3 *out)
{
    double i[6] = { 0 };
    static const char *const names[] = { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" };
    carom_status status = CAROM_OK;
    for (int k = 0; k < 6 && status == CAROM_OK; ++k) {
        status = k < 3 ? urdf_number(r, at, names[k], &i[k]) : robot_number(r, at, names[k], &i[k]);
    }
    *out = (m3){ { i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2] } };
    return status;
}

static bool is_zero(m3 a)
{
    double sum = 0.0;
    for (int k = 0; k < 9; ++k) {
        sum += fabs(a.m[k]);
    }
    return sum == 0.0;
}

/* A mass without an inertia takes that of the shapes. */
static carom_status complete(robot *r, const xml_element *inertial, robot_link *link, bool has_center)
{
    mass_properties of_shapes;
    double mass = link->mass.mass;
    if (!robot_mass_of_shapes(r, link, 0.0, mass, &of_shapes)) {
        return robot_fail(r, inertial,
                          "'%.80s' has a mass of %g kg and no inertia, and no shapes with a volume to take it from",
                          link->name, mass);
    }
    of_shapes.center = has_center ? link->mass.center : of_shapes.center;
    link->mass = of_shapes;
    robot_remark(r, REMARK_NOTE, inertial, "'%.80s' has no inertia: that of its shapes with its mass of %g kg",
                 link->name, mass);
    return CAROM_OK;
}

static carom_status read_inertial(robot *r, const xml_element *inertial, robot_link *link)
{
    static const char *const known[] = { "origin", "mass", "inertia", NULL };
    const xml_element *mass = xml_child(inertial, "mass");
    const xml_element *inertia = xml_child(inertial, "inertia");
    carom_pose pose;
    m3 tensor = { { 0 } };
    carom_status status = urdf_origin(r, inertial, &pose);
    if (status == CAROM_OK && !mass) {
        status = robot_fail(r, inertial, "there is no <mass> in it");
    }
    status = status == CAROM_OK ? urdf_number(r, mass, "value", &link->mass.mass) : status;
    status = status == CAROM_OK && inertia ? read_tensor(r, inertia, &tensor) : status;
    robot_ignore_strangers(r, inertial, known);
    if (status != CAROM_OK) {
        return status;
    }
    if (link->mass.mass < 0.0 || (link->mass.mass == 0.0 && !is_zero(tensor))) {
        return robot_fail(r, mass, "'%.80s' has a mass of %g kg; it must be positive", link->name, link->mass.mass);
    }
    link->mass.center = pose.position;
    link->mass.inertia = m3_rotate_tensor(q_matrix(pose.orientation), tensor);
    if (link->mass.mass == 0.0) {
        return CAROM_OK;
    }
    if (is_zero(tensor)) {
        return complete(r, inertial, link, xml_child(inertial, "origin") != NULL);
    }
    const char *problem = robot_mass_problem(&link->mass);
    return problem ? robot_fail(r, inertia, "the inertia of '%.80s' %s", link->name, problem) : CAROM_OK;
}

carom_status urdf_read_mass(urdf_reading *u, const xml_element *element, robot_link *link)
{
    robot *r = &u->robot;
    const xml_element *inertial = xml_child(element, "inertial");
    carom_status status = inertial ? read_inertial(r, inertial, link) : CAROM_OK;
    if (status == CAROM_OK && link->mass.mass == 0.0 && u->density > 0.0 &&
        robot_mass_of_shapes(r, link, u->density, 0.0, &link->mass)) {
        robot_remark(r, REMARK_NOTE, element, "'%.80s' has no mass: %.6g kg by the density of %g kg/m^3", link->name,
                     link->mass.mass, u->density);
    }
    return status;
}
