/* Contact points of two convex shapes.
 *
 * Polyhedra: the face that separates most is the reference, the face of the other that looks against it most is clipped by its sides. If
 * a clipped point lies as far as the face separates, no other axis separates more and edges need not be asked. An edge pair counts only
 * where it separates more and its normal is well away from that of the face: otherwise a tiny tilt would make one point of four. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "collision/convex_build.h"
#include "math/quat.h"

static const double TIE = 1e-6;     /* of the reach: faces that separate alike; the first one stays the reference */
static const double AT_FACE = 1e-7; /* of the reach: a point is as near as the face */
static const double ALONG_FACE = 0.999; /* cosine of 2.5 degrees between normals of an edge pair and of the face */
static const double PARALLEL = 1e-6;    /* sine between edges */

bool convex_place(placed_convex *out, const convex *shape, carom_pose pose_w)
{
    m3 R = q_matrix(pose_w.orientation);
    out->shape = shape;
    out->x_w = v3_add(pose_w.position, m3_mulv(R, shape->r));
    if (!CAROM_ARRAY_RESERVE(out->corners, out->corner_capacity, (size_t)shape->corner_count) ||
        !CAROM_ARRAY_RESERVE(out->normals, out->normal_capacity, (size_t)shape->face_count)) {
        return false;
    }
    for (int i = 0; i < shape->corner_count; ++i) {
        out->corners[i] = v3_add(pose_w.position, m3_mulv(R, shape->corners[i]));
    }
    for (int i = 0; i < shape->face_count; ++i) {
        out->normals[i] = m3_mulv(R, shape->faces[i].normal);
    }
    return true;
}

void placed_convex_free(placed_convex *p)
{
    free(p->corners);
    free(p->normals);
    *p = (placed_convex){ 0 };
}

/* ---- lists ------------------------------------------------------------------------------------------------------------------- */

typedef struct manifold {
    manifold_point *items;
    int count;
    double margin;
    bool flipped; /* shapes were exchanged: normals point from A to B */
} manifold;

/* A point half-way of a gap along n, the direction in which the first shape is pushed. */
static void add_point(manifold *m, v3 on_second, v3 n, double gap, uint32_t feature, uint32_t partner)
{
    if (gap < m->margin && m->count < MANIFOLD_MOST) {
        m->items[m->count++] = (manifold_point){ .p_w = v3_axpy(on_second, 0.5 * gap, n),
                                                 .normal_w = m->flipped ? v3_neg(n) : n,
                                                 .gap = gap,
                                                 .feature = feature,
                                                 .partner = partner };
    }
}

/* ---- balls and half-spaces --------------------------------------------------------------------------------------------------- */

static void ball_on_plane(manifold *m, const placed_convex *a, const placed_convex *b)
{
    v3 n = b->normals[0];
    double height = v3_dot(n, v3_sub(a->x_w, b->x_w));
    double gap = height - a->shape->radius;
    add_point(m, v3_axpy(a->x_w, -height, n), n, gap, 0, 0);
}

static void polyhedron_on_plane(manifold *m, const placed_convex *a, const placed_convex *b)
{
    v3 n = b->normals[0];
    if (v3_dot(n, v3_sub(a->x_w, b->x_w)) - a->shape->reach > m->margin) {
        return;
    }
    for (int i = 0; i < a->shape->corner_count; ++i) {
        double gap = v3_dot(n, v3_sub(a->corners[i], b->x_w));
        add_point(m, v3_axpy(a->corners[i], -gap, n), n, gap, (uint32_t)i, 0);
    }
}

static void ball_on_ball(manifold *m, const placed_convex *a, const placed_convex *b)
{
    v3 d = v3_sub(a->x_w, b->x_w);
    double distance = v3_norm(d);
    double gap = distance - a->shape->radius - b->shape->radius;
    v3 n = distance > 0.0 ? v3_scale(1.0 / distance, d) : v3_make(0.0, 0.0, 1.0);
    add_point(m, v3_axpy(b->x_w, b->shape->radius, n), n, gap, 0, 0);
}

/* ---- a ball on a polyhedron ---------------------------------------------------------------------------------------------------- */

static v3 face_corner(const placed_convex *p, int face, int k)
{
    const convex_face *f = &p->shape->faces[face];
    return p->corners[p->shape->loops[f->first + k % f->count]];
}

