/* Detection against brute force: all shapes, all methods, all features; pruning loses nothing; who finds what. */
#include "rigs.h"

#include <stdlib.h>

#include "collision/collider_parts.h"
#include "collision/deepest.h"

typedef struct rig_set {
    mesh *m;
    collider *colliders[RIG_SHAPES];
} rig_set;

static rig_set make_set(int method, int features)
{
    rig_set set = { .m = rig_torus() };
    collider_options o = rig_options(method, features);
    for (int k = 0; k < RIG_SHAPES; ++k) {
        set.colliders[k] = make_collider(rig_shapes[k].kind, rig_shapes[k].params, k == RIG_MESH ? set.m : NULL, &o);
    }
    return set;
}

static void free_set(rig_set *set)
{
    for (int k = 0; k < RIG_SHAPES; ++k) {
        collider_destroy(set->colliders[k]);
    }
    mesh_destroy(set->m);
}

/* ---- points -------------------------------------------------------------------------------------------------------- */

/* Every point alone: found exactly when its gap is below the margin; undecided within rounding. */
static size_t check_points(const hit_list *hits, const collider *field, const collider *points, carom_pose pose,
                           double margin)
{
    const double rounding = 1e-12;
    size_t k = 0;
    for (int i = 0; i < collider_point_count(points); ++i) {
        detection_point p = collider_point(points, i);
        v3 p_f = pose_apply(pose, p.r);
        field_sample f = collider_sample(field, p_f);
        double gap = f.distance - p.radius;
        bool found = k < hits->count && hits->items[k].feature == i;
        CHECK(found || gap >= margin - rounding);
        CHECK(!found || gap < margin + rounding);
        if (found) {
            const contact_hit *hit = &hits->items[k++];
            CHECK_NEAR(hit->gap, gap, rounding);
            CHECK_NEAR(hit->radius, p.radius, 0.0);
            CHECK_NEAR(hit->area, p.area, 0.0);
            check_v3_near(hit->p_f, p_f, rounding);
        }
    }
    CHECK_EQ(hits->count, k);
    return k;
}

TEST(detect, finds_the_points_of_brute_force)
{
    hit_list hits = { 0 };
    for (int method = DETECT_DIRECT; method <= DETECT_SDF_TREE; ++method) {
        rig_set set = make_set(method, FEATURES_POINTS);
        size_t total = 0;
        for (int a = 0; a < RIG_SHAPES; ++a) {
            for (int b = 0; b < RIG_SHAPES; ++b) {
                FOR_EACH_SEED(rng, 6) {
                    carom_pose pose = random_pose(&rng, 1.2);
                    double margin = seed_ % 3 == 0 ? 0.05 : seed_ % 3 == 1 ? 0.0 : -0.02;
                    hits.count = 0;
                    CHECK(detect_contacts(&hits, set.colliders[a], set.colliders[b], pose, margin));
                    total += check_points(&hits, set.colliders[a], set.colliders[b], pose, margin);
                }
            }
        }
        CHECK(total > 1000);
        free_set(&set);
    }
    hit_list_free(&hits);
}

static bool same_v3(v3 a, v3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_hits(const contact_hit *a, const contact_hit *b, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (a[i].feature != b[i].feature || a[i].gap != b[i].gap || a[i].radius != b[i].radius ||
            a[i].area != b[i].area || !same_v3(a[i].p_f, b[i].p_f) || !same_v3(a[i].gradient_f, b[i].gradient_f)) {
            return false;
        }
    }
    return true;
}

