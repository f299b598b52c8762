/* carom run: from a scene to a folder of results. */
#include "cmd_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "folder.h"
#include "page_file.h"
#include "progress.h"
#include "reserve.h"
#include "table.h"

bool read_run_options(const arguments *args, carom_run_options *options)
{
    double threads = 0.0;
    bool ok = arguments_number(args, "--threads", 1, 4096, &threads) &&
              arguments_number(args, "--checkpoint-every", 1e-3, 1e9, &options->checkpoint_every);
    if (ok && threads > 0.0 && threads != floor(threads)) {
        complain("option '--threads' needs a whole number, not '%s'", arguments_text(args, "--threads"));
        return false;
    }
    options->threads = (int)threads;
    options->verify = arguments_have(args, "--verify");
    return ok;
}

run_manner read_run_manner(const arguments *args)
{
    return (run_manner){ .quiet = arguments_have(args, "--quiet"), .no_page = arguments_have(args, "--no-report") };
}

/* Where the scene's own start did not fit its joints, and by more than rounding. */
static void print_assembly(const carom_assembly *assembly)
{
    const double notable = 1e-6; /* [m], [m/s or rad/s] */
    if (assembly->position_change > notable) {
        print_line("  start: bodies moved by up to %.2g m to close the joints", assembly->position_change);
    }
    if (assembly->velocity_error > notable) {
        print_line("  start: velocities changed to fit joints and motions (off by up to %.2g m/s or rad/s)",
                   assembly->velocity_error);
    }
}

/* One line about what a balance cannot see, quiet or not; nothing where there is nothing to say, or all has been said. */
static void warn_of_findings(const carom_run_report *r, const char *warned, const char *folder)
{
    long grave = r->findings[CAROM_SEVERITY_WARNING] + r->findings[CAROM_SEVERITY_WRONG];
    long all = grave + r->findings[CAROM_SEVERITY_NOTE];
    if (grave > 0 && strcmp(warned, r->gravest) == 0) {
        if (all > 1) {
            complain("%ld findings about how far this can be trusted; 'carom info %s' says more", all, folder);
        }
    } else if (grave > 0) {
        complain("%s: %s%s 'carom info %s' says more",
                 r->findings[CAROM_SEVERITY_WRONG] > 0 ? "not to be trusted" : "warning", r->gravest,
                 all > 1 ? " (and other findings);" : ";", folder);
    }
}

/* Rigid contact has points and no depth. */
static void print_contact(const carom_run_report *r)
{
    char depth[48] = "";
    if (r->penetration_max > 0.0) {
        snprintf(depth, sizeof depth, ", %.2g m deep at most", r->penetration_max);
    }
    if (r->contacts_max > 0) {
        print_line("  contact at up to %ld %s%s", r->contacts_max, r->contacts_max == 1 ? "point" : "points", depth);
    }
}

static void print_outcome(const carom_run_report *r, const char *folder, const char *how, bool page)
{
    char rejected[48] = "";
    if (r->rejected > 0) {
        snprintf(rejected, sizeof rejected, " (%ld more rejected)", r->rejected);
    }
    if (r->stopped_by[0]) {
        print_line("the event '%s' has ended the run", r->stopped_by);
    }
    print_line("%s at t = %.6g s after %ld steps%s, %.2f s of wall time", how, r->t, r->steps, rejected, r->wall);
    print_assembly(&r->assembly);
    print_line("  energy off by %.2g J at worst (kinetic up to %.3g J), joints by %.2g m or rad", r->energy_error_max,
               r->kinetic_max, r->position_error_max);
    print_contact(r);
    print_line("  results in %s; see 'carom info %s'", folder, folder);
    if (page) {
        print_line("  open %s/report.html in a browser, or 'carom view %s'", folder, folder);
    }
}

/* What the exact test of the frames has found, whatever else is said; the exit code. Where no frame was written there is
 * nothing to say. */
static int report_verified(const carom_run_options *options, const run_manner *manner)
{
    const carom_verification *v = &options->report->verified;
    const char *frames = v->frames == 1 ? "frame" : "frames";
    if (v->intersections > 0) {
        complain("%s; %ld %s found in %ld %s", v->first, v->intersections,
                 v->intersections == 1 ? "intersection" : "intersections", v->frames, frames);
        return EXIT_CHECK_FAILED;
    }
    if (options->verify && v->frames > 0 && !manner->quiet) {
        print_line("  verified: no intersection in %ld %s (%ld %s of shapes tested in %.2g s)", v->frames, frames,
                   v->pairs, v->pairs == 1 ? "pair" : "pairs", v->wall);
    }
    return EXIT_DONE;
}

