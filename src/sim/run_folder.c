/* carom_run_folder and carom_resume_folder: a run whose sink is a folder, from its beginning or its checkpoint to its end. */
#include <math.h>

#include <carom/run.h>

#include "base/arguments.h"

static carom_status run_all(const carom_model *model, const carom_run_options *options, bool resume, carom_error *err)
{
    const carom_folder_options folder = { .folder = options->folder,
                                          .checkpoint_every = options->checkpoint_every,
                                          .scene_text = options->scene_text,
                                          .command = options->command };
    carom_sink sink;
    const carom_run_def def = { .duration = options->duration,
                                .threads = options->threads,
                                .sink = &sink,
                                .checkpoint = resume ? options->folder : NULL,
                                .keep_going = options->keep_going,
                                .context = options->context,
                                .processor_time = options->processor_time,
                                .verify = options->verify };
    carom_run *run = NULL;
    carom_status status = carom_sink_folder(&folder, &sink, err);
    status = status == CAROM_OK ? carom_run_create(model, &def, &run, err) : status;
    status = status == CAROM_OK ? carom_run_advance(run, HUGE_VAL, 0.0, err) : status;
    if (options->report) {
        *options->report = run ? carom_run_report_of(run) : (carom_run_report){ .saved = -1.0 };
    }
    carom_run_destroy(run);
    return status;
}

static carom_status check_options(const char *function, const carom_model *model, const carom_run_options *options,
                                  carom_error *err)
{
    const argument needed[] = { { "model", model }, { "options", options } };
    carom_status status = arguments_given(function, needed, 2, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (options->report) {
        *options->report = (carom_run_report){ 0 };
    }
    status = argument_text(function, "options->folder", options->folder, err);
    if (status == CAROM_OK) {
        status = argument_nonnegative(function, "options->duration", options->duration, "s", err);
    }
    if (status == CAROM_OK) {
        status = argument_nonnegative(function, "options->checkpoint_every", options->checkpoint_every, "s", err);
    }
    return status == CAROM_OK ? argument_threads(function, options->threads, err) : status;
}

carom_status carom_run_folder(const carom_model *model, const carom_run_options *options, carom_error *err)
{
    carom_status status = check_options("carom_run_folder", model, options, err);
    return status == CAROM_OK ? run_all(model, options, false, err) : status;
}

carom_status carom_resume_folder(const carom_model *model, const carom_run_options *options, carom_error *err)
{
    carom_status status = check_options("carom_resume_folder", model, options, err);
    return status == CAROM_OK ? run_all(model, options, true, err) : status;
}
