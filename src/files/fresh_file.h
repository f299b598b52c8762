/* Files on their way to a name: whole under it, or not there at all.
 *
 * Where the system can, such a file has no name until it is complete: a program that ends meanwhile, in whatever way, leaves
 * nothing behind. Elsewhere it is made beside its target, under a name that nobody else has. */
#ifndef CAROM_FILES_FRESH_FILE_H
#define CAROM_FILES_FRESH_FILE_H

#include <stdbool.h>

enum { CAROM_FRESH_PATH = 4096 };

typedef struct carom_fresh {
    int hold;                    /* keeps a file without a name; -1: none */
    char path[CAROM_FRESH_PATH]; /* its name meanwhile; empty: it has none */
} carom_fresh;

/* Makes a file in the folder of `target` that was not there before: neither a file of somebody else nor what a link leads to
 * is ever written to. A descriptor to write to and to close, or -1 with errno and nothing to give up. */
int carom_fresh_open(carom_fresh *fresh, const char *target);

/* Gives the file, closed by now, the name `target`; what was there is replaced. False: errno, and the file is gone. */
bool carom_fresh_publish(carom_fresh *fresh, const char *target);

/* Removes the file. errno stays. */
void carom_fresh_drop(carom_fresh *fresh);

/* Whether a file's name (without folder) is one that they have meanwhile: left by a program that was killed. */
bool carom_is_fresh_name(const char *name);

#endif
