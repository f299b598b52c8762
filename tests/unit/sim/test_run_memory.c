/* A run without a folder when memory runs out: every allocation from its observer to its end fails once; the answer is
 * CAROM_NO_MEMORY with a sentence, everything is given back, and a run that succeeds is the run that it would have been. */
#include "support/check.h"
#include "support/failing_heap.h"
#include "support/small_run.h"

static const char scene[] = SMALL_SCENE(SMALL_BALLS ", " SMALL_FLOOR ", " SMALL_ARM, SMALL_HINGE);

typedef struct trial {
    carom_observer *observer;
    carom_memory *memory;
    carom_run *run;
    uint64_t hash;
    size_t frames;
} trial;

static carom_status try_run(trial *t, const carom_model *model, carom_error *err)
{
    const char *const signals[] = { "ball.position.z", "hinge.force" };
    carom_status status = carom_observer_create(model, signals, 2, &t->observer, err);
    status = status == CAROM_OK ? carom_memory_create(t->observer, 1e-3, &t->memory, err) : status;
    carom_sink sink = carom_sink_memory(t->memory);
    const carom_run_def def = { .duration = 0.02, .sink = &sink };
    status = status == CAROM_OK ? carom_run_create(model, &def, &t->run, err) : status;
    status = status == CAROM_OK ? carom_run_advance(t->run, HUGE_VAL, 0.0, err) : status;
    t->hash = carom_state_hash(carom_run_state(t->run));
    t->frames = carom_memory_times(t->memory).count;
    carom_run_destroy(t->run);
    carom_memory_destroy(t->memory);
    carom_observer_destroy(t->observer);
    return status;
}

TEST(runs, survive_every_allocation_that_fails)
{
    trial whole = { 0 };
    carom_error err = { 0 };
    carom_model *model = small_compile(scene);
    CHECK_OK(try_run(&whole, model, &err), err);
    bool failed = true;
    long n = 0;
    long refused = 0;
    while (failed) {
        trial t = { 0 };
        err = (carom_error){ 0 };
        heap_begin(++n);
        carom_status status = try_run(&t, model, &err);
        failed = heap_end();
        if (heap.live != 0 || (status != CAROM_OK && status != CAROM_NO_MEMORY)) {
            print_error("allocation %ld: %s, %ld blocks lost: %s\n", n, carom_status_name(status), heap.live,
                        err.message);
        }
        CHECK_EQ(heap.live, 0);
        CHECK(status == CAROM_OK || (status == CAROM_NO_MEMORY && err.message[0]));
        CHECK(status != CAROM_OK || (t.hash == whole.hash && t.frames == whole.frames));
        refused += status == CAROM_NO_MEMORY;
    }
    printf("  %ld allocations, %ld of them needed\n", n - 1, refused);
    CHECK_GE((double)refused, 50.0);
    CHECK_LE((double)(n - 1 - refused), 3.0); /* only the warning of the start may go without */
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(runs, survive_every_allocation_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
