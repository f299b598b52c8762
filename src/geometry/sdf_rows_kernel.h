/* The comparison of sdf_rows.h, for the file that includes it to compile. */
#ifndef CAROM_GEOMETRY_SDF_ROWS_KERNEL_H
#define CAROM_GEOMETRY_SDF_ROWS_KERNEL_H

#include <string.h>

#include "geometry/sdf_rows.h"

/* A triangle (a, a + ab, a + ac) with what every node asks of it. */
typedef struct row_triangle {
    v3 a, ab, ac, bc, normal;
    double ab_ab, ab_ac, ac_ac, per_det;
    double per_ab, per_ac, per_bc; /* one over squared lengths */
    v3 low, high;
    double number;
} row_triangle;

static row_triangle prepare(const mesh *m, int32_t t)
{
    v3 a = m->vertices[m->triangles[t][0]];
    v3 b = m->vertices[m->triangles[t][1]];
    v3 c = m->vertices[m->triangles[t][2]];
    row_triangle r = { .a = a, .ab = v3_sub(b, a), .ac = v3_sub(c, a), .bc = v3_sub(c, b), .number = t };
    r.normal = v3_unit(v3_cross(r.ab, r.ac));
    r.ab_ab = v3_norm2(r.ab);
    r.ab_ac = v3_dot(r.ab, r.ac);
    r.ac_ac = v3_norm2(r.ac);
    r.per_det = 1.0 / (r.ab_ab * r.ac_ac - r.ab_ac * r.ab_ac);
    r.per_ab = 1.0 / r.ab_ab;
    r.per_ac = 1.0 / r.ac_ac;
    r.per_bc = 1.0 / v3_norm2(r.bc);
    r.low = v3_make(fmin(a.x, fmin(b.x, c.x)), fmin(a.y, fmin(b.y, c.y)), fmin(a.z, fmin(b.z, c.z)));
    r.high = v3_make(fmax(a.x, fmax(b.x, c.x)), fmax(a.y, fmax(b.y, c.y)), fmax(a.z, fmax(b.z, c.z)));
    return r;
}

/* Four nodes of a row, as GCC and Clang vectors: two instructions' worth without AVX2. */
typedef double quad __attribute__((vector_size(32)));
typedef int64_t quad_mask __attribute__((vector_size(32)));

typedef struct quad_point {
    quad x, y, z;
} quad_point;

/* Where yes: a, elsewhere: b. */
#define CHOOSE(yes, a, b) ((quad)(((yes) & (quad_mask)(a)) | (~(yes) & (quad_mask)(b))))
#define LESSER(a, b) CHOOSE((a) < (b), (a), (b))
#define DOT(p, v) ((p).x * (v).x + (p).y * (v).y + (p).z * (v).z)

/* Squared distance of p (from the start of an edge) to the edge; `along` is p.edge over the edge's squared length. */
#define EDGE_DIST2(out, p, edge, along)                                                          \
    do {                                                                                         \
        quad t_ = (along);                                                                       \
        t_ = CHOOSE(t_ > 0.0, t_, (quad){ 0 });                                                  \
        t_ = LESSER(t_, one);                                                                    \
        quad_point r_ = { (p).x - t_ * (edge).x, (p).y - t_ * (edge).y, (p).z - t_ * (edge).z }; \
        (out) = DOT(r_, r_);                                                                     \
    } while (0)

/* Over the face the distance is that to the plane, elsewhere that to the nearest edge. Four nodes at x, all at y and z
 * (from the triangle's first corner). */
