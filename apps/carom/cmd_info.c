/* carom info: what a result holds and how far it can be trusted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "info.h"
#include "json_out.h"
#include "signals.h"
#include "table.h"

size_t info_find(const info *i, const char *name)
{
    size_t found = 0;
    return signal_find(i->result, name, &found) ? found : carom_result_signal_count(i->result);
}

const double *info_signal(const info *i, const char *name)
{
    size_t k = info_find(i, name);
    return k < carom_result_signal_count(i->result) ? signal_values(i->result, k) : NULL;
}

double info_number(const info *i, const char *path)
{
    double value = (double)NAN;
    carom_summary_number(i->summary, path, &value);
    return value;
}

/* ---- the head ----------------------------------------------------------------------------------------------------- */

static const char *text_of(const info *i, const char *key)
{
    const char *told = carom_summary_text(i->summary, key);
    return told ? told : carom_result_text(i->result, key);
}

/* "done", "interrupted" or "failed: <why>"; a run that has not ended has not said. */
static void print_status(const info *i)
{
    const char *status = carom_summary_text(i->summary, "status");
    double wall = info_number(i, "wall_s");
    if (!status) {
        print_coloured(VERDICT_DOUBTFUL, "status   unfinished (no summary.json beside it)");
    } else if (strcmp(status, "done") == 0) {
        print_coloured(VERDICT_GOOD, "status   done after %.3g s of wall time", wall);
    } else {
        verdict how = strcmp(status, "interrupted") == 0 ? VERDICT_DOUBTFUL : VERDICT_BAD;
        print_coloured(how, "status   %s", status);
    }
}

static void print_header(const info *i)
{
    const char *name = text_of(i, "name");
    const char *method = text_of(i, "method");
    const char *line = carom_result_text(i->result, "command");
    size_t last = i->frames > 0 ? i->frames - 1 : 0;
    print_title("%s", *name ? name : i->path);
    print_status(i);
    if (*method) {
        print_wrapped(11, "method   %s", method);
    }
    print_wrapped(11, "frames   %zu, t = %.6g to %.6g s", i->frames, i->frames ? i->time[0] : 0.0,
                  i->frames ? i->time[last] : 0.0);
    if (*line) {
        print_wrapped(11, "command  %s", line);
    }
}

/* ---- bodies ------------------------------------------------------------------------------------------------------- */

/* x, y, z; what is only rounding beside the largest of them is 0. */
static void vector_cells(table *t, carom_v3 a, int digits)
{
    double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    const double parts[] = { a.x, a.y, a.z };
    for (int k = 0; k < 3; ++k) {
        table_number(t, fabs(parts[k]) < 1e-12 * largest ? 0.0 : parts[k], digits);
    }
}

