/* Lie-group generalised-alpha [Bruels2012] on R^3 x SO(3) with world-side increments, in the
 * stabilised form that satisfies the constraints on position and velocity level [Arnold2015]:
 *
 *     (1 - am) a1 + am a0 = (1 - af) v1' + af v0'
 *     q1 = exp(h (v0 + (1/2 - beta) h a0 + beta h a1) + s) q0,   v1 = v0 + (1 - gamma) h a0 + gamma h a1
 *     M v1' = f(q1, v1, t1) - J^T sigma1,   M s = -J^T mu,   C(q1) = 0,   J v1 + C_t = 0
 *
 * Deformation coordinates follow the same formulas without exp, and what is integrated along with the motion those of velocities. The shift s is of the order of the local error. Without it (plain index 3) velocities would satisfy the constraints
 * only to second order, and a step cut short at an event would divide that error by the short step.
 * a is the algorithmic acceleration, an approximation of v' at t + (am - af) h; it is started and, when h changes, moved
 * accordingly, else the order drops to one. One factorisation per step; Newton's method goes on with it until the
 * expected error of the positions is at rounding level or far below the tolerance. */
#include "dynamics/generalized_alpha.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "dynamics/balance.h"
#include "dynamics/columns.h"
#include "dynamics/integrals.h"
#include "dynamics/integrator_list.h"
#include "dynamics/project.h"
#include "dynamics/tangent.h"

static const alpha_options defaults = { .rho = 0.9, .newton_limit = 12, .watch = WATCH_VELOCITIES };
static const char *const watch_names[] = { "velocities", "energy", "positions", NULL };

