/* Building the tree: the triangles are halved by the middle of their boxes along the longest axis until eight are left.
 *
 * Halves are multiples of eight, so leaf k holds the items 8 k .. 8 k + 7 and the tree is balanced whatever the mesh: its
 * depth, and with it the stack of a search, is bounded by the number of triangles. Halving is by bisection of integer
 * coordinates, hence O(n log n) also for equal or hostile ones. */
#include "geometry/bvh_tree.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* A triangle by its middle, in steps of 2^-29 of the tree's units. */
typedef struct item {
    int middle[3];
    int triangle;
} item;

typedef struct range {
    int first, count;
} range;

static v3 to_tree(const bvh *t, v3 r)
{
    return v3_scale(t->per_m, v3_sub(r, t->center));
}

static int key_of(double low, double high)
{
    return (int)((1.0 + 0.5 * (low + high)) * 0x1p29); /* from [-1, 1] */
}

static int middle_key(double a, double b, double c)
{
    double low = a < b ? a : b;
    double high = a < b ? b : a;
    return key_of(c < low ? c : low, c > high ? c : high);
}

static item make_item(const bvh *t, int triangle)
{
    v3 a = to_tree(t, bvh_corner(t, triangle, 0));
    v3 b = to_tree(t, bvh_corner(t, triangle, 1));
    v3 c = to_tree(t, bvh_corner(t, triangle, 2));
    return (item){ .middle = { middle_key(a.x, b.x, c.x), middle_key(a.y, b.y, c.y), middle_key(a.z, b.z, c.z) },
                   .triangle = triangle };
}

/* ---- halving ----------------------------------------------------------------------------------------------------- */

typedef struct extent {
    int axis;
    int low, high;
} extent;

static extent longest_extent(const item *items, range r)
{
    int low[3] = { INT_MAX, INT_MAX, INT_MAX };
    int high[3] = { INT_MIN, INT_MIN, INT_MIN };
    for (int i = r.first; i < r.first + r.count; ++i) {
        for (int d = 0; d < 3; ++d) {
            int x = items[i].middle[d];
            low[d] = x < low[d] ? x : low[d];
            high[d] = x > high[d] ? x : high[d];
        }
    }
    extent e = { 0, low[0], high[0] };
    for (int d = 1; d < 3; ++d) {
        if (high[d] - low[d] > e.high - e.low) {
            e = (extent){ d, low[d], high[d] };
        }
    }
    return e;
}

/* Moves items below or at `pivot` to the front; returns their number. */
static int partition(item *items, int count, int axis, int pivot)
{
    int front = 0;
    for (int i = 0; i < count; ++i) {
        item x = items[i];
        items[i] = items[front];
        items[front] = x;
        front += x.middle[axis] <= pivot;
    }
    return front;
}

/* Orders the range so that its first `half` items are not beyond the others along the axis. The interval that holds the
 * middle is bisected: at most 30 passes over what is left, two in all when the items are spread evenly. */
static void halve(item *items, range r, int half, extent e)
{
    item *part = items + r.first;
    int count = r.count;
    while (e.low < e.high && half > 0 && half < count) {
        int pivot = e.low + (e.high - e.low) / 2;
        int front = partition(part, count, e.axis, pivot);
        if (half < front) {
            count = front;
            e.high = pivot;
        } else {
            part += front;
            count -= front;
            half -= front;
            e.low = pivot + 1;
        }
    }
}

/* Into one or two ranges; items NULL: only counted. */
static int split(item *items, range r, range out[2])
{
    if (r.count <= BVH_LEAF) {
        out[0] = r;
        return 1;
    }
    int half = (r.count / 2 + BVH_LEAF - 1) / BVH_LEAF * BVH_LEAF;
    if (items) {
        halve(items, r, half, longest_extent(items, r));
    }
    out[0] = (range){ r.first, half };
    out[1] = (range){ r.first + half, r.count - half };
    return 2;
}

/* In three rounds of halving. */
static int split_in_eight(item *items, range r, range out[BVH_WIDTH])
{
    int count = 1;
    out[0] = r;
    for (int round = 0; round < 3; ++round) {
        range halves[BVH_WIDTH];
        int half_count = 0;
        for (int i = 0; i < count; ++i) {
            half_count += split(items, out[i], halves + half_count);
        }
        count = half_count;
        memcpy(out, halves, (size_t)count * sizeof *out);
    }
    return count;
}

/* ---- leaves and nodes -------------------------------------------------------------------------------------------- */

