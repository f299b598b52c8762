/* Loads of several slipping joints, N = h(t, N) (friction_loads.c): by Newton's method near a guess, where h contracts from
 * anywhere, and along the branch that begins at t = 0. */
#include <float.h>
#include <string.h>

#include "nonsmooth/friction_loads.h"

enum {
    CORRECTIONS = 12,   /* of Newton's method near a guess, which doubles digits */
    CONTRACTIONS = 200, /* every other one is a plain iteration at worst; bounded only against rounding */
};

/* Residuals, relative to the loads: of loads as good as they get; of loads that do not get better any more, with room for
 * the condition of systems near a fold, and, where h contracts, without. */
static const double exact = 1e-15, settled = 1e-12;
static const double exact_contracting = 4e-16, settled_contracting = 1e-14;
/* A step along the branch changes no load by more than this, relative to the largest. */
static const double branch_change = 0.3;
/* A fold: N grows like 1 / sqrt(distance), so that t is known well enough to call it one when steps are as short as this. */
static const double shortest_step = 1e-7;

double friction_correct_loads(friction_work *w, const reduced_problem *p, double t)
{
    int n = w->joint_count;
    double previous = HUGE_VAL;
    for (int k = 0; k < CORRECTIONS; ++k) {
        friction_find_loads(w, p, t, w->N_try, NULL);
        double scale = fmax(largest(w->h, n), largest(w->N_try, n));
        for (int j = 0; j < n; ++j) {
            w->h[j] -= w->N_try[j];
        }
        double miss = largest(w->h, n);
        double det = friction_newton_step(w, w->h);
        if (miss <= exact * scale || (miss <= settled * scale && miss >= previous)) {
            return det;
        }
        if (det == 0.0 || !isfinite(miss) || miss > previous) {
            return 0.0;
        }
        previous = miss;
        for (int j = 0; j < n; ++j) {
            w->N_try[j] += w->N_step[j];
        }
    }
    return 0.0;
}

/* |h - N|. */
static double residual(const friction_work *w)
{
    double miss = 0.0;
    for (int j = 0; j < w->joint_count; ++j) {
        miss = fmax(miss, fabs(w->h[j] - w->N[j]));
    }
    return miss;
}

/* The next loads: Newton's where its system is regular (true), else h, which N_try keeps. */
static bool contract(friction_work *w)
{
    int n = w->joint_count;
    memcpy(w->N_try, w->h, (size_t)n * sizeof(double));
    for (int j = 0; j < n; ++j) {
        w->h[j] -= w->N[j];
    }
    bool newton = friction_newton_step(w, w->h) > 0.0;
    for (int j = 0; j < n; ++j) {
        w->N[j] = newton ? w->N[j] + w->N_step[j] : w->N_try[j];
    }
    return newton;
}

/* Newton's method; where a step of it does not reduce the residual, a plain iteration from where
 * it began, which always does. */
void friction_solve_contracting(friction_work *w, const reduced_problem *p)
{
    size_t bytes = (size_t)w->joint_count * sizeof(double);
    memset(w->N, 0, bytes);
    double previous = HUGE_VAL;
    bool newton = false;
    for (int k = 0; k < CONTRACTIONS; ++k) {
        friction_find_loads(w, p, 1.0, w->N, NULL);
        double scale = largest(w->h, w->joint_count), miss = residual(w);
        if (miss <= exact_contracting * scale || (miss <= settled_contracting * scale && miss >= previous)) {
            break;
        }
        if (newton && miss >= previous) {
            memcpy(w->N, w->N_try, bytes);
            newton = false;
            continue;
        }
        newton = contract(w);
        previous = miss;
    }
}

/* One step along the branch from w->N to t, into w->N; false: it is too long, or there is no branch any more. */
static bool step_along(friction_work *w, const reduced_problem *p, double t)
{
    int n = w->joint_count;
    memcpy(w->N_try, w->N, (size_t)n * sizeof(double));
    double det = friction_correct_loads(w, p, t), change = 0.0;
    for (int j = 0; j < n; ++j) {
        change = fmax(change, fabs(w->N_try[j] - w->N[j]));
    }
    if (!(det > 0.0) || change > branch_change * largest(w->N, n) + DBL_MIN) {
        return false;
    }
    memcpy(w->N, w->N_try, (size_t)n * sizeof(double));
    return true;
}

bool friction_follow_branch(friction_work *w, const reduced_problem *p, int *culprit)
{
    int n = w->joint_count;
    memset(w->N, 0, (size_t)n * sizeof(double));
    friction_find_loads(w, p, 0.0, w->N, NULL);
    memcpy(w->N, w->h, (size_t)n * sizeof(double));
    double t = 0.0, dt = 0.1;
    while (t < 1.0) {
        double next = fmin(1.0, t + dt);
        if (step_along(w, p, next)) {
            t = next;
            dt *= 1.5;
            continue;
        }
        dt *= 0.5;
        if (dt < shortest_step) {
            *culprit = friction_fastest_growing(w, p, t);
            return false;
        }
    }
    return true;
}
