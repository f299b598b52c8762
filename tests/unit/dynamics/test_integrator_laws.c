/* What each integrator promises beyond agreeing with the others: errors that follow the tolerance, damping of what is too fast to
 * be followed, energy that stays bounded, turns that are counted however long a step is, steps that follow the errors. */
#include "rig.h"
#include "scenes.h"

/* A mass on a spring along z: omega = sqrt(stiffness), 1 m/s at the start. */
#define SCENE_OSCILLATOR(stiffness)                                                                       \
    "{\"carom\": 1, \"time\": {\"end\": 10},"                                                             \
    " \"bodies\": [{\"name\": \"block\", \"mass\": 1, \"inertia\": [1, 1, 1], \"velocity\": [0, 0, 1]}]," \
    " \"joints\": [{\"name\": \"slide\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"block\"],"   \
    "               \"spring\": {\"stiffness\": " stiffness "}}]}"

/* Local errors add up over some dozens of steps, each of which is within the tolerance; nothing else limits them. */
TEST(laws, errors_of_runge_kutta_follow_the_tolerance)
{
    rig reference = rig_start(SCENE_DOUBLE_PENDULUM, (rig_time){ "\"runge-kutta\"", 0.0, 1e-13 });
    rig_run(&reference, 1.0);
    double exact = rig_signal(&reference, "lower.position.x");
    rig_close(&reference);
    const double tolerances[] = { 1e-5, 1e-7, 1e-9 };
    for (int k = 0; k < 3; ++k) {
        double x = rig_value_at(SCENE_DOUBLE_PENDULUM, (rig_time){ "\"runge-kutta\"", 10.0, tolerances[k] }, 1.0,
                                "lower.position.x");
        print_message("tolerance %.0e: error %.2e\n", tolerances[k], fabs(x - exact));
        CHECK_LE(fabs(x - exact), 3.0 * tolerances[k]);
    }
}

/* Largest |velocity| in steps first .. last of an oscillator that turns a thousand times in each. */
static double velocity_left(const char *integrator, int first, int last)
{
    rig r = rig_start(SCENE_OSCILLATOR("1e12"), (rig_time){ integrator, 0.01, 0.0 });
    double most = 0.0;
    for (int k = 1; k <= last; ++k) {
        rig_step(&r, 0.01);
        most = k >= first ? fmax(most, fabs(rig_signal(&r, "slide.travel.rate"))) : most;
    }
    rig_close(&r);
    return most;
}

/* rho is what a step leaves of a vibration too fast to be followed; a double root: k rho^k after k steps. */
TEST(laws, generalized_alpha_damps_fast_vibration_by_rho)
{
    const struct {
        const char *integrator;
        double rho;
    } cases[] = { { "{\"generalized-alpha\": {\"rho\": 0.5}}", 0.5 },
                  { "{\"generalized-alpha\": {\"rho\": 0.8}}", 0.8 } };
    for (int i = 0; i < 2; ++i) {
        double early = velocity_left(cases[i].integrator, 10, 12);
        double late = velocity_left(cases[i].integrator, 30, 32);
        double rate = pow(late / early / 3.0, 1.0 / 20.0); /* three times as many steps */
        print_message("rho %.1f: a step leaves %.4f\n", cases[i].rho, rate);
        CHECK_NEAR(rate, cases[i].rho, 0.02 * cases[i].rho);
    }
    CHECK_LE(velocity_left("{\"generalized-alpha\": {\"rho\": 0}}", 6, 10), 1e-6);
}

/* Explicit Euler would gain (h omega)^2 = 1e-4 of the energy in every one of 12 566 steps. */
TEST(laws, semi_implicit_euler_keeps_energy_bounded)
{
    rig r = rig_start(SCENE_OSCILLATOR("100"), (rig_time){ "\"semi-implicit-euler\"", 1e-3, 0.0 });
    for (int period = 1; period <= 20; ++period) {
        rig_run(&r, period * 0.2 * PI);
        carom_ledger ledger = rig_ledger(&r);
        CHECK_NEAR(ledger.kinetic + ledger.elastic, 0.5, 0.01);
    }
    rig_close(&r);
}

static const char *const all[] = { "\"runge-kutta\"", "\"generalized-alpha\"",
#ifdef CAROM_HAVE_SUNDIALS
                                   "\"cvode\"", "\"ida\"",
#endif
                                   "\"semi-implicit-euler\"" };

/* A wheel at 20 rad/s and steps of a second: angles are counted as if steps were short. */
TEST(laws, turns_are_counted_in_long_steps)
{
    const char *scene =
        "{\"carom\": 1, \"time\": {\"end\": 8}, \"bodies\": ["
        "{\"name\": \"wheel\", \"mass\": 1, \"inertia\": [1, 1, 1], \"angular_velocity\": [0, 0, 20]}],"
        " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"wheel\"]}]}";
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        double angle = rig_value_at(scene, (rig_time){ all[i], 1.0, 0.0 }, 4.0, "hinge.angle");
        CHECK_NEAR(angle, 80.0, 0.01); /* a turn that is lost is 6.28 */
    }
}

