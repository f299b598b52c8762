/* What acts between two surfaces without the cuts of their flat faces and straight lines.
 *
 * With a law b(d) of the distance that is zero beyond a range,
 *
 *     sum of b over the triangles of a face - sum of b over the sides inside of it + sum of b over the corners inside
 *
 * acts between a vertex and a face, and between two lines, of edges e and f with joints u and v,
 *
 *     sum of b(e, f) - sum of b(u, f) - sum of b(e, v) + sum of b(u, v).
 *
 * By parts these are integrals of -b'(r) times the Euler characteristic of the part of the face, of the pairs of points of the lines,
 * that is nearer than r. It is additive, so no cut changes it: 1 for all r beyond the distance where the part is convex, so that the
 * sum is b of the distance, as always between lines; the number of its pieces less that of its holes anywhere. Where a triangle, a side
 * and a corner have the same closest point, they cancel each other. */
#include "collision/surface_pieces.h"

#include <stdlib.h>

static const surface *surface_of(const surface_pair *p, int side)
{
    return side == 0 ? p->a : p->b;
}

bool surface_pair_inner(const surface_pair *p, const feature_pair *pair)
{
    for (int side = 0; side < 2; ++side) {
        const surface *s = surface_of(p, side);
        int i = pair->index[side];
        if ((pair->kind[side] == SURFACE_VERTEX && s->inner_vertices[i]) ||
            (pair->kind[side] == SURFACE_EDGE && s->inner_edges[i])) {
            return true;
        }
    }
    return false;
}

static int line_of(const surface *s, int edge)
{
    return s->lines[edge] >= 0 ? s->lines[edge] : edge;
}

/* More than one edge. */
static bool is_line(const surface *s, int edge)
{
    const int *ends = s->edges[edge];
    const int *all = s->line_ends[edge];
    return (ends[0] != all[0] || ends[1] != all[1]) && (ends[0] != all[1] || ends[1] != all[0]);
}

piece_group surface_piece_group(const surface_pair *p, const feature_pair *pair)
{
    const int *i = pair->index;
    if (pair->kind[0] == SURFACE_EDGE && pair->kind[1] == SURFACE_EDGE &&
        (is_line(p->a, i[0]) || is_line(p->b, i[1]))) {
        return (piece_group){ .kind = PIECES_OF_LINES, .key = { line_of(p->a, i[0]), line_of(p->b, i[1]) } };
    }
    for (int side = 0; side < 2; ++side) {
        if (pair->kind[side] == SURFACE_TRIANGLE && pair->kind[1 - side] == SURFACE_VERTEX) {
            int face = surface_of(p, side)->faces[i[side]];
            piece_group group = { .kind = PIECES_OF_FACE, .side = side, .key = { i[1 - side], face } };
            return face >= 0 ? group : (piece_group){ .kind = NO_PIECES };
        }
    }
    return (piece_group){ .kind = NO_PIECES };
}

bool piece_group_same(const piece_group *g, const piece_group *h)
{
    return g->kind == h->kind && g->side == h->side && g->key[0] == h->key[0] && g->key[1] == h->key[1];
}

/* ---- order ---------------------------------------------------------------------------------------------------------------- */

typedef struct ranked {
    near_feature near;
    piece_group group;
    size_t at; /* in the list */
} ranked;

static int by_number(long a, long b)
{
    return (a > b) - (a < b);
}

static int by_group(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    int order = by_number(a->group.kind, b->group.kind);
    order = order == 0 ? by_number(a->group.side, b->group.side) : order;
    for (int k = 0; order == 0 && k < 2; ++k) {
        order = by_number(a->group.key[k], b->group.key[k]);
    }
    for (int k = 0; order == 0 && a->group.kind != NO_PIECES && k < 2; ++k) {
        order = by_number(a->near.pair.index[k], b->near.pair.index[k]);
    }
    return order == 0 ? by_number((long)a->at, (long)b->at) : order;
}

