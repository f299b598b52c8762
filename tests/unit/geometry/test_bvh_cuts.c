/* Triangles that cut each other: exact decisions against separating axes in integers, pairs against brute force. */
#include "geometry/bvh.h"
#include "geometry/triangle.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/samples.h"

/* ---- two triangles ----------------------------------------------------------------------------------------------- */

typedef struct whole {
    long x, y, z;
} whole;

static whole whole_sub(whole a, whole b)
{
    return (whole){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static whole whole_cross(whole a, whole b)
{
    return (whole){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static long whole_dot(whole a, whole b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bool axis_separates(whole axis, const whole a[3], const whole b[3])
{
    long a_low = whole_dot(axis, a[0]), a_high = a_low, b_low = whole_dot(axis, b[0]), b_high = b_low;
    for (int i = 1; i < 3; ++i) {
        long da = whole_dot(axis, a[i]), db = whole_dot(axis, b[i]);
        a_low = da < a_low ? da : a_low;
        a_high = da > a_high ? da : a_high;
        b_low = db < b_low ? db : b_low;
        b_high = db > b_high ? db : b_high;
    }
    return a_high < b_low || b_high < a_low;
}

/* Convex sets are apart when an axis separates them. All candidates: edges and differences of corners, their cross
 * products (normals, edge against edge), and these crossed once more (within a plane, about a line). */
static bool meet_in_integers(const whole a[3], const whole b[3])
{
    whole v[15];
    for (int i = 0; i < 3; ++i) {
        v[i] = whole_sub(a[(i + 1) % 3], a[i]);
        v[3 + i] = whole_sub(b[(i + 1) % 3], b[i]);
        for (int j = 0; j < 3; ++j) {
            v[6 + 3 * i + j] = whole_sub(b[j], a[i]);
        }
    }
    for (int i = 0; i < 15; ++i) {
        if (axis_separates(v[i], a, b)) {
            return false;
        }
        for (int j = 0; j < i; ++j) {
            whole n = whole_cross(v[i], v[j]);
            if (axis_separates(n, a, b)) {
                return false;
            }
            for (int k = 0; k < 15; ++k) {
                if (axis_separates(whole_cross(n, v[k]), a, b)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Few different coordinates: touching, flat, collinear and equal corners are frequent. */
static void random_triangle(test_rng *rng, whole w[3], int size, bool flat)
{
    for (int i = 0; i < 3; ++i) {
        w[i].x = (long)test_rng_uniform(rng, 0, size);
        w[i].y = (long)test_rng_uniform(rng, 0, size);
        w[i].z = flat ? w[i].x + w[i].y : (long)test_rng_uniform(rng, 0, size);
    }
}

static v3 to_real(whole w, double scale, double offset)
{
    return v3_make(offset + scale * (double)w.x, -offset + scale * (double)w.y, 3.0 * offset + scale * (double)w.z);
}

static void check_meeting(const whole a[3], const whole b[3], double scale, double offset)
{
    v3 ra[3], rb[3];
    for (int i = 0; i < 3; ++i) {
        ra[i] = to_real(a[i], scale, offset);
        rb[i] = to_real(b[i], scale, offset);
    }
    CHECK_EQ(triangles_meet(ra, rb), meet_in_integers(a, b));
    CHECK_EQ(triangles_meet(rb, ra), meet_in_integers(a, b));
}

TEST(cuts, two_triangles_are_decided_exactly)
{
    int met = 0;
    FOR_EACH_SEED(rng, 4000) {
        whole a[3], b[3];
        random_triangle(&rng, a, 2 + seed_ % 4, seed_ % 5 == 0);
        random_triangle(&rng, b, 2 + seed_ % 4, seed_ % 5 == 0);
        met += meet_in_integers(a, b);
        check_meeting(a, b, 1.0, 0.0);
        check_meeting(a, b, 0x1p-20, 0x1p20); /* exact, but with nothing left for rounding in the plain evaluation */
    }
    CHECK(met > 1000 && met < 3500);
}

/* Determinants whose sign only exact arithmetic sees: a point a hair off a plane through far corners. */
TEST(cuts, orientation_sees_the_last_bit)
{
    FOR_EACH_SEED(rng, 2000) {
        double s = test_rng_uniform(&rng, 0.1, 0.9);
        v3 a = v3_make(12.0, 12.0, 12.0), b = v3_make(24.0, 24.0, 24.0 + 0x1p-40), c = v3_make(0.0, s, 0.0);
        v3 p = v3_make(0.5, 0.5, 0.5);
        for (int i = -2; i <= 2; ++i) {
            for (int j = -2; j <= 2; ++j) {
                v3 d = v3_make(p.x + i * 0x1p-53, p.y, p.z + j * 0x1p-53);
                CHECK_EQ(orientation_3d(a, b, c, d), -orientation_3d(b, a, c, d));
                CHECK_EQ(orientation_3d(a, b, c, d), orientation_3d(b, c, a, d));
                CHECK_EQ(orientation_2d(a, b, d, 0, 1), i > 0 ? -1 : i < 0);
                CHECK_EQ(orientation_2d(d, a, b, 0, 1), i > 0 ? -1 : i < 0);
            }
        }
    }
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static bool neighbours(const int a[3], const int b[3])
{
    for (int k = 0; k < 9; ++k) {
        if (a[k / 3] == b[k % 3]) {
            return true;
        }
    }
    return false;
}

static bool brute_force_cut(const mesh *m, int i, int j)
{
    v3 a[3], b[3];
    for (int k = 0; k < 3; ++k) {
        a[k] = m->vertices[m->triangles[i][k]];
        b[k] = m->vertices[m->triangles[j][k]];
    }
    return !neighbours(m->triangles[i], m->triangles[j]) && triangles_meet(a, b);
}

/* All pairs, in ascending order; and when there is room for few, the first few. */
static size_t check_cuts(const mesh *m)
{
    carom_error err = { 0 };
    bvh *t = NULL;
    CHECK_OK(bvh_create(&t, m, &err), err);
    size_t count = bvh_self_intersections(t, SIZE_MAX - 1, NULL, 0);
    int(*pairs)[2] = calloc(count + 1, sizeof *pairs);
    int few[5][2];
    CHECK_EQ(bvh_self_intersections(t, count, pairs, count + 1), count);
    CHECK_EQ(bvh_self_intersections(t, count, few, 5), count);
    for (size_t most = 0; most < count; most = 3 * most + 1) {
        CHECK_EQ(bvh_self_intersections(t, most, NULL, 0), most + 1);
    }
    CHECK_EQ(bvh_self_intersections(t, count - (count > 0), NULL, 0), count);
    CHECK_EQ(bvh_self_intersections(t, count + 1, NULL, 0), count);
    CHECK(memcmp(few, pairs, (count < 5 ? count : 5) * sizeof *few) == 0);
    size_t found = 0;
    for (int i = 0; i < m->triangle_count; ++i) {
        for (int j = i + 1; j < m->triangle_count; ++j) {
            if (brute_force_cut(m, i, j)) {
                CHECK(found < count && pairs[found][0] == i && pairs[found][1] == j);
                ++found;
            }
        }
    }
    CHECK_EQ(found, count);
    free(pairs);
    bvh_destroy(t);
    return count;
}

static mesh *join(mesh *a, mesh *b)
{
    mesh *m = mesh_create(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count);
    memcpy(m->vertices, a->vertices, (size_t)a->vertex_count * sizeof *a->vertices);
    memcpy(m->vertices + a->vertex_count, b->vertices, (size_t)b->vertex_count * sizeof *b->vertices);
    memcpy(m->triangles, a->triangles, (size_t)a->triangle_count * sizeof *a->triangles);
    for (int i = 0; i < b->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            m->triangles[a->triangle_count + i][k] = b->triangles[i][k] + a->vertex_count;
        }
    }
    mesh_destroy(a);
    mesh_destroy(b);
    return m;
}

TEST(cuts, whole_solids_have_none)
{
    mesh *m = torus(1.0, 0.3, 40, 24);
    CHECK_EQ(check_cuts(m), 0);
    mesh_destroy(m);
    m = box_mesh(v3_zero(), v3_make(1, 2, 3));
    CHECK_EQ(check_cuts(m), 0);
    mesh_destroy(m);
}

TEST(cuts, two_rings_in_each_other)
{
    mesh *a = torus(1.0, 0.3, 30, 16);
    mesh *b = torus(1.0, 0.3, 30, 16);
    move_mesh(b, (carom_pose){ { 1.0, 0.0, 0.0 }, so3_exp(v3_make(0.5 * TEST_PI, 0.0, 0.0)) });
    mesh *linked = join(a, b); /* through each other's hole, apart */
    CHECK_EQ(check_cuts(linked), 0);
    mesh_destroy(linked);
    a = torus(1.0, 0.3, 30, 16);
    b = torus(1.0, 0.3, 30, 16);
    move_mesh(b, (carom_pose){ { 0.3, 0.1, 0.05 }, so3_exp(v3_make(0.3, 0.2, 0.1)) });
    mesh *crossed = join(a, b);
    CHECK(check_cuts(crossed) > 50);
    mesh_destroy(crossed);
}

TEST(cuts, twice_the_same_surface_touches_everywhere)
{
    mesh *m = join(torus(1.0, 0.3, 12, 8), torus(1.0, 0.3, 12, 8));
    CHECK(check_cuts(m) >= 2 * 12 * 8);
    mesh_destroy(m);
}

TEST(cuts, random_soups)
{
    FOR_EACH_SEED(rng, 10) {
        int count = 20 * seed_ + 1;
        mesh *m = mesh_create(3 * count, count);
        for (int i = 0; i < 3 * count; ++i) {
            m->vertices[i] = v3_add(v3_scale(3e5, v3_make(1, 1, 1)), random_v3(&rng, 1.0));
            m->triangles[i / 3][i % 3] = i;
        }
        check_cuts(m);
        mesh_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(cuts, two_triangles_are_decided_exactly),
        RUN_TEST(cuts, orientation_sees_the_last_bit),
        RUN_TEST(cuts, whole_solids_have_none),
        RUN_TEST(cuts, two_rings_in_each_other),
        RUN_TEST(cuts, twice_the_same_surface_touches_everywhere),
        RUN_TEST(cuts, random_soups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
