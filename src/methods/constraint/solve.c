/* The impulses of an explicit step [paper 2 (2)-(4), at positions]: with u for the velocities of the rows,
 *
 *     0 <= P_n  _|_  g + h u_n >= 0
 *     u_t = 0 while |P_t| <= mu P_n, else P_t = mu P_n against the slip
 *
 * by block Gauss-Seidel over contacts, with a direct solve now and then (direct.c). A contact that sticks gives way at mu_static; one that slips, or has just closed, sticks once
 * mu suffices. */
#include <float.h>
#include <string.h>

#include "methods/constraint/constraint_work.h"

/* Changes impulse t of a contact and the velocities of all rows with it; returns the change of its own velocity [m/s]. */
double change_impulse(constraint_work *cw, node_contact *c, int t, double to)
{
    int n = cw->row_count;
    int row = c->first_row + t;
    double by = to - c->impulse[t];
    c->impulse[t] = to;
    for (int i = 0; by != 0.0 && i < n; ++i) {
        cw->u[i] += cw->W[i * n + row] * by;
    }
    return fabs(by) * cw->W[row * n + row];
}

static double solve_normal(constraint_work *cw, node_contact *c, double h)
{
    int row = c->first_row;
    double W = cw->W[row * cw->row_count + row];
    double excess = cw->u[row] + (c->rebound > 0.0 ? -c->rebound : c->gap / h);
    return W > 0.0 ? change_impulse(cw, c, 0, fmax(0.0, c->impulse[0] - excess / W)) : 0.0;
}

/* The tangential block of W: its inverse times the slip, and its largest eigenvalue. */
typedef struct tangent_block {
    double stop[2]; /* [N s] change that stops the slip */
    double stiffest;
} tangent_block;

static tangent_block tangents_of(const constraint_work *cw, const node_contact *c)
{
    int n = cw->row_count;
    int row = c->first_row + 1;
    double a = cw->W[row * n + row];
    const double *u = &cw->u[row];
    if (c->tangent_count == 1) {
        return (tangent_block){ { a > 0.0 ? -u[0] / a : 0.0, 0.0 }, a };
    }
    double b = cw->W[row * n + row + 1];
    double d = cw->W[(row + 1) * n + row + 1];
    double det = a * d - b * b;
    double middle = 0.5 * (a + d);
    double stiffest = middle + sqrt(0.25 * (a - d) * (a - d) + b * b);
    bool regular = det > 1e-12 * stiffest * stiffest;
    tangent_block t = { .stiffest = stiffest };
    t.stop[0] = regular ? -(d * u[0] - b * u[1]) / det : stiffest > 0.0 ? -u[0] / stiffest : 0.0;
    t.stop[1] = regular ? -(a * u[1] - b * u[0]) / det : stiffest > 0.0 ? -u[1] / stiffest : 0.0;
    return t;
}

/* The impulse that stops the slip, where the cone has it; else one step along the slip, cut back to the cone. */
static double solve_friction(constraint_work *cw, node_contact *c)
{
    const tangent_block block = tangents_of(cw, c);
    double wanted[2] = { c->impulse[1] + block.stop[0], c->impulse[2] + block.stop[1] };
    double hold = (c->sticks ? c->interaction->mu_static : c->interaction->mu) * c->impulse[0];
    double changed = 0.0;
    if (hypot(wanted[0], wanted[1]) > hold) {
        c->sticks = false; /* once it gives way it slips for the rest of the step */
        for (int t = 0; t < c->tangent_count; ++t) {
            wanted[t] = c->impulse[1 + t] -
                        (block.stiffest > 0.0 ? cw->u[c->first_row + 1 + t] / block.stiffest : 0.0);
        }
        double size = hypot(wanted[0], c->tangent_count > 1 ? wanted[1] : 0.0);
        double most = c->interaction->mu * c->impulse[0];
        for (int t = 0; t < c->tangent_count && size > most; ++t) {
            wanted[t] *= most / size;
        }
    }
    for (int t = 0; t < c->tangent_count; ++t) {
        changed = fmax(changed, change_impulse(cw, c, 1 + t, wanted[t]));
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
        *largest = fmax(*largest, c->impulse[0] * cw->W[c->first_row * (cw->row_count + 1)]);
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

/* [m/s] by which rounding of positions changes what the rows ask for: redundant contacts contradict each other by as much. */
static double rounding_of(const constraint_work *cw, double h)
{
    const double places = 4.0,
                 edges = 16.0; /* [1] roundings of a gap from one place, and from the four ends of two edges */
    double size = places * cw->model->length_scale;
    for (int i = 0; i < cw->contact_count; ++i) {
        const node_contact *c = &cw->contacts[i];
        size = fmax(size, (c->key.edges ? edges : places) * v3_norm(c->p_w));
    }
    return DBL_EPSILON * size / h;
}

static carom_status settle(constraint_work *cw, double h, double t, carom_error *err)
{
    enum { MOST_SWEEPS = 100000, SWEEPS_AT_FIRST = 300 };
    const double settled = 1e-13; /* of the largest change of velocity: rounding of the sums is some ten times less */
    const double rounding = rounding_of(cw, h);
    int directly = SWEEPS_AT_FIRST;
    for (int k = 0; k < MOST_SWEEPS; ++k) {
        double largest;
        double changed = sweep(cw, h, &largest);
        if (changed <= fmax(settled * largest, rounding) || largest == 0.0) {
            return CAROM_OK;
        }
        if (k + 1 == directly) {
            directly *=
                2; /* its answers may lead astray where friction turns: sweeps have ever longer to settle by themselves */
            if (!solve_directly(cw, h, rounding)) {
                return contacts_no_memory(err);
            }
        }
    }
    return carom_fail(
        err, CAROM_NOT_CONVERGED,
        "the impulses of %d contacts at t = %.9g s have not settled after %d sweeps; a shorter time.step or "
        "less friction may help",
        cw->contact_count, t, MOST_SWEEPS);
}

/* Impacts of two rigid bodies give back what the scene asks for: those that press and approached at the half step before. True: some. */
static bool ask_rebounds(constraint_work *cw, double h)
{
    const double least = 100.0 * rounding_of(cw, h); /* [m/s] slower approaches are rounding of contacts that last */
    bool any = false;
    for (int i = 0; i < cw->contact_count; ++i) {
        node_contact *c = &cw->contacts[i];
        bool rigid = c->key.rigid_slave && c->key.rigid_other;
        double approach = -cw->rows[c->first_row].before;
        c->rebound = rigid && c->impulse[0] > 0.0 && approach > least ? c->interaction->restitution * approach : 0.0;
        any = any || c->rebound > 0.0;
    }
    return any;
}

carom_status solve_impulses(constraint_work *cw, double h, double t, carom_error *err)
{
    for (int i = 0; i < cw->contact_count && !cw->by_penalty; ++i) {
        memset(cw->contacts[i].impulse, 0, sizeof cw->contacts[i].impulse);
    }
    carom_status status = settle(cw, h, t, err);
    if (status == CAROM_OK && ask_rebounds(cw, h)) {
        status = settle(cw, h, t, err);
    }
    if (status == CAROM_OK) {
        find_modes(cw);
    }
    return status;
}
