/* A checker of contact problems that shares no code with their solvers: it computes rates and loads from the matrices by plain
 * sums and tells by how much Signorini's and Coulomb's laws are missed. Of impulses the same is asked as of forces: rates are
 * velocities after the impulse then, and p->rate those before. */
#ifndef CAROM_TESTS_CONTACT_LAWS_H
#define CAROM_TESTS_CONTACT_LAWS_H

#include <math.h>
#include <stddef.h>

#include "nonsmooth/reduced.h"

enum { LAWS_LOADS = 64 }; /* of one group */

static inline double laws_norm(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

/* Row k of rate + D force; rate NULL: zero. */
static inline double laws_rate(const reduced_problem *p, const double *rate, const double *force, int k)
{
    double sum = rate ? rate[k] : 0.0;
    for (int l = 0; l < p->row_count; ++l) {
        sum += p->D[k * p->row_count + l] * force[l];
    }
    return sum;
}

/* N of an element: the normal force of its contact, or the sum of the norms of its joint's loads. */
static inline double laws_load(const reduced_problem *p, const friction_element *el, const double *force)
{
    if (el->contact >= 0) {
        return force[el->contact];
    }
    double N = 0.0;
    for (int k = 0; k < el->group_count; ++k) {
        const load_group *group = &p->groups[el->first_group + k];
        double value[LAWS_LOADS];
        for (int i = 0; i < group->dim; ++i) {
            int l = group->first + i;
            value[i] = p->load ? p->load[l] : 0.0;
            for (int row = 0; row < p->row_count; ++row) {
                value[i] += p->B[l * p->row_count + row] * force[row];
            }
        }
        N += laws_norm(value, group->dim);
    }
    return N;
}

/* What rates and forces are compared with. */
typedef struct laws_scale {
    double rate, force;
} laws_scale;

/* Signorini: 0 <= force _|_ rate >= 0 at every contact. The worst miss. */
static inline double laws_normals_missed(const reduced_problem *p, const double *force, const double *rate,
                                         laws_scale scale)
{
    double worst = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        worst = fmax(worst, fmax(-force[c] / scale.force, -rate[c] / scale.rate));
        worst = fmax(worst, fmin(fabs(force[c]) / scale.force, fabs(rate[c]) / scale.rate));
    }
    return worst;
}

/* Coulomb at one element that slips along `slip` (its rows), or where that is none is at rest and begins to move along its
 * rate: |f| <= mu N, and f = -mu N along the motion where there is some. The direction of a small rate is known as well as it
 * stands out of rounding. */
static inline double laws_friction_missed(const reduced_problem *p, const friction_element *el, const double *slip,
                                          const double *force, const double *rate, laws_scale scale)
{
    const double *f = force + el->first_row;
    const double *motion = slip ? slip : rate + el->first_row;
    double N = laws_load(p, el, force);
    double speed = laws_norm(motion, el->dim);
    double worst = (laws_norm(f, el->dim) - el->mu * N) / scale.force;
    if (!slip && speed <= 1e-7 * scale.rate) {
        return worst;
    }
    for (int d = 0; d < el->dim; ++d) {
        double off = fabs(f[d] + el->mu * N * motion[d] / speed) / scale.force;
        worst = fmax(worst, slip ? off : off * fmin(1.0, speed / scale.rate));
    }
    return worst;
}

#endif
