/* Our own invariants, never the caller's input: aborts with file and line in every build, because a wrong answer
 * costs a user more than a comparison. */
#ifndef CAROM_BASE_ASSERT_H
#define CAROM_BASE_ASSERT_H

#include <stdio.h>
#include <stdlib.h>

#define CAROM_ASSERT(condition) \
    ((condition)                \
         ? (void)0              \
         : (fprintf(stderr, "carom: broken invariant at %s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

#endif
