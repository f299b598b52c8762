/* Discrete signed distance fields of triangle meshes: exact distances at nodes, trilinear in between, (1)-(6) of paper
 * 1. Three ways of storing the nodes: a dense grid (the paper's), sparse bricks around the surface, an adaptive octree
 * (the paper's comparison). Built once, then read by any number of threads. */
#ifndef CAROM_GEOMETRY_SDF_H
#define CAROM_GEOMETRY_SDF_H

#include <carom/mesh.h>

#include "base/text.h"
#include "base/watch.h"
#include "geometry/field.h"
#include "geometry/mesh.h"

typedef enum sdf_kind { SDF_DENSE, SDF_BRICKS, SDF_OCTREE } sdf_kind;
typedef enum sdf_sign { SDF_SIGN_AUTO, SDF_SIGN_PSEUDONORMAL, SDF_SIGN_WINDING } sdf_sign;

typedef struct sdf_options {
    int kind;       /* sdf_kind */
    int sign;       /* sdf_sign; auto: pseudonormals when the surface is closed and does not cut itself */
    double spacing; /* [m] between nodes (octree: of the finest); 0: from resolution */
    int resolution; /* cells along the longest edge of the box around mesh and margin */
    double margin;  /* [m] by which the box is wider than the mesh on every side; 0: two cells */
    double band;    /* [m] bricks: nodes nearer than this are exact; 0: three cells, the least allowed */
    double
        tolerance; /* [m] octree: cells are split until they interpolate this well; 0: a twentieth of the spacing */
} sdf_options;

sdf_options sdf_options_default(void); /* bricks, auto, resolution 128 */

typedef struct carom_sdf sdf; /* as <carom/sdf.h> calls it */

typedef struct sdf_info {
    int kind;
    int sign;           /* what was used, never auto */
    double spacing;     /* [m] */
    v3 low, high;       /* [m] the box that holds nodes */
    size_t node_count;  /* distances computed */
    size_t bytes;       /* of memory */
    double error_bound; /* [m] largest difference from the exact distance near the surface, as measured with margin */
    double error_mean;  /* [m] of the same samples */
    double band;       /* [m] within this distance of the surface values interpolate exact nodes; beyond, bounds only;
                          * infinite but for bricks */
    double volume;     /* [m^3] of the mesh; negative: it was inside out and its sides were exchanged */
    double thin_share; /* of the surface, where the solid is thinner than a cell */
    int triangle_count, vertex_count;
    int open_edges, nonmanifold_edges, flipped_edges, degenerate_triangles;
    size_t
        self_intersections; /* pairs of triangles, up to CAROM_MESH_MOST_CUTS and one; counted where the sign is auto and the surface closed, else 0 */
    double build_seconds;
    bool from_cache;
} sdf_info;

/* Refuses a grid of more than some 2e9 nodes with the spacing that would fit. */
carom_status sdf_build(sdf **out, const mesh *m, const sdf_options *options, int threads, carom_error *err);

/* The same, watched (NULL: by nobody), from the watch's first stage to its end. */
carom_status sdf_build_watched(sdf **out, const mesh *m, const sdf_options *options, int threads, carom_watch *watch,
                               carom_error *err);
void sdf_destroy(sdf *f);
const sdf_info *sdf_about(const sdf *f);
const char *sdf_kind_name(int kind);
const char *sdf_sign_name(int sign);

/* What a user should know: which sign was used and why, and every doubt about the surface; one sentence per line, each
 * doubt begun with "warning: ". */
void sdf_remarks(const sdf_info *info, carom_text *out);

/* Of every stored number: equal for equal fields, whatever the threads or the time it took. */
uint64_t sdf_hash(const sdf *f);

/* The same through a folder of files named by the hash of mesh and options; a damaged or foreign file is built anew.
 * folder NULL: no cache. A folder that cannot be written to is no error. */
carom_status sdf_build_cached(sdf **out, const mesh *m, const sdf_options *options, const char *folder, int threads,
                              carom_error *err);

carom_status sdf_build_cached_watched(sdf **out, const mesh *m, const sdf_options *options, const char *folder,
                                      int threads, carom_watch *watch, carom_error *err);

/* One field in one file, written beside it and renamed. Loading refuses what is damaged or not of this version. */
carom_status sdf_save(const sdf *f, const char *file, carom_error *err);
carom_status sdf_load(sdf **out, const char *file, carom_error *err);

/* Where fields are kept unless told otherwise: $CAROM_CACHE, else $XDG_CACHE_HOME/carom, else ~/.cache/carom; NULL when
 * there is none ($CAROM_CACHE empty, or no home). Returns buffer or NULL. */
const char *sdf_cache_folder(char *buffer, size_t size);

/* Makes the folder and all on the way to it; what cannot be made shows when a file is written. Other caches lie there too. */
void sdf_cache_prepare(const char *path);

/* Value and gradient of the interpolated field. Inside the box: trilinear, with the exact derivative of the interpolant.
 * Outside the box, and outside the band of bricks: a value of the right sign whose absolute value never exceeds the true
 * distance by more than the error bound, and a gradient towards larger values. Continuous everywhere but where bricks
 * end. Points that are not finite give NaN. */
field_sample sdf_sample(const sdf *f, v3 p);

/* Many at once, for points that lie near each other in memory and in space. */
void sdf_sample_many(const sdf *f, const v3 *p, size_t count, field_sample *out);

/* Only the value, same bits as sdf_sample's. */
double sdf_distance(const sdf *f, v3 p);

#endif
