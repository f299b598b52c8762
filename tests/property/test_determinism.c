/* Same bits: for any number of threads, from a copy of the state, with scratch thrown away between steps; and a step
 * that fails leaves the state as it was. */
#include "support/random_model.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include "model/state.h"

static const char *const integrators[] = { "runge-kutta", "generalized-alpha", "radau", "semi-implicit-euler" };
enum { INTEGRATORS = 4, LINKS = 600 };

/* A hanging chain, horizontal at the start, with a damper on every tenth link. */
static carom_spec *chain(const char *integrator)
{
    const char *text = scene_text("determinism/chain.json");
    char override[64];
    const char *overrides[] = { override };
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    snprintf(override, sizeof override, "time.integrator=\"%s\"", integrator);
    CHECK_OK(carom_scene_parse(text, strlen(text), "chain", ".", overrides, 1, &spec, &err), err);
    return spec;
}

static uint64_t hash_after(const char *integrator, int threads, int steps)
{
    sim s = sim_start(chain(integrator), threads);
    CHECK_EQ(carom_model_body_count(s.model), LINKS + 1);
    for (int k = 0; k < steps; ++k) {
        sim_step(&s, 1.0);
    }
    uint64_t hash = carom_state_hash(s.state);
    sim_end(&s);
    return hash;
}

TEST(determinism, thread_count_changes_no_bit)
{
    for (int k = 0; k < INTEGRATORS; ++k) {
        uint64_t one = hash_after(integrators[k], 1, 20);
        CHECK(hash_after(integrators[k], 2, 20) == one);
        CHECK(hash_after(integrators[k], 7, 20) == one);
        printf("  %-20s %016llx for 1, 2 and 7 threads\n", integrators[k], (unsigned long long)one);
    }
}

/* ---- copies and scratch ---- */

static const char *const mixed[] = { "revolute", "spherical", "universal", "prismatic", "screw", NULL };

static sim random_sim(uint64_t seed, const char *integrator)
{
    test_rng rng = test_rng_seed(seed);
    random_plan plan = random_plan_default();
    plan.joints = mixed;
    plan.loop = seed % 2 == 0;
    plan.integrator = integrator;
    return sim_start(random_spec(&rng, &plan), 1);
}

TEST(determinism, a_copy_goes_on_alike)
{
    for (int k = 0; k < INTEGRATORS; ++k) {
        for (uint64_t seed = 1; seed <= 6; ++seed) {
            sim s = random_sim(seed, integrators[k]);
            carom_error err = { 0 };
            for (int i = 0; i < 10; ++i) {
                sim_step(&s, 1.0);
            }
            sim other = s;
            other.state = carom_state_create(s.model);
            CHECK_OK(carom_scratch_create(s.model, 1, &other.scratch, &err), err);
            carom_state_copy(other.state, s.state);
            CHECK(carom_state_hash(other.state) == carom_state_hash(s.state));
            for (int i = 0; i < 10; ++i) {
                sim_step(&s, 1.0);
                sim_step(&other, 1.0);
                CHECK(carom_state_hash(other.state) == carom_state_hash(s.state));
            }
            carom_state_destroy(other.state);
            carom_scratch_destroy(other.scratch);
            sim_end(&s);
        }
    }
}

TEST(determinism, scratch_may_be_thrown_away_or_looked_through)
{
    for (int k = 0; k < INTEGRATORS; ++k) {
        for (uint64_t seed = 1; seed <= 6; ++seed) {
            sim plain = random_sim(seed, integrators[k]);
            sim renewed = random_sim(seed, integrators[k]);
            sim watched = random_sim(seed, integrators[k]);
            carom_error err = { 0 };
            for (int i = 0; i < 20; ++i) {
                carom_scratch_destroy(renewed.scratch);
                CHECK_OK(carom_scratch_create(renewed.model, 1, &renewed.scratch, &err), err);
                sim_step(&plain, 1.0);
                sim_step(&renewed, 1.0);
                sim_step(&watched, 1.0);
                sim_ledger(&watched);
                sim_signal(&watched, "j1.force");
                CHECK(carom_state_hash(renewed.state) == carom_state_hash(plain.state));
                CHECK(carom_state_hash(watched.state) == carom_state_hash(plain.state));
            }
            sim_end(&plain);
            sim_end(&renewed);
            sim_end(&watched);
        }
    }
}

/* ---- failure ---- */

/* A load that stops being a number at `when`; no step can pass there. */
static sim doomed(const char *integrator, const char *when)
{
    const char *text = scene_text("determinism/doomed.json");
    char kind[64];
    char time[64];
    const char *overrides[] = { kind, time, NULL };
    snprintf(kind, sizeof kind, "time.integrator=\"%s\"", integrator);
    snprintf(time, sizeof time, "variables.when=%s", when);
    return sim_parse(text, overrides);
}

static void fail_and_compare(const char *integrator, const char *when)
{
    sim s = doomed(integrator, when);
    carom_status status = CAROM_OK;
    uint64_t before = 0;
    double t = 0.0;
    for (int k = 0; k < 1000 && status == CAROM_OK; ++k) {
        carom_error err = { 0 };
        before = carom_state_hash(s.state);
        t = sim_time(&s);
        status = carom_step(s.model, s.state, s.scratch, 1.0 - t, NULL, &err);
        CHECK(status == CAROM_OK || err.message[0]);
    }
    printf("  %-20s when = %-6s refused at t = %.6f: %s\n", integrator, when, t, carom_status_name(status));
    CHECK(status != CAROM_OK);
    CHECK(carom_state_hash(s.state) == before);
    CHECK(v3_finite(s.state->pose[1].x_w) && v3_finite(s.state->rate[1].v_w));
    CHECK(v3_finite(s.state->acceleration[1].v_w)); /* nothing that is no number was ever accepted */
    sim_end(&s);
}

TEST(failure, leaves_the_state_as_it_was)
{
    for (int k = 0; k < INTEGRATORS; ++k) {
        fail_and_compare(integrators[k], "0.1");
    }
}

TEST(failure, of_the_very_first_step_leaves_the_state_as_it_was)
{
    for (int k = 0; k < INTEGRATORS; ++k) {
        fail_and_compare(integrators[k], "1e-12");
    }
}

TEST(failure, of_a_senseless_step_leaves_the_state_as_it_was)
{
    sim s = doomed("runge-kutta", "2");
    sim_step(&s, 1.0);
    uint64_t before = carom_state_hash(s.state);
    const double senseless[] = { 0.0, -1.0, (double)NAN };
    for (int k = 0; k < 3; ++k) {
        carom_error err = { 0 };
        CHECK_EQ(carom_step(s.model, s.state, s.scratch, senseless[k], NULL, &err), CAROM_BAD_INPUT);
        CHECK(carom_state_hash(s.state) == before);
    }
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(determinism, thread_count_changes_no_bit),
        RUN_TEST(determinism, a_copy_goes_on_alike),
        RUN_TEST(determinism, scratch_may_be_thrown_away_or_looked_through),
        RUN_TEST(failure, leaves_the_state_as_it_was),
        RUN_TEST(failure, of_the_very_first_step_leaves_the_state_as_it_was),
        RUN_TEST(failure, of_a_senseless_step_leaves_the_state_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
