/* The journal of a study's folder: one line per row in the order of completion, each written whole by one write. */
#ifndef CAROM_STUDY_JOURNAL_H
#define CAROM_STUDY_JOURNAL_H

#include "study/study.h"

typedef struct journal {
    int fd;
    int timing;       /* of timing.csv */
    double synced_at; /* [s] */
    bool synced;      /* all rows are on disk */
    char path[4096];
} journal;

/* journal.csv, or that of a part; created where it is missing, held until it is closed, without a torn end. */
carom_status journal_open(journal *j, const carom_study *s, const carom_sweep_options *o, carom_error *err);
carom_status journal_close(journal *j, carom_error *err);

/* Appends a row. */
carom_status journal_add(journal *j, const carom_study *s, const carom_row *row, carom_error *err);

/* Rows go to disk where the last time was more than a second ago; called often, no row waits for longer. */
carom_status journal_sync(journal *j, carom_error *err);

/* Rows of all journals of a folder into the study; counts lines that cannot be read in s->torn. */
carom_status journal_load(carom_study *s, const char *folder, carom_error *err);

/* How often a run has ended a process, and the last word about it (in `why`, may be NULL). */
carom_status journal_note_crash(const char *folder, size_t run, const char *why, carom_error *err);
int journal_crashes(const char *folder, size_t run, char *why, size_t size);

#endif
