/* A figure written to a file and read back. */
#ifndef TESTS_UNIT_IO_FIGURE_FILE_H
#define TESTS_UNIT_IO_FIGURE_FILE_H

#include <unistd.h>

#include <carom/plot.h>

#include "files/file.h"
#include "support/check.h"
#include "support/scratch_folder.h"

static char *write_and_read(const carom_figure *figure, const char *name, size_t *size)
{
    char path[128];
    char *bytes = NULL;
    carom_error err = { 0 };
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    CHECK_OK(carom_figure_write(figure, path, &err), err);
    CHECK_OK(file_read_whole(path, 1 << 26, &bytes, size, &err), err);
    unlink(path);
    return bytes;
}

#endif
