/* Welding within a tolerance: a hash table of cells as wide as the tolerance, so that all candidates are in 27 cells.
 * Kept vertices are at least the tolerance apart, so a cell holds few and the whole is linear. */
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_repair_steps.h"

typedef struct weld_grid {
    const mesh *m;
    double cell; /* [m]; 0: only equal points share a cell */
    size_t mask;
    int *heads; /* first kept vertex of each bucket, -1: none */
    int *next;
} weld_grid;

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static size_t bucket_of(const weld_grid *grid, v3 cell)
{
    uint64_t hash = mix(mix(mix(UINT64_C(0x2545F4914F6CDD1D), cell.x), cell.y), cell.z);
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(hash ^ hash >> 29) & grid->mask;
}

static v3 cell_of(const weld_grid *grid, v3 r)
{
    if (grid->cell == 0.0) {
        return r;
    }
    return v3_make(floor(r.x / grid->cell), floor(r.y / grid->cell), floor(r.z / grid->cell));
}

/* The nearest kept vertex of a bucket, if nearer than what is known. */
static void search_bucket(const weld_grid *grid, v3 r, v3 cell, int *best, double *best_dist2)
{
    for (int i = grid->heads[bucket_of(grid, cell)]; i >= 0; i = grid->next[i]) {
        double dist2 = v3_norm2(v3_sub(grid->m->vertices[i], r));
        if (dist2 < *best_dist2 || (dist2 == *best_dist2 && i < *best)) {
            *best = i;
            *best_dist2 = dist2;
        }
    }
}

/* The kept vertex to which r is welded, or -1. */
static int find_kept(const weld_grid *grid, v3 r)
{
    int reach = grid->cell > 0.0 ? 1 : 0;
    v3 cell = cell_of(grid, r);
    double limit2 = grid->cell * grid->cell;
    double dist2 = HUGE_VAL;
    int best = -1;
    for (int i = -reach; i <= reach; ++i) {
        for (int j = -reach; j <= reach; ++j) {
            for (int k = -reach; k <= reach; ++k) {
                search_bucket(grid, r, v3_add(cell, v3_make(i, j, k)), &best, &dist2);
            }
        }
    }
    return dist2 <= limit2 ? best : -1;
}

static void keep(weld_grid *grid, int i)
{
    size_t bucket = bucket_of(grid, cell_of(grid, grid->m->vertices[i]));
    grid->next[i] = grid->heads[bucket];
    grid->heads[bucket] = i;
}

static int weld_all(weld_grid *grid, int *kept)
{
    int merged = 0;
    for (size_t i = 0; i <= grid->mask; ++i) {
        grid->heads[i] = -1;
    }
    for (int i = 0; i < grid->m->vertex_count; ++i) {
        int found = find_kept(grid, grid->m->vertices[i]);
        kept[i] = found >= 0 ? found : i;
        merged += found >= 0;
        if (found < 0) {
            keep(grid, i);
        }
    }
    return merged;
}

bool repair_weld(mesh *m, double tolerance, int *merged)
{
    size_t buckets = 1024;
    while (buckets < 2 * (size_t)m->vertex_count) {
        buckets *= 2;
    }
    weld_grid grid = {
        .m = m,
        .cell = tolerance,
        .mask = buckets - 1,
        .heads = malloc(buckets * sizeof(int)),
        .next = malloc(((size_t)m->vertex_count + 1) * sizeof(int)),
    };
    int *kept = malloc(((size_t)m->vertex_count + 1) * sizeof *kept);
    bool ok = grid.heads && grid.next && kept;
    if (ok) {
        *merged = weld_all(&grid, kept);
        for (int t = 0; t < m->triangle_count; ++t) {
            for (int k = 0; k < 3; ++k) {
                m->triangles[t][k] = kept[m->triangles[t][k]];
            }
        }
    }
    free(grid.heads);
    free(grid.next);
    free(kept);
    return ok;
}

bool repair_drop_unused(mesh *m, int *removed)
{
    int *place = calloc((size_t)m->vertex_count + 1, sizeof *place); /* 1 for used, then the new number */
    if (!place) {
        return false;
    }
    for (int i = 0; i < 3 * m->triangle_count; ++i) {
        place[m->triangles[i / 3][i % 3]] = 1;
    }
    int count = 0;
    for (int i = 0; i < m->vertex_count; ++i) {
        if (place[i]) {
            m->vertices[count] = m->vertices[i];
            place[i] = count++;
        }
    }
    for (int i = 0; i < 3 * m->triangle_count; ++i) {
        m->triangles[i / 3][i % 3] = place[m->triangles[i / 3][i % 3]];
    }
    *removed = m->vertex_count - count;
    m->vertex_count = count;
    free(place);
    return true;
}
