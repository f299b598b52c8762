/* Gap functions of single features: rates and second derivatives against differences along random motions, the normal
 * against the relative velocity, exchange of the bodies, motion of the observer. */
#include "gap_rigs.h"

enum { KINDS = GAP_OVAL_PLANE + 1 };

static gap_feature random_feature(test_rng *rng, gap_kind kind)
{
    gap_feature f = { .kind = kind, .side = test_rng_uniform(rng, -1, 1) < 0.0 ? -1.0 : 1.0 };
    for (int k = 0; k < 2; ++k) {
        f.c_c[k] = random_v3(rng, 0.7);
        f.d_c[k] = random_direction(rng);
    }
    f.radius = test_rng_uniform(rng, 0.0, 0.3);
    f.radius_0 = f.radius * test_rng_uniform(rng, 0.0, 1.0);
    f.ring = test_rng_uniform(rng, 0.1, 0.5);
    f.half[0] = v3_make(test_rng_uniform(rng, 0.1, 0.6), test_rng_uniform(rng, 0.1, 0.6), 0.3);
    f.axes_c[0] = random_turn(rng);
    f.axes_c[1] = random_turn(rng);
    switch (kind == GAP_OVAL_OVAL ? (int)test_rng_uniform(rng, 0.0, 3.0) : 0) { /* a point, an ellipsoid, a disc */
    case 1:
        f.half[1] = v3_make(test_rng_uniform(rng, 0.1, 0.6), 0.2, 0.4);
        break;
    case 2:
        f.half[1] = v3_make(0.3, 0.3, 0.0);
        break;
    default:
        break;
    }
    f.radius_0 = gap_is_oval(kind) ? 0.0 : f.radius_0;
    return f;
}

/* A disc that is met on its flat side has no normal of its own there: its face is what is met. */
static bool is_flat_side(const gap_feature *f, const gap_value *g, const gap_motion *of)
{
    v3 axis = q_rotate(of->pose_w.orientation, q_rotate(f->axes_c[1], v3_make(0, 0, 1)));
    return f->kind == GAP_OVAL_OVAL && f->half[1].x > 0.0 && f->half[1].z == 0.0 &&
           fabs(v3_dot(axis, g->normal_w)) > 1.0 - 1e-14;
}

static gap_value measure_after(const gap_feature *f, const gap_motion *a, const gap_motion *b, double t)
{
    gap_motion later[2] = { motion_after(a, t), motion_after(b, t) };
    gap_value value;
    gap_measure(f, &later[0], &later[1], &value);
    return value;
}

/* Lines and circles turned far from the position without a common normal or a lowest point. */
static bool is_regular(const gap_feature *f, const gap_motion *a, const gap_motion *b)
{
    v3 d[2];
    for (int k = 0; k < 2; ++k) {
        const gap_motion *m = (k == 0) == f->swapped ? b : a;
        d[k] = q_rotate(m->pose_w.orientation, f->d_c[k]);
    }
    return v3_norm(v3_cross(d[0], d[1])) > 0.3;
}

TEST(gap, derivatives_are_those_of_the_motion)
{
    const double h = 1e-4;
    for (int kind = 0; kind < KINDS; ++kind) {
        FOR_EACH_SEED(rng, 200) {
            gap_feature f = random_feature(&rng, (gap_kind)kind);
            gap_motion a = random_motion(&rng, 3.0);
            gap_motion b = random_motion(&rng, 3.0);
            f.swapped = seed_ % 2 == 0;
            gap_value now = measure_after(&f, &a, &b, 0.0);
            if (!is_regular(&f, &a, &b) || fabs(now.gap) < 0.5 || is_flat_side(&f, &now, f.swapped ? &a : &b)) {
                continue;
            }
            gap_value later = measure_after(&f, &a, &b, h);
            gap_value before = measure_after(&f, &a, &b, -h);
            CHECK_NEAR(now.rate, (later.gap - before.gap) / (2.0 * h), 2e-5);
            CHECK_NEAR(now.jdot_v, (later.gap - 2.0 * now.gap + before.gap) / (h * h),
                       2e-3 + 1e-4 * fabs(now.jdot_v));
            v3 normal_dot = v3_scale(0.5 / h, v3_sub(later.normal_w, before.normal_w));
            v3 point_dot = v3_scale(0.5 / h, v3_sub(later.point_w, before.point_w));
            CHECK_LE(v3_norm(v3_sub(now.normal_dot_w, normal_dot)), 1e-4);
            CHECK_LE(v3_norm(v3_sub(now.point_dot_w, point_dot)), 1e-3);
        }
    }
}

