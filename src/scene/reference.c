/* The reference of the scene format as Markdown, from the same tables the reader works from. */
#include <carom/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scene/scene_reader.h"
#include "scene/schema.h"
#include "files/json_value.h"

static const char *const introduction =
    "# Scene reference\n\n"
    "A scene is a JSON object; comments (`//` and `/* */`) are allowed. Generated from the tables the reader works "
    "from.\n\n"
    "- **Numbers** are in the file's `units`, SI unless given. A text where a number is expected is arithmetic: "
    "`\"2*pi\"`, `\"$L/2\"`, or a number with a unit of its own: `\"10 mm\"`, `\"2 kN/mm\"`.\n"
    "- **Values** (over time) are a number, an expression of `t` and signals (`\"10*sin(2*t)\"`, "
    "`\"-5*rod.velocity.x\"`), "
    "or `{\"table\": [[t, y], ...] or \"file.csv\", \"interpolation\": \"linear|cubic|monotone|step\", \"outside\": "
    "\"hold|repeat|extrapolate\"}`. Of a CSV file `column` has the values (2 unless given). Two points at one time are a jump.\n"
    "- **Directions** are unit vectors.\n"
    "- **Orientations** are `[w, x, y, z]`, `{\"axis\": [0, 0, 1], \"angle\": a}`, or `{\"euler\": [x, y, z]}`: "
    "turns about "
    "the own x, then the new y, then the new z axis.\n"
    "- **Lists** of objects may be given as one object, under their plural or singular name.\n"
    "- Numbers along a joint coordinate (springs, limits, motion, motors) are lengths or angles as the coordinate "
    "is.\n\n";

static const char *const root_rows =
    "| `carom` | integer | | **required** | Version of the scene format: 1. |\n"
    "| `units` | object | | SI | [Units](#units) of every number of this file. |\n"
    "| `variables` | object | | | [Variables](#variables): numbers with names. |\n"
    "| `include` | list | | | [Other files](#include) whose bodies, joints and forces are taken. |\n"
    "| `bodies` | list | | | [Bodies](#bodies). |\n"
    "| `joints` | list | | | [Joints](#joints). |\n"
    "| `forces` | list | | | [Forces](#forces). |\n";

static const char *const variables_text =
    "## Variables\n\n"
    "`\"variables\": {\"L\": 2, \"half\": \"$L/2\"}` names plain numbers in the file's units. `$L` stands for the "
    "number in "
    "any number of the file, and in expressions. Variables may use each other, but not in a circle.\n\n";

static const char *const include_text =
    "The included file may have its own units and variables; `\"variables\": {\"L\": 1}` beside `file` changes them. "
    "Its "
    "names get the prefix, also where it refers to them itself; names it does not define are taken as they are, so "
    "that "
    "a sub-assembly may attach to the including scene. Its `time`, `record`, `contact`, `inputs`, `states`, `events`, `materials`, `gravity`, `name` "
    "and "
    "`description` are left aside.\n\n";

static const char *const repeat_text =
    "Bodies, joints and forces may have `\"repeat\"`. `$index` (from 0) may stand in any number of the entry and in "
    "its "
    "texts; in texts, `[...]` and `{...}` may hold arithmetic: `\"bodies\": [\"link[$index]\", \"link[$index+1]\"]`. "
    "A name without `$index` gets it appended: `link[0]`, `link[1]`, ... Along a line positions are shifted; around "
    "a "
    "circle positions, orientations, velocities and axes turn about it.\n\n";

/* ---- one row ------------------------------------------------------------------------------------------------- */

static const char *type_text(const carom_field *field)
{
    switch (field->kind) {
    case CAROM_FIELD_BOOL:
        return "true or false";
    case CAROM_FIELD_INT:
        return "integer";
    case CAROM_FIELD_REAL:
        return "number";
    case CAROM_FIELD_TEXT:
        return "text";
    case CAROM_FIELD_FILE:
        return "file name";
    case CAROM_FIELD_ENUM:
        return "one of";
    case CAROM_FIELD_VECTOR:
        return "vector";
    case CAROM_FIELD_DIRECTION:
        return "direction";
    case CAROM_FIELD_ORIENTATION:
        return "orientation";
    case CAROM_FIELD_VALUE:
        return "value";
    case CAROM_FIELD_VALUE3:
        return "three values";
    case CAROM_FIELD_CURVE:
        return "table";
    case CAROM_FIELD_REALS:
        return "numbers";
    case CAROM_FIELD_BODY:
        return "body";
    case CAROM_FIELD_BODY_PAIR:
        return "two bodies";
    case CAROM_FIELD_JOINT:
        return "joint";
    case CAROM_FIELD_GROUP:
        return "object";
    case CAROM_FIELD_LIST:
        return field->flags & CAROM_NAMED ? "object by name" : "list";
    case CAROM_FIELD_TEXTS:
        return "texts";
    case CAROM_FIELD_KIND:
        return "kind";
    }
    return "";
}

