/* Rods and polygons in their plane: the closed forms of two pendulum rods [papers/3], which side is met when tips touch
 * to the last digit, distances by brute force over sides, contact modes. */
#include <stdlib.h>

#include "gap_rigs.h"

/* ---- two pendulum rods --------------------------------------------------------------------------------------------- */

/* A rod of length l hung up at (x, 0), at an angle from the vertical, positive towards +x. */
typedef struct pendulum {
    double x, l, angle, rate;
} pendulum;

static gap_motion motion_of(const pendulum *p)
{
    v3 r = v3_make(0.5 * p->l * sin(p->angle), 0.0, -0.5 * p->l * cos(p->angle));
    v3 omega = v3_make(0.0, -p->rate, 0.0);
    return (gap_motion){ .pose_w = { v3_add(v3_make(p->x, 0, 0), r), q_axis_angle(v3_make(0, 1, 0), -p->angle) },
                         .v_w = v3_cross(omega, r),
                         .omega_w = omega };
}

static collider *make_rod(double length)
{
    carom_rod_def def = { .length = length };
    return make_faceted("rod", &def, NULL);
}

/* The feature "corner i of A on side j of B", or NULL. */
static const gap_feature *find_feature(const gap_list *list, bool swapped, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < list->count; ++i) {
        const gap_feature *f = &list->items[i];
        if (f->kind == GAP_POINT_PLANE && f->swapped == swapped && (f->feature[0] & 0xffff) == a &&
            (f->feature[1] & 0xffff) == b) {
            return f;
        }
    }
    return NULL;
}

TEST(gap_planar, pendulum_rods_have_the_gap_of_the_paper)
{
    const double d = 0.5, l1 = 1.0, l2 = 1.6;
    collider *rod[2] = { make_rod(l1), make_rod(l2) };
    gap_pair pair = pair_of(rod[0], rod[1]);
    gap_list list = { 0 };
    int compared = 0;
    FOR_EACH_SEED(rng, 400) {
        pendulum p = { 0.0, l1, test_rng_uniform(&rng, -1.5, 1.5), test_rng_uniform(&rng, -5, 5) };
        pendulum q = { d, l2, test_rng_uniform(&rng, -0.7, 0.7), test_rng_uniform(&rng, -5, 5) };
        gap_motion a = motion_of(&p), b = motion_of(&q);
        double turn = p.angle - q.angle;
        double gap = d * cos(q.angle) - l1 * sin(turn);
        double rate = -d * sin(q.angle) * q.rate - l1 * cos(turn) * (p.rate - q.rate);
        double station = l1 * cos(turn) - d * sin(q.angle);
        if (gap < 1e-3 || station < 0.01 || station > l2 - 0.01) {
            continue; /* crossed already, or past the ends */
        }
        carom_pose pose[2] = { a.pose_w, b.pose_w };
        CHECK(gap_find(&list, &pair, pose, gap + 0.1));
        const gap_feature *f = find_feature(&list, false, 0, 0); /* the lower tip of A */
        CHECK(f != NULL);
        gap_value g;
        gap_measure(f, &a, &b, &g);
        CHECK_EQ(f->mode, CAROM_MODE_POINT_LINE);
        CHECK_NEAR(g.gap, gap, 1e-14);
        CHECK_NEAR(g.rate, rate, 1e-13);
        check_v3_near(g.normal_w, v3_make(-cos(q.angle), 0.0, -sin(q.angle)), 1e-14);
        CHECK_NEAR(gap_bounds(f, &pair, pose), fmin(station, l2 - station), 1.1e-9);
        ++compared;
    }
    CHECK(compared > 100);
    gap_list_free(&list);
    collider_destroy(rod[0]);
    collider_destroy(rod[1]);
}

