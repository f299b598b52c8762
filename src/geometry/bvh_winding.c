/* Generalised winding numbers: the solid angle of the surface over 4 pi [Jacobson2013]. Near triangles count exactly
 * [VanOosterom1983], far clusters by the first three terms of their Taylor series [Barill2018].
 *
 * With r = center - p and the moments A = sum of a n, B = sum of a n d^T, C = sum of a n d d^T over the triangles, where d
 * is the offset from the center, the solid angle is
 *     A . r / |r|^3  +  (tr B - 3 r . B r / |r|^2) / |r|^3
 *                    -  3/2 (2 C_jjk r_k + C_ijj r_i) / |r|^5  +  15/2 C_ijk r_i r_j r_k / |r|^7  +  ... */
#include "geometry/bvh_tree.h"

static const double PI = 3.14159265358979323846;

/* ---- clusters ---------------------------------------------------------------------------------------------------- */

/* Moments of a group of triangles about its center, in the tree's units. */
typedef struct moments {
    double weight; /* sum of areas */
    v3 center;     /* of the areas */
    v3 area;       /* A */
    m3 first;      /* B */
    m3 second[3];  /* C_i: symmetric */
    v3 low, high;
} moments;

static v3 to_tree(const bvh *t, v3 r)
{
    return v3_scale(t->per_m, v3_sub(r, t->center));
}

