/* Sites of contact: what they are, how they are measured. */
#include "methods/impact/site.h"

#include <string.h>

#include "base/array.h"
#include "model/colliders.h"

/* ---- lists --------------------------------------------------------------------------------------------------------- */

bool site_list_push(site_list *list, const site *s)
{
    site *items = carom_array_grow(list->items, &list->capacity, list->count + 1, sizeof *items);
    if (!items) {
        return false;
    }
    list->items = items;
    list->items[list->count++] = *s;
    return true;
}

bool site_list_copy(site_list *to, const site_list *from)
{
    site *items = carom_array_grow(to->items, &to->capacity, from->count, sizeof *items);
    if (!items) {
        return false;
    }
    to->items = items;
    to->count = from->count;
    memcpy(to->items, from->items ? from->items : items, from->count * sizeof *items);
    return true;
}

static int order(long x, long y)
{
    return (x > y) - (x < y);
}

int site_compare(const site *x, const site *y)
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

static void take_interaction(site *s, const model_interaction *i)
{
    s->interaction = i;
    s->mu = i->mu;
    s->law = (strike_contact){
        .law = law_of(i->restitution_law), .restitution = i->restitution, .impulse = i->impulse, .stiffness = 1.0
    };
}

gap_pair site_pair(const carom_model *model, int a, int b)
{
    const model_collider *x = &model->colliders[a];
    const model_collider *y = &model->colliders[b];
    return (gap_pair){ .a = x->collider, .b = y->collider, .pose_c = { x->pose_c, y->pose_c } };
}

site site_of_surface(const carom_model *model, int a, int b, const gap_feature *feature)
{
    site s = { .kind = SITE_SURFACE,
               .a = a,
               .b = b,
               .body = { model->colliders[a].body, model->colliders[b].body },
               .feature = *feature };
    take_interaction(&s, model_interaction_of(model, a, b));
    return s;
}

static site stop(const carom_model *model, int joint, int limit, bool upper)
{
    const model_joint *j = &model->joints[joint];
    return (site){ .kind = SITE_STOP,
                   .a = joint,
                   .b = limit,
                   .body = { j->body[0], j->body[1] },
                   .feature = { .mode = CAROM_MODE_STOP, .feature = { upper, 0 } },
                   .law = { .law = STRIKE_ENERGETIC,
                            .restitution = j->limits[limit].restitution,
                            .impulse = (double)NAN,
                            .stiffness = 1.0 } };
}

/* A site of a joint with clearance: generator 0 sits on the joint's B, generator 1 on its A. */
static site play(const carom_model *model, int joint, const gap_feature *feature)
{
    const model_joint *j = &model->joints[joint];
    bool ascending = j->body[0] < j->body[1];
    site s = {
        .kind = SITE_PLAY, .a = joint, .body = { j->body[!ascending], j->body[ascending] }, .feature = *feature
    };
    s.feature.swapped = ascending;
    take_interaction(&s, j->interaction);
    return s;
}

static site journal(const carom_model *model, int joint)
{
    const model_joint *j = &model->joints[joint];
    gap_feature f = { .kind = GAP_POINT_IN_RING,
                      .mode = CAROM_MODE_JOURNAL,
                      .c_c = { j->marker_c[1].position, j->marker_c[0].position },
                      .d_c = { v3_zero(), q_rotate(j->marker_c[0].orientation, v3_make(0.0, 0.0, 1.0)) },
                      .side = 1.0,
                      .radius = j->clearance,
                      .ring = j->bearing_radius };
    return play(model, joint, &f);
}

/* One of the slider's four corners, half its width off its middle, against the wall it faces: x = +-(half width +
 * clearance) in A's axes. From the fifth on: against the other wall, which it faces when the slider has turned around. */
