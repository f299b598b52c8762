/* What integrators must not step over: points of tables, jumps of forces, turns of bodies; and what they say when a
 * value ceases to be a number. */
#include "rig.h"
#include "support/scene_file.h"

static const char *const integrators[] = { "\"generalized-alpha\"", "\"runge-kutta\"", "\"semi-implicit-euler\"" };
enum { INTEGRATORS = sizeof integrators / sizeof integrators[0] };

#define BLOCK "\"bodies\": [{\"name\": \"m\", \"mass\": 1, \"inertia\": [1, 1, 1]}]"

/* A pulse of 10 N s in 20 ms of a run of 10 s, far shorter than the steps a force-free motion takes. */
TEST(jumps, a_short_pulse_of_a_table_is_not_stepped_over)
{
    const char *scene = "{\"carom\": 1, \"time\": {\"end\": 10}, " BLOCK ", \"forces\": [{\"name\": \"l\","
                        " \"type\": \"load\", \"body\": \"m\", \"force\": [{\"table\":"
                        " [[0, 0], [5.02, 0], [5.03, 1000], [5.04, 0]]}, 0, 0]}]}";
    for (int k = 0; k < INTEGRATORS; ++k) {
        double v = rig_value_at(scene, (rig_time){ .integrator = integrators[k] }, 10.0, "m.velocity.x");
        CHECK_NEAR(v, 10.0, 1e-3); /* the tolerance of the default preset over the pulse */
    }
}

/* A force that jumps at a point no grid of steps meets: exact, because a step ends there and the next starts anew. */
TEST(jumps, a_stepped_force_is_integrated_exactly)
{
    const char *scene = "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, " BLOCK
                        ", \"forces\": [{\"name\": \"l\","
                        " \"type\": \"load\", \"body\": \"m\", \"force\": [{\"table\": [[0, 0], [0.5037, 2]],"
                        " \"interpolation\": \"step\"}, 0, 0]}]}";
    for (int k = 0; k < INTEGRATORS; ++k) {
        double v = rig_value_at(scene, (rig_time){ .integrator = integrators[k] }, 1.0, "m.velocity.x");
        CHECK_NEAR(v, 2.0 * (1.0 - 0.5037), 1e-12);
    }
}

/* A wheel that turns 1000 rad in a run whose longest step alone would allow ten turns. */
TEST(jumps, turns_are_counted_however_long_the_run)
{
    const char *scene = scene_text("jumps/turns_are_counted_however_long_the_run.json");
    for (int k = 0; k < INTEGRATORS; ++k) {
        rig_time time = { .integrator = integrators[k], .step = 1.0 };
        /* steps of 1.5 rad: five digits at order 5, but never a turn */
        CHECK_NEAR(rig_value_at(scene, time, 100.0, "h.angle"), 1000.0, 0.05);
    }
}

/* From rest to 1000 rad/s within a hundredth of the run: the first step knows of no rotation yet. */
TEST(jumps, turns_are_counted_from_rest)
{
    const char *scene = scene_text("jumps/turns_are_counted_from_rest.json");
    for (int k = 0; k < INTEGRATORS - 1; ++k) { /* order 1 would need a step far below the default */
        CHECK_NEAR(rig_value_at(scene, (rig_time){ .integrator = integrators[k] }, 1.0, "h.angle"), 500.0, 1e-2);
    }
}

/* Two drivers of one shaft that agree at the start, also in speed, and then part. */
TEST(jumps, contradictions_that_come_later_are_refused)
{
    const char *scene = "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, " BLOCK ", \"joints\": ["
                        "{\"name\": \"one\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"m\"],"
                        " \"motion\": {\"value\": \"t^2\"}}, {\"name\": \"two\", \"type\": \"revolute\","
                        " \"bodies\": [\"ground\", \"m\"], \"motion\": {\"value\": \"1.1*t^2\"}}]}";
    for (int k = 0; k < INTEGRATORS; ++k) {
        rig r = rig_start(scene, (rig_time){ .integrator = integrators[k] });
        carom_status status = CAROM_OK;
        for (int n = 0; n < 1000 && status == CAROM_OK; ++n) {
            status = carom_step(r.model, r.state, r.scratch, 1.0, NULL, &r.err);
        }
        CHECK_EQ(status, CAROM_NOT_CONVERGED);
        CHECK_LE(rig_ledger(&r).position_error, 1e-6); /* nothing open was ever accepted */
        rig_close(&r);
    }
}

