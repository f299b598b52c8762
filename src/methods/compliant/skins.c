/* Touches of surfaces that deform; skins.h says what they are. */
#include "methods/compliant/skins.h"

#include <stdlib.h>

#include "dynamics/deformation.h"
#include "methods/compliant/approach.h"

/* ---- the workspace ------------------------------------------------------------------------------------------------- */

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
}

static carom_status create_one(skin_state *out, const body_surface *s, carom_error *err)
{
    soft_facet *facets = malloc(((size_t)s->facet_count + 1) * sizeof *facets);
    for (int f = 0; facets && f < s->facet_count; ++f) {
        const body_facet *from = &s->facets[f];
        facets[f] = (soft_facet){ .count = from->count, .end = { from->end[0], from->end[1] } };
        for (int i = 0; i < from->count; ++i) {
            facets[f].vertices[i] = from->vertices[i];
        }
    }
    out->soft = facets ? soft_create(s->at, s->vertex_count, facets, s->facet_count, s->radius) : NULL;
    free(facets);
    for (int i = 0; i < s->vertex_count; ++i) {
        out->reach = fmax(out->reach, v3_norm(s->at[i]) + s->radius);
    }
    return out->soft ? CAROM_OK : no_memory(err);
}

carom_status skins_create(compliant_work *t, carom_error *err)
{
    t->skins = calloc((size_t)t->model->skin_count + 1, sizeof *t->skins);
    carom_status status = t->skins ? CAROM_OK : no_memory(err);
    for (int k = 0; k < t->model->skin_count && status == CAROM_OK; ++k) {
        status = create_one(&t->skins[k], t->model->skins[k].surface, err);
    }
    return status;
}

void skins_destroy(compliant_work *t)
{
    for (int k = 0; t->skins && k < t->model->skin_count; ++k) {
        soft_destroy(t->skins[k].soft);
    }
    free(t->skins);
    carom_arena_free(&t->places);
}

/* ---- pairs --------------------------------------------------------------------------------------------------------- */

/* The number of the first surface among those of pairs. */
static int first_number(const compliant_work *t)
{
    return t->model->collider_count + t->model->joint_count;
}

/* The surface on the other side of a pair; -1: a collider. */
static int other_skin(const compliant_work *t, const broad_pair *pair)
{
    return pair->b < t->model->collider_count ? -1 : pair->b - first_number(t);
}

static int other_body(const compliant_work *t, const broad_pair *pair)
{
    int skin = other_skin(t, pair);
    return skin < 0 ? t->model->colliders[pair->b].body : t->model->skins[skin].body;
}

void skin_pair_bodies(const compliant_work *t, const broad_pair *pair, int body[2])
{
    int own = t->model->skins[pair->skin].body;
    int other = other_body(t, pair);
    body[0] = own < other ? own : other;
    body[1] = own < other ? other : own;
}

/* [m] No vertex is farther from where it is undeformed. */
static double displacement_bound(const model_body *b, const double *q)
{
    double sum = 0.0;
    for (int k = 0; k < body_coordinate_count(b); ++k) {
        sum += coordinate_size(b, k, q[b->first_deform + k]);
    }
    return sum;
}

static void place(compliant_work *t, const carom_scratch *w, int k)
{
    skin_state *s = &t->skins[k];
    const model_body *b = &w->model->bodies[t->model->skins[k].body];
    if (!s->placed) {
        const body_frame frame = work_frame(w, t->model->skins[k].body);
        b->type->place_surface(b->params, &frame, w->q + b->first_deform, soft_vertices(s->soft), soft_axes(s->soft));
        soft_refit(s->soft);
        s->placed = true;
    }
}

/* The ball that holds a surface, whatever its shapes do together. */
static double ball_radius(const compliant_work *t, const carom_scratch *w, int k)
{
    const model_body *b = &w->model->bodies[t->model->skins[k].body];
    return t->skins[k].reach + displacement_bound(b, w->q);
}

static bool ball_meets_box(v3 p, double radius, const aabb *b)
{
    double dx = fmax(0.0, fmax(b->low.x - p.x, p.x - b->high.x));
    double dy = fmax(0.0, fmax(b->low.y - p.y, p.y - b->high.y));
    double dz = fmax(0.0, fmax(b->low.z - p.z, p.z - b->high.z));
    return dx * dx + dy * dy + dz * dz <= radius * radius;
}

static bool boxes_meet(const aabb *a, const aabb *b, double margin)
{
    return a->low.x <= b->high.x + margin && b->low.x <= a->high.x + margin && a->low.y <= b->high.y + margin &&
           b->low.y <= a->high.y + margin && a->low.z <= b->high.z + margin && b->low.z <= a->high.z + margin;
}

