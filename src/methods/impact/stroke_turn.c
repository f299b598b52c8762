/* Impacts while slip directions turn [spec 4.4, "spatial contact"]: forces follow the directions of slip, so that the
 * impulses y (along all rows, with the work of the normal as last entry) obey a smooth differential equation in P.
 *
 * As slip goes to zero its direction turns ever faster in P. The independent variable is therefore
 *     dP = sigma d tau,   1 / sigma = (1 + 1 / det) sum over elements whose slip may turn of kappa_i / |slip_i|,
 * kappa_i being how fast impulses change that slip: then directions turn at a bounded pace, and a slip that vanishes goes
 * down exponentially. det is the regularity of the load problem: it goes to zero like the square root of the distance from
 * a jam, where loads have a fold; in tau that is reached smoothly and at a finite pace.
 *
 * Slip that begins slowly (a stuck element whose cone is exceeded little by little) is stiff: its direction relaxes within
 * an impulse of |slip| / kappa to that of its rate, while |slip| grows only with the square of the impulse. As long as it
 * is below a limit such an element creeps: its direction is that of its rate (friction_follow). Directions err by
 * |slip| du/dP / kappa then, velocities by the limit to the power 3/2.
 *
 * Integrated by extrapolation of the midpoint rule [Gragg; Hairer, Norsett & Wanner, II.9] with as many columns as the
 * tolerance asks for. Velocities are always u + D y, so that they fit the impulses to rounding. |lambda| of scalar loads is
 * continued smoothly beyond its kink within a step, and changed there. Events are found on the cubic between the ends of
 * the step, then by repeating the step with lengths that make the first event function vanish. */
#include "methods/impact/stroke.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    TURN_STEPS = 400, /* of one integration */
    ROOT_STEPS = 60,
    LOOSEN_AFTER = 100, /* steps until the limit of creeping is raised tenfold */
    WANTED_COLUMN = 4,  /* at which a step should reach its tolerance */
};

/* Local error of velocities, relative to the largest: a step's error, of which there are about a dozen per impact. */
static const double step_tolerance = 1e-12;
/* A direction does not turn when the rate across it is rounding of the sums that make it. */
static const double straight = 1e-13;
/* An event function, scaled to order one, is zero: rounding of the sums that make it. */
static const double at_event = 1e-14;
/* A load component this small, relative to what loads may be, is at its kink. */
static const double on_kink = 1e-11;
static const double at_kink = 1e-9; /* for one that vanishes together with another, whose kink has been located */
/* An event function beyond this where a step begins has its event there. */
static const double already = 1e-12;
/* Turning slip below this, relative to the largest velocity, is none [spec 4.6]. */
static const double vanished = 1e-9;
/* Slip that began from rest creeps up to this; loosened up to the second where it goes on and on. */
static const double creeping = 1e-5;
static const double creeping_at_most = 1e-3;
/* Rates against the direction of creeping (relative to kappa), and forces beyond a cone, that count. */
static const double beyond = 1e-9;
/* Loads this near to their fold jam: it is 1e-10 of the impulse away. */
static const double folded = 1e-5;
/* Steps shorter than this (in tau) into a jam do not matter: it begins here. */
static const double shortest = 1e-10;

/* How much one unit of P can change the slip of element i, roughly. */
static double slip_gain(const stroke *s, int i)
{
    const friction_element *e = &s->p->elements[i];
    int rows = s->p->row_count;
    double sum = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        const double *D_k = s->p->D + (e->first_row + d) * rows;
        sum += fabs(D_k[s->contact]) + e->mu * D_k[e->first_row + d];
    }
    return sum;
}

/* Whether the direction of a moving element may turn at all. */
static bool may_turn(const stroke *s, int i)
{
    return s->p->elements[i].dim > 1 && stroke_moves(s, i);
}