static moments nothing(void)
{
    return (moments){ .low = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, .high = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
}

/* Without fmin, which costs a call for the sake of NaN; a mesh has none. */
static v3 lowest(v3 a, v3 b)
{
    return v3_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static v3 highest(v3 a, v3 b)
{
    return v3_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

static void add_scaled(m3 *sum, double factor, m3 term)
{
    *sum = m3_add(*sum, m3_scale(factor, term));
}

/* Symmetric outer products are summed by their upper half. */
typedef struct symmetric {
    double xx, yy, zz, xy, xz, yz;
} symmetric;

static void add_square(symmetric *s, double factor, v3 d)
{
    s->xx += factor * d.x * d.x;
    s->yy += factor * d.y * d.y;
    s->zz += factor * d.z * d.z;
    s->xy += factor * d.x * d.y;
    s->xz += factor * d.x * d.z;
    s->yz += factor * d.y * d.z;
}

static m3 to_matrix(const symmetric *s)
{
    return (m3){ { s->xx, s->xy, s->xz, s->xy, s->yy, s->yz, s->xz, s->yz, s->zz } };
}

/* The mean of d d^T over a triangle is (a a^T + b b^T + c c^T + 9 m m^T) / 12, with its middle m. */
static void add_triangle(moments *sum, const v3 corner[3])
{
    v3 a = v3_sub(corner[0], sum->center);
    v3 b = v3_sub(corner[1], sum->center);
    v3 c = v3_sub(corner[2], sum->center);
    v3 middle = v3_scale(1.0 / 3.0, v3_add(a, v3_add(b, c)));
    v3 area = v3_scale(0.5, v3_cross(v3_sub(b, a), v3_sub(c, a)));
    symmetric mean = { 0 };
    add_square(&mean, 1.0 / 12.0, a);
    add_square(&mean, 1.0 / 12.0, b);
    add_square(&mean, 1.0 / 12.0, c);
    add_square(&mean, 9.0 / 12.0, middle);
    sum->area = v3_add(sum->area, area);
    sum->first = m3_add(sum->first, m3_outer(area, middle));
    for (int i = 0; i < 3; ++i) {
        add_scaled(&sum->second[i], v3_get(area, i), to_matrix(&mean));
    }
}

/* Adds a part whose center is d away: (d' + d)(d' + d)^T = d' d'^T + d' d^T + d d'^T + d d^T. */
static void add_part(moments *sum, const moments *part)
{
    v3 d = v3_sub(part->center, sum->center);
    sum->area = v3_add(sum->area, part->area);
    sum->first = m3_add(sum->first, m3_add(part->first, m3_outer(part->area, d)));
    for (int i = 0; i < 3; ++i) {
        v3 row = v3_load(part->first.m + 3 * i);
        m3 *second = &sum->second[i];
        *second = m3_add(*second, part->second[i]);
        *second = m3_add(*second, m3_add(m3_outer(row, d), m3_outer(d, row)));
        add_scaled(second, v3_get(part->area, i), m3_outer(d, d));
    }
}

/* The center of the areas; of the box when there are none. */
static v3 center_of(const moments *sum, v3 weighted)
{
    return sum->weight > 0.0 ? v3_scale(1.0 / sum->weight, weighted) : v3_scale(0.5, v3_add(sum->low, sum->high));
}

static moments add_parts(const moments *part, int count)
{
    moments sum = nothing();
    v3 weighted = v3_zero();
    for (int k = 0; k < count; ++k) {
        sum.weight += part[k].weight;
        weighted = v3_axpy(weighted, part[k].weight, part[k].center);
        sum.low = lowest(sum.low, part[k].low);
        sum.high = highest(sum.high, part[k].high);
    }
    sum.center = center_of(&sum, weighted);
    for (int k = 0; k < count; ++k) {
        add_part(&sum, part + k);
    }
    return sum;
}

/* C_ijk r_i r_j r_k sees the symmetric part of C only: ten numbers. */
static void store_cubic(double cubic[10], const m3 c[3])
{
    const double *x = c[0].m, *y = c[1].m, *z = c[2].m;
    cubic[0] = x[0];                       /* xxx */
    cubic[1] = y[4];                       /* yyy */
    cubic[2] = z[8];                       /* zzz */
    cubic[3] = 2.0 * x[1] + y[0];          /* xxy */
    cubic[4] = 2.0 * x[2] + z[0];          /* xxz */
    cubic[5] = 2.0 * y[1] + x[4];          /* xyy */
    cubic[6] = 2.0 * y[5] + z[4];          /* yyz */
    cubic[7] = 2.0 * z[2] + x[8];          /* xzz */
    cubic[8] = 2.0 * z[5] + y[8];          /* yzz */
    cubic[9] = 2.0 * (x[5] + y[2] + z[1]); /* xyz */
}

static bvh_cluster make_cluster(const moments *m)
{
    v3 reach = highest(v3_sub(m->high, m->center), v3_sub(m->center, m->low));
    bvh_cluster c = { .center = m->center, .radius = v3_norm(reach), .area = m->area, .first = m->first };
    for (int i = 0; i < 3; ++i) {
        v3 row = v3_load(m->second[i].m + 3 * i); /* C_iik, for this i */
        c.second = v3_axpy(c.second, 2.0, row);
    }
    c.second = v3_add(c.second, v3_make(m3_trace(m->second[0]), m3_trace(m->second[1]), m3_trace(m->second[2])));
    store_cubic(c.cubic, m->second);
    return c;
}

static moments add_triangles(v3 (*corner)[3], int count)
{
    moments sum = nothing();
    v3 weighted = v3_zero();
    for (int i = 0; i < count; ++i) {
        const v3 *c = corner[i];
        double weight = 0.5 * v3_norm(v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])));
        sum.weight += weight;
        weighted = v3_axpy(weighted, weight / 3.0, v3_add(c[0], v3_add(c[1], c[2])));
        sum.low = lowest(sum.low, lowest(c[0], lowest(c[1], c[2])));
        sum.high = highest(sum.high, highest(c[0], highest(c[1], c[2])));
    }
    sum.center = center_of(&sum, weighted);
    for (int i = 0; i < count; ++i) {
        add_triangle(&sum, corner[i]);
    }
    return sum;
}

static moments sum_leaf(bvh *t, int leaf)
{
    v3 corner[BVH_LEAF][3];
    int count = bvh_leaf_size(t, leaf);
    for (int i = 0; i < 3 * count; ++i) {
        corner[i / 3][i % 3] = to_tree(t, bvh_corner(t, t->leaves[leaf].triangle[i / 3], i % 3));
    }
    moments sum = add_triangles(corner, count);
    t->leaf_clusters[leaf] = make_cluster(&sum);
    return sum;
}

/* Recursion as deep as the tree, which is balanced. */
static moments sum_node(bvh *t, int node)
{
    moments part[BVH_WIDTH];
    int count = t->nodes[node].count;
    for (int k = 0; k < count; ++k) {
        int child = t->nodes[node].child[k];
        part[k] = child < 0 ? sum_leaf(t, ~child) : sum_node(t, child);
    }
    moments sum = add_parts(part, count);
    t->node_clusters[node] = make_cluster(&sum);
    return sum;
}

carom_status bvh_prepare_winding(bvh *t, carom_error *err)
{
    if (t->node_clusters) {
        return CAROM_OK;
    }
    bvh_cluster *clusters = CAROM_ARENA_ARRAY(&t->arena, bvh_cluster, (size_t)t->node_count + (size_t)t->leaf_count);
    if (!clusters) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the winding numbers of a mesh of %d triangles",
                          t->mesh->triangle_count);
    }
    t->node_clusters = clusters;
    t->leaf_clusters = clusters + t->node_count;
    sum_node(t, 0);
    return CAROM_OK;
}

