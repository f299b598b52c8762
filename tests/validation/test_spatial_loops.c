/* IFToMM A04 and A05, for which no closed form exists: Bricard's mechanism and the stiff flyball governor, each at the
 * accurate preset against the same scene solved much more tightly. */
#include "support/sim.h"

enum { TIMES = 20 };
static const double POSITION_MARK = 1e-6; /* [m] */

/* Runs both side by side to 10 s; the largest distance between bodies at TIMES moments. */
static double compare(sim *coarse, sim *fine, void (*watch)(const sim *, void *), void *context)
{
    double worst = 0.0;
    for (int k = 1; k <= TIMES; ++k) {
        double t = 10.0 * k / TIMES;
        while (sim_before(coarse, t)) {
            sim_step(coarse, t);
            watch(coarse, context);
        }
        sim_advance(fine, t);
        for (int b = 1; b < carom_model_body_count(fine->model); ++b) {
            carom_pose p = carom_state_pose(coarse->model, coarse->state, b);
            carom_pose q = carom_state_pose(fine->model, fine->state, b);
            worst = fmax(worst, sim_norm(sim_difference(p.position, q.position)));
        }
        if (k % (TIMES / 5) == 0) {
            printf("  t = %4.1f s: bodies apart by at most %.3e m so far\n", t, worst);
        }
    }
    return worst;
}

static void watch_energy(const sim *s, void *context)
{
    double *drift = context;
    *drift = fmax(*drift, fabs(sim_ledger(s).residue));
}

TEST(bricard, accurate_preset_meets_the_pass_marks)
{
    static const char *const tight[] = { "time.tolerance=1e-13", NULL };
    sim coarse = sim_load("benchmarks/a04-bricard.json", NULL);
    sim fine = sim_load("benchmarks/a04-bricard.json", tight);
    double drift = 0.0;
    printf("\nA04: Bricard mechanism against tolerance 1e-13\n");
    double worst = compare(&coarse, &fine, watch_energy, &drift);
    carom_v3 p = sim_position(&coarse, "rod3");
    printf("  rod3 at 10 s: %.9f %.9f %.9f\n", p.x, p.y, p.z);
    table_mark("position [m]", worst, POSITION_MARK);
    table_mark("energy, at every step [J]", drift, 1e-6);
    table_cost(&coarse, 0.25);
    CHECK_LE(worst, POSITION_MARK);
    CHECK_LE(drift, 1e-6);
    sim_end(&coarse);
    sim_end(&fine);
}

TEST(bricard, one_degree_of_freedom_against_the_count)
{
    sim s = sim_load("benchmarks/a04-bricard.json", NULL);
    carom_mobility mobility;
    carom_error err = { 0 };
    CHECK_OK(carom_observe_mobility(s.model, s.state, s.scratch, &mobility, &err), err);
    CHECK_EQ(mobility.gruebler, 0);
    CHECK_EQ(mobility.degrees, 1);
    CHECK_EQ(mobility.redundant_count, 1);
    sim_end(&s);
}

typedef struct spin_watch {
    double start;
    double worst;
} spin_watch;

static void watch_spin(const sim *s, void *context)
{
    spin_watch *w = context;
    w->worst = fmax(w->worst, fabs(sim_ledger(s).angular_momentum.z - w->start));
}

/* Gravity and the bearing turn nothing about z. Against an explicit integrator at its tightest. */
TEST(governor, accurate_preset_meets_the_pass_marks)
{
    static const char *const tight[] = { "time.integrator=\"runge-kutta\"", "time.tolerance=2e-12", NULL };
    sim coarse = sim_load("benchmarks/a05-flyball-governor.json", NULL);
    sim fine = sim_load("benchmarks/a05-flyball-governor.json", tight);
    spin_watch spin = { .start = sim_ledger(&coarse).angular_momentum.z };
    printf("\nA05: flyball governor against runge-kutta at tolerance 2e-12\n");
    double worst = compare(&coarse, &fine, watch_spin, &spin);
    printf("  slider at 10 s: z = %.9f (reference %.9f), spin %.9f rad/s\n", sim_position(&coarse, "slider").z,
           sim_position(&fine, "slider").z, sim_signal(&coarse, "bearing.angle.rate"));
    table_mark("position [m]", worst, POSITION_MARK);
    table_mark("angular momentum about z, relative", spin.worst / spin.start, 1e-9);
    table_cost(&coarse, 0.2);
    CHECK_LE(spin.worst / spin.start, 1e-9);
    CHECK_LE(worst, POSITION_MARK);
    sim_end(&coarse);
    sim_end(&fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(bricard, one_degree_of_freedom_against_the_count),
        RUN_TEST(bricard, accurate_preset_meets_the_pass_marks),
        RUN_TEST(governor, accurate_preset_meets_the_pass_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
