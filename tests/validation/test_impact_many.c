/* Many impacts at one instant that have nothing to do with each other: each ends as it would alone, however many there are.
 * References are closed forms: a ball on a floor, with and without friction, two balls that meet, a cradle. */
#include "support/impact_run.h"

static const double DROP = 0.5; /* [m] */
static const double G = 9.81;

/* ---- balls on a floor --------------------------------------------------------------------------------------------------- */

typedef struct shower {
    int count;
    double e, mu;
    double vx; /* [m/s] along the row, without spin */
} shower;

static impact_run start_shower(const shower *s)
{
    return run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.5},"
        "  \"contact\": {\"method\": \"impact\", \"restitution\": %.17g, \"friction\": {\"coulomb\": {\"mu\": "
        "%.17g}}},"
        "  \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
        "    {\"name\": \"b$index\", \"repeat\": {\"count\": %d, \"line\": [0.75, 0, 0]}, \"mass\": 0.7,"
        "     \"shape\": {\"sphere\": 0.05}, \"position\": [0, 0, 0.55], \"velocity\": [%.17g, 0, 0]}] }",
        s->e, s->mu, s->count, s->vx);
}

/* [m/s] along the floor after the impact: the ball rolls on, or friction has not sufficed for that. */
static double along_after(const shower *s, double vn)
{
    double most = s->mu * (1.0 + s->e) * vn;
    double rolls = 2.0 / 7.0 * fabs(s->vx);
    return s->vx - copysign(fmin(most, rolls), s->vx);
}

static void check_shower(const shower *s)
{
    impact_run r = start_shower(s);
    carom_ledger before = sim_ledger(&r.s);
    double end = 1.2 * sqrt(2.0 * DROP / G);
    double vn = sqrt(2.0 * G * DROP);
    double since = end - vn / G;
    double off = 0.0;
    double spread = 0.0;
    run_to(&r, end);
    carom_v3 first = carom_state_velocity(r.s.model, r.s.state, 2);
    for (int k = 0; k < s->count; ++k) {
        carom_v3 v = carom_state_velocity(r.s.model, r.s.state, 2 + k);
        off = fmax(off, fmax(fabs(v.z - (s->e * vn - G * since)), fabs(v.x - along_after(s, vn))));
        spread = fmax(spread, fmax(fabs(v.z - first.z), fabs(v.x - first.x)));
    }
    double vx = along_after(s, vn);
    double turning = 0.5 * 2.5 * (s->vx - vx) * (s->vx - vx); /* with r omega = (vx - before) m / 0.4 m */
    double lost = 0.7 * s->count * (0.5 * (1.0 - s->e * s->e) * vn * vn + 0.5 * (s->vx * s->vx - vx * vx) - turning);
    double energy = before.kinetic + 0.7 * s->count * G * DROP;
    double mark = s->e == 1.0 && s->mu == 0.0 ? 1e-12 : 1e-10; /* else the gap at which surfaces touch counts */
    double ledger = sim_ledger(&r.s).lost_impact;
    printf("\n%d balls at once, e = %g, mu = %g\n", s->count, s->e, s->mu);
    table_mark("velocities off the closed form [m/s]", off, 1e-9);
    table_mark("one ball unlike another [m/s]", spread, 1e-11);
    table_mark("energy lost off the closed form, of all", fabs(ledger - lost) / energy, mark);
    CHECK_NEAR((double)run_count(&r, CAROM_EVENT_IMPACT), (double)s->count, 0.0);
    CHECK_LE(off, 1e-9);
    CHECK_LE(spread, 1e-11);
    CHECK_LE(fabs(ledger - lost), mark * energy);
    run_end(&r);
}

TEST(impact_many, every_ball_of_a_shower_bounces)
{
    const shower showers[] = {
        { 39, 1.0, 0.0, 0.0 },  { 40, 1.0, 0.0, 0.0 },  { 41, 1.0, 0.0, 0.0 },   { 42, 0.25, 0.0, 0.0 },
        { 200, 1.0, 0.0, 0.0 }, { 201, 0.5, 0.0, 2.0 }, { 120, 1.0, 0.05, 3.0 }, { 120, 0.8, 0.4, -1.0 },
        { 700, 1.0, 0.0, 0.0 }, { 450, 0.3, 0.1, 1.5 },
    };
    for (size_t k = 0; k < sizeof showers / sizeof *showers; ++k) {
        check_shower(&showers[k]);
    }
}

/* ---- pairs in flight, one of them in a cradle ----------------------------------------------------------------------------- */

enum { PAIRS_TEXT = 60000 };

static size_t add_ball(char *text, size_t n, const char *name, int k, double mass, double x, double y, double v)
{
    return n + (size_t)snprintf(text + n, PAIRS_TEXT - n,
                                "%s{\"name\": \"%s%d\", \"shape\": {\"sphere\": 0.0625}, \"mass\": %.17g,"
                                " \"position\": [%.17g, %.17g, 0], \"velocity\": [%.17g, 0, 0]}",
                                n > 0 ? ", " : "", name, k, mass, x, y, v);
}

