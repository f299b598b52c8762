/* Sweep and prune [Baraff1992]: boxes sorted by their lower ends along one axis; a box meets only those whose lower end
 * comes before its upper end. The order of the last call is nearly right for the next, so insertion sort is nearly
 * linear; where it is not (a first call, a jump), sorting starts afresh. Boxes without ends, and boxes that are not
 * numbers, meet everybody until the other axes say no.
 *
 * Where boxes are many, a slab of the first axis holds many that are far apart along the others: then a grid of cells
 * across the other two axes is laid over them, each cell is swept by itself, and a pair counts in the first cell that both
 * cover. Boxes that cover many cells are swept against all. The pairs found are the same. */
#include "collision/broad_phase.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "collision/key_sort.h"

typedef struct interval {
    double low, high; /* [m] along the axis */
    int box;
} interval;

/* Cells from low to high along the other two axes; wide: too many of them. */
typedef struct cell_range {
    int low[2], high[2];
    bool wide;
} cell_range;

struct broad_phase {
    int axis;
    int count; /* boxes of the last call */
    int capacity;
    int *order;       /* boxes by lower end, as they were */
    interval *sorted; /* bounded boxes */
    int *unbounded;
    int bounded_count, unbounded_count;
    keyed *found; /* pairs as keys, then as much room for sorting */
    size_t found_count, found_capacity;
    box_pair *pairs;
    size_t pair_capacity;
    cell_range *ranges; /* cells of each sorted interval */
    int *wide;          /* sorted intervals that cover many cells, ascending */
    int wide_count;
    int cells[2];     /* along the other two axes */
    size_t *cell_end; /* in cell_items; one more than there are cells */
    int *cell_items;  /* sorted intervals of each cell, ascending */
    size_t item_capacity, cell_capacity;
};

broad_phase *broad_phase_create(void)
{
    return calloc(1, sizeof(broad_phase));
}

void broad_phase_destroy(broad_phase *bp)
{
    if (bp) {
        free(bp->order);
        free(bp->sorted);
        free(bp->unbounded);
        free(bp->found);
        free(bp->pairs);
        free(bp->ranges);
        free(bp->wide);
        free(bp->cell_end);
        free(bp->cell_items);
        free(bp);
    }
}

static bool reserve_boxes(broad_phase *bp, int count)
{
    if (count <= bp->capacity) {
        return true;
    }
    size_t n = (size_t)count + (size_t)count / 2;
    bool ok = CAROM_ARRAY_RESIZE(bp->order, n) && CAROM_ARRAY_RESIZE(bp->sorted, n) &&
              CAROM_ARRAY_RESIZE(bp->unbounded, n) && CAROM_ARRAY_RESIZE(bp->ranges, n) &&
              CAROM_ARRAY_RESIZE(bp->wide, n);
    bp->capacity = ok ? (int)n : bp->capacity;
    return ok;
}

/* ---- the axis ------------------------------------------------------------------------------------------------------ */

static bool is_bounded(const aabb *box, int axis)
{
    return isfinite(v3_get(box->low, axis)) && isfinite(v3_get(box->high, axis));
}

/* Along which the middles of bounded boxes vary most; the present one is kept until another is clearly wider. */
static int widest_axis(const aabb *boxes, int count, int present)
{
    const double clearly = 1.5;
    double variance[3];
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0.0;
        double sum2 = 0.0;
        double n = 0.0;
        for (int i = 0; i < count; ++i) {
            if (is_bounded(&boxes[i], axis)) {
                double middle = 0.5 * (v3_get(boxes[i].low, axis) + v3_get(boxes[i].high, axis));
                sum += middle;
                sum2 += middle * middle;
                n += 1.0;
            }
        }
        variance[axis] = n > 0.0 ? sum2 / n - sum / n * (sum / n) : 0.0;
    }
    int widest = present;
    for (int axis = 0; axis < 3; ++axis) {
        if (variance[axis] > variance[widest] * (widest == present ? clearly : 1.0)) {
            widest = axis;
        }
    }
    return widest;
}

/* ---- sorting ------------------------------------------------------------------------------------------------------- */