/* Whether a pair may be nearer than the margin; then its surfaces are placed. */
static bool is_near(compliant_work *t, const carom_scratch *w, const broad_pair *pair, double margin)
{
    int other = other_skin(t, pair);
    v3 centre = w->pose[t->model->skins[pair->skin].body].x_w;
    double radius = ball_radius(t, w, pair->skin) + margin;
    if (other < 0) {
        aabb exact;
        obb_bounds(&exact.low, &exact.high, &t->near->box_w[pair->b]);
        if (!ball_meets_box(centre, radius, &exact)) {
            return false;
        }
        place(t, w, pair->skin);
        aabb own = soft_bounds(t->skins[pair->skin].soft);
        return boxes_meet(&own, &exact, margin);
    }
    v3 apart = v3_sub(w->pose[t->model->skins[other].body].x_w, centre);
    if (v3_norm(apart) > radius + ball_radius(t, w, other)) {
        return false;
    }
    place(t, w, pair->skin);
    place(t, w, other);
    aabb own = soft_bounds(t->skins[pair->skin].soft);
    aabb others = soft_bounds(t->skins[other].soft);
    return boxes_meet(&own, &others, margin);
}

/* Whose features are tried: what the rule asks for, where that side has any; balls are exact on their own. */
static void choose_sides(const compliant_work *t, const broad_pair *pair, bool sides[2])
{
    bool rigid = other_skin(t, pair) < 0;
    const collider *c = rigid ? t->model->colliders[pair->b].collider : NULL;
    bool has = !rigid || collider_point_count(c) > 0;
    sides[1] = has && pair->interaction->points[1];
    sides[0] = pair->interaction->points[0] || !sides[1];
    if (rigid && collider_has_balls(c)) {
        sides[0] = false;
        sides[1] = true;
    }
}

/* ---- features and fields ------------------------------------------------------------------------------------------- */

/* A feature against what is on the other side of it. */
typedef struct probe_at {
    v3 p_w;        /* the point, or the centre of a ball */
    double radius; /* [m] of the ball */
    double area;   /* [m^2] */
    double gap;    /* [m] */
    v3 gradient_w;
    soft_hit on; /* where it meets a surface that deforms */
} probe_at;

/* The gap of a point in the field of a collider. */
static double against_collider(const compliant_work *t, int c, v3 p_w, v3 *gradient_w)
{
    const carom_pose *pose = &t->near->pose_w[c];
    field_sample f = collider_sample(t->model->colliders[c].collider,
                                     q_unrotate(pose->orientation, v3_sub(p_w, pose->position)));
    *gradient_w = q_rotate(pose->orientation, f.gradient);
    return f.distance;
}

/* The gap of a point, or a ball, at what `skin` (-1: the collider c) has there; false: no less than `limit`. */
static bool measure(const compliant_work *t, int skin, int c, double limit, probe_at *at)
{
    if (skin < 0) {
        at->gap = against_collider(t, c, at->p_w, &at->gradient_w);
        return at->gap < limit;
    }
    bool near = soft_nearest(t->skins[skin].soft, at->p_w, limit + at->radius, &at->on);
    at->gap = near ? at->on.gap - at->radius : HUGE_VAL;
    at->gradient_w = at->on.normal_w;
    return near;
}

/* A vertex of a surface. That of a round body is the point of its section that is deepest, found by the normal there. */
static bool measure_vertex(const compliant_work *t, int own, int vertex, int skin, int c, double limit, probe_at *at)
{
    enum { TRIES = 4 };
    const body_surface *s = t->model->skins[own].surface;
    *at = (probe_at){ .p_w = soft_vertices(t->skins[own].soft)[vertex], .area = s->area[vertex] };
    if (!measure(t, skin, c, limit + s->radius, at)) {
        return false;
    }
    for (int k = 0; s->radius > 0.0 && k < TRIES; ++k) {
        v3 before = at->p_w;
        at->p_w = soft_rim(t->skins[own].soft, vertex, at->gradient_w);
        if (!measure(t, skin, c, limit + s->radius, at)) {
            return false;
        }
        if (v3_norm(v3_sub(at->p_w, before)) <= 1e-12 * s->radius) {
            break;
        }
    }
    return at->gap < limit;
}

/* A detection point of a collider against a surface that deforms. */
static bool measure_point(const compliant_work *t, int c, int index, int skin, double limit, probe_at *at)
{
    const carom_pose *pose = &t->near->pose_w[c];
    detection_point d = collider_point(t->model->colliders[c].collider, index);
    *at = (probe_at){ .p_w = v3_add(pose->position, q_rotate(pose->orientation, d.r)),
                      .radius = d.radius,
                      .area = d.area };
    return measure(t, skin, -1, limit, at);
}

