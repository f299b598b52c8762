/* Bodies that deform, as results keep them. A node is where the frame of its body and its displacement in that frame put it:
 *
 *     p_w = x + R (X + u),
 *
 * so that what is rounded to 32 bits is the deformation and not the way of the body. u is a sum of shapes, whose coordinates are
 * recorded, or recorded itself. Written once: nodes, cells, shapes and what stresses are found from. */
#ifndef CAROM_RESULT_RESULT_FLEXIBLE_H
#define CAROM_RESULT_RESULT_FLEXIBLE_H

#include <carom/result.h>

#include "base/arena.h"
#include "elements/solids/solid_mesh.h"
#include "result/result_h5.h"

enum { FLEXIBLE_CELL = 1 + SOLID_NODES }; /* columns of a cell: its kind, its nodes */

enum { FLEXIBLE_SECTION = 9 }; /* area, inertia y, z, torsion, shear y, z, up x, y, z */

enum { FLEXIBLE_PLANES = 3 };
extern const char *const flexible_plane_names[FLEXIBLE_PLANES]; /* of solid_plane */

/* Rows of a table, or columns, that belong to a body. */
typedef struct flexible_range {
    size_t first, count;
} flexible_range;

typedef struct flexible_body {
    carom_id body;
    const char *kind;
    solid_material material; /* without its density */
    flexible_range nodes, cells, coordinates, shapes, turns, moved;
    flexible_range basis; /* shapes x nodes */
} flexible_body;

typedef struct result_flexible {
    size_t count;
    flexible_body *bodies;
    size_t type_count;
    const solid_type **types; /* NULL entries: kinds that this version does not know */
    const int *planes;        /* of each body */
    size_t coordinate_count;
    size_t moved_every; /* rows of displacements are those of frames 0, moved_every, ... */
    hid_t sets[4];      /* open: coordinate, rate, displacement, displacement_rate; -1: none */
    double *row;        /* room for one frame of a quantity and its rate */
    double *nodes;      /* NULL until asked for, as all below */
    int32_t *cells;
    double *shapes;
    double *basis;
    double *turn;
} result_flexible;

/* Files without bodies that deform are fine. False: damaged, or no memory. */
bool result_flexible_open(result_flexible *f, carom_arena *arena, hid_t file, size_t frames, size_t body_count);
void result_flexible_close(result_flexible *f);

/* The body as the file has it; NULL: it does not deform. */
const flexible_body *result_flexible_find(const carom_result *result, carom_id body);

/* A body that deforms, ready to be looked at. */
typedef struct flexible_mesh {
    const flexible_body *body;
    const double *nodes;            /* x y z, undeformed, in the body frame [m] */
    const int32_t *cells;           /* FLEXIBLE_CELL numbers each */
    const solid_type *const *types; /* what the first of them counts */
} flexible_mesh;
carom_status result_flexible_mesh(const carom_result *result, carom_id body, flexible_mesh *out, carom_error *err);

solid_element result_flexible_element(const flexible_mesh *mesh, size_t cell);

/* Displacements of all nodes in the frame of their body, and their rates (NULL: not asked for): x y z of each. */
carom_status result_flexible_displacements(const carom_result *result, carom_id body, size_t frame, double *u,
                                           double *rate, carom_error *err);

/* Rotations of all nodes against the frame of their body [rad], x y z of each: of beams, else zero. */
carom_status result_flexible_turns(const carom_result *result, carom_id body, size_t frame, double *turn,
                                   carom_error *err);

/* Shapes of a body that has some, as the file has them: for those who add them up themselves. */
typedef struct flexible_basis {
    size_t shapes;
    const double *factors; /* two each: coordinates of the body that a shape goes with, -1: no second one */
    const double *move;    /* shapes x nodes x 3 */
    const double *turn;    /* the same; NULL: nodes do not turn */
} flexible_basis;
flexible_basis result_flexible_basis(const carom_result *result, const flexible_body *body);

/* All coordinates of shapes of a body at a frame. */
carom_status result_flexible_coordinates(const carom_result *result, carom_id body, size_t frame, double *q,
                                         carom_error *err);

#endif