/* At the first collision phi = 30 degrees, theta = 0: the tip is on the side to the last digit, from the left. */
TEST(gap_planar, touching_tips_know_their_side)
{
    collider *rod[2] = { make_rod(1.0), make_rod(1.6) };
    gap_pair pair = pair_of(rod[0], rod[1]);
    gap_list list = { 0 };
    for (int mirror = -1; mirror <= 1; mirror += 2) {
        for (int step = -20; step <= 20; ++step) {
            double off = step == 0 ? 0.0 : copysign(pow(10.0, -17.0 + 0.6 * abs(step)), step);
            pendulum p = { 0.0, 1.0, mirror * (TEST_PI / 6.0 - off), 0.0 };
            pendulum q = { mirror * 0.5, 1.6, 0.0, 0.0 };
            carom_pose pose[2] = { motion_of(&p).pose_w, motion_of(&q).pose_w };
            CHECK(gap_find(&list, &pair, pose, 1e-3));
            CHECK_EQ(list.count, 1);
            gap_value g = measure_at(&list.items[0], pose);
            CHECK_NEAR(g.gap, off * cos(TEST_PI / 6.0), 1e-15 + off * off);
            check_v3_near(g.normal_w, v3_make(-mirror, 0, 0), 1e-15);
            CHECK_NEAR(gap_bounds(&list.items[0], &pair, pose), 1.6 - sqrt(0.75), 1e-4);
        }
    }
    gap_list_free(&list);
    collider_destroy(rod[0]);
    collider_destroy(rod[1]);
}

/* A tip that has gone round the other rod's end comes near it from behind: apart, however near. */
TEST(gap_planar, a_tip_behind_the_end_is_apart)
{
    collider *rod[2] = { make_rod(1.0), make_rod(1.0) };
    gap_pair pair = pair_of(rod[0], rod[1]);
    gap_list list = { 0 };
    /* B along x from -0.5 to 0.5. A's tip is 2e-4 above B at x = 0.4; A falls slowly and passes B's line at x = 0.6. */
    double slope = 2e-4 / 0.2;
    carom_pose pose[2] = { { .orientation = q_axis_angle(v3_make(0, 1, 0), TEST_PI / 2.0 + slope) },
                           { .orientation = q_axis_angle(v3_make(0, 1, 0), TEST_PI / 2.0) } };
    v3 along = q_rotate(pose[0].orientation, v3_make(0, 0, 1));
    pose[0].position = v3_axpy(v3_make(0.4, 0, 2e-4), 0.5, along);
    CHECK(gap_find(&list, &pair, pose, 1e-3));
    const gap_feature *f = find_feature(&list, false, 0, 0);
    CHECK(f != NULL);
    CHECK_NEAR(measure_at(f, pose).gap, 2e-4, 1e-15);
    gap_list_free(&list);
    collider_destroy(rod[0]);
    collider_destroy(rod[1]);
}

TEST(gap_planar, tips_that_meet_are_named)
{
    collider *rod = make_rod(1.0);
    gap_pair pair = pair_of(rod, rod);
    gap_list list = { 0 };
    /* B upright from z = -0.5 to 0.5, A lying with its left tip at (gap, 0.5 - down). */
    static const struct {
        double down;
        carom_contact_mode mode;
    } cases[] = { { 0.0, CAROM_MODE_TIP_TIP }, { 1e-10, CAROM_MODE_TIP_TIP }, { 1e-6, CAROM_MODE_POINT_LINE } };
    for (int k = 0; k < 3; ++k) {
        carom_pose pose[2] = { { { 0.5, 0, 0.5 - cases[k].down }, q_axis_angle(v3_make(0, 1, 0), TEST_PI / 2.0) },
                               { .orientation = q_identity() } };
        CHECK(gap_find(&list, &pair, pose, 1e-3));
        const gap_feature *f = find_feature(&list, false, 0, 0);
        CHECK(f != NULL);
        CHECK_EQ(f->mode, cases[k].mode);
        CHECK_NEAR(measure_at(f, pose).gap, 0.0, 1e-15);
        check_v3_near(measure_at(f, pose).normal_w, v3_make(1, 0, 0), 1e-15);
    }
    gap_list_free(&list);
    collider_destroy(rod);
}

