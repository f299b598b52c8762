/* spec.h and model.h: definitions with parts that are missing, look-ups of what is not there. */
#include "interface.h"

static carom_body_def plain_body(const char *name)
{
    carom_body_def def = carom_body_def_default();
    static const double inertia[3] = { 1.0, 1.0, 1.0 };
    def.name = name;
    def.mass = 1.0;
    def.inertia = (carom_reals){ 3, inertia };
    return def;
}

static carom_joint_def plain_joint(const char *name)
{
    carom_joint_def def = carom_joint_def_default();
    def.name = name;
    def.joint.kind = "revolute";
    def.attachment.bodies[0] = "ground";
    def.attachment.bodies[1] = "rod";
    return def;
}

/* Names that nothing may have. */
static const char *const bad_names[] = { NULL, "", "ground", "rod", "two\nlines" };

static void create_spec(void)
{
    carom_spec *spec = carom_spec_create();
    CHECK(spec != NULL);
    carom_spec_destroy(spec);
}

static void destroy_spec(void)
{
    carom_spec_destroy(NULL);
}

static void set_scene(void)
{
    carom_scene_def def = carom_scene_def_default();
    REFUSES(carom_spec_set_scene, NULL, &def);
    REFUSES(carom_spec_set_scene, the.spec, NULL);
    FOR_EACH(x, not_nonnegative)
    {
        def = carom_scene_def_default();
        def.time.step = ITEM(x, not_nonnegative);
        REFUSES(carom_spec_set_scene, the.spec, &def);
    }
    FOR_EACH(id, strange_ids)
    {
        def = carom_scene_def_default();
        def.time.preset = ITEM(id, strange_ids);
        REFUSES(carom_spec_set_scene, the.spec, &def);
    }
    const char *const signals[] = { "t", NULL };
    const carom_list lists[] = { { 3, NULL }, { SIZE_MAX, signals }, { 2, signals } };
    FOR_EACH(list, lists)
    {
        def = carom_scene_def_default();
        def.record.signals = ITEM(list, lists);
        REFUSES(carom_spec_set_scene, the.spec, &def);
    }
    def = carom_scene_def_default();
    def.contact.pairs = (carom_list){ 1, NULL };
    REFUSES(carom_spec_set_scene, the.spec, &def);
    def = carom_scene_def_default();
    def.contact.method.kind = overlong();
    REFUSES(carom_spec_set_scene, the.spec, &def);
}

static void check_bad_motion(carom_value value)
{
    carom_body_def def = plain_body("mover");
    def.motion.given = true;
    def.motion.position[0] = value;
    REFUSES(carom_spec_add_body, the.spec, &def);
}

static void body_motions(void)
{
    const double x[2] = { 0.0, 1.0 };
    carom_value value = carom_value_number(1.0);
    value.kind = (carom_value_kind)17;
    check_bad_motion(value);
    value = (carom_value){ .kind = CAROM_EXPRESSION, .expression = "t" }; /* without scale and units */
    check_bad_motion(value);
    check_bad_motion(carom_value_expression(NULL));
    check_bad_motion(carom_value_expression(""));
    const carom_curve curves[] = {
        { .count = 0 },
        { .count = 2 },
        { .count = SIZE_MAX, .x = x, .y = x },
        { .count = 2, .x = x },
        { .count = 2, .x = x, .y = x, .interpolation = (carom_interpolation)9 },
        { .count = 2, .x = x, .y = x, .outside = (carom_outside)-1 },
    };
    FOR_EACH(curve, curves)
    {
        check_bad_motion((carom_value){ .kind = CAROM_TABLE, .table = ITEM(curve, curves), .scale = 1.0 });
    }
}

