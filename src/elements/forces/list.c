/* The list of forces, and the field table of what all forces have. */
#include "elements/forces/force.h"

#include <string.h>

#include "elements/attachment.h"

#define FORCE(name) extern const carom_force_type carom_force_##name;
#include "elements/forces/list.inc"
#undef FORCE

#define FORCE(name) &carom_force_##name.kind,
static const carom_kind *const force_kinds[] = {
#include "elements/forces/list.inc"
    NULL,
};
#undef FORCE

const carom_kind *const *carom_force_kinds(void)
{
    return force_kinds;
}

/* `kind` is the first member of each type, so that a pointer to it is one to the type. */
const carom_force_type *carom_force_type_find(const char *name)
{
    for (const carom_kind *const *kind = force_kinds; *kind; ++kind) {
        if (name && strcmp((*kind)->name, name) == 0) {
            return (const carom_force_type *)*kind;
        }
    }
    return NULL;
}

static const carom_field force_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_force_def, name),
      .flags = CAROM_REQUIRED,
      .doc = "Name of the force, unique in the scene." },
    { .name = "body",
      .kind = CAROM_FIELD_BODY,
      .offset = offsetof(carom_force_def, attachment.bodies[0]),
      .doc = "The body, for forces on one body; \"all\" stands for every movable body." },
    ATTACHMENT_FIELDS(carom_force_def,
                      "World position of marker A at the start; by default the centre of mass of its body."),
    { .name = "joint",
      .kind = CAROM_FIELD_JOINT,
      .offset = offsetof(carom_force_def, joint),
      .doc = "The joint, for forces on a joint coordinate." },
    { .name = "coordinate",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_force_def, coordinate),
      .doc = "Which coordinate of the joint; not needed where it has only one." },
    { 0 },
};

const carom_field *carom_force_fields(void)
{
    return force_fields;
}

/* `at` is unset: a force on one body acts at its centre of mass, and one on "all" at each body's own. */
carom_force_def carom_force_def_default(void)
{
    carom_force_def def = { .attachment = ATTACHMENT_DEFAULT };
    def.attachment.at = (carom_v3){ (double)NAN, (double)NAN, (double)NAN };
    return def;
}
