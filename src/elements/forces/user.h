/* Forces of kind "user": a function of the program around carom. */
#ifndef CAROM_ELEMENTS_FORCES_USER_H
#define CAROM_ELEMENTS_FORCES_USER_H

#include <carom/user.h>

#include "elements/forces/force.h"

/* Its kind, which is not in the list: scenes cannot give functions. */
const carom_kind *force_user_kind(void);

/* What can be told before anything is known of the scene: the function is there, measures have good names. err->path is the
 * place inside the definition. */
carom_status force_user_check(const carom_user_force_def *def, carom_error *err);

/* The type of such forces on a target, without measures. */
const carom_force_type *force_user_on(force_target target);

/* The type with the measures of one force. It points into `def`, which must live as long; NULL when memory runs out. */
const carom_force_type *force_user_measured(carom_arena *arena, const carom_force_type *type,
                                            const carom_user_force_def *def);

#endif
