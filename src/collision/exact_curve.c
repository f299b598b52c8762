/* The self-weighted depth of a curve; see exact_curve.h. */
#include "collision/exact_curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const double gauss_place[GAUSS] = { -0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                                    0.2386191860831969,  0.6612093864662645,  0.9324695142031521 };
const double gauss_weight[GAUSS] = { 0.1713244923791704, 0.3607615730481386, 0.4679139345726910,
                                     0.4679139345726910, 0.3607615730481386, 0.1713244923791704 };

/* ---- looking ------------------------------------------------------------------------------------------------------ */

v3 curve_point(const exact_element *c, double s)
{
    if (!exact_is_circle(c->kind)) {
        return v3_axpy(c->r, s, c->u);
    }
    double angle = s / c->ring;
    return v3_axpy(v3_axpy(c->r, c->ring * cos(angle), c->u), c->ring * sin(angle), c->v);
}

double curve_radius(const exact_element *c, double s)
{
    return c->radius + c->taper * s;
}

exact_look curve_look(curve_job *j, double s)
{
    const exact_element *c = &j->curve;
    v3 p = curve_point(c, s);
    j->looks++;
    if (j->solid->round == ROUND_MESH) {
        exact_look k = exact_solid_look(j->solid, p, &j->hint);
        k.depth += curve_radius(c, s);
        return k;
    }
    if (exact_is_rounded_line(c->kind) || c->kind == EXACT_HOOP) {
        field_sample f = field_source_sample(j->distance, p, &j->hint);
        int region = (int)exact_solid_region(j->solid, v3_axpy(p, -f.distance, f.gradient));
        return (exact_look){ curve_radius(c, s) - f.distance, v3_neg(f.gradient), region };
    }
    return exact_solid_look(j->solid, p, &j->hint);
}

void curve_add_node(curve_job *j, double s, double ds, const exact_look *k)
{
    curve_room *room = j->room;
    if (j->failed || !CAROM_ARRAY_RESERVE(room->nodes, room->capacity, room->count + 1)) {
        j->failed = true;
        return;
    }
    v3 p = v3_axpy(curve_point(&j->curve, s), curve_radius(&j->curve, s), k->inwards);
    room->nodes[room->count++] = (curve_node){ ds, k->depth > 0.0 ? k->depth : 0.0, p, k->inwards };
}

void curve_room_free(curve_room *room)
{
    if (room) {
        free(room->nodes);
        free(room->planes);
        free(room->cuts);
        free(room);
    }
}

/* ---- depth -------------------------------------------------------------------------------------------------------- */

typedef struct curve_moments {
    double m1, m2, d_hat;
} curve_moments;

/* The weight of the ends and its derivatives by d_hat and by the depth of each end. */
typedef struct end_weight {
    double w, by_hat, by_end[2];
} end_weight;

/* Below this w is zero but for rounding. */
static const double LEAST_SQUARE = 1e-12;

/* w^2 = 1 - 4/9 (a^2 + b^2 + (a b / (a + b))^2) of the depths of both ends in units of d_hat. */
static double weigh_sharp(const double x[2], double by_x[2])
{
    const double part = 4.0 / 9.0;
    double sum = x[0] + x[1];
    double both = sum > 0.0 ? x[0] * x[1] / sum : 0.0;
    double square = 1.0 - part * (x[0] * x[0] + x[1] * x[1] + both * both);
    if (!(square > LEAST_SQUARE)) {
        return 0.0;
    }
    double w = sqrt(square);
    for (int k = 0; k < 2; ++k) {
        double other = sum > 0.0 ? x[1 - k] / sum : 0.0;
        by_x[k] = -part * (x[k] + both * other * other) / w;
    }
    return w;
}

/* w = y(a) y(b), y = 1 - x^2 (3 - 2 x): balls at the ends of a side reach beyond the solid and must not touch. */
static double weigh_rounded(const double x[2], double by_x[2])
{
    double y[2], slope[2];
    for (int k = 0; k < 2; ++k) {
        double most = fmin(1.0, x[k]);
        y[k] = 1.0 - most * most * (3.0 - 2.0 * most);
        slope[k] = -6.0 * most * (1.0 - most);
    }
    by_x[0] = slope[0] * y[1];
    by_x[1] = slope[1] * y[0];
    return y[0] * y[1];
}

static end_weight weigh_ends(const curve_job *j, double d_hat)
{
    end_weight e = { .w = 1.0 };
    if (exact_is_circle(j->curve.kind)) {
        return e;
    }
    double x[2];
    double by_x[2] = { 0.0, 0.0 };
    for (int k = 0; k < 2; ++k) {
        x[k] = fmax(0.0, j->ends[k].depth) / d_hat;
    }
    e.w = j->curve.kind == EXACT_EDGE ? weigh_sharp(x, by_x) : weigh_rounded(x, by_x);
    for (int k = 0; k < 2; ++k) {
        e.by_end[k] = by_x[k] / d_hat;
        e.by_hat -= x[k] * e.by_end[k];
    }
    return e;
}

static double constant_of(exact_kind kind)
{
    return kind == EXACT_EDGE ? 1.5 : 1.25;
}

static curve_moments moments_of(const curve_room *room)
{
    curve_moments m = { 0 };
    for (size_t i = 0; i < room->count; ++i) {
        const curve_node *n = &room->nodes[i];
        m.m1 += n->ds * n->depth;
        m.m2 += n->ds * n->depth * n->depth;
    }
    m.d_hat = m.m2 / m.m1;
    return m;
}

static double share_of(const curve_node *n, const curve_moments *m)
{
    return n->ds * n->depth / m->m1;
}

