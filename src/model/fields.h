/* Working on any definition through its field table: finding fields and kinds, deep copies, hashes,
 * validation. */
#ifndef CAROM_MODEL_FIELDS_H
#define CAROM_MODEL_FIELDS_H

#include <carom/elements.h>

#include "base/arena.h"

/* Numbers beyond this are mistakes, not physics; it also keeps squares and cubes finite. */
#define FIELD_HUGE 1e100

/* Longer lists are counts that were never set, or a negative number. */
#define FIELD_MOST ((size_t)INT32_MAX)

static inline void *field_in(void *base, const carom_field *field)
{
    return (char *)base + field->offset;
}

static inline const void *field_of(const void *base, const carom_field *field)
{
    return (const char *)base + field->offset;
}

/* How an object spells the kind it is of, when the kind's parameters stand beside the common fields:
 * {"type": "revolute", ...}, {"method": "none", ...} or, with the kind itself as key, {"box": [1,1,1], "at": ...}. */
typedef struct field_layout {
    const carom_kind *const *kinds; /* NULL: the object has no kind of its own */
    size_t offset;                  /* of the carom_choice */
    const char *selector;           /* key that names the kind; NULL: keyed by kind */
    bool required;
    bool shared; /* parameters of other kinds may stand there too */
} field_layout;

field_layout field_layout_of(const carom_field *fields);

/* Whether this field is the layout's choice, and therefore not read or copied by itself. */
bool field_is_choice(const carom_field *field, const field_layout *layout);

/* The field a scene key means, or NULL. A list answers to its plural and its singular: "shape" and "shapes". */
const carom_field *field_find(const carom_field *fields, const char *key);
const carom_field *field_shorthand(const carom_field *fields);

/* The SI unit of a field's numbers into buffer, which is returned: "m", "" for none, "m or rad" along a joint coordinate. */
const char *field_unit(const carom_field *field, char *buffer, size_t size);

/* The kind whose shorthand a bare number of this KIND field stands for, or NULL. */
const carom_kind *kind_of_number(const carom_field *field);
const carom_kind *kind_find(const carom_kind *const *kinds, const char *name);

/* The kind "user" beside a list, for functions of the program around carom; NULL: there is none. */
const carom_kind *kind_from_program(const carom_kind *const *kinds);

/* The kind of a choice: one of the list, or the one beside it. */
const carom_kind *kind_of_choice(const carom_kind *const *kinds, const char *name);

/* The kind's name nearest to `name`, or NULL. */
const char *kind_nearest(const carom_kind *const *kinds, const char *name);

/* Appends "a, b, c" to buffer; ends in "..." when it does not fit. */
void kind_list(const carom_kind *const *kinds, char *buffer, size_t size);
void name_list(const char *const *names, char *buffer, size_t size);

/* `data` is a shallow copy of a definition: gives it copies of everything it points to. Memory failure shows in
 * arena->failed. A choice without params gets its kind's defaults. */
void fields_copy(carom_arena *arena, const carom_field *fields, void *data);

/* A deep copy of a kind's params (NULL: its defaults), zeroed behind up to `room` bytes. NULL when memory runs out. */
void *kind_copy(carom_arena *arena, const carom_kind *kind, const void *params, size_t room);

/* Goes on with a hash over all that a definition says: every field, lists and chosen kinds included, neither padding
 * nor addresses. A FILE adds nothing: what it holds is hashed by whoever reads it. */
uint64_t fields_hash(uint64_t hash, const carom_field *fields, const void *data);
uint64_t kind_hash(uint64_t hash, const carom_kind *kind, const void *params);
uint64_t hash_int(uint64_t hash, int number);
uint64_t hash_text(uint64_t hash, const char *text); /* NULL differs from "" */
uint64_t hash_curve(uint64_t hash, const carom_curve *curve);

/* What is wrong with x as a value of this field ("must be positive"), or NULL. */
const char *field_number_problem(const carom_field *field, double x);

/* The shortest decimal text that reads back as x. Returns buffer. */
const char *number_text(double x, char *buffer, size_t size);

/* Checks every number, name and required text of a definition. A value equal to its default passes, so that "unset"
 * may be any value. err->path becomes the field's path inside the definition: "shapes[0].box.size". */
carom_status fields_check(const carom_field *fields, const void *data, const void *defaults, carom_error *err);

#endif