/* Pairs along y: a ball at speed 1 meets one at rest whose mass differs from pair to pair; a cradle of five among them. */
static impact_run start_pairs(int pairs, double e, const char *rule, int cradle_at)
{
    char *bodies = malloc(PAIRS_TEXT);
    char *text = malloc(PAIRS_TEXT + 512);
    size_t n = 0;
    CHECK(bodies && text);
    bodies[0] = '\0';
    for (int k = 0; k < pairs; ++k) {
        if (k == cradle_at) {
            for (int i = 0; i < 5; ++i) {
                n = add_ball(bodies, n, "c", i, 1.0, 0.125 * i - (i == 0 ? 0.125 : 0.0), -1.0, i == 0 ? 1.0 : 0.0);
            }
        }
        n = add_ball(bodies, n, "a", k, 1.0, -0.125, 0.5 * k, 1.0);
        n = add_ball(bodies, n, "b", k, 0.25 + 0.125 * (k % 16), 0.125, 0.5 * k, 0.0);
    }
    CHECK(n < PAIRS_TEXT);
    snprintf(text, PAIRS_TEXT + 512,
             "{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 0.25}, \"bodies\": [%s],"
             " \"contact\": {\"method\": \"impact\", \"restitution\": %.17g, \"several\": \"%s\"} }",
             bodies, e, rule);
    impact_run r = run_watch(sim_parse(text, NULL));
    free(bodies);
    free(text);
    return r;
}

static double velocity_of(const impact_run *r, const char *name, int k)
{
    char body[32];
    snprintf(body, sizeof body, "%s%d", name, k);
    return run_velocity(r, body).x;
}

static void check_pairs(int pairs, double e, const char *rule, int cradle_at)
{
    impact_run r = start_pairs(pairs, e, rule, cradle_at);
    impact_run alone = start_pairs(1, e, rule, cradle_at >= 0 ? 0 : -1);
    double off = 0.0;
    double cradle = 0.0;
    run_to(&r, 0.25);
    run_to(&alone, 0.25);
    for (int k = 0; k < pairs; ++k) {
        double share = 1.0 / (1.25 + 0.125 * (k % 16));
        off = fmax(off, fabs(velocity_of(&r, "b", k) - (1.0 + e) * share));
        off = fmax(off, fabs(velocity_of(&r, "a", k) - (1.0 - (1.0 + e) * (1.0 - share))));
    }
    for (int i = 0; cradle_at >= 0 && i < 5; ++i) {
        cradle = fmax(cradle, fabs(velocity_of(&r, "c", i) - velocity_of(&alone, "c", i)));
    }
    printf("\n%d pairs at once, e = %g, %s%s\n", pairs, e, rule, cradle_at >= 0 ? ", a cradle among them" : "");
    table_mark("velocities off the closed form [m/s]", off, 1e-12);
    table_mark("cradle unlike one without others [m/s]", cradle, 1e-12);
    CHECK_LE(off, 1e-12);
    CHECK_LE(cradle, 1e-12);
    run_check(&r, 1e-12);
    run_end(&r);
    run_end(&alone);
}

TEST(impact_many, pairs_and_a_cradle_know_nothing_of_each_other)
{
    check_pairs(45, 1.0, "sharing", -1);
    check_pairs(90, 0.6, "together", -1);
    check_pairs(60, 1.0, "sharing", 0);
    check_pairs(60, 0.7, "sequential", 30);
    check_pairs(60, 1.0, "sequential", 59);
}

/* ---- what hardly has to do with each other ------------------------------------------------------------------------------ */

/* Four balls strike a free block at once, as one body of their mass would: coupled by the m/M of their masses, which from
 * 1e-8 down to 1e-14 passes what counts as coupled at all. */
static void check_heavy_block(double ratio, double e, const char *rule)
{
    const double mass = 4.0 / ratio;
    impact_run r =
        run_start("{ \"carom\": 1, \"time\": {\"end\": 0.2},"
                  "  \"contact\": {\"method\": \"impact\", \"restitution\": %.17g, \"several\": \"%s\"},"
                  "  \"bodies\": [{\"name\": \"block\", \"mass\": %.17g, \"shape\": {\"box\": [2, 2, 1]}},"
                  "    {\"name\": \"b$index\", \"repeat\": {\"count\": 4, \"circle\": {\"axis\": [0, 0, 1]}},"
                  "     \"mass\": 4, \"shape\": {\"sphere\": 0.0625}, \"position\": [0.5, 0, 0.6875],"
                  "     \"velocity\": [0, 0, -1]}] }",
                  e, rule, mass);
    run_to(&r, 0.2);
    double after = (e * mass - 16.0) / (16.0 + mass);
    double off = 0.0;
    for (int k = 0; k < 4; ++k) {
        off = fmax(off, fabs(carom_state_velocity(r.s.model, r.s.state, 2 + k).z - after));
    }
    double lost = (1.0 - e * e) * 0.5 * 16.0 * mass / (16.0 + mass);
    CHECK_LE(off, 1e-10);
    CHECK_NEAR(sim_ledger(&r.s).lost_impact, lost, 1e-10 * 8.0);
    CHECK_NEAR((double)run_count(&r, CAROM_EVENT_IMPACT), 4.0, 0.0);
    run_end(&r);
}

TEST(impact_many, balls_on_a_block_that_hardly_couples_them_bounce_as_if_alone)
{
    for (int k = 8; k <= 14; ++k) {
        for (int half = 0; half < 2; ++half) {
            double ratio = pow(10.0, -k - 0.5 * half);
            check_heavy_block(ratio, 1.0, "sharing");
            check_heavy_block(1.02 * ratio, 0.6, "together");
            check_heavy_block(0.98 * ratio, 1.0, "together");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(impact_many, every_ball_of_a_shower_bounces),
        RUN_TEST(impact_many, pairs_and_a_cradle_know_nothing_of_each_other),
        RUN_TEST(impact_many, balls_on_a_block_that_hardly_couples_them_bounce_as_if_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
