/* Many states of one model on threads. Every worker has a scratch and takes one state after the other; a scratch carries nothing
 * from one state to the next, so that bits do not depend on who took which. */
#include <carom/batch.h>

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "dynamics/observer.h"
#include "dynamics/set_signal.h"
#include "sim/start.h"

static const double MOST_STATES = 1e8;

struct carom_batch {
    const carom_model *model;
    size_t count;
    carom_state **states;
    carom_error **errors; /* of each state; NULL: it has not failed */
    int scratch_count;
    carom_scratch **scratches;
};

/* Of a state that has failed when there was no memory for its sentence. Nobody changes it. */
static carom_error speechless = { .status = CAROM_NO_MEMORY, .message = "out of memory", .count = 1 };

/* What workers share while a call lasts. */
typedef struct batch_work {
    const carom_batch *batch;
    atomic_size_t next; /* state that nobody has taken */
    atomic_size_t left; /* states that are on their way when time is up */
    double until;       /* [s] */
    double deadline;    /* [s] of the wall clock; infinite: none */
    const carom_observer *observer;
    double *out;
} batch_work;

/* ---- life ---------------------------------------------------------------------------------------------------------- */

void carom_batch_destroy(carom_batch *b)
{
    if (!b) {
        return;
    }
    for (size_t i = 0; b->states && i < b->count; ++i) {
        carom_state_destroy(b->states[i]);
    }
    for (int k = 0; k < b->scratch_count; ++k) {
        carom_scratch_destroy(b->scratches[k]);
    }
    for (size_t i = 0; b->errors && i < b->count; ++i) {
        carom_batch_forgive(b, i);
    }
    free(b->states);
    free(b->errors);
    free(b->scratches);
    free(b);
}

static carom_status no_memory(size_t count, carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for a batch of %zu states", count);
}

static carom_status fill(carom_batch *b, const carom_state *from, carom_error *err)
{
    bool ok = b->states && b->errors;
    for (size_t i = 0; ok && i < b->count; ++i) {
        b->states[i] = carom_state_create(b->model);
        ok = b->states[i] && (!from || carom_state_copy(b->states[i], from) == CAROM_OK);
    }
    return ok ? CAROM_OK : no_memory(b->count, err);
}

carom_status carom_batch_create(const carom_model *model, size_t count, const carom_state *from, carom_batch **out,
                                carom_error *err)
{
    const char *function = "carom_batch_create";
    const argument needed[] = { { "model", model }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given(function, needed, 2, err);
    if (status == CAROM_OK && (count == 0 || (double)count > MOST_STATES)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: 'count' must be 1 to %.0f, not %zu", function, MOST_STATES,
                            count);
    }
    status = status == CAROM_OK && from ? state_check(function, model, from, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    carom_batch *b = calloc(1, sizeof *b);
    if (!b) {
        return no_memory(count, err);
    }
    *b = (carom_batch){ .model = model,
                        .count = count,
                        .states = calloc(count, sizeof *b->states),
                        .errors = calloc(count, sizeof *b->errors) };
    status = fill(b, from, err);
    if (status != CAROM_OK) {
        carom_batch_destroy(b);
        return status;
    }
    *out = b;
    return CAROM_OK;
}

/* One scratch per worker; they stay for the next call. */
static carom_status need_scratches(carom_batch *b, int workers, carom_error *err)
{
    if (workers <= b->scratch_count) {
        return CAROM_OK;
    }
    if (!CAROM_ARRAY_RESIZE(b->scratches, (size_t)workers)) {
        return no_memory(b->count, err);
    }
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && b->scratch_count < workers) {
        status = carom_scratch_create(b->model, 1, &b->scratches[b->scratch_count], err);
        b->scratch_count += status == CAROM_OK;
    }
    return status;
}

/* No more workers than states. */
static int worker_count(const carom_batch *b, int threads)
{
    int wanted = threads > 1 ? threads : 1;
    return (size_t)wanted < b->count ? wanted : (int)b->count;
}

/* ---- reading and setting ------------------------------------------------------------------------------------------- */

size_t carom_batch_count(const carom_batch *b)
{
    return b ? b->count : 0;
}

carom_state *carom_batch_state(const carom_batch *b, size_t index)
{
    return b && index < b->count ? b->states[index] : NULL;
}

size_t carom_batch_failed(const carom_batch *b)
{
    size_t failed = 0;
    for (size_t i = 0; b && i < b->count; ++i) {
        failed += b->errors[i] != NULL;
    }
    return failed;
}

const carom_error *carom_batch_error(const carom_batch *b, size_t index)
{
    return b && index < b->count ? b->errors[index] : NULL;
}

void carom_batch_forgive(carom_batch *b, size_t index)
{
    if (b && index < b->count) {
        free(b->errors[index] == &speechless ? NULL : b->errors[index]);
        b->errors[index] = NULL;
    }
}

/* Says which state it was. */
static carom_status name_state(size_t index, const carom_error *said, carom_error *err)
{
    return carom_fail(err, said->status, "state %zu: %s", index, said->message);
}

