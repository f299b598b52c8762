/* What steps find on their way: it is told with the step, and goes with a step that is taken back. */
#include "support/sim.h"

#include <math.h>

#include "dynamics/work.h"

#define FLOOR "{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"fixed\": true}"

static bool finds(const sim *s, const char *name)
{
    carom_findings *list = NULL;
    carom_error err = { 0 };
    bool found = false;
    CHECK_OK(carom_step_findings(s->model, s->scratch, &list, &err), err);
    for (size_t i = 0; i < carom_findings_count(list); ++i) {
        found = found || strcmp(carom_findings_at(list, i)->name, name) == 0;
    }
    carom_findings_destroy(list);
    return found;
}

/* Three boxes on each other, the lowest moves: rough ones hold each other at twelve corners in too many ways to try. */
static bool stack_is_rough(double mu)
{
    char text[1500];
    carom_error err = { 0 };
    carom_step_report report;
    snprintf(
        text, sizeof text,
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1e-6}, \"bodies\": [" FLOOR ","
        "{\"name\": \"a\", \"shape\": {\"box\": [0.1, 0.1, 0.1]}, \"density\": 58, \"position\": [0, 0, 0.05],"
        " \"velocity\": [0.15, 0, 0]},"
        "{\"name\": \"b\", \"shape\": {\"box\": [0.1, 0.1, 0.1]}, \"density\": 1.1, \"position\": [0, 0, 0.15]},"
        "{\"name\": \"c\", \"shape\": {\"box\": [0.1, 0.1, 0.1]}, \"density\": 320, \"position\": [0, 0, 0.25]}],"
        "\"contact\": {\"method\": \"impact\", \"friction\": {\"coulomb\": {\"mu\": %g}}}}",
        mu);
    sim s = sim_parse(text, NULL);
    CHECK_OK(carom_step(s.model, s.state, s.scratch, 1e-6, &report, &err), err);
    bool rough = finds(&s, "forces-rough");
    CHECK_EQ(report.fallbacks > 0, rough);
    sim_end(&s);
    return rough;
}

TEST(step, forces_that_do_not_fit_are_told)
{
    CHECK(stack_is_rough(2.0));
    CHECK(!stack_is_rough(0.3));
}

/* Two balls on a floor that strike each other while they spin: normals and friction at three contacts do not agree. */
static sim spinning_balls(void)
{
    return sim_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1e-3}, \"bodies\": [" FLOOR ","
        "{\"name\": \"heavy\", \"shape\": {\"sphere\": 0.05}, \"mass\": 20, \"position\": [0, 0, 0.05],"
        " \"velocity\": [0.3, 0, 0], \"angular_velocity\": [0, 20, 0]},"
        "{\"name\": \"light\", \"shape\": {\"sphere\": 0.05}, \"mass\": 0.05, \"position\": [0.1, 0, 0.05],"
        " \"angular_velocity\": [0, 20, 0]}],"
        "\"contact\": {\"method\": \"impact\", \"several\": \"together\", \"restitution\": 0.95,"
        " \"restitution_law\": \"poisson\", \"friction\": {\"coulomb\": {\"mu\": 1}}}}",
        NULL);
}

/* Lets work go on until something was noted; asked at every chance. */
static bool nothing_noted(void *context)
{
    carom_scratch *w = context;
    w->stop.last_call = -HUGE_VAL;
    return w->findings.count == 0;
}

TEST(step, that_is_taken_back_takes_its_findings_back)
{
    sim s = spinning_balls();
    carom_state *before = carom_state_create(s.model);
    carom_error err = { 0 };
    carom_step_report report;
    do {
        carom_state_copy(before, s.state);
        CHECK_OK(carom_step(s.model, s.state, s.scratch, 1e-3, &report, &err), err);
        CHECK_EQ(report.fallbacks, s.scratch->findings.count);
    } while (report.fallbacks == 0 && sim_time(&s) < 1e-3);
    CHECK(finds(&s, "impact-cut-short"));
    carom_state_copy(s.state, before);
    s.scratch->stop.keep_going = nothing_noted;
    s.scratch->stop.context = s.scratch;
    CHECK_EQ(carom_step(s.model, s.state, s.scratch, 1e-3, &report, &err), CAROM_INTERRUPTED);
    CHECK_EQ(s.scratch->findings.count, 0);
    CHECK_EQ(report.fallbacks, 0);
    CHECK_EQ(carom_state_hash(s.state), carom_state_hash(before));
    s.scratch->stop.keep_going = NULL;
    CHECK_OK(carom_step(s.model, s.state, s.scratch, 1e-3, &report, &err), err);
    CHECK(finds(&s, "impact-cut-short"));
    carom_state_destroy(before);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(step, forces_that_do_not_fit_are_told),
        RUN_TEST(step, that_is_taken_back_takes_its_findings_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
