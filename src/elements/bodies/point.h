/* A point of a body at which something is attached: a marker of a joint or a force. Made once, when a model is compiled. */
#ifndef CAROM_ELEMENTS_BODIES_POINT_H
#define CAROM_ELEMENTS_BODIES_POINT_H

#include "elements/bodies/frame.h"
#include "elements/marker.h"

typedef struct body_point {
    v3 position;      /* [m] undeformed, in the body's frame */
    quat orientation; /* marker axes to body axes, undeformed */
    /* How the marker follows the n deformation coordinates of its body, in body axes: psi[n * i + k] is its displacement
     * along axis i (i < 3) or its rotation about axis i - 3 per unit of coordinate k. Only the kind of the body reads it, and
     * may have more of them. NULL: it moves with the frame. */
    const double *psi;
    bool moves_only; /* psi has displacements and no rotations: a node of the mesh */
    int own; /* 1 + the first of coordinates of its own, which displace it along the axes of the frame; 0: none */
} body_point;

/* The marker of a point that moves with the frame. */
static inline marker marker_on(const body_pose *pose, const m3 *R_w, const body_rate *rate, const body_point *point)
{
    marker m;
    m.r_w = m3_mulv(*R_w, point->position);
    m.p_w = v3_add(pose->x_w, m.r_w);
    m.R_w = m3_mul(*R_w, q_matrix(point->orientation));
    m.omega_w = rate->omega_w;
    v3 turn = v3_cross(rate->omega_w, m.r_w);
    m.v_w = v3_add(rate->v_w, turn);
    m.c_w = v3_cross(rate->omega_w, turn);
    return m;
}

#endif
