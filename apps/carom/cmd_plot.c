/* carom plot: signals of results as a figure. Curves of one unit share an axis; a second unit gets the axis on the right,
 * more units get panels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "curves.h"
#include "guard.h"
#include "table.h"

enum { MOST_AXES = 64, AXIS_NAME = 256 };

/* An axis with the unit of its curves. */
typedef struct plot_axis {
    const char *unit;
    size_t panel;
    bool right;
    char name[AXIS_NAME];
} plot_axis;

typedef struct plot_job {
    const arguments *args;
    curve_set set;
    const plot_axis **axis_of; /* of each curve */
    plot_axis axes[MOST_AXES];
    size_t axis_count;
    bool stacked; /* an axis per panel */
    bool log_x, log_y;
    carom_series *series;
    char **labels; /* of series */
    carom_panel *panels;
    carom_inset *insets;
    carom_figure figure;
} plot_job;

/* ---- options -------------------------------------------------------------------------------------------------------- */

/* Numbers with commas between them; how many, or 0 when it is something else. */
static size_t read_numbers(const char *text, double *numbers, size_t most)
{
    size_t count = 0;
    for (const char *at = text; count < most; ++at) {
        char *end = NULL;
        numbers[count] = strtod(at, &end);
        if (end == at || !isfinite(numbers[count]) || (*end != ',' && *end != '\0')) {
            return 0;
        }
        count += 1;
        at = end;
        if (*at == '\0') {
            return count;
        }
    }
    return 0;
}

static bool read_range(const char *name, const char *text, double *low, double *high)
{
    double numbers[2];
    if (read_numbers(text, numbers, 2) != 2 || !(numbers[0] < numbers[1])) {
        complain("option '%s' needs two numbers, the smaller first, such as '%s=0,1', not '%s'", name, name, text);
        return false;
    }
    *low = numbers[0];
    *high = numbers[1];
    return true;
}

static bool read_log(plot_job *job)
{
    const char *axes = arguments_text(job->args, "--log");
    if (!axes) {
        return true;
    }
    job->log_x = strcmp(axes, "x") == 0 || strcmp(axes, "xy") == 0;
    job->log_y = strcmp(axes, "y") == 0 || strcmp(axes, "xy") == 0;
    if (!job->log_x && !job->log_y) {
        complain("option '--log' knows x, y and xy, not '%s'", axes);
    }
    return job->log_x || job->log_y;
}

static bool read_legend(plot_job *job)
{
    static const char *const words[] = { "auto", "outside", "none" };
    const char *given = arguments_text(job->args, "--legend");
    for (int i = 0; given && i < 3; ++i) {
        if (strcmp(given, words[i]) == 0) {
            job->figure.legend = (carom_legend)i;
            return true;
        }
    }
    if (given) {
        complain("option '--legend' knows auto, outside and none, not '%s'", given);
    }
    return !given;
}

/* "0.1,0.2", "0.1,0.2,-1,1" or either after the number of a panel: "2:0.1,0.2". */
static bool read_inset(const char *text, carom_inset *inset)
{
    double numbers[4];
    char *end = NULL;
    const char *ranges = text;
    unsigned long panel = strtoul(text, &end, 10);
    if (end != text && *end == ':') {
        ranges = end + 1;
        inset->panel = panel - 1; /* 0 becomes too many */
    }
    size_t count = read_numbers(ranges, numbers, 4);
    bool ok = (count == 2 || count == 4) && numbers[0] < numbers[1] && (count == 2 || numbers[2] < numbers[3]);
    if (!ok) {
        complain("option '--inset' needs X0,X1 or X0,X1,Y0,Y1, the smaller first, not '%s'", text);
        return false;
    }
    inset->x_min = numbers[0];
    inset->x_max = numbers[1];
    inset->y_min = count == 4 ? numbers[2] : 0.0;
    inset->y_max = count == 4 ? numbers[3] : 0.0;
    return true;
}

static bool read_insets(plot_job *job)
{
    size_t count = 0;
    bool ok = true;
    const char **texts = arguments_list(job->args, "--inset", &count);
    job->insets = allocate(count, sizeof *job->insets);
    for (size_t i = 0; i < count && ok; ++i) {
        ok = read_inset(texts[i], &job->insets[i]);
    }
    job->figure.insets = job->insets;
    job->figure.inset_count = count;
    free(texts);
    return ok;
}

