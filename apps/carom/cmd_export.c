/* carom export: a result for other programs. The formats are those the library lists. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "guard.h"
#include "signals.h"
#include "table.h"

/* ---- format and path ------------------------------------------------------------------------------------------------ */

static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return dot && dot > base ? dot : "";
}

static char *list_formats(void)
{
    char *list = copy_text("");
    const carom_export_format *format;
    for (size_t i = 0; (format = carom_export_format_at(i)); ++i) {
        char *longer = format_text("%s%s%s", list, i == 0 ? "" : ", ", format->name);
        free(list);
        list = longer;
    }
    return list;
}

static const carom_export_format *format_of_ending(const char *ending)
{
    const carom_export_format *format;
    for (size_t i = 0; (format = carom_export_format_at(i)); ++i) {
        if (strcasecmp(format->extension, ending) == 0) {
            return format;
        }
    }
    return NULL;
}

static const carom_export_format *unknown_format(const char *name)
{
    const char *names[32] = { NULL };
    const carom_export_format *format;
    for (size_t i = 0; i < 31 && (format = carom_export_format_at(i)); ++i) {
        names[i] = format->name;
    }
    const char *nearest = nearest_name(name, names);
    char *list = list_formats();
    complain("option '--to' does not know '%s'%s%s%s; the formats are %s", name, nearest ? "; did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "", list);
    free(list);
    return NULL;
}

/* What --to says, else what the ending of -o says, else csv. */
static const carom_export_format *choose_format(const arguments *args)
{
    const char *name = arguments_text(args, "--to");
    const char *path = arguments_text(args, "--output");
    if (name) {
        const carom_export_format *format = carom_export_format_find(name);
        return format ? format : unknown_format(name);
    }
    const char *ending = path ? ending_of(path) : "";
    const carom_export_format *format = format_of_ending(ending);
    if (format || !ending[0]) {
        return format ? format : carom_export_format_find("csv");
    }
    char *list = list_formats();
    complain("no format ends with '%s'; say which one is meant with --to: %s", ending, list);
    free(list);
    return NULL;
}

/* Path of the folder that holds the result, without slashes at its end; free() it. */
static char *folder_of(const char *result)
{
    char *folder = copy_text(result);
    struct stat info;
    size_t length = strlen(folder);
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) { /* result.h5 itself */
        const char *slash = strrchr(folder, '/');
        length = slash ? (size_t)(slash - folder) + 1 : 0;
    }
    while (length > 1 && folder[length - 1] == '/') {
        --length;
    }
    folder[length] = '\0';
    return folder;
}

/* Beside the folder of the result, called like it: results/pendulum.glb, results/pendulum-vtk. A folder named "." is
 * called by the name it has. */
static char *default_path(const char *result, const carom_export_format *format)
{
    char here[4096];
    char *folder = folder_of(result);
    bool is_here = !folder[0] || strcmp(folder, ".") == 0;
    const char *name = is_here && getcwd(here, sizeof here) ? here : folder;
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    if (!base[0] || strcmp(base, ".") == 0 || strcmp(base, "..") == 0) {
        name = "result";
    }
    char *path = format->folder ? format_text("%s-%s", name, format->name)
                                : format_text("%s%s", name, format->extension);
    free(folder);
    return path;
}

/* Fit for standard output. */
static bool is_table(const carom_export_format *format)
{
    return strcmp(format->extension, ".csv") == 0;
}

/* "x.pvd" asks for the folder x. */
static char *choose_path(const arguments *args, const carom_export_format *format)
{
    const char *given = arguments_text(args, "--output");
    if (!given) {
        return is_table(format) ? copy_text("-") : default_path(args->operands[0], format);
    }
    char *path = copy_text(given);
    const char *ending = ending_of(path);
    if (format->folder && strcasecmp(ending, format->extension) == 0) {
        path[strlen(path) - strlen(ending)] = '\0';
    }
    return path;
}

/* ---- the command ---------------------------------------------------------------------------------------------------- */

static bool read_frames(const arguments *args, carom_export_options *options)
{
    double every = 1.0;
    bool ok = arguments_number(args, "--every", 1.0, 1e9, &every) &&
              arguments_number(args, "--from", 0.0, 1e300, &options->from) &&
              arguments_number(args, "--until", 0.0, 1e300, &options->until) &&
              arguments_number(args, "--exaggerate", 1e-9, 1e9, &options->exaggeration);
    if (ok && every != floor(every)) {
        complain("option '--every' needs a whole number, not %g", every);
        ok = false;
    }
    if (ok && arguments_have(args, "--until") && options->until < options->from) {
        complain("--from %g s is later than --until %g s", options->from, options->until);
        ok = false;
    }
    if (arguments_have(args, "--until")) {
        options->until = fmax(options->until, DBL_MIN); /* to the library 0 is no limit; here it is the start */
    }
    options->every = (size_t)every;
    return ok;
}

