/* Distances from cylinders: the plane between the closest points of two convex sets parts them by their distance and no plane does
 * by more, so that it proves itself; circles are tried point by point. Derivatives agree with differences. */
#include "geometry/cylinder_distance.h"

#include "math/screw.h"
#include "support/check.h"
#include "support/random.h"

enum { VERTEX_SOLID, EDGE_SOLID, EDGE_DISC, TRIANGLE_DISC, RIM_SOLID, SOLID_SOLID, KINDS };

/* A feature and a cylinder. */
typedef struct both {
    int kind, count;
    v3 x[3];
    cylinder own, c;
} both;

static feature_distance distance_of(const both *b)
{
    switch (b->kind) {
    case VERTEX_SOLID:
        return vertex_cylinder_distance(b->x[0], &b->c);
    case EDGE_SOLID:
    case EDGE_DISC:
        return edge_cylinder_distance(b->x, &b->c);
    case TRIANGLE_DISC:
        return triangle_disc_distance(b->x, &b->c);
    case RIM_SOLID:
        return rim_cylinder_distance(&b->own, &b->c);
    default:
        return cylinder_cylinder_distance(&b->own, &b->c);
    }
}

static cylinder any_cylinder(test_rng *r, bool disc)
{
    return (cylinder){ .center = random_v3(r, 0.3),
                       .axis = random_direction(r),
                       .half = disc ? 0.0 : test_rng_uniform(r, 0.1, 1.0),
                       .radius = test_rng_uniform(r, 0.1, 1.0) };
}

static both any_pair(test_rng *r, int kind, double away)
{
    both b = { .kind = kind, .count = kind == VERTEX_SOLID ? 1 : kind == TRIANGLE_DISC ? 3 : 2 };
    v3 off = v3_scale(away, random_direction(r));
    b.c = any_cylinder(r, kind == EDGE_DISC || kind == TRIANGLE_DISC);
    b.own = any_cylinder(r, kind == RIM_SOLID);
    b.own.center = v3_add(b.own.center, off);
    for (int k = 0; k < 3; ++k) {
        b.x[k] = v3_add(off, random_v3(r, 1.0));
    }
    return b;
}

static double reach(const cylinder *c, v3 n)
{
    double along = v3_dot(n, c->axis);
    return v3_dot(n, c->center) + fabs(along) * c->half + c->radius * v3_norm(v3_axpy(n, -along, c->axis));
}

/* By how much a plane with normal n parts the two. */
static double parted(const both *b, v3 n)
{
    double low = -reach(&b->own, v3_neg(n));
    for (int k = 0; b->kind < RIM_SOLID && k < b->count; ++k) {
        double height = v3_dot(n, b->x[k]);
        low = k == 0 || height < low ? height : low;
    }
    return low - reach(&b->c, n);
}

/* Moves the feature along n until a plane across n parts both by a gap. */
static void part(both *b, v3 n, double gap)
{
    v3 by = v3_scale(gap - parted(b, n), n);
    b->own.center = v3_add(b->own.center, by);
    for (int k = 0; k < 3; ++k) {
        b->x[k] = v3_add(b->x[k], by);
    }
}

TEST(cylinder_distance, planes_prove_it)
{
    test_rng r = test_rng_seed(1);
    int seen[KINDS] = { 0 };
    for (int n = 0; n < 60000; ++n) {
        both b = any_pair(&r, n % KINDS, test_rng_uniform(&r, 0.5, 4.0));
        if (b.kind == RIM_SOLID) {
            continue;
        }
        if (n % 5 == 0) { /* level with the axis, or flat on the cap */
            b.x[1] = v3_axpy(b.x[0], 1.0, n % 2 == 0 ? b.c.axis : v3_across(b.c.axis));
            b.own.axis = n % 2 == 0 ? b.c.axis : b.own.axis;
        }
        part(&b, n % 3 == 0 ? b.c.axis : random_direction(&r), exp(test_rng_uniform(&r, -7.0, 0.0)));
        feature_distance d = distance_of(&b);
        double gap = feature_gap(&d);
        CHECK_NEAR(v3_norm(d.normal), 1.0, 1e-13);
        CHECK_NEAR(v3_dot(d.normal, v3_sub(d.point[0], d.point[1])), d.distance, 1e-13);
        double most = b.kind == SOLID_SOLID || n % 5 == 0 ? 1e-9 : 1e-11; /* nearly parallel axes end at ends */
        CHECK_NEAR(parted(&b, d.normal), gap, most / gap);
        ++seen[b.kind];
    }
    for (int k = 0; k < KINDS; ++k) {
        CHECK(k == RIM_SOLID || seen[k] > 3000);
    }
}

