/* Loads of slipping joints [paper 5; spec 4.2]: N = h(N), h_j = sum over the joint's groups of |lambda_g|, where
 * lambda = a + sum b_j N_j. h is convex, and h(0) >= 0.
 *
 * The branch that grows out of mu = 0: solve N = h(t N) with t from 0 to 1. For one slipping joint N - h(N) is concave, and
 * that branch is its smallest root, which Newton's method reaches from N = 0 without ever passing it; there is none when
 * the slope 1 - h' vanishes on the way. For several joints the solution is unique when h contracts (in the maximum norm);
 * else the branch is followed in t until 1, or until det(I - dh/dN) vanishes. */
#include <string.h>

#include "methods/impact/friction_work.h"

enum {
    COUNTED_GROUPS = 8, /* signs of so many scalar loads are enumerated */
    NEWTON_LIMIT = 200, /* monotone or safeguarded: bounded only against rounding at a fold */
};

/* Solves A x = b by elimination with row pivots (A destroyed, b receives x); returns det A, zero: not solved. */
double friction_eliminate(double *A, double *b, int n)
{
    double det = 1.0;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
        }
        for (int l = 0; best != k && l < n; ++l) {
            double keep = A[k * n + l];
            A[k * n + l] = A[best * n + l];
            A[best * n + l] = keep;
        }
        double keep = b[k];
        b[k] = b[best];
        b[best] = keep;
        det *= best == k ? A[k * n + k] : -A[k * n + k];
        if (!(fabs(det) > 0.0)) {
            return 0.0;
        }
        for (int i = k + 1; i < n; ++i) {
            double factor = A[i * n + k] / A[k * n + k];
            for (int l = k + 1; l < n; ++l) {
                A[i * n + l] -= factor * A[k * n + l];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int l = k + 1; l < n; ++l) {
            b[k] -= A[k * n + l] * b[l];
        }
        b[k] /= A[k * n + k];
    }
    return det;
}

/* lambda = a + t sum b_j N_j. */
static void find_lambda(friction_work *w, const reduced_problem *p, double t, const double *N)
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

/* h(t, N), its slope dh/dN, and, where wanted, dh/dt. */
static void find_loads(friction_work *w, const reduced_problem *p, double t, const double *N, double *dh_dt)
{
    int n = w->joint_count, loads = p->load_count;
    find_lambda(w, p, t, N);
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

/* Most by which h_j can grow per unit of the largest load: below 1 for all j it contracts. */
static double gain(const friction_work *w, const reduced_problem *p, int j)
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
    for (int k = 0; k < NEWTON_LIMIT; ++k) {
        find_loads(w, p, 1.0, &N, NULL);
        double missing = w->h[0] - N;
        if (missing <= 1e-16 * w->h[0]) {
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
    return !isfinite(N) ? 0 : gain(w, p, 0) > 1.0 && N > 0.0 ? 2 : 1;
}

/* N_step = (I - dh/dN)^-1 right; returns the determinant. */
static double newton_step(friction_work *w, const double *right)
{
    int n = w->joint_count;
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
            w->lu[j * n + k] = (j == k ? 1.0 : 0.0) - w->slope[j * n + k];
        }
    }
    memmove(w->N_step, right, (size_t)n * sizeof(double));
    return friction_eliminate(w->lu, w->N_step, n);
}