static bool read_page(plot_job *job)
{
    const arguments *args = job->args;
    bool paper = arguments_have(args, "--paper");
    job->figure.style = paper ? CAROM_PLOT_PAPER : CAROM_PLOT_SCREEN;
    job->figure.width = paper ? 84.0 : 0.0; /* [mm] a column */
    job->figure.dpi = paper ? 600.0 : 0.0;
    job->figure.grid = arguments_have(args, "--grid");
    job->figure.title = arguments_text(args, "--title");
    return arguments_number(args, "--width", 40.0, 2000.0, &job->figure.width) &&
           arguments_number(args, "--height", 30.0, 2000.0, &job->figure.height) &&
           arguments_number(args, "--dpi", 20.0, 10000.0, &job->figure.dpi) && read_legend(job);
}

static bool read_x(plot_job *job)
{
    const char *x = arguments_text(job->args, "--x");
    const char *time = arguments_text(job->args, "--time");
    job->set.x_name = x && strcmp(x, "time") != 0 ? x : NULL;
    job->set.differences = arguments_have(job->args, "--diff");
    job->set.magnitudes = job->set.differences && job->log_y;
    if (job->set.differences && job->set.x_name) {
        complain("'--diff' compares results at the same time; leave out '--x %s'", x);
        return false;
    }
    if (job->set.differences && job->set.result_count < 2) {
        complain("'--diff' needs two results or more: the first is what the others are compared with");
        return false;
    }
    return !time || read_range("--time", time, &job->set.from, &job->set.to);
}

/* ---- axes ----------------------------------------------------------------------------------------------------------- */

static plot_axis *find_axis(plot_job *job, const char *unit)
{
    for (size_t i = 0; i < job->axis_count; ++i) {
        if (strcmp(job->axes[i].unit, unit) == 0) {
            return &job->axes[i];
        }
    }
    return NULL;
}

static plot_axis *add_axis(plot_job *job, const char *unit)
{
    if (job->axis_count == MOST_AXES) {
        complain("more than %d panels; plot fewer signals", MOST_AXES);
        return NULL;
    }
    job->axes[job->axis_count] = (plot_axis){ .unit = unit };
    return &job->axes[job->axis_count++];
}

/* An axis for each unit. */
static bool share_by_unit(plot_job *job)
{
    for (size_t i = 0; i < job->set.count; ++i) {
        const char *unit = job->set.curves[i].unit;
        plot_axis *axis = find_axis(job, unit);
        axis = axis ? axis : add_axis(job, unit);
        if (!axis) {
            return false;
        }
        job->axis_of[i] = axis;
    }
    return true;
}

/* An axis for each signal; curves come signal by signal. */
static bool share_by_signal(plot_job *job)
{
    job->axis_count = 0;
    for (size_t i = 0; i < job->set.count; ++i) {
        const curve *c = &job->set.curves[i];
        bool same = i > 0 && job->set.curves[i - 1].signal == c->signal;
        const plot_axis *axis = same ? job->axis_of[i - 1] : add_axis(job, c->unit);
        if (!axis) {
            return false;
        }
        job->axis_of[i] = axis;
    }
    return true;
}

static bool arrange_axes(plot_job *job)
{
    bool forced = arguments_have(job->args, "--panels");
    job->axis_of = allocate(job->set.count, sizeof *job->axis_of);
    if (!share_by_unit(job) || (forced && job->axis_count == 1 && !share_by_signal(job))) {
        return false;
    }
    job->stacked = job->axis_count > 1 && (forced || job->axis_count > 2);
    for (size_t i = 0; i < job->axis_count; ++i) {
        job->axes[i].panel = job->stacked ? i : 0;
        job->axes[i].right = !job->stacked && i == 1;
    }
    return true;
}

/* ---- names ---------------------------------------------------------------------------------------------------------- */

/* Where parts between dots end: the length that a and b have in common from the start, in whole parts. */
static size_t common_start(const char *a, const char *b)
{
    size_t whole = 0;
    for (size_t i = 0;; ++i) {
        bool a_ends = a[i] == '.' || a[i] == '\0';
        bool b_ends = b[i] == '.' || b[i] == '\0';
        if (a_ends && b_ends) {
            whole = i;
        }
        if (a[i] != b[i] || a[i] == '\0') {
            return whole;
        }
    }
}