TEST(cylinder_distance, no_point_of_a_rim_is_nearer)
{
    enum { POINTS = 2000 };
    test_rng r = test_rng_seed(2);
    for (int n = 0; n < 1000; ++n) {
        both b = any_pair(&r, RIM_SOLID, test_rng_uniform(&r, 0.5, 3.0));
        feature_distance d = distance_of(&b);
        v3 x = v3_across(b.own.axis), y = v3_cross(b.own.axis, x);
        double least = HUGE_VAL;
        for (int k = 0; k < POINTS; ++k) {
            double angle = 2.0 * 3.14159265358979323846 * k / POINTS;
            v3 out = v3_axpy(v3_scale(cos(angle), x), sin(angle), y);
            feature_distance at = vertex_cylinder_distance(v3_axpy(b.own.center, b.own.radius, out), &b.c);
            least = fmin(least, feature_gap(&at));
        }
        if (least > 0.0) {
            CHECK_LE(feature_gap(&d), least + 1e-12);
            CHECK_GE(feature_gap(&d), least - 1e-4);
            CHECK_NEAR(v3_dot(v3_sub(d.point[0], b.own.center), b.own.axis), 0.0, 1e-12);
            CHECK_NEAR(v3_norm(v3_sub(d.point[0], b.own.center)), b.own.radius, 1e-12);
        }
    }
}

/* ---- derivatives ------------------------------------------------------------------------------------------------------------ */

static v3 moved(v3 x, v3 origin, const double *twist6)
{
    quat turn = so3_exp(v3_load(twist6 + 3));
    return v3_add(v3_add(origin, v3_load(twist6)), q_rotate(turn, v3_sub(x, origin)));
}

static cylinder moved_cylinder(cylinder c, v3 origin, const double *twist6)
{
    v3 end = moved(v3_add(c.center, c.axis), origin, twist6);
    c.center = moved(c.center, origin, twist6);
    c.axis = v3_sub(end, c.center);
    return c;
}

static feature_distance moved_distance(both b, const v3 origin[2], const double *twists)
{
    for (int k = 0; k < 3; ++k) {
        b.x[k] = moved(b.x[k], origin[0], twists);
    }
    b.own = moved_cylinder(b.own, origin[0], twists);
    b.c = moved_cylinder(b.c, origin[1], twists + 6);
    return distance_of(&b);
}

static bool same_region(const feature_distance *a, const feature_distance *b)
{
    bool same = a->slides == b->slides && v3_norm(v3_sub(a->point[1], b->point[1])) < 0.05;
    for (int k = 0; same && k < a->slides; ++k) {
        same = a->owner[k] == b->owner[k] && (a->curvature[k] != 0.0) == (b->curvature[k] != 0.0) &&
               v3_norm(v3_sub(a->slide[k], b->slide[k])) < 0.1 * v3_norm(a->slide[k]);
    }
    return same && a->rounding[1] == b->rounding[1] && a->rounding[0] == b->rounding[0];
}