/* ---- winding numbers --------------------------------------------------------------------------------------------- */

/* A sum of angles as a product of complex numbers x + i y and whole turns: one arc tangent for all of them. */
typedef struct turning {
    double x, y;
    int turns;
} turning;

static void turn_by(turning *s, double x, double y)
{
    double size = fabs(x) + fabs(y);
    if (size == 0.0) {
        return; /* seen from a corner or an edge: no angle */
    }
    x /= size;
    y /= size;
    double x_new = s->x * x - s->y * y;
    double y_new = s->x * y + s->y * x;
    bool forward = s->y >= 0.0 && y >= 0.0;
    bool backward = s->y < 0.0 && y < 0.0;
    s->turns += (forward && y_new < 0.0) - (backward && y_new >= 0.0);
    double norm = 1.0 / (fabs(x_new) + fabs(y_new));
    s->x = norm * x_new;
    s->y = norm * y_new;
}

/* Half the solid angle of the triangle seen from the origin. */
static void turn_by_triangle(turning *s, v3 a, v3 b, v3 c)
{
    double la = v3_norm(a);
    double lb = v3_norm(b);
    double lc = v3_norm(c);
    turn_by(s, la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb, v3_dot(a, v3_cross(b, c)));
}

static void turn_by_leaf(turning *s, const bvh *t, int leaf, v3 p)
{
    for (int lane = 0; lane < bvh_leaf_size(t, leaf); ++lane) {
        int k = t->leaves[leaf].triangle[lane];
        turn_by_triangle(s, v3_scale(t->per_m, v3_sub(bvh_corner(t, k, 0), p)),
                         v3_scale(t->per_m, v3_sub(bvh_corner(t, k, 1), p)),
                         v3_scale(t->per_m, v3_sub(bvh_corner(t, k, 2), p)));
    }
}

static double cubic_form(const double c[10], v3 r)
{
    return r.x * (r.x * (c[0] * r.x + c[3] * r.y + c[4] * r.z) + r.y * (c[5] * r.y + c[9] * r.z)) +
           r.y * r.y * (c[1] * r.y + c[6] * r.z) + r.z * r.z * (c[2] * r.z + c[7] * r.x + c[8] * r.y);
}

static double cluster_angle(const bvh_cluster *c, v3 r)
{
    double per_dist2 = 1.0 / v3_norm2(r);
    double per_dist3 = per_dist2 * sqrt(per_dist2);
    double first = m3_trace(c->first) - 3.0 * per_dist2 * v3_dot(r, m3_mulv(c->first, r));
    double second = 7.5 * per_dist2 * cubic_form(c->cubic, r) - 1.5 * v3_dot(c->second, r);
    return per_dist3 * (v3_dot(c->area, r) + first + per_dist2 * second);
}

/* The series is good to some 1e-3 of a winding number where the cluster is this many radii away. */
static bool is_far(const bvh_cluster *c, v3 r)
{
    const double radii = 2.0;
    return v3_norm2(r) > radii * radii * c->radius * c->radius;
}

double bvh_winding(const bvh *t, v3 p)
{
    if (!v3_finite(p)) {
        return (double)NAN;
    }
    const double farthest = 1e50; /* in the tree's units: nothing to be seen from there */
    v3 at = to_tree(t, p);
    if (!(fabs(at.x) + fabs(at.y) + fabs(at.z) < farthest)) {
        return 0.0;
    }
    int stack[BVH_STACK];
    int count = 1;
    double angle = 0.0;
    turning near = { .x = 1.0 };
    stack[0] = 0;
    while (count > 0) {
        int child = stack[--count];
        const bvh_cluster *c = child < 0 ? t->leaf_clusters + ~child : t->node_clusters + child;
        v3 r = v3_sub(c->center, at);
        if (is_far(c, r)) {
            angle += cluster_angle(c, r);
        } else if (child < 0) {
            turn_by_leaf(&near, t, ~child, p);
        } else {
            for (int k = 0; k < t->nodes[child].count; ++k) {
                stack[count++] = t->nodes[child].child[k];
            }
        }
    }
    angle += 2.0 * (atan2(near.y, near.x) + 2.0 * PI * near.turns);
    return angle / (4.0 * PI);
}
