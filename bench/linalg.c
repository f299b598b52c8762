/* Micro benchmark of src/linalg: factor + solve of a chain of N revolute joints (11 N unknowns), of a ladder with N/2
 * loops, and of planar four-bar linkages with redundant rows; microseconds of processor time per body, median of
 * several runs. usage: linalg [largest N] */
#include "base/clock.h"
#include "linalg/saddle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 15 };

typedef struct chain {
    saddle_layout layout;
    saddle_block *blocks;
    saddle *system;
} chain;

static double uniform(void)
{
    static unsigned long long s = 12345;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (double)(s >> 11) * 0x1p-53;
}

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return p;
}

static void check(carom_status status, const carom_error *err)
{
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", err->message);
        exit(1);
    }
}

static void cross_matrix(double *m, const double r[3], double sign)
{
    for (int i = 0; i < 3; ++i) {
        m[6 * i + (i + 1) % 3] = -sign * r[(i + 2) % 3];
        m[6 * i + (i + 2) % 3] = sign * r[(i + 1) % 3];
    }
}

/* Three rows hold the point r, two rows the directions u and w across the axis. */
static void write_revolute(double *rows, const double r[3], const double u[3], const double w[3], double sign)
{
    memset(rows, 0, 30 * sizeof(double));
    cross_matrix(rows + 3, r, -sign);
    for (int i = 0; i < 3; ++i) {
        rows[7 * i] = sign;
        rows[18 + 3 + i] = sign * u[i];
        rows[24 + 3 + i] = sign * w[i];
    }
}

static void write_joint(chain *c, int block, const double d[3])
{
    double axis[3] = { uniform() - 0.5, uniform() - 0.5, uniform() - 0.5 };
    double u[3] = { axis[1] - 0.3 * axis[2], -axis[0], 0.3 * axis[0] };
    double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int k = 0; k < 3; ++k) {
        u[k] /= length;
    }
    double w[3];
    for (int k = 0; k < 3; ++k) {
        w[k] = axis[(k + 1) % 3] * u[(k + 2) % 3] - axis[(k + 2) % 3] * u[(k + 1) % 3];
    }
    const double back[3] = { -d[0], -d[1], -d[2] };
    write_revolute(saddle_rows(c->system, block, 0), back, u, w, 1.0);
    if (c->blocks[block].body_count > 1) {
        write_revolute(saddle_rows(c->system, block, 1), d, u, w, -1.0);
    }
}

static void write_body(chain *c, int body, const double d[3])
{
    double *a = saddle_body(c->system, body);
    memset(a, 0, 36 * sizeof(double));
    for (int i = 0; i < 3; ++i) {
        a[7 * i] = 1.0 + 0.1 * uniform();
        for (int j = 0; j < 3; ++j) {
            a[6 * (3 + i) + 3 + j] = (i == j ? 0.1 : 0.0) - 0.1 * d[i] * d[j];
        }
    }
}

/* Body i hangs on body i - 1, body 0 on ground; with loops, every second body also on the body three before. */
static chain make_chain(int n, bool general, bool loops)
{
    chain c = { .blocks = allocate(2 * (size_t)n, sizeof(saddle_block)) };
    c.layout = (saddle_layout){ .body_count = n, .blocks = c.blocks, .general = general };
    for (int i = 0; i < n; ++i) {
        for (int copy = 0; copy < (loops && i % 2 == 1 && i >= 3 ? 2 : 1); ++copy) {
            int other = copy == 0 ? i - 1 : i - 3;
            c.blocks[c.layout.block_count++] = (saddle_block){ .first_row = c.layout.row_count,
                                                               .row_count = copy == 0 ? 5 : 1,
                                                               .body_count = i == 0 ? 1 : 2,
                                                               .bodies = { i, other } };
            c.layout.row_count += copy == 0 ? 5 : 1;
        }
    }
    carom_error err = { 0 };
    check(saddle_create(&c.system, &c.layout, &err), &err);
    for (int i = 0, block = 0; i < n; ++i) {
        double d[3] = { uniform() - 0.5, uniform() - 0.5, uniform() - 0.5 };
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; ++k) {
            d[k] *= 0.5 / length;
        }
        write_body(&c, i, d);
        write_joint(&c, block++, d);
        for (; block < c.layout.block_count && c.blocks[block].bodies[0] == i; ++block) {
            for (int k = 0; k < 6; ++k) {
                saddle_rows(c.system, block, 0)[k] = uniform() - 0.5;
                saddle_rows(c.system, block, 1)[k] = uniform() - 0.5;
            }
        }
    }
    return c;
}

