/* Batches: the same bits as one state after the other, for any number of threads and pieces; who fails keeps its state. States
 * as bytes, many steps in one call. */
#include "support/check.h"
#include "support/sim.h"

static const char wall[] =
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1}, \"inputs\": {\"push\": {\"unit\": \"N\"}},"
    " \"contact\": {\"method\": \"impact\", \"restitution\": 0.8}, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
    "{\"name\": \"ball\", \"mass\": 3, \"shape\": {\"sphere\": 0.06}, \"position\": [0, 0, 0.3]},"
    "{\"name\": \"rod\", \"mass\": 1, \"shape\": {\"box\": [0.02, 0.02, 0.3]}, \"position\": [1, 0, 0.5]}],"
    " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"], \"at\": [1, 0, 0.65],"
    " \"axis\": [0, 1, 0]}],"
    " \"forces\": [{\"name\": \"load\", \"type\": \"load\", \"body\": \"ball\", \"force\": [\"input.push\", 0, 0]}]}";

enum { STATES = 40 };

static carom_batch *spread(const carom_model *model)
{
    carom_batch *batch = NULL;
    carom_error err = { 0 };
    double angle[STATES], speed[STATES], push = 2.0;
    for (int i = 0; i < STATES; ++i) {
        angle[i] = 0.03 * i - 0.5;
        speed[i] = -0.1 * i;
    }
    CHECK_OK(carom_batch_create(model, STATES, NULL, &batch, &err), err);
    CHECK_OK(carom_batch_set(batch, "hinge.angle", angle, STATES, &err), err);
    CHECK_OK(carom_batch_set(batch, "ball.velocity.z", speed, STATES, &err), err);
    CHECK_OK(carom_batch_set(batch, "input.push", &push, 1, &err), err);
    return batch;
}

/* Every state by itself. */
static void advance_alone(const sim *s, carom_batch *batch, double until)
{
    carom_error err = { 0 };
    for (size_t i = 0; i < carom_batch_count(batch); ++i) {
        CHECK_OK(carom_advance(s->model, carom_batch_state(batch, i), s->scratch, until, 0.0, &err), err);
    }
}

static void check_same(const carom_batch *a, const carom_batch *b)
{
    for (size_t i = 0; i < STATES; ++i) {
        CHECK(carom_state_hash(carom_batch_state(a, i)) == carom_state_hash(carom_batch_state(b, i)));
    }
}

TEST(batch, gives_the_bits_of_single_states_on_any_threads)
{
    sim s = sim_parse(wall, NULL);
    carom_error err = { 0 };
    carom_batch *alone = spread(s.model);
    advance_alone(&s, alone, 0.4);
    CHECK(carom_state_hash(carom_batch_state(alone, 0)) != carom_state_hash(carom_batch_state(alone, 1)));
    for (int threads = 0; threads <= 5; ++threads) {
        carom_batch *batch = spread(s.model);
        size_t left = 1;
        CHECK_OK(carom_batch_advance(batch, 0.4, 0.0, threads, &left, &err), err);
        CHECK_EQ(left, 0);
        CHECK_EQ(carom_batch_failed(batch), 0);
        check_same(batch, alone);
        carom_batch_destroy(batch);
    }
    carom_batch_destroy(alone);
    sim_end(&s);
}

TEST(batch, comes_back_when_its_time_is_up)
{
    sim s = sim_parse(wall, NULL);
    carom_error err = { 0 };
    carom_batch *alone = spread(s.model), *batch = spread(s.model);
    size_t left = 1;
    int pieces = 0;
    advance_alone(&s, alone, 0.05);
    for (; left > 0 && pieces < 100000; ++pieces) {
        size_t before = left;
        CHECK_OK(carom_batch_advance(batch, 0.05, 1e-9, 2, &left, &err), err);
        CHECK(pieces == 0 || left <= before);
    }
    CHECK_GE(pieces, STATES / 2);
    check_same(batch, alone);
    carom_batch_destroy(alone);
    carom_batch_destroy(batch);
    sim_end(&s);
}

TEST(batch, keeps_the_state_of_one_that_fails)
{
    sim s = sim_parse(wall, NULL);
    carom_error err = { 0 };
    carom_batch *batch = spread(s.model);
    CHECK_OK(carom_batch_advance(batch, 0.1, 0.0, 2, NULL, &err), err);
    CHECK_OK(carom_set_signal(s.model, carom_batch_state(batch, 7), s.scratch, "ball.position.z", -0.01, &err), err);
    uint64_t before = carom_state_hash(carom_batch_state(batch, 7));
    CHECK_OK(carom_batch_advance(batch, 0.2, 0.0, 2, NULL, &err), err);
    CHECK_EQ(carom_batch_failed(batch), 1);
    CHECK(carom_batch_error(batch, 6) == NULL);
    CHECK_EQ(carom_batch_error(batch, 7)->status, CAROM_INTERSECTING);
    CHECK(carom_batch_error(batch, 7)->message[0] != '\0');
    CHECK(carom_state_hash(carom_batch_state(batch, 7)) == before);
    CHECK_NEAR(carom_state_time(carom_batch_state(batch, 8)), 0.2, 0.0);
    CHECK_OK(carom_set_signal(s.model, carom_batch_state(batch, 7), s.scratch, "ball.position.z", 0.5, &err), err);
    carom_batch_forgive(batch, 7);
    CHECK_OK(carom_batch_advance(batch, 0.3, 0.0, 2, NULL, &err), err);
    CHECK_EQ(carom_batch_failed(batch), 0);
    CHECK_NEAR(carom_state_time(carom_batch_state(batch, 7)), 0.3, 0.0);
    carom_batch_destroy(batch);
    sim_end(&s);
}

