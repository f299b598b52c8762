/* Stiffening by tension of bodies of plane finite elements that turn: the lowest frequency of a cantilever on a hub, in the plane of its turning
 * [Southwell1921]: w^2 = w0^2 + (S - 1) W^2, where the thread that pulls has S = 1.19 and linear elasticity in the frame of the hub S = 0. */
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include <math.h>

#define PI 3.14159265358979323846

static const double USUAL =
    253.7; /* [rad/s] of the scene: 3.516/L^2 sqrt(EI/(rho A)), with the shear of a strip of 20 times its height */

/* [rad/s] by upward crossings of zero of the tip's deflection from the hub's line, from 30 ms on; 0: it does not swing. */
static double swings(double share, const char *rotation, const char *frame)
{
    char w[60];
    snprintf(w, sizeof w, "variables.share=%g", share);
    const char *const settings[] = { w, rotation, frame, NULL };
    sim s = sim_start(scene_read("spinning_strip.json", settings), 1);
    double last = 0.0, first_crossing = 0.0, crossing = 0.0;
    int count = 0;
    for (int k = 60; k <= 500; ++k) {
        sim_advance(&s, 5e-4 * k);
        double angle = sim_signal(&s, "hub.angle");
        double x = sim_signal(&s, "strip.tip.position.x");
        double y = sim_signal(&s, "strip.tip.position.y");
        double off = y * cos(angle) - x * sin(angle);
        if (k > 60 && last < 0.0 && off >= 0.0) {
            crossing = 5e-4 * (k - 1 + last / (last - off));
            first_crossing = count++ == 0 ? crossing : first_crossing;
        }
        last = off;
    }
    sim_end(&s);
    return count > 1 ? 2.0 * PI * (count - 1) / (crossing - first_crossing) : 0.0;
}

static const char *const element = "bodies.strip.flexible.rotation=element";
static const char *const whole = "bodies.strip.flexible.rotation=body";
static const char *const mean = "bodies.strip.flexible.frame=mean";
static const char *const hub = "bodies.strip.flexible.frame=attachment";

static double southwell(double w, double w0, double share)
{
    double W = share * USUAL;
    return 1.0 + (w * w - w0 * w0) / (W * W);
}

/* With a frame of each element tension comes by itself. Beams without height have S = 1.189 at W = 0.5 w0 and 1.182 at w0 [Wright1982]; the
 * inertia of sections that turn with them takes some 0.01. */
TEST(spinning_solids, elements_that_turn_are_stiffened)
{
    double w0 = swings(0.0, element, mean);
    CHECK_NEAR(w0, USUAL, 0.005 * USUAL);
    static const double shares[] = { 0.25, 0.5, 1.0 };
    for (int k = 0; k < 3; ++k) {
        double S = southwell(swings(shares[k], element, mean), w0, shares[k]);
        printf("  %g of the frequency: S = %.3f\n", shares[k], S);
        CHECK_NEAR(S, 1.185, 0.03);
    }
}

/* One frame for the body: linear elasticity in it. That of the hub knows no tension, and the strip flies away where it turns as fast as it swings; the best
 * fit of all nodes turns with the deflection and has a part of it. */
TEST(spinning_solids, one_frame_for_the_body_is_not_enough)
{
    double w0 = swings(0.0, whole, hub);
    double S = southwell(swings(0.5, whole, hub), w0, 0.5);
    printf("  frame of the hub: S = %.3f\n", S);
    CHECK_NEAR(S, 0.0, 0.05);
    CHECK_NEAR(swings(1.0, whole, hub), 0.0, 0.0);
    S = southwell(swings(0.5, whole, mean), w0, 0.5);
    printf("  best fit: S = %.3f\n", S);
    CHECK(S > 0.8 && S < 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(spinning_solids, elements_that_turn_are_stiffened),
        RUN_TEST(spinning_solids, one_frame_for_the_body_is_not_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