static const carom_field fields[] = {
    { .name = "rho",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(alpha_options, rho),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Spectral radius at infinite frequency: 1 damps nothing, 0 annihilates fast vibration in one step." },
    { .name = "newton_limit",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(alpha_options, newton_limit),
      .flags = CAROM_POSITIVE,
      .doc = "Largest number of Newton iterations per step before the step is halved." },
    { .name = "watch",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(alpha_options, watch),
      .names = watch_names,
      .doc =
          "What error control keeps to the tolerance besides positions: the velocity of every body; only their "
          "share in the energy of the heaviest, so that the chatter of light parts does not shorten steps; or, with "
          "'positions', nothing: vibration that moves nobody as far as the tolerance is damped, not followed." },
    { .name = NULL },
};

static carom_status alpha_check(const void *options, carom_error *err)
{
    const alpha_options *o = options;
    if (o->rho >= 0.0 && o->rho <= 1.0) {
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_BAD_INPUT, "time.integrator: rho must be between 0 and 1, not %g", o->rho);
}

typedef struct coefficients {
    double am, af, beta, gamma;
    double offset; /* am - af: where in time the algorithmic acceleration sits, in steps */
} coefficients;

static coefficients coefficients_of(double rho)
{
    coefficients c;
    c.am = (2.0 * rho - 1.0) / (rho + 1.0);
    c.af = rho / (rho + 1.0);
    c.gamma = 0.5 + c.af - c.am;
    c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
    c.offset = c.am - c.af;
    return c;
}

typedef struct alpha_work {
    carom_arena arena;
    tangent *newton;
    motion at;        /* iterate at the end of the step          */
    body_rate *v_dot; /* true accelerations at the end           */
    body_rate *a0;    /* algorithmic, at the beginning           */
    body_rate *a1;    /* algorithmic, at the end                 */
    body_rate *shift; /* s: displacement and rotation vector */
    v3 *theta;        /* rotation vector of the step             */
    double *q_ddot;   /* deform_count: as v_dot, a0, a1, shift   */
    double *q_a0;
    double *q_a1;
    double *q_shift;
    double *z_dot; /* integral_count: as v_dot, a0, a1 */
    double *z_a0;
    double *z_a1;
    double *sigma;
    double *residual; /* column_count                            */
} alpha_work;

static void alpha_free(void *p)
{
    alpha_work *g = p;
    tangent_destroy(g->newton);
    carom_arena_free(&g->arena);
    free(g);
}

static carom_status alpha_get(carom_scratch *w, alpha_work **out, carom_error *err)
{
    *out = w->integrator;
    if (*out) {
        return CAROM_OK;
    }
    alpha_work *g = calloc(1, sizeof *g);
    if (!g) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    int n = w->model->body_count;
    g->at = motion_create(&g->arena, w->model);
    g->v_dot = CAROM_ARENA_ARRAY(&g->arena, body_rate, n);
    g->a0 = CAROM_ARENA_ARRAY(&g->arena, body_rate, n);
    g->a1 = CAROM_ARENA_ARRAY(&g->arena, body_rate, n);
    g->shift = CAROM_ARENA_ARRAY(&g->arena, body_rate, n);
    g->theta = CAROM_ARENA_ARRAY(&g->arena, v3, n);
    g->q_ddot = CAROM_ARENA_ARRAY(&g->arena, double, w->model->deform_count);
    g->q_a0 = CAROM_ARENA_ARRAY(&g->arena, double, w->model->deform_count);
    g->q_a1 = CAROM_ARENA_ARRAY(&g->arena, double, w->model->deform_count);
    g->q_shift = CAROM_ARENA_ARRAY(&g->arena, double, w->model->deform_count);
    g->z_dot = CAROM_ARENA_ARRAY(&g->arena, double, w->model->integral_count);
    g->z_a0 = CAROM_ARENA_ARRAY(&g->arena, double, w->model->integral_count);
    g->z_a1 = CAROM_ARENA_ARRAY(&g->arena, double, w->model->integral_count);
    g->sigma = CAROM_ARENA_ARRAY(&g->arena, double, w->model->row_count);
    g->residual = CAROM_ARENA_ARRAY(&g->arena, double, w->model->column_count);
    carom_status status = g->arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory")
                                          : tangent_create(&g->newton, w, err);
    if (status != CAROM_OK) {
        alpha_free(g);
        return status;
    }
    w->integrator = g;
    w->integrator_free = alpha_free;
    *out = g;
    return CAROM_OK;
}

static body_rate rate_axpy(body_rate a, double s, body_rate b)
{
    return (body_rate){ v3_axpy(a.v_w, s, b.v_w), v3_axpy(a.omega_w, s, b.omega_w) };
}

static body_rate rate_scale(double s, body_rate a)
{
    return (body_rate){ v3_scale(s, a.v_w), v3_scale(s, a.omega_w) };
}

/* Pose, velocity and algorithmic acceleration of one body that follow from its true acceleration at the end. */
static void follow(const carom_state *s, alpha_work *g, int i, double h, const coefficients *c)
{
    body_rate a = rate_axpy(rate_scale(c->af, s->acceleration[i]), 1.0 - c->af, g->v_dot[i]);
    a = rate_scale(1.0 / (1.0 - c->am), rate_axpy(a, -c->am, g->a0[i]));
    body_rate mean = rate_axpy(rate_axpy(s->rate[i], (0.5 - c->beta) * h, g->a0[i]), c->beta * h, a);
    body_rate move = rate_axpy(g->shift[i], h, mean);
    g->a1[i] = a;
    g->theta[i] = move.omega_w;
    g->at.pose[i] = pose_moved(s->pose[i], move.v_w, move.omega_w);
    g->at.rate[i] = rate_axpy(rate_axpy(s->rate[i], (1.0 - c->gamma) * h, g->a0[i]), c->gamma * h, a);
}

static void follow_deformation(const carom_scratch *w, const carom_state *s, alpha_work *g, double h,
                               const coefficients *c)
{
    for (int k = 0; k < w->model->deform_count; ++k) {
        double a = c->af * s->q_ddot[k] + (1.0 - c->af) * g->q_ddot[k];
        a = (a - c->am * g->q_a0[k]) / (1.0 - c->am);
        double mean = s->q_dot[k] + (0.5 - c->beta) * h * g->q_a0[k] + c->beta * h * a;
        g->q_a1[k] = a;
        g->at.q[k] = s->q[k] + g->q_shift[k] + h * mean;
        g->at.q_dot[k] = s->q_dot[k] + (1.0 - c->gamma) * h * g->q_a0[k] + c->gamma * h * a;
    }
}

static void follow_integrals(const carom_scratch *w, const carom_state *s, alpha_work *g, double h,
                             const coefficients *c)
{
    for (int k = 0; k < w->model->integral_count; ++k) {
        double a = c->af * s->z_dot[k] + (1.0 - c->af) * g->z_dot[k];
        g->z_a1[k] = (a - c->am * g->z_a0[k]) / (1.0 - c->am);
        g->at.z[k] = s->z[k] + h * ((1.0 - c->gamma) * g->z_a0[k] + c->gamma * g->z_a1[k]);
    }
}

static void predict_integrals(const carom_scratch *w, const carom_state *s, alpha_work *g, double h,
                              const coefficients *c)
{
    for (int k = 0; k < w->model->integral_count; ++k) {
        g->z_a0[k] = s->z_history[k] + c->offset * (h - *s->last_step) * s->z_jerk[k];
        g->z_dot[k] = s->z_dot[k] + h * s->z_jerk[k];
    }
    follow_integrals(w, s, g, h, c);
}

static void predict_deformation(const carom_scratch *w, const carom_state *s, alpha_work *g, double h,
                                const coefficients *c)
{
    for (int k = 0; k < w->model->deform_count; ++k) {
        g->q_a0[k] = s->q_history[k] + c->offset * (h - *s->last_step) * s->q_jerk[k];
        g->q_ddot[k] = s->q_ddot[k] + h * s->q_jerk[k];
        g->q_shift[k] = 0.0;
    }
    follow_deformation(w, s, g, h, c);
}

/* Starts the iteration from the accelerations of the last step, carried on by their last change. */
static void predict(const carom_scratch *w, const carom_state *s, alpha_work *g, double h, const coefficients *c)
{
    motion_copy(w->model, g->at, state_motion(s));
    memcpy(g->sigma, s->sigma, (size_t)w->model->row_count * sizeof *g->sigma);
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        g->a0[i] = rate_axpy(s->history[i], c->offset * (h - *s->last_step), s->jerk[i]);
        g->v_dot[i] = rate_axpy(s->acceleration[i], h, s->jerk[i]);
        g->shift[i] = (body_rate){ v3_zero(), v3_zero() };
        follow(s, g, i, h, c);
    }
    predict_deformation(w, s, g, h, c);
    predict_integrals(w, s, g, h, c);
}

