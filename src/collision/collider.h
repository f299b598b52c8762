/* A collider: one shape prepared for contact, in its own axes. Its field says how deep a point is inside it; its
 * detection points say where it may touch others. Built at compile, then read by any number of threads. */
#ifndef CAROM_COLLISION_COLLIDER_H
#define CAROM_COLLISION_COLLIDER_H

#include "geometry/obb.h"
#include "geometry/sdf.h"
#include "geometry/shape.h"

/* How the field of a mesh is evaluated and how points are walked: the four methods paper 1 compares in its section 2.2.
 * Primitives have exact fields under all of them. */
typedef enum detection_method {
    DETECT_DIRECT,     /* every point, nearest triangle of the mesh itself                         */
    DETECT_SDF_OCTREE, /* every point, field on an adaptive octree                                 */
    DETECT_SDF,        /* every point, field on a grid                                             */
    DETECT_SDF_TREE,   /* octree of points pruned by the field on a grid: "sdf+octree", the default */
} detection_method;

/* What of a surface is tried against the other's field. */
typedef enum detection_features {
    FEATURES_POINTS, /* vertices of the surface (sampled no coarser than `spacing`) */
    FEATURES_EDGES,  /* the deepest point of each edge, found by local optimisation [Macklin2020] */
    FEATURES_FACES,  /* the deepest point of each triangle, likewise                                */
    FEATURES_EXACT,  /* corners, edges and circles of convex solids and closed meshes, whole (exact_touch.h) */
} detection_features;

typedef struct collider_options {
    int method;   /* detection_method   */
    int features; /* detection_features */
    bool
        whole; /* besides points, whole elements where the shape is one that exact features take and names no spacing:
                          two such shapes touch by them */
    double spacing;     /* [m] largest distance of neighbouring points; 0: an eighth of the longest edge; for meshes
                          also half of the shortest, unless the mesh is fine enough as it is */
    bool facets;        /* prepare gap functions (gap.h): corners, edges and faces */
    bool surface;       /* prepare the surface (surface.h) for distances of features and sweeps */
    sdf_options field;  /* for meshes */
    const char *cache;  /* folder for fields; NULL: none; "": the usual one, which whoever compiles fills in */
    int threads;        /* while building */
    carom_watch *watch; /* of a field that is built; NULL: nobody */
} collider_options;

collider_options collider_options_default(void);

typedef struct detection_point {
    v3 r;          /* [m] */
    double radius; /* [m] of a ball around r; 0: a point of the surface */
    double area;   /* [m^2] share of the surface; the shares add up to its area */
} detection_point;

typedef struct collider collider;

/* m is that of a mesh shape, else NULL; it must outlive the collider, and so must lists and texts in params. Shapes made
 * of balls are detected by them whatever the features. */
carom_status collider_create(collider **out, const carom_shape_type *type, const void *params, const mesh *m,
                             const collider_options *options, carom_error *err);
void collider_destroy(collider *c);

/* Signed distance and gradient at a point in the collider's axes. */
field_sample collider_sample(const collider *c, v3 p);

const obb *collider_box(const collider *c);
double collider_radius(const collider
                           *c); /* [m] of the ball around the origin of its axes that holds it; infinite for planes */

/* Points, or edges or triangles when those are the features: then r is the middle of the ball that holds one. */
int collider_point_count(const collider *c);

/* Levels of the octree over them; 0 when they are tried one by one. */
int collider_depth(const collider *c);
detection_point collider_point(const collider *c, int index);

/* Edges at which a shape bends outwards, straight and maybe rounded; circles are pieces. None without `facets`. */
typedef struct collider_edge {
    v3 ends[2];    /* [m] */
    double radius; /* [m] rounding */
} collider_edge;

int collider_edge_count(const collider *c);
collider_edge collider_edge_at(const collider *c, int index);

/* Smallest cosine of the angle between -u and the faces beside the edge, across it: where it is not negative nothing near the edge lies farther
 * along the unit vector u. Infinite: there are no faces. */
double collider_edge_cone(const collider *c, int index, v3 u);

bool collider_has_balls(const collider
                            *c); /* its points are balls: exact on their own, no need of the other side's */
double collider_ball_radius(const collider *c); /* [m] of the largest of them; 0: they are none */
bool collider_is_convex(const collider *c);     /* known from gap functions; not of ellipsoids and lines */
bool collider_is_line(const collider *c);       /* gap functions see a line without thickness: a rod */
bool collider_is_exact(const collider *c);      /* touches by whole elements (exact_touch.h) what does so as well */
bool collider_pair_is_exact(const collider *a,
                            const collider *b);     /* both are, and elements of each can be tried in the other:
                                      all but ellipsoids with meshes that are not convex */
const char *collider_why_points(const collider *c); /* why it does not; NULL: it does, or nobody asked for it */
int collider_element_count(const collider *c);      /* of them; 0: it does not */
const sdf_info *collider_field(const collider *c);  /* NULL: exact field */
const struct surface *collider_surface(const collider *c); /* NULL: not asked for */

#endif
