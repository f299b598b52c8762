/* Generalised minimal residuals: an orthonormal basis of b, A b, A^2 b, ... by the modified Gram-Schmidt process, and the point of that
 * space with the least residual by plane rotations of the small Hessenberg matrix. */
#include "linalg/gmres.h"

#include <math.h>
#include <string.h>

size_t gmres_scratch(int n, int most)
{
    size_t m = (size_t)most;
    return (m + 1) * (size_t)n + m * (m + 1) + 4 * (m + 1);
}

typedef struct krylov {
    const gmres_system *system;
    int most;
    double *basis;         /* most + 1 vectors */
    double *H;             /* columns of the upper triangle, most + 1 numbers each */
    double *cosine, *sine; /* most: of the rotations */
    double *right;         /* most + 1: the rotated right-hand side */
    double *y;             /* most */
} krylov;

/* Four sums side by side: additions wait for each other. */
static double product(const gmres_system *s, const double *a, const double *b)
{
    enum { LANES = 4 };
    double sum[LANES] = { 0.0 };
    int k = 0;
    for (; k + LANES <= s->n; k += LANES) {
        for (int l = 0; l < LANES; ++l) {
            sum[l] += s->weights[k + l] * a[k + l] * b[k + l];
        }
    }
    for (; k < s->n; ++k) {
        sum[0] += s->weights[k] * a[k] * b[k];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double *vector(const krylov *k, int index)
{
    return k->basis + (size_t)index * (size_t)k->system->n;
}

static double *column(const krylov *k, int index)
{
    return k->H + (size_t)index * ((size_t)k->most + 1);
}

static krylov begin(const gmres_system *system, int most, double *scratch)
{
    size_t m = (size_t)most;
    krylov k = { .system = system, .most = most, .basis = scratch };
    k.H = k.basis + (m + 1) * (size_t)system->n;
    k.cosine = k.H + m * (m + 1);
    k.sine = k.cosine + m + 1;
    k.right = k.sine + m + 1;
    k.y = k.right + m + 1;
    return k;
}

/* The next vector of the basis and its column of H. Returns the size of what is new in it. */
static double extend(const krylov *k, int j)
{
    const gmres_system *s = k->system;
    const double *from = vector(k, j);
    double *to = vector(k, j + 1);
    double *h = column(k, j);
    s->apply(s->context, from, to);
    for (int i = 0; i < s->n; ++i) {
        to[i] += from[i];
    }
    for (int i = 0; i <= j; ++i) {
        const double *v = vector(k, i);
        h[i] = product(s, v, to);
        for (int l = 0; l < s->n; ++l) {
            to[l] -= h[i] * v[l];
        }
    }
    double size = sqrt(product(s, to, to));
    for (int i = 0; size > 0.0 && i < s->n; ++i) {
        to[i] /= size;
    }
    return size;
}

/* Rotates a new column, whose entry below the diagonal is `below`, into the triangle, and the right-hand side with it. */
static void rotate(const krylov *k, int j, double below)
{
    double *h = column(k, j);
    for (int i = 0; i < j; ++i) {
        double upper = k->cosine[i] * h[i] + k->sine[i] * h[i + 1];
        h[i + 1] = k->cosine[i] * h[i + 1] - k->sine[i] * h[i];
        h[i] = upper;
    }
    double size = hypot(h[j], below);
    k->cosine[j] = size > 0.0 ? h[j] / size : 1.0;
    k->sine[j] = size > 0.0 ? below / size : 0.0;
    h[j] = size;
    k->right[j + 1] = -k->sine[j] * k->right[j];
    k->right[j] *= k->cosine[j];
}

/* x is the combination of `count` vectors with the least residual. */
static void combine(const krylov *k, int count, double *x)
{
    for (int i = count - 1; i >= 0; --i) {
        double sum = k->right[i];
        for (int j = i + 1; j < count; ++j) {
            sum -= column(k, j)[i] * k->y[j];
        }
        double pivot = column(k, i)[i];
        k->y[i] = pivot > 0.0 ? sum / pivot : 0.0;
    }
    memset(x, 0, (size_t)k->system->n * sizeof *x);
    for (int i = 0; i < count; ++i) {
        const double *v = vector(k, i);
        for (int l = 0; l < k->system->n; ++l) {
            x[l] += k->y[i] * v[l];
        }
    }
}

double gmres_solve(const gmres_system *system, double *x, double tolerance, int most, double *scratch)
{
    krylov k = begin(system, most, scratch);
    double size = sqrt(product(system, x, x));
    if (!(size > 0.0)) {
        return 0.0;
    }
    for (int i = 0; i < system->n; ++i) {
        k.basis[i] = x[i] / size;
    }
    k.right[0] = size;
    int count = 0;
    double left = 1.0;
    while (count < most && left > tolerance) {
        double below = extend(&k, count);
        rotate(&k, count, below);
        ++count;
        left = fabs(k.right[count]) / size;
    }
    combine(&k, count, x);
    return left;
}
