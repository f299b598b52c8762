/* A tube or a pin with so many sides. Corners of the outside lie on its circle, sides of the hole touch theirs: two tubes of which
 * one has the radius of the other's hole do not cut each other. */
#include "geometry/make/make.h"

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    const carom_make_tube *tube = params;
    if (tube->sectors < 3 || tube->sectors > 3000) {
        return carom_fail(err, CAROM_BAD_INPUT, "tube: sectors is %d; it must be from 3 to 3000", tube->sectors);
    }
    double sides = tube->radius * cos(PI / tube->sectors);
    if (tube->hole >= 0.999 * sides * cos(PI / tube->sectors)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "tube: hole is %g and radius %g; with %d sectors the hole must be smaller than %g",
                          tube->hole, tube->radius, tube->sectors, 0.999 * sides * cos(PI / tube->sectors));
    }
    make_outline o = { 0 };
    double step = 2.0 * PI / tube->sectors;
    make_outline_arc(&o, 0.0, 0.0, tube->radius, 0.0, 2.0 * PI - step, tube->sectors - 1);
    make_outline_close(&o);
    make_outline_hole(&o, 0.0, 0.0, tube->hole, tube->sectors);
    return make_plate(out, &o, tube->length, tube->spacing, err);
}

static const carom_field fields[] = {
    MAKE_LENGTH(carom_make_tube, radius, CAROM_POSITIVE, "Radius outside."),
    MAKE_LENGTH(carom_make_tube, hole, CAROM_NONNEGATIVE, "Radius of the hole; 0: none."),
    MAKE_LENGTH(carom_make_tube, length, CAROM_POSITIVE, "Length along z, centred."),
    MAKE_COUNT(carom_make_tube, sectors, CAROM_POSITIVE, "Number of sides."),
    MAKE_LENGTH(carom_make_tube, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as the outline needs."),
    { 0 },
};

static const carom_make_tube defaults = { .radius = 0.02, .hole = 0.015, .length = 0.05, .sectors = 32 };

const mesh_make_type make_tube = {
    .kind = { .name = "tube",
              .doc = "A tube about z with so many sides, centred on the origin; without a hole a pin or a disc.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_tube) },
    .build = build,
};
