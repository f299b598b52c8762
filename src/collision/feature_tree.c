/* Octree over features in Morton order: a cell is a run of features whose centres agree in the leading bits of their
 * codes, so sorting once makes the whole tree. The ball of a cell is around its features, not around its cube: it is
 * what the distance field is asked about, and the smaller it is the earlier it is decided. */
#include "collision/feature_tree.h"

#include <stdlib.h>

#include "base/array.h"
#include "collision/key_sort.h"

enum { CODE_BITS = 21 }; /* per axis */

typedef struct tree_work {
    feature_tree *tree;
    const feature_ball *balls; /* by feature */
    keyed *codes;              /* by place */
    size_t capacity;           /* cells */
    bool failed;
} tree_work;

/* Two zeros between any two of the lowest 21 bits. */
static uint64_t spread_bits(uint64_t x)
{
    x = (x | x << 32) & UINT64_C(0x001F00000000FFFF);
    x = (x | x << 16) & UINT64_C(0x001F0000FF0000FF);
    x = (x | x << 8) & UINT64_C(0x100F00F00F00F00F);
    x = (x | x << 4) & UINT64_C(0x10C30C30C30C30C3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

static uint64_t code_along(double x, double low, double size)
{
    const double most = (double)((1 << CODE_BITS) - 1);
    double at = size > 0.0 ? (x - low) / size * most : 0.0;
    return spread_bits((uint64_t)fmax(0.0, fmin(most, at)));
}

static void bounds_of(const feature_ball *balls, int count, v3 *low, v3 *high)
{
    *low = *high = balls[0].center;
    for (int i = 1; i < count; ++i) {
        v3 r = balls[i].center;
        *low = v3_make(fmin(low->x, r.x), fmin(low->y, r.y), fmin(low->z, r.z));
        *high = v3_make(fmax(high->x, r.x), fmax(high->y, r.y), fmax(high->z, r.z));
    }
}

/* Cubic cells: one size for all axes. */
static void code_features(tree_work *w, int count)
{
    v3 low, high;
    bounds_of(w->balls, count, &low, &high);
    double size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    for (int i = 0; i < count; ++i) {
        v3 r = w->balls[i].center;
        uint64_t x = code_along(r.x, low.x, size);
        uint64_t y = code_along(r.y, low.y, size);
        uint64_t z = code_along(r.z, low.z, size);
        w->codes[i] = (keyed){ .key = z << 2 | y << 1 | x, .value = i };
    }
}

/* Around the middle of the box of the centres: at most some percent larger than the smallest. Grown by a hair, so that
 * rounding never puts a feature outside. */
static feature_ball ball_around(const tree_work *w, int first, int count)
{
    const double rounding = 1e-13;
    v3 low = w->balls[w->codes[first].value].center;
    v3 high = low;
    for (int i = 1; i < count; ++i) {
        v3 r = w->balls[w->codes[first + i].value].center;
        low = v3_make(fmin(low.x, r.x), fmin(low.y, r.y), fmin(low.z, r.z));
        high = v3_make(fmax(high.x, r.x), fmax(high.y, r.y), fmax(high.z, r.z));
    }
    feature_ball ball = { .center = v3_scale(0.5, v3_add(low, high)) };
    for (int i = 0; i < count; ++i) {
        const feature_ball *b = &w->balls[w->codes[first + i].value];
        ball.radius = fmax(ball.radius, v3_norm(v3_sub(b->center, ball.center)) + b->radius);
    }
    ball.radius += rounding * (ball.radius + v3_norm(ball.center));
    return ball;
}

static int add_cell(tree_work *w, int first, int count)
{
    feature_tree *tree = w->tree;
    if (!CAROM_ARRAY_RESERVE(tree->cells, w->capacity, (size_t)tree->cell_count + 1)) {
        w->failed = true;
        return -1;
    }
    tree->cells[tree->cell_count] = (feature_cell){ .ball = ball_around(w, first, count), .first = first };
    return tree->cell_count++;
}

/* The end of the run of features in the same child at this level (3 bits of the code). */
static int child_end(const tree_work *w, int first, int end, int shift)
{
    uint64_t child = w->codes[first].key >> shift;
    int i = first;
    while (i < end && w->codes[i].key >> shift == child) {
        ++i;
    }
    return i;
}

/* Levels that do not part the features make no cells. Depth is at most CODE_BITS. */
static void build_cell(tree_work *w, int first, int count, int shift)
{
    int cell = add_cell(w, first, count);
    if (cell < 0) {
        return;
    }
    while (shift >= 0 && count > LEAF_FEATURES && child_end(w, first, first + count, shift) == first + count) {
        shift -= 3;
    }
    if (count <= LEAF_FEATURES || shift < 0) {
        w->tree->cells[cell].count = count;
    } else {
        for (int i = first; i < first + count && !w->failed;) {
            int end = child_end(w, i, first + count, shift);
            build_cell(w, i, end - i, shift - 3);
            i = end;
        }
    }
    w->tree->cells[cell].next = w->tree->cell_count;
}

bool feature_tree_build(feature_tree *out, const feature_ball *balls, int count)
{
    *out = (feature_tree){ 0 };
    if (count == 0) {
        return true;
    }
    tree_work w = { .tree = out, .balls = balls, .codes = malloc(2 * (size_t)count * sizeof *w.codes) };
    out->order = malloc((size_t)count * sizeof *out->order);
    w.failed = !w.codes || !out->order;
    if (!w.failed) {
        code_features(&w, count);
        key_sort(w.codes, w.codes + count, (size_t)count);
        build_cell(&w, 0, count, 3 * (CODE_BITS - 1));
    }
    for (int i = 0; i < count && !w.failed; ++i) {
        out->order[i] = (int)w.codes[i].value;
    }
    free(w.codes);
    if (w.failed) {
        feature_tree_free(out);
    }
    return !w.failed;
}

void feature_tree_free(feature_tree *tree)
{
    free(tree->cells);
    free(tree->order);
    *tree = (feature_tree){ 0 };
}

/* The cells of a branch lie behind it up to its `next`. */
static int branch_depth(const feature_tree *tree, int cell)
{
    int deepest = 0;
    for (int child = cell + 1; tree->cells[cell].count == 0 && child < tree->cells[cell].next;) {
        int depth = branch_depth(tree, child);
        deepest = depth > deepest ? depth : deepest;
        child = tree->cells[child].next;
    }
    return 1 + deepest;
}

int feature_tree_depth(const feature_tree *tree)
{
    return tree->cell_count > 0 ? branch_depth(tree, 0) : 0;
}
