/* Meshes as solids: exact volume integrals, invariance, accuracy far away, and what inspection finds. */
#include "geometry/mesh.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/samples.h"

TEST(mesh, box_is_exact)
{
    mesh *m = box_mesh(v3_make(-1, 0, 2), v3_make(1, 3, 6));
    mass_properties mass;
    mesh_mass(&mass, m);
    CHECK_NEAR(mass.mass, 24.0, 1e-14);
    check_v3_near(mass.center, v3_make(0, 1.5, 4), 1e-15);
    check_m3_near(mass.inertia, m3_diag(2.0 * (9 + 16), 2.0 * (4 + 16), 2.0 * (4 + 9)), 1e-13);
    mesh_destroy(m);
}

/* Exact for the polyhedron: any other tetrahedral sum agrees, here the corner simplex by hand. */
TEST(mesh, simplex_is_exact)
{
    mesh *m = mesh_create(4, 4);
    static const int triangles[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
    m->vertices[1] = v3_make(1, 0, 0);
    m->vertices[2] = v3_make(0, 1, 0);
    m->vertices[3] = v3_make(0, 0, 1);
    memcpy(m->triangles, triangles, sizeof triangles);
    mass_properties mass;
    mesh_mass(&mass, m);
    /* int x^2 = 1/60, int x y = 1/120 about the origin; Steiner with the centre (1/4, 1/4, 1/4) */
    double diagonal = 2.0 / 60.0 - 2.0 / (6.0 * 16.0);
    double off = -1.0 / 120.0 + 1.0 / (6.0 * 16.0);
    CHECK_NEAR(mass.mass, 1.0 / 6.0, 1e-16);
    check_v3_near(mass.center, v3_make(0.25, 0.25, 0.25), 1e-16);
    check_m3_near(mass.inertia, (m3){ { diagonal, off, off, off, diagonal, off, off, off, diagonal } }, 1e-16);
    mesh_destroy(m);
}

static double torus_error(int steps, double *inertia_error)
{
    double R = 2.0;
    double r = 0.5;
    double volume = 2.0 * TEST_PI * TEST_PI * R * r * r;
    mass_properties mass;
    mesh *m = torus(R, r, steps, steps);
    mesh_mass(&mass, m);
    mesh_destroy(m);
    *inertia_error = mass.inertia.m[8] - volume * (R * R + 0.75 * r * r);
    return mass.mass - volume;
}

TEST(mesh, torus_converges_at_second_order)
{
    double coarse_inertia, fine_inertia;
    double coarse = torus_error(100, &coarse_inertia);
    double fine = torus_error(200, &fine_inertia);
    CHECK_NEAR(coarse / fine, 4.0, 0.01);
    CHECK_NEAR(coarse_inertia / fine_inertia, 4.0, 0.01);
}

TEST(mesh, mass_moves_with_the_mesh)
{
    FOR_EACH_SEED(rng, 20) {
        mesh *m = torus(1.0, 0.3, 12, 7);
        carom_pose pose = { random_v3(&rng, 4.0), random_turn(&rng) };
        mass_properties before, after;
        mesh_mass(&before, m);
        before = mass_transform(before, pose);
        move_mesh(m, pose);
        mesh_mass(&after, m);
        CHECK_NEAR(after.mass, before.mass, 1e-13);
        check_v3_near(after.center, before.center, 1e-13);
        check_m3_near(after.inertia, before.inertia, 1e-13);
        mesh_destroy(m);
    }
}

TEST(mesh, far_away_keeps_its_inertia)
{
    mesh *m = torus(1.0, 0.25, 40, 20);
    for (int i = 0; i < m->vertex_count; ++i) { /* multiples of 2^-20: exact near and far */
        v3 r = m->vertices[i];
        m->vertices[i] = v3_make(nearbyint(r.x * 0x1p20) * 0x1p-20, nearbyint(r.y * 0x1p20) * 0x1p-20,
                                 nearbyint(r.z * 0x1p20) * 0x1p-20);
    }
    mass_properties near, far;
    mesh_mass(&near, m);
    v3 away = { 1e6, -2e6, 3e6 };
    move_mesh(m, (carom_pose){ away, q_identity() });
    mesh_mass(&far, m);
    CHECK_NEAR(far.mass, near.mass, 1e-12 * near.mass);
    check_v3_near(v3_sub(far.center, away), near.center, 1e-9);
    check_m3_near(far.inertia, near.inertia, 1e-12 * near.inertia.m[8]);
    mesh_destroy(m);
}

/* Vertices themselves rounded 1e6 m away, as a file would have them. */
TEST(mesh, rounded_far_away_keeps_nine_digits)
{
    mesh *m = torus(1.0, 0.25, 60, 30);
    mass_properties near, far;
    mesh_mass(&near, m);
    move_mesh(m, (carom_pose){ { 1e6, 0, 0 }, q_identity() });
    mesh_mass(&far, m);
    check_m3_near(far.inertia, near.inertia, 1e-9 * near.inertia.m[8]);
    mesh_destroy(m);
}

static void turn_inside_out(mesh *m)
{
    for (int t = 0; t < m->triangle_count; ++t) {
        int swap = m->triangles[t][0];
        m->triangles[t][0] = m->triangles[t][1];
        m->triangles[t][1] = swap;
    }
}

TEST(mesh, inside_out_has_negative_volume_only)
{
    mesh *m = torus(1.0, 0.3, 20, 10);
    mass_properties right, wrong;
    mesh_mass(&right, m);
    turn_inside_out(m);
    mesh_mass(&wrong, m);
    CHECK_NEAR(wrong.mass, -right.mass, 1e-14);
    check_v3_near(wrong.center, right.center, 1e-14);
    check_m3_near(wrong.inertia, right.inertia, 1e-14);
    mesh_destroy(m);
}

/* ---- inspection ---------------------------------------------------------------------------------------------------- */

static mesh_quality inspect(const mesh *m)
{
    mesh_quality quality;
    carom_error err = { 0 };
    CHECK_OK(mesh_inspect(m, &quality, &err), err);
    return quality;
}

static void check_quality(const mesh *m, int open, int nonmanifold, int flipped, int degenerate)
{
    mesh_quality q = inspect(m);
    CHECK_EQ(q.open_edges, open);
    CHECK_EQ(q.nonmanifold_edges, nonmanifold);
    CHECK_EQ(q.flipped_edges, flipped);
    CHECK_EQ(q.degenerate, degenerate);
}

TEST(mesh, closed_surfaces_have_nothing_to_report)
{
    mesh *ring = torus(2.0, 0.5, 30, 20);
    mesh *box = box_mesh(v3_make(0, 0, 0), v3_make(1, 1, 1));
    check_quality(ring, 0, 0, 0, 0);
    check_quality(box, 0, 0, 0, 0);
    CHECK_NEAR(inspect(box).volume, 1.0, 1e-15);
    mesh_destroy(ring);
    mesh_destroy(box);
}

TEST(mesh, a_missing_triangle_opens_three_edges)
{
    mesh *m = box_mesh(v3_make(0, 0, 0), v3_make(1, 1, 1));
    --m->triangle_count;
    check_quality(m, 3, 0, 0, 0);
    mesh_destroy(m);
}

TEST(mesh, a_turned_triangle_flips_three_edges)
{
    mesh *m = box_mesh(v3_make(0, 0, 0), v3_make(1, 1, 1));
    int swap = m->triangles[4][0];
    m->triangles[4][0] = m->triangles[4][1];
    m->triangles[4][1] = swap;
    check_quality(m, 0, 0, 3, 0);
    mesh_destroy(m);
}

/* A fin on an edge of a box: the edge has three triangles, the fin two open edges. */
TEST(mesh, a_fin_is_not_manifold)
{
    mesh *box = box_mesh(v3_make(0, 0, 0), v3_make(1, 1, 1));
    mesh *m = mesh_create(9, 13);
    memcpy(m->vertices, box->vertices, 8 * sizeof *m->vertices);
    memcpy(m->triangles, box->triangles, 12 * sizeof *m->triangles);
    m->vertices[8] = v3_make(-1, -1, 0.5);
    m->triangle_count = 12;
    add_triangle(m, 0, 4, 8);
    check_quality(m, 2, 1, 0, 0);
    mesh_destroy(m);
    mesh_destroy(box);
}

/* Triangles folded onto an edge, as welding leaves them, neither open nor overload that edge. */
TEST(mesh, triangles_without_area_are_counted_and_do_no_harm)
{
    mesh *box = box_mesh(v3_make(0, 0, 0), v3_make(1, 1, 1));
    mesh *m = mesh_create(8, 13);
    memcpy(m->vertices, box->vertices, 8 * sizeof *m->vertices);
    memcpy(m->triangles, box->triangles, 12 * sizeof *m->triangles);
    m->triangles[12][0] = 0;
    m->triangles[12][1] = 0;
    m->triangles[12][2] = 1;
    check_quality(m, 0, 0, 0, 1);
    mesh_destroy(m);
    mesh_destroy(box);

    mesh *line = mesh_create(3, 1);
    line->vertices[1] = v3_make(0.1, 0.1, 0.1);
    line->vertices[2] = v3_make(0.3, 0.3, 0.3);
    line->triangles[0][1] = 1;
    line->triangles[0][2] = 2;
    CHECK_EQ(inspect(line).degenerate, 1);
    mesh_destroy(line);
}

/* A vertex in every triangle: linear cost must not become quadratic (this would take minutes). */
TEST(mesh, a_hub_with_many_edges_is_inspected_quickly)
{
    enum { SPOKES = 200000 };
    mesh *m = mesh_create(SPOKES + 1, SPOKES);
    for (int i = 0; i < SPOKES; ++i) {
        double angle = 2.0 * TEST_PI * i / SPOKES;
        m->vertices[i + 1] = v3_make(cos(angle), sin(angle), 1.0);
        m->triangles[i][1] = i + 1;
        m->triangles[i][2] = (i + 1) % SPOKES + 1;
    }
    mesh_quality q = inspect(m);
    CHECK_EQ(q.open_edges, SPOKES);
    CHECK_EQ(q.nonmanifold_edges, 0);
    mesh_destroy(m);
}

TEST(mesh, an_empty_mesh_has_no_mass)
{
    mesh *m = mesh_create(0, 0);
    mass_properties mass;
    v3 low, high;
    mesh_mass(&mass, m);
    mesh_bounds(&low, &high, m);
    CHECK_NEAR(mass.mass, 0.0, 0.0);
    check_v3_near(high, v3_zero(), 0.0);
    check_quality(m, 0, 0, 0, 0);
    mesh_destroy(m);
    mesh_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(mesh, box_is_exact),
        RUN_TEST(mesh, simplex_is_exact),
        RUN_TEST(mesh, torus_converges_at_second_order),
        RUN_TEST(mesh, mass_moves_with_the_mesh),
        RUN_TEST(mesh, far_away_keeps_its_inertia),
        RUN_TEST(mesh, rounded_far_away_keeps_nine_digits),
        RUN_TEST(mesh, inside_out_has_negative_volume_only),
        RUN_TEST(mesh, closed_surfaces_have_nothing_to_report),
        RUN_TEST(mesh, a_missing_triangle_opens_three_edges),
        RUN_TEST(mesh, a_turned_triangle_flips_three_edges),
        RUN_TEST(mesh, a_fin_is_not_manifold),
        RUN_TEST(mesh, triangles_without_area_are_counted_and_do_no_harm),
        RUN_TEST(mesh, a_hub_with_many_edges_is_inspected_quickly),
        RUN_TEST(mesh, an_empty_mesh_has_no_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
