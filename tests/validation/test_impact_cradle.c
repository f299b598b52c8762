/* Newton's cradle under the three rules for several contacts [Liu2008]: rigid bodies leave the result open, and every rule
 * has its own known answer. Balls of radius 0.05 in a row along x, in contact; the first ones arrive at speed 1. */
#include "support/impact_run.h"

enum { MOST = 5 };

typedef struct cradle {
    const char *rule;
    double exponent;
    int count;
    double e;
    double mass[MOST];
    double before[MOST];
    double after[MOST];
    double tolerance;
} cradle;

static const double EXACT = 1e-12;
static const double SIX = 2e-6; /* digits of the spec's numerical entries */

static const cradle cradles[] = {
    { "sequential", 1.5, 3, 1.0, { 1, 1, 1 }, { 1, 0, 0 }, { 0, 0, 1 }, EXACT },
    { "sequential", 1.5, 3, 0.5, { 1, 1, 1 }, { 1, 0, 0 }, { 0.203125, 0.234375, 0.5625 }, EXACT },
    { "sequential", 1.5, 5, 1.0, { 1, 1, 1, 1, 1 }, { 1, 0, 0, 0, 0 }, { 0, 0, 0, 0, 1 }, EXACT },
    { "sequential", 1.5, 5, 1.0, { 1, 1, 1, 1, 1 }, { 1, 1, 0, 0, 0 }, { 0, 0, 0, 1, 1 }, EXACT },
    { "sequential", 1.5, 3, 1.0, { 1, 2, 1 }, { 1, 0, 0 }, { -1.0 / 3, 2.0 / 9, 8.0 / 9 }, EXACT },
    { "together", 1.5, 3, 1.0, { 1, 1, 1 }, { 1, 0, 0 }, { -1.0 / 3, 2.0 / 3, 2.0 / 3 }, EXACT },
    { "together", 1.5, 3, 0.5, { 1, 1, 1 }, { 1, 0, 0 }, { 0, 0.5, 0.5 }, EXACT },
    { "together", 1.5, 5, 1.0, { 1, 1, 1, 1, 1 }, { 1, 0, 0, 0, 0 }, { -0.6, 0.4, 0.4, 0.4, 0.4 }, EXACT },
    { "together", 1.5, 5, 1.0, { 1, 1, 1, 1, 1 }, { 1, 1, 0, 0, 0 }, { -0.2, -0.2, 0.8, 0.8, 0.8 }, EXACT },
    { "together", 1.5, 3, 1.0, { 1, 2, 1 }, { 1, 0, 0 }, { -0.5, 0.5, 0.5 }, EXACT },
    { "sharing", 1.0, 3, 1.0, { 1, 1, 1 }, { 1, 0, 0 }, { -0.130262, 0.150230, 0.980032 }, SIX },
    { "sharing", 1.0, 3, 0.5, { 1, 1, 1 }, { 1, 0, 0 }, { 0.182735, 0.233984, 0.583281 }, SIX },
    { "sharing",
      1.0,
      5,
      1.0,
      { 1, 1, 1, 1, 1 },
      { 1, 0, 0, 0, 0 },
      { -0.132279, -0.075329, -0.031011, 0.296218, 0.942402 },
      SIX },
    { "sharing", 1.5, 3, 1.0, { 1, 1, 1 }, { 1, 0, 0 }, { -0.070952, 0.076403, 0.994549 }, SIX },
    { "sharing", 1.5, 3, 0.5, { 1, 1, 1 }, { 1, 0, 0 }, { 0.209235, 0.218779, 0.571985 }, SIX },
    { "sharing",
      1.5,
      5,
      1.0,
      { 1, 1, 1, 1, 1 },
      { 1, 0, 0, 0, 0 },
      { -0.071085, -0.030274, -0.014464, 0.127045, 0.988777 },
      SIX },
    /* A symmetric squeeze stays symmetric. */
    { "together", 1.5, 3, 0.5, { 1, 1, 1 }, { 1, 0, -1 }, { -0.5, 0, 0.5 }, EXACT },
    { "sharing", 1.5, 3, 0.5, { 1, 1, 1 }, { 1, 0, -1 }, { -0.5, 0, 0.5 }, 1e-9 },
};

