#include "elements/bodies/modes_sums.h"

#include <string.h>

void modal_add_scaled(double *restrict out, double s, const double *restrict in, int count)
{
    for (int i = 0; i < count; ++i) {
        out[i] += s * in[i];
    }
}

/* Four rows at a time, in order: each number of `out` is loaded and stored once for four. */
void modal_add_rows(double *restrict out, const double *x, const double *restrict rows, int count, int width)
{
    int l = 0;
    for (; l + 4 <= count; l += 4) {
        const double *a = rows + (size_t)l * (size_t)width;
        const double *b = a + width;
        const double *c = b + width;
        const double *d = c + width;
        for (int i = 0; i < width; ++i) {
            out[i] = out[i] + x[l] * a[i] + x[l + 1] * b[i] + x[l + 2] * c[i] + x[l + 3] * d[i];
        }
    }
    for (; l < count; ++l) {
        modal_add_scaled(out, x[l], rows + (size_t)l * (size_t)width, width);
    }
}

/* ---- blocks of `axes` x `axes` numbers -------------------------------------------------------------------------------- */

static double block_trace(const double *G, int axes)
{
    double sum = 0.0;
    for (int i = 0; i < axes; ++i) {
        sum += G[(axes + 1) * i];
    }
    return sum;
}

/* sum m r x psi where G = sum m r psi' */
static v3 cross_of(const double *G, int axes)
{
    if (axes < 3) {
        return v3_make(0.0, 0.0, axes == 2 ? G[1] - G[2] : 0.0);
    }
    const double *x = G;
    const double *y = G + 3;
    const double *z = y + 3;
    return v3_make(y[2] - z[1], z[0] - x[2], x[1] - y[0]);
}

/* omega' G omega */
static double along_twice(const double *G, int axes, v3 omega)
{
    double sum = 0.0;
    for (int i = 0; i < axes; ++i) {
        for (int k = 0; k < axes; ++k) {
            sum += v3_get(omega, i) * G[axes * i + k] * v3_get(omega, k);
        }
    }
    return sum;
}

/* Nothing moves along the other axes. */
static m3 in_space(const double *G, int axes)
{
    m3 out = { { 0.0 } };
    for (int i = 0; i < axes; ++i) {
        for (int k = 0; k < axes; ++k) {
            out.m[3 * i + k] = G[axes * i + k];
        }
    }
    return out;
}

/* The product of a 3 x n matrix with the coordinates or their rates. */
v3 modal_rows_times(const double *rows, int n, const double *x)
{
    v3 sum = v3_zero();
    for (int k = 0; k < n; ++k) { /* three sums at a time do not wait for each other */
        sum.x += rows[k] * x[k];
        sum.y += rows[n + k] * x[k];
        sum.z += rows[2 * n + k] * x[k];
    }
    return sum;
}

void modal_now_make(modal_now *now, const modal_body *b, const double *z)
{
    const int n = b->total;
    const int axes = b->axes;
    const int block = axes * axes;
    m3 C = b->second;
    memcpy(now->G, b->Q, (size_t)(block * n) * sizeof *now->G);
    modal_add_rows(now->G, z, b->P, n, block * n);
    for (int k = 0; k < n; ++k) {
        const double *G = now->G + block * k;
        const double *Q = b->Q + block * k;
        for (int i = 0; i < axes; ++i) {
            for (int j = 0; j < axes; ++j) {
                C.m[3 * i + j] += z[k] * (Q[axes * j + i] + G[axes * i + j]);
            }
        }
    }
    C = m3_scale(0.5, m3_add(C, m3_transpose(C))); /* symmetric but for rounding */
    double trace = m3_trace(C);
    now->C = C;
    now->J = m3_add(b->turning, m3_add(m3_diag(trace, trace, trace), m3_scale(-1.0, C)));
    now->mc = v3_add(b->first, modal_rows_times(b->S, n, z));
}

v3 modal_spin(const modal_body *b, const modal_now *now, int k)
{
    const double *T = b->T;
    const int n = b->total;
    return v3_add(cross_of(now->G + b->axes * b->axes * k, b->axes), v3_make(T[k], T[n + k], T[2 * n + k]));
}