/* Part of an element's slip rate that is across its slip. */
static double rate_across(const stroke *s, int i)
{
    const friction_element *e = &s->p->elements[i];
    const double *rate = s->a.rate + e->first_row, *direction = s->a.state[i].direction;
    double along = 0.0, square = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        along += rate[d] * direction[d];
    }
    for (int d = 0; d < e->dim; ++d) {
        double across = rate[d] - along * direction[d];
        square += across * across;
    }
    return sqrt(square);
}

static bool turns(const stroke *s, int i)
{
    const friction_element *e = &s->p->elements[i];
    double friction = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        friction = fmax(friction, fabs(s->a.force[e->first_row + d]));
    }
    return friction > straight && rate_across(s, i) > straight * slip_gain(s, i);
}

bool stroke_turns(const stroke *s)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        if (may_turn(s, i) && turns(s, i)) {
            return true;
        }
    }
    return false;
}

/* Velocities after impulses y: w->speed. */
static void find_speed(stroke *s, const double *y)
{
    int rows = s->p->row_count;
    for (int k = 0; k < rows; ++k) {
        double sum = s->u[k];
        for (int l = 0; l < rows; ++l) {
            sum += s->p->D[k * rows + l] * y[l];
        }
        s->w->speed[k] = sum;
    }
}

static double speed_of(const stroke *s, const friction_element *e)
{
    double square = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        square += s->w->speed[e->first_row + d] * s->w->speed[e->first_row + d];
    }
    return sqrt(square);
}

/* Directions of slip of what slips in a plane or in space, from w->speed, into w->turned; returns sigma for det = HUGE. */
static double find_directions(stroke *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        friction_state *state = &s->w->turned[i];
        if (state->mode != FRICTION_SLIP || e->dim == 1) {
            continue;
        }
        double speed = speed_of(s, e);
        for (int d = 0; !s->w->creeps[i] && speed > 0.0 && d < e->dim; ++d) {
            state->direction[d] = s->w->speed[e->first_row + d] / speed;
        }
        double least = s->w->creeps[i] ? s->creep_limit : 0.1 * vanished * s->speed_scale;
        sum += slip_gain(s, i) / fmax(speed, least);
    }
    return sum > 0.0 ? 1.0 / sum : s->speed_scale / s->own_answer;
}

/* Rates at the impulses y, with |lambda| continued beyond kinks or not; sigma. False: joints jam there. */
static bool rates_at(stroke *s, const double *y, bool smooth, friction_answer *a, double *sigma)
{
    strike_work *w = s->w;
    friction_path path = { .held = w->held, .creeping = w->creeps, .sign = smooth ? w->sign : NULL };
    find_speed(s, y);
    *sigma = find_directions(s);
    if (friction_follow(w->friction, s->p, w->turned, w->normal, &path, a) != FRICTION_OK) {
        return false;
    }
    *sigma *= a->regularity / (1.0 + a->regularity);
    for (int i = 0; i < s->p->element_count; ++i) {
        w->turned[i] = w->creeps[i] ? a->state[i] : w->turned[i];
    }
    return true;
}

static void set_slope(const stroke *s, const friction_answer *a, double sigma, double *slope)
{
    int rows = s->p->row_count;
    for (int k = 0; k < rows; ++k) {
        slope[k] = sigma * a->force[k];
    }
    slope[rows] = sigma * s->w->speed[s->contact];
}

/* slope = dy/dtau at y; false: joints jam there. */
static bool find_slope(stroke *s, const double *y, double *slope)
{
    friction_answer a;
    double sigma;
    if (!rates_at(s, y, true, &a, &sigma)) {
        return false;
    }
    set_slope(s, &a, sigma, slope);
    return true;
}

/* ---- a step ---- */

/* The midpoint rule in `count` (even) parts of a step h from w->y, into `result`. */
static bool midpoint_rule(stroke *s, double h, int count, double *result)
{
    int size = s->p->row_count + 1;
    double part = h / count, *previous = s->w->z[0], *now = s->w->z[1];
    double *at = s->w->right;
    memcpy(previous, s->w->y, (size_t)size * sizeof(double));
    for (int k = 0; k < size; ++k) {
        now[k] = previous[k] + part * s->w->slope[k];
    }
    for (int i = 1; i < count; ++i) {
        if (!find_slope(s, now, at)) {
            return false;
        }
        for (int k = 0; k < size; ++k) {
            double next = previous[k] + 2.0 * part * at[k];
            previous[k] = now[k];
            now[k] = next;
        }
    }
    memcpy(result, now, (size_t)size * sizeof(double));
    return true;
}

