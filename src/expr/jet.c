/* Operators and functions of jets. With u' = du/dx the chain rule is
 *   f(u)' = f_1 u',   f(u)'' = f_1 u'' + f_2 u'^2,   f_1 = df/du,  f_2 = d2f/du2.
 * Values are computed as muParser 2.3 computes them (muParserTemplateMagic.h), or expr.c for the functions it adds. */
#include "expr/jet.h"

#include <math.h>
#include <string.h>

static const double LN_2 = 0.69314718055994530942;
static const double LN_10 = 2.30258509299404568402;
static const double DEGREES = 57.295779513082320877; /* per radian */

static jet constant(double value)
{
    return (jet){ .v = value };
}

static jet chain(jet u, double f, double f_1, double f_2)
{
    return (jet){ f, f_1 * u.d, f_1 * u.dd + f_2 * u.d * u.d };
}

/* ---- arithmetic ---------------------------------------------------------------------------------------------------- */

static jet sum_of(jet a, jet b)
{
    return (jet){ a.v + b.v, a.d + b.d, a.dd + b.dd };
}

static jet difference_of(jet a, jet b)
{
    return (jet){ a.v - b.v, a.d - b.d, a.dd - b.dd };
}

static jet product_of(jet a, jet b)
{
    return (jet){ a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2.0 * a.d * b.d + a.v * b.dd };
}

/* From a = q b. */
static jet quotient_of(jet a, jet b)
{
    jet q = { .v = a.v / b.v };
    q.d = (a.d - q.v * b.d) / b.v;
    q.dd = (a.dd - 2.0 * q.d * b.d - q.v * b.dd) / b.v;
    return q;
}

/* A resting exponent: no zero times infinity from 0^0 and the like. */
static jet fixed_power(jet base, double n)
{
    double f_1 = n == 0.0 ? 0.0 : n * pow(base.v, n - 1.0);
    double f_2 = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * pow(base.v, n - 2.0);
    return chain(base, pow(base.v, n), f_1, f_2);
}

/* b^n = exp(w), w = n ln b. */
static jet power_of(jet base, jet n)
{
    if (n.d == 0.0 && n.dd == 0.0) {
        return fixed_power(base, n.v);
    }
    jet logarithm = chain(base, log(base.v), 1.0 / base.v, -1.0 / (base.v * base.v));
    double value = pow(base.v, n.v);
    return chain(product_of(n, logarithm), value, value, value);
}

jet jet_negative(jet_place *place, const jet *u, int count)
{
    (void)place, (void)count;
    return (jet){ -u->v, -u->d, -u->dd };
}

#define ARITHMETIC(id, rule)                                 \
    static jet id(jet_place *place, const jet *u, int count) \
    {                                                        \
        (void)place, (void)count;                            \
        return rule(u[0], u[1]);                             \
    }

ARITHMETIC(add, sum_of)
ARITHMETIC(subtract, difference_of)
ARITHMETIC(multiply, product_of)
ARITHMETIC(divide, quotient_of)
ARITHMETIC(power, power_of)

/* ---- decisions ----------------------------------------------------------------------------------------------------- */

double jet_sign(jet_place *place, jet u)
{
    if (u.v != 0.0 || (u.d == 0.0 && u.dd == 0.0)) {
        return u.v;
    }
    place->kink = true;
    place->lost = place->lost || isnan(u.d) || (u.d == 0.0 && isnan(u.dd));
    return u.d != 0.0 ? place->side * u.d : u.dd;
}

/* The sign of a - b. NaN, which compares false with all but !=, stays NaN; equal infinities are equal. */
static double compare(jet_place *place, jet a, jet b)
{
    return isinf(a.v) && a.v == b.v ? 0.0 : jet_sign(place, difference_of(a, b));
}

#define COMPARISON(id, relation)                                            \
    static jet id(jet_place *place, const jet *u, int count)                \
    {                                                                       \
        (void)count;                                                        \
        return constant((double)(compare(place, u[0], u[1]) relation 0.0)); \
    }

COMPARISON(less, <)
COMPARISON(greater, >)
COMPARISON(less_or_equal, <=)
COMPARISON(greater_or_equal, >=)
COMPARISON(equal, ==)
COMPARISON(unequal, !=)

/* muParser computes && and || of two constants while reading, and there with their whole parts: 0.5 && 1 is false. */
static bool is_true(jet_place *place, jet u)
{
    return (place->side == 0.0 ? trunc(u.v) : jet_sign(place, u)) != 0.0;
}

static jet both(jet_place *place, const jet *u, int count)
{
    (void)count;
    bool first = is_true(place, u[0]);
    bool second = is_true(place, u[1]);
    return constant((double)(first && second));
}

static jet either(jet_place *place, const jet *u, int count)
{
    (void)count;
    bool first = is_true(place, u[0]);
    bool second = is_true(place, u[1]);
    return constant((double)(first || second));
}

