/* Flight: while nothing touches, generalised-alpha takes steps as long as the motion allows; its damping takes vibration away that moves
 * nobody as far as the tolerance. Explicit steps take over a little before the first touch, which lies on the dense output of an implicit
 * step: time goes on by no more than the smallest gap over the largest speed of two surfaces, and the step is repeated up to there, by
 * secants. They hand over again when nothing has pressed for the time `hold`.
 *
 * A state without the record of explicit steps (dynamics/leap.h) is in flight, with velocities of whole steps. What the books of half steps
 * and those of whole steps differ by, and what implicit steps lose, is in the account `lost.handover`. */
#include <math.h>

#include "dynamics/dense.h"
#include "dynamics/integrator.h"
#include "dynamics/step_to.h"
#include "methods/constraint/constraint_work.h"

/* Explicit steps that lie between the hand-over and the first touch, and how many there may be at most. */
static const double LEAD = 2.0;
static const double MOST_LEAD = 4.0;

bool in_flight(const carom_state *s)
{
    leap_place place;
    return !leap_find(s, &place);
}

/* ---- the integrator ---- */

static integrator_choice flight_integrator(const carom_model *m)
{
    const constraint_options *o = m->method_options;
    const carom_time_def *time = &m->scene.time;
    const integrator_type *type = integrator_find("generalized-alpha");
    integrator_choice choice = { .type = type, .options = &o->flight };
    choice.settings.adaptive = o->flight_step == 0.0;
    choice.settings.tolerance = time->tolerance > 0.0 ? time->tolerance : type->preset_tolerance[time->preset];
    choice.settings.step = o->flight_step > 0.0 ? o->flight_step : type->preset_step[time->preset] * time->end;
    return choice;
}

/* ---- gaps ---- */

/* [m/s] at which the gap closes. */
static double closing_speed(const carom_scratch *w, const node_contact *c)
{
    return -v3_dot(node_contact_velocity(w, c), c->normal_w);
}

/* What is known of all gaps at an instant. */
typedef struct outlook {
    double nearest;     /* [m] no two surfaces are nearer */
    double lead;        /* [s] after which the first pair would touch at its present speed; infinite: none closes */
    node_contact first; /* that pair */
} outlook;

/* Facets beside which the point lies are no nearer than their sphere, edges that do not cross no nearer than their distance. */
static double beside_distance(const constraint_work *cw, const carom_scratch *w, int from, int to)
{
    const carom_model *m = w->model;
    double nearest = HUGE_VAL;
    for (int k = from; k < to && (cw->near[k].key.edges || !cw->near[k].key.rigid_other); ++k) {
        const contact_key *key = &cw->near[k].key;
        double radius = 0.0;
        if (key->edges) {
            return edges_apart(w, key);
        }
        const model_surface *s = &m->surfaces[key->other];
        v3 p = slave_position(w, key, &radius);
        nearest = fmin(nearest, fmax(0.0, facet_distance(w, s, &s->facets[key->facet], p) - radius));
    }
    return nearest;
}

/* From the list of near pairs. */
static outlook look(const constraint_work *cw, const carom_scratch *w)
{
    outlook out = { .nearest = HUGE_VAL, .lead = HUGE_VAL };
    for (int i = 0; i < cw->near_count;) {
        node_contact c;
        int first = i;
        next_contact(cw, w, 0.0, &i, &c);
        if (c.gap == HUGE_VAL) {
            out.nearest = fmin(out.nearest, beside_distance(cw, w, first, i));
            continue;
        }
        double closing = closing_speed(w, &c);
        out.nearest = fmin(out.nearest, fmax(0.0, c.gap));
        if (closing > 0.0 && c.gap / closing < out.lead) {
            out.lead = c.gap / closing;
            out.first = c;
        }
    }
    return out;
}

/* With a new list of all that can touch within a time at twice the speeds of now; explicit steps make one of their own. */
static bool look_ahead(constraint_work *cw, carom_scratch *w, double time, outlook *out)
{
    bool ok = list_near(cw, w, 4.0 * fastest_speed(w) * time + 1e-12 * w->model->length_scale);
    *out = ok ? look(cw, w) : (outlook){ 0 };
    cw->near_margin = 0.0;
    return ok;
}

bool touches_within(constraint_work *cw, carom_scratch *w, const carom_state *s, double time, bool *ok,
                    node_contact *first)
{
    outlook out;
    work_place(w, *s->time, state_motion(s));
    *ok = look_ahead(cw, w, time, &out);
    *first = out.first;
    if (*ok && out.lead <= time) {
        resolve_bodies(cw->model, first);
        return true;
    }
    return false;
}

