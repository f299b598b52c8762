/* Sweep and prune [Baraff 1992]: boxes sorted by their lower ends along one axis; a box meets only those whose lower end
 * comes before its upper end. The order of the last call is nearly right for the next, so insertion sort is nearly
 * linear; where it is not (a first call, a jump), sorting starts afresh. Boxes without ends, and boxes that are not
 * numbers, meet everybody until the other axes say no. */
#include "collision/broad_phase.h"

#include <stdlib.h>

#include "collision/key_sort.h"

typedef struct interval {
    double low, high; /* [m] along the axis */
    int box;
} interval;

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
        free(bp);
    }
}

static bool resize(void **items, size_t count, size_t size)
{
    void *grown = realloc(*items, count * size);
    if (grown) {
        *items = grown;
    }
    return grown != NULL;
}

static bool reserve_boxes(broad_phase *bp, int count)
{
    if (count <= bp->capacity) {
        return true;
    }
    size_t n = (size_t)count + (size_t)count / 2;
    void *order = bp->order;
    void *sorted = bp->sorted;
    void *unbounded = bp->unbounded;
    bool ok = resize(&order, n, sizeof *bp->order) && resize(&sorted, n, sizeof *bp->sorted) &&
              resize(&unbounded, n, sizeof *bp->unbounded);
    bp->order = order;
    bp->sorted = sorted;
    bp->unbounded = unbounded;
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
    if (bp->found_count == bp->found_capacity) {
        size_t capacity = 2 * bp->found_capacity + 256;
        void *found = bp->found;
        if (!resize(&found, 2 * capacity, sizeof *bp->found)) {
            return false;
        }
        bp->found = found;
        bp->found_capacity = capacity;
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
    key_sort(bp->found, bp->found + bp->found_capacity, bp->found_count);
    if (bp->found_count > bp->pair_capacity) {
        void *pairs = bp->pairs;
        if (!resize(&pairs, bp->found_capacity, sizeof *bp->pairs)) {
            return false;
        }
        bp->pairs = pairs;
        bp->pair_capacity = bp->found_capacity;
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
    if (!sweep_bounded(&s) || !sweep_unbounded(&s) || !list_pairs(bp)) {
        return false;
    }
    *pairs = bp->pairs;
    *pair_count = bp->found_count;
    return true;
}
