/* base.h, fields.h, elements.h: names of numbers that name nothing, texts into no buffer, lists that need no argument. */
#include "interface.h"

static void fail_without_words(void)
{
    carom_error err = { 0 };
    carom_status (*refuse)(carom_error *, carom_status, const char *, ...) = carom_fail; /* no warning of the NULL */
    CHECK_EQ(carom_fail(NULL, CAROM_BAD_INPUT, "nobody listens"), CAROM_BAD_INPUT);
    CHECK_EQ(refuse(NULL, CAROM_IO_FAILED, NULL), CAROM_IO_FAILED);
    CHECK_EQ(refuse(&err, CAROM_IO_FAILED, NULL), CAROM_IO_FAILED);
    CHECK_TEXT(err.message, "no reason given");
    CHECK_EQ(carom_fail(&err, CAROM_BAD_INPUT, "%s", overlong()), CAROM_BAD_INPUT);
    CHECK_EQ(strlen(err.message), sizeof err.message - 1);
}

static void status_names(void)
{
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_status_name((carom_status)ITEM(id, strange_ids)), "unknown status");
    }
    CHECK_TEXT(carom_status_name(CAROM_OK), "ok");
}

static void error_texts(void)
{
    char buffer[8] = "before";
    carom_error err = { .line = 3, .message = "a sentence longer than the buffer" };
    CHECK_TEXT(carom_error_text(&err, NULL, 100), "");
    CHECK_TEXT(carom_error_text(&err, buffer, 0), "");
    CHECK_TEXT(buffer, "before");
    CHECK_EQ(strlen(carom_error_text(&err, buffer, sizeof buffer)), sizeof buffer - 1);
    CHECK_TEXT(carom_error_text(NULL, buffer, sizeof buffer), "");
}

static void destroy_text(void)
{
    carom_text_destroy(NULL);
}

static void units(void)
{
    CHECK_NEAR(carom_units_si().length, 1.0, 0.0);
}

static void units_factor(void)
{
    const carom_dimension force = { 1, 1, -2, 0 };
    const carom_dimension extreme = { 127, -128, 127, -128 };
    const carom_units si = carom_units_si();
    CHECK_NEAR(carom_units_factor(NULL, force), 1.0, 0.0);
    CHECK_NEAR(carom_units_factor(&si, extreme), 1.0, 0.0);
}

static void dimension_text(void)
{
    char buffer[4] = "abc";
    const carom_dimension force = { 1, 1, -2, 0 };
    const carom_dimension extreme = { 127, -128, 127, -128 };
    CHECK_TEXT(carom_dimension_text(force, NULL, 10), "");
    CHECK_TEXT(carom_dimension_text(force, buffer, 0), "");
    CHECK_TEXT(buffer, "abc");
    CHECK_LE((double)strlen(carom_dimension_text(extreme, buffer, sizeof buffer)), 3.0);
}

static void number_value(void)
{
    CHECK(isnan(carom_value_number((double)NAN).number)); /* what is done with it decides */
}

static void expression_value(void)
{
    CHECK(carom_value_expression(NULL).expression == NULL); /* refused where it is used */
}

static void mode_names(void)
{
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_contact_mode_name((carom_contact_mode)ITEM(id, strange_ids)), "unknown");
    }
    CHECK_TEXT(carom_contact_mode_name(CAROM_MODES), "unknown");
}

static void friction_state_names(void)
{
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_friction_state_name((carom_friction_state)ITEM(id, strange_ids)), "unknown");
    }
}

/* Functions without arguments cannot be misused; their lists end. */
static void check_kinds(const carom_kind *const *kinds)
{
    CHECK(kinds != NULL && kinds[0] != NULL);
    for (; *kinds; ++kinds) {
        CHECK((*kinds)->name && (*kinds)->name[0]);
    }
}

static void check_fields(const carom_field *fields)
{
    CHECK(fields != NULL && fields->name != NULL);
}

static void shape_kinds(void)
{
    check_kinds(carom_shape_kinds());
}

static void joint_kinds(void)
{
    check_kinds(carom_joint_kinds());
}

static void force_kinds(void)
{
    check_kinds(carom_force_kinds());
}

static void normal_law_kinds(void)
{
    check_kinds(carom_normal_law_kinds());
}

static void friction_law_kinds(void)
{
    check_kinds(carom_friction_law_kinds());
}

static void method_kinds(void)
{
    check_kinds(carom_method_kinds());
}

static void integrator_kinds(void)
{
    check_kinds(carom_integrator_kinds());
}

static void mesh_make_kinds(void)
{
    check_kinds(carom_mesh_make_kinds());
}

