/* Round shapes: their half plane, and their surfaces as rings of points about z.
 *
 * A ring has as many points as its own circumference asks for, so that points are about as dense at the poles as at the
 * rim; two neighbouring rings are joined by a strip that walks both by angle. Numbers of points are multiples of four
 * and rings start on the x axis: the box around the points is then the box around the shape. */
#include "geometry/shapes/shapes.h"

#include <stdlib.h>

#include "base/assert.h"
#include "geometry/mesh.h"

static const double MOST_POINTS = 1e7; /* 240 MB of positions and about as much again for triangles */

carom_status carom_shape_check_spacing(const char *shape, double spacing, double count, carom_error *err)
{
    if (!isfinite(spacing) || spacing < 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "%s: a spacing of points of %g m is not possible; give a length, or 0", shape, spacing);
    }
    if (!(count <= MOST_POINTS)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "%s: a spacing of %g m makes some %.3g points of its surface, more than %.0g; use %.2g m or more", shape,
            spacing, count, MOST_POINTS, spacing * fmax(sqrt(count / MOST_POINTS), 1.0) * 1.05);
    }
    return CAROM_OK;
}

plane_point carom_shape_half_plane(v3 p, v3 *radial)
{
    double rho = sqrt(p.x * p.x + p.y * p.y);
    *radial = rho > 0.0 ? v3_make(p.x / rho, p.y / rho, 0.0) : v3_make(1.0, 0.0, 0.0);
    return (plane_point){ rho, p.z };
}

field_sample carom_shape_round_sample(double distance, plane_point gradient, v3 radial)
{
    return (field_sample){
        .distance = distance,
        .gradient = v3_make(gradient.rho * radial.x, gradient.rho * radial.y, gradient.z),
    };
}

/* ---- rings ------------------------------------------------------------------------------------------------------- */

typedef struct ring {
    plane_point at;
    int first; /* vertex */
    int count; /* points; 1 for a pole */
} ring;

typedef struct rings {
    ring *items;
    int count;
    double around; /* [m] largest step along rings and arcs */
    double along;  /* [m] largest step along straight pieces, which need none but those asked for: maybe infinite */
} rings;

enum { FEWEST_AROUND = 16 }; /* points of the widest ring: its chords miss the circle by 2 % */

static double piece_length(const outline_piece *piece, plane_point start)
{
    if (piece->arc) { /* a quarter turn */
        return 0.5 * PI * fmax(start.rho, piece->end.rho);
    }
    return sqrt((piece->end.rho - start.rho) * (piece->end.rho - start.rho) +
                (piece->end.z - start.z) * (piece->end.z - start.z));
}

/* The point a part t of the way along a piece; its ends are met exactly. */
static plane_point piece_point(const outline_piece *piece, plane_point start, double t)
{
    if (t == 1.0) {
        return piece->end;
    }
    if (!piece->arc) {
        return (plane_point){ start.rho + t * (piece->end.rho - start.rho), start.z + t * (piece->end.z - start.z) };
    }
    double radius = fmax(start.rho, piece->end.rho);
    double angle = 0.5 * PI * (piece->end.z > piece->center_z ? t : t - 1.0);
    return (plane_point){ radius * cos(angle), piece->center_z + radius * sin(angle) };
}

static int points_around(double rho, double step)
{
    if (rho == 0.0) {
        return 1;
    }
    double quarter = ceil(0.5 * PI * rho / step);
    return 4 * (quarter < 2.0 ? 2 : (int)quarter);
}

static void add_ring(rings *list, plane_point at)
{
    const ring *last = list->count > 0 ? &list->items[list->count - 1] : NULL;
    list->items[list->count++] = (ring){
        .at = at,
        .first = last ? last->first + last->count : 0,
        .count = points_around(at.rho, list->around),
    };
}

/* Steps along a piece; none for a piece without length (the straight part of a capsule that is a ball). */
static double piece_steps(const rings *list, const outline_piece *piece, plane_point start)
{
    double length = piece_length(piece, start);
    if (length == 0.0) {
        return 0.0;
    }
    return fmax(1.0, ceil(length / (piece->arc ? list->around : list->along) - 1e-9));
}

