/* The adaptive octree that paper 1 compares with: a cube is split while its trilinear interpolant misses the exact
 * distance at the corners of its eighths by more than the tolerance, down to the spacing.
 *
 * Built level by level: the corners of all eighths of a level are collected once, measured in parallel, then every cell
 * decides for itself. Where leaves of different size meet, a corner of the smaller that is none of the larger one takes
 * the larger one's interpolant instead of the exact distance; so the field has no steps, and differs from the exact
 * distance there by what the larger leaf was allowed to. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/parallel.h"
#include "base/slots.h"
#include "geometry/sdf_impl.h"

enum { MOST_LEVELS = 20 }; /* 2^20 cells along an edge; a corner's coordinates fit into 21 bits */

static void octree_round_cells(int cells[3])
{
    int longest = cells[0] > cells[1] ? cells[0] : cells[1];
    longest = longest > cells[2] ? longest : cells[2];
    int side = 1;
    while (side < longest && side < 1 << MOST_LEVELS) {
        side *= 2;
    }
    cells[0] = cells[1] = cells[2] = side;
}

/* ---- corners: a hash table from lattice coordinates ------------------------------------------------------------ */

typedef struct corner {
    int at[3]; /* [cells] */
    int32_t hint;
    double distance;
} corner;

typedef struct corner_table {
    corner *corners;
    size_t count, capacity;
    carom_slots slots;
} corner_table;

/* The slot of the corner, or the free one where it belongs. */
static size_t find_slot(const corner_table *t, const int at[3])
{
    uint64_t key = (uint64_t)at[0] | (uint64_t)at[1] << 21 | (uint64_t)at[2] << 42;
    const uint32_t *item = t->slots.item;
    size_t slot = carom_slots_first(&t->slots, key);
    while (item[slot] != 0 && memcmp(t->corners[item[slot] - 1].at, at, 3 * sizeof(int)) != 0) {
        slot = carom_slots_next(&t->slots, slot);
    }
    return slot;
}

static bool grow_table(corner_table *t)
{
    if (!CAROM_SLOTS_GROW(t->slots, t->corners, t->capacity, 4096)) {
        return false;
    }
    for (size_t i = 0; i < t->count; ++i) {
        t->slots.item[find_slot(t, t->corners[i].at)] = (uint32_t)i + 1;
    }
    return true;
}

/* Adds the corner unless it is there. */
static bool add_corner(corner_table *t, const int at[3], int hint)
{
    if (t->count == t->capacity && !grow_table(t)) {
        return false;
    }
    size_t slot = find_slot(t, at);
    if (t->slots.item[slot] == 0) {
        t->corners[t->count] = (corner){ .at = { at[0], at[1], at[2] }, .hint = hint };
        t->slots.item[slot] = (uint32_t)++t->count;
    }
    return true;
}

static const corner *get_corner(const corner_table *t, const int at[3])
{
    uint32_t found = t->slots.item[find_slot(t, at)];
    CAROM_ASSERT(found != 0);
    return &t->corners[found - 1];
}

/* ---- growing ----------------------------------------------------------------------------------------------------- */

typedef struct tree_cell {
    int at[3]; /* low corner */
    int32_t node;
} tree_cell;

typedef struct tree_work {
    sdf *f;
    const sdf_source *source;
    double tolerance;
    corner_table table;
    size_t measured; /* corners with a distance */
    int32_t *nodes;  /* first child, or -1 while a leaf */
    size_t node_count, node_capacity;
    tree_cell *cells; /* of this level */
    size_t cell_count;
    int size; /* [cells] of this level's cubes */
    unsigned char *split;
} tree_work;

static void corner_of(const tree_cell *c, int step, int n, int at[3])
{
    at[0] = c->at[0] + step * (n % 3);
    at[1] = c->at[1] + step * (n / 3 % 3);
    at[2] = c->at[2] + step * (n / 9);
}

static sdf_corners corners_of(const corner_table *t, const int low[3], int size)
{
    sdf_corners c;
    for (int n = 0; n < 8; ++n) {
        int at[3] = { low[0] + size * (n & 1), low[1] + size * (n >> 1 & 1), low[2] + size * (n >> 2) };
        c.d[n] = get_corner(t, at)->distance;
    }
    return c;
}

/* Levels quadruple from the coarsest to the finest, as the surface does; this is the share of one, about. Of that,
 * collecting, measuring and deciding take parts. */
static double share_of_level(const tree_work *w, double part)
{
    double finer = w->size > 1 ? 0.5 * w->size : 1.0;
    return 0.75 * part * SDF_SHARE_NODES / (finer * finer);
}

