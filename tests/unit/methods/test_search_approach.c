/* Bounds that the search for events follows gaps by: no point of a body is accelerated towards a plane by more. */
#include "support/random.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include "methods/impact/search_parts.h"

/* A slab and a ball tumble on springs over a floor that does not move: gravity, turning and changing forces at once. */
static const char tumbling[] = "search_pace/tumbling.json";

/* The acceleration along n of a point of a body at t, by differences of velocities. */
static double acceleration_along(const sim *s, int body, v3 r_b, v3 n, double t, double dt)
{
    double v[2];
    for (int k = 0; k < 2; ++k) {
        body_pose pose;
        body_rate rate;
        dense_body_at(s->scratch->dense, t + (k == 0 ? -dt : dt), body, &pose, &rate);
        v[k] = v3_dot(n, v3_add(rate.v_w, v3_cross(rate.omega_w, q_rotate(pose.q_wb, r_b))));
    }
    return (v[1] - v[0]) / (2.0 * dt);
}

/* Points of a body within a span of the step, from t0 to t1, against a plane of the floor. */
static void check_span(const sim *s, const span *in, const int both[2], double lever, test_rng *r, double *tightest)
{
    const impact_work *iw = s->scratch->contact;
    double t0 = in->d->begin.t;
    double h = in->d->end.t - t0;
    gap_approach p = search_approach_of(iw, in, both, (double[]){ 0.0, lever });
    gap_approach other_way = search_approach_of(iw, in, (const int[]){ both[1], both[0] }, (double[]){ lever, 0.0 });
    CHECK_NEAR(other_way.speed, p.speed, 1e-12 * p.speed);
    CHECK_NEAR(other_way.acceleration, p.acceleration, 1e-12 * p.acceleration);
    for (int k = 0; k < 20; ++k) {
        v3 n = k < 3 ? v3_make(k == 0, k == 1, k == 2) : random_direction(r);
        double bound = search_approach_onto(iw, in, &p, both, 0, n);
        CHECK_LE(bound, p.acceleration);
        v3 r_b = v3_scale(lever, random_direction(r));
        double t = t0 + h * test_rng_uniform(r, 0.01, 0.99);
        CHECK_LE(-acceleration_along(s, both[1], r_b, n, t, 1e-3 * h), bound + 1e-6);
        *tightest = fmin(*tightest, bound / p.acceleration);
    }
}

/* The whole step, and one part of it. */
static void check_step(const sim *s, int body, double lever, test_rng *r, double *tightest)
{
    impact_work *iw = s->scratch->contact;
    const dense_step *d = s->scratch->dense;
    double h = d->end.t - d->begin.t;
    int both[2] = { (int)sim_body(s, "floor"), body };
    search_find_bounds(iw, s->scratch);
    span whole = search_whole(iw, s->scratch);
    check_span(s, &whole, both, lever, r, tightest);
    double from = test_rng_uniform(r, 0.0, 0.7);
    span piece = search_piece(iw, s->scratch, both, d->begin.t + from * h, d->begin.t + (from + 0.25) * h);
    double loosest = HUGE_VAL;
    check_span(s, &piece, both, lever, r, &loosest);
}

TEST(pace, onto_a_plane_is_never_more_than_its_bound)
{
    test_rng r = test_rng_seed(11);
    sim s = sim_parse(scene_text(tumbling), NULL);
    int slab = (int)sim_body(&s, "slab");
    int ball = (int)sim_body(&s, "ball");
    double tightest[2] = { HUGE_VAL, HUGE_VAL };
    while (sim_before(&s, 1.0)) {
        carom_step_report report = { 0 };
        carom_error err = { 0 };
        CHECK_OK(carom_step(s.model, s.state, s.scratch, 1.0 - sim_time(&s), &report, &err), err);
        check_step(&s, slab, 0.34, &r, &tightest[0]);
        check_step(&s, ball, 0.0, &r, &tightest[1]);
    }
    CHECK_LE(tightest[1], 1e-9); /* nothing pushes the ball along y */
    CHECK_LE(tightest[0], 0.9);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pace_onto_a_plane_is_never_more_than_its_bound) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
