/* IDA [Hindmarsh2005] on the stabilised index-2 form [Gear1985]:
 *
 *     x' - v + (J^T mu)_x = 0,            q' - 1/2 (omega - (J^T mu)_theta) q = 0
 *     M (v', omega') - f + J^T sigma = 0,  z' - rates of what is integrated along = 0
 *     J v - prescribed rates - eps sigma = 0,     C - eps mu = 0,     sums' - powers = 0
 *
 * Deformation coordinates have equations like those of x and v. mu vanishes in exact arithmetic; it lets positions and velocities satisfy their constraints at once. The length of q
 * stays as it is because q' is perpendicular to it; constraints and forces see q normalised.
 *
 * Redundant rows would make the iteration matrix singular and leave multipliers undetermined. The terms with eps choose
 * those of least norm; eps is so small that the constraints give way by a hundredth of the tolerance, and the end of
 * each macro step is projected back. Dense matrices only, so the number of unknowns is bounded. See macro.h for what a
 * macro step is and costs. */
#include "dynamics/integrator_list.h"

#include <float.h>
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "dynamics/sundials/macro.h"

enum { LARGEST_DENSE = 600 }; /* unknowns; some twenty bodies with their joints */

typedef struct ida_work {
    macro_work m; /* first */
    void *memory; /* IDA's */
    N_Vector y_dot;
    N_Vector id; /* 1: differential, 0: algebraic */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    int first_sigma;  /* unknowns and velocity rows */
    int first_mu;     /* unknowns and position rows */
    double *force;    /* column_count */
    double *shift;    /* column_count: J^T mu */
    double eps_sigma; /* [m/s per N] */
    double eps_mu;    /* [s]         */
} ida_work;

static void ida_free(void *p)
{
    ida_work *d = p;
    IDAFree(&d->memory);
    SUNLinSolFree(d->linear);
    if (d->matrix) {
        SUNMatDestroy(d->matrix);
    }
    N_VDestroy(d->y_dot);
    N_VDestroy(d->id);
    macro_free(&d->m);
    free(d);
}

/* f, powers, rows and C at the point; J^T sigma - f into d->force, J^T mu into d->shift. */
static void evaluate_point(ida_work *d, double t, const double *y)
{
    carom_scratch *w = d->m.w;
    int n = w->model->column_count;
    macro_unpack(&d->m, y);
    work_place(w, t, d->m.at);
    work_constraints(w);
    work_forces(w);
    memcpy(w->sigma, y + d->first_sigma, (size_t)w->model->row_count * sizeof *w->sigma);
    work_count_reactions(w);
    for (int k = 0; k < n; ++k) {
        d->force[k] = -w->f[k];
        d->shift[k] = 0.0;
    }
    work_add_reactions(w, 1.0, w->sigma, d->force);
    work_add_reactions(w, 1.0, y + d->first_mu, d->shift);
    w->counters.evaluations++;
}

/* Of the unknowns of one body. */
static quat orientation_of(const double *y)
{
    body_pose pose;
    memcpy(&pose, y, sizeof pose);
    return pose.q_wb;
}

static void body_residual(const ida_work *d, int slot, const double *y, const double *y_dot, double *r)
{
    const carom_scratch *w = d->m.w;
    int i = w->model->free_bodies[slot];
    const double *shift = d->shift + w->model->bodies[i].column;
    const double *force = d->force + w->model->bodies[i].column;
    v3 turning = v3_sub(v3_load(y + UNKNOWNS_PER_POSE + 3), v3_load(shift + 3));
    quat q_dot = q_rate(orientation_of(y), turning);
    v3_store(r, v3_add(v3_sub(v3_load(y_dot), v3_load(y + UNKNOWNS_PER_POSE)), v3_load(shift)));
    const double rates[4] = { q_dot.w, q_dot.x, q_dot.y, q_dot.z };
    for (int k = 0; k < 4; ++k) {
        r[3 + k] = y_dot[3 + k] - rates[k];
    }
    v3 inertia = v3_scale(w->model->bodies[i].mass, v3_load(y_dot + UNKNOWNS_PER_POSE));
    v3 spin = m3_mulv(w->J_w[i], v3_load(y_dot + UNKNOWNS_PER_POSE + 3));
    v3_store(r + UNKNOWNS_PER_POSE, v3_add(inertia, v3_load(force)));
    v3_store(r + UNKNOWNS_PER_POSE + 3, v3_add(spin, v3_load(force + 3)));
}

