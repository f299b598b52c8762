/* Bounds on motion hold over random steps. */
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

/* The acceleration within a step is the cubic with the bends as its Bernstein coefficients. */
TEST(motion_bounds, bends_are_the_acceleration)
{
    test_rng r = test_rng_seed(5);
    sim s = sim_parse(scene_text(two), NULL);
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

/* Height over a plane that does not turn, of points of a body that does not turn either: by differences of its velocity. */
TEST(motion_bounds, hold_onto_planes)
{
    test_rng r = test_rng_seed(13);
    sim s = sim_parse(scene_text(two), NULL);
    dense_step *d = s.scratch->dense;
    double tightest = HUGE_VAL;
    for (int n = 0; n < 500; ++n) {
        draw_step(d, &r);
        v3 up = random_direction(&r);
        double bound = motion_onto_plane(d, 1, 2, 0.3, 0.0, up);
        double most = 0.0;
        for (int k = 1; k < 20; ++k) {
            double t = d->begin.t + (d->end.t - d->begin.t) * k / 20;
            double h = 1e-4 * (d->end.t - d->begin.t);
            double rate[2];
            for (int side = 0; side < 2; ++side) {
                body_pose pose[2];
                body_rate rates[2];
                dense_body_at(d, t + (side == 0 ? -h : h), 1, &pose[0], &rates[0]);
                dense_body_at(d, t + (side == 0 ? -h : h), 2, &pose[1], &rates[1]);
                rate[side] = v3_dot(up, v3_sub(rates[0].v_w, rates[1].v_w));
            }
            most = fmax(most, -(rate[1] - rate[0]) / (2.0 * h));
        }
        CHECK_LE(most, bound * (1.0 + 1e-5) + 1e-6);
        tightest = fmin(tightest, bound / motion_largest_bend(d, 1, 2));
    }
    CHECK_LE(tightest, 0.5); /* it knows the direction, the bound of the whole acceleration does not */
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(motion_bounds, hold_within_any_step),
        RUN_TEST(motion_bounds, bends_are_the_acceleration),
        RUN_TEST(motion_bounds, hold_onto_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
