/* Programs that belong to the library and are installed near it. */
#ifndef CAROM_BASE_BESIDE_H
#define CAROM_BASE_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/* The path of a program of carom's: what the environment variable says, else where an installed or a built tree has it,
 * seen from the library wherever that was moved to, else in the library's own folder. False: none of them can be run. */
bool carom_find_program(char *out, size_t size, const char *variable, const char *program);

/* The file of the library itself, links followed. False: not known, or it is part of a program. */
bool carom_find_library(char *out, size_t size);

#endif
