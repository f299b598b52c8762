/* Curves of results: signals in the frames of a span of time, over time or over another signal. */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/* ---- results -------------------------------------------------------------------------------------------------------- */

/* A path without slashes at its end, and without result.h5. */
static char *folder_of(const char *path)
{
    static const char file[] = "result.h5";
    char *folder = copy_text(path);
    size_t length = strlen(folder);
    size_t tail = sizeof file - 1;
    if (length >= tail && strcmp(folder + length - tail, file) == 0 &&
        (length == tail || folder[length - tail - 1] == '/')) {
        length -= tail;
    }
    while (length > 1 && folder[length - 1] == '/') {
        --length;
    }
    folder[length] = '\0';
    return folder;
}

/* The name of the folder that holds a result. */
static char *short_name(const char *path)
{
    char here[4096];
    char *folder = folder_of(path);
    bool is_here = folder[0] == '\0' || strcmp(folder, ".") == 0;
    const char *whole = is_here && getcwd(here, sizeof here) ? here : folder;
    const char *slash = strrchr(whole, '/');
    char *name = copy_text(slash && slash[1] ? slash + 1 : whole);
    free(folder);
    return name;
}

/* Results whose folders have the same name are told apart by their paths. */
static void name_results(curve_set *set)
{
    bool alike = false;
    for (size_t i = 0; i < set->result_count; ++i) {
        set->names[i] = short_name(set->paths[i]);
        for (size_t k = 0; k < i; ++k) {
            alike = alike || strcmp(set->names[i], set->names[k]) == 0;
        }
    }
    for (size_t i = 0; alike && i < set->result_count; ++i) {
        free(set->names[i]);
        set->names[i] = copy_text(set->paths[i]);
    }
}

static int open_results(curve_set *set)
{
    for (size_t i = 0; i < set->result_count; ++i) {
        carom_error err = { 0 };
        carom_status status = carom_result_open(set->paths[i], &set->results[i], &err);
        if (status != CAROM_OK) {
            return report(status, &err);
        }
        if (carom_result_frame_count(set->results[i]) == 0) {
            complain("'%s' has no frames yet", set->paths[i]);
            return EXIT_BAD_INPUT;
        }
    }
    return EXIT_DONE;
}

/* ---- signals -------------------------------------------------------------------------------------------------------- */

static bool is_all_zero(const carom_result *result, size_t signal)
{
    const double *values = signal_values(result, signal);
    for (size_t i = 0; values && i < carom_result_frame_count(result); ++i) {
        if (values[i] != 0.0) {
            return false;
        }
    }
    return true;
}

static void add_energies(curve_set *set, const carom_result *result)
{
    static const char *const kinds[] = { "energy.kinetic", "energy.potential", "energy.elastic", "energy.total" };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        size_t signal = 0;
        if (signal_find(result, kinds[k], &signal) && !is_all_zero(result, signal)) {
            signal_list_add_name(&set->signals, kinds[k]);
        }
    }
}

