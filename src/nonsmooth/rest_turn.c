/* Lasting contact: the directions in which slip begins in a plane or in space, by Newton's method: the acceleration is along
 * them. */
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/rest_parts.h"

bool rest_turns(const rest_work *w, const reduced_problem *p, const rest_answer *a, int e)
{
    return p->elements[e].dim > 1 && a->state[e].mode == FRICTION_SLIP && !w->moving[e];
}

/* The k-th vector across a direction: of the axes least along it, made orthogonal. */
static turn turn_of(const reduced_problem *p, const rest_answer *a, int e, int k)
{
    const double *u = a->state[e].direction;
    turn t = { .e = e };
    if (p->elements[e].dim == 2) {
        t.across[0] = -u[1];
        t.across[1] = u[0];
        return t;
    }
    int axis = fabs(u[0]) <= fabs(u[1]) && fabs(u[0]) <= fabs(u[2]) ? 0 : (fabs(u[1]) <= fabs(u[2]) ? 1 : 2);
    double v[3];
    for (int d = 0; d < 3; ++d) {
        v[d] = (d == axis ? 1.0 : 0.0) - u[axis] * u[d];
    }
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int d = 0; d < 3; ++d) {
        int next = (d + 1) % 3;
        int last = (d + 2) % 3;
        t.across[d] = (k == 0 ? v[d] : u[next] * v[last] - u[last] * v[next]) / size;
    }
    return t;
}

static void turn_by(const reduced_problem *p, turn t, double angle, rest_answer *a)
{
    double size = 0.0;
    double *u = a->state[t.e].direction;
    for (int d = 0; d < p->elements[t.e].dim; ++d) {
        u[d] += angle * t.across[d];
        size = hypot(size, u[d]);
    }
    for (int d = 0; d < p->elements[t.e].dim; ++d) {
        u[d] /= size;
    }
}

int rest_list_turns(const rest_work *w, const reduced_problem *p, const rest_answer *a, turn *list, int most)
{
    int count = 0;
    for (int e = 0; e < p->element_count; ++e) {
        for (int k = 0; rest_turns(w, p, a, e) && k < p->elements[e].dim - 1 && count < most; ++k) {
            list[count++] = turn_of(p, a, e, k);
        }
    }
    return count;
}

static double across(const reduced_problem *p, turn t, const rest_answer *a)
{
    double sum = 0.0;
    for (int d = 0; d < p->elements[t.e].dim; ++d) {
        sum += t.across[d] * a->rate[p->elements[t.e].first_row + d];
    }
    return sum;
}

rest_outcome rest_try_rates(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    rest_outcome outcome = rest_rates_into(w, p, a->closed, a->state, NULL, a);
    if (outcome == REST_JAM) {
        w->jammed = a->culprit;
    }
    return outcome;
}

/* Derivatives of the rates across by the angles, by differences. */
static bool turn_derivatives(rest_work *w, const reduced_problem *p, const rest_answer *a, const turn *list,
                             int count)
{
    const double angle = 1e-6;
    for (int k = 0; k < count; ++k) {
        rest_copy_answer(p, a, &w->other);
        turn_by(p, list[k], angle, &w->other);
        if (rest_try_rates(w, p, &w->other) != REST_OK) {
            return false;
        }
        for (int i = 0; i < count; ++i) {
            w->turn_jacobian[i * count + k] = (across(p, list[i], &w->other) - w->turn_residual[i]) / angle;
        }
        /* The direction across turns along with the element's own. */
        double along = rest_slip_along(&p->elements[list[k].e], &a->state[list[k].e], w->other.rate);
        w->turn_jacobian[k * count + k] -= along;
    }
    return true;
}

rest_outcome rest_rates_with_directions(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    enum { TURN_LIMIT = 20 };
    turn list[MOST_TURNS];
    for (int step = 0;; ++step) {
        rest_outcome outcome = rest_try_rates(w, p, a);
        int count = outcome == REST_OK ? rest_list_turns(w, p, a, list, MOST_TURNS) : 0;
        double miss = 0.0;
        for (int i = 0; i < count; ++i) {
            w->turn_residual[i] = across(p, list[i], a);
            miss = fmax(miss, fabs(w->turn_residual[i]));
        }
        if (step == TURN_LIMIT || !(miss > 1e-4 * rest_scale_of(p, a).rate) ||
            !turn_derivatives(w, p, a, list, count)) {
            return outcome;
        }
        memcpy(w->turn_step, w->turn_residual, sizeof(double) * (size_t)count);
        dense_solve(w->turn_jacobian, w->turn_step, count, 1e-10, w->scratch);
        for (int i = 0; i < count; ++i) {
            turn_by(p, list[i], -fmax(-0.5, fmin(0.5, w->turn_step[i])), a);
        }
    }
}

bool rest_try_answer(rest_work *w, const reduced_problem *p, rest_answer *a)
{
    return rest_rates_with_directions(w, p, a) == REST_OK && rest_fits(w, p, a);
}
