/* Pairs of features of two colliders: the smallest gap is the distance, by brute force over triangles; contact of faces
 * is the polygon they share; touching is found whatever the rounding; bounds hold what they promise. */
#include "gap_rigs.h"
#include "geometry/bvh.h"
#include "geometry/triangle.h"

/* ---- distance by brute force ----------------------------------------------------------------------------------------- */

static double segment_distance(v3 p, v3 a, v3 b)
{
    v3 along = v3_sub(b, a);
    double s = fmax(0.0, fmin(1.0, v3_dot(v3_sub(p, a), along) / v3_norm2(along)));
    return v3_norm(v3_sub(p, v3_axpy(a, s, along)));
}

/* Of two segments: inside both, or at one of four ends. */
static double segments_distance(v3 a, v3 b, v3 c, v3 d)
{
    double ends = fmin(fmin(segment_distance(a, c, d), segment_distance(b, c, d)),
                       fmin(segment_distance(c, a, b), segment_distance(d, a, b)));
    v3 u = v3_sub(b, a), v = v3_sub(d, c), w = v3_sub(a, c);
    double uu = v3_norm2(u), uv = v3_dot(u, v), vv = v3_norm2(v);
    double below = uu * vv - uv * uv;
    double s = (uv * v3_dot(v, w) - vv * v3_dot(u, w)) / below;
    double t = (uu * v3_dot(v, w) - uv * v3_dot(u, w)) / below;
    bool inside = below > 1e-14 * uu * vv && s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
    return inside ? fmin(ends, v3_norm(v3_sub(v3_axpy(w, s, u), v3_scale(t, v)))) : ends;
}

static double triangles_distance(const v3 a[3], const v3 b[3])
{
    double distance = HUGE_VAL;
    if (triangles_meet(a, b)) {
        return 0.0;
    }
    for (int i = 0; i < 3; ++i) {
        v3 nearest;
        int feature;
        distance = fmin(distance, sqrt(triangle_closest(a[i], b[0], b[1], b[2], &nearest, &feature)));
        distance = fmin(distance, sqrt(triangle_closest(b[i], a[0], a[1], a[2], &nearest, &feature)));
        for (int j = 0; j < 3; ++j) {
            distance = fmin(distance, segments_distance(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
        }
    }
    return distance;
}

static void corners_of(const mesh *m, int t, carom_pose pose, v3 out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = pose_apply(pose, m->vertices[m->triangles[t][k]]);
    }
}

static double meshes_distance(const mesh *a, const mesh *b, const carom_pose pose[2])
{
    double distance = HUGE_VAL;
    for (int i = 0; i < a->triangle_count; ++i) {
        v3 x[3], y[3];
        corners_of(a, i, pose[0], x);
        for (int j = 0; j < b->triangle_count; ++j) {
            corners_of(b, j, pose[1], y);
            distance = fmin(distance, triangles_distance(x, y));
        }
    }
    return distance;
}

/* A shape as a core of triangles (or a degenerate triangle: a point, a segment), rounded by a radius. */
typedef struct sample {
    collider *c;
    mesh *core;
    double radius;
} sample;

static mesh *line_mesh(v3 a, v3 b)
{
    mesh *m = mesh_create(3, 1);
    m->vertices[0] = a;
    m->vertices[1] = b;
    m->vertices[2] = v3_scale(0.5, v3_add(a, b));
    for (int k = 0; k < 3; ++k) {
        m->triangles[0][k] = k;
    }
    return m;
}

static sample box_sample(v3 size)
{
    carom_box_def box = { size };
    return (sample){ make_faceted("box", &box, NULL), box_mesh(v3_scale(-0.5, size), v3_scale(0.5, size)), 0.0 };
}

static sample line_sample(const char *kind, const void *params, double half, double radius)
{
    return (sample){ make_faceted(kind, params, NULL), line_mesh(v3_make(0, 0, -half), v3_make(0, 0, half)), radius };
}

static sample mesh_sample(mesh *m)
{
    carom_mesh_def def = { .file = "sample" };
    return (sample){ make_faceted("mesh", &def, m), m, 0.0 };
}

static void sample_free(sample *s)
{
    collider_destroy(s->c);
    mesh_destroy(s->core);
}

/* An L-shaped bar: reflex edges, faces that are no triangles. */
static mesh *angle_mesh(void)
{
    static const double points[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 0.3 }, { 0.3, 0.3 }, { 0.3, 1 }, { 0, 1 } };
    carom_polygon_point corner[6];
    for (int i = 0; i < 6; ++i) {
        corner[i].at = (carom_reals){ 2, points[i] };
    }
    carom_polygon_def def = { { 6, corner }, 0.4 };
    mesh *m = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_shape_type_find("polygon")->tessellate(&m, &def, (surface_grain){ 0 }, &err), err);
    return m;
}

static mesh *ball_mesh(int n)
{
    profile p = { 0 };
    profile_arc(&p, 0.0, 0.0, 0.5, -TEST_PI / 2.0, TEST_PI / 2.0, n);
    return revolve(&p, 2 * n);
}

/* Whether b is inside a; their surfaces do not meet. */
static bool holds(const sample *a, const sample *b, const carom_pose pose[2])
{
    v3 p = pose_apply(pose[1], b->core->vertices[0]);
    return collider_sample(a->c, q_unrotate(pose[0].orientation, v3_sub(p, pose[0].position))).distance < 0.0;
}

static void check_distance(const sample *a, const sample *b, const carom_pose pose[2], int *compared)
{
    gap_pair pair = pair_of(a->c, b->c);
    gap_list list = { 0 };
    double distance = meshes_distance(a->core, b->core, pose) - a->radius - b->radius;
    if (distance > 1e-3 && !holds(a, b, pose) && !holds(b, a, (const carom_pose[]){ pose[1], pose[0] })) {
        CHECK(gap_find(&list, &pair, pose, distance * 1.1 + 0.05));
        CHECK_NEAR(smallest_gap(&list, pose), distance, 1e-12);
        check_no_repeats(&list);
        CHECK(gap_find(&list, &pair, pose, distance * 0.999));
        CHECK_EQ(list.count, 0);
        ++*compared;
    }
    gap_list_free(&list);
}