/* Newton's method for N = h(t, N) from N_try; returns the determinant at the solution, zero when there is none near. */
static double correct_loads(friction_work *w, const reduced_problem *p, double t)
{
    int n = w->joint_count;
    double previous = HUGE_VAL;
    for (int k = 0; k < 12; ++k) {
        find_loads(w, p, t, w->N_try, NULL);
        double scale = fmax(largest(w->h, n), largest(w->N_try, n));
        for (int j = 0; j < n; ++j) {
            w->h[j] -= w->N_try[j];
        }
        double miss = largest(w->h, n);
        double det = newton_step(w, w->h);
        if (miss <= 1e-15 * scale || (miss <= 1e-12 * scale && miss >= previous)) {
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

/* Loads of a contracting h: Newton's method; where a step of it does not reduce the residual, a plain iteration from where
 * it began, which always does. */
static void solve_contracting(friction_work *w, const reduced_problem *p)
{
    int n = w->joint_count;
    size_t bytes = (size_t)n * sizeof(double);
    memset(w->N, 0, bytes);
    double previous = HUGE_VAL;
    bool newton = false;
    for (int k = 0; k < NEWTON_LIMIT; ++k) {
        find_loads(w, p, 1.0, w->N, NULL);
        double scale = largest(w->h, n), miss = 0.0;
        for (int j = 0; j < n; ++j) {
            miss = fmax(miss, fabs(w->h[j] - w->N[j]));
        }
        if (miss <= 4e-16 * scale || (miss <= 1e-14 * scale && miss >= previous)) {
            break;
        }
        if (newton && miss >= previous) {
            memcpy(w->N, w->N_try, bytes);
            newton = false;
            continue;
        }
        memcpy(w->N_try, w->h, bytes);
        for (int j = 0; j < n; ++j) {
            w->h[j] -= w->N[j];
        }
        newton = newton_step(w, w->h) > 0.0;
        for (int j = 0; j < n; ++j) {
            w->N[j] = newton ? w->N[j] + w->N_step[j] : w->N_try[j];
        }
        previous = miss;
    }
}

/* Element of the joint whose load grows fastest with t. */
static int fastest_growing(friction_work *w, const reduced_problem *p, double t)
{
    int best = 0;
    find_loads(w, p, t, w->N, w->h);
    newton_step(w, w->h);
    for (int j = 1; j < w->joint_count; ++j) {
        best = fabs(w->N_step[j]) > fabs(w->N_step[best]) ? j : best;
    }
    return w->joint[best];
}

int friction_weakest(friction_work *w, const reduced_problem *p)
{
    return w->joint_count > 0 ? fastest_growing(w, p, 1.0) : -1;
}

/* Follows N = h(t, N) from t = 0 to 1. False: the branch ends; *culprit is the joint whose load grows fastest there. */
static bool follow_branch(friction_work *w, const reduced_problem *p, int *culprit)
{
    int n = w->joint_count;
    memset(w->N, 0, (size_t)n * sizeof(double));
    find_loads(w, p, 0.0, w->N, NULL);
    memcpy(w->N, w->h, (size_t)n * sizeof(double));
    double t = 0.0, dt = 0.1;
    *culprit = w->joint[0];
    while (t < 1.0) {
        double next = fmin(1.0, t + dt);
        memcpy(w->N_try, w->N, (size_t)n * sizeof(double));
        double det = correct_loads(w, p, next);
        double change = 0.0;
        for (int j = 0; j < n; ++j) {
            change = fmax(change, fabs(w->N_try[j] - w->N[j]));
        }
        if (det > 0.0 && change <= 0.3 * largest(w->N, n) + 1e-300) {
            memcpy(w->N, w->N_try, (size_t)n * sizeof(double));
            t = next;
            dt *= 1.5;
            continue;
        }
        dt *= 0.5;
        if (dt < 1e-7) { /* a fold: N grows like 1/sqrt(distance), so that t is known well enough to call it one */
            *culprit = fastest_growing(w, p, t);
            return false;
        }
    }
    return true;
}

/* Number of scalar groups of the slipping joints; 0 when there are others or too many. */
static int scalar_groups(const friction_work *w, const reduced_problem *p)
{
    int count = 0;
    for (int j = 0; j < w->joint_count; ++j) {
        const friction_element *e = &p->elements[w->joint[j]];
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
static double loads_for_signs(friction_work *w, const reduced_problem *p, unsigned signs)
{
    int n = w->joint_count, loads = p->load_count;
    memset(w->lu, 0, (size_t)(n * n) * sizeof(double));
    memset(w->N_try, 0, (size_t)n * sizeof(double));
    unsigned bit = 1;
    for (int j = 0; j < n; ++j) {
        const friction_element *e = &p->elements[w->joint[j]];
        w->lu[j * n + j] = 1.0;
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g, bit <<= 1) {
            int i = p->groups[g].first;
            double sign = signs & bit ? -1.0 : 1.0;
            w->N_try[j] += sign * w->component[i];
            for (int k = 0; k < n; ++k) {
                w->lu[j * n + k] -= sign * w->component[(k + 1) * loads + i];
            }
        }
    }
    return friction_eliminate(w->lu, w->N_try, n);
}

/* Whether N_try has the signs that it was computed with. */
static bool signs_agree(friction_work *w, const reduced_problem *p, unsigned signs)
{
    find_lambda(w, p, 1.0, w->N_try);
    double slack = 1e-13 * (largest(w->N_try, w->joint_count) + largest(w->component, p->load_count));
    unsigned bit = 1;
    for (int j = 0; j < w->joint_count; ++j) {
        const friction_element *e = &p->elements[w->joint[j]];
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g, bit <<= 1) {
            double lambda = w->lambda[p->groups[g].first];
            if ((signs & bit ? -lambda : lambda) < -slack) {
                return false;
            }
        }
    }
    return true;
}

/* Tries all signs: how many solutions there are, and into N the only regular one (det > 0); *regular of them. */
static int enumerate_signs(friction_work *w, const reduced_problem *p, int groups, int *regular)
{
    int solutions = 0;
    *regular = 0;
    for (unsigned signs = 0; signs < 1U << groups; ++signs) {
        double det = loads_for_signs(w, p, signs);
        if (det != 0.0 && signs_agree(w, p, signs)) {
            ++solutions;
            if (det > 0.0) {
                ++*regular;
                memcpy(w->N, w->N_try, (size_t)w->joint_count * sizeof(double));
            }
        }
    }
    return solutions;
}

/* Loads near those of the last answer, into N; false: there are none. */
static bool solve_near(friction_work *w, const reduced_problem *p)
{
    for (int j = 0; j < w->joint_count; ++j) {
        w->N_try[j] = w->load[w->joint[j]];
    }
    double before = largest(w->N_try, w->joint_count), change = 0.0;
    w->regularity = correct_loads(w, p, 1.0);
    if (!(w->regularity > 0.0)) {
        return false;
    }
    for (int j = 0; j < w->joint_count; ++j) {
        change = fmax(change, fabs(w->N_try[j] - w->load[w->joint[j]]));
        w->N[j] = w->N_try[j];
    }
    double near = 0.3 * (before + largest(w->component, p->load_count));
    return change <= (w->sign ? fmax(near, 0.03 * w->load_scale) : near); /* loads may vanish at a kink */
}

/* Loads of several slipping joints into N. */
static int solve_several_loads(friction_work *w, const reduced_problem *p, int *culprit)
{
    double most = 0.0;
    for (int j = 0; j < w->joint_count; ++j) {
        most = fmax(most, gain(w, p, j));
    }
    if (most < 0.99) {
        solve_contracting(w, p);
        return 1;
    }
    int groups = scalar_groups(w, p), regular = 0;
    int solutions = groups > 0 ? enumerate_signs(w, p, groups, &regular) : 1;
    if (regular == 1) {
        return solutions;
    }
    return follow_branch(w, p, culprit) ? (solutions > 0 ? solutions : 1) : 0;
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
    find_lambda(w, p, 1.0, w->N);
    for (int j = 0; j < w->joint_count; ++j) {
        const friction_element *e = &p->elements[w->joint[j]];
        for (int g = e->first_group; g < e->first_group + e->group_count; ++g) {
            int i = p->groups[g].first;
            if (p->groups[g].dim == 1 && sign[i] * w->lambda[i] < 0.0) {
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
    if (solutions == 0 || (sign && !keeps_signs(w, p, sign))) {
        return 0;
    }
    find_loads(w, p, 1.0, w->N, NULL);
    w->regularity = newton_step(w, w->h);
    return solutions;
}

int friction_solve_loads(friction_work *w, const reduced_problem *p, int *culprit)
{
    int solutions = w->near_last && solve_near(w, p) ? 1 : solve_anew(w, p, culprit);
    int unloaded = solutions > 0 ? unloaded_jam(w, p) : -1;
    *culprit = unloaded >= 0 ? unloaded : *culprit;
    return unloaded >= 0 ? 0 : solutions;
}
