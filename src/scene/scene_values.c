/* Numbers with units: reals, integers, vectors, lists, tables, values over time. */
#include "scene/scene_reader.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "expr/units.h"
#include "files/file.h"

/* ---- single numbers ------------------------------------------------------------------------------------------ */

static carom_status check_number(const scene_reader *r, const json_place *at, const carom_field *field, double x)
{
    const char *problem = field_number_problem(field, x);
    return problem ? scene_fail(r, at, "is %g; it %s", x, problem) : CAROM_OK;
}

/* SI value of the unit that a field's numbers are in; those along a joint coordinate wait until that is known
 * (scene_coordinates.c). */
static double unit_of(const scene_reader *r, const carom_field *field)
{
    return field->flags & CAROM_ALONG ? 1.0 : carom_units_factor(&r->file->units, field->dimension);
}

/* The unit may make a number huge, or zero. */
static carom_status to_si(const scene_reader *r, const json_place *at, const carom_field *field, double number,
                          double *out)
{
    *out = number * unit_of(r, field);
    const char *problem = field_number_problem(field, *out);
    return problem ? scene_fail(r, at, "is %g in the units of the file but %g in SI units; there it %s", number, *out,
                                problem)
                   : CAROM_OK;
}

/* Numbers with a unit of their own, "10 mm" or "10mm". Where a text is one: what stands behind the number; else NULL. */
static const char *unit_behind(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    const char *unit = end + strspn(end, " ");
    return end != text && isfinite(*number) && isalpha((unsigned char)*unit) ? unit : NULL;
}

static bool same_dimension(carom_dimension a, carom_dimension b)
{
    return a.length == b.length && a.mass == b.mass && a.time == b.time && a.angle == b.angle;
}

static carom_status take_with_unit(const scene_reader *r, const json_place *at, const carom_field *field,
                                   const char *text, double number, const char *unit, double *out)
{
    char is[32];
    char wanted[32];
    carom_dimension dimension;
    double factor;
    if (!unit_parse(unit, &dimension, &factor)) {
        return scene_fail(r, at, "'%.60s': there is no unit '%.30s'; units are products of %s", text, unit,
                          unit_list());
    }
    if (field->flags & CAROM_ALONG) {
        return scene_fail(
            r, at,
            "'%.60s': numbers along a joint coordinate have no unit of their own; write a plain number in the "
            "units of the file",
            text);
    }
    if (!same_dimension(dimension, field->dimension)) {
        carom_dimension_text(dimension, is, sizeof is);
        carom_dimension_text(field->dimension, wanted, sizeof wanted);
        return scene_fail(r, at, "'%.60s' is in %s, but this is %s%s", text, is, wanted[0] ? "in " : "a plain number",
                          wanted);
    }
    *out = number * factor;
    return check_number(r, at, field, *out);
}

carom_status scene_read_real(const scene_reader *r, const json_place *at, const carom_field *field,
                             const json_t *json, double *out)
{
    double number = 0.0;
    const char *text = json_string_value(json);
    const char *unit = text ? unit_behind(text, &number) : NULL;
    if (unit) {
        return take_with_unit(r, at, field, text, number, unit, out);
    }
    carom_status status = scene_read_number(r, at, json, &number);
    status = status == CAROM_OK ? check_number(r, at, field, number) : status;
    if (status == CAROM_OK) {
        status = to_si(r, at, field, number, out);
    }
    return status;
}

carom_status scene_read_int(const scene_reader *r, const json_place *at, const carom_field *field, const json_t *json,
                            int *out)
{
    double number = 0.0;
    carom_status status = scene_read_number(r, at, json, &number);
    if (status != CAROM_OK) {
        return status;
    }
    if (number != floor(number) || fabs(number) > INT_MAX) {
        return scene_fail(r, at, "is %g; it must be an integer", number);
    }
    *out = (int)number;
    return check_number(r, at, field, number);
}

/* ---- several numbers ----------------------------------------------------------------------------------------- */

