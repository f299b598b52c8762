/* The list of joints, and the field tables of what all joints have: attachment, springs, limits, motion, friction. */
#include "elements/joints/joint.h"

#include <string.h>

#include "elements/attachment.h"

#define JOINT(name) extern const carom_joint_type carom_joint_##name;
#include "elements/joints/list.inc"
#undef JOINT

#define JOINT(name) &carom_joint_##name.kind,
static const carom_kind *const joint_kinds[] = {
#include "elements/joints/list.inc"
    NULL,
};
#undef JOINT

const carom_field joint_no_fields[1] = { { 0 } };

const carom_kind *const *carom_joint_kinds(void)
{
    return joint_kinds;
}

/* `kind` is the first member of each type, so that a pointer to it is one to the type. */
const carom_joint_type *carom_joint_type_find(const char *name)
{
    for (const carom_kind *const *kind = joint_kinds; *kind; ++kind) {
        if (name && strcmp((*kind)->name, name) == 0) {
            return (const carom_joint_type *)*kind;
        }
    }
    return NULL;
}

/* ---- common fields ------------------------------------------------------------------------------------------- */

/* Dimensions of numbers along a coordinate, a length or an angle. */
#define ALONG(of_length, of_angle) .dimension = of_length, .dimension_x = of_angle
#define ALONG_POSITION ALONG(CAROM_DIM_LENGTH, CAROM_DIM_ANGLE)
#define ALONG_SPEED ALONG(CAROM_DIM_VELOCITY, CAROM_DIM_ANGULAR_VELOCITY)
#define ALONG_FORCE ALONG(CAROM_DIM_FORCE, CAROM_DIM_TORQUE)
#define ALONG_STIFFNESS ALONG(CAROM_DIM_STIFFNESS, CAROM_DIM_ANGULAR_STIFFNESS)
#define ALONG_DAMPING ALONG(CAROM_DIM_DAMPING, CAROM_DIM_ANGULAR_DAMPING)

#define COORDINATE_FIELD(type)                                                                                 \
    {                                                                                                          \
        .name = "coordinate", .kind = CAROM_FIELD_TEXT, .offset = offsetof(type, coordinate),                  \
        .doc = "Which coordinate of the joint (\"angle\", \"travel\", ...); not needed where it has only one." \
    }

static const carom_field spring_fields[] = {
    COORDINATE_FIELD(carom_joint_spring_def),
    { .name = "stiffness",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_spring_def, stiffness),
      ALONG_STIFFNESS,
      .flags = CAROM_ALONG | CAROM_NONNEGATIVE | CAROM_SHORTHAND,
      .doc = "Force per travel or torque per angle; 0 by default." },
    { .name = "damping",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_spring_def, damping),
      ALONG_DAMPING,
      .flags = CAROM_ALONG | CAROM_NONNEGATIVE,
      .doc = "Force per speed or torque per angular speed; 0 by default." },
    { .name = "free",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_spring_def, free),
      ALONG_POSITION,
      .flags = CAROM_ALONG,
      .doc = "Coordinate at which the spring is relaxed; 0 by default." },
    { .name = "preload",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_spring_def, preload),
      ALONG_FORCE,
      .flags = CAROM_ALONG,
      .doc = "Force or torque against the coordinate where it equals `free`; 0 by default." },
    { 0 },
};

static const carom_field limit_fields[] = {
    COORDINATE_FIELD(carom_joint_limit_def),
    { .name = "min",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_limit_def, min),
      ALONG_POSITION,
      .flags = CAROM_ALONG,
      .doc = "Least admissible coordinate; none by default." },
    { .name = "max",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_limit_def, max),
      ALONG_POSITION,
      .flags = CAROM_ALONG,
      .doc = "Largest admissible coordinate; none by default." },
    { .name = "stiffness",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_limit_def, stiffness),
      ALONG_STIFFNESS,
      .flags = CAROM_ALONG | CAROM_NONNEGATIVE,
      .doc = "Stiffness of a compliant stop: force k d (1 + damping * rate) at overshoot d, never "
             "pulling. By default such that the lighter of the two bodies would vibrate on it at 100 Hz." },
    { .name = "damping",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_limit_def, damping),
      .dimension = { .time = 1, .length = -1 },
      .dimension_x = { .time = 1, .angle = -1 },
      .flags = CAROM_ALONG | CAROM_NONNEGATIVE,
      .doc = "Damping of a compliant stop, see stiffness; 0 by default: elastic." },
    { .name = "restitution",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_limit_def, restitution),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Rebound speed over impact speed at the stop, 0..1, for methods that treat stops as impacts; 0 by "
             "default." },
    { 0 },
};

static const carom_field motion_fields[] = {
    COORDINATE_FIELD(carom_joint_motion_def),
    { .name = "value",
      .kind = CAROM_FIELD_VALUE,
      .offset = offsetof(carom_joint_motion_def, value),
      ALONG_POSITION,
      .flags = CAROM_ALONG | CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "The coordinate over time: a number, a table, or an expression of t alone." },
    { 0 },
};

