/* Colliders to test with, and detection without any tree: every feature, one after the other. */
#ifndef CAROM_TESTS_COLLISION_RIGS_H
#define CAROM_TESTS_COLLISION_RIGS_H

#include "collision/detect.h"
#include "support/check.h"
#include "support/samples.h"

static const carom_box_def rig_box = { { 1.0, 0.6, 0.8 } };
static const carom_sphere_def rig_sphere = { 0.5 };
static const carom_cylinder_def rig_cylinder = { 0.4, 1.0 };
static const carom_capsule_def rig_capsule = { 0.3, 0.7 };
static const carom_cone_def rig_cone = { 0.6, 1.0 };
static const carom_plane_def rig_plane = { { 0.0, 0.6, 0.8 } };
static const carom_ellipsoid_def rig_ellipsoid = { { 0.6, 0.25, 0.4 } };
static const carom_torus_def rig_ring = { 0.4, 0.12 };
static const carom_mesh_def rig_mesh = { .file = "torus" };

typedef struct rig_shape {
    const char *kind;
    const void *params;
} rig_shape;

static const rig_shape rig_shapes[] = {
    { "box", &rig_box },   { "sphere", &rig_sphere }, { "cylinder", &rig_cylinder }, { "capsule", &rig_capsule },
    { "cone", &rig_cone }, { "plane", &rig_plane },   { "mesh", &rig_mesh },         { "ellipsoid", &rig_ellipsoid },
};
enum { RIG_SHAPES = sizeof rig_shapes / sizeof rig_shapes[0], RIG_PLANE = 5, RIG_MESH = 6 };

static inline mesh *rig_torus(void)
{
    return torus(0.5, 0.2, 40, 20);
}

static inline collider *make_collider(const char *kind, const void *params, const mesh *m,
                                      const collider_options *options)
{
    collider *c = NULL;
    carom_error err = { 0 };
    CHECK_OK(collider_create(&c, carom_shape_type_find(kind), params, m, options, &err), err);
    return c;
}

static inline collider_options rig_options(int method, int features)
{
    collider_options o = collider_options_default();
    o.method = method;
    o.features = features;
    o.field.resolution = 32;
    return o;
}

static inline carom_pose random_pose(test_rng *rng, double far)
{
    return (carom_pose){ .position = v3_scale(test_rng_uniform(rng, 0.0, far), random_direction(rng)),
                         .orientation = random_turn(rng) };
}

static inline v3 pose_apply(carom_pose pose, v3 r)
{
    return v3_add(pose.position, q_rotate(pose.orientation, r));
}

#endif