static v3 velocity_at(const gap_motion *m, v3 p_w)
{
    return v3_add(m->v_w, v3_cross(m->omega_w, v3_sub(p_w, m->pose_w.position)));
}

TEST(gap, rate_is_the_relative_velocity_along_the_normal)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        FOR_EACH_SEED(rng, 300) {
            gap_feature f = random_feature(&rng, (gap_kind)kind);
            gap_motion a = random_motion(&rng, 3.0);
            gap_motion b = random_motion(&rng, 3.0);
            f.swapped = seed_ % 2 == 0;
            if (!is_regular(&f, &a, &b)) {
                continue;
            }
            gap_value g;
            gap_measure(&f, &a, &b, &g);
            if (is_flat_side(&f, &g, f.swapped ? &a : &b)) {
                continue;
            }
            v3 apart = v3_sub(velocity_at(&a, g.point_w), velocity_at(&b, g.point_w));
            CHECK_NEAR(g.rate, v3_dot(g.normal_w, apart), 1e-11);
            CHECK_NEAR(v3_norm(g.normal_w), 1.0, 1e-14);
            CHECK_NEAR(v3_dot(g.normal_w, g.normal_dot_w), 0.0, 1e-12);
        }
    }
}

/* The same two generators, named the other way round: same gap and place, opposite normal. */
TEST(gap, exchange_of_the_bodies_turns_the_normal)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        FOR_EACH_SEED(rng, 100) {
            gap_feature f = random_feature(&rng, (gap_kind)kind);
            gap_motion a = random_motion(&rng, 3.0);
            gap_motion b = random_motion(&rng, 3.0);
            gap_feature g = f;
            g.swapped = true;
            gap_value x, y;
            gap_measure(&f, &a, &b, &x);
            gap_measure(&g, &b, &a, &y);
            CHECK_NEAR(y.gap, x.gap, 0.0);
            CHECK_NEAR(y.jdot_v, x.jdot_v, 0.0);
            check_v3_near(y.point_w, x.point_w, 0.0);
            check_v3_near(y.normal_w, v3_neg(x.normal_w), 0.0);
        }
    }
}

static gap_motion seen_by(const gap_motion *m, const gap_motion *observer)
{
    gap_motion out = { .pose_w.position = pose_apply(observer->pose_w, m->pose_w.position),
                       .pose_w.orientation = q_mul(observer->pose_w.orientation, m->pose_w.orientation),
                       .omega_w = v3_add(observer->omega_w, q_rotate(observer->pose_w.orientation, m->omega_w)) };
    v3 r_w = v3_sub(out.pose_w.position, observer->pose_w.position);
    out.v_w = v3_add(v3_add(observer->v_w, v3_cross(observer->omega_w, r_w)),
                     q_rotate(observer->pose_w.orientation, m->v_w));
    return out;
}