TEST(gap_find, smallest_gap_is_the_distance)
{
    const carom_sphere_def ball = { 0.4 };
    const carom_capsule_def capsule = { 0.2, 0.9 };
    const carom_rod_def rod = { 1.2, 0.0 };
    sample samples[] = {
        box_sample(v3_make(1.0, 0.6, 0.8)),
        box_sample(v3_make(0.2, 0.3, 2.0)),
        line_sample("sphere", &ball, 0.0, ball.radius),
        line_sample("capsule", &capsule, 0.45, capsule.radius),
        line_sample("rod", &rod, 0.6, 0.0),
        mesh_sample(angle_mesh()),
        mesh_sample(ball_mesh(4)),
    };
    const int count = sizeof samples / sizeof *samples;
    int compared = 0;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            FOR_EACH_SEED(rng, 12) {
                carom_pose pose[2] = { random_pose(&rng, 0.5), random_pose(&rng, 0.5) };
                pose[0].position = v3_axpy(pose[0].position, test_rng_uniform(&rng, 0.4, 1.6),
                                           random_direction(&rng));
                check_distance(&samples[i], &samples[j], pose, &compared);
            }
        }
    }
    CHECK(compared > 200);
    for (int i = 0; i < count; ++i) {
        sample_free(&samples[i]);
    }
}

/* Cylinders and cones on a half-space: the height of the lowest point in closed form. */
TEST(gap_find, round_edges_meet_flat_faces_exactly)
{
    const carom_cylinder_def cylinder = { 0.5, 1.6 };
    const carom_cone_def cone = { 0.8, 1.5 };
    const carom_plane_def plane = { { 0, 0, 1 } };
    const carom_box_def table = { { 20, 20, 2 } };
    collider *round[] = { make_faceted("cylinder", &cylinder, NULL), make_faceted("cone", &cone, NULL) };
    collider *flat[] = { make_faceted("plane", &plane, NULL), make_faceted("box", &table, NULL) };
    gap_list list = { 0 };
    FOR_EACH_SEED(rng, 100) {
        for (int k = 0; k < 4; ++k) {
            carom_pose pose[2] = { { random_v3(&rng, 1.0), random_turn(&rng) }, { .orientation = q_identity() } };
            pose[1].position.z = k / 2 == 1 ? -1.0 : 0.0; /* top of the table at 0 */
            v3 axis = q_rotate(pose[0].orientation, v3_make(0, 0, 1));
            double across = sqrt(1.0 - axis.z * axis.z);
            double low = k % 2 == 0 ? -0.8 * fabs(axis.z) - 0.5 * across : fmin(-0.8 * across, 1.5 * axis.z);
            double gap = test_rng_uniform(&rng, 1e-6, 0.1);
            pose[0].position.z = gap - low;
            gap_pair pair = pair_of(round[k % 2], flat[k / 2]);
            CHECK(gap_find(&list, &pair, pose, gap + 1e-3));
            CHECK_NEAR(smallest_gap(&list, pose), gap, 1e-13);
        }
    }
    gap_list_free(&list);
    for (int k = 0; k < 2; ++k) {
        collider_destroy(round[k]);
        collider_destroy(flat[k]);
    }
}

static sample cylinder_sample(const carom_cylinder_def *def)
{
    sample s = { .c = make_faceted("cylinder", def, NULL) };
    carom_error err = { 0 };
    surface_grain grain = { .around = 96 };
    CHECK_OK(carom_shape_type_find("cylinder")->tessellate(&s.core, def, grain, &err), err);
    return s;
}

/* The side of a cylinder is exact, and so is its end; its rims are straight pieces but for flat faces: 0.12 % of the
 * radius. Of the brute force, too, which has 96 pieces. */
TEST(gap_find, cylinders_are_round)
{
    const carom_cylinder_def cylinder = { 0.5, 1.2 };
    const carom_capsule_def capsule = { 0.2, 0.9 };
    const double missing = 0.5 * (1.0 - cos(TEST_PI / 64.0)) + 0.5 * (1.0 - cos(TEST_PI / 96.0));
    sample samples[] = { cylinder_sample(&cylinder), box_sample(v3_make(1.0, 0.6, 0.8)),
                         line_sample("capsule", &capsule, 0.45, capsule.radius), mesh_sample(angle_mesh()) };
    gap_list list = { 0 };
    int compared = 0;
    for (int k = 0; k < 4; ++k) {
        FOR_EACH_SEED(rng, 12) {
            carom_pose pose[2] = { random_pose(&rng, 0.3), random_pose(&rng, 0.3) };
            pose[1].position = v3_axpy(pose[1].position, test_rng_uniform(&rng, 0.5, 1.8), random_direction(&rng));
            double distance = meshes_distance(samples[0].core, samples[k].core, pose) - samples[k].radius;
            if (distance < 0.01 || holds(&samples[0], &samples[k], pose)) {
                continue;
            }
            gap_pair pair = pair_of(samples[0].c, samples[k].c);
            CHECK(gap_find(&list, &pair, pose, distance + 0.05));
            CHECK_NEAR(smallest_gap(&list, pose), distance, k == 0 ? 2.0 * missing : missing);
            check_no_repeats(&list);
            ++compared;
        }
    }
    CHECK(compared > 15);
    gap_list_free(&list);
    for (int k = 0; k < 4; ++k) {
        sample_free(&samples[k]);
    }
}

