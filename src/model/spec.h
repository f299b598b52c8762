/* Inside a spec: where definitions came from, and who has which name. */
#ifndef CAROM_MODEL_SPEC_H
#define CAROM_MODEL_SPEC_H

#include <carom/user.h>

#include "base/names.h"
#include "model/origin.h"

const spec_origin *carom_spec_body_origin(const carom_spec *spec, size_t index);
const spec_origin *carom_spec_joint_origin(const carom_spec *spec, size_t index);
const spec_origin *carom_spec_force_origin(const carom_spec *spec, size_t index);
const spec_origin *carom_spec_scene_origin(const carom_spec *spec);

/* Origins of settings, as many as have been noted. */
size_t spec_setting_count(const carom_spec *spec);
const spec_origin *spec_setting(const carom_spec *spec, size_t index);

/* As carom_spec_note_setting, with the --set that brought the value (or NULL). */
void spec_note_setting(carom_spec *spec, const char *path, int line, const char *override);

typedef enum spec_class { SPEC_BODY, SPEC_JOINT, SPEC_FORCE } spec_class;

/* Who has this name; false when nobody has. */
bool spec_find(const carom_spec *spec, const char *name, spec_class *which, size_t *index);

/* The name of a definition that was refused: what refers to it is not to blame. False when memory runs out. */
bool spec_note_broken(carom_spec *spec, const char *name);
size_t spec_broken_count(const carom_spec *spec);
const char *spec_broken(const carom_spec *spec, size_t index);

/* What the reader of a scene in another format has to say: notes and warnings, which become those of the model, and what
 * became of what. False when memory runs out. */
typedef struct spec_said {
    spec_origin origin;
    bool warning;
    const char *text;
} spec_said;
bool spec_add_note(carom_spec *spec, const spec_origin *origin, bool warning, const char *text);
bool spec_add_remark(carom_spec *spec, const spec_origin *origin, const char *text);
/* The units of its file, for people. False when memory runs out. */
bool spec_set_units(carom_spec *spec, const char *text);
size_t spec_notes(const carom_spec *spec, const spec_said **out);

/* Settings of which some were refused: the method and the signals count, the rest is not judged any more. */
void spec_set_part(carom_spec *spec, const carom_scene_def *def);
bool spec_is_part(const carom_spec *spec);

/* Laws of the program, deep copies; NULL for an index out of range. */
const carom_user_normal_law_def *spec_normal_law(const carom_spec *spec, size_t index);
const carom_user_friction_law_def *spec_friction_law(const carom_spec *spec, size_t index);

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
