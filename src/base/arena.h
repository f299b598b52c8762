/* A bump allocator: many small pieces, freed together. Pieces are zeroed and 64-byte aligned.
 *
 * A failed allocation returns NULL and is remembered, so that a builder may allocate all it needs and ask once. */
#ifndef CAROM_BASE_ARENA_H
#define CAROM_BASE_ARENA_H

#include <carom/base.h>

typedef struct carom_arena carom_arena;
struct carom_arena {
    struct arena_chunk *chunks;
    bool failed;
};

void *carom_arena_alloc(carom_arena *arena, size_t bytes);

/* A copy of `text` (NULL stays NULL). */
char *carom_arena_text(carom_arena *arena, const char *text);

/* A copy of `bytes` at `data`. */
void *carom_arena_copy(carom_arena *arena, const void *data, size_t bytes);

/* A formatted string. */
char *carom_arena_printf(carom_arena *arena, const char *fmt, ...) CAROM_PRINTF(2, 3);

/* Gives everything back; the arena may be used again. */
void carom_arena_free(carom_arena *arena);

/* count pieces of type, zeroed; NULL when memory runs out or the product overflows. */
void *carom_arena_array(carom_arena *arena, size_t count, size_t size);
#define CAROM_ARENA_ARRAY(arena, type, count) ((type *)carom_arena_array((arena), (size_t)(count), sizeof(type)))

#endif