/* The same from the end. */
static size_t common_end(const char *a, const char *b)
{
    size_t na = strlen(a);
    size_t nb = strlen(b);
    size_t whole = 0;
    for (size_t i = 0;; ++i) {
        bool a_ends = i == na || a[na - 1 - i] == '.';
        bool b_ends = i == nb || b[nb - 1 - i] == '.';
        if (a_ends && b_ends) {
            whole = i;
        }
        if (i == na || i == nb || a[na - 1 - i] != b[nb - 1 - i]) {
            return whole;
        }
    }
}

static size_t count_parts(const char *name)
{
    size_t parts = 1;
    for (const char *c = name; *c; ++c) {
        parts += *c == '.';
    }
    return parts;
}

static const char *quantity_of(const char *unit)
{
    static const char *const list[][2] = {
        { "m", "length" },        { "rad", "angle" },
        { "m/s", "velocity" },    { "rad/s", "angular velocity" },
        { "N", "force" },         { "N*m", "torque" },
        { "J", "energy" },        { "W", "power" },
        { "kg*m/s", "momentum" }, { "m/s^2", "acceleration" },
        { "N*s", "impulse" },     { "kg*m^2/s", "angular momentum" },
        { "1/s", "rate" },
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
        if (strcmp(list[i][0], unit) == 0) {
            return list[i][1];
        }
    }
    return "";
}

/* What the signals of an axis have in common: its only name; "position.z" of 'a.position.z' and 'b.position.z';
 * "rod.position" of 'rod.position.x' and 'rod.position.y'; else the quantity. */
static void name_axis(const plot_job *job, plot_axis *axis)
{
    const char *first = NULL;
    size_t start = SIZE_MAX;
    size_t end = SIZE_MAX;
    bool one_differs = true;
    for (size_t i = 0; i < job->set.count; ++i) {
        const char *name = job->set.signals.names[job->set.curves[i].signal];
        if (job->axis_of[i] == axis) {
            first = first ? first : name;
            size_t s = common_start(first, name);
            size_t e = common_end(first, name);
            start = s < start ? s : start;
            end = e < end ? e : end;
        }
    }
    for (size_t i = 0; i < job->set.count && first; ++i) { /* one part is left after what all begin with */
        const char *name = job->set.signals.names[job->set.curves[i].signal];
        one_differs = one_differs && (job->axis_of[i] != axis || count_parts(name + start) == 2);
    }
    if (first && end > 0) {
        snprintf(axis->name, AXIS_NAME, "%.200s", first + strlen(first) - end);
    } else if (first && start > 0 && one_differs) {
        snprintf(axis->name, AXIS_NAME, "%.*s", (int)(start < 200 ? start : 200), first);
    } else {
        snprintf(axis->name, AXIS_NAME, "%s", quantity_of(axis->unit));
    }
}

static void name_axes(plot_job *job)
{
    for (size_t i = 0; i < job->axis_count; ++i) {
        name_axis(job, &job->axes[i]);
        if (job->set.differences) {
            char name[AXIS_NAME];
            memcpy(name, job->axes[i].name, sizeof name);
            snprintf(job->axes[i].name, AXIS_NAME, "%s%s%.220s", job->set.magnitudes ? "|difference|" : "difference",
                     name[0] ? " of " : "", name);
        }
    }
}

/* A label that was given with brackets has its unit already; names of signals may have an index in brackets. */
static carom_axis labelled(const char *given, const char *name, const char *unit, bool log)
{
    bool complete = given && strchr(given, '[');
    return (carom_axis){ .label = given ? given : name, .unit = complete ? NULL : unit, .log = log };
}

/* Labels and ranges that were given, in the order of the axes. */
static bool set_axes(plot_job *job)
{
    size_t label_count = 0;
    size_t range_count = 0;
    bool ok = true;
    const char **labels = arguments_list(job->args, "--ylabel", &label_count);
    const char **ranges = arguments_list(job->args, "--ylim", &range_count);
    if (label_count > job->axis_count || range_count > job->axis_count) {
        complain("there are %zu y axes, but option '%s' is given %zu times", job->axis_count,
                 label_count > job->axis_count ? "--ylabel" : "--ylim",
                 label_count > job->axis_count ? label_count : range_count);
        ok = false;
    }
    job->panels = allocate(job->axis_count, sizeof *job->panels);
    for (size_t i = 0; i < job->axis_count && ok; ++i) {
        const plot_axis *axis = &job->axes[i];
        carom_axis *out = axis->right ? &job->panels[0].right : &job->panels[axis->panel].y;
        *out = labelled(i < label_count ? labels[i] : NULL, axis->name, axis->unit, job->log_y);
        ok = i >= range_count || read_range("--ylim", ranges[i], &out->min, &out->max);
    }
    job->figure.panels = job->panels;
    job->figure.panel_count = job->stacked ? job->axis_count : 1;
    free(labels);
    free(ranges);
    return ok;
}

