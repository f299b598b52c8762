/* Events of the scene against closed forms: where they lie, how long they must hold, what follows, and that marks change nothing. */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/sim.h"

#define G 9.81

/* A ball falls from `height` with the events given; an engine lifts it by the input "lift". */
static carom_model *falling(const char *events, const char *time, const char *more)
{
    char text[4096];
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_error err = { 0 };
    snprintf(
        text, sizeof text,
        "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {%s}, \"inputs\": {\"lift\": {\"unit\": \"kN\"}},"
        "  \"bodies\": [ {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 2, \"position\": [0, 0, 1]} ],"
        "  \"forces\": [ {\"name\": \"engine\", \"type\": \"load\", \"body\": \"ball\", \"force\": [0, 0, \"input.lift\"]} ],"
        "  \"events\": [%s] %s }",
        time, events, more);
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err), err);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_spec_destroy(spec);
    return model;
}

typedef struct told {
    int count;
    double t[16];
    int named[16];
} told;

static carom_status take(void *self, const carom_event *event, carom_error *err)
{
    told *all = self;
    (void)err;
    if (event->kind == CAROM_EVENT_SCENE && all->count < 16) {
        all->t[all->count] = event->t;
        all->named[all->count++] = event->named;
    }
    return CAROM_OK;
}

/* Runs to the end; the report. */
static carom_run_report run(const carom_model *model, told *all, carom_state *end)
{
    carom_run *run = NULL;
    carom_error err = { 0 };
    *all = (told){ 0 };
    const carom_sink sink = { .self = all, .event = take };
    const carom_run_def def = { .sink = &sink };
    CHECK_OK(carom_run_create(model, &def, &run, &err), err);
    CHECK_OK(carom_run_advance(run, HUGE_VAL, 0.0, &err), err);
    carom_run_report report = carom_run_report_of(run);
    if (end) {
        CHECK(carom_state_copy(end, carom_run_state(run)) == CAROM_OK);
    }
    carom_run_destroy(run);
    return report;
}

TEST(scene_events, stop_where_a_falling_ball_is)
{
    static const char *const times[] = {
        "\"end\": 2, \"integrator\": \"runge-kutta\"",
        "\"end\": 2, \"integrator\": \"runge-kutta\", \"step\": 0.4, \"tolerance\": 1e-3", "\"end\": 2",
        "\"end\": 2, \"step\": 0.013", "\"end\": 2, \"preset\": \"fast\""
    };
    for (size_t k = 0; k < sizeof times / sizeof *times; ++k) {
        for (double fall = 1e-6; fall < 15.0; fall *= 7.3) {
            char events[256];
            told all;
            snprintf(events, sizeof events,
                     "{\"name\": \"there\", \"when\": \"ball.position.z < %.17g\", \"do\": \"stop\"}", 1.0 - fall);
            carom_model *model = falling(events, times[k], "");
            carom_state *end = carom_state_create(model);
            carom_run_report report = run(model, &all, end);
            double t = sqrt(2.0 * fall / G);
            CHECK_EQ(all.count, 1);
            CHECK_NEAR(all.t[0], t, 1e-9);
            CHECK_NEAR(report.t, t, 1e-9);
            CHECK_NEAR(carom_state_pose(model, end, 1).position.z, 1.0 - fall, 1e-8);
            CHECK(strcmp(report.stopped_by, "there") == 0);
            carom_state_destroy(end);
            carom_model_destroy(model);
        }
    }
}

TEST(scene_events, hold_as_long_as_they_must)
{
    double in = sqrt(2.0 * 0.5 / G);  /* below 0.5 */
    double out = sqrt(2.0 * 0.9 / G); /* below 0.1 */
    for (int k = -3; k <= 3; ++k) {
        double hold = (out - in) * (1.0 + 1e-6 * k);
        char events[512];
        told all;
        snprintf(
            events, sizeof events,
            "{\"name\": \"between\", \"when\": \"ball.position.z < 0.5 && ball.position.z > 0.1\", \"hold\": %.17g}",
            hold);
        carom_model *model = falling(events, "\"end\": 1", "");
        carom_run_report report = run(model, &all, NULL);
        if (k != 0) {
            CHECK_EQ(all.count, k < 0);
        }
        if (k < 0) {
            CHECK_NEAR(all.t[0], in + hold, 1e-9);
        }
        CHECK(report.stopped_by[0] == '\0');
        CHECK_NEAR(report.t, 1.0, 0.0);
        carom_model_destroy(model);
    }
}

