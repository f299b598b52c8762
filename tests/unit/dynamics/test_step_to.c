/* Advancing to the first event: a pendulum that passes its lowest point, again and again. */
#include "dynamics/step_to.h"

#include "dynamics/dense.h"
#include "dynamics/events.h"
#include "dynamics/integrator.h"
#include "support/pendulum.h"
#include "support/sim.h"

static const double LENGTH = 0.5;
static const double START = 1.2; /* [rad] from the vertical */

/* A point mass on a rod that weighs nothing, released at rest. */
static const char *const pendulum =
    "{ \"carom\": 1, \"time\": {\"end\": 10, \"tolerance\": 1e-12, \"step\": 0.3}, \"gravity\": [0, -9.81, 0],"
    "  \"bodies\": [{\"name\": \"bob\", \"mass\": 1, \"inertia\": [1e-9, 1e-9, 1e-9],"
    "    \"position\": [\"0.5*sin(1.2)\", \"-0.5*cos(1.2)\", 0]}],"
    "  \"joints\": [{\"name\": \"pivot\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"bob\"], \"at\": [0, 0, "
    "0]}] }";

typedef struct swing {
    sim s;
    carom_error err;
    carom_step_context c;
    double sign; /* +1: passes to the left */
    int located; /* how often the event was located anew */
    int searched;
    bool found;
} swing;

static void swing_start(swing *w)
{
    *w = (swing){ .s = sim_parse(pendulum, NULL), .sign = 1.0 };
    w->c = (carom_step_context){ w->s.model, w->s.state, w->s.scratch, NULL, &w->err };
    CHECK_OK(dynamics_start(w->s.scratch, w->s.state, &w->err), w->err);
}

static double angle_of(const swing *w, const body_pose *pose)
{
    return w->sign * atan2(pose->x_w.x, -pose->x_w.y);
}

static void angle_at(void *context, double t, double *g)
{
    const swing *w = context;
    body_pose pose;
    body_rate rate;
    dense_body_at(w->s.scratch->dense, t, 1, &pose, &rate);
    *g = angle_of(w, &pose);
}

static carom_status first_passage(void *context, double *t)
{
    swing *w = context;
    const dense_step *d = w->s.scratch->dense;
    event_found found;
    event_search search = { .functions = angle_at,
                            .context = w,
                            .count = 1,
                            .t0 = d->begin.t,
                            .t1 = d->end.t,
                            .samples = 1,
                            .falling_only = true };
    w->searched++;
    w->found = events_first(&search, &found);
    *t = w->found ? found.t : HUGE_VAL;
    return CAROM_OK;
}

static double time_to_lowest(const swing *w)
{
    const body_pose *pose = &w->s.state->pose[1];
    const body_rate *rate = &w->s.state->rate[1];
    return -angle_of(w, pose) / (w->sign * rate->omega_w.z);
}

static double locate_passage(void *context, double t, bool last)
{
    swing *w = context;
    w->located++;
    double off = time_to_lowest(w);
    return last || fabs(off) < 1e-15 ? t : t + off;
}

TEST(step_to, ends_at_the_lowest_point_every_time)
{
    swing w;
    swing_start(&w);
    double quarter = 0.25 * pendulum_period(sqrt(9.81 / LENGTH), START);
    step_events events = { .context = &w, .first = first_passage, .locate = locate_passage };
    int passages = 0;
    double last = 0.0;
    while (passages < 6) {
        carom_step_report report = { 0 };
        CHECK_OK(step_begin(&w.c), w.err);
        CHECK_OK(step_to(&w.c, &events, 0.3, &report), w.err);
        double t = *w.s.state->time;
        CHECK(t > last);
        CHECK_NEAR(report.dt, t - last, 1e-15);
        CHECK_NEAR(w.s.scratch->dense->end.t, t, 0.0);
        if (w.found) { /* it stands at the event */
            CHECK_NEAR(time_to_lowest(&w), 0.0, 1e-12);
            CHECK_NEAR(t, (2 * passages + 1) * quarter, 1e-7);
            CHECK(report.rejected >= 1);
            passages++;
            w.sign = -w.sign;
        }
        last = t;
    }
    CHECK(w.located >= passages);
    sim_end(&w.s);
}

