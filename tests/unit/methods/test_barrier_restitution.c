/* Method "barrier", restitution.c and finish.c: impacts phase by phase, what they give back and what they may not, and what the end
 * of a step leaves in the state: history, ledger, momenta. */
#include "support/barrier_bench.h"

static const barrier_work *work_of(const sim *s)
{
    return s->scratch->contact;
}

/* A ball of 2 kg that flies at a plate without gravity, 20 mm away. */
static sim thrown(double speed, double restitution, double step)
{
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": %.17g}, \"contact\": "
        "{\"method\": \"barrier\", \"range\": 0.0001, \"restitution\": %.17g}, \"bodies\": [{\"name\": "
        "\"plate\", \"fixed\": true, \"shape\": {\"box\": [1, 1, 0.02]}}, {\"name\": \"ball\", \"mass\": 2, "
        "\"shape\": {\"sphere\": 0.05}, \"position\": [0, 0, 0.08], \"velocity\": [0.3, 0, %.17g]}]}",
        step, restitution, -speed);
}

/* ---- phases ----------------------------------------------------------------------------------------------------------------- */

static impact_phase phase_of(const sim *s)
{
    impact_phase phase = IMPACT_NONE;
    for (int k = 0; k < work_of(s)->pair_count; ++k) {
        phase = work_of(s)->pairs[k].contact_count > 0 ? work_of(s)->pairs[k].impact : phase;
    }
    return phase;
}

/* What comes after what, each phase once. */
static int phases_of(sim *s, int steps, impact_phase out[16])
{
    int count = 0;
    for (int n = 0; n < steps; ++n) {
        sim_step(s, 10.0);
        impact_phase now = phase_of(s);
        if (count == 0 || out[count - 1] != now) {
            CHECK(count < 16);
            out[count++] = now;
        }
    }
    return count;
}

TEST(phases, of_a_ball_that_bounces)
{
    impact_phase seen[16];
    sim s = thrown(3.0, 0.6, 1e-3);
    int count = phases_of(&s, 60, seen);
    CHECK_EQ(seen[0], IMPACT_NONE);
    CHECK_EQ(seen[count - 2], IMPACT_LEAVING);
    CHECK_EQ(seen[count - 1], IMPACT_NONE);
    CHECK_NEAR(s.state->rate[2].v_w.z, 1.8, 2e-3 * 3.0);
    CHECK_NEAR(s.state->rate[2].v_w.x, 0.3, 1e-9);
    sim_end(&s);
}

/* Without restitution what is left of the approach is taken out, and the barrier, which then is no stiffer than it must be, gives next
 * to nothing back. */
TEST(phases, of_a_ball_that_stays)
{
    impact_phase seen[16];
    sim s = thrown(3.0, 0.0, 1e-3);
    int count = phases_of(&s, 60, seen);
    CHECK_GE(count, 3);
    CHECK_EQ(seen[0], IMPACT_NONE);
    CHECK(seen[count - 2] == IMPACT_LEAVING || seen[count - 2] == IMPACT_OVER);
    CHECK_LE(fabs(s.state->rate[2].v_w.z), 0.02 * 3.0);
    sim_end(&s);
}

/* Slower than what range and step can tell from rest: no impact at all. */
TEST(phases, of_a_ball_that_creeps)
{
    impact_phase seen[16];
    sim s = thrown(0.1, 1.0, 1e-3); /* 2 ranges per step are 0.2 m/s */
    int count = phases_of(&s, 300, seen);
    CHECK_GE(count, 2);
    for (int k = 0; k < count; ++k) {
        CHECK(seen[k] == IMPACT_NONE || seen[k] == IMPACT_OVER);
    }
    sim_end(&s);
}

/* ---- what is given back ----------------------------------------------------------------------------------------------------- */

