/* Exact features: one potential of the poses, its derivative as force, continuous along any path, the same for both orders of a
 * pair and in every frame. */
#include "exact_rigs.h"

#include "collision/collider_parts.h"
#include "geometry/mesh_refine.h"

/* What a difference quotient of the potential says, of fourth order. Steps are measured by the depth: what is felt changes over it. */
static double slope_of_potential(exact_list *list, const collider *const c[2], const carom_pose pose[2], int freedom,
                                 double step)
{
    double v[4];
    for (int k = 0; k < 4; ++k) {
        double by = step * (k == 0 ? -2.0 : k == 1 ? -1.0 : k == 2 ? 1.0 : 2.0);
        carom_pose at[2] = { exact_moved(pose[0], freedom, by), pose[1] };
        v[k] = exact_evaluate(list, c, at).potential;
    }
    return (v[0] - 8.0 * v[1] + 8.0 * v[2] - v[3]) / (12.0 * step);
}

/* The largest part of force and torque that differences of the potential do not confirm. A stencil may lie across the place where
 * another element begins to touch: then a shorter one decides. */
static double gradient_error(exact_list *list, const collider *const c[2], const carom_pose pose[2])
{
    static const double steps[] = { 1e-3, 2e-4, 4e-5 }; /* of the depth */
    exact_state s = exact_evaluate(list, c, pose);
    double force[6];
    double scale = 0.0;
    double least = HUGE_VAL;
    v3_store(force, s.force_w);
    v3_store(force + 3, s.torque_w);
    for (int k = 0; k < 6; ++k) {
        scale = fmax(scale, fabs(force[k]));
    }
    scale = fmax(scale, 1e-3 * s.deepest); /* a needle right through a plate feels nothing */
    for (int i = 0; i < 3 && least > 1e-7; ++i) {
        double worst = 0.0;
        for (int k = 0; k < 6; ++k) {
            double slope = slope_of_potential(list, c, pose, k, steps[i] * s.deepest);
            worst = fmax(worst, fabs(slope + force[k]) / scale);
        }
        least = fmin(least, worst);
    }
    return least;
}

typedef void pair_check(exact_list *list, test_rng *rng, const collider *const c[2], const carom_pose pose[2]);

/* Two shapes in random poses, touching by 1e-5 to 3e-2. Returns how many poses were found. */
static int check_poses(exact_list *list, test_rng *rng, const collider *const c[2], int poses, pair_check *check)
{
    int checked = 0;
    for (int k = 0; k < 8 * poses && checked < poses; ++k) {
        carom_pose pose[2];
        double depth = pow(10.0, test_rng_uniform(rng, -5.0, -1.5));
        if (exact_touching_poses(rng, list, c, depth, pose)) {
            check(list, rng, c, pose);
            checked++;
        }
    }
    return checked;
}

/* Every pair of shapes of a set. Lines on which shapes are moved may miss, the more the thinner they are. */
static void for_pairs_of(const exact_set *set, test_rng *rng, int poses, bool all, pair_check *check)
{
    exact_list list = { 0 };
    for (int k = 0; k < 2 * EXACT_SHAPES; ++k) {
        int a = k % EXACT_SHAPES;
        for (int b = a; b < EXACT_SHAPES; ++b) {
            const collider *c[2] = { set->of[a], set->of[b] };
            if (exact_pair_of_pass(k / EXACT_SHAPES, a, b)) {
                int checked = check_poses(&list, rng, c, poses, check);
                CHECK(!all || checked == poses);
            }
        }
    }
    exact_list_free(&list);
}

static void for_random_pairs(int poses, pair_check *check)
{
    exact_set set = exact_make_set();
    test_rng rng = { 71 };
    for_pairs_of(&set, &rng, poses, true, check);
    exact_free_set(&set);
}

/* Thin and thick, short and long ones. */
static void for_random_sizes(int sets, int poses, pair_check *check)
{
    for (int k = 0; k < sets; ++k) {
        test_rng rng = { 1000 + (uint64_t)k };
        exact_sizes sizes = exact_random_sizes(&rng);
        exact_set set = exact_make_set_of(&sizes);
        for_pairs_of(&set, &rng, poses, false, check);
        exact_free_set(&set);
    }
}

static void check_gradient(exact_list *list, test_rng *rng, const collider *const c[2], const carom_pose pose[2])
{
    (void)rng;
    CHECK_LE(gradient_error(list, c, pose), 1e-6);
}

TEST(exact, force_is_the_derivative_of_the_potential)
{
    for_random_pairs(15, check_gradient);
    for_random_sizes(5, 3, check_gradient);
}

