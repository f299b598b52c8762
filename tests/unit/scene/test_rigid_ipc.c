/* Scenes of the rigid-ipc format: what each key becomes, what is refused and where. */
#include <math.h>

#include <carom/model.h>

#include "model/model.h"
#include "scene_support.h"

#define DEGREE (3.14159265358979323846 / 180.0)

#define TETRAHEDRON                                          \
    "\"vertices\": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]],"    \
    "\"edges\": [[0,1], [0,2], [0,3], [1,2], [1,3], [2,3]]," \
    "\"faces\": [[0,2,1], [0,1,3], [0,3,2], [1,2,3]]"
#define FIXTURE(bodies) "{\"rigid_body_problem\": {\"rigid_bodies\": [" bodies "]}}"
#define ONE(more) FIXTURE("{" TETRAHEDRON more "}")

static carom_model *compile(const char *text)
{
    carom_spec *spec = scene_read(text);
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_spec_destroy(spec);
    return model;
}

static const carom_body_def *only_body(carom_spec *spec)
{
    CHECK_EQ(carom_spec_body_count(spec), 1);
    return carom_spec_body(spec, 0);
}

static const char *shape_of(const carom_body_def *body)
{
    return ((const carom_shape_def *)body->shapes.items)[0].shape.kind;
}

TEST(rigid_ipc, defaults_are_those_of_the_format)
{
    carom_spec *spec = scene_read(ONE(""));
    const carom_scene_def *scene = carom_spec_scene(spec);
    const carom_body_def *body = only_body(spec);
    CHECK_V3(scene->gravity, 0.0, 0.0, 0.0);
    CHECK_NEAR(scene->time.step, 0.01, 0.0);
    CHECK_NEAR(scene->time.end, 10.0, 1e-12); /* 1000 steps */
    CHECK_TEXT(scene->contact.method.kind, "barrier");
    CHECK_TEXT(shape_of(body), "mesh");
    CHECK_TEXT(body->name, "body-0");
    CHECK(!body->fixed && !body->motion.given);
    carom_spec_destroy(spec);
}

TEST(rigid_ipc, the_end_is_a_number_of_steps)
{
    const struct {
        const char *keys;
        double end;
    } cases[] = { { "\"max_time\": 0.05", 0.06 },
                  { "\"max_iterations\": 7", 0.14 },
                  { "\"max_time\": 0.05, \"max_iterations\": 7", 0.06 },
                  { "\"max_time\": -1, \"max_iterations\": -1", 20.0 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[900];
        snprintf(text, sizeof text,
                 "{\"timestep\": 0.02, %s, \"rigid_body_problem\": {\"rigid_bodies\": [{" TETRAHEDRON "}]}}",
                 cases[i].keys);
        carom_spec *spec = scene_read(text);
        CHECK_NEAR(carom_spec_scene(spec)->time.end, cases[i].end, 1e-14);
        carom_spec_destroy(spec);
    }
}

/* First about x, then y, then z, axes of the world, in degrees. */
TEST(rigid_ipc, rotations_are_about_world_axes_in_order)
{
    carom_spec *spec = scene_read(ONE(", \"rotation\": [90, 90, 0], \"position\": [1, 2, 3]"));
    const carom_body_def *body = only_body(spec);
    v3 y = q_rotate(body->orientation, v3_make(0.0, 1.0, 0.0)); /* x turns it to z, y turns that to x */
    CHECK_NEAR(v3_norm(v3_sub(y, v3_make(1.0, 0.0, 0.0))), 0.0, 1e-15);
    CHECK_V3(body->position, 1.0, 2.0, 3.0);
    carom_spec_destroy(spec);
}

TEST(rigid_ipc, velocities_are_those_of_the_centre)
{
    carom_model *model =
        compile(ONE(", \"linear_velocity\": [1, 2, 3], \"angular_velocity\": [0, 0, 180], \"rotation\": [0, 30, 0]"));
    const model_body *body = &model->bodies[1];
    v3 arm_w = q_rotate(body->start.orientation, body->com_b);
    v3 of_center = v3_add(body->start_velocity, v3_cross(body->start_omega_w, arm_w)); /* given: of the frame */
    CHECK_NEAR(v3_norm(v3_sub(of_center, v3_make(1.0, 2.0, 3.0))), 0.0, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(body->start_omega_w, v3_make(0.0, 0.0, 180.0 * DEGREE))), 0.0, 1e-14);
    carom_model_destroy(model);
}