TEST(release, ratio_of_speeds_and_what_is_lost)
{
    static const double es[] = { 0.0, 0.3, 0.7, 1.0 };
    static const double steps[] = { 1e-2, 1e-3 };
    for (int k = 0; k < 8; ++k) {
        double e = es[k % 4];
        sim s = thrown(3.0, e, steps[k / 4]);
        double first = 0.5 * 2.0 * 9.0;
        while (sim_time(&s) < 0.05) {
            sim_step(&s, 10.0);
        }
        carom_ledger l = sim_ledger(&s);
        double speed = s.state->rate[2].v_w.z;
        printf("e = %.1f, h = %g: %.5f; of the energy lost by impacts %.5f, by numerics %.5f\n", e, steps[k / 4],
               speed / 3.0, l.lost_impact / first, l.lost_numerics / first);
        CHECK_NEAR(speed, e * 3.0, e > 0.0 ? 2e-3 * 3.0 : 2e-2 * 3.0);
        CHECK_NEAR(l.lost_impact, (1.0 - e * e) * first, 0.02 * first);
        CHECK_NEAR(l.lost_numerics, 0.0, 0.02 * first);
        CHECK_NEAR(l.residue, 0.0, 1e-9 * first);
        sim_end(&s);
    }
}

/* Two bodies in free space, any shapes, any hit. */
static sim pair_in_space(test_rng *rng, double e, double mu, const char *integrator)
{
    static const char *const shapes[] = { "{\"box\": [0.3, 0.1, 0.05]}", "{\"sphere\": 0.08}",
                                          "{\"capsule\": {\"radius\": 0.02, \"length\": 0.3}}" };
    v3 spin[2] = { random_v3(rng, 5.0), random_v3(rng, 5.0) };
    v3 turn = random_direction(rng);
    v3 off = random_v3(rng, 0.05);
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": 0.005, \"integrator\": \"%s\"}, "
        "\"contact\": {\"method\": \"barrier\", \"range\": 0.0003, \"restitution\": %.17g, \"friction\": "
        "%.17g, \"tolerance\": 1e-9}, \"bodies\": [{\"name\": \"a\", \"density\": 1000, \"shape\": %s, \"angular_velocity\": [%.17g, %.17g, "
        "%.17g]}, {\"name\": \"b\", \"density\": 3000, \"shape\": %s, \"position\": [0.5, %.17g, %.17g], "
        "\"orientation\": {\"axis\": [%.17g, %.17g, %.17g], \"angle\": %.17g}, \"velocity\": [-4, 0, 0], "
        "\"angular_velocity\": [%.17g, %.17g, %.17g]}]}",
        integrator, e, mu, shapes[(int)test_rng_uniform(rng, 0.0, 3.0)], spin[0].x, spin[0].y, spin[0].z,
        shapes[(int)test_rng_uniform(rng, 0.0, 3.0)], off.y, off.z, turn.x, turn.y, turn.z,
        test_rng_uniform(rng, 0.0, 3.0), spin[1].x, spin[1].y, spin[1].z);
}

/* What a step of implicit Euler does to the orbital angular momentum about the origin, as forces act where bodies end: the sum of
 * -(x_1 - x_0) x m (v_1 - v_0), v_1 before anything is given back. */
static v3 spin_of_euler(const sim *s, const body_pose *pose, const body_rate *rate)
{
    v3 sum = v3_zero();
    for (int i = 1; i < 3; ++i) {
        v3 way = v3_sub(s->state->pose[i].x_w, pose[i].x_w);
        v3 gained = v3_sub(v3_scale(1.0 / work_of(s)->h, way), rate[i].v_w);
        sum = v3_sub(sum, v3_scale(s->model->bodies[i].mass, v3_cross(way, gained)));
    }
    return sum;
}

/* Momentum stays, angular momentum changes by what the formula makes of it and nothing else, and energy does not grow, whatever
 * restitution and friction. */
