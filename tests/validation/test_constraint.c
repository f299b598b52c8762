/* The method constraint against closed forms: rods that strike each other, a bar on a wall, a rigid striker on a rod (St Venant), and
 * rigid bodies against the method impact. */
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include <stdio.h>
#include <stdlib.h>

static sim start(const char *scene, const char *const *overrides)
{
    return sim_start(scene_read(scene, overrides), 1);
}

static double end_velocity(const sim *s, const char *body)
{
    return carom_state_velocity(s->model, s->state, sim_body(s, body)).x;
}

/* ---- two rods ---- */

static const double SPEED = 0.21;

/* With steps of h/c everything is exact but the inelastic impact of two half nodes: F0 at every step, release at step 2n, 1/(4n) of
 * the energy and of the speed lost. */
TEST(constraint, rods_are_exact_at_the_unit_courant_number)
{
    static const int counts[] = { 50, 200 };
    for (int k = 0; k < 2; ++k) {
        char n[40];
        snprintf(n, sizeof n, "variables.n=%d", counts[k]);
        const char *const overrides[] = { n, NULL };
        sim s = start("constraint_rods.json", overrides);
        const double F0 = 70e9 * 3.14159265358979323846 * 1e-4 * SPEED / (2.0 * sqrt(70e9 / 2700.0));
        double h = carom_model_integration(s.model).step;
        int last = 0;
        for (int step = 1; step <= 5 * counts[k] / 2; ++step) {
            sim_step(&s, h * step);
            double force = sim_signal(&s, "rod2.contact.force.x");
            if (step < 2 * counts[k]) {
                CHECK_NEAR(force / F0, 1.0, 1e-9);
            }
            last = force > 1e-6 * F0 ? step : last;
        }
        CHECK_EQ(last, 2 * counts[k] - 1);
        CHECK_NEAR(end_velocity(&s, "rod1") / SPEED, 0.25 / counts[k], 1e-9);
        CHECK_NEAR(end_velocity(&s, "rod2") / SPEED, 1.0 - 0.25 / counts[k], 1e-9);
        CHECK_LE(sim_norm(sim_ledger(&s).momentum_residue), 1e-12);
        sim_end(&s);
    }
}

/* Largest |energy.residue| at ends of steps of at most dt, over the largest kinetic energy. */
static double worst_residue(sim *s, double end, double dt)
{
    double worst = 0.0, kinetic = 0.0;
    while (sim_before(s, end)) {
        sim_step(s, fmin(end, sim_time(s) + dt));
        carom_ledger l = sim_ledger(s);
        worst = fmax(worst, fabs(l.residue));
        kinetic = fmax(kinetic, l.kinetic);
    }
    return worst / kinetic;
}

/* At 0.9 of the critical step and at the critical step itself, in contact and without, at ends of steps and at any other time. */
TEST(constraint, books_of_rods_close)
{
    static const char *const cfl[] = { "variables.cfl=0.5", "variables.cfl=0.9", "variables.cfl=1" };
    static const double parts[] = { 1e3, 0.37, 1.7 };
    for (int k = 0; k < 9; ++k) {
        const char *const overrides[] = { cfl[k / 3], NULL };
        sim s = start("constraint_rods.json", overrides);
        double kinetic = sim_ledger(&s).kinetic;
        double h = carom_model_integration(s.model).step;
        CHECK_LE(worst_residue(&s, 6e-4, parts[k % 3] * h), 1e-11); /* rounding of 600 steps of 400 bars */
        carom_ledger l = sim_ledger(&s);
        CHECK(l.lost_impact > 0.249 / 200.0 * kinetic && l.lost_impact < 1.0 / 200.0 * kinetic);
        sim_end(&s);
    }
}

/* Steps lie on a grid of their own: where a caller stops in between changes nothing. */
TEST(constraint, steps_do_not_depend_on_where_callers_stop)
{
    static const double parts[] = { 0.31, 1.5, 7.2 };
    sim whole = start("constraint_rattle.json", NULL);
    sim_advance(&whole, 0.3);
    for (int k = 0; k < 3; ++k) {
        sim s = start("constraint_rattle.json", NULL);
        CHECK_LE(worst_residue(&s, 0.3, parts[k] * carom_model_integration(s.model).step), 1e-11);
        CHECK_NEAR(end_velocity(&s, "rod"), end_velocity(&whole, "rod"), 1e-10);
        sim_end(&s);
    }
    sim_end(&whole);
}

