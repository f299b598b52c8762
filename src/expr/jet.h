/* Jets: a value with its first two derivatives by one argument, carried through operators and functions at once (forward
 * differentiation; exact but for rounding). Operators and functions are those of expressions, with the meaning muParser
 * gives them. Internal to the module. */
#ifndef CAROM_EXPR_JET_H
#define CAROM_EXPR_JET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct jet {
    double v, d, dd;
} jet;

/* From which side the argument's value is approached. Where a comparison, abs, floor and their like change their mind
 * exactly there, they answer for that side. */
typedef struct jet_place {
    double side; /* +1 or -1; 0 among constants */
    bool kink;   /* something changed its mind: the other side may differ */
    bool lost;   /* something could not decide, for want of a derivative  */
} jet_place;

/* Positive, zero, or negative as u is beside the place; NaN when u is. Zero also where u and both derivatives vanish. */
double jet_sign(jet_place *place, jet u);

/* The result of `count` operands u. */
typedef jet (*jet_operation)(jet_place *place, const jet *u, int count);

typedef struct jet_operator {
    const char *text;
    int priority; /* binds stronger the higher it is; muParserDef.h, EOprtPrecedence */
    jet_operation apply;
} jet_operator;

enum { JET_SIGN_PRIORITY = 6, JET_POWER_PRIORITY = 7 }; /* powers alone group from the right */

jet jet_negative(jet_place *place, const jet *u, int count);

/* The binary operator that stands at the beginning of text; NULL when none does. */
const jet_operator *jet_find_operator(const char *text);

typedef struct jet_function {
    const char *name;
    int count; /* of arguments; 0: one or more */
    jet_operation apply;
} jet_function;

/* The function of that name (of `length` characters); NULL when there is none. */
const jet_function *jet_find_function(const char *name, size_t length);

#endif
