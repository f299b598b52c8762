/* The equations of the stages, and Newton's method on them. */
#include "dynamics/radau_stages.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "dynamics/balance.h"
#include "dynamics/columns.h"
#include "dynamics/project.h"

#define SQRT6 2.44948974278317809820

static const double NODE[RADAU_STAGES] = { (4.0 - SQRT6) / 10.0, (4.0 + SQRT6) / 10.0, 1.0 };
static const double A[RADAU_STAGES][RADAU_STAGES] = {
    { (88.0 - 7.0 * SQRT6) / 360.0, (296.0 - 169.0 * SQRT6) / 1800.0, (-2.0 + 3.0 * SQRT6) / 225.0 },
    { (296.0 + 169.0 * SQRT6) / 1800.0, (88.0 + 7.0 * SQRT6) / 360.0, (-2.0 - 3.0 * SQRT6) / 225.0 },
    { (16.0 - SQRT6) / 36.0, (16.0 + SQRT6) / 36.0, 1.0 / 9.0 },
};

/* Crout: A = T U, U with ones on its diagonal. */
#define T11 A[0][0]
#define T21 A[1][0]
#define T31 A[2][0]
#define T22 (A[1][1] - T21 * A[0][1] / T11)
#define T32 (A[2][1] - T31 * A[0][1] / T11)
#define T33 (A[2][2] - T31 * A[0][2] / T11 - T32 * (A[1][2] - T21 * A[0][2] / T11) / T22)

typedef struct triangle {
    double t[RADAU_STAGES][RADAU_STAGES];
} triangle;

static triangle crout(void)
{
    return (triangle){ { { T11, 0.0, 0.0 }, { T21, T22, 0.0 }, { T31, T32, T33 } } };
}

/* ---- workspace ---- */

static void radau_free(void *p)
{
    radau_work *r = p;
    for (int i = 0; i < RADAU_STAGES; ++i) {
        tangent_destroy(r->stages[i].newton);
    }
    carom_arena_free(&r->arena);
    free(r);
}

static carom_status allocate_stage(radau_work *r, const carom_scratch *w, radau_stage *s, carom_error *err)
{
    double **columns[] = { &s->u, &s->u_dot, &s->v, &s->k, &s->a, &s->k_change, &s->a_change, &s->shift };
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; ++k) {
        *columns[k] = CAROM_ARENA_ARRAY(&r->arena, double, w->model->column_count);
    }
    s->sigma = CAROM_ARENA_ARRAY(&r->arena, double, w->model->row_count);
    s->z = CAROM_ARENA_ARRAY(&r->arena, double, w->model->integral_count);
    s->z_dot = CAROM_ARENA_ARRAY(&r->arena, double, w->model->integral_count);
    s->z_dot_change = CAROM_ARENA_ARRAY(&r->arena, double, w->model->integral_count);
    s->at = motion_create(&r->arena, w->model);
    return r->arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory") : tangent_create(&s->newton, w, err);
}

carom_status radau_get(carom_scratch *w, radau_work **out, carom_error *err)
{
    *out = w->integrator;
    if (*out) {
        return CAROM_OK;
    }
    radau_work *r = calloc(1, sizeof *r);
    if (!r) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    r->v0 = CAROM_ARENA_ARRAY(&r->arena, double, w->model->column_count);
    r->a0 = CAROM_ARENA_ARRAY(&r->arena, double, w->model->column_count);
    r->p = CAROM_ARENA_ARRAY(&r->arena, double, w->model->column_count);
    r->u = CAROM_ARENA_ARRAY(&r->arena, double, w->model->column_count);
    r->v = CAROM_ARENA_ARRAY(&r->arena, double, w->model->column_count);
    r->residual = CAROM_ARENA_ARRAY(&r->arena, double, w->model->column_count);
    carom_status status = CAROM_OK;
    for (int i = 0; i < RADAU_STAGES && status == CAROM_OK; ++i) {
        status = allocate_stage(r, w, &r->stages[i], err);
    }
    if (status != CAROM_OK) {
        radau_free(r);
        return status;
    }
    w->integrator = r;
    w->integrator_free = radau_free;
    *out = r;
    return CAROM_OK;
}

