/* Totals of a run: what its ledger, its steps and its contacts come to, and the report of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/run.h"

static void keep_worst(double *worst, double value)
{
    *worst = max_or_nan(*worst, fabs(value));
}

/* The largest energy that has changed its form since the start. Where all rests that is rounding: no less than a billionth of
 * what lifts the bodies by their size, or of what springs hold. */
static double turnover(const run *r, const carom_ledger *now)
{
    const carom_model *model = r->model;
    const carom_ledger *first = r->progress.steps > 0 ? &r->progress.first : now;
    const double all[] = { now->kinetic,
                           now->potential - first->potential,
                           now->elastic - first->elastic,
                           now->work_motors,
                           now->work_loads,
                           now->work_motion,
                           now->lost_damping,
                           now->lost_drag,
                           now->lost_stops,
                           now->lost_friction,
                           now->lost_contact,
                           now->lost_impact };
    double mass = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        mass += model->bodies[i].role == BODY_FREE ? model->bodies[i].mass : 0.0;
    }
    double least = 1e-9 * (mass * v3_norm(model->scene.gravity) * model->length_scale + fabs(now->elastic)) +
                   1e-12 * fabs(now->potential);
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        least = max_or_nan(least, fabs(all[k]));
    }
    return least;
}

static void judge(const run *r, run_progress *p, const carom_ledger *ledger)
{
    keep_worst(&p->energy_error_max, ledger->residue);
    keep_worst(&p->momentum_error_max, v3_norm(ledger->momentum_residue));
    keep_worst(&p->angular_momentum_error_max, v3_norm(ledger->angular_momentum_residue));
    keep_worst(&p->position_error_max, ledger->position_error);
    keep_worst(&p->velocity_error_max, ledger->velocity_error);
    keep_worst(&p->kinetic_max, ledger->kinetic);
    keep_worst(&p->turnover_max, turnover(r, ledger));
}

carom_status totals_look(run *r, run_progress *totals, carom_error *err)
{
    carom_ledger ledger;
    carom_status status = carom_observe_ledger(r->model, r->state, r->scratch, &ledger, err);
    if (status == CAROM_OK) {
        judge(r, totals, &ledger);
        r->last = ledger;
    }
    return status;
}

void totals_add_step(run *r, const carom_step_report *report)
{
    run_progress *p = &r->progress;
    r->last_dt = report->dt;
    r->last_contacts = report->contacts;
    p->steps++;
    p->rejected += report->rejected;
    p->switches += report->switches;
    p->evaluations += report->evaluations;
    p->contacts_max = report->contacts > p->contacts_max ? report->contacts : p->contacts_max;
    p->penetration_max = fmax(p->penetration_max, report->penetration);
    p->distance_min = fmin(p->distance_min, report->distance);
}

void totals_add_event(run *r, const carom_event *event)
{
    r->progress.events[event->kind]++;
    if (event->kind == CAROM_EVENT_IMPACT) {
        r->progress.impact_modes[event->mode]++;
    }
}

void totals_add_phases(const run *r, double phases[PHASE_COUNT])
{
    const work_counters *counters = &r->scratch->counters;
    phases[PHASE_DETECTION] += counters->seconds_detection;
    phases[PHASE_ASSEMBLY] += counters->seconds_assembly;
    phases[PHASE_SOLVE] += counters->seconds_solve;
}

/* What steps have found, and what only the whole run shows; the latter is not kept, as a longer run may show another. */
static carom_findings *all_findings(run *r)
{
    finding_list *last = &r->scratch->findings;
    finding_totals all = { 0 };
    const finding_totals *found = &r->watched.memory.findings;
    bool ok = true;
    last->count = 0;
    judge_totals(&r->judge, &r->watched.memory.totals, last);
    judge_numbers(&r->final, r->state->sums->work[ACCOUNT_NUMERICS], *r->state->time, last);
    for (size_t i = 0; ok && i < found->count; ++i) {
        ok = finding_totals_add(&all, &found->items[i]);
    }
    for (size_t i = 0; ok && i < last->count; ++i) {
        ok = finding_totals_add(&all, &last->items[i]);
    }
    carom_findings *findings = ok && !last->lost ? findings_tell(r->model, all.items, all.count) : NULL;
    free(all.items);
    return findings;
}

/* The look at the end is not part of the progress: an interrupted run must resume as if it had never stopped. */
void totals_sum_up(run *r)
{
    r->final = r->progress;
    totals_look(r, &r->final, NULL);
    r->findings = all_findings(r);
}

/* ---- the report ---------------------------------------------------------------------------------------------------- */

static long event_total(const run_progress *p)
{
    long total = 0;
    for (int kind = 0; kind < CAROM_EVENT_KINDS; ++kind) {
        total += p->events[kind];
    }
    return total;
}

/* How many findings of each severity, and the gravest of them in a sentence. */
static void report_findings(const carom_findings *findings, carom_run_report *report)
{
    for (size_t i = 0; i < carom_findings_count(findings); ++i) {
        report->findings[carom_findings_at(findings, i)->severity]++;
    }
    const carom_finding *gravest = carom_findings_at(findings, 0);
    if (gravest) {
        snprintf(report->gravest, sizeof report->gravest, "%s", gravest->text);
    }
}

carom_run_report carom_run_report_of(const carom_run *r)
{
    if (!r) {
        return (carom_run_report){ 0 };
    }
    const run_progress *p = r->ended ? &r->final : &r->progress;
    const work_counters *counters = &r->scratch->counters;
    carom_run_report report = { .t = *r->state->time,
                                .saved = r->saved,
                                .wall = run_wall(r),
                                .steps = p->steps,
                                .rejected = p->rejected,
                                .energy_error_max = p->energy_error_max,
                                .kinetic_max = p->kinetic_max,
                                .turnover_max = p->turnover_max,
                                .position_error_max = p->position_error_max,
                                .velocity_error_max = p->velocity_error_max,
                                .penetration_max = p->penetration_max,
                                .contacts_max = p->contacts_max,
                                .switches = p->switches,
                                .events = event_total(p),
                                .evaluations = p->evaluations,
                                .detection = p->phases[PHASE_DETECTION] + counters->seconds_detection,
                                .detection_processor = counters->processor_detection,
                                .searched = counters->searched,
                                .assembly = p->assembly,
                                .resumable = r->resumable };
    if (r->stopped_by >= 0) {
        snprintf(report.stopped_by, sizeof report.stopped_by, "%s", r->model->events[r->stopped_by].name);
    }
    if (r->verifier) {
        report.verified = *verifier_found(r->verifier);
    }
    report_findings(r->findings, &report);
    return report;
}
