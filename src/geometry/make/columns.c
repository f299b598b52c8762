/* Surfaces about the z axis: columns of points at ascending angles, neighbours zipped together by key. */
#include <limits.h>
#include <stdlib.h>

#include "base/array.h"
#include "geometry/make/make.h"
#include "geometry/mesh_build.h"

enum { FAR_KEY = 1000000000 }; /* plain points lie before or behind all helical ones */

static void add_point(make_column *c, make_point point)
{
    if (!CAROM_ARRAY_RESERVE(c->points, c->capacity, (size_t)c->count + 1)) {
        c->failed = true;
        return;
    }
    c->points[c->count++] = point;
}

void make_column_add(make_column *c, double r, double z)
{
    bool behind = c->count > c->plain;
    add_point(c, (make_point){ r, z, (behind ? FAR_KEY : -FAR_KEY) + c->plain, false });
    ++c->plain;
}

void make_column_add_helical(make_column *c, double r, double z, long key)
{
    add_point(c, (make_point){ r, z, key, true });
}

void make_column_line(make_column *c, double r, double z, int steps)
{
    if (c->count == 0) {
        return;
    }
    make_point from = c->points[c->count - 1];
    for (int i = 1; i <= steps; ++i) {
        double s = (double)i / steps;
        make_column_add(c, i == steps ? r : from.r + s * (r - from.r), i == steps ? z : from.z + s * (z - from.z));
    }
}

/* ---- zipping ----------------------------------------------------------------------------------------------------- */

typedef struct strip { /* one column as the zip sees it */
    int count;
    long *keys;
    int *vertices;
} strip;

typedef struct zipper {
    const make_surface *surface;
    mesh_builder b;
    strip *strips;
    int poles[2];
    bool failed;
} zipper;

static bool add_triangle(zipper *z, int i, int j, int k)
{
    bool folded = i == j || j == k || k == i; /* at a pole */
    return folded || mesh_builder_triangle(&z->b, i, j, k);
}

/* Columns a and b, the latter at the larger angle: whichever has the smaller next key goes on; both where equal. */
static bool zip(zipper *z, const strip *a, const strip *b, long shift)
{
    int i = 0;
    int j = 0;
    bool ok = true;
    while (ok && (i + 1 < a->count || j + 1 < b->count)) {
        long next_a = i + 1 < a->count ? a->keys[i + 1] : LONG_MAX;
        long next_b = j + 1 < b->count ? b->keys[j + 1] : LONG_MAX;
        next_b += labs(next_b) < FAR_KEY / 2 ? shift : 0;
        if (next_b <= next_a) {
            ok = add_triangle(z, a->vertices[i], b->vertices[j], b->vertices[j + 1]);
            ++j;
        }
        if (ok && next_a <= next_b) {
            ok = add_triangle(z, a->vertices[i], b->vertices[j], a->vertices[i + 1]);
            ++i;
        }
    }
    return ok;
}

static int add_vertex(zipper *z, const make_column *c, int i)
{
    make_point p = c->points[i];
    int *pole = p.r == 0.0 ? &z->poles[i > 0] : NULL;
    if (pole && *pole >= 0) {
        return *pole;
    }
    int index = (int)z->b.vertex_count;
    z->failed = z->failed || !mesh_builder_append(&z->b, v3_make(p.r * cos(c->angle), p.r * sin(c->angle), p.z));
    if (pole) {
        *pole = index;
    }
    return index;
}

static void add_strip(zipper *z, strip *s, const make_column *c)
{
    int extra = z->surface->ring ? 1 : 0;
    s->keys = malloc((size_t)(c->count + extra) * sizeof *s->keys);
    s->vertices = malloc((size_t)(c->count + extra) * sizeof *s->vertices);
    if (!s->keys || !s->vertices || c->failed) {
        z->failed = true;
        return;
    }
    s->count = c->count + extra;
    for (int i = 0; i < c->count; ++i) {
        s->keys[i] = c->points[i].key;
        s->vertices[i] = add_vertex(z, c, i);
    }
    if (extra) {
        s->keys[c->count] = LONG_MAX - 1;
        s->vertices[c->count] = s->vertices[0];
    }
}

static void add_columns(zipper *z)
{
    const make_surface *surface = z->surface;
    make_column c = { 0 };
    for (int i = 0; i < surface->sectors && !z->failed; ++i) {
        c.count = c.plain = 0;
        surface->fill(&c, surface->context, i);
        add_strip(z, &z->strips[i], &c);
    }
    free(c.points);
}

static void zip_columns(zipper *z)
{
    int n = z->surface->sectors;
    for (int i = 0; i < n && !z->failed; ++i) {
        bool last = i + 1 == n;
        z->failed = !zip(z, &z->strips[i], &z->strips[last ? 0 : i + 1], last ? z->surface->turn : 0);
    }
}

carom_status make_columns(mesh **out, const make_surface *surface, carom_error *err)
{
    zipper z = { .surface = surface, .poles = { -1, -1 } };
    z.strips = calloc((size_t)surface->sectors, sizeof *z.strips);
    z.failed = !z.strips;
    if (!z.failed) {
        add_columns(&z);
        zip_columns(&z);
    }
    *out = z.failed ? NULL : mesh_builder_finish(&z.b);
    for (int i = 0; z.strips && i < surface->sectors; ++i) {
        free(z.strips[i].keys);
        free(z.strips[i].vertices);
    }
    free(z.strips);
    mesh_builder_free(&z.b);
    return *out ? CAROM_OK : make_no_memory(err);
}
