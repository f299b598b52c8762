/* Starts of joint coordinates.
 *
 * A joint whose removal parts the mechanism carries one side along as a rigid whole, so that all other coordinates stay as
 * they are drawn; rates likewise (start_rates.h). Where a joint is part of a loop, or a gear couples it, its coordinate is driven
 * from the drawing to its start in small steps, so that the loop stays on the branch it is drawn on, and the other bodies
 * follow by least motion. For that the model is copied with the starts as drivers. */
#include "dynamics/starts.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/assemble.h"
#include "dynamics/integrator.h"
#include "dynamics/start_joint.h"
#include "dynamics/start_rates.h"
#include "model/compile.h"
#include "model/method.h"

static const double LARGEST_PART = 0.1; /* [rad], and of the length scale: what a coordinate is driven by at once */

/* ---- positions of what one joint carries ---------------------------------------------------------------------------- */

static void turn_side(const joint_graph *g, int center, const double d[FRAME_COLUMNS], body_pose *pose)
{
    v3 middle = pose[center].x_w;
    v3 theta = v3_load(d + 3);
    quat turn = so3_exp(theta);
    for (int i = 1; i < g->model->body_count; ++i) {
        if (g->moving[i]) {
            v3 arm = v3_sub(pose[i].x_w, middle);
            pose[i].x_w = v3_add(v3_add(middle, v3_load(d)), q_rotate(turn, arm));
            pose[i].q_wb = q_unit(q_mul(turn, pose[i].q_wb));
        }
    }
}

/* What is left to the wanted coordinates and of the joint's gap, cut to what one linear step may do; the largest part. */
static double fill_distance(const model_joint *joint, const carom_joint_frames *frames, const double *wanted,
                            double length, start_rows *c)
{
    int equations = joint->type->equation_count;
    double q[JOINT_COORDINATES];
    double largest = 0.0;
    double furthest = 0.0;
    if (equations > 0) {
        joint->type->residual(c->value, frames, joint->params);
    }
    joint->type->coordinate(q, frames, joint->params);
    for (int k = 0; k < c->count; ++k) {
        c->value[k] = k < equations ? -c->value[k] : wanted[k - equations] - q[k - equations];
        largest = fmax(largest, fabs(c->value[k]));
        bool turns = k >= equations && joint->type->coordinates[k - equations].angle;
        furthest = turns ? fmax(furthest, fabs(c->value[k])) : furthest;
    }
    double factor = furthest > 3.0 * LARGEST_PART ? 3.0 * LARGEST_PART / furthest : 1.0;
    for (int k = 0; k < c->count; ++k) {
        c->value[k] *= factor;
    }
    return largest / fmax(length, 1.0);
}

/* Turns and shifts the carried side until the joint has its values. What does not converge is left to assembly. */
static void carry_positions(carom_scratch *w, carom_state *s, const joint_graph *g, int index, int side)
{
    enum { MOST = 20000 };
    const model_joint *joint = &w->model->joints[index];
    double *near = s->near + joint->first_coordinate;
    double wanted[JOINT_COORDINATES] = { 0 };
    carom_joint_frames frames = start_frames(w->model, joint, state_motion(s), s->near);
    joint->type->coordinate(wanted, &frames, joint->params);
    for (int k = 0; k < joint->start_count; ++k) {
        const model_joint_start *start = &joint->starts[k];
        wanted[start->coordinate] = isnan(start->value) ? wanted[start->coordinate] : start->value;
    }
    for (int n = 0; n < MOST; ++n) {
        double d[FRAME_COLUMNS];
        frames = start_frames(w->model, joint, state_motion(s), s->near);
        start_rows c = start_conditions(joint, &frames, side);
        if (fill_distance(joint, &frames, wanted, w->model->length_scale, &c) < 1e-15) {
            break;
        }
        start_solve(&c, w->model->length_scale, d);
        turn_side(g, joint->body[side], d, s->pose);
        frames = start_frames(w->model, joint, state_motion(s), s->near);
        double before[JOINT_COORDINATES];
        memcpy(before, near, sizeof *near * (size_t)joint->type->coordinate_count);
        joint->type->coordinate(near, &frames, joint->params);
        if (n > 50 && memcmp(before, near, sizeof *near * (size_t)joint->type->coordinate_count) == 0) {
            break; /* rounding */
        }
    }
}

/* ---- loops: a copy of the model in which starts are drivers ------------------------------------------------------------ */

