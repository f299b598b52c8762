/* Convex hulls: every point is inside every face, the surface is closed, corners are points; what cannot be a hull. */
#include "geometry/hull.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/samples.h"

enum { MOST = 3000 };

static mesh *hull_of(const v3 *points, size_t count)
{
    mesh *m = NULL;
    carom_error err = { 0 };
    CHECK_OK(hull_create(&m, points, count, &err), err);
    return m;
}

static void check_closed(const mesh *m)
{
    mesh_quality quality;
    carom_error err = { 0 };
    CHECK_OK(mesh_inspect(m, &quality, &err), err);
    CHECK_EQ(quality.open_edges + quality.nonmanifold_edges + quality.flipped_edges, 0);
    CHECK(quality.volume > 0.0);
    CHECK_EQ(m->triangle_count, 2 * m->vertex_count - 4); /* Euler */
}

/* How far any point is outside of any face that is large enough to have a normal. */
static double largest_excess(const mesh *m, const v3 *points, size_t count, double size)
{
    double excess = -HUGE_VAL;
    for (int t = 0; t < m->triangle_count; ++t) {
        v3 a = m->vertices[m->triangles[t][0]];
        v3 n = v3_cross(v3_sub(m->vertices[m->triangles[t][1]], a), v3_sub(m->vertices[m->triangles[t][2]], a));
        for (size_t i = 0; v3_norm(n) > 1e-8 * size * size && i < count; ++i) {
            excess = fmax(excess, v3_dot(v3_sub(points[i], a), n) / v3_norm(n));
        }
    }
    return excess;
}

static void check_hull(const v3 *points, size_t count, double size, double rounding)
{
    mesh *m = hull_of(points, count);
    check_closed(m);
    CHECK_LE(largest_excess(m, points, count, size), rounding);
    mesh_destroy(m);
}

TEST(hull, holds_random_points_of_any_size_anywhere)
{
    v3 points[MOST];
    FOR_EACH_SEED(rng, 12) {
        static const double sizes[] = { 1e-9, 1.0, 1e9 };
        double size = sizes[seed_ % 3];
        int count = seed_ % 2 ? 200 : 20;
        v3 at = random_v3(&rng, seed_ > 6 ? 1000.0 * size : 0.0);
        for (int i = 0; i < count; ++i) {
            points[i] = v3_add(at, random_v3(&rng, size));
        }
        check_hull(points, (size_t)count, size, 1e-13 * (size + v3_norm(at)));
    }
}

/* Thousands of points in the faces of a turned cube: corners alone are left, whatever the rounding. */
TEST(hull, of_a_turned_cube_with_points_in_its_faces_has_eight_corners)
{
    FOR_EACH_SEED(rng, 5) {
        v3 points[MOST];
        int count = 0;
        quat turn = random_turn(&rng);
        for (int i = 0; i < 1000; ++i) {
            v3 p = v3_make(i / 100 / 9.0, i / 10 % 10 / 9.0, i % 10 / 9.0);
            points[count++] = q_rotate(turn, p);
        }
        mesh *m = hull_of(points, (size_t)count);
        check_closed(m);
        CHECK_EQ(m->vertex_count, 8);
        mass_properties mass;
        mesh_mass(&mass, m);
        CHECK_NEAR(mass.mass, 1.0, 1e-12);
        mesh_destroy(m);
    }
}

TEST(hull, of_points_on_a_sphere_keeps_them_all)
{
    v3 points[MOST];
    test_rng rng = test_rng_seed(3);
    for (int i = 0; i < 2000; ++i) {
        points[i] = random_direction(&rng);
    }
    mesh *m = hull_of(points, 2000);
    check_closed(m);
    CHECK_EQ(m->vertex_count, 2000);
    mesh_destroy(m);
}

/* The same points many times over, and nearly the same ones. */
TEST(hull, takes_repeated_points)
{
    v3 points[MOST];
    test_rng rng = test_rng_seed(9);
    for (int i = 0; i < 2000; ++i) {
        v3 corner = v3_make(i & 1, i >> 1 & 1, i >> 2 & 1);
        points[i] = v3_add(corner, random_v3(&rng, i % 3 ? 1e-16 : 1e-14));
    }
    check_hull(points, 2000, 1.0, 1e-12);
}

static void check_refused(const v3 *points, size_t count, const char *part)
{
    mesh *m = NULL;
    carom_error err = { 0 };
    CHECK_EQ(hull_create(&m, points, count, &err), CAROM_BAD_INPUT);
    CHECK(m == NULL);
    CHECK_CONTAINS(err.message, part);
}

TEST(hull, refuses_what_has_none)
{
    v3 points[MOST];
    test_rng rng = test_rng_seed(4);
    quat turn = random_turn(&rng);
    for (int i = 0; i < 100; ++i) {
        v3 p = random_v3(&rng, 1.0);
        points[i] = q_rotate(turn, v3_make(p.x, p.y, 0.0));
    }
    check_refused(points, 100, "plane");
    check_refused(points, 3, "at least four");
    check_refused(NULL, 0, "at least four");
    points[50].y = (double)NAN;
    check_refused(points, 100, "not finite");
    points[50].y = HUGE_VAL;
    check_refused(points, 100, "not finite");
    memset(points, 0, sizeof points);
    check_refused(points, 100, "the same");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(hull, holds_random_points_of_any_size_anywhere),
        RUN_TEST(hull, of_a_turned_cube_with_points_in_its_faces_has_eight_corners),
        RUN_TEST(hull, of_points_on_a_sphere_keeps_them_all),
        RUN_TEST(hull, takes_repeated_points),
        RUN_TEST(hull, refuses_what_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
