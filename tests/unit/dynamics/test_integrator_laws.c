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

static double exact_double_pendulum(void)
{
    rig reference = rig_start(SCENE_DOUBLE_PENDULUM, (rig_time){ "\"runge-kutta\"", 0.0, 1e-13 });
    rig_run(&reference, 1.0);
    double exact = rig_signal(&reference, "lower.position.x");
    rig_close(&reference);
    return exact;
}

/* Local errors add up over some dozens of steps, each of which is within the tolerance; nothing else limits them. */
TEST(laws, errors_follow_the_tolerance)
{
    static const struct {
        const char *integrator;
        double factor;
    } cases[] = { { "\"runge-kutta\"", 3.0 }, { "\"radau\"", 1.0 } };
    const double exact = exact_double_pendulum();
    const double tolerances[] = { 1e-5, 1e-7, 1e-9 };
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
            double x = rig_value_at(SCENE_DOUBLE_PENDULUM, (rig_time){ cases[i].integrator, 10.0, tolerances[k] },
                                    1.0, "lower.position.x");
            print_message("%s, tolerance %.0e: error %.2e\n", cases[i].integrator, tolerances[k], fabs(x - exact));
            CHECK_LE(fabs(x - exact), cases[i].factor * tolerances[k]);
        }
    }
}

/* Half the step, a 32nd of the error; also where rows are redundant. */
TEST(laws, radau_has_order_5)
{
    const char *const scenes[] = { SCENE_DOUBLE_PENDULUM, SCENE_FOUR_BAR };
    static const char *const signals[] = { "lower.position.x", "coupler.position.x" };
    for (int i = 0; i < 2; ++i) {
        double exact = rig_value_at(scenes[i], (rig_time){ "\"runge-kutta\"", 0.0, 1e-13 }, 0.8, signals[i]);
        double coarse = rig_value_at(scenes[i], (rig_time){ "\"radau\"", 0.04, 0.0 }, 0.8, signals[i]);
        double fine = rig_value_at(scenes[i], (rig_time){ "\"radau\"", 0.02, 0.0 }, 0.8, signals[i]);
        double order = log2(fabs(coarse - exact) / fabs(fine - exact));
        print_message("errors %.2e and %.2e: order %.2f\n", fabs(coarse - exact), fabs(fine - exact), order);
        CHECK_NEAR(order, 5.0, 0.5);
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

/* z = i h omega = 1e4 i: the stability function leaves 3 / |z| of the vibration. */
TEST(laws, radau_annihilates_fast_vibration)
{
    rig r = rig_start(SCENE_OSCILLATOR("1e12"), (rig_time){ "\"radau\"", 0.01, 0.0 });
    rig_step(&r, 0.01);
    double left = hypot(rig_signal(&r, "slide.travel.rate"), 1e6 * rig_signal(&r, "slide.travel"));
    print_message("a step leaves %.4e\n", left);
    CHECK_NEAR(left, 3e-4, 1e-6);
    rig_close(&r);
    CHECK_LE(velocity_left("\"radau\"", 5, 8), 1e-12);
}

/* A double pendulum whose first hinge is driven at a speed, by the motor's own control or the same as an expression of the hinge's rate: on
 * the hinge, or on the body that it carries. */
static long evaluations_of(const char *drive, const char *integrator)
{
    char scene[1024];
    snprintf(scene, sizeof scene,
             "{\"carom\": 1, \"time\": {\"end\": 1}, \"gravity\": [0, -9.81, 0], \"bodies\": ["
             "{\"name\": \"wheel\", \"mass\": 2, \"inertia\": [0.1, 0.1, 0.1]},"
             "{\"name\": \"rod\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [0.5, -0.3, 0]}],"
             " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"wheel\"]},"
             " {\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"wheel\", \"rod\"], \"at\": [0.5, 0, 0]}],"
             " \"forces\": [{\"name\": \"drive\", %s}]}",
             drive);
    rig r = rig_start(scene, (rig_time){ integrator, 0.0, 1e-6 });
    rig_run(&r, 1.0);
    long evaluations = r.scratch->counters.evaluations;
    rig_close(&r);
    return evaluations;
}

TEST(laws, a_control_by_an_expression_costs_what_the_built_in_one_does)
{
    static const char *const built_in =
        "\"type\": \"motor\", \"joint\": \"hinge\", \"mode\": \"speed\", \"target\": \"20*sin(3*t)\", \"gain\": 5000";
    static const char *const written[] = {
        "\"type\": \"motor\", \"joint\": \"hinge\", \"target\": \"5000*(20*sin(3*t)-hinge.angle.rate)\"",
        "\"type\": \"load\", \"body\": \"wheel\", \"torque\": [0, 0, \"5000*(20*sin(3*t)-hinge.angle.rate)\"]"
    };
    static const char *const integrators[] = { "\"generalized-alpha\"", "\"radau\"" };
    for (int i = 0; i < 2; ++i) {
        long least = evaluations_of(built_in, integrators[i]);
        for (int k = 0; k < 2; ++k) {
            long most = evaluations_of(written[k], integrators[i]);
            print_message("%s: %ld evaluations, built in %ld\n", integrators[i], most, least);
            CHECK_LE((double)most, 2.0 * (double)least);
        }
    }
}

/* A parallelogram of equal rods that swings through its stretched-out positions, where it could fold into the other branch: the coupler
 * keeps its direction, and energy stays. */
TEST(laws, radau_passes_singular_positions)
{
    rig r = rig_start(scene_text("integrators/radau_passes_singular_positions.json"),
                      (rig_time){ "\"radau\"", 0.0, 1e-8 });
    long steps = 0;
    for (; carom_state_time(r.state) < 5.0; ++steps) {
        rig_step(&r, 5.0 - carom_state_time(r.state));
        CHECK_LE(fabs(r.state->pose[3].q_wb.z), 1e-9);
        CHECK_LE(fabs(rig_ledger(&r).residue), 1e-6);
    }
    print_message("%ld steps\n", steps);
    CHECK_LE((double)steps, 600.0);
    CHECK_LE(rig_signal(&r, "a.angle"), -6.0); /* a turn is two such positions */
    rig_close(&r);
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

static const char *const all[] = { "\"runge-kutta\"",
                                   "\"generalized-alpha\"",
                                   "\"radau\"",
#ifdef CAROM_HAVE_SUNDIALS
                                   "\"cvode\"",
                                   "\"ida\"",
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
    for (int i = 3; i < 5; ++i) {
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
        RUN_TEST(laws, errors_follow_the_tolerance),
        RUN_TEST(laws, radau_has_order_5),
        RUN_TEST(laws, radau_annihilates_fast_vibration),
        RUN_TEST(laws, radau_passes_singular_positions),
        RUN_TEST(laws, a_control_by_an_expression_costs_what_the_built_in_one_does),
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