/* Joints hold positions: the work that this takes is known. */
TEST(constraint, books_of_a_double_pendulum_close)
{
    static const char *const steps[] = { "time.step=2e-3", "time.step=5e-4" };
    double numerics[2];
    for (int k = 0; k < 2; ++k) {
        const char *const overrides[] = { "contact.method=constraint", steps[k], "time.preset=balanced", NULL };
        sim s = start("double_pendulum.json", overrides);
        CHECK_LE(worst_residue(&s, 1.0, 1e3), 1e-12);
        numerics[k] = fabs(sim_ledger(&s).lost_numerics);
        sim_end(&s);
    }
    printf("  numerics: %.3g J and %.3g J with a quarter of the step\n", numerics[0], numerics[1]);
    CHECK(numerics[1] < 0.1 * numerics[0]); /* of second order */
}

/* A free body that tumbles: gyroscopic torques are means of both half steps, so that energy and momentum swing by errors of second order
 * and do not drift. */
TEST(constraint, a_tumbling_body_keeps_energy_and_momentum)
{
    static const char *const steps[] = { "time.step=2e-3", "time.step=1e-3", "time.step=5e-4" };
    double energy[3], spin[3];
    for (int k = 0; k < 3; ++k) {
        const char *const overrides[] = { "contact.method=constraint", steps[k], "time.preset=balanced", NULL };
        sim s = start("dzhanibekov.json", overrides);
        double size = sim_norm(sim_ledger(&s).angular_momentum);
        energy[k] = worst_residue(&s, 4.0, 1e3);
        spin[k] = sim_norm(sim_ledger(&s).angular_momentum_residue) / size;
        printf("  %s: energy off by %.3g, angular momentum by %.3g\n", steps[k], energy[k], spin[k]);
        sim_end(&s);
    }
    CHECK_NEAR(spin[0] / spin[1], 4.0, 0.1);
    CHECK_NEAR(spin[1] / spin[2], 4.0, 0.1);
    CHECK_LE(energy[0], 1e-4); /* seen where steps end, so that its ratios are rough */
    CHECK_LE(energy[2], 1e-5);
}

/* ---- a bar on a wall ---- */

TEST(constraint, bar_rebounds_from_a_wall_as_its_waves_say)
{
    const char *const overrides[] = { "variables.n=400", NULL };
    sim s = start("../../papers/2/bar-on-wall.json", overrides);
    double on = 0.0, off = 0.0, sum = 0.0;
    int count = 0;
    while (sim_before(&s, 2.0)) {
        sim_step(&s, 2.0);
        double t = sim_time(&s);
        double force = -sim_signal(&s, "bar.contact.force.x");
        on = force > 0.0 && on == 0.0 ? t : on;
        off = force > 0.0 ? t : off;
        bool middle = t > 0.6 && t < 1.1;
        sum += middle ? force : 0.0;
        count += middle;
    }
    CHECK_NEAR(on, 0.5, 0.005 * 0.5);
    CHECK_NEAR(sum / count, 300.0, 0.005 * 300.0);
    CHECK_NEAR(off, 0.5 + 2.0 / 3.0, 0.005 * (0.5 + 2.0 / 3.0));
    CHECK_NEAR(end_velocity(&s, "bar"), -10.0, 0.005 * 10.0);
    sim_end(&s);
}

/* ---- a striker on a rod ---- */

/* Exact by pieces: rod mass over striker mass, duration [L/c], rebound over v0, largest stress at the fixed end over rho c v0. With steps of
 * h/c, so that fronts stay sharp; the last element has the mean stress over its length, off by about h. */
