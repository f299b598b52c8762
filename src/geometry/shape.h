/* Shapes: mass properties and bounds. Distances and sampling points join this table with the contact methods. */
#ifndef CAROM_GEOMETRY_SHAPE_H
#define CAROM_GEOMETRY_SHAPE_H

#include <carom/elements.h>

#include "geometry/mass.h"

struct mesh;

typedef struct carom_shape_type {
    carom_kind kind; /* first: name, doc, fields, defaults, size */
    bool solid;      /* has a volume (a plane has none) */

    /* Checks params; CAROM_BAD_INPUT names what is wrong. */
    carom_status (*check)(const void *params, carom_error *err);

    /* The file the shape is made of, read before anything below is asked; NULL: none. */
    const carom_mesh_def *(*mesh_file)(const void *params);

    /* Volume, centroid and inertia for unit density in the shape's own axes. mesh is NULL but for meshes. */
    void (*mass)(mass_properties *out, const void *params, const struct mesh *mesh);

    /* Axis-aligned box in the shape's own axes (infinite for planes). */
    void (*bounds)(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh);
} carom_shape_type;

/* The type with this name, or NULL. */
const carom_shape_type *carom_shape_type_find(const char *name);

#endif