static bool set_x_axis(plot_job *job)
{
    const char *label = arguments_text(job->args, "--xlabel");
    const char *range = arguments_text(job->args, "--xlim");
    const char *name = job->set.x_name ? job->set.x_name : "time";
    job->figure.x = labelled(label, name, job->set.x_unit, job->log_x);
    return !range || read_range("--xlim", range, &job->figure.x.min, &job->figure.x.max);
}

/* ---- what can be seen of curves -------------------------------------------------------------------------------------- */

typedef struct curve_census {
    size_t shown, not_finite, not_positive;
} curve_census;

static curve_census take_census(const curve *c, bool log_x, bool log_y)
{
    const double largest = 1e300; /* of the plot module */
    curve_census census = { 0 };
    for (size_t i = 0; i < c->count; ++i) {
        bool finite = fabs(c->x[i]) < largest && fabs(c->y[i]) < largest;
        bool positive = (!log_x || c->x[i] > 0.0) && (!log_y || c->y[i] > 0.0);
        census.shown += finite && positive;
        census.not_finite += !finite;
        census.not_positive += finite && !positive;
    }
    return census;
}

/* Says what a figure does not show; false when it would show nothing. */
static bool check_curves(const plot_job *job)
{
    size_t shown = 0;
    for (size_t i = 0; i < job->set.count; ++i) {
        const curve *c = &job->set.curves[i];
        const char *name = job->set.signals.names[c->signal];
        curve_census census = take_census(c, job->log_x, job->log_y);
        shown += census.shown;
        if (census.not_finite > 0) {
            complain("note: %zu of %zu points of '%s' are not finite and left out", census.not_finite, c->count,
                     name);
        }
        if (census.not_positive > 0) {
            complain("note: %zu of %zu points of '%s' are not positive and left out on a logarithmic axis",
                     census.not_positive, c->count, name);
        }
    }
    if (shown == 0) {
        complain("there is nothing to plot: no signal has a finite%s value%s",
                 job->log_x || job->log_y ? " positive" : "",
                 isfinite(job->set.from) ? " in the frames asked for" : "");
    }
    return shown > 0;
}

/* ---- series --------------------------------------------------------------------------------------------------------- */

/* Number of different signals on an axis, or in its panel before curve `until`. */
static size_t signals_before(const plot_job *job, size_t panel, size_t until)
{
    size_t count = 0;
    for (size_t i = 0; i < until; ++i) {
        bool fresh = i == 0 || job->set.curves[i].signal != job->set.curves[i - 1].signal;
        count += job->axis_of[i]->panel == panel && fresh;
    }
    return count;
}

static size_t curves_before(const plot_job *job, size_t panel, size_t until)
{
    size_t count = 0;
    for (size_t i = 0; i < until; ++i) {
        count += job->axis_of[i]->panel == panel;
    }
    return count;
}

static const carom_line line_cycle[] = { CAROM_LINE_SOLID,    CAROM_LINE_DASHED,      CAROM_LINE_DOTTED,
                                         CAROM_LINE_DASH_DOT, CAROM_LINE_LONG_DASHED, CAROM_LINE_DASH_DOT_DOT };

enum { LINES = sizeof line_cycle / sizeof line_cycle[0] };

static carom_marker marker_of(size_t number)
{
    static const carom_marker cycle[] = { CAROM_MARKER_CIRCLE,  CAROM_MARKER_SQUARE, CAROM_MARKER_TRIANGLE,
                                          CAROM_MARKER_DIAMOND, CAROM_MARKER_PLUS,   CAROM_MARKER_CROSS };
    return cycle[number % (sizeof cycle / sizeof cycle[0])];
}

