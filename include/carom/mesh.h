/* Tools for triangle meshes: read, inspect, repair, refine, make, write. Lengths are as the file has them, times the
 * scale asked for; whoever builds a scene from a mesh wants metres.
 *
 * Threads: a mesh is used by one thread at a time; several may read one that nobody repairs or refines. */
#ifndef CAROM_MESH_H
#define CAROM_MESH_H

#include <carom/fields.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_mesh carom_mesh;

CAROM_API void carom_mesh_destroy(carom_mesh *mesh); /* NULL: nothing */

/* Reads STL, OBJ and PLY in double precision. Other formats are read by Assimp in a process of its own, carom-mesh-reader,
 * with limits on time and memory: whatever happens there is an error here. May be called from several threads. Exactly
 * equal vertices are welded, vertices of no triangle left out; coordinates are multiplied by scale. */
CAROM_API carom_status carom_mesh_read(carom_mesh **out, const char *file, double scale, carom_error *err);

/* The mesh file formats that can be read here and now, as a sentence. */
CAROM_API const char *carom_mesh_formats(void);

typedef enum carom_mesh_encoding { CAROM_MESH_BINARY, CAROM_MESH_TEXT } carom_mesh_encoding;

/* Writes STL, OBJ or PLY by the suffix of the name: PLY and OBJ in double precision, STL in the single precision it
 * has; OBJ is always text. The file appears complete or not at all. */
CAROM_API carom_status carom_mesh_write(const carom_mesh *mesh, const char *file, carom_mesh_encoding encoding,
                                        carom_error *err);

/* A mesh of the given vertices and triangles (copied), counter-clockwise seen from outside; and looking at them, until the
 * mesh is changed or destroyed. For a NULL mesh counts are 0 and lists NULL. */
CAROM_API carom_status carom_mesh_create(carom_mesh **out, const carom_v3 *vertices, int vertex_count,
                                         const int (*triangles)[3], int triangle_count, carom_error *err);
CAROM_API int carom_mesh_vertex_count(const carom_mesh *mesh);
CAROM_API int carom_mesh_triangle_count(const carom_mesh *mesh);
CAROM_API const carom_v3 *carom_mesh_vertices(const carom_mesh *mesh);
CAROM_API const int (*carom_mesh_triangles(const carom_mesh *mesh))[3];

/* ---- inspection -------------------------------------------------------------------------------------------------- */

typedef struct carom_mesh_info {
    int vertex_count, triangle_count;
    carom_v3 low, high; /* bounds [m] */
    double area;        /* [m^2] */
    double volume;      /* signed [m^3]: negative when turned inside out */
    carom_v3 center;    /* of the volume [m] */
    double inertia[9];  /* about the centre for unit density [m^5], row by row */
    double shortest_edge, longest_edge;
} carom_mesh_info;

CAROM_API void carom_mesh_get_info(const carom_mesh *mesh, carom_mesh_info *out); /* of a NULL mesh: zeros */

/* What can be wrong with a mesh as the boundary of a solid. */
typedef enum carom_mesh_defect_kind {
    CAROM_MESH_OPEN_EDGE,         /* an edge with one triangle */
    CAROM_MESH_HOLE,              /* a closed loop of open edges */
    CAROM_MESH_NONMANIFOLD_EDGE,  /* an edge with more than two triangles */
    CAROM_MESH_PINCHED_VERTEX,    /* a vertex at which several sheets meet in a point */
    CAROM_MESH_FLIPPED_EDGE,      /* an edge whose two triangles disagree on which side is outside */
    CAROM_MESH_INSIDE_OUT,        /* a closed component whose triangles face inwards where they should not */
    CAROM_MESH_DEGENERATE,        /* a triangle without area */
    CAROM_MESH_DUPLICATE,         /* a triangle with the corners of an earlier one */
    CAROM_MESH_SELF_INTERSECTION, /* a pair of triangles that cut each other */
    CAROM_MESH_UNREFERENCED,      /* a vertex of no triangle */
    CAROM_MESH_DEFECT_KINDS
} carom_mesh_defect_kind;

