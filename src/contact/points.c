#include "contact/points.h"

#include <stdlib.h>

#include "base/array.h"
#include "math/vec3.h"

bool contact_points_reserve(contact_points *p, size_t count)
{
    return CAROM_ARRAY_RESERVE(p->items, p->capacity, count) &&
           CAROM_ARRAY_RESERVE(p->interactions, p->interaction_capacity, count);
}

void contact_points_free(contact_points *p)
{
    free(p->items);
    free(p->interactions);
    *p = (contact_points){ 0 };
}

void contact_points_push(contact_points *p, const contact_sight *seen, const model_interaction *interaction)
{
    bool ascending = seen->body < seen->other;
    double sign = ascending ? 1.0 : -1.0;
    p->interactions[p->count] = interaction;
    p->items[p->count++] = (carom_contact_point){ .body = { ascending ? seen->body : seen->other,
                                                            ascending ? seen->other : seen->body },
                                                  .gap = seen->gap,
                                                  .position = seen->p_w,
                                                  .normal = v3_scale(sign, seen->normal_w),
                                                  .force = v3_scale(sign, seen->force_w),
                                                  .slip = v3_scale(sign, seen->slip_w) };
}