/* Poses and velocities after h by the accelerations of the state alone. */
static void explicit_move(const carom_scratch *w, const carom_state *s, alpha_work *g, double h)
{
    motion_copy(w->model, g->at, state_motion(s));
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        body_rate mean = rate_axpy(s->rate[i], 0.5 * h, s->acceleration[i]);
        g->at.pose[i] = pose_moved(s->pose[i], v3_scale(h, mean.v_w), v3_scale(h, mean.omega_w));
        g->at.rate[i] = rate_axpy(s->rate[i], h, s->acceleration[i]);
    }
    for (int k = 0; k < w->model->deform_count; ++k) {
        g->at.q[k] += h * (s->q_dot[k] + 0.5 * h * s->q_ddot[k]);
        g->at.q_dot[k] += h * s->q_ddot[k];
    }
    for (int k = 0; k < w->model->integral_count; ++k) {
        g->at.z[k] += h * s->z_dot[k];
    }
}

/* Positions can be met to rounding of their coordinates only; accelerations, being that divided by h^2, want more and,
 * not being differences of large numbers, can have it. */
static const double FORCE_WEIGHT = 10.0;

/* The part of the solution in w->x that belongs to a slot, as an increment of the step's rotation vector. */
static body_rate increment(const carom_scratch *w, const alpha_work *g, int slot)
{
    int i = w->model->free_bodies[slot];
    const double *x = w->x + w->model->bodies[i].column;
    return (body_rate){ v3_load(x), m3_mulv(so3_tangent_inverse(g->theta[i]), v3_load(x + 3)) };
}