static site corner(const carom_model *model, int joint, int which)
{
    const model_joint *j = &model->joints[joint];
    double end = which % 2 == 0 ? -0.5 : 0.5;
    double side = which / 2 % 2 == 0 ? -1.0 : 1.0;
    double wall = which / 4 == 0 ? side : -side;
    v3 corner_b = v3_make(side * j->bearing_radius, 0.0, end * j->guide_length);
    v3 x_c = q_rotate(j->marker_c[0].orientation, v3_make(wall, 0.0, 0.0));
    gap_feature f = { .kind = GAP_POINT_PLANE,
                      .mode = CAROM_MODE_GUIDE,
                      .feature = { (uint32_t)which, 0 },
                      .c_c = { v3_add(j->marker_c[1].position, q_rotate(j->marker_c[1].orientation, corner_b)),
                               v3_axpy(j->marker_c[0].position, j->bearing_radius + j->clearance, x_c) },
                      .d_c = { v3_zero(), v3_neg(x_c) },
                      .side = 1.0 };
    return play(model, joint, &f);
}

/* Whether a slider is so short and so loose that nothing keeps it from turning around in its guide. */
static bool turns_around(const model_joint *j)
{
    return hypot(j->bearing_radius, 0.5 * j->guide_length) <= j->bearing_radius + j->clearance;
}

int site_of_joint(const carom_model *model, int joint, site out[SITE_PER_JOINT])
{
    const model_joint *j = &model->joints[joint];
    int count = 0;
    for (int k = 0; k < j->limit_count && count + 2 <= SITE_PER_JOINT; ++k) {
        if (isfinite(j->limits[k].min)) {
            out[count++] = stop(model, joint, k, false);
        }
        if (isfinite(j->limits[k].max)) {
            out[count++] = stop(model, joint, k, true);
        }
    }
    if (j->clearance > 0.0 && j->guide_length > 0.0) {
        int corners = turns_around(j) ? 8 : 4;
        for (int k = 0; k < corners && count < SITE_PER_JOINT; ++k) {
            out[count++] = corner(model, joint, k);
        }
    } else if (j->clearance > 0.0 && count < SITE_PER_JOINT) {
        out[count++] = journal(model, joint);
    }
    return count;
}

void site_flip(site *s)
{
    s->feature.side = -s->feature.side;
    if (s->feature.kind == GAP_POINT_PLANE) {
        s->feature.d_c[1] = v3_neg(s->feature.d_c[1]);
    }
}

static double row_side(const double row[6], const body_rate *rate)
{
    return v3_dot(v3_load(row), rate->v_w) + v3_dot(v3_load(row + 3), rate->omega_w);
}

/* ---- measuring ---------------------------------------------------------------------------------------------------- */

gap_motion site_motion(const body_pose *pose, const body_rate *rate)
{
    return (gap_motion){ { pose->x_w, pose->q_wb }, rate->v_w, rate->omega_w };
}

double site_arm(const site *s, const carom_model *model)
{
    if (s->kind != SITE_STOP) {
        return 1.0;
    }
    const model_joint *joint = &model->joints[s->a];
    bool angle = joint->type->coordinates[joint->limits[s->b].coordinate].angle;
    return angle ? model->length_scale : 1.0;
}

/* The sign makes the gap positive inside the range. */
static double stop_sign(const site *s, const carom_model *model)
{
    return s->feature.feature[0] == 1 ? -site_arm(s, model) : site_arm(s, model);
}

static double stop_at(const site *s, const carom_model *model)
{
    const model_joint_limit *limit = &model->joints[s->a].limits[s->b];
    return s->feature.feature[0] == 1 ? limit->max : limit->min;
}

static void stop_gap(const site *s, const carom_model *model, const site_bodies *bodies, const double *near,
                     gap_value *out)
{
    const model_joint *joint = &model->joints[s->a];
    int c = joint->limits[s->b].coordinate;
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
    double rate = row_side(rows.a[c], &bodies->rate[0]) + row_side(rows.b[c], &bodies->rate[1]);
    double sign = stop_sign(s, model);
    *out = (gap_value){ .gap = sign * (q[c] - stop_at(s, model)), .rate = sign * rate };
}

