/* Narrow phase: points of one collider inside the field of another [Zhang2024, section 2]. A field is 1-Lipschitz, so a
 * cell of points with centre c and radius r holds none that is nearer than d(c) - r: one look decides about a cell. */
#ifndef CAROM_COLLISION_DETECT_H
#define CAROM_COLLISION_DETECT_H

#include "collision/collider.h"

typedef struct contact_hit {
    int feature;   /* point, edge or triangle of the point side */
    double gap;    /* [m] distance of the field minus the ball's radius; negative: penetration */
    double radius; /* [m] of the ball */
    double area;   /* [m^2] */
    v3 p_f;        /* [m] the point (centre of the ball) in the axes of the field's collider */
    v3 gradient_f; /* of the gap with respect to p_f */
} contact_hit;

/* What searches have asked of fields. Unlike times it does not depend on the machine. */
typedef struct search_counts {
    long searches;
    long features; /* points, edges or triangles looked at one by one */
    long cells;    /* of the octree of features */
} search_counts;

typedef struct hit_list {
    contact_hit *items;
    size_t count, capacity;
    search_counts asked; /* by all searches so far */
} hit_list;

void hit_list_free(hit_list *list);

/* Appends all features of `points` whose gap in `field` is below `margin`, ascending by feature. `pose_fp` is the pose of
 * the axes of `points` in those of `field`. False when memory runs out. */
bool detect_contacts(hit_list *out, const collider *field, const collider *points, carom_pose pose_fp, double margin);

/* The smallest gap of any feature, but no more than `limit` (what is farther does not matter); for choosing steps. */
double detect_distance(const collider *field, const collider *points, carom_pose pose_fp, double limit);

#endif
