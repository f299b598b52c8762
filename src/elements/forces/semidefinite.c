/* Eigenvalues by cyclic Jacobi rotations: exact to rounding also where they are multiple, and without a case to
 * fail. */
#include "elements/forces/semidefinite.h"

#include <math.h>
#include <stdbool.h>

typedef struct eigen {
    int n;
    double a[SEMIDEFINITE_MOST][SEMIDEFINITE_MOST]; /* becomes diagonal */
    double v[SEMIDEFINITE_MOST][SEMIDEFINITE_MOST]; /* columns: eigenvectors */
} eigen;

static bool load(eigen *e, const double *matrix, int n, int stride)
{
    bool finite = true;
    e->n = n;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            e->a[i][j] = matrix[i * stride + j];
            e->v[i][j] = i == j;
            finite = finite && isfinite(e->a[i][j]);
        }
    }
    return finite;
}

/* Makes a[p][q] zero. */
static void rotate(eigen *e, int p, int q)
{
    if (e->a[p][q] == 0.0) {
        return;
    }
    double theta = (e->a[q][q] - e->a[p][p]) / (2.0 * e->a[p][q]);
    double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0));
    double c = 1.0 / hypot(t, 1.0);
    double s = t * c;
    for (int k = 0; k < e->n; ++k) {
        double kp = e->a[k][p];
        double kq = e->a[k][q];
        e->a[k][p] = c * kp - s * kq;
        e->a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < e->n; ++k) {
        double pk = e->a[p][k];
        double qk = e->a[q][k];
        e->a[p][k] = c * pk - s * qk;
        e->a[q][k] = s * pk + c * qk;
        double vp = e->v[k][p];
        double vq = e->v[k][q];
        e->v[k][p] = c * vp - s * vq;
        e->v[k][q] = s * vp + c * vq;
    }
}

static double off_diagonal2(const eigen *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->n; ++i) {
        for (int j = 0; j < i; ++j) {
            sum += e->a[i][j] * e->a[i][j];
        }
    }
    return sum;
}

static double diagonal2(const eigen *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->n; ++i) {
        sum += e->a[i][i] * e->a[i][i];
    }
    return sum;
}

static void diagonalise(eigen *e)
{
    const double rounding = 1e-30; /* of squares */
    enum { SWEEPS = 30 };          /* a dozen are enough for any matrix */
    for (int sweep = 0; sweep < SWEEPS && off_diagonal2(e) > rounding * diagonal2(e); ++sweep) {
        for (int p = 0; p < e->n; ++p) {
            for (int q = p + 1; q < e->n; ++q) {
                rotate(e, p, q);
            }
        }
    }
}

/* Minus the negative part: leaves a matrix without negative eigenvalues as it was, to the last bit. */
static void remove_negative(double *matrix, int stride, const eigen *e)
{
    for (int k = 0; k < e->n; ++k) {
        double value = e->a[k][k];
        for (int r = 0; value < 0.0 && r < e->n * e->n; ++r) {
            int i = r / e->n;
            int j = r % e->n;
            matrix[i * stride + j] -= value * e->v[i][k] * e->v[j][k];
        }
    }
}

void semidefinite_part(double *matrix, int n, int stride)
{
    eigen e;
    if (!load(&e, matrix, n, stride)) {
        for (int r = 0; r < n * n; ++r) {
            matrix[r / n * stride + r % n] = 0.0;
        }
        return;
    }
    diagonalise(&e);
    remove_negative(matrix, stride, &e);
}