/* A ball rolling around the middle of a cylinder sees no corners. */
TEST(gap_find, a_ball_beside_a_cylinder_is_exactly_as_far)
{
    const carom_cylinder_def cylinder = { 0.5, 1.2 };
    const carom_sphere_def ball = { 0.3 };
    collider *c = make_faceted("cylinder", &cylinder, NULL);
    collider *b = make_faceted("sphere", &ball, NULL);
    gap_pair pair = pair_of(b, c);
    gap_list list = { 0 };
    for (int k = 0; k < 100; ++k) {
        v3 out = v3_make(cos(0.37 * k), sin(0.37 * k), 0.0);
        carom_pose pose[2] = { { v3_axpy(v3_make(0, 0, 0.01 * k - 0.5), 0.8 + 1e-9 * k, out), q_identity() },
                               { .orientation = q_identity() } };
        CHECK(gap_find(&list, &pair, pose, 1e-3));
        CHECK_EQ(list.count, 1);
        CHECK_NEAR(measure_at(&list.items[0], pose).gap, 1e-9 * k, 1e-15);
        check_v3_near(measure_at(&list.items[0], pose).normal_w, out, 1e-15);
        CHECK_GE(gap_bounds(&list.items[0], &pair, pose), 0.09);
    }
    gap_list_free(&list);
    collider_destroy(b);
    collider_destroy(c);
}

/* Cylinders side by side touch along a line: where it ends. Standing on its end a cylinder has eight feet. */
TEST(gap_find, cylinders_lie_along_lines_and_stand_on_feet)
{
    const carom_cylinder_def longer = { 0.5, 1.2 }, shorter = { 0.2, 0.4 };
    const carom_plane_def plane = { { 0, 0, 1 } };
    collider *c[2] = { make_faceted("cylinder", &longer, NULL), make_faceted("cylinder", &shorter, NULL) };
    collider *floor = make_faceted("plane", &plane, NULL);
    gap_list list = { 0 };
    for (int k = -1; k <= 1; ++k) {
        for (int turned = 0; turned < 2; ++turned) {
            carom_pose pose[2] = { { { 0.7, 0, 0.1 }, q_axis_angle(v3_make(1, 0, 0), turned * 1e-9) },
                                   { .orientation = q_identity() } };
            pose[0].position.x += 1e-12 * k;
            gap_pair pair = pair_of(c[1], c[0]);
            CHECK(gap_find(&list, &pair, pose, 1e-4));
            CHECK_EQ(list.count, 2);
            CHECK_NEAR(smallest_gap(&list, pose), 1e-12 * k, 1e-15);
            CHECK_NEAR(fabs(measure_at(&list.items[0], pose).point_w.z - measure_at(&list.items[1], pose).point_w.z),
                       0.4, 1e-9);
        }
    }
    carom_pose standing[2] = { { { 0, 0, 0.6 }, q_identity() }, { .orientation = q_identity() } };
    gap_pair pair = pair_of(c[0], floor);
    CHECK(gap_find(&list, &pair, standing, 1e-4));
    CHECK_EQ(list.count, 8);
    CHECK_NEAR(smallest_gap(&list, standing), 0.0, 1e-16);
    gap_list_free(&list);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
    collider_destroy(floor);
}

/* ---- touching ------------------------------------------------------------------------------------------------------- */

static size_t count_touching(const gap_list *list, const carom_pose pose[2], double gap, v3 normal)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; ++i) {
        gap_value g = measure_at(&list->items[i], pose);
        if (fabs(g.gap) < 1e-6) {
            CHECK_NEAR(g.gap, gap, 1e-14);
            check_v3_near(g.normal_w, normal, 1e-12);
            ++count;
        }
    }
    return count;
}

/* Cylinders end on end, one turned and shifted: straight pieces of rims that nearly coincide are no contacts, nor are rims and
 * barrels side by side; every place is on the feet of one of them, or where rims cross, and the normal is up. */
TEST(gap_find, cylinders_end_on_end_stand_on_feet)
{
    const carom_cylinder_def lower = { 0.5, 1.2 }, upper = { 0.5, 0.4 };
    collider *c[2] = { make_faceted("cylinder", &upper, NULL), make_faceted("cylinder", &lower, NULL) };
    const double shift[] = { 0.0, 1e-12, 1e-6, 0.02, 0.09, 0.3 };
    const double turn[] = { 0.0, 1e-10, 0.01, 0.3 };
    gap_list list = { 0 };
    gap_pair pair = pair_of(c[0], c[1]);
    for (int i = 0; i < 6 * 4; ++i) {
        double x = shift[i % 6];
        carom_pose pose[2] = { { { 0.8 * x, 0.6 * x, 0.8 }, q_axis_angle(v3_make(0, 0, 1), turn[i / 6]) },
                               { .orientation = q_identity() } };
        CHECK(gap_find(&list, &pair, pose, 1e-9));
        size_t touching = 0;
        double outwards[2] = { HUGE_VAL, -HUGE_VAL };
        for (size_t k = 0; k < list.count; ++k) {
            gap_value g = measure_at(&list.items[k], pose);
            double along = 0.8 * g.point_w.x + 0.6 * g.point_w.y;
            CHECK_NEAR(fabs(g.gap), 0.0, 1e-12);
            check_v3_near(g.normal_w, v3_make(0, 0, 1), 1e-9);
            outwards[0] = fmin(outwards[0], along);
            outwards[1] = fmax(outwards[1], along);
            ++touching;
        }
        CHECK(touching >= 4 && touching <= 24);
        CHECK_LE(outwards[0], x - 0.9 * 0.5 * cos(0.3927)); /* no less than an octagon carries */
        CHECK(outwards[1] >= 0.9 * 0.5 * cos(0.3927));
    }
    gap_list_free(&list);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
}

/* A cylinder that tips over a floor stands on a foot while it is nearly level, and on its circle beyond: a contact that is
 * followed as the one is in the list as long as its bounds say so. */
