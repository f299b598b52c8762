/* Prisms over polygons with holes. Each hole is joined to what is around it by a bridge, there and back; the ends are then
 * one polygon that touches itself along the bridges, and are triangulated by cutting ears. */
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

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static int loop_count(const make_prism *prism)
{
    return prism->ends ? prism->loops : 1;
}

static int loop_end(const make_prism *prism, int loop)
{
    return prism->ends ? prism->ends[loop] : prism->count;
}

static int loop_begin(const make_prism *prism, int loop)
{
    return loop == 0 ? 0 : loop_end(prism, loop - 1);
}

/* The point after i in its loop. */
static int next_in(const make_prism *prism, int loop, int i)
{
    return i + 1 < loop_end(prism, loop) ? i + 1 : loop_begin(prism, loop);
}

/* ---- bridges ----------------------------------------------------------------------------------------------------- */

/* Whether the open segments ab and cd meet; ends that are shared do not count, ends that lie on the other segment do. */
static bool meet(points2 p, int a, int b, int c, int d)
{
    if (a == c || a == d || b == c || b == d) {
        return false;
    }
    double abc = turn(p, a, b, c);
    double abd = turn(p, a, b, d);
    double cda = turn(p, c, d, a);
    double cdb = turn(p, c, d, b);
    return !(abc > 0.0 && abd > 0.0) && !(abc < 0.0 && abd < 0.0) && !(cda > 0.0 && cdb > 0.0) &&
           !(cda < 0.0 && cdb < 0.0);
}

static bool sees(const make_prism *prism, int from, int to)
{
    for (int loop = 0; loop < loop_count(prism); ++loop) {
        for (int i = loop_begin(prism, loop); i < loop_end(prism, loop); ++i) {
            if (meet(prism->polygon, from, to, i, next_in(prism, loop, i))) {
                return false;
            }
        }
    }
    return true;
}

static double distance2(points2 p, int a, int b)
{
    double x = p[a][0] - p[b][0];
    double y = p[a][1] - p[b][1];
    return x * x + y * y;
}

static int times_in(const int *rest, int count, int vertex)
{
    int times = 0;
    for (int i = 0; i < count; ++i) {
        times += rest[i] == vertex;
    }
    return times;
}

/* The shortest bridge from the polygon so far to a hole, between points that no bridge has yet: positions in rest and in
 * the hole. */
static bool find_bridge(const make_prism *prism, const int *rest, int count, int hole, int *from, int *to)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        for (int j = loop_begin(prism, hole); j < loop_end(prism, hole); ++j) {
            double d2 = distance2(prism->polygon, rest[i], j);
            if (d2 < least && times_in(rest, count, rest[i]) == 1 && sees(prism, rest[i], j)) {
                least = d2;
                *from = i;
                *to = j;
            }
        }
    }
    return least < HUGE_VAL;
}

/* Puts the hole behind position `from`: ..., from, [to, around, to, from], ... */
static int insert_hole(const make_prism *prism, int *rest, int count, int hole, int from, int to)
{
    int size = loop_end(prism, hole) - loop_begin(prism, hole);
    for (int i = count - 1; i > from; --i) {
        rest[i + size + 2] = rest[i];
    }
    int at = from + 1;
    for (int k = 0, j = to; k <= size; ++k, j = next_in(prism, hole, j)) {
        rest[at++] = j;
    }
    rest[at] = rest[from];
    return count + size + 2;
}

/* All loops as one; 0 when a hole cannot be reached. */
static int join_loops(const make_prism *prism, int *rest)
{
    int count = loop_end(prism, 0);
    for (int i = 0; i < count; ++i) {
        rest[i] = i;
    }
    for (int hole = 1; hole < loop_count(prism); ++hole) {
        int from = 0;
        int to = 0;
        if (!find_bridge(prism, rest, count, hole, &from, &to)) {
            return 0;
        }
        count = insert_hole(prism, rest, count, hole, from, to);
    }
    return count;
}

/* ---- ears -------------------------------------------------------------------------------------------------------- */

/* Corner i of the rest: convex, with at least this area, and no other corner inside the triangle that would be cut off. */
static bool is_ear(points2 p, const int *rest, int count, int i, double least)
{
    int a = rest[(i + count - 1) % count];
    int b = rest[i];
    int c = rest[(i + 1) % count];
    bool ear = turn(p, a, b, c) > least;
    for (int j = 0; ear && j < count; ++j) {
        int q = rest[j];
        ear = q == a || q == b || q == c || !holds(p, a, b, c, q);
    }
    return ear;
}

/* Cuts one ear into `corner`; -1 when there is none. */
static int cut_ear(points2 p, int *rest, int count, double least, int corner[3])
{
    for (int i = 0; i < count; ++i) {
        if (is_ear(p, rest, count, i, least)) {
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

/* Twice an area that is none: points in a line, but for rounding. */
static double rounding_area(const make_prism *prism)
{
    double size = 0.0;
    for (int i = 0; i < prism->count; ++i) {
        size = fmax(size, sqrt(distance2(prism->polygon, 0, i)));
    }
    return 1e-13 * size * size;
}

/* Both ends: the lower one looks down, so its triangles run backwards. */
static bool add_ends(mesh_builder *b, const make_prism *prism)
{
    int n = prism->count;
    int *rest = malloc((size_t)(n + 2 * loop_count(prism)) * sizeof *rest);
    int count = rest ? join_loops(prism, rest) : 0;
    bool ok = count > 0;
    double least = rounding_area(prism);
    while (ok && count >= 3) {
        int c[3];
        int left = cut_ear(prism->polygon, rest, count, least, c);
        count = left >= 0 ? left : cut_ear(prism->polygon, rest, count, 0.0, c); /* a simple polygon has one */
        ok = count >= 0 && mesh_builder_triangle(b, c[2], c[1], c[0]) &&
             mesh_builder_triangle(b, n + c[0], n + c[1], n + c[2]);
    }
    free(rest);
    return ok;
}

/* ---- the prism --------------------------------------------------------------------------------------------------- */

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

static bool add_sides(mesh_builder *b, const make_prism *prism, int loop)
{
    int n = prism->count;
    bool ok = true;
    for (int i = loop_begin(prism, loop); ok && i < loop_end(prism, loop); ++i) {
        int j = next_in(prism, loop, i);
        ok = mesh_builder_triangle(b, i, j, n + j) && mesh_builder_triangle(b, i, n + j, n + i);
    }
    return ok;
}

carom_status make_extrude(mesh **out, const make_prism *prism, carom_error *err)
{
    mesh_builder b = { 0 };
    bool ok = add_points(&b, prism, prism->low) && add_points(&b, prism, prism->high) && add_ends(&b, prism);
    for (int loop = 0; ok && loop < loop_count(prism); ++loop) {
        ok = add_sides(&b, prism, loop);
    }
    *out = ok ? mesh_builder_finish(&b) : NULL;
    mesh_builder_free(&b);
    return *out ? CAROM_OK : make_no_memory(err);
}