typedef struct box {
    float low[3], high[3];
} box;

static box empty_box(void)
{
    return (box){ { HUGE_VALF, HUGE_VALF, HUGE_VALF }, { -HUGE_VALF, -HUGE_VALF, -HUGE_VALF } };
}

static void box_add(box *b, const box *other)
{
    for (int d = 0; d < 3; ++d) {
        b->low[d] = other->low[d] < b->low[d] ? other->low[d] : b->low[d];
        b->high[d] = other->high[d] > b->high[d] ? other->high[d] : b->high[d];
    }
}

/* One step outwards: the float is at most half a step off. */
static void box_add_point(box *b, v3 r)
{
    for (int d = 0; d < 3; ++d) {
        float x = (float)v3_get(r, d);
        float step = fabsf(x) * FLT_EPSILON + FLT_MIN;
        b->low[d] = x - step < b->low[d] ? x - step : b->low[d];
        b->high[d] = x + step > b->high[d] ? x + step : b->high[d];
    }
}

static void store_lane(float (*rows)[BVH_LEAF], int lane, v3 value)
{
    rows[0][lane] = (float)value.x;
    rows[1][lane] = (float)value.y;
    rows[2][lane] = (float)value.z;
}

static float inverse(double length2)
{
    const double shortest2 = 1e-30; /* far below float's resolution of the mesh */
    return length2 > shortest2 ? (float)(1.0 / length2) : 0.0f;
}

static void fill_lane(bvh_leaf *leaf, int lane, const v3 corner[3])
{
    const double flat = 1e-7; /* height over length: the face is nearer than its edges by less than float resolves */
    v3 ab = v3_sub(corner[1], corner[0]);
    v3 ac = v3_sub(corner[2], corner[0]);
    v3 n = v3_cross(ab, ac);
    double twice_area = v3_norm(n);
    bool has_face = twice_area > flat * fmax(v3_norm2(ab), v3_norm2(ac));
    store_lane(leaf->a, lane, corner[0]);
    store_lane(leaf->ab, lane, ab);
    store_lane(leaf->ac, lane, ac);
    store_lane(leaf->normal, lane, has_face ? v3_scale(1.0 / twice_area, n) : v3_zero());
    leaf->twice_area[lane] = has_face ? (float)twice_area : 0.0f;
    leaf->inv_ab2[lane] = inverse(v3_norm2(ab));
    leaf->inv_ac2[lane] = inverse(v3_norm2(ac));
    leaf->inv_bc2[lane] = inverse(v3_norm2(v3_sub(ac, ab)));
}

static box fill_leaf(bvh *t, const item *items, range r)
{
    bvh_leaf *leaf = t->leaves + r.first / BVH_LEAF;
    box b = empty_box();
    for (int lane = 0; lane < BVH_LEAF; ++lane) {
        int triangle = items[r.first + (lane < r.count ? lane : 0)].triangle;
        v3 *exact = t->corners[r.first + lane].corner;
        v3 corner[3];
        for (int k = 0; k < 3; ++k) {
            exact[k] = bvh_corner(t, triangle, k);
            corner[k] = to_tree(t, exact[k]);
            box_add_point(&b, corner[k]);
        }
        leaf->triangle[lane] = triangle;
        fill_lane(leaf, lane, corner);
    }
    return b;
}

/* ---- the axes of a node ------------------------------------------------------------------------------------------- */

enum { LARGEST_PATCH = 512 }; /* triangles; larger ones are seldom thin */

/* The directed area of the triangles from..to - 1, and the sum of their areas. */
static v3 patch_area(const bvh_leaf *from, const bvh_leaf *to, double *area)
{
    v3 sum = v3_zero();
    *area = 0.0;
    for (const bvh_leaf *leaf = from; leaf < to; ++leaf) {
        for (int k = 0; k < BVH_LEAF; ++k) {
            double size = (double)leaf->twice_area[k];
            *area += size;
            sum = v3_axpy(sum, size,
                          v3_make((double)leaf->normal[0][k], (double)leaf->normal[1][k],
                                  (double)leaf->normal[2][k]));
        }
    }
    return sum;
}

static void set_axis(bvh_node *node, int d, v3 axis)
{
    node->axes[d][0] = (float)axis.x;
    node->axes[d][1] = (float)axis.y;
    node->axes[d][2] = (float)axis.z;
}