TEST(release, keeps_momenta_and_adds_no_energy)
{
    static const char *const integrators[] = { "implicit-euler", "bdf2" };
    test_rng rng = test_rng_seed(23);
    double worst_momentum = 0.0;
    double worst_spin = 0.0;
    int hits = 0;
    for (int k = 0; k < 80; ++k) {
        sim s = pair_in_space(&rng, k % 4 < 2 ? 1.0 : 0.5, k < 40 ? 0.0 : 0.5, integrators[k % 2]);
        carom_ledger first = sim_ledger(&s);
        double size = sim_norm(first.momentum);
        v3 spin = first.angular_momentum;
        int bounces = 0;
        for (int n = 0; n < 50; ++n) {
            body_pose pose[3];
            body_rate rate[3];
            memcpy(pose, s.state->pose, sizeof pose);
            memcpy(rate, s.state->rate, sizeof rate);
            sim_step(&s, 10.0);
            carom_ledger l = sim_ledger(&s);
            spin = v3_add(spin, spin_of_euler(&s, pose, rate));
            bounces += work_of(&s)->counts.bounces;
            CHECK_LE(ledger_energy(&l), ledger_energy(&first) * (1.0 + 1e-4)); /* turns of free bodies err, too */
            CHECK_NEAR(l.residue, 0.0, 1e-9 * ledger_energy(&first));
            worst_momentum = fmax(worst_momentum, sim_norm(sim_difference(l.momentum, first.momentum)) / size);
            if (k % 2 == 0) {
                worst_spin = fmax(worst_spin, sim_norm(sim_difference(l.angular_momentum, spin)) / (0.5 * size));
            }
        }
        hits += bounces > 0;
        sim_end(&s);
    }
    printf("%d of 80 bounce; momentum off by %.1e of it, angular momentum by %.1e\n", hits, worst_momentum,
           worst_spin);
    CHECK_GE(hits, 20);
    CHECK_LE(worst_momentum, 1e-9);
    CHECK_LE(worst_spin, 1e-9);
}

/* A ball of 0.5 kg with a spin strikes a plane: friction bears mu times the whole normal impulse, m (1 + e) v, unless slip ends before; that
 * it ends in the impulse that is given back is one of the cases. */
TEST(release, presses_for_friction)
{
    static const double es[] = { 0.3, 0.7, 1.0 };
    static const double spins[] = { 0.0, 40.0, -30.0, 10.0 }; /* [rad/s] */
    static const double mus[] = { 0.1, 0.5, 0.3, 2.0 };
    const double m = 0.5, r = 0.05, v = 2.0;
    for (int k = 0; k < 24; ++k) {
        double e = es[k % 3], mu = mus[k / 3 % 4], spin = spins[k / 3 % 4];
        sim s = bench_parse(
            "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": 0.0005, \"integrator\": "
            "\"%s\"}, \"contact\": {\"method\": \"barrier\", \"range\": 1e-5, \"stick_speed\": 1e-5, "
            "\"restitution\": %g, \"friction\": %g}, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, "
            "\"shape\": {\"plane\": [0, 0, 1]}}, {\"name\": \"ball\", \"mass\": %g, \"shape\": "
            "{\"sphere\": %g}, \"position\": [0, 0, 0.06], \"velocity\": [1, 0, %g], "
            "\"angular_velocity\": [0, %g, 0]}]}",
            k < 12 ? "implicit-euler" : "bdf2", e, mu, m, r, -v, spin);
        while (sim_time(&s) < 0.02) {
            sim_step(&s, 10.0);
        }
        double slip = 1.0 - r * spin;
        double friction = fmin(mu * m * (1.0 + e) * v, m * fabs(slip) / 3.5) * (slip > 0.0 ? -1.0 : 1.0);
        const body_rate *rate = &s.state->rate[2];
        CHECK_NEAR(rate->v_w.z, e * v, 2e-3 * v);
        CHECK_NEAR(rate->v_w.x, 1.0 + friction / m, 1e-3);
        CHECK_NEAR(rate->omega_w.y, spin - friction * r / (0.4 * m * r * r), 1e-3 / r);
        CHECK_NEAR(sim_ledger(&s).residue, 0.0, 1e-9);
        sim_end(&s);
    }
}