/* ---- polygons ---------------------------------------------------------------------------------------------------------- */

enum { MOST_CORNERS = 8 };

typedef struct outline2 {
    int count; /* 2: a rod along y */
    double xy[MOST_CORNERS][2];
    carom_polygon_point points[MOST_CORNERS]; /* the same for the shape, which does not copy them */
} outline2;

static outline2 triangle = { .count = 3, .xy = { { -0.5, -0.3 }, { 0.6, -0.3 }, { 0.0, 0.6 } } };
static outline2 notched = {
    .count = 6, .xy = { { -0.5, -0.5 }, { 0.7, -0.5 }, { 0.7, 0.5 }, { 0.1, -0.2 }, { -0.3, 0.5 }, { -0.5, 0.5 } }
};
static outline2 square = { .count = 4, .xy = { { -0.4, -0.4 }, { 0.4, -0.4 }, { 0.4, 0.4 }, { -0.4, 0.4 } } };
static outline2 stick = { .count = 2, .xy = { { 0.0, -0.6 }, { 0.0, 0.6 } } };

static collider *make_outline(outline2 *o)
{
    if (o->count == 2) {
        return make_rod(1.2);
    }
    for (int i = 0; i < o->count; ++i) {
        o->points[i].at = (carom_reals){ 2, o->xy[i] };
    }
    carom_polygon_def def = { { (size_t)o->count, o->points }, 0.1 };
    return make_faceted("polygon", &def, NULL);
}

/* In the world's xy plane; rods lie along z in their xz plane and are put there by a turn about x. */
static carom_pose plane_pose(const outline2 *o, double x, double y, double angle)
{
    quat upright = o->count == 2 ? q_axis_angle(v3_make(1, 0, 0), -TEST_PI / 2.0) : q_identity();
    return (carom_pose){ { x, y, 0 }, q_mul(q_axis_angle(v3_make(0, 0, 1), angle), upright) };
}

static v3 corner_at(const outline2 *o, int i, double x, double y, double angle)
{
    const double *c = o->xy[i % o->count];
    return v3_make(x + cos(angle) * c[0] - sin(angle) * c[1], y + sin(angle) * c[0] + cos(angle) * c[1], 0.0);
}

static double side_distance(v3 p, v3 a, v3 b)
{
    v3 along = v3_sub(b, a);
    double s = fmax(0.0, fmin(1.0, v3_dot(v3_sub(p, a), along) / v3_norm2(along)));
    return v3_norm(v3_sub(p, v3_axpy(a, s, along)));
}

