/* The ledger of a result in tables: what energy and momentum did, what the numerics did to them, and what it took. */
#include "info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "printable.h"
#include "signals.h"
#include "sparkline.h"
#include "table.h"

double largest_of(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t k = 0; values && k < count; ++k) {
        largest = fmax(largest, fabs(values[k]));
    }
    return largest;
}

/* Of the ledger: a body may be called "energy", too, but has nothing in this unit. What numerics did is not among them. */
static bool is_of(const info *i, size_t signal, const char *start, const char *unit)
{
    const char *name = carom_result_signal_name(i->result, signal);
    return strncmp(name, start, strlen(start)) == 0 && !strstr(name, ".residue") &&
           strcmp(carom_result_signal_unit(i->result, signal), unit) == 0;
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* A signal: its first, last and largest value. */
static void add_row(table *t, const info *i, size_t signal, const double *values, double noise)
{
    double ends[2] = { values[0], values[i->frames - 1] };
    table_cell(t, "%s", carom_result_signal_name(i->result, signal));
    for (int k = 0; k < 2; ++k) {
        table_number(t, fabs(ends[k]) > noise ? ends[k] : 0.0, 6);
    }
    table_number(t, largest_of(values, i->frames), 4);
    table_cell(t, "%s", carom_result_signal_unit(i->result, signal));
}

/* A signal unless it is nothing but zeros, or noise. */
static void add_signal(table *t, const info *i, size_t signal, double noise)
{
    const double *values = signal_values(i->result, signal);
    if (values && largest_of(values, i->frames) > noise) {
        add_row(t, i, signal, values, noise);
    }
}

/* All signals of the ledger that begin like this. */
static void add_rows(table *t, const info *i, const char *start, const char *unit, double noise)
{
    for (size_t k = 0; k < carom_result_signal_count(i->result); ++k) {
        if (is_of(i, k, start, unit)) {
            add_signal(t, i, k, noise);
        }
    }
}

static double largest_signal(const info *i, const char *start, const char *unit)
{
    double largest = 0.0;
    for (size_t k = 0; k < carom_result_signal_count(i->result); ++k) {
        if (is_of(i, k, start, unit)) {
            largest = fmax(largest, largest_of(signal_values(i->result, k), i->frames));
        }
    }
    return largest;
}

static const char *const ledger_titles[] = { "", "start", "end", "largest", "unit" };

static void print_rows(table *t, const char *nothing)
{
    if (t->cell_count > 0) {
        table_print(t);
    } else {
        print_line("  %s", nothing);
    }
}

/* ---- energy ------------------------------------------------------------------------------------------------------- */

/* What numerics alone made or lost, at worst: of all steps when the run has said so, else of the frames. */
static double worst_residue(const info *i)
{
    double told = info_number(i, "energy.worst_balance_error");
    double seen = largest_of(info_signal(i, "energy.residue"), i->frames);
    return told > seen || isnan(seen) ? told : seen;
}

/* Scenes at rest have hardly any kinetic energy to compare with: rather what the run says has changed its form. */
static double energy_scale(const info *i, double kinetic)
{
    double told = info_number(i, "energy.turned_over");
    return told > kinetic ? told : kinetic;
}

static void judge_energy(const info *i)
{
    double kinetic = largest_of(info_signal(i, "energy.kinetic"), i->frames);
    double scale = energy_scale(i, kinetic);
    double residue = worst_residue(i);
    double part = residue / scale;
    char amount[160];
    if (!(kinetic > 1e-15 * scale)) {
        print_wrapped(4, "Nothing moves in any frame; numerics made or lost %.2g J.", residue);
        return;
    }
    snprintf(amount, sizeof amount, "numerics made or lost %.2g J at worst, %.2g of the %s", residue, part,
             scale > kinetic ? "energy that changed its form" : "largest kinetic energy");
    if (part <= 1e-9) {
        print_coloured(VERDICT_GOOD, "Balanced to rounding: %s.", amount);
    } else if (part <= 1e-4) {
        print_coloured(VERDICT_GOOD, "Well balanced: %s.", amount);
    } else if (part <= 1e-2) {
        print_coloured(VERDICT_GOOD, "Balanced: %s; a smaller tolerance makes it less.", amount);
    } else if (part <= 0.1) {
        print_coloured(VERDICT_DOUBTFUL, "Take care: %s; shorter steps or a smaller tolerance make it less.", amount);
    } else {
        print_coloured(VERDICT_BAD, "Do not trust this run: %s. Take shorter steps or a smaller tolerance.", amount);
    }
}

void info_print_energy(const info *i)
{
    table t;
    print_heading("Energy");
    table_init(&t, 5, ledger_titles, "lrrrl");
    double noise = 1e-15 * largest_signal(i, "energy.", "J");
    for (int k = 0; k < 4; ++k) { /* in this order, whatever was recorded */
        static const char *const kinds[] = { "energy.kinetic", "energy.potential", "energy.elastic", "energy.total" };
        size_t signal = info_find(i, kinds[k]);
        if (signal < carom_result_signal_count(i->result)) {
            add_signal(&t, i, signal, noise);
        }
    }
    add_rows(&t, i, "work.", "J", noise);
    add_rows(&t, i, "lost.", "J", noise);
    const double *residue = info_signal(i, "energy.residue");
    if (residue && t.cell_count > 0) {
        table_cell(&t, "energy.residue");
        table_number(&t, residue[0], 3);
        table_number(&t, residue[i->frames - 1], 3);
        table_number(&t, worst_residue(i), 3);
        table_cell(&t, "J");
    }
    print_rows(&t, "none in any frame");
    judge_energy(i);
}

/* ---- momentum ----------------------------------------------------------------------------------------------------- */

/* What is not due to forces from outside, against the largest momentum where that is more than drift. */
static void print_drift(const char *what, double drift, const char *unit, double largest)
{
    if (isfinite(drift) && drift < 0.5 * largest) {
        print_wrapped(4, "%s drifted by %.2g %s at worst, %.2g of the largest.", what, drift, unit, drift / largest);
    } else if (isfinite(drift)) {
        print_wrapped(4, "%s drifted by %.2g %s at worst.", what, drift, unit);
    }
}

/* Largest coordinate of a body at the end: the arm at which momentum counts. */
static double extent_of(const info *i)
{
    double extent = 0.0;
    for (carom_id k = 1; k < (carom_id)carom_result_body_count(i->result); ++k) {
        carom_motion m;
        carom_error err = { 0 };
        require_ok(carom_result_motion(i->result, k, i->frames - 1, &m, &err), &err);
        carom_v3 p = m.pose.position;
        extent = fmax(extent, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
    return extent;
}

void info_print_momentum(const info *i)
{
    const double rounding = 1e-12;
    double linear = largest_signal(i, "momentum.", "kg*m/s");
    double angular = largest_signal(i, "angular_momentum.", "kg*m^2/s");
    double drift = info_number(i, "momentum.worst_drift"); /* rows below it show nothing else */
    double turn = info_number(i, "momentum.angular.worst_drift");
    table t;
    print_heading("Momentum");
    table_init(&t, 5, ledger_titles, "lrrrl");
    add_rows(&t, i, "momentum.", "kg*m/s", fmax(drift, rounding * linear));
    add_rows(&t, i, "angular_momentum.", "kg*m^2/s", fmax(turn, rounding * fmax(angular, linear * extent_of(i))));
    print_rows(&t, "none but for rounding");
    print_drift("Momentum", drift, "kg m/s", linear);
    print_drift("Angular momentum", turn, "kg m^2/s", angular);
}

/* ---- errors ------------------------------------------------------------------------------------------------------- */

static void add_limit(table *t, const char *name, double worst, const char *unit)
{
    if (isfinite(worst)) {
        table_cell(t, "%s", name);
        table_number(t, worst, 3);
        table_cell(t, "%s", unit);
    }
}

/* The summary knows every step; a run that has not ended has its frames only. */
static double worst_constraint(const info *i, const char *path, const char *signal)
{
    double told = info_number(i, path);
    const double *values = info_signal(i, signal);
    return isnan(told) && values ? largest_of(values, i->frames) : told;
}

void info_print_errors(const info *i)
{
    static const char *const titles[] = { "", "worst", "unit" };
    double depth = info_number(i, "penetration_max");
    double gap = info_number(i, "distance_min");
    double points = info_number(i, "contacts_max");
    double position = worst_constraint(i, "constraint_error_max.position", "constraint.position");
    double velocity = worst_constraint(i, "constraint_error_max.velocity", "constraint.velocity");
    table t;
    print_heading("Joints and contact");
    table_init(&t, 3, titles, "lrl");
    add_limit(&t, "constraint.position", position, "m or rad");
    add_limit(&t, "constraint.velocity", velocity, "m/s or rad/s");
    if (carom_result_has_contacts(i->result)) {
        add_limit(&t, "deepest penetration", depth, "m");
        add_limit(&t, "smallest distance", gap > 0.0 ? gap : (double)NAN, "m");
        if (isfinite(points)) {
            table_cell(&t, "most contact points");
            table_cell(&t, "%.0f", points);
            table_cell(&t, "%s", "");
        }
        double switches = info_number(i, "contact_switches");
        if (switches > 0.0) {
            table_cell(&t, "contact switches");
            table_cell(&t, "%.0f", switches);
            table_cell(&t, "%s", "");
        }
    }
    print_rows(&t, "neither was looked at");
}

/* ---- what it took ------------------------------------------------------------------------------------------------- */

/* Between the smallest and the largest step that reached a frame. */
static void print_step_range(const info *i, double mean)
{
    const double *step = info_signal(i, "solver.step");
    double low = (double)NAN;
    double high = (double)NAN;
    for (size_t k = 1; step && k < i->frames; ++k) { /* none has reached the first */
        low = fmin(low, step[k]);
        high = fmax(high, step[k]);
    }
    if (isfinite(mean) && isfinite(low)) {
        print_wrapped(15, "step size    %.4g s on average; %.3g to %.3g s where frames were taken", mean, low, high);
    } else if (isfinite(low)) {
        print_wrapped(15, "step size    %.3g to %.3g s where frames were taken", low, high);
    }
}

void info_print_solver(const info *i)
{
    double steps = info_number(i, "steps");
    double rejected = info_number(i, "rejected");
    double evaluations = info_number(i, "evaluations");
    const double *taken = info_signal(i, "solver.steps");
    print_heading("Solver");
    if (isnan(steps) && taken && i->frames > 0) {
        steps = taken[i->frames - 1];
    }
    if (isfinite(steps)) {
        print_line("  steps        %.0f", steps);
    }
    if (isfinite(rejected)) {
        print_line("  rejected     %.0f%s", rejected, rejected > 0.0 ? " more" : "");
    }
    if (isfinite(evaluations)) {
        print_line("  evaluations  %.0f, %.3g per step", evaluations, steps > 0.0 ? evaluations / steps : 0.0);
    }
    double reached = i->frames > 0 ? i->time[i->frames - 1] - i->time[0] : 0.0;
    print_step_range(i, steps > 0.0 ? reached / steps : (double)NAN);
}

static void add_phase(table *t, const char *name, double seconds, double whole)
{
    enum { CELLS = 24 };
    char bar[3 * CELLS + 8];
    bar_of(bar, sizeof bar, seconds / whole, CELLS, is_utf8_locale());
    char *words = copy_text(name);
    for (char *c = strchr(words, '_'); c; c = strchr(c, '_')) {
        *c = ' ';
    }
    table_cell(t, "%s", words);
    table_cell(t, "%.3g", seconds);
    table_cell(t, "%.1f", 100.0 * seconds / whole);
    table_cell(t, "%s", bar);
    free(words);
}

void info_print_phases(const info *i)
{
    static const char *const titles[] = { "phase", "wall time [s]", "%", "" };
    double whole = info_number(i, "wall_s");
    double rest = whole;
    table t;
    if (!(whole > 0.0)) {
        return;
    }
    print_heading("Wall time: %.3g s", whole);
    table_init(&t, 4, titles, "lrrl");
    for (size_t k = 0; k < carom_summary_size(i->summary, "phases"); ++k) {
        const char *name = carom_summary_name(i->summary, "phases", k);
        char *path = format_text("phases.%s", name);
        double seconds = info_number(i, path);
        if (seconds > 0.0) {
            add_phase(&t, name, seconds, whole);
            rest -= seconds;
        }
        free(path);
    }
    add_phase(&t, "rest", fmax(rest, 0.0), whole);
    table_print(&t);
}
