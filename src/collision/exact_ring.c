/* Circles in solids with a round side. Every depth along a circle, in a plane or in the side of a cylinder or cone, is zero or equal to
 * another one only where a trigonometric polynomial of degree two is: depths in planes are of degree one, and a point lies at the depth d
 * of a round side where its distance rho from the axis is L - g d, with L of degree one and g constant, so that rho^2 = (L - g d)^2. Their
 * roots cut the circle into parts with one nearest face. */
#include "collision/exact_curve.h"

#include <stdlib.h>

#include "base/array.h"

static const double TURN = 6.283185307179586;

/* constant + a cos + b sin of the angle. */
typedef struct wave {
    double constant, a, b;
} wave;

/* The same with a2 cos + b2 sin of twice the angle. */
typedef struct double_wave {
    double constant, a, b, a2, b2;
    double size; /* of what it is a difference of: rounding is measured by it */
} double_wave;

static double value_at(const double_wave *f, double angle, double *slope)
{
    double c = cos(angle), s = sin(angle);
    double c2 = c * c - s * s, s2 = 2.0 * s * c;
    *slope = f->b * c - f->a * s + 2.0 * (f->b2 * c2 - f->a2 * s2);
    return f->constant + f->a * c + f->b * s + f->a2 * c2 + f->b2 * s2;
}

/* ---- depths ------------------------------------------------------------------------------------------------------- */

/* n . p along the circle. */
static wave along(const exact_element *c, v3 n, double offset)
{
    return (wave){ v3_dot(n, c->r) - offset, c->ring * v3_dot(n, c->u), c->ring * v3_dot(n, c->v) };
}

/* x + k y. */
static wave combined(const wave *x, double k, const wave *y)
{
    return (wave){ x->constant + k * y->constant, x->a + k * y->a, x->b + k * y->b };
}

static wave plane_depth(const curve_job *j, int plane)
{
    wave w = along(&j->curve, j->solid->normals[plane], j->solid->offsets[plane]);
    return (wave){ -w.constant, -w.a, -w.b };
}

/* L: how far from the axis the round side is. */
static wave side_radius(const curve_job *j)
{
    const exact_solid *s = j->solid;
    if (s->round == ROUND_BARREL) {
        return (wave){ s->radius, 0.0, 0.0 };
    }
    double tangent = s->radius / s->height;
    wave z = along(&j->curve, s->axis, v3_dot(s->axis, s->center) + s->height);
    return (wave){ -tangent * z.constant, -tangent * z.a, -tangent * z.b };
}

/* g: what a depth of 1 takes from L. */
static double side_slope(const exact_solid *s)
{
    return s->round == ROUND_BARREL ? 1.0 : sqrt(s->radius * s->radius + s->height * s->height) / s->height;
}

static v3 across_axis(const exact_solid *s, v3 x)
{
    return v3_axpy(x, -v3_dot(x, s->axis), s->axis);
}

/* L^2 - rho^2. */
static double_wave side_against(const curve_job *j, const wave *L)
{
    const exact_element *c = &j->curve;
    v3 m = across_axis(j->solid, v3_sub(c->r, j->solid->center));
    v3 u = v3_scale(c->ring, across_axis(j->solid, c->u));
    v3 v = v3_scale(c->ring, across_axis(j->solid, c->v));
    double square = L->constant * L->constant + 0.5 * (L->a * L->a + L->b * L->b);
    double rho2 = v3_dot(m, m) + 0.5 * (v3_dot(u, u) + v3_dot(v, v));
    return (double_wave){ .constant = square - rho2,
                          .a = 2.0 * (L->constant * L->a - v3_dot(m, u)),
                          .b = 2.0 * (L->constant * L->b - v3_dot(m, v)),
                          .a2 = 0.5 * (L->a * L->a - L->b * L->b - v3_dot(u, u) + v3_dot(v, v)),
                          .b2 = L->a * L->b - v3_dot(u, v),
                          .size = square + rho2 };
}

/* ---- roots -------------------------------------------------------------------------------------------------------- */

typedef struct root_search {
    const double_wave *f;
    double most_bend; /* of the second derivative */
    curve_job *j;
    int count;
} root_search;

/* One more cut in [0, 2 pi); how many there are. */
static int add_cut(curve_job *j, double angle, int count)
{
    if (!CAROM_ARRAY_RESERVE(j->room->cuts, j->room->cut_capacity, (size_t)count + 1)) {
        j->failed = true;
        return count;
    }
    j->room->cuts[count] = angle - TURN * floor(angle / TURN);
    return count + 1;
}

/* The one root between two angles with values of different sign. */
static double only_root(const double_wave *f, double low, double high, bool rises)
{
    double angle = 0.5 * (low + high);
    for (int i = 0; i < 100; ++i) {
        double slope;
        double value = value_at(f, angle, &slope);
        *((value < 0.0) == rises ? &low : &high) = angle;
        double next = angle - value / slope;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (next == angle || !(next > low && next < high)) {
            break;
        }
        angle = next;
    }
    return angle;
}

