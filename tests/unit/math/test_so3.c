/* The exponential map of SO(3), its inverse and its tangent: against extended precision over all angles, across the
 * switch from series to closed form, and against finite differences. */
#include "random.h"

static const double EPS = 2.3e-16;

/* Entries are sums of a few products; a - sin a cancels just above the switch, but comes multiplied by a^2. */
static const double TANGENT_ERROR = 5e-15;

/* b = (1 - cos a)/a^2 (first = 2) and c = (a - sin a)/a^3 (first = 3): the sum of (-1)^k a^2k / (2k + first)! in
 * extended precision, which converges fast for |a| <= pi and cancels nowhere near zero. */
static double series(double a, int first)
{
    long double term = first == 2 ? 1.0L / 2.0L : 1.0L / 6.0L;
    long double sum = term;
    for (int k = 1; k < 25; ++k) {
        int n = first + 2 * k;
        term *= -(long double)a * (long double)a / ((long double)n * (long double)(n - 1));
        sum += term;
    }
    return (double)sum;
}

/* I + b S + c S^2 with coefficients from the series. */
static m3 tangent_reference(v3 theta)
{
    double a = v3_norm(theta);
    m3 S = m3_skew(theta);
    return m3_add(m3_identity(), m3_add(m3_scale(series(a, 2), S), m3_scale(series(a, 3), m3_mul(S, S))));
}

/* Angles from far below to far above both switches (|theta| = 0.01 and 0.02), dense around them. */
static double test_angle(int i)
{
    enum { DENSE = 400 };
    return i < DENSE ? 0.008 + 0.014 * i / DENSE : pow(10.0, -10.0 + 0.1 * (i - DENSE));
}
enum { ANGLES = 400 + 105 };

TEST(so3, exp_is_exact_to_rounding_for_all_angles)
{
    FOR_EACH_SEED(rng, 20) {
        v3 axis = random_direction(&rng);
        for (int i = 0; i < ANGLES; ++i) {
            double a = test_angle(i);
            quat q = so3_exp(v3_scale(a, axis));
            CHECK_NEAR(q.w, cos(0.5 * a), 3 * EPS);
            CHECK_LE(v3_apart(v3_make(q.x, q.y, q.z), v3_scale(sin(0.5 * a), axis)), 3 * EPS * fmin(1.0, a));
            CHECK_NEAR(q_norm(q), 1.0, 3 * EPS);
        }
    }
    quat none = so3_exp(v3_zero());
    CHECK_NEAR(none.w, 1.0, 0.0);
    CHECK_NEAR(none.x, 0.0, 0.0);
}

TEST(so3, log_undoes_exp_up_to_half_turns)
{
    FOR_EACH_SEED(rng, 20) {
        v3 axis = random_direction(&rng);
        for (int i = 0; i < ANGLES; ++i) {
            double a = fmin(test_angle(i), 3.14159);
            v3 theta = v3_scale(a, axis);
            quat q = so3_exp(theta);
            CHECK_LE(v3_apart(so3_log(q), theta), 8 * EPS * a);
            quat minus = { -q.w, -q.x, -q.y, -q.z };
            CHECK_LE(v3_apart(so3_log(minus), theta), 8 * EPS * a);
        }
    }
    CHECK_NEAR(v3_norm(so3_log(q_identity())), 0.0, 0.0);
}

TEST(so3, log_takes_the_short_way)
{
    v3 theta = so3_log(q_axis_angle(v3_make(0, 1, 0), 5.0));
    CHECK_LE(v3_apart(theta, v3_make(0, 5.0 - 2.0 * acos(-1.0), 0)), 1e-14);
}

TEST(so3, tangent_is_exact_to_rounding_across_the_switch)
{
    FOR_EACH_SEED(rng, 20) {
        v3 axis = random_direction(&rng);
        for (int i = 0; i < ANGLES; ++i) {
            v3 theta = v3_scale(fmin(test_angle(i), 3.1), axis);
            m3 T = so3_tangent(theta);
            CHECK_LE(m3_apart(T, tangent_reference(theta)), TANGENT_ERROR);
            CHECK_LE(m3_apart(m3_mul(so3_tangent_inverse(theta), T), m3_identity()), TANGENT_ERROR);
        }
    }
}

/* Between two neighbouring numbers around the switch nothing may jump by more than rounding. */
static void check_continuous_at(double angle, v3 axis)
{
    v3 below = v3_scale(angle * (1.0 - 1e-15), axis);
    v3 above = v3_scale(angle * (1.0 + 1e-15), axis);
    CHECK_LE(m3_apart(so3_tangent(below), so3_tangent(above)), TANGENT_ERROR);
    CHECK_LE(m3_apart(so3_tangent_inverse(below), so3_tangent_inverse(above)), 4 * EPS);
    CHECK_LE(q_apart(so3_exp(below), so3_exp(above)), 4 * EPS);
}

TEST(so3, nothing_jumps_at_the_switch)
{
    FOR_EACH_SEED(rng, 200) {
        v3 axis = random_direction(&rng);
        check_continuous_at(0.01, axis); /* tangent operators */
        check_continuous_at(0.02, axis); /* exp, by the half angle */
    }
}

/* omega = T(theta) theta_dot, with q(t) = exp(theta + t theta_dot). */
TEST(so3, tangent_matches_finite_differences)
{
    const double h = 1e-5;
    const double sizes[] = { 1e-4, 0.0099, 0.0101, 0.3, 1.0, 3.0 };
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
        FOR_EACH_SEED(rng, 100) {
            v3 theta = v3_scale(sizes[k], random_direction(&rng));
            v3 rate = random_v3(&rng, 1.0);
            quat ahead = so3_exp(v3_axpy(theta, h, rate));
            quat behind = so3_exp(v3_axpy(theta, -h, rate));
            v3 omega_w = v3_scale(0.5 / h, so3_log(q_mul(ahead, q_conj(behind))));
            CHECK_LE(v3_apart(m3_mulv(so3_tangent(theta), rate), omega_w), 1e-9);
            CHECK_LE(v3_apart(m3_mulv(so3_tangent_inverse(theta), omega_w), rate), 1e-8);
        }
    }
}

TEST(so3, tangent_leaves_the_axis_alone)
{
    FOR_EACH_SEED(rng, 100) {
        v3 theta = random_v3(&rng, 1.5);
        CHECK_LE(v3_apart(m3_mulv(so3_tangent(theta), theta), theta), 4 * EPS);
        CHECK_LE(v3_apart(m3_mulv(so3_tangent_inverse(theta), theta), theta), 8 * EPS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(so3, exp_is_exact_to_rounding_for_all_angles),
        RUN_TEST(so3, log_undoes_exp_up_to_half_turns),
        RUN_TEST(so3, log_takes_the_short_way),
        RUN_TEST(so3, tangent_is_exact_to_rounding_across_the_switch),
        RUN_TEST(so3, nothing_jumps_at_the_switch),
        RUN_TEST(so3, tangent_matches_finite_differences),
        RUN_TEST(so3, tangent_leaves_the_axis_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
