/* Twists that foresee the contacts to which they lead.
 *
 * The quadratic model of the potential knows the contacts of the iterate alone: bodies that are about to strike are led far through each
 * other. The line search cuts that short, and again after each contact that comes up. So where a pair without contacts may come within
 * range, twists d are those to the least of
 *
 *     quadratic model of all else  +  sum of b(g + grad g . d)  +  sum of mu N f0(|u + grad u . d|)
 *
 * over contacts at the iterate and those ahead: barriers and friction as they are, gaps g and slips u to first order. This is Newton's
 * method once more, at the cost of a factorisation per iteration, without a distance or a sweep. The model is convex, has the value and
 * the gradient of the potential at d = 0, and is not higher at its least: d leads downwards.
 *
 * Barriers begin with a slope of zero, and Newton's method approaches forces of little loads by halves, from the stiff side. So what is
 * foreseen deeper than its load can press it counts as if it were no deeper. */
#include "methods/barrier/foresight.h"

#include <string.h>

#include "base/parallel.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/line_search.h"
#include "methods/barrier/quadratic.h"

/* [m] to which a load presses a contact that it would lead to the gap `foreseen` without one. Stiffnesses are 100 m/h^2 or more, so that a
 * force of m/h^2 (range - foreseen) is kappa/100 times that, and near the range the barrier pushes with 3 kappa (range - gap)^2 / range. */
static double deepest(const barrier_pair *p, const barrier_contact *c, double foreseen)
{
    static const double LEAST = 0.3; /* ranges: where sweeps end */
    double pressed = 1.0 - sqrt((1.0 - foreseen / p->range) / 300.0);
    double gap = fmax(LEAST, pressed) * p->range;
    return c->gap < p->range ? fmin(gap, 0.5 * c->gap) : gap; /* sweeps leave half of a gap */
}

/* The barrier where the twists lead; below the deepest gap as its tangent there. */
static barrier_law law_foreseen(const barrier_pair *p, const barrier_contact *c, double gap)
{
    if (gap >= p->range) {
        return (barrier_law){ 0.0, 0.0, 0.0 };
    }
    double from = fmax(gap, deepest(p, c, gap));
    barrier_law law = barrier_at(from, p->range, p->kappa);
    law.first += law.second * (gap - from);
    return law;
}

/* Sums as of friction_foresee. */
static void foresee_contact(const barrier_work *w, const barrier_pair *p, barrier_contact *c, bool first,
                            double sums[2])
{
    double change = gap_change(w, p, c);
    double had = first ? c->first + c->second * change : c->foreseen[0] + c->foreseen[1] * change;
    barrier_law law = law_foreseen(p, c, c->gap + change);
    double force = c->times * law.first;
    sums[0] += c->parallel.value * fabs(force - had);
    sums[1] += c->parallel.value * fabs(force);
    c->foreseen[1] = c->times * law.second;
    c->foreseen[0] = force - c->foreseen[1] * change;
}

enum { GRAIN = 32 };

typedef struct foresee_task {
    barrier_work *w;
    const island *isle;
    bool first;
} foresee_task;

static void foresee_pair(const barrier_work *w, barrier_pair *p, bool first, bool upper_bound)
{
    double *sums = p->foreseen;
    sums[0] = sums[1] = 0.0;
    for (int i = 0; i < p->contact_count; ++i) {
        if (p->contacts[i].parallel.value == 1.0) { /* others stay as the quadratic model has them */
            foresee_contact(w, p, &p->contacts[i], first, sums);
        }
    }
    for (int i = 0; i < p->ahead_count; ++i) {
        foresee_contact(w, p, &p->ahead[i], first, sums);
    }
    friction_foresee(w, p, first, upper_bound, sums);
}

static void foresee_slice(void *context, size_t begin, size_t end)
{
    const foresee_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        foresee_pair(task->w, &task->w->pairs[task->isle->near[k]], task->first, task->isle->backtracked);
    }
}

