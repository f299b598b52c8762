/* Inside a spec: where definitions came from, and who has which name. */
#ifndef CAROM_MODEL_SPEC_H
#define CAROM_MODEL_SPEC_H

#include <carom/spec.h>

#include "base/names.h"

/* Where a scene reader found a definition. All empty for definitions made by a program. */
typedef struct spec_origin {
    const char *file; /* or NULL */
    int line;         /* or 0 */
    const char *path; /* or NULL */
} spec_origin;

const spec_origin *carom_spec_body_origin(const carom_spec *spec, size_t index);
const spec_origin *carom_spec_joint_origin(const carom_spec *spec, size_t index);
const spec_origin *carom_spec_force_origin(const carom_spec *spec, size_t index);
const spec_origin *carom_spec_scene_origin(const carom_spec *spec);
const spec_origin *carom_spec_contact_origin(const carom_spec *spec);

typedef enum spec_class { SPEC_BODY, SPEC_JOINT, SPEC_FORCE } spec_class;

/* Who has this name; false when nobody has. */
bool spec_find(const carom_spec *spec, const char *name, spec_class *which, size_t *index);

/* NULL when `name` may be given to a body, joint or force, else what is wrong with it. */
const char *spec_name_problem(const char *name);

/* A table of names that grows. Keeps pointers to the names. */
typedef struct spec_names {
    carom_names table;
    size_t room;
} spec_names;

/* False when memory runs out (arena->failed) or the name is there already. */
bool spec_names_add(spec_names *names, carom_arena *arena, const char *name, spec_class which, size_t index);
bool spec_names_find(const spec_names *names, const char *name, spec_class *which, size_t *index);

/* The name of this class nearest to `name`, or NULL. */
const char *spec_names_nearest(const spec_names *names, const char *name, spec_class which);

#endif
