/* Stresses of bodies that deform, from results: bars under their own weight and a cantilever, against closed forms. */
#include <math.h>
#include <stdio.h>

#include "math/vec3.h"
#include "result/result_stress.h"
#include "support/small_run.h"

static const char *const folder = "stress-run";

enum { NODES = 600 };

typedef struct stressed {
    size_t count;
    v3 at[NODES]; /* [m] undeformed */
    float von_mises[NODES];
    float strain[NODES];
} stressed;

/* The first body at the last frame. */
static stressed run_to_end(const char *scene)
{
    small_run(scene, folder);
    carom_result *r = small_open(folder);
    carom_error err = { 0 };
    carom_arena arena = { 0 };
    flexible_mesh m;
    stress_room room;
    stressed out = { .count = carom_result_node_count(r, 1) };
    double u[3 * NODES], turn[3 * NODES];
    node_stress stress[NODES];
    CHECK(out.count > 0 && out.count <= NODES);
    CHECK_OK(result_flexible_mesh(r, 1, &m, &err), err);
    CHECK_OK(result_flexible_displacements(r, 1, carom_result_frame_count(r) - 1, u, NULL, &err), err);
    CHECK(stress_room_make(&room, &arena, out.count));
    CHECK_OK(result_flexible_turns(r, 1, carom_result_frame_count(r) - 1, turn, &err), err);
    stress_at_nodes(&m, (node_motion){ u, turn }, NULL, &room, stress);
    for (size_t i = 0; i < out.count; ++i) {
        out.von_mises[i] = stress[i].von_mises;
        out.strain[i] = stress[i].principal;
        out.at[i] = v3_load(m.nodes + 3 * i);
    }
    carom_arena_free(&arena);
    carom_result_close(r);
    small_remove(folder);
    return out;
}

/* A bar that hangs along x from x = 0, with ten elements on 1 m: density g (1 m - x). Elements have the stress of their middle, so nodes
 * between two of them have it exactly; at the ends half an element is missing. */
static void check_hanging(const stressed *s, double tolerance)
{
    const double weight = 1000.0 * 9.81; /* [Pa] of the whole */
    for (size_t i = 0; i < s->count; ++i) {
        double x = s->at[i].x;
        bool end = x < 0.05 || x > 0.95;
        double truth = weight * (end ? (x < 0.05 ? 0.95 : 0.05) : 1.0 - x);
        CHECK_NEAR((double)s->von_mises[i], truth, tolerance * weight);
    }
}

#define HANGING(more, flexible)                                                                                          \
    "{\"carom\": 1, \"gravity\": [9.81, 0, 0], \"materials\": {\"soft\": {\"young\": 1e6, \"poisson\": 0, \"density\": " \
    "1000}}, " more ", \"bodies\": [{\"name\": \"bar\", \"material\": \"soft\", \"flexible\": {" flexible                \
    ", \"attachments\": [{\"name\": \"top\", \"nodes\": {\"group\": \"x_min\"}}]}}], \"joints\": [{\"name\": \"top\","   \
    " \"type\": \"fixed\", \"bodies\": [\"ground\", \"bar\"]}], \"record\": {\"every\": 0.1}}"

/* All modes of the bar there are; what still swings after 2 s is below 1e-6, and so is what single precision leaves. */
TEST(stress, of_a_bar_of_modes_under_its_weight)
{
    stressed s = run_to_end(HANGING(
        "\"time\": {\"end\": 2, \"integrator\": \"generalized-alpha\", \"tolerance\": 1e-8}",
        "\"mesh\": {\"bar\": {\"length\": 1, \"count\": 10, \"at\": [0.5, 0, 0]}}, \"section\": {\"round\": 0.01}, "
        "\"frame\": \"attachment\", \"modes\": {\"count\": 10}, \"damping\": {\"ratio\": 0.7}"));
    CHECK_EQ(s.count, 11);
    check_hanging(&s, 1e-5);
}

TEST(stress, of_a_block_of_nodes_under_its_weight)
{
    stressed s = run_to_end(
        HANGING("\"time\": {\"end\": 1.5}, \"contact\": {\"method\": \"constraint\"}",
                "\"as\": \"nodes\", \"mesh\": {\"block\": {\"size\": [1, 0.1, 0.1], \"divisions\": [10, 1, 1], "
                "\"at\": [0.5, 0, 0]}}, \"damping\": {\"stiffness\": 0.02}"));
    CHECK_EQ(s.count, 44);
    check_hanging(&s, 1e-5);
}