TEST(scene_events, set_inputs_and_lead_to_each_other)
{
    static const char events[] =
        "{\"name\": \"half\", \"when\": \"ball.position.z < 0.5\", \"do\": {\"set\": {\"input\": "
        "\"lift\", \"to\": 0.06}}},"
        "{\"name\": \"up\", \"when\": \"event.half && ball.velocity.z > 0\"},"
        "{\"name\": \"back\", \"when\": \"event.up && ball.position.z > 0.8\", \"hold\": 0.05, "
        "\"do\": \"stop\"}";
    static const char *const times[] = { "\"end\": 2", "\"end\": 2, \"integrator\": \"runge-kutta\"",
                                         "\"end\": 2, \"step\": 0.011" };
    double a = 30.0 - G;
    double half = sqrt(2.0 * 0.5 / G);
    double up = half + G * half / a;
    double lowest = 0.5 - 0.5 * G * half * (up - half);
    double back = up + sqrt(2.0 * (0.8 - lowest) / a) + 0.05;
    for (size_t k = 0; k < 3; ++k) {
        told all;
        carom_model *model = falling(events, times[k], "");
        carom_run_report report = run(model, &all, NULL);
        CHECK_EQ(all.count, 3);
        CHECK_NEAR(all.t[0], half, 1e-9);
        CHECK_NEAR(all.t[1], up, 1e-7);
        CHECK_NEAR(all.t[2], back, 1e-7);
        CHECK_EQ(all.named[0], 0);
        CHECK_EQ(all.named[1], 1);
        CHECK_EQ(all.named[2], 2);
        CHECK(strcmp(carom_model_event_name(model, 2), "back") == 0);
        CHECK_NEAR(report.t, back, 1e-7);
        carom_model_destroy(model);
    }
}

TEST(scene_events, happen_at_once_where_they_hold_from_the_start)
{
    told all;
    carom_model *model =
        falling("{\"name\": \"now\", \"when\": \"ball.position.z > 0.5\"},"
                "{\"name\": \"soon\", \"when\": \"ball.position.z > 0.5\", \"hold\": 0.1, \"do\": \"stop\"}",
                "\"end\": 1", "");
    carom_run_report report = run(model, &all, NULL);
    CHECK_EQ(all.count, 2);
    CHECK_NEAR(all.t[0], 0.0, 0.0);
    CHECK_NEAR(report.t, 0.1, 1e-12);
    carom_model_destroy(model);
    model = falling("{\"name\": \"now\", \"when\": \"t >= 0\", \"do\": \"stop\"}", "\"end\": 1", "");
    report = run(model, &all, NULL);
    CHECK_EQ(all.count, 1);
    CHECK_NEAR(report.t, 0.0, 0.0);
    CHECK_EQ(report.steps, 0);
    carom_model_destroy(model);
}

/* The sum of squares is 1 but for rounding, which is made large: the condition goes to and fro for some 1e-13 s. */
TEST(scene_events, happen_once_where_rounding_goes_to_and_fro)
{
    told all;
    for (double t = 0.1; t < 0.4; t += 0.0137) {
        char events[256];
        snprintf(
            events, sizeof events,
            "{\"name\": \"noisy\", \"when\": \"t + 1e3*(sin(7*t)^2 + cos(7*t)^2 - 1) > %.17g\", \"do\": \"stop\"}",
            t);
        carom_model *model = falling(events, "\"end\": 1", "");
        carom_run_report report = run(model, &all, NULL);
        CHECK_EQ(all.count, 1);
        CHECK_NEAR(report.t, t, 1e-12);
        carom_model_destroy(model);
    }
}

