/* Many short runs of one model on threads.
 *
 *     cc sweep_threads.c $(pkg-config --cflags --libs carom) -lpthread -lm -o sweep_threads && ./sweep_threads
 *
 * A ball on a rod swings against a wall. One long run keeps a state every tenth of a second and records nothing. Then each
 * tenth is run again from its state, with a fine record in memory, on any of four threads: how hard does the hinge pull in
 * each? Every short run ends in the very bits of the long one. */
#include <carom/carom.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { PIECES = 40, THREADS = 4 };
static const double PIECE = 0.1; /* [s] */

static const char scene[] =
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"contact\": {\"method\": \"impact\", \"restitution\": 0.8}, "
    "\"bodies\": ["
    "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"box\": [0.1, 0.4, 0.5]}, \"position\": [0.11, 0, -0.8]},"
    "{\"name\": \"ball\", \"mass\": 3, \"shape\": {\"sphere\": 0.06}, \"position\": [-0.75, 0, -0.29]}], \"joints\": "
    "["
    "{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"ball\"], \"axis\": [0, -1, 0]}]}";

typedef struct piece {
    carom_state *start;
    uint64_t end; /* hash of the state that the long run has there */
    double pull;  /* [N] largest force on the hinge */
    bool same;    /* the short run ends in the same bits */
} piece;

typedef struct sweep {
    carom_model *model;
    carom_observer *observer;
    piece pieces[PIECES];
    atomic_int next; /* piece that nobody has begun */
} sweep;

static carom_status prepare(sweep *s, carom_error *err)
{
    const char *const signals[] = { "hinge.force" };
    carom_spec *spec = NULL;
    carom_status status = carom_scene_parse(scene, strlen(scene), "swing", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, &s->model, err) : status;
    status = status == CAROM_OK ? carom_observer_create(s->model, signals, 1, &s->observer, err) : status;
    carom_spec_destroy(spec);
    return status;
}

static carom_status run_long(sweep *s, carom_error *err)
{
    carom_run *run = NULL;
    const carom_run_def def = { .duration = PIECES * PIECE };
    carom_status status = carom_run_create(s->model, &def, &run, err);
    status = status == CAROM_OK ? carom_run_advance(run, 0.0, 0.0, err) : status; /* only begins */
    for (int i = 0; i < PIECES && status == CAROM_OK; ++i) {
        s->pieces[i].start = carom_state_create(s->model);
        status = carom_state_copy(s->pieces[i].start, carom_run_state(run));
        status = status == CAROM_OK ? carom_run_advance(run, (i + 1) * PIECE, 0.0, err) : status;
        s->pieces[i].end = carom_state_hash(carom_run_state(run));
    }
    carom_run_destroy(run);
    return status;
}

/* A run that fails leaves its piece without `same`; the others go on. */
static void run_short(const sweep *s, piece *p, int i, carom_memory *memory)
{
    carom_run *run = NULL;
    carom_sink sink = carom_sink_memory(memory);
    const carom_run_def def = { .from = p->start, .duration = (i + 1) * PIECE, .sink = &sink };
    if (carom_run_create(s->model, &def, &run, NULL) == CAROM_OK &&
        carom_run_advance(run, HUGE_VAL, 0.0, NULL) == CAROM_OK) {
        carom_column force = carom_memory_signal(memory, 0);
        for (size_t k = 0; k < force.count; ++k) {
            p->pull = fmax(p->pull, force.values[k * force.stride]);
        }
        p->same = carom_state_hash(carom_run_state(run)) == p->end;
    }
    carom_run_destroy(run);
}

static void *work(void *context)
{
    sweep *s = context;
    carom_memory *memory = NULL; /* serves one run after the other */
    carom_status status = carom_memory_create(s->observer, 1e-3, &memory, NULL);
    for (int i; status == CAROM_OK && (i = atomic_fetch_add(&s->next, 1)) < PIECES;) {
        run_short(s, &s->pieces[i], i, memory);
    }
    carom_memory_destroy(memory);
    return NULL;
}

int main(void)
{
    static sweep s;
    pthread_t threads[THREADS];
    carom_error err = { 0 };
    int count = 0, same = 0;
    carom_status status = prepare(&s, &err);
    status = status == CAROM_OK ? run_long(&s, &err) : status;
    while (status == CAROM_OK && count < THREADS && pthread_create(&threads[count], NULL, work, &s) == 0) {
        ++count;
    }
    while (count > 0) {
        pthread_join(threads[--count], NULL);
    }
    for (int i = 0; i < PIECES; ++i) {
        printf("from %3.1f s: %8.3f N\n", i * PIECE, s.pieces[i].pull);
        same += s.pieces[i].same;
        carom_state_destroy(s.pieces[i].start);
    }
    printf("%d of %d pieces end as the long run%s%s\n", same, PIECES, err.message[0] ? ": " : "", err.message);
    carom_observer_destroy(s.observer);
    carom_model_destroy(s.model);
    return same == PIECES ? 0 : 1;
}
