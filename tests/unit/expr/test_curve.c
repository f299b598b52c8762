/* Curves: pass through their points, reproduce polynomials, derivatives and integrals consistent, ends as asked. */
#include "expr/expr.h"

#include "base/arena.h"
#include "support/check.h"

enum { MOST = 200 };

typedef struct fixture {
    carom_arena arena;
    curve c;
    double x[MOST], y[MOST];
} fixture;

static void prepare(fixture *f, size_t count, carom_interpolation interpolation, carom_outside outside)
{
    carom_error err = { 0 };
    carom_curve points = { count, f->x, f->y, interpolation, outside };
    CHECK_OK(curve_prepare(&f->c, &points, &f->arena, &err), err);
}

static void random_points(fixture *f, size_t count, test_rng *rng)
{
    double x = test_rng_uniform(rng, -5.0, 5.0);
    for (size_t i = 0; i < count; ++i) {
        f->x[i] = x;
        f->y[i] = test_rng_uniform(rng, -1.0, 1.0);
        x += test_rng_uniform(rng, 0.05, 1.0);
    }
}

static double value_at(const fixture *f, double x)
{
    double out[3];
    curve_eval(&f->c, x, out);
    return out[0];
}

TEST(curve, passes_through_its_points)
{
    FOR_EACH_SEED(rng, 200) {
        fixture f = { 0 };
        size_t count = (size_t)test_rng_uniform(&rng, 1.0, 30.0);
        random_points(&f, count, &rng);
        for (int kind = CAROM_LINEAR; kind <= CAROM_MONOTONE; ++kind) {
            prepare(&f, count, (carom_interpolation)kind, CAROM_HOLD);
            for (size_t i = 0; i < count; ++i) {
                CHECK_NEAR(value_at(&f, f.x[i]), f.y[i], 1e-12);
            }
        }
        carom_arena_free(&f.arena);
    }
}

static double cubic(double x)
{
    return 2.0 - 3.0 * x + 0.5 * x * x - 0.25 * x * x * x;
}

TEST(curve, cubic_reproduces_cubics_outside_too)
{
    FOR_EACH_SEED(rng, 50) {
        fixture f = { 0 };
        size_t count = (size_t)test_rng_uniform(&rng, 4.0, 12.0);
        random_points(&f, count, &rng);
        for (size_t i = 0; i < count; ++i) {
            f.y[i] = cubic(f.x[i]);
        }
        prepare(&f, count, CAROM_CUBIC, CAROM_EXTRAPOLATE);
        for (double x = f.x[0] - 1.0; x < f.x[count - 1] + 1.0; x += 0.1) {
            double out[3];
            curve_eval(&f.c, x, out);
            CHECK_NEAR(out[0], cubic(x), 1e-7);
            CHECK_NEAR(out[1], -3.0 + x - 0.75 * x * x, 1e-7);
            CHECK_NEAR(out[2], 1.0 - 1.5 * x, 1e-6);
        }
        carom_arena_free(&f.arena);
    }
}

TEST(curve, few_points_give_a_parabola_a_line_a_constant)
{
    fixture f = { .x = { 0.0, 1.0, 3.0 }, .y = { 1.0, 2.0, 10.0 } }; /* x^2 + 1 */
    double out[3];
    prepare(&f, 3, CAROM_CUBIC, CAROM_EXTRAPOLATE);
    curve_eval(&f.c, 2.0, out);
    CHECK_NEAR(out[0], 5.0, 1e-14);
    CHECK_NEAR(out[1], 4.0, 1e-14);
    CHECK_NEAR(out[2], 2.0, 1e-14);
    CHECK_NEAR(value_at(&f, -2.0), 5.0, 1e-13);
    prepare(&f, 2, CAROM_CUBIC, CAROM_EXTRAPOLATE);
    CHECK_NEAR(value_at(&f, 5.0), 6.0, 1e-14);
    for (int outside = CAROM_HOLD; outside <= CAROM_EXTRAPOLATE; ++outside) {
        for (int kind = CAROM_LINEAR; kind <= CAROM_MONOTONE; ++kind) {
            prepare(&f, 1, (carom_interpolation)kind, (carom_outside)outside);
            CHECK_NEAR(value_at(&f, 17.0), 1.0, 0.0);
            CHECK_NEAR(curve_integral(&f.c, 2.0, 5.0), 3.0, 1e-14);
        }
    }
    carom_arena_free(&f.arena);
}

/* Spline of sin: the error falls with the fourth power of the spacing. */
static double sine_error(int count)
{
    fixture f = { 0 };
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        f.x[i] = 3.0 * i / (count - 1);
        f.y[i] = sin(f.x[i]);
    }
    prepare(&f, (size_t)count, CAROM_CUBIC, CAROM_HOLD);
    for (int i = 0; i <= 1000; ++i) {
        double x = 3.0 * i / 1000;
        worst = fmax(worst, fabs(value_at(&f, x) - sin(x)));
    }
    carom_arena_free(&f.arena);
    return worst;
}

