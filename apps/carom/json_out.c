#include "json_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool follows;    /* something stands before, in the same object or list */
static bool for_errors; /* json_errors was called */
static bool begun;      /* the object of the command is open */

static void put_text(const char *text)
{
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
        if (*c == '"' || *c == '\\') {
            printf("\\%c", *c);
        } else if (*c < ' ' || *c == 127) {
            printf("\\u%04x", *c);
        } else {
            putchar(*c);
        }
    }
    putchar('"');
}

static void put_key(const char *key)
{
    fputs(follows ? ", " : "", stdout);
    follows = true;
    if (key) {
        put_text(key);
        fputs(": ", stdout);
    }
}

void json_open(const char *key, char bracket)
{
    put_key(key);
    putchar(bracket);
    follows = false;
}

void json_close(char bracket)
{
    putchar(bracket);
    follows = true;
}

void json_text(const char *key, const char *text)
{
    put_key(key);
    if (text) {
        put_text(text);
    } else {
        fputs("null", stdout);
    }
}

void json_number(const char *key, double value)
{
    put_key(key);
    if (isfinite(value)) {
        printf("%.17g", value);
    } else {
        fputs("null", stdout);
    }
}

void json_bool(const char *key, bool value)
{
    put_key(key);
    fputs(value ? "true" : "false", stdout);
}

void json_vector(const char *key, carom_v3 value)
{
    json_open(key, '[');
    json_number(NULL, value.x);
    json_number(NULL, value.y);
    json_number(NULL, value.z);
    json_close(']');
}

void json_begin(const char *command)
{
    follows = false;
    begun = true;
    json_open(NULL, '{');
    json_text("command", command);
    json_text("carom", CAROM_VERSION);
}

void json_end(void)
{
    json_close('}');
    putchar('\n');
    follows = false;
    begun = false;
}

void json_errors(void)
{
    for_errors = true;
}

static void put_error(const carom_error *err)
{
    json_open(NULL, '{');
    json_text("status", carom_status_name(err->status));
    json_text("file", err->file);
    json_number("line", err->line);
    json_text("path", err->path);
    json_text("message", err->message);
    json_close('}');
}

void json_tell_error(const carom_error *err)
{
    if (!for_errors) {
        return;
    }
    if (!begun) {
        json_begin("error");
    }
    json_open("errors", '[');
    const carom_error_list *all = err->count > 1 ? err->all : NULL;
    for (int i = 0; all && i < all->count; ++i) {
        put_error(&all->items[i]);
    }
    if (!all) {
        put_error(err);
    }
    json_close(']');
    json_end();
    for_errors = false; /* once */
}
