/* Resolving an event.
 *
 * 1. Impacts [papers 3 and 5]: all contacts that touch, with the velocities before; again while some still approach
 * (strike_groups.c).
 * 2. The new active set: which contacts stay closed, stick and slip (update_active_set.c).
 * 3. Constraint drift of closed contacts is removed (stabilise.c). */
#include "methods/impact/instant.h"

#include <float.h>
#include <string.h>

#include "dynamics/integrator.h"
#include "dynamics/project.h"

double touching_gap(const carom_scratch *w, double speed)
{
    return 4.0 * project_tolerance(w) + 8.0 * DBL_EPSILON * fabs(speed * w->t);
}

static bool lasts(const impact_work *iw)
{
    return iw->present.contacts.count > 0 || iw->reduced.joint_count > 0;
}

/* One round of impacts and of complementarity; *again when velocities have jumped on the way. */
static carom_status resolve_once(const instant *now, bool *again)
{
    *again = false;
    carom_status status = instant_gather(now);
    status = status == CAROM_OK ? instant_strike(now, again) : status;
    return status == CAROM_OK && !*again ? instant_update_active_set(now, again) : status;
}

/* The set becomes the state's. */
static carom_status take_next(const instant *now)
{
    carom_state *s = now->s;
    if (!announce_changes(now) || !active_set_record(&now->iw->next, now->iw, &s->contacts)) {
        return no_memory(now);
    }
    active_set_take_next(now->iw, s);
    return stabilise(now->c, now->iw);
}

static instant instant_of(carom_step_context *c, impact_work *iw)
{
    const impact_options *o = c->options;
    instant now = { .c = c, .iw = iw, .w = c->scratch, .s = c->state, .options = o };
    work_place(now.w, *now.s->time, state_motion(now.s));
    now.limits = search_limits_of(now.w, now.s->rate);
    now.stick_tolerance = now.stick_tolerance_struck = 2.0 * stick_tolerance_at(now.w, now.s->rate);
    if (*now.s->step_count == 0.0) { /* no step has erred yet */
        now.stick_tolerance = fmin(now.stick_tolerance, stick_tolerance_given(now.w, now.s->rate));
    }
    now.rest_time = o->rest_time > 0.0 ? o->rest_time : 1e-9 * iw->model->scene.time.end;
    return now;
}

/* The first body of the mechanism that has had most rounds, or -1. */
static int most_rounds(const instant *now, int *rounds)
{
    int most = -1;
    *rounds = 0;
    for (int i = 0; i < now->iw->model->body_count; ++i) {
        int here = instant_rounds(now, (const int[2]){ i, i });
        most = here > *rounds ? i : most;
        *rounds = here > *rounds ? here : *rounds;
    }
    return most;
}

static bool bounces(const contact_list *found)
{
    for (size_t k = 0; k < found->count; ++k) {
        if (found->items[k].law.restitution > 0.0) {
            return true;
        }
    }
    return false;
}

const char *instant_other_rule(const instant *now)
{
    return now->options->rule == STRIKE_TOGETHER ? "contact.several = \"sharing\"" : "contact.several = \"together\"";
}

/* Every round counts for some mechanism, so an instant ends, or one of them has had too many. */
static carom_status check_end(const instant *now)
{
    enum { MOST_ROUNDS = 200 };
    int rounds = 0;
    int body = most_rounds(now, &rounds);
    if (rounds < MOST_ROUNDS) {
        return CAROM_OK;
    }
    return carom_fail(now->c->err, CAROM_NOT_CONVERGED,
                      "impacts of '%.80s' at t = %.9g s do not come to an end after %d rounds (%zu contacts touch); "
                      "try %s%s",
                      body_name(now, body), *now->s->time, rounds, now->iw->found.count, instant_other_rule(now),
                      bounces(&now->iw->found) ? " or less restitution" : "");
}

static carom_status resolve_all(instant *now, carom_status status)
{
    bool again = true;
    memset(now->iw->rounds, 0, ((size_t)now->iw->model->free_count + 1) * sizeof *now->iw->rounds);
    while (again && status == CAROM_OK) {
        carom_arena_free(&now->iw->moment);
        status = carom_stop_asked(&now->w->stop) ? work_interrupted(now->w, now->c->err) : resolve_once(now, &again);
        now->ahead = 0.0; /* velocities have jumped: other forces, and no longer those given */
        now->stick_tolerance = again ? now->stick_tolerance_struck : now->stick_tolerance;
        status = status == CAROM_OK && again ? check_end(now) : status;
    }
    carom_arena_free(&now->iw->moment);
    return status == CAROM_OK ? take_next(now) : status;
}

carom_status resolve_event(carom_step_context *c, impact_work *iw, double ahead)
{
    integrator_load(c->scratch, c->state);
    instant now = instant_of(c, iw);
    now.ahead = ahead;
    return resolve_all(&now, lasts(iw) ? instant_stabilise(&now) : CAROM_OK);
}

/* The instant at which friction that has grown without limit stops a slip. Steps have shrunk towards it, often to less than
 * any integrator takes; what follows has none of these forces. */
static instant instant_of_stop(carom_step_context *c, impact_work *iw)
{
    integrator_load(c->scratch, c->state);
    integrator_forget_step(c->state);
    return instant_of(c, iw);
}

carom_status resolve_jam(carom_step_context *c, impact_work *iw, int element)
{
    instant now = instant_of_stop(c, iw);
    carom_status status = instant_stabilise(&now);
    return resolve_all(&now, status == CAROM_OK ? instant_lock(&now, element) : status);
}

carom_status resolve_grip(carom_step_context *c, impact_work *iw, int k)
{
    instant now = instant_of_stop(c, iw);
    carom_status status = instant_stabilise(&now);
    return resolve_all(&now, status == CAROM_OK ? instant_grip(&now, k) : status);
}

carom_status stabilise(carom_step_context *c, impact_work *iw)
{
    carom_state *s = c->state;
    carom_status status = CAROM_OK;
    integrator_load(c->scratch, s);
    if (lasts(iw)) {
        instant now = instant_of(c, iw);
        status = instant_stabilise(&now);
        instant_renew_directions(&now, &iw->present);
        if (status == CAROM_OK && !active_set_record(&iw->present, iw, &s->contacts)) {
            status = no_memory(&now);
        }
        integrator_load(c->scratch, s);
    }
    if (status == CAROM_OK) {
        status = work_evaluate(c->scratch, *s->time, state_motion(s), c->err);
    }
    if (status == CAROM_OK) {
        integrator_commit(c->scratch, s, *s->time, state_motion(s));
    }
    return status;
}