TEST(gap_find, a_foot_gives_way_to_its_circle)
{
    const carom_cylinder_def cylinder = { 0.5, 1.2 };
    const carom_plane_def plane = { { 0, 0, 1 } };
    collider *c[2] = { make_faceted("cylinder", &cylinder, NULL), make_faceted("plane", &plane, NULL) };
    gap_pair pair = pair_of(c[0], c[1]);
    carom_pose level[2] = { { { 0, 0, 0.6 }, q_identity() }, { .orientation = q_identity() } };
    gap_list feet = { 0 }, list = { 0 };
    CHECK(gap_find(&feet, &pair, level, 1e-4));
    CHECK_EQ(feet.count, 8);
    const double tilt[] = { 0.0, 5e-3, 9.9e-3, 1.01e-2, 0.1 };
    for (int i = 0; i < 5; ++i) {
        double sine = sin(tilt[i]), cosine = cos(tilt[i]);
        carom_pose pose[2] = { { { 0, 0, 0.5 * sine + 0.6 * cosine }, q_axis_angle(v3_make(0, 1, 0), tilt[i]) },
                               { .orientation = q_identity() } };
        CHECK(gap_find(&list, &pair, pose, 0.2));
        bool round = false;
        for (size_t k = 0; k < list.count; ++k) {
            round = round || list.items[k].kind == GAP_CIRCLE_PLANE;
        }
        CHECK_EQ(round, tilt[i] > 1e-2);
        for (size_t k = 0; k < feet.count; ++k) {
            CHECK_EQ(gap_bounds(&feet.items[k], &pair, pose) >= 0.0, !round);
        }
    }
    gap_list_free(&feet);
    gap_list_free(&list);
    collider_destroy(c[0]);
    collider_destroy(c[1]);
}

/* A box on a larger one, lifted or sunk by what rounding leaves: its four corners, each once, with the normal up. */
TEST(gap_find, a_box_stands_on_four_corners)
{
    sample a = box_sample(v3_make(0.5, 0.4, 0.3));
    sample b = box_sample(v3_make(2.0, 2.0, 1.0));
    static const double gaps[] = { 0.0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-7, -1e-7 };
    gap_list list = { 0 };
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; ++k) {
        for (int turned = 0; turned < 2; ++turned) {
            quat q = q_axis_angle(v3_make(0, 0, 1), 0.3 * turned);
            carom_pose pose[2] = { { { 0.1, 0.2, 0.65 + gaps[k] }, q }, { .orientation = q_identity() } };
            gap_pair pair = pair_of(a.c, b.c);
            CHECK(gap_find(&list, &pair, pose, 1e-3));
            CHECK_EQ(list.count, 4);
            CHECK_EQ(count_touching(&list, pose, gaps[k], v3_make(0, 0, 1)), 4);
        }
    }
    gap_list_free(&list);
    sample_free(&a);
    sample_free(&b);
}

/* Equal boxes flush on each other: corners fall on corners, sides into planes of sides. Still four contacts. */
TEST(gap_find, flush_boxes_touch_at_four_corners)
{
    sample a = box_sample(v3_make(0.5, 0.4, 0.3));
    carom_pose pose[2] = { { { 0, 0, 0.3 }, q_identity() }, { .orientation = q_identity() } };
    gap_pair pair = pair_of(a.c, a.c);
    gap_list list = { 0 };
    CHECK(gap_find(&list, &pair, pose, 1e-3));
    CHECK_EQ(count_touching(&list, pose, 0.0, v3_make(0, 0, 1)), 4);
    CHECK_EQ(list.count, 4);
    gap_list_free(&list);
    sample_free(&a);
}

/* Two planks across each other touch where their edges cross. */
TEST(gap_find, crossed_planks_touch_at_crossings_of_edges)
{
    sample a = box_sample(v3_make(2.0, 0.3, 0.1));
    carom_pose pose[2] = { { { 0.05, 0.1, 0.1 }, q_axis_angle(v3_make(0, 0, 1), 1.2) },
                           { .orientation = q_identity() } };
    gap_pair pair = pair_of(a.c, a.c);
    gap_list list = { 0 };
    CHECK(gap_find(&list, &pair, pose, 1e-3));
    CHECK_EQ(count_touching(&list, pose, 0.0, v3_make(0, 0, 1)), 4);
    CHECK_EQ(list.count, 4);
    for (size_t i = 0; i < list.count; ++i) {
        CHECK_EQ(list.items[i].mode, CAROM_MODE_EDGE_EDGE);
        CHECK_GE(gap_bounds(&list.items[i], &pair, pose), 0.0);
    }
    gap_list_free(&list);
    sample_free(&a);
}

/* Edge on edge and parallel: no common normal of the edges, but the faces beside them are met. */
TEST(gap_find, parallel_edges_touch_by_their_faces)
{
    sample a = box_sample(v3_make(0.4, 1.0, 0.4));
    sample b = box_sample(v3_make(0.6, 0.7, 0.6));
    gap_pair pair = pair_of(a.c, b.c);
    gap_list list = { 0 };
    for (int tilt = 30; tilt <= 60; tilt += 5) {
        double angle = tilt * TEST_PI / 180.0;
        quat q[2] = { q_axis_angle(v3_make(0, 1, 0), angle), q_axis_angle(v3_make(0, 1, 0), TEST_PI / 4.0) };
        v3 lowest = q_rotate(q[0], v3_make(0.2, 0.0, -0.2));
        double height = 0.3 * sqrt(2.0);
        carom_pose pose[2] = { { v3_sub(v3_make(0, 0.1, height), lowest), q[0] }, { .orientation = q[1] } };
        CHECK(gap_find(&list, &pair, pose, 1e-6));
        CHECK_GE((double)list.count, 4.0); /* two normals at each end of the line they share */
        for (size_t i = 0; i < list.count; ++i) {
            gap_value g = measure_at(&list.items[i], pose);
            CHECK_NEAR(g.gap, 0.0, 1e-14);
            CHECK_NEAR(g.normal_w.y, 0.0, 1e-14);
            CHECK_GE(g.normal_w.z, 0.49);
        }
    }
    gap_list_free(&list);
    sample_free(&a);
    sample_free(&b);
}

typedef struct polygon2 {
    int count;
    v3 p[32];
} polygon2;

