/* Options of one kind of anything by their names: of a method ("impact"), an integrator, a contact law, a joint, a force, a
 * shape. Names, units and limits are those of the field tables, in SI; docs/reference/scene.md lists them.
 *
 *     carom_params *law = NULL;
 *     carom_params_create(carom_normal_law_kinds(), "hunt-crossley", &law, &err);
 *     carom_params_set(law, "k", 1e7, &err);
 *     scene.contact.interaction.law = carom_params_choice(law);
 *
 * An option of a group inside is "group.option", a component of three values over time "force.x". What can only be told when all is known (a required option that is missing, a
 * direction that is no unit vector) is refused where the choice is used. Lists, tables over time and kinds inside kinds are
 * set in the structs of elements.h.
 *
 * Threads: params are used by one thread at a time. err may be NULL; everything else must be given. */
#ifndef CAROM_PARAMS_H
#define CAROM_PARAMS_H

#include <carom/elements.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_params carom_params;

/* All options at their defaults. kinds: one of the lists of elements.h, such as carom_method_kinds(). An unknown name is
 * refused with the nearest; *out is NULL then. */
CAROM_API carom_status carom_params_create(const carom_kind *const *kinds, const char *kind, carom_params **out,
                                           carom_error *err);
CAROM_API void carom_params_destroy(carom_params *params); /* NULL: nothing */

/* Refused, and the option as it was: names that the kind does not have, numbers out of range, texts that are none of the
 * names an option knows. A number sets numbers, integers, values over time, and true or false by 1 or 0. */
CAROM_API carom_status carom_params_set(carom_params *params, const char *name, double value, carom_error *err);

/* A text sets texts, names of bodies, joints and files, one of several words ("energetic"), true or false by these words, and
 * values over time by an expression in SI. It is copied. */
CAROM_API carom_status carom_params_set_text(carom_params *params, const char *name, const char *text,
                                             carom_error *err);

/* Several numbers set vectors, directions and three values over time (3), orientations (4: w, x, y, z) and lists of numbers.
 * They are copied. */
CAROM_API carom_status carom_params_set_list(carom_params *params, const char *name, const double *values,
                                             size_t count, carom_error *err);

/* What a number or a text has set, or the default; CAROM_BAD_INPUT, and *out as it was, for an option that is no number.
 * A text lives until it is set again or the params are destroyed; NULL for an option that is none, or has none. */
CAROM_API carom_status carom_params_get(const carom_params *params, const char *name, double *out, carom_error *err);
CAROM_API const char *carom_params_get_text(const carom_params *params, const char *name);

/* For definitions. It points into the params: these must live until a spec has copied the definition. Without params: no
 * kind. */
CAROM_API carom_choice carom_params_choice(const carom_params *params);

#ifdef __cplusplus
}
#endif
#endif
