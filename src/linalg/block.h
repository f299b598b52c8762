/* Dense kernels on blocks of at most 6x6, the size of a rigid body: L D L^T, triangular solves, products.
 *
 * Two numbers travel together as one `pair2` (GCC's and Clang's portable vector type: SSE2 on plain x86-64), and all
 * sizes are constants where a kernel is inlined, so that a block lives in registers. Layouts used inside:
 *
 *     columns   a[stride * column + row], stride = BLOCK_STRIDE(rows): rows padded to an even number
 *     rows      a[6 * row + column]
 *
 * A factor keeps the strictly lower part of the unit triangle L in columns, zeros elsewhere, and 1/D apart: whole
 * columns can then be used without looking at the diagonal, and no square root is taken. */
#ifndef CAROM_LINALG_BLOCK_H
#define CAROM_LINALG_BLOCK_H

#include <stdbool.h>
#include <string.h>

#define BLOCK_WIDTH 6 /* columns of a rigid body: velocity, angular velocity */
#define BLOCK_STRIDE(rows) (((rows) + 1) & ~1)

/* Loops below run at most 6 times; gcc -O2 leaves them rolled (and the block in memory) unless told. Under a sanitizer
 * every unrolled access would be checked apart and tree.c take minutes to compile: there they stay rolled. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BLOCK_ROLLED
#elif defined(__clang__)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer) || \
    __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define BLOCK_ROLLED
#endif
#endif

#if defined(BLOCK_ROLLED) || !defined(__OPTIMIZE__)
#define BLOCK_INLINE static inline
#define BLOCK_UNROLL
#else
#define BLOCK_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define BLOCK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define BLOCK_UNROLL _Pragma("GCC unroll 6")
#endif
#endif

typedef double pair2 __attribute__((vector_size(16)));

BLOCK_INLINE pair2 pair2_load(const double *p)
{
    pair2 v;
    memcpy(&v, p, sizeof v);
    return v;
}

BLOCK_INLINE void pair2_store(double *p, pair2 v)
{
    memcpy(p, &v, sizeof v);
}

BLOCK_INLINE pair2 pair2_both(double s)
{
    return (pair2){ s, s };
}

/* A pivot this small against the diagonal it came from is rounding noise: nothing is left of the number. */
#define BLOCK_PIVOT_FLOOR 2e-14

/* a = L D L^T for the symmetric n x n block in columns (lower part read). Writes L over a and 1/D to d_inv. Returns
 * the first column whose pivot is not positive, not finite or below floor * its diagonal, or n when all is well. */
BLOCK_INLINE int block_ldl(double *a, double *d_inv, const int n, double floor)
{
    const int stride = BLOCK_STRIDE(n);
    const int half = stride / 2;
    pair2 c[6][3];
    int good = n;
    BLOCK_UNROLL for (int k = 0; k < n; ++k)
    {
        BLOCK_UNROLL for (int v = k / 2; v < half; ++v)
        {
            c[k][v] = pair2_load(a + stride * k + 2 * v);
        }
    }
    BLOCK_UNROLL for (int j = 0; j < n; ++j)
    {
        double d = c[j][j / 2][j % 2];
        double bound = floor * a[stride * j + j];
        good = (d > bound && d <= 1e300) || good < n ? good : j;
        double inverse = 1.0 / d;
        d_inv[j] = inverse;
        pair2 l[3];
        BLOCK_UNROLL for (int v = j / 2; v < half; ++v)
        {
            l[v] = c[j][v] * pair2_both(inverse);
        }
        BLOCK_UNROLL for (int k = j + 1; k < n; ++k)
        {
            pair2 s = pair2_both(c[j][k / 2][k % 2]);
            BLOCK_UNROLL for (int v = k / 2; v < half; ++v)
            {
                c[k][v] -= l[v] * s;
            }
        }
        BLOCK_UNROLL for (int v = 0; v < j / 2; ++v)
        {
            pair2_store(a + stride * j + 2 * v, pair2_both(0.0));
        }
        l[j / 2][j % 2] = 0.0;
        if (j % 2 == 1) {
            l[j / 2][0] = 0.0;
        }
        BLOCK_UNROLL for (int v = j / 2; v < half; ++v)
        {
            pair2_store(a + stride * j + 2 * v, l[v]);
        }
    }
    return good;
}

