/* The direction in which one element begins to slip from rest, in a plane or in space: the unit vector u along
 * which the element's own rate W v'(u) points, loads and the others' directions being as they are. */
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/friction_work.h"

enum { SHIFTS = 100 }; /* monotone: bounded only against rounding */

/* A length of 1, and a shift that leaves A + s regular: rounding. */
static const double rounding = 1e-15;

void friction_own_answer(friction_work *w, const reduced_problem *p, int i, double *own)
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
    return dense_eliminate(lu, x, dim, 0.0, NULL);
}

/* The unit vector u with b - A u = s u, s >= 0, for a symmetric positive semidefinite A: Newton's method for
 * 1 / |(A + s)^-1 b| = 1 [More1983], monotone from below. Where |A^-1 b| <= 1 the element could hold: u is
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
    double s = fmax(rounding * (length + trace), length - trace);
    for (int k = 0; k < SHIFTS; ++k) {
        double x[SLIP_DIM], y[SLIP_DIM];
        if (!shifted_solve(A, s, b, dim, x)) {
            return false;
        }
        double size = norm(x, dim);
        memcpy(u, x, (size_t)dim * sizeof(double));
        if (size <= 1.0 + rounding || !shifted_solve(A, s, x, dim, y)) {
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

bool friction_searched(const friction_work *w, const reduced_problem *p, int r)
{
    return slips(&w->state[w->resting[r]]) && p->elements[w->resting[r]].dim > 1;
}

bool friction_find_residual(friction_work *w, const reduced_problem *p, int r)
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