/* ---- the first touch within an implicit step ---- */

typedef struct flight {
    constraint_work *cw;
    carom_step_context *c;
    integrator_choice with;
    double h; /* [s] the explicit step to come */
} flight;

static void place_within(carom_scratch *w, double t)
{
    dense_at(w->dense, t, w->trial, NULL);
    work_place(w, t, w->trial);
}

/* [m/s] no two surfaces approach each other faster within the step, as three instants of it say. */
static double approach_bound_of(carom_scratch *w)
{
    const double between = 1.5; /* what instants do not show */
    const dense_step *d = w->dense;
    double v = 0.0;
    for (int k = 0; k <= 2; ++k) {
        place_within(w, d->begin.t + 0.5 * k * (d->end.t - d->begin.t));
        v = fmax(v, fastest_speed(w));
    }
    return 2.0 * between * v;
}

static carom_status first_touch(void *context, double *t)
{
    flight *f = context;
    carom_scratch *w = f->c->scratch;
    const double begin = w->dense->begin.t;
    const double end = w->dense->end.t;
    const double bound = approach_bound_of(w);
    place_within(w, begin);
    bool ok = list_near(f->cw, w, bound * (end - begin + f->h));
    f->cw->near_margin = 0.0;
    *t = HUGE_VAL;
    for (double at = begin; ok && f->cw->near_count > 0 && at < end && !carom_stop_asked(&w->stop);) {
        place_within(w, at);
        outlook out = look(f->cw, w);
        if (out.lead <= LEAD * f->h) {
            *t = at;
            return CAROM_OK;
        }
        at += fmax(out.nearest / bound, f->h);
    }
    return ok ? work_may_go_on(w, f->c->err) : contacts_no_memory(f->c->err);
}

/* The state stands at t: the touch is a few explicit steps ahead, or the step is repeated to where it is. */
static double locate_touch(void *context, double t, bool last)
{
    flight *f = context;
    carom_scratch *w = f->c->scratch;
    outlook out;
    work_place(w, t, state_motion(f->c->state));
    bool ok = look_ahead(f->cw, w, 0.5 * (t - w->dense->begin.t) + MOST_LEAD * f->h, &out);
    if (last || !ok || (out.lead >= 0.0 && out.lead <= MOST_LEAD * f->h)) {
        return t;
    }
    return out.lead < 0.5 * (t - w->dense->begin.t) ? t + out.lead - LEAD * f->h : HUGE_VAL;
}

static carom_status implicit_step(void *context, bool again, double dt, carom_step_report *report)
{
    flight *f = context;
    (void)again;
    return dynamics_step_with(&f->with, f->c->scratch, f->c->state, dt, report, f->c->err);
}

/* ---- the step ---- */

/* [J] kinetic, potential and elastic energy of the state, less what the ledger knows it by. */
static carom_status measure_balance(const carom_step_context *c, double *out)
{
    const carom_state *s = c->state;
    carom_scratch *w = c->scratch;
    work_place(w, *s->time, state_motion(s));
    carom_status status = leap_evaluate(w, *s->time, c->err);
    *out = work_kinetic(w) + w->potential + w->elastic;
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        *out += (k <= ACCOUNT_MOTION ? -1.0 : 1.0) * s->sums->work[k];
    }
    return status;
}

carom_status fly(constraint_work *cw, carom_step_context *c, double dt, carom_step_report *report)
{
    flight f = { cw, c, flight_integrator(c->model), constraint_step_size(c->model) };
    const step_events events = { &f, implicit_step, first_touch, locate_touch, NULL };
    double before, after = 0.0;
    carom_status status = measure_balance(c, &before);
    status = status == CAROM_OK ? step_to(c, &events, dt, report) : status;
    status = status == CAROM_OK ? measure_balance(c, &after) : status;
    if (status == CAROM_OK) {
        ledger_add(c->state, ACCOUNT_HANDOVER, before - after);
        c->scratch->dense->end.sums = *c->state->sums;
    }
    return status;
}

carom_status start_flight(constraint_work *cw, carom_step_context *c)
{
    const integrator_choice with = flight_integrator(c->model);
    carom_state *s = c->state;
    s->contacts.count = 0;
    load_records(cw, s);
    return dynamics_start_with(&with, c->scratch, s, c->err);
}
