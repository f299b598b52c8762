/* Components of surfaces, and rays. */
#include "collision/surface_inside.h"

#include <stdlib.h>

#include "base/union_find.h"
#include "geometry/triangle.h"

/* ---- components ------------------------------------------------------------------------------------------------------- */

static void connect(const surface *s, int *parent)
{
    for (int i = 0; i < s->vertex_count; ++i) {
        parent[i] = i;
    }
    for (int i = 0; i < s->edge_count; ++i) {
        set_unite(parent, s->edges[i][0], s->edges[i][1]);
    }
    for (int i = 0; i < s->triangle_count; ++i) {
        set_unite(parent, s->triangles[i][0], s->triangles[i][1]);
        set_unite(parent, s->triangles[i][0], s->triangles[i][2]);
    }
}

static void reach_farther(const surface *s, surface_component *c, int vertex)
{
    for (int axis = 0; axis < 3; ++axis) {
        double x = v3_get(s->vertices[vertex], axis);
        int *low = &c->extremes[2 * axis];
        int *high = &c->extremes[2 * axis + 1];
        *low = x < v3_get(s->vertices[*low], axis) ? vertex : *low;
        *high = x > v3_get(s->vertices[*high], axis) ? vertex : *high;
    }
}

/* The root of a component is its first vertex, so that its number is known before the others come. */
static int list_components(const surface *s, int *parent, int *number, surface_component *out)
{
    int count = 0;
    for (int i = 0; i < s->vertex_count; ++i) {
        int root = set_root(parent, i);
        if (root == i) {
            number[i] = count;
            for (int k = 0; k < 6; ++k) {
                out[count].extremes[k] = i;
            }
            ++count;
        }
        reach_farther(s, &out[number[root]], i);
    }
    return count;
}

bool surface_components(const surface *s, surface_component **out, int *count)
{
    size_t room = (size_t)s->vertex_count + 1;
    int *parent = calloc(room, sizeof *parent);
    int *number = calloc(room, sizeof *number);
    *out = calloc(room, sizeof **out);
    *count = 0;
    bool ok = parent && number && *out;
    if (ok) {
        connect(s, parent);
        *count = list_components(s, parent, number, *out);
    } else {
        free(*out);
        *out = NULL;
    }
    free(parent);
    free(number);
    return ok;
}

/* ---- rays ------------------------------------------------------------------------------------------------------------- */

/* A segment from a point to another beyond everything, and the closed surface whose crossings are counted. */
typedef struct ray {
    const surface_pair *p;
    int side; /* of the closed surface */
    const surface *s;
    v3 from, to;             /* in the axes of the pair */
    v3 middle, half, across; /* in the axes of the surface: of the segment, and what is added to boxes */
    int winding;
    bool unclear; /* passes through an edge, a vertex or along a triangle: another one is needed */
} ray;

/* Separating axes of a segment and a box; a margin covers rounding. */
static bool ray_misses(const ray *r, const surface_box *node)
{
    v3 d = v3_sub(r->middle, node->center);
    v3 box = v3_add(node->half, r->across);
    v3 h = r->half;
    v3 size = { fabs(h.x), fabs(h.y), fabs(h.z) };
    if (fabs(d.x) > box.x + size.x || fabs(d.y) > box.y + size.y || fabs(d.z) > box.z + size.z) {
        return true;
    }
    v3 c = v3_cross(d, h);
    return fabs(c.x) > box.y * size.z + box.z * size.y || fabs(c.y) > box.x * size.z + box.z * size.x ||
           fabs(c.z) > box.x * size.y + box.y * size.x;
}

static bool has_area(const v3 t[3])
{
    return orientation_2d(t[0], t[1], t[2], 0, 1) || orientation_2d(t[0], t[1], t[2], 1, 2) ||
           orientation_2d(t[0], t[1], t[2], 2, 0);
}

/* Neither end lies on the triangle: the first because the surfaces do not meet, the second because it is beyond everything. So an
 * end in the plane of the triangle means no crossing, unless the whole segment is in it. */
