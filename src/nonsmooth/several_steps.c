/* Impacts at several contacts: rules in steps (strike_steps.h), and growth of energy by errors of integration taken away. */
#include <math.h>
#include <string.h>

#include "nonsmooth/several.h"

static const double SHORT_OF_GROWTH = 1.0 -
                                      1e-14; /* of the part without growth: rounding of the sums is on this side */

void several_note_left(double left, strike_result *out)
{
    static const double ASKED = 1e-9; /* of the fastest velocity; as sharing has with friction */
    static const double MUCH = 1e-5;  /* as much as sharing may lose where it would take too long */
    out->cut_short = out->cut_short || left > MUCH;
    if (left > ASKED && left > out->accuracy) {
        out->accuracy = left;
        out->asked = ASKED;
    }
}

/* Expansion from w->kept with all e in this proportion, and what then approaches stopped again. Returns what is left, as
 * steps_stop does. */
static double expand_in_steps(flow *f, double proportion)
{
    struct strike_all_work *w = f->w;
    memcpy(w->y, w->kept, (size_t)f->size * sizeof(double));
    for (int c = 0; c < f->p.contact_count; ++c) {
        w->given[c] = proportion * f->defs[c].restitution * flow_compression(f, w->kept)[c];
    }
    double given = steps_give(f, w->given);
    return fmax(given, steps_stop(f));
}

void several_stop_and_expand_in_steps(flow *f)
{
    enum { HALVINGS = 12 };
    double low = 0.0;
    double high = 1.0;
    double compressed = steps_stop(f);
    memcpy(f->w->kept, f->w->y, (size_t)f->size * sizeof(double));
    double expanded = expand_in_steps(f, 1.0);
    bool grew = several_energy_grew(f, f->w->y);
    for (int i = 0; grew && i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high);
        expand_in_steps(f, middle);
        *(several_energy_grew(f, f->w->y) ? &high : &low) = middle;
    }
    if (grew) {
        expanded = expand_in_steps(f, low);
    }
    several_note_left(fmax(compressed, expanded), f->out);
    memcpy(flow_compression(f, f->w->y), flow_compression(f, f->w->kept),
           (size_t)f->p.contact_count * sizeof(double));
}

/* The part of a way, from impulses that lose energy to others, at which none is gained: E + part slope + part^2 curve. */
static double part_without_growth(const flow *f, double *from, double *to)
{
    double terms;
    double slope = 0.0;
    double curve = 0.0;
    for (int k = 0; k < f->p.row_count; ++k) {
        double way = flow_impulse(f, to)[k] - flow_impulse(f, from)[k];
        slope += way * flow_speed(f, from)[k];
        curve += 0.5 * way * (flow_speed(f, to)[k] - flow_speed(f, from)[k]);
    }
    double lost = -several_energy_change(f, from, &terms);
    double root = sqrt(fmax(0.0, slope * slope + 4.0 * curve * lost));
    double divisor = slope + root;
    return lost > 0.0 && divisor > 0.0 ? fmin(1.0, 2.0 * lost / divisor) : 0.0;
}

void several_take_growth_away(strike_work *work, const reduced_problem *p, const strike_options *options,
                              const double *u, flow *f)
{
    struct strike_all_work *w = f->w;
    memcpy(w->kept, w->y, (size_t)f->size * sizeof(double));
    flow stopped = several_begin(work, p, f->defs, options, u, f->speed, f->out);
    steps_stop(&stopped);
    double part = part_without_growth(f, w->y, w->kept) * SHORT_OF_GROWTH;
    for (int k = 0; k < f->size; ++k) {
        w->y[k] += part * (w->kept[k] - w->y[k]);
    }
    flow_fit_speeds(f, w->y);
}

void several_conclude(strike_work *work, const reduced_problem *p, const strike_options *options, double *u, flow *f)
{
    int jammed = rub_jammed(f->w->rub);
    if (several_energy_grew(f, f->w->y)) {
        several_take_growth_away(work, p, options, u, f);
    }
    f->out->jammed = f->out->jammed < 0 ? jammed : f->out->jammed;
    several_hand_out(f, u, f->out);
}
