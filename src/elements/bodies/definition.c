/* Definitions of bodies and their shapes: defaults and field tables. */
#include <math.h>
#include <threads.h>

#include <carom/elements.h>

#define UNSET                                       \
    {                                               \
        .kind = CAROM_NUMBER, .number = (double)NAN \
    } /* a value that was not given */

static const carom_shape_def shape_defaults = { .orientation = { 1.0, 0.0, 0.0, 0.0 }, .touches = true };

static const carom_field shape_fields[] = {
    { .name = "at",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_shape_def, at),
      .dimension = CAROM_DIM_LENGTH,
      .doc = "Origin of the shape in the body's frame." },
    { .name = "orientation",
      .kind = CAROM_FIELD_ORIENTATION,
      .offset = offsetof(carom_shape_def, orientation),
      .doc = "Takes the shape's axes to the body's axes." },
    { .name = "density",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_shape_def, density),
      .dimension = CAROM_DIM_DENSITY,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Density of this shape; 0 takes the body's." },
    { .name = "material",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_shape_def, material),
      .doc =
          "A name for the pairs of the contact section, and for the density where the scene's `materials` have it; "
          "the body's unless given." },
    { .name = "touches",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(carom_shape_def, touches),
      .doc = "False for a shape that gives mass and looks but takes no part in contact." },
    { .name = "spacing",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_shape_def, spacing),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_POSITIVE,
      .doc = "Largest distance between neighbouring detection points; the contact method's unless given." },
    { .name = "resolution",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(carom_shape_def, resolution),
      .flags = CAROM_POSITIVE,
      .doc = "Cells of the distance field along the longest edge of a mesh; the contact method's unless given." },
    { .name = NULL },
};

static const carom_field motion_fields[] = {
    { .name = "position",
      .kind = CAROM_FIELD_VALUE3,
      .offset = offsetof(carom_motion_def, position),
      .dimension = CAROM_DIM_LENGTH,
      .doc = "Position of the body frame in the world over time; without it the body stays where it starts." },
    { .name = "axis",
      .kind = CAROM_FIELD_DIRECTION,
      .offset = offsetof(carom_motion_def, axis),
      .doc = "World direction about which the body turns by 'angle' from its initial orientation." },
    { .name = "angle",
      .kind = CAROM_FIELD_VALUE,
      .offset = offsetof(carom_motion_def, angle),
      .dimension = CAROM_DIM_ANGLE,
      .doc = "Angle turned about 'axis' over time." },
    { .name = NULL },
};

enum { FLEXIBLE_FIELD = 13 };

static const carom_body_def body_defaults = {
    .orientation = { 1.0, 0.0, 0.0, 0.0 },
    .motion = { .position = { UNSET, UNSET, UNSET }, .axis = { 0.0, 0.0, 1.0 }, .angle = UNSET },
};

/* Not const for one reason: the table of `flexible` comes from a function and is filled in once, before anyone sees it. */
static carom_field body_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_body_def, name),
      .flags = CAROM_REQUIRED,
      .doc = "Unique among bodies, joints and forces; not 'ground'." },
    { .name = "shapes",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_body_def, shapes),
      .fields = shape_fields,
      .item_defaults = &shape_defaults,
      .size = sizeof(carom_shape_def),
      .doc = "Geometry of the body, which also gives its mass; \"shape\" is short for a list of one." },
    { .name = "position",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_body_def, position),
      .dimension = CAROM_DIM_LENGTH,
      .doc = "Position of the body frame in the world at the start." },
    { .name = "orientation",
      .kind = CAROM_FIELD_ORIENTATION,
      .offset = offsetof(carom_body_def, orientation),
      .doc = "Takes body axes to world axes at the start." },
    { .name = "velocity",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_body_def, velocity),
      .dimension = CAROM_DIM_VELOCITY,
      .doc = "Velocity of the origin of the body frame at the start." },
    { .name = "angular_velocity",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_body_def, angular_velocity),
      .dimension = CAROM_DIM_ANGULAR_VELOCITY,
      .doc = "Angular velocity at the start, in world axes." },
    { .name = "density",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_body_def, density),
      .dimension = CAROM_DIM_DENSITY,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Density of the shapes that give none of their own." },
    { .name = "mass",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_body_def, mass),
      .dimension = CAROM_DIM_MASS,
      .flags = CAROM_POSITIVE,
      .doc = "Mass; with shapes and without 'inertia' the shapes are scaled to it." },
    { .name = "inertia",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_body_def, inertia),
      .dimension = CAROM_DIM_INERTIA,
      .min_count = 3,
      .max_count = 6,
      .doc =
          "Inertia about the centre of mass in body axes: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], where "
          "Ixy is the entry of the tensor, not the product of inertia of opposite sign." },
    { .name = "center_of_mass",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_body_def, center_of_mass),
      .dimension = CAROM_DIM_LENGTH,
      .min_count = 3,
      .max_count = 3,
      .doc = "Centre of mass in the body frame; by default that of the shapes, else the origin." },
    { .name = "fixed",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(carom_body_def, fixed),
      .doc = "True for a body that never moves." },
    { .name = "motion",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(carom_body_def, motion),
      .flags = CAROM_OPTIONAL,
      .fields = motion_fields,
      .size = sizeof(carom_motion_def),
      .doc = "Prescribed motion: the body goes where this says, whatever pushes it." },
    { .name = "material",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_body_def, material),
      .doc = "A name for the pairs of the contact section, for shapes that give none; one of the scene's `materials` "
             "also gives density, and stiffness to a body that deforms." },
    [FLEXIBLE_FIELD] = { .name = "flexible",
                         .kind = CAROM_FIELD_GROUP,
                         .offset = offsetof(carom_body_def, flexible),
                         .flags = CAROM_OPTIONAL,
                         .size = sizeof(carom_flexible_def),
                         .doc =
                             "Makes the body deform: a mesh of finite elements, which gives its mass, its centre of "
                             "mass and its inertia too; shapes are for looks then." },
    { .name = "color",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_body_def, color),
      .min_count = 3,
      .max_count = 3,
      .doc = "Red, green, blue from 0 to 1, for viewers." },
    { .name = NULL },
};

static void fill_tables(void)
{
    body_fields[FLEXIBLE_FIELD].fields = carom_flexible_fields();
}

const carom_field *carom_body_fields(void)
{
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, fill_tables);
    return body_fields;
}

const carom_field *carom_shape_fields(void)
{
    return shape_fields;
}

carom_body_def carom_body_def_default(void)
{
    carom_body_def def = body_defaults;
    def.flexible = carom_flexible_def_default();
    return def;
}

carom_shape_def carom_shape_def_default(void)
{
    return shape_defaults;
}
