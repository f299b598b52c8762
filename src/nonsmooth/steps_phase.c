/* Energy sharing: who loads, gives back, is empty, and the end of such a phase within a step.
 *
 *     empty     until it approaches
 *     loading   until it parts; then what is stored is given back, or dropped where there is no restitution. With full
 *               restitution giving back is the same as loading: until it is empty
 *     unloading until it is empty or approaches again */
#include <math.h>

#include "nonsmooth/steps_parts.h"

enum { ROOT_LIMIT = 24 };

static const double PLASTIC = 1e-5; /* restitution below is none */

static bool is_plastic(const flow *f, int contact)
{
    return f->defs[contact].restitution < PLASTIC;
}

/* A phase may end this much too late, relative: what is missed is of second order. */
static double wide_window(const flow *f)
{
    return 0.3 * sqrt(f->tolerance);
}

/* Of first order is energy that is dropped too late, or an approach that is none yet. */
static double window(const flow *f, int contact)
{
    bool drops = is_plastic(f, contact) && f->w->phase[contact] == FLOW_LOADING;
    bool off = f->w->phase[contact] == FLOW_OFF;
    return drops || off ? fmin(1e-10, f->tolerance) : wide_window(f);
}

/* How far a contact would be beyond the end of its phase, in windows, with sign. */
static double beyond_at(const flow *f, int contact, double speed, double depth)
{
    double relieved = -depth / f->depth;
    double far = 0.0;
    speed /= f->scale;
    switch (f->w->phase[contact]) {
    case FLOW_OFF:
        far = steps_can_move(f, contact) ? -speed : -1.0;
        break;
    case FLOW_LOADING:
        far = f->defs[contact].restitution < 1.0 ? speed : relieved;
        break;
    case FLOW_UNLOADING:
        far = fmax(-speed, relieved);
        break;
    }
    return far / window(f, contact);
}

static double beyond(const flow *f, double *y, int contact)
{
    return beyond_at(f, contact, flow_speed(f, y)[contact], flow_depth(f, y)[contact]);
}

static double farthest(const flow *f, double *y)
{
    double most = -HUGE_VAL;
    for (int c = 0; c < f->p.contact_count; ++c) {
        most = fmax(most, beyond(f, y, c));
    }
    return most;
}

bool steps_phase_ends(const flow *f)
{
    return farthest(f, f->w->y_new) > 1.0;
}

/* d = (v t + v' t^2/2) / e^2. */
static double until_empty(const flow *f, int contact)
{
    double e = f->defs[contact].restitution;
    double depth = flow_depth(f, f->w->y)[contact] * e * e;
    double speed = fmax(0.0, flow_speed(f, f->w->y)[contact]);
    double rate = f->w->slip_rate[contact] < HUGE_VAL ? f->w->slip_rate[contact] : 0.0;
    double root = speed * speed + 2.0 * rate * depth;
    return root > 0.0 ? 2.0 * depth / (speed + sqrt(root)) : HUGE_VAL;
}

double steps_until_empty(const flow *f)
{
    double first = HUGE_VAL;
    for (int c = 0; c < f->p.contact_count; ++c) {
        first = f->w->phase[c] == FLOW_UNLOADING ? fmin(first, until_empty(f, c)) : first;
    }
    return first;
}

/* ---- where within a step ------------------------------------------------------------------------------------------------- */

static const double AIM = 0.5; /* windows beyond the end */

/* Along the small steps of the last line; what extrapolation has changed at their end is spread over them. */
static double on_trail(const flow *f, int contact, int i, int lines)
{
    int contacts = f->p.contact_count;
    const double *at = f->w->trail + (size_t)(2 * i * contacts);
    const double *end = f->w->trail + (size_t)(2 * lines * contacts);
    double part = (double)i / lines;
    double speed = at[contact] + part * (flow_speed(f, f->w->y_new)[contact] - end[contact]);
    double depth = at[contacts + contact] + part * (flow_depth(f, f->w->y_new)[contact] - end[contacts + contact]);
    return beyond_at(f, contact, speed, depth) - AIM;
}

/* The polynomial through values at 0, 1/n, ..., 1 [Neville]. */
static double through(const double *values, int n, double part)
{
    double table[FLOW_TABLE + 1];
    for (int i = 0; i <= n; ++i) {
        table[i] = values[i];
        for (int k = i - 1; k >= 0; --k) {
            table[k] = table[k + 1] + (part * n - i) * (table[k + 1] - table[k]) / (i - k);
        }
    }
    return table[0];
}

