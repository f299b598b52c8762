/* What a run that has ended says of itself: the text of summary.json. */
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "model/method.h"
#include "result/summary.h"
#include "sim/run.h"

static const char *status_text(carom_arena *arena, const carom_error *outcome)
{
    if (outcome->status == CAROM_OK) {
        return "done";
    }
    if (outcome->status == CAROM_INTERRUPTED) {
        return "interrupted";
    }
    const char *text = carom_arena_printf(arena, "failed: %s", outcome->message);
    return text ? text : "failed";
}

/* Body frames at the end. */
static bool look_at_bodies(carom_arena *arena, const run *r, result_summary *s)
{
    carom_pose *pose = CAROM_ARENA_ARRAY(arena, carom_pose, r->model->body_count);
    body_rate *rate = CAROM_ARENA_ARRAY(arena, body_rate, r->model->body_count);
    for (int i = 0; pose && rate && i < r->model->body_count; ++i) {
        pose[i] = carom_state_pose(r->model, r->state, i);
        rate[i] = (body_rate){ carom_state_velocity(r->model, r->state, i),
                               carom_state_angular_velocity(r->model, r->state, i) };
    }
    s->pose = pose;
    s->rate = rate;
    return pose && rate;
}

carom_status run_summary_words(const run *r, const carom_error *outcome, char **out, carom_error *err)
{
    carom_arena arena = { 0 };
    const run_progress *p = &r->final;
    if (!r->findings) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for findings");
    }
    result_summary s = { .status = status_text(&arena, outcome),
                         .t = *r->state->time,
                         .steps = p->steps,
                         .rejected = p->rejected,
                         .evaluations = p->evaluations,
                         .wall = run_wall(r),
                         .first = p->first,
                         .last = r->last,
                         .energy_error_max = p->energy_error_max,
                         .turnover_max = p->turnover_max,
                         .momentum_error_max = p->momentum_error_max,
                         .angular_momentum_error_max = p->angular_momentum_error_max,
                         .position_error_max = p->position_error_max,
                         .velocity_error_max = p->velocity_error_max,
                         .penetration_max = p->penetration_max,
                         .distance_min = isfinite(p->distance_min) ? p->distance_min : (double)NAN,
                         .contacts_max = (int)p->contacts_max,
                         .switches = p->switches,
                         .assembly = p->assembly,
                         .pairs = r->model->method->forces ? &r->watched.memory.totals : NULL,
                         .verified = r->verifier ? verifier_found(r->verifier) : NULL,
                         .findings = r->findings };
    bool seen = look_at_bodies(&arena, r, &s);
    memcpy(s.phases, p->phases, sizeof s.phases);
    memcpy(s.events, p->events, sizeof s.events);
    memcpy(s.impact_modes, p->impact_modes, sizeof s.impact_modes);
    totals_add_phases(r, s.phases);
    *out = seen ? summary_words(r->model, &s) : NULL;
    carom_arena_free(&arena);
    return *out ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "no memory for the summary");
}

carom_status carom_run_summary(const carom_run *r, char **out, carom_error *err)
{
    const argument needed[] = { { "run", r }, { "out", out } };
    if (out) {
        *out = NULL;
    }
    carom_status status = arguments_given("carom_run_summary", needed, 2, err);
    if (status == CAROM_OK && !r->ended) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "carom_run_summary: the run has not ended; advance it until carom_run_ended says so");
    }
    return status == CAROM_OK ? run_summary_words(r, &r->outcome, out, err) : status;
}
