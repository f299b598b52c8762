/* Packing motion into a vector and back. */
#include "dynamics/unknowns.h"

#include <string.h>

motion_point unknowns_of_state(const carom_state *s)
{
    return (motion_point){ s->pose, s->rate, s->acceleration, s->power };
}

motion_point unknowns_of_work(const carom_scratch *w)
{
    return (motion_point){ w->pose, w->rate, w->acceleration, &w->power };
}

void unknowns_pack(const carom_model *model, const carom_state *s, double *y)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        double *b = y + UNKNOWNS_PER_BODY * slot;
        memcpy(b, &s->pose[i], 7 * sizeof *b);
        memcpy(b + 7, &s->rate[i], 6 * sizeof *b);
    }
    memcpy(y + UNKNOWNS_PER_BODY * model->free_count, s->sums, sizeof *s->sums);
}

void unknowns_unpack(const carom_model *model, const double *y, motion out)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        const double *b = y + UNKNOWNS_PER_BODY * slot;
        memcpy(&out.pose[i], b, 7 * sizeof *b);
        out.pose[i].q_wb = q_unit(out.pose[i].q_wb);
        memcpy(&out.rate[i], b + 7, 6 * sizeof *b);
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
        memcpy(b + 7, &p.acceleration[i], sizeof p.acceleration[i]);
    }
    memcpy(y_dot + UNKNOWNS_PER_BODY * model->free_count, p.power, sizeof *p.power);
}