static double size_of(const carom_scratch *w, body_rate move)
{
    return v3_norm(move.v_w) + w->model->length_scale * v3_norm(move.omega_w); /* a sum keeps NaN */
}

/* Accelerations and multipliers from the balance of forces and the constraints' rates, measured as a shift of
 * positions; returns its size. */
static double correct_accelerations(carom_scratch *w, alpha_work *g, double h, const coefficients *c)
{
    double per_shift = (1.0 - c->am) / (h * h * c->beta * (1.0 - c->af)); /* change of v' per shift of q */
    double shift_per_rate = h * c->beta / c->gamma;
    for (int k = 0; k < w->model->column_count; ++k) {
        w->x[k] = -g->residual[k] / per_shift;
    }
    for (int k = 0; k < w->model->row_count; ++k) {
        w->y[k] = -w->C_dot[k] * shift_per_rate;
        w->C[k] += w->y[k]; /* where this correction takes the positions */
    }
    saddle_solve(g->newton->solver, w->x, w->y);
    double largest = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        body_rate move = increment(w, g, slot);
        int i = w->model->free_bodies[slot];
        g->v_dot[i] = rate_axpy(g->v_dot[i], per_shift, move);
        largest = max_or_nan(largest, size_of(w, move));
    }
    if (w->model->deform_count > 0) {
        columns_to_deformation(w->model, per_shift, w->x, g->q_ddot);
        largest = max_or_nan(largest, columns_size(w->model, w->x));
    }
    for (int k = 0; k < w->model->row_count; ++k) {
        g->sigma[k] += per_shift * w->y[k];
    }
    return largest;
}

/* The shift that puts positions onto the constraints; returns the size of its change. */
static double correct_shift(carom_scratch *w, alpha_work *g)
{
    memset(w->x, 0, (size_t)w->model->column_count * sizeof *w->x);
    for (int k = 0; k < w->model->row_count; ++k) {
        w->y[k] = -w->C[k];
    }
    saddle_solve(g->newton->solver, w->x, w->y);
    double largest = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        body_rate move = increment(w, g, slot);
        int i = w->model->free_bodies[slot];
        g->shift[i] = rate_axpy(g->shift[i], 1.0, move);
        largest = max_or_nan(largest, size_of(w, move));
    }
    if (w->model->deform_count > 0) {
        columns_to_deformation(w->model, 1.0, w->x, g->q_shift);
        largest = max_or_nan(largest, columns_size(w->model, w->x));
    }
    return largest;
}

/* Rates of what is integrated along, from what they came out as; the size of the correction in metres, as part of the model's length. */
static double correct_integrals(carom_scratch *w, alpha_work *g, double h, const coefficients *c)
{
    const double per_rate = h * c->gamma * (1.0 - c->af) / (1.0 - c->am);
    double *change = w->integrals.x;
    for (int k = 0; k < w->model->integral_count; ++k) {
        change[k] = w->z_dot[k] - g->z_dot[k];
    }
    integrals_solve(w, per_rate);
    for (int k = 0; k < w->model->integral_count; ++k) {
        g->z_dot[k] += change[k];
        change[k] *= per_rate;
    }
    return w->model->length_scale * integrals_size(w->model, g->at.z, change);
}

/* One Newton step; the size of the correction in metres. */
static double correct(carom_scratch *w, const carom_state *s, alpha_work *g, double h, const coefficients *c)
{
    double start = carom_clock_wall();
    double size = FORCE_WEIGHT * correct_accelerations(w, g, h, c);
    if (w->model->row_count > 0) {
        size = max_or_nan(size, correct_shift(w, g));
    }
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        follow(s, g, w->model->free_bodies[slot], h, c);
    }
    follow_deformation(w, s, g, h, c);
    size = max_or_nan(size, correct_integrals(w, g, h, c));
    follow_integrals(w, s, g, h, c);
    w->counters.seconds_solve += carom_clock_wall() - start;
    return size;
}

