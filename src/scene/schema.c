/* JSON Schema of the scene format, for editors: from the same tables the reader works from. */
#include "scene/schema.h"

#include <carom/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements/joints/joint.h"
#include "scene/scene_reader.h"
#include "files/json_value.h"

static const char *const table_schema =
    "{\"description\": \"A function given by points [x, y] with ascending x; over time for values.\","
    " \"anyOf\": [{\"$ref\": \"#/$defs/points\"},"
    "  {\"type\": \"object\", \"required\": [\"table\"], \"additionalProperties\": false, \"properties\": {"
    "    \"table\": {\"anyOf\": [{\"$ref\": \"#/$defs/points\"}, {\"type\": \"string\"}]},"
    "    \"interpolation\": {\"enum\": [\"linear\", \"cubic\", \"step\", \"monotone\"], \"default\": \"linear\"},"
    "    \"outside\": {\"enum\": [\"hold\", \"repeat\", \"extrapolate\"], \"default\": \"hold\"},"
    "    \"column\": {\"type\": \"integer\", \"minimum\": 2, \"maximum\": 64, \"default\": 2}}}]}";

static const char *const points_schema =
    "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2,"
    " \"items\": {\"type\": [\"number\", \"string\"]}}}";

static const char *const orientation_schema =
    "{\"description\": \"A unit quaternion [w, x, y, z]; {axis, angle}; or {euler: [x, y, z]}, turns about the own "
    "x, "
    "then the new y, then the new z axis.\","
    " \"anyOf\": ["
    "  {\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4, \"items\": {\"type\": [\"number\", \"string\"]}},"
    "  {\"type\": \"object\", \"required\": [\"axis\", \"angle\"], \"additionalProperties\": false, \"properties\": {"
    "    \"axis\": {\"$ref\": \"#/$defs/vector\"}, \"angle\": {\"type\": [\"number\", \"string\"]}}},"
    "  {\"type\": \"object\", \"required\": [\"euler\"], \"additionalProperties\": false, \"properties\": {"
    "    \"euler\": {\"$ref\": \"#/$defs/vector\"}}}]}";

