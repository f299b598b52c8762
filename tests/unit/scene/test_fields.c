/* Reading every kind of field, with units. */
#include "scene_support.h"

#include "model/model.h"

#define PI 3.14159265358979323846

TEST(fields, settings_and_defaults)
{
    carom_spec *spec = scene_read(
        SCENE("\"name\": \"two\", \"description\": \"d\", \"gravity\": [0, 0, -9.81],"
              "\"time\": {\"end\": 3, \"step\": 1e-3, \"preset\": \"accurate\", \"integrator\": \"runge-kutta\"},"
              "\"contact\": {\"method\": \"none\"}, \"record\": {\"every\": 0.01, \"signals\": "
              "[\"rod.position.x\"]}, " ONE_BODY));
    const carom_scene_def *scene = carom_spec_scene(spec);
    CHECK_TEXT(scene->name, "two");
    CHECK_V3(scene->gravity, 0, 0, -9.81);
    CHECK_NEAR(scene->time.end, 3.0, 0.0);
    CHECK_NEAR(scene->time.step, 1e-3, 0.0);
    CHECK_EQ(scene->time.preset, CAROM_ACCURATE);
    CHECK_TEXT(scene->time.integrator.kind, "runge-kutta");
    CHECK_TEXT(scene->contact.method.kind, "none");
    CHECK_EQ(scene->record.signals.count, 1);
    CHECK_TEXT(((const char *const *)scene->record.signals.items)[0], "rod.position.x");
    carom_spec_destroy(spec);

    spec = scene_read(SCENE(ONE_BODY));
    CHECK_NEAR(carom_spec_scene(spec)->time.end, 1.0, 0.0);
    CHECK_TEXT(carom_spec_scene(spec)->contact.method.kind, "none");
    CHECK(carom_spec_scene(spec)->time.integrator.kind == NULL);
    carom_spec_destroy(spec);
}

/* Options of a method that is not chosen change nothing, and mistakes in them are found all the same. */
TEST(fields, options_of_other_methods_may_stand_beside)
{
#define OPTIONS "\"detection\": \"sdf\", \"spacing\": 0.01, \"resolution\": 64, \"cache\": false"
    carom_spec *plain = scene_read(SCENE("\"contact\": {\"method\": \"none\"}, " ONE_BODY));
    carom_spec *both = scene_read(SCENE("\"contact\": {" OPTIONS ", \"method\": \"none\"}, " ONE_BODY));
    carom_spec *used = scene_read(SCENE("\"contact\": {\"method\": \"compliant\", " OPTIONS "}, " ONE_BODY));
    CHECK_TEXT(carom_spec_scene(both)->contact.method.kind, "none");
    carom_error err = { 0 };
    uint64_t hash[2];
    carom_spec *specs[] = { plain, both };
    for (int i = 0; i < 2; ++i) {
        carom_model *model = NULL;
        CHECK_OK(carom_compile(specs[i], &model, &err), err);
        hash[i] = model->hash;
        carom_model_destroy(model);
    }
    CHECK(hash[0] == hash[1]);
    CHECK_TEXT(carom_spec_scene(used)->contact.method.kind, "compliant");
    carom_spec_destroy(plain);
    carom_spec_destroy(both);
    carom_spec_destroy(used);
}

