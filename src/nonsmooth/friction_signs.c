/* Loads of slipping joints whose components are all scalar (friction_loads.c): for given signs the problem is linear, so that
 * all solutions are found by trying all signs. */
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/friction_loads.h"

enum { COUNTED_GROUPS = 8 }; /* signs of so many scalar loads are enumerated */

/* A component has the sign it was computed with when it is not beyond this of the largest: rounding. */
static const double sign_slack = 1e-13;

int friction_scalar_groups(const friction_work *w, const reduced_problem *p)
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
    double det;
    dense_eliminate(w->lu, w->N_try, n, 0.0, &det);
    return det;
}

/* Whether N_try has the signs that it was computed with. */
static bool signs_agree(friction_work *w, const reduced_problem *p, unsigned signs)
{
    friction_find_lambda(w, p, 1.0, w->N_try);
    double slack = sign_slack * (largest(w->N_try, w->joint_count) + largest(w->component, p->load_count));
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

int friction_enumerate_signs(friction_work *w, const reduced_problem *p, int groups, int *regular)
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
