/* Beside paper 2: problems of waves and beams with closed forms, or solved by geometrically exact beams. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "paper_2.h"

/* ---- waves ---- */

/* A bar of E 900, rho 1, L 10, A 1 meets a wall with the speed 10 after 0.5 s: pressure rho c v = 300 for 2 L/c. */
static int bar_on_wall(paper_report *r)
{
    settings s = { 0 };
    carom_result *result = NULL;
    force_curve c = { 0 };
    settings_number(&s, "variables.n", 400.0);
    int code = run_case(r, "bar-on-wall.json", "bar-on-wall", &s, &result, NULL);
    code = code == EXIT_DONE ? take_curve(result, "bar.contact.force.x", &c) : code;
    const double *velocity = code == EXIT_DONE ? paper_signal(result, "bar.velocity.x") : NULL;
    if (velocity) {
        const double contact = 2.0 / 3.0;
        double sum = 0.0, on = (double)NAN, off = (double)NAN;
        int count = 0;
        for (size_t k = 0; k < c.count; ++k) {
            double t = (double)k * c.h;
            bool middle = t > 0.6 && t < 1.1;
            on = c.force[k] < 0.0 && isnan(on) ? t : on;
            off = c.force[k] < 0.0 ? t : off;
            sum -= middle ? c.force[k] : 0.0;
            count += middle;
        }
        paper_row(r, "bar on a wall: meets it at", on, 0.5, 0.0025, "exact");
        paper_row(r, "bar on a wall: pressure", sum / count, 300.0, 1.5, "exact");
        paper_row(r, "bar on a wall: leaves it at", off, 0.5 + contact, 0.005 * (0.5 + contact), "exact");
        paper_row(r, "bar on a wall: speed after", -velocity[c.count - 1], 10.0, 0.05, "exact");
    }
    free_curve(&c);
    carom_result_close(result);
    return velocity ? code : EXIT_GAVE_UP;
}

/* Rod mass over striker mass; duration [L/c], stress at the fixed end [rho c v], speed after over before: exact by pieces. */
static const double venant[5][4] = { { 1.0 / 6.0, 7.4076, 3.5045, 0.9297 },
                                     { 0.25, 5.8996, 3.2131, 0.8169 },
                                     { 0.5, 4.7086, 2.7358, 0.9252 },
                                     { 1.0, 3.0677, 2.2707, 0.6876 },
                                     { 2.0, 2.5046, 2.0366, 0.7291 } };

static int striker(paper_report *r, const double *exact)
{
    const double share = 0.01, speed = 1e-3;
    settings s = { 0 };
    carom_result *result = NULL;
    force_curve c = { 0 };
    char label[80], name[40];
    settings_number(&s, "variables.ratio", exact[0]);
    snprintf(name, sizeof name, "striker-%.3g", exact[0]);
    int code = run_case(r, "striker.json", name, &s, &result, NULL);
    code = code == EXIT_DONE ? take_curve(result, "striker.contact.force.x", &c) : code;
    const double *velocity = code == EXIT_DONE ? paper_signal(result, "striker.velocity.x") : NULL;
    const double *strain = velocity ? paper_signal(result, "rod.end.strain") : NULL;
    if (strain) {
        size_t off = 1;
        double most = 0.0;
        while (off + 1 < c.count && c.force[off] < 0.0) {
            ++off;
        }
        for (size_t k = 0; k < c.count; ++k) {
            most = fmax(most, -strain[k] / speed);
        }
        snprintf(label, sizeof label, "striker, ratio %.3g: duration c/L", exact[0]);
        paper_row(r, label, (double)off * c.h, exact[1], share * exact[1], "St Venant");
        snprintf(label, sizeof label, "striker, ratio %.3g: end stress", exact[0]);
        paper_row(r, label, most, exact[2], share * exact[2], "St Venant");
        snprintf(label, sizeof label, "striker, ratio %.3g: speed ratio", exact[0]);
        paper_row(r, label, -velocity[off] / speed, exact[3], share * exact[3], "St Venant");
    }
    free_curve(&c);
    carom_result_close(result);
    return strain ? code : EXIT_GAVE_UP;
}

