/* Loads of slipping joints [paper 5]: N = h(N), h_j = sum over the joint's groups of |lambda_g|, where
 * lambda = a + sum b_j N_j. h is convex, and h(0) >= 0.
 *
 * The branch that grows out of mu = 0: solve N = h(t N) with t from 0 to 1. For one slipping joint N - h(N) is concave, and
 * that branch is its smallest root, which Newton's method reaches from N = 0 without ever passing it; there is none when
 * the slope 1 - h' vanishes on the way. For several joints the solution is unique when h contracts (in the maximum norm);
 * else the branch is followed in t until 1, or until det(I - dh/dN) vanishes, unless all load components are scalar and the
 * signs of all show that there is one regular solution only. */
#include "nonsmooth/joint_loads.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/small.h"

/* Load components below this, relative to the largest that forces as large as these could cause, are rounding: sums of
 * products with forces that solve systems of a condition of 1e4. */
static const double load_rounding = 1e-11;
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

enum { COUNTED_GROUPS = 8 }; /* signs of so many scalar loads are enumerated */

/* A component has the sign it was computed with when it is not beyond this of the largest: rounding. */
static const double sign_slack = 1e-13;

bool joint_loads_create(joint_loads *s, carom_arena *arena, int elements, int loads)
{
    size_t e = (size_t)elements + 1, l = (size_t)loads + 1;
    *s = (joint_loads){ .element = CAROM_ARENA_ARRAY(arena, int, e),
                        .component = CAROM_ARENA_ARRAY(arena, double, e *l),
                        .N = CAROM_ARENA_ARRAY(arena, double, e),
                        .N_try = CAROM_ARENA_ARRAY(arena, double, e),
                        .N_step = CAROM_ARENA_ARRAY(arena, double, e),
                        .h = CAROM_ARENA_ARRAY(arena, double, e),
                        .lambda = CAROM_ARENA_ARRAY(arena, double, l),
                        .slope = CAROM_ARENA_ARRAY(arena, double, e *e),
                        .lu = CAROM_ARENA_ARRAY(arena, double, e *e) };
    return !arena->failed;
}

/* ---- load components --------------------------------------------------------------------------------------------------- */

/* Load components of a column. Those that are rounding are none: else a joint that feels nothing of the forces, but would
 * jam under the least load, would do so. Rounding is measured against the largest answer of any load to any force, because
 * a joint that feels nothing has nothing else to be compared with. */
static void find_column_components(const reduced_problem *p, const double *column, const double *bias,
                                   double largest_answer, double *component)
{
    int rows = p->row_count;
    double none = load_rounding *
                  (largest_answer * largest(column, rows) + (bias ? largest(bias, p->load_count) : 0.0));
    for (int i = 0; i < p->load_count; ++i) {
        double sum = dot(p->B + i * rows, column, rows) + (bias ? bias[i] : 0.0);
        component[i] = fabs(sum) <= none ? 0.0 : sum;
    }
}

void joint_loads_find_components(joint_loads *s, const reduced_problem *p, const double *columns)
{
    double largest_answer = largest(p->B, p->load_count * p->row_count);
    s->scale = largest_answer * largest(columns, p->row_count);
    for (int c = 0; c <= s->count; ++c) {
        find_column_components(p, columns + c * p->row_count, c == 0 ? p->load : NULL, largest_answer,
                               s->component + c * p->load_count);
    }
}

double joint_loads_norm(const reduced_problem *p, const friction_element *joint, const double *lambda)
{
    double sum = 0.0;
    for (int g = joint->first_group; g < joint->first_group + joint->group_count; ++g) {
        sum += norm(lambda + p->groups[g].first, p->groups[g].dim);
    }
    return sum;
}

/* ---- h and its slope --------------------------------------------------------------------------------------------------- */

static void find_lambda(joint_loads *s, const reduced_problem *p, double t, const double *N)
{
    int loads = p->load_count;
    memcpy(s->lambda, s->component, (size_t)loads * sizeof(double));
    for (int j = 0; j < s->count; ++j) {
        for (int i = 0; i < loads; ++i) {
            s->lambda[i] += t * N[j] * s->component[(j + 1) * loads + i];
        }
    }
}

/* |lambda_g|, or its smooth continuation. */
static double group_load(const joint_loads *s, const load_group *group)
{
    double sign = s->sign && group->dim == 1 ? s->sign[group->first] : 0.0;
    return sign != 0.0 ? sign * s->lambda[group->first] : norm(s->lambda + group->first, group->dim);
}

