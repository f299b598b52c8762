/* Kinematics: bodies, kinematic bodies, markers, joint rows.
 *
 * Prescribed rows: a driver asks coordinate = f(t), so C = q - f, C_dot = J v - f', C_ddot = J a + jdot_v - f''.
 * Bodies that do not move freely enter C_dot with their velocity and gamma with their acceleration. */
#include "dynamics/columns.h"
#include "dynamics/deformation.h"

#include <string.h>

#include "base/parallel.h"

enum { PARALLEL_GRAIN = 512 }; /* below this many items a second thread costs more than it gains */

/* Position of the user's frame from its motion; then of the centre of mass, with two derivatives. */
void work_kinematic(carom_scratch *w, double t, int body, body_pose *pose, body_rate *rate, body_rate *acceleration)
{
    const model_body *b = &w->model->bodies[body];
    const motion_clock *clock = &w->body_clock[body];
    double own = clock_time(clock, t);
    double p[3][3]; /* component, derivative */
    double start[3];
    v3_store(start, b->start.position);
    for (int k = 0; k < 3; ++k) {
        if (b->motion.position[k] >= 0) {
            work_time_value(w, b->motion.position[k], own, p[k]);
            clock_scale(clock, p[k]);
        } else {
            p[k][0] = start[k];
            p[k][1] = p[k][2] = 0.0;
        }
    }
    double angle[3] = { 0.0, 0.0, 0.0 };
    if (b->motion.angle >= 0) {
        work_time_value(w, b->motion.angle, own, angle);
        clock_scale(clock, angle);
    }
    v3 n = b->motion.axis_w;
    quat q = q_mul(q_axis_angle(n, angle[0]), b->start.orientation);
    v3 omega = v3_scale(angle[1], n);
    v3 alpha = v3_scale(angle[2], n);
    v3 r = q_rotate(q, b->com_b);
    v3 v_r = v3_cross(omega, r);
    *pose = (body_pose){ v3_add(v3_make(p[0][0], p[1][0], p[2][0]), r), q };
    *rate = (body_rate){ v3_add(v3_make(p[0][1], p[1][1], p[2][1]), v_r), omega };
    v3 a_r = v3_add(v3_cross(alpha, r), v3_cross(omega, v_r));
    *acceleration = (body_rate){ v3_add(v3_make(p[0][2], p[1][2], p[2][2]), a_r), alpha };
}

void work_driver(carom_scratch *w, int j, int d, double t, double out[3])
{
    const model_joint *joint = &w->model->joints[j];
    const motion_clock *clock = &w->driver_clock[joint->first_row + joint->type->equation_count + d];
    work_time_value(w, joint->drivers[d].value, clock_time(clock, t), out);
    clock_scale(clock, out);
}

static void place_bodies(void *context, size_t begin, size_t end)
{
    carom_scratch *w = context;
    for (size_t i = begin; i < end; ++i) {
        const model_body *body = &w->model->bodies[i];
        w->R_w[i] = q_matrix(w->pose[i].q_wb);
        if (body_deforms(body)) {
            deformation_place(w, (int)i);
        } else if (body->slot >= 0) {
            w->J_w[i] = m3_rotate_tensor(w->R_w[i], body->inertia_b);
        }
    }
}

static void place_coordinates(carom_scratch *w, motion at)
{
    size_t size = (size_t)w->model->deform_count * sizeof(double);
    if (at.q != w->q) {
        memcpy(w->q, at.q, size);
    }
    if (at.q_dot != w->q_dot) {
        memcpy(w->q_dot, at.q_dot, size);
    }
}

void work_place(carom_scratch *w, double t, motion at)
{
    size_t n = (size_t)w->model->body_count;
    w->t = t;
    if (at.pose != w->pose) {
        memcpy(w->pose, at.pose, n * sizeof *at.pose);
    }
    if (at.rate != w->rate) {
        memcpy(w->rate, at.rate, n * sizeof *at.rate);
    }
    if (w->model->deform_count > 0) {
        place_coordinates(w, at);
    }
    if (at.z && at.z != w->z) {
        memcpy(w->z, at.z, (size_t)w->model->integral_count * sizeof *w->z);
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->model->bodies[i].role == BODY_KINEMATIC) {
            work_kinematic(w, t, i, &w->pose[i], &w->rate[i], &w->prescribed[i]);
        }
    }
    carom_parallel_for(w->threads, n, PARALLEL_GRAIN, place_bodies, w);
}

