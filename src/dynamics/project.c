/* Newton's method on C(q) = 0 with steps of least norm in the metric of the masses: M dx + J^T y = 0, J dx = -C. */
#include "dynamics/project.h"

#include <float.h>
#include <string.h>

#include "dynamics/columns.h"

double project_tolerance(const carom_scratch *w)
{
    const double ulps = 16.0 * DBL_EPSILON; /* a residual is a sum of a dozen products */
    double extent = w->model->length_scale;
    for (int i = 0; i < w->model->body_count; ++i) {
        v3 x = w->pose[i].x_w;
        extent = fmax(extent, fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z))));
    }
    return ulps * extent + 1e-15;
}

static double solve_correction(carom_scratch *w, const double *residual)
{
    memset(w->x, 0, (size_t)w->model->column_count * sizeof *w->x);
    for (int k = 0; k < w->model->row_count; ++k) {
        w->y[k] = -residual[k];
    }
    saddle_solve(w->kkt, w->x, w->y);
    double largest = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        const double *d = w->x + w->model->bodies[w->model->free_bodies[slot]].column;
        double turn = w->model->length_scale * v3_norm(v3_load(d + 3));
        largest = fmax(largest, fmax(v3_norm(v3_load(d)), turn));
    }
    return fmax(largest, columns_size(w->model, w->x));
}

void project_move(const carom_scratch *w, double factor, motion at)
{
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const double *d = w->x + w->model->bodies[i].column;
        at.pose[i] = pose_moved(at.pose[i], v3_scale(factor, v3_load(d)), v3_scale(factor, v3_load(d + 3)));
    }
    columns_to_deformation(w->model, factor, w->x, at.q);
}

/* What is a hundred roundings or less is rounding. */
void project_note_loose(carom_scratch *w, double error, double tolerance)
{
    if (error > 100.0 * tolerance) {
        finding_note(&w->findings, CAROM_FINDING_PROJECTION_LOOSE, finding_in_run(), error, tolerance, w->t);
    }
}

carom_status project_positions(carom_scratch *w, double t, motion at, bool factored, double *moved, carom_error *err)
{
    enum { MOST = 30 };
    double last = HUGE_VAL;
    *moved = 0.0;
    for (int k = 0; k < MOST; ++k) {
        work_place(w, t, at);
        work_positions(w);
        if (carom_stop_asked(&w->stop)) {
            return work_interrupted(w, err);
        }
        double error = work_position_error(w, NULL);
        double tolerance = project_tolerance(w);
        if (error <= tolerance) {
            return CAROM_OK;
        }
        if (error > 0.5 * last &&
            error <= 1e3 * tolerance) { /* near singular positions Newton's method only creeps */
            project_note_loose(w, error, tolerance);
            return CAROM_OK;
        }
        if (!isfinite(error)) {
            break;
        }
        if (!factored || error > 0.1 * last) {
            carom_status status = work_factor(w, err);
            if (status != CAROM_OK) {
                return status;
            }
            factored = true;
        }
        last = error;
        *moved += solve_correction(w, w->C);
        project_move(w, 1.0, at);
    }
    int row = 0;
    char name[256];
    double error = work_position_error(w, &row);
    return carom_fail(err, CAROM_NOT_CONVERGED, "constraint '%s' stays open by %.3g at t = %.6g s",
                      row >= 0 ? carom_model_equation_name(w->model, row, name, sizeof name) : "", error, t);
}

void project_velocities(carom_scratch *w, motion at, int passes)
{
    for (int pass = 0; pass < passes && w->model->row_count > 0; ++pass) {
        solve_correction(w, w->C_dot);
        for (int slot = 0; slot < w->model->free_count; ++slot) {
            int i = w->model->free_bodies[slot];
            body_rate *r = &at.rate[i];
            const double *d = w->x + w->model->bodies[i].column;
            r->v_w = v3_add(r->v_w, v3_load(d));
            r->omega_w = v3_add(r->omega_w, v3_load(d + 3));
        }
        columns_to_deformation(w->model, 1.0, w->x, at.q_dot);
        if (pass + 1 < passes) {
            work_place(w, w->t, (motion){ w->pose, at.rate, w->q, at.q_dot, w->z });
            work_constraints(w);
        }
    }
}

carom_status project_onto_constraints(carom_scratch *w, double t, motion at, bool factored, carom_error *err)
{
    double moved = 0.0;
    if (w->model->row_count == 0) {
        return CAROM_OK;
    }
    carom_status status = project_positions(w, t, at, factored, &moved, err);
    if (status != CAROM_OK) {
        return status;
    }
    work_place(w, t, at);
    work_constraints(w);
    if (!factored) {
        status = work_factor(w, err);
    }
    if (status == CAROM_OK) {
        project_velocities(w, at, 1);
    }
    return status;
}
