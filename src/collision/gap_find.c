/* Which features of two colliders can touch next.
 *
 * Corners meet faces and edges meet edges; rounded shapes also meet by corner and edge, corner and corner. Of sharp
 * shapes these last two serve as distances only (mode "none"): they never touch before a corner meets a face or an edge
 * an edge, but without them the list would not know how near the shapes are.
 *
 * Any point of a surface is at least the distance away from the other, so features that merely could be nearest do no
 * harm while apart: cones of normals count in full only where surfaces touch or overlap a little. There they tell a
 * contact from a coincidence, as where a box stands flush on another and its corners lie in the planes of the sides. */
#include "collision/gap_features.h"

#include <stdlib.h>

#include "collision/feature_walk.h"
#include "math/quat.h"

static const double WIDE_CONE = 0.1;  /* [rad] the most while apart */
static const double FEET_TILT = 1e-2; /* sine of the tilt of a circle below which it stands on points of its own */
/* Sine of the tilt of a barrel that lies along a line: costs 5e-9 of its radius. */
static const double END_TILT = 1e-4;
static const double SAME_NORMAL = 1e-6;
/* Sines: of the tilt of two circles that lie flush, which costs 8e-6 of their radius where they do not meet at points of
 * their own; and of the angle of two straight pieces, about two of which they bend by. */
static const double FLUSH_TILT = 1e-4;
static const double SAME_WAY = 0.2;

typedef struct search {
    gap_scene scene;
    double margin; /* [m] */
    double reach;  /* [m] farther from each other are no features that count, roundings included */
    gap_list *out;
    bool failed;
} search;

/* ---- walking through trees ------------------------------------------------------------------------------------------ */

/* Features of one kind whose ball meets a given one. */
static feature_walk walk_near(const facets *f, int kind, v3 center, double radius)
{
    return feature_walk_near(&f->trees[kind], f->balls[kind], center, radius);
}

static double box_distance(const obb *b, v3 p)
{
    v3 local = m3_tmulv(b->axes, v3_sub(p, b->center));
    if (b->half_space) {
        return local.z;
    }
    v3 beyond = v3_make(fmax(fabs(local.x) - b->half.x, 0.0), fmax(fabs(local.y) - b->half.y, 0.0),
                        fmax(fabs(local.z) - b->half.z, 0.0));
    return v3_norm(beyond);
}

static bool ball_is_near(const search *s, int on, const feature_ball *ball)
{
    v3 center = pose_point(&s->scene.to[on], ball->center);
    return box_distance(&s->scene.collider[1 - on]->box, center) - ball->radius <= s->reach;
}

/* Whether any face of the other collider is near, where it has so many that asking pays. */
static bool cell_is_near(const search *s, int on, const feature_ball *ball)
{
    const facets *other = s->scene.f[1 - on];
    bool near = ball_is_near(s, on, ball);
    if (!near || other->counts[FACET_FACES] <= LEAF_FEATURES) {
        return near;
    }
    v3 center = pose_point(&s->scene.to[on], ball->center);
    feature_walk w = walk_near(other, FACET_FACES, center, s->reach + ball->radius);
    return feature_walk_next(&w) >= 0;
}

/* Calls `visit` for each feature of this kind that is near the other collider. */
static void for_each_near(search *s, int on, int kind, void (*visit)(search *, int on, int index))
{
    const facets *f = s->scene.f[on];
    const feature_tree *tree = &f->trees[kind];
    for (int c = 0; c < tree->cell_count;) {
        const feature_cell *cell = &tree->cells[c];
        bool near = cell_is_near(s, on, &cell->ball);
        for (int place = cell->first; near && place < cell->first + cell->count; ++place) {
            if (ball_is_near(s, on, &f->balls[kind][tree->order[place]])) {
                visit(s, on, tree->order[place]);
            }
        }
        c = near ? c + 1 : cell->next;
    }
}

