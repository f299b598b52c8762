/* carom sweep: a study, from its file to a folder with a table.
 *
 * The work is done by a child process that holds the threads, so that a run that ends its process does not end the study: this
 * one notes which run it was, and starts another child for the rest. A child that is killed from outside is started again as
 * long as there is progress. */
#include "command.h"
#include "json_out.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "interrupt.h"
#include "page_file.h"
#include "table.h"

enum { NO_RUN = -1, CHILDREN_MOST = 1000 };

/* Shared by both processes. */
typedef struct shared {
    volatile long crashed; /* the run whose thread caught a deadly signal; NO_RUN: none */
    volatile long fresh;   /* rows made by this child */
    volatile long last;    /* the run that was begun last */
} shared;

static shared *together;
static _Thread_local volatile long my_run = NO_RUN;

static void note_run(void *context, size_t run)
{
    (void)context;
    my_run = run == (size_t)-1 ? NO_RUN : (long)run;
    if (my_run != NO_RUN) {
        together->last = my_run;
    }
}

/* The thread that causes a signal receives it. */
static void on_deadly(int number)
{
    together->crashed = my_run;
    signal(number, SIG_DFL);
    raise(number);
}

/* ---- progress ----------------------------------------------------------------------------------------------------- */

typedef struct sweep_view {
    bool shown;
    bool drawn;
} sweep_view;

static void draw(sweep_view *v, const carom_sweep_progress *p)
{
    enum { BAR = 20 };
    char bar[BAR + 1];
    size_t done = p->runs - p->rows[CAROM_ROW_MISSING];
    size_t filled = p->runs ? BAR * done / p->runs : 0;
    char left[40] = "";
    for (size_t i = 0; i < BAR; ++i) {
        bar[i] = i < filled ? '=' : i == filled ? '>' : ' ';
    }
    bar[BAR] = '\0';
    if (p->fresh > 0) {
        double seconds = p->wall / (double)p->fresh * (double)p->rows[CAROM_ROW_MISSING];
        snprintf(left, sizeof left, seconds < 90.0 ? ", %.0f s left" : ", %.0f min left",
                 seconds < 90.0 ? seconds : seconds / 60.0);
    }
    fprintf(stderr, "\r  %zu/%zu [%s] %zu failed, %zu doubtful%s\033[K", done, p->runs, bar,
            p->rows[CAROM_ROW_FAILED], p->rows[CAROM_ROW_DOUBTFUL], left);
    fflush(stderr);
    v->drawn = true;
}

static bool keep_sweeping(void *context, const carom_sweep_progress *now)
{
    sweep_view *v = context;
    together->fresh = (long)now->fresh;
    if (v->shown) {
        draw(v, now);
    }
    return !interrupt_wanted();
}

/* ---- the child ---------------------------------------------------------------------------------------------------- */

static int sweep_here(carom_study *study, carom_sweep_options *options, bool quiet)
{
    carom_error err = { 0 };
    interrupt_before before;
    sweep_view view = { .shown = !quiet && isatty(2) };
    options->keep_going = keep_sweeping;
    options->context = &view;
    interrupt_defer(&before);
    carom_status status = carom_study_sweep(study, options, &err);
    interrupt_restore(&before);
    if (view.drawn) {
        fprintf(stderr, "\r\033[K");
    }
    if (status == CAROM_INTERRUPTED) {
        complain("%s; the same command goes on from there", err.message);
        return EXIT_INTERRUPTED;
    }
    return status == CAROM_OK ? EXIT_DONE : report(status, &err);
}

static void catch_deadly(void)
{
    static const int deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; ++i) {
        signal(deadly[i], on_deadly);
    }
}

static int child(const char *file, size_t runs, carom_sweep_options *options, bool quiet)
{
    carom_error err = { 0 };
    carom_study *study = NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    catch_deadly();
    options->begins = note_run;
    carom_status status = carom_study_open(file, runs, &study, &err);
    int code = status == CAROM_OK ? sweep_here(study, options, quiet) : report(status, &err);
    carom_study_destroy(study);
    return code;
}

/* ---- the parent --------------------------------------------------------------------------------------------------- */

static const char *signal_word(int number)
{
    switch (number) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGABRT:
        return "aborted";
    case SIGFPE:
        return "arithmetic fault";
    case SIGBUS:
        return "bus error";
    case SIGILL:
        return "illegal instruction";
    default:
        return "killed";
    }
}

