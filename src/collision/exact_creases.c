/* Elements of closed meshes. Curves are creases: edges that bend outwards by more than CREASE, joined where they
 * run straight on, and edges so long that crossing ones would sink in far before a corner meets anything. Points are all other corners: where creases meet, end or bend, and those of smooth parts, which have nothing else. Feet lie
 * beside the corners of flat faces where two creases or more meet. */
#include "collision/exact_elements.h"

#include <stdlib.h>

#include "geometry/mesh_topology.h"

static const double CREASE = 15.0 / 180.0 * 3.141592653589793; /* [rad] between the normals of both faces */
static const double HIDDEN =
    2e-3; /* [1] of the size: an edge whose bend hides more than this between its corners is a crease too */
static const double STRAIGHT =
    1e-7; /* [1] of the size: corners this near to a line lie on it (facets_polyhedron.c) */

typedef struct crease_work {
    const facets *f;
    exact_elements *e;
    bool *is_crease; /* of edges; false as well once it is part of a line */
    int *first;      /* creases at corner v: at[first[v]] .. at[first[v + 1] - 1] */
    int *at;
    bool *passed; /* of corners: a line runs straight through */
} crease_work;

static bool allocate(crease_work *w)
{
    size_t vertices = (size_t)w->f->counts[FACET_VERTICES];
    size_t edges = (size_t)w->f->counts[FACET_EDGES];
    w->is_crease = calloc(edges + 1, sizeof *w->is_crease);
    w->first = calloc(vertices + 2, sizeof *w->first);
    w->at = malloc((2 * edges + 1) * sizeof *w->at);
    w->passed = calloc(vertices + 1, sizeof *w->passed);
    return w->is_crease && w->first && w->at && w->passed;
}

static void release(crease_work *w)
{
    free(w->is_crease);
    free(w->first);
    free(w->at);
    free(w->passed);
}

/* ---- creases ------------------------------------------------------------------------------------------------------ */

/* The wings of a flat edge are opposite. */
static bool bends_enough(const facets *f, const facet_edge *e)
{
    if (e->count != 2) {
        return true;
    }
    v3 a = f->wings[e->first];
    v3 b = f->wings[e->first + 1];
    double hidden = 0.125 * e->length *
                    v3_norm(v3_cross(a, b)); /* [m] below the middle, were it a piece of a round side */
    return -v3_dot(a, b) < cos(CREASE) || hidden > HIDDEN * f->size;
}

static void find_creases(crease_work *w)
{
    const facets *f = w->f;
    for (int i = 0; i < f->counts[FACET_EDGES]; ++i) {
        w->is_crease[i] = bends_enough(f, &f->edges[i]);
        for (int k = 0; k < 2 && w->is_crease[i]; ++k) {
            w->first[f->edges[i].ends[k] + 2]++;
        }
    }
    for (int v = 0; v < f->counts[FACET_VERTICES]; ++v) {
        w->first[v + 2] += w->first[v + 1];
    }
    for (int i = 0; i < f->counts[FACET_EDGES]; ++i) {
        for (int k = 0; k < 2 && w->is_crease[i]; ++k) {
            w->at[w->first[f->edges[i].ends[k] + 1]++] = i;
        }
    }
}

