/* Semismooth Newton [Alart1991]. With F = r - P(r - rho u), P' the slope of the projection and du = H dv + eps dr:
 *
 *     (1 - P' + P' rho eps) dr = -F - P' rho H dv,    M dv = H' dr
 *     dr = -K F - S H dv,  K = (1 - P' + P' rho eps)^-1,  S = K P' rho,    (M + H' S H) dv = -H' K F */
#include <math.h>
#include <string.h>

#include "nonsmooth/contact_rows.h"
#include "nonsmooth/small.h"
#include "nonsmooth/solver_work.h"

/* P' rho: the derivative of the projection by -u. P' itself is written to `slope`. */
static void projection_slope(const cone_contact *c, const double u[CONE_ROWS], mat3 slope)
{
    memset(slope, 0, sizeof(mat3));
    double z_n = c->r[0] - c->rho_n * u[0];
    if (!(z_n > 0.0)) {
        return;
    }
    double z[2] = { c->r[1] - c->rho_t * u[1], c->r[2] - c->rho_t * u[2] };
    double length = sqrt(z[0] * z[0] + z[1] * z[1]);
    double radius = c->mu * z_n;
    slope[0][0] = 1.0;
    if (length <= radius) {
        slope[1][1] = slope[2][2] = 1.0;
        return;
    }
    double d[2] = { z[0] / length, z[1] / length };
    double part = radius / length;
    for (int k = 0; k < 2; ++k) {
        slope[1 + k][0] = c->mu * d[k];
        for (int l = 0; l < 2; ++l) {
            slope[1 + k][1 + l] = part * ((k == l ? 1.0 : 0.0) - d[k] * d[l]);
        }
    }
}

static void linearise_contact(contact_solver *s, const contact_problem *p, int i)
{
    const cone_contact *c = &p->contacts[i];
    const double rho[3] = { c->rho_n, c->rho_t, c->rho_t };
    double u[CONE_ROWS];
    mat3 slope;
    mat3 scaled;
    mat3 A;
    vec3 KF;
    contact_velocity(p, c, u);
    natural_map(c, u, s->F[i]);
    projection_slope(c, u, slope);
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            scaled[k][l] = slope[k][l] * rho[l];
            A[k][l] = (k == l ? 1.0 : 0.0) - slope[k][l] + c->eps * scaled[k][l];
        }
    }
    inverse3((const double(*)[3])A, s->K[i]);
    product3((const double(*)[3])s->K[i], (const double(*)[3])scaled, s->S[i]);
    if (slope[0][0] > 0.0) {
        solver_add_contact(s, p, i, (const double(*)[3])s->S[i]);
    }
    times3((const double(*)[3])s->K[i], s->F[i], KF);
    for (int k = 0; k < 3; ++k) {
        s->step[i][k] = -KF[k];
    }
    solver_gather(s, p, i, s->step[i]);
}

/* The Newton step into s->step. False: the matrix cannot be factored. */
static bool find_step(contact_solver *s, const contact_problem *p)
{
    solver_clear(s, p);
    memset(s->x, 0, BODY_COLUMNS * (size_t)p->body_count * sizeof *s->x);
    for (int i = 0; i < p->contact_count; ++i) {
        linearise_contact(s, p, i);
    }
    solver_linearise_joints(s, p, 0.0);
    solver_gather_joints(s, p);
    if (!block_lu_factor(s->matrix)) {
        return false;
    }
    block_lu_solve(s->matrix, s->x);
    for (int i = 0; i < p->contact_count; ++i) {
        vec3 u;
        vec3 change;
        contact_rows_times(&p->contacts[i], s->x, u);
        times3((const double(*)[3])s->S[i], u, change);
        for (int k = 0; k < 3; ++k) {
            s->step[i][k] -= change[k];
        }
    }
    solver_step_joints(s, p);
    return true;
}

/* Halves the step until the merit falls as it should; the best part otherwise. Returns the merit there. */
static double search_line(contact_solver *s, contact_problem *p, double merit)
{
    enum { HALVINGS = 10 };
    const double enough = 0.2; /* of the decrease that the slope promises */
    double best = HUGE_VAL;
    double best_part = 0.0;
    double part = 1.0;
    for (int k = 0; k < HALVINGS; ++k, part *= 0.5) {
        solver_move(s, p, part);
        double there = contact_problem_residual(p).merit;
        if (there < best) {
            best = there;
            best_part = part;
        }
        if (there < (1.0 - enough * part) * merit) {
            return there;
        }
    }
    solver_move(s, p, best_part);
    return best;
}

void semismooth_newton(contact_solver *s, contact_problem *p, double tolerance, int most, solve_report *report)
{
    enum { PATIENCE = 8 };        /* full steps that may fail to reduce the merit */
    const double progress = 0.98; /* of the least merit before */
    double least = HUGE_VAL;
    int bold = 0;
    for (int k = 0;; ++k) {
        contact_residual now = contact_problem_residual(p);
        report->residual = now.speed;
        report->contact = now.contact;
        report->solved = now.speed <= tolerance;
        bool better = now.merit <= progress * least;
        if (better || k == 0) {
            least = now.merit;
            bold = 0;
            solver_keep(p, s->least, s->joint_least);
        }
        if (report->solved || k >= most || bold > PATIENCE) {
            break;
        }
        solver_keep(p, s->start, s->joint_start);
        report->factorisations++;
        if (!find_step(s, p)) {
            break;
        }
        if (bold > 0 || search_line(s, p, now.merit) > progress * now.merit) {
            solver_move(s, p, 1.0);
            ++bold;
        }
    }
    if (!report->solved) {
        solver_restore(p, (const vec3 *)s->least, (const element_row *)s->joint_least);
        contact_residual now = contact_problem_residual(p);
        report->residual = now.speed;
        report->contact = now.contact;
    }
}
