/* The list of contact methods. */
#include <string.h>

#include "model/method.h"

#define METHOD(name) extern const carom_method carom_method_##name;
#include "sim/method_list.inc"
#undef METHOD

#define METHOD(name) &carom_method_##name.kind,
static const carom_kind *const method_kinds[] = {
#include "sim/method_list.inc"
    NULL,
};
#undef METHOD

const carom_kind *const *carom_method_kinds(void)
{
    return method_kinds;
}

/* `kind` is the first member of each method, so that a pointer to it is one to the method. */
const carom_method *carom_method_find(const char *name)
{
    for (const carom_kind *const *kind = method_kinds; *kind; ++kind) {
        if (strcmp((*kind)->name, name) == 0) {
            return (const carom_method *)*kind;
        }
    }
    return NULL;
}
