/* Coulomb friction that lasts, under the method "impact": what holds on a slope, how far a block slides, when a ball begins
 * to roll, whether a screw locks itself, how a pendulum with a dry pin comes to rest. References are closed forms, or an
 * integration of the equation of motion written down here. */
#include "support/impact_run.h"

static const double G = 9.81;

/* ---- the slope ----------------------------------------------------------------------------------------------------- */

/* A block of half width 0.2 and half height 0.05 on a slope of 0.3 rad, at rest at the start. */
static impact_run start_slope(double mu, double speed, const char *shape, double height)
{
    const double alpha = 0.3;
    return run_start(
        "{ \"carom\": 1, \"gravity\": [%.17g, 0, %.17g], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
        " \"bodies\": [ {\"name\": \"slope\", \"fixed\": true, \"shape\": {\"box\": [40, 4, 1]}, \"position\": [0, "
        "0, -0.5]},"
        "  {\"name\": \"block\", \"shape\": %s, \"mass\": 2, \"position\": [0, 0, %.17g], \"velocity\": [%.17g, 0, "
        "0]} ],"
        " \"contact\": {\"method\": \"impact\", \"restitution\": 0.5, \"friction\": {\"coulomb\": %.17g}} }",
        G * sin(alpha), -G * cos(alpha), shape, height, speed, mu);
}

static bool holds(double mu)
{
    impact_run r = start_slope(mu, 0.0, "{\"box\": [0.4, 0.3, 0.1]}", 0.05);
    run_to(&r, 0.01);
    bool at_rest = sim_norm(run_velocity(&r, "block")) < 1e-12;
    run_check(&r, 1e-9);
    run_end(&r);
    return at_rest;
}

TEST(friction, a_slope_holds_from_the_tangent_of_its_angle)
{
    double low = 0.0;
    double high = 1.0;
    while (high - low > 1e-6) {
        double mu = 0.5 * (low + high);
        *(holds(mu) ? &high : &low) = mu;
    }
    table_head("slope of 0.3 rad");
    CHECK_LE(table_row("least mu that holds", high, tan(0.3)), 1e-6);
}

/* s = s0 + v t + g (sin a - mu cos a) t^2 / 2 while it slides. */
TEST(friction, a_block_slides_as_coulomb_says)
{
    impact_run r = start_slope(0.2, 1.0, "{\"box\": [0.4, 0.3, 0.1]}", 0.05);
    run_to(&r, 1.0);
    double a = G * (sin(0.3) - 0.2 * cos(0.3));
    CHECK_NEAR(sim_position(&r.s, "block").x, 1.0 + 0.5 * a, 1e-10);
    CHECK_NEAR(run_velocity(&r, "block").x, 1.0 + a, 1e-10);
    CHECK_NEAR(sim_signal(&r.s, "block.contact.force.z"), 2.0 * G * cos(0.3), 1e-8);
    run_check(&r, 1e-11);
    run_end(&r);
}

/* On the level it stops after v^2/(2 mu g), at v/(mu g), and stays. */
static void check_stop(const char *shape, double height, const char *more)
{
    const double v = 2.0;
    const double mu = 0.3;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
                  " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  "  {\"name\": \"block\", \"shape\": %s, \"mass\": 2, \"position\": [0, 0, %.17g], %s\"velocity\": "
                  "[%.17g, %.17g, 0]} ],"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": {\"coulomb\": %.17g}} }",
                  shape, height, more, 0.6 * v, 0.8 * v, mu);
    run_to(&r, 1.0);
    const carom_event *stick = run_event_of(&r, CAROM_EVENT_STICK, 0);
    double way = v * v / (2.0 * mu * G);
    table_head(shape);
    CHECK(stick != NULL);
    CHECK_LE(table_row("stops at [s]", stick->t, v / (mu * G)), 1e-8); /* slip of some 1e-8 m/s counts as none */
    CHECK_LE(table_row("x [m]", sim_position(&r.s, "block").x, 0.6 * way), 1e-9);
    CHECK_LE(table_row("y [m]", sim_position(&r.s, "block").y, 0.8 * way), 1e-9);
    CHECK_LE(sim_norm(run_velocity(&r, "block")), 1e-12);
    CHECK_LE(sim_norm(run_spin(&r, "block")), 1e-11);
    run_check(&r, 1e-10);
    run_end(&r);
}

