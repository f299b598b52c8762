/* Compiling the contact section: which pairs touch and by which laws, what is refused, what colliders share, and that
 * every setting counts for the model's hash, so that a checkpoint fits no other contact. */
#include "support/contact_scene.h"

#include "model/method.h"
#include "model/model.h"

#define LAW "\"law\": {\"linear\": {\"k\": 1e6}}"

/* A floor of stone, two balls of steel, one of them large, a box without material, a body without shape. */
static contact_scene workshop(const char *contact)
{
    return (contact_scene){ .contact = contact,
                            .time = "\"end\": 1",
                            .body_count = 5,
                            .bodies = { { .name = "floor",
                                          .shape = "{\"box\": [2, 2, 0.1]}",
                                          .more = "\"material\": \"stone\", \"fixed\": true,",
                                          .position = { 0, 0, -0.05 } },
                                        { .name = "ball.small",
                                          .shape = "{\"sphere\": 0.1}",
                                          .more = "\"material\": \"steel\", \"mass\": 1,",
                                          .position = { 0, 0, 0.1 } },
                                        { .name = "ball.large",
                                          .shape = "{\"sphere\": 0.2}",
                                          .more = "\"material\": \"steel\", \"mass\": 1,",
                                          .position = { 1, 0, 0.2 } },
                                        { .name = "box",
                                          .shape = "{\"box\": [0.2, 0.2, 0.2]}",
                                          .more = "\"mass\": 1,",
                                          .position = { 0, 1, 0.1 } },
                                        { .name = "wall",
                                          .shape = "{\"plane\": [1, 0, 0]}",
                                          .more = "\"fixed\": true,",
                                          .position = { -1, 0, 0 } } } };
}

static carom_model *compile_scene(const contact_scene *c)
{
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_OK(scene_compile(c, &model, &err), err);
    return model;
}

static carom_model *compile(const char *contact)
{
    contact_scene c = workshop(contact);
    return compile_scene(&c);
}