TEST(rigid_ipc, kinds_follow_from_faces_edges_and_volume)
{
    const struct {
        const char *text, *shape;
        double mass;
    } cases[] = {
        { ONE(", \"density\": 60"), "mesh", 10.0 },
        { ONE(", \"density\": 60, \"scale\": 2"), "mesh", 80.0 },
        { ONE(", \"density\": 60, \"scale\": [2, 1, 3]"), "mesh", 60.0 },
        { ONE(", \"density\": 60, \"dimensions\": [2, 3, 4], \"scale\": 9"), "mesh", 240.0 },
        { ONE(", \"density\": 2, \"scale\": [-1, 1, 1]"), "sheet", 3.0 + sqrt(3.0) }, /* inside out */
        { FIXTURE(
              "{\"vertices\": [[0,0,0], [1,0,0], [0,1,0]], \"faces\": [[0,1,2]], \"edges\": [[0,1], [1,2], [0,2]],"
              " \"density\": 4}"),
          "sheet", 2.0 },
        { FIXTURE("{\"vertices\": [[0,0,0], [1,0,0], [0,1,0]], \"edges\": [[0,1], [1,2]], \"density\": 4}"), "wire",
          4.0 * (1.0 + sqrt(2.0)) },
        { FIXTURE("{\"vertices\": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]], \"density\": 4}"), "points", 16.0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        carom_model *model = compile(cases[i].text);
        CHECK_TEXT(model->bodies[1].shapes[0].type->kind.name, cases[i].shape);
        CHECK_NEAR(model->bodies[1].mass, cases[i].mass, 1e-12);
        carom_model_destroy(model);
    }
}

/* A pyramid without its base: the cones from the origin, which is in the base, make it whole. */
TEST(rigid_ipc, open_mesh_with_a_volume_keeps_it)
{
    carom_model *model =
        compile(FIXTURE("{\"vertices\": [[1,1,0], [-1,1,0], [-1,-1,0], [1,-1,0], [0,0,1]], \"density\": 3,"
                        "\"faces\": [[0,1,4], [1,2,4], [2,3,4], [3,0,4]], \"edges\": []}"));
    CHECK_TEXT(model->bodies[1].shapes[0].type->kind.name, "sheet");
    CHECK_NEAR(model->bodies[1].mass, 4.0, 1e-14);
    CHECK_NEAR(model->bodies[1].com_b.z, 0.25, 1e-15);
    carom_model_destroy(model);
}

/* Every combination of fixed translations with 0, 2 or 3 fixed rotations leaves as many degrees of freedom as are free. */
TEST(rigid_ipc, fixed_degrees_become_joints)
{
    for (int mask = 0; mask < 63; ++mask) {
        char text[900];
        int turns = (mask >> 3 & 1) + (mask >> 4 & 1) + (mask >> 5 & 1);
        int fixed = turns + (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1);
        int used = snprintf(text, sizeof text,
                            "{\"rigid_body_problem\": {\"rigid_bodies\": [{" TETRAHEDRON ", \"is_dof_fixed\": [");
        for (int k = 0; k < 6; ++k) {
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", k ? ", " : "",
                             mask >> k & 1 ? "true" : "false");
        }
        snprintf(text + used, sizeof text - (size_t)used, "]}]}}");
        if (turns == 1) {
            carom_error err = scene_refuse(text);
            CHECK_CONTAINS(err.message, "one fixed rotation");
            CHECK_TEXT(err.path, "rigid_body_problem.rigid_bodies[0].is_dof_fixed");
            continue;
        }
        carom_model *model = compile(text);
        int rows = 0;
        for (int k = 0; k < model->joint_count; ++k) {
            rows += model->joints[k].type->equation_count;
        }
        CHECK_EQ(rows, fixed);
        CHECK_EQ(model->bodies[1].role, BODY_FREE);
        carom_model_destroy(model);
    }
}

TEST(rigid_ipc, all_fixed_is_static_and_unknown_types_are_static)
{
    const char *const texts[] = { ONE(", \"is_dof_fixed\": true"), ONE(", \"type\": \"static\""),
                                  ONE(", \"is_dof_fixed\": [true, true, true, true, true, true]"),
                                  ONE(", \"type\": \"dynamc\""), ONE(", \"type\": \"kinematic\"") };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        carom_model *model = compile(texts[i]);
        const carom_note *notes = NULL;
        size_t count = carom_model_notes(model, &notes);
        CHECK_EQ(model->bodies[1].role, BODY_FIXED);
        CHECK_EQ(count, i == 3);
        if (i == 3) {
            CHECK(notes[0].warning);
            CHECK_CONTAINS(notes[0].message, "takes it for 'static'");
        }
        carom_model_destroy(model);
    }
}