/* Features of one side of a pair. */
static int feature_count(const compliant_work *t, const broad_pair *pair, int side)
{
    int skin = side == 0 ? pair->skin : other_skin(t, pair);
    return skin < 0 ? collider_point_count(t->model->colliders[pair->b].collider)
                    : t->model->skins[skin].surface->vertex_count;
}

static bool measure_feature(const compliant_work *t, const broad_pair *pair, int side, int feature, double limit,
                            probe_at *at)
{
    int other = other_skin(t, pair);
    if (side == 0) {
        return measure_vertex(t, pair->skin, feature, other, pair->b, limit, at);
    }
    return other < 0 ? measure_point(t, pair->b, feature, pair->skin, limit, at)
                     : measure_vertex(t, other, feature, pair->skin, -1, limit, at);
}

/* ---- places -------------------------------------------------------------------------------------------------------- */

/* A vertex, as a point of its body. NULL when memory runs out. */
static const body_point *vertex_point(compliant_work *t, int skin, int vertex)
{
    const body_surface *s = t->model->skins[skin].surface;
    body_point *point = carom_arena_alloc(&t->places, sizeof *point);
    if (point) {
        *point = (body_point){ .position = s->at[vertex],
                               .orientation = q_identity(),
                               .psi = s->psi + (size_t)s->stride * (size_t)vertex };
    }
    return point;
}

/* A place between vertices. */
static const body_point *place_point(compliant_work *t, int skin, const soft_hit *at)
{
    const body_surface *s = t->model->skins[skin].surface;
    body_point *point = carom_arena_alloc(&t->places, sizeof *point);
    double *psi = CAROM_ARENA_ARRAY(&t->places, double, s->stride);
    if (!point || !psi) {
        return NULL;
    }
    *point = (body_point){ .orientation = q_identity(), .psi = psi };
    for (int i = 0; i < at->count; ++i) {
        const double *from = s->psi + (size_t)s->stride * (size_t)at->vertices[i];
        point->position = v3_axpy(point->position, at->weight[i], s->at[at->vertices[i]]);
        for (int k = 0; k < s->stride; ++k) {
            psi[k] += at->weight[i] * from[k];
        }
    }
    return point;
}

static body_place collider_side(const compliant_work *t, int c)
{
    const model_collider *m = &t->model->colliders[c];
    return (body_place){ m->body, m->point.psi ? &m->point : NULL };
}

/* What a touch acts on: the feature of `side`, and the place of the other side that it meets. */
static bool find_places(compliant_work *t, const broad_pair *pair, int side, const probe_at *at, touching_point *c)
{
    int skin[2] = { pair->skin, other_skin(t, pair) };
    body_place place[2];
    for (int k = 0; k < 2; ++k) {
        if (skin[k] < 0) {
            place[k] = collider_side(t, pair->b);
            continue;
        }
        place[k] = (body_place){ t->model->skins[skin[k]].body, k == side ? vertex_point(t, skin[k], (int)c->feature)
                                                                          : place_point(t, skin[k], &at->on) };
        if (!place[k].point) {
            return false;
        }
    }
    c->p = place[side];
    c->f = place[!side];
    return true;
}

/* ---- touches ------------------------------------------------------------------------------------------------------- */

static bool add_touch(compliant_work *t, const carom_scratch *w, broad_pair *pair, int side, int feature,
                      double share, const probe_at *at)
{
    if (!compliant_reserve(t, t->contact_count + 1)) {
        return false;
    }
    touching_point *c = &t->contacts[t->contact_count++];
    double steepness = v3_norm(at->gradient_w);
    *c = (touching_point){ .side = side,
                           .feature = (uint32_t)feature,
                           .gap = at->gap,
                           .weight = pair->interaction->per_area ? share * at->area : 1.0,
                           .gradient_w = at->gradient_w,
                           .normal_w = steepness > 0.0 ? v3_scale(1.0 / steepness, at->gradient_w) : at->gradient_w };
    c->p_w = v3_axpy(at->p_w, -(at->radius + 0.5 * at->gap), c->normal_w);
    if (!find_places(t, pair, side, at, c)) {
        return false;
    }
    touching_point_set_motion(c, w);
    pair->count += 1;
    return true;
}

static bool find_side(compliant_work *t, const carom_scratch *w, broad_pair *pair, int side, double share)
{
    int count = feature_count(t, pair, side);
    bool ok = true;
    t->hits.asked.searches += 1;
    t->hits.asked.features += count;
    for (int i = 0; i < count && ok; ++i) {
        probe_at at;
        if (measure_feature(t, pair, side, i, 0.0, &at)) {
            ok = add_touch(t, w, pair, side, i, share, &at);
        }
    }
    return ok;
}

