/* carom compare: one scene with several methods, or several results, side by side: a table and a page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_run.h"
#include "folder.h"
#include "guard.h"
#include "json_out.h"
#include "page_file.h"
#include "table.h"

enum { MOST_RUNS = 8, SOME_ROWS = 12 }; /* rows of a group unless --all is given */

/* Results to be compared. */
typedef struct lineup {
    int count;
    char *folders[MOST_RUNS];
    char *labels[MOST_RUNS];
} lineup;

static void lineup_free(lineup *l)
{
    for (int i = 0; i < l->count; ++i) {
        free(l->folders[i]);
        free(l->labels[i]);
    }
}

/* ---- the table ---------------------------------------------------------------------------------------------------- */

/* Two cells: the difference, and what part of the first value it is. */
static void difference_cells(table *t, double first, double other)
{
    double difference = other - first;
    if (isnan(difference)) {
        table_cell(t, "-");
        table_cell(t, "-");
        return;
    }
    table_cell(t, difference == 0.0 ? "0" : "%+.4g", difference);
    if (first == 0.0 || difference == 0.0) {
        table_cell(t, "%s", "");
    } else {
        table_cell(t, "%+.3g %%", 100.0 * difference / fabs(first));
    }
}

static void number_cell(table *t, double value)
{
    if (isnan(value)) {
        table_cell(t, "-");
    } else {
        table_number(t, value, 5);
    }
}

/* One group; answers where the next begins. Differences are shown for two results; of more, the values must do. */
static size_t print_group(const carom_comparison *c, size_t begin, const lineup *l, size_t limit)
{
    const char *titles[MOST_RUNS + 4] = { "quantity" };
    bool pair = c->run_count == 2;
    int columns = 0;
    size_t end = begin;
    table t;
    titles[++columns] = "unit";
    for (int i = 0; i < l->count; ++i) {
        titles[++columns] = l->labels[i];
    }
    if (pair) {
        titles[++columns] = "difference";
        titles[++columns] = "relative";
    }
    table_init(&t, columns + 1, titles, "llrrrrrrrrr");
    while (end < c->row_count && strcmp(c->rows[end].group, c->rows[begin].group) == 0) {
        const carom_comparison_row *row = &c->rows[end++];
        if (end - begin > limit) {
            continue;
        }
        table_cell(&t, "%s", row->name);
        table_cell(&t, "%s", row->unit);
        for (size_t k = 0; k < c->run_count; ++k) {
            number_cell(&t, row->values[k]);
        }
        if (pair) {
            difference_cells(&t, row->values[0], row->values[1]);
        }
    }
    print_heading("%s", c->rows[begin].group);
    table_print(&t);
    if (end - begin > limit) {
        print_line("  and %zu more; --all shows them", end - begin - limit);
    }
    return end;
}

static void print_comparison(const carom_comparison *c, const lineup *l, bool all)
{
    for (size_t i = 0; i < c->row_count;) {
        i = print_group(c, i, l, all ? SIZE_MAX : SOME_ROWS);
    }
}

/* The same for programs, with all rows. */
static void tell_comparison(const carom_comparison *c, const lineup *l, const char *page)
{
    json_begin("compare");
    json_text("page", page);
    json_open("runs", '[');
    for (int i = 0; i < l->count; ++i) {
        json_open(NULL, '{');
        json_text("name", l->labels[i]);
        json_text("result", l->folders[i]);
        json_close('}');
    }
    json_close(']');
    json_open("rows", '[');
    for (size_t i = 0; i < c->row_count; ++i) {
        json_open(NULL, '{');
        json_text("group", c->rows[i].group);
        json_text("name", c->rows[i].name);
        json_text("unit", c->rows[i].unit);
        json_open("values", '[');
        for (size_t k = 0; k < c->run_count; ++k) {
            json_number(NULL, c->rows[i].values[k]);
        }
        json_close(']');
        json_close('}');
    }
    json_close(']');
    json_end();
}

/* Nothing but the answer for programs, or nothing at all. */
static bool says_nothing(const arguments *args)
{
    return arguments_have(args, "--quiet") || arguments_have(args, "--json");
}

/* ---- results ------------------------------------------------------------------------------------------------------ */

static carom_status open_all(const lineup *l, carom_result **results, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int i = 0; i < l->count && status == CAROM_OK; ++i) {
        status = carom_result_open(l->folders[i], &results[i], err);
    }
    return status;
}

static carom_status write_page(const arguments *args, const lineup *l, carom_result **results, const char *file,
                               carom_error *err)
{
    carom_page_options options = { .title = arguments_text(args, "--title"),
                                   .labels = (const char *const *)l->labels };
    return carom_page_write((const carom_result *const *)results, (size_t)l->count, &options, file, err);
}

