/* Making and freeing the workspace. */
#include "dynamics/work.h"

#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/clock.h"
#include "dynamics/contact.h"
#include "dynamics/dense.h"
#include "model/method.h"

/* Coordinates cost time; they are evaluated where something depends on them. */
static void find_used_coordinates(carom_scratch *w)
{
    const carom_model *model = w->model;
    for (int j = 0; j < model->joint_count; ++j) {
        const model_joint *joint = &model->joints[j];
        w->uses_coordinates[j] = joint->driver_count > 0 || joint->spring_count > 0 || joint->limit_count > 0;
    }
    for (int k = 0; k < model->coupler_count; ++k) {
        w->uses_coordinates[model->couplers[k].joint[0]] = true;
        w->uses_coordinates[model->couplers[k].joint[1]] = true;
    }
    for (int i = 0; i < model->force_count; ++i) {
        if (model->forces[i].joint >= 0) {
            w->uses_coordinates[model->forces[i].joint] = true;
        }
    }
    for (int i = 0; i < model->value_count; ++i) {
        for (int k = 0; k < model->values[i].variable_count; ++k) {
            const signal_ref *ref = &model->values[i].variables[k];
            if (ref->source == SIGNAL_COORDINATE || ref->source == SIGNAL_COORDINATE_RATE) {
                w->uses_coordinates[ref->index] = true;
            }
        }
    }
}