TEST(friction, a_block_stops_after_its_way)
{
    check_stop("{\"box\": [0.6, 0.5, 0.1]}", 0.05, "");
    check_stop("{\"cylinder\": {\"radius\": 0.5, \"length\": 0.1}}", 0.05, "");
}

/* ---- the ball ------------------------------------------------------------------------------------------------------ */

/* Slides until t = 2v/(7 mu g), then rolls at 5v/7. */
TEST(friction, a_ball_slides_and_then_rolls)
{
    const double v = 1.0;
    const double mu = 0.2;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
                  " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  "  {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 2, \"position\": [0, 0, 0.1], "
                  "\"velocity\": [0.6, 0.8, 0]} ],"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": {\"coulomb\": %.17g}} }",
                  mu);
    run_to(&r, 1.0);
    double rolls = 2.0 * v / (7.0 * mu * G);
    double way = v * rolls - 0.5 * mu * G * rolls * rolls + 5.0 / 7.0 * v * (1.0 - rolls);
    const carom_event *stick = run_event_of(&r, CAROM_EVENT_STICK, 0);
    CHECK(stick != NULL);
    table_head("ball");
    CHECK_LE(table_row("rolls from [s]", stick->t, rolls), 1e-8); /* slip of some 1e-8 m/s counts as none */
    CHECK_LE(table_row("speed [m/s]", sim_norm(run_velocity(&r, "ball")), 5.0 / 7.0 * v), 1e-8);
    CHECK_LE(table_row("way [m]", hypot(sim_position(&r.s, "ball").x, sim_position(&r.s, "ball").y), way), 1e-8);
    CHECK_EQ(run_count(&r, CAROM_EVENT_STICK), 1);
    run_check(&r, 1e-10);
    run_end(&r);
}

/* Down a slope: a ball rolls while tan alpha <= 7 mu/2, at 5/7 g sin alpha; a cylinder while <= 3 mu, at 2/3. */
TEST(friction, round_things_roll_down_a_slope)
{
    static const char *const shapes[] = { "{\"sphere\": 0.1}", "{\"cylinder\": {\"radius\": 0.1, \"length\": 0.4}}",
                                          "{\"capsule\": {\"radius\": 0.1, \"length\": 0.4}}" };
    for (int k = 0; k < 3; ++k) {
        for (int grip = 0; grip < 2; ++grip) {
            double share = k == 0 ? 2.0 / 7.0 : k == 1 ? 1.0 / 3.0 : 0.0;
            double mu = (grip ? 1.01 : 0.5) * (k == 0 ? 2.0 / 7.0 : 1.0 / 3.0) * tan(0.3);
            char shape[200];
            snprintf(shape, sizeof shape, "%s, \"orientation\": {\"axis\": [1, 0, 0], \"angle\": 1.5707963267948966}",
                     shapes[k]);
            impact_run r = start_slope(mu, 0.0, shape, 0.1);
            run_to(&r, 0.5);
            carom_v3 v = run_velocity(&r, "block");
            double along = grip ? G * sin(0.3) * (1.0 - share) * 0.5 : G * (sin(0.3) - mu * cos(0.3)) * 0.5;
            if (k < 2) {
                CHECK_NEAR(v.x, along, 1e-9);
            }
            if (grip) {
                CHECK_NEAR(v.x, 0.1 * run_spin(&r, "block").y, 1e-9);
            }
            CHECK_LE(fabs(v.y) + fabs(v.z), 1e-9);
            run_check(&r, 1e-9);
            run_end(&r);
        }
    }
}

