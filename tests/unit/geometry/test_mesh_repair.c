/* Diagnosis and repair: meshes are broken in known ways, each defect must be counted and located, and repaired to the
 * solid it was. */
#include "geometry/mesh_repair.h"

#include <stdlib.h>

#include "geometry/mesh_report.h"
#include "support/samples.h"

static carom_mesh_report inspected(const mesh *m)
{
    carom_mesh_report report;
    carom_error err = { 0 };
    CHECK_OK(mesh_report(m, &report, &err), err);
    return report;
}

static size_t defects(const mesh *m, carom_mesh_defect_kind kind)
{
    return inspected(m).defects[kind].count;
}

/* Repairs and frees. */
static mesh *repaired(mesh *m, carom_mesh_repair_options options)
{
    carom_error err = { 0 };
    carom_mesh_repair_log log;
    mesh *out = NULL;
    CHECK_OK(mesh_repair(&out, m, &options, &log, &err), err);
    CHECK_GE(log.line_count, 1);
    mesh_destroy(m);
    return out;
}

static double volume(const mesh *m)
{
    mass_properties mass;
    mesh_mass(&mass, m);
    return mass.mass;
}

static void turn(int corner[3])
{
    int first = corner[0];
    corner[0] = corner[1];
    corner[1] = first;
}

static void remove_triangle(mesh *m, int t)
{
    memmove(m->triangles[t], m->triangles[m->triangle_count - 1], sizeof m->triangles[t]);
    --m->triangle_count;
}

/* ---- diagnosis --------------------------------------------------------------------------------------------------- */

TEST(report, a_good_mesh_has_no_defects)
{
    mesh *m = torus(1.0, 0.3, 20, 10);
    carom_mesh_report report = inspected(m);
    CHECK(report.closed && report.solid);
    CHECK_EQ(report.euler, 0);
    CHECK_EQ(report.components, 1);
    for (int kind = 0; kind < CAROM_MESH_DEFECT_KINDS; ++kind) {
        CHECK_EQ(report.defects[kind].count, 0);
    }
    mesh_destroy(m);
}

TEST(report, a_missing_triangle_is_a_hole_at_its_place)
{
    mesh *m = torus(1.0, 0.3, 20, 10);
    v3 middle = v3_zero();
    for (int k = 0; k < 3; ++k) {
        middle = v3_axpy(middle, 1.0 / 3.0, m->vertices[m->triangles[77][k]]);
    }
    remove_triangle(m, 77);
    carom_mesh_report report = inspected(m);
    CHECK_EQ(report.defects[CAROM_MESH_OPEN_EDGE].count, 3);
    CHECK_EQ(report.defects[CAROM_MESH_HOLE].count, 1);
    check_v3_near(report.defects[CAROM_MESH_HOLE].places[0], middle, 1e-15);
    CHECK(!report.closed && !report.solid);
    mesh_destroy(m);
}

/* Two boxes that share an edge have four triangles there; that share a corner, a pinched vertex. */
TEST(report, touching_boxes)
{
    mesh *a = box_mesh(v3_zero(), v3_make(1, 1, 1));
    for (int shared = 0; shared < 2; ++shared) {
        v3 low = v3_make(1, 1, shared ? 1 : 0);
        mesh *b = box_mesh(low, v3_add(low, v3_make(1, 1, 1)));
        mesh *m = repaired(together(a, b), (carom_mesh_repair_options){ 0 });
        carom_mesh_report report = inspected(m);
        CHECK_EQ(report.defects[CAROM_MESH_NONMANIFOLD_EDGE].count, shared ? 0 : 1);
        CHECK_EQ(report.defects[CAROM_MESH_PINCHED_VERTEX].count, shared ? 1 : 0);
        if (shared) {
            check_v3_near(report.defects[CAROM_MESH_PINCHED_VERTEX].places[0], low, 0.0);
        } else {
            check_v3_near(report.defects[CAROM_MESH_NONMANIFOLD_EDGE].places[0], v3_make(1, 1, 0.5), 0.0);
        }
        mesh_destroy(m);
        mesh_destroy(b);
    }
    mesh_destroy(a);
}

