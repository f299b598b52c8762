/* Paper 1, section 4.3: two spacecraft dock. The run is that of the example docking.json; what it must come to follows from
 * momentum and from springs and masses in a row: active craft, legs, ring, seats and latches, passive craft. */
#include "paper_1.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of docking.json; masses are those of table 1. */
static const double ACTIVE = 7900.0, PASSIVE = 8600.0, RING = 47.5, LEG = 0.21, LATCH = 0.063; /* [kg] */
static const double SPEED = 0.040;                                                             /* [m/s] */
static const double LEG_STIFFNESS = 1.5e7, SEAT_STIFFNESS = 3.0e6, LATCH_STIFFNESS = 2.0e6;    /* [N/m] */
static const double LEG_DAMPING = 6e3;                                                         /* [N s/m] */
static const double SLOPE = 0.06;            /* of the locking faces */
static const double LATCH_DIAGONAL = 0.1140; /* [m] of the box 83 x 60 x 51 mm */
enum { LEGS = 6, SEATS = 3, LATCHES = 3 };

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* The common velocity by momentum. */
static double common_velocity(void)
{
    return -PASSIVE * SPEED / (PASSIVE + ACTIVE + RING + LEGS * LEG + LATCHES * LATCH);
}

/* The square of the cosine between a leg and the docking axis, from the radii and angles of its ends. */
static double leg_share(void)
{
    const double pi = 3.14159265358979323846;
    const double base = 0.60, radius = 0.543, length = 0.518, half = pi / 18;
    double dy = radius * cos(half) - base * cos(pi / 3 - half);
    double dz = radius * sin(half) - base * sin(pi / 3 - half);
    return 1.0 - (dy * dy + dz * dz) / (length * length);
}

static double legs_stiffness(void)
{
    return LEGS * LEG_STIFFNESS * leg_share();
}

/* Seats and latches side by side: what holds the rings together once the latches are wedged in. */
static double joint_stiffness(double latch_points)
{
    return SEATS * SEAT_STIFFNESS + latch_points * LATCH_STIFFNESS / (1.0 + SLOPE * SLOPE);
}

static double active_mass(void)
{
    return ACTIVE + 0.5 * LEGS * LEG;
}

static double ring_mass(void)
{
    return RING + 0.5 * LEGS * LEG + LATCHES * LATCH;
}

/* [Hz] of the lower of the two vibrations of three masses in a row. */
static double row_frequency(double k_legs, double k_joint)
{
    double a = active_mass();
    double r = ring_mass();
    double b = k_legs / a + (k_legs + k_joint) / r + k_joint / PASSIVE;
    double c = k_legs * k_joint * (a + r + PASSIVE) / (a * r * PASSIVE);
    return sqrt(0.5 * (b - sqrt(b * b - 4.0 * c))) / (2.0 * 3.14159265358979323846);
}

static double reduced_mass(void)
{
    double passive = PASSIVE + ring_mass();
    return active_mass() * passive / (active_mass() + passive);
}

/* [1/s] of the amplitude, by the dampers of the legs, which see their share of the whole deflection. */
static double decay_rate(double k_legs, double k_joint)
{
    double share = k_joint / (k_legs + k_joint);
    return LEGS * LEG_DAMPING * leg_share() * share * share / (2.0 * reduced_mass());
}

/* [m] by which crafts that meet with a relative speed press `points` seats in, before the latches hold. */
static double seat_depth(double speed, double points)
{
    double seats = points * SEAT_STIFFNESS;
    double both = legs_stiffness() * seats / (legs_stiffness() + seats);
    return speed * sqrt(both * reduced_mass()) / seats;
}

/* ---- what a run shows --------------------------------------------------------------------------------------------- */

typedef struct docking {
    size_t n;
    const double *t;
    const double *v_active, *v_passive;
    double *distance; /* of the seats from the passive ring */
    double *class_1, *class_2;
    double share; /* of class I among all points of all frames */
} docking;

static void docking_free(docking *d)
{
    free(d->distance);
    free(d->class_1);
    free(d->class_2);
}

/* Contact points by penetration: class I below 0.5 % of the latch's diagonal, class II the others. */
static carom_status classify(docking *d, const carom_result *result, carom_error *err)
{
    double all = 0.0, shallow = 0.0;
    for (size_t i = 0; i < d->n; ++i) {
        const carom_contact_point *points = NULL;
        carom_status status = carom_result_contacts(result, i, &points, err);
        if (status != CAROM_OK) {
            return status;
        }
        for (size_t k = 0; k < carom_result_contact_count(result, i); ++k) {
            *(-points[k].gap < 0.005 * LATCH_DIAGONAL ? &d->class_1[i] : &d->class_2[i]) += 1.0;
        }
        shallow += d->class_1[i];
        all += d->class_1[i] + d->class_2[i];
    }
    d->share = all > 0.0 ? shallow / all : 0.0;
    return CAROM_OK;
}

