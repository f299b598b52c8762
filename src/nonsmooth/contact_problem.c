#include "nonsmooth/contact_problem.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/contact_rows.h"
#include "nonsmooth/small.h"

/* ---- joints ---------------------------------------------------------------------------------------------------------------- */

void joint_velocity(const contact_problem *p, const joint_equations *j, double u[ELEMENT_ROWS])
{
    for (int k = 0; k < j->count + j->slip_count; ++k) {
        u[k] = j->bias[k] + j->eps[k] * j->r[k];
        for (int end = 0; end < j->end_count; ++end) {
            for (int i = 0; i < BODY_COLUMNS && j->body[end] >= 0; ++i) {
                u[k] += j->J[end][k][i] * p->v[BODY_COLUMNS * j->body[end] + i];
            }
        }
    }
}

/* out = M^-1 f of a body */
static void divide_by_mass(const problem_body *b, const double f[BODY_COLUMNS], double out[BODY_COLUMNS])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = b->inverse_mass * f[k];
        out[3 + k] = dot3(b->inverse_inertia[k], f + 3);
    }
}

void joint_push(const contact_problem *p, const joint_equations *j, const double d[ELEMENT_ROWS])
{
    for (int end = 0; end < j->end_count; ++end) {
        if (j->body[end] < 0) {
            continue;
        }
        double f[BODY_COLUMNS] = { 0 };
        double dv[BODY_COLUMNS];
        for (int k = 0; k < j->count + j->slip_count; ++k) {
            for (int i = 0; i < BODY_COLUMNS; ++i) {
                f[i] += d[k] * j->J[end][k][i];
            }
        }
        divide_by_mass(&p->bodies[j->body[end]], f, dv);
        for (int i = 0; i < BODY_COLUMNS; ++i) {
            p->v[BODY_COLUMNS * j->body[end] + i] += dv[i];
        }
    }
}

void contact_problem_velocities(contact_problem *p)
{
    memcpy(p->v, p->v_free, BODY_COLUMNS * (size_t)p->body_count * sizeof *p->v);
    for (int i = 0; i < p->contact_count; ++i) {
        const cone_contact *c = &p->contacts[i];
        if (c->r[0] != 0.0 || c->r[1] != 0.0 || c->r[2] != 0.0) {
            contact_push(p, c, c->r);
        }
    }
    for (int i = 0; i < p->joint_count; ++i) {
        joint_push(p, &p->joints[i], p->joints[i].r);
    }
}

/* ---- the blocks of W on its diagonal ------------------------------------------------------------------------------------ */

static void prepare_contact(const contact_problem *p, cone_contact *c)
{
    memset(c->W, 0, sizeof c->W);
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] < 0) {
            continue;
        }
        const problem_body *b = &p->bodies[c->body[side]];
        const double inverse_mass = c->couple > 0.0 ? 0.0 : b->inverse_mass;
        double wrench[CONE_ROWS][BODY_COLUMNS];
        for (int k = 0; k < CONE_ROWS; ++k) {
            contact_wrench(c, side, c->frame[k], wrench[k]);
        }
        for (int k = 0; k < CONE_ROWS; ++k) {
            double turned[3];
            for (int i = 0; i < 3; ++i) {
                turned[i] = dot3(b->inverse_inertia[i], wrench[k] + 3);
            }
            for (int l = 0; l <= k; ++l) {
                c->W[k][l] += dot3(turned, wrench[l] + 3) + (k == l ? inverse_mass : 0.0);
            }
        }
    }
    for (int k = 0; k < CONE_ROWS; ++k) {
        c->W[k][k] += c->eps;
        for (int l = 0; l < k; ++l) {
            c->W[l][k] = c->W[k][l];
        }
    }
    inverse3((const double(*)[3])c->W, c->inverse);
    double middle = 0.5 * (c->W[1][1] + c->W[2][2]);
    double half = 0.5 * (c->W[1][1] - c->W[2][2]);
    c->rho_n = 1.0 / c->W[0][0];
    c->rho_t = 1.0 / (middle + hypot(half, c->W[1][2]));
}

/* [1/kg] J_k M^-1 J_l' */
static double joint_response(const contact_problem *p, const joint_equations *j, int k, int l)
{
    double sum = 0.0;
    for (int end = 0; end < j->end_count; ++end) {
        double x[BODY_COLUMNS];
        if (j->body[end] < 0) {
            continue;
        }
        divide_by_mass(&p->bodies[j->body[end]], j->J[end][k], x);
        for (int i = 0; i < BODY_COLUMNS; ++i) {
            sum += x[i] * j->J[end][l][i];
        }
    }
    return sum;
}

static void prepare_joint(const contact_problem *p, joint_equations *j)
{
    enum { N = EQUATION_ROWS };
    int n = j->count;
    double W[N * N] = { 0 };
    double B[N * N] = { 0 };
    double scratch[4 * N * N + 16 * N];
    for (int k = 0; k < n; ++k) {
        for (int l = 0; l < n; ++l) {
            W[n * k + l] = joint_response(p, j, k, l);
        }
        W[n * k + k] += j->eps[k];
        B[n * k + k] = 1.0;
    }
    dense_solve_many(W, B, n, n, 0.0, scratch);
    for (int k = 0; k < n; ++k) {
        memcpy(j->inverse[k], B + n * k, (size_t)n * sizeof *B);
    }
    double trace = 0.0; /* no smaller than the largest eigenvalue of the slip rows' block */
    for (int k = n; k < n + j->slip_count; ++k) {
        trace += joint_response(p, j, k, k) + j->eps[k];
    }
    j->rho = trace > 0.0 ? 1.0 / trace : 0.0;
}