/* Pairs of triangles that cut each other are counted up to CAROM_MESH_MOST_CUTS; one more stands for all beyond. */
enum { CAROM_MESH_PLACES = 5, CAROM_MESH_MOST_CUTS = 100000 };

typedef struct carom_mesh_defect {
    size_t count;
    int place_count;
    carom_v3 places[CAROM_MESH_PLACES]; /* of the first few: middle of the edge, triangle or loop */
} carom_mesh_defect;

typedef struct carom_mesh_report {
    carom_mesh_defect defects[CAROM_MESH_DEFECT_KINDS];
    int components; /* pieces that share no edge */
    int cavities;   /* closed components that lie inside another and face inwards */
    bool closed;    /* neither open nor nonmanifold edges */
    bool solid;     /* closed and nothing else wrong: what simulations want */
    int euler;      /* vertices - edges + triangles; 2 for each component without handles */
} carom_mesh_report;

/* "open edges"; and one sentence on what it means. "" for a kind that is none. */
CAROM_API const char *carom_mesh_defect_name(carom_mesh_defect_kind kind);
CAROM_API const char *carom_mesh_defect_meaning(carom_mesh_defect_kind kind);

CAROM_API carom_status carom_mesh_check(const carom_mesh *mesh, carom_mesh_report *out, carom_error *err);

/* ---- repair ------------------------------------------------------------------------------------------------------ */

typedef struct carom_mesh_repair_options {
    double weld;              /* [m] vertices nearer than this become one; 0: exactly equal ones only */
    int fill;                 /* holes of at most this many edges are closed; 0: none */
    bool keep_degenerate;     /* do not remove triangles without area */
    bool keep_duplicates;     /* do not remove copies of triangles */
    bool keep_orientation;    /* do not turn triangles */
    bool everything_outwards; /* components inside others are solids of their own, not cavities */
} carom_mesh_repair_options;

CAROM_API carom_mesh_repair_options carom_mesh_repair_defaults(void);

enum { CAROM_MESH_LINES = 16, CAROM_MESH_LINE = 160 };

/* What was done and what was assumed, one sentence a line. */
typedef struct carom_mesh_repair_log {
    int line_count;
    char lines[CAROM_MESH_LINES][CAROM_MESH_LINE];
} carom_mesh_repair_log;

/* Changes the mesh in place; on failure it is as it was. options may be NULL: the defaults; log may be NULL. */
CAROM_API carom_status carom_mesh_repair(carom_mesh *mesh, const carom_mesh_repair_options *options,
                                         carom_mesh_repair_log *log, carom_error *err);

/* ---- refinement -------------------------------------------------------------------------------------------------- */

/* Halves the longest edge again and again until there are exactly so many triangles: the shape stays as it is. On a
 * closed surface every split adds two triangles, so an odd difference is refused. */
CAROM_API carom_status carom_mesh_refine(carom_mesh *mesh, int triangle_count, carom_error *err);

/* The same until no edge is longer than this [m]. */
CAROM_API carom_status carom_mesh_refine_edges(carom_mesh *mesh, double longest, carom_error *err);

/* ---- closed curves ----------------------------------------------------------------------------------------------- */

/* How often two closed polygons wind around each other: an integer but for rounding, which no motion changes in which they do
 * not cross. NaN for fewer than three corners. */
CAROM_API double carom_linking_number(const carom_v3 *a, int a_count, const carom_v3 *b, int b_count);

/* ---- procedural meshes ------------------------------------------------------------------------------------------- */

/* What can be made: box, sphere, gear, bolt, ...; ended by NULL. Each has a field table with defaults. */
CAROM_API const carom_kind *const *carom_mesh_make_kinds(void);

