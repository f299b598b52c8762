/* Every integrator agrees with closed forms and with the others, within what its order and tolerance promise. */
#include "dynamics/dense.h"
#include "rig.h"
#include "scenes.h"
#include "support/pendulum.h"
#include "support/scene_file.h"

typedef struct candidate {
    rig_time time;
    double error; /* expected relative error of a smooth motion after a few seconds */
} candidate;

/* Order 2 at h = 1e-3: h^2 omega^3 t / 12 with omega near 5, 1e-5 after a second. Adaptive ones: local errors add up
 * over a hundred steps, each within the tolerance. */
static const candidate candidates[] = {
    { { .integrator = "\"runge-kutta\"", .tolerance = 1e-10 }, 1e-8 },
    { { .integrator = "\"generalized-alpha\"", .step = 1e-3 }, 1e-5 },
    { { .integrator = "\"radau\"", .tolerance = 1e-8 }, 1e-7 },
    { { .integrator = "\"radau\"", .step = 5e-3 }, 1e-8 }, /* (h omega)^5 omega t / 7200 */
#ifdef CAROM_HAVE_SUNDIALS
    { { .integrator = "\"cvode\"", .tolerance = 1e-9 }, 1e-7 },
    { { .integrator = "{\"cvode\": {\"method\": \"adams\"}}", .tolerance = 1e-9 }, 1e-7 },
    { { .integrator = "\"ida\"", .tolerance = 1e-9 }, 1e-7 },
#endif
};
enum { CANDIDATES = sizeof candidates / sizeof candidates[0] };

TEST(integrators, pendulum_returns_after_the_period_of_the_elliptic_integral)
{
    double omega0 = sqrt(1.5 * 9.81);
    double period = pendulum_period(omega0, 0.5 * PI);
    for (int i = 0; i < CANDIDATES; ++i) {
        rig r = rig_start(SCENE_PENDULUM, candidates[i].time);
        rig_run(&r, 0.25 * period); /* at the bottom: all energy is kinetic */
        CHECK_NEAR(rig_signal(&r, "hinge.angle"), -0.5 * PI, candidates[i].error);
        CHECK_NEAR(rig_signal(&r, "hinge.angle.rate"), -omega0 * sqrt(2.0), 10.0 * candidates[i].error);
        rig_run(&r, 0.5 * period); /* turning point */
        CHECK_NEAR(rig_signal(&r, "hinge.angle"), -PI, candidates[i].error);
        CHECK_NEAR(rig_signal(&r, "hinge.angle.rate"), 0.0, 20.0 * candidates[i].error);
        carom_ledger ledger = rig_ledger(&r);
        CHECK_LE(fabs(ledger.residue), 40.0 * candidates[i].error); /* 2 kg falling 1 m: some 20 J move */
        CHECK_LE(ledger.position_error, 1e-12);
        CHECK_LE(ledger.velocity_error, 1e-9);
        rig_close(&r);
    }
}

/* Runs a scene with every candidate against runge-kutta at its tightest. */
static void compare(const char *scene, double t, const char *const *signals, double scale)
{
    rig reference = rig_start(scene, (rig_time){ .integrator = "\"runge-kutta\"", .tolerance = 1e-13 });
    rig_run(&reference, t);
    for (int i = 0; i < CANDIDATES; ++i) {
        rig r = rig_start(scene, candidates[i].time);
        rig_run(&r, t);
        for (int k = 0; signals[k]; ++k) {
            CHECK_NEAR(rig_signal(&r, signals[k]), rig_signal(&reference, signals[k]), scale * candidates[i].error);
        }
        carom_ledger ledger = rig_ledger(&r);
        CHECK_LE(ledger.position_error, 1e-12);
        CHECK_LE(ledger.velocity_error, 1e-8);
        CHECK_LE(fabs(ledger.residue), 100.0 * scale * candidates[i].error);
        rig_close(&r);
    }
    rig_close(&reference);
}

