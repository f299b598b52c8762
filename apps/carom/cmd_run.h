/* What run and resume share. */
#ifndef CAROM_APP_CMD_RUN_H
#define CAROM_APP_CMD_RUN_H

#include "command.h"
#include "scene.h"

typedef carom_status (*run_function)(const carom_model *, const carom_run_options *, carom_error *);

/* The numbers of --threads and --checkpoint-every. Prints what is wrong and answers false. */
bool read_run_options(const arguments *args, carom_run_options *options);

/* Runs with a progress bar and Ctrl-C, prints how it ended, answers the exit code. */
int run_with_progress(run_function run, const scene *s, carom_run_options *options, bool quiet);

#endif