static void free_chain(chain *c)
{
    saddle_destroy(c->system);
    free(c->blocks);
}

/* Three moving bars in a plane with four revolute joints about parallel axes: three of 20 rows are redundant. */
static chain make_four_bars(int n)
{
    static const double half[3][3] = { { 0.0, 0.5, 0.0 }, { 0.8, 0.1, 0.0 }, { 0.1, -0.6, 0.0 } };
    static const double x[3] = { 1.0, 0.0, 0.0 };
    static const double y[3] = { 0.0, 1.0, 0.0 };
    int loops = n / 3;
    chain c = { .blocks = allocate(4 * (size_t)loops, sizeof(saddle_block)) };
    c.layout = (saddle_layout){ .body_count = 3 * loops, .row_count = 20 * loops, .block_count = 4 * loops };
    c.layout.blocks = c.blocks;
    for (int k = 0; k < 4 * loops; ++k) {
        int body = 3 * (k / 4) + (k % 4 == 3 ? 2 : k % 4);
        bool grounded = k % 4 == 0 || k % 4 == 3;
        c.blocks[k] = (saddle_block){
            .first_row = 5 * k, .row_count = 5, .body_count = grounded ? 1 : 2, .bodies = { body, body - 1 }
        };
    }
    carom_error err = { 0 };
    check(saddle_create(&c.system, &c.layout, &err), &err);
    for (int k = 0; k < 4 * loops; ++k) {
        const double *own = half[k % 4 == 3 ? 2 : k % 4];
        double sign = k % 4 == 3 ? 1.0 : -1.0;
        const double r[3] = { sign * own[0], sign * own[1], sign * own[2] };
        write_revolute(saddle_rows(c.system, k, 0), r, x, y, 1.0);
        if (c.blocks[k].body_count == 2) {
            write_revolute(saddle_rows(c.system, k, 1), half[k % 4 - 1], x, y, -1.0);
        }
    }
    for (int b = 0; b < 3 * loops; ++b) {
        write_body(&c, b, half[b % 3]);
    }
    return c;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof(double), compare);
    return v[n / 2];
}

static void measure(const char *name, chain *c, bool consistent)
{
    int n = c->layout.body_count;
    int repeat = n < 20000 ? 20000 / n : 1;
    size_t bodies = 6 * (size_t)n;
    size_t rows = (size_t)c->layout.row_count;
    double *rhs = allocate(bodies + rows, sizeof(double));
    double *v = allocate(bodies + rows, sizeof(double));
    for (size_t i = 0; i < bodies + (consistent ? 0 : rows); ++i) {
        rhs[i] = uniform() - 0.5;
    }
    double factor[RUNS];
    double solve[RUNS];
    for (int run = 0; run < RUNS; ++run) {
        carom_error err = { 0 };
        double start = carom_clock_cpu();
        for (int k = 0; k < repeat; ++k) {
            check(saddle_factor(c->system, &err), &err);
        }
        double middle = carom_clock_cpu();
        for (int k = 0; k < repeat; ++k) {
            memcpy(v, rhs, (bodies + rows) * sizeof(double));
            saddle_solve(c->system, v, v + bodies);
        }
        factor[run] = (middle - start) / repeat;
        solve[run] = (carom_clock_cpu() - middle) / repeat;
    }
    double f = 1e6 * median(factor, RUNS) / n;
    double s = 1e6 * median(solve, RUNS) / n;
    printf("%-16s N %6d  factor %7.3f  solve %7.3f  sum %7.3f us per body  residual %.1e\n", name, n, f, s, f + s,
           saddle_residual(c->system));
    free(rhs);
    free(v);
}

int main(int argc, char **argv)
{
    int most = argc > 1 ? atoi(argv[1]) : 10000;
    for (int n = 10; n <= most; n *= 10) {
        chain c = make_chain(n, false, false);
        measure("chain, tree", &c, false);
        free_chain(&c);
    }
    for (int n = 10; n <= most; n *= 10) {
        chain c = make_chain(n, true, false);
        measure("chain, general", &c, false);
        free_chain(&c);
    }
    for (int n = 10; n <= most; n *= 10) {
        chain c = make_chain(n, false, true);
        measure("loops", &c, false);
        free_chain(&c);
    }
    for (int n = 30; n <= most; n *= 10) {
        chain c = make_four_bars(n);
        measure("four-bars", &c, true);
        free_chain(&c);
    }
    return 0;
}
