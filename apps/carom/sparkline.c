/* Values of each stretch of time, chosen and put on a scale of eight heights. */
#include "sparkline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEIGHTS = 8 };

static const char *const block_heights[HEIGHTS] = {
    "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
    "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88",
};
static const char *const plain_heights[HEIGHTS] = { "_", ".", "-", "~", "+", "*", "%", "#" };

static void find_range(const double *values, size_t count, sparkline *line)
{
    line->low = line->high = (double)NAN;
    for (size_t i = 0; i < count; ++i) {
        if (isfinite(values[i])) {
            line->low = fmin(line->low, values[i]);
            line->high = fmax(line->high, values[i]);
        }
    }
}

/* The cell of each frame; frames at one time, or times that are no numbers, are all in the first. */
static int cell_of(const double *time, size_t count, size_t i, int cells)
{
    double part = (time[i] - time[0]) / (time[count - 1] - time[0]);
    return part > 0.0 ? part < 1.0 ? (int)(part * cells) : cells - 1 : 0;
}

/* The values of one stretch. */
typedef struct spark_cell {
    double frames; /* in it */
    double taken;  /* of them with a number */
    double mean;
    double far; /* farthest from the mean */
} spark_cell;

static void take_mean(spark_cell *c, double value)
{
    c->frames += 1.0;
    if (isfinite(value)) {
        c->taken += 1.0;
        c->mean += (value - c->mean) / c->taken;
        c->far = c->mean;
    }
}

static void take_far(spark_cell *c, double value)
{
    if (isfinite(value) && fabs(value - c->mean) > fabs(c->far - c->mean)) {
        c->far = value;
    }
}

/* The mean, or a peak that stands out. */
static double value_of(const spark_cell *c, double range)
{
    bool peak = fabs(c->far - c->mean) > 0.25 * range;
    return c->taken > 0.0 ? peak ? c->far : c->mean : (double)NAN;
}

/* Straight lines over cells in which there is no frame; one whose values are no numbers stays empty. */
static void bridge(double *chosen, const spark_cell *all, int from, int to)
{
    for (int i = from + 1; i < to; ++i) {
        double part = (double)(i - from) / (to - from);
        chosen[i] = all[i].frames > 0.0 ? chosen[i] : chosen[from] + part * (chosen[to] - chosen[from]);
    }
}

static void choose_values(double *chosen, int cells, const double *time, const double *values, size_t count,
                          double range)
{
    spark_cell all[SPARKLINE_CELLS] = { 0 };
    int last = -1;
    for (size_t i = 0; i < count; ++i) {
        take_mean(&all[cell_of(time, count, i, cells)], values[i]);
    }
    for (size_t i = 0; i < count; ++i) {
        take_far(&all[cell_of(time, count, i, cells)], values[i]);
    }
    for (int i = 0; i < cells; ++i) {
        chosen[i] = value_of(&all[i], range);
        if (isfinite(chosen[i])) {
            if (last >= 0) {
                bridge(chosen, all, last, i);
            }
            last = i;
        }
    }
}

/* What differs by rounding only is flat. */
static int height_of(const sparkline *line, double value)
{
    double range = line->high - line->low;
    double size = fmax(fabs(line->low), fabs(line->high));
    if (!(range > 1e-12 * size)) {
        return 0;
    }
    int height = (int)((value / range - line->low / range) * HEIGHTS);
    return height < 0 ? 0 : height < HEIGHTS ? height : HEIGHTS - 1;
}

sparkline sparkline_of(const double *time, const double *values, size_t count, int cells, bool blocks)
{
    sparkline line = { 0 };
    double cell[SPARKLINE_CELLS];
    const char *const *heights = blocks ? block_heights : plain_heights;
    size_t at = 0;
    find_range(values, count, &line);
    cells = cells < SPARKLINE_CELLS ? cells : SPARKLINE_CELLS;
    if (cells > 0) {
        choose_values(cell, cells, time, values, count, line.high - line.low);
    }
    for (int i = 0; i < cells; ++i) {
        const char *mark = isfinite(cell[i]) ? heights[height_of(&line, cell[i])] : " ";
        size_t bytes = strlen(mark);
        memcpy(line.text + at, mark, bytes);
        at += bytes;
    }
    return line;
}

void bar_of(char *text, size_t size, double part, int cells, bool blocks)
{
    double length = part > 0.0 ? (part < 1.0 ? part : 1.0) * cells : 0.0;
    int full = (int)(blocks ? length : length + 0.5);
    int eighths = blocks ? (int)((length - full) * 8.0 + 0.5) : 0;
    size_t at = 0;
    for (int i = 0; i < full && at + 4 < size; ++i) {
        at += (size_t)snprintf(text + at, size - at, "%s", blocks ? "\xe2\x96\x88" : "#");
    }
    if (eighths > 0 && at + 4 < size) { /* U+2588 is full, U+258F an eighth */
        snprintf(text + at, size - at, "\xe2\x96%c", 0x90 - eighths);
    } else {
        text[at] = '\0';
    }
}
