/* The frame of reproductions: rows, their table, summary.json, plots and CSV files. */
#include "paper.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "json_out.h"

typedef struct paper_row_entry {
    char *item;
    char *name;
    double computed;
    double reference; /* NaN for a fact */
    double tolerance; /* NaN for a fact */
    bool is_fact;
    bool ok;
    char *note;
} paper_row_entry;

/* Lists in the order of their making. */
typedef struct paper_table_entry {
    char *heading;
    table cells;
    struct paper_table_entry *next;
} paper_table_entry;

typedef struct paper_note_entry {
    char *text;
    struct paper_note_entry *next;
} paper_note_entry;

struct paper_report {
    const paper *paper;
    const paper_options *options;
    const paper_item *item; /* the one that runs */
    size_t row_count;
    size_t row_capacity;
    paper_row_entry *rows;
    size_t first_row;          /* of the item that runs */
    paper_table_entry *tables; /* likewise, and the notes */
    paper_note_entry *notes;
};

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void add_row(paper_report *r, paper_row_entry row)
{
    if (r->row_count == r->row_capacity) {
        size_t capacity = r->row_capacity ? 2 * r->row_capacity : 32;
        paper_row_entry *rows = allocate(capacity, sizeof *rows);
        if (r->rows) {
            memcpy(rows, r->rows, r->row_count * sizeof *rows);
        }
        free(r->rows);
        r->rows = rows;
        r->row_capacity = capacity;
    }
    r->rows[r->row_count++] = row;
}

void paper_row(paper_report *r, const char *name, double computed, double reference, double tolerance,
               const char *note)
{
    add_row(r, (paper_row_entry){ .item = copy_text(r->item->name),
                                  .name = copy_text(name),
                                  .computed = computed,
                                  .reference = reference,
                                  .tolerance = tolerance,
                                  .ok = fabs(computed - reference) <= tolerance,
                                  .note = copy_text(note ? note : "") });
}

double paper_worse(double so_far, double computed, double reference)
{
    double deviation = fabs(computed - reference);
    return isnan(so_far) || deviation <= so_far ? so_far : deviation;
}

void paper_fact(paper_report *r, const char *name, double computed, const char *note)
{
    add_row(r, (paper_row_entry){ .item = copy_text(r->item->name),
                                  .name = copy_text(name),
                                  .computed = computed,
                                  .reference = (double)NAN,
                                  .tolerance = (double)NAN,
                                  .is_fact = true,
                                  .ok = true,
                                  .note = copy_text(note ? note : "") });
}

static void free_rows(paper_report *r)
{
    for (size_t i = 0; i < r->row_count; ++i) {
        free(r->rows[i].item);
        free(r->rows[i].name);
        free(r->rows[i].note);
    }
    free(r->rows);
}

bool paper_is_quick(const paper_report *r)
{
    return r->options->quick;
}

bool paper_is_full(const paper_report *r)
{
    return r->options->full;
}

const char *paper_folder(const paper_report *r)
{
    return r->options->folder;
}

int paper_number(const paper_report *r)
{
    return r->paper->number;
}

int paper_threads(const paper_report *r)
{
    return r->options->threads;
}

/* ---- tables and notes -------------------------------------------------------------------------------------------- */

table *paper_table(paper_report *r, const char *heading, int columns, const char *const *titles, const char *align)
{
    paper_table_entry *entry = allocate(1, sizeof *entry);
    paper_table_entry **last = &r->tables;
    *entry = (paper_table_entry){ .heading = copy_text(heading) };
    table_init(&entry->cells, columns, titles, align);
    while (*last) {
        last = &(*last)->next;
    }
    *last = entry;
    return &entry->cells;
}

static void print_tables(paper_report *r)
{
    bool any = r->tables != NULL;
    for (paper_table_entry *entry = r->tables, *next; entry; entry = next) {
        print_line("%s", "");
        print_line("  %s", entry->heading);
        table_print(&entry->cells);
        next = entry->next;
        free(entry->heading);
        free(entry);
    }
    if (any) {
        print_line("%s", "");
    }
    r->tables = NULL;
}

void paper_note(paper_report *r, const char *text)
{
    paper_note_entry *entry = allocate(1, sizeof *entry);
    paper_note_entry **last = &r->notes;
    *entry = (paper_note_entry){ .text = copy_text(text) };
    while (*last) {
        last = &(*last)->next;
    }
    *last = entry;
}