/* The face plane farthest below a point; its height. */
static int highest_face(const placed_convex *p, v3 x, double *height)
{
    int best = 0;
    *height = -HUGE_VAL;
    for (int i = 0; i < p->shape->face_count; ++i) {
        double h = v3_dot(p->normals[i], v3_sub(x, face_corner(p, i, 0)));
        best = h > *height ? i : best;
        *height = fmax(*height, h);
    }
    return best;
}

static v3 nearest_on_segment(v3 a, v3 b, v3 x)
{
    v3 d = v3_sub(b, a);
    double t = v3_dot(v3_sub(x, a), d) / v3_norm2(d);
    return v3_axpy(a, fmin(1.0, fmax(0.0, t)), d);
}

/* The nearest point of a face to x, which is above its plane. */
static v3 nearest_on_face(const placed_convex *p, int face, v3 x)
{
    v3 n = p->normals[face];
    v3 foot = v3_axpy(x, -v3_dot(n, v3_sub(x, face_corner(p, face, 0))), n);
    v3 best = foot;
    double least = HUGE_VAL;
    for (int k = 0; k < p->shape->faces[face].count; ++k) {
        v3 a = face_corner(p, face, k);
        v3 b = face_corner(p, face, k + 1);
        if (v3_dot(v3_cross(v3_sub(b, a), n), v3_sub(foot, a)) > 0.0) {
            v3 at = nearest_on_segment(a, b, x);
            double distance = v3_norm(v3_sub(at, x));
            best = distance < least ? at : best;
            least = fmin(least, distance);
        }
    }
    return best;
}

static void ball_on_polyhedron(manifold *m, const placed_convex *a, const placed_convex *b)
{
    double height;
    int face = highest_face(b, a->x_w, &height);
    if (height - a->shape->radius > m->margin) {
        return;
    }
    v3 at = v3_axpy(a->x_w, -height, b->normals[face]);
    double distance = height;
    for (int i = 0; height > 0.0 && i < b->shape->face_count; ++i) {
        if (i == 0) {
            distance = HUGE_VAL;
        }
        if (v3_dot(b->normals[i], v3_sub(a->x_w, face_corner(b, i, 0))) > 0.0) {
            v3 there = nearest_on_face(b, i, a->x_w);
            double d = v3_norm(v3_sub(there, a->x_w));
            at = d < distance ? there : at;
            distance = fmin(distance, d);
        }
    }
    v3 n = height > 0.0 ? v3_scale(1.0 / distance, v3_sub(a->x_w, at)) : b->normals[face];
    add_point(m, at, n, distance - a->shape->radius, 0, 0);
}

/* ---- polyhedra: faces ------------------------------------------------------------------------------------------------------------ */

/* The face of p beyond which all of q is farthest; its distance, or more than `enough`. */
static int best_face(const placed_convex *p, const placed_convex *q, double enough, double *distance)
{
    int best = 0;
    *distance = -HUGE_VAL;
    for (int i = 0; i < p->shape->face_count && !(*distance > enough); ++i) {
        v3 n = p->normals[i];
        double offset = v3_dot(n, face_corner(p, i, 0));
        double least = HUGE_VAL;
        for (int k = 0; k < q->shape->corner_count && least - offset > *distance; ++k) {
            least = fmin(least, v3_dot(n, q->corners[k]));
        }
        best = least - offset > *distance ? i : best;
        *distance = fmax(*distance, least - offset);
    }
    return best;
}

static int face_against(const placed_convex *p, v3 n)
{
    int best = 0;
    double most = HUGE_VAL;
    for (int i = 0; i < p->shape->face_count; ++i) {
        double c = v3_dot(n, p->normals[i]);
        best = c < most ? i : best;
        most = fmin(most, c);
    }
    return best;
}

/* A corner of a polygon that is being clipped, and what made it. */
typedef struct clip_corner {
    v3 r;
    uint32_t made_by;
} clip_corner;

enum { CLIP_MOST = 2 * CONVEX_SIDES + 2 };