/* ---- the screw ----------------------------------------------------------------------------------------------------- */

/* A nut of M20 x 2.5 (mean diameter 18.376 mm) under its own weight: turns iff mu < tan(lead) = 0.0433. */
static double nut_speed(double mu)
{
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
                  " \"bodies\": [ {\"name\": \"nut\", \"mass\": 1, \"inertia\": [1e-3, 1e-3, 1e-3]} ],"
                  " \"joints\": [ {\"name\": \"thread\", \"type\": \"screw\", \"bodies\": [\"ground\", \"nut\"], "
                  "\"at\": [0, 0, 0], \"axis\": [0, 0, 1],"
                  "   \"pitch\": 2.5e-3, \"friction\": {\"coefficient\": %.17g, \"radius\": 9.188e-3}} ],"
                  " \"contact\": {\"method\": \"impact\"} }",
                  mu);
    run_to(&r, 0.1);
    double speed = run_velocity(&r, "nut").z;
    run_check(&r, 1e-9);
    run_end(&r);
    return speed;
}

TEST(friction, a_screw_locks_itself_from_the_tangent_of_its_lead)
{
    const double pi = 3.14159265358979323846;
    double lead = 2.5e-3 / (2.0 * pi * 9.188e-3);
    table_row("tan(lead)", lead, 0.0433);
    CHECK_LE(fabs(nut_speed(lead * (1.0 + 1e-6))), 1e-14);
    CHECK_LE(nut_speed(lead * (1.0 - 1e-6)), -1e-11);
    /* Inclined plane on a cylinder: the flank carries N, travel and turning have inertia m and I (2 pi/p)^2:
     * along the helix (angle phi), (m sin^2 + I/r^2 cos^2) s'' = m g sin - mu N, N = (m g - m z'') cos + I/r^2 sin cos s''. */
    double phi = atan(lead);
    double m = 1.0;
    double turning = 1e-3 / (9.188e-3 * 9.188e-3);
    double mu = 0.5 * lead;
    double inertia = m * sin(phi) * sin(phi) + turning * cos(phi) * cos(phi);
    double cross = (turning - m) * sin(phi) * cos(phi);
    double a = m * G * (sin(phi) - mu * cos(phi)) / (inertia + mu * cross);
    table_head("nut");
    CHECK_LE(table_row("speed after 0.1 s", nut_speed(mu), -0.1 * a * sin(phi)), 1e-12);
}

/* ---- the pendulum with a dry pin ----------------------------------------------------------------------------------- */

typedef struct dry_pendulum {
    double inertia; /* [kg m^2] about the pin */
    double lever;   /* [m] of the centre of mass */
    double grip;    /* mu r [m] */
    double mass;
} dry_pendulum;

/* I q'' = - m g l sin q - sign(q') mu r |R|, with R from the motion of the centre of mass: along the rod
 * m g cos q + m l q'^2, across it m g sin q + m l q''. R depends on q'': solved by fixed point (mu r m l / I << 1). */
static double dry_acceleration(const dry_pendulum *p, double q, double w)
{
    double a = -p->mass * G * p->lever * sin(q) / p->inertia;
    for (int k = 0; k < 12; ++k) { /* each time 2 % of the error before */
        double along = p->mass * (G * cos(q) + p->lever * w * w);
        double across = p->mass * (G * sin(q) + p->lever * a);
        double torque = p->grip * hypot(along, across);
        a = (-p->mass * G * p->lever * sin(q) - (w > 0.0 ? torque : w < 0.0 ? -torque : 0.0)) / p->inertia;
    }
    return a;
}

