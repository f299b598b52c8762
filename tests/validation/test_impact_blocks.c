/* Blocks and round things that rock, tip, roll over edges and tumble to rest under the method "impact". */
#include "support/impact_run.h"
#include "support/scene_file.h"

static const double G = 9.81;

/* ---- Housner's rocking block [Housner1963] ---------------------------------------------------------------------------- */

typedef struct rocking {
    double b, h;   /* [m] half width, half height */
    double ratio;  /* of the angular velocities after and before */
    double needed; /* friction below which it slips */
} rocking;

static const rocking blocks[] = { { 0.1, 0.4, 0.911764706, 0.184615385 },
                                  { 0.25, 0.5, 0.7, 0.352941176 },
                                  { 0.2, 1.0, 0.942307692, 0.148514851 } };

/* Released at rest, leaning by `lean` on its right lower edge. */
static impact_run start_rocking(rocking k, double lean, double mu, const char *rule)
{
    double r = hypot(k.b, k.h);
    double at = atan2(k.b, k.h) - lean; /* of the centre from the vertical above the edge */
    return run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 20, \"preset\": \"accurate\"},"
                     " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                     "  {\"name\": \"block\", \"shape\": {\"box\": [%.17g, 0.3, %.17g]}, \"mass\": 3, \"position\": "
                     "[%.17g, 0, %.17g],"
                     "   \"orientation\": {\"axis\": [0, 1, 0], \"angle\": %.17g}} ],"
                     " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"several\": \"%s\", \"friction\": "
                     "{\"coulomb\": %.17g}} }",
                     2.0 * k.b, 2.0 * k.h, -r * sin(at), r * cos(at), lean, rule, mu);
}

/* The edge that lands does so at 2 b omega; the plate it lands on turns about it at omega'. */
static double next_ratio(impact_run *r, double b)
{
    size_t seen = run_count(r, CAROM_EVENT_IMPACT);
    while (run_count(r, CAROM_EVENT_IMPACT) == seen) {
        CHECK(sim_before(&r->s, 20.0));
        run_step(r, 20.0);
    }
    double fastest = 0.0;
    for (size_t k = 0; k < r->count; ++k) {
        const carom_event *e = &r->events[k];
        fastest = e->kind == CAROM_EVENT_IMPACT && e->t == sim_time(&r->s) ? fmax(fastest, -e->speed) : fastest;
    }
    return fabs(run_spin(r, "block").y) / (fastest / (2.0 * b));
}

static void check_rocking(rocking k, const char *rule)
{
    impact_run r = start_rocking(k, 0.5 * atan2(k.b, k.h), 0.6, rule);
    table_head("rocking block");
    for (int rock = 0; rock < 4; ++rock) {
        CHECK_LE(table_row("omega'/omega", next_ratio(&r, k.b), k.ratio), 2e-9);
        CHECK_LE(fabs(run_spin(&r, "block").x) + fabs(run_spin(&r, "block").z), 1e-9);
    }
    run_to(&r, 20.0);
    CHECK_LE(sim_norm(run_spin(&r, "block")), 1e-12);
    CHECK_LE(sim_norm(run_velocity(&r, "block")), 1e-12);
    CHECK_NEAR(sim_position(&r.s, "block").z, k.h, 1e-9);
    CHECK_NEAR(sim_position(&r.s, "block").y, 0.0, 1e-9);
    run_check(&r, 1e-8);
    run_end(&r);
}

TEST(blocks, a_rocking_block_loses_what_housner_says)
{
    for (int k = 0; k < 3; ++k) {
        check_rocking(blocks[k], "sharing");
    }
}

/* One after another is another matter: of the two corners of an edge one is struck first, and the block turns aside. */
TEST(blocks, a_rocking_block_is_the_same_when_all_are_struck_together)
{
    check_rocking(blocks[1], "together");
}

/* ---- edges --------------------------------------------------------------------------------------------------------- */

/* A block slides on a table without friction, its leading edge beyond the table's: as soon as its centre is past that, at
 * x = 1, it tips over; until then it moves uniformly. */
