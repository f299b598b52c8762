/* Reproductions of papers: each is one file paper_N.c with one table of items, listed in cmd_papers.c. An item runs
 * scenes of papers/N/, compares numbers with those of the paper or with exact ones, and draws the paper's figures. */
#ifndef CAROM_APP_PAPER_H
#define CAROM_APP_PAPER_H

#include "command.h"
#include "examples.h"
#include "table.h"

typedef struct paper_report paper_report;

typedef struct paper_item {
    const char *name;                 /* "two sliders"; NULL ends a table */
    const char *compares;             /* what with what, in one line */
    double seconds;                   /* of wall time it takes, about */
    double quick_seconds;             /* with --quick; 0: the same */
    double full_seconds;              /* with --full; 0: the same */
    int (*run)(paper_report *report); /* EXIT_DONE, or the exit code for what it could not do and has printed */
} paper_item;

typedef struct paper {
    int number;
    const char *title;
    const char *source; /* authors, journal, year */
    const paper_item *items;
} paper;

/* Ended by NULL. */
extern const paper *const all_papers[];

extern const paper paper_1;
extern const paper paper_2;
extern const paper paper_3;
extern const paper paper_4;
extern const paper paper_5;

/* The files of papers/, put into the program at build time by embed.cmake; ended by path == NULL. */
extern const example_file paper_files[];

typedef struct paper_options {
    const char *folder; /* for results, plots, tables and summary.json */
    bool quick;
    bool full;          /* the paper's sizes where an item is smaller by default */
    bool for_programs;  /* one JSON object on standard output, inside a list, instead of tables */
    int threads;        /* 0: one */
    const char **items; /* names of those to run; NULL: all */
    size_t item_count;
} paper_options;

/* Runs the items of a paper, prints a table for each and writes summary.json. EXIT_DONE when every row is within its
 * tolerance, EXIT_CHECK_FAILED when one is not, other codes when an item could not be run. */
int paper_reproduce(const paper *p, const paper_options *options);

/* ---- for items -------------------------------------------------------------------------------------------------- */

/* Whether coarser and shorter runs are asked for. */
bool paper_is_quick(const paper_report *report);

/* Whether the paper's own sizes are asked for. */
bool paper_is_full(const paper_report *report);

/* A comparison: out of tolerance when |computed - reference| > tolerance, or when one is not a number. The note says
 * where the reference comes from: "table 2", "exact". Names carry units: "speed of A [m/s]". */
void paper_row(paper_report *report, const char *name, double computed, double reference, double tolerance,
               const char *note);

/* The larger of a deviation so far and that of another number; a NaN stays. */
double paper_worse(double so_far, double computed, double reference);

/* A number without verdict, for people: timings, steps. */
void paper_fact(paper_report *report, const char *name, double computed, const char *note);

/* A table of the item's own, shown above the comparisons: fill it with table_cell. It is the report's; the titles and
 * the alignment must outlive it. */
table *paper_table(paper_report *report, const char *heading, int columns, const char *const *titles,
                   const char *align);

/* A sentence below the comparisons. */
void paper_note(paper_report *report, const char *text);

/* Draws <name>.svg and <name>.png into the folder. Prints what is wrong and answers the exit code. */
int paper_figure(paper_report *report, const char *name, const carom_figure *figure);

/* Writes <name>.csv: a column per title, each of `rows` numbers. */
int paper_csv(paper_report *report, const char *name, const char *const *titles, const double *const *columns,
              size_t column_count, size_t rows);

/* A file of papers/N/, or else of the examples, as text, NULL when there is none; it stays the program's. */
const char *paper_text(const paper_report *report, const char *file);

/* Numbers of a file of papers/N/, row by row: lines that begin with '#' say where they come from, the next one has the
 * titles of the columns, all others as many numbers, separated by commas. Complains and answers NULL when it has
 * another form; free() them. */
double *paper_numbers(const paper_report *report, const char *file, size_t columns, size_t *rows);

/* Runs a scene of papers/N/ or of the examples ("sliders.json") with overrides ("bodies.a.mass=2") and opens its result; the run's folder
 * is <name> within the paper's. Close *result. how may be NULL. */
int paper_run(paper_report *report, const char *scene, const char *name, const char *const *overrides,
              size_t override_count, carom_result **result, carom_run_report *how);

/* The two halves of paper_run, for models that are run several times: destroy the model; duration [s], 0: the scene's;
 * result may be NULL. */
int paper_compile(paper_report *report, const char *scene, const char *name, const char *const *overrides,
                  size_t override_count, carom_model **model);
int paper_run_model(paper_report *report, const carom_model *model, const char *scene, const char *name,
                    double duration, carom_result **result, carom_run_report *how);

/* Overrides of a run: "variables.muB=0.4". */
enum { SETTING_TEXT = 160, SETTINGS = 16 };
typedef struct settings {
    size_t count;
    char text[SETTINGS][SETTING_TEXT];
} settings;

void settings_number(settings *s, const char *path, double value);
void settings_text(settings *s, const char *path, const char *value);

/* A run that may fail: nothing is printed, err has the sentence. Its frames are verified (how->verified). The scene is a file of papers/N/ or of the examples; or, where
 * text is not NULL, this text, which is put beside them under the scene's name. s, result and how may be NULL. */
carom_status paper_try(paper_report *report, const char *scene, const char *text, const char *name, const settings *s,
                       carom_result **result, carom_run_report *how, carom_error *err);

/* A signal of a result, of carom_result_frame_count numbers; complains and answers NULL when there is none. */
const double *paper_signal(const carom_result *result, const char *name);

/* ---- between paper.c and paper_run.c ------------------------------------------------------------------------------ */

const char *paper_folder(const paper_report *report);
int paper_number(const paper_report *report);
int paper_threads(const paper_report *report);

/* "item 2 of 6 (two sliders)": which of those that are run is running; returns buffer. */
const char *paper_place(const paper_report *report, char *buffer, size_t size);

/* Makes a folder and those above it. Prints what is wrong and answers the exit code. */
int paper_make_folder(const char *folder);

#endif
