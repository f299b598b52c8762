/* Field tables at work: look-up and deep copy. */
#include "model/fields.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

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
        return (field_layout){ carom_shape_kinds(), offsetof(carom_shape_def, shape), NULL, true };
    }
    for (const carom_field *f = fields; f->name; ++f) {
        if (is_selector(f) && f->kinds) {
            return (field_layout){ f->kinds, f->offset, f->name, (f->flags & CAROM_REQUIRED) != 0 };
        }
    }
    if (fields == carom_joint_fields()) {
        return (field_layout){ carom_joint_kinds(), offsetof(carom_joint_def, joint), "type", true };
    }
    if (fields == carom_force_fields()) {
        return (field_layout){ carom_force_kinds(), offsetof(carom_force_def, force), "type", true };
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

const carom_field *field_shorthand(const carom_field *fields)
{
    for (const carom_field *f = fields; f->name; ++f) {
        if (f->flags & CAROM_SHORTHAND) {
            return f;
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
    const carom_kind *kind = choice->kind ? kind_find(kinds, choice->kind) : NULL;
    if (!kind) {
        choice->kind = carom_arena_text(arena, choice->kind);
        choice->params = NULL;
        return;
    }
    const void *from = choice->params ? choice->params : kind->defaults;
    void *params = kind->size && from ? carom_arena_copy(arena, from, kind->size) : NULL;
    if (params && kind->fields) {
        fields_copy(arena, kind->fields, params);
    }
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