/* Same field, same points, bit for bit: with the tree of points and without, coarse grids of all kinds included. */
TEST(detect, pruning_loses_nothing)
{
    static const int kinds[] = { SDF_DENSE, SDF_BRICKS, SDF_OCTREE };
    mesh *m = rig_torus();
    hit_list all = { 0 };
    hit_list pruned = { 0 };
    for (int k = 0; k < 6; ++k) {
        collider_options o = rig_options(DETECT_SDF, FEATURES_POINTS);
        o.field.kind = kinds[k % 3];
        o.field.resolution = k < 3 ? 12 : 40;
        collider *without = make_collider("mesh", &rig_mesh, m, &o);
        o.method = DETECT_SDF_TREE;
        collider *with = make_collider("mesh", &rig_mesh, m, &o);
        size_t total = 0;
        FOR_EACH_SEED(rng, 60) {
            carom_pose pose = random_pose(&rng, 1.5);
            all.count = pruned.count = 0;
            CHECK(detect_contacts(&all, without, without, pose, 0.01));
            CHECK(detect_contacts(&pruned, with, with, pose, 0.01));
            CHECK_EQ(all.count, pruned.count);
            CHECK(same_hits(all.items, pruned.items, all.count));
            total += all.count;
        }
        CHECK(total > 1000);
        collider_destroy(without);
        collider_destroy(with);
    }
    hit_list_free(&all);
    hit_list_free(&pruned);
    mesh_destroy(m);
}

/* Gaps of stored fields differ from the exact ones by no more than they say; gradients are those of the gap. */
/* What is asked is counted: every point when they are tried one by one; with the octree no more than all of them and all
 * cells, and at least those that touch. */
TEST(detect, counts_what_it_asks)
{
    rig_set all = make_set(DETECT_SDF, FEATURES_POINTS);
    rig_set tree = make_set(DETECT_SDF_TREE, FEATURES_POINTS);
    carom_pose pose = { v3_make(0.9, 0.1, 0.05), q_axis_angle(v3_make(0, 0, 1), 0.3) };
    for (int k = 0; k < RIG_SHAPES; ++k) {
        hit_list one = { 0 };
        hit_list other = { 0 };
        for (long search = 1; search <= 3; ++search) {
            CHECK(detect_contacts(&one, all.colliders[RIG_MESH], all.colliders[k], pose, 0.0));
            CHECK(detect_contacts(&other, tree.colliders[RIG_MESH], tree.colliders[k], pose, 0.0));
            CHECK_EQ(one.asked.searches, search);
            CHECK_EQ(one.asked.features, search * collider_point_count(all.colliders[k]));
            CHECK_EQ(one.asked.cells, 0);
            CHECK(other.asked.features <= one.asked.features);
            CHECK(other.asked.cells <= search * tree.colliders[k]->features.tree.cell_count);
            CHECK((long)other.count <= other.asked.features);
            CHECK_EQ(other.count, one.count);
        }
        hit_list_free(&one);
        hit_list_free(&other);
    }
    free_set(&all);
    free_set(&tree);
}

TEST(detect, methods_agree_up_to_their_fields)
{
    mesh *m = rig_torus();
    collider_options o = rig_options(DETECT_DIRECT, FEATURES_POINTS);
    collider *exact = make_collider("mesh", &rig_mesh, m, &o);
    o.method = DETECT_SDF_TREE;
    collider *grid = make_collider("mesh", &rig_mesh, m, &o);
    double bound = collider_field(grid)->error_bound;
    hit_list hits = { 0 };
    FOR_EACH_SEED(rng, 30) {
        carom_pose pose = random_pose(&rng, 0.8);
        hits.count = 0;
        CHECK(detect_contacts(&hits, grid, exact, pose, 0.0));
        for (size_t i = 0; i < hits.count; ++i) {
            field_sample f = collider_sample(exact, hits.items[i].p_f);
            if (fabs(f.distance) < 0.05) { /* near the surface, where the bound holds */
                CHECK_NEAR(hits.items[i].gap, f.distance, bound);
            }
        }
    }
    hit_list_free(&hits);
    collider_destroy(exact);
    collider_destroy(grid);
    mesh_destroy(m);
}

