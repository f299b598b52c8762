/* Triangles that bound nothing: folded, copied, without area. */
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_repair_steps.h"

/* Removes the marked triangles, the others keep their order. */
static int remove_marked(mesh *m, const bool *marked)
{
    int count = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        if (!marked[t]) {
            memmove(m->triangles[count++], m->triangles[t], sizeof m->triangles[t]);
        }
    }
    int removed = m->triangle_count - count;
    m->triangle_count = count;
    return removed;
}

void repair_drop_folded(mesh *m, int *removed)
{
    int count = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        if (!mesh_triangle_repeats(m->triangles[t])) {
            memmove(m->triangles[count++], m->triangles[t], sizeof m->triangles[t]);
        }
    }
    *removed = m->triangle_count - count;
    m->triangle_count = count;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* Whether the surface is whole without the copies of triangle t: at each of its edges two others meet. */
static bool is_inner_wall(const mesh *m, const mesh_edges *edges, const int *first, int t)
{
    for (int k = 0; k < 3; ++k) {
        int e = edges->edge_of[3 * t + k];
        int others = 0;
        for (int i = edges->start[e]; i < edges->start[e + 1]; ++i) {
            others += first[edges->sides[i] / 3] != t;
        }
        if (others != 2) {
            return false;
        }
    }
    return m->triangle_count > 0;
}

static void mark_copies(const mesh *m, const mesh_edges *edges, const int *first, bool *marked)
{
    for (int t = 0; t < m->triangle_count; ++t) {
        if (first[t] != t) {
            marked[t] = true;
            marked[first[t]] = is_inner_wall(m, edges, first, first[t]);
        }
    }
}

bool repair_drop_duplicates(mesh *m, int *removed)
{
    mesh_edges edges = { 0 };
    int *first = malloc(((size_t)m->triangle_count + 1) * sizeof *first);
    bool *marked = calloc((size_t)m->triangle_count + 1, sizeof *marked);
    bool ok = first && marked && mesh_find_duplicates(m, first) && mesh_edges_create(&edges, m, NULL) == CAROM_OK;
    if (ok) {
        mark_copies(m, &edges, first, marked);
        *removed = remove_marked(m, marked);
        mesh_edges_free(&edges);
    }
    free(first);
    free(marked);
    return ok;
}

/* ---- without area ------------------------------------------------------------------------------------------------ */

typedef struct flattener {
    mesh *m;
    mesh_edges edges; /* as they were at the beginning of the pass */
    bool *touched;    /* changed in this pass: the edges no longer tell the truth about it */
    bool *removed;
    int helped;
} flattener;

static int longest_side(const mesh *m, int t)
{
    int best = 3 * t;
    double best_length2 = -1.0;
    for (int side = 3 * t; side < 3 * t + 3; ++side) {
        double length2 = v3_norm2(v3_sub(m->vertices[side_to(m, side)], m->vertices[side_from(m, side)]));
        if (length2 > best_length2) {
            best = side;
            best_length2 = length2;
        }
    }
    return best;
}

static void set_triangle(mesh *m, int t, int a, int b, int c)
{
    m->triangles[t][0] = a;
    m->triangles[t][1] = b;
    m->triangles[t][2] = c;
}

/* (p, q, b) and its neighbour (q, p, d) become (p, d, b) and (d, q, b). */
static bool flip(flattener *f, int side, int twin)
{
    mesh *m = f->m;
    int p = side_from(m, side);
    int q = side_to(m, side);
    int b = side_to(m, side_next(side));
    int d = side_to(m, side_next(twin));
    if (side_from(m, twin) != q || b == d || mesh_edges_find(&f->edges, b, d) >= 0) {
        return false;
    }
    set_triangle(m, side / 3, p, d, b);
    set_triangle(m, twin / 3, d, q, b);
    f->touched[side / 3] = f->touched[twin / 3] = true;
    return true;
}

static void flatten_triangle(flattener *f, int t)
{
    int side = longest_side(f->m, t);
    int sides = mesh_edge_sides(&f->edges, f->edges.edge_of[side]);
    int twin = mesh_edges_twin(&f->edges, side);
    if (sides == 1) {
        f->removed[t] = f->touched[t] = true;
        ++f->helped;
    } else if (twin >= 0 && !f->touched[twin / 3]) {
        f->helped += flip(f, side, twin);
    }
}

/* One pass over the triangles without area; returns how many there were, or -1 when memory runs out. */
static int flatten_pass(flattener *f)
{
    mesh *m = f->m;
    int found = 0;
    memset(f->touched, 0, (size_t)m->triangle_count * sizeof *f->touched);
    memset(f->removed, 0, (size_t)m->triangle_count * sizeof *f->removed);
    if (mesh_edges_create(&f->edges, m, NULL) != CAROM_OK) {
        return -1;
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        if (!f->touched[t] && mesh_triangle_degenerate(m, m->triangles[t])) {
            ++found;
            flatten_triangle(f, t);
        }
    }
    mesh_edges_free(&f->edges);
    remove_marked(m, f->removed);
    return found;
}

bool repair_flatten(mesh *m, int *helped, int *left)
{
    enum { PASSES = 20 }; /* rows of such triangles heal one after the other */
    flattener f = {
        .m = m,
        .touched = malloc((size_t)m->triangle_count + 1),
        .removed = malloc((size_t)m->triangle_count + 1),
    };
    bool ok = f.touched && f.removed;
    int found = 0;
    for (int pass = 0; ok && pass < PASSES; ++pass) {
        int before = f.helped;
        found = flatten_pass(&f);
        ok = found >= 0;
        if (found <= 0 || f.helped == before) {
            break;
        }
    }
    *helped = f.helped;
    *left = 0;
    for (int t = 0; ok && found > 0 && t < m->triangle_count; ++t) {
        *left += mesh_triangle_degenerate(m, m->triangles[t]);
    }
    free(f.touched);
    free(f.removed);
    return ok;
}