static inline void quad_dist2(quad *out, const row_triangle *t, const quad *x, double y, double z)
{
    const quad one = { 1.0, 1.0, 1.0, 1.0 };
    quad_point p = { *x, (quad){ y, y, y, y }, (quad){ z, z, z, z } };
    quad_point q = { p.x - t->ab.x, p.y - t->ab.y, p.z - t->ab.z };
    quad d1 = DOT(p, t->ab);
    quad d2 = DOT(p, t->ac);
    quad v = (d1 * t->ac_ac - d2 * t->ab_ac) * t->per_det;
    quad w = (d2 * t->ab_ab - d1 * t->ab_ac) * t->per_det;
    quad off = DOT(p, t->normal);
    quad ab, ac, bc;
    EDGE_DIST2(ab, p, t->ab, d1 * t->per_ab);
    EDGE_DIST2(ac, p, t->ac, d2 * t->per_ac);
    EDGE_DIST2(bc, q, t->bc, DOT(q, t->bc) * t->per_bc);
    quad edge = LESSER(ab, ac);
    edge = LESSER(edge, bc);
    quad third = one - v - w;
    quad_mask on_face = (v >= 0.0) & (w >= 0.0) & (third >= 0.0);
    *out = CHOOSE(on_face, off * off, edge);
}

/* Squared gap between the range first .. last and the range low .. high. */
static inline double range_gap2(double first, double last, double low, double high)
{
    double gap = last < low ? low - last : first > high ? first - high : 0.0;
    return gap * gap;
}

/* Half a row: four nodes at y and z (from the triangle's first corner). */
static inline void compare_half(sdf_rows *rows, int row, int half, const row_triangle *t, double y, double z)
{
    quad x, found, dist2, nearest;
    double *row_dist2 = rows->dist2[row] + 4 * half;
    double *row_nearest = rows->nearest[row] + 4 * half;
    memcpy(&x, rows->x + 4 * half, sizeof x);
    memcpy(&dist2, row_dist2, sizeof dist2);
    memcpy(&nearest, row_nearest, sizeof nearest);
    x -= t->a.x;
    quad_dist2(&found, t, &x, y, z);
    quad number = { t->number, t->number, t->number, t->number };
    nearest = CHOOSE(found < dist2, number, nearest);
    dist2 = LESSER(found, dist2);
    memcpy(row_dist2, &dist2, sizeof dist2);
    memcpy(row_nearest, &nearest, sizeof nearest);
    quad other = __builtin_shuffle(dist2, (quad_mask){ 2, 3, 0, 1 });
    quad pairs = CHOOSE(dist2 > other, dist2, other);
    rows->farthest2[row][half] = pairs[0] > pairs[1] ? pairs[0] : pairs[1];
}

/* The layers of nodes that are near enough to a range: their squared gaps, and the first and one behind the last. */
typedef struct near_layers {
    double gap2[ROW];
    int first, end;
} near_layers;

static inline near_layers layers_near(const double *at, double low, double high, double limit2)
{
    near_layers n = { .first = ROW };
    for (int i = 0; i < ROW; ++i) {
        n.gap2[i] = range_gap2(at[i], at[i], low, high);
        n.first = n.gap2[i] < limit2 && i < n.first ? i : n.first;
        n.end = n.gap2[i] < limit2 ? i + 1 : n.end;
    }
    return n;
}

/* What the box of the triangle is too far from is left out. */
static void compare_triangle(sdf_rows *rows, const row_triangle *t)
{
    near_layers y = layers_near(rows->y, t->low.y, t->high.y, rows->limit2);
    near_layers z = layers_near(rows->z, t->low.z, t->high.z, rows->limit2);
    for (int half = 0; half < HALVES; ++half) {
        double gap2_x = range_gap2(rows->x[4 * half], rows->x[4 * half + 3], t->low.x, t->high.x);
        for (int k = z.first; k < z.end; ++k) {
            for (int j = y.first; j < y.end; ++j) {
                if (gap2_x + y.gap2[j] + z.gap2[k] < rows->farthest2[ROW * k + j][half]) {
                    compare_half(rows, ROW * k + j, half, t, rows->y[j] - t->a.y, rows->z[k] - t->a.z);
                }
            }
        }
    }
}

/* Every sixteenth first: neighbours in the list are neighbours in space, so that the first few bring every node near its
 * distance, and most of the others are left out. */
static void compare_all(sdf_rows *rows, const mesh *m, const int32_t *triangles, int count)
{
    enum { SPREAD = 16 };
    for (int first = 0; first < SPREAD; ++first) {
        for (int n = first; n < count; n += SPREAD) {
            row_triangle t = prepare(m, triangles[n]);
            compare_triangle(rows, &t);
        }
    }
}

#endif