static void print_notes(paper_report *r)
{
    for (paper_note_entry *entry = r->notes, *next; entry; entry = next) {
        print_wrapped(4, "- %s", entry->text);
        next = entry->next;
        free(entry->text);
        free(entry);
    }
    r->notes = NULL;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void print_row(table *t, const paper_row_entry *row)
{
    table_cell(t, "%s", row->name);
    table_number(t, row->computed, 7);
    if (row->is_fact) {
        table_cell(t, "%s", "");
        table_cell(t, "%s", "");
        table_cell(t, "%s", "");
        table_cell(t, "%s", "");
    } else {
        table_number(t, row->reference, 7);
        table_number(t, row->computed - row->reference, 2);
        table_number(t, row->tolerance, 2);
        table_cell(t, "%s", row->ok ? "ok" : "NO");
    }
    table_cell(t, "%s", row->note);
}

static void print_rows(const paper_report *r)
{
    static const char *const titles[] = {
        "", "computed", "reference", "difference", "tolerance", "", "reference from"
    };
    table t;
    if (r->row_count == r->first_row) {
        return;
    }
    table_init(&t, 7, titles, "trrrrlt");
    for (size_t i = r->first_row; i < r->row_count; ++i) {
        print_row(&t, &r->rows[i]);
    }
    table_print(&t);
}

static void free_words(paper_report *r)
{
    for (paper_table_entry *entry = r->tables, *next; entry; entry = next) {
        next = entry->next;
        table_free(&entry->cells);
        free(entry->heading);
        free(entry);
    }
    for (paper_note_entry *entry = r->notes, *next; entry; entry = next) {
        next = entry->next;
        free(entry->text);
        free(entry);
    }
    r->tables = NULL;
    r->notes = NULL;
}

static void print_item(paper_report *r, double seconds)
{
    if (r->options->for_programs) {
        free_words(r);
        return;
    }
    print_heading("%s", r->item->name);
    print_line("  %s (%.1f s)", r->item->compares, seconds);
    print_tables(r);
    print_rows(r);
    print_notes(r);
}

static size_t comparisons(const paper_report *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->row_count; ++i) {
        count += !r->rows[i].is_fact;
    }
    return count;
}

