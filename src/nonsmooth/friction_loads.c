/* Loads of slipping joints [paper 5]: N = h(N), h_j = sum over the joint's groups of |lambda_g|, where
 * lambda = a + sum b_j N_j. h is convex, and h(0) >= 0.
 *
 * The branch that grows out of mu = 0: solve N = h(t N) with t from 0 to 1. For one slipping joint N - h(N) is concave, and
 * that branch is its smallest root, which Newton's method reaches from N = 0 without ever passing it; there is none when
 * the slope 1 - h' vanishes on the way. For several joints the solution is unique when h contracts (in the maximum norm);
 * else the branch is followed in t until 1, or until det(I - dh/dN) vanishes (friction_branch.c), unless all load components
 * are scalar and the signs of all show that there is one regular solution only (friction_signs.c). */
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/friction_loads.h"

enum { ONE_LOAD_STEPS = 200 }; /* of the monotone Newton's method: bounded only against rounding at a fold */

/* h contracts when its gain is below 1; this much below, so that Newton's method has regular systems. */
static const double contracts = 0.99;
/* One load is found when h(N) is N to rounding; the iteration is monotone, so that it does not go on beyond. */
static const double one_load_found = 1e-16;
/* Loads near the last ones are on the same branch when they have changed by no more than this, relative to themselves; they
 * may vanish at a kink, where there is only their scale to compare with. */
static const double near_change = 0.3;
static const double near_kink = 0.03;
/* A component has another sign than supposed when it is beyond this of its scale: rounding, times a condition. */
static const double sign_rounding = 1e-11;

void friction_find_lambda(friction_work *w, const reduced_problem *p, double t, const double *N)
{
    int loads = p->load_count;
    memcpy(w->lambda, w->component, (size_t)loads * sizeof(double));
    for (int j = 0; j < w->joint_count; ++j) {
        for (int i = 0; i < loads; ++i) {
            w->lambda[i] += t * N[j] * w->component[(j + 1) * loads + i];
        }
    }
}

/* |lambda_g|, or its smooth continuation. */
static double group_load(const friction_work *w, const load_group *group)
{
    double sign = w->sign && group->dim == 1 ? w->sign[group->first] : 0.0;
    return sign != 0.0 ? sign * w->lambda[group->first] : norm(w->lambda + group->first, group->dim);
}

/* Derivative of |lambda_g| along `direction`; where lambda_g vanishes, of the branch on which it goes on to do so. */
static double group_slope(const friction_work *w, const load_group *group, const double *direction)
{
    const double *lambda = w->lambda + group->first;
    double length = group_load(w, group), sign = w->sign && group->dim == 1 ? w->sign[group->first] : 0.0;
    if (sign != 0.0) {
        return sign * direction[0];
    }
    return length > 0.0 ? dot(lambda, direction, group->dim) / length : 0.0;
}

void friction_find_loads(friction_work *w, const reduced_problem *p, double t, const double *N, double *dh_dt)
{
    int n = w->joint_count, loads = p->load_count;
    friction_find_lambda(w, p, t, N);
    for (int j = 0; j < n; ++j) {
        const friction_element *e = &p->elements[w->joint[j]];
        w->h[j] = 0.0;
        memset(w->slope + j * n, 0, (size_t)n * sizeof(double));
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g) {
            const load_group *group = &p->groups[g];
            w->h[j] += group_load(w, group);
            for (int k = 0; k < n; ++k) {
                w->slope[j * n + k] += t * group_slope(w, group, w->component + (k + 1) * loads + group->first);
            }
        }
    }
    for (int j = 0; dh_dt && j < n; ++j) { /* lambda depends on t N alone */
        dh_dt[j] = t > 0.0 ? dot(w->slope + j * n, N, n) / t : 0.0;
    }
}

/* Most by which the load of joint j can grow per unit of the load of joint k. */
static double pair_gain(const friction_work *w, const reduced_problem *p, int j, int k)
{
    const friction_element *e = &p->elements[w->joint[j]];
    double sum = 0.0;
    for (int g = e->first_group; g < e->first_group + e->group_count; ++g) {
        sum += norm(w->component + (k + 1) * p->load_count + p->groups[g].first, p->groups[g].dim);
    }
    return sum;
}

double friction_gain(const friction_work *w, const reduced_problem *p, int j)
{
    double sum = 0.0;
    for (int k = 0; k < w->joint_count; ++k) {
        sum += pair_gain(w, p, j, k);
    }
    return sum;
}

/* One slipping joint: the smallest root of the concave N - h(N), from below. Solutions there are in all: none, this one,
 * or (when h grows faster than N in the end) two. */
static int solve_one_load(friction_work *w, const reduced_problem *p)
{
    double N = 0.0;
    for (int k = 0; k < ONE_LOAD_STEPS; ++k) {
        friction_find_loads(w, p, 1.0, &N, NULL);
        double missing = w->h[0] - N;
        if (missing <= one_load_found * w->h[0]) {
            break;
        }
        if (w->slope[0] >= 1.0) {
            return 0;
        }
        double next = N + missing / (1.0 - w->slope[0]);
        if (!(next > N)) {
            break;
        }
        N = next;
    }
    w->N[0] = N;
    return !isfinite(N) ? 0 : friction_gain(w, p, 0) > 1.0 && N > 0.0 ? 2 : 1;
}