/* A box that lands flat while it slides and turns: friction of what is given back resists both, and takes no more than there is. */
TEST(release, presses_for_friction_against_turning)
{
    for (int k = 0; k < 2; ++k) {
        sim s = bench_parse(
            "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": 0.0005}, \"contact\": "
            "{\"method\": \"barrier\", \"range\": 1e-5, \"stick_speed\": 1e-5, \"restitution\": 1, "
            "\"friction\": %g}, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": "
            "{\"plane\": [0, 0, 1]}}, {\"name\": \"box\", \"mass\": 1, \"shape\": {\"box\": [0.2, 0.2, "
            "0.002]}, \"position\": [0, 0, 0.01], \"velocity\": [0, 0, -1], \"angular_velocity\": [0, 0, 4]}]}",
            k == 0 ? 0.05 : 0.5);
        while (sim_time(&s) < 0.02) {
            sim_step(&s, 10.0);
        }
        double arm = 0.1 * sqrt(2.0); /* of its corners */
        double inertia = 0.04 / 6.0;
        double most = 0.05 * 2.0 * arm / inertia; /* rad/s by friction of corners that all slip */
        CHECK_NEAR(s.state->rate[2].v_w.z, 1.0, 2e-3);
        CHECK_NEAR(s.state->rate[2].omega_w.z, k == 0 ? 4.0 - most : 0.0, 0.01 * 4.0);
        sim_end(&s);
    }
}

/* A ball strikes two at once: both pairs are released in one step, momentum stays, energy does not grow, and both leave alike. */
TEST(release, of_two_pairs_at_once)
{
    sim s = bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": 0.002}, \"contact\": {\"method\": "
        "\"barrier\", \"range\": 0.0001, \"restitution\": 1, \"tolerance\": 1e-9}, \"bodies\": [{\"name\": "
        "\"a\", \"mass\": 1, \"shape\": {\"sphere\": 0.05}, \"velocity\": [3, 0, 0]}, {\"name\": \"b\", \"mass\": "
        "1, \"shape\": {\"sphere\": 0.05}, \"position\": [0.15, 0.052, 0]}, {\"name\": \"c\", \"mass\": 1, "
        "\"shape\": {\"sphere\": 0.05}, \"position\": [0.15, -0.052, 0]}]}");
    int most = 0;
    for (int n = 0; n < 60; ++n) {
        sim_step(&s, 10.0);
        most = work_of(&s)->counts.bounces > most ? work_of(&s)->counts.bounces : most;
    }
    carom_ledger l = sim_ledger(&s);
    const body_rate *rate = s.state->rate;
    printf("after a hits b and c: a %.4f, b %.4f %.4f, c %.4f %.4f m/s; energy %.4f of 4.5 J\n", rate[1].v_w.x,
           rate[2].v_w.x, rate[2].v_w.y, rate[3].v_w.x, rate[3].v_w.y, l.kinetic);
    CHECK_EQ(most, 2);
    CHECK_NEAR(l.momentum.x, 3.0, 1e-7);
    CHECK_NEAR(l.momentum.y, 0.0, 1e-7);
    CHECK_LE(l.kinetic, 4.5 * (1.0 + 1e-9));
    CHECK_GE(l.kinetic, 0.98 * 4.5);
    CHECK_NEAR(rate[2].v_w.x, rate[3].v_w.x, 1e-6);
    CHECK_NEAR(rate[2].v_w.y, -rate[3].v_w.y, 1e-6);
    sim_end(&s);
}

/* A column of balls that fly at a plate, each faster than the one below it by a metre per second: in one step all of them touch, and
 * thirty pairs are released together. None is left slower than its restitution asks for. The step is short, else the column would
 * buckle in it: its forces over the size of a ball have to stay below inertia / h^2. */
