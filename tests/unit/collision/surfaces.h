/* Surfaces of every kind for tests: closed, open, wires, points, round ones, several parts. */
#ifndef CAROM_TESTS_SURFACES_H
#define CAROM_TESTS_SURFACES_H

#include "collision/surface_pair.h"
#include "geometry/make/make.h"
#include "support/random.h"

enum {
    SURFACE_CLOSED,
    SURFACE_OPEN,
    SURFACE_WIRE,
    SURFACE_POINTS,
    SURFACE_BALL,
    SURFACE_CAPSULE,
    SURFACE_PARTS,
    SURFACE_KINDS
};

static inline quat any_rotation(test_rng *r)
{
    return so3_exp(v3_scale(test_rng_uniform(r, 0.0, 3.1), random_direction(r)));
}

/* A lump of triangles around the origin: an octahedron with corners at any distance. `count` of them are kept. */
static inline mesh *lump(test_rng *r, int count)
{
    static const int corner[8][3] = { { 0, 2, 4 }, { 2, 1, 4 }, { 1, 3, 4 }, { 3, 0, 4 },
                                      { 2, 0, 5 }, { 1, 2, 5 }, { 3, 1, 5 }, { 0, 3, 5 } };
    static const v3 way[6] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
    mesh *m = mesh_create(6, count);
    for (int k = 0; k < 6; ++k) {
        m->vertices[k] = v3_add(v3_scale(test_rng_uniform(r, 0.3, 1.0), way[k]), random_v3(r, 0.1));
    }
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < 3; ++i) {
            m->triangles[k][i] = corner[k][i];
        }
    }
    return m;
}

static inline surface *any_surface(test_rng *r, int kind)
{
    static const int wire[5][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 0 } };
    v3 points[7];
    for (int k = 0; k < 7; ++k) {
        points[k] = random_v3(r, 0.7);
    }
    mesh *m = kind == SURFACE_CLOSED || kind == SURFACE_PARTS ? lump(r, 8) : kind == SURFACE_OPEN ? lump(r, 5) : NULL;
    surface_part parts[3] = { { .mesh = m } };
    int count = 1;
    if (!m) {
        parts[0].vertices = points;
        parts[0].edges = wire;
        parts[0].vertex_count = kind == SURFACE_BALL ? 1 : kind == SURFACE_CAPSULE ? 2 : 7;
        parts[0].edge_count = kind == SURFACE_CAPSULE ? 1 : kind == SURFACE_WIRE ? 5 : 0;
        parts[0].rounding = kind == SURFACE_BALL || kind == SURFACE_CAPSULE ? 0.2 : 0.0;
    }
    if (kind == SURFACE_PARTS) {
        parts[count++] = (surface_part){ .vertices = points, .edges = wire, .vertex_count = 6, .edge_count = 5 };
        parts[count++] = (surface_part){ .vertices = points, .vertex_count = 1, .rounding = 0.3 };
    }
    for (int k = 0; k < count; ++k) {
        parts[k].pose_c = (carom_pose){ random_v3(r, 0.2), any_rotation(r) };
    }
    surface *s = NULL;
    carom_error err = { 0 };
    CHECK_OK(surface_create(&s, parts, count, &err), err);
    mesh_destroy(m);
    return s;
}

static inline surface_place any_place(test_rng *r, const surface *s, double away, double way, double turn)
{
    surface_place p = { .surface = s, .x_w = v3_scale(away, random_direction(r)), .R_w = q_matrix(any_rotation(r)) };
    p.d_w = (twist){ v3_scale(way, random_direction(r)), v3_scale(turn, random_direction(r)) };
    return p;
}

#endif
