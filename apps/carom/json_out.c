#include "json_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static FILE *target;    /* NULL: standard output */
static bool breaks;     /* before what comes next */
static bool follows;    /* something stands before, in the same object or list */
static bool for_errors; /* json_errors was called */
static bool begun;      /* the object of the command is open */

static FILE *out(void)
{
    return target ? target : stdout;
}

void json_into(FILE *file)
{
    target = file;
    follows = false;
    breaks = false;
}

void json_break(void)
{
    breaks = target != NULL;
}

static void put_text(const char *text)
{
    putc('"', out());
    for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
        if (*c == '"' || *c == '\\') {
            fprintf(out(), "\\%c", *c);
        } else if (*c < ' ' || *c == 127) {
            fprintf(out(), "\\u%04x", *c);
        } else {
            putc(*c, out());
        }
    }
    putc('"', out());
}

static void put_key(const char *key)
{
    fputs(follows ? (breaks ? ",\n" : ", ") : breaks ? "\n" : "", out());
    follows = true;
    breaks = false;
    if (key) {
        put_text(key);
        fputs(": ", out());
    }
}

void json_open(const char *key, char bracket)
{
    put_key(key);
    putc(bracket, out());
    follows = false;
}

void json_close(char bracket)
{
    putc(bracket, out());
    follows = true;
}

void json_text(const char *key, const char *text)
{
    put_key(key);
    if (text) {
        put_text(text);
    } else {
        fputs("null", out());
    }
}

void json_number(const char *key, double value)
{
    put_key(key);
    if (isfinite(value)) {
        fprintf(out(), "%.17g", value);
    } else {
        fputs("null", out());
    }
}

void json_bool(const char *key, bool value)
{
    put_key(key);
    fputs(value ? "true" : "false", out());
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
    putc('\n', out());
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
