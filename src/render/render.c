/* Which pictures there are, and where they go. Moments are read one after the other, since a result serves one thread; then some of them are
 * drawn at once, each on a canvas of its own; then they are written in order. So bytes do not depend on threads. */
#include <carom/render.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/arguments.h"
#include "base/parallel.h"
#include "files/output.h"
#include "files/output_folder.h"
#include "render/canvas.h"
#include "render/film.h"
#include "result/result_read.h"

enum { MOST_THREADS = 64, LEAST_PIXELS = 16, MOST_PIXELS = 16384 };

typedef enum render_kind { KIND_PICTURE, KIND_FILM, KIND_APNG, KIND_FOLDER } render_kind;

typedef struct render_slot {
    canvas canvas;
    moment moment;
    char caption[64];
    unsigned char *rgb;
    byte_buffer packed;
    bool ok;
} render_slot;

typedef struct render_job {
    const carom_render_options *options;
    carom_render_report *report;
    render_kind kind;
    png_size size;
    double fps, step; /* step [s] between pictures */
    int decimals;     /* of the time in captions */
    scenery scenery;
    render_view view;
    render_camera camera;
    v3 look_at; /* middle of the body that the camera follows, at the first picture */
    size_t slot_count, filled;
    render_slot slots[MOST_THREADS];
    film film;
    output_file file; /* of animated PNGs */
} render_job;

/* ---- what is asked for ---------------------------------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return path[strlen(path) - 1] == '/' || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

/* "film.mp4" becomes "film.apng" where there is no ffmpeg. */
static carom_status choose_kind(render_job *job, carom_error *err)
{
    const char *path = job->options->path;
    char *to = job->report->path;
    if (strlen(path) + 8 >= CAROM_RENDER_PATH) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.200s...': the path is too long", path);
    }
    strcpy(to, path);
    bool is_film = ends_with(path, ".mp4") || ends_with(path, ".webm");
    if (is_folder(path)) {
        job->kind = KIND_FOLDER;
    } else if (is_film && film_is_possible()) {
        job->kind = KIND_FILM;
    } else if (is_film || ends_with(path, ".apng")) {
        job->kind = KIND_APNG;
        job->report->instead_of_film = is_film;
        strcpy(strrchr(to, '.'), ".apng");
    } else if (ends_with(path, ".png")) {
        job->kind = KIND_PICTURE;
    } else {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.500s': pictures end in .png, films in .mp4, .webm or .apng, folders in /", path);
    }
    return CAROM_OK;
}

static carom_status check_numbers(const carom_render_options *o, carom_error *err)
{
    bool sized = (o->width == 0 && o->height == 0) || (o->width >= LEAST_PIXELS && o->width <= MOST_PIXELS &&
                                                       o->height >= LEAST_PIXELS && o->height <= MOST_PIXELS);
    if (!sized) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a picture of %d x %d pixels: width and height must be between %d and %d", o->width,
                          o->height, LEAST_PIXELS, MOST_PIXELS);
    }
    if (!(o->fps >= 0.0 && o->fps <= 600.0) || (o->fps > 0.0 && o->fps < 0.1)) {
        return carom_fail(err, CAROM_BAD_INPUT, "%g pictures per second: give 0.1 to 600", o->fps);
    }
    if (!(o->speed >= 0.0 && o->speed < HUGE_VAL)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a speed of %g: give a positive number of simulated seconds per second", o->speed);
    }
    if ((o->from && !isfinite(*o->from)) || (o->until && !isfinite(*o->until)) || o->threads < 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "times and the number of threads must be numbers");
    }
    return CAROM_OK;
}

static double within(double t, const carom_result *result)
{
    const double *time = carom_result_time(result);
    return fmin(fmax(t, time[0]), time[carom_result_frame_count(result) - 1]);
}