static carom_status read_elements(const scene_reader *r, const json_place *at, const carom_field *field,
                                  const json_t *json, double *out, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const json_place element = { at, NULL, i };
        carom_status status = scene_read_real(r, &element, field, json_array_get(json, i), &out[i]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

carom_status scene_read_vector(const scene_reader *r, const json_place *at, const carom_field *field,
                               const json_t *json, carom_v3 *out)
{
    if (!json_is_array(json)) {
        return scene_wrong_type(r, at, json, "a list of three numbers");
    }
    if (json_array_size(json) != 3) {
        return scene_fail(r, at, "found a list of %zu where three numbers are expected", json_array_size(json));
    }
    double xyz[3];
    carom_status status = read_elements(r, at, field, json, xyz, 3);
    if (status == CAROM_OK) {
        *out = (carom_v3){ xyz[0], xyz[1], xyz[2] };
    }
    return status;
}

carom_status scene_read_direction(const scene_reader *r, const json_place *at, const carom_field *field,
                                  const json_t *json, carom_v3 *out)
{
    carom_v3 v;
    const carom_field plain = { .name = field->name };
    carom_status status = scene_read_vector(r, at, &plain, json, &v);
    if (status != CAROM_OK) {
        return status;
    }
    double length = hypot(hypot(v.x, v.y), v.z);
    if (length == 0.0) {
        return scene_fail(r, at, "the zero vector has no direction; write a unit vector such as [0, 0, 1]");
    }
    carom_v3 unit = { v.x / length, v.y / length, v.z / length };
    if (fabs(length - 1.0) > 1e-6) {
        char x[32], y[32], z[32];
        return scene_fail(r, at, "has length %g; a direction must be a unit vector: write [%s, %s, %s]", length,
                          number_text(unit.x, x, sizeof x), number_text(unit.y, y, sizeof y),
                          number_text(unit.z, z, sizeof z));
    }
    *out = unit;
    return CAROM_OK;
}

carom_status scene_check_count(const scene_reader *r, const json_place *at, const carom_field *field, size_t count,
                               const char *what)
{
    bool enough = count >= field->min_count;
    bool too_many = field->max_count > 0 && count > field->max_count;
    if (enough && !too_many) {
        return CAROM_OK;
    }
    if (field->min_count == field->max_count) {
        return scene_fail(r, at, "found a list of %zu; it must have %zu %s", count, field->min_count, what);
    }
    return too_many
               ? scene_fail(r, at, "found a list of %zu; it may have at most %zu %s", count, field->max_count, what)
               : scene_fail(r, at, "found a list of %zu; it must have at least %zu %s", count, field->min_count,
                            what);
}

carom_status scene_read_reals(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_reals *out)
{
    bool alone = field->min_count == 1 && (json_is_number(json) || json_is_string(json)); /* one stands for a list */
    if (!json_is_array(json) && !alone) {
        return scene_wrong_type(r, at, json, "a list of numbers");
    }
    size_t count = alone ? 1 : json_array_size(json);
    carom_status status = scene_check_count(r, at, field, count, "numbers");
    if (status != CAROM_OK) {
        return status;
    }
    double *data = CAROM_ARENA_ARRAY(r->arena, double, count);
    if (!data) {
        return scene_no_memory(r);
    }
    *out = (carom_reals){ count, data };
    if (alone) {
        return scene_read_real(r, at, field, json, data);
    }
    return read_elements(r, at, field, json, data, count);
}

/* ---- tables -------------------------------------------------------------------------------------------------- */

/* A table as scenes write it: the points, and what lies between and outside. */
typedef struct table_options {
    int interpolation;
    int outside;
    int column; /* of a CSV file */
} table_options;

static const char *const interpolation_names[] = { "linear", "cubic", "step", "monotone", NULL };
static const char *const outside_names[] = { "hold", "repeat", "extrapolate", NULL };

static const carom_field table_fields[] = {
    { .name = "interpolation",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(table_options, interpolation),
      .names = interpolation_names,
      .doc = "Between the points." },
    { .name = "outside",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(table_options, outside),
      .names = outside_names,
      .doc = "Before the first and after the last point." },
    { .name = "column",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(table_options, column),
      .flags = CAROM_POSITIVE,
      .doc = "Of a CSV file: the column with the values, counted from 1; the first has the arguments." },
    { 0 },
};

static carom_status read_point(const scene_reader *r, const json_place *at, const carom_field *field,
                               const json_t *json, double *x, double *y)
{
    if (!json_is_array(json) || json_array_size(json) != 2) {
        return scene_fail(r, at, "a point of a table is a pair of numbers: [x, y]");
    }
    const json_place places[2] = { { at, NULL, 0 }, { at, NULL, 1 } };
    const carom_field along = { .name = "x", .dimension = field->dimension_x };
    carom_status status = scene_read_real(r, &places[0], &along, json_array_get(json, 0), x);
    return status == CAROM_OK ? scene_read_real(r, &places[1], field, json_array_get(json, 1), y) : status;
}

static carom_status read_points(const scene_reader *r, const json_place *at, const carom_field *field,
                                const json_t *json, carom_curve *out)
{
    size_t count = json_array_size(json);
    if (!json_is_array(json) || count == 0) {
        return scene_fail(r, at, "a table is a list of points in ascending order: [[0, 0], [1, 2], ...]");
    }
    double *x = CAROM_ARENA_ARRAY(r->arena, double, count);
    double *y = CAROM_ARENA_ARRAY(r->arena, double, count);
    if (!x || !y) {
        return scene_no_memory(r);
    }
    for (size_t i = 0; i < count; ++i) {
        const json_place point = { at, NULL, i };
        carom_status status = read_point(r, &point, field, json_array_get(json, i), &x[i], &y[i]);
        if (status != CAROM_OK) {
            return status;
        }
        if (i > 0 && !(x[i] >= x[i - 1])) {
            return scene_fail(r, &point, "the points of a table must be in ascending order; %g does not follow %g",
                              x[i], x[i - 1]);
        }
    }
    *out = (carom_curve){ .count = count, .x = x, .y = y };
    return CAROM_OK;
}

/* Numbers of one line, separated by commas, semicolons or blanks; how many. -1: something is no number. */
static int line_numbers(char *line, double *out, int most)
{
    char *save = NULL;
    int count = 0;
    for (char *word = strtok_r(line, ",; \t\r", &save); word; word = strtok_r(NULL, ",; \t\r", &save)) {
        char *end = word;
        double number = strtod(word, &end);
        if (end == word || *end || !isfinite(number)) {
            return -1;
        }
        if (count < most) {
            out[count++] = number;
        }
    }
    return count;
}

/* Lines of a CSV file as points. The first may be a header; empty lines and those with # are passed over. */
static carom_status read_lines(const scene_reader *r, const json_place *at, const carom_field *field,
                               const char *file, char *text, int column, carom_curve *out)
{
    enum { COLUMNS = 64 };
    const carom_field along = { .name = "x", .dimension = field->dimension_x };
    double numbers[COLUMNS];
    size_t lines = 1;
    for (const char *c = text; *c; ++c) {
        lines += *c == '\n';
    }
    double *x = CAROM_ARENA_ARRAY(r->arena, double, lines);
    double *y = CAROM_ARENA_ARRAY(r->arena, double, lines);
    if (!x || !y) {
        return scene_no_memory(r);
    }
    size_t count = 0;
    long number = 0;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        ++number;
        size_t begin = strspn(line, " \t\r");
        if (line[begin] == '\0' || line[begin] == '#') {
            continue;
        }
        int found = line_numbers(line, numbers, COLUMNS);
        if (found < 0 && count == 0 && number == 1) {
            continue; /* a header */
        }
        if (found < column || (count > 0 && !(numbers[0] * unit_of(r, &along) >= x[count - 1]))) {
            return scene_fail(r, at, "'%.200s', line %ld: expected numbers in %d columns, the first ascending", file,
                              number, column);
        }
        x[count] = numbers[0] * unit_of(r, &along);
        carom_status status = to_si(r, at, field, numbers[column - 1], &y[count++]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    *out = (carom_curve){ .count = count, .x = x, .y = y };
    return count > 0 ? CAROM_OK : scene_fail(r, at, "'%.200s' has no lines of numbers", file);
}

static carom_status read_csv(const scene_reader *r, const json_place *at, const carom_field *field,
                             const json_t *json, int column, carom_curve *out)
{
    enum { LONGEST = 1 << 28 };
    const char *file = NULL;
    char *text = NULL;
    size_t bytes = 0;
    carom_error inner = { 0 };
    if (column < 2 || column > 64) {
        return scene_fail(r, at, "column %d of a CSV file: values are in columns 2 to 64", column);
    }
    carom_status status = scene_read_file_name(r, at, json, &file);
    if (status == CAROM_OK && file_read_whole(file, LONGEST, &text, &bytes, &inner) != CAROM_OK) {
        status = inner.status == CAROM_NO_MEMORY ? scene_no_memory(r) : scene_fail(r, at, "%.400s", inner.message);
    }
    status = status == CAROM_OK ? read_lines(r, at, field, file, text, column, out) : status;
    free(text);
    return status;
}

carom_status scene_read_curve(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_curve *out)
{
    static const char *const beside[] = { "table", NULL };
    if (json_is_array(json)) {
        return read_points(r, at, field, json, out);
    }
    json_t *points = json_object_get(json, "table");
    if (!points) {
        return json_is_object(json) ? scene_fail(r, at, "a table needs its points: {\"table\": [[0, 0], [1, 2]]}")
                                    : scene_wrong_type(r, at, json, "a table");
    }
    table_options options = { .column = 2 };
    const json_place place = { at, "table", 0 };
    carom_status status = scene_read_object(r, at, table_fields, beside, json, &options);
    if (status == CAROM_OK) {
        status = json_is_string(points) ? read_csv(r, &place, field, points, options.column, out)
                                        : read_points(r, &place, field, points, out);
    }
    out->interpolation = (carom_interpolation)options.interpolation;
    out->outside = (carom_outside)options.outside;
    return status;
}

/* ---- values over time ---------------------------------------------------------------------------------------- */

/* Accepts every name; what they mean is known when the model is compiled. */
static int accept_name(void *context, const char *name)
{
    (void)name;
    int *count = context;
    return (*count)++;
}

/* Parses now, so that a slip of the pen is reported with its line. Without variables it is just a number. */
static carom_status read_expression(const scene_reader *r, const json_place *at, const carom_field *field,
                                    const char *text, carom_value *out)
{
    const char *plain;
    carom_status status = scene_substitute(r, at, text, &plain);
    if (status != CAROM_OK) {
        return status;
    }
    int names = 0;
    carom_error inner = { 0 };
    expr *e = expr_create(plain, accept_name, &names, &inner);
    if (!e) {
        return inner.status == CAROM_NO_MEMORY ? scene_no_memory(r)
                                               : scene_fail(r, at, "cannot understand the %s", inner.message);
    }
    bool constant = expr_variable_count(e) == 0;
    expr_destroy(e);
    if (constant) {
        double number = 0.0;
        status = scene_evaluate(r, at, text, &number);
        status = status == CAROM_OK ? check_number(r, at, field, number) : status;
        status = status == CAROM_OK ? to_si(r, at, field, number, &number) : status;
        *out = carom_value_number(number);
        return status;
    }
    *out = carom_value_expression(scene_resolve_expression(r, plain));
    out->scale = unit_of(r, field);
    return out->expression ? CAROM_OK : scene_no_memory(r);
}

static carom_status read_value(const scene_reader *r, const json_place *at, const carom_field *field,
                               const json_t *json, carom_value *out)
{
    double plain = 0.0;
    const char *text = json_string_value(json);
    const char *unit = text ? unit_behind(text, &plain) : NULL;
    if (unit) {
        *out = carom_value_number(0.0);
        return take_with_unit(r, at, field, text, plain, unit, &out->number);
    }
    if (text) {
        return read_expression(r, at, field, text, out);
    }
    if (json_is_object(json) || json_is_array(json)) {
        carom_field over_time = *field;
        over_time.dimension_x = (carom_dimension)CAROM_DIM_TIME;
        *out = carom_value_number(0.0);
        out->kind = CAROM_TABLE;
        return scene_read_curve(r, at, &over_time, json, &out->table);
    }
    if (!json_is_real(json)) {
        return scene_wrong_type(r, at, json, "a number, an expression or a table over time");
    }
    double number;
    carom_status status = scene_read_real(r, at, field, json, &number);
    if (status == CAROM_OK) {
        *out = carom_value_number(number);
    }
    return status;
}

carom_status scene_read_value(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_value *out)
{
    carom_status status = read_value(r, at, field, json, out);
    out->units = r->file->units; /* of numbers and tables too, whose dimension may follow from what they are for */
    return status;
}
