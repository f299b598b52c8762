/* Bounds on motion hold over random steps, and a gap is never closed before the time that conservative advancement gives. */
#include "contact/motion_bounds.h"

#include "support/random.h"
#include "support/scene_file.h"
#include "support/sim.h"

static const char two[] = "motion_bounds/two.json";

static v3 any(test_rng *r, double size)
{
    return v3_scale(size * test_rng_uniform(r, 0.0, 1.0), random_direction(r));
}

/* A step between two ends that have nothing to do with each other: the interpolant overshoots as it likes. */
static void draw_step(dense_step *d, test_rng *r)
{
    dense_end *ends[2] = { &d->begin, &d->end };
    d->begin.t = test_rng_uniform(r, -1.0, 1.0);
    d->end.t = d->begin.t + exp(test_rng_uniform(r, -6.0, 1.0));
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < d->body_count; ++i) {
            ends[side]->pose[i] = (body_pose){ any(r, 2.0), q_identity() };
            ends[side]->rate[i] = (body_rate){ any(r, 3.0), v3_zero() };
            ends[side]->acceleration[i] = (body_rate){ any(r, 9.0), v3_zero() };
        }
    }
}

TEST(motion_bounds, hold_within_any_step)
{
    test_rng r = test_rng_seed(3);
    sim s = sim_parse(scene_text(two), NULL);
    dense_step *d = s.scratch->dense;
    for (int n = 0; n < 500; ++n) {
        draw_step(d, &r);
        motion_bound one = motion_bound_within(d, 1);
        double both = motion_largest_bend(d, 1, 2);
        for (int k = 1; k < 20; ++k) {
            double t = d->begin.t + (d->end.t - d->begin.t) * k / 20;
            body_pose pose[2];
            body_rate rate[2], acceleration[2];
            dense_body_motion_at(d, t, 1, &pose[0], &rate[0], &acceleration[0]);
            dense_body_motion_at(d, t, 2, &pose[1], &rate[1], &acceleration[1]);
            CHECK_LE(v3_norm(rate[0].v_w), one.speed * (1.0 + 1e-12));
            CHECK_LE(v3_norm(acceleration[0].v_w), one.acceleration * (1.0 + 1e-9));
            CHECK_LE(v3_norm(v3_sub(acceleration[0].v_w, acceleration[1].v_w)), both * (1.0 + 1e-9));
        }
    }
    sim_end(&s);
}

/* Points at the ends of levers of two bodies that turn steadily and fly apart or together: their distance closes by no more
 * than the bound, for as long as the bound says. */
TEST(motion_bounds, a_gap_stays_open_until_it_may_close)
{
    test_rng r = test_rng_seed(4);
    for (int n = 0; n < 2000; ++n) {
        body_rate rate[2] = { { any(&r, 2.0), any(&r, 5.0) }, { any(&r, 2.0), any(&r, 5.0) } };
        body_rate pull[2] = { { any(&r, 9.0), v3_zero() }, { any(&r, 9.0), v3_zero() } };
        v3 lever[2] = { any(&r, 0.5), any(&r, 0.5) };
        double relative = v3_norm(v3_sub(rate[0].v_w, rate[1].v_w));
        approach_bound p = { relative, v3_norm(v3_sub(pull[0].v_w, pull[1].v_w)) };
        for (int side = 0; side < 2; ++side) {
            approach_add_turning(&p, motion_bound_now(&rate[side], &pull[side]), v3_norm(lever[side]), 0.0);
        }
        double gap = test_rng_uniform(&r, 0.0, 2.0);
        double t = approach_time(p, gap);
        CHECK_NEAR(approach_distance(p, t), gap, 1e-12);
        v3 apart[2];
        for (int k = 0; k < 2; ++k) { /* from where the points are to where they get to */
            double at = k * t;
            v3 point[2];
            for (int side = 0; side < 2; ++side) {
                v3 r_w = q_rotate(so3_exp(v3_scale(at, rate[side].omega_w)), lever[side]);
                v3 x = v3_axpy(v3_scale(at, rate[side].v_w), 0.5 * at * at, pull[side].v_w);
                point[side] = v3_add(x, r_w);
            }
            apart[k] = v3_sub(point[1], point[0]);
        }
        CHECK_LE(v3_norm(v3_sub(apart[1], apart[0])), gap + 1e-12);
    }
}

TEST(motion_bounds, nothing_that_rests_ever_meets)
{
    approach_bound still = { 0.0, 0.0 };
    motion_bound rests = { 0 };
    approach_add_turning(&still, rests, HUGE_VAL, 1.0); /* a half-space has no end */
    CHECK(still.speed == 0.0);
    CHECK(approach_time(still, 1e-9) == HUGE_VAL);
    CHECK(approach_time((approach_bound){ 1.0, 0.0 }, 0.0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(motion_bounds, hold_within_any_step),
        RUN_TEST(motion_bounds, a_gap_stays_open_until_it_may_close),
        RUN_TEST(motion_bounds, nothing_that_rests_ever_meets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
