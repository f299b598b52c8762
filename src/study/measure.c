/* Measures: sums of signals over the frames of a run, and expressions of them. */
#include "study/study.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "expr/expr.h"

/* ---- what is needed ----------------------------------------------------------------------------------------------- */

static size_t find_signal(carom_study *s, const char *name)
{
    size_t i = 0;
    while (i < s->signal_count && strcmp(s->signals[i], name) != 0) {
        ++i;
    }
    if (i == s->signal_count) {
        s->signals[s->signal_count++] = name;
    }
    return i;
}

/* Expressions name measures that stand before them or are no expressions, and variables by the last part of their path. */
typedef struct expression_names {
    const carom_study *study;
    size_t self;
} expression_names;

static const char *short_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

static int resolve(void *context, const char *name)
{
    const expression_names *n = context;
    const carom_study *s = n->study;
    for (size_t i = 0; i < s->measure_count; ++i) {
        bool known = s->measures[i].kind != MEASURE_EXPRESSION || i < n->self;
        if (known && strcmp(s->measures[i].name, name) == 0) {
            return (int)i;
        }
    }
    for (size_t i = 0; i < s->variable_count; ++i) {
        if (strcmp(s->variables[i].path, name) == 0 || strcmp(short_name(s->variables[i].path), name) == 0) {
            return (int)(s->measure_count + i);
        }
    }
    return -1;
}

/* Whether an expression has this word in it, as a name of its own. */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); ++at) {
        bool begins = at == text || (!isalnum((unsigned char)at[-1]) && !strchr("_.", at[-1]));
        bool ends = !isalnum((unsigned char)at[length]) && !strchr("_.[(", at[length] ? at[length] : ' ');
        if (begins && ends) {
            return true;
        }
    }
    return false;
}

/* e and pi are numbers in expressions: who means a variable of that name is told. */
static carom_status check_constants(const carom_study *s, const measure *m, carom_error *err)
{
    static const char *const constants[] = { "e", "pi" };
    for (size_t k = 0; k < 2; ++k) {
        for (size_t i = 0; i < s->variable_count; ++i) {
            if (strcmp(short_name(s->variables[i].path), constants[k]) == 0 && has_word(m->text, constants[k])) {
                return carom_fail(
                    err, CAROM_BAD_INPUT,
                    "measure '%.60s': '%s' is a constant in expressions; write '%.100s' for the variable", m->name,
                    constants[k], s->variables[i].path);
            }
        }
    }
    return CAROM_OK;
}

static carom_status parse(const carom_study *s, size_t i, expr **out, carom_error *err)
{
    expression_names names = { s, i };
    carom_error inner = { 0 };
    *out = expr_create(s->measures[i].text, resolve, &names, &inner);
    return *out ? CAROM_OK
                : carom_fail(
                      err, CAROM_BAD_INPUT,
                      "measure '%.60s': %.400s; an expression names measures that stand before it, and variables",
                      s->measures[i].name, inner.message);
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

/* Those of the scene file itself, as they are named there: NULL behind the last. */
static const char *scene_event(const json_t *scene, size_t index)
{
    const json_t *events = json_object_get(scene, "events");
    const json_t *one = json_is_array(events) ? json_array_get(events, index) : index == 0 ? events : NULL;
    return json_string_value(json_object_get(one, "name"));
}

static carom_status unknown_event(const carom_study *s, const measure *m, const json_t *scene, carom_error *err)
{
    enum { MOST = 64 };
    const char *names[MOST];
    size_t count = 0;
    for (size_t i = 0; i < s->event_count && count < MOST; ++i) {
        names[count++] = s->events[i];
    }
    for (size_t i = 0; count < MOST && scene_event(scene, i); ++i) {
        names[count++] = scene_event(scene, i);
    }
    const char *nearest = carom_text_nearest(m->text, names, count);
    return carom_fail(err, CAROM_BAD_INPUT, "measure '%.60s': neither study nor scene has an event '%.60s'%s%.60s%s",
                      m->name, m->text, nearest ? " (did you mean '" : "", nearest ? nearest : "",
                      nearest ? "'?)" : "; describe it in 'events'");
}

static carom_status find_event(carom_study *s, measure *m, const json_t *scene, carom_error *err)
{
    for (size_t i = 0; i < s->event_count; ++i) {
        if (strcmp(s->events[i], m->text) == 0) {
            m->signal = i;
            return CAROM_OK;
        }
    }
    for (size_t i = 0; scene_event(scene, i); ++i) {
        if (strcmp(scene_event(scene, i), m->text) == 0) {
            m->signal = s->event_count;
            s->events[s->event_count++] = m->text;
            return CAROM_OK;
        }
    }
    return unknown_event(s, m, scene, err);
}

/* Whether a condition can be read; its signals are known when a scene is compiled. */
static int any_name(void *context, const char *name)
{
    (void)context;
    (void)name;
    return 0;
}

static carom_status prepare_events(carom_study *s, carom_error *err)
{
    s->own_event_count = s->event_count = s->def.events.count;
    s->own_events = s->def.events.items;
    for (size_t i = 0; i < s->own_event_count; ++i) {
        carom_error inner = { 0 };
        expr *e = expr_create(s->own_events[i].when, any_name, NULL, &inner);
        expr_destroy(e);
        s->events[i] = s->own_events[i].name;
        if (!e) {
            return carom_fail(err, CAROM_BAD_INPUT, "event '%.60s': %.400s", s->own_events[i].name, inner.message);
        }
    }
    return CAROM_OK;
}

static carom_status classify(carom_study *s, const measure_def *def, const json_t *scene, measure *m,
                             carom_error *err)
{
    const struct {
        const char *text;
        measure_kind kind;
    } given[] = { { def->max, MEASURE_MAX },
                  { def->min, MEASURE_MIN },
                  { def->mean, MEASURE_MEAN },
                  { def->final, MEASURE_FINAL },
                  { def->event, MEASURE_EVENT },
                  { def->time_of, MEASURE_TIME },
                  { def->expression, MEASURE_EXPRESSION } };
    int count = 0;
    for (size_t k = 0; k < sizeof given / sizeof *given; ++k) {
        if (given[k].text) {
            m->kind = given[k].kind;
            m->text = given[k].text;
            ++count;
        }
    }
    if (count != 1) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "measure '%.60s' must be one of max, min, mean, final (of a signal), event, time_of (of an event), or an "
            "expression of other measures",
            def->name);
    }
    m->name = def->name;
    if (m->kind == MEASURE_EVENT || m->kind == MEASURE_TIME) {
        return find_event(s, m, scene, err);
    }
    if (m->kind != MEASURE_EXPRESSION) {
        m->signal = find_signal(s, m->text);
    }
    return CAROM_OK;
}