TEST(report, boxes_that_overlap_cut_each_other)
{
    mesh *a = box_mesh(v3_zero(), v3_make(1, 1, 1));
    mesh *b = box_mesh(v3_make(0.5, 0.4, 0.3), v3_make(1.5, 1.4, 1.3));
    mesh *m = together(a, b);
    CHECK_GE((double)defects(m, CAROM_MESH_SELF_INTERSECTION), 6.0);
    CHECK_EQ(inspected(m).components, 2);
    CHECK(!inspected(m).solid);
    mesh_destroy(a);
    mesh_destroy(b);
    mesh_destroy(m);
}

/* Compared pair by pair, the triangles below would take hours. */
TEST(report, triangles_that_hang_together_with_nothing)
{
    enum { COUNT = 300000, ROW = 600 };
    mesh *m = mesh_create(3 * COUNT, COUNT);
    assert_non_null(m);
    for (int t = 0; t < COUNT; ++t) {
        v3 at = v3_make(t % ROW, t / ROW, 0.01 * (t % 7));
        for (int k = 0; k < 3; ++k) {
            m->vertices[3 * t + k] = v3_add(at, v3_make(k == 1 ? 0.5 : 0.0, k == 2 ? 0.5 : 0.0, 0.0));
            m->triangles[t][k] = 3 * t + k;
        }
    }
    carom_mesh_report report = inspected(m);
    CHECK_EQ(report.defects[CAROM_MESH_OPEN_EDGE].count, 3 * COUNT);
    CHECK_EQ(report.components, COUNT);
    CHECK_EQ(report.cavities, 0);
    mesh_destroy(m);
}

TEST(report, unused_duplicate_degenerate_and_inside_out)
{
    mesh *box = box_mesh(v3_zero(), v3_make(1, 1, 1));
    mesh *m = mesh_create(10, 14);
    memcpy(m->vertices, box->vertices, 8 * sizeof *box->vertices);
    memcpy(m->triangles, box->triangles, 12 * sizeof *box->triangles);
    m->vertices[8] = v3_make(7, 8, 9); /* in a folded triangle only */
    m->vertices[9] = v3_make(1, 2, 3); /* unused */
    memcpy(m->triangles[12], m->triangles[3], sizeof m->triangles[3]);
    m->triangles[13][0] = m->triangles[13][1] = 8;
    carom_mesh_report report = inspected(m);
    CHECK_EQ(report.defects[CAROM_MESH_UNREFERENCED].count, 1);
    check_v3_near(report.defects[CAROM_MESH_UNREFERENCED].places[0], v3_make(1, 2, 3), 0.0);
    CHECK_EQ(report.defects[CAROM_MESH_DUPLICATE].count, 1);
    CHECK_EQ(report.defects[CAROM_MESH_DEGENERATE].count, 1);
    m = repaired(m, (carom_mesh_repair_options){ 0 });
    CHECK_EQ(m->triangle_count, 12);
    CHECK_EQ(m->vertex_count, 8);
    for (int t = 0; t < 12; ++t) {
        turn(m->triangles[t]);
    }
    CHECK_EQ(defects(m, CAROM_MESH_INSIDE_OUT), 1);
    m = repaired(m, (carom_mesh_repair_options){ 0 });
    CHECK(inspected(m).solid);
    CHECK_NEAR(volume(m), 1.0, 1e-15);
    mesh_destroy(box);
    mesh_destroy(m);
}

/* ---- repair ------------------------------------------------------------------------------------------------------ */

