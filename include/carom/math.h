/* Plain vectors and quaternions of the public interface. Quaternions are (w, x, y, z), unit length, and take body
 * axes to world axes: r_w = R(q_wb) r_b. */
#ifndef CAROM_MATH_H
#define CAROM_MATH_H

#include <carom/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_v3 {
    double x, y, z;
} carom_v3;

typedef struct carom_quat {
    double w, x, y, z;
} carom_quat;

/* A rigid pose: r_w = position + R(orientation) r_local. */
typedef struct carom_pose {
    carom_v3 position;
    carom_quat orientation;
} carom_pose;

#ifdef __cplusplus
}
#endif
#endif
