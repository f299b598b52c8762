/* Expressions: muParser 2.3 behind one door.
 *
 * muParser is a good evaluator with loose ends, tied here. Its error texts pass through a static buffer of 2048 bytes
 * without a bound, so only error codes and positions are taken from it. It accepts assignments and lists, so the text
 * is checked first (expr_scan.c). Its decimal separator is one static object, '.' unless someone sets it: nobody does.
 * Different parsers may be used by different threads at once; one parser by one thread.
 *
 * Invariant: muParser holds pointers into `values`, which therefore never moves. */
#include "expr/expr.h"

#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"
#include "expr/expr_program.h"
#include "expr/expr_scan.h"

struct expr {
    muParserHandle_t parser;
    int count; /* distinct variables                                       */
    int capacity;
    double *values;        /* by first appearance in the text; what muParser reads     */
    int *index;            /* of values[k] in the caller's array                       */
    int *ascending;        /* the same, sorted                                         */
    expr_program *program; /* for derivatives; NULL when only muParser understands the text */
    /* while parsing only: */
    expr_resolve resolve;
    void *context;
    char unknown[EXPR_LONGEST_NAME + 1]; /* the first name nobody knows */
};

/* ---- functions muParser lacks ---------------------------------------------------------------------------------------- */

static const double DEGREES = 57.295779513082320877; /* per radian */

static double fun_step(double x)
{
    return isnan(x) ? x : (double)(x >= 0.0);
}

/* 0 before x0, 1 behind x1; a step down where x1 is before x0, and a jump where they are one. */
static double part_of_step(double x, double x0, double x1)
{
    double part = x1 == x0 ? (double)(x >= x0) : (x - x0) / (x1 - x0);
    return isnan(x) ? x : part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
}

/* step(x): a jump at 0. step(x, x0, h0, x1, h1): from h0 at x0 to h1 at x1 by a cubic, level at both. Other numbers of arguments are
 * refused before (check_steps). */
static double fun_any_step(const double *u, int count)
{
    if (count != 5) {
        return fun_step(u[0]);
    }
    double s = part_of_step(u[0], u[1], u[3]);
    return u[2] + (u[4] - u[2]) * s * s * (3.0 - 2.0 * s);
}

/* The same by a quintic, without curvature at both ends. */
static double fun_step5(double x, double x0, double h0, double x1, double h1)
{
    double s = part_of_step(x, x0, x1);
    return h0 + (h1 - h0) * s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

static double fun_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x; /* NaN stays NaN */
}

static double fun_deg(double angle_rad)
{
    return angle_rad * DEGREES;
}

static double fun_rad(double angle_deg)
{
    return angle_deg / DEGREES;
}

static double fun_floor(double x)
{
    return floor(x);
}

static double fun_ceil(double x)
{
    return ceil(x);
}

/* Into [0, period), so that a sawtooth has no fold at zero. */
static double fun_mod(double x, double period)
{
    return x - period * floor(x / period);
}

static void define_functions(muParserHandle_t parser)
{
    mupDefineMultFun(parser, "step", fun_any_step, 1);
    mupDefineFun5(parser, "step5", fun_step5, 1);
    mupDefineFun3(parser, "clamp", fun_clamp, 1);
    mupDefineFun1(parser, "deg", fun_deg, 1);
    mupDefineFun1(parser, "rad", fun_rad, 1);
    mupDefineFun1(parser, "floor", fun_floor, 1);
    mupDefineFun1(parser, "ceil", fun_ceil, 1);
    mupDefineFun2(parser, "mod", fun_mod, 1);
    mupDefineConst(parser, "pi", 3.14159265358979323846);
    mupDefineConst(parser, "e", 2.71828182845904523536);
}

static const char *const function_names[] = {
    "sin",   "cos", "tan", "asin", "acos", "atan",  "atan2", "sinh", "cosh", "tanh",  "asinh", "acosh",
    "atanh", "exp", "log", "ln",   "log2", "log10", "sqrt",  "abs",  "sign", "rint",  "floor", "ceil",
    "mod",   "min", "max", "sum",  "avg",  "step",  "clamp", "deg",  "rad",  "step5",
};

/* ---- errors -------------------------------------------------------------------------------------------------------- */

