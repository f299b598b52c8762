/* The library asks the dynamic linker where it lies. CAROM_PROGRAMS_FROM_LIBRARY is the way from there to the folder of
 * programs in an installed tree, as it was configured. */
#include "base/beside.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef CAROM_PROGRAMS_FROM_LIBRARY
#define CAROM_PROGRAMS_FROM_LIBRARY "../libexec/carom"
#endif

/* With symbolic links resolved. To be freed; NULL: not known. */
static char *file_of_library(void)
{
    static const char anchor = 0; /* something that lies in it */
    Dl_info info;
    return dladdr(&anchor, &info) != 0 && info.dli_fname ? realpath(info.dli_fname, NULL) : NULL;
}

/* Up to the last slash. To be freed; NULL: not known. */
static char *folder_of_library(void)
{
    char *path = file_of_library();
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash) {
        slash[1] = '\0';
    }
    return path;
}

static bool can_run(const char *path)
{
    return access(path, X_OK) == 0;
}

bool carom_find_program(char *out, size_t size, const char *variable, const char *program)
{
    static const char *const ways[] = { CAROM_PROGRAMS_FROM_LIBRARY "/", "../libexec/carom/", "" };
    const char *named = getenv(variable);
    if (named && named[0]) {
        return snprintf(out, size, "%s", named) < (int)size && can_run(out);
    }
    char *folder = folder_of_library();
    bool found = false;
    for (size_t i = 0; folder && i < sizeof ways / sizeof *ways && !found; ++i) {
        found = snprintf(out, size, "%s%s%s", folder, ways[i], program) < (int)size && can_run(out);
    }
    free(folder);
    return found;
}

bool carom_find_library(char *out, size_t size)
{
    char *path = file_of_library();
    bool found = path && strstr(path, ".so") && snprintf(out, size, "%s", path) < (int)size;
    free(path);
    return found;
}