/* ---- what counts ---------------------------------------------------------------------------------------------------- */

static bool touches(const search *s, const gap_closeness *c)
{
    return c->gap <= s->scene.touch;
}

static bool is_sharp(const gap_closeness *c)
{
    return !(c->radius > 0.0);
}

static bool in_reach(const search *s, const gap_closeness *c)
{
    return gap_in_reach(&s->scene, c, s->margin);
}

static bool counts_at_face(const search *s, const gap_closeness *c)
{
    bool decided_by_cone = is_sharp(c) && touches(s, c);
    return in_reach(s, c) && (!decided_by_cone || c->own >= -GAP_CONE * s->scene.size);
}

static bool counts_at_edges(const search *s, const gap_closeness *c, double length)
{
    double slack = touches(s, c) ? 0.0 : fmin(s->margin, WIDE_CONE * length);
    return in_reach(s, c) && c->cone >= -slack - GAP_CONE * length;
}

/* Corner and edge, corner and corner. Own cones of rounded corners do not count: what is beside them is in the list as
 * well; but a barrel ends at right angles to its axis, and corners of a rim that lies around a barrel's end look away from it. */
static bool counts_at_point(const search *s, const gap_closeness *c, bool own)
{
    double touch = s->scene.touch;
    if (!in_reach(s, c) || !(c->cone >= -touch)) {
        return false;
    }
    if (is_sharp(c)) {
        return !touches(s, c) && c->own >= -touch;
    }
    return !own || c->own >= -END_TILT * (c->gap + c->radius);
}

/* ---- features --------------------------------------------------------------------------------------------------------- */

/* Feature i of collider `on` is generator 0, feature j of the other generator 1. */
static gap_feature new_feature(gap_kind kind, carom_contact_mode mode, int on, int i, int j)
{
    gap_feature f = { .kind = kind, .mode = mode, .swapped = on == 1, .side = 1.0 };
    f.feature[on] = (uint32_t)i;
    f.feature[1 - on] = (uint32_t)j;
    return f;
}

static void add(search *s, const gap_feature *f)
{
    s->failed = s->failed || !gap_push(s->out, f);
}

static v3 point_c(const search *s, int on, v3 r)
{
    return pose_point(&s->scene.pose_c[on], r);
}

static v3 direction_c(const search *s, int on, v3 d)
{
    return pose_turn(&s->scene.pose_c[on], d);
}

static void put_face(const search *s, gap_feature *f, int on, int face)
{
    const facet_face *k = &s->scene.f[on]->faces[face];
    f->c_c[1] = point_c(s, on, k->r);
    f->d_c[1] = direction_c(s, on, k->normal);
}

static void put_radius(gap_feature *f, int generator, double radius)
{
    f->radius += radius;
    f->radius_0 += generator == 0 ? radius : 0.0;
}

static void put_edge(const search *s, gap_feature *f, int generator, int on, int edge)
{
    const facet_edge *e = &s->scene.f[on]->edges[edge];
    f->c_c[generator] = point_c(s, on, e->r);
    f->d_c[generator] = direction_c(s, on, e->d);
    put_radius(f, generator, e->radius);
}

static void put_vertex(const search *s, gap_feature *f, int generator, int on, int vertex)
{
    const facet_vertex *v = &s->scene.f[on]->vertices[vertex];
    f->c_c[generator] = point_c(s, on, v->r);
    f->half[generator] = v->half;
    f->axes_c[generator] = s->scene.pose_c[on].orientation;
    put_radius(f, generator, v->radius);
}

static bool is_oval(const search *s, int on, int vertex)
{
    return facet_is_oval(&s->scene.f[on]->vertices[vertex]);
}

/* An ellipsoid is a shape of its own: its only corner. */
static bool has_oval(const search *s, int on)
{
    return s->scene.f[on]->counts[FACET_VERTICES] == 1 && is_oval(s, on, 0);
}

/* ---- corners and circles against faces ---------------------------------------------------------------------------- */

