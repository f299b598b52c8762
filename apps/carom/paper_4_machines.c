/* Paper 4: coin, wrecking ball, anchor, press, lock box, packing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "paper_4.h"

static const double PI = 3.14159265358979323846;

/* The body's z axis in world axes. */
static carom_v3 axis_of(const barrier_run *run, const char *body, size_t frame)
{
    carom_quat q = barrier_motion(run, body, frame).pose.orientation;
    return (carom_v3){ 2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),
                       1.0 - 2.0 * (q.x * q.x + q.y * q.y) };
}

/* ---- P4.10 coin ----------------------------------------------------------------------------------------------------- */

static const double coin_radius = 0.012; /* [m] as in papers/4/coin.json */

typedef struct coin_motion {
    double *tilt;  /* [rad] from the table */
    double *round; /* [rad] that the axis has gone around */
} coin_motion;

static coin_motion follow_coin(const barrier_run *run)
{
    coin_motion m = { allocate(run->frames, sizeof(double)), allocate(run->frames, sizeof(double)) };
    carom_v3 before = axis_of(run, "coin", 0);
    for (size_t i = 0; i < run->frames; ++i) {
        carom_v3 now = axis_of(run, "coin", i);
        double step = atan2(before.x * now.y - before.y * now.x, before.x * now.x + before.y * now.y);
        m.tilt[i] = atan2(hypot(now.x, now.y), fabs(now.z));
        m.round[i] = i > 0 ? m.round[i - 1] + step : 0.0;
        before = now;
    }
    return m;
}

/* Mean rate of precession over a window [rad/s], and the mean of sin(tilt) there. */
static double precession(const barrier_run *run, const coin_motion *m, double from, double to, double *sine)
{
    size_t first = barrier_frame(run, from);
    size_t last = barrier_frame(run, to);
    *sine = 0.0;
    for (size_t i = first; i <= last; ++i) {
        *sine += sin(m->tilt[i]) / (double)(last - first + 1);
    }
    return (m->round[last] - m->round[first]) / (run->time[last] - run->time[first]);
}

/* Over whole periods of its nutation, while it is not flat. */
static void compare_coin(paper_report *r, const barrier_run *run, const coin_motion *m, double end)
{
    const double period = 0.08; /* [s] */
    const double flat = 5.0 * PI / 180.0;
    double sine = 0.0, before = 0.0, slower = 0.0;
    for (double t = 0.0; t + period <= end && m->tilt[barrier_frame(run, t + period)] > flat; t += period) {
        char name[SETTING_TEXT];
        double rate = precession(run, m, t, t + period, &sine);
        double steady = 4.0 * 9.81 / (coin_radius * sine);
        snprintf(name, sizeof name, "precession^2, %.2f to %.2f s [1/s^2]", t, t + period);
        paper_row(r, name, rate * rate, steady, 0.05 * steady, "4 g/(R sin tilt)");
        slower += rate <= before;
        before = rate;
    }
    paper_row(r, "periods without a greater rate", before > 0.0 ? slower : (double)NAN, 0.0, 0.0,
              "grows until it lies");
    paper_fact(r, "tilt at the end [deg]", m->tilt[run->frames - 1] * 180.0 / PI, "from 20");
    paper_fact(r, "centre has moved by [m]", barrier_travel(run, "coin", 0), "stands");
}

static int draw_coin(paper_report *r, const barrier_run *run, const coin_motion *m)
{
    carom_series series[] = { { .x = run->time, .y = m->tilt, .count = run->frames, .label = "tilt" } };
    carom_figure figure = { .title = "A coin comes to lie",
                            .x = { .label = "t [s]" },
                            .y = { .label = "tilt [rad]" },
                            .series = series,
                            .series_count = 1,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "coin", &figure);
}

int coin_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run run = { 0 };
    settings s = { 0 };
    double end = barrier_size(r, 0.1, 0.2, 1.0);
    settings_number(&s, "variables.end", end);
    settings_text(&s, "time.integrator", "bdf2");
    int code = barrier_run_scene(r, &v, "coin.json", "coin", &s, &run);
    if (code == EXIT_DONE) {
        coin_motion m = follow_coin(&run);
        compare_coin(r, &run, &m, end);
        code = draw_coin(r, &run, &m);
        free(m.tilt);
        free(m.round);
    }
    verification_rows(r, &v);
    barrier_run_close(&run);
    return code;
}

/* ---- P4.15 wrecking ball ------------------------------------------------------------------------------------------- */

