/* A Geneva drive with external wheel: a crank at the distance d turns a wheel with n slots by 1/n per turn and holds it in
 * between. The pin enters a slot along it, so it runs at r = d sin(pi/n) and the slots open at R = d cos(pi/n). Between the slots
 * the wheel is hollowed by arcs about the crank's axis, in which the crank's locking disc turns; this is itself hollowed about
 * the wheel's axis, so that the horns of the wheel pass while the pin drives it.
 *
 * Chords of hollow arcs would stand into the other part: their radii are divided by the cosine of half a step. */
#include "geometry/make/make.h"

/* A circle of radius r about (d, 0) meets one of radius R about the origin at these angles from the line of centres, seen
 * from the origin and from (d, 0); not a number when they do not meet. */
typedef struct crossing {
    double radius;    /* of the hollow, with its chords outside the true circle */
    double at_origin; /* half angle there */
    double at_hollow;
} crossing;

static double opening(double near, double d, double far)
{
    return acos((near * near + d * d - far * far) / (2.0 * near * d));
}

static crossing hollow(double round, double d, double true_radius, int steps)
{
    crossing c = { .radius = true_radius / cos(1.05 * opening(true_radius, d, round) / steps) };
    c.at_origin = opening(round, d, c.radius);
    c.at_hollow = opening(c.radius, d, round);
    return c;
}

static carom_status check_common(const char *kind, int slots, int steps, carom_error *err)
{
    if (slots < 3 || slots > 100 || steps < 4 || steps > 1000) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "%s: slots is %d and steps %d; slots must be from 3 to 100, steps from 4 to 1000", kind,
                          slots, steps);
    }
    return CAROM_OK;
}

/* ---- wheel ------------------------------------------------------------------------------------------------------- */

typedef struct wheel_form {
    double rim;              /* radius */
    double bottom;           /* distance of a slot's bottom from the axis */
    double slot, slot_angle; /* half its width, and half its angle at the rim */
    crossing arc;
} wheel_form;

static wheel_form describe(const carom_make_geneva_wheel *w)
{
    wheel_form f = { .rim = w->distance * cos(PI / w->slots), .slot = w->pin + w->clearance };
    f.bottom = w->distance * (1.0 - sin(PI / w->slots)) - f.slot;
    f.slot_angle = asin(fmin(1.0, f.slot / f.rim));
    f.arc = hollow(f.rim, w->distance, w->lock + w->clearance, w->steps);
    return f;
}

static carom_status check_wheel(const carom_make_geneva_wheel *w, carom_error *err)
{
    carom_status status = check_common("geneva-wheel", w->slots, w->steps, err);
    if (status != CAROM_OK) {
        return status;
    }
    wheel_form f = describe(w);
    if (!(f.bottom > 0.0) || f.slot >= 0.95 * f.bottom * tan(PI / w->slots)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "geneva-wheel: pin and clearance make slots %g wide, which meet near the axis; take a thinner pin",
            2.0 * f.slot);
    }
    if (!(1.05 * (f.arc.at_origin + f.slot_angle) < PI / w->slots)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "geneva-wheel: lock is %g; the locking disc must reach the wheel, beyond %g, and leave horns beside "
            "the slots",
            w->lock, w->distance - f.rim);
    }
    if (0.5 * w->bore >= 0.95 * fmin(f.bottom, w->distance - f.arc.radius)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "geneva-wheel: bore is %g; slots and locking arcs reach down to a diameter of %g", w->bore,
                          2.0 * fmin(f.bottom, w->distance - f.arc.radius));
    }
    return CAROM_OK;
}