static jet absolute(jet_place *place, const jet *u, int count)
{
    return jet_sign(place, *u) < 0.0 ? jet_negative(place, u, count) : *u;
}

static jet sign(jet_place *place, const jet *u, int count)
{
    (void)count;
    double s = jet_sign(place, *u);
    return constant((double)(s > 0.0) - (double)(s < 0.0));
}

static jet step(jet_place *place, const jet *u, int count)
{
    (void)count;
    double s = jet_sign(place, *u);
    return constant(isnan(s) ? s : (double)(s >= 0.0));
}

/* 0 before x0, 1 behind x1. */
static jet part_of_step(jet_place *place, jet x, jet x0, jet x1)
{
    double way = compare(place, x1, x0);
    if (isnan(way)) {
        return constant(way);
    }
    if (way == 0.0) {
        double s = compare(place, x, x0);
        return constant(isnan(s) ? s : (double)(s >= 0.0));
    }
    bool before = way > 0.0 ? compare(place, x, x0) < 0.0 : compare(place, x, x0) > 0.0;
    bool behind = way > 0.0 ? compare(place, x, x1) > 0.0 : compare(place, x, x1) < 0.0;
    return before ? constant(0.0) : behind ? constant(1.0) : quotient_of(difference_of(x, x0), difference_of(x1, x0));
}

static jet between(jet h0, jet h1, jet part)
{
    return sum_of(h0, product_of(difference_of(h1, h0), part));
}

static jet any_step(jet_place *place, const jet *u, int count)
{
    if (count != 5) {
        return step(place, u, count);
    }
    jet s = part_of_step(place, u[0], u[1], u[3]);
    return between(u[2], u[4], chain(s, s.v * s.v * (3.0 - 2.0 * s.v), 6.0 * s.v * (1.0 - s.v), 6.0 - 12.0 * s.v));
}

static jet step5(jet_place *place, const jet *u, int count)
{
    (void)count;
    jet s = part_of_step(place, u[0], u[1], u[3]);
    double v = s.v;
    return between(u[2], u[4],
                   chain(s, v * v * v * (10.0 + v * (6.0 * v - 15.0)), 30.0 * v * v * (1.0 - v) * (1.0 - v),
                         60.0 * v * (1.0 - v) * (1.0 - 2.0 * v)));
}

static jet clamp(jet_place *place, const jet *u, int count)
{
    (void)count;
    if (compare(place, u[0], u[1]) < 0.0) {
        return u[1];
    }
    return compare(place, u[0], u[2]) > 0.0 ? u[2] : u[0];
}

static jet least(jet_place *place, const jet *u, int count)
{
    jet result = u[0];
    for (int i = 1; i < count; ++i) {
        result = compare(place, u[i], result) < 0.0 ? u[i] : result;
    }
    return result;
}

static jet greatest(jet_place *place, const jet *u, int count)
{
    jet result = u[0];
    for (int i = 1; i < count; ++i) {
        result = compare(place, u[i], result) > 0.0 ? u[i] : result;
    }
    return result;
}

/* A whole number that is just being left downwards belongs to the one below. */
static jet floor_of(jet_place *place, jet u)
{
    double whole = floor(u.v);
    return constant(compare(place, u, constant(whole)) < 0.0 ? whole - 1.0 : whole);
}

static jet round_down(jet_place *place, const jet *u, int count)
{
    (void)count;
    return floor_of(place, *u);
}

static jet round_up(jet_place *place, const jet *u, int count)
{
    jet below = floor_of(place, jet_negative(place, u, count));
    return jet_negative(place, &below, 1);
}

static jet round_near(jet_place *place, const jet *u, int count)
{
    (void)count;
    return floor_of(place, sum_of(*u, constant(0.5)));
}

static jet modulo(jet_place *place, const jet *u, int count)
{
    (void)count;
    jet turns = floor_of(place, quotient_of(u[0], u[1]));
    return difference_of(u[0], product_of(u[1], turns));
}

/* ---- smooth functions ---------------------------------------------------------------------------------------------- */

/* x is the argument, y the value, s the slope. */
#define SMOOTH(id, value, slope, second)                     \
    static jet id(jet_place *place, const jet *u, int count) \
    {                                                        \
        (void)place, (void)count;                            \
        double x = u->v;                                     \
        double y = value;                                    \
        double s = slope;                                    \
        return chain(*u, y, s, second);                      \
    }

