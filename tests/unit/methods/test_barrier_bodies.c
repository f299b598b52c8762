/* Method "barrier", bodies.c: inertia as a potential of poses, goals of steps without forces, velocities at the end of a step. */
#include "methods/barrier/bodies.h"
#include "support/barrier_bench.h"

/* An asymmetric body, spinning in free flight. */
static sim flight(const char *integrator, double step, double spin)
{
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": %.17g, \"integrator\": "
        "\"%s\"}, \"contact\": {\"method\": \"barrier\"}, \"bodies\": [{\"name\": \"brick\", \"mass\": 2, "
        "\"shape\": {\"box\": [0.3, 0.2, 0.1]}, \"inertia\": [0.02, 0.03, 0.045], \"position\": [1, 2, 3], "
        "\"orientation\": {\"axis\": [0.6, 0, -0.8], \"angle\": 0.7}, \"velocity\": [0.3, -0.2, 0.1], "
        "\"angular_velocity\": [%.17g, %.17g, %.17g]}]}",
        step, integrator, 0.5 * spin, -0.7 * spin, 0.4 * spin);
}

static double value(bench *b)
{
    return bodies_value(b->w, &b->isle);
}

static void terms(bench *b)
{
    bodies_add(b->w, &b->isle);
}

/* Gradient, Hessian and change of the potential where a body is off its goal. */
static void check_potential(sim s, bool second_order)
{
    test_rng rng = test_rng_seed(7);
    bench b = bench_begin(s);
    CHECK_EQ(!b.isle.plain, second_order);
    b.isle.curvature = CURVATURE_WHOLE; /* the Hessian as it is, positive or not */
    moving_body *body = bench_body(&b, 0);
    for (int k = 0; k < 20; ++k) {
        double way = k < 10 ? 0.02 : 0.8;
        double d[COLUMNS];
        v3_store(d, random_v3(&rng, way));
        v3_store(d + 3, random_v3(&rng, way));
        bench_go_home(&b);
        bodies_keep(b.w, &b.isle);
        double before = value(&b);
        bench_displace(&b, d);
        double change = bodies_change(b.w, &b.isle);
        CHECK_NEAR(change, value(&b) - before, 1e-12 * (before + value(&b)));
        body_pose home = b.home[0];
        b.home[0] = body->at;
        CHECK_LE(bench_gradient_error(&b, value, terms, 0.1, 1e-4), 1e-9);
        CHECK_LE(bench_hessian_error(&b, terms, 0.1, 1e-4), 1e-9);
        b.home[0] = home;
    }
    bench_end(&b);
}

TEST(bodies, derivatives_of_the_potential_of_implicit_euler)
{
    check_potential(flight("implicit-euler", 0.01, 3.0), false);
}

TEST(bodies, derivatives_of_the_potential_of_bdf2)
{
    sim s = flight("bdf2", 0.01, 3.0);
    sim_step(&s, 1.0);
    check_potential(s, true);
}

/* [J/rad^2] Hessian and inertia over h^2 along a turn. */
static double along(double (*H)[BENCH_UNKNOWNS], v3 u)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            sum += v3_get(u, i) * H[3 + i][3 + k] * v3_get(u, k);
        }
    }
    return sum;
}

/* However far a body has turned from its goal: no turn is held by less than a tenth of the inertia, and where the Hessian is positive
 * beyond that it stays what it is. */
TEST(bodies, turns_are_held_by_the_inertia)
{
    static double H[2][BENCH_UNKNOWNS][BENCH_UNKNOWNS];
    double g[BENCH_UNKNOWNS];
    test_rng rng = test_rng_seed(9);
    int kept = 0;
    int negative = 0;
    bench b = bench_begin(flight("implicit-euler", 0.01, 3.0));
    const moving_body *body = bench_body(&b, 0);
    for (int n = 0; n < 100; ++n) {
        double d[COLUMNS] = { 0.0 };
        v3_store(d + 3, v3_scale(0.03 * n, random_direction(&rng)));
        for (int k = 0; k < 2; ++k) {
            b.isle.curvature = k == 1 ? CURVATURE_WHOLE : CURVATURE_NONE;
            bench_gradient(&b, terms, d, g, H[k]);
        }
        bench_displace(&b, d);
        m3 inertia = m3_scale(1e4, m3_rotate_tensor(body->R, body->inertia_b));
        double least = HUGE_VAL;
        double apart = 0.0;
        for (int k = 0; k < 200; ++k) {
            v3 u = random_direction(&rng);
            double held = v3_dot(u, m3_mulv(inertia, u));
            CHECK_GE(along(H[0], u), 0.0999 * held);
            least = fmin(least, along(H[1], u) / held);
            apart = fmax(apart, fabs(along(H[0], u) - along(H[1], u)) / held);
        }
        if (apart <= 1e-9) {
            ++kept;
            CHECK_GE(least, 0.0999);
        } else {
            ++negative;
            CHECK_LE(least, 0.2);
        }
    }
    CHECK_GE(kept, 10);
    CHECK_GE(negative, 10);
    bench_end(&b);
}