/* A zero of the polynomial from a place before to one after it (Illinois), or beyond both. */
static double zero_between(const double *values, int n, double low, double high)
{
    double at_low = through(values, n, low);
    double at_high = through(values, n, high);
    double part = high;
    for (int i = 0; i < 30 && fabs(high - low) > 1e-12 && at_high != at_low; ++i) {
        part = high - at_high * (high - low) / (at_high - at_low);
        double value = through(values, n, part);
        if ((value > 0.0) == (at_high > 0.0)) {
            at_low *= 0.5;
        } else {
            low = high;
            at_low = at_high;
        }
        high = part;
        at_high = value;
    }
    return part;
}

/* Where a contact ends its phase, as a part of the step; beyond 1: not within. */
static double contact_ends_at(const flow *f, int contact, int lines)
{
    double values[FLOW_TABLE + 1];
    for (int i = 0; i <= lines; ++i) {
        values[i] = on_trail(f, contact, i, lines);
        if (i > 0 && values[i] > 0.0) {
            for (int k = i + 1; k <= lines; ++k) {
                values[k] = on_trail(f, contact, k, lines);
            }
            return values[i - 1] < 0.0 ? zero_between(values, lines, (double)(i - 1) / lines, (double)i / lines)
                                       : (double)(i - 1) / lines;
        }
    }
    double slope = (values[lines] - values[lines - 1]) * lines;
    return slope > 0.0 ? 1.0 - values[lines] / slope : HUGE_VAL;
}

double steps_end_guess(const flow *f, int lines)
{
    double first = HUGE_VAL;
    for (int c = 0; c < f->p.contact_count; ++c) {
        first = fmin(first, contact_ends_at(f, c, lines));
    }
    return first;
}

double steps_shorten(flow *f, double h, int lines)
{
    double low = 0.0;
    double high = h;
    double next = h * steps_end_guess(f, lines);
    for (int i = 0; i < ROOT_LIMIT && high - low > 1e-15 * h; ++i) {
        bool inside = next > low && next < high && i % 4 != 3;
        double middle = inside ? next : 0.5 * (low + high);
        double error = steps_over(f, middle, &lines);
        double value = farthest(f, f->w->y_new) - AIM;
        if (fabs(value) <= 0.5 * AIM) {
            return error;
        }
        *(value > 0.0 ? &high : &low) = middle;
        next = middle * steps_end_guess(f, lines);
    }
    return steps_over(f, high, &lines);
}

/* ---- the next phases ------------------------------------------------------------------------------------------------------ */

static void empty(flow *f, int contact)
{
    flow_depth(f, f->w->y)[contact] = 0.0;
    f->w->phase[contact] = FLOW_OFF;
}

static void end_phase(flow *f, int contact)
{
    double depth = flow_depth(f, f->w->y)[contact];
    bool gives_back = f->defs[contact].restitution < 1.0 && !is_plastic(f, contact) && depth > 0.0;
    switch (f->w->phase[contact]) {
    case FLOW_OFF:
        f->w->phase[contact] = FLOW_LOADING;
        break;
    case FLOW_LOADING:
        if (gives_back) {
            f->w->phase[contact] = FLOW_UNLOADING;
        } else {
            empty(f, contact);
        }
        break;
    case FLOW_UNLOADING:
        if (depth > 2.0 * wide_window(f) * f->depth) {
            f->w->phase[contact] = FLOW_LOADING;
        } else {
            empty(f, contact);
        }
        break;
    }
}

/* What is about to be empty: events that nearly coincide are one. */
static bool nearly_empty(const flow *f, int contact)
{
    return f->w->phase[contact] == FLOW_UNLOADING &&
           flow_depth(f, f->w->y)[contact] <= 2.0 * wide_window(f) * f->depth;
}

/* Events that coincide differ by less than a part of the window. */
void steps_next_phases(flow *f)
{
    for (int c = 0; c < f->p.contact_count; ++c) {
        if (beyond(f, f->w->y, c) > 0.1 || nearly_empty(f, c)) {
            end_phase(f, c);
        }
    }
}

/* Contacts at rest count as loading: they begin to push when they are pressed. */
void steps_first_phases(flow *f)
{
    for (int c = 0; c < f->p.contact_count; ++c) {
        f->w->phase[c] = FLOW_LOADING;
        bool parts = flow_speed(f, f->w->y)[c] > wide_window(f) * f->scale;
        f->w->phase[c] = parts || !steps_can_move(f, c) ? FLOW_OFF : FLOW_LOADING;
    }
}