/* How far from the solution of the step's equations the iterate may stay. */
static double newton_tolerance(const carom_scratch *w, const alpha_work *g, const integrator_settings *settings)
{
    double rounding = project_tolerance(w);
    for (int slot = 0; slot < w->model->free_count; ++slot) { /* a large turn has its own last digit */
        double turn = v3_norm(g->theta[w->model->free_bodies[slot]]);
        rounding = fmax(rounding, 16.0 * FORCE_WEIGHT * DBL_EPSILON * turn * w->model->length_scale);
    }
    double relative = settings->adaptive ? 1e-3 * settings->tolerance * w->model->length_scale : 0.0;
    return fmax(rounding, fmin(relative, 1e-10 * w->model->length_scale));
}

static carom_status factor_tangent(carom_scratch *w, alpha_work *g, double h, const coefficients *c, carom_error *err)
{
    double start = carom_clock_wall();
    double per_shift = (1.0 - c->am) / (h * h * c->beta * (1.0 - c->af));
    integrals_linearise(w);
    carom_status status = tangent_factor(g->newton, w, 1.0 / per_shift, c->gamma / (h * c->beta * per_shift), err);
    w->counters.seconds_solve += carom_clock_wall() - start;
    return status;
}

/* One attempt at a step. */
typedef struct step_try {
    double t; /* [s] at its end */
    double h;
    coefficients c;
    double tolerance; /* [m] of the iterate */
    int limit;        /* of iterations */
} step_try;

/* Corrections may vanish with a constraint still open: when constraints contradict each other. */
static carom_status check_closed(carom_scratch *w, const alpha_work *g, const step_try *try, carom_error *err)
{
    double open = saddle_residual(g->newton->solver);
    project_note_loose(w, open, try->tolerance);
    if (open <= fmax(1e3 * try->tolerance, 1e-9 * w->model->length_scale)) {
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_NOT_CONVERGED,
                      "constraints contradict each other at t = %.6g s: no position is nearer to all than %.3g",
                      try->t, open);
}

static carom_status newton(carom_scratch *w, const carom_state *s, alpha_work *g, const step_try *try,
                           int *iterations, carom_error *err)
{
    const double slow = 0.3; /* contraction at which a new matrix costs less than more iterations */
    double last = HUGE_VAL;
    bool renew = true;
    for (int k = 0; k < try->limit; ++k) {
        balance_evaluate(w, try->t, g->at, (motion_rates){ g->v_dot, g->q_ddot }, g->sigma, g->residual);
        carom_status status = work_may_go_on(w, err);
        if (status == CAROM_OK && renew) {
            status = factor_tangent(w, g, try->h, &try->c, err);
        }
        if (status != CAROM_OK) {
            return status;
        }
        double size = correct(w, s, g, try->h, &try->c);
        ++*iterations;
        if (!isfinite(size)) {
            break;
        }
        double contraction = isfinite(last) ? size / last : 1.0;
        bool nearly = contraction < slow && contraction / (1.0 - contraction) * size <= try->tolerance;
        if (size <= try->tolerance || nearly) {
            return check_closed(w, g, try, err);
        }
        renew = k >= 2 && contraction > slow && contraction < 1.0;
        last = size;
    }
    return carom_fail(err, CAROM_NOT_CONVERGED, "Newton's method did not converge at t = %.6g s with step %.3g s",
                      try->t, try->h);
}

static void commit_deformation(carom_scratch *w, carom_state *s, const alpha_work *g, double h)
{
    bool long_enough = h > 0.01 * *s->last_step;
    for (int k = 0; k < w->model->deform_count; ++k) {
        s->q_jerk[k] = long_enough ? (g->q_ddot[k] - s->q_ddot[k]) / h : s->q_jerk[k];
        s->q_history[k] = g->q_a1[k];
        w->q_ddot[k] = g->q_ddot[k];
    }
}