static bool find_touches(compliant_work *t, const carom_scratch *w, broad_pair pair)
{
    bool sides[2];
    bool ok = true;
    pair.first = t->contact_count;
    choose_sides(t, &pair, sides);
    for (int side = 0; side < 2 && ok; ++side) {
        ok = !sides[side] || find_side(t, w, &pair, side, sides[0] && sides[1] ? 0.5 : 1.0);
    }
    if (!ok || pair.count == 0) {
        return ok;
    }
    pair.approach = pair.interaction->law->remembers_approach ? compliant_approach_speed(t, w, &pair) : 0.0;
    ok = compliant_reserve_pairs(t, t->pair_count + 1);
    if (ok) {
        t->pairs[t->pair_count++] = pair;
    }
    return ok;
}

/* The pair of a surface with the other-th of colliders and surfaces; false: they do not touch each other, or it comes the other way round. */
static bool make_pair(const compliant_work *t, int skin, int other, broad_pair *out)
{
    int l = other - t->model->collider_count;
    *out = (broad_pair){ .a = first_number(t) + skin,
                         .b = l < 0 ? other : first_number(t) + l,
                         .joint = -1,
                         .skin = skin,
                         .interaction = model_skin_interaction(t->model, skin, other) };
    return out->interaction && (l < 0 || l > skin);
}

bool skins_find(compliant_work *t, const carom_scratch *w)
{
    int others = t->model->collider_count + t->model->skin_count;
    bool ok = true;
    carom_arena_free(&t->places);
    for (int k = 0; k < t->model->skin_count; ++k) {
        t->skins[k].placed = false;
    }
    for (int i = 0; i < t->model->skin_count * others && ok; ++i) {
        broad_pair pair;
        if (make_pair(t, i / others, i % others, &pair) && is_near(t, w, &pair, 0.0)) {
            ok = find_touches(t, w, pair);
        }
    }
    return ok;
}

/* ---- approaching --------------------------------------------------------------------------------------------------- */

/* The smallest gap of all features, no more than `limit`. */
static double smallest_gap(const compliant_work *t, const broad_pair *pair, double limit)
{
    bool sides[2];
    choose_sides(t, pair, sides);
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; sides[side] && i < feature_count(t, pair, side); ++i) {
            probe_at at;
            limit = measure_feature(t, pair, side, i, limit, &at) ? fmin(limit, at.gap) : limit;
        }
    }
    return limit;
}

static approach_bound bound_of(const compliant_work *t, const carom_scratch *w, const carom_state *s,
                               const broad_pair *pair)
{
    int other = other_skin(t, pair);
    int body[2] = { t->model->skins[pair->skin].body, other_body(t, pair) };
    double apart = v3_norm(v3_sub(w->pose[body[0]].x_w, w->pose[body[1]].x_w));
    double own = ball_radius(t, w, pair->skin);
    double reach = other < 0 ? t->near->reach[pair->b] : ball_radius(t, w, other);
    const double lever[2] = { own, isfinite(reach) ? reach : apart + own };
    return approach_of_bodies(t, s, body, lever);
}

static double bound_of_pair(compliant_work *t, const carom_scratch *w, const carom_state *s, const broad_pair *pair,
                            double dt, double fraction, double *distance)
{
    approach_bound p = bound_of(t, w, s, pair);
    double limit = approach_distance(p, dt);
    if (!is_near(t, w, pair, limit)) {
        return dt;
    }
    double gap = smallest_gap(t, pair, limit);
    *distance = gap < limit ? fmin(*distance, gap) : *distance;
    if (gap >= limit || gap <= 0.0) { /* far; or touching, where the error of the step decides */
        return dt;
    }
    double speed = p.speed + p.acceleration * dt;
    const int body[2] = { t->model->skins[pair->skin].body, other_body(t, pair) };
    double energy = 0.5 * approach_reduced_mass(t->model, body) * speed * speed;
    double depth = law_depth_for_energy(pair->interaction->law, pair->interaction->law_params, energy);
    return fmin(dt, approach_time(p, gap) + (speed > 0.0 ? fraction * depth / speed : dt));
}

double skins_step(compliant_work *t, const carom_scratch *w, const carom_state *s, double dt, double fraction,
                  double *distance)
{
    int others = t->model->collider_count + t->model->skin_count;
    for (int k = 0; k < t->model->skin_count; ++k) {
        t->skins[k].placed = false;
    }
    for (int i = 0; i < t->model->skin_count * others; ++i) {
        broad_pair pair;
        if (make_pair(t, i / others, i % others, &pair)) {
            dt = bound_of_pair(t, w, s, &pair, dt, fraction, distance);
        }
    }
    return dt;
}