static void add_type(carom_text *out, const carom_field *field)
{
    carom_text_add(out, "%s", type_text(field));
    for (const char *const *name = field->names; field->kind == CAROM_FIELD_ENUM && *name; ++name) {
        carom_text_add(out, " `%s`", *name);
    }
    if (field->kind == CAROM_FIELD_REALS && field->min_count) {
        carom_text_add(out, field->min_count == field->max_count ? " (%zu)" : " (%zu to %zu)", field->min_count,
                       field->max_count);
    }
}

static void add_default(carom_text *out, const carom_field *field, const void *defaults)
{
    if (field->flags & CAROM_REQUIRED) {
        carom_text_add(out, "**required**");
        return;
    }
    json_t *value = schema_default(field, defaults);
    char *text = value ? json_write_text(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6)) : NULL;
    carom_text_add(out, "%s", text ? text : "");
    free(text);
    json_decref(value);
}

static void add_row(carom_text *out, const carom_field *field, const void *defaults)
{
    char unit[64];
    carom_text_add(out, "| `%s` | ", field->name);
    add_type(out, field);
    carom_text_add(out, " | %s | ", field_unit(field, unit, sizeof unit));
    add_default(out, field, defaults);
    carom_text_add(out, " | %s%s |\n", field->doc ? field->doc : "",
                   field->flags & CAROM_SHORTHAND ? " A bare value stands for this." : "");
}

static const char *const table_head = "| name | type | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n";

/* ---- tables -------------------------------------------------------------------------------------------------- */

static void add_kinds(carom_text *out, const carom_kind *const *kinds, const char *level);

/* The objects inside an object: one section each, after the table. */
static void add_inner(carom_text *out, const char *owner, const carom_field *fields, const void *defaults)
{
    for (const carom_field *f = fields; f && f->name; ++f) {
        bool group = f->kind == CAROM_FIELD_GROUP;
        if ((!group && f->kind != CAROM_FIELD_LIST) || field_layout_of(f->fields).kinds) {
            continue;
        }
        const void *inner = !group ? f->item_defaults : defaults ? field_of(defaults, f) : NULL;
        carom_text_add(out, "### %s: %s\n\n%s\n\n%s", owner, f->name, f->doc ? f->doc : "", table_head);
        for (const carom_field *g = f->fields; g->name; ++g) {
            add_row(out, g, inner);
        }
        carom_text_add(out, "\n");
        add_inner(out, f->name, f->fields, inner);
        for (const carom_field *g = f->fields; g->name; ++g) {
            bool told = g->kinds == carom_normal_law_kinds() || g->kinds == carom_friction_law_kinds(); /* once */
            if (g->kind == CAROM_FIELD_KIND && !told) {
                carom_text_add(out, "The kinds of `%s`, written as a bare name or `{\"name\": {...}}`:\n\n", g->name);
                add_kinds(out, g->kinds, "####");
            }
        }
    }
}

static void add_table(carom_text *out, const char *rows_before, const carom_field *fields, const void *defaults)
{
    carom_text_add(out, "%s%s", table_head, rows_before);
    for (const carom_field *f = fields; f->name; ++f) {
        add_row(out, f, defaults);
    }
    carom_text_add(out, "\n");
}

static void add_kind(carom_text *out, const carom_kind *kind, const char *level)
{
    carom_text_add(out, "%s %s\n\n%s\n\n", level, kind->name, kind->doc ? kind->doc : "");
    if (kind->fields && kind->fields->name) {
        add_table(out, "", kind->fields, kind->defaults);
        add_inner(out, kind->name, kind->fields, kind->defaults);
    }
}

