/* The list of contact methods. */
#include <string.h>

#include "methods/none/none.h"
#include "model/method.h"

static const carom_method *const methods[] = {
    &carom_method_none,
};
enum { COUNT = sizeof methods / sizeof methods[0] };

const carom_kind *const *carom_method_kinds(void)
{
    static const carom_kind *const kinds[] = { &carom_method_none.kind, NULL };
    return kinds;
}

const carom_method *carom_method_find(const char *name)
{
    for (int i = 0; i < COUNT; ++i) {
        if (strcmp(methods[i]->kind.name, name) == 0) {
            return methods[i];
        }
    }
    return NULL;
}
