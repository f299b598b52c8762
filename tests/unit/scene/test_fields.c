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

/* Adams: mm, kg, s, N. Forces, torques, stiffness, damping, pressure, energy follow; masses, inertias, velocities do not. */
TEST(fields, a_unit_of_force_of_its_own)
{
    static const struct {
        carom_dimension dimension;
        double si;
    } rows[] = {
        { CAROM_DIM_FORCE, 1.0 },   { { 2, 1, -2, 0 }, 1e-3 }, /* N mm */
        { { 0, 1, -2, 0 }, 1e3 },                              /* N/mm */
        { { 0, 1, -1, 0 }, 1e3 },                              /* N s/mm */
        { { -1, 1, -2, 0 }, 1e6 },                             /* N/mm^2 */
        { { 2, 1, -3, 0 }, 1e-3 },                             /* N mm/s */
        { { 2, 1, -2, -1 }, 1e-3 }, { { 0, -1, 2, 0 }, 1e-3 }, /* mm/N */
        { CAROM_DIM_MASS, 1.0 },    { { 2, 1, 0, 0 }, 1e-6 },  { { -3, 1, 0, 0 }, 1e9 },
        { { 1, 0, -2, 0 }, 1e-3 },  { { 1, 1, -1, 0 }, 1e-3 }, /* momentum: kg mm/s */
    };
    const carom_units adams = { 1e-3, 1.0, 1.0, 1.0, 1.0 };
    const carom_units follows = { 1e-3, 1e3, 1.0, 1.0, 0.0 }; /* mm, t, s: N follows */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        CHECK_NEAR(carom_units_factor(&adams, rows[i].dimension), rows[i].si, 1e-14 * rows[i].si);
    }
    for (size_t i = 0; i < 8; ++i) {
        CHECK_NEAR(carom_units_factor(&follows, rows[i].dimension), rows[i].si, 1e-14 * rows[i].si);
    }
    carom_spec *spec = scene_read(SCENE(
        ONE_BODY ", \"units\": {\"length\": \"mm\", \"force\": \"kN\"}, \"forces\": [{\"name\": \"s\", \"type\": "
                 "\"spring\", \"bodies\": [\"ground\", \"rod\"], \"stiffness\": 2, \"free_length\": 5}]"));
    const carom_spring_def *spring = carom_spec_force(spec, 0)->force.params;
    CHECK_NEAR(spring->stiffness, 2e6, 1e-8);
    CHECK_NEAR(spring->free_length, 5e-3, 1e-17);
    CHECK_TEXT(carom_spec_units(spec), "lengths mm, masses kg, times s, angles rad, forces kN");
    carom_spec_destroy(spec);
    CHECK_REFUSED(SCENE(ONE_BODY ", \"units\": {\"force\": \"n\"}"), 1, "units.force", "unknown unit of force 'n'");
}

static void check_note(const char *units, const char *part)
{
    char text[400];
    snprintf(text, sizeof text, SCENE(ONE_BODY ", \"units\": {%s}"), units);
    carom_spec *spec = scene_read(text);
    const spec_said *notes = NULL;
    CHECK_EQ(spec_notes(spec, &notes), part != NULL);
    if (part) {
        CHECK(notes[0].warning);
        CHECK_CONTAINS(notes[0].text, part);
    }
    carom_spec_destroy(spec);
}

TEST(fields, forces_in_millinewtons_are_told)
{
    check_note("\"length\": \"mm\"", "forces in this file are in mN");
    check_note("\"length\": 1e-3, \"mass\": \"kg\"", "forces in this file are in mN");
    check_note("\"length\": \"mm\", \"force\": \"N\"", NULL);
    check_note("\"length\": \"mm\", \"force\": \"mN\"", NULL);
    check_note("\"length\": \"mm\", \"mass\": \"t\"", NULL);
    check_note("\"length\": \"cm\"", NULL);
    check_note("\"length\": \"m\"", NULL);
}

TEST(fields, numbers_with_units_of_their_own)
{
    carom_spec *spec = scene_read(SCENE(
        "\"units\": {\"length\": \"cm\"}, \"bodies\": [{\"name\": \"rod\", \"mass\": \"250 g\", \"inertia\": [1, 1, 1], "
        "\"position\": [\"10 mm\", 10, \"-1.5e-3 km\"], \"angular_velocity\": [0, \"90 deg/s\", 0]}], "
        "\"forces\": [{\"name\": \"s\", \"type\": \"spring\", \"bodies\": [\"ground\", \"rod\"], \"stiffness\": \"2 kN/mm\"},"
        "{\"name\": \"l\", \"type\": \"load\", \"body\": \"rod\", \"force\": [\"3 kN\", 0, 0]}]"));
    const carom_body_def *rod = carom_spec_body(spec, 0);
    CHECK_NEAR(rod->mass, 0.25, 1e-16);
    CHECK_V3(rod->position, 0.01, 0.1, -1.5);
    CHECK_NEAR(rod->angular_velocity.y, 0.5 * PI, 1e-15);
    CHECK_NEAR(((const carom_spring_def *)carom_spec_force(spec, 0)->force.params)->stiffness, 2e6, 1e-9);
    CHECK_NEAR(((const carom_load_def *)carom_spec_force(spec, 1)->force.params)->force[0].number, 3e3, 1e-12);
    carom_spec_destroy(spec);
    CHECK_REFUSED(SCENE("\"bodies\": [{\"name\": \"rod\", \"mass\": \"2 stone\"}]"), 1, "bodies[0].mass",
                  "there is no unit 'stone'");
    CHECK_REFUSED(SCENE("\"bodies\": [{\"name\": \"rod\", \"mass\": \"2 mm\"}]"), 1, "bodies[0].mass",
                  "'2 mm' is in m, but this is in kg");
    CHECK_REFUSED(SCENE("\"bodies\": [{\"name\": \"rod\", \"mass\": \"-2 kg\"}]"), 1, "bodies[0].mass", "positive");
    CHECK_REFUSED(SCENE(ONE_BODY ", \"contact\": {\"method\": \"impact\", \"restitution\": \"1 m\"}"), 1,
                  "contact.restitution", "this is a plain number");
}