TEST(curve, cubic_is_of_fourth_order)
{
    CHECK_NEAR(log2(sine_error(99) / sine_error(197)), 4.0, 0.15);
}

TEST(curve, derivatives_are_those_of_the_value)
{
    FOR_EACH_SEED(rng, 50) {
        fixture f = { 0 };
        size_t count = (size_t)test_rng_uniform(&rng, 2.0, 20.0);
        random_points(&f, count, &rng);
        for (int kind = CAROM_LINEAR; kind <= CAROM_CUBIC; ++kind) {
            prepare(&f, count, (carom_interpolation)kind, CAROM_EXTRAPOLATE);
            for (size_t i = 0; i + 1 < count; ++i) {
                double h = 0.01 * (f.x[i + 1] - f.x[i]);
                double x = 0.5 * (f.x[i + 1] + f.x[i]);
                double left[3], here[3], right[3];
                curve_eval(&f.c, x - h, left);
                curve_eval(&f.c, x, here);
                curve_eval(&f.c, x + h, right);
                double size = 1.0 + fabs(here[2]) + fabs(right[2] - left[2]) / h;
                CHECK_NEAR(here[1], (right[0] - left[0]) / (2.0 * h), size * h * h);
                CHECK_NEAR(here[2], (right[1] - left[1]) / (2.0 * h), 1e-9 * size / h);
            }
        }
        carom_arena_free(&f.arena);
    }
}

TEST(curve, spline_is_smooth_at_its_points)
{
    FOR_EACH_SEED(rng, 50) {
        fixture f = { 0 };
        random_points(&f, 15, &rng);
        prepare(&f, 15, CAROM_CUBIC, CAROM_HOLD);
        for (size_t i = 1; i < 14; ++i) {
            double before[3], after[3];
            curve_eval(&f.c, nextafter(f.x[i], -HUGE_VAL), before);
            curve_eval(&f.c, f.x[i], after);
            for (int k = 0; k < 3; ++k) {
                CHECK_NEAR(before[k], after[k], 1e-9 * (1.0 + fabs(after[k])) * pow(100.0, k));
            }
        }
        carom_arena_free(&f.arena);
    }
}

/* Gauss quadrature with three points is exact for the fifth degree: on pieces cut at the points it is the truth. */
static double quadrature(const fixture *f, double a, double b)
{
    static const double node[] = { -0.7745966692414834, 0.0, 0.7745966692414834 };
    static const double weight[] = { 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0 };
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        sum += weight[i] * value_at(f, 0.5 * (a + b) + 0.5 * (b - a) * node[i]);
    }
    return sum * (b - a);
}

static double integral_by_pieces(const fixture *f, size_t count, double a, double b)
{
    double period = f->x[count - 1] - f->x[0];
    double sum = 0.0;
    for (int turn = -3; turn <= 3; ++turn) { /* cuts at the points and, for repeated curves, at their images */
        for (size_t i = 0; i + 1 < count; ++i) {
            double low = fmax(a, f->x[i] + turn * period);
            double high = fmin(b, f->x[i + 1] + turn * period);
            sum += high > low ? quadrature(f, low, high) : 0.0;
        }
    }
    return sum;
}

TEST(curve, integrals_are_exact)
{
    FOR_EACH_SEED(rng, 100) {
        fixture f = { 0 };
        size_t count = (size_t)test_rng_uniform(&rng, 2.0, 12.0);
        random_points(&f, count, &rng);
        double period = f.x[count - 1] - f.x[0];
        double a = f.x[0] - test_rng_uniform(&rng, 0.0, 2.0) * period;
        double b = f.x[count - 1] + test_rng_uniform(&rng, 0.0, 2.0) * period;
        for (int kind = CAROM_LINEAR; kind <= CAROM_MONOTONE; ++kind) {
            for (int outside = CAROM_HOLD; outside <= CAROM_EXTRAPOLATE; ++outside) {
                prepare(&f, count, (carom_interpolation)kind, (carom_outside)outside);
                double expected = integral_by_pieces(&f, count, a, b);
                double size = 1.0 + fabs(value_at(&f, a)) + fabs(value_at(&f, b));
                CHECK_NEAR(curve_integral(&f.c, a, b), expected, 1e-10 * size * (1.0 + period));
                CHECK_NEAR(curve_integral(&f.c, b, a), -expected, 1e-10 * size * (1.0 + period));
            }
        }
        carom_arena_free(&f.arena);
    }
}

