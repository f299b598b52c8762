/* Impacts at several contacts: one step of the integration, exact where slopes are constant; else the midpoint rule is
 * extrapolated [Hairer1993, II.9]. The event that ends a piece is found by repeating the last step with a
 * length that makes the smallest margin vanish. */
#include <math.h>
#include <string.h>

#include "nonsmooth/flow_parts.h"

static const double STEP_ERROR = 1e-12; /* of velocities and depths in a step, relative */
static const double ON_EVENT = 1e-13;   /* margins this close to zero are zero */
static const double TURNED = 1e-12;     /* slip across its direction, relative to the largest velocity */
enum { ROOT_LIMIT = 80 };

/* The midpoint rule in `count` (even) parts, smoothed at the end. */
static bool midpoint_rule(flow *f, double h, int count, double *result)
{
    struct strike_all_work *w = f->w;
    double part = h / count;
    double *previous = w->z[0];
    double *now = w->z[1];
    memcpy(previous, w->y, (size_t)f->size * sizeof(double));
    for (int k = 0; k < f->size; ++k) {
        now[k] = previous[k] + part * w->slope[k];
    }
    for (int i = 1; i < count; ++i) {
        if (!flow_find_slope(f, now, w->middle)) {
            return false;
        }
        for (int k = 0; k < f->size; ++k) {
            double next = previous[k] + 2.0 * part * w->middle[k];
            previous[k] = now[k];
            now[k] = next;
        }
    }
    if (!flow_find_slope(f, now, w->middle)) {
        return false;
    }
    for (int k = 0; k < f->size; ++k) {
        result[k] = 0.5 * (now[k] + previous[k] + part * w->middle[k]);
    }
    return true;
}

/* Aitken and Neville in h^2; the last two columns' difference is the error. */
static double extrapolate(const flow *f, double *table)
{
    size_t size = (size_t)f->size;
    double worst = 0.0;
    for (size_t k = 0; k < size; ++k) {
        double difference = 0.0;
        for (int column = 1; column < FLOW_COLUMNS; ++column) {
            for (int row = FLOW_COLUMNS - 1; row >= column; --row) {
                double ratio = (double)(row + 1) / (double)(row + 1 - column);
                double *at = table + (size_t)row * size + k;
                double before = table[(size_t)(row - 1) * size + k];
                difference = (*at - before) / (ratio * ratio - 1.0);
                *at += difference;
            }
        }
        bool speed = k >= (size_t)f->p.row_count && k < 2 * (size_t)f->p.row_count;
        bool depth = k >= 2 * (size_t)f->p.row_count && k < (size_t)(2 * f->p.row_count + f->p.contact_count);
        if (speed || depth) {
            worst = fmax(worst, fabs(difference) / (speed ? f->speed : f->depth));
        }
    }
    return worst / STEP_ERROR;
}

double flow_step_over(flow *f, double h)
{
    struct strike_all_work *w = f->w;
    if (!f->turning) {
        for (int k = 0; k < f->size; ++k) {
            w->y_new[k] = w->y[k] + h * w->slope[k];
        }
        double power_rate = 0.0; /* constant forces on velocities that change */
        for (int c = 0; c < f->p.contact_count; ++c) {
            power_rate += flow_impulse(f, w->slope)[c] * flow_speed(f, w->slope)[c];
        }
        *flow_work(f, w->y_new) += 0.5 * h * h * power_rate;
        return 0.0;
    }
    for (int j = 0; j < FLOW_COLUMNS; ++j) {
        if (!midpoint_rule(f, h, 2 * (j + 1), w->table + (size_t)j * (size_t)f->size)) {
            return HUGE_VAL;
        }
    }
    double error = extrapolate(f, w->table);
    memcpy(w->y_new, w->table + (size_t)(FLOW_COLUMNS - 1) * (size_t)f->size, (size_t)f->size * sizeof(double));
    return isfinite(error) ? error : HUGE_VAL;
}

bool flow_turned(flow *f)
{
    bool any = false;
    for (int e = 0; e < f->p.element_count; ++e) {
        const friction_element *el = &f->p.elements[e];
        if (f->w->straight[e] && el->dim > 1 && f->w->state[e].mode == FRICTION_SLIP &&
            flow_slip_across(el, &f->w->state[e], flow_speed(f, f->w->y_new)) > TURNED * f->speed) {
            f->w->straight[e] = false;
            any = f->turning = true;
        }
    }
    return any;
}

/* The margin after a step of length h, which is left in y_new and slope_new. */
static double margin_after(flow *f, double h)
{
    if (!(flow_step_over(f, h) < HUGE_VAL) || !flow_find_slope(f, f->w->y_new, f->w->slope_new)) {
        return -1.0;
    }
    return flow_smallest_margin(f, f->w->y_new);
}

void flow_shorten_to_event(flow *f, double h, double margin_start, double margin_end)
{
    double low = 0.0;
    double high = h;
    double at_low = fmax(margin_start, 0.0);
    double at_high = margin_end;
    double f_low = at_low;
    double f_high = at_high;
    for (int i = 0; i < ROOT_LIMIT && at_high < -ON_EVENT && high - low > 1e-15 * h; ++i) {
        double middle = f_low - f_high > 0.0 ? high - f_high * (high - low) / (f_high - f_low) : 0.5 * (low + high);
        middle = middle > low && middle < high && i % 8 != 7 ? middle : 0.5 * (low + high);
        double margin = margin_after(f, middle);
        if (margin > 0.0) {
            low = middle;
            f_low = margin;
            f_high *= 0.5;
        } else {
            high = middle;
            at_high = f_high = margin;
            f_low *= 0.5;
        }
    }
    margin_after(f, high);
}
