/* Prisms over simple polygons; the ends are triangulated by cutting ears. */
#include <stdlib.h>

#include "geometry/make/make.h"
#include "geometry/mesh_build.h"

typedef const double (*points2)[2];

/* Twice the signed area of the triangle; > 0: counter-clockwise. */
static double turn(points2 p, int a, int b, int c)
{
    return (p[b][0] - p[a][0]) * (p[c][1] - p[a][1]) - (p[b][1] - p[a][1]) * (p[c][0] - p[a][0]);
}

static bool holds(points2 p, int a, int b, int c, int q)
{
    return turn(p, a, b, q) >= 0.0 && turn(p, b, c, q) >= 0.0 && turn(p, c, a, q) >= 0.0;
}

/* Corner i of the rest: convex, and no other corner inside the triangle that would be cut off. */
static bool is_ear(points2 p, const int *rest, int count, int i)
{
    int a = rest[(i + count - 1) % count];
    int b = rest[i];
    int c = rest[(i + 1) % count];
    bool ear = turn(p, a, b, c) > 0.0;
    for (int j = 0; ear && j < count; ++j) {
        int q = rest[j];
        ear = q == a || q == b || q == c || !holds(p, a, b, c, q);
    }
    return ear;
}

/* Cuts one ear into `corner`; -1 when there is none, which a simple polygon cannot have. */
static int cut_ear(points2 p, int *rest, int count, int corner[3])
{
    for (int i = 0; i < count; ++i) {
        if (is_ear(p, rest, count, i)) {
            corner[0] = rest[(i + count - 1) % count];
            corner[1] = rest[i];
            corner[2] = rest[(i + 1) % count];
            for (int j = i; j + 1 < count; ++j) {
                rest[j] = rest[j + 1];
            }
            return count - 1;
        }
    }
    return -1;
}

/* Both ends: the lower one looks down, so its triangles run backwards. */
static bool add_ends(mesh_builder *b, const make_prism *prism)
{
    int n = prism->count;
    int *rest = malloc((size_t)n * sizeof *rest);
    bool ok = rest != NULL;
    for (int i = 0; ok && i < n; ++i) {
        rest[i] = i;
    }
    for (int count = n; ok && count >= 3;) {
        int c[3];
        count = cut_ear(prism->polygon, rest, count, c);
        ok = count >= 0 && mesh_builder_triangle(b, c[2], c[1], c[0]) &&
             mesh_builder_triangle(b, n + c[0], n + c[1], n + c[2]);
    }
    free(rest);
    return ok;
}

static bool add_points(mesh_builder *b, const make_prism *prism, double height)
{
    v3 w = v3_cross(prism->u, prism->v);
    bool ok = true;
    for (int i = 0; ok && i < prism->count; ++i) {
        v3 r = v3_axpy(v3_scale(prism->polygon[i][0], prism->u), prism->polygon[i][1], prism->v);
        ok = mesh_builder_append(b, v3_axpy(r, height, w));
    }
    return ok;
}

carom_status make_extrude(mesh **out, const make_prism *prism, carom_error *err)
{
    mesh_builder b = { 0 };
    int n = prism->count;
    bool ok = add_points(&b, prism, prism->low) && add_points(&b, prism, prism->high) && add_ends(&b, prism);
    for (int i = 0; ok && i < n; ++i) {
        int j = (i + 1) % n;
        ok = mesh_builder_triangle(&b, i, j, n + j) && mesh_builder_triangle(&b, i, n + j, n + i);
    }
    *out = ok ? mesh_builder_finish(&b) : NULL;
    mesh_builder_free(&b);
    return *out ? CAROM_OK : make_no_memory(err);
}
