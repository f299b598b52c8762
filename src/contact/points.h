/* Points of contact as results record them, each with the interaction that acts there. */
#ifndef CAROM_CONTACT_POINTS_H
#define CAROM_CONTACT_POINTS_H

#include <carom/contact.h>

#include "model/model.h"

typedef struct contact_points {
    carom_contact_point *items;
    const model_interaction **interactions; /* one each */
    int count;
    size_t capacity, interaction_capacity;
} contact_points;

/* Room for so many; false when memory runs out. */
bool contact_points_reserve(contact_points *p, size_t count);
void contact_points_free(contact_points *p);

/* A point of which the force and the slip are those of `body` against `other`; the normal points to `body`. Recorded points
 * have their bodies ascending: all vectors are turned over where need be. There is room. */
typedef struct contact_sight {
    int body, other;
    double gap; /* [m] */
    v3 p_w, normal_w;
    v3 force_w; /* [N] on `body` */
    v3 slip_w;  /* [m/s] */
} contact_sight;
void contact_points_push(contact_points *p, const contact_sight *seen, const model_interaction *interaction);

#endif