/* Columns of w from the rows of g (rows x 6); the padding row becomes zero. */
BLOCK_INLINE void block_rows_to_columns(double *w, const double *g, const int rows)
{
    const int stride = BLOCK_STRIDE(rows);
    BLOCK_UNROLL for (int k = 0; k < 6; ++k)
    {
        BLOCK_UNROLL for (int i = 0; i < rows; ++i)
        {
            w[stride * k + i] = g[6 * i + k];
        }
        if (rows % 2 == 1) {
            w[stride * k + rows] = 0.0;
        }
    }
}

/* w <- w L^-T for w in columns (rows x 6) and a 6x6 factor. */
BLOCK_INLINE void block_solve_right(double *w, const double *l, const int rows)
{
    const int stride = BLOCK_STRIDE(rows);
    BLOCK_UNROLL for (int v = 0; v < stride; v += 2)
    {
        pair2 c[6];
        BLOCK_UNROLL for (int k = 0; k < 6; ++k)
        {
            c[k] = pair2_load(w + stride * k + v);
        }
        BLOCK_UNROLL for (int j = 0; j < 5; ++j)
        {
            BLOCK_UNROLL for (int k = j + 1; k < 6; ++k)
            {
                c[k] -= c[j] * pair2_both(l[6 * j + k]);
            }
        }
        BLOCK_UNROLL for (int k = 0; k < 6; ++k)
        {
            pair2_store(w + stride * k + v, c[k]);
        }
    }
}

/* y <- L^-1 y for y in rows (n x 6) and an n x n factor. */
BLOCK_INLINE void block_solve_left(double *y, const double *l, const int n)
{
    const int stride = BLOCK_STRIDE(n);
    BLOCK_UNROLL for (int v = 0; v < 6; v += 2)
    {
        pair2 r[6];
        BLOCK_UNROLL for (int i = 0; i < n; ++i)
        {
            r[i] = pair2_load(y + 6 * i + v);
        }
        BLOCK_UNROLL for (int j = 0; j < n - 1; ++j)
        {
            BLOCK_UNROLL for (int i = j + 1; i < n; ++i)
            {
                r[i] -= r[j] * pair2_both(l[stride * j + i]);
            }
        }
        BLOCK_UNROLL for (int i = 0; i < n; ++i)
        {
            pair2_store(y + 6 * i + v, r[i]);
        }
    }
}

/* s = w diag(d) w^T, lower part in columns, for w in columns (n x 6). */
BLOCK_INLINE void block_square_columns(double *s, const double *w, const double *d, const int n)
{
    const int stride = BLOCK_STRIDE(n);
    const int half = stride / 2;
    pair2 c[6][3];
    BLOCK_UNROLL for (int k = 0; k < n; ++k)
    {
        BLOCK_UNROLL for (int v = k / 2; v < half; ++v)
        {
            c[k][v] = pair2_both(0.0);
        }
    }
    BLOCK_UNROLL for (int j = 0; j < 6; ++j)
    {
        pair2 wd[3];
        BLOCK_UNROLL for (int v = 0; v < half; ++v)
        {
            wd[v] = pair2_load(w + stride * j + 2 * v) * pair2_both(d[j]);
        }
        BLOCK_UNROLL for (int k = 0; k < n; ++k)
        {
            pair2 t = pair2_both(w[stride * j + k]);
            BLOCK_UNROLL for (int v = k / 2; v < half; ++v)
            {
                c[k][v] += wd[v] * t;
            }
        }
    }
    BLOCK_UNROLL for (int k = 0; k < n; ++k)
    {
        BLOCK_UNROLL for (int v = k / 2; v < half; ++v)
        {
            pair2_store(s + stride * k + 2 * v, c[k][v]);
        }
    }
}

