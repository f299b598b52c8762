/* A heap whose n-th allocation fails, and which counts what is not given back.
 *
 * The linker sends malloc and its kin, and the arena's functions, to the __wrap_ functions below (see --wrap in
 * the CMakeLists.txt of the test's folder); the arena by itself because its chunks serve many pieces, whose failures
 * would otherwise never be seen. For one source file per program. */
#ifndef CAROM_TESTS_FAILING_HEAP_H
#define CAROM_TESTS_FAILING_HEAP_H

#include "base/arena.h"
#include "support/check.h"

static struct {
    bool counting;
    long calls;    /* since counting began */
    long fails_at; /* this one fails; 0: none */
    long live;     /* blocks not given back */
} heap;

static bool fails_now(void)
{
    return heap.counting && ++heap.calls == heap.fails_at;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size)
{
    void *block = fails_now() ? NULL : __real_malloc(size);
    heap.live += heap.counting && block;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = fails_now() ? NULL : __real_calloc(count, size);
    heap.live += heap.counting && block;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    bool is_new = !block;
    void *moved = fails_now() ? NULL : __real_realloc(block, size);
    heap.live += heap.counting && is_new && moved;
    return moved;
}

void __wrap_free(void *block)
{
    heap.live -= heap.counting && block;
    __real_free(block);
}

void *__real_carom_arena_alloc(carom_arena *arena, size_t bytes);
void *__real_carom_arena_array(carom_arena *arena, size_t count, size_t size);
void *__real_carom_arena_copy(carom_arena *arena, const void *data, size_t bytes);
char *__real_carom_arena_text(carom_arena *arena, const char *text);
void *__wrap_carom_arena_alloc(carom_arena *arena, size_t bytes);
void *__wrap_carom_arena_array(carom_arena *arena, size_t count, size_t size);
void *__wrap_carom_arena_copy(carom_arena *arena, const void *data, size_t bytes);
char *__wrap_carom_arena_text(carom_arena *arena, const char *text);
char *__wrap_carom_arena_printf(carom_arena *arena, const char *fmt, ...) CAROM_PRINTF(2, 3);

static bool arena_fails_now(carom_arena *arena)
{
    bool fails = fails_now();
    arena->failed = arena->failed || fails;
    return fails;
}

void *__wrap_carom_arena_alloc(carom_arena *arena, size_t bytes)
{
    return arena_fails_now(arena) ? NULL : __real_carom_arena_alloc(arena, bytes);
}

void *__wrap_carom_arena_array(carom_arena *arena, size_t count, size_t size)
{
    return arena_fails_now(arena) ? NULL : __real_carom_arena_array(arena, count, size);
}

void *__wrap_carom_arena_copy(carom_arena *arena, const void *data, size_t bytes)
{
    return arena_fails_now(arena) ? NULL : __real_carom_arena_copy(arena, data, bytes);
}

char *__wrap_carom_arena_text(carom_arena *arena, const char *text)
{
    return !text || arena_fails_now(arena) ? NULL : __real_carom_arena_text(arena, text);
}

char *__wrap_carom_arena_printf(carom_arena *arena, const char *fmt, ...)
{
    char text[1000];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return arena_fails_now(arena) ? NULL : __real_carom_arena_text(arena, text);
}

/* Between begin and end allocations are counted, and number n fails (0: none). */
static void heap_begin(long n)
{
    heap.calls = heap.live = 0;
    heap.fails_at = n;
    heap.counting = true;
}

/* Whether the one that should fail was reached. */
static bool heap_end(void)
{
    heap.counting = false;
    return heap.fails_at > 0 && heap.calls >= heap.fails_at;
}

#endif
