/* Collecting the lowest nodes of a tree that are near a box. */
#include "geometry/bvh_focus.h"

#include <float.h>

/* The box, wider by the reach and by more than float rounds, in the tree's units. */
typedef struct wide_box {
    float low[3], high[3];
} wide_box;

static wide_box widen(const bvh *t, v3 low, v3 high, double reach)
{
    const double rounding = 8.0 * (double)FLT_EPSILON; /* of coordinates within [-1, 1], and of the end itself */
    wide_box b;
    for (int d = 0; d < 3; ++d) {
        double from = t->per_m * (v3_get(low, d) - v3_get(t->center, d) - reach);
        double to = t->per_m * (v3_get(high, d) - v3_get(t->center, d) + reach);
        b.low[d] = (float)(from - rounding * (1.0 + fabs(from)));
        b.high[d] = (float)(to + rounding * (1.0 + fabs(to)));
    }
    return b;
}

static bool child_is_near(const bvh_node *node, int k, const wide_box *b)
{
    for (int d = 0; d < 3; ++d) {
        if (node->upright_low[d][k] > b->high[d] || node->upright_high[d][k] < b->low[d]) {
            return false;
        }
    }
    return true;
}

static void add_child(bvh_focus *f, const bvh_node *node, int k)
{
    if (f->count >= BVH_FOCUS_GROUPS * BVH_WIDTH) {
        f->count = -1;
        return;
    }
    bvh_node *group = f->groups + f->count / BVH_WIDTH;
    int place = f->count++ % BVH_WIDTH;
    for (int d = 0; d < 3; ++d) {
        group->low[d][place] = node->upright_low[d][k];
        group->high[d][place] = node->upright_high[d][k];
    }
    group->child[place] = node->child[k];
}

static bool is_lowest(const bvh_node *node)
{
    return node->child[0] < 0;
}

/* Recursion as deep as the tree. */
static void collect(bvh_focus *f, const bvh_node *node, const wide_box *b)
{
    const bvh *t = f->tree;
    for (int k = 0; k < node->count && f->count >= 0; ++k) {
        if (!child_is_near(node, k, b)) {
            continue;
        }
        int child = node->child[k];
        if (child < 0 || is_lowest(t->nodes + child)) {
            add_child(f, node, k);
        } else {
            collect(f, t->nodes + child, b);
        }
    }
}

/* Fills up the last group, and lets all groups stand upright. */
static void finish_groups(bvh_focus *f)
{
    int group_count = (f->count + BVH_WIDTH - 1) / BVH_WIDTH;
    for (int i = f->count; i < group_count * BVH_WIDTH; ++i) {
        for (int d = 0; d < 3; ++d) {
            f->groups[i / BVH_WIDTH].low[d][i % BVH_WIDTH] = HUGE_VALF;
            f->groups[i / BVH_WIDTH].high[d][i % BVH_WIDTH] = HUGE_VALF;
        }
    }
    for (int g = 0; g < group_count; ++g) {
        for (int d = 0; d < 9; ++d) {
            f->groups[g].axes[d / 3][d % 3] = d % 4 == 0 ? 1.0f : 0.0f;
        }
    }
}

void bvh_focus_on(bvh_focus *f, const bvh *t, v3 low, v3 high, double reach)
{
    wide_box b = widen(t, low, high, reach);
    f->tree = t;
    f->count = 0;
    collect(f, t->nodes, &b);
    if (f->count >= 0) {
        finish_groups(f);
    }
}

bvh_hit bvh_closest_in_focus(const bvh_focus *f, v3 p, int hint, double limit2)
{
    if (f->count < 0) {
        return bvh_closest(f->tree, p, hint, limit2);
    }
    return bvh_closest_from(f->tree, f->groups, (f->count + BVH_WIDTH - 1) / BVH_WIDTH, p, hint, limit2);
}