TEST(detect, appends_and_keeps_what_was_there)
{
    rig_set set = make_set(DETECT_SDF_TREE, FEATURES_POINTS);
    hit_list hits = { 0 };
    carom_pose near = { v3_make(0.1, 0.2, 0.0), q_identity() };
    carom_pose far = { v3_make(9.0, 0.0, 0.0), q_identity() };
    CHECK(detect_contacts(&hits, set.colliders[0], set.colliders[RIG_MESH], near, 0.0));
    size_t first = hits.count;
    contact_hit last = hits.items[first - 1];
    CHECK(first > 0);
    CHECK(detect_contacts(&hits, set.colliders[0], set.colliders[RIG_MESH], far, 0.0));
    CHECK_EQ(hits.count, first);
    CHECK(detect_contacts(&hits, set.colliders[0], set.colliders[RIG_MESH], near, 0.0));
    CHECK_EQ(hits.count, 2 * first);
    CHECK_EQ(hits.items[first - 1].feature, last.feature);
    CHECK(same_hits(hits.items, hits.items + first, first));
    carom_pose nowhere = { v3_make((double)NAN, 0.0, 0.0), q_identity() };
    CHECK(detect_contacts(&hits, set.colliders[0], set.colliders[RIG_MESH], nowhere, 0.0));
    CHECK_EQ(hits.count, 2 * first);
    CHECK(detect_contacts(&hits, set.colliders[RIG_MESH], set.colliders[0], nowhere, 0.0));
    hit_list_free(&hits);
    free_set(&set);
}

/* ---- smallest gap -------------------------------------------------------------------------------------------------- */

TEST(detect, distance_is_the_smallest_gap)
{
    for (int method = DETECT_DIRECT; method <= DETECT_SDF_TREE; ++method) {
        rig_set set = make_set(method, FEATURES_POINTS);
        for (int a = 0; a < RIG_SHAPES; ++a) {
            for (int b = 0; b < RIG_SHAPES; ++b) {
                FOR_EACH_SEED(rng, 4) {
                    carom_pose pose = random_pose(&rng, 3.0);
                    double limit = seed_ % 2 ? 0.5 : HUGE_VAL;
                    double smallest = limit;
                    for (int i = 0; i < collider_point_count(set.colliders[b]); ++i) {
                        detection_point p = collider_point(set.colliders[b], i);
                        double d = collider_sample(set.colliders[a], pose_apply(pose, p.r)).distance;
                        smallest = fmin(smallest, d - p.radius);
                    }
                    double found = detect_distance(set.colliders[a], set.colliders[b], pose, limit);
                    CHECK(found == smallest || fabs(found - smallest) <= 1e-12);
                }
            }
        }
        free_set(&set);
    }
}

/* ---- edges and triangles ------------------------------------------------------------------------------------------- */

static double densely_on_triangle(const collider_field_source *field, const v3 c[3])
{
    enum { N = 60 };
    int hint = -1;
    double lowest = HUGE_VAL;
    for (int i = 0; i <= N; ++i) {
        for (int j = 0; j <= N - i; ++j) {
            v3 p = v3_axpy(v3_axpy(c[0], (double)i / N, v3_sub(c[1], c[0])), (double)j / N, v3_sub(c[2], c[0]));
            lowest = fmin(lowest, field_source_distance(field, p, &hint));
        }
    }
    return lowest;
}

static double densely_on_edge(const collider_field_source *field, v3 a, v3 b)
{
    enum { N = 1000 };
    int hint = -1;
    double lowest = HUGE_VAL;
    for (int i = 0; i <= N; ++i) {
        lowest = fmin(lowest, field_source_distance(field, v3_axpy(a, (double)i / N, v3_sub(b, a)), &hint));
    }
    return lowest;
}

/* On edges and triangles smaller than the shape the search finds the lowest of a dense sampling, or a lower one; the
 * point it names has the value it names and lies on the triangle. */
