/* Points, forces and rows on the columns of bodies: the only ways in which joints, couplers, drivers, forces, stops and
 * contacts get there, so that none of them knows how many columns a body has.
 *
 * A row against a body is six numbers [F; T], a force and a torque about the origin of the body's frame in world axes. It acts
 * at a point of the body; NULL stands for one that moves with the frame. All of this is at the point placed in w. Bodies that
 * do not move freely have no columns. */
#ifndef CAROM_DYNAMICS_COLUMNS_H
#define CAROM_DYNAMICS_COLUMNS_H

#include "dynamics/work.h"

/* What is attached to a body where. */
typedef struct body_place {
    int body;
    const body_point *point; /* NULL: moves with the frame */
} body_place;

static inline body_place joint_place(const model_joint *joint, int side)
{
    return (body_place){ joint->body[side], &joint->marker_c[side] };
}

static inline body_place force_place(const model_force *force, int side)
{
    return (body_place){ force->body[side], &force->marker_c[side] };
}

/* ---- rows ---- */

/* The columns of a row, as many as its body has. */
void work_row_columns(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS], double *out);

/* What the deformation of a body adds to a row times velocities; 0 for rigid bodies. */
double work_row_deformation(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS],
                            const double *q_dot);

/* What the rotation of the marker against its frame adds to jdot_v of a row of a joint; 0 for rigid bodies. */
double work_row_turning(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS]);

/* A row times the velocities, or accelerations, of its body. */
static inline double work_row_rate(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS],
                                   motion_rates of)
{
    double rate = row_times_frame(row, &of.rate[at.body]);
    return body_deforms(&w->model->bodies[at.body]) ? rate + work_row_deformation(w, at, row, of.q_dot) : rate;
}

/* out += scale * row on the columns of a free body. */
void work_add_wide_columns(const carom_scratch *w, body_place at, double scale, const double row[FRAME_COLUMNS],
                           double *out);
static inline void work_add_columns(const carom_scratch *w, body_place at, double scale,
                                    const double row[FRAME_COLUMNS], double *out)
{
    if (body_deforms(&w->model->bodies[at.body])) {
        work_add_wide_columns(w, at, scale, row, out);
        return;
    }
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        out[i] += scale * row[i];
    }
}

/* x += scale * row on all columns of the model. */
static inline void work_add_row(const carom_scratch *w, body_place at, double scale, const double row[FRAME_COLUMNS],
                                double *x)
{
    const model_body *b = &w->model->bodies[at.body];
    if (b->slot >= 0) {
        work_add_columns(w, at, scale, row, x + b->column);
    }
}

/* x += scale * sum of sigma_k row_k. */
static inline void work_add_rows(const carom_scratch *w, body_place at, double scale, const double *sigma,
                                 const double (*rows)[FRAME_COLUMNS], int count, double *x)
{
    const model_body *b = &w->model->bodies[at.body];
    for (int k = 0; body_deforms(b) && k < count; ++k) {
        work_add_wide_columns(w, at, scale * sigma[k], rows[k], x + b->column);
    }
    if (b->width != FRAME_COLUMNS) {
        return;
    }
    double *out = x + b->column;
    for (int k = 0; k < count; ++k) {
        double s = scale * sigma[k];
        for (int i = 0; i < FRAME_COLUMNS; ++i) {
            out[i] += s * rows[k][i];
        }
    }
}

/* row . x over all columns of the model. */
double work_wide_row_times(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS], const double *x);
static inline double work_row_times(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS],
                                    const double *x)
{
    const model_body *b = &w->model->bodies[at.body];
    if (body_deforms(b)) {
        return work_wide_row_times(w, at, row, x);
    }
    double sum = 0.0;
    for (int i = 0; b->slot >= 0 && i < FRAME_COLUMNS; ++i) {
        sum += row[i] * x[b->column + i];
    }
    return sum;
}

/* ---- deformation coordinates ---- */

/* q += factor * their columns of x, over all bodies. */
void columns_to_deformation(const carom_model *model, double factor, const double *x, double *q);

/* The displacement of the point that a change of the coordinates moves most, one coordinate at a time [m]; of rates:
 * [m/s]. NaN where the change is no number. */
double deformation_size(const carom_model *model, const double *q);

/* The same of the coordinate of one body. */
static inline double coordinate_size(const model_body *body, int coordinate, double change)
{
    return body->type->displacement(body->params, coordinate) * fabs(change);
}

/* The same of a change given as columns. */
double columns_size(const carom_model *model, const double *x);

/* ---- points ---- */

/* A marker. */
point_motion work_point(const carom_scratch *w, body_place at);
static inline marker work_marker(const carom_scratch *w, int body, const body_point *point)
{
    return body_deforms(&w->model->bodies[body]) ? work_point(w, (body_place){ body, point }).marker
                                                 : marker_on(&w->pose[body], &w->R_w[body], &w->rate[body], point);
}

/* The same at any point of the motion. */
marker motion_marker(const carom_model *model, motion at, body_place place);

/* The velocity of the point of a body that is at r_w from the origin of its frame; of accelerations: its part that is linear
 * in them. */
v3 work_point_velocity(const carom_scratch *w, body_place at, v3 r_w, motion_rates of);

/* ---- forces ---- */

/* A force and a torque about point p on a body: into f for a free body, into the work of prescribed motion for a
 * kinematic one. External forces are those whose partner is outside the set of free bodies. */
typedef struct wrench {
    v3 force_w;  /* [N]                         */
    v3 torque_w; /* [N m] about the point given */
} wrench;
void work_apply_at(carom_scratch *w, body_place at, v3 p_w, wrench on, bool external);

/* The same without the force itself: its share of the work of prescribed motion and of external impulse. */
void work_count(carom_scratch *w, int body, v3 p_w, wrench on, bool external);

static inline bool work_is_free(const carom_scratch *w, int body)
{
    return w->model->bodies[body].slot >= 0;
}

#endif
