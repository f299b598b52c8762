/* carom fmu: a scene as an FMU for co-simulation. */
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "table.h"

/* "a,b" as a list; commas inside brackets stay. */
static const char **split(char *text, size_t *count)
{
    size_t most = 1;
    for (const char *c = text; *c; ++c) {
        most += *c == ',';
    }
    const char **list = allocate(most + 1, sizeof *list);
    int depth = 0;
    char *word = text;
    *count = 0;
    for (char *c = text;; ++c) {
        depth += *c == '[' || *c == '(';
        depth -= *c == ']' || *c == ')';
        if (*c == '\0' || (*c == ',' && depth == 0)) {
            bool last = *c == '\0';
            *c = '\0';
            if (word[0]) {
                list[(*count)++] = word;
            }
            if (last) {
                break;
            }
            word = c + 1;
        }
    }
    return list;
}

static char *default_path(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    return format_text("%.*s.fmu", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

static int write_fmu(const arguments *args, const scene_source *source)
{
    const char *given_in = arguments_text(args, "--inputs");
    const char *given_out = arguments_text(args, "--outputs");
    const char *given_path = arguments_text(args, "--output");
    char *in = copy_text(given_in ? given_in : "");
    char *out = copy_text(given_out ? given_out : "");
    char *path = given_path ? copy_text(given_path) : default_path(source->file);
    carom_fmu_options options = {
        .scene = source->file, .path = path, .overrides = source->overrides, .override_count = source->override_count
    };
    const char **inputs = split(in, &options.input_count);
    const char **outputs = split(out, &options.output_count);
    options.inputs = inputs;
    options.outputs = outputs;
    carom_error err = { .all = allocate(1, sizeof *err.all) };
    carom_export_report report = { 0 };
    carom_status status = carom_fmu_export(&options, &report, &err);
    int code = status == CAROM_OK ? EXIT_DONE : report_scene(status, &err, source->file);
    if (code == EXIT_DONE) {
        print_line("%s: %zu inputs, %zu outputs, %.1f MB", path, options.input_count, options.output_count,
                   1e-6 * (double)report.bytes);
    }
    free(err.all);
    free(inputs);
    free(outputs);
    free(in);
    free(out);
    free(path);
    return code;
}

static int fmu(const arguments *args)
{
    scene_source source;
    int code = scene_source_read(&source, args) ? EXIT_DONE : EXIT_BAD_INPUT;
    if (code == EXIT_DONE && is_standard_input(source.file)) {
        complain("an FMU is made of a scene file, not of standard input");
        code = EXIT_BAD_INPUT;
    }
    code = code == EXIT_DONE ? write_fmu(args, &source) : code;
    scene_source_free(&source);
    return code;
}

static const option options[] = {
    { "--inputs", 'i', "A,B,...", "Inputs of the scene that become inputs of the FMU" },
    { "--outputs", 'y', "A,B,...", "Signals that become its outputs" },
    { "--output", 'o', "FILE", "The FMU (default: the scene's name with .fmu)" },
    { "--set", 's', "PATH=VALUE", "Change a value of the scene; may be repeated" },
    { "--method", 'm', "METHOD", "Contact method instead of the scene's" },
    { "--package", 0, "NAME=FOLDER", "Where a package of a robot (package://NAME/...) is; may be repeated" },
    { NULL, 0, NULL, NULL },
};

const command command_fmu = {
    .name = "fmu",
    .summary = "pack a scene as an FMU for co-simulation (FMI 2.0)",
    .operands = "SCENE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "The FMU holds the scene, the files it names, and carom's library for Linux. Its states can be saved, restored and\n"
        "serialised, to the bit.",
    .example = "  carom fmu slider.json --inputs pull --outputs slider.position.x,pin.force.x -o slider.fmu",
    .run = fmu,
};