static bool check_derivatives(const both *b, const v3 origin[2])
{
    const double h = 2e-4;
    feature_distance d = distance_of(b);
    v3 arm[2] = { v3_sub(d.point[0], origin[0]), v3_sub(d.point[1], origin[1]) };
    double gradient[TWIST_PAIR], hessian[TWIST_PAIR][TWIST_PAIR];
    feature_distance_gradient(&d, arm, gradient);
    feature_distance_hessian(&d, arm, hessian);
    double second[TWIST_PAIR][TWIST_PAIR];
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = i; k < TWIST_PAIR; ++k) {
            double value[2][2];
            for (int corner = 0; corner < 4; ++corner) {
                double twists[TWIST_PAIR] = { 0.0 };
                twists[i] += (corner & 1) ? h : -h;
                twists[k] += (corner & 2) ? h : -h;
                feature_distance other = moved_distance(*b, origin, twists);
                if (!same_region(&d, &other)) {
                    return false;
                }
                value[corner & 1][corner >> 1] = other.distance;
            }
            second[i][k] = (value[1][1] - value[0][1] - value[1][0] + value[0][0]) / (4.0 * h * h);
        }
    }
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = i; k < TWIST_PAIR; ++k) {
            CHECK_NEAR(hessian[i][k], second[i][k], 2e-3 * (1.0 + fabs(second[i][k])));
            CHECK_NEAR(hessian[k][i], hessian[i][k], 1e-10);
        }
        double twists[TWIST_PAIR] = { 0.0 };
        twists[i] = h;
        double up = moved_distance(*b, origin, twists).distance;
        twists[i] = -h;
        double down = moved_distance(*b, origin, twists).distance;
        CHECK_NEAR(gradient[i], (up - down) / (2.0 * h), 1e-5);
    }
    return true;
}

TEST(cylinder_distance, derivatives_agree_with_differences)
{
    test_rng r = test_rng_seed(3);
    int seen[KINDS] = { 0 };
    int curved = 0;
    for (int n = 0; n < 12000; ++n) {
        both b = any_pair(&r, n % KINDS, test_rng_uniform(&r, 1.0, 3.0));
        v3 origin[2] = { random_v3(&r, 2.0), random_v3(&r, 2.0) };
        feature_distance d = distance_of(&b);
        bool smooth = feature_gap(&d) > 0.3;
        for (int k = 0; k < d.slides; ++k) {
            bool bent = d.curvature[k] != 0.0;
            smooth = smooth && (!bent || d.curvature[k] > 0.2 * v3_norm(d.slide[k])) && v3_norm(d.slide[k]) > 0.25;
            for (int i = 0; i < k; ++i) {
                double sine = v3_norm(v3_cross(d.slide[i], d.slide[k])) / (v3_norm(d.slide[i]) * v3_norm(d.slide[k]));
                smooth = smooth && sine > 0.4;
            }
        }
        if (smooth && check_derivatives(&b, origin)) {
            ++seen[b.kind];
            curved += d.curvature[0] != 0.0 || d.curvature[1] != 0.0 || d.curvature[2] != 0.0;
        }
    }
    for (int k = 0; k < KINDS; ++k) {
        CHECK_GE(seen[k], 50);
    }
    CHECK_GE(curved, 200);
}

/* A rim above the cap of a nearly parallel cylinder, and beside it by any part of their radii: the nearest point lies on the rim to rounding, for
 * any tilt. */
TEST(cylinder_distance, nearest_points_of_rims_lie_on_them)
{
    test_rng r = test_rng_seed(5);
    for (int n = 0; n < 20000; ++n) {
        double tilt = exp(test_rng_uniform(&r, -20.0, -2.0)); /* [rad] */
        v3 axis = random_direction(&r);
        v3 across = v3_unit(v3_cross(axis, random_direction(&r)));
        cylinder c = { .center = v3_zero(), .axis = axis, .radius = 1.0, .half = 0.5 };
        cylinder disc = { .axis = v3_unit(v3_axpy(axis, tilt, random_direction(&r))),
                          .radius = test_rng_uniform(&r, 0.3, 2.0) };
        double height = 0.5 + exp(test_rng_uniform(&r, -12.0, -1.0)) + 3.0 * tilt;
        disc.center = v3_axpy(v3_scale(height, axis), test_rng_uniform(&r, 0.0, 2.5), across);
        feature_distance d = rim_cylinder_distance(&disc, &c);
        v3 arm = v3_sub(d.point[0], disc.center);
        CHECK_NEAR(v3_dot(arm, disc.axis), 0.0, 4e-15);
        CHECK_NEAR(v3_norm(arm), disc.radius, 4e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(cylinder_distance, planes_prove_it),
        RUN_TEST(cylinder_distance, no_point_of_a_rim_is_nearer),
        RUN_TEST(cylinder_distance, nearest_points_of_rims_lie_on_them),
        RUN_TEST(cylinder_distance, derivatives_agree_with_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