/* sigma = density g (L - x)^2 / 2 area y / inertia = 6 density g (1 - x)^2 y / h^2, away from both ends: at a node halfway. The mesh is
 * coarse along the beam, 0.05 m: linear stress between nodes against a parabola is off by (0.05 / 0.5)^2 / 4; the rest is that of modes
 * left out. */
TEST(stress, of_a_cantilever_under_its_weight)
{
    stressed s = run_to_end(
        "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"materials\": {\"steel\": {\"young\": 2e9, \"poisson\": 0, "
        "\"density\": 1000}}, \"time\": {\"end\": 3, \"integrator\": \"generalized-alpha\", \"tolerance\": 1e-6}, "
        "\"bodies\": [{\"name\": \"beam\", \"material\": \"steel\", \"flexible\": {\"mesh\": {\"block\": {\"size\": "
        "[1, 0.1, 0.05], \"divisions\": [20, 2, 1], \"at\": [0.5, 0, 0]}}, \"attachments\": [{\"name\": \"wall\", "
        "\"nodes\": {\"group\": \"x_min\"}}], \"frame\": \"attachment\", \"modes\": {\"count\": 40}, \"damping\": "
        "{\"ratio\": 0.7}}}], \"joints\": [{\"name\": \"wall\", \"type\": \"fixed\", \"bodies\": [\"ground\", "
        "\"beam\"]}], \"record\": {\"every\": 1}}");
    int seen = 0;
    for (size_t i = 0; i < s.count; ++i) {
        double x = s.at[i].x, y = fabs(s.at[i].y);
        double truth = 6.0 * 1000.0 * 9.81 * (1.0 - x) * (1.0 - x) * y / 0.01;
        if (fabs(x - 0.5) < 1e-9 && y > 0.04) {
            CHECK_NEAR((double)s.von_mises[i] / truth, 1.0, 0.02);
            ++seen;
        }
    }
    CHECK_EQ(seen, 4);
}

/* A free body that turns by a radian: what is left is its centrifugal stress, below density (omega r)^2 = 7.3 Pa, twice that because it
 * begins at once. A rotation taken for a strain would make a million. */
TEST(stress, of_a_body_that_turns_is_centrifugal)
{
    stressed s = run_to_end(
        "{\"carom\": 1, \"materials\": {\"soft\": {\"young\": 1e6, \"poisson\": 0.3, \"density\": 1000}}, \"time\": "
        "{\"end\": 1}, \"contact\": {\"method\": \"constraint\"}, \"bodies\": [{\"name\": \"block\", \"material\": "
        "\"soft\", \"velocity\": [3, 4, 5], \"angular_velocity\": [0.6, 0.5, 0.6], \"flexible\": {\"as\": \"nodes\", "
        "\"mesh\": {\"block\": {\"size\": [0.1, 0.1, 0.1], \"divisions\": [2, 2, 2]}}}}], \"record\": {\"every\": "
        "0.5}}");
    for (size_t i = 0; i < s.count; ++i) {
        CHECK((double)s.von_mises[i] < 2.0 * 7.3);
    }
}

/* A cantilever of beams under its weight, at its middle: density g (L - x)^2 / 2 area over the section modulus: 2 / r of a circle,
 * (R^2 - r^2) 2 R / (R^4 - r^4) of a tube, 3 / h of a rectangle. Modes left out are what is missing; the load is spread evenly, and an
 * element has it at its ends, so that the moment there is too large by (0.05 / 0.5)^2 / 6. Along z the rectangle lies flat. */
static void check_cantilever(const char *section, const char *gravity, double modulus)
{
    char scene[2000];
    snprintf(
        scene, sizeof scene,
        "{\"carom\": 1, \"gravity\": %s, \"materials\": {\"steel\": {\"young\": 2e9, \"poisson\": 0.3, "
        "\"density\": 1000}}, \"time\": {\"end\": 8, \"integrator\": \"generalized-alpha\", \"tolerance\": 1e-6}, "
        "\"bodies\": [{\"name\": \"beam\", \"material\": \"steel\", \"flexible\": {\"mesh\": {\"beam\": {\"length\": "
        "1, \"count\": 20, \"at\": [0.5, 0, 0]}}, \"section\": %s, \"attachments\": [{\"name\": \"wall\", "
        "\"nodes\": {\"group\": \"x_min\"}}], \"frame\": \"attachment\", \"modes\": {\"count\": 30}, \"damping\": "
        "{\"ratio\": 0.7}}}], \"joints\": [{\"name\": \"wall\", \"type\": \"fixed\", \"bodies\": [\"ground\", "
        "\"beam\"]}], \"record\": {\"every\": 1}}",
        gravity, section);
    stressed s = run_to_end(scene);
    for (size_t i = 0; i < s.count; ++i) {
        double x = s.at[i].x;
        double truth = 0.5 * 1000.0 * 9.81 * (1.0 - x) * (1.0 - x) / modulus;
        if (fabs(x - 0.5) < 1e-9) {
            CHECK_NEAR((double)s.von_mises[i] / truth, 1.0, 0.02);
            CHECK_NEAR(fabs((double)s.strain[i]) * 2e9 / truth, 1.0, 0.02);
        }
    }
}

