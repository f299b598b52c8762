/* Many short runs of one model on threads.
 *
 *     cc sweep_threads.c $(pkg-config --cflags --libs carom) -lpthread -lm -o sweep_threads
 *     ./sweep_threads examples/scenes/pendulum-wall.json
 *
 * A ball on a rod swings against a wall. One long run keeps a state every tenth of a second and records nothing. Then each
 * tenth is run again from its state, with a fine record in memory, on any of four threads: how hard does the hinge pull in
 * each? Every short run ends in the very bits of the long one. */
#include <carom/carom.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { PIECES = 40, THREADS = 4 };
static const double PIECE = 0.1; /* [s] */

typedef struct piece {
    carom_state *start;
    uint64_t end; /* hash of the state that the long run has there */
    double pull;  /* [N] largest force on the hinge */
    bool same;    /* the short run ends in the same bits */
} piece;

typedef struct worker {
    const carom_model *model;
    const carom_observer *observer;
    piece *pieces;
    int first; /* every THREADS-th from here */
    carom_error err;
} worker;

static carom_status compile(const char *path, carom_model **model, carom_error *err)
{
    const char *const overrides[] = { "contact.method=\"impact\"" };
    carom_spec *spec = NULL;
    carom_status status = carom_scene_load(path, overrides, 1, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, model, err) : status;
    carom_spec_destroy(spec);
    return status;
}

static carom_status run_long(const carom_model *model, piece *pieces, carom_error *err)
{
    struct carom_run *run = NULL;
    const carom_run_def def = { .duration = PIECES * PIECE };
    carom_status status = carom_run_create(model, &def, &run, err);
    status = status == CAROM_OK ? carom_run_advance(run, 0.0, 0.0, err) : status; /* only begins */
    for (int i = 0; i < PIECES && status == CAROM_OK; ++i) {
        pieces[i].start = carom_state_create(model);
        status = carom_state_copy(pieces[i].start, carom_run_state(run));
        status = status == CAROM_OK ? carom_run_advance(run, (i + 1) * PIECE, 0.0, err) : status;
        pieces[i].end = carom_state_hash(carom_run_state(run));
    }
    carom_run_destroy(run);
    return status;
}

static carom_status run_short(worker *w, int i, carom_memory *memory)
{
    piece *p = &w->pieces[i];
    struct carom_run *run = NULL;
    carom_sink sink = carom_sink_memory(memory);
    const carom_run_def def = { .from = p->start, .duration = (i + 1) * PIECE, .sink = &sink };
    carom_status status = carom_run_create(w->model, &def, &run, &w->err);
    status = status == CAROM_OK ? carom_run_advance(run, HUGE_VAL, 0.0, &w->err) : status;
    carom_column force = carom_memory_signal(memory, 0);
    for (size_t k = 0; k < force.count; ++k) {
        p->pull = fmax(p->pull, force.values[k * force.stride]);
    }
    p->same = carom_state_hash(carom_run_state(run)) == p->end;
    carom_run_destroy(run);
    return status;
}

static void *work(void *context)
{
    worker *w = context;
    carom_memory *memory = NULL; /* serves one run after the other */
    carom_status status = carom_memory_create(w->observer, 1e-3, &memory, &w->err);
    for (int i = w->first; i < PIECES && status == CAROM_OK; i += THREADS) {
        status = run_short(w, i, memory);
    }
    carom_memory_destroy(memory);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *const signals[] = { "hinge.force" };
    static piece pieces[PIECES];
    static worker workers[THREADS];
    pthread_t threads[THREADS];
    carom_error err = { 0 };
    carom_model *model = NULL;
    carom_observer *observer = NULL;
    int wrong = 0;
    carom_status status = compile(argc > 1 ? argv[1] : "pendulum-wall.json", &model, &err);
    status = status == CAROM_OK ? carom_observer_create(model, signals, 1, &observer, &err) : status;
    status = status == CAROM_OK ? run_long(model, pieces, &err) : status;
    for (int i = 0; i < THREADS && status == CAROM_OK; ++i) {
        workers[i] = (worker){ .model = model, .observer = observer, .pieces = pieces, .first = i };
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) {
            return 1;
        }
    }
    for (int i = 0; i < THREADS && status == CAROM_OK; ++i) {
        pthread_join(threads[i], NULL);
        err = workers[i].err.status != CAROM_OK ? workers[i].err : err;
    }
    for (int i = 0; i < PIECES; ++i) {
        printf("%4.1f s %9.3f N%s\n", i * PIECE, pieces[i].pull, pieces[i].same ? "" : ", ends otherwise");
        wrong += !pieces[i].same;
        carom_state_destroy(pieces[i].start);
    }
    fprintf(stderr, "%s%s", err.message, err.message[0] ? "\n" : "");
    carom_observer_destroy(observer);
    carom_model_destroy(model);
    return wrong ? 1 : 0;
}
