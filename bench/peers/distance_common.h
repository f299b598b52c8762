/* What the peers of bench/distance.c share: the mesh, the grid, nearest points on one triangle in double and the sign by
 * pseudonormals, so that only the search differs. C and C++. */
#ifndef CAROM_BENCH_DISTANCE_COMMON_H
#define CAROM_BENCH_DISTANCE_COMMON_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct Mesh {
    int vertex_count, triangle_count;
    double *vertices;
    int *triangles;
    double *face_normals, *edge_normals, *vertex_normals; /* edge normals: three per triangle */
} Mesh;

typedef struct Grid {
    int n, step;
    double low[3], spacing;
} Grid;

static inline double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void *allocate(size_t count, size_t size)
{
    void *data = calloc(count, size);
    if (!data) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return data;
}

static inline Mesh read_mesh(const char *name)
{
    Mesh m;
    int counts[2];
    FILE *f = fopen(name, "rb");
    if (!f || fread(counts, sizeof counts, 1, f) != 1) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(2);
    }
    m.vertex_count = counts[0];
    m.triangle_count = counts[1];
    m.vertices = (double *)allocate(3 * (size_t)counts[0], sizeof(double));
    m.triangles = (int *)allocate(3 * (size_t)counts[1], sizeof(int));
    m.face_normals = (double *)allocate(3 * (size_t)counts[1], sizeof(double));
    m.edge_normals = (double *)allocate(9 * (size_t)counts[1], sizeof(double));
    m.vertex_normals = (double *)allocate(3 * (size_t)counts[0], sizeof(double));
    if (fread(m.vertices, 24, (size_t)counts[0], f) != (size_t)counts[0] ||
        fread(m.triangles, 12, (size_t)counts[1], f) != (size_t)counts[1]) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(2);
    }
    fclose(f);
    return m;
}

static inline Grid make_grid(const Mesh *m, int n, int step)
{
    Grid g;
    double low[3], high[3], edge = 0.0;
    g.n = n;
    g.step = step;
    for (int d = 0; d < 3; ++d) {
        low[d] = high[d] = m->vertices[d];
        for (int i = 1; i < m->vertex_count; ++i) {
            low[d] = fmin(low[d], m->vertices[3 * i + d]);
            high[d] = fmax(high[d], m->vertices[3 * i + d]);
        }
        edge = fmax(edge, 1.1 * (high[d] - low[d]));
    }
    for (int d = 0; d < 3; ++d) {
        g.low[d] = low[d] + 0.5 * (high[d] - low[d]) - 0.5 * edge;
    }
    g.spacing = edge / (n - 1);
    return g;
}

static inline double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Nearest point q of the triangle [Ericson2005]; feature: corners 0..2, edges 3..5, face 6. */
static inline double nearest_on_triangle(const Mesh *m, int triangle, const double p[3], double q[3], int *feature)
{
    const int *t = m->triangles + 3 * triangle;
    const double *a = m->vertices + 3 * t[0], *b = m->vertices + 3 * t[1], *c = m->vertices + 3 * t[2];
    double ab[3], ac[3], ap[3], v, w, dist2 = 0.0;
    for (int d = 0; d < 3; ++d) {
        ab[d] = b[d] - a[d];
        ac[d] = c[d] - a[d];
        ap[d] = p[d] - a[d];
    }
    const double ab_ac = dot3(ab, ac), d1 = dot3(ab, ap), d2 = dot3(ac, ap);
    const double d3 = d1 - dot3(ab, ab), d4 = d2 - ab_ac, d5 = d1 - ab_ac, d6 = d2 - dot3(ac, ac);
    const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (d1 <= 0 && d2 <= 0) {
        v = 0, w = 0, *feature = 0;
    } else if (d3 >= 0 && d4 <= d3) {
        v = 1, w = 0, *feature = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        v = d1 / (d1 - d3), w = 0, *feature = 3;
    } else if (d6 >= 0 && d5 <= d6) {
        v = 0, w = 1, *feature = 2;
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        v = 0, w = d2 / (d2 - d6), *feature = 5;
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1 - w, *feature = 4;
    } else {
        const double k = 1 / (va + vb + vc);
        v = vb * k, w = vc * k, *feature = 6;
    }
    for (int d = 0; d < 3; ++d) {
        q[d] = a[d] + v * ab[d] + w * ac[d];
        dist2 += (p[d] - q[d]) * (p[d] - q[d]);
    }
    return dist2;
}

