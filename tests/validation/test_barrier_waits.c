/* Prescribed motions of the method "barrier" that are blocked and may wait (contact.blocked = "wait"): they stand where they got to,
 * time goes on, and when the way is free they go on as they would have, later by the time that they have waited. */
#include "dynamics/work.h"
#include "support/scratch_folder.h"
#include "support/sim.h"

static const double H = 0.01;
static const double RANGE = 1e-3;

#define HEAD                                                                                                                       \
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 2.5, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\", " \
    "\"range\": 1e-3, \"friction\": 0.3, \"blocked\": \"wait\"}, "

/* A ram comes with 1 m/s and is 1 m from a gate at first, in its way until that has been drawn aside: from 0.8 s with 2.03 m/s, by the
 * metre that they are wide. */
static const char gate[] = HEAD
    "\"bodies\": [{\"name\": \"gate\", \"shape\": {\"box\": [1, 1, 1]}, \"motion\": {\"position\": [0, \"t < 0.8 ? 0 : "
    "2.03*(t-0.8)\", 0]}}, {\"name\": \"ram\", \"shape\": {\"box\": [1, 1, 1]}, \"motion\": {\"position\": [\"t-1.5\", 0, 0]}}]}";

/* The same with a driver: a slider goes 0.4 m/s, and touches the gate at 0.5 s; that is 0.25 m above its lower edge. */
static const char driver[] = HEAD
    "\"bodies\": [{\"name\": \"gate\", \"shape\": {\"box\": [0.2, 1, 1]}, \"motion\": {\"position\": [0.8, 0, \"t < 1 ? 0 : "
    "3*(t-1)\"]}}, {\"name\": \"ram\", \"mass\": 2, \"shape\": {\"box\": [1, 0.5, 0.5]}, \"velocity\": [0.4, 0, 0]}], "
    "\"joints\": [{\"name\": \"guide\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"ram\"], \"axis\": [1, 0, 0], "
    "\"motion\": {\"value\": \"0.4*t\"}}]}";

/* A ram presses a ball against a wall that stays. */
static const char squeeze[] = HEAD
    "\"bodies\": [{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"box\": [1, 1, 1]}}, {\"name\": \"ball\", \"mass\": 1, "
    "\"shape\": {\"sphere\": 0.1}, \"position\": [-0.65, 0, 0]}, {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": "
    "[0, 0, 1]}, \"position\": [0, 0, -0.101]}, {\"name\": \"ram\", \"shape\": {\"box\": [1, 1, 0.1]}, \"motion\": "
    "{\"position\": [\"t-1.5\", 0, 0]}}]}";

/* What a step tells of a body or joint; NULL: nothing. */
static const finding *told(const sim *s, carom_finding_kind kind, finding_place place)
{
    for (size_t k = 0; k < s->scratch->findings.count; ++k) {
        const finding *f = &s->scratch->findings.items[k];
        if (f->kind == (int32_t)kind && f->place.where == place.where && f->place.a == place.a) {
            return f;
        }
    }
    return NULL;
}

/* One step; returns how many motions waited in it. */
static int step(sim *s)
{
    carom_error err = { 0 };
    carom_step_report report = { 0 };
    CHECK_OK(carom_step(s->model, s->state, s->scratch, H, &report, &err), err);
    s->steps++;
    return report.waiting;
}

/* Steps to t; returns in how many of them some motion waited. */
static int waits_until(sim *s, double t)
{
    int count = 0;
    while (sim_before(s, t)) {
        count += step(s) > 0;
    }
    return count;
}