TEST(integrators, agree_on_a_spatial_double_pendulum)
{
    const char *const signals[] = { "first.angle",      "second.angle",     "lower.position.x",
                                    "lower.position.z", "first.angle.rate", NULL };
    compare(SCENE_DOUBLE_PENDULUM, 1.0, signals, 30.0);
}

TEST(integrators, agree_on_a_redundant_four_bar)
{
    const char *const signals[] = { "a.angle", "c.angle", "coupler.position.x", "a.angle.rate", NULL };
    compare(SCENE_FOUR_BAR, 1.0, signals, 30.0);
}

/* x = F/k + A exp(s1 t) + B exp(s2 t). */
static double stiff_position(double t)
{
    double root = sqrt(1e8 - 4e6);
    double s1 = 0.5 * (-1e4 + root);
    double s2 = 0.5 * (-1e4 - root);
    double rest = 100.0 / 1e6;
    double B = (1.0 + rest * s1) / (s2 - s1);
    double A = -rest - B;
    return rest + A * exp(s1 * t) + B * exp(s2 * t);
}

TEST(integrators, stiff_spring_and_damper)
{
    const candidate stiff[] = {
        { { .integrator = "\"runge-kutta\"", .tolerance = 1e-8 }, 1e-7 },
        { { .integrator = "\"generalized-alpha\"", .step = 1e-5 }, 1e-6 },
        { { .integrator = "\"radau\"", .tolerance = 1e-8 }, 1e-7 },
#ifdef CAROM_HAVE_SUNDIALS
        { { .integrator = "\"cvode\"", .tolerance = 1e-8 }, 1e-6 },
        { { .integrator = "\"ida\"", .tolerance = 1e-8 }, 1e-6 },
#endif
    };
    for (size_t i = 0; i < sizeof stiff / sizeof stiff[0]; ++i) {
        rig r = rig_start(SCENE_STIFF, stiff[i].time);
        const double times[] = { 1e-4, 1e-3, 0.01, 0.03 };
        for (int k = 0; k < 4; ++k) {
            rig_run(&r, times[k]);
            CHECK_NEAR(rig_signal(&r, "slide.travel"), stiff_position(times[k]), stiff[i].error);
        }
        CHECK_NEAR(rig_ledger(&r).residue, 0.0, 0.01); /* of half a joule, most of it dissipated within 0.1 ms */
        rig_close(&r);
    }
}

/* A copy of the state in a fresh scratch goes on to the same bits: nothing is remembered outside the state. */
TEST(integrators, fresh_scratch_changes_no_bit)
{
    for (int i = 0; i < CANDIDATES; ++i) {
        rig kept = rig_start(SCENE_DOUBLE_PENDULUM, candidates[i].time);
        rig fresh = rig_start(SCENE_DOUBLE_PENDULUM, candidates[i].time);
        for (int k = 1; k <= 6; ++k) {
            rig_step(&kept, 0.05);
            carom_scratch_destroy(fresh.scratch);
            fresh.scratch = NULL;
            carom_status status = carom_scratch_create(fresh.model, 1, &fresh.scratch, &fresh.err);
            CHECK_OK(status, fresh.err);
            rig_step(&fresh, 0.05);
            CHECK(carom_state_hash(kept.state) == carom_state_hash(fresh.state));
        }
        rig_close(&kept);
        rig_close(&fresh);
    }
}

/* A force that ceases to be a number: refused with a reason, the state as it was. */
TEST(integrators, failure_leaves_the_state_alone)
{
    const char *scene = scene_text("integrators/failure_leaves_the_state_alone.json");
    for (int i = 0; i < CANDIDATES; ++i) {
        rig r = rig_start(scene, candidates[i].time);
        carom_status status = CAROM_OK;
        while (status == CAROM_OK && carom_state_time(r.state) < 1.0) {
            uint64_t before = carom_state_hash(r.state);
            status = carom_step(r.model, r.state, r.scratch, 1.0, NULL, &r.err);
            CHECK(status == CAROM_OK || before == carom_state_hash(r.state));
        }
        CHECK_EQ(status, CAROM_NOT_CONVERGED);
        CHECK_LE(carom_state_time(r.state), 0.31);
        CHECK(r.err.message[0] != '\0');
        rig_close(&r);
    }
}

