/* A solid, by how deep a point is inside it.
 *
 * A closed mesh that is not convex: the distance to the nearest triangle, inside and outside.
 *
 * A convex solid as the least of several depths: of the planes of its faces, and of one round side. Each of them is concave
 * and 1-Lipschitz, and so is their least. Inside and on the surface it is the exact depth, the distance to the nearest
 * face; outside it has the right sign and is no larger in size than the distance. What is tried in the solid with a radius
 * of its own asks for the distance instead (collider_sample). Internal to collision. */
#ifndef CAROM_COLLISION_EXACT_SOLID_H
#define CAROM_COLLISION_EXACT_SOLID_H

#include "collision/facets.h"
#include "geometry/bvh.h"
#include "geometry/sdf.h"

typedef enum round_side {
    ROUND_NONE,   /* a polyhedron or half-space */
    ROUND_BARREL, /* the side of a cylinder */
    ROUND_SLANT,  /* the side of a cone */
    ROUND_WHOLE,  /* a ball or capsule: complete by its own elements, nothing is tried in it but balls and axes */
    ROUND_HOOP,   /* a torus: complete by its own element, nothing is tried in it */
    ROUND_MESH,   /* no side at all: a closed mesh that is not convex, or has too many planes to look at them all */
} round_side;

typedef struct exact_solid {
    int plane_count;
    v3 *normals;     /* unit, outwards */
    double *offsets; /* [m] inside: normal . p <= offset */
    round_side round;
    bool ball;        /* about the centre */
    bool convex_mesh; /* a mesh that asks its triangles only because it has so many planes */
    v3 center;        /* [m] of the base of the round side; of a ball; where the axis of a capsule starts */
    v3 axis;          /* unit; of a cone from the base to the tip; zero of a ball */
    double radius;    /* [m] of the base */
    double height;    /* [m] of a cone, of the axis of a capsule */
    double size;      /* [m] */
    const struct collider_field_source *surface; /* of a mesh that is not convex: its triangles */
    const sdf *
        filter; /* a stored field of that mesh, which tells what is surely outside; NULL: none. It changes no result */
    double slack; /* [m] by how much its values may exceed the distance */
    int (*region_of)[FEATURE_FACE +
                     1]; /* numbers of flat faces, edges between them and their corners, by triangle and feature */
    int face_count;      /* regions below this are faces */
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

/* From the facets of a shape; the mesh, of shapes that have one, must be closed. CAROM_BAD_INPUT for what is not convex, unless the
 * facets are those of a mesh: then `surface` has to be set before anyone looks. */
carom_status exact_solid_create(exact_solid *out, const facets *f, bool of_mesh, carom_error *err);
void exact_solid_free(exact_solid *s);

/* `hint` makes searches in meshes faster; start with -1. */
exact_look exact_solid_look(const exact_solid *s, v3 p, int *hint);

/* Whether no point of a ball is inside; false as well where finding out would take longer than going on. */
bool exact_solid_misses(const exact_solid *s, v3 middle, double radius, int *hint);

/* A lower bound of the distance from a mesh that is not convex, at once: -infinity where nothing is stored. */
double exact_solid_far(const exact_solid *s, v3 p);

/* From then on the stored field of a mesh, if it has one that bounds its distance, tells what is outside. */
void exact_solid_set_filter(exact_solid *s, const sdf *field, bool by_winding);

/* Which face, edge or corner a point of the surface lies on: a number that differs between neighbours. Of whole round shapes: which end
 * of the axis, or what is between them. */
uint32_t exact_solid_region(const exact_solid *s, v3 p);

#endif
