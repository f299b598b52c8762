/* Paper 4: promises. Nothing passes, the same bits with any number of threads, refusals that name who is to blame, kinematic bodies
 * that are blocked. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_4.h"

/* ---- P4.22 collision queries --------------------------------------------------------------------------------------- */

/* Numbers that are the same everywhere [xorshift64*]. */
static double draw(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return (double)((*seed * 2685821657736338717u) >> 11) / 9007199254740992.0;
}

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * draw(seed);
}

static carom_v3 direction(uint64_t *seed)
{
    double z = between(seed, -1.0, 1.0), angle = between(seed, 0.0, 6.283185307179586), r = sqrt(1.0 - z * z);
    return (carom_v3){ r * cos(angle), r * sin(angle), z };
}

static carom_v3 times(double s, carom_v3 a)
{
    return (carom_v3){ s * a.x, s * a.y, s * a.z };
}

static carom_quat turn(uint64_t *seed)
{
    carom_v3 axis = direction(seed);
    double half = between(seed, 0.0, 3.14159265358979323846);
    return (carom_quat){ cos(half), sin(half) * axis.x, sin(half) * axis.y, sin(half) * axis.z };
}

/* A throw: a tetrahedron above a sheet that it cannot go round, from a thousandth of its size to ten sizes away, towards it with up
 * to a hundred sizes per step and up to three radians. */
typedef struct throw_counts {
    double throws, passed;
} throw_counts;

static const double reach = 0.62; /* [m] of the tetrahedron's corners from its centre */

static carom_status throw_once(const carom_model *model, carom_state *state, carom_scratch *scratch, uint64_t *seed,
                               throw_counts *counts, carom_error *err)
{
    carom_id body = carom_model_find_body(model, "tetrahedron");
    double gap = pow(10.0, between(seed, -3.0, 1.0));
    carom_v3 aim = direction(seed), omega = times(between(seed, 0.0, 3.0), direction(seed));
    carom_v3 v = times(pow(10.0, between(seed, -1.0, 2.0)), (carom_v3){ aim.x, aim.y, -fabs(aim.z) });
    carom_pose pose = { .position = { between(seed, -1.0, 1.0), between(seed, -1.0, 1.0), reach + gap },
                        .orientation = turn(seed) };
    carom_status status = carom_state_set_pose(model, state, body, pose, err);
    status = status == CAROM_OK ? carom_state_set_velocity(model, state, body, v, omega, err) : status;
    for (int step = 0; step < 2 && status == CAROM_OK; ++step) {
        status = carom_step(model, state, scratch, 1.0, NULL, err);
        counts->passed += !(carom_state_pose(model, state, body).position.z > 0.0);
    }
    counts->throws += 1.0;
    return status;
}

static carom_status throw_all(const carom_model *model, int count, throw_counts *counts, carom_error *err)
{
    carom_state *state = carom_state_create(model);
    carom_scratch *scratch = NULL;
    uint64_t seed = 88172645463325252u;
    carom_status status = carom_scratch_create(model, 1, &scratch, err);
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        status = throw_once(model, state, scratch, &seed, counts, err);
    }
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    return status;
}

int queries_item(paper_report *r)
{
    carom_model *model = NULL;
    throw_counts counts = { 0 };
    carom_error err = { 0 };
    int count = (int)barrier_size(r, 300, 3000, 100000);
    int code = paper_compile(r, "throws.json", "throws", NULL, 0, &model);
    carom_status status = code == EXIT_DONE ? throw_all(model, count, &counts, &err) : CAROM_OK;
    if (code == EXIT_DONE && status != CAROM_OK) {
        code = report(status, &err);
    }
    paper_row(r, "throws", counts.throws, count, 0.0, "100 000 with --full");
    paper_row(r, "went through the sheet", counts.passed, 0.0, 0.0, "every step ends above it");
    paper_note(
        r,
        "Single queries against an oracle that shares no code: ctest -R property_sweep. Here whole steps: a tetrahedron "
        "is thrown at a sheet without thickness, two steps each, up to 100 sizes and 3 rad per step.");
    carom_model_destroy(model);
    return code;
}

/* ---- P4.23 determinism ----------------------------------------------------------------------------------------------- */

enum { PAUSE = 60 }; /* steps before a copy is made, or the run is broken off */

/* The state at the end of a run from a state (NULL: from the start) with so many threads; `paused` (or NULL) gets a copy of the state
 * after some steps. */
