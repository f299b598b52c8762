/* Friction over a step: sweeps over the elements (projected Gauss-Seidel, which cannot fail but may be slow)
 * in turn with Newton's method (quick once it is known who holds). */
#include "base/stop.h"
#include "nonsmooth/rub_work.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 30, FAST_ROUNDS = 8, LOAD_ROUNDS = 80 };

static const double EXACT = 4e-12;  /* velocities below are none, relative to the changes that matter */
static const double ENOUGH = 1e-10; /* likewise, where Newton's method gets no nearer */
static const double RUNAWAY = 1e3;  /* a joint's load beyond, relative to that without any friction, is a jam */

rub_work *rub_create(carom_arena *arena, int rows, int elements, int loads)
{
    size_t n = (size_t)rows + 1;
    rub_work *w = CAROM_ARENA_ARRAY(arena, rub_work, 1);
    if (!w) {
        return NULL;
    }
    double **vectors[] = { &w->impulse, &w->slip, &w->free, &w->step, &w->kept, &w->before, &w->marked };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = CAROM_ARENA_ARRAY(arena, double, n);
    }
    w->D = CAROM_ARENA_ARRAY(arena, double, n *n);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, n *n);
    w->factor = CAROM_ARENA_ARRAY(arena, double, n *n);
    w->held_row = CAROM_ARENA_ARRAY(arena, int, n);
    w->fast = CAROM_ARENA_ARRAY(arena, bool, (size_t)elements + 1);
    w->row = CAROM_ARENA_ARRAY(arena, int, n);
    w->element = CAROM_ARENA_ARRAY(arena, int, n);
    w->stiff = CAROM_ARENA_ARRAY(arena, double, (size_t)elements + 1);
    w->radius = CAROM_ARENA_ARRAY(arena, double, (size_t)elements + 1);
    w->start = CAROM_ARENA_ARRAY(arena, double, (size_t)elements + 1);
    w->carried = CAROM_ARENA_ARRAY(arena, double, (size_t)loads + 1);
    return arena->failed ? NULL : w;
}

/* Row sums bound the largest eigenvalue. */
static double stiffness(const rub_work *w, int e)
{
    int first = rub_first(w, e);
    int dim = w->p->elements[e].dim;
    double most = 0.0;
    for (int i = 0; i < dim; ++i) {
        double sum = 0.0;
        for (int k = 0; k < dim; ++k) {
            sum += fabs(w->D[(size_t)(first + i) * (size_t)w->count + (size_t)(first + k)]);
        }
        most = fmax(most, sum);
    }
    return most;
}

void rub_begin(rub_work *w, const reduced_problem *p, double scale, double fastest)
{
    int first = p->contact_count;
    w->p = p;
    w->count = p->row_count - first;
    for (int i = 0; i < w->count; ++i) {
        memcpy(w->D + (size_t)i * (size_t)w->count, p->D + (size_t)(first + i) * (size_t)p->row_count + (size_t)first,
               (size_t)w->count * sizeof(double));
    }
    for (int e = 0; e < p->element_count; ++e) {
        w->stiff[e] = stiffness(w, e);
    }
    memset(w->impulse, 0, (size_t)w->count * sizeof(double));
    w->least = fmax(EXACT * scale, 4.0 * DBL_EPSILON * fastest);
    w->enough = fmax(w->least, ENOUGH * scale);
    w->held = 0;
    w->length = 0.0;
    w->effort = 0.0;
    w->jammed = -1;
    memset(w->fast, 0, (size_t)p->element_count * sizeof(bool));
}

void rub_expect(rub_work *w, int element, bool fast)
{
    w->fast[element] = fast && w->p->elements[element].contact >= 0;
}

void rub_mark(rub_work *w)
{
    memcpy(w->marked, w->impulse, (size_t)w->count * sizeof(double));
    w->marked_length = w->length;
}