TEST(stress, of_beams_is_that_of_their_outer_fibre)
{
    check_cantilever("{\"round\": 0.02}", "[0, -9.81, 0]", 0.02 / 4.0);
    check_cantilever("{\"round\": 0.02}", "[0, -5.886, 7.848]", 0.02 / 4.0);
    check_cantilever("{\"round\": {\"radius\": 0.02, \"inner\": 0.01}}", "[0, 0, 9.81]",
                     (0.02 * 0.02 + 0.01 * 0.01) / (4.0 * 0.02));
    check_cantilever("{\"rectangle\": {\"height\": 0.05, \"width\": 0.02}}", "[0, -9.81, 0]", 0.05 / 6.0);
    check_cantilever("{\"rectangle\": {\"height\": 0.05, \"width\": 0.02}}", "[0, 0, -9.81]", 0.02 / 6.0);
}

/* Torsion alone: von Mises stress sqrt(3) G twist times the radius, of a rectangle times the factor of Saint-Venant's series. */
TEST(stress, of_twisted_beams_is_that_of_saint_venant)
{
    static const struct {
        double height, width, factor; /* of the largest shear angle: twist times the shorter side [Young2002] */
    } rectangles[] = { { 0.02, 0.02, 0.675 }, { 0.03, 0.02, 0.848 }, { 0.02, 0.04, 0.930 }, { 0.1, 0.02, 0.999 } };
    const double turn[6] = { 0, 0, 0, 0.01, 0, 0 }, u[6] = { 0 }, nodes[6] = { 0, 0, 0, 0.5, 0, 0 };
    const solid_type *types[] = { solid_type_find("timoshenko-beam") };
    const int32_t cells[FLEXIBLE_CELL] = { 0, 0, 1, -1, -1, -1, -1, -1, -1, -1, -1 };
    for (size_t k = 0; k < 4; ++k) {
        double h = rectangles[k].height, b = rectangles[k].width, G = 2e9 / 2.6;
        flexible_body body = { .nodes = { 0, 2 },
                               .cells = { 0, 1 },
                               .material = { .young = 2e9,
                                             .poisson = 0.3,
                                             .section = { .area = h * b,
                                                          .inertia_y = h * b * b * b / 12.0,
                                                          .inertia_z = b * h * h * h / 12.0,
                                                          .torsion = 1e-9,
                                                          .shear_y = 0.8,
                                                          .shear_z = 0.8,
                                                          .up = { 0, 1, 0 } } } };
        const flexible_mesh m = { &body, nodes, cells, types };
        carom_arena arena = { 0 };
        stress_room room;
        node_stress out[2];
        CHECK(stress_room_make(&room, &arena, 2));
        stress_at_nodes(&m, (node_motion){ u, turn }, NULL, &room, out);
        double truth = sqrt(3.0) * G * 0.02 * rectangles[k].factor * fmin(h, b);
        CHECK_NEAR((double)out[0].von_mises / truth, 1.0, 0.025);
        CHECK_NEAR((double)out[1].von_mises / truth, 1.0, 0.025);
        carom_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(stress, of_a_bar_of_modes_under_its_weight),
        RUN_TEST(stress, of_a_block_of_nodes_under_its_weight),
        RUN_TEST(stress, of_a_cantilever_under_its_weight),
        RUN_TEST(stress, of_a_body_that_turns_is_centrifugal),
        RUN_TEST(stress, of_beams_is_that_of_their_outer_fibre),
        RUN_TEST(stress, of_twisted_beams_is_that_of_saint_venant),
    };
    return cmocka_run_group_tests_name("stress", tests, NULL, NULL);
}