static const carom_field start_fields[] = {
    COORDINATE_FIELD(carom_joint_start_def),
    { .name = "value",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_start_def, value),
      ALONG_POSITION,
      .flags = CAROM_ALONG,
      .doc = "The coordinate at the start; as drawn unless given." },
    { .name = "angle",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_start_def, angle),
      .dimension = CAROM_DIM_ANGLE,
      .doc = "Short for the coordinate \"angle\" and its value." },
    { .name = "travel",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_start_def, travel),
      .dimension = CAROM_DIM_LENGTH,
      .doc = "Short for the coordinate \"travel\" and its value." },
    { .name = "rate",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_start_def, rate),
      ALONG_SPEED,
      .flags = CAROM_ALONG,
      .doc = "The coordinate's rate at the start; what the velocities of the bodies make it unless "
             "given." },
    { 0 },
};

static const carom_field friction_fields[] = {
    { .name = "coefficient",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_friction_def, coefficient),
      .flags = CAROM_REQUIRED | CAROM_NONNEGATIVE | CAROM_SHORTHAND,
      .doc = "Coulomb friction coefficient between the joint's surfaces." },
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_friction_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Radius of the bearing (revolute, spherical, cylindrical) or of the thread (screw), at which friction "
             "resists turning; not needed where nothing turns." },
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_friction_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Length of the sleeve on B, centred on marker B (revolute, prismatic, cylindrical): moments press its "
             "two ends; 0 by default: only the force across the axis presses." },
    { 0 },
};

static const carom_field clearance_fields[] = {
    { .name = "play",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_clearance_def, play),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_NONNEGATIVE | CAROM_SHORTHAND,
      .doc = "How far the middles may part: radius of the bearing less that of the journal (revolute), gap on either "
             "side of the centred slider (prismatic); 0: none." },
    { .name = "radius",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_clearance_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Radius of the journal, or half the width of the slider: where friction acts; by default the radius of "
             "the joint's friction, else 0." },
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_joint_clearance_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Length of the slider on B, centred on marker B (prismatic); by default the length of the joint's "
             "friction." },
    { 0 },
};

static const carom_joint_spring_def spring_default = { .stiffness = 0.0 };
static const carom_joint_start_def start_default = {
    .value = (double)NAN, .angle = (double)NAN, .travel = (double)NAN, .rate = (double)NAN
};
static const carom_joint_limit_def limit_default = { .min = -HUGE_VAL, .max = HUGE_VAL };
static const carom_joint_motion_def motion_default = {
    .value = { .number = (double)NAN,
               .scale = 1.0,
               .units = { 1.0, 1.0, 1.0, 1.0, 0.0 } }, /* unset: the field is required */
};

static const carom_field joint_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_joint_def, name),
      .flags = CAROM_REQUIRED,
      .doc = "Name of the joint, unique in the scene." },
    ATTACHMENT_FIELDS(carom_joint_def, "World position of marker A at the start; by default the world's origin."),
    { .name = "spring",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_joint_def, springs),
      .fields = spring_fields,
      .item_defaults = &spring_default,
      .size = sizeof(carom_joint_spring_def),
      .doc = "Springs and dampers along the joint's coordinates; they act against the coordinate with preload + "
             "stiffness * (coordinate - free) + damping * rate." },
    { .name = "limits",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_joint_def, limits),
      .fields = limit_fields,
      .item_defaults = &limit_default,
      .size = sizeof(carom_joint_limit_def),
      .doc = "Stops that keep the joint's coordinates between min and max." },
    { .name = "motion",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_joint_def, motions),
      .fields = motion_fields,
      .item_defaults = &motion_default,
      .size = sizeof(carom_joint_motion_def),
      .doc = "Prescribed motion of the joint's coordinates over time." },
    { .name = "start",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_joint_def, starts),
      .fields = start_fields,
      .item_defaults = &start_default,
      .size = sizeof(carom_joint_start_def),
      .doc =
          "Values and rates of the joint's coordinates at the start: bodies are moved from where they are drawn, and "
          "get velocities that fit." },
    { .name = "friction",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(carom_joint_def, friction),
      .flags = CAROM_OPTIONAL,
      .fields = friction_fields,
      .size = sizeof(carom_joint_friction_def),
      .doc = "Dry friction in the joint, used by methods that resolve it; in a joint with clearance instead of the "
             "contact section's friction." },
    { .name = "clearance",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(carom_joint_def, clearance),
      .flags = CAROM_OPTIONAL,
      .fields = clearance_fields,
      .size = sizeof(carom_joint_clearance_def),
      .doc =
          "Play of a revolute or prismatic joint: B is loose, and knocks and rubs against A as the contact section "
          "says. A slider plays along x of A only; the plane it moves in is held." },
    { 0 },
};

const carom_field *carom_joint_fields(void)
{
    return joint_fields;
}

carom_joint_def carom_joint_def_default(void)
{
    return (carom_joint_def){ .attachment = ATTACHMENT_DEFAULT };
}
