/* Energy sharing in steps [Liu2008]: every contact pushes with F = k d^eta, d' = -vn while it approaches, -vn/e^2 while it
 * parts. A small step is half a drift of the depths, a kick by the normals with their friction (rub.h), half a drift; steps
 * of h, h/2, h/3, ... are extrapolated [Hairer1993, II.9]. Where everything that has friction holds or slips
 * fast the small step is symmetric, and only even powers of h are in its error; slip that is about to stop or has just begun
 * is stiff, is taken backwards (Euler) and brings in the odd ones.
 *
 * Within a step nobody changes from loading to giving back or the like (steps_phase.c cuts there). Where a slip stops or
 * begins the order is lost: that is not located, but such steps, a few in an impact, may have larger errors.
 *
 * Scales are those of the fastest approach, not of the fastest slip, which may be a million times that. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/steps_parts.h"

enum { COLUMNS = FLOW_TABLE, SMALL = 32 };

static const double ERROR = 3e-12;       /* of velocities and depths in a step, relative */
static const double RUB_ERROR = 4e-10;   /* likewise, with friction, which is known to a hundredth of that */
static const double CHANGE_ERROR = 1e-6; /* where a slip stops or begins */
static const double WORST_ERROR = 1e-5;  /* when these would take too long */
static const double SLIGHT = 5e-11;      /* errors of any velocity, relative to the fastest, do not count */
static const double WORK = 1e5;          /* allowed, as rub_effort counts it */
static const double STORED = 1e-8;       /* velocities that the energy left could make, relative, are none */
static const double APPROACH = 2e-10;    /* likewise, of approach */
static const double MOST_LEFT = 1e-3;    /* when there is no end to it */
static const double LESS = 100.0;        /* times the tolerance that was begun with: less accuracy than asked for */
static const double NOTHING = 1e-10;     /* changes below, per typical duration, are none */

/* ---- one step -------------------------------------------------------------------------------------------------------------- */

/* Aitken and Neville: the new line of the table, of line + 1 small steps, takes the place of the old; returns its error. */
static double extrapolate(const flow *f, int line, double *table)
{
    size_t size = (size_t)f->size;
    size_t rows = (size_t)f->p.row_count;
    double worst = 0.0;
    double divisor[COLUMNS];
    for (int column = 1; column <= line; ++column) {
        double ratio = (double)(line + 1) / (double)(line + 1 - column);
        divisor[column] = (f->even ? ratio * ratio : ratio) - 1.0;
    }
    for (size_t k = 0; k < size; ++k) {
        double value = table[(size_t)line * size + k];
        double difference = 0.0;
        for (int column = 1; column <= line; ++column) {
            double before = table[(size_t)(column - 1) * size + k];
            table[(size_t)(column - 1) * size + k] = value; /* of this line, for the next */
            difference = (value - before) / divisor[column];
            value += difference;
        }
        table[(size_t)line * size + k] = value;
        if (k >= rows && k < 2 * rows + (size_t)f->p.contact_count) {
            worst = fmax(worst, fabs(difference) / (k < 2 * rows ? f->scale : f->depth));
        }
    }
    return worst;
}

static bool line_is_finite(const flow *f, const double *y)
{
    for (int k = 0; k < f->size; ++k) {
        if (!isfinite(y[k])) {
            return false;
        }
    }
    return true;
}

/* As many more lines as there may be would not bring the error down, each by as much as the last or a hundred times. */
static bool hopeless(double error, double last, int more)
{
    double ratio = last < HUGE_VAL ? fmin(1e-2, error / last) : 1e-2;
    return !(error * pow(ratio, more) < 10.0);
}

static double slip_of(const flow *f, double *y, const friction_element *el)
{
    double sum = 0.0;
    for (int row = el->first_row; row < el->first_row + el->dim; ++row) {
        sum += flow_speed(f, y)[row] * flow_speed(f, y)[row];
    }
    return sqrt(sum);
}

static bool idle(const flow *f, const friction_element *el)
{
    return el->contact >= 0 && f->w->phase[el->contact] == FLOW_OFF;
}