static void add_body(void)
{
    carom_body_def def = plain_body("another");
    REFUSES(carom_spec_add_body, NULL, &def);
    REFUSES(carom_spec_add_body, the.spec, NULL);
    FOR_EACH(name, bad_names)
    {
        def = plain_body(ITEM(name, bad_names));
        REFUSES(carom_spec_add_body, the.spec, &def);
    }
    def = plain_body(overlong());
    REFUSES(carom_spec_add_body, the.spec, &def);
    FOR_EACH(x, not_nonnegative)
    {
        def = plain_body("another");
        def.mass = ITEM(x, not_nonnegative);
        REFUSES(carom_spec_add_body, the.spec, &def);
    }
    def = plain_body("another");
    def.shapes = (carom_list){ 2, NULL };
    REFUSES(carom_spec_add_body, the.spec, &def);
    def = plain_body("another");
    def.inertia = (carom_reals){ 3, NULL };
    REFUSES(carom_spec_add_body, the.spec, &def);
    def = plain_body("another");
    def.orientation = (carom_quat){ 0.0, 0.0, 0.0, 0.0 };
    REFUSES(carom_spec_add_body, the.spec, &def);
    body_motions();
}

static void add_joint(void)
{
    carom_joint_def def = plain_joint("another");
    REFUSES(carom_spec_add_joint, NULL, &def);
    REFUSES(carom_spec_add_joint, the.spec, NULL);
    FOR_EACH(name, bad_names)
    {
        def = plain_joint(ITEM(name, bad_names));
        REFUSES(carom_spec_add_joint, the.spec, &def);
    }
    for (int side = 0; side < 2; ++side) {
        def = plain_joint("another");
        def.attachment.bodies[side] = NULL;
        REFUSES(carom_spec_add_joint, the.spec, &def);
    }
    const char *const kinds[] = { NULL, "", "no such joint", overlong() };
    FOR_EACH(kind, kinds)
    {
        def = plain_joint("another");
        def.joint.kind = ITEM(kind, kinds);
        REFUSES(carom_spec_add_joint, the.spec, &def);
    }
    const carom_joint_limit_def limit = { .min = 0.0, .max = 1.0 };
    const carom_list lists[] = { { 1, NULL }, { SIZE_MAX, &limit } };
    FOR_EACH(list, lists)
    {
        def = plain_joint("another");
        def.limits = ITEM(list, lists);
        REFUSES(carom_spec_add_joint, the.spec, &def);
    }
}

/* ---- functions of the program: carom may call them at any time, so they do nothing ---- */

static void no_force(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    (void)out, (void)in, (void)context;
}

static void no_normal(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    (void)out, (void)in, (void)context;
}

static void no_friction(carom_user_friction_output *out, const carom_user_friction_input *in, void *context)
{
    (void)out, (void)in, (void)context;
}

static void add_user_force(void)
{
    carom_user_force_def user = { .law = "none", .force = no_force };
    carom_force_def def = carom_force_def_default();
    def.name = "own";
    def.attachment.bodies[0] = "rod";
    def.force.kind = "user";
    REFUSES(carom_spec_add_force, the.spec, &def); /* no params: no function */
    def.force.params = &user;
    user.force = NULL;
    REFUSES(carom_spec_add_force, the.spec, &def);
    user = (carom_user_force_def){ .law = "", .force = no_force };
    REFUSES(carom_spec_add_force, the.spec, &def);
    user = (carom_user_force_def){ .law = "none", .force = no_force, .numbers = { SIZE_MAX, NULL } };
    REFUSES(carom_spec_add_force, the.spec, &def);
    user = (carom_user_force_def){ .law = "none", .force = no_force, .measures = { 2, NULL } };
    REFUSES(carom_spec_add_force, the.spec, &def);
    const carom_user_measure nameless[1] = { { 0 } };
    user = (carom_user_force_def){ .law = "none", .force = no_force, .measures = { 1, nameless } };
    REFUSES(carom_spec_add_force, the.spec, &def);
    user = (carom_user_force_def){ .law = "none", .force = no_force, .measures = { SIZE_MAX, nameless } };
    REFUSES(carom_spec_add_force, the.spec, &def);
}

