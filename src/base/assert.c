/* The handler of broken invariants: the one thing that a process has only one of. */
#include "base/assert.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <carom/base.h>

static _Atomic(carom_assert_handler) present;

carom_assert_handler carom_set_assert_handler(carom_assert_handler handler)
{
    return atomic_exchange(&present, handler);
}

void carom_broken(const char *file, int line, const char *condition)
{
    carom_assert_handler handler = atomic_load(&present);
    if (handler) {
        handler(file, line, condition);
    } else {
        fprintf(stderr, "carom: broken invariant at %s:%d: %s\n", file, line, condition);
    }
    abort();
}
