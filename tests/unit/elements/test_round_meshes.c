/* Meshes of discs, balls and beds: they fill what they say, have cells of the size asked for where they touch, fit together, and are refused
 * where they cannot be made. */
#include "elements/flexible/round_meshes.h"
#include "support/failing_heap.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static const carom_round_mesh_def usual = { .radius = 0.02, .patch = 0.002, .fine = 0.0004 };

static double quad_area(const volume_mesh *m, const volume_cell *c)
{
    v3 one = v3_sub(m->nodes[c->nodes[2]], m->nodes[c->nodes[0]]);
    v3 two = v3_sub(m->nodes[c->nodes[3]], m->nodes[c->nodes[1]]);
    return 0.5 * (one.x * two.y - one.y * two.x);
}

/* Jacobian at a corner with its three neighbours, right-handed. */
static double corner_volume(const volume_mesh *m, const volume_cell *c, int corner)
{
    static const int next[8][3] = { { 1, 3, 4 }, { 2, 0, 5 }, { 3, 1, 6 }, { 0, 2, 7 },
                                    { 7, 5, 0 }, { 4, 6, 1 }, { 5, 7, 2 }, { 6, 4, 3 } };
    v3 x = m->nodes[c->nodes[corner]];
    v3 e[3];
    for (int i = 0; i < 3; ++i) {
        e[i] = v3_sub(m->nodes[c->nodes[next[corner][i]]], x);
    }
    return v3_dot(v3_cross(e[0], e[1]), e[2]);
}

/* Area of quadrilaterals or volume of hexahedra, by the mean of the corners' Jacobians. All are positive. */
static double filled(const volume_mesh *m)
{
    double sum = 0.0;
    for (int c = 0; c < m->cell_count; ++c) {
        const volume_cell *cell = &m->cells[c];
        double size = 0.0;
        for (int k = 0; cell->kind == CELL_HEXAHEDRON8 && k < 8; ++k) {
            double corner = corner_volume(m, cell, k);
            CHECK(corner > 0.0);
            size += corner / 8.0;
        }
        size = cell->kind == CELL_QUAD4 ? quad_area(m, cell) : size;
        CHECK(size > 0.0);
        sum += size;
    }
    return sum;
}

/* Every node is used, and no two share a place. */
static void check_nodes(const volume_mesh *m, double apart)
{
    bool *used = calloc((size_t)m->node_count, sizeof *used);
    CHECK(used != NULL);
    for (int c = 0; c < m->cell_count; ++c) {
        for (int k = 0; k < cell_kind_nodes(m->cells[c].kind); ++k) {
            used[m->cells[c].nodes[k]] = true;
        }
    }
    for (int i = 0; i < m->node_count; ++i) {
        CHECK(used[i]);
        for (int j = 0; j < i; ++j) {
            CHECK(v3_norm(v3_sub(m->nodes[i], m->nodes[j])) > apart);
        }
    }
    free(used);
}

static double smallest_edge_near(const volume_mesh *m, v3 place)
{
    double least = HUGE_VAL;
    for (int i = 0; i < m->node_count; ++i) {
        double r = v3_norm(v3_sub(m->nodes[i], place));
        least = r > 0.0 ? fmin(least, r) : least;
    }
    return least;
}

TEST(round_meshes, discs_and_balls_are_filled_and_fine_where_they_say)
{
    static const round_extent extents[] = { ROUND_HALF_SECTION, ROUND_PLANE, ROUND_SPACE };
    static const carom_round_side sides[] = { CAROM_TOWARDS_LOWER, CAROM_TOWARDS_UPPER, CAROM_TOWARDS_BOTH };
    for (int e = 0; e < 3; ++e) {
        const double R = usual.radius;
        const double known[] = { 0.5 * PI * R * R, PI * R * R, 4.0 / 3.0 * PI * R * R * R };
        for (int k = 0; k < 3; ++k) {
            carom_round_mesh_def def = usual;
            volume_mesh m;
            carom_error err = { 0 };
            def.towards = sides[k];
            def.at = e == 2 ? v3_make(0.1, 0.2, -0.3) : v3_make(0.0, 0.2, 0.0);
            CHECK_OK(ball_mesh_make(&m, &def, extents[e], &err), err);
            CHECK_NEAR(filled(&m), known[e], (e == 2 ? 0.04 : 0.02) * known[e]); /* chords within the round */
            check_nodes(&m, 0.2 * usual.fine);
            v3 pole = e == 2 ? v3_make(0.0, 0.0, R) : v3_make(0.0, R, 0.0);
            double low = smallest_edge_near(&m, v3_sub(def.at, pole));
            double high = smallest_edge_near(&m, v3_add(def.at, pole));
            CHECK_NEAR(k == 1 ? high : low, usual.fine, 0.25 * usual.fine);
            CHECK(k == 2 ? fabs(high - low) < 1e-9 * R : (k == 1 ? low : high) > 2.0 * usual.fine);
            volume_mesh_free(&m);
        }
    }
}