static carom_status hash_of_run(const carom_model *model, int threads, const carom_state *from, uint64_t *hash,
                                carom_state *paused, carom_error *err)
{
    carom_run *run = NULL;
    carom_run_def def = { .threads = threads, .from = from };
    carom_status status = carom_run_create(model, &def, &run, err);
    for (int i = 0; paused && i < PAUSE && status == CAROM_OK; ++i) {
        status = carom_run_advance(run, HUGE_VAL, 1e-9, err); /* a step each */
    }
    status = status == CAROM_OK && paused ? carom_state_copy(paused, carom_run_state(run)) : status;
    status = status == CAROM_OK ? carom_run_advance(run, HUGE_VAL, 0.0, err) : status;
    *hash = carom_state_hash(carom_run_state(run));
    carom_run_destroy(run);
    return status;
}

/* 1, 2, 7 threads, and 1 from where 7 have paused. */
static carom_status hash_all(const carom_model *model, uint64_t hash[4], carom_error *err)
{
    carom_state *paused = carom_state_create(model);
    carom_status status = hash_of_run(model, 1, NULL, &hash[0], NULL, err);
    status = status == CAROM_OK ? hash_of_run(model, 2, NULL, &hash[1], NULL, err) : status;
    status = status == CAROM_OK ? hash_of_run(model, 7, NULL, &hash[2], paused, err) : status;
    status = status == CAROM_OK ? hash_of_run(model, 1, paused, &hash[3], NULL, err) : status;
    carom_state_destroy(paused);
    return status;
}

static bool break_off(void *context, const carom_progress *progress)
{
    (void)context;
    return progress->steps < PAUSE;
}

/* Breaks a run into a folder off, then goes on from its checkpoint. */
static carom_status hash_resumed(const paper_report *r, const carom_model *model, uint64_t *hash, carom_error *err)
{
    char *folder = format_text("%s/heap-resumed", paper_folder(r));
    carom_run_options begin = { .folder = folder, .command = "carom papers", .keep_going = break_off };
    carom_run *run = NULL;
    carom_run_def def = { .threads = 2, .checkpoint = folder };
    carom_status status = carom_run_folder(model, &begin, err) == CAROM_INTERRUPTED ? CAROM_OK : CAROM_NOT_CONVERGED;
    status = status == CAROM_OK ? carom_run_create(model, &def, &run, err) : status;
    status = status == CAROM_OK ? carom_run_advance(run, HUGE_VAL, 0.0, err) : status;
    *hash = carom_state_hash(carom_run_state(run));
    carom_run_destroy(run);
    free(folder);
    return status;
}

int determinism_item(paper_report *r)
{
    static const char *const labels[3] = { "2 threads as 1", "7 threads as 1", "a copy of the state goes on as 1" };
    verification v = { 0 };
    barrier_run whole = { 0 };
    carom_model *model = NULL;
    carom_error err = { 0 };
    uint64_t hash[4] = { 0 }, resumed = 0;
    int code = barrier_run_scene(r, &v, "heap.json", "heap", NULL, &whole);
    code = code == EXIT_DONE ? paper_compile(r, "heap.json", "heap", NULL, 0, &model) : code;
    carom_status status = code == EXIT_DONE ? hash_all(model, hash, &err) : CAROM_OK;
    status = code == EXIT_DONE && status == CAROM_OK ? hash_resumed(r, model, &resumed, &err) : status;
    if (status != CAROM_OK) {
        code = report(status, &err);
    }
    for (int k = 0; k < 3; ++k) {
        paper_row(r, labels[k], hash[0] != 0 && hash[k + 1] == hash[0], 1.0, 0.0, "same bits");
    }
    paper_row(r, "broken off and resumed as 1", hash[0] != 0 && resumed == hash[0], 1.0, 0.0, "same bits");
    verification_rows(r, &v);
    barrier_run_close(&whole);
    carom_model_destroy(model);
    return code;
}

/* ---- P4.24 refusals ---------------------------------------------------------------------------------------------------- */

typedef struct refusal {
    const char *label, *scene, *name;
    carom_status status;
    const char *words[2]; /* of the sentence */
    double reached;       /* [s] */
} refusal;

/* Runs a scene that must be refused; whether it is, with this status and the words. */
static void compare_refusal(paper_report *r, const refusal *what)
{
    carom_error err = { 0 };
    carom_run_report how = { 0 };
    char label[SETTING_TEXT];
    carom_status status = paper_try(r, what->scene, NULL, what->name, NULL, NULL, &how, &err);
    bool named = strstr(err.message, what->words[0]) && strstr(err.message, what->words[1]);
    snprintf(label, sizeof label, "%s: refused", what->label);
    paper_row(r, label, status == what->status, 1.0, 0.0, carom_status_name(what->status));
    snprintf(label, sizeof label, "%s: named", what->label);
    paper_row(r, label, named, 1.0, 0.0, what->words[0]);
    snprintf(label, sizeof label, "%s: reached [s]", what->label);
    paper_row(r, label, how.t, what->reached, 0.0101, "a step at most");
    paper_note(r, err.message);
}