static void check_exchange(exact_list *list, test_rng *rng, const collider *const c[2], const carom_pose pose[2])
{
    (void)rng;
    const collider *d[2] = { c[1], c[0] };
    const carom_pose other[2] = { pose[1], pose[0] };
    exact_state s = exact_evaluate(list, c, pose);
    exact_state o = exact_evaluate(list, d, other);
    v3 arm = v3_sub(pose[1].position, pose[0].position);
    double rounding = 1e-13 + 1e-14 / s.deepest; /* of relative poses of size 1 */
    double size = v3_norm(s.force_w);
    CHECK_EQ(s.count, o.count);
    CHECK_NEAR(o.potential, s.potential, rounding * s.potential);
    check_v3_near(v3_neg(o.force_w), s.force_w, rounding * size);
    check_v3_near(v3_neg(v3_add(o.torque_w, v3_cross(arm, o.force_w))), s.torque_w, 10.0 * rounding * size);
}

TEST(exact, both_orders_of_a_pair_are_the_same)
{
    for_random_pairs(10, check_exchange);
    for_random_sizes(5, 3, check_exchange);
}

/* Rounding of positions of size 1 in depths of 1e-5. */
static void check_frame(exact_list *list, test_rng *rng, const collider *const c[2], const carom_pose pose[2])
{
    carom_pose frame = random_pose(rng, 1.0);
    carom_pose moved[2];
    for (int k = 0; k < 2; ++k) {
        moved[k] = (carom_pose){ pose_apply(frame, pose[k].position), q_mul(frame.orientation, pose[k].orientation) };
    }
    exact_state s = exact_evaluate(list, c, pose);
    exact_state m = exact_evaluate(list, c, moved);
    double size = v3_norm(s.force_w) + 1e-9;
    check_v3_near(m.force_w, q_rotate(frame.orientation, s.force_w), 1e-9 * size);
    check_v3_near(m.torque_w, q_rotate(frame.orientation, s.torque_w), 1e-9 * size);
}

TEST(exact, the_frame_of_the_world_does_not_matter)
{
    for_random_pairs(15, check_frame);
}

/* The largest step of the potential along a straight path, cut into so many pieces. */
static double largest_step(exact_list *list, const collider *const c[2], const carom_pose pose[2], v3 way, int pieces)
{
    double largest = 0.0;
    double before = 0.0;
    for (int k = 0; k <= pieces; ++k) {
        carom_pose at[2] = { pose[0], pose[1] };
        at[0].position = v3_axpy(pose[0].position, (double)k / pieces - 0.5, way);
        double now = exact_evaluate(list, c, at).potential;
        largest = k > 0 ? fmax(largest, fabs(now - before)) : 0.0;
        before = now;
    }
    return largest;
}

static void check_continuous(exact_list *list, test_rng *rng, const collider *const c[2], const carom_pose pose[2])
{
    exact_state s = exact_evaluate(list, c, pose);
    v3 n = v3_unit(s.force_w);
    v3 way = random_direction(rng);
    way = v3_scale(40.0 * s.deepest, v3_axpy(way, -v3_dot(way, n), n)); /* slides more than it sinks */
    double coarse = largest_step(list, c, pose, way, 200);
    double fine = largest_step(list, c, pose, way, 2000);
    CHECK_LE(fine, 0.2 * coarse + 1e-14);
}

TEST(exact, the_potential_has_no_jumps)
{
    for_random_pairs(1, check_continuous);
    for_random_sizes(2, 1, check_continuous);
}

/* A needle and a thin disk: the middle line of the needle passes the rim within a part of it that is a thousandth of what is inside. */
TEST(exact, narrow_parts_of_a_curve_are_seen)
{
    static const carom_cylinder_def disk = { 0.23, 0.054 };
    static const carom_capsule_def needle = { 0.006, 0.41 };
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    collider *c[2] = { make_collider("cylinder", &disk, NULL, &o), make_collider("capsule", &needle, NULL, &o) };
    exact_list list = { 0 };
    test_rng rng = { 8 };
    CHECK_LE(100, check_poses(&list, &rng, (const collider *const *)c, 400, check_gradient));
    exact_list_free(&list);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
}

/* ---- closed forms -------------------------------------------------------------------------------------------------- */

static const carom_pose at_origin = { .orientation = { 1.0, 0.0, 0.0, 0.0 } };

static quat turn_about(v3 axis, double angle)
{
    return so3_exp(v3_scale(angle, axis));
}

