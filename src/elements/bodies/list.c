/* The list of kinds of bodies. */
#include "elements/bodies/body.h"

#define BODY(name) extern const carom_body_type carom_body_##name;
#include "elements/bodies/list.inc"
#undef BODY

#define BODY(name) &carom_body_##name,
static const carom_body_type *const body_types[] = {
#include "elements/bodies/list.inc"
    NULL,
};
#undef BODY

const carom_body_type *const *carom_body_types(void)
{
    return body_types;
}