void rub_return(rub_work *w)
{
    memcpy(w->impulse, w->marked, (size_t)w->count * sizeof(double));
    w->length = w->marked_length;
}

int rub_jammed(const rub_work *w)
{
    return w->jammed;
}

double rub_effort(const rub_work *w)
{
    return w->effort;
}

/* ---- one element ------------------------------------------------------------------------------------------------------- */

static double against_mean_slip(const rub_work *w, int e, double *wanted)
{
    int first = rub_first(w, e);
    int dim = w->p->elements[e].dim;
    for (int d = 0; d < dim; ++d) {
        wanted[d] = -w->before[first + d] - w->slip[first + d];
    }
    double size = rub_size(wanted, dim);
    for (int d = 0; size > 0.0 && d < dim; ++d) {
        wanted[d] *= w->radius[e] / size;
    }
    return w->radius[e];
}

double rub_wanted(const rub_work *w, int e, double *wanted)
{
    int first = rub_first(w, e);
    int dim = w->p->elements[e].dim;
    if (w->fast[e]) {
        return against_mean_slip(w, e, wanted);
    }
    for (int d = 0; d < dim; ++d) {
        wanted[d] = w->impulse[first + d] - w->slip[first + d] / w->stiff[e];
    }
    double size = rub_size(wanted, dim);
    for (int d = 0; size > w->radius[e] && d < dim; ++d) {
        wanted[d] *= w->radius[e] / size;
    }
    return size;
}

double rub_residual(const rub_work *w)
{
    double worst = 0.0;
    double wanted[SLIP_DIM];
    for (int e = 0; e < w->p->element_count; ++e) {
        if (!rub_active(w, e)) {
            continue;
        }
        rub_wanted(w, e, wanted);
        for (int d = 0; d < w->p->elements[e].dim; ++d) {
            worst = fmax(worst, w->stiff[e] * fabs(wanted[d] - w->impulse[rub_first(w, e) + d]));
        }
    }
    return worst;
}

static void change(rub_work *w, int row, double by)
{
    const double *D = w->D + (size_t)row * (size_t)w->count;
    w->impulse[row] += by;
    for (int i = 0; by != 0.0 && i < w->count; ++i) {
        w->slip[i] += D[i] * by;
    }
}

/* Every element in turn, or the fast ones, corrects its impulse as if the others stood still. Returns the largest change, as a
 * velocity. */
static double sweep(rub_work *w, bool fast_only)
{
    double changed = 0.0;
    double wanted[SLIP_DIM];
    for (int e = 0; e < w->p->element_count; ++e) {
        if (!rub_active(w, e) || (fast_only && !w->fast[e])) {
            continue;
        }
        rub_wanted(w, e, wanted);
        for (int d = 0; d < w->p->elements[e].dim; ++d) {
            double by = wanted[d] - w->impulse[rub_first(w, e) + d];
            changed = fmax(changed, w->stiff[e] * fabs(by));
            change(w, rub_first(w, e) + d, by);
        }
    }
    w->effort += 1.0;
    return changed;
}

void rub_find_slip(rub_work *w)
{
    memcpy(w->slip, w->free, (size_t)w->count * sizeof(double));
    for (int l = 0; l < w->count; ++l) {
        double p = w->impulse[l];
        const double *D = w->D + (size_t)l * (size_t)w->count;
        for (int k = 0; p != 0.0 && k < w->count; ++k) {
            w->slip[k] += D[k] * p;
        }
    }
}

/* ---- all elements, radii known ----------------------------------------------------------------------------------------- */

/* Impulses brought back into their discs; those that can do nothing are none. */
static void fit_into_discs(rub_work *w)
{
    for (int e = 0; e < w->p->element_count; ++e) {
        int first = rub_first(w, e);
        int dim = w->p->elements[e].dim;
        if (w->fast[e] && rub_active(w, e)) {
            continue; /* of the right size */
        }
        double size = rub_size(w->impulse + first, dim);
        double most = w->stiff[e] > 0.0 ? w->radius[e] : 0.0;
        for (int d = 0; size > most && d < dim; ++d) {
            w->impulse[first + d] *= most / size;
        }
    }
}

