/* study.h5. Written under another name and renamed when it is whole. */
#include "result/study_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "files/file.h"
#include "result/result_h5.h"
#include "result/result_held.h"

/* HDF5 takes slashes for folders. */
static bool write_column(hid_t group, const study_column *c, size_t rows)
{
    char name[512];
    snprintf(name, sizeof name, "%s", c->name);
    for (char *slash; (slash = strchr(name, '/'));) {
        *slash = '|';
    }
    return h5_write_reals(group, name, c->unit, c->values, rows);
}

static bool write_group(hid_t file, const study_file *f, bool input)
{
    hid_t group = h5_create_group(file, input ? "inputs" : "measures");
    bool ok = group >= 0;
    for (size_t k = 0; ok && k < f->column_count; ++k) {
        ok = f->columns[k].input != input || write_column(group, &f->columns[k], f->rows);
    }
    return h5_close(group) && ok;
}

static bool write_all(hid_t file, const study_file *f)
{
    return h5_write_text_attribute(file, "name", f->name) &&
           h5_write_text_attribute(file, "version", CAROM_VERSION) &&
           h5_write_texts(file, "status", f->status, f->rows) && h5_write_texts(file, "reason", f->reason, f->rows) &&
           write_group(file, f, true) && write_group(file, f, false);
}

carom_status study_file_write(const study_file *f, const char *folder, carom_error *err)
{
    char path[FILE_PATH];
    char fresh[FILE_PATH];
    h5_held held;
    carom_status status = file_path(path, folder, "study.h5", err);
    status = status == CAROM_OK ? file_path(fresh, folder, ".study.h5", err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    h5_quiet quiet = h5_quiet_begin();
    hid_t file = held_create(&held, fresh, err);
    status = file < 0 ? CAROM_IO_FAILED : CAROM_OK;
    if (status == CAROM_OK) {
        status = write_all(file, f) ? CAROM_OK : held_fail(&held, "write", err);
        status = held_close(&held, file, status, err);
    }
    h5_quiet_end(quiet);
    if (status == CAROM_OK && rename(fresh, path) != 0) {
        status = file_failed(err, "write", path, errno);
    }
    return status == CAROM_OK ? file_sync_folder(folder, err) : status;
}