/* Without an event the step is that of the integrator, bit for bit. */
TEST(step_to, without_events_is_a_step)
{
    swing w, plain;
    swing_start(&w);
    swing_start(&plain);
    w.sign = -1.0; /* passes upwards only much later */
    step_events events = { .context = &w, .first = first_passage };
    carom_step_report report = { 0 };
    CHECK_OK(step_begin(&w.c), w.err);
    CHECK_OK(step_to(&w.c, &events, 0.05, &report), w.err);
    carom_step_report alone = { 0 };
    CHECK_OK(dynamics_step(plain.s.scratch, plain.s.state, 0.05, &alone, &plain.err), plain.err);
    CHECK(carom_state_hash(w.s.state) == carom_state_hash(plain.s.state));
    CHECK_EQ(report.evaluations, alone.evaluations);
    CHECK_EQ(w.searched, 1);
    sim_end(&w.s);
    sim_end(&plain.s);
}

/* A method's own integration that goes half way when a step is repeated: what comes of it is searched anew. */
static carom_status half_again(void *context, bool again, double dt, carom_step_report *report)
{
    swing *w = context;
    return dynamics_step(w->s.scratch, w->s.state, again ? 0.5 * dt : dt, report, &w->err);
}

TEST(step_to, searches_anew_what_is_shorter)
{
    swing w;
    swing_start(&w);
    step_events events = { .context = &w, .step = half_again, .first = first_passage, .locate = locate_passage };
    while (w.searched < 2) {
        carom_step_report report = { 0 };
        w.searched = 0;
        CHECK_OK(step_begin(&w.c), w.err);
        CHECK_OK(step_to(&w.c, &events, 0.3, &report), w.err);
        CHECK(!w.found);
        CHECK(report.dt > 0.0);
    }
    CHECK_EQ(w.searched, 2); /* a passage; then none in the half of the way to it */
    CHECK_EQ(w.located, 0);
    CHECK(*w.s.state->time < 0.25 * pendulum_period(sqrt(9.81 / LENGTH), START));
    sim_end(&w.s);
}

/* An event at the beginning of the step: nothing moves. */
static carom_status first_at_once(void *context, double *t)
{
    const swing *w = context;
    *t = w->s.scratch->dense->begin.t;
    return CAROM_OK;
}

TEST(step_to, may_end_where_it_begins)
{
    swing w;
    swing_start(&w);
    sim_step(&w.s, 0.1);
    double t = *w.s.state->time;
    v3 x = w.s.state->pose[1].x_w;
    step_events events = { .context = &w, .first = first_at_once };
    carom_step_report report = { 0 };
    CHECK_OK(step_begin(&w.c), w.err);
    CHECK_OK(step_to(&w.c, &events, 0.1, &report), w.err);
    CHECK(report.dt == 0.0 && *w.s.state->last_step == 0.0);
    CHECK(*w.s.state->time == t);
    CHECK(v3_norm(v3_sub(w.s.state->pose[1].x_w, x)) == 0.0);
    sim_end(&w.s);
}

/* The method does not take the event: the step that led there is searched anew, and stays as it is where nothing is found. */
static bool never(void *context)
{
    swing *w = context;
    w->sign = -w->sign; /* in that direction there is no passage */
    return false;
}

TEST(step_to, asks_whether_an_event_is_the_end)
{
    swing w;
    swing_start(&w);
    step_events events = { .context = &w, .first = first_passage, .locate = locate_passage, .accept = never };
    bool ended = false;
    while (!ended) {
        carom_step_report report = { 0 };
        CHECK_OK(step_begin(&w.c), w.err);
        CHECK_OK(step_to(&w.c, &events, 0.3, &report), w.err);
        ended = w.sign < 0.0;
    }
    CHECK_NEAR(time_to_lowest(&w), 0.0, 1e-12);
    sim_end(&w.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(step_to, ends_at_the_lowest_point_every_time), RUN_TEST(step_to, without_events_is_a_step),
        RUN_TEST(step_to, searches_anew_what_is_shorter),       RUN_TEST(step_to, may_end_where_it_begins),
        RUN_TEST(step_to, asks_whether_an_event_is_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
