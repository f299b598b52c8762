/* A spiral wall: its middle line r(phi) goes evenly from one radius to another over an angle (Archimedes), then stays round.
 * The wall is as thick in every radius. Cams that draw pins in, scrolls of chucks, snails of clockworks. */
#include "geometry/make/make.h"

static double radius_at(const carom_make_spiral *s, double phi)
{
    return s->radius + (s->end_radius - s->radius) * fmin(1.0, phi / s->angle);
}

/* The least distance of one turn from the next, in radius; no turn lies over another: infinite. */
static double turns_apart(const carom_make_spiral *s)
{
    double least = HUGE_VAL;
    double last = s->angle + s->round - 2.0 * PI;
    const double places[] = { 0.0, s->angle - 2.0 * PI, s->angle, last }; /* where the difference has its extremes */
    for (int i = 0; i < 4; ++i) {
        if (last >= 0.0 && places[i] >= 0.0 && places[i] <= last) {
            least = fmin(least, fabs(radius_at(s, places[i] + 2.0 * PI) - radius_at(s, places[i])));
        }
    }
    return least;
}

static carom_status check(const carom_make_spiral *s, carom_error *err)
{
    if (s->sectors < 12 || s->sectors > 3000 || s->angle + s->round > 40.0 * PI) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "spiral: sectors is %d and the wall goes %.3g turns around; sectors must be from 12 to 3000, turns "
            "at most 20",
            s->sectors, (s->angle + s->round) / (2.0 * PI));
    }
    if (0.5 * s->thickness >= 0.95 * fmin(s->radius, s->end_radius)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "spiral: thickness is %g and the least radius %g; the wall must not reach the axis",
                          s->thickness, fmin(s->radius, s->end_radius));
    }
    if (turns_apart(s) <= 1.05 * s->thickness) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "spiral: turns are %g apart and the wall is %g thick; they must not meet: take a thinner wall, or less "
            "than a turn in all",
            turns_apart(s), s->thickness);
    }
    return CAROM_OK;
}

static void add_side(make_outline *o, const carom_make_spiral *s, int steps, bool inner)
{
    for (int i = 0; i <= steps; ++i) {
        double phi = (s->angle + s->round) * (inner ? steps - i : i) / steps;
        double r = radius_at(s, phi) + (inner ? -0.5 : 0.5) * s->thickness;
        make_outline_point(o, r * cos(phi), r * sin(phi));
    }
}

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    const carom_make_spiral *s = params;
    carom_status status = check(s, err);
    if (status != CAROM_OK) {
        return status;
    }
    int steps = (int)ceil(s->sectors * (s->angle + s->round) / (2.0 * PI));
    make_outline o = { 0 };
    add_side(&o, s, steps < 2 ? 2 : steps, false);
    add_side(&o, s, steps < 2 ? 2 : steps, true);
    make_outline_close(&o);
    return make_plate(out, &o, s->height, s->spacing, err);
}

static const carom_field fields[] = {
    MAKE_LENGTH(carom_make_spiral, radius, CAROM_POSITIVE,
                "Radius of the middle line where it begins, on the x axis."),
    MAKE_LENGTH(carom_make_spiral, end_radius, CAROM_POSITIVE, "Radius where it has become round."),
    MAKE_ANGLE(carom_make_spiral, angle, CAROM_POSITIVE, "Angle over which the radius changes, counter-clockwise."),
    MAKE_ANGLE(carom_make_spiral, round, CAROM_NONNEGATIVE, "Angle of the round part behind."),
    MAKE_LENGTH(carom_make_spiral, thickness, CAROM_POSITIVE, "Thickness of the wall, along the radius."),
    MAKE_LENGTH(carom_make_spiral, height, CAROM_POSITIVE, "Height along z, centred."),
    MAKE_COUNT(carom_make_spiral, sectors, CAROM_POSITIVE, "Segments of a full turn."),
    MAKE_LENGTH(carom_make_spiral, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as the outline needs."),
    { 0 },
};

static const carom_make_spiral defaults = {
    .radius = 0.04, .end_radius = 0.02, .angle = 4.0 * PI, .thickness = 0.003, .height = 0.01, .sectors = 48
};

const mesh_make_type make_spiral = {
    .kind = { .name = "spiral",
              .doc = "A wall along a spiral about z that ends in a round part: cams, scrolls.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_spiral) },
    .build = build,
};