/* params is a struct as the kind's field table describes it; NULL stands for its defaults. */
CAROM_API carom_status carom_mesh_make(carom_mesh **out, const char *kind, const void *params, carom_error *err);

/* Their params. A spacing of 0 stands for a fineness that fits the shape. */

typedef struct carom_make_box { /* centred on the origin */
    carom_v3 size;              /* [m] */
    double spacing;             /* longest edge [m]; 0: 12 triangles */
} carom_make_box;

typedef struct carom_make_sphere { /* a subdivided icosahedron */
    double radius;                 /* [m] */
    double spacing;                /* longest edge, about [m] */
    int triangles;                 /* at least so many (20 f^2 are possible); 0: as spacing says */
} carom_make_sphere;

typedef struct carom_make_cylinder { /* along z, centred on the origin */
    double radius, length, spacing;  /* [m] */
} carom_make_cylinder;

typedef struct carom_make_capsule { /* along z, centred; length without the caps */
    double radius, length, spacing; /* [m] */
} carom_make_capsule;

typedef struct carom_make_cone {    /* base at z = 0, tip at z = height */
    double radius, height, spacing; /* [m] */
} carom_make_cone;

typedef struct carom_make_torus {             /* about z */
    double ring_radius, tube_radius, spacing; /* [m] */
} carom_make_torus;

typedef struct carom_make_gear { /* involute spur gear about z, a tooth on the x axis */
    double module;               /* [m] pitch diameter / teeth */
    int teeth;
    double pressure_angle; /* [rad] */
    double width;          /* [m] along z, centred */
    double bore;           /* [m] diameter of the hole; 0: none */
    double backlash;       /* [m] play at the pitch circle between two gears of this kind */
    int flank_steps;       /* segments of each flank */
    double spacing;        /* [m] longest edge; 0: as the outline needs */
} carom_make_gear;

typedef struct carom_make_bolt { /* hexagon bolt: head above z = 0, shank down to z = -length */
    double diameter;             /* [m] nominal: 0.01 for M10 */
    double pitch;                /* [m] of the thread */
    double length;               /* [m] of the shank */
    double thread;               /* [m] threaded part of it; 0: all */
    int sectors;                 /* around; a multiple of 6 */
} carom_make_bolt;

typedef struct carom_make_nut { /* hexagon nut from z = 0 to z = height */
    double diameter;            /* [m] nominal: 0.01 for M10 */
    double pitch;               /* [m] of the thread */
    double height;              /* [m]; 0: 0.8 diameters */
    double clearance; /* [m] radial, to a bolt of the same diameter and pitch; half of it across the flanks */
    int sectors;      /* around; a multiple of 6 */
} carom_make_nut;

typedef struct carom_make_chain_link { /* in the x-y plane, long along x */
    double diameter;                   /* [m] of the wire */
    double pitch;                      /* [m] inner length */
    double width;                      /* [m] inner width */
    double spacing;                    /* [m] */
} carom_make_chain_link;

typedef struct carom_make_tube { /* about z, centred on the origin */
    double radius;               /* [m] outside */
    double hole;                 /* [m] radius; 0: none */
    double length;               /* [m] along z */
    int sectors;                 /* sides; a corner on the x axis */
    double spacing;              /* [m] longest edge; 0: as the outline needs */
} carom_make_tube;

/* A flat link in the x-y plane: round ends about x = 0 and x = pitch, each with a round hole. */
typedef struct carom_make_link_plate {
    double pitch;              /* [m] from hole to hole, along x */
    double radius_1, radius_2; /* [m] of the ends */
    double hole_1, hole_2;     /* [m] radii; 0: none */
    double thickness;          /* [m] along z, centred */
    int sectors;               /* of a full circle */
    double spacing;            /* [m] longest edge; 0: as the outline needs */
} carom_make_link_plate;

