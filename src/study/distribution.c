/* Quantiles of the distributions of a study, and of beta distributions.
 *
 * Normal quantiles: a rational start, then Halley's steps on erfc, which is exact to rounding in the lower tail; the upper tail is
 * its mirror image. Truncation works on shares of the tail that is nearer, so that it is exact far out too. */
#include "study/distribution.h"

#include <float.h>
#include <math.h>

#define SQRT_2 1.4142135623730950488
#define SQRT_2_PI 2.5066282746310005024

/* ---- normal ------------------------------------------------------------------------------------------------------- */

static double lower_tail(double x)
{
    return 0.5 * erfc(-x / SQRT_2);
}

/* For p <= 1/2. Start: 26.2.23 of [AbramowitzStegun1964], off by 4.5e-4 at most. */
static double lower_quantile(double p)
{
    double t = sqrt(-2.0 * log(p));
    double x = -(t -
                 (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int k = 0; k < 4; ++k) { /* cubic convergence: the third changes nothing, the fourth makes sure */
        double ratio = (lower_tail(x) - p) * SQRT_2_PI * exp(0.5 * x * x);
        x -= ratio / (1.0 + 0.5 * x * ratio);
    }
    return x;
}

double normal_quantile(double p)
{
    return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1.0 - p);
}

/* Share u of the normal numbers between a and b (a < b, may be infinite). */
static double truncated_normal(double a, double b, double u)
{
    if (a > 0.0) {
        return -truncated_normal(-b, -a, 1.0 - u);
    }
    double low = lower_tail(a);
    double high = lower_tail(b);
    double p = low + u * (high - low);
    double x = p <= 0.5 ? lower_quantile(p)
                        : -lower_quantile(fmax(lower_tail(-b) + (1.0 - u) * (high - low), DBL_MIN));
    return fmin(fmax(x, a), b);
}

/* ---- the others --------------------------------------------------------------------------------------------------- */

static double triangular_share(const double *t, double x)
{
    if (x <= t[0]) {
        return 0.0;
    }
    if (x >= t[2]) {
        return 1.0;
    }
    return x <= t[1] && t[1] > t[0] ? (x - t[0]) * (x - t[0]) / ((t[2] - t[0]) * (t[1] - t[0]))
                                    : 1.0 - (t[2] - x) * (t[2] - x) / ((t[2] - t[0]) * (t[2] - t[1]));
}

static double triangular_quantile(const double *t, double u)
{
    double rising = (t[1] - t[0]) / (t[2] - t[0]);
    return u < rising ? t[0] + sqrt(u * (t[2] - t[0]) * (t[1] - t[0]))
                      : t[2] - sqrt((1.0 - u) * (t[2] - t[0]) * (t[2] - t[1]));
}

static double low_of(const vary_def *v)
{
    return v->within.count ? v->within.data[0] : -HUGE_VAL;
}

static double high_of(const vary_def *v)
{
    return v->within.count ? v->within.data[1] : HUGE_VAL;
}

static double log_or_less(double x)
{
    return x > 0.0 ? log(x) : -HUGE_VAL;
}

static double level_quantile(const vary_def *v, double u)
{
    size_t i = (size_t)(u * (double)v->levels.count);
    return v->levels.data[i < v->levels.count ? i : v->levels.count - 1];
}

double vary_quantile(const vary_def *v, double u)
{
    double low = low_of(v);
    double high = high_of(v);
    double x;
    if (v->uniform.count) {
        double a = fmax(low, v->uniform.data[0]);
        double b = fmin(high, v->uniform.data[1]);
        x = a + u * (b - a);
    } else if (v->normal.count) {
        double m = v->normal.data[0];
        double s = v->normal.data[1];
        x = m + s * truncated_normal((low - m) / s, (high - m) / s, u);
    } else if (v->lognormal.count) {
        double m = log(v->lognormal.data[0]);
        double s = v->lognormal.data[1];
        x = exp(m + s * truncated_normal((log_or_less(low) - m) / s, (log_or_less(high) - m) / s, u));
    } else if (v->triangular.count) {
        const double *t = v->triangular.data;
        double a = triangular_share(t, low);
        x = triangular_quantile(t, a + u * (triangular_share(t, high) - a));
    } else {
        return level_quantile(v, u);
    }
    return fmin(fmax(x, low), high); /* rounding may leave the bounds by a last bit */
}

