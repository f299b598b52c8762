/* A convex solid as the least of several depths: of the planes of its faces, and of one round side. Each of them is concave
 * and 1-Lipschitz, and so is their least. Inside and on the surface it is the exact depth, the distance to the nearest
 * face; outside it has the right sign and is no larger in size than the distance. What is tried in the solid with a radius
 * of its own asks for the distance instead (collider_sample). Internal to collision. */
#ifndef CAROM_COLLISION_EXACT_SOLID_H
#define CAROM_COLLISION_EXACT_SOLID_H

#include "collision/facets.h"

typedef enum round_side {
    ROUND_NONE,   /* a polyhedron or half-space */
    ROUND_BARREL, /* the side of a cylinder */
    ROUND_SLANT,  /* the side of a cone */
    ROUND_WHOLE,  /* a ball or capsule: complete by its own elements, nothing is tried in it but balls and axes */
} round_side;

typedef struct exact_solid {
    int plane_count;
    v3 *normals;     /* unit, outwards */
    double *offsets; /* [m] inside: normal . p <= offset */
    round_side round;
    v3 center;     /* [m] of the base of the round side; of a ball; where the axis of a capsule starts */
    v3 axis;       /* unit; of a cone from the base to the tip; zero of a ball */
    double radius; /* [m] of the base */
    double height; /* [m] of a cone, of the axis of a capsule */
    double size;   /* [m] */
} exact_solid;

typedef struct exact_look {
    double depth; /* [m] > 0: inside */
    v3 inwards;   /* its gradient */
    int face;     /* which plane is the nearest; EXACT_ROUND: the round side */
} exact_look;

enum { EXACT_ROUND = -1 };

/* The side of a cylinder or cone. */
static inline bool exact_has_round_side(const exact_solid *s)
{
    return s->round == ROUND_BARREL || s->round == ROUND_SLANT;
}

/* From the facets of a shape; the mesh, of shapes that have one, must be closed. CAROM_BAD_INPUT for what is not convex. */
carom_status exact_solid_create(exact_solid *out, const facets *f, carom_error *err);
void exact_solid_free(exact_solid *s);

exact_look exact_solid_look(const exact_solid *s, v3 p);

/* Which face, edge or corner a point of the surface lies on: a number that differs between neighbours. Of whole round shapes: which end
 * of the axis, or what is between them. */
uint32_t exact_solid_region(const exact_solid *s, v3 p);

#endif
