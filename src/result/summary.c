/* The summary as JSON, numbers with 17 digits so that they read back exactly. What is not a number is null.
 *
 * Jansson takes NULL for a value as a failure, so objects are built without checks and asked once at the end. */
#include "result/summary.h"

#include <carom/run.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/file.h"
#include "files/json_value.h"
#include "model/ledger.h"
#include "model/method.h"

/* An object and whether everything has gone in so far. */
typedef struct writer {
    bool ok;
} writer;

static json_t *vector(v3 a)
{
    return json_pack("[o,o,o]", json_value_number(a.x), json_value_number(a.y), json_value_number(a.z));
}

static void put(writer *w, json_t *object, const char *key, json_t *value)
{
    w->ok = json_object_set_new(object, key, value) == 0 && w->ok;
}

static void put_number(writer *w, json_t *object, const char *key, double value)
{
    put(w, object, key, json_value_number(value));
}

static json_t *phases(writer *w, const result_summary *s)
{
    static const char *const names[PHASE_COUNT] = {
        [PHASE_DETECTION] = "detection",     [PHASE_ASSEMBLY] = "assembly",   [PHASE_SOLVE] = "solve",
        [PHASE_CCD] = "collision_detection", [PHASE_RECORDING] = "recording",
    };
    json_t *object = json_object();
    for (int i = 0; i < PHASE_COUNT; ++i) {
        put_number(w, object, names[i], s->phases[i]);
    }
    return object;
}

static json_t *work(writer *w, const carom_ledger *last)
{
    json_t *object = json_object();
    put_number(w, object, "motors", last->work_motors);
    put_number(w, object, "loads", last->work_loads);
    put_number(w, object, "motion", last->work_motion);
    return object;
}

static json_t *dissipated(writer *w, const carom_ledger *last)
{
    json_t *object = json_object();
    put_number(w, object, "friction", last->lost_friction);
    put_number(w, object, "damping", last->lost_damping);
    put_number(w, object, "drag", last->lost_drag);
    put_number(w, object, "stops", last->lost_stops);
    put_number(w, object, "contact", last->lost_contact);
    put_number(w, object, "impact", last->lost_impact);
    put_number(w, object, "handover", last->lost_handover);
    put_number(w, object, "numerics", last->lost_numerics - last->residue); /* what vanished counts as lost */
    return object;
}

static json_t *energy(writer *w, const result_summary *s)
{
    json_t *object = json_object();
    put_number(w, object, "initial", carom_ledger_energy(&s->first));
    put_number(w, object, "final", carom_ledger_energy(&s->last));
    put_number(w, object, "kinetic", s->last.kinetic);
    put_number(w, object, "potential", s->last.potential);
    put_number(w, object, "elastic", s->last.elastic);
    put(w, object, "work", work(w, &s->last));
    put(w, object, "dissipated", dissipated(w, &s->last));
    put_number(w, object, "worst_balance_error", s->energy_error_max);
    put_number(w, object, "turned_over", s->turnover_max);
    return object;
}

static json_t *momentum(writer *w, v3 first, v3 last, double worst)
{
    json_t *object = json_object();
    put(w, object, "initial", vector(first));
    put(w, object, "final", vector(last));
    put_number(w, object, "worst_drift", worst);
    return object;
}

static json_t *both_momenta(writer *w, const result_summary *s)
{
    json_t *object = momentum(w, s->first.momentum, s->last.momentum, s->momentum_error_max);
    put(w, object, "angular",
        momentum(w, s->first.angular_momentum, s->last.angular_momentum, s->angular_momentum_error_max));
    return object;
}

static json_t *constraint_errors(writer *w, const result_summary *s)
{
    json_t *object = json_object();
    put_number(w, object, "position", s->position_error_max);
    put_number(w, object, "velocity", s->velocity_error_max);
    return object;
}

static json_t *events(writer *w, const result_summary *s)
{
    json_t *object = json_object();
    for (int kind = 0; kind < CAROM_EVENT_KINDS; ++kind) {
        put(w, object, carom_event_kind_name((carom_event_kind)kind), json_integer(s->events[kind]));
    }
    return object;
}