static void commit_integrals(carom_scratch *w, carom_state *s, const alpha_work *g, double h)
{
    bool long_enough = h > 0.01 * *s->last_step;
    for (int k = 0; k < w->model->integral_count; ++k) {
        s->z_jerk[k] = long_enough ? (g->z_dot[k] - s->z_dot[k]) / h : s->z_jerk[k];
        s->z_history[k] = g->z_a1[k];
        w->z_dot[k] = g->z_dot[k];
    }
}

static void commit(carom_scratch *w, carom_state *s, alpha_work *g, double h)
{
    ledger_sums before = *s->power;
    commit_deformation(w, s, g, h);
    commit_integrals(w, s, g, h);
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->model->bodies[i].slot >= 0) {
            if (h > 0.01 * *s->last_step) { /* over a much shorter step the difference is mostly rounding */
                s->jerk[i] = rate_scale(1.0 / h, rate_axpy(g->v_dot[i], -1.0, s->acceleration[i]));
            }
            s->history[i] = g->a1[i];
            w->acceleration[i] = g->v_dot[i];
        } else {
            w->acceleration[i] = w->prescribed[i];
        }
    }
    saddle_least_norm(g->newton->solver, g->sigma); /* else the open part would wander from step to step */
    memcpy(w->sigma, g->sigma, (size_t)w->model->row_count * sizeof *w->sigma);
    work_count_reactions(w);
    integrator_commit(w, s, *s->time + h, g->at);
    integrator_add_sums(s, &before, s->power, h); /* as accurate as the method */
}

static double heaviest(const carom_model *model)
{
    double mass = 0.0;
    for (int slot = 0; slot < model->free_count; ++slot) {
        mass = fmax(mass, model->bodies[model->free_bodies[slot]].mass);
    }
    return mass;
}

/* What velocities of a body count, squared. Watching energy, as the speed of the heaviest body with the same energy; the lightest count a
 * millionth of it, else nobody would watch them. */
static double watched_part(const model_body *body, int watch, double heaviest_mass)
{
    return watch == WATCH_ENERGY ? fmax(body->mass / heaviest_mass, 1e-6) : watch == WATCH_POSITIONS ? 0.0 : 1.0;
}

/* The size of a change of velocity, rotation by the radius of gyration. */
static double velocity_norm(const model_body *body, body_rate v, int watch, double heaviest_mass)
{
    double weight = watched_part(body, watch, heaviest_mass);
    double gyration2 = m3_trace(body->inertia_b) / body->mass; /* [m^2] */
    return sqrt(weight * (v3_norm2(v.v_w) + gyration2 * v3_norm2(v.omega_w)));
}

/* The same for deformation coordinates, as displacements of the points that they move most. The share of a body in the energy is
 * taken for that of its deformation. */
static double deformation_error(const carom_scratch *w, const carom_state *s, const alpha_work *g, double h,
                                int watch, double heaviest_mass, double speed)
{
    double worst = 0.0;
    for (int slot = 0; slot < w->model->free_count && w->model->deform_count > 0; ++slot) {
        const model_body *b = &w->model->bodies[w->model->free_bodies[slot]];
        double weight = sqrt(watched_part(b, watch, heaviest_mass));
        for (int k = 0; k < body_coordinate_count(b); ++k) {
            int c = b->first_deform + k;
            double moved = h * h * coordinate_size(b, k, g->q_a1[c] - g->q_a0[c]) / w->model->length_scale;
            double jump = g->q_ddot[c] - s->q_ddot[c] - h * s->q_jerk[c];
            double sped = h * weight * coordinate_size(b, k, jump) / speed;
            worst = max_or_nan(worst, max_or_nan(moved, sped));
        }
    }
    return worst;
}

