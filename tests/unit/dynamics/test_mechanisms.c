/* Prescribed motion and transmissions against closed forms. */
#include "rig.h"
#include "scenes.h"
#include "support/scene_file.h"

static const rig_time TIGHT = { .integrator = "\"runge-kutta\"", .tolerance = 1e-11 };

static const rig_time every[] = {
    { .integrator = "\"runge-kutta\"", .tolerance = 1e-11 },
    { .integrator = "\"generalized-alpha\"", .step = 1e-3 },
#ifdef CAROM_HAVE_SUNDIALS
    { .integrator = "\"cvode\"", .tolerance = 1e-8 },
    { .integrator = "\"ida\"", .tolerance = 1e-8 },
#endif
};
enum { EVERY = sizeof every / sizeof every[0] };

#define SCENE_SLIDER_CRANK scene_text("mechanisms/slider_crank.json")

static double slider_position(double angle)
{
    double s = 0.3 * sin(angle);
    return 0.3 * cos(angle) + sqrt(1.0 - s * s);
}

TEST(mechanisms, driven_slider_crank_goes_where_geometry_says)
{
    for (int i = 0; i < EVERY; ++i) {
        rig r = rig_start(SCENE_SLIDER_CRANK, every[i]);
        for (double t = 0.5; t <= 4.0; t += 0.5) { /* more than two turns */
            rig_run(&r, t);
            double angle = 2.0 * t + 0.5 * t * t;
            CHECK_NEAR(rig_signal(&r, "main.angle"), angle, 1e-11);
            CHECK_NEAR(rig_signal(&r, "slider.position.x"), slider_position(angle), 1e-11);
            CHECK_NEAR(rig_signal(&r, "slider.position.y"), 0.0, 1e-12);
        }
        rig_close(&r);
    }
}

static double mechanical_energy(double t)
{
    rig r = rig_start(SCENE_SLIDER_CRANK, TIGHT);
    rig_run(&r, t);
    carom_ledger ledger = rig_ledger(&r);
    rig_close(&r);
    return ledger.kinetic + ledger.potential;
}

TEST(mechanisms, driving_torque_is_the_power_of_the_mechanism)
{
    const double t = 1.3;
    const double d = 1e-4;
    double rate = 2.0 + t;
    double power = (mechanical_energy(t + d) - mechanical_energy(t - d)) / (2.0 * d);
    rig r = rig_start(SCENE_SLIDER_CRANK, TIGHT);
    rig_run(&r, t);
    CHECK_NEAR(rig_signal(&r, "main.angle.drive") * rate, power, 1e-4);
    CHECK_NEAR(rig_ledger(&r).residue, 0.0, 1e-7);
    rig_close(&r);
}

TEST(mechanisms, driven_pendulum_needs_the_torque_of_the_textbook)
{
    const char *scene = scene_text("mechanisms/driven_pendulum_needs_the_torque_of_the_textbook.json");
    rig r = rig_start(scene, TIGHT);
    for (double t = 0.1; t < 2.0; t += 0.3) {
        rig_run(&r, t);
        double angle = 0.8 * sin(3.0 * t);
        double torque = -7.2 * sin(3.0 * t) * 2.0 / 3.0 + 2.0 * 9.81 * 0.5 * cos(angle);
        CHECK_NEAR(rig_signal(&r, "hinge.angle"), angle, 1e-12);
        CHECK_NEAR(rig_signal(&r, "hinge.angle.drive"), torque, 1e-6);
    }
    rig_close(&r);
}

/* A body welded to a kinematic one feels m (a - g). */
TEST(mechanisms, kinematic_body_follows_its_expression_and_carries_others)
{
    const char *scene = scene_text("mechanisms/kinematic_body_follows_its_expression_and_carries_others.json");
    for (int i = 0; i < EVERY; ++i) {
        rig r = rig_start(scene, every[i]);
        for (double t = 0.2; t < 2.0; t += 0.4) {
            rig_run(&r, t);
            CHECK_NEAR(rig_signal(&r, "table.position.x"), 0.5 * sin(3.0 * t), 1e-14);
            CHECK_NEAR(rig_signal(&r, "load.position.x"), 0.5 * sin(3.0 * t), 1e-12);
            CHECK_NEAR(rig_signal(&r, "load.position.y"), 0.4 + t * t, 1e-12);
            CHECK_NEAR(rig_signal(&r, "load.velocity.x"), 1.5 * cos(3.0 * t), 1e-8);
            CHECK_NEAR(rig_signal(&r, "weld.force.x"), -9.0 * sin(3.0 * t), 1e-5);
            CHECK_NEAR(rig_signal(&r, "weld.force.y"), 2.0 * (2.0 + 9.81), 1e-5);
        }
        CHECK_NEAR(rig_ledger(&r).residue, 0.0, i == 0 ? 1e-6 : 1e-3);
        rig_close(&r);
    }
}

