/* carom sdf: distance fields of meshes: build, look into, draw. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json_out.h"
#include "progress.h"
#include "table.h"

/* ---- options -------------------------------------------------------------------------------------------------------- */

static bool read_options(const arguments *args, carom_sdf_options *o)
{
    const double longest = 1e30;
    double resolution = o->resolution;
    double threads = 1.0;
    const char *kind = arguments_text(args, "--kind");
    const char *sign = arguments_text(args, "--sign");
    o->kind = kind ? kind : o->kind;
    o->sign = sign ? sign : o->sign;
    o->cache = arguments_have(args, "--no-cache") ? "" : NULL;
    bool ok = arguments_number(args, "--resolution", 8, 1048576, &resolution) &&
              arguments_number(args, "--threads", 1, 1024, &threads) &&
              arguments_number(args, "--spacing", 0, longest, &o->spacing) &&
              arguments_number(args, "--margin", 0, longest, &o->margin) &&
              arguments_number(args, "--band", 0, longest, &o->band) &&
              arguments_number(args, "--tolerance", 0, longest, &o->tolerance) &&
              arguments_number(args, "--scale", 1e-30, longest, &o->scale);
    if (ok && (resolution != floor(resolution) || threads != floor(threads))) {
        complain("'--resolution' and '--threads' need whole numbers");
        return false;
    }
    o->resolution = (int)resolution;
    o->threads = (int)threads;
    return ok;
}

/* ---- what is said --------------------------------------------------------------------------------------------------- */

/* With the unit that keeps it short. */
static void print_length(const char *what, double metres, const char *rest)
{
    static const struct {
        const char *name;
        double size; /* [m] */
    } units[] = { { "m", 1.0 }, { "mm", 1e-3 }, { "um", 1e-6 }, { "nm", 1e-9 } };
    int i = 0;
    while (i < 3 && fabs(metres) < units[i].size) {
        ++i;
    }
    print_line("  %-12s %.4g %s%s", what, metres / units[i].size, metres == 0.0 ? "m" : units[i].name, rest);
}

static void print_field(const char *name, const carom_sdf_info *i)
{
    print_heading("%s", name);
    print_line("  %-12s %d triangles, %d vertices, volume %.6g m^3", "mesh", i->triangle_count, i->vertex_count,
               i->volume);
    print_line("  %-12s %s, signs by %s", "field", i->kind,
               strcmp(i->sign, "winding") == 0 ? "winding numbers" : "pseudonormals");
    print_length("spacing", i->spacing, "");
    print_line("  %-12s %.6g, %.6g, %.6g to %.6g, %.6g, %.6g m", "box", i->low.x, i->low.y, i->low.z, i->high.x,
               i->high.y, i->high.z);
    print_line("  %-12s %zu nodes, %.3g MB", "size", i->node_count, 1e-6 * (double)i->bytes);
    print_length("error", i->error_bound, " at most near the surface (measured, with a margin)");
    print_length("", i->error_mean, " on average");
    if (isfinite(i->band)) {
        print_length("band", i->band, " around the surface with exact nodes; bounds beyond");
    }
    print_line("  %-12s %.3g s%s", "built in", i->build_seconds, i->from_cache ? ", read from a file now" : "");
}