TEST(curve, outside_is_as_asked)
{
    fixture f = { .x = { 1.0, 2.0, 4.0 }, .y = { 10.0, 20.0, 0.0 } };
    double out[3];
    prepare(&f, 3, CAROM_LINEAR, CAROM_HOLD);
    curve_eval(&f.c, 0.0, out);
    CHECK(out[0] == 10.0 && out[1] == 0.0 && out[2] == 0.0);
    CHECK_NEAR(value_at(&f, 9.0), 0.0, 0.0);
    prepare(&f, 3, CAROM_LINEAR, CAROM_EXTRAPOLATE);
    curve_eval(&f.c, 0.0, out);
    CHECK(out[0] == 0.0 && out[1] == 10.0);
    CHECK_NEAR(value_at(&f, 5.0), -10.0, 1e-14);
    prepare(&f, 3, CAROM_LINEAR, CAROM_REPEAT);
    CHECK_NEAR(value_at(&f, 4.5), 15.0, 1e-13);
    CHECK_NEAR(value_at(&f, 1.5 - 3.0 * 7), 15.0, 1e-12);
    CHECK_NEAR(value_at(&f, 1.5 + 3.0 * 1000), 15.0, 1e-10);
    prepare(&f, 3, CAROM_STEP, CAROM_EXTRAPOLATE);
    CHECK_NEAR(value_at(&f, 0.0), 10.0, 0.0);
    CHECK_NEAR(value_at(&f, 1.999), 10.0, 0.0);
    CHECK_NEAR(value_at(&f, 2.0), 20.0, 0.0);
    CHECK_NEAR(value_at(&f, 5.0), 0.0, 0.0);
    for (int outside = CAROM_HOLD; outside <= CAROM_EXTRAPOLATE; ++outside) {
        prepare(&f, 3, CAROM_CUBIC, (carom_outside)outside);
        CHECK(isnan(value_at(&f, (double)NAN)));
    }
    carom_arena_free(&f.arena);
}

TEST(curve, points_are_copied)
{
    fixture f = { .x = { 0.0, 1.0 }, .y = { 0.0, 1.0 } };
    prepare(&f, 2, CAROM_LINEAR, CAROM_HOLD);
    f.x[1] = f.y[1] = -99.0;
    CHECK_NEAR(value_at(&f, 0.5), 0.5, 0.0);
    carom_arena_free(&f.arena);
}

static void check_refused(size_t count, const double *x, const double *y, const char *part)
{
    carom_arena arena = { 0 };
    carom_error err = { 0 };
    curve c;
    CHECK_EQ(curve_prepare(&c, &(carom_curve){ count, x, y, CAROM_CUBIC, CAROM_HOLD }, &arena, &err),
             CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, part);
    carom_arena_free(&arena);
}

TEST(curve, bad_points_are_refused)
{
    check_refused(0, NULL, NULL, "no points");
    check_refused(3, (double[]){ 0, 2, 1 }, (double[]){ 0, 0, 0 }, "point 3 of the curve has x = 1 after x = 2");
    check_refused(2, (double[]){ 1, 1 }, (double[]){ 0, 0 },
                  "two points at x = 1, a jump, which goes with linear and monotone");
    check_refused(2, (double[]){ 0, (double)NAN }, (double[]){ 0, 0 }, "finite");
    check_refused(2, (double[]){ 0, 1 }, (double[]){ 0, HUGE_VAL }, "point 2 of the curve is (1, inf)");
}

/* Between two points a monotone curve stays between their values, whatever the data, and its slope does not jump. */
TEST(curve, monotone_never_overshoots)
{
    FOR_EACH_SEED(rng, 200) {
        fixture f = { 0 };
        size_t count = (size_t)test_rng_uniform(&rng, 2.0, 30.0);
        random_points(&f, count, &rng);
        prepare(&f, count, CAROM_MONOTONE, CAROM_HOLD);
        for (size_t i = 0; i + 1 < count; ++i) {
            double way = f.y[i + 1] - f.y[i];
            double last = 0.0;
            for (int k = 1; k <= 50; ++k) {
                double part = (value_at(&f, f.x[i] + (f.x[i + 1] - f.x[i]) * k / 50.0) - f.y[i]) / way;
                CHECK_GE(part, last - 1e-9); /* no way back */
                last = part;
            }
            double before[3], behind[3];
            double gap = 1e-7 * (f.x[i + 1] - f.x[i]);
            curve_eval(&f.c, f.x[i + 1] - gap, before);
            curve_eval(&f.c, fmin(f.x[i + 1] + gap, f.x[count - 1]), behind);
            CHECK_NEAR(before[1], behind[1], 2.0 * gap * (fabs(before[2]) + fabs(behind[2])) + 1e-9);
        }
        carom_arena_free(&f.arena);
    }
}