typedef struct carom_make_sprocket { /* about z, a gap between two teeth on the x axis */
    int teeth;
    double pitch;     /* [m] from roller to roller */
    double roller;    /* [m] their diameter */
    double clearance; /* [m] between a roller and its seat */
    double width;     /* [m] along z, centred */
    double bore;      /* [m] diameter of the hole; 0: none */
    int steps;        /* segments of a seat, and half as many of a flank */
    double spacing;   /* [m] longest edge; 0: as the outline needs */
} carom_make_sprocket;

/* The slotted wheel of a Geneva drive about z. Its crank turns about (distance, 0); the pin runs at distance * sin(pi / slots). */
typedef struct carom_make_geneva_wheel {
    int slots;
    double distance;  /* [m] from axis to axis */
    double pin;       /* [m] radius of the pin */
    double lock;      /* [m] radius of the crank's locking disc */
    double clearance; /* [m] between the pin and the slot, and between the disc and the wheel */
    double width;     /* [m] along z, centred */
    double bore;      /* [m] diameter of the hole; 0: none */
    int steps;        /* segments of an arc */
    double spacing;   /* [m] longest edge; 0: as the outline needs */
} carom_make_geneva_wheel;

/* The locking disc of its crank about z, hollowed towards +x, where the pin is. */
typedef struct carom_make_geneva_disc {
    int slots;
    double distance;  /* [m] from axis to axis */
    double lock;      /* [m] radius */
    double clearance; /* [m] between the hollow and the wheel */
    double width;     /* [m] along z, centred */
    double bore;      /* [m] diameter of the hole; 0: none */
    int steps;        /* segments of an arc of a quarter turn */
    double spacing;   /* [m] longest edge; 0: as the outline needs */
} carom_make_geneva_disc;

/* A wall about z that runs counter-clockwise from the x axis: inwards or outwards over an angle, then round. */
typedef struct carom_make_spiral {
    double radius;     /* [m] of its middle line where it begins */
    double end_radius; /* [m] where it has become round */
    double angle;      /* [rad] over which the radius changes evenly */
    double round;      /* [rad] of the round part behind */
    double thickness;  /* [m] of the wall */
    double height;     /* [m] along z, centred */
    int sectors;       /* of a full turn */
    double spacing;    /* [m] longest edge; 0: as the outline needs */
} carom_make_spiral;

typedef struct carom_make_statue { /* a horse lifting a foreleg, looking along x, standing on z = 0 */
    double height;                 /* [m] */
    int triangles;                 /* exactly so many */
} carom_make_statue;

typedef struct carom_make_docking_ring { /* about z, centred */
    double radius;                       /* [m] mean */
    double thickness;                    /* [m] radial */
    double height;                       /* [m] along z */
    double spacing;                      /* [m] */
} carom_make_docking_ring;

/* Slides along x; the nose at the +x end has its ramp on top (facing +z) and its locking face below, which
 * begins at z = 0 and rises towards the nose. */
typedef struct carom_make_docking_latch {
    double length, height, width; /* [m] along x, z, y; the middle of the width is y = 0 */
    double nose;                  /* [m] length of the ramp along x */
    double tip;                   /* [m] height of the blunt end of the nose */
    double slope;                 /* of the locking face: rise over run; 0: square to the docking axis */
    double spacing;               /* [m]; 0: as coarse as it can be */
} carom_make_docking_latch;

/* Comes from above (moving along -z): the ramp below the tooth pushes the latch back, then the latch springs in above
 * the tooth. The tooth points to -x from the face x = 0 of the block. */
typedef struct carom_make_docking_catch {
    double depth, height, width; /* [m] of the block along x, z, y; from z = 0 up, the middle of the width is y = 0 */
    double tooth;                /* [m] how far it stands out */
    double ramp;                 /* [m] height of the ramp along z */
    double tip;     /* [m] height of the blunt end of the tooth; the locking face begins at z = ramp + tip */
    double slope;   /* of the locking face: rise over run towards the block */
    double spacing; /* [m]; 0: as coarse as it can be */
} carom_make_docking_catch;

#ifdef __cplusplus
}
#endif
#endif