/* A box on its edge along x and one on its edge, turned by an angle about z, from above: edges cross at the origin. */
TEST(exact, crossing_ridges_meet_along_the_common_normal)
{
    static const double angles[] = { 0.35, 1.0, 1.5 };
    static const carom_box_def below = { { 2.0, 0.5, 0.5 } };
    static const carom_box_def above = { { 1.5, 0.4, 0.7 } };
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    collider *c[2] = { make_collider("box", &above, NULL, &o), make_collider("box", &below, NULL, &o) };
    exact_list list = { 0 };
    for (int k = 0; k < 3; ++k) {
        double lean = 0.1 * k; /* the ridges need not be upright */
        quat ridge = turn_about(v3_make(1.0, 0.0, 0.0), acos(-1.0) / 4.0 + lean);
        quat across = q_mul(turn_about(v3_make(0.0, 0.0, 1.0), angles[k]),
                            q_mul(turn_about(v3_make(0.0, 1.0, 0.0), 0.05 * k), ridge));
        v3 edge_below = q_rotate(ridge, v3_make(0.0, 0.25, 0.25));
        v3 edge_above = q_rotate(across, v3_make(0.0, -0.2, -0.35));
        v3 n = v3_unit(v3_cross(q_rotate(ridge, v3_make(1.0, 0.0, 0.0)), q_rotate(across, v3_make(1.0, 0.0, 0.0))));
        n = n.z > 0.0 ? n : v3_neg(n);
        carom_pose pose[2] = { { v3_axpy(v3_neg(edge_above), -1e-4, n), across }, { v3_neg(edge_below), ridge } };
        exact_state s = exact_evaluate(&list, (const collider *const *)c, pose);
        CHECK_EQ(s.count, 2);
        check_v3_near(v3_unit(s.force_w), n, 1e-9);
        CHECK_LE(v3_norm(v3_sub(s.torque_w, v3_cross(v3_neg(pose[0].position), s.force_w))),
                 1e-3 * v3_norm(s.force_w));
    }
    exact_list_free(&list);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
}

/* Potential and force of a wheel do not know how far it has turned, whatever it lies on: a circle has no corners. */
static void check_wheel(exact_list *list, test_rng *rng, const collider *const c[2], const carom_pose pose[2])
{
    exact_state s = exact_evaluate(list, c, pose);
    v3 axis = q_rotate(pose[0].orientation, v3_make(0.0, 0.0, 1.0));
    double size = v3_norm(s.force_w);
    CHECK_LE(fabs(v3_dot(s.torque_w, axis)), 1e-9 * size);
    carom_pose turned[2] = { pose[0], pose[1] };
    turned[0].orientation = q_mul(turn_about(axis, test_rng_uniform(rng, -3.0, 3.0)), pose[0].orientation);
    exact_state t = exact_evaluate(list, c, turned);
    check_v3_near(t.force_w, s.force_w, 1e-9 * size + 1e-15);
    check_v3_near(t.torque_w, s.torque_w, 1e-9 * size + 1e-15);
}

TEST(exact, wheels_are_round)
{
    exact_set set = exact_make_set();
    exact_list list = { 0 };
    test_rng rng = { 5 };
    for (int b = 0; b < EXACT_SHAPES; ++b) {
        const collider *c[2] = { set.of[EXACT_CYLINDER], set.of[b] };
        for (int k = 0; k < 20; ++k) {
            carom_pose pose[2];
            if (exact_touching_poses(&rng, &list, c, 1e-3, pose)) {
                check_wheel(&list, &rng, c, pose);
            }
        }
    }
    exact_list_free(&list);
    exact_free_set(&set);
}

static exact_touch only_touch(exact_list *list, const collider *field, const collider *elements, carom_pose pose,
                              int element)
{
    exact_touch found = { .depth = 0.0 };
    list->count = 0;
    CHECK(exact_find(list, field, elements, pose));
    for (size_t k = 0; k < list->count; ++k) {
        found = list->items[k].element == element ? list->items[k] : found;
    }
    list->count = 0;
    CHECK(found.depth > 0.0);
    return found;
}

/* A rim over a plane: the depth is a parabola, D = h (1 + O(h / R)); tilted about a level by theta it has
 * d_hat = h + R^2 theta^2 / (2 h). */
TEST(exact, circles_have_the_depth_of_the_closed_form)
{
    static const carom_plane_def floor_def = { { 0.0, 0.0, 1.0 } };
    const double R = rig_cylinder.radius;
    const double half = 0.5 * rig_cylinder.length;
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    collider *wheel = make_collider("cylinder", &rig_cylinder, NULL, &o);
    collider *floor = make_collider("plane", &floor_def, NULL, &o);
    exact_list list = { 0 };
    for (double h = 1e-7; h < 2e-2; h *= 10.0) {
        carom_pose lying = { v3_make(0.3, 0.1, R - h), turn_about(v3_make(1.0, 0.0, 0.0), acos(-1.0) / 2.0) };
        exact_touch t = only_touch(&list, floor, wheel, lying, 0);
        CHECK_NEAR(t.depth, h, 0.1 * h * h / R + 1e-15);
        check_v3_near(t.gradient_f, v3_make(0.0, 0.0, 1.0), h / R);
        check_v3_near(t.arms[0], v3_zero(), 0.0); /* a small place rubs at one point */
        double theta = 1e-3 * h / R;
        carom_pose tilted = { v3_make(0.0, 0.0, half * cos(theta) - h), turn_about(v3_make(0.0, 1.0, 0.0), theta) };
        t = only_touch(&list, floor, wheel, tilted, 0);
        CHECK_NEAR(t.depth / 1.25, h + 0.5 * R * R * theta * theta / h, 1e-10 * h + 1e-15);
        CHECK_NEAR(v3_norm(t.arms[0]), R, 1e-5 * R); /* a level one on its rim */
        CHECK_NEAR(v3_norm(t.arms[2]), R, 1e-5 * R);
    }
    exact_list_free(&list);
    collider_destroy(wheel);
    collider_destroy(floor);
}

