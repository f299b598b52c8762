/* Makes the parameters of the kind `modes`. */
#ifndef CAROM_ELEMENTS_BODIES_MODES_MAKE_H
#define CAROM_ELEMENTS_BODIES_MODES_MAKE_H

#include "elements/bodies/modes.h"
#include "elements/flexible/flexible.h"

enum {
    MODES_MOST = 512
}; /* shapes of one body: what depends on the deformation lies on the stack of an evaluation */

carom_status modes_make(const void **params, const flexible_input *in, carom_arena *arena, carom_error *err);

#endif
