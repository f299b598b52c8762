/* Where something happens within a part of the integration (turn.h): on the cubic between the ends of the part, then by
 * repeating the part with lengths that make the largest event function vanish. */
#include <string.h>

#include "nonsmooth/turn.h"

enum {
    ROOT_STEPS = 60,   /* halving alone would need 50 */
    SECANT_STEPS = 12, /* a smooth function has been found by then */
    HALVE_EVERY = 6,   /* guess of a bracket: else a function far from straight would move one end only */
};

/* An event function, scaled to order one, is zero: rounding of the sums that make it. */
static const double at_event = 1e-14;
/* The cubic knows event functions to 1e-7, and the place to 1e-5 of the part or so. */
static const double cubic_value = 1e-7;
static const double cubic_place = 1e-5;
/* Below zero by nothing: a function that is zero where the part begins has its event at the end. */
static const double just_below = -1e-300;
/* Guesses stay this far inside their bracket, relative: one on its end would not narrow it. */
static const double inside = 1e-3;
/* The value at the end that stays counts so much less with each guess, which draws the next one to its side, so that both
 * ends move (the Illinois rule, with a milder factor than its half). */
static const double weight_of_staying = 0.7;
/* Brackets as short as this, relative to the part, are one place: a few roundings of its length. */
static const double one_place = 1e-15;

/* The cubic through the ends of the part (w->y, w->y_end), with the slopes there, at the fraction x: w->y_new. */
static void interpolate(stroke *s, double h, double x)
{
    strike_work *w = s->w;
    double b = x * x * (3.0 - 2.0 * x), c = x * (1.0 - x) * (1.0 - x) * h, d = -x * x * (1.0 - x) * h;
    for (int k = 0; k <= s->p->row_count; ++k) {
        w->y_new[k] = w->y[k] + b * (w->y_end[k] - w->y[k]) + c * w->slope[k] + d * w->slope_end[k];
    }
}

/* Where an event function that is f_low < 0 at `low` and f_high > 0 at `high` may vanish. */
static double guess_root(double low, double high, double f_low, double f_high, int k)
{
    bool halve = !isfinite(f_high) || !isfinite(f_low) || k % HALVE_EVERY == HALVE_EVERY - 1;
    double fraction = halve ? 0.5 : f_low / (f_low - f_high);
    return low + fmin(1.0 - inside, fmax(inside, fraction)) * (high - low);
}

/* Fraction of the part at which something happens, on the cubic. */
static double guess_event(stroke *s, double h, double before, double after)
{
    double low = 0.0, high = 1.0, f_low = fmin(before, just_below), f_high = after;
    memcpy(s->w->y_end, s->w->y_new, (size_t)(s->p->row_count + 1) * sizeof(double));
    if (!turn_find_slope(s, s->w->y_end, s->w->slope_end)) {
        return 0.5;
    }
    for (int k = 0; k < ROOT_STEPS && high - low > cubic_place; ++k) {
        double x = guess_root(low, high, f_low, f_high, k);
        interpolate(s, h, x);
        double value = turn_look(s, s->w->y_new).worst;
        if (fabs(value) <= cubic_value) {
            return x;
        }
        *(value > 0.0 ? &high : &low) = x;
        *(value > 0.0 ? &f_high : &f_low) = value;
        *(value > 0.0 ? &f_low : &f_high) *= weight_of_staying;
    }
    return 0.5 * (low + high);
}

/* A bracket of the length of the part at whose end the largest event function vanishes. */
typedef struct bracket {
    double low, high, f_low, f_high;
    double last, f_last; /* the newest point */
    double slope;        /* of the function there, as far as known; 0: unknown */
} bracket;

/* The next length to try: by the secant through the last two points where that stays inside, else by halving. */
static double next_try(const bracket *b, int k)
{
    double secant = b->slope > 0.0 ? b->last - b->f_last / b->slope : -1.0;
    bool fits = secant > b->low && secant < b->high && k < SECANT_STEPS;
    return fits ? secant : k % 2 ? 0.5 * (b->low + b->high) : guess_root(b->low, b->high, b->f_low, b->f_high, k);
}

static void narrow(bracket *b, double h, double value)
{
    bool known = isfinite(value) && isfinite(b->f_last) && h != b->last;
    b->slope = known ? (value - b->f_last) / (h - b->last) : 0.0;
    b->last = h;
    b->f_last = value;
    *(value > 0.0 ? &b->high : &b->low) = h;
    *(value > 0.0 ? &b->f_high : &b->f_low) = value;
}

/* A part of this length, and what has happened at its end. */
static turn_events try_length(stroke *s, double length)
{
    return isfinite(turn_extrapolate(s, length).error) ? turn_look(s, s->w->y_new) : turn_jam(-1);
}

/* Ends the part behind the event; before a jam, for that is where it begins. */
static void end_part(stroke *s, const bracket *b, bool jam)
{
    if (!jam || b->low > 0.0) {
        turn_extrapolate(s, jam ? b->low : b->high);
    } else {
        memcpy(s->w->y_new, s->w->y, (size_t)(s->p->row_count + 1) * sizeof(double));
    }
}

turn_events turn_locate(stroke *s, double h, turn_events after, double before)
{
    bracket b = {
        .high = h, .f_low = fmin(before, just_below), .f_high = after.worst, .last = h, .f_last = after.worst
    };
    double x = isfinite(after.worst) ? guess_event(s, h, before, after.worst) * h : 0.5 * h;
    for (int k = 0; k < ROOT_STEPS && b.high - b.low > one_place * h; ++k) {
        turn_events now = try_length(s, x);
        if (fabs(now.worst) <= at_event) {
            return now;
        }
        narrow(&b, x, now.worst);
        after = now.worst > 0.0 ? now : after;
        x = next_try(&b, k);
    }
    end_part(s, &b, !isfinite(after.worst));
    return after;
}
