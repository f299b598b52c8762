/* Continuation in the compliance. A problem whose contacts give way like its bodies move (eps of the order of 1/m) has next to no redundant or wedged contacts
 * and is solved from nothing; from there the compliance falls to its own value in steps that Newton's method can follow. What fails without it: contacts that
 * jam bodies between each other carry impulses of up to 1/eps times those of one impact, which neither sweeps nor the interior point reach from a
 * neutral start. Coulomb's law has folds, where the branch of solutions that is followed ends: then sweeps at a smaller compliance look for another. */
#include <math.h>
#include <string.h>

#include "nonsmooth/gauss_seidel.h"
#include "nonsmooth/solver_work.h"

typedef struct path_place {
    double own, softer; /* times the compliance of the problem: here, and where it was last solved */
    double factor;      /* from one stage to the next */
} path_place;

static void set_softness(contact_solver *s, contact_problem *p, double times)
{
    for (int i = 0; i < p->contact_count; ++i) {
        p->contacts[i].eps = times * s->path_eps[i];
    }
    contact_problem_prepare(p);
    contact_problem_velocities(p);
}

/* One stage from the impulses that there are. Whether it is solved, as well as a stage on the way has to be. */
static bool solve_stage(contact_solver *s, contact_problem *p, double times, int sweeps, double tolerance,
                        solve_report *report)
{
    enum { NEWTONS = 40 };
    const double on_the_way = 1e-6;
    set_softness(s, p, times);
    for (int k = 0; k < sweeps; ++k) {
        gauss_seidel_sweep(p, k % 2 == 1);
    }
    report->sweeps += sweeps;
    semismooth_newton(s, p, times > 1.0 ? fmax(on_the_way, tolerance) : tolerance, NEWTONS, report);
    if (report->solved) {
        solver_keep(p, s->path, s->joint_path);
    }
    return report->solved;
}

/* Past a fold: sweeps from the last solution on, at ever smaller compliance. */
static bool jump(contact_solver *s, contact_problem *p, path_place *at, double tolerance, solve_report *report)
{
    enum { JUMPS = 12, SWEEPS = 100 };
    double times = at->softer;
    bool found = false;
    for (int k = 0; k < JUMPS && !found && times > 1.0; ++k) {
        times = fmax(1.0, 0.5 * times);
        found = solve_stage(s, p, times, SWEEPS, tolerance, report);
    }
    at->softer = found ? times : at->softer;
    return found;
}

void follow_compliance(contact_solver *s, contact_problem *p, double tolerance, solve_report *report)
{
    enum { FIRST_SWEEPS = 50, SWEEPS = 2, LEAST = 60, MOST = 500, BODIES = 30000 };
    const double softest = 1e6; /* contacts as soft as bodies are heavy, for a compliance of 1e-6 */
    const double longest = 0.1; /* factor of a stage */
    const double fold = 0.97;   /* factors nearer to one do not help */
    path_place at = { softest, softest, longest };
    for (int i = 0; i < p->contact_count; ++i) {
        s->path_eps[i] = p->contacts[i].eps;
        memset(p->contacts[i].r, 0, sizeof p->contacts[i].r);
    }
    bool going = solve_stage(s, p, softest, FIRST_SWEEPS, tolerance, report);
    int most = BODIES /
               p->body_count; /* factorisations: what takes longer hardly ever ends, and a pile has its next step */
    most = report->factorisations + (most < LEAST ? LEAST : most > MOST ? MOST : most);
    while (going && at.softer > 1.0 && report->factorisations < most) {
        at.own = fmax(1.0, at.softer * at.factor);
        if (solve_stage(s, p, at.own, SWEEPS, tolerance, report)) {
            at.softer = at.own;
            at.factor = fmax(longest, at.factor * at.factor);
            continue;
        }
        solver_restore(p, (const vec3 *)s->path, (const element_row *)s->joint_path);
        at.factor = sqrt(at.factor);
        if (at.factor > fold) {
            at.factor = sqrt(longest);
            going = jump(s, p, &at, tolerance, report);
        }
    }
    set_softness(s, p, 1.0);
    contact_residual now = contact_problem_residual(p);
    report->residual = now.speed;
    report->contact = now.contact;
    report->solved = now.speed <= tolerance;
}
