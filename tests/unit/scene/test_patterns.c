/* Variables, repeats, includes, overrides: what makes one line of a scene stand for more. */
#include "scene_support.h"

#include <sys/stat.h>

/* ---- variables ----------------------------------------------------------------------------------------------- */

TEST(variables, in_numbers_and_expressions)
{
    carom_spec *spec = scene_read(
        SCENE("\"units\": {\"length\": \"mm\"}, \"variables\": {\"half\": \"$L/2\", \"L\": 4, \"w\": \"2*pi\"},"
              "\"bodies\": [{\"name\": \"rod\", \"mass\": \"$half\", \"position\": [\"$L\", \"-$half\", \"${L}+1\"],"
              " \"motion\": {\"angle\": \"$half*sin($w*t)\"}}]"));
    const carom_body_def *rod = carom_spec_body(spec, 0);
    CHECK_NEAR(rod->mass, 2.0, 0.0);
    CHECK_V3(rod->position, 4e-3, -2e-3, 5e-3);
    CHECK_TEXT(rod->motion.angle.expression, "(2)*sin((6.2831853071795862)*t)");
    carom_spec_destroy(spec);
}

TEST(variables, long_chains_are_refused_not_overrun)
{
    carom_text text = { 0 };
    carom_text_add(&text, "{\"carom\": 1, \"variables\": {");
    for (int i = 0; i < 5000; ++i) {
        carom_text_add(&text, "\"v%d\": \"$v%d\", ", i, i + 1);
    }
    carom_text_add(&text, "\"v5000\": 1}, " ONE_BODY "}");
    carom_error err = scene_refuse(text.data);
    CHECK_CONTAINS(err.message, "levels deep");
    carom_text_free(&text);
}

/* ---- repeats ------------------------------------------------------------------------------------------------- */

TEST(repeat, chain_along_a_line)
{
    carom_spec *spec = scene_read(SCENE(
        "\"variables\": {\"n\": 4}, \"bodies\": [{\"repeat\": {\"count\": \"$n\", \"line\": {\"step\": [2, 0, 1]}},"
        " \"name\": \"link\", \"mass\": \"1+$index\", \"position\": [1, 0, 0]}],"
        "\"joints\": [{\"repeat\": {\"count\": \"$n-1\", \"line\": [2, 0, 1]}, \"name\": \"pin{$index+1}\","
        " \"type\": \"spherical\", \"bodies\": [\"link[$index]\", \"link[$index+1]\"], \"at\": [2, 0, 0.5]},"
        " {\"name\": \"end\", \"type\": \"fixed\", \"bodies\": [\"ground\", \"link[$n-1]\"]}]"));
    CHECK_EQ(carom_spec_body_count(spec), 4);
    CHECK_TEXT(carom_spec_body(spec, 3)->name, "link[3]");
    CHECK_V3(carom_spec_body(spec, 3)->position, 7, 0, 3);
    CHECK_NEAR(carom_spec_body(spec, 3)->mass, 4.0, 0.0);
    CHECK_EQ(carom_spec_joint_count(spec), 4);
    CHECK_TEXT(carom_spec_joint(spec, 2)->name, "pin3");
    CHECK_TEXT(carom_spec_joint(spec, 2)->attachment.bodies[0], "link[2]");
    CHECK_TEXT(carom_spec_joint(spec, 2)->attachment.bodies[1], "link[3]");
    CHECK_V3(carom_spec_joint(spec, 2)->attachment.at, 6, 0, 2.5);
    CHECK_TEXT(carom_spec_joint(spec, 3)->attachment.bodies[1], "link[3]");
    carom_spec_destroy(spec);
}