TEST(blocks, a_block_slides_off_a_table_and_tips_over)
{
    impact_run r = run_start("%s", scene_text("impact_blocks/a_block_slides_off_a_table_and_tips_over.json"));
    run_to(&r, 0.49);
    CHECK_LE(fabs(run_spin(&r, "block").y), 1e-9);
    CHECK_NEAR(sim_position(&r.s, "block").x, 0.99, 1e-9);
    CHECK_NEAR(sim_position(&r.s, "block").z, 0.05, 1e-9);
    run_to(&r, 0.6);
    CHECK_GE(run_spin(&r, "block").y, 0.05); /* forward */
    CHECK_LE(fabs(run_spin(&r, "block").x) + fabs(run_spin(&r, "block").z), 1e-9);
    run_to(&r, 1.2);
    CHECK_LE(sim_position(&r.s, "block").z, -0.3); /* it has fallen off */
    run_check(&r, 1e-7);
    run_end(&r);
}

/* ---- cylinders end on end --------------------------------------------------------------------------------------------- */

/* One slides on another of the same radius: it stops after v^2 / (2 mu g) and does not turn aside, and no search or solver
 * gives up although rims, barrels and ends are within rounding of each other all the time. */
TEST(blocks, a_cylinder_slides_on_a_cylinder)
{
    const double v = 0.2, mu = 0.3;
    const double angles[] = { 0.0, 0.1, 1.3 };
    for (int i = 0; i < 3; ++i) {
        impact_run r =
            run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.2},"
                      " \"contact\": {\"method\": \"impact\", \"restitution\": 0.5, \"friction\": "
                      "{\"coulomb\": %.17g}}, \"bodies\": ["
                      " {\"name\": \"a\", \"fixed\": true, \"shape\": {\"cylinder\": {\"radius\": 0.05, "
                      "\"length\": 0.1}}},"
                      " {\"name\": \"b\", \"shape\": {\"cylinder\": {\"radius\": 0.05, \"length\": 0.06}}, "
                      "\"mass\": 0.5, \"position\": [0.012, 0.003, 0.08], \"velocity\": [%.17g, %.17g, 0]} ] }",
                      mu, v * cos(angles[i]), v * sin(angles[i]));
        run_to(&r, 0.2);
        double way = v * v / (2.0 * mu * G);
        carom_v3 at = sim_position(&r.s, "b");
        CHECK_NEAR(at.x, 0.012 + way * cos(angles[i]), 1e-9);
        CHECK_NEAR(at.y, 0.003 + way * sin(angles[i]), 1e-9);
        CHECK_NEAR(at.z, 0.08, 1e-12);
        CHECK_LE(sim_norm(run_spin(&r, "b")), 1e-9);
        CHECK_EQ(r.fallbacks, 0);
        run_check(&r, 1e-7);
        run_end(&r);
    }
}

/* A cylinder that stands, set in motion about a point of its rim, is a pendulum about it: the foot on which it stands becomes
 * a point of the circle on the way. */
TEST(blocks, a_cylinder_tips_over_its_rim)
{
    const double R = 0.05, L = 0.2, spin = 4.5;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.2, \"preset\": "
                  "\"accurate\"}, \"contact\": {\"method\": \"impact\", \"restitution\": 0, "
                  "\"friction\": {\"coulomb\": 2}}, \"bodies\": ["
                  " {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  " {\"name\": \"can\", \"shape\": {\"cylinder\": {\"radius\": %.17g, \"length\": %.17g}}, "
                  "\"mass\": 0.5, \"position\": [0, 0, %.17g], \"velocity\": [%.17g, 0, %.17g],"
                  " \"angular_velocity\": [0, %.17g, 0]} ] }",
                  R, L, 0.5 * L, 0.5 * L * spin, R * spin, spin);
    double inertia = (3.0 * R * R + L * L) / 12.0 + R * R + 0.25 * L * L; /* per mass, about the point */
    for (int i = 1; i <= 20; ++i) {
        run_to(&r, 0.01 * i);
        carom_v3 at = sim_position(&r.s, "can");
        double now = run_spin(&r, "can").y;
        CHECK_NEAR(0.5 * inertia * (spin * spin - now * now), G * (at.z - 0.5 * L), 1e-9);
        CHECK_NEAR(hypot(at.x - R, at.z), hypot(R, 0.5 * L), 1e-9);
        CHECK_LE(fabs(at.y), 1e-12);
    }
    CHECK_EQ(r.fallbacks, 0);
    CHECK(r.s.steps <= 400);
    run_check(&r, 1e-8);
    run_end(&r);
}

