/* A body that deforms in a few shapes: a frame and the coordinates p of orthonormal shapes psi (elements/flexible/component_modes.h). A
 * node at X is at x + R (X + psi z). z are the n coordinates p and behind them, where bending shortens the body, products of two of them,
 * p_i p_j or p_i^2 / 2, with shapes of second order. Theory: docs/theory/flexible.md. */
#ifndef CAROM_ELEMENTS_BODIES_MODES_H
#define CAROM_ELEMENTS_BODIES_MODES_H

#include "elements/bodies/body.h"

/* Where markers can be attached, in the frame of the body (its origin is the centre of mass). */
typedef struct modal_place {
    const char *name;
    v3 at;             /* [m] the middle of its nodes */
    v3 low, high;      /* [m] the box around them */
    const double *psi; /* 6 x total: displacement of the middle, rotation */
} modal_place;

/* A place whose motion is a signal. */
typedef struct modal_probe {
    v3 at;               /* [m] */
    const double *psi;   /* 3 x total: displacement */
    const double *gauge; /* count: strain per coordinate; NULL: no gauge */
} modal_probe;

typedef struct modal_body {
    int count;                 /* n shapes: its deformation coordinates */
    int total;                 /* of all shapes, those of second order among them */
    const int (*pairs)[2];     /* total - count: whose product a shape of second order goes with */
    int axes;                  /* along which nodes move: 3, in a plane x and y, of a bar x */
    double mass;               /* [kg] */
    v3 first;                  /* [kg m] sum of m X: zero but of parts of a body */
    m3 second;                 /* [kg m^2] sum of m X X' */
    m3 turning;                /* [kg m^2] inertia of nodes that turn, and across planes and bars */
    const double *S;           /* 3 x total: sum of m psi */
    const double *Q;           /* total x axes x axes: sum of m X psi_k' */
    const double *P;           /* total x total x axes x axes: sum of m psi_l psi_k' at [l][k] */
    const double *A;           /* total x total x spins: sum of m psi_l x psi_k at [l][k] */
    const double *T;           /* 3 x total: angular momentum of nodes that turn, per rate */
    const double *F;           /* total x total: sum of m psi_l . psi_k, with nodes that turn; 1 among the first n */
    const double *omega2;      /* [1/s^2] stiffness */
    const double *damping;     /* [1/s] */
    double damping_stiffness;  /* [s] what damping is made of: this times the stiffness */
    double damping_ratio;      /* and this share of critical damping */
    const double *reach;       /* [m] displacement of the node that moves most */
    const double *free_omega2; /* [1/s^2] of the free body, whatever the frame is */

    int place_count;
    const modal_place *places;
    int probe_count;
    const body_probe *probe_names;
    const modal_probe *probes;
    int dropped; /* sources that said nothing new */

    body_surface surface; /* without vertices: it has none */
    int line_count;       /* of bars and beams: their axis, for what is carried by a section */
    const int (*lines)[2];

    /* What it was made from: for pictures and tables. */
    int node_count, element_count, freedom_count;
    const v3 *nodes;      /* [m] undeformed, in the frame of the body */
    const double *shapes; /* node_count x 3 x total: displacement per coordinate, or product of two */
    const double *turns;  /* the same of rotations; NULL: nodes do not turn */
} modal_body;

extern const carom_body_type carom_body_modes;

/* Functions of body.h for all parameters that begin with those of modes. */
int modal_coordinate_count(const void *body);
carom_status modal_attach(const void *body, body_point *point, carom_arena *arena, carom_error *err);
double modal_displacement(const void *body, int coordinate);
double modal_highest_frequency(const void *body);
double modal_critical_step(const void *body);
void modal_about(const void *body, struct carom_flexible_info *out);
body_shapes modal_shapes(const void *body);
const body_probe *modal_probes(const void *body, int *count);
void modal_probe_motion(const void *body, const body_frame *frame, const double *q, const double *q_dot, int probe,
                        probe_motion *out);

#endif
