/* The list of integrators. */
#include "dynamics/integrator_list.h"

#include <string.h>

static const integrator_type *const types[] = {
    &integrator_generalized_alpha,
    &integrator_runge_kutta,
    &integrator_semi_implicit_euler,
#ifdef CAROM_HAVE_SUNDIALS
    &integrator_cvode,
    &integrator_ida,
#endif
};
enum { COUNT = sizeof types / sizeof types[0] };

const carom_kind *const *carom_integrator_kinds(void)
{
    static const carom_kind *const kinds[] = {
        &integrator_generalized_alpha.kind,
        &integrator_runge_kutta.kind,
        &integrator_semi_implicit_euler.kind,
#ifdef CAROM_HAVE_SUNDIALS
        &integrator_cvode.kind,
        &integrator_ida.kind,
#endif
        NULL,
    };
    return kinds;
}

const integrator_type *integrator_find(const char *name)
{
    for (int i = 0; i < COUNT; ++i) {
        if (strcmp(types[i]->kind.name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}
