/* Observers and memories: the numbers of results, without a folder. */
#include <unistd.h>

#include "support/check.h"
#include "support/small_run.h"

static const char scene[] = SMALL_SCENE(SMALL_BALLS ", " SMALL_FLOOR ", " SMALL_ARM, SMALL_HINGE);
static const char *const signals[] = { "ball.position.z", "hinge.angle",  "hinge.force",        "energy.residue",
                                       "ball.velocity.x", "hinge.torque", "ball.contact.force", "t" };
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static carom_observer *observe_all(const carom_model *model)
{
    carom_observer *observer = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_observer_create(model, signals, SIGNALS, &observer, &err), err);
    return observer;
}

TEST(observer, sees_what_single_signals_show)
{
    double seen[SIGNALS], one;
    carom_error err = { 0 };
    carom_scratch *scratch = NULL;
    carom_model *model = small_compile(scene);
    carom_observer *observer = observe_all(model);
    carom_run *run = NULL;
    CHECK_OK(carom_scratch_create(model, 1, &scratch, &err), err);
    CHECK_OK(carom_run_create(model, &(carom_run_def){ 0 }, &run, &err), err);
    CHECK_OK(carom_run_advance(run, 0.033, 0.0, &err), err);
    CHECK_OK(carom_observe(observer, carom_run_state(run), scratch, seen, &err), err);
    for (int k = 0; k < SIGNALS; ++k) {
        CHECK_OK(carom_observe_signal(model, carom_run_state(run), scratch, signals[k], &one, &err), err);
        CHECK(seen[k] == one);
    }
    CHECK(seen[7] == 0.033);
    CHECK(seen[2] > 1.0);
    CHECK_EQ(carom_observer_count(observer), SIGNALS);
    CHECK_TEXT(carom_observer_unit(observer, 0), "m");
    CHECK_TEXT(carom_observer_unit(observer, 1), "rad");
    CHECK_TEXT(carom_observer_unit(observer, 5), "N*m");
    carom_run_destroy(run);
    carom_scratch_destroy(scratch);
    carom_observer_destroy(observer);
    carom_model_destroy(model);
}

TEST(observer, names_what_it_does_not_know)
{
    const char *const names[] = { "hinge.angle", "hinge.angel" };
    carom_error err = { 0 };
    carom_observer *observer = NULL;
    carom_model *model = small_compile(scene);
    CHECK_EQ(carom_observer_create(model, names, 2, &observer, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "hinge.angel");
    carom_model_destroy(model);
}

static void run_into(const carom_model *model, carom_memory *memory, double duration)
{
    carom_error err = { 0 };
    carom_sink sink = carom_sink_memory(memory);
    const carom_run_def def = { .duration = duration, .sink = &sink };
    carom_run *run = NULL;
    CHECK_OK(carom_run_create(model, &def, &run, &err), err);
    CHECK_OK(carom_run_advance(run, HUGE_VAL, 0.0, &err), err);
    carom_run_destroy(run);
}

/* Events too; the order of fields within is that of the header. */
static void check_events(const carom_memory *memory, const carom_result *result)
{
    size_t count = 0;
    const carom_event *seen = carom_memory_events(memory, &count);
    const carom_event *kept = carom_result_events(result);
    CHECK_EQ(count, carom_result_event_count(result));
    CHECK_GE((double)count, 2.0);
    for (size_t i = 0; i < count; ++i) {
        CHECK(seen[i].t == kept[i].t && seen[i].kind == kept[i].kind);
        CHECK(seen[i].body[0] == kept[i].body[0] && seen[i].body[1] == kept[i].body[1]);
        CHECK(seen[i].speed == kept[i].speed && seen[i].joint == kept[i].joint);
        CHECK(seen[i].position.x == kept[i].position.x && seen[i].normal.z == kept[i].normal.z);
    }
}

TEST(memory, holds_what_a_folder_holds)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    const double *values = NULL;
    carom_error err = { 0 };
    carom_model *model = small_compile(scene);
    carom_observer *observer = observe_all(model);
    carom_memory *memory = NULL;
    CHECK_OK(carom_memory_create(observer, 0.0, &memory, &err), err);
    CHECK(mkdtemp(folder) != NULL);
    small_run(scene, folder);
    run_into(model, memory, 0.0);
    carom_result *result = small_open(folder);
    carom_column times = carom_memory_times(memory);
    CHECK_EQ(times.count, carom_result_frame_count(result));
    for (size_t i = 0; i < times.count; ++i) {
        CHECK(times.values[i * times.stride] == carom_result_time(result)[i]);
    }
    for (size_t k = 0; k < 4; ++k) { /* results have these under the same names */
        size_t place;
        carom_column column = carom_memory_signal(memory, k);
        if (k == 2) {
            continue;
        }
        CHECK_OK(carom_result_find_signal(result, signals[k], &place, &values, &err), err);
        for (size_t i = 0; i < times.count; ++i) {
            CHECK(column.values[i * column.stride] == values[i]);
        }
    }
    check_events(memory, result);
    carom_result_close(result);
    carom_memory_destroy(memory);
    carom_observer_destroy(observer);
    carom_model_destroy(model);
    small_remove(folder);
}

TEST(memory, has_its_own_times_and_serves_again)
{
    carom_error err = { 0 };
    carom_model *model = small_compile(scene);
    carom_observer *observer = observe_all(model);
    carom_memory *memory = NULL;
    CHECK_OK(carom_memory_create(observer, 0.004, &memory, &err), err);
    run_into(model, memory, 0.0);
    CHECK_EQ(carom_memory_times(memory).count, 16); /* 0 to 0.06 s */
    run_into(model, memory, 0.01);
    carom_column t = carom_memory_times(memory);
    carom_column seen = carom_memory_signal(memory, 7);
    const double expected[] = { 0.0, 0.004, 0.008, 0.01 };
    CHECK_EQ(t.count, 4);
    CHECK_EQ(seen.count, 4);
    for (size_t i = 0; i < 4; ++i) {
        CHECK(t.values[i * t.stride] == expected[i]);
        CHECK(seen.values[i * seen.stride] == expected[i]);
    }
    carom_memory_destroy(memory);
    carom_observer_destroy(observer);
    carom_model_destroy(model);
}

/* More frames than memory has are refused before anything is done. */
TEST(memory, refuses_more_frames_than_anybody_looks_at)
{
    carom_error err = { 0 };
    carom_model *model = small_compile(scene);
    carom_observer *observer = observe_all(model);
    carom_memory *memory = NULL;
    carom_run *run = NULL;
    CHECK_OK(carom_memory_create(observer, 1e-12, &memory, &err), err);
    carom_sink sink = carom_sink_memory(memory);
    const carom_run_def def = { .sink = &sink };
    CHECK_OK(carom_run_create(model, &def, &run, &err), err);
    CHECK_EQ(carom_run_advance(run, HUGE_VAL, 0.0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "every 1e-12 s");
    carom_run_destroy(run);
    carom_memory_destroy(memory);
    carom_observer_destroy(observer);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(observer, sees_what_single_signals_show),
        RUN_TEST(observer, names_what_it_does_not_know),
        RUN_TEST(memory, holds_what_a_folder_holds),
        RUN_TEST(memory, has_its_own_times_and_serves_again),
        RUN_TEST(memory, refuses_more_frames_than_anybody_looks_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
