/* Every integrator there is. */
#ifndef CAROM_DYNAMICS_INTEGRATOR_LIST_H
#define CAROM_DYNAMICS_INTEGRATOR_LIST_H

#include "dynamics/integrator.h"

extern const integrator_type integrator_generalized_alpha;
extern const integrator_type integrator_runge_kutta;
extern const integrator_type integrator_semi_implicit_euler;
#ifdef CAROM_HAVE_SUNDIALS
extern const integrator_type integrator_cvode;
extern const integrator_type integrator_ida;
#endif

#endif
