/* The surface of a body of finite elements, for contact: the faces of its mesh that belong to one element only.
 *
 * Nodes of bodies in nodal coordinates are where their coordinates say (nodal.h). Nodes of bodies with a frame and columns are `points` of
 * the body, which follow its deformation like any marker. contact/surface.h places both. */
#ifndef CAROM_MODEL_SURFACE_H
#define CAROM_MODEL_SURFACE_H

#include "base/arena.h"
#include "elements/bodies/body.h"
#include "elements/solids/solid_surface.h"

struct model_nodal;

typedef struct model_surface {
    int body;
    const char *material;            /* of pairs of the contact section; NULL: none */
    const struct model_nodal *nodal; /* NULL: the body has columns, and `points` */
    const body_point *points;        /* per node of the mesh */
    int dimension;                   /* axes that nodes move along: 1, 2, 3 */
    int facet_count;
    solid_facet *facets;
    int node_count;
    int *nodes; /* of facets, ascending */
    double *
        penalty; /* per node of the mesh: [N/m] modulus times the square of its share of the surface over the volume behind it */
    double facet_size; /* [m] shortest edge; of a rod its shortest element */
} model_surface;

/* Finds facets, nodes, sizes; room from the arena. held: per coordinate of the mesh, those of nodes on an axis of revolution among them;
 * NULL: none is. */
carom_status surface_find(model_surface *s, const solid_mesh *mesh, const bool *held, carom_arena *arena,
                          carom_error *err);

#endif