/* Error of velocities, relative to the largest, when impulses are a instead of b. */
static double error_size(const stroke *s, const double *a, const double *b)
{
    int rows = s->p->row_count;
    double most = 0.0;
    for (int k = 0; k < rows; ++k) {
        double sum = 0.0;
        for (int l = 0; l < rows; ++l) {
            sum += fabs(s->p->D[k * rows + l] * (a[l] - b[l]));
        }
        most = isnan(sum) ? HUGE_VAL : fmax(most, sum);
    }
    return most / s->speed_scale;
}

/* Neville's scheme in h^2: row m of the table becomes T_{j, j - m}; the last but one diagonal entry into w->y_new. */
static void extend_table(stroke *s, int j)
{
    int size = s->p->row_count + 1;
    double *table = s->w->table;
    for (int m = j - 1; m >= 0; --m) {
        double ratio = (double)(j + 1) / (double)(m + 1);
        double factor = 1.0 / (ratio * ratio - 1.0);
        if (m == 0) {
            memcpy(s->w->y_new, table + size, (size_t)size * sizeof(double));
        }
        for (int k = 0; k < size; ++k) {
            double fine = table[(m + 1) * size + k];
            table[m * size + k] = fine + factor * (fine - table[m * size + k]);
        }
    }
}

/* What a step has come to. */
typedef struct step_size {
    double error; /* HUGE_VAL: joints jam on the way */
    double next;  /* proposed length of the next one, or of another attempt */
} step_size;

static double bounded(double factor, double low, double high)
{
    return fmin(high, fmax(low, factor));
}

/* The next length, when column j had this error: such that WANTED_COLUMN will do. */
static double next_length(double h, int j, double error)
{
    double factor = error > 0.0 ? pow(step_tolerance / error, 1.0 / (2 * j + 1)) : 4.0;
    if (!(error <= step_tolerance)) {
        return h * bounded(0.7 * factor, 0.1, 0.6);
    }
    return h * (j < WANTED_COLUMN ? bounded(factor, 1.5, 4.0) : bounded(0.8 * factor, 0.5, 1.5));
}

/* One step of length h from w->y, where the slope is w->slope, into w->y_new. */
static step_size extrapolate(stroke *s, double h)
{
    int size = s->p->row_count + 1;
    double *table = s->w->table, error = HUGE_VAL;
    int j = 0;
    for (; j < STROKE_COLUMNS; ++j) {
        if (!midpoint_rule(s, h, 2 * (j + 1), table + j * size)) {
            return (step_size){ .error = HUGE_VAL, .next = 0.25 * h };
        }
        extend_table(s, j);
        error = j > 0 ? error_size(s, table, s->w->y_new) : HUGE_VAL;
        if (j > 1 && error <= step_tolerance) {
            break;
        }
    }
    memcpy(s->w->y_new, table, (size_t)size * sizeof(double));
    return (step_size){ .error = error, .next = next_length(h, j < STROKE_COLUMNS ? j : j - 1, error) };
}

/* ---- events ---- */

/* What ends a step of the integration. */
typedef enum turn_event { EVENT_STATE, EVENT_END, EVENT_KINK, EVENT_JAM, EVENT_STOP } turn_event;

typedef struct turn_events {
    double worst;     /* the largest event function: > 0 when something has happened; scaled to order one */
    turn_event which; /* the function that is largest */
    int who;          /* EVENT_KINK: the load component; EVENT_STOP: the creeping element that stops again */
    bool happened;    /* the step ends because of it */
    bool vanished;    /* a turning slip is gone: w->stop */
    bool turning;     /* something still turns */
} turn_events;

