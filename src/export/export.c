/* The list of formats, and the choice of frames that all of them share. */
#include "export/export.h"

#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/text.h"
#include "result/result_read.h"

static const export_writer *const writers[] = { &export_csv, &export_vtk, &export_glb,
                                                &export_obj, &export_npz, &export_events };
enum { WRITERS = sizeof writers / sizeof writers[0] };

const carom_export_format *carom_export_format_at(size_t index)
{
    return index < WRITERS ? &writers[index]->format : NULL;
}

static const export_writer *find_writer(const char *name)
{
    for (size_t i = 0; name && i < WRITERS; ++i) {
        if (strcmp(writers[i]->format.name, name) == 0) {
            return writers[i];
        }
    }
    return NULL;
}

const carom_export_format *carom_export_format_find(const char *name)
{
    const export_writer *writer = find_writer(name);
    return writer ? &writer->format : NULL;
}

static carom_status unknown_format(const char *name, carom_error *err)
{
    const char *names[WRITERS];
    carom_text list = { 0 };
    for (size_t i = 0; i < WRITERS; ++i) {
        names[i] = writers[i]->format.name;
        carom_text_add(&list, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    const char *nearest = carom_text_nearest(name, names, WRITERS);
    carom_fail(err, CAROM_BAD_INPUT, "there is no export to '%.100s'%s%s%s; the formats are %s", name,
               nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "",
               list.failed ? "..." : list.data);
    carom_text_free(&list);
    return CAROM_BAD_INPUT;
}

/* Frames ascend in time. A frame at `until` up to rounding counts as within. */
static carom_status choose_frames(const carom_result *result, const carom_export_options *options, export_frames *out,
                                  carom_error *err)
{
    const double *time = carom_result_time(result);
    size_t total = carom_result_frame_count(result);
    double slack = total > 0 ? 1e-12 * fabs(time[total - 1]) : 0.0;
    double until = options->until > 0.0 ? options->until + slack : HUGE_VAL;
    size_t first = 0;
    size_t end = total;
    if (total == 0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the result holds no frames: its run was stopped before the first one");
    }
    while (first < total && time[first] < options->from - slack) {
        ++first;
    }
    while (end > first && time[end - 1] > until) {
        --end;
    }
    if (first == end) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "no frame lies between %g s and %g s: those of the result go from %g s to %g s",
                          options->from, options->until > 0.0 ? options->until : time[total - 1], time[0],
                          time[total - 1]);
    }
    size_t every = options->every > 0 ? options->every : 1;
    *out = (export_frames){ .first = first, .every = every, .count = (end - first - 1) / every + 1 };
    return CAROM_OK;
}

static carom_status check_options(const carom_result *result, const carom_export_options *options, carom_error *err)
{
    const char *function = "carom_result_export";
    const argument needed[] = { { "result", result }, { "options", options } };
    carom_status status = arguments_given(function, needed, 2, err);
    if (status == CAROM_OK) {
        status = argument_texts(function, "options->signals", options->signals, options->signal_count, err);
    }
    if (status == CAROM_OK && (!isfinite(options->from) || isnan(options->until))) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: from %g s until %g s is no span of time", function,
                            options->from, options->until);
    }
    if (status == CAROM_OK && !(options->exaggeration >= 0.0 && options->exaggeration < 1e12)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: deformations cannot be drawn %g times as large", function,
                            options->exaggeration);
    }
    return status;
}

carom_status carom_result_export(const carom_result *result, const carom_export_options *options,
                                 carom_export_report *report, carom_error *err)
{
    carom_export_report own;
    carom_status status = check_options(result, options, err);
    if (status != CAROM_OK) {
        return status;
    }
    const export_writer *writer = find_writer(options->format);
    export_job job = { .result = result,
                       .path = options->path,
                       .from = options->from,
                       .until = options->until > 0.0 ? options->until : HUGE_VAL,
                       .exaggeration = options->exaggeration > 0.0 ? options->exaggeration : 1.0,
                       .signals = options->signals,
                       .signal_count = options->signal_count,
                       .report = report ? report : &own };
    *job.report = (carom_export_report){ 0 };
    if (!writer) {
        return unknown_format(options->format ? options->format : "", err);
    }
    if (!job.path || !job.path[0]) {
        return carom_fail(err, CAROM_BAD_INPUT, "the export to %s needs the name of a %s", writer->format.name,
                          writer->format.folder ? "folder" : "file");
    }
    status = result_refuse_own(result, job.path, err);
    status = status == CAROM_OK ? choose_frames(result, options, &job.frames, err) : status;
    job.report->frames = job.frames.count;
    return status == CAROM_OK ? writer->write(&job, err) : status;
}
