/* Distance fields against exact distances: brute force over all triangles, closed forms, finite differences. */
#include "geometry/sdf.h"

#include <stdlib.h>

#include "geometry/bvh.h"
#include "geometry/bvh_tree.h"
#include "support/check.h"
#include "support/samples.h"

static const int all_kinds[] = { SDF_DENSE, SDF_BRICKS, SDF_OCTREE };
#define FOR_EACH_KIND(kind) for (int k_ = 0, kind = all_kinds[0]; k_ < 3; kind = all_kinds[(++k_) % 3])

static sdf_options options_of(int kind, int resolution)
{
    sdf_options o = sdf_options_default();
    o.kind = kind;
    o.resolution = resolution;
    return o;
}

static sdf *build_with(const mesh *m, sdf_options o, int threads)
{
    sdf *f = NULL;
    carom_error err = { 0 };
    CHECK_OK(sdf_build(&f, m, &o, threads, &err), err);
    return f;
}

static sdf *build(const mesh *m, int kind, int resolution)
{
    return build_with(m, options_of(kind, resolution), 2);
}

static mesh *sphere(double radius, int steps)
{
    profile p = { 0 };
    profile_arc(&p, 0.0, 0.0, radius, -0.5 * TEST_PI, 0.5 * TEST_PI, steps);
    p.r[0] = p.r[p.count - 1] = 0.0;
    return revolve(&p, 2 * steps);
}

static mesh *unit_box(void)
{
    return box_mesh(v3_make(-0.5, -0.3, -0.2), v3_make(0.5, 0.3, 0.2));
}

/* The meshes that stand for all: smooth and concave, sharp, round. */
static mesh *solid(int n)
{
    return n == 0 ? torus(1.0, 0.35, 40, 24) : n == 1 ? unit_box() : sphere(0.7, 20);
}

static v3 random_point(test_rng *rng, v3 low, v3 high, double wider)
{
    v3 t = v3_make(test_rng_uniform(rng, -wider, 1 + wider), test_rng_uniform(rng, -wider, 1 + wider),
                   test_rng_uniform(rng, -wider, 1 + wider));
    v3 size = v3_sub(high, low);
    return v3_make(low.x + t.x * size.x, low.y + t.y * size.y, low.z + t.z * size.z);
}

/* ---- exact distances ------------------------------------------------------------------------------------------------ */

/* Signed distance and its absolute value by all triangles and the solid angle they span [VanOosterom1983]:
 * nothing shared with the code under test but the distance to one triangle. */
static double brute_force(const mesh *m, v3 p)
{
    double nearest2 = HUGE_VAL;
    double angle = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        v3 a = v3_sub(m->vertices[m->triangles[t][0]], p);
        v3 b = v3_sub(m->vertices[m->triangles[t][1]], p);
        v3 c = v3_sub(m->vertices[m->triangles[t][2]], p);
        v3 nearest;
        int feature;
        nearest2 = fmin(nearest2, triangle_closest(v3_zero(), a, b, c, &nearest, &feature));
        double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
        angle += 2.0 * atan2(v3_dot(a, v3_cross(b, c)),
                             la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb);
    }
    return (angle > 2.0 * TEST_PI ? -1.0 : 1.0) * sqrt(nearest2);
}

TEST(sdf, nodes_are_exact_and_kinds_agree_there)
{
    for (int n = 0; n < 3; ++n) {
        mesh *m = solid(n);
        sdf *dense = build(m, SDF_DENSE, 24);
        sdf *bricks = build(m, SDF_BRICKS, 24);
        sdf *octree = build(m, SDF_OCTREE, 24);
        const sdf_info *info[3] = { sdf_about(dense), sdf_about(bricks), sdf_about(octree) };
        const sdf *fields[3] = { dense, bricks, octree };
        FOR_EACH_SEED(rng, 300) {
            for (int k = 0; k < 3; ++k) {
                v3 u = random_point(&rng, v3_zero(), v3_make(1, 1, 1), 0.0);
                v3 size = v3_sub(info[k]->high, info[k]->low);
                double h = info[k]->spacing;
                v3 p = v3_make(info[k]->low.x + h * floor(u.x * size.x / h),
                               info[k]->low.y + h * floor(u.y * size.y / h),
                               info[k]->low.z + h * floor(u.z * size.z / h));
                double exact = brute_force(m, p);
                double tolerance = k == 2 ? 0.05 * h : 1e-12; /* hanging corners are interpolated */
                if (k == 0 || k == 2 || fabs(exact) < 3.0 * h) {
                    CHECK_NEAR(sdf_distance(fields[k], p), exact, tolerance);
                }
            }
        }
        sdf_destroy(dense);
        sdf_destroy(bricks);
        sdf_destroy(octree);
        mesh_destroy(m);
    }
}

