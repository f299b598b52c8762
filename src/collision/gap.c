/* Gap functions with second-order jets (jet.h): the second derivative of a gap is what acceleration constraints call
 * J_dot v, without a formula of its own for each kind.
 *
 * Each kind yields the unit vector u from generator 1 to generator 0, the places p0 and p1 on the generators where they
 * are nearest, and the gap. The contact is halfway between the two surfaces; the normal is u, turned round when
 * generator 0 sits on B. Where generators meet (a ball's centre on a line: only deep inside) u is any direction. */
#include "collision/gap.h"

#include <stdlib.h>

#include "collision/jet.h"

/* ---- generators in motion ------------------------------------------------------------------------------------------ */

/* Both generators of a feature. */
typedef struct generators {
    jet3 c[2], d[2];
    jet3 apart; /* c[0] - c[1] */
} generators;

typedef gap_nearest nearest;

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

static nearest nearest_of(const gap_feature *f, const gap_motion m[2])
{
    generators of, *g = &of;
    for (int k = 0; k < 2; ++k) {
        g->c[k] = jet_moving(&m[k], f->c_c[k]);
        g->d[k] = jet_turning(&m[k], f->d_c[k]);
    }
    g->apart = j3_sub(g->c[0], g->c[1]);
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
    default:
        return point_plane(g);
    }
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
    const gap_motion m[2] = { *(f->swapped ? b : a), *(f->swapped ? a : b) };
    nearest n = gap_is_oval(f->kind) ? gap_nearest_of_oval(f, m) : nearest_of(f, m);
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
