/* carom mesh: inspect, repair, refine and make triangle meshes. Each of the four is a command of its own below; the
 * options of 'make' come from the field table of the kind to be made. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json_out.h"
#include "table.h"

static const double DEGREE = 3.14159265358979323846 / 180.0; /* [rad] */

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int read_mesh(const arguments *args, carom_mesh **out)
{
    carom_error err = { 0 };
    double scale = 1.0;
    *out = NULL;
    if (!arguments_number(args, "--scale", 1e-30, 1e30, &scale)) {
        return EXIT_BAD_INPUT;
    }
    carom_status status = carom_mesh_read(out, args->operands[0], scale, &err);
    return status == CAROM_OK ? EXIT_DONE : report(status, &err);
}

static int write_mesh(const arguments *args, const carom_mesh *mesh)
{
    carom_error err = { 0 };
    carom_mesh_encoding encoding = arguments_have(args, "--text") ? CAROM_MESH_TEXT : CAROM_MESH_BINARY;
    carom_status status = carom_mesh_write(mesh, args->operands[1], encoding, &err);
    if (status == CAROM_OK) {
        print_line("%s: %d triangles, %d vertices", args->operands[1], carom_mesh_triangle_count(mesh),
                   carom_mesh_vertex_count(mesh));
    }
    return report_writing(status, &err);
}

/* ---- info -------------------------------------------------------------------------------------------------------- */

static void number_row(table *t, const char *name, double value)
{
    table_cell(t, "%s", name);
    table_number(t, value, 8);
}

static void vector_row(table *t, const char *name, carom_v3 v)
{
    char part[3][40];
    table_cell(t, "%s", name);
    table_cell(t, "%s, %s, %s", number_text(v.x, 8, part[0], sizeof part[0]),
               number_text(v.y, 8, part[1], sizeof part[1]), number_text(v.z, 8, part[2], sizeof part[2]));
}

/* Beside the largest of its row or column what is only rounding shows as 0. */
static carom_v3 clean(double x, double y, double z, double scale)
{
    double noise = 1e-12 * scale;
    return (carom_v3){ fabs(x) < noise ? 0.0 : x, fabs(y) < noise ? 0.0 : y, fabs(z) < noise ? 0.0 : z };
}

static const char *solid_text(const carom_mesh_report *report)
{
    return report->solid ? "yes" : report->closed ? "closed, but with the defects below" : "no: not closed";
}

static void print_measures(const carom_mesh_info *info, const carom_mesh_report *report)
{
    static const char *const titles[] = { "quantity", "value" };
    const double *inertia = info->inertia;
    double size = fmax(info->high.x - info->low.x, fmax(info->high.y - info->low.y, info->high.z - info->low.z));
    double largest = fmax(fabs(inertia[0]), fmax(fabs(inertia[4]), fabs(inertia[8])));
    table t;
    table_init(&t, 2, titles, "ll");
    number_row(&t, "triangles", info->triangle_count);
    number_row(&t, "vertices", info->vertex_count);
    number_row(&t, "components", report->components);
    table_cell(&t, "bounds a solid");
    table_cell(&t, "%s", solid_text(report));
    if (report->closed && report->components == 1) {
        number_row(&t, "handles", (2 - report->euler) / 2);
    }
    if (report->cavities > 0) {
        number_row(&t, "cavities", report->cavities);
    }
    vector_row(&t, "low", info->low);
    vector_row(&t, "high", info->high);
    number_row(&t, "shortest edge", info->shortest_edge);
    number_row(&t, "longest edge", info->longest_edge);
    number_row(&t, "area", info->area);
    number_row(&t, "volume", info->volume);
    vector_row(&t, "centre", clean(info->center.x, info->center.y, info->center.z, size));
    vector_row(&t, "inertia xx, yy, zz", clean(inertia[0], inertia[4], inertia[8], largest));
    vector_row(&t, "inertia xy, xz, yz", clean(inertia[1], inertia[2], inertia[5], largest));
    table_print(&t);
    print_line("Lengths in the unit of the file%s; inertia about the centre for unit density.",
               report->closed ? "" : " (volume, centre and inertia mean little for an open surface)");
}

