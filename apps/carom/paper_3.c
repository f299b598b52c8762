/* Paper 3: two pendulum rods that strike each other where it happens to be. Its section 3 has figures and one number; the
 * references are those of papers/3/: collisions computed apart with 50 digits. Where the tip A of the first rod touches the
 * second, an event has a point; angles and the station l_A' of the touch follow from it and the pivots. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_3.h"

enum { TEXT = 96 };

/* Of rods.json. */
static const rod_sizes SIZES = { .l1 = 1.0, .l2 = 1.6, .d = 0.5 };
static const double G = 9.8;         /* [m/s^2] */
static const double RELEASED = 14.7; /* [J] of the first rod from its start to its lowest place */

/* ---- runs ------------------------------------------------------------------------------------------------------- */

/* A pendulum from one instant to another that is a few milliseconds away: phi'' = -(3 g / 2 l) sin phi, one step of the
 * classical method of order 4, whose error is far below the tolerances. Answers the rate. */
static double carried_rate(double angle, double rate, double g_over_length, double h)
{
    double f = -1.5 * g_over_length;
    double a1 = f * sin(angle);
    double r2 = rate + 0.5 * h * a1;
    double a2 = f * sin(angle + 0.5 * h * rate);
    double r3 = rate + 0.5 * h * a2;
    double a3 = f * sin(angle + 0.5 * h * r2);
    double a4 = f * sin(angle + h * r3);
    return rate + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
}

/* Angular velocities just before and after: those of the frames beside the event, carried to it. */
static void read_rates(const rods *x, collision *c)
{
    double t = c->value[T];
    double g1 = x->g / x->sizes.l1;
    double g2 = x->g / x->sizes.l2;
    size_t after = 1;
    while (after + 1 < x->frames && x->t[after] <= t) {
        ++after;
    }
    size_t before = after - 1;
    before -= before > 0 && x->t[before] >= t;
    c->value[PHI_RATE_BEFORE] = carried_rate(x->phi[before], x->phi_rate[before], g1, t - x->t[before]);
    c->value[THETA_RATE_BEFORE] = carried_rate(x->theta[before], x->theta_rate[before], g2, t - x->t[before]);
    c->value[PHI_RATE_AFTER] = carried_rate(x->phi[after], x->phi_rate[after], g1, t - x->t[after]);
    c->value[THETA_RATE_AFTER] = carried_rate(x->theta[after], x->theta_rate[after], g2, t - x->t[after]);
}

static collision read_collision(const rods *x, const carom_event *e)
{
    collision c = { .mode = e->mode };
    double from_1 = hypot(e->position.x, e->position.z);
    double from_2 = hypot(e->position.x - x->sizes.d, e->position.z);
    c.tip = fabs(from_1 - x->sizes.l1) <= fabs(from_2 - x->sizes.l2) ? TIP_A : TIP_B;
    c.value[T] = e->t;
    c.value[PHI] = atan2(e->position.x, -e->position.z);
    c.value[THETA] = atan2(e->position.x - x->sizes.d, -e->position.z);
    c.value[STATION] = c.tip == TIP_A ? from_2 : from_1;
    c.value[IMPULSE] = carom_event_normal_impulse(e);
    read_rates(x, &c);
    return c;
}

static void read_collisions(rods *x)
{
    const carom_event *events = carom_result_events(x->result);
    for (size_t i = 0; i < carom_result_event_count(x->result) && x->count < MOST_COLLISIONS; ++i) {
        if (events[i].kind == CAROM_EVENT_IMPACT) {
            x->collisions[x->count++] = read_collision(x, &events[i]);
        }
    }
}

int rods_run(paper_report *r, const char *scene, const char *name, const char *const *overrides, size_t count,
             rods *x)
{
    int code = paper_run(r, scene, name, overrides, count, &x->result, NULL);
    if (code != EXIT_DONE) {
        return code;
    }
    x->frames = carom_result_frame_count(x->result);
    x->t = carom_result_time(x->result);
    x->phi = paper_signal(x->result, "O1.angle");
    x->theta = paper_signal(x->result, "O2.angle");
    x->phi_rate = paper_signal(x->result, "O1.angle.rate");
    x->theta_rate = paper_signal(x->result, "O2.angle.rate");
    x->energy = paper_signal(x->result, "energy.total");
    if (!x->phi || !x->theta || !x->phi_rate || !x->theta_rate || !x->energy || x->frames < 2) {
        return EXIT_GAVE_UP;
    }
    read_collisions(x);
    return EXIT_DONE;
}