static void notice_of(turn_events *events, double value, turn_event which, int who)
{
    if (value > events->worst) {
        events->worst = value;
        events->which = which;
        events->who = who;
    }
}

static void notice(turn_events *events, double value, turn_event which)
{
    notice_of(events, value, which, -1);
}

/* By how much stuck elements exceed their cones, relative. */
static void check_cones(stroke *s, const friction_answer *a, turn_events *events)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        if (s->w->state[i].mode != FRICTION_STICK || s->w->held[i]) {
            continue;
        }
        double square = 0.0;
        for (int d = 0; d < e->dim; ++d) {
            square += a->force[e->first_row + d] * a->force[e->first_row + d];
        }
        /* Well beyond the slack of friction_choose, which must see that it cannot hold, and see it start. */
        notice(events, sqrt(square) - e->mu * a->load[i] * (1.0 + beyond) - beyond * (1.0 + e->mu), EVENT_STATE);
    }
}

/* A creeping element stops again; another one has gone. */
static void check_turning_slip(stroke *s, const friction_answer *a, int i, turn_events *events)
{
    const friction_element *e = &s->p->elements[i];
    double along = 0.0, gain = slip_gain(s, i);
    for (int d = 0; d < e->dim; ++d) {
        along += a->rate[e->first_row + d] * a->state[i].direction[d];
    }
    if (s->w->creeps[i]) {
        notice_of(events, -along / gain - beyond, EVENT_STOP, i);
        events->turning = true;
    } else {
        s->w->stop[i] = speed_of(s, e) <= vanished * s->speed_scale && along < 0.0;
    }
    events->vanished = events->vanished || s->w->stop[i];
}

static void check_slips(stroke *s, const friction_answer *a, turn_events *events)
{
    stroke there = *s;
    there.a = *a;
    events->turning = stroke_turns(&there);
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        s->w->stop[i] = false;
        if (e->dim == 1 && stroke_moves(s, i)) {
            notice(events, -s->w->speed[e->first_row] * s->w->state[i].direction[0] / s->speed_scale, EVENT_STATE);
        } else if (e->dim > 1 && s->w->state[i].mode == FRICTION_SLIP) {
            check_turning_slip(s, a, i, events);
        }
    }
}

static void check_end(stroke *s, const double *y, turn_events *events)
{
    double speed = s->w->speed[s->contact], impulse = stroke_remaining_impulse(s);
    if (isfinite(impulse)) {
        notice(events, (y[s->contact] - impulse) * s->own_answer / s->speed_scale, EVENT_END);
    }
    double work = stroke_remaining_work(s);
    if (isfinite(work)) {
        notice(events, (y[s->p->row_count] - work) * s->own_answer / (s->speed_scale * s->speed_scale), EVENT_END);
    }
    if (s->restitution && s->def->law == STRIKE_NEWTON && !stroke_is_prescribed(s)) {
        notice(events, (speed - s->target) / s->speed_scale, EVENT_END);
    }
    /* Restitution may begin with an approach that is rounding. */
    notice(events, s->restitution ? -speed / s->speed_scale - 1e-11 : speed / s->speed_scale, EVENT_STATE);
}

static double load_component(const stroke *s, const double *force, int i)
{
    double sum = 0.0;
    for (int k = 0; k < s->p->row_count; ++k) {
        sum += s->p->B[i * s->p->row_count + k] * force[k];
    }
    return sum;
}

/* What rounding of load components is measured against: the largest answer of any load to any force, because a joint that
 * feels nothing of the forces has nothing else to be compared with. */
static double load_scale(const stroke *s, const double *force)
{
    double answer = 0.0, most = 0.0;
    for (int k = 0; k < s->p->load_count * s->p->row_count; ++k) {
        answer = fmax(answer, fabs(s->p->B[k]));
    }
    for (int k = 0; k < s->p->row_count; ++k) {
        most = fmax(most, fabs(force[k]));
    }
    return fmax(answer * most, DBL_MIN);
}

