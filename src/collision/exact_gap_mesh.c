/* How far two solids are apart of which one at least is a mesh that is not convex: the least distance of an element of either from
 * the other. Distances of a point come from the field. A line is convexly far from a convex solid, and from each triangle of a mesh:
 * tangents bound its distance from below. A circle in a mesh is seen as chords, less what it bulges beyond them. */
#include "collision/collider_parts.h"
#include "collision/exact_curve.h"
#include "collision/exact_gap.h"

#include <stdlib.h>

#include "geometry/bvh.h"

typedef struct gap_search {
    const collider *field;
    const collider *elements;
    m3 R_fe;
    v3 t_f;
    double least; /* [m] what is farther does not matter */
    int hint;
} gap_search;

typedef struct gap_look {
    double s, gap, slope;
} gap_look;

typedef gap_look look_along(gap_search *g, const exact_element *line, double s, const v3 *triangle);

/* The least gap of a line to something convex, from below and good to a tenth. */
static double least_along(gap_search *g, const exact_element *line, const v3 *triangle, look_along *look)
{
    enum { LOOKS = 80 };
    const double good = 0.9;
    gap_look low = look(g, line, 0.0, triangle);
    gap_look high = look(g, line, line->length, triangle);
    double best = fmin(low.gap, high.gap);
    for (int i = 0; i < LOOKS; ++i) {
        double s = (high.gap - low.gap + low.slope * low.s - high.slope * high.s) / (low.slope - high.slope);
        if (!(low.slope < 0.0 && high.slope > 0.0 && s > low.s && s < high.s)) {
            return best;
        }
        double bound = low.gap + low.slope * (s - low.s);
        if (bound >= fmin(good * best, g->least)) {
            return fmin(best, bound);
        }
        gap_look k = look(g, line, s, triangle);
        best = fmin(best, k.gap);
        *(k.slope <= 0.0 ? &low : &high) = k;
    }
    return (1.0 - good) * best;
}

static gap_look look_in_convex(gap_search *g, const exact_element *line, double s, const v3 *triangle)
{
    (void)triangle;
    field_sample f = field_source_sample(&g->field->elements->surface, curve_point(line, s), &g->hint);
    return (gap_look){ s, f.distance - curve_radius(line, s), v3_dot(f.gradient, line->u) - line->taper };
}

static gap_look look_at_triangle(gap_search *g, const exact_element *line, double s, const v3 *triangle)
{
    (void)g;
    v3 p = curve_point(line, s);
    v3 nearest;
    int feature;
    double distance = sqrt(triangle_closest(p, triangle[0], triangle[1], triangle[2], &nearest, &feature));
    double slope = distance > 0.0 ? v3_dot(v3_sub(p, nearest), line->u) / distance : 0.0;
    return (gap_look){ s, distance - curve_radius(line, s), slope - line->taper };
}

static double from_line(const exact_element *e, v3 p)
{
    double s = fmax(0.0, fmin(e->length, v3_dot(v3_sub(p, e->r), e->u)));
    return v3_norm(v3_sub(p, v3_axpy(e->r, s, e->u)));
}

/* Triangles that may be nearer than the least so far. */
static void line_in_mesh(gap_search *g, const exact_element *line, double slack)
{
    const surface_features *t = &g->field->elements->triangles;
    double widest = fmax(curve_radius(line, 0.0), curve_radius(line, line->length)) + slack;
    for (int k = 0; k < t->tree.cell_count;) {
        const feature_cell *cell = &t->tree.cells[k];
        bool near = from_line(line, cell->ball.center) < cell->ball.radius + widest + g->least;
        for (int place = cell->first; near && place < cell->first + cell->count; ++place) {
            if (from_line(line, t->centers[place]) < t->radii[place] + widest + g->least) {
                double gap = least_along(g, line, t->corners + 3 * (size_t)place, look_at_triangle);
                g->least = fmin(g->least, fmax(gap - slack, 0.05 * gap)); /* it does not touch */
            }
        }
        k = near ? k + 1 : cell->next;
    }
}

static void circle_in_mesh(gap_search *g, const exact_element *circle)
{
    enum { CHORDS = 64 };
    double step = circle->length / CHORDS;
    double bulge = circle->ring * (1.0 - cos(acos(-1.0) / CHORDS));
    for (int k = 0; k < CHORDS; ++k) {
        v3 from = curve_point(circle, k * step);
        v3 along = v3_sub(curve_point(circle, (k + 1) * step), from);
        double length = v3_norm(along);
        exact_element chord = { .kind = EXACT_EDGE,
                                .r = from,
                                .u = v3_scale(1.0 / length, along),
                                .length = length,
                                .radius = circle->radius };
        line_in_mesh(g, &chord, bulge);
    }
}

static void try_element(gap_search *g, const exact_element *own)
{
    exact_element e = *own;
    if (e.kind == EXACT_SIDE) {
        return; /* one of the two is no round solid: rims and the other's edges are enough */
    }
    e.r = v3_add(g->t_f, m3_mulv(g->R_fe, own->r));
    e.u = m3_mulv(g->R_fe, own->u);
    e.v = m3_mulv(g->R_fe, own->v);
    if (!exact_is_curve(e.kind)) {
        double gap = field_source_sample(&g->field->elements->surface, e.r, &g->hint).distance - e.radius;
        g->least = fmin(g->least, gap);
    } else if (g->field->elements->solid.round != ROUND_MESH) {
        g->least = fmin(g->least, least_along(g, &e, NULL, look_in_convex)); /* of a mesh: lines only */
    } else if (e.kind == EXACT_CIRCLE) {
        circle_in_mesh(g, &e);
    } else {
        line_in_mesh(g, &e, 0.0);
    }
}

static bool is_far(gap_search *g, v3 middle_e, double radius)
{
    v3 p = v3_add(g->t_f, m3_mulv(g->R_fe, middle_e));
    const exact_solid *solid = &g->field->elements->solid;
    if (solid->filter) {
        return exact_solid_far(solid, p) - radius >= g->least;
    }
    return field_source_sample(&g->field->elements->surface, p, &g->hint).distance - radius >= g->least;
}

static void try_all(gap_search *g)
{
    const exact_elements *e = g->elements->elements;
    for (int i = 0; e->tree.cell_count == 0 && i < e->count; ++i) {
        if (!is_far(g, e->items[i].middle, e->items[i].reach)) {
            try_element(g, &e->items[i]);
        }
    }
    for (int c = 0; c < e->tree.cell_count;) {
        const feature_cell *cell = &e->tree.cells[c];
        bool near = !is_far(g, cell->ball.center, cell->ball.radius);
        for (int k = cell->first; near && k < cell->first + cell->count; ++k) {
            const exact_element *x = &e->items[e->tree.order[k]];
            if (!is_far(g, x->middle, x->reach)) {
                try_element(g, x);
            }
        }
        c = near ? c + 1 : cell->next;
    }
}

double exact_gap_of_meshes(const collider *const c[2], const carom_pose pose_w[2], double limit)
{
    bool sides[2];
    double least = limit;
    exact_sides(c[0], c[1], sides);
    for (int side = 0; side < 2; ++side) {
        carom_pose pose_fe = exact_relative_pose(&pose_w[1 - side], &pose_w[side]);
        gap_search g = { .field = c[1 - side],
                         .elements = c[side],
                         .R_fe = q_matrix(pose_fe.orientation),
                         .t_f = pose_fe.position,
                         .least = least,
                         .hint = -1 };
        if (sides[side]) {
            try_all(&g);
            least = g.least;
        }
    }
    return fmax(least, 0.0);
}
