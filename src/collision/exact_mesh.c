/* Curves in closed meshes that are not convex. Depth is neither concave nor linear along them, and there may be many pieces inside. Sharp
 * curves change sides where they cut a triangle, in closed form; a rounded line is inside within its radius of a triangle, and
 * the distance from one triangle is convex along it: one interval each, found by tangents. Between such places one look decides. All
 * pieces count in the one element, so that nothing jumps where they merge. Pieces are cut where the nearest face changes. */
#include "collision/exact_curve.h"

#include <stdlib.h>

#include "base/array.h"
#include "geometry/bvh.h"

/* [1] of the size: who passes a triangle this far beside its edge may cut it. A cut too many costs a look. */
static const double BESIDE = 1e-9;

typedef struct mesh_cuts {
    curve_job *job;
    const v3 *triangle; /* its three corners */
    size_t count;
} mesh_cuts;

static void add_cut(mesh_cuts *c, double s)
{
    curve_room *room = c->job->room;
    if (!CAROM_ARRAY_RESERVE(room->cuts, room->cut_capacity, c->count + 3)) { /* and both ends */
        c->job->failed = true;
        return;
    }
    room->cuts[c->count++] = s;
}

/* ---- cuts --------------------------------------------------------------------------------------------------------- */

/* Whether a point of the plane of the triangle lies in it or just beside. */
static bool is_beside(const mesh_cuts *c, v3 p)
{
    v3 nearest;
    int feature;
    double beside = BESIDE * c->job->solid->size;
    return triangle_closest(p, c->triangle[0], c->triangle[1], c->triangle[2], &nearest, &feature) <= beside * beside;
}

static v3 normal_of(const v3 *t)
{
    return v3_unit(v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0])));
}

static void cut_line(mesh_cuts *c)
{
    const exact_element *e = &c->job->curve;
    v3 n = normal_of(c->triangle);
    double from = v3_dot(n, v3_sub(e->r, c->triangle[0]));
    double slope = v3_dot(n, e->u);
    double s = -from / slope;
    if (s > 0.0 && s < e->length && is_beside(c, curve_point(e, s))) {
        add_cut(c, s);
    }
}

/* from + a cos + b sin = 0 of the angle. */
static void cut_circle(mesh_cuts *c)
{
    const exact_element *e = &c->job->curve;
    v3 n = normal_of(c->triangle);
    double from = v3_dot(n, v3_sub(e->r, c->triangle[0]));
    double a = e->ring * v3_dot(n, e->u);
    double b = e->ring * v3_dot(n, e->v);
    double amplitude = sqrt(a * a + b * b);
    if (!(fabs(from) <= amplitude) || !(amplitude > 0.0)) {
        return;
    }
    /* half the angle on the side of the plane, from its sine: exact where the circle just dips in */
    double half = 2.0 * asin(sqrt(fmax(0.0, 0.5 * (amplitude + from) / amplitude)));
    const double turn = 2.0 * acos(-1.0);
    for (int k = -1; k <= 1; k += 2) {
        double angle = atan2(b, a) + k * half;
        double s = e->ring * (angle - turn * floor(angle / turn));
        if (is_beside(c, curve_point(e, s))) {
            add_cut(c, s);
        }
    }
}

/* ---- rounded lines ------------------------------------------------------------------------------------------------ */

/* How near the middle line comes to a triangle: convex along it. */
typedef struct line_look {
    double s, gap, slope; /* [m], [m], [1]; gap: distance less radius */
} line_look;

static line_look look_from_line(const mesh_cuts *c, double s)
{
    const exact_element *e = &c->job->curve;
    v3 p = curve_point(e, s);
    v3 nearest;
    int feature;
    double distance = sqrt(triangle_closest(p, c->triangle[0], c->triangle[1], c->triangle[2], &nearest, &feature));
    v3 away = v3_sub(p, nearest);
    double slope = distance > 0.0 ? v3_dot(away, e->u) / distance : 0.0;
    return (line_look){ s, distance - curve_radius(e, s), slope - e->taper };
}

/* A place where the gap is negative, between two where the line comes nearer to what is between them; no such place: its gap is not. */
static line_look find_near(const mesh_cuts *c, line_look low, line_look high)
{
    enum { LOOKS = 80 };
    line_look best = low.gap < high.gap ? low : high;
    for (int i = 0; i < LOOKS && best.gap >= 0.0; ++i) {
        /* tangents bound the gap from below; where they cross is the next place to look */
        double s = (high.gap - low.gap + low.slope * low.s - high.slope * high.s) / (low.slope - high.slope);
        if (!(low.slope < 0.0 && high.slope > 0.0 && s > low.s && s < high.s) ||
            low.gap + low.slope * (s - low.s) >= 0.0) {
            break;
        }
        line_look k = look_from_line(c, s);
        best = k.gap < best.gap ? k : best;
        *(k.slope <= 0.0 ? &low : &high) = k;
    }
    return best;
}