/* Runs rods.json; close x->result. */
static int run_rods(paper_report *r, const char *name, double k, double g, double end, rods *x)
{
    char text[3][TEXT];
    const char *const overrides[] = { text[0], text[1], text[2] };
    snprintf(text[0], TEXT, "variables.k=%.17g", k);
    snprintf(text[1], TEXT, "variables.g=%.17g", g);
    snprintf(text[2], TEXT, "time.end=%.17g", end);
    *x = (rods){ .sizes = SIZES, .g = g };
    return rods_run(r, "rods.json", name, overrides, 3, x);
}

/* ---- figures 3, 4, 5 -------------------------------------------------------------------------------------------- */

/* Frames, with two more points at every collision, so that velocities jump where they do. */
typedef struct curves {
    size_t n;
    double *t, *phi, *theta, *phi_rate, *theta_rate, *y_a, *y_contact, *station;
} curves;

static void add_point(curves *c, double t, double phi, double theta, double phi_rate, double theta_rate)
{
    size_t i = c->n++;
    c->t[i] = t;
    c->phi[i] = phi;
    c->theta[i] = theta;
    c->phi_rate[i] = phi_rate;
    c->theta_rate[i] = theta_rate;
    c->station[i] = sqrt(SIZES.d * SIZES.d + SIZES.l1 * SIZES.l1 -
                         2.0 * SIZES.d * SIZES.l1 * sin(phi)); /* section 1 of the paper */
    c->y_a[i] = -SIZES.l1 * cos(phi);
    c->y_contact[i] = -c->station[i] * cos(theta);
}

static void add_collision(curves *c, const double *v)
{
    add_point(c, v[T], v[PHI], v[THETA], v[PHI_RATE_BEFORE], v[THETA_RATE_BEFORE]);
    add_point(c, v[T], v[PHI], v[THETA], v[PHI_RATE_AFTER], v[THETA_RATE_AFTER]);
}

/* free() c->t: all columns lie behind each other. */
static void make_curves(const rods *x, curves *c)
{
    size_t most = x->frames + 2 * x->count;
    double *room = allocate(8 * most, sizeof *room);
    *c = (curves){ 0,
                   room,
                   room + most,
                   room + 2 * most,
                   room + 3 * most,
                   room + 4 * most,
                   room + 5 * most,
                   room + 6 * most,
                   room + 7 * most };
    size_t k = 0;
    for (size_t i = 0; i < x->frames; ++i) {
        for (; k < x->count && x->collisions[k].value[T] <= x->t[i]; ++k) {
            add_collision(c, x->collisions[k].value);
        }
        add_point(c, x->t[i], x->phi[i], x->theta[i], x->phi_rate[i], x->theta_rate[i]);
    }
}

static int draw_rod(paper_report *r, const char *name, const char *title, const curves *c, const double *angle,
                    const double *rate)
{
    carom_series series[] = {
        { .x = c->t, .y = angle, .count = c->n, .label = "angle [rad]" },
        { .x = c->t, .y = rate, .count = c->n, .label = "angular velocity [rad/s]", .line = CAROM_LINE_DASHED },
    };
    carom_figure figure = { .title = title,
                            .x = { .label = "time", .unit = "s" },
                            .y = { .label = "angle, angular velocity", .unit = "rad, rad/s" },
                            .series = series,
                            .series_count = 2,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, name, &figure);
}

static int draw_points(paper_report *r, const curves *c)
{
    carom_series series[] = {
        { .x = c->t, .y = c->y_a, .count = c->n, .label = "y of A" },
        { .x = c->t, .y = c->y_contact, .count = c->n, .label = "y of A'", .line = CAROM_LINE_DASHED },
        { .x = c->t, .y = c->station, .count = c->n, .label = "l_{A'}", .line = CAROM_LINE_DASH_DOT },
    };
    carom_figure figure = { .title = "Points that may touch: heights of A and A', station of A'",
                            .x = { .label = "time", .unit = "s" },
                            .y = { .label = "height, station", .unit = "m" },
                            .series = series,
                            .series_count = 3,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "figure-5", &figure);
}

