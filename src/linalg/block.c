/* The 6x6 kernels of block.h out of line. */
#include "linalg/block.h"

/* A = L D L^T; 6 when A is positive definite, else the first column whose pivot is not. */
int block_factor6(double l[36], double d_inv[6], const double a[36])
{
    memcpy(l, a, 36 * sizeof(double));
    return block_ldl(l, d_inv, 6, BLOCK_PIVOT_FLOOR);
}

double block_inverse_form6(const double l[36], const double d_inv[6], const double v[6])
{
    double w[6];
    memcpy(w, v, sizeof w);
    block_forward(w, l, 6);
    double sum = 0.0;
    for (int k = 0; k < 6; ++k) {
        sum += w[k] * w[k] * d_inv[k];
    }
    return sum;
}
