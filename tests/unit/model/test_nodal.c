/* Bodies in nodal coordinates in a model: the meshes of bodies that strike, surfaces, sections, what is refused. */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

#include "model/model.h"

#define SCENE(flexible, more)                                                                                        \
    "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 1},"                                                 \
    " \"materials\": {\"steel\": {\"young\": 200e9, \"poisson\": 0.3, \"density\": 8000}},"                          \
    " \"contact\": {\"method\": \"constraint\"}," more " \"bodies\": [{\"name\": \"body\", \"material\": \"steel\"," \
    " \"flexible\": {\"as\": \"nodes\", " flexible "}}]}"

static carom_status compile(const char *text, carom_model **model, carom_error *err)
{
    carom_spec *spec = NULL;
    *model = NULL;
    carom_status status = carom_scene_parse(text, strlen(text), "scene.json", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, model, err) : status;
    carom_spec_destroy(spec);
    return status;
}

static carom_model *must(const char *text)
{
    carom_error err = { 0 };
    carom_model *model;
    CHECK_OK(compile(text, &model, &err), err);
    return model;
}

/* The strip of the double pendulum of paper 2: counts, mass, centre and critical step are known. */
TEST(nodal, finger_is_the_mesh_of_the_double_pendulum)
{
    carom_model *model = must(
        SCENE("\"thickness\": 0.01, \"mesh\": {\"finger\": {\"length\": 0.2, \"width\": 0.01, \"size\": 2.5e-3, "
              "\"at\": [0.1, 0, 0]}}, \"attachments\": [{\"name\": \"hinge\", \"nodes\": {\"group\": \"x_min\"}}]",
              ""));
    const model_nodal *n = &model->nodal[0];
    CHECK_EQ(nodal_node_count(n->nodes), 401);
    CHECK_EQ(solid_mesh_element_count(n->mesh), 318);
    CHECK_NEAR(nodal_total_mass(n->nodes), 0.158828, 5e-7);
    CHECK_NEAR(model->bodies[1].com_b.x, 0.099272, 5e-7);
    CHECK_NEAR(n->critical, 4.48e-7, 0.01e-7);
    CHECK_EQ(n->section_count, 1);
    CHECK_EQ(n->sections[0].node_count, 5);
    CHECK_TEXT(model->bodies[n->sections[0].body].name, "body.hinge");
    CHECK_EQ(n->surface->facet_count, 2 * 78 + 4 + 4); /* sides, flat end, arc */
    carom_model_destroy(model);
}

/* Area vectors of a closed surface add up to nothing, and their moment is the volume. */
static void check_closed(const char *text, double volume)
{
    carom_model *model = must(text);
    const model_nodal *n = &model->nodal[0];
    v3 sum = v3_zero();
    double moment = 0.0;
    for (int f = 0; f < n->surface->facet_count; ++f) {
        v3 x[3];
        for (int i = 0; i < n->surface->facets[f].count; ++i) {
            x[i] = nodal_place(n->nodes, n->surface->facets[f].nodes[i]);
        }
        v3 along = v3_sub(x[1], x[0]);
        v3 area = n->surface->facets[f].count == 2 ? v3_make(along.y, -along.x, 0.0)
                                                   : v3_scale(0.5, v3_cross(along, v3_sub(x[2], x[0])));
        sum = v3_add(sum, area);
        moment += v3_dot(area, x[0]) / (n->surface->facets[f].count == 2 ? 2.0 : 3.0);
    }
    CHECK_LE(v3_norm(sum), 1e-12);
    CHECK_NEAR(moment, volume, 1e-9 * volume);
    carom_model_destroy(model);
}