/* The normal of the patch, and in its plane the line in which a plane of the coordinates cuts it, as halving does. */
static bool choose_axes(bvh_node *node, const bvh_leaf *from, const bvh_leaf *to)
{
    const double flat = 0.2; /* share of the area that faces one way; a whole tube has none */
    double area;
    v3 sum = patch_area(from, to, &area);
    double size = v3_norm(sum);
    bool turned = (to - from) * BVH_LEAF <= LARGEST_PATCH && size > flat * area;
    v3 normal = turned ? v3_scale(1.0 / size, sum) : v3_make(0, 0, 1);
    v3 other = fabs(normal.x) < fabs(normal.y) ? v3_make(1, 0, 0) : v3_make(0, 1, 0);
    if (fabs(normal.z) < fabs(normal.x) && fabs(normal.z) < fabs(normal.y)) {
        other = v3_make(0, 0, 1);
    }
    v3 first = turned ? v3_unit(v3_cross(normal, other)) : v3_make(1, 0, 0);
    set_axis(node, 0, first);
    set_axis(node, 1, v3_cross(normal, first));
    set_axis(node, 2, normal);
    return turned;
}

/* Along an axis: the range of the corners of the leaf's triangles. */
static void add_leaf_along(const bvh_leaf *leaf, const float axis[3], float *low, float *high)
{
    float least[BVH_LEAF], most[BVH_LEAF];
    for (int k = 0; k < BVH_LEAF; ++k) {
        float a = axis[0] * leaf->a[0][k] + axis[1] * leaf->a[1][k] + axis[2] * leaf->a[2][k];
        float b = a + (axis[0] * leaf->ab[0][k] + axis[1] * leaf->ab[1][k] + axis[2] * leaf->ab[2][k]);
        float c = a + (axis[0] * leaf->ac[0][k] + axis[1] * leaf->ac[1][k] + axis[2] * leaf->ac[2][k]);
        float ab_least = a < b ? a : b;
        float ab_most = a < b ? b : a;
        least[k] = c < ab_least ? c : ab_least;
        most[k] = c > ab_most ? c : ab_most;
    }
    for (int k = 0; k < BVH_LEAF; ++k) {
        *low = least[k] < *low ? least[k] : *low;
        *high = most[k] > *high ? most[k] : *high;
    }
}

static box box_along_axes(const bvh_node *node, const bvh_leaf *from, const bvh_leaf *to)
{
    const float rounding = 0x1p-20f; /* of offsets, of their sums and of the products with the axes, in all */
    box b = empty_box();
    for (int d = 0; d < 3; ++d) {
        for (const bvh_leaf *leaf = from; leaf < to; ++leaf) {
            add_leaf_along(leaf, node->axes[d], &b.low[d], &b.high[d]);
        }
        b.low[d] -= rounding;
        b.high[d] += rounding;
    }
    return b;
}

/* ---- nodes -------------------------------------------------------------------------------------------------------- */

static void set_child_box(float (*low)[BVH_WIDTH], float (*high)[BVH_WIDTH], int k, const box *b)
{
    for (int d = 0; d < 3; ++d) {
        low[d][k] = b->low[d];
        high[d][k] = b->high[d];
    }
}

static const bvh_leaf *first_leaf(const bvh *t, range r)
{
    return t->leaves + r.first / BVH_LEAF;
}

static const bvh_leaf *end_leaf(const bvh *t, range r)
{
    return t->leaves + (r.first + r.count + BVH_LEAF - 1) / BVH_LEAF;
}

static const box nowhere = { { HUGE_VALF, HUGE_VALF, HUGE_VALF }, { HUGE_VALF, HUGE_VALF, HUGE_VALF } };

/* Turns the boxes of the children, whose leaves are filled, along the axes of the node. */
static void turn_boxes(const bvh *t, bvh_node *node, range r, const range parts[BVH_WIDTH])
{
    if (!choose_axes(node, first_leaf(t, r), end_leaf(t, r))) {
        memcpy(node->low, node->upright_low, sizeof node->low);
        memcpy(node->high, node->upright_high, sizeof node->high);
        return;
    }
    for (int k = 0; k < BVH_WIDTH; ++k) {
        box b = k < node->count ? box_along_axes(node, first_leaf(t, parts[k]), end_leaf(t, parts[k])) : nowhere;
        set_child_box(node->low, node->high, k, &b);
    }
}

