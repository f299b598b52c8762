/* What has no surface, drawn: wires as tubes with six sides, points as octahedra. */
#include <limits.h>

#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

enum { SIDES = 6, TUBE_VERTICES = 2 * SIDES, TUBE_TRIANGLES = 4 * SIDES - 4, BALL_VERTICES = 6, BALL_TRIANGLES = 8 };

/* A two-hundredth of the size of all. */
static double seen_radius(const mesh *m, double radius)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    double size = v3_norm(v3_sub(high, low));
    return radius > 0.0 ? radius : size > 0.0 ? 0.005 * size : 0.005;
}

static carom_status create(mesh **out, int count, int vertices, int triangles, carom_error *err)
{
    const int most = INT_MAX / 64;
    *out = count < most ? mesh_create(count * vertices, count * triangles) : NULL;
    return *out ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "no memory to draw %d wires or points", count);
}

static void set_triangle(mesh *m, int *t, int a, int b, int c)
{
    int *of = m->triangles[(*t)++];
    of[0] = a;
    of[1] = b;
    of[2] = c;
}

static void add_tube(mesh *m, int index, v3 a, v3 b, double radius)
{
    v3 along = v3_sub(b, a);
    double length = v3_norm(along);
    v3 axis = length > 0.0 ? v3_scale(1.0 / length, along) : v3_make(0.0, 0.0, 1.0);
    v3 side = v3_cross(axis, fabs(axis.x) < 0.7 ? v3_make(1.0, 0.0, 0.0) : v3_make(0.0, 1.0, 0.0));
    v3 x = v3_unit(side);
    v3 y = v3_cross(axis, x);
    int first = index * TUBE_VERTICES;
    int t = index * TUBE_TRIANGLES;
    for (int k = 0; k < SIDES; ++k) {
        double angle = 2.0 * PI * k / SIDES;
        v3 out = v3_add(v3_scale(radius * cos(angle), x), v3_scale(radius * sin(angle), y));
        m->vertices[first + k] = v3_add(a, out);
        m->vertices[first + SIDES + k] = v3_add(b, out);
    }
    for (int k = 0; k < SIDES; ++k) {
        int low = first + k;
        int next = first + (k + 1) % SIDES;
        set_triangle(m, &t, low, next, next + SIDES);
        set_triangle(m, &t, low, next + SIDES, low + SIDES);
    }
    for (int k = 1; k + 1 < SIDES; ++k) {
        set_triangle(m, &t, first, first + k + 1, first + k);
        set_triangle(m, &t, first + SIDES, first + SIDES + k, first + SIDES + k + 1);
    }
}

static void add_octahedron(mesh *m, int index, v3 center, double radius)
{
    int first = index * BALL_VERTICES;
    int t = index * BALL_TRIANGLES;
    for (int k = 0; k < BALL_VERTICES; ++k) {
        double r = k % 2 ? -radius : radius;
        v3 out = v3_make(k / 2 == 0 ? r : 0.0, k / 2 == 1 ? r : 0.0, k / 2 == 2 ? r : 0.0);
        m->vertices[first + k] = v3_add(center, out);
    }
    for (int k = 0; k < BALL_TRIANGLES; ++k) {
        int x = first + (k & 1), y = first + 2 + (k >> 1 & 1), z = first + 4 + (k >> 2 & 1);
        bool turned = (k & 1) ^ (k >> 1 & 1) ^ (k >> 2 & 1);
        set_triangle(m, &t, x, turned ? z : y, turned ? y : z);
    }
}

carom_status carom_shape_draw_wires(mesh **out, const mesh *m, double radius, carom_error *err)
{
    double seen = seen_radius(m, radius);
    carom_status status = create(out, m->edge_count, TUBE_VERTICES, TUBE_TRIANGLES, err);
    for (int e = 0; status == CAROM_OK && e < m->edge_count; ++e) {
        add_tube(*out, e, m->vertices[m->edges[e][0]], m->vertices[m->edges[e][1]], seen);
    }
    return status;
}

carom_status carom_shape_draw_points(mesh **out, const mesh *m, double radius, carom_error *err)
{
    double seen = seen_radius(m, radius);
    carom_status status = create(out, m->vertex_count, BALL_VERTICES, BALL_TRIANGLES, err);
    for (int i = 0; status == CAROM_OK && i < m->vertex_count; ++i) {
        add_octahedron(*out, i, m->vertices[i], seen);
    }
    return status;
}