/* Each corner its own vertex, a little off: welding brings the solid back. */
TEST(repair, welds_within_the_tolerance)
{
    FOR_EACH_SEED(rng, 10) {
        mesh *whole = torus(1.0, 0.3, 24, 12);
        mesh *soup = mesh_create(3 * whole->triangle_count, whole->triangle_count);
        for (int i = 0; i < 3 * whole->triangle_count; ++i) {
            v3 r = whole->vertices[whole->triangles[i / 3][i % 3]];
            soup->vertices[i] = v3_add(r, random_v3(&rng, 1e-6));
            soup->triangles[i / 3][i % 3] = i;
        }
        mesh *m = repaired(soup, (carom_mesh_repair_options){ .weld = 1e-5 });
        CHECK_EQ(m->vertex_count, whole->vertex_count);
        CHECK_EQ(m->triangle_count, whole->triangle_count);
        CHECK(inspected(m).solid);
        CHECK_NEAR(volume(m), volume(whole), 1e-5);
        mesh_destroy(whole);
        mesh_destroy(m);
    }
}

/* Whatever triangles are turned, the solid comes back facing outwards. */
TEST(repair, turns_triangles_back)
{
    FOR_EACH_SEED(rng, 20) {
        mesh *m = torus(1.0, 0.3, 16, 8);
        double before = volume(m);
        for (int t = 0; t < m->triangle_count; ++t) {
            if (test_rng_uniform(&rng, 0.0, 1.0) < 0.5) {
                turn(m->triangles[t]);
            }
        }
        CHECK(!inspected(m).solid);
        m = repaired(m, (carom_mesh_repair_options){ 0 });
        CHECK(inspected(m).solid);
        CHECK_NEAR(volume(m), before, 1e-14);
        mesh_destroy(m);
    }
}

/* A shell within a shell within a shell: outwards, inwards, outwards, however they came. */
TEST(repair, cavities_face_inwards)
{
    for (int mask = 0; mask < 8; ++mask) {
        mesh *nested = NULL;
        for (int i = 0; i < 3; ++i) {
            v3 corner = v3_make(1.0 - 0.2 * i, 1.0 - 0.2 * i, 1.0 - 0.2 * i);
            mesh *box = box_mesh(v3_neg(corner), corner);
            for (int t = 0; t < 12 && mask >> i & 1; ++t) {
                turn(box->triangles[t]);
            }
            mesh *sum = nested ? together(nested, box) : box_mesh(v3_neg(corner), corner);
            if (!nested) {
                memcpy(sum->triangles, box->triangles, 12 * sizeof *box->triangles);
            }
            mesh_destroy(nested);
            mesh_destroy(box);
            nested = sum;
        }
        mesh *m = repaired(nested, (carom_mesh_repair_options){ 0 });
        CHECK_NEAR(volume(m), 8.0 * (1.0 - 0.512 + 0.216), 1e-13);
        CHECK(inspected(m).solid);
        CHECK_EQ(inspected(m).cavities, 1);
        m = repaired(m, (carom_mesh_repair_options){ .everything_outwards = true });
        CHECK_NEAR(volume(m), 8.0 * (1.0 + 0.512 + 0.216), 1e-13);
        mesh_destroy(m);
    }
}

/* Triangles around a vertex removed: a hole of as many edges as it had neighbours. A flat face is closed exactly. */
TEST(repair, fills_small_holes_only)
{
    mesh *m = box_mesh(v3_zero(), v3_make(1, 2, 3));
    remove_triangle(m, 11);
    remove_triangle(m, 10);
    CHECK_EQ(defects(m, CAROM_MESH_HOLE), 1);
    m = repaired(m, (carom_mesh_repair_options){ .fill = 3 });
    CHECK_EQ(defects(m, CAROM_MESH_HOLE), 1);
    m = repaired(m, (carom_mesh_repair_options){ .fill = 4 });
    CHECK(inspected(m).solid);
    CHECK_NEAR(volume(m), 6.0, 1e-14);
    mesh_destroy(m);
}

