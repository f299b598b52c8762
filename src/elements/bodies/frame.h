/* The frame of a body: where it is and how it moves. World axes; for bodies that deform, the frame that their deformation is
 * measured in. */
#ifndef CAROM_ELEMENTS_BODIES_FRAME_H
#define CAROM_ELEMENTS_BODIES_FRAME_H

#include "math/quat.h"

enum {
    FRAME_COLUMNS = 6, /* velocity and angular velocity of a frame: the first columns of every body */
    PAIR_COLUMNS = 2 * FRAME_COLUMNS,
};

typedef struct body_pose {
    v3 x_w;    /* [m] origin of the frame: the centre of mass, of a body that deforms when it is undeformed */
    quat q_wb; /* body axes to world axes */
} body_pose;

typedef struct body_rate {
    v3 v_w;     /* [m/s] of the origin (accelerations: [m/s^2]) */
    v3 omega_w; /* [rad/s] */
} body_rate;

typedef struct body_frame {
    body_pose pose;
    body_rate rate;
    m3 R_w; /* of pose.q_wb */
} body_frame;

/* The velocity of the point at r_w from the origin that moves with the frame; of an acceleration: its part that is linear in
 * it. */
static inline v3 point_velocity(const body_rate *rate, v3 r_w)
{
    return v3_add(rate->v_w, v3_cross(rate->omega_w, r_w));
}

/* A row of velocities times those of a frame: its force times the velocity and its torque times the angular velocity. */
static inline double row_times_frame(const double row[FRAME_COLUMNS], const body_rate *rate)
{
    return row[0] * rate->v_w.x + row[1] * rate->v_w.y + row[2] * rate->v_w.z + row[3] * rate->omega_w.x +
           row[4] * rate->omega_w.y + row[5] * rate->omega_w.z;
}

#endif
