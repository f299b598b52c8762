/* Running a scene under the method "impact" and watching what must hold in every one: the energy ledger closes, no impact
 * makes energy, momentum changes only by what acts from outside, surfaces never enter each other, nothing is infinite.
 * All events of the run are kept. */
#ifndef CAROM_TESTS_IMPACT_RUN_H
#define CAROM_TESTS_IMPACT_RUN_H

#include "support/sim.h"

#include "dynamics/work.h"

enum { RUN_TEXT = 16384 };

typedef struct impact_run {
    sim s;
    carom_event *events;
    size_t count, capacity;
    double swing;    /* [J] largest kinetic energy so far: what energies are compared with */
    double residue;  /* [J] worst |residue| of the ledger */
    double growth;   /* [J] worst gain of energy in the impacts of one step, by the events' own account */
    double momentum; /* [kg m/s] worst change not explained from outside */
    double entry;    /* [m] deepest penetration where steps end */
    int fallbacks;   /* times a solver took the nearest answer, gave up or cut short */
} impact_run;

static inline impact_run run_watch(sim s)
{
    impact_run r = { .s = s };
    carom_ledger l = sim_ledger(&r.s);
    r.swing = l.kinetic;
    return r;
}

static inline void run_keep_events(impact_run *r)
{
    const event_list *list = &r->s.scratch->events;
    double gain = 0.0;
    for (size_t k = 0; k < list->count; ++k) {
        if (r->count == r->capacity) {
            r->capacity = 2 * r->capacity + 64;
            r->events = realloc(r->events, r->capacity * sizeof *r->events);
            CHECK(r->events != NULL);
        }
        r->events[r->count++] = list->items[k];
        gain -= list->items[k].kind == CAROM_EVENT_IMPACT ? list->items[k].energy_lost : 0.0;
    }
    r->growth = fmax(r->growth, gain);
}

/* A scene's text (printf style) at its start; what happens at that instant belongs to the first step. */
__attribute__((format(printf, 1, 2))) static inline impact_run run_start(const char *format, ...)
{
    char *text = malloc(RUN_TEXT);
    CHECK(text != NULL);
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, RUN_TEXT, format, arguments);
    va_end(arguments);
    CHECK_LE(n, RUN_TEXT - 1);
    impact_run r = run_watch(sim_parse(text, NULL));
    free(text);
    return r;
}

/* One step that does not pass t. */
static inline void run_step(impact_run *r, double t)
{
    carom_error err = { 0 };
    carom_step_report report = { 0 };
    sim *s = &r->s;
    CHECK_OK(carom_step(s->model, s->state, s->scratch, t - sim_time(s), &report, &err), err);
    s->steps++;
    run_keep_events(r);
    carom_ledger l = sim_ledger(s);
    r->swing = fmax(r->swing, l.kinetic);
    r->residue = fmax(r->residue, fabs(l.residue));
    r->momentum = fmax(r->momentum, sim_norm(l.momentum_residue));
    r->entry = fmax(r->entry, report.penetration);
    r->fallbacks += report.fallbacks;
    CHECK(isfinite(l.kinetic) && isfinite(l.potential) && isfinite(l.residue));
}

static inline void run_to(impact_run *r, double t)
{
    for (long k = 0; sim_before(&r->s, t); ++k) {
        CHECK(k < 2000000);
        run_step(r, t);
    }
}

static inline size_t run_count(const impact_run *r, carom_event_kind kind)
{
    size_t n = 0;
    for (size_t k = 0; k < r->count; ++k) {
        n += r->events[k].kind == kind;
    }
    return n;
}

/* The nth event of a kind, from 0; NULL: there are fewer. */
static inline const carom_event *run_event_of(const impact_run *r, carom_event_kind kind, size_t nth)
{
    for (size_t k = 0; k < r->count; ++k) {
        if (r->events[k].kind == kind && nth-- == 0) {
            return &r->events[k];
        }
    }
    return NULL;
}

static inline const carom_event *run_last_event_of(const impact_run *r, carom_event_kind kind)
{
    size_t n = run_count(r, kind);
    return n > 0 ? run_event_of(r, kind, n - 1) : NULL;
}

static inline carom_v3 run_velocity(const impact_run *r, const char *body)
{
    return carom_state_velocity(r->s.model, r->s.state, sim_body(&r->s, body));
}

static inline carom_v3 run_spin(const impact_run *r, const char *body)
{
    return carom_state_angular_velocity(r->s.model, r->s.state, sim_body(&r->s, body));
}

/* What must hold in every run: `accuracy` is the share of the largest kinetic energy that integration may lose sight of. */
static inline void run_check(const impact_run *r, double accuracy)
{
    printf("  %zu events, %ld steps; residue %.1e, gain at impacts %.1e (of %.3g J), momentum %.1e, penetration %.1e "
           "m\n",
           r->count, r->s.steps, r->residue, r->growth, r->swing, r->momentum, r->entry);
    fflush(stdout);
    CHECK_LE(r->residue, accuracy * r->swing + 1e-12); /* some kg, lifted by the gap at which surfaces touch */
    CHECK_LE(r->growth, 1e-12 * r->swing + 1e-18);
    CHECK_LE(r->entry, 1e-9);
}

static inline void run_end(impact_run *r)
{
    sim_end(&r->s);
    free(r->events);
    *r = (impact_run){ 0 };
}

#endif
