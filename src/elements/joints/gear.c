/* Gear: a relation between coordinates of two other joints,
 *     ratio coordinate_1 + coordinate_2 = its value at the start.
 * It has no frames of its own: whoever assembles takes the coordinates and their rows from the two joints. */
#include "elements/joints/joint.h"

static const carom_field gear_fields[] = {
    { .name = "joint_1",
      .kind = CAROM_FIELD_JOINT,
      .offset = offsetof(carom_gear_def, joint_1),
      .flags = CAROM_REQUIRED,
      .doc = "The first joint." },
    { .name = "joint_2",
      .kind = CAROM_FIELD_JOINT,
      .offset = offsetof(carom_gear_def, joint_2),
      .flags = CAROM_REQUIRED,
      .doc = "The second joint." },
    { .name = "coordinate_1",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_gear_def, coordinate_1),
      .doc = "Which coordinate of the first joint; not needed where it has only one." },
    { .name = "coordinate_2",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_gear_def, coordinate_2),
      .doc = "Which coordinate of the second joint; not needed where it has only one." },
    { .name = "ratio",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_gear_def, ratio),
      .flags = CAROM_REQUIRED,
      .doc = "ratio * coordinate_1 + coordinate_2 stays constant; +teeth_1/teeth_2 for external gears whose axes "
             "point the same way; for a rack and pinion in SI units, m/rad." },
    { 0 },
};

static const carom_gear_def gear_defaults = { .ratio = 1.0 };

const carom_joint_type carom_joint_gear = {
    .kind = { .name = "gear",
              .doc = "Couples the coordinates of two other joints: gears, belts, racks and pinions.",
              .fields = gear_fields,
              .defaults = &gear_defaults,
              .size = sizeof(carom_gear_def) },
    .couples_joints = true,
};
