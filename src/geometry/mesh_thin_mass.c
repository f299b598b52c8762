/* Mass, centre and inertia of what has no volume: surfaces, edges, points, for unit mass per area, length and point.
 *
 * Second moments of a simplex about a reference point: with s the sum of its corners, the integral of x x^T is
 * area / 12 (a a^T + b b^T + c c^T + s s^T) for a triangle and length / 6 (a a^T + b b^T + s s^T) for an edge. The reference
 * point is the middle of the bounding box, so that something small far away loses no digits. */
#include "geometry/mesh.h"

typedef struct thin_sums {
    v3 reference;
    double mass;
    v3 first;
    m3 second;
} thin_sums;

static void add_outer(m3 *sum, double weight, v3 a)
{
    const double x[3] = { a.x, a.y, a.z };
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            sum->m[3 * i + k] += weight * x[i] * x[k];
        }
    }
}

/* A simplex of `count` corners and measure `size`. */
static void add_simplex(thin_sums *sum, const v3 *corners, int count, double size)
{
    v3 s = v3_zero();
    double weight = size / (count * (count + 1));
    for (int i = 0; i < count; ++i) {
        add_outer(&sum->second, weight, corners[i]);
        s = v3_add(s, corners[i]);
    }
    add_outer(&sum->second, weight, s);
    sum->mass += size;
    sum->first = v3_axpy(sum->first, size / count, s);
}

static thin_sums begin(const mesh *m)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    return (thin_sums){ .reference = v3_scale(0.5, v3_add(low, high)) };
}

/* About the centre: second moments S give the inertia tr(S) 1 - S. */
static mass_properties finish(const thin_sums *sum)
{
    if (!(sum->mass > 0.0)) {
        return (mass_properties){ .center = sum->reference };
    }
    v3 center = v3_scale(1.0 / sum->mass, sum->first);
    m3 second = sum->second;
    add_outer(&second, -sum->mass, center);
    double trace = m3_trace(second);
    mass_properties out = { .mass = sum->mass, .center = v3_add(sum->reference, center) };
    for (int i = 0; i < 9; ++i) {
        out.inertia.m[i] = (i % 4 == 0 ? trace : 0.0) - second.m[i];
    }
    return out;
}

static v3 corner(const thin_sums *sum, const mesh *m, int vertex)
{
    return v3_sub(m->vertices[vertex], sum->reference);
}

void mesh_sheet_mass(mass_properties *out, const mesh *m)
{
    thin_sums sum = begin(m);
    for (int t = 0; t < m->triangle_count; ++t) {
        const int *of = m->triangles[t];
        v3 x[3] = { corner(&sum, m, of[0]), corner(&sum, m, of[1]), corner(&sum, m, of[2]) };
        add_simplex(&sum, x, 3, 0.5 * v3_norm(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]))));
    }
    *out = finish(&sum);
}

void mesh_wire_mass(mass_properties *out, const mesh *m)
{
    thin_sums sum = begin(m);
    for (int e = 0; e < m->edge_count; ++e) {
        v3 x[2] = { corner(&sum, m, m->edges[e][0]), corner(&sum, m, m->edges[e][1]) };
        add_simplex(&sum, x, 2, v3_norm(v3_sub(x[1], x[0])));
    }
    *out = finish(&sum);
}

void mesh_points_mass(mass_properties *out, const mesh *m)
{
    thin_sums sum = begin(m);
    for (int i = 0; i < m->vertex_count; ++i) {
        v3 x = corner(&sum, m, i);
        add_outer(&sum.second, 1.0, x);
        sum.mass += 1.0;
        sum.first = v3_add(sum.first, x);
    }
    *out = finish(&sum);
}