/* What is set is seen, and what is not set stays. */
TEST(batch, sets_one_number_of_a_state)
{
    sim s = sim_parse(wall, NULL);
    carom_error err = { 0 };
    static const char *const names[] = { "ball.position.y", "ball.velocity.x",  "ball.angular_velocity.z",
                                         "hinge.angle",     "hinge.angle.rate", "input.push" };
    enum { NAMES = sizeof names / sizeof *names };
    carom_observer *observer = NULL;
    CHECK_OK(carom_observer_create(s.model, names, NAMES, &observer, &err), err);
    for (int k = 0; k < NAMES; ++k) {
        double before[NAMES], after[NAMES];
        CHECK_OK(carom_observe(observer, s.state, s.scratch, before, &err), err);
        CHECK_OK(carom_set_signal(s.model, s.state, s.scratch, names[k], 0.2 + 0.1 * k, &err), err);
        CHECK_OK(carom_observe(observer, s.state, s.scratch, after, &err), err);
        for (int i = 0; i < NAMES; ++i) {
            CHECK_NEAR(after[i], i == k ? 0.2 + 0.1 * k : before[i], 1e-14);
        }
    }
    carom_observer_destroy(observer);
    sim_end(&s);
}

TEST(bytes, go_on_with_the_same_bits)
{
    sim s = sim_parse(wall, NULL);
    carom_error err = { 0 };
    CHECK_OK(carom_advance(s.model, s.state, s.scratch, 0.31, 0.0, &err), err); /* behind an impact */
    size_t size = carom_state_size(s.state);
    void *bytes = malloc(size);
    CHECK_OK(carom_state_save(s.model, s.state, bytes, size, &err), err);
    sim other = sim_parse(wall, NULL);
    CHECK_OK(carom_state_restore(other.model, other.state, bytes, size, &err), err);
    CHECK(carom_state_hash(other.state) == carom_state_hash(s.state));
    CHECK_OK(carom_advance(s.model, s.state, s.scratch, 0.9, 0.0, &err), err);
    CHECK_OK(carom_advance(other.model, other.state, other.scratch, 0.9, 0.0, &err), err);
    CHECK(carom_state_hash(other.state) == carom_state_hash(s.state));
    free(bytes);
    sim_end(&s);
    sim_end(&other);
}

/* All events of all steps, as the steps tell them one by one. */
TEST(advance, has_the_events_of_all_its_steps)
{
    sim one = sim_parse(wall, NULL), many = sim_parse(wall, NULL);
    carom_error err = { 0 };
    size_t told = 0, count = 0;
    while (carom_state_time(many.state) < 0.9) {
        CHECK_OK(carom_step(many.model, many.state, many.scratch, 0.9 - carom_state_time(many.state), NULL, &err),
                 err);
        carom_step_events(many.scratch, &count);
        told += count;
    }
    CHECK_OK(carom_advance(one.model, one.state, one.scratch, 0.9, 0.0, &err), err);
    carom_step_events(one.scratch, &count);
    CHECK_GE((double)told, 2.0);
    CHECK_EQ(count, told);
    CHECK(carom_state_hash(one.state) == carom_state_hash(many.state));
    sim_end(&one);
    sim_end(&many);
}

/* Every signal is there once and has a value. */
TEST(observer, of_all_signals)
{
    sim s = sim_parse(wall, NULL);
    carom_error err = { 0 };
    carom_observer *all = NULL;
    CHECK_OK(carom_observer_create_all(s.model, &all, &err), err);
    size_t count = carom_observer_count(all);
    double *values = calloc(count, sizeof *values);
    CHECK_OK(carom_observe(all, s.state, s.scratch, values, &err), err);
    for (size_t i = 0; i < count; ++i) {
        double value = 0.0;
        CHECK_OK(carom_observe_signal(s.model, s.state, s.scratch, carom_observer_name(all, i), &value, &err), err);
        CHECK(value == values[i] || (isnan(value) && isnan(values[i])));
        for (size_t k = 0; k < i; ++k) {
            CHECK(strcmp(carom_observer_name(all, i), carom_observer_name(all, k)) != 0);
        }
    }
    CHECK_GE((double)count, 3 * 13 + 8);
    free(values);
    carom_observer_destroy(all);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(batch, gives_the_bits_of_single_states_on_any_threads),
        RUN_TEST(batch, comes_back_when_its_time_is_up),
        RUN_TEST(batch, keeps_the_state_of_one_that_fails),
        RUN_TEST(batch, sets_one_number_of_a_state),
        RUN_TEST(bytes, go_on_with_the_same_bits),
        RUN_TEST(advance, has_the_events_of_all_its_steps),
        RUN_TEST(observer, of_all_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
