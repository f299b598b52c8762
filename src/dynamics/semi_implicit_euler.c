/* Semi-implicit (symplectic) Euler with projection: velocities first, then positions with the new velocities, then
 * both onto the constraints. Order 1, one factorisation per step: for quick looks and as the yardstick peers use. */
#include "dynamics/integrator_list.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/project.h"

typedef struct euler_work {
    motion at;
} euler_work;

static carom_status euler_get(carom_scratch *w, euler_work **out, carom_error *err)
{
    if (!w->integrator) {
        euler_work *e = CAROM_ARENA_ARRAY(&w->arena, euler_work, 1);
        if (e) {
            e->at = motion_create(&w->arena, w->model);
        }
        if (w->arena.failed) {
            return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
        }
        w->integrator = e;
    }
    *out = w->integrator;
    return CAROM_OK;
}

static carom_status euler_step(carom_scratch *w, carom_state *s, double dt, const integrator_settings *settings,
                               const void *options, carom_step_report *report, carom_error *err)
{
    (void)options;
    (void)report;
    euler_work *e = NULL;
    carom_status status = euler_get(w, &e, err);
    if (status != CAROM_OK) {
        return status;
    }
    double h = integrator_pick_step(settings->step, dt, false);
    double t = *s->time + h;
    integrator_load(w, s);
    motion_copy(w->model, e->at, state_motion(s));
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        e->at.rate[i].v_w = v3_axpy(e->at.rate[i].v_w, h, s->acceleration[i].v_w);
        e->at.rate[i].omega_w = v3_axpy(e->at.rate[i].omega_w, h, s->acceleration[i].omega_w);
        e->at.pose[i] = pose_moved(e->at.pose[i], v3_scale(h, e->at.rate[i].v_w), v3_scale(h, e->at.rate[i].omega_w));
    }
    for (int k = 0; k < w->model->deform_count; ++k) {
        e->at.q_dot[k] += h * s->q_ddot[k];
        e->at.q[k] += h * e->at.q_dot[k];
    }
    for (int k = 0; k < w->model->integral_count; ++k) {
        e->at.z[k] += h * s->z_dot[k];
    }
    status = project_onto_constraints(w, t, e->at, false, err);
    if (status == CAROM_OK && w->model->row_count == 0) {
        work_place(w, t, e->at);
        status = work_factor(w, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    work_place(w, t, e->at);
    work_constraints(w);
    work_forces(w);
    status = work_may_go_on(w, err);
    if (status != CAROM_OK) {
        return status;
    }
    work_accelerations(w); /* velocities alone have changed: the factorisation serves */
    status = integrator_check_finite(w, err);
    if (status != CAROM_OK) {
        return status;
    }
    integrator_add_sums(s, s->power, &w->power, h);
    integrator_commit(w, s, t, e->at);
    *s->step = settings->step;
    return CAROM_OK;
}

static const carom_field fields[] = { { .name = NULL } };

const integrator_type integrator_semi_implicit_euler = {
    .kind = { .name = "semi-implicit-euler",
              .doc = "Semi-implicit Euler with projection onto the constraints: order 1, fixed step, cheap.",
              .fields = fields },
    .can_adapt = false,
    .preset_step = { 1e-3, 1e-4, 1e-5 },
    .preset_tolerance = { 0.0, 0.0, 0.0 },
    .stable = 2.0,
    .step = euler_step,
};
