#include "scene/scene_write.h"

#include <stdlib.h>
#include <string.h>

#include "files/byte_buffer.h"
#include "model/fields.h"
#include "files/json_value.h"

static void add_text(byte_buffer *b, const char *text)
{
    byte_buffer_add(b, text, strlen(text));
}

/* Texts with what JSON escapes. */
static void add_string(byte_buffer *b, const json_t *value)
{
    char *text = json_write_text(value, JSON_ENCODE_ANY);
    b->failed = b->failed || !text;
    add_text(b, text ? text : "");
    free(text);
}

static void add_key(byte_buffer *b, const char *key)
{
    json_t *name = json_string(key);
    add_string(b, name);
    add_text(b, ": ");
    json_decref(name);
}

static void add_value(byte_buffer *b, const json_t *value)
{
    char number[40];
    size_t i;
    json_t *element;
    const char *key;
    const char *between = "";
    json_t *inside = (json_t *)(uintptr_t)value;
    if (json_is_object(value)) {
        add_text(b, "{");
        json_object_foreach(inside, key, element)
        {
            add_text(b, between);
            add_key(b, key);
            add_value(b, element);
            between = ", ";
        }
        add_text(b, "}");
    } else if (json_is_array(value)) {
        add_text(b, "[");
        json_array_foreach(inside, i, element)
        {
            add_text(b, i > 0 ? ", " : "");
            add_value(b, element);
        }
        add_text(b, "]");
    } else if (json_is_real(value)) {
        add_text(b, number_text(json_real_value(value), number, sizeof number));
    } else {
        add_string(b, value);
    }
}

/* A list of objects: one per line. */
static void add_member(byte_buffer *b, const json_t *value)
{
    size_t i;
    json_t *element;
    if (!json_is_object(json_array_get(value, 0))) {
        add_value(b, value);
        return;
    }
    add_text(b, "[");
    json_array_foreach(value, i, element)
    {
        add_text(b, i > 0 ? ",\n    " : "\n    ");
        add_value(b, element);
    }
    add_text(b, "\n  ]");
}

char *scene_write(const json_t *root)
{
    byte_buffer b = { 0 };
    const char *between = "";
    const char *key;
    json_t *value;
    add_text(&b, "{");
    json_object_foreach((json_t *)(uintptr_t)root, key, value)
    {
        add_text(&b, between);
        add_text(&b, "\n  ");
        add_key(&b, key);
        add_member(&b, value);
        between = ",";
    }
    byte_buffer_add(&b, "\n}\n", sizeof "\n}\n");
    if (b.failed) {
        byte_buffer_free(&b);
        return NULL;
    }
    return (char *)b.data;
}