TEST(waits, a_motion_stands_where_it_got_to)
{
    sim s = sim_parse(gate, NULL);
    finding_place ram = finding_at_body((int)sim_body(&s, "ram"));
    CHECK_EQ(waits_until(&s, 0.49), 0);
    CHECK(!told(&s, CAROM_FINDING_MOTION_BEHIND, ram));
    CHECK(waits_until(&s, 0.5) == 1); /* faces would touch */
    CHECK_EQ(waits_until(&s, 0.79), 29);
    double gap = -1.0 - sim_position(&s, "ram").x;
    CHECK(gap >= 0.1 * RANGE && gap <= RANGE);
    CHECK_NEAR(carom_state_velocity(s.model, s.state, sim_body(&s, "ram")).x, 0.0, 0.0);
    CHECK_NEAR(sim_signal(&s, "ram.velocity.x"), 0.0, 0.0);
    const finding *f = told(&s, CAROM_FINDING_MOTION_WAITS, ram);
    CHECK(f && told(&s, CAROM_FINDING_MOTION_BEHIND, ram));
    CHECK_NEAR(f->number, sim_time(&s) - (sim_position(&s, "ram").x + 1.5), 1e-12); /* late by what it has not gone */
    sim_end(&s);
}

TEST(waits, it_goes_on_late_when_the_way_is_free)
{
    sim s = sim_parse(gate, NULL);
    waits_until(&s, 0.8);
    double held = sim_position(&s, "ram").x;
    double freed = 0.8 + 1.0 / 2.03;
    int waited = waits_until(&s, 2.5);
    double end = sim_position(&s, "ram").x;
    table_head("a gate in the way of a ram of 1 m/s");
    table_row("steps that it waits after 0.8 s", waited, freed / H - 80.0);
    table_row("way after the gate is gone [m]", end - held, 2.5 - freed);
    CHECK_NEAR(waited, (freed - 0.8) / H, 1.5);            /* corners are rounded by the range */
    CHECK_NEAR(end - held, 2.5 - 0.8 - waited * H, 1e-12); /* exactly as its motion, later by whole steps */
    CHECK_NEAR(sim_signal(&s, "ram.velocity.x"), 1.0, 0.0);
    CHECK_NEAR(sim_position(&s, "gate").y, 2.03 * 1.7, 1e-12); /* never waits: it does not come nearer */
    CHECK(!told(&s, CAROM_FINDING_MOTION_WAITS, finding_at_body((int)sim_body(&s, "gate"))));
    sim_end(&s);
}

TEST(waits, a_driver_waits_as_a_body_does)
{
    sim s = sim_parse(driver, NULL);
    finding_place guide = finding_at_joint(0);
    CHECK_EQ(waits_until(&s, 0.49), 0);
    waits_until(&s, 0.99);
    double held = sim_position(&s, "ram").x;
    CHECK(0.2 - held >= 0.1 * RANGE && 0.2 - held <= RANGE);
    CHECK_NEAR(sim_signal(&s, "ram.velocity.x"), 0.0, 1e-12);
    CHECK(told(&s, CAROM_FINDING_MOTION_WAITS, guide) != NULL);
    waits_until(&s, 2.5);
    double freed = 1.0 + 0.75 / 3.0;
    table_head("a gate in the way of a driver of 0.4 m/s");
    table_row("way of the slider in 2.5 s [m]", sim_position(&s, "ram").x, held + 0.4 * (2.5 - freed));
    CHECK_NEAR(sim_position(&s, "ram").x, held + 0.4 * (2.5 - freed), 0.4 * 1.5 * H);
    CHECK_NEAR(sim_signal(&s, "ram.velocity.x"), 0.4, 1e-12);
    CHECK_LE(sim_ledger(&s).position_error, 1e-12);
    sim_end(&s);
}

/* A body between two that do not give way: pressed, not crushed. It stays at rest, and no gap goes to nothing. */
TEST(waits, what_is_pressed_stays_whole)
{
    sim s = sim_parse(squeeze, NULL);
    waits_until(&s, 0.29);
    CHECK(waits_until(&s, 2.0) > 150);
    double ram = sim_position(&s, "ram").x;
    double ball = sim_position(&s, "ball").x;
    table_head("a ram, a ball of 0.1 m and a wall");
    table_row("ram, at rest [m]", ram, -1.2);
    CHECK_NEAR(ram, -1.2, 2.0 * RANGE);
    CHECK(-0.6 - ball > 0.02 * RANGE && ball - ram - 0.6 > 0.02 * RANGE);
    CHECK_LE(sim_norm(carom_state_velocity(s.model, s.state, sim_body(&s, "ball"))), 1e-3);
    sim_end(&s);
}

