/* The shape kinds, and what they share: checks of sizes and spacings, and the half plane in which round shapes are
 * computed. Included by the kinds and by the list only. */
#ifndef CAROM_GEOMETRY_SHAPES_SHAPES_H
#define CAROM_GEOMETRY_SHAPES_SHAPES_H

#include "geometry/shape.h"

#define PI 3.14159265358979323846 /* <math.h> has it only beyond strict C17 */

extern const carom_shape_type carom_shape_box;
extern const carom_shape_type carom_shape_sphere;
extern const carom_shape_type carom_shape_cylinder;
extern const carom_shape_type carom_shape_capsule;
extern const carom_shape_type carom_shape_cone;
extern const carom_shape_type carom_shape_ellipsoid;
extern const carom_shape_type carom_shape_torus;
extern const carom_shape_type carom_shape_plane;
extern const carom_shape_type carom_shape_rod;
extern const carom_shape_type carom_shape_polygon;
extern const carom_shape_type carom_shape_mesh;
extern const carom_shape_type carom_shape_make;
extern const carom_shape_type carom_shape_sheet;
extern const carom_shape_type carom_shape_wire;
extern const carom_shape_type carom_shape_points;

/* CAROM_OK when size [m] is finite, positive and neither smaller than an atom nor larger than a planet's orbit (then
 * volumes and inertias neither vanish nor overflow); else an error naming shape and field. */
carom_status carom_shape_check_size(const char *shape, const char *field, double size, carom_error *err);

/* CAROM_OK when a surface sampled at `spacing` [m] (0: coarse) has no more than some ten million points, of which
 * `count` is an estimate; else an error with the spacing that fits. */
carom_status carom_shape_check_spacing(const char *shape, double spacing, double count, carom_error *err);

/* Fills in what the table of made shapes cannot name at compile time. */
void carom_shape_make_prepare(void);

/* Mass and bounds of shapes that are meshes. */
void carom_shape_mesh_mass(mass_properties *out, const void *params, const struct mesh *m);
void carom_shape_mesh_bounds(carom_v3 *low, carom_v3 *high, const void *params, const struct mesh *m);

/* ---- shapes from a file, or from vertices in the scene (given.c) ------------------------------------------------------ */

typedef struct given_geometry {
    const char *shape; /* for messages */
    const char *file;  /* or NULL: vertices and cells */
    carom_reals scale;
    carom_list vertices, cells;
    const char *cells_name; /* "triangles", "edges"; NULL: vertices only */
    int corners;            /* of a cell */
} given_geometry;

carom_status carom_shape_check_given(const given_geometry *g, carom_error *err);
carom_status carom_shape_make_given(struct mesh **out, const given_geometry *g, carom_error *err);
v3 carom_shape_given_scale(const given_geometry *g);

/* Wires as tubes and points as octahedra, for pictures; `radius` 0: as thick as can just be seen. */
carom_status carom_shape_draw_wires(struct mesh **out, const struct mesh *m, double radius, carom_error *err);
carom_status carom_shape_draw_points(struct mesh **out, const struct mesh *m, double radius, carom_error *err);

/* Tables of the items of `vertices`, of `triangles` and of `edges`. */
extern const carom_field carom_shape_vertex_fields[];
extern const carom_field carom_shape_triangle_fields[];
extern const carom_field carom_shape_edge_fields[];
extern const carom_mesh_vertex carom_shape_vertex_default;
extern const carom_mesh_cell carom_shape_cell_default;

#define GIVEN_FIELD_SCALE(type)                                                                                      \
    {                                                                                                                \
        .name = "scale", .kind = CAROM_FIELD_REALS, .offset = offsetof(type, scale), .dimension = CAROM_DIM_LENGTH,  \
        .min_count = 1, .max_count = 3,                                                                              \
        .doc = "Length of one unit of the file or of the vertices; a metre unless given. Three numbers: along x, y " \
               "and z; negative ones mirror."                                                                        \
    }
#define GIVEN_FIELD_VERTICES(type)                                                                            \
    {                                                                                                         \
        .name = "vertices", .kind = CAROM_FIELD_LIST, .offset = offsetof(type, vertices),                     \
        .fields = carom_shape_vertex_fields, .item_defaults = &carom_shape_vertex_default,                    \
        .size = sizeof(carom_mesh_vertex), .doc = "Instead of a file: points [x, y, z], in units of 'scale'." \
    }
#define GIVEN_FIELD_CELLS(type, member, table, text)                                                  \
    {                                                                                                 \
        .name = #member, .kind = CAROM_FIELD_LIST, .offset = offsetof(type, member), .fields = table, \
        .item_defaults = &carom_shape_cell_default, .size = sizeof(carom_mesh_cell), .doc = text      \
    }

/* ---- round shapes: everything happens in the half plane (rho, z), rho >= 0 --------------------------------------- */

typedef struct plane_point {
    double rho, z; /* [m] */
} plane_point;

/* A point in the half plane; `radial` becomes the unit vector across the axis (x on the axis, where any would do). */
plane_point carom_shape_half_plane(v3 p, v3 *radial);

/* Back from the half plane: a distance whose gradient is `gradient` there. */
field_sample carom_shape_round_sample(double distance, plane_point gradient, v3 radial);

/* The piece of an outline after a point: straight to the next one, or an arc about (0, center_z). */
typedef struct outline_piece {
    plane_point end;
    bool arc;
    double center_z; /* [m] of an arc; its radius is that of its ends */
} outline_piece;

/* An outline from the lower pole (0, start_z) to the upper pole with the solid on its left. */
typedef struct outline {
    const char *shape; /* for messages */
    double start_z;
    double radius; /* [m] the largest: its ring has as many points as the grain asks for, or more */
    int piece_count;
    outline_piece pieces[3];
} outline;

/* The closed surface that the outline makes when it turns about z: rings of points, all on the surface. */
carom_status carom_shape_revolve(struct mesh **out, const outline *o, surface_grain grain, carom_error *err);

#endif
