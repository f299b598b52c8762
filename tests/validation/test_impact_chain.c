/* A mechanism of ten links with many impacts: a hanging chain of rods with dry pins swings against a wall and a peg. No closed
 * form: what is checked are the laws, the joints, and that the answer does not depend on the tolerance until chaos sets in. */
#include "support/impact_run.h"

enum { LINKS = 10 };

/* Released at 60 degrees from the vertical; link k hangs from link k - 1. */
static impact_run start_chain(double tolerance, double e, double mu)
{
    char bodies[6000];
    char joints[4000];
    size_t n = 0;
    size_t m = 0;
    const double l = 0.1;
    const double q = 1.0471975511965976;
    for (int k = 0; k < LINKS; ++k) {
        double s = (k + 0.5) * l;
        n += (size_t)snprintf(
            bodies + n, sizeof bodies - n,
            ", {\"name\": \"l%d\", \"shape\": {\"capsule\": {\"radius\": 0.01, \"length\": 0.06}}, \"mass\": 0.1,"
            " \"position\": [%.17g, 0, %.17g], \"orientation\": {\"axis\": [0, 1, 0], \"angle\": %.17g}}",
            k, -s * sin(q), -s * cos(q), q);
        char before[16];
        snprintf(before, sizeof before, k > 0 ? "l%d" : "ground", k - 1);
        m += (size_t)snprintf(
            joints + m, sizeof joints - m,
            "%s{\"name\": \"j%d\", \"type\": \"revolute\", \"bodies\": [\"%s\", \"l%d\"], \"at\": [%.17g, 0, %.17g],"
            " \"axis\": [0, 1, 0]%s}",
            k > 0 ? ", " : "", k, before, k, -k * l * sin(q), -k * l * cos(q),
            mu > 0.0 ? ", \"friction\": {\"coefficient\": 0.1, \"radius\": 0.005}" : "");
    }
    return run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1.5, \"tolerance\": %g},"
                     " \"bodies\": [ {\"name\": \"wall\", \"fixed\": true, \"shape\": {\"plane\": [-1, 0, 0]}, "
                     "\"position\": [0.05, 0, 0]}%s ],"
                     " \"joints\": [ %s ], \"contact\": {\"method\": \"impact\", \"restitution\": %g%s} }",
                     tolerance, bodies, joints, e, mu > 0.0 ? ", \"friction\": {\"coulomb\": 0.2}" : "");
}

TEST(chain, ten_links_knock_against_a_wall)
{
    impact_run r = start_chain(1e-8, 0.5, 0.0);
    run_to(&r, 1.0);
    CHECK_GE((double)run_count(&r, CAROM_EVENT_IMPACT), 5.0);
    CHECK_LE(sim_ledger(&r.s).position_error, 1e-9);
    run_check(&r, 1e-6);
    run_end(&r);
}

TEST(chain, ten_links_with_dry_pins_knock_against_a_wall)
{
    impact_run r = start_chain(1e-8, 0.5, 0.2);
    run_to(&r, 0.8);
    CHECK_GE((double)run_count(&r, CAROM_EVENT_IMPACT), 3.0);
    CHECK_GE(sim_ledger(&r.s).lost_friction, 1e-6);
    run_check(&r, 1e-6);
    run_end(&r);
}

/* The first knock is well conditioned: two tolerances agree on when and how hard. */
TEST(chain, the_first_knock_does_not_depend_on_tolerances)
{
    double t[2], speed[2];
    for (int k = 0; k < 2; ++k) {
        impact_run r = start_chain(k == 0 ? 1e-8 : 1e-10, 0.5, 0.2);
        while (run_count(&r, CAROM_EVENT_IMPACT) == 0 && sim_before(&r.s, 1.5)) {
            run_step(&r, 1.5);
        }
        const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
        CHECK(hit != NULL);
        t[k] = hit->t;
        speed[k] = hit->speed;
        run_end(&r);
    }
    CHECK_LE(table_row("first knock [s]", t[0], t[1]), 1e-6);
    CHECK_LE(table_row("speed [m/s]", speed[0], speed[1]), 1e-4); /* the chain makes a thousand times more of it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(chain, ten_links_knock_against_a_wall),
        RUN_TEST(chain, ten_links_with_dry_pins_knock_against_a_wall),
        RUN_TEST(chain, the_first_knock_does_not_depend_on_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
