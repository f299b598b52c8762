/* Normal impulses by an active set that changes one contact, or some alike, at a time [Lawson & Hanson, ch. 23], started from those that
 * push already. A little on the diagonal makes redundant sets solvable; what it leaves is taken away by repeating. */
#include "base/stop.h"
#include "linalg/dense.h"
#include "nonsmooth/normals.h"

#include <math.h>
#include <string.h>

static const double LITTLE = 1e-8;
static const double LEAST_PIVOT = 1e-20;
static const double TIE = 1e-9; /* approaches that differ by less, relative, are the same */

struct normals_work {
    int count;      /* of contacts that push */
    int *index;     /* those */
    bool *pushes;   /* contacts */
    double *matrix; /* their matrix and its factor */
    double *least_pivot;
    double *step;
};

typedef struct normals_task {
    normals_work *w;
    const reduced_problem *p;
    const double *target;
    double stiffest; /* largest D_cc */
    double *P, *u;
} normals_task;

normals_work *normals_create(carom_arena *arena, int rows)
{
    size_t n = (size_t)rows + 1;
    normals_work *w = CAROM_ARENA_ARRAY(arena, normals_work, 1);
    if (!w) {
        return NULL;
    }
    w->index = CAROM_ARENA_ARRAY(arena, int, n);
    w->pushes = CAROM_ARENA_ARRAY(arena, bool, n);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, n *n);
    w->step = CAROM_ARENA_ARRAY(arena, double, n);
    w->least_pivot = CAROM_ARENA_ARRAY(arena, double, n);
    return arena->failed ? NULL : w;
}

static double entry(const reduced_problem *p, int k, int l)
{
    return p->D[(size_t)k * (size_t)p->row_count + (size_t)l];
}

/* Contacts that no impulse moves are left alone. */
static bool can_move(const normals_task *t, int contact)
{
    return entry(t->p, contact, contact) > 1e-13 * t->stiffest;
}

static double excess(const normals_task *t, int contact)
{
    return t->u[contact] - (t->target ? t->target[contact] : 0.0);
}

static void add_impulse(normals_task *t, int contact, double by)
{
    const double *D = t->p->D + (size_t)contact * (size_t)t->p->row_count;
    t->P[contact] += by;
    for (int k = 0; k < t->p->row_count; ++k) {
        t->u[k] += D[k] * by;
    }
}

static void fill(normals_task *t)
{
    normals_work *w = t->w;
    w->count = 0;
    for (int c = 0; c < t->p->contact_count; ++c) {
        if (w->pushes[c]) {
            w->index[w->count++] = c;
        }
    }
    for (int i = 0; i < w->count; ++i) {
        for (int k = 0; k <= i; ++k) {
            w->matrix[i * w->count + k] = entry(t->p, w->index[i], w->index[k]);
        }
        w->matrix[i * w->count + i] += LITTLE * t->stiffest;
        w->least_pivot[i] = LEAST_PIVOT * w->matrix[i * w->count + i];
        w->step[i] = -excess(t, w->index[i]);
    }
}

/* Part of the step that can be gone until an impulse vanishes; *contact is then the one. */
static double longest(const normals_task *t, int *contact)
{
    double part = 1.0;
    *contact = -1;
    for (int i = 0; i < t->w->count; ++i) {
        double P = t->P[t->w->index[i]];
        if (P + part * t->w->step[i] < 0.0) {
            part = P / -t->w->step[i];
            *contact = t->w->index[i];
        }
    }
    return part;
}

/* Towards no excess at the contacts that push; false: one of them had to leave. */
static bool step_to_rest(normals_task *t)
{
    int leaves;
    fill(t);
    dense_cholesky(t->w->matrix, t->w->count, t->w->least_pivot);
    dense_cholesky_forward(t->w->matrix, t->w->step, t->w->count);
    dense_cholesky_backward(t->w->matrix, t->w->step, t->w->count);
    double part = longest(t, &leaves);
    for (int i = 0; i < t->w->count; ++i) {
        add_impulse(t, t->w->index[i], part * t->w->step[i]);
    }
    if (leaves >= 0) {
        add_impulse(t, leaves, -t->P[leaves]);
        t->w->pushes[leaves] = false;
    }
    return leaves < 0;
}

static double worst_excess(const normals_task *t)
{
    double worst = 0.0;
    for (int c = 0; c < t->p->contact_count; ++c) {
        worst = fmax(worst, t->w->pushes[c] ? fabs(excess(t, c)) : 0.0);
    }
    return worst;
}

static int fastest(const normals_task *t, double least)
{
    int contact = -1;
    for (int c = 0; c < t->p->contact_count; ++c) {
        bool approaches = !t->w->pushes[c] && can_move(t, c) && excess(t, c) < -least;
        if (approaches && (contact < 0 || excess(t, c) < excess(t, contact))) {
            contact = c;
        }
    }
    return contact;
}

/* With the fastest those that approach as fast, so that mirror images get the same. */
static void add_fastest(normals_task *t, int contact)
{
    double limit = (1.0 - TIE) * excess(t, contact);
    for (int c = 0; c < t->p->contact_count; ++c) {
        t->w->pushes[c] = t->w->pushes[c] || (can_move(t, c) && excess(t, c) <= limit);
    }
}

static void settle(normals_task *t, double least)
{
    for (int i = 0; i < 4 * t->p->contact_count + 20 && !carom_stop_asked(t->p->stop); ++i) {
        bool done = true;
        if (worst_excess(t) > least) {
            done = step_to_rest(t) && worst_excess(t) <= least;
        }
        int contact = done || i % 4 == 3 ? fastest(t, least) : -1;
        if (contact >= 0) {
            add_fastest(t, contact);
        } else if (done) {
            return;
        }
    }
}

/* One contact after another: for what rounding has left. */
static double sweep(normals_task *t)
{
    double worst = 0.0;
    for (int c = 0; c < t->p->contact_count; ++c) {
        if (can_move(t, c)) {
            worst = fmax(worst, -excess(t, c));
            add_impulse(t, c, fmax(-t->P[c], -excess(t, c) / entry(t->p, c, c)));
        }
    }
    return worst;
}

double normals_stop(normals_work *w, const reduced_problem *p, const double *target, double least, double *P,
                    double *u)
{
    enum { SWEEPS = 100 };
    normals_task t = { .w = w, .p = p, .target = target, .P = P, .u = u };
    for (int c = 0; c < p->contact_count; ++c) {
        t.stiffest = fmax(t.stiffest, entry(p, c, c));
        w->pushes[c] = P[c] > 0.0;
    }
    settle(&t, least);
    double left = HUGE_VAL;
    for (int i = 0; i < SWEEPS && left > least && !carom_stop_asked(p->stop); ++i) {
        left = sweep(&t);
    }
    return left;
}