/* The length of a step in which a slip changes by no more than a part of itself, by its own friction and as in the last one. */
static double fast_for(const flow *f, int e, double h)
{
    const double part = 0.6;
    const friction_element *el = &f->p.elements[e];
    double change = 0.0;
    double stiff = 0.0;
    for (int row = el->first_row; row < el->first_row + el->dim; ++row) {
        change += fabs(f->w->slip_rate[row]);
        stiff += f->p.D[(size_t)row * (size_t)f->p.row_count + (size_t)row];
    }
    double own = el->contact >= 0 ? stiff * el->mu * steps_push_ahead(f, el->contact, h) : HUGE_VAL;
    return part * slip_of(f, f->w->y, el) / (change + own);
}

static bool rests(const flow *f, double *y, int e)
{
    return slip_of(f, y, &f->p.elements[e]) <= STEPS_STILL * f->scale;
}

/* The step is made shorter if it is symmetric then, which is worth it. */
static double fit_to_slips(const flow *f, double h)
{
    const double worth = 0.35;
    double longest = h;
    for (int e = 0; e < f->p.element_count; ++e) {
        if (!idle(f, &f->p.elements[e]) && !rests(f, f->w->y, e)) {
            longest = fmin(longest, fast_for(f, e, h));
        }
    }
    return longest > worth * h ? longest : h;
}

static void find_fast(flow *f, double h)
{
    f->even = true;
    for (int e = 0; e < f->p.element_count; ++e) {
        bool fast = !idle(f, &f->p.elements[e]) && h <= 1.01 * fast_for(f, e, h);
        rub_expect(f->w->rub, e, fast);
        f->even = f->even && (fast || rests(f, f->w->y, e) || idle(f, &f->p.elements[e]));
    }
}

static void leave_trail(flow *f, double *z, int i)
{
    size_t contacts = (size_t)f->p.contact_count;
    double *at = f->w->trail + 2 * (size_t)i * contacts;
    memcpy(at, flow_speed(f, z), contacts * sizeof(double));
    memcpy(at + contacts, flow_depth(f, z), contacts * sizeof(double));
}

/* From y over h into y_new; the error in units of the tolerance. *lines: how many it took, fewer where that is enough. */
double steps_over(flow *f, double h, int *lines)
{
    size_t size = (size_t)f->size;
    double error = HUGE_VAL;
    find_fast(f, h);
    for (int line = 0; line < COLUMNS; ++line) {
        double *z = f->w->table + (size_t)line * size;
        memcpy(z, f->w->y, size * sizeof(double));
        rub_return(f->w->rub);
        leave_trail(f, z, 0);
        for (int i = 0; i <= line; ++i) {
            steps_small(f, h / (line + 1), z);
            leave_trail(f, z, i + 1);
        }
        double last = error;
        error = extrapolate(f, line, f->w->table) / f->tolerance;
        *lines = line + 1;
        if (line >= 2 && (error <= 0.5 || hopeless(error, last, COLUMNS - 1 - line))) {
            break;
        }
    }
    memcpy(f->w->y_new, f->w->table + (size_t)(*lines - 1) * size, size * sizeof(double));
    return line_is_finite(f, f->w->y_new) ? error : HUGE_VAL;
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------- */

/* Velocity that the energy stored could give to the lightest contact: of what has a velocity already it would change little
 * more than the square. */
static double stored_speed(const flow *f)
{
    double energy = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        double depth = flow_depth(f, f->w->y)[c];
        energy += depth * steps_push(f, c, depth) / (f->exponent + 1.0);
    }
    return sqrt(2.0 * energy * f->lightest);
}

static double approach(const flow *f)
{
    double fastest = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        fastest = fmax(fastest, steps_can_move(f, c) ? -flow_speed(f, f->w->y)[c] : 0.0);
    }
    return fastest;
}

/* How much of the work allowed is spent: 0 to 1. Each unit takes as long as the slip rows' matrix is large. */
static double spent(const flow *f)
{
    int rows = f->p.row_count - f->p.contact_count;
    double larger = rows > SMALL ? (double)rows / SMALL : 1.0;
    return fmin(1.0, larger * larger * rub_effort(f->w->rub) / WORK);
}

/* Accuracy, which is that of all velocities where approaches are slow, gives way to the work done. */
static double give_way(const flow *f, double first, double last)
{
    double least = fmin(last, fmax(first, SLIGHT * (f->speed / f->scale - 1.0)));
    return least * pow(last / least, spent(f));
}

static double tolerance_now(const flow *f)
{
    return give_way(f, f->p.element_count > 0 ? RUB_ERROR : ERROR, WORST_ERROR);
}

