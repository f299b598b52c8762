/* Ranges and ticks of axes. Linear axes have ticks at 1, 2 or 5 times a power of ten, logarithmic ones at powers of
 * ten with small ticks between, or at 1, 2, 5 where less than two decades are shown. */
#include "io/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LARGEST = 1e300;

bool plot_can_show(double value, bool log)
{
    return log ? value > 1.0 / LARGEST && value < LARGEST : fabs(value) < LARGEST;
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

static extent data_extent(const carom_figure *figure, bool horizontal, bool log)
{
    const carom_axis *other = horizontal ? &figure->y : &figure->x;
    extent e = { HUGE_VAL, -HUGE_VAL };
    for (size_t s = 0; s < figure->series_count; ++s) {
        const carom_series *series = &figure->series[s];
        const double *values = horizontal ? series->x : series->y;
        const double *others = horizontal ? series->y : series->x;
        for (size_t i = 0; i < series->count; ++i) {
            if (plot_can_show(others[i], other->log)) {
                widen(&e, values[i], log);
            }
        }
    }
    for (size_t m = 0; m < figure->mark_count; ++m) {
        if (figure->marks[m].horizontal != horizontal) {
            widen(&e, figure->marks[m].at, log);
            widen(&e, figure->marks[m].at + figure->marks[m].extent, log);
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
        double factor = pow(e.max / e.min, share);
        return (extent){ e.min / factor, e.max * factor };
    }
    double room = share * (e.max - e.min);
    return (extent){ e.min - room, e.max + room };
}

/* A curve that turns back: its turning points should not lie on the frame. */
static bool turns_back(const carom_series *series)
{
    for (size_t i = 1; i < series->count; ++i) {
        if (series->x[i] < series->x[i - 1]) {
            return true;
        }
    }
    return false;
}

/* How much of the range of x is left free on each side. */
static double x_room(const carom_figure *figure)
{
    double room = 0.0;
    for (size_t s = 0; s < figure->series_count; ++s) {
        const carom_series *series = &figure->series[s];
        bool needed = series->marker != CAROM_MARKER_NONE || turns_back(series);
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

static extent automatic(const carom_figure *figure, bool horizontal, bool log)
{
    double room = horizontal ? x_room(figure) : 0.06;
    extent e = padded(never_empty(data_extent(figure, horizontal, log), log), room, log);
    return room == 0.0 && !log ? rounded(e) : e;
}

carom_status plot_scale_range(plot_scale *scale, const carom_figure *figure, bool horizontal, carom_error *err)
{
    const carom_axis *axis = horizontal ? &figure->x : &figure->y;
    extent e = { axis->min, axis->max };
    *scale = (plot_scale){ .log = axis->log };
    if (axis->min == axis->max) {
        e = automatic(figure, horizontal, axis->log);
    } else if (!(e.min < e.max) || !plot_can_show(e.min, axis->log) || !plot_can_show(e.max, axis->log)) {
        return carom_fail(err, CAROM_BAD_INPUT, "axis %s%s%s: a range from %g to %g cannot be drawn%s",
                          horizontal ? "x" : "y", axis->label ? " " : "", axis->label ? axis->label : "", e.min,
                          e.max, axis->log ? " on a logarithmic scale" : "; min must be less than max");
    }
    scale->min = e.min;
    scale->max = e.max;
    return CAROM_OK;
}

double plot_scale_page(const plot_scale *scale, double value)
{
    double share = scale->log ? log(value / scale->min) / log(scale->max / scale->min)
                              : (0.5 * value - 0.5 * scale->min) / (0.5 * scale->max - 0.5 * scale->min);
    return scale->from + share * (scale->to - scale->from);
}

/* ---- ticks -------------------------------------------------------------------------------------------------------- */

/* With a real minus sign. */
static void set_label(plot_tick *tick, const char *words)
{
    size_t used = 0;
    if (!tick) {
        return;
    }
    for (; *words && used + 4 < sizeof tick->label; ++words) {
        const char *character = *words == '-' ? "\xe2\x88\x92" : (char[]){ *words, '\0' };
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

/* Numbers of thousands and thousandths are short enough as they are. */
static int common_exponent(double min, double max)
{
    double size = fmax(fabs(min), fabs(max));
    int exponent = (int)floor(log10(size));
    return exponent >= 5 || exponent <= -4 ? 3 * (int)floor(exponent / 3.0) : 0;
}

static void linear_ticks(plot_scale *scale, double count)
{
    double step = round_step((scale->max - scale->min) / fmax(count, 1.0));
    scale->exponent = common_exponent(scale->min, scale->max);
    double unit = pow(10.0, scale->exponent);
    int decimals = (int)ceil(-log10(step / unit) - 1e-9);
    decimals = decimals < 0 ? 0 : decimals > 15 ? 15 : decimals;
    double first = ceil(scale->min / step - 1e-9);
    for (int i = 0; i < PLOT_TICKS; ++i) {
        double at = (first + i) * step;
        if (at > scale->max + 1e-9 * step) {
            break;
        }
        char words[PLOT_TICK_LABEL];
        snprintf(words, sizeof words, "%.*f", decimals, at == 0.0 ? 0.0 : at / unit);
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
    if (log10(scale->max / scale->min) >= 2.0) {
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
    scale->exponent = 0;
    if (scale->log) {
        log_ticks(scale, count);
    } else {
        linear_ticks(scale, count);
    }
}
