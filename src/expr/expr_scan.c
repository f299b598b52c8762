/* The first look at an expression's text. Refuses what muParser would take but carom does not mean: assignments, lists,
 * strings, control characters, nesting without end. Character positions stay as they are, for messages. */
#include "expr/expr_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

carom_status expr_fail(carom_error *err, const char *text, size_t position, const char *fmt, ...)
{
    enum { SHOWN = 60 }; /* characters of a long text, around the place */
    char sentence[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    size_t length = strnlen(text, EXPR_LONGEST_TEXT + 1);
    position = position < length ? position : length;
    size_t from = position > SHOWN / 2 && length > SHOWN ? position - SHOWN / 2 : 0;
    return carom_fail(err, CAROM_BAD_INPUT, "expression '%s%.*s%s': %s (character %zu)", from ? "..." : "", SHOWN,
                      text + from, length - from > SHOWN ? "..." : "", sentence, position + 1);
}

bool expr_is_name_char(char c)
{
    return c != '\0' && strchr(EXPR_NAME_CHARS, c) != NULL;
}

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static carom_status check_character(const char *text, size_t i, carom_error *err)
{
    char c = text[i];
    if (expr_is_name_char(c) || is_white(c) || strchr("()+-*/^<>=!&|?:,", c)) {
        return CAROM_OK;
    }
    if (c < ' ' || c > '~') {
        return expr_fail(err, text, i, "character code %d is not allowed", (unsigned char)c);
    }
    return expr_fail(err, text, i, "'%c' is not allowed", c);
}

/* Of "==", "<=", ">=", "!=" the second character is part of a comparison; any other '=' would assign. */
static bool is_assignment(const char *text, size_t i)
{
    if (text[i] != '=' || text[i + 1] == '=') {
        return false;
    }
    bool second = i > 0 && strchr("=<>!", text[i - 1]);
    bool third = i > 1 && text[i - 1] == '=' && strchr("=<>!", text[i - 2]); /* "<==" */
    return !second || third;
}

static carom_status check_structure(const char *text, carom_error *err)
{
    int depth = 0;
    for (size_t i = 0; text[i]; ++i) {
        carom_status status = check_character(text, i, err);
        if (status != CAROM_OK) {
            return status;
        }
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth > EXPR_DEEPEST) {
            return expr_fail(err, text, i, "more than %d parentheses within each other", EXPR_DEEPEST);
        }
        if (depth < 0) {
            return expr_fail(err, text, i, "this parenthesis was never opened");
        }
        if (text[i] == ',' && depth == 0) {
            return expr_fail(err, text, i,
                             "a comma outside of a function; an expression has one value, with decimal "
                             "point");
        }
        if (is_assignment(text, i)) {
            return expr_fail(err, text, i, "'=' would assign; compare with '=='");
        }
    }
    return CAROM_OK;
}

static carom_status check_names(const char *text, carom_error *err)
{
    for (const char *at = text; *at;) {
        size_t length = strspn(at, EXPR_NAME_CHARS);
        if (length > EXPR_LONGEST_NAME) {
            return expr_fail(err, text, (size_t)(at - text), "a name or number longer than %d characters",
                             EXPR_LONGEST_NAME);
        }
        at += length > 0 ? length : 1;
    }
    return CAROM_OK;
}

/* "sin (x)" to " sin(x)": muParser would take sin for a variable. */
static void join_functions(char *clean)
{
    for (char *open = strchr(clean, '('); open; open = strchr(open + 1, '(')) {
        char *end = open; /* of the name */
        while (end > clean && end[-1] == ' ') {
            --end;
        }
        char *begin = end;
        while (begin > clean && expr_is_name_char(begin[-1])) {
            --begin;
        }
        size_t blanks = (size_t)(open - end);
        memmove(begin + blanks, begin, (size_t)(end - begin));
        memset(begin, ' ', blanks);
    }
}

/* A plus with no value before it: muParser 2.3 takes only one, and mistakes it before a function. A plus in 1e+5
 * follows a name character and is not meant. */
static void drop_unary_plus(char *clean)
{
    char before = '('; /* the last character that is not blank */
    for (char *c = clean; *c; ++c) {
        if (*c == '+' && strchr("(,+-*/^<>=&|?:", before)) {
            *c = ' ';
        } else if (*c != ' ') {
            before = *c;
        }
    }
}

carom_status expr_scan(char clean[EXPR_LONGEST_TEXT + 1], const char *text, carom_error *err)
{
    if (!text) {
        return carom_fail(err, CAROM_BAD_INPUT, "an expression is missing");
    }
    size_t length = strnlen(text, EXPR_LONGEST_TEXT + 1);
    if (length > EXPR_LONGEST_TEXT) {
        return expr_fail(err, text, EXPR_LONGEST_TEXT, "longer than %d characters", EXPR_LONGEST_TEXT);
    }
    carom_status status = check_structure(text, err);
    status = status ? status : check_names(text, err);
    if (status != CAROM_OK) {
        return status;
    }
    for (size_t i = 0; i <= length; ++i) {
        clean[i] = is_white(text[i]) ? ' ' : text[i];
    }
    join_functions(clean);
    drop_unary_plus(clean);
    return CAROM_OK;
}
