/* What a person sees while a run goes on, and what Ctrl-C does. */
#ifndef CAROM_APP_PROGRESS_H
#define CAROM_APP_PROGRESS_H

#include <carom/carom.h>

typedef struct progress {
    bool shown;        /* standard error is a terminal and nobody asked for quiet */
    double last_drawn; /* [s] wall */
    double first_t;    /* [s] simulated, where this run or resumption began */
    double first_wall; /* [s] */
    long first_steps;
    bool started;
    carom_progress now; /* as of the last call */
} progress;

void progress_begin(progress *p, bool quiet);

/* For carom_run_options.keep_going; context is the progress. False after Ctrl-C. */
bool progress_keep_going(void *context, const carom_progress *now);

/* Clears the bar. */
void progress_end(progress *p);

#endif
