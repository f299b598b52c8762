/* Energy sharing in steps [spec 4.5]: every contact pushes with F = k d^eta, d' = -vn while it approaches, -vn/e^2 while it
 * parts. In a small step the normals are taken at its middle and friction at its end (backward Euler: stiff slip that is
 * about to stop or has just begun does no harm); steps of h, h/2, ..., h/COLUMNS are extrapolated to order COLUMNS [Hairer,
 * Norsett & Wanner, II.9 and IV.9]. Where a slip stops or a contact opens the order is lost and the length of the steps gets
 * small for a while. Without restitution the energy of a contact is dropped where vn vanishes, at the end of a step. */
#include <math.h>
#include <string.h>

#include "methods/impact/strike_steps.h"

enum { COLUMNS = FLOW_TABLE, ROOT_LIMIT = 60 };

static const double ERROR = 1e-8;       /* of velocities and depths in a step, relative */
static const double WORST_ERROR = 1e-5; /* when that would take too long */
static const double WORK = 4e4;         /* allowed, as rub_effort counts it; small problems may have more */
static const double NO_SPEED = 1e-11;   /* normal velocities below are none, relative */
static const double EMPTY = 1e-7;       /* depths below are none, relative */
static const double PLASTIC = 1e-5;     /* restitution below is none */
static const double LEFT_OVER = 1e-10;  /* velocities that the energy left could make, relative */

/* ---- one small step ------------------------------------------------------------------------------------------------------ */

static double depth_slope(const flow *f, int contact, double speed)
{
    double e = f->defs[contact].restitution;
    return f->w->phase[contact] == FLOW_UNLOADING ? -speed / (e * e) : -speed;
}

static double push(const flow *f, int contact, double depth)
{
    double k = f->defs[contact].stiffness / f->stiffest;
    return depth > 0.0 ? k * (f->exponent == 1.0 ? depth : pow(depth, f->exponent)) : 0.0;
}

/* The mean of the push while the depth goes straight from one value to another, perhaps beyond zero: what is stored is given
 * back whole. */
static double mean_push(const flow *f, int contact, double from, double to)
{
    double change = to - from;
    if (!(from > 0.0) && !(to > 0.0)) {
        return 0.0;
    }
    if (fabs(change) < 1e-2 * from) { /* Simpson's rule: the exact one loses digits */
        return (push(f, contact, from) + 4.0 * push(f, contact, 0.5 * (from + to)) + push(f, contact, to)) / 6.0;
    }
    double first = fmax(0.0, from) * push(f, contact, from);
    double last = fmax(0.0, to) * push(f, contact, to);
    return (last - first) / ((f->exponent + 1.0) * change);
}

/* Normal impulses of a small step, and what they do to u. */
static void push_all(const flow *f, double h, double *z, double *impulse)
{
    double *u = flow_speed(f, z);
    for (int c = 0; c < f->p.contact_count; ++c) {
        double depth = flow_depth(f, z)[c];
        impulse[c] = h * mean_push(f, c, depth, depth + h * depth_slope(f, c, u[c]));
        f->w->before[c] = u[c];
    }
    for (int c = 0; c < f->p.contact_count; ++c) {
        const double *D = f->p.D + (size_t)c * (size_t)f->p.row_count;
        for (int k = 0; impulse[c] > 0.0 && k < f->p.row_count; ++k) {
            u[k] += D[k] * impulse[c];
        }
    }
}

static void small_step(flow *f, double h, double *z)
{
    double *impulse = f->w->step_impulse;
    push_all(f, h, z, impulse);
    rub(f->w->rub, h, impulse, flow_speed(f, z));
    for (int k = 0; k < f->p.row_count; ++k) {
        flow_impulse(f, z)[k] += impulse[k];
    }
    for (int c = 0; c < f->p.contact_count; ++c) {
        double speed = 0.5 * (f->w->before[c] + flow_speed(f, z)[c]);
        double depth = flow_depth(f, z)[c] + h * depth_slope(f, c, speed);
        flow_depth(f, z)[c] = f->w->phase[c] == FLOW_OFF ? fmax(0.0, depth) : depth; /* else an event cuts there */
        flow_compression(f, z)[c] += speed < 0.0 ? impulse[c] : 0.0;
        *flow_work(f, z) += impulse[c] * speed;
    }
    *flow_parameter(f, z) += h;
}

/* ---- one step -------------------------------------------------------------------------------------------------------------- */

