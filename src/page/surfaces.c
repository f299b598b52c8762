/* What is drawn: surfaces and the shapes that use them. Surfaces of too many triangles for a browser are made coarser by
 * clustering: all vertices in a cell of a grid become one, their mean, and triangles that lose a corner vanish. Crude,
 * but it keeps the look, takes time in proportion to the triangles and never fails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "page/page.h"
#include "result/result_read.h"

enum { MOST_TRIANGLES = 200000 }; /* of all surfaces: 3 MB of numbers */

/* A surface on its way into the page. */
typedef struct drawn_surface {
    size_t vertex_count, triangle_count;
    double *vertices;  /* three numbers each */
    double *triangles; /* likewise */
} drawn_surface;

static void drawn_free(drawn_surface *d)
{
    free(d->vertices);
    free(d->triangles);
}

static bool drawn_make(drawn_surface *d, size_t vertices, size_t triangles)
{
    *d = (drawn_surface){ .vertices = calloc(3 * vertices + 1, sizeof(double)),
                          .triangles = calloc(3 * triangles + 1, sizeof(double)) };
    return d->vertices && d->triangles;
}

static bool copy_surface(drawn_surface *d, const carom_surface *s)
{
    if (!drawn_make(d, s->vertex_count, s->triangle_count)) {
        return false;
    }
    d->vertex_count = s->vertex_count;
    d->triangle_count = s->triangle_count;
    memcpy(d->vertices, s->vertices, 3 * s->vertex_count * sizeof(double));
    for (size_t i = 0; i < 3 * s->triangle_count; ++i) {
        d->triangles[i] = s->triangles[i];
    }
    return true;
}

/* ---- clustering --------------------------------------------------------------------------------------------------- */

typedef struct cell_table {
    size_t size;    /* a power of two, at least twice the vertices */
    int32_t *cells; /* three numbers each */
    int32_t *used;  /* cluster + 1; 0: free */
} cell_table;

static bool table_make(cell_table *t, size_t vertices)
{
    t->size = 16;
    while (t->size < 2 * vertices) {
        t->size *= 2;
    }
    t->cells = malloc(3 * t->size * sizeof *t->cells);
    t->used = calloc(t->size, sizeof *t->used);
    return t->cells && t->used;
}

static void table_free(cell_table *t)
{
    free(t->cells);
    free(t->used);
}

/* The cluster of a cell; a new one gets the number `next`. */
static int32_t cluster_of(cell_table *t, const int32_t cell[3], int32_t next)
{
    size_t slot = (size_t)carom_hash(CAROM_HASH_START, cell, 3 * sizeof *cell) & (t->size - 1);
    while (t->used[slot] && memcmp(t->cells + 3 * slot, cell, 3 * sizeof *cell) != 0) {
        slot = (slot + 1) & (t->size - 1);
    }
    if (!t->used[slot]) {
        memcpy(t->cells + 3 * slot, cell, 3 * sizeof *cell);
        t->used[slot] = next + 1;
    }
    return t->used[slot] - 1;
}

/* Cells are counted from the low corner of the surface, so that one of its size holds all of it. */
typedef struct cell_grid {
    double low[3];
    double size;
} cell_grid;

static int32_t cell_coordinate(double x, double size)
{
    const double far = 1e9;
    double k = floor(x / size);
    return (int32_t)(k > far ? far : k < -far ? -far : isnan(k) ? 0.0 : k);
}

/* Sums of the vertices of each cluster, then their means. */
static void cluster_vertices(drawn_surface *d, cell_table *t, const carom_surface *s, const cell_grid *g,
                             int32_t *cluster, double *members)
{
    for (size_t i = 0; i < s->vertex_count; ++i) {
        const double *p = s->vertices + 3 * i;
        int32_t cell[3];
        for (int c = 0; c < 3; ++c) {
            cell[c] = cell_coordinate(p[c] - g->low[c], g->size);
        }
        cluster[i] = cluster_of(t, cell, (int32_t)d->vertex_count);
        d->vertex_count += (size_t)cluster[i] == d->vertex_count;
        for (int c = 0; c < 3; ++c) {
            d->vertices[3 * (size_t)cluster[i] + (size_t)c] += p[c];
        }
        members[cluster[i]] += 1.0;
    }
    for (size_t i = 0; i < 3 * d->vertex_count; ++i) {
        d->vertices[i] /= members[i / 3];
    }
}

static void keep_triangles(drawn_surface *d, const carom_surface *s, const int32_t *cluster)
{
    for (size_t i = 0; i < s->triangle_count; ++i) {
        int32_t a = cluster[s->triangles[3 * i]];
        int32_t b = cluster[s->triangles[3 * i + 1]];
        int32_t c = cluster[s->triangles[3 * i + 2]];
        if (a != b && b != c && c != a) {
            memcpy(d->triangles + 3 * d->triangle_count, (double[]){ a, b, c }, 3 * sizeof(double));
            d->triangle_count += 1;
        }
    }
}

static bool cluster_surface(drawn_surface *d, const carom_surface *s, const cell_grid *g)
{
    cell_table t = { 0 };
    int32_t *cluster = malloc((s->vertex_count + 1) * sizeof *cluster);
    double *members = calloc(s->vertex_count + 1, sizeof *members);
    bool ok = drawn_make(d, s->vertex_count, s->triangle_count) && table_make(&t, s->vertex_count) && cluster &&
              members;
    if (ok) {
        cluster_vertices(d, &t, s, g, cluster, members);
        keep_triangles(d, s, cluster);
    }
    table_free(&t);
    free(cluster);
    free(members);
    return ok;
}