TEST(release, of_thirty_pairs_at_once)
{
    enum { BALLS = 30 };
    static char text[16384];
    const double e = 0.4, radius = 0.05, gap = 4e-6, fastest = BALLS;
    size_t n = (size_t)
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": 5e-5}, "
                 "\"contact\": {\"method\": \"barrier\", \"range\": 1e-6, \"restitution\": %g}, "
                 "\"bodies\": [{\"name\": \"plate\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}",
                 e);
    for (int k = 0; k < BALLS; ++k) {
        n += (size_t)
            snprintf(text + n, sizeof text - n,
                     ", {\"name\": \"ball %d\", \"mass\": %d, \"shape\": {\"sphere\": %g}, \"position\": [0, 0, "
                     "%.17g], \"velocity\": [0, 0, %d]}",
                     k, 1 + k % 3, radius, (2 * k + 1) * radius + (k + 1) * gap, -(k + 1));
    }
    CHECK(n + 3 < sizeof text);
    strcpy(text + n, "]}");
    sim s = bench_parse("%s", text);
    carom_ledger first = sim_ledger(&s);
    int released = 0;
    for (int step = 0; step < 20 && released < BALLS; ++step) {
        sim_step(&s, 10.0);
        released = 0;
        for (int k = 0; k < work_of(&s)->pair_count; ++k) {
            released += work_of(&s)->pairs[k].releasing;
        }
        for (size_t k = 0; k < s.scratch->findings.count; ++k) {
            CHECK(s.scratch->findings.items[k].kind != CAROM_FINDING_SOLVE_CUT_SHORT);
        }
    }
    CHECK_EQ(released, BALLS);
    double slowest = HUGE_VAL;
    for (int k = 0; k < BALLS; ++k) {
        double below = k > 0 ? s.state->rate[k + 1].v_w.z : 0.0;
        slowest = fmin(slowest, s.state->rate[k + 2].v_w.z - below);
    }
    carom_ledger last = sim_ledger(&s);
    printf("thirty pairs: the slowest leaves with %.9f m/s, %.1f of %.1f J are left\n", slowest, last.kinetic,
           first.kinetic);
    CHECK_GE(slowest, e * (1.0 - 1e-9) - 1e-9 * fastest);
    CHECK_LE(last.kinetic, first.kinetic);
    sim_end(&s);
}

/* ---- the end of a step ------------------------------------------------------------------------------------------------------ */

/* BDF2 goes on from what the body did in the step before, and how fast it was when that began. */
TEST(finish, keeps_the_history)
{
    sim s = thrown(3.0, 0.5, 2e-3);
    for (int n = 0; n < 30; ++n) {
        body_pose pose = s.state->pose[2];
        body_rate rate = s.state->rate[2];
        sim_step(&s, 10.0);
        CHECK(memcmp(&s.state->history[2], &rate, sizeof rate) == 0);
        CHECK_LE(v3_norm(v3_sub(s.state->jerk[2].v_w, v3_sub(s.state->pose[2].x_w, pose.x_w))), 1e-18);
        CHECK_NEAR(*s.state->step_error, 1.0, 0.0);
    }
    sim_end(&s);
}

/* A step of another size has no history to go on. */
TEST(finish, history_holds_for_one_size_of_steps)
{
    sim s = bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -10], \"time\": {\"end\": 10, \"step\": 0.01, \"integrator\": \"bdf2\"}, "
        "\"contact\": {\"method\": \"barrier\"}, \"bodies\": [{\"name\": \"ball\", \"mass\": 1, \"shape\": "
        "{\"sphere\": 0.05}}]}");
    sim_step(&s, 10.0);
    CHECK(work_of(&s)->islands[0].plain);
    sim_step(&s, 10.0);
    CHECK(!work_of(&s)->islands[0].plain);
    sim_step(&s, sim_time(&s) + 0.004);
    CHECK_NEAR(sim_time(&s), 0.024, 1e-15);
    CHECK(work_of(&s)->islands[0].plain);
    sim_step(&s, 10.0);
    CHECK(work_of(&s)->islands[0].plain);
    sim_step(&s, 10.0);
    CHECK(!work_of(&s)->islands[0].plain);
    sim_end(&s);
}

