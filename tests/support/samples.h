/* Meshes to test with: solids of revolution at any fineness, and boxes. */
#ifndef CAROM_TESTS_GEOMETRY_SAMPLES_H
#define CAROM_TESTS_GEOMETRY_SAMPLES_H

#include "geometry/mesh.h"
#include "support/random.h"

static const double TEST_PI = 3.14159265358979323846;

/* Two numbers are close when they differ by at most `relative` times `scale`, entry by entry. */
static inline void check_m3_near(m3 value, m3 expected, double tolerance)
{
    for (int i = 0; i < 9; ++i) {
        CHECK_NEAR(value.m[i], expected.m[i], tolerance);
    }
}

static inline void check_v3_near(v3 value, v3 expected, double tolerance)
{
    CHECK_NEAR(value.x, expected.x, tolerance);
    CHECK_NEAR(value.y, expected.y, tolerance);
    CHECK_NEAR(value.z, expected.z, tolerance);
}

static inline quat random_turn(test_rng *rng)
{
    return so3_exp(v3_make(test_rng_uniform(rng, -2, 2), test_rng_uniform(rng, -2, 2), test_rng_uniform(rng, -2, 2)));
}

/* A profile in the (r, z) half plane, walked with the solid on the left; points with r = 0 become poles. */
enum { MOST_PROFILE_POINTS = 2000 };
typedef struct profile {
    int count;
    bool closed; /* the last point joins the first: a ring */
    double r[MOST_PROFILE_POINTS];
    double z[MOST_PROFILE_POINTS];
} profile;

static inline void profile_add(profile *p, double r, double z)
{
    p->r[p->count] = r;
    p->z[p->count++] = z;
}

/* Points of a circle about (r0, z0) at angles from `from` to `to`, in `steps` steps. */
static inline void profile_arc(profile *p, double r0, double z0, double radius, double from, double to, int steps)
{
    for (int i = 0; i <= steps; ++i) {
        double angle = from + (to - from) * i / steps;
        double r = r0 + radius * cos(angle);
        profile_add(p, fabs(r) < 1e-12 * radius ? 0.0 : r, z0 + radius * sin(angle));
    }
}

static inline void add_triangle(mesh *m, int a, int b, int c)
{
    if (a != b && b != c && c != a) {
        int *corner = m->triangles[m->triangle_count++];
        corner[0] = a;
        corner[1] = b;
        corner[2] = c;
    }
}

/* The solid of revolution about z with n sectors. */
static inline mesh *revolve(const profile *p, int n)
{
    mesh *m = mesh_create(p->count * n, 2 * p->count * n);
    assert_non_null(m);
    int start[MOST_PROFILE_POINTS + 1];
    m->vertex_count = m->triangle_count = 0;
    for (int i = 0; i < p->count; ++i) {
        start[i] = m->vertex_count;
        for (int j = 0; j < (p->r[i] == 0.0 ? 1 : n); ++j) {
            double angle = 2.0 * TEST_PI * j / n;
            m->vertices[m->vertex_count++] = v3_make(p->r[i] * cos(angle), p->r[i] * sin(angle), p->z[i]);
        }
    }
    for (int i = 0; i < (p->closed ? p->count : p->count - 1); ++i) {
        int next = (i + 1) % p->count;
        for (int j = 0; j < n; ++j) {
            int k = (j + 1) % n;
            int a = p->r[i] == 0.0 ? start[i] : start[i] + j;
            int b = p->r[i] == 0.0 ? start[i] : start[i] + k;
            int c = p->r[next] == 0.0 ? start[next] : start[next] + k;
            int d = p->r[next] == 0.0 ? start[next] : start[next] + j;
            add_triangle(m, a, b, c);
            add_triangle(m, a, c, d);
        }
    }
    return m;
}

static inline mesh *torus(double ring_radius, double tube_radius, int ring_steps, int tube_steps)
{
    profile p = { .closed = true };
    profile_arc(&p, ring_radius, 0.0, tube_radius, 0.0, 2.0 * TEST_PI, tube_steps);
    --p.count; /* the last point is the first */
    return revolve(&p, ring_steps);
}

/* An axis-aligned box from low to high. */
static inline mesh *box_mesh(v3 low, v3 high)
{
    static const int faces[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                     { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
    mesh *m = mesh_create(8, 12);
    assert_non_null(m);
    for (int i = 0; i < 8; ++i) {
        m->vertices[i] = v3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    }
    m->triangle_count = 0;
    for (int f = 0; f < 6; ++f) {
        add_triangle(m, faces[f][0], faces[f][1], faces[f][2]);
        add_triangle(m, faces[f][0], faces[f][2], faces[f][3]);
    }
    return m;
}

static inline void move_mesh(mesh *m, carom_pose pose)
{
    for (int i = 0; i < m->vertex_count; ++i) {
        m->vertices[i] = v3_add(pose.position, q_rotate(pose.orientation, m->vertices[i]));
    }
}

/* Two meshes as one. */
static inline mesh *together(const mesh *a, const mesh *b)
{
    mesh *m = mesh_create(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count);
    memcpy(m->vertices, a->vertices, (size_t)a->vertex_count * sizeof *a->vertices);
    memcpy(m->vertices + a->vertex_count, b->vertices, (size_t)b->vertex_count * sizeof *b->vertices);
    memcpy(m->triangles, a->triangles, (size_t)a->triangle_count * sizeof *a->triangles);
    for (int i = 0; i < 3 * b->triangle_count; ++i) {
        m->triangles[a->triangle_count + i / 3][i % 3] = b->triangles[i / 3][i % 3] + a->vertex_count;
    }
    return m;
}

#endif