int waves_item(paper_report *r)
{
    int code = bar_on_wall(r);
    for (int k = 0; k < 5 && code == EXIT_DONE; ++k) {
        code = striker(r, venant[k]);
    }
    paper_note(
        r,
        "The striker's rod has 800 elements and steps of h/c. Stress jumps where fronts pass: other steps overshoot "
        "there, as linear elements do.");
    return code;
}

/* ---- beams that turn ---- */

/* Driven to 6 rad/s, faster than its lowest frequency of 3.8 rad/s: how far the tip lags behind. */
static int spin_up(paper_report *r)
{
    static const double known[5][2] = {
        { 2.5, -0.1513 }, { 5.0, -0.4684 }, { 7.5, -0.5591 }, { 10.0, -0.3629 }, { 12.5, -0.1127 }
    };
    const double most = 0.5738;
    carom_result *result = NULL;
    int code = run_case(r, "spin-up.json", "spin-up", NULL, &result, NULL);
    const double *y = code == EXIT_DONE ? paper_signal(result, "beam.tip.displacement.y") : NULL;
    const double *x = y ? paper_signal(result, "beam.tip.displacement.x") : NULL;
    if (x) {
        const double *t = carom_result_time(result);
        size_t count = carom_result_frame_count(result), lowest = 0;
        double worst = 0.0, stretch = 0.0;
        int steady = 0;
        for (size_t k = 0; k < count; ++k) {
            lowest = y[k] < y[lowest] ? k : lowest;
            for (int i = 0; i < 5; ++i) {
                worst = fabs(t[k] - known[i][0]) < 1e-9 ? paper_worse(worst, y[k], known[i][1]) : worst;
            }
            stretch += t[k] > 15.0 ? x[k] : 0.0;
            steady += t[k] > 15.0;
        }
        paper_row(r, "spin-up: largest tip lag [m]", -y[lowest], most, 0.01 * most, "exact beam");
        paper_row(r, "spin-up: then along the beam [m]", x[lowest], -0.0188, 0.01 * 0.0188, "exact beam");
        paper_row(r, "spin-up: at [s]", t[lowest], 6.76, 0.0676, "exact beam");
        paper_row(r, "spin-up: at five times off by [m]", worst, 0.0, 0.01 * most, "exact beam");
        paper_row(r, "spin-up: extension at 6 rad/s [mm]", 1e3 * stretch / steady, 0.514, 0.01 * 0.514, "exact beam");
    }
    carom_result_close(result);
    return x ? code : EXIT_GAVE_UP;
}

/* Deflection of the middle of the rod over its length. */
static int slider_crank(paper_report *r)
{
    static const double known[8] = { 0.0056, 0.0030, -0.0076, 0.0005, 0.0066, -0.0030, -0.0047, -0.0009 };
    const double length = 0.3, most = 0.0154, least = -0.0155, share = 0.02;
    carom_result *result = NULL;
    int code = run_case(r, "slider-crank.json", "slider-crank", NULL, &result, NULL);
    const double *y = code == EXIT_DONE ? paper_signal(result, "rod.middle.displacement.y") : NULL;
    if (y) {
        enum { QUARTER = 200 }; /* frames */
        size_t count = carom_result_frame_count(result);
        double high = 0.0, low = 0.0, first = 0.0, second = 0.0;
        for (size_t k = 0; k < count; ++k) {
            high = fmax(high, y[k] / length);
            low = fmin(low, y[k] / length);
        }
        for (size_t k = 0; k < 8 && (k + 1) * QUARTER < count; ++k) {
            double *worst = k < 4 ? &first : &second;
            *worst = paper_worse(*worst, y[(k + 1) * QUARTER] / length, known[k]);
        }
        paper_row(r, "slider-crank: largest deflection/L", high, most, share * most, "exact beam");
        paper_row(r, "slider-crank: smallest", low, least, -share * least, "exact beam");
        paper_row(r, "slider-crank: first turn off by", first, 0.0, share * most, "exact beam");
        paper_row(r, "slider-crank: second turn off by", second, 0.0, share * most, "exact beam");
    }
    carom_result_close(result);
    return y ? code : EXIT_GAVE_UP;
}