static bool sweep_until(rub_work *w, int sweeps, bool fast_only)
{
    for (int i = 0; i < sweeps; ++i) {
        if (sweep(w, fast_only) <= w->least) {
            return true;
        }
    }
    return false;
}

static int count_active(const rub_work *w, bool fast)
{
    int count = 0;
    for (int e = 0; e < w->p->element_count; ++e) {
        count += rub_active(w, e) && w->fast[e] == fast;
    }
    return count;
}

/* Newton's step for those that are not fast; it is kept where it comes nearer, else sweeps go on from where they were. Returns
 * how far the answer is then, relative to before. */
static double try_newton(rub_work *w, double before)
{
    memcpy(w->kept, w->impulse, (size_t)w->count * sizeof(double));
    rub_newton(w);
    fit_into_discs(w);
    rub_find_slip(w);
    double after = rub_residual(w);
    if (!(after < before)) {
        memcpy(w->impulse, w->kept, (size_t)w->count * sizeof(double));
        rub_find_slip(w);
        return 1.0;
    }
    return after / before;
}

/* Newton's method and sweeps in turn, from where the elements that slip fast are. */
static void settle(rub_work *w, bool any_fast)
{
    double residual = rub_residual(w);
    for (int round = 0, sweeps = 0; round < ROUNDS && residual > w->least && !carom_stop_asked(w->p->stop); ++round) {
        if (any_fast) {
            sweep_until(w, FAST_ROUNDS, true);
        }
        if (sweeps > 0 && sweep_until(w, sweeps, false)) {
            return;
        }
        residual = rub_residual(w);
        double nearer = residual > w->least ? try_newton(w, residual) : 0.0;
        if (nearer > 0.3 && residual <= w->enough) {
            return; /* rounding */
        }
        residual *= nearer;
        sweeps = nearer < 0.1 ? 0 : sweeps < 16 ? 2 * sweeps + 2 : 32;
    }
}

static void solve(rub_work *w)
{
    int fast = count_active(w, true);
    int slow = count_active(w, false);
    fit_into_discs(w);
    rub_find_slip(w);
    w->effort += 1.0;
    if (slow > 0) {
        settle(w, fast > 0);
    } else if (fast > 0) {
        sweep_until(w, 4 * FAST_ROUNDS, true);
    }
}

/* ---- loads of joints --------------------------------------------------------------------------------------------------- */

static bool is_joint(const rub_work *w, int e)
{
    return w->p->elements[e].contact < 0;
}

static double component(const rub_work *w, int load)
{
    const double *B = w->p->B + (size_t)load * (size_t)w->p->row_count + (size_t)w->p->contact_count;
    double sum = w->carried[load];
    for (int k = 0; k < w->count; ++k) {
        sum += B[k] * w->impulse[k];
    }
    return sum;
}

static double joint_load(const rub_work *w, const friction_element *el)
{
    double N = 0.0;
    for (int g = 0; g < el->group_count; ++g) {
        const load_group *group = &w->p->groups[el->first_group + g];
        double sum = 0.0;
        for (int l = group->first; l < group->first + group->dim; ++l) {
            double value = component(w, l);
            sum += value * value;
        }
        N += sqrt(sum);
    }
    return N;
}

/* The joints' radii for the present impulses; returns the largest change, as a velocity. */
static double set_joint_radii(rub_work *w)
{
    double changed = 0.0;
    for (int e = 0; e < w->p->element_count; ++e) {
        if (is_joint(w, e)) {
            double radius = w->p->elements[e].mu * joint_load(w, &w->p->elements[e]);
            changed = fmax(changed, w->stiff[e] * fabs(radius - w->radius[e]));
            w->radius[e] = radius;
        }
    }
    return changed;
}

