/* What tests are written with: cmocka, checks that show numbers when they fail, seeded random numbers. */
#ifndef CAROM_TESTS_CHECK_H
#define CAROM_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <carom/base.h>

/* The parameter is cmocka's; a test may use it or not. TEST_UNUSED says that it does not: never needed, and left only in tests
 * of joints, forces and laws, which stay as they are. */
#define TEST(suite, name) static void suite##_##name(__attribute__((unused)) void **cmocka_state_)
#define TEST_UNUSED() ((void)cmocka_state_)
#define RUN_TEST(suite, name) cmocka_unit_test(suite##_##name)

#define CHECK(condition) check_true_((condition), #condition, __FILE__, __LINE__)
#define CHECK_NEAR(value, expected, tolerance) \
    check_near_((value), (expected), (tolerance), #value, __FILE__, __LINE__)
#define CHECK_LE(value, bound) check_le_((value), (bound), #value, __FILE__, __LINE__)
#define CHECK_GE(value, bound) check_le_(-(value), -(bound), "-(" #value ")", __FILE__, __LINE__)
#define CHECK_EQ(value, expected) check_eq_((long long)(value), (long long)(expected), #value, __FILE__, __LINE__)
#define CHECK_TEXT(value, expected) check_text_((value), (expected), #value, __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) check_contains_((text), (part), #text, __FILE__, __LINE__)
/* A call that must succeed: shows the error when it does not. */
#define CHECK_OK(call, err) check_ok_((call), &(err), #call, __FILE__, __LINE__)

static inline void check_true_(bool ok, const char *what, const char *file, int line)
{
    if (!ok) {
        print_error("not true: %s\n", what);
        _fail(file, line);
    }
}

static inline void check_near_(double value, double expected, double tolerance, const char *what, const char *file,
                               int line)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%s = %.17g, expected %.17g, off by %.3g > %.3g\n", what, value, expected, value - expected,
                    tolerance);
        _fail(file, line);
    }
}

static inline void check_le_(double value, double bound, const char *what, const char *file, int line)
{
    if (!(value <= bound)) {
        print_error("%s = %.17g, must not exceed %.17g\n", what, value, bound);
        _fail(file, line);
    }
}

static inline void check_eq_(long long value, long long expected, const char *what, const char *file, int line)
{
    if (value != expected) {
        print_error("%s = %lld, expected %lld\n", what, value, expected);
        _fail(file, line);
    }
}

static inline void check_text_(const char *value, const char *expected, const char *what, const char *file, int line)
{
    if (!value || strcmp(value, expected) != 0) {
        print_error("%s = \"%s\", expected \"%s\"\n", what, value ? value : "(null)", expected);
        _fail(file, line);
    }
}

static inline void check_contains_(const char *text, const char *part, const char *what, const char *file, int line)
{
    if (!text || !strstr(text, part)) {
        print_error("%s = \"%s\" does not contain \"%s\"\n", what, text ? text : "(null)", part);
        _fail(file, line);
    }
}

static inline void check_ok_(carom_status status, const carom_error *err, const char *what, const char *file,
                             int line)
{
    if (status != CAROM_OK) {
        print_error("%s: %s: %s\n", what, carom_status_name(status), err->message);
        _fail(file, line);
    }
}

/* xorshift64*: the same numbers on every machine. */
typedef struct test_rng {
    uint64_t s;
} test_rng;

static inline test_rng test_rng_seed(uint64_t seed)
{
    return (test_rng){ seed * UINT64_C(0x9E3779B97F4A7C15) + UINT64_C(0x2545F4914F6CDD1D) };
}

/* Uniform in [low, high). */
static inline double test_rng_uniform(test_rng *rng, double low, double high)
{
    rng->s ^= rng->s >> 12;
    rng->s ^= rng->s << 25;
    rng->s ^= rng->s >> 27;
    return low + (high - low) * (double)((rng->s * UINT64_C(0x2545F4914F6CDD1D)) >> 11) * 0x1p-53;
}

#define FOR_EACH_SEED(rng, count)                  \
    for (int seed_ = 1; seed_ <= (count); ++seed_) \
        for (test_rng rng = test_rng_seed((uint64_t)seed_), *once_ = &rng; once_; once_ = NULL)

#endif
