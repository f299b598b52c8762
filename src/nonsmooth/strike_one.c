/* One striking contact: exact stepping in its normal impulse P [paper 5; Routh1905].
 *
 * From step to step: who slips and who holds (friction.h), whether the contact is compressed or gives back, a step to the
 * next event (stroke_step.c where rates are constant, stroke_turn.c where slip directions turn).
 *
 * Jam: where slipping joints' loads have no solution, the joint to blame locks (stroke_lock.c). The same is done
 * with everything that has friction where no state fits, where nothing would end the approach, and, from the beginning,
 * where the impact would not end or would make energy of nothing: that is a plastic impact of the joints, which always ends
 * and never gains energy; it is reported as a jam. */
#include <float.h>
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/stroke.h"

enum {
    STEP_LIMIT = 200,   /* impacts with one joint take up to 5; every joint may add a few */
    TURN_LIMIT = 12000, /* steps of the integration where directions turn: a few dozen mostly */
    STOPS_AGAIN = 4,    /* so often may an element begin to slip and stop before it has got anywhere; then it locks */
};

/* Slip below this, relative to the largest velocity, is none. Velocities are sums of a few
 * products: they err by 1e-16 to 1e-15 of the largest, and by the condition of the mechanism (1e4 and more) as much again;
 * there is room for events that coincide by mechanics but not in rounding. */
static const double still_speed = 1e-10;
/* Work that friction, or an impact with e <= 1, may seem to have done, relative to all work: rounding, by the same count. */
static const double made_energy = 1e-11;

/* ---- begin ---- */

/* The largest velocity: of normals and of slips, whatever their axes; HUGE_VAL when one is not a number. */
static double largest_speed(const reduced_problem *p, const double *u)
{
    double most = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        most = isnan(u[c]) ? HUGE_VAL : fmax(most, fabs(u[c]));
    }
    for (int i = 0; i < p->element_count; ++i) {
        double speed = slip_norm(&p->elements[i], u);
        most = isnan(speed) ? HUGE_VAL : fmax(most, speed);
    }
    return most;
}

static void clear_work(strike_work *w, const reduced_problem *p, int contact)
{
    memset(w->normal, 0, (size_t)p->contact_count * sizeof(double));
    w->normal[contact] = 1.0;
    memset(w->held, 0, (size_t)p->element_count * sizeof(bool));
    memset(w->stops, 0, (size_t)p->element_count * sizeof(int));
    memset(w->creeps, 0, (size_t)p->element_count * sizeof(bool));
}

static stroke begin(strike_work *w, const reduced_problem *p, int contact, const strike_contact *def, double *u,
                    strike_result *out)
{
    stroke s = {
        .w = w, .p = p, .contact = contact, .def = def, .u = u, .out = out, .jams_next = -1, .stops_again = -1
    };
    strike_clear(p, out);
    clear_work(w, p, contact);
    s.own_answer = p->D[contact * p->row_count + contact];
    s.speed_scale = largest_speed(p, u);
    if (stroke_is_prescribed(&s)) {
        s.speed_scale = fmax(s.speed_scale, s.own_answer * fabs(def->impulse));
    }
    s.still = fmax(DBL_MIN, still_speed * s.speed_scale);
    s.target = fmax(0.0, -def->restitution * u[contact]);
    return s;
}

/* ---- states ---- */

/* What the last step has left to do: a joint that jams, an element that begins to slip and stops again and again. */
static void finish_last_step(stroke *s)
{
    if (s->jams_next >= 0) {
        stroke_jam(s, s->jams_next);
    }
    if (s->stops_again >= 0 && ++s->w->stops[s->stops_again] > STOPS_AGAIN) {
        stroke_jam(s, s->stops_again);
    }
    s->stops_again = -1;
}

/* Rates with the states in which the integration has ended without an event: there may be several solutions for the loads,
 * and the one that turning has come along is gone on with, wherever the integration happens to end. */
static bool go_on(stroke *s)
{
    friction_path path = { .held = s->w->held, .creeping = s->w->creeps };
    return friction_follow(s->w->friction, s->p, s->w->turned, s->w->normal, &path, &s->a) == FRICTION_OK;
}

/* States and rates anew; joints that jam lock on the way, and everything where nothing fits. */
static void choose_anew(stroke *s)
{
    strike_work *w = s->w;
    for (int k = 0; k <= s->p->element_count + 1; ++k) {
        friction_outcome outcome = friction_choose(w->friction, s->p, s->u, s->still, w->normal, w->held, &s->a);
        if (outcome == FRICTION_OK) {
            return;
        }
        int joint = outcome == FRICTION_JAM ? s->a.jammed : -1;
        if (joint < 0 || w->held[joint]) {
            s->out->held = true;
            stroke_lock_all(s);
        } else {
            stroke_jam(s, joint);
        }
    }
}

/* States and rates at the present velocities. */
static void choose(stroke *s)
{
    finish_last_step(s);
    if (!(s->going_on && go_on(s))) {
        choose_anew(s);
    }
    stroke_find_strength(s);
}