/* ---- the delay is part of the state ------------------------------------------------------------------------------------- */

static uint64_t hash_at_end(const char *text, int threads)
{
    sim s = sim_parse(text, NULL);
    carom_run *run = NULL;
    carom_error err = { 0 };
    carom_run_def def = { .threads = threads };
    CHECK_OK(carom_run_create(s.model, &def, &run, &err), err);
    CHECK_OK(carom_run_advance(run, (double)INFINITY, 0.0, &err), err);
    uint64_t hash = carom_state_hash(carom_run_state(run));
    carom_run_destroy(run);
    sim_end(&s);
    return hash;
}

/* A copy of a state that waits goes on with the same bits in another scratch, which knows nothing of it; and the scratch, when
 * it is given a fresh state, begins anew. */
TEST(waits, a_copy_goes_on_with_the_same_bits)
{
    const char *const texts[] = { gate, driver, squeeze };
    for (int k = 0; k < 3; ++k) {
        sim s = sim_parse(texts[k], NULL);
        sim other = sim_parse(texts[k], NULL);
        waits_until(&s, 0.9);
        CHECK_EQ(carom_state_copy(other.state, s.state), CAROM_OK);
        waits_until(&s, 2.5);
        waits_until(&other, 2.5);
        CHECK(carom_state_hash(s.state) == carom_state_hash(other.state));
        carom_state *fresh = carom_state_create(s.model);
        carom_error err = { 0 };
        carom_state_destroy(other.state);
        other.state = fresh;
        CHECK_OK(carom_assemble(s.model, fresh, s.scratch, NULL, &err), err);
        CHECK_NEAR(carom_state_pose(s.model, fresh, sim_body(&s, "ram")).position.x, k == 1 ? 0.0 : -1.5, 1e-12);
        sim_end(&other);
        sim_end(&s);
    }
}

static bool break_off(void *context, const carom_progress *progress)
{
    (void)context;
    return progress->steps < 90;
}

/* Broken off while it waits, and resumed. */
TEST(waits, a_checkpoint_goes_on_with_the_same_bits)
{
    const char *const texts[] = { gate, driver, squeeze };
    for (int k = 0; k < 3; ++k) {
        char folder[96];
        snprintf(folder, sizeof folder, "%s/run-%d", scratch_folder, k);
        sim s = sim_parse(texts[k], NULL);
        carom_run *run = NULL;
        carom_error err = { 0 };
        carom_run_options begin = { .folder = folder, .command = "test", .keep_going = break_off };
        carom_run_def def = { .threads = 2, .checkpoint = folder };
        CHECK_EQ(carom_run_folder(s.model, &begin, &err), CAROM_INTERRUPTED);
        CHECK_OK(carom_run_create(s.model, &def, &run, &err), err);
        CHECK_OK(carom_run_advance(run, (double)INFINITY, 0.0, &err), err);
        CHECK(carom_state_hash(carom_run_state(run)) == hash_at_end(texts[k], 1));
        carom_run_destroy(run);
        sim_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(waits, a_motion_stands_where_it_got_to),   RUN_TEST(waits, it_goes_on_late_when_the_way_is_free),
        RUN_TEST(waits, a_driver_waits_as_a_body_does),     RUN_TEST(waits, what_is_pressed_stays_whole),
        RUN_TEST(waits, a_copy_goes_on_with_the_same_bits), RUN_TEST(waits, a_checkpoint_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, make_scratch_folder, remove_scratch_folder);
}
