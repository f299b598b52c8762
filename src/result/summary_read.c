/* Reading summary.json back: numbers and texts by their place. The file is not trusted; what is not there, or is of
 * another kind, is absent. */
#include "result/result_read.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/hash.h"
#include "base/names.h"
#include "files/json_value.h"
#include "model/finding.h"
#include "result/summary.h"

struct carom_summary {
    json_t *root; /* an object */
};

/* ---- the checksum ------------------------------------------------------------------------------------------------- */

#define TAIL_HEAD ",\n  \"checksum\": \""

/* Wall times differ between equal runs, and equal runs have equal checksums: they are left out. */
static size_t find_times(const char *text, size_t bytes, size_t *end)
{
    const char *wall = strstr(text, "\n  \"wall_s\": ");
    const char *phases = wall ? strstr(wall, "\n  \"phases\": {") : NULL;
    const char *close = phases ? strstr(phases, "\n  }") : NULL;
    bool inside = close && (size_t)(close - text) < bytes;
    *end = inside ? (size_t)(close - text) : bytes;
    return inside ? (size_t)(wall - text) : bytes;
}

void summary_tail(const char *text, size_t bytes, char tail[SUMMARY_TAIL + 1])
{
    size_t end = bytes;
    size_t begin = find_times(text, bytes, &end);
    uint64_t sum = carom_hash(carom_hash(CAROM_HASH_START, text, begin), text + end, bytes - end);
    snprintf(tail, SUMMARY_TAIL + 1, TAIL_HEAD "%016" PRIx64 "\"\n}", sum);
}

/* A changed bit leaves at least one of the two marks of a checksum: its name, or sixteen characters in quotes. */
static bool claims_checksum(const char *end)
{
    const char *tail = end - SUMMARY_TAIL;
    return memcmp(tail, TAIL_HEAD, strlen(TAIL_HEAD)) == 0 || (end[-1] == '}' && end[-3] == '"' && end[-20] == '"');
}

/* A text without checksum, of an older carom, counts as sound. */
static bool is_sound(const char *text, size_t bytes)
{
    char tail[SUMMARY_TAIL + 1];
    if (bytes <= SUMMARY_TAIL || !claims_checksum(text + bytes)) {
        return true;
    }
    summary_tail(text, bytes - SUMMARY_TAIL, tail);
    return memcmp(text + bytes - SUMMARY_TAIL, tail, SUMMARY_TAIL) == 0;
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* The value at a path of names with dots between them; "" is the whole. */
static json_t *value_at(const carom_summary *summary, const char *path)
{
    json_t *value = summary && path ? summary->root : NULL;
    while (value && *path) {
        size_t bytes = strcspn(path, ".");
        value = json_object_getn(value, path, bytes);
        path += bytes + (path[bytes] == '.');
    }
    return value;
}

carom_status summary_parse(const char *text, size_t bytes, const char *path, carom_summary **out, carom_error *err)
{
    bool lacks_memory = false;
    json_t *root = json_read_text(text, bytes, JSON_DECODE_INT_AS_REAL, NULL, &lacks_memory);
    bool damaged = !lacks_memory && (!json_is_object(root) || !is_sound(text, bytes));
    *out = lacks_memory || damaged ? NULL : malloc(sizeof **out);
    if (*out) {
        (*out)->root = root;
        return CAROM_OK;
    }
    json_decref(root);
    return damaged ? carom_fail(err, CAROM_BAD_INPUT,
                                "'%.500s' is damaged; remove it to look at result.h5 without it", path)
                   : carom_fail(err, CAROM_NO_MEMORY, "no memory to read '%.500s'", path);
}

void summary_free(carom_summary *summary)
{
    if (summary) {
        json_decref(summary->root);
        free(summary);
    }
}

bool carom_summary_number(const carom_summary *summary, const char *path, double *value)
{
    const json_t *found = value_at(summary, path);
    if (value) {
        *value = json_is_number(found) ? json_number_value(found) : (double)NAN;
    }
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
    return carom_summary_number(carom_result_summary(result), path, value);
}

/* ---- pairs -------------------------------------------------------------------------------------------------------- */

/* Bodies by their names. */
static bool name_bodies(carom_names *names, carom_arena *arena, const carom_result *result)
{
    int count = (int)carom_result_body_count(result);
    carom_names_prepare(names, (size_t)count, arena);
    for (carom_id i = CAROM_GROUND; i < count && !arena->failed; ++i) {
        carom_names_add(names, carom_result_body_name(result, i), i);
    }
    return !arena->failed;
}

static carom_id body_of(const carom_names *bodies, const char *name)
{
    int found = name ? carom_names_find(bodies, name) : -1;
    return found >= 0 ? found : CAROM_NONE;
}

static double number_in(const json_t *object, const char *key)
{
    const json_t *found = json_object_get(object, key);
    return json_is_number(found) ? json_number_value(found) : (double)NAN;
}

static bool read_pair(const carom_names *names, const json_t *object, carom_result_pair *out)
{
    const json_t *bodies = json_object_get(object, "bodies");
    *out = (carom_result_pair){
        .body = { body_of(names, json_string_value(json_array_get(bodies, 0))),
                  body_of(names, json_string_value(json_array_get(bodies, 1))) },
        .first_touch = number_in(object, "first_touch"),
        .last_touch = number_in(object, "last_touch"),
        .in_contact = number_in(object, "in_contact"),
        .peak_force = number_in(object, "peak_force"),
        .peak_at = number_in(object, "peak_at"),
        .impulse = number_in(object, "impulse"),
        .penetration = number_in(object, "penetration"),
    };
    return out->body[0] != CAROM_NONE && out->body[1] != CAROM_NONE && isfinite(out->peak_force);
}

carom_status summary_pairs(const carom_summary *summary, const carom_result *result, carom_result_pair **out,
                           size_t *count, carom_error *err)
{
    const json_t *list = value_at(summary, "pairs");
    size_t listed = json_array_size(list);
    size_t size = listed < CAROM_PAIRS_MOST ? listed : CAROM_PAIRS_MOST;
    carom_arena arena = { 0 };
    carom_names names = { 0 };
    *out = NULL;
    if (!json_is_array(list)) {
        return CAROM_OK;
    }
    carom_result_pair *pairs = malloc((size + 1) * sizeof *pairs);
    bool room = pairs && name_bodies(&names, &arena, result);
    bool ok = room;
    for (size_t i = 0; ok && i < size; ++i) {
        ok = read_pair(&names, json_array_get(list, i), &pairs[i]);
    }
    carom_arena_free(&arena);
    if (!ok) {
        free(pairs);
        return room ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "no memory for touching pairs");
    }
    *out = pairs;
    *count = size;
    return CAROM_OK;
}

