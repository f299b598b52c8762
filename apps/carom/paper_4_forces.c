/* Paper 4, what it does not have: joints, restitution, forces of contacts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_4.h"

/* ---- P4.19 joints --------------------------------------------------------------------------------------------------- */

/* The worst residual of joints in a frame. */
static double worst_residual(const barrier_run *run)
{
    const double *residual = barrier_signal(run, "constraint.position");
    double worst = residual ? 0.0 : (double)NAN;
    for (size_t i = 0; residual && i < run->frames; ++i) {
        worst = paper_worse(worst, residual[i], 0.0);
    }
    return worst;
}

/* What is left at the end of the energy that the bar had over its lowest place: it hangs there when all is lost. */
static double energy_left(const barrier_run *run)
{
    double mass = 2.5, lowest = -0.5 * mass * 9.81;
    return (barrier_last(run, "energy.total") - lowest) / (barrier_value(run, "energy.total", 0) - lowest);
}

static int run_bar(paper_report *r, verification *v, const char *integrator, const char *name, barrier_run *out)
{
    settings s = { 0 };
    settings_text(&s, "time.integrator", integrator);
    return barrier_run_scene(r, v, "bar-pendulum.json", name, &s, out);
}

static int draw_bar(paper_report *r, const barrier_run runs[2])
{
    static const char *const labels[2] = { "implicit Euler", "BDF2" };
    carom_series series[2];
    for (int k = 0; k < 2; ++k) {
        series[k] = (carom_series){ .x = runs[k].time,
                                    .y = barrier_signal(&runs[k], "energy.total"),
                                    .count = runs[k].frames,
                                    .label = labels[k] };
    }
    carom_figure figure = { .title = "Bar on a hinge, h = 0.01 s: energy",
                            .x = { .label = "t [s]" },
                            .y = { .label = "kinetic and potential energy [J]" },
                            .series = series,
                            .series_count = 2,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "pendulum-energy", &figure);
}

static int compare_bars(paper_report *r, verification *v)
{
    barrier_run runs[2] = { 0 };
    int code = run_bar(r, v, "implicit-euler", "bar-euler", &runs[0]);
    code = code == EXIT_DONE ? run_bar(r, v, "bdf2", "bar-bdf2", &runs[1]) : code;
    if (code == EXIT_DONE) {
        paper_row(r, "BDF2: lost in 10 s [-]", 1.0 - energy_left(&runs[1]), 0.0, 0.02, "bar, h = 0.01 s");
        paper_fact(r, "Euler: lost in 10 s [-]", 1.0 - energy_left(&runs[0]), "of the energy");
        paper_row(r, "Euler: booked / lost [-]",
                  barrier_last(&runs[0], "lost.numerics") /
                      (barrier_value(&runs[0], "energy.total", 0) - barrier_last(&runs[0], "energy.total")),
                  1.0, 1e-9, "numerics only");
        paper_row(r, "bar: residual [m]", paper_worse(worst_residual(&runs[0]), worst_residual(&runs[1]), 0.0), 0.0,
                  1e-12, "every frame");
        code = draw_bar(r, runs);
    }
    barrier_run_close(&runs[0]);
    barrier_run_close(&runs[1]);
    return code;
}

/* The time at which a signal passes zero upwards for the n-th time, between two frames. */
static double upward_crossing(const barrier_run *run, const char *signal, int n)
{
    const double *x = barrier_signal(run, signal);
    for (size_t i = 1; x && i < run->frames; ++i) {
        if (x[i - 1] < 0.0 && x[i] >= 0.0 && --n == 0) {
            return run->time[i - 1] + (run->time[i] - run->time[i - 1]) * -x[i - 1] / (x[i] - x[i - 1]);
        }
    }
    return (double)NAN;
}

static int compare_period(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    settings_text(&s, "contact.method", "barrier");
    settings_text(&s, "time.integrator", "bdf2");
    settings_number(&s, "time.step", 1e-3);
    settings_number(&s, "time.end", 4.0);
    settings_number(&s, "record.every", 1e-3);
    int code = barrier_run_scene(r, v, "benchmarks/a01-simple-pendulum.json", "a01", &s, &run);
    if (code == EXIT_DONE) {
        double period = upward_crossing(&run, "bob.position.x", 2) - upward_crossing(&run, "bob.position.x", 1);
        paper_row(r, "A01: period [s]", period, 2.36784194757624, 1e-3 * 2.36784194757624, "exact; BDF2, 1 ms");
    }
    barrier_run_close(&run);
    return code;
}