TEST(jumps, what_has_no_value_is_named)
{
    const char *scene = "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, " BLOCK ", \"forces\": [{\"name\":"
                        " \"root\", \"type\": \"load\", \"body\": \"m\", \"force\": [\"sqrt(0.5-t)\", 0, 0]}]}";
    for (int k = 0; k < INTEGRATORS; ++k) {
        rig r = rig_start(scene, (rig_time){ .integrator = integrators[k] });
        carom_status status = CAROM_OK;
        for (int n = 0; n < 10000 && status == CAROM_OK; ++n) {
            status = carom_step(r.model, r.state, r.scratch, 1.0, NULL, &r.err);
        }
        CHECK_EQ(status, CAROM_NOT_CONVERGED);
        CHECK_CONTAINS(r.err.message, "'root' has no finite value");
        rig_close(&r);
    }
}

/* Compiles and expects a refusal whose message contains `part`. */
static void check_refused(const char *scene, rig_time time, const char *part)
{
    rig r;
    carom_status status = rig_compile(&r, scene, time);
    CHECK_EQ(status, CAROM_BAD_INPUT);
    CHECK_CONTAINS(r.err.message, part);
    rig_close(&r);
}

TEST(jumps, settings_and_motions_that_cannot_be_kept_are_refused)
{
    const char *plain = "{\"carom\": 1, \"time\": {\"end\": 1}, " BLOCK "}";
    check_refused(plain, (rig_time){ .integrator = "{\"generalized-alpha\": {\"rho\": 2}}" }, "between 0 and 1");
    check_refused(plain, (rig_time){ .tolerance = 1e-30 }, "time.tolerance");
    check_refused(plain, (rig_time){ .step = 1e-300 }, "time.step");
    check_refused("{\"carom\": 1, \"time\": {\"end\": 1}, " BLOCK ", \"joints\": [{\"name\": \"h\", \"type\":"
                  " \"revolute\", \"bodies\": [\"ground\", \"m\"], \"motion\": {\"value\": {\"table\":"
                  " [[0, 0], [0.5, 1], [1, 1]]}}}]}",
                  (rig_time){ 0 }, "makes the velocity jump");
}

/* Two wheels of 1 kg m^2 geared 1:2, 6 N m on the first: (1 + 4) a = 6, and the gear brings the second up to 2 a. */
TEST(jumps, a_gear_tells_its_effort)
{
    const char *scene = scene_text("jumps/a_gear_tells_its_effort.json");
    rig r = rig_start(scene, (rig_time){ 0 });
    double effort = 0.0;
    carom_status status = carom_observe_signal(r.model, r.state, r.scratch, "g.effort", &effort, &r.err);
    CHECK_OK(status, r.err);
    CHECK_NEAR(effort, 2.0 * 6.0 / 5.0, 1e-12);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(jumps, a_short_pulse_of_a_table_is_not_stepped_over),
        RUN_TEST(jumps, a_stepped_force_is_integrated_exactly),
        RUN_TEST(jumps, turns_are_counted_however_long_the_run),
        RUN_TEST(jumps, turns_are_counted_from_rest),
        RUN_TEST(jumps, contradictions_that_come_later_are_refused),
        RUN_TEST(jumps, what_has_no_value_is_named),
        RUN_TEST(jumps, settings_and_motions_that_cannot_be_kept_are_refused),
        RUN_TEST(jumps, a_gear_tells_its_effort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
