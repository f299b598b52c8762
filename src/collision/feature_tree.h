/* An octree over the features of a surface (points, balls, edges, triangles), each held by a ball. Cells are stored in
 * the order of a walk, so that leaving one out is a jump ahead, and the features of a leaf lie together. */
#ifndef CAROM_COLLISION_FEATURE_TREE_H
#define CAROM_COLLISION_FEATURE_TREE_H

#include "math/vec3.h"

#include <carom/base.h>

typedef struct feature_ball {
    v3 center;     /* [m] */
    double radius; /* [m] holds the feature */
} feature_ball;

typedef struct feature_cell {
    feature_ball ball; /* holds all features of the cell */
    int first, count;  /* places of its features; count 0: has children, the first of them is the next cell */
    int next;          /* the cell after all that is inside this one */
} feature_cell;

typedef struct feature_tree {
    feature_cell *cells;
    int cell_count;
    int *order; /* place -> feature */
} feature_tree;

enum { LEAF_FEATURES = 24 }; /* a leaf has more only where features share a centre */

/* False when memory runs out. */
bool feature_tree_build(feature_tree *out, const feature_ball *balls, int count);
void feature_tree_free(feature_tree *tree);

/* Levels from the root to the deepest leaf; 0: no cells. */
int feature_tree_depth(const feature_tree *tree);

#endif