bool surface_sort_pieces(const surface_pair *p, near_list *list)
{
    ranked *all = malloc((list->count + 1) * sizeof *all);
    for (size_t k = 0; all && k < list->count; ++k) {
        const near_feature *near = &list->items[k];
        all[k] = (ranked){ .near = *near, .group = surface_piece_group(p, &near->pair), .at = k };
    }
    if (all) {
        qsort(all, list->count, sizeof *all, by_group);
    }
    for (size_t k = 0; all && k < list->count; ++k) {
        list->items[k] = all[k].near;
    }
    free(all);
    return all != NULL;
}

/* ---- terms ---------------------------------------------------------------------------------------------------------------- */

static bool same(v3 a, v3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The terms of a group. */
typedef struct pieces {
    const surface_pair *p;
    const surface *s; /* whose face it is */
    int side;
    double rounding[2]; /* [m] of the pair */
    double range;       /* [m] */
    piece_term *terms;
    int count;
} pieces;

/* A part of a line or a face where the closest point lies: a side by its ends, a corner twice. */
typedef struct place {
    int ends[2];
} place;

static place place_of(int a, int b)
{
    return (place){ { a < b ? a : b, a < b ? b : a } };
}

/* A term of so many quarters, if it is within range. */
static void add_term(pieces *g, size_t item, feature_distance d, place a, place b, int quarters)
{
    d.rounding[0] = g->rounding[0];
    d.rounding[1] = g->rounding[1];
    if (d.distance - d.rounding[0] - d.rounding[1] < g->range) {
        g->terms[g->count] = (piece_term){ .item = item,
                                           .d = d,
                                           .times = quarters,
                                           .on = { a.ends[0], a.ends[1], b.ends[0], b.ends[1] },
                                           .at = g->count };
        ++g->count;
    }
}

/* ---- a vertex and a face ---- */

/* As seen from the vertex; the face may belong to A. */
static feature_distance seen(const pieces *g, feature_distance d)
{
    return g->side == 1 ? d : feature_distance_swap(d);
}

/* Closest points of triangles are corners, or slide along sides, to the last digit. */
static void add_triangle(pieces *g, const piece_candidate *c, const int corner[3], const v3 x[3])
{
    place at = { { -1, -1 } };
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        if (c->d.slides == 1 && same(c->d.slide[0], v3_sub(x[next], x[k]))) {
            at = place_of(corner[k], corner[next]);
        } else if (c->d.slides == 0 && same(c->d.point[g->side], x[k])) {
            at = place_of(corner[k], corner[k]);
        }
    }
    add_term(g, c->item, c->d, at, (place){ { 0, 0 } }, 4);
}

/* Half of a side inside of the face: the other half is its other triangle's. */
static void add_side(pieces *g, size_t item, v3 vertex, const int ends[2], const v3 x[2])
{
    feature_distance d = vertex_edge_distance(vertex, x);
    bool first = d.slides == 0 && same(d.point[1], x[0]);
    bool last = d.slides == 0 && !first;
    add_term(g, item, seen(g, d), place_of(ends[last ? 1 : 0], ends[first ? 0 : 1]), (place){ { 0, 0 } }, -2);
}

static void add_beside_face(pieces *g, const piece_candidate *c)
{
    int triangle = c->pair.index[g->side];
    v3 vertex = surface_pair_vertex(g->p, 1 - g->side, c->pair.index[1 - g->side]);
    int corner[3];
    v3 x[3];
    surface_corners(g->s, SURFACE_TRIANGLE, triangle, corner);
    for (int k = 0; k < 3; ++k) {
        x[k] = surface_pair_vertex(g->p, g->side, corner[k]);
    }
    add_triangle(g, c, corner, x);
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        if (g->s->inner_parts[triangle] & (1 << k)) {
            add_side(g, c->item, vertex, (const int[2]){ corner[k], corner[next] }, (const v3[2]){ x[k], x[next] });
        }
        if (g->s->inner_parts[triangle] & (8 << k)) {
            feature_distance d = seen(g, vertex_vertex_distance(vertex, x[k]));
            add_term(g, c->item, d, place_of(corner[k], corner[k]), (place){ { 0, 0 } }, 4);
        }
    }
}

/* ---- two lines ---- */

