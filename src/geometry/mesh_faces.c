#include "geometry/mesh_faces.h"

#include <stdlib.h>

static const double FLAT = 1e-7;       /* [1] of the size: triangles this near to a plane lie in it */
static const double FLAT_ANGLE = 1e-3; /* [rad] and turned no farther */

typedef struct growth {
    const mesh *m;
    const mesh_edges *edges;
    double size;   /* [m] */
    double turn;   /* -1: the mesh is inside out */
    v3 *normals;   /* of triangles; zero: without area */
    double *areas; /* [m^2] twice */
    int *by_area;  /* triangles, largest first */
    int *stack;
    mesh_faces *faces;
} growth;

static bool make_room(growth *g)
{
    size_t t = (size_t)g->m->triangle_count + 1;
    g->normals = malloc(t * sizeof *g->normals);
    g->areas = malloc(t * sizeof *g->areas);
    g->by_area = malloc(t * sizeof *g->by_area);
    g->stack = malloc(t * sizeof *g->stack);
    g->faces->face_of = malloc(t * sizeof *g->faces->face_of);
    g->faces->normals = malloc(t * sizeof *g->faces->normals);
    g->faces->points = malloc(t * sizeof *g->faces->points);
    return g->normals && g->areas && g->by_area && g->stack && g->faces->face_of && g->faces->normals &&
           g->faces->points;
}

static void free_room(growth *g)
{
    free(g->normals);
    free(g->areas);
    free(g->by_area);
    free(g->stack);
}

static v3 corner_of(const growth *g, int triangle, int k)
{
    return g->m->vertices[g->m->triangles[triangle][k]];
}

static void measure_triangles(growth *g)
{
    for (int t = 0; t < g->m->triangle_count; ++t) {
        v3 a = corner_of(g, t, 0);
        v3 n = v3_cross(v3_sub(corner_of(g, t, 1), a), v3_sub(corner_of(g, t, 2), a));
        bool sliver = mesh_triangle_degenerate(g->m, g->m->triangles[t]);
        g->areas[t] = sliver ? 0.0 : v3_norm(n);
        g->normals[t] = sliver ? v3_zero() : v3_scale(g->turn / g->areas[t], n);
        g->faces->face_of[t] = -1;
    }
}

typedef struct area_rank {
    double area;
    int triangle;
} area_rank;

static int larger_first(const void *a, const void *b)
{
    const area_rank *x = a;
    const area_rank *y = b;
    if (x->area != y->area) {
        return x->area > y->area ? -1 : 1;
    }
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static bool sort_by_area(growth *g)
{
    int n = g->m->triangle_count;
    area_rank *ranks = malloc(((size_t)n + 1) * sizeof *ranks);
    if (!ranks) {
        return false;
    }
    for (int t = 0; t < n; ++t) {
        ranks[t] = (area_rank){ g->areas[t], t };
    }
    qsort(ranks, (size_t)n, sizeof *ranks, larger_first);
    for (int i = 0; i < n; ++i) {
        g->by_area[i] = ranks[i].triangle;
    }
    free(ranks);
    return true;
}

/* Slivers too thin to have a normal of their own lie in any plane that holds their corners. */
static bool in_plane(const growth *g, int triangle, v3 r, v3 normal)
{
    if (g->areas[triangle] > 0.0 && v3_norm(v3_cross(g->normals[triangle], normal)) > FLAT_ANGLE) {
        return false;
    }
    bool flat = g->areas[triangle] == 0.0 || v3_dot(g->normals[triangle], normal) > 0.0;
    for (int k = 0; flat && k < 3; ++k) {
        flat = fabs(v3_dot(v3_sub(corner_of(g, triangle, k), r), normal)) <= FLAT * g->size;
    }
    return flat;
}

static void grow_face(growth *g, int seed)
{
    mesh_faces *f = g->faces;
    int face = f->count++;
    int depth = 0;
    f->normals[face] = g->normals[seed];
    f->points[face] = corner_of(g, seed, 0);
    f->face_of[seed] = face;
    g->stack[depth++] = seed;
    while (depth > 0) {
        int t = g->stack[--depth];
        for (int k = 0; k < 3; ++k) {
            int twin = mesh_edges_twin(g->edges, 3 * t + k);
            int next = twin >= 0 ? twin / 3 : -1;
            if (next >= 0 && f->face_of[next] < 0 && in_plane(g, next, f->points[face], f->normals[face])) {
                f->face_of[next] = face;
                g->stack[depth++] = next;
            }
        }
    }
}

bool mesh_faces_find(mesh_faces *out, const mesh *m, const mesh_edges *edges, double size, double turn)
{
    *out = (mesh_faces){ 0 };
    growth g = { .m = m, .edges = edges, .size = size, .turn = turn, .faces = out };
    bool ok = make_room(&g);
    if (ok) {
        measure_triangles(&g);
        ok = sort_by_area(&g);
    }
    for (int i = 0; ok && i < m->triangle_count; ++i) {
        int t = g.by_area[i];
        if (out->face_of[t] < 0 && g.areas[t] > 0.0) {
            grow_face(&g, t);
        }
    }
    free_room(&g);
    if (!ok) {
        mesh_faces_free(out);
    }
    return ok;
}

void mesh_faces_free(mesh_faces *faces)
{
    free(faces->face_of);
    free(faces->normals);
    free(faces->points);
    *faces = (mesh_faces){ 0 };
}
