/* Ways into a state: poses, velocities and joint coordinates set from outside.
 *
 * Whatever is set ends what the method and the integrator remember (contacts, multipliers, accelerations, proposed step):
 * the next step assembles and starts as at the beginning of a run, with a new ledger. Turns of joints and constants of gears
 * stay. Starts of joints in the scene are part of the beginning: they are met before anything is set, and not again. */
#include <string.h>

#include "base/arguments.h"
#include "dynamics/assemble.h"
#include "dynamics/starts.h"

/* ---- what may be set ------------------------------------------------------------------------------------------------ */

static carom_status check_free(const char *function, const carom_model *model, carom_id body, carom_error *err)
{
    if (body < 0 || body >= model->body_count) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: there is no body %d; the model has bodies 0 to %d", function,
                          body, model->body_count - 1);
    }
    const model_body *b = &model->bodies[body];
    if (b->role == BODY_KINEMATIC) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: body '%.100s' moves as its 'motion' says; it cannot be set",
                          function, b->name);
    }
    if (b->nodal) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "%s: body '%.100s' moves by its nodes; its start is set in the scene, by 'position', 'orientation' and "
            "velocities",
            function, b->name);
    }
    return b->slot >= 0
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "%s: body '%.100s' is fixed; it cannot be set", function, b->name);
}

static carom_status check_body(const char *function, const carom_model *model, const carom_state *state,
                               carom_id body, carom_error *err)
{
    carom_status status = state_check(function, model, state, err);
    return status == CAROM_OK ? check_free(function, model, body, err) : status;
}

static carom_status check_vector(const char *function, const char *name, v3 v, const char *unit, carom_error *err)
{
    return v3_finite(v) ? CAROM_OK
                        : carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' must be finite, not (%g, %g, %g) %s", function,
                                     name, v.x, v.y, v.z, unit);
}

/* As in scenes: numbers with a few digits are quaternions too, and made exact. */
static carom_status check_orientation(const char *function, quat q, carom_error *err)
{
    double norm = q_norm(q);
    return fabs(norm - 1.0) <= QUAT_LENGTH_TOLERANCE
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT,
                            "%s: the orientation has length %g; an orientation is a unit quaternion (w, x, y, z)",
                            function, norm);
}

static carom_status check_number(const char *function, const char *name, double value, carom_error *err)
{
    return isfinite(value)
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "%s: '%s' must be finite, not %g", function, name, value);
}

/* The joint of a coordinate, or -1. */
static int joint_of(const carom_model *model, int coordinate)
{
    for (int j = 0; j < model->joint_count; ++j) {
        int k = coordinate - model->joints[j].first_coordinate;
        if (k >= 0 && k < model->joints[j].type->coordinate_count) {
            return j;
        }
    }
    return -1;
}

static carom_status check_coordinate(const char *function, const carom_model *model, int coordinate, carom_error *err)
{
    int j = joint_of(model, coordinate);
    if (j < 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: there is no coordinate %d; the model has %d", function,
                          coordinate, model->coordinate_count);
    }
    const model_joint *joint = &model->joints[j];
    const joint_coordinate *c = &joint->type->coordinates[coordinate - joint->first_coordinate];
    for (int k = 0; k < joint->driver_count; ++k) {
        if (joint->first_coordinate + joint->drivers[k].coordinate == coordinate) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "%s: '%s' of joint '%.100s' moves as its 'motion' says; it cannot be set", function,
                              c->name, joint->name);
        }
    }
    return c->drivable ? CAROM_OK
                       : carom_fail(err, CAROM_BAD_INPUT,
                                    "%s: '%s' of %s joint '%.100s' does not say to which side; set the pose of a "
                                    "body instead",
                                    function, c->name, joint->type->kind.name, joint->name);
}

/* ---- the beginning anew --------------------------------------------------------------------------------------------- */

/* A copy of the state, or NULL. */
static carom_state *copy_of(const carom_model *model, const carom_state *s)
{
    carom_state *copy = carom_state_create(model);
    if (copy && carom_state_copy(copy, s) != CAROM_OK) {
        carom_state_destroy(copy);
        copy = NULL;
    }
    return copy;
}

/* Meets the starts of the scene's joints in a state that nobody has assembled yet; on failure it is as it was. */
static carom_status place_starts(const carom_model *model, carom_state *s, carom_error *err)
{
    carom_scratch *w = NULL;
    carom_state *before = copy_of(model, s);
    carom_status status = before ? carom_scratch_create(model, 1, &w, err)
                                 : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    status = status == CAROM_OK ? assemble_drawing(w, s, err) : status;
    if (before && status != CAROM_OK) {
        carom_state_copy(s, before);
    }
    carom_state_destroy(before);
    carom_scratch_destroy(w);
    return status;
}

/* Ends the memory of method and integrator. What was drawn and has no starts remains a drawing: assembly counts turns and
 * fixes gears from what is set. */