/* The new line of the table (Aitken and Neville in h) takes the place of the old; returns its error. */
static double extrapolate(const flow *f, int line, double *table)
{
    size_t size = (size_t)f->size;
    size_t rows = (size_t)f->p.row_count;
    double worst = 0.0;
    for (size_t k = 0; k < size; ++k) {
        double value = table[(size_t)line * size + k];
        double difference = 0.0;
        for (int column = 1; column <= line; ++column) {
            double before = table[(size_t)(column - 1) * size + k];
            table[(size_t)(column - 1) * size + k] = value; /* of this line, for the next */
            difference = (value - before) * (double)(line + 1 - column) / (double)column;
            value += difference;
        }
        table[(size_t)line * size + k] = value;
        if (k >= rows && k < 2 * rows + (size_t)f->p.contact_count) {
            worst = fmax(worst, fabs(difference) / (k < 2 * rows ? f->speed : f->depth));
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

/* The largest push of a contact in a step to come, about. */
static double push_ahead(const flow *f, int contact, double h)
{
    double speed = flow_speed(f, f->w->y)[contact];
    return push(f, contact, flow_depth(f, f->w->y)[contact] + h * fmax(0.0, -speed));
}

/* Slip that changes by no more than a part of itself in a step is fast: by its own friction, and as in the last step. */
static void find_fast(flow *f, double h)
{
    const double part = 0.25;
    for (int e = 0; e < f->p.element_count; ++e) {
        const friction_element *el = &f->p.elements[e];
        double slip = 0.0;
        double change = 0.0;
        double stiff = 0.0;
        for (int row = el->first_row; row < el->first_row + el->dim; ++row) {
            slip = hypot(slip, flow_speed(f, f->w->y)[row]);
            change += fabs(f->w->slip_rate[row]);
            stiff += f->p.D[(size_t)row * (size_t)f->p.row_count + (size_t)row];
        }
        double own = el->contact >= 0 ? stiff * el->mu * push_ahead(f, el->contact, h) : HUGE_VAL;
        rub_expect(f->w->rub, e, h * (change + own) < part * slip);
    }
}

/* From y over h into y_new; the error in units of `tolerance`. *lines: how many it took, fewer where that is enough. */
static double step_over(flow *f, double h, double tolerance, int *lines)
{
    size_t size = (size_t)f->size;
    double error = HUGE_VAL;
    find_fast(f, h);
    for (int line = 0; line < COLUMNS; ++line) {
        double *z = f->w->table + (size_t)line * size;
        memcpy(z, f->w->y, size * sizeof(double));
        for (int i = 0; i <= line; ++i) {
            small_step(f, h / (line + 1), z);
        }
        double last = error;
        error = extrapolate(f, line, f->w->table) / tolerance;
        *lines = line + 1;
        if (line >= 2 && (error <= 0.5 || hopeless(error, last, COLUMNS - 1 - line))) {
            break;
        }
    }
    memcpy(f->w->y_new, f->w->table + (size_t)(*lines - 1) * size, size * sizeof(double));
    return line_is_finite(f, f->w->y_new) ? error : HUGE_VAL;
}

/* ---- events ------------------------------------------------------------------------------------------------------------------ */

static bool is_plastic(const flow *f, int contact)
{
    return f->defs[contact].restitution < PLASTIC;
}

/* Velocities of a contact within are none when it ends its phase, relative: where energy is dropped the velocity itself is at
 * stake, else what is missed is of second order. */
static double window(const flow *f, int contact)
{
    return is_plastic(f, contact) ? NO_SPEED : 1e3 * NO_SPEED;
}

/* How far a contact is beyond the end of its phase, with sign, relative: how fast it parts while it should load, or the other
 * way round (full restitution knows no difference), or how much it has been relieved beyond nothing. */
static double beyond_phase(const flow *f, double *y, int contact)
{
    double speed = flow_speed(f, y)[contact] / f->speed;
    double relieved = -flow_depth(f, y)[contact] / f->depth;
    double turned = f->w->phase[contact] == FLOW_UNLOADING ? -speed : speed;
    return f->defs[contact].restitution < 1.0 ? fmax(turned, relieved) : relieved;
}

/* The farthest of all that are compressed, at least -2; *contact: which. */
static double farthest_beyond(const flow *f, double *y, int *contact)
{
    double farthest = -2.0;
    *contact = -1;
    for (int c = 0; c < f->p.contact_count; ++c) {
        double beyond = f->w->phase[c] != FLOW_OFF ? beyond_phase(f, y, c) : -2.0;
        if (beyond > farthest) {
            farthest = beyond;
            *contact = c;
        }
    }
    return farthest;
}

static bool phase_ends(const flow *f, double *y)
{
    int contact;
    double beyond = farthest_beyond(f, y, &contact);
    return contact >= 0 && beyond > window(f, contact);
}

/* The step is shortened until the first contact ends its phase, or just has where half of NO_SPEED is aimed at (Illinois). */
static void shorten(flow *f, double h, double tolerance)
{
    const double aim = 0.5 * NO_SPEED;
    int lines;
    int contact;
    double low = 0.0;
    double high = h;
    double at_high = farthest_beyond(f, f->w->y_new, &contact) - aim;
    double at_low = fmin(beyond_phase(f, f->w->y, contact), 0.0) - aim;
    int side = 0;
    for (int i = 0; i < ROOT_LIMIT && high - low > 1e-15 * h; ++i) {
        double part = i % 8 == 7 ? 0.5 : at_low / (at_low - at_high);
        double middle = low + part * (high - low);
        step_over(f, middle, tolerance, &lines);
        double value = farthest_beyond(f, f->w->y_new, &contact) - aim;
        if (contact >= 0 && fabs(value) <= 0.5 * window(f, contact)) {
            return;
        }
        bool beyond = value > 0.0;
        *(beyond ? &at_low : &at_high) *= side == (beyond ? 1 : -1) ? 0.5 : 1.0;
        *(beyond ? &at_high : &at_low) = value;
        *(beyond ? &high : &low) = middle;
        side = beyond ? 1 : -1;
    }
    step_over(f, high, tolerance, &lines);
}

/* Where a normal velocity vanishes its rate in the last step decides; if that step led nowhere, the contact goes the other
 * way than it was thought to. */
static bool heads_apart(const flow *f, int contact, bool stands)
{
    return stands && f->w->phase[contact] != FLOW_OFF ? f->w->phase[contact] == FLOW_LOADING
                                                      : f->w->slip_rate[contact] > 0.0;
}

/* Who loads, who gives back, who is empty. Without restitution nothing is given back; what parts with next to nothing left is
 * empty. */
static void find_phases(flow *f, bool stands)
{
    double *y = f->w->y;
    for (int c = 0; c < f->p.contact_count; ++c) {
        double speed = flow_speed(f, y)[c] / f->speed;
        double depth = flow_depth(f, y)[c];
        bool parts = fabs(speed) > 10.0 * window(f, c) ? speed > 0.0 : heads_apart(f, c, stands);
        if ((parts && is_plastic(f, c)) || !(depth > (parts ? EMPTY * f->depth : 0.0))) {
            flow_depth(f, y)[c] = 0.0;
            f->w->phase[c] = FLOW_OFF;
        } else {
            f->w->phase[c] = parts ? FLOW_UNLOADING : FLOW_LOADING;
        }
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------- */

/* Velocity that the energy stored could give to the lightest contact, or the fastest approach. */
static double speed_left(const flow *f)
{
    double energy = 0.0;
    double lightest = 0.0;
    double approach = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        double D = f->p.D[(size_t)c * (size_t)f->p.row_count + (size_t)c];
        double depth = flow_depth(f, f->w->y)[c];
        energy += depth * push(f, c, depth) / (f->exponent + 1.0);
        lightest = fmax(lightest, D);
        approach = fmax(approach, D > 0.0 ? -flow_speed(f, f->w->y)[c] : 0.0);
    }
    return fmax(sqrt(2.0 * energy * lightest), approach);
}

/* Accuracy gives way to the work done, until half of what is allowed is spent. */
static double tolerance_now(const flow *f)
{
    double spent = 2.0 * rub_effort(f->w->rub) / WORK;
    return ERROR * pow(WORST_ERROR / ERROR, fmin(1.0, spent));
}

static void find_rates(flow *f, double h)
{
    for (int k = 0; k < f->p.row_count; ++k) {
        f->w->slip_rate[k] = (flow_speed(f, f->w->y_new)[k] - flow_speed(f, f->w->y)[k]) / h;
    }
}

static void accept(flow *f)
{
    double *kept = f->w->y;
    double h = *flow_parameter(f, f->w->y_new) - *flow_parameter(f, f->w->y);
    bool stands = !(h > 1e-8 * f->duration);
    if (!stands) {
        find_rates(f, h);
    }
    f->w->y = f->w->y_new;
    f->w->y_new = kept;
    flow_fit_speeds(f, f->w->y);
    find_phases(f, stands);
    f->out->steps += 1;
}

/* One step, as long as the error allows and no longer than until a contact ends its phase. */
static void advance(flow *f, double tolerance)
{
    int lines;
    double error = step_over(f, f->step, tolerance, &lines);
    double factor = error > 0.0 ? 0.9 * pow(error, -1.0 / lines) : 4.0;
    double h = f->step;
    f->step = h * fmin(4.0, fmax(0.2, factor));
    if (error > 1.0 && h > 1e-12 * f->duration) {
        return;
    }
    if (phase_ends(f, f->w->y_new)) {
        shorten(f, h, tolerance);
        f->step = fmax(f->step, 0.02 * f->duration);
    }
    accept(f);
}

/* Twelve contacts' work, three times that where each unit is less. */
static double work_allowed(const flow *f)
{
    return WORK * fmin(3.0, fmax(1.0, 24.0 / (f->p.row_count - f->p.contact_count + 1)));
}

strike_outcome steps_share(flow *f)
{
    double allowed = work_allowed(f);
    rub_begin(f->w->rub, &f->p, f->speed);
    f->step = 0.05 * f->duration;
    for (int k = 0; k < f->p.row_count; ++k) {
        f->w->slip_rate[k] = HUGE_VAL; /* not known */
    }
    find_phases(f, false);
    while (rub_effort(f->w->rub) < allowed) {
        if (speed_left(f) <= LEFT_OVER * f->speed) {
            steps_finish(f);
            return STRIKE_OK;
        }
        advance(f, tolerance_now(f));
    }
    return STRIKE_ENDLESS;
}