static void check_refused(const char *contact, const char *because)
{
    carom_model *model = NULL;
    carom_error err = { 0 };
    contact_scene c = workshop(contact);
    CHECK_EQ(scene_compile(&c, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, because);
    CHECK(model == NULL);
}

/* The collider of the only shape of a body. */
static int collider_of(const carom_model *model, const char *body)
{
    for (int i = 0; i < model->collider_count; ++i) {
        if (strcmp(model->bodies[model->colliders[i].body].name, body) == 0) {
            return i;
        }
    }
    return -1;
}

static const model_interaction *between(const carom_model *model, const char *one, const char *other)
{
    int a = collider_of(model, one);
    int b = collider_of(model, other);
    CHECK(a >= 0 && b >= 0);
    return a < b ? model_interaction_of(model, a, b) : model_interaction_of(model, b, a);
}

static double stiffness(const carom_model *model, const char *one, const char *other)
{
    const model_interaction *i = between(model, one, other);
    CHECK(i && i->law);
    CHECK_TEXT(i->law->kind.name, "linear");
    const carom_linear_law_def *law = i->law_params;
    return law->k;
}

/* ---- rules for pairs ----------------------------------------------------------------------------------------------- */

TEST(pairs, nothing_said_is_the_same_for_all)
{
    carom_model *model = compile("{\"method\": \"compliant\", " LAW "}");
    CHECK_EQ(model->collider_count, 5);
    CHECK_EQ(model->group_count, 1);
    CHECK(stiffness(model, "ball.small", "floor") == 1e6);
    CHECK(stiffness(model, "ball.small", "ball.large") == 1e6);
    const model_interaction *i = between(model, "box", "floor");
    CHECK(i->restitution == 1.0);
    CHECK(!i->friction && !i->per_area && i->points[0] && i->points[1]);
    CHECK(between(model, "wall", "floor") == NULL); /* neither can move */
    carom_model_destroy(model);
}

TEST(pairs, names_materials_and_wildcards)
{
    carom_model *model = compile("{\"method\": \"compliant\", " LAW ", \"pairs\": ["
                                 " {\"between\": [\"steel\", \"stone\"], \"law\": {\"linear\": {\"k\": 2e6}}},"
                                 " {\"between\": [\"box\", \"ball.*\"], \"law\": {\"linear\": {\"k\": 3e6}}},"
                                 " {\"between\": [\"wall\", \"*\"], \"law\": {\"linear\": {\"k\": 4e6}}},"
                                 " {\"between\": [\"steel\", \"steel\"], \"law\": {\"linear\": {\"k\": 5e6}}}]}");
    CHECK(stiffness(model, "ball.small", "floor") == 2e6);
    CHECK(stiffness(model, "ball.large", "floor") == 2e6);
    CHECK(stiffness(model, "box", "floor") == 1e6);
    CHECK(stiffness(model, "box", "ball.small") == 3e6);
    CHECK(stiffness(model, "box", "ball.large") == 3e6);
    CHECK(stiffness(model, "wall", "box") == 4e6);
    CHECK(stiffness(model, "wall", "ball.large") == 4e6);
    CHECK(stiffness(model, "ball.small", "ball.large") == 5e6);
    CHECK_EQ(model->group_count, 4); /* floor, both balls, box, wall */
    carom_model_destroy(model);
}

TEST(pairs, the_last_rule_wins_and_leaves_what_it_does_not_say)
{
    carom_model *model = compile("{\"method\": \"compliant\", \"law\": {\"lee-wang\": {\"k\": 1e6, \"n\": 1.5}}, "
                                 "\"restitution\": 0.9, \"friction\": {\"coulomb\": {\"mu\": 0.1}},"
                                 " \"pairs\": ["
                                 " {\"between\": [\"*\", \"stone\"], \"restitution\": 0.5, \"per\": \"area\"},"
                                 " {\"between\": [\"ball.small\", \"floor\"], \"law\": {\"flores\": {\"k\": 7e6, "
                                 "\"n\": 1.5}}, \"friction\": \"none\"},"
                                 " {\"between\": [\"box\", \"floor\"], \"restitution\": 0.2, \"per\": \"point\"}]}");
    const model_interaction *small = between(model, "ball.small", "floor");
    const model_interaction *large = between(model, "ball.large", "floor");
    const model_interaction *box = between(model, "box", "floor");
    const model_interaction *other = between(model, "box", "ball.small");
    CHECK(small->restitution == 0.5 && small->per_area);
    CHECK_TEXT(small->law->kind.name, "flores");
    CHECK(((const carom_hysteretic_law_def *)small->law_params)->elastic.k == 7e6);
    CHECK_TEXT(large->law->kind.name, "lee-wang");
    CHECK(!small->friction || strcmp(small->friction->kind.name, "none") == 0);
    CHECK(large->restitution == 0.5 && large->per_area && large->friction);
    CHECK_TEXT(large->friction->kind.name, "coulomb");
    CHECK(((const carom_coulomb_friction_def *)large->friction_params)->mu == 0.1);
    CHECK(box->restitution == 0.2 && !box->per_area);
    CHECK(other->restitution == 0.9 && !other->per_area);
    carom_model_destroy(model);
}

TEST(pairs, may_pass_through_each_other)
{
    carom_model *model = compile("{\"method\": \"compliant\", " LAW ", \"pairs\": ["
                                 " {\"between\": [\"steel\", \"*\"], \"ignore\": true},"
                                 " {\"between\": [\"ball.large\", \"floor\"]}]}");
    CHECK(between(model, "ball.small", "floor") == NULL);
    CHECK(between(model, "ball.small", "ball.large") == NULL);
    CHECK(between(model, "ball.large", "floor") != NULL); /* a later rule takes it back */
    CHECK(between(model, "box", "floor") != NULL);
    carom_model_destroy(model);
}

TEST(pairs, first_and_second_are_those_of_the_rule)
{
    carom_model *model = compile("{\"method\": \"compliant\", " LAW ", \"points\": \"second\", \"pairs\": ["
                                 " {\"between\": [\"box\", \"floor\"], \"points\": \"first\"},"
                                 " {\"between\": [\"floor\", \"ball.small\"], \"points\": \"first\"},"
                                 " {\"between\": [\"box\", \"ball.*\"], \"points\": \"both\"}]}");
    const model_interaction *box = between(model, "box", "floor"); /* floor stands before box in the scene */
    CHECK(!box->points[0] && box->points[1]);
    const model_interaction *floor = between(model, "floor", "ball.small");
    CHECK(floor->points[0] && !floor->points[1]);
    const model_interaction *both = between(model, "box", "ball.small");
    CHECK(both->points[0] && both->points[1]);
    const model_interaction *rest = between(model, "floor", "ball.large");
    CHECK(!rest->points[0] && rest->points[1]);
    carom_model_destroy(model);
}

TEST(pairs, names_that_fit_nothing_are_refused)
{
    check_refused("{\"method\": \"compliant\", " LAW ", \"pairs\": [{\"between\": [\"floor\", \"bal\"]}]}", "'bal'");
    check_refused("{\"method\": \"compliant\", " LAW ", \"pairs\": [{\"between\": [\"x*\", \"box\"]}]}", "'x*'");
    check_refused("{\"method\": \"compliant\", " LAW ", \"pairs\": [{\"between\": [\"floor\", \"\"]}]}", "pairs[0]");
}

TEST(pairs, are_of_two)
{
    check_refused("{\"method\": \"compliant\", " LAW ", \"pairs\": [{\"between\": [\"box\"]}]}",
                  "it must have 2 texts");
    check_refused("{\"method\": \"compliant\", " LAW ", \"pairs\": [{\"between\": []}]}", "it must have 2 texts");
    check_refused("{\"method\": \"compliant\", " LAW ", \"pairs\": [{\"between\": [\"box\", \"box\", \"box\"]}]}",
                  "it must have 2 texts");
}

TEST(pairs, say_what_impacts_do)
{
    carom_model *model = compile("{\"method\": \"compliant\", " LAW ", \"restitution_law\": \"poisson\","
                                 " \"friction\": {\"smooth\": {\"mu_s\": 0.3, \"mu_d\": 0.2}}, \"pairs\": ["
                                 " {\"between\": [\"box\", \"stone\"], \"impulse\": 0.7,"
                                 "  \"friction\": {\"coulomb\": {\"mu\": 0.4}}},"
                                 " {\"between\": [\"steel\", \"floor\"], \"restitution_law\": \"newton\","
                                 "  \"friction\": {\"lugre\": {\"mu_s\": 0.6, \"mu_d\": 0.5}}},"
                                 " {\"between\": [\"ball.small\", \"ball.large\"], \"friction\": \"none\"}]}");
    const model_interaction *plain = between(model, "box", "ball.small");
    CHECK_EQ(plain->restitution_law, CAROM_RESTITUTION_POISSON);
    CHECK(isnan(plain->impulse));
    CHECK_NEAR(plain->mu, 0.2, 0.0);
    const model_interaction *given = between(model, "box", "floor");
    CHECK_EQ(given->restitution_law, CAROM_RESTITUTION_POISSON);
    CHECK_NEAR(given->impulse, 0.7, 0.0);
    CHECK_NEAR(given->mu, 0.4, 0.0);
    CHECK_EQ(between(model, "ball.large", "floor")->restitution_law, CAROM_RESTITUTION_NEWTON);
    CHECK_NEAR(between(model, "ball.large", "floor")->mu, 0.5, 0.0);
    CHECK_NEAR(between(model, "ball.large", "ball.small")->mu, 0.0, 0.0);
    carom_model_destroy(model);
    model = compile("{\"method\": \"compliant\", " LAW "}");
    CHECK_EQ(between(model, "box", "floor")->restitution_law, CAROM_RESTITUTION_ENERGETIC);
    CHECK_NEAR(between(model, "box", "floor")->mu, 0.0, 0.0);
    carom_model_destroy(model);
    model = compile("{\"method\": \"compliant\", " LAW ", \"impulse\": 0.7, \"pairs\": ["
                    " {\"between\": [\"box\", \"floor\"], \"impulse\": 0}]}"); /* back to the restitution */
    CHECK_NEAR(between(model, "box", "ball.small")->impulse, 0.7, 0.0);
    CHECK(isnan(between(model, "box", "floor")->impulse));
    carom_model_destroy(model);
    check_refused("{\"method\": \"compliant\", " LAW ", \"restitution_law\": \"stronge\"}", "energetic");
    check_refused("{\"method\": \"compliant\", " LAW ", \"impulse\": -1}", "negative");
}

/* ---- what a method needs -------------------------------------------------------------------------------------------- */

TEST(laws, are_needed_where_surfaces_may_meet)
{
    check_refused("{\"method\": \"compliant\"}", "contact.law is missing");
    check_refused("{\"method\": \"compliant\", \"pairs\": [{\"between\": [\"steel\", \"stone\"], " LAW "}]}",
                  "contact.law is missing");
    carom_model *model = compile("{\"method\": \"compliant\", \"pairs\": [{\"between\": [\"*\", \"*\"], " LAW "}]}");
    carom_model_destroy(model);
    model = compile("{\"method\": \"compliant\", \"pairs\": [{\"between\": [\"*\", \"*\"], \"ignore\": true},"
                    " {\"between\": [\"box\", \"floor\"], " LAW "}]}");
    CHECK(between(model, "box", "floor") != NULL);
    carom_model_destroy(model);
    model = compile("{\"method\": \"none\"}");
    CHECK_EQ(model->collider_count, 0);
    carom_model_destroy(model);
}

TEST(laws, numbers_out_of_range_are_refused)
{
    check_refused("{\"method\": \"compliant\", " LAW ", \"restitution\": 1.5}", "between 0 and 1");
    check_refused("{\"method\": \"compliant\", " LAW ", \"restitution\": -0.5}", "negative");
    check_refused("{\"method\": \"compliant\", " LAW ", \"pairs\": [{\"between\": [\"box\", \"floor\"],"
                  " \"restitution\": 1.01}]}",
                  "between 0 and 1");
    check_refused("{\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": -1}}}", "positive");
    check_refused("{\"method\": \"compliant\", \"law\": {\"linear\": {}}}", "k");
    check_refused("{\"method\": \"compliant\", " LAW ", \"friction\": {\"smooth\": {\"v_s\": 1, \"v_d\": 0.5}}}",
                  "v_d");
    check_refused("{\"method\": \"compliant\", " LAW ", \"approach\": 2}", "approach");
    check_refused("{\"method\": \"compliant\", " LAW ", \"resolution\": 0}", "positive");
    check_refused("{\"method\": \"compliant\", \"law\": {\"flores\": {\"k\": 1e6, \"n\": 1.5}}, \"restitution\": 0}",
                  "restitution");
}

