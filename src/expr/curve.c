/* Curves given by points: every kind is a cubic polynomial per piece,
 *   y = y_i + b s + c s^2 + d s^3,   s = x - x_i,
 * of which linear curves use b and step curves nothing. Two points at one x are a jump: from there on the second holds. Monotone
 * curves store y' at the points [Fritsch1980] [Fritsch1984]: they do not overshoot, and are level at extremes. Splines store y'' at the points (M); not-a-knot end conditions
 * [de Boor, A Practical Guide to Splines, IV] make the first two and the last two pieces one polynomial each, so that
 * any cubic is reproduced exactly. */
#include "expr/expr.h"

#include <math.h>

#include "base/arena.h"

typedef struct piece {
    double x, y, b, c, d;
} piece;

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

static piece piece_at(const curve *c, size_t i)
{
    const carom_curve *p = &c->points;
    piece q = { .x = p->x[i], .y = p->y[i] };
    if (i + 1 == p->count || p->interpolation == CAROM_STEP) {
        return q;
    }
    double h = p->x[i + 1] - p->x[i];
    if (h == 0.0) { /* a jump at the last point */
        q.y = p->y[i + 1];
        return q;
    }
    if (p->interpolation == CAROM_MONOTONE) {
        double mean = (p->y[i + 1] - p->y[i]) / h;
        q.b = c->second[i];
        q.c = (3.0 * mean - 2.0 * c->second[i] - c->second[i + 1]) / h;
        q.d = (c->second[i] + c->second[i + 1] - 2.0 * mean) / (h * h);
        return q;
    }
    double m0 = c->second[i];
    double m1 = c->second[i + 1];
    q.b = (p->y[i + 1] - p->y[i]) / h - h * (2.0 * m0 + m1) / 6.0;
    q.c = 0.5 * m0;
    q.d = (m1 - m0) / (6.0 * h);
    return q;
}

static double piece_integral(const piece *q, double s)
{
    return s * (q->y + s * (q->b / 2.0 + s * (q->c / 3.0 + s * q->d / 4.0)));
}

/* The piece that holds x: the last point not beyond x; the first or last piece when x is outside. A step curve has
 * one piece more: the value from the last point on. */