/* Slivers as long as the solid, and bricks that more triangles come near than are compared one by one. */
TEST(sdf, bricks_are_exact_with_slivers_and_crowds)
{
    profile needle = { .count = 4, .r = { 0.0, 0.3, 0.3, 0.0 }, .z = { -3.0, -3.0, 3.0, 3.0 } };
    mesh *meshes[2] = { revolve(&needle, 150), sphere(0.7, 60) };
    for (int n = 0; n < 2; ++n) {
        sdf *f = build(meshes[n], SDF_BRICKS, n == 0 ? 60 : 10);
        const sdf_info *info = sdf_about(f);
        v3 size = v3_scale(1.0 / info->spacing, v3_sub(info->high, info->low));
        int near = 0;
        FOR_EACH_SEED(rng, 3000) {
            v3 u = random_point(&rng, v3_zero(), v3_make(size.x + 1, size.y + 1, size.z + 1), 0.0);
            v3 p = v3_axpy(info->low, info->spacing, v3_make(floor(u.x), floor(u.y), floor(u.z)));
            if (fabs(sdf_distance(f, p)) < 2.9 * info->spacing) {
                CHECK_NEAR(sdf_distance(f, p), brute_force(meshes[n], p), 1e-12);
                ++near;
            }
        }
        CHECK(near > 100);
        sdf_destroy(f);
        mesh_destroy(meshes[n]);
    }
}

/* 1e5 points over all solids and kinds, in the box and around it: the sign is wrong nowhere but where the interpolation
 * error is larger than the distance, and beyond the band the value is a lower bound. */
TEST(sdf, signs_are_right_and_values_are_safe)
{
    for (int n = 0; n < 3; ++n) {
        mesh *m = solid(n);
        bvh *tree = NULL;
        carom_error err = { 0 };
        CHECK_OK(bvh_create(&tree, m, &err), err);
        FOR_EACH_KIND(kind)
        {
            sdf *f = build(m, kind, kind == SDF_OCTREE ? 32 : 48);
            const sdf_info *info = sdf_about(f);
            CHECK_EQ(info->sign, SDF_SIGN_PSEUDONORMAL);
            test_rng rng = test_rng_seed((uint64_t)(10 * n + kind + 1));
            for (int i = 0; i < 12000; ++i) {
                v3 p = random_point(&rng, info->low, info->high, 0.25);
                bvh_hit hit = bvh_closest(tree, p, -1, HUGE_VAL);
                double exact = bvh_side(tree, p, &hit) * sqrt(hit.dist2);
                double value = sdf_distance(f, p);
                if (fabs(exact) > info->error_bound) {
                    CHECK(value * exact > 0.0);
                }
                CHECK_LE(fabs(value), fabs(exact) + info->error_bound);
            }
            sdf_destroy(f);
        }
        bvh_destroy(tree);
        mesh_destroy(m);
    }
}

TEST(sdf, signs_agree_with_solid_angles)
{
    mesh *m = torus(1.0, 0.35, 24, 14);
    sdf *f = build(m, SDF_BRICKS, 64);
    const sdf_info *info = sdf_about(f);
    FOR_EACH_SEED(rng, 4000) {
        v3 p = random_point(&rng, info->low, info->high, 0.1);
        double exact = brute_force(m, p);
        if (fabs(exact) > info->error_bound) {
            CHECK(sdf_distance(f, p) * exact > 0.0);
        }
    }
    sdf_destroy(f);
    mesh_destroy(m);
}