static void reset_order(broad_phase *bp, int count)
{
    for (int i = 0; i < count; ++i) {
        bp->order[i] = i;
    }
    bp->count = count;
}

/* Intervals in the remembered order; boxes without ends apart. */
static void load_intervals(broad_phase *bp, const aabb *boxes)
{
    bp->bounded_count = bp->unbounded_count = 0;
    for (int k = 0; k < bp->count; ++k) {
        int i = bp->order[k];
        if (is_bounded(&boxes[i], bp->axis)) {
            bp->sorted[bp->bounded_count++] = (interval){ v3_get(boxes[i].low, bp->axis),
                                                          v3_get(boxes[i].high, bp->axis), i };
        } else {
            bp->unbounded[bp->unbounded_count++] = i;
        }
    }
}

static bool comes_before(const interval *a, const interval *b)
{
    return a->low < b->low || (a->low == b->low && a->box < b->box);
}

/* False when it takes too many moves: then sorting afresh is cheaper. */
static bool insertion_sort(interval *items, int count)
{
    const int64_t most_moves = 16 * (int64_t)count;
    int64_t moves = 0;
    for (int i = 1; i < count; ++i) {
        interval item = items[i];
        int j = i;
        for (; j > 0 && comes_before(&item, &items[j - 1]); --j) {
            items[j] = items[j - 1];
        }
        items[j] = item;
        moves += i - j;
        if (moves > most_moves) {
            return false;
        }
    }
    return true;
}

static int compare_intervals(const void *a, const void *b)
{
    return comes_before(a, b) ? -1 : 1;
}

static void sort_intervals(broad_phase *bp)
{
    if (!insertion_sort(bp->sorted, bp->bounded_count)) {
        qsort(bp->sorted, (size_t)bp->bounded_count, sizeof *bp->sorted, compare_intervals);
    }
    for (int k = 0; k < bp->bounded_count; ++k) {
        bp->order[k] = bp->sorted[k].box;
    }
    for (int k = 0; k < bp->unbounded_count; ++k) {
        bp->order[bp->bounded_count + k] = bp->unbounded[k];
    }
}

/* ---- sweeping ------------------------------------------------------------------------------------------------------ */

/* True as well where an end is not a number: better looked at in vain than missed. */
static bool overlap(const aabb *a, const aabb *b)
{
    return !(a->high.x < b->low.x || b->high.x < a->low.x || a->high.y < b->low.y || b->high.y < a->low.y ||
             a->high.z < b->low.z || b->high.z < a->low.z);
}

typedef struct sweep {
    broad_phase *bp;
    const aabb *boxes;
    bool (*skip)(const void *context, int a, int b);
    const void *context;
} sweep;

static bool add_pair(const sweep *s, int i, int j)
{
    broad_phase *bp = s->bp;
    int a = i < j ? i : j;
    int b = i < j ? j : i;
    if (!overlap(&s->boxes[a], &s->boxes[b]) || (s->skip && s->skip(s->context, a, b))) {
        return true;
    }
    size_t with_spare = 2 * (bp->found_count + 1);
    if (!CAROM_ARRAY_RESERVE(bp->found, bp->found_capacity, with_spare)) {
        return false;
    }
    bp->found[bp->found_count++] = (keyed){ .key = (uint64_t)a << 32 | (uint64_t)b };
    return true;
}

