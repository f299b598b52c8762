/* Testing frames: boxes swept along x, then pairs of surfaces. */
#include "sim/verify.h"

#include <carom/result.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "collision/surface_inside.h"

/* The surface of a collider and where it stands in the present frame. */
typedef struct placed {
    surface *surface;
    surface_component *components;
    int component_count;
    bool shared; /* both belong to an earlier one */
    bool closed;
    surface_place place;
    v3 low, high; /* [m] the box around it, along the axes of the world */
} placed;

typedef struct tested_pair {
    int a, b; /* colliders */
    bool meets;
} tested_pair;

typedef struct pair_list {
    tested_pair *items; /* ascending */
    size_t count, capacity;
} pair_list;

struct verifier {
    const carom_model *model;
    placed *placed; /* one per collider */
    int *order;     /* colliders, ascending by the lower ends of their boxes along x */
    carom_pose *pose;
    bool *moved; /* one per body: its pose has other bits than in the frame before */
    pair_list now, before;
    carom_verification found;
};

/* ---- surfaces --------------------------------------------------------------------------------------------------------- */

static const model_shape *shape_of(const carom_model *model, int index)
{
    const model_collider *c = &model->colliders[index];
    return &model->bodies[c->body].shapes[c->shape];
}

/* An earlier collider with the same shape, or -1. */
static int find_twin(const verifier *v, int index)
{
    const model_shape *me = shape_of(v->model, index);
    for (int i = 0; i < index; ++i) {
        const model_shape *other = shape_of(v->model, i);
        if (other->type == me->type && other->hash == me->hash && other->mesh == me->mesh) {
            return i;
        }
    }
    return -1;
}

static carom_status make_surface(verifier *v, int index, carom_error *err)
{
    placed *p = &v->placed[index];
    const model_shape *shape = shape_of(v->model, index);
    int twin = find_twin(v, index);
    p->closed = shape->has_volume && !shape->type->thin;
    if (twin >= 0) {
        p->surface = v->placed[twin].surface;
        p->components = v->placed[twin].components;
        p->component_count = v->placed[twin].component_count;
        p->shared = true;
        return CAROM_OK;
    }
    carom_status status = surface_of_shape(&p->surface, shape->type, shape->params, shape->mesh, err);
    if (status == CAROM_OK && !surface_components(p->surface, &p->components, &p->component_count)) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for the verification");
    }
    return status;
}

static carom_status prepare(verifier *v, carom_error *err)
{
    const carom_model *model = v->model;
    size_t colliders = (size_t)model->collider_count + 1;
    v->placed = calloc(colliders, sizeof *v->placed);
    v->order = calloc(colliders, sizeof *v->order);
    v->pose = calloc((size_t)model->body_count, sizeof *v->pose);
    v->moved = calloc((size_t)model->body_count, sizeof *v->moved);
    if (!v->placed || !v->order || !v->pose || !v->moved) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the verification");
    }
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < model->collider_count; ++i) {
        v->order[i] = i;
        status = make_surface(v, i, err);
    }
    return status;
}

carom_status verifier_create(verifier **out, const carom_model *model, carom_error *err)
{
    verifier *v = *out = calloc(1, sizeof *v);
    if (!v) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the verification");
    }
    v->model = model;
    carom_status status = prepare(v, err);
    if (status != CAROM_OK) {
        verifier_destroy(v);
        *out = NULL;
    }
    return status;
}

void verifier_destroy(verifier *v)
{
    if (!v) {
        return;
    }
    for (int i = 0; v->placed && i < v->model->collider_count; ++i) {
        if (!v->placed[i].shared) {
            surface_destroy(v->placed[i].surface);
            free(v->placed[i].components);
        }
    }
    free(v->placed);
    free(v->order);
    free(v->pose);
    free(v->moved);
    free(v->now.items);
    free(v->before.items);
    free(v);
}

const carom_verification *verifier_found(const verifier *v)
{
    return &v->found;
}

/* ---- places and boxes ------------------------------------------------------------------------------------------------- */

static double reach_along(v3 row, v3 half)
{
    return fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
}

/* The box of the root, wider by roundings and by more than the errors of all that is computed here. */
static void bound(placed *p)
{
    const surface *s = p->surface;
    v3 all = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
    if (s->half_space || s->group_count == 0) {
        p->low = v3_neg(all);
        p->high = all;
        return;
    }
    surface_box root = surface_box_at(s, 0);
    v3 center = v3_add(p->place.x_w, m3_mulv(p->place.R_w, root.center));
    double more = root.rounding + 1e-12 * (v3_norm(p->place.x_w) + s->radius);
    v3 half = { reach_along(m3_row(p->place.R_w, 0), root.half) + more,
                reach_along(m3_row(p->place.R_w, 1), root.half) + more,
                reach_along(m3_row(p->place.R_w, 2), root.half) + more };
    p->low = v3_sub(center, half);
    p->high = v3_add(center, half);
}