/* One event undoes what the other does at once: no time passes. */
TEST(scene_events, refuse_to_undo_each_other_without_end)
{
    carom_run *run = NULL;
    carom_error err = { 0 };
    const carom_run_def def = { 0 };
    carom_model *model = falling("{\"name\": \"on\", \"when\": \"ball.position.z < 0.9 && input.lift < 1\","
                                 " \"do\": {\"set\": {\"input\": \"lift\", \"to\": 2}}},"
                                 "{\"name\": \"off\", \"when\": \"input.lift > 1\","
                                 " \"do\": {\"set\": {\"input\": \"lift\", \"to\": 0}}}",
                                 "\"end\": 0.2", "");
    CHECK_OK(carom_run_create(model, &def, &run, &err), err);
    CHECK(carom_run_advance(run, HUGE_VAL, 0.0, &err) == CAROM_NOT_CONVERGED);
    CHECK_NEAR(carom_run_report_of(run).t, sqrt(2.0 * 0.1 / G), 1e-9);
    CHECK(strstr(err.message, "'hold'"));
    carom_run_destroy(run);
    carom_model_destroy(model);
}

/* A ball that bounces without loss, thrown up at 3 m/s from a floor it touches: each time it is above 0.3 m counts. */
TEST(scene_events, count_each_time_and_see_what_is_brief)
{
    static const char text[] =
        "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 3, \"integrator\": \"runge-kutta\"},"
        "  \"bodies\": [ {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 2, \"position\": [0, 0, 0.1], "
        "\"velocity\": [0, 0, 3]}, {\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"fixed\": true} ],"
        "  \"contact\": {\"method\": \"impact\", \"restitution\": 1},"
        "  \"events\": [ {\"name\": \"high\", \"when\": \"ball.position.z > 0.4\"},"
        "                {\"name\": \"very\", \"when\": \"ball.position.z > 0.558\"} ] }";
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_error err = { 0 };
    told all;
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err), err);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    run(model, &all, NULL);
    double period = 2.0 * 3.0 / G;
    double high = (3.0 - sqrt(9.0 - 2.0 * G * 0.3)) / G;
    double very = (3.0 - sqrt(9.0 - 2.0 * G * 0.458)) / G;
    CHECK_EQ(all.count, 10); /* five flights begin in 3 s, and in each of them it comes as high */
    for (int k = 0; k < 5; ++k) {
        CHECK_EQ(all.named[2 * k], 0);
        CHECK_NEAR(all.t[2 * k], high + k * period, 1e-6);
        CHECK_EQ(all.named[2 * k + 1], 1);
        CHECK_NEAR(all.t[2 * k + 1], very + k * period, 1e-6);
    }
    carom_model_destroy(model);
    carom_spec_destroy(spec);
}

/* What only marks leaves motion and steps as they were; a copy goes on with the same bits. */
TEST(scene_events, marks_change_nothing_and_copies_go_on)
{
    static const char mark[] = "{\"name\": \"half\", \"when\": \"ball.position.z < 0.5\", \"hold\": 0.01}";
    carom_model *with = falling(mark, "\"end\": 1", "");
    carom_model *without = falling("", "\"end\": 1", "");
    carom_state *a = carom_state_create(with);
    carom_state *b = carom_state_create(without);
    carom_state *copy = carom_state_create(with);
    told all;
    carom_run_report marked = run(with, &all, a);
    CHECK_EQ(all.count, 1);
    carom_run_report plain = run(without, &all, b);
    CHECK_EQ(marked.steps, plain.steps);
    carom_pose at = carom_state_pose(with, a, 1);
    carom_pose same = carom_state_pose(without, b, 1);
    CHECK(memcmp(&at, &same, sizeof at) == 0);

    carom_error err = { 0 };
    carom_scratch *one = NULL;
    carom_scratch *other = NULL;
    carom_state *s = carom_state_create(with);
    CHECK_OK(carom_scratch_create(with, 1, &one, &err), err);
    CHECK_OK(carom_scratch_create(with, 1, &other, &err), err);
    CHECK_OK(carom_advance(with, s, one, 0.322, 0.0, &err), err); /* holds since 0.319 */
    CHECK(carom_state_copy(copy, s) == CAROM_OK);
    CHECK_OK(carom_advance(with, s, one, 1.0, 0.0, &err), err);
    size_t count = 0;
    const carom_event *events = carom_step_events(one, &count);
    CHECK_EQ(count, 1);
    CHECK_NEAR(events[0].t, sqrt(2.0 * 0.5 / G) + 0.01, 1e-9);
    CHECK_OK(carom_advance(with, copy, other, 1.0, 0.0, &err), err);
    CHECK(carom_state_hash(s) == carom_state_hash(copy));
    double happened = 0.0;
    CHECK_OK(carom_observe_signal(with, s, one, "event.half", &happened, &err), err);
    CHECK_NEAR(happened, 1.0, 0.0);
    carom_scratch_destroy(one);
    carom_scratch_destroy(other);
    carom_state_destroy(a);
    carom_state_destroy(b);
    carom_state_destroy(s);
    carom_state_destroy(copy);
    carom_model_destroy(with);
    carom_model_destroy(without);
}