static int find_variable(void *context, const char *name)
{
    const model_value *value = context;
    for (int k = 0; k < value->variable_count; ++k) {
        if (strcmp(value->variable_names[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

/* Each scratch parses its own copies, because a parser holds the numbers of its variables. */
static carom_status parse_expressions(carom_scratch *w, carom_error *err)
{
    for (int i = 0; i < w->model->value_count; ++i) {
        const model_value *value = &w->model->values[i];
        if (value->kind != CAROM_EXPRESSION) {
            continue;
        }
        w->expressions[i] = expr_create(value->text, find_variable, (void *)(uintptr_t)value, err);
        if (!w->expressions[i]) {
            return CAROM_NO_MEMORY;
        }
    }
    return CAROM_OK;
}

static void allocate(carom_scratch *w)
{
    const carom_model *m = w->model;
    carom_arena *arena = &w->arena;
    w->expressions = CAROM_ARENA_ARRAY(arena, expr *, m->value_count);
    w->pose = CAROM_ARENA_ARRAY(arena, body_pose, m->body_count);
    w->rate = CAROM_ARENA_ARRAY(arena, body_rate, m->body_count);
    w->q = CAROM_ARENA_ARRAY(arena, double, m->deform_count);
    w->q_dot = CAROM_ARENA_ARRAY(arena, double, m->deform_count);
    w->q_ddot = CAROM_ARENA_ARRAY(arena, double, m->deform_count);
    w->z = CAROM_ARENA_ARRAY(arena, double, m->integral_count);
    w->z_dot = CAROM_ARENA_ARRAY(arena, double, m->integral_count);
    w->integrals.x = CAROM_ARENA_ARRAY(arena, double, m->integral_count);
    w->integrals.jacobian = CAROM_ARENA_ARRAY(arena, double, m->integral_count * m->integral_count);
    w->integrals.matrix = CAROM_ARENA_ARRAY(arena, double, m->integral_count * m->integral_count);
    w->prescribed = CAROM_ARENA_ARRAY(arena, body_rate, m->body_count);
    w->R_w = CAROM_ARENA_ARRAY(arena, m3, m->body_count);
    w->J_w = CAROM_ARENA_ARRAY(arena, m3, m->body_count);
    w->body_clock = CAROM_ARENA_ARRAY(arena, motion_clock, m->body_count);
    w->driver_clock = CAROM_ARENA_ARRAY(arena, motion_clock, m->row_count);
    w->near = CAROM_ARENA_ARRAY(arena, double, m->coordinate_count);
    w->input = CAROM_ARENA_ARRAY(arena, double, m->input_count);
    w->happened = CAROM_ARENA_ARRAY(arena, double, m->event_count);
    w->coupler_offset = CAROM_ARENA_ARRAY(arena, double, m->coupler_count);
    w->uses_coordinates = CAROM_ARENA_ARRAY(arena, bool, m->joint_count);
    w->frames = CAROM_ARENA_ARRAY(arena, carom_joint_frames, m->joint_count);
    w->rows = CAROM_ARENA_ARRAY(arena, carom_joint_rows, m->joint_count);
    w->coordinate_rows = CAROM_ARENA_ARRAY(arena, carom_joint_rows, m->joint_count);
    w->coordinate = CAROM_ARENA_ARRAY(arena, double, m->coordinate_count);
    w->coordinate_rate = CAROM_ARENA_ARRAY(arena, double, m->coordinate_count);
    w->coordinate_jdot_v = CAROM_ARENA_ARRAY(arena, double, m->coordinate_count);
    w->driver = carom_arena_array(arena, (size_t)m->row_count, sizeof *w->driver);
    w->C = CAROM_ARENA_ARRAY(arena, double, m->row_count);
    w->C_dot = CAROM_ARENA_ARRAY(arena, double, m->row_count);
    w->gamma = CAROM_ARENA_ARRAY(arena, double, m->row_count);
    w->force_frames = CAROM_ARENA_ARRAY(arena, carom_force_frames, m->force_count);
    w->effects = CAROM_ARENA_ARRAY(arena, carom_force_effect, m->force_count);
    w->measures = CAROM_ARENA_ARRAY(arena, double, m->force_count *FORCE_MEASURES);
    w->f = CAROM_ARENA_ARRAY(arena, double, m->column_count);
    w->x = CAROM_ARENA_ARRAY(arena, double, m->column_count);
    w->row_columns = CAROM_ARENA_ARRAY(arena, double, m->deform_count);
    w->row_order = CAROM_ARENA_ARRAY(arena, int, m->row_count);
    w->y = CAROM_ARENA_ARRAY(arena, double, m->row_count);
    w->acceleration = CAROM_ARENA_ARRAY(arena, body_rate, m->body_count);
    w->sigma = CAROM_ARENA_ARRAY(arena, double, m->row_count);
    w->dense = dense_create(arena, m);
    w->mass = CAROM_ARENA_ARRAY(arena, double *, m->free_count);
    for (int slot = 0; w->mass && slot < m->free_count; ++slot) {
        const model_body *b = &m->bodies[m->free_bodies[slot]];
        w->mass[slot] = body_deforms(b) ? CAROM_ARENA_ARRAY(arena, double, b->width * b->width) : NULL;
    }
    w->trial = motion_create(arena, m);
    w->damping = CAROM_ARENA_ARRAY(arena, double, m->deform_count);
    w->nodal_force = CAROM_ARENA_ARRAY(arena, double, m->nodal_count > 0 ? m->deform_count : 0);
    w->nodal = CAROM_ARENA_ARRAY(arena, nodal_work *, m->nodal_count);
}

carom_status scratch_check(const char *function, const carom_model *model, const carom_scratch *scratch,
                           carom_error *err)
{
    carom_status status = argument_given(function, "scratch", scratch, err);
    return status != CAROM_OK || scratch->model == model
               ? status
               : carom_fail(err, CAROM_BAD_INPUT,
                            "%s: 'scratch' belongs to another model; make one with carom_scratch_create(model)",
                            function);
}

carom_status work_check(const char *function, const carom_model *model, const carom_state *state,
                        const carom_scratch *scratch, carom_error *err)
{
    if (model && state && scratch && scratch->model == model && state_fits(model, state)) {
        return CAROM_OK; /* before every step: no list is made of what is not missing */
    }
    carom_status status = state_check(function, model, state, err);
    return status == CAROM_OK ? scratch_check(function, model, scratch, err) : status;
}

static carom_status check_create(const carom_model *model, int threads, carom_scratch **out, carom_error *err)
{
    const argument needed[] = { { "model", model }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given("carom_scratch_create", needed, 2, err);
    return status == CAROM_OK ? argument_threads("carom_scratch_create", threads, err) : status;
}

carom_status carom_scratch_create(const carom_model *model, int threads, carom_scratch **out, carom_error *err)
{
    carom_status status = check_create(model, threads, out, err);
    if (status != CAROM_OK) {
        return status;
    }
    carom_scratch *w = calloc(1, sizeof *w);
    if (!w) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    w->model = model;
    model_keep(model);
    w->threads = threads < 1 ? 1 : threads;
    w->latest = HUGE_VAL;
    w->stopped_by = CAROM_NONE;
    allocate(w);
    saddle_layout layout;
    status = w->arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory")
                             : work_layout(w, &w->arena, &layout, err);
    if (status == CAROM_OK) {
        status = saddle_create(&w->kkt, &layout, err);
    }
    if (status == CAROM_OK) {
        status = parse_expressions(w, err);
    }
    if (status != CAROM_OK) {
        carom_scratch_destroy(w);
        return status;
    }
    find_used_coordinates(w);
    for (int k = 0; k < model->nodal_count && status == CAROM_OK; ++k) {
        status = nodal_work_create(&w->nodal[k], model->nodal[k].nodes, err);
    }
    if (status != CAROM_OK) {
        carom_scratch_destroy(w);
        return status;
    }
    const contact_forces *forces = model->method->forces;
    status = forces ? forces->create(&w->contact, model, err) : CAROM_OK;
    if (status != CAROM_OK) {
        carom_scratch_destroy(w);
        return status;
    }
    *out = w;
    return CAROM_OK;
}

void carom_scratch_watch(carom_scratch *w, carom_keep_going keep_going, void *context)
{
    if (!w) {
        return;
    }
    w->stop = (carom_stop){ .keep_going = keep_going, .context = context, .last_call = carom_clock_wall() };
}

void carom_scratch_destroy(carom_scratch *w)
{
    if (!w) {
        return;
    }
    for (int k = 0; w->nodal && k < w->model->nodal_count; ++k) {
        nodal_work_destroy(w->nodal[k]);
    }
    for (int i = 0; w->expressions && i < w->model->value_count; ++i) {
        if (w->expressions[i]) {
            expr_destroy(w->expressions[i]);
        }
    }
    if (w->integrator_free) {
        w->integrator_free(w->integrator);
    }
    if (w->contact) {
        w->model->method->forces->destroy(w->contact);
    }
    carom_scratch_destroy(w->eyes);
    carom_state_destroy(w->before);
    carom_state_destroy(w->given);
    free(w->kept.data);
    free(w->kept.records.items);
    if (w->watch_free) {
        w->watch_free(w->watch);
    }
    free(w->contacts);
    free(w->events.items);
    free(w->findings.items);
    saddle_destroy(w->kkt);
    carom_arena_free(&w->arena);
    carom_model_destroy((carom_model *)(uintptr_t)w->model); /* its share */
    free(w);
}
