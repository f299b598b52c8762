/* Files that the program itself reads; the library has a door of its own. */
#ifndef CAROM_APP_INPUT_H
#define CAROM_APP_INPUT_H

#include <stdio.h>

/* A regular file; NULL with errno set for all else. Never waits. */
FILE *open_to_read(const char *file);

#endif
