/* Whether impulses solve a contact problem, told without any code of the solvers: velocities of bodies from all impulses, velocities of
 * contacts from those, and Coulomb's law and Signorini's conditions one by one. */
#ifndef CAROM_TESTS_COULOMB_CHECK_H
#define CAROM_TESTS_COULOMB_CHECK_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nonsmooth/contact_problem.h"

/* v = v_free + M^-1 (sum of impulses), with the wrench of every contact about the centres of mass. */
static inline void coulomb_velocities(const contact_problem *p, double *v)
{
    memcpy(v, p->v_free, 6 * (size_t)p->body_count * sizeof *v);
    for (int i = 0; i < p->contact_count; ++i) {
        const cone_contact *c = &p->contacts[i];
        for (int side = 0; side < 2; ++side) {
            if (c->body[side] < 0) {
                continue;
            }
            const problem_body *b = &p->bodies[c->body[side]];
            double sign = side == 0 ? 1.0 : -1.0;
            double f[3];
            for (int k = 0; k < 3; ++k) {
                f[k] = sign * (c->r[0] * c->frame[0][k] + c->r[1] * c->frame[1][k] + c->r[2] * c->frame[2][k]);
            }
            const double *a = c->arm[side];
            const double T[3] = { a[1] * f[2] - a[2] * f[1], a[2] * f[0] - a[0] * f[2], a[0] * f[1] - a[1] * f[0] };
            for (int k = 0; k < 3; ++k) {
                v[6 * c->body[side] + k] += f[k] * b->inverse_mass;
                for (int l = 0; l < 3; ++l) {
                    v[6 * c->body[side] + 3 + k] += b->inverse_inertia[k][l] * T[l];
                }
            }
        }
    }
    for (int i = 0; i < p->joint_count; ++i) {
        const joint_equations *j = &p->joints[i];
        for (int side = 0; side < j->end_count; ++side) {
            for (int k = 0; k < j->count + j->slip_count && j->body[side] >= 0; ++k) {
                const problem_body *b = &p->bodies[j->body[side]];
                for (int m = 0; m < 3; ++m) {
                    v[6 * j->body[side] + m] += b->inverse_mass * j->J[side][k][m] * j->r[k];
                    for (int l = 0; l < 3; ++l) {
                        v[6 * j->body[side] + 3 + m] += b->inverse_inertia[m][l] * j->J[side][k][3 + l] * j->r[k];
                    }
                }
            }
        }
    }
}

/* The velocity of a contact at v. */
static inline void coulomb_slip(const cone_contact *c, const double *v, double u[3])
{
    double at[3] = { 0.0, 0.0, 0.0 };
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] < 0) {
            continue;
        }
        const double *x = v + 6 * c->body[side];
        const double *w = x + 3;
        const double *a = c->arm[side];
        double sign = side == 0 ? 1.0 : -1.0;
        at[0] += sign * (x[0] + w[1] * a[2] - w[2] * a[1]);
        at[1] += sign * (x[1] + w[2] * a[0] - w[0] * a[2]);
        at[2] += sign * (x[2] + w[0] * a[1] - w[1] * a[0]);
    }
    for (int k = 0; k < 3; ++k) {
        u[k] = c->bias[k] + c->eps * c->r[k];
        for (int l = 0; l < 3; ++l) {
            u[k] += c->frame[k][l] * at[l];
        }
    }
}

