/* The method constraint between impacts: large implicit steps while nothing touches, explicit ones from a little before the first touch on.
 * Against runs of explicit steps alone, the flight of the pendulum of paper 2, and a ball that rattles. */
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sim start(const char *const *settings)
{
    return sim_start(scene_read("constraint_flight.json", settings), 1);
}

static const char *const NEVER[] = { "contact.hold=1e9", NULL };

/* Largest |energy.residue| of all steps. */
static double advance_watched(sim *s, double end)
{
    double worst = 0.0;
    while (sim_before(s, end)) {
        sim_step(s, end);
        worst = fmax(worst, fabs(sim_ledger(s).residue));
    }
    return worst;
}

/* What explicit steps alone find, with a small part of their evaluations. Where the grid of steps meets the ground differs, and with it what the
 * node that touches first loses. What the account has is the vibration that was there. */
TEST(constraint_flight, a_strip_that_bounces_flies)
{
    const double end = 0.03, grid = 3e-4; /* [m/s]: four steps of 4e-7 s spread by as much */
    sim a = start(NULL);
    sim b = start(NEVER);
    const double energy = sim_ledger(&a).kinetic;
    const double worst = advance_watched(&a, end);
    const double worst_explicit = advance_watched(&b, end);
    const carom_ledger l = sim_ledger(&a);
    const carom_ledger e = sim_ledger(&b);
    printf("  %ld evaluations, explicit %ld; handed over %.4g J of %.4g J, energy off by %.2g J and %.2g J\n",
           a.evaluations, b.evaluations, l.lost_handover, energy, worst, worst_explicit);
    CHECK_NEAR(sim_signal(&a, "strip.velocity.y"), sim_signal(&b, "strip.velocity.y"), grid);
    CHECK_NEAR(sim_signal(&a, "strip.position.y"), sim_signal(&b, "strip.position.y"), grid * end);
    CHECK_NEAR(l.lost_impact, e.lost_impact, 0.2 * e.lost_impact);
    CHECK(10 * a.evaluations < b.evaluations);
    CHECK_LE(worst, 1e-11 * energy);
    CHECK(l.lost_handover > 1e-4 * energy && l.lost_handover < 0.01 * energy);
    CHECK_LE(fabs(e.lost_handover), 1e-9 * energy); /* the first half step alone */
    CHECK_NEAR(l.lost_handover + l.lost_damping, e.lost_damping, 0.05 * e.lost_damping); /* which takes it all */
    CHECK_LE(fabs(l.momentum_residue.y), 1e-9 * fabs(l.momentum.y));
    sim_end(&a);
    sim_end(&b);
}

/* At equal speeds times go with the size. */
TEST(constraint_flight, scale_changes_nothing)
{
    static const char *const large[] = { "variables.s=10", NULL };
    sim a = start(NULL);
    sim b = start(large);
    sim_advance(&a, 0.02);
    sim_advance(&b, 0.2);
    const double rebound = sim_signal(&a, "strip.velocity.y");
    printf("  rebound %.12g m/s, ten times as large %.12g m/s\n", rebound, sim_signal(&b, "strip.velocity.y"));
    CHECK_NEAR(sim_signal(&b, "strip.velocity.y"), rebound, 1e-7);
    sim_end(&a);
    sim_end(&b);
}

/* A copy with fresh scratch and any number of threads goes on with the same bits, in flight, in contact and over both changes. */
TEST(constraint_flight, copies_go_on_alike_in_both_phases)
{
    static const double times[] = { 0.004, 0.0095, 0.01 };
    static const int threads[] = { 1, 2, 7 };
    carom_error err = { 0 };
    sim a = start(NULL);
    for (int k = 0; k < 3; ++k) {
        sim_advance(&a, times[k]);
        sim copy = { .model = a.model, .state = carom_state_create(a.model) };
        CHECK_OK(carom_state_copy(copy.state, a.state), err);
        CHECK_OK(carom_scratch_create(a.model, threads[k], &copy.scratch, &err), err);
        sim_advance(&copy, 0.012);
        sim whole = { .model = a.model, .state = carom_state_create(a.model) };
        CHECK_OK(carom_state_copy(whole.state, a.state), err);
        CHECK_OK(carom_scratch_create(a.model, 1, &whole.scratch, &err), err);
        sim_advance(&whole, 0.012);
        CHECK(carom_state_hash(copy.state) == carom_state_hash(whole.state));
        carom_scratch_destroy(copy.scratch);
        carom_scratch_destroy(whole.scratch);
        carom_state_destroy(copy.state);
        carom_state_destroy(whole.state);
    }
    sim_end(&a);
}

