/* Eigenvalues of symmetric 3x3 matrices by cyclic Jacobi rotations: exact to rounding also for multiple eigenvalues,
 * which principal axes of symmetric bodies always have. */
#include "math/mat3.h"

/* Rotates in the plane (p, q) so that a[p][q] becomes zero. */
static void jacobi_rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0) {
        return;
    }
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0);
    double s = t * c;
    for (int k = 0; k < 3; ++k) {
        double akp = a[k][p];
        double akq = a[k][q];
        a[k][p] = c * akp - s * akq;
        a[k][q] = s * akp + c * akq;
    }
    for (int k = 0; k < 3; ++k) {
        double apk = a[p][k];
        double aqk = a[q][k];
        a[p][k] = c * apk - s * aqk;
        a[q][k] = s * apk + c * aqk;
        double vkp = v[k][p];
        double vkq = v[k][q];
        v[k][p] = c * vkp - s * vkq;
        v[k][q] = s * vkp + c * vkq;
    }
    a[p][q] = a[q][p] = 0.0;
}

void m3_eigen_symmetric(m3 m, double values[3], m3 *vectors)
{
    enum { SWEEPS = 30 }; /* quadratic convergence: five or six sweeps reach rounding, thirty never happen */
    double a[3][3];
    double v[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            a[i][j] = 0.5 * (m.m[3 * i + j] + m.m[3 * j + i]);
        }
    }
    for (int sweep = 0; sweep < SWEEPS && (a[0][1] != 0.0 || a[0][2] != 0.0 || a[1][2] != 0.0); ++sweep) {
        jacobi_rotate(a, v, 0, 1);
        jacobi_rotate(a, v, 0, 2);
        jacobi_rotate(a, v, 1, 2);
    }
    int order[3] = { 0, 1, 2 };
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2 - i; ++j) {
            if (a[order[j]][order[j]] > a[order[j + 1]][order[j + 1]]) {
                int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
        }
    }
    v3 column[3];
    for (int i = 0; i < 3; ++i) {
        values[i] = a[order[i]][order[i]];
        column[i] = v3_make(v[0][order[i]], v[1][order[i]], v[2][order[i]]);
    }
    *vectors = m3_from_columns(column[0], column[1], v3_cross(column[0], column[1]));
}
