#include "contact/rows.h"

double contact_row_frame(const double row[FRAME_COLUMNS], const body_rate *rate)
{
    return v3_dot(v3_load(row), rate->v_w) + v3_dot(v3_load(row + 3), rate->omega_w);
}

static double row_side(const contact_row *row, int side, const carom_scratch *w, motion_rates of)
{
    const double *F = side == 0 ? row->a : row->b;
    int body = row->body[side];
    const model_body *b = &w->model->bodies[body];
    double rate = contact_row_frame(F, &of.rate[body]);
    for (int k = 0; row->columns[side] && k < body_coordinate_count(b); ++k) {
        rate += row->columns[side][FRAME_COLUMNS + k] * of.q_dot[b->first_deform + k];
    }
    bool deforms = body_deforms(b) && !row->columns[side];
    return deforms ? rate + work_row_deformation(w, contact_row_place(row, side), F, of.q_dot) : rate;
}

double contact_row_times(const contact_row *row, const carom_scratch *w, motion_rates of)
{
    return row_side(row, 0, w, of) + row_side(row, 1, w, of);
}

contact_row contact_row_at(const carom_scratch *w, const int body[2], v3 p_w, v3 d_w)
{
    contact_row row = { .body = { body[0], body[1] } };
    v3 r_a = v3_sub(p_w, w->pose[body[0]].x_w);
    v3 r_b = v3_sub(p_w, w->pose[body[1]].x_w);
    v3_store(row.a, d_w);
    v3_store(row.a + 3, v3_cross(r_a, d_w));
    v3_store(row.b, v3_neg(d_w));
    v3_store(row.b + 3, v3_neg(v3_cross(r_b, d_w)));
    return row;
}

/* Coordinate minus minimum, or maximum minus coordinate. */
static void evaluate_stop(const contact *c, const carom_scratch *w, contact_value *out)
{
    const model_joint *joint = &w->model->joints[c->a];
    const model_joint_limit *limit = &joint->limits[c->b];
    int index = joint->first_coordinate + limit->coordinate;
    double sign = contact_stop_sign(c, w->model);
    *out = (contact_value){ .gap = { .gap = sign * (w->coordinate[index] - contact_stop_at(c, w->model)),
                                     .rate = sign * w->coordinate_rate[index],
                                     .jdot_v = sign * w->coordinate_jdot_v[index],
                                     .normal_w = v3_scale(sign < 0.0 ? -1.0 : 1.0, marker_z(&w->frames[c->a].a)),
                                     .point_w = w->frames[c->a].a.p_w },
                            .normal = { .body = { c->body[0], c->body[1] },
                                        .point = { &joint->marker_c[0], &joint->marker_c[1] } } };
    for (int k = 0; k < FRAME_COLUMNS; ++k) {
        out->normal.a[k] = sign * w->coordinate_rows[c->a].a[limit->coordinate][k];
        out->normal.b[k] = sign * w->coordinate_rows[c->a].b[limit->coordinate][k];
    }
    out->normal.jdot_v = out->gap.jdot_v;
}

void contact_evaluate(const contact *c, const carom_scratch *w, contact_value *out)
{
    if (c->kind == CONTACT_STOP) {
        evaluate_stop(c, w, out);
        return;
    }
    gap_motion a = contact_motion(&w->pose[c->body[0]], &w->rate[c->body[0]]);
    gap_motion b = contact_motion(&w->pose[c->body[1]], &w->rate[c->body[1]]);
    gap_measure(&c->feature, &a, &b, &out->gap);
    out->normal = contact_row_at(w, c->body, out->gap.point_w, out->gap.normal_w);
    out->normal.jdot_v = out->gap.jdot_v;
}

/* The place of contact moves over both bodies: d/dt [omega x (p - x)] = omega x (p' - v) while omega' = 0. */
contact_row contact_tangent_row(const contact *c, const contact_value *value, const carom_scratch *w, v3 t_w)
{
    contact_row row = contact_row_at(w, c->body, value->gap.point_w, t_w);
    const body_rate *a = &w->rate[c->body[0]];
    const body_rate *b = &w->rate[c->body[1]];
    v3 over_a = v3_cross(a->omega_w, v3_sub(value->gap.point_dot_w, a->v_w));
    v3 over_b = v3_cross(b->omega_w, v3_sub(value->gap.point_dot_w, b->v_w));
    row.jdot_v = v3_dot(t_w, v3_sub(over_a, over_b));
    return row;
}