static int compare_residual(paper_report *r, verification *v, const char *scene, const char *name)
{
    barrier_run run = { 0 };
    char label[SETTING_TEXT];
    int code = barrier_run_scene(r, v, scene, name, NULL, &run);
    if (code == EXIT_DONE) {
        snprintf(label, sizeof label, "%s: residual [m]", name);
        paper_row(r, label, worst_residual(&run), 0.0, 1e-12, "every frame");
    }
    barrier_run_close(&run);
    return code;
}

int joints_item(paper_report *r)
{
    verification v = { 0 };
    int code = compare_bars(r, &v);
    code = code == EXIT_DONE ? compare_period(r, &v) : code;
    code = code == EXIT_DONE ? compare_residual(r, &v, "jointed-chain.json", "jointed-chain") : code;
    code = code == EXIT_DONE ? compare_residual(r, &v, "four-bar.json", "four-bar") : code;
    verification_rows(r, &v);
    return code;
}

/* ---- P4.20 restitution ----------------------------------------------------------------------------------------------- */

enum { E_COUNT = 5, BOUNCES_MOST = 16 };
static const double asked[E_COUNT] = { 0.0, 0.3, 0.5, 0.8, 1.0 };
static const double slowest = 0.3; /* [m/s] of an approach that must bounce, above the v_min of 2 g h at h = 0.01 s */

/* An impact begins with the first step whose change of speed is not that of gravity, and ends when the body no longer approaches, but
 * for rounding: what it does then within the range, where it recovers its gap, is no rebound. The
 * approach is the speed with which it comes to where it turns: from v and z before, v^2 + 2 g (z - z where it turns). */
typedef struct bounce {
    double approach, rebound;
} bounce;

static int find_bounces(const barrier_run *run, bounce out[BOUNCES_MOST])
{
    const double *v = barrier_signal(run, "ball.velocity.z"), *z = barrier_signal(run, "ball.position.z");
    int count = 0;
    size_t before = 0; /* the last frame of flight; 0: no impact goes on */
    for (size_t i = 1; v && z && i < run->frames && count < BOUNCES_MOST; ++i) {
        double unhindered = v[i - 1] - 9.81 * (run->time[i] - run->time[i - 1]);
        if (before == 0 && fabs(v[i] - unhindered) > 1e-9) {
            before = i - 1;
        }
        if (before > 0 && v[i] >= -1e-12 * fabs(v[before])) {
            double approach = sqrt(v[before] * v[before] + 2.0 * 9.81 * (z[before] - z[i]));
            out[count++] = (bounce){ approach, v[i] };
            before = 0;
        }
    }
    return count;
}

static double worst_ratio(const bounce *list, int count, double e)
{
    double worst = count > 0 ? 0.0 : (double)NAN;
    for (int i = 0; i < count && list[i].approach > slowest; ++i) {
        worst = paper_worse(worst, list[i].rebound / list[i].approach, e);
    }
    return worst;
}

/* The largest gain of energy from one flight to the next [J]. Within an impact of several steps there is none to compare: what
 * the first steps take, the last gives back. */
static double energy_gain(const barrier_run *run)
{
    const double *energy = barrier_signal(run, "energy.total"), *v = barrier_signal(run, "ball.velocity.z");
    double most = energy && v ? 0.0 : (double)NAN, last = HUGE_VAL;
    for (size_t i = 1; energy && v && i < run->frames; ++i) {
        double unhindered = v[i - 1] - 9.81 * (run->time[i] - run->time[i - 1]);
        if (fabs(v[i] - unhindered) <= 1e-9) {
            most = fmax(most, energy[i] - last);
            last = energy[i];
        }
    }
    return most;
}

static int run_bounce(paper_report *r, verification *v, double e, double h, barrier_run *out)
{
    settings s = { 0 };
    char name[SETTING_TEXT];
    settings_number(&s, "variables.e", e);
    settings_number(&s, "variables.h", h);
    snprintf(name, sizeof name, "bounce-%g-%g", e, h);
    return barrier_run_scene(r, v, "bounce.json", name, &s, out);
}

static void compare_bounce(paper_report *r, table *list, const barrier_run *run, double e, double h)
{
    bounce bounces[BOUNCES_MOST];
    char label[SETTING_TEXT];
    int count = find_bounces(run, bounces);
    snprintf(label, sizeof label, "e %g, h %g s: worst", e, h);
    paper_row(r, label, worst_ratio(bounces, count, e), 0.0, 2e-3, "after / before");
    table_cell(list, "%g", e);
    table_cell(list, "%g", h);
    for (int i = 0; i < 4; ++i) {
        if (i < count && bounces[i].approach > slowest) {
            table_cell(list, "%.5f", bounces[i].rebound / bounces[i].approach);
        } else {
            table_cell(list, "%s", "");
        }
    }
}

