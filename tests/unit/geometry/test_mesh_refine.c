/* Refinement: exact counts, the same solid, no edge too long, angles bounded, and what is refused. */
#include "geometry/mesh_refine.h"

#include "geometry/make/make.h"
#include "geometry/mesh_report.h"
#include "support/samples.h"

static mesh *refined(const mesh *m, int triangles)
{
    carom_error err = { 0 };
    mesh *out = NULL;
    CHECK_OK(mesh_refine(&out, m, triangles, &err), err);
    CHECK_EQ(out->triangle_count, triangles);
    return out;
}

static double smallest_angle(const mesh *m)
{
    double smallest = TEST_PI;
    for (int i = 0; i < 3 * m->triangle_count; ++i) {
        const int *corner = m->triangles[i / 3];
        v3 a = m->vertices[corner[i % 3]];
        v3 u = v3_sub(m->vertices[corner[(i + 1) % 3]], a);
        v3 w = v3_sub(m->vertices[corner[(i + 2) % 3]], a);
        smallest = fmin(smallest, atan2(v3_norm(v3_cross(u, w)), v3_dot(u, w)));
    }
    return smallest;
}

/* A closed surface keeps its Euler number, volume and inertia; a split adds one vertex and two triangles. */
TEST(refine, a_closed_solid_stays_the_same)
{
    mesh *m = torus(1.0, 0.3, 17, 9);
    mass_properties before, after;
    mesh_mass(&before, m);
    for (int more = 2; more <= 5000; more = 3 * more + 2 * (more % 2)) {
        mesh *fine = refined(m, m->triangle_count + more);
        carom_mesh_report report;
        carom_error err = { 0 };
        CHECK_EQ(fine->vertex_count, m->vertex_count + more / 2);
        CHECK_OK(mesh_report(fine, &report, &err), err);
        CHECK(report.solid);
        CHECK_EQ(report.euler, 0);
        mesh_mass(&after, fine);
        CHECK_NEAR(after.mass, before.mass, 1e-13);
        check_v3_near(after.center, before.center, 1e-13);
        check_m3_near(after.inertia, before.inertia, 1e-12);
        mesh_destroy(fine);
    }
    mesh_destroy(m);
}

/* Rivara: longest-edge bisection never makes angles smaller than half the smallest of the start. */
TEST(refine, angles_stay_above_half_the_smallest)
{
    FOR_EACH_SEED(rng, 10) {
        mesh *m = box_mesh(v3_zero(),
                           v3_make(1.0, test_rng_uniform(&rng, 0.2, 2.0), test_rng_uniform(&rng, 0.2, 2.0)));
        mesh *fine = refined(m, 2000);
        CHECK_GE(smallest_angle(fine), 0.5 * smallest_angle(m) - 1e-12);
        mesh_destroy(fine);
        mesh_destroy(m);
    }
}

