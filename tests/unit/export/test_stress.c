/* Stresses of bodies that deform, from results: bars under their own weight and a cantilever, against closed forms. */
#include <math.h>

#include "export/stress.h"
#include "math/vec3.h"
#include "support/small_run.h"

static const char *const folder = "stress-run";

enum { NODES = 600 };

typedef struct stressed {
    size_t count;
    v3 at[NODES]; /* [m] undeformed */
    float von_mises[NODES];
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
    double u[3 * NODES];
    CHECK(out.count > 0 && out.count <= NODES);
    CHECK_OK(result_flexible_mesh(r, 1, &m, &err), err);
    CHECK_OK(result_flexible_displacements(r, 1, carom_result_frame_count(r) - 1, u, NULL, &err), err);
    CHECK(stress_room_make(&room, &arena, out.count));
    stress_von_mises(&m, u, &room, out.von_mises);
    for (size_t i = 0; i < out.count; ++i) {
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

/* Results do not hold how nodes of beams turn. */
TEST(stress, of_beams_is_not_known)
{
    stressed s = run_to_end(
        HANGING("\"time\": {\"end\": 0.1}",
                "\"mesh\": {\"beam\": {\"length\": 1, \"count\": 10, \"at\": [0.5, 0, 0]}}, \"section\": {\"round\": "
                "0.01}, \"modes\": {\"count\": 3}"));
    for (size_t i = 0; i < s.count; ++i) {
        CHECK(isnan(s.von_mises[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(stress, of_a_bar_of_modes_under_its_weight),
        RUN_TEST(stress, of_a_block_of_nodes_under_its_weight),
        RUN_TEST(stress, of_a_cantilever_under_its_weight),
        RUN_TEST(stress, of_a_body_that_turns_is_centrifugal),
        RUN_TEST(stress, of_beams_is_not_known),
    };
    return cmocka_run_group_tests_name("stress", tests, NULL, NULL);
}
