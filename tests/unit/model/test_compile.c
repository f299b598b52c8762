/* Compiling: the hash of all that decides results, models that outlive their spec, densities, near-unit directions. */
#include "rich_scene.h"

#include "elements/forces/force.h"
#include "model/model.h"

static carom_model *compile_rich(const char *folder, const char *override)
{
    carom_spec *spec = rich_scene_spec(folder, override);
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_spec_destroy(spec);
    return model;
}

static uint64_t hash_of(const char *folder, const char *override)
{
    carom_model *model = compile_rich(folder, override);
    uint64_t hash = model->hash;
    carom_model_destroy(model);
    return hash;
}

static const char *const deciding[] = {
    "gravity=[0, 0, -9.8]",
    "time.end=3",
    "time.preset=fast",
    "time.step=0.002",
    "time.tolerance=1e-7",
    "time.integrator=runge-kutta",
    "time.integrator.generalized-alpha.rho=0.7",
    "time.integrator.generalized-alpha.newton_limit=11",
    "bodies.arm.density=1001",
    "bodies.arm.velocity=[0, 0, 0.2]",
    "bodies.arm.shapes[1].at=[0.51, 0, 0]",
    "bodies.rock.shape.mesh.scale=2",
    "bodies.table.position=[0, 1, -5]",
    "bodies.table.motion.position=[\"0.1*sin(t)\", 0, 0]",
    "bodies.table.motion.axis=[0, 1, 0]",
    "bodies.table.motion.angle=2*t",
    "bodies.table.shape.box=[3, 2, 0.1]",
    "bodies.floor.shape.plane=[0, 1, 0]",
    "joints.hinge.spring.stiffness=4",
    "joints.hinge.spring.preload=1",
    "joints.hinge.limits.max=2.5",
    "joints.hinge.limits.restitution=0.5",
    "joints.hinge.friction.radius=0.03",
    "joints.axle.at=[2, 0, 0.1]",
    "joints.rail.motion[0].value=0.2*sin(4*t)",
    "joints.rail.motion=[{\"coordinate\": \"angle\", \"value\": \"0.2*sin(3*t)\"},"
    " {\"coordinate\": \"travel\", \"value\": {\"table\": [[0, 0], [1, 0.5], [2, 0]], \"interpolation\": "
    "\"cubic\"}}]",
    "joints.rail.motion[1].value.table=[[0, 0], [1, 0.6], [2, 0]]",
    "joints.rail.motion[1].value.outside=repeat",
    "joints.stage.ratio=3",
    "joints.stage={\"name\": \"stage\", \"type\": \"gear\", \"joint_1\": \"hinge\", \"joint_2\": \"rail\","
    " \"coordinate_2\": \"angle\", \"ratio\": 2}",
    "forces.strut.damping=2",
    "forces.strut.force=11*extension + arm.position.x*t",
    "forces.strut.force=1",
    "forces.strut.free_length=1.5",
    "forces.strut.table.outside=hold",
    "forces.strut.table.interpolation=cubic",
    "forces.motor.joint=axle",
    "forces.motor.mode=speed",
    "forces.motor.gain=2",
    "forces.motor.target.outside=repeat",
    "forces.motor.target.interpolation=step",
    "forces.motor.target=3",
    "forces.wind.force=[1, \"sin(t)\", 0]",
    "forces.wind.follow=true",
    "forces.wind.body=arm",
    "forces.air.quadratic=0.1",
    "units={\"angle\": \"deg\"}",
};

static const char *const idle[] = {
    "name=poor",
    "description=of something",
    "record.every=0.1",
    "record.signals=[\"t\"]",
    "bodies.arm.color=[1, 0, 0]",
};

TEST(compile, the_hash_sees_all_that_decides_results)
{
    char folder[64];
    rich_scene_folder(folder, sizeof folder);
    uint64_t unchanged = hash_of(folder, NULL);
    CHECK(hash_of(folder, NULL) == unchanged);
    for (size_t i = 0; i < sizeof deciding / sizeof deciding[0]; ++i) {
        uint64_t hash = hash_of(folder, deciding[i]);
        if (hash == unchanged) {
            print_error("the hash does not see %s\n", deciding[i]);
        }
        CHECK(hash != unchanged);
        CHECK(hash_of(folder, deciding[i]) == hash);
    }
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; ++i) {
        CHECK(hash_of(folder, idle[i]) == unchanged);
    }
    rich_scene_remove(folder);
}

