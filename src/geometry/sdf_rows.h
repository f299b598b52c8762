/* Which triangle is nearest to each node of a block of 8^3: every triangle of a list is compared with the rows of nodes
 * it may be nearest to, four nodes at a time. The kernel (sdf_rows_kernel.h) is compiled for any processor and for those
 * with AVX2. */
#ifndef CAROM_GEOMETRY_SDF_ROWS_H
#define CAROM_GEOMETRY_SDF_ROWS_H

#include "geometry/mesh.h"

enum { ROW = 8, ROWS = ROW * ROW, HALVES = 2 };

typedef struct sdf_rows {
    double x[ROW], y[ROW], z[ROW];  /* [m] nodes of the block */
    double limit2;                  /* [m^2] what is not nearer does not count */
    double dist2[ROWS][ROW];        /* [m^2] of the nearest so far; at first limit2 */
    double nearest[ROWS][ROW];      /* its triangle, a number that fits exactly; at first -1 */
    double farthest2[ROWS][HALVES]; /* [m^2] largest dist2 of four nodes */
} sdf_rows;

/* Compares all nodes with triangles[0 .. count). None may be a sliver. */
void sdf_rows_compare_portable(sdf_rows *rows, const mesh *m, const int32_t *triangles, int count);
void sdf_rows_compare_avx2(sdf_rows *rows, const mesh *m, const int32_t *triangles, int count);

#endif