/* ---- mass ---------------------------------------------------------------------------------------------------------- */

static void put_block(double *M, int width, int row, int column, m3 block)
{
    for (int i = 0; i < 9; ++i) {
        M[width * (row + i / 3) + column + i % 3] = block.m[i];
    }
}

static void put_column(double *M, int width, int row, int column, v3 v)
{
    for (int i = 0; i < 3; ++i) {
        M[width * (row + i) + column] = v3_get(v, i);
        M[width * column + row + i] = v3_get(v, i);
    }
}

void modal_put_frame(double *M, int width, const body_frame *frame, modal_frame of)
{
    m3 across = m3_skew(m3_mulv(frame->R_w, of.mc));
    put_block(M, width, 0, 0, m3_diag(of.mass, of.mass, of.mass));
    put_block(M, width, 0, 3, m3_scale(-1.0, across));
    put_block(M, width, 3, 0, across);
    put_block(M, width, 3, 3, m3_rotate_tensor(frame->R_w, of.J));
}

void modal_put_coupling(double *M, int width, const body_frame *frame, int k, v3 move, v3 spin)
{
    put_column(M, width, 0, FRAME_COLUMNS + k, m3_mulv(frame->R_w, move));
    put_column(M, width, 3, FRAME_COLUMNS + k, m3_mulv(frame->R_w, spin));
}

/* ---- forces -------------------------------------------------------------------------------------------------------- */

modal_load modal_frame_load(const modal_body *b, const modal_now *now, v3 omega, const double *rate,
                            const double *bias)
{
    const int n = b->total;
    const int block = b->axes * b->axes;
    v3 flow = modal_rows_times(b->S, n, rate);
    v3 force = v3_axpy(v3_cross(omega, v3_cross(omega, now->mc)), 2.0, v3_cross(omega, flow));
    double sum[9] = { 0.0 };
    v3 turned = v3_zero();
    modal_add_rows(sum, rate, now->G, n, block);
    for (int k = b->count; k < n; ++k) {
        turned = v3_axpy(turned, bias[k], cross_of(now->G + block * k, b->axes));
    }
    const m3 E = in_space(sum, b->axes);
    v3 spin = v3_add(m3_mulv(now->J, omega), modal_rows_times(b->T, n, rate));
    v3 coriolis = v3_sub(v3_scale(m3_trace(E), omega), m3_tmulv(E, omega));
    v3 torque = v3_axpy(v3_cross(omega, spin), 2.0, coriolis);
    if (n > b->count) {
        force = v3_add(force, modal_rows_times(b->S, n, bias));
        torque = v3_add(torque, v3_add(turned, modal_rows_times(b->T, n, bias)));
    }
    return (modal_load){ v3_neg(force), v3_neg(torque) };
}

/* omega . sum_l z_l' A_lk for all k. */
static void coriolis_on_shapes(const modal_body *b, v3 omega, const double *rate, double *out)
{
    const int n = b->total;
    const int spins = modal_spins(b);
    double flow[3 * MODES_MOST];
    memset(flow, 0, (size_t)(spins * n) * sizeof *flow);
    modal_add_rows(flow, rate, b->A, n, spins * n);
    for (int k = 0; k < n; ++k) {
        out[k] = 0.0;
        for (int a = 0; a < spins; ++a) {
            out[k] += v3_get(omega, 3 - spins + a) * flow[spins * k + a];
        }
    }
}

void modal_shape_load(const modal_body *b, const modal_now *now, v3 omega, const double *rate, const double *bias,
                      double *per_z)
{
    const int n = b->total;
    const double omega2 = v3_norm2(omega);
    coriolis_on_shapes(b, omega, rate, per_z);
    for (int k = 0; k < n; ++k) {
        const double *G = now->G + b->axes * b->axes * k;
        double centrifugal = omega2 * block_trace(G, b->axes) - along_twice(G, b->axes, omega);
        per_z[k] = centrifugal - 2.0 * per_z[k];
    }
    for (int e = b->count; e < n; ++e) {
        modal_add_scaled(per_z, -bias[e], b->F + (size_t)e * (size_t)n, n);
    }
}
