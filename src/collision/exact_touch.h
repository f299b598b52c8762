/* Narrow phase between solids without sampling: elements of one (corners, feet, balls, edges, circles, axes) in the
 * exact solid of the other. The depth D of an element is a continuous function of the relative pose, and what is returned as
 * its gradient is its derivative, so that forces by a law of D have a potential and opposite forces balance. */
#ifndef CAROM_COLLISION_EXACT_TOUCH_H
#define CAROM_COLLISION_EXACT_TOUCH_H

#include "collision/collider.h"
#include "collision/detect.h"

enum { EXACT_PLACES = 4 };

/* One touching element, in the axes of the collider it is tried in. */
typedef struct exact_touch {
    int element;
    double depth;  /* [m] D > 0 */
    double weight; /* of the law: one half where sides of two round solids are tried both ways, else 1 */
    v3 p_f;        /* [m] the middle of the pressure */
    /* Derivative of the gap -D: gradient . v + couple . omega, with v the relative velocity of both bodies at p_f and omega their
     * relative angular velocity. */
    v3 gradient_f;
    v3 couple_f; /* [m] */
    /* Friction acts at p_f + arms[k], with equal shares. Curves: 2 places of a line, 4 of a circle, all at p_f while the touch is
     * small, apart where it is level, with the second moment of the pressure: it then resists spin. */
    int place_count;
    v3 arms[EXACT_PLACES];
    /* Second derivative of D that is left where a curve lies level: 6 x 6 for (velocity at p_f, angular velocity), positive
     * semidefinite [1/m, 1, m]. */
    bool level;
    double bend[6][6];
} exact_touch;

typedef struct exact_list {
    exact_touch *items;
    size_t count, capacity;
    struct curve_room *room;
    search_counts asked;
} exact_list;

void exact_list_free(exact_list *list);

/* Whose elements are tried: those of tori before balls before ellipsoids before capsules before all others, which are tried both ways. Returns the
 * weight of each element: one half where two capsules are tried both ways, else one. */
double exact_sides(const collider *a, const collider *b, bool sides[2]);

/* Appends the touching elements of `elements` in `field`, ascending. `pose_fe`: axes of `elements` in those of `field`. False when
 * memory runs out. */
bool exact_find(exact_list *out, const collider *field, const collider *elements, carom_pose pose_fe);

/* The gap of two colliders at these poses, no more than `limit`: while they touch -D of the deepest element; while they are apart a
 * lower bound of their distance, nine tenths of it or more but for rare poses. False when memory runs out. */
bool exact_gap(exact_list *room, const collider *const c[2], const carom_pose pose_w[2], double limit, double *gap);

#endif