/* The second derivative that is handed to implicit steps, against differences of the first, where a curve lies level. */
static void check_bend(const collider *field, const collider *elements, carom_pose pose, int element, double ramps)
{
    exact_list list = { 0 };
    exact_touch level = only_touch(&list, field, elements, pose, element);
    double step = 1e-4 * level.depth;
    for (int freedom = 3; freedom < 5; ++freedom) { /* tilts about p_f */
        v3 couple[2];
        for (int k = 0; k < 2; ++k) {
            carom_pose from = pose;
            from.position = v3_sub(pose.position, level.p_f);
            double by = k == 0 ? -step : step;
            quat turn = turn_about(v3_make(freedom == 3, freedom == 4, 0.0), by);
            carom_pose at = { v3_add(level.p_f, q_rotate(turn, from.position)), q_mul(turn, pose.orientation) };
            exact_touch t = only_touch(&list, field, elements, at, element);
            couple[k] = v3_add(t.couple_f, v3_cross(v3_sub(t.p_f, level.p_f), t.gradient_f));
        }
        double bend = level.bend[freedom][freedom];
        double slope = -(v3_get(couple[1], freedom - 3) - v3_get(couple[0], freedom - 3)) / (2.0 * step);
        CHECK_NEAR(slope, bend, ramps * fabs(bend) + 1e-6);
    }
    CHECK(level.bend[3][3] + level.bend[4][4] > 0.0);
    exact_list_free(&list);
}

TEST(exact, level_curves_resist_tilting_as_their_tangent_says)
{
    static const carom_plane_def floor_def = { { 0.0, 0.0, 1.0 } };
    static const carom_box_def rail = { { 0.3, 3.0, 0.4 } };
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    collider *wheel = make_collider("cylinder", &rig_cylinder, NULL, &o);
    collider *floor = make_collider("plane", &floor_def, NULL, &o);
    carom_pose standing = { v3_make(0.1, 0.2, 0.5 * rig_cylinder.length - 1e-4), at_origin.orientation };
    check_bend(floor, wheel, standing, 0, 1e-4);
    collider *plank = make_collider("box", &rig_box, NULL, &o);
    collider *strip = make_collider("box", &rail, NULL, &o);
    carom_pose across = { v3_make(0.05, 0.1, 0.2 + 0.5 * rig_box.size.z - 1e-4), at_origin.orientation };
    exact_list list = { 0 };
    exact_find(&list, strip, plank, across);
    int levels = 0;
    for (size_t k = 0; k < list.count; ++k) {
        levels += list.items[k].level;
    }
    CHECK_EQ(levels, 2); /* both lower edges along x */
    for (size_t k = 0; k < list.count; ++k) {
        if (list.items[k].level) {
            /* spread over the strip, but for ramps as long as the depth at both ends */
            CHECK_NEAR(v3_norm(list.items[k].arms[0]), 0.3 / sqrt(12.0), 10.0 * 1e-4 / 0.3 * 0.3 / sqrt(12.0));
            check_bend(strip, plank, across, list.items[k].element, 10.0 * 1e-4 / 0.3);
        }
    }
    exact_list_free(&list);
    collider_destroy(wheel);
    collider_destroy(floor);
    collider_destroy(plank);
    collider_destroy(strip);
}

/* Faces that lie flush, one above the other, corners on corners and edges on edges: feet carry. */
TEST(exact, flush_faces_carry)
{
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    collider *c = make_collider("box", &rig_box, NULL, &o);
    const collider *pair[2] = { c, c };
    const double h = 1e-5;
    carom_pose pose[2] = { { v3_make(0.0, 0.0, rig_box.size.z - h), at_origin.orientation }, at_origin };
    exact_list list = { 0 };
    exact_state s = exact_evaluate(&list, pair, pose);
    CHECK_NEAR(s.force_w.z, 8.0 * h, 1e-12); /* four feet of each */
    CHECK_NEAR(s.deepest, h, 1e-12);
    CHECK_LE(fabs(s.force_w.x) + fabs(s.force_w.y) + v3_norm(s.torque_w), 1e-12);
    collider_destroy(c);
    exact_list_free(&list);
}

