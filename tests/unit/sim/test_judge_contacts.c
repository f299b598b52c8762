/* Findings about contacts: each just beyond its limit, none just within; and the deepest penetration of a run. */
#include "support/small_run.h"

#include "model/model.h"
#include "sim/judge.h"

/* ---- what pairs have been through ------------------------------------------------------------------------------------ */

/* Whether so many touches within a hundredth of the run are chatter, the first at `first`, the others at `later` [m/s]. */
static bool chatters(int touches, double first, double later)
{
    carom_model model = { .scene.time.end = 1.0 };
    contact_judge j = { .model = &model };
    pair_total total = { .body = { 1, 2 } };
    carom_scratch w = { 0 };
    for (int k = 0; k < touches; ++k) {
        w.t = 0.5 + 0.009 * k / touches;
        judge_chatter(&j, &w, &total, k == 0 ? first : later);
    }
    bool found = w.findings.count > 0;
    CHECK(!found || w.findings.items[0].kind == CAROM_FINDING_CHATTER);
    free(w.findings.items);
    return found;
}

TEST(pairs, a_hundred_touches_are_chatter_unless_they_fade)
{
    CHECK(chatters(100, -1.0, -1.0));
    CHECK(!chatters(99, -1.0, -1.0));
    CHECK(chatters(100, -1.0, -0.51));
    CHECK(!chatters(100, -1.0, -0.49)); /* as the last bounces of a ball do */
}

/* Whether a cylinder that has turned by an angle [rad] while normal forces did this work on its rotation, in parts of its
 * energy, is found to lose by rolling. */
static bool loses(double rolled, double work)
{
    pair_total item = { .body = { 1, 2 }, .rolled = rolled, .rolling_work = 3.0 * work, .rolling_energy = 3.0 };
    pair_totals totals = { .items = &item, .count = 1 };
    finding_list list = { 0 };
    judge_totals(&(contact_judge){ 0 }, &totals, &list);
    bool found = list.count > 0;
    if (found) {
        CHECK_EQ(list.items[0].kind, CAROM_FINDING_ROLLING_LOSS);
        CHECK_NEAR(list.items[0].number, -work, 1e-15);
    }
    free(list.items);
    return found;
}

TEST(pairs, rolling_takes_less_than_a_fiftieth)
{
    CHECK(loses(3.2, -0.0201));
    CHECK(!loses(3.2, -0.0199));
    CHECK(!loses(3.2, 0.0201)); /* energy gained is for others to find */
    CHECK(!loses(3.1, -0.0201));
}

/* ---- depth ----------------------------------------------------------------------------------------------------------- */

/* A ball of 0.1 m without weight, this deep in the floor when it starts, on a law so soft that it goes on for a step. */
static const carom_finding *deep_at_start(double depth, carom_findings **list, const char *folder)
{
    char text[600];
    carom_error err = { 0 };
    const carom_finding *found = NULL;
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"time\": {\"end\": 1e-6}, \"contact\": {\"method\": \"compliant\","
             " \"law\": {\"hunt-crossley\": {\"k\": 1, \"n\": 1}}, \"restitution\": 1}, \"bodies\": [" SMALL_FLOOR ","
             "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.05}, \"position\": [0, 0, %.17g]}]}",
             0.05 - depth);
    small_run(text, folder);
    carom_result *result = small_open(folder);
    CHECK_OK(carom_result_findings(result, list, &err), err);
    for (size_t i = 0; i < carom_findings_count(*list); ++i) {
        const carom_finding *f = carom_findings_at(*list, i);
        found = f->kind == CAROM_FINDING_DEEP_AT_START ? f : found;
    }
    carom_result_close(result);
    return found;
}

TEST(depth, beyond_a_quarter_of_the_width_is_told)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    carom_findings *list = NULL;
    CHECK(mkdtemp(folder) != NULL);
    CHECK(deep_at_start(0.0249, &list, folder) == NULL);
    carom_findings_destroy(list);
    const carom_finding *f = deep_at_start(0.0251, &list, folder);
    CHECK(f != NULL);
    CHECK_NEAR(f->number, 0.0251, 1e-12);
    CHECK_NEAR(f->limit, 0.025, 1e-12);
    carom_findings_destroy(list);
    small_remove(folder);
}

/* A ball of 1 kg that flies against a spring of 1e4 N/m at 1 m/s and away again: v sqrt(m/k) deep on its way. */
TEST(depth, of_a_run_is_that_of_its_deepest_step)
{
    carom_model *model = small_compile(
        "{\"carom\": 1, \"time\": {\"end\": 0.05, \"step\": 1e-4}, \"contact\": {\"method\": \"compliant\","
        " \"law\": {\"hunt-crossley\": {\"k\": 1e4, \"n\": 1}}, \"restitution\": 1}, \"bodies\": [" SMALL_FLOOR ","
        "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.05}, \"position\": [0, 0, 0.0501],"
        " \"velocity\": [0, 0, -1]}]}");
    carom_run *run = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_run_create(model, &(carom_run_def){ 0 }, &run, &err), err);
    CHECK_OK(carom_run_advance(run, HUGE_VAL, 0.0, &err), err);
    CHECK_GE(carom_state_pose(model, carom_run_state(run), 2).position.z, 0.051); /* gone */
    CHECK_NEAR(carom_run_report_of(run).penetration_max, 0.01, 1e-5);
    carom_run_destroy(run);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(pairs, a_hundred_touches_are_chatter_unless_they_fade),
        RUN_TEST(pairs, rolling_takes_less_than_a_fiftieth),
        RUN_TEST(depth, beyond_a_quarter_of_the_width_is_told),
        RUN_TEST(depth, of_a_run_is_that_of_its_deepest_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