/* What the scenes recorded; energies where they recorded nothing. */
static int choose_signals(curve_set *set)
{
    for (size_t r = 0; r < set->result_count; ++r) {
        for (size_t k = 0; k < carom_result_recorded_count(set->results[r]); ++k) {
            signal_list_add_name(&set->signals, carom_result_signal_name(set->results[r], k));
        }
    }
    for (size_t r = 0; r < set->result_count && set->signals.count == 0; ++r) {
        add_energies(set, set->results[r]);
    }
    if (set->signals.count == 0) {
        complain("'%s' recorded no signals, and all energies are zero; name signals with --y", set->paths[0]);
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}

/* A pattern may match in any of the results. */
static int find_signals(curve_set *set, const char *words)
{
    char *unmatched = NULL;
    bool matched = false;
    for (size_t r = 0; r < set->result_count; ++r) {
        free(unmatched);
        unmatched = signal_list_add(&set->signals, set->results[r], words);
        matched = matched || !unmatched;
    }
    if (!matched) {
        complain("no signal matches '%s'; 'carom info --all' lists them", unmatched);
    }
    free(unmatched);
    return matched ? EXIT_DONE : EXIT_BAD_INPUT;
}

int curves_open(curve_set *set, const char *const *paths, size_t count, const char *const *words, size_t word_count)
{
    *set = (curve_set){ .paths = paths, .result_count = count, .from = -HUGE_VAL, .to = HUGE_VAL };
    set->results = allocate(count, sizeof *set->results);
    set->names = allocate(count, sizeof *set->names);
    name_results(set);
    int code = open_results(set);
    if (code == EXIT_DONE && word_count == 0) {
        code = choose_signals(set);
    }
    for (size_t i = 0; i < word_count && code == EXIT_DONE; ++i) {
        code = find_signals(set, words[i]);
    }
    return code;
}

void curves_close(curve_set *set)
{
    for (size_t i = 0; i < set->count; ++i) {
        free(set->curves[i].owned);
    }
    for (size_t r = 0; r < set->result_count; ++r) {
        carom_result_close(set->results[r]);
        free(set->names[r]);
    }
    free(set->results);
    free(set->names);
    free(set->curves);
    signal_list_free(&set->signals);
}

/* ---- frames --------------------------------------------------------------------------------------------------------- */

typedef struct span {
    size_t first, count;
} span;

static span frames_within(const carom_result *result, double from, double to)
{
    const double *time = carom_result_time(result);
    size_t frames = carom_result_frame_count(result);
    span s = { 0 };
    while (s.first < frames && time[s.first] < from) {
        ++s.first;
    }
    while (s.first + s.count < frames && time[s.first + s.count] <= to) {
        ++s.count;
    }
    return s;
}

static int no_frames(const curve_set *set, size_t r)
{
    const double *time = carom_result_time(set->results[r]);
    size_t frames = carom_result_frame_count(set->results[r]);
    complain("'%s' has no frame between %g and %g s; its time goes from %g to %g s", set->paths[r], set->from,
             set->to, time[0], time[frames - 1]);
    return EXIT_BAD_INPUT;
}

/* ---- curves --------------------------------------------------------------------------------------------------------- */

/* The values of a signal, or NULL where the result has none. */
static const double *values_of(const carom_result *result, const char *name, const char **unit, carom_error *err,
                               carom_status *status)
{
    size_t signal = 0;
    const double *values = NULL;
    *status = carom_result_find_signal(result, name, &signal, &values, err);
    if (*status == CAROM_OK && unit) {
        *unit = carom_result_signal_unit(result, signal);
    }
    return *status == CAROM_OK ? values : NULL;
}

/* What the curve has on its x axis; NULL after a complaint. */
static const double *abscissa(curve_set *set, size_t r)
{
    carom_error err = { 0 };
    carom_status status = CAROM_OK;
    const char *unit = "s";
    const double *x = set->x_name ? values_of(set->results[r], set->x_name, &unit, &err, &status)
                                  : carom_result_time(set->results[r]);
    if (!x) {
        report(status, &err);
        return NULL;
    }
    if (set->x_unit && strcmp(set->x_unit, unit) != 0) {
        complain("'%s' is in %s in '%s' but in %s in '%s': they cannot share an axis", set->x_name, set->x_unit,
                 set->paths[0], unit, set->paths[r]);
        return NULL;
    }
    set->x_unit = unit;
    return x;
}

/* The value at a time: exact at frames, linear between them, NaN outside. `at` goes on from call to call. */
static double value_at(const carom_result *result, const double *values, double t, size_t *at)
{
    const double *time = carom_result_time(result);
    size_t frames = carom_result_frame_count(result);
    while (*at + 1 < frames && time[*at + 1] <= t) {
        ++*at;
    }
    if (time[*at] == t) {
        return values[*at];
    }
    if (t < time[0] || *at + 1 == frames) {
        return (double)NAN;
    }
    double share = (t - time[*at]) / (time[*at + 1] - time[*at]);
    return values[*at] + share * (values[*at + 1] - values[*at]);
}

static void subtract(const curve_set *set, curve *c, const double *reference)
{
    size_t at = 0;
    c->owned = allocate(c->count, sizeof *c->owned);
    for (size_t i = 0; i < c->count; ++i) {
        double difference = c->y[i] - value_at(set->results[0], reference, c->x[i], &at);
        c->owned[i] = set->magnitudes ? fabs(difference) : difference;
    }
    c->y = c->owned;
}

/* One curve, or none where only other results have the signal. */
static int read_curve(curve_set *set, size_t signal, size_t r, const double *reference)
{
    carom_error err = { 0 };
    carom_status status = CAROM_OK;
    curve c = { .result = r, .signal = signal };
    const double *y = values_of(set->results[r], set->signals.names[signal], &c.unit, &err, &status);
    if (!y && status != CAROM_BAD_INPUT) {
        return report(status, &err);
    }
    if (!y) {
        return EXIT_DONE;
    }
    const double *x = abscissa(set, r);
    if (!x) {
        return EXIT_BAD_INPUT;
    }
    span s = frames_within(set->results[r], set->from, set->to);
    if (s.count == 0) {
        return no_frames(set, r);
    }
    c.x = x + s.first;
    c.y = y + s.first;
    c.count = s.count;
    if (reference) {
        subtract(set, &c, reference);
    }
    set->curves[set->count++] = c;
    return EXIT_DONE;
}

/* Some result must have the signal; the complaint is about the first. */
static int check_signal(const curve_set *set, const char *name)
{
    carom_error first = { 0 };
    carom_status status = CAROM_OK;
    for (size_t r = 0; r < set->result_count; ++r) {
        carom_error err = { 0 };
        carom_status answer = CAROM_OK;
        if (values_of(set->results[r], name, NULL, &err, &answer)) {
            return EXIT_DONE;
        }
        first = r == 0 ? err : first;
        status = r == 0 ? answer : status;
    }
    return report(status, &first);
}

static int read_signal(curve_set *set, size_t signal)
{
    const double *reference = NULL;
    const char *name = set->signals.names[signal];
    int code = check_signal(set, name);
    if (code == EXIT_DONE && set->differences) {
        carom_error err = { 0 };
        carom_status status = CAROM_OK;
        reference = values_of(set->results[0], name, NULL, &err, &status);
        code = reference ? EXIT_DONE : report(status, &err);
    }
    for (size_t r = set->differences ? 1 : 0; r < set->result_count && code == EXIT_DONE; ++r) {
        code = read_curve(set, signal, r, reference);
    }
    return code;
}

/* Says which signals a result lacks. */
static void note_missing(const curve_set *set, size_t r)
{
    size_t count = 0;
    const char *name = NULL;
    bool *there = allocate(set->signals.count, sizeof *there);
    for (size_t i = 0; i < set->count; ++i) {
        there[set->curves[i].signal] |= set->curves[i].result == r;
    }
    for (size_t k = 0; k < set->signals.count; ++k) {
        if (!there[k]) {
            name = name ? name : set->signals.names[k];
            count += 1;
        }
    }
    free(there);
    if (count == 1) {
        complain("note: '%s' has no signal '%s'; left out", set->paths[r], name);
    } else if (count > 1) {
        complain("note: '%s' lacks %zu of the %zu signals, such as '%s'; left out", set->paths[r], count,
                 set->signals.count, name);
    }
}

int curves_read(curve_set *set)
{
    int code = EXIT_DONE;
    set->curves = allocate(set->signals.count * set->result_count, sizeof *set->curves);
    for (size_t k = 0; k < set->signals.count && code == EXIT_DONE; ++k) {
        code = read_signal(set, k);
    }
    for (size_t r = set->differences ? 1 : 0; r < set->result_count && code == EXIT_DONE; ++r) {
        note_missing(set, r);
    }
    return code;
}
