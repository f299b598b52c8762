/* Distances and barriers, many at once: loops over what others compute. */
#include <carom/kernels.h>

#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/parallel.h"
#include "geometry/feature_distance.h"
#include "geometry/sdf.h"
#include "methods/barrier/contacts.h"

enum { GRAIN = 4096 }; /* queries worth a thread */
enum { POINT = 3, EDGE = 2 * POINT, TRIANGLE = 3 * POINT };

typedef struct distance_work {
    const carom_sdf *field;
    const double *first, *second;
    double *distances, *vectors;
} distance_work;

static carom_status check(const char *function, const argument *needed, size_t arguments, size_t count, int threads,
                          carom_error *err)
{
    carom_status status = count > 0 ? arguments_given(function, needed, arguments, err) : CAROM_OK;
    return status == CAROM_OK ? argument_threads(function, threads, err) : status;
}

static void keep(const distance_work *work, size_t i, double distance, v3 vector)
{
    work->distances[i] = distance;
    if (work->vectors) {
        v3_store(work->vectors + POINT * i, vector);
    }
}

static void sample_range(void *context, size_t begin, size_t end)
{
    enum { AT_ONCE = 128 };
    const distance_work *work = context;
    v3 points[AT_ONCE];
    field_sample samples[AT_ONCE];
    for (size_t i = begin; i < end; i += AT_ONCE) {
        size_t count = end - i < AT_ONCE ? end - i : AT_ONCE;
        for (size_t k = 0; k < count; ++k) {
            points[k] = v3_load(work->first + POINT * (i + k));
        }
        sdf_sample_many(work->field, points, count, samples);
        for (size_t k = 0; k < count; ++k) {
            keep(work, i + k, samples[k].distance, samples[k].gradient);
        }
    }
}

carom_status carom_sdf_sample_many(const carom_sdf *f, const double *points, size_t count, double *distances,
                                   double *gradients, int threads, carom_error *err)
{
    const argument needed[] = { { "f", f }, { "points", points }, { "distances", distances } };
    carom_status status = check("carom_sdf_sample_many", needed, 3, count, threads, err);
    distance_work work = { .field = f, .first = points, .distances = distances, .vectors = gradients };
    if (status == CAROM_OK && count > 0) {
        carom_parallel_for(threads, count, GRAIN, sample_range, &work);
    }
    return status;
}

static void triangle_range(void *context, size_t begin, size_t end)
{
    const distance_work *work = context;
    for (size_t i = begin; i < end; ++i) {
        const double *t = work->second + TRIANGLE * i;
        const v3 triangle[3] = { v3_load(t), v3_load(t + POINT), v3_load(t + 2 * POINT) };
        feature_distance d = vertex_triangle_distance(v3_load(work->first + POINT * i), triangle);
        keep(work, i, d.distance, d.normal);
    }
}

static void edge_range(void *context, size_t begin, size_t end)
{
    const distance_work *work = context;
    for (size_t i = begin; i < end; ++i) {
        const double *a = work->first + EDGE * i, *b = work->second + EDGE * i;
        const v3 first[2] = { v3_load(a), v3_load(a + POINT) };
        const v3 second[2] = { v3_load(b), v3_load(b + POINT) };
        feature_distance d = edge_edge_distance(first, second);
        keep(work, i, d.distance, d.normal);
    }
}

carom_status carom_point_triangle_distances(const double *points, const double *triangles, size_t count,
                                            double *distances, double *normals, int threads, carom_error *err)
{
    const argument needed[] = { { "points", points }, { "triangles", triangles }, { "distances", distances } };
    carom_status status = check("carom_point_triangle_distances", needed, 3, count, threads, err);
    distance_work work = { .first = points, .second = triangles, .distances = distances, .vectors = normals };
    if (status == CAROM_OK && count > 0) {
        carom_parallel_for(threads, count, GRAIN, triangle_range, &work);
    }
    return status;
}

carom_status carom_edge_edge_distances(const double *first, const double *second, size_t count, double *distances,
                                       double *normals, int threads, carom_error *err)
{
    const argument needed[] = { { "first", first }, { "second", second }, { "distances", distances } };
    carom_status status = check("carom_edge_edge_distances", needed, 3, count, threads, err);
    distance_work work = { .first = first, .second = second, .distances = distances, .vectors = normals };
    if (status == CAROM_OK && count > 0) {
        carom_parallel_for(threads, count, GRAIN, edge_range, &work);
    }
    return status;
}

/* NaN stays NaN. */
static barrier_law barrier_everywhere(double gap, double range, double stiffness)
{
    if (gap >= range) {
        return (barrier_law){ 0.0, 0.0, 0.0 };
    }
    return gap <= 0.0 ? (barrier_law){ HUGE_VAL, -HUGE_VAL, HUGE_VAL } : barrier_at(gap, range, stiffness);
}

carom_status carom_barrier_values(const double *gaps, size_t count, double range, double stiffness, double *energies,
                                  double *first, double *second, carom_error *err)
{
    const char *function = "carom_barrier_values";
    const argument needed[] = { { "gaps", gaps }, { "energies", energies } };
    carom_status status = check(function, needed, 2, count, 1, err);
    status = status == CAROM_OK ? argument_positive(function, "range", range, "m", err) : status;
    status = status == CAROM_OK ? argument_positive(function, "stiffness", stiffness, "N/m", err) : status;
    for (size_t i = 0; status == CAROM_OK && i < count; ++i) {
        barrier_law law = barrier_everywhere(gaps[i], range, stiffness);
        energies[i] = law.value;
        if (first) {
            first[i] = law.first;
        }
        if (second) {
            second[i] = law.second;
        }
    }
    return status;
}
