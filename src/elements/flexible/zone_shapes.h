/* Nodes of a zone and a few shapes elsewhere in place of all nodes [Craig1968]: the coordinates of elements/bodies/zone.h.
 *
 * Boundary: nodes of the zone, rigid attachments. Inside of the zone (nodes whose neighbours all belong to it) every freedom is a coordinate.
 * Elsewhere: the lowest modes with the whole boundary held, and static shapes by unit motions of nodes at the border of the zone and of
 * all rigid attachments but the first, combined so that mass and stiffness among them are diagonal. The first rigid attachment is held;
 * without one, freedoms inside of the zone that keep the body from moving as a whole. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_ZONE_SHAPES_H
#define CAROM_ELEMENTS_FLEXIBLE_ZONE_SHAPES_H

#include "elements/flexible/component_modes.h"
#include "linalg/eigen.h"

typedef struct zone_shapes {
    component_modes all; /* space, final shapes, frequencies of the free body, places: as modes have them */
    int count;           /* coordinates */
    int dense;           /* shapes elsewhere: the first of them */
    int modes;           /* of vibration among them */
    bool *zone;          /* per node: it belongs to the zone */
    bool *inside;        /* per node: its freedoms are coordinates */
    bool *lost;          /* per attachment: it does not tell how the body turns, nothing can sit on it */
    int *coordinate;     /* per freedom: its coordinate, -1 */
    double *V;           /* count x freedoms: shapes in the reference, of unit mass */
    double *KV;          /* count x freedoms: K V */
    double *omega2;      /* dense */
    double *R;           /* rigid motions about the centre of mass: space.count x freedoms */
    int rank;
    double *Q, *T, *C; /* count x rank, rank x rank, space.count x rank */
    double *K;         /* count x count: stiffness in the final coordinates */
} zone_shapes;

/* modes: of vibration asked for; negative: as the definition says. Free it, also after a failure. */
carom_status zone_shapes_make(zone_shapes *out, const flexible_input *in, int modes, carom_error *err);
void zone_shapes_free(zone_shapes *z);

/* zone_stiffness.c: frequencies of the free body, and K in the final coordinates; all modes of small dense K and M, lower parts. */
carom_status zone_find_stiffness(zone_shapes *z, carom_arena *room, carom_error *err);
carom_status zone_small_modes(eigen_modes *out, const double *K, const double *M, int n, carom_error *err);

/* zone_frame.c: takes what the frame follows out of the shapes: rank, Q, T, C and the final shapes. */
carom_status zone_follow_frame(zone_shapes *z, const flexible_input *in, const motion_mean *means, carom_error *err);

#endif
