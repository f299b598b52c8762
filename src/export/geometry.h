/* What a result draws, ready for writers: surfaces of bodies, where they are, and in which colour. */
#ifndef CAROM_EXPORT_GEOMETRY_H
#define CAROM_EXPORT_GEOMETRY_H

#include "base/arena.h"
#include "export/export.h"
#include "math/quat.h"

/* Shapes of one body stand together: those of body b are [first[b], first[b + 1]).
 * Infinite planes have become squares: no surface is -1. */
typedef struct export_geometry {
    carom_arena arena;
    carom_id body_count; /* with the ground */
    size_t shape_count;
    const carom_result_shape *shapes;
    const size_t *first; /* body_count + 1 */
    const size_t *index; /* the number each shape has in the result */
    size_t surface_count;
    const carom_surface *surfaces; /* those of the result, then a square per infinite plane */
    size_t plane_count;
} export_geometry;

/* Fills in what the job's report says of shapes, too. Free it whatever the status. */
carom_status export_geometry_build(export_geometry *geometry, const export_job *job, carom_error *err);
void export_geometry_free(export_geometry *geometry);

/* A pose with finite numbers and a unit quaternion; false when this one cannot be made into that. */
bool export_pose_mend(carom_pose *pose);

/* Pose of a body, or the last one before it that can be drawn; *held counts those that cannot. For the first call of a
 * body *pose is the identity. */
carom_status export_next_pose(const carom_result *result, carom_id body, size_t frame, carom_pose *pose, size_t *held,
                              carom_error *err);

/* Red, green, blue from 0 to 1 as screens have them (sRGB): the body's own, or one of a palette. */
void export_colour(const carom_result *result, carom_id body, double colour[3]);

static inline v3 export_place(carom_pose pose, v3 r)
{
    return v3_add(pose.position, q_rotate(pose.orientation, r));
}

#endif
