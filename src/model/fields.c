/* Field tables at work: look-up, deep copy and content hash. */
#include "model/fields.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "elements/forces/user.h"
#include "elements/laws/user.h"

/* ---- look-up ------------------------------------------------------------------------------------------------- */

/* A KIND field of this name keeps its parameters beside it. */
static bool is_selector(const carom_field *field)
{
    return field->kind == CAROM_FIELD_KIND &&
           (strcmp(field->name, "type") == 0 || strcmp(field->name, "method") == 0);
}

field_layout field_layout_of(const carom_field *fields)
{
    if (fields == carom_shape_fields()) {
        return (field_layout){ carom_shape_kinds(), offsetof(carom_shape_def, shape), NULL, true, false };
    }
    for (const carom_field *f = fields; f->name; ++f) {
        if (is_selector(f) && f->kinds) {
            return (field_layout){ f->kinds, f->offset, f->name, (f->flags & CAROM_REQUIRED) != 0,
                                   (f->flags & CAROM_SHARED) != 0 };
        }
    }
    if (fields == carom_joint_fields()) {
        return (field_layout){ carom_joint_kinds(), offsetof(carom_joint_def, joint), "type", true, false };
    }
    if (fields == carom_force_fields()) {
        return (field_layout){ carom_force_kinds(), offsetof(carom_force_def, force), "type", true, false };
    }
    return (field_layout){ 0 };
}

bool field_is_choice(const carom_field *field, const field_layout *layout)
{
    return layout->kinds && field->kind == CAROM_FIELD_KIND && field->offset == layout->offset;
}

/* "shape" and "shapes". */
static bool plural_of_each_other(const char *a, const char *b)
{
    size_t na = strlen(a);
    size_t nb = strlen(b);
    size_t shorter = na < nb ? na : nb;
    const char *longer = na < nb ? b : a;
    return (na + 1 == nb || nb + 1 == na) && memcmp(a, b, shorter) == 0 && longer[shorter] == 's';
}

const carom_field *field_find(const carom_field *fields, const char *key)
{
    for (const carom_field *f = fields; f->name; ++f) {
        if (strcmp(f->name, key) == 0) {
            return f;
        }
    }
    for (const carom_field *f = fields; f->name; ++f) {
        if (f->kind == CAROM_FIELD_LIST && plural_of_each_other(f->name, key)) {
            return f;
        }
    }
    return NULL;
}

const char *field_unit(const carom_field *field, char *buffer, size_t size)
{
    carom_dimension_text(field->dimension, buffer, size);
    if (field->flags & CAROM_ALONG) {
        size_t length = strlen(buffer);
        snprintf(buffer + length, size - length, " or ");
        length = strlen(buffer);
        carom_dimension_text(field->dimension_x, buffer + length, size - length);
    }
    return buffer;
}

const carom_field *field_shorthand(const carom_field *fields)
{
    for (const carom_field *f = fields; f->name; ++f) {
        if (f->flags & CAROM_SHORTHAND) {
            return f;
        }
    }
    return NULL;
}

const carom_kind *kind_of_number(const carom_field *field)
{
    const carom_kind *const *kind = field->flags & CAROM_SHORTHAND ? field->kinds : NULL;
    for (; kind && *kind; ++kind) {
        const carom_field *meant = (*kind)->fields ? field_shorthand((*kind)->fields) : NULL;
        if (meant && meant->kind == CAROM_FIELD_REAL) {
            return *kind;
        }
    }
    return NULL;
}

