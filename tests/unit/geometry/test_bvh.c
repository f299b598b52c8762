/* The tree of triangles: nearest points against brute force to the last bit, whatever the hint, the instruction set, the
 * size and place of the mesh and the shape of its triangles; and against a nearest point found another way. */
#include "geometry/bvh_focus.h"

#include "support/check.h"
#include "support/samples.h"

static bvh *tree_of(const mesh *m)
{
    carom_error err = { 0 };
    bvh *t = NULL;
    CHECK_OK(bvh_create(&t, m, &err), err);
    return t;
}

/* ---- one triangle ------------------------------------------------------------------------------------------------ */

static double segment_dist2(v3 p, v3 a, v3 b)
{
    v3 ab = v3_sub(b, a);
    double length2 = v3_norm2(ab);
    double s = length2 > 0.0 ? fmin(1.0, fmax(0.0, v3_dot(v3_sub(p, a), ab) / length2)) : 0.0;
    return v3_norm2(v3_sub(p, v3_axpy(a, s, ab)));
}

/* The plane where the foot of the perpendicular lies in the triangle, else the nearest edge. */
static double other_dist2(v3 p, v3 a, v3 b, v3 c)
{
    v3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double best = fmin(segment_dist2(p, a, b), fmin(segment_dist2(p, b, c), segment_dist2(p, c, a)));
    bool over = v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(p, a))) > 0.0 &&
                v3_dot(n, v3_cross(v3_sub(c, b), v3_sub(p, b))) > 0.0 &&
                v3_dot(n, v3_cross(v3_sub(a, c), v3_sub(p, c))) > 0.0;
    double height = v3_dot(v3_sub(p, a), n);
    return over ? fmin(best, height * height / v3_norm2(n)) : best;
}

/* Is the point where the feature says it is? */
static void check_feature(v3 q, int feature, const v3 corner[3], double tolerance)
{
    if (feature < FEATURE_EDGE) {
        CHECK(v3_norm(v3_sub(q, corner[feature])) == 0.0);
    } else if (feature < FEATURE_FACE) {
        int k = feature - FEATURE_EDGE;
        CHECK_LE(sqrt(segment_dist2(q, corner[k], corner[(k + 1) % 3])), tolerance);
    } else {
        CHECK_LE(sqrt(other_dist2(q, corner[0], corner[1], corner[2])), tolerance);
    }
}

TEST(bvh, nearest_point_of_a_triangle)
{
    int seen[FEATURE_FACE + 1] = { 0 };
    FOR_EACH_SEED(rng, 20000) {
        const v3 corner[3] = { random_v3(&rng, 1.0), random_v3(&rng, 1.0), random_v3(&rng, 1.0) };
        v3 p = random_v3(&rng, 3.0);
        v3 q;
        int feature = -1;
        double dist2 = triangle_closest(p, corner[0], corner[1], corner[2], &q, &feature);
        CHECK_NEAR(sqrt(dist2), sqrt(other_dist2(p, corner[0], corner[1], corner[2])), 1e-13);
        CHECK_NEAR(sqrt(dist2), v3_norm(v3_sub(p, q)), 1e-14);
        check_feature(q, feature, corner, 1e-13);
        ++seen[feature];
    }
    for (int f = 0; f <= FEATURE_FACE; ++f) {
        CHECK_GE(seen[f], 300);
    }
}

