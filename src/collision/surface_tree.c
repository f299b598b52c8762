/* The tree of boxes over the leaves of a surface: runs of leaves are halved, twice per level, along the
 * axis that leaves the smallest halves. */
#include "collision/surface.h"

#include <stdlib.h>

typedef struct tree_work {
    surface *s;
    v3 *low, *high; /* of leaves */
    int *order;     /* leaves */
} tree_work;

typedef struct leaf_run {
    int first, count;
} leaf_run;

static v3 v3_least(v3 a, v3 b)
{
    return v3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static v3 v3_most(v3 a, v3 b)
{
    return v3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static void bound_leaves(tree_work *w)
{
    for (int i = 0; i < w->s->leaf_count; ++i) {
        const surface_leaf *leaf = &w->s->leaves[i];
        w->order[i] = i;
        for (int k = 0; k < SURFACE_LANES; ++k) {
            v3 r = { leaf->corner[0][k], leaf->corner[1][k], leaf->corner[2][k] };
            w->low[i] = k > 0 ? v3_least(w->low[i], r) : r;
            w->high[i] = k > 0 ? v3_most(w->high[i], r) : r;
        }
    }
}

static surface_box box_of_run(const tree_work *w, leaf_run run)
{
    v3 low = w->low[w->order[run.first]];
    v3 high = w->high[w->order[run.first]];
    surface_box box = { .rounding = 0.0 };
    for (int i = run.first; i < run.first + run.count; ++i) {
        low = v3_least(low, w->low[w->order[i]]);
        high = v3_most(high, w->high[w->order[i]]);
        box.rounding = fmax(box.rounding, w->s->leaves[w->order[i]].rounding);
    }
    box.center = v3_scale(0.5, v3_add(low, high));
    box.half = v3_scale(0.5, v3_sub(high, low));
    box.radius = v3_norm(box.half);
    return box;
}

static double middle_of(const tree_work *w, int leaf, int axis)
{
    return v3_get(w->low[leaf], axis) + v3_get(w->high[leaf], axis);
}

/* Puts the leaves of a run in such an order that the first half is not beyond the second along an axis (quickselect; equal
 * middles by index, so that the tree does not depend on how the selection went). */
static void order_run(tree_work *w, leaf_run run, int axis)
{
    int low = run.first;
    int high = run.first + run.count - 1;
    int target = run.first + run.count / 2;
    while (low < high) {
        int pivot = w->order[low + (high - low) / 2];
        double at = middle_of(w, pivot, axis);
        int i = low;
        int k = high;
        while (i <= k) {
            while (middle_of(w, w->order[i], axis) < at ||
                   (middle_of(w, w->order[i], axis) == at && w->order[i] < pivot)) {
                ++i;
            }
            while (middle_of(w, w->order[k], axis) > at ||
                   (middle_of(w, w->order[k], axis) == at && w->order[k] > pivot)) {
                --k;
            }
            if (i <= k) {
                int swap = w->order[i];
                w->order[i++] = w->order[k];
                w->order[k--] = swap;
            }
        }
        low = target > k ? i : low;
        high = target < i ? k : high;
    }
}

/* The axis along which the halves of a run are smallest; the run is left in the order along the last one. */
static int best_axis(tree_work *w, leaf_run run, const leaf_run halves[2])
{
    int best = 0;
    double least = HUGE_VAL;
    for (int axis = 0; axis < 3; ++axis) {
        order_run(w, run, axis);
        double size = box_of_run(w, halves[0]).radius + box_of_run(w, halves[1]).radius;
        best = size < least ? axis : best;
        least = size < least ? size : least;
    }
    return best;
}

/* Two halves, or the run itself if it is a single leaf. Returns how many. */
static int halve(tree_work *w, leaf_run run, leaf_run out[2])
{
    if (run.count == 1) {
        out[0] = run;
        return 1;
    }
    out[0] = (leaf_run){ run.first, run.count / 2 };
    out[1] = (leaf_run){ run.first + run.count / 2, run.count - run.count / 2 };
    order_run(w, run, best_axis(w, run, out));
    return 2;
}

static void put_box(surface_group *g, surface_box box)
{
    int k = g->count++;
    v3 center = box.center;
    v3 half = box.half;
    for (int i = 0; i < 3; ++i) {
        g->center[i][k] = v3_get(center, i);
        g->half[i][k] = v3_get(half, i);
    }
    g->radius[k] = box.radius;
    g->rounding[k] = box.rounding;
    g->child[k] = box.child;
}

static int build_group(tree_work *w, leaf_run run);

static void put_run(tree_work *w, int group, leaf_run run)
{
    surface_box box = box_of_run(w, run);
    box.child = run.count == 1 ? ~w->order[run.first] : build_group(w, run);
    put_box(&w->s->groups[group], box);
}

/* The group of the children of a run of at least two leaves. */
static int build_group(tree_work *w, leaf_run run)
{
    int me = w->s->group_count++;
    leaf_run halves[2], quarters[2];
    halve(w, run, halves);
    for (int i = 0; i < 2; ++i) {
        int count = halve(w, halves[i], quarters);
        for (int k = 0; k < count; ++k) {
            put_run(w, me, quarters[k]);
        }
    }
    return me;
}

bool surface_build_tree(surface *s)
{
    size_t count = (size_t)s->leaf_count;
    tree_work w = { .s = s,
                    .low = calloc(count, sizeof *w.low),
                    .high = calloc(count, sizeof *w.high),
                    .order = calloc(count, sizeof *w.order) };
    s->groups = calloc(count + 1, sizeof *s->groups);
    bool ok = w.low && w.high && w.order && s->groups;
    if (ok) {
        bound_leaves(&w);
        s->group_count = 1;
        put_run(&w, 0, (leaf_run){ 0, s->leaf_count });
    }
    free(w.low);
    free(w.high);
    free(w.order);
    return ok;
}
