/* A sweep: threads take one missing run after the other, the journal takes their rows. Of a search they take one start after the
 * other, with all its runs, those that have rows already too. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arguments.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "study/identity.h"
#include "study/journal.h"

typedef carom_sweep sweep;

struct carom_sweep {
    carom_study *study;
    const carom_sweep_options *options;
    journal journal;
    size_t *todo; /* missing runs of this part, ascending; of a search its starts */
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

    carom_sweep_options own; /* of one in the hands of a caller */
    char *folder;
};

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

static carom_status no_row(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a row");
}

static bool row_is_of_crash(const carom_row *row, const char *folder)
{
    char why[80];
    return journal_crashes(folder, row->run, why, sizeof why) >= 2;
}

/* A run that has ended two processes is left out. */
static carom_status say_crash(carom_row *row, const char *folder, carom_error *err)
{
    char why[80] = "";
    char reason[160];
    journal_crashes(folder, row->run, why, sizeof why);
    snprintf(reason, sizeof reason, "has ended the process twice (%s)", why[0] ? why : "killed");
    return row_say(row, CAROM_ROW_CRASHED, reason) ? CAROM_OK : no_row(err);
}

static void tell_run(const sweep *w, size_t run)
{
    if (w->options->begins) {
        w->options->begins(w->options->begins_context, run);
    }
}

/* inputs NULL: those of the sampling. */
static void do_run(sweep *w, size_t run, const double *inputs)
{
    carom_error err = { 0 };
    carom_row *row = row_create(w->study, run);
    if (row && inputs) {
        memcpy(row->inputs, inputs, w->study->variable_count * sizeof *inputs);
    }
    tell_run(w, run);
    carom_status status = !row ? no_row(&err)
                          : row_is_of_crash(row, w->options->folder)
                              ? say_crash(row, w->options->folder, &err)
                              : evaluate_row(w->study, row, must_stop, w, &err);
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

/* ---- one start of a search ---------------------------------------------------------------------------------------- */

static const carom_row *row_there(sweep *w, size_t run)
{
    pthread_mutex_lock(&w->lock);
    const carom_row *row = w->study->rows[run];
    pthread_mutex_unlock(&w->lock);
    return row;
}

/* The row that the folder has, or a new one. */
static carom_status row_of_search(void *context, size_t run, const double *inputs, const carom_row **out,
                                  carom_error *err)
{
    sweep *w = context;
    size_t size = w->study->variable_count * sizeof *inputs;
    *out = row_there(w, run);
    if (*out && memcmp((*out)->inputs, inputs, size) != 0) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'%.200s': the optimiser asks for other numbers in run %zu than it has asked for before: it is "
            "another version of NLopt; take another folder with -o",
            w->options->folder, run);
    }
    if (!*out) {
        do_run(w, run, inputs);
        *out = row_there(w, run);
    }
    return *out ? CAROM_OK : carom_fail(err, CAROM_INTERRUPTED, "interrupted");
}

static void do_start(sweep *w, size_t start)
{
    carom_error err = { 0 };
    search_end end = { 0 };
    carom_status status = search_run(w->study, start, row_of_search, w, &end, &err);
    pthread_mutex_lock(&w->lock);
    w->study->ends[start] = end;
    if (status == CAROM_OK) {
        size_t unused = (size_t)w->study->sampled.runs - end.used;
        w->progress.runs -= unused;
        w->progress.rows[CAROM_ROW_MISSING] -= unused;
    } else if (status != CAROM_INTERRUPTED) {
        give_up(w, status, &err);
    }
    pthread_mutex_unlock(&w->lock);
}

