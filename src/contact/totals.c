#include "contact/totals.h"

#include <string.h>

void contact_totals_create(contact_totals *t, carom_arena *arena, const carom_model *model)
{
    *t = (contact_totals){ .force_w = CAROM_ARENA_ARRAY(arena, v3, model->body_count),
                           .torque_w = CAROM_ARENA_ARRAY(arena, v3, model->body_count) };
}

void contact_totals_clear(contact_totals *t, const carom_model *model)
{
    memset(t->force_w, 0, (size_t)model->body_count * sizeof *t->force_w);
    memset(t->torque_w, 0, (size_t)model->body_count * sizeof *t->torque_w);
    t->count = 0;
    t->penetration = 0.0;
}

void contact_totals_add(contact_totals *t, const body_pose *pose, const int body[2], v3 p_w, v3 force_w, double gap)
{
    t->count++;
    t->penetration = fmax(t->penetration, -gap);
    contact_totals_add_force(t, pose, body, p_w, force_w);
}

void contact_totals_add_torque(contact_totals *t, const int body[2], v3 torque_w)
{
    t->torque_w[body[0]] = v3_add(t->torque_w[body[0]], torque_w);
    t->torque_w[body[1]] = v3_sub(t->torque_w[body[1]], torque_w);
}

void contact_totals_add_force(contact_totals *t, const body_pose *pose, const int body[2], v3 p_w, v3 force_w)
{
    for (int side = 0; side < 2; ++side) {
        v3 force = side == 0 ? force_w : v3_neg(force_w);
        v3 *total = &t->force_w[body[side]];
        v3 *torque = &t->torque_w[body[side]];
        *total = v3_add(*total, force);
        *torque = v3_add(*torque, v3_cross(v3_sub(p_w, pose[body[side]].x_w), force));
    }
}
