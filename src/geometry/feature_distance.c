#include "geometry/feature_distance.h"

#include <string.h>

#include "geometry/triangle_nearest.h"

static double clamp01(double s)
{
    return s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
}

static feature_distance between(v3 a, v3 b)
{
    v3 offset = v3_sub(a, b);
    double distance = v3_norm(offset);
    v3 normal = distance > 0.0 ? v3_scale(1.0 / distance, offset) : v3_zero();
    return (feature_distance){ .distance = distance, .normal = normal, .point = { a, b } };
}

static void add_slide(feature_distance *d, v3 direction, int owner)
{
    d->slide[d->slides] = direction;
    d->owner[d->slides++] = owner;
}

feature_distance vertex_vertex_distance(v3 a, v3 b)
{
    return between(a, b);
}

feature_distance vertex_edge_distance(v3 a, const v3 b[2])
{
    v3 edge = v3_sub(b[1], b[0]);
    double length2 = v3_norm2(edge);
    double along = v3_dot(edge, v3_sub(a, b[0]));
    if (!(along > 0.0)) {
        return between(a, b[0]);
    }
    if (along >= length2) {
        return between(a, b[1]);
    }
    feature_distance d = between(a, v3_axpy(b[0], along / length2, edge));
    add_slide(&d, edge, 1);
    return d;
}

/* Distance and normal from the plane of the triangle: weights of the corners lose digits on needles. */
static feature_distance to_face(v3 a, const v3 b[3], v3 foot)
{
    v3 edges[2] = { v3_sub(b[1], b[0]), v3_sub(b[2], b[0]) };
    v3 n = v3_cross(edges[0], edges[1]);
    double size = v3_norm(n);
    double height = v3_dot(n, v3_sub(a, b[0]));
    if (!(fabs(height) > 0.0)) {
        return between(a, foot);
    }
    double side = height > 0.0 ? 1.0 : -1.0;
    feature_distance d = { .distance = fabs(height) / size, .normal = v3_scale(side / size, n) };
    d.point[0] = a;
    d.point[1] = v3_axpy(a, -d.distance, d.normal);
    add_slide(&d, edges[0], 1);
    add_slide(&d, edges[1], 1);
    return d;
}

feature_distance vertex_triangle_distance(v3 a, const v3 b[3])
{
    nearest_point near = triangle_nearest(a, b[0], b[1], b[2]);
    if (near.feature == FEATURE_FACE) {
        return to_face(a, b, near.point);
    }
    if (near.feature < FEATURE_EDGE) {
        return between(a, b[near.feature]);
    }
    int k = near.feature - FEATURE_EDGE;
    feature_distance d = between(a, near.point);
    add_slide(&d, v3_sub(b[(k + 1) % 3], b[k]), 1);
    return d;
}

/* The nearest of the four pairs of an end and an edge. */
static feature_distance nearest_end(const v3 a[2], const v3 b[2])
{
    feature_distance best = vertex_edge_distance(a[0], b);
    for (int k = 1; k < 4; ++k) {
        feature_distance other = k < 2 ? vertex_edge_distance(a[k], b)
                                       : feature_distance_swap(vertex_edge_distance(b[k - 2], a));
        best = other.distance < best.distance ? other : best;
    }
    return best;
}

/* Two edges that are not parallel, and where on them they are nearest. */
typedef struct crossing {
    v3 u, v;       /* the edges */
    v3 across;     /* u x v */
    bool parallel; /* so nearly that the crossing is noise: nothing below is known */
    double s, t;
} crossing;

static inline crossing crossing_of(const v3 a[2], const v3 b[2])
{
    static const double PARALLEL = 1e-10; /* sine^2: below, the crossing is noise and an end is as near to 1e-10 */
    crossing c = { .u = v3_sub(a[1], a[0]), .v = v3_sub(b[1], b[0]) };
    v3 r = v3_sub(a[0], b[0]);
    double uu = v3_norm2(c.u);
    double vv = v3_norm2(c.v);
    double uv = v3_dot(c.u, c.v);
    c.across = v3_cross(c.u, c.v);
    double across2 = v3_norm2(c.across); /* uu vv - uv^2 without its cancellation */
    c.parallel = !(across2 > PARALLEL * uu * vv);
    if (c.parallel) {
        return c;
    }
    double ur = v3_dot(c.u, r);
    double vr = v3_dot(c.v, r);
    c.s = clamp01((uv * vr - ur * vv) / across2);
    c.t = (uv * c.s + vr) / vv;
    if (c.t <= 0.0 || c.t >= 1.0) {
        c.t = clamp01(c.t);
        c.s = clamp01((uv * c.t - ur) / uu);
    }
    return c;
}