/* A leaning domino with its upper edge on a face of the next one, just as wide: edge and corners share the load however far it is shifted
 * along the edge. No shift is a valley of the potential that would hold it aside. */
TEST(exact, an_edge_as_wide_as_a_face_is_not_held_aside)
{
    static const carom_box_def domino = { { 0.008, 0.025, 0.05 } };
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    collider *c = make_collider("box", &domino, NULL, &o);
    const collider *pair[2] = { c, c };
    exact_list list = { 0 };
    for (double h = 1e-6; h < 2e-4; h *= 10.0) {
        quat lean = turn_about(v3_make(0.0, 1.0, 0.0), 0.4);
        v3 edge = q_rotate(lean, v3_make(0.004, 0.0, 0.025));
        double level = 0.0;
        for (int k = 0; k <= 30; ++k) {
            v3 at = v3_sub(v3_make(-0.004 + h, 0.05 * k * h, 0.01), edge);
            carom_pose pose[2] = { { at, lean }, at_origin };
            exact_state s = exact_evaluate(&list, pair, pose);
            level = k == 0 ? s.potential : level;
            CHECK_GE(s.potential, (1.0 - 1e-6) * level);
            CHECK_GE(-s.force_w.x, 2.0 * h);
        }
    }
    collider_destroy(c);
    exact_list_free(&list);
}

/* ---- round on round ------------------------------------------------------------------------------------------------ */

/* Sides that cross or lie along each other at depth h: the sides themselves carry, each with half of the law. */
TEST(exact, round_sides_meet_by_their_axes)
{
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    static const carom_cylinder_def thin = { 0.1, 3.0 };
    collider *c[2] = { make_collider("cylinder", &thin, NULL, &o),
                       make_collider("cylinder", &rig_cylinder, NULL, &o) };
    collider *cone = make_collider("cone", &rig_cone, NULL, &o);
    const collider *tapered[2] = { c[0], cone };
    double slant = sqrt(rig_cone.radius * rig_cone.radius + rig_cone.height * rig_cone.height);
    v3 n = v3_make(rig_cone.height / slant, 0.0, rig_cone.radius / slant); /* of its side */
    v3 on = v3_make(0.5 * rig_cone.radius, 0.0, 0.5 * rig_cone.height);
    exact_list list = { 0 };
    for (double h = 1e-6; h < 2e-3; h *= 10.0) {
        for (int k = 0; k < 3; ++k) {
            quat across = q_mul(turn_about(v3_make(1.0, 0.0, 0.0), 0.5 * k), turn_about(v3_make(0.0, 0.0, 1.0), 1.0));
            carom_pose pose[2] = { { v3_make(thin.radius + rig_cylinder.radius - h, 0.1 * k, 0.2), across },
                                   at_origin };
            exact_state s = exact_evaluate(&list, (const collider *const *)c, pose);
            if (k > 0) { /* two axes, half each, of depth h; along each other also rims carry */
                CHECK_EQ(s.count, 2);
                check_v3_near(s.force_w, v3_make(h, 0.0, 0.0), 20.0 * h * h);
            }
            CHECK(s.force_w.x >= 0.99 * h);
        }
        /* across the side of a cone: along its normal */
        carom_pose pose[2] = {
            { v3_axpy(on, thin.radius - h, n), turn_about(v3_make(1.0, 0.0, 0.0), acos(-1.0) / 2.0) }, at_origin
        };
        exact_state s = exact_evaluate(&list, tapered, pose);
        CHECK_EQ(s.count, 2);
        check_v3_near(s.force_w, v3_scale(h, n), 20.0 * h * h);
    }
    exact_list_free(&list);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
    collider_destroy(cone);
}

/* The largest n . p of the solids of the set, from the definition of each shape. */
static double reach_of(const exact_set *set, int shape, v3 n)
{
    double across = sqrt(n.x * n.x + n.y * n.y);
    const mesh *m = shape == EXACT_STONE     ? set->many
                    : shape == EXACT_BRACKET ? set->bracket
                    : shape == EXACT_FRAME   ? set->frame
                                             : set->wedge;
    double most = -HUGE_VAL;
    switch (shape) {
    case 1:
        return 0.5 * (fabs(n.x) * rig_box.size.x + fabs(n.y) * rig_box.size.y + fabs(n.z) * rig_box.size.z);
    case 2:
        return rig_sphere.radius;
    case EXACT_CYLINDER:
        return across * rig_cylinder.radius + 0.5 * fabs(n.z) * rig_cylinder.length;
    case 4:
        return rig_capsule.radius + 0.5 * fabs(n.z) * rig_capsule.length;
    case EXACT_CONE:
        return fmax(across * rig_cone.radius, n.z * rig_cone.height);
    case EXACT_ELLIPSOID:
        return v3_norm(v3_make(n.x * rig_ellipsoid.radii.x, n.y * rig_ellipsoid.radii.y,
                               n.z * rig_ellipsoid.radii.z));
    case EXACT_TORUS:
        return rig_ring.tube_radius + across * rig_ring.ring_radius;
    default:
        for (int i = 0; i < m->vertex_count; ++i) {
            most = fmax(most, v3_dot(n, m->vertices[i]));
        }
        return most;
    }
}