TEST(repeat, circle_turns_positions_axes_and_velocities)
{
    carom_spec *spec = scene_read(SCENE(
        "\"bodies\": [{\"repeat\": {\"count\": 4, \"circle\": {\"center\": [1, 0, 0]}}, \"name\": \"tooth$index\","
        " \"mass\": 1, \"position\": [3, 0, 5], \"velocity\": [1, 0, 0]}],"
        "\"joints\": [{\"repeat\": {\"count\": 4, \"circle\": {\"center\": [1, 0, 0]}}, \"name\": \"pin$index\","
        " \"type\": \"revolute\", \"bodies\": [\"ground\", \"tooth$index\"], \"at\": [3, 0, 5], \"axis\": [1, 0, "
        "0]}]"));
    const carom_body_def *tooth = carom_spec_body(spec, 1); /* a quarter turn about z through (1, 0, 0) */
    CHECK_TEXT(tooth->name, "tooth1");
    CHECK_V3(tooth->position, 1, 2, 5);
    CHECK_V3(tooth->velocity, 0, 1, 0);
    CHECK_NEAR(tooth->orientation.z, sqrt(0.5), 1e-15);
    CHECK_V3(carom_spec_joint(spec, 1)->attachment.at, 1, 2, 5);
    CHECK_V3(carom_spec_joint(spec, 1)->attachment.axis, 0, 1, 0);
    carom_spec_destroy(spec);
}

TEST(repeat, circle_by_step_and_by_angle)
{
    carom_spec *spec = scene_read(SCENE("\"units\": {\"angle\": \"deg\"}, \"bodies\": ["
                                        "{\"repeat\": {\"count\": 3, \"circle\": {\"step\": 90}}, \"name\": \"a\", "
                                        "\"mass\": 1, \"position\": [1, 0, 0]},"
                                        "{\"repeat\": {\"count\": 2, \"circle\": {\"angle\": 180}}, \"name\": \"b\", "
                                        "\"mass\": 1, \"position\": [1, 0, 0]}]"));
    CHECK_V3(carom_spec_body(spec, 2)->position, -1, 0, 0);
    CHECK_V3(carom_spec_body(spec, 4)->position, 0, 1, 0);
    carom_spec_destroy(spec);
}

TEST(repeat, a_hundred_thousand_bodies_in_linear_time)
{
    carom_spec *spec = scene_read(
        SCENE("\"bodies\": [{\"repeat\": {\"count\": 100000, \"line\": [1, 0, 0]}, \"name\": \"b\", \"mass\": 1}]"));
    CHECK_EQ(carom_spec_body_count(spec), 100000);
    CHECK_TEXT(carom_spec_body(spec, 99999)->name, "b[99999]");
    carom_spec_destroy(spec);
}

/* ---- includes ------------------------------------------------------------------------------------------------ */

static carom_status load(const char *file, carom_spec **spec, carom_error *err)
{
    return carom_scene_load(file, NULL, 0, spec, err);
}

static void write_arm(void)
{
    mkdir("parts", 0700);
    scene_write_file(
        "parts/arm.json",
        "{\"carom\": 1, \"units\": {\"length\": \"mm\"}, \"variables\": {\"L\": 100, \"half\": \"$L/2\"},\n"
        " \"time\": {\"end\": 77}, \"gravity\": [1, 1, 1],\n"
        " \"bodies\": [{\"name\": \"upper\", \"mass\": 1, \"position\": [\"$half\", 0, 0]},\n"
        "   {\"name\": \"lower\", \"mass\": 1, \"position\": [\"$L\", 0, 0]}],\n"
        " \"joints\": [{\"name\": \"shoulder\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"upper\"], "
        "\"axis\": [1, 0, 0]},\n"
        "   {\"name\": \"elbow\", \"type\": \"revolute\", \"bodies\": [\"upper\", \"lower\"], \"at\": "
        "[\"$L\", 0, 0], \"frame_a\": {\"position\": [1, 0, 0]}}],\n"
        " \"forces\": [{\"name\": \"push\", \"type\": \"load\", \"body\": \"lower\", \"force\": "
        "[\"-2*lower.velocity.x"
        " + elbow.angle + 1e3*t + base.position.x\", 0, 0]},\n"
        "   {\"name\": \"drive\", \"type\": \"motor\", \"joint\": \"elbow\", \"target\": 1}]}");
}

