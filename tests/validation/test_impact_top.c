/* The tippe top: a ball whose centre of mass is off its centre, spun fast, turns upside down by sliding friction. Jellett's
 * integral L . a (a: from the centre of mass to the place of contact) is conserved whatever the friction, since the force
 * acts there and L . (omega x axis) = 0 for a symmetric top; energy falls as long as it slides.
 * [m 20 g, R 2 cm, offset 0.3 R, I3 = 2/5 m R^2, I1 = 131/350 m R^2, tilt 0.1 rad, spin 155 rad/s]
 *
 * With mu = 0.3 the place of contact stops sliding after 39 ms, and since pure rolling asks for less than 0.04 of the weight
 * exact dry friction keeps it rolling: only laws that creep while they hold turn the top over then. With mu = 0.02 it slides
 * on and turns over, hopping in the middle of its rise. */
#include "support/impact_run.h"

#include "math/quat.h"

static const double R = 0.02;
static const double OFFSET = 0.006;
static const double M = 0.02;
static const double TILT = 0.1;
static const double SPIN = 155.0;

static v3 axis_of(const impact_run *r)
{
    carom_pose p = carom_state_pose(r->s.model, r->s.state, sim_body(&r->s, "top"));
    return q_rotate(p.orientation, v3_make(0.0, 0.0, 1.0));
}

static double jellett(const impact_run *r)
{
    double I1 = 131.0 / 350.0 * M * R * R;
    double I3 = 0.4 * M * R * R;
    v3 axis = axis_of(r);
    v3 omega = run_spin(r, "top");
    v3 L = v3_axpy(v3_scale(I1, omega), (I3 - I1) * v3_dot(omega, axis), axis);
    v3 a = v3_axpy(v3_make(0.0, 0.0, -R), OFFSET, axis);
    return v3_dot(L, a);
}

static impact_run start_top(double mu)
{
    double I1 = 131.0 / 350.0 * M * R * R;
    double I3 = 0.4 * M * R * R;
    return run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 20, \"preset\": \"accurate\"},"
        " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
        "  {\"name\": \"top\", \"shape\": {\"sphere\": %.17g, \"at\": [0, 0, %.17g]}, \"mass\": %.17g, "
        "\"center_of_mass\": [0, 0, 0],"
        "   \"inertia\": [%.17g, %.17g, %.17g], \"position\": [0, 0, %.17g], \"orientation\": {\"axis\": [0, 1, 0], "
        "\"angle\": %.17g},"
        "   \"angular_velocity\": [%.17g, 0, %.17g]} ],"
        " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": {\"coulomb\": %.17g}} }",
        R, OFFSET, M, I1, I1, I3, R - OFFSET * cos(TILT), TILT, SPIN * sin(TILT), SPIN * cos(TILT), mu);
}

typedef struct top_watch {
    double gain;   /* [J] largest in one step */
    double drift;  /* of Jellett's integral, relative */
    double lowest; /* axis . up */
} top_watch;

static top_watch watch_top(impact_run *r, double end)
{
    double first = jellett(r);
    carom_ledger l = sim_ledger(&r->s);
    double energy = ledger_energy(&l);
    top_watch w = { 0.0, 0.0, 1.0 };
    while (sim_before(&r->s, end)) {
        run_step(r, end);
        l = sim_ledger(&r->s);
        w.gain = fmax(w.gain, ledger_energy(&l) - energy);
        energy = ledger_energy(&l);
        w.drift = fmax(w.drift, fabs(jellett(r) / first - 1.0));
        w.lowest = fmin(w.lowest, axis_of(r).z);
    }
    table_mark("energy gained in any step, of its start", w.gain / r->swing, 1e-10);
    table_mark("Jellett's integral, relative change", w.drift, 1e-7);
    CHECK_LE(w.gain, 1e-10 * r->swing); /* friction only takes */
    CHECK_LE(w.drift, 1e-7);            /* the integrator's tolerance over all its steps */
    run_check(r, 1e-8);
    return w;
}

/* ---- the sliding top, on its own ------------------------------------------------------------------------------------ */

/* v_x, v_y of the centre of mass, axis, angular velocity. */
enum { TOP_SIZE = 8 };

