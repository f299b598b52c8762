/* Triangles of a mesh that cut each other: every leaf against every leaf not before it whose boxes overlap, then every
 * pair of triangles whose boxes overlap, exactly. Boxes are floats, eight side by side, and a little too wide.
 *
 * Where many layers lie in one place their pairs grow with the square of the layers: counting ends at a bound.
 *
 * The pairs with the smallest indices are kept in the caller's array as a heap with the largest on top, which needs no
 * memory however many pairs there are, and sorted at the end. */
#include "geometry/bvh_tree.h"

#include "geometry/triangle.h"

/* ---- the smallest pairs ------------------------------------------------------------------------------------------ */

typedef struct pair_heap {
    int (*pairs)[2];
    size_t capacity;
    size_t count; /* of all pairs seen */
    size_t most;  /* the search ends when it has seen more */
} pair_heap;

static bool less(const int a[2], const int b[2])
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

static void set(int to[2], const int from[2])
{
    to[0] = from[0];
    to[1] = from[1];
}

static void sift_up(int (*heap)[2], size_t i)
{
    const int moving[2] = { heap[i][0], heap[i][1] };
    for (; i > 0 && less(heap[(i - 1) / 2], moving); i = (i - 1) / 2) {
        set(heap[i], heap[(i - 1) / 2]);
    }
    set(heap[i], moving);
}

static void sift_down(int (*heap)[2], size_t count)
{
    const int moving[2] = { heap[0][0], heap[0][1] };
    size_t i = 0;
    for (size_t child = 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && less(heap[child], heap[child + 1]);
        if (!less(moving, heap[child])) {
            break;
        }
        set(heap[i], heap[child]);
        i = child;
    }
    set(heap[i], moving);
}

static void add_pair(pair_heap *h, int a, int b)
{
    const int pair[2] = { a < b ? a : b, a < b ? b : a };
    if (h->count < h->capacity) {
        set(h->pairs[h->count], pair);
        sift_up(h->pairs, h->count);
    } else if (h->capacity > 0 && less(pair, h->pairs[0])) {
        set(h->pairs[0], pair);
        sift_down(h->pairs, h->capacity);
    }
    ++h->count;
}

static void sort_pairs(pair_heap *h)
{
    for (size_t count = h->count < h->capacity ? h->count : h->capacity; count > 1; --count) {
        const int largest[2] = { h->pairs[0][0], h->pairs[0][1] };
        set(h->pairs[0], h->pairs[count - 1]);
        sift_down(h->pairs, count - 1);
        set(h->pairs[count - 1], largest);
    }
}

/* ---- boxes -------------------------------------------------------------------------------------------------------- */

typedef struct leaf_box {
    float low[3], high[3];
} leaf_box;

static leaf_box child_box(const bvh_node *node, int k)
{
    leaf_box b;
    for (int d = 0; d < 3; ++d) {
        b.low[d] = node->upright_low[d][k];
        b.high[d] = node->upright_high[d][k];
    }
    return b;
}

/* A bit for each of eight boxes that the box meets. */
static unsigned boxes_met(const leaf_box *b, const float (*low)[BVH_WIDTH], const float (*high)[BVH_WIDTH])
{
    int met[BVH_WIDTH];
    for (int k = 0; k < BVH_WIDTH; ++k) {
        met[k] = (b->low[0] <= high[0][k]) & (low[0][k] <= b->high[0]) & (b->low[1] <= high[1][k]) &
                 (low[1][k] <= b->high[1]) & (b->low[2] <= high[2][k]) & (low[2][k] <= b->high[2]);
    }
    unsigned bits = 0;
    for (int k = 0; k < BVH_WIDTH; ++k) {
        bits |= (unsigned)met[k] << k;
    }
    return bits;
}

/* The triangles of a leaf with their boxes. */
typedef struct leaf_view {
    int leaf, count;
    float low[3][BVH_LEAF], high[3][BVH_LEAF];
} leaf_view;

