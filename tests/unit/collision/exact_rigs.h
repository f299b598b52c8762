/* Pairs of convex solids, their potential by exact features and its derivative. */
#ifndef CAROM_TESTS_COLLISION_EXACT_RIGS_H
#define CAROM_TESTS_COLLISION_EXACT_RIGS_H

#include "rigs.h"

#include "collision/exact_touch.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"

/* The potential sum of D^2 / 2 of all elements, and minus its derivative: force and torque on A about its origin. */
typedef struct exact_state {
    double potential;
    v3 force_w, torque_w;
    double deepest;
    size_t count;
} exact_state;

static inline carom_pose exact_relative(carom_pose x, carom_pose y)
{
    return (carom_pose){ q_unrotate(x.orientation, v3_sub(y.position, x.position)),
                         q_mul(q_conj(x.orientation), y.orientation) };
}

static inline exact_state exact_evaluate(exact_list *list, const collider *const c[2], const carom_pose pose[2])
{
    exact_state s = { 0 };
    bool sides[2];
    double weight = exact_sides(c[0], c[1], sides);
    for (int side = 0; side < 2; ++side) {
        carom_pose F = pose[1 - side];
        list->count = 0;
        CHECK(!sides[side] || exact_find(list, c[1 - side], c[side], exact_relative(F, pose[side])));
        for (size_t k = 0; k < list->count; ++k) {
            const exact_touch *t = &list->items[k];
            double push = (side == 0 ? 1.0 : -1.0) * weight * t->weight * t->depth;
            v3 force = v3_scale(push, q_rotate(F.orientation, t->gradient_f));
            v3 couple = v3_scale(push, q_rotate(F.orientation, t->couple_f));
            v3 arm = v3_sub(pose_apply(F, t->p_f), pose[0].position);
            s.potential += 0.5 * weight * t->weight * t->depth * t->depth;
            s.force_w = v3_add(s.force_w, force);
            s.torque_w = v3_add(s.torque_w, v3_add(couple, v3_cross(arm, force)));
            s.deepest = fmax(s.deepest, t->depth);
            s.count++;
        }
    }
    list->count = 0;
    return s;
}

enum { EXACT_SHAPES = 9, EXACT_PLANE = 0, EXACT_CYLINDER = 3, EXACT_CONE = 5, EXACT_STONE = 7, EXACT_ELLIPSOID = 8 };

typedef struct exact_set {
    mesh *wedge, *many;
    collider *of[EXACT_SHAPES];
    double size[EXACT_SHAPES];
} exact_set;

/* A leaning wedge: six corners, five faces. */
static inline mesh *exact_wedge(void)
{
    static const v3 corners[] = { { -0.5, -0.3, -0.2 }, { 0.5, -0.3, -0.2 }, { 0.5, 0.4, -0.2 },
                                  { -0.5, 0.4, -0.2 },  { -0.4, 0.1, 0.4 },  { 0.5, 0.0, 0.5 } };
    mesh *m = NULL;
    carom_error err = { 0 };
    CHECK_OK(hull_create(&m, corners, 6, &err), err);
    return m;
}

/* The hull of points on a sphere: many small faces. */
static inline mesh *exact_stone(void)
{
    v3 points[40];
    test_rng rng = { 11 };
    mesh *m = NULL;
    carom_error err = { 0 };
    for (int k = 0; k < 40; ++k) {
        points[k] = v3_scale(0.5, random_direction(&rng));
    }
    CHECK_OK(hull_create(&m, points, 40, &err), err);
    return m;
}

static inline exact_set exact_make_set(void)
{
    exact_set set = { .wedge = exact_wedge(), .many = exact_stone() };
    const struct {
        rig_shape shape;
        const mesh *m;
    } kinds[EXACT_SHAPES] = {
        { { "plane", &rig_plane }, NULL },         { { "box", &rig_box }, NULL },
        { { "sphere", &rig_sphere }, NULL },       { { "cylinder", &rig_cylinder }, NULL },
        { { "capsule", &rig_capsule }, NULL },     { { "cone", &rig_cone }, NULL },
        { { "mesh", &rig_mesh }, set.wedge },      { { "mesh", &rig_mesh }, set.many },
        { { "ellipsoid", &rig_ellipsoid }, NULL },
    };
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    for (int k = 0; k < EXACT_SHAPES; ++k) {
        set.of[k] = make_collider(kinds[k].shape.kind, kinds[k].shape.params, kinds[k].m, &o);
    }
    return set;
}

static inline void exact_free_set(exact_set *set)
{
    for (int k = 0; k < EXACT_SHAPES; ++k) {
        collider_destroy(set->of[k]);
    }
    mesh_destroy(set->wedge);
    mesh_destroy(set->many);
}

/* Two planes never meet. */
static inline bool exact_pair_taken(int a, int b)
{
    return !(a == EXACT_PLANE && b == EXACT_PLANE);
}

/* Both turned at random, A moved along a random line until it is about `depth` deep. False: the line misses. */
static inline bool exact_touching_poses(test_rng *rng, exact_list *list, const collider *const c[2], double depth,
                                        carom_pose pose[2])
{
    v3 way = random_direction(rng);
    v3 aside = v3_scale(0.2, random_direction(rng));
    pose[0].orientation = random_turn(rng);
    pose[1] = (carom_pose){ random_v3(rng, 1.0), random_turn(rng) };
    double in = 0.0;
    double out = 4.0;
    for (int i = 0; i < 40; ++i) {
        double middle = 0.5 * (in + out);
        pose[0].position = v3_axpy(v3_add(pose[1].position, aside), middle, way);
        *(exact_evaluate(list, c, pose).deepest > depth ? &in : &out) = middle;
    }
    double deepest = exact_evaluate(list, c, pose).deepest;
    return deepest > 0.5 * depth && deepest < 2.0 * depth;
}

static inline carom_pose exact_moved(carom_pose p, int freedom, double by)
{
    v3 axis = v3_make(freedom % 3 == 0, freedom % 3 == 1, freedom % 3 == 2);
    if (freedom < 3) {
        p.position = v3_axpy(p.position, by, axis);
    } else {
        quat turn = { cos(0.5 * by), sin(0.5 * by) * axis.x, sin(0.5 * by) * axis.y, sin(0.5 * by) * axis.z };
        p.orientation = q_mul(turn, p.orientation);
    }
    return p;
}

#endif