/* A step that fails at the end of a flight leaves the state as it was. */
TEST(constraint_flight, a_failed_step_leaves_the_state_alone)
{
    static const char *const settings[] = {
        "bodies.strip.flexible.zone={\"box\":{\"low\":[-1,-1,-1],\"high\":[-0.02,1,1]}}", NULL
    };
    sim s = start(settings);
    carom_error err = { 0 };
    carom_step_report report;
    carom_status status = CAROM_OK;
    uint64_t before = 0;
    for (int k = 0; k < 10000 && status == CAROM_OK; ++k) {
        before = carom_state_hash(s.state);
        status = carom_step(s.model, s.state, s.scratch, 1e-2, &report, &err);
    }
    CHECK_EQ(status, CAROM_INTERSECTING);
    CHECK(strstr(err.message, "outside of its zone") != NULL);
    CHECK(carom_state_hash(s.state) == before);
    CHECK_NEAR(sim_time(&s), 0.00957, 1e-4); /* v t + g t^2/2 = 0.01 */
    sim_end(&s);
}

/* ---- the pendulum of the paper ---- */

static sim start_pendulum(const char *const *settings)
{
    char path[1024];
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    const char *root = getenv("CAROM_SOURCE_DIR");
    size_t count = 0;
    while (settings && settings[count]) {
        ++count;
    }
    snprintf(path, sizeof path, "%s/papers/2/double-pendulum.json", root ? root : ".");
    CHECK_OK(carom_scene_load(path, settings, count, &spec, &err), err);
    return sim_start(spec, 1);
}

#define PENDULUM_IN_FLIGHT                                                                                        \
    "bodies.B2.flexible.as=zone", "bodies.B2.flexible.modes={\"count\":20}",                                      \
        "bodies.B2.flexible.zone={\"box\":{\"low\":[0.1774,-1,-1],\"high\":[1,1,1]}}", "variables.t1=3.97426565", \
        "variables.t2=pi", "variables.w1=1.69419127", "variables.w2=7.06618229", "variables.end=0.091",           \
        "record.every=1e-4"

/* P3e: from B2 horizontal to the contact, after 0.090195 s with 3 and 10 rad/s. */
TEST(constraint_flight, pendulum_of_the_paper_flies_to_its_contact)
{
    static const char *const settings[] = { PENDULUM_IN_FLIGHT, NULL };
    const double pi = 3.14159265358979323846;
    sim s = start_pendulum(settings);
    double at = 0.0;
    while (sim_signal(&s, "contact.count") == 0.0 && sim_before(&s, 0.091)) {
        at = sim_time(&s);
        sim_step(&s, 0.091);
    }
    const carom_v3 x1 = sim_position(&s, "B1");
    const double t1 = atan2(x1.y, x1.x) + 2.0 * pi;
    printf("  %ld steps, touch at %.7f s, angle %.6f rad, w1 %.6f rad/s\n", s.steps, at, t1,
           sim_signal(&s, "B1.angular_velocity.z"));
    CHECK_NEAR(at, 0.090195, 3e-5);
    CHECK_NEAR(t1, 4.0 * pi / 3.0, 3e-4);
    CHECK_NEAR(sim_signal(&s, "B1.angular_velocity.z"), 3.0, 3e-3);
    sim_end(&s);
}

/* P3e: 19 implicit steps from a shape without vibration, over ground that is out of the way: 4 pi/3 and 5 pi/4 with 3 and 10 rad/s. Half the
 * step, a quarter of the error. */
