/* Paper 4: friction. A cube on a slope, a block on a turntable, a cube in a tunnel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "paper_4.h"

/* ---- P4.1 slope --------------------------------------------------------------------------------------------------- */

static const double slope_angle = 26.565 * 3.14159265358979323846 / 180.0;
enum { SLOPE_RUNS = 3 };

/* Distance after n steps of implicit Euler with acceleration a from rest. */
static double euler_distance(double a, double h, double t)
{
    double n = round(t / h);
    return a * h * h * n * (n + 1.0) / 2.0;
}

static int run_slope(paper_report *r, verification *v, double mu, double end, barrier_run *out)
{
    settings s = { 0 };
    char name[SETTING_TEXT];
    settings_number(&s, "variables.mu", mu);
    settings_number(&s, "variables.end", end);
    snprintf(name, sizeof name, "slope-%g", mu);
    return barrier_run_scene(r, v, "slope.json", name, &s, out);
}

static void compare_sliding(paper_report *r, const barrier_run *run)
{
    double a = 9.8 * (sin(slope_angle) - 0.49 * cos(slope_angle));
    double at_3 = barrier_value(run, "cube.position.x", barrier_frame(run, 3.0));
    double at_5 = barrier_value(run, "cube.position.x", barrier_frame(run, 5.0));
    paper_row(r, "mu 0.49: slid, 3 s [m]", at_3, euler_distance(a, 0.025, 3.0), 1e-3 * euler_distance(a, 0.025, 3.0),
              "a h^2 n (n+1)/2");
    paper_row(r, "mu 0.49: slid, 5 s [m]", at_5, euler_distance(a, 0.025, 5.0), 1e-3 * euler_distance(a, 0.025, 5.0),
              "a h^2 n (n+1)/2");
}

static int draw_slope(paper_report *r, const barrier_run runs[SLOPE_RUNS])
{
    carom_series series[SLOPE_RUNS];
    static const char *const labels[SLOPE_RUNS] = { "mu = 0.49", "mu = 0.5", "mu = 0.51" };
    for (int i = 0; i < SLOPE_RUNS; ++i) {
        series[i] = (carom_series){ .x = runs[i].time,
                                    .y = barrier_signal(&runs[i], "cube.position.x"),
                                    .count = runs[i].frames,
                                    .label = labels[i] };
    }
    carom_figure figure = { .title = "Cube on a slope of 26.565 degrees (tan = 0.5)",
                            .x = { .label = "t [s]", .max = 5.0 },
                            .y = { .label = "distance slid [m]" },
                            .series = series,
                            .series_count = SLOPE_RUNS,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "slope", &figure);
}

int slope_item(paper_report *r)
{
    static const double mu[SLOPE_RUNS] = { 0.49, 0.5, 0.51 };
    verification v = { 0 };
    barrier_run runs[SLOPE_RUNS] = { 0 };
    int code = EXIT_DONE;
    for (int i = 0; i < SLOPE_RUNS && code == EXIT_DONE; ++i) {
        code = run_slope(r, &v, mu[i], i == 0 ? 5.0 : 25.0, &runs[i]);
    }
    if (code == EXIT_DONE) {
        compare_sliding(r, &runs[0]);
        paper_row(r, "mu 0.5: moved, 25 s [m]", barrier_last(&runs[1], "cube.position.x"), 0.0, 5e-3, "holds");
        paper_row(r, "mu 0.5: speed, 25 s [m/s]", barrier_last(&runs[1], "cube.velocity.x"), 0.0, 1e-4, "holds");
        paper_row(r, "mu 0.51: moved, 25 s [m]", barrier_last(&runs[2], "cube.position.x"), 0.0, 4e-4,
                  "creep < eps_v t");
        code = draw_slope(r, runs);
    }
    verification_rows(r, &v);
    for (int i = 0; i < SLOPE_RUNS; ++i) {
        barrier_run_close(&runs[i]);
    }
    return code;
}

/* ---- P4.2 turntable ------------------------------------------------------------------------------------------------ */

static const double radius = 1.5, gravity = 9.8, spin_up = 0.1;
static const double slipped = 1e-3;     /* [m] on the disc: it has come off */
static const double stick_speed = 1e-5; /* [m/s] of the scene */

/* When the friction that is needed along and across the circle reaches mu g. */
static double slip_time(double mu)
{
    double along = spin_up * radius;
    return pow((mu * mu * gravity * gravity - along * along) / (radius * radius), 0.25) / spin_up;
}