static double length(carom_v3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

/* All components where there is room for them, else how fast only. */
static carom_status body_cells(table *t, const info *i, carom_id body, bool roomy, carom_error *err)
{
    carom_motion end;
    carom_status status = carom_result_motion(i->result, body, i->frames - 1, &end, err);
    table_cell(t, "%s", carom_result_body_name(i->result, body));
    vector_cells(t, end.pose.position, roomy ? 4 : 5);
    if (roomy) {
        vector_cells(t, end.velocity, 4);
        vector_cells(t, end.angular_velocity, 4);
    } else {
        table_number(t, length(end.velocity), 5);
        table_number(t, length(end.angular_velocity), 5);
    }
    return status;
}

static carom_status print_bodies(const info *i, carom_error *err)
{
    enum { SOME_BODIES = 20, ROOMY = 124 };
    static const char *const few[] = { "body", "x [m]", "y", "z", "speed [m/s]", "turning [rad/s]" };
    static const char *const many[] = { "body", "x [m]", "y", "z", "vx [m/s]", "vy", "vz", "wx [rad/s]", "wy", "wz" };
    size_t count = carom_result_body_count(i->result) - 1; /* the ground rests */
    size_t shown = !i->all && count > SOME_BODIES ? SOME_BODIES : count;
    bool roomy = screen_width() >= ROOMY;
    carom_status status = CAROM_OK;
    table t;
    if (i->frames == 0 || count == 0) {
        return CAROM_OK;
    }
    print_heading("Bodies at the end");
    table_init(&t, roomy ? 10 : 6, roomy ? many : few, roomy ? "lrrrrrrrrr" : "lrrrrr");
    for (size_t k = 1; k <= shown && status == CAROM_OK; ++k) {
        status = body_cells(&t, i, (carom_id)k, roomy, err);
    }
    table_print(&t);
    if (shown < count) {
        print_line("  and %zu more; --all shows them", count - shown);
    }
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

static void print_names(const info *i)
{
    enum { SOME_NAMES = 24 };
    size_t count = carom_result_signal_count(i->result);
    const char **names = allocate(count, sizeof *names);
    for (size_t k = 0; k < count; ++k) {
        names[k] = carom_result_signal_name(i->result, k);
    }
    print_heading("%zu signals", count);
    print_words(names, count, SOME_NAMES);
    free(names);
}

static carom_status print_everything(const info *i, carom_error *err)
{
    print_header(i);
    info_print_trust(i);
    if (i->frames == 0) {
        print_heading("No frames yet");
        return CAROM_OK;
    }
    info_print_sparklines(i);
    info_print_energy(i);
    info_print_momentum(i);
    info_print_errors(i);
    carom_status status = info_print_contacts(i, err);
    info_print_events(i);
    info_print_impacts(i);
    status = status == CAROM_OK ? print_bodies(i, err) : status;
    info_print_solver(i);
    info_print_phases(i);
    if (!i->all) { /* else every one has a line of its own above */
        print_names(i);
    }
    return status;
}

/* Every leaf of the summary would be a copy of summary.json: that file is for programs already. This is what it lacks. */
static carom_status json_result(const info *i, carom_error *err)
{
    carom_findings *found = NULL;
    carom_status status = carom_result_findings(i->result, &found, err);
    if (status != CAROM_OK) {
        return status;
    }
    json_begin("info");
    json_text("result", i->path);
    json_bool("ended", i->summary != NULL);
    json_number("frames", (double)i->frames);
    json_number("t", i->frames > 0 ? i->time[i->frames - 1] : (double)NAN);
    json_open("findings", '[');
    for (size_t k = 0; k < carom_findings_count(found); ++k) {
        const carom_finding *f = carom_findings_at(found, k);
        json_open(NULL, '{');
        json_bool("wrong", f->severity == CAROM_SEVERITY_WRONG);
        json_bool("warning", f->severity == CAROM_SEVERITY_WARNING);
        json_text("text", f->text);
        json_text("remedy", f->remedy);
        json_close('}');
    }
    json_close(']');
    carom_findings_destroy(found);
    json_open("signals", '[');
    for (size_t k = 0; k < carom_result_signal_count(i->result); ++k) {
        const char *name = carom_result_signal_name(i->result, k);
        const double *values = i->frames > 0 ? info_signal(i, name) : NULL;
        json_open(NULL, '{');
        json_text("name", name);
        json_text("unit", carom_result_signal_unit(i->result, k));
        json_number("first", values ? values[0] : (double)NAN);
        json_number("last", values ? values[i->frames - 1] : (double)NAN);
        json_close('}');
    }
    json_close(']');
    json_open("events", '[');
    const carom_event *events = carom_result_events(i->result);
    for (size_t k = 0; k < carom_result_event_count(i->result); ++k) {
        json_open(NULL, '{');
        json_number("t", events[k].t);
        json_text("event", carom_result_event_name(i->result, &events[k]));
        if (events[k].kind != CAROM_EVENT_SCENE) {
            json_text("a", carom_result_body_name(i->result, events[k].body[0]));
            json_text("b", carom_result_body_name(i->result, events[k].body[1]));
            json_number("speed", events[k].speed);
        }
        json_close('}');
    }
    json_close(']');
    json_end();
    return CAROM_OK;
}

static int info_result(const arguments *args)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    bool for_programs = arguments_have(args, "--json");
    if (for_programs) {
        json_errors();
    }
    carom_status status = carom_result_open(args->operands[0], &result, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    info i = { .result = result,
               .summary = carom_result_summary(result),
               .path = args->operands[0],
               .frames = carom_result_frame_count(result),
               .time = carom_result_time(result),
               .all = arguments_have(args, "--all") };
    if (for_programs) {
        status = json_result(&i, &err);
    } else if (arguments_have(args, "--scene")) {
        fputs(carom_result_scene(result), stdout);
    } else if (arguments_have(args, "--events")) {
        info_print_all_events(&i);
    } else {
        status = print_everything(&i, &err);
    }
    carom_result_close(result);
    return status == CAROM_OK ? EXIT_DONE : report(status, &err);
}

static int run_info(const arguments *args)
{
    return run_guarded(info_result, args, args->operands[0]);
}

static const option options[] = {
    { "--all", 'a', NULL, "Every signal, body, touching pair and event, however many" },
    { "--events", 'e', NULL, "List what happened when, nothing else" },
    { "--json", 0, NULL, "One JSON object on standard output instead of text" },
    { "--scene", 0, NULL, "Print the scene the result came from, nothing else" },
    { NULL, 0, NULL, NULL },
};

const command command_info = {
    .name = "info",
    .summary = "show signals, ledger, contacts, events and costs of a result",
    .operands = "RESULT",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes = "RESULT is the folder of a run or a result.h5. The ledger says how far a run can be trusted: "
             "energy.residue,\n"
             "the drift of momentum and constraint.* are what the numerics alone did.",
    .example = "  carom info results/pendulum",
    .run = run_info,
};
