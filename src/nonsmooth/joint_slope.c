/* Joints in Newton's method and in the interior point. Equations answer by their compliance,
 *
 *     eps dy = -u - J dv
 *
 * friction f by the slope of its law. The bound R = mu N(y) moves with the loads, so that dR/dy stands beside the slope of the projection P onto the
 * disc: with z = f - rho u
 *
 *     df - P' (df - rho (J_s dv + eps df)) - P_R R' dy = P(z) - f              natural map
 *     df + K (J_s dv + eps df) + (u/|u|) R' dy = -R u/|u| - f,   K = dR(u/|u|)/du     |u| rounded off */
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/small.h"
#include "nonsmooth/solver_work.h"

/* A dr = rhs - B J dv of the rows of one joint. */
typedef struct joint_system {
    double A[ELEMENT_ROWS][ELEMENT_ROWS], B[ELEMENT_ROWS][ELEMENT_ROWS];
    double rhs[ELEMENT_ROWS];
} joint_system;

/* Direction d and the slope of the law by -u (times `factor`), with the bound's. */
static void write_friction(const joint_equations *j, const double d[SLIP_ROWS], double part, double factor,
                           const double bound_slope[EQUATION_ROWS], joint_system *out)
{
    int n = j->count;
    for (int k = 0; k < j->slip_count; ++k) {
        for (int l = 0; l < j->slip_count; ++l) {
            double slope = part * ((k == l ? 1.0 : 0.0) - d[k] * d[l]);
            out->B[n + k][n + l] = factor * slope;
            out->A[n + k][n + l] += factor * slope * j->eps[n + l];
        }
        for (int l = 0; l < n; ++l) {
            out->A[n + k][l] -= d[k] * bound_slope[l];
        }
    }
}

static void write_rounded_friction(const joint_equations *j, const double u[ELEMENT_ROWS], double rounding,
                                   joint_system *out)
{
    double bound_slope[EQUATION_ROWS];
    double bound = joint_friction_bound(j, bound_slope);
    double d[SLIP_ROWS] = { 0.0, 0.0, 0.0 };
    double length2 = rounding * rounding;
    for (int k = 0; k < j->slip_count; ++k) {
        length2 += u[j->count + k] * u[j->count + k];
    }
    double length = sqrt(length2);
    for (int k = 0; k < j->slip_count; ++k) {
        d[k] = -u[j->count + k] / length;
        out->A[j->count + k][j->count + k] = 1.0;
        out->rhs[j->count + k] = bound * d[k] - j->r[j->count + k];
    }
    write_friction(j, d, 1.0, bound / length, bound_slope, out);
}

static void write_natural_friction(const joint_equations *j, const double u[ELEMENT_ROWS], joint_system *out)
{
    double bound_slope[EQUATION_ROWS];
    double bound = joint_friction_bound(j, bound_slope);
    double z[SLIP_ROWS] = { 0.0, 0.0, 0.0 };
    double F[SLIP_ROWS];
    int n = j->count;
    joint_friction_map(j, u, F);
    for (int k = 0; k < j->slip_count; ++k) {
        z[k] = j->r[n + k] - j->rho * u[n + k];
        out->rhs[n + k] = -F[k];
    }
    double length = sqrt(dot3(z, z));
    if (length <= bound) {
        for (int k = 0; k < j->slip_count; ++k) {
            out->A[n + k][n + k] = j->rho * j->eps[n + k];
            out->B[n + k][n + k] = j->rho;
        }
        return;
    }
    const double d[SLIP_ROWS] = { z[0] / length, z[1] / length, z[2] / length };
    double part = bound / length;
    for (int k = 0; k < j->slip_count; ++k) {
        for (int l = 0; l < j->slip_count; ++l) {
            out->A[n + k][n + l] = (k == l ? 1.0 : 0.0) - part * ((k == l ? 1.0 : 0.0) - d[k] * d[l]);
        }
    }
    write_friction(j, d, part, j->rho, bound_slope, out);
}

static void solve_system(joint_system *m, int n, joint_slope *out)
{
    enum { N = ELEMENT_ROWS };
    double A[N * N];
    double B[N * (N + 1)];
    double scratch[5 * N];
    for (int k = 0; k < n; ++k) {
        memcpy(A + n * k, m->A[k], (size_t)n * sizeof *A);
        memcpy(B + (n + 1) * k, m->B[k], (size_t)n * sizeof *B);
        B[(n + 1) * k + n] = m->rhs[k];
    }
    dense_solve_many(A, B, n, n + 1, 0.0, scratch);
    for (int k = 0; k < n; ++k) {
        memcpy(out->S[k], B + (n + 1) * k, (size_t)n * sizeof *B);
        out->step[k] = B[(n + 1) * k + n];
    }
}