/* The 27 corners of the eighths of every cell. */
static bool collect_corners(tree_work *w)
{
    carom_watch_stage(w->source->watch, share_of_level(w, 0.4), w->cell_count);
    for (size_t i = 0; i < w->cell_count && carom_watch_pass(w->source->watch, i); ++i) {
        const tree_cell *cell = &w->cells[i];
        int hint = get_corner(&w->table, cell->at)->hint;
        for (int n = 0; n < 27; ++n) {
            int at[3];
            corner_of(cell, w->size / 2, n, at);
            if (!add_corner(&w->table, at, hint)) {
                return false;
            }
        }
    }
    return true;
}

static void measure_corners(void *context, size_t begin, size_t end)
{
    const tree_work *w = context;
    for (size_t i = begin; i < end && carom_watch_pass(w->source->watch, i); ++i) {
        corner *c = &w->table.corners[w->measured + i];
        int hint = c->hint;
        c->distance = sdf_exact(w->source, sdf_node_at(w->f, c->at[0], c->at[1], c->at[2]), &hint);
        c->hint = hint;
    }
}

static void measure_new(tree_work *w)
{
    carom_watch_stage(w->source->watch, share_of_level(w, 0.4), w->table.count - w->measured);
    carom_parallel_for(w->source->threads, w->table.count - w->measured, 64, measure_corners, w);
    w->measured = w->table.count;
}

/* A large cube through which the surface may pass is split whatever its 27 corners say: a rib between them would be
 * lost. */
static bool may_hide_surface(const tree_work *w, const tree_cell *cell)
{
    enum { SMALL = 4 };
    int at[3];
    corner_of(cell, w->size / 2, 13, at);
    double half_diagonal = 0.5 * 1.7320508075688773 * w->size * w->f->spacing;
    return w->size > SMALL && fabs(get_corner(&w->table, at)->distance) <= half_diagonal;
}

static void decide(void *context, size_t begin, size_t end)
{
    tree_work *w = context;
    for (size_t i = begin; i < end && carom_watch_pass(w->source->watch, i); ++i) {
        sdf_corners c = corners_of(&w->table, w->cells[i].at, w->size);
        bool missed = may_hide_surface(w, &w->cells[i]);
        for (int n = 0; n < 27 && !missed; ++n) {
            int at[3];
            corner_of(&w->cells[i], w->size / 2, n, at);
            v3 t = v3_make(0.5 * (n % 3), 0.5 * (n / 3 % 3), 0.5 * (n / 9));
            double error = get_corner(&w->table, at)->distance - sdf_trilinear(&c, t, 1.0).distance;
            missed = fabs(error) > w->tolerance;
        }
        w->split[i] = missed;
    }
}

static carom_status too_large(const tree_work *w, carom_error *err)
{
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "the octree of the distance field needs more than %.3g cells; a tolerance larger than %.3g m or a "
        "spacing larger than %.3g m makes it smaller",
        (double)w->node_count, w->tolerance, w->f->spacing);
}

/* The eighths of the cells to split become the cells of the next level. */
static carom_status descend(tree_work *w, carom_error *err)
{
    size_t splits = 0;
    for (size_t i = 0; i < w->cell_count; ++i) {
        splits += w->split[i];
    }
    if ((double)(w->node_count + 8 * splits) > SDF_MOST_NODES / 8.0) {
        return too_large(w, err);
    }
    tree_cell *children = malloc((8 * splits + 1) * sizeof *children);
    if (!children || !CAROM_ARRAY_RESERVE(w->nodes, w->node_capacity, w->node_count + 8 * splits)) {
        free(children);
        return sdf_no_memory(w->f, err);
    }
    size_t count = 0;
    int half = w->size / 2;
    for (size_t i = 0; i < w->cell_count; ++i) {
        const tree_cell *c = &w->cells[i];
        if (w->split[i]) {
            w->nodes[c->node] = (int32_t)w->node_count;
            for (int n = 0; n < 8; ++n) {
                int32_t node = (int32_t)w->node_count++;
                w->nodes[node] = -1;
                children[count++] = (tree_cell){
                    { c->at[0] + half * (n & 1), c->at[1] + half * (n >> 1 & 1), c->at[2] + half * (n >> 2) }, node
                };
            }
        }
    }
    free(w->cells);
    w->cells = children;
    w->cell_count = count;
    w->size = half;
    return CAROM_OK;
}