static void add_normal_law(void)
{
    const double strange[] = { (double)INFINITY };
    carom_user_normal_law_def def = { .name = "mine", .force = no_normal };
    REFUSES(carom_spec_add_normal_law, NULL, &def);
    REFUSES(carom_spec_add_normal_law, the.spec, NULL);
    def.name = NULL;
    REFUSES(carom_spec_add_normal_law, the.spec, &def);
    def.name = "";
    REFUSES(carom_spec_add_normal_law, the.spec, &def);
    def.name = "linear";
    REFUSES(carom_spec_add_normal_law, the.spec, &def);
    def = (carom_user_normal_law_def){ .name = "mine" };
    REFUSES(carom_spec_add_normal_law, the.spec, &def);
    def = (carom_user_normal_law_def){ .name = "mine", .force = no_normal, .numbers = { SIZE_MAX, strange } };
    REFUSES(carom_spec_add_normal_law, the.spec, &def);
    def.numbers = (carom_reals){ 1, strange };
    REFUSES(carom_spec_add_normal_law, the.spec, &def);
    def = (carom_user_normal_law_def){ .name = "mine", .force = no_normal, .probe_speed = (double)NAN };
    REFUSES(carom_spec_add_normal_law, the.spec, &def);
}

static void add_friction_law(void)
{
    const carom_user_friction_law_def good = {
        .name = "mine", .friction = no_friction, .stick = 1e-3, .slide = 1e-3
    };
    carom_user_friction_law_def def = good;
    REFUSES(carom_spec_add_friction_law, NULL, &def);
    REFUSES(carom_spec_add_friction_law, the.spec, NULL);
    def.name = NULL;
    REFUSES(carom_spec_add_friction_law, the.spec, &def);
    def.name = "none";
    REFUSES(carom_spec_add_friction_law, the.spec, &def);
    def = good, def.friction = NULL;
    REFUSES(carom_spec_add_friction_law, the.spec, &def);
    def = good, def.stick = (double)NAN;
    REFUSES(carom_spec_add_friction_law, the.spec, &def);
    def = good, def.coefficient = -1.0;
    REFUSES(carom_spec_add_friction_law, the.spec, &def);
}

static void add_force(void)
{
    carom_force_def def = carom_force_def_default();
    def.name = "another";
    def.force.kind = "drag";
    def.attachment.bodies[0] = "rod";
    REFUSES(carom_spec_add_force, NULL, &def);
    REFUSES(carom_spec_add_force, the.spec, NULL);
    FOR_EACH(name, bad_names)
    {
        carom_force_def named = def;
        named.name = ITEM(name, bad_names);
        REFUSES(carom_spec_add_force, the.spec, &named);
    }
    const char *const kinds[] = { NULL, "", "no such force", overlong() };
    FOR_EACH(kind, kinds)
    {
        def.force.kind = ITEM(kind, kinds);
        REFUSES(carom_spec_add_force, the.spec, &def);
    }
    add_user_force();
}

static void note_origin(void)
{
    carom_spec *empty = carom_spec_create();
    carom_spec_note_origin(NULL, "file", 1, "path");
    carom_spec_note_origin(empty, "nothing was added yet", 1, "path");
    carom_spec_note_origin(the.spec, NULL, INT_MIN, NULL);
    carom_spec_note_origin(the.spec, overlong(), INT_MAX, overlong());
    carom_spec_note_origin(the.spec, NULL, 0, NULL);
    carom_spec_destroy(empty);
}

static void note_setting(void)
{
    carom_spec_note_setting(NULL, "time.step", 3);
    carom_spec_note_setting(the.spec, NULL, 3);
    carom_spec_note_setting(the.spec, "time.step", INT_MIN);
    carom_spec_note_setting(the.spec, overlong(), INT_MAX);
}

static void spec_remarks(void)
{
    const char *const *remarks = NULL;
    CHECK_EQ(carom_spec_remarks(NULL, &remarks), 0);
    CHECK_EQ(carom_spec_remarks(the.spec, NULL), 0);
    CHECK_EQ(carom_spec_remarks(the.spec, &remarks), 0);
}

static void spec_units(void)
{
    CHECK_TEXT(carom_spec_units(NULL), "");
    CHECK(carom_spec_units(the.spec) != NULL);
}

static void model_events(void)
{
    CHECK_EQ(carom_model_event_count(NULL), 0);
    CHECK(carom_model_event_name(NULL, 0) == NULL);
    FOR_EACH(id, strange_ids)
    {
        CHECK(carom_model_event_name(the.one.model, ITEM(id, strange_ids)) == NULL);
    }
}

