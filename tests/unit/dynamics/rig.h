/* A scene from text, compiled and ready to step: what the tests of this folder work with. */
#ifndef CAROM_TESTS_DYNAMICS_RIG_H
#define CAROM_TESTS_DYNAMICS_RIG_H

#include <stdlib.h>

#include <carom/carom.h>

#include "dynamics/integrator.h"
#include "support/check.h"

static const double PI = 3.14159265358979323846;

typedef struct rig {
    carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
    carom_error err;
} rig;

/* Time settings laid over a scene. Zeroes: the scene's. */
typedef struct rig_time {
    const char *integrator; /* JSON: "runge-kutta" or {"cvode": {...}} */
    double step;
    double tolerance;
} rig_time;

static inline carom_status rig_compile(rig *r, const char *scene, rig_time time)
{
    char text[3][160];
    const char *overrides[3] = { NULL };
    size_t count = 0;
    if (time.integrator) {
        snprintf(text[count], sizeof text[count], "time.integrator=%s", time.integrator);
        count++;
    }
    if (time.step > 0.0) {
        snprintf(text[count], sizeof text[count], "time.step=%.17g", time.step);
        count++;
    }
    if (time.tolerance > 0.0) {
        snprintf(text[count], sizeof text[count], "time.tolerance=%.17g", time.tolerance);
        count++;
    }
    for (size_t i = 0; i < count; ++i) {
        overrides[i] = text[i];
    }
    *r = (rig){ 0 };
    carom_spec *spec = NULL;
    carom_status status = carom_scene_parse(scene, strlen(scene), "test", ".", overrides, count, &spec, &r->err);
    if (status == CAROM_OK) {
        status = carom_compile(spec, &r->model, &r->err);
    }
    carom_spec_destroy(spec);
    return status;
}

static inline void rig_close(rig *r)
{
    carom_scratch_destroy(r->scratch);
    carom_state_destroy(r->state);
    carom_model_destroy(r->model);
    *r = (rig){ 0 };
}

/* A scene that must not compile; the error says so in these words. */
static inline void rig_refused(const char *scene, const char *words)
{
    rig r;
    carom_status status = rig_compile(&r, scene, (rig_time){ 0 });
    CHECK_EQ(status, CAROM_BAD_INPUT);
    CHECK_CONTAINS(r.err.message, words);
    rig_close(&r);
}

/* Compiles and allocates; assembly is left to the caller. */
static inline rig rig_open(const char *scene, rig_time time)
{
    rig r;
    carom_status status = rig_compile(&r, scene, time);
    CHECK_OK(status, r.err);
    r.state = carom_state_create(r.model);
    CHECK(r.state != NULL);
    status = carom_scratch_create(r.model, 1, &r.scratch, &r.err);
    CHECK_OK(status, r.err);
    return r;
}

static inline rig rig_start(const char *scene, rig_time time)
{
    rig r = rig_open(scene, time);
    carom_status status = carom_assemble(r.model, r.state, r.scratch, NULL, &r.err);
    CHECK_OK(status, r.err);
    return r;
}

static inline void rig_step(rig *r, double dt)
{
    carom_status status = carom_step(r->model, r->state, r->scratch, dt, NULL, &r->err);
    CHECK_OK(status, r->err);
}

/* Steps until t, exactly. */
static inline void rig_run(rig *r, double t)
{
    while (t - carom_state_time(r->state) > 1e-13 * t) {
        rig_step(r, t - carom_state_time(r->state));
    }
}

static inline double rig_signal(rig *r, const char *name)
{
    double value = (double)NAN;
    carom_status status = carom_observe_signal(r->model, r->state, r->scratch, name, &value, &r->err);
    CHECK_OK(status, r->err);
    return value;
}

static inline carom_ledger rig_ledger(rig *r)
{
    carom_ledger ledger;
    carom_status status = carom_observe_ledger(r->model, r->state, r->scratch, &ledger, &r->err);
    CHECK_OK(status, r->err);
    return ledger;
}

/* Start, run to t, read one signal. */
static inline double rig_value_at(const char *scene, rig_time time, double t, const char *signal)
{
    rig r = rig_start(scene, time);
    rig_run(&r, t);
    double value = rig_signal(&r, signal);
    rig_close(&r);
    return value;
}

#endif