/* The unknown whose derivative is the acceleration in a column of a body. */
static int unknown_of_column(const carom_model *model, const model_body *b, int column)
{
    return column < FRAME_COLUMNS ? UNKNOWNS_PER_BODY * b->slot + UNKNOWNS_PER_POSE + column
                                  : unknowns_first_q_dot(model) + b->first_deform + column - FRAME_COLUMNS;
}

/* Balance of forces of a body that deforms, in place of that of a rigid one, and q' = rate of q. */
static void wide_residual(ida_work *d, const model_body *b, const double *y, const double *y_dot, double *r)
{
    const carom_scratch *w = d->m.w;
    const carom_model *model = w->model;
    const double *M = w->mass[b->slot];
    for (int i = 0; i < b->width; ++i) {
        double sum = d->force[b->column + i];
        for (int k = 0; k < b->width; ++k) {
            sum += M[i * b->width + k] * y_dot[unknown_of_column(model, b, k)];
        }
        r[unknown_of_column(model, b, i)] = sum;
    }
    for (int k = 0; k < body_coordinate_count(b); ++k) {
        int q = unknowns_first_q(model) + b->first_deform + k;
        int q_dot = unknowns_first_q_dot(model) + b->first_deform + k;
        r[q] = y_dot[q] - y[q_dot] + d->shift[b->column + FRAME_COLUMNS + k];
    }
}

static int evaluate(ida_work *d, double t, const double *y, const double *y_dot, double *r)
{
    enum { TRY_SHORTER = 1, GIVE_UP = -1 };
    const carom_scratch *w = d->m.w;
    evaluate_point(d, t, y);
    if (work_may_go_on(d->m.w, NULL) != CAROM_OK) {
        return GIVE_UP;
    }
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int b = UNKNOWNS_PER_BODY * slot;
        const model_body *body = &w->model->bodies[w->model->free_bodies[slot]];
        body_residual(d, slot, y + b, y_dot + b, r + b);
        if (body_deforms(body)) {
            wide_residual(d, body, y, y_dot, r);
        }
    }
    const int first_z = unknowns_first_z(w->model);
    for (int k = 0; k < w->model->integral_count; ++k) {
        r[first_z + k] = y_dot[first_z + k] - w->z_dot[k];
    }
    const double *power = (const double *)(const void *)&w->power;
    for (int k = 0; k < LEDGER_SUMS; ++k) {
        r[d->m.motion + k] = y_dot[d->m.motion + k] - power[k];
    }
    for (int k = 0; k < w->model->row_count; ++k) {
        r[d->first_sigma + k] = w->C_dot[k] - d->eps_sigma * y[d->first_sigma + k];
        r[d->first_mu + k] = w->C[k] - d->eps_mu * y[d->first_mu + k];
    }
    for (int j = 0; j < d->m.size; ++j) {
        if (!isfinite(r[j])) {
            d->m.not_finite = work_not_finite(w);
            return TRY_SHORTER;
        }
    }
    return 0;
}

static int residual(sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector r, void *data)
{
    return evaluate(data, t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot), N_VGetArrayPointer(r));
}

/* ---- the iteration matrix dF/dy + c dF/dy' -------------------------------------------------------------------- */

/* dF/dy by difference quotients; the equations are linear in the multipliers, so large increments are exact there. */
static int difference_columns(ida_work *d, double t, const double *y, const double *y_dot, const double *r0,
                              double *shifted, SUNMatrix A)
{
    memcpy(shifted, y, (size_t)d->m.size * sizeof *shifted);
    for (int j = 0; j < d->m.size; ++j) {
        if (j >= d->m.motion && j < d->first_sigma) { /* nothing depends on the sums */
            continue;
        }
        double *column = SUNDenseMatrix_Column(A, j);
        shifted[j] = y[j] + (j < d->m.motion ? macro_increment(&d->m, y, j) : fmax(fabs(y[j]), d->m.scale[j]));
        int flag = evaluate(d, t, shifted, y_dot, column);
        if (flag != 0) {
            return flag;
        }
        double width = shifted[j] - y[j];
        for (int i = 0; i < d->m.size; ++i) {
            column[i] = (column[i] - r0[i]) / width;
        }
        shifted[j] = y[j];
    }
    return 0;
}