TEST(fields, springs_and_motions_of_joints_may_be_bare_values)
{
    carom_spec *spec = scene_read(SCENE(
        "\"units\": {\"length\": \"mm\", \"force\": \"N\"}, \"bodies\": [{\"name\": \"rod\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
        "\"joints\": [{\"name\": \"a\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"rod\"], \"spring\": 20}, "
        "{\"name\": \"b\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"rod\"], \"motion\": \"2*t\"}]"));
    const carom_joint_spring_def *spring = carom_spec_joint(spec, 0)->springs.items;
    const carom_joint_motion_def *motion = carom_spec_joint(spec, 1)->motions.items;
    CHECK_NEAR(spring->stiffness, 2e4, 1e-11); /* 20 N/mm */
    CHECK(motion->value.kind == CAROM_EXPRESSION && motion->value.scale == 1e-3);
    carom_spec_destroy(spec);
}

/* Every unit that a file may be written in may stand behind a number too, and is worth the same. */
TEST(fields, units_of_files_are_units_of_numbers)
{
    static const char *const lengths[] = { "m", "mm", "cm", "km", "um", "in", "ft" };
    static const char *const masses[] = { "kg", "g", "t", "lb" };
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
        char scene[300];
        const char *mass = masses[i % 4];
        snprintf(scene, sizeof scene,
                 "{\"carom\": 1, \"units\": {\"length\": \"%s\", \"mass\": \"%s\"}, \"bodies\": [{\"name\": \"a\", "
                 "\"mass\": 3, \"inertia\": [1, 1, 1], \"position\": [2, \"2 %s\", 0]}, {\"name\": \"b\", \"mass\": "
                 "\"3 %s\", \"inertia\": [1, 1, 1], \"angular_velocity\": [\"60rpm\", \"1 turn/s\", 0]}]}",
                 lengths[i], mass, lengths[i], mass);
        carom_spec *spec = scene_read(scene);
        const carom_body_def *a = carom_spec_body(spec, 0);
        const carom_body_def *b = carom_spec_body(spec, 1);
        CHECK(a->position.x == a->position.y && a->position.x > 0.0 && a->mass == b->mass);
        CHECK_NEAR(b->angular_velocity.x, 2.0 * PI, 1e-14);
        CHECK_NEAR(b->angular_velocity.y, 2.0 * PI, 1e-14);
        carom_spec_destroy(spec);
    }
}

TEST(fields, tables_from_files_with_jumps)
{
    scene_write_file("load.csv", "time [s], force [N], other\n# a comment\n0, 1, 10\n\n1;2;20\n1 3 30\n2\t4\t40\n");
    scene_write_file("bad.csv", "0, 1\n1, two\n");
    scene_write_file("back.csv", "0, 1\n-1, 2\n");
    scene_write_file("none.csv", "time, force\n");
#define LOADED(table)                                                                                                       \
    SCENE(                                                                                                                  \
        ONE_BODY                                                                                                            \
        ", \"units\": {\"length\": \"mm\", \"force\": \"kN\", \"time\": \"ms\"}, \"forces\": [{\"name\": \"l\", \"type\": " \
        "\"load\", \"body\": \"rod\", \"force\": [" table ", 0, 0]}]")
    carom_spec *spec =
        scene_read(LOADED("{\"table\": \"load.csv\", \"column\": 3, \"interpolation\": \"monotone\"}"));
    const carom_curve *table = &((const carom_load_def *)carom_spec_force(spec, 0)->force.params)->force[0].table;
    CHECK_EQ(table->count, 4);
    CHECK_EQ(table->interpolation, CAROM_MONOTONE);
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(table->y[i], 1e4 * (i + 1), 1e-9);
        CHECK_NEAR(table->x[i], 1e-3 * (i < 2 ? i : i - 1), 1e-18);
    }
    carom_spec_destroy(spec);
    CHECK_REFUSED(LOADED("{\"table\": \"bad.csv\"}"), 1, "forces[0].force[0].table", "bad.csv', line 2");
    CHECK_REFUSED(LOADED("{\"table\": \"back.csv\"}"), 1, "forces[0].force[0].table", "back.csv', line 2");
    CHECK_REFUSED(LOADED("{\"table\": \"none.csv\"}"), 1, "forces[0].force[0].table", "no lines of numbers");
    CHECK_REFUSED(LOADED("{\"table\": \"load.csv\", \"column\": 4}"), 1, "forces[0].force[0].table", "line 3");
    CHECK_REFUSED(LOADED("{\"table\": \"load.csv\", \"column\": 1}"), 1, "forces[0].force[0].table",
                  "columns 2 to 64");
    CHECK_REFUSED(LOADED("{\"table\": \"missing.csv\"}"), 1, "forces[0].force[0].table", "missing.csv");