/* The table on standard output and the page. */
static int compare_results(const arguments *args, const lineup *l, const char *file)
{
    carom_result *results[MOST_RUNS] = { NULL };
    carom_comparison *comparison = NULL;
    carom_error err = { 0 };
    carom_status status = open_all(l, results, &err);
    if (status == CAROM_OK) {
        status = carom_compare((const carom_result *const *)results, (size_t)l->count, &comparison, &err);
    }
    if (status == CAROM_OK && !says_nothing(args)) {
        print_comparison(comparison, l, arguments_have(args, "--all"));
    }
    bool page = !arguments_have(args, "--no-report");
    if (status == CAROM_OK && page) {
        status = write_page(args, l, results, file, &err);
    }
    if (status == CAROM_OK && arguments_have(args, "--json")) {
        tell_comparison(comparison, l, page ? file : NULL);
    }
    carom_comparison_destroy(comparison);
    for (int i = 0; i < l->count; ++i) {
        carom_result_close(results[i]);
    }
    if (status == CAROM_OK && page && !says_nothing(args)) {
        print_line("%s", "");
        print_line("open %s in a browser", file);
    }
    return report_writing(status, &err);
}

/* ---- several results ---------------------------------------------------------------------------------------------- */

/* What a path ends with, or what is before "/result.h5": results/heavy -> heavy. */
static char *last_part(const char *path)
{
    size_t length = strlen(path);
    const char *file = "/result.h5";
    if (length > strlen(file) && strcmp(path + length - strlen(file), file) == 0) {
        length -= strlen(file);
    }
    while (length > 1 && path[length - 1] == '/') {
        --length;
    }
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/') {
        --begin;
    }
    return format_text("%.*s", (int)(length - begin), path + begin);
}

static bool is_taken(const lineup *l, const char *label)
{
    for (int i = 0; i < l->count; ++i) {
        if (strcmp(l->labels[i], label) == 0) {
            return true;
        }
    }
    return false;
}

static void lineup_add(lineup *l, char *folder, char *label)
{
    if (is_taken(l, label)) { /* tell apart what is called alike */
        char *longer = format_text("%s (%d)", label, l->count + 1);
        free(label);
        label = longer;
    }
    l->folders[l->count] = folder;
    l->labels[l->count] = label;
    l->count += 1;
}

static int compare_operands(const arguments *args)
{
    lineup l = { 0 };
    const char *file = arguments_text(args, "--output");
    for (int i = 0; i < args->operand_count; ++i) {
        lineup_add(&l, copy_text(args->operands[i]), last_part(args->operands[i]));
    }
    int code = compare_results(args, &l, file ? file : "comparison.html");
    lineup_free(&l);
    return code;
}

/* ---- one scene, several methods ----------------------------------------------------------------------------------- */

