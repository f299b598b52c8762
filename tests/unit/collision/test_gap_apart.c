/* How long a plane keeps two colliders apart: never longer than they are, by brute force over their motion; as long as the
 * closed form where there is one; what is held on the plane does not count. */
#include "gap_rigs.h"

static collider *make_box(v3 size)
{
    carom_box_def def = { size };
    return make_faceted("box", &def, NULL);
}

static double boxes_gap(const gap_pair *pair, const gap_motion motion[2], double t)
{
    obb box[2];
    const collider *c[2] = { pair->a, pair->b };
    for (int k = 0; k < 2; ++k) {
        box[k] = obb_move(collider_box(c[k]), motion_after(&motion[k], t).pose_w);
    }
    return obb_gap(&box[0], &box[1]);
}

/* Of heights over a plane that turns with the one body, for points no farther than `lever` from both centres: with the
 * relative velocity v of any point, |g''| <= (omega_a + omega_b)^2 lever + 2 omega v. */
static double bend_of(const gap_motion motion[2], double lever)
{
    double spin = v3_norm(motion[0].omega_w) + v3_norm(motion[1].omega_w);
    double speed = v3_norm(motion[0].v_w) + v3_norm(motion[1].v_w) + spin * lever;
    return spin * spin * lever + 2.0 * spin * speed;
}

/* Boxes in free flight, planes along all axes and at random: sampled finely, they are apart for as long as promised. */
TEST(gap_apart, boxes_stay_apart_as_long_as_promised)
{
    collider *c[2] = { make_box(v3_make(1.0, 0.6, 0.8)), make_box(v3_make(0.5, 0.9, 0.4)) };
    gap_pair pair = pair_of(c[0], c[1]);
    int promised = 0, met = 0;
    FOR_EACH_SEED(rng, 400) {
        gap_motion motion[2] = { random_motion(&rng, 0.2), random_motion(&rng, 0.2) };
        v3 way = random_direction(&rng);
        motion[0].pose_w.position = v3_axpy(motion[0].pose_w.position, test_rng_uniform(&rng, 0.7, 2.0), way);
        motion[0].v_w = v3_axpy(motion[0].v_w, -2.0, way);
        double lever = v3_norm(v3_sub(motion[0].pose_w.position, motion[1].pose_w.position)) + 3.0;
        for (int on = 0; on < 2; ++on) {
            gap_plane plane = { .on = on, .normal_w = on == 1 ? way : v3_neg(way), .clearance = 1e-9 };
            double h = gap_apart_for(&pair, motion, &plane, bend_of(motion, lever), 0.5);
            for (int k = 0; k <= 200 && h > 0.0; ++k) {
                CHECK(boxes_gap(&pair, motion, h * k / 200.0) > 0.0);
            }
            promised += h > 0.01;
            met += boxes_gap(&pair, motion, 0.5) < 0.0;
        }
    }
    CHECK(promised > 200);
    CHECK(met > 50);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
}

/* Round things towards a floor: (g - clearance) / speed, whatever their spin about a normal axis. */
TEST(gap_apart, without_bends_the_time_is_exact)
{
    const carom_sphere_def ball = { 0.4 };
    const carom_cylinder_def cylinder = { 0.5, 1.6 };
    const carom_plane_def floor_def = { { 0, 0, 1 } };
    collider *c[] = { make_faceted("sphere", &ball, NULL), make_faceted("cylinder", &cylinder, NULL) };
    collider *floor = make_faceted("plane", &floor_def, NULL);
    FOR_EACH_SEED(rng, 50) {
        for (int k = 0; k < 2; ++k) {
            gap_pair pair = pair_of(c[k], floor);
            quat q = random_turn(&rng);
            v3 axis = q_rotate(q, v3_make(0, 0, 1));
            double low = k == 0 ? 0.4 : 0.8 * fabs(axis.z) + 0.5 * sqrt(1.0 - axis.z * axis.z);
            double gap = test_rng_uniform(&rng, 1e-3, 1.0), speed = test_rng_uniform(&rng, 0.5, 2.0);
            gap_motion motion[2] = { { .pose_w = { { 0.3, 0.2, gap + low }, q }, .v_w = { 1.0, 0.5, -speed } },
                                     { .pose_w = { .orientation = q_identity() } } };
            gap_plane plane = { .on = 1, .normal_w = { 0, 0, 1 }, .clearance = 1e-4 };
            CHECK_NEAR(gap_apart_for(&pair, motion, &plane, 0.0, 10.0), (gap - 1e-4) / speed, 1e-12);
            CHECK_NEAR(gap_apart_for(&pair, motion, &plane, 0.0, 1e-4), 1e-4, 0.0);
            plane.normal_w = v3_unit(v3_make(0, 1e-3, 1)); /* no plane of this floor */
            CHECK_NEAR(gap_apart_for(&pair, motion, &plane, 0.0, 10.0), 0.0, 0.0);
        }
    }
    collider_destroy(c[0]);
    collider_destroy(c[1]);
    collider_destroy(floor);
}

/* A box that slides on a table with its four corners held: nothing else comes down within the time asked for. */
TEST(gap_apart, what_is_held_does_not_count)
{
    collider *c[2] = { make_box(v3_make(0.5, 0.4, 0.3)), make_box(v3_make(2.0, 2.0, 1.0)) };
    gap_pair pair = pair_of(c[0], c[1]);
    gap_motion motion[2] = { { .pose_w = { { 0.1, 0.2, 0.65 }, q_axis_angle(v3_make(0, 0, 1), 0.3) },
                               .v_w = { 1, 0, 0 },
                               .omega_w = { 0, 0, 2 } },
                             { .pose_w = { .orientation = q_identity() } } };
    carom_pose pose[2] = { motion[0].pose_w, motion[1].pose_w };
    gap_list list = { 0 };
    const gap_feature *held[4];
    CHECK(gap_find(&list, &pair, pose, 1e-6));
    CHECK_EQ(list.count, 4);
    for (int k = 0; k < 4; ++k) {
        held[k] = &list.items[k];
    }
    gap_plane plane = { .on = 1, .normal_w = { 0, 0, 1 }, .clearance = 1e-6, .held = held, .held_count = 4 };
    CHECK_NEAR(gap_apart_for(&pair, motion, &plane, 1.0, 0.1), 0.1, 0.0);
    plane.held_count = 3;
    CHECK_NEAR(gap_apart_for(&pair, motion, &plane, 1.0, 0.1), 0.0, 0.0);
    gap_list_free(&list);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(gap_apart, boxes_stay_apart_as_long_as_promised),
        RUN_TEST(gap_apart, without_bends_the_time_is_exact),
        RUN_TEST(gap_apart, what_is_held_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