static int creases_at(const crease_work *w, int vertex)
{
    return w->first[vertex + 1] - w->first[vertex];
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

static int other_end(const facet_edge *e, int vertex)
{
    return e->ends[0] == vertex ? e->ends[1] : e->ends[0];
}

/* The crease that goes on from `edge` at a corner where no third one is; -1: none. */
static int next_crease(const crease_work *w, int edge, int vertex)
{
    if (creases_at(w, vertex) != 2) {
        return -1;
    }
    const int *at = w->at + w->first[vertex];
    int next = at[0] == edge ? at[1] : at[0];
    return next != edge && w->is_crease[next] ? next : -1;
}

/* Whether c lies behind b on the line from a through b. */
static bool goes_straight(const facets *f, v3 a, v3 b, v3 c)
{
    v3 along = v3_unit(v3_sub(b, a));
    v3 on = v3_sub(c, b);
    double ahead = v3_dot(on, along);
    return ahead > 0.0 && v3_norm(v3_axpy(on, -ahead, along)) <= STRAIGHT * f->size;
}

static void take_line(crease_work *w, int edge, int start)
{
    const facets *f = w->f;
    int end = other_end(&f->edges[edge], start);
    v3 from = f->vertices[start].r;
    w->is_crease[edge] = false;
    for (int next = next_crease(w, edge, end); next >= 0; next = next_crease(w, next, end)) {
        int beyond = other_end(&f->edges[next], end);
        if (!goes_straight(f, from, f->vertices[end].r, f->vertices[beyond].r)) {
            break;
        }
        w->passed[end] = true;
        w->is_crease[next] = false;
        end = beyond;
    }
    v3 along = v3_sub(f->vertices[end].r, from);
    double length = v3_norm(along);
    exact_add_line(w->e, EXACT_EDGE,
                   &(facet_edge){ .r = from, .d = v3_scale(1.0 / length, along), .length = length });
}

static void take_lines_from(crease_work *w, int vertex)
{
    for (int k = w->first[vertex]; k < w->first[vertex + 1]; ++k) {
        if (w->is_crease[w->at[k]]) {
            take_line(w, w->at[k], vertex);
        }
    }
}

/* Whether a line may begin here: not in the middle of a straight one. */
static bool begins(const crease_work *w, int vertex)
{
    if (creases_at(w, vertex) != 2) {
        return true;
    }
    const facets *f = w->f;
    const int *at = w->at + w->first[vertex];
    v3 a = f->vertices[other_end(&f->edges[at[0]], vertex)].r;
    v3 c = f->vertices[other_end(&f->edges[at[1]], vertex)].r;
    return !goes_straight(f, a, f->vertices[vertex].r, c);
}

static void take_lines(crease_work *w)
{
    for (int pass = 0; pass < 2; ++pass) {
        for (int v = 0; v < w->f->counts[FACET_VERTICES]; ++v) {
            if (pass == 1 || begins(w, v)) {
                take_lines_from(w, v);
            }
        }
    }
}

/* ---- points ------------------------------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const v3 *x = a;
    const v3 *y = b;
    if (x->x != y->x) {
        return x->x < y->x ? -1 : 1;
    }
    if (x->y != y->y) {
        return x->y < y->y ? -1 : 1;
    }
    return (x->z > y->z) - (x->z < y->z);
}

/* Sides of an outline, each as (start, end), by their start. */
static v3 (*sorted_sides(const facets *f, const facet_face *face))[2]
{
    v3(*sides)[2] = malloc((size_t)face->count * sizeof *sides);
    for (int i = 0; sides && i < face->count; ++i) {
        sides[i][0] = f->sides[face->first + i][0];
        sides[i][1] = f->sides[face->first + i][1];
    }
    if (sides) {
        qsort(sides, (size_t)face->count, sizeof *sides, compare_places);
    }
    return sides;
}

/* Corners where two creases or more meet, by their place. */
static v3 *sharp_corners(const crease_work *w, size_t *count)
{
    const facets *f = w->f;
    v3 *sharp = malloc(((size_t)f->counts[FACET_VERTICES] + 1) * sizeof *sharp);
    *count = 0;
    for (int v = 0; sharp && v < f->counts[FACET_VERTICES]; ++v) {
        if (creases_at(w, v) >= 2 && !w->passed[v]) {
            sharp[(*count)++] = f->vertices[v].r;
        }
    }
    if (sharp) {
        qsort(sharp, *count, sizeof *sharp, compare_places);
    }
    return sharp;
}

/* Beside a convex corner of a face, on the way to its middle; where that leads outside, on the way to the middle of the two sides, and
 * nearer where the face is narrow. */
static void take_foot(crease_work *w, int face, v3 before, v3 corner, v3 after, v3 middle)
{
    enum { HALVINGS = 40 };
    v3 in = v3_sub(corner, before);
    v3 out = v3_sub(after, corner);
    double turn = v3_dot(v3_cross(in, out), w->f->faces[face].normal);
    v3 way = v3_scale(EXACT_INSET, v3_sub(middle, corner));
    if (turn <= 1e-6 * v3_norm(in) * v3_norm(out)) {
        return;
    }
    for (int i = 0; i < HALVINGS; ++i) {
        v3 foot = v3_add(corner, way);
        if (facet_face_inside(w->f, face, foot) > 0.0) {
            exact_add_point(w->e, foot, 0.0);
            return;
        }
        way = i == 0 ? v3_scale(0.5 * EXACT_INSET, v3_sub(out, in)) : v3_scale(0.5, way);
    }
}

static v3 middle_of(const facets *f, const facet_face *face)
{
    v3 sum = v3_zero();
    for (int i = face->first; i < face->first + face->count; ++i) {
        sum = v3_add(sum, f->sides[i][0]);
    }
    return v3_scale(1.0 / face->count, sum);
}

static bool take_feet_of(crease_work *w, int face, const v3 *sharp, size_t sharp_count)
{
    const facet_face *x = &w->f->faces[face];
    v3 middle = middle_of(w->f, x);
    v3(*sides)[2] = sorted_sides(w->f, x);
    for (int i = 0; sides && i < x->count; ++i) {
        v3 corner = sides[i][1];
        v3(*next)[2] = bsearch(&corner, sides, (size_t)x->count, sizeof *sides, compare_places);
        if (next && bsearch(&corner, sharp, sharp_count, sizeof *sharp, compare_places)) {
            take_foot(w, face, sides[i][0], corner, (*next)[1], middle);
        }
    }
    bool ok = sides != NULL;
    free(sides);
    return ok;
}

static bool take_points(crease_work *w)
{
    const facets *f = w->f;
    size_t sharp_count;
    v3 *sharp = sharp_corners(w, &sharp_count);
    bool ok = sharp != NULL;
    for (int v = 0; v < f->counts[FACET_VERTICES]; ++v) {
        if (!w->passed[v]) {
            exact_add_point(w->e, f->vertices[v].r, 0.0);
        }
    }
    for (int i = 0; ok && sharp_count > 0 && i < f->counts[FACET_FACES]; ++i) {
        ok = f->faces[i].count == 0 || take_feet_of(w, i, sharp, sharp_count);
    }
    free(sharp);
    return ok;
}

/* Points come first among elements, and need to know which corners lines pass. */
static void points_first(exact_elements *e, int lines)
{
    exact_element *items = e->items;
    int points = e->count - lines;
    exact_element *copy = malloc(((size_t)lines + 1) * sizeof *copy);
    if (!copy) {
        e->count = -1;
        return;
    }
    for (int i = 0; i < lines; ++i) {
        copy[i] = items[i];
    }
    for (int i = 0; i < points; ++i) {
        items[i] = items[lines + i];
    }
    for (int i = 0; i < lines; ++i) {
        items[points + i] = copy[i];
    }
    free(copy);
}

bool exact_take_creases(exact_elements *e, const facets *f)
{
    crease_work w = { .f = f, .e = e };
    bool ok = allocate(&w);
    if (ok) {
        find_creases(&w);
        take_lines(&w);
        int lines = e->count;
        ok = take_points(&w);
        points_first(e, lines);
        ok = ok && e->count >= 0;
    }
    release(&w);
    return ok;
}

/* ---- regions ------------------------------------------------------------------------------------------------------ */

/* A corner inside of a flat face belongs to it: -1 not seen yet, else a face, or what is no face. */
static void mark_corner(int *of, int face, int none)
{
    *of = *of == -1 || *of == face ? face : none;
}

bool exact_number_regions(exact_solid *s, const facets *f, const mesh *m)
{
    mesh_edges edges = { 0 };
    carom_error err = { 0 };
    int none = f->counts[FACET_FACES];
    int *of = malloc(((size_t)m->vertex_count + 1) * sizeof *of);
    s->face_count = none;
    s->region_of = malloc(((size_t)m->triangle_count + 1) * sizeof *s->region_of);
    bool ok = of && s->region_of && mesh_edges_create(&edges, m, &err) == CAROM_OK;
    for (int v = 0; ok && v < m->vertex_count; ++v) {
        of[v] = -1;
    }
    for (int side = 0; ok && side < 3 * m->triangle_count; ++side) {
        mark_corner(&of[side_from(m, side)], f->face_of[side / 3], none);
    }
    for (int side = 0; ok && side < 3 * m->triangle_count; ++side) {
        int t = side / 3;
        int v = side_from(m, side);
        int face = f->face_of[t] >= 0 ? f->face_of[t] : none;
        int twin = mesh_edges_twin(&edges, side);
        bool flat = twin >= 0 && f->face_of[twin / 3] == face;
        s->region_of[t][side % 3] = of[v] >= 0 && of[v] < none ? of[v] : none + 1 + v;
        s->region_of[t][FEATURE_EDGE + side % 3] = flat ? face : none + 1 + m->vertex_count + edges.edge_of[side];
        s->region_of[t][FEATURE_FACE] = face;
    }
    mesh_edges_free(&edges);
    free(of);
    return ok;
}
