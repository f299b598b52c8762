/* Kinematic bodies: constant velocities, for ever or for a time, after poses step by step.
 *
 * The reference adds rotation vectors; the axis stays only where it is a principal one, which is how its scenes use it. Here the
 * body turns about the given axis. */
#include "scene/rigid_ipc_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "math/quat.h"
#include "model/fields.h"

enum { MOST_POSES = 100000 };

static const char *number(double x, char buffer[40])
{
    return number_text(x, buffer, 40);
}

/* start + rate * t, until the end. */
static json_t *line_json(double start, double rate, double until)
{
    char a[40], b[40], c[40], text[200];
    if (rate == 0.0) {
        return json_real(start);
    }
    if (until < 0.0) {
        snprintf(text, sizeof text, "(%s) + (%s)*t", number(start, a), number(rate, b));
    } else {
        snprintf(text, sizeof text, "(%s) + (%s)*min(t, %s)", number(start, a), number(rate, b), number(until, c));
    }
    return json_string(text);
}

/* [s] floor(T/h) + 1 steps; < 0: for ever. */
static double moving_time(const ipc_translation *t, const ipc_body *b)
{
    return b->moves_for < 0.0 ? -1.0 : (floor(b->moves_for / t->h) + 1.0) * t->h;
}

static json_t *steady_motion(ipc_translation *t, const ipc_body *b, v3 center_w)
{
    double until = moving_time(t, b);
    double spin = v3_norm(b->omega_w);
    json_t *motion = json_object();
    if (v3_norm(b->velocity) > 0.0) {
        translation_set(&t->base, motion, "position",
                        json_pack("[ooo]", line_json(center_w.x, b->velocity.x, until),
                                  line_json(center_w.y, b->velocity.y, until),
                                  line_json(center_w.z, b->velocity.z, until)));
    }
    if (spin > 0.0) {
        translation_set(&t->base, motion, "axis", translation_vector(v3_scale(1.0 / spin, b->omega_w)));
        translation_set(&t->base, motion, "angle", line_json(0.0, spin, until));
    }
    return motion;
}

/* ---- poses ---------------------------------------------------------------------------------------------------------------- */

/* Turns of the principal axes from the start, as seen in the world. They must have one axis. */
typedef struct pose_path {
    size_t count;
    v3 *center;
    double *angle;
    v3 axis_w;
} pose_path;

static carom_status read_pose(const ipc_translation *t, const json_place *at, const json_t *json, v3 *center,
                              quat *turn)
{
    const json_place position = { at, "position", 0 };
    const json_place rotation = { at, "rotation", 0 };
    v3 vector = v3_zero();
    *center = v3_zero();
    if (!json_is_object(json)) {
        return scene_wrong_type(t->base.r, at, json, "an object with a position and a rotation");
    }
    carom_status status = ipc_vector(t, &position, json, center);
    status = status == CAROM_OK ? ipc_vector(t, &rotation, json, &vector) : status;
    *turn = so3_exp(vector);
    return status;
}

/* The angle of a turn about the path's axis, nearest to the one before; false: another axis. */
static bool angle_about(pose_path *path, quat turn, double before, double *out)
{
    const double rounding = 1e-9;
    const double circle = 360.0 * DEGREE;
    v3 sine = v3_make(turn.x, turn.y, turn.z);
    if (v3_norm(path->axis_w) == 0.0 && v3_norm(sine) > rounding) {
        path->axis_w = v3_scale(1.0 / v3_norm(sine), sine);
    }
    double along = v3_dot(sine, path->axis_w);
    double angle = 2.0 * atan2(along, turn.w);
    *out = angle + circle * round((before - angle) / circle);
    return v3_norm(v3_sub(sine, v3_scale(along, path->axis_w))) <= rounding;
}

/* The principal axes at the start: of the inertia in the world. */
static quat principal_turn(const ipc_body *b, const ipc_geometry *g)
{
    double values[3];
    m3 frame;
    m3 R = q_matrix(b->turn);
    if (ipc_fixed_turns(b) == 2) {
        return q_identity();
    }
    m3 inertia_w = m3_mul(m3_mul(R, g->mass.inertia), m3_transpose(R));
    m3_eigen_symmetric(inertia_w, values, &frame);
    if (m3_det(frame) < 0.0) {
        for (int i = 0; i < 3; ++i) {
            frame.m[3 * i] = -frame.m[3 * i];
        }
    }
    return q_from_matrix(frame);
}