static void place(verifier *v, int index)
{
    placed *p = &v->placed[index];
    const carom_pose *body = &v->pose[v->model->colliders[index].body];
    const carom_pose *shape = &shape_of(v->model, index)->pose_b;
    p->place = (surface_place){ .surface = p->surface,
                                .x_w = v3_add(body->position, q_rotate(body->orientation, shape->position)),
                                .R_w = q_matrix(q_mul(body->orientation, shape->orientation)) };
    bound(p);
}

static void place_all(verifier *v, const carom_pose *pose)
{
    for (int i = 0; i < v->model->body_count; ++i) {
        v->moved[i] = v->found.frames == 0 || memcmp(&v->pose[i], &pose[i], sizeof pose[i]) != 0;
        v->pose[i] = pose[i];
    }
    for (int i = 0; i < v->model->collider_count; ++i) {
        if (v->moved[v->model->colliders[i].body]) {
            place(v, i);
        }
    }
}

/* By insertion: from frame to frame few change places. */
static void sort_along_x(verifier *v)
{
    for (int i = 1; i < v->model->collider_count; ++i) {
        int me = v->order[i];
        int k = i;
        for (; k > 0 && v->placed[v->order[k - 1]].low.x > v->placed[me].low.x; --k) {
            v->order[k] = v->order[k - 1];
        }
        v->order[k] = me;
    }
}

