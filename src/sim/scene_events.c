/* Events of the scene along a step: what changes first, until nothing does. */
#include "sim/scene_events.h"

#include <float.h>
#include <math.h>

#include "dynamics/dense.h"
#include "dynamics/observe.h"

enum { PIECES = 16 }; /* of a step: a condition that comes and goes within one of them is not seen */

static const double SAME_INSTANT = 1e-9; /* of a step: nearer to its end is at its end */

typedef enum change_kind { NOTHING, BEGINS, BREAKS, HAPPENS } change_kind;

typedef struct change {
    change_kind kind;
    int event;
    double t; /* [s] */
} change;

/* What is looked at. */
typedef struct lookout {
    carom_step_context *c;
    const carom_model *model;
    carom_state *state; /* where the step has ended */
    carom_scratch *eyes;
    const dense_step *inside; /* NULL: nothing is known but the ends */
    double from;              /* [s] all before has been seen */
    bool *now;                /* event_count: whether conditions hold at the point looked at */
    double *changed;          /* [s] event_count: when conditions changed last in this step; -HUGE_VAL: not in it */
} lookout;

static carom_status no_memory(carom_step_context *c)
{
    return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for events of the scene");
}

/* The eyes are a scratch of their own: the step's is left as the step has left it. */
static carom_status open_eyes(carom_step_context *c)
{
    carom_scratch *w = c->scratch;
    w->before = w->before ? w->before : carom_state_create(c->model);
    if (!w->before) {
        return no_memory(c);
    }
    return w->eyes ? CAROM_OK : carom_scratch_create(c->model, 1, &w->eyes, c->err);
}

static bool holds(const lookout *l, int event, const carom_ledger *ledger)
{
    double value = observe_expression(l->eyes, ledger, l->model->events[event].value);
    return value != 0.0 && !isnan(value);
}

/* Conditions of the motion at t, inside the step or at its end. */
static bool holds_at(const lookout *l, int event, double t)
{
    observe_motion(l->eyes, l->state, t, l->inside);
    return holds(l, event, NULL);
}

static void look_inside(const lookout *l, double t)
{
    observe_motion(l->eyes, l->state, t, l->inside);
    for (int e = 0; e < l->model->event_count; ++e) {
        bool as_before = l->model->events[e].needs_force;
        l->now[e] = as_before ? l->state->events[e].holds == 1.0 : holds(l, e, NULL);
    }
}

static carom_status look_at_state(const lookout *l)
{
    carom_ledger ledger;
    carom_status status = observe_all(l->eyes, l->state, &ledger, l->c->err);
    for (int e = 0; status == CAROM_OK && e < l->model->event_count; ++e) {
        l->now[e] = holds(l, e, &ledger);
    }
    return status;
}

static bool any_needs_force(const carom_model *model)
{
    bool any = false;
    for (int e = 0; e < model->event_count; ++e) {
        any = any || model->events[e].needs_force;
    }
    return any;
}

static carom_status look(const lookout *l, double t)
{
    if (t == *l->state->time && any_needs_force(l->model)) {
        return look_at_state(l);
    }
    look_inside(l, t);
    return CAROM_OK;
}

/* The instant in (a, b] from which on the condition is as it is at b, to rounding. */
static double locate(const lookout *l, int event, double a, double b)
{
    bool at_b = l->now[event];
    double width = fmax(4.0 * DBL_EPSILON * fmax(fabs(a), fabs(b)), 1e-13 * (b - a));
    bool known = l->inside && !l->model->events[event].needs_force;
    while (known && b - a > width) {
        double middle = 0.5 * (a + b);
        *(holds_at(l, event, middle) == at_b ? &b : &a) = middle;
    }
    return b;
}

static double same_instant(const lookout *l)
{
    return l->inside ? SAME_INSTANT * (*l->state->time - l->inside->begin.t) : 0.0;
}

/* Around the instant where it changes a condition goes to and fro by rounding: it changes once. */
static bool changes(const lookout *l, int event, double b)
{
    return l->now[event] != (l->state->events[event].holds == 1.0) && b - l->changed[event] > same_instant(l);
}

/* What one event does first in a piece of the step, at whose end conditions are known. */
static change first_of_event(const lookout *l, int event, double a, double b)
{
    const event_memory *m = &l->state->events[event];
    change out = { NOTHING, event, HUGE_VAL };
    if (changes(l, event, b)) {
        out.t = locate(l, event, a, b);
        out.kind = l->now[event] ? BEGINS : BREAKS;
    }
    if (m->due <= b && m->due <= out.t) {
        out = (change){ HAPPENS, event, fmax(m->due, l->from) };
    }
    return out;
}