/* How far a block is from where it was in frame `first`, as seen by a disc that has turned by w t + rate t^2/2. */
static double offset_on_disc(const barrier_run *run, size_t first, size_t frame, double w, double rate)
{
    carom_v3 from = barrier_motion(run, "block", first).pose.position;
    carom_v3 at = barrier_motion(run, "block", frame).pose.position;
    double t0 = run->time[first], t = run->time[frame];
    double angle = w * (t - t0) + rate * (t * t - t0 * t0) / 2.0;
    double x = cos(angle) * at.x + sin(angle) * at.y, y = cos(angle) * at.y - sin(angle) * at.x;
    return hypot(x - from.x, y - from.y);
}

/* The time at which the block begins to slip, ten times as fast as what counts as sticking; NaN when it never does. It has landed
 * after 0.2 s. */
static double find_slip(const barrier_run *run)
{
    for (size_t i = barrier_frame(run, 0.2) + 1; i < run->frames; ++i) {
        double moved = offset_on_disc(run, i - 1, i, 0.0, spin_up);
        if (moved > 10.0 * stick_speed * (run->time[i] - run->time[i - 1])) {
            return run->time[i];
        }
    }
    return (double)NAN;
}

/* The time at which it has slipped by 1 mm. */
static double find_slipped(const barrier_run *run)
{
    size_t first = barrier_frame(run, 0.2);
    for (size_t i = first; i < run->frames; ++i) {
        if (offset_on_disc(run, first, i, 0.0, spin_up) > slipped) {
            return run->time[i];
        }
    }
    return (double)NAN;
}

/* From then on the acceleration that is missing grows by 2 w w' r per second: 1 mm later. */
static double slipped_time(double mu)
{
    double begun = slip_time(mu);
    return begun + cbrt(6.0 * slipped / (2.0 * spin_up * begun * spin_up * radius));
}

static int run_turntable(paper_report *r, verification *v, double mu, double end, barrier_run *out)
{
    settings s = { 0 };
    char name[SETTING_TEXT];
    settings_number(&s, "variables.mu", mu);
    settings_number(&s, "variables.end", end);
    snprintf(name, sizeof name, "turntable-%g", mu);
    return barrier_run_scene(r, v, "turntable.json", name, &s, out);
}

static int run_steady(paper_report *r, verification *v, double w, barrier_run *out)
{
    settings s = { 0 };
    char name[SETTING_TEXT];
    settings_number(&s, "variables.w", w);
    settings_number(&s, "variables.rate", 0.0);
    settings_number(&s, "variables.stick", 1e-4);
    settings_number(&s, "variables.end", 4.0);
    snprintf(name, sizeof name, "turntable-steady-%g", w);
    return barrier_run_scene(r, v, "turntable.json", name, &s, out);
}

enum { DISCS = 4 };

/* Distances from the axis. */
static int draw_turntable(paper_report *r, const barrier_run runs[DISCS], const double *mu)
{
    carom_series series[DISCS];
    double *distance[DISCS];
    char labels[DISCS][SETTING_TEXT];
    for (int k = 0; k < DISCS; ++k) {
        distance[k] = allocate(runs[k].frames, sizeof **distance);
        for (size_t i = 0; i < runs[k].frames; ++i) {
            carom_v3 at = barrier_motion(&runs[k], "block", i).pose.position;
            distance[k][i] = hypot(at.x, at.y);
        }
        snprintf(labels[k], sizeof labels[k], "mu = %g", mu[k]);
        series[k] = (carom_series){
            .x = runs[k].time, .y = distance[k], .count = runs[k].frames, .label = labels[k]
        };
    }
    carom_figure figure = { .title = "Block on a disc that turns with 0.1 t rad/s",
                            .x = { .label = "t [s]" },
                            .y = { .label = "distance from the axis [m]", .min = 1.0, .max = 3.0 },
                            .series = series,
                            .series_count = DISCS,
                            .style = CAROM_PLOT_PAPER };
    int code = paper_figure(r, "turntable", &figure);
    for (int k = 0; k < DISCS; ++k) {
        free(distance[k]);
    }
    return code;
}

static void compare_slip(paper_report *r, const barrier_run *run, double mu)
{
    char label[SETTING_TEXT];
    snprintf(label, sizeof label, "mu %g: slips from [s]", mu);
    paper_row(r, label, find_slip(run), slip_time(mu), 0.02 * slip_time(mu), "what mu g can hold");
    snprintf(label, sizeof label, "mu %g: 1 mm off at [s]", mu);
    paper_row(r, label, find_slipped(run), slipped_time(mu), 0.02 * slipped_time(mu), "and what mu g lacks");
}