static void linearise(const contact_problem *p, const joint_equations *j, double rounding, joint_slope *out)
{
    double u[ELEMENT_ROWS];
    joint_velocity(p, j, u);
    memset(out, 0, sizeof *out);
    if (j->slip_count == 0) {
        for (int k = 0; k < j->count; ++k) {
            out->S[k][k] = 1.0 / j->eps[k];
            out->step[k] = -u[k] / j->eps[k];
        }
        return;
    }
    joint_system m = { .rhs = { 0.0 } };
    for (int k = 0; k < j->count; ++k) {
        m.A[k][k] = j->eps[k];
        m.B[k][k] = 1.0;
        m.rhs[k] = -u[k];
    }
    if (rounding > 0.0) {
        write_rounded_friction(j, u, rounding, &m);
    } else {
        write_natural_friction(j, u, &m);
    }
    solve_system(&m, j->count + j->slip_count, out);
}

/* += J_a' S J_b for two ends of a joint. */
static void add_block(double *A, const joint_equations *j, const joint_slope *slope, int a, int b)
{
    int n = j->count + j->slip_count;
    for (int k = 0; k < n; ++k) {
        double T[BODY_COLUMNS] = { 0 };
        for (int l = 0; l < n; ++l) {
            for (int m = 0; m < BODY_COLUMNS && slope->S[k][l] != 0.0; ++m) {
                T[m] += slope->S[k][l] * j->J[b][l][m];
            }
        }
        for (int l = 0; l < BODY_COLUMNS; ++l) {
            for (int m = 0; m < BODY_COLUMNS; ++m) {
                A[BODY_COLUMNS * l + m] += j->J[a][k][l] * T[m];
            }
        }
    }
}

static void add_joint(contact_solver *s, const contact_problem *p, int i)
{
    const joint_equations *j = &p->joints[i];
    for (int a = 0; a < j->end_count; ++a) {
        for (int b = 0; b < j->end_count; ++b) {
            if (j->body[a] >= 0 && j->body[b] >= 0) {
                int edge = a == b ? -1 : s->joint_edges[i][a][b];
                double *A = a == b ? block_lu_node(s->matrix, j->body[a]) : block_lu_edge(s->matrix, edge, a > b);
                add_block(A, j, &s->joint_slopes[i], a, b);
            }
        }
    }
}

void solver_linearise_joints(contact_solver *s, const contact_problem *p, double rounding)
{
    for (int i = 0; i < p->joint_count; ++i) {
        linearise(p, &p->joints[i], rounding, &s->joint_slopes[i]);
        add_joint(s, p, i);
    }
}

void solver_gather_joints(contact_solver *s, const contact_problem *p)
{
    for (int i = 0; i < p->joint_count; ++i) {
        const joint_equations *j = &p->joints[i];
        for (int end = 0; end < j->end_count; ++end) {
            for (int k = 0; k < j->count + j->slip_count && j->body[end] >= 0; ++k) {
                for (int l = 0; l < BODY_COLUMNS; ++l) {
                    s->x[BODY_COLUMNS * j->body[end] + l] += s->joint_slopes[i].step[k] * j->J[end][k][l];
                }
            }
        }
    }
}

/* J times the velocities in s->x. */
static void spread(const contact_solver *s, const joint_equations *j, double u[ELEMENT_ROWS])
{
    for (int k = 0; k < j->count + j->slip_count; ++k) {
        u[k] = 0.0;
        for (int end = 0; end < j->end_count; ++end) {
            for (int i = 0; i < BODY_COLUMNS && j->body[end] >= 0; ++i) {
                u[k] += j->J[end][k][i] * s->x[BODY_COLUMNS * j->body[end] + i];
            }
        }
    }
}

void solver_step_joints(contact_solver *s, const contact_problem *p)
{
    for (int i = 0; i < p->joint_count; ++i) {
        const joint_slope *slope = &s->joint_slopes[i];
        int n = p->joints[i].count + p->joints[i].slip_count;
        double u[ELEMENT_ROWS];
        spread(s, &p->joints[i], u);
        for (int k = 0; k < n; ++k) {
            s->joint_step[i][k] = slope->step[k];
            for (int l = 0; l < n; ++l) {
                s->joint_step[i][k] -= slope->S[k][l] * u[l];
            }
        }
    }
}
