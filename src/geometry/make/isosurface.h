/* The zero level of a smooth function as a closed manifold mesh. */
#ifndef CAROM_GEOMETRY_MAKE_ISOSURFACE_H
#define CAROM_GEOMETRY_MAKE_ISOSURFACE_H

#include "geometry/mesh.h"

/* Negative inside; changes by at most `steepness` per metre. Gradient where wanted. */
typedef struct isosurface {
    double (*value)(v3 p, v3 *gradient);
    double steepness;
    v3 low, high; /* the surface lies inside this box */
    double cell;  /* [m] width of the cubic cells of the lattice */
} isosurface;

/* *out NULL: memory ran out. */
void isosurface_extract(mesh **out, const isosurface *s);

/* Moves vertices from `first` on to the surface, along the gradient. */
void isosurface_project(mesh *m, int first, const isosurface *s);

/* Evens the triangles out: each vertex a part of the way to the middle of its neighbours, then back to the surface.
 * False when memory runs out. */
bool isosurface_relax(mesh *m, const isosurface *s, int rounds, double part);

#endif