static int draw_figures(paper_report *r, const rods *x)
{
    static const char *const titles[] = { "t [s]",          "phi [rad]", "theta [rad]", "phi' [rad/s]",
                                          "theta' [rad/s]", "y_A [m]",   "y_A' [m]",    "l_A' [m]" };
    curves c;
    make_curves(x, &c);
    const double *const columns[] = { c.t, c.phi, c.theta, c.phi_rate, c.theta_rate, c.y_a, c.y_contact, c.station };
    int code = draw_rod(r, "figure-3", "Rod O1A", &c, c.phi, c.phi_rate);
    code = code == EXIT_DONE ? draw_rod(r, "figure-4", "Rod O2B", &c, c.theta, c.theta_rate) : code;
    code = code == EXIT_DONE ? draw_points(r, &c) : code;
    code = code == EXIT_DONE ? paper_csv(r, "figures-3-4-5", titles, columns, 8, c.n) : code;
    free(c.t);
    return code;
}

/* ---- the list of collisions ------------------------------------------------------------------------------------- */

static void list_cells(table *t, const double *v, const int *columns, int count, bool difference)
{
    for (int c = 0; c < count; ++c) {
        if (difference) {
            table_number(t, v[columns[c]], 1);
        } else {
            table_cell(t, "%.9f", fabs(v[columns[c]]) < 5e-10 ? 0.0 : v[columns[c]]); /* no "-0" */
        }
    }
}

/* Three lines for each collision. */
static void list_part(paper_report *r, const rods *x, const double *reference, const char *heading,
                      const char *const *titles, const int *columns, int count)
{
    table *t = paper_table(r, heading, count + 2, titles, "rtrrrrr");
    for (size_t i = 0; i < x->count; ++i) {
        const double *exact = &reference[i * VALUES];
        double off[VALUES];
        for (int c = 0; c < VALUES; ++c) {
            off[c] = x->collisions[i].value[c] - exact[c];
        }
        table_cell(t, "%zu", i + 1);
        table_cell(t, "%s", "computed");
        list_cells(t, x->collisions[i].value, columns, count, false);
        table_cell(t, "%s", "");
        table_cell(t, "%s", "reference");
        list_cells(t, exact, columns, count, false);
        table_cell(t, "%s", "");
        table_cell(t, "%s", "difference");
        list_cells(t, off, columns, count, true);
    }
}

static double worst(const rods *x, const double *reference, int first, int last)
{
    double largest = 0.0;
    for (size_t i = 0; i < x->count; ++i) {
        for (int c = first; c <= last; ++c) {
            largest = paper_worse(largest, x->collisions[i].value[c], reference[i * VALUES + (size_t)c]);
        }
    }
    return largest;
}

static int write_list(paper_report *r, const rods *x)
{
    static const char *const titles[VALUES] = { "t [s]",
                                                "phi [rad]",
                                                "theta [rad]",
                                                "l_A' [m]",
                                                "phi' before [rad/s]",
                                                "theta' before [rad/s]",
                                                "phi' after [rad/s]",
                                                "theta' after [rad/s]",
                                                "impulse [N s]" };
    double columns[VALUES][MOST_COLLISIONS];
    const double *list[VALUES];
    for (int c = 0; c < VALUES; ++c) {
        for (size_t i = 0; i < x->count; ++i) {
            columns[c][i] = x->collisions[i].value[c];
        }
        list[c] = columns[c];
    }
    return paper_csv(r, "collisions", titles, list, VALUES, x->count);
}