/* ---- columns ---- */

static void add_scaled(double *out, double factor, const double *x, int n)
{
    for (int k = 0; k < n; ++k) {
        out[k] += factor * x[k];
    }
}

/* Rates or accelerations of the free bodies as columns, and back. */
static void to_columns(const carom_model *model, motion_rates from, double *out)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        const model_body *b = &model->bodies[i];
        memcpy(out + b->column, &from.rate[i], sizeof from.rate[i]);
        for (int k = 0; k < body_coordinate_count(b); ++k) {
            out[b->column + FRAME_COLUMNS + k] = from.q_dot[b->first_deform + k];
        }
    }
}

static void from_columns(const carom_model *model, const double *x, body_rate *rate, double *q_dot)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        memcpy(&rate[i], x + model->bodies[i].column, sizeof rate[i]);
    }
    memset(q_dot, 0, (size_t)model->deform_count * sizeof *q_dot);
    columns_to_deformation(model, 1.0, x, q_dot);
}

/* out += factor * B(u) v. */
static void add_displacement_rate(const carom_model *model, double factor, const double *u, const double *v,
                                  double *out)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        const model_body *b = &model->bodies[model->free_bodies[slot]];
        const double *from = v + b->column;
        double *to = out + b->column;
        v3 turning = m3_mulv(so3_tangent_inverse(v3_load(u + b->column + 3)), v3_load(from + 3));
        for (int k = 0; k < 3; ++k) {
            to[k] += factor * from[k];
        }
        v3_store(to + 3, v3_axpy(v3_load(to + 3), factor, turning));
        add_scaled(to + FRAME_COLUMNS, factor, from + FRAME_COLUMNS, b->width - FRAME_COLUMNS);
    }
}

/* ---- stages ---- */

/* Velocities by collocation from accelerations; displacements from the rates k, shifts and the last displacements. */
static void collocate(const carom_model *model, radau_work *r, double h)
{
    const int n = model->column_count;
    for (int i = 0; i < RADAU_STAGES; ++i) {
        radau_stage *s = &r->stages[i];
        memcpy(s->v, r->v0, (size_t)n * sizeof *s->v);
        for (int j = 0; j < RADAU_STAGES; ++j) {
            add_scaled(s->v, h * A[i][j], r->stages[j].a, n);
        }
        memset(s->u_dot, 0, (size_t)n * sizeof *s->u_dot);
        add_displacement_rate(model, 1.0, s->u, s->k, s->u_dot);
    }
    for (int i = 0; i < RADAU_STAGES; ++i) {
        radau_stage *s = &r->stages[i];
        memcpy(s->u, s->shift, (size_t)n * sizeof *s->u);
        for (int j = 0; j < RADAU_STAGES; ++j) {
            add_scaled(s->u, h * A[i][j], r->stages[j].u_dot, n);
        }
    }
}

/* What is integrated along, by collocation from its rates. */
static void collocate_integrals(const carom_model *model, const carom_state *s, radau_work *r, double h)
{
    for (int i = 0; i < RADAU_STAGES; ++i) {
        for (int k = 0; k < model->integral_count; ++k) {
            double sum = 0.0;
            for (int j = 0; j < RADAU_STAGES; ++j) {
                sum += A[i][j] * r->stages[j].z_dot[k];
            }
            r->stages[i].z[k] = s->z[k] + h * sum;
        }
    }
}