TEST(refine, an_odd_step_on_a_closed_surface_names_the_neighbours)
{
    mesh *m = box_mesh(v3_zero(), v3_make(1, 1, 1));
    mesh *fine;
    carom_error err = { 0 };
    CHECK_EQ(mesh_refine(&fine, m, 101, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "100 and 102");
    CHECK(!fine);
    CHECK_EQ(mesh_refine(&fine, m, 11, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "12 triangles");
    mesh_destroy(m);
}

/* With open edges every number is reached. */
TEST(refine, an_open_surface_reaches_any_number)
{
    mesh *m = mesh_create(3, 1);
    m->vertices[1] = v3_make(1, 0, 0);
    m->vertices[2] = v3_make(0, 2, 0);
    m->triangles[0][1] = 1;
    m->triangles[0][2] = 2;
    for (int count = 1; count <= 60; ++count) {
        mesh *fine = refined(m, count);
        mesh_quality quality;
        carom_error err = { 0 };
        CHECK_OK(mesh_inspect(fine, &quality, &err), err);
        CHECK_EQ(quality.nonmanifold_edges + quality.flipped_edges + quality.degenerate, 0);
        CHECK_EQ(fine->vertex_count - (3 * count + quality.open_edges) / 2 + count, 1); /* a disc */
        mesh_destroy(fine);
    }
    mesh_destroy(m);
}

TEST(refine, edges_end_up_short_enough_and_not_much_shorter)
{
    mesh *m = box_mesh(v3_zero(), v3_make(1, 2, 3));
    mesh *fine = NULL;
    carom_error err = { 0 };
    CHECK_OK(mesh_refine_edges(&fine, m, 0.1, &err), err);
    double longest = 0.0;
    double shortest = HUGE_VAL;
    for (int i = 0; i < 3 * fine->triangle_count; ++i) {
        const int *corner = fine->triangles[i / 3];
        double length = v3_norm(v3_sub(fine->vertices[corner[i % 3]], fine->vertices[corner[(i + 1) % 3]]));
        longest = fmax(longest, length);
        shortest = fmin(shortest, length);
    }
    CHECK_LE(longest, 0.1);
    CHECK_GE(shortest, 0.1 / 8.0);
    mesh_destroy(fine);
    CHECK_EQ(mesh_refine_edges(&fine, m, 1e-6, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "triangles");
    CHECK_EQ(mesh_refine_edges(&fine, m, (double)NAN, &err), CAROM_BAD_INPUT);
    CHECK_EQ(mesh_refine_edges(&fine, m, 0.0, &err), CAROM_BAD_INPUT);
    mesh_destroy(m);
}

/* Against the plain way: search all edges of all triangles for the longest, each time. On equal lengths the choice is
 * free, so lengths differ here. */
static double longest_by_search(const mesh *m)
{
    double longest = 0.0;
    for (int i = 0; i < 3 * m->triangle_count; ++i) {
        const int *corner = m->triangles[i / 3];
        longest = fmax(longest, v3_norm(v3_sub(m->vertices[corner[i % 3]], m->vertices[corner[(i + 1) % 3]])));
    }
    return longest;
}

TEST(refine, always_the_longest_edge)
{
    FOR_EACH_SEED(rng, 5) {
        mesh *m = torus(1.0, 0.4, 7, 5);
        for (int i = 0; i < m->vertex_count; ++i) {
            m->vertices[i] = v3_add(m->vertices[i], random_v3(&rng, 0.05));
        }
        for (int step = 0; step < 40; ++step) {
            double longest = longest_by_search(m);
            mesh *fine = refined(m, m->triangle_count + 2);
            v3 middle = fine->vertices[fine->vertex_count - 1];
            bool halved = false; /* some edge of the old mesh of the longest length has its middle there */
            for (int i = 0; i < 3 * m->triangle_count; ++i) {
                const int *corner = m->triangles[i / 3];
                v3 a = m->vertices[corner[i % 3]];
                v3 b = m->vertices[corner[(i + 1) % 3]];
                halved = halved || (v3_norm(v3_sub(a, b)) == longest &&
                                    v3_norm(v3_sub(v3_scale(0.5, v3_add(a, b)), middle)) == 0.0);
            }
            CHECK(halved);
            mesh_destroy(m);
            m = fine;
        }
        mesh_destroy(m);
    }
}

TEST(refine, broken_meshes_are_refused)
{
    mesh *m = mesh_create(5, 3);
    mesh *fine;
    carom_error err = { 0 };
    static const int fan[3][3] = { { 0, 1, 2 }, { 0, 1, 3 }, { 0, 1, 4 } };
    memcpy(m->triangles, fan, sizeof fan);
    for (int i = 1; i < 5; ++i) {
        m->vertices[i] = v3_make(i == 1, i == 2 || i == 4, i == 3 || i == 4);
    }
    CHECK_EQ(mesh_refine(&fine, m, 10, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "repair");
    m->triangles[0][1] = 0;
    CHECK_EQ(mesh_refine(&fine, m, 10, &err), CAROM_BAD_INPUT);
    m->triangle_count = 0;
    CHECK_EQ(mesh_refine(&fine, m, 10, &err), CAROM_BAD_INPUT);
    mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(refine, a_closed_solid_stays_the_same),
        RUN_TEST(refine, angles_stay_above_half_the_smallest),
        RUN_TEST(refine, an_odd_step_on_a_closed_surface_names_the_neighbours),
        RUN_TEST(refine, an_open_surface_reaches_any_number),
        RUN_TEST(refine, edges_end_up_short_enough_and_not_much_shorter),
        RUN_TEST(refine, always_the_longest_edge),
        RUN_TEST(refine, broken_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