static void places_cell(table *t, const carom_mesh_defect *defect)
{
    char text[CAROM_MESH_PLACES * 60] = "";
    size_t used = 0;
    for (int i = 0; i < defect->place_count && i < 3; ++i) {
        carom_v3 r = defect->places[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s(%.4g, %.4g, %.4g)", i ? " " : "", r.x, r.y,
                                 r.z);
    }
    table_cell(t, "%s%s", text, defect->count > 3 ? " ..." : "");
}

static bool has_defects(const carom_mesh_report *found)
{
    for (int kind = 0; kind < CAROM_MESH_DEFECT_KINDS; ++kind) {
        if (found->defects[kind].count > 0) {
            return true;
        }
    }
    return false;
}

static void print_defects(const carom_mesh_report *found)
{
    static const char *const titles[] = { "defect", "count", "where" };
    if (!has_defects(found)) {
        print_line("No defects.");
        return;
    }
    print_heading("Defects");
    table t;
    table_init(&t, 3, titles, "lrl");
    for (int kind = 0; kind < CAROM_MESH_DEFECT_KINDS; ++kind) {
        const carom_mesh_defect *defect = &found->defects[kind];
        if (defect->count > 0) {
            table_cell(&t, "%s", carom_mesh_defect_name(kind));
            bool more = kind == CAROM_MESH_SELF_INTERSECTION && defect->count > CAROM_MESH_MOST_CUTS;
            table_cell(&t, "%s%zu", more ? "more than " : "", defect->count - more);
            places_cell(&t, defect);
        }
    }
    table_print(&t);
    for (int kind = 0; kind < CAROM_MESH_DEFECT_KINDS; ++kind) {
        if (found->defects[kind].count > 0) {
            print_line("  %s: %s", carom_mesh_defect_name(kind), carom_mesh_defect_meaning(kind));
        }
    }
}

static void json_mesh(const char *file, const carom_mesh_info *info, const carom_mesh_report *found)
{
    json_begin("mesh info");
    json_text("file", file);
    json_number("triangles", info->triangle_count);
    json_number("vertices", info->vertex_count);
    json_number("components", found->components);
    json_bool("solid", found->solid);
    json_bool("closed", found->closed);
    json_vector("low", info->low);
    json_vector("high", info->high);
    json_number("shortest_edge", info->shortest_edge);
    json_number("longest_edge", info->longest_edge);
    json_number("area", info->area);
    json_number("volume", info->volume);
    json_vector("center", info->center);
    json_open("inertia", '[');
    for (int k = 0; k < 9; ++k) {
        json_number(NULL, info->inertia[k]);
    }
    json_close(']');
    json_open("defects", '{');
    for (int kind = 0; kind < CAROM_MESH_DEFECT_KINDS; ++kind) {
        json_number(carom_mesh_defect_name(kind), (double)found->defects[kind].count);
    }
    json_close('}');
    json_end();
}

static int mesh_info(const arguments *args)
{
    carom_mesh *mesh;
    carom_mesh_info info;
    carom_mesh_report found;
    carom_error err = { 0 };
    bool for_programs = arguments_have(args, "--json");
    if (for_programs) {
        json_errors();
    }
    int code = read_mesh(args, &mesh);
    if (code != EXIT_DONE) {
        return code;
    }
    carom_status status = carom_mesh_check(mesh, &found, &err);
    if (status == CAROM_OK && for_programs) {
        carom_mesh_get_info(mesh, &info);
        json_mesh(args->operands[0], &info, &found);
    } else if (status == CAROM_OK) {
        carom_mesh_get_info(mesh, &info);
        print_line("%s", args->operands[0]);
        print_measures(&info, &found);
        print_defects(&found);
    }
    carom_mesh_destroy(mesh);
    return status == CAROM_OK ? EXIT_DONE : report(status, &err);
}