/* One that leans falls back: the circle on which it stands becomes feet when it is nearly level, and never is below them. */
TEST(blocks, a_cylinder_that_leans_falls_back)
{
    const double R = 0.05, L = 0.2, lean = 0.03;
    double r = hypot(R, 0.5 * L), at = atan2(R, 0.5 * L) - lean;
    impact_run run =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.2, \"preset\": "
                  "\"accurate\"}, \"contact\": {\"method\": \"impact\", \"restitution\": 0, "
                  "\"friction\": {\"coulomb\": 2}}, \"bodies\": ["
                  " {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  " {\"name\": \"can\", \"shape\": {\"cylinder\": {\"radius\": %.17g, \"length\": %.17g}}, "
                  "\"mass\": 0.5, \"position\": [%.17g, 0, %.17g],"
                  " \"orientation\": {\"axis\": [0, 1, 0], \"angle\": %.17g}} ] }",
                  R, L, -r * sin(at), r * cos(at), lean);
    double inertia = (3.0 * R * R + L * L) / 12.0 + r * r; /* per mass, about the point */
    double last = 0.0;
    while (run_count(&run, CAROM_EVENT_IMPACT) == 0) {
        CHECK(sim_before(&run.s, 0.2));
        last = run_spin(&run, "can").y;
        double fallen = r * cos(at) - sim_position(&run.s, "can").z;
        CHECK_NEAR(0.5 * inertia * last * last, G * fallen, 1e-9);
        run_step(&run, 0.2);
    }
    CHECK_LE(last, -0.5);
    CHECK_NEAR(sim_position(&run.s, "can").z, 0.5 * L, 1e-9);
    CHECK_EQ(run.fallbacks, 0);
    CHECK(run.s.steps <= 200);
    run_check(&run, 1e-8);
    run_end(&run);
}

/* A heavy box falls on a light cylinder that leans a little: the cylinder is turned level at hundreds of rad/s, where the circle
 * on which it stood touches all around. It is struck there and does not swing through: nothing gains energy. */
TEST(blocks, a_cylinder_hit_from_above_lands_level)
{
    impact_run r = run_start("%s", scene_text("impact_blocks/a_cylinder_hit_from_above_lands_level.json"));
    carom_ledger l = sim_ledger(&r.s);
    double start = l.kinetic + l.potential;
    double most = start;
    while (sim_before(&r.s, 0.2009)) {
        run_step(&r, 0.2009);
        l = sim_ledger(&r.s);
        most = fmax(most, l.kinetic + l.potential);
    }
    printf("  %.3g J gained, of %.3g J that moves\n", most - start, r.swing);
    CHECK_LE(most - start, 1e-6 * r.swing);
    CHECK_LE(r.residue, 1e-4 * r.swing);
    run_end(&r);
}

