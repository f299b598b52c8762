/* Generalised winding numbers against the exact sum over all triangles. */
#include "geometry/bvh_tree.h"

#include "support/check.h"
#include "support/samples.h"

static double exact_winding(const mesh *m, v3 p)
{
    double sum = 0.0;
    for (int i = 0; i < m->triangle_count; ++i) {
        v3 a = v3_sub(m->vertices[m->triangles[i][0]], p);
        v3 b = v3_sub(m->vertices[m->triangles[i][1]], p);
        v3 c = v3_sub(m->vertices[m->triangles[i][2]], p);
        double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
        sum += atan2(v3_dot(a, v3_cross(b, c)),
                     la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb);
    }
    return sum / (2.0 * TEST_PI);
}

static void check_winding(const mesh *m, int probes, double reach, v3 offset)
{
    carom_error err = { 0 };
    bvh *t = NULL;
    CHECK_OK(bvh_create(&t, m, &err), err);
    test_rng rng = test_rng_seed(5);
    for (int i = 0; i < probes; ++i) {
        v3 p = v3_add(offset, random_v3(&rng, reach));
        if (i % 2) { /* next to the surface */
            bvh_hit hit = bvh_closest(t, p, -1, HUGE_VAL);
            p = v3_axpy(hit.point, 1e-3, v3_sub(p, hit.point));
        }
        CHECK_NEAR(bvh_winding(t, p), exact_winding(m, p), 5e-3);
    }
    bvh_destroy(t);
}

TEST(winding, closed_surfaces)
{
    mesh *m = torus(1.0, 0.3, 80, 40);
    check_winding(m, 500, 1.5, v3_zero());
    mesh_destroy(m);
    m = box_mesh(v3_make(-1, -1, -1), v3_make(1, 1, 1));
    check_winding(m, 500, 2.0, v3_zero());
    mesh_destroy(m);
}

/* Every fourth triangle missing: the number is somewhere between, and must be the same there. */
TEST(winding, surfaces_with_holes)
{
    mesh *m = torus(1.0, 0.3, 80, 40);
    int kept = 0;
    for (int i = 0; i < m->triangle_count; ++i) {
        if (i % 4 != 1 && i > 1000) {
            memmove(m->triangles[kept++], m->triangles[i], sizeof *m->triangles);
        }
    }
    m->triangle_count = kept;
    check_winding(m, 500, 1.5, v3_zero());
    mesh_destroy(m);
}

TEST(winding, small_parts_far_away)
{
    mesh *m = torus(1e-3, 3e-4, 40, 20);
    const v3 offset = { 1e4, -2e4, 5e3 };
    move_mesh(m, (carom_pose){ offset, { 1, 0, 0, 0 } });
    check_winding(m, 200, 1.5e-3, offset);
    mesh_destroy(m);
}

TEST(winding, soups_of_anything)
{
    FOR_EACH_SEED(rng, 5) {
        mesh *m = mesh_create(900, 300);
        for (int i = 0; i < 900; ++i) {
            m->vertices[i] = random_v3(&rng, 1.0);
            m->triangles[i / 3][i % 3] = i % 30 == 2 ? i - 1 : i; /* some without area */
        }
        check_winding(m, 100, 2.0, v3_zero());
        mesh_destroy(m);
    }
}

TEST(winding, no_number_gives_none)
{
    mesh *m = box_mesh(v3_zero(), v3_make(1, 1, 1));
    carom_error err = { 0 };
    bvh *t = NULL;
    CHECK_OK(bvh_create(&t, m, &err), err);
    CHECK(isnan(bvh_winding(t, v3_make((double)NAN, 0, 0))));
    CHECK(isfinite(bvh_winding(t, v3_zero()))); /* a corner */
    CHECK_NEAR(bvh_winding(t, v3_make(1e200, 0, 0)), 0.0, 1e-12);
    bvh_destroy(t);
    mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(winding, closed_surfaces),      RUN_TEST(winding, surfaces_with_holes),
        RUN_TEST(winding, small_parts_far_away), RUN_TEST(winding, soups_of_anything),
        RUN_TEST(winding, no_number_gives_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
