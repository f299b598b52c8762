/* Nearest places of surfaces that move. A triangle is nearest by its face, where the gap is the height over its plane, or by an edge or corner,
 * where it is the distance with the sign of the facet that sees the point best: of all that are equally near the one whose normal is most
 * along the way to the point decides, which tells inside from outside at edges of any angle. */
#include "collision/soft.h"

#include <stdlib.h>

#include "geometry/triangle_nearest.h"

/* Facets first .. first + count of the order, or two nodes: the next one and `second`. */
typedef struct soft_node {
    aabb box;
    int first, count;
    int second;
} soft_node;

struct soft_surface {
    int vertex_count, facet_count;
    double radius;
    soft_facet *facets;
    v3 *x, *axis;
    int *order;
    int node_count;
    soft_node *nodes; /* parents before children */
};

enum { LEAF = 4 };

/* ---- the tree ------------------------------------------------------------------------------------------------------ */

static double middle(const soft_surface *s, int facet, int axis)
{
    const soft_facet *f = &s->facets[facet];
    double sum = 0.0;
    for (int i = 0; i < f->count; ++i) {
        sum += v3_get(s->x[f->vertices[i]], axis);
    }
    return sum / f->count;
}

static int widest_axis(const soft_surface *s, int first, int count)
{
    int best = 0;
    double most = -1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = HUGE_VAL;
        double high = -HUGE_VAL;
        for (int i = first; i < first + count; ++i) {
            double m = middle(s, s->order[i], axis);
            low = fmin(low, m);
            high = fmax(high, m);
        }
        best = high - low > most ? axis : best;
        most = fmax(most, high - low);
    }
    return best;
}

