/* A sweep: threads take one missing run after the other, the journal takes their rows. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/arguments.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "study/identity.h"
#include "study/journal.h"

typedef struct sweep {
    carom_study *study;
    const carom_sweep_options *options;
    journal journal;
    size_t *todo; /* missing runs of this part, ascending */
    size_t todo_count;
    double start; /* [s] */
    atomic_size_t next;
    atomic_bool stop;

    pthread_mutex_t lock; /* over what follows */
    pthread_cond_t ended;
    int working; /* threads */
    carom_sweep_progress progress;
    carom_status status;
    carom_error error;
} sweep;

/* ---- one thread --------------------------------------------------------------------------------------------------- */

static bool must_stop(void *context)
{
    return atomic_load(&((sweep *)context)->stop);
}

static void give_up(sweep *w, carom_status status, const carom_error *err)
{
    if (w->status == CAROM_OK) {
        w->status = status;
        w->error = *err;
    }
    atomic_store(&w->stop, true);
}

/* The row goes to the journal, and only then to the study. */
static void take_row(sweep *w, carom_row *row)
{
    carom_error err = { 0 };
    carom_status status = journal_add(&w->journal, w->study, row, &err);
    if (status != CAROM_OK) {
        give_up(w, status, &err);
        carom_row_destroy(row);
        return;
    }
    w->study->rows[row->run] = row;
    w->progress.rows[CAROM_ROW_MISSING]--;
    w->progress.rows[row->status]++;
    w->progress.fresh++;
}

static void tell_run(const sweep *w, size_t run)
{
    if (w->options->begins) {
        w->options->begins(w->options->begins_context, run);
    }
}

static void do_run(sweep *w, size_t run)
{
    carom_error err = { 0 };
    carom_row *row = row_create(w->study, run);
    tell_run(w, run);
    carom_status status = row ? evaluate_row(w->study, row, must_stop, w, &err)
                              : carom_fail(&err, CAROM_NO_MEMORY, "out of memory for a row");
    tell_run(w, SIZE_MAX);
    pthread_mutex_lock(&w->lock);
    if (status != CAROM_OK) {
        give_up(w, status, &err);
    }
    if (status == CAROM_OK && row->status != CAROM_ROW_MISSING) {
        take_row(w, row);
    } else {
        carom_row_destroy(row);
    }
    pthread_mutex_unlock(&w->lock);
}

static void *work(void *context)
{
    sweep *w = context;
    for (size_t k; !must_stop(w) && (k = atomic_fetch_add(&w->next, 1)) < w->todo_count;) {
        do_run(w, w->todo[k]);
    }
    pthread_mutex_lock(&w->lock);
    w->working--;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

static void watch(sweep *w)
{
    pthread_mutex_lock(&w->lock);
    while (w->working > 0) {
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 100000000;
        soon.tv_sec += soon.tv_nsec / 1000000000;
        soon.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&w->ended, &w->lock, &soon);
        w->progress.wall = carom_clock_wall() - w->start;
        carom_sweep_progress now = w->progress;
        pthread_mutex_unlock(&w->lock);
        if (w->options->keep_going && !w->options->keep_going(w->options->context, &now)) {
            atomic_store(&w->stop, true);
        }
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
}

static carom_status work_on_threads(sweep *w, carom_error *err)
{
    size_t wanted = w->options->workers > 0 ? (size_t)w->options->workers : (size_t)carom_processor_count();
    wanted = wanted < w->todo_count ? wanted : w->todo_count;
    pthread_t *threads = calloc(wanted + 1, sizeof *threads);
    size_t count = 0;
    int code = threads ? 0 : ENOMEM;
    pthread_mutex_lock(&w->lock);
    while (code == 0 && count < wanted) {
        code = pthread_create(&threads[count], NULL, work, w);
        count += code == 0;
        w->working += code == 0;
    }
    pthread_mutex_unlock(&w->lock);
    watch(w);
    while (count > 0) {
        pthread_join(threads[--count], NULL);
    }
    free(threads);
    return code == 0 ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "cannot start %zu threads", wanted);
}

/* ---- before and after --------------------------------------------------------------------------------------------- */

static bool is_mine(const carom_sweep_options *o, size_t run)
{
    return o->parts <= 0 || run % (size_t)o->parts == (size_t)(o->part - 1);
}