/* From an end that is not near to where the line comes near: tangents never pass it. */
static double find_entry(const mesh_cuts *c, line_look k, double inside)
{
    enum { LOOKS = 80 };
    for (int i = 0; i < LOOKS && k.gap > 0.0; ++i) {
        double next = k.s - k.gap / k.slope;
        if (!(fabs(next - inside) < fabs(k.s - inside))) {
            break;
        }
        k = look_from_line(c, next);
    }
    return k.s;
}

static void near_line(mesh_cuts *c)
{
    line_look low = look_from_line(c, 0.0);
    line_look high = look_from_line(c, c->job->curve.length);
    line_look best = find_near(c, low, high);
    if (best.gap >= 0.0) {
        return;
    }
    if (low.gap > 0.0) {
        add_cut(c, find_entry(c, low, best.s));
    }
    if (high.gap > 0.0) {
        add_cut(c, find_entry(c, high, best.s));
    }
}

/* ---- which triangles ---------------------------------------------------------------------------------------------- */

static double distance_to_line(const exact_element *e, v3 p)
{
    double s = fmax(0.0, fmin(e->length, v3_dot(v3_sub(p, e->r), e->u)));
    return v3_norm(v3_sub(p, v3_axpy(e->r, s, e->u)));
}

static double distance_to_circle(const exact_element *e, v3 p)
{
    v3 from = v3_sub(p, e->r);
    double x = v3_dot(from, e->u);
    double y = v3_dot(from, e->v);
    double up = v3_dot(from, v3_cross(e->u, e->v));
    double out = sqrt(x * x + y * y) - e->ring;
    return sqrt(out * out + up * up);
}

/* Whether a curve with what is around it may come into a ball. */
static bool comes_near(const exact_element *e, v3 center, double radius)
{
    double widest = fmax(curve_radius(e, 0.0), curve_radius(e, e->length));
    double distance = e->kind == EXACT_CIRCLE ? distance_to_circle(e, center) : distance_to_line(e, center);
    return distance <= (radius + widest) * (1.0 + 1e-12);
}

static void cut_by_triangles(mesh_cuts *c, const surface_features *t)
{
    const exact_element *e = &c->job->curve;
    for (int k = 0; k < t->tree.cell_count && !c->job->failed;) {
        const feature_cell *cell = &t->tree.cells[k];
        bool near = comes_near(e, cell->ball.center, cell->ball.radius);
        for (int place = cell->first; near && place < cell->first + cell->count; ++place) {
            if (comes_near(e, t->centers[place], t->radii[place])) {
                c->triangle = t->corners + 3 * (size_t)place;
                exact_is_rounded_line(e->kind) ? near_line(c) : e->kind == EXACT_CIRCLE ? cut_circle(c) : cut_line(c);
            }
        }
        k = near ? k + 1 : cell->next;
    }
}

/* ---- pieces ------------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_inside(curve_job *j, double s)
{
    double far = exact_solid_far(j->solid, curve_point(&j->curve, s));
    return !(far >= curve_radius(&j->curve, s)) && curve_look(j, s).depth > 0.0;
}

/* Neighbouring parts that are inside are one piece. */
static void take_pieces(curve_job *j, size_t cuts)
{
    const double *s = j->room->cuts;
    double begin = -1.0;
    for (size_t k = 0; k + 1 < cuts && !j->failed; ++k) {
        bool inside = s[k + 1] > s[k] && is_inside(j, 0.5 * (s[k] + s[k + 1]));
        begin = inside && begin < 0.0 ? s[k] : begin;
        bool ends = begin >= 0.0 && (!inside ? s[k + 1] > s[k] : k + 2 == cuts);
        if (ends) {
            curve_add_piece(j, begin, inside ? s[k + 1] : s[k]);
            begin = -1.0;
        }
    }
}

/* Whether a part is surely outside, by stored bounds alone: what is no nearer to the mesh than half its length is, else both halves are
 * asked. */
static bool surely_outside(const curve_job *j, double low, double high, int depth)
{
    enum { DEEPEST = 8 };
    double middle = 0.5 * (low + high);
    double widest = fmax(curve_radius(&j->curve, low), curve_radius(&j->curve, high));
    double far = exact_solid_far(j->solid, curve_point(&j->curve, middle)) - widest;
    if (far >= 0.5 * (high - low)) {
        return true;
    }
    return far > 0.0 && depth < DEEPEST && surely_outside(j, low, middle, depth + 1) &&
           surely_outside(j, middle, high, depth + 1);
}

void curve_trace_mesh(curve_job *j)
{
    if (surely_outside(j, 0.0, j->curve.length, 0)) {
        return;
    }
    mesh_cuts c = { .job = j };
    cut_by_triangles(&c, j->triangles);
    add_cut(&c, 0.0);
    add_cut(&c, j->curve.length);
    if (!j->failed) {
        qsort(j->room->cuts, c.count, sizeof *j->room->cuts, compare_numbers);
        take_pieces(j, c.count);
    }
    bool line = j->curve.kind != EXACT_CIRCLE;
    for (int k = 0; line && j->length > 0.0 && k < 2; ++k) {
        j->ends[k] = curve_look(j, k == 0 ? 0.0 : j->curve.length);
    }
}
