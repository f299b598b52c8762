/* Every integrator there is. */
#ifndef CAROM_DYNAMICS_INTEGRATOR_LIST_H
#define CAROM_DYNAMICS_INTEGRATOR_LIST_H

#include "dynamics/integrator.h"

#define INTEGRATOR(name) extern const integrator_type integrator_##name;
#include "dynamics/integrator_list.inc"
#undef INTEGRATOR

#endif
