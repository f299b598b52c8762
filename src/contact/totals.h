/* Sums over the contacts of an evaluation: force and torque on every body, the deepest penetration (dynamics/contact.h). */
#ifndef CAROM_CONTACT_TOTALS_H
#define CAROM_CONTACT_TOTALS_H

#include "dynamics/contact.h"

/* Room for all bodies from the arena, which says when memory runs out. */
void contact_totals_create(contact_totals *t, carom_arena *arena, const carom_model *model);

void contact_totals_clear(contact_totals *t, const carom_model *model);

/* One more point, with the force [N] on body[0] and its opposite on body[1]; pose: of all bodies. */
void contact_totals_add(contact_totals *t, const body_pose *pose, const int body[2], v3 p_w, v3 force_w, double gap);

/* A torque [N m] on body[0], and its opposite on body[1]. */
void contact_totals_add_torque(contact_totals *t, const int body[2], v3 torque_w);

/* A force at a point that is counted already. */
void contact_totals_add_force(contact_totals *t, const body_pose *pose, const int body[2], v3 p_w, v3 force_w);

#endif