static int docking_read(docking *d, const carom_result *result)
{
    const double *ring = paper_signal(result, "active ring.position.x");
    const double *passive = paper_signal(result, "passive craft.position.x");
    *d = (docking){ .n = carom_result_frame_count(result), .t = carom_result_time(result) };
    d->v_active = paper_signal(result, "active craft.velocity.x");
    d->v_passive = paper_signal(result, "passive craft.velocity.x");
    d->distance = allocate(d->n, sizeof *d->distance);
    d->class_1 = allocate(d->n, sizeof *d->class_1);
    d->class_2 = allocate(d->n, sizeof *d->class_2);
    if (!ring || !passive || !d->v_active || !d->v_passive) {
        return EXIT_GAVE_UP;
    }
    for (size_t i = 0; i < d->n; ++i) {
        d->distance[i] = passive[i] - (ring[i] + 0.021); /* the ring's frame is in its middle */
        d->class_1[i] = d->class_2[i] = 0.0;
    }
    carom_error err = { 0 };
    if (classify(d, result, &err) != CAROM_OK) {
        complain("%s", err.message);
        return EXIT_GAVE_UP;
    }
    return EXIT_DONE;
}

/* The frame in which the rings first meet; the number of frames when they do not. */
static size_t capture_frame(const docking *d)
{
    size_t i = 0;
    while (i < d->n && d->distance[i] > 0.0) {
        ++i;
    }
    return i;
}

static size_t frame_at(const docking *d, double t)
{
    size_t i = 0;
    while (i < d->n && d->t[i] < t) {
        ++i;
    }
    return i;
}

static double mean_after(const docking *d, const double *y, double from)
{
    double sum = 0.0;
    size_t first = frame_at(d, from);
    for (size_t i = first; i < d->n; ++i) {
        sum += y[i];
    }
    return first < d->n ? sum / (double)(d->n - first) : (double)NAN;
}

/* How far the two crafts still are from the common velocity. */
static double unrest_after(const docking *d, double from)
{
    double worst = 0.0;
    for (size_t i = frame_at(d, from); i < d->n; ++i) {
        worst = paper_worse(worst, d->v_active[i], common_velocity());
        worst = paper_worse(worst, d->v_passive[i], common_velocity());
    }
    return worst;
}

/* ---- a vibration that dies out --------------------------------------------------------------------------------------- */

/* exp(-decay t) (a cos(omega t) + b sin(omega t)) + level, fitted to a curve by least squares. */
enum { FIT_A, FIT_B, FIT_LEVEL, FIT_OMEGA, FIT_DECAY, FIT_COUNT };
typedef struct vibration {
    double p[FIT_COUNT];
    double left; /* root mean square of what the fit leaves / of the vibration */
} vibration;

/* Value and derivatives by the five parameters. */
static double vibration_at(const double *p, double t, double *by)
{
    double e = exp(-p[FIT_DECAY] * t);
    double c = e * cos(p[FIT_OMEGA] * t);
    double s = e * sin(p[FIT_OMEGA] * t);
    double wave = p[FIT_A] * c + p[FIT_B] * s;
    by[FIT_A] = c;
    by[FIT_B] = s;
    by[FIT_LEVEL] = 1.0;
    by[FIT_OMEGA] = t * (p[FIT_B] * c - p[FIT_A] * s);
    by[FIT_DECAY] = -t * wave;
    return wave + p[FIT_LEVEL];
}