/* The largest growth of the energy from one frame to the next [J]: what barriers store counts, as they give it back. */
static double growth(const barrier_run *run)
{
    const double *total = barrier_signal(run, "energy.total");
    double most = total ? 0.0 : (double)NAN;
    for (size_t i = 1; total && i < run->frames; ++i) {
        most = fmax(most, total[i] - total[i - 1]);
    }
    return most;
}

int wrecking_ball_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run run = { 0 };
    settings s = { 0 };
    settings_number(&s, "variables.columns", barrier_size(r, 5, 10, 28));
    settings_number(&s, "variables.rows", barrier_size(r, 5, 10, 20));
    int code = barrier_run_scene(r, &v, "wrecking-ball.json", "wrecking-ball", &s, &run);
    if (code == EXIT_DONE) {
        double begun = barrier_value(&run, "energy.kinetic", 0);
        paper_row(r, "energy grows by, at most [J]", growth(&run), 0.0, 1e-9 * begun, "never");
        paper_row(r, "ball has not come through", barrier_last(&run, "ball.position.x") < 0.1, 0.0, 0.0,
                  "strikes the wall");
        paper_fact(r, "ms per step", 1e3 * run.how.wall / (double)run.how.steps, "wall time");
    }
    verification_rows(r, &v);
    barrier_run_close(&run);
    return code;
}

/* ---- P4.16 anchor, press, lock box ---------------------------------------------------------------------------------- */

enum { ANCHOR_RINGS = 21 };

/* Rings within a ring's width of the axle, which lies along y. */
static double rings_on_axle(const barrier_run *run)
{
    double count = 0.0;
    for (int i = 0; i < ANCHOR_RINGS; ++i) {
        char name[SETTING_TEXT];
        snprintf(name, sizeof name, "ring[%d]", i);
        carom_v3 at = barrier_motion(run, name, run->frames - 1).pose.position;
        count += hypot(at.x, at.z) < 0.05 + 2.0 * 0.024;
    }
    return count;
}

static int run_anchor(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    double end = barrier_size(r, 1, 2, 2);
    settings_number(&s, "variables.end", end);
    int code = barrier_run_scene(r, v, "anchor.json", "anchor", &s, &run);
    if (code == EXIT_DONE) {
        double rise = barrier_last(&run, "anchor.position.z") - barrier_value(&run, "anchor.position.z", 0);
        double wound = 6.0 * (end - 0.2) * (0.05 + 0.012); /* angle times the radius of the axle and half a chain */
        paper_row(r, "anchor: raised by [m]", rise, wound, 0.3 * wound, "angle of the axle times radius");
        paper_row(r, "anchor: rings on the axle", rings_on_axle(&run), wound / 0.0305, 0.3 * wound / 0.0305,
                  "length / pitch");
    }
    barrier_run_close(&run);
    return code;
}

static int run_press(paper_report *r, verification *v, const char *what, double play)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    char name[SETTING_TEXT];
    snprintf(name, sizeof name, "press-%s", what);
    settings_number(&s, "variables.play", play);
    int code = barrier_run_scene(r, v, "press.json", name, &s, &run);
    if (code == EXIT_DONE) {
        const double guide = 0.1; /* [m] */
        double tilt = 0.0;
        double bound = play / guide;
        for (size_t i = 0; i < run.frames; ++i) {
            carom_v3 axis = axis_of(&run, "punch", i);
            tilt = paper_worse(tilt, atan2(hypot(axis.x, axis.y), axis.z), 0.0);
        }
        snprintf(name, sizeof name, "press, %s: largest tilt [rad]", what);
        paper_row(r, name, tilt, 0.5 * bound, 0.51 * bound, "from 0 to play / guide length");
        snprintf(name, sizeof name, "press, %s: lowered and raised [m]", what);
        paper_row(r, name, barrier_travel(&run, "punch", 0), 0.06, 0.006, "the force's way");
    }
    barrier_run_close(&run);
    return code;
}

enum { LOCK_PINS = 5 };
static const double pin_reach =
    0.0102; /* [m] from a peg to the tip of its pin, as in examples/scenes/lock-box.json */
static const double lip_radius = 0.0406; /* [m] of the bottom's lip */

/* Pins whose tips are still below the lip. */
static int pins_out(const barrier_run *run, size_t frame)
{
    int count = 0;
    for (int i = 0; i < LOCK_PINS; ++i) {
        char name[SETTING_TEXT];
        snprintf(name, sizeof name, "pin[%d]", i);
        carom_v3 at = barrier_motion(run, name, frame).pose.position;
        count += hypot(at.x, at.y) + pin_reach > lip_radius;
    }
    return count;
}

