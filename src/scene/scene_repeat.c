/* Patterns: one entry of a scene stands for many, along a line or around a circle. */
#include "scene/scene_reader.h"

#include <math.h>

#include "math/quat.h"

enum { LARGEST_COUNT = 1000000 };

static const carom_field line_fields[] = {
    { .name = "step",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(scene_line, step),
      .dimension = { .length = 1 },
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "Shift from one copy to the next." },
    { 0 },
};

static const carom_field circle_fields[] = {
    { .name = "center",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(scene_circle, center),
      .dimension = { .length = 1 },
      .doc = "A point on the axis." },
    { .name = "axis",
      .kind = CAROM_FIELD_DIRECTION,
      .offset = offsetof(scene_circle, axis),
      .doc = "Direction of the axis." },
    { .name = "step",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(scene_circle, step),
      .dimension = { .angle = 1 },
      .doc = "Angle from one copy to the next; by default the angle divided by the count." },
    { .name = "angle",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(scene_circle, angle),
      .dimension = { .angle = 1 },
      .doc = "Angle divided evenly among the copies, its end left free; by default a full turn." },
    { 0 },
};

static const carom_field repeat_fields[] = {
    { .name = "count",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(scene_repeat, count),
      .flags = CAROM_REQUIRED,
      .doc = "Number of copies, 1 to 1000000. $index counts them from 0." },
    { .name = "line",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(scene_repeat, line),
      .flags = CAROM_OPTIONAL,
      .fields = line_fields,
      .size = sizeof(scene_line),
      .doc = "Copies along a line." },
    { .name = "circle",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(scene_repeat, circle),
      .flags = CAROM_OPTIONAL,
      .fields = circle_fields,
      .size = sizeof(scene_circle),
      .doc = "Copies around an axis; positions, orientations, axes and velocities turn with them." },
    { 0 },
};

const carom_field *scene_repeat_fields(void)
{
    return repeat_fields;
}

carom_status scene_read_repeat(const scene_reader *r, const json_place *at, const json_t *entry, scene_repeat *out,
                               bool *given)
{
    const json_place place = { at, "repeat", 0 };
    json_t *json = json_object_get(entry, "repeat");
    *out = (scene_repeat){ .count = 1, .circle = { .axis = { 0, 0, 1 }, .step = (double)NAN, .angle = (double)NAN } };
    *given = false;
    if (!json) {
        return CAROM_OK;
    }
    carom_status status = scene_read_object(r, &place, repeat_fields, NULL, json, out);
    if (status != CAROM_OK) {
        return status;
    }
    *given = true;
    if (out->count < 1 || out->count > LARGEST_COUNT) {
        const json_place count = { &place, "count", 0 };
        return scene_fail(r, &count, "is %d; an entry may be repeated 1 to %d times", out->count, LARGEST_COUNT);
    }
    if (out->line.given && out->circle.given) {
        return scene_fail(r, &place, "found both 'line' and 'circle'; write one of them");
    }
    return CAROM_OK;
}

carom_pose scene_repeat_pose(const scene_repeat *repeat, long index)
{
    carom_pose pose = scene_pose_identity();
    if (repeat->line.given) {
        pose.position = v3_scale((double)index, repeat->line.step);
    }
    if (repeat->circle.given && index > 0) {
        const scene_circle *circle = &repeat->circle;
        double whole = isnan(circle->angle) ? 2.0 * acos(-1.0) : circle->angle;
        double step = isnan(circle->step) ? whole / repeat->count : circle->step;
        pose.orientation = q_axis_angle(circle->axis, (double)index * step);
        pose.position = v3_sub(circle->center, q_rotate(pose.orientation, circle->center));
    }
    return pose;
}