/* floor(T/h) + 1 steps, then still. */
TEST(rigid_ipc, kinematic_motion_ends_after_its_time)
{
    carom_spec *spec =
        scene_read(ONE(", \"type\": \"kinematic\", \"linear_velocity\": [2, 0, 0], \"angular_velocity\": [0, 0, 90],"
                       " \"kinematic_max_time\": 0.024"));
    const carom_body_def *body = only_body(spec);
    CHECK(body->motion.given);
    CHECK_V3(body->motion.axis, 0.0, 0.0, 1.0);
    CHECK_CONTAINS(body->motion.angle.expression, "min(t, 0.03)");
    CHECK_CONTAINS(body->motion.position[0].expression, "(0.25) + (2)*min(t, 0.03)");
    CHECK_NEAR(body->motion.position[1].number, 0.25, 1e-15); /* the frame is at the centre */
    carom_spec_destroy(spec);
}

TEST(rigid_ipc, poses_are_targets_of_steps)
{
    carom_spec *spec =
        scene_read(ONE(", \"type\": \"kinematic\", \"is_dof_fixed\": [true, true, true, true, true, false],"
                       " \"kinematic_poses\": [{\"position\": [1, 0, 0], \"rotation\": [0, 0, 0.1]},"
                       " {\"position\": [2, 0, 0], \"rotation\": [0, 0, 0.2]}]"));
    const carom_motion_def *motion = &only_body(spec)->motion;
    CHECK_EQ(motion->position[0].kind, CAROM_TABLE);
    CHECK_EQ(motion->angle.table.count, 3);
    CHECK_NEAR(motion->angle.table.y[2], 0.2, 1e-15);
    CHECK_NEAR(motion->position[0].table.y[0], 0.25, 1e-15);
    CHECK_NEAR(motion->position[0].table.x[2], 0.02, 1e-15);
    carom_spec_destroy(spec);
    carom_error err =
        scene_refuse(ONE(", \"type\": \"kinematic\", \"is_dof_fixed\": [true, true, true, true, true, false],"
                         " \"kinematic_poses\": [{\"rotation\": [0, 0, 0.1]}, {\"rotation\": [0, 0.1, 0.2]}]"));
    CHECK_TEXT(err.path, "rigid_body_problem.rigid_bodies[0].kinematic_poses[1]");
}

TEST(rigid_ipc, forces_and_torques_act_on_dynamic_bodies)
{
    const char *text = ONE(", \"force\": [1, 2, 3], \"torque\": [90, 0, 0]");
    for (int quirks = 0; quirks < 2; ++quirks) {
        carom_spec *spec = quirks ? scene_read_set(text, "rigid_ipc_quirks=true") : scene_read(text);
        CHECK_EQ(carom_spec_force_count(spec), 1);
        const carom_load_def *load = carom_spec_force(spec, 0)->force.params;
        CHECK_NEAR(load->force[1].number, 2.0, 0.0);
        CHECK_NEAR(load->torque[0].number, (quirks ? 2.0 : 1.0) * 90.0 * DEGREE, 1e-15);
        carom_spec_destroy(spec);
    }
}

/* A hinge about z: the sum of the other two moments for unit density. */
TEST(rigid_ipc, quirks_give_a_hinge_the_inertia_of_the_reference)
{
    const char *text =
        ONE(", \"density\": 1000, \"scale\": [1, 2, 3], \"is_dof_fixed\": [true, true, true, true, true, false]");
    carom_model *plain = compile(text);
    carom_spec *spec = scene_read_set(text, "rigid_ipc_quirks=true");
    carom_model *quirky = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_compile(spec, &quirky, &err), err);
    const m3 *I = &plain->bodies[1].inertia_b;
    CHECK_NEAR(quirky->bodies[1].inertia_b.m[8], (I->m[0] + I->m[4]) / 1000.0, 1e-14);
    CHECK_NEAR(quirky->bodies[1].mass, plain->bodies[1].mass, 1e-10);
    carom_spec_destroy(spec);
    carom_model_destroy(plain);
    carom_model_destroy(quirky);
}

#define AT(x, more) "{" TETRAHEDRON ", \"position\": [" x ", 0, 0]" more "}"

static bool touch(const carom_model *model, int a, int b)
{
    return model_interaction_of(model, a, b) != NULL;
}