/* Scalar load components of slipping joints have a kink where they change sign. */
static bool may_kink(const stroke *s, int element, int g)
{
    const friction_element *e = &s->p->elements[element];
    return s->w->turned[element].mode == FRICTION_SLIP && e->contact < 0 && g < e->group_count &&
           s->p->groups[e->first_group + g].dim == 1;
}

/* Signs of those components where a step begins; after a kink, on which they vanish but for rounding, as they are. */
static void find_signs(stroke *s, const friction_answer *a)
{
    double scale = load_scale(s, a->force);
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        for (int g = 0; g < e->group_count; ++g) {
            int l = s->p->groups[e->first_group + g].first;
            double value = may_kink(s, i, g) ? load_component(s, a->force, l) : 0.0;
            s->w->sign[l] = fabs(value) > on_kink * scale ? copysign(1.0, value) : s->w->sign[l];
        }
    }
}

static void check_signs(stroke *s, const friction_answer *a, turn_events *events)
{
    double scale = load_scale(s, a->force);
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        for (int g = 0; g < e->group_count; ++g) {
            int l = s->p->groups[e->first_group + g].first;
            if (!may_kink(s, i, g) || s->w->sign[l] == 0.0) {
                continue;
            }
            notice_of(events, -s->w->sign[l] * load_component(s, a->force, l) / scale, EVENT_KINK, l);
        }
    }
}

/* What has happened when the impulses are y. */
static turn_events look(stroke *s, const double *y)
{
    turn_events events = { .worst = -HUGE_VAL };
    friction_answer a;
    double sigma;
    if (!rates_at(s, y, true, &a, &sigma)) {
        return (turn_events){ .worst = HUGE_VAL, .which = EVENT_JAM };
    }
    check_cones(s, &a, &events);
    check_slips(s, &a, &events);
    check_signs(s, &a, &events);
    check_end(s, y, &events);
    notice(&events, folded - a.regularity, EVENT_JAM);
    return events;
}

/* The cubic through the ends of the step (w->y, w->y_end), with the slopes there, at the fraction x: w->y_new. */
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
    double fraction = isfinite(f_high) && isfinite(f_low) && k % 6 != 5 ? f_low / (f_low - f_high) : 0.5;
    return low + bounded(fraction, 1e-3, 1.0 - 1e-3) * (high - low);
}

/* Fraction of the step at which something happens, on the cubic: to 1e-5 or so, which is as good as that is. */
static double guess_event(stroke *s, double h, double before, double after)
{
    double low = 0.0, high = 1.0, f_low = fmin(before, -1e-300), f_high = after;
    memcpy(s->w->y_end, s->w->y_new, (size_t)(s->p->row_count + 1) * sizeof(double));
    if (!find_slope(s, s->w->y_end, s->w->slope_end)) {
        return 0.5;
    }
    for (int k = 0; k < ROOT_STEPS && high - low > 1e-5; ++k) {
        double x = guess_root(low, high, f_low, f_high, k);
        interpolate(s, h, x);
        double value = look(s, s->w->y_new).worst;
        if (fabs(value) <= 1e-7) {
            return x;
        }
        *(value > 0.0 ? &high : &low) = x;
        *(value > 0.0 ? &f_high : &f_low) = value;
        *(value > 0.0 ? &f_low : &f_high) *= 0.7; /* so that both ends move */
    }
    return 0.5 * (low + high);
}

/* A bracket of the length of the step at whose end the first event function vanishes. */
typedef struct bracket {
    double low, high, f_low, f_high;
    double last, f_last; /* the newest point */
    double slope;        /* of the function there, as far as known; 0: unknown */
} bracket;

/* The next length to try: by the secant through the last two points where that stays inside, else by halving. */
static double next_try(const bracket *b, int k)
{
    double secant = b->slope > 0.0 ? b->last - b->f_last / b->slope : -1.0;
    bool inside = secant > b->low && secant < b->high && k < 12;
    return inside ? secant : k % 2 ? 0.5 * (b->low + b->high) : guess_root(b->low, b->high, b->f_low, b->f_high, k);
}