/* How many impacts of each contact mode; those that never came are left out. */
static json_t *impact_modes(writer *w, const result_summary *s)
{
    json_t *object = json_object();
    for (int mode = 0; mode < CAROM_MODES; ++mode) {
        if (s->impact_modes[mode] > 0) {
            put(w, object, carom_contact_mode_name((carom_contact_mode)mode), json_integer(s->impact_modes[mode]));
        }
    }
    return object;
}

static json_t *assembly(writer *w, const carom_assembly *a)
{
    json_t *object = json_object();
    put_number(w, object, "position_error", a->position_error);
    put_number(w, object, "position_change", a->position_change);
    put_number(w, object, "velocity_error", a->velocity_error);
    put(w, object, "iterations", json_integer(a->iterations));
    return object;
}

static json_t *body(writer *w, const carom_pose *pose, const body_rate *rate)
{
    carom_quat q = pose->orientation;
    json_t *object = json_object();
    put(w, object, "position", vector(pose->position));
    put(w, object, "orientation",
        json_pack("[o,o,o,o]", json_value_number(q.w), json_value_number(q.x), json_value_number(q.y),
                  json_value_number(q.z)));
    put(w, object, "velocity", vector(rate->v_w));
    put(w, object, "angular_velocity", vector(rate->omega_w));
    return object;
}

static json_t *bodies(writer *w, const carom_model *model, const result_summary *s)
{
    json_t *object = json_object();
    for (int i = 1; i < model->body_count; ++i) {
        json_t *name = json_value_text(model->bodies[i].name);
        if (!name) {
            w->ok = false;
            continue;
        }
        put(w, object, json_string_value(name), body(w, &s->pose[i], &s->rate[i]));
        json_decref(name);
    }
    return object;
}

/* Harder first, then by bodies. */
static int harder_first(const void *a, const void *b)
{
    const pair_total *p = *(const pair_total *const *)a;
    const pair_total *q = *(const pair_total *const *)b;
    return p->peak_force != q->peak_force ? (p->peak_force < q->peak_force ? 1 : -1) : (p > q) - (p < q);
}

static json_t *pair_object(writer *w, const carom_model *model, const pair_total *pair)
{
    json_t *object = json_object();
    put(w, object, "bodies",
        json_pack("[o,o]", json_value_text(model->bodies[pair->body[0]].name),
                  json_value_text(model->bodies[pair->body[1]].name)));
    put_number(w, object, "first_touch", pair->first_touch);
    put_number(w, object, "last_touch", pair->last_touch);
    put_number(w, object, "in_contact", pair->in_contact);
    put_number(w, object, "peak_force", pair->peak_force);
    put_number(w, object, "peak_at", pair->peak_at);
    put_number(w, object, "impulse", pair->impulse);
    put_number(w, object, "penetration", pair->penetration);
    return object;
}

/* The pairs that have pushed hardest; who asks for more has the contacts of all frames. */
static json_t *pairs(writer *w, const carom_model *model, const pair_totals *totals)
{
    json_t *list = json_array();
    const pair_total **order = malloc((totals->count + 1) * sizeof *order);
    w->ok = w->ok && order;
    for (size_t i = 0; order && i < totals->count; ++i) {
        order[i] = &totals->items[i];
    }
    if (order) {
        qsort(order, totals->count, sizeof *order, harder_first);
    }
    for (size_t i = 0; order && i < totals->count && i < CAROM_PAIRS_MOST; ++i) {
        w->ok = json_array_append_new(list, pair_object(w, model, order[i])) == 0 && w->ok;
    }
    free(order);
    return list;
}

