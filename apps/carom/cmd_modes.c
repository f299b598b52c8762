/* carom modes: how a body that deforms vibrates, and whether it has enough modes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "scene.h"
#include "table.h"

/* ---- what is asked for ------------------------------------------------------------------------------------------------ */

static bool read_options(const arguments *args, carom_modes_options *out)
{
    double count = 0.0;
    out->free = arguments_have(args, "--free");
    if (!arguments_number(args, "--count", 1, 500, &count)) {
        return false;
    }
    if (count != floor(count)) {
        complain("'--count' needs a whole number");
        return false;
    }
    out->count = (int)count;
    return true;
}

/* The body named, or the only one that deforms; NULL: told why not. */
static const char *choose_body(const arguments *args, const carom_model *model)
{
    const char *only = NULL;
    int found = 0;
    for (carom_id i = 1; i < carom_model_body_count(model); ++i) {
        bool deforms = carom_model_flexible(model, i).kind != NULL;
        only = deforms && !only ? carom_model_body_name(model, i) : only;
        found += deforms;
    }
    if (args->operand_count > 1) {
        return args->operands[1];
    }
    if (found != 1) {
        complain("%d bodies of the scene deform; name %s: carom modes SCENE BODY", found,
                 found ? "one of them" : "a body");
    }
    return found == 1 ? only : NULL;
}

/* ---- what is told ----------------------------------------------------------------------------------------------------- */

static void mass_cell(table *t, const carom_mode_info *mode, int axis, double total)
{
    bool known = strcmp(mode->kind, "fixed-interface") == 0;
    double share = total > 0.0 ? 100.0 * mode->mass[axis] / total : 0.0;
    if (known) {
        table_cell(t, "%.1f", share < 0.05 ? 0.0 : share);
    } else {
        table_cell(t, " ");
    }
}

static void print_shapes(const carom_modes *modes, bool is_free)
{
    static const char *const titles[] = { "number",     "frequency [Hz]", "kind",  "strain/mm",
                                          "attachment", "x [%]",          "y [%]", "z [%]" };
    table t;
    double mass = carom_modes_mass(modes);
    double sum[3] = { 0.0, 0.0, 0.0 };
    table_init(&t, is_free ? 4 : 8, titles, is_free ? "rrtr" : "rrtrlrrr");
    for (int k = 0; k < carom_modes_count(modes); ++k) {
        carom_mode_info mode = carom_modes_get(modes, k);
        table_cell(&t, "%d", k + 1);
        table_number(&t, mode.frequency, 6);
        table_cell(&t, "%s", mode.kind);
        table_number(&t, 1e-3 * carom_modes_strain(modes, k), 3);
        if (!is_free) {
            table_cell(&t, "%s", mode.attachment ? mode.attachment : "");
        }
        for (int a = 0; a < 3; ++a) {
            sum[a] += mode.mass[a];
            if (!is_free) {
                mass_cell(&t, &mode, a, mass);
            }
        }
    }
    table_print(&t);
    if (sum[0] + sum[1] + sum[2] > 0.0) {
        print_line("  effective mass of the modes together: %.1f, %.1f, %.1f %% of %.6g kg along x, y, z",
                   100.0 * sum[0] / mass, 100.0 * sum[1] / mass, 100.0 * sum[2] / mass, mass);
    }
}

static void print_frequencies(const carom_modes *modes, bool is_free)
{
    static const char *const titles[] = { "number", "body [Hz]", "twice the modes [Hz]", "off [%]" };
    static const char *const free_titles[] = { "number", "body [Hz]", "finite elements [Hz]", "off [%]" };
    table t;
    print_heading("Frequencies of the free body, as it takes part in the motion");
    table_init(&t, 4, is_free ? free_titles : titles, "rrrr");
    for (int k = 0; k < carom_modes_frequency_count(modes); ++k) {
        carom_body_frequency f = carom_modes_frequency(modes, k);
        table_cell(&t, "%d", k + 1);
        table_number(&t, f.frequency, 6);
        if (isnan(f.better)) {
            table_cell(&t, " ");
            table_cell(&t, " ");
        } else {
            table_number(&t, f.better, 6);
            table_number(&t,
                         fabs(f.frequency - f.better) < 1e-9 * f.better ? 0.0
                                                                        : 100.0 * (f.frequency / f.better - 1.0),
                         2);
        }
    }
    table_print(&t);
}

static int print_modes(const carom_modes *modes, const char *body, const arguments *args, bool is_free)
{
    const char *folder = arguments_text(args, "--out");
    int count = carom_modes_count(modes);
    print_title("%s: %d %s", body, count,
                is_free ? "modes of the free body" : "shapes that its deformation is made of");
    print_shapes(modes, is_free);
    print_frequencies(modes, is_free);
    if (!folder) {
        return EXIT_DONE;
    }
    carom_error err = { 0 };
    carom_export_report written;
    carom_status status = carom_modes_export(modes, folder, &written, &err);
    if (status == CAROM_OK) {
        char file[4096];
        snprintf(file, sizeof file, "%s/modes.html", folder);
        status = carom_modes_page(modes, body, file, &err);
    }
    if (status == CAROM_OK) {
        char size[BYTES_TEXT];
        print_line("%s: modes.csv and modes.vtu, %s; modes.html shows the shapes", folder,
                   bytes_text((double)written.bytes, size));
    }
    return report_writing(status, &err);
}

static int find_and_print(const scene *s, const arguments *args)
{
    carom_modes_options options = { 0 };
    carom_modes *modes = NULL;
    carom_error err = { 0 };
    const char *body = read_options(args, &options) ? choose_body(args, s->model) : NULL;
    if (!body) {
        return EXIT_BAD_INPUT;
    }
    carom_status status = carom_modes_find(s->spec, body, &options, &modes, &err);
    if (status != CAROM_OK) {
        return report_scene(status, &err, s->file);
    }
    int code = print_modes(modes, body, args, options.free);
    carom_modes_destroy(modes);
    return code;
}

static int run_modes(const arguments *args)
{
    scene s;
    scene_source source;
    int code = scene_source_read(&source, args) ? scene_load(&s, &source) : EXIT_BAD_INPUT;
    if (code == EXIT_DONE) {
        code = find_and_print(&s, args);
        scene_free(&s);
    }
    scene_source_free(&source);
    return code;
}

static const option options[] = {
    { "--free", 0, NULL, "Modes of the free finite elements, and how far off the body is from them" },
    { "--count", 'n', "N", "How many modes of vibration (default: as the scene says; with --free 10)" },
    { "--out", 'o', "DIR", "Write modes.csv, modes.vtu (shapes for ParaView) and modes.html (a page) into a folder" },
    { "--method", 'm', "METHOD", "Contact method instead of the scene's" },
    { "--set", 's', "PATH=VALUE", "Change a value of the scene; may be repeated" },
    { NULL, 0, NULL, NULL },
};

const command command_modes = {
    .name = "modes",
    .summary = "modes, frequencies and shapes of a body that deforms",
    .operands = "SCENE [BODY]",
    .min_operands = 1,
    .max_operands = 2,
    .options = options,
    .notes =
        "The shapes are modes of vibration with the rigid attachments held (fixed-interface), and static shapes that a\n"
        "motion of an attachment (constraint) or a load on it (attachment) makes. The second table has the frequencies of\n"
        "the body that is made of them; where they change with twice the modes, it has too few for that frequency.",
    .example = "  carom modes slider-crank-flexible.json rod\n"
               "  carom modes slider-crank-flexible.json rod --free --count 20 -o rod-modes",
    .run = run_modes,
};