TEST(mechanisms, tables_move_bodies_and_joints)
{
    const char *scene = scene_text("mechanisms/tables_move_bodies_and_joints.json");
    rig r = rig_start(scene, (rig_time){ .integrator = "\"runge-kutta\"", .step = 0.01, .tolerance = 1e-9 });
    /* three points make a parabola: 8/3 t - 2/3 t^2 */
    const double knots[][3] = { { 1.0, 2.0, 0.5 }, { 2.0, 8.0 / 3.0, 0.2 }, { 3.0, 2.0, 1.0 } };
    rig_run(&r, 0.5);
    CHECK_NEAR(rig_signal(&r, "cam.angular_velocity.z"), 2.0, 1e-12);
    for (int k = 0; k < 3; ++k) {
        rig_run(&r, knots[k][0]);
        double x = knots[k][2] * cos(knots[k][1]);
        CHECK_NEAR(rig_signal(&r, "slide.travel"), knots[k][2], 1e-10);
        CHECK_NEAR(rig_signal(&r, "arm.position.x"), x, 1e-10);
    }
    rig_close(&r);
}

TEST(mechanisms, gears_turn_by_their_ratio)
{
    const char *scene = scene_text("mechanisms/gears_turn_by_their_ratio.json");
    for (int i = 0; i < EVERY; ++i) {
        rig r = rig_start(scene, every[i]);
        rig_run(&r, 10.0); /* forty turns */
        double angle = 0.5 * 100.0 * 2.0 / (0.2 + 0.0625 * 3.0);
        CHECK_NEAR(rig_signal(&r, "one.angle"), angle, 1e-6 * angle);
        CHECK_NEAR(0.25 * rig_signal(&r, "one.angle") + rig_signal(&r, "two.angle"), 0.0, 1e-11);
        CHECK_NEAR(rig_ledger(&r).residue, 0.0, 1e-4 * 2.0 * angle);
        rig_close(&r);
    }
}

TEST(mechanisms, nut_on_a_screw_feels_its_spin_as_mass)
{
    const char *scene = scene_text("mechanisms/nut_on_a_screw_feels_its_spin_as_mass.json");
    rig r = rig_start(scene, TIGHT);
    rig_run(&r, 5.0);
    double turn = 2.0 * PI / 0.2;
    double z = 0.5 * 10.0 / (2.0 + 0.05 * turn * turn) * 25.0;
    CHECK_NEAR(rig_signal(&r, "nut.position.z"), z, 1e-9);
    CHECK_NEAR(rig_signal(&r, "thread.angle"), turn * z, 1e-7); /* some thirteen turns */
    rig_close(&r);
}

/* Two shafts at 30 degrees: tan(out) = cos(beta) tan(in), and out' / in' = cos(beta) / (1 - sin^2(beta) sin^2(in)). */
TEST(mechanisms, universal_joint_transmits_unevenly)
{
    const char *scene = scene_text("mechanisms/universal_joint_transmits_unevenly.json");
    double c = cos(PI / 6.0);
    double s = sin(PI / 6.0);
    for (int i = 0; i < EVERY; ++i) {
        rig r = rig_start(scene, every[i]);
        for (double t = 0.13; t < 4.0; t += 0.37) {
            rig_run(&r, t);
            double in = 2.0 * t;
            double out = rig_signal(&r, "rear.angle");
            CHECK_NEAR(sin(out) * cos(in), c * sin(in) * cos(out), 1e-11);
            CHECK_NEAR(out, in, 0.2); /* the same turn */
            double ratio = c / (1.0 - s * s * sin(in) * sin(in));
            CHECK_NEAR(rig_signal(&r, "rear.angle.rate"), 2.0 * ratio, 1e-8);
        }
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(mechanisms, driven_slider_crank_goes_where_geometry_says),
        RUN_TEST(mechanisms, driving_torque_is_the_power_of_the_mechanism),
        RUN_TEST(mechanisms, driven_pendulum_needs_the_torque_of_the_textbook),
        RUN_TEST(mechanisms, kinematic_body_follows_its_expression_and_carries_others),
        RUN_TEST(mechanisms, tables_move_bodies_and_joints),
        RUN_TEST(mechanisms, gears_turn_by_their_ratio),
        RUN_TEST(mechanisms, nut_on_a_screw_feels_its_spin_as_mass),
        RUN_TEST(mechanisms, universal_joint_transmits_unevenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