feature_distance edge_edge_distance(const v3 a[2], const v3 b[2])
{
    crossing c = crossing_of(a, b);
    if (c.parallel) {
        return nearest_end(a, b);
    }
    feature_distance d = between(v3_axpy(a[0], c.s, c.u), v3_axpy(b[0], c.t, c.v));
    if (c.s > 0.0 && c.s < 1.0) {
        add_slide(&d, c.u, 0);
    }
    if (c.t > 0.0 && c.t < 1.0) {
        add_slide(&d, c.v, 1);
    }
    return d;
}

/* ---- normals alone ---------------------------------------------------------------------------------------------------- */

static inline v3 unit_or_zero(v3 a)
{
    double size = v3_norm(a);
    return size > 0.0 ? v3_scale(1.0 / size, a) : v3_zero();
}

v3 vertex_triangle_normal(v3 a, const v3 b[3])
{
    nearest_point near = triangle_nearest(a, b[0], b[1], b[2]);
    if (near.feature != FEATURE_FACE) {
        return unit_or_zero(near.offset);
    }
    v3 n = v3_cross(v3_sub(b[1], b[0]), v3_sub(b[2], b[0]));
    double height = v3_dot(n, v3_sub(a, b[0]));
    return unit_or_zero(height > 0.0 ? n : height < 0.0 ? v3_neg(n) : near.offset);
}

static inline v3 vertex_edge_offset(v3 a, const v3 b[2])
{
    v3 edge = v3_sub(b[1], b[0]);
    v3 from = v3_sub(a, b[0]);
    double along = v3_dot(edge, from);
    double length2 = v3_norm2(edge);
    return !(along > 0.0) ? from : along >= length2 ? v3_sub(a, b[1]) : v3_axpy(from, -along / length2, edge);
}

/* From b to a, between the nearest of the four pairs of an end and an edge. */
static v3 nearest_end_offset(const v3 a[2], const v3 b[2])
{
    v3 offset[4] = { vertex_edge_offset(a[0], b), vertex_edge_offset(a[1], b), v3_neg(vertex_edge_offset(b[0], a)),
                     v3_neg(vertex_edge_offset(b[1], a)) };
    v3 best = offset[0];
    for (int k = 1; k < 4; ++k) {
        best = v3_norm2(offset[k]) < v3_norm2(best) ? offset[k] : best;
    }
    return best;
}

/* Edges that are nearest inside both of them: u x v, which is across them, turned from b to a; zero: elsewhere, or the offset of
 * the nearest points has more digits. These are lost to the sine of the edges here, to the distance over the length there. */
static inline v3 inner_normal(const v3 a[2], const v3 b[2])
{
    v3 u = v3_sub(a[1], a[0]);
    v3 v = v3_sub(b[1], b[0]);
    v3 r = v3_sub(a[0], b[0]);
    v3 across = v3_cross(u, v);
    double uu = v3_norm2(u);
    double vv = v3_norm2(v);
    double uv = v3_dot(u, v);
    double ur = v3_dot(u, r);
    double vr = v3_dot(v, r);
    double across2 = v3_norm2(across);
    double s = uv * vr - ur * vv;
    double t = uu * vr - uv * ur;
    double height = v3_dot(across, r); /* the distance times |across| */
    double longer2 = uu > vv ? uu : vv;
    bool inside = s > 0.0 && s < across2 && t > 0.0 && t < across2;
    if (inside && across2 * across2 * longer2 > height * height * uu * vv) {
        return height < 0.0 ? v3_neg(across) : across;
    }
    return v3_zero();
}

v3 edge_edge_normal(const v3 a[2], const v3 b[2])
{
    v3 n = inner_normal(a, b);
    if (v3_norm2(n) > 0.0) {
        return v3_unit(n);
    }
    crossing c = crossing_of(a, b);
    return unit_or_zero(c.parallel ? nearest_end_offset(a, b)
                                   : v3_sub(v3_axpy(a[0], c.s, c.u), v3_axpy(b[0], c.t, c.v)));
}

/* ---- distances alone -------------------------------------------------------------------------------------------------- */