static void model_notes(void)
{
    const carom_note *notes = NULL;
    CHECK_EQ(carom_model_notes(NULL, &notes), 0);
    CHECK_EQ(carom_model_notes(NULL, NULL), 0);
}

static void spec_scene(void)
{
    CHECK(carom_spec_scene(NULL) == NULL);
}

static void spec_body_count(void)
{
    CHECK_EQ(carom_spec_body_count(NULL), 0);
}

static void spec_joint_count(void)
{
    CHECK_EQ(carom_spec_joint_count(NULL), 0);
}

static void spec_force_count(void)
{
    CHECK_EQ(carom_spec_force_count(NULL), 0);
}

static void spec_body(void)
{
    CHECK(carom_spec_body(NULL, 0) == NULL);
    CHECK(carom_spec_body(the.spec, carom_spec_body_count(the.spec)) == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_spec_body(the.spec, ITEM(size, strange_sizes)) == NULL);
    }
}

static void spec_joint(void)
{
    CHECK(carom_spec_joint(NULL, 0) == NULL);
    CHECK(carom_spec_joint(the.spec, carom_spec_joint_count(the.spec)) == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_spec_joint(the.spec, ITEM(size, strange_sizes)) == NULL);
    }
}

static void spec_force(void)
{
    CHECK(carom_spec_force(NULL, 0) == NULL);
    CHECK(carom_spec_force(the.spec, carom_spec_force_count(the.spec)) == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_spec_force(the.spec, ITEM(size, strange_sizes)) == NULL);
    }
}

/* ---- the model ---------------------------------------------------------------------------------------------------- */

static void compile(void)
{
    carom_model *model = the.one.model;
    REFUSES(carom_compile, NULL, &model);
    CHECK(model == NULL); /* nothing that could be taken for a model */
    REFUSES(carom_compile, the.spec, NULL);
    carom_spec *empty = carom_spec_create();
    carom_error err = { 0 };
    CHECK(carom_compile(empty, &model, &err) == CAROM_OK || (model == NULL && err.message[0]));
    carom_model_destroy(model);
    carom_spec_destroy(empty);
}

static void compile_with(void)
{
    carom_model *model = NULL;
    carom_error err = { 0 };
    const carom_compile_options options = { 0 };
    REFUSES(carom_compile_with, NULL, &options, &model);
    REFUSES(carom_compile_with, the.spec, &options, NULL);
    REFUSES(carom_compile_with, NULL, NULL, NULL);
    CHECK_OK(carom_compile_with(the.spec, NULL, &model, &err), err);
    carom_model_destroy(model);
}

static void create_store(void)
{
    carom_store *store = carom_store_create();
    CHECK(store != NULL);
    CHECK_EQ(carom_store_count(store).made, 0);
    carom_store_destroy(store);
}

/* A model may outlive the store it was compiled with. */
static void destroy_store(void)
{
    carom_model *model = NULL;
    carom_error err = { 0 };
    carom_store *store = carom_store_create();
    const carom_compile_options options = { .store = store };
    carom_store_destroy(NULL);
    CHECK_OK(carom_compile_with(the.spec, &options, &model, &err), err);
    carom_store_destroy(store);
    carom_model_destroy(model);
}

static void count_store(void)
{
    CHECK_EQ(carom_store_count(NULL).kept, 0);
}

/* A scratch may outlive its model. */
static void destroy_model(void)
{
    carom_model_destroy(NULL);
    trio t = trio_create(scene_of_one);
    carom_model_destroy(t.model);
    carom_scratch_destroy(t.scratch);
    carom_state_destroy(t.state);
}

static void body_count(void)
{
    CHECK_EQ(carom_model_body_count(NULL), 0);
}

static void joint_count(void)
{
    CHECK_EQ(carom_model_joint_count(NULL), 0);
}

static void force_count(void)
{
    CHECK_EQ(carom_model_force_count(NULL), 0);
}

static void coordinate_count(void)
{
    CHECK_EQ(carom_model_coordinate_count(NULL), 0);
}