TEST(nodal, surfaces_are_closed_and_look_outwards)
{
    check_closed(SCENE("\"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1], \"divisions\": [3, 2, 2]}}", ""), 0.006);
    check_closed(
        SCENE(
            "\"element\": \"tetrahedron4\", \"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1], \"divisions\": [3, 2, 2]}}",
            ""),
        0.006);
    check_closed(
        SCENE(
            "\"element\": \"tetrahedron10\", \"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1], \"divisions\": [2, 1, 1]}}",
            ""),
        0.006);
    check_closed(
        SCENE(
            "\"thickness\": 0.01, \"element\": \"triangle6\", \"mesh\": {\"strip\": {\"length\": 0.3, \"height\": 0.1, "
            "\"divisions\": [3, 2]}}",
            ""),
        0.03);
    check_closed(
        SCENE(
            "\"thickness\": 0.01, \"mesh\": {\"anvil\": {\"length\": 0.3, \"height\": 0.1, \"size\": 0.02, \"fine\": 0.001}}",
            ""),
        0.03);
}

/* Meshes of round ends come near the area of the strip and the half disc, whatever they are fine at. */
/* Twelve sharp edges of a block, divided as its cells are, among those of all its triangles; all sides of a plane body; none of a solid of
 * revolution, nor of a bar. */