/* [bytes] of result.h5; 0: there is none. */
static double size_of_result(const char *folder)
{
    struct stat file;
    char *path = format_text("%s/result.h5", folder);
    double bytes = stat(path, &file) == 0 ? (double)file.st_size : 0.0;
    free(path);
    return bytes;
}

/* A run that ended badly. Once it has begun, or when files cannot be written, the input was good enough. */
static int report_failure(carom_status status, const carom_error *err, const char *scene_file, const progress *p,
                          const carom_run_options *options)
{
    double saved = options->report->saved;
    bool disk = status == CAROM_IO_FAILED;
    int code = p->started || disk ? report(status, err) : report_scene(status, err, scene_file);
    if (p->started && saved >= 0.0 && size_of_result(options->folder) > 0.0) { /* somebody may have removed it */
        complain("what was reached until t = %.6g s is saved in '%s'", saved, options->folder);
    } else if (p->started) {
        complain("nothing of the run is saved: '%s' holds no result.h5", options->folder);
    }
    return p->started || disk ? EXIT_GAVE_UP : code;
}

/* Memory that only the reserve still gives ends the work like Ctrl-C does: in order. */
static bool keep_going(void *context, const carom_progress *now)
{
    return progress_keep_going(context, now) && !reserve_is_low();
}

/* Whether a page of the results takes no time to speak of. */
static bool is_small(const char *folder)
{
    double bytes = size_of_result(folder);
    return bytes > 0.0 && bytes < 8e6;
}

/* Somebody waits for the end of the program: what he wants to know first, the page last and only if it is quick. */
static int report_interruption(const carom_run_report *how, const carom_error *err, const carom_run_options *options,
                               const run_manner *manner)
{
    if (!how->resumable) {
        complain("%s; nothing was written", reserve_is_low() ? "out of memory" : err->message);
        return reserve_is_low() ? EXIT_GAVE_UP : EXIT_INTERRUPTED;
    }
    const progress *p = options->context;
    warn_of_findings(how, p->warned, options->folder);
    if (!manner->quiet) {
        print_outcome(how, options->folder, "interrupted", false);
    }
    report_verified(options, manner);
    if (reserve_is_low()) {
        complain("out of memory; what was reached is saved, 'carom resume %s' goes on from there", options->folder);
        return EXIT_GAVE_UP;
    }
    complain("interrupted; 'carom resume %s' goes on from there", options->folder);
    fflush(stdout);
    bool page = false;
    if (!manner->no_page && is_small(options->folder)) {
        write_run_page(options->folder, &page);
    }
    if (page && !manner->quiet) {
        print_line("  open %s/report.html in a browser, or 'carom view %s'", options->folder, options->folder);
    }
    return EXIT_INTERRUPTED;
}

