/* Pairs of solids, their potential by exact features and its derivative. */
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

enum {
    EXACT_SHAPES = 12,
    EXACT_PLANE = 0,
    EXACT_CYLINDER = 3,
    EXACT_CONE = 5,
    EXACT_STONE = 7,
    EXACT_ELLIPSOID = 8,
    EXACT_BRACKET = 9, /* from here on: not convex */
    EXACT_FRAME = 10,
    EXACT_TORUS = 11
};

typedef struct exact_set {
    mesh *wedge, *many, *bracket, *frame;
    collider *of[EXACT_SHAPES];
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

static inline void exact_put(mesh *m, int *t, int a, int b, int c)
{
    m->triangles[*t][0] = a;
    m->triangles[*t][1] = b;
    m->triangles[(*t)++][2] = c;
}

/* From z = -half to half: n corners of an outline, counter-clockwise, with these triangles between them. */
static inline mesh *exact_prism(const double (*outline)[2], int n, const int (*caps)[3], int cap_count,
                                const int (*sides)[2], double half)
{
    mesh *m = mesh_create(2 * n, 2 * cap_count + 2 * n);
    int t = 0;
    for (int k = 0; k < 2 * n; ++k) {
        m->vertices[k] = v3_make(outline[k % n][0], outline[k % n][1], k < n ? -half : half);
    }
    for (int k = 0; k < cap_count; ++k) {
        exact_put(m, &t, n + caps[k][0], n + caps[k][1], n + caps[k][2]);
        exact_put(m, &t, caps[k][2], caps[k][1], caps[k][0]);
    }
    for (int k = 0; k < n; ++k) {
        int a = sides[k][0];
        int b = sides[k][1];
        exact_put(m, &t, a, b, n + b);
        exact_put(m, &t, a, n + b, n + a);
    }
    return m;
}

/* An L: eight ends of creases, two corners where they end at a reflex edge. */
static inline mesh *exact_bracket(void)
{
    static const double outline[][2] = { { -0.4, -0.4 }, { 0.6, -0.4 }, { 0.6, -0.1 },
                                         { -0.1, -0.1 }, { -0.1, 0.5 }, { -0.4, 0.5 } };
    static const int caps[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 0, 4, 5 } };
    static const int sides[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 0 } };
    return exact_prism(outline, 6, caps, 4, sides, 0.25);
}

/* A square with a hole that is turned in it. */
static inline mesh *exact_frame(void)
{
    static const double outline[][2] = { { -0.5, -0.5 }, { 0.5, -0.5 }, { 0.5, 0.5 }, { -0.5, 0.5 },
                                         { -0.3, -0.2 }, { 0.2, -0.3 }, { 0.3, 0.2 }, { -0.2, 0.3 } };
    static const int caps[][3] = { { 0, 1, 5 }, { 0, 5, 4 }, { 1, 2, 6 }, { 1, 6, 5 },
                                   { 2, 3, 7 }, { 2, 7, 6 }, { 3, 0, 4 }, { 3, 4, 7 } };
    static const int sides[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 5, 4 }, { 6, 5 }, { 7, 6 }, { 4, 7 } };
    return exact_prism(outline, 8, caps, 8, sides, 0.2);
}

/* What shapes of a set are made with. */
typedef struct exact_sizes {
    carom_plane_def plane;
    carom_box_def box;
    carom_sphere_def sphere;
    carom_cylinder_def cylinder;
    carom_capsule_def capsule;
    carom_cone_def cone;
    carom_ellipsoid_def ellipsoid;
    carom_torus_def torus;
    v3 meshes; /* factors along the axes of each mesh */
} exact_sizes;

static inline exact_sizes exact_rig_sizes(void)
{
    return (exact_sizes){ rig_plane, rig_box,       rig_sphere, rig_cylinder,     rig_capsule,
                          rig_cone,  rig_ellipsoid, rig_ring,   { 1.0, 1.0, 1.0 } };
}