static void compare_turntable(paper_report *r, const barrier_run runs[DISCS])
{
    compare_slip(r, &runs[1], 0.1);
    compare_slip(r, &runs[2], 0.5);
    paper_row(r, "mu 0: moved, 20 s [m]", barrier_travel(&runs[0], "block", barrier_frame(&runs[0], 0.2)), 0.0,
              slipped, "stays");
    paper_row(r, "mu 1: moved, 20 s [m]",
              offset_on_disc(&runs[3], barrier_frame(&runs[3], 0.2), runs[3].frames - 1, 0.0, spin_up), 0.0, slipped,
              "holds up to 25.6 s");
}

static int compare_steady(paper_report *r, verification *v)
{
    barrier_run slow = { 0 }, fast = { 0 };
    int code = run_steady(r, v, 1.78, &slow);
    code = code == EXIT_DONE ? run_steady(r, v, 1.84, &fast) : code;
    if (code == EXIT_DONE) {
        carom_v3 held = barrier_motion(&slow, "block", slow.frames - 1).pose.position;
        carom_v3 thrown = barrier_motion(&fast, "block", fast.frames - 1).pose.position;
        paper_row(r, "1.78 rad/s: moved, 4 s [m]", hypot(held.x, held.y) - radius, 0.0, slipped, "holds below 1.807");
        paper_row(r, "1.84 rad/s: thrown off", hypot(thrown.x, thrown.y) - radius > 0.05, 1.0, 0.0, "> 5 cm in 4 s");
    }
    barrier_run_close(&slow);
    barrier_run_close(&fast);
    return code;
}

int turntable_item(paper_report *r)
{
    static const double mu[DISCS] = { 0.0, 0.1, 0.5, 1.0 };
    verification v = { 0 };
    barrier_run runs[DISCS] = { 0 };
    int code = EXIT_DONE;
    for (int k = 0; k < DISCS && code == EXIT_DONE; ++k) {
        code = run_turntable(r, &v, mu[k], mu[k] == 0.1 ? 10.0 : 20.0, &runs[k]);
    }
    if (code == EXIT_DONE) {
        compare_turntable(r, runs);
        code = draw_turntable(r, runs, mu);
    }
    code = code == EXIT_DONE ? compare_steady(r, &v) : code;
    verification_rows(r, &v);
    for (int k = 0; k < DISCS; ++k) {
        barrier_run_close(&runs[k]);
    }
    return code;
}

/* ---- P4.12 tunnel -------------------------------------------------------------------------------------------------- */

static int run_tunnel(paper_report *r, verification *v, bool friction, barrier_run *out)
{
    settings s = { 0 };
    if (!friction) {
        settings_text(&s, "time.integrator", "bdf2");
    }
    settings_number(&s, "variables.mu", friction ? 0.3 : 0.0);
    settings_number(&s, "variables.g", friction ? 9.81 : 0.0);
    settings_number(&s, "variables.climb", friction ? 0.0 : 0.01);
    return barrier_run_scene(r, v, "tunnel.json", friction ? "tunnel-friction" : "tunnel", &s, out);
}

int tunnel_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run free_run = { 0 }, rubbing = { 0 };
    int code = run_tunnel(r, &v, false, &free_run);
    code = code == EXIT_DONE ? run_tunnel(r, &v, true, &rubbing) : code;
    if (code == EXIT_DONE) {
        size_t from = barrier_frame(&rubbing, 0.1), to = rubbing.frames - 1;
        double slowed = barrier_value(&rubbing, "cube.velocity.x", from) - barrier_last(&rubbing, "cube.velocity.x");
        double rate = slowed / (rubbing.time[to] - rubbing.time[from]);
        paper_row(r, "mu 0: speed, 1 s [m/s]", barrier_last(&free_run, "cube.velocity.x"), 20.0, 0.2,
                  "kept within 1 %");
        paper_row(r, "mu 0.3: slows [m/s^2]", rate, 0.3 * 9.81, 0.05 * 0.3 * 9.81, "mu g");
        paper_row(r, "mu 0.3: speed, 1 s [m/s]", barrier_last(&rubbing, "cube.velocity.x"), 20.0 - 0.3 * 9.81, 0.2,
                  "does not freeze");
    }
    verification_rows(r, &v);
    barrier_run_close(&free_run);
    barrier_run_close(&rubbing);
    return code;
}