static gap_feature vertex_on_face(const search *s, int on, int vertex, int face, const gap_closeness *c)
{
    carom_contact_mode mode = is_sharp(c) ? CAROM_MODE_VERTEX_FACE : CAROM_MODE_BALL_FACE;
    gap_kind kind = is_oval(s, on, vertex) ? GAP_OVAL_PLANE : GAP_POINT_PLANE;
    gap_feature f = new_feature(kind, mode, on, vertex, face);
    put_vertex(s, &f, 0, on, vertex);
    put_face(s, &f, 1 - on, face);
    return f;
}

static void try_vertex_face(search *s, int on, int vertex, int face)
{
    gap_closeness c = gap_vertex_face(&s->scene, on, vertex, face);
    if (counts_at_face(s, &c)) {
        gap_feature f = vertex_on_face(s, on, vertex, face, &c);
        add(s, &f);
    }
}

/* A corner that stands for a piece of a circle: the circle itself is tried, but for its feet when it is nearly level. The
 * ends of a barrel have circles around them. */
static bool circle_stands_for(const search *s, int on, int vertex, int face)
{
    const facets *f = s->scene.f[on];
    if (f->vertices[vertex].barrel) {
        return true;
    }
    int rim = f->rim_count > 0 ? f->rim_of[vertex] : -1;
    return rim >= 0 && !(f->is_foot[vertex] && gap_rim_tilt(&s->scene, on, rim, face) < FEET_TILT);
}

static void vertex_against_faces(search *s, int on, int vertex)
{
    const facets *other = s->scene.f[1 - on];
    if (!isfinite(other->size)) {
        if (!circle_stands_for(s, on, vertex, 0)) {
            try_vertex_face(s, on, vertex, 0);
        }
        return;
    }
    const facet_vertex *v = &s->scene.f[on]->vertices[vertex];
    feature_walk w = walk_near(other, FACET_FACES, pose_point(&s->scene.to[on], v->r),
                               s->reach + facet_vertex_reach(v));
    for (int face = feature_walk_next(&w); face >= 0; face = feature_walk_next(&w)) {
        if (!circle_stands_for(s, on, vertex, face)) {
            try_vertex_face(s, on, vertex, face);
        }
    }
}

static void try_rim_face(search *s, int on, int rim, int face)
{
    gap_closeness c = gap_rim_face(&s->scene, on, rim, face);
    if (in_reach(s, &c)) {
        const shape_rim *r = &s->scene.f[on]->rims[rim];
        gap_feature f = new_feature(GAP_CIRCLE_PLANE, CAROM_MODE_RIM_FACE, on, rim, face);
        f.c_c[0] = point_c(s, on, r->center);
        f.d_c[0] = direction_c(s, on, r->axis);
        f.ring = r->radius;
        put_face(s, &f, 1 - on, face);
        add(s, &f);
    }
}

static void rims_against_faces(search *s, int on)
{
    const facets *f = s->scene.f[on];
    const facets *other = s->scene.f[1 - on];
    for (int rim = 0; rim < f->rim_count; ++rim) {
        if (!isfinite(other->size)) {
            try_rim_face(s, on, rim, 0);
            continue;
        }
        v3 center = pose_point(&s->scene.to[on], f->rims[rim].center);
        feature_walk w = walk_near(other, FACET_FACES, center, s->reach + f->rims[rim].radius);
        for (int face = feature_walk_next(&w); face >= 0; face = feature_walk_next(&w)) {
            try_rim_face(s, on, rim, face);
        }
    }
}

/* ---- edges ----------------------------------------------------------------------------------------------------------- */

/* The circle for a piece of which an edge stands; -1: none. */
static int rim_of_edge(const facets *f, int edge)
{
    const int *ends = f->edges[edge].ends;
    bool on_rim = f->rim_count > 0 && ends[0] >= 0 && f->rim_of[ends[0]] == f->rim_of[ends[1]];
    return on_rim ? f->rim_of[ends[0]] : -1;
}

