/* The hysteretic family F = k p^n (1 + a(e) p'/v0): damping in proportion to the elastic force, so that an impact
 * starts and ends without a jump; v0 is the speed at first touch, e the restitution asked for. The laws differ in a(e):
 *     hunt-crossley        3/2 (1 - e)                       [Hunt1975]
 *     herbert-mcwhannell   6 (1 - e)/((2 e - 1)^2 + 3)       [Herbert1977]
 *     lee-wang             3/4 (1 - e)                       [Lee1983]
 *     lankarani-nikravesh  3/4 (1 - e^2)                     [Lankarani1990]
 *     gonthier             (1 - e^2)/e                       [Gonthier2004]
 *     zhiying-qishao       3/4 (1 - e^2) exp(2 (1 - e))      [Qin2006]
 *     flores               8/5 (1 - e)/e                     [Flores2011]
 *     hu-guo               3/2 (1 - e)/e                     [Hu2015]
 *     exact-restitution    the root of phi(a) = phi(-a e), see restitution.c
 * All but the last are approximations: what an impact returns is not quite e, and for some far from it.
 *
 * Outside a free impact p'/v0 is not bounded by 1: a contact may be touched gently, or start at rest, and be hit later.
 * With s = p'/max(v0, v_min), beyond s = 1 the growth is limited smoothly,
 *     F = k p^n (1 + a s)                       for s <= 1, all there is in a free impact of v0 >= v_min,
 *     F = k p^n (1 + a (1 + tanh(s - 1)))       for s > 1,
 * so that it stays between 0 and 1 + 2 a times the elastic force however small v0 is. Impacts slower than v_min are
 * damped less, as in nature, and resting contact by a k p^n/v_min per speed. */
#include "elements/laws/elastic.h"
#include "elements/laws/hertz.h"
#include "elements/laws/restitution.h"

/* Where a(e) grows like 1/e: below this restitution. */
static const double SMALLEST_RESTITUTION = 1e-3;

/* s, limited beyond 1, and its derivative. */
static double limited(double s, double *slope)
{
    if (s <= 1.0) {
        *slope = 1.0;
        return s;
    }
    double beyond = tanh(s - 1.0);
    *slope = 1.0 - beyond * beyond;
    return 1.0 + beyond;
}

static law_force hysteretic_force(contact_rate c, double approach, const carom_hysteretic_law_def *def,
                                  law_constants constants)
{
    double p = -c.gap;
    if (p <= 0.0) {
        return (law_force){ 0 };
    }
    law_force elastic = law_elastic(p, constants.k, def->elastic.n);
    double v_ref = max_or_nan(approach, def->v_min);
    double slope;
    double share = constants.damping * limited(-c.gap_rate / v_ref, &slope);
    law_force damping = {
        .force = elastic.force * share,
        .d_gap = elastic.d_gap * share,
        .d_gap_rate = -elastic.force * constants.damping * slope / v_ref,
    };
    return law_damped(elastic, damping);
}

static carom_status hysteretic_check(const carom_hysteretic_law_def *def, const char *law, carom_error *err)
{
    carom_status status = hertz_check(&def->elastic, law, err);
    if (status == CAROM_OK && !(isfinite(def->v_min) && def->v_min > 0.0)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "v_min of the law '%s' is %g m/s; it must be positive, since a contact at rest has no speed "
            "of approach",
            law, def->v_min);
    }
    return status;
}

static carom_status check_restitution(double e, double smallest, const char *law, carom_error *err)
{
    if (!(e >= 0.0 && e <= 1.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "the restitution of the law '%s' is %g; it must lie between 0 and 1",
                          law, e);
    }
    if (e < smallest) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the restitution of the law '%s' is %g, for which its damping has no bound; ask for at least "
            "%g, or take 'zhiying-qishao'",
            law, e, smallest);
    }
    return CAROM_OK;
}

static double hunt_crossley_factor(double e)
{
    return 1.5 * (1.0 - e);
}

static double herbert_mcwhannell_factor(double e)
{
    double off = 2.0 * e - 1.0;
    return 6.0 * (1.0 - e) / (off * off + 3.0);
}

static double lee_wang_factor(double e)
{
    return 0.75 * (1.0 - e);
}

static double lankarani_nikravesh_factor(double e)
{
    return 0.75 * (1.0 - e * e);
}

static double gonthier_factor(double e)
{
    return (1.0 - e * e) / e;
}

static double zhiying_qishao_factor(double e)
{
    return 0.75 * (1.0 - e * e) * exp(2.0 * (1.0 - e));
}