/* The same for what is integrated along, by the change of its rate. */
static double integrals_error(const carom_scratch *w, const carom_state *s, const alpha_work *g, double h)
{
    double *jump = w->integrals.x;
    for (int k = 0; k < w->model->integral_count; ++k) {
        jump[k] = h * (g->z_dot[k] - s->z_dot[k] - h * s->z_jerk[k]);
    }
    return integrals_size(w->model, g->at.z, jump);
}

/* Local error, 1 being the tolerance: of positions from the change of the algorithmic acceleration; of velocities from
 * the change of the jerk, against the fastest motion. Where forces act along short ways, as in contact, only the latter
 * sees them. */
static double local_error(const carom_scratch *w, const carom_state *s, const alpha_work *g, double h, int watch,
                          double tolerance)
{
    const double third_order = 1.0 / 12.0; /* leading error of the trapezoidal rule */
    speed_scale speed = integrator_speed_scale(w, rates_of(g->at));
    double mass = heaviest(w->model);
    double worst = 0.0;
    double L = w->model->length_scale;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        body_rate da = rate_axpy(g->a1[i], -1.0, g->a0[i]);
        double moved = h * h * max_or_nan(v3_norm(da.v_w) / L, v3_norm(da.omega_w));
        body_rate jump = rate_axpy(rate_axpy(g->v_dot[i], -1.0, s->acceleration[i]), -h, s->jerk[i]);
        double sped = h * velocity_norm(&w->model->bodies[i], jump, watch, mass) / speed.linear;
        worst = max_or_nan(worst, third_order * max_or_nan(moved, sped));
    }
    worst = max_or_nan(worst, third_order * deformation_error(w, s, g, h, watch, mass, speed.linear));
    worst = max_or_nan(worst, third_order * integrals_error(w, s, g, h));
    return worst / tolerance;
}

/* Below this part of the usual step the implicit equations would divide rounding by h; Taylor's formula is exact. */
static const double SLIVER = 1e-6;

