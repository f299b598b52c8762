/* carom resume: goes on with a run from its checkpoint, bit for bit. */
#include <stdlib.h>

#include "cmd_run.h"
#include "folder.h"

static int resume_source(const arguments *args, scene_source *source, carom_run_options *options)
{
    scene s;
    const char *moved = arguments_text(args, "--scene");
    source->quiet = arguments_have(args, "--quiet");
    if (moved) {
        free(source->file);
        source->file = copy_text(moved);
    } else if (is_standard_input(source->file)) {
        complain("the scene of '%s' came from standard input; 'carom info %s --scene' prints it: save it and name it "
                 "with --scene FILE",
                 options->folder, options->folder);
        return EXIT_BAD_INPUT;
    }
    int code = scene_load(&s, source);
    if (code != EXIT_DONE) {
        complain("this scene was run into '%s'; if it has moved, name it with --scene FILE", options->folder);
        return code;
    }
    options->scene_text = s.text;
    run_manner manner = read_run_manner(args);
    code = run_with_progress(carom_resume_folder, &s, options, &manner);
    scene_free(&s);
    return code;
}

static int resume(const arguments *args)
{
    int lock;
    scene_source source;
    carom_run_options options = { .folder = args->operands[0] };
    if (!read_run_options(args, &options) || !arguments_number(args, "--duration", 1e-12, 1e12, &options.duration) ||
        !folder_lock(options.folder, &lock)) {
        return EXIT_BAD_INPUT;
    }
    int code = EXIT_BAD_INPUT;
    if (folder_read_note(options.folder, &source)) {
        code = resume_source(args, &source, &options);
    }
    folder_free_note(&source);
    folder_unlock(lock);
    return code;
}

static const option options[] = {
    { "--duration", 'd', "SECONDS", "New end of the simulated time, counted from its start" },
    { "--scene", 0, "FILE", "The scene, if it is no longer where it was" },
    { "--threads", 'j', "N", "Threads (default 1; the results do not depend on it)" },
    { "--checkpoint-every", 0, "SECONDS", "Wall time between checkpoints (default 30)" },
    { "--verify", 0, NULL, "Test every frame, earlier ones too, for intersections; exit code 1 if there is one" },
    { "--no-report", 0, NULL, "Do not write report.html" },
    { "--quiet", 'q', NULL, "No progress bar, no summary" },
    { NULL, 0, NULL, NULL },
};

const command command_resume = {
    .name = "resume",
    .summary = "go on with an interrupted run, bit for bit",
    .operands = "DIR",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "The scene is read again with the overrides noted in DIR/run.txt; it must not have changed. The results are\n"
        "those of a run that was never interrupted.",
    .example = "  carom resume results/pendulum\n  carom resume results/pendulum --duration 20",
    .run = resume,
};
