/* Walking through a tree of features for those near a place. Internal to collision. */
#ifndef CAROM_COLLISION_FEATURE_WALK_H
#define CAROM_COLLISION_FEATURE_WALK_H

#include "collision/feature_tree.h"

static inline bool feature_balls_meet(const feature_ball *a, const feature_ball *b)
{
    double reach = a->radius + b->radius;
    return v3_norm2(v3_sub(a->center, b->center)) <= reach * reach;
}

/* Features whose ball meets a given one. */
typedef struct feature_walk {
    const feature_tree *tree;
    const feature_ball *balls; /* by feature */
    feature_ball ball;
    int cell, place, end;
} feature_walk;

static inline feature_walk feature_walk_near(const feature_tree *tree, const feature_ball *balls, v3 center,
                                             double radius)
{
    return (feature_walk){ .tree = tree, .balls = balls, .ball = { center, radius } };
}

/* The next feature, or -1. */
static inline int feature_walk_next(feature_walk *w)
{
    for (;;) {
        while (w->place < w->end) {
            int i = w->tree->order[w->place++];
            if (feature_balls_meet(&w->balls[i], &w->ball)) {
                return i;
            }
        }
        if (w->cell >= w->tree->cell_count) {
            return -1;
        }
        const feature_cell *cell = &w->tree->cells[w->cell];
        if (!feature_balls_meet(&cell->ball, &w->ball)) {
            w->cell = cell->next;
            continue;
        }
        w->cell++;
        w->place = cell->first;
        w->end = cell->first + cell->count;
    }
}

#endif