TEST(include, prefix_pose_units_and_variables)
{
    write_arm();
    scene_write_file(
        "two_arms.json",
        "{\"carom\": 1, \"variables\": {\"long\": 200}, \"bodies\": [{\"name\": \"base\", \"mass\": 1}],\n"
        " \"include\": [{\"file\": \"parts/arm.json\", \"prefix\": \"left.\", \"position\": [1, 0, 0],\n"
        "   \"orientation\": {\"axis\": [0, 0, 1], \"angle\": \"pi/2\"}, \"variables\": {\"L\": \"$long\"}},\n"
        "   {\"file\": \"parts/arm.json\", \"prefix\": \"right.\"}]}");
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(load("two_arms.json", &spec, &err), err);
    CHECK_EQ(carom_spec_body_count(spec), 5);
    CHECK_TEXT(carom_spec_body(spec, 0)->name, "left.upper");
    CHECK_V3(carom_spec_body(spec, 0)->position, 1, 0.1, 0);
    CHECK_V3(carom_spec_body(spec, 2)->position, 0.05, 0, 0);
    const carom_joint_def *shoulder = carom_spec_joint(spec, 0);
    CHECK_TEXT(shoulder->attachment.bodies[0], "ground");
    CHECK_TEXT(shoulder->attachment.bodies[1], "left.upper");
    CHECK_V3(shoulder->attachment.at, 1, 0, 0);
    CHECK_V3(shoulder->attachment.axis, 0, 1, 0);
    const carom_joint_def *elbow = carom_spec_joint(spec, 1);
    CHECK_V3(elbow->attachment.at, 1, 0.2, 0);
    CHECK_V3(elbow->attachment.frame_a.position, 1e-3, 0, 0); /* in body axes: stays */
    CHECK_TEXT(carom_spec_force(spec, 1)->joint, "left.elbow");
    CHECK_NEAR(carom_spec_scene(spec)->time.end, 1.0, 0.0);
    CHECK_NEAR(carom_spec_scene(spec)->gravity.x, 0.0, 0.0);
    CHECK_TEXT(carom_spec_joint_origin(spec, 1)->file, "parts/arm.json");
    CHECK_EQ(carom_spec_joint_origin(spec, 1)->line, 6);
    CHECK_TEXT(carom_spec_joint_origin(spec, 1)->path, "joints[1]");
    carom_spec_destroy(spec);
}

TEST(include, signals_in_expressions_get_the_prefix)
{
    write_arm();
    scene_write_file("one_arm.json",
                     "{\"carom\": 1, \"bodies\": [{\"name\": \"base\", \"mass\": 1}], \"include\": {\"file\": "
                     "\"parts/arm.json\", \"prefix\": \"a.\"}}");
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(load("one_arm.json", &spec, &err), err);
    const carom_load_def *push = carom_spec_force(spec, 0)->force.params;
    CHECK_TEXT(push->force[0].expression, "-2*a.lower.velocity.x + a.elbow.angle + 1e3*t + base.position.x");
    carom_spec_destroy(spec);
}

TEST(include, world_loads_turn_with_the_pose)
{
    write_arm();
    scene_write_file("turned.json",
                     "{\"carom\": 1, \"bodies\": [{\"name\": \"base\", \"mass\": 1}], \"include\": {\"file\": "
                     "\"parts/arm.json\", \"orientation\": {\"axis\": [0, 0, 1], \"angle\": \"pi/2\"}}}");
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(load("turned.json", &spec, &err), err);
    const carom_load_def *push = carom_spec_force(spec, 0)->force.params;
    CHECK_EQ(push->force[0].kind, CAROM_NUMBER);
    CHECK_EQ(push->force[1].kind, CAROM_EXPRESSION);
    CHECK_CONTAINS(push->force[1].expression, "lower.velocity.x");
    carom_spec_destroy(spec);
}

