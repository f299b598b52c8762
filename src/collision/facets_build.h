/* How facets are made. Internal to collision. */
#ifndef CAROM_COLLISION_FACETS_BUILD_H
#define CAROM_COLLISION_FACETS_BUILD_H

#include "collision/facets.h"

/* How many of each there may be. */
typedef struct facet_room {
    int vertices, edges, faces, spokes, wings, sides;
} facet_room;

/* False when memory runs out; what was made is given back by facets_destroy. */
bool facets_allocate(facets *f, const facet_room *room);

carom_status facets_no_memory(carom_error *err);

/* The features of a mesh; f knows its size already. */
carom_status facets_take_polyhedron(facets *f, const mesh *m, carom_error *err);

/* The outline of a planar shape; false when memory runs out. */
bool facets_take_outline(facets *f, const carom_shape_type *type, const void *params, const shape_skeleton *s);
void facets_free_outline(facets *f);

#endif
