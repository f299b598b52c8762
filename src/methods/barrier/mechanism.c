#include "methods/barrier/mechanism.h"

#include <string.h>

#include "methods/barrier/bodies.h"

void mechanism_forget(barrier_work *w)
{
    w->mechanism_has = MECHANISM_UNKNOWN;
}

/* Whether the scratch has what is asked for, of where the bodies are. */
static bool is_known(const barrier_work *w, const island *s, mechanism_sight wanted)
{
    bool known = w->mechanism_has >= wanted;
    for (int k = 0; known && k < s->body_count; ++k) {
        int i = s->bodies[k];
        known = memcmp(&w->mechanism_at[i], &w->bodies[i].at, sizeof w->mechanism_at[i]) == 0;
    }
    return known;
}

static void note(barrier_work *w, const island *s, mechanism_sight has)
{
    w->mechanism_has = s->body_count > 0
                           ? has
                           : MECHANISM_UNKNOWN; /* none: the beginning of a step, before there are islands */
    for (int k = 0; k < s->body_count; ++k) {
        w->mechanism_at[s->bodies[k]] = w->bodies[s->bodies[k]].at;
    }
}

/* Bodies of other islands stay where the step began: these may be solved at the same time. Kinematic bodies are still on their way. */
static void place(barrier_work *w, const island *s, bool moving)
{
    carom_scratch *to = w->scratch;
    for (int i = 0; i < w->model->body_count; ++i) {
        to->trial.pose[i] = w->bodies[i].begin;
        to->trial.rate[i] = w->bodies[i].rate;
    }
    for (int k = 0; k < s->body_count; ++k) {
        const moving_body *b = &w->bodies[s->bodies[k]];
        to->trial.pose[s->bodies[k]] = b->at;
        to->trial.rate[s->bodies[k]] = moving && b->free ? body_rate_at(b) : b->rate;
    }
    motion at = to->trial;
    at.z = to->z; /* of where the step began */
    work_place(to, w->t_end, at);
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->bodies[i].kinematic) {
            to->pose[i] = to->trial.pose[i];
            to->R_w[i] = q_matrix(to->pose[i].q_wb);
        }
    }
}

void mechanism_position(barrier_work *w, const island *s)
{
    if (!is_known(w, s, MECHANISM_POSITIONS)) {
        place(w, s, false);
        work_positions(w->scratch);
        note(w, s, MECHANISM_POSITIONS);
    }
}

void mechanism_move(barrier_work *w, const island *s)
{
    if (!is_known(w, s, MECHANISM_MOTION)) {
        place(w, s, true);
        work_constraints(w->scratch);
        note(w, s, MECHANISM_MOTION);
    }
}