static double area_of(const carom_surface *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->triangle_count; ++i) {
        const double *a = s->vertices + 3 * s->triangles[3 * i];
        const double *b = s->vertices + 3 * s->triangles[3 * i + 1];
        const double *c = s->vertices + 3 * s->triangles[3 * i + 2];
        double u[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
        double v[3] = { c[0] - a[0], c[1] - a[1], c[2] - a[2] };
        double n[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
        sum += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    return sum;
}

/* The low corner, and the longest edge of the box; no number among the vertices may lead astray. */
static double box_of(const carom_surface *s, double low[3])
{
    double longest = 0.0;
    for (int c = 0; c < 3; ++c) {
        double high = -HUGE_VAL;
        low[c] = HUGE_VAL;
        for (size_t i = 0; i < s->vertex_count; ++i) {
            low[c] = fmin(low[c], s->vertices[3 * i + (size_t)c]);
            high = fmax(high, s->vertices[3 * i + (size_t)c]);
        }
        longest = fmax(longest, high - low[c]);
    }
    return longest;
}

/* A surface with about `wanted` triangles: cells as large as the squares that two such triangles make. Folded surfaces
 * have more of them than their area says, and those of slivers no area at all: cells grow until it fits, at the latest
 * when one holds everything. */
static bool coarsen(drawn_surface *d, const carom_surface *s, double wanted)
{
    const double finest = 1e-6; /* of the box */
    cell_grid g;
    double longest = box_of(s, g.low);
    g.size = fmax(sqrt(2.0 * area_of(s) / wanted), finest * longest);
    bool ok = cluster_surface(d, s, &g);
    while (ok && (double)d->triangle_count > 1.2 * wanted && g.size <= 2.0 * longest) {
        drawn_free(d);
        g.size *= 1.25;
        ok = cluster_surface(d, s, &g);
    }
    return ok;
}

/* ---- into the page ------------------------------------------------------------------------------------------------ */

static json_t *surface_object(page_writer *w, const drawn_surface *d)
{
    json_t *object = json_object();
    page_put(w, object, "vertices", page_f32(w->arrays, d->vertices, 3 * d->vertex_count));
    page_put(w, object, "triangles", page_u32(w->arrays, d->triangles, 3 * d->triangle_count));
    return object;
}

/* Triangles of a surface that nobody has to save on; fewer where there are very many surfaces. */
static double few_triangles(const page_writer *w)
{
    enum { FEWEST = 200, MOST = 1000 };
    return fmax(FEWEST, fmin(MOST, (double)MOST_TRIANGLES / (double)carom_result_surface_count(w->result)));
}

static carom_status add_surface(page_writer *w, json_t *list, size_t index, double keep, size_t *shown,
                                carom_error *err)
{
    const double few = few_triangles(w);
    carom_surface s;
    drawn_surface d = { 0 };
    carom_status status = carom_result_surface(w->result, index, &s, err);
    if (status != CAROM_OK) {
        return status;
    }
    bool fine = keep >= 1.0 || (double)s.triangle_count <= few;
    if (fine ? copy_surface(&d, &s) : coarsen(&d, &s, fmax(keep * (double)s.triangle_count, few))) {
        w->failed = json_array_append_new(list, surface_object(w, &d)) != 0 || w->failed;
        *shown += d.triangle_count;
    } else {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu triangles of a page", s.triangle_count);
    }
    drawn_free(&d);
    return status;
}

static carom_status count_triangles(const page_writer *w, size_t *total, carom_error *err)
{
    carom_status status = CAROM_OK;
    *total = 0;
    for (size_t i = 0; i < carom_result_surface_count(w->result) && status == CAROM_OK; ++i) {
        carom_surface s;
        status = carom_result_surface(w->result, i, &s, err);
        *total += s.triangle_count;
    }
    return status;
}

static carom_status add_surfaces(page_writer *w, carom_error *err)
{
    size_t total = 0;
    size_t shown = 0;
    json_t *list = json_array();
    carom_status status = count_triangles(w, &total, err);
    double keep = total > 0 ? (double)MOST_TRIANGLES / (double)total : 1.0;
    for (size_t i = 0; i < carom_result_surface_count(w->result) && status == CAROM_OK; ++i) {
        status = add_surface(w, list, i, keep, &shown, err);
    }
    json_t *counts = json_pack("{s:I, s:I}", "total", (json_int_t)total, "shown", (json_int_t)shown);
    page_put(w, w->run, "surfaces", list);
    page_put(w, w->run, "triangles", counts);
    return status;
}

static json_t *shape_object(const carom_result_shape *shape)
{
    const carom_v3 *p = &shape->pose_b.position;
    const carom_quat *q = &shape->pose_b.orientation;
    return json_pack("{s:i, s:o, s:i, s:[o,o,o], s:[o,o,o,o]}", "body", result_body_row(shape->body), "kind",
                     json_value_text(shape->kind), "surface", shape->surface, "position", json_value_number(p->x),
                     json_value_number(p->y), json_value_number(p->z), "orientation", json_value_number(q->w),
                     json_value_number(q->x), json_value_number(q->y), json_value_number(q->z));
}

carom_status page_add_surfaces(page_writer *w, carom_error *err)
{
    json_t *shapes = json_array();
    for (size_t i = 0; i < carom_result_shape_count(w->result); ++i) {
        carom_result_shape shape = carom_result_shape_info(w->result, i);
        w->failed = json_array_append_new(shapes, shape_object(&shape)) != 0 || w->failed;
    }
    page_put(w, w->run, "shapes", shapes);
    return add_surfaces(w, err);
}