static carom_status read_path(ipc_translation *t, const ipc_body *b, const ipc_geometry *g, const json_place *at,
                              const json_t *poses, pose_path *path)
{
    quat principal = principal_turn(b, g);
    carom_status status = CAROM_OK;
    path->center[0] = ipc_center_w(b, g);
    path->count = 1;
    for (size_t i = 0; status == CAROM_OK && i < json_array_size(poses); ++i) {
        const json_place place = { at, NULL, i };
        quat turn;
        status = read_pose(t, &place, json_array_get(poses, i), &path->center[i + 1], &turn);
        quat change = q_mul(turn, q_conj(principal));
        if (status == CAROM_OK && !angle_about(path, change, path->angle[i], &path->angle[i + 1])) {
            status = scene_fail(
                t->base.r, &place,
                "from here on the poses of '%s' turn it about another axis than before; carom's prescribed "
                "motions have one axis",
                b->name);
        }
        path->count += status == CAROM_OK;
    }
    return status;
}

static json_t *column_json(ipc_translation *t, const pose_path *path, int component)
{
    json_t *points = json_array();
    for (size_t i = 0; i < path->count; ++i) {
        double value = component < 3 ? v3_get(path->center[i], component) : path->angle[i];
        translation_append(&t->base, points, json_pack("[ff]", (double)i * t->h, value));
    }
    return json_pack("{so ss}", "table", points, "interpolation", "cubic");
}

/* After the poses the velocities go on. */
static void continue_path(ipc_translation *t, const ipc_body *b, pose_path *path, size_t room)
{
    double spin = v3_norm(path->axis_w) > 0.0 ? v3_dot(b->omega_w, path->axis_w) : 0.0;
    size_t last = b->moves_for < 0.0 ? room : (size_t)fmin((double)room, floor(b->moves_for / t->h) + 2.0);
    bool moves = v3_norm(b->velocity) > 0.0 || spin != 0.0;
    for (; moves && path->count < last; ++path->count) {
        path->center[path->count] = v3_axpy(path->center[path->count - 1], t->h, b->velocity);
        path->angle[path->count] = path->angle[path->count - 1] + t->h * spin;
    }
}

static carom_status posed_motion(ipc_translation *t, const ipc_body *b, const ipc_geometry *g, const json_place *at,
                                 const json_t *poses, json_t **out)
{
    size_t room = json_array_size(poses) + 2;
    room = (double)room < t->steps + 2.0 && t->steps < MOST_POSES ? (size_t)t->steps + 2 : room;
    if (room > MOST_POSES) {
        return scene_fail(t->base.r, at, "%zu poses are too many; at most %d", json_array_size(poses), MOST_POSES);
    }
    pose_path path = { .center = calloc(room, sizeof *path.center), .angle = calloc(room, sizeof *path.angle) };
    carom_status status = path.center && path.angle ? read_path(t, b, g, at, poses, &path)
                                                    : scene_no_memory(t->base.r);
    if (status == CAROM_OK) {
        json_t *motion = json_object();
        continue_path(t, b, &path, room);
        translation_set(&t->base, motion, "position",
                        json_pack("[ooo]", column_json(t, &path, 0), column_json(t, &path, 1),
                                  column_json(t, &path, 2)));
        if (v3_norm(path.axis_w) > 0.0) {
            translation_set(&t->base, motion, "axis", translation_vector(path.axis_w));
            translation_set(&t->base, motion, "angle", column_json(t, &path, 3));
        }
        *out = motion;
    }
    free(path.center);
    free(path.angle);
    return status;
}

carom_status ipc_motion(ipc_translation *t, const ipc_body *b, const ipc_geometry *g, json_t **out)
{
    json_t *poses = NULL;
    const json_place place = { b->at, "kinematic_poses", 0 };
    carom_status status = ipc_list(t, &place, b->json, &poses);
    *out = NULL;
    if (status != CAROM_OK) {
        return status;
    }
    if (json_array_size(poses) > 0) {
        return posed_motion(t, b, g, &place, poses, out);
    }
    if (v3_norm(b->velocity) > 0.0 || v3_norm(b->omega_w) > 0.0) {
        *out = steady_motion(t, b, ipc_center_w(b, g));
    }
    return CAROM_OK;
}
