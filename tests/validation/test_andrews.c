/* IFToMM A03 and the IVP test set: Andrews' squeezing mechanism against the published solution. */
#include "support/sim.h"

static const double POSITION_MARK = 1e-6; /* [m] of point F           */
static const double ANGLE_MARK = 1e-4;    /* [rad] of beta at 0.05 s  */
static const double ENERGY_MARK = 1e-7;   /* [J]                      */
static const double TIME_TO_BEAT = 0.1;   /* [s]                      */
static const double TORQUE = 0.033;       /* [N m]                    */

/* The seven angles of the mechanism at the start, in the order beta, theta, gamma, phi, delta, omega, epsilon. */
enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON, ANGLES };
static const char *const names[ANGLES] = { "beta", "theta", "gamma", "phi", "delta", "omega", "epsilon" };
static const double start[ANGLES] = { -0.0617138900142764496, 0.0,
                                      0.455279819163070380,   0.222668390165885885,
                                      0.487364979543842550,   -0.222668390165885885,
                                      1.230547444549821192 };

/* From the joints' coordinates or their rates. Relative angles: theta of K2 to K1; K4 to K5 turns with phi against G,
 * K6 to K7 with omega against H. */
static void angles(const sim *s, const char *what, double out[ANGLES])
{
    static const char *const joints[ANGLES] = { "O", "F", "B", "G", "A5", "H", "A7" };
    static const double sign[ANGLES] = { 1, 1, 1, -1, 1, -1, 1 };
    for (int k = 0; k < ANGLES; ++k) {
        char signal[32];
        snprintf(signal, sizeof signal, "%s.%s", joints[k], what);
        out[k] = sign[k] * sim_signal(s, signal);
    }
}

TEST(andrews, initial_accelerations)
{
    sim s = sim_load("benchmarks/a03-andrews.json", NULL);
    double beta = sim_signal(&s, "K1.angular_acceleration.z");
    double theta = sim_signal(&s, "K2.angular_acceleration.z") - beta;
    table_head("A03: accelerations at the start [rad/s^2]");
    CHECK_LE(table_row("beta''", beta, 14222.4439199541), 1e-6);
    CHECK_LE(table_row("theta''", theta, -10666.8329399656), 1e-6);
    static const char *const others[] = { "K3", "K5", "K7" };
    for (int k = 0; k < 3; ++k) {
        char signal[64];
        snprintf(signal, sizeof signal, "%s.angular_acceleration.z", others[k]);
        CHECK_LE(table_row(signal, sim_signal(&s, signal), 0.0), 1e-6);
    }
    sim_end(&s);
}

/* PSIDE at tolerance 1e-14 [IVP test set]. */
static void compare_with_ivp_test_set(const sim *s)
{
    static const double reference[ANGLES] = { 15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                              -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                              1.048080741042263 };
    static const double speed[ANGLES] = { 1139.920302151208, -1424.379294994111, 11.03291221937134,
                                          19.29337464421385, 0.5735699284790808, -19.29337464421385,
                                          0.3231791658026955 };
    double q[ANGLES];
    double v[ANGLES];
    angles(s, "angle", q);
    angles(s, "angle.rate", v);
    for (int k = 0; k < ANGLES; ++k) {
        CHECK_LE(table_row(names[k], start[k] + q[k], reference[k]), 1e-5);
    }
    for (int k = 0; k < ANGLES; ++k) {
        char label[32];
        snprintf(label, sizeof label, "%s'", names[k]);
        CHECK_LE(table_row(label, v[k], speed[k]), 1e-5 * 1424.0);
    }
}

TEST(andrews, accurate_preset_meets_the_pass_marks)
{
    static const double F[5][3] = { { 0.01, -3.890552389e-3, 5.819244119e-3 },
                                    { 0.02, -2.274420924e-3, 6.620197086e-3 },
                                    { 0.03, -6.963039427e-3, -7.18388431e-4 },
                                    { 0.04, 5.086198911e-3, -4.809426227e-3 },
                                    { 0.05, -5.208504722e-3, 4.676695260e-3 } };
    sim s = sim_load("benchmarks/a03-andrews.json", NULL);
    carom_ledger first = sim_ledger(&s);
    double drift = 0.0;
    table_head("A03: Andrews' squeezing mechanism");
    for (int k = 0; k < 5; ++k) {
        while (sim_before(&s, F[k][0])) {
            sim_step(&s, F[k][0]);
            carom_ledger l = sim_ledger(&s);
            double work = TORQUE * sim_signal(&s, "O.angle");
            drift = fmax(drift, fabs(ledger_energy(&l) - ledger_energy(&first) - work));
            drift = fmax(drift, fabs(l.residue));
        }
        char label[32];
        snprintf(label, sizeof label, "F.x(%g)", F[k][0]);
        CHECK_LE(table_row(label, sim_position(&s, "K2").x, F[k][1]), POSITION_MARK);
        label[2] = 'y';
        CHECK_LE(table_row(label, sim_position(&s, "K2").y, F[k][2]), POSITION_MARK);
        if (k == 2) {
            compare_with_ivp_test_set(&s);
        }
    }
    double beta = start[BETA] + sim_signal(&s, "O.angle");
    CHECK_LE(table_row("beta(0.05)", beta, 33.825867767), ANGLE_MARK);
    table_mark("energy balance, at every step [J]", drift, ENERGY_MARK);
    table_cost(&s, TIME_TO_BEAT);
    CHECK_LE(drift, ENERGY_MARK);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(andrews, initial_accelerations),
        RUN_TEST(andrews, accurate_preset_meets_the_pass_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