static v3 turned_by(v3 torque, v3 axis)
{
    double I1 = 131.0 / 350.0 * M * R * R;
    double I3 = 0.4 * M * R * R;
    double along = v3_dot(torque, axis);
    return v3_axpy(v3_scale(1.0 / I1, torque), along / I3 - along / I1, axis);
}

/* m v' = F, L' = a x F with F = N (- mu slip/|slip|, 1), and N from z = R - offset axis_z. Returns |slip|. */
static double top_rates(const double *y, double mu, double *out)
{
    double I1 = 131.0 / 350.0 * M * R * R;
    double I3 = 0.4 * M * R * R;
    v3 e = v3_load(y + 2);
    v3 w = v3_load(y + 5);
    v3 a = v3_axpy(v3_make(0.0, 0.0, -R), OFFSET, e);
    v3 wa = v3_cross(w, a);
    double sx = y[0] + wa.x, sy = y[1] + wa.y;
    double s = hypot(sx, sy);
    v3 push = v3_make(-mu * sx / s, -mu * sy / s, 1.0);
    v3 L = v3_axpy(v3_scale(I1, w), (I3 - I1) * v3_dot(w, e), e);
    v3 free = turned_by(v3_neg(v3_cross(w, L)), e);
    v3 pushed = turned_by(v3_cross(a, push), e);
    v3 we = v3_cross(w, e);
    double N = M * (9.81 - OFFSET * (v3_cross(free, e).z + v3_cross(w, we).z)) /
               (1.0 + M * OFFSET * v3_cross(pushed, e).z);
    out[0] = N * push.x / M;
    out[1] = N * push.y / M;
    v3_store(out + 2, we);
    v3_store(out + 5, v3_axpy(free, N, pushed));
    return s;
}

/* When the sliding ends: classical Runge-Kutta steps that shrink with the slip. */
static double end_of_sliding(double mu)
{
    double y[TOP_SIZE] = { 0.0, 0.0, sin(TILT), 0.0, cos(TILT), SPIN * sin(TILT), 0.0, SPIN * cos(TILT) };
    double t = 0.0;
    double k[4][TOP_SIZE];
    double s = top_rates(y, mu, k[0]);
    while (s > 1e-9) {
        static const double node[4] = { 0.0, 0.5, 0.5, 1.0 };
        double h = fmin(1e-5, 0.02 * s / (mu * 9.81));
        for (int i = 1; i < 4; ++i) {
            double stage[TOP_SIZE];
            for (int c = 0; c < TOP_SIZE; ++c) {
                stage[c] = y[c] + node[i] * h * k[i - 1][c];
            }
            top_rates(stage, mu, k[i]);
        }
        for (int c = 0; c < TOP_SIZE; ++c) {
            y[c] += h / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
        }
        t += h;
        s = top_rates(y, mu, k[0]);
    }
    return t;
}

TEST(top, a_tippe_top_with_much_friction_rolls)
{
    impact_run r = start_top(0.3);
    table_head("tippe top, mu = 0.3");
    top_watch w = watch_top(&r, 2.0);
    const carom_event *stick = run_event_of(&r, CAROM_EVENT_STICK, 0);
    CHECK(stick != NULL);
    CHECK_LE(table_row("rolls from [s]", stick->t, end_of_sliding(0.3)),
             1e-7); /* slip of some 1e-7 m/s counts as none */
    CHECK_EQ(run_count(&r, CAROM_EVENT_SLIP), 0);
    CHECK_GE(w.lowest, 0.99);
    run_end(&r);
}

TEST(top, a_tippe_top_with_little_friction_turns_over)
{
    impact_run r = start_top(0.02);
    table_head("tippe top, mu = 0.02");
    top_watch w = watch_top(&r, 20.0);
    table_row("axis . up, lowest", w.lowest, -1.0);
    CHECK_LE(w.lowest, -0.999);
    CHECK_GE(run_spin(&r, "top").z, 50.0); /* it goes on turning the same way, seen from above */
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = { RUN_TEST(top, a_tippe_top_with_much_friction_rolls),
                                        RUN_TEST(top, a_tippe_top_with_little_friction_turns_over) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
