/* Impulses of pairs in the summary of a run with the method "barrier": the change of momentum, restitution included. */
#include "support/scratch_folder.h"
#include "support/sim.h"

enum { TEXT = 4096 };

/* The impulse of the only pair that touches, from the summary; *speed is the velocity of the body `of` at the end. */
static double impulse_of(const char *text, const char *name, const char *of, carom_v3 *speed)
{
    char folder[128];
    carom_error err = { 0 };
    carom_result *result = NULL;
    carom_result_pair *pairs = NULL;
    size_t count = 0;
    snprintf(folder, sizeof folder, "%s/%s", scratch_folder, name);
    sim s = sim_parse(text, NULL);
    carom_run_options options = { .folder = folder, .command = "test" };
    CHECK_OK(carom_run_folder(s.model, &options, &err), err);
    CHECK_OK(carom_result_open(folder, &result, &err), err);
    CHECK_OK(carom_result_pairs(result, &pairs, &count, &err), err);
    CHECK_EQ(count, 1);
    double impulse = count == 1 ? pairs[0].impulse : 0.0;
    while (sim_before(&s, 0.5)) {
        sim_step(&s, 0.5);
    }
    *speed = carom_state_velocity(s.model, s.state, sim_body(&s, of));
    carom_result_pairs_destroy(pairs);
    carom_result_close(result);
    sim_end(&s);
    return impulse;
}

/* A ball of 2 kg meets a wall with 3 m/s, without gravity: what its momentum has changed by, which is m (1 + e) v, whatever step and
 * integrator. Without restitution it may still creep away from the wall. */
TEST(impulses, of_a_ball_that_bounces)
{
    static const double es[] = { 0.0, 0.5, 1.0 };
    static const double steps[] = { 0.01, 0.001 };
    static const char *const integrators[] = { "implicit-euler", "bdf2" };
    table_head("impulse of a ball of 2 kg with 3 m/s [N s]");
    for (int k = 0; k < 12; ++k) {
        char text[TEXT], name[64], row[64];
        double e = es[k % 3];
        double h = steps[k / 3 % 2];
        snprintf(
            text, sizeof text,
            "{\"carom\": 1, \"time\": {\"end\": 0.5, \"step\": %.17g, \"integrator\": \"%s\"}, \"contact\": {\"method\": "
            "\"barrier\", \"range\": %.17g, \"restitution\": %.17g}, \"bodies\": [{\"name\": \"wall\", \"fixed\": true, "
            "\"shape\": {\"plane\": [0, 0, 1]}}, {\"name\": \"ball\", \"mass\": 2, \"shape\": {\"sphere\": 0.1}, "
            "\"position\": [0, 0, 0.6], \"velocity\": [0, 0, -3]}]}",
            h, integrators[k / 6], 0.02 * h * 3.0, e);
        snprintf(name, sizeof name, "ball-%d", k);
        snprintf(row, sizeof row, "%s, h %g s, e %g", integrators[k / 6], h, e);
        carom_v3 after;
        double impulse = impulse_of(text, name, "ball", &after);
        table_row(row, impulse, 2.0 * (1.0 + e) * 3.0);
        CHECK_NEAR(impulse, 2.0 * (3.0 + after.z), 2.0 * 0.01 * 0.02 * 3.0); /* a step is solved to 0.01 range/h */
        CHECK_NEAR(impulse, 2.0 * (1.0 + e) * 3.0, 3e-3 * 2.0 * 3.0);
    }
}

/* Two balls: the reduced mass instead. The ball that is numbered second is the faster one. */
TEST(impulses, of_two_balls)
{
    carom_v3 after;
    double impulse = impulse_of(
        "{\"carom\": 1, \"time\": {\"end\": 0.5, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\", \"range\": 1e-3, "
        "\"restitution\": 0.5}, \"bodies\": [{\"name\": \"slow\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}}, {\"name\": \"fast\", "
        "\"mass\": 3, \"shape\": {\"sphere\": 0.1}, \"position\": [-0.6, 0, 0], \"velocity\": [2, 0, 0]}]}",
        "two", "slow", &after);
    CHECK_NEAR(impulse, after.x, 0.01 * 1e-3 / 0.01);
    table_row("3 kg on 1 kg with 2 m/s, e 0.5", impulse, 0.75 * 1.5 * 2.0);
    CHECK_NEAR(impulse, 0.75 * 1.5 * 2.0, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(impulses, of_a_ball_that_bounces),
        RUN_TEST(impulses, of_two_balls),
    };
    return cmocka_run_group_tests(tests, make_scratch_folder, remove_scratch_folder);
}
