/* Mass properties: Steiner's theorem, changes of frame, and which inertia tensors a body may have. */
#include "geometry/mass.h"

#include "support/check.h"
#include "support/samples.h"

static mass_properties random_mass(test_rng *rng)
{
    mass_properties m = { .mass = test_rng_uniform(rng, 0.1, 10.0), .center = random_v3(rng, 3.0) };
    double a = test_rng_uniform(rng, 1.0, 2.0); /* any three from [1, 2] satisfy the triangle inequality */
    double b = test_rng_uniform(rng, 1.0, 2.0);
    double c = test_rng_uniform(rng, 1.0, 2.0);
    m.inertia = m3_rotate_tensor(q_matrix(random_turn(rng)), m3_diag(a, b, c));
    return m;
}

static void check_same(mass_properties a, mass_properties b, double tolerance)
{
    CHECK_NEAR(a.mass, b.mass, tolerance);
    check_v3_near(a.center, b.center, tolerance);
    check_m3_near(a.inertia, b.inertia, tolerance);
}

TEST(mass, two_points_make_a_dumbbell)
{
    mass_properties left = { .mass = 1.0, .center = { -3.0, 0.0, 0.0 } };
    mass_properties right = { .mass = 3.0, .center = { 1.0, 0.0, 0.0 } };
    mass_properties sum = mass_add(left, right);
    double reduced = 1.0 * 3.0 / 4.0;
    CHECK_NEAR(sum.mass, 4.0, 0.0);
    check_v3_near(sum.center, v3_zero(), 1e-15);
    check_m3_near(sum.inertia, m3_diag(0.0, reduced * 16.0, reduced * 16.0), 1e-14);
}

TEST(mass, sums_do_not_depend_on_order_or_grouping)
{
    FOR_EACH_SEED(rng, 100) {
        mass_properties a = random_mass(&rng);
        mass_properties b = random_mass(&rng);
        mass_properties c = random_mass(&rng);
        check_same(mass_add(a, b), mass_add(b, a), 1e-12);
        check_same(mass_add(mass_add(a, b), c), mass_add(a, mass_add(b, c)), 1e-11);
    }
}

TEST(mass, sum_and_change_of_frame_commute)
{
    FOR_EACH_SEED(rng, 100) {
        mass_properties a = random_mass(&rng);
        mass_properties b = random_mass(&rng);
        carom_pose pose = { random_v3(&rng, 5.0), random_turn(&rng) };
        check_same(mass_transform(mass_add(a, b), pose), mass_add(mass_transform(a, pose), mass_transform(b, pose)),
                   1e-11);
        mass_properties turned = mass_transform(a, pose);
        CHECK_NEAR(m3_trace(turned.inertia), m3_trace(a.inertia), 1e-13);
        CHECK_NEAR(m3_det(turned.inertia), m3_det(a.inertia), 1e-12);
        CHECK(turned.inertia.m[1] == turned.inertia.m[3] && turned.inertia.m[5] == turned.inertia.m[7]);
    }
}

TEST(mass, nothing_added_changes_nothing)
{
    FOR_EACH_SEED(rng, 10) {
        mass_properties a = random_mass(&rng);
        mass_properties nothing = { .center = { 9.0, 9.0, 9.0 } };
        check_same(mass_add(a, nothing), a, 0.0);
        check_same(mass_add(nothing, a), a, 1e-14);
    }
    mass_properties none = mass_add((mass_properties){ 0 }, (mass_properties){ 0 });
    CHECK(v3_finite(none.center) && none.mass == 0.0);
}

TEST(mass, density_scales_mass_and_inertia_only)
{
    FOR_EACH_SEED(rng, 10) {
        mass_properties a = random_mass(&rng);
        mass_properties steel = mass_scale(a, 7850.0);
        CHECK_NEAR(steel.mass, 7850.0 * a.mass, 1e-9);
        check_v3_near(steel.center, a.center, 0.0);
        check_m3_near(steel.inertia, m3_scale(7850.0, a.inertia), 0.0);
    }
}

TEST(mass, impossible_inertias_are_named)
{
    CHECK(mass_inertia_problem(m3_diag(1, 1, 1)) == NULL);
    CHECK(mass_inertia_problem(m3_diag(1e-9, 1, 1)) == NULL); /* a thin rod  */
    CHECK(mass_inertia_problem(m3_diag(1, 1, 2)) == NULL);    /* a thin disc */
    CHECK(mass_inertia_problem(m3_diag(0.333333, 0.666667, 1.0)) == NULL);
    CHECK_CONTAINS(mass_inertia_problem(m3_diag(1, 1, 2.1)), "triangle inequality");
    CHECK_CONTAINS(mass_inertia_problem(m3_diag(1, 1, 0)), "not positive");
    CHECK_CONTAINS(mass_inertia_problem(m3_diag(-1, 1, 1)), "not positive");
    CHECK_CONTAINS(mass_inertia_problem(m3_diag((double)NAN, 1, 1)), "finite");
    m3 skewed = m3_diag(1, 1, 1);
    skewed.m[1] = 0.1;
    CHECK_CONTAINS(mass_inertia_problem(skewed), "symmetric");
    skewed.m[3] = 0.1;
    CHECK(mass_inertia_problem(skewed) == NULL);
}

TEST(mass, what_a_body_may_have_does_not_depend_on_axes)
{
    FOR_EACH_SEED(rng, 100) {
        m3 R = q_matrix(random_turn(&rng));
        CHECK(mass_inertia_problem(m3_rotate_tensor(R, m3_diag(1, 2, 2.9))) == NULL);
        CHECK_CONTAINS(mass_inertia_problem(m3_rotate_tensor(R, m3_diag(1, 2, 3.1))), "triangle inequality");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(mass, two_points_make_a_dumbbell),
        RUN_TEST(mass, sums_do_not_depend_on_order_or_grouping),
        RUN_TEST(mass, sum_and_change_of_frame_commute),
        RUN_TEST(mass, nothing_added_changes_nothing),
        RUN_TEST(mass, density_scales_mass_and_inertia_only),
        RUN_TEST(mass, impossible_inertias_are_named),
        RUN_TEST(mass, what_a_body_may_have_does_not_depend_on_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
