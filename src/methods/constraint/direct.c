/* A direct solve for what Gauss-Seidel settles slowly: contacts that are nearly redundant, as where edges cross beside a node.
 *
 * With contacts that press, hold and slip as they do after some sweeps, the changes of their impulses follow from linear equations:
 * velocities of rows that press or hold become what is asked for, friction of those that slip stays in proportion to their pressure. The first contact that
 * would pull is let go, the one that closes fastest is taken in, as in the method of Lawson and Hanson for least squares. The answer is a start
 * for more sweeps, which judge it. */
#include <string.h>

#include "base/array.h"
#include "linalg/dense.h"
#include "methods/constraint/constraint_work.h"

static const double REGULAR = 1e-13; /* of the largest entry of the matrix: pivots below are redundant */

/* An unknown: the impulse along a row, and what follows in proportion to it. */
typedef struct direct_unknown {
    node_contact *c;
    int t;           /* 0: normal; else the tangent that holds */
    double along[2]; /* friction over the normal impulse of a contact that slips */
} direct_unknown;

/* Whether the contact slips, and its friction over its normal impulse. One that does not press yet rubs against the slip it is found in. */
static bool slips(const constraint_work *cw, const node_contact *c, double along[2])
{
    const double cone = 1.0 - 1e-6; /* of the cone: friction at it slips */
    const double still = 1e-9;      /* [m/s] */
    double mu = c->interaction->mu;
    double v[2] = { 0.0, 0.0 };
    for (int t = 0; t < c->tangent_count; ++t) {
        v[t] = cw->u[c->first_row + 1 + t];
    }
    bool presses = c->impulse[0] > 0.0;
    double speed = hypot(v[0], v[1]);
    double friction = hypot(c->impulse[1], c->impulse[2]);
    for (int t = 0; t < 2; ++t) {
        along[t] = presses ? c->impulse[1 + t] / c->impulse[0] : speed > 0.0 ? -mu * v[t] / speed : 0.0;
    }
    return c->tangent_count > 0 && !c->sticks && (presses ? friction >= cone * mu * c->impulse[0] : speed > still);
}

static int list_unknowns(constraint_work *cw, direct_unknown *out)
{
    int count = 0;
    for (int i = 0; i < cw->contact_count; ++i) {
        node_contact *c = &cw->contacts[i];
        if (!c->presses) {
            continue;
        }
        direct_unknown normal = { c, 0, { 0.0, 0.0 } };
        double along[2];
        bool slip = slips(cw, c, along);
        for (int t = 0; slip && t < c->tangent_count; ++t) {
            normal.along[t] = along[t];
        }
        if (!cw->by_penalty) {
            out[count++] = normal;
        }
        for (int t = 1; t <= c->tangent_count && !slip; ++t) {
            out[count++] = (direct_unknown){ c, t, { 0.0, 0.0 } };
        }
    }
    return count;
}

static double asked_for(const constraint_work *cw, const direct_unknown *x, double h)
{
    double u = cw->u[x->c->first_row + x->t];
    return x->t > 0 ? -u : -(u + (x->c->rebound > 0.0 ? -x->c->rebound : x->c->gap / h));
}

static void fill(const constraint_work *cw, const direct_unknown *x, int n, double h, double *A, double *b)
{
    int rows = cw->row_count;
    for (int i = 0; i < n; ++i) {
        const double *W = &cw->W[(x[i].c->first_row + x[i].t) * rows];
        b[i] = asked_for(cw, &x[i], h);
        for (int k = 0; k < n; ++k) {
            int row = x[k].c->first_row;
            A[i * n + k] = W[row + x[k].t] + (x[k].t > 0 ? 0.0 : x[k].along[0] * W[row + 1]);
            A[i * n + k] += x[k].t > 0 || x[k].c->tangent_count < 2 ? 0.0 : x[k].along[1] * W[row + 2];
        }
    }
}