/* Sutherland and Hodgman: what of the polygon is on the inner side of the line through a and b. */
static polygon2 clip(const polygon2 *in, v3 a, v3 b)
{
    polygon2 out = { 0 };
    v3 inwards = v3_make(a.y - b.y, b.x - a.x, 0);
    for (int i = 0; i < in->count; ++i) {
        v3 p = in->p[i], q = in->p[(i + 1) % in->count];
        double dp = v3_dot(inwards, v3_sub(p, a)), dq = v3_dot(inwards, v3_sub(q, a));
        if (dp >= 0.0) {
            out.p[out.count++] = p;
        }
        if ((dp < 0.0) != (dq < 0.0)) {
            out.p[out.count++] = v3_axpy(p, dp / (dp - dq), v3_sub(q, p));
        }
    }
    return out;
}

static polygon2 rectangle(carom_pose pose, double x, double y)
{
    polygon2 out = { .count = 4 };
    static const double corner[4][2] = { { -0.5, -0.5 }, { 0.5, -0.5 }, { 0.5, 0.5 }, { -0.5, 0.5 } };
    for (int i = 0; i < 4; ++i) {
        out.p[i] = pose_apply(pose, v3_make(corner[i][0] * x, corner[i][1] * y, 0));
        out.p[i].z = 0.0;
    }
    return out;
}

/* Face on face at random: contacts are the corners of the intersection of both rectangles. */
TEST(gap_find, faces_share_a_polygon)
{
    sample a = box_sample(v3_make(1.0, 0.7, 0.3));
    sample b = box_sample(v3_make(0.8, 1.2, 0.5));
    gap_pair pair = pair_of(a.c, b.c);
    gap_list list = { 0 };
    FOR_EACH_SEED(rng, 100) {
        quat q = q_axis_angle(v3_make(0, 0, 1), test_rng_uniform(&rng, -3, 3));
        carom_pose pose[2] = { { random_v3(&rng, 0.3), q }, { .orientation = q_identity() } };
        pose[0].position.z = 0.4;
        polygon2 shared = rectangle(pose[0], 1.0, 0.7);
        polygon2 other = rectangle(pose[1], 0.8, 1.2);
        for (int i = 0; i < 4; ++i) {
            shared = clip(&shared, other.p[i], other.p[(i + 1) % 4]);
        }
        CHECK(gap_find(&list, &pair, pose, 1e-4));
        CHECK_EQ(list.count, shared.count);
        for (int i = 0; i < shared.count; ++i) {
            double nearest = HUGE_VAL;
            for (size_t k = 0; k < list.count; ++k) {
                v3 p = measure_at(&list.items[k], pose).point_w;
                nearest = fmin(nearest, hypot(p.x - shared.p[i].x, p.y - shared.p[i].y));
            }
            CHECK_LE(nearest, 1e-12);
        }
    }
    gap_list_free(&list);
    sample_free(&a);
    sample_free(&b);
}

/* A ball on each kind of feature of a box, touching to the last digit. */
TEST(gap_find, a_ball_meets_face_edge_and_corner)
{
    const carom_sphere_def ball = { 0.25 };
    sample a = line_sample("sphere", &ball, 0.0, ball.radius);
    sample b = box_sample(v3_make(1, 1, 1));
    static const struct {
        v3 at, out;
        carom_contact_mode mode;
    } cases[] = {
        { { 0.1, 0.2, 0.5 }, { 0, 0, 1 }, CAROM_MODE_BALL_FACE },
        { { 0.1, 0.5, 0.5 }, { 0, 0.6, 0.8 }, CAROM_MODE_BALL_EDGE },
        { { 0.5, 0.5, 0.5 }, { 0.48, 0.6, 0.64 }, CAROM_MODE_BALL_VERTEX },
    };
    gap_pair pair = pair_of(a.c, b.c);
    gap_list list = { 0 };
    for (int k = 0; k < 3; ++k) {
        for (int step = -3; step <= 3; ++step) {
            double gap = step * 1e-9;
            carom_pose pose[2] = { { v3_axpy(cases[k].at, 0.25 + gap, cases[k].out), q_identity() },
                                   { .orientation = q_identity() } };
            CHECK(gap_find(&list, &pair, pose, 1e-3));
            CHECK_EQ(list.count, 1);
            gap_value g = measure_at(&list.items[0], pose);
            CHECK_EQ(list.items[0].mode, cases[k].mode);
            CHECK_NEAR(g.gap, gap, 1e-15);
            check_v3_near(g.normal_w, cases[k].out, 1e-14);
            check_v3_near(g.point_w, v3_axpy(cases[k].at, 0.5 * gap, cases[k].out), 1e-15);
            CHECK_GE(gap_bounds(&list.items[0], &pair, pose), 0.01);
        }
    }
    gap_list_free(&list);
    sample_free(&a);
    sample_free(&b);
}

/* How far along a way box a touches box b, coming from afar. */
static double touch_along(v3 way, const sample *a, const sample *b, carom_pose pose[2])
{
    double far = 3.0, near = 0.0;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (far + near);
        pose[0].position = v3_scale(middle, way);
        obb box[2] = { obb_move(collider_box(a->c), pose[0]), obb_move(collider_box(b->c), pose[1]) };
        bool apart = obb_gap(&box[0], &box[1]) > 0.0; /* separating axes are exact in its sign */
        *(apart ? &far : &near) = middle;
    }
    return far;
}

/* Two boxes moved at random until they touch: the features found there touch, in bounds; farther in by less than the
 * depth allowed they are still in the list. */
