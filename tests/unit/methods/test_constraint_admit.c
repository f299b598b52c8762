/* Method "constraint": starts with overlaps are refused, however deep they are; touching is not one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <carom/modes.h>

#include "support/sim.h"

#define STEEL "\"materials\": {\"steel\": {\"young\": 200e9, \"poisson\": 0.3, \"density\": 7800}}"

/* What the method says of a start of the two bodies; err has the reason. */
static carom_status admitted(const char *first, const char *second, carom_error *err)
{
    char scene[2048];
    snprintf(scene, sizeof scene,
             "{ \"carom\": 1, \"time\": {\"end\": 1e-4}, \"contact\": {\"method\": \"constraint\"}, " STEEL
             ", \"bodies\": [%s, %s] }",
             first, second);
    sim s = sim_parse(scene, NULL);
    carom_status status = carom_check_start(s.model, s.state, s.scratch, err);
    CHECK_EQ(carom_step(s.model, s.state, s.scratch, 1e-7, NULL, NULL), status);
    sim_end(&s);
    return status;
}

static const char *block(const char *name, const char *position, const char *divisions, char buffer[512])
{
    snprintf(buffer, 512,
             "{\"name\": \"%s\", \"material\": \"steel\", \"position\": %s, \"flexible\": {\"as\": \"nodes\", "
             "\"mesh\": {\"block\": {\"size\": [0.02, 0.02, 0.04], \"divisions\": %s}}}}",
             name, position, divisions);
    return buffer;
}

static const char *rod(const char *name, double x, char buffer[512])
{
    snprintf(
        buffer, 512,
        "{\"name\": \"%s\", \"material\": \"steel\", \"position\": [%.12g, 0, 0], \"flexible\": {\"as\": \"nodes\", "
        "\"mesh\": {\"bar\": {\"length\": 1, \"count\": 50}}, \"section\": {\"round\": 0.01}}}",
        name, x);
    return buffer;
}

static const char *strip(const char *name, const char *position, char buffer[512])
{
    snprintf(
        buffer, 512,
        "{\"name\": \"%s\", \"material\": \"steel\", \"position\": %s, \"flexible\": {\"as\": \"nodes\", "
        "\"thickness\": 0.01, \"mesh\": {\"strip\": {\"length\": 0.1, \"height\": 0.02, \"divisions\": [10, 2]}}}}",
        name, position);
    return buffer;
}

/* No node of the coarse block is in the ball or the box. */
TEST(constraint_admit, balls_and_corners_between_nodes)
{
    static const struct {
        const char *shape, *position;
        bool inside;
    } cases[] = {
        { "{\"sphere\": 0.002}", "[0.006, 0.004, 0.0221]", false },
        { "{\"sphere\": 0.002}", "[0.006, 0.004, 0.0219]", true },
        { "{\"sphere\": 0.002}", "[0.006, 0.004, 0.01]", true },
        { "{\"sphere\": 0.002}", "[0.0121, 0.004, 0.02]", false },
        { "{\"sphere\": 0.002}", "[0.0119, 0.004, 0.013]", true },
        { "{\"box\": {\"size\": [0.004, 0.004, 0.004]}}", "[0.006, 0.004, 0.0221]", false },
        { "{\"box\": {\"size\": [0.004, 0.004, 0.004]}}", "[0.006, 0.004, 0.0219]", true },
        { "{\"box\": {\"size\": [0.004, 0.004, 0.004]}}", "[0.006, 0.004, 0]", true },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char a[512];
        char b[512];
        carom_error err = { 0 };
        snprintf(b, sizeof b, "{\"name\": \"b\", \"density\": 1000, \"position\": %s, \"shapes\": [%s]}",
                 cases[k].position, cases[k].shape);
        carom_status status = admitted(block("a", "[0, 0, 0]", "[1, 1, 1]", a), b, &err);
        printf("  %s at %s: %s\n", cases[k].shape, cases[k].position, status == CAROM_OK ? "admitted" : err.message);
        CHECK_EQ(status, cases[k].inside ? CAROM_INTERSECTING : CAROM_OK);
    }
}

/* Planks that cross by their edges: neither has a corner in the other. */
TEST(constraint_admit, edges_that_have_crossed)
{
    static const double overlaps[] = { -1e-6, 1e-5, 1e-4 };
    for (int k = 0; k < 6; ++k) {
        double z = 0.02 * sqrt(2.0) - overlaps[k % 3];
        bool flexible = k >= 3;
        char a[512];
        char b[512];
        carom_error err = { 0 };
        snprintf(
            a, sizeof a,
            "{\"name\": \"a\", \"orientation\": {\"axis\": [1, 0, 0], \"angle\": \"45 deg\"}, \"density\": 1000, "
            "\"shapes\": [{\"box\": {\"size\": [0.2, 0.02, 0.02]}}]}");
        snprintf(
            b, sizeof b,
            "{\"name\": \"b\", \"position\": [0.003, 0.002, %.17g], \"orientation\": {\"axis\": [0, 1, 0], \"angle\": \"45 deg\"}, %s}",
            z,
            flexible
                ? "\"material\": \"steel\", \"flexible\": {\"as\": \"nodes\", \"mesh\": {\"block\": {\"size\": [0.02, 0.2, 0.02], \"divisions\": [1, 3, 1]}}}"
                : "\"density\": 1000, \"shapes\": [{\"box\": {\"size\": [0.02, 0.2, 0.02]}}]");
        carom_status status = admitted(a, b, &err);
        printf("  %s, %g m: %s\n", flexible ? "mesh" : "rigid", overlaps[k % 3],
               status == CAROM_OK ? "admitted" : err.message);
        CHECK_EQ(status, overlaps[k % 3] > 0.0 ? CAROM_INTERSECTING : CAROM_OK);
    }
}