/* Needles and flat triangles down to no height at all: never worse than the nearest edge, never better than possible. */
TEST(bvh, slivers_keep_their_distance)
{
    FOR_EACH_SEED(rng, 20000) {
        double height = pow(10.0, test_rng_uniform(&rng, -18.0, 0.0));
        v3 a = random_v3(&rng, 1.0);
        v3 along = random_direction(&rng);
        v3 across = v3_across(along);
        v3 b = v3_add(a, along);
        v3 c = v3_axpy(v3_axpy(a, test_rng_uniform(&rng, -0.5, 1.5), along), seed_ % 7 == 0 ? 0.0 : height, across);
        v3 p = v3_axpy(v3_axpy(a, test_rng_uniform(&rng, -0.5, 1.5), along), test_rng_uniform(&rng, -1, 1) * height,
                       across);
        p = seed_ % 2 ? p : v3_add(p, random_v3(&rng, 1.0));
        v3 q;
        int feature;
        double dist = sqrt(triangle_closest(p, a, b, c, &q, &feature));
        double edges = sqrt(fmin(segment_dist2(p, a, b), fmin(segment_dist2(p, b, c), segment_dist2(p, c, a))));
        CHECK_LE(dist, edges + 2e-11);
        if (height > 1e-4) { /* below, the other way is noise */
            CHECK_NEAR(dist, sqrt(other_dist2(p, a, b, c)), 1e-11);
        }
        CHECK_GE(dist, edges - 0.51 * height - 1e-14);
    }
}

/* ---- the tree against brute force -------------------------------------------------------------------------------- */

static bvh_hit brute_force(const mesh *m, v3 p, double limit2)
{
    bvh_hit best = { .triangle = -1, .dist2 = limit2, .point = p };
    for (int i = 0; i < m->triangle_count; ++i) {
        const int *c = m->triangles[i];
        bvh_hit hit = { .triangle = i };
        hit.dist2 = triangle_closest(p, m->vertices[c[0]], m->vertices[c[1]], m->vertices[c[2]], &hit.point,
                                     &hit.feature);
        best = hit.dist2 < best.dist2 ? hit : best;
    }
    return best;
}

static void check_same_hit(bvh_hit a, bvh_hit b)
{
    CHECK_EQ(a.triangle, b.triangle);
    CHECK_NEAR(a.dist2, b.dist2, 0.0);
    CHECK_EQ(a.feature, b.feature);
    CHECK(memcmp(&a.point, &b.point, sizeof a.point) == 0);
}

/* From far away to on the surface itself. */
static v3 random_probe(test_rng *rng, const mesh *m)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    double size = v3_norm(v3_sub(high, low)) + 1e-300;
    const int *c = m->triangles[(int)test_rng_uniform(rng, 0, m->triangle_count)];
    v3 on = v3_scale(0.5, v3_add(m->vertices[c[0]], m->vertices[c[1]]));
    double away = size * pow(10.0, test_rng_uniform(rng, -9.0, 2.0));
    return test_rng_uniform(rng, 0, 1) < 0.1 ? on : v3_axpy(on, away, random_direction(rng));
}

/* Also with hints, good and useless, with limits, and by the code for other processors. */
static void check_tree(const mesh *m, int probes, uint64_t seed)
{
    bvh *t = tree_of(m);
    test_rng rng = test_rng_seed(seed);
    int hint = -1;
    for (int i = 0; i < probes; ++i) {
        v3 p = random_probe(&rng, m);
        bvh_hit expected = brute_force(m, p, HUGE_VAL);
        check_same_hit(bvh_closest(t, p, -1, HUGE_VAL), expected);
        check_same_hit(bvh_closest(t, p, hint, HUGE_VAL), expected);
        check_same_hit(bvh_closest(t, p, expected.triangle, HUGE_VAL), expected);
        hint = (int)test_rng_uniform(&rng, 0, m->triangle_count);
        double limit2 = expected.dist2 * test_rng_uniform(&rng, 0.5, 1.5);
        check_same_hit(bvh_closest(t, p, hint, limit2), brute_force(m, p, limit2));
        t->wide = false;
        check_same_hit(bvh_closest(t, p, hint, HUGE_VAL), expected);
        t->wide = bvh_has_avx2();
    }
    bvh_destroy(t);
}

/* Triangles of sizes from 1 down to `smallest` anywhere in a cube. */
static mesh *random_soup(uint64_t seed, int count, double smallest)
{
    test_rng rng = test_rng_seed(seed);
    mesh *m = mesh_create(3 * count, count);
    assert_non_null(m);
    for (int i = 0; i < count; ++i) {
        double size = pow(smallest, test_rng_uniform(&rng, 0, 1));
        v3 at = random_v3(&rng, 1.0);
        for (int k = 0; k < 3; ++k) {
            m->vertices[3 * i + k] = v3_add(at, random_v3(&rng, size));
            m->triangles[i][k] = 3 * i + k;
        }
    }
    return m;
}