/* The worst violation of one contact, as a speed [m/s]: impulses are divided by what it takes to move the contact. */
static inline double coulomb_violation(const cone_contact *c, const double u[3])
{
    double r_t = hypot(c->r[1], c->r[2]);
    double u_t = hypot(u[1], u[2]);
    double rho = fmax(c->rho_t, c->mu * c->rho_n); /* the radius of the cone follows the normal impulse */
    double worst = fmax(-u[0], -c->r[0] / c->rho_n);
    worst = fmax(worst, fmin(fabs(u[0]), fabs(c->r[0]) / c->rho_n)); /* one of both is zero */
    worst = fmax(worst, (r_t - c->mu * c->r[0]) / rho);              /* within the cone */
    /* Either it does not slip, or friction is at the cone and opposes slip. A direction counts as much as the smaller of slip and friction. */
    double both = fmin(u_t, c->mu * c->r[0] / c->rho_t);
    if (r_t > 0.0 && u_t > 0.0) {
        double sine = fabs(u[1] * c->r[2] - u[2] * c->r[1]) / (r_t * u_t);
        double wrong = u[1] * c->r[1] + u[2] * c->r[2] > 0.0 ? 1.0 : sine;
        worst = fmax(worst, fmin(u_t, fmax((c->mu * c->r[0] - r_t) / rho, both * wrong)));
    } else {
        worst = fmax(worst, both);
    }
    return worst;
}

/* The velocity of a row of a joint at v. */
static inline double coulomb_row(const joint_equations *j, const double *v, int k)
{
    double u = j->bias[k] + j->eps[k] * j->r[k];
    for (int side = 0; side < j->end_count; ++side) {
        for (int m = 0; m < 6 && j->body[side] >= 0; ++m) {
            u += j->J[side][k][m] * v[6 * j->body[side] + m];
        }
    }
    return u;
}

/* The worst violation of the friction in a joint [m/s]: |f| <= mu N, and f against the slip at the bound where it slips. */
static inline double coulomb_rubbing(const joint_equations *j, const double *v)
{
    double N = 0.0;
    double f2 = 0.0;
    double u2 = 0.0;
    double fu = 0.0;
    for (int g = 0; g < j->load_count; ++g) {
        double load2 = 0.0;
        for (int k = 0; k < j->loads[g].dim; ++k) {
            double one = 0.0;
            for (int l = 0; l < j->count; ++l) {
                one += j->loads[g].map[k][l] * j->r[l];
            }
            load2 += one * one;
        }
        N += sqrt(load2);
    }
    for (int k = j->count; k < j->count + j->slip_count; ++k) {
        double u = coulomb_row(j, v, k);
        f2 += j->r[k] * j->r[k];
        u2 += u * u;
        fu += j->r[k] * u;
    }
    double f = sqrt(f2);
    double u = sqrt(u2);
    double bound = j->mu * N;
    double outside = (f - bound) / j->rho;
    double inside = fmin(u, (bound - f) / j->rho);
    double sine = f > 0.0 && u > 0.0 ? sqrt(fmax(0.0, 1.0 - fu * fu / (f2 * u2))) : 0.0;
    double wrong = fu > 0.0 ? 1.0 : sine;
    return fmax(fmax(outside, inside), fmin(u, f / j->rho) * wrong);
}

/* The worst violation of all contacts and joints [m/s]; infinite where numbers are not finite. */
static inline double coulomb_check(const contact_problem *p)
{
    double *v = malloc((6 * (size_t)p->body_count + 1) * sizeof *v);
    double worst = v ? 0.0 : HUGE_VAL;
    for (int i = 0; v && i < 6 * p->body_count; ++i) {
        v[i] = 0.0;
    }
    if (v) {
        coulomb_velocities(p, v);
    }
    for (int i = 0; v && i < p->contact_count; ++i) {
        double u[3];
        coulomb_slip(&p->contacts[i], v, u);
        double one = coulomb_violation(&p->contacts[i], u);
        worst = isfinite(one) ? fmax(worst, one) : HUGE_VAL;
    }
    for (int i = 0; v && i < p->joint_count; ++i) {
        const joint_equations *j = &p->joints[i];
        for (int k = 0; k < j->count; ++k) {
            double u = coulomb_row(j, v, k);
            worst = isfinite(u) ? fmax(worst, fabs(u) * j->length[k]) : HUGE_VAL;
        }
        if (j->slip_count > 0) {
            worst = fmax(worst, coulomb_rubbing(j, v));
        }
    }
    free(v);
    return worst;
}

#endif