typedef struct start_view {
    carom_model model;
    carom_state *state;
    carom_scratch *scratch;
    int count;
    struct {
        int value;      /* of the copy: the driver's number */
        int coordinate; /* among all */
        bool angle;
        double from, to;
    } driven[]; /* start_total */
} start_view;

static int count_starts(const carom_model *model)
{
    int count = 0;
    for (int j = 0; j < model->joint_count; ++j) {
        count += model->joints[j].start_count;
    }
    return count;
}

/* A driver for one start: where the coordinate is, to be moved from there, or a motion through it at the start's rate. */
static carom_status add_driver(start_view *v, model_joint *joint, const model_joint_start *start, bool rates,
                               const double *now, carom_error *err)
{
    int coordinate = joint->first_coordinate + start->coordinate;
    carom_value value = carom_value_number(now[coordinate]);
    value_request request = { .value = &value, .force = -1, .time_only = true, .what = "a start" };
    int index = 0;
    carom_status status = compile_value(&v->model, &request, &index, err);
    if (status == CAROM_OK) {
        int k = joint->driver_count++;
        v->model.values[index].rate = rates ? start->rate : 0.0;
        joint->drivers[k].coordinate = start->coordinate;
        joint->drivers[k].value = index;
        joint->drivers[k].is_start = true;
        v->driven[v->count].value = index;
        v->driven[v->count].coordinate = coordinate;
        v->driven[v->count].angle = joint->type->coordinates[start->coordinate].angle;
        v->driven[v->count].from = now[coordinate];
        v->driven[v->count++].to = start->value;
    }
    return status;
}

static void number_rows(carom_model *model)
{
    model->row_count = 0;
    for (int j = 0; j < model->joint_count; ++j) {
        model->joints[j].first_row = model->row_count;
        model->row_count += model->joints[j].type->equation_count + model->joints[j].driver_count;
    }
    for (int k = 0; k < model->coupler_count; ++k) {
        model->couplers[k].row = model->row_count++;
    }
}

/* A copy without contact, whose joints and gears may be changed. Its arena is freed by the caller. */
static carom_status copy_mechanism(carom_model *copy, const carom_model *model, carom_error *err)
{
    memcpy(copy, model, sizeof *model);
    atomic_init(&copy->owners, 1);
    copy->arena = (carom_arena){ 0 };
    copy->method = carom_method_find("none");
    copy->collider_count = 0;
    copy->joints = carom_arena_copy(&copy->arena, model->joints, (size_t)model->joint_count * sizeof *model->joints);
    copy->couplers = carom_arena_copy(&copy->arena, model->couplers,
                                      (size_t)(model->coupler_count + 1) * sizeof *model->couplers);
    copy->value_capacity = model->value_count; /* the next one gets room of the copy's own */
    return compile_check_memory(copy, err);
}

static carom_status copy_model(start_view *v, const carom_model *model, bool rates, const double *now,
                               carom_error *err)
{
    carom_status status = copy_mechanism(&v->model, model, err);
    for (int j = 0; j < model->joint_count && status == CAROM_OK; ++j) {
        for (int k = 0; k < model->joints[j].start_count && status == CAROM_OK; ++k) {
            const model_joint_start *start = &model->joints[j].starts[k];
            bool given = !isnan(rates ? start->rate : start->value);
            status = given ? add_driver(v, &v->model.joints[j], start, rates, now, err) : CAROM_OK;
        }
    }
    number_rows(&v->model);
    return status;
}

static void view_destroy(start_view *v)
{
    if (v) {
        carom_scratch_destroy(v->scratch);
        carom_state_destroy(v->state);
        carom_arena_free(&v->model.arena);
        free(v);
    }
}

/* With poses, velocities, turns and gears of the state; drivers hold the coordinates where they are. */
static carom_status view_create(start_view **out, carom_scratch *w, const carom_state *s, bool rates,
                                carom_error *err)
{
    const carom_model *model = w->model;
    start_view *v = calloc(1, sizeof *v + (size_t)count_starts(model) * sizeof v->driven[0]);
    *out = v;
    if (!v) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    work_all_coordinates(w);
    carom_status status = copy_model(v, model, rates, w->coordinate, err);
    v->state = status == CAROM_OK ? carom_state_create(&v->model) : NULL;
    if (status == CAROM_OK && !v->state) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    status = status == CAROM_OK ? carom_scratch_create(&v->model, w->threads, &v->scratch, err) : status;
    if (status == CAROM_OK) {
        *v->state->time = *s->time;
        motion_copy(model, state_motion(v->state), state_motion(s));
        memcpy(v->state->near, s->near, (size_t)model->coordinate_count * sizeof *s->near);
        memcpy(v->state->coupler_offset, s->coupler_offset, (size_t)model->coupler_count * sizeof *s->coupler_offset);
        integrator_load(v->scratch, v->state);
    }
    return status;
}

