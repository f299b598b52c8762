/* What run, resume and compare share. */
#ifndef CAROM_APP_CMD_RUN_H
#define CAROM_APP_CMD_RUN_H

#include "command.h"
#include "scene.h"

typedef carom_status (*run_function)(const carom_model *, const carom_run_options *, carom_error *);

/* The numbers of --threads and --checkpoint-every. Prints what is wrong and answers false. */
bool read_run_options(const arguments *args, carom_run_options *options);

/* How much a run says and writes. */
typedef struct run_manner {
    bool quiet;
    bool no_page; /* no report.html */
} run_manner;
run_manner read_run_manner(const arguments *args);

/* Runs with a progress bar and Ctrl-C, prints how it ended, answers the exit code. */
int run_with_progress(run_function run, const scene *s, carom_run_options *options, const run_manner *manner);

/* The scene into options->folder, from reading it to its report. */
int run_scene(const scene_source *source, carom_run_options *options, const run_manner *manner);

/* The command line as it was, for the record; free() it. */
char *command_text(const arguments *args);

#endif
