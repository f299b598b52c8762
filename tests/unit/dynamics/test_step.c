/* Verbs of a step: what is kept comes back whole, what a method moves itself has dense output, the ledger takes jumps. */
#include "dynamics/step.h"

#include "dynamics/dense.h"
#include "support/scene_file.h"
#include "support/sim.h"

static const char ball[] = "step/ball.json";

static carom_step_context context_of(sim *s, carom_error *err)
{
    return (carom_step_context){ s->model, s->state, s->scratch, NULL, err };
}

static void push_records(carom_state *s, uint32_t count)
{
    CHECK(contact_records_reserve(&s->contacts, count));
    for (uint32_t k = 0; k < count; ++k) {
        s->contacts.items[k] = (contact_record){ .a = k, .b = k + 1, .value = { k, 2.0, 3.0 } };
    }
    s->contacts.count = count;
}

static void note(carom_scratch *w, double number)
{
    finding_note(&w->findings, CAROM_FINDING_CHATTER, finding_in_run(), number, 1.0, 0.0);
}

/* Doubles and records, also where the step has more records or fewer; steps may begin again and again. */
TEST(step, abort_brings_the_state_back)
{
    static const uint32_t counts[][2] = { { 0, 0 }, { 0, 7 }, { 5, 0 }, { 3, 40 }, { 40, 3 } };
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        carom_error err = { 0 };
        sim s = sim_parse(scene_text(ball), NULL);
        carom_step_context c = context_of(&s, &err);
        push_records(s.state, counts[k][0]);
        uint64_t before = carom_state_hash(s.state);
        for (int again = 0; again < 2; ++again) {
            CHECK_OK(step_begin(&c), err);
            sim_step(&s, 0.1);
            push_records(s.state, counts[k][1]);
            CHECK(carom_state_hash(s.state) != before);
            step_abort(&c);
            CHECK(carom_state_hash(s.state) == before);
        }
        sim_end(&s);
    }
}

/* Findings of the step go with it, but for those that hold for any step from there. */
TEST(step, abort_leaves_the_findings_that_are_kept)
{
    carom_error err = { 0 };
    sim s = sim_parse(scene_text(ball), NULL);
    carom_scratch *w = s.scratch;
    carom_step_context c = context_of(&s, &err);
    note(w, 1.0);
    CHECK_OK(step_begin(&c), err);
    note(w, 2.0);
    size_t search = w->findings.count;
    note(w, 3.0);
    note(w, 4.0);
    step_keep_findings(w, search);
    note(w, 5.0);
    CHECK_EQ(w->findings.count, 5);
    step_abort(&c);
    CHECK_EQ(w->findings.count, 3);
    CHECK(w->findings.items[0].number == 1.0);
    CHECK(w->findings.items[1].number + w->findings.items[2].number == 7.0);
    sim_end(&s);
}

/* A method that moves bodies without an integrator: frames between the ends lie on the way. */
TEST(step, commit_gives_dense_output_of_a_step_made_by_hand)
{
    carom_step_report report;
    sim s = sim_parse(scene_text(ball), NULL);
    carom_state *state = s.state;
    double steps = *state->step_count;
    state->acceleration[1] = (body_rate){ v3_make(0.0, 0.0, -9.81), v3_zero() };
    body_pose from = state->pose[1];
    step_open(s.scratch, state, &report);
    *state->time += 0.25;
    state->pose[1].x_w = v3_add(from.x_w, v3_make(0.25, 0.5, 0.75 - 0.5 * 9.81 * 0.0625));
    state->pose[1].q_wb = q_mul(so3_exp(v3_make(0.0, 0.0, 1.0)), from.q_wb);
    state->rate[1].v_w.z -= 9.81 * 0.25;
    step_commit(s.scratch, state, &report);
    CHECK(report.dt == 0.25);
    CHECK(*state->last_step == 0.25);
    CHECK(*state->step_count == steps + 1.0);
    body_pose pose;
    body_rate rate;
    dense_body_at(s.scratch->dense, 0.1, 1, &pose, &rate);
    v3 way = v3_sub(pose.x_w, from.x_w);
    CHECK_NEAR(way.x, 0.1, 1e-15);
    CHECK_NEAR(way.z, 0.3 - 0.5 * 9.81 * 0.01, 1e-15);
    CHECK_NEAR(so3_log(q_mul(pose.q_wb, q_conj(from.q_wb))).z, 0.4, 1e-14);
    CHECK_NEAR(rate.omega_w.z, 4.0, 1e-13);
    sim_end(&s);
}

/* Work of a jump appears in the ledger as work of powers does. */
TEST(step, ledger_takes_work_that_is_no_integral)
{
    sim s = sim_parse(scene_text(ball), NULL);
    sim_step(&s, 0.1);
    carom_ledger before = sim_ledger(&s);
    ledger_sums jump = { .work = { [ACCOUNT_IMPACT] = 2.0 }, .impulse = { 1.0, 0.0, 0.0 } };
    ledger_add(s.state, ACCOUNT_LOADS, 0.5);
    ledger_add_sums(s.state, &jump);
    carom_ledger after = sim_ledger(&s);
    CHECK_NEAR(after.work_loads - before.work_loads, 0.5, 1e-15);
    CHECK_NEAR(after.lost_impact - before.lost_impact, 2.0, 1e-15);
    CHECK_NEAR(after.residue - before.residue, 1.5, 1e-12); /* lost and yet still there, but for what came in */
    CHECK_NEAR(after.momentum_residue.x - before.momentum_residue.x, -1.0, 1e-12);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(step, abort_brings_the_state_back),
        RUN_TEST(step, abort_leaves_the_findings_that_are_kept),
        RUN_TEST(step, commit_gives_dense_output_of_a_step_made_by_hand),
        RUN_TEST(step, ledger_takes_work_that_is_no_integral),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