double friction_newton_step(friction_work *w, const double *right)
{
    int n = w->joint_count;
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
            w->lu[j * n + k] = (j == k ? 1.0 : 0.0) - w->slope[j * n + k];
        }
    }
    memmove(w->N_step, right, (size_t)n * sizeof(double));
    double det;
    dense_eliminate(w->lu, w->N_step, n, 0.0, &det);
    return det;
}

int friction_fastest_growing(friction_work *w, const reduced_problem *p, double t)
{
    int best = 0;
    friction_find_loads(w, p, t, w->N, w->h);
    friction_newton_step(w, w->h);
    for (int j = 1; j < w->joint_count; ++j) {
        best = fabs(w->N_step[j]) > fabs(w->N_step[best]) ? j : best;
    }
    return w->joint[best];
}

int friction_weakest(friction_work *w, const reduced_problem *p, const double *sign)
{
    w->sign = sign;
    int weakest = w->joint_count > 0 ? friction_fastest_growing(w, p, 1.0) : -1;
    w->sign = NULL;
    return weakest;
}

/* Loads near those of the last answer, into N; false: there are none. */
static bool solve_near(friction_work *w, const reduced_problem *p)
{
    for (int j = 0; j < w->joint_count; ++j) {
        w->N_try[j] = w->load[w->joint[j]];
    }
    double before = largest(w->N_try, w->joint_count), change = 0.0;
    w->regularity = friction_correct_loads(w, p, 1.0);
    if (!(w->regularity > 0.0)) {
        return false;
    }
    for (int j = 0; j < w->joint_count; ++j) {
        change = fmax(change, fabs(w->N_try[j] - w->load[w->joint[j]]));
        w->N[j] = w->N_try[j];
    }
    double near = near_change * (before + largest(w->component, p->load_count));
    return change <= (w->sign ? fmax(near, near_kink * w->load_scale) : near); /* loads may vanish at a kink */
}

/* Loads of several slipping joints into N. */
static int solve_several_loads(friction_work *w, const reduced_problem *p, int *culprit)
{
    double most = 0.0;
    for (int j = 0; j < w->joint_count; ++j) {
        most = fmax(most, friction_gain(w, p, j));
    }
    if (most < contracts) {
        friction_solve_contracting(w, p);
        return 1;
    }
    int groups = friction_scalar_groups(w, p), regular = 0;
    int solutions = groups > 0 ? friction_enumerate_signs(w, p, groups, &regular) : 1;
    if (regular == 1) {
        return solutions;
    }
    return friction_follow_branch(w, p, culprit) ? (solutions > 0 ? solutions : 1) : 0;
}

/* A joint without any load slips freely, unless the least load would make it jam: 1 - dh/dN <= 0 on either side of the
 * kink at zero, so that no solution with load grows out of mu = 0. -1: none does so. */
static int unloaded_jam(friction_work *w, const reduced_problem *p)
{
    int worst = -1;
    double most = 1.0;
    for (int j = 0; j < w->joint_count; ++j) {
        double own = w->N[j] == 0.0 ? pair_gain(w, p, j, j) : 0.0;
        if (own >= most) {
            most = own;
            worst = w->joint[j];
        }
    }
    return worst;
}

/* Whether the loads N have the signs that the components are continued with. */
static bool keeps_signs(friction_work *w, const reduced_problem *p, const double *sign)
{
    friction_find_lambda(w, p, 1.0, w->N);
    for (int j = 0; j < w->joint_count; ++j) {
        const friction_element *e = &p->elements[w->joint[j]];
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g) {
            int i = p->groups[g].first;
            if (p->groups[g].dim == 1 && sign[i] * w->lambda[i] < -sign_rounding * w->load_scale) {
                return false;
            }
        }
    }
    return true;
}

/* Loads on the branch that grows out of mu = 0. */
static int solve_anew(friction_work *w, const reduced_problem *p, int *culprit)
{
    const double *sign = w->sign;
    w->sign = NULL;
    int solutions = w->joint_count == 1 ? solve_one_load(w, p) : solve_several_loads(w, p, culprit);
    w->sign = sign;
    if (solutions == 0) {
        return 0;
    }
    if (sign && !keeps_signs(w, p, sign)) {
        *culprit = friction_fastest_growing(w, p, 1.0);
        return 0;
    }
    friction_find_loads(w, p, 1.0, w->N, NULL);
    w->regularity = friction_newton_step(w, w->h);
    return solutions;
}

int friction_solve_loads(friction_work *w, const reduced_problem *p, int *culprit)
{
    int solutions = w->near_last && solve_near(w, p) ? 1 : solve_anew(w, p, culprit);
    int unloaded = solutions > 0 ? unloaded_jam(w, p) : -1;
    *culprit = unloaded >= 0 ? unloaded : *culprit;
    return unloaded >= 0 ? 0 : solutions;
}
