/* Oriented boxes: tight around boxes, never too small; gaps are lower bounds of true distances and know who overlaps. */
#include "geometry/obb.h"

#include "support/check.h"
#include "support/samples.h"

enum { MOST = 2000 };

static obb fit(const v3 *points, size_t count)
{
    obb b = { 0 };
    carom_error err = { 0 };
    CHECK_OK(obb_fit(&b, points, count, &err), err);
    return b;
}

/* Orthonormal, right-handed, and no point outside. */
static void check_holds(const obb *b, const v3 *points, size_t count, double rounding)
{
    check_m3_near(m3_mul(m3_transpose(b->axes), b->axes), m3_identity(), 1e-14);
    CHECK_NEAR(m3_det(b->axes), 1.0, 1e-14);
    for (size_t i = 0; i < count; ++i) {
        v3 r = m3_tmulv(b->axes, v3_sub(points[i], b->center));
        CHECK_LE(fabs(r.x) - b->half.x, rounding);
        CHECK_LE(fabs(r.y) - b->half.y, rounding);
        CHECK_LE(fabs(r.z) - b->half.z, rounding);
    }
}

static void sorted_halves(const obb *b, double out[3])
{
    v3_store(out, b->half);
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            if (out[j] > out[j + 1]) {
                double swap = out[j];
                out[j] = out[j + 1];
                out[j + 1] = swap;
            }
        }
    }
}

static double volume(const obb *b)
{
    return 8.0 * b->half.x * b->half.y * b->half.z;
}

/* A grid of points in a box, turned at random: its own box comes back. */
TEST(obb, of_a_turned_box_is_that_box)
{
    FOR_EACH_SEED(rng, 30) {
        v3 half = v3_make(0.3, test_rng_uniform(&rng, 0.31, 0.9), test_rng_uniform(&rng, 1.0, 3.0));
        v3 at = random_v3(&rng, 10.0);
        quat turn = random_turn(&rng);
        v3 points[MOST];
        int n = seed_ % 2 ? 1 : 9;
        int count = 0;
        for (int i = 0; i <= n; ++i) {
            for (int j = 0; j <= n; ++j) {
                for (int k = 0; k <= n; ++k) {
                    v3 p = v3_make(half.x * (2.0 * i / n - 1.0), half.y * (2.0 * j / n - 1.0),
                                   half.z * (2.0 * k / n - 1.0));
                    points[count++] = v3_add(at, q_rotate(turn, p));
                }
            }
        }
        obb b = fit(points, (size_t)count);
        double halves[3];
        sorted_halves(&b, halves);
        check_holds(&b, points, (size_t)count, 1e-13);
        check_v3_near(v3_load(halves), half, 1e-12);
        check_v3_near(b.center, at, 1e-12);
    }
}

/* No larger than the box along the axes, whatever the points, and often much smaller. */
TEST(obb, of_random_points_holds_them_and_is_no_larger_than_the_aligned_box)
{
    FOR_EACH_SEED(rng, 30) {
        v3 points[MOST];
        quat turn = random_turn(&rng);
        int count = seed_ % 3 == 0 ? 1500 : 4 + seed_;
        for (int i = 0; i < count; ++i) {
            v3 p = random_direction(&rng); /* all are corners of the hull */
            points[i] = q_rotate(turn, v3_make(p.x, 0.5 * p.y, 0.1 * p.z));
        }
        obb b = fit(points, (size_t)count);
        obb aligned = fit(points, 1);
        v3 low, high;
        mesh cloud = { .vertex_count = count, .vertices = points };
        mesh_bounds(&low, &high, &cloud);
        check_holds(&b, points, (size_t)count, 1e-14);
        CHECK_LE(volume(&b), (high.x - low.x) * (high.y - low.y) * (high.z - low.z) * 1.02);
        CHECK_LE(volume(&b), 8.0 * 0.05 * 1.1); /* that of the ellipsoid's box, nearly */
        CHECK_NEAR(volume(&aligned), 0.0, 0.0);
    }
}

TEST(obb, of_few_or_flat_points_is_flat)
{
    test_rng rng = test_rng_seed(8);
    quat turn = random_turn(&rng);
    v3 points[MOST];
    for (int i = 0; i < 400; ++i) { /* a tilted rectangle 2 x 4 */
        v3 p = v3_make(i / 20 / 19.0 * 2.0, i % 20 / 19.0 * 4.0, 0.0);
        points[i] = q_rotate(turn, q_rotate(q_axis_angle(v3_make(0, 0, 1), 0.3), p));
    }
    double halves[3];
    obb b = fit(points, 400);
    sorted_halves(&b, halves);
    check_holds(&b, points, 400, 1e-14);
    check_v3_near(v3_load(halves), v3_make(0.0, 1.0, 2.0), 1e-14);
    b = fit(points, 20); /* one row */
    sorted_halves(&b, halves);
    check_v3_near(v3_load(halves), v3_make(0.0, 0.0, 2.0), 1e-14);
    b = fit(points, 1);
    check_v3_near(b.center, points[0], 0.0);
    check_v3_near(b.half, v3_zero(), 0.0);
    points[2] = points[1] = points[0];
    b = fit(points, 3);
    check_v3_near(b.half, v3_zero(), 0.0);
}