static void print_remarks(const carom_sdf *f)
{
    char *remarks = carom_sdf_remarks(f);
    for (char *line = remarks ? strtok(remarks, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        print_line("  %s", line);
    }
    carom_text_destroy(remarks);
}

/* ---- the actions ---------------------------------------------------------------------------------------------------- */

static int build(const arguments *args, const carom_sdf *f, const char *file)
{
    carom_error err = { 0 };
    const char *output = arguments_text(args, "--output");
    carom_sdf_info info = carom_sdf_about(f);
    print_field(file, &info);
    print_remarks(f);
    carom_status status = output ? carom_sdf_save(f, output, &err) : CAROM_OK;
    if (status == CAROM_OK && output) {
        print_line("  %-12s %s", "written to", output);
    }
    return report_writing(status, &err);
}

static void json_field(const char *file, const carom_sdf_info *i)
{
    json_begin("sdf info");
    json_text("file", file);
    json_text("kind", i->kind);
    json_text("sign", i->sign);
    json_number("spacing", i->spacing);
    json_vector("low", i->low);
    json_vector("high", i->high);
    json_number("nodes", (double)i->node_count);
    json_number("bytes", (double)i->bytes);
    json_number("error_bound", i->error_bound);
    json_number("error_mean", i->error_mean);
    json_number("band", i->band);
    json_end();
}

static int info(const arguments *args, const carom_sdf *f, const char *file)
{
    carom_sdf_info about = carom_sdf_about(f);
    if (arguments_have(args, "--json")) {
        json_field(file, &about);
        return EXIT_DONE;
    }
    print_field(file, &about);
    print_remarks(f);
    return EXIT_DONE;
}

static bool read_axis(const arguments *args, int *axis)
{
    const char *name = arguments_text(args, "--axis");
    const char *found = name && name[0] && !name[1] ? strchr("xyz", name[0]) : NULL;
    if (name && !found) {
        complain("option '--axis' needs x, y or z, not '%s'", name);
        return false;
    }
    *axis = found ? (int)(found - "xyz") : 2;
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The middle of the box unless told otherwise. */
static double middle_of(const carom_sdf_info *i, int axis)
{
    double low[3] = { i->low.x, i->low.y, i->low.z };
    double high[3] = { i->high.x, i->high.y, i->high.z };
    return 0.5 * (low[axis] + high[axis]);
}

static int slice(const arguments *args, const carom_sdf *f, const char *file)
{
    carom_error err = { 0 };
    int axis;
    double width = 900.0;
    const char *output = arguments_text(args, "--output");
    carom_sdf_info about = carom_sdf_about(f);
    if (!read_axis(args, &axis)) {
        return EXIT_BAD_INPUT;
    }
    double at = middle_of(&about, axis);
    at = fabs(at) < 1e-4 * about.spacing ? 0.0 : at; /* but for rounding */
    if (!arguments_number(args, "--at", -1e30, 1e30, &at) || !arguments_number(args, "--width", 200, 10000, &width)) {
        return EXIT_BAD_INPUT;
    }
    output = output ? output : "slice.png";
    char *title = format_text("Distance field of %s", base_name(file));
    carom_status status = carom_sdf_draw_slice(f, axis, at, (int)width, title, output, &err);
    free(title);
    if (status == CAROM_OK) {
        print_line("%s: slice of %s across %c at %.6g m", output, file, "xyz"[axis], at);
    }
    return report_writing(status, &err);
}

typedef struct action {
    const char *name;
    int (*run)(const arguments *args, const carom_sdf *f, const char *file);
} action;

static const action actions[] = { { "build", build }, { "info", info }, { "slice", slice } };

static const action *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; ++i) {
        if (strcmp(actions[i].name, name) == 0) {
            return &actions[i];
        }
    }
    const char *const names[] = { "build", "info", "slice", NULL };
    const char *nearest = nearest_name(name, names);
    complain("'carom sdf' cannot '%s'%s%s%s; it can build, info and slice", name, nearest ? "; did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

static int run_sdf(const arguments *args)
{
    const action *what = find_action(args->operands[0]);
    const char *file = args->operands[1];
    carom_sdf_options options = carom_sdf_options_default();
    carom_sdf *field = NULL;
    carom_error err = { 0 };
    if (!what || !read_options(args, &options)) {
        return EXIT_BAD_INPUT;
    }
    if (arguments_have(args, "--json")) {
        json_errors();
    }
    progress p;
    progress_begin(&p, false);
    options.keep_going = progress_keep_building;
    options.context = &p;
    carom_status status = carom_sdf_open(file, &options, &field, &err);
    progress_end(&p);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    int code = what->run(args, field, file);
    carom_sdf_destroy(field);
    return code;
}

static const option options[] = {
    { "--kind", 'k', "KIND", "bricks (default), dense or octree" },
    { "--resolution", 'r', "N", "Cells along the longest edge (default 128)" },
    { "--spacing", 0, "METRES", "Size of a cell instead" },
    { "--sign", 0, "SIGN", "auto (default), pseudonormal or winding" },
    { "--margin", 0, "METRES", "Room around the mesh (default two cells)" },
    { "--band", 0, "METRES", "bricks: nodes nearer than this are exact (default three cells)" },
    { "--tolerance", 0, "METRES", "octree: largest error of a cell (default a twentieth of the spacing)" },
    { "--scale", 0, "METRES", "Length of one unit of the mesh file (default 1)" },
    { "--axis", 0, "AXIS", "slice: x, y or z (default), the axis across the plane" },
    { "--at", 0, "METRES", "slice: place of the plane (default the middle)" },
    { "--width", 0, "PIXELS", "slice: width of the picture (default 900)" },
    { "--output", 'o', "FILE", "build: keep the field; slice: the picture, .png .svg or .pdf (default slice.png)" },
    { "--json", 0, NULL, "`info`: one JSON object on standard output instead of text" },
    { "--no-cache", 0, NULL, "Neither read nor write the cache" },
    { "--threads", 'j', "N", "Threads (default 1); the field does not depend on it" },
    { NULL, 0, NULL, NULL },
};

const command command_sdf = {
    .name = "sdf",
    .summary = "build, inspect or draw the distance field of a mesh",
    .operands = "build|info|slice MESH",
    .min_operands = 2,
    .max_operands = 2,
    .options = options,
    .notes =
        "MESH is an STL, OBJ or PLY file, or a field kept by 'carom sdf build -o'. Fields are kept in $CAROM_CACHE,\n"
        "$XDG_CACHE_HOME/carom or ~/.cache/carom under a hash of mesh and options; an empty $CAROM_CACHE keeps none.",
    .example = "  carom sdf build part.stl --scale 0.001 --resolution 256\n"
               "  carom sdf slice part.stl --scale 0.001 --resolution 256 --axis z --at 0 -o slice.png",
    .run = run_sdf,
};