/* Whether a step that fails leaves the state as it was. */
static int compare_untouched(paper_report *r)
{
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    carom_error err = { 0 };
    uint64_t before = 0;
    int steps = 0;
    int code = paper_compile(r, "bad-force.json", "untouched", NULL, 0, &model);
    carom_state *state = code == EXIT_DONE ? carom_state_create(model) : NULL;
    carom_status status = state ? carom_scratch_create(model, 1, &scratch, &err) : CAROM_NO_MEMORY;
    while (status == CAROM_OK && steps < 100) {
        before = carom_state_hash(state);
        status = carom_step(model, state, scratch, 0.01, NULL, &err);
        ++steps;
    }
    paper_row(r, "failed step: state as before", before == carom_state_hash(state) && status != CAROM_OK, 1.0, 0.0,
              "same bits");
    paper_row(r, "failed step: its number", steps, 51.0, 0.0, "0.5 s are done");
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
    return code;
}

int refusals_item(paper_report *r)
{
    static const refusal refusals[] = {
        { "overlap", "overlap.json", "overlap", CAROM_INTERSECTING, { "'left'", "'right'" }, 0.0 },
        { "driven", "driven-through.json", "driven-through", CAROM_NOT_CONVERGED, { "'ram'", "'anvil'" }, 0.37 },
        { "bad force", "bad-force.json", "bad-force", CAROM_NOT_CONVERGED, { "'wind'", "0.51 s" }, 0.5 },
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
        compare_refusal(r, &refusals[i]);
    }
    return compare_untouched(r);
}

/* ---- P4.25 blocked ------------------------------------------------------------------------------------------------------ */

/* The wedge lies where its sides meet those of the cheeks, c/tan 10 deg below where it is drawn; the press comes down with 0.3 m/s from
 * 0.5 m above its top. Each surface keeps its distance of at most the range, so that the wedge may lie higher by range/sin 10 deg. */
enum { FREED = 3 }; /* [s] a cheek is drawn aside */
static const double press_speed = 0.3;
static const double wedge_depth = 0.02 / 0.17632698;
static const double jam_tolerance = 1e-3 * (1.0 + 1.0 / 0.17364818);

/* The number of a finding of the press, and when it was found first. */
static carom_finding press_finding(const barrier_run *run)
{
    carom_findings *list = NULL;
    carom_error err = { 0 };
    carom_finding found = { .number = (double)NAN, .first = (double)NAN };
    if (carom_result_findings(run->result, &list, &err) != CAROM_OK) {
        report(err.status, &err);
        return found;
    }
    for (size_t i = 0; i < carom_findings_count(list); ++i) {
        const carom_finding *f = carom_findings_at(list, i);
        if (f->kind == CAROM_FINDING_MOTION_WAITS && strcmp(f->place, "'press'") == 0) {
            found = *f;
        }
    }
    found.place = found.text = found.remedy = found.name = NULL; /* texts go with the list */
    carom_findings_destroy(list);
    return found;
}

/* The press stands on the wedge until the cheek is drawn aside, and goes on from there as it came. */
static void compare_wait(paper_report *r, const barrier_run *run)
{
    const double h = 0.01;
    double stands = 0.5 + 0.2 - wedge_depth;
    double meets = (1.2 - stands) / press_speed;
    size_t freed = barrier_frame(run, FREED);
    double at = barrier_value(run, "press.position.z", freed);
    double end = barrier_last(run, "press.position.z");
    double after = run->time[run->frames - 1] - run->time[freed];
    carom_finding f = press_finding(run);
    paper_row(r, "waits from [s]", f.first, meets, jam_tolerance / press_speed + h, "it meets the jammed wedge");
    paper_row(r, "stands at [m]", at, stands, jam_tolerance, "top of the wedge");
    paper_row(r, "waits for [s]", f.number, FREED - meets, jam_tolerance / press_speed + h, "until the cheek moves");
    paper_row(r, "way when it is freed [m]", at - end, press_speed * after, press_speed * h, "a step at most");
    paper_row(r, "ends at [m]", end, stands - press_speed * after, jam_tolerance + press_speed * h, "");
    paper_row(r, "cheek, which never waits [m]", barrier_last(run, "right cheek.position.x"), press_speed * after,
              1e-12, "where its motion has it");
}

int blocked_item(paper_report *r)
{
    static const refusal jammed = {
        "stop", "wedge-press.json", "wedge-press", CAROM_NOT_CONVERGED, { "'wedge'", "blocked" }, 2.045
    };
    verification v = { 0 };
    barrier_run run = { 0 };
    settings s = { 0 };
    compare_refusal(r, &jammed);
    settings_text(&s, "contact.blocked", "wait");
    int code = barrier_run_scene(r, &v, "wedge-press.json", "wedge-press-waits", &s, &run);
    if (code == EXIT_DONE) {
        compare_wait(r, &run);
    }
    barrier_run_close(&run);
    verification_rows(r, &v);
    return code;
}