/* Where on its edge the closest point of a side lies. */
static place place_on_edge(const feature_distance *d, int side, const int ends[2], const v3 x[2])
{
    for (int k = 0; k < d->slides; ++k) {
        if (d->owner[k] == side) {
            return place_of(ends[0], ends[1]);
        }
    }
    double to_first = v3_norm2(v3_sub(d->point[side], x[0]));
    int end = ends[to_first <= v3_norm2(v3_sub(d->point[side], x[1])) ? 0 : 1];
    return place_of(end, end);
}

/* Each edge less half of each joint at its ends: the other half is the next edge's. */
static void add_lines(pieces *g, const piece_candidate *c)
{
    const surface *s[2] = { g->p->a, g->p->b };
    const int *ends[2];
    v3 x[2][2];
    for (int side = 0; side < 2; ++side) {
        ends[side] = s[side]->edges[c->pair.index[side]];
        for (int k = 0; k < 2; ++k) {
            x[side][k] = surface_pair_vertex(g->p, side, ends[side][k]);
        }
    }
    place edge[2];
    for (int side = 0; side < 2; ++side) {
        edge[side] = place_on_edge(&c->d, side, ends[side], x[side]);
    }
    add_term(g, c->item, c->d, edge[0], edge[1], 4);
    for (int i = 0; i < 2; ++i) {
        place u = place_of(ends[0][i], ends[0][i]);
        place v = place_of(ends[1][i], ends[1][i]);
        if (s[0]->inner_vertices[ends[0][i]]) {
            feature_distance d = vertex_edge_distance(x[0][i], x[1]);
            add_term(g, c->item, d, u, place_on_edge(&d, 1, ends[1], x[1]), -2);
        }
        if (s[1]->inner_vertices[ends[1][i]]) {
            feature_distance d = feature_distance_swap(vertex_edge_distance(x[1][i], x[0]));
            add_term(g, c->item, d, place_on_edge(&d, 0, ends[0], x[0]), v, -2);
        }
        for (int k = 0; s[0]->inner_vertices[ends[0][i]] && k < 2; ++k) {
            if (s[1]->inner_vertices[ends[1][k]]) {
                feature_distance d = vertex_vertex_distance(x[0][i], x[1][k]);
                add_term(g, c->item, d, u, place_of(ends[1][k], ends[1][k]), 1);
            }
        }
    }
}

/* ---- sums ---- */

/* By closest points; whole pieces before what lies between them. */
static int by_place(const void *x, const void *y)
{
    const piece_term *a = x, *b = y;
    int order = 0;
    for (int k = 0; order == 0 && k < 4; ++k) {
        order = by_number(a->on[k], b->on[k]);
    }
    order = order == 0 ? by_number(b->times, a->times) : order;
    return order == 0 ? by_number(a->at, b->at) : order;
}

static bool same_places(const piece_term *a, const piece_term *b)
{
    return a->on[0] == b->on[0] && a->on[1] == b->on[1] && a->on[2] == b->on[2] && a->on[3] == b->on[3];
}

/* Terms of one closest point become one; those that cancel each other go. */
static int merge(piece_term *terms, int count)
{
    int kept = 0;
    for (int i = 0, next; i < count; i = next) {
        int quarters = 0;
        for (next = i; next < count && same_places(&terms[next], &terms[i]); ++next) {
            quarters += terms[next].times;
        }
        piece_term sum = terms[i];
        sum.times = quarters / 4; /* parts of one: the rest is beyond the range, to rounding */
        terms[kept] = sum;
        kept += sum.times != 0;
    }
    return kept;
}

int surface_piece_terms(const surface_pair *p, const piece_candidate *at, int count, double range, piece_term *out)
{
    piece_group group = surface_piece_group(p, &at[0].pair);
    pieces g = { .p = p,
                 .s = surface_of(p, group.side),
                 .side = group.side,
                 .rounding = { at[0].d.rounding[0], at[0].d.rounding[1] },
                 .range = range,
                 .terms = out };
    for (int k = 0; k < count; ++k) {
        if (group.kind == PIECES_OF_FACE) {
            add_beside_face(&g, &at[k]);
        } else {
            add_lines(&g, &at[k]);
        }
    }
    qsort(out, (size_t)g.count, sizeof *out, by_place);
    return merge(out, g.count);
}