static void predict_integrals(const carom_model *model, const carom_state *s, radau_work *r, double h)
{
    for (int i = 0; i < RADAU_STAGES; ++i) {
        const double dt = NODE[i] * h;
        for (int k = 0; k < model->integral_count; ++k) {
            r->stages[i].z_dot[k] = s->z_dot[k] + dt * (s->z_jerk[k] + 0.5 * dt * s->z_history[k]);
        }
    }
    collocate_integrals(model, s, r, h);
}

void radau_predict(const carom_scratch *w, const carom_state *s, radau_work *r, double h)
{
    const carom_model *model = w->model;
    const int n = model->column_count;
    to_columns(model, (motion_rates){ s->rate, s->q_dot }, r->v0);
    to_columns(model, (motion_rates){ s->acceleration, s->q_ddot }, r->a0);
    for (int i = 0; i < RADAU_STAGES; ++i) {
        radau_stage *stage = &r->stages[i];
        const double dt = NODE[i] * h;
        to_columns(model, (motion_rates){ s->jerk, s->q_jerk }, stage->a);
        to_columns(model, (motion_rates){ s->history, s->q_history }, stage->a_change);
        for (int k = 0; k < n; ++k) {
            stage->a[k] = r->a0[k] + dt * (stage->a[k] + 0.5 * dt * stage->a_change[k]);
            stage->u[k] = dt * r->v0[k];
            stage->k[k] = r->v0[k];
            stage->shift[k] = 0.0;
        }
        memcpy(stage->sigma, s->sigma, (size_t)model->row_count * sizeof *stage->sigma);
    }
    collocate(model, r, h);
    for (int i = 0; i < RADAU_STAGES; ++i) {
        memcpy(r->stages[i].k, r->stages[i].v, (size_t)n * sizeof *r->stages[i].k);
    }
    collocate(model, r, h);
    predict_integrals(model, s, r, h);
}

/* Puts everything where a displacement and velocities have it. */
static void place_stage(const carom_model *model, const carom_state *s, const double *u, const double *v, motion at)
{
    motion_copy(model, at, state_motion(s));
    from_columns(model, v, at.rate, at.q_dot);
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        const double *move = u + model->bodies[i].column;
        at.pose[i] = pose_moved(s->pose[i], v3_load(move), v3_load(move + 3));
    }
    columns_to_deformation(model, 1.0, u, at.q);
}

/* Trial velocities and displacements of stage i after the changes of this iteration at earlier stages. */
static void try_stage(const carom_model *model, radau_work *r, const triangle *T, int i, double h)
{
    const int n = model->column_count;
    radau_stage *stage = &r->stages[i];
    memcpy(r->u, stage->u, (size_t)n * sizeof *r->u);
    memcpy(r->v, stage->v, (size_t)n * sizeof *r->v);
    for (int j = 0; j < i; ++j) {
        add_scaled(r->v, h * T->t[i][j], r->stages[j].a_change, n);
        add_displacement_rate(model, h * T->t[i][j], r->stages[j].u, r->stages[j].k_change, r->u);
    }
    for (int c = 0; c < n; ++c) {
        stage->k_change[c] = r->v[c] - stage->k[c];
    }
    add_displacement_rate(model, h * T->t[i][i], stage->u, stage->k_change, r->u);
}

/* The same for what is integrated along, at the place of the stage. */
static void try_integrals(const carom_model *model, radau_work *r, const triangle *T, int i, double h)
{
    radau_stage *stage = &r->stages[i];
    for (int k = 0; k < model->integral_count; ++k) {
        stage->at.z[k] = stage->z[k];
        for (int j = 0; j < i; ++j) {
            stage->at.z[k] += h * T->t[i][j] * r->stages[j].z_dot_change[k];
        }
    }
}

static double change_of(const carom_scratch *w, const double *x)
{
    double largest = columns_size(w->model, x);
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        const double *d = x + w->model->bodies[w->model->free_bodies[slot]].column;
        largest = max_or_nan(largest, v3_norm(v3_load(d)) + w->model->length_scale * v3_norm(v3_load(d + 3)));
    }
    return largest;
}

