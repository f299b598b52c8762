/* Orientations as scenes spell them:
 *   [w, x, y, z]                        unit quaternion (within 1e-3, then normalised)
 *   {"axis": [0,0,1], "angle": 90}      turn about a unit vector, in the scene's angle unit
 *   {"euler": [x, y, z]}                turns about the body's own x, then new y, then new z (intrinsic x-y-z) */
#include "scene/scene_reader.h"

#include <math.h>

#include "math/quat.h"

static carom_status read_quaternion(const scene_reader *r, const json_place *at, const json_t *json, carom_quat *out)
{
    double wxyz[4];
    if (json_array_size(json) != 4) {
        return scene_fail(r, at, "found a list of %zu; a quaternion is [w, x, y, z]", json_array_size(json));
    }
    for (size_t i = 0; i < 4; ++i) {
        const json_place element = { at, NULL, i };
        carom_status status = scene_read_number(r, &element, json_array_get(json, i), &wxyz[i]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    quat q = { wxyz[0], wxyz[1], wxyz[2], wxyz[3] };
    double norm = hypot(hypot(q.w, q.x), hypot(q.y, q.z));
    if (!(fabs(norm - 1.0) <= QUAT_LENGTH_TOLERANCE)) {
        return scene_fail(r, at, "has length %g; an orientation is a unit quaternion [w, x, y, z]", norm);
    }
    *out = q_unit(q);
    return CAROM_OK;
}

typedef struct axis_angle {
    carom_v3 axis;
    double angle;
} axis_angle;

static const carom_field axis_angle_fields[] = {
    { .name = "axis",
      .kind = CAROM_FIELD_DIRECTION,
      .offset = offsetof(axis_angle, axis),
      .flags = CAROM_REQUIRED,
      .doc = "Unit vector." },
    { .name = "angle",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(axis_angle, angle),
      .dimension = { .angle = 1 },
      .flags = CAROM_REQUIRED,
      .doc = "Turn about it." },
    { 0 },
};

static const carom_field euler_fields[] = {
    { .name = "euler",
      .kind = CAROM_FIELD_VECTOR,
      .dimension = { .angle = 1 },
      .flags = CAROM_REQUIRED,
      .doc = "Turns about the own x, then the new y, then the new z axis." },
    { 0 },
};

static carom_status read_axis_angle(const scene_reader *r, const json_place *at, const json_t *json, carom_quat *out)
{
    axis_angle turn = { 0 };
    carom_status status = scene_read_object(r, at, axis_angle_fields, NULL, json, &turn);
    if (status == CAROM_OK) {
        *out = q_axis_angle(turn.axis, turn.angle);
    }
    return status;
}

static carom_status read_euler(const scene_reader *r, const json_place *at, const json_t *json, carom_quat *out)
{
    carom_v3 turns = { 0 };
    carom_status status = scene_read_object(r, at, euler_fields, NULL, json, &turns);
    if (status == CAROM_OK) {
        quat x = q_axis_angle(v3_make(1, 0, 0), turns.x);
        quat y = q_axis_angle(v3_make(0, 1, 0), turns.y);
        quat z = q_axis_angle(v3_make(0, 0, 1), turns.z);
        *out = q_mul(q_mul(x, y), z);
    }
    return status;
}

carom_status scene_read_orientation(const scene_reader *r, const json_place *at, const json_t *json, carom_quat *out)
{
    if (json_is_array(json)) {
        return read_quaternion(r, at, json, out);
    }
    if (json_object_get(json, "euler")) {
        return read_euler(r, at, json, out);
    }
    if (json_object_get(json, "axis") || json_object_get(json, "angle")) {
        return read_axis_angle(r, at, json, out);
    }
    const char *const spellings = "[w, x, y, z], {\"axis\": [...], \"angle\": ...} or {\"euler\": [x, y, z]}";
    return json_is_object(json) ? scene_fail(r, at, "an orientation is %s", spellings)
                                : scene_wrong_type(r, at, json, spellings);
}
