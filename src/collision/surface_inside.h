/* Whether one surface lies wholly inside another, without cutting it: what no test of triangles against triangles sees. For
 * those who check results; it shares neither distances nor bounds with what finds contacts and limits motions.
 *
 * A connected component that does not cut a closed surface is inside of it or outside as a whole, so one of its vertices is
 * asked. The answer is the winding number of the closed surface around that vertex: the crossings of a ray, counted with their
 * signs, each decided by exact predicates. */
#ifndef CAROM_COLLISION_SURFACE_INSIDE_H
#define CAROM_COLLISION_SURFACE_INSIDE_H

#include "collision/surface_pair.h"

/* A connected component: its vertices that reach farthest along the axes, to both sides. */
typedef struct surface_component {
    int extremes[6];
} surface_component;

/* The components of a surface by their first vertices, none for a half-space; free() them. False when memory runs out. */
bool surface_components(const surface *s, surface_component **out, int *count);

/* Whether a component of the surface of this side is inside the closed surface of the other side, given that the two surfaces do
 * not meet. Surfaces without triangles have no inside here: what is near a round feature meets it. */
bool surface_pair_inside(const surface_pair *p, int side, const surface_component *component);

#endif