/* The balance of forces of a stage at its trial point. */
static void evaluate_stage(carom_scratch *w, const carom_state *s, radau_work *r, const triangle *T, int i,
                           const radau_goal *goal)
{
    radau_stage *stage = &r->stages[i];
    place_stage(w->model, s, r->u, r->v, stage->at);
    try_integrals(w->model, r, T, i, goal->h);
    from_columns(w->model, stage->a, w->acceleration, w->q_ddot);
    balance_evaluate(w, goal->t0 + NODE[i] * goal->h, stage->at, (motion_rates){ w->acceleration, w->q_ddot },
                     stage->sigma, r->residual);
}

/* Closes the constraints of a stage by a shift of its displacement; the size of the shift relative to the goal's tolerance. Only where the
 * position is right are the rows, and so velocities: near a singular position what they miss is divided by the distance
 * from it. */
static double shift_stage(carom_scratch *w, radau_work *r, int i, const radau_goal *goal)
{
    radau_stage *stage = &r->stages[i];
    const int n = w->model->column_count;
    memset(w->x, 0, (size_t)n * sizeof *w->x);
    for (int k = 0; k < w->model->row_count; ++k) {
        w->y[k] = -w->C[k];
    }
    saddle_solve(stage->newton->solver, w->x, w->y);
    double *shift = r->residual;
    memset(shift, 0, (size_t)n * sizeof *shift);
    add_displacement_rate(w->model, 1.0, stage->u, w->x, shift);
    add_scaled(stage->shift, 1.0, shift, n);
    add_scaled(r->u, 1.0, shift, n);
    return change_of(w, w->x) / w->model->length_scale / goal->tolerance;
}

/* The correction of velocities and accelerations of a stage from its residual; returns its size, likewise. */
static double correct_stage(carom_scratch *w, radau_work *r, int i, double step, const radau_goal *goal)
{
    const int n = w->model->column_count;
    const int m = w->model->row_count;
    radau_stage *stage = &r->stages[i];
    for (int k = 0; k < n; ++k) {
        w->x[k] = -step * r->residual[k];
    }
    for (int k = 0; k < m; ++k) {
        w->y[k] = -w->C_dot[k];
    }
    saddle_solve(stage->newton->solver, w->x, w->y);
    for (int k = 0; k < n; ++k) {
        stage->k_change[k] += w->x[k];
        stage->a_change[k] = w->x[k] / step;
    }
    add_scaled(stage->sigma, 1.0 / step, w->y, m);
    double change = max_or_nan(change_of(w, stage->k_change), change_of(w, w->x)); /* of u and of v */
    return change / goal->speed.linear / goal->tolerance;
}

/* Likewise of the rates of what is integrated along; size relative to its own. */
static double correct_integrals(carom_scratch *w, radau_work *r, int i, double step, const radau_goal *goal)
{
    radau_stage *stage = &r->stages[i];
    double *change = w->integrals.x;
    for (int k = 0; k < w->model->integral_count; ++k) {
        change[k] = w->z_dot[k] - stage->z_dot[k];
    }
    integrals_solve(w, step);
    for (int k = 0; k < w->model->integral_count; ++k) {
        stage->z_dot_change[k] = change[k];
        change[k] *= step;
    }
    return integrals_size(w->model, stage->at.z, change) / goal->tolerance;
}

static carom_status factor_stage(carom_scratch *w, const radau_stage *stage, double step, carom_error *err)
{
    double start = carom_clock_wall();
    carom_status status = tangent_factor(stage->newton, w, step * step, step, err);
    w->counters.seconds_solve += carom_clock_wall() - start;
    return status;
}