static const option info_options[] = {
    { "--scale", 0, "FACTOR", "Multiply all coordinates (0.001: the file is in millimetres)" },
    { "--json", 0, NULL, "One JSON object on standard output instead of text" },
    { NULL, 0, NULL, NULL },
};

static const command info_command = {
    .name = "mesh info",
    .summary = "size, volume, inertia and defects of a mesh",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .options = info_options,
    .notes = "Exits with 0 also when the mesh has defects; the table says which and where.",
    .example = "  carom mesh info part.stl --scale 0.001",
    .run = mesh_info,
};

/* ---- repair ------------------------------------------------------------------------------------------------------ */

static bool repair_options_of(const arguments *args, carom_mesh_repair_options *o)
{
    double fill = 0.0;
    *o = carom_mesh_repair_defaults();
    o->keep_orientation = arguments_have(args, "--keep-orientation");
    o->everything_outwards = arguments_have(args, "--all-outwards");
    if (!arguments_number(args, "--weld", 0.0, 1e12, &o->weld) ||
        !arguments_number(args, "--fill", 0.0, 1000.0, &fill)) {
        return false;
    }
    o->fill = (int)fill;
    if (fill != floor(fill)) {
        complain("option '--fill' needs a whole number, not %g", fill);
    }
    return fill == floor(fill);
}