static double turn_of(v3 a, v3 b, v3 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Of all sides from all sides; zero where two cross. */
static double outlines_distance(const outline2 *a, const outline2 *b, const double pa[3], const double pb[3])
{
    double distance = HUGE_VAL;
    for (int i = 0; i < a->count; ++i) {
        v3 p = corner_at(a, i, pa[0], pa[1], pa[2]), q = corner_at(a, i + 1, pa[0], pa[1], pa[2]);
        for (int j = 0; j < b->count; ++j) {
            v3 r = corner_at(b, j, pb[0], pb[1], pb[2]), s = corner_at(b, j + 1, pb[0], pb[1], pb[2]);
            bool cross = turn_of(p, q, r) * turn_of(p, q, s) < 0.0 && turn_of(r, s, p) * turn_of(r, s, q) < 0.0;
            double ends = fmin(fmin(side_distance(p, r, s), side_distance(q, r, s)),
                               fmin(side_distance(r, p, q), side_distance(s, p, q)));
            distance = fmin(distance, cross ? 0.0 : ends);
        }
    }
    return distance;
}

static bool corner_inside(collider *outer, carom_pose pose, v3 p)
{
    return collider_sample(outer, q_unrotate(pose.orientation, v3_sub(p, pose.position))).distance < 0.0;
}

TEST(gap_planar, smallest_gap_is_the_distance)
{
    outline2 *outlines[] = { &triangle, &notched, &square, &stick };
    collider *c[4];
    gap_list list = { 0 };
    int compared = 0;
    for (int k = 0; k < 4; ++k) {
        c[k] = make_outline(outlines[k]);
    }
    for (int k = 0; k < 16; ++k) {
        const outline2 *a = outlines[k / 4], *b = outlines[k % 4];
        FOR_EACH_SEED(rng, 60) {
            double pa[3] = { test_rng_uniform(&rng, -1, 1), test_rng_uniform(&rng, -1, 1),
                             test_rng_uniform(&rng, -3, 3) };
            double pb[3] = { test_rng_uniform(&rng, -0.2, 0.2), test_rng_uniform(&rng, -0.2, 0.2),
                             test_rng_uniform(&rng, -3, 3) };
            carom_pose pose[2] = { plane_pose(a, pa[0], pa[1], pa[2]), plane_pose(b, pb[0], pb[1], pb[2]) };
            double distance = outlines_distance(a, b, pa, pb);
            bool within = (a->count > 2 && corner_inside(c[k / 4], pose[0], corner_at(b, 0, pb[0], pb[1], pb[2]))) ||
                          (b->count > 2 && corner_inside(c[k % 4], pose[1], corner_at(a, 0, pa[0], pa[1], pa[2])));
            if (distance < 1e-3 || within) {
                continue;
            }
            gap_pair pair = pair_of(c[k / 4], c[k % 4]);
            CHECK(gap_find(&list, &pair, pose, distance + 0.05));
            CHECK_NEAR(smallest_gap(&list, pose), distance, 1e-13);
            check_no_repeats(&list);
            ++compared;
        }
    }
    CHECK(compared > 300);
    gap_list_free(&list);
    for (int k = 0; k < 4; ++k) {
        collider_destroy(c[k]);
    }
}

/* A needle beside the tip of a triangle is not behind the side beyond it, however near it is. */
TEST(gap_planar, beside_a_sharp_tip_is_not_behind_it)
{
    outline2 needle = { .count = 3, .xy = { { 0.0, 0.0 }, { 0.01, 0.6 }, { -0.01, 0.6 } } };
    outline2 blade = { .count = 3, .xy = { { 0.0, 0.0 }, { 0.3, 0.6 }, { -0.3, 0.6 } } };
    collider *c[2] = { make_outline(&needle), make_outline(&blade) };
    gap_pair pair = pair_of(c[0], c[1]);
    gap_list list = { 0 };
    int compared = 0;
    FOR_EACH_SEED(rng, 2000) { /* both tips near the origin */
        double pa[3] = { test_rng_uniform(&rng, -3e-4, 3e-4), test_rng_uniform(&rng, -3e-4, 6e-4),
                         test_rng_uniform(&rng, -3, 3) };
        double pb[3] = { 0.0, 0.0, 0.0 };
        carom_pose pose[2] = { plane_pose(&needle, pa[0], pa[1], pa[2]), plane_pose(&blade, 0.0, 0.0, 0.0) };
        double distance = outlines_distance(&needle, &blade, pa, pb);
        bool within = corner_inside(c[0], pose[0], corner_at(&blade, 0, 0.0, 0.0, 0.0)) ||
                      corner_inside(c[1], pose[1], corner_at(&needle, 0, pa[0], pa[1], pa[2]));
        if (distance > 1e-6 && !within) {
            CHECK(gap_find(&list, &pair, pose, distance + 1e-3));
            CHECK_NEAR(smallest_gap(&list, pose), distance, 1e-9);
            ++compared;
        }
    }
    CHECK(compared > 200);
    gap_list_free(&list);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
}

/* Squares flush side on side: the two corners of the shared side, once each. */
TEST(gap_planar, flush_sides_touch_at_two_corners)
{
    collider *c = make_outline(&square);
    gap_pair pair = pair_of(c, c);
    gap_list list = { 0 };
    for (int shifted = 0; shifted < 2; ++shifted) {
        carom_pose pose[2] = { plane_pose(&square, 0.3 * shifted, 0.8, 0.0), plane_pose(&square, 0.0, 0.0, 0.0) };
        CHECK(gap_find(&list, &pair, pose, 1e-3));
        CHECK_EQ(list.count, 2);
        for (size_t i = 0; i < 2; ++i) {
            gap_value g = measure_at(&list.items[i], pose);
            CHECK_NEAR(g.gap, 0.0, 1e-15);
            check_v3_near(g.normal_w, v3_make(0, 1, 0), 1e-15);
            CHECK_NEAR(g.point_w.y, 0.4, 1e-15);
        }
    }
    gap_list_free(&list);
    collider_destroy(c);
}

/* Planes that differ, or lie side by side out of reach, are no common plane: rods then pass each other as lines. */
TEST(gap_planar, rods_in_different_planes_are_lines_in_space)
{
    collider *rod = make_rod(1.0);
    gap_pair pair = pair_of(rod, rod);
    gap_list list = { 0 };
    carom_pose pose[2] = { { { 0.05, 0.3, 0 }, q_axis_angle(v3_make(0, 1, 0), 1.0) },
                           { .orientation = q_identity() } };
    CHECK(gap_find(&list, &pair, pose, 0.5));
    CHECK_EQ(list.count, 1);
    CHECK_EQ(list.items[0].mode, CAROM_MODE_EDGE_EDGE);
    CHECK_NEAR(measure_at(&list.items[0], pose).gap, 0.3, 1e-15);
    check_v3_near(measure_at(&list.items[0], pose).normal_w, v3_make(0, 1, 0), 1e-15);
    gap_list_free(&list);
    collider_destroy(rod);
}

/* Against other shapes a polygon is its prism, a rod its line. */
TEST(gap_planar, against_other_shapes_they_are_solid)
{
    const carom_plane_def ground = { { 0, 0, 1 } };
    const carom_sphere_def ball = { 0.25 };
    collider *plate = make_outline(&square);
    collider *rod = make_rod(1.0);
    collider *plane = make_faceted("plane", &ground, NULL);
    collider *sphere = make_faceted("sphere", &ball, NULL);
    gap_list list = { 0 };
    carom_pose lying[2] = { { { 0, 0, 0.05 }, q_identity() }, { .orientation = q_identity() } };
    CHECK(gap_find(&list, &(gap_pair){ .a = plate, .b = plane, .pose_c = { lying[1], lying[1] } }, lying, 1e-3));
    CHECK_EQ(list.count, 4);
    CHECK_NEAR(smallest_gap(&list, lying), 0.0, 1e-16);
    carom_pose on_rod[2] = { { { 0.25, 0, 0.1 }, q_identity() }, { .orientation = q_identity() } };
    CHECK(gap_find(&list, &(gap_pair){ .a = sphere, .b = rod, .pose_c = { lying[1], lying[1] } }, on_rod, 1e-3));
    CHECK_EQ(list.count, 1);
    CHECK_EQ(list.items[0].kind, GAP_POINT_LINE);
    CHECK_NEAR(smallest_gap(&list, on_rod), 0.0, 1e-16);
    gap_list_free(&list);
    collider_destroy(plate);
    collider_destroy(rod);
    collider_destroy(plane);
    collider_destroy(sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(gap_planar, pendulum_rods_have_the_gap_of_the_paper),
        RUN_TEST(gap_planar, touching_tips_know_their_side),
        RUN_TEST(gap_planar, a_tip_behind_the_end_is_apart),
        RUN_TEST(gap_planar, tips_that_meet_are_named),
        RUN_TEST(gap_planar, smallest_gap_is_the_distance),
        RUN_TEST(gap_planar, beside_a_sharp_tip_is_not_behind_it),
        RUN_TEST(gap_planar, flush_sides_touch_at_two_corners),
        RUN_TEST(gap_planar, rods_in_different_planes_are_lines_in_space),
        RUN_TEST(gap_planar, against_other_shapes_they_are_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