#undef LOADED
}

TEST(fields, words_of_others_get_the_right_one)
{
#define JOINED(type) \
    SCENE(ONE_BODY ", \"joints\": [{\"name\": \"j\", \"type\": \"" type "\", \"bodies\": [\"ground\", \"rod\"]}]")
    CHECK_REFUSED(JOINED("hinge"), 1, "joints[0].type", "here that is 'revolute'");
    CHECK_REFUSED(JOINED("slider"), 1, "joints[0].type", "here that is 'prismatic'");
    CHECK_REFUSED(JOINED("slide"), 1, "joints[0].type", "here that is 'prismatic'");
    CHECK_REFUSED(JOINED("ball"), 1, "joints[0].type", "here that is 'spherical'");
    CHECK_REFUSED(JOINED("weld"), 1, "joints[0].type", "here that is 'fixed'");
#undef JOINED
    CHECK_REFUSED(SCENE("\"bodies\": [" BODY(", \"pos\": [0, 0, 1]") "]"), 1, "bodies[0].pos",
                  "here that is 'position'");
    CHECK_REFUSED(SCENE("\"bodies\": [" BODY(", \"quat\": [1, 0, 0, 0]") "]"), 1, "bodies[0].quat",
                  "here that is 'orientation': [w, x, y, z]");
    CHECK_REFUSED(SCENE("\"bodies\": [" BODY(", \"size\": [1, 1, 1]") "]"), 1, "bodies[0].size",
                  "whole lengths, not half");
    CHECK_REFUSED(SCENE("\"bodies\": [" BODY(", \"geom\": {\"sphere\": 1}") "]"), 1, "bodies[0].geom",
                  "here that is 'shape'");
    CHECK_REFUSED(SCENE(ONE_BODY
                        ", \"joints\": [{\"name\": \"j\", \"type\": \"fixed\", \"bodies\": [\"world\", \"rod\"]}]"),
                  1, "joints[0].bodies[0]", "here that is 'ground'");
    CHECK_REFUSED(SCENE(ONE_BODY
                        ", \"forces\": [{\"name\": \"s\", \"type\": \"spring\", \"bodies\": [\"ground\", \"rod\"], "
                        "\"stiffness_coefficient\": 3}]"),
                  1, "forces[0].stiffness_coefficient", "here that is 'stiffness'");
    CHECK_REFUSED(
        SCENE(
            ONE_BODY
            ", \"joints\": [{\"name\": \"j\", \"type\": \"fixed\", \"bodies\": [\"ground\", \"rod\"]}], \"forces\": [{\"name\": "
            "\"m\", \"type\": \"motor\", \"mode\": \"pid\", \"kp\": 3}]"),
        1, "forces[0].kp", "here that is 'gain'");
    CHECK_REFUSED(
        SCENE(
            "\"bodies\": [{\"name\": \"b\", \"density\": 1, \"shapes\": [{\"shape\": {\"box\": [1, 1, 1]}, \"position\": [0, 0, 1]}]}]"),
        1, "bodies[0].shapes[0].shape", "a shape in a list names its kind itself");
}

TEST(fields, variables_that_are_not_there_cannot_be_set)
{
    static const char text[] =
        SCENE("\"variables\": {\"offset\": 1}, \"bodies\": [" BODY(", \"position\": [\"$offset\", 0, 0]") "]");
    carom_spec *spec = scene_read_set(text, "variables.offset=3");
    CHECK_V3(carom_spec_body(spec, 0)->position, 3, 0, 0);
    carom_spec_destroy(spec);
    carom_error err = scene_refuse_set(text, "variables.ofset=3");
    CHECK_CONTAINS(err.message, "the scene has no variable 'ofset' (did you mean 'offset'?)");
    err = scene_refuse_set(SCENE(ONE_BODY), "variables.offset=3");
    CHECK_CONTAINS(err.message, "the scene has no variable 'offset'");
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
        RUN_TEST(fields, a_unit_of_force_of_its_own),
        RUN_TEST(fields, forces_in_millinewtons_are_told),
        RUN_TEST(fields, numbers_with_units_of_their_own),
        RUN_TEST(fields, springs_and_motions_of_joints_may_be_bare_values),
        RUN_TEST(fields, units_of_files_are_units_of_numbers),
        RUN_TEST(fields, tables_from_files_with_jumps),
        RUN_TEST(fields, words_of_others_get_the_right_one),
        RUN_TEST(fields, variables_that_are_not_there_cannot_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
