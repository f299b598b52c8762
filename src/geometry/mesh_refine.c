/* Refinement: the longest edge of the whole mesh is halved, again and again [Rivara1984].
 *
 * The longest edge of all is the longest of both its triangles, so every split is a longest-edge bisection: angles
 * stay above half the smallest of the start. Splitting an inner edge adds two triangles, an open one adds one. Ties go
 * to the edge with the smaller number, so the result does not depend on the machine. Every edge is in the heap exactly
 * once; n splits cost O(n log n). */
#include "geometry/mesh_refine.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "geometry/mesh_topology.h"

typedef struct edge {
    int ends[2];
    int triangles[2]; /* -1: open */
    double length2;   /* [m^2] */
} edge;

typedef struct refiner {
    mesh *m; /* grows */
    size_t vertex_capacity, triangle_capacity;
    int (*edges_of)[3]; /* edges of each triangle; k joins corners k and k + 1 */
    edge *edges;
    int *heap; /* edge numbers, the longest first */
    size_t edge_capacity;
    int edge_count;
    int heap_count;
} refiner;

/* ---- heap -------------------------------------------------------------------------------------------------------- */

static bool comes_before(const refiner *r, int e, int f)
{
    double a = r->edges[e].length2;
    double b = r->edges[f].length2;
    return a > b || (a == b && e < f);
}