static size_t find_piece(const carom_curve *p, double x)
{
    size_t low = 0;
    size_t high = p->interpolation == CAROM_STEP ? p->count : p->count - 1;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (p->x[middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double last_x(const carom_curve *p)
{
    return p->x[p->count - 1];
}

/* x brought into [first, last) by whole periods, whose number is left in *turns. */
static double wrap(const carom_curve *p, double x, double *turns)
{
    double period = last_x(p) - p->x[0];
    *turns = period > 0.0 ? floor((x - p->x[0]) / period) : 0.0;
    double inside = x - *turns * period;
    return inside < p->x[0] ? p->x[0] : inside; /* rounding only */
}

static bool is_held(const carom_curve *p, double x)
{
    bool outside = x < p->x[0] || x > last_x(p);
    return p->count == 1 || (outside && p->outside == CAROM_HOLD);
}

void curve_eval(const curve *c, double x, double out[3])
{
    const carom_curve *p = &c->points;
    double turns;
    x = p->outside == CAROM_REPEAT ? wrap(p, x, &turns) : x;
    if (isnan(x)) {
        out[0] = out[1] = out[2] = (double)NAN;
        return;
    }
    if (is_held(p, x)) {
        out[0] = x < p->x[0] ? p->y[0] : p->y[p->count - 1];
        out[1] = out[2] = 0.0;
        return;
    }
    piece q = piece_at(c, find_piece(p, x));
    double s = x - q.x;
    s = p->interpolation == CAROM_STEP ? 0.0 : s;
    out[0] = q.y + s * (q.b + s * (q.c + s * q.d));
    out[1] = q.b + s * (2.0 * q.c + s * 3.0 * q.d);
    out[2] = 2.0 * q.c + 6.0 * s * q.d;
}

/* ---- integrals ----------------------------------------------------------------------------------------------------- */

double curve_next_point(const curve *c, double x, bool *jump)
{
    const carom_curve *p = &c->points;
    double first = p->x[0];
    double last = last_x(p);
    double offset = 0.0;
    *jump = p->interpolation == CAROM_STEP;
    if (p->outside == CAROM_REPEAT && last > first) {
        offset = floor((x - first) / (last - first)) * (last - first);
    }
    for (int turn = 0; turn < 2; ++turn, offset += last - first) {
        double inside = x - offset;
        size_t i = inside < first ? 0 : find_piece(p, inside);
        for (; i < p->count; ++i) {
            double at = p->x[i] + offset;
            if (at > x && at < HUGE_VAL) {
                bool seam = p->outside == CAROM_REPEAT && (i == 0 || i + 1 == p->count);
                bool doubled = i + 1 < p->count && p->x[i + 1] == p->x[i];
                *jump = *jump || doubled || (seam && p->y[0] != p->y[p->count - 1]);
                return at;
            }
        }
        if (p->outside != CAROM_REPEAT || !(last > first)) {
            break;
        }
    }
    return HUGE_VAL;
}

/* From the first point to x, for x inside, or outside where the end piece or the end value goes on. */
static double integral_from_first(const curve *c, double x)
{
    const carom_curve *p = &c->points;
    if (is_held(p, x)) {
        bool before = x < p->x[0];
        size_t end = before ? 0 : p->count - 1;
        return c->integral[end] + p->y[end] * (x - p->x[end]);
    }
    size_t i = find_piece(p, x);
    piece q = piece_at(c, i);
    return c->integral[i] + piece_integral(&q, x - q.x);
}

static double integral_to(const curve *c, double x)
{
    const carom_curve *p = &c->points;
    if (p->outside != CAROM_REPEAT || p->count == 1) {
        return integral_from_first(c, x);
    }
    double turns;
    double inside = wrap(p, x, &turns);
    return turns * c->integral[p->count - 1] + integral_from_first(c, inside);
}

double curve_integral(const curve *c, double x0, double x)
{
    return integral_to(c, x) - integral_to(c, x0);
}

/* ---- preparation --------------------------------------------------------------------------------------------------- */

static carom_status check_points(const carom_curve *p, carom_error *err)
{
    if (p->count == 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "the curve has no points; it needs at least one");
    }
    for (size_t i = 0; i < p->count; ++i) {
        if (!isfinite(p->x[i]) || !isfinite(p->y[i])) {
            return carom_fail(err, CAROM_BAD_INPUT, "point %zu of the curve is (%g, %g); both must be finite numbers",
                              i + 1, p->x[i], p->y[i]);
        }
        bool jumps = i > 0 && p->x[i] == p->x[i - 1];
        bool again = jumps && i > 1 && p->x[i] == p->x[i - 2];
        bool may = p->interpolation == CAROM_LINEAR || p->interpolation == CAROM_MONOTONE;
        if (jumps && (again || !may)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              again
                                  ? "the curve has three points at x = %g; two are a jump"
                                  : "the curve has two points at x = %g, a jump, which goes with linear and monotone "
                                    "interpolation only",
                              p->x[i]);
        }
        if (i > 0 && !(p->x[i] >= p->x[i - 1])) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "point %zu of the curve has x = %g after x = %g; x must grow from point to point",
                              i + 1, p->x[i], p->x[i - 1]);
        }
    }
    return CAROM_OK;
}

static double slope(const carom_curve *p, size_t i)
{
    return (p->y[i + 1] - p->y[i]) / (p->x[i + 1] - p->x[i]);
}

static double width(const carom_curve *p, size_t i)
{
    return p->x[i + 1] - p->x[i];
}

/* Four points or more: continuity of y' at each inner point,
 *   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (slope_i - slope_{i-1}),
 * where not-a-knot (M linear over the first two and the last two pieces) replaces M_0 and M_{n-1}. The matrix of the
 * inner unknowns is tridiagonal; its elimination needs no pivoting. `upper` is workspace of n numbers. */