static void narrow(bracket *b, double h, double value)
{
    double slope = isfinite(value) && isfinite(b->f_last) && h != b->last ? (value - b->f_last) / (h - b->last) : 0.0;
    b->slope = slope;
    b->last = h;
    b->f_last = value;
    if (value > 0.0) {
        b->high = h;
        b->f_high = value;
    } else {
        b->low = h;
        b->f_low = value;
    }
}

/* Shortens the step h, at whose end something has happened, until it only just has. The impulses there stay in
 * w->y_new. */
static turn_events locate(stroke *s, double h, turn_events after, double before)
{
    bracket b = {
        .high = h, .f_low = fmin(before, -1e-300), .f_high = after.worst, .last = h, .f_last = after.worst
    };
    double x = isfinite(after.worst) ? guess_event(s, h, before, after.worst) * h : 0.5 * h;
    for (int k = 0; k < ROOT_STEPS && b.high - b.low > 1e-15 * h; ++k) {
        step_size size = extrapolate(s, x);
        turn_events now = isfinite(size.error) ? look(s, s->w->y_new)
                                               : (turn_events){ .worst = HUGE_VAL, .which = EVENT_JAM };
        if (fabs(now.worst) <= at_event) {
            return now;
        }
        narrow(&b, x, now.worst);
        after = now.worst > 0.0 ? now : after;
        x = next_try(&b, k);
    }
    if (isfinite(after.worst) || b.low > 0.0) { /* not into a jam: the state before it is where it begins */
        extrapolate(s, isfinite(after.worst) ? b.high : b.low);
    } else {
        memcpy(s->w->y_new, s->w->y, (size_t)(s->p->row_count + 1) * sizeof(double));
    }
    return after;
}

/* ---- the integration ---- */

/* Which elements creep from now on, at the velocities in w->speed: those that begin from rest, and those that have done so
 * and are still slow; with rates given, others that are slow and get faster, too. */
static void find_creeping(stroke *s, const double *rate)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        double speed = speed_of(s, e), growth = 0.0;
        for (int d = 0; rate && d < e->dim; ++d) {
            growth += s->w->speed[e->first_row + d] * rate[e->first_row + d];
        }
        bool began = s->w->creeps[i] || speed <= s->still || growth > 0.0;
        s->w->creeps[i] = e->dim > 1 && s->w->state[i].mode == FRICTION_SLIP && began && speed <= s->creep_limit;
    }
}

/* slope at the beginning of a step, w->slope, with the signs there; false: joints jam. */
static bool begin_step(stroke *s, bool loosen)
{
    friction_answer a;
    double sigma;
    if (!rates_at(s, s->w->y, false, &a, &sigma)) {
        return false;
    }
    if (loosen) {
        s->creep_limit = fmin(10.0 * s->creep_limit, creeping_at_most * s->speed_scale);
        find_creeping(s, a.rate);
        return begin_step(s, false);
    }
    set_slope(s, &a, sigma, s->w->slope);
    find_signs(s, &a);
    return true;
}

/* At a kink of component `who`: with it, all that vanish there change their sign (joints in a row may be loaded, and
 * unloaded, by the same force). */
static void change_signs(stroke *s, int who)
{
    friction_answer a;
    double sigma;
    bool known = rates_at(s, s->w->y, true, &a, &sigma);
    for (int l = 0; l < s->p->load_count; ++l) {
        bool vanishes = known && fabs(load_component(s, a.force, l)) <= at_kink * load_scale(s, a.force);
        s->w->sign[l] = l == who || vanishes ? -s->w->sign[l] : s->w->sign[l];
    }
}

/* A step of length *h, or a part of it up to the next event, to w->y_new; *h becomes the next length. False: it has to be
 * tried again with that. */
