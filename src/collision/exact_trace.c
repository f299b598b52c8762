/* Sharp curves in polyhedra, in closed form: the depth is the least of the depths in all planes, each linear along a line and a
 * shifted cosine along a circle. What is inside is cut out by the planes; then the nearest plane is followed from one place where
 * another becomes nearest to the next. */
#include "collision/exact_curve.h"

#include <stdlib.h>

#include "base/array.h"

static const double TURN = 6.283185307179586;

static bool take_planes(curve_job *j)
{
    const exact_solid *s = j->solid;
    const exact_element *c = &j->curve;
    bool circle = c->kind == EXACT_CIRCLE;
    double size = circle ? c->ring : 1.0;
    if (!CAROM_ARRAY_RESERVE(j->room->planes, j->room->plane_capacity, (size_t)s->plane_count)) {
        j->failed = true;
        return false;
    }
    for (int i = 0; i < s->plane_count; ++i) {
        plane_profile *p = &j->room->planes[i];
        p->constant = s->offsets[i] - v3_dot(s->normals[i], c->r);
        p->a = -size * v3_dot(s->normals[i], c->u);
        p->b = circle ? -size * v3_dot(s->normals[i], c->v) : 0.0;
        p->amplitude = circle ? sqrt(p->a * p->a + p->b * p->b) : 0.0;
        p->phase = circle ? atan2(p->b, p->a) : 0.0;
    }
    j->looks++;
    return true;
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

static double on_line(const plane_profile *p, double s)
{
    return p->constant + p->a * s;
}

/* The plane that is nearest at s, and after it. */
static int nearest_on_line(const curve_job *j, double s)
{
    const plane_profile *p = j->room->planes;
    int nearest = 0;
    for (int i = 1; i < j->solid->plane_count; ++i) {
        double d = on_line(&p[i], s) - on_line(&p[nearest], s);
        nearest = d < 0.0 || (d == 0.0 && p[i].a < p[nearest].a) ? i : nearest;
    }
    return nearest;
}

/* Where another plane takes over from `now`: its depth falls faster. */
static int next_on_line(const curve_job *j, int now, double *until)
{
    const plane_profile *p = j->room->planes;
    int next = -1;
    for (int i = 0; i < j->solid->plane_count; ++i) {
        if (p[i].a < p[now].a) {
            double s = (p[i].constant - p[now].constant) / (p[now].a - p[i].a);
            next = s < *until ? i : next;
            *until = fmin(s, *until);
        }
    }
    return next;
}

/* Two nodes: the integrands are cubic at most. */
static void add_linear_piece(curve_job *j, double from, double to, int plane)
{
    const double place = 0.5773502691896257;
    double half = 0.5 * (to - from);
    for (int k = -1; k <= 1; k += 2) {
        double s = 0.5 * (from + to) + k * place * half;
        exact_look look = { on_line(&j->room->planes[plane], s), v3_neg(j->solid->normals[plane]), plane };
        curve_add_node(j, s, half, &look);
    }
}

static void trace_line(curve_job *j)
{
    const plane_profile *p = j->room->planes;
    double low = 0.0;
    double high = j->curve.length;
    for (int i = 0; i < j->solid->plane_count; ++i) {
        double zero = -p[i].constant / p[i].a;
        low = p[i].a > 0.0 ? fmax(low, zero) : low;
        high = p[i].a < 0.0 ? fmin(high, zero) : high;
        if (p[i].a == 0.0 && p[i].constant <= 0.0) {
            return;
        }
    }
    if (!(high > low)) {
        return;
    }
    for (int k = 0; k < 2; ++k) {
        double s = k == 0 ? 0.0 : j->curve.length;
        int i = nearest_on_line(j, s);
        j->ends[k] = (exact_look){ on_line(&p[i], s), v3_neg(j->solid->normals[i]), i };
    }
    j->length = high - low;
    int plane = nearest_on_line(j, low);
    for (double s = low; s < high && plane >= 0;) {
        double until = high;
        int next = next_on_line(j, plane, &until);
        if (until > s) {
            add_linear_piece(j, s, until, plane);
            s = until;
        }
        plane = next;
    }
}

/* ---- circles ------------------------------------------------------------------------------------------------------ */

/* As the depth of the lowest point less a small rise: no difference of large numbers. */
static double on_circle(const plane_profile *p, double angle)
{
    double half = sin(0.5 * (angle - p->phase));
    return p->constant + p->amplitude - 2.0 * p->amplitude * half * half;
}

static int nearest_on_circle(const curve_job *j, double angle)
{
    const plane_profile *p = j->room->planes;
    int nearest = 0;
    for (int i = 1; i < j->solid->plane_count; ++i) {
        nearest = on_circle(&p[i], angle) < on_circle(&p[nearest], angle) ? i : nearest;
    }
    return nearest;
}

/* Angles nearer than this are the same: two planes that are equally near where a walk begins. */
static const double SAME_ANGLE = 1e-12;

/* The first angle behind `from`, in the direction of +1 or -1, at which plane i becomes nearer than plane `now`; infinite: none. */
static double crossing(const plane_profile *now, const plane_profile *i, double from, double direction)
{
    double c = i->constant - now->constant;
    double a = i->a - now->a;
    double b = i->b - now->b;
    double amplitude = sqrt(a * a + b * b);
    if (!(amplitude > fabs(c))) {
        return direction * HUGE_VAL;
    }
    double angle = atan2(b, a) + direction * acos(-c / amplitude); /* behind it, i is below */
    double turns = floor((direction * (from - angle) - SAME_ANGLE) / TURN) + 1.0;
    return angle + direction * TURN * turns;
}

static void add_arc(curve_job *j, double from, double to, int plane)
{
    int parts = (int)ceil(to - from); /* of one radian at most: six nodes are exact to rounding */
    double half = 0.5 * (to - from) / parts;
    for (int part = 0; part < parts; ++part) {
        double middle = from + (2 * part + 1) * half;
        for (int k = 0; k < GAUSS; ++k) {
            double angle = middle + half * gauss_place[k];
            exact_look look = { on_circle(&j->room->planes[plane], angle), v3_neg(j->solid->normals[plane]), plane };
            curve_add_node(j, angle * j->curve.ring, half * gauss_weight[k] * j->curve.ring, &look);
        }
    }
}

/* Which plane takes over from `plane` behind `from`, and where; the same one: none before `end`. */
static int next_on_circle(const curve_job *j, int plane, double from, double end, double direction, double *until)
{
    int next = plane;
    *until = end;
    for (int i = 0; i < j->solid->plane_count; ++i) {
        double at = i == plane ? end : crossing(&j->room->planes[plane], &j->room->planes[i], from, direction);
        if (direction * (*until - at) > 0.0) {
            next = i;
            *until = at;
        }
    }
    return next;
}

static void walk_arc(curve_job *j, double from, double end, double direction)
{
    int plane = nearest_on_circle(j, from);
    int idle = 0; /* changes without a way between them: where many planes meet */
    while (direction * (end - from) > 0.0 && idle <= j->solid->plane_count && !j->failed) {
        double until;
        ++idle;
        int next = next_on_circle(j, plane, from, end, direction, &until);
        if (direction * (until - from) > 0.0) {
            add_arc(j, fmin(from, until), fmax(from, until), plane);
            from = until;
            idle = 0;
        }
        plane = next;
    }
}

/* From the middle both ways: at its ends two planes may be equally near. */
static void trace_arc(curve_job *j, double from, double to)
{
    double middle = 0.5 * (from + to);
    j->length += (to - from) * j->curve.ring;
    walk_arc(j, middle, to, 1.0);
    walk_arc(j, middle, from, -1.0);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Angles in [0, 2 pi) where the circle crosses a plane, ascending; -1: it is all outside. */
static int find_cuts(curve_job *j)
{
    int count = 0;
    if (!CAROM_ARRAY_RESERVE(j->room->cuts, j->room->cut_capacity, 2 * (size_t)j->solid->plane_count + 1)) {
        j->failed = true;
        return -1;
    }
    for (int i = 0; i < j->solid->plane_count; ++i) {
        const plane_profile *p = &j->room->planes[i];
        if (p->constant + p->amplitude <= 0.0) {
            return -1;
        }
        if (p->constant < p->amplitude) {
            /* half the angle inside, from its sine: exact where the circle just dips in */
            double half = 2.0 * asin(sqrt(0.5 * (p->constant + p->amplitude) / p->amplitude));
            for (int k = -1; k <= 1; k += 2) {
                double angle = p->phase + k * half;
                j->room->cuts[count++] = angle - TURN * floor(angle / TURN);
            }
        }
    }
    qsort(j->room->cuts, (size_t)count, sizeof *j->room->cuts, compare_numbers);
    return count;
}

static bool inside_at(const curve_job *j, double angle)
{
    return on_circle(&j->room->planes[nearest_on_circle(j, angle)], angle) > 0.0;
}

static void trace_circle(curve_job *j)
{
    int count = find_cuts(j);
    if (count == 0 && inside_at(j, 0.0)) {
        trace_arc(j, 0.0, TURN);
    }
    for (int i = 0; i < count; ++i) {
        double from = j->room->cuts[i];
        double to = i + 1 < count ? j->room->cuts[i + 1] : j->room->cuts[0] + TURN;
        if (to > from && inside_at(j, 0.5 * (from + to))) {
            trace_arc(j, from, to);
        }
    }
}

void curve_trace_polyhedron(curve_job *j)
{
    if (take_planes(j)) {
        j->curve.kind == EXACT_CIRCLE ? trace_circle(j) : trace_line(j);
    }
}