/* A ball rolls slowly over the edge of a box: it turns about the edge as a pendulum until that lets go. */
TEST(blocks, a_ball_rolls_over_an_edge)
{
    const double R = 0.1;
    const double v = 0.05;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 3, \"preset\": \"accurate\"},"
                  " \"bodies\": [ {\"name\": \"table\", \"fixed\": true, \"shape\": {\"box\": [2, 1, 0.6]}, "
                  "\"position\": [0, 0, -0.3]},"
                  "  {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [0.95, 0, 0.1],"
                  "   \"velocity\": [%.17g, 0, 0], \"angular_velocity\": [0, %.17g, 0]} ],"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": {\"coulomb\": 2}} }",
                  v, v / R);
    run_to(&r, 0.999);
    CHECK_NEAR(sim_position(&r.s, "ball").x, 0.95 + v * 0.999, 1e-9);
    /* About the edge: 7/10 m R^2 q'^2 = 7/10 m v^2 + m g R (1 - cos q), while it holds and pushes. */
    double worst = 0.0;
    for (int k = 0; k < 40; ++k) {
        run_to(&r, 1.0 + 0.01 * k);
        double q = atan2(sim_position(&r.s, "ball").x - 1.0, sim_position(&r.s, "ball").z);
        if (q < 0.7) { /* cos q = 10/17 would be the end, were there no speed at the start */
            double rate = sqrt(v * v / (R * R) + 10.0 / 7.0 * G / R * (1.0 - cos(q)));
            worst = fmax(worst, fabs(run_spin(&r, "ball").y - rate));
        }
    }
    table_mark("rate about the edge [rad/s]", worst, 1e-6);
    CHECK_LE(worst, 1e-6);
    run_to(&r, 3.0);
    CHECK_LE(sim_position(&r.s, "ball").z, -1.0); /* gone */
    run_check(&r, 1e-8);
    run_end(&r);
}

/* ---- tumbling to rest ---------------------------------------------------------------------------------------------- */

static void check_tumble(const char *floor, const char *shape, const char *rule, double mu, double e)
{
    impact_run r = run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 6},"
                             " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, %s},"
                             "  {\"name\": \"box\", \"shape\": %s, \"mass\": 2, \"position\": [0, 0, 0.6],"
                             "   \"orientation\": {\"axis\": [0.6, 0, 0.8], \"angle\": 0.7}, \"velocity\": [0.5, "
                             "0.2, 0], \"angular_velocity\": [1, 3, 2]} ],"
                             " \"contact\": {\"method\": \"impact\", \"restitution\": %g, \"several\": \"%s\", "
                             "\"friction\": {\"coulomb\": %g}} }",
                             floor, shape, e, rule, mu);
    printf("%s on %s, %s, mu %g, e %g\n", shape, floor, rule, mu, e);
    fflush(stdout);
    run_to(&r, 6.0);
    run_check(&r, 1e-5);
    CHECK_LE(sim_norm(run_velocity(&r, "box")), 1e-10);
    CHECK_LE(sim_norm(run_spin(&r, "box")), 1e-10);
    run_end(&r);
}

#define PLANE "\"shape\": {\"plane\": [0, 0, 1]}"
#define BIG_BOX "\"shape\": {\"box\": [4, 4, 0.2]}, \"position\": [0, 0, -0.1]"

TEST(blocks, a_box_tumbles_to_rest)
{
    check_tumble(PLANE, "{\"box\": [0.4, 0.3, 0.2]}", "sharing", 0.5, 0.3);
    check_tumble(PLANE, "{\"box\": [0.4, 0.3, 0.2]}", "together", 0.5, 0.3);
    check_tumble(PLANE, "{\"box\": [0.4, 0.3, 0.2]}", "sequential", 0.5, 0.3);
    check_tumble(PLANE, "{\"box\": [0.4, 0.3, 0.2]}", "sharing", 0.1, 0.0);
    check_tumble(BIG_BOX, "{\"box\": [0.4, 0.3, 0.2]}", "sharing", 0.5, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(blocks, a_rocking_block_loses_what_housner_says),
        RUN_TEST(blocks, a_rocking_block_is_the_same_when_all_are_struck_together),
        RUN_TEST(blocks, a_block_slides_off_a_table_and_tips_over),
        RUN_TEST(blocks, a_cylinder_slides_on_a_cylinder),
        RUN_TEST(blocks, a_cylinder_tips_over_its_rim),
        RUN_TEST(blocks, a_cylinder_that_leans_falls_back),
        RUN_TEST(blocks, a_cylinder_hit_from_above_lands_level),
        RUN_TEST(blocks, a_ball_rolls_over_an_edge),
        RUN_TEST(blocks, a_box_tumbles_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
