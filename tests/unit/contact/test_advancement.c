/* Conservative advancement: no gap closes before the time it is given, and where the worst happens it closes then. */
#include "contact/advancement.h"

#include "support/random.h"
#include "support/sim.h"

static v3 any(test_rng *r, double size)
{
    return v3_scale(size * test_rng_uniform(r, 0.0, 1.0), random_direction(r));
}

/* Points at the ends of levers of two bodies that turn steadily and fly apart or together: their distance closes by no more
 * than the bound, for as long as the bound says. */
TEST(advancement, a_gap_stays_open_until_it_may_close)
{
    test_rng r = test_rng_seed(4);
    for (int n = 0; n < 2000; ++n) {
        body_rate rate[2] = { { any(&r, 2.0), any(&r, 5.0) }, { any(&r, 2.0), any(&r, 5.0) } };
        body_rate pull[2] = { { any(&r, 9.0), v3_zero() }, { any(&r, 9.0), v3_zero() } };
        v3 lever[2] = { any(&r, 0.5), any(&r, 0.5) };
        motion_bound bound[2] = { motion_bound_now(&rate[0], &pull[0]), motion_bound_now(&rate[1], &pull[1]) };
        approach_bound together = { v3_norm(v3_sub(rate[0].v_w, rate[1].v_w)),
                                    v3_norm(v3_sub(pull[0].v_w, pull[1].v_w)) };
        approach_bound p = approach_of(&bound[0], &bound[1], n % 2 == 0 ? &together : NULL,
                                       (double[]){ v3_norm(lever[0]), v3_norm(lever[1]) }, false);
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

TEST(advancement, nothing_that_rests_ever_meets)
{
    motion_bound rests = { 0 };
    double endless[2] = { HUGE_VAL, HUGE_VAL }; /* a half-space has no end */
    approach_bound still = approach_of(&rests, &rests, NULL, endless, false);
    CHECK(still.speed == 0.0 && still.acceleration == 0.0);
    CHECK(approach_time(still, 1e-9) == HUGE_VAL);
    CHECK(approach_time((approach_bound){ 1.0, 0.0 }, 0.0) == 0.0);
    motion_bound turns = { .speed = 2.0, .spin = 3.0, .spin_up = 4.0 };
    CHECK(approach_of_one(&turns, HUGE_VAL).speed == 2.0);
    CHECK(approach_of_one(&turns, 0.5).speed == 3.5);
    CHECK(approach_of_one(&turns, 0.5).acceleration == (4.0 + 9.0) * 0.5);
}

/* A point passes over a face that turns under it: the height bends by 2 omega v + omega^2 h, at most, and so does the bound. */
TEST(advancement, features_turn_under_what_passes)
{
    double omega = 3.0;
    double v = 2.0;
    double lever = 0.4;
    motion_bound passes = { .speed = v };
    motion_bound turns = { .spin = omega };
    double levers[2] = { 0.0, lever };
    approach_bound p = approach_of(&passes, &turns, NULL, levers, true);
    CHECK_NEAR(p.speed, v + omega * lever, 1e-15);
    double height_bend = 0.0; /* of n(t) . x(t), n turning in the plane of x, by differences */
    for (int k = 0; k < 100; ++k) {
        double h = 1e-4;
        double phase = 0.0628 * k;
        double g[3];
        for (int i = 0; i < 3; ++i) {
            double t = (i - 1) * h;
            v3 n = v3_make(cos(omega * t), sin(omega * t), 0.0);
            v3 x = v3_make(lever * cos(phase) + v * t * sin(phase), lever * sin(phase) - v * t * cos(phase), 0.0);
            g[i] = v3_dot(n, x);
        }
        height_bend = fmax(height_bend, fabs(g[0] - 2.0 * g[1] + g[2]) / (h * h));
    }
    CHECK_LE(height_bend, p.acceleration + 1e-6);
    CHECK_GE(height_bend, 0.5 * p.acceleration);
}

/* Free fall onto a gap that opens or closes: closed form; and no other acceleration within the bound closes it sooner. */
TEST(advancement, open_time_is_that_of_the_worst_fall)
{
    test_rng r = test_rng_seed(14);
    for (int n = 0; n < 2000; ++n) {
        double gap = test_rng_uniform(&r, 0.0, 1.0);
        double rate = test_rng_uniform(&r, -2.0, 2.0);
        double A = test_rng_uniform(&r, 1e-3, 5.0);
        double h = open_time(gap, rate, A);
        CHECK_GE(h, 0.0);
        CHECK_NEAR(gap + rate * h - 0.5 * A * h * h, 0.0, 1e-9 * (1.0 + fabs(rate) * h));
        for (int k = 1; k < 10; ++k) {
            double t = 0.1 * k * h;
            double milder = A * test_rng_uniform(&r, -1.0, 1.0);
            CHECK_GE(gap + rate * t - 0.5 * milder * t * t, -1e-12);
        }
    }
    CHECK(open_time(1.0, 1.0, 0.0) == HUGE_VAL);
    CHECK(open_time(1.0, 0.0, 0.0) == HUGE_VAL);
    CHECK(open_time(1.0, -2.0, 0.0) == 0.5);
    CHECK(open_time(0.0, -2.0, 1.0) == 0.0);
}

/* Journals thrown across their bearing and pulled in any direction stay inside; pulled outward where they would arrive, they
 * arrive there and then. */
TEST(advancement, journals_stay_inside_for_their_time)
{
    test_rng r = test_rng_seed(15);
    double radius = 1e-3;
    int late = 0;
    for (int n = 0; n < 2000; ++n) {
        v3 d = any(&r, 0.999 * radius);
        v3 v = any(&r, 1.0);
        double A = n % 4 == 0 ? 0.0 : test_rng_uniform(&r, 0.0, 1e3);
        d.z = v.z = 0.0;
        double h = open_time_in_ring(d, v, A, radius);
        CHECK(isfinite(h));
        v3 pull = v3_scale(A, random_direction(&r));
        pull.z = 0.0;
        for (int k = 0; k <= 20; ++k) {
            double t = 0.05 * k * h;
            v3 x = v3_axpy(v3_axpy(d, t, v), 0.5 * t * t, pull);
            CHECK_LE(v3_norm(x), radius * (1.0 + 1e-8));
        }
        v3 end = v3_axpy(d, h, v);
        v3 outward = v3_norm(end) > 0.0 ? v3_unit(end) : v3_make(1.0, 0.0, 0.0);
        CHECK_NEAR(v3_norm(v3_axpy(end, 0.5 * A * h * h, outward)), radius, 1e-8 * radius);
        late += h > 0.0;
    }
    CHECK_EQ(late, 2000);
    CHECK(open_time_in_ring(v3_make(radius, 0, 0), v3_make(1, 0, 0), 1.0, radius) == 0.0);
    CHECK(open_time_in_ring(v3_zero(), v3_zero(), 0.0, radius) == HUGE_VAL);
}

/* Levers of what turns: as far as shapes reach; of a half-space as far as the other is. */
TEST(advancement, half_spaces_are_met_where_the_other_is)
{
    sim s = sim_parse(
        "{ \"carom\": 1, \"time\": {\"end\": 1}, \"contact\": {\"method\": \"impact\"}, \"bodies\": ["
        "  {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
        "  {\"name\": \"box\", \"shape\": {\"box\": [0.6, 0.8, 2.4]}, \"mass\": 1, \"position\": [0, 0, 5]}] }",
        NULL);
    near_search *near = NULL;
    carom_error err = { 0 };
    CHECK_OK(near_create(&near, s.model, &err), err);
    double lever[2];
    approach_levers(near, 0, 1, 5.0, lever);
    CHECK_NEAR(lever[1], 1.3, 1e-12); /* half the diagonal */
    CHECK_NEAR(lever[0], 6.3, 1e-12);
    near_destroy(near);
    sim_end(&s);
}

/* A point that flies steadily along a plane that turns about the origin: its height is accelerated by the turning, and by
 * twice the spin times the speed at which it passes. */
TEST(advancement, what_passes_a_turning_plane)
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
        motion_bound turns = { .spin = spin };
        motion_bound flies = { .speed = fabs(speed) };
        double lever[2] = { fabs(x), 0.0 };
        approach_bound p = approach_of(&turns, &flies, NULL, lever, true);
        approach_bound other_way = approach_of(&flies, &turns, NULL, (double[]){ 0.0, fabs(x) }, true);
        CHECK_LE(fabs(acceleration), p.acceleration * (1.0 + 1e-12));
        CHECK_NEAR(other_way.speed, p.speed, 1e-12 * p.speed);
        CHECK_NEAR(other_way.acceleration, p.acceleration, 1e-12 * p.acceleration);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(advancement, what_passes_a_turning_plane),
        RUN_TEST(advancement, a_gap_stays_open_until_it_may_close),
        RUN_TEST(advancement, nothing_that_rests_ever_meets),
        RUN_TEST(advancement, features_turn_under_what_passes),
        RUN_TEST(advancement, open_time_is_that_of_the_worst_fall),
        RUN_TEST(advancement, journals_stay_inside_for_their_time),
        RUN_TEST(advancement, half_spaces_are_met_where_the_other_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
