/* The tumbling of a free body about its middle axis (Dzhanibekov, the tennis racket theorem): I = (1, 2, 3) kg m^2,
 * omega = (0.01, 10, 0) rad/s. The period is a complete elliptic integral; energy and angular momentum stay. */
#include "support/scene_file.h"
#include "support/sim.h"
#include "validation/reference.h"

#include "dynamics/dense.h"
#include "dynamics/events.h"
#include "dynamics/work.h"

static const double PERIOD = 5.7462848875; /* [s] */

static const char scene[] = "dzhanibekov.json";

/* Omega about the body's middle axis inside the last step. */
static void middle_spin(void *context, double t, double *g)
{
    const sim *s = context;
    body_pose pose[2];
    body_rate rate[2];
    dense_at(s->scratch->dense, t, (motion){ .pose = pose, .rate = rate }, NULL);
    g[0] = q_unrotate(pose[1].q_wb, rate[1].omega_w).y;
}

/* Euler's equations with 2T = sum I w^2, L^2 = sum I^2 w^2 and I1 < I2 < I3: motion of the middle component is
 * w2 = -a sn(lambda t, k), full period 4 K(k) / lambda. */
static double exact_period(void)
{
    const long double I1 = 1.0L;
    const long double I2 = 2.0L;
    const long double I3 = 3.0L;
    long double energy2 = I1 * 0.0001L + I2 * 100.0L;
    long double L2 = I1 * I1 * 0.0001L + I2 * I2 * 100.0L;
    long double lambda = sqrtl((I2 - I1) * (energy2 * I3 - L2) / (I1 * I2 * I3));
    long double k2 = (I3 - I2) * (L2 - energy2 * I1) / ((I2 - I1) * (energy2 * I3 - L2));
    if (k2 > 1.0L) {
        lambda *= sqrtl(k2);
        k2 = 1.0L / k2;
    }
    return (double)(4.0L * elliptic_K(sqrtl(k2)) / lambda);
}

typedef struct tumble {
    int count;
    double crossings[16]; /* [s] of zero by the middle component          */
    double energy_off;    /* [J] at worst against 100.00005               */
    double momentum_off;  /* [kg m^2/s] at worst against |L| = 20.0000025 */
} tumble;

static tumble run_tumble(const char *tolerance)
{
    const char *overrides[] = { tolerance, NULL };
    tumble r = { 0 };
    sim s = sim_parse(scene_text(scene), overrides);
    while (sim_before(&s, 30.0)) {
        event_search search = { .functions = middle_spin, .context = &s, .count = 1, .samples = 4 };
        event_found found;
        search.t0 = sim_time(&s);
        sim_step(&s, 30.0);
        search.t1 = sim_time(&s);
        if (r.count < 16 && events_first(&search, &found)) {
            r.crossings[r.count++] = found.t;
        }
        carom_ledger l = sim_ledger(&s);
        r.energy_off = fmax(r.energy_off, fabs(l.kinetic - 100.00005));
        r.momentum_off = fmax(r.momentum_off, fabs(sim_norm(l.angular_momentum) - 20.0000025));
    }
    table_cost(&s, 0.0);
    sim_end(&s);
    return r;
}

static double worst_period(const tumble *r)
{
    double worst = 0.0;
    CHECK_EQ(r->count, 10); /* two a period, five periods in 30 s */
    for (int k = 0; k + 2 < r->count; ++k) {
        worst = fmax(worst, table_row("full period [s]", r->crossings[k + 2] - r->crossings[k], PERIOD));
    }
    /* the start is the maximum of the middle component */
    return fmax(worst, table_row("first crossing [s]", r->crossings[0], 0.25 * PERIOD));
}

TEST(dzhanibekov, exact_period_agrees_with_the_reference)
{
    CHECK_NEAR(exact_period(), PERIOD, 1e-10);
}

TEST(dzhanibekov, period_energy_and_angular_momentum)
{
    table_head("Dzhanibekov at tolerance 1e-14");
    tumble r = run_tumble("time.tolerance=1e-14");
    double period_off = worst_period(&r);
    double mean_off = table_row("mean of four [s]", 0.25 * (r.crossings[8] - r.crossings[0]), PERIOD);
    table_mark("mean period [s]", mean_off, 1e-8);
    table_mark("any single period [s]", period_off, 3e-8); /* rounding of 7000 steps, magnified by the saddle */
    table_mark("energy against 100.00005 [J]", r.energy_off, 1e-9);
    table_mark("|L| against 20.0000025 [kg m^2/s]", r.momentum_off, 1e-9);
    CHECK_LE(mean_off, 1e-8);
    CHECK_LE(period_off, 3e-8);
    CHECK_LE(r.energy_off, 1e-9);
    CHECK_LE(r.momentum_off, 1e-9);
}

/* The orbit passes the saddle at a distance of 1e-3: the period magnifies errors of the invariants a million times. */
TEST(dzhanibekov, accurate_preset_keeps_the_invariants)
{
    table_head("Dzhanibekov at the accurate preset");
    tumble r = run_tumble("time.preset=\"accurate\"");
    double period_off = worst_period(&r);
    table_mark("period [s]", period_off, 1e-3);
    table_mark("energy, relative", r.energy_off / 100.0, 1e-7);
    table_mark("|L|, relative", r.momentum_off / 20.0, 1e-7);
    CHECK_LE(period_off, 1e-3);
    CHECK_LE(r.energy_off / 100.0, 1e-7);
    CHECK_LE(r.momentum_off / 20.0, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(dzhanibekov, exact_period_agrees_with_the_reference),
        RUN_TEST(dzhanibekov, period_energy_and_angular_momentum),
        RUN_TEST(dzhanibekov, accurate_preset_keeps_the_invariants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