/* Whether what was written may be on the screen already. */
static bool is_piped(const char *path)
{
    struct stat info;
    bool other = stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    return other || strcmp(path, "-") == 0 || strncmp(path, "/dev/std", 8) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

static void say_what_was_written(const carom_export_options *options, const carom_export_report *done)
{
    bool piped = is_piped(options->path);
    bool small = done->bytes < 1000000;
    bool of_events = strcmp(options->format, "events") == 0;
    size_t count = of_events ? done->events : done->frames;
    if (!piped) {
        print_line("%s: %zu file%s, %zu %s%s, %.1f %s", options->path, done->files, done->files == 1 ? "" : "s",
                   count, of_events ? "event" : "frame", count == 1 ? "" : "s",
                   (small ? 1e-3 : 1e-6) * (double)done->bytes, small ? "kB" : "MB");
    }
    if (done->without_shapes) {
        complain(
            "the result holds no shapes, so nothing but the motion of the bodies was written: the scene has none, "
            "or an older carom wrote it and the scene must be run again");
    }
    if (done->deformation_off > 0.01) {
        complain(
            "what is drawn of the deformation is off by up to %.0f %% of it: shorter spans (--from, --until) have simpler "
            "motions",
            100.0 * done->deformation_off);
    }
    if (done->poses_held > 0) {
        complain("%zu poses are not finite; bodies are shown where they were last", done->poses_held);
    }
}

static int write_export(const carom_result *result, const carom_export_options *options)
{
    carom_error err = { 0 };
    carom_export_report done;
    carom_status status = carom_result_export(result, options, &done, &err);
    if (status == CAROM_OK) {
        say_what_was_written(options, &done);
        return EXIT_DONE;
    }
    return report_writing(status, &err);
}

/* Says what is wrong and answers false. */
static bool choose_signals(const arguments *args, const carom_result *result, signal_list *list)
{
    const char *given = arguments_text(args, "--signals");
    char *unmatched = given ? signal_list_add(list, result, given) : NULL;
    if (unmatched) {
        complain("no signal matches '%s'; 'carom info --all' lists them", unmatched);
        free(unmatched);
        return false;
    }
    return true;
}

static int export_opened(const arguments *args, const carom_result *result, const carom_export_format *format)
{
    carom_export_options options = { .format = format->name };
    if (arguments_have(args, "--signals") && !format->signals) {
        complain("option '--signals' is for csv and npz; %s has no signals", format->name);
        return EXIT_BAD_INPUT;
    }
    char *path = choose_path(args, format);
    signal_list list = { 0 };
    int code = EXIT_BAD_INPUT;
    if (strcmp(path, "-") == 0 && !is_table(format)) {
        complain("only csv and events go to standard output; name a %s with -o", format->folder ? "folder" : "file");
    } else if (read_frames(args, &options) && choose_signals(args, result, &list)) {
        options.path = path;
        options.signals = (const char *const *)list.names;
        options.signal_count = list.count;
        code = write_export(result, &options);
    }
    signal_list_free(&list);
    free(path);
    return code;
}

static int export_result(const arguments *args)
{
    const carom_export_format *format = choose_format(args);
    if (!format) {
        return EXIT_BAD_INPUT;
    }
    carom_error err = { 0 };
    carom_result *result = NULL;
    carom_status status = carom_result_open(args->operands[0], &result, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    int code = export_opened(args, result, format);
    carom_result_close(result);
    return code;
}

static int export(const arguments *args)
{
    return run_guarded(export_result, args, args->operands[0]);
}

static const option options[] = {
    { "--to", 't', "FORMAT", "csv, vtk, glb, obj, npz or events (default: as -o ends, else csv)" },
    { "--output", 'o', "PATH",
      "File or folder to write (default: csv and events to standard output, others see below)" },
    { "--signals", 's', "A,B,...", "csv, npz: which ones, also patterns such as 'rod.*' (default: all)" },
    { "--every", 'n', "N", "Only each N-th frame" },
    { "--exaggerate", 'x', "FACTOR", "glb: draw deformations so many times as large" },
    { "--from", 0, "SECONDS", "Leave out frames before" },
    { "--until", 0, "SECONDS", "Leave out frames after" },
    { NULL, 0, NULL, NULL },
};

const command command_export = {
    .name = "export",
    .summary = "write a result as CSV, VTK, glTF, OBJ or NumPy arrays",
    .operands = "RESULT",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "RESULT is the folder of a run or a result.h5. Formats:\n"
        "  csv     a table of signals; the first column is time\n"
        "  vtk     a folder for ParaView: bodies and contact points, a .vtu per frame, a .pvd for the series\n"
        "  glb     one animated scene for any glTF viewer\n"
        "  obj     a folder for modellers: an .obj per frame, and materials.mtl\n"
        "  npz     one archive of arrays for NumPy\n"
        "  events  a table (CSV) of what happened when: impacts with impulses, touching, sticking, sliding\n"
        "\n"
        "Without -o, results/run becomes results/run.glb, results/run.npz, results/run-vtk or results/run-obj. A "
        "folder\n"
        "that holds files of somebody else is refused. Beside the signals a scene records there are those of every\n"
        "body (rod.position.x), joint (hinge.angle, hinge.force.x) and the ledger (energy.kinetic).",
    .example = "  carom export results/pendulum --signals 'rod.position.*,energy.total' -o rod.csv\n"
               "  carom export results/pendulum --to vtk --every 10\n"
               "  carom export results/pendulum -o pendulum.glb",
    .run = export,
};
