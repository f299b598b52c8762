/* Contact detection, processor time of one thread.
 *   growth          one detection with and without the octree of points, 1e3 to 1e6 points, on a full grid as in figure 4
 *                   of paper 1: lines "points n without-ms with-ms hits ratio", then the exponents of growth over the last
 *                   decade
 *   pair DX [MESH]  a mesh on itself, turned by 0.7 rad about x and shifted by DX, both ways: a line
 *                   "carom-bricks DX ms contacts deepest" with the field that scenes have by default, one with carom-dense
 *                   for a full grid; MESH is a mesh file, else a bumpy torus knot of 231 200 triangles
 *   mesh OUT [MESH] writes that mesh for the peers: two counts, vertices, triangles, all binary */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collision/detect.h"
#include "knot.h"
#include "measure.h"
#include "mesh_files/mesh_read.h"

enum { ALONG = 680, AROUND = 170, RUNS = 9 };

static void stop_unless(bool ok)
{
    if (!ok) {
        fprintf(stderr, "detection: out of memory, or a file cannot be written\n");
        exit(3);
    }
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

static mesh *get_mesh(const char *file)
{
    mesh *m = NULL;
    carom_error err = { 0 };
    if (file) {
        stop_on(mesh_read(&m, file, 1.0, &err), &err);
        return m;
    }
    m = knot_mesh(ALONG, AROUND);
    stop_unless(m != NULL);
    return m;
}

static collider *make_collider(const mesh *m, int method, int kind, int resolution)
{
    static const carom_mesh_def def = { .file = "mesh" };
    collider_options o = collider_options_default();
    o.method = method;
    o.field.resolution = resolution;
    o.field.kind = kind; /* bricks ask the triangles about points deeper than their band */
    collider *c = NULL;
    carom_error err = { 0 };
    stop_on(collider_create(&c, carom_shape_type_find("mesh"), &def, m, &o, &err), &err);
    return c;
}

static carom_pose turned(double dx)
{
    return (carom_pose){ v3_make(dx, 0, 0), q_axis_angle(v3_make(1, 0, 0), 0.7) };
}

static carom_pose inverse(carom_pose pose)
{
    quat q = q_conj(pose.orientation);
    return (carom_pose){ v3_neg(q_rotate(q, pose.position)), q };
}

static double deepest_of(const hit_list *hits)
{
    double deepest = 0.0;
    for (size_t i = 0; i < hits->count; ++i) {
        deepest = fmax(deepest, -hits->items[i].gap);
    }
    return deepest;
}

/* ---- growth with the number of points --------------------------------------------------------------------------------- */

/* Milliseconds of one detection, repeated until a run takes long enough for the clock. */
static double time_one(const collider *field, const collider *points, carom_pose pose, hit_list *hits)
{
    double seconds[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        int repeats = 0;
        double start = cpu_seconds();
        do {
            hits->count = 0;
            stop_unless(detect_contacts(hits, field, points, pose, 0.0));
            ++repeats;
        } while (cpu_seconds() - start < 0.01);
        seconds[r] = (cpu_seconds() - start) / repeats;
    }
    return 1e3 * median(seconds, RUNS);
}

static void growth(void)
{
    static const int around[] = { 16, 50, 158, 500 }; /* n = 4 around^2 */
    double with[4], without[4], n[4];
    hit_list hits = { 0 };
    mesh *m = get_mesh(NULL);
    collider *field = make_collider(m, DETECT_SDF_TREE, SDF_DENSE, 128);
    for (int k = 0; k < 4; ++k) {
        mesh *surface = knot_mesh(4 * around[k], around[k]);
        stop_unless(surface != NULL);
        collider *all = make_collider(surface, DETECT_SDF, SDF_DENSE, 16);
        collider *tree = make_collider(surface, DETECT_SDF_TREE, SDF_DENSE, 16);
        n[k] = surface->vertex_count;
        without[k] = time_one(field, all, turned(1.5), &hits);
        size_t count = hits.count;
        with[k] = time_one(field, tree, turned(1.5), &hits);
        stop_unless(hits.count == count);
        printf("points %.0f %.4f %.4f %zu %.1f\n", n[k], without[k], with[k], count, without[k] / with[k]);
        collider_destroy(all);
        collider_destroy(tree);
        mesh_destroy(surface);
    }
    printf("exponent without %.2f with %.2f\n", log(without[3] / without[2]) / log(n[3] / n[2]),
           log(with[3] / with[2]) / log(n[3] / n[2]));
    collider_destroy(field);
    hit_list_free(&hits);
    mesh_destroy(m);
}

/* ---- one pair ------------------------------------------------------------------------------------------------------------ */

static void pair_on(double dx, const mesh *m, int kind, const char *name)
{
    collider *c = make_collider(m, DETECT_SDF_TREE, kind, 128);
    hit_list hits = { 0 };
    double seconds[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        double start = cpu_seconds();
        hits.count = 0;
        stop_unless(detect_contacts(&hits, c, c, turned(dx), 0.0) &&
                    detect_contacts(&hits, c, c, inverse(turned(dx)), 0.0));
        seconds[r] = cpu_seconds() - start;
    }
    printf("%s %g %.3f %zu %.4f\n", name, dx, 1e3 * median(seconds, RUNS), hits.count, deepest_of(&hits));
    hit_list_free(&hits);
    collider_destroy(c);
}

static void pair(double dx, const char *file)
{
    mesh *m = get_mesh(file);
    pair_on(dx, m, SDF_BRICKS, "carom-bricks");
    pair_on(dx, m, SDF_DENSE, "carom-dense");
    mesh_destroy(m);
}

static void write_mesh(const char *out, const char *file)
{
    mesh *m = get_mesh(file);
    FILE *f = fopen(out, "wb");
    stop_unless(f != NULL);
    size_t written = fwrite(&m->vertex_count, sizeof(int), 1, f) + fwrite(&m->triangle_count, sizeof(int), 1, f) +
                     fwrite(m->vertices, sizeof *m->vertices, (size_t)m->vertex_count, f) +
                     fwrite(m->triangles, sizeof *m->triangles, (size_t)m->triangle_count, f);
    stop_unless(fclose(f) == 0 && written == 2 + (size_t)m->vertex_count + (size_t)m->triangle_count);
    mesh_destroy(m);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "growth") == 0) {
        growth();
    } else if (argc >= 3 && strcmp(argv[1], "pair") == 0) {
        pair(strtod(argv[2], NULL), argc > 3 ? argv[3] : NULL);
    } else if (argc >= 3 && strcmp(argv[1], "mesh") == 0) {
        write_mesh(argv[2], argc > 3 ? argv[3] : NULL);
    } else {
        fprintf(stderr, "usage: detection growth | pair DX [MESH] | mesh OUT [MESH]\n");
        return 2;
    }
    return 0;
}
