/* The shape of a body under its loads while it moves: q'' = 0 with q' = 0. Newton's method on
 *
 *     K dq = f_q - M_qr a - J_q^T y,    M_rr a + J_r^T y = f_r,    J_r a = -gamma,
 *
 * which is the limit of large tau of (M + tau^2 K) x + J^T y = f with dq = tau^2 x_q: a matrix that implicit steps have. Stiff as it is, it also
 * closes joints again, and their velocities, by motions of frames alone. */
#include "dynamics/quasi_static.h"

#include <math.h>
#include <string.h>

#include "dynamics/columns.h"
#include "dynamics/integrator.h"
#include "dynamics/project.h"
#include "dynamics/tangent.h"

/* tau^2 times the square of the lowest frequency: so much stiffer than inertia. Where a frame is held, frequencies are up to some fifty times
 * lower than those of the free body. */
static const double STIFF = 1e12;

typedef struct finder {
    carom_scratch *w;
    motion at;
    tangent *t;
    double *stiffness; /* body_count: tau^2; 0: it keeps its shape */
} finder;

/* Of all bodies; whether some body asks for it. */
static bool choose_stiffness(const carom_model *m, double *stiffness)
{
    bool any = false;
    for (int i = 0; i < m->body_count; ++i) {
        const model_body *b = &m->bodies[i];
        stiffness[i] = 0.0;
        if (b->quasi_static && body_deforms(b)) {
            stiffness[i] = STIFF / b->type->shapes(b->params).omega2[0];
            any = true;
        }
    }
    return any;
}

/* Frames and joints at the point of the search, with their matrix. */
static carom_status place(const finder *f, carom_error *err)
{
    work_place(f->w, f->w->t, f->at);
    work_constraints(f->w);
    return tangent_factor_bodies(f->t, f->w, f->stiffness, err);
}

/* w->x = the motion that takes a residual of joints away. */
static void solve_rows(const finder *f, const double *residual)
{
    carom_scratch *w = f->w;
    memset(w->x, 0, (size_t)w->model->column_count * sizeof *w->x);
    for (int k = 0; k < w->model->row_count; ++k) {
        w->y[k] = -residual[k];
    }
    saddle_solve(f->t->solver, w->x, w->y);
}

static carom_status close_joints(const finder *f, carom_error *err)
{
    enum { MOST = 10 };
    double error = HUGE_VAL;
    carom_status status = CAROM_OK;
    for (int k = 0; k < MOST && status == CAROM_OK; ++k) {
        status = place(f, err);
        error = work_position_error(f->w, NULL);
        if (status != CAROM_OK || error <= project_tolerance(f->w)) {
            return status;
        }
        solve_rows(f, f->w->C);
        project_move(f->w, 1.0, f->at);
    }
    return status == CAROM_OK ? project_positions(f->w, f->w->t, f->at, false, &error, err) : status;
}

static void stop_deforming(const finder *f)
{
    const carom_model *m = f->w->model;
    for (int i = 0; i < m->body_count; ++i) {
        const model_body *b = &m->bodies[i];
        if (f->stiffness[i] > 0.0) {
            memset(f->at.q_dot + b->first_deform, 0, (size_t)body_coordinate_count(b) * sizeof *f->at.q_dot);
        }
    }
}

/* Velocities that fit the joints, without any of the deformation. */
static carom_status close_velocities(const finder *f, carom_error *err)
{
    const carom_model *m = f->w->model;
    stop_deforming(f);
    carom_status status = place(f, err);
    for (int pass = 0; pass < 2 && status == CAROM_OK && m->row_count > 0; ++pass) {
        solve_rows(f, f->w->C_dot);
        for (int slot = 0; slot < m->free_count; ++slot) {
            int i = m->free_bodies[slot];
            const double *d = f->w->x + m->bodies[i].column;
            f->at.rate[i].v_w = v3_add(f->at.rate[i].v_w, v3_load(d));
            f->at.rate[i].omega_w = v3_add(f->at.rate[i].omega_w, v3_load(d + 3));
        }
        columns_to_deformation(m, 1.0, f->w->x, f->at.q_dot);
        status = place(f, err);
    }
    return status;
}

/* w->x = the change of the shapes that are asked for, frames left where they are. */
static void keep_deformation(const finder *f)
{
    carom_scratch *w = f->w;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const model_body *b = &w->model->bodies[i];
        for (int k = 0; k < b->width; ++k) {
            w->x[b->column + k] *= k < FRAME_COLUMNS ? 0.0 : f->stiffness[i];
        }
    }
}

/* One step; *moved [m]: the largest displacement by it. */
static carom_status deform(const finder *f, double *moved, carom_error *err)
{
    carom_scratch *w = f->w;
    carom_status status = work_evaluate(w, w->t, f->at, err);
    status = status == CAROM_OK ? integrator_check_finite(w, err) : status;
    status = status == CAROM_OK ? tangent_factor_bodies(f->t, w, f->stiffness, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    memcpy(w->x, w->f, (size_t)w->model->column_count * sizeof *w->x);
    for (int k = 0; k < w->model->row_count; ++k) {
        w->y[k] = -w->gamma[k];
    }
    saddle_solve(f->t->solver, w->x, w->y);
    keep_deformation(f);
    *moved = columns_size(w->model, w->x);
    project_move(w, 1.0, f->at);
    status = close_joints(f, err);
    return status == CAROM_OK ? close_velocities(f, err) : status;
}

static carom_status give_up(const carom_model *m, double moved, carom_error *err)
{
    for (int i = 0; i < m->body_count; ++i) {
        if (m->bodies[i].quasi_static) {
            carom_fail(
                err, CAROM_IMPOSSIBLE,
                "'initial' of body '%.100s' is 'static', and no shape was found that its loads keep: it still changes by %.3g m; "
                "it may turn faster than it swings, or touch what is stiffer than itself; start 'undeformed'",
                m->bodies[i].name, moved);
            return model_blame_body(m, i, "flexible", CAROM_IMPOSSIBLE, err);
        }
    }
    return CAROM_IMPOSSIBLE;
}

static carom_status search(const finder *f, carom_error *err)
{
    enum { MOST = 60 };
    const carom_model *m = f->w->model;
    double first = 0.0, moved = 0.0;
    for (int k = 0; k < MOST; ++k) {
        carom_status status = deform(f, &moved, err);
        if (status != CAROM_OK) {
            return status;
        }
        first = fmax(first, moved);
        if (moved <= 1e-10 * first || moved <= project_tolerance(f->w)) {
            return CAROM_OK;
        }
        if (!(moved <= m->length_scale)) {
            break;
        }
    }
    return give_up(m, moved, err);
}

carom_status quasi_static_find(carom_scratch *w, carom_state *s, carom_error *err)
{
    carom_arena arena = { 0 };
    finder f = { .w = w, .at = state_motion(s) };
    f.stiffness = CAROM_ARENA_ARRAY(&arena, double, w->model->body_count);
    carom_status status = f.stiffness ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    if (status == CAROM_OK && choose_stiffness(w->model, f.stiffness)) {
        integrator_load(w, s);
        work_place(w, *s->time, f.at);
        status = tangent_create(&f.t, w, err);
        status = status == CAROM_OK ? search(&f, err) : status;
        tangent_destroy(f.t);
    }
    carom_arena_free(&arena);
    return status;
}
