/* Signals as comma separated values: io/csv.c with a choice of frames. */
#include "io/csv.h"
#include "io/export/export.h"

static carom_status csv_write(const export_job *job, carom_error *err)
{
    csv_rows rows = { .first = job->frames.first, .every = job->frames.every, .count = job->frames.count };
    return csv_write_rows(job->result, job->path, job->signals, job->signal_count, rows, job->report, err);
}

const export_writer export_csv = {
    .format = { .name = "csv",
                .extension = ".csv",
                .signals = true,
                .doc = "a table of signals; the first column is time" },
    .write = csv_write,
};
