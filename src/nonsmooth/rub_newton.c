/* Friction over a step: Newton's method on p = disc(p - s/stiff), s = c + D p (semismooth: the projection's derivative is that
 * of the piece where the present value lies). Elements that slip fast are left to the sweeps, which settle them at once.
 * Redundant ones that hold have a singular matrix; a little on the diagonal chooses the smallest change. While all hold the
 * factor of the matrix is kept. */
#include "nonsmooth/rub_work.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"

static const double LITTLE = 1e-9; /* on the diagonal, relative */

static void list_unknowns(rub_work *w)
{
    w->unknowns = 0;
    for (int e = 0; e < w->p->element_count; ++e) {
        for (int d = 0; d < w->p->elements[e].dim && rub_active(w, e) && !w->fast[e]; ++d) {
            w->row[w->unknowns] = rub_first(w, e) + d;
            w->element[w->unknowns++] = e;
        }
    }
}

/* Within the disc: s_i = 0. */
static void hold_row(rub_work *w, int k)
{
    double stiff = w->stiff[w->element[k]];
    const double *D = w->D + (size_t)w->row[k] * (size_t)w->count;
    double *line = w->matrix + (size_t)k * (size_t)w->unknowns;
    for (int l = 0; l < w->unknowns; ++l) {
        line[l] = D[w->row[l]] / stiff;
    }
    line[k] += LITTLE;
    w->step[k] = -w->slip[w->row[k]] / stiff;
}

/* Beyond it: p_i = radius n with n along p - s/stiff; dn = (1 - n n)(dp - D dp/stiff) / |p - s/stiff|. */
static void slip_row(rub_work *w, int k, const double *wanted, double size)
{
    int e = w->element[k];
    int first = rub_first(w, e);
    int d = w->row[k] - first;
    double radius = w->radius[e];
    double *line = w->matrix + (size_t)k * (size_t)w->unknowns;
    memset(line, 0, (size_t)w->unknowns * sizeof(double));
    for (int i = 0; i < w->p->elements[e].dim; ++i) {
        double across = ((i == d ? 1.0 : 0.0) - wanted[d] * wanted[i] / (radius * radius)) * radius / size;
        const double *D = w->D + (size_t)(first + i) * (size_t)w->count;
        for (int l = 0; across != 0.0 && l < w->unknowns; ++l) {
            line[l] += across * (D[w->row[l]] / w->stiff[e] - (w->row[l] == first + i ? 1.0 : 0.0));
        }
    }
    line[k] += 1.0;
    w->step[k] = wanted[d] - w->impulse[w->row[k]];
}

static void fill(rub_work *w)
{
    for (int k = 0; k < w->unknowns; ++k) {
        double wanted[SLIP_DIM];
        double size = rub_wanted(w, w->element[k], wanted);
        if (size <= w->radius[w->element[k]]) {
            hold_row(w, k);
        } else {
            slip_row(w, k, wanted, size);
        }
    }
}

/* ---- all hold ---------------------------------------------------------------------------------------------------------- */

static bool all_hold(const rub_work *w)
{
    double wanted[SLIP_DIM];
    for (int e = 0; e < w->p->element_count; ++e) {
        if (rub_active(w, e) && !w->fast[e] && rub_wanted(w, e, wanted) > w->radius[e]) {
            return false;
        }
    }
    return true;
}

static bool factor_fits(const rub_work *w)
{
    return w->held == w->unknowns && memcmp(w->held_row, w->row, (size_t)w->held * sizeof(int)) == 0;
}

/* Cholesky's factor of D + a little, of the rows that hold. */
static void factor_held(rub_work *w)
{
    int n = w->held = w->unknowns;
    double *A = w->factor;
    double *least = w->step;
    memcpy(w->held_row, w->row, (size_t)n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        const double *D = w->D + (size_t)w->row[i] * (size_t)w->count;
        double little = LITTLE * w->stiff[w->element[i]];
        for (int k = 0; k <= i; ++k) {
            A[i * n + k] = D[w->row[k]] + (i == k ? little : 0.0);
        }
        least[i] = 0.5 * little;
    }
    dense_cholesky(A, n, least);
}

static void solve_held(rub_work *w)
{
    for (int i = 0; i < w->held; ++i) {
        w->step[i] = -w->slip[w->row[i]];
    }
    dense_cholesky_forward(w->factor, w->step, w->held);
    dense_cholesky_backward(w->factor, w->step, w->held);
    w->effort += 1.0;
}

static void solve_mixed(rub_work *w)
{
    fill(w);
    if (!dense_eliminate(w->matrix, w->step, w->unknowns, 0.0, NULL)) {
        memset(w->step, 0, (size_t)w->unknowns * sizeof(double)); /* sweeps go on alone */
    }
    w->effort += 1.0 + (double)w->unknowns / 3.0;
}

void rub_newton(rub_work *w)
{
    list_unknowns(w);
    if (all_hold(w)) {
        if (!factor_fits(w)) {
            factor_held(w);
            w->effort += (double)w->unknowns / 6.0;
        }
        solve_held(w);
    } else {
        solve_mixed(w);
    }
    for (int k = 0; k < w->unknowns; ++k) {
        w->impulse[w->row[k]] += isfinite(w->step[k]) ? w->step[k] : 0.0;
    }
}