double vertex_triangle_apart(v3 a, const v3 b[3])
{
    nearest_point near = triangle_nearest(a, b[0], b[1], b[2]);
    if (near.feature != FEATURE_FACE) {
        return sqrt(near.dist2);
    }
    v3 n = v3_cross(v3_sub(b[1], b[0]), v3_sub(b[2], b[0]));
    double height = fabs(v3_dot(n, v3_sub(a, b[0])));
    return height > 0.0 ? height / v3_norm(n) : sqrt(near.dist2);
}

double edge_edge_apart(const v3 a[2], const v3 b[2])
{
    crossing c = crossing_of(a, b);
    return v3_norm(c.parallel ? nearest_end_offset(a, b) : v3_sub(v3_axpy(a[0], c.s, c.u), v3_axpy(b[0], c.t, c.v)));
}

feature_distance feature_distance_swap(feature_distance d)
{
    v3 point = d.point[0];
    d.point[0] = d.point[1];
    d.point[1] = point;
    d.normal = v3_neg(d.normal);
    double rounding = d.rounding[0];
    d.rounding[0] = d.rounding[1];
    d.rounding[1] = rounding;
    for (int k = 0; k < d.slides; ++k) {
        d.owner[k] = 1 - d.owner[k];
    }
    return d;
}

/* ---- derivatives ---------------------------------------------------------------------------------------------------- */

/* J' x: what a force x on the closest point of A, and -x on that of B, does along the twists of both bodies. */
static void put_force(double out[TWIST_PAIR], v3 x, const v3 arm[2])
{
    v3_store(out, x);
    v3_store(out + 3, v3_cross(arm[0], x));
    v3_store(out + 6, v3_neg(x));
    v3_store(out + 9, v3_cross(x, arm[1]));
}

void feature_distance_gradient(const feature_distance *d, const v3 arm[2], double out[TWIST_PAIR])
{
    put_force(out, d->normal, arm);
}

static void add_outer(double out[TWIST_PAIR][TWIST_PAIR], double factor, const double *a, const double *b)
{
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = 0; k < TWIST_PAIR; ++k) {
            out[i][k] += factor * a[i] * b[k];
        }
    }
}

/* J' T T' J / d: the relative displacement across n and across the slides turns n. */
static void add_turning_of_normal(double out[TWIST_PAIR][TWIST_PAIR], const feature_distance *d, const v3 arm[2])
{
    v3 across[2];
    int count = 0;
    if (d->slides == 0) {
        across[count++] = v3_across(d->normal);
        across[count++] = v3_cross(d->normal, across[0]);
    } else if (d->slides == 1) {
        across[count++] = v3_unit(v3_cross(d->normal, d->slide[0]));
    }
    for (int k = 0; k < count; ++k) {
        double row[TWIST_PAIR];
        put_force(row, across[k], arm);
        add_outer(out, 1.0 / d->distance, row, row);
    }
}

/* G = (D' D)^-1 of the slides. */
static void inverse_gram(double G[2][2], const feature_distance *d)
{
    double aa = v3_norm2(d->slide[0]);
    memset(G, 0, 4 * sizeof(double));
    if (d->slides == 1) {
        G[0][0] = 1.0 / aa;
        return;
    }
    double bb = v3_norm2(d->slide[1]);
    double ab = v3_dot(d->slide[0], d->slide[1]);
    double det = v3_norm2(v3_cross(d->slide[0], d->slide[1]));
    G[0][0] = bb / det;
    G[1][1] = aa / det;
    G[0][1] = G[1][0] = -ab / det;
}

/* -Z W' - W Z' of one slide, with Z = (J'D + d W / 2) G. W has numbers in the turn of the slide's owner alone. */
static void add_turned(double out[TWIST_PAIR][TWIST_PAIR], const feature_distance *d, const double G[2],
                       double along[2][TWIST_PAIR], double turn[2][TWIST_PAIR], int k)
{
    int first = d->owner[k] == 0 ? 3 : 9;
    for (int i = 0; i < TWIST_PAIR; ++i) {
        double z = 0.0;
        for (int n = 0; n < d->slides; ++n) {
            z += G[n] * (along[n][i] + 0.5 * d->distance * turn[n][i]);
        }
        for (int c = first; c < first + 3; ++c) {
            out[i][c] -= z * turn[k][c];
            out[c][i] -= z * turn[k][c];
        }
    }
}