static double flores_factor(double e)
{
    return 1.6 * (1.0 - e) / e;
}

static double hu_guo_factor(double e)
{
    return 1.5 * (1.0 - e) / e;
}

static double exact_restitution_factor(double e)
{
    return damping_for_restitution(e);
}

static const carom_field hysteretic_fields[] = {
    HERTZ_FIELDS(offsetof(carom_hysteretic_law_def, elastic)),
    { .name = "v_min",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_hysteretic_law_def, v_min),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc = "Speed of approach assumed where the true one is smaller, so that the damping of resting contact stays "
             "finite; impacts slower than this return more than the restitution; 1 mm/s by default." },
    { 0 },
};

static const carom_hysteretic_law_def hysteretic_defaults = { .elastic = { .n = 1.5 }, .v_min = 1e-3 };

/* One law of the family: its functions and its table. */
#define HYSTERETIC_LAW(id, spelled, smallest, exact, text)                                                  \
    static law_constants id##_constants(const void *params, double restitution)                             \
    {                                                                                                       \
        const carom_hysteretic_law_def *def = params;                                                       \
        return (law_constants){ .k = hertz_stiffness(&def->elastic), .damping = id##_factor(restitution) }; \
    }                                                                                                       \
    static law_force id##_force(contact_rate c, const law_context *context, const void *params)             \
    {                                                                                                       \
        return hysteretic_force(c, context->approach, params,                                               \
                                context->constants.known ? context->constants                               \
                                                         : id##_constants(params, context->restitution));   \
    }                                                                                                       \
    static carom_status id##_check(const void *params, double restitution, carom_error *err)                \
    {                                                                                                       \
        carom_status status = hysteretic_check(params, spelled, err);                                       \
        return status == CAROM_OK ? check_restitution(restitution, smallest, spelled, err) : status;        \
    }                                                                                                       \
    const carom_normal_law carom_normal_law_##id = {                                                        \
        .kind = { .name = spelled,                                                                          \
                  .doc = text,                                                                              \
                  .fields = hysteretic_fields,                                                              \
                  .defaults = &hysteretic_defaults,                                                         \
                  .size = sizeof(carom_hysteretic_law_def) },                                               \
        .check = id##_check,                                                                                \
        .force = id##_force,                                                                                \
        .constants = id##_constants,                                                                        \
        .remembers_approach = true,                                                                         \
        .uses_restitution = true,                                                                           \
        .exact_restitution = (exact),                                                                       \
    };

HYSTERETIC_LAW(exact_restitution, "exact-restitution", SMALLEST_RESTITUTION, true,
               "k p^n (1 + a p'/v0) with the damping that returns exactly the restitution asked for.")
HYSTERETIC_LAW(hunt_crossley, "hunt-crossley", 0.0, false,
               "k p^n (1 + a p'/v0) with a = 3/2 (1 - e); returns the restitution asked for when it is near 1.")
HYSTERETIC_LAW(herbert_mcwhannell, "herbert-mcwhannell", 0.0, false,
               "k p^n (1 + a p'/v0) with a = 6 (1 - e)/((2 e - 1)^2 + 3); for restitutions near 1.")
HYSTERETIC_LAW(lee_wang, "lee-wang", 0.0, false,
               "k p^n (1 + a p'/v0) with a = 3/4 (1 - e); returns more than the restitution asked for.")
HYSTERETIC_LAW(lankarani_nikravesh, "lankarani-nikravesh", 0.0, false,
               "k p^n (1 + a p'/v0) with a = 3/4 (1 - e^2); for restitutions near 1.")
HYSTERETIC_LAW(gonthier, "gonthier", SMALLEST_RESTITUTION, false,
               "k p^n (1 + a p'/v0) with a = (1 - e^2)/e; within 0.033 of the restitution asked for.")
HYSTERETIC_LAW(zhiying_qishao, "zhiying-qishao", 0.0, false,
               "k p^n (1 + a p'/v0) with a = 3/4 (1 - e^2) exp(2 (1 - e)); for restitutions above 0.3.")
HYSTERETIC_LAW(flores, "flores", SMALLEST_RESTITUTION, false,
               "k p^n (1 + a p'/v0) with a = 8/5 (1 - e)/e; within 0.046 of the restitution asked for.")
HYSTERETIC_LAW(hu_guo, "hu-guo", SMALLEST_RESTITUTION, false,
               "k p^n (1 + a p'/v0) with a = 3/2 (1 - e)/e; within 0.035 of the restitution asked for.")
