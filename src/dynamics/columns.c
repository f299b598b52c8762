#include "dynamics/columns.h"

#include <string.h>

/* ---- rows ---- */

/* Whether the place moves against the frame of its body. */
static bool deforms_at(const carom_scratch *w, body_place at)
{
    return body_deforms(&w->model->bodies[at.body]) && at.point && at.point->psi;
}

/* out += scale times what a row has in the columns of the coordinates of its body. */
static void add_deformation(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS], double scale,
                            double *out)
{
    if (!deforms_at(w, at)) {
        return;
    }
    const model_body *b = &w->model->bodies[at.body];
    const body_frame frame = work_frame(w, at.body);
    const double *q = w->q + b->first_deform;
    if (b->type->columns) {
        b->type->columns(b->params, &frame, q, at.point, row, scale, out);
        return;
    }
    for (int k = 0; k < body_coordinate_count(b); ++k) {
        double twist[FRAME_COLUMNS];
        double sum = 0.0;
        b->type->twist(b->params, &frame, q, at.point, k, twist);
        for (int i = 0; i < FRAME_COLUMNS; ++i) {
            sum += row[i] * twist[i];
        }
        out[k] += scale * sum;
    }
}

/* A row's part of the coordinates of its body times their rates, or their columns of x. */
static double deformation_times(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS],
                                const double *rates)
{
    double sum = 0.0;
    int count = deforms_at(w, at) ? body_coordinate_count(&w->model->bodies[at.body]) : 0;
    memset(w->row_columns, 0, (size_t)count * sizeof *w->row_columns);
    add_deformation(w, at, row, 1.0, w->row_columns);
    for (int k = 0; k < count; ++k) {
        sum += w->row_columns[k] * rates[k];
    }
    return sum;
}

void work_row_columns(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS], double *out)
{
    const model_body *b = &w->model->bodies[at.body];
    memcpy(out, row, FRAME_COLUMNS * sizeof *out);
    memset(out + FRAME_COLUMNS, 0, (size_t)body_coordinate_count(b) * sizeof *out);
    add_deformation(w, at, row, 1.0, out + FRAME_COLUMNS);
}

double work_row_deformation(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS],
                            const double *q_dot)
{
    return deformation_times(w, at, row, q_dot + w->model->bodies[at.body].first_deform);
}

double work_row_turning(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS])
{
    if (!deforms_at(w, at)) {
        return 0.0;
    }
    const point_motion p = work_point(w, at);
    v3 torque_p = v3_sub(v3_load(row + 3), v3_cross(p.marker.r_w, v3_load(row)));
    return v3_dot(torque_p, p.alpha_w);
}

void work_add_wide_columns(const carom_scratch *w, body_place at, double scale, const double row[FRAME_COLUMNS],
                           double *out)
{
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        out[i] += scale * row[i];
    }
    add_deformation(w, at, row, scale, out + FRAME_COLUMNS);
}

double work_wide_row_times(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS], const double *x)
{
    const model_body *b = &w->model->bodies[at.body];
    const double *in = x + b->column;
    double sum = 0.0;
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        sum += row[i] * in[i];
    }
    return sum + deformation_times(w, at, row, in + FRAME_COLUMNS);
}

/* ---- deformation coordinates ---- */

void columns_to_deformation(const carom_model *model, double factor, const double *x, double *q)
{
    for (int slot = 0; model->deform_count > 0 && slot < model->free_count; ++slot) {
        const model_body *b = &model->bodies[model->free_bodies[slot]];
        for (int k = 0; k < body_coordinate_count(b); ++k) {
            q[b->first_deform + k] += factor * x[b->column + FRAME_COLUMNS + k];
        }
    }
}

double deformation_size(const carom_model *model, const double *q)
{
    double largest = 0.0;
    for (int slot = 0; model->deform_count > 0 && slot < model->free_count; ++slot) {
        const model_body *b = &model->bodies[model->free_bodies[slot]];
        for (int k = 0; k < body_coordinate_count(b); ++k) {
            largest = max_or_nan(largest, coordinate_size(b, k, q[b->first_deform + k]));
        }
    }
    return largest;
}

double columns_size(const carom_model *model, const double *x)
{
    double largest = 0.0;
    for (int slot = 0; model->deform_count > 0 && slot < model->free_count; ++slot) {
        const model_body *b = &model->bodies[model->free_bodies[slot]];
        for (int k = 0; k < body_coordinate_count(b); ++k) {
            largest = max_or_nan(largest, coordinate_size(b, k, x[b->column + FRAME_COLUMNS + k]));
        }
    }
    return largest;
}

/* ---- points ---- */

static point_motion point_of(const model_body *b, const body_frame *frame, motion at, const body_point *point)
{
    point_motion out = { 0 };
    if (body_deforms(b) && point->psi) {
        b->type->point(b->params, frame, at.q + b->first_deform, at.q_dot + b->first_deform, point, &out);
    } else {
        out.marker = marker_on(&frame->pose, &frame->R_w, &frame->rate, point);
    }
    return out;
}

point_motion work_point(const carom_scratch *w, body_place at)
{
    const body_frame frame = work_frame(w, at.body);
    return point_of(&w->model->bodies[at.body], &frame, work_motion(w), at.point);
}

marker motion_marker(const carom_model *model, motion at, body_place place)
{
    const body_frame frame = { at.pose[place.body], at.rate[place.body], q_matrix(at.pose[place.body].q_wb) };
    return point_of(&model->bodies[place.body], &frame, at, place.point).marker;
}

v3 work_point_velocity(const carom_scratch *w, body_place at, v3 r_w, motion_rates of)
{
    v3 v = point_velocity(&of.rate[at.body], r_w);
    for (int k = 0; deforms_at(w, at) && k < 3; ++k) {
        double row[FRAME_COLUMNS] = { 0.0 };
        row[k] = 1.0;
        v3_store(row + 3, v3_cross(r_w, v3_load(row)));
        v = v3_axpy(v, work_row_deformation(w, at, row, of.q_dot), v3_load(row));
    }
    return v;
}

/* ---- forces ---- */

static v3 torque_about_origin(const carom_scratch *w, int body, v3 p_w, wrench on)
{
    return v3_add(on.torque_w, v3_cross(v3_sub(p_w, w->pose[body].x_w), on.force_w));
}

void work_apply_at(carom_scratch *w, body_place at, v3 p_w, wrench on, bool external)
{
    double row[FRAME_COLUMNS];
    v3_store(row, on.force_w);
    v3_store(row + 3, torque_about_origin(w, at.body, p_w, on));
    work_add_row(w, at, 1.0, row, w->f);
    work_count(w, at.body, p_w, on, external);
}

void work_count(carom_scratch *w, int body, v3 p_w, wrench on, bool external)
{
    int slot = w->model->bodies[body].slot;
    if (slot < 0) {
        w->power.work[ACCOUNT_MOTION] -= v3_dot(on.force_w, w->rate[body].v_w) +
                                         v3_dot(torque_about_origin(w, body, p_w, on), w->rate[body].omega_w);
    }
    if (slot >= 0 && external) {
        w->power.impulse = v3_add(w->power.impulse, on.force_w);
        w->power.angular_impulse = v3_add(w->power.angular_impulse, v3_add(on.torque_w, v3_cross(p_w, on.force_w)));
    }
}