TEST(include, nested_prefixes_and_bare_names)
{
    scene_write_file("leaf.json",
                     "{\"carom\": 1, \"bodies\": [{\"name\": \"x\", \"mass\": 1}, {\"name\": \"y\", \"mass\": 1}],"
                     "\"joints\": [{\"name\": \"j\", \"type\": \"fixed\", \"bodies\": [\"x\", \"y\"]}]}");
    scene_write_file("mid.json",
                     "{\"carom\": 1, \"include\": [{\"file\": \"leaf.json\", \"prefix\": \"in.\"}],"
                     "\"joints\": [{\"name\": \"k\", \"type\": \"fixed\", \"bodies\": [\"ground\", \"in.x\"]}]}");
    scene_write_file("top.json",
                     "{\"carom\": 1, \"include\": [\"leaf.json\", {\"file\": \"mid.json\", \"prefix\": \"m.\"}]}");
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(load("top.json", &spec, &err), err);
    CHECK_EQ(carom_spec_body_count(spec), 4);
    CHECK_TEXT(carom_spec_body(spec, 0)->name, "x");
    CHECK_TEXT(carom_spec_body(spec, 2)->name, "m.in.x");
    CHECK_TEXT(carom_spec_joint(spec, 1)->attachment.bodies[0], "m.in.x");
    CHECK_TEXT(carom_spec_joint(spec, 2)->name, "m.k");
    CHECK_TEXT(carom_spec_joint(spec, 2)->attachment.bodies[1], "m.in.x");
    carom_spec_destroy(spec);
}

