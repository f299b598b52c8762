/* carom-mpi: a study on the ranks of an MPI job. Rank 0 hands out runs and alone writes the journal; every rank, rank 0 included,
 * computes on threads of its own.
 *
 *     worker -> 0   REPORT   how many runs it would like (0: it is done), then finished rows, packed
 *     0 -> worker   RUNS     run numbers; none: there are no more
 *
 * Only main threads call MPI (MPI_THREAD_FUNNELED). They look every third of a millisecond and sleep in between. */
#include <carom/carom.h>

#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG_REPORT = 1, TAG_RUNS, MOST_RUNS = 1024, EXIT_DONE = 0, EXIT_BAD_INPUT = 2, EXIT_GAVE_UP = 3 };

static const double CHUNK = 0.1; /* [s] of work that a rank asks for at a time */

/* ---- the job ------------------------------------------------------------------------------------------------------ */

typedef struct job {
    int rank, ranks;
    const char *file;
    const char *folder;
    size_t runs; /* 0: as the study says */
    int threads;
    bool quiet;
    carom_study *study;
    carom_sweep *sweep; /* of rank 0 */
} job;

/* Ends all ranks: rows that have arrived are on disk, and the same command goes on. */
static void give_up(const job *j, const char *message, int code)
{
    fprintf(stderr, "carom-mpi: rank %d: %s\n", j->rank, message);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, code);
    exit(code);
}

static void require(const job *j, carom_status status, const carom_error *err)
{
    if (status != CAROM_OK) {
        char text[1200];
        const char *mid = err->path[0] ? ": " : "";
        snprintf(text, sizeof text, "%.200s%s%.200s%s%.700s", err->file, err->file[0] ? ": " : "", err->path, mid,
                 err->message);
        give_up(j, text, status == CAROM_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_GAVE_UP);
    }
}

static void require_memory(const job *j, const void *memory)
{
    if (!memory) {
        give_up(j, "out of memory", EXIT_GAVE_UP);
    }
}

static void nap(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
}

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- rank 0 --------------------------------------------------------------------------------------------------------- */

static carom_row *evaluate(const job *j, size_t run)
{
    carom_error err = { 0 };
    carom_row *row = NULL;
    require(j, carom_study_evaluate(j->study, run, &row, &err), &err);
    return row;
}

static void *compute_here(void *context)
{
    const job *j = context;
    carom_error err = { 0 };
    for (size_t run; carom_sweep_take(j->sweep, &run);) {
        require(j, carom_sweep_add(j->sweep, evaluate(j, run), &err), &err);
    }
    return NULL;
}

/* Rows of a report: [bytes of a row][the row] ... */
static void take_rows(const job *j, const char *bytes, size_t size)
{
    carom_error err = { 0 };
    for (uint64_t length; size >= sizeof length; bytes += length, size -= length) {
        memcpy(&length, bytes, sizeof length);
        bytes += sizeof length;
        size -= sizeof length;
        carom_row *row = NULL;
        if (length > size) {
            give_up(j, "a report was cut short", EXIT_GAVE_UP);
        }
        require(j, carom_row_unpack(j->study, bytes, (size_t)length, &row, &err), &err);
        require(j, carom_sweep_add(j->sweep, row, &err), &err);
    }
}

/* At most a part of what is left, so that ranks end together. */
static void hand_out(const job *j, int to, uint64_t wanted)
{
    uint64_t runs[MOST_RUNS];
    carom_sweep_progress now = carom_sweep_progress_of(j->sweep);
    uint64_t fair = now.rows[CAROM_ROW_MISSING] / (2 * (size_t)j->ranks) + 1;
    uint64_t most = wanted < fair ? wanted : fair;
    int count = 0;
    for (size_t run; count < MOST_RUNS && (uint64_t)count < most && carom_sweep_take(j->sweep, &run);) {
        runs[count++] = run;
    }
    MPI_Send(runs, count, MPI_UINT64_T, to, TAG_RUNS, MPI_COMM_WORLD);
}

/* One report, if there is one; how many ranks it says are done: 0 or 1. -1: there is none. */
static int serve_one(const job *j)
{
    int there = 0, size = 0;
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_REPORT, MPI_COMM_WORLD, &there, &from);
    if (!there) {
        return -1;
    }
    MPI_Get_count(&from, MPI_BYTE, &size);
    char *bytes = malloc((size_t)size + 1);
    require_memory(j, bytes);
    MPI_Recv(bytes, size, MPI_BYTE, from.MPI_SOURCE, TAG_REPORT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    uint64_t wanted = 0;
    memcpy(&wanted, bytes, sizeof wanted);
    take_rows(j, bytes + sizeof wanted, (size_t)size - sizeof wanted);
    free(bytes);
    if (wanted > 0) {
        hand_out(j, from.MPI_SOURCE, wanted);
    }
    return wanted == 0;
}