TEST(fields, options_of_other_methods_are_checked)
{
    static const struct {
        const char *option;
        const char *part;
    } wrong[] = {
        { "\"detection\": \"bogus\"", "bogus" },
        { "\"spacing\": [1]", "found a list" },
        { "\"cache\": 3", "found a number" },
        { "\"resolution\": -1", "-1" },
        { "\"resolutoin\": 64", "did you mean 'resolution'?" },
        { "\"mass\": 0.5", "unknown key 'mass'" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        char text[400];
        snprintf(text, sizeof text, "{\"carom\": 1, \"contact\": {\"method\": \"none\", %s}, %s}", wrong[i].option,
                 ONE_BODY);
        carom_error err = scene_refuse(text);
        CHECK_CONTAINS(err.message, wrong[i].part);
        CHECK_CONTAINS(err.path, "contact.");
    }
    CHECK_CONTAINS(scene_refuse(SCENE("\"contact\": {" OPTIONS "}, " ONE_BODY)).message, "method");
#undef OPTIONS
}

TEST(fields, integrator_with_options)
{
    carom_spec *spec = scene_read(SCENE("\"time\": {\"integrator\": {\"generalized-alpha\": {}}}," ONE_BODY));
    CHECK_TEXT(carom_spec_scene(spec)->time.integrator.kind, "generalized-alpha");
    CHECK(carom_spec_scene(spec)->time.integrator.params != NULL);
    carom_spec_destroy(spec);
}

TEST(fields, numbers_are_scaled_to_si)
{
    carom_spec *spec = scene_read(
        SCENE("\"units\": {\"length\": \"mm\", \"mass\": \"g\", \"time\": \"ms\", \"angle\": \"deg\"},"
              "\"bodies\": [{\"name\": \"rod\", \"mass\": 3, \"inertia\": [1, 2, 3], \"position\": [1, 2, 3],"
              " \"velocity\": [1, 0, 0], \"angular_velocity\": [0, 0, 90], \"shape\": {\"box\": [10, 20, 30], "
              "\"at\": [1, 0, 0]},"
              " \"orientation\": {\"axis\": [0, 0, 1], \"angle\": 90}}]"));
    const carom_body_def *rod = carom_spec_body(spec, 0);
    CHECK_NEAR(rod->mass, 3e-3, 1e-18);
    CHECK_NEAR(rod->inertia.data[2], 3e-9, 1e-22);
    CHECK_V3(rod->position, 1e-3, 2e-3, 3e-3);
    CHECK_V3(rod->velocity, 1.0, 0, 0);
    CHECK_NEAR(rod->angular_velocity.z, 0.5 * PI * 1e3, 1e-10);
    CHECK_NEAR(rod->orientation.w, sqrt(0.5), 1e-15);
    CHECK_NEAR(rod->orientation.z, sqrt(0.5), 1e-15);
    const carom_shape_def *shape = rod->shapes.items;
    CHECK_TEXT(shape->shape.kind, "box");
    CHECK_V3(((const carom_box_def *)shape->shape.params)->size, 0.01, 0.02, 0.03);
    CHECK_V3(shape->at, 1e-3, 0, 0);
    carom_spec_destroy(spec);
}

TEST(fields, units_by_number)
{
    carom_spec *spec =
        scene_read(SCENE("\"units\": {\"length\": 0.5}, \"bodies\": [" BODY(", \"position\": [4, 0, 0]") "]"));
    CHECK_V3(carom_spec_body(spec, 0)->position, 2, 0, 0);
    carom_spec_destroy(spec);
}

TEST(fields, orientations_in_every_spelling)
{
    carom_spec *spec =
        scene_read(SCENE("\"units\": {\"angle\": \"deg\"}, \"bodies\": ["
                         "{\"name\": \"a\", \"mass\": 1, \"orientation\": [0.7071, 0.7071, 0, 0]},"
                         "{\"name\": \"b\", \"mass\": 1, \"orientation\": {\"axis\": [1, 0, 0], \"angle\": 90}},"
                         "{\"name\": \"c\", \"mass\": 1, \"orientation\": {\"euler\": [90, 0, 0]}},"
                         "{\"name\": \"d\", \"mass\": 1, \"orientation\": {\"euler\": [90, 90, 0]}}]"));
    for (size_t i = 0; i < 3; ++i) {
        CHECK_NEAR(carom_spec_body(spec, i)->orientation.w, sqrt(0.5), 1e-15);
        CHECK_NEAR(carom_spec_body(spec, i)->orientation.x, sqrt(0.5), 1e-15);
    }
    /* Intrinsic: first about x, then about the new y, which is the world's z. qx qy = (1 + i)(1 + j)/2. */
    const carom_quat q = carom_spec_body(spec, 3)->orientation;
    CHECK_NEAR(q.w, 0.5, 1e-15);
    CHECK_NEAR(q.x, 0.5, 1e-15);
    CHECK_NEAR(q.y, 0.5, 1e-15);
    CHECK_NEAR(q.z, 0.5, 1e-15);
    carom_spec_destroy(spec);
}

TEST(fields, shapes_alone_in_lists_and_with_parameters)
{
    carom_spec *spec = scene_read(SCENE(
        "\"bodies\": [{\"name\": \"a\", \"density\": 1, \"shapes\": [{\"sphere\": 2}, {\"cylinder\": {\"radius\": 1, "
        "\"length\": 3}, \"density\": 7}]}, {\"name\": \"b\", \"fixed\": true, \"shapes\": {\"plane\": {}}}]"));
    const carom_body_def *a = carom_spec_body(spec, 0);
    CHECK_EQ(a->shapes.count, 2);
    const carom_shape_def *shapes = a->shapes.items;
    CHECK_NEAR(((const carom_sphere_def *)shapes[0].shape.params)->radius, 2.0, 0.0);
    CHECK_NEAR(((const carom_cylinder_def *)shapes[1].shape.params)->length, 3.0, 0.0);
    CHECK_NEAR(shapes[1].density, 7.0, 0.0);
    CHECK(carom_spec_body(spec, 1)->fixed);
    carom_spec_destroy(spec);
}

TEST(fields, values_are_numbers_tables_or_expressions)
{
    carom_spec *spec = scene_read(
        SCENE("\"units\": {\"length\": \"mm\", \"time\": \"ms\"}, \"bodies\": [{\"name\": \"cam\", \"motion\": "
              "{\"position\": "
              "[5, {\"table\": [[0, 1], [2, 3]], \"interpolation\": \"cubic\", \"outside\": \"repeat\"}, \"7*t\"]}},"
              "{\"name\": \"slider\", \"motion\": {\"position\": [null, \"2*3\", null]}}]"));
    const carom_motion_def *motion = &carom_spec_body(spec, 0)->motion;
    CHECK(motion->given);
    CHECK_EQ(motion->position[0].kind, CAROM_NUMBER);
    CHECK_NEAR(motion->position[0].number, 5e-3, 1e-18);
    CHECK_EQ(motion->position[1].kind, CAROM_TABLE);
    CHECK_NEAR(motion->position[1].table.x[1], 2e-3, 1e-18);
    CHECK_NEAR(motion->position[1].table.y[1], 3e-3, 1e-18);
    CHECK_EQ(motion->position[1].table.interpolation, CAROM_CUBIC);
    CHECK_EQ(motion->position[1].table.outside, CAROM_REPEAT);
    CHECK_EQ(motion->position[2].kind, CAROM_EXPRESSION);
    CHECK_TEXT(motion->position[2].expression, "7*t");
    CHECK_NEAR(motion->position[2].scale, 1e-3, 0.0);
    CHECK_NEAR(motion->position[2].units.time, 1e-3, 0.0);
    CHECK(isnan(motion->angle.number));

    motion = &carom_spec_body(spec, 1)->motion;
    CHECK(isnan(motion->position[0].number));
    CHECK_EQ(motion->position[1].kind, CAROM_NUMBER); /* no variables: folded */
    CHECK_NEAR(motion->position[1].number, 6e-3, 1e-18);
    carom_spec_destroy(spec);
}

TEST(fields, joints_with_kind_parameters_beside)
{
    carom_spec *spec = scene_read(SCENE(
        ONE_BODY
        ", \"units\": {\"length\": \"cm\"}, \"joints\": ["
        "{\"name\": \"nut\", \"type\": \"screw\", \"bodies\": [\"ground\", \"rod\"], \"pitch\": 2, \"at\": [1, 0, 0],"
        " \"axis\": [0, 1, 0], \"at_b\": [3, 0, 0], \"frame_b\": {\"position\": [1, 1, 1]}, \"friction\": "
        "{\"coefficient\": 0.1, \"radius\": 4}}]"));
    const carom_joint_def *nut = carom_spec_joint(spec, 0);
    CHECK_TEXT(nut->joint.kind, "screw");
    CHECK_NEAR(((const carom_screw_def *)nut->joint.params)->pitch, 0.02, 1e-17);
    CHECK_TEXT(nut->attachment.bodies[0], "ground");
    CHECK_TEXT(nut->attachment.bodies[1], "rod");
    CHECK_V3(nut->attachment.at, 0.01, 0, 0);
    CHECK_V3(nut->attachment.axis, 0, 1, 0);
    CHECK_NEAR(nut->attachment.at_b.data[0], 0.03, 1e-17);
    CHECK(nut->attachment.frame_b.given);
    CHECK(!nut->attachment.frame_a.given);
    CHECK(nut->friction.given);
    CHECK_NEAR(nut->friction.radius, 0.04, 1e-17);
    carom_spec_destroy(spec);
}

/* "min": -30 means degrees for an angle and millimetres for a travel. */
TEST(fields, coordinates_take_their_own_unit)
{
    carom_spec *spec = scene_read(SCENE(
        ONE_BODY ", \"units\": {\"length\": \"mm\", \"angle\": \"deg\"}, \"joints\": ["
                 "{\"name\": \"c\", \"type\": \"cylindrical\", \"bodies\": [\"ground\", \"rod\"],"
                 " \"limits\": [{\"coordinate\": \"angle\", \"min\": -30, \"max\": 90}, {\"coordinate\": \"travel\", "
                 "\"max\": 5}],"
                 " \"spring\": {\"coordinate\": \"angle\", \"stiffness\": 2, \"free\": 180},"
                 " \"motion\": {\"coordinate\": \"travel\", \"value\": \"3*t\"}}],"
                 "\"forces\": [{\"name\": \"m\", \"type\": \"motor\", \"joint\": \"c\", \"coordinate\": \"angle\","
                 " \"mode\": \"speed\", \"target\": 360, \"gain\": 1, \"limit\": 1000}]"));
    const carom_joint_def *joint = carom_spec_joint(spec, 0);
    const carom_joint_limit_def *limits = joint->limits.items;
    CHECK_NEAR(limits[0].min, -PI / 6, 1e-15);
    CHECK_NEAR(limits[0].max, PI / 2, 1e-15);
    CHECK_NEAR(limits[1].max, 5e-3, 1e-18);
    CHECK(isinf(limits[1].min));
    const carom_joint_spring_def *spring = joint->springs.items;
    CHECK_NEAR(spring->free, PI, 1e-15);
    CHECK_NEAR(spring->stiffness, 2e-6 * 180 / PI, 1e-18); /* kg mm^2/s^2 per degree */
    CHECK_NEAR(((const carom_joint_motion_def *)joint->motions.items)->value.scale, 1e-3, 1e-18);
    const carom_motor_def *motor = carom_spec_force(spec, 0)->force.params;
    CHECK_NEAR(motor->target.number, 2 * PI, 1e-14);
    CHECK_NEAR(motor->limit, 1e-3, 1e-17);
    CHECK_EQ(motor->mode, CAROM_MOTOR_SPEED);
    carom_spec_destroy(spec);
}

TEST(fields, directions_are_normalised_within_rounding)
{
    carom_spec *spec = scene_read(
        SCENE(ONE_BODY
              ", \"joints\": [{\"name\": \"p\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"], \"axis\": "
              "[0.70710678, 0.70710678, 0]}]"));
    CHECK_NEAR(carom_spec_joint(spec, 0)->attachment.axis.x, sqrt(0.5), 3e-16);
    carom_spec_destroy(spec);
}

