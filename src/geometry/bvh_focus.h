/* The part of a tree that lies near a box. Searches from points of the box that look no farther than its reach start there
 * and not at the root, which saves them all levels of the tree but the last two. */
#ifndef CAROM_GEOMETRY_BVH_FOCUS_H
#define CAROM_GEOMETRY_BVH_FOCUS_H

#include "geometry/bvh_tree.h"

enum { BVH_FOCUS_GROUPS = 24 };

typedef struct bvh_focus {
    const bvh *tree;
    int count;                         /* of nodes and leaves near the box; -1: too many, the root is as good */
    bvh_node groups[BVH_FOCUS_GROUPS]; /* eight of them each, in the place of children */
} bvh_focus;

void bvh_focus_on(bvh_focus *f, const bvh *t, v3 low, v3 high, double reach);

/* As bvh_closest, for p in the box and limit2 of at most the square of the reach. */
bvh_hit bvh_closest_in_focus(const bvh_focus *f, v3 p, int hint, double limit2);

#endif