/* Solves the symmetric system in place by elimination; it is positive definite. */
static void solve_normal(double a[FIT_COUNT][FIT_COUNT], double *x)
{
    for (int k = 0; k < FIT_COUNT; ++k) {
        for (int i = k + 1; i < FIT_COUNT; ++i) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < FIT_COUNT; ++j) {
                a[i][j] -= f * a[k][j];
            }
            x[i] -= f * x[k];
        }
    }
    for (int k = FIT_COUNT - 1; k >= 0; --k) {
        for (int j = k + 1; j < FIT_COUNT; ++j) {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
}

/* One step of Gauss and Newton; answers the share that the fit left before it. */
static double improve(vibration *v, const docking *d, size_t first, size_t last)
{
    double normal[FIT_COUNT][FIT_COUNT] = { { 0.0 } };
    double step[FIT_COUNT] = { 0.0 };
    double left = 0.0, wave = 0.0;
    for (size_t i = first; i < last; ++i) {
        double by[FIT_COUNT];
        double fit = vibration_at(v->p, d->t[i] - d->t[first], by);
        double off = d->v_passive[i] - d->v_active[i] - fit;
        left += off * off;
        wave += (fit - v->p[FIT_LEVEL]) * (fit - v->p[FIT_LEVEL]);
        for (int k = 0; k < FIT_COUNT; ++k) {
            step[k] += by[k] * off;
            for (int j = 0; j < FIT_COUNT; ++j) {
                normal[k][j] += by[k] * by[j];
            }
        }
    }
    solve_normal(normal, step);
    for (int k = 0; k < FIT_COUNT; ++k) {
        v->p[k] += step[k];
    }
    return sqrt(left / wave);
}

/* The relative velocity of the crafts from one instant to another, beginning with the closed form. */
static vibration fit_vibration(const docking *d, double from, double to, double hertz, double decay)
{
    vibration v = { .p = {
                        [FIT_B] = 0.015, [FIT_OMEGA] = 2.0 * 3.14159265358979323846 * hertz, [FIT_DECAY] = decay } };
    size_t first = frame_at(d, from);
    size_t last = frame_at(d, to);
    double phase[2] = { 0.0, 0.0 };
    for (size_t i = first; i < last; ++i) { /* a and b alone first: a phase far off would lead the rest astray */
        double by[FIT_COUNT];
        vibration_at(v.p, d->t[i] - d->t[first], by);
        phase[0] += by[FIT_A] * (d->v_passive[i] - d->v_active[i]);
        phase[1] += by[FIT_B] * (d->v_passive[i] - d->v_active[i]);
    }
    double length = hypot(phase[0], phase[1]);
    v.p[FIT_A] = 0.015 * phase[0] / length;
    v.p[FIT_B] = 0.015 * phase[1] / length;
    for (int k = 0; k < 8; ++k) {
        v.left = improve(&v, d, first, last);
    }
    return v;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------------ */

typedef struct docking_run {
    double hertz, decay, left; /* of the vibration; left is what is no sine */
    double depth;              /* [m] of the seats */
} docking_run;

static double latch_points(const docking *d, double t)
{
    size_t i = frame_at(d, t);
    return i < d->n ? d->class_1[i] + d->class_2[i] - SEATS : (double)NAN;
}

static docking_run docking_numbers(const docking *d, const carom_run_report *how)
{
    double joint = joint_stiffness(latch_points(d, 4.0));
    double start = row_frequency(legs_stiffness(), joint);
    vibration v = fit_vibration(d, 2.6, 4.6, start, decay_rate(legs_stiffness(), joint));
    return (docking_run){ fabs(v.p[FIT_OMEGA]) / (2.0 * 3.14159265358979323846), v.p[FIT_DECAY], v.left,
                          how->penetration_max };
}

/* Rings that stay together: figure 12. */
static void compare_rings(paper_report *r, const docking *d, const docking_run *x)
{
    size_t capture = capture_frame(d);
    bool captured = capture > 0 && capture < d->n;
    double meeting = captured ? d->v_active[capture - 1] - d->v_passive[capture - 1] : (double)NAN;
    double widest = captured ? -HUGE_VAL : (double)NAN;
    for (size_t i = capture; i < d->n; ++i) {
        widest = fmax(widest, d->distance[i]);
    }
    paper_row(r, "capture [s]", captured ? d->t[capture] : (double)NAN, 2.5, 0.1, "figure 12: near 2.5");
    paper_row(r, "rings open after it [mm]", 1e3 * fmax(widest, 0.0), 0.0, 0.0, "figure 12: about 0");
    paper_row(r, "deepest seat [mm]", 1e3 * x->depth, 1e3 * seat_depth(meeting, SEATS),
              0.03 * 1e3 * seat_depth(meeting, SEATS), "masses, legs, seats; 3 %");
}

/* Velocities that are sines and settle: figure 13. */
static void compare_velocities(paper_report *r, const docking *d, const docking_run *x)
{
    double end = d->t[d->n - 1];
    double common = 1e3 * common_velocity();
    double joint = joint_stiffness(latch_points(d, 4.0));
    double hertz = row_frequency(legs_stiffness(), joint);
    double decay = decay_rate(legs_stiffness(), joint);
    paper_row(r, "vibration [Hz]", x->hertz, hertz, 0.005 * hertz, "masses in a row; 0.5 %");
    paper_row(r, "not a sine [%]", 100.0 * x->left, 0.0, 5.0, "figure 13: sinusoidal");
    paper_row(r, "dies out by [1/s]", x->decay, decay, 0.05 * decay, "dampers of the legs; 5 %");
    paper_row(r, "active craft [mm/s]", 1e3 * mean_after(d, d->v_active, end - 2.0), common, 0.05, "momentum");
    paper_row(r, "passive craft [mm/s]", 1e3 * mean_after(d, d->v_passive, end - 2.0), common, 0.05, "momentum");
    paper_row(r, "both, and the paper [mm/s]",
              500.0 * (mean_after(d, d->v_active, end - 2.0) + mean_after(d, d->v_passive, end - 2.0)), -20.5, 0.5,
              "read off figure 13");
    paper_row(r, "unrest, last second [mm/s]", 1e3 * unrest_after(d, end - 1.0), 0.0, 0.01 * fabs(common),
              "figure 13: settles; 1 %");
}

/* Classes of points: figure 14. */
static void compare_classes(paper_report *r, const docking *d, const carom_run_report *how)
{
    double deep = 0.0;
    for (size_t i = 0; i < d->n; ++i) {
        deep = fmax(deep, d->class_2[i]);
    }
    paper_row(r, "class I points [%]", 100.0 * d->share, 85.0, 15.0, "figure 14: over 70");
    paper_row(r, "class II at once, most", deep, SEATS, 0.0, "present; here the seats");
    paper_row(r, "deepest / latch [%]", 100.0 * how->penetration_max / LATCH_DIAGONAL, 0.0, 2.0,
              "class II begins at 0.5");
    paper_fact(r, "contact points", (double)how->contacts_max, "most at once");
    paper_fact(r, "latch points", latch_points(d, 4.0), "that hold, at 4 s");
}

static void explain_docking(paper_report *r)
{
    char text[400];
    snprintf(
        text, sizeof text,
        "Class II: crafts that meet with 40 mm/s press N points of 3e6 N/m in by v sqrt(K m) / (N k), %.2f mm for "
        "N = 3, %.2f for 4, %.2f for 5; class II begins at 0.57 mm. So at most four points of the paper's rings "
        "carried; here there are three seats.",
        1e3 * seat_depth(SPEED, 3), 1e3 * seat_depth(SPEED, 4), 1e3 * seat_depth(SPEED, 5));
    paper_note(r, text);
    paper_note(r,
               "-20.79 mm/s follows from the masses of table 1 and 40 mm/s; the paper's -20.5 is read off a figure. "
               "The two crafts still part by 0.03 mm/s: the paper's friction creeps, and lets the wedges slide back "
               "slowly.");
    paper_note(r,
               "Not a sine: what a fitted a exp(-c t) sin(w t + p) leaves of the relative velocity from 2.6 to 4.6 "
               "s, root mean square. A square wave leaves 44 %.");
}

static void docking_rows(paper_report *r, const docking *d, const carom_run_report *how)
{
    docking_run x = docking_numbers(d, how);
    compare_rings(r, d, &x);
    compare_velocities(r, d, &x);
    compare_classes(r, d, how);
    paper_row(r, "energy error [%]", 100.0 * how->energy_error_max / 6.88, 0.0, 0.5, "the ledger closes");
    paper_fact(r, "wall time [s]", how->wall, "8 s simulated");
    explain_docking(r);
}

/* ---- figures ------------------------------------------------------------------------------------------------------------ */

static int docking_figures(paper_report *r, const docking *d)
{
    carom_series distance[] = { { .x = d->t, .y = d->distance, .count = d->n } };
    carom_series velocity[] = {
        { .x = d->t, .y = d->v_active, .count = d->n, .label = "active craft" },
        { .x = d->t, .y = d->v_passive, .count = d->n, .label = "passive craft", .line = CAROM_LINE_DASHED },
    };
    carom_series classes[] = {
        { .x = d->t, .y = d->class_1, .count = d->n, .label = "I: below 0.5 % of the latch" },
        { .x = d->t, .y = d->class_2, .count = d->n, .label = "II: above" },
    };
    carom_mark common = { .horizontal = true, .at = common_velocity(), .text = "-20.79 mm/s" };
    carom_inset after = { .x_min = 2.4, .x_max = 6.0, .y_min = -1.0e-3, .y_max = 0.5e-3 };
    carom_inset waves = { .x_min = 2.45, .x_max = 3.05, .y_min = -0.033, .y_max = -0.009 };
    carom_figure figures[] = {
        { .title = "Distance of the rings",
          .y = { .label = "distance", .unit = "m" },
          .series = distance,
          .series_count = 1,
          .insets = &after,
          .inset_count = 1 },
        { .title = "Velocities of the crafts",
          .y = { .label = "velocity", .unit = "m/s" },
          .series = velocity,
          .series_count = 2,
          .marks = &common,
          .mark_count = 1,
          .insets = &waves,
          .inset_count = 1 },
        { .title = "Contact points by penetration",
          .y = { .label = "points" },
          .series = classes,
          .series_count = 2 },
    };
    static const char *const names[] = { "figure-12", "figure-13", "figure-14" };
    int code = EXIT_DONE;
    for (int k = 0; k < 3 && code == EXIT_DONE; ++k) {
        figures[k].x = (carom_axis){ .label = "time", .unit = "s" };
        figures[k].style = CAROM_PLOT_PAPER;
        code = paper_figure(r, names[k], &figures[k]);
    }
    static const char *const titles[] = { "t [s]",         "distance [m]", "active [m/s]",
                                          "passive [m/s]", "class I",      "class II" };
    const double *const columns[] = { d->t, d->distance, d->v_active, d->v_passive, d->class_1, d->class_2 };
    return code == EXIT_DONE ? paper_csv(r, "docking", titles, columns, 6, d->n) : code;
}

/* ---- runs --------------------------------------------------------------------------------------------------------------- */

/* Runs the scene with overrides and tells what it gave. */
static int docking_with(paper_report *r, const char *name, const char *const *overrides, size_t count,
                        int (*tell)(paper_report *, const docking *, const carom_run_report *))
{
    carom_result *result = NULL;
    carom_run_report how = { 0 };
    docking d = { 0 };
    int code = paper_run(r, "docking.json", name, overrides, count, &result, &how);
    code = code == EXIT_DONE ? docking_read(&d, result) : code;
    code = code == EXIT_DONE ? tell(r, &d, &how) : code;
    docking_free(&d);
    carom_result_close(result);
    return code;
}

static int tell_aligned(paper_report *r, const docking *d, const carom_run_report *how)
{
    docking_rows(r, d, how);
    return docking_figures(r, d);
}

/* With a tenth of the tolerance nothing that is compared moves by more than its own tolerance. */
static int tell_finer(paper_report *r, const docking *d, const carom_run_report *how)
{
    docking_run x = docking_numbers(d, how);
    double hertz = row_frequency(legs_stiffness(), joint_stiffness(latch_points(d, 4.0)));
    paper_row(r, "finer steps: vibration [Hz]", x.hertz, hertz, 0.005 * hertz, "tolerance / 10");
    paper_row(r, "finer steps: not a sine [%]", 100.0 * x.left, 0.0, 5.0, "tolerance / 10");
    paper_fact(r, "finer steps: deepest [mm]", 1e3 * x.depth, "tolerance / 10");
    return EXIT_DONE;
}

/* Not in the paper: 2 degrees, 20 mm and a little roll; whether the latches hold or not, the answer must be physical. */
static int tell_misaligned(paper_report *r, const docking *d, const carom_run_report *how)
{
    double gap = d->distance[d->n - 1];
    paper_fact(r, "misaligned: gap [m]", gap, gap < 0.01 ? "captured" : "bounced off");
    paper_row(r, "misaligned: energy [%]", 100.0 * how->energy_error_max / 6.88, 0.0, 0.5, "the ledger closes");
    paper_row(r, "misaligned: depth [%]", 100.0 * how->penetration_max / LATCH_DIAGONAL, 0.0, 2.0,
              "no latch through a catch");
    return EXIT_DONE;
}

int docking_item(paper_report *r)
{
    static const char *const finer[] = { "time.tolerance=1e-6", "time.end=5" };
    static const char *const misaligned[] = { "variables.tilt=pi/90", "variables.offset=0.020", "variables.roll=0.01",
                                              "variables.gap=0.12" };
    int code = docking_with(r, "docking", NULL, 0, tell_aligned);
    if (code == EXIT_DONE && !paper_is_quick(r)) {
        code = docking_with(r, "docking-finer", finer, 2, tell_finer);
    }
    return code == EXIT_DONE ? docking_with(r, "docking-misaligned", misaligned, 4, tell_misaligned) : code;
}