carom_status carom_batch_set(carom_batch *b, const char *signal, const double *values, size_t count, carom_error *err)
{
    const char *function = "carom_batch_set";
    const argument needed[] = { { "batch", b }, { "values", values } };
    signal_ref ref;
    carom_status status = arguments_given(function, needed, 2, err);
    status = status == CAROM_OK ? argument_text(function, "signal", signal, err) : status;
    if (status == CAROM_OK && count != 1 && count != b->count) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "%s: 'count' is %zu, but the batch has %zu states; give one value "
                            "for each, or one for all",
                            function, count, b->count);
    }
    status = status == CAROM_OK ? need_scratches(b, 1, err) : status;
    status = status == CAROM_OK ? set_signal_find(b->model, signal, &ref, err) : status;
    for (size_t i = 0; status == CAROM_OK && i < b->count; ++i) {
        carom_error said = { 0 };
        double value = values[count == 1 ? 0 : i];
        status = set_signal_value(b->model, b->states[i], b->scratches[0], &ref, value, &said);
        status = status == CAROM_OK ? CAROM_OK : name_state(i, &said, err);
    }
    return status;
}

/* ---- advancing ----------------------------------------------------------------------------------------------------- */

static bool on_its_way(const batch_work *work, size_t i)
{
    const carom_batch *b = work->batch;
    return !b->errors[i] && *b->states[i]->time < work->until;
}

static carom_error *keep_error(const carom_error *said, carom_status status)
{
    carom_error *kept = malloc(sizeof *kept);
    if (!kept) {
        return &speechless;
    }
    *kept = *said;
    kept->status = status;
    return kept;
}

/* One state goes on until it is there, fails, or time is up; the first of a worker makes a step in any case. */
static void advance_one(batch_work *work, carom_scratch *scratch, size_t i, bool first)
{
    const carom_batch *b = work->batch;
    carom_state *s = b->states[i];
    bool in_time = first || carom_clock_wall() < work->deadline;
    while (in_time && on_its_way(work, i)) {
        carom_step_report report;
        carom_error said = { 0 };
        sim_clear(scratch);
        carom_status status = sim_step(b->model, s, scratch, work->until - *s->time, &report, &said);
        b->errors[i] = status == CAROM_OK ? NULL : keep_error(&said, status);
        in_time = carom_clock_wall() < work->deadline;
    }
    if (on_its_way(work, i)) {
        atomic_fetch_add(&work->left, 1);
    }
}

/* `begin` is the number of the worker. */
static void advance_worker(void *context, size_t begin, size_t end)
{
    batch_work *work = context;
    for (size_t k = begin; k < end; ++k) {
        bool first = true;
        for (size_t i; (i = atomic_fetch_add(&work->next, 1)) < work->batch->count;) {
            bool goes = on_its_way(work, i);
            advance_one(work, work->batch->scratches[k], i, first);
            first = first && !goes;
        }
    }
}

carom_status carom_batch_advance(carom_batch *b, double until, double wall_limit, int threads, size_t *left,
                                 carom_error *err)
{
    const char *function = "carom_batch_advance";
    carom_status status = argument_given(function, "batch", b, err);
    status = status == CAROM_OK ? argument_nonnegative(function, "until", until, "s", err) : status;
    status = status == CAROM_OK ? argument_nonnegative(function, "wall_limit", wall_limit, "s", err) : status;
    status = status == CAROM_OK ? argument_threads(function, threads, err) : status;
    int workers = status == CAROM_OK ? worker_count(b, threads) : 0;
    status = status == CAROM_OK ? need_scratches(b, workers, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    batch_work work = { .batch = b, .until = until };
    work.deadline = wall_limit > 0.0 ? carom_clock_wall() + wall_limit : HUGE_VAL;
    carom_parallel_uneven(workers, (size_t)workers, 2, advance_worker, &work);
    if (left) {
        *left = atomic_load(&work.left);
    }
    return CAROM_OK;
}

static void observe_worker(void *context, size_t begin, size_t end)
{
    batch_work *work = context;
    const carom_batch *b = work->batch;
    size_t width = carom_observer_count(work->observer);
    for (size_t k = begin; k < end; ++k) {
        for (size_t i; (i = atomic_fetch_add(&work->next, 1)) < b->count;) {
            carom_error said = { 0 };
            carom_status status = carom_observe(work->observer, b->states[i], b->scratches[k],
                                                work->out ? work->out + i * width : NULL, &said);
            size_t none = 0;
            if (status != CAROM_OK) {
                atomic_compare_exchange_strong(&work->left, &none, i + 1);
            }
        }
    }
}

/* The lowest state that could not be observed, again, for its sentence: which thread came first does not matter. */
static carom_status observe_again(const batch_work *work, carom_error *err)
{
    const carom_batch *b = work->batch;
    size_t width = carom_observer_count(work->observer);
    for (size_t i = 0; i < b->count; ++i) {
        carom_error said = { 0 };
        if (carom_observe(work->observer, b->states[i], b->scratches[0], work->out + i * width, &said) != CAROM_OK) {
            return name_state(i, &said, err);
        }
    }
    return CAROM_OK;
}

carom_status carom_batch_observe(carom_batch *b, const carom_observer *observer, int threads, double *out,
                                 carom_error *err)
{
    const char *function = "carom_batch_observe";
    carom_status status = argument_given(function, "batch", b, err);
    status = status == CAROM_OK ? observer_check(function, observer, b->model, out, err) : status;
    status = status == CAROM_OK ? argument_threads(function, threads, err) : status;
    int workers = status == CAROM_OK ? worker_count(b, threads) : 0;
    status = status == CAROM_OK ? need_scratches(b, workers, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    batch_work work = { .batch = b, .observer = observer, .out = out };
    carom_parallel_uneven(workers, (size_t)workers, 2, observe_worker, &work);
    return atomic_load(&work.left) > 0 ? observe_again(&work, err) : CAROM_OK;
}