/* Momenta of BDF2 are extrapolated from the two last ones, each of where its body was. */
TEST(bodies, bdf2_extrapolates_momenta)
{
    sim s = flight("bdf2", 0.01, 3.0);
    sim_step(&s, 1.0);
    s.state->history[1].omega_w = v3_make(1.0, 2.0, -3.0);
    s.state->history[1].v_w = v3_make(0.1, 0.2, 0.4);
    v3 omega[2] = { s.state->rate[1].omega_w, s.state->history[1].omega_w };
    quat q[2] = { s.state->pose[1].q_wb, q_mul(so3_exp(v3_neg(s.state->jerk[1].omega_w)), s.state->pose[1].q_wb) };
    v3 momentum[2];
    bench b = bench_begin(s);
    const moving_body *body = bench_body(&b, 0);
    for (int k = 0; k < 2; ++k) {
        momentum[k] = m3_mulv(m3_rotate_tensor(q_matrix(q[k]), body->inertia_b), omega[k]);
    }
    v3 expected = v3_axpy(v3_scale(4.0 / 3.0, momentum[0]), -1.0 / 3.0, momentum[1]);
    CHECK_LE(v3_norm(v3_sub(body->spin, expected)), 1e-14);
    v3 rate = v3_scale(1.0 / body->h_rate, v3_sub(body->x_goal, body->x_ref));
    v3 known = v3_axpy(v3_scale(4.0 / 3.0, b.s.state->rate[1].v_w), -1.0 / 3.0, v3_make(0.1, 0.2, 0.4));
    CHECK_LE(v3_norm(v3_sub(rate, known)), 1e-12);
    bench_end(&b);
}

/* Damping is inertia once more, and no force. */
TEST(bodies, damping_adds_inertia_and_no_force)
{
    static double H[2][BENCH_UNKNOWNS][BENCH_UNKNOWNS];
    double g[2][BENCH_UNKNOWNS];
    double d[COLUMNS] = { 0.01, -0.02, 0.03, 0.1, 0.2, -0.1 };
    bench b = bench_begin(flight("implicit-euler", 0.01, 3.0));
    for (int k = 0; k < 2; ++k) {
        b.isle.damping = 4.0 * k;
        bench_gradient(&b, terms, d, g[k], H[k]);
    }
    bench_displace(&b, d);
    m3 inertia = m3_rotate_tensor(bench_body(&b, 0)->R, bench_body(&b, 0)->inertia_b);
    for (int i = 0; i < COLUMNS; ++i) {
        CHECK_NEAR(g[1][i], g[0][i], 0.0);
        for (int k = 0; k < COLUMNS; ++k) {
            double expected = i < 3 ? (i == k ? 2.0 : 0.0) : k < 3 ? 0.0 : inertia.m[3 * (i - 3) + k - 3];
            CHECK_NEAR(H[1][i][k] - H[0][i][k], 4.0 * expected / 1e-4, 1e-9);
        }
    }
    bench_end(&b);
}

/* ---- free flight ------------------------------------------------------------------------------------------------------------ */

static v3 angular_momentum(const sim *s)
{
    m3 R = q_matrix(s->state->pose[1].q_wb);
    v3 omega = s->state->rate[1].omega_w;
    return m3_mulv(R, m3_mulv(s->model->bodies[1].inertia_b, m3_tmulv(R, omega)));
}

/* A step without forces ends in its goal, with the angular momentum with which it began, for turns up to several radians. */
TEST(bodies, free_flight_keeps_momentum_and_ends_in_the_goal)
{
    static const double rounding = 1e-15 * 0.045 / 0.01; /* [kg m^2/s] of a rotation in a step of 0.01 s */
    static const double spins[] = { 1e-6, 1.0, 30.0, 300.0, 1000.0 };
    for (int k = 0; k < 5; ++k) {
        sim s = flight("implicit-euler", 0.01, spins[k]);
        v3 before = angular_momentum(&s);
        v3 velocity = s.state->rate[1].v_w;
        for (int n = 0; n < 10; ++n) {
            sim_step(&s, 10.0);
            CHECK_LE(v3_norm(v3_sub(angular_momentum(&s), before)), 1e-13 * v3_norm(before) + rounding);
            CHECK_LE(v3_norm(v3_sub(s.state->rate[1].v_w, velocity)), 1e-12); /* positions have 1e-15 m */
        }
        sim_end(&s);
    }
}

