/* Compiling when memory runs out: every single allocation fails once, and each time the answer is CAROM_NO_MEMORY,
 * nothing crashes and everything is given back.
 *
 * The linker sends malloc and its kin, and the arena's functions, to the __wrap_ functions below (see CMakeLists.txt);
 * the arena by itself because its chunks serve many pieces, whose failures would otherwise never be seen. */
#include "rich_scene.h"

#include "base/arena.h"

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

/* Compiles with the n-th allocation failing. */
static carom_status compile_failing(const carom_spec *spec, long n, carom_model **model, carom_error *err)
{
    heap.calls = heap.live = 0;
    heap.fails_at = n;
    heap.counting = true;
    carom_status status = carom_compile(spec, model, err);
    if (status == CAROM_OK) {
        carom_model_destroy(*model);
    }
    heap.counting = false;
    return status;
}

TEST(compile_memory, every_allocation_may_fail)
{
    char folder[64];
    rich_scene_folder(folder, sizeof folder);
    carom_spec *spec = rich_scene_spec(folder, NULL);
    carom_status status = CAROM_NO_MEMORY;
    long n = 0;
    while (status != CAROM_OK) {
        carom_model *model = NULL;
        carom_error err = { 0 };
        status = compile_failing(spec, ++n, &model, &err);
        bool failed = heap.calls >= n; /* else there were fewer allocations: all of them have failed once */
        if (status != (failed ? CAROM_NO_MEMORY : CAROM_OK) || heap.live != 0) {
            print_error("allocation %ld: %s: %s; %ld blocks lost\n", n, carom_status_name(status), err.message,
                        heap.live);
        }
        CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
        CHECK_EQ(heap.live, 0);
        CHECK_EQ(err.status, status);
        CHECK(status == CAROM_OK || (!model && err.message[0]));
    }
    CHECK_GE((double)n, 100.0); /* the arena was counted too */
    carom_spec_destroy(spec);
    rich_scene_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { RUN_TEST(compile_memory, every_allocation_may_fail) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