static bool overlap_across(const placed *a, const placed *b)
{
    return a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static bool add_pair(verifier *v, int i, int k)
{
    int a = i < k ? i : k;
    int b = i < k ? k : i;
    if (!overlap_across(&v->placed[a], &v->placed[b]) || !model_interaction_of(v->model, a, b)) {
        return true;
    }
    bool room = CAROM_ARRAY_RESERVE(v->now.items, v->now.capacity, v->now.count + 1);
    if (room) {
        v->now.items[v->now.count++] = (tested_pair){ a, b, false };
    }
    return room;
}

static int by_colliders(const void *x, const void *y)
{
    const tested_pair *p = x;
    const tested_pair *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static bool find_pairs(verifier *v)
{
    bool ok = true;
    v->now.count = 0;
    sort_along_x(v);
    for (int i = 0; ok && i < v->model->collider_count; ++i) {
        double high = v->placed[v->order[i]].high.x;
        for (int k = i + 1; ok && k < v->model->collider_count && v->placed[v->order[k]].low.x <= high; ++k) {
            ok = add_pair(v, v->order[i], v->order[k]);
        }
    }
    if (v->now.count > 0) {
        qsort(v->now.items, v->now.count, sizeof *v->now.items, by_colliders);
    }
    return ok;
}

/* ---- what is told ----------------------------------------------------------------------------------------------------- */

enum { FEATURE_TEXT = 32 };

static const char *feature_text(int kind, int index, char text[FEATURE_TEXT])
{
    if (kind == SURFACE_PLANE) {
        snprintf(text, FEATURE_TEXT, "plane");
    } else {
        snprintf(text, FEATURE_TEXT, "%s %d", surface_kind_names[kind], index);
    }
    return text;
}

static void note_first(verifier *v, double t, int a, int b)
{
    const model_collider *c[2] = { &v->model->colliders[a], &v->model->colliders[b] };
    v->found.t = t;
    for (int side = 0; side < 2; ++side) {
        v->found.body[side] = c[side]->body;
        v->found.shape[side] = c[side]->shape;
    }
}

static void tell_meeting(verifier *v, double t, const tested_pair *pair, const feature_pair *at)
{
    char first[FEATURE_TEXT];
    char second[FEATURE_TEXT];
    if (v->found.intersections++ == 0) {
        note_first(v, t, pair->a, pair->b);
        snprintf(v->found.first, sizeof v->found.first, "'%.100s' and '%.100s' intersect at t = %.9g s (%s and %s)",
                 v->model->bodies[v->found.body[0]].name, v->model->bodies[v->found.body[1]].name, t,
                 feature_text(at->kind[0], at->index[0], first), feature_text(at->kind[1], at->index[1], second));
    }
}

static void tell_inside(verifier *v, double t, const tested_pair *pair, int side)
{
    if (v->found.intersections++ == 0) {
        note_first(v, t, pair->a, pair->b);
        snprintf(v->found.first, sizeof v->found.first, "'%.100s' is inside '%.100s' at t = %.9g s",
                 v->model->bodies[v->found.body[side]].name, v->model->bodies[v->found.body[1 - side]].name, t);
    }
}

static void tell_nowhere(verifier *v, double t, int body)
{
    if (v->found.intersections++ == 0) {
        v->found.t = t;
        v->found.body[0] = v->found.body[1] = body;
        snprintf(v->found.first, sizeof v->found.first, "'%.100s' is nowhere at t = %.9g s: its pose is not finite",
                 v->model->bodies[body].name, t);
    }
}

/* ---- pairs ------------------------------------------------------------------------------------------------------------ */

static bool is_inside(const verifier *v, const surface_pair *p, const tested_pair *pair, int side)
{
    const placed *own = &v->placed[side == 0 ? pair->a : pair->b];
    const placed *other = &v->placed[side == 0 ? pair->b : pair->a];
    for (int k = 0; other->closed && k < own->component_count; ++k) {
        if (surface_pair_inside(p, side, &own->components[k])) {
            return true;
        }
    }
    return false;
}

static void test_pair(verifier *v, double t, tested_pair *pair)
{
    surface_pair p = surface_pair_of(&v->placed[pair->a].place, &v->placed[pair->b].place);
    feature_pair at;
    pair->meets = surface_pair_meets(&p, &at);
    if (pair->meets) {
        tell_meeting(v, t, pair, &at);
        return;
    }
    for (int side = 0; side < 2 && !pair->meets; ++side) {
        pair->meets = is_inside(v, &p, pair, side);
        if (pair->meets) {
            tell_inside(v, t, pair, side);
        }
    }
}

/* The pair in the frame before, if its bodies stand as they stood; both lists ascend. */
static const tested_pair *known_pair(const verifier *v, const tested_pair *pair, size_t *at)
{
    const carom_model *model = v->model;
    while (*at < v->before.count && by_colliders(&v->before.items[*at], pair) < 0) {
        ++*at;
    }
    bool same = *at < v->before.count && by_colliders(&v->before.items[*at], pair) == 0;
    bool still = !v->moved[model->colliders[pair->a].body] && !v->moved[model->colliders[pair->b].body];
    return same && still ? &v->before.items[*at] : NULL;
}

static void test_pairs(verifier *v, double t)
{
    size_t at = 0;
    for (size_t k = 0; k < v->now.count; ++k) {
        const tested_pair *known = known_pair(v, &v->now.items[k], &at);
        if (known) {
            v->now.items[k].meets = known->meets;
            v->found.intersections += known->meets;
        } else {
            test_pair(v, t, &v->now.items[k]);
        }
    }
    v->found.pairs += (long)v->now.count;
}

/* ---- frames ----------------------------------------------------------------------------------------------------------- */

/* The first body without a place, or -1. */
static int find_lost(const carom_model *model, const carom_pose *pose)
{
    for (int i = 0; i < model->body_count; ++i) {
        carom_quat q = pose[i].orientation;
        if (!v3_finite(pose[i].position) || !isfinite(q.w + q.x + q.y + q.z)) {
            return i;
        }
    }
    return -1;
}

carom_status verifier_frame(verifier *v, double t, const carom_pose *pose, carom_error *err)
{
    double start = carom_clock_wall();
    int lost = find_lost(v->model, pose);
    bool ok = true;
    if (lost >= 0) {
        tell_nowhere(v, t, lost);
    } else {
        place_all(v, pose);
        ok = find_pairs(v);
    }
    if (ok && lost < 0) {
        test_pairs(v, t);
        pair_list swap = v->before;
        v->before = v->now;
        v->now = swap;
    }
    v->found.frames++;
    v->found.wall += carom_clock_wall() - start;
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the verification");
}

static carom_status read_frame(const carom_result *result, const carom_model *model, size_t frame, carom_pose *pose,
                               carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < model->body_count; ++i) {
        carom_motion motion = { 0 };
        status = carom_result_motion(result, i, frame, &motion, err);
        pose[i] = motion.pose;
    }
    return status;
}

carom_status verifier_folder(verifier *v, const char *folder, long frames, carom_error *err)
{
    carom_result *result = NULL;
    carom_pose *pose = calloc((size_t)v->model->body_count, sizeof *pose);
    carom_status status = pose ? carom_result_open(folder, &result, err)
                               : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the verification");
    if (status == CAROM_OK && carom_result_body_count(result) != (size_t)v->model->body_count) {
        status = carom_fail(err, CAROM_BAD_INPUT, "the result in '%s' has other bodies than the scene", folder);
    }
    for (long k = 0; status == CAROM_OK && k < frames; ++k) {
        status = read_frame(result, v->model, (size_t)k, pose, err);
        status = status == CAROM_OK ? verifier_frame(v, carom_result_time(result)[k], pose, err) : status;
    }
    carom_result_close(result);
    free(pose);
    return status;
}
