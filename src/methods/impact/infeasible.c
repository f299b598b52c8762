/* Infeasibility check: bodies squeezed by prescribed motion, contacts that approach although no impulse can stop them.
 *
 * With D positive semidefinite there are no x >= 0 with u + D x >= 0 exactly if some y >= 0 has D y = 0 and y . u < 0
 * [Farkas]; then y . u is the same after any impulses, those of friction included, since D y = 0 holds in all rows. Such a y
 * is the direction in which Gauss-Seidel sweeps for min x.D.x/2 + u.x over x >= 0 go on for ever. */
#include <math.h>
#include <string.h>

#include "methods/impact/instant.h"

/* ---- one contact that nothing can move ------------------------------------------------------------------------------- */

/* Of how fast a row moves per force to how fast it would if no joint held its bodies: none. A toggle is at 1e-6 rad from its
 * dead point there. */
static const double HELD = 1e-12;

/* Per unit force, at least. */
static double free_response(const carom_model *model, int body, const double row[FRAME_COLUMNS])
{
    const model_body *b = &model->bodies[body];
    v3 push = v3_load(row);
    v3 turn = v3_load(row + 3);
    return b->slot < 0 ? 0.0 : v3_dot(push, push) / b->mass + v3_dot(turn, turn) / m3_trace(b->inertia_b);
}

static bool is_held(const instant *now, int k)
{
    const reduction *r = &now->iw->reduced;
    const contact_row *row = &r->responses.rows[k];
    double own = r->D[(size_t)k * ((size_t)r->problem.row_count + 1)];
    double unheld = free_response(r->model, row->body[0], row->a) + free_response(r->model, row->body[1], row->b);
    return own <= HELD * unheld;
}

static carom_status driven(const instant *now, const contact *s)
{
    static const char *const remedy =
        "no impulse can stop what drives it there; end the prescribed motion before, or make room";
    if (s->kind == CONTACT_STOP) {
        return carom_fail(now->c->err, CAROM_NOT_CONVERGED,
                          "a prescribed motion drives joint '%.100s' into its stop at t = %.9g s: %s",
                          now->iw->model->joints[s->a].name, *now->s->time, remedy);
    }
    return carom_fail(now->c->err, CAROM_NOT_CONVERGED,
                      "a prescribed motion drives '%.80s' and '%.80s' into each other at t = %.9g s: %s",
                      body_name(now, s->body[0]), body_name(now, s->body[1]), *now->s->time, remedy);
}

carom_status instant_check_driven(const instant *now, const reduced_part *part)
{
    for (int c = 0; c < part->problem.contact_count; ++c) {
        if (instant_approaches(now, part->row[c]) && is_held(now, part->row[c])) {
            return driven(now, &now->iw->found.items[part->row[c]]);
        }
    }
    return CAROM_OK;
}

/* ---- several that hold each other ------------------------------------------------------------------------------------ */

enum { SWEEPS = 400 };

static const double NULL_ROW = 1e-9; /* of D y against the largest that D makes of y: none */

static double row_times(const reduced_problem *p, int row, const double *x)
{
    double sum = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        sum += p->D[row * p->row_count + c] * x[c];
    }
    return sum;
}

static void sweep(const reduced_problem *p, const double *u, double *x)
{
    for (int c = 0; c < p->contact_count; ++c) {
        double diagonal = p->D[c * p->row_count + c];
        if (diagonal > 0.0) {
            x[c] = fmax(0.0, x[c] - (u[c] + row_times(p, c, x)) / diagonal);
        }
    }
}

static bool proves(const reduced_problem *p, const double *u, const double *y)
{
    double product = 0.0;
    double size = 0.0;
    double least = 0.0;
    double largest = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        product += y[c] * u[c];
        size += fabs(y[c] * u[c]);
        least = fmin(least, y[c]);
        largest = fmax(largest, y[c] * p->D[c * p->row_count + c]);
    }
    bool proof = product < -1e-6 * size && largest > 0.0 && least >= 0.0;
    for (int row = 0; row < p->contact_count && proof; ++row) {
        proof = fabs(row_times(p, row, y)) <= NULL_ROW * largest;
    }
    return proof;
}

/* The first and the last contact that take part. */
static void name_contacts(const instant *now, const reduced_part *part, const double *y, const contact *out[2])
{
    double most = 0.0;
    for (int c = 0; c < part->problem.contact_count; ++c) {
        most = fmax(most, y[c]);
    }
    for (int c = 0; c < part->problem.contact_count; ++c) {
        if (y[c] > 1e-3 * most) {
            out[0] = out[0] ? out[0] : &now->iw->found.items[part->row[c]];
            out[1] = &now->iw->found.items[part->row[c]];
        }
    }
}

static carom_status infeasible(const instant *now, const reduced_part *part, const double *y)
{
    const contact *named[2] = { NULL, NULL };
    name_contacts(now, part, y, named);
    return carom_fail(now->c->err, CAROM_NOT_CONVERGED,
                      "rigid bodies are squeezed at t = %.9g s, from the contact of '%.80s' and '%.80s' to that of "
                      "'%.80s' and '%.80s': none can give way; end the prescribed motion before, or make room",
                      *now->s->time, body_name(now, named[0]->body[0]), body_name(now, named[0]->body[1]),
                      body_name(now, named[1]->body[0]), body_name(now, named[1]->body[1]));
}

carom_status instant_check_infeasible(const instant *now, const reduced_part *part)
{
    const reduced_problem *p = &part->problem;
    size_t count = (size_t)p->contact_count;
    double *x = CAROM_ARENA_ARRAY(&now->iw->moment, double, 3 * count + 1);
    if (!x) {
        return no_memory(now);
    }
    double *y = x + count;
    double *u = y + count;
    for (size_t c = 0; c < count; ++c) {
        u[c] = now->iw->reduced.u[part->row[c]];
    }
    for (int k = 0; k < SWEEPS && !carom_stop_asked(&now->w->stop); ++k) {
        if (k == SWEEPS / 2) {
            memcpy(y, x, count * sizeof *y);
        }
        sweep(p, u, x);
    }
    for (size_t c = 0; c < count; ++c) {
        y[c] = x[c] - y[c];
    }
    return proves(p, u, y) ? infeasible(now, part, y) : CAROM_OK;
}
