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

typedef void solve_stage(contact_solver *s, contact_problem *p, double tolerance, solve_report *report);

static void newton_stage(contact_solver *s, contact_problem *p, double tolerance, solve_report *report)
{
    enum { NEWTONS = 20 };
    semismooth_newton(s, p, tolerance, NEWTONS, report);
}

static void interior_stage(contact_solver *s, contact_problem *p, double tolerance, solve_report *report)
{
    enum { INTERIOR = 40 };
    report->interior_points++;
    interior_point_solve(s, p, tolerance, INTERIOR, report);
}

static void proximal_stage(contact_solver *s, contact_problem *p, double tolerance, solve_report *report)
{
    put_back_best(s, p);
    proximal_steps(s, p, tolerance, report);
}

static void path_stage(contact_solver *s, contact_problem *p, double tolerance, solve_report *report)
{
    follow_compliance(s, p, tolerance, report);
}

static void run_chain(contact_solver *s, contact_problem *p, double tolerance, solve_effort effort,
                      solve_report *report)
{
    enum { FIRST_SWEEPS = 3 };
    static solve_stage *const stages[] = { newton_stage, interior_stage, newton_stage, proximal_stage, path_stage };
    const int count = effort == SOLVE_BY_NEWTON ? 1 : (int)(sizeof stages / sizeof *stages);
    double best = report->residual;
    solver_keep(p, s->best, s->joint_best);
    sweep(p, FIRST_SWEEPS, report);
    for (int k = 0; k < count; ++k) {
        stages[k](s, p, tolerance, report);
        if (note(s, p, report, &best)) {
            return;
        }
    }
    put_back_best(s, p);
    contact_residual now = contact_problem_residual(p);
    report->residual = now.speed;
    report->contact = now.contact;
}

solve_report contact_solve_accurate(contact_solver *s, contact_problem *p, double tolerance, solve_effort effort)
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
        run_chain(s, p, tolerance, effort, &report);
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