/* Derivative of |lambda_g| along `direction`; where lambda_g vanishes, of the branch on which it goes on to do so. */
static double group_slope(const joint_loads *s, const load_group *group, const double *direction)
{
    const double *lambda = s->lambda + group->first;
    double length = group_load(s, group), sign = s->sign && group->dim == 1 ? s->sign[group->first] : 0.0;
    if (sign != 0.0) {
        return sign * direction[0];
    }
    return length > 0.0 ? dot(lambda, direction, group->dim) / length : 0.0;
}

static void find_loads(joint_loads *s, const reduced_problem *p, double t, const double *N, double *dh_dt)
{
    int n = s->count, loads = p->load_count;
    find_lambda(s, p, t, N);
    for (int j = 0; j < n; ++j) {
        const friction_element *e = &p->elements[s->element[j]];
        s->h[j] = 0.0;
        memset(s->slope + j * n, 0, (size_t)n * sizeof(double));
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g) {
            const load_group *group = &p->groups[g];
            s->h[j] += group_load(s, group);
            for (int k = 0; k < n; ++k) {
                s->slope[j * n + k] += t * group_slope(s, group, s->component + (k + 1) * loads + group->first);
            }
        }
    }
    for (int j = 0; dh_dt && j < n; ++j) { /* lambda depends on t N alone */
        dh_dt[j] = t > 0.0 ? dot(s->slope + j * n, N, n) / t : 0.0;
    }
}

/* Most by which the load of joint j can grow per unit of the load of joint k. */
static double pair_gain(const joint_loads *s, const reduced_problem *p, int j, int k)
{
    const friction_element *e = &p->elements[s->element[j]];
    double sum = 0.0;
    for (int g = e->first_group; g < e->first_group + e->group_count; ++g) {
        sum += norm(s->component + (k + 1) * p->load_count + p->groups[g].first, p->groups[g].dim);
    }
    return sum;
}

static double gain(const joint_loads *s, const reduced_problem *p, int j)
{
    double sum = 0.0;
    for (int k = 0; k < s->count; ++k) {
        sum += pair_gain(s, p, j, k);
    }
    return sum;
}

static double newton_step(joint_loads *s, const double *right)
{
    int n = s->count;
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
            s->lu[j * n + k] = (j == k ? 1.0 : 0.0) - s->slope[j * n + k];
        }
    }
    memmove(s->N_step, right, (size_t)n * sizeof(double));
    double det;
    dense_eliminate(s->lu, s->N_step, n, 0.0, &det);
    return det;
}

static int fastest_growing(joint_loads *s, const reduced_problem *p, double t)
{
    int best = 0;
    find_loads(s, p, t, s->N, s->h);
    newton_step(s, s->h);
    for (int j = 1; j < s->count; ++j) {
        best = fabs(s->N_step[j]) > fabs(s->N_step[best]) ? j : best;
    }
    return s->element[best];
}

int joint_loads_weakest(joint_loads *s, const reduced_problem *p, const double *sign)
{
    s->sign = sign;
    int weakest = s->count > 0 ? fastest_growing(s, p, 1.0) : -1;
    s->sign = NULL;
    return weakest;
}

/* ---- one joint --------------------------------------------------------------------------------------------------------- */

/* One slipping joint: the smallest root of the concave N - h(N), from below. Solutions there are in all: none, this one,
 * or (when h grows faster than N in the end) two. */
static int solve_one_load(joint_loads *s, const reduced_problem *p)
{
    double N = 0.0;
    for (int k = 0; k < ONE_LOAD_STEPS; ++k) {
        find_loads(s, p, 1.0, &N, NULL);
        double missing = s->h[0] - N;
        if (missing <= one_load_found * s->h[0]) {
            break;
        }
        if (s->slope[0] >= 1.0) {
            return 0;
        }
        double next = N + missing / (1.0 - s->slope[0]);
        if (!(next > N)) {
            break;
        }
        N = next;
    }
    s->N[0] = N;
    return !isfinite(N) ? 0 : gain(s, p, 0) > 1.0 && N > 0.0 ? 2 : 1;
}

/* ---- several joints ---------------------------------------------------------------------------------------------------- */

static double correct_loads(joint_loads *s, const reduced_problem *p, double t)
{
    int n = s->count;
    double previous = HUGE_VAL;
    for (int k = 0; k < CORRECTIONS; ++k) {
        find_loads(s, p, t, s->N_try, NULL);
        double scale = fmax(largest(s->h, n), largest(s->N_try, n));
        for (int j = 0; j < n; ++j) {
            s->h[j] -= s->N_try[j];
        }
        double miss = largest(s->h, n);
        double det = newton_step(s, s->h);
        if (miss <= exact * scale || (miss <= settled * scale && miss >= previous)) {
            return det;
        }
        if (det == 0.0 || !isfinite(miss) || miss > previous) {
            return 0.0;
        }
        previous = miss;
        for (int j = 0; j < n; ++j) {
            s->N_try[j] += s->N_step[j];
        }
    }
    return 0.0;
}

