/* The lists of contact laws. */
#include "elements/laws/law.h"

#include <string.h>

#define NORMAL_LAW(name) extern const carom_normal_law carom_normal_law_##name;
#define FRICTION_LAW(name) extern const carom_friction_law carom_friction_law_##name;
#include "elements/laws/list.inc"
#undef NORMAL_LAW
#undef FRICTION_LAW

#define NORMAL_LAW(name) &carom_normal_law_##name.kind,
#define FRICTION_LAW(name)
static const carom_kind *const normal_law_kinds[] = {
#include "elements/laws/list.inc"
    NULL,
};
#undef NORMAL_LAW
#undef FRICTION_LAW

#define NORMAL_LAW(name)
#define FRICTION_LAW(name) &carom_friction_law_##name.kind,
static const carom_kind *const friction_law_kinds[] = {
#include "elements/laws/list.inc"
    NULL,
};
#undef NORMAL_LAW
#undef FRICTION_LAW

const carom_kind *const *carom_normal_law_kinds(void)
{
    return normal_law_kinds;
}

const carom_kind *const *carom_friction_law_kinds(void)
{
    return friction_law_kinds;
}

static const carom_kind *find(const carom_kind *const *kinds, const char *name)
{
    while (*kinds && !(name && strcmp((*kinds)->name, name) == 0)) {
        ++kinds;
    }
    return *kinds;
}

/* `kind` is the first member of each law, so that a pointer to it is one to the law. */
const carom_normal_law *carom_normal_law_find(const char *name)
{
    return (const carom_normal_law *)find(normal_law_kinds, name);
}

const carom_friction_law *carom_friction_law_find(const char *name)
{
    return (const carom_friction_law *)find(friction_law_kinds, name);
}
