/* The workspace, and what others see of contacts. */
#include <stdlib.h>

#include "methods/constraint/constraint_work.h"

static carom_status create(void **self, const carom_model *model, carom_error *err)
{
    constraint_work *cw = calloc(1, sizeof *cw);
    if (!cw) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    cw->model = model;
    cw->options = model->method_options;
    cw->by_penalty = cw->options->penalty > 0.0;
    cw->rate_before = CAROM_ARENA_ARRAY(&cw->arena, body_rate, model->body_count);
    cw->rate_tried = CAROM_ARENA_ARRAY(&cw->arena, body_rate, model->body_count);
    cw->joint_extra = CAROM_ARENA_ARRAY(&cw->arena, double, model->row_count);
    cw->q_dot_before = CAROM_ARENA_ARRAY(&cw->arena, double, model->deform_count);
    for (int i = 0; i < model->body_count; ++i) {
        int width = body_deforms(&model->bodies[i]) ? model->bodies[i].width : 0;
        cw->widest = width > cw->widest ? width : cw->widest;
    }
    contact_totals_create(&cw->totals, &cw->arena, model);
    *self = cw;
    return cw->arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory") : near_create(&cw->rigid, model, err);
}

static void destroy(void *self)
{
    constraint_work *cw = self;
    if (cw) {
        near_destroy(cw->rigid);
        free(cw->near);
        free(cw->direct);
        free(cw->unknowns);
        free(cw->ends[0]);
        free(cw->ends[1]);
        free(cw->contacts);
        free(cw->rows);
        free(cw->W);
        free(cw->u);
        free(cw->columns);
        free(cw->sums);
        contact_points_free(&cw->points);
        carom_arena_free(&cw->response_arena);
        carom_arena_free(&cw->arena);
        free(cw);
    }
}

static void load(void *self, const carom_state *s)
{
    load_records(self, s);
}

/* Frames lie within steps in flight only, where nothing touches. */
static void look_back(void *self)
{
    constraint_work *cw = self;
    cw->sum_count = 0;
}

/* Forces of contacts are impulses of the step; an evaluation shows them and adds none. */
static bool apply(void *self, carom_scratch *w)
{
    constraint_work *cw = self;
    if (!cw->stepping) {
        make_points(cw, w);
    }
    return !cw->load_failed;
}

static const carom_contact_point *points(void *self, int *count)
{
    constraint_work *cw = self;
    *count = cw->points.count;
    return cw->points.items;
}

static const model_interaction *interaction(const void *self, int point)
{
    const constraint_work *cw = self;
    return cw->points.interactions[point];
}

static contact_totals totals(const void *self)
{
    const constraint_work *cw = self;
    return cw->totals;
}

const contact_forces constraint_forces = {
    .create = create,
    .destroy = destroy,
    .load = load,
    .look_back = look_back,
    .apply = apply,
    .points = points,
    .interaction = interaction,
    .totals = totals,
};