void vary_bounds(const vary_def *v, double *low, double *high)
{
    const carom_reals *ends = v->uniform.count ? &v->uniform : v->triangular.count ? &v->triangular : &v->within;
    *low = ends->count ? fmax(low_of(v), ends->data[0]) : -HUGE_VAL;
    *high = ends->count ? fmin(high_of(v), ends->data[ends->count - 1]) : HUGE_VAL;
}

/* ---- checks ------------------------------------------------------------------------------------------------------- */

static carom_status check_shape(const vary_def *v, carom_error *err)
{
    const char *name = v->path;
    if (v->uniform.count && !(v->uniform.data[0] < v->uniform.data[1])) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.100s': uniform from %g to %g is empty; the lower end comes first",
                          name, v->uniform.data[0], v->uniform.data[1]);
    }
    if (v->normal.count && !(v->normal.data[1] > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.100s': the standard deviation must be positive, not %g", name,
                          v->normal.data[1]);
    }
    if (v->lognormal.count && !(v->lognormal.data[0] > 0.0 && v->lognormal.data[1] > 0.0)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'%.100s': lognormal takes a positive median and a positive deviation of the logarithm, not %g and %g",
            name, v->lognormal.data[0], v->lognormal.data[1]);
    }
    const double *t = v->triangular.data;
    if (v->triangular.count && !(t[0] <= t[1] && t[1] <= t[2] && t[0] < t[2])) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.100s': triangular takes low, most probable and high in this order, not %g, %g, %g",
                          name, t[0], t[1], t[2]);
    }
    return CAROM_OK;
}

static carom_status check_within(const vary_def *v, carom_error *err)
{
    if (!v->within.count) {
        return CAROM_OK;
    }
    double low = v->within.data[0];
    double high = v->within.data[1];
    if (v->levels.count) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.100s': 'within' does not go with 'levels'; leave those out that are not wanted",
                          v->path);
    }
    if (!(low < high)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.100s': 'within' from %g to %g is empty; the lower end comes first", v->path, low, high);
    }
    const carom_reals *ends = v->uniform.count ? &v->uniform : &v->triangular;
    bool apart = ends->count && (high <= ends->data[0] || low >= ends->data[ends->count - 1]);
    if (apart || (v->lognormal.count && high <= 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.100s': nothing of it lies within %g and %g", v->path, low, high);
    }
    return CAROM_OK;
}

carom_status vary_check(const vary_def *v, carom_error *err)
{
    int given = !!v->uniform.count + !!v->normal.count + !!v->lognormal.count + !!v->triangular.count +
                !!v->levels.count;
    if (given != 1) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.100s' has %s; give one of uniform, normal, lognormal, triangular, levels", v->path,
                          given == 0 ? "no distribution" : "more than one distribution");
    }
    carom_status status = check_shape(v, err);
    return status == CAROM_OK ? check_within(v, err) : status;
}

/* ---- beta --------------------------------------------------------------------------------------------------------- */

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double x, double a, double b)
{
    enum { MOST = 100000 };
    double c = 1.0;
    double d = 1.0 / (1.0 - (a + b) * x / (a + 1.0));
    double h = d;
    for (int m = 1; m < MOST; ++m) {
        double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0));
        d = 1.0 / (1.0 + even * d);
        c = 1.0 + even / c;
        h *= d * c;
        d = 1.0 / (1.0 + odd * d);
        c = 1.0 + odd / c;
        h *= d * c;
        if (fabs(d * c - 1.0) < DBL_EPSILON) {
            break;
        }
    }
    return h;
}

double beta_share(double x, double a, double b)
{
    if (x <= 0.0 || x >= 1.0) {
        return x <= 0.0 ? 0.0 : 1.0;
    }
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(x, a, b) / a
                                         : 1.0 - front * beta_fraction(1.0 - x, b, a) / b;
}

/* Bisection: sure, and quick enough for a few intervals. */
double beta_quantile(double p, double a, double b)
{
    double low = 0.0;
    double high = 1.0;
    for (int k = 0; k < 200 && high - low > 0.0; ++k) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) {
            break;
        }
        *(beta_share(middle, a, b) < p ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

void clopper_pearson(size_t hits, size_t count, double confidence, double *low, double *high)
{
    double tail = 0.5 * (1.0 - confidence);
    double k = (double)hits;
    double n = (double)count;
    *low = hits == 0 ? 0.0 : beta_quantile(tail, k, n - k + 1.0);
    *high = hits >= count ? 1.0 : beta_quantile(1.0 - tail, k + 1.0, n - k);
}