static const char *const vector_schema =
    "{\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": {\"type\": [\"number\", \"string\"]}}";

static const char *const variables_schema =
    "{\"type\": \"object\", \"description\": \"Numbers, or expressions of other variables such as \\\"$L/2\\\", in "
    "scene units; any number of the scene may use them.\","
    " \"propertyNames\": {\"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*$\", \"not\": {\"const\": \"index\"}},"
    " \"additionalProperties\": {\"type\": [\"number\", \"string\"]}}";

static json_t *parse(const char *text)
{
    return json_loads(text, 0, NULL);
}

/* ---- parts of a scene that are no definitions ---------------------------------------------------------------- */

static json_t *units_schema(void)
{
    json_t *properties = json_object();
    for (const scene_quantity *q = scene_quantities(); q->name; ++q) {
        json_t *names = json_array();
        for (const char *const *unit = q->units; *unit; ++unit) {
            json_array_append_new(names, json_string(*unit));
        }
        json_object_set_new(properties, q->name,
                            json_pack("{s:[{s:o}, {s:s, s:i}]}", "anyOf", "enum", names, "type", "number",
                                      "exclusiveMinimum", 0));
    }
    return json_pack("{s:s, s:s, s:o, s:b}", "type", "object", "description",
                     "Units of every number of this file: names, or the SI value of the unit; SI unless given.",
                     "properties", properties, "additionalProperties", 0);
}

static json_t *include_schema(void)
{
    const scene_include defaults = { .orientation = { 1.0, 0.0, 0.0, 0.0 } };
    json_t *one = schema_object(scene_include_fields(), &defaults,
                                json_pack("{s:o}", "variables", schema_ref("variables")));
    json_t *schema = json_pack("{s:[O, o]}", "anyOf", one, schema_list(one ? json_incref(one) : NULL));
    json_decref(one);
    return schema;
}

static json_t *repeat_schema(void)
{
    json_t *schema = schema_object(scene_repeat_fields(), NULL, NULL);
    json_t *count = json_object_get(json_object_get(schema, "properties"), "count");
    json_object_set_new(count, "minimum", json_integer(1));
    json_object_set_new(count, "maximum", json_integer(1000000));
    json_object_set_new(schema, "not", json_pack("{s:[s, s]}", "required", "line", "circle"));
    json_object_set_new(schema, "description",
                        json_string("Makes copies of this entry; $index counts them from 0 in numbers and names."));
    return schema;
}

static json_t *repeatable(void)
{
    return json_pack("{s:o}", "repeat", schema_ref("repeat"));
}

static json_t *version_schema(void)
{
    return json_pack("{s:i, s:s}", "const", CAROM_SCENE_VERSION, "description", "Version of the scene format.");
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static void add_kinds(json_t *defs, const char *name, const carom_field *fields, const void *defaults, json_t *more)
{
    char common[64];
    snprintf(common, sizeof common, "any_%s", name);
    json_object_set_new(defs, common, schema_common(fields, defaults));
    json_object_set_new(defs, name, schema_kinds(fields, common, more));
}

/* Names as the spec wants them; `where` holds the properties of a body, joint or force. */
static void restrict_names(json_t *where)
{
    json_t *name = json_object_get(json_object_get(where, "properties"), "name");
    json_object_set_new(name, "minLength", json_integer(1));
    json_object_set_new(name, "maxLength", json_integer(200));
    json_object_set_new(name, "pattern", json_string("^[^\\u0000-\\u001f\\u007f]*$"));
    json_object_set_new(name, "not", json_pack("{s:s}", "const", "ground"));
}

/* A joint has two bodies, unless it couples other joints; no table can say so. */
static void require_bodies(json_t *joint)
{
    const carom_kind *const *kinds = carom_joint_kinds();
    size_t i;
    json_t *option;
    json_array_foreach(json_object_get(joint, "oneOf"), i, option)
    {
        if (!carom_joint_type_find(kinds[i]->name)->couples_joints) {
            json_array_append_new(json_object_get(option, "required"), json_string("bodies"));
        }
    }
}

static json_t *definitions(void)
{
    const carom_body_def body = carom_body_def_default();
    const carom_shape_def shape = carom_shape_def_default();
    const carom_joint_def joint = carom_joint_def_default();
    const carom_force_def force = carom_force_def_default();
    json_t *defs = json_object();
    json_object_set_new(defs, "vector", parse(vector_schema));
    json_object_set_new(defs, "points", parse(points_schema));
    json_object_set_new(defs, "table", parse(table_schema));
    json_object_set_new(defs, "orientation", parse(orientation_schema));
    json_object_set_new(defs, "variables", parse(variables_schema));
    json_object_set_new(defs, "repeat", repeat_schema());
    json_object_set_new(defs, "body", schema_object(carom_body_fields(), &body, repeatable()));
    add_kinds(defs, "shape", carom_shape_fields(), &shape, NULL);
    add_kinds(defs, "joint", carom_joint_fields(), &joint, repeatable());
    add_kinds(defs, "force", carom_force_fields(), &force, repeatable());
    restrict_names(json_object_get(defs, "body"));
    restrict_names(json_object_get(defs, "any_joint"));
    restrict_names(json_object_get(defs, "any_force"));
    require_bodies(json_object_get(defs, "joint"));
    return defs;
}

static json_t *root_properties(void)
{
    json_t *more = json_object();
    json_object_set_new(more, "carom", version_schema());
    json_object_set_new(more, "$schema", json_pack("{s:s}", "type", "string"));
    json_object_set_new(more, "units", units_schema());
    json_object_set_new(more, "variables", schema_ref("variables"));
    json_object_set_new(more, "include", include_schema());
    json_object_set_new(more, "bodies", schema_list(schema_ref("body")));
    json_object_set_new(more, "joints", schema_list(schema_ref("joint")));
    json_object_set_new(more, "forces", schema_list(schema_ref("force")));
    return more;
}

char *carom_scene_schema(void)
{
    const carom_scene_def defaults = carom_scene_def_default();
    json_t *schema = schema_object(carom_scene_fields(), &defaults, root_properties());
    json_object_set_new(schema, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(schema, "title", json_string("carom scene"));
    json_object_set_new(schema, "required", json_pack("[s]", "carom"));
    json_object_set_new(schema, "anyOf",
                        json_pack("[{s:[s]}, {s:[s]}]", "required", "bodies", "required", "include"));
    json_object_set_new(schema, "$defs", definitions());
    char *text = schema ? json_write_text(schema, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(schema);
    return text;
}

void carom_text_destroy(char *text)
{
    free(text);
}
