/* The tree itself, for the files that build and search it.
 *
 * Boxes and triangles are kept once more in float, eight side by side, as one instruction compares them. They
 * live in the tree's own units: lengths divided by a power of two so that the mesh fits into [-1, 1]^3, from its middle.
 * Floats only ever decide what need not be looked at, with a margin above all their rounding; what is reported comes
 * from the doubles of the mesh. */
#ifndef CAROM_GEOMETRY_BVH_TREE_H
#define CAROM_GEOMETRY_BVH_TREE_H

#include "base/arena.h"
#include "geometry/bvh.h"
#include "math/mat3.h"

enum { BVH_WIDTH = 8, BVH_LEAF = 8, BVH_STACK = 128 };

/* Boxes of up to eight children; unused ones are infinitely far away. */
typedef struct bvh_node {
    _Alignas(64) float low[3][BVH_WIDTH];
    float high[3][BVH_WIDTH];
    int child[BVH_WIDTH]; /* a node, or ~leaf */
    int count;
} bvh_node;

/* Eight triangles a, a + ab, a + ac; in the last leaf the first one fills up. Edges without length have the inverse 0,
 * triangles without area the normal 0. */
typedef struct bvh_leaf {
    _Alignas(64) float a[3][BVH_LEAF];
    float ab[3][BVH_LEAF];
    float ac[3][BVH_LEAF];
    float normal[3][BVH_LEAF]; /* of unit length */
    float twice_area[BVH_LEAF];
    float inv_ab2[BVH_LEAF];
    float inv_ac2[BVH_LEAF];
    float inv_bc2[BVH_LEAF];
    int triangle[BVH_LEAF];
} bvh_leaf;

/* What a group of triangles looks like from far away: moments of its areas, see bvh_winding.c. */
typedef struct bvh_cluster {
    v3 center;
    double radius; /* of the ball about the center that holds the triangles */
    v3 area;
    m3 first;
    v3 second; /* 2 C_jjk + C_kjj */
    double cubic[10];
} bvh_cluster;

struct bvh {
    const mesh *mesh;
    v3 center;      /* [m] middle of the box around the mesh */
    double per_m;   /* the tree's units per metre, a power of two */
    bool wide;      /* the processor has AVX2; changes no result */
    int node_count; /* nodes[0] is the root */
    int leaf_count; /* all but the last are full */
    bvh_node *nodes;
    bvh_leaf *leaves;
    bvh_cluster *node_clusters;
    bvh_cluster *leaf_clusters;
    v3 *face_normals;
    v3 *vertex_normals;
    v3 *edge_normals;
    int (*edges)[3]; /* of each triangle, 01, 12, 20 */
    carom_arena arena;
};

static inline v3 bvh_corner(const bvh *t, int triangle, int k)
{
    return t->mesh->vertices[t->mesh->triangles[triangle][k]];
}

static inline int bvh_leaf_size(const bvh *t, int leaf)
{
    int rest = t->mesh->triangle_count - leaf * BVH_LEAF;
    return rest < BVH_LEAF ? rest : BVH_LEAF;
}

/* Angle-weighted normals of corners, summed normals of edges [Baerentzen, Aanaes 2005]. */
carom_status bvh_find_normals(bvh *t, carom_error *err);

/* Fills the clusters of leaves and nodes. */
void bvh_find_clusters(bvh *t);

/* A search under way. */
typedef struct bvh_search {
    const bvh *tree;
    v3 p;         /* [m] */
    float at[3];  /* the same in the tree's units */
    double slack; /* of a distance between floats, in the tree's units */
    bvh_hit best;
} bvh_search;

/* Looks at triangle k in double; equally near ones are told apart by their index, so that the order of looking does not
 * matter. */
static inline bool bvh_consider(bvh_search *s, int k)
{
    bvh_hit hit = { .triangle = k };
    hit.dist2 = triangle_closest(s->p, bvh_corner(s->tree, k, 0), bvh_corner(s->tree, k, 1),
                                 bvh_corner(s->tree, k, 2), &hit.point, &hit.feature);
    if (!(hit.dist2 < s->best.dist2 || (hit.dist2 == s->best.dist2 && k < s->best.triangle))) {
        return false;
    }
    s->best = hit;
    return true;
}

void bvh_search_portable(bvh_search *s);
void bvh_search_avx2(bvh_search *s);
bool bvh_has_avx2(void); /* in this build and on this processor */

#endif