/* A child ends by a signal: whose run it was. Killed from outside, it was the one begun last if nothing has been done since. */
static bool note_crash(const carom_study *study, const carom_sweep_options *options, int number)
{
    carom_error err = { 0 };
    long run = together->crashed;
    if (run == NO_RUN && together->fresh == 0) {
        run = together->last;
    }
    if (run == NO_RUN) {
        return together->fresh > 0;
    }
    complain("run %ld has ended its process (%s); the study goes on", run, signal_word(number));
    return carom_study_note_crash(study, options, (size_t)run, signal_word(number), &err) == CAROM_OK;
}

/* The exit code of the child that came to its end. */
static int supervise(const carom_study *study, const char *file, size_t runs, carom_sweep_options *options,
                     bool quiet)
{
    for (int k = 0; k < CHILDREN_MOST; ++k) {
        int how = 0;
        *together = (shared){ NO_RUN, 0, NO_RUN };
        fflush(stdout);
        fflush(stderr);
        pid_t pid = fork();
        if (pid == 0) {
            int code = child(file, runs, options, quiet);
            fflush(stdout);
            _exit(code);
        }
        signal(SIGINT, SIG_IGN); /* the child ends by itself, and says so */
        while (pid > 0 && waitpid(pid, &how, 0) < 0 && errno == EINTR) {
        }
        if (pid < 0) {
            complain("cannot start a process: %s", strerror(errno));
            return EXIT_GAVE_UP;
        }
        if (WIFEXITED(how)) {
            return WEXITSTATUS(how);
        }
        if (WTERMSIG(how) == SIGTERM || WTERMSIG(how) == SIGINT || !note_crash(study, options, WTERMSIG(how))) {
            return EXIT_INTERRUPTED;
        }
    }
    complain("the study has ended %d processes; see crashes.csv in its folder", CHILDREN_MOST);
    return EXIT_GAVE_UP;
}

/* ---- one run, whole ----------------------------------------------------------------------------------------------- */

static carom_status compile_run(carom_study *study, size_t run, carom_model **model, carom_error *err)
{
    const char *name, *folder;
    const char *const *changes;
    size_t count;
    carom_spec *spec = NULL;
    const char *text = carom_study_scene(study, &name, &folder);
    carom_status status = carom_study_changes(study, run, &changes, &count, err);
    status = status == CAROM_OK ? carom_scene_parse(text, strlen(text), name, folder, changes, count, &spec, err)
                                : status;
    status = status == CAROM_OK ? carom_compile(spec, model, err) : status;
    carom_spec_destroy(spec);
    return status;
}

