#include "sim/event.h"

carom_event event_outside(const run_event *e)
{
    return (carom_event){ .t = e->t,
                          .kind = e->kind,
                          .body = { e->body[0] - 1, e->body[1] - 1 },
                          .position = e->p_w,
                          .normal = e->normal_w,
                          .speed = e->speed,
                          .joint = e->joint - 1,
                          .mode = e->mode,
                          .speed_after = e->speed_after,
                          .slip = e->slip_w,
                          .slip_after = e->slip_after_w,
                          .impulse = e->impulse_w,
                          .energy_lost = e->energy_lost,
                          .friction = e->friction,
                          .friction_after = e->friction_after };
}

run_event event_inside(const carom_event *e)
{
    return (run_event){ .t = e->t,
                        .kind = e->kind,
                        .body = { e->body[0] + 1, e->body[1] + 1 },
                        .p_w = e->position,
                        .normal_w = e->normal,
                        .speed = e->speed,
                        .joint = e->joint + 1,
                        .mode = e->mode,
                        .speed_after = e->speed_after,
                        .slip_w = e->slip,
                        .slip_after_w = e->slip_after,
                        .impulse_w = e->impulse,
                        .energy_lost = e->energy_lost,
                        .friction = e->friction,
                        .friction_after = e->friction_after };
}