/* ---- joined bodies -------------------------------------------------------------------------------------------------- */

static bool touches_when_joined(const char *joint, const char *contact)
{
    char more[256];
    contact_scene c = workshop(contact);
    snprintf(more, sizeof more, ", \"joints\": [{\"name\": \"pin\", \"bodies\": [\"box\", \"ball.small\"], %s}]",
             joint);
    c.more = more;
    carom_model *model = compile_scene(&c);
    CHECK(between(model, "box", "ball.large") != NULL);
    CHECK(between(model, "ball.small", "ball.large") != NULL);
    bool touches = between(model, "ball.small", "box") != NULL;
    CHECK(touches == (between(model, "box", "ball.small") != NULL));
    carom_model_destroy(model);
    return touches;
}

TEST(joined, bodies_touch_only_when_asked_to)
{
    static const char *const plain = "{\"method\": \"compliant\", " LAW "}";
    static const char *const asked = "{\"method\": \"compliant\", " LAW ", \"between_joined\": true}";
    CHECK(!touches_when_joined("\"type\": \"revolute\"", plain));
    CHECK(!touches_when_joined("\"type\": \"spherical\"", plain));
    CHECK(!touches_when_joined("\"type\": \"fixed\"", plain));
    CHECK(touches_when_joined("\"type\": \"distance\", \"at\": [0, 1, 0.1], \"at_b\": [0, 0, 0.1]", plain));
    CHECK(touches_when_joined("\"type\": \"revolute\"", asked));
}