/* On both sides of a plane nothing touches, however near: sides reach no farther than their rims. */
TEST(exact, nothing_touches_across_a_plane_between)
{
    exact_set set = exact_make_set();
    exact_list list = { 0 };
    test_rng rng = { 23 };
    for (int turn = 1; turn < 2 * EXACT_SHAPES; ++turn) {
        int a = turn % EXACT_SHAPES;
        for (int b = 1; b < EXACT_SHAPES && a > 0; ++b) {
            for (int k = 0; k < 200 && exact_pair_of_pass(turn / EXACT_SHAPES, a, b); ++k) {
                const collider *c[2] = { set.of[a], set.of[b] };
                v3 n = random_direction(&rng);
                carom_pose pose[2] = { { v3_zero(), random_turn(&rng) }, { v3_zero(), random_turn(&rng) } };
                double gap = pow(10.0, test_rng_uniform(&rng, -9.0, 0.0));
                double apart = gap + reach_of(&set, a, q_unrotate(pose[0].orientation, v3_neg(n))) +
                               reach_of(&set, b, q_unrotate(pose[1].orientation, n));
                v3 aside = random_v3(&rng, 0.5);
                pose[0].position = v3_axpy(v3_axpy(aside, -v3_dot(aside, n), n), apart, n);
                CHECK_EQ(exact_evaluate(&list, c, pose).count, 0);
            }
        }
    }
    exact_list_free(&list);
    exact_free_set(&set);
}

/* What shares more than a place has an element that touches. */
TEST(exact, all_that_overlaps_touches)
{
    exact_set set = exact_make_set();
    exact_list list = { 0 };
    test_rng rng = { 29 };
    for (int turn = 1; turn < 2 * EXACT_SHAPES; ++turn) {
        int a = turn % EXACT_SHAPES;
        for (int b = 1; b < EXACT_SHAPES && a > 0; ++b) {
            for (int k = 0; k < 200 && exact_pair_of_pass(turn / EXACT_SHAPES, a, b); ++k) {
                const collider *c[2] = { set.of[a], set.of[b] };
                carom_pose pose[2] = { random_pose(&rng, 1.0), random_pose(&rng, 1.0) };
                double inside = 0.0;
                for (int i = 0; i < 200 && inside < 0.01; ++i) { /* a place inside both */
                    v3 p = random_v3(&rng, 1.0);
                    double depth[2];
                    for (int side = 0; side < 2; ++side) {
                        v3 r = q_unrotate(pose[side].orientation, v3_sub(p, pose[side].position));
                        depth[side] = -collider_sample(c[side], r).distance;
                    }
                    inside = fmin(depth[0], depth[1]);
                }
                CHECK(inside < 0.01 || exact_evaluate(&list, c, pose).count > 0);
            }
        }
    }
    exact_list_free(&list);
    exact_free_set(&set);
}

/* ---- gaps ---------------------------------------------------------------------------------------------------------- */

/* Apart by t along any way, surfaces are no farther than t from each other; and no gap is said to be closed that is not. */
static void check_gap(exact_list *list, test_rng *rng, const collider *const c[2], const carom_pose pose[2])
{
    double gap;
    exact_state s = exact_evaluate(list, c, pose);
    CHECK(exact_gap(list, c, pose, 1.0, &gap));
    CHECK_NEAR(gap, -s.deepest, 0.0);
    v3 n = v3_unit(s.force_w);
    carom_pose at[2] = { pose[0], pose[1] };
    double last = 0.0; /* where nothing touches any more */
    while (exact_evaluate(list, c, at).count > 0 && last < 2.0) {
        last += 1e-2;
        at[0].position = v3_axpy(pose[0].position, last, n);
    }
    double t = test_rng_uniform(rng, 1e-3, 0.3);
    at[0].position = v3_axpy(at[0].position, t, n);
    if (exact_evaluate(list, c, at).count > 0) {
        return; /* another part of what is not convex */
    }
    CHECK(exact_gap(list, c, at, 1.0, &gap));
    CHECK(gap > 0.0);
    CHECK_LE(gap, t + 1e-2);
    for (int k = 0; k < 4; ++k) { /* within it, nothing touches whatever the way */
        carom_pose by[2] = { at[0], at[1] };
        by[0].position = v3_axpy(at[0].position, 0.999 * gap, random_direction(rng));
        CHECK_EQ(exact_evaluate(list, c, by).count, 0);
    }
    CHECK(exact_gap(list, c, at, 0.5 * t, &gap));
    CHECK_LE(gap, 0.5 * t);
}

