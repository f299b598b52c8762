/* Lasting contact: all combinations, one after another, and of several that fit the one that stays as mu goes to zero
 * (Painleve). */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/rest_parts.h"

/* ---- all combinations --------------------------------------------------------------------------------------------- */

/* Contacts: closed, open. Elements at rest: hold, slip one way or the other (dim 1), hold, slip. */
static int digits_of(const rest_work *w, const reduced_problem *p, int item)
{
    if (item < p->contact_count) {
        return 2;
    }
    int e = item - p->contact_count;
    return w->moving[e] ? 1 : (p->elements[e].dim == 1 ? 3 : 2);
}

double rest_count_combinations(const rest_work *w, const reduced_problem *p)
{
    double count = 1.0;
    for (int item = 0; item < p->contact_count + p->element_count; ++item) {
        count *= (double)digits_of(w, p, item);
    }
    return count;
}

/* The next combination, elements first; false after the last. */
static bool next_combination(rest_work *w, const reduced_problem *p)
{
    for (int item = p->contact_count + p->element_count - 1; item >= 0; --item) {
        if (++w->digit[item] < digits_of(w, p, item)) {
            return true;
        }
        w->digit[item] = 0;
    }
    return false;
}

/* Friction at an open contact has one way only. */
static bool sensible(const rest_work *w, const reduced_problem *p)
{
    for (int e = 0; e < p->element_count; ++e) {
        int contact = p->elements[e].contact;
        if (contact >= 0 && w->digit[contact] == 1 && w->digit[p->contact_count + e] != 0) {
            return false;
        }
    }
    return true;
}

/* Sets the combination; returns whether directions are still to be found. */
static bool set_combination(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    bool open_directions = false;
    rest_close_all(w, p, a);
    for (int e = 0; e < p->element_count; ++e) {
        int digit = w->digit[p->contact_count + e];
        if (digit > 0) {
            a->state[e] = (friction_state){ .mode = FRICTION_SLIP, .direction = { digit == 1 ? 1.0 : -1.0 } };
            open_directions = open_directions || p->elements[e].dim > 1;
        }
    }
    for (int c = 0; c < p->contact_count; ++c) {
        if (w->digit[c] == 1) {
            rest_open_contact(p, c, a);
        }
    }
    return open_directions;
}

/* Slip that begins in a plane: first tried along the way that it would take without friction. */
static void start_directions(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    rest_copy_answer(p, a, &w->other);
    for (int e = 0; e < p->element_count; ++e) {
        if (rest_turns(w, p, a, e)) {
            w->other.state[e] = (friction_state){ .mode = FRICTION_NONE };
        }
    }
    if (rest_try_rates(w, p, &w->other) != REST_OK) {
        return;
    }
    for (int e = 0; e < p->element_count; ++e) {
        if (rest_turns(w, p, a, e)) {
            rest_direct(&p->elements[e], w->other.rate, 1.0, &a->state[e]);
        }
    }
}

/* If Newton's method does not find the direction of a single element in a plane, it starts again from many. */
static bool try_all_directions(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    enum { STARTS = 24 };
    turn list[MOST_TURNS];
    start_directions(w, p, a);
    if (rest_try_answer(w, p, a)) {
        return true;
    }
    int count = rest_list_turns(w, p, a, list, MOST_TURNS);
    for (int i = 0; count == 1 && i < STARTS; ++i) {
        double angle = 2.0 * acos(-1.0) * (double)i / STARTS;
        a->state[list[0].e].direction[0] = cos(angle);
        a->state[list[0].e].direction[1] = sin(angle);
        if (rest_try_answer(w, p, a)) {
            return true;
        }
    }
    return false;
}

static bool try_combination(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    return set_combination(w, p, a) ? try_all_directions(w, p, a) : rest_try_answer(w, p, a);
}

/* ---- Painleve ----------------------------------------------------------------------------------------------------- */

double rest_turned_response(const rest_work *w, const reduced_problem *p, int contact)
{
    const double *D = p->D + (size_t)contact * (size_t)p->row_count;
    double response = D[contact];
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        if (el->contact == contact && w->moving[e]) {
            response -= el->mu * rest_slip_along(el, &w->along[e], D);
        }
    }
    return D[contact] > 0.0 ? response / D[contact] : 1.0;
}

int rest_count_turned(const rest_work *w, const reduced_problem *p, const bool *closed)
{
    int count = 0;
    for (int c = 0; c < p->contact_count; ++c) {
        count += (!closed || closed[c]) && !(rest_turned_response(w, p, c) > ROUNDING);
    }
    return count;
}

/* Other accelerations, not the same in another guise. */
static bool differs(const reduced_problem *p, const rest_answer *a, const rest_answer *b)
{
    double tolerance = 1e3 * fmax(rest_scale_of(p, a).rate, rest_scale_of(p, b).rate);
    for (int row = 0; row < p->row_count; ++row) {
        if (fabs(a->rate[row] - b->rate[row]) > tolerance) {
            return true;
        }
    }
    return false;
}

bool rest_try_all(rest_work *w, const reduced_problem *p, bool all)
{
    bool found = false;
    w->alone = true; /* what redundant contacts do is among the combinations */
    memset(w->digit, 0, sizeof(int) * (size_t)(p->contact_count + p->element_count));
    do {
        if (!sensible(w, p) || !try_combination(w, p, &w->trial)) {
            continue;
        }
        bool another = found && differs(p, &w->trial, &w->answer);
        bool ambiguous = another || (found && w->answer.ambiguous);
        bool better = another && rest_count_turned(w, p, w->trial.closed) < rest_count_turned(w, p, w->answer.closed);
        if (!found || better) {
            rest_copy_answer(p, &w->trial, &w->answer);
        }
        w->answer.ambiguous = ambiguous;
        found = true;
    } while ((all || !found) && !carom_stop_asked(p->stop) && next_combination(w, p));
    w->alone = false;
    return found;
}
