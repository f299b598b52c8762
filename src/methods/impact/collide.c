/* Impacts at an instant: what touches, what of it takes part, and the jump of velocities with its place in the ledger. */
#include "methods/impact/instant.h"

#include <string.h>

#include "linalg/dense.h"

/* Masses and constraints at the state's configuration. */
carom_status instant_place(const instant *now)
{
    work_place(now->w, *now->s->time, now->s->pose, now->s->rate);
    work_constraints(now->w);
    return work_factor(now->w, now->c->err);
}

/* Everything that touches, reduced at the present velocities. */
carom_status instant_gather(const instant *now)
{
    impact_work *iw = now->iw;
    double margin = 1e-10 * iw->model->length_scale + 4.0 * now->limits.gap;
    carom_status status = instant_place(now);
    if (status != CAROM_OK) {
        return status;
    }
    if (!search_touching(iw, now->w, now->s->pose, now->s->rate, margin) || !lasting_reserve(iw, iw->found.count)) {
        return no_memory(now);
    }
    reduction_make(&iw->reduced, now->w, iw->found.items, (int)iw->found.count, NULL, false, now->still);
    return CAROM_OK;
}

/* - impulse . (velocity before + after) / 2: summed over all rows it is exactly the energy lost. */
double instant_lost(const reduction *r, int first, int count)
{
    double lost = 0.0;
    for (int k = first; k < first + count; ++k) {
        lost -= 0.5 * r->impulse[k] * (r->u_before[k] + r->u[k]);
    }
    return lost;
}

static void add_sums(ledger_sums *to, const ledger_sums *from)
{
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        to->work[k] += from->work[k];
    }
    to->impulse = v3_add(to->impulse, from->impulse);
    to->angular_impulse = v3_add(to->angular_impulse, from->angular_impulse);
}

/* Velocities jump by what r->impulse does; r->u and the ledger follow. */
void instant_jump(const instant *now)
{
    reduction *r = &now->iw->reduced;
    carom_scratch *w = now->w;
    size_t n = (size_t)r->model->row_count;
    memcpy(r->u_before, r->u, (size_t)r->problem.row_count * sizeof *r->u);
    memset(&w->power, 0, sizeof w->power);
    memset(w->sigma, 0, n * sizeof *w->sigma);
    for (int k = 0; k < r->problem.row_count; ++k) {
        for (size_t i = 0; r->impulse[k] != 0.0 && i < n; ++i) {
            w->sigma[i] += r->impulse[k] * r->Y[(size_t)k * n + i];
        }
    }
    reduction_count(r, w, r->impulse);
    work_count_reactions(w);
    memcpy(now->iw->rate_before, now->s->rate, (size_t)r->model->body_count * sizeof *w->rate);
    reduction_apply(r, r->impulse, now->s->rate);
    memcpy(w->rate, now->s->rate, (size_t)r->model->body_count * sizeof *w->rate);
    reduction_velocities(r, w);
    w->power.work[ACCOUNT_IMPACT] += instant_lost(r, 0, r->problem.row_count);
    add_sums(now->s->sums, &w->power);
}

static carom_status strike_failed(const instant *now, strike_outcome outcome)
{
    const site *s = &now->iw->found.items[0];
    return carom_fail(
        now->c->err, CAROM_NOT_CONVERGED,
        "the impact between '%.80s' and '%.80s' at t = %.9g s has no end (%s, %zu contacts); try another "
        "\"several\" or restitution law",
        body_name(now, s->body[0]), body_name(now, s->body[1]), *now->s->time,
        outcome == STRIKE_ENDLESS ? "too many changes of slip" : "no state of friction fits", now->iw->found.count);
}

/* One impact of all sites that touch, or without collision of one of them. */
static carom_status strike(const instant *now, int only)
{
    reduction *r = &now->iw->reduced;
    size_t rows = (size_t)r->problem.row_count;
    double *u = r->u_before; /* solvers change it; the true one follows from the impulses */
    memcpy(u, r->u, rows * sizeof *u);
    memset(r->impulse, 0, rows * sizeof *r->impulse);
    strike_result result = { .impulse = r->impulse, .compression = r->compression, .jammed = -1 };
    strike_contact *defs = CAROM_ARENA_ARRAY(&now->iw->moment, strike_contact, r->site_count + 1);
    if (!defs) {
        return no_memory(now);
    }
    for (int k = 0; k < r->site_count; ++k) {
        defs[k] = now->iw->found.items[k].law;
    }
    reduced_problem bare = r->problem; /* an impact knows no other rates */
    bare.rate = NULL;
    bare.load = NULL;
    strike_options options = { .rule = now->options->rule, .exponent = now->options->exponent };
    strike_outcome outcome = only >= 0            ? strike_one(r->strike, &bare, only, &defs[only], u, &result)
                             : r->site_count == 1 ? strike_one(r->strike, &bare, 0, defs, u, &result)
                                                  : strike_all(r->strike, &bare, defs, &options, u, &result);
    if (outcome != STRIKE_OK) {
        return strike_failed(now, outcome);
    }
    if (result.cut_short) {
        instant_note(now, CAROM_FINDING_IMPACT_CUT_SHORT, &now->iw->found.items[0], (double)NAN, (double)NAN);
    }
    instant_jump(now);
    return announce_impacts(now, result.jammed) ? CAROM_OK : no_memory(now);
}

