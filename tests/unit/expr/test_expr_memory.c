/* Memory that runs out at any allocation of ours: an expression is refused with that reason, and nothing is left behind.
 * (What muParser allocates is C++'s and not counted.) */
#include "expr/expr.h"

#include "support/failing_heap.h"

static int any_name(void *context, const char *name)
{
    (void)context, (void)name;
    return 0;
}

TEST(expr, any_allocation_may_fail)
{
    int failures = 0;
    for (long n = 1; n < 100; ++n) {
        carom_error err = { 0 };
        heap_begin(n);
        expr *e = expr_create("sin(t)*t + clamp(t, 0, 1)", any_name, NULL, &err);
        bool refused = !e;
        expr_destroy(e);
        heap_end();
        CHECK_EQ(heap.live, 0);
        if (!refused) {
            break;
        }
        CHECK_EQ(err.status, CAROM_NO_MEMORY);
        ++failures;
    }
    CHECK_GE(failures, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = { RUN_TEST(expr, any_allocation_may_fail) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