/* Puts the half with the smaller middles first; quickselect, equal middles by number. */
static void halve(soft_surface *s, int first, int count, int axis)
{
    int low = first;
    int high = first + count - 1;
    int goal = first + count / 2;
    while (low < high) {
        int pivot = s->order[(low + high) / 2];
        double at = middle(s, pivot, axis);
        int i = low;
        int j = high;
        while (i <= j) {
            for (; middle(s, s->order[i], axis) < at || (middle(s, s->order[i], axis) == at && s->order[i] < pivot);
                 ++i) {
            }
            for (; middle(s, s->order[j], axis) > at || (middle(s, s->order[j], axis) == at && s->order[j] > pivot);
                 --j) {
            }
            if (i <= j) {
                int swapped = s->order[i];
                s->order[i++] = s->order[j];
                s->order[j--] = swapped;
            }
        }
        if (goal <= j) {
            high = j;
        } else if (goal >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static int build(soft_surface *s, int first, int count)
{
    int own = s->node_count++;
    s->nodes[own] = (soft_node){ .first = first, .count = count };
    if (count > LEAF) {
        halve(s, first, count, widest_axis(s, first, count));
        build(s, first, count / 2);
        s->nodes[own].second = build(s, first + count / 2, count - count / 2);
        s->nodes[own].count = 0;
    }
    return own;
}

soft_surface *soft_create(const v3 *at, int vertex_count, const soft_facet *facets, int facet_count, double radius)
{
    soft_surface *s = calloc(1, sizeof *s);
    size_t vertices = (size_t)vertex_count + 1;
    size_t count = (size_t)facet_count + 1;
    if (!s) {
        return NULL;
    }
    *s = (soft_surface){ .vertex_count = vertex_count,
                         .facet_count = facet_count,
                         .radius = radius,
                         .facets = malloc(count * sizeof *s->facets),
                         .x = malloc(vertices * sizeof *s->x),
                         .axis = calloc(vertices, sizeof *s->axis),
                         .order = malloc(count * sizeof *s->order),
                         .nodes = malloc(2 * count * sizeof *s->nodes) };
    if (!s->facets || !s->x || !s->axis || !s->order || !s->nodes) {
        soft_destroy(s);
        return NULL;
    }
    for (int i = 0; i < vertex_count; ++i) {
        s->x[i] = at[i];
    }
    for (int f = 0; f < facet_count; ++f) {
        s->facets[f] = facets[f];
        s->order[f] = f;
    }
    build(s, 0, facet_count);
    soft_refit(s);
    return s;
}

void soft_destroy(soft_surface *s)
{
    if (s) {
        free(s->facets);
        free(s->x);
        free(s->axis);
        free(s->order);
        free(s->nodes);
        free(s);
    }
}

v3 *soft_vertices(soft_surface *s)
{
    return s->x;
}

v3 *soft_axes(soft_surface *s)
{
    return s->axis;
}

static aabb box_around(aabb box, v3 x, double radius)
{
    box.low = v3_make(fmin(box.low.x, x.x - radius), fmin(box.low.y, x.y - radius), fmin(box.low.z, x.z - radius));
    box.high = v3_make(fmax(box.high.x, x.x + radius), fmax(box.high.y, x.y + radius),
                       fmax(box.high.z, x.z + radius));
    return box;
}

static aabb box_of_leaf(const soft_surface *s, const soft_node *n)
{
    aabb box = { v3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL), v3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL) };
    for (int i = n->first; i < n->first + n->count; ++i) {
        const soft_facet *f = &s->facets[s->order[i]];
        for (int k = 0; k < f->count; ++k) {
            box = box_around(box, s->x[f->vertices[k]], s->radius);
        }
    }
    return box;
}

void soft_refit(soft_surface *s)
{
    for (int i = s->node_count - 1; i >= 0; --i) {
        soft_node *n = &s->nodes[i];
        if (n->count > 0) {
            n->box = box_of_leaf(s, n);
        } else {
            const aabb *b = &s->nodes[n->second].box;
            n->box = box_around(box_around(s->nodes[i + 1].box, b->low, 0.0), b->high, 0.0);
        }
    }
}

aabb soft_bounds(const soft_surface *s)
{
    return s->nodes[0].box;
}

/* ---- triangles ----------------------------------------------------------------------------------------------------- */

/* The best so far. `far` [m]: without a sign, of an axis from the axis. */
typedef struct soft_search {
    const soft_surface *s;
    v3 p;
    double far;
    double facing; /* how much the normal is along the way to the point */
    int facet;
    nearest_point at;
} soft_search;

static v3 facet_normal(const soft_surface *s, const soft_facet *f)
{
    const v3 *x = s->x;
    return v3_unit(v3_cross(v3_sub(x[f->vertices[1]], x[f->vertices[0]]),
                            v3_sub(x[f->vertices[2]], x[f->vertices[0]])));
}

static void try_triangle(soft_search *q, int facet)
{
    const double equal = 1e-9; /* of the distance: several facets of one corner */
    const soft_facet *f = &q->s->facets[facet];
    const v3 *x = q->s->x;
    nearest_point at = triangle_nearest(q->p, x[f->vertices[0]], x[f->vertices[1]], x[f->vertices[2]]);
    double far = sqrt(at.dist2);
    if (far > q->far * (1.0 + equal)) {
        return;
    }
    double facing = far > 0.0 ? fabs(v3_dot(facet_normal(q->s, f), at.offset)) / far : 1.0;
    if (far < q->far * (1.0 - equal) || facing > q->facing) {
        q->far = fmin(far, q->far);
        q->facing = facing;
        q->facet = facet;
        q->at = at;
    }
}

/* Weights of the corners at a point of the plane of a triangle. */
static void find_weights(const soft_surface *s, const soft_facet *f, v3 p, double weight[3])
{
    v3 a = s->x[f->vertices[0]];
    v3 ab = v3_sub(s->x[f->vertices[1]], a);
    v3 ac = v3_sub(s->x[f->vertices[2]], a);
    v3 ap = v3_sub(p, a);
    v3 n = v3_cross(ab, ac);
    double n2 = v3_norm2(n);
    weight[1] = v3_dot(n, v3_cross(ap, ac)) / n2;
    weight[2] = v3_dot(n, v3_cross(ab, ap)) / n2;
    weight[0] = 1.0 - weight[1] - weight[2];
}

static void hit_triangle(const soft_search *q, soft_hit *out)
{
    const soft_facet *f = &q->s->facets[q->facet];
    const v3 n = facet_normal(q->s, f);
    double height = v3_dot(n, q->at.offset);
    *out = (soft_hit){ .count = 3, .gap = height, .normal_w = n };
    for (int i = 0; i < 3; ++i) {
        out->vertices[i] = f->vertices[i];
    }
    find_weights(q->s, f, q->at.point, out->weight);
    if (q->at.feature != FEATURE_FACE && q->far > 0.0) {
        double sign = height >= 0.0 ? 1.0 : -1.0;
        out->gap = sign * q->far;
        out->normal_w = v3_scale(sign / q->far, q->at.offset);
    }
}

/* ---- axes ---------------------------------------------------------------------------------------------------------- */

static double part_of(const soft_search *q, const soft_facet *f)
{
    v3 a = q->s->x[f->vertices[0]];
    v3 way = v3_sub(q->s->x[f->vertices[1]], a);
    return fmin(1.0, fmax(0.0, v3_dot(v3_sub(q->p, a), way) / v3_norm2(way)));
}

static v3 on_axis(const soft_search *q, const soft_facet *f, double part)
{
    v3 a = q->s->x[f->vertices[0]];
    return v3_axpy(a, part, v3_sub(q->s->x[f->vertices[1]], a));
}

static void try_axis(soft_search *q, int facet)
{
    const soft_facet *f = &q->s->facets[facet];
    double far = v3_norm(v3_sub(q->p, on_axis(q, f, part_of(q, f))));
    if (far < q->far) {
        q->far = far;
        q->facet = facet;
    }
}

/* The flat face at an end, and its rim; false: the side is what the point meets. */
static bool hit_end(const soft_search *q, const soft_facet *f, int end, soft_hit *out)
{
    const int vertex = f->vertices[end];
    const v3 e = v3_scale(end == 0 ? -1.0 : 1.0, q->s->axis[vertex]);
    const v3 to_p = v3_sub(q->p, q->s->x[vertex]);
    double above = v3_dot(e, to_p);
    const v3 across = v3_axpy(to_p, -above, e);
    double beside = v3_norm(across) - q->s->radius;
    if (above <= 0.0 && above <= beside) {
        return false;
    }
    *out = (soft_hit){ .count = 1, .vertices = { vertex }, .weight = { 1.0 }, .gap = above, .normal_w = e };
    if (above > 0.0 && beside > 0.0) {
        out->gap = hypot(above, beside);
        out->normal_w = v3_unit(v3_add(v3_scale(above, e), v3_scale(beside, v3_unit(across))));
    }
    return true;
}

static void hit_axis(const soft_search *q, soft_hit *out)
{
    const soft_facet *f = &q->s->facets[q->facet];
    double part = part_of(q, f);
    for (int end = 0; end < 2; ++end) {
        if (f->end[end] && hit_end(q, f, end, out)) {
            return;
        }
    }
    v3 way = v3_sub(q->p, on_axis(q, f, part));
    *out = (soft_hit){ .count = 2,
                       .vertices = { f->vertices[0], f->vertices[1] },
                       .weight = { 1.0 - part, part },
                       .gap = q->far - q->s->radius,
                       .normal_w = q->far > 0.0 ? v3_scale(1.0 / q->far, way) : v3_make(0.0, 0.0, 1.0) };
}

v3 soft_rim(const soft_surface *s, int vertex, v3 outward)
{
    const double face_on = 1e-6; /* rad: a flat end that lies on a face touches it with its middle */
    v3 e = s->axis[vertex];
    v3 across = v3_axpy(outward, -v3_dot(outward, e), e);
    double size = v3_norm(across);
    return size > face_on ? v3_axpy(s->x[vertex], -s->radius / size, across) : s->x[vertex];
}

/* ---- the search ---------------------------------------------------------------------------------------------------- */

static double box_distance(const aabb *b, v3 p)
{
    double dx = fmax(0.0, fmax(b->low.x - p.x, p.x - b->high.x));
    double dy = fmax(0.0, fmax(b->low.y - p.y, p.y - b->high.y));
    double dz = fmax(0.0, fmax(b->low.z - p.z, p.z - b->high.z));
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static void search(soft_search *q, int node)
{
    const double slack = 1.0 + 1e-9; /* facets that are equally near are looked at */
    const soft_node *n = &q->s->nodes[node];
    for (int i = n->first; i < n->first + n->count; ++i) {
        if (q->s->radius > 0.0) {
            try_axis(q, q->s->order[i]);
        } else {
            try_triangle(q, q->s->order[i]);
        }
    }
    if (n->count > 0) {
        return;
    }
    const int child[2] = { node + 1, n->second };
    double far[2];
    for (int k = 0; k < 2; ++k) {
        far[k] = box_distance(&q->s->nodes[child[k]].box, q->p);
    }
    int first = far[1] < far[0];
    for (int k = 0; k < 2; ++k) {
        int c = k == 0 ? first : !first;
        if (far[c] <= q->far * slack) { /* boxes of an axis have its radius around it: not too far */
            search(q, child[c]);
        }
    }
}

bool soft_nearest(const soft_surface *s, v3 p, double limit, soft_hit *out)
{
    soft_search q = { .s = s, .p = p, .far = HUGE_VAL, .facing = -1.0, .facet = -1 };
    if (s->facet_count == 0 || box_distance(&s->nodes[0].box, p) > fmax(limit, 0.0)) {
        return false;
    }
    search(&q, 0);
    if (q.facet < 0) { /* no number */
        return false;
    }
    if (s->radius > 0.0) {
        hit_axis(&q, out);
    } else {
        hit_triangle(&q, out);
    }
    return out->gap < limit;
}
