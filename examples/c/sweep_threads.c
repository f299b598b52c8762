/* Many short runs of one model on threads: a sweep over starts.
 *
 *     cc sweep_threads.c $(pkg-config --cflags --libs carom) -lpthread -lm -o sweep_threads && ./sweep_threads
 *
 * A ball on a rod swings against a wall. From which angle does it pull hardest at its hinge? Every run sets a state to one
 * angle and records the force in memory; four threads take one run after the other. Then one thread does all of it again:
 * every run ends in the same bits. */
#include <carom/carom.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 40, THREADS = 4 };

static const char scene[] =
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1},"
    " \"contact\": {\"method\": \"impact\", \"restitution\": 0.8}, \"bodies\": ["
    "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"box\": [0.1, 0.4, 0.5]}, \"position\": [0.11, 0, -0.8]},"
    "{\"name\": \"ball\", \"mass\": 3, \"shape\": {\"sphere\": 0.06}, \"position\": [0, 0, -0.8]}], \"joints\": ["
    "{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"ball\"], \"axis\": [0, 1, 0]}]}";

typedef struct outcome {
    double pull;   /* [N] largest force on the hinge */
    uint64_t hash; /* of the state at the end */
} outcome;

typedef struct sweep {
    const carom_model *model;
    const carom_observer *observer;
    outcome outcomes[RUNS];
    atomic_int next; /* run that nobody has begun */
} sweep;

/* [rad] from the vertical */
static double angle_of(int i)
{
    return 0.2 + 1.2 * i / (RUNS - 1);
}

/* Sets a state, runs it to the end and keeps what the memory has heard. The state is a new one: setting turns the ball from
 * where it is, so that the last bits depend on where it was. */
static carom_status run_one(const sweep *s, int i, carom_memory *memory, outcome *out)
{
    carom_run *run = NULL;
    carom_state *start = carom_state_create(s->model);
    carom_sink sink = carom_sink_memory(memory);
    const carom_run_def def = { .from = start, .sink = &sink };
    carom_status status = carom_state_set_coordinate(s->model, start, 0, angle_of(i), 0.0, NULL);
    status = status == CAROM_OK ? carom_run_create(s->model, &def, &run, NULL) : status;
    status = status == CAROM_OK ? carom_run_advance(run, HUGE_VAL, 0.0, NULL) : status;
    carom_column force = carom_memory_signal(memory, 0);
    for (size_t k = 0; status == CAROM_OK && k < force.count; ++k) {
        out->pull = fmax(out->pull, force.values[k * force.stride]);
    }
    out->hash = status == CAROM_OK ? carom_state_hash(carom_run_state(run)) : 0;
    carom_run_destroy(run);
    carom_state_destroy(start);
    return status;
}

/* One thread: the memory serves one run after the other. A run that fails leaves a hash of 0. */
static void *work(void *context)
{
    sweep *s = context;
    carom_memory *memory = NULL;
    carom_status status = carom_memory_create(s->observer, 1e-3, &memory, NULL);
    for (int i; status == CAROM_OK && (i = atomic_fetch_add(&s->next, 1)) < RUNS;) {
        run_one(s, i, memory, &s->outcomes[i]);
    }
    carom_memory_destroy(memory);
    return NULL;
}

static void work_on_threads(sweep *s)
{
    pthread_t threads[THREADS];
    int count = 0;
    while (count < THREADS && pthread_create(&threads[count], NULL, work, s) == 0) {
        ++count;
    }
    while (count > 0) {
        pthread_join(threads[--count], NULL);
    }
}

int main(void)
{
    static sweep together, alone;
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_observer *observer = NULL;
    int same = 0;
    const char *const signals[] = { "hinge.force" };
    carom_status status = carom_scene_parse(scene, strlen(scene), "swing", ".", NULL, 0, &spec, &err);
    status = status == CAROM_OK ? carom_compile(spec, &model, &err) : status;
    status = status == CAROM_OK ? carom_observer_create(model, signals, 1, &observer, &err) : status;
    carom_spec_destroy(spec);
    if (status == CAROM_OK) {
        together.model = alone.model = model;
        together.observer = alone.observer = observer;
        work_on_threads(&together);
        work(&alone);
    }
    for (int i = 0; i < RUNS; ++i) {
        printf("from %4.2f rad: %8.3f N\n", angle_of(i), together.outcomes[i].pull);
        same += together.outcomes[i].hash != 0 && together.outcomes[i].hash == alone.outcomes[i].hash;
    }
    printf("%d of %d runs end alike on %d threads and on one%s%s\n", same, RUNS, THREADS, err.message[0] ? ": " : "",
           err.message);
    carom_observer_destroy(observer);
    carom_model_destroy(model);
    return same == RUNS ? 0 : 1;
}
