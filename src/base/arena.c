/* Bump allocation in chunks that double in size, so that n bytes cost O(log n) calls of malloc. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, FIRST_CHUNK = 4096 };

typedef struct arena_chunk {
    struct arena_chunk *next;
    size_t used;
    size_t size;
    unsigned char *data; /* aligned start inside this allocation */
} arena_chunk;

static arena_chunk *add_chunk(carom_arena *arena, size_t bytes)
{
    size_t size = arena->chunks ? 2 * arena->chunks->size : FIRST_CHUNK;
    size = size < bytes ? bytes : size;
    if (size > SIZE_MAX - sizeof(arena_chunk) - ALIGN) {
        return NULL;
    }
    arena_chunk *chunk = calloc(1, sizeof(arena_chunk) + ALIGN + size); /* no page is touched before it is needed */
    if (!chunk) {
        return NULL;
    }
    uintptr_t start = ((uintptr_t)(chunk + 1) + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
    *chunk = (arena_chunk){ .next = arena->chunks, .size = size, .data = (unsigned char *)start };
    arena->chunks = chunk;
    return chunk;
}

void *carom_arena_alloc(carom_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGN) {
        arena->failed = true;
        return NULL;
    }
    size_t rounded = bytes == 0 ? ALIGN : (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < rounded) {
        chunk = add_chunk(arena, rounded);
    }
    if (!chunk) {
        arena->failed = true;
        return NULL;
    }
    void *piece = chunk->data + chunk->used;
    chunk->used += rounded;
    return piece;
}

void *carom_arena_array(carom_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        arena->failed = true;
        return NULL;
    }
    return carom_arena_alloc(arena, count * size);
}

void *carom_arena_copy(carom_arena *arena, const void *data, size_t bytes)
{
    void *copy = carom_arena_alloc(arena, bytes);
    if (copy && bytes > 0) {
        memcpy(copy, data, bytes);
    }
    return copy;
}

char *carom_arena_text(carom_arena *arena, const char *text)
{
    return text ? carom_arena_copy(arena, text, strlen(text) + 1) : NULL;
}

char *carom_arena_printf(carom_arena *arena, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = length < 0 ? NULL : carom_arena_alloc(arena, (size_t)length + 1);
    if (text) {
        va_start(args, fmt);
        vsnprintf(text, (size_t)length + 1, fmt, args);
        va_end(args);
    }
    return text;
}

void carom_arena_free(carom_arena *arena)
{
    for (arena_chunk *chunk = arena->chunks; chunk;) {
        arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    *arena = (carom_arena){ 0 };
}