static int run_lock(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    int code = barrier_run_scene(r, v, "lock-box.json", "lock-box", NULL, &run);
    if (code == EXIT_DONE) {
        const double *z = barrier_signal(&run, "bottom.position.z");
        double while_held = 0.0, in_order = 0.0;
        int before = LOCK_PINS;
        for (size_t i = 0; z && i < run.frames; ++i) {
            int out = pins_out(&run, i);
            while_held = out > 0 ? fmax(while_held, -z[i]) : while_held;
            in_order += out == before - 1;
            before = out;
        }
        paper_row(r, "lock: pins drawn in one by one", in_order, LOCK_PINS, 0.0, "five");
        paper_row(r, "lock: bottom sinks before [m]", while_held, 0.0, 3e-3, "play of lip and posts");
        paper_row(r, "lock: bottom has not fallen", !(barrier_last(&run, "bottom.position.z") < -0.03), 0.0, 0.0,
                  "after the fifth pin");
    }
    barrier_run_close(&run);
    return code;
}

int machines_item(paper_report *r)
{
    verification v = { 0 };
    int code = run_press(r, &v, "tight", 5e-5);
    code = code == EXIT_DONE ? run_press(r, &v, "loose", 1e-3) : code;
    code = code == EXIT_DONE ? run_lock(r, &v) : code;
    code = code == EXIT_DONE ? run_anchor(r, &v) : code;
    verification_rows(r, &v);
    return code;
}

/* ---- P4.17 packing ------------------------------------------------------------------------------------------------- */

static const char *const packed[] = { "gear", "bolt", "nut", "ring", "link", "sprocket", "wheel", "lever" };
enum { PACKED = sizeof packed / sizeof *packed };

/* The least distance of bodies in any frame [m], by the contacts that were recorded: their gaps are beyond the separation. */
static double least_distance(const barrier_run *run, double separation)
{
    double least = (double)HUGE_VAL;
    for (size_t frame = 0; frame < run->frames; ++frame) {
        const carom_contact_point *points = NULL;
        carom_error err = { 0 };
        size_t count = carom_result_contact_count(run->result, frame);
        require_ok(carom_result_contacts(run->result, frame, &points, &err), &err);
        for (size_t i = 0; i < count; ++i) {
            least = fmin(least, separation + points[i].gap);
        }
    }
    return least;
}

static double bodies_outside(const barrier_run *run)
{
    double count = 0.0;
    for (int i = 0; i < PACKED; ++i) {
        carom_v3 at = barrier_motion(run, packed[i], run->frames - 1).pose.position;
        count += !(fabs(at.x) < 0.145 && fabs(at.y) < 0.145 && at.z > 0.0 && at.z < 0.6);
    }
    return count;
}

int packing_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run run = { 0 };
    int code = barrier_run_scene(r, &v, "packing.json", "packing", NULL, &run);
    if (code == EXIT_DONE) {
        double least = least_distance(&run, 1e-3);
        paper_row(r, "least distance of all frames [m]", least, 1.15e-3, 1.5e-4, "from 1 to 1.3 mm");
        paper_row(r, "parts outside the box", bodies_outside(&run), 0.0, 0.0, "all inside");
        paper_fact(r, "kinetic energy at the end [J]", barrier_last(&run, "energy.kinetic"), "comes to rest");
    }
    verification_rows(r, &v);
    barrier_run_close(&run);
    return code;
}

/* ---- P4.18 loose balls --------------------------------------------------------------------------------------------- */

/* How often a signal changes its sign by more than a threshold to either side. */
static double turnarounds(const barrier_run *run, const char *name, double threshold)
{
    const double *x = barrier_signal(run, name);
    double count = 0.0;
    double side = 0.0;
    for (size_t i = 0; x && i < run->frames; ++i) {
        double now = x[i] > threshold ? 1.0 : x[i] < -threshold ? -1.0 : side;
        count += side != 0.0 && now != side;
        side = now;
    }
    return count;
}

int loose_balls_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run run = { 0 };
    int code = barrier_run_scene(r, &v, "loose-balls.json", "loose-balls", NULL, &run);
    if (code == EXIT_DONE) {
        const double radius = 0.1; /* [m] */
        double apart = barrier_last(&run, "sheets.position.y") - barrier_last(&run, "points.position.y");
        double rocks = turnarounds(&run, "points.angular_velocity.x", 0.05);
        paper_row(r, "distance of the centres [m]", apart, radius, radius, "from 0 to 2 R: one in the other");
        paper_row(r, "does not rock", rocks < 2.0, 0.0, 0.0, "back and forth");
        paper_row(r, "kinetic energy at the end [J]", barrier_last(&run, "energy.kinetic"), 0.0, 1e-5,
                  "rests; began with 0.24");
    }
    verification_rows(r, &v);
    barrier_run_close(&run);
    return code;
}
