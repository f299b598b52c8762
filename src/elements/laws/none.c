/* No friction: what switches it off for a pair where the scene has some. */
#include "elements/laws/friction.h"

static friction_force none_force(const friction_input *in, const void *params)
{
    (void)in;
    (void)params;
    return (friction_force){ 0 };
}

static carom_status none_check(const void *params, carom_error *err)
{
    (void)params;
    (void)err;
    return CAROM_OK;
}

static const carom_field none_fields[] = { { 0 } };

const carom_friction_law carom_friction_law_none = {
    .kind = { .name = "none", .doc = "No friction.", .fields = none_fields },
    .check = none_check,
    .force = none_force,
};