/* Foresees all forces where the twists lead. Returns by how much of them the quadratic model was off there. */
static double foresee(barrier_work *w, const island *s, bool first)
{
    foresee_task task = { w, s, first };
    double sums[2] = { 0.0, 0.0 };
    carom_parallel_uneven(s->threads, (size_t)s->near_count, GRAIN, foresee_slice, &task);
    for (int k = 0; k < s->near_count; ++k) {
        sums[0] += w->pairs[s->near[k]].foreseen[0];
        sums[1] += w->pairs[s->near[k]].foreseen[1];
    }
    return sums[0] > 0.0 ? sums[0] / sums[1] : 0.0;
}

static void ahead_slice(void *context, size_t begin, size_t end)
{
    const foresee_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->near[k]];
        p->no_memory = !contacts_find_ahead(task->w, p);
    }
}

/* Whether the twists bring a pair within range that is not. */
static bool find_ahead(barrier_work *w, const island *s, bool *no_memory)
{
    foresee_task task = { w, s, false };
    bool any = false;
    carom_parallel_uneven(s->threads, (size_t)s->near_count, GRAIN, ahead_slice, &task);
    for (int k = 0; !*no_memory && k < s->near_count; ++k) {
        const barrier_pair *p = &w->pairs[s->near[k]];
        *no_memory = p->no_memory;
        for (int i = 0; !any && !*no_memory && i < p->ahead_count; ++i) {
            any = p->ahead[i].gap + gap_change(w, p, &p->ahead[i]) < p->range;
        }
    }
    return any && !*no_memory;
}

static void forget_ahead(barrier_work *w, const island *s)
{
    for (int k = 0; k < s->near_count; ++k) {
        w->pairs[s->near[k]].ahead_count = 0;
    }
}

static carom_status solve_foreseen(barrier_work *w, island *s)
{
    carom_status status = quadratic_assemble(w, s, false);
    status = status == CAROM_OK ? quadratic_factor(w, s) : status;
    if (status == CAROM_OK) {
        quadratic_right(w, s, s->x);
        block_system_solve(s->system, s->x);
        aim_free(w, s);
    }
    return status;
}

static bool leads_down(const island *s)
{
    double slope = 0.0;
    for (int k = 0; k < COLUMNS * s->node_count; ++k) {
        slope += s->plain_gradient[k] * s->x[k];
    }
    return slope < 0.0;
}

/* Newton's method on the model, until its forces are nearly those that it foresees. */
static carom_status minimise(barrier_work *w, island *s)
{
    enum { MOST = 12 };
    static const double PART = 0.1;
    double off = HUGE_VAL;
    carom_status status = CAROM_OK;
    s->foresees = true;
    for (int k = 0; status == CAROM_OK && k < MOST && off > PART; ++k) {
        off = foresee(w, s, k == 0);
        status = off > PART ? solve_foreseen(w, s) : CAROM_OK;
    }
    s->foresees = false;
    s->blind = off > PART || !leads_down(s);
    return status;
}

carom_status foresight_improve(barrier_work *w, island *s)
{
    size_t bodies = (size_t)(COLUMNS * s->node_count) * sizeof *s->x;
    size_t all = bodies + (size_t)(s->mechanism ? w->model->row_count : 0) * sizeof *s->x;
    bool no_memory = false;
    if (s->blind || aim_free(w, s) <= s->tolerance * w->h || !find_ahead(w, s, &no_memory)) {
        forget_ahead(w, s);
        return no_memory ? carom_fail(&s->error, CAROM_NO_MEMORY, "out of memory for contacts") : CAROM_OK;
    }
    memcpy(s->plain_x, s->x, all);
    memcpy(s->plain_gradient, s->gradient, bodies);
    carom_status status = minimise(w, s);
    memcpy(s->gradient, s->plain_gradient, bodies);
    if (s->blind) {
        memcpy(s->x, s->plain_x, all);
    }
    forget_ahead(w, s);
    return status;
}
