/* Whether a run may begin where its state stands.
 *
 * Events are gaps that close: what is closed beyond touching when the run begins has no event, and impacts would never find
 * it. Overlaps are therefore looked for once, by fields, which see them however deep they are; likewise stops and clearances
 * of joints. A little is rounding of the scene's numbers and counts as touching. */
#include "methods/impact/admit.h"

#include <math.h>
#include <stdio.h>

#include "methods/impact/active_set.h"
#include "model/colliders.h"

static const double ROUNDING = 1e-6; /* of the smaller shape, of the model's length scale */

/* ---- surfaces ------------------------------------------------------------------------------------------------------ */

typedef struct overlap {
    int a, b;     /* colliders */
    double depth; /* [m] */
    double part;  /* of the smaller shape */
    size_t count; /* pairs that overlap */
} overlap;

static void note_overlap(overlap *worst, const carom_model *model, int a, int b, double depth)
{
    double size = fmin(model_collider_size(&model->colliders[a]), model_collider_size(&model->colliders[b]));
    double part = depth / (isfinite(size) ? size : model->length_scale);
    if (!(part > ROUNDING)) {
        return;
    }
    worst->count++;
    if (part > worst->part) {
        *worst = (overlap){ .a = a, .b = b, .depth = depth, .part = part, .count = worst->count };
    }
}

/* False when memory runs out. */
static bool find_overlap(near_search *near, const carom_model *model, overlap *worst)
{
    const box_pair *pairs = NULL;
    size_t count = 0;
    bool ok = near_find(near, &pairs, &count);
    *worst = (overlap){ 0 };
    for (size_t k = 0; k < count && ok; ++k) {
        double gap = 0.0;
        if (obb_gap(&near->box_w[pairs[k].a], &near->box_w[pairs[k].b]) < 0.0) {
            ok = model_pair_gap(model, pairs[k].a, pairs[k].b, near->pose_w, 0.0, &gap);
        }
        note_overlap(worst, model, pairs[k].a, pairs[k].b, -gap);
    }
    return ok;
}

/* Of two colliders' bodies the one that the scene defines later: it was put where the other is already. */
static int later_body(const carom_model *model, int a, int b)
{
    int x = model->colliders[a].body;
    int y = model->colliders[b].body;
    return x > y ? x : y;
}

static carom_status check_surfaces(const impact_work *iw, const carom_state *s, carom_error *err)
{
    const carom_model *model = iw->model;
    overlap worst;
    near_place(iw->near, s->pose, NULL, NULL);
    if (!find_overlap(iw->near, model, &worst)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    if (worst.count == 0) {
        return CAROM_OK;
    }
    char others[48] = "";
    if (worst.count > 1) {
        snprintf(others, sizeof others, ", and %zu more pairs do", worst.count - 1);
    }
    int body = later_body(model, worst.a, worst.b);
    carom_fail(err, CAROM_INTERSECTING,
               "'%.100s' and '%.100s' start %.3g m inside each other (%.3g %% of the smaller one)%s; the method "
               "'impact' needs a start without overlap: move them apart, or let them ignore each other in "
               "contact.pairs",
               model->bodies[model->colliders[worst.a].body].name, model->bodies[model->colliders[worst.b].body].name,
               worst.depth, 100.0 * worst.part, others);
    return model_blame_body(model, body, NULL, CAROM_INTERSECTING, err);
}

/* ---- joints -------------------------------------------------------------------------------------------------------- */

static double rounding_of(const contact *s, const carom_model *model)
{
    double length = ROUNDING * model->length_scale;
    return s->kind == CONTACT_PLAY ? fmin(length, 0.01 * model->joints[s->a].clearance) : length;
}

static carom_status beyond_stop(const contact *s, const carom_model *model, double depth, carom_error *err)
{
    const model_joint *joint = &model->joints[s->a];
    const model_joint_limit *limit = &joint->limits[s->b];
    const joint_coordinate *coordinate = &joint->type->coordinates[limit->coordinate];
    bool upper = s->feature.feature[0] == 1;
    const char *unit = coordinate->angle ? "rad" : "m";
    carom_fail(
        err, CAROM_INTERSECTING,
        "joint '%.100s' starts %.3g %s beyond its stop: the %s of its %s is %.4g %s; start it within its limits, "
        "or move the limit",
        joint->name, depth / contact_arm(s, model), unit, upper ? "maximum" : "minimum", coordinate->name,
        upper ? limit->max : limit->min, unit);
    return model_blame_joint(model, s->a, "limits", CAROM_INTERSECTING, err);
}

static carom_status check_contact(const contact *s, const carom_model *model, const carom_state *state,
                                  carom_error *err)
{
    contact_bodies bodies = { { state->pose[s->body[0]], state->pose[s->body[1]] },
                              { state->rate[s->body[0]], state->rate[s->body[1]] } };
    gap_value g;
    contact_gap(s, model, &bodies, state->near, &g);
    if (!(g.gap < -rounding_of(s, model))) {
        return CAROM_OK;
    }
    if (s->kind == CONTACT_STOP) {
        return beyond_stop(s, model, -g.gap, err);
    }
    const model_joint *joint = &model->joints[s->a];
    carom_fail(
        err, CAROM_INTERSECTING,
        "joint '%.100s' starts %.3g m beyond its clearance of %.3g m; bring \"at_b\", the frames or the bodies "
        "nearer, or give it more",
        joint->name, -g.gap, joint->clearance);
    return model_blame_joint(model, s->a, "clearance", CAROM_INTERSECTING, err);
}

static carom_status check_joints(const carom_model *model, const carom_state *s, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int j = 0; j < model->joint_count && status == CAROM_OK; ++j) {
        contact contacts[CONTACT_PER_JOINT];
        int count = contact_of_joint(model, j, contacts);
        for (int k = 0; k < count && status == CAROM_OK; ++k) {
            status = check_contact(&contacts[k], model, s, err);
        }
    }
    return status;
}

carom_status impact_admit(const carom_state *state, carom_scratch *scratch, carom_error *err)
{
    const impact_work *iw = scratch->contact;
    carom_status status = check_joints(iw->model, state, err);
    return status == CAROM_OK ? check_surfaces(iw, state, err) : status;
}
