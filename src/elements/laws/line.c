/* Line: cylinders side by side, or a cylinder across a flat bar. Elastic. Half the width of the contact, and by how much each side gives way
 * between the contact and the point whose motion counts [Johnson1985, (4.43), (5.55), (5.57)]:
 *
 *     a^2 = 4 F R/(pi E* L),     1/E* = 1/E_1 + 1/E_2,  1/R = 1/R_1 + 1/R_2,
 *     round, up to its axis:     F/(pi E_i L) (2 ln(4 R_i/a) - 1)
 *     flat, down to a depth d_i: F/(pi E_i L) (2 ln(2 d_i/a) - nu_i/(1 - nu_i))
 *
 * with E_i = E/(1 - nu^2) in plane strain; in plane stress E, and nu_i in place of nu_i/(1 - nu_i). Their sum is the penetration
 * p = F (A - c ln F), which is solved for F. The formulas hold for narrow contacts: where a is half of the smallest radius or depth the force goes
 * on in a straight line. */
#include "elements/laws/elastic.h"

#include <carom/flexible.h>

static const double PI = 3.14159265358979323846;
static const double DEFAULT_POISSON = 0.3;

/* Of two sides; one number stands for both. */
static double of_both(const carom_reals *numbers, size_t side, double none)
{
    return numbers->count == 0 ? none : numbers->data[side < numbers->count ? side : 0];
}

/* Of a side that need not be there. */
static double of_side(const carom_reals *numbers, size_t side)
{
    return side < numbers->count ? numbers->data[side] : 0.0;
}

typedef struct line_side {
    double compliance; /* [1/Pa] of the plane */
    double radius;     /* [m] 0: flat */
    double depth;      /* [m] 0: down to the axis */
    double poisson;    /* what stands for Poisson's ratio in the plane */
} line_side;

static line_side side_of(const carom_line_law_def *def, size_t side)
{
    double nu = of_both(&def->poisson, side, DEFAULT_POISSON);
    double E = of_both(&def->young, side, 0.0);
    bool stress = def->plane == CAROM_PLANE_STRESS;
    return (line_side){ .compliance = stress ? 1.0 / E : (1.0 - nu * nu) / E,
                        .radius = of_side(&def->radius, side),
                        .depth = of_side(&def->depth, side),
                        .poisson = stress ? nu : nu / (1.0 - nu) };
}

/* p = F (A - c ln F) up to the force `most`. */
typedef struct line_constants {
    double A, c, most;
} line_constants;

static line_constants constants_of(const carom_line_law_def *def)
{
    line_constants out = { 0 };
    double curvature = 0.0;
    double compliance = 0.0;
    double narrow = HUGE_VAL;
    for (size_t i = 0; i < 2; ++i) {
        line_side s = side_of(def, i);
        double per = s.compliance / (PI * def->length);
        double reach = s.depth > 0.0 ? 2.0 * s.depth : 4.0 * s.radius;
        out.A += per * (2.0 * log(reach) - (s.depth > 0.0 ? s.poisson : 1.0));
        out.c += per;
        compliance += s.compliance;
        curvature += s.radius == 0.0 ? 0.0 : 1.0 / s.radius;
        narrow = fmin(narrow, s.depth > 0.0 ? s.depth : s.radius);
    }
    double width2 = 4.0 * compliance / (PI * def->length * curvature); /* a^2 per force */
    out.A -= out.c * log(width2);
    out.most = 0.25 * narrow * narrow / width2;
    return out;
}

static double penetration(const line_constants *k, double F)
{
    return F * (k->A - k->c * log(F));
}

static double slope(const line_constants *k, double F)
{
    return k->A - k->c - k->c * log(F);
}

static double stored(const line_constants *k, double F)
{
    return 0.5 * F * penetration(k, F) - 0.25 * k->c * F * F;
}

/* ln p is nearly linear in y = ln F, and concave: Newton's method comes from the left. */
static double force_at(const line_constants *k, double p, double deepest)
{
    enum { ROUNDS = 40 };
    double y = log(k->most) + log(p / deepest);
    for (int i = 0; i < ROUNDS; ++i) {
        double rest = k->A - k->c * y;
        double step = (y + log(rest) - log(p)) / (1.0 - k->c / rest);
        y -= step;
        if (fabs(step) < 1e-15 * (1.0 + fabs(y))) {
            break; /* at rounding */
        }
    }
    return exp(y);
}

static law_force line_force(contact_rate contact, const law_context *context, const void *params)
{
    (void)context;
    const double p = -contact.gap;
    if (contact.gap >= 0.0) {
        return (law_force){ 0 };
    }
    const line_constants k = constants_of(params);
    const double deepest = penetration(&k, k.most);
    double over = p > deepest ? p - deepest : 0.0;
    double F = isnan(p) ? p : over > 0.0 ? k.most : force_at(&k, p, deepest);
    double stiffness = 1.0 / slope(&k, F);
    double force = F + stiffness * over;
    return (law_force){
        .force = force,
        .d_gap = -stiffness,
        .elastic = force,
        .potential = stored(&k, F) + 0.5 * (F + force) * over,
    };
}