TEST(gap_find, first_touch_is_in_the_list)
{
    sample a = box_sample(v3_make(1.0, 0.6, 0.8));
    sample b = box_sample(v3_make(0.5, 0.9, 0.4));
    gap_pair pair = pair_of(a.c, b.c);
    gap_list list = { 0 };
    FOR_EACH_SEED(rng, 300) {
        v3 way = random_direction(&rng);
        carom_pose pose[2] = { { .orientation = random_turn(&rng) }, { .orientation = random_turn(&rng) } };
        double far = touch_along(way, &a, &b, pose);
        for (int step = 0; step < 3; ++step) {
            pose[0].position = v3_scale(far - 1e-5 * step, way);
            CHECK(gap_find(&list, &pair, pose, 1e-4));
            double smallest = smallest_gap(&list, pose);
            CHECK_LE(smallest, step == 0 ? 1e-13 : 0.0);
            CHECK_GE(smallest, -1e-5 * step - 1e-13);
            bool in_bounds = false;
            for (size_t i = 0; i < list.count; ++i) {
                in_bounds = in_bounds || (measure_at(&list.items[i], pose).gap == smallest &&
                                          gap_bounds(&list.items[i], &pair, pose) >= 0.0);
            }
            CHECK(in_bounds);
        }
    }
    gap_list_free(&list);
    sample_free(&a);
    sample_free(&b);
}

/* A corner slides over the edge of a table: it is in the list while its bounds are not negative, to the last step. */
TEST(gap_find, bounds_and_list_agree_where_a_face_ends)
{
    sample a = box_sample(v3_make(0.5, 0.4, 0.3));
    sample b = box_sample(v3_make(2.0, 2.0, 1.0));
    gap_pair pair = pair_of(a.c, b.c);
    gap_list list = { 0 };
    carom_pose pose[2] = { { { 0.7, 0.1, 0.65 }, q_axis_angle(v3_make(0, 0, 1), 0.2) },
                           { .orientation = q_identity() } };
    CHECK(gap_find(&list, &pair, pose, 1e-6));
    gap_feature outer = list.items[0];
    for (size_t i = 0; i < list.count; ++i) {
        bool farther = measure_at(&list.items[i], pose).point_w.x > measure_at(&outer, pose).point_w.x;
        outer = farther ? list.items[i] : outer;
    }
    double start = pose[0].position.x + 1.0 - measure_at(&outer, pose).point_w.x; /* the corner is on the edge */
    bool seen[2] = { false, false };
    for (int step = -40; step <= 40; ++step) {
        pose[0].position.x = start + 1e-10 * step;
        CHECK(gap_find(&list, &pair, pose, 1e-6));
        bool listed = false;
        for (size_t i = 0; i < list.count; ++i) {
            const gap_feature *f = &list.items[i];
            listed = listed || (f->kind == outer.kind && f->swapped == outer.swapped &&
                                f->feature[0] == outer.feature[0] && f->feature[1] == outer.feature[1]);
        }
        bool inside = gap_bounds(&outer, &pair, pose) >= 0.0;
        CHECK_EQ(listed, inside);
        seen[listed] = true;
        CHECK(list.count >= 4); /* where a corner has left, edges cross */
    }
    CHECK(seen[0] && seen[1]);
    gap_list_free(&list);
    sample_free(&a);
    sample_free(&b);
}

/* ---- penetration ----------------------------------------------------------------------------------------------------- */

/* A little overlap counts as touching wherever on the face it is, at its very corner too and without any margin. */
TEST(gap_find, a_little_overlap_is_found_at_the_corner_of_a_face)
{
    sample a = box_sample(v3_make(1.0, 1.0, 1.0));
    sample b = box_sample(v3_make(1.0, 1.0, 1.0));
    gap_pair pair = pair_of(a.c, b.c);
    gap_list list = { 0 };
    quat on_a_corner = q_axis_angle(v3_unit(v3_make(1.0, -1.0, 0.0)), acos(1.0 / sqrt(3.0)));
    for (double depth = 9e-10; depth < 1e-3; depth *= 10.0) {
        v3 tip = v3_make(0.5, 0.5, 0.5 - depth);
        carom_pose pose[2] = { { v3_add(tip, v3_make(0.0, 0.0, 0.5 * sqrt(3.0))), on_a_corner },
                               { v3_zero(), q_identity() } };
        CHECK(gap_find(&list, &pair, pose, 0.0));
        bool found = false;
        for (size_t i = 0; i < list.count; ++i) {
            gap_value g = measure_at(&list.items[i], pose);
            bool up = g.normal_w.z > 1.0 - 1e-12;
            found = found || (list.items[i].mode == CAROM_MODE_VERTEX_FACE && up && fabs(g.gap + depth) < 1e-14);
        }
        CHECK(found);
    }
    gap_list_free(&list);
    sample_free(&a);
    sample_free(&b);
}

/* ---- sharp shapes ---------------------------------------------------------------------------------------------------- */

/* A blade: a long prism whose ridge is as sharp as its width is small. */
static mesh *blade_mesh(double width)
{
    mesh *m = mesh_create(6, 8);
    const double x[3] = { 0.0, 0.5 * width, -0.5 * width }, z[3] = { 0.0, 0.6, 0.6 };
    for (int i = 0; i < 6; ++i) {
        m->vertices[i] = v3_make(x[i % 3], i < 3 ? -0.5 : 0.5, z[i % 3]);
    }
    m->vertex_count = 6;
    m->triangle_count = 0;
    add_triangle(m, 0, 1, 2);
    add_triangle(m, 3, 5, 4);
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3;
        add_triangle(m, i, i + 3, next);
        add_triangle(m, next, i + 3, next + 3);
    }
    return m;
}

/* A needle: a slender tip at the origin that leans over. */
static mesh *needle_mesh(double lean)
{
    mesh *m = mesh_create(4, 4);
    m->vertices[0] = v3_zero();
    for (int i = 0; i < 3; ++i) {
        double angle = 2.0 * TEST_PI / 3.0 * i;
        m->vertices[i + 1] = v3_make(lean + 0.1 * cos(angle), 0.1 * sin(angle), 0.6);
    }
    m->vertex_count = 4;
    m->triangle_count = 0;
    add_triangle(m, 0, 1, 2);
    add_triangle(m, 0, 2, 3);
    add_triangle(m, 0, 3, 1);
    add_triangle(m, 1, 3, 2);
    return m;
}

