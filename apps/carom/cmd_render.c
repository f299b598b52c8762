/* carom render: pictures and films of a result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "guard.h"
#include "table.h"

/* ---- the command line ----------------------------------------------------------------------------------------------- */

/* "1920x1080". */
static bool read_size(const arguments *args, carom_render_options *options)
{
    const char *text = arguments_text(args, "--size");
    char *end = NULL;
    if (!text) {
        return true;
    }
    long width = strtol(text, &end, 10);
    long height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    bool ok = *end == '\0' && width > 0 && height > 0 && width <= 100000 && height <= 100000;
    if (!ok) {
        complain("option '--size' needs width and height in pixels such as 1920x1080, not '%s'", text);
    }
    options->width = (int)width;
    options->height = (int)height;
    return ok;
}

typedef struct time_span {
    double from, until;
    bool has_from, has_until;
} time_span;

static bool read_moment(const char *text, const char *end, double *out, bool *given)
{
    char *stop = NULL;
    *given = text != end;
    *out = *given ? strtod(text, &stop) : 0.0;
    return !*given || (stop == end && isfinite(*out));
}

/* "2.4", or for films "2:3", "2:" and ":3". */
static bool read_time(const arguments *args, time_span *span)
{
    const char *text = arguments_text(args, "--time");
    if (!text) {
        return true;
    }
    const char *colon = strchr(text, ':');
    const char *end = text + strlen(text);
    bool ok = text != end && read_moment(text, colon ? colon : end, &span->from, &span->has_from) &&
              (!colon || read_moment(colon + 1, end, &span->until, &span->has_until));
    if (!ok) {
        complain("option '--time' needs seconds such as 2.4, or for films 2:3, not '%s'", text);
    }
    return ok;
}

/* ---- the command ---------------------------------------------------------------------------------------------------- */

static void say_what_was_written(const carom_render_report *done, double fps)
{
    if (done->instead_of_film) {
        complain("there is no ffmpeg here, so that an animated PNG was written, which browsers play: %s", done->path);
    }
    if (done->frames == 1) {
        print_line("%s: %d x %d pixels, t = %g s", done->path, done->width, done->height, done->from);
    } else {
        print_line("%s: %zu pictures of %d x %d pixels, %g to %g s in %.3g s", done->path, done->frames, done->width,
                   done->height, done->from, done->until, (double)done->frames / fps);
    }
}

static int render_opened(const arguments *args, const carom_result *result)
{
    time_span span = { 0 };
    double threads = 0.0;
    carom_render_options options = { .path = arguments_text(args, "--output"),
                                     .view = arguments_text(args, "--view"),
                                     .without_caption = arguments_have(args, "--no-caption") };
    bool ok = read_size(args, &options) && read_time(args, &span) &&
              arguments_number(args, "--fps", 0.1, 600.0, &options.fps) &&
              arguments_number(args, "--speed", 1e-12, 1e12, &options.speed) &&
              arguments_number(args, "--threads", 1.0, 4096.0, &threads);
    if (!ok) {
        return EXIT_BAD_INPUT;
    }
    options.threads = (int)threads;
    options.from = span.has_from ? &span.from : NULL;
    options.until = span.has_until ? &span.until : NULL;
    carom_error err = { 0 };
    carom_render_report done;
    carom_status status = carom_render(result, &options, &done, &err);
    if (status == CAROM_OK) {
        say_what_was_written(&done, options.fps > 0.0 ? options.fps : 30.0);
    }
    return report_writing(status, &err);
}

static int render_result(const arguments *args)
{
    if (!arguments_have(args, "--output")) {
        complain("render needs -o: a picture.png, a film.mp4 or a folder/");
        return EXIT_BAD_INPUT;
    }
    carom_error err = { 0 };
    carom_result *result = NULL;
    carom_status status = carom_result_open(args->operands[0], &result, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    int code = render_opened(args, result);
    carom_result_close(result);
    return code;
}

static int render(const arguments *args)
{
    return run_guarded(render_result, args, args->operands[0]);
}

static const option options[] = {
    { "--output", 'o', "PATH", "picture.png, film.mp4, film.webm, film.apng, or a folder/ of pictures" },
    { "--view", 'v', "NAME", "View of the scene, by name or number (default: the first)" },
    { "--size", 's', "WxH", "Pixels (default: 1280x720)" },
    { "--time", 't', "SECONDS",
      "Of a picture; of a film FROM:UNTIL, FROM: or :UNTIL (default: as the view says, to the end)" },
    { "--speed", 0, "NUMBER", "Simulated seconds per second of a film (default: as the view says)" },
    { "--fps", 0, "NUMBER", "Pictures per second (default: 30)" },
    { "--no-caption", 0, NULL, "Leave out the time and the scale of forces" },
    { "--threads", 'j', "N", "Pictures that are drawn at once (default: one per processor)" },
    { NULL, 0, NULL, NULL },
};

const command command_render = {
    .name = "render",
    .summary = "draw a picture or a film of a result",
    .operands = "RESULT",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "RESULT is the folder of a run or a result.h5. carom draws by itself, without display and graphics card; pictures are\n"
        "the same on every machine. They show what the page shows: bodies with shadows, contact points, arrows of forces,\n"
        "springs, joints where bodies hang from them, the time. A film is made by ffmpeg; where there is none, an animated\n"
        "PNG is written instead, and said so.",
    .example = "  carom render results/docking -o latch.png --view latch --time 2.4\n"
               "  carom render results/docking -o docking.mp4 --view whole --size 1920x1080\n"
               "  carom render results/stack -o frames/ --fps 60 --time 0:1",
    .run = render,
};