SMOOTH(sine, sin(x), cos(x), -y)
SMOOTH(cosine, cos(x), -sin(x), -y)
SMOOTH(tangent, tan(x), 1.0 + y * y, 2.0 * y * s)
SMOOTH(arc_sine, asin(x), 1.0 / sqrt((1.0 - x) * (1.0 + x)), x *s *s *s)
SMOOTH(arc_cosine, acos(x), -1.0 / sqrt((1.0 - x) * (1.0 + x)), x *s *s *s)
SMOOTH(arc_tangent, atan(x), 1.0 / (1.0 + x * x), -2.0 * x * s * s)
SMOOTH(sine_h, sinh(x), cosh(x), y)
SMOOTH(cosine_h, cosh(x), sinh(x), y)
SMOOTH(tangent_h, tanh(x), 1.0 / (cosh(x) * cosh(x)), -2.0 * y * s)
SMOOTH(area_sine, log(x + sqrt(x * x + 1.0)), 1.0 / sqrt(x * x + 1.0), -x *s *s *s)
SMOOTH(area_cosine, log(x + sqrt(x * x - 1.0)), 1.0 / sqrt((x - 1.0) * (x + 1.0)), -x *s *s *s)
SMOOTH(area_tangent, 0.5 * log((1.0 + x) / (1.0 - x)), 1.0 / ((1.0 - x) * (1.0 + x)), 2.0 * x * s * s)
SMOOTH(exponential, exp(x), y, y)
SMOOTH(logarithm, log(x), 1.0 / x, -s / x)
SMOOTH(logarithm_2, log(x) / log(2.0), 1.0 / (x * LN_2), -s / x)
SMOOTH(logarithm_10, log10(x), 1.0 / (x * LN_10), -s / x)
SMOOTH(root, sqrt(x), 0.5 / y, -0.5 * s / x)
SMOOTH(degrees, x *DEGREES, DEGREES, 0.0 * y * s)
SMOOTH(radians, x / DEGREES, 1.0 / DEGREES, 0.0 * y * s)

/* With r^2 = x^2 + y^2: r^2 angle' = x y' - y x'. */
static jet angle(jet_place *place, const jet *u, int count)
{
    (void)place, (void)count;
    jet y = u[0];
    jet x = u[1];
    double r2 = x.v * x.v + y.v * y.v;
    double d = (x.v * y.d - y.v * x.d) / r2;
    double r2_d = 2.0 * (x.v * x.d + y.v * y.d);
    return (jet){ atan2(y.v, x.v), d, (x.v * y.dd - y.v * x.dd - d * r2_d) / r2 };
}

static jet total(jet_place *place, const jet *u, int count)
{
    (void)place;
    jet result = { 0 };
    for (int i = 0; i < count; ++i) {
        result = sum_of(result, u[i]);
    }
    return result;
}

static jet average(jet_place *place, const jet *u, int count)
{
    return quotient_of(total(place, u, count), constant((double)count));
}

/* ---- names ----------------------------------------------------------------------------------------------------------- */

static const jet_operator operators[] = {
    /* the longer before what it begins with */
    { "<=", 4, less_or_equal },
    { ">=", 4, greater_or_equal },
    { "!=", 4, unequal },
    { "==", 4, equal },
    { "&&", 2, both },
    { "||", 1, either },
    { "<", 4, less },
    { ">", 4, greater },
    { "+", 5, add },
    { "-", 5, subtract },
    { "*", 6, multiply },
    { "/", 6, divide },
    { "^", JET_POWER_PRIORITY, power },
};

const jet_operator *jet_find_operator(const char *text)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; ++i) {
        if (strncmp(text, operators[i].text, strlen(operators[i].text)) == 0) {
            return &operators[i];
        }
    }
    return NULL;
}

static const jet_function functions[] = {
    { "sin", 1, sine },           { "cos", 1, cosine },       { "tan", 1, tangent },
    { "asin", 1, arc_sine },      { "acos", 1, arc_cosine },  { "atan", 1, arc_tangent },
    { "atan2", 2, angle },        { "sinh", 1, sine_h },      { "cosh", 1, cosine_h },
    { "tanh", 1, tangent_h },     { "asinh", 1, area_sine },  { "acosh", 1, area_cosine },
    { "atanh", 1, area_tangent }, { "exp", 1, exponential },  { "log", 1, logarithm },
    { "ln", 1, logarithm },       { "log2", 1, logarithm_2 }, { "log10", 1, logarithm_10 },
    { "sqrt", 1, root },          { "abs", 1, absolute },     { "sign", 1, sign },
    { "rint", 1, round_near },    { "floor", 1, round_down }, { "ceil", 1, round_up },
    { "mod", 2, modulo },         { "min", 0, least },        { "max", 0, greatest },
    { "sum", 0, total },          { "avg", 0, average },      { "step", 0, any_step },
    { "clamp", 3, clamp },        { "deg", 1, degrees },      { "rad", 1, radians },
    { "step5", 5, step5 },
};

const jet_function *jet_find_function(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        if (strlen(functions[i].name) == length && strncmp(name, functions[i].name, length) == 0) {
            return &functions[i];
        }
    }
    return NULL;
}
