/* A whole run under "impact": impacts, what one costs, and where the time goes. The linker leads calls of the method's parts
 * through clocks (--wrap), so that nothing in the library has to count:
 *   integrate  steps of the integrator, forces of lasting contacts included
 *   repeat     the same up to an event that was found in the step
 *   search     looking for events
 *   settle     impacts, and who stays in touch, sticks and slips
 *   drift      what a step has left of gaps and speeds in lasting contacts and joints with friction
 *   record     everything else: frames, events, results
 * Processor time of the one thread that works. usage: impact_scene LABEL SCENE DURATION [PATH=VALUE...] */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "dynamics/integrator.h"
#include "measure.h"
#include "methods/impact/settle.h"

typedef enum part { INTEGRATE, REPEAT, SEARCH, SETTLE, DRIFT, PART_COUNT } part;

static struct {
    double seconds[PART_COUNT];
    long calls[PART_COUNT];
    bool found; /* an event in the step that is being made */
} spent;

static carom_status add(part p, double start, carom_status status)
{
    spent.seconds[p] += cpu_seconds() - start;
    spent.calls[p]++;
    return status;
}

/* Declared as what they stand for, so that the compiler sees to it that they take the same. */
__typeof__(dynamics_step) __real_dynamics_step, __wrap_dynamics_step;
__typeof__(search_first) __real_search_first, __wrap_search_first;
__typeof__(settle) __real_settle, __wrap_settle;
__typeof__(settle_drift) __real_settle_drift, __wrap_settle_drift;
__typeof__(carom_step) __real_carom_step, __wrap_carom_step;

carom_status __wrap_dynamics_step(carom_scratch *w, carom_state *s, double dt, carom_step_report *r, carom_error *err)
{
    double start = cpu_seconds();
    return add(spent.found ? REPEAT : INTEGRATE, start, __real_dynamics_step(w, s, dt, r, err));
}

carom_status __wrap_search_first(impact_work *iw, carom_scratch *w, change *out, carom_error *err)
{
    double start = cpu_seconds();
    carom_status status = __real_search_first(iw, w, out, err);
    spent.found = spent.found || (status == CAROM_OK && out->kind != CHANGE_NONE);
    return add(SEARCH, start, status);
}

carom_status __wrap_settle(carom_step_context *c, impact_work *iw, double ahead)
{
    double start = cpu_seconds();
    spent.found = false;
    return add(SETTLE, start, __real_settle(c, iw, ahead));
}

carom_status __wrap_settle_drift(carom_step_context *c, impact_work *iw)
{
    double start = cpu_seconds();
    return add(DRIFT, start, __real_settle_drift(c, iw));
}

carom_status __wrap_carom_step(const carom_model *m, carom_state *s, carom_scratch *w, double dt,
                               carom_step_report *r, carom_error *err)
{
    spent.found = false;
    return __real_carom_step(m, s, w, dt, r, err);
}

/* 0 where there is nothing to divide by. */
static double ratio(double amount, double of)
{
    return of > 0.0 ? amount / of : 0.0;
}

static double impacts_of(const char *folder, carom_error *err)
{
    carom_result *result = NULL;
    double impacts = 0.0;
    stop_on(carom_result_open(folder, &result, err), err);
    if (!carom_result_number(result, "impacts", &impacts)) {
        impacts = 0.0;
    }
    carom_result_close(result);
    return impacts;
}

/* label, simulated s, impacts, events, steps, processor s, impacts per second, us per impact, us per event, us per step of
 * the integrator, six shares in %, worst energy balance [J] */
static void print(const char *label, const carom_run_report *report, double impacts, double total)
{
    double of_events = spent.seconds[REPEAT] + spent.seconds[SETTLE];
    double rest = total;
    printf("%s %g %.0f %ld %ld %.4f", label, report->t, impacts, report->events, report->steps, total);
    printf(" %.0f %.1f %.1f %.1f", impacts / total, ratio(1e6 * total, impacts),
           ratio(1e6 * of_events, (double)report->events),
           ratio(1e6 * spent.seconds[INTEGRATE], (double)spent.calls[INTEGRATE]));
    for (int p = 0; p < PART_COUNT; ++p) {
        rest -= spent.seconds[p];
        printf(" %.1f", 100.0 * spent.seconds[p] / total);
    }
    printf(" %.1f %.1e\n", 100.0 * rest / total, report->energy_error_max);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        stop("usage: impact_scene LABEL SCENE DURATION [PATH=VALUE...]");
    }
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    stop_on(carom_scene_load(argv[2], (const char *const *)argv + 4, (size_t)(argc - 4), &spec, &err), &err);
    stop_on(carom_compile(spec, &model, &err), &err);
    const char *folder = getenv("CAROM_BENCH_FOLDER");
    carom_run_report report = { 0 };
    carom_run_options options = {
        .folder = folder ? folder : "impact-bench", .duration = strtod(argv[3], NULL), .threads = 1, .report = &report
    };
    double start = cpu_seconds();
    stop_on(carom_run_folder(model, &options, &err), &err);
    double total = cpu_seconds() - start;
    print(argv[1], &report, impacts_of(options.folder, &err), total);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return 0;
}
