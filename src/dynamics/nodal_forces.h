/* Bodies in nodal coordinates, in an evaluation. Nodes of rigid sections belong to the bodies of their sections: their masses are
 * there, and forces on them are handed over. All at the point placed in w; `k` counts the model's bodies in nodal coordinates. */
#ifndef CAROM_DYNAMICS_NODAL_FORCES_H
#define CAROM_DYNAMICS_NODAL_FORCES_H

#include "dynamics/work.h"

/* Writes internal forces and weight into w->nodal_force, hands those of sections to w->f, and counts energies and powers. */
void nodal_apply(carom_scratch *w, int k, v3 gravity_w);

/* q_ddot of nodes that move by themselves. */
void nodal_accelerate(carom_scratch *w, int k);

/* x M y of velocities or accelerations, all of the model; kinetic energy. */
double nodal_mass_product(const carom_scratch *w, int k, const double *x, const double *y);
double nodal_kinetic(const carom_scratch *w, int k);
void nodal_add_momentum(const carom_scratch *w, int k, v3 *linear, v3 *angular);

#endif
