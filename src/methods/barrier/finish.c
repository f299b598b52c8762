/* The end of a step: the iterate becomes the state.
 *
 * The ledger takes the powers at the end of the step, as the step itself did, and the impulses with them. What energy is missing then
 * the time integration has lost: it is booked as such. */
#include "methods/barrier/finish.h"

#include <string.h>

#include "base/assert.h"
#include "dynamics/integrals.h"
#include "dynamics/integrator.h"
#include "dynamics/project.h"
#include "dynamics/step.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/restitution.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/waits.h"

static v3 turned_in_step(const moving_body *b)
{
    return so3_log(q_mul(b->at.q_wb, q_conj(b->begin.q_wb)));
}

/* Velocities at the end, before impacts give anything back. */
static void find_velocities(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        w->ending[i] = b->free ? body_rate_ending(b) : b->rate;
    }
    waits_set_rates(w, w->ending);
}

/* Forces, energies and powers where the step ends. */
static carom_status evaluate_end(barrier_work *w, carom_step_context *c)
{
    carom_scratch *s = c->scratch;
    for (int i = 0; i < w->model->body_count; ++i) {
        s->trial.pose[i] = w->bodies[i].at;
        s->trial.rate[i] = w->ending[i];
    }
    memcpy(s->trial.z, c->state->z, (size_t)w->model->integral_count * sizeof *s->z);
    w->stepping = false;
    w->current = true;
    work_place(s, w->t_end, s->trial);
    work_constraints(s);
    work_forces(s);
    w->current = false;
    integrals_step(s, c->state);
    memcpy(s->trial.z, s->z, (size_t)w->model->integral_count * sizeof *s->z);
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        body_rate change = { v3_scale(1.0 / w->h, v3_sub(w->ending[i].v_w, b->rate.v_w)),
                             v3_scale(1.0 / w->h, v3_sub(w->ending[i].omega_w, b->rate.omega_w)) };
        s->acceleration[i] = b->free ? change : s->prescribed[i];
    }
    memcpy(s->sigma, w->lambda, (size_t)w->model->row_count * sizeof *s->sigma);
    work_count_reactions(s);
    carom_status status = work_may_go_on(s, c->err);
    return status == CAROM_OK ? integrator_check_values(s, c->err) : status;
}

/* ---- ledger ----------------------------------------------------------------------------------------------------------------- */

static bool all_second_order(const barrier_work *w)
{
    bool all = w->island_count > 0;
    for (int k = 0; k < w->island_count; ++k) {
        all = all && !w->islands[k].plain;
    }
    return all;
}

/* Momenta change by two thirds of the present forces and a third of what they changed by in the step before, in BDF2. The rates
 * that the state keeps are those of the whole step, so that the next one finds them. */
static void book_powers(const barrier_work *w, const carom_scratch *s, carom_state *state)
{
    bool second = all_second_order(w);
    ledger_sums before = *state->power;
    const double *p0 = (const double *)(const void *)&before;
    const double *p1 = (const double *)(const void *)&s->power;
    double *kept = (double *)(void *)state->power;
    double *sum = (double *)(void *)state->sums;
    for (int k = 0; k < LEDGER_SUMS; ++k) {
        kept[k] = second ? (2.0 * p1[k] + p0[k]) / 3.0 : p1[k];
        sum[k] += w->h * kept[k];
    }
}

static void add_momenta(const carom_scratch *s, carom_state *state, const v3 linear, const v3 angular)
{
    v3 now[2];
    work_momentum(s, &now[0], &now[1]);
    state->sums->impulse = v3_add(state->sums->impulse, v3_sub(now[0], linear));
    state->sums->angular_impulse = v3_add(state->sums->angular_impulse, v3_sub(now[1], angular));
}

/* Velocities that joints do not allow are taken out, and impacts and stops give back what they have taken. What that does to the
 * momenta comes from what is fixed; bodies that are free and not joined to it keep theirs. */
static carom_status close_rates(barrier_work *w, carom_step_context *c)
{
    carom_scratch *s = c->scratch;
    carom_state *state = c->state;
    v3 linear, angular;
    if (s->model->row_count == 0 && !restitution_wanted(w)) {
        (void)restitution_release(w, s, state->rate); /* nothing to solve */
        ledger_add(state, ACCOUNT_IMPACT, w->impact_loss);
        return CAROM_OK;
    }
    work_place(s, *state->time, state_motion(state));
    work_momentum(s, &linear, &angular);
    if (s->model->row_count > 0) {
        work_constraints(s);
        carom_status status = work_factor(s, c->err);
        if (status != CAROM_OK) {
            return status;
        }
        project_velocities(s, state_motion(state), 1);
        work_place(s, *state->time, state_motion(state));
    }
    double kinetic = work_kinetic(s);
    if (!restitution_release(w, s, state->rate)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for impacts");
    }
    if (s->model->row_count > 0) {
        stops_release(w, s, state);
    }
    work_place(s, *state->time, state_motion(state));
    ledger_add(state, ACCOUNT_IMPACT, w->impact_loss + kinetic - work_kinetic(s));
    add_momenta(s, state, linear, angular);
    return CAROM_OK;
}

/* Energy that is stored, and what the ledger says should be: the difference was lost by numerics. */
static void book_numerics(const carom_scratch *s, carom_state *state)
{
    double expected = state->start[0];
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        expected += (k <= ACCOUNT_MOTION ? 1.0 : -1.0) * state->sums->work[k];
    }
    double stored = work_kinetic(s) + s->potential + s->elastic;
    ledger_add(state, ACCOUNT_NUMERICS, expected - stored);
}

/* ---- the state -------------------------------------------------------------------------------------------------------------- */

static void keep_history(const barrier_work *w, carom_state *state)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        state->history[i] = b->rate;
        state->jerk[i] = (body_rate){ v3_sub(b->at.x_w, b->begin.x_w), turned_in_step(b) };
    }
    *state->step_error = 1.0; /* there is a history */
}

/* Kinematic bodies are where their motion has them, or there is no step: what was not swept is not gone. */
static bool on_target(const barrier_work *w)
{
    bool all = true;
    for (int i = 0; i < w->model->body_count; ++i) {
        const moving_body *b = &w->bodies[i];
        all = all && (!b->kinematic || memcmp(&b->at, &b->end, sizeof b->at) == 0);
    }
    return all;
}

carom_status finish_step(barrier_work *w, carom_step_context *c)
{
    carom_state *state = c->state;
    CAROM_ASSERT(on_target(w));
    find_velocities(w);
    carom_status status = evaluate_end(w, c);
    if (status != CAROM_OK) {
        return status;
    }
    ledger_sums power = *state->power;
    integrator_commit(c->scratch, state, w->t_end, c->scratch->trial);
    *state->power = power;
    book_powers(w, c->scratch, state);
    restitution_judge(w);
    status = close_rates(w, c);
    pairs_note_restarts(w);
    contacts_note_squeezed(w);
    if (status == CAROM_OK && !pairs_remember(w, &state->contacts)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    if (status == CAROM_OK) {
        book_numerics(c->scratch, state);
        keep_history(w, state);
        *state->step = w->whole_step;
    }
    return status;
}
