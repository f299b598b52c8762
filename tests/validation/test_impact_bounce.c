/* Single balls under the method "impact": the bouncing ball that comes to rest, spinning balls against a plane,
 * balls that just pass a corner or just hit it, things too fast and too thin to be seen between steps, stops of joints.
 * All references are closed forms, written beside the rows. */
#include "support/impact_run.h"
#include "support/scene_file.h"

static const double G = 9.81;

/* ---- the bouncing ball ------------------------------------------------------------------------------------------- */

#define BALL                                                                                          \
    "{ \"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 6, \"preset\": \"accurate\"},"   \
    " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 1, 0]}},"       \
    "  {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [0, 1.1, 0]} ]," \
    " \"contact\": {\"method\": \"impact\", \"restitution\": %.17g%s} }"

/* Falls from 1 m: first contact sqrt(2h/g), all flights end at that times (1+e)/(1-e), path h (1+e^2)/(1-e^2). */
static void check_ball(double e, const char *more)
{
    impact_run r = run_start(BALL, e, more);
    double first = sqrt(2.0 / G);
    double end = first * (1.0 + e) / (1.0 - e);
    run_to(&r, 1.1 * end);
    const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
    const carom_event *rest = run_event_of(&r, CAROM_EVENT_REST, 0);
    CHECK(hit && rest);
    double path = 1.0;
    for (size_t k = 0; k < run_count(&r, CAROM_EVENT_IMPACT); ++k) {
        double v = run_event_of(&r, CAROM_EVENT_IMPACT, k)->speed_after;
        path += v * v / G;
    }
    table_head("bouncing ball");
    CHECK_LE(table_row("first contact [s]", hit->t, first), 1e-12);
    /* Flights lower than the gap at which surfaces count as touching (some 1e-14 m) are not flown: what they would have
     * taken together is some 1e-7 s. */
    CHECK_LE(table_row("accumulation [s]", rest->t, end), 1e-6);
    CHECK_LE(table_row("path [m]", path, (1.0 + e * e) / (1.0 - e * e)), 1e-10);
    CHECK_EQ(run_count(&r, CAROM_EVENT_REST), 1);
    size_t events = r.count;
    run_to(&r, 6.0);
    CHECK_EQ(r.count, events); /* at rest for good */
    CHECK_LE(table_row("height at rest [m]", sim_position(&r.s, "ball").y, 0.1), 1e-12);
    CHECK_LE(sim_norm(run_velocity(&r, "ball")), 1e-14);
    run_check(&r, 1e-12);
    run_end(&r);
}

TEST(bounce, a_ball_comes_to_rest_where_infinitely_many_impacts_end)
{
    check_ball(0.8, "");
    check_ball(0.5, "");
    check_ball(0.5, ", \"restitution_law\": \"poisson\"");
    check_ball(0.5, ", \"restitution_law\": \"newton\", \"friction\": {\"coulomb\": 0.3}");
}

/* ---- spinning balls ------------------------------------------------------------------------------------ */

typedef struct spin_row {
    double mu, e, vx, vy, vn, om;
} spin_row;

/* Solid sphere, R = 0.05; the slip at the lowest point is vx - R om_y. It holds iff |slip| <= 3.5 mu (1+e) |vn|. */
static void check_spin(spin_row row, const char *law)
{
    const double R = 0.05;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 0.02},"
                  " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  "  {\"name\": \"ball\", \"shape\": {\"sphere\": 0.05}, \"mass\": 1, \"position\": [0, 0, 0.06],"
                  "   \"velocity\": [%.17g, %.17g, %.17g], \"angular_velocity\": [0, %.17g, 0]} ],"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": %.17g, \"restitution_law\": \"%s\","
                  "  \"friction\": {\"coulomb\": %.17g}} }",
                  row.vx, row.vy, row.vn, -row.om, row.e, law, row.mu);
    run_to(&r, 0.02);
    double sx = row.vx + R * row.om;
    double sy = row.vy;
    double slip = hypot(sx, sy);
    double most = row.mu * (1.0 + row.e) * fabs(row.vn);
    double change = slip <= 3.5 * most ? 2.0 / 7.0 * slip : most;
    carom_v3 v = run_velocity(&r, "ball");
    carom_v3 w = run_spin(&r, "ball");
    CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 1);
    CHECK_LE(table_row("vx", v.x, row.vx - change * sx / slip), 1e-12);
    CHECK_LE(table_row("vy", v.y, row.vy - change * sy / slip), 1e-12);
    CHECK_LE(table_row("vn", v.z, -row.e * row.vn), 1e-12);
    CHECK_LE(table_row("spin", -w.y, row.om - change * sx / slip / (0.4 * R)), 1e-10);
    run_check(&r, 1e-13);
    run_end(&r);
}

