/* Running a scene from a test: model, state and scratch in one hand, and tables that show computed | reference. */
#ifndef CAROM_TESTS_SIM_H
#define CAROM_TESTS_SIM_H

#include <stdlib.h>
#include <time.h>

#include <carom/carom.h>

#include "support/check.h"

typedef struct sim {
    carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
    long steps;
    long evaluations;
    long rejected;
    double cpu; /* [s] spent in steps */
} sim;

static inline double sim_cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Compiles and assembles; the spec is consumed. */
static inline sim sim_start(carom_spec *spec, int threads)
{
    sim s = { 0 };
    carom_error err = { 0 };
    CHECK_OK(carom_compile(spec, &s.model, &err), err);
    carom_spec_destroy(spec);
    s.state = carom_state_create(s.model);
    CHECK(s.state != NULL);
    CHECK_OK(carom_scratch_create(s.model, threads, &s.scratch, &err), err);
    CHECK_OK(carom_assemble(s.model, s.state, s.scratch, NULL, &err), err);
    return s;
}

/* A scene of examples/scenes; overrides as for --set, ended by NULL, or NULL. */
static inline sim sim_load(const char *name, const char *const *overrides)
{
    char path[1024];
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    const char *root = getenv("CAROM_SOURCE_DIR");
    size_t count = 0;
    while (overrides && overrides[count]) {
        ++count;
    }
    snprintf(path, sizeof path, "%s/examples/scenes/%s", root ? root : ".", name);
    CHECK_OK(carom_scene_load(path, overrides, count, &spec, &err), err);
    return sim_start(spec, 1);
}

static inline sim sim_parse(const char *text, const char *const *overrides)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    size_t count = 0;
    while (overrides && overrides[count]) {
        ++count;
    }
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", overrides, count, &spec, &err), err);
    return sim_start(spec, 1);
}

static inline void sim_end(sim *s)
{
    carom_scratch_destroy(s->scratch);
    carom_state_destroy(s->state);
    carom_model_destroy(s->model);
    *s = (sim){ 0 };
}

static inline double sim_time(const sim *s)
{
    return carom_state_time(s->state);
}

/* One step that does not pass t. */
static inline void sim_step(sim *s, double t)
{
    carom_error err = { 0 };
    carom_step_report report = { 0 };
    double start = sim_cpu_clock();
    carom_status status = carom_step(s->model, s->state, s->scratch, t - sim_time(s), &report, &err);
    s->cpu += sim_cpu_clock() - start;
    CHECK_OK(status, err);
    s->steps++;
    s->evaluations += report.evaluations;
    s->rejected += report.rejected;
}

static inline bool sim_before(const sim *s, double t)
{
    return sim_time(s) < t * (1.0 - 1e-14);
}

static inline void sim_advance(sim *s, double t)
{
    while (sim_before(s, t)) {
        sim_step(s, t);
    }
}

static inline carom_id sim_body(const sim *s, const char *name)
{
    carom_id id = carom_model_find_body(s->model, name);
    CHECK(id != CAROM_NONE);
    return id;
}

static inline carom_v3 sim_position(const sim *s, const char *body)
{
    return carom_state_pose(s->model, s->state, sim_body(s, body)).position;
}

static inline double sim_signal(const sim *s, const char *name)
{
    double value = (double)NAN;
    carom_error err = { 0 };
    CHECK_OK(carom_observe_signal(s->model, s->state, s->scratch, name, &value, &err), err);
    return value;
}

static inline carom_ledger sim_ledger(const sim *s)
{
    carom_ledger ledger;
    carom_error err = { 0 };
    CHECK_OK(carom_observe_ledger(s->model, s->state, s->scratch, &ledger, &err), err);
    return ledger;
}

static inline double ledger_energy(const carom_ledger *l)
{
    return l->kinetic + l->potential + l->elastic;
}

static inline double sim_norm(carom_v3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static inline carom_v3 sim_difference(carom_v3 a, carom_v3 b)
{
    return (carom_v3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

/* ---- tables for the log ---- */

static inline void table_head(const char *title)
{
    printf("\n%s\n  %-22s %22s %22s %12s\n", title, "", "computed", "reference", "difference");
}

static inline double table_row(const char *label, double computed, double reference)
{
    printf("  %-22s %22.15g %22.15g %12.2e\n", label, computed, reference, computed - reference);
    return fabs(computed - reference);
}

/* A bound that is met or not: the worst value found beside its pass mark. */
static inline void table_mark(const char *label, double worst, double mark)
{
    printf("  %-45s %12.3e   pass mark %9.1e   %s\n", label, worst, mark, worst <= mark ? "met" : "MISSED");
}

static inline void table_cost(const sim *s, double to_beat)
{
    printf("  %ld steps, %ld rejected, %ld evaluations, %.3f s of processor time", s->steps, s->rejected,
           s->evaluations, s->cpu);
    if (to_beat > 0.0) {
        printf(" (to beat: %g s)", to_beat);
    }
    printf("\n");
    fflush(stdout);
}

#endif