void contact_problem_prepare(contact_problem *p)
{
    for (int i = 0; i < p->contact_count; ++i) {
        prepare_contact(p, &p->contacts[i]);
    }
    for (int i = 0; i < p->joint_count; ++i) {
        prepare_joint(p, &p->joints[i]);
    }
}

/* ---- the residual ------------------------------------------------------------------------------------------------------- */

void natural_map(const cone_contact *c, const double u[CONE_ROWS], double F[CONE_ROWS])
{
    double z_n = fmax(0.0, c->r[0] - c->rho_n * u[0]);
    double z[2] = { c->r[1] - c->rho_t * u[1], c->r[2] - c->rho_t * u[2] };
    double length = sqrt(z[0] * z[0] + z[1] * z[1]);
    double radius = c->mu * z_n;
    double part = length > radius ? radius / length : 1.0;
    F[0] = c->r[0] - z_n;
    F[1] = c->r[1] - part * z[0];
    F[2] = c->r[2] - part * z[1];
}

/* |map y| of one load; its direction map' (map y) / |map y| is added to slope. */
static double load_of(const element_load *load, const double *y, double *slope)
{
    double at[3] = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < load->dim; ++k) {
        for (int i = 0; i < EQUATION_ROWS; ++i) {
            at[k] += load->map[k][i] * y[i];
        }
    }
    double length = sqrt(dot3(at, at));
    for (int i = 0; slope && length > 0.0 && i < EQUATION_ROWS; ++i) {
        for (int k = 0; k < load->dim; ++k) {
            slope[i] += load->map[k][i] * at[k] / length;
        }
    }
    return length;
}

double joint_friction_bound(const joint_equations *j, double slope[EQUATION_ROWS])
{
    double N = 0.0;
    if (slope) {
        memset(slope, 0, EQUATION_ROWS * sizeof *slope);
    }
    for (int g = 0; g < j->load_count; ++g) {
        N += load_of(&j->loads[g], j->r, slope);
    }
    for (int i = 0; slope && i < EQUATION_ROWS; ++i) {
        slope[i] *= j->mu;
    }
    return j->mu * N;
}

void joint_friction_map(const joint_equations *j, const double u[ELEMENT_ROWS], double F[SLIP_ROWS])
{
    const double *r = j->r + j->count;
    double z[SLIP_ROWS] = { 0.0, 0.0, 0.0 };
    double bound = joint_friction_bound(j, NULL);
    for (int k = 0; k < j->slip_count; ++k) {
        z[k] = r[k] - j->rho * u[j->count + k];
    }
    double length = sqrt(dot3(z, z));
    double part = length > bound ? bound / length : 1.0;
    for (int k = 0; k < j->slip_count; ++k) {
        F[k] = r[k] - part * z[k];
    }
}

static void take_worst(contact_residual *out, double speed, int contact)
{
    if (!(speed <= out->speed)) {
        out->speed = isfinite(speed) ? speed : HUGE_VAL;
        out->contact = contact;
    }
}

static void add_contact(const contact_problem *p, int i, contact_residual *out)
{
    const cone_contact *c = &p->contacts[i];
    double u[CONE_ROWS];
    double F[CONE_ROWS];
    contact_velocity(p, c, u);
    natural_map(c, u, F);
    double n = F[0] / c->rho_n;
    double t2 = (F[1] * F[1] + F[2] * F[2]) / (c->rho_t * c->rho_t);
    double speed = sqrt(n * n + t2);
    out->merit += F[0] * n + c->rho_t * t2;
    take_worst(out, speed, i);
}

static void add_joint(const contact_problem *p, const joint_equations *j, contact_residual *out)
{
    double u[ELEMENT_ROWS];
    double F[SLIP_ROWS] = { 0.0, 0.0, 0.0 };
    joint_velocity(p, j, u);
    for (int k = 0; k < j->count; ++k) {
        out->merit += u[k] * u[k] * j->inverse[k][k];
        take_worst(out, fabs(u[k]) * j->length[k], -1);
    }
    if (j->slip_count > 0) {
        joint_friction_map(j, u, F);
        double size2 = dot3(F, F);
        out->merit += size2 / j->rho;
        take_worst(out, sqrt(size2) / j->rho, -1);
    }
}

contact_residual contact_problem_residual(const contact_problem *p)
{
    contact_residual out = { .contact = -1 };
    for (int i = 0; i < p->contact_count; ++i) {
        add_contact(p, i, &out);
    }
    for (int i = 0; i < p->joint_count; ++i) {
        add_joint(p, &p->joints[i], &out);
    }
    out.speed /= p->speed;
    out.merit = isfinite(out.merit) ? out.merit : HUGE_VAL;
    return out;
}