/* One Newton step of one stage; *size receives its size where that is larger. */
static carom_status iterate_stage(carom_scratch *w, const carom_state *s, radau_work *r, int i,
                                  const radau_goal *goal, bool renew, double *size, carom_error *err)
{
    const triangle T = crout();
    const double step = goal->h * T.t[i][i];
    radau_stage *stage = &r->stages[i];
    try_stage(w->model, r, &T, i, goal->h);
    evaluate_stage(w, s, r, &T, i, goal);
    carom_status status = work_may_go_on(w, err);
    if (status == CAROM_OK && renew) {
        integrals_linearise(w);
        status = factor_stage(w, stage, step, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    const double negligible = 1e-3 * goal->tolerance * w->model->length_scale;
    const bool open = !(work_position_error(w, NULL) <= fmax(project_tolerance(w), negligible));
    if (w->model->row_count > 0 && open) {
        *size = max_or_nan(*size, shift_stage(w, r, i, goal));
        evaluate_stage(w, s, r, &T, i, goal);
    }
    memcpy(w->sigma, stage->sigma, (size_t)w->model->row_count * sizeof *w->sigma);
    work_count_reactions(w);
    stage->power = w->power;
    double start = carom_clock_wall();
    *size = max_or_nan(*size, correct_stage(w, r, i, step, goal));
    *size = max_or_nan(*size, correct_integrals(w, r, i, step, goal));
    w->counters.seconds_solve += carom_clock_wall() - start;
    return work_may_go_on(w, err);
}

carom_status radau_solve(carom_scratch *w, const carom_state *s, radau_work *r, const radau_goal *goal,
                         int *iterations, carom_error *err)
{
    const double slow = 0.5; /* contraction at which new matrices cost less than more iterations */
    double last = HUGE_VAL;
    bool renew = true;
    for (int k = 0; k < goal->limit; ++k) {
        double size = 0.0;
        for (int i = 0; i < RADAU_STAGES && isfinite(size); ++i) {
            carom_status status = iterate_stage(w, s, r, i, goal, renew, &size, err);
            if (status != CAROM_OK) {
                return status;
            }
        }
        ++*iterations;
        if (!isfinite(size)) {
            break; /* where a force has no value stays the present point: the message names it */
        }
        for (int i = 0; i < RADAU_STAGES; ++i) {
            add_scaled(r->stages[i].a, 1.0, r->stages[i].a_change, w->model->column_count);
            add_scaled(r->stages[i].k, 1.0, r->stages[i].k_change, w->model->column_count);
            add_scaled(r->stages[i].z_dot, 1.0, r->stages[i].z_dot_change, w->model->integral_count);
        }
        collocate(w->model, r, goal->h);
        collocate_integrals(w->model, s, r, goal->h);
        double contraction = isfinite(last) ? size / last : 1.0;
        if (size <= 1e-3 || (contraction < 0.9 && contraction / (1.0 - contraction) * size <= 1.0)) {
            radau_stage *end = &r->stages[RADAU_STAGES - 1];
            place_stage(w->model, s, end->u, end->v, end->at);
            memcpy(end->at.z, end->z, (size_t)w->model->integral_count * sizeof *end->z);
            return CAROM_OK;
        }
        if (k >= 3 && contraction > 1.0) {
            break;
        }
        renew = k >= 2 && contraction > slow;
        last = size;
    }
    return carom_fail(err, CAROM_NOT_CONVERGED, "Newton's method did not converge at t = %.6g s with step %.3g s",
                      goal->t0 + goal->h, goal->h);
}

/* ---- the end of a step ---- */

/* Lagrange's polynomials of the three nodes at the beginning of the step. */
static void weights_at_beginning(double out[RADAU_STAGES])
{
    for (int i = 0; i < RADAU_STAGES; ++i) {
        out[i] = 1.0;
        for (int j = 0; j < RADAU_STAGES; ++j) {
            out[i] *= j == i ? 1.0 : NODE[j] / (NODE[j] - NODE[i]);
        }
    }
}

/* h g (a0 - the polynomial of the stages' accelerations at the beginning) is the difference to a formula of order 3 with the weight g
 * for a0; the matrix of the last stage takes out of it what is stiff or against the constraints. Likewise for
 * positions, which need no matrix: velocities are smooth. */
static double integrals_error(carom_scratch *w, const carom_state *s, const radau_work *r, double g,
                              const double weight[RADAU_STAGES])
{
    double *error = w->integrals.x;
    for (int k = 0; k < w->model->integral_count; ++k) {
        error[k] = g * s->z_dot[k];
        for (int i = 0; i < RADAU_STAGES; ++i) {
            error[k] -= g * weight[i] * r->stages[i].z_dot[k];
        }
    }
    integrals_solve(w, g);
    return integrals_size(w->model, r->stages[RADAU_STAGES - 1].z, error);
}

double radau_error(carom_scratch *w, const carom_state *s, radau_work *r, const radau_goal *goal)
{
    const carom_model *model = w->model;
    const int n = model->column_count;
    const double g = goal->h * T33;
    double weight[RADAU_STAGES];
    weights_at_beginning(weight);
    double *sped = r->p;
    double *moved = r->residual;
    for (int k = 0; k < n; ++k) {
        sped[k] = g * r->a0[k];
        moved[k] = g * r->v0[k];
        for (int i = 0; i < RADAU_STAGES; ++i) {
            sped[k] -= g * weight[i] * r->stages[i].a[k];
            moved[k] -= g * weight[i] * r->stages[i].v[k];
        }
    }
    from_columns(model, sped, w->acceleration, w->q_ddot);
    balance_mass_times(w, (motion_rates){ w->acceleration, w->q_ddot }, w->x);
    memset(w->y, 0, (size_t)model->row_count * sizeof *w->y);
    saddle_solve(r->stages[RADAU_STAGES - 1].newton->solver, w->x, w->y);
    double worst = max_or_nan(change_of(w, w->x) / goal->speed.linear, change_of(w, moved) / model->length_scale);
    return max_or_nan(worst, integrals_error(w, s, r, g, weight));
}

void radau_add_sums(const radau_work *r, double h, ledger_sums *sums)
{
    double *sum = (double *)(void *)sums;
    for (int i = 0; i < RADAU_STAGES; ++i) {
        const double *power = (const double *)(const void *)&r->stages[i].power;
        for (int k = 0; k < LEDGER_SUMS; ++k) {
            sum[k] += h * A[RADAU_STAGES - 1][i] * power[k];
        }
    }
}

/* The first two derivatives at the end of the parabola through the accelerations at the first two stages and at the end. */
void radau_keep_derivatives(const carom_scratch *w, const radau_work *r, double h, carom_state *s)
{
    const carom_model *model = w->model;
    double *first = r->p;
    double *second = r->residual;
    double *end = r->stages[2].a;
    to_columns(model, (motion_rates){ w->acceleration, w->q_ddot }, end);
    const double x0 = (NODE[0] - 1.0) * h;
    const double x1 = (NODE[1] - 1.0) * h;
    for (int k = 0; k < model->column_count; ++k) {
        double slope0 = (r->stages[0].a[k] - end[k]) / x0;
        double slope1 = (r->stages[1].a[k] - end[k]) / x1;
        second[k] = 2.0 * (slope1 - slope0) / (x1 - x0);
        first[k] = slope0 - 0.5 * second[k] * x0;
    }
    for (int k = 0; k < model->integral_count; ++k) {
        double slope0 = (r->stages[0].z_dot[k] - w->z_dot[k]) / x0;
        double slope1 = (r->stages[1].z_dot[k] - w->z_dot[k]) / x1;
        s->z_history[k] = 2.0 * (slope1 - slope0) / (x1 - x0);
        s->z_jerk[k] = slope0 - 0.5 * s->z_history[k] * x0;
    }
    from_columns(model, first, s->jerk, s->q_jerk);
    from_columns(model, second, s->history, s->q_history);
}
