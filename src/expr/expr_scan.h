/* The first look at an expression's text, before muParser sees it: what carom does not allow is refused with a sentence,
 * what muParser would stumble over is rewritten without moving a character. Internal to the module. */
#ifndef CAROM_EXPR_EXPR_SCAN_H
#define CAROM_EXPR_EXPR_SCAN_H

#include "expr/expr.h"

enum {
    EXPR_LONGEST_NAME = 100, /* muParser's own limit          */
    EXPR_DEEPEST = 200,      /* parentheses within each other */
};

#define EXPR_NAME_CHARS "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.[]"

bool expr_is_name_char(char c);

/* A copy of text fit for muParser: same length, blanks for other white space and for unary plus, no blank between a
 * function and its parenthesis. */
carom_status expr_scan(char clean[EXPR_LONGEST_TEXT + 1], const char *text, carom_error *err);

/* "expression '...': sentence (character n)"; position counts from 0. */
carom_status expr_fail(carom_error *err, const char *text, size_t position, const char *fmt, ...) CAROM_PRINTF(4, 5);

#endif
