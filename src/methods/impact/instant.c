/* What touches at an instant, and the jump of velocities with its place in the ledger. */
#include "methods/impact/instant.h"

#include <string.h>

#include "linalg/dense.h"

/* Masses and constraints at the state's configuration. */
carom_status instant_place(const instant *now)
{
    work_place(now->w, *now->s->time, state_motion(now->s));
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
    if (!search_touching(iw, now->w, now->s->pose, now->s->rate, margin) ||
        !impact_work_reserve(iw, iw->found.count)) {
        return no_memory(now);
    }
    reduction_make(&iw->reduced, now->w, iw->found.items, (int)iw->found.count, NULL, false, now->stick_tolerance);
    return CAROM_OK;
}

row_jump instant_row_jump(const reduction *r)
{
    return (row_jump){ .impulse = r->impulse, .before = r->u_before, .after = r->u };
}

/* Velocities jump by what r->impulse does; r->u and the ledger follow. */
void instant_jump(const instant *now)
{
    const reduction *r = &now->iw->reduced;
    row_jump jump = instant_row_jump(r);
    memcpy(now->iw->rate_before, now->s->rate, (size_t)r->model->body_count * sizeof *now->s->rate);
    jump_velocities(&r->responses, &jump, now->w, now->s);
}

bool instant_approaches(const instant *now, int k)
{
    return now->iw->reduced.u[k] < -10.0 * now->limits.speed;
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