static int draw_bounces(paper_report *r, const barrier_run runs[E_COUNT])
{
    carom_series series[E_COUNT];
    char labels[E_COUNT][SETTING_TEXT];
    for (int k = 0; k < E_COUNT; ++k) {
        snprintf(labels[k], sizeof labels[k], "e = %g", asked[k]);
        series[k] = (carom_series){ .x = runs[k].time,
                                    .y = barrier_signal(&runs[k], "ball.position.z"),
                                    .count = runs[k].frames,
                                    .label = labels[k] };
    }
    carom_figure figure = { .title = "A ball falls by 1 m, h = 1 ms",
                            .x = { .label = "t [s]" },
                            .y = { .label = "height of the centre [m]", .min = 0.0 },
                            .series = series,
                            .series_count = E_COUNT,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "restitution", &figure);
}

static int compare_bounces(paper_report *r, verification *v)
{
    static const char *const titles[] = { "e", "h [s]", "1st", "2nd", "3rd", "4th bounce" };
    table *list = paper_table(r, "Speed after / before", 6, titles, "rrrrrr");
    barrier_run runs[E_COUNT] = { 0 };
    double gain = 0.0;
    int code = EXIT_DONE;
    for (int k = 0; k < E_COUNT && code == EXIT_DONE; ++k) {
        barrier_run coarse = { 0 };
        code = run_bounce(r, v, asked[k], 0.01, &coarse);
        if (code == EXIT_DONE) {
            compare_bounce(r, list, &coarse, asked[k], 0.01);
            gain = fmax(gain, energy_gain(&coarse));
            code = run_bounce(r, v, asked[k], 0.001, &runs[k]);
        }
        if (code == EXIT_DONE) {
            compare_bounce(r, list, &runs[k], asked[k], 0.001);
            gain = fmax(gain, energy_gain(&runs[k]));
        }
        barrier_run_close(&coarse);
    }
    if (code == EXIT_DONE) {
        paper_row(r, "gain of energy [J]", gain, 0.0, 1e-9 * 41.1, "never grows");
        code = draw_bounces(r, runs);
    }
    for (int k = 0; k < E_COUNT; ++k) {
        barrier_run_close(&runs[k]);
    }
    return code;
}

static int compare_two_balls(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    int code = barrier_run_scene(r, v, "two-balls.json", "two-balls", NULL, &run);
    if (code == EXIT_DONE) {
        paper_row(r, "e 0.5: 3 kg [m/s]", barrier_last(&run, "heavy.velocity.x"), 1.25, 0.0025,
                  "v (m1 - e m2)/(m1 + m2)");
        paper_row(r, "e 0.5: 1 kg [m/s]", barrier_last(&run, "light.velocity.x"), 2.25, 0.0045,
                  "v m1 (1 + e)/(m1 + m2)");
    }
    barrier_run_close(&run);
    return code;
}

/* The normal speed of the struck point, 0.45 m from the centre, in the first frame in which it no longer approaches. */
static double struck_point(const barrier_run *run)
{
    const double *v = barrier_signal(run, "rod.velocity.z"), *w = barrier_signal(run, "rod.angular_velocity.y");
    for (size_t i = 0; v && w && i < run->frames; ++i) {
        double speed = v[i] - 0.45 * w[i];
        if (speed >= 0.0) {
            return speed;
        }
    }
    return (double)NAN;
}

static int compare_rod(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    int code = barrier_run_scene(r, v, "rod-end.json", "rod-end", NULL, &run);
    if (code == EXIT_DONE) {
        paper_row(r, "rod's end, e 0.5: ratio", struck_point(&run) / 2.0, 0.5, 1e-3, "of the struck point");
    }
    barrier_run_close(&run);
    return code;
}

int restitution_item(paper_report *r)
{
    verification v = { 0 };
    int code = compare_bounces(r, &v);
    code = code == EXIT_DONE ? compare_two_balls(r, &v) : code;
    code = code == EXIT_DONE ? compare_rod(r, &v) : code;
    verification_rows(r, &v);
    return code;
}

/* ---- P4.21 forces ----------------------------------------------------------------------------------------------------- */

typedef struct contact_load {
    carom_v3 force;  /* [N] on body a */
    carom_v3 moment; /* [N m] of it about the origin */
} contact_load;

