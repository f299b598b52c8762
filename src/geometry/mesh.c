/* Triangle meshes: storage, bounds, volume integrals, and how far a mesh bounds a solid.
 *
 * Volume integrals: the solid is the signed sum of tetrahedra from one reference point to each triangle, for which
 * the integrals of 1, x and x x^T have closed forms, so the result is exact for the polyhedron. The reference point is
 * the middle of the bounding box: from the world's origin a small part far away would lose digits with the square of
 * its distance. */
#include "geometry/mesh.h"

#include <stdlib.h>

#include "base/assert.h"
#include "geometry/mesh_topology.h"

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

mesh *mesh_create_wires(int vertex_count, int edge_count)
{
    mesh *m = mesh_create(vertex_count, 0);
    if (m) {
        m->edges = calloc((size_t)edge_count + 1, sizeof *m->edges);
        m->edge_count = edge_count;
    }
    if (m && !m->edges) {
        mesh_destroy(m);
        return NULL;
    }
    return m;
}

void mesh_stretch(mesh *m, v3 scale)
{
    bool mirrors = (scale.x < 0.0) ^ (scale.y < 0.0) ^ (scale.z < 0.0);
    for (int i = 0; i < m->vertex_count; ++i) {
        v3 *r = &m->vertices[i];
        *r = v3_make(scale.x * r->x + 0.0, scale.y * r->y + 0.0, scale.z * r->z + 0.0); /* no negative zeros */
    }
    for (int i = 0; mirrors && i < m->triangle_count; ++i) {
        int swap = m->triangles[i][1];
        m->triangles[i][1] = m->triangles[i][2];
        m->triangles[i][2] = swap;
    }
}

void mesh_destroy(mesh *m)
{
    if (m) {
        free(m->edges);
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
    mesh_mass_from(out, m, v3_axpy(low, 0.5, v3_sub(high, low)));
}

void mesh_mass_from(mass_properties *out, const mesh *m, v3 reference)
{
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

/* ---- inspection -------------------------------------------------------------------------------------------------- */

static int count_degenerate(const mesh *m)
{
    int count = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        count += mesh_triangle_degenerate(m, m->triangles[t]);
    }
    return count;
}

static void count_edge(mesh_quality *quality, const mesh *m, const mesh_edges *edges, int e)
{
    int sides = mesh_edge_sides(edges, e);
    const int *side = edges->sides + edges->start[e];
    quality->open_edges += sides == 1;
    quality->nonmanifold_edges += sides > 2;
    quality->flipped_edges += sides == 2 && side_from(m, side[0]) == side_from(m, side[1]);
}

carom_status mesh_inspect(const mesh *m, mesh_quality *out, carom_error *err)
{
    mass_properties mass;
    mesh_mass(&mass, m);
    *out = (mesh_quality){ .degenerate = count_degenerate(m), .volume = mass.mass };
    mesh_edges edges;
    carom_status status = mesh_edges_create(&edges, m, err);
    if (status == CAROM_OK) {
        for (int e = 0; e < edges.count; ++e) {
            count_edge(out, m, &edges, e);
        }
        mesh_edges_free(&edges);
    }
    return status;
}