/* One half swing from rest at q > 0 with the friction of q' < 0: the angle at which it stops. */
static double dry_swing(const dry_pendulum *p, double q0, double *duration)
{
    const double h = 5e-5;
    const double falls = -1e-300; /* the direction of motion, also at rest */
    double q = q0, w = 0.0, t = 0.0;
    for (;;) {
        double k1 = dry_acceleration(p, q, w < 0.0 ? w : falls);
        double w2 = w + 0.5 * h * k1;
        double k2 = dry_acceleration(p, q + 0.5 * h * w, w2 < 0.0 ? w2 : falls);
        double w3 = w + 0.5 * h * k2;
        double k3 = dry_acceleration(p, q + 0.5 * h * w2, w3 < 0.0 ? w3 : falls);
        double w4 = w + h * k3;
        double k4 = dry_acceleration(p, q + h * w3, w4 < 0.0 ? w4 : falls);
        double w_new = w + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        if (w_new >= 0.0 && t > 0.0) { /* parabola to where it stops */
            double left = -w / k1;
            *duration = t + left;
            return q + 0.5 * w * left;
        }
        q += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
        w = w_new;
        t += h;
    }
}

TEST(friction, a_pendulum_with_a_dry_pin_comes_to_rest)
{
    const double mu = 0.3;
    const double radius = 0.05;
    dry_pendulum p = { .inertia = 1.0 / 3.0, .lever = 0.5, .grip = mu * radius, .mass = 1.0 };
    impact_run r = run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 20, \"preset\": \"accurate\"},"
        " \"bodies\": [ {\"name\": \"rod\", \"shape\": {\"rod\": 1}, \"mass\": 1, \"inertia\": [%.17g, %.17g, 1e-3],"
        "   \"position\": [0.5, 0, 0], \"orientation\": {\"axis\": [0, 1, 0], \"angle\": -1.5707963267948966}} ],"
        " \"joints\": [ {\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"], \"at\": [0, "
        "0, 0], \"axis\": [0, -1, 0],"
        "   \"friction\": {\"coefficient\": %.17g, \"radius\": %.17g}} ],"
        " \"contact\": {\"method\": \"impact\"} }",
        1.0 / 12.0, 1.0 / 12.0, mu, radius);
    const double half_pi = 1.57079632679489661923;
    double q = half_pi;
    double t = 0.0;
    double side = 1.0;
    size_t swings = 0;
    table_head("dry pendulum: turning points");
    for (; p.mass * G * p.lever * sin(q) > p.grip * p.mass * G; ++swings) {
        double duration = 0.0;
        q = -dry_swing(&p, q, &duration);
        t += duration;
        side = -side;
        run_to(&r, t);
        /* The joint's angle counts from the horizontal start. */
        CHECK_LE(table_row("angle [rad]", side * (sim_signal(&r.s, "pin.angle") + half_pi), q), 1e-7);
        CHECK_LE(fabs(sim_signal(&r.s, "pin.angle.rate")), 1e-5);
        if (q <= 0.0) {
            break;
        }
    }
    run_to(&r, t + 2.0);
    CHECK_GE((double)swings, 5.0);
    CHECK_LE(fabs(sim_signal(&r.s, "pin.angle.rate")), 1e-13);
    CHECK_NEAR(side * (sim_signal(&r.s, "pin.angle") + half_pi), q, 1e-7);
    const carom_event *last = run_last_event_of(&r, CAROM_EVENT_STICK);
    CHECK(last != NULL);
    CHECK_NEAR(last->t, t, 1e-6);
    run_check(&r, 1e-8);
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(friction, a_slope_holds_from_the_tangent_of_its_angle),
        RUN_TEST(friction, a_block_slides_as_coulomb_says),
        RUN_TEST(friction, a_block_stops_after_its_way),
        RUN_TEST(friction, a_ball_slides_and_then_rolls),
        RUN_TEST(friction, round_things_roll_down_a_slope),
        RUN_TEST(friction, a_screw_locks_itself_from_the_tangent_of_its_lead),
        RUN_TEST(friction, a_pendulum_with_a_dry_pin_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
