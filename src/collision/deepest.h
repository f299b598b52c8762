/* Where on an edge or a triangle a field is smallest, by local optimisation. Internal to collision. */
#ifndef CAROM_COLLISION_DEEPEST_H
#define CAROM_COLLISION_DEEPEST_H

#include "collision/collider_field.h"

typedef struct deep_point {
    v3 p;            /* [m] in the axes of the field */
    double distance; /* [m] */
} deep_point;

deep_point deepest_on_edge(const collider_field_source *field, v3 a, v3 b, int *hint);
deep_point deepest_on_triangle(const collider_field_source *field, const v3 corner[3], int *hint);

#endif