TEST(round_meshes, beds_lie_below_their_flat_side)
{
    for (int e = 0; e < 3; ++e) {
        const double R = usual.radius;
        const double known[] = { 0.25 * PI * R * R, 0.5 * PI * R * R, 2.0 / 3.0 * PI * R * R * R };
        volume_mesh m;
        carom_error err = { 0 };
        CHECK_OK(bed_mesh_make(&m, &usual, (round_extent)e, &err), err);
        CHECK_NEAR(filled(&m), known[e], (e == 2 ? 0.04 : 0.02) * known[e]);
        check_nodes(&m, 0.2 * usual.fine);
        for (int i = 0; i < m.node_count; ++i) {
            CHECK_LE(e == 2 ? m.nodes[i].z : m.nodes[i].y, 0.0);
            CHECK_LE(v3_norm(m.nodes[i]), R * (1.0 + 1e-12));
            CHECK(e != 0 || m.nodes[i].x >= 0.0);
        }
        CHECK_NEAR(smallest_edge_near(&m, v3_zero()), usual.fine, 0.25 * usual.fine);
        volume_mesh_free(&m);
    }
}

/* From a patch of one cell to one as large as the radius. */
TEST(round_meshes, any_patch_gives_cells_that_are_right_way_round)
{
    static const double patches[] = { 1e-5, 1e-3, 0.3, 1.0 };
    static const double cells[] = { 1.1, 3.0, 12.0 };
    for (int e = 0; e < 3; ++e) {
        for (int p = 0; p < 4; ++p) {
            for (int c = 0; c < (e == 2 ? 2 : 3); ++c) {
                const carom_round_mesh_def def = { .radius = 1.0,
                                                   .patch = patches[p],
                                                   .fine = patches[p] / cells[c] };
                volume_mesh m;
                carom_error err = { 0 };
                CHECK_OK(ball_mesh_make(&m, &def, (round_extent)e, &err), err);
                CHECK(filled(&m) > 0.0);
                volume_mesh_free(&m);
                CHECK_OK(bed_mesh_make(&m, &def, (round_extent)e, &err), err);
                CHECK(filled(&m) > 0.0);
                volume_mesh_free(&m);
            }
        }
    }
}

static void refused(carom_round_mesh_def def, round_extent extent, const char *sentence)
{
    volume_mesh m;
    carom_error err = { 0 };
    CHECK_EQ(ball_mesh_make(&m, &def, extent, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, sentence);
    CHECK_EQ(bed_mesh_make(&m, &def, extent, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, sentence);
}

TEST(round_meshes, what_cannot_be_made_is_refused)
{
    refused((carom_round_mesh_def){ .radius = 1.0, .patch = 1.01, .fine = 0.1 }, ROUND_PLANE,
            "must not reach further");
    refused((carom_round_mesh_def){ .radius = 1.0, .patch = 0.1, .fine = 0.1 }, ROUND_PLANE, "smaller than itself");
    refused((carom_round_mesh_def){ .radius = 1.0, .patch = 0.1, .fine = 1e-9 }, ROUND_PLANE, "take a larger 'fine'");
    refused((carom_round_mesh_def){ .radius = 1.0, .patch = 0.1, .fine = 1e-300 }, ROUND_SPACE,
            "take a larger 'fine'");
    refused((carom_round_mesh_def){ .radius = 1.0, .patch = 1e-7, .fine = 1.5e-9 }, ROUND_SPACE, "nodes, more than");
    refused((carom_round_mesh_def){ .radius = 1.0, .patch = 0.1, .fine = 0.01, .at = { 0.1, 0.0, 0.0 } },
            ROUND_HALF_SECTION, "only y may differ");
}

TEST(round_meshes, memory_that_runs_out_is_told)
{
    long needed = 0;
    for (long fails_at = 0; fails_at <= needed; ++fails_at) {
        volume_mesh m;
        carom_error err = { 0 };
        heap_begin(fails_at);
        carom_status status = ball_mesh_make(&m, &usual, ROUND_SPACE, &err);
        if (fails_at == 0) {
            CHECK_OK(status, err);
            needed = heap.calls;
            volume_mesh_free(&m);
        } else {
            CHECK_EQ(status, CAROM_NO_MEMORY);
        }
        CHECK_EQ(heap.live, 0);
        heap_end();
    }
    CHECK(needed > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(round_meshes, discs_and_balls_are_filled_and_fine_where_they_say),
        RUN_TEST(round_meshes, beds_lie_below_their_flat_side),
        RUN_TEST(round_meshes, any_patch_gives_cells_that_are_right_way_round),
        RUN_TEST(round_meshes, what_cannot_be_made_is_refused),
        RUN_TEST(round_meshes, memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