/* Row k of a joint times the velocities (or accelerations) of the frames of both bodies. */
static double rows_times(const carom_joint_rows *J, int k, const body_rate *a, const body_rate *b)
{
    return row_times_frame(J->a[k], a) + row_times_frame(J->b[k], b);
}

static void place_markers(carom_scratch *w, int j)
{
    const model_joint *joint = &w->model->joints[j];
    carom_joint_frames *frames = &w->frames[j];
    frames->a = work_marker(w, joint->body[0], &joint->marker_c[0]);
    frames->b = work_marker(w, joint->body[1], &joint->marker_c[1]);
    for (int k = 0; k < joint->type->coordinate_count; ++k) {
        frames->near[k] = w->near[joint->first_coordinate + k];
    }
}

static void joint_position(carom_scratch *w, int j)
{
    const model_joint *joint = &w->model->joints[j];
    const carom_joint_type *type = joint->type;
    place_markers(w, j);
    type->residual(w->C + joint->first_row, &w->frames[j], joint->params);
    type->jacobian(&w->rows[j], &w->frames[j], joint->params);
    if (!w->uses_coordinates[j]) {
        return;
    }
    type->coordinate(w->coordinate + joint->first_coordinate, &w->frames[j], joint->params);
    type->coordinate_jacobian(&w->coordinate_rows[j], &w->frames[j], joint->params);
    for (int d = 0; d < joint->driver_count; ++d) {
        int c = joint->drivers[d].coordinate;
        int row = type->equation_count + d;
        w->C[joint->first_row + row] = w->coordinate[joint->first_coordinate + c] -
                                       w->driver[joint->first_row + row][0];
        memcpy(w->rows[j].a[row], w->coordinate_rows[j].a[c], sizeof w->rows[j].a[row]);
        memcpy(w->rows[j].b[row], w->coordinate_rows[j].b[c], sizeof w->rows[j].b[row]);
    }
}

static void joint_velocity(carom_scratch *w, int j)
{
    const model_joint *joint = &w->model->joints[j];
    const carom_joint_type *type = joint->type;
    const body_rate *a = &w->rate[joint->body[0]];
    const body_rate *b = &w->rate[joint->body[1]];
    double *gamma = w->gamma + joint->first_row;
    double *rate = w->C_dot + joint->first_row;
    type->jdot_v(gamma, &w->frames[j], joint->params);
    if (w->uses_coordinates[j]) {
        double *jdot_v = w->coordinate_jdot_v + joint->first_coordinate;
        type->coordinate_jdot_v(jdot_v, &w->frames[j], joint->params);
        for (int k = 0; k < type->coordinate_count; ++k) {
            w->coordinate_rate[joint->first_coordinate + k] = rows_times(&w->coordinate_rows[j], k, a, b);
        }
        for (int d = 0; d < joint->driver_count; ++d) {
            int row = type->equation_count + d;
            gamma[row] = jdot_v[joint->drivers[d].coordinate] - w->driver[joint->first_row + row][2];
        }
    }
    const body_rate *acc_a = &w->prescribed[joint->body[0]];
    const body_rate *acc_b = &w->prescribed[joint->body[1]];
    for (int k = 0; k < type->equation_count + joint->driver_count; ++k) {
        rate[k] = rows_times(&w->rows[j], k, a, b);
        gamma[k] += rows_times(&w->rows[j], k, acc_a, acc_b);
    }
    for (int d = 0; d < joint->driver_count; ++d) {
        rate[type->equation_count + d] -= w->driver[joint->first_row + type->equation_count + d][1];
    }
    if (joint_deforms(w->model, joint)) {
        deformation_add_rates(w, j);
    }
}