/* Two circles that lie flush cross at two points. Where they nearly coincide, all of their straight pieces cross each
 * other: there they stand on their feet. */
static bool feet_stand_for(const search *s, int a, int b)
{
    const facets *const *f = s->scene.f;
    int rim[2] = { rim_of_edge(f[0], a), rim_of_edge(f[1], b) };
    if (rim[0] < 0 || rim[1] < 0) {
        return false;
    }
    v3 axis[2], along[2];
    for (int k = 0; k < 2; ++k) {
        axis[k] = pose_turn(&s->scene.pose_w[k], f[k]->rims[rim[k]].axis);
        along[k] = pose_turn(&s->scene.pose_w[k], f[k]->edges[k == 0 ? a : b].d);
    }
    return v3_norm(v3_cross(axis[0], axis[1])) < FLUSH_TILT && v3_norm(v3_cross(along[0], along[1])) < SAME_WAY;
}

static gap_feature edge_on_edge(const search *s, int a, int b, const gap_closeness *c)
{
    gap_feature f = new_feature(GAP_LINE_LINE, CAROM_MODE_EDGE_EDGE, 0, a, b);
    put_edge(s, &f, 0, 0, a);
    put_edge(s, &f, 1, 1, b);
    f.side = c->side;
    return f;
}

static void try_edge_edge(search *s, int a, int b)
{
    if (feet_stand_for(s, a, b)) {
        return;
    }
    gap_closeness c = gap_edge_edge(&s->scene, a, b);
    double length = fmin(s->scene.f[0]->edges[a].length, s->scene.f[1]->edges[b].length);
    if (counts_at_edges(s, &c, length)) {
        gap_feature f = edge_on_edge(s, a, b, &c);
        add(s, &f);
    }
}

static void edge_against_edges(search *s, int on, int edge)
{
    feature_ball ball = s->scene.f[on]->balls[FACET_EDGES][edge];
    v3 center = pose_point(&s->scene.to[on], ball.center);
    feature_walk w = walk_near(s->scene.f[1 - on], FACET_EDGES, center, s->reach + ball.radius);
    for (int other = feature_walk_next(&w); other >= 0; other = feature_walk_next(&w)) {
        try_edge_edge(s, edge, other);
    }
}

/* ---- corners against edges and corners ------------------------------------------------------------------------------ */

/* Straight pieces of a rim give way to its disc against an ellipsoid. */
static bool disc_stands_for(const search *s, int on, double radius)
{
    return s->scene.f[on]->rim_count == 2 && has_oval(s, 1 - on) && !(radius > 0.0);
}

static void try_vertex_edge(search *s, int on, int vertex, int edge)
{
    if (disc_stands_for(s, 1 - on, s->scene.f[1 - on]->edges[edge].radius)) {
        return;
    }
    gap_closeness c = gap_vertex_edge(&s->scene, on, vertex, edge);
    const facet_vertex *v = &s->scene.f[on]->vertices[vertex];
    bool sharp = !(facet_vertex_reach(v) > 0.0);
    if (counts_at_point(s, &c, v->barrel || (sharp && touches(s, &c)))) {
        carom_contact_mode mode = is_sharp(&c) ? CAROM_MODE_NONE : CAROM_MODE_BALL_EDGE;
        gap_feature f = new_feature(is_oval(s, on, vertex) ? GAP_OVAL_LINE : GAP_POINT_LINE, mode, on, vertex, edge);
        put_vertex(s, &f, 0, on, vertex);
        put_edge(s, &f, 1, 1 - on, edge);
        add(s, &f);
    }
}

