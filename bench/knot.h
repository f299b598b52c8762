/* A watertight, bumpy (2, 3) torus knot of any fineness: along x around vertices, twice as many triangles. */
#ifndef CAROM_BENCH_KNOT_H
#define CAROM_BENCH_KNOT_H

#include <stdlib.h>
#include <string.h>

#include "geometry/mesh.h"

static const double KNOT_TURN = 6.28318530717958647692;

static inline v3 knot_center(double u)
{
    double r = 2.0 + cos(3.0 * u);
    return v3_make(r * cos(2.0 * u) / 3.0, r * sin(2.0 * u) / 3.0, sin(3.0 * u) / 3.0);
}

typedef struct knot_frame {
    v3 center, along, across;
} knot_frame;

/* Frames carried along without twist; returns the twist that is left where the knot closes. */
static inline double knot_frames(knot_frame *frames, int count)
{
    v3 across = v3_make(0, 0, 1);
    for (int i = 0; i <= count; ++i) {
        double u = KNOT_TURN * i / count;
        frames[i].center = knot_center(u);
        frames[i].along = v3_unit(v3_sub(knot_center(u + 1e-5), knot_center(u - 1e-5)));
        across = v3_unit(v3_axpy(across, -v3_dot(across, frames[i].along), frames[i].along));
        frames[i].across = across;
    }
    v3 first = frames[0].across;
    return atan2(v3_dot(across, v3_cross(frames[0].along, first)), v3_dot(across, first));
}

static inline double knot_radius(double u, double angle)
{
    return 0.14 + 0.012 * sin(40 * u) * cos(6 * angle) + 0.006 * sin(97 * u + 1.3) * sin(11 * angle + 0.4);
}

static inline void knot_squares(mesh *m, int along, int around)
{
    for (int i = 0; i < along; ++i) {
        for (int j = 0; j < around; ++j) {
            int a = i * around + j;
            int b = (i + 1) % along * around + j;
            int c = (i + 1) % along * around + (j + 1) % around;
            int d = i * around + (j + 1) % around;
            int corners[6] = { a, c, b, a, d, c };
            memcpy(m->triangles[2 * a], corners, sizeof corners);
        }
    }
}

/* NULL when memory runs out. */
static inline mesh *knot_mesh(int along, int around)
{
    knot_frame *frames = malloc(((size_t)along + 1) * sizeof *frames);
    mesh *m = mesh_create(along * around, 2 * along * around);
    if (!frames || !m) {
        free(frames);
        mesh_destroy(m);
        return NULL;
    }
    double twist = knot_frames(frames, along);
    for (int i = 0; i < along; ++i) {
        const knot_frame *f = &frames[i];
        v3 third = v3_cross(f->along, f->across);
        for (int j = 0; j < around; ++j) {
            double angle = KNOT_TURN * j / around;
            double turned = angle - twist * i / along;
            v3 out = v3_add(v3_scale(cos(turned), f->across), v3_scale(sin(turned), third));
            m->vertices[i * around + j] = v3_axpy(f->center, knot_radius(KNOT_TURN * i / along, angle), out);
        }
    }
    knot_squares(m, along, around);
    free(frames);
    return m;
}

#endif
