/* Which method a test takes for an integrator: not every one goes with every method. */
#ifndef CAROM_TESTS_INTEGRATORS_H
#define CAROM_TESTS_INTEGRATORS_H

#include "dynamics/integrator.h"
#include "model/method.h"
#include "support/check.h"

/* The first method of the list that an integrator goes with: difference formulas go with methods that minimise, and all others
 * with methods that do not. */
static inline const char *method_for_integrator(const char *integrator)
{
    bool incremental = integrator_find(integrator)->incremental > 0;
    bool leaps = integrator_find(integrator)->leaps;
    const carom_kind *const *method = carom_method_kinds();
    while (*method && (carom_method_find((*method)->name)->minimises != incremental ||
                       carom_method_find((*method)->name)->leaps != leaps)) {
        ++method;
    }
    CHECK(*method != NULL);
    return (*method)->name;
}

#endif