/* -J'D G W' - W G D'J - d W G W': the closest points slide where features turn. Column i of W is D_i x n in the turn of the
 * body that owns the slide. */
static void add_sliding(double out[TWIST_PAIR][TWIST_PAIR], const feature_distance *d, const v3 arm[2])
{
    double G[2][2];
    double along[2][TWIST_PAIR];
    double turn[2][TWIST_PAIR] = { { 0.0 } };
    if (d->slides == 0) {
        return;
    }
    inverse_gram(G, d);
    for (int k = 0; k < d->slides; ++k) {
        v3 D = d->owner[k] == 0 ? d->slide[k] : v3_neg(d->slide[k]);
        put_force(along[k], D, arm);
        v3_store(&turn[k][d->owner[k] == 0 ? 3 : 9], v3_cross(D, d->normal));
        for (int i = 0; i < k; ++i) {
            if (d->owner[i] != d->owner[k]) { /* D has the sign of its owner */
                G[i][k] = -G[i][k];
                G[k][i] = -G[k][i];
            }
        }
    }
    for (int k = 0; k < d->slides; ++k) {
        add_turned(out, d, G[k], along, turn, k);
    }
}

/* R: second order of the turns, n . [w]^2 arm. */
static void add_second_turn(double out[TWIST_PAIR][TWIST_PAIR], const feature_distance *d, const v3 arm[2])
{
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        int first = side == 0 ? 3 : 9;
        m3 product = m3_outer(d->normal, arm[side]);
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                double value = 0.5 * (product.m[3 * i + k] + product.m[3 * k + i]);
                value -= i == k ? m3_trace(product) : 0.0;
                out[first + i][first + k] += sign * value;
            }
        }
    }
}

/* ---- curved features -------------------------------------------------------------------------------------------------- */

/* Solves M x = b for up to three unknowns, by elimination without pivots: M is positive. */
static void solve_small(int n, const double M[3][3], double b[3])
{
    double L[3][3];
    memcpy(L, M, sizeof L);
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1; i < n; ++i) {
            double factor = L[i][k] / L[k][k];
            for (int j = k; j < n; ++j) {
                L[i][j] -= factor * L[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) {
            b[k] -= L[k][j] * b[j];
        }
        b[k] /= L[k][k];
    }
}

/* What the slides see of the twists of both bodies, Y = J' D / d + W, and how stiff the distance is against them, M = D' D / d + C. D
 * has the sign of its owner. */
typedef struct slide_terms {
    v3 D[3];
    double Y[3][TWIST_PAIR];
    double M[3][3];
} slide_terms;

static void find_slides(slide_terms *t, const feature_distance *d, const v3 arm[2])
{
    memset(t, 0, sizeof *t);
    for (int k = 0; k < d->slides; ++k) {
        double turn[TWIST_PAIR] = { 0.0 };
        t->D[k] = d->owner[k] == 0 ? d->slide[k] : v3_neg(d->slide[k]);
        put_force(t->Y[k], t->D[k], arm);
        v3_store(&turn[d->owner[k] == 0 ? 3 : 9], v3_cross(t->D[k], d->normal));
        for (int i = 0; i < TWIST_PAIR; ++i) {
            t->Y[k][i] = t->Y[k][i] / d->distance + turn[i];
        }
        for (int i = 0; i <= k; ++i) {
            t->M[i][k] = t->M[k][i] = v3_dot(t->D[i], t->D[k]) / d->distance;
        }
        t->M[k][k] += d->curvature[k];
    }
}

/* J' (1 - n n') J / d - Y (D' D / d + C)^-1 Y' with Y = J' D / d + W: the distance as the least over slides, whose curvatures are C.
 * The same as the two above where these are zero. */
static void add_curved(double out[TWIST_PAIR][TWIST_PAIR], const feature_distance *d, const v3 arm[2])
{
    slide_terms t;
    v3 across[2] = { v3_across(d->normal), v3_zero() };
    across[1] = v3_cross(d->normal, across[0]);
    for (int k = 0; k < 2; ++k) {
        double row[TWIST_PAIR];
        put_force(row, across[k], arm);
        add_outer(out, 1.0 / d->distance, row, row);
    }
    find_slides(&t, d, arm);
    for (int i = 0; i < TWIST_PAIR; ++i) {
        double column[3] = { t.Y[0][i], t.Y[1][i], t.Y[2][i] };
        solve_small(d->slides, (const double(*)[3])t.M, column);
        for (int k = 0; k < d->slides; ++k) {
            for (int j = 0; j < TWIST_PAIR; ++j) {
                out[i][j] -= column[k] * t.Y[k][j];
            }
        }
    }
}

