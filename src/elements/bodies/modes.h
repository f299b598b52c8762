/* A body that deforms in a few shapes: a frame and the coordinates p of orthonormal shapes psi (elements/flexible/component_modes.h). A node at
 * X is at x + R (X + psi p). Theory: docs/theory/flexible.md. */
#ifndef CAROM_ELEMENTS_BODIES_MODES_H
#define CAROM_ELEMENTS_BODIES_MODES_H

#include "elements/bodies/body.h"
#include "geometry/volume_mesh.h"

/* Where markers can be attached, in the frame of the body (its origin is the centre of mass). */
typedef struct modal_place {
    const char *name;
    v3 at;             /* [m] the middle of its nodes */
    v3 low, high;      /* [m] the box around them */
    const double *psi; /* 6 x count: displacement of the middle, rotation */
} modal_place;

/* A place whose motion is a signal. */
typedef struct modal_probe {
    v3 at;               /* [m] */
    const double *psi;   /* 3 x count: displacement */
    const double *gauge; /* count: strain per coordinate; NULL: no gauge */
} modal_probe;

/* A source of shapes, for people (component_modes.h). */
typedef struct modal_source {
    const char *kind;       /* "fixed-interface", "constraint", "attachment", "free" */
    const char *attachment; /* of static shapes, else NULL */
    double frequency;       /* [Hz] */
    double effective[3];    /* [kg] */
} modal_source;

typedef struct modal_body {
    int count;                 /* n shapes */
    double mass;               /* [kg] */
    m3 second;                 /* [kg m^2] sum of m X X' */
    m3 turning;                /* [kg m^2] inertia of nodes that turn, and across planes and bars */
    const double *S;           /* 3 x n: sum of m psi */
    const double *Q;           /* n x 9: sum of m X psi_k' */
    const double *P;           /* n x n x 9: sum of m psi_l psi_k' at [l][k] */
    const double *A;           /* n x n x 3: sum of m psi_l x psi_k at [l][k] */
    const double *T;           /* 3 x n: angular momentum of nodes that turn, per rate */
    const double *omega2;      /* [1/s^2] stiffness */
    const double *damping;     /* [1/s] */
    const double *reach;       /* [m] displacement of the node that moves most */
    const double *free_omega2; /* [1/s^2] of the free body, whatever the frame is */

    int place_count;
    const modal_place *places;
    int probe_count;
    const body_probe *probe_names;
    const modal_probe *probes;
    int source_count;
    const modal_source *sources;
    int dropped; /* sources that said nothing new */

    /* What it was made from: for pictures and tables. */
    int node_count, element_count, cell_count, freedom_count;
    const v3 *nodes;          /* [m] undeformed, in the frame of the body */
    const volume_cell *cells; /* all of the mesh, groups of points among them */
    const double *shapes;     /* node_count x 3 x n: displacement per coordinate */
} modal_body;

extern const carom_body_type carom_body_modes;

#endif
