/* Primitive constraints. Rates used throughout, with p' = v + omega x r and no accelerations:
 *     u' = omega_a x u,   w' = omega_b x w,   d' = v_b - v_a,   d'' = c_b - c_a,   c = omega x (omega x r).
 * Triple products are moved onto the angular velocities, (omega x u) . d = omega . (u x d), to read off the rows. */
#include "elements/joints/rows.h"

/* Below this distance [m] two points count as one: their direction is rounding. */
static const double SAME_POINT = 1e-12;
/* Below this 1 - h^2 a hand stands upright on its dial and shows no angle. */
static const double UPRIGHT = 1e-12;
static const double TURN = 6.283185307179586477;

static inline void set(double row[FRAME_COLUMNS], v3 linear_w, v3 angular_w)
{
    v3_store(row, linear_w);
    v3_store(row + 3, angular_w);
}

static inline v3 offset(const carom_joint_frames *f)
{
    return v3_sub(f->b.p_w, f->a.p_w);
}

static inline v3 column(const marker *m, int j)
{
    return v3_make(m->R_w.m[j], m->R_w.m[3 + j], m->R_w.m[6 + j]);
}

/* ---- points ---- */

void coincide_residual(double *C, const carom_joint_frames *f)
{
    v3_store(C, offset(f));
}

void coincide_rows(carom_joint_rows *J, int k, const carom_joint_frames *f)
{
    v3 ra = f->a.r_w;
    v3 rb = f->b.r_w;
    set(J->a[k], v3_make(-1, 0, 0), v3_make(0, -ra.z, ra.y));
    set(J->a[k + 1], v3_make(0, -1, 0), v3_make(ra.z, 0, -ra.x));
    set(J->a[k + 2], v3_make(0, 0, -1), v3_make(-ra.y, ra.x, 0));
    set(J->b[k], v3_make(1, 0, 0), v3_make(0, rb.z, -rb.y));
    set(J->b[k + 1], v3_make(0, 1, 0), v3_make(-rb.z, 0, rb.x));
    set(J->b[k + 2], v3_make(0, 0, 1), v3_make(rb.y, -rb.x, 0));
}

void coincide_jdot_v(double *gamma, const carom_joint_frames *f)
{
    v3_store(gamma, v3_sub(f->b.c_w, f->a.c_w));
}

double along_value(const carom_joint_frames *f, axis_of_a axis)
{
    return v3_dot(column(&f->a, axis), offset(f));
}

/* C' = (omega_a x u) . d + u . (v_b + omega_b x r_b - v_a - omega_a x r_a) */
void along_row(carom_joint_rows *J, int k, const carom_joint_frames *f, axis_of_a axis)
{
    v3 u_w = column(&f->a, axis);
    set(J->a[k], v3_neg(u_w), v3_cross(u_w, v3_add(offset(f), f->a.r_w)));
    set(J->b[k], u_w, v3_cross(f->b.r_w, u_w));
}

double along_jdot_v(const carom_joint_frames *f, axis_of_a axis)
{
    v3 u_w = column(&f->a, axis);
    v3 omega = f->a.omega_w;
    v3 u_rate = v3_cross(omega, u_w);
    return v3_dot(v3_cross(omega, u_rate), offset(f)) + 2.0 * v3_dot(u_rate, v3_sub(f->b.v_w, f->a.v_w)) +
           v3_dot(u_w, v3_sub(f->b.c_w, f->a.c_w));
}

double separation_value(const carom_joint_frames *f)
{
    return v3_norm(offset(f));
}

/* d / |d|, and |d| in *distance: 0 where there is no direction. */
static v3 direction(const carom_joint_frames *f, double *distance)
{
    v3 d = offset(f);
    *distance = v3_norm(d);
    if (*distance < SAME_POINT) {
        *distance = 0.0;
        return marker_z(&f->a);
    }
    return v3_scale(1.0 / *distance, d);
}

void separation_row(carom_joint_rows *J, int k, const carom_joint_frames *f)
{
    double distance;
    v3 n = direction(f, &distance);
    set(J->a[k], v3_neg(n), v3_cross(n, f->a.r_w));
    set(J->b[k], n, v3_cross(f->b.r_w, n));
}

/* The second term is the centripetal acceleration of the direction's own turning. */
double separation_jdot_v(const carom_joint_frames *f)
{
    double distance;
    v3 n = direction(f, &distance);
    v3 v_rel = v3_sub(f->b.v_w, f->a.v_w);
    double rate = v3_dot(n, v_rel);
    double turning = distance > 0.0 ? (v3_norm2(v_rel) - rate * rate) / distance : 0.0;
    return v3_dot(n, v3_sub(f->b.c_w, f->a.c_w)) + turning;
}

/* ---- directions ---- */

void spin_row(carom_joint_rows *J, int k, v3 n_w)
{
    set(J->a[k], v3_zero(), v3_neg(n_w));
    set(J->b[k], v3_zero(), n_w);
}

/* (u . w)' = (u x w) . (omega_a - omega_b) */
void perpendicular_row(carom_joint_rows *J, int k, v3 u_w, v3 w_w)
{
    spin_row(J, k, v3_cross(w_w, u_w));
}

