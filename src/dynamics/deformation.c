#include "dynamics/deformation.h"

#include "dynamics/columns.h"

void deformation_place(carom_scratch *w, int body)
{
    const model_body *b = &w->model->bodies[body];
    const body_frame frame = work_frame(w, body);
    b->type->mass(b->params, &frame, w->q + b->first_deform, w->mass[b->slot]);
}

/* ---- joints ---- */

/* What the deformation of both bodies adds to the rate of row k, and to its part of jdot_v. */
static double rows_rate(const carom_scratch *w, const model_joint *joint, const carom_joint_rows *J, int k)
{
    return work_row_deformation(w, joint_place(joint, 0), J->a[k], w->q_dot) +
           work_row_deformation(w, joint_place(joint, 1), J->b[k], w->q_dot);
}

static double rows_turning(const carom_scratch *w, const model_joint *joint, const carom_joint_rows *J, int k)
{
    return work_row_turning(w, joint_place(joint, 0), J->a[k]) + work_row_turning(w, joint_place(joint, 1), J->b[k]);
}

void deformation_add_coordinate_rate(carom_scratch *w, int j, int coordinate)
{
    const model_joint *joint = &w->model->joints[j];
    w->coordinate_rate[joint->first_coordinate + coordinate] += rows_rate(w, joint, &w->coordinate_rows[j],
                                                                          coordinate);
}

void deformation_add_rates(carom_scratch *w, int j)
{
    const model_joint *joint = &w->model->joints[j];
    for (int k = 0; k < joint->type->equation_count + joint->driver_count; ++k) {
        w->C_dot[joint->first_row + k] += rows_rate(w, joint, &w->rows[j], k);
        w->gamma[joint->first_row + k] += rows_turning(w, joint, &w->rows[j], k);
    }
    for (int k = 0; w->uses_coordinates[j] && k < joint->type->coordinate_count; ++k) {
        double turning = rows_turning(w, joint, &w->coordinate_rows[j], k);
        deformation_add_coordinate_rate(w, j, k);
        w->coordinate_jdot_v[joint->first_coordinate + k] += turning;
    }
}

/* ---- mass ---- */

static double mass_row_times(const carom_scratch *w, int body, int i, motion_rates of)
{
    const model_body *b = &w->model->bodies[body];
    const double *row = w->mass[b->slot] + i * b->width;
    double sum = row_times_frame(row, &of.rate[body]);
    bool alone = i >= b->width - body_diagonal(b); /* a row of the diagonal block */
    for (int k = alone ? i - FRAME_COLUMNS : 0; k < (alone ? i - FRAME_COLUMNS + 1 : body_coordinate_count(b)); ++k) {
        sum += row[FRAME_COLUMNS + k] * of.q_dot[b->first_deform + k];
    }
    return sum;
}

void deformation_mass_times(const carom_scratch *w, int body, motion_rates of, double *out)
{
    for (int i = 0; i < w->model->bodies[body].width; ++i) {
        out[i] = mass_row_times(w, body, i, of);
    }
}

body_rate deformation_momentum(const carom_scratch *w, int body)
{
    double p[FRAME_COLUMNS];
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        p[i] = mass_row_times(w, body, i, rates_of(work_motion(w)));
    }
    return (body_rate){ v3_load(p), v3_load(p + 3) };
}

double deformation_mass_product(const carom_scratch *w, int body, motion_rates x, motion_rates y)
{
    const model_body *b = &w->model->bodies[body];
    double p[FRAME_COLUMNS];
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        p[i] = mass_row_times(w, body, i, y);
    }
    double sum = v3_dot(v3_load(p), x.rate[body].v_w) + v3_dot(v3_load(p + 3), x.rate[body].omega_w);
    for (int k = 0; k < body_coordinate_count(b); ++k) {
        sum += mass_row_times(w, body, FRAME_COLUMNS + k, y) * x.q_dot[b->first_deform + k];
    }
    return sum;
}

double deformation_kinetic(const carom_scratch *w, int body)
{
    const motion_rates u = rates_of(work_motion(w));
    return 0.5 * deformation_mass_product(w, body, u, u);
}

/* The block of v and omega in M is -m [c x]. */
v3 deformation_center(const carom_scratch *w, int body)
{
    const model_body *b = &w->model->bodies[body];
    const double *M = w->mass[b->slot];
    v3 moment = v3_make(M[b->width + 5], M[2 * b->width + 3], M[4]); /* m c */
    return v3_axpy(w->pose[body].x_w, 1.0 / M[0], moment);
}

/* ---- forces ---- */

void deformation_forces(carom_scratch *w, int body, v3 gravity_w)
{
    const model_body *b = &w->model->bodies[body];
    const body_frame frame = work_frame(w, body);
    const wrench weight = { v3_scale(b->mass, gravity_w), v3_zero() };
    body_energy energy = { .damping = w->damping + b->first_deform };
    double *f = w->f + b->column;
    for (int i = 0; i < b->width; ++i) { /* M times the acceleration g of everything */
        f[i] = v3_dot(v3_load(w->mass[b->slot] + i * b->width), gravity_w);
    }
    b->type->forces(b->params, &frame, w->q + b->first_deform, w->q_dot + b->first_deform, f, &energy);
    w->elastic += energy.elastic;
    w->power.work[ACCOUNT_DAMPING] += energy.dissipation;
    w->nodal_dissipation += energy.dissipation;
    v3 center_w = deformation_center(w, body);
    w->potential -= b->mass * v3_dot(gravity_w, center_w);
    work_count(w, body, center_w, weight, true);
}