/* ---- phases ---- */

/* Whether nothing is left that restitution could give back. */
static bool nothing_left(const stroke *s)
{
    if (stroke_is_prescribed(s)) {
        return s->P >= s->def->impulse;
    }
    if (s->def->law == STRIKE_NEWTON && s->P > 0.0) { /* a jam may open the contact before anything pressed it */
        return stroke_normal_speed(s) >= s->target - stroke_still_normal * s->speed_scale;
    }
    return s->def->restitution == 0.0 || !(s->stored > 0.0);
}

static void end_compression(stroke *s)
{
    s->restitution = true;
    s->going_on = false;
    stroke_record_end_of_compression(s);
    s->finished = nothing_left(s);
}

/* Compression is over when the contact does not approach and is not about to (an impact without collision begins with
 * u = 0 and a negative rate); restitution, when it does again. */
static void find_phase(stroke *s)
{
    double speed = stroke_normal_speed(s), none = stroke_still_normal * s->speed_scale;
    bool approaches = speed < -none || (speed <= none && stroke_normal_rate(s) < 0.0);
    if (!s->restitution && !approaches) {
        end_compression(s);
    } else if (s->restitution && approaches) {
        s->restitution = false;
    }
}

/* After a step, before the next state is looked for: with nothing to give back that one must not lock joints any more. */
static void end_compression_at_once(stroke *s)
{
    bool apart = stroke_normal_speed(s) >= -stroke_still_normal * s->speed_scale && stroke_normal_rate(s) > 0.0;
    if (!s->restitution && !s->finished && apart) {
        end_compression(s);
    }
}

/* ---- steps ---- */

/* One step in which directions turn, integrated. */
static void step_turning(stroke *s)
{
    bool was_going_on = s->going_on;
    double work = stroke_turn(s); /* sets going_on for the next */
    bool will_go_on = s->going_on;
    s->going_on = was_going_on;
    double dP = s->w->impulse[s->contact];
    s->out->work_friction += stroke_apply_impulse(s) - work;
    stroke_store(s, dP, work);
    stroke_record(s);
    s->going_on = will_go_on;
}

/* No event comes: nothing that friction does ends the approach, and everything locks; when all is locked, or in
 * restitution, nothing is left to happen. */
static void give_up_slip(stroke *s)
{
    s->finished = s->restitution || stroke_all_held(s) || stroke_normal_speed(s) >= -s->still;
    if (!s->finished) {
        stroke_lock_all(s);
    }
}

/* A step to the next event. */
static void advance(stroke *s)
{
    memcpy(s->w->state, s->a.state, (size_t)s->p->element_count * sizeof(friction_state));
    if (stroke_turns(s, &s->a)) {
        step_turning(s);
    } else {
        double dP = stroke_next_event(s);
        if (!isfinite(dP)) {
            give_up_slip(s);
            return;
        }
        stroke_step(s, dP);
    }
    stroke_stop_vanished(s);
    end_compression_at_once(s);
}

static void run(stroke *s)
{
    s->finished = stroke_is_prescribed(s) && !(s->def->impulse > 0.0);
    for (int k = 0; k < STEP_LIMIT && s->turn_steps < TURN_LIMIT && !s->finished && !carom_stop_asked(s->p->stop);
         ++k) {
        choose(s);
        find_phase(s);
        if (!s->finished) {
            advance(s);
        }
    }
}

/* Whether the impact must not be left like this: it does not end, or it has made energy of nothing (beyond rounding, and
 * but for Newton's law and prescribed impulses, which may do so). */
static bool must_be_repeated(const stroke *s)
{
    double work = s->out->work_normal + s->out->work_friction;
    /* Not the work done alone: with e = 1 that of restitution takes back all that of compression. */
    double size = fabs(s->out->work_normal) + fabs(s->out->work_friction) + s->P * s->speed_scale;
    bool lossy = s->def->law != STRIKE_NEWTON && !stroke_is_prescribed(s);
    return !s->finished || !isfinite(work) || (lossy && work > made_energy * size) ||
           s->out->work_friction > made_energy * size;
}

strike_outcome strike_one(strike_work *w, const reduced_problem *p, int contact, const strike_contact *def, double *u,
                          strike_result *out)
{
    reduced_problem bare = *p;
    bare.rate = NULL;
    bare.load = NULL;
    memcpy(w->start, u, (size_t)p->row_count * sizeof(double));
    stroke s = begin(w, &bare, contact, def, u, out);
    if (!isfinite(s.speed_scale)) {
        return STRIKE_INCONSISTENT;
    }
    run(&s);
    if (must_be_repeated(&s)) {
        memcpy(u, w->start, (size_t)p->row_count * sizeof(double));
        s = begin(w, &bare, contact, def, u, out);
        out->held = true;
        stroke_lock_all(&s);
        run(&s);
    }
    return s.finished ? STRIKE_OK : STRIKE_ENDLESS;
}
