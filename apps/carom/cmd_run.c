/* carom run: from a scene to a folder of results. */
#include "cmd_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "progress.h"
#include "table.h"

bool read_run_options(const arguments *args, carom_run_options *options)
{
    double threads = 0.0;
    bool ok = arguments_number(args, "--threads", 1, 4096, &threads) &&
              arguments_number(args, "--checkpoint-every", 1e-3, 1e9, &options->checkpoint_every) &&
              arguments_number(args, "--duration", 1e-12, 1e12, &options->duration);
    if (ok && threads > 0.0 && threads != floor(threads)) {
        complain("option '--threads' needs a whole number, not '%s'", arguments_text(args, "--threads"));
        return false;
    }
    options->threads = (int)threads;
    return ok;
}

/* Largest magnitude of a signal over all frames, or NAN. */
static double worst(const carom_result *result, const char *name)
{
    for (size_t k = 0; k < carom_result_signal_count(result); ++k) {
        const double *values = strcmp(carom_result_signal_name(result, k), name) == 0 ? carom_result_signal(result, k)
                                                                                      : NULL;
        double largest = 0.0;
        for (size_t i = 0; values && i < carom_result_frame_count(result); ++i) {
            largest = fmax(largest, fabs(values[i]));
        }
        if (values) {
            return largest;
        }
    }
    return (double)NAN;
}

static void print_trust(const char *folder)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    if (carom_result_open(folder, &result, &err) == CAROM_OK) {
        printf("  energy off by %.2g J at worst (kinetic up to %.3g J), joints by %.2g m or rad\n",
               worst(result, "energy.residue"), worst(result, "energy.kinetic"),
               worst(result, "constraint.position"));
        carom_result_close(result);
    }
}

static void print_outcome(const carom_progress *now, const char *folder, const char *how)
{
    print_line("%s at t = %.6g s after %ld steps, %.2f s of wall time", how, now->t, now->steps, now->wall);
    print_trust(folder);
    print_line("  results in %s; see 'carom info %s'", folder, folder);
}

int run_with_progress(run_function run, const scene *s, carom_run_options *options, bool quiet)
{
    progress p;
    carom_error err = { 0 };
    progress_begin(&p, quiet);
    options->keep_going = progress_keep_going;
    options->context = &p;
    carom_status status = run(s->model, options, &err);
    progress_end(&p);
    bool interrupted = status == CAROM_INTERRUPTED;
    if (status != CAROM_OK && !interrupted) {
        int code = p.started ? report(status, &err) : report_scene(status, &err, s->file);
        if (p.started) {
            complain("what was reached until t = %.6g s is saved in '%s'", p.now.t, options->folder);
            code = EXIT_GAVE_UP; /* the input was good enough to begin */
        }
        return code;
    }
    if (!quiet) {
        print_outcome(&p.now, options->folder, interrupted ? "interrupted" : "done");
    }
    if (interrupted) {
        complain("interrupted; 'carom resume %s' goes on from there", options->folder);
    }
    return interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* The command line as it was, for the record; words in single quotes where a shell needs them. */
static char *command_text(const arguments *args)
{
    char *text = copy_text("carom run");
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

static int run_scene(const arguments *args, const scene_source *source, carom_run_options *options)
{
    scene s;
    int code = scene_load(&s, source);
    if (code != EXIT_DONE) {
        return code;
    }
    run_note note = { .source = *source, .duration = options->duration };
    char *line = command_text(args);
    options->scene_text = s.text;
    options->command = line;
    if (!folder_prepare(options->folder) || !folder_write_note(options->folder, &note)) {
        code = EXIT_BAD_INPUT;
    } else {
        code = run_with_progress(carom_run, &s, options, arguments_have(args, "--quiet"));
    }
    free(line);
    scene_free(&s);
    return code;
}

static int run(const arguments *args)
{
    carom_run_options options = { 0 };
    if (!read_run_options(args, &options)) {
        return EXIT_BAD_INPUT;
    }
    const char *method = arguments_text(args, "--method");
    char *method_override = method ? format_text("contact.method=%s", method) : NULL;
    scene_source source = { .file = copy_text(args->operands[0]) };
    source.overrides = arguments_list(args, "--set", &source.override_count);
    if (method_override) {
        source.overrides[source.override_count++] = method_override;
    }
    const char *chosen = arguments_text(args, "--output");
    char *folder = chosen ? copy_text(chosen) : folder_default(source.file);
    options.folder = folder;
    int code = run_scene(args, &source, &options);
    free(folder);
    free(method_override);
    free(source.overrides);
    free(source.file);
    return code;
}

static const option options[] = {
    { "--output", 'o', "DIR", "Folder for the results (default: results/<scene>)" },
    { "--method", 'm', "METHOD", "Contact method instead of the scene's" },
    { "--set", 's', "PATH=VALUE", "Change a value of the scene; may be repeated" },
    { "--duration", 'd', "SECONDS", "Simulated time instead of the scene's" },
    { "--threads", 'j', "N", "Threads (default 1; the results do not depend on it)" },
    { "--checkpoint-every", 0, "SECONDS", "Wall time between checkpoints (default 30)" },
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
    .notes = "The folder receives result.h5, summary.json, signals.csv, run.txt and a checkpoint; an older result "
             "there is\n"
             "replaced, a folder with other files is refused. Ctrl-C ends the run with what was reached (exit code\n"
             "130); 'carom resume DIR' goes on.",
    .example = "  carom run pendulum.json --set bodies.rod.mass=2 --duration 5 -o results/heavy",
    .run = run,
};
