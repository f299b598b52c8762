/* Directions in which slip begins from rest, in a plane or in space [spec 4.3]: the unit vector u along which the element's
 * own rate W v'(u) points. */
#include <string.h>

#include "linalg/dense.h"
#include "methods/impact/friction_work.h"

enum { RELAXED_ROUNDS = 40, PLAIN_ROUNDS = 200 }; /* of a search */

/* How element i answers its own force while all stuck rows hold, into `own` (dim x dim). */
static void find_own_answer(friction_work *w, const reduced_problem *p, int i, double *own)
{
    const friction_element *e = &p->elements[i];
    int rows = p->row_count, n = w->stuck_count, dim = e->dim;
    for (int k = 0; k < n; ++k) {
        for (int l = 0; l < n; ++l) {
            w->matrix[k * n + l] = p->D[w->stuck[k] * rows + w->stuck[l]];
        }
        for (int d = 0; d < dim; ++d) {
            w->right[k * dim + d] = -p->D[w->stuck[k] * rows + e->first_row + d];
        }
    }
    if (n > 0) {
        dense_solve_many(w->matrix, w->right, n, dim, friction_rank_tolerance, w->scratch);
    }
    for (int c = 0; c < dim; ++c) {
        for (int d = 0; d < dim; ++d) {
            double sum = p->D[(e->first_row + c) * rows + e->first_row + d];
            for (int k = 0; k < n; ++k) {
                sum += p->D[(e->first_row + c) * rows + w->stuck[k]] * w->right[k * dim + d];
            }
            own[c * dim + d] = sum;
        }
    }
}

/* x = (A + s I)^-1 b; false: singular. */
static bool shifted_solve(const double *A, double s, const double *b, int dim, double *x)
{
    double lu[SLIP_DIM * SLIP_DIM];
    for (int k = 0; k < dim * dim; ++k) {
        lu[k] = A[k] + (k % (dim + 1) == 0 ? s : 0.0);
    }
    memcpy(x, b, (size_t)dim * sizeof(double));
    return friction_eliminate(lu, x, dim) != 0.0;
}

/* The unit vector u with b - A u = s u, s >= 0, for a symmetric positive semidefinite A: Newton's method for
 * 1 / |(A + s)^-1 b| = 1 [More & Sorensen 1983], monotone from below. Where |A^-1 b| <= 1 the element could hold: u is
 * the direction of A^-1 b then. False: b vanishes. */
static bool solve_direction(const double *A, const double *b, int dim, double *u)
{
    double length = norm(b, dim), trace = 0.0;
    for (int d = 0; d < dim; ++d) {
        trace += A[d * dim + d];
    }
    if (!(length > 0.0)) {
        return false;
    }
    double s = fmax(1e-15 * (length + trace), length - trace);
    for (int k = 0; k < 100; ++k) {
        double x[SLIP_DIM], y[SLIP_DIM];
        if (!shifted_solve(A, s, b, dim, x)) {
            return false;
        }
        double size = norm(x, dim);
        memcpy(u, x, (size_t)dim * sizeof(double));
        if (size <= 1.0 + 1e-15 || !shifted_solve(A, s, x, dim, y)) {
            break;
        }
        double next = s + (size - 1.0) * size * size / dot(x, y, dim);
        if (!(next > s)) {
            break;
        }
        s = next;
    }
    double size = norm(u, dim);
    for (int d = 0; d < dim; ++d) {
        u[d] /= size;
    }
    return isfinite(size) && size > 0.0;
}

static bool searched(const friction_work *w, const reduced_problem *p, int r)
{
    return slips(&w->state[w->resting[r]]) && p->elements[w->resting[r]].dim > 1;
}

/* The direction of an element anew, with the loads as they are: w->residual is how far it is from the present one. */
static bool find_residual(friction_work *w, const reduced_problem *p, int r)
{
    int i = w->resting[r];
    const friction_element *e = &p->elements[i];
    double A[SLIP_DIM * SLIP_DIM], b[SLIP_DIM], u[SLIP_DIM] = { 0 };
    const double *direction = w->state[i].direction;
    for (int k = 0; k < e->dim * e->dim; ++k) {
        A[k] = e->mu * w->load[i] * w->own[r * SLIP_DIM * SLIP_DIM + k];
    }
    for (int d = 0; d < e->dim; ++d) {
        b[d] = w->rate[e->first_row + d] + dot(A + d * e->dim, direction, e->dim);
    }
    bool found = solve_direction(A, b, e->dim, u);
    for (int d = 0; d < e->dim; ++d) {
        w->residual[e->first_row + d] = u[d] - direction[d];
    }
    return found;
}

/* How much of its residual a round adds, from this residual and the last, for an error that shrinks (or grows) by a
 * constant factor from round to round [Irons & Tuck 1969]. */
static double relaxation(const friction_work *w, int rows, double last)
{
    double product = 0.0, square = 0.0;
    for (int k = 0; k < rows; ++k) {
        double change = w->residual[k] - w->last_residual[k];
        product += w->last_residual[k] * change;
        square += change * change;
    }
    double next = square > 0.0 ? -last * product / square : 1.0;
    return isfinite(next) ? fmin(4.0, fmax(0.1, next)) : 1.0;
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
        if (searched(w, p, r) && !find_residual(w, p, r)) {
            return HUGE_VAL;
        }
    }
    *part = round < 2 ? 1.0 : relaxation(w, rows, *part);
    for (int r = 0; r < w->resting_count; ++r) {
        if (searched(w, p, r)) {
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
    for (int k = 0; k < (relaxed ? RELAXED_ROUNDS : PLAIN_ROUNDS) && outcome == FRICTION_OK; ++k) {
        *change = improve_directions(w, p, relaxed ? k : 0, &part);
        if (!isfinite(*change)) {
            return FRICTION_INCONSISTENT;
        }
        if (*change <= 4e-15) {
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
        if (searched(w, p, r)) {
            find_own_answer(w, p, w->resting[r], w->own + r * SLIP_DIM * SLIP_DIM);
        }
    }
    friction_outcome outcome = search(w, p, normal, true, out, &change);
    if (outcome == FRICTION_OK && change <= 1e-12) {
        return outcome;
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
        if (searched(w, p, r)) {
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
