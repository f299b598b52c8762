/* The list of integrators. */
#include "dynamics/integrator_list.h"

#include <string.h>

#define INTEGRATOR(name) &integrator_##name.kind,
static const carom_kind *const integrator_kinds[] = {
#include "dynamics/integrator_list.inc"
    NULL,
};
#undef INTEGRATOR

const carom_kind *const *carom_integrator_kinds(void)
{
    return integrator_kinds;
}

/* `kind` is the first member of each type, so that a pointer to it is one to the type. */
const integrator_type *integrator_find(const char *name)
{
    for (const carom_kind *const *kind = integrator_kinds; *kind; ++kind) {
        if (strcmp((*kind)->name, name) == 0) {
            return (const integrator_type *)*kind;
        }
    }
    return NULL;
}