static void volume_mesh_kinds(void)
{
    check_kinds(carom_volume_mesh_kinds());
}

static void section_kinds(void)
{
    check_kinds(carom_section_kinds());
}

static void node_choice_kinds(void)
{
    check_kinds(carom_node_choice_kinds());
}

static void flexible_fields(void)
{
    check_fields(carom_flexible_fields());
}

static void material_fields(void)
{
    check_fields(carom_material_fields());
}

static void flexible_default(void)
{
    CHECK(!carom_flexible_def_default().given);
}

static void material_default(void)
{
    CHECK_EQ(carom_material_def_default().density, 0.0);
}

static void body_fields(void)
{
    check_fields(carom_body_fields());
}

static void shape_fields(void)
{
    check_fields(carom_shape_fields());
}

static void joint_fields(void)
{
    check_fields(carom_joint_fields());
}

static void force_fields(void)
{
    check_fields(carom_force_fields());
}

static void contact_fields(void)
{
    check_fields(carom_contact_fields());
}

static void scene_fields(void)
{
    check_fields(carom_scene_fields());
}

static void view_fields(void)
{
    check_fields(carom_view_fields());
}

static void event_actions(void)
{
    check_kinds(carom_event_actions());
}

static void body_default(void)
{
    CHECK(carom_body_def_default().name == NULL);
}

static void shape_default(void)
{
    CHECK(carom_shape_def_default().touches);
}

static void joint_default(void)
{
    CHECK(carom_joint_def_default().name == NULL);
}

static void force_default(void)
{
    CHECK(carom_force_def_default().name == NULL);
}

static void contact_default(void)
{
    CHECK_EQ(carom_contact_def_default().pairs.count, 0);
}

static void scene_default(void)
{
    CHECK_GE(carom_scene_def_default().time.end, 0.0);
}

static void version(void)
{
    CHECK_TEXT(carom_version(), CAROM_VERSION);
}

static void features(void)
{
    const char *text = carom_features();
    CHECK(text[0] != ' ' && (strlen(text) == 0 || text[strlen(text) - 1] != ' '));
}

static void ignore(const char *file, int line, const char *condition)
{
    (void)file;
    (void)line;
    (void)condition;
}

static void assert_handler(void)
{
    CHECK(carom_set_assert_handler(ignore) == NULL);
    CHECK(carom_set_assert_handler(NULL) == ignore);
    CHECK(carom_set_assert_handler(NULL) == NULL);
}

const interface_case interface_basics[] = {
    { "carom_version", version },
    { "carom_features", features },
    { "carom_set_assert_handler", assert_handler },
    { "carom_fail", fail_without_words },
    { "carom_status_name", status_names },
    { "carom_error_text", error_texts },
    { "carom_text_destroy", destroy_text },
    { "carom_units_si", units },
    { "carom_units_factor", units_factor },
    { "carom_dimension_text", dimension_text },
    { "carom_value_number", number_value },
    { "carom_value_expression", expression_value },
    { "carom_contact_mode_name", mode_names },
    { "carom_friction_state_name", friction_state_names },
    { "carom_shape_kinds", shape_kinds },
    { "carom_joint_kinds", joint_kinds },
    { "carom_force_kinds", force_kinds },
    { "carom_normal_law_kinds", normal_law_kinds },
    { "carom_friction_law_kinds", friction_law_kinds },
    { "carom_method_kinds", method_kinds },
    { "carom_integrator_kinds", integrator_kinds },
    { "carom_mesh_make_kinds", mesh_make_kinds },
    { "carom_volume_mesh_kinds", volume_mesh_kinds },
    { "carom_section_kinds", section_kinds },
    { "carom_node_choice_kinds", node_choice_kinds },
    { "carom_flexible_fields", flexible_fields },
    { "carom_material_fields", material_fields },
    { "carom_flexible_def_default", flexible_default },
    { "carom_material_def_default", material_default },
    { "carom_body_fields", body_fields },
    { "carom_shape_fields", shape_fields },
    { "carom_joint_fields", joint_fields },
    { "carom_force_fields", force_fields },
    { "carom_contact_fields", contact_fields },
    { "carom_scene_fields", scene_fields },
    { "carom_view_fields", view_fields },
    { "carom_event_actions", event_actions },
    { "carom_body_def_default", body_default },
    { "carom_shape_def_default", shape_default },
    { "carom_joint_def_default", joint_default },
    { "carom_force_def_default", force_default },
    { "carom_contact_def_default", contact_default },
    { "carom_scene_def_default", scene_default },
    { NULL, NULL },
};
