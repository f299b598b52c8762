/* Static equilibrium by pseudo-transient continuation [Kelley1998]: implicit steps from rest, each beginning without velocity,
 *
 *     (M + tau^2 K) dx + J^T y = tau^2 f,    J dx = -C,
 *
 * which are Newton's method for large tau and follow the forces downhill for small ones, so that stable equilibria attract. K has the tangents of
 * elements and bodies that deform; what it lacks, as the stiffness that weight gives a pendulum, bounds tau: it grows while the forces that
 * are left point along the last step, and shrinks when they point back. */
#include "dynamics/rest.h"

#include <math.h>
#include <string.h>

#include "dynamics/columns.h"
#include "dynamics/integrator.h"
#include "dynamics/project.h"
#include "dynamics/tangent.h"

static const double CLOSE = 1e-11; /* of the accelerations at the start: what is left of them in equilibrium */

/* Largest acceleration of bodies and of their deformation [m/s^2], joints kept. */
static double unbalanced(const carom_scratch *w)
{
    const carom_model *m = w->model;
    double most = 0.0;
    for (int slot = 0; slot < m->free_count; ++slot) {
        const body_rate *a = &w->acceleration[m->free_bodies[slot]];
        most = max_or_nan(most, v3_norm(a->v_w) + m->length_scale * v3_norm(a->omega_w));
    }
    return max_or_nan(most, deformation_size(m, w->q_ddot));
}

/* [m] how far the columns in w->x move a body at most. */
static double move_size(const carom_scratch *w)
{
    const carom_model *m = w->model;
    double most = 0.0;
    for (int slot = 0; slot < m->free_count; ++slot) {
        const double *x = w->x + m->bodies[m->free_bodies[slot]].column;
        most = max_or_nan(most, v3_norm(v3_load(x)) + m->length_scale * v3_norm(v3_load(x + 3)));
    }
    return m->deform_count > 0 ? max_or_nan(most, columns_size(m, w->x)) : most;
}

static carom_status refuse_motion(const carom_scratch *w, carom_error *err)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        const body_rate *r = &w->rate[i];
        if (v3_norm(r->v_w) > 0.0 || v3_norm(r->omega_w) > 0.0) {
            return carom_fail(
                err, CAROM_IMPOSSIBLE,
                "'initial' is 'static', and body '%.100s' starts with a velocity; take one of them away",
                w->model->bodies[i].name);
        }
    }
    return CAROM_OK;
}

static carom_status refuse_nodes(const carom_model *m, carom_error *err)
{
    return carom_fail(
        err, CAROM_IMPOSSIBLE,
        "'initial' is 'static', which body '%.100s' in nodal coordinates cannot start with; write \"as\": "
        "\"modes\" or \"zone\"",
        m->bodies[m->nodal[0].body].name);
}

static carom_status give_up(const carom_scratch *w, double left, double first, carom_error *err)
{
    int worst = 0;
    double most = -1.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        double a = v3_norm(w->acceleration[i].v_w);
        worst = a > most ? i : worst;
        most = fmax(most, a);
    }
    return carom_fail(err, CAROM_IMPOSSIBLE,
                      "'initial' is 'static', and no equilibrium was found: accelerations of %.3g m/s^2 have become "
                      "%.3g, those of body '%.100s' first; hold it by a joint or a spring, or start as drawn",
                      first, left, w->model->bodies[worst].name);
}

/* The move in w->x becomes the last one. */
static void keep_move(carom_scratch *w)
{
    const carom_model *m = w->model;
    for (int slot = 0; slot < m->free_count; ++slot) {
        int i = m->free_bodies[slot];
        const double *x = w->x + m->bodies[i].column;
        w->trial.rate[i] = (body_rate){ v3_load(x), v3_load(x + 3) };
    }
    memset(w->trial.q_dot, 0, (size_t)m->deform_count * sizeof *w->trial.q_dot);
    columns_to_deformation(m, 1.0, w->x, w->trial.q_dot);
}

/* Whether the forces that are left, joints kept, would go on with the last move. */
static bool goes_on(const carom_scratch *w)
{
    const motion_rates forces = { w->acceleration, w->q_ddot };
    return work_mass_product(w, forces, rates_of(w->trial)) > 0.0;
}

static double longest_move(const carom_model *m)
{
    return 0.1 * m->length_scale;
}

/* One step with tau^2; *moved [m] without what is cut from it. */
static carom_status relax(carom_scratch *w, tangent *t, motion at, double tau2, double *moved, carom_error *err)
{
    const carom_model *m = w->model;
    const double most = longest_move(m);
    double closed;
    carom_status status = tangent_factor(t, w, tau2, 0.0, err);
    if (status != CAROM_OK) {
        return status;
    }
    for (int k = 0; k < m->column_count; ++k) {
        w->x[k] = tau2 * w->f[k];
    }
    for (int k = 0; k < m->row_count; ++k) {
        w->y[k] = -w->C[k];
    }
    saddle_solve(t->solver, w->x, w->y);
    *moved = move_size(w);
    if (!isfinite(*moved)) {
        return CAROM_OK; /* nothing holds: the search ends */
    }
    keep_move(w);
    project_move(w, *moved > most ? most / *moved : 1.0, at);
    return project_positions(w, w->t, at, false, &closed, err);
}

/* For tau^2: back where the last move went too far; a move that was cut [m] is made again as long. */
static double next_factor(const carom_scratch *w, double moved)
{
    bool cut = moved > longest_move(w->model);
    return moved == 0.0 ? 1.0 : !goes_on(w) ? 0.3 : cut ? 1.0 : 2.0;
}

static carom_status search(carom_scratch *w, carom_state *s, tangent *t, carom_error *err)
{
    enum { MOST_STEPS = 5000 };
    const motion at = state_motion(s);
    double first = 0.0, left = 0.0, moved = HUGE_VAL, tau2 = 0.0, start = 0.0;
    for (int k = 0; k < MOST_STEPS; ++k) {
        carom_status status = work_evaluate(w, *s->time, at, err);
        status = status == CAROM_OK ? integrator_check_finite(w, err) : status;
        if (status != CAROM_OK) {
            return status;
        }
        left = unbalanced(w);
        if (k == 0) {
            first = left;
            start = tau2 = first > 0.0 ? w->model->length_scale / first : 0.0;
        }
        if (left <= CLOSE * first || (moved <= project_tolerance(w) && tau2 >= start)) {
            return CAROM_OK;
        }
        if (!isfinite(moved) && k > 0) {
            break;
        }
        tau2 *= next_factor(w, k > 0 ? moved : 0.0);
        status = relax(w, t, at, tau2, &moved, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return give_up(w, left, first, err);
}

carom_status rest_find(carom_scratch *w, carom_state *s, carom_error *err)
{
    tangent *t = NULL;
    integrator_load(w, s);
    work_place(w, *s->time, state_motion(s));
    carom_status status = w->model->nodal_count > 0 ? refuse_nodes(w->model, err) : refuse_motion(w, err);
    status = status == CAROM_OK ? tangent_create(&t, w, err) : status;
    status = status == CAROM_OK ? search(w, s, t, err) : status;
    tangent_destroy(t);
    return status;
}