TEST(bounce, spin_and_friction_exchange_as_coulomb_says)
{
    static const spin_row rows[] = { { 0.2, 0.8, 3, 0, -4, 0 },   { 0.1, 0.8, 3, 0, -4, 0 },
                                     { 0.4, 0.6, 1, 0, -2, -60 }, { 0.2, 0.8, 0, 0, -4, 100 },
                                     { 0.05, 0.8, 3, 1, -4, 0 },  { 0.2, 0.8, 3, 1, -4, 0 } };
    static const char *const laws[] = { "energetic", "poisson", "newton" };
    for (size_t l = 0; l < 3; ++l) {
        for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
            table_head(laws[l]);
            check_spin(rows[k], laws[l]);
        }
    }
}

/* ---- just passing, just hitting ----------------------------------------------------------------------------------- */

/* A ball that flies along x past a corner of a box, its path `beyond` [m] outside of touching. */
static size_t impacts_passing(const char *obstacle, double y, double z, double speed)
{
    impact_run r = run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": %.17g, \"step\": %.17g},"
        " \"bodies\": [ {\"name\": \"block\", \"fixed\": true, \"shape\": %s},"
        "  {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [-1, %.17g, %.17g],"
        "   \"velocity\": [%.17g, 0, 0]} ],"
        " \"contact\": {\"method\": \"impact\", \"restitution\": 0.5} }",
        2.0 / speed, 1.0 / speed, obstacle, y, z, speed);
    run_to(&r, 2.0 / speed);
    size_t n = run_count(&r, CAROM_EVENT_IMPACT);
    run_check(&r, 1e-12);
    run_end(&r);
    return n;
}

static void check_graze(const char *what, const char *obstacle, double y, double z, double toward_y, double toward_z)
{
    static const double speeds[] = { 0.01, 1.0, 100.0 };
    printf("%s\n", what);
    for (int k = 0; k < 3; ++k) {
        CHECK_EQ(impacts_passing(obstacle, y - 1e-9 * toward_y, z - 1e-9 * toward_z, speeds[k]), 0);
        CHECK_EQ(impacts_passing(obstacle, y + 1e-9 * toward_y, z + 1e-9 * toward_z, speeds[k]), 1);
    }
}

TEST(bounce, a_nanometre_decides_between_hit_and_miss)
{
    double c = sqrt(0.5);
    check_graze("a ball", "{\"sphere\": 0.1}", 0.2, 0.0, -1.0, 0.0);
    check_graze("face of a box", "{\"box\": [0.2, 0.2, 0.2]}", 0.2, 0.0, -1.0, 0.0);
    check_graze("edge of a box", "{\"box\": [0.2, 0.2, 0.2]}", 0.1 + 0.1 * c, 0.1 + 0.1 * c, -c, -c);
    check_graze("capsule", "{\"capsule\": {\"radius\": 0.1, \"length\": 0.2}}", 0.2, 0.0, -1.0, 0.0);
}

/* ---- too fast, too thin ------------------------------------------------------------------------------------------- */

TEST(bounce, a_bullet_does_not_pass_a_thin_plate)
{
    static const char *const plates[] = { "{\"box\": [1e-4, 1, 1]}",
                                          "{\"cylinder\": {\"radius\": 1, \"length\": 1e-4}}" };
    static const char *const turns[] = { "[1, 0, 0, 0]", "{\"axis\": [0, 1, 0], \"angle\": \"pi/2\"}" };
    for (int k = 0; k < 2; ++k) {
        impact_run r =
            run_start("{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 0.01, \"step\": 0.01},"
                      " \"bodies\": [ {\"name\": \"plate\", \"shape\": %s, \"mass\": 1, \"orientation\": %s},"
                      "  {\"name\": \"bullet\", \"shape\": {\"sphere\": 1e-3}, \"mass\": 1, \"position\": [-5, 0, 0],"
                      "   \"velocity\": [1000, 0, 0]} ],"
                      " \"contact\": {\"method\": \"impact\", \"restitution\": 0} }",
                      plates[k], turns[k]);
        run_to(&r, 0.01);
        CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 1);
        CHECK_NEAR(run_event_of(&r, CAROM_EVENT_IMPACT, 0)->t, (5.0 - 1e-3 - 5e-5) / 1000.0, 1e-12);
        CHECK_NEAR(run_velocity(&r, "bullet").x, 500.0, 1e-9);
        CHECK_NEAR(run_velocity(&r, "plate").x, 500.0, 1e-9);
        CHECK_LE(r.momentum, 1e-10);
        run_check(&r, 1e-12);
        run_end(&r);
    }
}