/* Before the first run begins, not when it has ended. */
static bool is_method(const char *name)
{
    enum { LIMIT = 32 }; /* more than there are */
    const char *names[LIMIT] = { NULL };
    const carom_kind *const *kinds = carom_method_kinds();
    for (int i = 0; kinds[i] && i < LIMIT - 1; ++i) {
        names[i] = kinds[i]->name;
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    const char *nearest = nearest_name(name, names);
    complain("there is no method '%s'%s%s%s", name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
             nearest ? "'?" : "");
    return false;
}

/* Cuts "a,b,c" into the labels of a lineup; false when there are too few or too many. */
static bool read_methods(lineup *l, const char *text, const char *folder)
{
    bool fits = true;
    char *words = copy_text(text);
    for (char *word = words, *next; word && fits; word = next) {
        next = strchr(word, ',');
        if (next) {
            *next++ = '\0';
        }
        fits = *word && l->count < MOST_RUNS && !is_taken(l, word);
        if (fits) {
            lineup_add(l, format_text("%s/%s", folder, word), copy_text(word));
        }
    }
    free(words);
    if (!fits || l->count < 2) {
        fits = false;
        complain("option '--methods' needs 2 to %d different methods, as in --methods none,compliant, not '%s'",
                 MOST_RUNS, text);
    }
    for (int i = 0; i < l->count && fits; ++i) {
        fits = is_method(l->labels[i]);
    }
    return fits && l->count >= 2;
}

/* The scene with another method, as `carom run --method` would run it. */
static int run_method(const arguments *args, const char *method, const char *folder)
{
    scene_source source;
    carom_run_options options = { .folder = folder };
    run_manner manner = read_run_manner(args);
    manner.quiet = says_nothing(args);
    char *line = command_text(args);
    int code = EXIT_BAD_INPUT;
    options.command = line;
    if (scene_source_read(&source, args) && read_run_options(args, &options)) {
        scene_source_set_method(&source, method);
        code = run_scene(&source, &options, &manner);
    }
    scene_source_free(&source);
    free(line);
    return code;
}

/* Whether the scene suits all methods, before the first of them runs. */
static int check_methods(const arguments *args, const lineup *l)
{
    int code = EXIT_DONE;
    for (int i = 0; i < l->count && code == EXIT_DONE; ++i) {
        scene s;
        scene_source source;
        code = scene_source_read(&source, args) ? EXIT_DONE : EXIT_BAD_INPUT;
        if (code == EXIT_DONE) {
            scene_source_set_method(&source, l->labels[i]);
            code = scene_load(&s, &source);
        }
        if (code == EXIT_DONE) {
            scene_free(&s);
        }
        scene_source_free(&source);
    }
    return code;
}

static int run_methods(const arguments *args, const lineup *l)
{
    int worst = check_methods(args, l);
    if (worst != EXIT_DONE) {
        return worst;
    }
    for (int i = 0; i < l->count; ++i) {
        if (!says_nothing(args)) {
            print_line("run %d of %d: %s", i + 1, l->count, l->labels[i]);
        }
        int code = run_method(args, l->labels[i], l->folders[i]);
        if (code == EXIT_BAD_INPUT || code == EXIT_INTERRUPTED) {
            return code;
        }
        worst = code > worst ? code : worst; /* a solver that gave up is compared by what it reached */
    }
    return worst;
}

static int compare_methods(const arguments *args)
{
    lineup l = { 0 };
    const char *chosen = arguments_text(args, "--output");
    char *own = folder_default(args->operands[0]);
    char *folder = chosen ? copy_text(chosen) : format_text("%s-methods", own);
    int code = EXIT_BAD_INPUT;
    if (read_methods(&l, arguments_text(args, "--methods"), folder)) {
        char *file = format_text("%s/comparison.html", folder);
        code = run_methods(args, &l);
        if (code == EXIT_DONE || code == EXIT_CHECK_FAILED || code == EXIT_GAVE_UP) {
            int compared = compare_results(args, &l, file);
            code = compared == EXIT_DONE ? code : compared;
        }
        free(file);
    }
    lineup_free(&l);
    free(folder);
    free(own);
    return code;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static int compare(const arguments *args)
{
    if (arguments_have(args, "--json")) {
        json_errors();
    }
    static const char *const of_runs[] = { "--set", "--duration", "--threads", "--verify" };
    bool methods = arguments_have(args, "--methods");
    if (methods && args->operand_count != 1) {
        complain("with --methods, one scene is compared with itself; %d are given", args->operand_count);
        return EXIT_BAD_INPUT;
    }
    if (!methods && (args->operand_count < 2 || args->operand_count > MOST_RUNS)) {
        complain("there must be 2 to %d results to compare, or one scene and --methods A,B,...; %d given", MOST_RUNS,
                 args->operand_count);
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; !methods && i < sizeof of_runs / sizeof of_runs[0]; ++i) {
        if (arguments_have(args, of_runs[i])) {
            complain(
                "option '%s' is for runs: results are compared as they are; give one scene and --methods A,B,...",
                of_runs[i]);
            return EXIT_BAD_INPUT;
        }
    }
    if (methods && is_standard_input(args->operands[0])) {
        complain("with --methods, the scene is read once for each method: it must be a file, not standard input");
        return EXIT_BAD_INPUT;
    }
    return methods ? compare_methods(args) : run_guarded(compare_operands, args, args->operands[0]);
}

static const option options[] = {
    { "--methods", 0, "A,B,...", "Run SCENE with each of these contact methods" },
    { "--output", 'o', "PATH", "Folder for the runs, or the page of a comparison of results" },
    { "--set", 's', "PATH=VALUE", "Change a value of the scene; may be repeated" },
    { "--duration", 'd', "SECONDS", "Simulated time instead of the scene's" },
    { "--threads", 'j', "N", "Threads (default 1; the results do not depend on it)" },
    { "--verify", 0, NULL, "Test every frame for intersections, exactly; exit code 1 if there is one" },
    { "--title", 0, "TEXT", "Title of the page (default: the scene's name)" },
    { "--all", 'a', NULL, "Every row of the table" },
    { "--no-report", 0, NULL, "Only the table" },
    { "--quiet", 'q', NULL, "Only the page" },
    { "--json", 0, NULL, "One JSON object for programs instead of text" },
    { NULL, 0, NULL, NULL },
};

const command command_compare = {
    .name = "compare",
    .summary = "one scene with several methods, or several results, side by side",
    .operands = "SCENE | RESULT RESULT...",
    .min_operands = 1,
    .max_operands = 10 * MOST_RUNS, /* too many are counted in the message */
    .options = options,
    .notes =
        "The table shows final states, energies, contact forces and impulses, reactions and effort, with "
        "differences\n"
        "from the first. The page shows the first result with the others as ghosts, their signals over each other\n"
        "and the same table. Runs go into PATH/METHOD (default: results/<scene>-methods), each with its report.",
    .example = "  carom compare newtons-cradle.json --methods none,compliant\n"
               "  carom compare results/light results/heavy -o weights.html",
    .run = compare,
};