static void *work(void *context)
{
    sweep *w = context;
    for (size_t k; !must_stop(w) && (k = atomic_fetch_add(&w->next, 1)) < w->todo_count;) {
        if (sample_depends(w->study)) {
            do_start(w, w->todo[k]);
        } else {
            do_run(w, w->todo[k], NULL);
        }
    }
    pthread_mutex_lock(&w->lock);
    w->working--;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

/* Rows are on disk a second after they were written, also where the next one takes long. */
static void sync_rows(sweep *w)
{
    carom_error err = { 0 };
    carom_status status = journal_sync(&w->journal, &err);
    if (status != CAROM_OK) {
        give_up(w, status, &err);
    }
}

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
        sync_rows(w);
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

/* A start of a search is one part's with all its runs. */
static bool is_mine(const carom_study *s, const carom_sweep_options *o, size_t run)
{
    size_t what = sample_depends(s) ? run % (size_t)s->sampled.starts : run;
    return o->parts <= 0 || what % (size_t)o->parts == (size_t)(o->part - 1);
}

static carom_status list_work(sweep *w, carom_error *err)
{
    const carom_study *s = w->study;
    w->todo = calloc(s->run_count + 1, sizeof *w->todo);
    for (size_t i = 0; w->todo && i < s->run_count; ++i) {
        if (is_mine(s, w->options, i)) {
            w->progress.runs++;
            w->progress.rows[s->rows[i] ? s->rows[i]->status : CAROM_ROW_MISSING]++;
            bool begins = sample_depends(s) ? i < (size_t)s->sampled.starts : !s->rows[i];
            if (begins) {
                w->todo[w->todo_count++] = i;
            }
        }
    }
    return w->todo ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for %zu runs", s->run_count);
}

static bool is_complete(const carom_study *s)
{
    size_t i = 0;
    while (i < s->run_count && (s->rows[i] || !carom_study_needs(s, i))) {
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
    for (int k = 0; sample_depends(s) && k < s->sampled.starts; ++k) {
        s->ends[k] = (search_end){ 0 };
    }
}

/* The folder is the study's, its rows are loaded, what is missing is listed. */
static carom_status begin(sweep *w, carom_error *err)
{
    forget_rows(w->study);
    carom_status status = identity_claim(w->study, w->options->folder, err);
    status = status == CAROM_OK ? journal_open(&w->journal, w->study, w->options, err) : status;
    status = status == CAROM_OK ? journal_load(w->study, w->options->folder, err) : status;
    return status == CAROM_OK ? list_work(w, err) : status;
}

/* The journal is on disk; the table follows once all rows are there. */
static carom_status finish(sweep *w, carom_status status, carom_error *err)
{
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

static void set_up(sweep *w, carom_study *s, const carom_sweep_options *options)
{
    w->study = s;
    w->options = options;
    w->start = carom_clock_wall();
    w->journal = (journal){ .fd = -1, .timing = -1, .synced = true };
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->ended, NULL);
}

static void take_down(sweep *w)
{
    pthread_cond_destroy(&w->ended);
    pthread_mutex_destroy(&w->lock);
    free(w->todo);
}

carom_status carom_study_sweep(carom_study *s, const carom_sweep_options *options, carom_error *err)
{
    carom_status status = check_options(s, options, err);
    if (status != CAROM_OK) {
        return status;
    }
    sweep w = { 0 };
    set_up(&w, s, options);
    status = begin(&w, err);
    status = status == CAROM_OK && w.todo_count > 0 ? work_on_threads(&w, err) : status;
    status = finish(&w, status, err);
    take_down(&w);
    return status;
}

carom_status carom_study_load(carom_study *s, const char *folder, carom_error *err)
{
    carom_status status = argument_given("carom_study_load", "study", s, err);
    status = status == CAROM_OK ? argument_text("carom_study_load", "folder", folder, err) : status;
    if (status == CAROM_OK) {
        forget_rows(s);
        status = journal_load(s, folder, err);
    }
    return status;
}

/* ---- in the hands of a caller ------------------------------------------------------------------------------------- */

carom_status carom_sweep_open(carom_study *s, const carom_sweep_options *options, carom_sweep **out, carom_error *err)
{
    if (out) {
        *out = NULL;
    }
    carom_status status = check_options(s, options, err);
    status = status == CAROM_OK ? argument_given("carom_sweep_open", "out", out, err) : status;
    if (status == CAROM_OK && sample_depends(s)) {
        status = carom_fail(
            err, CAROM_BAD_INPUT,
            "runs of a search follow from runs before them and cannot be handed out; 'carom sweep' does it, with "
            "--part for several machines");
    }
    if (status != CAROM_OK) {
        return status;
    }
    sweep *w = calloc(1, sizeof *w);
    char *folder = malloc(strlen(options->folder) + 1);
    if (!w || !folder) {
        free(w);
        free(folder);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a sweep");
    }
    strcpy(folder, options->folder);
    w->own = *options;
    w->own.folder = w->folder = folder;
    set_up(w, s, &w->own);
    status = begin(w, err);
    if (status != CAROM_OK) {
        finish(w, status, NULL);
        take_down(w);
        free(folder);
        free(w);
        return status;
    }
    *out = w;
    return CAROM_OK;
}

bool carom_sweep_take(carom_sweep *w, size_t *run)
{
    size_t k = w && run && !must_stop(w) ? atomic_fetch_add(&w->next, 1) : SIZE_MAX;
    bool any = w && k < w->todo_count;
    if (any) {
        *run = w->todo[k];
    }
    return any;
}

static carom_status check_row(const carom_sweep *w, const carom_row *row, carom_error *err)
{
    const argument needed[] = { { "sweep", w }, { "row", row } };
    carom_status status = arguments_given("carom_sweep_add", needed, 2, err);
    if (status == CAROM_OK && (row->run >= w->study->run_count || !is_mine(w->study, w->options, row->run) ||
                               row->status <= CAROM_ROW_MISSING || row->status >= CAROM_ROW_STATUSES)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "carom_sweep_add: this is no row of run %zu of the study",
                            row->run);
    }
    return status;
}

carom_status carom_sweep_add(carom_sweep *w, carom_row *row, carom_error *err)
{
    carom_status status = check_row(w, row, err);
    if (status != CAROM_OK) {
        carom_row_destroy(row);
        return status;
    }
    pthread_mutex_lock(&w->lock);
    if (w->study->rows[row->run]) {
        carom_row_destroy(row); /* the first counts */
    } else {
        take_row(w, row);
    }
    status = w->status == CAROM_OK ? CAROM_OK : carom_fail(err, w->status, "%s", w->error.message);
    pthread_mutex_unlock(&w->lock);
    return status;
}

carom_sweep_progress carom_sweep_progress_of(carom_sweep *w)
{
    if (!w) {
        return (carom_sweep_progress){ 0 };
    }
    pthread_mutex_lock(&w->lock);
    carom_sweep_progress now = w->progress;
    pthread_mutex_unlock(&w->lock);
    now.wall = carom_clock_wall() - w->start;
    return now;
}

carom_status carom_sweep_close(carom_sweep *w, carom_error *err)
{
    if (!w) {
        return CAROM_OK;
    }
    carom_status status = finish(w, CAROM_OK, err);
    take_down(w);
    free(w->folder);
    free(w);
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