/* Into how many parts the way from the drawing to the starts is cut. */
static int count_parts(const start_view *v)
{
    enum { MOST = 10000 };
    double most = 1.0;
    for (int k = 0; k < v->count; ++k) {
        double whole = LARGEST_PART * (v->driven[k].angle ? 1.0 : v->model.length_scale);
        most = fmax(most, ceil(fabs(v->driven[k].to - v->driven[k].from) / whole));
    }
    return (int)fmin(most, MOST);
}

static bool has_value(const model_joint *joint, int coordinate)
{
    bool found = false;
    for (int k = 0; k < joint->start_count && !found; ++k) {
        found = joint->starts[k].coordinate == coordinate && !isnan(joint->starts[k].value);
    }
    return found;
}

/* Where both coordinates of a gear have starts, these decide how its wheels mesh. */
static void mesh_gears(const carom_model *model, carom_state *s)
{
    for (int k = 0; k < model->coupler_count; ++k) {
        const model_coupler *c = &model->couplers[k];
        const model_joint *first = &model->joints[c->joint[0]];
        const model_joint *second = &model->joints[c->joint[1]];
        if (has_value(first, c->coordinate[0]) && has_value(second, c->coordinate[1])) {
            s->coupler_offset[k] = c->ratio * s->near[first->first_coordinate + c->coordinate[0]] +
                                   s->near[second->first_coordinate + c->coordinate[1]];
        }
    }
}

/* What assembly says, with the reason why it was asked. */
static carom_status no_such_start(carom_status status, carom_error *err)
{
    char message[sizeof err->message];
    if (status == CAROM_IMPOSSIBLE && err) {
        memcpy(message, err->message, sizeof message);
        carom_fail(err, status, "the start of joints cannot be as asked for: %.900s", message);
    }
    return status;
}

static carom_status drive(start_view *v, carom_error *err)
{
    int parts = count_parts(v);
    carom_status status = CAROM_OK;
    for (int part = 1; part <= parts && status == CAROM_OK; ++part) {
        carom_assembly report = { 0 };
        for (int k = 0; k < v->count; ++k) {
            double way = (v->driven[k].to - v->driven[k].from) * part / parts;
            double target = part == parts ? v->driven[k].to : v->driven[k].from + way;
            v->model.values[v->driven[k].value].number = target;
            v->state->near[v->driven[k].coordinate] = target;
        }
        mesh_gears(&v->model, v->state);
        integrator_load(v->scratch, v->state);
        status = assemble_positions(v->scratch, v->state, &report, err);
        if (status == CAROM_OK) {
            work_all_coordinates(v->scratch); /* turns of the others */
            memcpy(v->state->near, v->scratch->coordinate,
                   (size_t)v->model.coordinate_count * sizeof *v->state->near);
        }
    }
    return status;
}

static carom_status drive_positions(carom_scratch *w, carom_state *s, carom_error *err)
{
    start_view *v = NULL;
    work_place(w, *s->time, state_motion(s));
    work_positions(w);
    carom_status status = view_create(&v, w, s, false, err);
    status = status == CAROM_OK ? drive(v, err) : status;
    if (status == CAROM_OK) {
        motion_copy(w->model, state_motion(s), state_motion(v->state)); /* velocities are those of s */
        memcpy(s->near, v->state->near, (size_t)w->model->coordinate_count * sizeof *s->near);
        memcpy(s->coupler_offset, v->state->coupler_offset,
               (size_t)w->model->coupler_count * sizeof *s->coupler_offset);
    }
    view_destroy(v);
    return no_such_start(status, err);
}

static carom_status drive_velocities(carom_scratch *w, carom_state *s, carom_error *err)
{
    start_view *v = NULL;
    carom_assembly report = { 0 };
    work_place(w, *s->time, state_motion(s));
    work_constraints(w);
    carom_status status = view_create(&v, w, s, true, err);
    status = status == CAROM_OK ? assemble_velocities(v->scratch, v->state, &report, err) : status;
    if (status == CAROM_OK) {
        motion_copy(w->model, state_motion(s), state_motion(v->state)); /* positions are those of s */
    }
    view_destroy(v);
    return no_such_start(status, err);
}

/* ---- all ------------------------------------------------------------------------------------------------------------ */

