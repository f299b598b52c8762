/* Bodies of modes in motion: conservation, statics, the literature's spin-up and slider-crank, all integrators. References of the last two
 * are of geometrically exact beams. */
#include "support/scene_file.h"
#include "support/sim.h"
#include "validation/reference.h"

#include "dynamics/integrator.h"

/* ---- conservation ------------------------------------------------------------------------------------------------------ */

TEST(flexible, free_block_keeps_energy_and_momenta)
{
    sim s = sim_parse(scene_text("flexible/free_block.json"), NULL);
    const carom_ledger start = sim_ledger(&s);
    double moved = 0.0;
    while (sim_before(&s, 0.5)) {
        sim_step(&s, 0.5);
        moved = fmax(moved, fabs(sim_signal(&s, "block.corner.displacement.x")));
    }
    const carom_ledger end = sim_ledger(&s);
    table_head("free block after 0.5 s");
    table_row("energy [J]", ledger_energy(&end), ledger_energy(&start));
    table_row("strain energy [J]", sim_signal(&s, "block.energy.strain"), end.elastic);
    CHECK(moved > 1e-3); /* it does deform: by millimetres */
    CHECK_LE(fabs(ledger_energy(&end) - ledger_energy(&start)), 1e-7 * ledger_energy(&start));
    CHECK_LE(sim_norm(sim_difference(end.momentum, start.momentum)), 1e-9 * sim_norm(start.momentum));
    CHECK_LE(sim_norm(sim_difference(end.angular_momentum, start.angular_momentum)),
             1e-9 * sim_norm(start.angular_momentum));
    CHECK_NEAR(sim_signal(&s, "block.energy.strain"), end.elastic, 1e-15);
    sim_end(&s);
}

/* ---- statics ----------------------------------------------------------------------------------------------------------- */

/* A beam under its weight: tip w L^4/(8 E I) + w L^2/(2 k G A); fibre strain M c/(E I) at a section; the wall carries all of it. */
TEST(flexible, cantilever_settles_where_the_closed_form_says)
{
    sim s = sim_parse(scene_text("flexible/cantilever.json"), NULL);
    const double w = 7850.0 * 2e-4 * 9.81, EI = 210e9 * 0.02 * 1e-6 / 12.0, kGA = 5.0 / 6.0 * 210e9 / 2.6 * 2e-4;
    sim_advance(&s, 2.0);
    carom_ledger l = sim_ledger(&s);
    table_head("cantilever under its weight");
    const double position = sim_signal(&s, "beam.tip.position.y");
    table_row("tip [m]", position, -w / (8.0 * EI) - w / (2.0 * kGA));
    table_row("strain near the wall", sim_signal(&s, "beam.root.strain"), 0.5 * w * 0.9875 * 0.9875 * 0.005 / EI);
    table_row("force of the wall [N]", sim_signal(&s, "wall.force"), w);
    table_row("moment of the wall [N m]", sim_signal(&s, "wall.torque"), 0.5 * w);
    CHECK_NEAR(position * 8.0 * EI / w, -1.0, 5e-3);
    CHECK_NEAR(sim_signal(&s, "beam.root.strain") / (0.5 * w * 0.9875 * 0.9875 * 0.005 / EI), 1.0, 0.03);
    CHECK_NEAR(sim_signal(&s, "wall.force") / w, 1.0, 1e-6);
    CHECK_NEAR(sim_signal(&s, "wall.torque") / (0.5 * w), 1.0, 2e-3);
    CHECK(l.lost_damping > 0.0);
    CHECK_LE(fabs(l.residue), 1e-4 * l.lost_damping);
    sim_end(&s);
}

/* ---- the literature's -------------------------------------------------------------------------------------------------- */