static impact_run start_cradle(const cradle *c, const char *more)
{
    char bodies[4096];
    size_t n = 0;
    for (int k = 0; k < c->count; ++k) {
        n += (size_t)snprintf(
            bodies + n, sizeof bodies - n,
            "%s{\"name\": \"b%d\", \"shape\": {\"sphere\": 0.0625}, \"mass\": %.17g, \"position\": [%.17g, 0, 0],"
            " \"velocity\": [%.17g, 0, 0]}",
            k > 0 ? ", " : "", k, c->mass[k], 0.125 * k - 0.1 * c->before[k], c->before[k]);
    }
    return run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 0.2, \"preset\": \"accurate\"}, \"bodies\": "
        "[%s],"
        " \"contact\": {\"method\": \"impact\", \"restitution\": %.17g, \"several\": \"%s\", \"exponent\": %g%s} }",
        bodies, c->e, c->rule, c->exponent, more);
}

static void check_cradle(const cradle *c)
{
    impact_run r = start_cradle(c, "");
    double total = 0.0;
    run_to(&r, 0.2);
    table_head(c->rule);
    for (int k = 0; k < c->count; ++k) {
        char name[16];
        snprintf(name, sizeof name, "b%d", k);
        carom_v3 v = run_velocity(&r, name);
        CHECK_LE(table_row(name, v.x, c->after[k]), c->tolerance);
        CHECK_LE(fabs(v.y) + fabs(v.z), 1e-15);
        total += c->mass[k] * (v.x - c->before[k]);
    }
    CHECK_NEAR(total, 0.0, 1e-13);
    CHECK_LE(r.momentum, 1e-13);
    run_check(&r, 1e-10);
    run_end(&r);
}

TEST(cradle, every_rule_has_its_known_answer)
{
    for (size_t k = 0; k < sizeof cradles / sizeof *cradles; ++k) {
        check_cradle(&cradles[k]);
    }
}

/* Without restitution every rule ends at the common velocity. */
TEST(cradle, plastic_impacts_end_together)
{
    static const char *const rules[] = { "sequential", "together", "sharing" };
    for (int k = 0; k < 3; ++k) {
        cradle c = { rules[k], 1.5, 4, 0.0, { 1, 2, 3, 4 }, { 1, 0, 0, 0 }, { 0.1, 0.1, 0.1, 0.1 }, 1e-10 };
        check_cradle(&c);
    }
}

/* A ball dropped on one that rests on the floor: all rules, friction or not, keep momentum and never make energy. */
TEST(cradle, a_ball_on_a_ball_on_the_floor_comes_to_rest)
{
    static const char *const rules[] = { "sequential", "together", "sharing" };
    for (int k = 0; k < 3; ++k) {
        for (int friction = 0; friction < 2; ++friction) {
            impact_run r = run_start(
                "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 2},"
                " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                "  {\"name\": \"low\", \"shape\": {\"sphere\": 0.1}, \"mass\": 2, \"position\": [0, 0, 0.1]},"
                "  {\"name\": \"high\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [0, 0, 0.5]} ],"
                " \"contact\": {\"method\": \"impact\", \"restitution\": 0.5, \"several\": \"%s\"%s} }",
                rules[k], friction ? ", \"friction\": {\"coulomb\": 0.3}" : "");
            run_to(&r, 2.0);
            printf("%s\n", rules[k]);
            CHECK_LE(sim_norm(run_velocity(&r, "low")), 1e-9);
            CHECK_LE(sim_norm(run_velocity(&r, "high")), 1e-9); /* a ball on a ball: rounding grows, slowly */
            CHECK_NEAR(sim_position(&r.s, "high").z, 0.3, 1e-9);
            run_check(&r, 1e-8);
            run_end(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(cradle, every_rule_has_its_known_answer),
        RUN_TEST(cradle, plastic_impacts_end_together),
        RUN_TEST(cradle, a_ball_on_a_ball_on_the_floor_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