static carom_contact_mode mode_of_points(const facet_vertex *a, const facet_vertex *b)
{
    bool both = facet_vertex_reach(a) > 0.0 && facet_vertex_reach(b) > 0.0;
    bool none = !(facet_vertex_reach(a) > 0.0) && !(facet_vertex_reach(b) > 0.0);
    return none ? CAROM_MODE_NONE : both ? CAROM_MODE_BALL_BALL : CAROM_MODE_BALL_VERTEX;
}

static void try_vertex_vertex(search *s, int a, int b)
{
    const facet_vertex *v = &s->scene.f[0]->vertices[a];
    const facet_vertex *w = &s->scene.f[1]->vertices[b];
    if (v->barrel || w->barrel || disc_stands_for(s, 0, v->radius) || disc_stands_for(s, 1, w->radius)) {
        return;
    }
    gap_closeness c = gap_vertex_vertex(&s->scene, a, b);
    if (counts_at_point(s, &c, false)) {
        int first = !is_oval(s, 0, a) && is_oval(s, 1, b) ? 1 : 0; /* the ellipsoid is generator 0 */
        gap_kind kind = is_oval(s, 0, a) || is_oval(s, 1, b) ? GAP_OVAL_OVAL : GAP_POINT_POINT;
        gap_feature f = new_feature(kind, mode_of_points(v, w), first, first == 0 ? a : b, first == 0 ? b : a);
        put_vertex(s, &f, first, 0, a);
        put_vertex(s, &f, 1 - first, 1, b);
        add(s, &f);
    }
}

/* The rim of a cylinder against an ellipsoid is its disc, whole: numbers behind those of the corners. */
static void try_rim_oval(search *s, int on, int rim)
{
    const facets *f = s->scene.f[on];
    gap_closeness c = gap_rim_oval(&s->scene, on, rim);
    if (counts_at_point(s, &c, false)) {
        const shape_rim *r = &f->rims[rim];
        v3 x = v3_across(r->axis);
        gap_feature x_f = new_feature(GAP_OVAL_OVAL, CAROM_MODE_BALL_EDGE, 1 - on, 0,
                                      f->counts[FACET_VERTICES] + rim);
        put_vertex(s, &x_f, 0, 1 - on, 0);
        x_f.c_c[1] = point_c(s, on, r->center);
        x_f.half[1] = v3_make(r->radius, r->radius, 0.0);
        x_f.axes_c[1] = q_mul(s->scene.pose_c[on].orientation,
                              q_from_matrix(m3_from_columns(x, v3_cross(r->axis, x), r->axis)));
        add(s, &x_f);
    }
}

static void rims_against_oval(search *s, int on)
{
    for (int rim = 0; has_oval(s, 1 - on) && s->scene.f[on]->rim_count == 2 && rim < 2; ++rim) {
        try_rim_oval(s, on, rim);
    }
}

static void vertex_against_points(search *s, int on, int vertex)
{
    const facets *other = s->scene.f[1 - on];
    const facet_vertex *v = &s->scene.f[on]->vertices[vertex];
    v3 p = pose_point(&s->scene.to[on], v->r);
    feature_walk w = walk_near(other, FACET_EDGES, p, s->reach + facet_vertex_reach(v));
    for (int edge = feature_walk_next(&w); edge >= 0; edge = feature_walk_next(&w)) {
        try_vertex_edge(s, on, vertex, edge);
    }
    w = walk_near(other, FACET_VERTICES, p, s->reach + facet_vertex_reach(v));
    for (int b = on == 0 ? feature_walk_next(&w) : -1; b >= 0; b = feature_walk_next(&w)) {
        try_vertex_vertex(s, vertex, b);
    }
}

/* ---- nothing twice --------------------------------------------------------------------------------------------------- */

static int compare_features(const void *x, const void *y)
{
    const gap_feature *a = x;
    const gap_feature *b = y;
    const long long keys[][2] = {
        { a->kind, b->kind },
        { a->swapped, b->swapped },
        { a->feature[0], b->feature[0] },
        { a->feature[1], b->feature[1] },
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
        if (keys[k][0] != keys[k][1]) {
            return keys[k][0] < keys[k][1] ? -1 : 1;
        }
    }
    return 0;
}