/* What lies on the inner side of side k of the reference face. */
static int clip_by_side(const placed_convex *a, int face, int k, const clip_corner *from, int count, clip_corner *to)
{
    v3 p = face_corner(a, face, k);
    v3 side = v3_cross(v3_sub(face_corner(a, face, k + 1), p), a->normals[face]);
    double rounding = 1e-12 * v3_norm(side);
    int kept = 0;
    for (int i = 0; i < count && kept + 2 <= CLIP_MOST; ++i) {
        const clip_corner *u = &from[i];
        const clip_corner *w = &from[(i + 1) % count];
        double du = v3_dot(side, v3_sub(u->r, p)) - rounding;
        double dw = v3_dot(side, v3_sub(w->r, p)) - rounding;
        if (du <= 0.0) {
            to[kept++] = *u;
        }
        if ((du < 0.0 && dw > 0.0) || (du > 0.0 && dw < 0.0)) {
            v3 at = v3_axpy(u->r, du / (du - dw), v3_sub(w->r, u->r));
            to[kept++] = (clip_corner){ at,
                                        (u->made_by & 0xffu) | (w->made_by & 0xffu) << 8 | (uint32_t)(k + 1) << 16 };
        }
    }
    return kept;
}

/* Points of b's face that looks most against face `face` of a; a is the second shape of the points (it pushes b along its normal). */
static void clip_faces(manifold *m, const placed_convex *a, int face, const placed_convex *b)
{
    clip_corner polygon[2][CLIP_MOST];
    v3 n = a->normals[face];
    int other = face_against(b, n);
    int count = b->shape->faces[other].count;
    int now = 0;
    for (int i = 0; i < count; ++i) {
        polygon[0][i] = (clip_corner){ face_corner(b, other, i),
                                       (uint32_t)b->shape->loops[b->shape->faces[other].first + i] };
    }
    for (int k = 0; k < a->shape->faces[face].count && count > 0; ++k, now = 1 - now) {
        count = clip_by_side(a, face, k, polygon[now], count, polygon[1 - now]);
    }
    for (int i = 0; i < count; ++i) {
        double gap = v3_dot(n, v3_sub(polygon[now][i].r, face_corner(a, face, 0)));
        add_point(m, v3_axpy(polygon[now][i].r, -gap, n), n, gap, polygon[now][i].made_by,
                  (uint32_t)face << 8 | (uint32_t)other | (m->flipped ? 1u << 31 : 0u));
    }
}

/* ---- polyhedra: edges ------------------------------------------------------------------------------------------------------------ */

typedef struct edge_pair {
    int edge[2];
    v3 n;            /* from the first shape to the second */
    double distance; /* [m] along it */
} edge_pair;

/* Whether the arcs of normals of two edges cross on the sphere, as they do where the edges may be nearest; the normal there. */
static bool edges_face(const placed_convex *a, const convex_edge *x, const placed_convex *b, const convex_edge *y,
                       v3 *n)
{
    v3 da = v3_sub(a->corners[x->ends[1]], a->corners[x->ends[0]]);
    v3 db = v3_sub(b->corners[y->ends[1]], b->corners[y->ends[0]]);
    v3 n1 = a->normals[x->faces[0]];
    v3 n2 = a->normals[x->faces[1]];
    v3 m1 = v3_neg(b->normals[y->faces[0]]);
    v3 m2 = v3_neg(b->normals[y->faces[1]]);
    if (v3_dot(m1, da) * v3_dot(m2, da) >= 0.0 || v3_dot(n1, db) * v3_dot(n2, db) >= 0.0) {
        return false;
    }
    v3 across = v3_cross(da, db);
    double length = v3_norm(across);
    if (length < PARALLEL * v3_norm(da) * v3_norm(db)) {
        return false;
    }
    v3 unit = v3_scale(1.0 / length, across);
    *n = v3_dot(unit, v3_add(n1, n2)) < 0.0 ? v3_neg(unit) : unit;
    return v3_dot(*n, v3_add(n1, n2)) >= 0.0 && v3_dot(*n, v3_add(m1, m2)) >= 0.0;
}

