/* Unit quaternions against matrices, and the rate of a turning body against finite differences. */
#include "random.h"

TEST(quat, rotates_like_its_matrix)
{
    FOR_EACH_SEED(rng, 200) {
        quat q = random_rotation(&rng);
        v3 r = random_v3(&rng, 2.0);
        CHECK_LE(v3_apart(q_rotate(q, r), m3_mulv(q_matrix(q), r)), 2e-15);
        CHECK_LE(v3_apart(q_unrotate(q, q_rotate(q, r)), r), 4e-15);
        CHECK_NEAR(m3_det(q_matrix(q)), 1.0, 2e-15);
    }
}

TEST(quat, product_is_the_composition)
{
    FOR_EACH_SEED(rng, 200) {
        quat a = random_rotation(&rng), b = random_rotation(&rng);
        CHECK_LE(m3_apart(q_matrix(q_mul(a, b)), m3_mul(q_matrix(a), q_matrix(b))), 4e-15);
        CHECK_NEAR(q_norm(q_mul(a, b)), 1.0, 2e-15);
        CHECK_LE(q_apart(q_mul(a, q_conj(a)), q_identity()), 2e-15);
    }
}

TEST(quat, turns_counter_clockwise_about_the_axis)
{
    quat q = q_axis_angle(v3_make(0, 0, 1), 0.5 * acos(-1.0));
    CHECK_LE(v3_apart(q_rotate(q, v3_make(1, 0, 0)), v3_make(0, 1, 0)), 1e-15);
}

TEST(quat, comes_back_from_its_matrix)
{
    FOR_EACH_SEED(rng, 500) {
        quat q = random_rotation(&rng);
        quat back = q_from_matrix(q_matrix(q));
        CHECK_LE(q_apart(back, q), 4e-15);
        CHECK_GE(back.w, 0.0);
        CHECK_NEAR(q_norm(back), 1.0, 1e-15);
    }
}

/* Half turns make w zero: each of the other branches of Shepperd's method must take over. */
TEST(quat, comes_back_from_half_turns)
{
    const double pi = acos(-1.0);
    for (int axis = 0; axis < 3; ++axis) {
        v3 e = v3_make(axis == 0, axis == 1, axis == 2);
        for (double less = -1e-3; less <= 1e-3; less += 1e-4) {
            quat q = q_axis_angle(e, pi + less);
            CHECK_LE(q_apart(q_from_matrix(q_matrix(q)), q), 4e-15);
        }
    }
}

TEST(quat, frame_has_its_z_axis_as_asked)
{
    FOR_EACH_SEED(rng, 200) {
        v3 axis = random_direction(&rng);
        CHECK_LE(v3_apart(q_rotate(q_frame_with_z(axis), v3_make(0, 0, 1)), axis), 4e-15);
    }
    CHECK_LE(v3_apart(q_rotate(q_frame_with_z(v3_make(0, 0, -1)), v3_make(0, 0, 1)), v3_make(0, 0, -1)), 4e-15);
}

TEST(quat, rate_matches_finite_differences)
{
    const double h = 1e-5;
    FOR_EACH_SEED(rng, 200) {
        quat q = random_rotation(&rng);
        v3 omega_w = random_v3(&rng, 3.0);
        quat ahead = q_mul(so3_exp(v3_scale(h, omega_w)), q);
        quat behind = q_mul(so3_exp(v3_scale(-h, omega_w)), q);
        quat rate = q_rate(q, omega_w);
        CHECK_NEAR(rate.w, (ahead.w - behind.w) / (2 * h), 1e-9);
        CHECK_NEAR(rate.x, (ahead.x - behind.x) / (2 * h), 1e-9);
        CHECK_NEAR(rate.y, (ahead.y - behind.y) / (2 * h), 1e-9);
        CHECK_NEAR(rate.z, (ahead.z - behind.z) / (2 * h), 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(quat, rotates_like_its_matrix),
        RUN_TEST(quat, product_is_the_composition),
        RUN_TEST(quat, turns_counter_clockwise_about_the_axis),
        RUN_TEST(quat, comes_back_from_its_matrix),
        RUN_TEST(quat, comes_back_from_half_turns),
        RUN_TEST(quat, frame_has_its_z_axis_as_asked),
        RUN_TEST(quat, rate_matches_finite_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
