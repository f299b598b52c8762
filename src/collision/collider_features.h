/* The features of a collider that are tried against the fields of others. Internal to collision. */
#ifndef CAROM_COLLISION_COLLIDER_FEATURES_H
#define CAROM_COLLISION_COLLIDER_FEATURES_H

#include "collision/collider.h"
#include "collision/feature_tree.h"

typedef struct surface_features {
    int kind; /* detection_features; balls are points */
    int count;
    bool balls; /* points with a radius */
    feature_tree tree;

    /* By place, that is in the order of the tree. */
    v3 *centers;   /* [m] the point; the middle of the ball that holds an edge or a triangle */
    double *radii; /* [m] of balls, or of the balls that hold edges and triangles; NULL: points */
    double *areas; /* [m^2] */
    v3 *corners;   /* [m] two for each edge, three for each triangle; NULL: points */
    int *places;   /* feature -> place */
} surface_features;

/* A plane has none. */
carom_status surface_features_create(surface_features *out, const carom_shape_type *type, const void *params,
                                     const mesh *m, const collider_options *options, carom_error *err);
void surface_features_free(surface_features *f);

#endif
