/* The double pendulum, chaotic: energy over 10 s, and the motion against the equations in minimal coordinates.
 *
 * Two rods of length l and mass m with moment of inertia J about their centres; angles a, b from the downward vertical:
 *     (J + m l^2/4 + m l^2) a'' + (m l^2/2) cos(a-b) b'' = -(m l^2/2) sin(a-b) b'^2 - (3/2) m g l sin a
 *     (m l^2/2) cos(a-b) a'' + (J + m l^2/4) b''         =  (m l^2/2) sin(a-b) a'^2 - (1/2) m g l sin b */
#include "support/scene_file.h"
#include "support/sim.h"
#include "validation/reference.h"

/* Both rods start upright but for 0.1 and 0.2 rad, at rest; body x axis along the rod. */
static const char scene[] = "double_pendulum.json";

static void minimal(long double *rate, const long double *y, const void *context)
{
    (void)context;
    const long double m = 2.0L;
    const long double g = 9.81L;
    const long double J = 1.0L / 6;
    long double c = 0.5L * m * cosl(y[0] - y[1]);
    long double s = 0.5L * m * sinl(y[0] - y[1]);
    long double A = J + 1.25L * m;
    long double B = J + 0.25L * m;
    long double p = -s * y[3] * y[3] - 1.5L * m * g * sinl(y[0]);
    long double q = s * y[2] * y[2] - 0.5L * m * g * sinl(y[1]);
    long double det = A * B - c * c;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (B * p - c * q) / det;
    rate[3] = (A * q - c * p) / det;
}

TEST(double_pendulum, energy_and_minimal_coordinates)
{
    const long double pi = acosl(-1.0L);
    sim s = sim_parse(scene_text(scene), NULL);
    reference_motion m = { minimal, NULL, 4, 5e-5L, 0, { pi - 0.1L, pi - 0.2L, 0, 0 } };
    double scale = 2.0 * 9.81 * 4.0; /* [J] from upright to hanging: the energy at stake */
    double drift = 0.0;
    double apart = 0.0;
    double apart_early = 0.0;
    while (sim_before(&s, 10.0)) {
        sim_step(&s, 10.0);
        reference_advance(&m, (long double)sim_time(&s));
        carom_v3 elbow = sim_position(&s, "lower");
        carom_v3 exact = { (double)sinl(m.y[0]), (double)-cosl(m.y[0]), 0.0 };
        apart = fmax(apart, sim_norm(sim_difference(elbow, exact)));
        if (sim_time(&s) <= 3.0) {
            apart_early = apart;
        }
        drift = fmax(drift, fabs(sim_ledger(&s).residue) / scale);
    }
    printf("\ndouble pendulum from near the upright position, 10 s\n");
    table_mark("energy, relative, at every step", drift, 1e-8);
    table_mark("elbow against minimal coordinates, 3 s [m]", apart_early, 1e-7);
    table_mark("elbow against minimal coordinates, 10 s [m]", apart, 1e-3);
    table_cost(&s, 0.0);
    CHECK_LE(drift, 1e-8);
    CHECK_LE(apart_early, 1e-7); /* before chaos has multiplied what little there is */
    CHECK_LE(apart, 1e-3);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(double_pendulum, energy_and_minimal_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