TEST(detect, local_search_finds_the_deepest_point)
{
    rig_set set = make_set(DETECT_DIRECT, FEATURES_POINTS);
    int missed = 0;
    for (int k = 0; k < RIG_SHAPES; ++k) {
        const collider_field_source *field = &set.colliders[k]->field;
        FOR_EACH_SEED(rng, 60) {
            v3 at = random_v3(&rng, 0.8);
            v3 c[3] = { v3_add(at, random_v3(&rng, 0.2)), v3_add(at, random_v3(&rng, 0.2)),
                        v3_add(at, random_v3(&rng, 0.2)) };
            int hint = -1;
            deep_point on_edge = deepest_on_edge(field, c[0], c[1], &hint);
            deep_point on_face = deepest_on_triangle(field, c, &hint);
            v3 nearest;
            int feature;
            CHECK_LE(sqrt(triangle_closest(on_face.p, c[0], c[1], c[2], &nearest, &feature)), 1e-12);
            CHECK_NEAR(collider_sample(set.colliders[k], on_face.p).distance, on_face.distance, 1e-12);
            CHECK_NEAR(collider_sample(set.colliders[k], on_edge.p).distance, on_edge.distance, 1e-12);
            missed += on_edge.distance > densely_on_edge(field, c[0], c[1]) + 1e-5;
            missed += on_face.distance > densely_on_triangle(field, c) + 1e-3;
        }
    }
    CHECK_LE(missed, 2); /* local search: of 840, in a field with two valleys */
    free_set(&set);
}

TEST(detect, edges_and_faces_find_all_whose_dense_samples_touch)
{
    hit_list hits = { 0 };
    for (int features = FEATURES_EDGES; features <= FEATURES_FACES; ++features) {
        rig_set set = make_set(DETECT_SDF_TREE, features);
        size_t total = 0;
        for (int a = 0; a < RIG_SHAPES; ++a) {
            FOR_EACH_SEED(rng, 2) {
                const collider *points = set.colliders[seed_ % 2 ? 0 : RIG_MESH];
                const surface_features *f = &points->features;
                carom_pose pose = random_pose(&rng, 0.9);
                hits.count = 0;
                CHECK(detect_contacts(&hits, set.colliders[a], points, pose, 0.0));
                size_t k = 0;
                int n = features == FEATURES_EDGES ? 2 : 3;
                for (int i = 0; i < f->count; ++i) {
                    bool found = k < hits.count && hits.items[k].feature == i;
                    double lowest = HUGE_VAL;
                    int hint = -1;
                    for (int c = 0; c <= n; ++c) { /* corners and the centre */
                        const v3 *corner = f->corners + (size_t)n * (size_t)f->places[i];
                        v3 center = v3_scale(1.0 / n,
                                             v3_add(corner[0], v3_add(corner[1], n == 3 ? corner[2] : v3_zero())));
                        v3 p_f = pose_apply(pose, c < n ? corner[c] : center);
                        lowest = fmin(lowest, field_source_sample(&set.colliders[a]->field, p_f, &hint).distance);
                    }
                    CHECK(found || lowest >= -1e-9);
                    /* a local search stops at the step between a grid and the exact distance beyond its band */
                    CHECK(!found || hits.items[k].gap <= lowest + 1e-9 + set.colliders[a]->field.slack);
                    k += found;
                }
                CHECK_EQ(k, hits.count);
                total += k;
            }
        }
        CHECK(total > 500);
        free_set(&set);
    }
    hit_list_free(&hits);
}

static size_t count_hits(const char *kind, const void *params, int features, double spacing, carom_pose pose,
                         double *deepest)
{
    collider_options o = rig_options(DETECT_SDF_TREE, features);
    o.spacing = spacing;
    collider *c = make_collider(kind, params, NULL, &o);
    hit_list hits = { 0 };
    CHECK(detect_contacts(&hits, c, c, pose, 0.0));
    *deepest = HUGE_VAL;
    for (size_t i = 0; i < hits.count; ++i) {
        *deepest = fmin(*deepest, hits.items[i].gap);
    }
    size_t count = hits.count;
    hit_list_free(&hits);
    collider_destroy(c);
    return count;
}