/* ---- a beam that bends far ---- */

typedef struct bent {
    double flat, edge, twist; /* [m], [m], [deg] */
} bent;

/* A chain of n beams under a load [N], turned by an angle [deg]. The twist is that of the wide axis of the last section, seen along the beam. */
static int bend(paper_report *r, int n, double load, double angle, bent *out)
{
    static const char *const names[] = { "flag.position.y",    "flag.position.z",    "flag.orientation.w",
                                         "flag.orientation.x", "flag.orientation.y", "flag.orientation.z" };
    enum { SIGNALS = 6 };
    double v[SIGNALS];
    settings s = { 0 };
    carom_result *result = NULL;
    char name[60];
    settings_number(&s, "variables.n", n);
    settings_number(&s, "variables.load", load);
    settings_number(&s, "variables.angle", angle);
    snprintf(name, sizeof name, "princeton-%d-%g-%g", n, load, angle);
    int code = run_case(r, "princeton-beam.json", name, &s, &result, NULL);
    for (int k = 0; k < SIGNALS && code == EXIT_DONE; ++k) {
        const double *signal = paper_signal(result, names[k]);
        code = signal ? code : EXIT_GAVE_UP;
        v[k] = signal ? signal[0] : (double)NAN;
    }
    if (code == EXIT_DONE) {
        double across = 2.0 * (v[4] * v[5] - v[2] * v[3]);
        double along = 1.0 - 2.0 * (v[3] * v[3] + v[4] * v[4]);
        *out = (bent){ -v[0], v[1], 57.2957795130823 * atan2(across, along) };
    }
    carom_result_close(result);
    return code;
}

static void bent_row(paper_report *r, double load, const char *what, double value, double known)
{
    char label[80];
    snprintf(label, sizeof label, "beam %g N: %s", load, what);
    paper_row(r, label, value, known, 0.01 * known, "exact beam");
}

/* Load; at 0 degrees; at 45: flat side, edge, twist; at 90. Chains converge with one over their count where both planes bend. */
static int princeton(paper_report *r)
{
    static const double known[3][6] = { { 4.448, 0.07579, 0.05436, 0.00361, 0.406, 0.00488 },
                                        { 8.896, 0.14245, 0.10593, 0.00812, 1.557, 0.00976 },
                                        { 13.345, 0.19623, 0.15251, 0.01406, 3.272, 0.01463 } };
    enum { COARSE = 32 };
    int code = EXIT_DONE;
    for (int k = 0; k < 3 && code == EXIT_DONE; ++k) {
        const double *at = known[k];
        bent flat, edge, coarse, fine;
        code = bend(r, COARSE, at[0], 0.0, &flat);
        code = code == EXIT_DONE ? bend(r, COARSE, at[0], 90.0, &edge) : code;
        code = code == EXIT_DONE ? bend(r, COARSE, at[0], 45.0, &coarse) : code;
        code = code == EXIT_DONE ? bend(r, 2 * COARSE, at[0], 45.0, &fine) : code;
        if (code == EXIT_DONE) {
            bent_row(r, at[0], "flat [m]", flat.flat, at[1]);
            bent_row(r, at[0], "edge [m]", edge.edge, at[5]);
            bent_row(r, at[0], "45 deg, flat [m]", 2.0 * fine.flat - coarse.flat, at[2]);
            bent_row(r, at[0], "45 deg, edge [m]", 2.0 * fine.edge - coarse.edge, at[3]);
            bent_row(r, at[0], "45 deg, twist [deg]", 2.0 * fine.twist - coarse.twist, at[4]);
        }
    }
    return code;
}

int beams_item(paper_report *r)
{
    int code = spin_up(r);
    code = code == EXIT_DONE ? slider_crank(r) : code;
    code = code == EXIT_DONE ? princeton(r) : code;
    paper_note(
        r, "References are geometrically exact beams. The Princeton beam is a chain of 32 bodies; where it bends in "
           "both planes its error goes with one over their count, and 32 and 64 are extrapolated.");
    return code;
}
