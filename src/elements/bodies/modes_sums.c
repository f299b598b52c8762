#include "elements/bodies/modes_sums.h"

#include <string.h>

/* out += s in, `count` numbers */
void modal_add_scaled(double *restrict out, double s, const double *restrict in, int count)
{
    for (int i = 0; i < count; ++i) {
        out[i] += s * in[i];
    }
}

static double trace9(const double *G)
{
    return G[0] + G[4] + G[8];
}

/* sum m r x psi where G = sum m r psi' */
static v3 cross_of(const double *G)
{
    const double *x = G;
    const double *y = G + 3;
    const double *z = y + 3;
    return v3_make(y[2] - z[1], z[0] - x[2], x[1] - y[0]);
}

/* omega' G omega */
static double along_twice(const double *G, v3 omega)
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        sum += v3_get(omega, i / 3) * G[i] * v3_get(omega, i % 3);
    }
    return sum;
}

/* The product of a 3 x n matrix with the coordinates or their rates. */
v3 modal_rows_times(const double *rows, int n, const double *x)
{
    double sum[3] = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < n; ++k) {
            sum[i] += rows[n * i + k] * x[k];
        }
    }
    return v3_load(sum);
}

void modal_now_make(modal_now *now, const modal_body *b, const double *z)
{
    int n = b->total;
    memcpy(now->G, b->Q, 9 * (size_t)n * sizeof *now->G);
    for (int l = 0; l < n; ++l) {
        modal_add_scaled(now->G, z[l], b->P + (size_t)l * 9 * (size_t)n, 9 * n);
    }
    m3 C = b->second;
    for (int k = 0; k < n; ++k) {
        const double *G = now->G + 9 * k;
        const double *Q = b->Q + 9 * k;
        for (int i = 0; i < 9; ++i) {
            C.m[i] += z[k] * (Q[3 * (i % 3) + i / 3] + G[i]);
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
    return v3_add(cross_of(now->G + 9 * k), v3_make(T[k], T[n + k], T[2 * n + k]));
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
    int n = b->total;
    v3 flow = modal_rows_times(b->S, n, rate);
    v3 force = v3_axpy(v3_cross(omega, v3_cross(omega, now->mc)), 2.0, v3_cross(omega, flow));
    m3 E = { { 0.0 } };
    v3 turned = v3_zero();
    for (int k = 0; k < n; ++k) {
        modal_add_scaled(E.m, rate[k], now->G + 9 * k, 9);
    }
    for (int k = b->count; k < n; ++k) {
        turned = v3_axpy(turned, bias[k], cross_of(now->G + 9 * k));
    }
    v3 spin = v3_add(m3_mulv(now->J, omega), modal_rows_times(b->T, n, rate));
    v3 coriolis = v3_sub(v3_scale(m3_trace(E), omega), m3_tmulv(E, omega));
    v3 torque = v3_axpy(v3_cross(omega, spin), 2.0, coriolis);
    if (n > b->count) {
        force = v3_add(force, modal_rows_times(b->S, n, bias));
        torque = v3_add(torque, v3_add(turned, modal_rows_times(b->T, n, bias)));
    }
    return (modal_load){ v3_neg(force), v3_neg(torque) };
}

void modal_shape_load(const modal_body *b, const modal_now *now, v3 omega, const double *rate, const double *bias,
                      double *per_z)
{
    int n = b->total;
    double omega2 = v3_norm2(omega);
    double flow[3 * MODES_MOST];
    memset(flow, 0, 3 * (size_t)n * sizeof *flow);
    for (int l = 0; l < n; ++l) {
        modal_add_scaled(flow, rate[l], b->A + (size_t)l * 3 * (size_t)n, 3 * n);
    }
    for (int k = 0; k < n; ++k) {
        const double *G = now->G + 9 * k;
        double centrifugal = omega2 * trace9(G) - along_twice(G, omega);
        per_z[k] = centrifugal - 2.0 * v3_dot(omega, v3_load(flow + 3 * k));
    }
    for (int e = b->count; e < n; ++e) {
        modal_add_scaled(per_z, -bias[e], b->F + (size_t)e * (size_t)n, n);
    }
}
