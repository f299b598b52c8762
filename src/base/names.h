/* A table from names to numbers, linear in memory, constant time per look-up. Keeps pointers to the names. */
#ifndef CAROM_BASE_NAMES_H
#define CAROM_BASE_NAMES_H

#include "base/arena.h"

typedef struct carom_names {
    size_t capacity; /* a power of two */
    size_t count;
    const char **keys;
    int *values;
} carom_names;

/* Room for `count` names. When memory runs out (arena->failed) the table has room for none and finds nothing. */
void carom_names_prepare(carom_names *names, size_t count, carom_arena *arena);

/* Adds a name not yet there; false when it is, or when the table has no room at all. */
bool carom_names_add(carom_names *names, const char *name, int value);

/* The number of a name, or -1. */
int carom_names_find(const carom_names *names, const char *name);

#endif
