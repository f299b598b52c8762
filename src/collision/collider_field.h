/* The field of a collider: closed form for primitives; for meshes the nearest triangle itself, or stored nodes.
 * Internal to collision. */
#ifndef CAROM_COLLISION_COLLIDER_FIELD_H
#define CAROM_COLLISION_COLLIDER_FIELD_H

#include "collision/collider.h"
#include "geometry/bvh.h"

typedef struct collider_field_source {
    const carom_shape_type *type;
    const void *params;
    const mesh *surface; /* exact distance to a mesh, with tree */
    bvh *tree;
    bool by_winding;    /* inside where the winding number says so: the surface has holes or cuts itself */
    double orientation; /* -1: the mesh is inside out */
    sdf *grid;          /* stored nodes; the tree serves beyond their band */
    double band;        /* [m] of the grid: beyond, its values are bounds only */
    double slack;       /* [m] how much faster than 1-Lipschitz the field may seem to fall near the surface */
} collider_field_source;

carom_status field_source_create(collider_field_source *out, const carom_shape_type *type, const void *params,
                                 const mesh *m, const collider_options *options, carom_error *err);
void field_source_free(collider_field_source *s);

/* `hint` is carried from point to neighbouring point; start with -1. It makes searches faster. */
field_sample field_source_sample(const collider_field_source *s, v3 p, int *hint);
/* A sample as it counts: where a grid has only bounds, the nearest triangle is asked instead of the `f` it gave. What
 * field_source_sample returns is settled; distances for pruning and samples of many points are as the grid has them. */
field_sample field_source_settle(const collider_field_source *s, v3 p, field_sample f, int *hint);
/* Of a mesh, from its triangles: what is nearest to p, with distance and gradient. `near->triangle` is the hint, and is negative
 * afterwards where nothing lies within reach: then the distance is no number. */
field_sample field_source_nearest(const collider_field_source *s, v3 p, double reach, bvh_hit *near);
double field_source_distance(const collider_field_source *s, v3 p, int *hint);
void field_source_sample_many(const collider_field_source *s, const v3 *p, size_t count, field_sample *out,
                              int *hint);

#endif
