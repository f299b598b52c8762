/* A table from hashes to numbers, constant time per look-up: finding equal things among many without comparing each with
 * each. Who asks compares the candidates; equal hashes are rare, but not excluded. */
#ifndef CAROM_BASE_INDEX_H
#define CAROM_BASE_INDEX_H

#include "base/arena.h"

typedef struct carom_index {
    size_t capacity; /* a power of two */
    uint64_t *hashes;
    int *numbers; /* from 1 on; 0: free */
} carom_index;

/* Room for `count` numbers. When memory runs out (arena->failed) the table stays empty. */
void carom_index_prepare(carom_index *index, size_t count, carom_arena *arena);

/* Adds a number >= 0; at most as many as there is room for. */
void carom_index_add(carom_index *index, uint64_t hash, int number);

/* The numbers with this hash, one a call, in the order in which they were added; -1: no more. *cursor begins at 0. */
int carom_index_next(const carom_index *index, uint64_t hash, size_t *cursor);

#endif