static void body_name(void)
{
    CHECK(carom_model_body_name(NULL, 0) == NULL);
    CHECK(carom_model_body_name(the.one.model, carom_model_body_count(the.one.model)) == NULL);
    FOR_EACH(id, strange_ids)
    {
        CHECK(carom_model_body_name(the.one.model, ITEM(id, strange_ids)) == NULL);
    }
}

static void joint_name(void)
{
    CHECK(carom_model_joint_name(NULL, 0) == NULL);
    CHECK(carom_model_joint_name(the.one.model, carom_model_joint_count(the.one.model)) == NULL);
    FOR_EACH(id, strange_ids)
    {
        CHECK(carom_model_joint_name(the.one.model, ITEM(id, strange_ids)) == NULL);
    }
}

static void force_name(void)
{
    CHECK(carom_model_force_name(NULL, 0) == NULL);
    CHECK(carom_model_force_name(the.one.model, carom_model_force_count(the.one.model)) == NULL);
    FOR_EACH(id, strange_ids)
    {
        CHECK(carom_model_force_name(the.one.model, ITEM(id, strange_ids)) == NULL);
    }
}

static const char *const no_names[] = { NULL, "", "no such thing", "push" };

static void find_body(void)
{
    CHECK_EQ(carom_model_find_body(NULL, "rod"), CAROM_NONE);
    CHECK_EQ(carom_model_find_body(the.one.model, overlong()), CAROM_NONE);
    CHECK_EQ(carom_model_find_body(the.one.model, "hinge"), CAROM_NONE);
    FOR_EACH(name, no_names)
    {
        CHECK_EQ(carom_model_find_body(the.one.model, ITEM(name, no_names)), CAROM_NONE);
    }
}

static carom_params *some_params(void)
{
    carom_params *params = NULL;
    CHECK_EQ(carom_params_create(carom_normal_law_kinds(), "hunt-crossley", &params, NULL), CAROM_OK);
    return params;
}

static void create_params(void)
{
    carom_params *params = NULL;
    REFUSES(carom_params_create, NULL, "impact", &params);
    REFUSES(carom_params_create, carom_method_kinds(), NULL, &params);
    REFUSES(carom_params_create, carom_method_kinds(), "", &params);
    REFUSES(carom_params_create, carom_method_kinds(), overlong(), &params);
    REFUSES(carom_params_create, carom_method_kinds(), "impact", NULL);
    CHECK(params == NULL);
}

static void destroy_params(void)
{
    carom_params_destroy(NULL);
}

static void set_params(void)
{
    carom_params *params = some_params();
    const double bad[] = { (double)NAN, (double)INFINITY, -1.0, 1e300 };
    REFUSES(carom_params_set, NULL, "k", 1.0);
    REFUSES(carom_params_set, params, NULL, 1.0);
    REFUSES(carom_params_set, params, "", 1.0);
    REFUSES(carom_params_set, params, ".", 1.0);
    REFUSES(carom_params_set, params, "k.", 1.0);
    REFUSES(carom_params_set, params, overlong(), 1.0);
    FOR_EACH(number, bad)
    {
        REFUSES(carom_params_set, params, "k", ITEM(number, bad));
    }
    carom_params_destroy(params);
}

static void set_params_text(void)
{
    carom_params *params = some_params();
    REFUSES(carom_params_set_text, NULL, "k", "1");
    REFUSES(carom_params_set_text, params, NULL, "1");
    REFUSES(carom_params_set_text, params, "k", NULL);
    REFUSES(carom_params_set_text, params, "k", overlong());
    REFUSES(carom_params_set_text, params, overlong(), "1");
    carom_params_destroy(params);
}

static void set_params_list(void)
{
    carom_params *params = some_params();
    carom_params *plane = NULL;
    const double values[] = { 0.0, 0.0, 1.0, (double)NAN };
    CHECK_EQ(carom_params_create(carom_shape_kinds(), "plane", &plane, NULL), CAROM_OK);
    REFUSES(carom_params_set_list, NULL, "normal", values, 3);
    REFUSES(carom_params_set_list, plane, NULL, values, 3);
    REFUSES(carom_params_set_list, plane, "normal", NULL, 3);
    REFUSES(carom_params_set_list, plane, "normal", values, 0);
    REFUSES(carom_params_set_list, plane, "normal", values, 4);
    REFUSES(carom_params_set_list, plane, "normal", values + 1, 3);
    REFUSES(carom_params_set_list, params, "k", values, 3);
    FOR_EACH(size, strange_sizes)
    {
        REFUSES(carom_params_set_list, plane, "normal", values, ITEM(size, strange_sizes));
    }
    carom_params_destroy(plane);
    carom_params_destroy(params);
}

