/* Room for points of the motion. */
#include "model/motion.h"

#include <string.h>

#include "model/model.h"

motion motion_create(carom_arena *arena, const carom_model *model)
{
    return (motion){ .pose = CAROM_ARENA_ARRAY(arena, body_pose, model->body_count),
                     .rate = CAROM_ARENA_ARRAY(arena, body_rate, model->body_count),
                     .q = CAROM_ARENA_ARRAY(arena, double, model->deform_count),
                     .q_dot = CAROM_ARENA_ARRAY(arena, double, model->deform_count),
                     .z = CAROM_ARENA_ARRAY(arena, double, model->integral_count) };
}

void motion_copy(const carom_model *model, motion to, motion from)
{
    memcpy(to.pose, from.pose, (size_t)model->body_count * sizeof *to.pose);
    memcpy(to.rate, from.rate, (size_t)model->body_count * sizeof *to.rate);
    if (model->deform_count > 0) {
        memcpy(to.q, from.q, (size_t)model->deform_count * sizeof *to.q);
        memcpy(to.q_dot, from.q_dot, (size_t)model->deform_count * sizeof *to.q_dot);
    }
    if (model->integral_count > 0) {
        memcpy(to.z, from.z, (size_t)model->integral_count * sizeof *to.z);
    }
}