/* B1: largest lag of the tip 0.5738 m, at 6.76 s, when it is 0.0188 m nearer to the hub; at 6 rad/s it is 5.14e-4 m longer. */
TEST(flexible, spin_up_lags_as_a_geometrically_exact_beam)
{
    static const double known[5][2] = {
        { 2.5, -0.1513 }, { 5.0, -0.4684 }, { 7.5, -0.5591 }, { 10.0, -0.3629 }, { 12.5, -0.1127 }
    };
    sim s = sim_parse(scene_text("../../papers/2/spin-up.json"), NULL);
    double least = 0.0, when = 0.0, worst = 0.0, along = 0.0, stretch = 0.0;
    int next = 0, steady = 0;
    table_head("spin-up, tip across the beam");
    while (sim_before(&s, 20.0)) {
        sim_step(&s, next < 5 ? known[next][0] : 20.0);
        double y = sim_signal(&s, "beam.tip.displacement.y");
        double x = sim_signal(&s, "beam.tip.displacement.x");
        when = y < least ? sim_time(&s) : when;
        along = y < least ? x : along;
        stretch += sim_time(&s) > 15.0 ? x : 0.0;
        steady += sim_time(&s) > 15.0;
        least = fmin(least, y);
        if (next < 5 && sim_time(&s) >= known[next][0]) {
            worst = fmax(worst, fabs(table_row("tip [m]", y, known[next][1])));
            ++next;
        }
    }
    table_row("smallest [m]", least, -0.5738);
    CHECK_LE(fabs(table_row("along the beam [m]", along, -0.0188)), 0.01 * 0.0188);
    CHECK_LE(fabs(table_row("at 6 rad/s [m]", stretch / steady, 5.14e-4)), 0.01 * 5.14e-4);
    CHECK_LE(worst, 0.01 * 0.5738);
    CHECK_NEAR(least / -0.5738, 1.0, 0.01);
    CHECK_NEAR(when, 6.76, 0.05);
    sim_end(&s);
}

/* Without stiffening the same beam blows up: 6 rad/s are more than its lowest frequency. */
TEST(flexible, spin_up_without_stiffening_blows_up)
{
    const char *overrides[] = { "bodies.beam.flexible.stiffening=false", NULL };
    sim s = sim_parse(scene_text("../../papers/2/spin-up.json"), overrides);
    double most = 0.0;
    while (sim_before(&s, 15.0) && most < 10.0) {
        sim_step(&s, 15.0);
        most = fmax(most, fabs(sim_signal(&s, "beam.tip.displacement.y")));
    }
    CHECK(most > 2.0);
    sim_end(&s);
}

/* B3: deflection of the middle over the length of the rod, against crank angles. */
TEST(flexible, slider_crank_deflects_as_a_geometrically_exact_rod)
{
    enum { POINTS = 8 };
    static const double known[POINTS] = { 0.0056, 0.0030, -0.0076, 0.0005, 0.0066, -0.0030, -0.0047, -0.0009 };
    const double quarter = 1.57079632679489661923 / 150.0;
    sim s = sim_parse(scene_text("../../papers/2/slider-crank.json"), NULL);
    double most = 0.0, least = 0.0, at = 0.0;
    table_head("slider-crank, middle of the rod over its length");
    for (int k = 0; k < POINTS; ++k) {
        const double end = (k + 1) * quarter;
        double y = 0.0;
        while (sim_before(&s, end)) {
            sim_step(&s, end);
            y = sim_signal(&s, "rod.middle.displacement.y") / 0.3;
            at = y > most ? 150.0 * sim_time(&s) : at;
            most = fmax(most, y);
            least = fmin(least, y);
        }
        double off = table_row("deflection", y, known[k]);
        CHECK_LE(fabs(off), 0.02 * 0.0154);
    }
    table_row("largest", most, 0.0154);
    table_row("at [rad]", at, 0.815);
    table_row("smallest", least, -0.0155);
    CHECK_NEAR(most / 0.0154, 1.0, 0.02);
    CHECK_NEAR(least / -0.0155, 1.0, 0.02);
    CHECK_NEAR(at, 0.815, 0.02);
    const carom_ledger l = sim_ledger(&s);
    CHECK_LE(fabs(l.residue), 1e-5 * l.kinetic);
    sim_end(&s);
}