static bool is_body(const barrier_run *run, carom_id body, const char *name)
{
    return strcmp(carom_result_body_name(run->result, body), name) == 0;
}

/* What body b exerts on body a at a frame. */
static contact_load load_between(const barrier_run *run, const char *a, const char *b, size_t frame)
{
    const carom_contact_point *points = NULL;
    carom_error err = { 0 };
    contact_load sum = { 0 };
    require_ok(carom_result_contacts(run->result, frame, &points, &err), &err);
    for (size_t i = 0; i < carom_result_contact_count(run->result, frame); ++i) {
        const carom_contact_point *p = &points[i];
        bool as_is = is_body(run, p->body[0], a) && is_body(run, p->body[1], b);
        bool reversed = is_body(run, p->body[0], b) && is_body(run, p->body[1], a);
        double sign = as_is ? 1.0 : reversed ? -1.0 : 0.0;
        carom_v3 f = { sign * p->force.x, sign * p->force.y, sign * p->force.z };
        sum.force = (carom_v3){ sum.force.x + f.x, sum.force.y + f.y, sum.force.z + f.z };
        sum.moment.x += p->position.y * f.z - p->position.z * f.y;
        sum.moment.y += p->position.z * f.x - p->position.x * f.z;
        sum.moment.z += p->position.x * f.y - p->position.y * f.x;
    }
    return sum;
}

static int compare_stack(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    int code = barrier_run_scene(r, v, "rest.json", "rest", NULL, &run);
    if (code == EXIT_DONE) {
        contact_load floor = load_between(&run, "lower", "floor", run.frames - 1);
        contact_load between = load_between(&run, "upper", "lower", run.frames - 1);
        double weight = 9.81 * 625.0, upper = 9.81 * 125.0;
        paper_row(r, "stack: floor [N]", floor.force.z, weight, 1e-6 * weight, "weight");
        paper_row(r, "stack: between [N]", between.force.z, upper, 1e-6 * upper, "upper weight");
        paper_row(r, "stack: stick [N]", floor.force.x, -2000.0, 1e-6 * 2000.0, "the pull");
    }
    barrier_run_close(&run);
    return code;
}

static int compare_friction_work(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    settings_number(&s, "variables.mu", 0.49);
    int code = barrier_run_scene(r, v, "slope.json", "friction-work", &s, &run);
    if (code == EXIT_DONE) {
        double angle = 26.565 * 3.14159265358979323846 / 180.0;
        double expected = 0.49 * 1000.0 * 9.8 * cos(angle) * barrier_last(&run, "cube.position.x");
        paper_row(r, "slope: friction [J]", barrier_number(&run, "energy.dissipated.friction"), expected,
                  1e-3 * expected, "mu N distance");
    }
    barrier_run_close(&run);
    return code;
}

static int compare_spring(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    int code = barrier_run_scene(r, v, "spring-blocks.json", "spring-blocks", NULL, &run);
    if (code == EXIT_DONE) {
        size_t last = run.frames - 1;
        double length = barrier_last(&run, "right.position.x") - barrier_last(&run, "left.position.x") - 0.3;
        double tension = 5000.0 * (length - 1.0); /* negative: it pushes */
        double wall = load_between(&run, "left", "left wall", last).force.x +
                      load_between(&run, "left", "floor", last).force.x;
        paper_row(r, "spring: wall, floor [N]", wall, -tension, 1e-6 * fabs(tension), "k (length - free)");
    }
    barrier_run_close(&run);
    return code;
}

static int compare_motor(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    int code = barrier_run_scene(r, v, "motor-press.json", "motor-press", NULL, &run);
    if (code == EXIT_DONE) {
        contact_load arm = load_between(&run, "arm", "block", run.frames - 1);
        double about_hinge = arm.moment.y - 0.2522 * arm.force.x; /* the hinge is on the z axis */
        paper_row(r, "motor: block [N m]", about_hinge, -40.0, 1e-6 * 40.0, "the torque");
        paper_row(r, "motor: wall [N]", load_between(&run, "block", "wall", run.frames - 1).force.z, arm.force.z,
                  1e-6 * fabs(arm.force.z), "force of the arm");
    }
    barrier_run_close(&run);
    return code;
}

int forces_item(paper_report *r)
{
    verification v = { 0 };
    int code = compare_stack(r, &v);
    code = code == EXIT_DONE ? compare_friction_work(r, &v) : code;
    code = code == EXIT_DONE ? compare_spring(r, &v) : code;
    code = code == EXIT_DONE ? compare_motor(r, &v) : code;
    verification_rows(r, &v);
    return code;
}
