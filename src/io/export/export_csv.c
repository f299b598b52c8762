/* Signals as comma separated values: io/csv.c with a choice of frames. */
#include <string.h>
#include <sys/stat.h>

#include "io/csv.h"
#include "io/export/export.h"

static carom_status csv_write(const export_job *job, carom_error *err)
{
    struct stat info;
    csv_rows rows = { .first = job->frames.first, .every = job->frames.every, .count = job->frames.count };
    carom_status status = csv_write_rows(job->result, job->path, job->signals, job->signal_count, rows, err);
    if (status == CAROM_OK) {
        job->report->files = 1;
        bool file = strcmp(job->path, "-") != 0 && stat(job->path, &info) == 0 && S_ISREG(info.st_mode);
        job->report->bytes = file ? (uint64_t)info.st_size : 0;
    }
    return status;
}

const export_writer export_csv = {
    .format = { .name = "csv",
                .extension = ".csv",
                .signals = true,
                .doc = "a table of signals; the first column is time" },
    .write = csv_write,
};
