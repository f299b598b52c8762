/* Validation of a definition by its field table: what the scene reader refuses in a file is refused here when a
 * program builds the same definition. */
#include "model/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the check is inside the definition; printed only when something is wrong. */
typedef struct check_place {
    const struct check_place *parent;
    const char *name;
    long index; /* -1: none */
} check_place;

typedef struct checker {
    carom_error *err;
} checker;

static carom_status check_object(const checker *c, const check_place *at, const carom_field *fields, const void *data,
                                 const void *defaults);

static void write_place(const check_place *at, char *buffer, size_t size)
{
    if (!at) {
        buffer[0] = '\0';
        return;
    }
    write_place(at->parent, buffer, size);
    size_t used = strlen(buffer);
    if (at->index >= 0) {
        snprintf(buffer + used, size - used, "%s%s[%ld]", used ? "." : "", at->name, at->index);
    } else {
        snprintf(buffer + used, size - used, "%s%s", used ? "." : "", at->name);
    }
}

static carom_status refuse(const checker *c, const check_place *at, const char *found, const char *problem)
{
    char path[256];
    write_place(at, path, sizeof path);
    if (c->err) {
        snprintf(c->err->path, sizeof c->err->path, "%s", path);
    }
    return found ? carom_fail(c->err, CAROM_BAD_INPUT, "%s is %s; it %s", path, found, problem)
                 : carom_fail(c->err, CAROM_BAD_INPUT, "%s %s", path, problem);
}

const char *number_text(double x, char *buffer, size_t size)
{
    for (int digits = 6; digits <= 17; ++digits) {
        snprintf(buffer, size, "%.*g", digits, x);
        if (strtod(buffer, NULL) == x) {
            break;
        }
    }
    return buffer;
}

const char *field_number_problem(const carom_field *field, double x)
{
    if (isnan(x)) {
        return "must be a number";
    }
    if (fabs(x) > FIELD_HUGE) {
        return "must not exceed 1e100 in magnitude";
    }
    if ((field->flags & CAROM_POSITIVE) && !(x > 0.0)) {
        return "must be positive";
    }
    if ((field->flags & CAROM_NONNEGATIVE) && !(x >= 0.0)) {
        return "must not be negative";
    }
    return NULL;
}

static carom_status check_number(const checker *c, const check_place *at, const carom_field *field, double x)
{
    const char *problem = field_number_problem(field, x);
    char found[40];
    return problem ? refuse(c, at, number_text(x, found, sizeof found), problem) : CAROM_OK;
}

