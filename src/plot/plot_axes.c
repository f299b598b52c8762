/* Ranges and ticks of axes. Linear axes have ticks at 1, 2 or 5 times a power of ten, logarithmic ones at powers of
 * ten with small ticks between, or at 1, 2, 5 where less than two decades are shown. Labels stay short: a common power of
 * ten, and for a narrow range far from zero a common offset, are told once for the whole axis. */
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LARGEST = 1e300;

bool plot_can_show(double value, bool log)
{
    return log ? value > 1.0 / LARGEST && value < LARGEST : fabs(value) < LARGEST;
}

/* Of numbers that can be shown; their ratio itself may be too large for a number. */
static double log_ratio(double a, double b)
{
    return isfinite(a / b) && a / b > 0.0 ? log(a / b) : log(a) - log(b);
}

/* ---- ranges ------------------------------------------------------------------------------------------------------- */

typedef struct extent {
    double min, max;
} extent;

static void widen(extent *e, double value, bool log)
{
    if (plot_can_show(value, log)) {
        e->min = fmin(e->min, value);
        e->max = fmax(e->max, value);
    }
}

const carom_axis *plot_axis_of(const carom_figure *figure, plot_side side, size_t panel)
{
    if (side == SIDE_X) {
        return &figure->x;
    }
    if (figure->panel_count == 0) {
        return side == SIDE_LEFT ? &figure->y : &figure->right;
    }
    return side == SIDE_LEFT ? &figure->panels[panel].y : &figure->panels[panel].right;
}

static bool is_given(const carom_axis *axis)
{
    return axis->min != axis->max;
}

static const carom_axis *y_axis_of(const carom_figure *figure, const carom_series *series)
{
    return plot_axis_of(figure, series->right ? SIDE_RIGHT : SIDE_LEFT, series->panel);
}

static void widen_x(extent *e, const carom_figure *figure, const carom_series *series)
{
    const carom_axis *y = y_axis_of(figure, series);
    for (size_t i = 0; i < series->count; ++i) {
        if (plot_can_show(series->y[i], y->log)) {
            widen(e, series->x[i], figure->x.log);
        }
    }
}

/* The value where the segment from point i - 1 to i crosses the given x. */
static void widen_crossing(extent *e, const carom_series *series, size_t i, double x, bool log)
{
    double x0 = series->x[i - 1];
    double x1 = series->x[i];
    if ((x0 < x && x < x1) || (x1 < x && x < x0)) {
        double share = (x - x0) / (x1 - x0);
        widen(e, series->y[i - 1] + share * (series->y[i] - series->y[i - 1]), log);
    }
}

static void widen_y(extent *e, const carom_figure *figure, const carom_series *series, bool log)
{
    const carom_axis *x = &figure->x;
    for (size_t i = 0; i < series->count; ++i) {
        bool inside = !is_given(x) || (series->x[i] >= x->min && series->x[i] <= x->max);
        if (inside && plot_can_show(series->x[i], x->log)) {
            widen(e, series->y[i], log);
        }
        if (is_given(x) && i > 0) {
            widen_crossing(e, series, i, x->min, log);
            widen_crossing(e, series, i, x->max, log);
        }
    }
}

static extent data_extent(const carom_figure *figure, plot_side side, size_t panel, bool log)
{
    extent e = { HUGE_VAL, -HUGE_VAL };
    for (size_t s = 0; s < figure->series_count; ++s) {
        const carom_series *series = &figure->series[s];
        if (side == SIDE_X) {
            widen_x(&e, figure, series);
        } else if (series->panel == panel && series->right == (side == SIDE_RIGHT)) {
            widen_y(&e, figure, series, log);
        }
    }
    for (size_t m = 0; m < figure->mark_count; ++m) {
        const carom_mark *mark = &figure->marks[m];
        bool meant = side == SIDE_X ? !mark->horizontal
                                    : side == SIDE_LEFT && mark->horizontal && mark->panel == panel;
        if (meant) {
            widen(&e, mark->at, log);
            widen(&e, mark->at + mark->extent, log);
        }
    }
    return e;
}