static bool is_curved(const feature_distance *d)
{
    return d->curvature[0] != 0.0 || d->curvature[1] != 0.0 || d->curvature[2] != 0.0;
}

void feature_distance_hessian(const feature_distance *d, const v3 arm[2], double out[TWIST_PAIR][TWIST_PAIR])
{
    memset(out, 0, TWIST_PAIR * sizeof *out);
    if (is_curved(d)) {
        add_curved(out, d, arm);
    } else {
        add_turning_of_normal(out, d, arm);
        add_sliding(out, d, arm);
    }
    add_second_turn(out, d, arm);
}

/* Closest points slide until the distance no longer changes by it, -M^-1 Y'; the normal is the unit vector between them. */
void feature_distance_motion(const feature_distance *d, const v3 arm[2], feature_motion *out)
{
    slide_terms t;
    double along[3][TWIST_PAIR];
    find_slides(&t, d, arm);
    for (int i = 0; i < 3; ++i) {
        v3 axis = v3_make(i == 0, i == 1, i == 2);
        put_force(along[i], v3_axpy(axis, -v3_get(d->normal, i), d->normal), arm);
    }
    for (int i = 0; i < TWIST_PAIR; ++i) {
        double rate[3] = { -t.Y[0][i], -t.Y[1][i], -t.Y[2][i] };
        solve_small(d->slides, (const double(*)[3])t.M, rate);
        for (int k = 0; k < 3; ++k) {
            out->slide[k][i] = k < d->slides ? rate[k] : 0.0;
            out->normal[k][i] = along[k][i] / d->distance;
        }
        for (int k = 0; k < d->slides; ++k) {
            v3 moved = v3_scale(rate[k] / d->distance, t.D[k]);
            for (int n = 0; n < 3; ++n) {
                out->normal[n][i] += v3_get(moved, n);
            }
        }
    }
}

/* ---- nearly parallel edges ------------------------------------------------------------------------------------------ */

edge_mollifier edge_mollifier_of(const v3 a[2], const v3 b[2], double reach)
{
    static const double LARGEST = 1e-3; /* sine^2 */
    v3 u = v3_sub(a[1], a[0]);
    v3 v = v3_sub(b[1], b[0]);
    double uu = v3_norm2(u);
    double vv = v3_norm2(v);
    double shorter2 = uu < vv ? uu : vv;
    double sine2 = 4.0 * reach * reach / shorter2;
    double threshold = (sine2 < LARGEST ? sine2 : LARGEST) * uu * vv;
    v3 across = v3_cross(u, v);
    double c = v3_norm2(across);
    if (!(c < threshold)) {
        return (edge_mollifier){ .value = 1.0 };
    }
    double z = c / threshold;
    return (edge_mollifier){ .value = z * (2.0 - z),
                             .first = (2.0 - 2.0 * z) / threshold,
                             .second = -2.0 / (threshold * threshold),
                             .turn = v3_scale(-2.0 * v3_dot(u, v), across),
                             .edge = { u, v } };
}

/* With s = a . b, c = |a|^2 |b|^2 - s^2, of which d2c = -2 ds ds' - 2 s d2s. */
void edge_mollifier_hessian(const edge_mollifier *m, double out[TWIST_PAIR][TWIST_PAIR])
{
    v3 a = m->edge[0];
    v3 b = m->edge[1];
    v3 across = v3_cross(a, b);
    double s = v3_dot(a, b);
    memset(out, 0, TWIST_PAIR * sizeof *out);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            double first = v3_get(across, i) * v3_get(across, k);
            double own = 0.5 * (v3_get(a, i) * v3_get(b, k) + v3_get(a, k) * v3_get(b, i)) - (i == k ? s : 0.0);
            double both = (i == k ? s : 0.0) - v3_get(b, i) * v3_get(a, k); /* (w_A x a) . (w_B x b) */
            out[3 + i][3 + k] = out[9 + i][9 + k] = -2.0 * (first + s * own);
            out[3 + i][9 + k] = out[9 + k][3 + i] = 2.0 * (first - s * both);
        }
    }
}
