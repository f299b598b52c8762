/* IFToMM A01: the simple pendulum against the table and the exact solution in elliptic functions. */
#include "support/scene_file.h"
#include "support/sim.h"
#include "validation/reference.h"

static const double POSITION_MARK = 1e-7; /* [m] */
static const double ENERGY_MARK = 1e-7;   /* [J] */
static const double TIME_TO_BEAT = 0.05;  /* [s] */
static const long double GRAVITY = 9.81L; /* [m/s^2]; length 1 m */

/* Released at rest from (-1, 0): sin(angle/2) = -k sn(w t + K), k = sin(45 deg). */
static carom_v3 exact(double t)
{
    long double k = sqrtl(0.5L);
    long double half = -k * elliptic_sn(sqrtl(GRAVITY) * (long double)t + elliptic_K(k), k);
    long double angle = 2.0L * asinl(half);
    return (carom_v3){ (double)sinl(angle), (double)-cosl(angle), 0.0 };
}

TEST(pendulum, exact_solution_agrees_with_the_table)
{
    double period = (double)(4.0L * elliptic_K(sqrtl(0.5L)) / sqrtl(GRAVITY));
    table_head("A01: exact solution beside the table");
    CHECK_LE(table_row("period [s]", period, 2.36784194757624), 1e-14);
    CHECK_LE(table_row("x(10)", exact(10.0).x, -0.275087462576), 1e-12);
    CHECK_LE(table_row("y(10)", exact(10.0).y, -0.961419205099), 1e-12);
}

TEST(pendulum, accurate_preset_meets_the_pass_marks)
{
    static const double table[][3] = { { 1, 0.986291751132, -0.165010853126 },
                                       { 2, -0.793566195343, -0.608483930444 },
                                       { 5, -0.942305435044, -0.334754338414 },
                                       { 10, -0.275087462576, -0.961419205099 } };
    sim s = sim_load("benchmarks/a01-simple-pendulum.json", NULL);
    double worst = 0.0;
    double drift = 0.0;
    table_head("A01: simple pendulum");
    for (int k = 0; k < 4; ++k) {
        while (sim_before(&s, table[k][0])) {
            sim_step(&s, table[k][0]);
            carom_ledger l = sim_ledger(&s);
            worst = fmax(worst, sim_norm(sim_difference(sim_position(&s, "bob"), exact(sim_time(&s)))));
            drift = fmax(drift, fmax(fabs(l.residue), fabs(ledger_energy(&l))));
        }
        char label[32];
        snprintf(label, sizeof label, "x(%g)", table[k][0]);
        CHECK_LE(table_row(label, sim_position(&s, "bob").x, table[k][1]), POSITION_MARK);
        label[0] = 'y';
        CHECK_LE(table_row(label, sim_position(&s, "bob").y, table[k][2]), POSITION_MARK);
    }
    table_mark("position, at every step [m]", worst, POSITION_MARK);
    table_mark("energy, at every step [J]", drift, ENERGY_MARK);
    table_cost(&s, TIME_TO_BEAT);
    CHECK_LE(worst, POSITION_MARK);
    CHECK_LE(drift, ENERGY_MARK);
    sim_end(&s);
}

/* A hinged body swings like a simple pendulum whose mass sits in its centre of oscillation, here 1 m from the hinge:
 * mass 1 kg at 0.9 m with a moment of inertia of 0.09 kg m^2. */
TEST(pendulum, hinged_body_swings_about_its_centre_of_oscillation)
{
    const char *scene = scene_text("simple_pendulum/hinged_body_swings_about_its_centre_of_oscillation.json");
    sim s = sim_parse(scene, NULL);
    double worst = 0.0;
    double drift = 0.0;
    while (sim_before(&s, 10.0)) {
        sim_step(&s, 10.0);
        double angle = sim_signal(&s, "hinge.angle");
        carom_v3 p = { -cos(angle), -sin(angle), 0.0 };
        worst = fmax(worst, sim_norm(sim_difference(p, exact(sim_time(&s)))));
        drift = fmax(drift, fabs(sim_ledger(&s).residue));
    }
    printf("\nA01 as a hinged body\n");
    table_mark("centre of oscillation, at every step [m]", worst, POSITION_MARK);
    table_mark("energy, at every step [J]", drift, ENERGY_MARK);
    table_cost(&s, TIME_TO_BEAT);
    CHECK_LE(worst, POSITION_MARK);
    CHECK_LE(drift, ENERGY_MARK);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(pendulum, exact_solution_agrees_with_the_table),
        RUN_TEST(pendulum, accurate_preset_meets_the_pass_marks),
        RUN_TEST(pendulum, hinged_body_swings_about_its_centre_of_oscillation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
