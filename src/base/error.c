/* Status names and the one way an error is written. */
#include <carom/base.h>

#include <stdarg.h>
#include <stdio.h>

carom_status carom_fail(carom_error *err, carom_status status, const char *fmt, ...)
{
    if (err) {
        va_list args;
        va_start(args, fmt);
        err->status = status;
        err->count = 1;
        vsnprintf(err->message, sizeof err->message, fmt ? fmt : "no reason given", args);
        va_end(args);
    }
    return status;
}

const char *carom_status_name(carom_status status)
{
    static const char *const names[] = {
        [CAROM_OK] = "ok",
        [CAROM_BAD_INPUT] = "bad input",
        [CAROM_NO_MEMORY] = "out of memory",
        [CAROM_IO_FAILED] = "input/output failed",
        [CAROM_NOT_CONVERGED] = "not converged",
        [CAROM_IMPOSSIBLE] = "impossible constraints",
        [CAROM_INTERSECTING] = "bodies overlap",
        [CAROM_INTERRUPTED] = "interrupted",
        [CAROM_UNSUPPORTED] = "not in this build",
    };
    size_t count = sizeof names / sizeof names[0];
    return (size_t)status < count ? names[status] : "unknown status";
}
