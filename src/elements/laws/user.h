/* Contact laws that are functions of the program around carom. */
#ifndef CAROM_ELEMENTS_LAWS_USER_H
#define CAROM_ELEMENTS_LAWS_USER_H

#include <carom/user.h>

#include "base/arena.h"
#include "elements/laws/law.h"

/* The kind by which a choice refers to one, {"user": "rubber"}: params are a carom_user_law_def. In no list, because it is no
 * law itself. */
const carom_kind *normal_user_kind(void);
const carom_kind *friction_user_kind(void);

/* Tables of the definitions: what a spec copies and the model's hash knows. */
const carom_field *normal_user_fields(void);
const carom_field *friction_user_fields(void);

/* Refuses names that are taken by carom's own laws, and functions that are missing. */
carom_status normal_user_check(const carom_user_normal_law_def *def, carom_error *err);
carom_status friction_user_check(const carom_user_friction_law_def *def, carom_error *err);

/* The law of a definition, which must live as long; NULL when memory runs out. */
const carom_normal_law *normal_user_law(carom_arena *arena, const carom_user_normal_law_def *def);
const carom_friction_law *friction_user_law(carom_arena *arena, const carom_user_friction_law_def *def);

/* Params for these laws: the definition, with the numbers of whoever refers to it. NULL when memory runs out. */
const void *normal_user_params(carom_arena *arena, const carom_user_normal_law_def *def,
                               const carom_user_law_def *reference);
const void *friction_user_params(carom_arena *arena, const carom_user_friction_law_def *def,
                                 const carom_user_law_def *reference);

#endif
