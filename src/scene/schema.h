/* JSON Schema of any definition, from its field table. */
#ifndef CAROM_SCENE_SCHEMA_H
#define CAROM_SCENE_SCHEMA_H

#include "files/json_value.h"
#include "model/fields.h"

/* All return a new reference, NULL when memory runs out; functions that take a reference steal it, also then. */

/* An object by its table. `more` (stolen, or NULL) are further properties. */
json_t *schema_object(const carom_field *fields, const void *defaults, json_t *more);

/* An object of one of several kinds; what they have in common is referred to as `common` in $defs (NULL: nothing). */
json_t *schema_kinds(const carom_field *fields, const char *common, json_t *more);

/* {"properties": {...}} of the common fields, to be put there. */
json_t *schema_common(const carom_field *fields, const void *defaults);

/* {"$ref": "#/$defs/name"} */
json_t *schema_ref(const char *name);

/* {"type": "array", "items": item} */
json_t *schema_list(json_t *item);

/* The default of a field as JSON; NULL where there is none to show. */
json_t *schema_default(const carom_field *field, const void *defaults);

/* The other name a list answers to: "shape" for "shapes". Returns buffer. */
const char *schema_plural(const char *name, char *buffer, size_t size);

#endif
