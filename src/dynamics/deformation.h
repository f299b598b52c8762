/* Bodies that deform, in an evaluation: what place.c, forces.c and accelerations.c leave to the kinds of bodies. Files of their
 * own keep the path of rigid bodies short. */
#ifndef CAROM_DYNAMICS_DEFORMATION_H
#define CAROM_DYNAMICS_DEFORMATION_H

#include "dynamics/work.h"

/* M at the point placed. */
void deformation_place(carom_scratch *w, int body);

/* Adds the deformation of its bodies to the rates and jdot_v of a joint's rows and coordinates, as the frames of the bodies
 * have left them; or to the rate of one coordinate alone. */
void deformation_add_rates(carom_scratch *w, int joint);
void deformation_add_coordinate_rate(carom_scratch *w, int joint, int coordinate);

/* Writes weight, forces of inertia, stiffness and damping into f, and counts energies and powers. */
void deformation_forces(carom_scratch *w, int body, v3 gravity_w);

/* M times velocities or accelerations: all of it, one number per column; or only the first six, as momentum and angular
 * momentum about the origin of the frame. */
void deformation_mass_times(const carom_scratch *w, int body, motion_rates of, double *out);
body_rate deformation_momentum(const carom_scratch *w, int body);

/* x M y of velocities or accelerations; kinetic energy. */
double deformation_mass_product(const carom_scratch *w, int body, motion_rates x, motion_rates y);
double deformation_kinetic(const carom_scratch *w, int body);

/* Where the centre of mass is. */
v3 deformation_center(const carom_scratch *w, int body);

static inline bool joint_deforms(const carom_model *model, const model_joint *joint)
{
    return body_deforms(&model->bodies[joint->body[0]]) || body_deforms(&model->bodies[joint->body[1]]);
}

#endif