static edge_pair best_edges(const placed_convex *a, const placed_convex *b, double enough)
{
    edge_pair best = { .distance = -HUGE_VAL };
    v3 ab = v3_sub(b->x_w, a->x_w);
    for (int i = 0; i < a->shape->edge_count; ++i) {
        const convex_edge *x = &a->shape->edges[i];
        if (v3_dot(a->normals[x->faces[0]], ab) <= 0.0 && v3_dot(a->normals[x->faces[1]], ab) <= 0.0) {
            continue;
        }
        for (int k = 0; k < b->shape->edge_count && !(best.distance > enough); ++k) {
            const convex_edge *y = &b->shape->edges[k];
            v3 n;
            if (!edges_face(a, x, b, y, &n)) {
                continue;
            }
            double d = v3_dot(n, v3_sub(b->corners[y->ends[0]], a->corners[x->ends[0]]));
            if (d > best.distance) {
                best = (edge_pair){ { i, k }, n, d };
            }
        }
    }
    return best;
}

/* The point of two edges that are nearest to each other within their lengths. */
static bool add_edges(manifold *m, const placed_convex *a, const placed_convex *b, const edge_pair *e)
{
    const double beyond = 1e-6; /* of an edge */
    const convex_edge *x = &a->shape->edges[e->edge[0]];
    const convex_edge *y = &b->shape->edges[e->edge[1]];
    v3 p = a->corners[x->ends[0]];
    v3 q = b->corners[y->ends[0]];
    v3 u = v3_sub(a->corners[x->ends[1]], p);
    v3 w = v3_sub(b->corners[y->ends[1]], q);
    v3 r = v3_sub(p, q);
    double uu = v3_norm2(u);
    double uw = v3_dot(u, w);
    double ww = v3_norm2(w);
    double det = uu * ww - uw * uw;
    double s = (uw * v3_dot(w, r) - ww * v3_dot(u, r)) / det;
    double t = (uu * v3_dot(w, r) - uw * v3_dot(u, r)) / det;
    if (!(s > -beyond && s < 1.0 + beyond && t > -beyond && t < 1.0 + beyond)) {
        return false;
    }
    /* The normal of the list points from the second shape to the first. */
    add_point(m, v3_axpy(q, t, w), v3_neg(e->n), e->distance, (uint32_t)e->edge[0] | 1u << 30, (uint32_t)e->edge[1]);
    return true;
}

static void polyhedra(manifold *m, const placed_convex *a, const placed_convex *b)
{
    double reach = fmin(a->shape->reach, b->shape->reach);
    double of_a;
    double of_b;
    int face_a = best_face(a, b, m->margin, &of_a);
    if (of_a > m->margin) {
        return;
    }
    int face_b = best_face(b, a, m->margin, &of_b);
    if (of_b > m->margin) {
        return;
    }
    bool first = of_a >= of_b - TIE * reach;
    m->flipped = first; /* b is pushed by a's face: the list has b first */
    if (first) {
        clip_faces(m, a, face_a, b);
    } else {
        clip_faces(m, b, face_b, a);
    }
    double face = first ? of_a : of_b;
    for (int i = 0; i < m->count; ++i) {
        if (m->items[i].gap <= face + AT_FACE * reach) {
            return;
        }
    }
    edge_pair e = best_edges(a, b, m->margin);
    int kept = m->count;
    v3 n = first ? a->normals[face_a] : v3_neg(b->normals[face_b]);
    if (e.distance > m->margin) {
        m->count = 0;
    } else if (e.distance > fmax(of_a, of_b) + 1e-9 * reach && v3_dot(n, e.n) < ALONG_FACE) {
        m->count = 0;
        m->flipped = false;
        m->count = add_edges(m, a, b, &e) ? m->count : kept;
    }
}

/* ---- any two ----------------------------------------------------------------------------------------------------------------------- */

typedef void (*manifold_of_pair)(manifold *m, const placed_convex *a, const placed_convex *b);

int manifold_find(const placed_convex *a, const placed_convex *b, double margin, manifold_point *out)
{
    static const manifold_of_pair pairs[3][3] = {
        [CONVEX_BALL] = { ball_on_ball, ball_on_plane, ball_on_polyhedron },
        [CONVEX_HALF_SPACE] = { NULL, NULL, NULL },
        [CONVEX_POLYHEDRON] = { NULL, polyhedron_on_plane, polyhedra },
    };
    manifold m = { .items = out, .margin = margin };
    manifold_of_pair straight = pairs[a->shape->kind][b->shape->kind];
    manifold_of_pair turned = pairs[b->shape->kind][a->shape->kind];
    if (straight) {
        straight(&m, a, b);
    } else if (turned) {
        m.flipped = true;
        turned(&m, b, a);
    }
    return m.count;
}