/* A run that has ended two processes is left out. */
static carom_status leave_out_crashed(sweep *w, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < w->study->run_count; ++i) {
        char why[80] = "";
        char reason[160];
        if (w->study->rows[i] || !is_mine(w->options, i) ||
            journal_crashes(w->options->folder, i, why, sizeof why) < 2) {
            continue;
        }
        carom_row *row = row_create(w->study, i);
        snprintf(reason, sizeof reason, "has ended the process twice (%s)", why[0] ? why : "killed");
        bool ok = row && row_say(row, CAROM_ROW_CRASHED, reason);
        status = ok ? journal_add(&w->journal, w->study, row, err)
                    : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a row");
        w->study->rows[i] = status == CAROM_OK ? row : NULL;
        if (status != CAROM_OK) {
            carom_row_destroy(row);
        }
    }
    return status;
}

static carom_status list_work(sweep *w, carom_error *err)
{
    const carom_study *s = w->study;
    w->todo = calloc(s->run_count + 1, sizeof *w->todo);
    for (size_t i = 0; w->todo && i < s->run_count; ++i) {
        if (is_mine(w->options, i)) {
            w->progress.runs++;
            w->progress.rows[s->rows[i] ? s->rows[i]->status : CAROM_ROW_MISSING]++;
            if (!s->rows[i]) {
                w->todo[w->todo_count++] = i;
            }
        }
    }
    return w->todo ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for %zu runs", s->run_count);
}

static bool is_complete(const carom_study *s)
{
    size_t i = 0;
    while (i < s->run_count && s->rows[i]) {
        ++i;
    }
    return i == s->run_count;
}

static carom_status check_options(const carom_study *s, const carom_sweep_options *o, carom_error *err)
{
    const char *function = "carom_study_sweep";
    const argument needed[] = { { "study", s }, { "options", o } };
    carom_status status = arguments_given(function, needed, 2, err);
    status = status == CAROM_OK ? argument_text(function, "options->folder", o->folder, err) : status;
    status = status == CAROM_OK ? argument_threads(function, o->workers, err) : status;
    if (status == CAROM_OK && (o->parts < 0 || (o->parts > 0 && (o->part < 1 || o->part > o->parts)))) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: there is no part %d of %d; parts are numbered from 1",
                            function, o->part, o->parts);
    }
    return status;
}

static void forget_rows(carom_study *s)
{
    for (size_t i = 0; i < s->run_count; ++i) {
        carom_row_destroy(s->rows[i]);
        s->rows[i] = NULL;
    }
}

static carom_status go(sweep *w, carom_error *err)
{
    carom_status status = journal_open(&w->journal, w->study, w->options, err);
    status = status == CAROM_OK ? journal_load(w->study, w->options->folder, err) : status;
    status = status == CAROM_OK ? leave_out_crashed(w, err) : status;
    status = status == CAROM_OK ? list_work(w, err) : status;
    status = status == CAROM_OK && w->todo_count > 0 ? work_on_threads(w, err) : status;
    carom_status closed = journal_close(&w->journal, status == CAROM_OK ? err : NULL);
    status = status == CAROM_OK ? closed : status;
    if (status == CAROM_OK && w->status != CAROM_OK) {
        return carom_fail(err, w->status, "%s", w->error.message);
    }
    if (status == CAROM_OK && atomic_load(&w->stop)) {
        return carom_fail(err, CAROM_INTERRUPTED, "interrupted after %zu of %zu runs",
                          w->progress.runs - w->progress.rows[CAROM_ROW_MISSING], w->progress.runs);
    }
    bool whole = w->options->parts <= 0 && is_complete(w->study);
    return status == CAROM_OK && whole ? table_write(w->study, w->options->folder, err) : status;
}

carom_status carom_study_sweep(carom_study *s, const carom_sweep_options *options, carom_error *err)
{
    carom_status status = check_options(s, options, err);
    if (status != CAROM_OK) {
        return status;
    }
    sweep w = { .study = s, .options = options, .start = carom_clock_wall(), .journal = { .fd = -1, .timing = -1 } };
    forget_rows(s);
    status = identity_claim(s, options->folder, err);
    if (status != CAROM_OK) {
        return status;
    }
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.ended, NULL);
    status = go(&w, err);
    pthread_cond_destroy(&w.ended);
    pthread_mutex_destroy(&w.lock);
    free(w.todo);
    return status;
}

carom_status carom_study_note_crash(const carom_study *s, const carom_sweep_options *options, size_t run,
                                    const char *why, carom_error *err)
{
    carom_status status = check_options(s, options, err);
    status = status == CAROM_OK ? argument_given("carom_study_note_crash", "why", why, err) : status;
    if (status == CAROM_OK && run >= s->run_count) {
        status = carom_fail(err, CAROM_BAD_INPUT, "carom_study_note_crash: there is no run %zu", run);
    }
    return status == CAROM_OK ? journal_note_crash(options->folder, run, why, err) : status;
}