static bool sweep_bounded(const sweep *s)
{
    const interval *items = s->bp->sorted;
    int count = s->bp->bounded_count;
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count && items[j].low <= items[i].high; ++j) {
            if (!add_pair(s, items[i].box, items[j].box)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- sweeping by cells --------------------------------------------------------------------------------------------- */

enum { CELLS_FROM = 128, MOST_COVERED = 9 };

/* Where cells begin along one of the other axes, and how wide they are: twice the mean box, but no more of them than keeps
 * their number below that of boxes. */
typedef struct cell_axis {
    int axis, count;
    double begin, width; /* [m] */
} cell_axis;

static cell_axis lay_cells(const broad_phase *bp, const aabb *boxes, int axis)
{
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    double extents = 0.0;
    double n = 0.0;
    for (int k = 0; k < bp->bounded_count; ++k) {
        const aabb *box = &boxes[bp->sorted[k].box];
        if (is_bounded(box, axis)) {
            double low = v3_get(box->low, axis);
            double high = v3_get(box->high, axis);
            least = fmin(least, 0.5 * (low + high));
            most = fmax(most, 0.5 * (low + high));
            extents += high - low;
            n += 1.0;
        }
    }
    cell_axis cells = { .axis = axis, .count = 1, .begin = least, .width = 1.0 };
    double span = most - least;
    double finest = fmax(n > 0.0 ? 2.0 * extents / n : 0.0, span / sqrt(n + 1.0));
    if (span > 0.0 && finest > 0.0 && isfinite(span) && span >= 2.0 * finest) {
        cells.count = (int)(span / finest);
        cells.width = span / cells.count;
    }
    return cells;
}

/* Ascending in x; what lies outside belongs to the cells at the ends. */
static int cell_at(const cell_axis *cells, double x)
{
    double place = floor((x - cells->begin) / cells->width);
    return (int)fmin(fmax(place, 0.0), cells->count - 1.0);
}

static cell_range range_of(const aabb *box, const cell_axis cells[2])
{
    cell_range range = { 0 };
    int covered = 1;
    for (int i = 0; i < 2; ++i) {
        if (!is_bounded(box, cells[i].axis)) {
            return (cell_range){ .wide = true };
        }
        range.low[i] = cell_at(&cells[i], v3_get(box->low, cells[i].axis));
        range.high[i] = cell_at(&cells[i], v3_get(box->high, cells[i].axis));
        covered *= range.high[i] - range.low[i] + 1;
        range.wide = range.wide || covered > MOST_COVERED || covered < 1;
    }
    return range;
}

static bool reserve_cells(broad_phase *bp, size_t cells, size_t items)
{
    return CAROM_ARRAY_RESERVE(bp->cell_end, bp->cell_capacity, cells) &&
           CAROM_ARRAY_RESERVE(bp->cell_items, bp->item_capacity, items);
}

/* Calls for every cell that interval k covers: counts them, or puts k into them. */
static void cover(broad_phase *bp, int k, bool put)
{
    const cell_range *r = &bp->ranges[k];
    for (int u = r->low[0]; u <= r->high[0]; ++u) {
        for (int v = r->low[1]; v <= r->high[1]; ++v) {
            size_t *end = &bp->cell_end[(size_t)u * (size_t)bp->cells[1] + (size_t)v + 1];
            if (put) {
                bp->cell_items[*end] = k;
            }
            ++*end;
        }
    }
}

/* Lists of intervals by cell. After counting, cell_end[c + 1] is where cell c begins; after putting, where it ends. */
static bool fill_cells(broad_phase *bp, const aabb *boxes)
{
    const cell_axis axes[2] = { lay_cells(bp, boxes, (bp->axis + 1) % 3), lay_cells(bp, boxes, (bp->axis + 2) % 3) };
    size_t count = (size_t)axes[0].count * (size_t)axes[1].count;
    bp->cells[0] = axes[0].count;
    bp->cells[1] = axes[1].count;
    bp->wide_count = 0;
    if (!reserve_cells(bp, count + 1, MOST_COVERED * (size_t)bp->bounded_count)) {
        return false;
    }
    for (size_t c = 0; c <= count; ++c) {
        bp->cell_end[c] = 0;
    }
    for (int k = 0; k < bp->bounded_count; ++k) {
        bp->ranges[k] = range_of(&boxes[bp->sorted[k].box], axes);
        if (bp->ranges[k].wide) {
            bp->wide[bp->wide_count++] = k;
        } else {
            cover(bp, k, false);
        }
    }
    size_t begin = 0;
    for (size_t c = 1; c <= count; ++c) {
        size_t own = bp->cell_end[c];
        bp->cell_end[c] = begin;
        begin += own;
    }
    for (int k = 0; k < bp->bounded_count; ++k) {
        if (!bp->ranges[k].wide) {
            cover(bp, k, true);
        }
    }
    return true;
}

/* Whether this is the first cell that both cover. */
static bool is_first_common(const cell_range *a, const cell_range *b, int u, int v)
{
    int first_u = a->low[0] > b->low[0] ? a->low[0] : b->low[0];
    int first_v = a->low[1] > b->low[1] ? a->low[1] : b->low[1];
    return first_u == u && first_v == v;
}

static bool sweep_cell(const sweep *s, int u, int v)
{
    const broad_phase *bp = s->bp;
    size_t cell = (size_t)u * (size_t)bp->cells[1] + (size_t)v;
    const int *items = bp->cell_items;
    for (size_t i = bp->cell_end[cell]; i < bp->cell_end[cell + 1]; ++i) {
        const interval *a = &bp->sorted[items[i]];
        for (size_t j = i + 1; j < bp->cell_end[cell + 1] && bp->sorted[items[j]].low <= a->high; ++j) {
            if (is_first_common(&bp->ranges[items[i]], &bp->ranges[items[j]], u, v) &&
                !add_pair(s, a->box, bp->sorted[items[j]].box)) {
                return false;
            }
        }
    }
    return true;
}

/* Pairs of which one at least is wide. */
static bool sweep_wide(const sweep *s)
{
    const broad_phase *bp = s->bp;
    int next = 0; /* the first wide one after i */
    for (int i = 0; i < bp->bounded_count; ++i) {
        const interval *a = &bp->sorted[i];
        bool wide = next < bp->wide_count && bp->wide[next] == i;
        next += wide;
        int count = wide ? bp->bounded_count - i - 1 : bp->wide_count - next;
        for (int j = 0; j < count; ++j) {
            const interval *b = &bp->sorted[wide ? i + 1 + j : bp->wide[next + j]];
            if (b->low > a->high) {
                break;
            }
            if (!add_pair(s, a->box, b->box)) {
                return false;
            }
        }
    }
    return true;
}

static bool sweep_cells(const sweep *s)
{
    if (!fill_cells(s->bp, s->boxes)) {
        return false;
    }
    for (int u = 0; u < s->bp->cells[0]; ++u) {
        for (int v = 0; v < s->bp->cells[1]; ++v) {
            if (!sweep_cell(s, u, v)) {
                return false;
            }
        }
    }
    return sweep_wide(s);
}

static bool sweep_unbounded(const sweep *s)
{
    const broad_phase *bp = s->bp;
    for (int k = 0; k < bp->unbounded_count; ++k) {
        for (int j = 0; j < bp->bounded_count; ++j) {
            if (!add_pair(s, bp->unbounded[k], bp->sorted[j].box)) {
                return false;
            }
        }
        for (int j = k + 1; j < bp->unbounded_count; ++j) {
            if (!add_pair(s, bp->unbounded[k], bp->unbounded[j])) {
                return false;
            }
        }
    }
    return true;
}

static bool list_pairs(broad_phase *bp)
{
    if (bp->found_count == 0) {
        return true;
    }
    key_sort(bp->found, bp->found + bp->found_count, bp->found_count);
    if (!CAROM_ARRAY_RESERVE(bp->pairs, bp->pair_capacity, bp->found_count)) {
        return false;
    }
    for (size_t k = 0; k < bp->found_count; ++k) {
        uint64_t key = bp->found[k].key;
        bp->pairs[k] = (box_pair){ (int)(key >> 32), (int)(key & UINT32_MAX) };
    }
    return true;
}

bool broad_phase_find(broad_phase *bp, const aabb *boxes, int count, bool (*skip)(const void *context, int a, int b),
                      const void *context, const box_pair **pairs, size_t *pair_count)
{
    *pairs = NULL;
    *pair_count = 0;
    if (!reserve_boxes(bp, count)) {
        return false;
    }
    if (count != bp->count) {
        reset_order(bp, count);
    }
    bp->axis = widest_axis(boxes, count, bp->axis);
    load_intervals(bp, boxes);
    sort_intervals(bp);
    bp->found_count = 0;
    sweep s = { .bp = bp, .boxes = boxes, .skip = skip, .context = context };
    bool many = bp->bounded_count >= CELLS_FROM;
    if (!(many ? sweep_cells : sweep_bounded)(&s) || !sweep_unbounded(&s) || !list_pairs(bp)) {
        return false;
    }
    *pairs = bp->pairs;
    *pair_count = bp->found_count;
    return true;
}