static void get_params(void)
{
    carom_params *params = some_params();
    double value = 5.0;
    REFUSES(carom_params_get, NULL, "k", &value);
    REFUSES(carom_params_get, params, NULL, &value);
    REFUSES(carom_params_get, params, "k", NULL);
    REFUSES(carom_params_get, params, overlong(), &value);
    CHECK_NEAR(value, 5.0, 0.0);
    carom_params_destroy(params);
}

static void get_params_text(void)
{
    carom_params *params = some_params();
    CHECK(carom_params_get_text(NULL, "k") == NULL);
    CHECK(carom_params_get_text(params, NULL) == NULL);
    CHECK(carom_params_get_text(params, overlong()) == NULL);
    CHECK(carom_params_get_text(params, "k") == NULL);
    carom_params_destroy(params);
}

static void params_choice(void)
{
    CHECK(carom_params_choice(NULL).kind == NULL);
}

static void input_count(void)
{
    CHECK_EQ(carom_model_input_count(NULL), 0);
}

static void input_name(void)
{
    CHECK(carom_model_input_name(NULL, 0) == NULL);
    CHECK(carom_model_input_name(the.other.model, 0) == NULL);
    CHECK(carom_model_input_name(the.one.model, carom_model_input_count(the.one.model)) == NULL);
    FOR_EACH(id, strange_ids)
    {
        CHECK(carom_model_input_name(the.one.model, ITEM(id, strange_ids)) == NULL);
    }
}

static void input_dimension(void)
{
    CHECK_EQ(carom_model_input_dimension(NULL, 0).mass, 0);
    CHECK_EQ(carom_model_input_dimension(the.one.model, 0).mass, 1);
    FOR_EACH(id, strange_ids)
    {
        CHECK_EQ(carom_model_input_dimension(the.one.model, ITEM(id, strange_ids)).mass, 0);
    }
}

static void find_input(void)
{
    CHECK_EQ(carom_model_find_input(NULL, "pull"), CAROM_NONE);
    CHECK_EQ(carom_model_find_input(the.one.model, overlong()), CAROM_NONE);
    CHECK_EQ(carom_model_find_input(the.one.model, "rod"), CAROM_NONE);
    FOR_EACH(name, no_names)
    {
        CHECK_EQ(carom_model_find_input(the.one.model, ITEM(name, no_names)), CAROM_NONE);
    }
    CHECK_EQ(carom_model_find_input(the.one.model, "pull"), 0);
}

static void find_joint(void)
{
    CHECK_EQ(carom_model_find_joint(NULL, "hinge"), CAROM_NONE);
    CHECK_EQ(carom_model_find_joint(the.one.model, overlong()), CAROM_NONE);
    CHECK_EQ(carom_model_find_joint(the.one.model, "rod"), CAROM_NONE);
    FOR_EACH(name, no_names)
    {
        CHECK_EQ(carom_model_find_joint(the.one.model, ITEM(name, no_names)), CAROM_NONE);
    }
}

static void body_info(void)
{
    CHECK(carom_model_body(NULL, 0).name == NULL);
    CHECK(carom_model_body(the.one.model, carom_model_body_count(the.one.model)).name == NULL);
    FOR_EACH(id, strange_ids)
    {
        carom_body_info info = carom_model_body(the.one.model, ITEM(id, strange_ids));
        CHECK(info.name == NULL && info.mass == 0.0 && !info.moves_freely);
    }
}

static void joint_info(void)
{
    CHECK(carom_model_joint(NULL, 0).name == NULL);
    CHECK(carom_model_joint(the.one.model, carom_model_joint_count(the.one.model)).name == NULL);
    FOR_EACH(id, strange_ids)
    {
        carom_joint_info info = carom_model_joint(the.one.model, ITEM(id, strange_ids));
        CHECK(info.name == NULL && info.bodies[0] == CAROM_NONE && info.coordinate_count == 0);
    }
}