/* Static and kinematic bodies, and equal groups, pass through each other. */
TEST(rigid_ipc, groups_do_not_collide)
{
    carom_model *model = compile(FIXTURE(
        AT("0", ", \"type\": \"static\", \"group_id\": 5") "," AT("2", ", \"type\": \"kinematic\", \"linear_velocity\": [0, 0, 1]") "," AT(
            "4", "") "," AT("6", ", \"group_id\": 3") "," AT("8", ", \"group_id\": 3") "," AT("10",
                                                                                              ", \"group_id\": 5")));
    static const bool expected[6][6] = { { 0, 0, 1, 1, 1, 0 }, { 0, 0, 1, 1, 1, 0 }, { 1, 1, 0, 1, 1, 1 },
                                         { 1, 1, 1, 0, 0, 1 }, { 1, 1, 1, 0, 0, 1 }, { 0, 0, 1, 1, 1, 0 } };
    CHECK_EQ(model->collider_count, 6);
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < 6; ++b) {
            if (a != b) {
                CHECK_EQ(touch(model, a, b), expected[a][b]);
            }
        }
    }
    carom_model_destroy(model);
}

TEST(rigid_ipc, components_become_bodies)
{
    carom_spec *spec =
        scene_read(FIXTURE("{\"vertices\": [[0,0,0], [1,0,0], [0,1,0], [0,0,1], [5,0,0], [7,0,0], [5,2,0], [5,0,2]],"
                           "\"faces\": [[0,2,1], [0,1,3], [0,3,2], [1,2,3], [4,6,5], [4,5,7], [4,7,6], [5,6,7]],"
                           "\"edges\": [], \"split_components\": true, \"density\": 6}"));
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_EQ(carom_spec_body_count(spec), 2);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    CHECK_NEAR(model->bodies[1].mass, 1.0, 1e-14);
    CHECK_NEAR(model->bodies[2].mass, 8.0, 1e-13);
    carom_spec_destroy(spec);
    carom_model_destroy(model);
}

TEST(rigid_ipc, bodies_that_are_not_enabled_do_not_exist)
{
    carom_spec *spec = scene_read(FIXTURE(AT("0", ", \"enabled\": false") "," AT("2", "")));
    CHECK_TEXT(only_body(spec)->name, "body-0");
    carom_spec_destroy(spec);
}

/* The tolerance is a fraction of the diagonal of everything, unless absolute. */
TEST(rigid_ipc, contact_settings_are_translated)
{
    char *text = NULL;
    carom_error err = { 0 };
    const char *fixture = "{\"ipc_solver\": {\"velocity_conv_tol\": 0.5},"
                          "\"distance_barrier_constraint\": {\"initial_barrier_activation_distance\": 0.02,"
                          " \"minimum_separation_distance\": 0.03},"
                          "\"friction_constraints\": {\"iterations\": 4, \"static_friction_speed_bound\": 0.04},"
                          "\"rigid_body_problem\": {\"coefficient_friction\": 0.3, \"rigid_bodies\": [{" TETRAHEDRON
                          ", \"scale\": [1, 2, 2]}]}}";
    CHECK_OK(carom_scene_import(fixture, strlen(fixture), "a.json", ".", NULL, 0, ".", &text, &err), err);
    CHECK_CONTAINS(text, "\"range\": 0.02");
    CHECK_CONTAINS(text, "\"separation\": 0.03");
    CHECK_CONTAINS(text, "\"tolerance\": 1.5");
    CHECK_CONTAINS(text, "\"friction\": 0.3");
    CHECK_CONTAINS(text, "\"stick_speed\": 0.04");
    CHECK_CONTAINS(text, "\"lags\": 4");
    carom_text_destroy(text);
    const char *const absolute[] = { "ipc_solver.is_velocity_conv_tol_abs=true",
                                     "friction_constraints.iterations=0" };
    CHECK_OK(carom_scene_import(fixture, strlen(fixture), "a.json", ".", absolute, 2, ".", &text, &err), err);
    CHECK_CONTAINS(text, "\"tolerance\": 0.5");
    CHECK(!strstr(text, "\"friction\""));
    carom_text_destroy(text);
}

TEST(rigid_ipc, strangers_are_noted_and_comments_are_not)
{
    carom_model *model = compile(
        "{\"#note\": 1, \"stranger\": 2, \"newton_solver\": {}, \"rigid_body_problem\": {\"coefficient_restitution\": 0.5,"
        "\"rigid_bodies\": [{\"#torque\": 1, \"polygons\": [], " TETRAHEDRON "}, {\"polygons\": [], " TETRAHEDRON
        ", \"position\": [3, 0, 0]}]}}");
    const carom_note *notes = NULL;
    CHECK_EQ(carom_model_notes(model, &notes), 4);
    CHECK_CONTAINS(notes[0].message, "'stranger'");
    CHECK_CONTAINS(notes[1].message, "newton_solver has no effect");
    CHECK_CONTAINS(notes[2].message, "coefficient_restitution has no effect");
    CHECK_CONTAINS(notes[3].message, "'polygons'");
    carom_model_destroy(model);
}

