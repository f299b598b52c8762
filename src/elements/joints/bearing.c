/* Loads of bearings. */
#include "elements/joints/bearing.h"

void bearing_press(joint_friction *out, const carom_joint_rows *J, int rows, const v3 *directions_w, int dim)
{
    joint_load *load = &out->loads[out->load_count++];
    *load = (joint_load){ .dim = dim };
    for (int i = 0; i < dim; ++i) {
        for (int k = 0; k < rows; ++k) {
            load->map[i][k] = v3_dot(directions_w[i], v3_load(J->b[k]));
        }
    }
}

/* Forces F1, F2 across z at +-length/2 with F1 + F2 = F and length/2 z x (F1 - F2) = M have F1 - F2 = 2 M x z / length.
 * `lever` is 1/length at the one end, -1/length at the other. */
static void press_end(joint_friction *out, const carom_joint_rows *J, int rows, const carom_joint_frames *f,
                      double lever)
{
    v3 across_w[2] = { marker_x(&f->a), marker_y(&f->a) };
    v3 z = marker_z(&f->a);
    joint_load *load = &out->loads[out->load_count++];
    *load = (joint_load){ .dim = 2 };
    for (int k = 0; k < rows; ++k) {
        v3 force = v3_load(J->b[k]);
        v3 moment = v3_sub(v3_load(J->b[k] + 3), v3_cross(f->b.r_w, force));
        v3 at_end = v3_axpy(v3_scale(0.5, force), lever, v3_cross(moment, z));
        load->map[0][k] = v3_dot(across_w[0], at_end);
        load->map[1][k] = v3_dot(across_w[1], at_end);
    }
}

void bearing_sleeve(joint_friction *out, const carom_joint_rows *J, int rows, const carom_joint_frames *f,
                    double length)
{
    if (length > 0.0) {
        press_end(out, J, rows, f, 1.0 / length);
        press_end(out, J, rows, f, -1.0 / length);
        return;
    }
    bearing_press(out, J, rows, (v3[]){ marker_x(&f->a), marker_y(&f->a) }, 2);
}

void bearing_scale_slip(joint_friction *out, int k, double factor)
{
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        out->slip.a[k][i] *= factor;
        out->slip.b[k][i] *= factor;
    }
    out->slip_jdot_v[k] *= factor;
}
