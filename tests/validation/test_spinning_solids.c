/* Stiffening by tension of bodies of finite elements that turn: the lowest frequency of a cantilever on a hub, in the plane of its turning
 * [Southwell1921]: w^2 = w0^2 + (S - 1) W^2, where the thread that pulls has S = 1.19 and linear elasticity in the frame of the hub S = 0. */
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include <math.h>

#define PI 3.14159265358979323846

static const double USUAL =
    253.7; /* [rad/s] of the scene: 3.516/L^2 sqrt(EI/(rho A)), with the shear of a strip of 20 times its height */

/* [rad/s] by upward crossings of zero of the tip's deflection from the hub's line, from 30 ms on; 0: it does not swing. */
static double swings_with(const char *const *some, double share)
{
    char w[60];
    const char *settings[10] = { w };
    snprintf(w, sizeof w, "variables.share=%g", share);
    for (int k = 0; some[k]; ++k) {
        settings[k + 1] = some[k];
    }
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

static double swings(double share, const char *rotation, const char *frame)
{
    const char *const settings[] = { rotation, frame, NULL };
    return swings_with(settings, share);
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

/* Four modes with shapes of second order, of plane quadrilaterals and triangles, hexahedra and tetrahedra, in two frames; without stiffening
 * the frame of the hub has S = 0. */
TEST(spinning_solids, modes_of_solids_are_stiffened)
{
    static const char *const meshes[4][2] = {
        { "bodies.strip.flexible.mesh={\"strip\":{\"length\":\"$L\",\"height\":\"$h\",\"divisions\":[20,2]}}",
          "bodies.strip.flexible.element=quad4" },
        { "bodies.strip.flexible.mesh={\"strip\":{\"length\":\"$L\",\"height\":\"$h\",\"divisions\":[20,2]}}",
          "bodies.strip.flexible.element=triangle6" },
        { "bodies.strip.flexible.mesh={\"block\":{\"size\":[\"$L\",\"$h\",0.01],\"divisions\":[20,2,2]}}",
          "bodies.strip.flexible.element=hexahedron8" },
        { "bodies.strip.flexible.mesh={\"block\":{\"size\":[\"$L\",\"$h\",0.01],\"divisions\":[10,1,1]}}",
          "bodies.strip.flexible.element=tetrahedron10" },
    };
    static const char *const modes = "bodies.strip.flexible.modes={\"count\":4}";
    for (int k = 0; k < 8; ++k) {
        const char *const settings[] = { "bodies.strip.flexible.as=modes",
                                         modes,
                                         "bodies.strip.flexible.stiffening=true",
                                         whole,
                                         k % 2 ? hub : mean,
                                         meshes[k / 2][0],
                                         meshes[k / 2][1],
                                         NULL };
        double w0 = swings_with(settings, 0.0);
        double S = southwell(swings_with(settings, 0.5), w0, 0.5);
        double fast = southwell(swings_with(settings, 1.0), w0, 1.0);
        printf("  %s, %s: w0 = %.2f, S = %.3f, %.3f\n", meshes[k / 2][1], settings[4], w0, S, fast);
        CHECK_NEAR(w0, USUAL, 0.01 * USUAL);
        CHECK_NEAR(S, 1.185, 0.03);
        CHECK_NEAR(fast, 1.185, 0.03);
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
        RUN_TEST(spinning_solids, modes_of_solids_are_stiffened),
        RUN_TEST(spinning_solids, one_frame_for_the_body_is_not_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
