/* What is plotted: signals on one time axis. Long ones are cut into stretches, of which the smallest and the largest
 * value are kept in the order they came: no peak is lost, and a stretch is narrower than a line on the screen.
 *
 * What the page can compute from poses and reactions (signals of bodies and joints) is not sent a second time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/page.h"
#include "result/result_read.h"

enum { MOST_SAMPLES = 4000, FEWEST_SAMPLES = 200, MOST_NUMBERS = 600000 }; /* of all signals: 5 MB */

/* Samples of one signal: two for each stretch of `every` frames, or every frame. */
typedef struct sampling {
    size_t frames;
    size_t every; /* 1: all frames as they are */
    size_t count; /* samples */
} sampling;

static bool is_sent(const carom_result *result, size_t signal)
{
    const char *group = result_signal_group(result, signal);
    return strcmp(group, "body") != 0 && strcmp(group, "joint") != 0;
}

static sampling choose(const carom_result *result)
{
    size_t signals = 1;
    for (size_t i = 0; i < carom_result_signal_count(result); ++i) {
        signals += is_sent(result, i);
    }
    size_t limit = MOST_NUMBERS / signals;
    limit = limit > MOST_SAMPLES ? MOST_SAMPLES : limit < FEWEST_SAMPLES ? FEWEST_SAMPLES : limit;
    sampling s = { .frames = carom_result_frame_count(result), .every = 1 };
    s.count = s.frames;
    if (s.frames > limit) {
        s.every = (2 * s.frames + limit - 1) / limit;
        s.count = 2 * ((s.frames + s.every - 1) / s.every);
    }
    return s;
}

/* The two samples of a stretch stand at its first frame and halfway; of a stretch of one frame both at that. */
static void sample_times(const sampling *s, const double *time, double *out)
{
    for (size_t i = 0; i < s->count; ++i) {
        size_t begin = s->every == 1 ? i : i / 2 * s->every;
        size_t end = begin + s->every < s->frames ? begin + s->every : s->frames;
        out[i] = time[s->every > 1 && i % 2 == 1 ? begin + (end - begin) / 2 : begin];
    }
}

static void take_extremes(const double *values, size_t count, double *out)
{
    size_t low = 0;
    size_t high = 0;
    for (size_t i = 1; i < count; ++i) {
        low = values[i] < values[low] || isnan(values[low]) ? i : low;
        high = values[i] > values[high] || isnan(values[high]) ? i : high;
    }
    out[0] = values[low < high ? low : high];
    out[1] = values[low < high ? high : low];
}

static void sample_values(const sampling *s, const double *values, double *out)
{
    for (size_t begin = 0, i = 0; s->every > 1 && begin < s->frames; begin += s->every, i += 2) {
        size_t rest = s->frames - begin;
        take_extremes(values + begin, rest < s->every ? rest : s->every, out + i);
    }
    if (s->every == 1) {
        memcpy(out, values, s->count * sizeof *out);
    }
}

static json_t *signal_object(page_writer *w, size_t signal, const double *samples, size_t count)
{
    json_t *object = json_object();
    page_put(w, object, "name", json_value_text(carom_result_signal_name(w->result, signal)));
    page_put(w, object, "unit", json_value_text(carom_result_signal_unit(w->result, signal)));
    page_put(w, object, "group", json_string(result_signal_group(w->result, signal)));
    page_put(w, object, "data", page_f64(w->arrays, samples, count));
    return object;
}

static carom_status list_signals(page_writer *w, const sampling *s, json_t *list, double *samples, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < carom_result_signal_count(w->result) && status == CAROM_OK; ++i) {
        const double *values = NULL;
        if (!is_sent(w->result, i)) {
            continue;
        }
        status = result_load_signal(w->result, i, &values, err);
        if (status == CAROM_OK) {
            sample_values(s, values, samples);
            w->failed = json_array_append_new(list, signal_object(w, i, samples, s->count)) != 0 || w->failed;
        }
    }
    return status;
}

carom_status page_add_signals(page_writer *w, carom_error *err)
{
    sampling s = choose(w->result);
    double *samples = calloc(s.count + 1, sizeof *samples);
    if (!samples) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for the signals of a page");
    }
    json_t *object = json_object();
    json_t *list = json_array();
    sample_times(&s, carom_result_time(w->result), samples);
    page_put(w, object, "time", page_f64(w->arrays, samples, s.count));
    page_put(w, object, "every", json_integer((json_int_t)s.every));
    page_put(w, object, "total", json_integer((json_int_t)s.frames));
    carom_status status = list_signals(w, &s, list, samples, err);
    page_put(w, object, "list", list);
    page_put(w, w->run, "signals", object);
    free(samples);
    return status;
}
