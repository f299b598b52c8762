/* Numerical derivatives against closed forms: ten digits of f', eight of f'', over many functions, places, scales. */
#include "expr/expr.h"

#include "support/check.h"

typedef struct sample {
    const char *name;
    double (*f[3])(double x); /* value, first, second derivative */
    double low, high;         /* where to look       */
    double size;              /* typical |f'| length scale: errors are relative to max(|f^(k)|, |f| / size^k) */
} sample;

#define SAMPLE(id, f0, f1, f2)     \
    static double id##_0(double x) \
    {                              \
        return f0;                 \
    }                              \
    static double id##_1(double x) \
    {                              \
        return f1;                 \
    }                              \
    static double id##_2(double x) \
    {                              \
        return f2;                 \
    }

SAMPLE(mixed, 3 * sin(2 * x) + x * x, 6 * cos(2 * x) + 2 * x, -12 * sin(2 * x) + 2)
SAMPLE(decay, exp(-x), -exp(-x), exp(-x))
SAMPLE(fast, sin(200 * x), 200 * cos(200 * x), -40000 * sin(200 * x))
SAMPLE(faster, sin(5000 * x), 5000 * cos(5000 * x), -25e6 * sin(5000 * x))
SAMPLE(runge, 1 / (1 + x * x), -2 * x / pow(1 + x * x, 2), (6 * x * x - 2) / pow(1 + x * x, 3))
SAMPLE(fall, 4.905 * x * x, 9.81 * x, 9.81 + 0 * x)
SAMPLE(smooth_step, x *x *x *(10 - 15 * x + 6 * x * x), 30 * x * x * pow(1 - x, 2), 60 * x * (1 - x) * (1 - 2 * x))
SAMPLE(tiny, 1e-9 * sin(3 * x), 3e-9 * cos(3 * x), -9e-9 * sin(3 * x))
SAMPLE(tanh_, tanh(4 * x), 4 / pow(cosh(4 * x), 2), -32 * tanh(4 * x) / pow(cosh(4 * x), 2))
SAMPLE(whole_turns, cos(6.283185307179586 * x), -6.283185307179586 * sin(6.283185307179586 * x),
       -39.478417604357434 * cos(6.283185307179586 * x))

#define ROW(id, low, high, size)                         \
    {                                                    \
#id, { id##_0, id##_1, id##_2 }, low, high, size \
    }
static const sample samples[] = {
    ROW(mixed, 0, 10, 0.5),  ROW(decay, 0, 5, 1),           ROW(fast, 0, 10, 5e-3),      ROW(faster, 0, 10, 2e-4),
    ROW(runge, -3, 3, 1),    ROW(fall, 0, 10, 1),           ROW(smooth_step, 0, 1, 0.3), ROW(tiny, 0, 10, 0.3),
    ROW(tanh_, -1, 1, 0.25), ROW(whole_turns, 0, 10, 0.16),
};

static double call(void *context, double x)
{
    return ((const sample *)context)->f[0](x);
}

static double largest(const sample *s, int k)
{
    double most = 0.0;
    for (int i = 0; i <= 200; ++i) {
        most = fmax(most, fabs(s->f[k](s->low + (s->high - s->low) * i / 200)));
    }
    return most;
}

TEST(derivatives, ten_digits_of_the_first_eight_of_the_second)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i) {
        sample s = samples[i];
        double scale_1 = fmax(largest(&s, 1), largest(&s, 0) / s.size);
        double scale_2 = fmax(largest(&s, 2), largest(&s, 0) / (s.size * s.size));
        FOR_EACH_SEED(rng, 100) {
            double x = test_rng_uniform(&rng, s.low, s.high);
            double out[3];
            expr_derivatives(call, &s, x, 10.0, out);
            CHECK_NEAR(out[0], s.f[0](x), 0.0);
            CHECK_NEAR(out[1], s.f[1](x), 1e-10 * scale_1);
            CHECK_NEAR(out[2], s.f[2](x), 1e-8 * scale_2);
        }
    }
}

TEST(derivatives, the_scale_is_only_a_guess)
{
    static const double scales[] = { 0.3, 1.0, 30.0, 1000.0, 0.0, HUGE_VAL, (double)NAN };
    sample s = samples[0];
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
        double out[3];
        expr_derivatives(call, &s, 1.3, scales[i], out);
        CHECK_NEAR(out[1], mixed_1(1.3), 1e-10 * 10.0);
        CHECK_NEAR(out[2], mixed_2(1.3), 1e-8 * 10.0);
    }
}

static double only_positive(void *context, double x)
{
    (void)context;
    return x < 0.0 ? (double)NAN : exp(-x) * sin(3.0 * x);
}

static double only_negative(void *context, double x)
{
    return only_positive(context, -x);
}

TEST(derivatives, one_sided_at_the_edge_of_the_domain)
{
    double out[3];
    expr_derivatives(only_positive, NULL, 0.0, 10.0, out);
    CHECK_NEAR(out[1], 3.0, 1e-9);
    CHECK_NEAR(out[2], -6.0, 1e-6);
    expr_derivatives(only_negative, NULL, 0.0, 10.0, out);
    CHECK_NEAR(out[1], -3.0, 1e-9);
    CHECK_NEAR(out[2], -6.0, 1e-6);
    expr_derivatives(only_positive, NULL, 1e-3, 10.0, out); /* near the edge: central with small steps */
    CHECK_NEAR(out[1], exp(-1e-3) * (3.0 * cos(3e-3) - sin(3e-3)), 1e-7);
}

static double nowhere(void *context, double x)
{
    (void)context;
    (void)x;
    return (double)NAN;
}

TEST(derivatives, of_nothing_are_nan)
{
    double out[3];
    expr_derivatives(nowhere, NULL, 1.0, 1.0, out);
    CHECK(isnan(out[0]) && isnan(out[1]) && isnan(out[2]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(derivatives, ten_digits_of_the_first_eight_of_the_second),
        RUN_TEST(derivatives, the_scale_is_only_a_guess),
        RUN_TEST(derivatives, one_sided_at_the_edge_of_the_domain),
        RUN_TEST(derivatives, of_nothing_are_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