/* Recorded frames lie between steps: the dense output of every integrator is as good as its steps. */
TEST(integrators, frames_between_steps_are_as_good_as_steps)
{
    double omega0 = sqrt(1.5 * 9.81);
    for (int i = 0; i < CANDIDATES; ++i) {
        rig r = rig_start(SCENE_PENDULUM, candidates[i].time);
        while (carom_state_time(r.state) < 1.0) {
            double before = carom_state_time(r.state);
            rig_step(&r, 1.0);
            double t = before + 0.37 * (carom_state_time(r.state) - before);
            body_pose pose[2];
            body_rate rate[2];
            dense_at(r.scratch->dense, t, (motion){ .pose = pose, .rate = rate }, NULL);
            /* first integral: omega^2 = 2 omega0^2 sin(angle below the horizontal) */
            double depth = -2.0 * pose[1].x_w.y;
            double omega = rate[1].omega_w.z;
            CHECK_NEAR(omega * omega, 2.0 * omega0 * omega0 * depth, 1e3 * candidates[i].error);
        }
        rig_close(&r);
    }
}

/* Contact methods cut steps at events located to the last bits. */
TEST(integrators, steps_of_a_few_ulps_are_taken)
{
    for (int i = 0; i < CANDIDATES; ++i) {
        rig r = rig_start(SCENE_DOUBLE_PENDULUM, candidates[i].time);
        rig_run(&r, 0.3);
        for (double dt = 1e-16; dt < 1e-6; dt *= 10.0) {
            rig_step(&r, dt);
        }
        rig_run(&r, 0.31);
        CHECK_LE(fabs(rig_ledger(&r).residue), 1e-3);
        CHECK_LE(rig_ledger(&r).velocity_error, 1e-8);
        rig_close(&r);
    }
}

/* How far the state's acceleration is from the one its positions and velocities ask for. */
static double acceleration_error(rig *r)
{
    integrator_load(r->scratch, r->state);
    v3 kept = r->state->acceleration[1].v_w;
    carom_status status = work_evaluate(r->scratch, *r->state->time, state_motion(r->state), &r->err);
    CHECK_OK(status, r->err);
    return v3_norm(v3_sub(kept, r->scratch->acceleration[1].v_w));
}

/* A step cut short must not turn what is left of the constraints' rates into accelerations of order 1 / dt. */
TEST(integrators, generalized_alpha_keeps_its_accelerations_through_short_steps)
{
    static const double cuts[] = { 5e-4, 1e-4, 1e-6, 1e-8, 1e-10 };
    for (size_t k = 0; k < sizeof cuts / sizeof cuts[0]; ++k) {
        rig r = rig_start(SCENE_DOUBLE_PENDULUM, (rig_time){ .integrator = "\"generalized-alpha\"", .step = 1e-3 });
        rig_run(&r, 0.3);
        double before = acceleration_error(&r);
        rig_step(&r, cuts[k]);
        double after = acceleration_error(&r);
        rig_run(&r, 0.32);
        double later = acceleration_error(&r);
        printf("  cut to %.0e s: acceleration off by %.1e before, %.1e after, %.1e later\n", cuts[k], before, after,
               later);
        CHECK_LE(after, 10.0 * before);
        CHECK_LE(later, 10.0 * before);
        rig_close(&r);
    }
}