static void equation_name(void)
{
    char buffer[5] = "abcd";
    CHECK_TEXT(carom_model_equation_name(the.one.model, 0, NULL, 100), "");
    CHECK_TEXT(carom_model_equation_name(the.one.model, 0, buffer, 0), "");
    CHECK_TEXT(buffer, "abcd");
    CHECK_TEXT(carom_model_equation_name(the.one.model, 0, buffer, sizeof buffer), "hing");
    CHECK_TEXT(carom_model_equation_name(NULL, 0, buffer, sizeof buffer), "");
    CHECK_TEXT(carom_model_equation_name(the.one.model, 5, buffer, sizeof buffer), "");
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_model_equation_name(the.one.model, ITEM(id, strange_ids), buffer, sizeof buffer), "");
    }
}

/* ---- modes.h ---- */

/* A beam between two ends, small enough to be made for every case. */
static carom_modes *some_modes(carom_spec *spec)
{
    static const carom_material_def steel = { "steel", 2e11, 0.3, 7800.0 };
    static const carom_line_mesh_def mesh = { .length = 1.0, .count = 4, .grading = 1.0 };
    static const carom_round_section_def section = { .radius = 0.01 };
    carom_scene_def scene = carom_scene_def_default();
    carom_body_def def = carom_body_def_default();
    carom_modes *modes = NULL;
    scene.materials = (carom_list){ 1, &steel };
    def.name = "beam";
    def.material = "steel";
    def.flexible.given = true;
    def.flexible.mesh = (carom_choice){ "beam", &mesh };
    def.flexible.section = (carom_choice){ "round", &section };
    def.flexible.modes.count = 3;
    CHECK_EQ(carom_spec_set_scene(spec, &scene, NULL), CAROM_OK);
    CHECK_EQ(carom_spec_add_body(spec, &def, NULL), CAROM_OK);
    CHECK_EQ(carom_modes_find(spec, "beam", NULL, &modes, NULL), CAROM_OK);
    return modes;
}

static void model_flexible(void)
{
    CHECK(carom_model_flexible(NULL, 0).kind == NULL);
    FOR_EACH(id, strange_ids)
    {
        CHECK(carom_model_flexible(the.one.model, ITEM(id, strange_ids)).kind == NULL);
    }
    CHECK(carom_model_flexible(the.one.model, 1).kind == NULL); /* rigid */
}

static void modes_find(void)
{
    carom_modes *modes = NULL;
    const carom_modes_options negative = { .count = -1 };
    REFUSES(carom_modes_find, NULL, "rod", NULL, &modes);
    REFUSES(carom_modes_find, the.spec, NULL, NULL, &modes);
    REFUSES(carom_modes_find, the.spec, "rod", NULL, NULL);
    REFUSES(carom_modes_find, the.spec, "rod", &negative, &modes);
    REFUSES(carom_modes_find, the.spec, "rod", NULL, &modes); /* rigid */
    REFUSES(carom_modes_find, the.spec, "nobody", NULL, &modes);
    CHECK(modes == NULL);
}

static void modes_destroy(void)
{
    carom_modes_destroy(NULL);
}

static void modes_questions(void)
{
    carom_spec *spec = carom_spec_create();
    carom_modes *modes = some_modes(spec);
    CHECK_EQ(carom_modes_count(NULL), 0);
    CHECK_EQ(carom_modes_count(modes), 3);
    CHECK_EQ(carom_modes_frequency_count(NULL), 0);
    CHECK_EQ(carom_modes_frequency_count(modes), 3);
    CHECK(carom_modes_mass(NULL) == 0.0 && carom_modes_mass(modes) > 0.0);
    CHECK(carom_modes_get(NULL, 0).kind == NULL && carom_modes_get(modes, 3).kind == NULL);
    CHECK(carom_modes_frequency(NULL, 0).frequency == 0.0);
    CHECK(isnan(carom_modes_strain(NULL, 0)) && isnan(carom_modes_strain(modes, 3)));
    CHECK(carom_modes_strain(modes, 0) > 0.0);
    FOR_EACH(id, strange_ids)
    {
        CHECK(carom_modes_get(modes, ITEM(id, strange_ids)).kind == NULL);
        CHECK(carom_modes_frequency(modes, ITEM(id, strange_ids)).frequency == 0.0);
        CHECK(isnan(carom_modes_strain(modes, ITEM(id, strange_ids))));
    }
    carom_modes_destroy(modes);
    carom_spec_destroy(spec);
}