/* Times that the caller names lie in the run, but for rounding; views may begin anywhere. */
static carom_status check_times(const render_job *job, carom_error *err)
{
    const carom_render_options *o = job->options;
    const double *given[2] = { o->from, o->until };
    double begin = within(-HUGE_VAL, job->scenery.result);
    double end = within(HUGE_VAL, job->scenery.result);
    for (int i = 0; i < 2; ++i) {
        double t = given[i] ? *given[i] : begin;
        if (fabs(t - within(t, job->scenery.result)) > 1e-9 * (end - begin)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "there is nothing to see at %g s: the result goes from %g to %g s", t, begin, end);
        }
    }
    if (job->kind == KIND_PICTURE && o->until) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a picture has one time; films (.mp4, .webm, .apng) and folders go from one to another");
    }
    return CAROM_OK;
}

/* Real time where that can be watched; a very short or very long run is fitted into ten seconds, as on the page. */
static double usual_speed(double duration)
{
    return (duration >= 2.0 && duration <= 60.0) || !(duration > 0.0) ? 1.0 : duration / 10.0;
}

/* Digits with which two pictures have different times. */
static int decimals_for(double step)
{
    int decimals = 1;
    for (double digit = 0.1; decimals < 12 && digit > 1.0001 * step && step > 0.0; digit /= 10.0) {
        ++decimals;
    }
    return decimals;
}

static carom_status choose_times(render_job *job, carom_error *err)
{
    const carom_render_options *o = job->options;
    carom_render_report *r = job->report;
    const carom_result *result = job->scenery.result;
    double end = within(HUGE_VAL, result), duration = end - within(-HUGE_VAL, result);
    carom_status status = check_times(job, err);
    if (status != CAROM_OK) {
        return status;
    }
    r->from = within(o->from ? *o->from : job->view.at, result);
    r->until = within(o->until ? *o->until : end, result);
    r->speed = o->speed > 0.0 ? o->speed : job->view.speed > 0.0 ? job->view.speed : usual_speed(duration);
    job->fps = o->fps > 0.0 ? o->fps : 30.0;
    job->step = r->speed / job->fps;
    if (job->kind == KIND_PICTURE) {
        r->until = r->from;
        r->frames = 1;
        job->decimals = decimals_for(duration / 1000.0);
        return CAROM_OK;
    }
    if (r->until < r->from) {
        return carom_fail(err, CAROM_BAD_INPUT, "the film would end at %g s, before it begins at %g s", r->until,
                          r->from);
    }
    double count = floor((r->until - r->from) / job->step * (1.0 + 1e-12)) + 1.0;
    if (!(count <= CAROM_RENDER_MOST_FRAMES)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "%.3g pictures are more than %d: raise the speed (%g) or name a shorter time", count,
                          CAROM_RENDER_MOST_FRAMES, r->speed);
    }
    r->frames = (size_t)count;
    job->decimals = decimals_for(job->step);
    return CAROM_OK;
}

/* ---- one picture ---------------------------------------------------------------------------------------------------- */

/* "t = 0.125 s", whatever the locale. */
static void write_caption(char *out, size_t room, double t, int decimals)
{
    double unit = 1.0;
    for (int i = 0; i < decimals; ++i) {
        unit *= 10.0;
    }
    double steps = floor(fabs(t) * unit + 0.5), whole = floor(steps / unit);
    if (whole < 1e15) {
        snprintf(out, room, "t = %s%lld.%0*lld s", t < 0.0 && steps > 0.0 ? "-" : "", (long long)whole, decimals,
                 (long long)(steps - whole * unit));
    } else {
        snprintf(out, room, "t = %.9e s", t);
    }
}

