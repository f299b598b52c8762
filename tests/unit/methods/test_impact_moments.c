/* Method "impact" at single moments: what is refused before a run and within it, when slip begins, gaps that stay closed. */
#include "support/impact_run.h"

/* ---- what is refused ------------------------------------------------------------------------------------------------- */

/* The first status that is not OK on the way to t; err says why. */
static carom_status run_until_refused(const char *scene, double t, carom_error *err)
{
    sim s = sim_parse(scene, NULL);
    carom_status status = carom_check_start(s.model, s.state, s.scratch, err);
    for (int k = 0; status == CAROM_OK && sim_before(&s, t); ++k) {
        CHECK(k < 100000);
        status = carom_step(s.model, s.state, s.scratch, t - sim_time(&s), NULL, err);
    }
    sim_end(&s);
    return status;
}

TEST(refused, a_start_inside_each_other)
{
    const char *const deep =
        "{ \"carom\": 1, \"time\": {\"end\": 1}, \"contact\": {\"method\": \"impact\"}, \"bodies\": ["
        " {\"name\": \"one\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1},"
        " {\"name\": \"two\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [0.19, 0, 0]} ] }";
    const char *const touching =
        "{ \"carom\": 1, \"time\": {\"end\": 1}, \"contact\": {\"method\": \"impact\"}, \"bodies\": ["
        " {\"name\": \"one\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1},"
        " {\"name\": \"two\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [0.19999999, 0, 0]} ] }";
    carom_error err = { 0 };
    CHECK_EQ(run_until_refused(deep, 0.1, &err), CAROM_INTERSECTING);
    CHECK_CONTAINS(err.message, "'one' and 'two' start 0.01 m inside each other");
    CHECK_EQ(run_until_refused(touching, 0.1, &err), CAROM_OK);
}

/* A ram moves at 0.5 m/s against a ball, from 5 mm, and that 5 mm before a wall. */
TEST(refused, bodies_that_are_squeezed)
{
    const char *const scene =
        "{ \"carom\": 1, \"time\": {\"end\": 1}, \"contact\": {\"method\": \"impact\", \"restitution\": 0}, "
        "\"bodies\": ["
        " {\"name\": \"ram\", \"shape\": {\"box\": [0.2, 0.2, 0.2]}, \"motion\": {\"position\": [\"0.5*t\", 0, 0]}},"
        " {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [0.205, 0, 0]},"
        " {\"name\": \"wall\", \"shape\": {\"plane\": [-1, 0, 0]}, \"position\": [0.31, 0, 0], \"fixed\": true} ] }";
    carom_error err = { 0 };
    CHECK_EQ(run_until_refused(scene, 1.0, &err), CAROM_NOT_CONVERGED);
    CHECK_CONTAINS(err.message, "squeezed at t = 0.02 s");
    CHECK_CONTAINS(err.message, "'ram'");
    CHECK_CONTAINS(err.message, "'wall'");
}

/* The block is free, but for a joint that leaves it nothing: no impulse moves it. */
TEST(refused, motion_against_what_cannot_move)
{
    const char *const scene =
        "{ \"carom\": 1, \"time\": {\"end\": 1}, \"contact\": {\"method\": \"impact\", \"restitution\": 0}, "
        "\"bodies\": ["
        " {\"name\": \"ram\", \"shape\": {\"box\": [0.2, 0.2, 0.2]}, \"motion\": {\"position\": [\"0.5*t\", 0, 0]}},"
        " {\"name\": \"block\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [0.205, 0, 0]} ],"
        " \"joints\": [{\"name\": \"weld\", \"type\": \"fixed\", \"bodies\": [\"ground\", \"block\"]}] }";
    carom_error err = { 0 };
    CHECK_EQ(run_until_refused(scene, 1.0, &err), CAROM_NOT_CONVERGED);
    CHECK_CONTAINS(err.message, "a prescribed motion drives 'ram' and 'block' into each other at t = 0.01 s");
}

/* ---- friction -------------------------------------------------------------------------------------------------------- */

/* Pulled by 10 t newtons, 1 kg holds on a table with mu = 0.5 until t = 0.5 s, and is faster by (10 t - 5)^2 / 20 then. */
TEST(slip, begins_when_the_cone_is_reached)
{
    impact_run r = run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, -10], \"time\": {\"end\": 1},"
        " \"contact\": {\"method\": \"impact\", \"friction\": 0.5},"
        " \"bodies\": [ {\"name\": \"table\", \"shape\": {\"plane\": [0, 0, 1]}, \"fixed\": true},"
        "   {\"name\": \"block\", \"shape\": {\"box\": [1, 1, 0.02]}, \"mass\": 1, \"position\": [0, 0, 0.01]} ],"
        " \"forces\": [ {\"name\": \"pull\", \"type\": \"load\", \"body\": \"block\", \"force\": [\"10*t\", 0, 0]} ] "
        "}");
    run_to(&r, 1.0);
    const carom_event *begins = run_last_event_of(&r, CAROM_EVENT_SLIP);
    CHECK(begins != NULL);
    CHECK_NEAR(begins->t, 0.5, 1e-6);
    CHECK_NEAR(sim_signal(&r.s, "block.velocity.x"), 25.0 / 20.0, 1e-6);
    run_end(&r);
}

