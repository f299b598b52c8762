/* Directions in which several elements begin to slip, by Newton's method: finds what repels the plain iteration of
 * friction_start.c. All that decides (the size of residuals, the steps) is the same whatever the axes of slip are, so that
 * the same directions are found. */
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/friction_work.h"

enum { NEWTON_ROUNDS = 30 };

/* Changes of a direction by which slopes are found: the square root of rounding. */
static const double difference = 1e-7;
/* A step is not shortened below this, and must reduce residuals by this part of what it promises. */
static const double shortest = 1e-3;
static const double helps = 0.1;
/* Residuals of directions that get no better, and of those that have been found (a little more, for rounding in loads). */
static const double exact = 1e-14;
static const double found = 1e-12;

/* How far directions are from where they should be: w->residual; HUGE_VAL: joints jam, or a direction is not found. */
static double find_residuals(friction_work *w, const reduced_problem *p, const double *normal, friction_answer *out)
{
    memset(w->residual, 0, (size_t)p->row_count * sizeof(double));
    if (friction_find_rates(w, p, normal, out) != FRICTION_OK) {
        return HUGE_VAL;
    }
    for (int r = 0; r < w->resting_count; ++r) {
        if (friction_searched(w, p, r) && !friction_find_residual(w, p, r)) {
            return HUGE_VAL;
        }
    }
    return norm(w->residual, p->row_count); /* which no choice of axes changes */
}

static int list_turning_rows(friction_work *w, const reduced_problem *p)
{
    int count = 0;
    for (int r = 0; r < w->resting_count; ++r) {
        const friction_element *e = &p->elements[w->resting[r]];
        for (int d = 0; friction_searched(w, p, r) && d < e->dim; ++d) {
            w->turning_row[count++] = e->first_row + d;
        }
    }
    return count;
}

/* Directions of w->at, changed by `part` of w->turn. */
static void turn_by(friction_work *w, const reduced_problem *p, double part)
{
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r];
        if (!friction_searched(w, p, r)) {
            continue;
        }
        const friction_element *e = &p->elements[i];
        double *u = w->state[i].direction;
        for (int d = 0; d < e->dim; ++d) {
            u[d] = w->at[i].direction[d] + part * w->turn[e->first_row + d];
        }
        double size = norm(u, e->dim);
        for (int d = 0; d < e->dim; ++d) {
            u[d] /= size;
        }
    }
}

/* Residuals do not know of lengths: lets the system ask for no change of them. */
static void keep_lengths(friction_work *w, const reduced_problem *p, int count)
{
    int first = 0;
    for (int r = 0; r < w->resting_count; ++r) {
        int i = w->resting[r], dim = p->elements[i].dim;
        const double *u = w->at[i].direction;
        for (int k = 0; friction_searched(w, p, r) && k < dim * dim; ++k) {
            w->turning[(first + k / dim) * count + first + k % dim] -= u[k / dim] * u[k % dim];
        }
        first += friction_searched(w, p, r) ? dim : 0;
    }
}

/* Slope of the residuals with the directions by differences, column by column; false: not defined. */
static bool find_turning(friction_work *w, const reduced_problem *p, const double *normal, int count,
                         friction_answer *out)
{
    for (int c = 0; c < count; ++c) {
        memset(w->turn, 0, (size_t)p->row_count * sizeof(double));
        w->turn[w->turning_row[c]] = 1.0;
        turn_by(w, p, difference);
        if (!isfinite(find_residuals(w, p, normal, out))) {
            return false;
        }
        for (int k = 0; k < count; ++k) {
            int row = w->turning_row[k];
            w->turning[k * count + c] = (w->residual[row] - w->last_residual[row]) / difference;
        }
    }
    keep_lengths(w, p, count);
    return true;
}

/* A step of Newton's method, shortened until it helps; the size of the residuals then, or as it was. */
static double newton_turn(friction_work *w, const reduced_problem *p, const double *normal, double size,
                          friction_answer *out)
{
    int count = list_turning_rows(w, p);
    size_t bytes = (size_t)p->element_count * sizeof *w->state;
    memcpy(w->at, w->state, bytes);
    memcpy(w->last_residual, w->residual, (size_t)p->row_count * sizeof(double));
    if (!find_turning(w, p, normal, count, out)) {
        return size;
    }
    for (int k = 0; k < count; ++k) {
        w->right[k] = -w->last_residual[w->turning_row[k]];
    }
    dense_solve(w->turning, w->right, count, friction_rank_tolerance, w->scratch);
    memset(w->turn, 0, (size_t)p->row_count * sizeof(double));
    for (int k = 0; k < count; ++k) {
        w->turn[w->turning_row[k]] = w->right[k];
    }
    for (double part = 1.0; part > shortest; part *= 0.5) {
        turn_by(w, p, part);
        double now = find_residuals(w, p, normal, out);
        if (now < size * (1.0 - helps * part)) {
            return now;
        }
    }
    memcpy(w->state, w->at, bytes);
    return size;
}

bool friction_start_by_newton(friction_work *w, const reduced_problem *p, const double *normal, friction_answer *out)
{
    double size = find_residuals(w, p, normal, out);
    for (int k = 0; k < NEWTON_ROUNDS && isfinite(size) && size > exact; ++k) {
        double now = newton_turn(w, p, normal, size, out);
        if (now >= size) {
            break;
        }
        size = now;
    }
    return size <= found && friction_find_rates(w, p, normal, out) == FRICTION_OK;
}