/* How much of the changes, at most `most`, can be made before some contact would pull; that contact, or NULL. */
static double longest_way(const direct_unknown *x, const double *b, int n, double most, node_contact **first)
{
    double way = most;
    *first = NULL;
    for (int i = 0; i < n; ++i) {
        node_contact *c = x[i].c;
        if (x[i].t == 0 && b[i] < 0.0 && c->impulse[0] < way * -b[i]) {
            way = c->impulse[0] / -b[i];
            *first = c;
        }
    }
    return way;
}

static void apply(constraint_work *cw, const direct_unknown *x, const double *b, int n, double way)
{
    for (int i = 0; i < n; ++i) {
        node_contact *c = x[i].c;
        change_impulse(cw, c, x[i].t, c->impulse[x[i].t] + way * b[i]);
        for (int t = 1; x[i].t == 0 && t <= c->tangent_count; ++t) {
            change_impulse(cw, c, t, c->impulse[t] + way * x[i].along[t - 1] * b[i]);
        }
    }
}

static void let_go(constraint_work *cw, node_contact *c)
{
    c->presses = false;
    for (int t = 0; t <= c->tangent_count; ++t) {
        change_impulse(cw, c, t, 0.0);
    }
}

/* What least squares leave is what redundant contacts ask for that contradict each other. Those that open hand their impulses over to those that close,
 * along the part of it that moves nothing, until one is free. NULL: they agree but for rounding. */
static node_contact *settle_contradiction(constraint_work *cw, const direct_unknown *x, int n, double h,
                                          double rounding, double *b)
{
    double *A = cw->direct;
    double *left = b + n + dense_scratch(n);
    double largest = 0.0;
    node_contact *first = NULL;
    fill(cw, x, n, h, A, left);
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(left[i]));
    }
    if (!(largest > rounding)) {
        return NULL;
    }
    for (int i = 0; i < n; ++i) {
        b[i] = 0.0;
        for (int k = 0; k < n; ++k) {
            b[i] += A[i * n + k] * left[k];
        }
    }
    dense_solve(A, b, n, REGULAR, b + n);
    for (int i = 0; i < n; ++i) {
        b[i] = left[i] - b[i];
    }
    double way = longest_way(x, b, n, HUGE_VAL, &first);
    apply(cw, x, b, n, first ? way : 0.0);
    return first;
}

/* The contact without impulse that closes fastest beyond what is asked for; NULL: none by more than rounding. */
static node_contact *worst_of(constraint_work *cw, double h)
{
    const double rounding = 1e-13;
    double worst = 0.0;
    node_contact *found = NULL;
    for (int i = 0; i < cw->contact_count && !cw->by_penalty; ++i) {
        node_contact *c = &cw->contacts[i];
        double u = cw->u[c->first_row];
        double excess = u + (c->rebound > 0.0 ? -c->rebound : c->gap / h);
        if (!c->presses && excess < worst - rounding * fabs(u)) {
            worst = excess;
            found = c;
        }
    }
    return found;
}

bool solve_directly(constraint_work *cw, double h, double rounding)
{
    size_t most = (size_t)cw->row_count;
    size_t room = most * most + 2 * most + dense_scratch(cw->row_count);
    if (!CAROM_ARRAY_RESERVE(cw->direct, cw->direct_capacity, room) ||
        !CAROM_ARRAY_RESERVE(cw->unknowns, cw->unknowns_capacity, most)) {
        return false;
    }
    double *b = cw->direct + most * most;
    for (int i = 0; i < cw->contact_count; ++i) {
        cw->contacts[i].presses = cw->contacts[i].impulse[0] > 0.0;
    }
    for (int round = 0; round < 4 * cw->contact_count; ++round) {
        node_contact *first;
        int n = list_unknowns(cw, cw->unknowns);
        fill(cw, cw->unknowns, n, h, cw->direct, b);
        dense_solve(cw->direct, b, n, REGULAR, b + n);
        apply(cw, cw->unknowns, b, n, longest_way(cw->unknowns, b, n, 1.0, &first));
        first = first ? first : settle_contradiction(cw, cw->unknowns, n, h, rounding, b);
        if (first) {
            let_go(cw, first);
            continue;
        }
        node_contact *next = worst_of(cw, h);
        if (!next) {
            break;
        }
        next->presses = true;
    }
    return true;
}