typedef struct Side {
    long long key;
    int side;
} Side;

static inline int compare_sides(const void *a, const void *b)
{
    const long long x = ((const Side *)a)->key, y = ((const Side *)b)->key;
    return (x > y) - (x < y);
}

static inline void find_face_normal(Mesh *m, int i, double e[3][3])
{
    const int *t = m->triangles + 3 * i;
    double *n = m->face_normals + 3 * i;
    for (int k = 0; k < 3; ++k) {
        for (int d = 0; d < 3; ++d) {
            e[k][d] = m->vertices[3 * t[(k + 1) % 3] + d] - m->vertices[3 * t[k] + d];
        }
    }
    for (int d = 0; d < 3; ++d) {
        const int f = (d + 1) % 3, g = (d + 2) % 3;
        n[d] = e[0][f] * e[1][g] - e[0][g] * e[1][f];
    }
    const double size = sqrt(dot3(n, n));
    for (int d = 0; d < 3; ++d) {
        n[d] /= size;
    }
}

static inline void find_normals(Mesh *m)
{
    const int side_count = 3 * m->triangle_count;
    Side *sides = (Side *)allocate((size_t)side_count, sizeof(Side));
    for (int i = 0; i < m->triangle_count; ++i) {
        double e[3][3];
        find_face_normal(m, i, e);
        for (int k = 0; k < 3; ++k) {
            const int a = m->triangles[3 * i + k], b = m->triangles[3 * i + (k + 1) % 3];
            const double *x = e[k], *y = e[(k + 2) % 3];
            const double angle = acos(fmax(-1.0, fmin(1.0, -dot3(x, y) / sqrt(dot3(x, x) * dot3(y, y)))));
            for (int d = 0; d < 3; ++d) {
                m->vertex_normals[3 * a + d] += angle * m->face_normals[3 * i + d];
            }
            sides[3 * i + k].key = a < b ? (long long)a << 32 | b : (long long)b << 32 | a;
            sides[3 * i + k].side = 3 * i + k;
        }
    }
    qsort(sides, (size_t)side_count, sizeof(Side), compare_sides);
    for (int i = 0, end; i < side_count; i = end) {
        double sum[3] = { 0, 0, 0 };
        for (end = i; end < side_count && sides[end].key == sides[i].key; ++end) {
            for (int d = 0; d < 3; ++d) {
                sum[d] += m->face_normals[3 * (sides[end].side / 3) + d];
            }
        }
        for (int k = i; k < end; ++k) {
            for (int d = 0; d < 3; ++d) {
                m->edge_normals[3 * sides[k].side + d] = sum[d];
            }
        }
    }
    free(sides);
}

static inline double side_of(const Mesh *m, int triangle, int feature, const double p[3], const double q[3])
{
    const double *n = feature == 6   ? m->face_normals + 3 * triangle
                      : feature >= 3 ? m->edge_normals + 3 * (3 * triangle + feature - 3)
                                     : m->vertex_normals + 3 * m->triangles[3 * triangle + feature];
    const double r[3] = { p[0] - q[0], p[1] - q[1], p[2] - q[2] };
    return dot3(r, n) < 0 ? -1.0 : 1.0;
}

static inline void report(const char *name, const Grid *g, double build, double query, const double *out,
                          const char *file, size_t count)
{
    printf("%s %d %.4f %.4f %zu\n", name, g->n, build, query, count);
    FILE *f = fopen(file, "wb");
    if (!f || fwrite(out, sizeof *out, count, f) != count || fclose(f) != 0) {
        fprintf(stderr, "cannot write %s\n", file);
        exit(2);
    }
}

#endif
