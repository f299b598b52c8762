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

/* An edge of the surface, with the third nodes of both facets. */
typedef struct surface_edge {
    int nodes[2];
    int beside
        [2]; /* outwards is across from nodes[0] to nodes[1] and from there to the first. NONE_BESIDE both: a facet of a plane body, which is an
                edge seen from outside of its plane, the body on its left */
    bool sharp; /* the surface bends outwards by more than a little; else it touches sharp edges of others alone */
} surface_edge;

enum { NONE_BESIDE = -1 };

/* A node that may poke into facets of finer meshes: on an edge, or where the outline of a plane body bends; with the facets around it. */
typedef struct surface_corner {
    int node;
    int facet_count;
    const solid_facet *facets;
} surface_corner;

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
    int edge_count;
    surface_edge *edges; /* of plane and solid bodies */
    int corner_count;
    surface_corner *corners; /* likewise, by node, ascending */
    int watched_count;
    int *watched; /* nodes of the surface that must not touch: outside of the zone of their body, ascending */
    double *
        penalty; /* per node of the mesh: [N/m] modulus times the square of its share of the surface over the volume behind it */
    double facet_size; /* [m] shortest edge; of a rod its shortest element */
} model_surface;

/* Finds facets, nodes, sizes; room from the arena. held: per coordinate of the mesh, those of nodes on an axis of revolution among them;
 * NULL: none is. */
carom_status surface_find(model_surface *s, const solid_mesh *mesh, const bool *held, carom_arena *arena,
                          carom_error *err);

/* Find the edges of the facets, and the corners. surface_find calls them. */
carom_status surface_find_corners(model_surface *s, const solid_mesh *mesh, carom_arena *arena, carom_error *err);
carom_status surface_find_edges(model_surface *s, const solid_mesh *mesh, carom_arena *arena, carom_error *err);

/* Leaves contact to the nodes of a kind of body that may touch, and to facets, edges and corners of them alone; the others are watched. */
void surface_leave_zone(model_surface *s, const carom_body_type *type, const void *params, carom_arena *arena);

#endif
