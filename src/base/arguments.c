/* Sentences for arguments that cannot be used. */
#include "base/arguments.h"

#include <math.h>

static const size_t LIST_MOST = INT32_MAX; /* beyond it lie negative numbers */

carom_status argument_given(const char *function, const char *name, const void *value, carom_error *err)
{
    return value ? CAROM_OK : carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' must not be NULL", function, name);
}

carom_status arguments_given(const char *function, const argument *arguments, size_t count, carom_error *err)
{
    for (size_t i = 0; i < count; ++i) {
        if (!arguments[i].value) {
            return argument_given(function, arguments[i].name, NULL, err);
        }
    }
    return CAROM_OK;
}

carom_status argument_text(const char *function, const char *name, const char *text, carom_error *err)
{
    carom_status status = argument_given(function, name, text, err);
    return status != CAROM_OK || text[0]
               ? status
               : carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' must not be an empty text", function, name);
}

carom_status argument_list(const char *function, const char *name, const void *const *items, size_t count,
                           carom_error *err)
{
    if (count > LIST_MOST) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' has a count of %zu; at most %zu are possible", function,
                          name, count, LIST_MOST);
    }
    if (count > 0 && !items) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' is NULL, but its count is %zu", function, name, count);
    }
    for (size_t i = 0; i < count; ++i) {
        if (!items[i]) {
            return carom_fail(err, CAROM_BAD_INPUT, "%s: '%s[%zu]' must not be NULL", function, name, i);
        }
    }
    return CAROM_OK;
}

carom_status argument_texts(const char *function, const char *name, const char *const *texts, size_t count,
                            carom_error *err)
{
    return argument_list(function, name, (const void *const *)texts, count, err);
}

carom_status argument_positive(const char *function, const char *name, double value, const char *unit,
                               carom_error *err)
{
    return isfinite(value) && value > 0.0
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' must be finite and above zero, not %g %s", function, name,
                            value, unit);
}

carom_status argument_nonnegative(const char *function, const char *name, double value, const char *unit,
                                  carom_error *err)
{
    return isfinite(value) && value >= 0.0
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' must be finite and not negative, not %g %s", function,
                            name, value, unit);
}

carom_status argument_threads(const char *function, int threads, carom_error *err)
{
    return threads >= 0 && threads <= THREADS_MOST
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "%s: 'threads' must be from 0 (one thread) to %d, not %d", function,
                            THREADS_MOST, threads);
}