TEST(compile, the_hash_sees_what_a_mesh_file_holds_and_not_where_it_lies)
{
    char folders[2][64];
    rich_scene_folder(folders[0], sizeof folders[0]);
    rich_scene_folder(folders[1], sizeof folders[1]);
    uint64_t hash = hash_of(folders[0], NULL);
    CHECK(hash_of(folders[1], NULL) == hash);
    char path[300];
    snprintf(path, sizeof path, "%s/tetra.obj", folders[1]);
    FILE *f = fopen(path, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", f);
    CHECK_EQ(fclose(f), 0);
    CHECK(hash_of(folders[1], NULL) != hash);
    rich_scene_remove(folders[0]);
    rich_scene_remove(folders[1]);
}

TEST(compile, a_mesh_file_is_read_once)
{
    char folder[64];
    rich_scene_folder(folder, sizeof folder);
    carom_model *model = compile_rich(folder, NULL);
    CHECK_EQ(model->mesh_count, 1);
    carom_id rock = carom_model_find_body(model, "rock");
    carom_id pebble = carom_model_find_body(model, "pebble");
    CHECK(model->bodies[rock].shapes[0].mesh == model->bodies[pebble].shapes[0].mesh);
    CHECK_NEAR(model->bodies[pebble].mass, 10.0 / 6.0, 1e-14);
    carom_model_destroy(model);
    model = compile_rich(folder, "bodies.rock.shape.mesh.scale=2");
    CHECK_EQ(model->mesh_count, 2);
    CHECK_NEAR(model->bodies[rock].mass, 80.0 / 6.0, 1e-13);
    carom_model_destroy(model);
    rich_scene_remove(folder);
}

/* compile_rich destroys the spec: under a sanitizer, a pointer into it shows here. */
TEST(compile, a_model_outlives_its_spec)
{
    char folder[64];
    rich_scene_folder(folder, sizeof folder);
    carom_model *model = compile_rich(folder, NULL);
    CHECK_TEXT(carom_model_force_name(model, 0), "strut");
    CHECK(carom_model_force_name(model, model->force_count) == NULL);
    CHECK(carom_model_force_name(model, CAROM_NONE) == NULL);
    const carom_spring_def *spring = model->forces[0].params;
    CHECK_NEAR(spring->table.y[2], 7.0, 0.0);
    CHECK_TEXT(spring->force.expression, "10*extension + arm.position.x*t");
    carom_id rock = carom_model_find_body(model, "rock");
    CHECK_CONTAINS(((const carom_mesh_def *)model->bodies[rock].shapes[0].params)->file, "tetra.obj");
    carom_model_destroy(model);
    rich_scene_remove(folder);
}

/* ---- densities --------------------------------------------------------------------------------------------------- */

typedef struct two_boxes {
    carom_box_def box;
    carom_shape_def shapes[2];
    carom_body_def body;
} two_boxes;

static void two_boxes_init(two_boxes *t, double density_1, double density_2)
{
    t->box = (carom_box_def){ { 1, 1, 1 } };
    t->shapes[0] = t->shapes[1] = carom_shape_def_default();
    t->shapes[0].shape = t->shapes[1].shape = (carom_choice){ "box", &t->box };
    t->shapes[0].density = density_1;
    t->shapes[1].density = density_2;
    t->shapes[1].at.x = 2.0;
    t->body = carom_body_def_default();
    t->body.name = "pair";
    t->body.shapes = (carom_list){ 2, t->shapes };
}

static carom_status compile_body_def(const carom_body_def *def, carom_model **model, carom_error *err)
{
    carom_spec *spec = carom_spec_create();
    CHECK_OK(carom_spec_add_body(spec, def, err), *err);
    carom_status status = carom_compile(spec, model, err);
    carom_spec_destroy(spec);
    return status;
}

TEST(compile, refuses_shapes_with_and_without_density_in_one_body)
{
    two_boxes t;
    carom_error err = { 0 };
    carom_model *model = NULL;
    two_boxes_init(&t, 1000.0, 0.0);
    CHECK_EQ(compile_body_def(&t.body, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "body 'pair'");
    CHECK_CONTAINS(err.message, "shape 2 (a box) has none");
    CHECK_CONTAINS(err.message, "give the body a 'density'");
    t.body.mass = 5.0; /* the proportions are as unknown as before */
    CHECK_EQ(compile_body_def(&t.body, &model, &err), CAROM_BAD_INPUT);

    t.body.mass = 0.0;
    t.body.density = 500.0;
    CHECK_OK(compile_body_def(&t.body, &model, &err), err);
    CHECK_NEAR(carom_model_body(model, 1).mass, 1500.0, 1e-10);
    CHECK_NEAR(carom_model_body(model, 1).center_of_mass.x, 2.0 / 3.0, 1e-14);
    carom_model_destroy(model);

    two_boxes_init(&t, 0.0, 0.0); /* only proportions matter */
    t.body.mass = 5.0;
    CHECK_OK(compile_body_def(&t.body, &model, &err), err);
    CHECK_NEAR(carom_model_body(model, 1).mass, 5.0, 1e-14);
    CHECK_NEAR(carom_model_body(model, 1).center_of_mass.x, 1.0, 1e-14);
    carom_model_destroy(model);
}

TEST(compile, bodies_that_do_not_move_freely_have_a_centre_but_no_mass)
{
    two_boxes t;
    carom_error err = { 0 };
    carom_model *model = NULL;
    two_boxes_init(&t, 0.0, 0.0);
    for (int kinematic = 0; kinematic < 2; ++kinematic) {
        t.body.fixed = !kinematic;
        t.body.motion.given = kinematic;
        t.body.motion.angle = carom_value_expression("t");
        CHECK_OK(compile_body_def(&t.body, &model, &err), err);
        carom_body_info info = carom_model_body(model, 1);
        CHECK_NEAR(info.mass, 0.0, 0.0);
        CHECK_NEAR(info.inertia[0], 0.0, 0.0);
        CHECK_NEAR(info.center_of_mass.x, 1.0, 1e-14);
        carom_model_destroy(model);
    }
}

/* ---- near-unit directions ------------------------------------------------------------------------------------------ */

TEST(compile, makes_directions_and_orientations_unit)
{
    const quat long_turn = { 0.6 * 1.0009, 0.0, 0.8 * 1.0009, 0.0 };
    const v3 long_z = { 0.0, 0.0, 1.0 + 9e-7 };
    two_boxes t;
    carom_error err = { 0 };
    two_boxes_init(&t, 100.0, 100.0);
    carom_spec *spec = carom_spec_create();
    t.shapes[1].orientation = long_turn;
    t.body.orientation = long_turn;
    CHECK_OK(carom_spec_add_body(spec, &t.body, &err), err);
    t.body.name = "driven";
    t.body.motion.given = true;
    t.body.motion.axis = long_z;
    t.body.motion.angle = carom_value_expression("t");
    CHECK_OK(carom_spec_add_body(spec, &t.body, &err), err);
    carom_joint_def joint = carom_joint_def_default();
    joint.name = "hinge";
    joint.joint.kind = "revolute";
    joint.attachment.bodies[0] = "ground";
    joint.attachment.bodies[1] = "pair";
    joint.attachment.axis = long_z;
    double across[] = { 3.0, 0.0, 1.0 };
    joint.attachment.x_axis = (carom_reals){ 3, across };
    joint.attachment.frame_b = (carom_frame_def){ .given = true, .orientation = long_turn };
    CHECK_OK(carom_spec_add_joint(spec, &joint, &err), err);

    carom_model *model = NULL;
    CHECK_OK(carom_compile(spec, &model, &err), err);
    CHECK_NEAR(q_norm(model->bodies[1].start.orientation), 1.0, 1e-15);
    CHECK_NEAR(q_norm(model->bodies[1].shapes[1].pose_b.orientation), 1.0, 1e-15);
    CHECK_NEAR(v3_norm(model->bodies[2].motion.axis_w), 1.0, 1e-15);
    CHECK_NEAR(q_norm(model->joints[0].marker_c[0].orientation), 1.0, 1e-15);
    CHECK_NEAR(q_norm(model->joints[0].marker_c[1].orientation), 1.0, 1e-15);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
}

/* A name that is there, of something else. */
TEST(compile, says_what_a_name_belongs_to)
{
    carom_spec *spec = carom_spec_create();
    carom_model *model = NULL;
    carom_error err = { 0 };
    carom_body_def body = carom_body_def_default();
    carom_force_def motor = carom_force_def_default();
    const double inertia[] = { 1.0, 1.0, 1.0 };
    body.name = "rail";
    body.mass = 1.0;
    body.inertia = (carom_reals){ 3, inertia };
    motor.name = "motor";
    motor.force.kind = "motor";
    motor.joint = "rail";
    CHECK_OK(carom_spec_add_body(spec, &body, &err), err);
    CHECK_OK(carom_spec_add_force(spec, &motor, &err), err);
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "'rail' is a body, not a joint");
    carom_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(compile, the_hash_sees_all_that_decides_results),
        RUN_TEST(compile, the_hash_sees_what_a_mesh_file_holds_and_not_where_it_lies),
        RUN_TEST(compile, a_mesh_file_is_read_once),
        RUN_TEST(compile, a_model_outlives_its_spec),
        RUN_TEST(compile, refuses_shapes_with_and_without_density_in_one_body),
        RUN_TEST(compile, bodies_that_do_not_move_freely_have_a_centre_but_no_mass),
        RUN_TEST(compile, makes_directions_and_orientations_unit),
        RUN_TEST(compile, says_what_a_name_belongs_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
