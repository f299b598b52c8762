/* CVODE [Hindmarsh2005] on the motion as ordinary differential equations:
 *
 *     x' = v,  q' = 1/2 omega q,  (v', omega') = a(t, x, q, v, omega),  sums' = powers
 *
 * with a from the augmented system of paper 1 (25), so redundant constraints and loops are no concern here. BDF
 * projects every internal step onto positions and velocities of the constraints [Eich1993]; Adams, for which CVODE offers
 * no projection, is projected at the end of each macro step. See macro.h for what a macro step is and costs.
 *
 * BDF solves its equations by Newton's method with a dense matrix of difference quotients for small systems, and by
 * Krylov iteration without a matrix for large ones; Adams by fixed-point iteration. */
#include "dynamics/integrator_list.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "dynamics/project.h"
#include "dynamics/sundials/macro.h"

enum {
    LARGEST_DENSE = 300
}; /* unknowns: beyond, n evaluations and n^3 operations per matrix cost more than Krylov */

typedef enum cvode_method { METHOD_BDF, METHOD_ADAMS } cvode_method;

typedef struct cvode_options {
    int method; /* cvode_method */
} cvode_options;

static const cvode_options defaults = { .method = METHOD_BDF };

static const char *const method_names[] = { "bdf", "adams", NULL };

static const carom_field fields[] = {
    { .name = "method",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(cvode_options, method),
      .names = method_names,
      .doc =
          "Backward differentiation (bdf) for stiff motion, or Adams-Moulton (adams) for smooth, not stiff motion." },
    { .name = NULL },
};

typedef struct cvode_work {
    macro_work m; /* first */
    void *memory; /* CVODE's */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
} cvode_work;

static void cvode_free(void *p)
{
    cvode_work *c = p;
    CVodeFree(&c->memory);
    SUNNonlinSolFree(c->nonlinear);
    SUNLinSolFree(c->linear);
    if (c->matrix) {
        SUNMatDestroy(c->matrix);
    }
    macro_free(&c->m);
    free(c);
}

/* Failures of an evaluation (a matrix that cannot be factored, a number that is not finite) tell the solver to try a
 * shorter step. */
static int evaluate(cvode_work *c, double t, const double *y, double *y_dot)
{
    enum { TRY_SHORTER = 1, GIVE_UP = -1 };
    carom_scratch *w = c->m.w;
    macro_unpack(&c->m, y);
    carom_status status = work_evaluate(w, t, c->m.at, NULL);
    if (status != CAROM_OK) {
        return status == CAROM_NO_MEMORY || status == CAROM_INTERRUPTED ? GIVE_UP : TRY_SHORTER;
    }
    unknowns_derivative(w->model, unknowns_of_work(w), y_dot);
    for (int j = 0; j < c->m.size; ++j) {
        if (!isfinite(y_dot[j])) {
            c->m.not_finite = work_not_finite(w);
            return TRY_SHORTER;
        }
    }
    return 0;
}

static int right_hand_side(sunrealtype t, N_Vector y, N_Vector y_dot, void *data)
{
    return evaluate(data, t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot));
}

/* Difference quotients by the motion; nothing depends on the sums. */
static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector shifted, N_Vector tmp2,
                    N_Vector tmp3)
{
    (void)tmp2;
    (void)tmp3;
    cvode_work *c = data;
    const double *at = N_VGetArrayPointer(y);
    const double *f0 = N_VGetArrayPointer(f);
    double *x = N_VGetArrayPointer(shifted);
    memcpy(x, at, (size_t)c->m.size * sizeof *x);
    SUNMatZero(J);
    for (int j = 0; j < c->m.motion; ++j) {
        double *column = SUNDenseMatrix_Column(J, j);
        x[j] = at[j] + macro_increment(&c->m, at, j);
        int flag = evaluate(c, t, x, column);
        if (flag != 0) {
            return flag;
        }
        double width = x[j] - at[j];
        for (int i = 0; i < c->m.size; ++i) {
            column[i] = (column[i] - f0[i]) / width;
        }
        x[j] = at[j];
    }
    return 0;
}

static void store_correction(const macro_work *m, const double *y, double *correction)
{
    memset(correction, 0, (size_t)m->size * sizeof *correction);
    for (int slot = 0; slot < m->w->model->free_count; ++slot) {
        int i = m->w->model->free_bodies[slot];
        double target[UNKNOWNS_PER_BODY];
        memcpy(target, &m->at.pose[i], sizeof m->at.pose[i]);
        memcpy(target + UNKNOWNS_PER_POSE, &m->at.rate[i], sizeof m->at.rate[i]);
        for (int k = 0; k < UNKNOWNS_PER_BODY; ++k) {
            int j = UNKNOWNS_PER_BODY * slot + k;
            correction[j] = target[k] - y[j];
        }
    }
    for (int k = 0; k < m->w->model->deform_count; ++k) {
        int j = unknowns_first_q(m->w->model) + k;
        int j_dot = unknowns_first_q_dot(m->w->model) + k;
        correction[j] = m->at.q[k] - y[j];
        correction[j_dot] = m->at.q_dot[k] - y[j_dot];
    }
}

