/* Paper 2, section 4, and its neighbours: what contact forces of springs make of the rods (the paper shows a spring-damper model without saying
 * which: ours are Hertz's law for spherical ends and a linear spring with a damper), and two beams that are struck, all with bodies of modes
 * under the method compliant. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "paper_2.h"

/* What a force over time comes to. */
typedef struct pulse {
    double peak, end, rise; /* [N], [s], [s] from a tenth to nine tenths of the peak */
} pulse;

static double crossing(const force_curve *c, double level)
{
    size_t k = 1;
    while (k + 1 < c->count && c->force[k] < level) {
        ++k;
    }
    return c->h * ((double)(k - 1) + (level - c->force[k - 1]) / (c->force[k] - c->force[k - 1]));
}

static pulse pulse_of(const force_curve *c)
{
    pulse p = { 0 };
    for (size_t k = 0; k < c->count; ++k) {
        p.peak = fmax(p.peak, c->force[k]);
        p.end = c->force[k] > 0.0 ? (double)(k + 1) * c->h : p.end;
    }
    p.rise = crossing(c, 0.9 * p.peak) - crossing(c, 0.1 * p.peak);
    return p;
}

/* A run of the rods with some law; the magnitude of the force between them. */
static int run_rods(paper_report *r, const char *name, const settings *s, pulse *out)
{
    carom_result *result = NULL;
    carom_run_report how;
    force_curve force = { 0 };
    int code = run_case(r, "rods-spheres.json", name, s, &result, &how);
    code = code == EXIT_DONE ? take_curve(result, "second.contact.force.x", &force) : code;
    *out = code == EXIT_DONE ? pulse_of(&force) : (pulse){ 0 };
    free_curve(&force);
    carom_result_close(result);
    return code;
}

/* Sears: d' = v - 2/Z (P(t) + 2 sum of P(t - 2 k L/c)), Z = rho c A, P Hertz's. */
static int sears(paper_report *r)
{
    static const double known[3][4] = { { 0.01, 447.42, 610.18, 200.2 },
                                        { 0.1, 453.47, 493.78, 97.1 },
                                        { 1.0, 453.49, 439.67, 45.07 } };
    int code = EXIT_DONE;
    for (int k = 0; k < 3 && code == EXIT_DONE; ++k) {
        char name[40], label[80];
        settings s = { 0 };
        pulse p;
        settings_number(&s, "variables.Rs", known[k][0]);
        snprintf(name, sizeof name, "rods-spheres-%d", k + 1);
        code = run_rods(r, name, &s, &p);
        if (code == EXIT_DONE) {
            snprintf(label, sizeof label, "ends of %g m: peak [N]", known[k][0]);
            paper_row(r, label, p.peak, known[k][1], 0.01 * known[k][1], "Sears");
            snprintf(label, sizeof label, "ends of %g m: duration [us]", known[k][0]);
            paper_row(r, label, 1e6 * p.end, known[k][2], 0.01 * known[k][2], "Sears");
            snprintf(label, sizeof label, "ends of %g m: rise [us]", known[k][0]);
            paper_row(r, label, 1e6 * p.rise, known[k][3], 0.01 * known[k][3], "Sears");
        }
    }
    return code;
}

/* The spring is as stiff as Hertz's law of the roundest ends where it carries the plateau, the damper a tenth of critical for both rods as points. */
static int spring_and_damper(paper_report *r)
{
    settings s = { 0 };
    pulse p;
    settings_text(&s, "contact.law", "{\"kelvin-voigt\": {\"k\": 2.76e7, \"c\": 684, \"ramp\": 1e-7}}");
    int code = run_rods(r, "rods-spring-damper", &s, &p);
    if (code == EXIT_DONE) {
        paper_fact(r, "spring and damper: peak [N]", p.peak, "flat: 453.5");
        paper_fact(r, "spring and damper: duration [us]", 1e6 * p.end, "flat: 392.8");
        paper_fact(r, "spring and damper: rise [us]", 1e6 * p.rise, "flat: 0");
    }
    return code;
}

