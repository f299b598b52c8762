/* The tree itself, for the files that build and search it.
 *
 * Boxes and triangles are kept once more in float, eight side by side, as one instruction compares them. They
 * live in the tree's own units: lengths divided by a power of two so that the mesh fits into [-1, 1]^3, from its middle.
 * Floats only ever decide what need not be looked at, with a margin above all their rounding; what is reported comes
 * from the doubles of the mesh. */
#ifndef CAROM_GEOMETRY_BVH_TREE_H
#define CAROM_GEOMETRY_BVH_TREE_H

#include "base/arena.h"
#include "geometry/triangle_nearest.h"
#include "math/mat3.h"

enum { BVH_WIDTH = 8, BVH_LEAF = 8, BVH_STACK = 384 };

/* Boxes of up to eight children, once along the node's own axes and once along x, y, z; unused ones are infinitely far
 * away. A patch of surface is thin along its normal, so that boxes along its own axes tell far more of its parts apart
 * than boxes that are slanted to it. */
typedef struct bvh_node {
    _Alignas(64) float low[3][BVH_WIDTH]; /* along axes */
    float high[3][BVH_WIDTH];
    int child[BVH_WIDTH]; /* a node, or ~leaf */
    float axes[3][3];     /* of unit length, orthogonal */
    int count;
    float upright_low[3][BVH_WIDTH]; /* along x, y, z */
    float upright_high[3][BVH_WIDTH];
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

/* The corners of a triangle as the mesh has them [m]: beside those of its neighbours, whatever the mesh's order. */
typedef struct bvh_corners {
    v3 corner[3];
} bvh_corners;

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
    bvh_corners *corners;       /* of the triangles of leaf k: 8 k .. 8 k + 7 */
    bvh_cluster *node_clusters; /* NULL: winding numbers are not prepared */
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

/* Angle-weighted normals of corners, summed normals of edges [Baerentzen2005]. */
carom_status bvh_find_normals(bvh *t, carom_error *err);

/* A search under way. */
typedef struct bvh_search {
    const bvh *tree;
    const bvh_node *roots; /* where to begin */
    int root_count;
    v3 p;         /* [m] */
    float at[3];  /* the same in the tree's units */
    double slack; /* of a distance between floats, in the tree's units */
    bvh_hit best;
} bvh_search;

/* Looks at triangle k in double; equally near ones are told apart by their index, so that the order of looking does not
 * matter. */
static inline bool bvh_consider(bvh_search *s, int k, v3 a, v3 b, v3 c)
{
    nearest_point q = triangle_nearest(s->p, a, b, c);
    if (!(q.dist2 < s->best.dist2 || (q.dist2 == s->best.dist2 && k < s->best.triangle))) {
        return false;
    }
    s->best = (bvh_hit){ .triangle = k, .feature = q.feature, .dist2 = q.dist2, .point = q.point };
    return true;
}

/* bvh_closest among what lies below these nodes. */
bvh_hit bvh_closest_from(const bvh *t, const bvh_node *roots, int root_count, v3 p, int hint, double limit2);

void bvh_search_portable(bvh_search *s);
void bvh_search_avx2(bvh_search *s);
bool bvh_has_avx2(void); /* in this build and on this processor */

#endif
