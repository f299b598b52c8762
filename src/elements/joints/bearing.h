/* Loads of bearings, read off the rows of a joint: multipliers sigma exert the force F = sum sigma_k b_k[0..2] on B at
 * marker B's point, and the moment M = sum sigma_k (b_k[3..5] - r_b x b_k[0..2]) about it. */
#ifndef CAROM_ELEMENTS_JOINTS_BEARING_H
#define CAROM_ELEMENTS_JOINTS_BEARING_H

#include "elements/joints/joint.h"

/* Adds a load: the components of F along the directions given, at most three. */
void bearing_press(joint_friction *out, const carom_joint_rows *J, int rows, const v3 *directions_w, int dim);

/* Adds the loads of a sleeve on B, centred on marker B, around a shaft along z of A: the force across z or, with a
 * length > 0, the forces F/2 +- M x z / length at its two ends, which together carry the force and the moment across
 * z. Forces along z and moments about it do not press. */
void bearing_sleeve(joint_friction *out, const carom_joint_rows *J, int rows, const carom_joint_frames *f,
                    double length);

/* Multiplies slip row k and its jdot_v by a factor: from an angle's rate to the slip at a radius. */
void bearing_scale_slip(joint_friction *out, int k, double factor);

#endif