#ifdef CAROM_HAVE_SUNDIALS
/* Angles go on counting through long macro steps, on which gears and motors depend. */
TEST(integrators, macro_steps_count_turns)
{
    const char *scene = scene_text("integrators/macro_steps_count_turns.json");
    const char *const names[] = { "\"cvode\"", "\"ida\"" };
    for (int i = 0; i < 2; ++i) {
        rig r = rig_start(scene, (rig_time){ .integrator = names[i], .step = 2.0 });
        rig_run(&r, 4.0);
        CHECK_NEAR(rig_signal(&r, "a.angle"), 80.0, 1e-4);
        CHECK_NEAR(rig_signal(&r, "b.angle"), -40.0, 1e-4);
        rig_close(&r);
    }
}

TEST(integrators, ida_refuses_large_scenes_by_name_of_a_way_out)
{
    const char *scene = scene_text("integrators/ida_refuses_large_scenes_by_name_of_a_way_out.json");
    rig r = rig_start(scene, (rig_time){ 0 });
    CHECK_EQ(carom_step(r.model, r.state, r.scratch, 0.1, NULL, &r.err), CAROM_UNSUPPORTED);
    CHECK_CONTAINS(r.err.message, "runge-kutta");
    rig_close(&r);
}

/* Blocks that start from zeroes, at the tolerance of the preset "accurate"; against runge-kutta at its tightest. */
TEST(integrators, a_short_first_step_is_no_failure)
{
    const char *scene = scene_text("integrators/first_step_from_zero_is_short.json");
    const char *const signals[] = { "hang.length", "tie.length", "tie.force" };
    const char *const names[] = { "\"cvode\"", "{\"cvode\": {\"method\": \"adams\"}}", "\"ida\"" };
    rig exact = rig_start(scene, (rig_time){ .integrator = "\"runge-kutta\"", .tolerance = 1e-13 });
    rig_run(&exact, 0.5);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        rig r = rig_start(scene, (rig_time){ .integrator = names[i] });
        rig_run(&r, 0.5);
        for (size_t k = 0; k < sizeof signals / sizeof signals[0]; ++k) {
            CHECK_NEAR(rig_signal(&r, signals[k]), rig_signal(&exact, signals[k]), 1e-6);
        }
        rig_close(&r);
    }
    rig_close(&exact);
}

/* Beyond the dense limit CVODE solves by Krylov iteration. */
TEST(integrators, cvode_takes_large_scenes_without_a_matrix)
{
    const char *scene = scene_text("integrators/cvode_takes_large_scenes_without_a_matrix.json");
    double y = rig_value_at(scene, (rig_time){ .tolerance = 1e-8 }, 0.2, "b[29].position.y");
    double reference = rig_value_at(scene, (rig_time){ .integrator = "\"runge-kutta\"", .tolerance = 1e-10 }, 0.2,
                                    "b[29].position.y");
    CHECK_NEAR(y, reference, 1e-5);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(integrators, pendulum_returns_after_the_period_of_the_elliptic_integral),
        RUN_TEST(integrators, agree_on_a_spatial_double_pendulum),
        RUN_TEST(integrators, agree_on_a_redundant_four_bar),
        RUN_TEST(integrators, stiff_spring_and_damper),
        RUN_TEST(integrators, fresh_scratch_changes_no_bit),
        RUN_TEST(integrators, failure_leaves_the_state_alone),
        RUN_TEST(integrators, frames_between_steps_are_as_good_as_steps),
        RUN_TEST(integrators, steps_of_a_few_ulps_are_taken),
        RUN_TEST(integrators, generalized_alpha_keeps_its_accelerations_through_short_steps),
#ifdef CAROM_HAVE_SUNDIALS
        RUN_TEST(integrators, macro_steps_count_turns),
        RUN_TEST(integrators, ida_refuses_large_scenes_by_name_of_a_way_out),
        RUN_TEST(integrators, a_short_first_step_is_no_failure),
        RUN_TEST(integrators, cvode_takes_large_scenes_without_a_matrix),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
