/* Signed distance fields of triangle meshes: built from a mesh file, kept in a cache, asked for distances, drawn.
 *
 * Threads: a field never changes and is shared freely between threads, until it is destroyed. */
#ifndef CAROM_SDF_H
#define CAROM_SDF_H

#include <carom/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_sdf carom_sdf;

/* Lengths in metres; 0 stands for the default. */
typedef struct carom_sdf_options {
    const char *kind;  /* "dense", "bricks" or "octree" */
    const char *sign;  /* "auto", "pseudonormal" or "winding" */
    double scale;      /* [m] length of one unit of the mesh file */
    double spacing;    /* between nodes; 0: from resolution */
    int resolution;    /* cells along the longest edge of the box around the mesh and its margin */
    double margin;     /* by which the box is wider than the mesh on every side; 0: two cells */
    double band;       /* bricks: nodes nearer than this are exact; 0: three cells */
    double tolerance;  /* octree: cells are split until they interpolate this well; 0: a twentieth of the spacing */
    int threads;       /* 0: one; the field does not depend on it */
    const char *cache; /* folder; NULL: $CAROM_CACHE, $XDG_CACHE_HOME/carom or ~/.cache/carom; "": none */
    carom_keep_building keep_going; /* or NULL; told how far a field that is not in the cache has come */
    void *context;                  /* for keep_going */
} carom_sdf_options;

CAROM_API carom_sdf_options carom_sdf_options_default(void); /* bricks, auto, resolution 128, scale 1 */

typedef struct carom_sdf_info {
    const char *kind;
    const char *sign;   /* what was used */
    double spacing;     /* [m] */
    carom_v3 low, high; /* [m] the box */
    size_t node_count;  /* distances kept */
    size_t bytes;       /* of memory */
    double error_bound; /* [m] largest error near the surface, as measured with margin */
    double error_mean;  /* [m] */
    double band;        /* [m] within this distance of the surface values interpolate exact nodes; may be infinite */
    double volume;      /* [m^3] of the mesh */
    int triangle_count;
    int vertex_count;
    int open_edges;
    int nonmanifold_edges;
    int flipped_edges;
    size_t self_intersections; /* pairs of triangles, counted up to CAROM_MESH_MOST_CUTS; one more: there are more */
    double build_seconds;
    bool from_cache;
} carom_sdf_info;

/* From a mesh file (STL, OBJ, PLY), by way of the cache; or from a file of carom_sdf_save, whatever the options. options may
 * be NULL: the default. */
CAROM_API carom_status carom_sdf_open(const char *file, const carom_sdf_options *options, carom_sdf **out,
                                      carom_error *err);
CAROM_API carom_status carom_sdf_save(const carom_sdf *f, const char *file, carom_error *err);
CAROM_API void carom_sdf_destroy(carom_sdf *f); /* NULL: nothing */

CAROM_API carom_sdf_info carom_sdf_about(const carom_sdf *f); /* NULL: zeros */

/* What a user should know, one sentence per line; doubts begin with "warning: ". Free with carom_text_destroy; NULL when
 * memory runs out or f is NULL. */
CAROM_API char *carom_sdf_remarks(const carom_sdf *f);

/* Signed distance [m], negative inside; gradient (or NULL) is that of the interpolated field. Infinitely far where f is
 * NULL; NaN where the point is not finite. */
CAROM_API double carom_sdf_sample(const carom_sdf *f, carom_v3 p, carom_v3 *gradient);

/* A plane across an axis: `columns` by `rows` points over a rectangle, the first at its low corner, the last at its high
 * one. The picture's axes are the other two, in their order: y and z, x and z, x and y. */
typedef struct carom_sdf_slice {
    int axis;       /* 0 x, 1 y, 2 z */
    double at;      /* [m] */
    double low[2];  /* [m] */
    double high[2]; /* [m] */
    int columns, rows;
} carom_sdf_slice;

/* The whole box across an axis, `columns` wide, points equally far apart along both axes. Zeros for an axis that is none, a
 * place that is not finite, or no columns. */
CAROM_API carom_sdf_slice carom_sdf_slice_of_box(const carom_sdf *f, int axis, double at, int columns);

/* Distances [m] on the plane, row by row from the low corner: columns * rows numbers, for which out has room. */
CAROM_API carom_status carom_sdf_slice_values(const carom_sdf *f, const carom_sdf_slice *slice, double *out,
                                              carom_error *err);

/* A PNG picture of the slice through the whole box: colours, contours, the surface as a bold line. width in pixels; title
 * may be NULL. */
CAROM_API carom_status carom_sdf_draw_slice(const carom_sdf *f, int axis, double at, int width, const char *title,
                                            const char *file, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
