/* Convex hulls by Qhull [Barber1996], reentrant: no state is shared between calls, and what Qhull
 * would print is caught.
 *
 * Points are moved to their middle and scaled to one before they are handed over, because Qhull's tolerances grow with
 * the coordinates; the hull is made of the points as they were given. */
#include "geometry/hull.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include <libqhull_r/qhull_ra.h>

typedef struct hull_work {
    const v3 *points;
    size_t count;
    coordT *scaled; /* Qhull's copy: 3 numbers per point */
    int *new_index; /* of a point that is a vertex, plus one; 0: not one */
    mesh *made;     /* the hull while it is being made */
    char *said;     /* by Qhull */
    size_t said_size;
} hull_work;

/* Half of the largest extent; infinite or NaN when a coordinate is. */
static double extent_of(const v3 *points, size_t count, v3 *middle)
{
    v3 low = points[0];
    v3 high = points[0];
    for (size_t i = 0; i < count; ++i) {
        v3 p = points[i];
        if (!v3_finite(p)) {
            return (double)NAN;
        }
        low = v3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = v3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    *middle = v3_axpy(low, 0.5, v3_sub(high, low));
    return 0.5 * fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

static void scale_points(hull_work *w, v3 middle, double extent)
{
    for (size_t i = 0; i < w->count; ++i) {
        v3_store(w->scaled + 3 * i, v3_scale(1.0 / extent, v3_sub(w->points[i], middle)));
    }
}

static int count_facets(qhT *qh)
{
    facetT *facet;
    int count = 0;
    FORALLfacets
    {
        ++count;
    }
    return count;
}

/* Vertices in the order in which facets name them: the same for the same points. */
static int vertex_index(hull_work *w, mesh *m, int point)
{
    if (w->new_index[point] == 0) {
        m->vertices[m->vertex_count++] = w->points[point];
        w->new_index[point] = m->vertex_count;
    }
    return w->new_index[point] - 1;
}

static void add_facet(hull_work *w, mesh *m, qhT *qh, facetT *facet)
{
    vertexT *vertex, **vertexp;
    setT *vertices = qh_facet3vertex(qh, facet);
    int *corner = m->triangles[m->triangle_count++];
    int k = 0;
    FOREACHvertex_(vertices)
    {
        if (k < 3) {
            corner[k++] = vertex_index(w, m, qh_pointid(qh, vertex->point));
        }
    }
    qh_settempfree(qh, &vertices);
}

static void turn_inside_out(mesh *m)
{
    for (int t = 0; t < m->triangle_count; ++t) {
        int swap = m->triangles[t][1];
        m->triangles[t][1] = m->triangles[t][2];
        m->triangles[t][2] = swap;
    }
}

/* Qhull orders the corners of all facets alike, but clockwise or not is a matter of how it was compiled. */
static void turn_outward(mesh *m)
{
    mass_properties mass;
    mesh_mass(&mass, m);
    if (mass.mass < 0.0) {
        turn_inside_out(m);
    }
}

static mesh *mesh_of_facets(hull_work *w, qhT *qh)
{
    facetT *facet;
    int facet_count = count_facets(qh);
    mesh *m = w->made = mesh_create(qh->num_vertices, facet_count);
    w->new_index = calloc(w->count, sizeof *w->new_index);
    if (!m || !w->new_index) {
        return NULL;
    }
    m->vertex_count = m->triangle_count = 0;
    FORALLfacets
    {
        add_facet(w, m, qh, facet);
    }
    turn_outward(m);
    w->made = NULL; /* the caller's from here on */
    return m;
}

/* Qhull reports trouble by a jump to the last place that asked for it; without one it would end the program. */
static int collect_facets(mesh **out, hull_work *w, qhT *qh)
{
    if (setjmp(qh->errexit) != 0) {
        qh->NOerrexit = True;
        return qh_ERRqhull;
    }
    qh->NOerrexit = False;
    *out = mesh_of_facets(w, qh);
    qh->NOerrexit = True;
    return *out ? qh_ERRnone : qh_ERRmem;
}

/* One run of Qhull; *out stays NULL when it fails. Returns Qhull's exit code. */
static int run_qhull(mesh **out, hull_work *w, const char *options)
{
    char command[32];
    qhT qh;
    FILE *said = open_memstream(&w->said, &w->said_size);
    if (!said) {
        return qh_ERRmem;
    }
    snprintf(command, sizeof command, "qhull %s", options);
    qh_zero(&qh, said);
    int code = qh_new_qhull(&qh, 3, (int)w->count, w->scaled, False, command, NULL, said);
    if (code == qh_ERRnone) {
        code = collect_facets(out, w, &qh);
    }
    mesh_destroy(w->made); /* what a jump has left behind */
    free(w->new_index);
    w->made = NULL;
    w->new_index = NULL;
    int left, left_bytes;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &left, &left_bytes);
    fclose(said);
    free(w->said);
    w->said = NULL;
    return code;
}

/* Facets with many corners are cut into triangles (Qt), which now and then leaves a seam when points nearly coincide;
 * then once more with points joggled by a hair (QJ), which has no such facets. */
static carom_status find_hull(mesh **out, hull_work *w, carom_error *err)
{
    mesh_quality quality;
    int code = run_qhull(out, w, "Qt Pp");
    if (code == qh_ERRnone) {
        carom_status status = mesh_inspect(*out, &quality, err);
        if (status != CAROM_OK || quality.open_edges + quality.nonmanifold_edges + quality.flipped_edges == 0) {
            return status;
        }
        mesh_destroy(*out);
        *out = NULL;
        code = run_qhull(out, w, "QJ Pp");
    }
    if (code == qh_ERRnone) {
        return CAROM_OK;
    }
    if (code == qh_ERRmem) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the convex hull of %zu points", w->count);
    }
    return carom_fail(err, CAROM_BAD_INPUT,
                      "convex hull: the %zu points lie in a plane; a hull needs four that do not", w->count);
}

carom_status hull_create(mesh **out, const v3 *points, size_t count, carom_error *err)
{
    *out = NULL;
    if (count < 4 || count > INT_MAX / 4) {
        return carom_fail(err, CAROM_BAD_INPUT, "convex hull of %zu points: it takes at least four, and at most %d",
                          count, INT_MAX / 4);
    }
    v3 middle = v3_zero();
    double extent = extent_of(points, count, &middle);
    if (!isfinite(extent) || extent == 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT, "convex hull: %s",
                          extent == 0.0 ? "all points are the same" : "a coordinate is not finite");
    }
    hull_work w = { .points = points, .count = count, .scaled = malloc(3 * count * sizeof(coordT)) };
    if (!w.scaled) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the convex hull of %zu points", count);
    }
    scale_points(&w, middle, extent);
    carom_status status = find_hull(out, &w, err);
    if (status != CAROM_OK) {
        mesh_destroy(*out);
        *out = NULL;
    }
    free(w.scaled);
    return status;
}