static void modes_export(void)
{
    carom_spec *spec = carom_spec_create();
    carom_modes *modes = some_modes(spec);
    REFUSES(carom_modes_export, NULL, "modes", NULL);
    REFUSES(carom_modes_export, modes, NULL, NULL);
    carom_modes_destroy(modes);
    carom_spec_destroy(spec);
}

static void modes_page(void)
{
    carom_spec *spec = carom_spec_create();
    carom_modes *modes = some_modes(spec);
    REFUSES(carom_modes_page, NULL, "title", "modes.html");
    REFUSES(carom_modes_page, modes, "title", NULL);
    carom_modes_destroy(modes);
    carom_spec_destroy(spec);
}

const interface_case interface_specs[] = {
    { "carom_model_flexible", model_flexible },
    { "carom_modes_find", modes_find },
    { "carom_modes_destroy", modes_destroy },
    { "carom_modes_count", modes_questions },
    { "carom_modes_get", modes_questions },
    { "carom_modes_frequency_count", modes_questions },
    { "carom_modes_frequency", modes_questions },
    { "carom_modes_mass", modes_questions },
    { "carom_modes_strain", modes_questions },
    { "carom_modes_page", modes_page },
    { "carom_modes_export", modes_export },
    { "carom_spec_create", create_spec },
    { "carom_spec_destroy", destroy_spec },
    { "carom_spec_set_scene", set_scene },
    { "carom_spec_add_body", add_body },
    { "carom_spec_add_joint", add_joint },
    { "carom_spec_add_force", add_force },
    { "carom_spec_note_origin", note_origin },
    { "carom_spec_add_normal_law", add_normal_law },
    { "carom_spec_add_friction_law", add_friction_law },
    { "carom_spec_note_setting", note_setting },
    { "carom_spec_remarks", spec_remarks },
    { "carom_spec_units", spec_units },
    { "carom_model_event_count", model_events },
    { "carom_model_event_name", model_events },
    { "carom_model_notes", model_notes },
    { "carom_spec_scene", spec_scene },
    { "carom_spec_body_count", spec_body_count },
    { "carom_spec_joint_count", spec_joint_count },
    { "carom_spec_force_count", spec_force_count },
    { "carom_spec_body", spec_body },
    { "carom_spec_joint", spec_joint },
    { "carom_spec_force", spec_force },
    { "carom_compile", compile },
    { "carom_store_create", create_store },
    { "carom_store_destroy", destroy_store },
    { "carom_store_count", count_store },
    { "carom_compile_with", compile_with },
    { "carom_model_destroy", destroy_model },
    { "carom_model_body_count", body_count },
    { "carom_model_joint_count", joint_count },
    { "carom_model_force_count", force_count },
    { "carom_model_coordinate_count", coordinate_count },
    { "carom_model_body_name", body_name },
    { "carom_model_joint_name", joint_name },
    { "carom_model_force_name", force_name },
    { "carom_model_find_body", find_body },
    { "carom_model_find_joint", find_joint },
    { "carom_params_create", create_params },
    { "carom_params_destroy", destroy_params },
    { "carom_params_set", set_params },
    { "carom_params_set_text", set_params_text },
    { "carom_params_set_list", set_params_list },
    { "carom_params_get", get_params },
    { "carom_params_get_text", get_params_text },
    { "carom_params_choice", params_choice },
    { "carom_model_input_count", input_count },
    { "carom_model_input_name", input_name },
    { "carom_model_input_dimension", input_dimension },
    { "carom_model_find_input", find_input },
    { "carom_model_body", body_info },
    { "carom_model_joint", joint_info },
    { "carom_model_equation_name", equation_name },
    { NULL, NULL },
};
