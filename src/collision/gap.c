/* Gap functions with second-order jets.
 *
 * A jet carries a quantity with its first and second derivative by time along a motion with constant velocities
 * (v_dot = omega_dot = 0): a point r fixed to a body has x' = v + omega x r, x'' = omega x (omega x r). Products and
 * roots of jets follow Leibniz' rule, so the second derivative of a gap is what acceleration constraints call
 * J_dot v, without a formula of its own for each kind.
 *
 * Each kind yields the unit vector u from generator 1 to generator 0, the places p0 and p1 on the generators where they
 * are nearest, and the gap. The contact is halfway between the two surfaces; the normal is u, turned round when
 * generator 0 sits on B. Where generators meet (a ball's centre on a line: only deep inside) u is any direction. */
#include "collision/gap.h"

#include <stdlib.h>

#include "math/quat.h"

/* ---- jets ---------------------------------------------------------------------------------------------------------- */

typedef struct jet {
    double v, d, dd;
} jet;

typedef struct jet3 {
    v3 v, d, dd;
} jet3;

static jet j_add(jet a, jet b)
{
    return (jet){ a.v + b.v, a.d + b.d, a.dd + b.dd };
}

static jet j_scale(double s, jet a)
{
    return (jet){ s * a.v, s * a.d, s * a.dd };
}

static jet j_mul(jet a, jet b)
{
    return (jet){ a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2.0 * a.d * b.d + a.v * b.dd };
}

/* 1 / a; a must not be zero. */
static jet j_inverse(jet a)
{
    double r = 1.0 / a.v;
    double d = -a.d * r * r;
    return (jet){ r, d, -(a.dd * r + 2.0 * a.d * d) * r };
}

/* a > 0 */
static jet j_sqrt(jet a)
{
    double root = sqrt(a.v);
    double d = 0.5 * a.d / root;
    return (jet){ root, d, (0.5 * a.dd - d * d) / root };
}

static jet3 j3_add(jet3 a, jet3 b)
{
    return (jet3){ v3_add(a.v, b.v), v3_add(a.d, b.d), v3_add(a.dd, b.dd) };
}

static jet3 j3_sub(jet3 a, jet3 b)
{
    return (jet3){ v3_sub(a.v, b.v), v3_sub(a.d, b.d), v3_sub(a.dd, b.dd) };
}

static jet3 j3_scale(double s, jet3 a)
{
    return (jet3){ v3_scale(s, a.v), v3_scale(s, a.d), v3_scale(s, a.dd) };
}

static jet3 j3_times(jet s, jet3 a)
{
    return (jet3){
        v3_scale(s.v, a.v),
        v3_axpy(v3_scale(s.d, a.v), s.v, a.d),
        v3_axpy(v3_axpy(v3_scale(s.dd, a.v), 2.0 * s.d, a.d), s.v, a.dd),
    };
}

/* a + s b */
static jet3 j3_axpy(jet3 a, jet s, jet3 b)
{
    return j3_add(a, j3_times(s, b));
}

static jet j3_dot(jet3 a, jet3 b)
{
    return (jet){ v3_dot(a.v, b.v), v3_dot(a.d, b.v) + v3_dot(a.v, b.d),
                  v3_dot(a.dd, b.v) + 2.0 * v3_dot(a.d, b.d) + v3_dot(a.v, b.dd) };
}

static jet3 j3_cross(jet3 a, jet3 b)
{
    return (jet3){
        v3_cross(a.v, b.v),
        v3_add(v3_cross(a.d, b.v), v3_cross(a.v, b.d)),
        v3_add(v3_axpy(v3_cross(a.dd, b.v), 2.0, v3_cross(a.d, b.d)), v3_cross(a.v, b.dd)),
    };
}

/* The unit vector along a and its length; along `otherwise`, at rest, where a has no direction. */
static jet3 j3_unit(jet3 a, jet *length, v3 otherwise)
{
    if (!(v3_norm2(a.v) > 0.0)) {
        *length = (jet){ 0 };
        return (jet3){ .v = otherwise };
    }
    *length = j_sqrt(j3_dot(a, a));
    return j3_times(j_inverse(*length), a);
}