TEST(exact, gaps_bound_the_distance_from_below)
{
    for_random_pairs(8, check_gap);
}

/* ---- meshes -------------------------------------------------------------------------------------------------------- */

static const double square[][2] = { { -0.3, -0.2 }, { 0.3, -0.2 }, { 0.3, 0.2 }, { -0.3, 0.2 } };
static const int square_caps[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
static const int square_sides[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 } };

/* A blade whose edge has this angle. */
static mesh *blade_of(double degrees)
{
    double half = 0.8 * tan(degrees / 360.0 * acos(-1.0));
    const double outline[][2] = { { -0.4, -half }, { 0.4, 0.0 }, { -0.4, half } };
    static const int caps[][3] = { { 0, 1, 2 } };
    static const int sides[][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
    return exact_prism(outline, 3, caps, 1, sides, 0.3);
}

/* A solid and the same once more, far away: not convex, and where one touches the other is too far to matter. */
static mesh *twice(const mesh *one, v3 by)
{
    mesh *m = mesh_create(2 * one->vertex_count, 2 * one->triangle_count);
    for (int v = 0; v < m->vertex_count; ++v) {
        v3 r = one->vertices[v % one->vertex_count];
        m->vertices[v] = v < one->vertex_count ? r : v3_add(r, by);
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        int shift = t < one->triangle_count ? 0 : one->vertex_count;
        for (int k = 0; k < 3; ++k) {
            m->triangles[t][k] = one->triangles[t % one->triangle_count][k] + shift;
        }
    }
    return m;
}

/* What triangles say equals what planes say: a convex solid, and the same twice, in the same pose. */
static void check_triangles(exact_list *list, test_rng *rng, const collider *const of[2], const collider *other)
{
    const collider *planes[2] = { of[0], other };
    const collider *triangles[2] = { of[1], other };
    carom_pose pose[2];
    if (!exact_touching_poses(rng, list, planes, pow(10.0, test_rng_uniform(rng, -5.0, -2.0)), pose)) {
        return;
    }
    exact_state x = exact_evaluate(list, planes, pose);
    exact_state y = exact_evaluate(list, triangles, pose);
    CHECK_NEAR(y.deepest, x.deepest, 1e-9 * x.deepest + 1e-14);
    CHECK_NEAR(y.potential, x.potential, 2e-9 * x.potential + 1e-14 * x.deepest);
    check_v3_near(y.force_w, x.force_w, 2e-9 * v3_norm(x.force_w) + 1e-13);
    check_v3_near(y.torque_w, x.torque_w, 2e-9 * v3_norm(x.force_w) + 1e-13);
}

TEST(exact, meshes_agree_with_planes)
{
    exact_set set = exact_make_set();
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    exact_list list = { 0 };
    test_rng rng = { 41 };
    for (int which = 0; which < 4; ++which) {
        mesh *one = which == 0 ? exact_prism(square, 4, square_caps, 2, square_sides, 0.25)
                               : blade_of(which == 1   ? 10.0
                                          : which == 2 ? 20.0
                                                       : 40.0);
        mesh *two = twice(one, v3_make(0.0, 40.0, 0.0));
        collider *of[2] = { make_collider("mesh", &rig_mesh, one, &o), make_collider("mesh", &rig_mesh, two, &o) };
        for (int b = 1; b < EXACT_SHAPES; ++b) { /* a plane would meet both */
            for (int k = 0; k < 12 && !exact_tried_in_convex_ones(b); ++k) {
                check_triangles(&list, &rng, (const collider *const *)of, set.of[b]);
            }
        }
        collider_destroy(of[0]);
        collider_destroy(of[1]);
        mesh_destroy(one);
        mesh_destroy(two);
    }
    exact_list_free(&list);
    exact_free_set(&set);
}

/* A ring stands on a plane: one place, of a parabola. It lies on it: all of the circle at one depth. A ball wider than its hole lies in it:
 * all around again, with the depth of the way to the circle. */
TEST(exact, rings_meet_as_closed_forms_say)
{
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    static const carom_plane_def floor = { { 0.0, 0.0, 1.0 } };
    collider *ring = make_collider("torus", &rig_ring, NULL, &o);
    collider *plane = make_collider("plane", &floor, NULL, &o);
    collider *ball = make_collider("sphere", &rig_sphere, NULL, &o);
    exact_list list = { 0 };
    const collider *on_floor[2] = { ring, plane };
    const collider *in_hole[2] = { ball, ring };
    double outer = rig_ring.ring_radius + rig_ring.tube_radius;
    for (double h = 1e-3; h > 1e-8; h *= 0.1) {
        carom_pose standing[2] = {
            { v3_make(0.3, 0.2, outer - h), turn_about(v3_make(1.0, 0.0, 0.0), 0.5 * acos(-1.0)) }, at_origin
        };
        CHECK_NEAR(exact_evaluate(&list, on_floor, standing).deepest, h, 0.5 * h * h + 1e-9 * h);
        carom_pose lying[2] = { { v3_make(0.3, 0.2, rig_ring.tube_radius - h), at_origin.orientation }, at_origin };
        CHECK_NEAR(exact_evaluate(&list, on_floor, lying).deepest, 1.25 * h, 1e-9 * h + 1e-15);
        double reach = rig_sphere.radius + rig_ring.tube_radius - h;
        double up = sqrt(reach * reach - rig_ring.ring_radius * rig_ring.ring_radius);
        carom_pose seated[2] = { { v3_make(0.0, 0.0, up), at_origin.orientation }, at_origin };
        CHECK_NEAR(exact_evaluate(&list, in_hole, seated).deepest, 1.25 * h, 1e-8 * h + 1e-14);
    }
    exact_list_free(&list);
    collider_destroy(ring);
    collider_destroy(plane);
    collider_destroy(ball);
}

static int count_kind(const collider *c, exact_kind kind)
{
    int count = 0;
    for (int i = 0; i < c->elements->count; ++i) {
        count += c->elements->items[i].kind == kind;
    }
    return count;
}

/* However finely it is cut into triangles, a bracket has the same creases and corners; a smooth mesh has points alone. */
TEST(exact, creases_do_not_depend_on_how_faces_are_cut)
{
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    mesh *bracket = exact_bracket();
    for (double edge = 2.0; edge > 0.05; edge *= 0.4) {
        mesh *fine = NULL;
        carom_error err = { 0 };
        CHECK_OK(mesh_refine_edges(&fine, bracket, edge, &err), err);
        collider *c = make_collider("mesh", &rig_mesh, fine, &o);
        CHECK_EQ(count_kind(c, EXACT_EDGE), 17);       /* of 18 edges one is reflex */
        CHECK_EQ(count_kind(c, EXACT_POINT), 12 + 34); /* feet: 5 convex corners of each L, 4 of each of 6 sides */
        collider_destroy(c);
        mesh_destroy(fine);
    }
    mesh *ring = rig_torus();
    collider *c = make_collider("mesh", &rig_mesh, ring, &o);
    CHECK_EQ(count_kind(c, EXACT_EDGE) == 0, count_kind(c, EXACT_POINT) == collider_element_count(c));
    collider_destroy(c);
    mesh_destroy(bracket);
    mesh_destroy(ring);
}

/* ---- what is refused ----------------------------------------------------------------------------------------------- */

static void check_refused(const char *kind, const void *params, const mesh *m, double spacing, const char *says)
{
    collider *c = NULL;
    carom_error err = { 0 };
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    o.spacing = spacing;
    CHECK_EQ(collider_create(&c, carom_shape_type_find(kind), params, m, &o, &err), CAROM_BAD_INPUT);
    CHECK(c == NULL);
    CHECK_CONTAINS(err.message, says);
}

TEST(exact, other_shapes_are_refused_with_a_remedy)
{
    static const carom_rod_def rod = { .length = 1.0 };
    mesh *open = exact_wedge();
    open->triangle_count--;
    check_refused("mesh", &rig_mesh, open, 0.0, "not closed");
    check_refused("rod", &rod, NULL, 0.0, "does not take rods yet");
    check_refused("box", &rig_box, NULL, 0.1, "leave it out");
    open->triangle_count++;
    mesh_destroy(open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(exact, force_is_the_derivative_of_the_potential),
        RUN_TEST(exact, both_orders_of_a_pair_are_the_same),
        RUN_TEST(exact, the_frame_of_the_world_does_not_matter),
        RUN_TEST(exact, the_potential_has_no_jumps),
        RUN_TEST(exact, narrow_parts_of_a_curve_are_seen),
        RUN_TEST(exact, crossing_ridges_meet_along_the_common_normal),
        RUN_TEST(exact, wheels_are_round),
        RUN_TEST(exact, circles_have_the_depth_of_the_closed_form),
        RUN_TEST(exact, level_curves_resist_tilting_as_their_tangent_says),
        RUN_TEST(exact, flush_faces_carry),
        RUN_TEST(exact, an_edge_as_wide_as_a_face_is_not_held_aside),
        RUN_TEST(exact, round_sides_meet_by_their_axes),
        RUN_TEST(exact, nothing_touches_across_a_plane_between),
        RUN_TEST(exact, all_that_overlaps_touches),
        RUN_TEST(exact, gaps_bound_the_distance_from_below),
        RUN_TEST(exact, meshes_agree_with_planes),
        RUN_TEST(exact, rings_meet_as_closed_forms_say),
        RUN_TEST(exact, creases_do_not_depend_on_how_faces_are_cut),
        RUN_TEST(exact, other_shapes_are_refused_with_a_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