#ifdef CAROM_HAVE_SUNDIALS
/* Nothing at the beginning of the step tells that it will hold three turns: 600 t^4 N m, angle t + 20 t^6. */
TEST(laws, turns_within_a_macro_step_are_counted)
{
    const char *scene =
        "{\"carom\": 1, \"time\": {\"end\": 2}, \"bodies\": ["
        "{\"name\": \"wheel\", \"mass\": 1, \"inertia\": [1, 1, 1], \"angular_velocity\": [0, 0, 1]}],"
        " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"wheel\"]}],"
        " \"forces\": [{\"name\": \"drive\", \"type\": \"load\", \"body\": \"wheel\", \"torque\": [0, 0, "
        "\"600*t^4\"]}]}";
    for (int i = 2; i < 4; ++i) {
        CHECK_NEAR(rig_value_at(scene, (rig_time){ all[i], 1.0, 0.0 }, 1.0, "hinge.angle"), 21.0, 1e-4);
    }
}
#endif

static long steps_to(const char *scene, const char *integrator, double t)
{
    rig r = rig_start(scene, (rig_time){ integrator, 0.0, 1e-6 });
    long steps = 0;
    for (; t - carom_state_time(r.state) > 1e-13 * t; ++steps) {
        rig_step(&r, t - carom_state_time(r.state));
    }
    rig_close(&r);
    return steps;
}

/* A gram that vibrates at 160 Hz beside 100 kg at 1.6 Hz: its share of the energy is small, its velocity is not. */
TEST(laws, watching_energy_leaves_light_parts_alone)
{
    const char *scene =
        "{\"carom\": 1, \"time\": {\"end\": 1}, \"bodies\": ["
        "{\"name\": \"heavy\", \"mass\": 100, \"inertia\": [1, 1, 1], \"velocity\": [0, 0, 1]},"
        "{\"name\": \"light\", \"mass\": 0.001, \"inertia\": [1, 1, 1], \"velocity\": [0, 0, 1], \"position\": [1, "
        "0, 0]}],"
        " \"joints\": [{\"name\": \"a\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"heavy\"],"
        "               \"spring\": {\"stiffness\": 1e4}},"
        "              {\"name\": \"b\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"light\"], \"at\": [1, "
        "0, 0],"
        "               \"spring\": {\"stiffness\": 1e3}}]}";
    long velocities = steps_to(scene, "\"generalized-alpha\"", 1.0);
    long energy = steps_to(scene, "{\"generalized-alpha\": {\"watch\": \"energy\"}}", 1.0);
    print_message("steps: %ld watching velocities, %ld watching energy\n", velocities, energy);
    CHECK_LE((double)energy, 0.5 * (double)velocities);
}

/* The next step: at an error that stays as it is, as long as the error allows; at one that grows, shorter. */
TEST(laws, steps_follow_the_errors)
{
    for (int order = 1; order <= 5; ++order) {
        CHECK_NEAR(integrator_step_factor(1.0, 1.0, order), 0.9, 1e-15);
        for (double error = 0.01; error < 2.0; error *= 1.7) {
            double steady = integrator_step_factor(error, error, order);
            CHECK(integrator_step_factor(error, 0.1 * error, order) <= steady); /* it grows */
            CHECK(integrator_step_factor(error, 10.0 * error, order) >= steady);
            CHECK(integrator_step_factor(0.5 * error, error, order) >= steady);
            double alone = integrator_step_factor(error, 0.0, order);
            if (alone > 0.2 && alone < 5.0) { /* an error of that order would just be met, but for the margin */
                CHECK_NEAR(error * pow(alone / 0.9, order + 1), 1.0, 1e-12);
            }
        }
        CHECK_NEAR(integrator_step_factor(0.0, 0.5, order), 5.0, 0.0);
        CHECK_NEAR(integrator_step_factor(HUGE_VAL, 0.5, order), 0.2, 0.0);
        CHECK_NEAR(integrator_step_factor((double)NAN, 0.5, order), 0.2, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(laws, errors_of_runge_kutta_follow_the_tolerance),
        RUN_TEST(laws, generalized_alpha_damps_fast_vibration_by_rho),
        RUN_TEST(laws, semi_implicit_euler_keeps_energy_bounded),
        RUN_TEST(laws, turns_are_counted_in_long_steps),
#ifdef CAROM_HAVE_SUNDIALS
        RUN_TEST(laws, turns_within_a_macro_step_are_counted),
#endif
        RUN_TEST(laws, watching_energy_leaves_light_parts_alone),
        RUN_TEST(laws, steps_follow_the_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