carom_status measures_prepare(carom_study *s, const json_t *scene, carom_error *err)
{
    const measure_def *defs = s->def.measures.items;
    s->measures = CAROM_ARENA_ARRAY(&s->arena, measure, s->def.measures.count + 1);
    s->signals = CAROM_ARENA_ARRAY(&s->arena, const char *, s->def.measures.count + 1);
    s->events = CAROM_ARENA_ARRAY(&s->arena, const char *, s->def.measures.count + s->def.events.count + 1);
    if (!s->measures || !s->signals || !s->events) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for measures");
    }
    carom_status status = prepare_events(s, err);
    s->measure_count = s->def.measures.count;
    for (size_t i = 0; i < s->measure_count && status == CAROM_OK; ++i) {
        status = classify(s, &defs[i], scene, &s->measures[i], err);
    }
    for (size_t i = 0; i < s->measure_count && status == CAROM_OK; ++i) {
        expr *e = NULL;
        if (s->measures[i].kind == MEASURE_EXPRESSION) {
            status = check_constants(s, &s->measures[i], err);
            status = status == CAROM_OK ? parse(s, i, &e, err) : status;
            expr_destroy(e);
        }
    }
    return status;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

void measure_add(measure_sums *sums, double t, double value)
{
    if (!sums->any) {
        *sums = (measure_sums){ value, value, value, value, 0.0, t, t, true };
        return;
    }
    sums->area += 0.5 * (t - sums->end) * (sums->last + value);
    sums->most = value > sums->most || isnan(value) ? value : sums->most;
    sums->least = value < sums->least || isnan(value) ? value : sums->least;
    sums->last = value;
    sums->end = t;
}

static double value_of(const measure *m, const measure_sums *all, const double *event_at)
{
    if (m->kind == MEASURE_EVENT || m->kind == MEASURE_TIME) {
        double at = event_at[m->signal];
        return m->kind == MEASURE_TIME ? at : isnan(at) ? 0.0 : 1.0;
    }
    const measure_sums *sums = &all[m->signal];
    switch (m->kind) {
    case MEASURE_MAX:
        return sums->most;
    case MEASURE_MIN:
        return sums->least;
    case MEASURE_MEAN:
        return sums->end > sums->begin ? sums->area / (sums->end - sums->begin) : sums->last;
    default:
        return sums->last;
    }
}

carom_status measures_finish(const carom_study *s, const measure_sums *sums, const double *event_at,
                             const double *inputs, double *values, carom_error *err)
{
    carom_arena arena = { 0 };
    double *known = CAROM_ARENA_ARRAY(&arena, double, s->measure_count + s->variable_count + 1);
    carom_status status = known ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for measures");
    for (size_t i = 0; status == CAROM_OK && i < s->variable_count; ++i) {
        known[s->measure_count + i] = inputs[i];
    }
    for (int expressions = 0; expressions < 2; ++expressions) {
        for (size_t i = 0; status == CAROM_OK && i < s->measure_count; ++i) {
            const measure *m = &s->measures[i];
            if ((m->kind == MEASURE_EXPRESSION) != (expressions == 1)) {
                continue;
            }
            expr *e = NULL;
            status = expressions ? parse(s, i, &e, err) : CAROM_OK;
            known[i] = e ? expr_eval(e, known) : value_of(m, sums, event_at);
            expr_destroy(e);
        }
    }
    if (status == CAROM_OK) {
        memcpy(values, known, s->measure_count * sizeof *values);
    }
    carom_arena_free(&arena);
    return status;
}