TEST(constraint_flight, nineteen_steps_of_the_pendulum_are_second_order)
{
    const double pi = 3.14159265358979323846;
    const double end = 0.090195;
    const double exact[4] = { 4.0 * pi / 3.0, 5.0 * pi / 4.0, 3.0, 10.0 };
    const double within[4] = { 3e-4, 3e-4, 3e-3, 3e-3 };
    double off[3][4];
    for (int n = 0; n < 3; ++n) {
        char step[60];
        snprintf(step, sizeof step, "contact.flight_step=0.090195/%d", 19 << n);
        const char *const settings[] = { PENDULUM_IN_FLIGHT,
                                         "bodies.B2.flexible.initial=static",
                                         "variables.ground=-1",
                                         "contact.flight_rho=0.8",
                                         step,
                                         NULL };
        sim s = start_pendulum(settings);
        CHECK_LE(sim_signal(&s, "energy.elastic"), 1e-4);
        sim_advance(&s, end);
        const carom_v3 x1 = sim_position(&s, "B1");
        const carom_v3 x2 = { sim_signal(&s, "B2.center.x") - 2.0 * x1.x, sim_signal(&s, "B2.center.y") - 2.0 * x1.y,
                              0.0 };
        const double now[4] = { atan2(x1.y, x1.x) + 2.0 * pi, atan2(x2.y, x2.x) + 2.0 * pi,
                                sim_signal(&s, "B1.angular_velocity.z"), sim_signal(&s, "B2.angular_velocity.z") };
        for (int k = 0; k < 4; ++k) {
            off[n][k] = fabs(now[k] - exact[k]);
        }
        printf("  %ld steps: angles off by %.1e, %.1e rad, rates by %.1e, %.1e rad/s\n", s.steps, off[n][0],
               off[n][1], off[n][2], off[n][3]);
        CHECK(s.steps <= (19 << n) + 1);
        sim_end(&s);
    }
    for (int k = 0; k < 4; ++k) {
        CHECK_LE(off[0][k], within[k]);
        CHECK_NEAR(off[0][k] / off[1][k], 4.0, 0.4);
    }
    CHECK_NEAR(off[1][3] / off[2][3], 4.0, 0.4);
}

/* ---- rigid bodies ---- */

/* A ball between two walls, elastic: energy and momentum over a thousand changes of phase. Each wall gives back the momentum 2 m v. */
TEST(constraint_flight, a_ball_rattles_through_a_thousand_changes)
{
    static const char scene[] =
        "{\"carom\":1,\"gravity\":[0,0,0],\"time\":{\"end\":10,\"step\":1e-5},"
        "\"contact\":{\"method\":\"constraint\",\"restitution\":1,\"hold\":1e-4},\"bodies\":["
        "{\"name\":\"left\",\"fixed\":true,\"position\":[-0.05,0,0],\"shape\":{\"plane\":[1,0,0]}},"
        "{\"name\":\"right\",\"fixed\":true,\"position\":[0.05,0,0],\"shape\":{\"plane\":[-1,0,0]}},"
        "{\"name\":\"ball\",\"mass\":1,\"inertia\":[1e-4,1e-4,1e-4],\"velocity\":[4,1,0],\"shape\":{\"sphere\":0.01}}]}";
    sim s = sim_parse(scene, NULL);
    sim_advance(&s, 10.0);
    const carom_ledger l = sim_ledger(&s);
    printf("  %ld steps, %ld evaluations; energy off by %.2g J, handed over %.2g J, momentum off by %.2g N s\n",
           s.steps, s.evaluations, l.residue, l.lost_handover, sim_norm(l.momentum_residue));
    CHECK(s.evaluations < 100000); /* explicit steps alone: a million */
    CHECK_NEAR(fabs(sim_signal(&s, "ball.velocity.x")), 4.0, 1e-9);
    CHECK_NEAR(sim_signal(&s, "ball.velocity.y"), 1.0, 1e-12);
    CHECK_LE(fabs(l.residue), 1e-9);
    CHECK_LE(fabs(l.lost_handover), 1e-9);
    CHECK_LE(sim_norm(l.momentum_residue), 1e-9);
    sim_end(&s);
}

TEST(constraint_flight, nodal_coordinates_do_not_fly)
{
    static const char *const settings[] = { "contact.hold=1e-4", NULL };
    carom_spec *spec = scene_read("constraint_rattle.json", settings);
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
    CHECK(strstr(err.message, "nodal coordinates") != NULL && strstr(err.message, "'rod'") != NULL);
    carom_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(constraint_flight, a_strip_that_bounces_flies),
        RUN_TEST(constraint_flight, scale_changes_nothing),
        RUN_TEST(constraint_flight, copies_go_on_alike_in_both_phases),
        RUN_TEST(constraint_flight, a_failed_step_leaves_the_state_alone),
        RUN_TEST(constraint_flight, pendulum_of_the_paper_flies_to_its_contact),
        RUN_TEST(constraint_flight, nineteen_steps_of_the_pendulum_are_second_order),
        RUN_TEST(constraint_flight, a_ball_rattles_through_a_thousand_changes),
        RUN_TEST(constraint_flight, nodal_coordinates_do_not_fly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
