/* The elements of a convex solid that are tried in the exact solid of another, made from the facets that gap functions use:
 * corners, feet (points a little inside of a face beside each corner, which carry where faces lie flush), balls, and curves.
 * Ascending: points and balls first. Internal to collision. */
#ifndef CAROM_COLLISION_EXACT_ELEMENTS_H
#define CAROM_COLLISION_EXACT_ELEMENTS_H

#include "collision/exact_solid.h"

typedef enum exact_kind {
    EXACT_POINT,  /* a corner or foot */
    EXACT_BALL,   /* a sphere, the end of a capsule */
    EXACT_OVAL,   /* an ellipsoid */
    EXACT_EDGE,   /* a straight edge */
    EXACT_CIRCLE, /* a rim of a cylinder or cone, and circles a little beside it */
    EXACT_AXIS,   /* the axis of a capsule, rounded */
    EXACT_SIDE, /* the axis of a cylinder or cone, rounded so that balls along it touch its side: tried in round sides only */
} exact_kind;

typedef struct exact_element {
    exact_kind kind;
    v3 r;          /* [m] the point; where a line starts; the middle of a circle */
    v3 u, v;       /* unit: along a line; two axes in the plane of a circle */
    double length; /* [m] of a line, of the whole circle */
    double ring;   /* [m] radius of a circle */
    double radius; /* [m] rounding; of a line where it starts */
    double taper;  /* [1] by how much the rounding of a line grows along it: negative towards the tip of a cone */
    v3 half;       /* [m] half axes of an ellipsoid, along u, v and u x v */
    v3 middle;     /* [m] of the ball that holds it */
    double reach;  /* [m] radius of that ball, rounding included */
} exact_element;

typedef struct exact_elements {
    exact_solid solid;
    exact_element *items;
    int count;
} exact_elements;

static inline bool exact_is_curve(exact_kind kind)
{
    return kind >= EXACT_EDGE;
}

static inline bool exact_is_rounded_line(exact_kind kind)
{
    return kind == EXACT_AXIS || kind == EXACT_SIDE;
}

/* CAROM_BAD_INPUT for shapes that are not convex solids: the message says what to write instead. */
carom_status exact_elements_create(exact_elements **out, const facets *f, carom_error *err);
void exact_elements_destroy(exact_elements *e);

#endif