static void add_wide_derivatives(const carom_scratch *w, const model_body *b, double c, SUNMatrix A)
{
    const double *M = w->mass[b->slot];
    for (int k = 0; k < body_coordinate_count(b); ++k) {
        int q = unknowns_first_q(w->model) + b->first_deform + k;
        SM_ELEMENT_D(A, q, q) += c;
    }
    for (int k = 0; k < b->width * b->width; ++k) {
        int row = unknown_of_column(w->model, b, k / b->width);
        int column = unknown_of_column(w->model, b, k % b->width);
        SM_ELEMENT_D(A, row, column) += c * M[k];
    }
}

/* c dF/dy': identity, and the masses in the rows of forces. */
static void add_derivatives(const ida_work *d, double c, SUNMatrix A)
{
    const carom_scratch *w = d->m.w;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        int b = UNKNOWNS_PER_BODY * slot;
        const model_body *body = &w->model->bodies[i];
        for (int k = 0; k < UNKNOWNS_PER_POSE; ++k) {
            SM_ELEMENT_D(A, b + k, b + k) += c;
        }
        if (body_deforms(body)) {
            add_wide_derivatives(w, body, c, A);
            continue;
        }
        int v = b + UNKNOWNS_PER_POSE;
        for (int k = 0; k < 3; ++k) {
            SM_ELEMENT_D(A, v + k, v + k) += c * body->mass;
        }
        for (int k = 0; k < 9; ++k) {
            SM_ELEMENT_D(A, v + 3 + k / 3, v + 3 + k % 3) += c * w->J_w[i].m[k];
        }
    }
    for (int j = unknowns_first_z(w->model); j < d->m.motion; ++j) {
        SM_ELEMENT_D(A, j, j) += c;
    }
    for (int j = d->m.motion; j < d->first_sigma; ++j) {
        SM_ELEMENT_D(A, j, j) = c;
    }
}

/* The rotation vector per unit of the k-th number of q. */
static v3 turn_per_component(quat q, int k)
{
    quat unit = { k == 0, k == 1, k == 2, k == 3 };
    double n = q_norm(q);
    quat turn = q_mul(unit, q_conj(q));
    return v3_scale(2.0 / (n * n), v3_make(turn.x, turn.y, turn.z));
}

/* The rows of constraints against velocities and positions exactly as the multipliers' columns have them: differences
 * between the two would decide pivots of redundant rows. */
static void write_rows(const ida_work *d, const double *y, SUNMatrix A)
{
    const carom_model *model = d->m.w->model;
    for (int row = 0; row < model->row_count; ++row) {
        const double *column = SUNDenseMatrix_Column(A, d->first_sigma + row);
        SM_ELEMENT_D(A, d->first_sigma + row, d->first_sigma + row) = -d->eps_sigma;
        SM_ELEMENT_D(A, d->first_mu + row, d->first_mu + row) = -d->eps_mu;
        for (int slot = 0; slot < model->free_count; ++slot) {
            int b = UNKNOWNS_PER_BODY * slot;
            quat q = orientation_of(y + b);
            int v = b + UNKNOWNS_PER_POSE;
            for (int k = 0; k < FRAME_COLUMNS; ++k) {
                SM_ELEMENT_D(A, d->first_sigma + row, v + k) = column[v + k];
            }
            for (int k = 0; k < 3; ++k) {
                SM_ELEMENT_D(A, d->first_mu + row, b + k) = column[v + k];
            }
            for (int k = 0; k < 4; ++k) {
                SM_ELEMENT_D(A, d->first_mu + row, b + 3 + k) = v3_dot(v3_load(column + v + 3),
                                                                       turn_per_component(q, k));
            }
        }
        for (int k = 0; k < model->deform_count; ++k) {
            int q_dot = unknowns_first_q_dot(model) + k;
            SM_ELEMENT_D(A, d->first_sigma + row, q_dot) = column[q_dot];
            SM_ELEMENT_D(A, d->first_mu + row, unknowns_first_q(model) + k) = column[q_dot];
        }
    }
}