/* Two spinning rods that cross; one sweeps over the other many times the size of a step away from it. */
TEST(bounce, fast_rods_meet_where_they_cross)
{
    impact_run r = run_start("%s", scene_text("impact_bounce/fast_rods_meet_where_they_cross.json"));
    run_to(&r, 0.05);
    /* The tip at distance 0.5 reaches x = 0.3 at the angle asin 0.6 from -z, or from +z half a turn later. */
    const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
    CHECK(hit != NULL);
    const double turned = 1e-7 / 100.0; /* the integrator turns the rod to 1e-7 rad */
    CHECK_NEAR(hit->t, asin(0.6) / 100.0, turned);
    /* Thrown back, its other half meets the upper tip of the bar, at (0.3, -0.1), from the other side. */
    const double pi = 3.14159265358979323846;
    CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 2);
    CHECK_NEAR(run_event_of(&r, CAROM_EVENT_IMPACT, 1)->t - hit->t, (pi + asin(0.6) - atan2(0.3, 0.1)) / 100.0,
               2.0 * turned);
    CHECK_NEAR(fabs(run_spin(&r, "rod").y), 100.0, 1e-8);
    run_check(&r, 1e-10);
    run_end(&r);
}

/* ---- stops of joints ---------------------------------------------------------------------------------------------- */

/* A slider falls on the stop of its guide: a bouncing ball by another name. */
TEST(bounce, a_joint_stop_knocks_and_holds)
{
    const double e = 0.5;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 3, \"preset\": \"accurate\"},"
                  " \"bodies\": [ {\"name\": \"b\", \"mass\": 2, \"inertia\": [1, 1, 1]} ],"
                  " \"joints\": [ {\"name\": \"guide\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"b\"], "
                  "\"at\": [0, 0, 0],"
                  "   \"axis\": [0, 0, 1], \"limits\": {\"min\": -1, \"max\": 10, \"restitution\": %g}} ],"
                  " \"contact\": {\"method\": \"impact\"} }",
                  e);
    double first = sqrt(2.0 / G);
    run_to(&r, 3.0);
    const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
    const carom_event *rest = run_event_of(&r, CAROM_EVENT_REST, 0);
    CHECK(hit && rest);
    CHECK_NEAR(hit->t, first, 1e-12);
    CHECK_NEAR(hit->speed_after, -e * hit->speed, 1e-12);
    CHECK_NEAR(rest->t, first * (1.0 + e) / (1.0 - e), 1e-6);
    CHECK_NEAR(sim_position(&r.s, "b").z, -1.0, 1e-12);
    run_check(&r, 1e-12);
    run_end(&r);
}

/* A swinging door against its stop: omega -> -e omega at the angle told, seen at the arm of a metre or a millimetre. */
TEST(bounce, a_swinging_stop_knocks_at_its_angle)
{
    impact_run r = run_start("%s", scene_text("impact_bounce/a_swinging_stop_knocks_at_its_angle.json"));
    run_to(&r, 2.0);
    const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
    CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 1); /* the next at 0.7 + 1.2 / 0.6 = 2.7 s */
    CHECK_NEAR(hit->t, 0.7, 1e-11);
    CHECK_NEAR(sim_signal(&r.s, "hinge.angle.rate"), -0.6, 1e-12);
    CHECK_NEAR(sim_signal(&r.s, "hinge.angle"), 0.7 - 0.6 * 1.3, 1e-10);
    run_check(&r, 1e-12);
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(bounce, a_ball_comes_to_rest_where_infinitely_many_impacts_end),
        RUN_TEST(bounce, spin_and_friction_exchange_as_coulomb_says),
        RUN_TEST(bounce, a_nanometre_decides_between_hit_and_miss),
        RUN_TEST(bounce, a_bullet_does_not_pass_a_thin_plate),
        RUN_TEST(bounce, fast_rods_meet_where_they_cross),
        RUN_TEST(bounce, a_joint_stop_knocks_and_holds),
        RUN_TEST(bounce, a_swinging_stop_knocks_at_its_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
