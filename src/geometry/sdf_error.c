/* How well a field interpolates the exact distance near the surface, measured.
 *
 * Samples lie within one cell of points of the surface: spread evenly over its area (their mean is the mean error), on
 * its edges and at its vertices (where the largest errors are: the distance has a kink there). From the worst of them a
 * search climbs to the nearest maximum of the error. What is found is a maximum over many but not all cells, so the
 * bound is that times MARGIN; 1e5 other points of the tests stay below it for smooth and for sharp solids.
 *
 * Deterministic: sample i is made from the number i alone. */
#include <stdlib.h>

#include "base/parallel.h"
#include "geometry/sdf_impl.h"

static const double MARGIN = 1.25;

enum { AREA_SAMPLES = 16384, EDGE_SAMPLES = 8192, VERTEX_SAMPLES = 8192, CLIMBS = 64, THIN_SAMPLES = 2048 };
enum { ALL_SAMPLES = AREA_SAMPLES + EDGE_SAMPLES + VERTEX_SAMPLES };

/* splitmix64: the k-th number in [0, 1) of sample i. */
static double hashed(size_t i, int k)
{
    uint64_t z = ((uint64_t)i * 8 + (uint64_t)k + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

typedef struct error_sample {
    v3 at;
    double error; /* [m] absolute */
    int triangle;
} error_sample;

typedef struct error_work {
    const sdf *f;
    const sdf_source *source;
    double *area; /* [m^2] of triangles 0 .. i */
    error_sample *samples;
    error_sample worst[CLIMBS];
    unsigned char thin[THIN_SAMPLES];
} error_work;

/* ---- where ---------------------------------------------------------------------------------------------------------- */

static void sum_areas(error_work *w)
{
    const mesh *m = w->source->surface;
    double sum = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        const int *corner = m->triangles[t];
        v3 a = m->vertices[corner[0]];
        sum += 0.5 * v3_norm(v3_cross(v3_sub(m->vertices[corner[1]], a), v3_sub(m->vertices[corner[2]], a)));
        w->area[t] = sum;
    }
}

/* The triangle at this share of the whole area. */
static int triangle_at(const error_work *w, double share)
{
    int low = 0;
    int high = w->source->surface->triangle_count - 1;
    double target = share * w->area[high];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (w->area[middle] > target) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static v3 point_of(const mesh *m, int triangle, double a, double b)
{
    const int *corner = m->triangles[triangle];
    v3 p = v3_scale(1.0 - a - b, m->vertices[corner[0]]);
    return v3_axpy(v3_axpy(p, a, m->vertices[corner[1]]), b, m->vertices[corner[2]]);
}

/* Evenly over the area, in the order of the triangles. */
static v3 point_on_area(const error_work *w, size_t i, size_t count, int *triangle)
{
    *triangle = triangle_at(w, ((double)i + hashed(i, 0)) / (double)count);
    double root = sqrt(hashed(i, 1));
    return point_of(w->source->surface, *triangle, root * (1.0 - hashed(i, 2)), root * hashed(i, 2));
}

static v3 point_on_edge_or_vertex(const error_work *w, size_t i, int *triangle)
{
    const mesh *m = w->source->surface;
    bool on_vertex = i >= AREA_SAMPLES + EDGE_SAMPLES;
    size_t first = on_vertex ? AREA_SAMPLES + EDGE_SAMPLES : AREA_SAMPLES;
    size_t count = on_vertex ? VERTEX_SAMPLES : EDGE_SAMPLES;
    *triangle = (int)((i - first) * (size_t)m->triangle_count / count);
    int from = (int)(3.0 * hashed(i, 0));
    double along = on_vertex ? 0.0 : hashed(i, 1);
    v3 a = m->vertices[m->triangles[*triangle][from]];
    v3 b = m->vertices[m->triangles[*triangle][(from + 1) % 3]];
    return v3_axpy(a, along, v3_sub(b, a));
}

static v3 surface_point(const error_work *w, size_t i, int *triangle)
{
    return i < AREA_SAMPLES ? point_on_area(w, i, AREA_SAMPLES, triangle) : point_on_edge_or_vertex(w, i, triangle);
}

/* Within one cell, in any direction. */
static v3 near_by(const error_work *w, v3 p, size_t i)
{
    v3 way = v3_make(2.0 * hashed(i, 3) - 1.0, 2.0 * hashed(i, 4) - 1.0, 2.0 * hashed(i, 5) - 1.0);
    double length = v3_norm(way);
    double reach = w->f->spacing * hashed(i, 6);
    return length > 0.0 ? v3_axpy(p, reach / length, way) : p;
}

/* ---- how much ------------------------------------------------------------------------------------------------------- */

static double error_at(const error_work *w, v3 p, int *triangle, double *distance)
{
    *distance = sdf_exact(w->source, p, triangle);
    return fabs(sdf_distance(w->f, p) - *distance);
}

static void measure_samples(void *context, size_t begin, size_t end)
{
    error_work *w = context;
    for (size_t i = begin; i < end && carom_watch_pass(w->source->watch, i); ++i) {
        error_sample *s = &w->samples[i];
        double distance;
        s->at = near_by(w, surface_point(w, i, &s->triangle), i);
        s->error = error_at(w, s->at, &s->triangle, &distance);
    }
}

static v3 stepped(v3 p, int direction, double step)
{
    double along = direction % 2 == 0 ? step : -step;
    return v3_make(p.x + (direction / 2 == 0 ? along : 0.0), p.y + (direction / 2 == 1 ? along : 0.0),
                   p.z + (direction / 2 == 2 ? along : 0.0));
}

/* One step uphill along an axis, staying within a cell of the surface. */
static bool climb_step(const error_work *w, error_sample *s, double step)
{
    for (int direction = 0; direction < 6; ++direction) {
        v3 p = stepped(s->at, direction, step);
        int triangle = s->triangle;
        double distance;
        double error = error_at(w, p, &triangle, &distance);
        if (error > s->error && fabs(distance) <= w->f->spacing) {
            *s = (error_sample){ p, error, triangle };
            return true;
        }
    }
    return false;
}

static void climb(void *context, size_t begin, size_t end)
{
    enum { MOST_STEPS = 24 };
    error_work *w = context;
    for (size_t i = begin; i < end; ++i) {
        double step = 0.25 * w->f->spacing;
        for (int n = 0; n < MOST_STEPS && step > 0.01 * w->f->spacing; ++n) {
            if (!climb_step(w, &w->worst[i], step)) {
                step *= 0.5;
            }
        }
    }
}

static int by_error(const void *a, const void *b)
{
    const error_sample *x = a;
    const error_sample *y = b;
    return (x->error < y->error) - (x->error > y->error);
}

/* The samples with the largest errors: a small heap would do as well, but they are few. */
static void pick_worst(error_work *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < ALL_SAMPLES; ++i) {
        if (kept < CLIMBS) {
            w->worst[kept++] = w->samples[i];
        } else if (w->samples[i].error > w->worst[CLIMBS - 1].error) {
            w->worst[CLIMBS - 1] = w->samples[i];
        } else {
            continue;
        }
        for (size_t k = kept - 1; k > 0 && by_error(&w->worst[k - 1], &w->worst[k]) > 0; --k) {
            error_sample swap = w->worst[k];
            w->worst[k] = w->worst[k - 1];
            w->worst[k - 1] = swap;
        }
    }
}

/* A wall is thinner than a cell where a step of one cell to either side of its surface ends outside. */
static void find_thin(void *context, size_t begin, size_t end)
{
    error_work *w = context;
    for (size_t i = begin; i < end; ++i) {
        int triangle;
        v3 p = point_on_area(w, i, THIN_SAMPLES, &triangle);
        const mesh *m = w->source->surface;
        const int *corner = m->triangles[triangle];
        v3 a = m->vertices[corner[0]];
        v3 normal = v3_cross(v3_sub(m->vertices[corner[1]], a), v3_sub(m->vertices[corner[2]], a));
        double length = v3_norm(normal);
        double step = length > 0.0 ? w->f->spacing / length : 0.0;
        w->thin[i] = sdf_exact_side(w->source, v3_axpy(p, -step, normal), triangle) > 0.0 &&
                     sdf_exact_side(w->source, v3_axpy(p, step, normal), triangle) > 0.0;
    }
}

/* ---- the result ----------------------------------------------------------------------------------------------------- */

static void summarise(sdf *f, const error_work *w)
{
    const double rounding = 1e-15; /* of the size of the box */
    double largest = 0.0;
    double sum = 0.0;
    int thin = 0;
    for (int i = 0; i < CLIMBS; ++i) {
        largest = fmax(largest, w->worst[i].error);
    }
    for (int i = 0; i < AREA_SAMPLES; ++i) {
        sum += w->samples[i].error;
    }
    for (int i = 0; i < THIN_SAMPLES; ++i) {
        thin += w->thin[i];
    }
    double size = v3_norm(v3_sub(f->info.high, f->info.low)) + v3_norm(f->info.low);
    f->info.error_bound = MARGIN * largest + rounding * size;
    f->info.error_mean = sum / AREA_SAMPLES;
    f->info.thin_share = (double)thin / THIN_SAMPLES;
}

carom_status sdf_measure(sdf *f, const sdf_source *s, carom_error *err)
{
    error_work *w = calloc(1, sizeof *w);
    double *area = malloc((size_t)s->surface->triangle_count * sizeof *area);
    error_sample *samples = malloc(ALL_SAMPLES * sizeof *samples);
    bool ok = w && area && samples;
    if (ok) {
        w->f = f;
        w->source = s;
        w->area = area;
        w->samples = samples;
        sum_areas(w);
        carom_watch_stage(s->watch, SDF_SHARE_ERROR, ALL_SAMPLES);
        carom_parallel_for(s->threads, ALL_SAMPLES, 2, measure_samples, w);
    }
    if (ok && !carom_watch_stopped(s->watch)) { /* else some samples are not there */
        pick_worst(w);
        carom_parallel_for(s->threads, CLIMBS, 2, climb, w);
        carom_parallel_for(s->threads, THIN_SAMPLES, 2, find_thin, w);
        summarise(f, w);
    }
    free(w);
    free(area);
    free(samples);
    return ok ? CAROM_OK : sdf_no_memory(f, err);
}
