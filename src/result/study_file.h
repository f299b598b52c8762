/* study.h5: the rows of a study as columns. */
#ifndef CAROM_RESULT_STUDY_FILE_H
#define CAROM_RESULT_STUDY_FILE_H

#include <carom/base.h>

typedef struct study_column {
    const char *name;
    const char *unit;
    bool input; /* a varied number; else a measure */
    const double *values;
} study_column;

typedef struct study_file {
    const char *name;
    size_t rows;
    size_t column_count;
    study_column *columns;
    const char *const *status; /* of each row */
    const char *const *reason;
} study_file;

/* folder/study.h5 with groups "inputs" and "measures", and "status" and "reason": whole or not at all, the same bytes for the same
 * rows. Slashes in names become '|'. One thread of the process at a time. */
carom_status study_file_write(const study_file *f, const char *folder, carom_error *err);

#endif