/* out = base + sign * y^T diag(d) y, lower part of a 6x6 in columns, for y in rows (n x 6); sign is +1 or -1. */
BLOCK_INLINE void block_add_square_rows(double *out, const double *base, const double *y, const double *d,
                                        double sign, const int n)
{
    pair2 c[6][3];
    BLOCK_UNROLL for (int k = 0; k < 6; ++k)
    {
        BLOCK_UNROLL for (int v = k / 2; v < 3; ++v)
        {
            c[k][v] = pair2_load(base + 6 * k + 2 * v);
        }
    }
    BLOCK_UNROLL for (int i = 0; i < n; ++i)
    {
        pair2 yd[3];
        BLOCK_UNROLL for (int v = 0; v < 3; ++v)
        {
            yd[v] = pair2_load(y + 6 * i + 2 * v) * pair2_both(sign * d[i]);
        }
        BLOCK_UNROLL for (int k = 0; k < 6; ++k)
        {
            pair2 t = pair2_both(y[6 * i + k]);
            BLOCK_UNROLL for (int v = k / 2; v < 3; ++v)
            {
                c[k][v] += yd[v] * t;
            }
        }
    }
    BLOCK_UNROLL for (int k = 0; k < 6; ++k)
    {
        BLOCK_UNROLL for (int v = k / 2; v < 3; ++v)
        {
            pair2_store(out + 6 * k + 2 * v, c[k][v]);
        }
    }
}

/* b <- L^-1 b; b is padded to the stride. */
BLOCK_INLINE void block_forward(double *b, const double *l, const int n)
{
    const int stride = BLOCK_STRIDE(n);
    pair2 c[3];
    BLOCK_UNROLL for (int v = 0; v < stride / 2; ++v)
    {
        c[v] = pair2_load(b + 2 * v);
    }
    BLOCK_UNROLL for (int j = 0; j < n - 1; ++j)
    {
        pair2 t = pair2_both(c[j / 2][j % 2]);
        BLOCK_UNROLL for (int v = j / 2; v < stride / 2; ++v)
        {
            c[v] -= pair2_load(l + stride * j + 2 * v) * t;
        }
    }
    BLOCK_UNROLL for (int v = 0; v < stride / 2; ++v)
    {
        pair2_store(b + 2 * v, c[v]);
    }
}

/* b <- L^-T b. */
BLOCK_INLINE void block_backward(double *b, const double *l, const int n)
{
    const int stride = BLOCK_STRIDE(n);
    double x[6];
    BLOCK_UNROLL for (int j = 0; j < n; ++j)
    {
        x[j] = b[j];
    }
    BLOCK_UNROLL for (int i = n - 1; i > 0; --i)
    {
        BLOCK_UNROLL for (int j = 0; j < i; ++j)
        {
            x[j] -= l[stride * j + i] * x[i];
        }
    }
    BLOCK_UNROLL for (int j = 0; j < n; ++j)
    {
        b[j] = x[j];
    }
}

/* out += a t for a in columns: n columns of `stride` entries (both even or padded), one number of t per column. */
BLOCK_INLINE void block_add_columns(double *out, const double *a, const double *t, const int stride, const int n)
{
    pair2 c[3];
    BLOCK_UNROLL for (int v = 0; v < stride / 2; ++v)
    {
        c[v] = pair2_load(out + 2 * v);
    }
    BLOCK_UNROLL for (int j = 0; j < n; ++j)
    {
        BLOCK_UNROLL for (int v = 0; v < stride / 2; ++v)
        {
            c[v] += pair2_load(a + stride * j + 2 * v) * pair2_both(t[j]);
        }
    }
    BLOCK_UNROLL for (int v = 0; v < stride / 2; ++v)
    {
        pair2_store(out + 2 * v, c[v]);
    }
}

/* out_j = a_j . t, one number per column of a. */
BLOCK_INLINE void block_dot_columns(double *out, const double *a, const double *t, const int stride, const int n)
{
    BLOCK_UNROLL for (int j = 0; j < n; ++j)
    {
        pair2 sum = pair2_both(0.0);
        BLOCK_UNROLL for (int v = 0; v < stride; v += 2)
        {
            sum += pair2_load(a + stride * j + v) * pair2_load(t + v);
        }
        out[j] = sum[0] + sum[1];
    }
}

/* The 6x6 kernels out of line, for use where speed does not matter. */
int block_factor6(double l[36], double d_inv[6], const double a[36]);
double block_inverse_form6(const double l[36], const double d_inv[6], const double v[6]); /* v^T A^-1 v */

#endif