static change first_of_piece(const lookout *l, double a, double b)
{
    change first = { NOTHING, -1, HUGE_VAL };
    for (int e = 0; e < l->model->event_count; ++e) {
        change one = first_of_event(l, e, a, b);
        first = one.kind != NOTHING && one.t < first.t ? one : first;
    }
    return first;
}

/* What changes first after l->from. */
static carom_status first_change(const lookout *l, change *out)
{
    double end = *l->state->time;
    int pieces = l->inside && end > l->from ? PIECES : 1;
    double a = l->from;
    carom_status status = CAROM_OK;
    *out = (change){ NOTHING, -1, HUGE_VAL };
    for (int k = 1; k <= pieces && status == CAROM_OK && out->kind == NOTHING; ++k) {
        double b = k == pieces ? end : l->from + (end - l->from) * k / pieces;
        status = look(l, b);
        *out = status == CAROM_OK ? first_of_piece(l, a, b) : *out;
        a = b;
    }
    return status;
}

/* ---- what follows ------------------------------------------------------------------------------------------------- */

static carom_status happens(const lookout *l, int event, double t)
{
    const model_event *e = &l->model->events[event];
    carom_scratch *w = l->c->scratch;
    l->state->events[event].count += 1.0;
    l->state->events[event].due = HUGE_VAL;
    w->stopped_by = e->action == EVENT_STOPS && w->stopped_by < 0 ? event : w->stopped_by;
    const carom_event told = { .t = t, .kind = CAROM_EVENT_SCENE, .joint = CAROM_NONE, .named = event };
    if (!event_list_push(&w->events, told)) {
        return no_memory(l->c);
    }
    return e->action == EVENT_SETS ? carom_state_set_input(l->model, l->state, e->input, e->to, l->c->err) : CAROM_OK;
}

static carom_status apply(lookout *l, change what)
{
    event_memory *m = &l->state->events[what.event];
    l->from = what.t;
    switch (what.kind) {
    case HAPPENS:
        return happens(l, what.event, what.t);
    case BEGINS:
        m->holds = 1.0;
        m->due = what.t + l->model->events[what.event].hold;
        break;
    default:
        m->holds = 0.0;
        m->due = HUGE_VAL;
        break;
    }
    l->changed[what.event] = what.t;
    return CAROM_OK;
}

/* Whether the step has to end there, and does not. */
static bool must_cut(const lookout *l, change what)
{
    bool acts = what.kind == HAPPENS && l->model->events[what.event].action != EVENT_MARKS;
    return acts && l->inside && *l->state->time - what.t > same_instant(l);
}

/* All changes of the step; stops at the first for which it must be cut, in *cut. */
static carom_status see_all(lookout *l, change *cut)
{
    change next;
    carom_status status = CAROM_OK;
    do {
        status = first_change(l, &next);
        if (status == CAROM_OK && must_cut(l, next)) {
            *cut = next;
            return CAROM_OK;
        }
        status = status == CAROM_OK && next.kind != NOTHING ? apply(l, next) : status;
    } while (status == CAROM_OK && next.kind != NOTHING);
    return status;
}

/* The step was cut for an event that a step of another length just misses: it happens where the step has ended. */
static carom_status let_happen(lookout *l, change cut, double count)
{
    double width = fmax(SAME_INSTANT * *l->state->last_step, 8.0 * DBL_EPSILON * fabs(cut.t));
    bool there = fabs(*l->state->time - cut.t) <= width;
    if (!there || l->state->events[cut.event].count > count) {
        return CAROM_OK;
    }
    l->state->events[cut.event].holds = 1.0;
    return happens(l, cut.event, *l->state->time);
}

/* ---- steps -------------------------------------------------------------------------------------------------------- */

static const dense_step *inside_of(carom_step_context *c, double begin)
{
    const dense_step *d = c->scratch->dense;
    bool known = d && d->smooth && !c->model->method->minimises && d->end.t == *c->state->time && d->begin.t <= begin;
    return known ? d : NULL;
}

static carom_status take_back(carom_step_context *c, size_t events, size_t findings)
{
    c->scratch->events.count = events;
    c->scratch->findings.count = findings;
    c->scratch->stopped_by = CAROM_NONE;
    return carom_state_copy(c->state, c->scratch->before) == CAROM_OK ? CAROM_OK : no_memory(c);
}

