/* The parts of what `carom info` prints. */
#ifndef CAROM_APP_INFO_H
#define CAROM_APP_INFO_H

#include "command.h"
#include "table.h"

typedef struct info {
    const carom_result *result;
    const carom_summary *summary; /* NULL: the run has not ended */
    const char *path;             /* as given */
    size_t frames;
    const double *time; /* [s] of the frames */
    bool all;           /* every row, however many */
} info;

/* The number of the signal of this name, or how many there are when there is none. */
size_t info_find(const info *i, const char *name);

/* The signal of this name, of `frames` numbers; NULL when there is none. */
const double *info_signal(const info *i, const char *name);

/* A number of the summary; NaN when there is none. */
double info_number(const info *i, const char *path);

/* Largest absolute value; 0 when there are none. */
double largest_of(const double *values, size_t count);

/* Nothing where there is nothing to say. */
void info_print_trust(const info *i);

void info_print_energy(const info *i);
void info_print_momentum(const info *i);
void info_print_errors(const info *i);
void info_print_solver(const info *i);
void info_print_phases(const info *i);

void info_print_sparklines(const info *i);
void info_print_events(const info *i);
void info_print_all_events(const info *i); /* and nothing else */
/* A and B: two bodies, or a joint. */
void info_place_cells(table *t, const info *i, const carom_event *e);

void info_print_impacts(const info *i);
void info_print_all_impacts(const info *i); /* each one, and nothing else */
carom_status info_print_contacts(const info *i, carom_error *err);

#endif