static void not_a_knot(const carom_curve *p, double *M, double *upper)
{
    size_t n = p->count;
    double first = width(p, 0) / width(p, 1);        /* M_0     = (1 + first) M_1 - first M_2        */
    double last = width(p, n - 2) / width(p, n - 3); /* M_{n-1} = (1 + last) M_{n-2} - last M_{n-3}  */
    for (size_t i = 1; i + 1 < n; ++i) {
        double left = width(p, i - 1);
        double right = width(p, i);
        double diagonal = 2.0 * (left + right);
        double above = right;
        double below = left;
        if (i == 1) {
            diagonal += left * (1.0 + first);
            above -= left * first;
            below = 0.0;
        }
        if (i == n - 2) {
            diagonal += right * (1.0 + last);
            below -= right * last;
            above = 0.0;
        }
        double pivot = diagonal - (i > 1 ? below * upper[i - 1] : 0.0);
        double rhs = 6.0 * (slope(p, i) - slope(p, i - 1)) - (i > 1 ? below * M[i - 1] : 0.0);
        upper[i] = above / pivot;
        M[i] = rhs / pivot;
    }
    for (size_t i = n - 2; i-- > 1;) {
        M[i] -= upper[i] * M[i + 1];
    }
    M[0] = (1.0 + first) * M[1] - first * M[2];
    M[n - 1] = (1.0 + last) * M[n - 2] - last * M[n - 3];
}

static void parabola(const carom_curve *p, double *M)
{
    M[0] = M[1] = M[2] = 2.0 * (slope(p, 1) - slope(p, 0)) / (p->x[2] - p->x[0]);
}

/* At an inner point: the weighted harmonic mean of the slopes beside it [Fritsch1984]; level where they differ in sign. */
static double inner_slope(double h0, double h1, double before, double behind)
{
    double w0 = 2.0 * h1 + h0;
    double w1 = h1 + 2.0 * h0;
    return before * behind <= 0.0 ? 0.0 : (w0 + w1) / (w0 / before + w1 / behind);
}

/* At an end: that of the parabola through three points, as far as it keeps the shape. */
static double end_slope(double h0, double h1, double first, double second)
{
    double m = ((2.0 * h0 + h1) * first - h0 * second) / (h0 + h1);
    if (m * first <= 0.0) {
        return 0.0;
    }
    return first * second <= 0.0 && fabs(m) > 3.0 * fabs(first) ? 3.0 * first : m;
}

/* Of the points from `begin` to `end`, between two jumps. */
static void monotone_part(const carom_curve *p, size_t begin, size_t end, double *m)
{
    if (end == begin + 2) {
        m[begin] = m[begin + 1] = slope(p, begin);
    }
    if (end < begin + 3) {
        return;
    }
    for (size_t i = begin + 1; i + 1 < end; ++i) {
        m[i] = inner_slope(width(p, i - 1), width(p, i), slope(p, i - 1), slope(p, i));
    }
    m[begin] = end_slope(width(p, begin), width(p, begin + 1), slope(p, begin), slope(p, begin + 1));
    m[end - 1] = end_slope(width(p, end - 2), width(p, end - 3), slope(p, end - 2), slope(p, end - 3));
}

static void monotone(const carom_curve *p, double *m)
{
    size_t begin = 0;
    for (size_t i = 1; i <= p->count; ++i) {
        if (i == p->count || p->x[i] == p->x[i - 1]) {
            monotone_part(p, begin, i, m);
            begin = i;
        }
    }
}

static void sum_integrals(const curve *c, double *integral)
{
    for (size_t i = 0; i + 1 < c->points.count; ++i) {
        piece q = piece_at(c, i);
        integral[i + 1] = integral[i] + piece_integral(&q, width(&c->points, i));
    }
}

carom_status curve_prepare(curve *out, const carom_curve *points, struct carom_arena *arena, carom_error *err)
{
    carom_status status = check_points(points, err);
    if (status != CAROM_OK) {
        return status;
    }
    size_t n = points->count;
    double *second = CAROM_ARENA_ARRAY(arena, double, n);
    double *integral = CAROM_ARENA_ARRAY(arena, double, n);
    *out = (curve){ .points = *points, .second = second, .integral = integral };
    out->points.x = carom_arena_copy(arena, points->x, n * sizeof(double));
    out->points.y = carom_arena_copy(arena, points->y, n * sizeof(double));
    if (!second || !integral || !out->points.x || !out->points.y) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a curve of %zu points", n);
    }
    if (points->interpolation == CAROM_CUBIC && n == 3) {
        parabola(&out->points, second);
    } else if (points->interpolation == CAROM_CUBIC && n > 3) {
        not_a_knot(&out->points, second, integral); /* not yet filled: serves as workspace */
        integral[0] = 0.0;
    }
    if (points->interpolation == CAROM_MONOTONE) {
        monotone(&out->points, second);
    }
    sum_integrals(out, integral);
    return CAROM_OK;
}
