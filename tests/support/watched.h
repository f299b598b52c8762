/* A run of the method "barrier" whose every frame is tested for intersections. */
#ifndef CAROM_TESTS_WATCHED_H
#define CAROM_TESTS_WATCHED_H

#include <stdarg.h>
#include <stdio.h>

#include "dynamics/work.h"
#include "sim/verify.h"
#include "support/sim.h"

enum { WATCHED_TEXT = 4096, WATCHED_BODIES = 16 };

typedef struct watched {
    sim s;
    verifier *v;
    long cut_short;
} watched;

static inline void look(watched *w)
{
    carom_error err = { 0 };
    carom_pose pose[WATCHED_BODIES];
    CHECK(w->s.model->body_count <= WATCHED_BODIES);
    for (int i = 0; i < w->s.model->body_count; ++i) {
        pose[i] = carom_state_pose(w->s.model, w->s.state, i);
    }
    CHECK_OK(verifier_frame(w->v, sim_time(&w->s), pose, &err), err);
}

/* A scene's text, printf style. */
__attribute__((format(printf, 1, 2))) static inline watched begin(const char *format, ...)
{
    static char text[WATCHED_TEXT];
    carom_error err = { 0 };
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(n > 0 && n < WATCHED_TEXT);
    watched w = { .s = sim_parse(text, NULL) };
    CHECK_OK(verifier_create(&w.v, w.s.model, &err), err);
    look(&w);
    return w;
}

/* One step of the scene's own size. */
static inline void step(watched *w)
{
    sim_step(&w->s, 1e9);
    for (size_t k = 0; k < w->s.scratch->findings.count; ++k) {
        w->cut_short += w->s.scratch->findings.items[k].kind == CAROM_FINDING_SOLVE_CUT_SHORT;
    }
    look(w);
}

/* To the first end of a step at t or after. */
static inline void advance(watched *w, double t)
{
    while (sim_before(&w->s, t)) {
        step(w);
    }
}

static inline void end(watched *w)
{
    if (verifier_found(w->v)->intersections > 0) {
        print_error("%s\n", verifier_found(w->v)->first);
    }
    CHECK_EQ(verifier_found(w->v)->intersections, 0);
    CHECK_EQ(w->cut_short, 0);
    verifier_destroy(w->v);
    sim_end(&w->s);
}

#endif