TEST(constraint_admit, nodes_in_a_rigid_shape)
{
    static const char *const floor = "{\"name\": \"floor\", \"fixed\": true, \"shapes\": [{\"plane\": {}}]}";
    static const struct {
        const char *position;
        bool overlaps;
    } cases[] = { { "[0, 0, 0.02]", false },   { "[0, 0, 0.0199999999]", false },
                  { "[0, 0, 0.0201]", false }, { "[0, 0, 0.01999]", true },
                  { "[0, 0, 0]", true },       { "[3, 2, -10]", true } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[512];
        carom_error err = { 0 };
        carom_status status = admitted(floor, block("block", cases[k].position, "[2, 2, 4]", text), &err);
        CHECK_EQ(status, cases[k].overlaps ? CAROM_INTERSECTING : CAROM_OK);
        if (cases[k].overlaps) {
            CHECK_CONTAINS(err.message, "'floor' and 'block' start");
            CHECK_CONTAINS(err.message, "m inside each other");
        }
    }
}

/* In either order, whichever is finer. */
TEST(constraint_admit, solids_in_solids)
{
    static const struct {
        const char *position;
        bool overlaps;
    } cases[] = { { "[0.02, 0, 0]", false },        { "[0.0199999999, 0.003, 0.001]", false },
                  { "[0.0201, 0, 0.02]", false },   { "[0.0199, 0.003, 0.001]", true },
                  { "[0.005, 0.004, 0.01]", true }, { "[0, 0, 0]", true } };
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; ++k) {
        char one[512];
        char two[512];
        carom_error err = { 0 };
        block("one", "[0, 0, 0]", k % 2 ? "[3, 3, 7]" : "[2, 2, 4]", one);
        block("two", cases[k / 2].position, k % 2 ? "[2, 2, 4]" : "[3, 3, 5]", two);
        CHECK_EQ(admitted(one, two, &err), cases[k / 2].overlaps ? CAROM_INTERSECTING : CAROM_OK);
        CHECK(!cases[k / 2].overlaps || strstr(err.message, "'one' and 'two'"));
    }
}

TEST(constraint_admit, rods_and_plane_bodies)
{
    static const double at[] = { 1.0, 1.0 - 1e-11, 1.2, -1.0, 0.999, 0.7, -0.5, 0.0 };
    static const struct {
        const char *position;
        bool overlaps;
    } strips[] = { { "[0.1, 0, 0]", false },
                   { "[0, 0.02, 0]", false },
                   { "[0.05, 0.019, 0]", true },
                   { "[0.01, 0.001, 0]", true },
                   { "[0, 0, 0]", true } };
    char one[512];
    char two[512];
    carom_error err = { 0 };
    for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
        CHECK_EQ(admitted(rod("one", 0.0, one), rod("two", at[k], two), &err), k < 4 ? CAROM_OK : CAROM_INTERSECTING);
    }
    for (size_t k = 0; k < sizeof strips / sizeof *strips; ++k) {
        CHECK_EQ(admitted(strip("one", "[0, 0, 0]", one), strip("two", strips[k].position, two), &err),
                 strips[k].overlaps ? CAROM_INTERSECTING : CAROM_OK);
    }
}

/* What is told of contact before a run: of surfaces that deform as well, and nothing of them by methods that let nothing touch. */
TEST(constraint_admit, rules_name_surfaces_that_deform)
{
    static const char *const methods[] = { "constraint", "none" };
    for (int k = 0; k < 2; ++k) {
        char scene[1024];
        snprintf(
            scene, sizeof scene,
            "{ \"carom\": 1, \"time\": {\"end\": 1e-4}, \"contact\": {\"method\": \"%s\"}, " STEEL ", \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shapes\": [{\"plane\": {}}]}, "
            "{\"name\": \"block\", \"material\": \"steel\", \"position\": [0, 0, 1], \"flexible\": {\"modes\": "
            "{\"count\": 2}, \"mesh\": {\"block\": {\"size\": [0.02, 0.02, 0.04], \"divisions\": [2, 2, 4]}}}}] }",
            methods[k]);
        sim s = sim_parse(scene, NULL);
        carom_contact_rule rule = { 0 };
        CHECK_EQ(carom_model_contact_rules(s.model, &rule, 1), k == 0 ? 1 : 0);
        CHECK_EQ(carom_model_flexible(s.model, 2).facet_count, k == 0 ? 80 : 0);
        if (k == 0) {
            CHECK(strcmp(rule.restitution_law, "constraint") == 0 && isnan(rule.restitution) && rule.pairs == 1);
        }
        sim_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(constraint_admit, balls_and_corners_between_nodes),
        RUN_TEST(constraint_admit, edges_that_have_crossed),
        RUN_TEST(constraint_admit, nodes_in_a_rigid_shape),
        RUN_TEST(constraint_admit, solids_in_solids),
        RUN_TEST(constraint_admit, rods_and_plane_bodies),
        RUN_TEST(constraint_admit, rules_name_surfaces_that_deform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