/* |h - N|. */
static double residual(const joint_loads *s)
{
    double miss = 0.0;
    for (int j = 0; j < s->count; ++j) {
        miss = fmax(miss, fabs(s->h[j] - s->N[j]));
    }
    return miss;
}

/* The next loads: Newton's where its system is regular (true), else h, which N_try keeps. */
static bool contract(joint_loads *s)
{
    int n = s->count;
    memcpy(s->N_try, s->h, (size_t)n * sizeof(double));
    for (int j = 0; j < n; ++j) {
        s->h[j] -= s->N[j];
    }
    bool newton = newton_step(s, s->h) > 0.0;
    for (int j = 0; j < n; ++j) {
        s->N[j] = newton ? s->N[j] + s->N_step[j] : s->N_try[j];
    }
    return newton;
}

/* Newton's method; where a step of it does not reduce the residual, a plain iteration from where
 * it began, which always does. */
static void solve_contracting(joint_loads *s, const reduced_problem *p)
{
    size_t bytes = (size_t)s->count * sizeof(double);
    memset(s->N, 0, bytes);
    double previous = HUGE_VAL;
    bool newton = false;
    for (int k = 0; k < CONTRACTIONS; ++k) {
        find_loads(s, p, 1.0, s->N, NULL);
        double scale = largest(s->h, s->count), miss = residual(s);
        if (miss <= exact_contracting * scale || (miss <= settled_contracting * scale && miss >= previous)) {
            break;
        }
        if (newton && miss >= previous) {
            memcpy(s->N, s->N_try, bytes);
            newton = false;
            continue;
        }
        newton = contract(s);
        previous = miss;
    }
}

/* One step along the branch from s->N to t, into s->N; false: it is too long, or there is no branch any more. */
static bool step_along(joint_loads *s, const reduced_problem *p, double t)
{
    int n = s->count;
    memcpy(s->N_try, s->N, (size_t)n * sizeof(double));
    double det = correct_loads(s, p, t), change = 0.0;
    for (int j = 0; j < n; ++j) {
        change = fmax(change, fabs(s->N_try[j] - s->N[j]));
    }
    if (!(det > 0.0) || change > branch_change * largest(s->N, n) + DBL_MIN) {
        return false;
    }
    memcpy(s->N, s->N_try, (size_t)n * sizeof(double));
    return true;
}

static bool follow_branch(joint_loads *s, const reduced_problem *p, int *culprit)
{
    int n = s->count;
    memset(s->N, 0, (size_t)n * sizeof(double));
    find_loads(s, p, 0.0, s->N, NULL);
    memcpy(s->N, s->h, (size_t)n * sizeof(double));
    double t = 0.0, dt = 0.1;
    while (t < 1.0) {
        double next = fmin(1.0, t + dt);
        if (step_along(s, p, next)) {
            t = next;
            dt *= 1.5;
            continue;
        }
        dt *= 0.5;
        if (dt < shortest_step) {
            *culprit = fastest_growing(s, p, t);
            return false;
        }
    }
    return true;
}

/* ---- scalar loads: for given signs the problem is linear, so that all solutions are found by trying all signs ---------- */

static int scalar_groups(const joint_loads *s, const reduced_problem *p)
{
    int count = 0;
    for (int j = 0; j < s->count; ++j) {
        const friction_element *e = &p->elements[s->element[j]];
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g) {
            if (p->groups[g].dim > 1) {
                return 0;
            }
            ++count;
        }
    }
    return count <= COUNTED_GROUPS ? count : 0;
}

/* The loads for given signs of all scalar load components: linear. Returns the determinant, into N_try. */
static double loads_for_signs(joint_loads *s, const reduced_problem *p, unsigned signs)
{
    int n = s->count, loads = p->load_count;
    memset(s->lu, 0, (size_t)(n * n) * sizeof(double));
    memset(s->N_try, 0, (size_t)n * sizeof(double));
    unsigned bit = 1;
    for (int j = 0; j < n; ++j) {
        const friction_element *e = &p->elements[s->element[j]];
        s->lu[j * n + j] = 1.0;
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g, bit <<= 1) {
            int i = p->groups[g].first;
            double sign = signs & bit ? -1.0 : 1.0;
            s->N_try[j] += sign * s->component[i];
            for (int k = 0; k < n; ++k) {
                s->lu[j * n + k] -= sign * s->component[(k + 1) * loads + i];
            }
        }
    }
    double det;
    dense_eliminate(s->lu, s->N_try, n, 0.0, &det);
    return det;
}