static const char *const error_sentences[] = {
    [0] = "there is an operator where a value should be", /* the numbers are those of muParserDef.h */
    [1] = "this cannot be understood",
    [2] = "the expression ends where a value should be",
    [3] = "there is a comma where a value should be",
    [4] = "a list in parentheses is not a value",
    [5] = "there is a number where an operator should be; names in expressions have no blanks",
    [6] = "there is a name where an operator should be; names in expressions have no blanks",
    [7] = "this parenthesis does not belong here",
    [11] = "a closing parenthesis is missing",
    [12] = "there is a function where an operator should be",
    [14] = "the function has too many arguments",
    [15] = "the function has too few arguments",
    [25] = "the expression is empty",
    [32] = "'?' or ':' does not belong here",
    [33] = "'?' is without its ':'",
    [34] = "':' is without its '?'",
};

static carom_status fail_in_parser(const expr *e, const char *text, carom_error *err)
{
    size_t code = (size_t)mupGetErrorCode(e->parser);
    int position = mupGetErrorPos(e->parser); /* -1 where muParser has none */
    size_t count = sizeof error_sentences / sizeof error_sentences[0];
    const char *sentence = code < count ? error_sentences[code] : NULL;
    return expr_fail(err, text, position < 0 ? 0 : (size_t)position, "%s",
                     sentence ? sentence : "this is not a valid expression");
}

/* Where the name stands in the text as a whole word. */
static size_t find_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        if ((at == text || !expr_is_name_char(at[-1])) && !expr_is_name_char(at[length])) {
            return (size_t)(at - text);
        }
    }
    return 0;
}

/* The function that a name in capitals means: STEP; NULL: none. */
static const char *in_small_letters(const char *name)
{
    char small[EXPR_LONGEST_NAME + 1];
    size_t length = strlen(name);
    for (size_t i = 0; i <= length && i < sizeof small; ++i) {
        small[i] = (char)tolower((unsigned char)name[i]);
    }
    for (size_t i = 0; length < sizeof small && i < sizeof function_names / sizeof function_names[0]; ++i) {
        if (strcmp(function_names[i], small) == 0) {
            return function_names[i];
        }
    }
    return NULL;
}

static carom_status fail_unknown(const char *text, const char *name, carom_error *err)
{
    size_t position = find_name(text, name);
    size_t after = position + strlen(name);
    after += strspn(text + after, " \t\r\n");
    if (text[after] != '(') {
        bool number = name[0] >= '0' && name[0] <= '9';
        return expr_fail(err, text, position, number ? "'%s' is not a number" : "unknown name '%s'", name);
    }
    size_t count = sizeof function_names / sizeof function_names[0];
    const char *meant = in_small_letters(name);
    meant = meant ? meant : carom_text_nearest(name, function_names, count);
    return expr_fail(err, text, position,
                     meant ? "unknown function '%s'; did you mean '%s'?" : "unknown function '%s'", name, meant);
}

/* ---- creation -------------------------------------------------------------------------------------------------------- */