/* Estimates before anything is allocated: every ring of a piece is at most as wide as its wider end. */
static double estimate_points(const rings *list, const outline *o, double *ring_count)
{
    plane_point start = { 0.0, o->start_z };
    double points = 0.0;
    *ring_count = 1.0;
    for (int k = 0; k < o->piece_count; ++k) {
        double steps = piece_steps(list, &o->pieces[k], start);
        double mean = o->pieces[k].arc ? fmax(start.rho, o->pieces[k].end.rho) * 2.0 / PI
                                       : 0.5 * (start.rho + o->pieces[k].end.rho);
        points += steps * (8.0 + 2.0 * PI * mean / list->around);
        *ring_count += steps;
        start = o->pieces[k].end;
    }
    return points;
}

static void place_rings(rings *list, const outline *o)
{
    plane_point start = { 0.0, o->start_z };
    add_ring(list, start);
    for (int k = 0; k < o->piece_count; ++k) {
        int steps = (int)piece_steps(list, &o->pieces[k], start);
        for (int i = 1; i <= steps; ++i) {
            add_ring(list, piece_point(&o->pieces[k], start, (double)i / steps));
        }
        start = o->pieces[k].end;
    }
}

/* Points of a quarter, turned three times by exchanging coordinates: symmetric to the last bit. */
static void place_ring_points(struct mesh *m, const ring *r)
{
    if (r->count == 1) {
        m->vertices[r->first] = v3_make(0.0, 0.0, r->at.z);
        return;
    }
    int quarter = r->count / 4;
    for (int j = 0; j < quarter; ++j) {
        double c = r->at.rho * cos(2.0 * PI * j / r->count);
        double s = r->at.rho * sin(2.0 * PI * j / r->count);
        m->vertices[r->first + j] = v3_make(c, s, r->at.z);
        m->vertices[r->first + j + quarter] = v3_make(-s, c, r->at.z);
        m->vertices[r->first + j + 2 * quarter] = v3_make(-c, -s, r->at.z);
        m->vertices[r->first + j + 3 * quarter] = v3_make(s, -c, r->at.z);
    }
}

static void add_strip_triangle(struct mesh *m, int a, int b, int c)
{
    int *t = m->triangles[m->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* Walks both rings by angle; whichever comes to its next point first makes a triangle with the other's present one. */
static void add_strip(struct mesh *m, const ring *low, const ring *high)
{
    int i = 0;
    int j = 0;
    int low_steps = low->count > 1 ? low->count : 0;
    int high_steps = high->count > 1 ? high->count : 0;
    while (i < low_steps || j < high_steps) {
        bool step_low = j >= high_steps ||
                        (i < low_steps && (int64_t)(i + 1) * high_steps <= (int64_t)(j + 1) * low_steps);
        int a = low->first + i % low->count;
        int b = high->first + j % high->count;
        if (step_low) {
            ++i;
            add_strip_triangle(m, a, low->first + i % low->count, b);
        } else {
            ++j;
            add_strip_triangle(m, a, high->first + j % high->count, b);
        }
    }
}

static struct mesh *join_rings(const rings *list)
{
    const ring *last = &list->items[list->count - 1];
    int vertex_count = last->first + last->count;
    struct mesh *m = mesh_create(vertex_count, 2 * vertex_count);
    if (!m) {
        return NULL;
    }
    m->triangle_count = 0;
    for (int i = 0; i < list->count; ++i) {
        place_ring_points(m, &list->items[i]);
        if (i > 0) {
            add_strip(m, &list->items[i - 1], &list->items[i]);
        }
    }
    CAROM_ASSERT(m->triangle_count == 2 * vertex_count - 4); /* Euler: a sphere */
    return m;
}

carom_status carom_shape_revolve(struct mesh **out, const outline *o, surface_grain grain, carom_error *err)
{
    *out = NULL;
    double spacing = grain.spacing;
    double coarse = 2.0 * PI * o->radius / (grain.around > 0 ? grain.around : FEWEST_AROUND);
    rings list = { .around = spacing > 0.0 ? fmin(spacing, coarse) : coarse,
                   .along = spacing > 0.0 ? spacing : HUGE_VAL };
    double ring_count = 0.0;
    double points = estimate_points(&list, o, &ring_count);
    carom_status status = carom_shape_check_spacing(o->shape, spacing, points, err);
    if (status != CAROM_OK) {
        return status;
    }
    list.items = calloc((size_t)ring_count + 1, sizeof *list.items);
    if (list.items) {
        place_rings(&list, o);
        *out = join_rings(&list);
    }
    free(list.items);
    return *out ? CAROM_OK
                : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a %s of %.0f points", o->shape,
                             points);
}
