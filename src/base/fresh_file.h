/* Files on their way to a name: made anew beside it, under a name that nobody else has. */
#ifndef CAROM_BASE_FRESH_FILE_H
#define CAROM_BASE_FRESH_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a file in the folder of `target` that was not there before: neither a file of somebody else nor what a link leads to
 * is ever written to. Its path goes to path[size]. The descriptor, or -1 with errno. */
int carom_fresh_file(const char *target, char *path, size_t size);

/* Whether a file's name (without folder) is one of these: left by a program that was killed. */
bool carom_is_fresh_name(const char *name);

#endif