/* The whole list beside the reference, when both have as many. */
static int compare_list(paper_report *r, const rods *x)
{
    static const char *const where[] = { "#", "", "t [s]", "phi [rad]", "theta [rad]", "l_A' [m]", "impulse [N s]" };
    static const char *const speed[] = { "#", "", "phi' before", "theta' before", "phi' after", "theta' after" };
    static const int where_columns[] = { T, PHI, THETA, STATION, IMPULSE };
    static const int speed_columns[] = { PHI_RATE_BEFORE, THETA_RATE_BEFORE, PHI_RATE_AFTER, THETA_RATE_AFTER };
    size_t rows = 0;
    double *reference = paper_numbers(r, "collisions.csv", VALUES, &rows);
    if (!reference) {
        return EXIT_GAVE_UP;
    }
    paper_row(r, "collisions in 5 s", (double)x->count, (double)rows, 0.0, "50 digits");
    if (rows == x->count) {
        list_part(r, x, reference, "When, where and how hard", where, where_columns, 5);
        list_part(r, x, reference, "Angular velocities [rad/s]", speed, speed_columns, 4);
        paper_row(r, "first at [s], g = 9.8", x->collisions[0].value[T], reference[T], 1e-9, "closed form");
        paper_row(r, "times, worst [s]", worst(x, reference, T, T), 0.0, 1e-9, "50 digits");
        paper_row(r, "l_A', worst [m]", worst(x, reference, STATION, STATION), 0.0, 1e-6, "50 digits");
        paper_row(r, "angles, worst [rad]", worst(x, reference, PHI, THETA), 0.0, 1e-6, "50 digits");
        paper_row(r, "velocities, worst [rad/s]", worst(x, reference, PHI_RATE_BEFORE, THETA_RATE_AFTER), 0.0, 1e-6,
                  "50 digits");
        paper_row(r, "impulses, worst [N s]", worst(x, reference, IMPULSE, IMPULSE), 0.0, 1e-6, "50 digits");
    }
    free(reference);
    return EXIT_DONE;
}

static void compare_end(paper_report *r, const rods *x)
{
    size_t last = x->frames - 1;
    paper_row(r, "phi at 5 s [rad]", x->phi[last], 0.015303625512, 1e-8, "50 digits");
    paper_row(r, "phi' at 5 s [rad/s]", x->phi_rate[last], 4.681945374189, 1e-8, "50 digits");
    paper_row(r, "theta at 5 s [rad]", x->theta[last], 0.332605902374, 1e-8, "50 digits");
    paper_row(r, "theta' at 5 s [rad/s]", x->theta_rate[last], -1.383200529268, 1e-8, "50 digits");
}

static void compare_energy(paper_report *r, const rods *x)
{
    double drift = 0.0;
    for (size_t i = 0; i < x->frames; ++i) {
        drift = paper_worse(drift, x->energy[i], x->energy[0]);
    }
    paper_row(r, "energy drift / released", drift / RELEASED, 0.0, 1e-8, "nothing is lost");
}

static int earth_gravity(paper_report *r)
{
    rods x;
    int code = run_rods(r, "rods-g-9.81", 1.0, 9.81, 0.6, &x);
    if (code == EXIT_DONE) {
        double t = x.count == 1 ? x.collisions[0].value[T] : (double)NAN;
        paper_row(r, "first at [s], g = 9.81", t, 0.582168905645, 1e-9, "closed form");
    }
    carom_result_close(x.result);
    return code;
}

static int collisions_item(paper_report *r)
{
    rods x;
    int code = run_rods(r, "rods", 1.0, G, 5.0, &x);
    code = code == EXIT_DONE ? compare_list(r, &x) : code;
    if (code == EXIT_DONE) {
        compare_end(r, &x);
        compare_energy(r, &x);
        code = draw_figures(r, &x);
    }
    code = code == EXIT_DONE ? write_list(r, &x) : code;
    carom_result_close(x.result);
    code = code == EXIT_DONE ? earth_gravity(r) : code;
    paper_note(
        r, "The paper's 0.5820 s is neither 0.582466 s (g = 9.8) nor 0.582169 s (9.81) rounded: probably the last "
           "point before the touch on an output grid of 1 or 2 ms.");
    paper_note(
        r, "Put right: equation (6) has A and A' exchanged, l_B' needs +2 d l2 sin(theta), m1 = m3 means m1 = m2.");
    return code;
}

/* ---- other restitutions ----------------------------------------------------------------------------------------- */

