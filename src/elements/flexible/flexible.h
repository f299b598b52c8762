/* From the definition of a body that deforms to finite elements: the mesh of cells, the elements, the nodes of attachments. What kinds of
 * bodies are made from (body.h: make). Places are in the frame of the body as users give it. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_FLEXIBLE_H
#define CAROM_ELEMENTS_FLEXIBLE_FLEXIBLE_H

#include <carom/elements.h>

#include "base/arena.h"
#include "elements/solids/solid_mesh.h"
#include "geometry/volume_mesh.h"

typedef struct flexible_attachment {
    const char *name;
    carom_attachment_rule as;
    int node_count;
    const int *nodes; /* ascending */
    v3 low, high;     /* [m] the box around them */
} flexible_attachment;

/* All that a kind of body is made from. */
typedef struct flexible_input {
    const char *body; /* its name, for messages */
    const carom_flexible_def *def;
    const volume_mesh *cells;
    const solid_mesh *mesh;
    const solid_material *material; /* with section, thickness and plane */
    int attachment_count;
    const flexible_attachment *attachments;
    double mass;  /* [kg] of the lumped masses */
    v3 centre;    /* [m] of the lumped masses: where the frame of the body sits */
    double size;  /* [m] diagonal of the box around the nodes */
    uint64_t key; /* of all that shapes are made from, for the cache; 0: they are not kept */
    bool skin;    /* it may touch with its surface, anywhere */
} flexible_input;

/* Whether the mesh is one that this makes; else it comes from a file, or fills a shape. */
bool flexible_mesh_is_made(const carom_choice *mesh);

/* A mesh that is made. Free it. */
carom_status flexible_mesh_make(volume_mesh *out, const carom_flexible_def *def, carom_error *err);

/* Nodes at the ends of the axes, within `room` [m], become the groups x_min, x_max, ... of points. False: memory runs out. */
bool flexible_mesh_add_sides(volume_mesh *mesh, int dimension, double room);

/* Finite elements of the cells, with the numbers of a material. `out_material` receives what all elements have. */
carom_status flexible_solid_make(solid_mesh **out, solid_material *out_material, const volume_mesh *cells,
                                 const carom_flexible_def *def, const carom_material_def *material, carom_error *err);

/* Mass, centre and size; the attachments, in the arena. Names, places and groups that are wrong are refused by name,
 * and so is a mesh in several pieces that no rigid attachment holds together. */
carom_status flexible_input_make(flexible_input *in, carom_arena *arena, carom_error *err);

/* The nodes that a choice means, ascending, in the arena. `what` is for messages: "attachment 'hinge'". */
carom_status flexible_nodes_find(const flexible_input *in, const carom_choice *choice, const char *what,
                                 carom_arena *arena, const int **nodes, int *count, carom_error *err);

/* The lumped mass of a node in motion, and whether it has any: nodes of no element have none. */
double flexible_node_mass(const flexible_input *in, const double *lumped, int node);
bool flexible_node_used(const flexible_input *in, int node);

#endif
