/* Lasting contact where there are several islands: each is solved on its own. */
#include <string.h>

#include "nonsmooth/rest_work.h"

static void gather_states(const reduced_part *part, const bool *closed, const friction_state *state, rest_answer *to)
{
    for (int c = 0; c < part->problem.contact_count; ++c) {
        to->closed[c] = closed[part->row[c]];
    }
    for (int e = 0; e < part->problem.element_count; ++e) {
        to->state[e] = state[part->element[e]];
    }
}

static const double *gather_rows(const reduced_part *part, const double *rows, double *to)
{
    for (int k = 0; rows && k < part->problem.row_count; ++k) {
        to[k] = rows[part->row[k]];
    }
    return rows ? to : NULL;
}

static void scatter(const reduced_part *part, const rest_answer *from, rest_answer *to)
{
    for (int k = 0; k < part->problem.row_count; ++k) {
        to->force[part->row[k]] = from->force[k];
        to->rate[part->row[k]] = from->rate[k];
    }
    for (int c = 0; c < part->problem.contact_count; ++c) {
        to->closed[part->row[c]] = from->closed[c];
    }
    for (int e = 0; e < part->problem.element_count; ++e) {
        to->state[part->element[e]] = from->state[e];
        to->load[part->element[e]] = from->load[e];
    }
    to->ambiguous = to->ambiguous || from->ambiguous;
}

/* The contact or element to name, as the whole problem numbers them. */
static int named(const reduced_part *part, rest_outcome outcome, int culprit)
{
    return culprit < 0 ? -1 : outcome == REST_JAM ? part->element[culprit] : part->row[culprit];
}

static rest_outcome solve_part(rest_work *w, const rest_request *r)
{
    reduced_part *part = &w->part;
    if (r->u) {
        const double *u = gather_rows(part, r->u, w->part_rows);
        return rest_choose_one(w, &part->problem, u, r->still);
    }
    gather_states(part, r->closed, r->state, &w->answer);
    const double *target = gather_rows(part, r->target, w->part_rows);
    return rest_rates_into(w, &part->problem, w->answer.closed, w->answer.state, target, &w->answer);
}

rest_outcome rest_solve_islands(rest_work *w, const reduced_problem *p, const rest_request *request, rest_answer *out)
{
    rest_outcome outcome = REST_OK;
    w->whole.culprit = -1;
    w->whole.ambiguous = false;
    for (int i = 0; i < p->island_count; ++i) {
        reduced_part_take(&w->part, p, i);
        rest_outcome one = solve_part(w, request);
        scatter(&w->part, &w->answer, &w->whole);
        if (one != REST_OK && outcome == REST_OK) { /* the first that fails is named */
            outcome = one;
            w->whole.culprit = named(&w->part, one, w->answer.culprit);
        }
    }
    *out = w->whole;
    return outcome;
}
