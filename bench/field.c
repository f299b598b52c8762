/* Distance fields of the statue of 231 422 triangles that carom makes, one thread:
 *   build    bricks at a resolution of 256 cells, tree and checks of the surface included; wrong signs and largest error
 *            against exact distances at lattice nodes within three cells of the surface
 *   query    value and gradient on a dense grid of 128^3 cells, for the turned vertices in mesh order and for random points
 * Writes mesh, lattices, nodes and points to FILE, so that a peer may do the same. usage: field FILE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/bvh.h"
#include "geometry/make/make.h"
#include "geometry/sdf.h"

#include "measure.h"

enum { CHECKS = 200000, POINTS = 1 << 20, RUNS = 5 };

static uint64_t random_state = UINT64_C(88172645463325252);

static double uniform(double low, double high)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static double median(double *values, int count)
{
    for (int i = 1; i < count; ++i) {
        for (int k = i; k > 0 && values[k - 1] > values[k]; --k) {
            double swap = values[k];
            values[k] = values[k - 1];
            values[k - 1] = swap;
        }
    }
    return values[count / 2];
}

/* ---- the mesh ------------------------------------------------------------------------------------------------------- */

static mesh *make_mesh(void)
{
    mesh *m = NULL;
    carom_error err = { 0 };
    stop_on(mesh_make(&m, "statue", NULL, &err), &err);
    return m;
}

/* ---- building ------------------------------------------------------------------------------------------------------- */

typedef struct check {
    int32_t node[3];
    int32_t unused;
    double exact; /* [m] */
} check;

static sdf *build(const mesh *m, int kind, int resolution, int runs)
{
    sdf_options o = sdf_options_default();
    o.kind = kind;
    o.resolution = resolution;
    o.sign = SDF_SIGN_PSEUDONORMAL; /* the surface is sound, and the peer does not ask */
    double spent[RUNS];
    sdf *f = NULL;
    for (int r = 0; r < runs; ++r) {
        carom_error err = { 0 };
        sdf_destroy(f);
        double start = cpu_seconds();
        stop_on(sdf_build(&f, m, &o, 1, &err), &err);
        spent[r] = cpu_seconds() - start;
    }
    const sdf_info *info = sdf_about(f);
    printf("carom build-%s-%d %.4f s, %zu nodes, %.1f MB, error bound %.3g cells, mean %.3g cells\n",
           sdf_kind_name(kind), resolution, median(spent, runs), info->node_count, 1e-6 * (double)info->bytes,
           info->error_bound / info->spacing, info->error_mean / info->spacing);
    return f;
}

static v3 node_at(const sdf_info *info, const int32_t node[3])
{
    return v3_make(info->low.x + node[0] * info->spacing, info->low.y + node[1] * info->spacing,
                   info->low.z + node[2] * info->spacing);
}

/* Lattice nodes within three cells of the surface, with exact distances: what both must get right. */
static void make_checks(check *checks, const mesh *m, const sdf_info *info)
{
    bvh *tree = NULL;
    carom_error err = { 0 };
    stop_on(bvh_create(&tree, m, &err), &err);
    for (int n = 0; n < CHECKS;) {
        check *c = &checks[n];
        v3 p = m->vertices[(int)uniform(0, m->vertex_count)];
        double at[3], low[3];
        v3_store(at, p);
        v3_store(low, info->low);
        for (int a = 0; a < 3; ++a) {
            c->node[a] = (int32_t)floor((at[a] - low[a]) / info->spacing + uniform(-3.0, 4.0));
        }
        v3 q = node_at(info, c->node);
        bvh_hit hit = bvh_closest(tree, q, -1, HUGE_VAL);
        c->exact = bvh_side(tree, q, &hit) * sqrt(hit.dist2);
        n += fabs(c->exact) < 2.99 * info->spacing && fabs(c->exact) > 1e-9;
    }
    bvh_destroy(tree);
}

static void judge(const sdf *f, const check *checks)
{
    const sdf_info *info = sdf_about(f);
    long wrong = 0;
    double largest = 0.0;
    for (int n = 0; n < CHECKS; ++n) {
        double d = sdf_distance(f, node_at(info, checks[n].node));
        wrong += d * checks[n].exact < 0.0;
        largest = fmax(largest, fabs(d - checks[n].exact));
    }
    printf("carom wrong-signs %ld of %d nodes, largest error %.3g cells\n", wrong, CHECKS, largest / info->spacing);
}

/* ---- queries -------------------------------------------------------------------------------------------------------- */

