/* What the judge knows of the shapes, and how deep pairs are in each other. */
#include "sim/judge.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/integrator.h"
#include "geometry/bvh.h"
#include "model/method.h"

/* ---- shapes ------------------------------------------------------------------------------------------------------- */

/* Beyond this part of its width a body is half-way to being pushed out on the far side. */
static const double DEEP = 0.25;

/* Beyond half of it, it is nearer to the far side and pushed out there. */
static const double TOO_DEEP = 0.5;

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* [m] How far inwards from a point of its surface a collider goes on, until another side is nearer. */
static double inner_depth(const collider *c, v3 p, double most)
{
    const sdf_info *field = collider_field(c);
    double slack = field ? field->error_bound : 0.0;
    v3 inwards = v3_neg(collider_sample(c, p).gradient);
    double low = 0.0;
    double high = most;
    for (int k = 0; k < 12; ++k) { /* to 1/4096 of the size */
        double middle = 0.5 * (low + high);
        bool nearest = -collider_sample(c, v3_axpy(p, middle, inwards)).distance >= 0.9 * middle - slack;
        *(nearest ? &low : &high) = middle;
    }
    return low;
}

static double triangle_area(const mesh *m, int t)
{
    v3 a = m->vertices[m->triangles[t][0]];
    return 0.5 *
           v3_norm(v3_cross(v3_sub(m->vertices[m->triangles[t][1]], a), v3_sub(m->vertices[m->triangles[t][2]], a)));
}

/* Some point well inside of a triangle: at its edges, inwards may be along the surface. */
static v3 point_inside(const mesh *m, int t, int k)
{
    static const double share[3][3] = { { 0.5, 0.3, 0.2 }, { 0.2, 0.5, 0.3 }, { 0.3, 0.2, 0.5 } };
    v3 p = v3_zero();
    for (int i = 0; i < 3; ++i) {
        p = v3_axpy(p, share[k % 3][i], m->vertices[m->triangles[t][i]]);
    }
    return p;
}

/* [m] The thickness of a mesh where most of its surface is: a box with thin walls has that of its walls. Points are spread evenly over
 * the area. */
static double mesh_thickness(const collider *c, const mesh *m, double most)
{
    enum { SAMPLES = 101 };
    double depth[SAMPLES];
    double total = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        total += triangle_area(m, t);
    }
    double passed = 0.0;
    int count = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        passed += triangle_area(m, t);
        for (; count < SAMPLES && passed > (count + 0.5) / SAMPLES * total; ++count) {
            depth[count] = inner_depth(c, point_inside(m, t, count), most);
        }
    }
    qsort(depth, (size_t)count, sizeof *depth, compare_numbers);
    return count > 0 ? fmin(2.0 * depth[count / 2], most) : most;
}

static double thickness_of(const carom_model *model, const model_collider *c)
{
    v3 half = collider_box(c->collider)->half;
    double width = 2.0 * fmin(half.x, fmin(half.y, half.z));
    const model_shape *shape = &model->bodies[c->body].shapes[c->shape];
    if (!isfinite(model_collider_size(c))) {
        return HUGE_VAL;
    }
    return shape->mesh && model->method->needs_laws ? mesh_thickness(c->collider, shape->mesh, width) : width;
}

static void sort_colliders(contact_judge *j)
{
    const carom_model *m = j->model;
    int next = 0;
    for (int body = 0; body < m->body_count; ++body) {
        j->first[body] = next;
        for (int k = 0; k < m->collider_count; ++k) {
            if (m->colliders[k].body == body) {
                j->own[next++] = k;
            }
        }
    }
    j->first[m->body_count] = next;
}

static void look_at_shapes(contact_judge *j)
{
    const carom_model *m = j->model;
    for (int i = 0; i < m->body_count; ++i) {
        j->thinnest[i] = HUGE_VAL;
    }
    for (int k = 0; k < m->collider_count; ++k) {
        const model_collider *c = &m->colliders[k];
        const char *kind = m->bodies[c->body].shapes[c->shape].type->kind.name;
        j->thickness[k] = thickness_of(m, c);
        j->thinnest[c->body] = fmin(j->thinnest[c->body], j->thickness[k]);
        j->unbounded[c->body] = j->unbounded[c->body] || !isfinite(j->thickness[k]);
        j->round[c->body] = j->round[c->body] || strcmp(kind, "cylinder") == 0;
    }
}