int spheres_item(paper_report *r)
{
    paper_note(
        r,
        "The paper shows a spring-damper model of the rods and prints neither law nor numbers; those here are ours. A spring rounds the "
        "front of the wave and keeps the rods together for longer than 2 L/c.");
    int code = sears(r);
    return code == EXIT_DONE ? spring_and_damper(r) : code;
}

/* ---- beams that are struck ---- */

static double extreme(const double *x, size_t count, double sign)
{
    double most = sign * x[0];
    for (size_t k = 1; k < count; ++k) {
        most = fmax(most, sign * x[k]);
    }
    return most;
}

/* A scene with one contact, and two signals that tell its outcome. */
typedef struct struck_case {
    const char *scene, *force;
    const char *signals[2];
    void (*rows)(paper_report *r, const pulse *p, const double *const signals[2], size_t frames);
} struck_case;

static void ball_rows(paper_report *r, const pulse *p, const double *const signals[2], size_t frames)
{
    paper_row(r, "ball on a beam: peak [N]", p->peak, 4.977, 0.05, "Timoshenko");
    paper_row(r, "ball on a beam: contact ends [us]", 1e6 * p->end, 156.4, 1.6, "Timoshenko");
    paper_row(r, "ball on a beam: speed after/before", -signals[0][frames - 1] / 0.01, -0.3023, 0.003, "Timoshenko");
    paper_row(r, "ball on a beam: deflection [um]", 1e6 * extreme(signals[1], frames, -1.0), 1.1247, 0.011,
              "Timoshenko");
}

static void stop_rows(paper_report *r, const pulse *p, const double *const signals[2], size_t frames)
{
    const double *spin = signals[1];
    paper_row(r, "beam on a stop: peak [N]", p->peak, 89.6, 0.9, "12 modes");
    paper_row(r, "beam on a stop: contact ends [ms]", 1e3 * p->end, 12.316, 0.123, "12 modes");
    paper_row(r, "beam on a stop: strain [1e-4]", 1e4 * extreme(signals[0], frames, 1.0), 7.16, 0.072, "12 modes");
    paper_row(r, "beam on a stop: rate after [rad/s]", -3.8 * spin[frames - 1] / spin[0], 3.677, 0.037, "12 modes");
}

static const struck_case struck[] = {
    { "ball-on-beam", "ball.contact.force.y", { "ball.velocity.y", "beam.middle.displacement.y" }, ball_rows },
    { "beam-on-stop", "beam.contact.force.y", { "beam.gauge.strain", "angular_momentum.z" }, stop_rows },
};

static int run_struck(paper_report *r, const struck_case *c)
{
    carom_result *result = NULL;
    carom_run_report how;
    force_curve force = { 0 };
    char file[60];
    snprintf(file, sizeof file, "%s.json", c->scene);
    int code = run_case(r, file, c->scene, NULL, &result, &how);
    code = code == EXIT_DONE ? take_curve(result, c->force, &force) : code;
    const double *signals[2] = { NULL, NULL };
    for (int k = 0; k < 2 && code == EXIT_DONE; ++k) {
        signals[k] = paper_signal(result, c->signals[k]);
        code = signals[k] ? code : EXIT_GAVE_UP;
    }
    if (code == EXIT_DONE) {
        pulse p = pulse_of(&force);
        c->rows(r, &p, signals, carom_result_frame_count(result));
    }
    free_curve(&force);
    carom_result_close(result);
    return code;
}

int struck_beams_item(paper_report *r)
{
    int code = EXIT_DONE;
    for (size_t k = 0; k < sizeof struck / sizeof *struck && code == EXIT_DONE; ++k) {
        code = run_struck(r, &struck[k]);
    }
    return code;
}
