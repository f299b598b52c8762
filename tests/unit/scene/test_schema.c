/* Schema and reference: valid, and complete over every list of kinds. */
#include <jansson.h>

#include "scene_support.h"

/* Each kind's name between these two pieces of text. */
static void check_all_kinds(const char *text, const carom_kind *const *kinds, const char *before, const char *after)
{
    for (; *kinds; ++kinds) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "%s%s%s", before, (*kinds)->name, after);
        CHECK_CONTAINS(text, wanted);
    }
}

TEST(schema, is_json_with_every_kind_and_field)
{
    char *text = carom_scene_schema();
    CHECK(text != NULL);
    json_t *schema = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    CHECK(json_is_object(schema));
    json_t *properties = json_object_get(schema, "properties");
    const char *const keys[] = { "carom",  "units",   "variables", "include", "bodies", "joints",
                                 "forces", "gravity", "time",      "contact", "record" };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        CHECK(json_object_get(properties, keys[i]) != NULL);
    }
    CHECK(json_is_false(json_object_get(schema, "additionalProperties")));
    check_all_kinds(text, carom_joint_kinds(), "\"const\": \"", "\"");
    check_all_kinds(text, carom_force_kinds(), "\"const\": \"", "\"");
    check_all_kinds(text, carom_method_kinds(), "\"const\": \"", "\"");
    check_all_kinds(text, carom_shape_kinds(), "\"", "\": {");
    check_all_kinds(text, carom_integrator_kinds(), "\"", "\"");
    json_decref(schema);
    carom_text_destroy(text);
}

/* Every "$ref" must lead somewhere. */
static void check_refs(json_t *root, json_t *node)
{
    const char *key;
    json_t *value;
    size_t index;
    json_array_foreach(node, index, value) check_refs(root, value);
    if (!json_is_object(node)) {
        return;
    }
    json_object_foreach(node, key, value)
    {
        if (strcmp(key, "$ref") == 0 && json_is_string(value)) {
            char path[200];
            snprintf(path, sizeof path, "%s", json_string_value(value));
            json_t *target = root;
            for (char *part = strtok(path + 2, "/"); part; part = strtok(NULL, "/")) {
                target = json_object_get(target, part);
            }
            CHECK(target != NULL);
        }
        check_refs(root, value);
    }
}

TEST(schema, references_lead_somewhere)
{
    char *text = carom_scene_schema();
    json_t *schema = json_loads(text, 0, NULL);
    check_refs(schema, schema);
    json_decref(schema);
    carom_text_destroy(text);
}

TEST(reference, names_every_kind_and_field)
{
    char *text = carom_scene_reference();
    CHECK(text != NULL);
    check_all_kinds(text, carom_joint_kinds(), "### ", "\n");
    check_all_kinds(text, carom_force_kinds(), "### ", "\n");
    check_all_kinds(text, carom_shape_kinds(), "### ", "\n");
    check_all_kinds(text, carom_integrator_kinds(), "#### ", "\n");
    check_all_kinds(text, carom_method_kinds(), "#### ", "\n");
    for (const carom_field *f = carom_body_fields(); f->name; ++f) {
        char row[100];
        snprintf(row, sizeof row, "| `%s` |", f->name);
        CHECK_CONTAINS(text, row);
    }
    carom_text_destroy(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(schema, is_json_with_every_kind_and_field),
        RUN_TEST(schema, references_lead_somewhere),
        RUN_TEST(reference, names_every_kind_and_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
