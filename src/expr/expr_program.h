/* An expression of one argument as a postfix program of jets: value and two derivatives in one pass. It reads what
 * expr_scan has made of a text and muParser has accepted; what it does not understand it leaves to numerical derivatives.
 * Internal to the module. */
#ifndef CAROM_EXPR_EXPR_PROGRAM_H
#define CAROM_EXPR_EXPR_PROGRAM_H

#include "expr/expr.h"

typedef struct expr_program expr_program;

/* *out is NULL, without an error, for a text that is not understood. */
carom_status expr_program_create(expr_program **out, const char *clean, carom_error *err);
void expr_program_destroy(expr_program *p);

/* Value, first and second derivative where every variable is x. At a kink (abs, a comparison, floor, ... change there)
 * derivatives are the mean of both sides, as central differences see it, or those of the only side that has any; the
 * value is the mean, too. False where neither side has them; out then means nothing. One thread at a time. */
bool expr_program_run(expr_program *p, double x, double out[3]);

#endif
