/* Exact signed distances on a grid of n^3 nodes around a closed mesh, row by row with the neighbour as hint: processor
 * time of the one thread that works.
 * usage: distance make OUT [MESH]     writes the statue of 231 422 triangles, or a mesh file, for all programs
 *        distance run MESH N STEP OUT "carom N seconds-of-building seconds-of-queries nodes", every STEP-th slice
 *        distance compare OUT OTHER   "largest-difference sign-differences", differences relative to the largest value */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/bvh.h"
#include "geometry/make/make.h"
#include "mesh_files/mesh_read.h"

#include "measure.h"

/* ---- files: int vertices, int triangles, doubles, ints ----------------------------------------------------------- */

static void write_mesh(const mesh *m, const char *name)
{
    FILE *f = fopen(name, "wb");
    const int counts[2] = { m->vertex_count, m->triangle_count };
    if (!f || fwrite(counts, sizeof counts, 1, f) != 1 ||
        fwrite(m->vertices, sizeof *m->vertices, (size_t)counts[0], f) != (size_t)counts[0] ||
        fwrite(m->triangles, sizeof *m->triangles, (size_t)counts[1], f) != (size_t)counts[1] || fclose(f) != 0) {
        stop("cannot write the mesh");
    }
}

static mesh *read_mesh(const char *name)
{
    FILE *f = fopen(name, "rb");
    int counts[2] = { 0, 0 };
    mesh *m = f && fread(counts, sizeof counts, 1, f) == 1 ? mesh_create(counts[0], counts[1]) : NULL;
    if (!m || fread(m->vertices, sizeof *m->vertices, (size_t)counts[0], f) != (size_t)counts[0] ||
        fread(m->triangles, sizeof *m->triangles, (size_t)counts[1], f) != (size_t)counts[1]) {
        stop("cannot read the mesh");
    }
    fclose(f);
    return m;
}

static void make(const char *out, const char *file)
{
    carom_error err = { 0 };
    mesh *m = NULL;
    carom_status status = file ? mesh_read(&m, file, 1.0, &err) : mesh_make(&m, "statue", NULL, &err);
    if (status != CAROM_OK) {
        stop(err.message);
    }
    write_mesh(m, out);
    printf("%d triangles\n", m->triangle_count);
    mesh_destroy(m);
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

typedef struct grid {
    int n;
    int step; /* every step-th slice */
    v3 low;
    double spacing;
} grid;

/* A cube a tenth wider than the mesh. */
static grid make_grid(const mesh *m, int n, int step)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    v3 size = v3_sub(high, low);
    double edge = 1.1 * fmax(size.x, fmax(size.y, size.z));
    v3 middle = v3_axpy(low, 0.5, size);
    return (grid){ n, step, v3_axpy(middle, -0.5 * edge, v3_make(1, 1, 1)), edge / (n - 1) };
}

static double *fill_grid(const bvh *t, const grid *g, size_t *count)
{
    size_t slices = (size_t)((g->n + g->step - 1) / g->step);
    double *out = allocate(slices * (size_t)g->n * (size_t)g->n, sizeof *out);
    *count = 0;
    for (int z = 0; z < g->n; z += g->step) {
        for (int y = 0; y < g->n; ++y) {
            int hint = -1;
            for (int x = 0; x < g->n; ++x) {
                v3 p = v3_axpy(g->low, g->spacing, v3_make(x, y, z));
                bvh_hit hit = bvh_closest(t, p, hint, HUGE_VAL);
                hint = hit.triangle;
                out[(*count)++] = sqrt(hit.dist2) * bvh_side(t, p, &hit);
            }
        }
    }
    return out;
}

static void run(const char *mesh_name, int n, int step, const char *out_name)
{
    mesh *m = read_mesh(mesh_name);
    grid g = make_grid(m, n, step);
    carom_error err = { 0 };
    bvh *t = NULL;
    double start = cpu_seconds();
    if (bvh_create_plain(&t, m, &err) != CAROM_OK) {
        stop(err.message);
    }
    double built = cpu_seconds();
    size_t count;
    double *out = fill_grid(t, &g, &count);
    double done = cpu_seconds();
    printf("carom %d %.4f %.4f %zu\n", n, built - start, done - built, count);
    FILE *f = fopen(out_name, "wb");
    if (!f || fwrite(out, sizeof *out, count, f) != count || fclose(f) != 0) {
        stop("cannot write the distances");
    }
    free(out);
    bvh_destroy(t);
    mesh_destroy(m);
}

static void compare(const char *name, const char *other_name)
{
    FILE *f = fopen(name, "rb");
    FILE *g = fopen(other_name, "rb");
    if (!f || !g) {
        stop("cannot read the distances");
    }
    double a, b, difference = 0.0, largest = 0.0;
    long signs = 0;
    while (fread(&a, sizeof a, 1, f) == 1 && fread(&b, sizeof b, 1, g) == 1) {
        difference = max_or_nan(fabs(fabs(a) - fabs(b)), difference);
        largest = fmax(largest, fabs(a));
        signs += (a < 0.0) != (b < 0.0);
    }
    printf("%.1e %ld\n", difference / largest, signs);
    fclose(f);
    fclose(g);
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "make") == 0) {
        make(argv[2], argc > 3 ? argv[3] : NULL);
    } else if (argc == 6 && strcmp(argv[1], "run") == 0) {
        run(argv[2], atoi(argv[3]), atoi(argv[4]), argv[5]);
    } else if (argc == 4 && strcmp(argv[1], "compare") == 0) {
        compare(argv[2], argv[3]);
    } else {
        stop("usage: distance make OUT [MESH] | run MESH N STEP OUT | compare OUT OTHER");
    }
    return 0;
}