static void serve(const job *j)
{
    int working = j->ranks - 1;
    while (working > 0) {
        int ended = serve_one(j);
        working -= ended > 0;
        if (ended < 0) {
            nap();
        }
    }
}

static void start(const job *j, pthread_t *threads, void *(*work)(void *), void *context)
{
    for (int k = 0; k < j->threads; ++k) {
        if (pthread_create(&threads[k], NULL, work, context) != 0) {
            give_up(j, "cannot start threads", EXIT_GAVE_UP);
        }
    }
}

static void join(const job *j, const pthread_t *threads)
{
    for (int k = 0; k < j->threads; ++k) {
        pthread_join(threads[k], NULL);
    }
}

static void print_result(const job *j)
{
    char *text = carom_study_summary(j->study);
    require_memory(j, text);
    if (!j->quiet) {
        printf("%s  table in %s/table.csv and %s/study.h5\n", text, j->folder, j->folder);
    }
    carom_text_destroy(text);
}

static void lead(job *j, pthread_t *threads)
{
    carom_error err = { 0 };
    const carom_sweep_options options = { .folder = j->folder };
    require(j, carom_sweep_open(j->study, &options, &j->sweep, &err), &err);
    if (!j->quiet) {
        printf("%s: %zu runs of %zu variables on %d ranks\n", carom_study_name(j->study),
               carom_study_run_count(j->study), carom_study_variable_count(j->study), j->ranks);
        fflush(stdout);
    }
    start(j, threads, compute_here, j);
    serve(j);
    join(j, threads);
    require(j, carom_sweep_close(j->sweep, &err), &err);
    print_result(j);
}

/* ---- the other ranks ------------------------------------------------------------------------------------------------ */

/* Runs that wait for a thread, and rows that wait to be sent. */
typedef struct desk {
    const job *job;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    uint64_t runs[MOST_RUNS];
    int first, count;
    int busy;   /* threads that are at work */
    bool over;  /* no more runs will come */
    char *rows; /* as a report has them, behind room for its number */
    size_t used, room;
    size_t done;
} desk;

static void put_row(desk *d, const carom_row *row)
{
    carom_error err = { 0 };
    char *bytes = NULL;
    size_t size = 0;
    require(d->job, carom_row_pack(d->job->study, row, &bytes, &size, &err), &err);
    uint64_t length = size;
    size_t needed = d->used + sizeof length + size;
    if (needed > d->room) {
        d->room = 2 * needed;
        char *larger = realloc(d->rows, d->room);
        require_memory(d->job, larger);
        d->rows = larger;
    }
    memcpy(d->rows + d->used, &length, sizeof length);
    memcpy(d->rows + d->used + sizeof length, bytes, size);
    d->used = needed;
    d->done++;
    carom_text_destroy(bytes);
}

