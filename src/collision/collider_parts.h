/* What a collider is made of. Internal to collision. */
#ifndef CAROM_COLLISION_COLLIDER_PARTS_H
#define CAROM_COLLISION_COLLIDER_PARTS_H

#include "collision/collider_features.h"
#include "collision/collider_field.h"
#include "collision/convex_build.h"
#include "collision/exact_elements.h"
#include "collision/facets.h"
#include "collision/surface.h"

struct collider {
    void *params; /* own copy */
    collider_field_source field;
    surface_features features;
    facets *facets;           /* NULL: not asked for */
    convex *convex;           /* NULL: no facets, or not convex */
    surface *surface;         /* likewise */
    exact_elements *elements; /* NULL: features are not exact */
    char why_points[256];     /* empty: it has elements, or they were not asked for */
    obb box;
    double radius; /* [m] */
    bool pruned;   /* cells of features are decided by one look at the field */
};

#endif
