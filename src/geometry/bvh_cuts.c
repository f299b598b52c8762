/* Triangles of a mesh that cut each other: every leaf against every leaf not before it whose boxes overlap, then every
 * pair of triangles whose boxes overlap, exactly.
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

/* ---- pairs of triangles ------------------------------------------------------------------------------------------ */

/* The triangles of a leaf with their boxes; coordinates in the tree's scale, where products of three keep away from
 * the ends of double's range, but not shifted: multiplication by a power of two is exact. */
typedef struct leaf_view {
    int count;
    int triangle[BVH_LEAF];
    v3 corner[BVH_LEAF][3];
    v3 low[BVH_LEAF], high[BVH_LEAF];
} leaf_view;

static v3 lowest(v3 a, v3 b)
{
    return v3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static v3 highest(v3 a, v3 b)
{
    return v3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static void view_leaf(leaf_view *v, const bvh *t, int leaf)
{
    v->count = bvh_leaf_size(t, leaf);
    for (int i = 0; i < v->count; ++i) {
        v->triangle[i] = t->leaves[leaf].triangle[i];
        for (int k = 0; k < 3; ++k) {
            v->corner[i][k] = v3_scale(t->per_m, bvh_corner(t, v->triangle[i], k));
        }
        const v3 *c = v->corner[i];
        v->low[i] = lowest(c[0], lowest(c[1], c[2]));
        v->high[i] = highest(c[0], highest(c[1], c[2]));
    }
}

static bool boxes_meet(const leaf_view *a, int i, const leaf_view *b, int j)
{
    return a->low[i].x <= b->high[j].x && b->low[j].x <= a->high[i].x && a->low[i].y <= b->high[j].y &&
           b->low[j].y <= a->high[i].y && a->low[i].z <= b->high[j].z && b->low[j].z <= a->high[i].z;
}

static bool share_vertex(const int a[3], const int b[3])
{
    for (int i = 0; i < 3; ++i) {
        if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) {
            return true;
        }
    }
    return false;
}

static void compare_leaves(pair_heap *h, const mesh *m, const leaf_view *a, const leaf_view *b, bool same)
{
    for (int i = 0; i < a->count; ++i) {
        for (int j = same ? i + 1 : 0; j < b->count; ++j) {
            if (boxes_meet(a, i, b, j) && !share_vertex(m->triangles[a->triangle[i]], m->triangles[b->triangle[j]]) &&
                triangles_meet(a->corner[i], b->corner[j])) {
                add_pair(h, a->triangle[i], b->triangle[j]);
            }
        }
    }
}

/* ---- pairs of leaves --------------------------------------------------------------------------------------------- */

typedef struct leaf_box {
    float low[3], high[3];
} leaf_box;

static bool box_meets_child(const leaf_box *b, const bvh_node *node, int k)
{
    for (int d = 0; d < 3; ++d) {
        if (b->low[d] > node->high[d][k] || node->low[d][k] > b->high[d]) {
            return false;
        }
    }
    return true;
}

static void compare_with_all(pair_heap *h, const bvh *t, int leaf, const leaf_box *b)
{
    leaf_view own, other;
    view_leaf(&own, t, leaf);
    compare_leaves(h, t->mesh, &own, &own, true);
    int stack[BVH_STACK] = { 0 };
    int count = 1;
    while (count > 0) {
        const bvh_node *node = t->nodes + stack[--count];
        for (int k = 0; k < node->count; ++k) {
            int child = node->child[k];
            if ((child < 0 && ~child <= leaf) || !box_meets_child(b, node, k)) {
                continue;
            }
            if (child >= 0) {
                stack[count++] = child;
            } else {
                view_leaf(&other, t, ~child);
                compare_leaves(h, t->mesh, &own, &other, false);
            }
        }
    }
}

size_t bvh_self_intersections(const bvh *t, int (*pairs)[2], size_t capacity)
{
    pair_heap h = { .pairs = pairs, .capacity = pairs ? capacity : 0 };
    for (int n = 0; n < t->node_count; ++n) {
        const bvh_node *node = t->nodes + n;
        for (int k = 0; k < node->count; ++k) {
            if (node->child[k] < 0) {
                leaf_box b;
                for (int d = 0; d < 3; ++d) {
                    b.low[d] = node->low[d][k];
                    b.high[d] = node->high[d][k];
                }
                compare_with_all(&h, t, ~node->child[k], &b);
            }
        }
    }
    sort_pairs(&h);
    return h.count;
}
