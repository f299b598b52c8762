/* Hertz: k p^n, elastic. For two rounded surfaces in elastic contact [Hertz1882; Johnson1985, (4.23)]
 *     k = 4/3 E* sqrt(R),  1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2,  1/R = 1/R_1 + 1/R_2,  n = 3/2,
 * with a negative radius for a hollow partner (a ball in its socket, a journal in its bearing). */
#include "elements/laws/hertz.h"

#include "elements/laws/elastic.h"

static const double DEFAULT_POISSON = 0.3;

/* Of two sides; one number stands for both. */
static double of_side(const carom_reals *numbers, size_t side, double none)
{
    return numbers->count == 0 ? none : numbers->data[side < numbers->count ? side : 0];
}

/* [1/m] Sum of the curvatures; a second side that is not given is a plane. */
static double curvature(const carom_reals *radius)
{
    double sum = 0.0;
    for (size_t side = 0; side < radius->count; ++side) {
        sum += radius->data[side] == 0.0 ? 0.0 : 1.0 / radius->data[side];
    }
    return sum;
}

static double compliance(const carom_hertz_law_def *def)
{
    double sum = 0.0;
    for (size_t side = 0; side < 2; ++side) {
        double nu = of_side(&def->poisson, side, DEFAULT_POISSON);
        sum += (1.0 - nu * nu) / of_side(&def->young, side, 0.0);
    }
    return sum;
}

double hertz_stiffness(const carom_hertz_law_def *def)
{
    return def->k > 0.0 ? def->k : 4.0 / 3.0 / (compliance(def) * sqrt(curvature(&def->radius)));
}

static bool has_materials(const carom_hertz_law_def *def)
{
    return def->young.count > 0 || def->poisson.count > 0 || def->radius.count > 0;
}

static carom_status check_sides(const carom_hertz_law_def *def, const char *law, carom_error *err)
{
    if (def->young.count < 1 || def->young.count > 2 || def->poisson.count > 2 || def->radius.count < 1 ||
        def->radius.count > 2) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the law '%s' has %zu of `young`, %zu of `poisson` and %zu of `radius`; its stiffness needs "
            "one or two of the first and of the last, or give `k`",
            law, def->young.count, def->poisson.count, def->radius.count);
    }
    for (size_t side = 0; side < 2; ++side) {
        double E = of_side(&def->young, side, 0.0);
        double nu = of_side(&def->poisson, side, DEFAULT_POISSON);
        if (!(isfinite(E) && E > 0.0 && nu > -1.0 && nu <= 0.5)) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "side %zu of the law '%s' has Young's modulus %g Pa and Poisson's ratio %g; they must be "
                "positive, and between -1 and 0.5",
                side + 1, law, E, nu);
        }
    }
    return CAROM_OK;
}

static carom_status check_materials(const carom_hertz_law_def *def, const char *law, carom_error *err)
{
    carom_status status = check_sides(def, law, err);
    if (status != CAROM_OK) {
        return status;
    }
    double bend = curvature(&def->radius);
    if (!(isfinite(bend) && bend > 0.0)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the curvatures of the law '%s' add up to %g 1/m, which is no contact in one point; a hollow "
            "side (negative radius) must be the larger one, and two planes need `k`",
            law, bend);
    }
    if (def->n != 1.5) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the law '%s' has the exponent %g and no `k`; from materials and radii it is 1.5: leave `n` "
            "out, or give `k`",
            law, def->n);
    }
    return law_check_stiffness(hertz_stiffness(def), law, err);
}

carom_status hertz_check(const carom_hertz_law_def *def, const char *law, carom_error *err)
{
    if (def->k == 0.0 && has_materials(def)) {
        return check_materials(def, law, err);
    }
    if (def->k == 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the law '%s' has no stiffness; give `k`, or `young` and `radius` of both sides", law);
    }
    if (has_materials(def)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the law '%s' has a stiffness k of %g and materials or radii, which it would replace; leave "
            "one out",
            law, def->k);
    }
    carom_status status = law_check_stiffness(def->k, law, err);
    return status == CAROM_OK ? law_check_exponent(def->n, "n", law, err) : status;
}

static law_constants hertz_constants(const void *params, double restitution)
{
    (void)restitution;
    return (law_constants){ .k = hertz_stiffness(params) };
}

static law_force hertz_force(contact_rate c, const law_context *context, const void *params)
{
    const carom_hertz_law_def *def = params;
    double k = context->constants.known ? context->constants.k : hertz_stiffness(def);
    return c.gap >= 0.0 ? (law_force){ 0 } : law_elastic(-c.gap, k, def->n);
}

static carom_status check(const void *params, double restitution, carom_error *err)
{
    (void)restitution;
    return hertz_check(params, "hertz", err);
}

static const carom_field hertz_fields[] = { HERTZ_FIELDS(0), { 0 } };

static const carom_hertz_law_def hertz_defaults = { .n = 1.5 };

const carom_normal_law carom_normal_law_hertz = {
    .kind = { .name = "hertz",
              .doc = "Elastic contact of rounded surfaces, k p^n; k is given or follows from materials and radii.",
              .fields = hertz_fields,
              .defaults = &hertz_defaults,
              .size = sizeof(carom_hertz_law_def) },
    .check = check,
    .force = hertz_force,
    .constants = hertz_constants,
};