/* In print: black dash patterns, then grey ones, then both with markers. */
static void style_for_paper(carom_series *series, size_t number)
{
    series->colour = number / LINES % 2 == 0 ? "#000000" : "#8c8c8c";
    series->line = line_cycle[number % LINES];
    series->width = number / LINES % 2 == 0 ? 0.0 : 1.1;
    if (number >= 2 * (size_t)LINES) {
        series->marker = marker_of(number / (2 * (size_t)LINES) - 1);
        series->marker_spacing = 24.0;
    }
}

/* On a screen: a dash pattern for each result and a colour for each signal, or for each result where a panel has one
 * signal only. */
static void style_for_screen(const plot_job *job, carom_series *series, size_t i)
{
    const curve *c = &job->set.curves[i];
    size_t panel = job->axis_of[i]->panel;
    size_t first = job->set.differences ? 1 : 0;
    bool one_signal = signals_before(job, panel, job->set.count) == 1;
    bool many = job->set.result_count - first > LINES;
    series->hue = (unsigned)(one_signal || many ? curves_before(job, panel, i) + 1
                                                : signals_before(job, panel, i + 1));
    series->line = many ? CAROM_LINE_SOLID : line_cycle[c->result - first]; /* curves may coincide */
}

static char *default_label(const plot_job *job, size_t i)
{
    const curve *c = &job->set.curves[i];
    const char *signal = job->set.signals.names[c->signal];
    size_t panel = job->axis_of[i]->panel;
    size_t curves = curves_before(job, panel, job->set.count);
    bool coloured = job->figure.style == CAROM_PLOT_SCREEN && curves == 2 && !job->stacked && job->axis_count == 2;
    if (job->set.result_count == 1) {
        return curves == 1 || coloured ? NULL : copy_text(signal); /* the axis names it, or is of its colour */
    }
    char *name = job->set.differences
                     ? format_text("%s \xe2\x88\x92 %s", job->set.names[c->result], job->set.names[0])
                     : copy_text(job->set.names[c->result]);
    if (signals_before(job, panel, job->set.count) == 1) {
        return name;
    }
    char *both = format_text("%s: %s", name, signal);
    free(name);
    return both;
}

static void make_series(plot_job *job, size_t i, const char *label)
{
    const curve *c = &job->set.curves[i];
    const plot_axis *axis = job->axis_of[i];
    carom_series *series = &job->series[i];
    job->labels[i] = label ? copy_text(label) : default_label(job, i);
    *series = (carom_series){ .x = c->x, .y = c->y, .count = c->count, .label = job->labels[i] };
    series->panel = axis->panel;
    series->right = axis->right;
    size_t number = curves_before(job, axis->panel, i);
    if (job->figure.style == CAROM_PLOT_PAPER) {
        style_for_paper(series, number);
    } else {
        style_for_screen(job, series, i);
    }
    if (arguments_have(job->args, "--markers")) {
        series->marker = marker_of(number);
        series->marker_spacing = 18.0;
    }
}

static bool make_all_series(plot_job *job)
{
    size_t label_count = 0;
    const char **labels = arguments_list(job->args, "--label", &label_count);
    bool ok = label_count <= job->set.count;
    if (!ok) {
        complain("there are %zu curves, but option '--label' is given %zu times", job->set.count, label_count);
    }
    job->series = allocate(job->set.count, sizeof *job->series);
    job->labels = allocate(job->set.count, sizeof *job->labels);
    for (size_t i = 0; i < job->set.count && ok; ++i) {
        make_series(job, i, i < label_count ? labels[i] : NULL);
    }
    job->figure.series = job->series;
    job->figure.series_count = job->set.count;
    free(labels);
    return ok;
}

/* ---- the file ------------------------------------------------------------------------------------------------------- */

/* plot.svg beside the first result. */
static char *default_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *last = slash ? slash + 1 : path;
    size_t length = strlen(last);
    bool is_file = length > 3 && strcmp(last + length - 3, ".h5") == 0;
    if (!is_file) {
        return format_text("%s%splot.svg", path, path[strlen(path) - 1] == '/' ? "" : "/");
    }
    return format_text("%.*splot.svg", slash ? (int)(slash + 1 - path) : 0, path);
}

