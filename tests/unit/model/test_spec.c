/* The spec: deep copies, names, origins, validation of definitions made by a program. */
#include "model/spec.h"

#include <carom/model.h>

#include <stdlib.h>

#include "model/fields.h"
#include "support/check.h"

static carom_body_def body_named(const char *name)
{
    carom_body_def def = carom_body_def_default();
    def.name = name;
    def.mass = 1.0;
    return def;
}

/* Everything handed in may be overwritten afterwards. */
TEST(spec, copies_everything)
{
    char name[] = "rod", expression[] = "sin(t)";
    double inertia[] = { 1, 2, 3 }, x[] = { 0, 1 }, y[] = { 5, 6 };
    carom_sphere_def sphere = { .radius = 0.25 };
    carom_shape_def shape = carom_shape_def_default();
    shape.shape = (carom_choice){ "sphere", &sphere };
    carom_body_def def = body_named(name);
    def.inertia = (carom_reals){ 3, inertia };
    def.shapes = (carom_list){ 1, &shape };
    def.motion.given = true;
    def.motion.angle = carom_value_expression(expression);
    def.motion.position[0] = carom_value_number(0.0);
    def.motion.position[0].kind = CAROM_TABLE;
    def.motion.position[0].table = (carom_curve){ .count = 2, .x = x, .y = y };

    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    CHECK_OK(carom_spec_add_body(spec, &def, &err), err);
    name[0] = expression[0] = 'X';
    inertia[1] = x[1] = y[1] = sphere.radius = -7;
    shape.shape.kind = NULL;

    const carom_body_def *copy = carom_spec_body(spec, 0);
    CHECK_TEXT(copy->name, "rod");
    CHECK_NEAR(copy->inertia.data[1], 2.0, 0.0);
    CHECK_TEXT(copy->motion.angle.expression, "sin(t)");
    CHECK_NEAR(copy->motion.position[0].table.x[1], 1.0, 0.0);
    CHECK_NEAR(copy->motion.position[0].table.y[1], 6.0, 0.0);
    const carom_shape_def *copied = copy->shapes.items;
    CHECK_TEXT(copied->shape.kind, "sphere");
    CHECK_NEAR(((const carom_sphere_def *)copied->shape.params)->radius, 0.25, 0.0);
    carom_spec_destroy(spec);
}

TEST(spec, missing_params_are_the_defaults_of_the_kind)
{
    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    carom_joint_def joint = carom_joint_def_default();
    joint.name = "rod";
    joint.joint.kind = "distance";
    joint.attachment.bodies[0] = "ground";
    joint.attachment.bodies[1] = "a";
    CHECK_OK(carom_spec_add_joint(spec, &joint, &err), err);
    CHECK(carom_spec_joint(spec, 0)->joint.params != NULL);
    carom_spec_destroy(spec);
}

TEST(spec, refuses_bad_names)
{
    char long_name[300];
    memset(long_name, 'x', sizeof long_name);
    long_name[201] = '\0';
    const char *const names[][2] = {
        { NULL, "must not be empty" },    { "", "must not be empty" },  { "ground", "the world itself" },
        { "a\nb", "control characters" }, { long_name, "at most 200" },
    };
    carom_spec *spec = carom_spec_create();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        carom_error err = { 0 };
        carom_body_def def = body_named(names[i][0]);
        CHECK_EQ(carom_spec_add_body(spec, &def, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, names[i][1]);
    }
    CHECK_EQ(carom_spec_body_count(spec), 0);
    long_name[200] = '\0';
    carom_error err = { 0 };
    carom_body_def def = body_named(long_name);
    CHECK_OK(carom_spec_add_body(spec, &def, &err), err);
    carom_spec_destroy(spec);
}

