/* The elements of a solid that are tried in the exact solid of another, made from the facets that gap functions use:
 * corners, feet (points a little inside of a face beside each corner, which carry where faces lie flush), balls, and curves.
 * Ascending: points and balls first. Internal to collision. */
#ifndef CAROM_COLLISION_EXACT_ELEMENTS_H
#define CAROM_COLLISION_EXACT_ELEMENTS_H

#include "collision/collider_features.h"
#include "collision/collider_field.h"
#include "collision/exact_solid.h"

/* [1] How far feet lie inside of a face, as a part of the way to its middle. A flush stack tips earlier by this much. */
#define EXACT_INSET 0.02

typedef enum exact_kind {
    EXACT_POINT,  /* a corner or foot */
    EXACT_BALL,   /* a sphere, the end of a capsule */
    EXACT_OVAL,   /* an ellipsoid */
    EXACT_EDGE,   /* a straight edge */
    EXACT_CIRCLE, /* a rim of a cylinder or cone, and circles a little beside it */
    EXACT_AXIS,   /* the axis of a capsule, rounded */
    EXACT_HOOP,   /* the circle in the middle of a torus, rounded */
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
    feature_tree tree; /* over the balls of elements; no cells: they are few */
    collider_field_source
        surface;                /* distance: closed form, or the nearest triangle of a mesh; never a stored field */
    bool owns_tree;             /* of the triangles; else a stored field has it */
    surface_features triangles; /* of a mesh that is not convex: what curves may cut or come near to */
} exact_elements;

static inline bool exact_is_curve(exact_kind kind)
{
    return kind >= EXACT_EDGE;
}

static inline bool exact_is_circle(exact_kind kind)
{
    return kind == EXACT_CIRCLE || kind == EXACT_HOOP;
}

static inline bool exact_is_rounded_line(exact_kind kind)
{
    return kind == EXACT_AXIS || kind == EXACT_SIDE;
}

/* CAROM_BAD_INPUT for what is neither a convex solid nor, if `of_mesh` says that the facets are those of one, a closed mesh: the
 * message says what to write instead. */
carom_status exact_elements_create(exact_elements **out, const facets *f, bool of_mesh, carom_error *err);
void exact_elements_destroy(exact_elements *e);

/* While they are made: there is room for all. */
void exact_add_point(exact_elements *e, v3 r, double radius);
void exact_add_line(exact_elements *e, exact_kind kind, const facet_edge *edge);
bool exact_take_creases(exact_elements *e, const facets *f); /* false: no memory */

/* Of a mesh that is not convex, before anyone looks at it; false: no memory. */
bool exact_number_regions(exact_solid *s, const facets *f, const mesh *m);

#endif