void site_gap(const site *s, const carom_model *model, const site_bodies *bodies, const double *near, gap_value *out)
{
    if (s->kind == SITE_STOP) {
        stop_gap(s, model, bodies, near, out);
        return;
    }
    gap_motion a = site_motion(&bodies->pose[0], &bodies->rate[0]);
    gap_motion b = site_motion(&bodies->pose[1], &bodies->rate[1]);
    gap_measure(&s->feature, &a, &b, out);
}

/* The velocity of A's material point at p relative to B's, along d. */
static site_row row_at(const site *s, const carom_scratch *w, v3 p_w, v3 d_w)
{
    site_row row = { .body = { s->body[0], s->body[1] } };
    v3 r_a = v3_sub(p_w, w->pose[s->body[0]].x_w);
    v3 r_b = v3_sub(p_w, w->pose[s->body[1]].x_w);
    v3_store(row.a, d_w);
    v3_store(row.a + 3, v3_cross(r_a, d_w));
    v3_store(row.b, v3_neg(d_w));
    v3_store(row.b + 3, v3_neg(v3_cross(r_b, d_w)));
    return row;
}

/* Coordinate minus minimum, or maximum minus coordinate. */
static void measure_stop(const site *s, const carom_scratch *w, site_value *out)
{
    const model_joint *joint = &w->model->joints[s->a];
    const model_joint_limit *limit = &joint->limits[s->b];
    int index = joint->first_coordinate + limit->coordinate;
    double sign = stop_sign(s, w->model);
    *out = (site_value){ .gap = { .gap = sign * (w->coordinate[index] - stop_at(s, w->model)),
                                  .rate = sign * w->coordinate_rate[index],
                                  .jdot_v = sign * w->coordinate_jdot_v[index],
                                  .normal_w = v3_scale(sign < 0.0 ? -1.0 : 1.0, marker_z(&w->frames[s->a].a)),
                                  .point_w = w->frames[s->a].a.p_w },
                         .normal = { .body = { s->body[0], s->body[1] } } };
    for (int k = 0; k < 6; ++k) {
        out->normal.a[k] = sign * w->coordinate_rows[s->a].a[limit->coordinate][k];
        out->normal.b[k] = sign * w->coordinate_rows[s->a].b[limit->coordinate][k];
    }
    out->normal.jdot_v = out->gap.jdot_v;
}

void site_measure(const site *s, const carom_scratch *w, site_value *out)
{
    if (s->kind == SITE_STOP) {
        measure_stop(s, w, out);
        return;
    }
    gap_motion a = site_motion(&w->pose[s->body[0]], &w->rate[s->body[0]]);
    gap_motion b = site_motion(&w->pose[s->body[1]], &w->rate[s->body[1]]);
    gap_measure(&s->feature, &a, &b, &out->gap);
    out->normal = row_at(s, w, out->gap.point_w, out->gap.normal_w);
    out->normal.jdot_v = out->gap.jdot_v;
}

double site_row_times(const site_row *row, const body_rate *rate)
{
    return row_side(row->a, &rate[row->body[0]]) + row_side(row->b, &rate[row->body[1]]);
}

/* The place of contact moves over both bodies: d/dt [omega x (p - x)] = omega x (p' - v) while omega' = 0. */
site_row site_tangent(const site *s, const site_value *value, const carom_scratch *w, v3 t_w)
{
    site_row row = row_at(s, w, value->gap.point_w, t_w);
    const body_rate *a = &w->rate[s->body[0]];
    const body_rate *b = &w->rate[s->body[1]];
    v3 over_a = v3_cross(a->omega_w, v3_sub(value->gap.point_dot_w, a->v_w));
    v3 over_b = v3_cross(b->omega_w, v3_sub(value->gap.point_dot_w, b->v_w));
    row.jdot_v = v3_dot(t_w, v3_sub(over_a, over_b));
    return row;
}