/* ---- generators in motion ------------------------------------------------------------------------------------------ */

static jet3 turning(const gap_motion *m, v3 r_c)
{
    v3 r_w = q_rotate(m->pose_w.orientation, r_c);
    v3 r_dot_w = v3_cross(m->omega_w, r_w);
    return (jet3){ r_w, r_dot_w, v3_cross(m->omega_w, r_dot_w) };
}

static jet3 moving(const gap_motion *m, v3 r_c)
{
    jet3 r = turning(m, r_c);
    return (jet3){ v3_add(m->pose_w.position, r.v), v3_add(m->v_w, r.d), r.dd };
}

/* Both generators of a feature. */
typedef struct generators {
    jet3 c[2], d[2];
    jet3 apart; /* c[0] - c[1] */
} generators;

/* What a kind finds: distance of the generators along u, which points from 1 to 0, and where. */
typedef struct nearest {
    jet distance;
    jet3 u, p0, p1;
} nearest;

static nearest point_point(const generators *g)
{
    nearest n = { .p0 = g->c[0], .p1 = g->c[1] };
    n.u = j3_unit(g->apart, &n.distance, v3_make(0.0, 0.0, 1.0));
    return n;
}

static nearest point_line(const generators *g)
{
    nearest n = { .p0 = g->c[0], .p1 = j3_axpy(g->c[1], j3_dot(g->apart, g->d[1]), g->d[1]) };
    n.u = j3_unit(j3_sub(n.p0, n.p1), &n.distance, v3_across(g->d[1].v));
    return n;
}

static nearest point_plane(const generators *g)
{
    nearest n = { .distance = j3_dot(g->d[1], g->apart), .u = g->d[1], .p0 = g->c[0] };
    n.p1 = j3_axpy(n.p0, j_scale(-1.0, n.distance), n.u);
    return n;
}

/* Along n = d0 x d1 the lines c0 + s d0 and c1 + t d1 are (c0 - c1) . n / |n| apart, at s = ((c1 - c0) x d1) . n / n^2
 * and t = ((c1 - c0) x d0) . n / n^2. Parallel lines have no common normal of their own: that between their points. */
static nearest line_line(const generators *g, double side)
{
    jet3 across = j3_cross(g->d[0], g->d[1]);
    jet sine;
    jet3 normal = j3_unit(across, &sine, v3_zero());
    if (sine.v == 0.0) {
        return point_line(g);
    }
    jet per_sine = j_inverse(sine);
    jet s = j_scale(-1.0, j_mul(per_sine, j3_dot(j3_cross(g->apart, g->d[1]), normal)));
    jet t = j_scale(-1.0, j_mul(per_sine, j3_dot(j3_cross(g->apart, g->d[0]), normal)));
    nearest n = { .u = j3_scale(side, normal) };
    n.distance = j3_dot(g->apart, n.u);
    n.p0 = j3_axpy(g->c[0], s, g->d[0]);
    n.p1 = j3_axpy(g->c[1], t, g->d[1]);
    return n;
}

/* The lowest point of the circle lies against the plane's normal, as seen in the circle's plane. A circle parallel to
 * the plane has none: its centre stands for it. */
static nearest circle_plane(const generators *g, double ring)
{
    jet3 up = j3_axpy(g->d[1], j_scale(-1.0, j3_dot(g->d[0], g->d[1])), g->d[0]);
    jet sine;
    jet3 towards = j3_unit(up, &sine, v3_zero());
    nearest n = { .u = g->d[1], .p0 = j3_sub(g->c[0], j3_scale(ring, towards)) };
    n.distance = j_add(j3_dot(g->d[1], g->apart), j_scale(-ring, sine));
    n.p1 = j3_axpy(n.p0, j_scale(-1.0, n.distance), n.u);
    return n;
}

