/* An involute spur gear [Litvin2004, ch. 10]: with module m, z teeth and pressure angle alpha
 *
 *   pitch radius r_p = m z / 2,  base r_b = r_p cos(alpha),  tip r_p + m,  root r_p - 1.25 m,
 *   half angle of a tooth at r >= r_b:  s / (2 r_p) + inv(alpha) - inv(acos(r_b / r)),  inv(x) = tan(x) - x,
 *
 * with the tooth thickness s = (pi m - backlash) / 2 at the pitch circle. Below the base circle, where there is no
 * involute, the flank goes straight inwards, and widens as a fillet does only where the tips of another gear do not reach.
 * The outline ascends in angle all the way around, so each of its points is one column of the solid. */
#include "geometry/make/make.h"

typedef struct outline {
    const carom_make_gear *gear;
    double tip, root, base, start; /* radii; the involute begins at start = max(base, root) */
    double half_base;              /* half angle of a tooth at the base circle */
    double fillet;                 /* radius at which the fillet begins; 0: the involute reaches the root */
    double half_fillet, half_root; /* half angles there and at the root circle */
    int per_tooth;                 /* points */
} outline;

static double involute(double x)
{
    return tan(x) - x;
}

static double half_angle(const outline *o, double r)
{
    return o->half_base - involute(acos(fmin(1.0, o->base / r)));
}

static outline describe(const carom_make_gear *gear)
{
    double pitch = 0.5 * gear->module * gear->teeth;
    outline o = { .gear = gear, .tip = pitch + gear->module, .root = pitch - 1.25 * gear->module };
    o.base = pitch * cos(gear->pressure_angle);
    o.start = fmax(o.base, o.root);
    double thickness = 0.5 * (PI * gear->module - gear->backlash);
    o.half_base = 0.5 * thickness / pitch + involute(gear->pressure_angle);
    double left = PI / gear->teeth - half_angle(&o, o.start); /* of the gap */
    if (o.base > o.root) {
        o.fillet = fmin(o.root + 0.2 * gear->module, 0.5 * (o.root + o.start));
        o.half_fillet = half_angle(&o, o.start) + 1e-4 * left; /* ascending, if barely */
        o.half_root = o.half_fillet + fmin(0.2 * gear->module / fmax(o.root, gear->module), 0.4 * left);
    } else {
        o.half_root = half_angle(&o, o.start);
    }
    o.per_tooth = 2 * (gear->flank_steps + 1) + 2 + (o.fillet > 0.0 ? 4 : 0);
    return o;
}

/* Point i of one tooth, from its root at the smaller angle over the tip to the middle of the gap. */
static void outline_point(const outline *o, int i, double *angle, double *r)
{
    int steps = o->gear->flank_steps;
    int last = o->per_tooth - 2; /* the last point of the second flank */
    if (i == o->per_tooth - 1) { /* the middle of the gap */
        *angle = PI / o->gear->teeth;
        *r = o->root;
        return;
    }
    bool second = i > last / 2;
    int k = second ? last - i : i; /* counted from the root on either flank */
    if (i == last / 2) {           /* the middle of the tip */
        *angle = 0.0;
        *r = o->tip;
        return;
    }
    k -= o->fillet > 0.0 ? 2 : 0;
    *r = k == -2 ? o->root : k == -1 ? o->fillet : o->start + (o->tip - o->start) * k / steps;
    double half = k == -2 ? o->half_root : k == -1 ? o->half_fillet : half_angle(o, *r);
    *angle = second ? half : -half;
}

static void column(make_column *c, const void *context, int sector)
{
    const outline *o = context;
    double r;
    outline_point(o, sector % o->per_tooth, &c->angle, &r);
    c->angle += 2.0 * PI * (sector / o->per_tooth) / o->gear->teeth;
    double z = 0.5 * o->gear->width;
    double bore = 0.5 * o->gear->bore;
    make_column_add(c, bore, -z);
    make_column_add(c, r, -z);
    make_column_add(c, r, z);
    make_column_add(c, bore, z);
}

static carom_status check(const carom_make_gear *gear, carom_error *err)
{
    if (gear->teeth < 4 || gear->teeth > 10000) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear: teeth is %d; it must be from 4 to 10000", gear->teeth);
    }
    if (gear->pressure_angle < 0.05 || gear->pressure_angle > 0.8) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear: pressure_angle is %g degrees; it must be from 3 to 45",
                          gear->pressure_angle * 180.0 / PI);
    }
    if (gear->flank_steps < 2 || gear->flank_steps > 1000) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear: flank_steps is %d; it must be from 2 to 1000",
                          gear->flank_steps);
    }
    if (gear->backlash >= gear->module) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear: backlash is %g; it must be smaller than the module, %g",
                          gear->backlash, gear->module);
    }
    outline o = describe(gear);
    if (0.5 * gear->bore >= o.root) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear: bore is %g, but the teeth begin at a diameter of %g",
                          gear->bore, 2.0 * o.root);
    }
    if (half_angle(&o, o.tip) <= 0.0) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "gear: the flanks of a tooth meet before the tip; take more teeth, a smaller pressure_angle "
            "or less backlash");
    }
    if (o.half_root >= PI / gear->teeth) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear: the teeth meet at the root; take a smaller pressure_angle");
    }
    return CAROM_OK;
}

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    const carom_make_gear *gear = params;
    carom_status status = check(gear, err);
    if (status != CAROM_OK) {
        return status;
    }
    outline o = describe(gear);
    make_surface surface = {
        .sectors = o.per_tooth * gear->teeth, .ring = gear->bore > 0.0, .fill = column, .context = &o
    };
    mesh *coarse = NULL;
    status = make_columns(&coarse, &surface, err);
    return status ? status : make_spaced(out, coarse, gear->spacing, err);
}

static const carom_field fields[] = {
    MAKE_LENGTH(carom_make_gear, module, CAROM_POSITIVE, "Pitch diameter divided by the number of teeth."),
    MAKE_COUNT(carom_make_gear, teeth, CAROM_POSITIVE, "Number of teeth."),
    { .name = "pressure_angle",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_make_gear, pressure_angle),
      .dimension = CAROM_DIM_ANGLE,
      .flags = CAROM_POSITIVE,
      .doc = "Pressure angle." },
    MAKE_LENGTH(carom_make_gear, width, CAROM_POSITIVE, "Width along z."),
    MAKE_LENGTH(carom_make_gear, bore, CAROM_NONNEGATIVE, "Diameter of the hole; 0: none."),
    MAKE_LENGTH(carom_make_gear, backlash, CAROM_NONNEGATIVE,
                "Play at the pitch circle between two gears of this kind."),
    MAKE_COUNT(carom_make_gear, flank_steps, CAROM_POSITIVE, "Segments of each flank."),
    MAKE_LENGTH(carom_make_gear, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as the outline needs."),
    { 0 },
};

static const carom_make_gear defaults = { .module = 0.004,
                                          .teeth = 20,
                                          .pressure_angle = 20.0 * PI / 180.0,
                                          .width = 0.02,
                                          .bore = 0.02,
                                          .backlash = 0.0001,
                                          .flank_steps = 8 };

const mesh_make_type make_gear = {
    .kind = { .name = "gear",
              .doc = "An involute spur gear about z, centred on the origin, one tooth on the x axis.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_gear) },
    .build = build,
};
