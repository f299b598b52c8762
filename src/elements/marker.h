/* A marker: a frame fixed to a body, as a joint or force sees it. World axes throughout. */
#ifndef CAROM_ELEMENTS_MARKER_H
#define CAROM_ELEMENTS_MARKER_H

#include "math/quat.h"

typedef struct marker {
    v3 r_w;     /* [m] from the body's centre of mass to the marker */
    v3 p_w;     /* [m] position */
    m3 R_w;     /* columns: the marker's x, y, z in world axes */
    v3 v_w;     /* [m/s] velocity of the marker point */
    v3 omega_w; /* [rad/s] of the body */
    v3 c_w;     /* [m/s^2] omega x (omega x r): acceleration of the point when the body's own is zero */
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