static void sift_up(refiner *r, int at)
{
    int e = r->heap[at];
    for (; at > 0 && comes_before(r, e, r->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        r->heap[at] = r->heap[(at - 1) / 2];
    }
    r->heap[at] = e;
}

static void sift_down(refiner *r, int at)
{
    int e = r->heap[at];
    for (;;) {
        int child = 2 * at + 1;
        if (child >= r->heap_count) {
            break;
        }
        child += child + 1 < r->heap_count && comes_before(r, r->heap[child + 1], r->heap[child]);
        if (!comes_before(r, r->heap[child], e)) {
            break;
        }
        r->heap[at] = r->heap[child];
        at = child;
    }
    r->heap[at] = e;
}

static void heap_push(refiner *r, int e)
{
    r->heap[r->heap_count] = e;
    sift_up(r, r->heap_count++);
}

static int heap_pop(refiner *r)
{
    int first = r->heap[0];
    r->heap[0] = r->heap[--r->heap_count];
    if (r->heap_count > 0) {
        sift_down(r, 0);
    }
    return first;
}

/* ---- growth ------------------------------------------------------------------------------------------------------ */

static size_t more(size_t capacity)
{
    return capacity + capacity / 2 + 16;
}

/* Room for one more split: 1 vertex, 2 triangles, 3 edges. */
static bool make_room(refiner *r)
{
    mesh *m = r->m;
    bool ok = true;
    if ((size_t)m->vertex_count + 1 > r->vertex_capacity) {
        r->vertex_capacity = more(r->vertex_capacity);
        ok = CAROM_ARRAY_RESIZE(m->vertices, r->vertex_capacity);
    }
    if ((size_t)m->triangle_count + 2 > r->triangle_capacity) {
        r->triangle_capacity = more(r->triangle_capacity);
        ok = ok && CAROM_ARRAY_RESIZE(m->triangles, r->triangle_capacity) &&
             CAROM_ARRAY_RESIZE(r->edges_of, r->triangle_capacity);
    }
    if ((size_t)r->edge_count + 3 > r->edge_capacity) {
        r->edge_capacity = more(r->edge_capacity);
        ok = ok && CAROM_ARRAY_RESIZE(r->edges, r->edge_capacity) && CAROM_ARRAY_RESIZE(r->heap, r->edge_capacity);
    }
    return ok;
}

/* ---- splits ------------------------------------------------------------------------------------------------------ */

static double edge_length2(const refiner *r, const int ends[2])
{
    return v3_norm2(v3_sub(r->m->vertices[ends[0]], r->m->vertices[ends[1]]));
}

static int add_edge(refiner *r, int a, int b, int t0, int t1)
{
    edge *e = &r->edges[r->edge_count];
    *e = (edge){ .ends = { a, b }, .triangles = { t0, t1 } };
    e->length2 = edge_length2(r, e->ends);
    return r->edge_count++;
}

static int corner_at_edge(const refiner *r, int t, int e)
{
    const int *own = r->edges_of[t];
    return own[0] == e ? 0 : own[1] == e ? 1 : 2;
}

static void replace_triangle(edge *e, int from, int to)
{
    e->triangles[e->triangles[0] == from ? 0 : 1] = to;
}

/* Triangle t with side k on edge e = (a, m), once (a, b): keeps its part at a, gives the part at b (edge f = (m, b)) to
 * a new triangle. Returns the new one. */
static int split_triangle(refiner *r, int t, int e, int f, int middle)
{
    mesh *m = r->m;
    int k = corner_at_edge(r, t, e);
    int k1 = (k + 1) % 3;
    int k2 = (k + 2) % 3;
    bool forward = m->triangles[t][k] == r->edges[e].ends[0];
    int far = m->triangles[t][k2];
    int fresh = m->triangle_count++;
    memcpy(m->triangles[fresh], m->triangles[t], sizeof m->triangles[t]);
    memcpy(r->edges_of[fresh], r->edges_of[t], sizeof r->edges_of[t]);
    int cut = add_edge(r, middle, far, t, fresh);

    m->triangles[t][forward ? k1 : k] = middle;
    r->edges_of[t][forward ? k1 : k2] = cut;
    m->triangles[fresh][forward ? k : k1] = middle;
    r->edges_of[fresh][k] = f;
    int outer = r->edges_of[fresh][forward ? k1 : k2];
    r->edges_of[fresh][forward ? k2 : k1] = cut;
    replace_triangle(&r->edges[outer], t, fresh);
    heap_push(r, cut);
    return fresh;
}

/* Edge e, which is not in the heap, becomes its half at ends[0]; the caller has made room. */
static void split_edge(refiner *r, int e)
{
    mesh *m = r->m;
    int a = r->edges[e].ends[0];
    int b = r->edges[e].ends[1];
    int middle = m->vertex_count++;
    m->vertices[middle] = v3_scale(0.5, v3_add(m->vertices[a], m->vertices[b]));
    int f = add_edge(r, middle, b, -1, -1);
    r->edges[e].ends[1] = middle;
    r->edges[e].length2 = edge_length2(r, r->edges[e].ends);
    for (int i = 0; i < 2; ++i) {
        int t = r->edges[e].triangles[i];
        r->edges[f].triangles[i] = t < 0 ? -1 : split_triangle(r, t, e, f, middle);
    }
    heap_push(r, f);
}

static bool split_longest(refiner *r)
{
    if (!make_room(r)) {
        return false;
    }
    int e = heap_pop(r);
    split_edge(r, e);
    heap_push(r, e);
    return true;
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

static carom_status take_edges(refiner *r, carom_error *err)
{
    mesh_edges edges;
    carom_status status = mesh_edges_create(&edges, r->m, err);
    if (status != CAROM_OK) {
        return status;
    }
    for (int e = 0; e < edges.count && status == CAROM_OK; ++e) {
        const int *side = edges.sides + edges.start[e];
        int sides = mesh_edge_sides(&edges, e);
        if (sides > 2) {
            v3 at = r->m->vertices[edges.ends[e][0]];
            status = carom_fail(err, CAROM_BAD_INPUT,
                                "%d triangles meet at one edge near (%g, %g, %g); repair the mesh before refining it",
                                sides, at.x, at.y, at.z);
            break;
        }
        add_edge(r, edges.ends[e][0], edges.ends[e][1], side[0] / 3, sides == 2 ? side[1] / 3 : -1);
        for (int i = 0; i < sides; ++i) {
            r->edges_of[side[i] / 3][side[i] % 3] = e;
        }
        r->heap[r->heap_count++] = e;
    }
    for (int i = r->heap_count / 2; i-- > 0 && status == CAROM_OK;) {
        sift_down(r, i);
    }
    mesh_edges_free(&edges);
    return status;
}

static carom_status no_memory(carom_error *err, int triangle_count)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory while refining a mesh to %d triangles", triangle_count);
}

static carom_status check_triangles(const mesh *m, carom_error *err)
{
    for (int t = 0; t < m->triangle_count; ++t) {
        if (mesh_triangle_repeats(m->triangles[t])) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "triangle %d has a corner twice; repair the mesh before refining it", t);
        }
    }
    return m->triangle_count > 0 ? CAROM_OK : carom_fail(err, CAROM_BAD_INPUT, "the mesh has no triangles to refine");
}

