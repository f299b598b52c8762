/* A sprocket for roller chain. Rollers of radius r sit at the pitch radius R = pitch / (2 sin(pi / teeth)). The seat is an arc
 * of radius s = r + clearance about the roller's centre, over pi/2 - pi/teeth to either side of the inward radius. A roller
 * that leaves its seat turns about its neighbour, which is still seated: so the flank is an arc of radius pitch - s about the
 * neighbour's centre. Seat and flank have a common tangent where they meet, on the line of both centres. Teeth end at
 * R + 0.55 pitch - r, between the limits of ISO 606, or lower where they would end in a point.
 *
 * Chords of seats would cut into the rollers: their radii are divided by the cosine of half a step. */
#include "geometry/make/make.h"

typedef struct tooth_form {
    double pitch_radius;
    double seat, flank; /* radii of the arcs */
    double seat_half;   /* half the angle of the seat's arc */
    double flank_angle; /* of the flank's arc */
    int seat_steps, flank_steps;
} tooth_form;

/* How far a flank reaches: up to the tip circle, and to 0.8 of where two flanks would meet. */
static double flank_reach(const carom_make_sprocket *s, const tooth_form *f)
{
    double tip = f->pitch_radius + 0.55 * s->pitch - 0.5 * s->roller;
    double cosine = (tip * tip - f->pitch_radius * f->pitch_radius - f->flank * f->flank) /
                    (2.0 * f->pitch_radius * f->flank);
    double to_tip = 0.5 * PI + PI / s->teeth - acos(fmax(-1.0, fmin(1.0, cosine)));
    return fmin(to_tip, 0.8 * acos(0.5 * s->pitch / f->flank));
}

static tooth_form describe(const carom_make_sprocket *s)
{
    tooth_form f = { .pitch_radius = 0.5 * s->pitch / sin(PI / s->teeth),
                     .seat = 0.5 * s->roller + s->clearance,
                     .seat_half = 0.5 * PI - PI / s->teeth,
                     .seat_steps = s->steps,
                     .flank_steps = s->steps / 2 };
    f.flank = s->pitch - f.seat;
    f.flank_angle = flank_reach(s, &f);
    return f;
}

static carom_status check(const carom_make_sprocket *s, carom_error *err)
{
    if (s->teeth < 5 || s->teeth > 1000 || s->steps < 4 || s->steps > 200) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "sprocket: teeth is %d and steps %d; teeth must be from 5 to 1000, steps from 4 to 200",
                          s->teeth, s->steps);
    }
    if (0.5 * s->roller + s->clearance >= 0.45 * s->pitch) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "sprocket: the seats have a radius of %g (half the roller and the clearance); at a pitch of %g it "
            "must be below %g to leave room for teeth",
            0.5 * s->roller + s->clearance, s->pitch, 0.45 * s->pitch);
    }
    tooth_form f = describe(s);
    double root = f.pitch_radius - f.seat / cos(f.seat_half / f.seat_steps);
    if (0.5 * s->bore >= 0.95 * root) {
        return carom_fail(err, CAROM_BAD_INPUT, "sprocket: bore is %g; the seats reach down to a diameter of %g",
                          s->bore, 2.0 * root);
    }
    return CAROM_OK;
}

/* The gap about the seat at angle phi: down the flank of one tooth, along the seat, up the flank of the next. */
static void add_gap(make_outline *o, const tooth_form *f, int teeth, double phi)
{
    double step = 2.0 * PI / teeth;
    double up = 0.5 * PI + PI / teeth; /* from a neighbour's radius to the line of centres */
    double r = f->pitch_radius;
    double before = phi - step;
    double after = phi + step;
    double chord = f->seat / cos(f->seat_half / f->seat_steps);
    make_outline_arc(o, r * cos(before), r * sin(before), f->flank, before + up - f->flank_angle,
                     before + up - f->flank_angle / f->flank_steps, f->flank_steps - 1);
    make_outline_arc(o, r * cos(phi), r * sin(phi), chord, phi + PI + f->seat_half, phi + PI - f->seat_half,
                     f->seat_steps);
    make_outline_arc(o, r * cos(after), r * sin(after), f->flank, after - up + f->flank_angle / f->flank_steps,
                     after - up + f->flank_angle, f->flank_steps - 1);
}

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    const carom_make_sprocket *s = params;
    carom_status status = check(s, err);
    if (status != CAROM_OK) {
        return status;
    }
    tooth_form f = describe(s);
    make_outline o = { 0 };
    for (int k = 0; k < s->teeth; ++k) {
        add_gap(&o, &f, s->teeth, 2.0 * PI * k / s->teeth);
    }
    make_outline_close(&o);
    make_outline_hole(&o, 0.0, 0.0, 0.5 * s->bore, 48);
    return make_plate(out, &o, s->width, s->spacing, err);
}

static const carom_field fields[] = {
    MAKE_COUNT(carom_make_sprocket, teeth, CAROM_POSITIVE, "Number of teeth."),
    MAKE_LENGTH(carom_make_sprocket, pitch, CAROM_POSITIVE, "Pitch of the chain: distance of its rollers."),
    MAKE_LENGTH(carom_make_sprocket, roller, CAROM_POSITIVE, "Diameter of the rollers."),
    MAKE_LENGTH(carom_make_sprocket, clearance, CAROM_NONNEGATIVE, "Clearance between a roller and its seat."),
    MAKE_LENGTH(carom_make_sprocket, width, CAROM_POSITIVE, "Width along z, centred."),
    MAKE_LENGTH(carom_make_sprocket, bore, CAROM_NONNEGATIVE, "Diameter of the hole; 0: none."),
    MAKE_COUNT(carom_make_sprocket, steps, CAROM_POSITIVE, "Segments of a seat; a flank has half as many."),
    MAKE_LENGTH(carom_make_sprocket, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as the outline needs."),
    { 0 },
};

static const carom_make_sprocket defaults = {
    .teeth = 12, .pitch = 0.0127, .roller = 0.0077, .clearance = 0.0001, .width = 0.003, .bore = 0.012, .steps = 8
};

const mesh_make_type make_sprocket = {
    .kind = { .name = "sprocket",
              .doc = "A chain wheel about z, centred on the origin, one gap between teeth on the x axis.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_sprocket) },
    .build = build,
};
