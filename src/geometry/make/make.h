/* Procedural meshes: each kind is one file with one table, listed in make_list.c.
 *
 * All are closed, manifold, face outwards and do not cut themselves. */
#ifndef CAROM_GEOMETRY_MAKE_MAKE_H
#define CAROM_GEOMETRY_MAKE_MAKE_H

#include <carom/mesh.h>

#include "geometry/mesh.h"

#define PI 3.14159265358979323846

typedef struct mesh_make_type {
    carom_kind kind; /* first: name, doc, fields, defaults, size */

    /* Params have passed their field table; what else may be wrong with them is refused here. */
    carom_status (*build)(mesh **out, const void *params, carom_error *err);
} mesh_make_type;

/* A mesh of the kind; params NULL: its defaults. */
carom_status mesh_make(mesh **out, const char *kind, const void *params, carom_error *err);

/* ---- what the kinds are made of ---------------------------------------------------------------------------------- */

enum { MAKE_MOST_TRIANGLES = 20000000 }; /* beyond: a spacing in the wrong unit */

carom_status make_no_memory(carom_error *err);

/* Segments no longer than spacing along a length, at least `least`. Refused when absurdly many. */
carom_status make_steps(int *out, double length, double spacing, int least, carom_error *err);

/* The mesh with edges no longer than spacing (0: as it is); takes the mesh. */
carom_status make_spaced(mesh **out, mesh *coarse, double spacing, carom_error *err);

/* A prism: the simple polygon (counter-clockwise about u x v) moved along w = u x v from low to high. It may have holes:
 * loops after the first, clockwise, inside the first and outside each other. */
typedef struct make_prism {
    const double (*polygon)[2]; /* along u and v [m]; the loops one after another */
    int count;
    v3 u, v; /* unit vectors, at right angles */
    double low, high;
    const int *ends; /* behind the last point of each loop; NULL: one loop */
    int loops;
} make_prism;

carom_status make_extrude(mesh **out, const make_prism *prism, carom_error *err);

/* An outline with holes that is drawn point by point; what fails is told by make_plate. */
enum { MAKE_MOST_LOOPS = 8 };
typedef struct make_outline {
    double (*points)[2];
    int count;
    size_t capacity;
    int ends[MAKE_MOST_LOOPS];
    int loops;
    bool failed;
} make_outline;

void make_outline_point(make_outline *o, double x, double y);

/* steps + 1 points of a circle, from one angle to another, either way around. */
void make_outline_arc(make_outline *o, double x, double y, double radius, double from, double to, int steps);

/* Ends the loop that is being drawn. */
void make_outline_close(make_outline *o);

/* A round hole of at least the radius, whose chords stay outside; none if the radius is 0. */
void make_outline_hole(make_outline *o, double x, double y, double radius, int sectors);

/* The plate over the outline, from z = -thickness/2 to thickness/2, with edges no longer than spacing (0: as they are).
 * Frees the outline. */
carom_status make_plate(mesh **out, make_outline *o, double thickness, double spacing, carom_error *err);

/* A surface about the z axis by columns: at some angles a line of points (r, z) each, walked with the solid on the
 * left, from pole to pole or closed in a ring. Neighbouring columns are zipped by the keys of their points. Points on
 * helices keep their key along the helix, so after one turn it has moved by `turn`. */
typedef struct make_point {
    double r, z;
    long key;
    bool helical;
} make_point;

typedef struct make_column {
    double angle; /* [rad]; ascending from column to column, within one turn */
    int count;
    size_t capacity;
    make_point *points;
    int plain; /* points so far that are not on a helix */
    bool failed;
} make_column;

void make_column_add(make_column *c, double r, double z);
void make_column_add_helical(make_column *c, double r, double z, long key);

/* Points after the last one up to (r, z) in equal steps. */
void make_column_line(make_column *c, double r, double z, int steps);

typedef struct make_surface {
    int sectors;
    bool ring; /* the last point of a column joins its first; else both have r = 0 */
    long turn; /* what is added to a helical key of column 0 when it is met again after one turn */
    void (*fill)(make_column *c, const void *context, int sector); /* angle and points */
    const void *context;
} make_surface;

carom_status make_columns(mesh **out, const make_surface *surface, carom_error *err);

/* ---- field tables ------------------------------------------------------------------------------------------------ */

#define MAKE_LENGTH(def, member, flag, text)                                                                       \
    {                                                                                                              \
        .name = #member, .kind = CAROM_FIELD_REAL, .offset = offsetof(def, member), .dimension = CAROM_DIM_LENGTH, \
        .flags = (flag), .doc = text                                                                               \
    }
#define MAKE_COUNT(def, member, flag, text)                                                                     \
    {                                                                                                           \
        .name = #member, .kind = CAROM_FIELD_INT, .offset = offsetof(def, member), .flags = (flag), .doc = text \
    }

#define MAKE_ANGLE(def, member, flag, text)                                                                       \
    {                                                                                                             \
        .name = #member, .kind = CAROM_FIELD_REAL, .offset = offsetof(def, member), .dimension = CAROM_DIM_ANGLE, \
        .flags = (flag), .doc = text                                                                              \
    }

/* ---- the kinds --------------------------------------------------------------------------------------------------- */

extern const mesh_make_type make_box;
extern const mesh_make_type make_sphere;
extern const mesh_make_type make_cylinder;
extern const mesh_make_type make_capsule;
extern const mesh_make_type make_cone;
extern const mesh_make_type make_torus;
extern const mesh_make_type make_gear;
extern const mesh_make_type make_bolt;
extern const mesh_make_type make_nut;
extern const mesh_make_type make_chain_link;
extern const mesh_make_type make_tube;
extern const mesh_make_type make_link_plate;
extern const mesh_make_type make_sprocket;
extern const mesh_make_type make_geneva_wheel;
extern const mesh_make_type make_geneva_disc;
extern const mesh_make_type make_spiral;
extern const mesh_make_type make_statue;
extern const mesh_make_type make_docking_ring;
extern const mesh_make_type make_docking_latch;
extern const mesh_make_type make_docking_catch;

#endif