static double round_box_distance(v3 p)
{
    v3 q = v3_make(fabs(p.x) - 0.5, fabs(p.y) - 0.3, fabs(p.z) - 0.2);
    v3 out = v3_make(fmax(q.x, 0.0), fmax(q.y, 0.0), fmax(q.z, 0.0));
    return v3_norm(out) + fmin(0.0, fmax(q.x, fmax(q.y, q.z)));
}

TEST(sdf, box_and_torus_in_closed_form)
{
    mesh *box = unit_box();
    mesh *ring = torus(1.0, 0.35, 200, 100);
    sdf *box_field = build(box, SDF_DENSE, 40);
    sdf *ring_field = build(ring, SDF_BRICKS, 40);
    double facets = 1.0 - cos(TEST_PI / 100) + 1.35 * (1.0 - cos(TEST_PI / 200)); /* the mesh lies inside the torus */
    FOR_EACH_SEED(rng, 5000) {
        v3 p = random_point(&rng, v3_make(-0.6, -0.4, -0.3), v3_make(0.6, 0.4, 0.3), 0.0);
        double exact = round_box_distance(p);
        if (fabs(exact) < sdf_about(box_field)->spacing) {
            CHECK_NEAR(sdf_distance(box_field, p), exact, sdf_about(box_field)->error_bound);
        }
        v3 q = random_point(&rng, v3_make(-1.4, -1.4, -0.4), v3_make(1.4, 1.4, 0.4), 0.0);
        double ring_exact = hypot(hypot(q.x, q.y) - 1.0, q.z) - 0.35;
        if (fabs(ring_exact) < sdf_about(ring_field)->band) {
            CHECK_NEAR(sdf_distance(ring_field, q), ring_exact, sdf_about(ring_field)->error_bound + facets);
        }
    }
    sdf_destroy(box_field);
    sdf_destroy(ring_field);
    mesh_destroy(box);
    mesh_destroy(ring);
}

/* 1e5 other points within a cell of the surface, over all solids and kinds. */
TEST(sdf, error_bound_holds_at_other_points)
{
    for (int n = 0; n < 3; ++n) {
        mesh *m = solid(n);
        bvh *tree = NULL;
        carom_error err = { 0 };
        CHECK_OK(bvh_create(&tree, m, &err), err);
        FOR_EACH_KIND(kind)
        {
            sdf *f = build(m, kind, 32);
            const sdf_info *info = sdf_about(f);
            double largest = 0.0;
            double sum = 0.0;
            test_rng rng = test_rng_seed((uint64_t)(100 + n));
            const int count = 12000;
            for (int i = 0; i < count; ++i) {
                int t = (int)test_rng_uniform(&rng, 0, m->triangle_count);
                double u = test_rng_uniform(&rng, 0, 1);
                double v = test_rng_uniform(&rng, 0, 1 - u);
                v3 p = v3_scale(1 - u - v, m->vertices[m->triangles[t][0]]);
                p = v3_axpy(p, u, m->vertices[m->triangles[t][1]]);
                p = v3_axpy(p, v, m->vertices[m->triangles[t][2]]);
                p = v3_axpy(p, test_rng_uniform(&rng, 0, info->spacing), random_direction(&rng));
                bvh_hit hit = bvh_closest(tree, p, t, HUGE_VAL);
                double error = fabs(sdf_distance(f, p) - bvh_side(tree, p, &hit) * sqrt(hit.dist2));
                largest = fmax(largest, error);
                sum += error / count;
            }
            CHECK_LE(largest, info->error_bound);
            CHECK_LE(info->error_mean, 2.0 * sum);
            CHECK_LE(sum, 2.0 * info->error_mean);
            CHECK_LE(info->error_bound, info->spacing);
            sdf_destroy(f);
        }
        bvh_destroy(tree);
        mesh_destroy(m);
    }
}

/* ---- the interpolant ------------------------------------------------------------------------------------------------ */