static v3 middle_of_pressure(const curve_room *room, const curve_moments *m)
{
    v3 middle = v3_zero();
    for (size_t i = 0; i < room->count; ++i) {
        middle = v3_axpy(middle, share_of(&room->nodes[i], m), room->nodes[i].p);
    }
    return middle;
}

/* ---- derivative --------------------------------------------------------------------------------------------------- */

/* D grows by `scale` inwards at p: a part of the derivative of the gap -D. */
static void add_gradient(exact_touch *t, v3 p, v3 inwards, double scale)
{
    v3 g = v3_scale(-scale, inwards);
    t->gradient_f = v3_add(t->gradient_f, g);
    t->couple_f = v3_add(t->couple_f, v3_cross(v3_sub(p, t->p_f), g));
}

static void take_gradient(const curve_job *j, const curve_moments *m, const end_weight *e, exact_touch *t)
{
    double C = constant_of(j->curve.kind);
    double by_hat = C * (e->w + m->d_hat * e->by_hat);
    for (size_t i = 0; i < j->room->count; ++i) {
        const curve_node *n = &j->room->nodes[i];
        add_gradient(t, n->p, n->inwards, by_hat * n->ds * (2.0 * n->depth - m->d_hat) / m->m1);
    }
    for (int k = 0; k < 2; ++k) {
        if (e->by_end[k] != 0.0) {
            double s = k == 0 ? 0.0 : j->curve.length;
            v3 end = v3_axpy(curve_point(&j->curve, s), curve_radius(&j->curve, s), j->ends[k].inwards);
            add_gradient(t, end, j->ends[k].inwards, C * m->d_hat * e->by_end[k]);
        }
    }
}

/* C w (2 / M1) [int g g^T ds - (int g ds)(int g ds)^T / length]: exact where the depth is constant along the curve. */
static void take_bend(const curve_job *j, const curve_moments *m, double w, exact_touch *t)
{
    double scale = constant_of(j->curve.kind) * w * 2.0 / m->m1;
    double sum[6] = { 0.0 };
    memset(t->bend, 0, sizeof t->bend);
    for (size_t i = 0; i < j->room->count; ++i) {
        const curve_node *n = &j->room->nodes[i];
        double g[6];
        v3_store(g, n->inwards);
        v3_store(g + 3, v3_cross(v3_sub(n->p, t->p_f), n->inwards));
        for (int r = 0; r < 6; ++r) {
            sum[r] += n->ds * g[r];
            for (int c = 0; c < 6; ++c) {
                t->bend[r][c] += scale * n->ds * g[r] * g[c];
            }
        }
    }
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 6; ++c) {
            t->bend[r][c] -= scale * sum[r] * sum[c] / j->length;
        }
    }
    t->level = true;
}

/* ---- friction ----------------------------------------------------------------------------------------------------- */

/* How level the touch is: 0 while the depth is a parabola or triangle, 1 where it is constant. */
static double levelness(const curve_job *j, const curve_moments *m)
{
    const double parabola = 0.84; /* 5/6 of a parabola, rounded up; 3/4 of a triangle */
    double kappa = m->m1 * m->m1 / (j->length * m->m2);
    return fmin(1.0, fmax(0.0, (kappa - parabola) / (1.0 - parabola)));
}

/* Second moments of the pressure about its middle, along two axes. */
typedef struct spread {
    double uu, uv, vv;
} spread;

static spread spread_of(const curve_job *j, const curve_moments *m, v3 middle)
{
    spread s = { 0 };
    for (size_t i = 0; i < j->room->count; ++i) {
        const curve_node *n = &j->room->nodes[i];
        v3 from = v3_sub(n->p, middle);
        double u = v3_dot(from, j->curve.u), v = v3_dot(from, j->curve.v), share = share_of(n, m);
        s.uu += share * u * u;
        s.uv += share * u * v;
        s.vv += share * v * v;
    }
    return s;
}

/* Two places along a line; four of a circle, the columns of the root of its second moments: all smooth in the pose. */
static void take_places(const curve_job *j, const curve_moments *m, exact_touch *t)
{
    const exact_element *c = &j->curve;
    double beta = levelness(j, m);
    bool circle = exact_is_circle(c->kind);
    t->place_count = circle ? 4 : 2;
    memset(t->arms, 0, sizeof t->arms);
    if (beta == 0.0) {
        return;
    }
    spread s = spread_of(j, m, t->p_f);
    v3 arm[2] = { v3_scale(beta * sqrt(s.uu), c->u), v3_zero() };
    if (circle) {
        double root = sqrt(fmax(0.0, s.uu * s.vv - s.uv * s.uv));
        double scale = beta * sqrt(2.0) / sqrt(s.uu + s.vv + 2.0 * root);
        arm[0] = v3_axpy(v3_scale(scale * (s.uu + root), c->u), scale * s.uv, c->v);
        arm[1] = v3_axpy(v3_scale(scale * s.uv, c->u), scale * (s.vv + root), c->v);
    }
    for (int k = 0; k < t->place_count; ++k) {
        t->arms[k] = k % 2 == 0 ? arm[k / 2] : v3_neg(arm[k / 2]);
    }
}

bool curve_weigh(const curve_job *j, exact_touch *out)
{
    const double least = 1e-200; /* [m^2] what is smaller than this does no work, and has no ratio */
    curve_moments m = moments_of(j->room);
    if (!(m.m1 > least) || !(m.m2 > least)) {
        return false;
    }
    end_weight e = weigh_ends(j, m.d_hat);
    if (!(e.w > 0.0)) {
        return false;
    }
    *out = (exact_touch){ .depth = constant_of(j->curve.kind) * e.w * m.d_hat,
                          .p_f = middle_of_pressure(j->room, &m) };
    take_gradient(j, &m, &e, out);
    take_places(j, &m, out);
    take_bend(j, &m, e.w, out);
    return true;
}
