/* What the files of the distance fields share: the stored field, the exact distance it is made of, the interpolant, and
 * the table of the ways to store nodes. Internal to sdf*.c.
 *
 * Inside, lengths along the axes count cells from the low corner of the box ("x in cells"); distances are metres. */
#ifndef CAROM_GEOMETRY_SDF_IMPL_H
#define CAROM_GEOMETRY_SDF_IMPL_H

#include "geometry/bvh_focus.h"
#include "geometry/sdf.h"

/* Three arrays hold every kind of field, so that files, hashes and memory are counted in one place. */
struct carom_sdf {
    const struct sdf_type *type;
    sdf_info info;
    sdf_options options; /* as given */
    v3 low;              /* [m] first node */
    double spacing;      /* [m] */
    double per_spacing;  /* [1/m] */
    double margin;       /* [m] the mesh is at least this far from the walls of the box */
    double band;         /* [m] bricks: nodes nearer than this are exact */
    int cells[3];
    int64_t index_count, node_count, coarse_count;
    int32_t *index; /* bricks: brick or -1; octree: first child, or leaf as -1 - leaf */
    double *nodes;  /* [m] dense: all; bricks: 9^3 each; octree: 8 of each leaf */
    double *coarse; /* [m] bricks: corners of all bricks */
};

/* The surface as a source of exact signed distances. */
typedef struct sdf_source {
    const mesh *surface;
    const bvh *tree;
    int sign;           /* sdf_sign, never auto */
    double orientation; /* -1: the mesh is inside out */
    bool encloses;      /* the surface is closed and does not cut itself: no side changes but across it */
    int threads;
    carom_watch *watch; /* NULL: nobody */
} sdf_source;

/* Parts of the work, about: the tree and the sign, then the nodes, then measuring the error. */
#define SDF_SHARE_TREE 0.05
#define SDF_SHARE_NODES 0.85
#define SDF_SHARE_ERROR 0.10

typedef struct sdf_type {
    const char *name;
    void (*round_cells)(int cells[3]);                     /* up to what this kind can store; NULL: any number */
    carom_status (*check)(const sdf *f, carom_error *err); /* before anything is allocated; NULL: no objections */
    /* Fills the arrays of f, whose box and spacing are set. */
    carom_status (*build)(sdf *f, const sdf_source *s, carom_error *err);
    bool (*is_sound)(const sdf *f);             /* the arrays are of the right sizes, their indices in range */
    field_sample (*sample)(const sdf *f, v3 x); /* 0 <= x <= cells */
    double (*distance)(const sdf *f, v3 x);     /* the same bits as its value */
    void (*sample_many)(const sdf *f, const v3 *p, size_t count, field_sample *out);
} sdf_type;

extern const sdf_type sdf_type_dense;
extern const sdf_type sdf_type_bricks;
extern const sdf_type sdf_type_octree;
const sdf_type *sdf_type_of(int kind); /* NULL: no such kind */

/* More nodes are refused: 16 GB. */
#define SDF_MOST_NODES 2.0e9

/* ---- exact distances (sdf_exact.c) ------------------------------------------------------------------------------ */

/* Signed distance of p; *hint is a triangle that is probably near (or -1), then the nearest. */
double sdf_exact(const sdf_source *s, v3 p, int *hint);

/* A point of known side and the distance from there to the surface and to the point asked about [m]. */
typedef struct sdf_neighbour {
    double side; /* 0: not known */
    double to_surface, to_point;
} sdf_neighbour;

/* The same beside such a neighbour. */
double sdf_exact_beside(const sdf_source *s, v3 p, const sdf_neighbour *near, int *hint);

/* The same for a point in the focus when it is below sqrt(limit2); else false, and *hint is as it was. */
bool sdf_exact_within(const sdf_source *s, const bvh_focus *focus, v3 p, double limit2, const sdf_neighbour *near,
                      int *hint, double *distance);

/* Only the side: +1 outside, -1 inside. */
double sdf_exact_side(const sdf_source *s, v3 p, int hint);

/* Measures error_bound, error_mean and thin_share (sdf_error.c). */
carom_status sdf_measure(sdf *f, const sdf_source *s, carom_error *err);

/* Room for the arrays; false when memory runs out. */
bool sdf_allocate(sdf *f, int64_t index_count, int64_t node_count, int64_t coarse_count);
carom_status sdf_no_memory(const sdf *f, carom_error *err);

/* Node (i, j, k), counted from the low corner. */
static inline v3 sdf_node_at(const sdf *f, double i, double j, double k)
{
    return v3_make(f->low.x + i * f->spacing, f->low.y + j * f->spacing, f->low.z + k * f->spacing);
}

/* ---- interpolation ------------------------------------------------------------------------------------------------ */

static inline v3 sdf_in_cells(const sdf *f, v3 p)
{
    return v3_make((p.x - f->low.x) * f->per_spacing, (p.y - f->low.y) * f->per_spacing,
                   (p.z - f->low.z) * f->per_spacing);
}

/* False for NaN too. */
static inline bool sdf_is_inside(const sdf *f, v3 x)
{
    return x.x >= 0.0 && x.x <= f->cells[0] && x.y >= 0.0 && x.y <= f->cells[1] && x.z >= 0.0 && x.z <= f->cells[2];
}

/* The cell of a coordinate 0 <= x <= cells; the last node belongs to the last cell. */
static inline int sdf_cell(double x, int cells)
{
    int i = (int)x;
    return i < cells ? i : cells - 1;
}

/* Corner c of a cell: bit 0 along x, bit 1 along y, bit 2 along z. */
typedef struct sdf_corners {
    double d[8];
} sdf_corners;

/* (5) and its exact derivative (6), t in [0, 1]^3; per_size is one over the edge of the cell. */
static inline field_sample sdf_trilinear(const sdf_corners *c, v3 t, double per_size)
{
    double x00 = c->d[1] - c->d[0];
    double x10 = c->d[3] - c->d[2];
    double x01 = c->d[5] - c->d[4];
    double x11 = c->d[7] - c->d[6];
    double d00 = c->d[0] + t.x * x00;
    double d10 = c->d[2] + t.x * x10;
    double d01 = c->d[4] + t.x * x01;
    double d11 = c->d[6] + t.x * x11;
    double y0 = d10 - d00;
    double y1 = d11 - d01;
    double d0 = d00 + t.y * y0;
    double d1 = d01 + t.y * y1;
    double x0 = x00 + t.y * (x10 - x00);
    double x1 = x01 + t.y * (x11 - x01);
    return (field_sample){
        .distance = d0 + t.z * (d1 - d0),
        .gradient = { per_size * (x0 + t.z * (x1 - x0)), per_size * (y0 + t.z * (y1 - y0)), per_size * (d1 - d0) },
    };
}

/* The corners of a cell in an array of nodes whose rows are `row` and whose layers are `layer` nodes apart. */
static inline sdf_corners sdf_gather(const double *first, size_t row, size_t layer)
{
    const double *up = first + layer;
    return (sdf_corners){ { first[0], first[1], first[row], first[row + 1], up[0], up[1], up[row], up[row + 1] } };
}

#endif