static carom_status check_numbers(const checker *c, const check_place *at, const carom_field *field,
                                  const double *data, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        carom_status status = check_number(c, at, field, data[i]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

/* A list that can be read: not NULL where it has a count, and no longer than lists can be. */
static carom_status check_readable(const checker *c, const check_place *at, const void *items, size_t count)
{
    if (count > FIELD_MOST) {
        char found[40];
        snprintf(found, sizeof found, "%zu long", count);
        return refuse(c, at, found, "may have at most 2147483647 entries");
    }
    return count > 0 && !items ? refuse(c, at, NULL, "has a count but no entries (NULL)") : CAROM_OK;
}

static bool known_curve(const carom_curve *curve)
{
    return curve->interpolation >= CAROM_LINEAR && curve->interpolation <= CAROM_MONOTONE &&
           curve->outside >= CAROM_HOLD && curve->outside <= CAROM_EXTRAPOLATE;
}

static carom_status check_curve(const checker *c, const check_place *at, const carom_field *field,
                                const carom_curve *curve)
{
    if (curve->count > 0 && (!curve->x || !curve->y)) {
        return refuse(c, at, NULL, "has a count but no points");
    }
    carom_status readable = check_readable(c, at, curve->x, curve->count);
    if (readable != CAROM_OK) {
        return readable;
    }
    if (curve->count > 0 && !known_curve(curve)) {
        return refuse(c, at, NULL, "has an unknown interpolation, or an unknown value for 'outside'");
    }
    const carom_field any = { .name = field->name };
    for (size_t i = 0; i < curve->count; ++i) {
        if (i > 0 && !(curve->x[i] >= curve->x[i - 1])) { /* a jump: curve_prepare */
            return refuse(c, at, NULL, "must have ascending x");
        }
        carom_status status = check_number(c, at, &any, curve->x[i]);
        status = status == CAROM_OK ? check_number(c, at, field, curve->y[i]) : status;
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

static bool usable_unit(double unit)
{
    return isfinite(unit) && unit > 0.0;
}

static carom_status check_expression(const checker *c, const check_place *at, const carom_value *value)
{
    const carom_units *u = &value->units;
    if (!value->expression || !value->expression[0]) {
        return refuse(c, at, NULL, "has an empty expression");
    }
    bool usable = usable_unit(value->scale) && usable_unit(u->length) && usable_unit(u->mass) &&
                  usable_unit(u->time) && usable_unit(u->angle);
    return usable ? CAROM_OK
                  : refuse(c, at, NULL,
                           "has an expression whose scale and units must be positive; carom_value_expression makes "
                           "one in SI units");
}

/* An unset value (number NAN) is the caller's right where the default is unset. */
static carom_status check_value(const checker *c, const check_place *at, const carom_field *field,
                                const carom_value *value, const carom_value *unset)
{
    switch (value->kind) {
    case CAROM_NUMBER:
        if (unset && unset->kind == CAROM_NUMBER && isnan(unset->number) && isnan(value->number) &&
            !(field->flags & CAROM_REQUIRED)) {
            return CAROM_OK;
        }
        return check_number(c, at, field, value->number);
    case CAROM_TABLE:
        return value->table.count ? check_curve(c, at, field, &value->table)
                                  : refuse(c, at, NULL, "has a table without points");
    case CAROM_EXPRESSION:
        return check_expression(c, at, value);
    }
    return refuse(c, at, NULL, "is neither number, table nor expression");
}

static bool count_fits(const carom_field *field, size_t count)
{
    bool given = count > 0 || (field->flags & CAROM_REQUIRED);
    return !given || (count >= field->min_count && (field->max_count == 0 || count <= field->max_count));
}

static carom_status check_reals(const checker *c, const check_place *at, const carom_field *field,
                                const carom_reals *reals)
{
    if (!count_fits(field, reals->count)) {
        return refuse(c, at, NULL, "has the wrong count of numbers");
    }
    carom_status status = check_readable(c, at, reals->data, reals->count);
    return status == CAROM_OK ? check_numbers(c, at, field, reals->data, reals->count) : status;
}

static carom_status check_list(const checker *c, const check_place *at, const carom_field *field,
                               const carom_list *list)
{
    bool required = (field->flags & CAROM_REQUIRED) != 0;
    carom_status readable = check_readable(c, at, list->items, list->count);
    if (readable != CAROM_OK) {
        return readable;
    }
    if ((list->count < field->min_count || list->count == 0) && required) {
        return refuse(c, at, NULL, "has too few entries");
    }
    for (size_t i = 0; i < list->count; ++i) {
        const check_place item = { at->parent, at->name, (long)i };
        const char *data = (const char *)list->items + i * field->size;
        carom_status status = check_object(c, &item, field->fields, data, field->item_defaults);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

static carom_status check_choice(const checker *c, const check_place *at, const carom_kind *const *kinds,
                                 const carom_choice *choice, bool required)
{
    const char *name = at && at->name ? at->name : "type";
    if (!choice->kind) {
        return required ? carom_fail(c->err, CAROM_BAD_INPUT, "'%s' is missing", name) : CAROM_OK;
    }
    const carom_kind *kind = kind_of_choice(kinds, choice->kind);
    if (!kind) {
        char allowed[512];
        kind_list(kinds, allowed, sizeof allowed);
        const char *nearest = kind_nearest(kinds, choice->kind);
        return carom_fail(c->err, CAROM_BAD_INPUT, "unknown %s '%s'%s%s%s; there are: %s", name, choice->kind,
                          nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "", allowed);
    }
    const void *params = choice->params ? choice->params : kind->defaults;
    return params && kind->fields ? check_object(c, at, kind->fields, params, kind->defaults) : CAROM_OK;
}

static carom_status check_text(const checker *c, const check_place *at, const carom_field *field, const char *text)
{
    bool missing = (field->flags & CAROM_REQUIRED) && (!text || !text[0]);
    return missing ? refuse(c, at, NULL, "is missing") : CAROM_OK;
}

static carom_status check_pair(const checker *c, const check_place *at, const carom_field *field,
                               const char *const *pair)
{
    carom_status status = check_text(c, at, field, pair[0]);
    return status == CAROM_OK ? check_text(c, at, field, pair[1]) : status;
}

static carom_status check_texts(const checker *c, const check_place *at, const carom_field *field,
                                const carom_list *list)
{
    const char *const *texts = list->items;
    if (!count_fits(field, list->count)) {
        return refuse(c, at, NULL, "has the wrong count of texts");
    }
    carom_status status = check_readable(c, at, texts, list->count);
    for (size_t i = 0; i < list->count && status == CAROM_OK; ++i) {
        const check_place item = { at->parent, at->name, (long)i };
        status = texts[i] ? CAROM_OK : refuse(c, &item, NULL, "is missing (NULL)");
    }
    return status;
}

static carom_status check_enum(const checker *c, const check_place *at, const carom_field *field, int value)
{
    int count = 0;
    while (field->names && field->names[count]) {
        ++count;
    }
    return value >= 0 && value < count ? CAROM_OK : refuse(c, at, NULL, "is none of the allowed names");
}

static carom_status check_direction(const checker *c, const check_place *at, const double *xyz)
{
    double length = sqrt(xyz[0] * xyz[0] + xyz[1] * xyz[1] + xyz[2] * xyz[2]);
    return fabs(length - 1.0) <= 1e-6 ? CAROM_OK : refuse(c, at, NULL, "must be a unit vector");
}

static carom_status check_orientation(const checker *c, const check_place *at, const double *wxyz)
{
    double length = sqrt(wxyz[0] * wxyz[0] + wxyz[1] * wxyz[1] + wxyz[2] * wxyz[2] + wxyz[3] * wxyz[3]);
    return fabs(length - 1.0) <= 1e-3 ? CAROM_OK : refuse(c, at, NULL, "must be a unit quaternion [w, x, y, z]");
}

static carom_status check_group(const checker *c, const check_place *at, const carom_field *field, const void *value,
                                const void *unset)
{
    bool absent = (field->flags & CAROM_OPTIONAL) && !*(const bool *)value;
    return absent ? CAROM_OK : check_object(c, at, field->fields, value, unset);
}

static carom_status check_field(const checker *c, const check_place *at, const carom_field *field, const void *value,
                                const void *unset)
{
    switch (field->kind) {
    case CAROM_FIELD_REAL:
        return check_number(c, at, field, *(const double *)value);
    case CAROM_FIELD_INT:
        return check_number(c, at, field, *(const int *)value);
    case CAROM_FIELD_VECTOR:
        return check_numbers(c, at, field, value, 3);
    case CAROM_FIELD_DIRECTION:
        return check_direction(c, at, value);
    case CAROM_FIELD_ORIENTATION:
        return check_orientation(c, at, value);
    case CAROM_FIELD_ENUM:
        return check_enum(c, at, field, *(const int *)value);
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
        return check_text(c, at, field, *(const char *const *)value);
    case CAROM_FIELD_BODY_PAIR:
        return check_pair(c, at, field, value);
    case CAROM_FIELD_VALUE:
        return check_value(c, at, field, value, unset);
    case CAROM_FIELD_VALUE3:
        for (int i = 0; i < 3; ++i) {
            const carom_value *none = unset ? (const carom_value *)unset + i : NULL;
            carom_status status = check_value(c, at, field, (const carom_value *)value + i, none);
            if (status != CAROM_OK) {
                return status;
            }
        }
        return CAROM_OK;
    case CAROM_FIELD_CURVE:
        return check_curve(c, at, field, value);
    case CAROM_FIELD_REALS:
        return check_reals(c, at, field, value);
    case CAROM_FIELD_GROUP:
        return check_group(c, at, field, value, unset);
    case CAROM_FIELD_LIST:
        return check_list(c, at, field, value);
    case CAROM_FIELD_KIND:
        return check_choice(c, at, field->kinds, value, (field->flags & CAROM_REQUIRED) != 0);
    case CAROM_FIELD_TEXTS:
        return check_texts(c, at, field, value);
    case CAROM_FIELD_BOOL:
        break;
    }
    return CAROM_OK;
}

/* Bytes compared when asking whether a plain field still has its default. */
static size_t plain_size(carom_field_kind kind)
{
    switch (kind) {
    case CAROM_FIELD_INT:
    case CAROM_FIELD_ENUM:
        return sizeof(int);
    case CAROM_FIELD_REAL:
        return sizeof(double);
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
        return sizeof(carom_v3);
    case CAROM_FIELD_ORIENTATION:
        return sizeof(carom_quat);
    default:
        return 0;
    }
}

static bool is_default(const carom_field *field, const void *value, const void *unset)
{
    size_t size = plain_size(field->kind);
    return unset && size && !(field->flags & CAROM_REQUIRED) && memcmp(value, unset, size) == 0;
}

static carom_status check_object(const checker *c, const check_place *at, const carom_field *fields, const void *data,
                                 const void *defaults)
{
    field_layout layout = field_layout_of(fields);
    for (const carom_field *f = fields; f->name; ++f) {
        const void *unset = defaults ? field_of(defaults, f) : NULL;
        if (field_is_choice(f, &layout) || is_default(f, field_of(data, f), unset)) {
            continue;
        }
        const check_place inner = { at, f->name, -1 };
        carom_status status = check_field(c, &inner, f, field_of(data, f), unset);
        if (status != CAROM_OK) {
            return status;
        }
    }
    if (!layout.kinds) {
        return CAROM_OK;
    }
    const void *choice = (const char *)data + layout.offset;
    return check_choice(c, at, layout.kinds, choice, layout.required);
}

carom_status fields_check(const carom_field *fields, const void *data, const void *defaults, carom_error *err)
{
    const checker c = { err };
    return check_object(&c, NULL, fields, data, defaults);
}