/* ---- findings ----------------------------------------------------------------------------------------------------- */

static carom_severity severity_of(const char *name)
{
    int severity = CAROM_SEVERITIES - 1;
    while (severity > 0 && (!name || strcmp(carom_severity_name((carom_severity)severity), name) != 0)) {
        --severity;
    }
    return (carom_severity)severity;
}

static const char *text_in(carom_arena *arena, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return carom_arena_text(arena, text ? text : "");
}

static carom_finding read_finding(carom_arena *arena, const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "finding"));
    double count = number_in(object, "count");
    return (carom_finding){
        .kind = finding_kind_find(name),
        .name = text_in(arena, object, "finding"),
        .severity = severity_of(json_string_value(json_object_get(object, "severity"))),
        .place = text_in(arena, object, "place"),
        .text = text_in(arena, object, "text"),
        .remedy = text_in(arena, object, "remedy"),
        .count = count >= 1.0 && count < 1e18 ? (long)count : 1,
        .number = number_in(object, "number"),
        .limit = number_in(object, "limit"),
        .unit = text_in(arena, object, "unit"),
        .first = number_in(object, "first"),
        .worst = number_in(object, "worst"),
    };
}

carom_status carom_result_findings(const carom_result *result, carom_findings **out, carom_error *err)
{
    const argument needed[] = { { "result", result }, { "out", out } };
    carom_status status = arguments_given("carom_result_findings", needed, 2, err);
    if (out) {
        *out = NULL;
    }
    const json_t *list = status == CAROM_OK ? value_at(carom_result_summary(result), "trust") : NULL;
    if (!json_is_array(list)) {
        return status;
    }
    carom_findings *found = calloc(1, sizeof *found);
    if (found) {
        found->count = json_array_size(list);
        found->items = CAROM_ARENA_ARRAY(&found->arena, carom_finding, found->count + 1);
    }
    for (size_t i = 0; found && !found->arena.failed && i < found->count; ++i) {
        found->items[i] = read_finding(&found->arena, json_array_get(list, i));
    }
    if (!found || found->arena.failed) {
        carom_findings_destroy(found);
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for findings");
    }
    *out = found;
    return CAROM_OK;
}