/* A step as short as events leave: two terms of Taylor's series, then onto the constraints. */
static carom_status sliver_step(carom_scratch *w, carom_state *s, alpha_work *g, double h, const coefficients *c,
                                carom_error *err)
{
    ledger_sums before = *s->power;
    double t = *s->time + h;
    explicit_move(w, s, g, h);
    carom_status status = project_onto_constraints(w, t, g->at, false, err);
    if (status == CAROM_OK) {
        status = work_evaluate(w, t, g->at, err);
    }
    if (status == CAROM_OK) {
        status = integrator_check_finite(w, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        s->history[i] = rate_axpy(w->acceleration[i], c->offset * h, s->jerk[i]);
    }
    for (int k = 0; k < w->model->deform_count; ++k) {
        s->q_history[k] = w->q_ddot[k] + c->offset * h * s->q_jerk[k];
    }
    for (int k = 0; k < w->model->integral_count; ++k) {
        s->z_history[k] = w->z_dot[k] + c->offset * h * s->z_jerk[k];
    }
    integrator_commit(w, s, t, g->at);
    integrator_add_sums(s, &before, s->power, h);
    return CAROM_OK;
}

static carom_status alpha_step(carom_scratch *w, carom_state *s, double dt, const integrator_settings *settings,
                               const void *options, carom_step_report *report, carom_error *err)
{
    enum { MOST_HALVINGS = 30 };
    const alpha_options *o = options;
    alpha_work *g = NULL;
    carom_status status = alpha_get(w, &g, err);
    if (status != CAROM_OK) {
        return status;
    }
    coefficients c = coefficients_of(o->rho);
    integrator_load(w, s);
    if (dt < SLIVER * fmin(*s->step > 0.0 ? *s->step : settings->step, settings->step)) {
        return sliver_step(w, s, g, dt, &c, err);
    }
    double wanted = *s->step > 0.0 ? *s->step : settings->step;
    const size_t notes = w->findings.count;
    for (int halvings = 0; halvings < MOST_HALVINGS;) {
        double h = integrator_pick_step(fmin(wanted, settings->step), dt, settings->adaptive);
        bool capped = h >= dt;
        if (!capped && h < 1e-14 * fmax(fabs(*s->time), w->model->scene.time.end)) { /* time would stand still */
            break;
        }
        predict(w, s, g, h, &c);
        step_try try = { *s->time + h, h, c, newton_tolerance(w, g, settings), o->newton_limit };
        status = newton(w, s, g, &try, &report->iterations, err);
        double error = status == CAROM_OK && settings->adaptive
                           ? local_error(w, s, g, h, o->watch, settings->tolerance)
                           : 0.0;
        if (status != CAROM_OK && status != CAROM_NOT_CONVERGED) {
            return status;
        }
        if (status != CAROM_OK || !(error <= 1.0)) {
            report->rejected++;
            w->findings.count = notes;
            halvings += status != CAROM_OK;
            wanted = h * (status != CAROM_OK ? 0.5 : fmin(0.9, integrator_step_factor(error, 0.0, 2)));
            continue;
        }
        status = integrator_check_values(w, err);
        if (status != CAROM_OK) {
            return status;
        }
        commit(w, s, g, h);
        double next = settings->adaptive ? h * integrator_step_factor(error, *s->step_error, 2)
                      : halvings > 0     ? 2.0 * h
                                         : settings->step;
        *s->step = capped ? fmax(next, fmin(wanted, settings->step)) : next;
        *s->step_error = fmax(error, 1e-4);
        return CAROM_OK;
    }
    return integrator_gives_up(
        w, wanted,
        "look for a force or motion that jumps or has a pole there, for constraints that contradict "
        "each other, or a time.tolerance beyond rounding",
        err);
}

/* The algorithmic acceleration at the start and the rate of the true one, from a tiny trial motion. */
static carom_status alpha_start(carom_scratch *w, carom_state *s, const integrator_settings *settings,
                                const void *options, carom_error *err)
{
    const alpha_options *o = options;
    alpha_work *g = NULL;
    carom_status status = alpha_get(w, &g, err);
    if (status != CAROM_OK) {
        return status;
    }
    coefficients c = coefficients_of(o->rho);
    double h = settings->adaptive ? fmin(settings->step, 1e-3 * w->model->scene.time.end) : settings->step;
    double tiny = 1e-3 * h;
    explicit_move(w, s, g, tiny);
    integrator_load(w, s);
    status = work_evaluate(w, *s->time + tiny, g->at, err);
    for (int slot = 0; status == CAROM_OK && slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        s->jerk[i] = rate_scale(1.0 / tiny, rate_axpy(w->acceleration[i], -1.0, s->acceleration[i]));
        s->history[i] = rate_axpy(s->acceleration[i], c.offset * h, s->jerk[i]);
    }
    for (int k = 0; status == CAROM_OK && k < w->model->deform_count; ++k) {
        s->q_jerk[k] = (w->q_ddot[k] - s->q_ddot[k]) / tiny;
        s->q_history[k] = s->q_ddot[k] + c.offset * h * s->q_jerk[k];
    }
    for (int k = 0; status == CAROM_OK && k < w->model->integral_count; ++k) {
        s->z_jerk[k] = (w->z_dot[k] - s->z_dot[k]) / tiny;
        s->z_history[k] = s->z_dot[k] + c.offset * h * s->z_jerk[k];
    }
    *s->step = h;
    *s->last_step = h;
    return status;
}

const integrator_type integrator_generalized_alpha = {
    .kind = { .name = "generalized-alpha",
              .doc = "Lie-group generalised-alpha, stabilised index 3, order 2, implicit: robust for stiff forces "
                     "and "
                     "closed loops. The default.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .can_adapt = true,
    .check = alpha_check,
    .preset_step = { 0.02, 0.01, 0.002 },
    .preset_tolerance = { 1e-4, 1e-6, 1e-8 },
    .start = alpha_start,
    .step = alpha_step,
};