/* A lookout on a step that has nothing behind it yet; false: no memory. */
static bool look_out(lookout *l, carom_step_context *c, double begin, carom_arena *arena)
{
    int count = c->model->event_count;
    *l = (lookout){ .c = c,
                    .model = c->model,
                    .state = c->state,
                    .eyes = c->scratch->eyes,
                    .from = begin,
                    .now = CAROM_ARENA_ARRAY(arena, bool, count),
                    .changed = CAROM_ARENA_ARRAY(arena, double, count) };
    for (int e = 0; l->changed && e < count; ++e) {
        l->changed[e] = -HUGE_VAL;
    }
    return l->now && l->changed;
}

static carom_status see_step(carom_step_context *c, double begin, change *cut)
{
    lookout l;
    carom_arena arena = { 0 };
    carom_status status = look_out(&l, c, begin, &arena) ? CAROM_OK : no_memory(c);
    l.inside = inside_of(c, begin);
    const change asked = *cut;
    double count = asked.kind == NOTHING ? 0.0 : c->state->events[asked.event].count;
    *cut = (change){ NOTHING, -1, HUGE_VAL };
    status = status == CAROM_OK ? see_all(&l, cut) : status;
    if (status == CAROM_OK && cut->kind == NOTHING && asked.kind != NOTHING) {
        status = let_happen(&l, asked, count);
    }
    carom_arena_free(&arena);
    return status;
}

/* Events that set inputs by turns, each the cause of the next, while no time passes: a relay without a band between on and off. */
static carom_status check_progress(carom_step_context *c, double begin, double dt, int event)
{
    enum { MOST_STALLED = 100 };
    carom_scratch *w = c->scratch;
    bool stalls = event >= 0 && *c->state->time - begin <= SAME_INSTANT * dt;
    w->event_stalls = stalls ? w->event_stalls + 1 : 0;
    if (w->event_stalls <= MOST_STALLED) {
        return CAROM_OK;
    }
    w->event_stalls = 0;
    return carom_fail(
        c->err, CAROM_NOT_CONVERGED,
        "no progress: events set inputs %d times in a row at t = %.9g s, '%.80s' among them; leave a band "
        "between the conditions of those that undo each other, or give them a 'hold'",
        MOST_STALLED, *c->state->time, c->model->events[event].name);
}

static carom_status look_on(carom_step_context *c, scene_step *step, double dt, carom_step_report *report)
{
    size_t events = c->scratch->events.count;
    size_t findings = c->scratch->findings.count;
    double begin = *c->state->time;
    change cut = { NOTHING, -1, HUGE_VAL };
    int cutter = CAROM_NONE;
    carom_step_report tried = { 0 };
    carom_status status = carom_state_copy(c->scratch->before, c->state) == CAROM_OK ? CAROM_OK : no_memory(c);
    do {
        double until = cut.kind == NOTHING ? dt : cut.t - begin;
        status = status == CAROM_OK && cut.kind != NOTHING ? take_back(c, events, findings) : status;
        *report = (carom_step_report){ 0 };
        status = status == CAROM_OK ? step(c, until, report) : status;
        tried.evaluations += report->evaluations;
        tried.rejected += report->rejected;
        status = status == CAROM_OK ? see_step(c, begin, &cut) : status;
        cutter = cut.kind != NOTHING ? cut.event : cutter;
    } while (status == CAROM_OK && cut.kind != NOTHING);
    report->evaluations = tried.evaluations;
    report->rejected = tried.rejected;
    status = status == CAROM_OK ? check_progress(c, begin, dt, cutter) : status;
    if (status != CAROM_OK) {
        take_back(c, events, findings); /* which had its room there */
    }
    return status;
}

carom_status scene_events_step(carom_step_context *c, scene_step *step, double dt, carom_step_report *report)
{
    carom_status status = open_eyes(c);
    return status == CAROM_OK ? look_on(c, step, dt, report) : status;
}

carom_status scene_events_begin(carom_step_context *c)
{
    if (c->model->event_count == 0 || !isnan(c->state->events[0].holds)) {
        return CAROM_OK;
    }
    lookout l;
    carom_arena arena = { 0 };
    carom_status status = open_eyes(c);
    bool room = look_out(&l, c, *c->state->time, &arena);
    status = status == CAROM_OK && !room ? no_memory(c) : status;
    for (int e = 0; e < c->model->event_count; ++e) {
        c->state->events[e].holds = 0.0;
    }
    change none = { NOTHING, -1, HUGE_VAL };
    status = status == CAROM_OK ? see_all(&l, &none) : status;
    carom_arena_free(&arena);
    return status;
}
