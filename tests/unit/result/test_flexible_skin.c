/* Surfaces of finite elements: closed, as large as the body, made of its nodes; coarser ones stay closed around the same volume. */
#include "support/failing_heap.h"

#include <math.h>

#include "math/vec3.h"
#include "result/flexible_skin.h"
#include "support/small_run.h"

static const char *const folder = "skin-run";

#define BODY(mesh, more)                                                                                             \
    "{\"carom\": 1, \"materials\": {\"soft\": {\"young\": 1e7, \"poisson\": 0.3, \"density\": 1000}}, \"time\": "    \
    "{\"end\": 1e-6}, \"bodies\": [{\"name\": \"body\", \"material\": \"soft\", \"flexible\": {\"mesh\": " mesh more \
    ", \"modes\": {\"count\": 1}}}]}"

static v3 vertex_at(const flexible_skin *s, const flexible_mesh *m, int32_t v)
{
    return v3_add(v3_load(m->nodes + 3 * (size_t)s->nodes[s->vertex_node[v]]), s->offset[v]);
}

/* By the divergence theorem: positive where triangles are counter-clockwise from outside. */
static double volume_of(const flexible_skin *s, const flexible_mesh *m)
{
    double sum = 0.0;
    for (size_t t = 0; t < s->triangle_count; ++t) {
        const int32_t *v = s->triangles + 3 * t;
        sum += v3_dot(vertex_at(s, m, v[0]), v3_cross(vertex_at(s, m, v[1]), vertex_at(s, m, v[2])));
    }
    return sum / 6.0;
}

/* The sum of normals of a closed surface is nothing. */
static double gap_of(const flexible_skin *s, const flexible_mesh *m)
{
    v3 sum = v3_zero();
    double area = 0.0;
    for (size_t t = 0; t < s->triangle_count; ++t) {
        const int32_t *v = s->triangles + 3 * t;
        v3 a = vertex_at(s, m, v[0]);
        v3 n = v3_cross(v3_sub(vertex_at(s, m, v[1]), a), v3_sub(vertex_at(s, m, v[2]), a));
        sum = v3_add(sum, n);
        area += v3_norm(n);
    }
    return v3_norm(sum) / area;
}

static void check_skin(const char *scene, size_t most, size_t nodes, double volume, double tolerance)
{
    small_run(scene, folder);
    carom_result *r = small_open(folder);
    carom_error err = { 0 };
    flexible_mesh m;
    flexible_skin s;
    CHECK_OK(result_flexible_mesh(r, 1, &m, &err), err);
    CHECK(flexible_skin_make(&s, &m, most));
    CHECK(most > 0 || s.node_count == nodes);
    CHECK(most == 0 || (s.node_count <= most && 4 * s.node_count > most));
    CHECK_EQ(s.all_nodes, nodes);
    CHECK_NEAR(volume_of(&s, &m) / volume, 1.0, tolerance);
    CHECK_NEAR(gap_of(&s, &m), 0.0, 1e-12);
    for (size_t i = 0; i < 3 * s.triangle_count; ++i) {
        CHECK(s.triangles[i] >= 0 && (size_t)s.triangles[i] < s.vertex_count);
    }
    for (size_t v = 0; v < s.vertex_count; ++v) {
        CHECK(s.vertex_node[v] >= 0 && (size_t)s.vertex_node[v] < s.node_count);
    }
    flexible_skin_free(&s);
    carom_result_close(r);
    small_remove(folder);
}

static const char block[] = BODY("{\"block\": {\"size\": [0.3, 0.2, 0.1], \"divisions\": [6, 5, 4]}}", "");

/* 7 x 6 x 5 nodes, 5 x 4 x 3 of them inside. */
TEST(skin, of_a_block_is_its_surface)
{
    check_skin(block, 0, 210 - 60, 0.3 * 0.2 * 0.1, 1e-9);
}

/* Nodes that become one of their neighbours move inwards by up to the size of a cell. */
TEST(skin, coarser_is_closed_and_about_as_large)
{
    check_skin(block, 80, 150, 0.3 * 0.2 * 0.1, 0.4);
}

TEST(skin, of_a_strip_is_as_thick_as_it_is)
{
    check_skin(BODY("{\"strip\": {\"length\": 0.2, \"height\": 0.05, \"divisions\": [8, 2]}}",
                    ", \"thickness\": 0.01"),
               0, 27, 0.2 * 0.05 * 0.01, 1e-9);
}

/* Circles have 16 sides: 16 sin(pi/8) / (2 pi) of the area. */
TEST(skin, of_beams_has_their_section)
{
    check_skin(BODY("{\"beam\": {\"length\": 0.4, \"count\": 4}}", ", \"section\": {\"round\": 0.02}"), 0, 5,
               0.4 * 8.0 * sin(0.39269908169872414) * 0.02 * 0.02, 1e-9);
    check_skin(BODY("{\"beam\": {\"length\": 0.4, \"count\": 4}}",
                    ", \"section\": {\"rectangle\": {\"height\": 0.03, \"width\": 0.02}}"),
               0, 5, 0.4 * 0.03 * 0.02, 1e-9);
    check_skin(BODY("{\"bar\": {\"length\": 0.4, \"count\": 3}}", ", \"section\": {\"round\": 0.02}"), 0, 4,
               0.4 * 8.0 * sin(0.39269908169872414) * 0.02 * 0.02, 1e-9);
}

TEST(skin, memory_may_end_anywhere)
{
    small_run(block, folder);
    carom_result *r = small_open(folder);
    carom_error err = { 0 };
    flexible_mesh m;
    CHECK_OK(result_flexible_mesh(r, 1, &m, &err), err);
    bool failed = true;
    for (long n = 1; failed && n < 1000; ++n) {
        flexible_skin s;
        heap_begin(n);
        bool made = flexible_skin_make(&s, &m, 80);
        flexible_skin_free(&s);
        failed = heap_end();
        CHECK_EQ(made, !failed);
    }
    CHECK(!failed);
    carom_result_close(r);
    small_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(skin, of_a_block_is_its_surface),       RUN_TEST(skin, coarser_is_closed_and_about_as_large),
        RUN_TEST(skin, of_a_strip_is_as_thick_as_it_is), RUN_TEST(skin, of_beams_has_their_section),
        RUN_TEST(skin, memory_may_end_anywhere),
    };
    return cmocka_run_group_tests_name("skin", tests, NULL, NULL);
}
