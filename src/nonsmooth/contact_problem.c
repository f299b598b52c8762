#include "nonsmooth/contact_problem.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/small.h"

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

void contact_velocity(const contact_problem *p, const cone_contact *c, double u[CONE_ROWS])
{
    double at[3] = { 0.0, 0.0, 0.0 };
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] >= 0) {
            const double *v = p->v + BODY_COLUMNS * c->body[side];
            double sign = side == 0 ? 1.0 : -1.0;
            double turn[3];
            cross3(v + 3, c->arm[side], turn);
            for (int k = 0; k < 3; ++k) {
                at[k] += sign * (v[k] + turn[k]);
            }
        }
    }
    for (int k = 0; k < CONE_ROWS; ++k) {
        u[k] = dot3(c->frame[k], at) + c->bias[k] + c->eps * c->r[k];
    }
}

void contact_push(const contact_problem *p, const cone_contact *c, const double d[CONE_ROWS])
{
    double f[3];
    for (int k = 0; k < 3; ++k) {
        f[k] = c->frame[0][k] * d[0] + c->frame[1][k] * d[1] + c->frame[2][k] * d[2];
    }
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] >= 0) {
            const problem_body *b = &p->bodies[c->body[side]];
            double *v = p->v + BODY_COLUMNS * c->body[side];
            double sign = side == 0 ? 1.0 : -1.0;
            double torque[3];
            cross3(c->arm[side], f, torque);
            for (int k = 0; k < 3; ++k) {
                v[k] += sign * b->inverse_mass * f[k];
                v[3 + k] += sign * dot3(b->inverse_inertia[k], torque);
            }
        }
    }
}

void joint_velocity(const contact_problem *p, const joint_equations *j, double u[EQUATION_ROWS])
{
    for (int k = 0; k < j->count; ++k) {
        u[k] = j->bias[k] + j->eps[k] * j->r[k];
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < BODY_COLUMNS && j->body[side] >= 0; ++i) {
                u[k] += j->J[side][k][i] * p->v[BODY_COLUMNS * j->body[side] + i];
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

void joint_push(const contact_problem *p, const joint_equations *j, const double d[EQUATION_ROWS])
{
    for (int side = 0; side < 2; ++side) {
        if (j->body[side] < 0) {
            continue;
        }
        double f[BODY_COLUMNS] = { 0 };
        double dv[BODY_COLUMNS];
        for (int k = 0; k < j->count; ++k) {
            for (int i = 0; i < BODY_COLUMNS; ++i) {
                f[i] += d[k] * j->J[side][k][i];
            }
        }
        divide_by_mass(&p->bodies[j->body[side]], f, dv);
        for (int i = 0; i < BODY_COLUMNS; ++i) {
            p->v[BODY_COLUMNS * j->body[side] + i] += dv[i];
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
        double lever[CONE_ROWS][3];
        for (int k = 0; k < CONE_ROWS; ++k) {
            cross3(c->arm[side], c->frame[k], lever[k]);
        }
        for (int k = 0; k < CONE_ROWS; ++k) {
            double turned[3];
            for (int i = 0; i < 3; ++i) {
                turned[i] = dot3(b->inverse_inertia[i], lever[k]);
            }
            for (int l = 0; l <= k; ++l) {
                c->W[k][l] += dot3(turned, lever[l]) + (k == l ? b->inverse_mass : 0.0);
            }
        }
    }
    for (int k = 0; k < CONE_ROWS; ++k) {
        c->W[k][k] += c->eps;
        for (int l = 0; l < k; ++l) {
            c->W[l][k] = c->W[k][l];
        }
    }
    double middle = 0.5 * (c->W[1][1] + c->W[2][2]);
    double half = 0.5 * (c->W[1][1] - c->W[2][2]);
    c->rho_n = 1.0 / c->W[0][0];
    c->rho_t = 1.0 / (middle + hypot(half, c->W[1][2]));
}

static void prepare_joint(const contact_problem *p, joint_equations *j)
{
    enum { N = EQUATION_ROWS };
    int n = j->count;
    double W[N * N] = { 0 };
    double B[N * N] = { 0 };
    double scratch[4 * N * N + 16 * N];
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < n && j->body[side] >= 0; ++k) {
            double x[BODY_COLUMNS];
            divide_by_mass(&p->bodies[j->body[side]], j->J[side][k], x);
            for (int l = 0; l < n; ++l) {
                for (int i = 0; i < BODY_COLUMNS; ++i) {
                    W[n * k + l] += x[i] * j->J[side][l][i];
                }
            }
        }
    }
    for (int k = 0; k < n; ++k) {
        W[n * k + k] += j->eps[k];
        B[n * k + k] = 1.0;
    }
    dense_solve_many(W, B, n, n, 0.0, scratch);
    for (int k = 0; k < n; ++k) {
        memcpy(j->inverse[k], B + n * k, (size_t)n * sizeof *B);
    }
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
    if (!(speed <= out->speed)) {
        out->speed = isfinite(speed) ? speed : HUGE_VAL;
        out->contact = i;
    }
}

static void add_joint(const contact_problem *p, const joint_equations *j, contact_residual *out)
{
    double u[EQUATION_ROWS];
    joint_velocity(p, j, u);
    for (int k = 0; k < j->count; ++k) {
        double speed = fabs(u[k]) * j->length[k];
        out->merit += u[k] * u[k] * j->inverse[k][k];
        if (!(speed <= out->speed)) {
            out->speed = isfinite(speed) ? speed : HUGE_VAL;
            out->contact = -1;
        }
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