/* Inside a cell the interpolant is a cubic along any line and linear along the axes: central differences are exact. */
TEST(sdf, gradient_is_that_of_the_interpolant)
{
    mesh *m = solid(0);
    FOR_EACH_KIND(kind)
    {
        sdf *f = build(m, kind, 32);
        const sdf_info *info = sdf_about(f);
        double h = info->spacing;
        double eps = 1e-4 * h;
        FOR_EACH_SEED(rng, 3000) {
            v3 p = random_point(&rng, info->low, info->high, 0.0);
            v3 x = v3_scale(1.0 / h, v3_sub(p, info->low));
            double margin = 2e-4; /* away from the walls of the cell */
            for (int a = 0; a < 3; ++a) {
                double t = v3_get(x, a) - floor(v3_get(x, a));
                margin = t < margin || t > 1.0 - margin ? -1.0 : margin;
            }
            field_sample s = sdf_sample(f, p);
            bool far = kind == SDF_BRICKS && fabs(s.distance) > info->band; /* bounds: not interpolants */
            if (margin < 0.0 || far) {
                continue;
            }
            for (int a = 0; a < 3; ++a) {
                v3 step = v3_make(a == 0 ? eps : 0, a == 1 ? eps : 0, a == 2 ? eps : 0);
                double slope = (sdf_distance(f, v3_add(p, step)) - sdf_distance(f, v3_sub(p, step))) / (2 * eps);
                CHECK_NEAR(v3_get(s.gradient, a), slope, 1e-9);
            }
            CHECK_LE(v3_norm(s.gradient), 1.8);
        }
        sdf_destroy(f);
    }
    mesh_destroy(m);
}

/* Across the walls of cells, leaves of any size and the box itself; for bricks where they interpolate. */
TEST(sdf, value_is_continuous)
{
    mesh *m = solid(1);
    FOR_EACH_KIND(kind)
    {
        sdf *f = build(m, kind, 32);
        const sdf_info *info = sdf_about(f);
        FOR_EACH_SEED(rng, 4000) {
            double h = info->spacing;
            v3 p = random_point(&rng, info->low, info->high, 0.0);
            double wall = floor((p.x - info->low.x) / h + 0.5);
            v3 left = v3_make(info->low.x + h * (wall - 1e-10), p.y, p.z);
            v3 right = v3_make(info->low.x + h * (wall + 1e-10), p.y, p.z);
            double a = sdf_distance(f, left);
            double b = sdf_distance(f, right);
            if (kind != SDF_BRICKS || fabs(a) < info->band || wall == 0.0) {
                CHECK_NEAR(a, b, 1e-8 * h);
            }
        }
        sdf_destroy(f);
    }
    mesh_destroy(m);
}

TEST(sdf, outside_the_box_it_grows_outwards)
{
    mesh *m = solid(2);
    FOR_EACH_KIND(kind)
    {
        sdf *f = build(m, kind, 24);
        FOR_EACH_SEED(rng, 500) {
            v3 way = random_direction(&rng);
            double before = 0.0;
            for (double r = 2.0; r < 1e6; r *= 3.0) {
                field_sample s = sdf_sample(f, v3_scale(r, way));
                CHECK_GE(s.distance, before);
                CHECK_LE(s.distance, r - 0.7 + 0.02);
                CHECK_GE(s.distance, r - 1.8);
                CHECK_GE(v3_dot(s.gradient, way), 0.3);
                CHECK_LE(v3_norm(s.gradient), 1.2);
                before = s.distance;
            }
        }
        CHECK(isnan(sdf_sample(f, v3_make((double)NAN, 0, 0)).distance));
        CHECK(isnan(sdf_distance(f, v3_make(0, HUGE_VAL, 0))));
        sdf_destroy(f);
    }
    mesh_destroy(m);
}