static int write_figure(const plot_job *job)
{
    carom_error err = { 0 };
    const char *given = arguments_text(job->args, "--output");
    char *file = given ? copy_text(given) : default_file(job->set.paths[0]);
    carom_status status = carom_figure_write(&job->figure, file, &err);
    if (status == CAROM_OK) {
        print_line("%s: %zu curve%s", file, job->set.count, job->set.count == 1 ? "" : "s");
    }
    free(file);
    return report_writing(status, &err);
}

static int draw(plot_job *job)
{
    bool ok = read_log(job) && read_page(job) && read_insets(job) && read_x(job);
    int code = ok ? curves_read(&job->set) : EXIT_BAD_INPUT;
    if (code != EXIT_DONE) {
        return code;
    }
    if (!check_curves(job) || !arrange_axes(job)) {
        return EXIT_BAD_INPUT;
    }
    name_axes(job);
    ok = set_x_axis(job) && set_axes(job) && make_all_series(job);
    return ok ? write_figure(job) : EXIT_BAD_INPUT;
}

static void free_job(plot_job *job)
{
    for (size_t i = 0; i < job->set.count && job->labels; ++i) {
        free(job->labels[i]);
    }
    free(job->labels);
    free(job->series);
    free(job->panels);
    free(job->insets);
    free(job->axis_of);
    curves_close(&job->set);
    free(job);
}

static int plot_results(const arguments *args)
{
    size_t word_count = 0;
    const char **words = arguments_list(args, "--y", &word_count);
    plot_job *job = allocate(1, sizeof *job);
    job->args = args;
    int code = curves_open(&job->set, args->operands, (size_t)args->operand_count, words, word_count);
    code = code == EXIT_DONE ? draw(job) : code;
    free_job(job);
    free(words);
    return code;
}

static int plot(const arguments *args)
{
    return run_guarded(plot_results, args, args->operands[0]);
}

static const option options[] = {
    { "--y", 'y', "A,B,...", "Signals, also patterns such as 'rod.*' (default: recorded ones)" },
    { "--x", 'x', "SIGNAL", "What they are drawn over (default: time)" },
    { "--output", 'o', "FILE", "File ending in .svg, .pdf or .png (default: RESULT/plot.svg)" },
    { "--paper", 0, NULL, "For print: a column of 84 mm, serifs, black dash patterns" },
    { "--width", 0, "MM", "Width of the page (default: 150)" },
    { "--height", 0, "MM", "Height (default: 19/30 of the width, more for panels)" },
    { "--dpi", 0, "N", "Pixels per inch of PNG (default: 200, --paper 600)" },
    { "--title", 0, "TEXT", "Above the plot" },
    { "--xlabel", 0, "TEXT", "Name of the x axis; its unit is added" },
    { "--ylabel", 0, "TEXT", "Name of a y axis; may be repeated for the next ones" },
    { "--label", 0, "TEXT", "Name of a curve in the legend; may be repeated" },
    { "--legend", 0, "PLACE", "auto (default), outside or none" },
    { "--xlim", 0, "A,B", "Range of the x axis" },
    { "--ylim", 0, "A,B", "Range of a y axis; may be repeated for the next ones" },
    { "--time", 0, "A,B", "Only frames between these times [s]" },
    { "--log", 0, "AXES", "Logarithmic axes: x, y or xy" },
    { "--inset", 0, "X0,X1[,Y0,Y1]", "Magnify this part; N:X0,X1 in panel N; may be repeated" },
    { "--panels", 0, NULL, "A panel for each unit; with one unit, for each signal" },
    { "--diff", 0, NULL, "Differences from the first result" },
    { "--markers", 0, NULL, "Markers on the curves" },
    { "--grid", 0, NULL, "Grid lines also with --paper" },
    { NULL, 0, NULL, NULL },
};

const command command_plot = {
    .name = "plot",
    .summary = "draw signals of results as SVG, PDF or PNG",
    .operands = "RESULT...",
    .min_operands = 1,
    .max_operands = 64,
    .options = options,
    .notes =
        "RESULT is the folder of a run or a result.h5; several are drawn over each other. Signals of one unit share\n"
        "an axis, a second unit has its axis on the right, more units have panels. 'carom info RESULT --all' lists\n"
        "the signals. A range that begins with a minus needs the equals sign: --ylim=-1,1.",
    .example = "  carom plot results/pendulum --y 'rod.position.*' -o rod.svg\n"
               "  carom plot coarse fine --y ball.contact.force.x --inset 0.49,0.5 --paper -o force.pdf",
    .run = plot,
};
