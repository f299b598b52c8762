/* Comparisons: a result differs from itself by nothing, bodies and pairs are known by their names in whatever order they
 * stand, what is missing is not a number, and every allocation may fail. */
#include "support/failing_heap.h"

#include <jansson.h>

#include <carom/page.h>

#include "support/small_run.h"

static const char *const one = SMALL_SCENE(SMALL_FLOOR ", " SMALL_BALLS ", " SMALL_ARM, SMALL_HINGE);
static const char *const other = SMALL_SCENE(SMALL_ARM ", " SMALL_BALLS ", " SMALL_FLOOR, SMALL_HINGE);
static const char *const less = SMALL_SCENE(SMALL_FLOOR ", " SMALL_BALLS, "");

static carom_comparison *compare(carom_result *const *results, size_t count)
{
    carom_error err = { 0 };
    carom_comparison *c = NULL;
    CHECK_OK(carom_compare((const carom_result *const *)results, count, &c, &err), err);
    CHECK_EQ(c->run_count, count);
    return c;
}

static const carom_comparison_row *row_of(const carom_comparison *c, const char *name)
{
    for (size_t i = 0; i < c->row_count; ++i) {
        if (strcmp(c->rows[i].name, name) == 0) {
            return &c->rows[i];
        }
    }
    print_error("no row '%s'\n", name);
    CHECK(false);
    return NULL;
}

/* Rows of a group stand together, each once. */
static void check_order(const carom_comparison *c)
{
    for (size_t i = 0; i < c->row_count; ++i) {
        CHECK(c->rows[i].group[0] && c->rows[i].name[0] && c->rows[i].unit);
        for (size_t k = 0; k < i; ++k) {
            bool same_group = strcmp(c->rows[k].group, c->rows[i].group) == 0;
            CHECK(!same_group || strcmp(c->rows[i - 1].group, c->rows[i].group) == 0);
            CHECK(!same_group || strcmp(c->rows[k].name, c->rows[i].name) != 0);
        }
    }
}

TEST(compare, a_result_with_itself_differs_by_nothing)
{
    small_run(one, "compare-one");
    carom_result *r = small_open("compare-one");
    carom_result *same[] = { r, r, r };
    carom_comparison *c = compare(same, 3);
    check_order(c);
    CHECK_GE((double)c->row_count, 40.0);
    for (size_t i = 0; i < c->row_count; ++i) {
        const double *v = c->rows[i].values;
        if (!(v[0] == v[1] && v[0] == v[2])) {
            print_error("%s: %.17g %.17g %.17g\n", c->rows[i].name, v[0], v[1], v[2]);
        }
        CHECK(v[0] == v[1] && v[0] == v[2]);
    }
    carom_comparison_destroy(c);
    carom_result_close(r);
    small_remove("compare-one");
}

static double largest_difference(const carom_comparison *c, const char *group)
{
    double most = 0.0;
    for (size_t i = 0; i < c->row_count; ++i) {
        const double *v = c->rows[i].values;
        if (strcmp(c->rows[i].group, group) == 0) {
            CHECK(!isnan(v[0]) && !isnan(v[1]));
            most = fmax(most, fabs(v[0] - v[1]) / fmax(1.0, fabs(v[0])));
        }
    }
    return most;
}

TEST(compare, the_order_of_bodies_does_not_matter)
{
    small_run(one, "compare-one");
    small_run(other, "compare-other");
    carom_result *results[] = { small_open("compare-one"), small_open("compare-other") };
    carom_comparison *c = compare(results, 2);
    check_order(c);
    CHECK_LE(largest_difference(c, "final state"), 1e-6);
    CHECK_LE(largest_difference(c, "contact"), 1e-6); /* pairs the other way round are the same pairs */
    CHECK_LE(largest_difference(c, "peak reaction of joints"), 1e-6);
    CHECK_GE(row_of(c, "floor, twin: impulse")->values[1], 0.9 * 2.0 * 9.81 * 0.06);
    carom_comparison_destroy(c);
    carom_result_close(results[0]);
    carom_result_close(results[1]);
    small_remove("compare-one");
    small_remove("compare-other");
}

TEST(compare, what_is_missing_is_not_a_number)
{
    small_run(one, "compare-one");
    small_run(less, "compare-less");
    carom_result *results[] = { small_open("compare-one"), small_open("compare-less"), small_open("compare-one") };
    carom_comparison *c = compare(results, 3);
    static const char *const names[] = { "arm.position.x", "arm.angular_velocity.z", "arm turned from the first",
                                         "hinge" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const double *v = row_of(c, names[i])->values;
        CHECK(!isnan(v[0]) && isnan(v[1]) && v[2] == v[0]);
    }
    CHECK(row_of(c, "ball.position.z")->values[1] > 0.0);
    carom_comparison_destroy(c);
    for (int i = 0; i < 3; ++i) {
        carom_result_close(results[i]);
    }
    small_remove("compare-one");
    small_remove("compare-less");
}

TEST(compare, nothing_and_one)
{
    carom_comparison *none = compare(NULL, 0);
    CHECK_EQ(none->row_count, 0);
    carom_comparison_destroy(none);
    carom_comparison_destroy(NULL);
    small_run(one, "compare-one");
    carom_result *r = small_open("compare-one");
    carom_comparison *c = compare(&r, 1);
    CHECK_NEAR(row_of(c, "time at the end")->values[0], 0.06, 1e-15);
    CHECK_NEAR(row_of(c, "ball turned from the first")->values[0], 0.0, 0.0);
    carom_comparison_destroy(c);
    carom_result_close(r);
    small_remove("compare-one");
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

/* Results are read as needed, so they are opened and closed within. */
static carom_status try_once(carom_error *err, size_t *rows)
{
    carom_result *results[2] = { NULL, NULL };
    carom_comparison *c = NULL;
    carom_status status = carom_result_open("compare-one", &results[0], err);
    status = status == CAROM_OK ? carom_result_open("compare-other", &results[1], err) : status;
    status = status == CAROM_OK ? carom_compare((const carom_result *const *)results, 2, &c, err) : status;
    *rows = c ? c->row_count : 0;
    carom_comparison_destroy(c);
    carom_result_close(results[0]);
    carom_result_close(results[1]);
    return status;
}

TEST(compare, every_allocation_may_fail)
{
    small_run(one, "compare-one");
    small_run(other, "compare-other");
    unlink("compare-one/summary.json"); /* optional: without memory for it, it counts as missing */
    unlink("compare-other/summary.json");
    json_set_alloc_funcs(__wrap_malloc, __wrap_free);
    long n = 0;
    bool failed = true;
    while (failed) {
        carom_error err = { 0 };
        size_t rows = 0;
        heap_begin(++n);
        carom_status status = try_once(&err, &rows);
        failed = heap_end();
        if ((status != CAROM_OK) != failed) {
            print_error("allocation %ld: %s, %zu rows\n", n, carom_status_name(status), rows);
        }
        CHECK_EQ(status != CAROM_OK, failed);
        CHECK(status == CAROM_OK || err.message[0]);
        CHECK_EQ(heap.live, 0);
    }
    printf("  %ld allocations\n", n - 1);
    small_remove("compare-one");
    small_remove("compare-other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(compare, a_result_with_itself_differs_by_nothing),
        RUN_TEST(compare, the_order_of_bodies_does_not_matter),
        RUN_TEST(compare, what_is_missing_is_not_a_number),
        RUN_TEST(compare, nothing_and_one),
        RUN_TEST(compare, every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
