/* Packing motion into a vector and back. */
#include "dynamics/unknowns.h"

#include "dynamics/columns.h"

#include <string.h>

motion_point unknowns_of_state(const carom_state *s)
{
    return (motion_point){ s->pose, s->rate, s->acceleration, s->q_dot, s->q_ddot, s->z_dot, s->power };
}

motion_point unknowns_of_work(const carom_scratch *w)
{
    return (motion_point){ w->pose, w->rate, w->acceleration, w->q_dot, w->q_ddot, w->z_dot, &w->power };
}

static void put_coordinates(const carom_model *model, const double *q, const double *q_dot, double *y)
{
    if (model->deform_count > 0) {
        memcpy(y + unknowns_first_q(model), q, (size_t)model->deform_count * sizeof *y);
        memcpy(y + unknowns_first_q_dot(model), q_dot, (size_t)model->deform_count * sizeof *y);
    }
}

static void put_integrals(const carom_model *model, const double *z, double *y)
{
    if (model->integral_count > 0) {
        memcpy(y + unknowns_first_z(model), z, (size_t)model->integral_count * sizeof *y);
    }
}

void unknowns_scales(const carom_model *model, double linear_speed, double angular_speed, const double *z,
                     double *scale)
{
    double L = model->length_scale;
    for (int k = 0; k < model->integral_count; ++k) {
        scale[unknowns_first_z(model) + k] = fmax(model->integrals[k].size, fabs(z[k]));
    }
    for (int slot = 0; slot < model->free_count; ++slot) {
        const model_body *b = &model->bodies[model->free_bodies[slot]];
        for (int c = 0; c < UNKNOWNS_PER_BODY; ++c) {
            scale[UNKNOWNS_PER_BODY * slot + c] = c < 3 ? L : c < 7 ? 1.0 : c < 10 ? linear_speed : angular_speed;
        }
        for (int k = 0; k < body_coordinate_count(b); ++k) {
            double per_unit = coordinate_size(b, k, 1.0);
            scale[unknowns_first_q(model) + b->first_deform + k] = L / per_unit;
            scale[unknowns_first_q_dot(model) + b->first_deform + k] = linear_speed / per_unit;
        }
    }
}

void unknowns_pack(const carom_model *model, const carom_state *s, double *y)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        double *b = y + UNKNOWNS_PER_BODY * slot;
        memcpy(b, &s->pose[i], sizeof s->pose[i]);
        memcpy(b + UNKNOWNS_PER_POSE, &s->rate[i], sizeof s->rate[i]);
    }
    put_coordinates(model, s->q, s->q_dot, y);
    put_integrals(model, s->z, y);
    memcpy(y + unknowns_first_sum(model), s->sums, sizeof *s->sums);
}

void unknowns_unpack(const carom_model *model, const double *y, motion out)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        const double *b = y + UNKNOWNS_PER_BODY * slot;
        memcpy(&out.pose[i], b, sizeof out.pose[i]);
        out.pose[i].q_wb = q_unit(out.pose[i].q_wb);
        memcpy(&out.rate[i], b + UNKNOWNS_PER_POSE, sizeof out.rate[i]);
    }
    if (model->deform_count > 0) {
        memcpy(out.q, y + unknowns_first_q(model), (size_t)model->deform_count * sizeof *y);
        memcpy(out.q_dot, y + unknowns_first_q_dot(model), (size_t)model->deform_count * sizeof *y);
    }
    if (model->integral_count > 0) {
        memcpy(out.z, y + unknowns_first_z(model), (size_t)model->integral_count * sizeof *y);
    }
}

void unknowns_derivative(const carom_model *model, motion_point p, double *y_dot)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        double *b = y_dot + UNKNOWNS_PER_BODY * slot;
        quat q_dot = q_rate(p.pose[i].q_wb, p.rate[i].omega_w);
        v3_store(b, p.rate[i].v_w);
        memcpy(b + 3, &q_dot, sizeof q_dot);
        memcpy(b + UNKNOWNS_PER_POSE, &p.acceleration[i], sizeof p.acceleration[i]);
    }
    put_coordinates(model, p.q_dot, p.q_ddot, y_dot);
    put_integrals(model, p.z_dot, y_dot);
    memcpy(y_dot + unknowns_first_sum(model), p.power, sizeof *p.power);
}