/* Something to show where data are missing or all the same. */
static extent never_empty(extent e, bool log)
{
    const double narrowest = 1e-12; /* of the numbers themselves: beyond it labels could not tell ticks apart */
    if (!(e.min <= e.max)) {
        return log ? (extent){ 0.1, 10.0 } : (extent){ 0.0, 1.0 };
    }
    if (log) {
        bool narrow = e.max / e.min < 1.0 + 1e-9;
        return narrow ? (extent){ e.min / 2.0, e.max * 2.0 } : e;
    }
    double size = fmax(fabs(e.min), fabs(e.max));
    if (e.max - e.min > narrowest * size && e.max - e.min > 1.0 / LARGEST) {
        return e;
    }
    double half = size > 1.0 / LARGEST ? 0.1 * size : 1.0;
    return (extent){ e.min - half, e.max + half };
}

static extent padded(extent e, double share, bool log)
{
    if (log) {
        double room = share * log_ratio(e.max, e.min);
        return (extent){ fmax(e.min * exp(-room), 1.0 / LARGEST), fmin(e.max * exp(room), LARGEST) };
    }
    double room = share * (e.max - e.min);
    return (extent){ e.min - room, e.max + room };
}

bool plot_goes_right(const carom_series *series)
{
    for (size_t i = 1; i < series->count; ++i) {
        if (series->x[i] < series->x[i - 1]) {
            return false;
        }
    }
    return true;
}

/* How much of the range of x is left free on each side: markers and turning points should not lie on the frame. */
static double x_room(const carom_figure *figure)
{
    double room = 0.0;
    for (size_t s = 0; s < figure->series_count; ++s) {
        const carom_series *series = &figure->series[s];
        bool needed = series->marker != CAROM_MARKER_NONE || !plot_goes_right(series);
        room = needed ? 0.03 : room;
    }
    return room;
}

/* The smallest of 1, 2, 5 times a power of ten that is not below. */
static double round_step(double least)
{
    double power = pow(10.0, floor(log10(least)));
    double share = least / power;
    double tolerance = 1.0 + 1e-9;
    double factor = share <= tolerance ? 1.0 : share <= 2.0 * tolerance ? 2.0 : share <= 5.0 * tolerance ? 5.0 : 10.0;
    return factor * power;
}

/* A range that ends just short of a round number gets its tick: time to 9.9999 s is shown to 10. */
static extent rounded(extent e)
{
    double range = e.max - e.min;
    double step = round_step(range / 5.0);
    double low = floor(e.min / step) * step;
    double high = ceil(e.max / step) * step;
    return (extent){ e.min - low < 0.01 * range ? low : e.min, high - e.max < 0.01 * range ? high : e.max };
}

static extent automatic(const carom_figure *figure, plot_side side, size_t panel, bool log)
{
    double room = side == SIDE_X ? x_room(figure) : 0.06;
    extent e = padded(never_empty(data_extent(figure, side, panel, log), log), room, log);
    return room == 0.0 && !log ? rounded(e) : e;
}

carom_status plot_scale_range(plot_scale *scale, const carom_figure *figure, plot_side side, size_t panel,
                              carom_error *err)
{
    static const char *const names[] = { [SIDE_X] = "x", [SIDE_LEFT] = "y", [SIDE_RIGHT] = "right" };
    const carom_axis *axis = plot_axis_of(figure, side, panel);
    extent e = { axis->min, axis->max };
    *scale = (plot_scale){ .log = axis->log };
    if (!is_given(axis)) {
        e = automatic(figure, side, panel, axis->log);
    } else if (!(e.max - e.min > 1.0 / LARGEST) || !plot_can_show(e.min, axis->log) ||
               !plot_can_show(e.max, axis->log)) {
        return carom_fail(err, CAROM_BAD_INPUT, "axis %s%s%.200s: a range from %g to %g cannot be drawn%s",
                          names[side], axis->label ? " " : "", axis->label ? axis->label : "", e.min, e.max,
                          axis->log ? " on a logarithmic scale" : "; min must be less than max");
    }
    scale->min = e.min;
    scale->max = e.max;
    return CAROM_OK;
}