static void begin_anew(const carom_model *model, carom_state *s, bool drawn)
{
    size_t n = (size_t)model->body_count;
    *s->step = *s->last_step = *s->step_error = *s->step_count = 0.0;
    memset(s->acceleration, 0, n * sizeof *s->acceleration);
    memset(s->history, 0, n * sizeof *s->history);
    memset(s->jerk, 0, n * sizeof *s->jerk);
    memset(s->q_ddot, 0, (size_t)model->deform_count * sizeof *s->q_ddot);
    memset(s->q_history, 0, (size_t)model->deform_count * sizeof *s->q_history);
    memset(s->q_jerk, 0, (size_t)model->deform_count * sizeof *s->q_jerk);
    memset(s->z_dot, 0, (size_t)model->integral_count * sizeof *s->z_dot);
    memset(s->z_history, 0, (size_t)model->integral_count * sizeof *s->z_history);
    memset(s->z_jerk, 0, (size_t)model->integral_count * sizeof *s->z_jerk);
    memset(s->sigma, 0, (size_t)model->row_count * sizeof *s->sigma);
    memset(s->sums, 0, sizeof *s->sums);
    memset(s->power, 0, sizeof *s->power);
    memset(s->start, 0, STATE_START * sizeof *s->start);
    s->contacts.count = 0;
    *s->initialised = drawn ? STATE_FRESH : STATE_SET;
}

/* Before a pose or a velocity is set; the state is as it was when this fails. */
static carom_status open_state(const carom_model *model, carom_state *s, carom_error *err)
{
    bool fresh = *s->initialised == STATE_FRESH;
    bool starts = fresh && starts_are_given(model);
    carom_status status = starts ? place_starts(model, s, err) : CAROM_OK;
    if (status == CAROM_OK) {
        begin_anew(model, s, fresh && !starts);
    }
    return status;
}

/* ---- setters -------------------------------------------------------------------------------------------------------- */

carom_status carom_state_set_pose(const carom_model *model, carom_state *state, carom_id body, carom_pose pose,
                                  carom_error *err)
{
    static const char function[] = "carom_state_set_pose";
    carom_status status = check_body(function, model, state, body, err);
    status = status == CAROM_OK ? check_vector(function, "position", pose.position, "m", err) : status;
    status = status == CAROM_OK ? check_orientation(function, pose.orientation, err) : status;
    status = status == CAROM_OK ? open_state(model, state, err) : status;
    if (status == CAROM_OK) {
        v3 v = carom_state_velocity(model, state, body);
        v3 omega = carom_state_angular_velocity(model, state, body);
        state_set_pose(model, state, body, (carom_pose){ pose.position, q_unit(pose.orientation) });
        state_set_rate(model, state, body, v, omega);
    }
    return status;
}

carom_status carom_state_set_velocity(const carom_model *model, carom_state *state, carom_id body, carom_v3 v,
                                      carom_v3 omega, carom_error *err)
{
    static const char function[] = "carom_state_set_velocity";
    carom_status status = check_body(function, model, state, body, err);
    status = status == CAROM_OK ? check_vector(function, "v", v, "m/s", err) : status;
    status = status == CAROM_OK ? check_vector(function, "omega", omega, "rad/s", err) : status;
    status = status == CAROM_OK ? open_state(model, state, err) : status;
    if (status == CAROM_OK) {
        state_set_rate(model, state, body, v, omega);
    }
    return status;
}

static carom_status move_coordinate(const carom_model *model, carom_state *s, int coordinate, double value,
                                    double rate, carom_error *err)
{
    carom_status status = *s->initialised == STATE_FRESH ? place_starts(model, s, err) : CAROM_OK;
    int joint = joint_of(model, coordinate);
    model_joint_start start = { coordinate - model->joints[joint].first_coordinate, value, rate };
    status = status == CAROM_OK ? starts_set(model, s, joint, start, err) : status;
    if (status == CAROM_OK) {
        begin_anew(model, s, false);
    }
    return status;
}

carom_status carom_state_set_coordinate(const carom_model *model, carom_state *state, int coordinate, double value,
                                        double rate, carom_error *err)
{
    static const char function[] = "carom_state_set_coordinate";
    carom_status status = state_check(function, model, state, err);
    status = status == CAROM_OK ? check_coordinate(function, model, coordinate, err) : status;
    status = status == CAROM_OK ? check_number(function, "value", value, err) : status;
    status = status == CAROM_OK ? check_number(function, "rate", rate, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    carom_state *after = copy_of(model, state);
    if (!after) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    status = move_coordinate(model, after, coordinate, value, rate, err);
    if (status == CAROM_OK) {
        status = carom_state_copy(state, after); /* no contacts any more: there is room */
    }
    carom_state_destroy(after);
    return status;
}

carom_status carom_state_set_input(const carom_model *model, carom_state *state, int input, double value,
                                   carom_error *err)
{
    static const char function[] = "carom_state_set_input";
    carom_status status = state_check(function, model, state, err);
    if (status == CAROM_OK && (input < 0 || input >= model->input_count)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: there is no input %d; the model has %d", function, input,
                            model->input_count);
    }
    status = status == CAROM_OK ? check_number(function, "value", value, err) : status;
    if (status == CAROM_OK && state->input[input] != value) {
        bool started = *state->initialised == STATE_STARTED;
        state->input[input] = value;
        *state->initialised = started ? STATE_ASSEMBLED : *state->initialised; /* as behind a jump of a table */
    }
    return status;
}
