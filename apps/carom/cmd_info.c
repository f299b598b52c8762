/* carom info: what a result holds and how far it can be trusted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "guard.h"
#include "info_contacts.h"
#include "scene.h"
#include "table.h"

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The value of "key": "..." in summary.json, which carom wrote itself; NULL when there is none. */
static char *summary_text(const char *folder, const char *key)
{
    char *path = format_text("%s/summary.json", folder);
    char *pattern = format_text("\n  \"%s\": \"", key);
    char *json = read_text_file(path);
    char *found = json ? strstr(json, pattern) : NULL;
    char *value = NULL;
    if (found) {
        found += strlen(pattern);
        found[strcspn(found, "\"\n")] = '\0';
        value = copy_text(found);
    }
    free(json);
    free(pattern);
    free(path);
    return value;
}

static void print_header(const char *path, const carom_result *result)
{
    size_t frames = carom_result_frame_count(result);
    const double *time = carom_result_time(result);
    char *name = summary_text(path, "name");
    char *status = summary_text(path, "status");
    char *method = summary_text(path, "method");
    print_line("%s", name && *name ? name : path);
    print_line("  status  %s", status ? status : "unfinished (no summary.json beside it)");
    if (method) {
        print_line("  method  %s", method);
    }
    print_line("  frames  %zu, t = %.6g to %.6g s", frames, frames ? time[0] : 0.0, frames ? time[frames - 1] : 0.0);
    free(name);
    free(status);
    free(method);
}

static double worst_of(const double *values, size_t count)
{
    double worst = 0.0;
    for (size_t i = 0; i < count; ++i) {
        worst = fmax(worst, fabs(values[i]));
    }
    return worst;
}

static bool in_ledger(const char *name)
{
    return starts_with(name, "energy.") || starts_with(name, "work.") || starts_with(name, "lost.") ||
           starts_with(name, "constraint.") || starts_with(name, "momentum.") ||
           starts_with(name, "angular_momentum.");
}

static void print_ledger(const carom_result *result)
{
    static const char *const titles[] = { "ledger", "start", "end", "largest", "unit" };
    table t;
    size_t frames = carom_result_frame_count(result);
    print_heading("Ledger");
    if (frames == 0) {
        print_line("  no frames yet");
        return;
    }
    table_init(&t, 5, titles, "lrrrl");
    for (size_t k = 0; k < carom_result_signal_count(result); ++k) {
        const char *name = carom_result_signal_name(result, k);
        const double *values = in_ledger(name) ? carom_result_signal(result, k) : NULL;
        double worst = values ? worst_of(values, frames) : 0.0;
        if (worst > 0.0) { /* rows of nothing but zeros say nothing */
            table_cell(&t, "%s", name);
            table_number(&t, values[0], 6);
            table_number(&t, values[frames - 1], 6);
            table_number(&t, worst, 3);
            table_cell(&t, "%s", carom_result_signal_unit(result, k));
        }
    }
    table_print(&t);
}

/* The number of the signal "body.quantity", or how many there are when there is none. */
static size_t find_signal(const carom_result *result, const char *body, const char *quantity)
{
    char *name = format_text("%s.%s", body, quantity);
    size_t k = 0;
    while (k < carom_result_signal_count(result) && strcmp(carom_result_signal_name(result, k), name) != 0) {
        ++k;
    }
    free(name);
    return k;
}

static double final_value(const carom_result *result, const char *body, const char *quantity)
{
    size_t k = find_signal(result, body, quantity);
    const double *values = carom_result_signal(result, k);
    return values ? values[carom_result_frame_count(result) - 1] : (double)NAN;
}

/* x, y, z; what is only rounding beside the largest of them shows as 0. */
static void components_cell(table *t, const carom_result *result, const char *body, const char *quantity)
{
    char part[3][40];
    double value[3];
    for (int i = 0; i < 3; ++i) {
        char *component = format_text("%s.%c", quantity, "xyz"[i]);
        value[i] = final_value(result, body, component);
        free(component);
    }
    double noise = 1e-12 * fmax(fabs(value[0]), fmax(fabs(value[1]), fabs(value[2])));
    for (int i = 0; i < 3; ++i) {
        number_text(fabs(value[i]) < noise ? 0.0 : value[i], 5, part[i], sizeof part[i]);
    }
    table_cell(t, "%s, %s, %s", part[0], part[1], part[2]);
}

static void print_bodies(const carom_result *result, size_t limit)
{
    static const char *const titles[] = { "body", "position [m]", "velocity [m/s]", "angular velocity [rad/s]" };
    table t;
    size_t shown = 0;
    if (carom_result_frame_count(result) == 0) {
        return;
    }
    print_heading("Bodies at the end");
    table_init(&t, 4, titles, "llll");
    for (size_t k = 0; k < carom_result_signal_count(result) && shown < limit; ++k) {
        const char *name = carom_result_signal_name(result, k);
        if (!ends_with(name, ".orientation.w")) {
            continue;
        }
        char *body = format_text("%.*s", (int)(strlen(name) - strlen(".orientation.w")), name);
        table_cell(&t, "%s", body);
        components_cell(&t, result, body, "position");
        components_cell(&t, result, body, "velocity");
        components_cell(&t, result, body, "angular_velocity");
        free(body);
        shown += 1;
    }
    table_print(&t);
}

static void print_signals(const carom_result *result, size_t limit)
{
    size_t count = carom_result_signal_count(result);
    const char **names = allocate(count, sizeof *names);
    for (size_t k = 0; k < count; ++k) {
        names[k] = carom_result_signal_name(result, k);
    }
    print_heading("%zu signals", count);
    print_words(names, count, limit);
    free(names);
}

static int info_result(const arguments *args)
{
    enum { SOME_BODIES = 20, SOME_PAIRS = 12, SOME_SIGNALS = 24 };
    carom_error err = { 0 };
    carom_result *result = NULL;
    bool all = arguments_have(args, "--all");
    carom_status status = carom_result_open(args->operands[0], &result, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    if (arguments_have(args, "--scene")) {
        fputs(carom_result_scene(result), stdout);
    } else {
        print_header(args->operands[0], result);
        print_ledger(result);
        print_bodies(result, all ? SIZE_MAX : SOME_BODIES);
        status = print_contacts(result, all ? SIZE_MAX : SOME_PAIRS, &err);
        print_signals(result, all ? 0 : SOME_SIGNALS);
    }
    carom_result_close(result);
    return status == CAROM_OK ? EXIT_DONE : report(status, &err);
}

static int info(const arguments *args)
{
    return run_guarded(info_result, args, args->operands[0]);
}

static const option options[] = {
    { "--all", 'a', NULL, "Every body, touching pair and signal, however many" },
    { "--scene", 0, NULL, "Print the scene the result came from, nothing else" },
    { NULL, 0, NULL, NULL },
};

const command command_info = {
    .name = "info",
    .summary = "show the ledger, bodies, contacts and signals of a result",
    .operands = "RESULT",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes = "RESULT is the folder of a run or a result.h5. The ledger says how far a run can be trusted: "
             "energy.residue,\n"
             "momentum.residue and constraint.* are what the numerics alone did.",
    .example = "  carom info results/pendulum",
    .run = info,
};