/* ---- drift ----------------------------------------------------------------------------------------------------------- */

/* A ball slides down another one without friction, coarsely integrated: the gap does not follow the integrator's errors. */
TEST(drift, a_gap_stays_closed_whatever_the_tolerance)
{
    impact_run r = run_start("{ \"carom\": 1, \"gravity\": [0, 0, -10], \"time\": {\"end\": 1, \"tolerance\": 1e-3},"
                             " \"contact\": {\"method\": \"impact\"},"
                             " \"bodies\": [ {\"name\": \"hill\", \"shape\": {\"sphere\": 1.0}, \"fixed\": true},"
                             "   {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1,"
                             "    \"position\": [%.17g, 0, %.17g], \"velocity\": [%.17g, 0, %.17g]} ] }",
                             1.1 * sin(0.1), 1.1 * cos(0.1), 0.1 * cos(0.1), -0.1 * sin(0.1));
    double worst = 0.0;
    int touching = 0;
    while (sim_before(&r.s, 0.5)) {
        run_step(&r, 0.5);
        if (sim_signal(&r.s, "contact.count") > 0.0) {
            worst = fmax(worst, fabs(sim_norm(sim_position(&r.s, "ball")) - 1.1));
            ++touching;
        }
    }
    print_message("%d steps in touch, gap at most %.1e m\n", touching, worst);
    CHECK_GE((double)touching, 5.0);
    CHECK_LE(worst, 1e-11);
    run_end(&r);
}

/* ---- events ---------------------------------------------------------------------------------------------------------- */

/* A journal that swings in its bearing, omega = 100 rad/s, and would be beyond the wall for a moment only: by a thousandth of
 * the play, for a seventieth of the period. Steps are longer than that. */
TEST(touch, of_a_journal_that_comes_back_by_itself)
{
    const double play = 1e-3;
    for (int k = 0; k < 20; ++k) {
        double offset = 0.02 * k; /* it begins that long before it passes the middle, in units of 1/omega */
        impact_run r = run_start(
            "{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 0.02, \"step\": 1, \"tolerance\": 1e-4},"
            " \"contact\": {\"method\": \"impact\", \"restitution\": 1},"
            " \"bodies\": [ {\"name\": \"shaft\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [%.17g, 0, 0],"
            "   \"velocity\": [%.17g, 0, 0]} ],"
            " \"joints\": [ {\"name\": \"bearing\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"shaft\"],"
            "   \"at\": [0, 0, 0], \"at_b\": [%.17g, 0, 0], \"clearance\": {\"play\": %.17g, \"radius\": 0.02}} ],"
            " \"forces\": [ {\"name\": \"soft\", \"type\": \"bushing\", \"bodies\": [\"ground\", \"shaft\"],"
            "   \"at\": [0, 0, 0], \"at_b\": [%.17g, 0, 0], \"stiffness\": [1e4, 1e4, 0]} ] }",
            -1.001 * play * sin(offset), 1.001 * play * 100.0 * cos(offset), -1.001 * play * sin(offset), play,
            -1.001 * play * sin(offset));
        run_to(&r, 0.02);
        const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
        CHECK(hit != NULL);
        CHECK_NEAR(hit->t, 0.01 * (offset + asin(1.0 / 1.001)), 1e-5);
        run_end(&r);
    }
}

/* ---- the ledger ------------------------------------------------------------------------------------------------------ */

/* A rod falls on one end, far from the origin: the floor's impulse explains how both momenta jump. */
TEST(ledger, explains_both_momenta_of_a_blow)
{
    impact_run r = run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, -10], \"time\": {\"end\": 1, \"tolerance\": 1e-9},"
        " \"contact\": {\"method\": \"impact\", \"restitution\": 0.5},"
        " \"bodies\": [ {\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"fixed\": true},"
        "   {\"name\": \"rod\", \"shape\": {\"capsule\": {\"radius\": 0.05, \"length\": 1}},"
        "    \"mass\": 2, \"position\": [3, -2, 0.6], \"orientation\": {\"axis\": [0, 1, 0], \"angle\": 0.6},"
        "    \"velocity\": [0, 0, -4]} ] }");
    run_to(&r, 0.3);
    CHECK_GE((double)run_count(&r, CAROM_EVENT_IMPACT), 1.0);
    carom_ledger ledger = sim_ledger(&r.s);
    CHECK_LE(sim_norm(ledger.momentum_residue), 1e-7);
    CHECK_LE(sim_norm(ledger.angular_momentum_residue), 1e-7);
    CHECK_GE(sim_norm(ledger.angular_momentum), 0.5);
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(refused, a_start_inside_each_other),
        RUN_TEST(refused, bodies_that_are_squeezed),
        RUN_TEST(refused, motion_against_what_cannot_move),
        RUN_TEST(slip, begins_when_the_cone_is_reached),
        RUN_TEST(drift, a_gap_stays_closed_whatever_the_tolerance),
        RUN_TEST(ledger, explains_both_momenta_of_a_blow),
        RUN_TEST(touch, of_a_journal_that_comes_back_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
