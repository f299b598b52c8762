/* A flat link: the convex hull of two circles, with a round hole in each: plates of roller chains, connecting rods, levers.
 *
 * The straight sides touch both circles where their normals are at +-acos((r1 - r2) / pitch) from the x axis. */
#include "geometry/make/make.h"

static carom_status check_end(int end, double radius, double hole, carom_error *err)
{
    if (hole > 0.0 && hole >= 0.95 * radius) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "link-plate: hole_%d is %g and radius_%d %g; the hole must be smaller than 0.95 of the end",
                          end, hole, end, radius);
    }
    return CAROM_OK;
}

static carom_status check(const carom_make_link_plate *link, carom_error *err)
{
    if (link->sectors < 12 || link->sectors > 3000) {
        return carom_fail(err, CAROM_BAD_INPUT, "link-plate: sectors is %d; it must be from 12 to 3000",
                          link->sectors);
    }
    if (fabs(link->radius_1 - link->radius_2) >= 0.95 * link->pitch) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "link-plate: radius_1 is %g, radius_2 %g and pitch %g; one end lies in the other",
                          link->radius_1, link->radius_2, link->pitch);
    }
    if (1.05 * (link->hole_1 + link->hole_2) >= link->pitch) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "link-plate: hole_1 is %g, hole_2 %g and pitch %g; the holes must not meet", link->hole_1,
                          link->hole_2, link->pitch);
    }
    carom_status status = check_end(1, link->radius_1, link->hole_1, err);
    return status ? status : check_end(2, link->radius_2, link->hole_2, err);
}

static int arc_steps(const carom_make_link_plate *link, double angle)
{
    int steps = (int)ceil(link->sectors * angle / (2.0 * PI));
    return steps < 2 ? 2 : steps;
}

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    const carom_make_link_plate *link = params;
    carom_status status = check(link, err);
    if (status != CAROM_OK) {
        return status;
    }
    double side = acos((link->radius_1 - link->radius_2) / link->pitch);
    make_outline o = { 0 };
    make_outline_arc(&o, 0.0, 0.0, link->radius_1, side, 2.0 * PI - side, arc_steps(link, 2.0 * (PI - side)));
    make_outline_arc(&o, link->pitch, 0.0, link->radius_2, -side, side, arc_steps(link, 2.0 * side));
    make_outline_close(&o);
    make_outline_hole(&o, 0.0, 0.0, link->hole_1, link->sectors);
    make_outline_hole(&o, link->pitch, 0.0, link->hole_2, link->sectors);
    return make_plate(out, &o, link->thickness, link->spacing, err);
}

static const carom_field fields[] = {
    MAKE_LENGTH(carom_make_link_plate, pitch, CAROM_POSITIVE, "Distance of the holes, along x."),
    MAKE_LENGTH(carom_make_link_plate, radius_1, CAROM_POSITIVE, "Radius of the end about the origin."),
    MAKE_LENGTH(carom_make_link_plate, radius_2, CAROM_POSITIVE, "Radius of the other end."),
    MAKE_LENGTH(carom_make_link_plate, hole_1, CAROM_NONNEGATIVE, "Radius of the hole about the origin; 0: none."),
    MAKE_LENGTH(carom_make_link_plate, hole_2, CAROM_NONNEGATIVE, "Radius of the other hole; 0: none."),
    MAKE_LENGTH(carom_make_link_plate, thickness, CAROM_POSITIVE, "Thickness along z, centred."),
    MAKE_COUNT(carom_make_link_plate, sectors, CAROM_POSITIVE, "Segments of a full circle."),
    MAKE_LENGTH(carom_make_link_plate, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as the outline needs."),
    { 0 },
};

static const carom_make_link_plate defaults = { .pitch = 0.0127,
                                                .radius_1 = 0.005,
                                                .radius_2 = 0.005,
                                                .hole_1 = 0.002,
                                                .hole_2 = 0.002,
                                                .thickness = 0.0015,
                                                .sectors = 24 };

const mesh_make_type make_link_plate = {
    .kind = { .name = "link-plate",
              .doc = "A flat link with two round ends, at the origin and at x = pitch, and a round hole in each.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_link_plate) },
    .build = build,
};
