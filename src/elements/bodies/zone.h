/* A body in nodal coordinates where it touches and in a few shapes elsewhere (the kind `zone`) [Craig1968, paper 2 section 5].
 *
 * Nodes inside the zone have coordinates of their own, m^1/2 times their displacements against a reference; the others follow `dense`
 * shapes v_k: modes of vibration with the boundary held, and static shapes by motions of the boundary (nodes of the zone that have
 * neighbours outside, rigid attachments), orthonormal in the mass. In these coordinates p^ the mass is 1 and the stiffness sparse but for the
 * shapes. The frame takes the rigid motion R c p^ away, of rank 6 at most, and H makes the mass 1 again:
 *
 *     u = V p^ - R c p^,    p^ = q + Q T sigma,    R c p^ = R C sigma,    sigma = Q' q.
 *
 * So nothing is dense but the shapes, and a node of the zone moves by its own coordinates and by the few numbers sigma. */
#ifndef CAROM_ELEMENTS_BODIES_ZONE_H
#define CAROM_ELEMENTS_BODIES_ZONE_H

#include "elements/bodies/modes.h"

enum {
    ZONE_MOST = 2048,   /* coordinates of one body: vectors of them lie on the stack of an evaluation */
    ZONE_MOTIONS = 6,   /* rigid motions */
    ZONE_RANK_MOST = 12 /* of what the frame takes away */
};

typedef struct zone_node {
    v3 X;                        /* [m] in the frame of the body */
    double mass, root, per_root; /* root of the mass, one over it */
    int at[3];                   /* its coordinates, by axis; -1: moves by sigma alone */
    v3 motion[ZONE_MOTIONS];     /* rigid motions there */
    const double *lift;          /* 3 x rank: displacement per sigma */
} zone_node;

typedef struct zone_body {
    modal_body all;  /* first: places, probes, shapes and frequencies in the coordinates q */
    modal_body rest; /* sums over the nodes outside: of the dense shapes, then of the rigid motions */
    int dense;       /* shapes: the first coordinates */
    int motions;     /* rigid motions: 6, 3 in a plane, 1 of a bar */
    int modes;       /* of vibration among the shapes */
    bool planar;

    int node_count; /* of the zone, with coordinates */
    const zone_node *nodes;
    const int *zone_of;  /* per node of the mesh: its index here, -1 */
    const bool *touches; /* per node of the mesh: it belongs to the zone */

    int rank;
    const double *Q; /* coordinates x rank */
    const double *T; /* rank x rank */
    const double *C; /* motions x rank */

    double damping;       /* [s] times the stiffness */
    const double *omega2; /* dense: stiffness of the shapes */
    int link_count;       /* coordinates of the zone that are coupled to shapes */
    const int *link;      /* which */
    const double *links;  /* link_count x dense */
    const int *start;     /* of the rows of the stiffness among coordinates of the zone: count - dense + 1 */
    const int *column;    /* coordinates */
    const double *value;
    const double *K; /* count x count: stiffness in q, for implicit steps */
} zone_body;

extern const carom_body_type carom_body_zone;

#endif
