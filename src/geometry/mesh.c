/* Triangle meshes: storage, bounds, volume integrals, and how far a mesh bounds a solid.
 *
 * Volume integrals: the solid is the signed sum of tetrahedra from one reference point to each triangle, for which
 * the integrals of 1, x and x x^T have closed forms, so the result is exact for the polyhedron. The reference point is
 * the middle of the bounding box: from the world's origin a small part far away would lose digits with the square of
 * its distance. */
#include "geometry/mesh.h"

#include <stdlib.h>

#include "base/assert.h"

mesh *mesh_create(int vertex_count, int triangle_count)
{
    CAROM_ASSERT(vertex_count >= 0 && triangle_count >= 0);
    mesh *m = calloc(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->vertex_count = vertex_count;
    m->triangle_count = triangle_count;
    m->vertices = calloc((size_t)vertex_count + 1, sizeof *m->vertices); /* + 1: calloc(0) may be NULL */
    m->triangles = calloc((size_t)triangle_count + 1, sizeof *m->triangles);
    if (!m->vertices || !m->triangles) {
        mesh_destroy(m);
        return NULL;
    }
    return m;
}

void mesh_destroy(mesh *m)
{
    if (m) {
        free(m->vertices);
        free(m->triangles);
        free(m);
    }
}

void mesh_bounds(v3 *low, v3 *high, const mesh *m)
{
    *low = *high = m->vertex_count > 0 ? m->vertices[0] : v3_zero();
    for (int i = 1; i < m->vertex_count; ++i) {
        v3 r = m->vertices[i];
        *low = v3_make(fmin(low->x, r.x), fmin(low->y, r.y), fmin(low->z, r.z));
        *high = v3_make(fmax(high->x, r.x), fmax(high->y, r.y), fmax(high->z, r.z));
    }
}

/* Six times the volume, 24 times the first moment and 120 times the second moments (xx, yy, zz, xy, xz, yz) of a
 * solid about the reference point: sums of integers over tetrahedra, divided once at the end. */
typedef struct moments {
    double volume_6;
    v3 first_24;
    double second_120[6];
} moments;

/* The tetrahedron (0, a, b, c): with s = a + b + c, the integral of x x^T is
 * det [a b c] / 120 (a a^T + b b^T + c c^T + s s^T). */
static void add_tetrahedron(moments *sum, v3 a, v3 b, v3 c)
{
    double det = v3_dot(a, v3_cross(b, c));
    v3 s = v3_add(a, v3_add(b, c));
    sum->volume_6 += det;
    sum->first_24 = v3_axpy(sum->first_24, det, s);
    sum->second_120[0] += det * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
    sum->second_120[1] += det * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
    sum->second_120[2] += det * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
    sum->second_120[3] += det * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
    sum->second_120[4] += det * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
    sum->second_120[5] += det * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
}

static moments mesh_moments(const mesh *m, v3 reference)
{
    moments sum = { 0 };
    for (int t = 0; t < m->triangle_count; ++t) {
        const int *corner = m->triangles[t];
        add_tetrahedron(&sum, v3_sub(m->vertices[corner[0]], reference), v3_sub(m->vertices[corner[1]], reference),
                        v3_sub(m->vertices[corner[2]], reference));
    }
    return sum;
}

/* I = tr(C) E - C, with C the second moments about the centre (Steiner backwards). */
static m3 inertia_about_center(const moments *sum, double volume, v3 center)
{
    const double *s = sum->second_120;
    double xx = s[0] / 120.0 - volume * center.x * center.x;
    double yy = s[1] / 120.0 - volume * center.y * center.y;
    double zz = s[2] / 120.0 - volume * center.z * center.z;
    double xy = s[3] / 120.0 - volume * center.x * center.y;
    double xz = s[4] / 120.0 - volume * center.x * center.z;
    double yz = s[5] / 120.0 - volume * center.y * center.z;
    return (m3){ { yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy } };
}

void mesh_mass(mass_properties *out, const mesh *m)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    v3 reference = v3_axpy(low, 0.5, v3_sub(high, low));
    moments sum = mesh_moments(m, reference);
    double volume = sum.volume_6 / 6.0;
    if (volume == 0.0) {
        *out = (mass_properties){ .center = reference };
        return;
    }
    v3 center = v3_scale(1.0 / (24.0 * volume), sum.first_24); /* from the reference point */
    m3 inertia = inertia_about_center(&sum, volume, center);
    *out = (mass_properties){
        .mass = volume,
        .center = v3_add(reference, center),
        .inertia = volume < 0.0 ? m3_scale(-1.0, inertia) : inertia,
    };
}

