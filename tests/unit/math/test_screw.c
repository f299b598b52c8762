/* Screw motion against the differential equation that it solves, and against its inverse. */
#include "math/screw.h"

#include "random.h"

/* x' = v + w x (x - c), integrated by Runge-Kutta: x starts at c, the origin. */
static v3 integrated(const twist *d, double t)
{
    enum { STEPS = 400 };
    v3 x = v3_zero();
    double h = t / STEPS;
    for (int k = 0; k < STEPS; ++k) {
        v3 k1 = twist_velocity(d, x);
        v3 k2 = twist_velocity(d, v3_axpy(x, 0.5 * h, k1));
        v3 k3 = twist_velocity(d, v3_axpy(x, 0.5 * h, k2));
        v3 k4 = twist_velocity(d, v3_axpy(x, h, k3));
        v3 sum = v3_add(v3_add(k1, k4), v3_scale(2.0, v3_add(k2, k3)));
        x = v3_axpy(x, h / 6.0, sum);
    }
    return x;
}

TEST(screw, solves_its_equation)
{
    FOR_EACH_SEED(rng, 300) {
        double angle = exp(test_rng_uniform(&rng, -25.0, 1.0));
        twist d = { random_v3(&rng, 1.0), v3_scale(angle, random_v3(&rng, 1.0)) };
        double t = test_rng_uniform(&rng, 0.0, 1.0);
        CHECK_LE(v3_apart(screw_displacement(&d, t), integrated(&d, t)), 1e-9);
    }
}

/* Any point keeps its speed, and goes on turning about an axis that stands still. */
TEST(screw, speeds_of_points_are_constant)
{
    FOR_EACH_SEED(rng, 300) {
        twist d = { random_v3(&rng, 1.0), random_v3(&rng, 2.0) };
        v3 arm = random_v3(&rng, 1.0);
        double begin = v3_norm(twist_velocity(&d, arm));
        v3 end = v3_add(screw_displacement(&d, 1.0), q_rotate(so3_exp(d.w), arm));
        CHECK_NEAR(v3_norm(twist_velocity(&d, end)), begin, 1e-14 * (1.0 + begin));
    }
}

TEST(screw, goes_through_the_pose_asked_for)
{
    FOR_EACH_SEED(rng, 500) {
        double angle = exp(test_rng_uniform(&rng, -20.0, 0.5));
        v3 w = v3_scale(angle, random_v3(&rng, 1.0));
        v3 displacement = random_v3(&rng, 1.0);
        twist d = screw_through(w, displacement);
        CHECK_LE(v3_apart(screw_displacement(&d, 1.0), displacement), 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(screw, solves_its_equation),
        RUN_TEST(screw, speeds_of_points_are_constant),
        RUN_TEST(screw, goes_through_the_pose_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
