/* The impulses of an explicit step [paper 2 (2)-(4), at positions]: with u for the velocities of the rows,
 *
 *     0 <= P_n  _|_  g + h u_n >= 0
 *     u_t = 0 while |P_t| <= mu P_n, else P_t = mu P_n against the slip
 *
 * by block Gauss-Seidel over contacts. A contact that sticks gives way at mu_static; one that slips, or has just closed, sticks once
 * mu suffices. */
#include <string.h>

#include "methods/constraint/constraint_work.h"

/* Changes impulse t of a contact and the velocities of all rows with it; returns the change. */
static double change(constraint_work *cw, node_contact *c, int t, double to)
{
    int n = cw->row_count;
    int row = c->first_row + t;
    double by = to - c->impulse[t];
    c->impulse[t] = to;
    for (int i = 0; by != 0.0 && i < n; ++i) {
        cw->u[i] += cw->W[i * n + row] * by;
    }
    return fabs(by);
}

static double solve_normal(constraint_work *cw, node_contact *c, double h)
{
    int row = c->first_row;
    double W = cw->W[row * cw->row_count + row];
    double excess = cw->u[row] + c->gap / h;
    return W > 0.0 ? change(cw, c, 0, fmax(0.0, c->impulse[0] - excess / W)) : 0.0;
}

/* Tangential impulse that stops the slip, cut back to the cone. */
static double solve_friction(constraint_work *cw, node_contact *c)
{
    double wanted[2] = { 0.0, 0.0 };
    double size = 0.0;
    double changed = 0.0;
    for (int t = 0; t < c->tangent_count; ++t) {
        int row = c->first_row + 1 + t;
        double W = cw->W[row * cw->row_count + row];
        wanted[t] = W > 0.0 ? c->impulse[1 + t] - cw->u[row] / W : 0.0;
        size += wanted[t] * wanted[t];
    }
    size = sqrt(size);
    double hold = (c->sticks ? c->interaction->mu_static : c->interaction->mu) * c->impulse[0];
    bool slips = size > hold;
    double scale = slips ? c->interaction->mu * c->impulse[0] / size : 1.0;
    c->sticks = c->sticks && !slips; /* once it gives way it slips for the rest of the step */
    for (int t = 0; t < c->tangent_count; ++t) {
        changed = fmax(changed, change(cw, c, 1 + t, scale * wanted[t]));
    }
    return changed;
}

static double sweep(constraint_work *cw, double h, double *largest)
{
    double changed = 0.0;
    *largest = 0.0;
    for (int i = 0; i < cw->contact_count; ++i) {
        node_contact *c = &cw->contacts[i];
        changed = cw->by_penalty ? changed : fmax(changed, solve_normal(cw, c, h));
        if (c->tangent_count > 0) {
            changed = fmax(changed, solve_friction(cw, c));
        }
        *largest = fmax(*largest, c->impulse[0]);
    }
    return changed;
}

/* What the state remembers: contacts that hold without slip. */
static void find_modes(constraint_work *cw)
{
    const double still = 1e-9; /* [m/s] */
    for (int i = 0; i < cw->contact_count; ++i) {
        node_contact *c = &cw->contacts[i];
        double slip = 0.0;
        for (int t = 0; t < c->tangent_count; ++t) {
            slip = fmax(slip, fabs(cw->u[c->first_row + 1 + t]));
        }
        c->sticks = c->tangent_count > 0 && c->impulse[0] > 0.0 && slip < still;
    }
}

carom_status solve_impulses(constraint_work *cw, double h, double t, carom_error *err)
{
    enum { MOST_SWEEPS = 100000 };
    const double settled = 1e-13; /* of the largest impulse: rounding of the sums is some ten times less */
    for (int i = 0; i < cw->contact_count && !cw->by_penalty; ++i) {
        memset(cw->contacts[i].impulse, 0, sizeof cw->contacts[i].impulse);
    }
    for (int k = 0; k < MOST_SWEEPS; ++k) {
        double largest;
        double changed = sweep(cw, h, &largest);
        if (changed <= settled * largest || largest == 0.0) {
            find_modes(cw);
            cw->sweeps_most = k + 1 > cw->sweeps_most ? k + 1 : cw->sweeps_most;
            return CAROM_OK;
        }
    }
    return carom_fail(err, CAROM_NOT_CONVERGED,
                      "the impulses of %d contacts at t = %.9g s have not settled after %d sweeps; a shorter time.step or "
                      "less friction may help",
                      cw->contact_count, t, MOST_SWEEPS);
}
