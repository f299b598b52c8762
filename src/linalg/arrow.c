#include "linalg/arrow.h"

#include <string.h>

#include "linalg/block.h"
#include "linalg/wide.h"

/* Loops over the columns d are compiled for any `full`, and once more for a frame. */
enum { FRAME = BLOCK_WIDTH };

/* B D^-1, and F - B D^-1 B' in the place of F; its lower part, in columns. */
static void eliminate_diagonal(double *l, double *d_inv, const double *a, int full, int diagonal)
{
    const size_t width = (size_t)(full + diagonal);
    double *column = l + (size_t)full * (size_t)full;
    for (int k = 0; k < diagonal; ++k, column += full) {
        const double *b = a + full + k; /* its row j: width j further */
        const double inverse = 1.0 / b[(size_t)(full + k) * width];
        d_inv[full + k] = inverse;
        for (int j = 0; j < full; ++j) {
            column[j] = b[(size_t)j * width] * inverse;
            for (int i = 0; i <= j; ++i) {
                l[i * full + j] -= column[i] * b[(size_t)j * width];
            }
        }
    }
}

/* The same for a frame, which stays in registers. */
static void eliminate_diagonal_of_frame(double *to, double *d_inv, const double *from, int diagonal)
{
    enum { HALF = FRAME / 2 };
    const size_t width = (size_t)(FRAME + diagonal);
    double *column = to + FRAME * FRAME;
    pair2 l[FRAME][HALF];
    BLOCK_UNROLL for (int j = 0; j < FRAME; ++j)
    {
        BLOCK_UNROLL for (int v = j / 2; v < HALF; ++v)
        {
            l[j][v] = pair2_load(to + FRAME * j + 2 * v);
        }
    }
    for (int k = 0; k < diagonal; ++k, column += FRAME) {
        const double *a = from + FRAME + k;
        const double inverse = 1.0 / a[(size_t)(FRAME + k) * width];
        pair2 b[HALF];
        d_inv[FRAME + k] = inverse;
        BLOCK_UNROLL for (int v = 0; v < HALF; ++v)
        {
            b[v] = (pair2){ a[(size_t)(2 * v) * width], a[(size_t)(2 * v + 1) * width] };
            pair2_store(column + 2 * v, b[v] * pair2_both(inverse));
        }
        BLOCK_UNROLL for (int j = 0; j < FRAME; ++j)
        {
            const pair2 scaled = pair2_both(column[j]);
            BLOCK_UNROLL for (int v = j / 2; v < HALF; ++v)
            {
                l[j][v] -= scaled * b[v];
            }
        }
    }
    BLOCK_UNROLL for (int j = 0; j < FRAME; ++j)
    {
        BLOCK_UNROLL for (int v = j / 2; v < HALF; ++v)
        {
            pair2_store(to + FRAME * j + 2 * v, l[j][v]);
        }
    }
}

static inline void forward_diagonal(const double *restrict below, int full, int diagonal, double *restrict b)
{
    for (int k = 0; k < diagonal; ++k) {
        const double *column = below + (size_t)k * (size_t)full;
        const double x = b[full + k];
        if (x != 0.0) { /* rows of contacts touch few nodes */
            for (int j = 0; j < full; ++j) {
                b[j] -= column[j] * x;
            }
        }
    }
}

static inline void backward_diagonal(const double *restrict below, int full, int diagonal, double *restrict b)
{
    for (int k = 0; k < diagonal; ++k) {
        const double *column = below + (size_t)k * (size_t)full;
        double x = b[full + k];
        for (int j = 0; j < full; ++j) {
            x -= column[j] * b[j];
        }
        b[full + k] = x;
    }
}

int arrow_ldl(double *l, double *d_inv, const double *a, int full, int diagonal, double floor)
{
    for (int j = 0; j < full; ++j) {
        memcpy(l + (size_t)j * (size_t)full, a + (size_t)j * (size_t)(full + diagonal), (size_t)full * sizeof *l);
    }
    if (full == FRAME) {
        eliminate_diagonal_of_frame(l, d_inv, a, diagonal);
    } else {
        eliminate_diagonal(l, d_inv, a, full, diagonal);
    }
    return wide_ldl(l, d_inv, full, floor);
}

void arrow_forward(double *b, const double *l, int full, int diagonal)
{
    const double *below = l + (size_t)full * (size_t)full;
    if (full == FRAME) {
        forward_diagonal(below, FRAME, diagonal, b);
    } else {
        forward_diagonal(below, full, diagonal, b);
    }
    wide_forward(b, l, full);
}

void arrow_backward(double *b, const double *l, int full, int diagonal)
{
    const double *below = l + (size_t)full * (size_t)full;
    wide_backward(b, l, full);
    if (full == FRAME) {
        backward_diagonal(below, FRAME, diagonal, b);
    } else {
        backward_diagonal(below, full, diagonal, b);
    }
}

double arrow_inverse_form(const double *l, const double *d_inv, double *v, int full, int diagonal)
{
    double sum = 0.0;
    arrow_forward(v, l, full, diagonal);
    for (int k = 0; k < full + diagonal; ++k) {
        sum += v[k] * v[k] * d_inv[k];
    }
    return sum;
}