/* Straight lines exactly; slopes as [Fritsch1984] has them: 2 / (1/1 + 1/3) between slopes 1 and 3 at equal distances; parabola at the
 * ends: (3 * 1 - 3) / 2 = 0 at the first, (3 * 3 - 1) / 2 = 4 at the last. */
TEST(curve, monotone_has_the_slopes_of_its_definition)
{
    fixture f = { .x = { 0, 1, 2 }, .y = { 0, 1, 4 } };
    const double slopes[] = { 0.0, 1.5, 4.0 };
    prepare(&f, 3, CAROM_MONOTONE, CAROM_EXTRAPOLATE);
    for (int i = 0; i < 3; ++i) {
        double out[3];
        curve_eval(&f.c, f.x[i], out);
        CHECK_NEAR(out[1], slopes[i], 1e-14);
    }
    double out[3];
    curve_eval(&f.c, 0.5, out); /* Hermite: (0 + 1)/2 + (0 - 1.5)/8 */
    CHECK_NEAR(out[0], 0.3125, 1e-15);
    fixture line = { .x = { 0, 1, 4, 5 }, .y = { 1, 3, 9, 11 } };
    prepare(&line, 4, CAROM_MONOTONE, CAROM_EXTRAPOLATE);
    for (double x = -1.0; x < 6.0; x += 0.13) {
        CHECK_NEAR(value_at(&line, x), 1.0 + 2.0 * x, 1e-13);
    }
    carom_arena_free(&f.arena);
    carom_arena_free(&line.arena);
}

/* Two points at one x: the first holds before it, the second from there on. Steps learn of it; integrals pass over it. */
TEST(curve, two_points_at_one_x_are_a_jump)
{
    static const carom_interpolation kinds[] = { CAROM_LINEAR, CAROM_MONOTONE };
    for (int k = 0; k < 2; ++k) {
        fixture f = { .x = { 0, 0, 1, 1, 2, 3, 3 }, .y = { 5, 0, 1, 4, 4, 2, 7 } };
        prepare(&f, 7, kinds[k], CAROM_HOLD);
        CHECK_NEAR(value_at(&f, -1e-12), 5.0, 0.0);
        CHECK_NEAR(value_at(&f, 0.0), 0.0, 0.0);
        CHECK_NEAR(value_at(&f, 1.0 - 1e-12), 1.0, 1e-11);
        CHECK_NEAR(value_at(&f, 1.0), 4.0, 0.0);
        CHECK_NEAR(value_at(&f, 3.0 - 1e-12), 2.0, 1e-11);
        CHECK_NEAR(value_at(&f, 3.0), 7.0, 0.0);
        CHECK_NEAR(value_at(&f, 4.0), 7.0, 0.0);
        CHECK_NEAR(curve_integral(&f.c, -1.0, 0.0), 5.0, 1e-14);
        CHECK_NEAR(curve_integral(&f.c, 0.0, 1.0), 0.5, 1e-14);
        CHECK_NEAR(curve_integral(&f.c, 3.0, 4.0), 7.0, 1e-14);
        const struct {
            double x, next;
            bool jump;
        } steps[] = { { -1, 0, true }, { 0, 1, true }, { 1, 2, false }, { 2, 3, true } };
        for (int i = 0; i < 4; ++i) {
            bool jump = false;
            CHECK_NEAR(curve_next_point(&f.c, steps[i].x, &jump), steps[i].next, 0.0);
            CHECK_EQ(jump, steps[i].jump);
        }
        carom_arena_free(&f.arena);
    }
    carom_arena arena = { 0 };
    carom_error err = { 0 };
    curve c;
    double x[] = { 0, 0, 0 }, y[] = { 0, 1, 2 };
    CHECK_EQ(curve_prepare(&c, &(carom_curve){ 3, x, y, CAROM_LINEAR, CAROM_HOLD }, &arena, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "three points at x = 0");
    carom_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(curve, passes_through_its_points),
        RUN_TEST(curve, cubic_reproduces_cubics_outside_too),
        RUN_TEST(curve, few_points_give_a_parabola_a_line_a_constant),
        RUN_TEST(curve, cubic_is_of_fourth_order),
        RUN_TEST(curve, derivatives_are_those_of_the_value),
        RUN_TEST(curve, spline_is_smooth_at_its_points),
        RUN_TEST(curve, integrals_are_exact),
        RUN_TEST(curve, outside_is_as_asked),
        RUN_TEST(curve, points_are_copied),
        RUN_TEST(curve, bad_points_are_refused),
        RUN_TEST(curve, monotone_never_overshoots),
        RUN_TEST(curve, monotone_has_the_slopes_of_its_definition),
        RUN_TEST(curve, two_points_at_one_x_are_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