static bool ended(const flow *f)
{
    return stored_speed(f) <= give_way(f, STORED, MOST_LEFT) * f->scale &&
           approach(f) <= give_way(f, APPROACH, MOST_LEFT) * f->scale;
}

/* Some slip has stopped or begun in the step. */
static bool slips_differ(const flow *f)
{
    for (int e = 0; e < f->p.element_count; ++e) {
        if (rests(f, f->w->y, e) != rests(f, f->w->y_new, e) && !idle(f, &f->p.elements[e])) {
            return true;
        }
    }
    return false;
}

/* Nothing has moved: friction holds against all that pushes, for good. */
static bool stands(const flow *f, double h)
{
    double most = 0.0;
    for (int k = f->p.row_count; k < 2 * f->p.row_count + f->p.contact_count; ++k) {
        double unit = k < 2 * f->p.row_count ? f->scale : f->depth;
        most = fmax(most, fabs(f->w->y_new[k] - f->w->y[k]) / unit);
    }
    return h > f->duration && most < NOTHING * fmin(h / f->duration, 1e4);
}

static void accept(flow *f)
{
    double *kept = f->w->y;
    double h = *flow_parameter(f, f->w->y_new) - *flow_parameter(f, f->w->y);
    for (int k = 0; h > 1e-8 * f->duration && k < f->p.row_count; ++k) {
        f->w->slip_rate[k] = (flow_speed(f, f->w->y_new)[k] - flow_speed(f, f->w->y)[k]) / h;
    }
    f->stands = stands(f, h);
    f->w->y = f->w->y_new;
    f->w->y_new = kept;
    flow_fit_speeds(f, f->w->y);
    rub_mark(f->w->rub);
    f->out->steps += 1;
}

/* One step, as long as the error allows and no longer than until a contact ends its phase. */
static void advance(flow *f)
{
    int lines;
    double h = fit_to_slips(f, fmin(f->step, 1.02 * steps_until_empty(f)));
    double error = steps_over(f, h, &lines);
    double factor = error > 0.0 ? 0.8 * pow(error, -1.0 / (f->even ? 2 * lines - 1 : lines)) : 4.0;
    double allowed = slips_differ(f) ? fmax(1.0, CHANGE_ERROR / f->tolerance) : 1.0;
    factor *= lines <= 3 ? 1.5 : lines == 4 ? 1.25 : 1.0; /* long steps of a high order are cheaper */
    f->step = h < f->step && factor > 1.0 ? f->step : h * fmin(4.0, fmax(0.2, factor));
    bool ends = steps_phase_ends(f);
    if (error > allowed && h > 1e-12 * f->duration) {
        double cut = ends ? 1.01 * steps_end_guess(f, lines) : 1.0;
        f->step = fmin(f->step, h * fmin(1.0, fmax(0.05, cut)));
        return;
    }
    if (ends) {
        error = steps_shorten(f, h, lines);
        double length = *flow_parameter(f, f->w->y_new) - *flow_parameter(f, f->w->y);
        if (error > 10.0 * allowed && length > 1e-9 * f->duration) {
            f->step = 0.3 * length;
            return;
        }
        f->step = fmax(f->step, 0.02 * f->duration);
    }
    accept(f);
    steps_next_phases(f);
}

static void drop_all(flow *f)
{
    memset(flow_depth(f, f->w->y), 0, (size_t)f->p.contact_count * sizeof(double));
}

bool steps_share(flow *f)
{
    rub_begin(f->w->rub, &f->p, f->scale, f->speed);
    f->step = 0.05 * f->duration;
    f->stands = false;
    f->tolerance = tolerance_now(f);
    const double first = f->tolerance;
    for (int k = 0; k < f->p.row_count; ++k) {
        f->w->slip_rate[k] = HUGE_VAL; /* not known */
    }
    steps_first_phases(f);
    rub_mark(f->w->rub);
    while (!f->stands && !ended(f) && spent(f) < 1.0 && !carom_stop_asked(f->p.stop)) {
        advance(f);
        f->tolerance = tolerance_now(f);
    }
    bool whole = spent(f) < 1.0;
    if (f->tolerance > LESS * first) {
        f->out->accuracy = f->tolerance;
        f->out->asked = first;
    }
    drop_all(f);
    steps_finish(f);
    return whole;
}
