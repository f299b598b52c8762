/* Opening what is to be read: the one door for scenes, includes, meshes, fields, results and checkpoints. */
#ifndef CAROM_FILES_INPUT_FILE_H
#define CAROM_FILES_INPUT_FILE_H

#include <carom/base.h>
#include <stdio.h>

enum { CAROM_INPUT_WHY = 160 };

/* A file open for reading, or why it is not: a predicate as "is a pipe, not a regular file" or "cannot be opened:
 * Permission denied". */
typedef struct carom_input {
    int fd; /* close() it; -1: not open */
    uint64_t size;
    int code; /* errno where the system refused it; 0 where it is not a regular file */
    char why[CAROM_INPUT_WHY];
} carom_input;

/* Opens a regular file. Anything else is refused at once: a pipe or a device may never end, or wait for ever. */
bool carom_input_open(carom_input *out, const char *path);

/* Who is to blame for a file that is not open: the caller (CAROM_BAD_INPUT), unless the machine has run out of something or
 * cannot read its disk. */
carom_status carom_input_status(const carom_input *input);

/* The same as a stream; NULL: out says why. The stream owns the descriptor. */
FILE *carom_input_stream(carom_input *out, const char *path);

#endif