/* Worst time of those in the table for one k; the count in *count. */
static double compare_times(const rods *x, double k, const double *table_rows, size_t rows, size_t *count)
{
    double largest = 0.0;
    *count = 0;
    for (size_t i = 0; i < rows; ++i) {
        size_t n = (size_t)table_rows[3 * i + 1];
        if (table_rows[3 * i] == k) {
            double t = n <= x->count ? x->collisions[n - 1].value[T] : (double)NAN;
            largest = paper_worse(largest, t, table_rows[3 * i + 2]);
            *count = n > *count ? n : *count;
        }
    }
    return largest;
}

enum { RESTITUTIONS = 3 };
static const double restitutions[RESTITUTIONS] = { 1.0, 0.8, 0.5 };

static void list_times(paper_report *r, const rods *x)
{
    static const char *const titles[] = { "#", "t for k = 1 [s]", "k = 0.8", "k = 0.5" };
    table *t = paper_table(r, "Times of collisions in 20 s", 4, titles, "rrrr");
    size_t most = 0;
    for (int j = 0; j < RESTITUTIONS; ++j) {
        most = x[j].count > most ? x[j].count : most;
    }
    for (size_t i = 0; i < most; ++i) {
        table_cell(t, "%zu", i + 1);
        for (int j = 0; j < RESTITUTIONS; ++j) {
            if (i < x[j].count) {
                table_cell(t, "%.9f", x[j].collisions[i].value[T]);
            } else {
                table_cell(t, "%s", "");
            }
        }
    }
}

static int compare_restitutions(paper_report *r, const rods *x)
{
    size_t rows = 0;
    double *times = paper_numbers(r, "times.csv", 3, &rows);
    if (!times) {
        return EXIT_GAVE_UP;
    }
    list_times(r, x);
    for (int j = 0; j < RESTITUTIONS; ++j) {
        char label[TEXT];
        size_t count = 0;
        double off = compare_times(&x[j], restitutions[j], times, rows, &count);
        snprintf(label, sizeof label, "%zu times, k = %g, worst [s]", count, restitutions[j]);
        paper_row(r, label, off, 0.0, restitutions[j] == 1.0 ? 1e-9 : 1e-6, "50 digits");
    }
    free(times);
    return EXIT_DONE;
}

/* ---- contact modes ---------------------------------------------------------------------------------------------- */

typedef struct statistics {
    int point_line, tip_tip, other;
    double station_min, station_max; /* [m] */
    double interval_min;             /* [s] */
} statistics;

static statistics count_modes(const rods *x)
{
    statistics s = { .station_min = HUGE_VAL, .station_max = -HUGE_VAL, .interval_min = HUGE_VAL };
    for (size_t i = 0; i < x->count; ++i) {
        const collision *c = &x->collisions[i];
        s.point_line += c->mode == CAROM_MODE_POINT_LINE;
        s.tip_tip += c->mode == CAROM_MODE_TIP_TIP;
        s.other += c->mode != CAROM_MODE_POINT_LINE && c->mode != CAROM_MODE_TIP_TIP;
        s.station_min = fmin(s.station_min, c->value[STATION]);
        s.station_max = fmax(s.station_max, c->value[STATION]);
        s.interval_min = i > 0 ? fmin(s.interval_min, c->value[T] - x->collisions[i - 1].value[T]) : HUGE_VAL;
    }
    return s;
}

static void list_modes(paper_report *r, const statistics *s)
{
    static const char *const titles[] = { "k",           "point-line",     "tip-tip",
                                          "others",      "point-line [%]", "least l_A' [m]",
                                          "largest [m]", "least pause [s]" };
    table *t = paper_table(r, "Contact modes of all collisions in 20 s", 8, titles, "rrrrrrrr");
    for (int j = 0; j < RESTITUTIONS; ++j) {
        int all = s[j].point_line + s[j].tip_tip + s[j].other;
        table_cell(t, "%g", restitutions[j]);
        table_cell(t, "%d", s[j].point_line);
        table_cell(t, "%d", s[j].tip_tip);
        table_cell(t, "%d", s[j].other);
        table_cell(t, "%.0f", all > 0 ? 100.0 * s[j].point_line / all : 0.0);
        table_cell(t, "%.4f", s[j].station_min);
        table_cell(t, "%.4f", s[j].station_max);
        table_cell(t, "%.3f", s[j].interval_min);
    }
}