/* Recursion as deep as the tree: an eighth of the items per level. */
static box fill_node(bvh *t, item *items, range r)
{
    bvh_node *node = t->nodes + t->node_count++;
    range parts[BVH_WIDTH];
    node->count = split_in_eight(items, r, parts);
    box sum = empty_box();
    for (int k = 0; k < BVH_WIDTH; ++k) {
        box b = nowhere;
        if (k < node->count) {
            bool is_leaf = parts[k].count <= BVH_LEAF;
            node->child[k] = is_leaf ? ~(parts[k].first / BVH_LEAF) : t->node_count;
            b = is_leaf ? fill_leaf(t, items, parts[k]) : fill_node(t, items, parts[k]);
            box_add(&sum, &b);
        }
        set_child_box(node->upright_low, node->upright_high, k, &b);
    }
    turn_boxes(t, node, r, parts);
    return sum;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* The power of two that brings the mesh into [-1, 1]^3 about its middle; 1 for a point. */
static void choose_units(bvh *t)
{
    v3 low, high;
    mesh_bounds(&low, &high, t->mesh);
    t->center = v3_axpy(low, 0.5, v3_sub(high, low));
    v3 half = v3_sub(high, t->center);
    v3 other = v3_sub(t->center, low);
    double size = fmax(fmax(fmax(half.x, half.y), half.z), fmax(fmax(other.x, other.y), other.z));
    int exponent = 0;
    if (size > DBL_MIN) {
        frexp(size, &exponent);
    }
    t->per_m = ldexp(1.0, -exponent);
}

static carom_status no_memory(const mesh *m, carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the search tree of a mesh of %d triangles",
                      m->triangle_count);
}

/* How many nodes fill_node makes of that many triangles: halves depend on the number only. */
static int count_nodes(int count)
{
    range parts[BVH_WIDTH];
    int part_count = split_in_eight(NULL, (range){ 0, count }, parts);
    int sum = 1;
    for (int k = 0; k < part_count; ++k) {
        sum += parts[k].count > BVH_LEAF ? count_nodes(parts[k].count) : 0;
    }
    return sum;
}

static bool allocate(bvh *t)
{
    int count = t->mesh->triangle_count;
    t->leaf_count = (count + BVH_LEAF - 1) / BVH_LEAF;
    t->nodes = CAROM_ARENA_ARRAY(&t->arena, bvh_node, count_nodes(count));
    t->leaves = CAROM_ARENA_ARRAY(&t->arena, bvh_leaf, t->leaf_count);
    t->corners = CAROM_ARENA_ARRAY(&t->arena, bvh_corners, (size_t)t->leaf_count * BVH_LEAF);
    return !t->arena.failed;
}

static carom_status build(bvh *t, carom_error *err)
{
    int count = t->mesh->triangle_count;
    item *items = malloc((size_t)count * sizeof *items);
    if (!items || !allocate(t)) {
        free(items);
        return no_memory(t->mesh, err);
    }
    choose_units(t);
    for (int i = 0; i < count; ++i) {
        items[i] = make_item(t, i);
    }
    fill_node(t, items, (range){ 0, count });
    CAROM_ASSERT(t->node_count == count_nodes(count));
    free(items);
    return bvh_find_normals(t, err);
}

static carom_status check_mesh(const mesh *m, carom_error *err)
{
    if (m->triangle_count < 1) {
        return carom_fail(err, CAROM_BAD_INPUT, "a mesh without triangles has no surface to search");
    }
    for (int i = 0; i < m->vertex_count; ++i) {
        if (!v3_finite(m->vertices[i])) {
            return carom_fail(err, CAROM_BAD_INPUT, "vertex %d of a mesh is not finite", i);
        }
    }
    return CAROM_OK;
}

carom_status bvh_create_plain(bvh **out, const mesh *m, carom_error *err)
{
    *out = NULL;
    carom_status status = check_mesh(m, err);
    if (status != CAROM_OK) {
        return status;
    }
    bvh *t = calloc(1, sizeof *t);
    if (!t) {
        return no_memory(m, err);
    }
    t->mesh = m;
    t->wide = bvh_has_avx2();
    status = build(t, err);
    if (status != CAROM_OK) {
        bvh_destroy(t);
        return status;
    }
    *out = t;
    return CAROM_OK;
}

carom_status bvh_create(bvh **out, const mesh *m, carom_error *err)
{
    carom_status status = bvh_create_plain(out, m, err);
    status = status == CAROM_OK ? bvh_prepare_winding(*out, err) : status;
    if (status != CAROM_OK) {
        bvh_destroy(*out);
        *out = NULL;
    }
    return status;
}

void bvh_destroy(bvh *t)
{
    if (t) {
        carom_arena_free(&t->arena);
        free(t);
    }
}