/* Moves the first one along `way` until its distance is what is asked for; false: they do not come so near. */
static bool bring_near(const sample *a, const sample *b, v3 way, double distance, carom_pose pose[2])
{
    v3 from = pose[0].position;
    double far = 1.5, near = 0.0;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (far + near);
        pose[0].position = v3_axpy(from, middle, way);
        *(meshes_distance(a->core, b->core, pose) > distance ? &far : &near) = middle;
    }
    pose[0].position = v3_axpy(from, far, way);
    return near > 0.0 && meshes_distance(a->core, b->core, pose) > 0.5 * distance;
}

/* However sharp ridges and tips are: what is beside a ridge is not behind the face beyond it. */
TEST(gap_find, sharp_shapes_apart_touch_nothing)
{
    gap_list list = { 0 };
    int compared = 0;
    for (int k = 0; k < 4; ++k) {
        sample blade = mesh_sample(blade_mesh(k % 2 == 0 ? 0.1 : 0.6));
        sample needle = mesh_sample(needle_mesh(k / 2 == 0 ? 0.0 : 0.3));
        const sample *other[] = { &needle, &blade };
        FOR_EACH_SEED(rng, 150) {
            const sample *a = other[test_rng_uniform(&rng, 0.0, 1.0) < 0.7 ? 0 : 1];
            carom_pose pose[2] = { { .orientation = random_turn(&rng) }, { .orientation = random_turn(&rng) } };
            v3 on_ridge = v3_make(0.0, test_rng_uniform(&rng, -0.4, 0.4), 0.0);
            v3 inwards = v3_make(0.0, 0.0, pow(10.0, test_rng_uniform(&rng, -5.0, -2.5)));
            pose[0].position = pose_apply(pose[1], v3_add(on_ridge, inwards));
            double distance = pow(10.0, test_rng_uniform(&rng, -6.0, -3.5));
            gap_pair pair = pair_of(a->c, blade.c);
            if (bring_near(a, &blade, random_direction(&rng), distance, pose)) {
                CHECK(gap_find(&list, &pair, pose, 1e-2));
                CHECK_NEAR(smallest_gap(&list, pose), meshes_distance(a->core, blade.core, pose), 1e-9);
                ++compared;
            }
        }
        sample_free(&needle);
        sample_free(&blade);
    }
    CHECK(compared > 100);
    gap_list_free(&list);
}

/* ---- places on bodies ------------------------------------------------------------------------------------------------ */

/* Colliders anywhere on their bodies, bodies anywhere: only where surfaces are in the world counts. */
TEST(gap_find, places_of_colliders_on_bodies_do_not_matter)
{
    sample a = box_sample(v3_make(1.0, 0.6, 0.8));
    sample b = mesh_sample(angle_mesh());
    gap_list plain = { 0 }, moved = { 0 };
    FOR_EACH_SEED(rng, 50) {
        carom_pose world[2] = { random_pose(&rng, 1.5), random_pose(&rng, 0.3) };
        gap_pair simple = pair_of(a.c, b.c);
        gap_pair placed = { a.c, b.c, { random_pose(&rng, 1.0), random_pose(&rng, 1.0) } };
        carom_pose body[2];
        for (int k = 0; k < 2; ++k) {
            body[k].orientation = q_mul(world[k].orientation, q_conj(placed.pose_c[k].orientation));
            body[k].position = v3_sub(world[k].position, q_rotate(body[k].orientation, placed.pose_c[k].position));
        }
        CHECK(gap_find(&plain, &simple, world, 0.3));
        CHECK(gap_find(&moved, &placed, body, 0.3));
        CHECK_EQ(moved.count, plain.count);
        for (size_t i = 0; i < plain.count; ++i) {
            gap_value x = measure_at(&plain.items[i], world);
            gap_value y = measure_at(&moved.items[i], body);
            CHECK_NEAR(y.gap, x.gap, 1e-13);
            CHECK_LE(v3_norm(v3_sub(y.point_w, x.point_w)), 1e-6); /* near-parallel edges cross anywhere */
            CHECK_LE(v3_norm(v3_sub(y.normal_w, x.normal_w)), 1e-6);
        }
    }
    gap_list_free(&plain);
    gap_list_free(&moved);
    sample_free(&a);
    sample_free(&b);
}

/* The same value on the other list, with the normal turned round. */
static bool has_mirror(const gap_list *list, const carom_pose pose[2], const gap_value *g)
{
    bool found = false;
    for (size_t i = 0; i < list->count && !found; ++i) {
        gap_value h = measure_at(&list->items[i], pose);
        found = fabs(h.gap - g->gap) < 1e-13 && v3_norm(v3_sub(h.point_w, g->point_w)) < 1e-6 &&
                v3_norm(v3_add(h.normal_w, g->normal_w)) < 1e-6;
    }
    return found;
}

TEST(gap_find, exchange_of_the_colliders_turns_normals)
{
    const carom_capsule_def capsule = { 0.2, 0.9 };
    const carom_cylinder_def cylinder = { 0.3, 0.8 };
    const carom_rod_def rod = { 1.2, 0.0 };
    collider *c[] = { make_faceted("box", &rig_box, NULL), make_faceted("capsule", &capsule, NULL),
                      make_faceted("cylinder", &cylinder, NULL), make_faceted("rod", &rod, NULL) };
    gap_list there = { 0 }, back = { 0 };
    for (int k = 0; k < 16; ++k) {
        FOR_EACH_SEED(rng, 20) {
            carom_pose pose[2] = { random_pose(&rng, 1.2), random_pose(&rng, 0.3) };
            carom_pose turned[2] = { pose[1], pose[0] };
            gap_pair pair = pair_of(c[k / 4], c[k % 4]);
            gap_pair exchanged = pair_of(c[k % 4], c[k / 4]);
            CHECK(gap_find(&there, &pair, pose, 0.3));
            CHECK(gap_find(&back, &exchanged, turned, 0.3));
            CHECK_EQ(back.count, there.count);
            for (size_t i = 0; i < there.count; ++i) {
                gap_value g = measure_at(&there.items[i], pose);
                CHECK(has_mirror(&back, turned, &g));
            }
        }
    }
    gap_list_free(&there);
    gap_list_free(&back);
    for (int k = 0; k < 4; ++k) {
        collider_destroy(c[k]);
    }
}

