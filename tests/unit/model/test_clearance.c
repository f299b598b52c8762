/* Joints with clearance and friction: what is compiled, which names rules may use, what is refused. */
#include "support/contact_scene.h"

#include "model/model.h"

#define LAW "\"law\": {\"linear\": {\"k\": 1e6}}"
#define COMPLIANT "{\"method\": \"compliant\", " LAW "}"

/* A wheel on the ground, joined as said. */
static contact_scene wheel(const char *name, const char *joint, const char *contact, char *room, size_t size)
{
    snprintf(room, size,
             ", \"joints\": [{\"name\": \"%s\", \"bodies\": [\"ground\", \"wheel\"], \"at\": [0, 0, 0],"
             " \"axis\": [0, 0, 1], \"x_axis\": [1, 0, 0], %s}]",
             name, joint);
    return (contact_scene){ .contact = contact,
                            .time = "\"end\": 1",
                            .more = room,
                            .body_count = 1,
                            .bodies = { { .name = "wheel",
                                          .shape = "{\"cylinder\": {\"radius\": 0.1, \"length\": 0.02}}",
                                          .more = "\"mass\": 1, \"material\": \"steel\"," } } };
}

static carom_model *compile_named(const char *name, const char *joint, const char *contact)
{
    char room[1024];
    carom_model *model = NULL;
    carom_error err = { 0 };
    contact_scene c = wheel(name, joint, contact, room, sizeof room);
    CHECK_OK(scene_compile(&c, &model, &err), err);
    return model;
}

static carom_model *compile(const char *joint, const char *contact)
{
    return compile_named("pin", joint, contact);
}

