/* Shapes: mass properties, bounds, signed distance, surface. */
#ifndef CAROM_GEOMETRY_SHAPE_H
#define CAROM_GEOMETRY_SHAPE_H

#include <carom/elements.h>

#include "geometry/field.h"
#include "geometry/mass.h"

struct mesh;
struct mesh_file;

typedef struct shape_ball {
    carom_v3 center; /* [m] in the shape's axes */
    double radius;   /* [m] */
    double area;     /* [m^2] its share of the surface */
} shape_ball;

/* How finely a surface is divided. Zeros: as coarsely as the shape allows. */
typedef struct surface_grain {
    double spacing; /* [m] neighbouring points are no further apart than about this */
    int around;     /* fewest points of the widest ring of a round shape; 0: sixteen */
} surface_grain;

/* A circular edge, around a flat face. */
typedef struct shape_rim {
    carom_v3 center; /* [m] */
    carom_v3 axis;   /* unit vector out of the face */
    double radius;   /* [m] */
} shape_rim;

/* What a shape is for contact by features, where its surface alone does not say it. */
typedef struct shape_skeleton {
    int point_count; /* 1: a ball; 2: the line between two points; 0: the surface itself */
    carom_v3 points[2];
    double rounding; /* [m] of point or line */
    carom_v3 half;   /* [m] of one point: half axes of the ellipsoid about it; zero: none */
    double hoop;     /* [m] radius of a circle about the origin in the xy plane, which is what is rounded; 0: none */
    int rim_count;
    shape_rim rims[2];
    bool barrel;            /* between both rims the side is round: the line between their centres, rounded */
    bool planar;            /* touches others of its kind in a plane, as its outline there */
    carom_v3 planar_normal; /* of that plane, which holds the origin */
    double planar_half;     /* [m] how far it reaches to both sides of it */
} shape_skeleton;

typedef struct carom_shape_type {
    carom_kind kind; /* first: name, doc, fields, defaults, size */
    bool solid;      /* has a volume (a plane has none) */
    bool thin;       /* sheets, wires, points: no inside, mass of their own kind. For methods that need no inside */

    /* Checks params; CAROM_BAD_INPUT names what is wrong. */
    carom_status (*check)(const void *params, carom_error *err);

    /* The mesh the shape is made of, there before anything below is asked: read from a file by whoever compiles the model, or
     * made by `make` where `from_file` is NULL or says so. The name, of the file or of what is made, tells meshes of different
     * content apart together with the params, and serves messages; NULL: no mesh. */
    const char *(*mesh_name)(const void *params);
    bool (*from_file)(struct mesh_file *out, const void *params); /* NULL: from no file */
    carom_status (*make)(struct mesh **out, const void *params, carom_error *err);

    /* Of thin shapes: mass per area, per length or per point; 0: not given. */
    double (*own_density)(const void *params);

    /* Volume, centroid and inertia for unit density in the shape's own axes; of thin shapes for unit mass per area, length or
     * point. mesh is NULL but for meshes. */
    void (*mass)(mass_properties *out, const void *params, const struct mesh *mesh);

    /* Axis-aligned box in the shape's own axes (infinite for planes). */
    void (*bounds)(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *mesh);

    /* Area of the surface [m^2]. NULL: infinite (a plane), or that of the mesh. */
    double (*area)(const void *params);

    /* Exact signed distance and its gradient in the shape's own axes, everywhere; where the gradient is not unique, one
     * of them. NULL: has to be built from the mesh. */
    field_sample (*distance)(const void *params, carom_v3 p);

    /* The surface as a closed mesh whose vertices lie on it, caps, rims and edges included. NULL: has none (a plane), or
     * is a mesh already. */
    carom_status (*tessellate)(struct mesh **out, const void *params, surface_grain grain, carom_error *err);

    /* Balls whose union touches another solid first exactly where the shape does: one for a sphere, a row for a
     * capsule (spacing 0: half its radius apart). Returns how many there are, at most INT_MAX, and writes at most
     * `capacity`. NULL or no ball: its surface is sampled. */
    int (*balls)(shape_ball *out, int capacity, const void *params, double spacing);

    /* For contact by features. NULL: the surface (tessellated as coarsely as possible, or the mesh) says it all. */
    void (*skeleton)(shape_skeleton *out, const void *params);

    /* Corners of a planar shape, counter-clockwise about its planar normal; two are a line without inside. Returns how
     * many there are and writes at most `capacity`. NULL: not planar. */
    int (*outline)(carom_v3 *out, int capacity, const void *params);

    /* Of wires and points: triangles to draw them by. NULL: the mesh or the tessellation is drawn. */
    carom_status (*draw)(struct mesh **out, const void *params, const struct mesh *mesh, carom_error *err);
    double (*rounding)(const void *params); /* of wires and points: radius around them [m]. NULL: none */
} carom_shape_type;

/* Infinite: all on one side of a plane. */
static inline bool shape_is_half_space(const carom_shape_type *type)
{
    return !type->solid && !type->thin;
}

/* The type with this name, or NULL. */
const carom_shape_type *carom_shape_type_find(const char *name);

#endif
