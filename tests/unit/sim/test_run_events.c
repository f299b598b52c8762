/* What a method announces inside its steps gets into the result: sorted, counted, up to a limit, also after a resume. */
#include "support/check.h"
#include "support/scene_file.h"

#include <stdlib.h>
#include <unistd.h>

#include <carom/carom.h>

#include "dynamics/integrator.h"
#include "dynamics/work.h"
#include "model/method.h"
#include "result/result.h"

static const char scene[] = "run_events.json";

enum { STEPS = 12, MANY = 100003 };

/* ---- methods that announce --------------------------------------------------------------------------------------- */

static carom_status start(carom_step_context *c)
{
    return dynamics_start(c->scratch, c->state, c->err);
}

static carom_status announce(carom_step_context *c, double t, carom_event_kind kind, int body, double speed)
{
    bool first = kind == CAROM_EVENT_IMPACT && speed == 1.0;
    carom_event event = { .t = t,
                          .kind = kind,
                          .body = { body, 2 },
                          .speed = speed,
                          .joint = CAROM_NONE,
                          .mode = first ? CAROM_MODE_TIP_TIP : CAROM_MODE_POINT_LINE };
    return event_list_push(&c->scratch->events, event)
               ? CAROM_OK
               : carom_fail(c->err, CAROM_NO_MEMORY, "no memory for an event");
}

/* In each step, not in the order of time: a change of topology; before it, at one instant, two impacts that differ in
 * nothing but their order, and a slip to which they lead. */
static carom_status step_with_few(carom_step_context *c, double dt, carom_step_report *report)
{
    double t = *c->state->time;
    carom_status status = dynamics_step(c->scratch, c->state, dt, report, c->err);
    status = status == CAROM_OK ? announce(c, t + 8e-4, CAROM_EVENT_TOPOLOGY, 0, 4.0) : status;
    status = status == CAROM_OK ? announce(c, t + 2e-4, CAROM_EVENT_IMPACT, 1, 1.0) : status;
    status = status == CAROM_OK ? announce(c, t + 2e-4, CAROM_EVENT_IMPACT, 1, 2.0) : status;
    return status == CAROM_OK ? announce(c, t + 2e-4, CAROM_EVENT_SLIP, 0, 3.0) : status;
}

static carom_status step_with_many(carom_step_context *c, double dt, carom_step_report *report)
{
    double t = *c->state->time;
    carom_status status = dynamics_step(c->scratch, c->state, dt, report, c->err);
    for (int i = 0; i < MANY && status == CAROM_OK; ++i) {
        status = announce(c, t + 9e-9 * i, CAROM_EVENT_IMPACT, 1, 1e5 * *c->state->step_count + i);
    }
    return status;
}

static const carom_method few = { .kind = { .name = "few" }, .start = start, .step = step_with_few };
static const carom_method many = { .kind = { .name = "many" }, .start = start, .step = step_with_many };

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct trial {
    carom_model *model;
    char folder[64];
    carom_run_report report;
} trial;

static trial begin(const carom_method *method)
{
    trial r = { .folder = "/tmp/carom-test-XXXXXX" };
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_scene_parse(scene_text(scene), strlen(scene_text(scene)), "scene", ".", NULL, 0, &spec, &err),
             err);
    CHECK_OK(carom_compile(spec, &r.model, &err), err);
    carom_spec_destroy(spec);
    r.model->method = method;
    CHECK(mkdtemp(r.folder) != NULL);
    return r;
}

static void end(trial *r)
{
    carom_model_destroy(r->model);
    static const char *const names[] = { "result.h5", "summary.json", "checkpoint.bin" };
    for (int i = 0; i < 3; ++i) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", r->folder, names[i]);
        remove(path);
    }
    CHECK_EQ(rmdir(r->folder), 0);
}

static bool stop_in_the_middle(void *context, const carom_progress *progress)
{
    (void)context;
    return progress->t < 0.0055;
}

static carom_status go(trial *r, bool resume, bool (*keep_going)(void *, const carom_progress *), carom_error *err)
{
    carom_run_options options = { .folder = r->folder, .keep_going = keep_going, .report = &r->report };
    return resume ? carom_resume_folder(r->model, &options, err) : carom_run_folder(r->model, &options, err);
}

static carom_result *result_of(const trial *r)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    CHECK_OK(carom_result_open(r->folder, &result, &err), err);
    return result;
}

