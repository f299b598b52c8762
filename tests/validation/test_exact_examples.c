/* The examples that roll and snap, with whole elements under compliant, against closed forms. */
#include "support/sim.h"

#include "math/vec3.h"

static const double g = 9.81; /* [m/s^2] */

/* ---- a wheel on a slope ------------------------------------------------------------------------------------------- */

/* [m/s] after t: of the axle, and of the rim about it. */
typedef struct wheel_speeds {
    double v, rim;
} wheel_speeds;

static wheel_speeds speeds_on(double slope, double mu, double t)
{
    double slips = fmax(sin(slope) - mu * cos(slope), 2.0 / 3.0 * sin(slope));
    return tan(slope) > 3.0 * mu ? (wheel_speeds){ g * slips * t, 2.0 * mu * g * cos(slope) * t }
                                 : (wheel_speeds){ 2.0 / 3.0 * g * sin(slope) * t, 2.0 / 3.0 * g * sin(slope) * t };
}

static void check_wheel(const sim *s, const char *name, double slope, double mu)
{
    char x[64], z[64], w[64];
    snprintf(x, sizeof x, "%s.velocity.x", name);
    snprintf(z, sizeof z, "%s.velocity.z", name);
    snprintf(w, sizeof w, "%s.angular_velocity.y", name);
    wheel_speeds exact = speeds_on(slope, mu, sim_time(s));
    double v = hypot(sim_signal(s, x), sim_signal(s, z));
    double rim = 0.1 * sim_signal(s, w);
    printf("  tan %.3f: v %.6f | %.6f, R w %.6f | %.6f\n", tan(slope), v, exact.v, rim, exact.rim);
    CHECK_NEAR(v, exact.v, 5e-4 * exact.v);
    CHECK_NEAR(rim, exact.rim, 5e-4 * exact.rim);
}

/* Just below and just above the slope where it begins to slip, for several coefficients, wheels turned about their axes. */
TEST(wheels, roll_and_slip_as_closed_forms_say)
{
    static const double mu[] = { 0.1, 0.2, 0.5 };
    printf("\nwheels on slopes: computed | closed form\n");
    for (int k = 0; k < 3; ++k) {
        char set[40];
        snprintf(set, sizeof set, "variables.mu=%g", mu[k]);
        sim s = sim_load("wheels.json", (const char *[]){ set, NULL });
        sim_advance(&s, 1.0);
        check_wheel(&s, "rolls", atan(2.85 * mu[k]), mu[k]);
        check_wheel(&s, "slips", atan(3.15 * mu[k]), mu[k]);
        CHECK_LE(fabs(sim_ledger(&s).residue), 1e-6);
        sim_end(&s);
    }
}

/* ---- a cam -------------------------------------------------------------------------------------------------------- */

/* The follower is at R - e cos(w t) while it touches. */
static double cam_force(double angle, double e, double w, double m)
{
    return m * (g + e * w * w * cos(angle)) + 2.0 + 100.0 * e * (1.0 - cos(angle));
}

/* At every step, not on average: the disc has no corners that would hammer. */
TEST(cam, presses_as_its_closed_form_says)
{
    static const char *const turns[] = { "8*pi", "4*pi", "9.5*pi" };
    static const double speed[] = { 8.0, 4.0, 9.5 };
    for (int k = 0; k < 3; ++k) {
        char set[40];
        snprintf(set, sizeof set, "variables.w=\"%s\"", turns[k]);
        sim s = sim_load("cam.json", (const char *[]){ set, NULL });
        double worst = 0.0;
        double w = speed[k] * acos(-1.0);
        while (sim_before(&s, 0.5)) {
            sim_step(&s, 0.5);
            double exact = cam_force(sim_signal(&s, "shaft.angle"), 0.01, w, 0.5);
            worst = fmax(worst, fabs(sim_signal(&s, "follower.contact.force.z") / exact - 1.0));
        }
        printf("  cam at %.1f pi rad/s: force off by %.1e at most\n", speed[k], worst);
        CHECK_LE(worst, 5e-3);
        sim_end(&s);
    }
}

/* ---- a latch ------------------------------------------------------------------------------------------------------ */

/* It passes and holds: behind the plate the bolt rests with the force of the spring, whatever the stiffness of contact. */
TEST(latch, snaps_in_and_holds)
{
    static const char *const k[] = { "1e6", "1e7", "1e8" };
    for (int i = 0; i < 3; ++i) {
        char set[80];
        snprintf(set, sizeof set, "contact.law={\"hunt-crossley\": {\"k\": %s, \"n\": 1}}", k[i]);
        sim s = sim_load("latch.json", (const char *[]){ set, NULL });
        sim_advance(&s, 0.8);
        double travel = sim_signal(&s, "rail.travel");
        CHECK_NEAR(travel, 0.06, 1e-5);
        CHECK_NEAR(sim_signal(&s, "bolt.contact.force.x"), 120.0 * travel, 1e-4);
        CHECK_LE(fabs(sim_signal(&s, "rail.travel.rate")), 1e-6);
        sim_end(&s);
    }
}

/* ---- rings -------------------------------------------------------------------------------------------------------- */

/* A ring rolls on its outer radius and keeps its speed; one that lies holds a ball wider than its hole, all around. */
TEST(rings, roll_and_hold_balls)
{
    static const char scene[] =
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1}, \"contact\": {\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e7, \"n\": 1}}, \"restitution\": 0.3, \"friction\": 0.3}, \"bodies\": ["
        "{\"name\": \"floor\", \"shape\": {\"box\": [4, 4, 0.1]}, \"fixed\": true, \"position\": [0, 0, -0.05]},"
        "{\"name\": \"rolls\", \"shape\": {\"torus\": {\"ring_radius\": 0.08, \"tube_radius\": 0.02}}, \"mass\": 1, \"position\":"
        " [-1, 0, 0.099999], \"orientation\": {\"axis\": [1, 0, 0], \"angle\": \"pi/2\"}, \"velocity\": [1, 0, 0],"
        " \"angular_velocity\": [0, 10, 0]},"
        "{\"name\": \"lies\", \"shape\": {\"torus\": {\"ring_radius\": 0.08, \"tube_radius\": 0.02}}, \"mass\": 1, \"position\":"
        " [1, 1, 0.021]},"
        "{\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [1.003, 1, 0.12]}]}";
    sim s = sim_parse(scene, NULL);
    sim_advance(&s, 1.0);
    CHECK_NEAR(sim_signal(&s, "rolls.velocity.x"), 1.0, 1e-5);
    CHECK_NEAR(0.1 * sim_signal(&s, "rolls.angular_velocity.y"), 1.0, 1e-5);
    double seat = 0.02 + sqrt(0.12 * 0.12 - 0.08 * 0.08);
    CHECK_NEAR(sim_signal(&s, "ball.position.z"), seat, 5e-6); /* [m] less what both contacts give way */
    CHECK_LE(hypot(sim_signal(&s, "ball.position.x") - sim_signal(&s, "lies.position.x"),
                   sim_signal(&s, "ball.position.y") - sim_signal(&s, "lies.position.y")),
             1e-4);
    CHECK_LE(fabs(sim_ledger(&s).residue), 1e-4); /* [J] of 0.1 that the ball falls by */
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(wheels, roll_and_slip_as_closed_forms_say),
        RUN_TEST(cam, presses_as_its_closed_form_says),
        RUN_TEST(latch, snaps_in_and_holds),
        RUN_TEST(rings, roll_and_hold_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