/* A locking arc about the direction phi, the horn behind it, and the slot half a division further. */
static void add_division(make_outline *o, const carom_make_geneva_wheel *w, const wheel_form *f, double phi)
{
    double slot = phi + PI / w->slots;
    double c = cos(slot);
    double s = sin(slot);
    double open = f->rim * cos(f->slot_angle);
    int rim_steps = w->steps < 12 ? 3 : w->steps / 4;
    make_outline_arc(o, w->distance * cos(phi), w->distance * sin(phi), f->arc.radius, phi + PI + f->arc.at_hollow,
                     phi + PI - f->arc.at_hollow, w->steps);
    double from = phi + f->arc.at_origin;
    double to = slot - f->slot_angle;
    double step = (to - from) / rim_steps;
    make_outline_arc(o, 0.0, 0.0, f->rim, from + step, to, rim_steps - 1);
    make_outline_point(o, f->bottom * c + f->slot * s, f->bottom * s - f->slot * c);
    make_outline_point(o, f->bottom * c - f->slot * s, f->bottom * s + f->slot * c);
    make_outline_point(o, open * c - f->slot * s, open * s + f->slot * c);
    from = slot + f->slot_angle;
    make_outline_arc(o, 0.0, 0.0, f->rim, from + step, from + (rim_steps - 1) * step, rim_steps - 2);
}

static carom_status build_wheel(mesh **out, const void *params, carom_error *err)
{
    const carom_make_geneva_wheel *w = params;
    carom_status status = check_wheel(w, err);
    if (status != CAROM_OK) {
        return status;
    }
    wheel_form f = describe(w);
    make_outline o = { 0 };
    for (int k = 0; k < w->slots; ++k) {
        add_division(&o, w, &f, 2.0 * PI * k / w->slots);
    }
    make_outline_close(&o);
    make_outline_hole(&o, 0.0, 0.0, 0.5 * w->bore, 48);
    return make_plate(out, &o, w->width, w->spacing, err);
}

static const carom_field wheel_fields[] = {
    MAKE_COUNT(carom_make_geneva_wheel, slots, CAROM_POSITIVE, "Number of slots."),
    MAKE_LENGTH(
        carom_make_geneva_wheel, distance, CAROM_POSITIVE,
        "Distance of the axes of wheel and crank; the pin runs at distance * sin(pi / slots) from the crank's."),
    MAKE_LENGTH(carom_make_geneva_wheel, pin, CAROM_POSITIVE, "Radius of the pin."),
    MAKE_LENGTH(carom_make_geneva_wheel, lock, CAROM_POSITIVE, "Radius of the crank's locking disc."),
    MAKE_LENGTH(carom_make_geneva_wheel, clearance, CAROM_NONNEGATIVE,
                "Clearance of the pin in a slot, on either side, and of the locking disc."),
    MAKE_LENGTH(carom_make_geneva_wheel, width, CAROM_POSITIVE, "Width along z, centred."),
    MAKE_LENGTH(carom_make_geneva_wheel, bore, CAROM_NONNEGATIVE, "Diameter of the hole; 0: none."),
    MAKE_COUNT(carom_make_geneva_wheel, steps, CAROM_POSITIVE, "Segments of a locking arc."),
    MAKE_LENGTH(carom_make_geneva_wheel, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as the outline needs."),
    { 0 },
};

static const carom_make_geneva_wheel wheel_defaults = { .slots = 4,
                                                        .distance = 0.1,
                                                        .pin = 0.005,
                                                        .lock = 0.045,
                                                        .clearance = 0.0001,
                                                        .width = 0.01,
                                                        .bore = 0.015,
                                                        .steps = 16 };

const mesh_make_type make_geneva_wheel = {
    .kind = { .name = "geneva-wheel",
              .doc = "The slotted wheel of a Geneva drive about z; its crank turns about (distance, 0, 0).",
              .fields = wheel_fields,
              .defaults = &wheel_defaults,
              .size = sizeof(carom_make_geneva_wheel) },
    .build = build_wheel,
};

/* ---- disc -------------------------------------------------------------------------------------------------------- */

/* The edge of a horn, at the angle delta from the slot in which the pin is, seen from the crank when this is at the angle a before
 * or behind the middle of its drive: distances from the crank's axis and from the middle of the hollow. */
static void horn_edge(const carom_make_geneva_disc *disc, double delta, double a, double *from_axis,
                      double *from_hollow)
{
    double crank = sin(PI / disc->slots);
    double psi = delta - atan2(crank * sin(a), 1.0 - crank * cos(a));
    double x = cos(PI / disc->slots) * cos(psi) - 1.0; /* over the distance of the axes; from the crank's axis */
    double y = cos(PI / disc->slots) * sin(psi);
    *from_axis = disc->distance * hypot(x, y);
    *from_hollow = disc->distance * hypot(x + cos(a), y + sin(a));
}

/* Radius of the hollow: the horns clear it wherever they are inside the disc's circle. */
static double hollow_radius(const carom_make_geneva_disc *disc)
{
    enum { SAMPLES = 400 };
    double rim = disc->distance * cos(PI / disc->slots);
    double delta = PI / disc->slots - opening(rim, disc->distance, disc->lock);
    double most = rim;
    for (int i = -SAMPLES; i <= SAMPLES; ++i) {
        double from_axis, from_hollow;
        horn_edge(disc, delta, (0.5 * PI - PI / disc->slots) * i / SAMPLES, &from_axis, &from_hollow);
        most = from_axis <= disc->lock ? fmax(most, from_hollow) : most;
    }
    return most + disc->clearance;
}

static carom_status build_disc(mesh **out, const void *params, carom_error *err)
{
    const carom_make_geneva_disc *disc = params;
    carom_status status = check_common("geneva-disc", disc->slots, disc->steps, err);
    if (status != CAROM_OK) {
        return status;
    }
    double rim = disc->distance * cos(PI / disc->slots);
    crossing c = hollow(disc->lock, disc->distance, hollow_radius(disc), disc->steps);
    if (!(c.at_origin > 0.0) || disc->lock >= 0.95 * disc->distance * sin(PI / disc->slots)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "geneva-disc: lock is %g; the disc must reach the wheel, beyond %g, and stay inside the path of "
            "the pin, %g",
            disc->lock, disc->distance - rim, disc->distance * sin(PI / disc->slots));
    }
    if (0.5 * disc->bore >= 0.95 * (disc->distance - c.radius)) {
        return carom_fail(err, CAROM_BAD_INPUT, "geneva-disc: bore is %g; the hollow leaves %g", disc->bore,
                          2.0 * (disc->distance - c.radius));
    }
    make_outline o = { 0 };
    double around = 2.0 * (PI - c.at_origin);
    make_outline_arc(&o, 0.0, 0.0, disc->lock, c.at_origin, 2.0 * PI - c.at_origin,
                     (int)ceil(disc->steps * around / (0.5 * PI)));
    double step = 2.0 * c.at_hollow / disc->steps;
    make_outline_arc(&o, disc->distance, 0.0, c.radius, PI + c.at_hollow - step, PI - c.at_hollow + step,
                     disc->steps - 2);
    make_outline_close(&o);
    make_outline_hole(&o, 0.0, 0.0, 0.5 * disc->bore, 48);
    return make_plate(out, &o, disc->width, disc->spacing, err);
}

