/* The views of a scene as text, for whoever shows its results. */
#include "result/result_view.h"

#include <stdlib.h>

#include "files/json_value.h"

static json_t *texts(const carom_list *list)
{
    json_t *array = json_array();
    const char *const *items = list->items;
    for (size_t i = 0; i < list->count; ++i) {
        json_array_append_new(array, json_value_text(items[i]));
    }
    return array;
}

static json_t *optional(const char *text)
{
    return text && text[0] ? json_value_text(text) : json_null();
}

static json_t *view_object(const carom_view_def *v)
{
    return json_pack("{s:o, s:o, s:[o,o,o], s:b, s:b, s:o, s:o, s:o, s:o, s:o}", "name", optional(v->name), "look_at",
                     optional(v->look_at), "from", json_value_number(v->from.x), json_value_number(v->from.y),
                     json_value_number(v->from.z), "follow", v->follow, "play", v->play, "at",
                     json_value_number(v->at), "speed", json_value_number(v->speed), "hide", texts(&v->hide), "show",
                     texts(&v->show), "plots", texts(&v->plots));
}

char *result_view_text(const carom_list *views)
{
    const carom_view_def *items = views->items;
    json_t *list = json_array();
    bool ok = list != NULL;
    for (size_t i = 0; i < views->count; ++i) {
        ok = json_array_append_new(list, view_object(&items[i])) == 0 && ok;
    }
    char *text = ok ? json_write_text(list, JSON_COMPACT) : NULL;
    json_decref(list);
    return text;
}