static bool any_joint(const rub_work *w)
{
    for (int e = 0; e < w->p->element_count; ++e) {
        if (is_joint(w, e) && w->stiff[e] > 0.0) {
            return true;
        }
    }
    return false;
}

/* Joints whose friction has become much more than the contacts' impulses alone give reason for have locked themselves. */
static void note_jams(rub_work *w)
{
    for (int e = 0; e < w->p->element_count; ++e) {
        if (is_joint(w, e) && w->radius[e] > RUNAWAY * w->start[e] && w->start[e] > 0.0) {
            w->jammed = w->jammed < 0 ? e : w->jammed;
        }
    }
}

/* While slipping joints' loads grow without end their friction does, until they hold; that is where it ends. */
static double solve_with_loads(rub_work *w)
{
    double changed = any_joint(w) ? HUGE_VAL : 0.0;
    solve(w);
    for (int i = 0; i < LOAD_ROUNDS && changed > w->least; ++i) {
        changed = set_joint_radii(w);
        if (changed > w->least) {
            solve(w);
        }
    }
    note_jams(w);
    return fmax(rub_residual(w), w->jammed < 0 ? changed : 0.0);
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

static void carry_normals(rub_work *w, const double *normal)
{
    for (int l = 0; l < w->p->load_count; ++l) {
        const double *B = w->p->B + (size_t)l * (size_t)w->p->row_count;
        w->carried[l] = 0.0;
        for (int c = 0; c < w->p->contact_count; ++c) {
            w->carried[l] += B[c] * normal[c];
        }
    }
}

/* Without friction, then with the friction guessed. */
static void start_joint_radii(rub_work *w)
{
    memcpy(w->kept, w->impulse, (size_t)w->count * sizeof(double));
    memset(w->impulse, 0, (size_t)w->count * sizeof(double));
    set_joint_radii(w);
    memcpy(w->start, w->radius, (size_t)w->p->element_count * sizeof(double));
    memcpy(w->impulse, w->kept, (size_t)w->count * sizeof(double));
    set_joint_radii(w);
}

static void set_radii(rub_work *w, const double *normal)
{
    for (int e = 0; e < w->p->element_count; ++e) {
        const friction_element *el = &w->p->elements[e];
        w->radius[e] = is_joint(w, e) ? 0.0 : el->mu * fmax(0.0, normal[el->contact]);
    }
    if (any_joint(w)) {
        start_joint_radii(w);
    }
}

static void guess(rub_work *w, double length)
{
    double ratio = w->length > 0.0 ? length / w->length : 0.0;
    for (int k = 0; k < w->count; ++k) {
        w->impulse[k] *= ratio;
    }
    w->length = length;
}

/* Velocities of the normals follow; those of the slips are known. */
static void hand_over(const rub_work *w, double *impulse, double *u)
{
    int first = w->p->contact_count;
    memcpy(impulse + first, w->impulse, (size_t)w->count * sizeof(double));
    memcpy(u + first, w->slip, (size_t)w->count * sizeof(double));
    for (int k = 0; k < w->count; ++k) {
        const double *D = w->p->D + (size_t)(first + k) * (size_t)w->p->row_count;
        for (int c = 0; w->impulse[k] != 0.0 && c < first; ++c) {
            u[c] += D[c] * w->impulse[k];
        }
    }
}

double rub(rub_work *w, double length, const double *before, double *impulse, double *u)
{
    memcpy(w->free, u + w->p->contact_count, (size_t)w->count * sizeof(double));
    memcpy(w->before, before + w->p->contact_count, (size_t)w->count * sizeof(double));
    guess(w, length);
    carry_normals(w, impulse);
    set_radii(w, impulse);
    double left = solve_with_loads(w);
    hand_over(w, impulse, u);
    return left;
}