TEST(include, problems_name_the_place)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    scene_write_file("self.json", "{\"carom\": 1,\n \"include\": [\"self.json\"]}");
    CHECK_EQ(load("self.json", &spec, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "in a circle: self.json -> self.json");
    scene_write_file("lost.json", "{\"carom\": 1,\n \"include\": [\n  \"nowhere.json\"]}");
    CHECK_EQ(load("lost.json", &spec, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "'nowhere.json' cannot be opened: No such file");
    CHECK_TEXT(err.file, "lost.json");
    CHECK_EQ(err.line, 3);
    scene_write_file("part.json", "{\"carom\": 1,\n \"bodies\": [\n  {\"name\": \"a\", \"mass\": -1}]}");
    scene_write_file("whole.json", "{\"carom\": 1, \"include\": [\"part.json\"]}");
    CHECK_EQ(load("whole.json", &spec, &err), CAROM_BAD_INPUT);
    CHECK_TEXT(err.file, "part.json");
    CHECK_EQ(err.line, 3);
    CHECK_TEXT(err.path, "bodies[0].mass");
    scene_write_file("typo.json", "{\"carom\": 1, \"bodis\": []}");
    scene_write_file("whole.json", "{\"carom\": 1, \"include\": [\"typo.json\"]}");
    CHECK_EQ(load("whole.json", &spec, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "unknown key 'bodis'");
}

/* Each file includes the next twice: 2^n files must be refused, not read. */
TEST(include, explosion_is_refused)
{
    char name[32], text[200];
    for (int i = 0; i < 14; ++i) {
        snprintf(name, sizeof name, "bomb%d.json", i);
        snprintf(text, sizeof text, "{\"carom\": 1, \"include\": [\"bomb%d.json\", \"bomb%d.json\"]}", i + 1, i + 1);
        scene_write_file(name, text);
    }
    scene_write_file("bomb14.json", SCENE(ONE_BODY));
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_EQ(load("bomb0.json", &spec, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "more than 1000 files");
}

/* ---- overrides ----------------------------------------------------------------------------------------------- */

#define TWO_BODIES                                                                    \
    SCENE("\"variables\": {\"L\": 2}, \"bodies\": [{\"name\": \"rod\", \"mass\": 1}," \
          "{\"name\": \"rod.tip\", \"mass\": \"$L\"}]")

static double mass_after(const char *override, size_t body)
{
    carom_spec *spec = scene_read_set(TWO_BODIES, override);
    double mass = carom_spec_body(spec, body)->mass;
    carom_spec_destroy(spec);
    return mass;
}

TEST(override, by_name_index_and_variable)
{
    CHECK_NEAR(mass_after("bodies.rod.mass=5", 0), 5.0, 0.0);
    CHECK_NEAR(mass_after("bodies[0].mass=6", 0), 6.0, 0.0);
    CHECK_NEAR(mass_after("bodies.rod.tip.mass=7", 1), 7.0, 0.0);
    CHECK_NEAR(mass_after("variables.L=0.5", 1), 0.5, 0.0);
    CHECK_NEAR(mass_after("bodies.rod.mass=$L*4", 0), 8.0, 0.0);
}

TEST(override, makes_what_is_missing)
{
    carom_spec *spec = scene_read_set(TWO_BODIES, "time.end=2");
    CHECK_NEAR(carom_spec_scene(spec)->time.end, 2.0, 0.0);
    carom_spec_destroy(spec);
    spec = scene_read_set(TWO_BODIES, "contact.method=none");
    CHECK_TEXT(carom_spec_scene(spec)->contact.method.kind, "none");
    carom_spec_destroy(spec);
    spec = scene_read_set(TWO_BODIES, "gravity=[0,0,-1]");
    CHECK_V3(carom_spec_scene(spec)->gravity, 0, 0, -1);
    carom_spec_destroy(spec);
}

TEST(override, null_takes_a_value_out)
{
    const char *scene =
        SCENE("\"gravity\": [0, 0, -1], \"time\": {\"end\": 7}, \"bodies\": [{\"name\": \"rod\", \"mass\": 1}]");
    carom_spec *spec = scene_read_set(scene, "gravity=null");
    CHECK_V3(carom_spec_scene(spec)->gravity, 0, 0, 0);
    CHECK_NEAR(carom_spec_scene(spec)->time.end, 7.0, 0.0);
    carom_spec_destroy(spec);
    spec = scene_read_set(scene, "time.end=null");
    CHECK_NEAR(carom_spec_scene(spec)->time.end, carom_scene_def_default().time.end, 0.0);
    carom_spec_destroy(spec);
}

TEST(override, problems_mention_set)
{
    const char *const cases[][2] = {
        { "bodies.rood.mass=2", "there is no 'rood' in 'bodies' (did you mean 'rod'?)" },
        { "bodies[7].mass=2", "'bodies' has 2 entries" },
        { "bodies[-1].mass=2", "counts from the front" },
        { "bodies[ 1].mass=2", "counts from the front" },
        { "bodies[x].mass=2", "an index is written" },
        { "time.end", "path=value" },
        { "=3", "the path is written like" },
        { "bodies.rod.mass.x=3", "'bodies[0].mass' is a number" },
        { "bodies.rod.mass=-3", "must be positive (from --set bodies.rod.mass=-3)" },
        { "bodies.rod.mas=3", "unknown key 'mas' (did you mean 'mass'?)" },
        { "tme.end=3", "unknown key 'tme' (did you mean 'time'?)" },
        { "bodies.rod.color=null", "there is nothing to take out: no bodies[0].color" },
        { "tme.end=null", "there is nothing to take out: no tme" },
        { "bodies[0]=null", "found null" },
        { "bodies.rod.mass=\xff", "valid UTF-8" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        carom_error err = scene_refuse_set(TWO_BODIES, cases[i][0]);
        CHECK_CONTAINS(err.message, cases[i][1]);
        CHECK_CONTAINS(err.message, "--set ");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(variables, in_numbers_and_expressions),
        RUN_TEST(variables, long_chains_are_refused_not_overrun),
        RUN_TEST(repeat, chain_along_a_line),
        RUN_TEST(repeat, circle_turns_positions_axes_and_velocities),
        RUN_TEST(repeat, circle_by_step_and_by_angle),
        RUN_TEST(repeat, a_hundred_thousand_bodies_in_linear_time),
        RUN_TEST(include, prefix_pose_units_and_variables),
        RUN_TEST(include, signals_in_expressions_get_the_prefix),
        RUN_TEST(include, world_loads_turn_with_the_pose),
        RUN_TEST(include, nested_prefixes_and_bare_names),
        RUN_TEST(include, problems_name_the_place),
        RUN_TEST(include, explosion_is_refused),
        RUN_TEST(override, by_name_index_and_variable),
        RUN_TEST(override, makes_what_is_missing),
        RUN_TEST(override, null_takes_a_value_out),
        RUN_TEST(override, problems_mention_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