/* A chord differs from the function by the second derivative at most: parts without a root are left, parts with one are searched, the
 * others halved until they are straight but for rounding. */
static void find_between(root_search *s, double low, double at_low, double high, double at_high)
{
    double width = high - low;
    double bend = 0.125 * s->most_bend * width * width;
    bool crosses = (at_low < 0.0) != (at_high < 0.0);
    bool straight = bend <= 1e-16 * s->f->size;
    if (!crosses && (straight || fmin(fabs(at_low), fabs(at_high)) > bend)) {
        return;
    }
    double slope;
    double middle = 0.5 * (low + high);
    double at_middle = value_at(s->f, middle, &slope);
    if (crosses && (straight || fabs(slope) > 0.5 * s->most_bend * width)) {
        s->count = add_cut(s->j, only_root(s->f, low, high, at_low < 0.0), s->count);
        return;
    }
    find_between(s, low, at_low, middle, at_middle);
    find_between(s, middle, at_middle, high, at_high);
}

/* Adds the angles where f changes its sign: four, or a few more where it is zero but for rounding. */
static int add_roots(curve_job *j, const double_wave *f, int count)
{
    enum { PARTS = 4 };
    double first = sqrt(f->a * f->a + f->b * f->b);
    double second = sqrt(f->a2 * f->a2 + f->b2 * f->b2);
    root_search s = { f, first + 4.0 * second, j, count };
    if (fabs(f->constant) > first + second) {
        return count;
    }
    double slope;
    double start = value_at(f, 0.0, &slope);
    double before = start;
    for (int k = 0; k < PARTS; ++k) {
        double high = TURN * (k + 1) / PARTS;
        double after = k + 1 < PARTS ? value_at(f, high, &slope) : start;
        find_between(&s, TURN * k / PARTS, before, high, after);
        before = after;
    }
    return s.count;
}

/* Where a wave is zero. */
static int add_zeros(curve_job *j, const wave *w, int count)
{
    double amplitude = sqrt(w->a * w->a + w->b * w->b);
    if (!(amplitude > fabs(w->constant))) {
        return count;
    }
    double phase = atan2(w->b, w->a);
    /* half the angle above zero, from its sine: exact where the wave just rises above it */
    double half = 2.0 * asin(sqrt(0.5 * (w->constant + amplitude) / amplitude));
    for (int k = -1; k <= 1; k += 2) {
        count = add_cut(j, phase + k * half, count);
    }
    return count;
}

/* ---- the circle --------------------------------------------------------------------------------------------------- */

static bool misses(const wave *w)
{
    return w->constant + sqrt(w->a * w->a + w->b * w->b) <= 0.0;
}

/* All angles where a depth is zero or another face becomes nearest; -1: all is outside. */
static int find_cuts(curve_job *j)
{
    const exact_solid *s = j->solid;
    wave L = side_radius(j);
    double_wave side = side_against(j, &L);
    int count = 0;
    for (int i = 0; i < s->plane_count; ++i) {
        wave depth = plane_depth(j, i);
        if (misses(&depth)) {
            return -1;
        }
        wave there = combined(&L, -side_slope(s), &depth);
        double_wave even = side_against(j, &there);
        count = add_roots(j, &even, add_zeros(j, &depth, count));
        for (int k = 0; k < i; ++k) {
            wave other = plane_depth(j, k);
            wave difference = combined(&depth, -1.0, &other);
            count = add_zeros(j, &difference, count);
        }
    }
    return add_roots(j, &side, count);
}

/* No place of the circle is inside of the round side. */
static bool misses_side(curve_job *j)
{
    wave L = side_radius(j);
    double_wave f = side_against(j, &L);
    return f.constant + sqrt(f.a * f.a + f.b * f.b) + sqrt(f.a2 * f.a2 + f.b2 * f.b2) <= 0.0;
}

/* Parts of one radian at most. */
static void add_part(curve_job *j, double from, double to)
{
    double ring = j->curve.ring;
    if (!(to > from) || !(curve_look(j, 0.5 * (from + to) * ring).depth > 0.0)) {
        return;
    }
    int parts = (int)ceil(to - from);
    j->length += (to - from) * ring;
    for (int k = 0; k < parts; ++k) {
        curve_integrate(j, (from + (to - from) * k / parts) * ring, (from + (to - from) * (k + 1) / parts) * ring);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

void curve_trace_ring(curve_job *j)
{
    int count = misses_side(j) ? -1 : find_cuts(j);
    if (count == 0) {
        add_part(j, 0.0, TURN);
    }
    if (count > 0) {
        qsort(j->room->cuts, (size_t)count, sizeof *j->room->cuts, compare_numbers);
    }
    for (int i = 0; i < count && !j->failed; ++i) {
        add_part(j, j->room->cuts[i], i + 1 < count ? j->room->cuts[i + 1] : j->room->cuts[0] + TURN);
    }
}