TEST(bvh, finds_what_brute_force_finds_in_soups)
{
    static const int counts[] = { 1, 2, 7, 8, 9, 16, 17, 31, 33, 64, 65, 100, 257, 1000, 3000 };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        mesh *m = random_soup(i + 1, counts[i], 1e-3);
        check_tree(m, counts[i] < 300 ? 300 : 100, i + 100);
        mesh_destroy(m);
    }
}

static mesh *sphere(double radius, int steps)
{
    profile p = { .closed = false };
    profile_arc(&p, 0.0, 0.0, radius, -0.5 * TEST_PI, 0.5 * TEST_PI, steps);
    return revolve(&p, 2 * steps);
}

static void scale_mesh(mesh *m, double factor, v3 offset)
{
    for (int i = 0; i < m->vertex_count; ++i) {
        m->vertices[i] = v3_axpy(offset, factor, m->vertices[i]);
    }
}

/* From a grain of dust to a planet, at home and far out: many triangles are equally near (vertices, symmetry). */
TEST(bvh, finds_it_at_any_size_and_place)
{
    static const double scales[] = { 1.0, 1e-3, 1e-30, 1e12, 1e-3, 1e-6, 1.0, 1e100 };
    static const double offsets[] = { 0.0, 0.0, 0.0, 0.0, 1e4, 1e4, 1e9, 0.0 };
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i) {
        mesh *m = i % 2 ? torus(1.0, 0.3, 40, 20) : sphere(1.0, 20);
        scale_mesh(m, scales[i], v3_make(offsets[i], -offsets[i], 0.5 * offsets[i]));
        check_tree(m, 150, i);
        mesh_destroy(m);
    }
}

TEST(bvh, degenerate_triangles_count_as_what_is_left)
{
    FOR_EACH_SEED(rng, 10) {
        mesh *m = random_soup((uint64_t)seed_, 200, 1e-4);
        for (int i = 0; i < 200; ++i) {
            int *c = m->triangles[i];
            v3 *r = m->vertices + 3 * i;
            if (i % 5 == 0) {
                c[2] = c[1]; /* a segment */
            } else if (i % 5 == 1) {
                c[1] = c[2] = c[0]; /* a point */
            } else if (i % 5 == 2) {
                r[2] = v3_axpy(r[0], test_rng_uniform(&rng, -1, 2), v3_sub(r[1], r[0])); /* nearly on a line */
            } else if (i % 5 == 3) {
                memcpy(c, m->triangles[i - 1], sizeof *m->triangles); /* twice the same */
            }
        }
        check_tree(m, 100, (uint64_t)seed_);
        mesh_destroy(m);
    }
}

TEST(bvh, equal_and_hostile_middles)
{
    mesh *m = random_soup(3, 500, 1.0);
    for (int i = 0; i < 500;
         ++i) { /* all the same triangle, then all about one middle, then in geometric progression */
        memcpy(m->triangles[i], m->triangles[0], sizeof *m->triangles);
    }
    check_tree(m, 100, 1);
    for (int i = 0; i < 500; ++i) {
        for (int k = 0; k < 3; ++k) {
            m->triangles[i][k] = 3 * i + k;
            double angle = 2.0 * TEST_PI * k / 3.0;
            m->vertices[3 * i + k] = v3_make((1 + i % 3) * cos(angle), (1 + i % 3) * sin(angle), 0.0);
        }
    }
    check_tree(m, 100, 2);
    for (int i = 0; i < 1500; ++i) {
        m->vertices[i] = v3_scale(pow(0.9, i / 3), m->vertices[i]);
        m->vertices[i].z = pow(0.9, i / 3);
    }
    check_tree(m, 100, 3);
    mesh_destroy(m);
}

