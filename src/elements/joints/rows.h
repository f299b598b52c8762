/* Primitive constraints from which the joints are composed: residual, Jacobian rows, and the part jdot_v of C_ddot that
 * is left when all accelerations are zero.
 *
 * Markers A and B at p_a, p_b with lever arms r_a, r_b from the centres of mass; d = p_b - p_a. Vectors called u turn
 * with A, vectors called w turn with B; all in world axes. `k` is the first row written; each row written is written
 * completely, other rows are left alone. */
#ifndef CAROM_ELEMENTS_JOINTS_ROWS_H
#define CAROM_ELEMENTS_JOINTS_ROWS_H

#include "elements/joints/joint.h"

/* ---- points ---- */

/* p_b - p_a = 0 along the world's axes: three rows. Fewer operations than along A's axes, and the same constraint. */
void coincide_residual(double *C, const carom_joint_frames *f);
void coincide_rows(carom_joint_rows *J, int k, const carom_joint_frames *f);
void coincide_jdot_v(double *gamma, const carom_joint_frames *f);

/* u . d: how far B's point lies along an axis u of A, seen from A's point. The axis goes by number because a vector
 * handed over on the stack costs more than the arithmetic. */
typedef enum axis_of_a { X_OF_A, Y_OF_A, Z_OF_A } axis_of_a;
double along_value(const carom_joint_frames *f, axis_of_a axis);
void along_row(carom_joint_rows *J, int k, const carom_joint_frames *f, axis_of_a axis);
double along_jdot_v(const carom_joint_frames *f, axis_of_a axis);

/* |d|. Where the points coincide the direction of d is taken to be z of A, so that Newton's method finds a way out. */
double separation_value(const carom_joint_frames *f);
void separation_row(carom_joint_rows *J, int k, const carom_joint_frames *f);
double separation_jdot_v(const carom_joint_frames *f);

/* ---- directions ---- */

/* A row whose rate is n . (omega_b - omega_a). */
void spin_row(carom_joint_rows *J, int k, v3 n_w);

/* u . w; the residual is v3_dot(u_w, w_w). */
void perpendicular_row(carom_joint_rows *J, int k, v3 u_w, v3 w_w);
double perpendicular_jdot_v(const carom_joint_frames *f, v3 u_w, v3 w_w);

/* z_b parallel to z_a: two rows x_a . z_b, y_a . z_b. They vanish for z_b = -z_a too, which z_flipped tells. */
void parallel_z_residual(double *C, const carom_joint_frames *f);
void parallel_z_rows(carom_joint_rows *J, int k, const carom_joint_frames *f);
void parallel_z_jdot_v(double *gamma, const carom_joint_frames *f);
bool z_flipped(const carom_joint_frames *f);

/* Equal axes: three rows x_a . y_b, y_a . z_b, z_a . x_b. They vanish for three half turns and four third turns too,
 * which axes_flipped tells. */
void same_axes_residual(double *C, const carom_joint_frames *f);
void same_axes_rows(carom_joint_rows *J, int k, const carom_joint_frames *f);
void same_axes_jdot_v(double *gamma, const carom_joint_frames *f);
bool axes_flipped(const carom_joint_frames *f);

/* ---- turns ---- */

/* The angle at which a unit `hand` fixed in one body stands on a dial fixed in the other: of its projection onto the
 * plane across the dial's unit `axis`. Rate n . (omega_b - omega_a) with
 *     n = (axis - h hand) / (1 - h^2),   h = axis . hand,
 * which is the exact derivative everywhere; on the manifold of the joints h = 0 and n is the axis. */
v3 turn_direction(v3 axis_w, v3 hand_w);

/* axis and hand turn with the angular velocities given; rate of n times (omega_b - omega_a). */
typedef struct turn {
    v3 axis_w;
    v3 axis_omega_w;
    v3 hand_w;
    v3 hand_omega_w;
} turn;
double turn_jdot_v(const carom_joint_frames *f, const turn *t);

/* The turn of B about z of A: hand x_b on the dial x_a, y_a. */
double turn_z(const carom_joint_frames *f, double near);
v3 turn_z_direction(const carom_joint_frames *f);
void turn_z_row(carom_joint_rows *J, int k, const carom_joint_frames *f);
double turn_z_jdot_v(const carom_joint_frames *f);

/* angle plus the whole turns that bring it nearest to `near`. */
double turn_unwrap(double angle, double near);

#endif