/* [bytes]; less than nothing where the system cannot say. */
static double free_space(const char *folder)
{
    struct statvfs disk;
    return statvfs(folder, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : -1.0;
}

/* What is there already counts: an older result is replaced, and one that goes on grows. */
static void warn_of_space(const carom_model *model, const carom_run_options *options)
{
    carom_run_amount much = { 0 };
    if (carom_run_check(model, options->duration, &much, NULL) != CAROM_OK) {
        return; /* it will not begin */
    }
    double bytes = much.bytes;
    double there = free_space(options->folder);
    char will[BYTES_TEXT];
    char free[BYTES_TEXT];
    if (there >= 0.0 && 2.0 * bytes - size_of_result(options->folder) > there) {
        complain(
            "warning: result.h5 will have %s or more, twice that while the run lasts, but '%s' has %s of free disk "
            "space; record less often (record.every), shorten the run, or choose another folder with -o",
            bytes_text(bytes, will), options->folder, bytes_text(there, free));
    }
}

/* What many contacts by events have to be told. */
static const char *advice_if_slow(const scene *s)
{
    const carom_scene_def *def = s->spec ? carom_spec_scene(s->spec) : NULL;
    const char *method = def ? def->contact.method.kind : NULL;
    bool fixed = strcmp(carom_model_integration(s->model).integrator, "central-differences") == 0;
    return method && strcmp(method, "impact") == 0 && !fixed
               ? "following events is slow where many contacts hang together: \"stepping\": \"fixed\" in contact solves all of a step at "
                 "once, with impacts known to a step and Newton's restitution (docs/many-contacts.md)"
               : NULL;
}

int run_with_progress(run_function run, const scene *s, carom_run_options *options, const run_manner *manner)
{
    progress p;
    carom_run_report how = { 0 };
    carom_error err = { 0 };
    char *words = format_text("carom: interrupted within a step; 'carom resume %s' goes on from the last checkpoint",
                              options->folder);
    warn_of_space(s->model, options);
    progress_begin(&p, manner->quiet);
    p.last_words = words;
    p.if_slow = advice_if_slow(s);
    options->keep_going = keep_going;
    options->context = &p;
    options->report = &how;
    carom_status status = run(s->model, options, &err);
    interrupt_last_words(NULL);
    progress_end(&p);
    free(words);
    if (status == CAROM_INTERRUPTED) {
        return report_interruption(&how, &err, options, manner);
    }
    bool page = false;
    if (status != CAROM_OK) {
        int code = report_failure(status, &err, s->file, &p, options);
        if (p.started && !manner->no_page && size_of_result(options->folder) > 0.0) {
            write_run_page(options->folder, &page); /* what was reached tells most about what went wrong */
        }
        report_verified(options, manner);
        return code;
    }
    warn_of_findings(&how, p.warned, options->folder);
    int code = manner->no_page ? EXIT_DONE : write_run_page(options->folder, &page);
    if (!manner->quiet) {
        print_outcome(&how, options->folder, "done", page);
    }
    int verified = report_verified(options, manner);
    return code == EXIT_DONE ? verified : code;
}

/* Words in single quotes, as a shell takes them. */
char *command_text(const arguments *args)
{
    char *text = format_text("carom %s", args->command->name);
    for (int i = 0; i < args->operand_count + args->value_count; ++i) {
        int k = i - args->operand_count;
        const char *name = k < 0 ? args->operands[i] : args->options[k]->name;
        const char *value = k < 0 ? NULL : args->values[k];
        char *longer = value ? format_text("%s %s '%s'", text, name, value) : format_text("%s '%s'", text, name);
        free(text);
        text = longer;
    }
    return text;
}

static int run_in_folder(const scene *s, const scene_source *source, carom_run_options *options,
                         const run_manner *manner)
{
    int lock;
    int code = folder_take(options->folder, &lock);
    if (code != EXIT_DONE) {
        return code;
    }
    code = folder_write_note(options->folder, source);
    if (code == EXIT_DONE) {
        code = run_with_progress(carom_run_folder, s, options, manner);
    }
    folder_unlock(lock);
    return code;
}

int run_scene(const scene_source *source, carom_run_options *options, const run_manner *manner)
{
    scene s;
    int code = scene_load(&s, source);
    if (code != EXIT_DONE) {
        return code;
    }
    options->scene_text = s.text;
    complain_notes(s.model, manner->quiet);
    code = run_in_folder(&s, source, options, manner);
    scene_free(&s);
    return code;
}

static int run(const arguments *args)
{
    scene_source source;
    carom_run_options options = { 0 };
    int code = EXIT_BAD_INPUT;
    if (scene_source_read(&source, args) && read_run_options(args, &options)) {
        const char *chosen = arguments_text(args, "--output");
        char *folder = chosen ? copy_text(chosen) : folder_default(source.file);
        char *line = command_text(args);
        run_manner manner = read_run_manner(args);
        options.folder = folder;
        options.command = line;
        code = run_scene(&source, &options, &manner);
        free(line);
        free(folder);
    }
    scene_source_free(&source);
    return code;
}

static const option options[] = {
    { "--output", 'o', "DIR", "Folder for the results (default: results/<scene>)" },
    { "--method", 'm', "METHOD", "Contact method instead of the scene's" },
    { "--set", 's', "PATH=VALUE", "Change a value of the scene; may be repeated" },
    { "--duration", 'd', "SECONDS", "Simulated time instead of the scene's" },
    { "--package", 0, "NAME=FOLDER", "Where a package of a robot (package://NAME/...) is; may be repeated" },
    { "--rigid-ipc-quirks", 0, NULL, "Hinge inertias and torques as the rigid-ipc code has them" },
    { "--threads", 'j', "N", "Threads (default 1; the results do not depend on it)" },
    { "--checkpoint-every", 0, "SECONDS", "Wall time between checkpoints (default 30)" },
    { "--verify", 0, NULL, "Test every frame for intersections, exactly; exit code 1 if there is one" },
    { "--no-report", 0, NULL, "Do not write report.html" },
    { "--quiet", 'q', NULL, "No progress bar, no summary" },
    { NULL, 0, NULL, NULL },
};

const command command_run = {
    .name = "run",
    .summary = "run a scene and write its results",
    .operands = "SCENE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "SCENE may be -, for standard input. The folder receives result.h5, summary.json, signals.csv, report.html,\n"
        "run.txt and a checkpoint; an older result there is replaced, a folder that holds other files but no result "
        "is\n"
        "refused, and so is one that another run is writing to. Ctrl-C ends the run with what was reached (exit "
        "code\n"
        "130); 'carom resume DIR' goes on.",
    .example = "  carom run pendulum.json --set bodies.rod.mass=2 --duration 5 -o results/heavy",
    .run = run,
};
