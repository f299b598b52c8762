/* Expressions of named variables (muParser behind one door), and curves given by points.
 *
 * Names may contain letters, digits, '_', '.', '[' and ']', so that signals such as crank.angle can be written as they
 * are. Constants: pi, e. Operators: + - * / ^, comparisons, && and ||, condition ? a : b. Functions: sin cos tan asin
 * acos atan atan2 sinh cosh tanh asinh acosh atanh exp log (natural) ln log2 log10 sqrt abs sign rint floor ceil
 * mod(x,period) min max sum avg step(x) step(x,x0,h0,x1,h1) step5 clamp(x,lo,hi) deg(rad) rad(deg). An expression has one value: no
 * assignments, no lists, no strings. */
#ifndef CAROM_EXPR_EXPR_H
#define CAROM_EXPR_EXPR_H

#include <carom/fields.h>

typedef struct expr expr;

enum { EXPR_LONGEST_TEXT = 8192 }; /* characters; muParser takes 20000, in time that grows with the square */

/* Asked for each variable name in the text; returns the index of the variable in the array given to expr_eval, or -1
 * when there is no such name (parsing then fails and the message lists the name). */
typedef int (*expr_resolve)(void *context, const char *name);

/* Parses text. On failure NULL, and err says what and at which character. */
expr *expr_create(const char *text, expr_resolve resolve, void *context, carom_error *err);
void expr_destroy(expr *e);

/* The value for the given variables; NaN where the expression has none (division by zero, log of a negative number).
 * One expr must not be evaluated by two threads at once. */
double expr_eval(expr *e, const double *variables);

/* How many distinct variables the expression uses, and the index of the k-th (ascending order of index). */
int expr_variable_count(const expr *e);
int expr_variable(const expr *e, int k);

/* Value and first two derivatives of an expression of one argument: each of its variables is x. The derivatives are exact
 * to rounding; at a kink they are the mean of both sides. Where they do not exist as limits of such rules (sqrt(t)^3 at
 * 0), and for texts that only muParser understands, they are those of expr_derivatives. */
void expr_eval_derivatives(expr *e, double x, double scale, double out[3]);

/* Value and first two derivatives of a function of one variable by extrapolated central differences (Ridders). `scale` is
 * a typical length of the argument (e.g. the run's end time); the function may vary on lengths down to about 1e-4
 * scale. At the edge of the function's domain one-sided differences are used; NaN where the function is not defined
 * around x. */
typedef double (*expr_function)(void *context, double x);
void expr_derivatives(expr_function f, void *context, double x, double scale, double out[3]);

/* A curve: value and first two derivatives at x. Cubic is the not-a-knot spline, a parabola for three points, a line
 * for two; step keeps the value of the last point passed. Outside the points: hold keeps the end values, repeat goes
 * round with the period x_last - x_first, extrapolate goes on with the polynomial of the end piece (step: holds).
 * At a point the derivatives are those of the piece that begins there. */
typedef struct curve {
    carom_curve points;     /* x and y copied into the arena                   */
    const double *second;   /* y'' at the points, monotone: y'; zeros for linear and step */
    const double *integral; /* from the first point to each point              */
} curve;

struct carom_arena;

/* Checks the points (at least one, finite, x ascending, at most two at one x) and computes what lies between. */
carom_status curve_prepare(curve *out, const carom_curve *points, struct carom_arena *arena, carom_error *err);
void curve_eval(const curve *c, double x, double out[3]);

/* The next point of the curve after x, repeated ones included; HUGE_VAL when there is none. *jump tells whether the value
 * may jump there. */
double curve_next_point(const curve *c, double x, bool *jump);

/* Integral of the curve from x0 to x (closed form per piece). */
double curve_integral(const curve *c, double x0, double x);

#endif
