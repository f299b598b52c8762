/* Expressions: values, names, errors with their place, and that no text does harm. */
#include "expr/expr.h"

#include <locale.h>
#include <stdlib.h>

#include "support/check.h"

static const char *const names[] = { "t", "x", "crank.angle", "wheel[2].speed.x", "also_t" };
static const double variables[] = { 0.7, 2.0, 3.0, 4.0 };

static int resolve(void *context, const char *name)
{
    (void)context;
    for (int i = 0; i < 5; ++i) {
        if (strcmp(names[i], name) == 0) {
            return i % 4; /* also_t is another name of t */
        }
    }
    return -1;
}

static expr *create(const char *text)
{
    carom_error err = { 0 };
    expr *e = expr_create(text, resolve, NULL, &err);
    if (!e) {
        print_error("%s\n", err.message);
        fail();
    }
    return e;
}

static double value_of(const char *text)
{
    expr *e = create(text);
    double value = expr_eval(e, variables);
    expr_destroy(e);
    return value;
}

TEST(expr, values)
{
    const double pi = 3.14159265358979323846;
    const struct {
        const char *text;
        double value;
    } cases[] = {
        { "1 + 2 * 3", 7.0 },
        { "-2^2", -4.0 },
        { "2^3^2", 512.0 },
        { "2^-1", 0.5 },
        { "1e3 + 1.5e-3 + .5 + 1e+2", 1100.5015 },
        { "3*sin(2*t) + t^2", 3.0 * sin(1.4) + 0.49 },
        { "crank.angle / wheel[2].speed.x", 0.75 },
        { "x > 1 ? x : -x", 2.0 },
        { "x < 1 || t <= 0.7 && x != 3", 1.0 },
        { "x == 2", 1.0 },
        { "sin (t) + cos\n(t)", sin(0.7) + cos(0.7) },
        { "+sin(t) - + + t", sin(0.7) - 0.7 },
        { "abs(-3) + sign(-5) + sign(0)", 2.0 },
        { "step(-1) + 10*step(0) + 100*step(1)", 110.0 },
        { "step(0, 1, 10, 3, 20) + step(1, 1, 10, 3, 20) + step(5, 1, 10, 3, 20)", 40.0 },
        { "step(2, 1, 10, 3, 20) + step5(2, 1, 10, 3, 20)", 30.0 },
        { "step(1.5, 1, 10, 3, 20)", 10.0 + 10.0 * (3.0 / 16.0 - 2.0 / 64.0) },
        { "step5(1.5, 1, 10, 3, 20)", 10.0 + 10.0 * (10.0 / 64.0 - 15.0 / 256.0 + 6.0 / 1024.0) },
        { "step(1.5, 3, 20, 1, 10) - step(1.5, 1, 10, 3, 20)", 0.0 },
        { "step(0.9, 1, 10, 1, 20) + step(1, 1, 10, 1, 20)", 30.0 },
        { "clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(0.5, 0, 1)", 1.5 },
        { "atan2(1, -1)", 0.75 * pi },
        { "deg(pi) + rad(180)", 180.0 + pi },
        { "min(3, 1, 2) + max(3, 1, 2)", 4.0 },
        { "floor(-0.5) + ceil(0.5) + mod(-0.25, 1)", 0.75 },
        { "log(e) + ln(e) + log10(100) + log2(8) + exp(0) + sqrt(16)", 12.0 },
        { "asin(1) + acos(1) + atan(0) + tan(0) + sinh(0) + cosh(0) + tanh(0)", 0.5 * pi + 1.0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CHECK_NEAR(value_of(cases[i].text), cases[i].value, 1e-14 * (1.0 + fabs(cases[i].value)));
    }
}

TEST(expr, no_value_is_nan)
{
    static const char *const texts[] = { "1/0",     "x/(x-2)", "log(-x)", "sqrt(-1)",
                                         "asin(x)", "0/0",     "10^1000", "log(0)" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        CHECK(isnan(value_of(texts[i])));
    }
    CHECK(isnan(value_of("step(log(-1))")) && isnan(value_of("clamp(log(-1), 0, 1)")));
}

TEST(expr, variables_are_counted_once_and_sorted)
{
    expr *e = create("wheel[2].speed.x * t + also_t + x * t");
    CHECK_EQ(expr_variable_count(e), 3);
    CHECK_EQ(expr_variable(e, 0), 0);
    CHECK_EQ(expr_variable(e, 1), 1);
    CHECK_EQ(expr_variable(e, 2), 3);
    CHECK_NEAR(expr_eval(e, variables), 4.0 * 0.7 + 0.7 + 2.0 * 0.7, 1e-15);
    double other[] = { 1.0, 10.0, 100.0, 1000.0 };
    CHECK_NEAR(expr_eval(e, other), 1011.0, 1e-12);
    expr_destroy(e);
    expr *constant = create("2*pi");
    CHECK_EQ(expr_variable_count(constant), 0);
    CHECK_NEAR(expr_eval(constant, NULL), 6.283185307179586, 1e-15);
    expr_destroy(constant);
    expr_destroy(NULL);
}

static void check_refused(const char *text, const char *part)
{
    carom_error err = { 0 };
    expr *e = expr_create(text, resolve, NULL, &err);
    if (e || err.status != CAROM_BAD_INPUT || !strstr(err.message, part)) {
        print_error("'%.100s': expected '%s', got status %d and '%s'\n", text ? text : "(null)", part, err.status,
                    err.message);
        expr_destroy(e);
        fail();
    }
}

TEST(expr, mistakes_are_named_with_their_place)
{
    check_refused(NULL, "missing");
    check_refused("", "empty");
    check_refused("STEP(t, 0, 1, 2, 3)", "unknown function 'STEP'; did you mean 'step'?");
    check_refused("Sin(t)", "did you mean 'sin'?");
    check_refused("step(t, 1)", "step takes one argument, step(x), or five, step(x, x0, h0, x1, h1), not 2");
    check_refused("1 + step(t, 1, 2, 3, max(4, 5), 6)", "not 6");
    check_refused("step5(t, 1)", "too few arguments");
    check_refused("  ", "empty");
    check_refused("1 +", "ends where a value should be (character 4)");
    check_refused("1 + * 2", "operator where a value should be (character 5)");
    check_refused("sin(t", "closing parenthesis is missing");
    check_refused("t)", "never opened (character 2)");
    check_refused("2 t", "name where an operator should be; names in expressions have no blanks (character 3)");
    check_refused("t 2", "number where an operator should be; names in expressions have no blanks (character 3)");
    check_refused("2 * speed", "unknown name 'speed' (character 5)");
    check_refused("crank.angel + crank.angle", "unknown name 'crank.angel' (character 1)");
    check_refused("t.t + tt + t", "unknown name 't.t'");
    check_refused("sin", "unknown name 'sin'");
    check_refused("1e999", "'1e999' is not a number");
    check_refused("coss (t)", "unknown function 'coss'; did you mean 'cos'?");
    check_refused("frobnicate(t)", "unknown function 'frobnicate'");
    check_refused("sin(1, 2)", "too many arguments");
    check_refused("atan2(1)", "too few arguments");
    check_refused("t ? 1", "without its ':'");
    check_refused("1 : 2", "':'");
}

TEST(expr, one_value_without_side_effects)
{
    check_refused("t = 1", "'=' would assign; compare with '==' (character 3)");
    check_refused("t <== 1", "would assign");
    check_refused("t == = 1", "would assign");
    check_refused("1, 2", "comma outside of a function");
    check_refused("1,5", "comma outside of a function");
    check_refused("(1, 2)", "list in parentheses");
    check_refused("1; 2", "';' is not allowed");
    check_refused("\"text\"", "'\"' is not allowed");
    check_refused("t\x01", "character code 1 ");
    check_refused("\xc3\xa4", "character code 195");
}

static void check_repeated(const char *piece, size_t length, const char *part)
{
    char *text = calloc(length + 100, 1);
    for (size_t n = 0; n < length; n += strlen(piece)) {
        strcpy(text + n, piece);
    }
    check_refused(text, part);
    free(text);
}

TEST(expr, endless_texts_are_refused)
{
    check_repeated("(", 5000, "parentheses within each other");
    check_repeated("sin(", 4000, "parentheses within each other");
    check_repeated("1+", 100000, "longer than 8192 characters");
    check_repeated("a", 200, "a name or number longer than 100 characters");
    check_repeated("-", 8000, "operator where a value should be");
    check_repeated("t?", 8000, "expression");
    check_repeated("t?1:", 8000, "expression");
    check_repeated("max(1,", 6000, "parentheses within each other");
    check_repeated("t^", 8000, "ends where a value should be");
}

TEST(expr, long_but_sane_texts_work)
{
    char text[8200] = "0";
    size_t length = 1;
    for (; length + 2 < 8000; length += 2) {
        strcpy(text + length, "+x");
    }
    CHECK_NEAR(value_of(text), 2.0 * (double)(length - 1) / 2.0, 1e-9);
}

/* Words of the language in any order: each text is understood or refused, nothing else. */
TEST(expr, word_salad_does_no_harm)
{
    static const char *const words[] = { "t",  "x",  "1",  "2.5", "(",           ")",    "(",    ")",      "+",
                                         "-",  "*",  "/",  "^",   "?",           ":",    ",",    "<",      ">",
                                         "==", "!=", "<=", "&&",  "||",          "sin(", "max(", "clamp(", "pi",
                                         "e",  " ",  "=",  "!",   "crank.angle", "q",    "[",    ".",      "1e" };
    enum { WORDS = sizeof words / sizeof words[0] };
    int understood = 0;
    FOR_EACH_SEED(rng, 5000) {
        char text[400] = "";
        int count = (int)test_rng_uniform(&rng, 1.0, 14.0);
        for (int i = 0; i < count; ++i) {
            strcat(text, words[(int)test_rng_uniform(&rng, 0.0, WORDS)]);
        }
        carom_error err = { 0 };
        expr *e = expr_create(text, resolve, NULL, &err);
        CHECK(e || (err.status == CAROM_BAD_INPUT && strstr(err.message, "expression '")));
        if (e) {
            double value = expr_eval(e, variables);
            CHECK(isnan(value) || isfinite(value));
            ++understood;
        }
        expr_destroy(e);
    }
    CHECK_GE(understood, 50);
}

TEST(expr, the_locale_does_not_matter)
{
    static const char *const locales[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8" };
    for (int i = 0; i < 4 && !setlocale(LC_ALL, locales[i]); ++i) {
    }
    CHECK_NEAR(value_of("1.5 + max(0.25, 0.125)"), 1.75, 0.0);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(expr, values),
        RUN_TEST(expr, no_value_is_nan),
        RUN_TEST(expr, variables_are_counted_once_and_sorted),
        RUN_TEST(expr, mistakes_are_named_with_their_place),
        RUN_TEST(expr, one_value_without_side_effects),
        RUN_TEST(expr, endless_texts_are_refused),
        RUN_TEST(expr, long_but_sane_texts_work),
        RUN_TEST(expr, word_salad_does_no_harm),
        RUN_TEST(expr, the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