TEST(repair, fills_many_holes_of_random_shape)
{
    FOR_EACH_SEED(rng, 20) {
        mesh *m = torus(1.0, 0.3, 30, 15);
        double before = volume(m);
        for (int i = 0; i < 40; ++i) {
            remove_triangle(m, (int)test_rng_uniform(&rng, 0.0, m->triangle_count));
        }
        m = repaired(m, (carom_mesh_repair_options){ .fill = 100 });
        carom_mesh_report report = inspected(m);
        CHECK_EQ(report.defects[CAROM_MESH_NONMANIFOLD_EDGE].count, 0);
        CHECK_EQ(report.defects[CAROM_MESH_FLIPPED_EDGE].count, 0);
        CHECK_EQ(report.defects[CAROM_MESH_OPEN_EDGE].count, 0);
        CHECK_NEAR(volume(m), before, 0.02 * before);
        mesh_destroy(m);
    }
}

/* A corner moved onto the line between its neighbours: a triangle without area between two whole ones. */
TEST(repair, flat_triangles_go_without_opening_the_surface)
{
    mesh *box = box_mesh(v3_zero(), v3_make(1, 1, 1));
    /* split one triangle (a, b, c) at the middle m of (a, b) on its own side only, and close the gap with (a, m, b) */
    mesh *m = mesh_create(9, 14);
    memcpy(m->vertices, box->vertices, 8 * sizeof *box->vertices);
    memcpy(m->triangles, box->triangles, 12 * sizeof *box->triangles);
    int a = m->triangles[0][0];
    int b = m->triangles[0][1];
    int c = m->triangles[0][2];
    m->vertices[8] = v3_scale(0.5, v3_add(m->vertices[a], m->vertices[b]));
    const int added[3][3] = { { a, 8, c }, { 8, b, c }, { a, b, 8 } };
    memcpy(m->triangles[0], added[0], sizeof added[0]);
    memcpy(m->triangles[12], added[1], sizeof added[1]);
    memcpy(m->triangles[13], added[2], sizeof added[2]);
    CHECK(inspected(m).closed);
    CHECK_EQ(defects(m, CAROM_MESH_DEGENERATE), 1);
    m = repaired(m, (carom_mesh_repair_options){ 0 });
    CHECK(inspected(m).solid);
    CHECK_NEAR(volume(m), 1.0, 1e-15);
    mesh_destroy(box);
    mesh_destroy(m);
}

/* Two boxes that share a face: the wall between them is there twice, back to back. */
TEST(repair, a_wall_inside_goes)
{
    mesh *a = box_mesh(v3_zero(), v3_make(1, 1, 1));
    mesh *b = box_mesh(v3_make(1, 0, 0), v3_make(2, 1, 1));
    for (int i = 0; i < 8; ++i) { /* both diagonals of the shared faces agree when b is a mirrored in x */
        b->vertices[i].x = 2.0 - a->vertices[i].x;
    }
    for (int t = 0; t < 12; ++t) {
        turn(b->triangles[t]);
    }
    mesh *m = repaired(together(a, b), (carom_mesh_repair_options){ 0 });
    CHECK(inspected(m).solid);
    CHECK_EQ(m->triangle_count, 20);
    CHECK_NEAR(volume(m), 2.0, 1e-15);
    mesh_destroy(a);
    mesh_destroy(b);
    mesh_destroy(m);
}

/* A Moebius strip has one side: it is left, and said. */
TEST(repair, a_one_sided_strip_is_named)
{
    enum { N = 12 };
    mesh *m = mesh_create(2 * N, 2 * N);
    for (int i = 0; i < N; ++i) {
        double angle = 2.0 * TEST_PI * i / N;
        for (int k = 0; k < 2; ++k) {
            double s = k ? 0.3 : -0.3;
            double r = 1.0 + s * cos(0.5 * angle);
            m->vertices[2 * i + k] = v3_make(r * cos(angle), r * sin(angle), s * sin(0.5 * angle));
        }
        int p = 2 * i;
        int q = 2 * i + 1;
        int u = i + 1 < N ? p + 2 : 1;
        int w = i + 1 < N ? q + 2 : 0;
        const int pair[2][3] = { { p, u, q }, { q, u, w } };
        memcpy(m->triangles[2 * i], pair, sizeof pair);
    }
    carom_mesh_repair_options options = { 0 };
    carom_mesh_repair_log log;
    carom_error err = { 0 };
    mesh *out = NULL;
    CHECK_OK(mesh_repair(&out, m, &options, &log, &err), err);
    bool named = false;
    for (int i = 0; i < log.line_count; ++i) {
        named = named || strstr(log.lines[i], "one-sided");
    }
    CHECK(named);
    mesh_destroy(out);
    mesh_destroy(m);
}