/* Whether a start says where the joint is, not only how fast it moves. */
static bool has_values(const model_joint *joint)
{
    bool any = false;
    for (int k = 0; k < joint->start_count; ++k) {
        any = any || !isnan(joint->starts[k].value);
    }
    return any;
}

static void carry_all(carom_scratch *w, carom_state *s, joint_graph *g)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        int side = has_values(&w->model->joints[j]) ? joint_graph_side(g, j) : -1;
        if (side >= 0) {
            carry_positions(w, s, g, j, side);
        }
    }
}

bool starts_are_given(const carom_model *model)
{
    return count_starts(model) > 0;
}

static carom_status apply_rates(carom_scratch *w, carom_state *s, start_rates *rates, carom_error *err)
{
    integrator_load(w, s);
    start_rates_follow(rates, w, s);
    carom_status status = drive_velocities(w, s, err);
    if (status == CAROM_OK) {
        start_rates_follow_again(rates, w, s);
    }
    return status;
}

carom_status starts_apply(carom_scratch *w, carom_state *s, carom_error *err)
{
    carom_arena arena = { 0 };
    joint_graph graph;
    start_rates rates;
    if (!starts_are_given(w->model)) {
        return CAROM_OK;
    }
    if (!joint_graph_create(&graph, w->model, &arena) || !start_rates_create(&rates, &graph, s, &arena)) {
        carom_arena_free(&arena);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    carry_all(w, s, &graph);
    integrator_load(w, s);
    carom_status status = drive_positions(w, s, err);
    status = status == CAROM_OK ? apply_rates(w, s, &rates, err) : status;
    carom_arena_free(&arena);
    return status;
}

/* ---- one coordinate, set from outside -------------------------------------------------------------------------------- */

static void add_start(model_joint *joint, model_joint_start start)
{
    joint->starts[joint->start_count++] = start;
}

static bool is_free(const model_joint *joint, int coordinate)
{
    bool free = joint->type->coordinates[coordinate].drivable;
    for (int k = 0; k < joint->driver_count; ++k) {
        free = free && joint->drivers[k].coordinate != coordinate;
    }
    for (int k = 0; k < joint->start_count; ++k) {
        free = free && joint->starts[k].coordinate != coordinate;
    }
    return free;
}

/* Joints that move at the moment, and of which none has a say in the others, go on at their rates; at rest a body follows
 * by itself. Rates of loops and of what gears couple are to be found. */
static void keep_rates(carom_model *copy, carom_scratch *w, joint_graph *g, const bool *concerned)
{
    for (int j = 0; j < copy->joint_count; ++j) {
        model_joint *joint = &copy->joints[j];
        int a = joint_graph_end(copy, j, 0);
        int any = a != CAROM_GROUND ? a : joint_graph_end(copy, j, 1);
        if (!concerned[any] || joint_graph_geared(copy, j) || joint_graph_side(g, j) < 0) {
            continue;
        }
        for (int k = 0; k < joint->type->coordinate_count; ++k) {
            double rate = w->coordinate_rate[joint->first_coordinate + k];
            if (rate != 0.0 && is_free(joint, k)) {
                add_start(joint, (model_joint_start){ k, (double)NAN, rate });
            }
        }
    }
}

static carom_status set_in_copy(carom_model *copy, carom_scratch *w, carom_state *s, int joint,
                                model_joint_start start, carom_error *err)
{
    carom_arena arena = { 0 };
    joint_graph graph;
    start_rates rates;
    for (int j = 0; j < copy->joint_count; ++j) {
        copy->joints[j].start_count = 0;
    }
    add_start(&copy->joints[joint], start);
    bool made = joint_graph_create(&graph, copy, &arena) && start_rates_create(&rates, &graph, s, &arena);
    if (made) {
        integrator_load(w, s);
        work_place(w, *s->time, state_motion(s));
        work_positions(w);
        work_all_rates(w);
        keep_rates(copy, w, &graph, rates.concerned);
    }
    carom_arena_free(&arena);
    return made ? starts_apply(w, s, err) : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
}

carom_status starts_set(const carom_model *model, carom_state *s, int joint, model_joint_start start,
                        carom_error *err)
{
    carom_model copy;
    carom_scratch *w = NULL;
    carom_status status = copy_mechanism(&copy, model, err);
    status = status == CAROM_OK ? carom_scratch_create(&copy, 1, &w, err) : status;
    status = status == CAROM_OK ? set_in_copy(&copy, w, s, joint, start, err) : status;
    carom_scratch_destroy(w);
    carom_arena_free(&copy.arena);
    return status;
}
