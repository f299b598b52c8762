/* Bounds on motion hold over random steps, and a gap is never closed before the time that conservative advancement gives. */
#include "contact/motion_bounds.h"

#include "support/random.h"
#include "support/sim.h"

static const char *const two = "{ \"carom\": 1, \"time\": {\"end\": 1}, \"bodies\": ["
                               "  {\"name\": \"a\", \"shape\": {\"sphere\": 0.1}, \"density\": 1000},"
                               "  {\"name\": \"b\", \"shape\": {\"sphere\": 0.1}, \"density\": 1000} ] }";

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
    sim s = sim_parse(two, NULL);
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

/* The acceleration within a step is the cubic with the bends as its Bernstein coefficients. */
TEST(motion_bounds, bends_are_the_acceleration)
{
    test_rng r = test_rng_seed(5);
    sim s = sim_parse(two, NULL);
    dense_step *d = s.scratch->dense;
    for (int n = 0; n < 200; ++n) {
        draw_step(d, &r);
        v3 c[4];
        motion_bends(d, 1, n % 2 == 0 ? 2 : -1, c);
        double largest = fmax(fmax(v3_norm(c[0]), v3_norm(c[1])), fmax(v3_norm(c[2]), v3_norm(c[3])));
        for (int k = 1; k < 10; ++k) {
            double x = 0.1 * k;
            body_pose pose;
            body_rate rate, acceleration[2];
            dense_body_motion_at(d, d->begin.t + x * (d->end.t - d->begin.t), 1, &pose, &rate, &acceleration[0]);
            dense_body_motion_at(d, d->begin.t + x * (d->end.t - d->begin.t), 2, &pose, &rate, &acceleration[1]);
            v3 wanted = n % 2 == 0 ? v3_sub(acceleration[0].v_w, acceleration[1].v_w) : acceleration[0].v_w;
            double weight[4] = { (1 - x) * (1 - x) * (1 - x), 3 * x * (1 - x) * (1 - x), 3 * x * x * (1 - x),
                                 x * x * x };
            v3 sum = v3_zero();
            for (int i = 0; i < 4; ++i) {
                sum = v3_axpy(sum, weight[i], c[i]);
            }
            CHECK_LE(v3_norm(v3_sub(sum, wanted)), 1e-9 * largest);
        }
    }
    sim_end(&s);
}

/* A point that flies steadily along a plane that turns about the origin: its height is accelerated by the turning, and by
 * twice the spin times the speed at which it passes. */
TEST(motion_bounds, what_passes_a_turning_plane)
{
    test_rng r = test_rng_seed(6);
    for (int n = 0; n < 1000; ++n) {
        double spin = test_rng_uniform(&r, 0.1, 5.0);
        double x0 = test_rng_uniform(&r, -1.0, 1.0);
        double speed = test_rng_uniform(&r, -3.0, 3.0);
        double t = test_rng_uniform(&r, 0.0, 0.1);
        double x = x0 + speed * t;
        /* n = (-sin, cos), p = (x, 0): n . p = -x sin(spin t), twice differentiated */
        double acceleration = -2.0 * spin * speed * cos(spin * t) + spin * spin * x * sin(spin * t);
        approach_bound p = { fabs(speed), 0.0 };
        approach_add_turning(&p, (motion_bound){ .spin = spin }, fabs(x), fabs(speed));
        CHECK_LE(fabs(acceleration), p.acceleration * (1.0 + 1e-12));
        CHECK_LE(p.acceleration,
                 spin * spin * fabs(x) + 2.0 * spin * fabs(speed) + 1e-12); /* and no more than that */
    }
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
        RUN_TEST(motion_bounds, bends_are_the_acceleration),
        RUN_TEST(motion_bounds, what_passes_a_turning_plane),
        RUN_TEST(motion_bounds, a_gap_stays_open_until_it_may_close),
        RUN_TEST(motion_bounds, nothing_that_rests_ever_meets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