/* Whatever the box and its reach: the same bits as from the root, for both instruction sets. */
static void check_focus(bvh *t, test_rng *rng, v3 low, v3 high, double reach)
{
    static bvh_focus focus;
    bvh_focus_on(&focus, t, low, high, reach);
    for (int n = 0; n < 40; ++n) {
        v3 share = v3_make(test_rng_uniform(rng, 0, 1), test_rng_uniform(rng, 0, 1), test_rng_uniform(rng, 0, 1));
        v3 size = v3_sub(high, low);
        v3 p = v3_add(low, v3_make(share.x * size.x, share.y * size.y, share.z * size.z));
        double limit2 = pow(reach * (n % 4 ? 1.0 : test_rng_uniform(rng, 0, 1)), 2.0);
        int hint = n % 3 ? -1 : (int)test_rng_uniform(rng, 0, t->mesh->triangle_count);
        t->wide = false;
        bvh_hit other = bvh_closest(t, p, -1, limit2);
        for (int wide = 0; wide <= bvh_has_avx2(); ++wide) {
            t->wide = wide;
            bvh_hit hit = bvh_closest_in_focus(&focus, p, hint, limit2);
            CHECK_EQ(hit.triangle, other.triangle);
            CHECK_EQ(memcmp(&hit.dist2, &other.dist2, sizeof hit.dist2), 0);
        }
    }
}

TEST(bvh, focused_searches_find_the_same)
{
    FOR_EACH_SEED(rng, 40) {
        mesh *m = seed_ % 2 ? random_soup((uint64_t)seed_, 1 << (seed_ % 13), 1e-3) : sphere(1.0, 40);
        bvh *t = tree_of(m);
        for (int n = 0; n < 10; ++n) {
            v3 low = random_v3(&rng, 1.5);
            double edge = pow(10.0, test_rng_uniform(&rng, -4, 0.3));
            v3 high = v3_add(low, v3_make(edge, edge * test_rng_uniform(&rng, 0, 1), edge));
            check_focus(t, &rng, low, high, n == 0 ? 100.0 : pow(10.0, test_rng_uniform(&rng, -4, 0.3)));
        }
        bvh_destroy(t);
        mesh_destroy(m);
    }
}

/* Without winding numbers at first, then with them: the same as with them from the start. */
TEST(bvh, winding_numbers_can_wait)
{
    mesh *m = sphere(1.0, 20);
    carom_error err = { 0 };
    bvh *t = tree_of(m), *plain = NULL;
    CHECK_OK(bvh_create_plain(&plain, m, &err), err);
    CHECK_OK(bvh_prepare_winding(plain, &err), err);
    CHECK_OK(bvh_prepare_winding(plain, &err), err); /* once more does no harm */
    FOR_EACH_SEED(rng, 100) {
        v3 p = random_v3(&rng, 1.5);
        CHECK_NEAR(bvh_winding(plain, p), bvh_winding(t, p), 0.0);
        CHECK_EQ(bvh_closest(plain, p, -1, HUGE_VAL).triangle, bvh_closest(t, p, -1, HUGE_VAL).triangle);
    }
    bvh_destroy(t);
    bvh_destroy(plain);
    mesh_destroy(m);
}

TEST(bvh, a_point_is_a_mesh_too)
{
    mesh *m = mesh_create(1, 3);
    m->vertices[0] = v3_make(3, 4, 5);
    check_tree(m, 20, 1);
    mesh_destroy(m);
}

TEST(bvh, far_probes_and_no_numbers)
{
    mesh *m = sphere(1.0, 10);
    bvh *t = tree_of(m);
    FOR_EACH_SEED(rng, 50) {
        v3 p = v3_scale(pow(10.0, test_rng_uniform(&rng, 2.0, 150.0)), random_direction(&rng));
        check_same_hit(bvh_closest(t, p, -1, HUGE_VAL), brute_force(m, p, HUGE_VAL));
    }
    CHECK_EQ(bvh_closest(t, v3_make((double)NAN, 0, 0), -1, HUGE_VAL).triangle, -1);
    CHECK_EQ(bvh_closest(t, v3_make(0, HUGE_VAL, 0), 3, HUGE_VAL).triangle, -1);
    CHECK_EQ(bvh_closest(t, v3_zero(), 3, (double)NAN).triangle, -1);
    CHECK_EQ(bvh_closest(t, v3_zero(), 3, 0.0).triangle, -1);
    CHECK_EQ(bvh_closest(t, v3_zero(), 3, -1.0).triangle, -1);
    CHECK(bvh_closest(t, v3_zero(), 1000000, HUGE_VAL).triangle >= 0);
    bvh_destroy(t);
    mesh_destroy(m);
}