static bool same_sample(field_sample a, field_sample b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

TEST(sdf, many_are_the_same_bits_as_one_by_one)
{
    enum { COUNT = 5001 };
    mesh *m = solid(0);
    v3 *points = calloc(COUNT, sizeof *points);
    field_sample *many = calloc(COUNT, sizeof *many);
    FOR_EACH_KIND(kind)
    {
        sdf *f = build(m, kind, 32);
        test_rng rng = test_rng_seed(5);
        for (int i = 0; i < COUNT; ++i) {
            points[i] = random_point(&rng, sdf_about(f)->low, sdf_about(f)->high, 0.1);
        }
        sdf_sample_many(f, points, COUNT, many);
        for (int i = 0; i < COUNT; ++i) {
            CHECK(same_sample(many[i], sdf_sample(f, points[i])));
            CHECK(many[i].distance == sdf_distance(f, points[i]));
        }
        sdf_destroy(f);
    }
    free(points);
    free(many);
    mesh_destroy(m);
}

TEST(sdf, threads_change_nothing)
{
    mesh *m = torus(1.0, 0.35, 60, 30);
    FOR_EACH_KIND(kind)
    {
        sdf_options o = options_of(kind, 32);
        sdf *one = build_with(m, o, 1);
        uint64_t hash = sdf_hash(one);
        for (int threads = 2; threads <= 7; threads += 5) {
            sdf *f = build_with(m, o, threads);
            CHECK(sdf_hash(f) == hash);
            sdf_destroy(f);
        }
        sdf_destroy(one);
    }
    mesh_destroy(m);
}

/* A field gets better with the spacing: second order where the surface is smooth. */
TEST(sdf, finer_is_better)
{
    mesh *m = torus(1.0, 0.35, 300, 150);
    sdf *coarse = build(m, SDF_BRICKS, 24);
    sdf *fine = build(m, SDF_BRICKS, 44); /* four cells are margin: half the spacing */
    CHECK_NEAR(sdf_about(coarse)->spacing / sdf_about(fine)->spacing, 2.0, 1e-12);
    CHECK_NEAR(sdf_about(coarse)->error_mean / sdf_about(fine)->error_mean, 4.0, 0.8);
    sdf_destroy(coarse);
    sdf_destroy(fine);
    mesh_destroy(m);
}

/* ---- bad surfaces --------------------------------------------------------------------------------------------------- */

static void turn_inside_out(mesh *m)
{
    for (int t = 0; t < m->triangle_count; ++t) {
        int swap = m->triangles[t][0];
        m->triangles[t][0] = m->triangles[t][1];
        m->triangles[t][1] = swap;
    }
}

static void check_remark(const sdf *f, const char *part)
{
    carom_text text = { 0 };
    sdf_remarks(sdf_about(f), &text);
    CHECK_CONTAINS(text.data, part);
    carom_text_free(&text);
}

TEST(sdf, inside_out_is_turned_over_and_said)
{
    mesh *m = solid(0);
    sdf *right = build(m, SDF_BRICKS, 32);
    turn_inside_out(m);
    for (int sign = SDF_SIGN_AUTO; sign <= SDF_SIGN_WINDING; ++sign) {
        sdf_options o = options_of(SDF_BRICKS, 32);
        o.sign = sign;
        sdf *f = build_with(m, o, 1);
        check_remark(f, "inside out");
        FOR_EACH_SEED(rng, 500) {
            v3 p = random_point(&rng, sdf_about(f)->low, sdf_about(f)->high, 0.0);
            double d = sdf_distance(right, p);
            CHECK_NEAR(sdf_distance(f, p), d, 1e-12);
        }
        sdf_destroy(f);
    }
    sdf_destroy(right);
    mesh_destroy(m);
}

/* One triangle in thirty is missing and corners are not shared: still the torus, with a warning. */
TEST(sdf, soup_with_holes_has_a_sensible_sign)
{
    mesh *whole = torus(1.0, 0.35, 60, 40);
    mesh *soup = mesh_create(3 * whole->triangle_count, whole->triangle_count);
    soup->triangle_count = soup->vertex_count = 0;
    for (int t = 0; t < whole->triangle_count; ++t) {
        for (int c = 0; c < 3 && t % 30 != 0; ++c) {
            soup->vertices[soup->vertex_count++] = whole->vertices[whole->triangles[t][c]];
        }
        if (t % 30 != 0) {
            int n = soup->vertex_count;
            add_triangle(soup, n - 3, n - 2, n - 1);
        }
    }
    FOR_EACH_KIND(kind)
    {
        sdf *f = build(soup, kind, 32);
        CHECK_EQ(sdf_about(f)->sign, SDF_SIGN_WINDING);
        CHECK(sdf_about(f)->open_edges > 0);
        check_remark(f, "warning: the surface has holes");
        int wrong = 0;
        int count = 0;
        FOR_EACH_SEED(rng, 3000) {
            v3 p = random_point(&rng, sdf_about(f)->low, sdf_about(f)->high, 0.0);
            double exact = hypot(hypot(p.x, p.y) - 1.0, p.z) - 0.35;
            if (fabs(exact) > 2.0 * sdf_about(f)->spacing) {
                ++count;
                wrong += sdf_distance(f, p) * exact < 0.0;
            }
        }
        CHECK(count > 1000);
        CHECK_EQ(wrong, 0);
        sdf_destroy(f);
    }
    mesh_destroy(whole);
    mesh_destroy(soup);
}

/* Two boxes that overlap in one mesh are one solid. */
TEST(sdf, overlapping_parts_are_one_solid)
{
    mesh *a = box_mesh(v3_make(0, 0, 0), v3_make(1, 1, 1));
    mesh *b = box_mesh(v3_make(0.5, 0.25, 0.25), v3_make(1.5, 0.75, 0.75));
    mesh *m = mesh_create(16, 24);
    memcpy(m->vertices, a->vertices, 8 * sizeof *a->vertices);
    memcpy(m->vertices + 8, b->vertices, 8 * sizeof *b->vertices);
    for (int t = 0; t < 12; ++t) {
        for (int c = 0; c < 3; ++c) {
            m->triangles[t][c] = a->triangles[t][c];
            m->triangles[12 + t][c] = 8 + b->triangles[t][c];
        }
    }
    sdf *f = build(m, SDF_DENSE, 40);
    CHECK_EQ(sdf_about(f)->sign, SDF_SIGN_WINDING);
    CHECK(sdf_about(f)->self_intersections > 0);
    check_remark(f, "cuts itself");
    CHECK_LE(sdf_distance(f, v3_make(0.75, 0.5, 0.5)), 0.0);
    CHECK_LE(sdf_distance(f, v3_make(0.25, 0.5, 0.5)), -0.1);
    CHECK_LE(sdf_distance(f, v3_make(1.25, 0.5, 0.5)), -0.1);
    CHECK_GE(sdf_distance(f, v3_make(1.25, 0.9, 0.5)), 0.1);
    sdf_destroy(f);
    mesh_destroy(a);
    mesh_destroy(b);
    mesh_destroy(m);
}

TEST(sdf, thin_plate_is_noticed)
{
    mesh *m = box_mesh(v3_make(-1, -1, -0.004), v3_make(1, 1, 0.004));
    FOR_EACH_KIND(kind)
    {
        sdf *coarse = build(m, kind, 32);
        CHECK_GE(sdf_about(coarse)->thin_share, 0.9);
        check_remark(coarse, "thinner than a cell");
        sdf_destroy(coarse);
    }
    sdf_options o = options_of(SDF_BRICKS, 0);
    o.spacing = 0.0035;
    mesh *small = box_mesh(v3_make(-0.1, -0.1, -0.004), v3_make(0.1, 0.1, 0.004));
    sdf *fine = build_with(small, o, 2);
    CHECK_LE(sdf_about(fine)->thin_share, 0.01);
    sdf_destroy(fine);
    mesh_destroy(small);
    mesh_destroy(m);
}

/* ---- hostile input -------------------------------------------------------------------------------------------------- */

static void refuse(const mesh *m, sdf_options o, const char *part)
{
    sdf *f = NULL;
    carom_error err = { 0 };
    CHECK_EQ(sdf_build(&f, m, &o, 1, &err), CAROM_BAD_INPUT);
    CHECK(f == NULL);
    CHECK_CONTAINS(err.message, part);
}

TEST(sdf, nonsense_is_refused_with_the_remedy)
{
    mesh *m = unit_box();
    mesh *empty = mesh_create(0, 0);
    mesh *point = mesh_create(3, 1);
    mesh *odd = unit_box();
    odd->vertices[3].y = (double)NAN;
    int corners[3] = { 0, 1, 2 };
    memcpy(point->triangles[0], corners, sizeof corners);
    sdf_options o = options_of(SDF_BRICKS, 32);
    refuse(empty, o, "no triangles");
    refuse(point, o, "no room");
    refuse(odd, o, "vertex 3");
    refuse(m, options_of(7, 32), "dense, bricks and octree");
    refuse(m, options_of(SDF_DENSE, 5000), "fits");
    refuse(m, options_of(SDF_DENSE, 1 << 20), "fits");
    refuse(m, options_of(SDF_BRICKS, 1 << 20), "fits");
    refuse(m, options_of(SDF_BRICKS, 3), "between 8");
    refuse(m, options_of(SDF_BRICKS, -5), "between 8");
    o.spacing = (double)NAN;
    refuse(m, o, "spacing");
    o.spacing = 1e-30;
    refuse(m, o, "fits");
    o = options_of(SDF_BRICKS, 32);
    o.margin = -1.0;
    refuse(m, o, "margin");
    o.margin = HUGE_VAL;
    refuse(m, o, "margin");
    o = options_of(SDF_BRICKS, 32);
    o.band = 1e-3;
    refuse(m, o, "three cells");
    o = options_of(SDF_BRICKS, 32);
    o.sign = 9;
    refuse(m, o, "winding");
    for (int i = 0; i < odd->vertex_count; ++i) {
        odd->vertices[i] = v3_make(1e17 + m->vertices[i].x * 1e3, m->vertices[i].y, m->vertices[i].z);
    }
    refuse(odd, options_of(SDF_DENSE, 2000), "");
    mesh_destroy(m);
    mesh_destroy(empty);
    mesh_destroy(point);
    mesh_destroy(odd);
}

TEST(sdf, the_remedy_is_a_coarser_spacing)
{
    mesh *m = unit_box();
    sdf_options o = options_of(SDF_BRICKS, 1 << 20);
    sdf *f = NULL;
    carom_error err = { 0 };
    CHECK_EQ(sdf_build(&f, m, &o, 1, &err), CAROM_BAD_INPUT);
    const char *words = strstr(err.message, "a spacing of ");
    CHECK(words != NULL);
    CHECK_GE(strtod(words + strlen("a spacing of "), NULL), 1.0 / (1 << 20));
    mesh_destroy(m);
}

TEST(sdf, one_triangle_and_large_cells_work)
{
    mesh *one = mesh_create(3, 1);
    one->vertices[1] = v3_make(1, 0, 0);
    one->vertices[2] = v3_make(0, 1, 0);
    int corners[3] = { 0, 1, 2 };
    memcpy(one->triangles[0], corners, sizeof corners);
    mesh *box = unit_box();
    FOR_EACH_KIND(kind)
    {
        sdf *f = build(one, kind, 32);
        check_remark(f, "holes");
        CHECK_NEAR(sdf_distance(f, v3_make(0.2, 0.2, 0.1)), 0.1, sdf_about(f)->error_bound);
        sdf_destroy(f);
        sdf_options o = options_of(kind, 0);
        o.spacing = 5.0;
        f = build_with(box, o, 1);
        check_remark(f, "thinner than a cell");
        CHECK_GE(sdf_distance(f, v3_make(9, 0, 0)), 1.0);
        sdf_destroy(f);
    }
    mesh_destroy(one);
    mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(sdf, nodes_are_exact_and_kinds_agree_there),
        RUN_TEST(sdf, bricks_are_exact_with_slivers_and_crowds),
        RUN_TEST(sdf, signs_are_right_and_values_are_safe),
        RUN_TEST(sdf, signs_agree_with_solid_angles),
        RUN_TEST(sdf, box_and_torus_in_closed_form),
        RUN_TEST(sdf, error_bound_holds_at_other_points),
        RUN_TEST(sdf, gradient_is_that_of_the_interpolant),
        RUN_TEST(sdf, value_is_continuous),
        RUN_TEST(sdf, outside_the_box_it_grows_outwards),
        RUN_TEST(sdf, many_are_the_same_bits_as_one_by_one),
        RUN_TEST(sdf, threads_change_nothing),
        RUN_TEST(sdf, finer_is_better),
        RUN_TEST(sdf, inside_out_is_turned_over_and_said),
        RUN_TEST(sdf, soup_with_holes_has_a_sensible_sign),
        RUN_TEST(sdf, overlapping_parts_are_one_solid),
        RUN_TEST(sdf, thin_plate_is_noticed),
        RUN_TEST(sdf, nonsense_is_refused_with_the_remedy),
        RUN_TEST(sdf, the_remedy_is_a_coarser_spacing),
        RUN_TEST(sdf, one_triangle_and_large_cells_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
