/* Surfaces whose vertices move: nearest places against closed forms, and the rate of the gap against differences. */
#include "support/check.h"
#include "support/random.h"

#include <math.h>

#include "collision/soft.h"

static const v3 corners[8] = { { -1, -0.5, -0.3 }, { 1, -0.5, -0.3 }, { 1, 0.5, -0.3 }, { -1, 0.5, -0.3 },
                               { -1, -0.5, 0.3 },  { 1, -0.5, 0.3 },  { 1, 0.5, 0.3 },  { -1, 0.5, 0.3 } };

/* The faces of a box, counter-clockwise from outside. */
static soft_surface *make_box(void)
{
    static const int quads[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },
                                     { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
    soft_facet facets[12];
    for (int q = 0; q < 6; ++q) {
        const int *v = quads[q];
        facets[2 * q] = (soft_facet){ .count = 3, .vertices = { v[0], v[1], v[2] } };
        facets[2 * q + 1] = (soft_facet){ .count = 3, .vertices = { v[0], v[2], v[3] } };
    }
    soft_surface *s = soft_create(corners, 8, facets, 12, 0.0);
    CHECK(s != NULL);
    return s;
}

/* A straight rod along x in five pieces. */
enum { RODS = 5 };
static soft_surface *make_rod(double radius)
{
    soft_facet facets[RODS];
    v3 at[RODS + 1];
    for (int i = 0; i <= RODS; ++i) {
        at[i] = v3_make(-1.0 + 2.0 * i / RODS, 0.0, 0.0);
    }
    for (int i = 0; i < RODS; ++i) {
        facets[i] = (soft_facet){ .count = 2, .vertices = { i, i + 1 }, .end = { i == 0, i == RODS - 1 } };
    }
    soft_surface *s = soft_create(at, RODS + 1, facets, RODS, radius);
    CHECK(s != NULL);
    for (int i = 0; i <= RODS; ++i) {
        soft_axes(s)[i] = v3_make(1.0, 0.0, 0.0);
    }
    return s;
}

static double box_gap(v3 p)
{
    v3 q = v3_make(fabs(p.x) - 1.0, fabs(p.y) - 0.5, fabs(p.z) - 0.3);
    v3 out = v3_make(fmax(q.x, 0.0), fmax(q.y, 0.0), fmax(q.z, 0.0));
    return v3_norm(out) + fmin(0.0, fmax(q.x, fmax(q.y, q.z)));
}

static double cylinder_gap(v3 p, double radius)
{
    double a = fabs(p.x) - 1.0;
    double b = hypot(p.y, p.z) - radius;
    return hypot(fmax(a, 0.0), fmax(b, 0.0)) + fmin(0.0, fmax(a, b));
}

TEST(soft, gaps_are_those_of_the_box)
{
    soft_surface *s = make_box();
    test_rng r = test_rng_seed(1);
    for (int i = 0; i < 2000; ++i) {
        v3 p = random_v3(&r, 1.6);
        soft_hit hit;
        CHECK(soft_nearest(s, p, HUGE_VAL, &hit));
        CHECK_NEAR(hit.gap, box_gap(p), 1e-12);
        CHECK_NEAR(v3_norm(hit.normal_w), 1.0, 1e-12);
        v3 foot = v3_zero();
        for (int k = 0; k < hit.count; ++k) {
            foot = v3_axpy(foot, hit.weight[k], soft_vertices(s)[hit.vertices[k]]);
        }
        CHECK_NEAR(v3_norm(v3_sub(p, v3_axpy(foot, hit.gap, hit.normal_w))), 0.0, 1e-12);
        bool near = box_gap(p) < 0.2;
        CHECK_EQ(soft_nearest(s, p, 0.2, &hit), near);
    }
    soft_destroy(s);
}

TEST(soft, gaps_are_those_of_the_cylinder)
{
    const double radius = 0.15; /* less than a piece is long: the end is met from its last piece */
    soft_surface *s = make_rod(radius);
    test_rng r = test_rng_seed(2);
    for (int i = 0; i < 2000; ++i) {
        v3 p = random_v3(&r, i % 2 ? 1.6 : 0.3);
        p.x += i % 2 ? 0.0 : 0.9;
        soft_hit hit;
        CHECK(soft_nearest(s, p, HUGE_VAL, &hit));
        CHECK_NEAR(hit.gap, cylinder_gap(p, radius), 1e-12);
    }
    CHECK_NEAR(v3_norm(v3_sub(soft_rim(s, 0, v3_make(0.6, 0.0, 0.8)), v3_make(-1.0, 0.0, -radius))), 0.0, 1e-12);
    CHECK_NEAR(v3_norm(v3_sub(soft_rim(s, 0, v3_make(1.0, 0.0, 0.0)), v3_make(-1.0, 0.0, 0.0))), 0.0, 1e-12);
    soft_destroy(s);
}

/* Vertices and the point move at random: the gap changes by normal . (velocity of the point - mean of those of the vertices). */
TEST(soft, rate_of_the_gap_is_that_of_the_place)
{
    soft_surface *s = make_box();
    test_rng r = test_rng_seed(3);
    const double h = 1e-7;
    for (int i = 0; i < 500; ++i) {
        v3 p = random_v3(&r, 1.3);
        v3 v = random_v3(&r, 1.0);
        v3 rate[8];
        soft_hit before, after;
        for (int k = 0; k < 8; ++k) {
            soft_vertices(s)[k] = v3_axpy(corners[k], 0.05, random_v3(&r, 1.0));
            rate[k] = random_v3(&r, 1.0);
        }
        soft_refit(s);
        CHECK(soft_nearest(s, p, HUGE_VAL, &before));
        double expected = v3_dot(before.normal_w, v);
        for (int k = 0; k < 3; ++k) {
            expected -= before.weight[k] * v3_dot(before.normal_w, rate[before.vertices[k]]);
        }
        for (int k = 0; k < 8; ++k) {
            soft_vertices(s)[k] = v3_axpy(soft_vertices(s)[k], h, rate[k]);
        }
        soft_refit(s);
        CHECK(soft_nearest(s, v3_axpy(p, h, v), HUGE_VAL, &after));
        bool same_place = before.vertices[0] == after.vertices[0] && before.vertices[1] == after.vertices[1] &&
                          before.vertices[2] == after.vertices[2];
        CHECK(!same_place || fabs((after.gap - before.gap) / h - expected) < 1e-5);
    }
    soft_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(soft, gaps_are_those_of_the_box),
        RUN_TEST(soft, gaps_are_those_of_the_cylinder),
        RUN_TEST(soft, rate_of_the_gap_is_that_of_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