static int jacobian(sunrealtype t, sunrealtype c, N_Vector y, N_Vector y_dot, N_Vector r, SUNMatrix A, void *data,
                    N_Vector tmp1, N_Vector tmp2, N_Vector tmp3)
{
    (void)tmp2;
    (void)tmp3;
    ida_work *d = data;
    const double *at = N_VGetArrayPointer(y);
    SUNMatZero(A);
    int flag = difference_columns(d, t, at, N_VGetArrayPointer(y_dot), N_VGetArrayPointer(r),
                                  N_VGetArrayPointer(tmp1), A);
    if (flag != 0) {
        return flag;
    }
    evaluate_point(d, t, at); /* inertias of the point itself */
    add_derivatives(d, c, A);
    write_rows(d, at, A);
    return 0;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static bool allocate(ida_work *d)
{
    int n = d->m.size;
    d->y_dot = N_VNew_Serial(n, d->m.context);
    d->id = N_VNew_Serial(n, d->m.context);
    d->force = CAROM_ARENA_ARRAY(&d->m.arena, double, d->m.w->model->column_count);
    d->shift = CAROM_ARENA_ARRAY(&d->m.arena, double, d->m.w->model->column_count);
    d->matrix = SUNDenseMatrix(n, n, d->m.context);
    d->linear = d->matrix ? SUNLinSol_Dense(d->m.y, d->matrix, d->m.context) : NULL;
    d->memory = IDACreate(d->m.context);
    return d->y_dot && d->id && !d->m.arena.failed && d->linear && d->memory;
}

static bool set_up(ida_work *d)
{
    if (!allocate(d)) {
        return false;
    }
    N_VConst(0.0, d->m.y);
    N_VConst(0.0, d->y_dot);
    N_VConst(1.0, d->m.abstol);
    for (int j = 0; j < d->m.size; ++j) {
        NV_Ith_S(d->id, j) = j < d->first_sigma ? 1.0 : 0.0;
    }
    return IDASetErrHandlerFn(d->memory, macro_listen, &d->m) == IDA_SUCCESS &&
           IDAInit(d->memory, residual, 0.0, d->m.y, d->y_dot) == IDA_SUCCESS &&
           IDASetUserData(d->memory, d) == IDA_SUCCESS && IDASetId(d->memory, d->id) == IDA_SUCCESS &&
           IDASetSuppressAlg(d->memory, SUNTRUE) == IDA_SUCCESS &&
           IDASVtolerances(d->memory, 0.0, d->m.abstol) == IDA_SUCCESS &&
           IDASetLinearSolver(d->memory, d->linear, d->matrix) == IDALS_SUCCESS &&
           IDASetJacFn(d->memory, jacobian) == IDALS_SUCCESS;
}

static carom_status ida_get(carom_scratch *w, ida_work **out, carom_error *err)
{
    *out = w->integrator;
    if (*out) {
        return CAROM_OK;
    }
    int size = unknowns_first_sum(w->model) + LEDGER_SUMS + 2 * w->model->row_count;
    if (size > LARGEST_DENSE) {
        return carom_fail(
            err, CAROM_UNSUPPORTED,
            "this scene has %d unknowns and the integrator \"ida\" takes at most %d, as its matrices are "
            "dense; use \"runge-kutta\" or \"generalized-alpha\"",
            size, LARGEST_DENSE);
    }
    ida_work *d = calloc(1, sizeof *d);
    if (!d) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    carom_status status = macro_create(&d->m, w, 2 * w->model->row_count, err);
    d->first_sigma = d->m.motion + LEDGER_SUMS;
    d->first_mu = d->first_sigma + w->model->row_count;
    if (status == CAROM_OK && !set_up(d)) {
        status = carom_fail(err, CAROM_NO_MEMORY, "IDA cannot be set up: %.200s",
                            d->m.complaint[0] ? d->m.complaint : "out of memory");
    }
    if (status != CAROM_OK) {
        ida_free(d);
        return status;
    }
    w->integrator = d;
    w->integrator_free = ida_free;
    *out = d;
    return CAROM_OK;
}

/* ---- the solver as macro steps see it -------------------------------------------------------------------------- */

/* Consistent values and derivatives: accelerations, multipliers and powers were left in the state by its last step. */
static void start_values(ida_work *d, const carom_state *s)
{
    const carom_model *model = d->m.w->model;
    double *y = N_VGetArrayPointer(d->m.y);
    double *y_dot = N_VGetArrayPointer(d->y_dot);
    N_VConst(0.0, d->y_dot);
    unknowns_derivative(model, unknowns_of_state(s), y_dot);
    memcpy(y + d->first_sigma, s->sigma, (size_t)model->row_count * sizeof *y);
    memset(y + d->first_mu, 0, (size_t)model->row_count * sizeof *y);
}

/* The largest multiplier moves the constraints' rates by a hundredth of the tolerance of the velocities. */
static void choose_compliance(ida_work *d)
{
    double velocity = NV_Ith_S(d->m.abstol, UNKNOWNS_PER_POSE);
    d->eps_sigma = d->m.size > d->first_sigma ? 1e-2 * velocity / d->m.scale[d->first_sigma] : 0.0;
    d->eps_mu = 1e-8; /* mu is the drift per second that it takes away: far below any velocity */
}

static int restart(void *self, const carom_state *s, double t, double t_stop)
{
    ida_work *d = self;
    start_values(d, s);
    choose_compliance(d);
    int flag = IDAReInit(d->memory, t, d->m.y, d->y_dot);
    flag = flag < 0 ? flag : IDASVtolerances(d->memory, 0.0, d->m.abstol);
    return flag < 0 ? flag : IDASetStopTime(d->memory, t_stop);
}

static int advance(void *self, double t_stop, double *t)
{
    ida_work *d = self;
    return IDASolve(d->memory, t_stop, t, d->m.y, d->y_dot, IDA_ONE_STEP);
}

static int interpolate(void *self, double t, N_Vector out)
{
    ida_work *d = self;
    return IDAGetDky(d->memory, t, 0, out);
}

static void count(void *self, carom_step_report *report)
{
    ida_work *d = self;
    long iterations = 0;
    long rejected = 0;
    IDAGetNumNonlinSolvIters(d->memory, &iterations);
    IDAGetNumErrTestFails(d->memory, &rejected);
    report->iterations += (int)iterations;
    report->rejected += (int)rejected;
}

static const macro_solver solver = { .name = "IDA",
                                     .restart = restart,
                                     .advance = advance,
                                     .interpolate = interpolate,
                                     .flag_name = IDAGetReturnFlagName,
                                     .count = count };

static carom_status ida_start(carom_scratch *w, carom_state *s, const integrator_settings *settings,
                              const void *options, carom_error *err)
{
    (void)s;
    (void)settings;
    (void)options;
    ida_work *d = NULL;
    return ida_get(w, &d, err); /* a scene too large is refused before it runs */
}

static carom_status ida_step(carom_scratch *w, carom_state *s, double dt, const integrator_settings *settings,
                             const void *options, carom_step_report *report, carom_error *err)
{
    (void)options;
    ida_work *d = NULL;
    carom_status status = ida_get(w, &d, err);
    return status == CAROM_OK ? macro_step(&d->m, &solver, s, dt, settings, report, err) : status;
}

static const carom_field fields[] = { { .name = NULL } };
typedef struct ida_options {
    char none; /* no options yet beyond the time section's */
} ida_options;
static const ida_options defaults = { 0 };

const integrator_type integrator_ida = {
    .kind = { .name = "ida",
              .doc = "IDA of SUNDIALS: variable-order BDF on the stabilised index-2 equations. A reference for small "
                     "scenes: restarted at every step, dense matrices.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .can_adapt = true,
    .preset_step = { 0.1, 0.1, 0.1 },
    .preset_tolerance = { 1e-5, 1e-7, 1e-9 },
    .start = ida_start,
    .step = ida_step,
};