/* Conditions on forces and energies are looked at where steps end; units are those of the file. */
TEST(scene_events, look_at_energies_where_steps_end)
{
    told all;
    carom_model *model = falling("{\"name\": \"fast\", \"when\": \"energy.kinetic > 10\", \"do\": \"stop\"}",
                                 "\"end\": 2, \"step\": 1e-3", "");
    run(model, &all, NULL);
    double t = sqrt(10.0) / G; /* 2 kg */
    CHECK_EQ(all.count, 1);
    CHECK_GE(all.t[0], t);
    CHECK_NEAR(all.t[0], t, 1e-3 + 1e-9);
    carom_model_destroy(model);
    model = falling("{\"name\": \"half\", \"when\": \"ball.position.z < 50 && t > 100\", \"do\": \"stop\"}",
                    "\"end\": 2000", ", \"units\": {\"length\": \"cm\", \"time\": \"ms\"}");
    run(model, &all, NULL);
    carom_model_destroy(model);
    CHECK_EQ(all.count, 1);
}

static void refuse(const char *events, const char *why)
{
    char text[2048];
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_error err = { 0 };
    snprintf(
        text, sizeof text,
        "{ \"carom\": 1, \"bodies\": [ {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 2} ], \"events\": [%s] }",
        events);
    carom_status status = carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err);
    status = status == CAROM_OK ? carom_compile(spec, &model, &err) : status;
    CHECK_EQ(status, CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, why);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
}

TEST(scene_events, refuse_what_means_nothing)
{
    refuse("{\"name\": \"a b\", \"when\": \"t > 1\"}", "'a b' cannot be the name of an event");
    refuse("{\"name\": \"a\", \"when\": \"t > 1\"}, {\"name\": \"a\", \"when\": \"t > 2\"}",
           "two events are named 'a'");
    refuse("{\"name\": \"a\", \"when\": 1}", "never changes");
    refuse("{\"name\": \"a\", \"when\": \"ball.height > 1\"}", "no signal 'ball.height'");
    refuse("{\"name\": \"a\", \"when\": \"t > 1\", \"hold\": -1}", "must not be negative");
    refuse("{\"name\": \"a\", \"when\": \"t > 1\", \"do\": \"halt\"}", "halt");
    refuse("{\"name\": \"a\", \"when\": \"t > 1\", \"do\": {\"set\": {\"input\": \"pull\", \"to\": 1}}}",
           "sets the input 'pull'");
    refuse("{\"when\": \"t > 1\"}", "name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(scene_events, stop_where_a_falling_ball_is),
        RUN_TEST(scene_events, hold_as_long_as_they_must),
        RUN_TEST(scene_events, set_inputs_and_lead_to_each_other),
        RUN_TEST(scene_events, happen_at_once_where_they_hold_from_the_start),
        RUN_TEST(scene_events, happen_once_where_rounding_goes_to_and_fro),
        RUN_TEST(scene_events, refuse_to_undo_each_other_without_end),
        RUN_TEST(scene_events, count_each_time_and_see_what_is_brief),
        RUN_TEST(scene_events, marks_change_nothing_and_copies_go_on),
        RUN_TEST(scene_events, look_at_energies_where_steps_end),
        RUN_TEST(scene_events, refuse_what_means_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