static int draw_stations(paper_report *r, const rods *x)
{
    double t[MOST_COLLISIONS], station[MOST_COLLISIONS];
    for (size_t i = 0; i < x->count; ++i) {
        t[i] = x->collisions[i].value[T];
        station[i] = x->collisions[i].value[STATION];
    }
    carom_series series[] = {
        { .x = t, .y = station, .count = x->count, .line = CAROM_LINE_DOTTED, .marker = CAROM_MARKER_CIRCLE }
    };
    carom_mark band = { .horizontal = true, .at = 0.8, .extent = 0.2, .text = "the paper: 0.8 to 1 m" };
    carom_figure figure = { .title = "Where the tip of rod O1A strikes rod O2B",
                            .x = { .label = "time of the collision", .unit = "s" },
                            .y = { .label = "station l_{A'}", .unit = "m", .min = 0.7, .max = 1.1 },
                            .series = series,
                            .series_count = 1,
                            .marks = &band,
                            .mark_count = 1,
                            .style = CAROM_PLOT_PAPER };
    static const char *const titles[] = { "t [s]", "l_A' [m]" };
    const double *const columns[] = { t, station };
    int code = paper_csv(r, "stations", titles, columns, 2, x->count);
    return code == EXIT_DONE ? paper_figure(r, "stations", &figure) : code;
}

static void compare_modes(paper_report *r, const rods *x)
{
    statistics s[RESTITUTIONS];
    int elsewhere = 0;
    for (int j = 0; j < RESTITUTIONS; ++j) {
        s[j] = count_modes(&x[j]);
        elsewhere += s[j].tip_tip + s[j].other;
    }
    list_modes(r, s);
    paper_row(r, "collisions in 20 s, k = 1", (double)x[0].count, 17.0, 0.0, "50 digits");
    paper_row(r, "not point-line, all k", elsewhere, 0.0, 0.0, "impossible");
    paper_row(r, "least l_A' [m], k = 1", s[0].station_min, 0.8099, 5.1e-5, "paper: 0.8");
    paper_row(r, "largest l_A' [m], k = 1", s[0].station_max, 0.9835, 5.1e-5, "paper: 1");
    paper_row(r, "shortest pause [s], k = 1", s[0].interval_min, 1.122, 5.1e-4, "50 digits");
    paper_note(r,
               "Tip-tip contact is impossible here, not improbable as the paper says: A would have to be l2 = 1.6 m "
               "from O2, and it never is more than l1 + d = 1.5 m away.");
    paper_note(
        r, "For the same reason (l2 >= l1 + d) the tip B never meets the first rod: every collision is the tip A on "
           "the side of rod O2B.");
}

static int modes_item(paper_report *r)
{
    rods x[RESTITUTIONS] = { 0 };
    int code = EXIT_DONE;
    for (int j = 0; j < RESTITUTIONS && code == EXIT_DONE; ++j) {
        char name[TEXT];
        snprintf(name, sizeof name, "rods-20s-k-%g", restitutions[j]);
        code = run_rods(r, name, restitutions[j], G, 20.0, &x[j]);
    }
    code = code == EXIT_DONE ? compare_restitutions(r, x) : code;
    if (code == EXIT_DONE) {
        compare_modes(r, x);
        code = draw_stations(r, &x[0]);
    }
    for (int j = 0; j < RESTITUTIONS; ++j) {
        carom_result_close(x[j].result);
    }
    return code;
}

static const paper_item items[] = {
    { .name = "collisions",
      .compares = "collisions in 5 s, energy; figures 3 to 5",
      .seconds = 1,
      .run = collisions_item },
    { .name = "contact modes", .compares = "20 s, three k: times, modes, stations", .seconds = 2, .run = modes_item },
    { .name = "cases",
      .compares = "cases (a) and (c), tip on tip: other lengths, who strikes whom",
      .seconds = 1,
      .run = cases_item },
    { .name = NULL },
};

const paper paper_3 = {
    .number = 3,
    .title = "The geometry and the dynamics simulation of the rigid rod non-fixed point collision",
    .source = "Gao, Yao: Journal of Dynamics and Control 9(1), 32-35, 2011",
    .items = items,
};