/* run.txt of a run: with it a folder that was left by a killed program is known for what it is, and `carom resume` goes on. */
static int note_kept(carom_study *study, size_t run, const char *folder)
{
    carom_error err = { 0 };
    const char *name;
    const char *const *changes;
    size_t count;
    carom_study_scene(study, &name, NULL);
    carom_status status = carom_study_changes(study, run, &changes, &count, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    scene_source source = { .file = copy_text(name),
                            .overrides = (const char **)(uintptr_t)changes,
                            .override_count = count };
    int code = folder_write_note(folder, &source);
    free(source.file);
    return code;
}

/* A run with everything recorded. */
static int run_whole(carom_study *study, size_t run, const char *folder)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    int lock = -1;
    carom_status status = compile_run(study, run, &model, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    int code = folder_take(folder, &lock);
    code = code == EXIT_DONE ? note_kept(study, run, folder) : code;
    if (code == EXIT_DONE) {
        bool page = false;
        char *words = format_text("carom sweep --run %zu", run);
        const carom_run_options options = { .folder = folder,
                                            .scene_text = carom_study_scene(study, NULL, NULL),
                                            .command = words };
        status = carom_run_folder(model, &options, &err);
        free(words);
        if (status != CAROM_OK) {
            complain("run %zu: %s", run, err.message);
        }
        write_run_page(folder, &page);
    }
    folder_unlock(lock);
    carom_model_destroy(model);
    return code;
}

static int keep_runs(carom_study *study, const char *folder, bool quiet)
{
    enum { MOST = 100 };
    size_t runs[MOST];
    size_t count = carom_study_kept(study, runs, MOST);
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && i < MOST && code == EXIT_DONE; ++i) {
        char *name = format_text("%s/run-%zu", folder, runs[i]);
        char *result = format_text("%s/summary.json", name);
        if (access(result, F_OK) != 0) {
            code = run_whole(study, runs[i], name);
        }
        if (code == EXIT_DONE && !quiet) {
            print_line("  kept run %zu: %s", runs[i], name);
        }
        free(name);
        free(result);
    }
    return code;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static bool read_part(const arguments *args, carom_sweep_options *o)
{
    const char *text = arguments_text(args, "--part");
    char rest = '\0';
    if (text && (sscanf(text, "%d/%d%c", &o->part, &o->parts, &rest) != 2 || o->part < 1 || o->parts < 1 ||
                 o->part > o->parts)) {
        complain("option '--part' needs a part and a number of parts, '3/16', not '%s'", text);
        return false;
    }
    return true;
}

static bool read_count(const arguments *args, const char *name, double low, double most, double *out)
{
    bool ok = arguments_number(args, name, low, most, out);
    if (ok && *out != floor(*out)) {
        complain("option '%s' needs a whole number, not '%s'", name, arguments_text(args, name));
        return false;
    }
    return ok;
}

static bool searches(const carom_study *study)
{
    return strcmp(carom_study_sampling(study), "minimize") == 0;
}

/* Rows as the folder has them now, whose table the child has written. How a search has ended follows from asking again for all
 * of its runs. */
static carom_status load_rows(carom_study *study, const carom_sweep_options *options, carom_error *err)
{
    const carom_sweep_options look = {
        .folder = options->folder, .workers = options->workers, .part = options->part, .parts = options->parts
    };
    return searches(study) ? carom_study_sweep(study, &look, err) : carom_study_load(study, options->folder, err);
}

static int print_summary(carom_study *study, const carom_sweep_options *options, bool quiet)
{
    carom_error err = { 0 };
    carom_status status = load_rows(study, options, &err);
    char *text = status == CAROM_OK ? carom_study_summary(study) : NULL;
    char *save = NULL;
    for (char *line = text && !quiet ? strtok_r(text, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
        print_line("%s", line);
    }
    carom_text_destroy(text);
    if (status == CAROM_OK && !quiet && options->parts == 0) {
        print_line("  table in %s/table.csv and %s/study.h5", options->folder, options->folder);
    }
    return status == CAROM_OK ? EXIT_DONE : report(status, &err);
}

static int write_page(const carom_study *study, const char *folder, bool quiet)
{
    carom_error err = { 0 };
    carom_status status = carom_study_page(study, folder, &err);
    if (status == CAROM_OK && !quiet) {
        print_line("  open %s/report.html in a browser", folder);
    }
    return status == CAROM_OK ? EXIT_DONE : report(status, &err);
}

/* What the rows come to, for programs: how many of each kind; the table has the rest. */
static int json_summary(carom_study *study, const carom_sweep_options *options)
{
    size_t rows[CAROM_ROW_STATUSES] = { 0 };
    size_t runs = carom_study_run_count(study);
    size_t count_of_runs = 0;
    carom_error err = { 0 };
    carom_status status = load_rows(study, options, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    for (size_t i = 0; i < runs; ++i) {
        const carom_row *row = carom_study_row(study, i);
        bool needed = carom_study_needs(study, i);
        rows[row ? row->status : CAROM_ROW_MISSING] += needed;
        count_of_runs += needed;
    }
    json_begin("sweep");
    json_text("name", carom_study_name(study));
    json_text("folder", options->folder);
    json_number("runs", (double)count_of_runs);
    json_open("rows", '{');
    for (int k = 0; k < CAROM_ROW_STATUSES; ++k) {
        json_number(carom_row_status_name((carom_row_status)k), (double)rows[k]);
    }
    json_close('}');
    json_open("trouble", '[');
    for (size_t i = 0; i < runs; ++i) {
        const carom_row *row = carom_study_row(study, i);
        if (row && row->status != CAROM_ROW_DONE) {
            json_open(NULL, '{');
            json_number("run", (double)i);
            json_text("status", carom_row_status_name(row->status));
            json_text("reason", row->reason);
            json_close('}');
        }
    }
    json_close(']');
    json_open("measures", '[');
    for (size_t m = 0; m < carom_study_measure_count(study); ++m) {
        double least = HUGE_VAL, most = -HUGE_VAL, sum = 0.0;
        size_t count = 0;
        for (size_t i = 0; i < runs; ++i) {
            const carom_row *row = carom_study_row(study, i);
            double value = row && row->status == CAROM_ROW_DONE ? row->values[m] : (double)NAN;
            if (isfinite(value)) {
                least = fmin(least, value);
                most = fmax(most, value);
                sum += value;
                ++count;
            }
        }
        json_open(NULL, '{');
        json_text("name", carom_study_measure(study, m));
        json_text("unit", carom_study_unit(study, m));
        json_number("rows", (double)count);
        json_number("mean", count > 0 ? sum / (double)count : (double)NAN);
        json_number("min", least);
        json_number("max", most);
        json_close('}');
    }
    json_close(']');
    json_end();
    return EXIT_DONE;
}

/* Memory of both processes, from a file without a name; NULL: there is none. */
static shared *share_memory(void)
{
    FILE *file = tmpfile();
    void *memory = MAP_FAILED;
    if (file && ftruncate(fileno(file), sizeof(shared)) == 0) {
        memory = mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    }
    if (file) {
        fclose(file);
    }
    return memory == MAP_FAILED ? NULL : memory;
}

static int sweep_all(carom_study *study, const char *file, size_t runs, carom_sweep_options *options, bool quiet,
                     bool for_programs)
{
    together = share_memory();
    if (!together) {
        complain("out of memory");
        return EXIT_GAVE_UP;
    }
    if (!quiet) {
        print_line("%s: %s%zu runs of %zu %s", carom_study_name(study), searches(study) ? "at most " : "",
                   carom_study_run_count(study), carom_study_variable_count(study),
                   carom_study_variable_count(study) == 1 ? "variable" : "variables");
    }
    int code = supervise(study, file, runs, options, quiet);
    if (code == EXIT_DONE) {
        code = for_programs ? json_summary(study, options) : print_summary(study, options, quiet);
    }
    if (code == EXIT_DONE && options->parts == 0) {
        code = write_page(study, options->folder, quiet);
    }
    if (code == EXIT_DONE && options->parts == 0) {
        code = keep_runs(study, options->folder, quiet);
    }
    munmap(together, sizeof *together);
    return code;
}

static int run_sweep(const arguments *args)
{
    const char *file = args->operands[0];
    carom_error err = { 0 };
    carom_study *study = NULL;
    carom_sweep_options options = { 0 };
    double runs = 0.0, workers = 0.0, one = -1.0;
    bool for_programs = arguments_have(args, "--json");
    bool quiet = for_programs || arguments_have(args, "--quiet");
    if (for_programs) {
        json_errors();
    }
    if (!read_part(args, &options) || !read_count(args, "--runs", 1, 1e7, &runs) ||
        !read_count(args, "--jobs", 1, 4096, &workers) || !read_count(args, "--run", 0, 1e7, &one)) {
        return EXIT_BAD_INPUT;
    }
    carom_status status = carom_study_open(file, (size_t)runs, &study, &err);
    if (status != CAROM_OK) {
        return report_scene(status, &err, file);
    }
    const char *given = arguments_text(args, "--output");
    char *note = format_text("%s/study.json", file);
    char *home = access(note, F_OK) == 0 ? copy_text(file) : folder_default(file);
    char *folder = copy_text(given ? given : home);
    free(note);
    options.folder = folder;
    options.workers = (int)workers;
    int code;
    if (one >= 0.0) {
        char *own = given ? copy_text(given) : format_text("%s/run-%.0f", folder, one);
        carom_study_load(study, home,
                         NULL); /* a search knows what varies from its rows; it says so where it has none */
        code = run_whole(study, (size_t)one, own);
        if (code == EXIT_DONE && !quiet) {
            print_line("run %.0f is in %s; see 'carom info %s'", one, own, own);
        }
        free(own);
    } else {
        code = sweep_all(study, file, (size_t)runs, &options, quiet, for_programs);
    }
    carom_study_destroy(study);
    free(folder);
    free(home);
    return code;
}

static const option options_of_sweep[] = {
    { "--output", 'o', "DIR", "Folder of the study (default: results/<name of the study>)" },
    { "--jobs", 'j', "N", "Runs at a time (default: one for each processor)" },
    { "--part", 0, "I/N", "Part I of N only, for several machines; the whole study in the same folder joins them" },
    { "--runs", 0, "N", "More runs than the study says, where its sampling can be extended" },
    { "--run", 0, "I", "Run I alone, with everything recorded" },
    { "--json", 0, NULL, "One JSON object on standard output instead of text" },
    { "--quiet", 'q', NULL, "Print nothing but errors" },
    { 0 },
};

const command command_sweep = {
    .name = "sweep",
    .summary = "run a scene many times with numbers that vary",
    .operands = "STUDY",
    .min_operands = 1,
    .max_operands = 1,
    .options = options_of_sweep,
    .notes =
        "STUDY is a study file (\"carom-study\": 1), or the folder of a study that goes on. A study that was\n"
        "interrupted or killed goes on with the same command; its table is the same whatever happened. A run that\n"
        "fails, is doubtful, is cut off or ends its process is a row with the reason.",
    .example = "  carom sweep capture.json -j 2\n"
               "  carom sweep capture.json --part 3/16\n"
               "  carom sweep results/capture --runs 1024\n"
               "  carom sweep capture.json --run 88 -o run88",
    .run = run_sweep,
};
