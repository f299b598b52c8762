/* What a step has found, asked by those who step by themselves: the events that a run records, the contact points of the
 * state it has reached, whatever scratch is used, until the next step. */
#include "support/failing_heap.h"

#include "support/sim.h"
#include "support/small_run.h"

static const char *const folder = "step-found-run";

/* A ball falls on a plate and slides; where contact is a force, another lies there from the start. */
#define SCENE(contact, more)                                                                               \
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.15}, \"record\": {\"every\": 0.15}," \
    " \"contact\": {" contact ", \"restitution\": 0.5, \"friction\": {\"coulomb\": {\"mu\": 0.3}}},"       \
    " \"bodies\": [{\"name\": \"plate\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"             \
    " {\"name\": \"falling\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}, \"position\": [0, 0, 0.11],"      \
    "  \"velocity\": [0.5, 0, 0]}" more "]}"

static const char *const compliant = SCENE("\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e5}}",
                                           ", {\"name\": \"lying\", \"mass\": 1, \"shape\": {\"sphere\": 0.1},"
                                           " \"position\": [1, 0, 0.0999999]}");
static const char *const impact = SCENE("\"method\": \"impact\"", "");

static const double END = 0.15;

/* ---- events --------------------------------------------------------------------------------------------------------- */

static bool is_same(const carom_event *x, const carom_event *y)
{
    return x->t == y->t && x->kind == y->kind && x->body[0] == y->body[0] && x->body[1] == y->body[1] &&
           x->joint == y->joint && x->speed == y->speed && x->position.x == y->position.x &&
           x->speed_after == y->speed_after && x->impulse.z == y->impulse.z && x->friction == y->friction;
}

/* Steps as a run does; the events are those that it has recorded. fresh: each step has a scratch of its own. */
static void check_events(const char *scene, bool fresh)
{
    carom_error err = { 0 };
    small_run(scene, folder);
    carom_result *result = small_open(folder);
    const carom_event *recorded = carom_result_events(result);
    size_t total = carom_result_event_count(result);
    size_t at = 0;
    sim s = sim_parse(scene, NULL);
    while (sim_before(&s, END)) {
        size_t count = 7;
        sim_step(&s, END);
        const carom_event *found = carom_step_events(s.scratch, &count);
        CHECK((found != NULL) == (count > 0) && at + count <= total);
        for (size_t i = 0; i < count; ++i) {
            CHECK(is_same(&found[i], &recorded[at + i]));
        }
        at += count;
        if (fresh) {
            carom_scratch_destroy(s.scratch);
            CHECK_OK(carom_scratch_create(s.model, 1, &s.scratch, &err), err);
        }
    }
    CHECK_EQ(at, total);
    CHECK(total >= 2);
    sim_end(&s);
    carom_result_close(result);
    small_remove(folder);
}

TEST(step_found, events_are_those_of_a_run)
{
    check_events(compliant, false);
    check_events(impact, false);
}

TEST(step_found, events_do_not_depend_on_the_scratch)
{
    check_events(compliant, true);
    check_events(impact, true);
}

/* Two states of a model take turns with one scratch: each finds what it finds alone. */
TEST(step_found, events_belong_to_the_state)
{
    sim s = sim_parse(compliant, NULL);
    sim alone = sim_parse(compliant, NULL);
    carom_state *other = carom_state_create(s.model);
    carom_error err = { 0 };
    CHECK_EQ(carom_state_copy(other, s.state), CAROM_OK);
    while (sim_before(&s, END)) {
        size_t count, expected;
        sim_step(&s, END);
        carom_step_events(s.scratch, &count);
        sim_step(&alone, END);
        carom_step_events(alone.scratch, &expected);
        CHECK_EQ(count, expected);
        double rest = END - carom_state_time(other);
        CHECK_OK(carom_step(s.model, other, s.scratch, 0.3 * rest, NULL, &err), err);
    }
    CHECK(carom_state_hash(s.state) == carom_state_hash(alone.state));
    carom_state_destroy(other);
    sim_end(&alone);
    sim_end(&s);
}

