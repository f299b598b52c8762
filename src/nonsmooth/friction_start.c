/* Directions in which slip begins from rest, in a plane or in space: every element's in turn with the loads as
 * they are (friction_direction.c), in relaxed rounds, and where these do not settle by Newton's method (friction_newton.c). */
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/friction_work.h"

enum { RELAXED_ROUNDS = 40, PLAIN_ROUNDS = 200 }; /* of a search */

/* Directions that a round changes by this are exact; by this, found (loads near their fold leave a little more). */
static const double exact = 4e-15;
static const double found = 1e-12;
/* A round adds no less, and no more, of its residual than this. */
static const double least_part = 0.1;
static const double most_part = 4.0;

/* How much of its residual a round adds, from this residual and the last, for an error that shrinks (or grows) by a
 * constant factor from round to round [Irons1969]. */
static double relaxation(const friction_work *w, int rows, double last)
{
    double product = 0.0, square = 0.0;
    for (int k = 0; k < rows; ++k) {
        double change = w->residual[k] - w->last_residual[k];
        product += w->last_residual[k] * change;
        square += change * change;
    }
    double next = square > 0.0 ? -last * product / square : 1.0;
    return isfinite(next) ? fmin(most_part, fmax(least_part, next)) : 1.0;
}

static void turn_direction(friction_work *w, const reduced_problem *p, int i, double part)
{
    const friction_element *e = &p->elements[i];
    double *u = w->state[i].direction;
    for (int d = 0; d < e->dim; ++d) {
        u[d] += part * w->residual[e->first_row + d];
    }
    double size = norm(u, e->dim);
    for (int d = 0; size > 0.0 && d < e->dim; ++d) {
        u[d] /= size;
    }
}

/* One round: every direction anew with the loads as they are; returns the largest change that was wanted. */
static double improve_directions(friction_work *w, const reduced_problem *p, int round, double *part)
{
    int rows = p->row_count;
    memcpy(w->last_residual, w->residual, (size_t)rows * sizeof(double));
    memset(w->residual, 0, (size_t)rows * sizeof(double));
    for (int r = 0; r < w->resting_count; ++r) {
        if (friction_searched(w, p, r) && !friction_find_residual(w, p, r)) {
            return HUGE_VAL;
        }
    }
    *part = round < 2 ? 1.0 : relaxation(w, rows, *part);
    for (int r = 0; r < w->resting_count; ++r) {
        if (friction_searched(w, p, r)) {
            turn_direction(w, p, w->resting[r], *part);
        }
    }
    return largest(w->residual, rows);
}

/* Starts the search along the forces that would have held. False: an element needs none. */
static bool guess_directions(friction_work *w, const reduced_problem *p)
{
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        const friction_element *e = &p->elements[i];
        if (w->trial[i].mode != FRICTION_SLIP || e->dim == 1) {
            continue;
        }
        double size = norm(w->force + e->first_row, e->dim);
        if (!(size > 0.0)) {
            return false;
        }
        w->trial[i].direction[2] = 0.0;
        for (int d = 0; d < e->dim; ++d) {
            w->trial[i].direction[d] = -w->force[e->first_row + d] / size;
        }
    }
    return true;
}

/* Rounds until directions stay; with `relaxed`, each round goes as far as the last two suggest. *change: wanted last. */
static friction_outcome search(friction_work *w, const reduced_problem *p, const double *normal, bool relaxed,
                               friction_answer *out, double *change)
{
    friction_outcome outcome = friction_find_rates(w, p, normal, out);
    double part = 1.0;
    *change = 0.0;
    for (int k = 0;
         k < (relaxed ? RELAXED_ROUNDS : PLAIN_ROUNDS) && outcome == FRICTION_OK && !carom_stop_asked(p->stop); ++k) {
        *change = improve_directions(w, p, relaxed ? k : 0, &part);
        if (!isfinite(*change)) {
            return FRICTION_INCONSISTENT;
        }
        if (*change <= exact) {
            break;
        }
        outcome = friction_find_rates(w, p, normal, out);
    }
    return outcome;
}

friction_outcome friction_improve_start(friction_work *w, const reduced_problem *p, const double *normal,
                                        friction_answer *out)
{
    double change;
    memcpy(w->begin, w->state, (size_t)p->element_count * sizeof *w->state);
    friction_find_rates(w, p, normal, out); /* lists the stuck rows */
    for (int r = 0; r < w->resting_count; ++r) {
        if (friction_searched(w, p, r)) {
            friction_own_answer(w, p, w->resting[r], w->own + r * SLIP_DIM * SLIP_DIM);
        }
    }
    friction_outcome outcome = search(w, p, normal, true, out, &change);
    if (outcome == FRICTION_OK && change <= found) {
        return outcome;
    }
    memcpy(w->state, w->begin, (size_t)p->element_count * sizeof *w->state);
    if (friction_start_by_newton(w, p, normal, out)) {
        return FRICTION_OK;
    }
    memcpy(w->state, w->begin, (size_t)p->element_count * sizeof *w->state);
    return search(w, p, normal, false, out, &change);
}

/* Takes the states to be tried, those that are to start in a plane or in space as stuck; whether there are such. */
static bool hold_searched(friction_work *w, const reduced_problem *p)
{
    bool any = false;
    memcpy(w->state, w->trial, (size_t)p->element_count * sizeof *w->state);
    for (int r = 0; r < w->resting_count; ++r) {
        if (friction_searched(w, p, r)) {
            any = true;
            w->state[w->resting[r]] = (friction_state){ .mode = FRICTION_STICK };
        }
    }
    return any;
}

friction_outcome friction_find_start(friction_work *w, const reduced_problem *p, const double *normal,
                                     friction_answer *out)
{
    bool any = hold_searched(w, p);
    friction_outcome outcome = friction_find_rates(w, p, normal, out);
    if (!any || outcome != FRICTION_OK) {
        return outcome;
    }
    if (!guess_directions(w, p)) {
        return FRICTION_INCONSISTENT;
    }
    memcpy(w->state, w->trial, (size_t)p->element_count * sizeof *w->state);
    return friction_improve_start(w, p, normal, out);
}