static void look_at_joints(contact_judge *j)
{
    const carom_model *m = j->model;
    for (int k = 0; k < m->joint_count; ++k) {
        j->held[m->joints[k].body[0]] = j->held[m->joints[k].body[1]] = true;
    }
    for (int k = 0; k < m->force_count; ++k) {
        for (int side = 0; side < 2; ++side) {
            int body = m->forces[k].body[side];
            if (body >= 0) {
                j->held[body] = true;
            }
        }
    }
}

carom_status judge_create(contact_judge *j, const carom_model *model, carom_error *err)
{
    *j = (contact_judge){ .model = model };
    if (!model->method->forces) {
        return CAROM_OK;
    }
    j->first = CAROM_ARENA_ARRAY(&j->arena, int, model->body_count + 1);
    j->struck = CAROM_ARENA_ARRAY(&j->arena, int, model->body_count + 1);
    j->own = CAROM_ARENA_ARRAY(&j->arena, int, model->collider_count + 1);
    j->thickness = CAROM_ARENA_ARRAY(&j->arena, double, model->collider_count + 1);
    j->travel = CAROM_ARENA_ARRAY(&j->arena, double, model->collider_count + 1);
    j->thinnest = CAROM_ARENA_ARRAY(&j->arena, double, model->body_count);
    j->unbounded = CAROM_ARENA_ARRAY(&j->arena, bool, model->body_count);
    j->held = CAROM_ARENA_ARRAY(&j->arena, bool, model->body_count);
    j->round = CAROM_ARENA_ARRAY(&j->arena, bool, model->body_count);
    if (j->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    sort_colliders(j);
    look_at_shapes(j);
    look_at_joints(j);
    bool jumps = !model->method->announces && !integrator_of(model).settings.adaptive;
    return jumps ? near_create(&j->near, model, err) : CAROM_OK;
}

void judge_free(contact_judge *j)
{
    near_destroy(j->near);
    exact_list_free(&j->room);
    carom_arena_free(&j->arena);
    *j = (contact_judge){ 0 };
}

/* ---- depth -------------------------------------------------------------------------------------------------------- */

field_sample judge_field(const contact_judge *j, const carom_scratch *w, int index, v3 p_w)
{
    const model_collider *c = &j->model->colliders[index];
    carom_pose pose = model_collider_pose(j->model, c, &w->pose[c->body], w->q);
    field_sample f = collider_sample(c->collider, q_unrotate(pose.orientation, v3_sub(p_w, pose.position)));
    f.gradient = q_rotate(pose.orientation, f.gradient);
    return f;
}

int judge_collider_at(const contact_judge *j, const carom_scratch *w, int body, v3 p_w, double depth)
{
    int begin = j->first[body];
    int count = j->first[body + 1] - begin;
    int best = count > 0 ? j->own[begin] : -1;
    double least = HUGE_VAL;
    for (int k = 0; count > 1 && k < count; ++k) {
        double off = fabs(judge_field(j, w, j->own[begin + k], p_w).distance + 0.5 * depth);
        best = off < least ? j->own[begin + k] : best;
        least = fmin(off, least);
    }
    return best;
}

static const carom_contact_point *deepest(const judged_pair *p)
{
    const carom_contact_point *best = p->points;
    for (int k = 1; k < p->count; ++k) {
        best = p->points[k].gap < best->gap ? &p->points[k] : best;
    }
    return best;
}

/* An event where a pair first gets so deep; false when memory runs out. */
static bool announce_too_deep(carom_scratch *w, const judged_pair *p, const carom_contact_point *at)
{
    p->now->judged |= JUDGED_TOO_DEEP;
    bool known = p->before && p->before->judged & JUDGED_TOO_DEEP;
    return known || event_list_push(&w->events, (carom_event){ .t = w->t,
                                                               .kind = CAROM_EVENT_TOO_DEEP,
                                                               .body = { at->body[0], at->body[1] },
                                                               .position = at->position,
                                                               .normal = at->normal,
                                                               .speed = p->now->speed,
                                                               .joint = CAROM_NONE });
}

/* Against the thinner of the two, once their bodies may be thin enough at all. */
static bool judge_depth(const contact_judge *j, carom_scratch *w, const judged_pair *p, const carom_contact_point *at)
{
    const int *body = at->body;
    double depth = -at->gap;
    if (!(depth > DEEP * fmin(j->thinnest[body[0]], j->thinnest[body[1]]))) {
        return true;
    }
    double width = HUGE_VAL;
    for (int side = 0; side < 2; ++side) {
        int c = judge_collider_at(j, w, body[side], at->position, depth);
        width = c >= 0 ? fmin(width, j->thickness[c]) : width;
    }
    if (depth > DEEP * width) {
        carom_finding_kind kind = p->at_start ? CAROM_FINDING_DEEP_AT_START : CAROM_FINDING_DEEP;
        finding_note(&w->findings, kind, finding_at_pair(body[0], body[1]), depth, DEEP * width, w->t);
    }
    return depth <= TOO_DEEP * width || announce_too_deep(w, p, at);
}

/* Whether what touches here touches by whole elements: no stored field has a say. */
static bool is_exact(const contact_judge *j, const carom_scratch *w, const carom_contact_point *at)
{
    int a = judge_collider_at(j, w, at->body[0], at->position, -at->gap);
    int b = judge_collider_at(j, w, at->body[1], at->position, -at->gap);
    return a >= 0 && b >= 0 && model_pair_is_exact(j->model, a < b ? a : b, a < b ? b : a);
}

/* The stored field in which the pair is deepest of all, and where: what it errs by is asked when the run ends. */
static void note_field(const contact_judge *j, const carom_scratch *w, pair_total *total,
                       const carom_contact_point *at)
{
    double depth = -at->gap;
    if (depth < total->penetration || is_exact(j, w, at)) {
        return;
    }
    double mismatch = HUGE_VAL;
    total->field = total->field_error = 0.0;
    for (int side = 0; side < 2; ++side) { /* the feature of the other side is half the overlap beyond the point */
        int c = judge_collider_at(j, w, at->body[side], at->position, depth);
        const sdf_info *field = c >= 0 ? collider_field(j->model->colliders[c].collider) : NULL;
        if (!field) {
            continue;
        }
        const model_collider *m = &j->model->colliders[c];
        carom_pose pose = model_collider_pose(j->model, m, &w->pose[m->body], w->q);
        v3 feature_w = v3_axpy(at->position, (side == 0 ? 0.5 : -0.5) * depth, at->normal);
        v3 p = q_unrotate(pose.orientation, v3_sub(feature_w, pose.position));
        double value = collider_sample(m->collider, p).distance;
        double off = fabs(value + depth);
        if (off <= fmax(0.01 * depth, field->error_bound) && off < mismatch) {
            mismatch = off;
            total->field = 1.0 + c;
            total->field_error = field->error_bound;
            total->field_place = p;
            total->field_value = value;
        }
    }
}

/* ---- coming and going --------------------------------------------------------------------------------------------- */

/* Touches of one pair within a hundredth of the run that are too many to mean anything: each would have to be over in a
 * ten-thousandth of it, and what is recorded does not show them. */
enum { CHATTER = 100 };

void judge_chatter(const contact_judge *j, carom_scratch *w, pair_total *total, double speed)
{
    double window = 0.01 * j->model->scene.time.end;
    if (total->touches == 0.0 || w->t - total->touches_from > window) {
        total->touches = 0.0;
        total->touches_from = w->t;
        total->touches_speed = fabs(speed);
    }
    total->touches += 1.0;
    bool fades = fabs(speed) < 0.5 * total->touches_speed; /* as the last bounces of a ball do */
    if (total->touches >= CHATTER && !fades) {
        finding_note(&w->findings, CAROM_FINDING_CHATTER, finding_at_pair(total->body[0], total->body[1]),
                     total->touches, CHATTER, w->t);
    }
}

/* Bodies that a joint connects touch in its bearing only, if at all: not with their shapes. */
static bool is_joined(const carom_model *m, const int body[2])
{
    int low = body[0] < body[1] ? body[0] : body[1];
    int high = body[0] < body[1] ? body[1] : body[0];
    bool joined = false;
    for (int k = 0; k < m->joined_count && !joined; ++k) {
        joined = m->joined[k][0] == low && m->joined[k][1] == high;
    }
    return joined;
}

bool judge_touching(const contact_judge *j, carom_scratch *w, const judged_pair *p)
{
    if (!p->before && !j->model->method->announces) {
        judge_chatter(j, w, p->total, p->now->speed);
    }
    if (is_joined(j->model, p->points->body) || j->model->method->minimises) { /* nothing gets into anything there */
        return true;
    }
    const carom_contact_point *at = deepest(p);
    bool ok = judge_depth(j, w, p, at);
    note_field(j, w, p->total, at);
    judge_sides(j, w, p);
    judge_rolling(j, w, p);
    if (!j->model->method->announces) {
        judge_bounce(j, w, p);
        judge_surfaces(j, w, p);
    }
    return ok;
}

void judge_parted(const contact_judge *j, carom_scratch *w, const touching_pair *before, pair_total *total, double dt)
{
    if (!j->model->method->minimises) {
        judge_sides_parted(j, w, before);
    }
    if (!j->model->method->announces && !j->model->method->minimises) {
        judge_bounce_parted(j, w, before);
    }
    total->rolling_work += 0.5 * dt * total->rolling_power;
    total->rolling_power = 0.0;
}

carom_status judge_step(contact_judge *j, carom_scratch *w, carom_error *err)
{
    if (!j->first) {
        return CAROM_OK;
    }
    judge_play(j, w);
    return judge_flights(j, w) && judge_missed(j, w)
               ? CAROM_OK
               : carom_fail(err, CAROM_NO_MEMORY, "out of memory for pairs that are near");
}

/* ---- at the end --------------------------------------------------------------------------------------------------- */

/* Less than this part of its energy is not lost to a polygon's corners but to steps and laws made smooth. */
static const double ROLLING_LOSS = 0.02;

/* [m] What a stored field errs by where a pair was deepest in it; NaN when memory runs out. */
static double field_error_at(const contact_judge *j, const pair_total *t)
{
    const model_collider *c = &j->model->colliders[(int)t->field - 1];
    bvh *tree = NULL;
    double error = (double)NAN;
    if (bvh_create_plain(&tree, j->model->bodies[c->body].shapes[c->shape].mesh, NULL) == CAROM_OK) {
        error = fabs(sqrt(bvh_closest(tree, t->field_place, -1, HUGE_VAL).dist2) - fabs(t->field_value));
    }
    bvh_destroy(tree);
    return error;
}

/* A depth that is off by more than this part of itself has a force that hangs on the grid. Fields err most at edges: the
 * bound says that it may be so, the triangles say whether it is. */
static const double FIELD_OFF = 0.1;

static void judge_field_error(const contact_judge *j, const pair_total *t, finding_list *out)
{
    finding_place place = finding_at_pair(t->body[0], t->body[1]);
    if (!(t->field > 0.0 && t->field_error > FIELD_OFF * t->penetration)) {
        return;
    }
    double error = field_error_at(j, t);
    if (!(error <= FIELD_OFF * t->penetration)) {
        finding_note(out, CAROM_FINDING_FIELD_ERROR, place, isnan(error) ? t->field_error : error, t->penetration,
                     t->last_touch);
    } else if (t->field_error >= t->penetration) {
        finding_note(out, CAROM_FINDING_FIELD_BOUND, place, t->field_error, t->penetration, t->last_touch);
    }
}

void judge_totals(const contact_judge *j, const pair_totals *totals, finding_list *out)
{
    for (size_t i = 0; i < totals->count; ++i) {
        const pair_total *t = &totals->items[i];
        finding_place place = finding_at_pair(t->body[0], t->body[1]);
        judge_field_error(j, t, out);
        double half_turn = 3.141592653589793;
        if (t->rolled > half_turn && -t->rolling_work > ROLLING_LOSS * t->rolling_energy) {
            finding_note(out, CAROM_FINDING_ROLLING_LOSS, place, -t->rolling_work / t->rolling_energy, ROLLING_LOSS,
                         t->last_touch);
        }
    }
}