static void cross_triangle(ray *r, int triangle)
{
    v3 t[3];
    for (int k = 0; k < 3; ++k) {
        t[k] = surface_pair_vertex(r->p, r->side, r->s->triangles[triangle][k]);
    }
    int from = orientation_3d(t[0], t[1], t[2], r->from);
    int to = orientation_3d(t[0], t[1], t[2], r->to);
    if (from == 0 && to == 0) {
        r->unclear = r->unclear || has_area(t);
    }
    if (from * to >= 0) {
        return;
    }
    int sides[3];
    for (int k = 0; k < 3; ++k) {
        sides[k] = orientation_3d(r->from, r->to, t[k], t[(k + 1) % 3]);
    }
    bool positive = sides[0] > 0 || sides[1] > 0 || sides[2] > 0;
    bool negative = sides[0] < 0 || sides[1] < 0 || sides[2] < 0;
    if (positive && negative) {
        return;
    }
    r->unclear = r->unclear || sides[0] == 0 || sides[1] == 0 || sides[2] == 0;
    r->winding += from;
}

static void cross_box(ray *r, int slot)
{
    surface_box box = surface_box_at(r->s, slot);
    if (r->unclear || ray_misses(r, &box)) {
        return;
    }
    if (box.child < 0) {
        int triangle = r->s->leaves[~box.child].triangle;
        if (triangle != NO_TRIANGLE) {
            cross_triangle(r, triangle);
        }
        return;
    }
    for (int k = 0; k < r->s->groups[box.child].count; ++k) {
        cross_box(r, SURFACE_LANES * box.child + k);
    }
}

/* Directions in general position: the k-th point of a sequence that fills the cube, away from axes and diagonals. */
static v3 direction(int k)
{
    static const v3 stride = { 0.8191725133961645, 0.6710436067037893, 0.5497004779019703 };
    v3 at = v3_scale((double)(k + 1), stride);
    return v3_make(at.x - floor(at.x) - 0.4871, at.y - floor(at.y) - 0.5137, at.z - floor(at.z) - 0.5059);
}

static ray aim(const surface_pair *p, int side, v3 from, v3 toward)
{
    const surface *s = side == 0 ? p->a : p->b;
    v3 own = side == 0 ? m3_tmulv(p->R, v3_sub(from, p->c)) : from;
    surface_box all = surface_box_at(s, 0);
    double far = 4.0 * (v3_norm(v3_sub(own, all.center)) + all.radius) / v3_norm(toward);
    v3 way = v3_scale(far, toward);
    double margin = 1e-12 * (v3_norm(way) + v3_norm(own)) + p->rounding;
    return (ray){ .p = p,
                  .side = side,
                  .s = s,
                  .from = from,
                  .to = v3_add(from, side == 0 ? m3_mulv(p->R, way) : way),
                  .middle = v3_axpy(own, 0.5, way),
                  .half = v3_scale(0.5, way),
                  .across = { margin, margin, margin } };
}

/* Whether a point is within the box of a surface, in whose own axes it is; necessary for being inside. */
static bool in_box(const surface *s, v3 own, double margin)
{
    surface_box all = surface_box_at(s, 0);
    v3 d = v3_sub(own, all.center);
    v3 half = all.half;
    return fabs(d.x) <= half.x + margin && fabs(d.y) <= half.y + margin && fabs(d.z) <= half.z + margin;
}

static bool component_in_box(const surface_pair *p, int side, const surface_component *component)
{
    const surface *other = side == 0 ? p->b : p->a;
    for (int k = 0; k < 6; ++k) {
        v3 x = surface_pair_vertex(p, side, component->extremes[k]);
        v3 own = side == 0 ? x : m3_tmulv(p->R, v3_sub(x, p->c));
        if (!in_box(other, own, p->rounding + 1e-12 * other->radius)) {
            return false;
        }
    }
    return true;
}

/* A ray that no exact test can count is met by chance only; a point for which all of them are such lies on the surface, and that
 * counts as inside. */
bool surface_pair_inside(const surface_pair *p, int side, const surface_component *component)
{
    enum { RAYS = 64 };
    const surface *other = side == 0 ? p->b : p->a;
    if (other->triangle_count == 0 || !component_in_box(p, side, component)) {
        return false;
    }
    v3 from = surface_pair_vertex(p, side, component->extremes[0]);
    for (int k = 0; k < RAYS; ++k) {
        ray r = aim(p, 1 - side, from, direction(k));
        cross_box(&r, 0);
        if (!r.unclear) {
            return r.winding != 0;
        }
    }
    return true;
}