static void joints_position(void *context, size_t begin, size_t end)
{
    for (size_t j = begin; j < end; ++j) {
        joint_position(context, (int)j);
    }
}

static void joints_full(void *context, size_t begin, size_t end)
{
    for (size_t j = begin; j < end; ++j) {
        joint_position(context, (int)j);
        joint_velocity(context, (int)j);
    }
}

/* Expressions are evaluated by one thread: a parser keeps its variables inside. */
static void evaluate_drivers(carom_scratch *w)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int d = 0; d < joint->driver_count; ++d) {
            work_driver(w, j, d, w->t, w->driver[joint->first_row + joint->type->equation_count + d]);
        }
    }
}

static void couplers_position(carom_scratch *w)
{
    for (int k = 0; k < w->model->coupler_count; ++k) {
        const model_coupler *c = &w->model->couplers[k];
        int q1 = w->model->joints[c->joint[0]].first_coordinate + c->coordinate[0];
        int q2 = w->model->joints[c->joint[1]].first_coordinate + c->coordinate[1];
        w->C[c->row] = c->ratio * w->coordinate[q1] + w->coordinate[q2] - w->coupler_offset[k];
    }
}

static void couplers_velocity(carom_scratch *w)
{
    for (int k = 0; k < w->model->coupler_count; ++k) {
        const model_coupler *c = &w->model->couplers[k];
        double factor[2] = { c->ratio, 1.0 };
        w->C_dot[c->row] = 0.0;
        w->gamma[c->row] = 0.0;
        for (int s = 0; s < 2; ++s) {
            const model_joint *joint = &w->model->joints[c->joint[s]];
            int q = joint->first_coordinate + c->coordinate[s];
            double prescribed = rows_times(&w->coordinate_rows[c->joint[s]], c->coordinate[s],
                                           &w->prescribed[joint->body[0]], &w->prescribed[joint->body[1]]);
            w->C_dot[c->row] += factor[s] * w->coordinate_rate[q];
            w->gamma[c->row] += factor[s] * (w->coordinate_jdot_v[q] + prescribed);
        }
    }
}

void work_all_coordinates(carom_scratch *w)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        if (joint->type->coordinate_count > 0) {
            joint->type->coordinate(w->coordinate + joint->first_coordinate, &w->frames[j], joint->params);
        }
    }
}

void work_all_rates(carom_scratch *w)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        if (joint->type->coordinate_count == 0) {
            continue;
        }
        joint->type->coordinate_jacobian(&w->coordinate_rows[j], &w->frames[j], joint->params);
        for (int k = 0; k < joint->type->coordinate_count; ++k) {
            w->coordinate_rate[joint->first_coordinate + k] = rows_times(&w->coordinate_rows[j], k,
                                                                         &w->rate[joint->body[0]],
                                                                         &w->rate[joint->body[1]]);
            if (joint_deforms(w->model, joint)) {
                deformation_add_coordinate_rate(w, j, k);
            }
        }
    }
}

void work_positions(carom_scratch *w)
{
    evaluate_drivers(w);
    carom_parallel_for(w->threads, (size_t)w->model->joint_count, PARALLEL_GRAIN, joints_position, w);
    couplers_position(w);
}

void work_constraints(carom_scratch *w)
{
    evaluate_drivers(w);
    carom_parallel_for(w->threads, (size_t)w->model->joint_count, PARALLEL_GRAIN, joints_full, w);
    couplers_position(w);
    couplers_velocity(w);
}

static double largest(const double *values, int count, int *index)
{
    double worst = 0.0;
    int at = -1;
    for (int i = 0; i < count && !isnan(worst); ++i) {
        if (!(fabs(values[i]) <= worst)) { /* a NaN is the worst there is */
            worst = fabs(values[i]);
            at = i;
        }
    }
    if (index) {
        *index = at;
    }
    return worst;
}

double work_position_error(const carom_scratch *w, int *row)
{
    return largest(w->C, w->model->row_count, row);
}

double work_velocity_error(const carom_scratch *w, int *row)
{
    return largest(w->C_dot, w->model->row_count, row);
}