TEST(rigid_ipc, mistakes_name_the_line_of_the_file)
{
    CHECK_REFUSED("{\n\"timestep\": 0,\n\"rigid_body_problem\": {\"rigid_bodies\": [{" TETRAHEDRON "}]}}", 2,
                  "timestep", "must be positive");
    CHECK_REFUSED("{\"rigid_body_problem\": {\n\"rigid_bodies\": [\n{\"mesh\": \"nowhere.obj\"}]}}", 3,
                  "rigid_body_problem.rigid_bodies[0].mesh", "'nowhere.obj' is not here");
    CHECK_REFUSED("{\"rigid_body_problem\": {\"rigid_bodies\": [\n{" TETRAHEDRON ",\n\"density\": null}]}}", 3,
                  "rigid_body_problem.rigid_bodies[0].density", "null");
    CHECK_REFUSED(
        "{\"rigid_body_problem\": {\"rigid_bodies\": [{\"vertices\": [[0, 0], [1, 0]], \"edges\": [[0, 1]]}]}}", 1,
        "rigid_body_problem.rigid_bodies[0].vertices", "flat");
    CHECK_REFUSED("{\"rigid_body_problem\": {\"rigid_bodies\": []}}", 1, "rigid_body_problem.rigid_bodies",
                  "no bodies");
    CHECK_REFUSED("{\"args\": {\"rigid_body_problem\": {}}, \"animation\": {}}", 1, "args", "saved simulation");
    /* found by the ordinary reader or the compiler, in the translated scene */
    carom_spec *spec = scene_read("{\"rigid_body_problem\": {\"rigid_bodies\": [{" TETRAHEDRON "},\n"
                                  "{\"vertices\": [[9, 9, 9], [8, 9, 9]], \"edges\": [[0, 1]]}]}}");
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
    CHECK_EQ(err.line, 2);
    CHECK_CONTAINS(err.message, "give wires and points a radius");
    carom_spec_destroy(spec);
}

/* The imported text is a carom scene that compiles to the same model. */
TEST(rigid_ipc, imported_scene_is_the_same_model)
{
    const char *fixture = FIXTURE(AT("0", ", \"type\": \"static\"") "," AT(
        "2", ", \"rotation\": [10, 20, 30], \"angular_velocity\": [1, 2, 3],"
             " \"is_dof_fixed\": [false, true, false, true, true, true], \"torque\": [0, 0, 7]"));
    char *text = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_scene_import(fixture, strlen(fixture), "a.json", ".", NULL, 0, NULL, &text, &err), err);
    carom_model *direct = compile(fixture);
    carom_model *imported = compile(text);
    CHECK_EQ(direct->hash, imported->hash);
    carom_text_destroy(text);
    carom_model_destroy(direct);
    carom_model_destroy(imported);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(rigid_ipc, defaults_are_those_of_the_format),
        RUN_TEST(rigid_ipc, the_end_is_a_number_of_steps),
        RUN_TEST(rigid_ipc, rotations_are_about_world_axes_in_order),
        RUN_TEST(rigid_ipc, velocities_are_those_of_the_centre),
        RUN_TEST(rigid_ipc, kinds_follow_from_faces_edges_and_volume),
        RUN_TEST(rigid_ipc, open_mesh_with_a_volume_keeps_it),
        RUN_TEST(rigid_ipc, fixed_degrees_become_joints),
        RUN_TEST(rigid_ipc, all_fixed_is_static_and_unknown_types_are_static),
        RUN_TEST(rigid_ipc, kinematic_motion_ends_after_its_time),
        RUN_TEST(rigid_ipc, poses_are_targets_of_steps),
        RUN_TEST(rigid_ipc, forces_and_torques_act_on_dynamic_bodies),
        RUN_TEST(rigid_ipc, quirks_give_a_hinge_the_inertia_of_the_reference),
        RUN_TEST(rigid_ipc, groups_do_not_collide),
        RUN_TEST(rigid_ipc, components_become_bodies),
        RUN_TEST(rigid_ipc, bodies_that_are_not_enabled_do_not_exist),
        RUN_TEST(rigid_ipc, contact_settings_are_translated),
        RUN_TEST(rigid_ipc, strangers_are_noted_and_comments_are_not),
        RUN_TEST(rigid_ipc, mistakes_name_the_line_of_the_file),
        RUN_TEST(rigid_ipc, imported_scene_is_the_same_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