static int repair_mesh(const arguments *args, carom_mesh *mesh)
{
    carom_mesh_repair_options options;
    carom_mesh_repair_log log;
    carom_mesh_report found;
    carom_error err = { 0 };
    if (!repair_options_of(args, &options)) {
        return EXIT_BAD_INPUT;
    }
    carom_status status = carom_mesh_repair(mesh, &options, &log, &err);
    status = status ? status : carom_mesh_check(mesh, &found, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    for (int i = 0; i < log.line_count; ++i) {
        print_line("  %s", log.lines[i]);
    }
    int code = write_mesh(args, mesh);
    if (code == EXIT_DONE) {
        print_defects(&found);
    }
    return code == EXIT_DONE && !found.solid ? EXIT_CHECK_FAILED : code;
}

static int mesh_repair(const arguments *args)
{
    carom_mesh *mesh;
    int code = read_mesh(args, &mesh);
    if (code == EXIT_DONE) {
        code = repair_mesh(args, mesh);
        carom_mesh_destroy(mesh);
    }
    return code;
}

static const option repair_options[] = {
    { "--weld", 'w', "LENGTH", "Vertices nearer than this become one (default 0: equal ones only)" },
    { "--fill", 'f', "N", "Close holes of at most N edges (default 0: none)" },
    { "--keep-orientation", 0, NULL, "Do not turn triangles" },
    { "--all-outwards", 0, NULL, "Components inside others are solids, not cavities" },
    { "--scale", 0, "FACTOR", "Multiply all coordinates first" },
    { "--text", 't', NULL, "Write text instead of binary" },
    { NULL, 0, NULL, NULL },
};

static const command repair_command = {
    .name = "mesh repair",
    .summary = "weld, clean, orient and close a mesh",
    .operands = "IN OUT",
    .min_operands = 2,
    .max_operands = 2,
    .options = repair_options,
    .notes = "Says what was done and what was assumed. Exits with 1 when defects are left.",
    .example = "  carom mesh repair scan.stl clean.ply --weld 1e-6 --fill 50",
    .run = mesh_repair,
};

/* ---- refine ------------------------------------------------------------------------------------------------------ */

static int refine_read(const arguments *args, carom_mesh *mesh, double triangles, double edge)
{
    carom_error err = { 0 };
    carom_status status = edge > 0.0 ? carom_mesh_refine_edges(mesh, edge, &err)
                                     : carom_mesh_refine(mesh, (int)triangles, &err);
    return status == CAROM_OK ? write_mesh(args, mesh) : report(status, &err);
}

static int mesh_refine(const arguments *args)
{
    double triangles = 0.0;
    double edge = 0.0;
    carom_mesh *mesh;
    if (arguments_have(args, "--triangles") == arguments_have(args, "--edge")) {
        complain("'carom mesh refine' needs either --triangles N or --edge LENGTH; see 'carom mesh refine --help'");
        return EXIT_BAD_INPUT;
    }
    if (!arguments_number(args, "--triangles", 1.0, INT_MAX / 3, &triangles) ||
        !arguments_number(args, "--edge", 1e-30, 1e30, &edge)) {
        return EXIT_BAD_INPUT;
    }
    if (triangles != floor(triangles)) {
        complain("option '--triangles' needs a whole number, not %g", triangles);
        return EXIT_BAD_INPUT;
    }
    int code = read_mesh(args, &mesh);
    if (code == EXIT_DONE) {
        code = refine_read(args, mesh, triangles, edge);
        carom_mesh_destroy(mesh);
    }
    return code;
}

static const option refine_options[] = {
    { "--triangles", 'n', "N", "Exactly so many triangles" },
    { "--edge", 'e', "LENGTH", "No edge longer than this" },
    { "--scale", 0, "FACTOR", "Multiply all coordinates first" },
    { "--text", 't', NULL, "Write text instead of binary" },
    { NULL, 0, NULL, NULL },
};

static const command refine_command = {
    .name = "mesh refine",
    .summary = "split longest edges until a mesh is fine enough",
    .operands = "IN OUT",
    .min_operands = 2,
    .max_operands = 2,
    .options = refine_options,
    .notes = "The surface stays where it is. On a closed mesh every split adds two triangles, so N must differ from\n"
             "what there is by an even number.",
    .example = "  carom mesh refine horse.ply fine.ply --triangles 231422\n"
               "  carom mesh refine box.stl fine.stl --edge 0.005",
    .run = mesh_refine,
};

/* ---- make -------------------------------------------------------------------------------------------------------- */

static const carom_kind *find_kind(const char *name)
{
    for (const carom_kind *const *kind = carom_mesh_make_kinds(); *kind; ++kind) {
        if (strcmp((*kind)->name, name) == 0) {
            return *kind;
        }
    }
    return NULL;
}

static bool is_angle(const carom_field *field)
{
    return field->dimension.angle != 0;
}

/* As typed: lengths as they are, angles in degrees. */
static void default_text(const carom_kind *kind, const carom_field *field, char *text, size_t size)
{
    const void *at = (const char *)kind->defaults + field->offset;
    const carom_v3 *v = at;
    switch (field->kind) {
    case CAROM_FIELD_INT:
        snprintf(text, size, "%d", *(const int *)at);
        break;
    case CAROM_FIELD_VECTOR:
        snprintf(text, size, "%g,%g,%g", v->x, v->y, v->z);
        break;
    default:
        snprintf(text, size, "%g", *(const double *)at / (is_angle(field) ? DEGREE : 1.0));
    }
}

static const char *argument_name(const carom_field *field)
{
    switch (field->kind) {
    case CAROM_FIELD_INT:
        return "N";
    case CAROM_FIELD_VECTOR:
        return "X,Y,Z";
    default:
        return is_angle(field) ? "DEGREES" : field->dimension.length != 0 ? "LENGTH" : "NUMBER";
    }
}

/* "--pressure-angle" for the field pressure_angle. */
static char *option_name(const carom_field *field)
{
    char *name = format_text("--%s", field->name);
    for (char *c = name; *c; ++c) {
        *c = *c == '_' ? '-' : *c;
    }
    return name;
}

static void list_kinds(void)
{
    static const char *const titles[] = { "kind", "option", "default", "meaning" };
    table t;
    table_init(&t, 4, titles, "lllw");
    for (const carom_kind *const *kind = carom_mesh_make_kinds(); *kind; ++kind) {
        table_cell(&t, "%s", (*kind)->name);
        table_cell(&t, "%s", "");
        table_cell(&t, "%s", "");
        table_cell(&t, "%s", (*kind)->doc);
        for (const carom_field *f = (*kind)->fields; f->name; ++f) {
            char value[80];
            char *name = option_name(f);
            default_text(*kind, f, value, sizeof value);
            table_cell(&t, "%s", "");
            table_cell(&t, "%s %s", name, argument_name(f));
            table_cell(&t, "%s", value);
            table_cell(&t, "%s", f->doc);
            free(name);
        }
    }
    table_print(&t);
    print_line(
        "Lengths are in metres, angles in degrees. 'carom mesh make KIND OUT [options]' writes .stl, .obj or .ply.");
}

static bool parse_numbers(const char *text, double *out, int count)
{
    for (int i = 0; i < count; ++i) {
        char *end;
        out[i] = strtod(text, &end);
        bool ends_well = i + 1 < count ? *end == ',' : *end == '\0';
        if (end == text || !ends_well || !isfinite(out[i])) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

static bool set_field(void *params, const carom_field *field, const char *name, const char *text)
{
    void *at = (char *)params + field->offset;
    double number[3];
    bool vector = field->kind == CAROM_FIELD_VECTOR;
    bool ok = parse_numbers(text, number, vector ? 3 : 1);
    if (ok && field->kind == CAROM_FIELD_INT) {
        ok = number[0] == floor(number[0]) && fabs(number[0]) <= INT_MAX;
    }
    if (!ok) {
        complain("option '%s' needs %s, not '%s'", name,
                 vector                           ? "three numbers like 1,2,3"
                 : field->kind == CAROM_FIELD_INT ? "a whole number"
                                                  : "a number",
                 text);
        return false;
    }
    if (vector) {
        *(carom_v3 *)at = (carom_v3){ number[0], number[1], number[2] };
    } else if (field->kind == CAROM_FIELD_INT) {
        *(int *)at = (int)number[0];
    } else {
        *(double *)at = number[0] * (is_angle(field) ? DEGREE : 1.0);
    }
    return true;
}

/* The defaults of the kind with what was given instead; NULL when something is wrong. */
static void *params_of(const arguments *args, const carom_kind *kind)
{
    void *params = allocate(1, kind->size);
    memcpy(params, kind->defaults, kind->size);
    bool ok = true;
    for (const carom_field *f = kind->fields; f->name && ok; ++f) {
        char *name = option_name(f);
        const char *text = arguments_text(args, name);
        ok = !text || set_field(params, f, name, text);
        free(name);
    }
    if (!ok) {
        free(params);
    }
    return ok ? params : NULL;
}

static int make_kind(const arguments *args, const carom_kind *kind)
{
    carom_mesh *mesh;
    carom_error err = { 0 };
    void *params = params_of(args, kind);
    if (!params) {
        return EXIT_BAD_INPUT;
    }
    carom_status status = carom_mesh_make(&mesh, kind->name, params, &err);
    free(params);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    int code = write_mesh(args, mesh);
    carom_mesh_destroy(mesh);
    return code;
}

static int mesh_make(const arguments *args)
{
    if (args->operand_count == 0) {
        list_kinds();
        return EXIT_DONE;
    }
    const carom_kind *kind = find_kind(args->operands[0]);
    if (!kind) { /* the library knows what was probably meant */
        carom_mesh *none;
        carom_error err = { 0 };
        return report(carom_mesh_make(&none, args->operands[0], NULL, &err), &err);
    }
    if (args->operand_count == 1) {
        complain("'carom mesh make %s' needs a file to write; see 'carom mesh make %s --help'", kind->name,
                 kind->name);
        return EXIT_BAD_INPUT;
    }
    return make_kind(args, kind);
}

static const command make_command = {
    .name = "mesh make",
    .summary = "make a mesh: gear, bolt, statue, ...",
    .operands = "[KIND OUT]",
    .max_operands = 2,
    .notes = "Without KIND, lists all kinds with their options and defaults. Each kind has help of its own:\n"
             "'carom mesh make gear --help'. Meshes are closed, face outwards and do not cut themselves.",
    .example = "  carom mesh make gear gear.stl --teeth 24 --module 0.003\n  carom mesh make statue statue.ply",
    .run = mesh_make,
};

enum { MOST_OPTIONS = 32 };

/* The options of a kind as the parser of command lines wants them; the texts are freed with free_options. */
static void fill_options(option *options, const carom_kind *kind)
{
    int count = 0;
    for (const carom_field *f = kind->fields; f->name && count < MOST_OPTIONS - 2; ++f) {
        char value[80];
        default_text(kind, f, value, sizeof value);
        options[count++] = (option){ .name = option_name(f),
                                     .argument = argument_name(f),
                                     .help = format_text("%s (default %s)", f->doc, value) };
    }
    options[count++] = (option){ "--text", 't', NULL, "Write text instead of binary" };
    options[count] = (option){ 0 };
}

static void free_options(option *options)
{
    for (option *o = options; o->name; ++o) {
        if (o->argument) { /* made by fill_options */
            free((void *)(uintptr_t)o->name);
            free((void *)(uintptr_t)o->help);
        }
    }
}

/* ---- which of the four ------------------------------------------------------------------------------------------- */

static const command *const subcommands[] = { &info_command, &repair_command, &refine_command, &make_command };
enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

static const char *short_name(const command *cmd)
{
    return strchr(cmd->name, ' ') + 1;
}

static const command *find_subcommand(const char *name)
{
    for (int i = 0; i < SUBCOMMANDS; ++i) {
        if (strcmp(short_name(subcommands[i]), name) == 0) {
            return subcommands[i];
        }
    }
    return NULL;
}

/* 'make' once the kind is known: a command with that kind's options. */
static int run_make(int count, char **words)
{
    const carom_kind *kind = count > 0 ? find_kind(words[0]) : NULL;
    if (!kind) {
        return run_command(&make_command, count, words);
    }
    option options[MOST_OPTIONS];
    fill_options(options, kind);
    char *name = format_text("mesh make %s", kind->name);
    char *example = format_text("  carom mesh make %s %s.stl", kind->name, kind->name);
    command own = make_command;
    own.name = name;
    own.summary = kind->doc;
    own.options = options;
    own.example = example;
    own.notes = "Lengths are in metres, angles in degrees. OUT is an .stl, .obj or .ply file.";
    own.operands = "OUT";
    own.min_operands = 1;
    int code = run_command(&own, count, words);
    free(name);
    free(example);
    free_options(options);
    return code;
}

static int unknown_subcommand(const char *name)
{
    const char *names[SUBCOMMANDS + 1] = { NULL };
    for (int i = 0; i < SUBCOMMANDS; ++i) {
        names[i] = short_name(subcommands[i]);
    }
    const char *nearest = nearest_name(name, names);
    complain("'carom mesh' cannot '%s'%s%s%s; see 'carom mesh --help'", name, nearest ? "; did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "");
    return EXIT_BAD_INPUT;
}

static int mesh(int count, char **words)
{
    if (count == 0) {
        complain("'carom mesh' needs info, repair, refine or make; see 'carom mesh --help'");
        return EXIT_BAD_INPUT;
    }
    const command *cmd = find_subcommand(words[0]);
    if (cmd) {
        return cmd == &make_command ? run_make(count - 1, words + 1) : run_command(cmd, count - 1, words + 1);
    }
    if (asks_for_help(1, words)) {
        print_command_help(&command_mesh);
        return EXIT_DONE;
    }
    return unknown_subcommand(words[0]);
}

const command command_mesh = {
    .name = "mesh",
    .summary = "inspect, repair, refine or make a triangle mesh",
    .operands = "info|repair|refine|make ...",
    .notes = "  carom mesh info FILE                        size, volume, inertia, defects and where they are\n"
             "  carom mesh repair IN OUT                    weld, clean, orient, close holes\n"
             "  carom mesh refine IN OUT --triangles N      split longest edges; or --edge LENGTH\n"
             "  carom mesh make KIND OUT                    gear, bolt, nut, statue, ...; without KIND a list\n"
             "\n"
             "Each has options and help of its own: 'carom mesh repair --help'.",
    .example = "  carom mesh info part.stl\n  carom mesh make gear gear.stl --teeth 24",
    .run_words = mesh,
};