TEST(gap, is_the_same_for_every_observer)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        FOR_EACH_SEED(rng, 100) {
            gap_feature f = random_feature(&rng, (gap_kind)kind);
            gap_motion a = random_motion(&rng, 3.0);
            gap_motion b = random_motion(&rng, 3.0);
            gap_motion o = random_motion(&rng, 3.0);
            gap_motion a_o = seen_by(&a, &o);
            gap_motion b_o = seen_by(&b, &o);
            gap_value x, y;
            if (!is_regular(&f, &a, &b)) {
                continue;
            }
            gap_measure(&f, &a, &b, &x);
            gap_measure(&f, &a_o, &b_o, &y);
            CHECK_NEAR(y.gap, x.gap, 1e-13);
            CHECK_NEAR(y.rate, x.rate, 1e-12);
            check_v3_near(y.normal_w, q_rotate(o.pose_w.orientation, x.normal_w), 1e-13);
            check_v3_near(y.point_w, pose_apply(o.pose_w, x.point_w), 1e-12);
        }
    }
}

/* A journal of radius 9 mm in a bearing of 10 mm, off centre by 0.4 mm along x. */
TEST(gap, journal_in_its_bearing)
{
    gap_feature f = { .kind = GAP_POINT_IN_RING, .d_c = { { 0 }, { 0, 0, 1 } }, .radius = 1e-3, .ring = 9e-3 };
    gap_motion a = { .pose_w = { { 4e-4, 0, 0.3 }, q_identity() }, .v_w = { 2, 3, 5 } };
    gap_motion b = { .pose_w = { v3_zero(), q_identity() } };
    gap_value g;
    gap_measure(&f, &a, &b, &g);
    CHECK_NEAR(g.gap, 6e-4, 1e-18);
    CHECK_NEAR(g.rate, -2.0, 1e-15);
    check_v3_near(g.normal_w, v3_make(-1, 0, 0), 0.0);
    check_v3_near(g.point_w, v3_make(9.7e-3, 0, 0.3), 1e-17); /* halfway between 9.4 mm and 10 mm */
    CHECK_NEAR(g.jdot_v, -9.0 / 4e-4, 1e-9);                  /* goes around: centrifugal */
}

/* Where generators meet there is no direction between them; the answer is still made of numbers. */
TEST(gap, coinciding_generators_give_numbers)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        gap_feature f = { .kind = (gap_kind)kind,
                          .d_c = { { 0, 0, 1 }, { 0, 0, 1 } },
                          .side = 1.0,
                          .radius = 0.1,
                          .ring = 0.2,
                          .half = { { 0.3, 0.2, 0.4 } },
                          .axes_c = { q_identity(), q_identity() } };
        gap_motion m = { .pose_w = { v3_zero(), q_identity() }, .v_w = { 1, 2, 3 }, .omega_w = { 1, 0, 2 } };
        gap_value g;
        gap_measure(&f, &m, &m, &g);
        CHECK(isfinite(g.gap) && isfinite(g.rate) && isfinite(g.jdot_v));
        CHECK(v3_finite(g.point_w) && v3_finite(g.point_dot_w) && v3_finite(g.normal_dot_w));
        CHECK_NEAR(v3_norm(g.normal_w), 1.0, 1e-15);
    }
}

TEST(gap, modes_have_names)
{
    CHECK_TEXT(carom_contact_mode_name(CAROM_MODE_POINT_LINE), "point-line");
    CHECK_TEXT(carom_contact_mode_name(CAROM_MODE_TIP_TIP), "tip-tip");
    CHECK_TEXT(carom_contact_mode_name((carom_contact_mode)1000), "unknown");
    CHECK_TEXT(carom_contact_mode_name((carom_contact_mode)-1), "unknown");
    for (int i = 0; i < CAROM_MODES; ++i) {
        for (int j = 0; j < i; ++j) {
            CHECK(strcmp(carom_contact_mode_name((carom_contact_mode)i),
                         carom_contact_mode_name((carom_contact_mode)j)) != 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(gap, derivatives_are_those_of_the_motion),
        RUN_TEST(gap, rate_is_the_relative_velocity_along_the_normal),
        RUN_TEST(gap, exchange_of_the_bodies_turns_the_normal),
        RUN_TEST(gap, is_the_same_for_every_observer),
        RUN_TEST(gap, journal_in_its_bearing),
        RUN_TEST(gap, coinciding_generators_give_numbers),
        RUN_TEST(gap, modes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