static void add_kinds(carom_text *out, const carom_kind *const *kinds, const char *level)
{
    for (; kinds && *kinds; ++kinds) {
        add_kind(out, *kinds, level);
    }
}

/* ---- sections ------------------------------------------------------------------------------------------------ */

static void add_units(carom_text *out)
{
    carom_text_add(out, "## Units\n\nNames, or the SI value of the unit as a number. Each file has its own.\n\n"
                        "| quantity | units |\n| --- | --- |\n");
    for (const scene_quantity *q = scene_quantities(); q->name; ++q) {
        carom_text_add(out, "| `%s` |", q->name);
        for (const char *const *unit = q->units; *unit; ++unit) {
            carom_text_add(out, " `%s`", *unit);
        }
        carom_text_add(out, " |\n");
    }
    carom_text_add(out, "\n");
}

static void add_files_and_patterns(carom_text *out)
{
    const scene_include include = { .prefix = "", .orientation = { 1.0, 0.0, 0.0, 0.0 } };
    carom_text_add(out, "%s## Include\n\n%s", variables_text, include_text);
    add_table(out, "", scene_include_fields(), &include);
    carom_text_add(out, "## Repeat\n\n%s", repeat_text);
    add_table(out, "", scene_repeat_fields(), NULL);
    add_inner(out, "Repeat", scene_repeat_fields(), NULL);
}

static void add_contact(carom_text *out)
{
    const carom_contact_def contact = carom_contact_def_default();
    carom_text_add(out, "### Contact\n\nWhat happens where surfaces meet; the options of the method stand beside "
                        "these.\n\n");
    add_table(out, "", carom_contact_fields(), &contact);
    add_inner(out, "Contact", carom_contact_fields(), &contact);
    carom_text_add(out, "### Contact methods\n\nChosen by `\"contact\": {\"method\": name, ...}`.\n\n");
    add_kinds(out, carom_method_kinds(), "####");
    carom_text_add(out, "### Contact laws\n\nKinds of `law`, written as a bare name or `{\"name\": {...}}`.\n\n");
    add_kinds(out, carom_normal_law_kinds(), "####");
    add_kind(out, kind_from_program(carom_normal_law_kinds()), "####");
    carom_text_add(out, "### Friction laws\n\nKinds of `friction`, likewise.\n\n");
    add_kinds(out, carom_friction_law_kinds(), "####");
    add_kind(out, kind_from_program(carom_friction_law_kinds()), "####");
}

static void add_scene(carom_text *out)
{
    const carom_scene_def scene = carom_scene_def_default();
    carom_text_add(out, "## Scene\n\n");
    add_table(out, root_rows, carom_scene_fields(), &scene);
    add_inner(out, "Scene", carom_scene_fields(), &scene);
    add_contact(out);
}

static void add_bodies(carom_text *out)
{
    const carom_body_def body = carom_body_def_default();
    const carom_shape_def shape = carom_shape_def_default();
    carom_text_add(out, "## Bodies\n\n");
    add_table(out, "", carom_body_fields(), &body);
    add_inner(out, "Body", carom_body_fields(), &body);
    carom_text_add(out, "## Shapes\n\nA shape has one key that names its kind, and these:\n\n");
    add_table(out, "", carom_shape_fields(), &shape);
    add_kinds(out, carom_shape_kinds(), "###");
}

static void add_joints_and_forces(carom_text *out)
{
    const carom_joint_def joint = carom_joint_def_default();
    const carom_force_def force = carom_force_def_default();
    const char *const type_row =
        "| `type` | kind | | **required** | Which of the kinds below; its own fields stand beside "
        "these. |\n";
    carom_text_add(out, "## Joints\n\n");
    add_table(out, type_row, carom_joint_fields(), &joint);
    add_inner(out, "Joint", carom_joint_fields(), &joint);
    add_kinds(out, carom_joint_kinds(), "###");
    carom_text_add(out, "## Forces\n\n");
    add_table(out, type_row, carom_force_fields(), &force);
    add_kinds(out, carom_force_kinds(), "###");
}

char *carom_scene_reference(void)
{
    carom_text out = { 0 };
    carom_text_add(&out, "%s", introduction);
    add_scene(&out);
    add_units(&out);
    add_files_and_patterns(&out);
    add_bodies(&out);
    add_joints_and_forces(&out);
    if (out.failed) {
        carom_text_free(&out);
        return NULL;
    }
    return out.data;
}