static double number_of(const carom_result *result, const char *path)
{
    double value = 0.0;
    CHECK(carom_result_number(result, path, &value));
    return value;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void check_few(const trial *r)
{
    carom_result *result = result_of(r);
    const carom_event *events = carom_result_events(result);
    CHECK_EQ(carom_result_event_count(result), 4 * STEPS);
    for (int i = 0; i < 4 * STEPS; ++i) { /* speeds say which is which: by time, then as they came */
        CHECK_NEAR(events[i].speed, 1.0 + i % 4, 0.0);
        CHECK_NEAR(events[i].t, 1e-3 * (i / 4) + (i % 4 == 3 ? 8e-4 : 2e-4), 1e-12);
    }
    CHECK_EQ(events[0].body[0], 1);
    CHECK_EQ(events[2].body[0], CAROM_GROUND);
    CHECK_EQ(events[2].body[1], 2);
    CHECK_NEAR(number_of(result, "impacts"), 2.0 * STEPS, 0.0);
    CHECK_NEAR(number_of(result, "impact_modes.tip-tip"), STEPS, 0.0);
    CHECK_NEAR(number_of(result, "impact_modes.point-line"), STEPS, 0.0); /* not those of other kinds */
    CHECK(!carom_result_number(result, "impact_modes.stop", &(double){ 0.0 }));
    CHECK_NEAR(number_of(result, "events.topology"), STEPS, 0.0);
    CHECK_NEAR(number_of(result, "events.contact on"), 0.0, 0.0);
    carom_result_close(result);
}

TEST(run_events, come_sorted_from_steps)
{
    carom_error err = { 0 };
    trial r = begin(&few);
    CHECK_OK(go(&r, false, NULL, &err), err);
    CHECK_EQ(r.report.events, 4 * STEPS);
    check_few(&r);
    end(&r);
}

TEST(run_events, go_on_after_a_stop)
{
    carom_error err = { 0 };
    trial r = begin(&few);
    CHECK_EQ(go(&r, false, stop_in_the_middle, &err), CAROM_INTERRUPTED);
    CHECK_EQ(r.report.events, 4 * 6);
    CHECK_OK(go(&r, true, NULL, &err), err);
    CHECK_EQ(r.report.events, 4 * STEPS);
    check_few(&r);
    end(&r);
}

/* Beyond the limit they are counted, not recorded, also when the run was stopped before. */
TEST(run_events, have_a_limit)
{
    carom_error err = { 0 };
    trial r = begin(&many);
    CHECK(STEPS * MANY > RESULT_EVENTS_MOST);
    CHECK_EQ(go(&r, false, stop_in_the_middle, &err), CAROM_INTERRUPTED);
    CHECK_OK(go(&r, true, NULL, &err), err);
    CHECK_EQ(r.report.events, (long)STEPS * MANY);
    carom_result *result = result_of(&r);
    const carom_event *events = carom_result_events(result);
    CHECK_EQ(carom_result_event_count(result), RESULT_EVENTS_MOST);
    for (int i = 0; i < RESULT_EVENTS_MOST; ++i) {
        CHECK_NEAR(events[i].speed, 1e5 * (1 + i / MANY) + i % MANY, 0.0);
    }
    CHECK_NEAR(number_of(result, "impacts"), (double)STEPS * MANY, 0.0);
    carom_result_close(result);
    end(&r);
}

/* Who steps without a run finds the events of the last step, and no others. */
TEST(run_events, of_a_step_stay_until_the_next)
{
    carom_error err = { 0 };
    trial r = begin(&few);
    carom_scratch *scratch = NULL;
    carom_state *state = carom_state_create(r.model);
    CHECK_OK(carom_scratch_create(r.model, 1, &scratch, &err), err);
    for (int i = 0; i < 5; ++i) {
        CHECK_OK(carom_step(r.model, state, scratch, 1.0, NULL, &err), err);
        CHECK_EQ(scratch->events.count, 4);
    }
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(run_events, come_sorted_from_steps),
        RUN_TEST(run_events, go_on_after_a_stop),
        RUN_TEST(run_events, have_a_limit),
        RUN_TEST(run_events, of_a_step_stay_until_the_next),
    };
    return cmocka_run_group_tests_name("run_events", tests, NULL, NULL);
}
