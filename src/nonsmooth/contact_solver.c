#include "nonsmooth/contact_solver.h"

#include <math.h>
#include <string.h>

#include "nonsmooth/gauss_seidel.h"
#include "nonsmooth/solver_work.h"

/* What a stage has come to: the best impulses seen are kept. */
static bool note(contact_solver *s, const contact_problem *p, solve_report *report, double *best)
{
    if (report->residual < *best) {
        *best = report->residual;
        solver_keep(p, s->best, s->joint_best);
    }
    return report->solved;
}

static void put_back_best(contact_solver *s, contact_problem *p)
{
    solver_restore(p, (const vec3 *)s->best, (const double(*)[EQUATION_ROWS])s->joint_best);
}

static void sweep(contact_problem *p, int count, solve_report *report)
{
    for (int k = 0; k < count; ++k) {
        gauss_seidel_sweep(p, k % 2 == 1);
    }
    report->sweeps += count;
}

/* Sweeps and Newton in turn, from the best impulses on. */
static bool alternate(contact_solver *s, contact_problem *p, double tolerance, solve_report *report, double *best)
{
    enum { ROUNDS = 6, SWEEPS = 20, NEWTONS = 5 };
    const double damping = 1e-6;
    put_back_best(s, p);
    for (int k = 0; k < ROUNDS; ++k) {
        sweep(p, (k + 1) * SWEEPS, report);
        semismooth_newton(s, p, tolerance, NEWTONS, damping, report);
        if (note(s, p, report, best)) {
            return true;
        }
    }
    return false;
}

static void run_chain(contact_solver *s, contact_problem *p, double tolerance, solve_report *report)
{
    enum { FIRST_SWEEPS = 3, FIRST_NEWTONS = 10, LATER_NEWTONS = 12, INTERIOR = 40 };
    const double damping = 1e-4;
    double best = report->residual;
    solver_keep(p, s->best, s->joint_best);
    sweep(p, FIRST_SWEEPS, report);
    semismooth_newton(s, p, tolerance, FIRST_NEWTONS, 0.0, report);
    if (note(s, p, report, &best)) {
        return;
    }
    report->interior_points++;
    interior_point_solve(s, p, tolerance, INTERIOR, report);
    if (note(s, p, report, &best)) {
        return;
    }
    for (int k = 0; k < 2; ++k) {
        semismooth_newton(s, p, tolerance, LATER_NEWTONS, k == 0 ? 0.0 : damping, report);
        if (note(s, p, report, &best)) {
            return;
        }
    }
    if (!alternate(s, p, tolerance, report, &best)) {
        put_back_best(s, p);
        contact_residual now = contact_problem_residual(p);
        report->residual = now.speed;
        report->contact = now.contact;
    }
}

solve_report contact_solve_accurate(contact_solver *s, contact_problem *p, double tolerance)
{
    solve_report report = { .contact = -1 };
    contact_problem_velocities(p);
    contact_residual now = contact_problem_residual(p);
    report.residual = now.speed;
    report.contact = now.contact;
    report.solved = now.speed <= tolerance;
    if (report.solved) {
        return report;
    }
    report.no_memory = !solver_begin(s, p);
    if (!report.no_memory) {
        run_chain(s, p, tolerance, &report);
    }
    return report;
}

solve_report contact_solve_fast(contact_problem *p, double tolerance, int most_sweeps)
{
    contact_problem_velocities(p);
    sweep_report swept = gauss_seidel(p, tolerance, most_sweeps);
    contact_residual now = contact_problem_residual(p);
    return (solve_report){
        .solved = swept.change <= tolerance, .residual = now.speed, .contact = now.contact, .sweeps = swept.sweeps
    };
}