double plot_scale_page(const plot_scale *scale, double value)
{
    double share = scale->log ? log_ratio(value, scale->min) / log_ratio(scale->max, scale->min)
                              : (0.5 * value - 0.5 * scale->min) / (0.5 * scale->max - 0.5 * scale->min);
    return scale->from + share * (scale->to - scale->from);
}

double plot_scale_data(const plot_scale *scale, double page)
{
    double share = (page - scale->from) / (scale->to - scale->from);
    if (!scale->log) {
        return scale->min * (1.0 - share) + scale->max * share;
    }
    double half = exp(0.5 * share * log_ratio(scale->max, scale->min)); /* the whole may be too large for a number */
    return scale->min * half * half;
}

void plot_scale_raise(plot_scale *scale, double share)
{
    extent e = padded((extent){ scale->min, scale->max }, share, scale->log);
    scale->max = e.max;
}

/* ---- ticks -------------------------------------------------------------------------------------------------------- */

/* With a real minus sign, and a point whatever the locale. */
static void set_label(plot_tick *tick, const char *words)
{
    size_t used = 0;
    if (!tick) {
        return;
    }
    for (; *words && used + 4 < sizeof tick->label; ++words) {
        const char *character = *words == '-' ? "\xe2\x88\x92" : *words == ',' ? "." : (char[]){ *words, '\0' };
        used += (size_t)snprintf(tick->label + used, sizeof tick->label - used, "%s", character);
    }
    tick->label[used] = '\0';
}

/* NULL for one that is outside. */
static plot_tick *add_tick(plot_scale *scale, double at)
{
    double tolerance = 1e-9;
    bool inside = scale->log ? at >= scale->min * (1.0 - tolerance) && at <= scale->max * (1.0 + tolerance)
                             : at >= scale->min - tolerance * (scale->max - scale->min) &&
                                   at <= scale->max + tolerance * (scale->max - scale->min);
    if (!inside || scale->tick_count == PLOT_TICKS) {
        return NULL;
    }
    plot_tick *tick = &scale->ticks[scale->tick_count++];
    *tick = (plot_tick){ .at = at };
    return tick;
}

/* Numbers of thousands and hundredths are short enough as they are. */
static int common_exponent(double min, double max)
{
    double size = fmax(fabs(min), fabs(max));
    int exponent = (int)floor(log10(size) + 1e-9);
    return exponent >= 5 || exponent <= -3 ? 3 * (int)floor(exponent / 3.0) : 0;
}

/* Where labels would need five digits or more to be told apart: the number with the fewest digits in the range or
 * near it. */
static double common_offset(double min, double max, double step)
{
    const double digits = 3.6; /* between size and step */
    double size = fmax(fabs(min), fabs(max));
    double middle = 0.5 * min + 0.5 * max;
    if (min * max <= 0.0 || log10(size / step) < digits) {
        return 0.0;
    }
    for (int power = (int)ceil(log10(size)); power > -300; --power) {
        double round_number = round(middle * pow(10.0, -power)) / pow(10.0, -power);
        if (fabs(round_number - middle) <= 1.2 * (max - min)) {
            return round_number;
        }
    }
    return 0.0;
}

static void choose_factor(plot_scale *scale, double step)
{
    if (!scale->fixed) {
        scale->offset = common_offset(scale->min, scale->max, step);
        scale->exponent = common_exponent(scale->min - scale->offset, scale->max - scale->offset);
    }
}

void plot_scale_factor(const plot_scale *scale, char text[PLOT_TICK_LABEL])
{
    char offset[32] = "";
    size_t used = 0;
    text[0] = '\0';
    if (scale->exponent != 0) {
        used = (size_t)snprintf(text, PLOT_TICK_LABEL,
                                "\xc3\x97"
                                "10^%d",
                                scale->exponent);
    }
    if (scale->offset != 0.0) {
        snprintf(offset, sizeof offset, "%.15g", fabs(scale->offset));
        char *comma = strchr(offset, ','); /* of the locale */
        if (comma) {
            *comma = '.';
        }
        snprintf(text + used, PLOT_TICK_LABEL - used, "%s%s%s", used > 0 ? " " : "",
                 scale->offset > 0.0 ? "+" : "\xe2\x88\x92", offset);
    }
}

