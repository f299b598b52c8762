/* Clocks of prescribed motions from the records of a state. */
#include "dynamics/motion_clock.h"

#include "dynamics/work.h"

static motion_clock clock_of(const carom_state *s, int number, uint32_t kind)
{
    contact_record key = { .a = (uint32_t)number, .b = (uint32_t)number, .kind = kind };
    const contact_record *found = contact_records_find(&s->contacts, &key);
    if (!found) {
        return (motion_clock){ .behind = false };
    }
    return (motion_clock){
        .behind = true, .own = found->value[0], .at = *s->time, .pace = found->value[1], .since = found->value[2]
    };
}

void clocks_load(carom_scratch *w, const carom_state *s)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->model->bodies[i].role == BODY_KINEMATIC) {
            w->body_clock[i] = clock_of(s, i, RECORD_BODY_CLOCK);
        }
    }
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int d = 0; d < joint->driver_count; ++d) {
            int row = joint->first_row + joint->type->equation_count + d;
            w->driver_clock[row] = clock_of(s, row, RECORD_DRIVER_CLOCK);
        }
    }
}
