/* Derivatives of a function known by its values only: central differences over a falling sequence of steps, whose
 * errors are series in h^2, extrapolated to h = 0 by Neville's scheme; the entry on which its neighbours agree best is
 * taken [Ridders1982].
 *
 * The sequence is long (the caller's scale is a guess) and its ratio is no simple fraction: with halved steps a
 * periodic function sampled at whole periods would agree with itself on nonsense. Entries are also charged with the
 * rounding of f, which grows as 1/h or 1/h^2, so that an accidental agreement at tiny steps does not win. */
#include "expr/expr.h"

#include <float.h>
#include <math.h>

enum { LEVELS = 24, COLUMNS = 10 };

static const double LARGEST_STEP = 0.0731; /* of the caller's scale */
static const double RATIO = 1.6180339887;  /* from step to step; 24 steps span five decades */

/* Neville's scheme, row by row, and the best entry so far. */
typedef struct extrapolation {
    double row[COLUMNS];
    double best;
    double best_error; /* estimate; infinite while there is none */
} extrapolation;

/* Adds the difference quotient of the next smaller step. `power` is the first exponent of h in its error, `stride` the
 * distance to the next; `rounding` is the quotient's own uncertainty. NaNs compare false and never become best. */
static void extrapolate(extrapolation *e, int level, double quotient, int power, int stride, double rounding)
{
    double previous[COLUMNS];
    for (int k = 0; k < COLUMNS; ++k) {
        previous[k] = e->row[k];
    }
    e->row[0] = quotient;
    double factor = pow(RATIO, power);
    double step = pow(RATIO, stride);
    for (int k = 1; k < COLUMNS && k <= level; ++k, factor *= step) {
        e->row[k] = (factor * e->row[k - 1] - previous[k - 1]) / (factor - 1.0);
        double error = fmax(fabs(e->row[k] - e->row[k - 1]), fabs(e->row[k] - previous[k - 1])) + rounding;
        if (isfinite(e->row[k]) && error < e->best_error) {
            e->best_error = error;
            e->best = e->row[k];
        }
    }
}

static extrapolation nothing_yet(void)
{
    return (extrapolation){ .best = (double)NAN, .best_error = HUGE_VAL };
}

static void central(expr_function f, void *context, double x, double h0, double out[3])
{
    extrapolation first = nothing_yet();
    extrapolation second = nothing_yet();
    double h = h0;
    for (int level = 0; level < LEVELS; ++level, h /= RATIO) {
        double right = f(context, x + h);
        double left = f(context, x - h);
        double width = (x + h) - (x - h); /* as rounded, not as meant */
        double noise = DBL_EPSILON * (fabs(right) + fabs(left) + fabs(out[0]));
        extrapolate(&first, level, (right - left) / width, 2, 2, noise / width);
        extrapolate(&second, level, 4.0 * ((right - out[0]) - (out[0] - left)) / (width * width), 2, 2,
                    4.0 * noise / (width * width));
    }
    out[1] = first.best;
    out[2] = second.best;
}

/* On the side of x to which h0 points: errors are series in h from h^2 on. */
static void one_sided(expr_function f, void *context, double x, double h0, double out[3])
{
    extrapolation first = nothing_yet();
    extrapolation second = nothing_yet();
    double h = h0;
    for (int level = 0; level < LEVELS; ++level, h /= RATIO) {
        double f1 = f(context, x + h);
        double f2 = f(context, x + 2.0 * h);
        double f3 = f(context, x + 3.0 * h);
        double noise = 4.0 * DBL_EPSILON * (fabs(out[0]) + fabs(f1) + fabs(f2) + fabs(f3));
        extrapolate(&first, level, (4.0 * (f1 - out[0]) - (f2 - out[0])) / (2.0 * h), 2, 1, noise / fabs(h));
        extrapolate(&second, level, (2.0 * out[0] - 5.0 * f1 + 4.0 * f2 - f3) / (h * h), 2, 1, noise / (h * h));
    }
    out[1] = first.best;
    out[2] = second.best;
}

void expr_derivatives(expr_function f, void *context, double x, double scale, double out[3])
{
    double h0 = LARGEST_STEP * (isfinite(scale) && scale != 0.0 ? fabs(scale) : 1.0);
    out[0] = f(context, x);
    central(f, context, x, h0, out);
    for (int side = 1; side >= -1 && isnan(out[1]); side -= 2) {
        one_sided(f, context, x, side * h0, out);
    }
}