TEST(constraint, striker_leaves_a_rod_as_st_venant_says)
{
    static const double cases[5][4] = { { 1.0 / 6.0, 7.4076, 0.9297, 3.5045 },
                                        { 0.25, 5.8996, 0.8169, 3.2131 },
                                        { 0.5, 4.7086, 0.9252, 2.7358 },
                                        { 1.0, 3.0677, 0.6876, 2.2707 },
                                        { 2.0, 2.5046, 0.7291, 2.0366 } };
    for (int k = 0; k < 5; ++k) {
        char ratio[60];
        snprintf(ratio, sizeof ratio, "variables.ratio=%.17g", cases[k][0]);
        const char *const overrides[] = { ratio, NULL };
        sim s = start("../../papers/2/striker.json", overrides);
        double stress = 0.0, off = 9.0, rebound = 0.0;
        while (sim_before(&s, off + 1.0)) { /* light strikers leave before their last front has come back */
            sim_step(&s, off + 1.0);
            stress = fmax(stress, -sim_signal(&s, "rod.end.strain") / 1e-3);
            if (off == 9.0 && sim_time(&s) > 1.0 && sim_signal(&s, "contact.count") == 0.0) {
                off = sim_time(&s);
                rebound = -end_velocity(&s, "striker") / 1e-3;
            }
        }
        printf("  ratio %g: duration %.4f, rebound %.4f, stress %.4f\n", cases[k][0], off, rebound, stress);
        CHECK_NEAR(off, cases[k][1], 0.01 * cases[k][1]);
        CHECK_NEAR(rebound, cases[k][2], 0.01 * cases[k][2]);
        CHECK_NEAR(stress, cases[k][3], 0.01 * cases[k][3]);
        sim_end(&s);
    }
}

/* ---- many switches ---- */

/* A rod that rattles between two walls: energy and momentum are known after a thousand changes of topology. */
TEST(constraint, books_close_over_a_thousand_switches)
{
    sim s = start("constraint_rattle.json", NULL);
    double kinetic = sim_ledger(&s).kinetic;
    int switches = 0;
    double before = 0.0, worst = 0.0;
    while (switches < 1000 && sim_before(&s, 1e3)) {
        sim_step(&s, 1e3);
        double count = sim_signal(&s, "contact.count");
        switches += (count > 0.0) != (before > 0.0);
        before = count;
        carom_ledger l = sim_ledger(&s);
        worst = fmax(worst, fabs(l.residue) / kinetic);
        CHECK_LE(sim_norm(l.momentum_residue), 1e-10);
    }
    printf("  %d switches up to t = %.3f s, energy off by %.2e at worst\n", switches, sim_time(&s), worst);
    CHECK_EQ(switches, 1000);
    CHECK_LE(worst, 1e-12); /* rounding of some 1e5 steps; 1e-14 is seen */
    sim_end(&s);
}

/* ---- solids ---- */

/* Nodes against triangles, with friction: forces and reactions act at one point, whatever the gap. */
TEST(constraint, blocks_in_space_keep_momenta_and_part)
{
    sim s = start("constraint_blocks.json", NULL);
    carom_ledger first = sim_ledger(&s);
    double touched = 0.0;
    while (sim_before(&s, 2e-3)) {
        sim_step(&s, 2e-3);
        carom_ledger l = sim_ledger(&s);
        touched = fmax(touched, sim_signal(&s, "contact.count"));
        CHECK_LE(sim_norm(sim_difference(l.momentum, first.momentum)), 1e-13);
        CHECK_LE(sim_norm(sim_difference(l.angular_momentum, first.angular_momentum)),
                 1e-12 * sim_norm(first.angular_momentum));
    }
    CHECK(touched >= 9.0);
    CHECK(carom_state_velocity(s.model, s.state, sim_body(&s, "upper")).z > 0.5);
    CHECK(sim_ledger(&s).lost_friction > 0.0);
    sim_end(&s);
}