/* ---- meshes as they come --------------------------------------------------------------------------------------------- */

static mesh *poor_box(bool inside_out, bool sliver)
{
    mesh *solid = box_mesh(v3_make(-0.5, -0.4, -0.3), v3_make(0.5, 0.4, 0.3));
    mesh *m = mesh_create(9, 14);
    memcpy(m->vertices, solid->vertices, 8 * sizeof *m->vertices);
    memcpy(m->triangles, solid->triangles, 12 * sizeof *m->triangles);
    m->vertices[8] = v3_make(0.0, 0.4, 0.3);
    m->vertex_count = sliver ? 9 : 8;
    m->triangle_count = 12;
    for (int t = 0; t < 12; ++t) {
        int *c = m->triangles[t];
        if (sliver && c[0] == 4 && c[1] == 7 && c[2] == 6) { /* halved; a triangle without area closes the gap */
            c[1] = 8;
            add_triangle(m, 4, 7, 8);
            add_triangle(m, 8, 7, 6);
        }
        int first = c[0];
        c[0] = inside_out ? c[1] : c[0];
        c[1] = inside_out ? first : c[1];
    }
    mesh_destroy(solid);
    return m;
}

/* A box as a mesh turned inside out, or with a triangle without area, stands on its corners like the box. */
TEST(gap_find, poor_meshes_of_a_box_are_boxes)
{
    const carom_plane_def plane = { { 0, 0, 1 } };
    collider *floor = make_faceted("plane", &plane, NULL);
    sample ball = line_sample("sphere", &rig_sphere, 0.0, rig_sphere.radius);
    gap_list list = { 0 };
    for (int k = 0; k < 3; ++k) {
        sample s = mesh_sample(poor_box(k == 1, k == 2));
        CHECK_EQ(s.core->triangle_count, k == 2 ? 14 : 12);
        for (int side = 0; side < 2; ++side) {
            carom_pose pose[2] = { { { 0, 0, 0.3 }, q_axis_angle(v3_make(1, 0, 0), side * TEST_PI) },
                                   { .orientation = q_identity() } };
            gap_pair pair = pair_of(s.c, floor);
            CHECK(gap_find(&list, &pair, pose, 1e-3));
            CHECK_GE((double)count_touching(&list, pose, 0.0, v3_make(0, 0, 1)), 4.0);
            carom_pose above[2] = { { { 0.1, 0.1, 1.1 }, q_identity() }, pose[0] };
            gap_pair on_top = pair_of(ball.c, s.c);
            CHECK(gap_find(&list, &on_top, above, 1e-3));
            CHECK_EQ(list.count, 1);
            CHECK_EQ(list.items[0].mode, CAROM_MODE_BALL_FACE);
            CHECK_NEAR(smallest_gap(&list, above), 0.0, 1e-15);
        }
        sample_free(&s);
    }
    gap_list_free(&list);
    sample_free(&ball);
    collider_destroy(floor);
}

/* No numbers, no features; everything within an infinite margin; half-spaces never meet by features. */
TEST(gap_find, strange_numbers_do_no_harm)
{
    const carom_plane_def plane = { { 0, 0, 1 } };
    sample a = box_sample(v3_make(1, 1, 1));
    collider *floor = make_faceted("plane", &plane, NULL);
    gap_pair pair = pair_of(a.c, a.c);
    gap_list list = { 0 };
    carom_pose pose[2] = { { { (double)NAN, 0, 0 }, q_identity() }, { .orientation = q_identity() } };
    CHECK(gap_find(&list, &pair, pose, 1.0));
    CHECK_EQ(list.count, 0);
    pose[0].position = v3_make(1e6, 2e6, 3e6);
    CHECK(gap_find(&list, &pair, pose, HUGE_VAL));
    CHECK_NEAR(smallest_gap(&list, pose), v3_norm(v3_make(1e6 - 1, 2e6 - 1, 3e6 - 1)), 1e-8);
    gap_pair planes = pair_of(floor, floor);
    CHECK(gap_find(&list, &planes, pose, 1.0));
    CHECK_EQ(list.count, 0);
    gap_list_free(&list);
    sample_free(&a);
    collider_destroy(floor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(gap_find, smallest_gap_is_the_distance),
        RUN_TEST(gap_find, round_edges_meet_flat_faces_exactly),
        RUN_TEST(gap_find, cylinders_are_round),
        RUN_TEST(gap_find, a_ball_beside_a_cylinder_is_exactly_as_far),
        RUN_TEST(gap_find, cylinders_lie_along_lines_and_stand_on_feet),
        RUN_TEST(gap_find, cylinders_end_on_end_stand_on_feet),
        RUN_TEST(gap_find, a_foot_gives_way_to_its_circle),
        RUN_TEST(gap_find, a_box_stands_on_four_corners),
        RUN_TEST(gap_find, flush_boxes_touch_at_four_corners),
        RUN_TEST(gap_find, crossed_planks_touch_at_crossings_of_edges),
        RUN_TEST(gap_find, parallel_edges_touch_by_their_faces),
        RUN_TEST(gap_find, faces_share_a_polygon),
        RUN_TEST(gap_find, a_ball_meets_face_edge_and_corner),
        RUN_TEST(gap_find, first_touch_is_in_the_list),
        RUN_TEST(gap_find, bounds_and_list_agree_where_a_face_ends),
        RUN_TEST(gap_find, a_little_overlap_is_found_at_the_corner_of_a_face),
        RUN_TEST(gap_find, sharp_shapes_apart_touch_nothing),
        RUN_TEST(gap_find, places_of_colliders_on_bodies_do_not_matter),
        RUN_TEST(gap_find, exchange_of_the_colliders_turns_normals),
        RUN_TEST(gap_find, poor_meshes_of_a_box_are_boxes),
        RUN_TEST(gap_find, strange_numbers_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