static json_t *finding_object(writer *w, const carom_finding *f)
{
    json_t *object = json_object();
    put(w, object, "finding", json_string(f->name));
    put(w, object, "severity", json_string(carom_severity_name(f->severity)));
    put(w, object, "place", json_value_text(f->place));
    put_number(w, object, "number", f->number);
    put_number(w, object, "limit", f->limit);
    put(w, object, "unit", json_string(f->unit));
    put(w, object, "count", json_integer(f->count));
    put_number(w, object, "first", f->first);
    put_number(w, object, "worst", f->worst);
    put(w, object, "text", json_value_text(f->text));
    put(w, object, "remedy", json_value_text(f->remedy));
    return object;
}

/* What a balance cannot see; an empty list where there is nothing to say. */
static json_t *trust(writer *w, const carom_findings *findings)
{
    json_t *list = json_array();
    for (size_t i = 0; i < carom_findings_count(findings); ++i) {
        w->ok = json_array_append_new(list, finding_object(w, carom_findings_at(findings, i))) == 0 && w->ok;
    }
    return list;
}

/* What the exact test of the frames has found. Its wall time is left out: equal runs have equal summaries. */
static json_t *verified(writer *w, const carom_model *model, const carom_verification *v)
{
    json_t *object = json_object();
    put(w, object, "frames", json_integer(v->frames));
    put(w, object, "pairs", json_integer(v->pairs));
    put(w, object, "intersections", json_integer(v->intersections));
    if (v->intersections > 0) {
        put_number(w, object, "first_at", v->t);
        put(w, object, "bodies",
            json_pack("[o,o]", json_value_text(model->bodies[v->body[0]].name),
                      json_value_text(model->bodies[v->body[1]].name)));
        put(w, object, "text", json_value_text(v->first));
    }
    return object;
}

static json_t *summary_object(writer *w, const carom_model *model, const result_summary *s)
{
    json_t *object = json_object();
    put(w, object, "carom", json_string(CAROM_VERSION));
    put(w, object, "name", json_value_text(model->scene.name ? model->scene.name : ""));
    put(w, object, "status", json_value_text(s->status));
    put(w, object, "method", json_value_text(model->method ? model->method->kind.name : "none"));
    put_number(w, object, "time", s->t);
    put(w, object, "steps", json_integer(s->steps));
    put(w, object, "rejected", json_integer(s->rejected));
    put(w, object, "evaluations", json_integer(s->evaluations));
    put_number(w, object, "wall_s", s->wall);
    put(w, object, "phases", phases(w, s));
    put(w, object, "energy", energy(w, s));
    put(w, object, "momentum", both_momenta(w, s));
    put(w, object, "trust", trust(w, s->findings));
    put_number(w, object, "penetration_max", s->penetration_max);
    put_number(w, object, "distance_min", s->distance_min);
    put(w, object, "constraint_error_max", constraint_errors(w, s));
    put(w, object, "contacts_max", json_integer(s->contacts_max));
    put(w, object, "contact_switches", json_integer(s->switches));
    put(w, object, "impacts", json_integer(s->events[CAROM_EVENT_IMPACT]));
    put(w, object, "impact_modes", impact_modes(w, s));
    put(w, object, "events", events(w, s));
    put(w, object, "assembly", assembly(w, &s->assembly));
    if (s->pairs) {
        put(w, object, "pairs", pairs(w, model, s->pairs));
    }
    if (s->verified) {
        put(w, object, "verified", verified(w, model, s->verified));
    }
    put(w, object, "bodies", bodies(w, model, s));
    return object;
}

/* The text with a checksum of itself as its last entry; see summary_parse. */
static char *with_checksum(char *words)
{
    size_t bytes = words ? strlen(words) : 0;
    if (bytes < 2 || !CAROM_ARRAY_RESIZE(words, bytes + SUMMARY_TAIL + 1)) {
        free(words);
        return NULL;
    }
    summary_tail(words, bytes - 2, words + bytes - 2); /* in the place of "\n}" */
    return words;
}

char *summary_words(const carom_model *model, const result_summary *summary)
{
    writer w = { .ok = true };
    json_t *object = summary_object(&w, model, summary);
    char *words = with_checksum(w.ok ? json_write_text(object, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL);
    json_decref(object);
    return words;
}