/* Where the body is after 0.4 s, by steps so small that their error does not count. */
static quat turned(const char *integrator, double step)
{
    sim s = flight(integrator, step, 3.0);
    for (long k = lround(0.4 / step); k > 0; --k) {
        sim_step(&s, 10.0);
    }
    CHECK_NEAR(sim_time(&s), 0.4, 1e-9);
    quat q = s.state->pose[1].q_wb;
    sim_end(&s);
    return q;
}

static double angle_between(quat a, quat b)
{
    return v3_norm(so3_log(q_mul(a, q_conj(b))));
}

TEST(bodies, free_rotation_is_of_second_order)
{
    static const char *const integrators[] = { "implicit-euler", "bdf2" };
    quat exact = turned("implicit-euler", 2e-4);
    for (int k = 0; k < 2; ++k) {
        double coarse = angle_between(turned(integrators[k], 0.02), exact);
        double fine = angle_between(turned(integrators[k], 0.01), exact);
        printf("\n%s: off by %.3g rad, with half the step %.3g rad, a ratio of %.3f\n", integrators[k], coarse, fine,
               coarse / fine);
        CHECK_LE(coarse, 0.01);
        CHECK_GE(coarse / fine, 3.3);
    }
}

/* The velocity at the end of a step has taken up the torque of the inertia, momentum by momentum. */
TEST(bodies, velocities_at_the_end_follow_the_forces)
{
    test_rng rng = test_rng_seed(3);
    bench b = bench_begin(flight("implicit-euler", 0.01, 3.0));
    moving_body *body = bench_body(&b, 0);
    m3 R = q_matrix(body->begin.q_wb);
    v3 before = m3_mulv(R, m3_mulv(body->inertia_b, m3_tmulv(R, body->rate.omega_w)));
    for (int k = 0; k < 10; ++k) {
        double d[COLUMNS], g[BENCH_UNKNOWNS];
        v3_store(d, random_v3(&rng, 0.01));
        v3_store(d + 3, random_v3(&rng, 0.1));
        bench_gradient(&b, terms, d, g, NULL);
        bench_displace(&b, d);
        body_rate end = body_rate_ending(body);
        v3 momentum = m3_mulv(body->R, m3_mulv(body->inertia_b, m3_tmulv(body->R, end.omega_w)));
        v3 gained = v3_sub(momentum, before);
        v3 pushed = v3_scale(2.0, v3_sub(end.v_w, body->rate.v_w));
        CHECK_LE(v3_norm(v3_sub(gained, v3_scale(0.01, v3_load(g + 3)))),
                 1e-13 * (v3_norm(before) + v3_norm(gained)));
        CHECK_LE(v3_norm(v3_sub(pushed, v3_scale(0.01, v3_load(g)))), 1e-12);
        bench_go_home(&b);
    }
    bench_end(&b);
}

/* No point of a body moves farther than is said. */
TEST(bodies, no_point_moves_farther_than_said)
{
    test_rng rng = test_rng_seed(11);
    bench b = bench_begin(flight("implicit-euler", 0.01, 3.0));
    moving_body *body = bench_body(&b, 0);
    for (int k = 0; k < 200; ++k) {
        double d[COLUMNS];
        v3 corner = v3_make(k & 1 ? 0.15 : -0.15, k & 2 ? 0.1 : -0.1, k & 4 ? 0.05 : -0.05);
        v3_store(d, random_v3(&rng, 0.2));
        v3_store(d + 3, random_v3(&rng, 1.5));
        bench_go_home(&b);
        v3 from = v3_add(body->at.x_w, m3_mulv(body->R, corner));
        bench_displace(&b, d);
        v3 to = v3_add(body->at.x_w, m3_mulv(body->R, corner));
        double said = body_moved(body, &b.home[0]);
        CHECK_LE(v3_norm(v3_sub(to, from)), said);
        CHECK_LE(said, v3_norm(v3_load(d)) + v3_norm(v3_load(d + 3)) * body->reach + 1e-12);
    }
    CHECK_NEAR(body->reach, sqrt(0.15 * 0.15 + 0.1 * 0.1 + 0.05 * 0.05), 1e-12);
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(bodies, derivatives_of_the_potential_of_implicit_euler),
        RUN_TEST(bodies, derivatives_of_the_potential_of_bdf2),
        RUN_TEST(bodies, turns_are_held_by_the_inertia),
        RUN_TEST(bodies, bdf2_extrapolates_momenta),
        RUN_TEST(bodies, damping_adds_inertia_and_no_force),
        RUN_TEST(bodies, free_flight_keeps_momentum_and_ends_in_the_goal),
        RUN_TEST(bodies, free_rotation_is_of_second_order),
        RUN_TEST(bodies, velocities_at_the_end_follow_the_forces),
        RUN_TEST(bodies, no_point_moves_farther_than_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