/* y + correction lies on the constraints, positions and velocities, and has unit quaternions. */
static int project(sunrealtype t, N_Vector y, N_Vector correction, sunrealtype tolerance, N_Vector error, void *data)
{
    enum { TRY_SHORTER = 1 };
    (void)tolerance;
    (void)error;
    cvode_work *c = data;
    macro_work *m = &c->m;
    double moved = 0.0;
    macro_unpack(m, N_VGetArrayPointer(y));
    if (m->w->model->row_count > 0) {
        if (project_positions(m->w, t, m->at, false, &moved, NULL) != CAROM_OK) {
            return TRY_SHORTER;
        }
        work_place(m->w, t, m->at);
        work_constraints(m->w);
        if (work_factor(m->w, NULL) != CAROM_OK) {
            return TRY_SHORTER;
        }
        project_velocities(m->w, m->at, 1);
    }
    store_correction(m, N_VGetArrayPointer(y), N_VGetArrayPointer(correction));
    return 0;
}

static bool use_bdf(cvode_work *c)
{
    if (c->m.size <= LARGEST_DENSE) {
        c->matrix = SUNDenseMatrix(c->m.size, c->m.size, c->m.context);
        c->linear = c->matrix ? SUNLinSol_Dense(c->m.y, c->matrix, c->m.context) : NULL;
    } else {
        c->linear = SUNLinSol_SPGMR(c->m.y, SUN_PREC_NONE, 20, c->m.context);
    }
    return c->linear && CVodeSetLinearSolver(c->memory, c->linear, c->matrix) == CVLS_SUCCESS &&
           (!c->matrix || CVodeSetJacFn(c->memory, jacobian) == CVLS_SUCCESS) &&
           CVodeSetProjFn(c->memory, project) == CV_SUCCESS && CVodeSetProjErrEst(c->memory, SUNFALSE) == CV_SUCCESS;
}

static bool use_adams(cvode_work *c)
{
    c->nonlinear = SUNNonlinSol_FixedPoint(c->m.y, 0, c->m.context);
    return c->nonlinear && CVodeSetNonlinearSolver(c->memory, c->nonlinear) == CV_SUCCESS;
}

static bool set_up(cvode_work *c, int method)
{
    N_VConst(0.0, c->m.y);
    N_VConst(1.0, c->m.abstol);
    c->memory = CVodeCreate(method == METHOD_BDF ? CV_BDF : CV_ADAMS, c->m.context);
    return c->memory && CVodeSetErrHandlerFn(c->memory, macro_listen, &c->m) == CV_SUCCESS &&
           CVodeInit(c->memory, right_hand_side, 0.0, c->m.y) == CV_SUCCESS &&
           CVodeSetUserData(c->memory, c) == CV_SUCCESS && CVodeSetMaxHnilWarns(c->memory, -1) == CV_SUCCESS &&
           CVodeSVtolerances(c->memory, 0.0, c->m.abstol) == CV_SUCCESS &&
           (method == METHOD_BDF ? use_bdf(c) : use_adams(c));
}

static carom_status cvode_get(carom_scratch *w, const cvode_options *options, cvode_work **out, carom_error *err)
{
    *out = w->integrator;
    if (*out) {
        return CAROM_OK;
    }
    cvode_work *c = calloc(1, sizeof *c);
    if (!c) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    carom_status status = macro_create(&c->m, w, 0, err);
    if (status == CAROM_OK && !set_up(c, options->method)) {
        status = carom_fail(err, CAROM_NO_MEMORY, "CVODE cannot be set up: %.200s",
                            c->m.complaint[0] ? c->m.complaint : "out of memory");
    }
    if (status != CAROM_OK) {
        cvode_free(c);
        return status;
    }
    w->integrator = c;
    w->integrator_free = cvode_free;
    *out = c;
    return CAROM_OK;
}

static int restart(void *self, const carom_state *s, double t, double t_stop)
{
    (void)s;
    cvode_work *c = self;
    int flag = CVodeReInit(c->memory, t, c->m.y);
    flag = flag < 0 ? flag : CVodeSVtolerances(c->memory, 0.0, c->m.abstol);
    return flag < 0 ? flag : CVodeSetStopTime(c->memory, t_stop);
}

static int advance(void *self, double t_stop, double *t)
{
    cvode_work *c = self;
    return CVode(c->memory, t_stop, c->m.y, t, CV_ONE_STEP);
}

static int interpolate(void *self, double t, N_Vector out)
{
    cvode_work *c = self;
    return CVodeGetDky(c->memory, t, 0, out);
}

static void count(void *self, carom_step_report *report)
{
    cvode_work *c = self;
    long iterations = 0;
    long rejected = 0;
    CVodeGetNumNonlinSolvIters(c->memory, &iterations);
    CVodeGetNumErrTestFails(c->memory, &rejected);
    report->iterations += (int)iterations;
    report->rejected += (int)rejected;
}

static const macro_solver solver = { .name = "CVODE",
                                     .restart = restart,
                                     .advance = advance,
                                     .interpolate = interpolate,
                                     .flag_name = CVodeGetReturnFlagName,
                                     .count = count };

static carom_status cvode_step(carom_scratch *w, carom_state *s, double dt, const integrator_settings *settings,
                               const void *options, carom_step_report *report, carom_error *err)
{
    cvode_work *c = NULL;
    carom_status status = cvode_get(w, options, &c, err);
    return status == CAROM_OK ? macro_step(&c->m, &solver, s, dt, settings, report, err) : status;
}

const integrator_type integrator_cvode = {
    .kind = { .name = "cvode",
              .doc = "CVODE of SUNDIALS: variable-order BDF (stiff) or Adams with projection onto the constraints. A "
                     "reference: restarted at every step, hence slower than runge-kutta at the same accuracy.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .can_adapt = true,
    .preset_step = { 0.1, 0.1, 0.1 },
    .preset_tolerance = { 1e-5, 1e-7, 1e-10 },
    .step = cvode_step,
};