static void linear_ticks(plot_scale *scale, double count)
{
    double step = round_step((scale->max - scale->min) / fmax(count, 1.0));
    choose_factor(scale, step);
    double unit = pow(10.0, scale->exponent);
    int decimals = (int)ceil(-log10(step / unit) - 1e-9);
    decimals = decimals < 0 ? 0 : decimals > 15 ? 15 : decimals;
    double first = ceil(scale->min / step - 1e-9);
    double zero = scale->offset / step; /* whole, but for rounding */
    for (int i = 0; i < PLOT_TICKS; ++i) {
        double at = (first + i) * step;
        if (at > scale->max + 1e-9 * step) {
            break;
        }
        char words[PLOT_TICK_LABEL];
        double shown = (first + i - zero) * (step / unit);
        snprintf(words, sizeof words, "%.*f", decimals, fabs(shown) < 1e-6 * step / unit ? 0.0 : shown);
        set_label(add_tick(scale, at), words);
    }
}

static void power_label(plot_tick *tick, int factor, int exponent)
{
    char words[PLOT_TICK_LABEL];
    if (!tick) {
        return;
    }
    if (exponent >= -3 && exponent <= 4) {
        snprintf(words, sizeof words, "%g", factor * pow(10.0, exponent));
        set_label(tick, words);
    } else if (factor == 1) {
        snprintf(tick->label, sizeof tick->label, "10^%d", exponent);
    } else {
        snprintf(tick->label, sizeof tick->label,
                 "%d\xc2\xb7"
                 "10^%d",
                 factor, exponent);
    }
}

static void decade_ticks(plot_scale *scale, int low, int high, int stride)
{
    int small = high - low <= 20 ? 9 : 1; /* beyond that small ticks run together */
    for (int k = low; k <= high; ++k) {
        double power = pow(10.0, k);
        bool labelled = ((k % stride) + stride) % stride == 0;
        plot_tick *tick = add_tick(scale, power);
        if (labelled && tick) {
            snprintf(tick->label, sizeof tick->label, "10^%d", k);
        }
        for (int f = 2; f <= small; ++f) {
            add_tick(scale, f * power);
        }
    }
}

static void part_decade_ticks(plot_scale *scale, int low, int high)
{
    for (int k = low; k <= high; ++k) {
        for (int f = 1; f <= 9; ++f) {
            plot_tick *tick = add_tick(scale, f * pow(10.0, k));
            if (f == 1 || f == 2 || f == 5) {
                power_label(tick, f, k);
            }
        }
    }
}

static int labelled_ticks(const plot_scale *scale)
{
    int count = 0;
    for (int i = 0; i < scale->tick_count; ++i) {
        count += scale->ticks[i].label[0] != '\0';
    }
    return count;
}

static void log_ticks(plot_scale *scale, double count)
{
    int low = (int)floor(log10(scale->min));
    int high = (int)ceil(log10(scale->max));
    if (log_ratio(scale->max, scale->min) >= log(100.0)) {
        int stride = (int)ceil((high - low) / fmax(count, 1.0));
        do {
            scale->tick_count = 0;
            decade_ticks(scale, low, high, stride);
            --stride;
        } while (labelled_ticks(scale) < 2 && stride > 0);
        return;
    }
    part_decade_ticks(scale, low, high);
    if (labelled_ticks(scale) < 2) { /* as good as linear */
        scale->tick_count = 0;
        linear_ticks(scale, count);
    }
}

void plot_scale_ticks(plot_scale *scale, double count)
{
    scale->tick_count = 0;
    if (!scale->fixed) {
        scale->exponent = 0;
        scale->offset = 0.0;
    }
    if (scale->log) {
        log_ticks(scale, count);
    } else {
        linear_ticks(scale, count);
    }
}
