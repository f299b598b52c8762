/* Makes the parameters of the kind `zone`. */
#ifndef CAROM_ELEMENTS_BODIES_ZONE_MAKE_H
#define CAROM_ELEMENTS_BODIES_ZONE_MAKE_H

#include "elements/bodies/zone.h"
#include "elements/flexible/flexible.h"

carom_status zone_make(const void **params, const flexible_input *in, carom_arena *arena, carom_error *err);

#endif