static void check_refused(const char *joint, const char *contact, const char *because)
{
    char room[1024];
    carom_model *model = NULL;
    carom_error err = { 0 };
    contact_scene c = wheel("pin", joint, contact, room, sizeof room);
    CHECK_EQ(scene_compile(&c, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, because);
    CHECK(model == NULL);
}

TEST(clearance, keeps_the_angle_and_adds_where_the_journal_is)
{
    carom_model *model = compile("\"type\": \"revolute\", \"clearance\": 5e-4, \"motion\": {\"value\": \"t\"},"
                                 " \"spring\": {\"stiffness\": 1}",
                                 COMPLIANT);
    const model_joint *j = &model->joints[0];
    CHECK_NEAR(j->clearance, 5e-4, 0.0);
    CHECK_EQ(j->type->equation_count, 3);
    CHECK_EQ(model->row_count, 4);
    CHECK_EQ(model->coordinate_count, 3);
    CHECK_EQ(j->springs[0].coordinate, 0);
    CHECK_EQ(j->drivers[0].coordinate, 0);
    CHECK(j->interaction && j->interaction->law);
    signal_ref ref;
    carom_error err = { 0 };
    CHECK_OK(model_find_signal(model, "pin.angle", -1, &ref, &err), err);
    CHECK_OK(model_find_signal(model, "pin.x", -1, &ref, &err), err);
    CHECK_OK(model_find_signal(model, "pin.y", -1, &ref, &err), err);
    carom_model_destroy(model);
}

TEST(clearance, of_zero_is_none)
{
    carom_model *model = compile("\"type\": \"revolute\", \"clearance\": 0", "{\"method\": \"none\"}");
    CHECK_EQ(model->joints[0].type->equation_count, 5);
    CHECK(!model->joints[0].interaction);
    carom_model_destroy(model);
}

TEST(clearance, takes_sizes_from_friction_unless_it_has_its_own)
{
    carom_model *model = compile("\"type\": \"prismatic\", \"clearance\": {\"play\": 1e-3, \"length\": 0.2},"
                                 " \"friction\": {\"coefficient\": 0.1, \"radius\": 0.03, \"length\": 0.4}",
                                 COMPLIANT);
    const model_joint *j = &model->joints[0];
    CHECK_NEAR(j->bearing_radius, 0.03, 0.0);
    CHECK_NEAR(j->guide_length, 0.2, 0.0);
    CHECK_NEAR(j->interaction->mu, 0.1, 0.0); /* the joint's own friction */
    CHECK(j->interaction->friction && j->interaction->friction->force);
    carom_model_destroy(model);
}

TEST(clearance, follows_rules_for_its_joint_bodies_and_materials)
{
#define RULES(one, other)                                                                                          \
    "{\"method\": \"compliant\", " LAW ", \"friction\": {\"coulomb\": {\"mu\": 0.1, \"v_e\": 0.01}}, \"pairs\": [" \
    "{\"between\": [\"" one "\", \"" other "\"], \"friction\": {\"coulomb\": {\"mu\": 0.7}},"                      \
    " \"restitution_law\": \"newton\"}]}"
    static const char *const rules[] = { RULES("pin", "pin"), RULES("pin", "*"), RULES("ground", "wheel"),
                                         RULES("steel", "ground") };
    for (int k = 0; k < 4; ++k) {
        carom_model *model = compile("\"type\": \"revolute\", \"clearance\": 5e-4", rules[k]);
        CHECK_NEAR(model->joints[0].interaction->mu, 0.7, 0.0);
        CHECK_EQ(model->joints[0].interaction->restitution_law, CAROM_RESTITUTION_NEWTON);
        carom_model_destroy(model);
    }
    carom_model *model = compile("\"type\": \"revolute\", \"clearance\": 5e-4", RULES("wheel", "steel"));
    CHECK_NEAR(model->joints[0].interaction->mu, 0.1, 0.0);
    carom_model_destroy(model);
    check_refused("\"type\": \"revolute\", \"clearance\": 5e-4", RULES("pint", "wheel"), "pint");
    check_refused("\"type\": \"revolute\"", RULES("pin", "wheel"), "pin");
#undef RULES
}

TEST(clearance, is_refused_where_it_cannot_be)
{
    check_refused("\"type\": \"revolute\", \"clearance\": 5e-4", "{\"method\": \"none\"}",
                  "joint 'pin' has a clearance, which method 'none' ignores; take 'impact' or 'compliant'");
    check_refused("\"type\": \"spherical\", \"clearance\": 5e-4", COMPLIANT, "a spherical joint cannot have");
    check_refused("\"type\": \"prismatic\", \"clearance\": 5e-4", COMPLIANT, "length");
    check_refused("\"type\": \"revolute\", \"clearance\": -5e-4", COMPLIANT, "negative");
    check_refused("\"type\": \"revolute\", \"clearance\": 5e-4", "{\"method\": \"compliant\"}", "contact.law");
    check_refused("\"type\": \"revolute\", \"clearance\": 5e-4, \"at_b\": [0.1, 0, 0]", COMPLIANT,
                  "outside its clearance");
    check_refused("\"type\": \"revolute\", \"clearance\": 5e-4, \"motion\": {\"coordinate\": \"x\", \"value\": 0}",
                  COMPLIANT, "x");
}

/* Where friction acts it must be possible; elsewhere it is data for another method. */
TEST(friction, is_refused_where_it_cannot_be)
{
    static const char *const impact = "{\"method\": \"impact\"}";
    static const char *const none = "{\"method\": \"none\"}";
    static const char *const bad[][2] = {
        { "\"type\": \"revolute\", \"friction\": {\"coefficient\": 0.1}", "radius" },
        { "\"type\": \"spherical\", \"friction\": {\"coefficient\": 0.1}", "radius" },
        { "\"type\": \"cylindrical\", \"friction\": {\"coefficient\": 0.1}", "radius" },
        { "\"type\": \"screw\", \"pitch\": 0.01, \"friction\": {\"coefficient\": 0.1}", "radius" },
        { "\"type\": \"planar\", \"friction\": {\"coefficient\": 0.1, \"radius\": 0.1}", "has no friction" },
    };
    for (int k = 0; k < 5; ++k) {
        check_refused(bad[k][0], impact, bad[k][1]);
        carom_model_destroy(compile(bad[k][0], none));
    }
    carom_model_destroy(compile("\"type\": \"prismatic\", \"friction\": {\"coefficient\": 0.1}", impact));
    carom_model_destroy(compile("\"type\": \"revolute\", \"friction\": {\"coefficient\": 0}", impact));
}

/* All differ in something that decides results. */
TEST(clearance, counts_for_the_hash)
{
    static const char *const joints[] = {
        "\"type\": \"revolute\"",
        "\"type\": \"revolute\", \"clearance\": 5e-4",
        "\"type\": \"revolute\", \"clearance\": 6e-4",
        "\"type\": \"revolute\", \"clearance\": {\"play\": 5e-4, \"radius\": 0.01}",
        "\"type\": \"prismatic\", \"clearance\": {\"play\": 5e-4, \"length\": 0.1}",
        "\"type\": \"prismatic\", \"clearance\": {\"play\": 5e-4, \"length\": 0.2}",
        "\"type\": \"revolute\", \"friction\": {\"coefficient\": 0.1}",
        "\"type\": \"revolute\", \"friction\": {\"coefficient\": 0.1, \"radius\": 0.1}",
        "\"type\": \"revolute\", \"friction\": {\"coefficient\": 0.1, \"length\": 0.1}",
    };
    enum { COUNT = sizeof joints / sizeof joints[0] };
    uint64_t hash[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        carom_model *model = compile(joints[i], COMPLIANT);
        hash[i] = model->hash;
        carom_model_destroy(model);
        for (int k = 0; k < i; ++k) {
            CHECK(hash[i] != hash[k]);
        }
    }
}

/* Rules of contact go by the name of a joint with clearance: a checkpoint must not fit one that is called otherwise. */
TEST(clearance, makes_the_name_count_for_the_hash)
{
    static const char *const names[] = { "pin", "bolt" };
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i) {
        carom_model *model = compile_named(names[i], "\"type\": \"revolute\", \"clearance\": 5e-4", COMPLIANT);
        hash[i] = model->hash;
        carom_model_destroy(model);
    }
    CHECK(hash[0] != hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(clearance, keeps_the_angle_and_adds_where_the_journal_is),
        RUN_TEST(clearance, of_zero_is_none),
        RUN_TEST(clearance, takes_sizes_from_friction_unless_it_has_its_own),
        RUN_TEST(clearance, follows_rules_for_its_joint_bodies_and_materials),
        RUN_TEST(clearance, is_refused_where_it_cannot_be),
        RUN_TEST(friction, is_refused_where_it_cannot_be),
        RUN_TEST(clearance, counts_for_the_hash),
        RUN_TEST(clearance, makes_the_name_count_for_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