/* A box that tumbles on a floor, and a bob between the stops of its joint. */
static sim tumbling(const char *integrator, double mu, double tolerance)
{
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 10, \"step\": 0.01, \"integrator\": \"%s\"}, "
        "\"contact\": {\"method\": \"barrier\", \"friction\": %.17g, \"tolerance\": %.17g, \"restitution\": 0.5}, \"bodies\": [{\"name\": \"floor\", "
        "\"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}, {\"name\": \"box\", \"density\": 1000, \"shape\": {\"box\": "
        "[0.2, 0.1, 0.1]}, \"position\": [0, 0, 0.2], \"velocity\": [1, 0, 0], \"angular_velocity\": [1, 2, 3]}, {\"name\": "
        "\"bob\", \"density\": 1000, \"shape\": {\"sphere\": 0.05}, \"position\": [0.5, 0, 0.3]}], \"joints\": [{\"name\": "
        "\"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"bob\"], \"at\": [0.5, 0, 0.6], \"axis\": [0, 1, 0], "
        "\"limits\": {\"min\": -0.5, \"max\": 0.2, \"restitution\": 0.5}, \"spring\": {\"damping\": 0.01}}]}",
        integrator, mu, tolerance);
}

/* Everything that can lose energy at once: the accounts close, and what the ground has taken up is in the momenta. */
TEST(finish, ledger_closes)
{
    static const char *const integrators[] = { "implicit-euler", "bdf2" };
    for (int k = 0; k < 2; ++k) {
        sim s = tumbling(integrators[k], 0.3, 1e-5);
        carom_ledger first = sim_ledger(&s);
        double scale = 2.0 * 9.81 * 0.2 + first.kinetic;
        for (int n = 0; n < 100; ++n) {
            sim_step(&s, 10.0);
            carom_ledger l = sim_ledger(&s);
            CHECK_NEAR(l.residue, 0.0, 1e-10 * scale);
            CHECK_NEAR(ledger_energy(&l) + l.lost_friction + l.lost_impact + l.lost_damping + l.lost_stops +
                           l.lost_contact + l.lost_numerics,
                       ledger_energy(&first), 1e-10 * scale);
            CHECK_LE(-l.lost_friction, 1e-12);
        }
        carom_ledger l = sim_ledger(&s);
        CHECK_GE(l.lost_friction, 0.01);
        CHECK_GE(l.lost_impact, 0.01);
        printf("%s: lost by friction %.3f, by impacts %.3f, by numerics %.3f of %.3f J\n", integrators[k],
               l.lost_friction, l.lost_impact, l.lost_numerics, ledger_energy(&first));
        sim_end(&s);
    }
}

/* What the floor and the ground take up is in the momenta, impulses of impacts, joints and stops among it. */
TEST(finish, momenta_close)
{
    static const char *const integrators[] = { "implicit-euler", "bdf2" };
    for (int k = 0; k < 2; ++k) {
        sim s = tumbling(integrators[k], 0.0, 1e-9);
        for (int n = 0; n < 100; ++n) {
            sim_step(&s, 10.0);
            carom_ledger l = sim_ledger(&s);
            CHECK_LE(sim_norm(l.momentum_residue), 1e-9);
        }
        sim_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(phases, of_a_ball_that_bounces),
        RUN_TEST(phases, of_a_ball_that_stays),
        RUN_TEST(phases, of_a_ball_that_creeps),
        RUN_TEST(release, ratio_of_speeds_and_what_is_lost),
        RUN_TEST(release, keeps_momenta_and_adds_no_energy),
        RUN_TEST(release, presses_for_friction),
        RUN_TEST(release, presses_for_friction_against_turning),
        RUN_TEST(release, of_two_pairs_at_once),
        RUN_TEST(release, of_thirty_pairs_at_once),
        RUN_TEST(finish, keeps_the_history),
        RUN_TEST(finish, history_holds_for_one_size_of_steps),
        RUN_TEST(finish, ledger_closes),
        RUN_TEST(finish, momenta_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
