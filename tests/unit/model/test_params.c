/* Options by name: every option of every kind through its table, refusals, and the same model as from a scene. */
#include <stdlib.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/scene_file.h"

static carom_params *make(const carom_kind *const *kinds, const char *kind)
{
    carom_params *params = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_params_create(kinds, kind, &params, &err), err);
    return params;
}

/* One option by its kind: set to what the table allows, and read back. */
/* Three values over time: as numbers, and each as a number or an expression. */
static void try_components(carom_params *params, const char *name)
{
    carom_error err = { 0 };
    CHECK_OK(carom_params_set_list(params, name, (const double[]){ 1.0, 2.0, 3.0 }, 3, &err), err);
    CHECK_EQ(carom_params_set_list(params, name, (const double[]){ 1.0, 2.0 }, 2, &err), CAROM_BAD_INPUT);
    CHECK_EQ(carom_params_set_text(params, name, "t", &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "set its components by their names with .x, .y and .z");
    for (int i = 0; i < 4; ++i) {
        char component[80];
        double value = 0.0;
        snprintf(component, sizeof component, "%s.%c", name, "xyzw"[i]);
        CHECK_EQ(carom_params_get(params, component, &value, &err), i < 3 ? CAROM_OK : CAROM_BAD_INPUT);
        CHECK_NEAR(value, i < 3 ? i + 1.0 : 0.0, 0.0);
        CHECK_EQ(carom_params_set_text(params, component, "sin(t)", &err), i < 3 ? CAROM_OK : CAROM_BAD_INPUT);
        const char *text = carom_params_get_text(params, component);
        CHECK(i < 3 ? text && strcmp(text, "sin(t)") == 0 : !text);
        CHECK_EQ(carom_params_set(params, component, 5.0, &err), i < 3 ? CAROM_OK : CAROM_BAD_INPUT);
    }
}

static void try_field(carom_params *params, const carom_field *f)
{
    carom_error err = { 0 };
    double value = 0.0;
    switch (f->kind) {
    case CAROM_FIELD_REAL:
    case CAROM_FIELD_VALUE:
        CHECK_OK(carom_params_set(params, f->name, 0.25, &err), err);
        CHECK_OK(carom_params_get(params, f->name, &value, &err), err);
        CHECK_NEAR(value, 0.25, 0.0);
        break;
    case CAROM_FIELD_INT:
    case CAROM_FIELD_BOOL:
        CHECK_OK(carom_params_set(params, f->name, 1.0, &err), err);
        CHECK_OK(carom_params_get(params, f->name, &value, &err), err);
        CHECK_NEAR(value, 1.0, 0.0);
        CHECK_EQ(carom_params_set(params, f->name, 0.5, &err), CAROM_BAD_INPUT);
        break;
    case CAROM_FIELD_ENUM:
        for (int k = 0; f->names[k]; ++k) {
            CHECK_OK(carom_params_set_text(params, f->name, f->names[k], &err), err);
            CHECK(strcmp(carom_params_get_text(params, f->name), f->names[k]) == 0);
        }
        CHECK_EQ(carom_params_set_text(params, f->name, "nonsense", &err), CAROM_BAD_INPUT);
        break;
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
        CHECK_OK(carom_params_set_text(params, f->name, "abc", &err), err);
        CHECK(strcmp(carom_params_get_text(params, f->name), "abc") == 0);
        CHECK_EQ(carom_params_set(params, f->name, 1.0, &err), CAROM_BAD_INPUT);
        break;
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
        CHECK_OK(carom_params_set_list(params, f->name, (const double[]){ 0.48, 0.6, 0.64 }, 3, &err), err);
        CHECK_EQ(carom_params_set_list(params, f->name, (const double[]){ 0.48, 0.6 }, 2, &err), CAROM_BAD_INPUT);
        break;
    case CAROM_FIELD_VALUE3:
        try_components(params, f->name);
        break;
    default:
        CHECK(carom_params_set_text(params, f->name, "abc", NULL) == CAROM_BAD_INPUT);
    }
}

static void try_kinds(const carom_kind *const *kinds)
{
    for (; *kinds; ++kinds) {
        carom_params *params = make(kinds, (*kinds)->name);
        CHECK(strcmp(carom_params_choice(params).kind, (*kinds)->name) == 0);
        for (const carom_field *f = (*kinds)->fields; f && f->name; ++f) {
            try_field(params, f);
        }
        carom_params_destroy(params);
    }
}

TEST(params, reach_every_option_of_every_kind)
{
    try_kinds(carom_method_kinds());
    try_kinds(carom_integrator_kinds());
    try_kinds(carom_normal_law_kinds());
    try_kinds(carom_friction_law_kinds());
    try_kinds(carom_joint_kinds());
    try_kinds(carom_force_kinds());
    try_kinds(carom_shape_kinds());
}

static void check_says(const carom_error *err, const char *words)
{
    if (!strstr(err->message, words)) {
        print_error("\"%s\" does not say \"%s\"\n", err->message, words);
        fail();
    }
}

TEST(params, refuse_with_a_sentence_and_keep_what_they_had)
{
    carom_error err = { 0 };
    carom_params *none = NULL;
    double k = 0.0;
    CHECK_EQ(carom_params_create(carom_normal_law_kinds(), "hunt-crosley", &none, &err), CAROM_BAD_INPUT);
    check_says(&err, "did you mean 'hunt-crossley'?");
    CHECK(none == NULL);
    carom_params *law = make(carom_normal_law_kinds(), "hunt-crossley");
    CHECK_OK(carom_params_set(law, "k", 1e7, &err), err);
    CHECK_EQ(carom_params_set(law, "k", -1.0, &err), CAROM_BAD_INPUT);
    check_says(&err, "must");
    CHECK_EQ(carom_params_set(law, "k", (double)NAN, &err), CAROM_BAD_INPUT);
    CHECK_EQ(carom_params_set(law, "kk", 1.0, &err), CAROM_BAD_INPUT);
    check_says(&err, "'hunt-crossley' has no option 'kk'; did you mean 'k'?");
    CHECK_EQ(carom_params_set(law, "k.k", 1.0, &err), CAROM_BAD_INPUT);
    CHECK_EQ(carom_params_set_text(law, "k", "stiff", &err), CAROM_BAD_INPUT);
    check_says(&err, "cannot be set by a text");
    CHECK_OK(carom_params_get(law, "k", &k, &err), err);
    CHECK_NEAR(k, 1e7, 0.0);
    carom_params_destroy(law);
}

/* A ball that falls on a floor, built with options by name. */
static uint64_t fall_from_c(void)
{
    carom_error err = { 0 };
    carom_spec *spec = carom_spec_create();
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    carom_params *method = make(carom_method_kinds(), "compliant");
    carom_params *integrator = make(carom_integrator_kinds(), "generalized-alpha");
    carom_params *law = make(carom_normal_law_kinds(), "hunt-crossley");
    carom_params *ball = make(carom_shape_kinds(), "sphere");
    carom_params *plane = make(carom_shape_kinds(), "plane");
    CHECK_OK(carom_params_set(integrator, "rho", 0.7, &err), err);
    CHECK_OK(carom_params_set(law, "k", 1e6, &err), err);
    CHECK_OK(carom_params_set(ball, "radius", 0.1, &err), err);
    CHECK_OK(carom_params_set_list(plane, "normal", (const double[]){ 0.0, 0.0, 1.0 }, 3, &err), err);
    carom_scene_def scene = carom_scene_def_default();
    scene.gravity = (carom_v3){ 0.0, 0.0, -9.81 };
    scene.time.step = 1e-3;
    scene.time.integrator = carom_params_choice(integrator);
    scene.contact.method = carom_params_choice(method);
    scene.contact.interaction.law = carom_params_choice(law);
    scene.contact.interaction.restitution = 0.5;
    CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
    carom_shape_def shape = carom_shape_def_default();
    carom_body_def body = carom_body_def_default();
    body.name = "ball";
    body.density = 1000.0;
    body.position.z = 0.11;
    shape.shape = carom_params_choice(ball);
    body.shapes = (carom_list){ 1, &shape };
    CHECK_OK(carom_spec_add_body(spec, &body, &err), err);
    body = carom_body_def_default();
    body.name = "floor";
    body.fixed = true;
    shape.shape = carom_params_choice(plane);
    body.shapes = (carom_list){ 1, &shape };
    CHECK_OK(carom_spec_add_body(spec, &body, &err), err);
    carom_params *const all[] = { method, integrator, law, ball, plane };
    for (int k = 0; k < 5; ++k) {
        carom_params_destroy(all[k]); /* the spec has copied them */
    }
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_spec_destroy(spec);
    CHECK_OK(carom_scratch_create(model, 1, &scratch, &err), err);
    carom_state *state = carom_state_create(model);
    for (int k = 0; k < 100; ++k) {
        CHECK_OK(carom_step(model, state, scratch, 1e-3, NULL, &err), err);
    }
    uint64_t hash = carom_state_hash(state);
    carom_state_destroy(state);
    carom_scratch_destroy(scratch);
    carom_model_destroy(model);
    return hash;
}

static uint64_t fall_from_scene(void)
{
    const char *text = scene_text("params/fall_from_scene.json");
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err), err);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_spec_destroy(spec);
    CHECK_OK(carom_scratch_create(model, 1, &scratch, &err), err);
    carom_state *state = carom_state_create(model);
    for (int k = 0; k < 100; ++k) {
        CHECK_OK(carom_step(model, state, scratch, 1e-3, NULL, &err), err);
    }
    uint64_t hash = carom_state_hash(state);
    carom_state_destroy(state);
    carom_scratch_destroy(scratch);
    carom_model_destroy(model);
    return hash;
}

TEST(params, make_the_model_that_a_scene_makes)
{
    CHECK(fall_from_c() == fall_from_scene());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(params, reach_every_option_of_every_kind),
        RUN_TEST(params, refuse_with_a_sentence_and_keep_what_they_had),
        RUN_TEST(params, make_the_model_that_a_scene_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