/* Called by muParser for each name it does not know; must not fail, so unknown names are noted and get a place. */
static double *make_variable(const char *name, void *user)
{
    expr *e = user;
    int index = e->resolve(e->context, name);
    if (index < 0 && !e->unknown[0]) {
        strncpy(e->unknown, name, EXPR_LONGEST_NAME);
    }
    for (int k = 0; k < e->count; ++k) {
        if (e->index[k] == index) {
            return &e->values[k]; /* two names of one variable */
        }
    }
    CAROM_ASSERT(e->count < e->capacity);
    e->index[e->count] = index;
    return &e->values[e->count++];
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_variables(expr *e)
{
    memcpy(e->ascending, e->index, (size_t)e->count * sizeof *e->index);
    qsort(e->ascending, (size_t)e->count, sizeof *e->ascending, compare_ints);
}

static void ignore_error(muParserHandle_t parser)
{
    (void)parser; /* errors are asked for after each call */
}

/* Lets muParser read the text, which it does on the first evaluation. */
static carom_status parse(expr *e, const char *text, const char *clean, carom_error *err)
{
    mupSetErrorHandler(e->parser, ignore_error);
    mupDefineNameChars(e->parser, EXPR_NAME_CHARS);
    define_functions(e->parser);
    CAROM_ASSERT(!mupError(e->parser));
    mupSetVarFactory(e->parser, make_variable, e);
    mupSetExpr(e->parser, clean);
    int results = 0;
    bool failed = mupError(e->parser); /* asking clears the mark */
    if (!failed) {
        mupEvalMulti(e->parser, &results);
        failed = mupError(e->parser);
    }
    if (e->unknown[0]) {
        return fail_unknown(text, e->unknown, err);
    }
    if (failed) {
        return fail_in_parser(e, text, err);
    }
    return results == 1 ? CAROM_OK
                        : expr_fail(err, text, 0, "an expression must have one value, this has %d", results);
}

static expr *allocate(size_t text_length)
{
    expr *e = calloc(1, sizeof *e);
    if (!e) {
        return NULL;
    }
    size_t capacity = text_length / 2 + 1; /* a name and what keeps it from the next take two characters */
    e->capacity = (int)capacity;
    e->values = calloc(capacity, sizeof *e->values);
    e->index = calloc(capacity, sizeof *e->index);
    e->ascending = calloc(capacity, sizeof *e->ascending);
    e->parser = mupCreate(muBASETYPE_FLOAT);
    if (!e->values || !e->index || !e->ascending || !e->parser) {
        expr_destroy(e);
        return NULL;
    }
    return e;
}

/* Arguments of the function whose parenthesis opens at `open`. */
static int count_arguments(const char *open)
{
    int depth = 0;
    int count = 1;
    for (const char *c = open; *c; ++c) {
        depth += (*c == '(') - (*c == ')');
        count += depth == 1 && *c == ',';
        if (depth == 0) {
            break;
        }
    }
    return count;
}

/* muParser takes any number of arguments where it takes more than one number of them. */
static carom_status check_steps(const char *text, carom_error *err)
{
    for (const char *at = text; (at = strstr(at, "step")); at += 4) {
        const char *open = at + 4 + strspn(at + 4, " \t\r\n");
        bool whole = at == text || !expr_is_name_char(at[-1]);
        int count = whole && *open == '(' ? count_arguments(open) : 1;
        if (count != 1 && count != 5) {
            return expr_fail(err, text, (size_t)(at - text),
                             "step takes one argument, step(x), or five, step(x, x0, h0, x1, h1), not %d", count);
        }
    }
    return CAROM_OK;
}

expr *expr_create(const char *text, expr_resolve resolve, void *context, carom_error *err)
{
    char clean[EXPR_LONGEST_TEXT + 1];
    if (expr_scan(clean, text, err) != CAROM_OK) {
        return NULL;
    }
    expr *e = allocate(strlen(clean));
    if (!e) {
        carom_fail(err, CAROM_NO_MEMORY, "out of memory for an expression");
        return NULL;
    }
    e->resolve = resolve;
    e->context = context;
    if (parse(e, text, clean, err) != CAROM_OK || check_steps(clean, err) != CAROM_OK ||
        expr_program_create(&e->program, clean, err) != CAROM_OK) {
        expr_destroy(e);
        return NULL;
    }
    sort_variables(e);
    return e;
}

void expr_destroy(expr *e)
{
    if (e) {
        if (e->parser) {
            mupRelease(e->parser);
        }
        expr_program_destroy(e->program);
        free(e->values);
        free(e->index);
        free(e->ascending);
        free(e);
    }
}

/* ---- use ----------------------------------------------------------------------------------------------------------- */

static double present_value(const expr *e)
{
    double value = mupEval(e->parser);
    return !mupError(e->parser) && isfinite(value) ? value : (double)NAN;
}

double expr_eval(expr *e, const double *variables)
{
    for (int k = 0; k < e->count; ++k) {
        e->values[k] = variables[e->index[k]];
    }
    return present_value(e);
}

static double value_at(void *context, double x)
{
    expr *e = context;
    for (int k = 0; k < e->count; ++k) {
        e->values[k] = x;
    }
    return present_value(e);
}

/* The value is always muParser's: beside a jump the program sees another one. */
void expr_eval_derivatives(expr *e, double x, double scale, double out[3])
{
    double beside[3];
    out[0] = value_at(e, x);
    if (isfinite(out[0]) && e->program && expr_program_run(e->program, x, beside)) {
        out[1] = beside[1];
        out[2] = beside[2];
    } else {
        expr_derivatives(value_at, e, x, scale, out);
    }
}

int expr_variable_count(const expr *e)
{
    return e->count;
}

int expr_variable(const expr *e, int k)
{
    CAROM_ASSERT(k >= 0 && k < e->count);
    return e->ascending[k];
}