TEST(fields, forces_with_curves_and_references)
{
    carom_spec *spec = scene_read(SCENE(
        ONE_BODY
        ", \"units\": {\"length\": \"mm\"}, \"forces\": [{\"name\": \"s\", \"type\": \"spring\", \"bodies\": "
        "[\"ground\", \"rod\"], \"table\": [[0, 0], [10, 500]]}, {\"name\": \"g\", \"type\": \"gravity-field\", "
        "\"body\": \"all\", \"mu\": 1}]"));
    const carom_spring_def *spring = carom_spec_force(spec, 0)->force.params;
    CHECK_EQ(spring->table.count, 2);
    CHECK_NEAR(spring->table.x[1], 0.01, 1e-17);
    CHECK_NEAR(spring->table.y[1], 0.5, 1e-15);
    CHECK_TEXT(carom_spec_force(spec, 1)->attachment.bodies[0], "all");
    CHECK(isnan(carom_spec_force(spec, 1)->attachment.at.x));
    carom_spec_destroy(spec);
}

TEST(fields, comments_anywhere_but_in_texts)
{
    carom_spec *spec =
        scene_read("// first\n{ \"carom\": 1, /* a \"quoted\" { */ \"name\": \"http://x /* y */\\\"//\",\n"
                   "  // \"name\": 3\n  " ONE_BODY " } // last");
    CHECK_TEXT(carom_spec_scene(spec)->name, "http://x /* y */\"//");
    carom_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(fields, settings_and_defaults),
        RUN_TEST(fields, options_of_other_methods_may_stand_beside),
        RUN_TEST(fields, options_of_other_methods_are_checked),
        RUN_TEST(fields, integrator_with_options),
        RUN_TEST(fields, numbers_are_scaled_to_si),
        RUN_TEST(fields, units_by_number),
        RUN_TEST(fields, orientations_in_every_spelling),
        RUN_TEST(fields, shapes_alone_in_lists_and_with_parameters),
        RUN_TEST(fields, values_are_numbers_tables_or_expressions),
        RUN_TEST(fields, joints_with_kind_parameters_beside),
        RUN_TEST(fields, coordinates_take_their_own_unit),
        RUN_TEST(fields, directions_are_normalised_within_rounding),
        RUN_TEST(fields, forces_with_curves_and_references),
        RUN_TEST(fields, comments_anywhere_but_in_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
