/* What a user should know about contact before a run: the colliders of a model, the rules between them, and clearances
 * at a state, found by the same boxes, fields and detection points as contacts are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/contact.h>

#include "base/arguments.h"
#include "dynamics/work.h"
#include "model/colliders.h"
#include "model/method.h"
#include "model/near.h"

/* ---- colliders --------------------------------------------------------------------------------------------------- */

int carom_model_collider_count(const carom_model *model)
{
    return model ? model->collider_count : 0;
}

carom_collider_info carom_model_collider(const carom_model *model, int index)
{
    if (!model || index < 0 || index >= model->collider_count) {
        return (carom_collider_info){ .body = CAROM_NONE };
    }
    const model_collider *c = &model->colliders[index];
    const model_shape *shape = &model->bodies[c->body].shapes[c->shape];
    const sdf_info *field = collider_field(c->collider);
    return (carom_collider_info){ .body = c->body,
                                  .shape = shape->type->kind.name,
                                  .material = shape->material,
                                  .size = model_collider_size(c),
                                  .points = collider_is_exact(c->collider) ? collider_element_count(c->collider)
                                                                           : collider_point_count(c->collider),
                                  .depth = collider_is_exact(c->collider) ? 0 : collider_depth(c->collider),
                                  .field = field ? sdf_kind_name(field->kind) : NULL,
                                  .nodes = field ? field->node_count : 0,
                                  .build = field && !field->from_cache ? field->build_seconds : 0.0,
                                  .spacing = field ? field->spacing : 0.0,
                                  .error = field ? field->error_bound : 0.0,
                                  .exact = collider_is_exact(c->collider),
                                  .why_points = collider_why_points(c->collider) };
}

/* ---- clearances -------------------------------------------------------------------------------------------------- */

static bool gap_of_pair(const near_search *n, int a, int b, double limit, double *gap)
{
    *gap = limit;
    return obb_gap(&n->box_w[a], &n->box_w[b]) >= limit || model_pair_gap(n->model, a, b, n->pose_w, limit, gap);
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

static bool find_clearances(near_search *n, double reach, carom_clearance **out, size_t *count)
{
    const box_pair *pairs = NULL;
    size_t pair_count = 0;
    const model_collider *c = n->model->colliders;
    if (!near_find(n, &pairs, &pair_count)) {
        return false;
    }
    carom_clearance *list = *out = calloc(pair_count + 1, sizeof *list);
    bool ok = list != NULL;
    for (size_t k = 0; ok && k < pair_count; ++k) {
        int a = pairs[k].a;
        int b = pairs[k].b;
        double gap;
        ok = gap_of_pair(n, a, b, reach, &gap);
        if (ok && gap < reach) {
            double size = fmin(model_collider_size(&c[a]), model_collider_size(&c[b]));
            list[(*count)++] = (carom_clearance){ { c[a].body, c[b].body }, gap, size };
        }
    }
    *count = ok ? merge_shapes(list, *count) : 0;
    return ok;
}

static carom_status check_clearances(const carom_model *model, const carom_state *state, const carom_scratch *scratch,
                                     double reach, carom_clearance **out, size_t *count, carom_error *err)
{
    const char *function = "carom_observe_clearances";
    const argument needed[] = { { "out", out }, { "count", count } };
    carom_status status = arguments_given(function, needed, 2, err);
    if (status == CAROM_OK) {
        *out = NULL;
        *count = 0;
    }
    status = status == CAROM_OK ? work_check(function, model, state, scratch, err) : status;
    return status == CAROM_OK ? argument_nonnegative(function, "reach", reach, "m", err) : status;
}

void carom_clearances_destroy(carom_clearance *list)
{
    free(list);
}

carom_status carom_observe_clearances(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                                      double reach, carom_clearance **out, size_t *count, carom_error *err)
{
    near_search *near = NULL;
    carom_status status = check_clearances(model, state, scratch, reach, out, count, err);
    if (status != CAROM_OK) {
        return status;
    }
    status = near_create(&near, model, err);
    double *margin = calloc((size_t)model->collider_count + 1, sizeof *margin);
    for (int i = 0; margin && i < model->collider_count; ++i) {
        margin[i] = 0.5 * reach; /* both sides of a pair have it */
    }
    if (status == CAROM_OK && margin) {
        work_place(scratch, *state->time, state_motion(state));
        near_place(near, scratch->pose, scratch->q, margin);
    }
    if (status == CAROM_OK && !(margin && find_clearances(near, reach, out, count))) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory for clearances");
        free(*out);
        *out = NULL;
    }
    near_destroy(near);
    free(margin);
    return status;
}

carom_status carom_check_start(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                               carom_error *err)
{
    carom_status status = work_check("carom_check_start", model, state, scratch, err);
    if (status != CAROM_OK) {
        return status;
    }
    return model->method->admit ? model->method->admit(state, scratch, err) : CAROM_OK;
}