static carom_status refiner_start(refiner *r, const mesh *m, carom_error *err)
{
    *r = (refiner){ .m = mesh_create(m->vertex_count, m->triangle_count) };
    if (!r->m) {
        return no_memory(err, m->triangle_count);
    }
    memcpy(r->m->vertices, m->vertices, (size_t)m->vertex_count * sizeof *m->vertices);
    memcpy(r->m->triangles, m->triangles, (size_t)m->triangle_count * sizeof *m->triangles);
    r->vertex_capacity = (size_t)m->vertex_count;
    r->triangle_capacity = (size_t)m->triangle_count;
    r->edge_capacity = 3 * (size_t)m->triangle_count;
    r->edges_of = malloc(r->triangle_capacity * sizeof *r->edges_of);
    r->edges = malloc(r->edge_capacity * sizeof *r->edges);
    r->heap = malloc(r->edge_capacity * sizeof *r->heap);
    return r->edges_of && r->edges && r->heap ? take_edges(r, err) : no_memory(err, m->triangle_count);
}

static carom_status refiner_finish(refiner *r, mesh **out, carom_status status)
{
    free(r->edges_of);
    free(r->edges);
    free(r->heap);
    if (status == CAROM_OK) {
        *out = r->m;
    } else {
        mesh_destroy(r->m);
    }
    return status;
}

/* ---- to a number of triangles ------------------------------------------------------------------------------------ */

static int longest_open_edge(const refiner *r)
{
    int best = -1;
    for (int e = 0; e < r->edge_count; ++e) {
        bool open = r->edges[e].triangles[1] < 0;
        if (open && (best < 0 || comes_before(r, e, best))) {
            best = e;
        }
    }
    return best;
}

static carom_status split_to_count(refiner *r, int triangle_count, carom_error *err)
{
    while (r->m->triangle_count + 1 < triangle_count) {
        if (!split_longest(r)) {
            return no_memory(err, triangle_count);
        }
    }
    if (r->m->triangle_count == triangle_count) {
        return CAROM_OK;
    }
    int open = longest_open_edge(r); /* one triangle is missing: only an open edge adds one */
    if (open < 0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "%d triangles cannot be reached: on a closed surface every split adds two; %d and %d can",
                          triangle_count, triangle_count - 1, triangle_count + 1);
    }
    if (!make_room(r)) {
        return no_memory(err, triangle_count);
    }
    split_edge(r, open); /* the heap, in which it still is, has done its work */
    return CAROM_OK;
}

carom_status mesh_refine(mesh **out, const mesh *m, int triangle_count, carom_error *err)
{
    *out = NULL;
    if (triangle_count < m->triangle_count || triangle_count > INT_MAX / 3) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the mesh has %d triangles and cannot be refined to %d; ask for a number from %d to %d",
                          m->triangle_count, triangle_count, m->triangle_count, INT_MAX / 3);
    }
    carom_status status = check_triangles(m, err);
    if (status != CAROM_OK) {
        return status;
    }
    refiner r;
    status = refiner_start(&r, m, err);
    status = status ? status : split_to_count(&r, triangle_count, err);
    return refiner_finish(&r, out, status);
}

/* ---- to a length of edges ---------------------------------------------------------------------------------------- */

/* About how many triangles there will be: by area, and at least by the subdivisions of each longest edge. */
static double expected_triangles(const mesh *m, double longest)
{
    double sum = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        const int *corner = m->triangles[t];
        v3 ab = v3_sub(m->vertices[corner[1]], m->vertices[corner[0]]);
        v3 ac = v3_sub(m->vertices[corner[2]], m->vertices[corner[0]]);
        double length = sqrt(fmax(v3_norm2(v3_sub(ac, ab)), fmax(v3_norm2(ab), v3_norm2(ac))));
        double area = 0.5 * v3_norm(v3_cross(ab, ac));
        sum += fmax(1.0, fmax(area / (0.5 * longest * longest), length / longest));
    }
    return sum;
}

carom_status mesh_refine_edges(mesh **out, const mesh *m, double longest, carom_error *err)
{
    const double most = 1e8; /* some 10 GB: beyond it a wrong unit is likelier than a wish */
    *out = NULL;
    if (!isfinite(longest) || longest <= 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT, "the longest edge is %g; it must be greater than 0", longest);
    }
    carom_status status = check_triangles(m, err);
    if (status != CAROM_OK) {
        return status;
    }
    double expected = expected_triangles(m, longest);
    if (expected > most) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "edges of at most %g would need about %.2g triangles, more than %g; ask for longer edges "
                          "(wrong unit?)",
                          longest, expected, most);
    }
    refiner r;
    status = refiner_start(&r, m, err);
    while (status == CAROM_OK && r.edges[r.heap[0]].length2 > longest * longest) {
        if (r.m->triangle_count > INT_MAX / 3 - 2 || !split_longest(&r)) {
            status = no_memory(err, r.m->triangle_count);
        }
    }
    return refiner_finish(&r, out, status);
}