/* Slots [begin, end): drawn, and packed where PNGs are wanted. */
static void draw_slots(void *context, size_t begin, size_t end)
{
    render_job *job = context;
    for (size_t i = begin; i < end; ++i) {
        render_slot *slot = &job->slots[i];
        render_camera camera = job->camera;
        if (job->view.follow && job->view.look_at > CAROM_GROUND) {
            box3 box = moment_box(&slot->moment, &job->scenery, job->view.look_at);
            camera = box3_is_empty(box) ? camera : camera_shift(camera, v3_sub(box3_middle(box), job->look_at));
        }
        canvas_begin(&slot->canvas, &job->scenery, &job->view, camera);
        slot->packed.size = 0;
        slot->ok = canvas_draw(&slot->canvas, &slot->moment, job->options->without_caption ? NULL : slot->caption,
                               slot->rgb) &&
                   (job->kind == KIND_FILM || png_pack(slot->rgb, job->size, &slot->packed));
    }
}

static bool make_slots(render_job *job)
{
    int threads = job->options->threads > 0 ? job->options->threads : carom_processor_count();
    size_t wanted = (size_t)(threads < MOST_THREADS ? threads : MOST_THREADS);
    bool ok = true;
    job->slot_count = wanted < job->report->frames ? wanted : job->report->frames;
    for (size_t i = 0; i < job->slot_count; ++i) {
        job->slots[i].rgb = malloc(3 * (size_t)job->size.width * (size_t)job->size.height);
        ok = ok && job->slots[i].rgb;
    }
    return ok;
}

static void free_slots(render_job *job)
{
    for (size_t i = 0; i < job->slot_count; ++i) {
        canvas_free(&job->slots[i].canvas);
        moment_free(&job->slots[i].moment);
        free(job->slots[i].rgb);
        byte_buffer_free(&job->slots[i].packed);
    }
}

/* ---- where they go -------------------------------------------------------------------------------------------------- */

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for a picture");
}

static carom_status begin_output(render_job *job, carom_error *err)
{
    static const char *const patterns[] = { "frame-#.png", NULL };
    const char *path = job->report->path;
    carom_status status = CAROM_OK;
    if (job->kind == KIND_FILM) {
        status = film_begin(&job->film, path, job->size, job->fps, err);
    } else if (job->kind == KIND_FOLDER) {
        status = output_folder_prepare(path, patterns, err);
    } else if (job->kind == KIND_APNG) {
        status = output_open(&job->file, path, err);
    }
    return status;
}

static carom_status write_buffer(render_job *job, byte_buffer *file, const char *path, carom_error *err)
{
    carom_status status = file->failed ? no_memory(err) : CAROM_OK;
    if (status == CAROM_OK && path) {
        status = output_whole(path, file->data, file->size, err);
    } else if (status == CAROM_OK) {
        output_write(&job->file, file->data, file->size);
    }
    byte_buffer_free(file);
    return status;
}

static carom_status write_png(render_job *job, const render_slot *slot, const char *path, carom_error *err)
{
    byte_buffer file = { 0 };
    png_begin(&file, job->size, 0);
    png_add_still(&file, &slot->packed);
    png_end(&file);
    return write_buffer(job, &file, path, err);
}

static carom_status write_frame(render_job *job, const render_slot *slot, size_t number, carom_error *err)
{
    byte_buffer file = { 0 };
    if (number == 0) {
        png_begin(&file, job->size, job->report->frames);
    }
    png_add_frame(&file, job->size, &slot->packed, number, job->fps);
    if (number + 1 == job->report->frames) {
        png_end(&file);
    }
    return write_buffer(job, &file, NULL, err);
}

static carom_status write_slot(render_job *job, const render_slot *slot, size_t number, carom_error *err)
{
    char path[CAROM_RENDER_PATH + 32];
    if (!slot->ok) {
        return no_memory(err);
    }
    switch (job->kind) {
    case KIND_FILM:
        return film_add(&job->film, slot->rgb, 3 * (size_t)job->size.width * (size_t)job->size.height, err);
    case KIND_APNG:
        return write_frame(job, slot, number, err);
    case KIND_FOLDER:
        snprintf(path, sizeof path, "%s/frame-%06zu.png", job->report->path, number);
        return write_png(job, slot, path, err);
    case KIND_PICTURE:
    default:
        return write_png(job, slot, job->report->path, err);
    }
}