static carom_status grow_level(tree_work *w, carom_error *err)
{
    if (!CAROM_ARRAY_RESIZE(w->split, w->cell_count) || !collect_corners(w)) {
        return sdf_no_memory(w->f, err);
    }
    measure_new(w);
    if (carom_watch_stopped(w->source->watch)) {
        return carom_watch_status(w->source->watch, err);
    }
    carom_watch_stage(w->source->watch, share_of_level(w, 0.2), w->cell_count);
    carom_parallel_for(w->source->threads, w->cell_count, 64, decide, w);
    if (carom_watch_stopped(w->source->watch)) {
        return carom_watch_status(w->source->watch, err);
    }
    return descend(w, err);
}

static carom_status plant(tree_work *w, carom_error *err)
{
    w->size = w->f->cells[0];
    w->cells = calloc(1, sizeof *w->cells);
    w->cell_count = 1;
    bool ok = w->cells && CAROM_ARRAY_RESERVE(w->nodes, w->node_capacity, 64);
    for (int n = 0; n < 8 && ok; ++n) {
        int at[3] = { w->size * (n & 1), w->size * (n >> 1 & 1), w->size * (n >> 2) };
        ok = add_corner(&w->table, at, -1);
    }
    if (!ok) {
        return sdf_no_memory(w->f, err);
    }
    w->nodes[0] = -1;
    w->node_count = 1;
    measure_new(w);
    return CAROM_OK;
}

static carom_status grow(tree_work *w, carom_error *err)
{
    carom_status status = plant(w, err);
    while (status == CAROM_OK && w->cell_count > 0 && w->size > 1) {
        status = grow_level(w, err);
    }
    return status;
}

/* ---- hanging corners ---------------------------------------------------------------------------------------------- */

typedef struct leaf_place {
    int at[3];
    int size;
    int32_t node;
} leaf_place;

/* The leaf that holds the unit cell at `unit`. */
static leaf_place find_leaf(const int32_t *nodes, int size, const int unit[3])
{
    leaf_place leaf = { .size = size };
    while (nodes[leaf.node] >= 0) {
        int half = leaf.size / 2;
        int child = 0;
        for (int a = 0; a < 3; ++a) {
            bool high = unit[a] >= leaf.at[a] + half;
            leaf.at[a] += high ? half : 0;
            child |= high << a;
        }
        leaf.node = nodes[leaf.node] + child;
        leaf.size = half;
    }
    return leaf;
}

/* The largest leaf that touches a corner. */
static leaf_place largest_leaf(const tree_work *w, const int at[3])
{
    int side = w->f->cells[0];
    leaf_place largest = { 0 };
    for (int n = 0; n < 8; ++n) {
        int unit[3] = { at[0] - (n & 1), at[1] - (n >> 1 & 1), at[2] - (n >> 2) };
        bool in_box = true;
        for (int a = 0; a < 3; ++a) {
            in_box = in_box && unit[a] >= 0 && unit[a] < side;
        }
        if (in_box) {
            leaf_place leaf = find_leaf(w->nodes, side, unit);
            largest = leaf.size > largest.size ? leaf : largest;
        }
    }
    return largest;
}

static bool is_corner_of(const leaf_place *leaf, const int at[3])
{
    return at[0] % leaf->size == 0 && at[1] % leaf->size == 0 && at[2] % leaf->size == 0;
}

/* Largest leaves first: the corners a hanging one depends on hang, if at all, on larger leaves still. */
static carom_status settle_hanging(tree_work *w, carom_error *err)
{
    leaf_place *largest = malloc((w->table.count + 1) * sizeof *largest);
    if (!largest) {
        return sdf_no_memory(w->f, err);
    }
    for (size_t i = 0; i < w->table.count; ++i) {
        largest[i] = largest_leaf(w, w->table.corners[i].at);
    }
    for (int size = w->f->cells[0]; size >= 2; size /= 2) {
        for (size_t i = 0; i < w->table.count; ++i) {
            corner *c = &w->table.corners[i];
            const leaf_place *leaf = &largest[i];
            if (leaf->size == size && !is_corner_of(leaf, c->at)) {
                sdf_corners d = corners_of(&w->table, leaf->at, size);
                v3 t = v3_make((double)(c->at[0] - leaf->at[0]) / size, (double)(c->at[1] - leaf->at[1]) / size,
                               (double)(c->at[2] - leaf->at[2]) / size);
                c->distance = sdf_trilinear(&d, t, 1.0).distance;
            }
        }
    }
    free(largest);
    return CAROM_OK;
}