/* ---- integrators --------------------------------------------------------------------------------------------------------- */

static double swing_with(const char *integrator, const char *tolerance, const char *step)
{
    char name[96], accuracy[64], size[64];
    snprintf(name, sizeof name, "time.integrator=\"%s\"", integrator);
    snprintf(accuracy, sizeof accuracy, "time.tolerance=%s", tolerance);
    snprintf(size, sizeof size, "time.step=%s", step ? step : "0.01");
    const char *overrides[] = { name, accuracy, size, NULL };
    sim s = sim_parse(scene_text("flexible/swing.json"), overrides);
    sim_advance(&s, 0.1);
    double y = sim_signal(&s, "strip.middle.position.y");
    carom_ledger l = sim_ledger(&s);
    printf("  %-20s middle at %.9g m, %ld steps, energy off by %.1e J\n", integrator, y, s.steps, l.residue);
    sim_end(&s);
    return y;
}

TEST(flexible, integrators_agree)
{
    const double exact = swing_with("runge-kutta", "1e-10", NULL);
    CHECK_NEAR(swing_with("generalized-alpha", "1e-8", NULL), exact, 1e-5);
    CHECK_NEAR(swing_with("semi-implicit-euler", "1e-3", "5e-6"), exact, 1e-4);
    if (integrator_find("ida")) {
        CHECK_NEAR(swing_with("cvode", "1e-8", NULL), exact, 1e-5);
        CHECK_NEAR(swing_with("ida", "1e-7", NULL), exact, 1e-5);
    }
}

/* Vibrations that a fixed explicit step cannot follow are refused, with the frequency and the step that would do. */
TEST(flexible, explicit_steps_that_would_blow_up_are_refused)
{
    const char *overrides[] = { "time.integrator=\"semi-implicit-euler\"", "time.step=1e-3" };
    char path[1024];
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_scene_load(scene_path("flexible/swing.json", path, sizeof path), overrides, 2, &spec, &err), err);
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "body 'strip' vibrates with up to");
    CHECK_CONTAINS(err.message, "steps of 0.001 s of 'semi-implicit-euler' are stable below");
    carom_spec_destroy(spec);
}

/* ---- bits ---------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_after(const char *scene, int threads, int steps)
{
    sim s = sim_start(scene_read(scene, NULL), threads);
    for (int k = 0; k < steps; ++k) {
        sim_step(&s, 1.0);
    }
    uint64_t hash = carom_state_hash(s.state);
    sim_end(&s);
    return hash;
}

TEST(flexible, thread_count_and_repetition_change_no_bit)
{
    static const char *const scenes[] = { "flexible/free_block.json", "../../papers/2/slider-crank.json",
                                          "flexible/swing.json" };
    for (int k = 0; k < 3; ++k) {
        const uint64_t one = hash_after(scenes[k], 1, 30);
        CHECK(hash_after(scenes[k], 1, 30) == one);
        CHECK(hash_after(scenes[k], 2, 30) == one);
        CHECK(hash_after(scenes[k], 7, 30) == one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(flexible, free_block_keeps_energy_and_momenta),
        RUN_TEST(flexible, cantilever_settles_where_the_closed_form_says),
        RUN_TEST(flexible, spin_up_lags_as_a_geometrically_exact_beam),
        RUN_TEST(flexible, spin_up_without_stiffening_blows_up),
        RUN_TEST(flexible, slider_crank_deflects_as_a_geometrically_exact_rod),
        RUN_TEST(flexible, integrators_agree),
        RUN_TEST(flexible, explicit_steps_that_would_blow_up_are_refused),
        RUN_TEST(flexible, thread_count_and_repetition_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