TEST(bvh, refuses_what_has_no_surface)
{
    carom_error err = { 0 };
    bvh *t = NULL;
    mesh *m = mesh_create(3, 0);
    CHECK_EQ(bvh_create(&t, m, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "without triangles");
    CHECK(t == NULL);
    mesh_destroy(m);
    m = box_mesh(v3_zero(), v3_make(1, 1, 1));
    m->vertices[5].y = (double)NAN;
    CHECK_EQ(bvh_create(&t, m, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "vertex 5");
    mesh_destroy(m);
    bvh_destroy(NULL);
}

/* ---- sides ------------------------------------------------------------------------------------------------------- */

static double signed_distance(const bvh *t, v3 p)
{
    bvh_hit hit = bvh_closest(t, p, -1, HUGE_VAL);
    return bvh_side(t, p, &hit) * sqrt(hit.dist2);
}

static double box_distance(v3 p, v3 half)
{
    v3 d = v3_make(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z);
    v3 out = v3_make(fmax(d.x, 0.0), fmax(d.y, 0.0), fmax(d.z, 0.0));
    return v3_norm(out) + fmin(0.0, fmax(d.x, fmax(d.y, d.z)));
}

TEST(bvh, signed_distance_of_a_box_is_exact)
{
    const v3 half = { 1.0, 0.7, 0.4 };
    mesh *m = box_mesh(v3_neg(half), half);
    bvh *t = tree_of(m);
    test_rng rng = test_rng_seed(1);
    for (int i = 0; i < 100000; ++i) {
        v3 p = random_v3(&rng, 1.5);
        CHECK_NEAR(signed_distance(t, p), box_distance(p, half), 4e-16);
    }
    bvh_destroy(t);
    mesh_destroy(m);
}

/* The polyhedron lies between the surface and the surface shrunk by its coarseness, and so does its zero level. */
TEST(bvh, sides_of_a_sphere_and_a_torus)
{
    const int steps = 60;
    const double coarse = 1.0 - cos(0.5 * TEST_PI / steps) * cos(0.5 * TEST_PI / steps);
    mesh *round = sphere(1.0, steps);
    mesh *ring = torus(1.0, 0.4, 4 * steps, 2 * steps);
    bvh *round_tree = tree_of(round);
    bvh *ring_tree = tree_of(ring);
    test_rng rng = test_rng_seed(2);
    for (int i = 0; i < 50000; ++i) {
        v3 p = random_v3(&rng, 1.6);
        double to_sphere = v3_norm(p) - 1.0;
        double to_torus = hypot(hypot(p.x, p.y) - 1.0, p.z) - 0.4;
        CHECK_LE(signed_distance(round_tree, p), to_sphere + 1.1 * coarse);
        CHECK_GE(signed_distance(round_tree, p), to_sphere - 1e-14);
        CHECK_NEAR(signed_distance(ring_tree, p), to_torus, 3.0 * coarse);
    }
    bvh_destroy(round_tree);
    bvh_destroy(ring_tree);
    mesh_destroy(round);
    mesh_destroy(ring);
}

/* Spikes and notches: the sign must be that of the exact winding number, also next to sharp corners. */
TEST(bvh, sides_of_a_spiky_ball_agree_with_winding_numbers)
{
    mesh *m = sphere(1.0, 16);
    test_rng rng = test_rng_seed(3);
    for (int i = 0; i < m->vertex_count; ++i) {
        m->vertices[i] = v3_scale(test_rng_uniform(&rng, 0.3, 1.5),
                                  m->vertices[i]); /* star-shaped: never cuts itself */
    }
    bvh *t = tree_of(m);
    for (int i = 0; i < 3000; ++i) {
        v3 p = i % 2 ? random_v3(&rng, 1.5) : random_probe(&rng, m);
        bvh_hit hit = bvh_closest(t, p, -1, HUGE_VAL);
        if (hit.dist2 > 1e-16) {
            double winding = 0.0;
            for (int k = 0; k < m->triangle_count; ++k) {
                v3 a = v3_sub(bvh_corner(t, k, 0), p);
                v3 b = v3_sub(bvh_corner(t, k, 1), p);
                v3 c = v3_sub(bvh_corner(t, k, 2), p);
                double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
                winding += atan2(v3_dot(a, v3_cross(b, c)),
                                 la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb) /
                           (2.0 * TEST_PI);
            }
            CHECK_NEAR(bvh_side(t, p, &hit), winding > 0.5 ? -1.0 : 1.0, 0.0);
        }
    }
    bvh_destroy(t);
    mesh_destroy(m);
}

/* A roof whose ridge carries a vertex on one side only, closed by a triangle without area: next to that vertex the
 * normals of both sides must count. */
TEST(bvh, sides_next_to_a_triangle_without_area)
{
    mesh *m = mesh_create(5, 6);
    const v3 vertices[5] = { { -1, 0, 0 }, { 1, 0, 0 }, { 0, 1, -4 }, { 0, -4, -1 }, { 0, 0, 0 } };
    const int triangles[6][3] = { { 0, 4, 2 }, { 4, 1, 2 }, { 0, 3, 1 }, { 0, 1, 4 }, { 0, 2, 3 }, { 1, 3, 2 } };
    memcpy(m->vertices, vertices, sizeof vertices);
    memcpy(m->triangles, triangles, sizeof triangles);
    mass_properties mass;
    mesh_mass(&mass, m);
    for (int i = 0; mass.mass < 0.0 && i < 6; ++i) {
        int first = m->triangles[i][0];
        m->triangles[i][0] = m->triangles[i][1];
        m->triangles[i][1] = first;
    }
    bvh *t = tree_of(m);
    FOR_EACH_SEED(rng, 5000) {
        v3 p = v3_scale(0.2, random_v3(&rng, 1.0));
        p.x *= seed_ % 2 ? 1e-3 : 1.0;
        v3 up = v3_make(0, 4, 1); /* normals of the two slopes, as far as they matter here */
        v3 left = v3_make(0, -1, 4);
        double a = v3_dot(p, up), b = v3_dot(p, left);
        CHECK_NEAR(signed_distance(t, p) < 0.0 ? -1.0 : 1.0, a < 0.0 && b < 0.0 ? -1.0 : 1.0, 0.0);
    }
    bvh_destroy(t);
    mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(bvh, nearest_point_of_a_triangle),
        RUN_TEST(bvh, slivers_keep_their_distance),
        RUN_TEST(bvh, finds_what_brute_force_finds_in_soups),
        RUN_TEST(bvh, finds_it_at_any_size_and_place),
        RUN_TEST(bvh, degenerate_triangles_count_as_what_is_left),
        RUN_TEST(bvh, equal_and_hostile_middles),
        RUN_TEST(bvh, focused_searches_find_the_same),
        RUN_TEST(bvh, winding_numbers_can_wait),
        RUN_TEST(bvh, a_point_is_a_mesh_too),
        RUN_TEST(bvh, far_probes_and_no_numbers),
        RUN_TEST(bvh, refuses_what_has_no_surface),
        RUN_TEST(bvh, signed_distance_of_a_box_is_exact),
        RUN_TEST(bvh, sides_of_a_sphere_and_a_torus),
        RUN_TEST(bvh, sides_of_a_spiky_ball_agree_with_winding_numbers),
        RUN_TEST(bvh, sides_next_to_a_triangle_without_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