/* Two boxes whose edges cross, one upon the other: no corner is inside the other, yet they overlap by 0.01. */
TEST(detect, crossed_edges_are_found_by_edges_not_by_corners)
{
    static const carom_box_def cube = { { 1.0, 1.0, 1.0 } };
    const double half_diagonal = sqrt(0.5);
    quat lying = q_axis_angle(v3_make(1, 0, 0), TEST_PI / 4.0); /* an edge along x on top */
    quat across = q_mul(q_axis_angle(v3_make(0, 0, 1), TEST_PI / 2.0), lying);
    carom_pose pose_in_world = { v3_make(0.0, 0.0, 2.0 * half_diagonal - 0.01), across };
    carom_pose pose = { q_unrotate(lying, pose_in_world.position), q_mul(q_conj(lying), across) };
    double deepest;
    CHECK_EQ(count_hits("box", &cube, FEATURES_POINTS, 2.0, pose, &deepest), 0);
    CHECK(count_hits("box", &cube, FEATURES_EDGES, 2.0, pose, &deepest) >= 1);
    CHECK_NEAR(deepest, -0.01 * sqrt(0.5), 1e-6); /* the edge enters a roof of 45 degrees */
    CHECK(count_hits("box", &cube, FEATURES_FACES, 2.0, pose, &deepest) >= 1);
    CHECK_NEAR(deepest, -0.01 * sqrt(0.5), 1e-6);
}

/* A large coarse face pressed on a small bump: the points of the bump are in the field of the face; the triangles of
 * the face find the bump in its field, its corners do not. */
TEST(detect, face_on_bump_is_found_from_both_sides)
{
    static const carom_box_def slab = { { 4.0, 4.0, 1.0 } };
    static const carom_cylinder_def bump = { 0.05, 0.2 };
    for (int features = FEATURES_POINTS; features <= FEATURES_FACES; ++features) {
        collider_options o = rig_options(DETECT_SDF_TREE, features);
        o.spacing = 5.0; /* corners of the slab only */
        collider *big = make_collider("box", &slab, NULL, &o);
        collider *small = make_collider("cylinder", &bump, NULL, &o);
        carom_pose pose = { v3_make(0.37, -0.61, 0.5 + 0.1 - 0.004), q_identity() };
        carom_pose inverse = { v3_neg(pose.position), q_identity() };
        hit_list hits = { 0 };
        CHECK(detect_contacts(&hits, big, small, pose, 0.0));
        CHECK(hits.count > 0);
        CHECK_NEAR(hits.items[0].gap, -0.004, 1e-12);
        check_v3_near(hits.items[0].gradient_f, v3_make(0, 0, 1), 1e-12);
        hits.count = 0;
        CHECK(detect_contacts(&hits, small, big, inverse, 0.0));
        CHECK(features == FEATURES_FACES ? hits.count > 0 : features == FEATURES_POINTS ? hits.count == 0 : true);
        if (hits.count > 0) {
            CHECK_NEAR(hits.items[0].gap, -0.004, 1e-4);
        }
        hit_list_free(&hits);
        collider_destroy(big);
        collider_destroy(small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(detect, finds_the_points_of_brute_force),
        RUN_TEST(detect, pruning_loses_nothing),
        RUN_TEST(detect, counts_what_it_asks),
        RUN_TEST(detect, methods_agree_up_to_their_fields),
        RUN_TEST(detect, appends_and_keeps_what_was_there),
        RUN_TEST(detect, distance_is_the_smallest_gap),
        RUN_TEST(detect, local_search_finds_the_deepest_point),
        RUN_TEST(detect, edges_and_faces_find_all_whose_dense_samples_touch),
        RUN_TEST(detect, crossed_edges_are_found_by_edges_not_by_corners),
        RUN_TEST(detect, face_on_bump_is_found_from_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