/* Which of several features that touch at one place says most. */
static int rank_of(const gap_feature *f)
{
    static const int rank[] = {
        [GAP_POINT_PLANE] = 0, [GAP_CIRCLE_PLANE] = 1, [GAP_LINE_LINE] = 2,
        [GAP_POINT_LINE] = 3,  [GAP_POINT_POINT] = 4,  [GAP_POINT_IN_RING] = 5,
        [GAP_OVAL_PLANE] = 0,  [GAP_OVAL_LINE] = 3,    [GAP_OVAL_OVAL] = 4,
    };
    return 2 * rank[f->kind] + f->swapped;
}

static bool same_place(const gap_value *a, const gap_value *b, double touch)
{
    return v3_norm(v3_sub(a->point_w, b->point_w)) <= 4.0 * touch &&
           v3_norm(v3_sub(a->normal_w, b->normal_w)) <= SAME_NORMAL;
}

static bool is_repeated(const gap_list *list, const gap_value *values, size_t i, double touch)
{
    bool repeated = false;
    for (size_t j = 0; j < list->count && values[i].gap <= touch && !repeated; ++j) {
        int before = rank_of(&list->items[j]) - rank_of(&list->items[i]);
        bool better = before < 0 || (before == 0 && j < i);
        repeated = better && values[j].gap <= touch && same_place(&values[j], &values[i], touch);
    }
    return repeated;
}