TEST(nodal, edges_are_sharp_where_the_surface_bends)
{
    static const struct {
        const char *text;
        int edges;
        double length; /* [m] */
    } cases[] = {
        { SCENE("\"mesh\": {\"block\": {\"size\": [0.2, 0.4, 0.6], \"divisions\": [2, 3, 4]}}", ""), 4 * (2 + 3 + 4),
          4.8 },
        { SCENE(
              "\"element\": \"tetrahedron10\", \"mesh\": {\"block\": {\"size\": [0.2, 0.4, 0.6], \"divisions\": [2, 3, 4]}}",
              ""),
          8 * (2 + 3 + 4), 4.8 },
        { SCENE(
              "\"thickness\": 0.01, \"mesh\": {\"strip\": {\"length\": 0.2, \"height\": 0.1, \"divisions\": [4, 2]}}",
              ""),
          12, 0.6 },
        { SCENE("\"mesh\": {\"rod\": {\"length\": 0.2, \"radius\": 0.05, \"divisions\": [4, 2]}}", ""), 0, 0.0 },
        { SCENE("\"section\": {\"round\": 0.01}, \"mesh\": {\"bar\": {\"length\": 0.2, \"count\": 4}}", ""), 0, 0.0 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        carom_model *model = must(cases[k].text);
        const model_surface *s = &model->surfaces[0];
        double length = 0.0;
        int sharp = 0;
        for (int e = 0; e < s->edge_count; ++e) {
            const int *n = s->edges[e].nodes;
            v3 along = v3_sub(solid_mesh_node(model->nodal[0].mesh, n[1]),
                              solid_mesh_node(model->nodal[0].mesh, n[0]));
            sharp += s->edges[e].sharp;
            length += s->edges[e].sharp ? v3_norm(along) : 0.0;
        }
        printf("  %d edges of %d sharp, %.15g m\n", sharp, s->edge_count, length);
        CHECK_EQ(sharp, cases[k].edges);
        CHECK_EQ(s->edge_count, k < 2 ? 3 * s->facet_count / 2 : sharp); /* a closed surface of triangles */
        CHECK_NEAR(length, cases[k].length, 1e-12);
        carom_model_destroy(model);
    }
}

TEST(nodal, fingers_are_fine_where_they_strike)
{
    static const char *const sides[] = { "apex", "upper", "lower" };
    const double r = 0.0075, straight = 0.3;
    const double area = straight * 2.0 * r + 0.5 * 3.14159265358979323846 * r * r;
    for (int k = 0; k < 3; ++k) {
        char text[1200];
        snprintf(
            text, sizeof text,
            SCENE(
                "\"thickness\": 0.002, \"mesh\": {\"finger\": {\"length\": 0.3075, \"width\": 0.015, \"size\": 2.5e-3, "
                "\"fine\": 2e-4, \"towards\": \"%s\"}}",
                ""),
            sides[k]);
        carom_model *model = must(text);
        const model_nodal *n = &model->nodal[0];
        double angle = k == 0 ? 0.0 : k == 1 ? 0.78539816339744831 : -0.78539816339744831;
        v3 tip = v3_make(0.3075 / 2.0 - r + r * cos(angle), r * sin(angle), 0.0);
        double nearest = HUGE_VAL, next = HUGE_VAL;
        for (int i = 0; i < n->surface->node_count; ++i) {
            double d = v3_norm(v3_sub(nodal_place(n->nodes, n->surface->nodes[i]), tip));
            next = d < nearest ? nearest : fmin(next, d);
            nearest = fmin(nearest, d);
        }
        CHECK_LE(nearest, 1e-9);
        CHECK_NEAR(next, 2e-4, 0.6e-4);
        CHECK_NEAR(nodal_total_mass(n->nodes) / (8000.0 * 0.002 * area), 1.0, 1e-3);
        carom_model_destroy(model);
    }
}

static void refuse(const char *text, const char *part)
{
    carom_error err = { 0 };
    carom_model *model;
    CHECK_EQ(compile(text, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, part);
    carom_model_destroy(model);
}

TEST(nodal, what_cannot_be_is_refused_with_a_remedy)
{
#define STRIP "\"thickness\": 0.01, \"mesh\": {\"strip\": {\"length\": 0.3, \"height\": 0.1, \"divisions\": [3, 2]}}"
#define HINGE \
    "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"body\", \"ground\"], \"at\": [0, 0, 0], \"axis\": [0, 0, 1]}],"
    refuse(SCENE(STRIP, HINGE), "has no rigid attachment");
    refuse(SCENE(STRIP ", \"attachments\": [{\"name\": \"left\", \"nodes\": {\"group\": \"x_min\"}}]", HINGE),
           "'left', is 0.15 m");
    refuse(SCENE(STRIP ", \"attachments\": [{\"name\": \"corner\", \"nodes\": {\"at\": [0.15, 0.05, 0]}}]", ""),
           "does not converge");
    refuse(SCENE(STRIP ", \"frame\": \"chord\"", ""), "needs 2 attachments");
    refuse(SCENE(STRIP ", \"damping\": {\"ratio\": 0.1}", ""), "damping.stiffness");
    refuse(SCENE(STRIP ", \"probes\": [{\"name\": \"far\", \"at\": [1, 0, 0]}]", ""), "outside of the mesh");
}

/* Assembly would have to tear the body. */
TEST(nodal, joints_that_are_open_at_the_start_are_refused)
{
    carom_error err = { 0 };
    carom_scratch *scratch = NULL;
    carom_model *model =
        must(SCENE(STRIP ", \"attachments\": [{\"name\": \"left\", \"nodes\": {\"group\": \"x_min\"}}]",
                   "\"joints\": [{\"name\": \"j\", \"type\": \"fixed\", \"bodies\": [\"body\", \"ground\"], "
                   "\"frame_a\": {\"position\": [-0.15, 0, 0]}, \"frame_b\": {\"position\": [-0.2, 0, 0]}}],"));
    carom_state *state = carom_state_create(model);
    CHECK_OK(carom_scratch_create(model, 1, &scratch, &err), err);
    CHECK_EQ(carom_step(model, state, scratch, 1e-6, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "attachment 'left' of body 'body' are open by 0.05 m");
    CHECK_EQ(carom_state_set_velocity(model, state, 1, (carom_v3){ 1, 0, 0 }, (carom_v3){ 0, 0, 0 }, &err),
             CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "moves by its nodes");
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(nodal, finger_is_the_mesh_of_the_double_pendulum),
        RUN_TEST(nodal, surfaces_are_closed_and_look_outwards),
        RUN_TEST(nodal, edges_are_sharp_where_the_surface_bends),
        RUN_TEST(nodal, fingers_are_fine_where_they_strike),
        RUN_TEST(nodal, what_cannot_be_is_refused_with_a_remedy),
        RUN_TEST(nodal, joints_that_are_open_at_the_start_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
