/* What an impact returns under F = k p^n (1 + a(e) p'/v0): a body is thrown against each law of the family and the
 * motion integrated, for exponents 1 and 1.5. The references solve a - ln(1 + a) = -a e - ln(1 - a e), which holds for
 * any stiffness, mass and exponent. */
#include "support/check.h"

#include "elements/laws/law.h"

enum { COUNT = 5 };

static const double asked[COUNT] = { 0.1, 0.3, 0.5, 0.7, 0.9 };

typedef struct law_row {
    const char *law;
    double returned[COUNT];
} law_row;

static const law_row rows[] = {
    { "hunt-crossley", { 0.515833, 0.581288, 0.662962, 0.768000, 0.909016 } },
    { "herbert-mcwhannell", { 0.490698, 0.519967, 0.593624, 0.722683, 0.900893 } },
    { "lee-wang", { 0.686663, 0.738995, 0.799199, 0.869343, 0.952370 } },
    { "lankarani-nikravesh", { 0.665265, 0.684225, 0.725241, 0.795973, 0.913177 } },
    { "zhiying-qishao", { 0.217469, 0.326697, 0.482608, 0.679567, 0.895918 } },
    { "gonthier", { 0.100990, 0.304225, 0.487741, 0.669581, 0.876435 } },
    { "flores", { 0.069444, 0.256208, 0.470445, 0.683184, 0.893921 } },
    { "hu-guo", { 0.074074, 0.270658, 0.487741, 0.697297, 0.899900 } },
    { "exact-restitution", { 0.1, 0.3, 0.5, 0.7, 0.9 } },
};

typedef struct impact {
    const carom_normal_law *law;
    const void *params;
    law_context context;
    double mass;     /* [kg] */
    double gap;      /* [m] */
    double gap_rate; /* [m/s] */
} impact;

static double acceleration(const impact *b, double gap, double gap_rate)
{
    return b->law->force((contact_rate){ gap, gap_rate }, &b->context, b->params).force / b->mass;
}

/* One step of the classical Runge-Kutta method. */
static void advance(impact *b, double h)
{
    static const double node[4] = { 0.0, 0.5, 0.5, 1.0 };
    static const double weight[4] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 };
    double gap_slope = 0.0;
    double rate_slope = 0.0;
    double gap = b->gap;
    double rate = b->gap_rate;
    for (int s = 0; s < 4; ++s) {
        double stage_gap = b->gap + node[s] * h * gap_slope;
        double stage_rate = b->gap_rate + node[s] * h * rate_slope;
        gap_slope = stage_rate;
        rate_slope = acceleration(b, stage_gap, stage_rate);
        gap += weight[s] * h * gap_slope;
        rate += weight[s] * h * rate_slope;
    }
    b->gap = gap;
    b->gap_rate = rate;
}

/* Rebound speed over approach speed. */
static double returned_by(const char *name, double exponent, double e)
{
    const double mass = 0.3;
    const double speed = 1.7;
    const carom_hysteretic_law_def def = { .elastic = { .k = 2e6, .n = exponent }, .v_min = 1e-3 };
    const carom_normal_law *law = carom_normal_law_find(name);
    carom_error err = { 0 };
    CHECK(law != NULL);
    CHECK_OK(law->check(&def, e, &err), err);
    impact b = { .law = law, .params = &def, .mass = mass, .gap_rate = -speed };
    b.context = law_context_make(law, &def, e);
    b.context.approach = speed;
    double h = law_contact_time(law, &def, mass, speed) / 4000.0;
    do {
        advance(&b, h);
    } while (b.gap < 0.0);
    return b.gap_rate / speed;
}

static void compare(const law_row *row, double exponent, double tolerance)
{
    for (int k = 0; k < COUNT; ++k) {
        double found = returned_by(row->law, exponent, asked[k]);
        printf("%-20s n %.1f  e %.1f: %.9f | %.6f | %.1e\n", row->law, exponent, asked[k], found, row->returned[k],
               found - row->returned[k]);
        CHECK_NEAR(found, row->returned[k], tolerance);
    }
}

TEST(restitution, of_every_law_of_the_family_is_that_of_theory)
{
    TEST_UNUSED();
    int count = 0;
    for (const carom_kind *const *kind = carom_normal_law_kinds(); *kind; ++kind) {
        count += carom_normal_law_find((*kind)->name)->uses_restitution;
    }
    CHECK_EQ(count, sizeof rows / sizeof *rows); /* a new law needs a row */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        compare(&rows[i], 1.0, 1e-6); /* the table has six digits */
        compare(&rows[i], 1.5, 1e-6);
    }
}

/* From nearly plastic to nearly elastic, what is asked for comes back. */
TEST(restitution, asked_of_the_exact_law_is_returned)
{
    TEST_UNUSED();
    static const double more[] = { 0.001, 0.01, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99, 0.999, 0.999999, 1.0 };
    for (size_t k = 0; k < sizeof more / sizeof *more; ++k) {
        double found = returned_by("exact-restitution", 1.5, more[k]);
        printf("exact-restitution: %.12f | %.12f | %.1e\n", found, more[k], found - more[k]);
        CHECK_NEAR(found, more[k], 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(restitution, of_every_law_of_the_family_is_that_of_theory),
        RUN_TEST(restitution, asked_of_the_exact_law_is_returned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