const carom_kind *kind_find(const carom_kind *const *kinds, const char *name)
{
    for (size_t i = 0; kinds && kinds[i]; ++i) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

const carom_kind *kind_from_program(const carom_kind *const *kinds)
{
    return kinds == carom_force_kinds()          ? force_user_kind()
           : kinds == carom_normal_law_kinds()   ? normal_user_kind()
           : kinds == carom_friction_law_kinds() ? friction_user_kind()
                                                 : NULL;
}

const carom_kind *kind_of_choice(const carom_kind *const *kinds, const char *name)
{
    const carom_kind *kind = kind_find(kinds, name);
    const carom_kind *user = kind_from_program(kinds);
    return kind || !user || strcmp(user->name, name) != 0 ? kind : user;
}

const char *kind_nearest(const carom_kind *const *kinds, const char *name)
{
    const char *best = NULL;
    int best_distance = 0;
    for (size_t i = 0; kinds && kinds[i]; ++i) {
        const char *candidate = carom_text_nearest(name, &kinds[i]->name, 1);
        int distance = candidate ? carom_text_distance(name, candidate) : 0;
        if (candidate && (!best || distance < best_distance)) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

static bool list_add(char *buffer, size_t size, const char *name)
{
    size_t used = strlen(buffer);
    if (used + strlen(name) + 6 > size) {
        snprintf(buffer + used, size - used, "...");
        return false;
    }
    snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", name);
    return true;
}

void kind_list(const carom_kind *const *kinds, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (size_t i = 0; kinds && kinds[i] && list_add(buffer, size, kinds[i]->name); ++i) {
    }
}

void name_list(const char *const *names, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (size_t i = 0; names && names[i] && list_add(buffer, size, names[i]); ++i) {
    }
}

/* ---- deep copy ----------------------------------------------------------------------------------------------- */

static void copy_text(carom_arena *arena, const char **text)
{
    *text = carom_arena_text(arena, *text);
}

void *kind_copy(carom_arena *arena, const carom_kind *kind, const void *params, size_t room)
{
    const void *from = params ? params : kind->defaults;
    void *copy = carom_arena_alloc(arena, room > kind->size ? room : kind->size);
    if (copy && from && kind->size > 0) {
        memcpy(copy, from, kind->size);
        if (kind->fields) {
            fields_copy(arena, kind->fields, copy);
        }
    }
    return arena->failed ? NULL : copy;
}

static const double *copy_reals(carom_arena *arena, const double *data, size_t count)
{
    return count ? carom_arena_copy(arena, data, count * sizeof(double)) : NULL;
}

static void copy_curve(carom_arena *arena, carom_curve *curve)
{
    curve->x = copy_reals(arena, curve->x, curve->count);
    curve->y = copy_reals(arena, curve->y, curve->count);
}

static void copy_value(carom_arena *arena, carom_value *value)
{
    if (value->kind == CAROM_TABLE) {
        copy_curve(arena, &value->table);
    } else {
        value->table = (carom_curve){ 0 };
    }
    value->expression = value->kind == CAROM_EXPRESSION ? carom_arena_text(arena, value->expression) : NULL;
}

static void copy_list(carom_arena *arena, const carom_field *field, carom_list *list)
{
    if (list->count == 0) {
        list->items = NULL;
        return;
    }
    char *items = carom_arena_copy(arena, list->items, list->count * field->size);
    for (size_t i = 0; items && i < list->count; ++i) {
        fields_copy(arena, field->fields, items + i * field->size);
    }
    list->items = items;
}

static void copy_texts(carom_arena *arena, carom_list *list)
{
    const char **texts = CAROM_ARENA_ARRAY(arena, const char *, list->count);
    const char *const *from = list->items;
    for (size_t i = 0; texts && i < list->count; ++i) {
        texts[i] = carom_arena_text(arena, from[i]);
    }
    list->items = list->count ? texts : NULL;
}

static void copy_choice(carom_arena *arena, const carom_kind *const *kinds, carom_choice *choice)
{
    const carom_kind *kind = choice->kind ? kind_of_choice(kinds, choice->kind) : NULL;
    if (!kind) {
        choice->kind = carom_arena_text(arena, choice->kind);
        choice->params = NULL;
        return;
    }
    bool has_params = kind->size > 0 && (choice->params || kind->defaults);
    const void *params = has_params ? kind_copy(arena, kind, choice->params, 0) : NULL;
    *choice = (carom_choice){ .kind = kind->name, .params = params };
}

static void copy_field(carom_arena *arena, const carom_field *field, void *target)
{
    switch (field->kind) {
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
        copy_text(arena, target);
        break;
    case CAROM_FIELD_BODY_PAIR:
        copy_text(arena, (const char **)target);
        copy_text(arena, (const char **)target + 1);
        break;
    case CAROM_FIELD_VALUE:
        copy_value(arena, target);
        break;
    case CAROM_FIELD_VALUE3:
        for (int i = 0; i < 3; ++i) {
            copy_value(arena, (carom_value *)target + i);
        }
        break;
    case CAROM_FIELD_CURVE:
        copy_curve(arena, target);
        break;
    case CAROM_FIELD_REALS: {
        carom_reals *reals = target;
        reals->data = copy_reals(arena, reals->data, reals->count);
        break;
    }
    case CAROM_FIELD_GROUP:
        fields_copy(arena, field->fields, target);
        break;
    case CAROM_FIELD_LIST:
        copy_list(arena, field, target);
        break;
    case CAROM_FIELD_TEXTS:
        copy_texts(arena, target);
        break;
    case CAROM_FIELD_KIND:
        copy_choice(arena, field->kinds, target);
        break;
    case CAROM_FIELD_BOOL:
    case CAROM_FIELD_INT:
    case CAROM_FIELD_REAL:
    case CAROM_FIELD_ENUM:
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
    case CAROM_FIELD_ORIENTATION:
        break; /* plain data: the shallow copy has it */
    }
}

void fields_copy(carom_arena *arena, const carom_field *fields, void *data)
{
    field_layout layout = field_layout_of(fields);
    for (const carom_field *f = fields; f->name; ++f) {
        if (!field_is_choice(f, &layout)) {
            copy_field(arena, f, field_in(data, f));
        }
    }
    if (layout.kinds) {
        copy_choice(arena, layout.kinds, (carom_choice *)((char *)data + layout.offset));
    }
}

/* ---- content hash -------------------------------------------------------------------------------------------- */

static uint64_t hash_count(uint64_t hash, size_t count)
{
    uint64_t n = count;
    return carom_hash(hash, &n, sizeof n);
}

static uint64_t hash_reals(uint64_t hash, const double *data, size_t count)
{
    hash = hash_count(hash, count);
    return count ? carom_hash(hash, data, count * sizeof *data) : hash;
}

uint64_t hash_int(uint64_t hash, int number)
{
    return carom_hash(hash, &number, sizeof number);
}

uint64_t hash_text(uint64_t hash, const char *text)
{
    return text ? carom_hash(hash, text, strlen(text) + 1) : carom_hash(hash, "\xff", 1); /* no text in UTF-8 */
}

uint64_t hash_curve(uint64_t hash, const carom_curve *curve)
{
    hash = hash_reals(hash, curve->x, curve->count);
    hash = hash_reals(hash, curve->y, curve->count);
    hash = hash_int(hash, (int)curve->interpolation);
    return hash_int(hash, (int)curve->outside);
}

static uint64_t hash_value(uint64_t hash, const carom_value *value)
{
    hash = hash_int(hash, (int)value->kind);
    switch (value->kind) {
    case CAROM_NUMBER:
        return hash_reals(hash, &value->number, 1);
    case CAROM_TABLE:
        return hash_curve(hash, &value->table);
    case CAROM_EXPRESSION:
        hash = hash_text(hash, value->expression);
        hash = hash_reals(hash, &value->scale, 1);
        return carom_hash(hash, &value->units, sizeof value->units);
    }
    return hash;
}

static uint64_t hash_list(uint64_t hash, const carom_field *field, const carom_list *list)
{
    hash = hash_count(hash, list->count);
    for (size_t i = 0; i < list->count; ++i) {
        hash = fields_hash(hash, field->fields, (const char *)list->items + i * field->size);
    }
    return hash;
}

static uint64_t hash_texts(uint64_t hash, const carom_list *list)
{
    const char *const *texts = list->items;
    hash = hash_count(hash, list->count);
    for (size_t i = 0; i < list->count; ++i) {
        hash = hash_text(hash, texts[i]);
    }
    return hash;
}

static uint64_t hash_group(uint64_t hash, const carom_field *field, const void *group)
{
    if (field->flags & CAROM_OPTIONAL) {
        bool given = *(const bool *)group;
        hash = hash_int(hash, given);
        if (!given) {
            return hash;
        }
    }
    return fields_hash(hash, field->fields, group);
}

uint64_t kind_hash(uint64_t hash, const carom_kind *kind, const void *params)
{
    const void *data = params ? params : kind->defaults;
    hash = hash_text(hash, kind->name);
    return data && kind->fields ? fields_hash(hash, kind->fields, data) : hash;
}

static uint64_t hash_choice(uint64_t hash, const carom_kind *const *kinds, const carom_choice *choice)
{
    const carom_kind *kind = choice->kind ? kind_of_choice(kinds, choice->kind) : NULL;
    return kind ? kind_hash(hash, kind, choice->params) : hash_text(hash, choice->kind);
}

static uint64_t hash_field(uint64_t hash, const carom_field *field, const void *at)
{
    switch (field->kind) {
    case CAROM_FIELD_BOOL:
        return hash_int(hash, *(const bool *)at);
    case CAROM_FIELD_INT:
    case CAROM_FIELD_ENUM:
        return hash_int(hash, *(const int *)at);
    case CAROM_FIELD_REAL:
        return hash_reals(hash, at, 1);
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
        return hash_reals(hash, at, 3);
    case CAROM_FIELD_ORIENTATION:
        return hash_reals(hash, at, 4);
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
        return hash_text(hash, *(const char *const *)at);
    case CAROM_FIELD_BODY_PAIR:
        return hash_text(hash_text(hash, ((const char *const *)at)[0]), ((const char *const *)at)[1]);
    case CAROM_FIELD_FILE:
        return hash; /* what the file holds counts, not where it lies: for whoever reads it */
    case CAROM_FIELD_VALUE:
        return hash_value(hash, at);
    case CAROM_FIELD_VALUE3:
        for (int i = 0; i < 3; ++i) {
            hash = hash_value(hash, (const carom_value *)at + i);
        }
        return hash;
    case CAROM_FIELD_CURVE:
        return hash_curve(hash, at);
    case CAROM_FIELD_REALS:
        return hash_reals(hash, ((const carom_reals *)at)->data, ((const carom_reals *)at)->count);
    case CAROM_FIELD_GROUP:
        return hash_group(hash, field, at);
    case CAROM_FIELD_LIST:
        return hash_list(hash, field, at);
    case CAROM_FIELD_TEXTS:
        return hash_texts(hash, at);
    case CAROM_FIELD_KIND:
        return hash_choice(hash, field->kinds, at);
    }
    return hash;
}

uint64_t fields_hash(uint64_t hash, const carom_field *fields, const void *data)
{
    field_layout layout = field_layout_of(fields);
    for (const carom_field *f = fields; f->name; ++f) {
        if (!field_is_choice(f, &layout)) {
            hash = hash_field(hash, f, field_of(data, f));
        }
    }
    return layout.kinds ? hash_choice(hash, layout.kinds, (const void *)((const char *)data + layout.offset)) : hash;
}