/* The wall is `radius` away from the line, on the side to which the journal has moved; it pushes back. */
static nearest point_in_ring(const generators *g, double radius, double ring)
{
    nearest n = point_line(g);
    jet3 out = n.u;
    n.p0 = j3_axpy(n.p0, (jet){ ring, 0, 0 }, out);
    n.p1 = j3_axpy(n.p1, (jet){ radius + ring, 0, 0 }, out);
    n.u = j3_scale(-1.0, out);
    n.distance = j_add((jet){ radius, 0, 0 }, j_scale(-1.0, n.distance));
    return n;
}

static nearest nearest_of(const gap_feature *f, const generators *g)
{
    switch (f->kind) {
    case GAP_POINT_POINT:
        return point_point(g);
    case GAP_POINT_LINE:
        return point_line(g);
    case GAP_POINT_PLANE:
        return point_plane(g);
    case GAP_LINE_LINE:
        return line_line(g, f->side);
    case GAP_CIRCLE_PLANE:
        return circle_plane(g, f->ring);
    case GAP_POINT_IN_RING:
        return point_in_ring(g, f->radius, f->ring);
    }
    return point_plane(g);
}

/* From the generators to the surfaces around them: by radius_0 from generator 0, by the rest from generator 1. */
static void round_off(nearest *n, const gap_feature *f)
{
    if (f->kind == GAP_POINT_IN_RING) {
        return; /* both are on the surfaces already */
    }
    n->distance.v -= f->radius;
    n->p0 = j3_sub(n->p0, j3_scale(f->radius_0, n->u));
    n->p1 = j3_add(n->p1, j3_scale(f->radius - f->radius_0, n->u));
}

void gap_measure(const gap_feature *f, const gap_motion *a, const gap_motion *b, gap_value *out)
{
    generators g;
    for (int k = 0; k < 2; ++k) {
        const gap_motion *m = (k == 0) == f->swapped ? b : a;
        g.c[k] = moving(m, f->c_c[k]);
        g.d[k] = turning(m, f->d_c[k]);
    }
    g.apart = j3_sub(g.c[0], g.c[1]);
    nearest n = nearest_of(f, &g);
    round_off(&n, f);
    jet3 point = j3_scale(0.5, j3_add(n.p0, n.p1));
    double turn = f->swapped ? -1.0 : 1.0;
    *out = (gap_value){
        .gap = n.distance.v,
        .rate = n.distance.d,
        .jdot_v = n.distance.dd,
        .normal_w = v3_scale(turn, n.u.v),
        .normal_dot_w = v3_scale(turn, n.u.d),
        .point_w = point.v,
        .point_dot_w = point.d,
    };
}

/* ---- lists --------------------------------------------------------------------------------------------------------- */

void gap_list_free(gap_list *list)
{
    free(list->items);
    *list = (gap_list){ 0 };
}

const char *carom_contact_mode_name(carom_contact_mode mode)
{
    static const char *const names[CAROM_MODES] = {
        [CAROM_MODE_NONE] = "none",           [CAROM_MODE_POINT_LINE] = "point-line",
        [CAROM_MODE_TIP_TIP] = "tip-tip",     [CAROM_MODE_VERTEX_FACE] = "vertex-face",
        [CAROM_MODE_EDGE_EDGE] = "edge-edge", [CAROM_MODE_BALL_FACE] = "ball-face",
        [CAROM_MODE_BALL_EDGE] = "ball-edge", [CAROM_MODE_BALL_VERTEX] = "ball-vertex",
        [CAROM_MODE_BALL_BALL] = "ball-ball", [CAROM_MODE_RIM_FACE] = "rim-face",
        [CAROM_MODE_STOP] = "stop",           [CAROM_MODE_JOURNAL] = "journal",
        [CAROM_MODE_GUIDE] = "guide",
    };
    return mode >= 0 && mode < CAROM_MODES ? names[mode] : "unknown";
}
