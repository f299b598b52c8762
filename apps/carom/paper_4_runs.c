/* Paper 4: runs of its items, verified, and what is read from them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_4.h"

/* ---- verification ------------------------------------------------------------------------------------------------ */

double barrier_findings(const barrier_run *run, carom_finding_kind kind)
{
    carom_findings *list = NULL;
    carom_error err = { 0 };
    double count = 0.0;
    if (carom_result_findings(run->result, &list, &err) != CAROM_OK) {
        report(err.status, &err);
        return (double)NAN;
    }
    for (size_t i = 0; i < carom_findings_count(list); ++i) {
        const carom_finding *finding = carom_findings_at(list, i);
        count += finding->kind == kind ? (double)finding->count : 0.0;
    }
    carom_findings_destroy(list);
    return count;
}

static void verify(verification *v, const barrier_run *run)
{
    v->runs += 1.0;
    v->frames += (double)run->how.verified.frames;
    v->pairs += (double)run->how.verified.pairs;
    v->intersections += (double)run->how.verified.intersections;
    v->unsolved += barrier_findings(run, CAROM_FINDING_SOLVE_CUT_SHORT);
    v->lagging += barrier_findings(run, CAROM_FINDING_FRICTION_LAGS);
    v->steps += (double)run->how.steps;
    v->seconds += run->how.wall;
}

void verification_rows(paper_report *r, const verification *v)
{
    char runs[SETTING_TEXT];
    snprintf(runs, sizeof runs, "exact: %.0f frames, %.0f runs", v->frames, v->runs);
    paper_row(r, "intersections", v->frames > 0.0 ? v->intersections : (double)NAN, 0.0, 0.0, runs);
    snprintf(runs, sizeof runs, "%.0f steps", v->steps);
    paper_row(r, "steps not solved", v->unsolved, 0.0, 0.0, runs);
    paper_fact(r, "friction not settled", v->lagging, "steps; told as a finding");
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static int run_any(paper_report *r, verification *v, const char *scene, const char *text, const char *name,
                   const settings *s, barrier_run *out)
{
    carom_error err = { 0 };
    *out = (barrier_run){ 0 };
    carom_status status = paper_try(r, scene, text, name, s, &out->result, &out->how, &err);
    if (status != CAROM_OK) {
        complain("the run '%s' of paper 4 failed at t = %g s", name, out->how.t);
        return report_scene(status, &err, scene);
    }
    out->frames = carom_result_frame_count(out->result);
    out->time = carom_result_time(out->result);
    verify(v, out);
    if (out->how.verified.intersections > 0 && strcmp(carom_result_text(out->result, "method"), "barrier") == 0) {
        complain("the run '%s' of paper 4: %s", name, out->how.verified.first);
    }
    return EXIT_DONE;
}

int barrier_run_scene(paper_report *r, verification *v, const char *scene, const char *name, const settings *s,
                      barrier_run *out)
{
    return run_any(r, v, scene, NULL, name, s, out);
}

int barrier_run_text(paper_report *r, verification *v, const char *text, const char *name, const settings *s,
                     barrier_run *out)
{
    char *scene = format_text("%s.json", name);
    int code = run_any(r, v, scene, text, name, s, out);
    free(scene);
    return code;
}

void barrier_run_close(barrier_run *run)
{
    carom_result_close(run->result);
    *run = (barrier_run){ 0 };
}

double barrier_size(const paper_report *r, double quick, double usual, double full)
{
    return paper_is_full(r) ? full : paper_is_quick(r) ? quick : usual;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

const double *barrier_signal(const barrier_run *run, const char *name)
{
    return run->result ? paper_signal(run->result, name) : NULL;
}

double barrier_value(const barrier_run *run, const char *name, size_t frame)
{
    const double *values = barrier_signal(run, name);
    return values && frame < run->frames ? values[frame] : (double)NAN;
}

double barrier_last(const barrier_run *run, const char *name)
{
    return barrier_value(run, name, run->frames - 1);
}

double barrier_number(const barrier_run *run, const char *path)
{
    double value = (double)NAN;
    if (!carom_result_number(run->result, path, &value)) {
        complain("the summary has no number '%s'", path);
    }
    return value;
}

static carom_id find_body(const barrier_run *run, const char *name)
{
    for (size_t i = 0; i < carom_result_body_count(run->result); ++i) {
        const char *body = carom_result_body_name(run->result, (carom_id)i);
        if (body && strcmp(body, name) == 0) {
            return (carom_id)i;
        }
    }
    complain("the result has no body '%s'", name);
    return CAROM_NONE;
}

static carom_motion nowhere(void)
{
    double nan = (double)NAN;
    carom_v3 none = { nan, nan, nan };
    return (carom_motion){ .pose = { .position = none }, .velocity = none, .angular_velocity = none };
}

static carom_motion motion_of(const barrier_run *run, carom_id body, size_t frame)
{
    carom_motion motion = nowhere();
    carom_error err = { 0 };
    if (body != CAROM_NONE && carom_result_motion(run->result, body, frame, &motion, &err) != CAROM_OK) {
        report(err.status, &err);
    }
    return motion;
}

carom_motion barrier_motion(const barrier_run *run, const char *body, size_t frame)
{
    return motion_of(run, find_body(run, body), frame);
}

size_t barrier_frame(const barrier_run *run, double t)
{
    size_t best = 0;
    for (size_t i = 1; i < run->frames; ++i) {
        best = fabs(run->time[i] - t) < fabs(run->time[best] - t) ? i : best;
    }
    return best;
}

double barrier_travel(const barrier_run *run, const char *body, size_t first)
{
    carom_id id = find_body(run, body);
    carom_v3 from = motion_of(run, id, first).pose.position;
    double farthest = isnan(from.x) ? (double)NAN : 0.0;
    for (size_t i = first; i < run->frames; ++i) {
        carom_v3 at = motion_of(run, id, i).pose.position;
        farthest = paper_worse(farthest, hypot(hypot(at.x - from.x, at.y - from.y), at.z - from.z), 0.0);
    }
    return farthest;
}

/* ---- text --------------------------------------------------------------------------------------------------------- */

void scene_add(scene_text *s, const char *fmt, ...)
{
    va_list list, again;
    va_start(list, fmt);
    va_copy(again, list);
    int more = vsnprintf(NULL, 0, fmt, list);
    va_end(list);
    size_t needed = s->length + (size_t)more + 1;
    if (needed > s->capacity) {
        size_t capacity = needed > 2 * s->capacity ? 2 * needed : 2 * s->capacity;
        char *text = allocate(capacity, 1);
        memcpy(text, s->text ? s->text : "", s->length);
        free(s->text);
        s->text = text;
        s->capacity = capacity;
    }
    vsnprintf(s->text + s->length, s->capacity - s->length, fmt, again);
    va_end(again);
    s->length += (size_t)more;
}
