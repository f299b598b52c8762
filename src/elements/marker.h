/* A marker: a frame attached to a body, as a joint or force sees it. World axes throughout. Where the body deforms, the
 * marker is displaced and turned with it, and its velocities have the rates of the deformation in them. */
#ifndef CAROM_ELEMENTS_MARKER_H
#define CAROM_ELEMENTS_MARKER_H

#include "math/quat.h"

typedef struct marker {
    v3 r_w;     /* [m] from the origin of the body's frame to the marker */
    v3 p_w;     /* [m] position */
    m3 R_w;     /* columns: the marker's x, y, z in world axes */
    v3 v_w;     /* [m/s] velocity of the marker point */
    v3 omega_w; /* [rad/s] of the marker */
    v3 c_w;     /* [m/s^2] acceleration of the point when those of the body are zero; rigid: omega x (omega x r) */
} marker;

static inline v3 marker_x(const marker *m)
{
    return m3_column(m->R_w, 0);
}

static inline v3 marker_y(const marker *m)
{
    return m3_column(m->R_w, 1);
}

static inline v3 marker_z(const marker *m)
{
    return m3_column(m->R_w, 2);
}

#endif
