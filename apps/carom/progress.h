/* What a person sees while something takes long, and what Ctrl-C does. */
#ifndef CAROM_APP_PROGRESS_H
#define CAROM_APP_PROGRESS_H

#include <carom/carom.h>

#include "interrupt.h"

typedef struct progress {
    bool shown;        /* standard error is a terminal that can go back in a line, and nobody asked for quiet */
    bool drawn;        /* something is on the line */
    bool titled;       /* a line of its own stands above */
    double last_drawn; /* [s] */
    double first_t;    /* [s] simulated, where this run or resumption began */
    double first_wall; /* [s] */
    long first_steps;
    double mark_t, mark_wall; /* [s] where the pace was looked at last */
    bool started;
    const char *last_words;  /* said where a run has to be left in the middle of a step; NULL: nothing */
    const char *if_slow;     /* said once where a run would take long; NULL: nothing */
    carom_progress now;      /* as of the last call */
    char warned[512];        /* of the start, as told */
    interrupt_before before; /* what Ctrl-C and SIGTERM did */
} progress;

/* Until progress_end, Ctrl-C ends what is going on cleanly. */
void progress_begin(progress *p, bool quiet);

/* A line above the bar, for one of several runs: "run 3 of 7: stiff". */
void progress_title(progress *p, const char *fmt, ...) CAROM_PRINTF(2, 3);

/* For carom_run_options.keep_going; context is the progress. False after Ctrl-C. */
bool progress_keep_going(void *context, const carom_progress *now);

/* For keep_going of carom_sdf_options and carom_compile_options, likewise. */
bool progress_keep_building(void *context, const carom_building *now);

/* Clears what was drawn. */
void progress_end(progress *p);

#endif
