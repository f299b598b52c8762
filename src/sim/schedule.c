/* When frames are recorded: on a grid of times that never shapes the steps, so that results do not depend on how often they
 * are written. */
#include "base/arguments.h"
#include "model/method.h"
#include "result/result.h"
#include "sim/run.h"

/* Recorded times: so many, so far apart. */
typedef struct time_grid {
    double end, every; /* [s] */
} time_grid;

static time_grid grid_of(const carom_model *model, double duration)
{
    const carom_scene_def *scene = &model->scene;
    double end = duration > 0.0 ? duration : scene->time.end;
    return (time_grid){ end, scene->record.every > 0.0 ? scene->record.every : end / 1000.0 };
}

/* Far beyond what anybody looks at; usually a slip of the keyboard. */
static const double MOST_FRAMES = 1e8;
static const double MOST_BYTES = 1e11;

/* Contact points and events come on top; nobody knows beforehand how many. */
static carom_run_amount amount_of(const carom_model *model, time_grid grid)
{
    double frames = ceil(grid.end / grid.every - 1e-9) + 1.0; /* the last one is the end, on the grid or not */
    return (carom_run_amount){ frames, frames * (double)result_frame_bytes(model) };
}

static carom_status check_amount(const carom_model *model, time_grid grid, carom_error *err)
{
    carom_run_amount much = amount_of(model, grid);
    if (much.frames <= MOST_FRAMES && much.bytes <= MOST_BYTES) {
        return CAROM_OK;
    }
    double fewer = fmax(much.frames / MOST_FRAMES, much.bytes / MOST_BYTES);
    carom_fail(err, CAROM_BAD_INPUT,
               "record.every = %g s makes %.3g frames in %g s, %.3g GB in result.h5; at most %g frames and %g GB "
               "are written: give record.every of %.3g s or more, or a shorter duration",
               grid.every, much.frames, grid.end, 1e-9 * much.bytes, MOST_FRAMES, 1e-9 * MOST_BYTES,
               1.01 * fewer * grid.every);
    return model_blame_setting(model, "record.every", CAROM_BAD_INPUT, err);
}

carom_status carom_run_check(const carom_model *model, double duration, carom_run_amount *amount, carom_error *err)
{
    const char *function = "carom_run_check";
    if (amount) {
        *amount = (carom_run_amount){ 0 };
    }
    const argument needed[] = { { "model", model } };
    carom_status status = arguments_given(function, needed, 1, err);
    status = status == CAROM_OK ? argument_nonnegative(function, "duration", duration, "s", err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    time_grid grid = grid_of(model, duration);
    if (amount) {
        *amount = amount_of(model, grid);
    }
    return check_amount(model, grid, err);
}

void schedule_set(run *r)
{
    time_grid grid = grid_of(r->model, r->def.duration);
    r->progress.end = grid.end;
    r->progress.every = r->sink.every > 0.0 ? r->sink.every : grid.every;
}

carom_status schedule_check(const run *r, carom_error *err)
{
    time_grid grid = { r->progress.end, r->progress.every };
    if (!r->sink.frame) {
        return CAROM_OK;
    }
    if (r->sink.every > 0.0) {
        double frames = amount_of(r->model, grid).frames;
        return frames <= MOST_FRAMES
                   ? CAROM_OK
                   : carom_fail(err, CAROM_BAD_INPUT,
                                "a sink that takes a frame every %g s takes %.3g in %g s; %g at most", grid.every,
                                frames, grid.end, MOST_FRAMES);
    }
    return check_amount(r->model, grid, err);
}

void schedule_from_here(run *r)
{
    r->progress.first_time = *r->state->time;
    r->progress.first_frame = r->sink.frame ? (long)ceil(*r->state->time / r->progress.every - 1e-9) : 0;
    r->progress.frames = 0;
    r->progress.skipped = 0;
}

/* The time of frame k of the grid. The last one is the end, on the grid or not; the first is not before the state where the
 * run began, from which the grid may differ by rounding. */
static double frame_time(const run *r, long k)
{
    double t = fmax((double)k * r->progress.every, r->progress.first_time);
    return t < r->progress.end * (1.0 - 1e-12) ? t : r->progress.end;
}

static long frame_total(const run *r)
{
    return (long)ceil(r->progress.end / r->progress.every - 1e-9) + 1;
}

/* The next point of the grid. */
static long grid_point(const run *r)
{
    return r->progress.first_frame + r->progress.frames + r->progress.skipped;
}

double schedule_next(const run *r)
{
    return frame_time(r, grid_point(r));
}

bool schedule_reached(const run *r)
{
    bool ends = r->model->method->minimises || r->model->method->leaps;
    double rounding = ends ? 1e-6 * r->progress.every : 0.0; /* frames are at ends of steps */
    return grid_point(r) < frame_total(r) && schedule_next(r) <= *r->state->time + rounding;
}
