/* carom resume: goes on with a run from its checkpoint, bit for bit. */
#include <stdlib.h>

#include "cmd_run.h"
#include "folder.h"

static int resume_note(const arguments *args, run_note *note, carom_run_options *options)
{
    scene s;
    const char *moved = arguments_text(args, "--scene");
    if (moved) {
        free(note->source.file);
        note->source.file = copy_text(moved);
    }
    int code = scene_load(&s, &note->source);
    if (code != EXIT_DONE) {
        complain("this scene was run into '%s'; if it has moved, name it with --scene FILE", options->folder);
        return code;
    }
    options->duration = options->duration > 0.0 ? options->duration : note->duration;
    options->scene_text = s.text;
    code = run_with_progress(carom_resume, &s, options, arguments_have(args, "--quiet"));
    scene_free(&s);
    return code;
}

static int resume(const arguments *args)
{
    run_note note;
    carom_run_options options = { .folder = args->operands[0] };
    if (!read_run_options(args, &options)) {
        return EXIT_BAD_INPUT;
    }
    int code = EXIT_BAD_INPUT;
    if (folder_read_note(options.folder, &note)) {
        code = resume_note(args, &note, &options);
    }
    run_note_free(&note);
    return code;
}

static const option options[] = {
    { "--duration", 'd', "SECONDS", "New end of the simulated time, counted from its start" },
    { "--scene", 0, "FILE", "The scene, if it is no longer where it was" },
    { "--threads", 'j', "N", "Threads (default 1; the results do not depend on it)" },
    { "--checkpoint-every", 0, "SECONDS", "Wall time between checkpoints (default 30)" },
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
