/* Proximal steps [Rockafellar1976]: with u + a (r - r_k) in place of u at every contact, where r_k are the impulses of the step before, a problem is
 * well conditioned, whatever redundancy and wedging it has, and its solution is nearer to that of the problem itself than r_k. The resistance a falls
 * with every step that Newton's method solves, and the steps become those of Newton's method on the problem itself. What fails without it: piles whose
 * contacts change between sticking and slipping, where Newton's matrix is next to singular and its steps are a thousand times too long. */
#include <math.h>
#include <string.h>

#include "nonsmooth/gauss_seidel.h"
#include "nonsmooth/solver_work.h"

/* What contacts are without a resistance. */
static void keep_contacts(contact_solver *s, const contact_problem *p)
{
    for (int i = 0; i < p->contact_count; ++i) {
        s->path_eps[i] = p->contacts[i].eps;
        s->own_response[i] = p->contacts[i].W[0][0];
        memcpy(s->path_bias[i], p->contacts[i].bias, sizeof s->path_bias[i]);
    }
}

/* u + times W_nn (r - r_k) at every contact, from r_k on; none with times = 0. */
static void resist(contact_solver *s, contact_problem *p, double times)
{
    for (int i = 0; i < p->contact_count; ++i) {
        cone_contact *c = &p->contacts[i];
        double a = times * s->own_response[i];
        c->eps = s->path_eps[i] + a;
        for (int k = 0; k < CONE_ROWS; ++k) {
            c->bias[k] = s->path_bias[i][k] - a * c->r[k];
        }
    }
    contact_problem_prepare(p);
    contact_problem_velocities(p);
}

static void report_residual(const contact_problem *p, double tolerance, solve_report *report)
{
    contact_residual now = contact_problem_residual(p);
    report->residual = now.speed;
    report->contact = now.contact;
    report->solved = now.speed <= tolerance;
}

static void sweep(contact_problem *p, int count, solve_report *report)
{
    for (int k = 0; k < count; ++k) {
        gauss_seidel_sweep(p, k % 2 == 1);
    }
    report->sweeps += count;
}

/* One step with a resistance. Without a solution of Newton's method impulses stay, unless they happen to solve the problem itself. */
static bool take_step(contact_solver *s, contact_problem *p, double times, double tolerance, solve_report *report)
{
    enum { SWEEPS = 2, NEWTONS = 15 };
    const double part = 1e-3; /* of the residual before: as exactly as a step is worth */
    double exactly = fmax(0.3 * tolerance, part * report->residual);
    solver_keep(p, s->path, s->joint_path);
    resist(s, p, times);
    sweep(p, SWEEPS, report);
    semismooth_newton(s, p, exactly, NEWTONS, report);
    bool done = report->solved;
    resist(s, p, 0.0);
    report_residual(p, tolerance, report);
    if (!done && !report->solved) {
        solver_restore(p, (const vec3 *)s->path, (const element_row *)s->joint_path);
        report_residual(p, tolerance, report);
    }
    return done;
}

void proximal_steps(contact_solver *s, contact_problem *p, double tolerance, solve_report *report)
{
    enum { FIRST_SWEEPS = 30, BODIES = 80000, LEAST = 60, MOST = 800 };
    const double first = 1e-2;  /* resistance, of a contact's own response */
    const double falls = 0.3;   /* from a step that was solved to the next */
    const double grows = 5.0;   /* after one that was not */
    const double largest = 1e3; /* no impulse changes any more */
    double times = first;
    int most = BODIES / p->body_count; /* factorisations */
    most = report->factorisations + (most < LEAST ? LEAST : most > MOST ? MOST : most);
    keep_contacts(s, p);
    sweep(p, FIRST_SWEEPS, report);
    report_residual(p, tolerance, report);
    while (!report->solved && report->factorisations < most && times < largest) {
        times *= take_step(s, p, times, tolerance, report) ? falls : grows;
    }
}
