/* Co-rotation: a frame that follows a deformed set of nodes, and the displacements that are left in it.
 *
 * With X_i for the undeformed places of n nodes about their weighted centre, u_i for their displacements and w_i for weights, the
 * frame has the origin c = sum w_i (X_i + u_i) and the rotation A of the best fit: sum w_i |X_i + u_i - c - A X_i|^2 is least. Then
 *
 *     e_i = A' (X_i + u_i - c) - X_i                    displacement in the frame: zero for any rigid motion
 *     e_i' = A' (v_i - c') - omega x y_i                its rate, y_i = X_i + e_i
 *     D omega = sum w_i X_i x A' v_i,                   D = sum w_i [(X_i . y_i) I - y_i X_i']
 *
 * A force p_i against e_i (sum of p_i zero) has the virtual work of
 *
 *     A [p_i - w_i (lambda x X_i)],                     D' lambda = sum y_i x p_i
 *
 * at the nodes: the second term is the share of the rotation of the frame. With it the forces are minus the gradient of the strain
 * energy e' K e / 2, and both momenta are kept to rounding whatever the weights are.
 *
 * Vectors have 1, 2 or 3 components per node. Along one axis nothing turns. */
#ifndef CAROM_ELEMENTS_BODIES_COROTATION_H
#define CAROM_ELEMENTS_BODIES_COROTATION_H

#include "math/mat3.h"

typedef struct corotation_set {
    int dimension;        /* 1, 2, 3 */
    int count;            /* nodes that define the frame */
    const int *nodes;     /* their numbers; NULL: 0, 1, ... */
    const double *weight; /* per node of the set; their sum is one */
    const v3 *X;          /* per node of the set: undeformed, about their weighted centre */
} corotation_set;

/* Weights are divided by their sum; X becomes relative to the weighted centre, which is returned. */
v3 corotation_centre(int count, double *weight, v3 *X);

typedef struct corotation_frame {
    v3 shift;     /* [m] displacement of the origin */
    m3 A;         /* axes of the frame, from those of the undeformed body */
    m3 A_minus_I; /* A - I without cancellation */
    m3 D;         /* [m^2] */
    v3 velocity;  /* of the origin */
    v3 omega;     /* in the axes of the frame [rad/s] */
} corotation_frame;

/* The frame of displacements u and rates v (NULL: at rest), `dimension` numbers per node. */
corotation_frame corotation_fit(const corotation_set *set, const double *u, const double *v);

/* Displacement of a node in the frame, and its rate; X about the centre of the set. */
v3 corotation_local(const corotation_frame *frame, v3 X, v3 u);
v3 corotation_local_rate(const corotation_frame *frame, v3 X, v3 local, v3 v);

/* lambda for the moment sum y_i x p_i. */
v3 corotation_share(const corotation_frame *frame, int dimension, v3 moment);

/* Numbers of a node as a vector, and back. */
static inline v3 node_load(const double *u, int dimension, int node)
{
    const double *at = u + (size_t)dimension * (size_t)node;
    return v3_make(at[0], dimension > 1 ? at[1] : 0.0, dimension > 2 ? at[2] : 0.0);
}

static inline void node_add(double *u, int dimension, int node, v3 a)
{
    double *at = u + (size_t)dimension * (size_t)node;
    at[0] += a.x;
    if (dimension > 1) {
        at[1] += a.y;
    }
    if (dimension > 2) {
        at[2] += a.z;
    }
}

static inline void node_store(double *u, int dimension, int node, v3 a)
{
    double *at = u + (size_t)dimension * (size_t)node;
    at[0] = a.x;
    if (dimension > 1) {
        at[1] = a.y;
    }
    if (dimension > 2) {
        at[2] = a.z;
    }
}

#endif