static void view_leaf(leaf_view *v, const bvh *t, int leaf)
{
    const float rounding = 0x1p-21f; /* of corners and offsets within [-2, 2], and of their sums */
    const bvh_leaf *l = t->leaves + leaf;
    v->leaf = leaf;
    v->count = bvh_leaf_size(t, leaf);
    for (int d = 0; d < 3; ++d) {
        for (int k = 0; k < BVH_LEAF; ++k) {
            float ab = l->ab[d][k];
            float ac = l->ac[d][k];
            float least = ab < ac ? ab : ac;
            float most = ab < ac ? ac : ab;
            v->low[d][k] = l->a[d][k] + (least < 0.0f ? least : 0.0f) - rounding;
            v->high[d][k] = l->a[d][k] + (most > 0.0f ? most : 0.0f) + rounding;
        }
    }
}

/* ---- pairs of triangles ------------------------------------------------------------------------------------------ */

static bool share_vertex(const int a[3], const int b[3])
{
    for (int i = 0; i < 3; ++i) {
        if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) {
            return true;
        }
    }
    return false;
}

/* In the tree's scale, where products of three keep away from the ends of double's range, but not shifted: multiplication
 * by a power of two is exact. */
static void scaled_corners(v3 out[3], const bvh *t, int place)
{
    for (int k = 0; k < 3; ++k) {
        out[k] = v3_scale(t->per_m, t->corners[place].corner[k]);
    }
}

static void compare_triangles(pair_heap *h, const bvh *t, int place_a, int place_b)
{
    int a = t->leaves[place_a / BVH_LEAF].triangle[place_a % BVH_LEAF];
    int b = t->leaves[place_b / BVH_LEAF].triangle[place_b % BVH_LEAF];
    if (share_vertex(t->mesh->triangles[a], t->mesh->triangles[b])) {
        return;
    }
    v3 corner_a[3], corner_b[3];
    scaled_corners(corner_a, t, place_a);
    scaled_corners(corner_b, t, place_b);
    if (triangles_meet(corner_a, corner_b)) {
        add_pair(h, a, b);
    }
}

/* Only the triangles of a that meet the whole of b. */
static void compare_leaves(pair_heap *h, const bvh *t, const leaf_view *a, const leaf_view *b, const leaf_box *b_box)
{
    unsigned in_b = (1u << b->count) - 1;
    unsigned in_a = boxes_met(b_box, a->low, a->high) & ((1u << a->count) - 1);
    for (; in_a != 0; in_a &= in_a - 1) {
        int i = __builtin_ctz(in_a);
        leaf_box box = { { a->low[0][i], a->low[1][i], a->low[2][i] },
                         { a->high[0][i], a->high[1][i], a->high[2][i] } };
        unsigned bits = boxes_met(&box, b->low, b->high) & in_b;
        if (a->leaf == b->leaf) {
            bits &= ~0u << (i + 1); /* every pair once */
        }
        for (; bits != 0; bits &= bits - 1) {
            compare_triangles(h, t, BVH_LEAF * a->leaf + i, BVH_LEAF * b->leaf + __builtin_ctz(bits));
        }
    }
}

/* ---- pairs of leaves --------------------------------------------------------------------------------------------- */

static void compare_with_all(pair_heap *h, const bvh *t, int leaf, const leaf_box *b)
{
    leaf_view own, other;
    view_leaf(&own, t, leaf);
    compare_leaves(h, t, &own, &own, b);
    int stack[BVH_STACK] = { 0 };
    int count = 1;
    while (count > 0 && h->count <= h->most) {
        const bvh_node *node = t->nodes + stack[--count];
        unsigned bits = boxes_met(b, node->upright_low, node->upright_high);
        for (; bits != 0; bits &= bits - 1) {
            int k = __builtin_ctz(bits);
            int child = node->child[k];
            if (child >= 0) {
                stack[count++] = child;
            } else if (~child > leaf) {
                leaf_box other_box = child_box(node, k);
                view_leaf(&other, t, ~child);
                compare_leaves(h, t, &own, &other, &other_box);
            }
        }
    }
}

size_t bvh_self_intersections(const bvh *t, size_t most, int (*pairs)[2], size_t capacity)
{
    pair_heap h = { .pairs = pairs, .capacity = pairs ? capacity : 0, .most = most };
    for (int n = 0; n < t->node_count && h.count <= most; ++n) {
        const bvh_node *node = t->nodes + n;
        for (int k = 0; k < node->count && h.count <= most; ++k) {
            if (node->child[k] < 0) {
                leaf_box b = child_box(node, k);
                compare_with_all(&h, t, ~node->child[k], &b);
            }
        }
    }
    sort_pairs(&h);
    return h.count <= most ? h.count : most + 1;
}
