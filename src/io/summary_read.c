/* Reading summary.json back: numbers and texts by their place. The file is not trusted; what is not there, or is of
 * another kind, is absent. */
#include "io/result_read.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_summary {
    json_t *root; /* an object */
};

/* The value at a path of names with dots between them; "" is the whole. */
static json_t *value_at(const carom_summary *summary, const char *path)
{
    json_t *value = summary ? summary->root : NULL;
    while (value && *path) {
        size_t bytes = strcspn(path, ".");
        value = json_object_getn(value, path, bytes);
        path += bytes + (path[bytes] == '.');
    }
    return value;
}

carom_summary *carom_summary_open(const carom_result *result)
{
    const char *text = carom_result_summary(result);
    json_t *root = text ? json_loads(text, JSON_DECODE_INT_AS_REAL, NULL) : NULL;
    carom_summary *summary = json_is_object(root) ? malloc(sizeof *summary) : NULL;
    if (!summary) {
        json_decref(root);
        return NULL;
    }
    summary->root = root;
    return summary;
}

void carom_summary_close(carom_summary *summary)
{
    if (summary) {
        json_decref(summary->root);
        free(summary);
    }
}

bool carom_summary_number(const carom_summary *summary, const char *path, double *value)
{
    const json_t *found = value_at(summary, path);
    *value = json_is_number(found) ? json_number_value(found) : (double)NAN;
    return json_is_number(found);
}

const char *carom_summary_text(const carom_summary *summary, const char *path)
{
    return json_string_value(value_at(summary, path));
}

size_t carom_summary_size(const carom_summary *summary, const char *path)
{
    return json_object_size(value_at(summary, path));
}

const char *carom_summary_name(const carom_summary *summary, const char *path, size_t i)
{
    json_t *object = value_at(summary, path);
    void *at = json_object_iter(object);
    while (at && i-- > 0) {
        at = json_object_iter_next(object, at);
    }
    return at ? json_object_iter_key(at) : NULL;
}

bool carom_result_number(const carom_result *result, const char *path, double *value)
{
    carom_summary *summary = carom_summary_open(result);
    bool found = carom_summary_number(summary, path, value);
    carom_summary_close(summary);
    return found;
}

/* ---- pairs -------------------------------------------------------------------------------------------------------- */

/* The body of this name, -1 for the ground; -2: none. */
static int body_of(const carom_result *result, const char *name)
{
    int count = (int)carom_result_body_count(result);
    for (int i = -1; name && i < count; ++i) {
        if (strcmp(carom_result_body_name(result, i), name) == 0) {
            return i;
        }
    }
    return -2;
}

static double number_in(const json_t *object, const char *key)
{
    const json_t *found = json_object_get(object, key);
    return json_is_number(found) ? json_number_value(found) : (double)NAN;
}

static bool read_pair(const carom_result *result, const json_t *object, carom_result_pair *out)
{
    const json_t *bodies = json_object_get(object, "bodies");
    *out = (carom_result_pair){
        .body = { body_of(result, json_string_value(json_array_get(bodies, 0))),
                  body_of(result, json_string_value(json_array_get(bodies, 1))) },
        .first_touch = number_in(object, "first_touch"),
        .last_touch = number_in(object, "last_touch"),
        .in_contact = number_in(object, "in_contact"),
        .peak_force = number_in(object, "peak_force"),
        .peak_at = number_in(object, "peak_at"),
        .impulse = number_in(object, "impulse"),
        .penetration = number_in(object, "penetration"),
    };
    return out->body[0] > -2 && out->body[1] > -2 && isfinite(out->peak_force);
}

bool summary_pairs(const carom_result *result, carom_result_pair **out, size_t *count)
{
    carom_summary *summary = carom_summary_open(result);
    const json_t *list = value_at(summary, "pairs");
    size_t size = json_array_size(list);
    carom_result_pair *pairs = json_is_array(list) ? malloc((size + 1) * sizeof *pairs) : NULL;
    bool ok = pairs != NULL;
    for (size_t i = 0; ok && i < size; ++i) {
        ok = read_pair(result, json_array_get(list, i), &pairs[i]);
    }
    carom_summary_close(summary);
    if (!ok) {
        free(pairs);
        return false;
    }
    *out = pairs;
    *count = size;
    return true;
}