static const carom_field disc_fields[] = {
    MAKE_COUNT(carom_make_geneva_disc, slots, CAROM_POSITIVE, "Number of slots of the wheel."),
    MAKE_LENGTH(carom_make_geneva_disc, distance, CAROM_POSITIVE, "Distance of the axes of wheel and crank."),
    MAKE_LENGTH(carom_make_geneva_disc, lock, CAROM_POSITIVE, "Radius."),
    MAKE_LENGTH(carom_make_geneva_disc, clearance, CAROM_NONNEGATIVE, "Clearance between the hollow and the wheel."),
    MAKE_LENGTH(carom_make_geneva_disc, width, CAROM_POSITIVE, "Width along z, centred."),
    MAKE_LENGTH(carom_make_geneva_disc, bore, CAROM_NONNEGATIVE, "Diameter of the hole; 0: none."),
    MAKE_COUNT(carom_make_geneva_disc, steps, CAROM_POSITIVE,
               "Segments of the hollow, and of a quarter turn of the rim."),
    MAKE_LENGTH(carom_make_geneva_disc, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as the outline needs."),
    { 0 },
};

static const carom_make_geneva_disc disc_defaults = {
    .slots = 4, .distance = 0.1, .lock = 0.045, .clearance = 0.0005, .width = 0.01, .bore = 0.015, .steps = 16
};

const mesh_make_type make_geneva_disc = {
    .kind = { .name = "geneva-disc",
              .doc =
                  "The locking disc on the crank of a Geneva drive, about z; hollowed towards +x, where the pin is.",
              .fields = disc_fields,
              .defaults = &disc_defaults,
              .size = sizeof(carom_make_geneva_disc) },
    .build = build_disc,
};