/* Thin and thick, flat and long: each size between a tenth and three halves. */
static inline exact_sizes exact_random_sizes(test_rng *rng)
{
    double x[18];
    for (int k = 0; k < 18; ++k) {
        x[k] = pow(10.0, test_rng_uniform(rng, -1.0, 0.18));
    }
    return (exact_sizes){ .plane = { random_direction(rng) },
                          .box = { { x[0], x[1], x[2] } },
                          .sphere = { 0.5 * x[3] },
                          .cylinder = { 0.5 * x[4], x[5] },
                          .capsule = { 0.5 * x[6], x[7] },
                          .cone = { 0.5 * x[8], x[9] },
                          .ellipsoid = { { 0.5 * x[10], 0.5 * x[11], 0.5 * x[12] } },
                          .torus = { 0.5 * fmax(x[0], x[1]), 0.4 * fmin(x[0], x[1]) },
                          .meshes = { x[13], x[14], x[15] } };
}

static inline mesh *exact_stretched(mesh *m, v3 by)
{
    for (int k = 0; k < m->vertex_count; ++k) {
        m->vertices[k] = v3_make(by.x * m->vertices[k].x, by.y * m->vertices[k].y, by.z * m->vertices[k].z);
    }
    return m;
}

static inline exact_set exact_make_set_of(const exact_sizes *sizes)
{
    exact_set set = { .wedge = exact_stretched(exact_wedge(), sizes->meshes),
                      .many = exact_stretched(exact_stone(), sizes->meshes),
                      .bracket = exact_stretched(exact_bracket(), sizes->meshes),
                      .frame = exact_stretched(exact_frame(), sizes->meshes) };
    const struct {
        rig_shape shape;
        const mesh *m;
    } kinds[EXACT_SHAPES] = {
        { { "plane", &sizes->plane }, NULL },         { { "box", &sizes->box }, NULL },
        { { "sphere", &sizes->sphere }, NULL },       { { "cylinder", &sizes->cylinder }, NULL },
        { { "capsule", &sizes->capsule }, NULL },     { { "cone", &sizes->cone }, NULL },
        { { "mesh", &rig_mesh }, set.wedge },         { { "mesh", &rig_mesh }, set.many },
        { { "ellipsoid", &sizes->ellipsoid }, NULL }, { { "mesh", &rig_mesh }, set.bracket },
        { { "mesh", &rig_mesh }, set.frame },         { { "torus", &sizes->torus }, NULL },
    };
    collider_options o = rig_options(DETECT_SDF_TREE, FEATURES_EXACT);
    for (int k = 0; k < EXACT_SHAPES; ++k) {
        set.of[k] = make_collider(kinds[k].shape.kind, kinds[k].shape.params, kinds[k].m, &o);
    }
    return set;
}

static inline exact_set exact_make_set(void)
{
    exact_sizes sizes = exact_rig_sizes();
    return exact_make_set_of(&sizes);
}

static inline void exact_free_set(exact_set *set)
{
    for (int k = 0; k < EXACT_SHAPES; ++k) {
        collider_destroy(set->of[k]);
    }
    mesh_destroy(set->wedge);
    mesh_destroy(set->many);
    mesh_destroy(set->bracket);
    mesh_destroy(set->frame);
}

/* Two planes never meet; ellipsoids and tori are not tried in what is not convex. */
static inline bool exact_tried_in_convex_ones(int k)
{
    return k == EXACT_ELLIPSOID || k == EXACT_TORUS;
}

static inline bool exact_is_convex(int k)
{
    return k < EXACT_BRACKET;
}

static inline bool exact_pair_taken(int a, int b)
{
    return !(a == EXACT_PLANE && b == EXACT_PLANE) &&
           (!exact_tried_in_convex_ones(a) || exact_is_convex(b) || (a == EXACT_ELLIPSOID && b == EXACT_TORUS)) &&
           (!exact_tried_in_convex_ones(b) || exact_is_convex(a) || (b == EXACT_ELLIPSOID && a == EXACT_TORUS));
}

/* Two passes over all pairs: those with tori come in the second. */
static inline bool exact_pair_of_pass(int pass, int a, int b)
{
    return exact_pair_taken(a, b) && (pass == 1) == (a == EXACT_TORUS || b == EXACT_TORUS);
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