/* The same in a plane: nodes against edges that turn, with gaps at first touch, sticking and sliding. */
TEST(constraint, bars_in_a_plane_keep_momenta_while_they_scrape)
{
    static const char *const cases[][2] = { { "variables.gap=1e-5", "bodies.finger.flexible.rotation=body" },
                                            { "variables.gap=1.7e-4", "bodies.finger.flexible.rotation=body" },
                                            { "variables.gap=1e-5", "bodies.finger.flexible.rotation=element" } };
    for (int k = 0; k < 3; ++k) {
        const char *const overrides[] = { cases[k][0], cases[k][1], NULL };
        sim s = start("constraint_scrape.json", overrides);
        carom_ledger first = sim_ledger(&s);
        while (sim_before(&s, 4e-4)) {
            sim_step(&s, 4e-4);
            carom_ledger l = sim_ledger(&s);
            CHECK_LE(sim_norm(sim_difference(l.momentum, first.momentum)), 1e-13 * sim_norm(first.momentum));
            CHECK_LE(fabs(l.angular_momentum.z - first.angular_momentum.z), 1e-12 * fabs(first.angular_momentum.z));
        }
        carom_ledger l = sim_ledger(&s);
        printf("  %s, %s: friction takes %.3g, the residue is %.2g of %.3g J\n", cases[k][0], cases[k][1],
               l.lost_friction, l.residue, first.kinetic);
        CHECK(l.lost_friction > 0.01 * first.kinetic);
        CHECK_LE(fabs(l.residue), 1e-5 * first.kinetic); /* large rotations: elasticity is not linear */
        sim_end(&s);
    }
}

/* What a state needs to go on is in the state: in the middle of an impact a copy goes on alike with a new scratch. */
TEST(constraint, a_copy_goes_on_alike_in_the_middle_of_an_impact)
{
    sim a = start("constraint_blocks.json", NULL);
    carom_error err = { 0 };
    carom_step_report report;
    sim_advance(&a, 3e-4);
    CHECK(sim_signal(&a, "contact.count") > 0.0);
    carom_state *copy = carom_state_create(a.model);
    carom_scratch *fresh = NULL;
    CHECK_OK(carom_state_copy(copy, a.state), err);
    CHECK_OK(carom_scratch_create(a.model, 2, &fresh, &err), err);
    for (int k = 0; k < 20; ++k) {
        CHECK_OK(carom_step(a.model, a.state, a.scratch, 1e-4, &report, &err), err);
        CHECK_OK(carom_step(a.model, copy, fresh, 1e-4, &report, &err), err);
        CHECK(carom_state_hash(a.state) == carom_state_hash(copy));
    }
    carom_scratch_destroy(fresh);
    carom_state_destroy(copy);
    sim_end(&a);
}

/* ---- rigid bodies ---- */

/* Without restitution: where nothing is left open, both methods end in the same velocities. */
TEST(constraint, rigid_bodies_end_as_under_impact)
{
    const char *const fine[] = { "time.step=2e-6", NULL };
    const char *const other[] = { "contact.method=impact", NULL };
    sim a = start("constraint_rigid.json", fine);
    sim b = start("constraint_rigid.json", other);
    sim_advance(&a, 0.3);
    sim_advance(&b, 0.3);
    static const char *const bodies[] = { "block", "ball" };
    for (int k = 0; k < 2; ++k) {
        carom_v3 v = carom_state_velocity(a.model, a.state, sim_body(&a, bodies[k]));
        carom_v3 w = carom_state_velocity(b.model, b.state, sim_body(&b, bodies[k]));
        printf("  %s: %.9f and %.9f m/s\n", bodies[k], v.x, w.x);
        CHECK_NEAR(v.x, w.x, 1e-5);
        CHECK_NEAR(v.y, w.y, 1e-6);
        CHECK_NEAR(v.z, w.z, 1e-4); /* whole steps: gravity over half of one */
    }
    sim_end(&a);
    sim_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(constraint, rods_are_exact_at_the_unit_courant_number),
        RUN_TEST(constraint, books_of_rods_close),
        RUN_TEST(constraint, steps_do_not_depend_on_where_callers_stop),
        RUN_TEST(constraint, books_of_a_double_pendulum_close),
        RUN_TEST(constraint, a_tumbling_body_keeps_energy_and_momentum),
        RUN_TEST(constraint, bar_rebounds_from_a_wall_as_its_waves_say),
        RUN_TEST(constraint, striker_leaves_a_rod_as_st_venant_says),
        RUN_TEST(constraint, books_close_over_a_thousand_switches),
        RUN_TEST(constraint, blocks_in_space_keep_momenta_and_part),
        RUN_TEST(constraint, bars_in_a_plane_keep_momenta_while_they_scrape),
        RUN_TEST(constraint, a_copy_goes_on_alike_in_the_middle_of_an_impact),
        RUN_TEST(constraint, rigid_bodies_end_as_under_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