static void *compute_there(void *context)
{
    desk *d = context;
    pthread_mutex_lock(&d->lock);
    while (true) {
        while (d->count == 0 && !d->over) {
            pthread_cond_wait(&d->filled, &d->lock);
        }
        if (d->count == 0) {
            break;
        }
        size_t run = (size_t)d->runs[d->first++];
        d->count--;
        d->busy++;
        pthread_mutex_unlock(&d->lock);
        carom_row *row = evaluate(d->job, run);
        pthread_mutex_lock(&d->lock);
        put_row(d, row);
        d->busy--;
        carom_row_destroy(row);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

/* How many runs last CHUNK on all threads, from how long runs have lasted so far. */
static uint64_t appetite(const desk *d, double begin)
{
    double each = d->done > 0 ? (wall() - begin) / (double)d->done : CHUNK;
    double much = CHUNK / each + d->job->threads;
    return much < MOST_RUNS ? (uint64_t)much : MOST_RUNS;
}

/* Sends the rows there are; the desk is locked. */
static void report(desk *d, uint64_t wanted)
{
    memcpy(d->rows, &wanted, sizeof wanted);
    MPI_Send(d->rows, (int)d->used, MPI_BYTE, 0, TAG_REPORT, MPI_COMM_WORLD);
    d->used = sizeof wanted;
}

static void take_runs(desk *d)
{
    MPI_Status from;
    MPI_Request request;
    uint64_t runs[MOST_RUNS];
    int there = 0;
    MPI_Irecv(runs, MOST_RUNS, MPI_UINT64_T, 0, TAG_RUNS, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &there, &from); !there; MPI_Test(&request, &there, &from)) {
        nap();
    }
    int count = 0;
    MPI_Get_count(&from, MPI_UINT64_T, &count);
    pthread_mutex_lock(&d->lock);
    memmove(d->runs, d->runs + d->first, (size_t)d->count * sizeof *d->runs);
    d->first = 0;
    memcpy(d->runs + d->count, runs, (size_t)count * sizeof *runs);
    d->count += count;
    d->over = count == 0;
    pthread_cond_broadcast(&d->filled);
    pthread_mutex_unlock(&d->lock);
}

/* New runs are asked for while half of the last ones are still to be done. */
static void fetch(desk *d)
{
    double begin = wall();
    while (!d->over) {
        pthread_mutex_lock(&d->lock);
        uint64_t wanted = appetite(d, begin);
        bool hungry = (uint64_t)d->count <= wanted / 2;
        if (hungry) {
            uint64_t room = (uint64_t)(MOST_RUNS - d->count);
            report(d, wanted < room ? wanted : room);
        }
        pthread_mutex_unlock(&d->lock);
        if (hungry) {
            take_runs(d);
        } else {
            nap();
        }
    }
}

static void follow(const job *j, pthread_t *threads)
{
    desk d = { .job = j, .used = sizeof(uint64_t), .room = 4096, .rows = malloc(4096) };
    require_memory(j, d.rows);
    pthread_mutex_init(&d.lock, NULL);
    pthread_cond_init(&d.filled, NULL);
    start(j, threads, compute_there, &d);
    fetch(&d);
    join(j, threads);
    report(&d, 0);
    pthread_cond_destroy(&d.filled);
    pthread_mutex_destroy(&d.lock);
    free(d.rows);
}

/* ---- the command line ----------------------------------------------------------------------------------------------- */

static const char usage[] =
    "Usage: mpirun carom-mpi sweep STUDY [-o DIR] [-j THREADS] [--runs N] [--quiet]\n\n"
    "Does what 'carom sweep' does, on all ranks of the job. Each computes on THREADS threads (default: the processors of its\n"
    "machine, shared among its ranks there). A job that was killed goes on with the same command.\n";

static bool read_number(const char *text, long most, long *out)
{
    char *end = NULL;
    *out = text ? strtol(text, &end, 10) : 0;
    return text && *text && *end == '\0' && *out >= 1 && *out <= most;
}

static bool parse(job *j, int argc, char **argv)
{
    long number = 0;
    if (argc < 2 || strcmp(argv[1], "sweep") != 0) {
        return false;
    }
    for (int i = 2; i < argc; ++i) {
        bool last = i + 1 == argc;
        if (strcmp(argv[i], "-q") == 0 || strcmp(argv[i], "--quiet") == 0) {
            j->quiet = true;
        } else if ((strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--output") == 0) && !last) {
            j->folder = argv[++i];
        } else if ((strcmp(argv[i], "-j") == 0 || strcmp(argv[i], "--jobs") == 0) && !last &&
                   read_number(argv[++i], 4096, &number)) {
            j->threads = (int)number;
        } else if (strcmp(argv[i], "--runs") == 0 && !last && read_number(argv[++i], 10000000, &number)) {
            j->runs = (size_t)number;
        } else if (argv[i][0] != '-' && !j->file) {
            j->file = argv[i];
        } else {
            return false;
        }
    }
    return j->file != NULL;
}

static int threads_by_default(void)
{
    MPI_Comm here;
    int ranks = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks);
    MPI_Comm_free(&here);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > ranks ? (int)(processors / ranks) : 1;
}

/* The folder that 'carom sweep' takes: of the study itself, or results/NAME. */
static char *folder_of(const job *j)
{
    const char *slash = strrchr(j->file, '/');
    const char *base = slash ? slash + 1 : j->file;
    const char *dot = strrchr(base, '.');
    size_t room = strlen(j->file) + 32;
    char *out = malloc(room);
    require_memory(j, out);
    snprintf(out, room, "%s/study.json", j->file);
    if (access(out, F_OK) == 0) {
        snprintf(out, room, "%s", j->file);
    } else {
        snprintf(out, room, "results/%.*s", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base);
    }
    return out;
}

static void work(job *j)
{
    carom_error err = { 0 };
    pthread_t *threads = malloc((size_t)j->threads * sizeof *threads);
    require_memory(j, threads);
    require(j, carom_study_open(j->file, j->runs, &j->study, &err), &err);
    if (j->rank == 0) {
        lead(j, threads);
    } else {
        follow(j, threads);
    }
    carom_study_destroy(j->study);
    free(threads);
}

int main(int argc, char **argv)
{
    job j = { 0 };
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
    int code = EXIT_DONE;
    if (provided < MPI_THREAD_FUNNELED) {
        give_up(&j, "this MPI knows no threads", EXIT_GAVE_UP);
    }
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(j.rank == 0 ? usage : "", stdout);
    } else if (!parse(&j, argc, argv)) {
        fputs(j.rank == 0 ? usage : "", stderr);
        code = EXIT_BAD_INPUT;
    } else {
        char *own = j.folder ? NULL : folder_of(&j);
        int by_default = threads_by_default();
        j.folder = own ? own : j.folder;
        j.threads = j.threads > 0 ? j.threads : by_default;
        work(&j);
        free(own);
    }
    MPI_Finalize();
    return code;
}
