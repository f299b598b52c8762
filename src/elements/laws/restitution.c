/* For F = k p^n (1 + a p'/v0) the speed u = p'/v0 obeys m v0^2 u du = -k p^n (1 + a u) dp. Integrated from u = 1 down to
 * 0 and on to -e, the work k p^n dp goes in and comes out again, whatever k, n and m are, so that
 *     integral of u/(1 + a u) over 0..1  =  -integral of u/(1 + a u) over -e..0,
 * that is phi(a) = phi(-a e) with phi(x) = x - ln(1 + x). Besides a = 0 there is one root; it lies between (1 - e)/e,
 * where phi(a) - phi(-a e) is largest, and 1/e, where it falls to minus infinity, and between them the function is
 * concave. */
#include "elements/laws/restitution.h"

#include <math.h>
#include <stdbool.h>

/* phi(x)/x^2 for x > -1; near 0 by its series, since the difference would cancel. */
static double phi_over_square(double x)
{
    const double SMALL = 0.05;
    enum { TERMS = 14 };
    if (fabs(x) > SMALL) {
        return (x - log1p(x)) / (x * x);
    }
    double sum = 0.0;
    for (int k = TERMS; k >= 2; --k) {
        sum = 1.0 / k - x * sum;
    }
    return sum;
}

/* (phi(a) - phi(-a e))/a^2, and its derivative by a times a. */
static double imbalance(double a, double e, double *slope)
{
    double left = 1.0 - a * e;
    double value = phi_over_square(a) - e * e * phi_over_square(-a * e);
    *slope = 1.0 / (1.0 + a) - e * e / left - 2.0 * value;
    return value;
}

/* Newton's method, kept inside a bracket by bisection. Where a e is 1 to the last bit the imbalance is -infinity or NaN:
 * the root lies to the left. */
double damping_for_restitution(double e)
{
    enum { ITERATIONS = 100 };
    double low = (1.0 - e) / e;
    double high = 1.0 / e;
    double a = fmin(1.5 * (1.0 - e) / e, 0.5 * (low + high));
    for (int k = 0; k < ITERATIONS && e < 1.0; ++k) {
        double slope;
        double value = imbalance(a, e, &slope);
        *(value > 0.0 ? &low : &high) = a;
        double next = a - value * a / slope;
        bool inside = next >= low && next <= high;
        next = inside ? next : 0.5 * (low + high);
        if (fabs(next - a) <= 1e-14 * a) {
            return next;
        }
        a = next;
    }
    return e < 1.0 ? a : 0.0;
}
