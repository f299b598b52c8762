/* Many runs of one model in several threads at once: the same bits as one after the other. The thread sanitizer (preset
 * "tsan") sees whether they share anything that they write. */
#include <pthread.h>

#include "support/check.h"
#include "support/small_run.h"

static const char compliant[] = SMALL_SCENE(SMALL_BALLS ", " SMALL_FLOOR ", " SMALL_ARM, SMALL_HINGE);
static const char impact[] =
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.4}, \"record\": {\"every\": 0.05},"
    " \"contact\": {\"method\": \"impact\", \"restitution\": 0.5, \"friction\": {\"coulomb\": {\"mu\": 0.2}}},"
    " \"bodies\": [" SMALL_BALLS ", " SMALL_FLOOR ", " SMALL_ARM "]" SMALL_HINGE
    ", \"forces\": [{\"name\": \"push\", \"type\": \"load\", \"body\": \"arm\", \"force\": [\"sin(9*t)\", 0, 0]}]}";

enum { RUNS = 12, MOST_THREADS = 4 };

typedef struct outcome {
    uint64_t hash;
    double sum; /* of everything that was recorded */
    carom_status status;
} outcome;

typedef struct worker {
    const carom_model *model;
    const carom_observer *observer;
    outcome *out; /* RUNS of them */
    int first, stride;
} worker;

/* Every third run records nothing; they last differently long. */
static outcome run_one(const worker *w, int i, carom_memory *memory)
{
    outcome out = { 0 };
    carom_run *run = NULL;
    carom_sink sink = carom_sink_memory(memory);
    const carom_run_def def = { .duration = 0.03 + 0.002 * i, .sink = i % 3 ? &sink : NULL };
    out.status = carom_run_create(w->model, &def, &run, NULL);
    if (out.status == CAROM_OK) {
        out.status = carom_run_advance(run, HUGE_VAL, 0.0, NULL);
    }
    out.hash = carom_state_hash(carom_run_state(run));
    for (size_t k = 0; i % 3 && k < carom_observer_count(w->observer); ++k) {
        carom_column c = carom_memory_signal(memory, k);
        for (size_t j = 0; j < c.count; ++j) {
            out.sum += c.values[j * c.stride];
        }
    }
    carom_run_destroy(run);
    return out;
}

static void *work(void *context)
{
    const worker *w = context;
    carom_memory *memory = NULL;
    carom_memory_create(w->observer, 0.005, &memory, NULL);
    for (int i = w->first; i < RUNS; i += w->stride) {
        w->out[i] = run_one(w, i, memory);
    }
    carom_memory_destroy(memory);
    return NULL;
}

static void run_all(const carom_model *model, const carom_observer *observer, int threads, outcome out[RUNS])
{
    pthread_t thread[MOST_THREADS];
    worker workers[MOST_THREADS];
    for (int i = 0; i < threads; ++i) {
        workers[i] = (worker){ model, observer, out, i, threads };
        CHECK_EQ(pthread_create(&thread[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < threads; ++i) {
        CHECK_EQ(pthread_join(thread[i], NULL), 0);
    }
}

static void check_threads(const char *scene)
{
    const char *const signals[] = { "ball.position.z", "hinge.angle", "hinge.force", "energy.residue" };
    outcome alone[RUNS], together[RUNS];
    carom_error err = { 0 };
    carom_observer *observer = NULL;
    carom_model *model = small_compile(scene);
    CHECK_OK(carom_observer_create(model, signals, 4, &observer, &err), err);
    run_all(model, observer, 1, alone);
    for (int threads = 2; threads <= MOST_THREADS; threads += 2) {
        run_all(model, observer, threads, together);
        for (int i = 0; i < RUNS; ++i) {
            CHECK_EQ(together[i].status, CAROM_OK);
            CHECK(together[i].hash == alone[i].hash && alone[i].hash != 0);
            CHECK(together[i].sum == alone[i].sum);
        }
    }
    CHECK(alone[0].hash != alone[1].hash);
    carom_observer_destroy(observer);
    carom_model_destroy(model);
}

TEST(runs, in_threads_give_the_same_bits_under_compliant)
{
    check_threads(compliant);
}

TEST(runs, in_threads_give_the_same_bits_under_impact)
{
    check_threads(impact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(runs, in_threads_give_the_same_bits_under_compliant),
        RUN_TEST(runs, in_threads_give_the_same_bits_under_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