/* ---- contact points -------------------------------------------------------------------------------------------------- */

static void check_contacts(const char *scene)
{
    sim s = sim_parse(scene, NULL);
    size_t most = 0;
    while (sim_before(&s, END)) {
        carom_step_report report;
        carom_error err = { 0 };
        size_t count = 7;
        CHECK_OK(carom_step(s.model, s.state, s.scratch, END - sim_time(&s), &report, &err), err);
        const carom_contact_point *p = carom_step_contacts(s.scratch, &count);
        CHECK_EQ(count, report.contacts);
        double z = count > 0 ? p[0].position.z : 0.0;
        carom_state *start = carom_state_create(s.model); /* looked at with the same scratch: nothing falls yet */
        carom_ledger ledger;
        CHECK_OK(carom_assemble(s.model, start, s.scratch, NULL, &err), err);
        CHECK_OK(carom_observe_ledger(s.model, start, s.scratch, &ledger, &err), err);
        carom_state_destroy(start);
        size_t again = 0;
        CHECK(carom_step_contacts(s.scratch, &again) == p && again == count && (count == 0 || p[0].position.z == z));
        for (size_t i = 0; i < count; ++i) {
            CHECK_EQ(p[i].body[0], 1); /* the plate; normals point from B to A */
            CHECK(p[i].body[1] == 2 || p[i].body[1] == 3);
            CHECK(i == 0 || p[i - 1].body[1] <= p[i].body[1]);
            CHECK_NEAR(p[i].normal.z, -1.0, 1e-12);
            CHECK_LE(p[i].force.z, 0.0);
            CHECK_LE(fabs(p[i].position.z), fabs(p[i].gap) + 1e-15); /* within the overlap, or the gap */
        }
        most = count > most ? count : most;
    }
    CHECK(most > 0);
    sim_end(&s);
}

TEST(step_found, contact_points_stay_until_the_next_step)
{
    check_contacts(compliant);
    check_contacts(impact);
}

/* ---- nothing ---------------------------------------------------------------------------------------------------------- */

TEST(step_found, nothing_before_a_step_and_after_one_that_fails)
{
    sim s = sim_parse(compliant, NULL);
    carom_error err = { 0 };
    size_t count = 7;
    CHECK(carom_step_events(s.scratch, &count) == NULL && count == 0);
    CHECK(carom_step_contacts(s.scratch, &count) == NULL && count == 0);
    sim_step(&s, END);
    CHECK(carom_step_contacts(s.scratch, &count) != NULL && count == 1);
    bool failed = true;
    for (long fails_at = 1; failed; ++fails_at) { /* every allocation of a step, until one does without */
        sim t = sim_parse(compliant, NULL);
        uint64_t before = carom_state_hash(t.state);
        heap_begin(fails_at);
        carom_status status = carom_step(t.model, t.state, t.scratch, END, NULL, &err);
        failed = heap_end();
        CHECK(status == (failed ? CAROM_NO_MEMORY : CAROM_OK));
        CHECK((carom_state_hash(t.state) == before) == failed);
        carom_step_contacts(t.scratch, &count);
        CHECK_EQ(count, failed ? 0 : 1);
        carom_step_events(t.scratch, &count);
        CHECK_EQ(count, failed ? 0 : 1);
        sim_end(&t);
    }
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(step_found, events_are_those_of_a_run),
        RUN_TEST(step_found, events_do_not_depend_on_the_scratch),
        RUN_TEST(step_found, events_belong_to_the_state),
        RUN_TEST(step_found, contact_points_stay_until_the_next_step),
        RUN_TEST(step_found, nothing_before_a_step_and_after_one_that_fails),
    };
    return cmocka_run_group_tests_name("step_found", tests, NULL, NULL);
}
