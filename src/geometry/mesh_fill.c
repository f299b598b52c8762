/* Closing holes: the triangulation of a boundary loop with the smallest total area [Barequet1995], by dynamic
 * programming over its chords in O(n^3). A chord that is an edge of the mesh already is not allowed. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "geometry/mesh_repair_steps.h"

enum { SEEN = -2 }; /* in the list of following sides */

typedef struct hole {
    int count;
    int *vertices; /* along the open sides, with the surface on the left */
    double *area2; /* count x count: twice the least area between vertices i < k; infinite when impossible */
    int *middle;   /* the j of the triangle (i, j, k) that attains it */
} hole;

static double triangle_area2(const mesh *m, int a, int b, int c)
{
    v3 ab = v3_sub(m->vertices[b], m->vertices[a]);
    v3 ac = v3_sub(m->vertices[c], m->vertices[a]);
    return v3_norm(v3_cross(ab, ac));
}

static void solve_chord(hole *h, const mesh *m, const mesh_edges *edges, int i, int k)
{
    int n = h->count;
    const int *v = h->vertices;
    double best = HUGE_VAL;
    int middle = -1;
    bool rim = i == 0 && k == n - 1;
    bool taken = !rim && mesh_edges_find(edges, v[i], v[k]) >= 0;
    for (int j = i + 1; j < k && !taken; ++j) {
        double area2 = h->area2[i * n + j] + h->area2[j * n + k] + triangle_area2(m, v[i], v[j], v[k]);
        if (area2 < best) {
            best = area2;
            middle = j;
        }
    }
    h->area2[i * n + k] = best;
    h->middle[i * n + k] = middle;
}

/* Whether the hole can be closed. */
static bool solve_hole(hole *h, const mesh *m, const mesh_edges *edges)
{
    int n = h->count;
    for (int i = 0; i + 1 < n; ++i) {
        h->area2[i * n + i + 1] = 0.0;
    }
    for (int span = 2; span < n; ++span) {
        for (int i = 0; i + span < n; ++i) {
            solve_chord(h, m, edges, i, i + span);
        }
    }
    return h->area2[n - 1] < HUGE_VAL;
}

/* The triangles between i and k, against the direction of the open sides. */
static void emit(const hole *h, mesh *m, int i, int k)
{
    while (k - i >= 2) {
        int j = h->middle[i * h->count + k];
        int *corner = m->triangles[m->triangle_count++];
        corner[0] = h->vertices[k];
        corner[1] = h->vertices[j];
        corner[2] = h->vertices[i];
        if (j - i < k - j) { /* the shorter part by recursion: depth stays logarithmic */
            emit(h, m, i, j);
            i = j;
        } else {
            emit(h, m, j, k);
            k = j;
        }
    }
}

/* The number of sides of the loop through `first`, which are marked as seen. */
static int take_loop(int *next, int first, int *loop)
{
    int length = 0;
    int side = first;
    while (next[side] != SEEN) {
        int after = next[side];
        next[side] = SEEN;
        loop[length++] = side;
        side = after;
    }
    return length;
}

static bool allocate_hole(hole *h, int count)
{
    size_t n = (size_t)count;
    *h = (hole){
        .count = count,
        .vertices = malloc(n * sizeof(int)),
        .area2 = malloc(n * n * sizeof(double)),
        .middle = malloc(n * n * sizeof(int)),
    };
    return h->vertices && h->area2 && h->middle;
}

static void free_hole(hole *h)
{
    free(h->vertices);
    free(h->area2);
    free(h->middle);
}

static bool fill_loop(mesh *m, const mesh_edges *edges, const int *loop, int length, fill_result *result)
{
    hole h;
    bool ok = allocate_hole(&h, length);
    for (int i = 0; ok && i < length; ++i) {
        h.vertices[i] = side_from(m, loop[i]);
    }
    if (ok && length >= 3 && solve_hole(&h, m, edges)) {
        ok = CAROM_ARRAY_RESIZE(m->triangles, (size_t)(m->triangle_count + length));
        if (ok) {
            emit(&h, m, 0, length - 1);
            ++result->holes;
            result->triangles += length - 2;
        }
    } else if (ok) {
        ++result->left;
    }
    free_hole(&h);
    return ok;
}

bool repair_fill(mesh *m, int longest, fill_result *result)
{
    mesh_edges edges = { 0 };
    *result = (fill_result){ 0 };
    int sides = 3 * m->triangle_count;
    int *next = malloc(((size_t)sides + 1) * sizeof *next);
    int *loop = malloc(((size_t)sides + 1) * sizeof *loop);
    bool ok = next && loop && mesh_edges_create(&edges, m, NULL) == CAROM_OK && mesh_boundary_next(m, &edges, next);
    for (int side = 0; ok && side < sides; ++side) {
        int length = next[side] >= 0 ? take_loop(next, side, loop) : 0;
        if (length > 0 && length <= longest) {
            ok = fill_loop(m, &edges, loop, length, result);
        } else {
            result->left += length != 0;
        }
    }
    mesh_edges_free(&edges);
    free(next);
    free(loop);
    return ok;
}
