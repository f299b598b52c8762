/* Moving definitions by a pose: what repeats and includes do to everything that is given in world axes. Data in body
 * axes stays, except where the body is the ground, whose axes are the world's. */
#include "scene/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"

carom_pose scene_pose_identity(void)
{
    return (carom_pose){ .orientation = q_identity() };
}

carom_pose scene_pose_compose(carom_pose outer, carom_pose inner)
{
    return (carom_pose){
        .position = v3_add(outer.position, q_rotate(outer.orientation, inner.position)),
        .orientation = q_unit(q_mul(outer.orientation, inner.orientation)),
    };
}

/* Nothing to do keeps every bit. */
static bool is_identity(carom_pose p)
{
    return v3_norm2(p.position) == 0.0 && p.orientation.w == 1.0;
}

static v3 move_point(carom_pose pose, v3 r)
{
    return v3_add(pose.position, q_rotate(pose.orientation, r));
}

/* An unset number (NAN) stays unset. */
static void move_point_in_place(carom_pose pose, carom_v3 *r)
{
    if (v3_finite(*r)) {
        *r = move_point(pose, *r);
    }
}

static void turn_in_place(carom_pose pose, carom_v3 *v)
{
    *v = q_rotate(pose.orientation, *v);
}

static carom_status move_reals(const scene_reader *r, carom_pose pose, bool point, carom_reals *reals)
{
    if (reals->count != 3) {
        return CAROM_OK;
    }
    v3 v = v3_load(reals->data);
    v = point ? move_point(pose, v) : q_rotate(pose.orientation, v);
    double *data = CAROM_ARENA_ARRAY(r->arena, double, 3);
    if (!data) {
        return scene_no_memory(r);
    }
    v3_store(data, v);
    reals->data = data;
    return CAROM_OK;
}

/* ---- values over time ---------------------------------------------------------------------------------------- */

/* One row of a rotation applied to three values: sum_j row[j] values[j] + offset, everything in SI. */
typedef struct value_row {
    double row[3];
    double offset;
    const carom_value *values;
} value_row;

static bool counts(const value_row *w, int j)
{
    return fabs(w->row[j]) > 1e-15; /* what a turn by 90 degrees leaves of zero */
}

static double constant_part(const value_row *w)
{
    double sum = w->offset;
    for (int j = 0; j < 3; ++j) {
        sum += counts(w, j) && w->values[j].kind == CAROM_NUMBER ? w->row[j] * w->values[j].number : 0.0;
    }
    return sum;
}

static carom_status scale_table(const scene_reader *r, const value_row *w, int j, carom_value *out)
{
    *out = w->values[j];
    double *y = CAROM_ARENA_ARRAY(r->arena, double, out->table.count);
    if (!y) {
        return scene_no_memory(r);
    }
    for (size_t i = 0; i < out->table.count; ++i) {
        y[i] = w->row[j] * w->values[j].table.y[i] + constant_part(w);
    }
    out->table.y = y;
    return CAROM_OK;
}

/* All expressions of one field share units and scale. */
static carom_status combine_expressions(const scene_reader *r, const value_row *w, int first, carom_value *out)
{
    *out = w->values[first];
    const char *text = carom_arena_printf(r->arena, "%.17g", constant_part(w) / out->scale);
    for (int j = first; j < 3 && text; ++j) {
        if (counts(w, j) && w->values[j].kind == CAROM_EXPRESSION) {
            text = carom_arena_printf(r->arena, "%s+(%.17g)*(%s)", text, w->row[j], w->values[j].expression);
        }
    }
    out->expression = text;
    return text ? CAROM_OK : scene_no_memory(r);
}

static carom_status combine(const scene_reader *r, const json_place *at, const value_row *w, carom_value *out)
{
    int tables = 0;
    int expressions = 0;
    int first = -1;
    for (int j = 0; j < 3; ++j) {
        if (counts(w, j) && w->values[j].kind != CAROM_NUMBER) {
            tables += w->values[j].kind == CAROM_TABLE;
            expressions += w->values[j].kind == CAROM_EXPRESSION;
            first = first < 0 ? j : first;
        }
    }
    if (tables + expressions == 0) {
        *out = carom_value_number(constant_part(w));
        return CAROM_OK;
    }
    if (tables == 0) {
        return combine_expressions(r, w, first, out);
    }
    return tables + expressions == 1
               ? scale_table(r, w, first, out)
               : scene_fail(r, at,
                            "a table over time cannot be turned together with other components; write it as an "
                            "expression, or turn the entry by a multiple of 90 degrees");
}

