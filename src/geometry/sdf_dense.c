/* The uniform grid of paper 1: an exact distance at every node, x fastest. */
#include "base/parallel.h"
#include "geometry/sdf_impl.h"

typedef struct dense_task {
    sdf *f;
    const sdf_source *source;
} dense_task;

/* One row after the other, there and back, so that the nearest triangle of the last node is a good guess for the next. */
static void fill_rows(void *context, size_t begin, size_t end)
{
    const dense_task *task = context;
    const sdf *f = task->f;
    int row_nodes = f->cells[0] + 1;
    size_t rows = (size_t)f->cells[1] + 1;
    int hint = -1;
    for (size_t row = begin; row < end && carom_watch_count(task->source->watch, 1); ++row) {
        double *out = f->nodes + row * (size_t)row_nodes;
        for (int n = 0; n < row_nodes; ++n) {
            int i = row % 2 == 0 ? n : row_nodes - 1 - n;
            out[i] = sdf_exact(task->source, sdf_node_at(f, i, (double)(row % rows), (double)(row / rows)), &hint);
        }
    }
}

static double count_nodes(const sdf *f)
{
    return (f->cells[0] + 1.0) * (f->cells[1] + 1.0) * (f->cells[2] + 1.0);
}

static carom_status dense_check(const sdf *f, carom_error *err)
{
    double nodes = count_nodes(f);
    double factor = 1.01 * cbrt(nodes / SDF_MOST_NODES); /* larger cells that would fit */
    if (nodes > SDF_MOST_NODES) {
        double longest = fmax(f->cells[0], fmax(f->cells[1], f->cells[2]));
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "a dense distance field of %.3g nodes is too large; a spacing of %.3g m (resolution %d) fits, "
            "and bricks fit at a finer one",
            nodes, f->spacing * factor, (int)(longest / factor));
    }
    return CAROM_OK;
}

static carom_status dense_build(sdf *f, const sdf_source *s, carom_error *err)
{
    if (!sdf_allocate(f, 0, (int64_t)count_nodes(f), 0)) {
        return sdf_no_memory(f, err);
    }
    dense_task task = { f, s };
    size_t rows = ((size_t)f->cells[1] + 1) * ((size_t)f->cells[2] + 1);
    carom_watch_stage(s->watch, SDF_SHARE_NODES, rows);
    carom_parallel_for(s->threads, rows, 2, fill_rows, &task);
    f->info.node_count = (size_t)f->node_count;
    f->info.band = HUGE_VAL;
    return CAROM_OK;
}

static bool dense_is_sound(const sdf *f)
{
    return f->index_count == 0 && f->coarse_count == 0 && (double)f->node_count == count_nodes(f);
}

/* ---- lookup --------------------------------------------------------------------------------------------------------- */

typedef struct dense_place {
    const double *first;
    v3 t;
} dense_place;

static inline dense_place find_cell(const sdf *f, v3 x)
{
    int i = sdf_cell(x.x, f->cells[0]);
    int j = sdf_cell(x.y, f->cells[1]);
    int k = sdf_cell(x.z, f->cells[2]);
    size_t row = (size_t)f->cells[0] + 1;
    size_t rows = (size_t)f->cells[1] + 1;
    return (dense_place){ f->nodes + ((size_t)k * rows + (size_t)j) * row + (size_t)i,
                          { x.x - i, x.y - j, x.z - k } };
}

static inline field_sample sample_place(const sdf *f, dense_place place)
{
    size_t row = (size_t)f->cells[0] + 1;
    sdf_corners c = sdf_gather(place.first, row, row * ((size_t)f->cells[1] + 1));
    return sdf_trilinear(&c, place.t, f->per_spacing);
}

static field_sample dense_sample(const sdf *f, v3 x)
{
    return sample_place(f, find_cell(f, x));
}

static double dense_distance(const sdf *f, v3 x)
{
    return sample_place(f, find_cell(f, x)).distance;
}

static void prefetch(const sdf *f, const double *first)
{
    size_t row = (size_t)f->cells[0] + 1;
    size_t layer = row * ((size_t)f->cells[1] + 1);
    __builtin_prefetch(first);
    __builtin_prefetch(first + row);
    __builtin_prefetch(first + layer);
    __builtin_prefetch(first + layer + row);
}

/* Cells of a batch are found first and fetched while the next are found: memory is what a lookup waits for. */
static void dense_sample_many(const sdf *f, const v3 *p, size_t count, field_sample *out)
{
    enum { BATCH = 32 };
    dense_place place[BATCH];
    for (size_t start = 0; start < count; start += BATCH) {
        size_t n = count - start < BATCH ? count - start : BATCH;
        for (size_t i = 0; i < n; ++i) {
            v3 x = sdf_in_cells(f, p[start + i]);
            place[i] = sdf_is_inside(f, x) ? find_cell(f, x) : (dense_place){ 0 };
            prefetch(f, place[i].first ? place[i].first : f->nodes);
        }
        for (size_t i = 0; i < n; ++i) {
            out[start + i] = place[i].first ? sample_place(f, place[i]) : sdf_sample(f, p[start + i]);
        }
    }
}

const sdf_type sdf_type_dense = {
    .name = "dense",
    .check = dense_check,
    .build = dense_build,
    .is_sound = dense_is_sound,
    .sample = dense_sample,
    .distance = dense_distance,
    .sample_many = dense_sample_many,
};