static void time_queries(const sdf *f, const v3 *points, const char *order)
{
    field_sample *out = allocate(POINTS, sizeof *out);
    double many[RUNS], single[RUNS];
    double sum = 0.0;
    for (int r = 0; r < RUNS; ++r) {
        double start = cpu_seconds();
        sdf_sample_many(f, points, POINTS, out);
        double middle = cpu_seconds();
        for (int i = 0; i < POINTS; ++i) {
            out[i] = sdf_sample(f, points[i]);
        }
        many[r] = middle - start;
        single[r] = cpu_seconds() - middle;
        sum += out[POINTS / 3].distance;
    }
    const char *kind = sdf_kind_name(sdf_about(f)->kind);
    printf("carom query-%s-%s %.2f ns in batches, %.2f ns one by one (%.3g)\n", kind, order,
           1e9 / POINTS * median(many, RUNS), 1e9 / POINTS * median(single, RUNS), sum);
    free(out);
}

static void make_points(const mesh *m, v3 *ordered, v3 *scattered)
{
    for (int i = 0; i < POINTS; ++i) {
        v3 a = m->vertices[i % m->vertex_count];
        ordered[i] = v3_make(0.8 * (cos(0.3) * a.x - sin(0.3) * a.y), 0.8 * (sin(0.3) * a.x + cos(0.3) * a.y),
                             0.8 * a.z);
        v3 low, high;
        if (i == 0) {
            mesh_bounds(&low, &high, m);
        }
        scattered[i] = v3_make(uniform(low.x, high.x), uniform(low.y, high.y), uniform(low.z, high.z));
    }
}

/* ---- for the peer --------------------------------------------------------------------------------------------------- */

static void put(FILE *file, const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, file) != bytes) {
        fprintf(stderr, "field: cannot write the file of the peer\n");
        exit(2);
    }
}

static void put_lattice(FILE *file, const sdf_info *info)
{
    double lattice[4] = { info->low.x, info->low.y, info->low.z, info->spacing };
    put(file, lattice, sizeof lattice);
}

static void put_nodes(FILE *file, const sdf *f)
{
    const sdf_info *info = sdf_about(f);
    int32_t count[3];
    v3 size = v3_sub(info->high, info->low);
    for (int a = 0; a < 3; ++a) {
        count[a] = (int32_t)nearbyint(v3_get(size, a) / info->spacing) + 1;
    }
    put(file, count, sizeof count);
    for (int32_t k = 0; k < count[2]; ++k) {
        for (int32_t j = 0; j < count[1]; ++j) {
            for (int32_t i = 0; i < count[0]; ++i) {
                double d = sdf_distance(f, node_at(info, (int32_t[3]){ i, j, k }));
                put(file, &d, sizeof d);
            }
        }
    }
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "wb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: field FILE\n");
        return 2;
    }
    mesh *m = make_mesh();
    v3 *points = allocate(2 * POINTS, sizeof *points);
    check *checks = allocate(CHECKS, sizeof *checks);
    int32_t counts[4] = { m->vertex_count, m->triangle_count, CHECKS, POINTS };
    put(file, counts, sizeof counts);
    put(file, m->vertices, (size_t)m->vertex_count * sizeof *m->vertices);
    put(file, m->triangles, (size_t)m->triangle_count * sizeof *m->triangles);

    sdf *bricks = build(m, SDF_BRICKS, 256, RUNS);
    make_checks(checks, m, sdf_about(bricks));
    judge(bricks, checks);
    put_lattice(file, sdf_about(bricks));
    put(file, checks, CHECKS * sizeof *checks);
    sdf_destroy(bricks);

    sdf *dense = build(m, SDF_DENSE, 128, 1);
    sdf *small = build(m, SDF_BRICKS, 128, RUNS);
    sdf *tree = build(m, SDF_OCTREE, 128, 1);
    make_points(m, points, points + POINTS);
    const sdf *const fields[] = { dense, small, tree };
    for (int k = 0; k < 3; ++k) {
        time_queries(fields[k], points, "mesh-order");
        time_queries(fields[k], points + POINTS, "random");
    }
    put_lattice(file, sdf_about(dense));
    put_nodes(file, dense);
    put(file, points, (size_t)2 * POINTS * sizeof *points);
    fclose(file);
    sdf_destroy(dense);
    sdf_destroy(small);
    sdf_destroy(tree);
    mesh_destroy(m);
    free(points);
    free(checks);
    return 0;
}
