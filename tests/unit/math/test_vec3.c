/* Vectors: the algebra that the rest takes for granted. */
#include "random.h"

TEST(vec3, cross_is_across_and_obeys_lagrange)
{
    FOR_EACH_SEED(rng, 200) {
        v3 a = random_v3(&rng, 2.0), b = random_v3(&rng, 2.0);
        v3 c = v3_cross(a, b);
        CHECK_NEAR(v3_dot(a, c), 0.0, 1e-14);
        CHECK_NEAR(v3_dot(b, c), 0.0, 1e-14);
        CHECK_NEAR(v3_norm2(c), v3_norm2(a) * v3_norm2(b) - v3_dot(a, b) * v3_dot(a, b), 1e-12);
    }
}

TEST(vec3, across_is_a_unit_vector_at_right_angles)
{
    FOR_EACH_SEED(rng, 200) {
        v3 n = random_direction(&rng);
        v3 x = v3_across(n);
        CHECK_NEAR(v3_norm(x), 1.0, 1e-15);
        CHECK_NEAR(v3_dot(x, n), 0.0, 1e-15);
    }
    CHECK_NEAR(v3_dot(v3_across(v3_make(0, 0, 1)), v3_make(0, 0, 1)), 0.0, 0.0);
}

TEST(vec3, stores_and_loads)
{
    double room[3];
    v3_store(room, v3_make(1, 2, 3));
    v3 back = v3_load(room);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(v3_get(back, i), i + 1.0, 0.0);
    }
}

TEST(vec3, knows_what_is_finite)
{
    CHECK(v3_finite(v3_make(1, 2, 3)));
    CHECK(!v3_finite(v3_make(1, (double)NAN, 3)));
    CHECK(!v3_finite(v3_make(1, 2, -(double)INFINITY)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(vec3, cross_is_across_and_obeys_lagrange),
        RUN_TEST(vec3, across_is_a_unit_vector_at_right_angles),
        RUN_TEST(vec3, stores_and_loads),
        RUN_TEST(vec3, knows_what_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
