/* The surface of a mesh of finite elements: the faces of its elements that no other element shares. */
#ifndef CAROM_ELEMENTS_SOLIDS_SOLID_SURFACE_H
#define CAROM_ELEMENTS_SOLIDS_SOLID_SURFACE_H

#include "base/arena.h"
#include "elements/solids/solid_mesh.h"

enum { FACET_NODES = 3 };

/* A piece of the surface: the end of a rod (1 node), an edge (2), a triangle (3); counter-clockwise seen from outside, an edge with
 * the body on its left. */
typedef struct solid_facet {
    int count;
    int nodes[FACET_NODES];
    int side;    /* of the end of a rod: -1 or +1, where outside is along x */
    int element; /* behind it */
} solid_facet;

/* Elements that need not be those of a mesh: those of a result. */
typedef struct solid_elements {
    const void *of;
    int count;
    solid_element (*element)(const void *of, int element);
} solid_elements;

/* All of them, in the order of elements, in the arena. Beams have none. */
carom_status solid_surface_of(const solid_elements *elements, carom_arena *arena, solid_facet **facets,
                              int *facet_count, carom_error *err);
carom_status solid_surface_find(const solid_mesh *mesh, carom_arena *arena, solid_facet **facets, int *facet_count,
                                carom_error *err);

#endif