TEST(repair, bad_options_and_hopeless_meshes)
{
    mesh *m = box_mesh(v3_zero(), v3_make(1, 1, 1));
    mesh *out;
    carom_mesh_repair_log log;
    carom_error err = { 0 };
    static const double welds[] = { -1.0, 0.5, HUGE_VAL };
    for (int i = 0; i < 3; ++i) {
        carom_mesh_repair_options options = { .weld = welds[i] };
        CHECK_EQ(mesh_repair(&out, m, &options, &log, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, "welding");
    }
    carom_mesh_repair_options fill = { .fill = -1 };
    CHECK_EQ(mesh_repair(&out, m, &fill, &log, &err), CAROM_BAD_INPUT);
    for (int i = 0; i < 36; ++i) {
        m->triangles[i / 3][i % 3] = 0;
    }
    carom_mesh_repair_options standard = { 0 };
    CHECK_EQ(mesh_repair(&out, m, &standard, &log, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "nothing is left");
    mesh_destroy(m);
}

/* Random triangles among few vertices have every defect there is: nothing breaks, and repair only improves. */
TEST(repair, survives_garbage)
{
    FOR_EACH_SEED(rng, 200) {
        int vertices = 3 + (int)test_rng_uniform(&rng, 0.0, 12.0);
        mesh *m = mesh_create(vertices, 1 + (int)test_rng_uniform(&rng, 0.0, 40.0));
        for (int i = 0; i < vertices; ++i) {
            m->vertices[i] = v3_make(floor(test_rng_uniform(&rng, 0.0, 3.0)), floor(test_rng_uniform(&rng, 0.0, 3.0)),
                                     floor(test_rng_uniform(&rng, 0.0, 3.0)));
        }
        for (int i = 0; i < 3 * m->triangle_count; ++i) {
            m->triangles[i / 3][i % 3] = (int)test_rng_uniform(&rng, 0.0, vertices);
        }
        carom_mesh_repair_options options = { .fill = 20, .weld = 0.01 };
        carom_mesh_repair_log log;
        carom_error err = { 0 };
        mesh *out = NULL;
        inspected(m);
        if (mesh_repair(&out, m, &options, &log, &err) == CAROM_OK) {
            carom_mesh_report report = inspected(out);
            CHECK_EQ(report.defects[CAROM_MESH_UNREFERENCED].count, 0);
            mesh_destroy(out);
        }
        mesh_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(report, a_good_mesh_has_no_defects),
        RUN_TEST(report, a_missing_triangle_is_a_hole_at_its_place),
        RUN_TEST(report, touching_boxes),
        RUN_TEST(report, boxes_that_overlap_cut_each_other),
        RUN_TEST(report, triangles_that_hang_together_with_nothing),
        RUN_TEST(report, unused_duplicate_degenerate_and_inside_out),
        RUN_TEST(repair, welds_within_the_tolerance),
        RUN_TEST(repair, turns_triangles_back),
        RUN_TEST(repair, cavities_face_inwards),
        RUN_TEST(repair, fills_small_holes_only),
        RUN_TEST(repair, fills_many_holes_of_random_shape),
        RUN_TEST(repair, flat_triangles_go_without_opening_the_surface),
        RUN_TEST(repair, a_wall_inside_goes),
        RUN_TEST(repair, a_one_sided_strip_is_named),
        RUN_TEST(repair, bad_options_and_hopeless_meshes),
        RUN_TEST(repair, survives_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
