/* Which triangles come near which bricks: the lists that nodes near the surface are measured with. */
#ifndef CAROM_GEOMETRY_SDF_NEAR_H
#define CAROM_GEOMETRY_SDF_NEAR_H

#include "geometry/sdf_impl.h"

typedef struct sdf_near {
    size_t *start; /* brick b: triangles start[b] .. start[b + 1], ascending */
    int32_t *triangles;
    unsigned char
        *plain; /* the list is short and free of slivers: comparing it is exact, and faster than searching */
} sdf_near;

/* Lists of all kept bricks (index >= 0, brick_count of them); `edge` cells along a brick. False: no memory. */
bool sdf_near_create(sdf_near *out, const sdf *f, const mesh *m, int edge, int brick_count);
void sdf_near_free(sdf_near *near);

/* The triangle nearest to each of the 8^3 nodes whose first is `node` (counted from the low corner of the box), x fastest;
 * -1 where none is within the band. */
void sdf_near_triangles(const sdf_near *near, const sdf *f, const sdf_source *s, int brick, const int node[3],
                        int32_t *out);

#endif