static carom_status turn_values(const scene_reader *r, const json_place *at, carom_pose pose, bool point,
                                carom_value values[3])
{
    const m3 R = q_matrix(pose.orientation);
    carom_value turned[3];
    for (int i = 0; i < 3; ++i) {
        const value_row w = {
            .row = { R.m[3 * i], R.m[3 * i + 1], R.m[3 * i + 2] },
            .offset = point ? v3_get(pose.position, i) : 0.0,
            .values = values,
        };
        carom_status status = combine(r, at, &w, &turned[i]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    memcpy(values, turned, sizeof turned);
    return CAROM_OK;
}

/* ---- definitions --------------------------------------------------------------------------------------------- */

static bool is_unset(const carom_value *value)
{
    return value->kind == CAROM_NUMBER && isnan(value->number);
}

/* A component that keeps its initial value is that number, once axes get mixed. */
static carom_status move_motion(const scene_reader *r, const json_place *at, carom_pose pose, carom_v3 start,
                                carom_motion_def *motion)
{
    bool any = false;
    turn_in_place(pose, &motion->axis);
    for (int i = 0; i < 3; ++i) {
        any |= !is_unset(&motion->position[i]);
    }
    for (int i = 0; i < 3 && any; ++i) {
        if (is_unset(&motion->position[i])) {
            motion->position[i] = carom_value_number(v3_get(start, i));
        }
    }
    const json_place place = { at, "motion", 0 };
    return any ? turn_values(r, &place, pose, true, motion->position) : CAROM_OK;
}

carom_status scene_move_body(const scene_reader *r, const json_place *at, carom_pose pose, carom_body_def *def)
{
    if (is_identity(pose)) {
        return CAROM_OK;
    }
    carom_status status = def->motion.given ? move_motion(r, at, pose, def->position, &def->motion) : CAROM_OK;
    def->position = move_point(pose, def->position);
    def->orientation = q_unit(q_mul(pose.orientation, def->orientation));
    turn_in_place(pose, &def->velocity);
    turn_in_place(pose, &def->angular_velocity);
    return status;
}

static void move_ground_frame(carom_pose pose, const char *body, carom_frame_def *frame)
{
    if (frame->given && body && strcmp(body, "ground") == 0) {
        frame->position = move_point(pose, frame->position);
        frame->orientation = q_unit(q_mul(pose.orientation, frame->orientation));
    }
}

static carom_status move_attachment(const scene_reader *r, carom_pose pose, carom_attachment *a)
{
    move_point_in_place(pose, &a->at);
    turn_in_place(pose, &a->axis);
    move_ground_frame(pose, a->bodies[0], &a->frame_a);
    move_ground_frame(pose, a->bodies[1], &a->frame_b);
    carom_status status = move_reals(r, pose, true, &a->at_b);
    return status == CAROM_OK ? move_reals(r, pose, false, &a->x_axis) : status;
}

carom_status scene_move_joint(const scene_reader *r, const json_place *at, carom_pose pose, carom_joint_def *def)
{
    (void)at;
    return is_identity(pose) ? CAROM_OK : move_attachment(r, pose, &def->attachment);
}

static carom_status turn_load(const scene_reader *r, const json_place *at, carom_pose pose, carom_load_def *load)
{
    if (load->follow || pose.orientation.w == 1.0) {
        return CAROM_OK;
    }
    const json_place force = { at, "force", 0 };
    const json_place torque = { at, "torque", 0 };
    carom_status status = turn_values(r, &force, pose, false, load->force);
    return status == CAROM_OK ? turn_values(r, &torque, pose, false, load->torque) : status;
}

/* The kinds whose own parameters are in world axes. */
static carom_status move_params(const scene_reader *r, const json_place *at, carom_pose pose, carom_choice *force)
{
    void *params = (void *)(uintptr_t)force->params; /* still the reader's own */
    if (strcmp(force->kind, "load") == 0) {
        return turn_load(r, at, pose, params);
    }
    if (strcmp(force->kind, "gravity-field") == 0) {
        move_point_in_place(pose, &((carom_gravity_field_def *)params)->center);
    }
    return CAROM_OK;
}

carom_status scene_move_force(const scene_reader *r, const json_place *at, carom_pose pose, carom_force_def *def)
{
    if (is_identity(pose)) {
        return CAROM_OK;
    }
    carom_status status = move_attachment(r, pose, &def->attachment);
    return status == CAROM_OK ? move_params(r, at, pose, &def->force) : status;
}