/* ---- inspection: edges are grouped by their smaller vertex, then by the larger ---------------------------------- */

static bool has_repeated_corner(const int corner[3])
{
    return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

static bool is_degenerate(const mesh *m, const int corner[3])
{
    const double rounding = 1e-14; /* of the squared longest edge: an area that is rounding only */
    v3 ab = v3_sub(m->vertices[corner[1]], m->vertices[corner[0]]);
    v3 ac = v3_sub(m->vertices[corner[2]], m->vertices[corner[0]]);
    double longest2 = fmax(v3_norm2(v3_sub(ac, ab)), fmax(v3_norm2(ab), v3_norm2(ac)));
    return has_repeated_corner(corner) || v3_norm(v3_cross(ab, ac)) <= rounding * longest2;
}

static int count_degenerate(const mesh *m)
{
    int count = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        count += is_degenerate(m, m->triangles[t]);
    }
    return count;
}

/* An edge as seen from its smaller vertex: larger vertex, and one bit for the direction of its triangle. */
typedef uint32_t half_edge;

static int smaller_vertex(const int corner[3], int k, half_edge *rest)
{
    int from = corner[k];
    int to = corner[(k + 1) % 3];
    *rest = from < to ? (half_edge)to << 1 : (half_edge)from << 1 | 1u;
    return from < to ? from : to;
}

/* start[v] .. start[v + 1]: the half edges of which v is the smaller vertex. Triangles with a repeated corner are left
 * out: they are folded edges, and their neighbours already meet each other there. */
static void group_half_edges(const mesh *m, size_t *start, half_edge *edges)
{
    for (int pass = 0; pass < 2; ++pass) { /* count, then place */
        for (int t = 0; t < m->triangle_count; ++t) {
            const int *corner = m->triangles[t];
            for (int k = 0; k < 3 && !has_repeated_corner(corner); ++k) {
                half_edge rest;
                int v = smaller_vertex(corner, k, &rest);
                if (pass == 0) {
                    ++start[v + 2];
                } else {
                    edges[start[v + 1]++] = rest;
                }
            }
        }
        for (int v = 0; pass == 0 && v < m->vertex_count; ++v) {
            start[v + 2] += start[v + 1];
        }
    }
}

static int compare_half_edges(const void *a, const void *b)
{
    half_edge x = *(const half_edge *)a;
    half_edge y = *(const half_edge *)b;
    return (x > y) - (x < y);
}

static void sort_half_edges(half_edge *edges, size_t count)
{
    enum { FEW = 24 }; /* nearly every vertex; a hub with thousands of edges must not cost their square */
    if (count > FEW) {
        qsort(edges, count, sizeof *edges, compare_half_edges);
        return;
    }
    for (size_t i = 1; i < count; ++i) {
        half_edge e = edges[i];
        size_t j = i;
        for (; j > 0 && edges[j - 1] > e; --j) {
            edges[j] = edges[j - 1];
        }
        edges[j] = e;
    }
}

static void count_edge(mesh_quality *quality, size_t triangles, size_t backward)
{
    quality->open_edges += triangles == 1;
    quality->nonmanifold_edges += triangles > 2;
    quality->flipped_edges += triangles == 2 && backward != 1;
}

static void count_edges(mesh_quality *quality, half_edge *edges, size_t count)
{
    sort_half_edges(edges, count);
    for (size_t i = 0; i < count;) {
        size_t first = i;
        size_t backward = 0;
        for (; i < count && edges[i] >> 1 == edges[first] >> 1; ++i) {
            backward += edges[i] & 1u;
        }
        count_edge(quality, i - first, backward);
    }
}

carom_status mesh_inspect(const mesh *m, mesh_quality *out, carom_error *err)
{
    mass_properties mass;
    mesh_mass(&mass, m);
    *out = (mesh_quality){ .degenerate = count_degenerate(m), .volume = mass.mass };

    size_t *start = calloc((size_t)m->vertex_count + 2, sizeof *start);
    half_edge *edges = malloc(((size_t)m->triangle_count * 3 + 1) * sizeof *edges);
    carom_status status = CAROM_OK;
    if (start && edges) {
        group_half_edges(m, start, edges);
        for (int v = 0; v < m->vertex_count; ++v) {
            count_edges(out, edges + start[v], start[v + 1] - start[v]);
        }
    } else {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for the edges of a mesh of %d triangles",
                            m->triangle_count);
    }
    free(start);
    free(edges);
    return status;
}
