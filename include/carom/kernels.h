/* The kernels of geometry and contact for themselves, many at once: distances, barriers, collision queries, impacts.
 *
 * Arrays are row by row, one row per query, and never overlap; `threads` is 0 (one) to 4096, and numbers do not depend on it.
 * What is marked so may be NULL. Threads: arrays are the caller's; fields and pairs of meshes never change and are shared
 * freely. */
#ifndef CAROM_KERNELS_H
#define CAROM_KERNELS_H

#include <carom/mesh.h>
#include <carom/sdf.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Signed distances [m] at count points (x, y, z), as carom_sdf_sample has them; gradients (x, y, z of each) or NULL. */
CAROM_API carom_status carom_sdf_sample_many(const carom_sdf *f, const double *points, size_t count,
                                             double *distances, double *gradients, int threads, carom_error *err);

/* Distances [m] between points (3 numbers) and triangles (9), and between edges (6) and edges (6); normals, unit vectors from
 * the triangle or the second edge to the first, zero where they meet, or NULL. */
CAROM_API carom_status carom_point_triangle_distances(const double *points, const double *triangles, size_t count,
                                                      double *distances, double *normals, int threads,
                                                      carom_error *err);
CAROM_API carom_status carom_edge_edge_distances(const double *first, const double *second, size_t count,
                                                 double *distances, double *normals, int threads, carom_error *err);

/* The barrier of the method `barrier` at gaps [m]: energy [J] = -stiffness range^2 (x - 1)^2 ln x with x = gap / range below 1, 0
 * beyond, infinite where a gap is not positive; minus the first derivative is a force [N]. range [m] and stiffness [N/m] are
 * positive. first and second derivatives, or NULL: infinite and zero likewise. */
CAROM_API carom_status carom_barrier_values(const double *gaps, size_t count, double range, double stiffness,
                                            double *energies, double *first, double *second, carom_error *err);

/* Two meshes that may collide, prepared once. */
typedef struct carom_mesh_pair carom_mesh_pair;
CAROM_API carom_status carom_mesh_pair_create(const carom_mesh *a, const carom_mesh *b, carom_mesh_pair **out,
                                              carom_error *err);
CAROM_API void carom_mesh_pair_destroy(carom_mesh_pair *pair); /* NULL: nothing */

/* Collision queries along screws. Every row has the poses of A and B (14 numbers: position and orientation w, x, y, z of each)
 * and their motions (12: displacement [m] and turn [rad] of each, world axes, carried out evenly in one unit of time; NULL:
 * both rest). parts: how much of the motion, 0 to 1, is certainly free of collision; it ends where half of the gap at the start
 * is left, or 0.3 of `range` [m], positive, of pairs of features that are farther apart. 0 where they touch at the start.
 * meets, or NULL: whether the surfaces cut or touch each other at the start, decided exactly for the rounded corners; one mesh
 * wholly within the other does not. */
CAROM_API carom_status carom_mesh_pair_sweep(const carom_mesh_pair *pair, const double *poses, const double *motions,
                                             size_t count, double range, double *parts, bool *meets, int threads,
                                             carom_error *err);

/* An impact at several contacts in a frozen configuration. Velocities are rows: the normal velocity of every contact (negative:
 * approaching), then `slips` (0, 1 or 2) slip velocities of every contact. W says by how much a unit impulse along one row
 * changes another (the Delassus matrix). */
typedef enum carom_impact_rule {
    CAROM_IMPACT_SHARING,
    CAROM_IMPACT_TOGETHER,
    CAROM_IMPACT_SEQUENTIAL
} carom_impact_rule;
typedef struct carom_impact_problem {
    int contacts; /* 1 to 1000 */
    int slips;
    carom_impact_rule rule;
    const double *W;           /* rows x rows, symmetric; rows = contacts (1 + slips) */
    const double *restitution; /* 0 to 1, of every contact; energetic, under CAROM_IMPACT_TOGETHER Poisson's */
    const double *mu;          /* Coulomb's coefficient of every contact, >= 0; NULL: none */
} carom_impact_problem;

/* `count` sets of velocities before (rows numbers each) of one problem; velocities after, impulses along the rows (or NULL), and
 * for each set how often a solver took the nearest answer, cut short or loosened its tolerance (or NULL). */
CAROM_API carom_status carom_impacts(const carom_impact_problem *problem, const double *before, size_t count,
                                     double *after, double *impulses, int *fallbacks, int threads, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