/* ---- colliders ------------------------------------------------------------------------------------------------------ */

TEST(colliders, equal_shapes_share_one)
{
    contact_scene c = workshop("{\"method\": \"compliant\", " LAW "}");
    c.bodies[2].shape = "{\"sphere\": 0.1}";
    c.bodies[3].shape = "{\"box\": [0.2, 0.2, 0.2], \"spacing\": 0.01}";
    c.bodies[4] = (scene_body){
        .name = "twin", .shape = "{\"box\": [0.2, 0.2, 0.2]}", .more = "\"mass\": 1,", .position = { 1, 1, 1 }
    };
    carom_model *model = compile_scene(&c);
    const model_collider *small = &model->colliders[collider_of(model, "ball.small")];
    const model_collider *large = &model->colliders[collider_of(model, "ball.large")];
    CHECK(small->collider == large->collider);
    CHECK(!small->shared && large->shared);
    const model_collider *box = &model->colliders[collider_of(model, "box")];
    const model_collider *twin = &model->colliders[collider_of(model, "twin")];
    CHECK(box->collider != twin->collider); /* its points are others */
    CHECK_GE((double)collider_point_count(box->collider), 2.0 * collider_point_count(twin->collider));
    carom_model_destroy(model);
}

/* ---- the hash ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *contact)
{
    carom_model *model = compile(contact);
    uint64_t hash = model->hash;
    carom_model_destroy(model);
    return hash;
}

#define HERTZ "\"law\": {\"hunt-crossley\": {\"k\": 1e6, \"n\": 1.5}}"
#define PAIR(what) "{\"method\": \"compliant\", " HERTZ ", \"pairs\": [{\"between\": [\"box\", \"floor\"]" what "}]}"

/* All differ from each other in one thing that decides results. */
static const char *const settings[] = {
    "{\"method\": \"none\"}",
    "{\"method\": \"compliant\", " HERTZ "}",
    "{\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 2e6, \"n\": 1.5}}}",
    "{\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e6, \"n\": 1.4}}}",
    "{\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e6, \"n\": 1.5, \"v_min\": 0.5}}}",
    "{\"method\": \"compliant\", \"law\": {\"lee-wang\": {\"k\": 1e6, \"n\": 1.5}}}",
    "{\"method\": \"compliant\", " HERTZ ", \"restitution\": 0.5}",
    "{\"method\": \"compliant\", " HERTZ ", \"restitution_law\": \"poisson\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"restitution_law\": \"newton\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"impulse\": 0.5}",
    "{\"method\": \"compliant\", " HERTZ ", \"friction\": {\"coulomb\": {}}}",
    "{\"method\": \"compliant\", " HERTZ ", \"friction\": {\"coulomb\": {\"mu\": 0.4}}}",
    "{\"method\": \"compliant\", " HERTZ ", \"friction\": {\"smooth\": {}}}",
    "{\"method\": \"compliant\", " HERTZ ", \"per\": \"area\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"points\": \"first\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"points\": \"second\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"between_joined\": true}",
    "{\"method\": \"compliant\", " HERTZ ", \"detection\": \"direct\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"features\": \"edges\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"spacing\": 0.05}",
    "{\"method\": \"compliant\", " HERTZ ", \"field\": \"dense\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"resolution\": 64}",
    "{\"method\": \"compliant\", " HERTZ ", \"sign\": \"winding\"}",
    "{\"method\": \"compliant\", " HERTZ ", \"approach\": 0.25}",
    PAIR(""),
    PAIR(", \"ignore\": true"),
    PAIR(", \"law\": {\"linear\": {\"k\": 1e6}}"),
    PAIR(", \"law\": {\"linear\": {\"k\": 2e6}}"),
    PAIR(", \"friction\": {\"coulomb\": {}}"),
    PAIR(", \"friction\": {\"coulomb\": {\"v_e\": 0.1}}"),
    PAIR(", \"restitution\": 0.5"),
    PAIR(", \"restitution_law\": \"poisson\""),
    PAIR(", \"impulse\": 0.5"),
    PAIR(", \"per\": \"area\""),
    PAIR(", \"points\": \"first\""),
    "{\"method\": \"compliant\", " HERTZ ", \"pairs\": [{\"between\": [\"steel\", \"floor\"]}]}",
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

TEST(hash, every_setting_of_contact_counts)
{
    uint64_t hash[SETTINGS];
    for (int i = 0; i < SETTINGS; ++i) {
        hash[i] = hash_of(settings[i]);
        CHECK(hash[i] == hash_of(settings[i]));
        for (int k = 0; k < i; ++k) {
            if (hash[i] == hash[k]) {
                print_error("the same hash for %s and %s\n", settings[i], settings[k]);
            }
            CHECK(hash[i] != hash[k]);
        }
    }
}

/* Materials decide which rules fit. */
TEST(hash, materials_and_settings_of_shapes_count)
{
    contact_scene c = workshop("{\"method\": \"compliant\", " LAW "}");
    uint64_t plain = hash_of(c.contact);
    static const char *const shapes[] = { "{\"box\": [0.2, 0.2, 0.2], \"material\": \"steel\"}",
                                          "{\"box\": [0.2, 0.2, 0.2], \"spacing\": 0.01}",
                                          "{\"box\": [0.2, 0.2, 0.2], \"resolution\": 32}",
                                          "{\"box\": [0.2, 0.2, 0.2], \"touches\": false}" };
    for (int k = 0; k < 4; ++k) {
        c.bodies[3].shape = shapes[k];
        carom_model *model = compile_scene(&c);
        CHECK(model->hash != plain);
        carom_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(pairs, nothing_said_is_the_same_for_all),
        RUN_TEST(pairs, names_materials_and_wildcards),
        RUN_TEST(pairs, the_last_rule_wins_and_leaves_what_it_does_not_say),
        RUN_TEST(pairs, may_pass_through_each_other),
        RUN_TEST(pairs, first_and_second_are_those_of_the_rule),
        RUN_TEST(pairs, names_that_fit_nothing_are_refused),
        RUN_TEST(pairs, are_of_two),
        RUN_TEST(pairs, say_what_impacts_do),
        RUN_TEST(laws, are_needed_where_surfaces_may_meet),
        RUN_TEST(laws, numbers_out_of_range_are_refused),
        RUN_TEST(joined, bodies_touch_only_when_asked_to),
        RUN_TEST(colliders, equal_shapes_share_one),
        RUN_TEST(hash, every_setting_of_contact_counts),
        RUN_TEST(hash, materials_and_settings_of_shapes_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