/* u'' . w + 2 u' . w' + u . w'' with all double cross products written out as dot products. */
double perpendicular_jdot_v(const carom_joint_frames *f, v3 u_w, v3 w_w)
{
    v3 oa = f->a.omega_w;
    v3 ob = f->b.omega_w;
    double oa_w = v3_dot(oa, w_w);
    double ob_u = v3_dot(ob, u_w);
    return v3_dot(oa, u_w) * oa_w + ob_u * v3_dot(ob, w_w) - 2.0 * oa_w * ob_u -
           v3_norm2(v3_sub(ob, oa)) * v3_dot(u_w, w_w);
}

void parallel_z_residual(double *C, const carom_joint_frames *f)
{
    v3 z_b = marker_z(&f->b);
    C[0] = v3_dot(marker_x(&f->a), z_b);
    C[1] = v3_dot(marker_y(&f->a), z_b);
}

void parallel_z_rows(carom_joint_rows *J, int k, const carom_joint_frames *f)
{
    v3 z_b = marker_z(&f->b);
    perpendicular_row(J, k, marker_x(&f->a), z_b);
    perpendicular_row(J, k + 1, marker_y(&f->a), z_b);
}

void parallel_z_jdot_v(double *gamma, const carom_joint_frames *f)
{
    v3 z_b = marker_z(&f->b);
    gamma[0] = perpendicular_jdot_v(f, marker_x(&f->a), z_b);
    gamma[1] = perpendicular_jdot_v(f, marker_y(&f->a), z_b);
}

bool z_flipped(const carom_joint_frames *f)
{
    return v3_dot(marker_z(&f->a), marker_z(&f->b)) < 0.0;
}

void same_axes_residual(double *C, const carom_joint_frames *f)
{
    C[0] = v3_dot(marker_x(&f->a), marker_y(&f->b));
    C[1] = v3_dot(marker_y(&f->a), marker_z(&f->b));
    C[2] = v3_dot(marker_z(&f->a), marker_x(&f->b));
}

void same_axes_rows(carom_joint_rows *J, int k, const carom_joint_frames *f)
{
    perpendicular_row(J, k, marker_x(&f->a), marker_y(&f->b));
    perpendicular_row(J, k + 1, marker_y(&f->a), marker_z(&f->b));
    perpendicular_row(J, k + 2, marker_z(&f->a), marker_x(&f->b));
}

void same_axes_jdot_v(double *gamma, const carom_joint_frames *f)
{
    gamma[0] = perpendicular_jdot_v(f, marker_x(&f->a), marker_y(&f->b));
    gamma[1] = perpendicular_jdot_v(f, marker_y(&f->a), marker_z(&f->b));
    gamma[2] = perpendicular_jdot_v(f, marker_z(&f->a), marker_x(&f->b));
}

/* The trace of the relative rotation is 1 + 2 cos(angle): 3 for the right solution, -1 for half turns, 0 for third
 * turns. 1 divides them: a quarter turn. */
bool axes_flipped(const carom_joint_frames *f)
{
    return v3_dot(marker_x(&f->a), marker_x(&f->b)) + v3_dot(marker_y(&f->a), marker_y(&f->b)) +
               v3_dot(marker_z(&f->a), marker_z(&f->b)) <
           1.0;
}

/* ---- turns ---- */

v3 turn_direction(v3 axis_w, v3 hand_w)
{
    double h = v3_dot(axis_w, hand_w);
    double across2 = 1.0 - h * h;
    if (across2 < UPRIGHT) {
        return axis_w;
    }
    return v3_scale(1.0 / across2, v3_axpy(axis_w, -h, hand_w));
}

/* n' = (axis' - h' hand - h hand' + 2 h h' n) / (1 - h^2) */
double turn_jdot_v(const carom_joint_frames *f, const turn *t)
{
    v3 axis_rate = v3_cross(t->axis_omega_w, t->axis_w);
    v3 hand_rate = v3_cross(t->hand_omega_w, t->hand_w);
    v3 omega_rel = v3_sub(f->b.omega_w, f->a.omega_w);
    double h = v3_dot(t->axis_w, t->hand_w);
    double h_rate = v3_dot(axis_rate, t->hand_w) + v3_dot(t->axis_w, hand_rate);
    double across2 = 1.0 - h * h;
    if (across2 < UPRIGHT) {
        return v3_dot(axis_rate, omega_rel);
    }
    v3 n_rate = v3_axpy(v3_axpy(axis_rate, -h_rate, t->hand_w), -h, hand_rate);
    n_rate = v3_axpy(n_rate, 2.0 * h * h_rate, turn_direction(t->axis_w, t->hand_w));
    return v3_dot(n_rate, omega_rel) / across2;
}

double turn_z(const carom_joint_frames *f, double near)
{
    v3 x_b = marker_x(&f->b);
    return turn_unwrap(atan2(v3_dot(x_b, marker_y(&f->a)), v3_dot(x_b, marker_x(&f->a))), near);
}

v3 turn_z_direction(const carom_joint_frames *f)
{
    return turn_direction(marker_z(&f->a), marker_x(&f->b));
}

void turn_z_row(carom_joint_rows *J, int k, const carom_joint_frames *f)
{
    spin_row(J, k, turn_z_direction(f));
}

double turn_z_jdot_v(const carom_joint_frames *f)
{
    return turn_jdot_v(f, &(turn){ .axis_w = marker_z(&f->a),
                                   .axis_omega_w = f->a.omega_w,
                                   .hand_w = marker_x(&f->b),
                                   .hand_omega_w = f->b.omega_w });
}

double turn_unwrap(double angle, double near)
{
    return angle + TURN * round((near - angle) / TURN);
}