/* ---- the tree as it is kept --------------------------------------------------------------------------------------- */

static void number_leaves(tree_work *w, const leaf_place *place, int32_t *leaf_count)
{
    sdf *f = w->f;
    int32_t child = w->nodes[place->node];
    if (child < 0) {
        int32_t leaf = (*leaf_count)++;
        f->index[place->node] = -1 - leaf;
        sdf_corners c = corners_of(&w->table, place->at, place->size);
        memcpy(f->nodes + (size_t)leaf * 8, c.d, sizeof c.d);
        return;
    }
    f->index[place->node] = child;
    int half = place->size / 2;
    for (int n = 0; n < 8; ++n) {
        leaf_place next = {
            { place->at[0] + half * (n & 1), place->at[1] + half * (n >> 1 & 1), place->at[2] + half * (n >> 2) },
            half,
            child + n,
        };
        number_leaves(w, &next, leaf_count);
    }
}

static carom_status store(tree_work *w, carom_error *err)
{
    int64_t inner = ((int64_t)w->node_count - 1) / 8;
    int64_t leaves = (int64_t)w->node_count - inner;
    if (!sdf_allocate(w->f, (int64_t)w->node_count, 8 * leaves, 0)) {
        return sdf_no_memory(w->f, err);
    }
    leaf_place root = { .size = w->f->cells[0] };
    int32_t leaf_count = 0;
    number_leaves(w, &root, &leaf_count);
    w->f->info.node_count = w->table.count;
    w->f->info.band = HUGE_VAL;
    return CAROM_OK;
}

static carom_status octree_build(sdf *f, const sdf_source *s, carom_error *err)
{
    tree_work w = { .f = f, .source = s };
    w.tolerance = f->options.tolerance > 0.0 ? f->options.tolerance : 0.05 * f->spacing;
    carom_status status = grow(&w, err);
    status = status == CAROM_OK ? settle_hanging(&w, err) : status;
    status = status == CAROM_OK ? store(&w, err) : status;
    free(w.table.corners);
    free(w.table.slots.item);
    free(w.nodes);
    free(w.cells);
    free(w.split);
    return status;
}

/* Children lie behind their parents, so that a walk ends; the leaves are all there. */
static bool octree_is_sound(const sdf *f)
{
    if (f->index_count < 1 || f->node_count % 8 != 0 || f->coarse_count != 0 || f->cells[0] != f->cells[1] ||
        f->cells[0] != f->cells[2] || (f->cells[0] & (f->cells[0] - 1)) != 0) {
        return false;
    }
    for (int64_t i = 0; i < f->index_count; ++i) {
        int64_t child = f->index[i];
        if (child >= 0 ? child <= i || child + 8 > f->index_count : -1 - child >= f->node_count / 8) {
            return false;
        }
    }
    return true;
}

/* ---- lookup --------------------------------------------------------------------------------------------------------- */

/* Along each axis the bits of the cell's number, from the top, choose the child. */
static inline field_sample lookup(const sdf *f, v3 x)
{
    int side = f->cells[0];
    int i = sdf_cell(x.x, side);
    int j = sdf_cell(x.y, side);
    int k = sdf_cell(x.z, side);
    int size = side;
    int32_t node = f->index[0];
    while (node >= 0) {
        size /= 2;
        node = f->index[node + ((i & size) != 0) + 2 * ((j & size) != 0) + 4 * ((k & size) != 0)];
    }
    size_t leaf = (size_t)(-1 - node);
    sdf_corners c;
    memcpy(c.d, f->nodes + leaf * 8, sizeof c.d);
    double per_size = 1.0 / size;
    v3 t = v3_make((x.x - (i & -size)) * per_size, (x.y - (j & -size)) * per_size, (x.z - (k & -size)) * per_size);
    return sdf_trilinear(&c, t, f->per_spacing * per_size);
}

static field_sample octree_sample(const sdf *f, v3 x)
{
    return lookup(f, x);
}

static double octree_distance(const sdf *f, v3 x)
{
    return lookup(f, x).distance;
}

static void octree_sample_many(const sdf *f, const v3 *p, size_t count, field_sample *out)
{
    for (size_t i = 0; i < count; ++i) {
        out[i] = sdf_sample(f, p[i]);
    }
}

const sdf_type sdf_type_octree = {
    .name = "octree",
    .round_cells = octree_round_cells,
    .build = octree_build,
    .is_sound = octree_is_sound,
    .sample = octree_sample,
    .distance = octree_distance,
    .sample_many = octree_sample_many,
};
