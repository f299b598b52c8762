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
    solver_restore(p, (const vec3 *)s->best, (const element_row *)s->joint_best);
}

static void sweep(contact_problem *p, int count, solve_report *report)
{
    for (int k = 0; k < count; ++k) {
        gauss_seidel_sweep(p, k % 2 == 1);
    }
    report->sweeps += count;
}

static void run_chain(contact_solver *s, contact_problem *p, double tolerance, solve_report *report)
{
    enum { FIRST_SWEEPS = 3, FIRST_NEWTONS = 20, LATER_NEWTONS = 20, INTERIOR = 40 };
    double best = report->residual;
    solver_keep(p, s->best, s->joint_best);
    sweep(p, FIRST_SWEEPS, report);
    semismooth_newton(s, p, tolerance, FIRST_NEWTONS, report);
    if (note(s, p, report, &best)) {
        return;
    }
    report->interior_points++;
    interior_point_solve(s, p, tolerance, INTERIOR, report);
    if (note(s, p, report, &best)) {
        return;
    }
    semismooth_newton(s, p, tolerance, LATER_NEWTONS, report);
    if (note(s, p, report, &best)) {
        return;
    }
    put_back_best(s, p);
    proximal_steps(s, p, tolerance, report);
    if (note(s, p, report, &best)) {
        return;
    }
    follow_compliance(s, p, tolerance, report);
    if (!note(s, p, report, &best)) {
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
    int worst = contact_problem_residual(p).contact;
    return (solve_report){
        .solved = swept.change <= tolerance, .residual = swept.change, .contact = worst, .sweeps = swept.sweeps
    };
}