/* Where corners fall on corners or edges several features touch at the same place with the same normal: one stays. */
static bool drop_repeated(gap_list *list, const carom_pose pose_w[2], double touch)
{
    gap_motion motion[2] = { { .pose_w = pose_w[0] }, { .pose_w = pose_w[1] } };
    gap_value *values = malloc((list->count + 1) * sizeof *values);
    bool *repeated = malloc((list->count + 1) * sizeof *repeated);
    bool ok = values && repeated;
    for (size_t i = 0; ok && i < list->count; ++i) {
        gap_measure(&list->items[i], &motion[0], &motion[1], &values[i]);
    }
    for (size_t i = 0; ok && i < list->count; ++i) {
        repeated[i] = is_repeated(list, values, i, touch);
    }
    size_t kept = 0;
    for (size_t i = 0; ok && i < list->count; ++i) {
        if (!repeated[i]) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = ok ? kept : list->count;
    free(values);
    free(repeated);
    return ok;
}

/* ---- any pair --------------------------------------------------------------------------------------------------------- */

static void search_all(search *s)
{
    for (int on = 0; on < 2; ++on) {
        for_each_near(s, on, FACET_VERTICES, vertex_against_faces);
        for_each_near(s, on, FACET_VERTICES, vertex_against_points);
        rims_against_faces(s, on);
        rims_against_oval(s, on);
    }
    for_each_near(s, 0, FACET_EDGES, edge_against_edges);
}

bool gap_find(gap_list *out, const gap_pair *pair, const carom_pose pose_w[2], double margin)
{
    search s = { .scene = gap_scene_of(pair, pose_w), .margin = margin, .out = out };
    out->count = 0;
    if (gap_scene_planar(&s.scene)) {
        s.failed = !gap_find_planar(out, &s.scene, margin);
    } else {
        s.scene.searching = true;
        s.scene.margin = margin;
        s.reach = fmax(margin, GAP_DEPTH * s.scene.size) + s.scene.touch;
        search_all(&s);
    }
    if (s.failed) {
        return false;
    }
    if (out->count < 2) {
        return true;
    }
    qsort(out->items, out->count, sizeof *out->items, compare_features);
    return drop_repeated(out, pose_w, s.scene.touch);
}

/* ---- what touched before ------------------------------------------------------------------------------------------------ */

/* Whether features that have sunk in are still what touches. */
static bool is_followed(const search *s, const gap_closeness *c, double beyond)
{
    double depth = -c->gap - s->scene.touch;
    return is_sharp(c) && depth > 0.0 && c->gap >= -GAP_DEPTH * s->scene.size &&
           c->inside + s->scene.touch >= -beyond * depth;
}

bool gap_follow(gap_feature *f, const gap_pair *pair, const carom_pose pose_w[2], double beyond)
{
    const search s = { .scene = gap_scene_of(pair, pose_w) };
    const int on = f->swapped ? 1 : 0;
    const int i = (int)f->feature[on];
    const int j = (int)f->feature[1 - on];
    gap_closeness c;
    if (gap_scene_planar(&s.scene)) {
        return false;
    }
    if (f->kind == GAP_LINE_LINE) {
        c = gap_edge_edge(&s.scene, i, j);
        *f = edge_on_edge(&s, i, j, &c);
        return !isnan(c.gap) && is_followed(&s, &c, beyond) && c.cone >= -s.scene.touch;
    }
    if (f->kind == GAP_POINT_PLANE) {
        c = gap_vertex_face(&s.scene, on, i, j);
        *f = vertex_on_face(&s, on, i, j, &c);
        return is_followed(&s, &c, beyond);
    }
    return false;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------------ */

static double bounds_of_edges(const gap_scene *s, int a, int b)
{
    gap_closeness c = gap_edge_edge(s, a, b);
    double length = fmin(s->f[0]->edges[a].length, s->f[1]->edges[b].length);
    return isnan(c.gap) ? -length : fmin(c.inside + s->touch, c.cone + GAP_CONE * length);
}

/* A circle stands on its feet as long as it is nearly level; then it touches as a circle. */
static double bounds_of_foot(const gap_scene *s, int on, int vertex, int face)
{
    const facets *f = s->f[on];
    bool foot = f->rim_count > 0 && f->rim_of[vertex] >= 0;
    return foot ? (FEET_TILT - gap_rim_tilt(s, on, f->rim_of[vertex], face)) * s->size : HUGE_VAL;
}

double gap_bounds(const gap_feature *f, const gap_pair *pair, const carom_pose pose_w[2])
{
    if (f->kind == GAP_POINT_IN_RING || f->mode == CAROM_MODE_STOP || f->mode == CAROM_MODE_GUIDE) {
        return HUGE_VAL;
    }
    gap_scene s = gap_scene_of(pair, pose_w);
    if (f->feature[0] & GAP_PLANAR) {
        return gap_bounds_planar(f, &s);
    }
    int on = f->swapped ? 1 : 0;
    int i = (int)f->feature[on];
    int j = (int)f->feature[1 - on];
    gap_closeness c;
    switch (f->kind) {
    case GAP_LINE_LINE:
        return bounds_of_edges(&s, i, j);
    case GAP_POINT_LINE:
    case GAP_OVAL_LINE:
        c = gap_vertex_edge(&s, on, i, j);
        c.cone = s.f[on]->vertices[i].barrel ? fmin(c.cone, c.own + END_TILT * (c.gap + c.radius)) : c.cone;
        break;
    case GAP_POINT_POINT:
        c = gap_vertex_vertex(&s, i, j);
        break;
    case GAP_OVAL_OVAL:
        c = j < s.f[1 - on]->counts[FACET_VERTICES]
                ? gap_vertex_vertex(&s, on == 0 ? i : j, on == 0 ? j : i)
                : gap_rim_oval(&s, 1 - on, j - s.f[1 - on]->counts[FACET_VERTICES]);
        break;
    case GAP_CIRCLE_PLANE:
        c = gap_rim_face(&s, on, i, j);
        break;
    default:
        c = gap_vertex_face(&s, on, i, j);
        c.inside = fmin(c.inside, bounds_of_foot(&s, on, i, j));
    }
    return isnan(c.gap) ? -s.size : fmin(c.inside, c.cone) + s.touch;
}