/* Whether N_try has the signs that it was computed with. */
static bool signs_agree(joint_loads *s, const reduced_problem *p, unsigned signs)
{
    find_lambda(s, p, 1.0, s->N_try);
    double slack = sign_slack * (largest(s->N_try, s->count) + largest(s->component, p->load_count));
    unsigned bit = 1;
    for (int j = 0; j < s->count; ++j) {
        const friction_element *e = &p->elements[s->element[j]];
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g, bit <<= 1) {
            double lambda = s->lambda[p->groups[g].first];
            if ((signs & bit ? -lambda : lambda) < -slack) {
                return false;
            }
        }
    }
    return true;
}

static int enumerate_signs(joint_loads *s, const reduced_problem *p, int groups, int *regular)
{
    int solutions = 0;
    *regular = 0;
    for (unsigned signs = 0; signs < 1U << groups; ++signs) {
        double det = loads_for_signs(s, p, signs);
        if (det != 0.0 && signs_agree(s, p, signs)) {
            ++solutions;
            if (det > 0.0) {
                ++*regular;
                memcpy(s->N, s->N_try, (size_t)s->count * sizeof(double));
            }
        }
    }
    return solutions;
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

/* Loads near those of the last answer, into N; false: there are none. */
static bool solve_near(joint_loads *s, const reduced_problem *p)
{
    for (int j = 0; j < s->count; ++j) {
        s->N_try[j] = s->near[s->element[j]];
    }
    double before = largest(s->N_try, s->count), change = 0.0;
    s->regularity = correct_loads(s, p, 1.0);
    if (!(s->regularity > 0.0)) {
        return false;
    }
    for (int j = 0; j < s->count; ++j) {
        change = fmax(change, fabs(s->N_try[j] - s->near[s->element[j]]));
        s->N[j] = s->N_try[j];
    }
    double near = near_change * (before + largest(s->component, p->load_count));
    return change <= (s->sign ? fmax(near, near_kink * s->scale) : near); /* loads may vanish at a kink */
}

/* Loads of several slipping joints into N. */
static int solve_several_loads(joint_loads *s, const reduced_problem *p, int *culprit)
{
    double most = 0.0;
    for (int j = 0; j < s->count; ++j) {
        most = fmax(most, gain(s, p, j));
    }
    if (most < contracts) {
        solve_contracting(s, p);
        return 1;
    }
    int groups = scalar_groups(s, p), regular = 0;
    int solutions = groups > 0 ? enumerate_signs(s, p, groups, &regular) : 1;
    if (regular == 1) {
        return solutions;
    }
    return follow_branch(s, p, culprit) ? (solutions > 0 ? solutions : 1) : 0;
}

/* A joint without any load slips freely, unless the least load would make it jam: 1 - dh/dN <= 0 on either side of the
 * kink at zero, so that no solution with load grows out of mu = 0. -1: none does so. */
int joint_loads_unloaded_jam(joint_loads *s, const reduced_problem *p)
{
    int worst = -1;
    double most = 1.0;
    for (int j = 0; j < s->count; ++j) {
        double own = s->N[j] == 0.0 ? pair_gain(s, p, j, j) : 0.0;
        if (own >= most) {
            most = own;
            worst = s->element[j];
        }
    }
    return worst;
}

/* Whether the loads N have the signs that the components are continued with. */
static bool keeps_signs(joint_loads *s, const reduced_problem *p, const double *sign)
{
    find_lambda(s, p, 1.0, s->N);
    for (int j = 0; j < s->count; ++j) {
        const friction_element *e = &p->elements[s->element[j]];
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g) {
            int i = p->groups[g].first;
            if (p->groups[g].dim == 1 && sign[i] * s->lambda[i] < -sign_rounding * s->scale) {
                return false;
            }
        }
    }
    return true;
}

/* Loads on the branch that grows out of mu = 0. */
static int solve_anew(joint_loads *s, const reduced_problem *p, int *culprit)
{
    const double *sign = s->sign;
    s->sign = NULL;
    int solutions = s->count == 1 ? solve_one_load(s, p) : solve_several_loads(s, p, culprit);
    s->sign = sign;
    if (solutions == 0) {
        return 0;
    }
    if (sign && !keeps_signs(s, p, sign)) {
        *culprit = fastest_growing(s, p, 1.0);
        return 0;
    }
    find_loads(s, p, 1.0, s->N, NULL);
    s->regularity = newton_step(s, s->h);
    return solutions;
}

int joint_loads_solve(joint_loads *s, const reduced_problem *p, int *culprit)
{
    *culprit = s->element[0];
    return s->near && solve_near(s, p) ? 1 : solve_anew(s, p, culprit);
}