TEST(spec, names_are_unique_across_lists)
{
    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    carom_body_def body = body_named("one");
    CHECK_OK(carom_spec_add_body(spec, &body, &err), err);
    carom_spec_note_origin(spec, "scene.json", 12, "bodies[0]");
    carom_force_def force = carom_force_def_default();
    force.name = "one";
    force.force.kind = "drag";
    CHECK_EQ(carom_spec_add_force(spec, &force, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "taken already by a body at scene.json:12");
    CHECK_TEXT(err.path, "name");
    carom_spec_destroy(spec);
}

TEST(spec, validates_numbers_by_table)
{
    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    carom_body_def def = body_named("a");
    def.mass = -1.0;
    CHECK_EQ(carom_spec_add_body(spec, &def, &err), CAROM_BAD_INPUT);
    CHECK_TEXT(err.path, "mass");
    CHECK_CONTAINS(err.message, "must be positive");
    def = body_named("a");
    def.position.y = (double)NAN;
    CHECK_EQ(carom_spec_add_body(spec, &def, &err), CAROM_BAD_INPUT);
    CHECK_TEXT(err.path, "position");
    def = body_named("a");
    def.orientation = (carom_quat){ 1, 1, 0, 0 };
    CHECK_EQ(carom_spec_add_body(spec, &def, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "unit quaternion");
    carom_sphere_def sphere = { .radius = 0.0 };
    carom_shape_def shape = carom_shape_def_default();
    shape.shape = (carom_choice){ "sphere", &sphere };
    def = body_named("a");
    def.shapes = (carom_list){ 1, &shape };
    CHECK_EQ(carom_spec_add_body(spec, &def, &err), CAROM_BAD_INPUT);
    CHECK_TEXT(err.path, "shapes[0].radius");
    shape.shape.kind = "sphera";
    CHECK_EQ(carom_spec_add_body(spec, &def, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "did you mean 'sphere'?");
    CHECK_EQ(carom_spec_body_count(spec), 0);
    carom_spec_destroy(spec);
}

TEST(spec, validates_joints)
{
    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    carom_joint_def joint = carom_joint_def_default();
    joint.name = "j";
    joint.joint.kind = "revolute";
    CHECK_EQ(carom_spec_add_joint(spec, &joint, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "needs 'bodies'");
    joint.attachment.bodies[0] = joint.attachment.bodies[1] = "ground";
    CHECK_EQ(carom_spec_add_joint(spec, &joint, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "the ground to the ground");
    joint.attachment.bodies[1] = "a";
    carom_joint_limit_def limit = { .min = 1.0, .max = -1.0 };
    joint.limits = (carom_list){ 1, &limit };
    CHECK_EQ(carom_spec_add_joint(spec, &joint, &err), CAROM_BAD_INPUT);
    CHECK_TEXT(err.path, "limits[0]");
    limit.min = limit.max; /* no room to move either */
    CHECK_EQ(carom_spec_add_joint(spec, &joint, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "min -1 equal to max -1; min must be below max");
    limit = (carom_joint_limit_def){ .min = -(double)INFINITY, .max = 1.0 };
    joint.attachment.axis = (carom_v3){ 0, 0, 2 };
    CHECK_EQ(carom_spec_add_joint(spec, &joint, &err), CAROM_BAD_INPUT);
    CHECK_TEXT(err.path, "axis");
    joint.attachment.axis = (carom_v3){ 0, 1, 0 };
    limit.min = -1.0;
    CHECK_OK(carom_spec_add_joint(spec, &joint, &err), err);
    carom_spec_destroy(spec);
}

TEST(spec, origins_reach_the_error)
{
    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    carom_body_def def = body_named("a");
    CHECK_OK(carom_spec_add_body(spec, &def, &err), err);
    carom_spec_note_origin(spec, "s.json", 3, "bodies[0]");
    carom_model *model = NULL;
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT); /* a mass without inertia */
    CHECK(model == NULL);
    CHECK_TEXT(err.file, "s.json");
    CHECK_EQ(err.line, 3);
    CHECK_TEXT(err.path, "bodies[0]");
    CHECK_CONTAINS(err.message, "inertia of body 'a'");
    carom_spec_destroy(spec);

    spec = carom_spec_create(); /* made by a program: no place */
    CHECK_OK(carom_spec_add_body(spec, &def, &err), err);
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
    CHECK_EQ(err.line, 0);
    CHECK_TEXT(err.file, "");
    carom_spec_destroy(spec);
}

TEST(spec, many_names_are_found)
{
    enum { COUNT = 20000 };
    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    char name[32];
    for (int i = 0; i < COUNT; ++i) {
        snprintf(name, sizeof name, "body%d", i);
        carom_body_def def = body_named(name);
        CHECK_OK(carom_spec_add_body(spec, &def, &err), err);
    }
    for (int i = 0; i < COUNT; ++i) {
        spec_class which = SPEC_FORCE;
        size_t index = 0;
        snprintf(name, sizeof name, "body%d", i);
        CHECK(spec_find(spec, name, &which, &index));
        CHECK_EQ(which, SPEC_BODY);
        CHECK_EQ(index, i);
    }
    carom_spec_destroy(spec);
}

TEST(spec, scene_settings)
{
    carom_spec *spec = carom_spec_create();
    carom_error err = { 0 };
    carom_scene_def scene = carom_scene_def_default();
    const char *signals[] = { "a.position.x", "b.position.y" };
    scene.name = "s";
    scene.record.signals = (carom_list){ 2, signals };
    CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
    signals[0] = NULL;
    CHECK_TEXT(((const char *const *)carom_spec_scene(spec)->record.signals.items)[0], "a.position.x");
    scene = carom_scene_def_default();
    scene.time.end = -1.0;
    CHECK_EQ(carom_spec_set_scene(spec, &scene, &err), CAROM_BAD_INPUT);
    CHECK_TEXT(err.path, "time.end");
    scene = carom_scene_def_default();
    scene.contact.method.kind = "magic";
    CHECK_EQ(carom_spec_set_scene(spec, &scene, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "there are: ");
    CHECK_TEXT(carom_spec_scene(spec)->name, "s"); /* as it was */
    carom_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(spec, copies_everything),
        RUN_TEST(spec, missing_params_are_the_defaults_of_the_kind),
        RUN_TEST(spec, refuses_bad_names),
        RUN_TEST(spec, names_are_unique_across_lists),
        RUN_TEST(spec, validates_numbers_by_table),
        RUN_TEST(spec, validates_joints),
        RUN_TEST(spec, origins_reach_the_error),
        RUN_TEST(spec, many_names_are_found),
        RUN_TEST(spec, scene_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
