/* Surfaces of bodies that deform (model_skin) in contact: their vertices against fields of shapes and against each other's surfaces, and
 * detection points of shapes against them.
 *
 * A place of such a surface is a point of its body: the mean of its facet's vertices by the weights of the place, at rest against the material
 * for a moment. Forces reach the deformation coordinates through it, and the rate of the gap that it has is that of the nearest distance,
 * so that energy and momenta balance as between rigid bodies. */
#ifndef CAROM_METHODS_COMPLIANT_SKINS_H
#define CAROM_METHODS_COMPLIANT_SKINS_H

#include "methods/compliant/forces.h"

typedef struct skin_state {
    soft_surface *soft;
    double reach; /* [m] from the origin of the frame to the farthest vertex, undeformed */
    bool placed;  /* at the present point */
} skin_state;

carom_status skins_create(compliant_work *t, carom_error *err);
void skins_destroy(compliant_work *t);

/* The bodies of a pair, ascending. */
void skin_pair_bodies(const compliant_work *t, const broad_pair *pair, int body[2]);

/* Appends pairs that touch, with their touches, at the point placed in w; false when memory runs out. Colliders are placed. */
bool skins_find(compliant_work *t, const carom_scratch *w);

/* The step, at most dt [s], after which such a surface may meet others with no more than `fraction` of the depth it will be driven to; bodies
 * are placed in w as in s, and t->bounds has how they move. *distance becomes the smallest gap if that is smaller. */
double skins_step(compliant_work *t, const carom_scratch *w, const carom_state *s, double dt, double fraction,
                  double *distance);

#endif
