/* IFToMM A02: N four-bar windows, N = 2 and N = 40, against the table and the closed form
 *     I theta'' = G sin(theta),  I = (N+1)/3 + N,  G = g ((N+1)/2 + N),  B0 = (sin(theta), cos(theta)). */
#include "support/sim.h"
#include "validation/reference.h"

typedef struct four_bar_case {
    const char *windows;
    int n;
    double energy; /* [J] */
    double position_mark, energy_mark, time_to_beat;
    double table[4][3]; /* t, x, y */
} four_bar_case;

static const four_bar_case two = {
    "variables.N=2",
    2,
    35.835,
    1e-5,
    1e-5,
    0.2,
    { { 1, -0.195020301949, -0.980799205662 },
      { 2, 0.057815795768, 0.998327267863 },
      { 5, -0.811310461005, -0.584615545349 },
      { 10, 0.328458111541, 0.944518538179 } },
};

static const four_bar_case forty = {
    "variables.N=40",
    40,
    620.338333,
    1e-4,
    1e-3,
    2.0,
    { { 1, -0.115356880632, -0.993324111300 },
      { 2, 0.034466307300, 0.999405860330 },
      { 5, -0.540190050676, -0.841543052464 },
      { 10, 0.180512226687, 0.983572740582 } },
};

static void closed_form(long double *rate, const long double *y, const void *context)
{
    int n = *(const int *)context;
    long double inertia = (n + 1) / 3.0L + n;
    long double moment = 9.81L * ((n + 1) / 2.0L + n);
    rate[0] = y[1];
    rate[1] = moment / inertia * sinl(y[0]);
}

/* The largest distance of any upper corner from where theta puts it. */
static double corners_off(const sim *s, int n, double theta)
{
    double worst = 0.0;
    for (int i = 0; i <= n; ++i) {
        char name[32];
        snprintf(name, sizeof name, "post[%d]", i);
        carom_v3 middle = sim_position(s, name);
        carom_v3 off = { 2.0 * (middle.x - i) - sin(theta), 2.0 * middle.y - cos(theta), middle.z };
        worst = fmax(worst, sim_norm(off));
    }
    return worst;
}

static void run_case(const four_bar_case *c)
{
    const char *overrides[] = { c->windows, NULL };
    sim s = sim_load("benchmarks/a02-four-bar.json", overrides);
    reference_motion m = { closed_form, &c->n, 2, 1e-4L, 0, { 0, 1 } };
    double worst = 0.0;
    double drift = 0.0;
    char label[64];
    snprintf(label, sizeof label, "A02: N = %d four-bar windows", c->n);
    table_head(label);
    for (int k = 0; k < 4; ++k) {
        while (sim_before(&s, c->table[k][0])) {
            sim_step(&s, c->table[k][0]);
            reference_advance(&m, (long double)sim_time(&s));
            carom_ledger l = sim_ledger(&s);
            worst = fmax(worst, corners_off(&s, c->n, (double)m.y[0]));
            drift = fmax(drift, fmax(fabs(l.residue), fabs(ledger_energy(&l) - c->energy)));
        }
        CHECK_NEAR((double)sinl(m.y[0]), c->table[k][1], 1e-11);
        CHECK_NEAR((double)cosl(m.y[0]), c->table[k][2], 1e-11);
        carom_v3 middle = sim_position(&s, "post[0]");
        snprintf(label, sizeof label, "x(%g)", c->table[k][0]);
        CHECK_LE(table_row(label, 2.0 * middle.x, c->table[k][1]), c->position_mark);
        label[0] = 'y';
        CHECK_LE(table_row(label, 2.0 * middle.y, c->table[k][2]), c->position_mark);
    }
    table_mark("every upper corner, at every step [m]", worst, c->position_mark);
    table_mark("energy, at every step [J]", drift, c->energy_mark);
    table_cost(&s, c->time_to_beat);
    CHECK_LE(worst, c->position_mark);
    CHECK_LE(drift, c->energy_mark);
    sim_end(&s);
}

TEST(four_bar, two_windows_meet_the_pass_marks)
{
    run_case(&two);
}

TEST(four_bar, forty_windows_meet_the_pass_marks)
{
    run_case(&forty);
}

/* 15 N + 5 equations, 3 of each window redundant: one degree of freedom while the rods stand at an angle. */
TEST(four_bar, redundancy_is_counted)
{
    const char *overrides[] = { "variables.N=40", NULL };
    sim s = sim_load("benchmarks/a02-four-bar.json", overrides);
    carom_mobility mobility;
    carom_error err = { 0 };
    CHECK_OK(carom_observe_mobility(s.model, s.state, s.scratch, &mobility, &err), err);
    CHECK_EQ(mobility.degrees, 1);
    CHECK_EQ(mobility.equations, 15 * 40 + 5);
    CHECK_EQ(mobility.redundant_count, 3 * 40);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(four_bar, redundancy_is_counted),
        RUN_TEST(four_bar, two_windows_meet_the_pass_marks),
        RUN_TEST(four_bar, forty_windows_meet_the_pass_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
