#include "contact/candidate.h"

#include <string.h>

#include "base/array.h"
#include "contact/clearance.h"
#include "contact/rows.h"
#include "model/colliders.h"

/* ---- lists --------------------------------------------------------------------------------------------------------- */

bool contact_list_push(contact_list *list, const contact *c)
{
    if (!CAROM_ARRAY_RESERVE(list->items, list->capacity, list->count + 1)) {
        return false;
    }
    list->items[list->count++] = *c;
    return true;
}

bool contact_list_copy(contact_list *to, const contact_list *from)
{
    if (!CAROM_ARRAY_RESERVE(to->items, to->capacity, from->count)) {
        return false;
    }
    to->count = from->count;
    if (from->count > 0) {
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    }
    return true;
}

static int order(long x, long y)
{
    return (x > y) - (x < y);
}

int contact_compare(const contact *x, const contact *y)
{
    const long keys[][2] = {
        { x->body[0], y->body[0] },
        { x->body[1], y->body[1] },
        { x->kind, y->kind },
        { x->a, y->a },
        { x->b, y->b },
        { x->feature.kind, y->feature.kind },
        { x->feature.swapped, y->feature.swapped },
        { x->feature.feature[0], y->feature.feature[0] },
        { x->feature.feature[1], y->feature.feature[1] },
    };
    int result = 0;
    for (size_t k = 0; k < sizeof keys / sizeof *keys && result == 0; ++k) {
        result = order(keys[k][0], keys[k][1]);
    }
    return result;
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

static strike_law law_of(int restitution_law)
{
    switch (restitution_law) {
    case CAROM_RESTITUTION_POISSON:
        return STRIKE_POISSON;
    case CAROM_RESTITUTION_NEWTON:
        return STRIKE_NEWTON;
    default:
        return STRIKE_ENERGETIC;
    }
}

static void take_interaction(contact *c, const model_interaction *i)
{
    c->interaction = i;
    c->mu = i->mu;
    c->law = (strike_contact){
        .law = law_of(i->restitution_law), .restitution = i->restitution, .impulse = i->impulse, .stiffness = 1.0
    };
}

gap_pair contact_colliders(const carom_model *model, int a, int b)
{
    const model_collider *x = &model->colliders[a];
    const model_collider *y = &model->colliders[b];
    return (gap_pair){ .a = x->collider, .b = y->collider, .pose_c = { x->pose_c, y->pose_c } };
}

contact contact_of_surface(const carom_model *model, int a, int b, const gap_feature *feature)
{
    contact c = { .kind = CONTACT_SURFACE,
                  .a = a,
                  .b = b,
                  .body = { model->colliders[a].body, model->colliders[b].body },
                  .feature = *feature };
    take_interaction(&c, model_interaction_of(model, a, b));
    return c;
}

static contact stop(const carom_model *model, int joint, int limit, bool upper)
{
    const model_joint *j = &model->joints[joint];
    return (contact){ .kind = CONTACT_STOP,
                      .a = joint,
                      .b = limit,
                      .body = { j->body[0], j->body[1] },
                      .feature = { .mode = CAROM_MODE_STOP, .feature = { upper, 0 } },
                      .law = { .law = STRIKE_ENERGETIC,
                               .restitution = j->limits[limit].restitution,
                               .impulse = (double)NAN,
                               .stiffness = 1.0 } };
}

static contact play(const carom_model *model, int joint, const gap_feature *feature)
{
    const model_joint *j = &model->joints[joint];
    contact c = { .kind = CONTACT_PLAY, .a = joint, .feature = *feature };
    clearance_orient(j, &c.feature, c.body);
    take_interaction(&c, j->interaction);
    return c;
}

/* Stops at the ends of all limits. */
static int list_stops(const carom_model *model, int joint, contact out[CONTACT_PER_JOINT])
{
    const model_joint *j = &model->joints[joint];
    int count = 0;
    for (int k = 0; k < j->limit_count && count + 2 <= CONTACT_PER_JOINT; ++k) {
        if (isfinite(j->limits[k].min)) {
            out[count++] = stop(model, joint, k, false);
        }
        if (isfinite(j->limits[k].max)) {
            out[count++] = stop(model, joint, k, true);
        }
    }
    return count;
}

int contact_of_joint(const carom_model *model, int joint, contact out[CONTACT_PER_JOINT])
{
    const model_joint *j = &model->joints[joint];
    gap_feature features[CLEARANCE_MOST];
    int count = list_stops(model, joint, out);
    int plays = clearance_features(j, features);
    plays = plays > CLEARANCE_FACING && !clearance_turns_around(j) ? CLEARANCE_FACING : plays;
    for (int k = 0; k < plays && count < CONTACT_PER_JOINT; ++k) {
        out[count++] = play(model, joint, &features[k]);
    }
    return count;
}

void contact_flip(contact *c)
{
    c->feature.side = -c->feature.side;
    if (c->feature.kind == GAP_POINT_PLANE) {
        c->feature.d_c[1] = v3_neg(c->feature.d_c[1]);
    }
}

/* ---- measuring ---------------------------------------------------------------------------------------------------- */

gap_motion contact_motion(const body_pose *pose, const body_rate *rate)
{
    return (gap_motion){ { pose->x_w, pose->q_wb }, rate->v_w, rate->omega_w };
}

double contact_arm(const contact *c, const carom_model *model)
{
    if (c->kind != CONTACT_STOP) {
        return 1.0;
    }
    const model_joint *joint = &model->joints[c->a];
    bool angle = joint->type->coordinates[joint->limits[c->b].coordinate].angle;
    return angle ? model->length_scale : 1.0;
}

/* The sign makes the gap positive inside the range. */
double contact_stop_sign(const contact *c, const carom_model *model)
{
    return c->feature.feature[0] == 1 ? -contact_arm(c, model) : contact_arm(c, model);
}

double contact_stop_at(const contact *c, const carom_model *model)
{
    const model_joint_limit *limit = &model->joints[c->a].limits[c->b];
    return c->feature.feature[0] == 1 ? limit->max : limit->min;
}

static void stop_gap(const contact *c, const carom_model *model, const contact_bodies *bodies, const double *near,
                     gap_value *out)
{
    const model_joint *joint = &model->joints[c->a];
    int which = joint->limits[c->b].coordinate;
    m3 R_w[2] = { q_matrix(bodies->pose[0].q_wb), q_matrix(bodies->pose[1].q_wb) };
    carom_joint_frames frames = {
        .a = marker_on(&bodies->pose[0], &R_w[0], &bodies->rate[0], &joint->marker_c[0]),
        .b = marker_on(&bodies->pose[1], &R_w[1], &bodies->rate[1], &joint->marker_c[1]),
    };
    memcpy(frames.near, near + joint->first_coordinate, (size_t)joint->type->coordinate_count * sizeof *near);
    double q[JOINT_COORDINATES];
    carom_joint_rows rows;
    joint->type->coordinate(q, &frames, joint->params);
    joint->type->coordinate_jacobian(&rows, &frames, joint->params);
    double rate = contact_row_frame(rows.a[which], &bodies->rate[0]) +
                  contact_row_frame(rows.b[which], &bodies->rate[1]);
    double sign = contact_stop_sign(c, model);
    *out = (gap_value){ .gap = sign * (q[which] - contact_stop_at(c, model)), .rate = sign * rate };
}

void contact_gap(const contact *c, const carom_model *model, const contact_bodies *bodies, const double *near,
                 gap_value *out)
{
    if (c->kind == CONTACT_STOP) {
        stop_gap(c, model, bodies, near, out);
        return;
    }
    gap_motion a = contact_motion(&bodies->pose[0], &bodies->rate[0]);
    gap_motion b = contact_motion(&bodies->pose[1], &bodies->rate[1]);
    gap_measure(&c->feature, &a, &b, out);
}