static bool take_step(stroke *s, double *h, turn_events *events)
{
    step_size size = extrapolate(s, *h);
    double tried = *h, before = events->worst;
    *h = size.next;
    if (size.error > step_tolerance && tried > (isfinite(size.error) ? 1e-9 : shortest)) {
        return false;
    }
    turn_events after = isfinite(size.error) ? look(s, s->w->y_new)
                                             : (turn_events){ .worst = HUGE_VAL, .which = EVENT_JAM };
    if (after.worst == HUGE_VAL && tried > shortest) {
        *h = 0.25 * tried;
        return false;
    }
    bool happened = after.worst > 0.0;
    if (happened && before > already) {
        memcpy(s->w->y_new, s->w->y, (size_t)(s->p->row_count + 1) * sizeof(double));
    } else {
        *events = happened ? locate(s, tried, after, before) : after;
    }
    events->happened = happened;
    return true;
}

/* Takes what moves for moving; whether anything did, but crept. */
static bool drop_creeping(stroke *s)
{
    bool any = false;
    for (int i = 0; i < s->p->element_count; ++i) {
        bool drops = s->w->creeps[i] && stroke_moves(s, i);
        any = any || drops;
        s->w->creeps[i] = s->w->creeps[i] && !drops;
    }
    return any;
}

/* The joint that jams just beyond w->y, where the slope is w->slope. */
static int find_culprit(stroke *s)
{
    strike_work *w = s->w;
    friction_answer a;
    double sigma;
    for (int k = 0; k <= s->p->row_count; ++k) {
        w->y_new[k] = w->y[k] + 100.0 * shortest * w->slope[k];
    }
    if (!rates_at(s, w->y_new, false, &a, &sigma)) {
        return a.jammed;
    }
    return rates_at(s, w->y, false, &a, &sigma) ? friction_weakest(w->friction, s->p) : a.jammed;
}

/* What is the case at the beginning. An event there may be one of creeping only: that a stuck element could not hold,
 * which friction_choose, who knows nothing of that, has just let hold. */
static turn_events look_first(stroke *s)
{
    turn_events events = look(s, s->w->y);
    return events.worst > already && drop_creeping(s) ? look(s, s->w->y) : events;
}

/* Steps until something happens; y then in w->y. */
static turn_events integrate(stroke *s)
{
    strike_work *w = s->w;
    turn_events events = look_first(s);
    double h = 0.25;
    for (int k = 0; k < TURN_STEPS; ++k) {
        ++s->turn_steps;
        if (!begin_step(s, k % LOOSEN_AFTER == LOOSEN_AFTER - 1)) {
            return (turn_events){ .worst = HUGE_VAL, .which = EVENT_JAM, .happened = true };
        }
        if (!take_step(s, &h, &events)) {
            continue;
        }
        memcpy(w->y, w->y_new, (size_t)(s->p->row_count + 1) * sizeof(double));
        bool kink = events.happened && events.which == EVENT_KINK;
        if ((events.happened && !kink) || events.vanished || !events.turning) {
            return events;
        }
        if (kink) {
            change_signs(s, events.who);
            events = look(s, w->y);
        }
        find_speed(s, w->y);
        find_creeping(s, NULL);
    }
    return events;
}

double stroke_turn(stroke *s)
{
    strike_work *w = s->w;
    int rows = s->p->row_count;
    memset(w->y, 0, (size_t)(rows + 1) * sizeof(double));
    memset(w->sign, 0, (size_t)s->p->load_count * sizeof(double));
    memcpy(w->turned, w->state, (size_t)s->p->element_count * sizeof(friction_state));
    s->creep_limit = fmax(s->creep_limit, creeping * s->speed_scale);
    find_speed(s, w->y);
    find_creeping(s, NULL);
    turn_events events = integrate(s);
    int culprit = events.happened && events.which == EVENT_JAM ? find_culprit(s) : -1;
    look(s, w->y); /* whose slip has gone: w->stop */
    if (events.happened && events.which == EVENT_STOP) {
        w->stop[events.who] = true;
        s->stops_again = events.who;
    }
    s->jams_next = culprit;
    s->finished = events.happened && events.which == EVENT_END;
    s->going_on = !events.happened && !events.vanished;
    memcpy(w->impulse, w->y, (size_t)rows * sizeof(double));
    return w->y[rows];
}
