/* Elimination for the few unknowns of friction: loads of slipping joints, directions of slip. */
#include "methods/impact/friction_work.h"

double friction_eliminate(double *A, double *b, int n)
{
    double det = 1.0;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
        }
        for (int l = 0; best != k && l < n; ++l) {
            double keep = A[k * n + l];
            A[k * n + l] = A[best * n + l];
            A[best * n + l] = keep;
        }
        double keep = b[k];
        b[k] = b[best];
        b[best] = keep;
        det *= best == k ? A[k * n + k] : -A[k * n + k];
        if (!(fabs(det) > 0.0)) {
            return 0.0;
        }
        for (int i = k + 1; i < n; ++i) {
            double factor = A[i * n + k] / A[k * n + k];
            for (int l = k + 1; l < n; ++l) {
                A[i * n + l] -= factor * A[k * n + l];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int l = k + 1; l < n; ++l) {
            b[k] -= A[k * n + l] * b[l];
        }
        b[k] /= A[k * n + k];
    }
    return det;
}