static carom_status end_output(render_job *job, carom_status status, carom_error *err)
{
    if (job->kind == KIND_FILM) {
        return film_end(&job->film, status, err);
    }
    return job->kind == KIND_APNG ? output_close(&job->file, status, NULL, err) : status;
}

/* ---- all of them ---------------------------------------------------------------------------------------------------- */

static carom_status read_moments(render_job *job, size_t first, size_t count, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; ++i) {
        render_slot *slot = &job->slots[i];
        double t = fmin(job->report->from + (double)(first + i) * job->step, job->report->until);
        status = moment_read(&slot->moment, &job->scenery, t, err);
        write_caption(slot->caption, sizeof slot->caption, t, job->decimals);
    }
    return status;
}

static carom_status draw_all(render_job *job, carom_error *err)
{
    carom_status status = begin_output(job, err);
    if (status != CAROM_OK) {
        return status;
    }
    for (size_t first = 0; first < job->report->frames && status == CAROM_OK; first += job->slot_count) {
        size_t left = job->report->frames - first, count = left < job->slot_count ? left : job->slot_count;
        status = read_moments(job, first, count, err);
        if (status == CAROM_OK) {
            carom_parallel_uneven((int)job->slot_count, count, 1, draw_slots, job);
        }
        for (size_t i = 0; i < count && status == CAROM_OK; ++i) {
            status = write_slot(job, &job->slots[i], first + i, err);
        }
    }
    return end_output(job, status, err);
}

/* The camera of the first picture; views that follow a body take it along from there. */
static carom_status aim(render_job *job, carom_error *err)
{
    moment m = { 0 };
    carom_id body = job->view.look_at;
    carom_status status = moment_read(&m, &job->scenery, job->report->from, err);
    box3 box = status == CAROM_OK && body != CAROM_NONE ? moment_box(&m, &job->scenery, body) : box3_empty();
    box = box3_is_empty(box) ? job->scenery.framed : box;
    job->look_at = box3_middle(box);
    job->camera = camera_make(&job->scenery, &job->view, box, job->size.width, job->size.height);
    moment_free(&m);
    return status;
}

static carom_status run_job(render_job *job, const carom_result *result, carom_error *err)
{
    const carom_render_options *o = job->options;
    job->size = (png_size){ o->width ? o->width : 1280, o->height ? o->height : 720 };
    carom_status status = choose_kind(job, err);
    status = status == CAROM_OK ? result_refuse_own(result, job->report->path, err) : status;
    status = status == CAROM_OK ? scenery_make(&job->scenery, result, err) : status;
    status = status == CAROM_OK ? render_view_find(&job->view, result, o->view, &job->scenery.arena, err) : status;
    status = status == CAROM_OK ? choose_times(job, err) : status;
    status = status == CAROM_OK ? aim(job, err) : status;
    if (status == CAROM_OK) {
        status = make_slots(job) ? draw_all(job, err) : no_memory(err);
    }
    job->report->width = job->size.width;
    job->report->height = job->size.height;
    free_slots(job);
    scenery_free(&job->scenery);
    return status;
}

carom_status carom_render(const carom_result *result, const carom_render_options *options,
                          carom_render_report *report, carom_error *err)
{
    carom_render_report unused;
    const char *function = "carom_render";
    carom_status status = argument_given(function, "result", result, err);
    status = status == CAROM_OK ? argument_given(function, "options", options, err) : status;
    status = status == CAROM_OK ? argument_text(function, "options->path", options->path, err) : status;
    status = status == CAROM_OK ? check_numbers(options, err) : status;
    render_job *job = status == CAROM_OK ? calloc(1, sizeof *job) : NULL;
    report = report ? report : &unused;
    *report = (carom_render_report){ 0 };
    if (status != CAROM_OK || !job) {
        return status != CAROM_OK ? status : no_memory(err);
    }
    job->options = options;
    job->report = report;
    status = run_job(job, result, err);
    free(job);
    return status;
}
