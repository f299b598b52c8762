/* Impacts at several contacts: integration of impulses, cut at events.
 *
 * Within a piece everything that could jump is frozen: who sticks, which way one-dimensional slip goes, who loads and
 * unloads. The slopes are then smooth even beyond the piece's end, and the event that ends it (a slip or a normal velocity
 * vanishes, a contact is relieved, a cone is reached) is found by repeating the last step with a length that makes the
 * smallest margin vanish. Where slopes are constant a step is exact; else the midpoint rule is extrapolated
 * [Hairer1993, II.9].
 *
 * Slip that begins in a plane because its cone is reached grows slowly, while its direction settles within |slip| / rate:
 * a stiff equation. While it creeps (|slip| < 1e-5 of the largest velocity) it is therefore taken as beginning all the time,
 * its direction that of its acceleration; the settled direction differs from that by as little as the slip itself.
 *
 * Velocities are u0 + D J at every event, so that they fit the impulses to rounding. */
#include <math.h>

#include "base/stop.h"
#include "nonsmooth/flow_parts.h"

enum { STEP_LIMIT = 20000 };

static void accept_step(flow *f)
{
    struct strike_all_work *w = f->w;
    double *kept = w->y;
    w->y = w->y_new;
    w->y_new = kept;
    kept = w->slope;
    w->slope = w->slope_new;
    w->slope_new = kept;
}

/* Some element holds with forces that another distribution would bring into its cone: friction_choose is asked often. */
static bool unwatched(const flow *f)
{
    for (int e = 0; e < f->p.element_count; ++e) {
        if (f->w->state[e].mode == FRICTION_STICK && !f->w->watched[e] && !f->w->held[e]) {
            return true;
        }
    }
    return false;
}

/* Slip that vanishes while it turns is approached in parts. */
static double longest_step(const flow *f)
{
    double longest = HUGE_VAL;
    for (int e = 0; e < f->p.element_count; ++e) {
        const friction_element *el = &f->p.elements[e];
        if (f->w->state[e].mode == FRICTION_SLIP && !f->w->straight[e] && f->w->moving[e] && !f->w->creeping[e]) {
            double rate = flow_slip_norm(el, flow_speed(f, f->w->slope));
            longest = rate > 0.0 ? fmin(longest, 0.5 * flow_slip_norm(el, flow_speed(f, f->w->y)) / rate) : longest;
        }
    }
    return longest;
}

static strike_outcome finish_piece(flow *f)
{
    flow_fit_speeds(f, f->w->y);
    flow_stop_vanished(f);
    f->fresh = true;
    return STRIKE_OK;
}

strike_outcome flow_run(flow *f, double end, bool *ended)
{
    struct strike_all_work *w = f->w;
    *ended = false;
    for (int i = 0; i < STEP_LIMIT && !carom_stop_asked(f->p.stop); ++i) {
        double left = end - *flow_parameter(f, w->y);
        double h = fmin(fmin(f->step, left), longest_step(f));
        double shortest = 1e-14 * f->duration;
        double error = flow_step_over(f, h);
        if (error == HUGE_VAL && f->jams >= 0 && h <= 1e4 * shortest) {
            flow_hold(f, f->jams);
            return STRIKE_OK;
        }
        if ((error > 1.0 && h > shortest) || (error <= 1.0 && flow_turned(f))) {
            f->step = error > 1.0 ? h * fmax(0.1, 0.9 * pow(error, -1.0 / (2 * FLOW_COLUMNS - 1))) : h;
            continue;
        }
        double margin = flow_find_slope(f, w->y_new, w->slope_new) ? flow_smallest_margin(f, w->y_new) : -1.0;
        if (!(margin > 0.0)) {
            flow_shorten_to_event(f, h, f->margin, margin);
            accept_step(f);
            return finish_piece(f);
        }
        accept_step(f);
        f->margin = margin;
        double growth = error > 0.0 ? fmin(4.0, 0.9 * pow(error, -1.0 / (2 * FLOW_COLUMNS - 1))) : 4.0;
        f->step = fmax(f->step, h) == h || error > 0.1 ? h * growth : f->step;
        if (h >= left) {
            *ended = true;
            return finish_piece(f);
        }
        flow_find_motion(f);
        if (unwatched(f)) {
            return finish_piece(f);
        }
    }
    return STRIKE_ENDLESS;
}
