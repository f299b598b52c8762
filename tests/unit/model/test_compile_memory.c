/* Compiling when memory runs out: every single allocation fails once, and each time the answer is CAROM_NO_MEMORY,
 * nothing crashes and everything is given back. */
#include "rich_scene.h"

#include "support/failing_heap.h"

/* Compiles with the n-th allocation failing. */
static carom_status compile_failing(const carom_spec *spec, long n, carom_model **model, carom_error *err)
{
    heap_begin(n);
    carom_status status = carom_compile(spec, model, err);
    if (status == CAROM_OK) {
        carom_model_destroy(*model);
    }
    heap_end();
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