/* ---- parameters ---- */

static carom_status check_side(const carom_line_law_def *def, size_t i, carom_error *err)
{
    double E = of_both(&def->young, i, 0.0);
    double nu = of_both(&def->poisson, i, DEFAULT_POISSON);
    line_side s = side_of(def, i);
    if (!(isfinite(E) && E > 0.0 && nu > -1.0 && nu <= 0.5)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "side %zu of the law 'line' has Young's modulus %g Pa and Poisson's ratio %g; they must be "
                          "positive, and between -1 and 0.5",
                          i + 1, E, nu);
    }
    if (!(isfinite(s.radius) && isfinite(s.depth) && s.depth >= 0.0 && (s.depth > 0.0 || s.radius > 0.0))) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "side %zu of the law 'line' has a radius of %g m and a depth of %g m; a flat or hollow side needs the "
            "depth below its surface down to which it gives way: half the height of a bar",
            i + 1, s.radius, s.depth);
    }
    return CAROM_OK;
}

static carom_status line_check(const void *params, double restitution, carom_error *err)
{
    (void)restitution;
    const carom_line_law_def *def = params;
    if (def->young.count < 1 || def->young.count > 2 || def->poisson.count > 2 || def->radius.count < 1 ||
        def->radius.count > 2 || def->depth.count > 2) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the law 'line' has %zu of `young`, %zu of `poisson`, %zu of `radius` and %zu of `depth`; give "
            "one or two of `young` and of `radius`, and at most two of the others",
            def->young.count, def->poisson.count, def->radius.count, def->depth.count);
    }
    if (!(isfinite(def->length) && def->length > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "the length of the law 'line' is %g m; give a positive one",
                          def->length);
    }
    if (def->plane != CAROM_PLANE_STRESS && def->plane != CAROM_PLANE_STRAIN) {
        return carom_fail(err, CAROM_BAD_INPUT, "`plane` of the law 'line' is 'stress' or 'strain'");
    }
    for (size_t i = 0; i < 2; ++i) {
        carom_status status = check_side(def, i, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    double bend = 0.0;
    for (size_t i = 0; i < 2; ++i) {
        double radius = of_side(&def->radius, i);
        bend += radius == 0.0 ? 0.0 : 1.0 / radius;
    }
    if (!(isfinite(bend) && bend > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the curvatures of the law 'line' add up to %g 1/m, which is no contact along a line; a "
                          "hollow side (negative radius) must be the larger one",
                          bend);
    }
    const line_constants k = constants_of(def);
    double deepest = penetration(&k, k.most);
    return isfinite(deepest) && deepest > 0.0 && slope(&k, k.most) > 0.0
               ? CAROM_OK
               : carom_fail(
                     err, CAROM_BAD_INPUT,
                     "the law 'line' has no stiffness that numbers can hold; see to `young`, `radius`, `depth` "
                     "and `length`");
}

static const char *const planes[] = { "stress", "strain", NULL };

static const carom_field line_fields[] = {
    { .name = "young",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_line_law_def, young),
      .dimension = { -1, 1, -2, 0 },
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .min_count = 1,
      .max_count = 2,
      .doc = "Young's moduli of both sides, or a list of one for both." },
    { .name = "poisson",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_line_law_def, poisson),
      .min_count = 1,
      .max_count = 2,
      .doc = "Poisson's ratios of both sides, or a list of one for both; 0.3 by default." },
    { .name = "radius",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_line_law_def, radius),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED,
      .min_count = 1,
      .max_count = 2,
      .doc =
          "Radii of both sides: positive convex, negative hollow, 0 flat; a list of one stands against a flat side." },
    { .name = "depth",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_line_law_def, depth),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .min_count = 1,
      .max_count = 2,
      .doc =
          "Depths below the surfaces down to which each side gives way, half the height of a bar; 0, as by default: "
          "a whole cylinder, down to its axis." },
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_line_law_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE,
      .doc = "Length of the line: thickness of plane bodies." },
    { .name = "plane",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(carom_line_law_def, plane),
      .names = planes,
      .doc = "What happens along the line: no stress (thin bars) or, by default, no strain (long cylinders)." },
    { 0 },
};

static const carom_line_law_def line_defaults = { .plane = CAROM_PLANE_STRAIN };

const carom_normal_law carom_normal_law_line = {
    .kind = { .name = "line",
              .doc =
                  "Elastic contact of a cylinder along a line, with another one or with a flat bar; the dent of both.",
              .fields = line_fields,
              .defaults = &line_defaults,
              .size = sizeof(carom_line_law_def) },
    .check = line_check,
    .force = line_force,
};
