/* Bodies squeezed by prescribed motion: contacts that approach although no impulse can stop them.
 *
 * With D positive semidefinite there are no x >= 0 with u + D x >= 0 exactly if some y >= 0 has D y = 0 and y . u < 0
 * [Farkas]; then y . u is the same after any impulses, those of friction included, since D y = 0 holds in all rows. Such a y
 * is the direction in which Gauss-Seidel sweeps for min x.D.x/2 + u.x over x >= 0 go on for ever. */
#include <math.h>
#include <string.h>

#include "methods/impact/instant.h"

enum { SWEEPS = 400 };

static const double NULL_ROW = 1e-9; /* of D y against the largest that D makes of y: none */

static double row_times(const reduction *r, int row, const double *x)
{
    double sum = 0.0;
    for (int c = 0; c < r->site_count; ++c) {
        sum += r->D[row * r->problem.row_count + c] * x[c];
    }
    return sum;
}

static void sweep(const reduction *r, double *x)
{
    for (int c = 0; c < r->site_count; ++c) {
        double diagonal = r->D[c * r->problem.row_count + c];
        if (diagonal > 0.0) {
            x[c] = fmax(0.0, x[c] - (r->u[c] + row_times(r, c, x)) / diagonal);
        }
    }
}

static bool proves(const reduction *r, const double *y)
{
    double product = 0.0;
    double size = 0.0;
    double least = 0.0;
    double largest = 0.0;
    for (int c = 0; c < r->site_count; ++c) {
        product += y[c] * r->u[c];
        size += fabs(y[c] * r->u[c]);
        least = fmin(least, y[c]);
        largest = fmax(largest, y[c] * r->D[c * r->problem.row_count + c]);
    }
    bool proof = product < -1e-6 * size && largest > 0.0 && least >= 0.0;
    for (int row = 0; row < r->site_count && proof; ++row) {
        proof = fabs(row_times(r, row, y)) <= NULL_ROW * largest;
    }
    return proof;
}

/* The first and the last site that take part. */
static void name_sites(const instant *now, const double *y, const site *out[2])
{
    double most = 0.0;
    for (int c = 0; c < now->iw->reduced.site_count; ++c) {
        most = fmax(most, y[c]);
    }
    for (int c = 0; c < now->iw->reduced.site_count; ++c) {
        if (y[c] > 1e-3 * most) {
            out[0] = out[0] ? out[0] : &now->iw->found.items[c];
            out[1] = &now->iw->found.items[c];
        }
    }
}

carom_status instant_check_squeezed(const instant *now)
{
    const reduction *r = &now->iw->reduced;
    double *x = CAROM_ARENA_ARRAY(&now->iw->moment, double, r->site_count + 1);
    double *y = CAROM_ARENA_ARRAY(&now->iw->moment, double, r->site_count + 1);
    if (!x || !y) {
        return no_memory(now);
    }
    for (int k = 0; k < SWEEPS; ++k) {
        if (k == SWEEPS / 2) {
            memcpy(y, x, (size_t)r->site_count * sizeof *y);
        }
        sweep(r, x);
    }
    for (int c = 0; c < r->site_count; ++c) {
        y[c] = x[c] - y[c];
    }
    if (!proves(r, y)) {
        return CAROM_OK;
    }
    const site *named[2] = { NULL, NULL };
    name_sites(now, y, named);
    return carom_fail(now->c->err, CAROM_NOT_CONVERGED,
                      "rigid bodies are squeezed at t = %.9g s, from the contact of '%.80s' and '%.80s' to that of "
                      "'%.80s' and '%.80s': none can give way; end the prescribed motion before, or make room",
                      *now->s->time, body_name(now, named[0]->body[0]), body_name(now, named[0]->body[1]),
                      body_name(now, named[1]->body[0]), body_name(now, named[1]->body[1]));
}