TEST(obb, refuses_no_points_and_no_numbers)
{
    obb b;
    carom_error err = { 0 };
    v3 points[5] = { { 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { (double)NAN, 0, 0 } };
    CHECK_EQ(obb_fit(&b, points, 0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "at least one");
    CHECK_EQ(obb_fit(&b, points, 5, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "point 4 is not finite");
}

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

static obb random_box(test_rng *rng)
{
    obb b = {
        .center = random_v3(rng, 2.0),
        .axes = q_matrix(random_turn(rng)),
        .half = v3_make(test_rng_uniform(rng, 0.1, 1.0), test_rng_uniform(rng, 0.1, 1.0),
                        test_rng_uniform(rng, 0.1, 1.0)),
    };
    return b;
}

static v3 nearest_in(const obb *b, v3 p)
{
    v3 r = m3_tmulv(b->axes, v3_sub(p, b->center));
    v3 inside = v3_make(fmax(-b->half.x, fmin(b->half.x, r.x)), fmax(-b->half.y, fmin(b->half.y, r.y)),
                        fmax(-b->half.z, fmin(b->half.z, r.z)));
    return v3_add(b->center, m3_mulv(b->axes, inside));
}

/* Alternating projections onto two convex sets: converges to the distance from above. */
static double distance_from_above(const obb *a, const obb *b)
{
    v3 p = a->center;
    v3 q = b->center;
    for (int i = 0; i < 3000; ++i) {
        q = nearest_in(b, p);
        p = nearest_in(a, q);
    }
    return v3_norm(v3_sub(p, q));
}

TEST(obb, gap_is_a_lower_bound_of_the_distance)
{
    int apart = 0;
    FOR_EACH_SEED(rng, 400) {
        obb a = random_box(&rng);
        obb b = random_box(&rng);
        double gap = obb_gap(&a, &b);
        double distance = distance_from_above(&a, &b);
        CHECK_NEAR(gap, obb_gap(&b, &a), 1e-13);
        CHECK_LE(gap, distance + 1e-12);
        if (gap > 0.0) {
            CHECK_LE(0.4 * distance, gap);
            ++apart;
        } else if (gap < -0.02) {
            CHECK_LE(distance, 1e-3); /* they overlap, and the separating axes are never wrong about that */
        }
    }
    CHECK_GE(apart, 100);
}

TEST(obb, gap_does_not_depend_on_the_frame)
{
    FOR_EACH_SEED(rng, 100) {
        obb a = random_box(&rng);
        obb b = random_box(&rng);
        carom_pose pose = { random_v3(&rng, 5.0), random_turn(&rng) };
        obb a_moved = obb_move(&a, pose);
        obb b_moved = obb_move(&b, pose);
        CHECK_NEAR(obb_gap(&a_moved, &b_moved), obb_gap(&a, &b), 1e-13);
    }
}

TEST(obb, gap_to_a_half_space_is_that_of_the_lowest_corner)
{
    FOR_EACH_SEED(rng, 100) {
        v3 normal = random_direction(&rng);
        obb ground = obb_of_plane(normal);
        obb b = random_box(&rng);
        double lowest = HUGE_VAL;
        for (int i = 0; i < 8; ++i) {
            v3 r = v3_make(i & 1 ? b.half.x : -b.half.x, i & 2 ? b.half.y : -b.half.y, i & 4 ? b.half.z : -b.half.z);
            lowest = fmin(lowest, v3_dot(normal, v3_add(b.center, m3_mulv(b.axes, r))));
        }
        CHECK_NEAR(obb_gap(&ground, &b), lowest, 1e-14);
        CHECK_NEAR(obb_gap(&b, &ground), lowest, 1e-14);
        carom_pose pose = { random_v3(&rng, 5.0), random_turn(&rng) };
        obb ground_moved = obb_move(&ground, pose);
        obb b_moved = obb_move(&b, pose);
        CHECK_NEAR(obb_gap(&ground_moved, &b_moved), lowest, 1e-13);
        CHECK(obb_gap(&ground, &ground) == -HUGE_VAL);
    }
}

TEST(obb, bounds_touch_the_outermost_corners)
{
    FOR_EACH_SEED(rng, 50) {
        obb b = random_box(&rng);
        v3 corners[8], low, high, box_low, box_high;
        for (int i = 0; i < 8; ++i) {
            v3 r = v3_make(i & 1 ? b.half.x : -b.half.x, i & 2 ? b.half.y : -b.half.y, i & 4 ? b.half.z : -b.half.z);
            corners[i] = v3_add(b.center, m3_mulv(b.axes, r));
        }
        mesh_bounds(&low, &high, &(mesh){ .vertex_count = 8, .vertices = corners });
        obb_bounds(&box_low, &box_high, &b);
        check_v3_near(box_low, low, 1e-14);
        check_v3_near(box_high, high, 1e-14);
    }
    obb ground = obb_of_plane(v3_make(0, 0, 1));
    v3 low, high;
    obb_bounds(&low, &high, &ground);
    CHECK(low.z == -HUGE_VAL && high.z == 0.0 && high.x == HUGE_VAL && low.y == -HUGE_VAL);
    ground = obb_of_plane(v3_make(0.6, 0, 0.8));
    obb_bounds(&low, &high, &ground);
    CHECK(low.z == -HUGE_VAL && high.z == HUGE_VAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(obb, of_a_turned_box_is_that_box),
        RUN_TEST(obb, of_random_points_holds_them_and_is_no_larger_than_the_aligned_box),
        RUN_TEST(obb, of_few_or_flat_points_is_flat),
        RUN_TEST(obb, refuses_no_points_and_no_numbers),
        RUN_TEST(obb, gap_is_a_lower_bound_of_the_distance),
        RUN_TEST(obb, gap_does_not_depend_on_the_frame),
        RUN_TEST(obb, gap_to_a_half_space_is_that_of_the_lowest_corner),
        RUN_TEST(obb, bounds_touch_the_outermost_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
