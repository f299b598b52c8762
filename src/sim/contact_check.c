/* What a user should know about contact before a run: the colliders of a model, the rules between them, and clearances
 * at a state, found by the same boxes, fields and detection points as contacts are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/contact.h>

#include "collision/broad_phase.h"
#include "dynamics/work.h"
#include "model/colliders.h"

/* ---- colliders --------------------------------------------------------------------------------------------------- */

static double size_of(const collider *c)
{
    v3 half = collider_box(c)->half;
    return collider_box(c)->half_space ? HUGE_VAL : 2.0 * fmax(half.x, fmax(half.y, half.z));
}

int carom_model_collider_count(const carom_model *model)
{
    return model->collider_count;
}

carom_collider_info carom_model_collider(const carom_model *model, int index)
{
    const model_collider *c = &model->colliders[index];
    const model_shape *shape = &model->bodies[c->body].shapes[c->shape];
    const sdf_info *field = collider_field(c->collider);
    return (carom_collider_info){ .body = c->body,
                                  .shape = shape->type->kind.name,
                                  .material = shape->material,
                                  .size = size_of(c->collider),
                                  .points = collider_point_count(c->collider),
                                  .field = field ? sdf_kind_name(field->kind) : NULL,
                                  .spacing = field ? field->spacing : 0.0,
                                  .error = field ? field->error_bound : 0.0 };
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static carom_contact_rule rule_of(const model_interaction *i)
{
    return (carom_contact_rule){ .law = i->law ? i->law->kind.name : NULL,
                                 .friction = i->friction ? i->friction->kind.name : NULL,
                                 .restitution = i->restitution,
                                 .per_area = i->per_area,
                                 .points = { i->points[0], i->points[1] } };
}

static bool same_rule(const carom_contact_rule *a, const carom_contact_rule *b)
{
    return a->law == b->law && a->friction == b->friction && a->restitution == b->restitution &&
           a->per_area == b->per_area && a->points[0] == b->points[0] && a->points[1] == b->points[1];
}

/* The place of the rule in the list, where it is added if it is new; capacity when there is no room. Parameters of laws
 * are not compared: rules that differ in nothing else are shown as one. */
static size_t find_rule(carom_contact_rule *rules, size_t capacity, size_t *count, const carom_contact_rule *rule)
{
    size_t k = 0;
    while (k < *count && k < capacity && !same_rule(&rules[k], rule)) {
        ++k;
    }
    if (k == *count && k < capacity) {
        rules[k] = *rule;
    }
    *count = k + 1 > *count ? k + 1 : *count;
    return k;
}

static void count_pair(const carom_model *model, int a, int b, carom_contact_rule *rules, size_t capacity,
                       size_t *count)
{
    const model_interaction *i = model_interaction_of(model, a, b);
    if (!i) {
        return;
    }
    carom_contact_rule rule = rule_of(i);
    rule.example[0] = model->colliders[a].body;
    rule.example[1] = model->colliders[b].body;
    size_t k = find_rule(rules, capacity, count, &rule);
    if (k < capacity) {
        rules[k].pairs++;
    }
}

size_t carom_model_contact_rules(const carom_model *model, carom_contact_rule *out, size_t capacity)
{
    size_t count = 0;
    for (int a = 0; a < model->collider_count; ++a) {
        for (int b = a + 1; b < model->collider_count; ++b) {
            count_pair(model, a, b, out, capacity, &count);
        }
    }
    return count;
}

/* ---- clearances -------------------------------------------------------------------------------------------------- */

typedef struct placed_colliders {
    const carom_model *model;
    carom_pose *pose_w; /* collider_count */
    obb *box_w;         /* collider_count */
    aabb *bounds_w;     /* collider_count: wider by half the reach */
} placed_colliders;

static void place(placed_colliders *p, const carom_scratch *w, double reach)
{
    const v3 margin = { 0.5 * reach, 0.5 * reach, 0.5 * reach };
    for (int i = 0; i < p->model->collider_count; ++i) {
        const model_collider *c = &p->model->colliders[i];
        p->pose_w[i] = model_collider_pose(c, &w->pose[c->body]);
        p->box_w[i] = obb_move(collider_box(c->collider), p->pose_w[i]);
        obb_bounds(&p->bounds_w[i].low, &p->bounds_w[i].high, &p->box_w[i]);
        p->bounds_w[i].low = v3_sub(p->bounds_w[i].low, margin);
        p->bounds_w[i].high = v3_add(p->bounds_w[i].high, margin);
    }
}

static double gap_of_pair(const placed_colliders *p, int a, int b, double limit)
{
    double apart = obb_gap(&p->box_w[a], &p->box_w[b]);
    return apart >= limit ? limit : model_pair_distance(p->model, a, b, p->pose_w, limit);
}

static bool cannot_touch(const void *context, int a, int b)
{
    return !model_interaction_of(context, a, b);
}

static int compare_bodies(const void *x, const void *y)
{
    const carom_clearance *a = x;
    const carom_clearance *b = y;
    int first = (a->body[0] > b->body[0]) - (a->body[0] < b->body[0]);
    return first ? first : (a->body[1] > b->body[1]) - (a->body[1] < b->body[1]);
}

static int compare_gaps(const void *x, const void *y)
{
    const carom_clearance *a = x;
    const carom_clearance *b = y;
    return a->gap != b->gap ? (a->gap > b->gap) - (a->gap < b->gap) : compare_bodies(x, y);
}

/* One entry per pair of bodies, the smallest gap of its shapes. */
static size_t merge_shapes(carom_clearance *list, size_t count)
{
    size_t kept = 0;
    qsort(list, count, sizeof *list, compare_bodies);
    for (size_t k = 0; k < count; ++k) {
        if (kept > 0 && compare_bodies(&list[kept - 1], &list[k]) == 0) {
            list[kept - 1] = list[k].gap < list[kept - 1].gap ? list[k] : list[kept - 1];
        } else {
            list[kept++] = list[k];
        }
    }
    qsort(list, kept, sizeof *list, compare_gaps);
    return kept;
}

static bool find_clearances(const placed_colliders *p, broad_phase *broad, double reach, carom_clearance **out,
                            size_t *count)
{
    const box_pair *pairs = NULL;
    size_t pair_count = 0;
    const model_collider *c = p->model->colliders;
    if (!broad_phase_find(broad, p->bounds_w, p->model->collider_count, cannot_touch, p->model, &pairs,
                          &pair_count)) {
        return false;
    }
    carom_clearance *list = calloc(pair_count + 1, sizeof *list);
    for (size_t k = 0; list && k < pair_count; ++k) {
        int a = pairs[k].a;
        int b = pairs[k].b;
        double gap = gap_of_pair(p, a, b, reach);
        if (gap < reach) {
            double size = fmin(size_of(c[a].collider), size_of(c[b].collider));
            list[(*count)++] = (carom_clearance){ { c[a].body, c[b].body }, gap, size };
        }
    }
    *count = list ? merge_shapes(list, *count) : 0;
    *out = list;
    return list != NULL;
}

carom_status carom_observe_clearances(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                                      double reach, carom_clearance **out, size_t *count, carom_error *err)
{
    carom_arena arena = { 0 };
    broad_phase *broad = broad_phase_create();
    placed_colliders p = { .model = model,
                           .pose_w = CAROM_ARENA_ARRAY(&arena, carom_pose, model->collider_count),
                           .box_w = CAROM_ARENA_ARRAY(&arena, obb, model->collider_count),
                           .bounds_w = CAROM_ARENA_ARRAY(&arena, aabb, model->collider_count) };
    bool found = broad && !arena.failed;
    *out = NULL;
    *count = 0;
    if (found) {
        work_place(scratch, *state->time, state->pose, state->rate);
        place(&p, scratch, reach);
        found = find_clearances(&p, broad, reach, out, count);
    }
    broad_phase_destroy(broad);
    carom_arena_free(&arena);
    return found ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for clearances");
}
