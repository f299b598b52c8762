#include "render/samples.h"

#include <stddef.h>

enum { FARTHEST = 1 << 28 }; /* steps of the grid: products of two differences stay below 2^60 */

int32_t sample_place(double pixels)
{
    double steps = pixels * SAMPLE_GRID;
    double held = steps >= FARTHEST ? FARTHEST : steps > -FARTHEST ? steps : -FARTHEST; /* no number: the border */
    return (int32_t)(held >= 0.0 ? held + 0.5 : held - 0.5);
}

void samples_clear(sample_band *band, float far)
{
    size_t count = (size_t)band->width * (size_t)band->rows;
    for (size_t i = 0; i < count; ++i) {
        band->near[i] = far;
    }
    for (size_t i = 0; band->ids && i < count; ++i) {
        band->ids[i] = SAMPLE_NOTHING;
    }
}

/* Inside where along x + across y + start >= 0. */
typedef struct edge_function {
    int64_t along, across, start;
} edge_function;

static edge_function edge_between(sample_corner a, sample_corner b)
{
    edge_function e = { .along = (int64_t)a.y - b.y, .across = (int64_t)b.x - a.x };
    e.start = -(e.along * a.x + e.across * a.y);
    bool owns = e.along > 0 || (e.along == 0 && e.across > 0); /* its left edges, and its upper ones */
    e.start -= !owns;
    return e;
}

static int64_t floor_over(int64_t a, int64_t b) /* b > 0 */
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Narrows the samples [*low, *high] of a row to those inside of an edge. */
static void narrow(const edge_function *e, int64_t y, int64_t *low, int64_t *high)
{
    int64_t step = e->along * SAMPLE_STEPS;
    int64_t at_zero = e->start + e->across * y + e->along * (SAMPLE_STEPS / 2);
    if (step > 0) {
        int64_t from = -floor_over(at_zero, step);
        *low = from > *low ? from : *low;
    } else if (step < 0) {
        int64_t to = floor_over(at_zero, -step);
        *high = to < *high ? to : *high;
    } else if (at_zero < 0) {
        *high = *low - 1;
    }
}

/* near = start + along x + across y in samples. */
typedef struct depth_plane {
    double start, along, across;
} depth_plane;

static depth_plane depth_over(sample_corner a, sample_corner b, sample_corner c, double area)
{
    double abx = (double)b.x - a.x, aby = (double)b.y - a.y, acx = (double)c.x - a.x, acy = (double)c.y - a.y;
    double ab = (double)b.near - (double)a.near, ac = (double)c.near - (double)a.near;
    double along = (ab * acy - ac * aby) / area, across = (ac * abx - ab * acx) / area;
    return (depth_plane){ (double)a.near + along * (SAMPLE_STEPS / 2 - (double)a.x) +
                              across * (SAMPLE_STEPS / 2 - (double)a.y),
                          along * SAMPLE_STEPS, across * SAMPLE_STEPS };
}

static void fill_nearer(const sample_band *band, size_t at, int count, float start, float along, uint32_t id)
{
    float *near = band->near + at;
    uint32_t *ids = band->ids ? band->ids + at : NULL;
    if (!ids) {
        for (int i = 0; i < count; ++i) {
            float z = start + along * (float)i;
            near[i] = z > near[i] ? z : near[i];
        }
        return;
    }
    for (int i = 0; i < count; ++i) {
        float z = start + along * (float)i; /* both are always written: so several samples are done at once */
        bool nearer = z > near[i];
        near[i] = nearer ? z : near[i];
        ids[i] = nearer ? id : ids[i];
    }
}

static int32_t least_of(int32_t a, int32_t b, int32_t c)
{
    int32_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int32_t most_of(int32_t a, int32_t b, int32_t c)
{
    int32_t ab = a > b ? a : b;
    return ab > c ? ab : c;
}

/* Samples whose middles lie between two places of the grid, both included. */
static int64_t first_sample(int32_t place)
{
    return -floor_over(SAMPLE_STEPS / 2 - (int64_t)place, SAMPLE_STEPS);
}

static int64_t last_sample(int32_t place)
{
    return floor_over((int64_t)place - SAMPLE_STEPS / 2, SAMPLE_STEPS);
}

void samples_fill(sample_band *band, sample_corner a, sample_corner b, sample_corner c, uint32_t id, bool over)
{
    int64_t top = first_sample(least_of(a.y, b.y, c.y)), bottom = last_sample(most_of(a.y, b.y, c.y));
    top = top > band->first ? top : band->first;
    bottom = bottom < band->first + band->rows ? bottom : band->first + band->rows - 1;
    if (top > bottom) {
        return; /* most triangles lie in few bands */
    }
    int64_t area = ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) - ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
    if (area < 0) {
        sample_corner swapped = b;
        b = c;
        c = swapped;
        area = -area;
    }
    int64_t left = first_sample(least_of(a.x, b.x, c.x)), right = last_sample(most_of(a.x, b.x, c.x));
    left = left > 0 ? left : 0;
    right = right < band->width ? right : band->width - 1;
    if (area == 0 || left > right) {
        return;
    }
    const edge_function edges[3] = { edge_between(a, b), edge_between(b, c), edge_between(c, a) };
    const depth_plane depth = depth_over(a, b, c, (double)area);
    for (int64_t row = top; row <= bottom; ++row) {
        int64_t low = left, high = right, y = row * SAMPLE_STEPS + SAMPLE_STEPS / 2;
        for (int k = 0; k < 3; ++k) {
            narrow(&edges[k], y, &low, &high);
        }
        if (low > high) {
            continue;
        }
        size_t at = (size_t)(row - band->first) * (size_t)band->width + (size_t)low;
        for (int64_t i = low; over && i <= high; ++i) {
            band->ids[at + (size_t)(i - low)] = id;
        }
        if (!over) {
            double start = depth.start + depth.along * (double)low + depth.across * (double)row;
            fill_nearer(band, at, (int)(high - low + 1), (float)start, (float)depth.along, id);
        }
    }
}