/* The first site that approaches, or -1. */
int instant_approaching(const instant *now)
{
    const reduction *r = &now->iw->reduced;
    int k = 0;
    while (k < r->site_count && !(r->u[k] < -10.0 * now->limits.speed)) {
        ++k;
    }
    return k < r->site_count ? k : -1;
}

/* Marks the rows that move when something pushes along row k, directly or by way of others. */
static void mark_coupled(const reduction *r, int k, bool *coupled, int *queue)
{
    int n = r->problem.row_count;
    int count = 0;
    coupled[k] = true;
    queue[count++] = k;
    for (int i = 0; i < count; ++i) {
        int row = queue[i];
        for (int l = 0; l < n; ++l) {
            double limit = 1e-11 * sqrt(r->D[row * n + row] * r->D[l * n + l]);
            if (!coupled[l] && fabs(r->D[row * n + l]) > limit) {
                coupled[l] = true;
                queue[count++] = l;
            }
        }
    }
}

static bool takes_part(const reduction *r, int k, const bool *coupled)
{
    int e = r->element[k];
    bool any = coupled[k];
    for (int i = 0; e >= 0 && i < r->elements[e].dim; ++i) {
        any = any || coupled[r->elements[e].first_row + i];
    }
    return any;
}

/* What lies elsewhere takes no part in an impact: keeps the sites that are coupled with one. False when memory runs out. */
static bool keep_struck(const instant *now, int struck)
{
    impact_work *iw = now->iw;
    reduction *r = &iw->reduced;
    bool *coupled = CAROM_ARENA_ARRAY(&iw->moment, bool, r->problem.row_count);
    int *queue = CAROM_ARENA_ARRAY(&iw->moment, int, r->problem.row_count);
    if (!coupled || !queue) {
        return false;
    }
    mark_coupled(r, struck, coupled, queue);
    size_t kept = 0;
    for (size_t k = 0; k < iw->found.count; ++k) {
        if (takes_part(r, (int)k, coupled)) {
            iw->found.items[kept++] = iw->found.items[k];
        }
    }
    if (kept < iw->found.count) {
        iw->found.count = kept;
        reduction_make(r, now->w, iw->found.items, (int)kept, NULL, false, now->still);
    }
    return true;
}

carom_status instant_strike(const instant *now, int struck)
{
    return keep_struck(now, struck) ? strike(now, -1) : no_memory(now);
}

carom_status instant_strike_alone(const instant *now, int contact)
{
    return strike(now, contact);
}

/* Rows that differ by less are one place seen twice (an edge and its end), which must not push against itself. */
static const double NEARLY_SAME = 1e-8;

/* Those of the rows chosen that belong to one island. */
static int rows_of_island(const reduction *r, const int *rows, int count, int island, int *own)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (r->island[rows[i]] == island) {
            own[kept++] = rows[i];
        }
    }
    return kept;
}

static void stop_island(reduction *r, const int *rows, int count)
{
    int n = r->problem.row_count;
    double *A = r->small;
    double *b = A + (size_t)count * (size_t)count;
    for (int i = 0; i < count; ++i) {
        b[i] = -r->u[rows[i]];
        for (int k = 0; k < count; ++k) {
            A[i * count + k] = r->D[rows[i] * n + rows[k]];
        }
    }
    dense_solve(A, b, count, NEARLY_SAME, b + count);
    for (int i = 0; i < count; ++i) {
        r->impulse[rows[i]] = b[i];
    }
}

/* Impulses along the rows chosen that make their velocities zero. */
void instant_stop_rows(const instant *now, const int *rows, int count)
{
    reduction *r = &now->iw->reduced;
    memset(r->impulse, 0, (size_t)r->problem.row_count * sizeof *r->impulse);
    for (int i = 0; i < r->problem.island_count; ++i) {
        int own = rows_of_island(r, rows, count, i, r->few);
        if (own > 0) {
            stop_island(r, r->few, own);
        }
    }
}