static void print_verdict(const paper_report *r)
{
    size_t wrong = 0;
    for (size_t i = 0; i < r->row_count; ++i) {
        wrong += !r->rows[i].ok;
    }
    print_heading("%zu of %zu comparisons within tolerance", comparisons(r) - wrong, comparisons(r));
    print_line("  plots, tables and summary.json in %s", r->options->folder);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

int paper_make_folder(const char *folder)
{
    char *path = copy_text(folder);
    size_t length = strlen(folder);
    bool ok = length > 0;
    errno = ok ? 0 : ENOENT;
    for (size_t i = 1; ok && i <= length; ++i) {
        if (folder[i] == '/' || folder[i] == '\0') {
            struct stat info;
            path[i] = '\0';
            ok = mkdir(path, 0777) == 0 || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
            path[i] = folder[i];
        }
    }
    if (!ok) {
        complain("cannot make the folder '%s': %s", folder, strerror(errno));
    }
    free(path);
    return ok ? EXIT_DONE : EXIT_BAD_INPUT;
}

static int draw(const paper_report *r, const char *name, const char *ending, const carom_figure *figure)
{
    carom_error err = { 0 };
    char *path = format_text("%s/%s.%s", r->options->folder, name, ending);
    carom_status status = carom_figure_write(figure, path, &err);
    free(path);
    return report_writing(status, &err);
}

int paper_figure(paper_report *r, const char *name, const carom_figure *figure)
{
    int code = draw(r, name, "svg", figure);
    return code == EXIT_DONE ? draw(r, name, "png", figure) : code;
}

/* Opens a file of the folder for writing, or complains. */
static FILE *open_output(const char *path)
{
    FILE *file = create_anew(path);
    if (!file) {
        complain("cannot write '%s': %s", path, strerror(errno));
    }
    return file;
}

static int close_output(FILE *file, const char *path)
{
    bool ok = ferror(file) == 0;
    ok = fclose(file) == 0 && ok;
    if (!ok) {
        complain("cannot write '%s': %s", path, strerror(errno));
    }
    return ok ? EXIT_DONE : EXIT_GAVE_UP;
}

int paper_csv(paper_report *r, const char *name, const char *const *titles, const double *const *columns,
              size_t column_count, size_t rows)
{
    char *path = format_text("%s/%s.csv", r->options->folder, name);
    FILE *file = open_output(path);
    for (size_t c = 0; file && c < column_count; ++c) {
        fprintf(file, "%s%s", titles[c], c + 1 < column_count ? "," : "\n");
    }
    for (size_t i = 0; file && i < rows; ++i) {
        for (size_t c = 0; c < column_count; ++c) {
            fprintf(file, "%.17g%s", columns[c][i], c + 1 < column_count ? "," : "\n");
        }
    }
    int code = file ? close_output(file, path) : EXIT_BAD_INPUT;
    free(path);
    return code;
}

/* ---- summary.json ----------------------------------------------------------------------------------------------- */

static void tell_row(const paper_row_entry *row)
{
    json_break();
    json_open(NULL, '{');
    json_text("item", row->item);
    json_text("name", row->name);
    json_number("computed", row->computed);
    json_number("reference", row->reference);
    json_number("difference", row->computed - row->reference);
    json_number("tolerance", row->tolerance);
    if (row->is_fact) {
        json_text("ok", NULL);
    } else {
        json_bool("ok", row->ok);
    }
    json_text("note", row->note);
    json_close('}');
}

/* What a paper came to, inside an object. */
static void tell_paper(const paper_report *r, int code)
{
    json_number("paper", r->paper->number);
    json_text("title", r->paper->title);
    json_text("source", r->paper->source);
    json_bool("quick", r->options->quick);
    json_bool("full", r->options->full);
    json_bool("ok", code == EXIT_DONE);
    json_open("rows", '[');
    for (size_t i = 0; i < r->row_count; ++i) {
        tell_row(&r->rows[i]);
    }
    json_close(']');
}

static int write_summary(const paper_report *r, int code)
{
    char *path = format_text("%s/summary.json", r->options->folder);
    FILE *file = open_output(path);
    int closed = EXIT_BAD_INPUT;
    if (file) {
        json_into(file);
        json_open(NULL, '{');
        json_text("carom", CAROM_VERSION);
        tell_paper(r, code);
        json_end();
        json_into(NULL);
        closed = close_output(file, path);
    }
    free(path);
    return closed;
}

/* One of the list of papers on standard output. */
static void tell_result(const paper_report *r, int code)
{
    json_open(NULL, '{');
    json_text("folder", r->options->folder);
    tell_paper(r, code);
    json_close('}');
}

/* ---- all items -------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_chosen(const paper_options *options, const char *name)
{
    bool chosen = options->item_count == 0;
    for (size_t i = 0; i < options->item_count; ++i) {
        chosen = chosen || strcmp(options->items[i], name) == 0;
    }
    return chosen;
}

const char *paper_place(const paper_report *r, char *buffer, size_t size)
{
    int at = 0;
    int count = 0;
    for (const paper_item *item = r->paper->items; item->name; ++item) {
        count += is_chosen(r->options, item->name);
        at = item == r->item ? count : at;
    }
    snprintf(buffer, size, "item %d of %d (%s)", at, count, r->item->name);
    return buffer;
}

/* An item that could not be run weighs more than one that is out of tolerance. */
static int worse(int a, int b)
{
    return a > b ? a : b;
}

static int run_item(paper_report *r, const paper_item *item)
{
    double begun = now();
    r->item = item;
    r->first_row = r->row_count;
    int code = item->run(r);
    print_item(r, now() - begun);
    fflush(stdout);
    if (code != EXIT_DONE) {
        complain("'%s' of paper %d could not be finished", item->name, r->paper->number);
    }
    for (size_t i = r->first_row; i < r->row_count; ++i) {
        code = worse(code, r->rows[i].ok ? EXIT_DONE : EXIT_CHECK_FAILED);
    }
    return code;
}

int paper_reproduce(const paper *p, const paper_options *options)
{
    paper_report r = { .paper = p, .options = options };
    int code = paper_make_folder(options->folder);
    if (code != EXIT_DONE) {
        return code;
    }
    if (!options->for_programs) {
        print_heading("Paper %d: %s", p->number, p->title);
        print_line("  %s", p->source);
    }
    for (const paper_item *item = p->items; item->name && code != EXIT_INTERRUPTED; ++item) {
        if (is_chosen(options, item->name)) {
            code = worse(code, run_item(&r, item));
        }
    }
    if (comparisons(&r) == 0 && code == EXIT_DONE) {
        complain("nothing of paper %d was compared", p->number);
        code = EXIT_CHECK_FAILED;
    }
    code = worse(code, write_summary(&r, code));
    if (options->for_programs) {
        tell_result(&r, code);
    } else {
        print_verdict(&r);
    }
    free_rows(&r);
    return code;
}
