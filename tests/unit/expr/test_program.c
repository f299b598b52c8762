/* The program of jets against muParser, which has the say about what a text means, and against numerical derivatives:
 * random texts of the whole language, every function by itself, kinks and edges. */
#include "expr/expr_program.h"

#include "expr/expr_scan.h"
#include "support/check.h"

static int any_name(void *context, const char *name)
{
    (void)context, (void)name;
    return 0;
}

/* A text in both forms. */
typedef struct fixture {
    expr *e;
    expr_program *program;
} fixture;

static bool create(fixture *f, const char *text)
{
    carom_error err = { 0 };
    char clean[EXPR_LONGEST_TEXT + 1];
    *f = (fixture){ .e = expr_create(text, any_name, NULL, &err) };
    if (f->e) {
        CHECK_OK(expr_scan(clean, text, &err), err);
        CHECK_OK(expr_program_create(&f->program, clean, &err), err);
    }
    return f->e != NULL;
}

static void destroy(fixture *f)
{
    expr_destroy(f->e);
    expr_program_destroy(f->program);
}

static void create_known(fixture *f, const char *text)
{
    if (!create(f, text) || !f->program) {
        print_error("'%s' is not understood\n", text);
        fail();
    }
}

static double value_at(void *context, double x)
{
    return expr_eval(context, &x);
}

/* ---- random texts -------------------------------------------------------------------------------------------------- */

typedef struct writer {
    test_rng *rng;
    char text[EXPR_LONGEST_TEXT + 1];
    bool smooth; /* only what has derivatives everywhere */
} writer;

static int choose(writer *w, int count)
{
    return (int)test_rng_uniform(w->rng, 0.0, (double)count);
}

static void write(writer *w, const char *piece)
{
    strcat(w->text, piece);
    strcat(w->text, choose(w, 8) == 0 ? " " : "");
}

static void write_leaf(writer *w)
{
    static const char *const leaves[] = { "t",   "x",      "t",   "3.5",   "e",    "2", "3",
                                          "0.5", "1.25e0", ".75", "15e-1", "1e+0", "4" };
    write(w, leaves[choose(w, sizeof leaves / sizeof leaves[0])]);
}

static void write_expression(writer *w, int depth);

static void write_call(writer *w, int depth)
{
    static const struct {
        const char *name;
        int count;
    } calls[] = {
        { "sin", 1 },  { "cos", 1 },   { "tan", 1 },  { "atan", 1 },  { "sinh", 1 },  { "tanh", 1 },  { "exp", 1 },
        { "sqrt", 1 }, { "log", 1 },   { "ln", 1 },   { "asin", 1 },  { "acos", 1 },  { "atan2", 2 }, { "cosh", 1 },
        { "sum", 3 },  { "avg", 2 },   { "deg", 1 },  { "rad", 1 },   { "asinh", 1 }, { "acosh", 1 }, { "atanh", 1 },
        { "log2", 1 }, { "log10", 1 }, { "", 1 },     { "", 1 },      { "-", 1 },     { "abs", 1 },   { "sign", 1 },
        { "rint", 1 }, { "floor", 1 }, { "ceil", 1 }, { "mod", 2 },   { "min", 3 },   { "max", 2 },   { "min", 1 },
        { "step", 1 }, { "clamp", 3 }, { "step", 5 }, { "step5", 5 },
    };
    int smooth = 26;
    int k = choose(w, w->smooth ? smooth : (int)(sizeof calls / sizeof calls[0]));
    write(w, calls[k].name);
    write(w, "(");
    for (int i = 0; i < calls[k].count; ++i) {
        write(w, i > 0 ? "," : "");
        write_expression(w, depth - 1);
    }
    write(w, ")");
}

static void write_operation(writer *w, int depth)
{
    static const char *const operators[] = { "+", "-", "*", "/",  "^",  "*-", "^-", "+",  "*",
                                             "-", "<", ">", "<=", ">=", "==", "!=", "&&", "||" };
    write_expression(w, depth - 1);
    write(w, operators[choose(w, w->smooth ? 10 : 18)]);
    int sign = w->text[strlen(w->text) - 1] == '-'; /* no two signs in a row: muParser takes one */
    sign ? write_call(w, depth - 1) : write_expression(w, depth - 1);
}

static void write_condition(writer *w, int depth)
{
    write_expression(w, depth - 1);
    write(w, "?");
    write_expression(w, depth - 1);
    write(w, ":");
    write_expression(w, depth - 1);
}

static void write_expression(writer *w, int depth)
{
    int kind = depth > 0 ? choose(w, w->smooth ? 10 : 12) : 0;
    if (kind < 2) {
        write_leaf(w);
    } else if (kind < 7) {
        write_operation(w, depth);
    } else if (kind < 10) {
        write_call(w, depth);
    } else {
        write_condition(w, depth);
    }
}

/* What muParser says beside x, where the text is just changing its mind. */
static double mean_beside(expr *e, double x)
{
    double before = x - 1e-9;
    double after = x + 1e-9;
    return 0.5 * (expr_eval(e, &before) + expr_eval(e, &after));
}

/* Where the program has a value it is muParser's, but for the rounding of operations which muParser puts together. */
static bool agree(fixture *f, double x)
{
    double out[3];
    double value = expr_eval(f->e, &x);
    if (isnan(value) || !expr_program_run(f->program, x, out)) {
        return true;
    }
    double tolerance = 1e-14 * (fabs(value) + fabs(x * out[1]));
    return fabs(out[0] - value) <= tolerance || fabs(out[0] - mean_beside(f->e, x)) <= 1e-6 * (1.0 + fabs(out[1]));
}

TEST(program, random_texts_mean_what_muparser_says)
{
    int count = 0;
    FOR_EACH_SEED(rng, 10000) {
        writer w = { .rng = &rng };
        write_expression(&w, 5);
        fixture f;
        if (create(&f, w.text)) {
            double x = test_rng_uniform(&rng, -3.0, 3.0);
            if (!f.program || !agree(&f, x)) {
                print_error("'%s' at %.17g: not what muParser says\n", w.text, x);
                fail();
            }
            ++count;
        }
        destroy(&f);
    }
    CHECK_GE(count, 9500);
}

/* Words in any order: what muParser understands is understood, and alike. */
TEST(program, word_salad_means_what_muparser_says)
{
    static const char *const words[] = { "t",  "1",  "2.5", "-",    "(",    ")",   "(",  ")", "+",  "-",
                                         "*",  "/",  "^",   "?",    ":",    ",",   "<",  ">", "==", "!=",
                                         "<=", "&&", "||",  "sin(", "max(", "pi",  "e",  " ", "_e", "[",
                                         ".",  "1e", "0x",  "2t",   "inf",  "nan", "sin" };
    enum { WORDS = sizeof words / sizeof words[0] };
    int count = 0;
    FOR_EACH_SEED(rng, 10000) {
        char text[400] = "";
        int length = (int)test_rng_uniform(&rng, 1.0, 9.0);
        for (int i = 0; i < length; ++i) {
            strcat(text, words[(int)test_rng_uniform(&rng, 0.0, WORDS)]);
        }
        fixture f;
        if (create(&f, text)) {
            bool odd = strstr(text, "1e") != NULL; /* a name that begins like a number is left to muParser */
            if ((!f.program && !odd) || (f.program && !agree(&f, 0.37))) {
                print_error("'%s' is not what muParser says\n", text);
                fail();
            }
            ++count;
        }
        destroy(&f);
    }
    CHECK_GE(count, 250);
}

/* ---- derivatives --------------------------------------------------------------------------------------------------- */

/* Two numerical derivatives that agree can be trusted; the third must agree with both. */
TEST(program, derivatives_of_random_texts_are_slopes)
{
    int count = 0;
    FOR_EACH_SEED(rng, 6000) {
        writer w = { .rng = &rng, .smooth = true };
        write_expression(&w, 3);
        fixture f;
        double x = test_rng_uniform(&rng, -2.0, 2.0);
        double exact[3], wide[3], narrow[3];
        if (create(&f, w.text) && expr_program_run(f.program, x, exact)) {
            expr_derivatives(value_at, f.e, x, 1.0, wide);
            expr_derivatives(value_at, f.e, x, 0.31, narrow);
            double size = fabs(exact[0]) + fabs(exact[1]) + fabs(exact[2]);
            if (fabs(wide[1] - narrow[1]) + fabs(wide[2] - narrow[2]) < 1e-7 * size) {
                CHECK_NEAR(exact[1], wide[1], 1e-6 * size);
                CHECK_NEAR(exact[2], wide[2], 1e-6 * size);
                ++count;
            }
        }
        destroy(&f);
    }
    CHECK_GE(count, 3000);
}

/* Every function, alone and of something that bends; x is inside all domains of the row. */
TEST(program, each_function_has_its_derivatives)
{
    static const struct {
        const char *text;
        double x;
    } rows[] = {
        { "sin(3*t)", 0.4 },
        { "cos(t^2)", 0.9 },
        { "tan(t/2+t^2)", 0.3 },
        { "asin(t*t)", 0.6 },
        { "acos(t/2-t^2)", 0.4 },
        { "atan(3*t^3)", 0.7 },
        { "atan2(t^2, 1-t)", 1.7 },
        { "atan2(-t, -2)", 0.3 },
        { "sinh(t^2)", 0.8 },
        { "cosh(t-t^3)", 0.9 },
        { "tanh(2*t)", 0.4 },
        { "asinh(t^2-3*t)", 1.2 },
        { "acosh(1+t^2)", 1.1 },
        { "atanh(t^2)", -0.6 },
        { "exp(-t^2)", 0.7 },
        { "log(t^2+t)", 0.8 },
        { "ln(3-t)", 0.8 },
        { "log2(t^3)", 1.4 },
        { "log10(t^2)", -1.4 },
        { "sqrt(1+t^2)", 0.8 },
        { "abs(t^3)", -0.8 },
        { "sign(t)*t^2", -0.7 },
        { "rint(t)*t^2", 1.8 },
        { "floor(t)*t^2", -1.3 },
        { "ceil(t)*t^2", -1.3 },
        { "mod(t^2, 0.3*t)", 1.17 },
        { "min(t^2, t, 2-t)", 0.4 },
        { "max(t^2, t, 2-t)", 1.8 },
        { "sum(t^2, t, sin(t))", 1 },
        { "avg(t^2, t, sin(t))", 1 },
        { "step(t)*t^2", 0.4 },
        { "step(t^2, 0.1, -t, 0.9, 3)", 0.7 },
        { "step(t^2, 0.9, t, 0.1, 3)", 0.7 },
        { "step(t, 1, t^2, 2, 3)", 0.7 },
        { "step(t, 0, 5, 0.5, t^3)", 0.7 },
        { "step5(t^2, 0.1, -t, 0.9, 3)", 0.7 },
        { "step5(t, 1, t^2, 2, 3)", 0.7 },
        { "clamp(t^2, -t, t)", 0.4 },
        { "clamp(t^2, -t, t)", 1.4 },
        { "deg(t^2)", 0.4 },
        { "rad(t^2)", 0.4 },
        { "t^t", 0.7 },
        { "2^(t^2)", -0.7 },
        { "(-t)^3", 0.7 },
        { "t^-2.5", 0.7 },
        { "t^2/(1+t^3)", 0.7 },
        { "t^2*sin(t)-t", 0.7 },
        { "-t^2^t", 0.7 },
        { "t<1?t^2:t^3", 0.7 },
        { "t<1?t^2:t^3", 1.7 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fixture f;
        double exact[3], wide[3];
        create_known(&f, rows[i].text);
        CHECK(expr_program_run(f.program, rows[i].x, exact));
        expr_derivatives(value_at, f.e, rows[i].x, 1.0, wide);
        double size = fabs(exact[0]) + fabs(exact[1]) + fabs(exact[2]);
        CHECK_NEAR(exact[0], wide[0], 1e-15 * (1.0 + size));
        CHECK_NEAR(exact[1], wide[1], 1e-10 * (1.0 + size));
        CHECK_NEAR(exact[2], wide[2], 3e-8 * (1.0 + size));
        destroy(&f);
    }
}

static void derivatives(const char *text, double x, double out[3])
{
    fixture f;
    CHECK(create(&f, text));
    expr_eval_derivatives(f.e, x, 10.0, out);
    destroy(&f);
}

static void check_derivatives(const char *text, double x, double v, double d, double dd)
{
    double out[3];
    derivatives(text, x, out);
    if (!(fabs(out[0] - v) <= 1e-13 * fabs(v) && fabs(out[1] - d) <= 1e-13 * fabs(d) &&
          fabs(out[2] - dd) <= 1e-13 * fabs(dd))) {
        print_error("'%s' at %g: %.17g %.17g %.17g, not %.17g %.17g %.17g\n", text, x, out[0], out[1], out[2], v, d,
                    dd);
        fail();
    }
}

TEST(program, derivatives_are_exact)
{
    check_derivatives("5", 3.0, 5.0, 0.0, 0.0);
    check_derivatives("1200*pi/30*t", 0.1, 12.566370614359172, 125.66370614359172, 0.0);
    check_derivatives("4.905*t^2", 3.0, 44.145, 29.43, 9.81);
    check_derivatives("t^2", 0.0, 0.0, 0.0, 2.0);
    check_derivatives("t^1+t^0", 0.0, 1.0, 1.0, 0.0);
    check_derivatives("sin(5000*t)", 2.0, sin(1e4), 5000.0 * cos(1e4), -25e6 * sin(1e4));
    check_derivatives("sin(1e7*t)", 0.0, 0.0, 1e7, 0.0);
    check_derivatives("tanh((t-5)/0.02)", 0.0, -1.0, 50.0 / pow(cosh(250.0), 2), 5000.0 / pow(cosh(250.0), 2));
    check_derivatives("sqrt(0)+asin(1)*t+acos(-1)", 1.0, asin(1.0) + acos(-1.0), asin(1.0), 0.0);
}

/* Distances at which differences would still straddle the kink. */
TEST(program, near_a_kink_it_is_the_side_that_counts)
{
    check_derivatives("abs(t-1)", 1.0 + 1e-9, 1.0 + 1e-9 - 1.0, 1.0, 0.0);
    check_derivatives("abs(t-1)", 1.0 - 1e-9, 1.0 - (1.0 - 1e-9), -1.0, 0.0);
    check_derivatives("t<3 ? 3 : -1", 3.0 - 1e-9, 3.0, 0.0, 0.0);
    check_derivatives("step(t-1)*t", 1.0 + 1e-12, 1.0 + 1e-12, 1.0, 0.0);
    check_derivatives("t>0 && t<1 ? t^2 : 2*t-1", 1.0 + 1e-12, 1.0 + 2e-12, 2.0, 0.0);
}

TEST(program, at_a_kink_it_is_the_mean)
{
    check_derivatives("abs(t)", 0.0, 0.0, 0.0, 0.0);
    check_derivatives("abs(2*t)+t^2", 0.0, 0.0, 0.0, 2.0);
    check_derivatives("max(0,t)", 0.0, 0.0, 0.5, 0.0);
    check_derivatives("clamp(t,0,1)", 1.0, 1.0, 0.5, 0.0);
    check_derivatives("3*clamp(t/4,0,1)^2-2*clamp(t/4,0,1)^3", 0.0, 0.0, 0.0, 3.0 / 16.0);
    check_derivatives("3*clamp(t/4,0,1)^2-2*clamp(t/4,0,1)^3", 4.0, 1.0, 0.0, -3.0 / 16.0);
    check_derivatives("t<=0 ? 0 : t^2", 0.0, 0.0, 0.0, 1.0);
    check_derivatives("t==0 ? 0 : t^2+t", 0.0, 0.0, 1.0, 2.0);
    check_derivatives("t^2 ? t^2 : 0", 0.0, 0.0, 0.0, 2.0);
    check_derivatives("min(t, t^2)", 1.0, 1.0, 1.5, 1.0);
    check_derivatives("t && t<0 ? -t : t", 0.0, 0.0, 0.0, 0.0);
}

/* The value is that of the point itself, the slopes are those around it. */
TEST(program, jumps_have_no_slope)
{
    check_derivatives("step(t)", 0.0, 1.0, 0.0, 0.0);
    check_derivatives("sign(t)", 0.0, 0.0, 0.0, 0.0);
    check_derivatives("floor(t)+ceil(t)+rint(t/2)", 1.0, 3.0, 0.0, 0.0);
    check_derivatives("mod(t,1)", 2.0, 0.0, 1.0, 0.0);
    check_derivatives("mod(-t,1)", 2.0, 0.0, -1.0, 0.0);
    check_derivatives("t<3 ? 3 : -1", 3.0, -1.0, 0.0, 0.0);
    check_derivatives("t>1 || t<0", 1.0, 0.0, 0.0, 0.0);
}

/* As the numerical derivatives, which remain where the rules find no finite number. */
TEST(program, edges_are_those_of_numerical_derivatives)
{
    static const struct {
        const char *text;
        double x;
    } rows[] = { { "t*sqrt(t)", 0.0 },     { "sqrt(t)^4", 0.0 }, { "sqrt(1-t)", 1.0 },        { "(t^3)^(1/3)", 0.0 },
                 { "t==0?sqrt(-1):t", 0 }, { "log(t)", 0.0 },    { "1/(1+exp(-1e3*t))", -1 }, { "sqrt(-t^2)", 0.0 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fixture f;
        double out[3], numerical[3];
        create_known(&f, rows[i].text);
        expr_eval_derivatives(f.e, rows[i].x, 10.0, out);
        expr_derivatives(value_at, f.e, rows[i].x, 10.0, numerical);
        for (int k = 0; k < 3; ++k) {
            CHECK((isnan(out[k]) && isnan(numerical[k])) || out[k] == numerical[k]);
        }
        destroy(&f);
    }
    check_derivatives("t<0 ? sqrt(-1) : sin(t)", 0.0, 0.0, 1.0, 0.0); /* one side is enough */
    check_derivatives("t>0 ? sqrt(-1) : 3*t", 0.0, 0.0, 3.0, 0.0);
}

TEST(program, what_only_muparser_understands_has_numerical_derivatives)
{
    fixture f;
    double out[3];
    CHECK(create(&f, "1e.x^2 + sin(1e.x)"));
    CHECK(!f.program);
    expr_eval_derivatives(f.e, 0.7, 10.0, out);
    CHECK_NEAR(out[0], 0.49 + sin(0.7), 1e-15);
    CHECK_NEAR(out[1], 1.4 + cos(0.7), 1e-9);
    CHECK_NEAR(out[2], 2.0 - sin(0.7), 1e-7);
    destroy(&f);
}

/* All variables of a motion are names of t. */
TEST(program, all_variables_are_the_argument)
{
    check_derivatives("t*time*crank.t[2]", 2.0, 8.0, 12.0, 12.0);
}

TEST(program, long_texts_work)
{
    char text[EXPR_LONGEST_TEXT + 1] = "t";
    for (int k = 0; k < 2000; ++k) {
        strcat(text, k % 2 ? "+t" : "*1");
    }
    check_derivatives(text, 0.5, 500.5, 1001.0, 0.0);
    text[0] = '\0';
    for (int k = 0; k < 1300; ++k) {
        strcat(text, "t<0?1:");
    }
    strcat(text, "t^2");
    check_derivatives(text, 0.5, 0.25, 1.0, 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(program, random_texts_mean_what_muparser_says),
        RUN_TEST(program, word_salad_means_what_muparser_says),
        RUN_TEST(program, derivatives_of_random_texts_are_slopes),
        RUN_TEST(program, each_function_has_its_derivatives),
        RUN_TEST(program, derivatives_are_exact),
        RUN_TEST(program, near_a_kink_it_is_the_side_that_counts),
        RUN_TEST(program, at_a_kink_it_is_the_mean),
        RUN_TEST(program, jumps_have_no_slope),
        RUN_TEST(program, edges_are_those_of_numerical_derivatives),
        RUN_TEST(program, what_only_muparser_understands_has_numerical_derivatives),
        RUN_TEST(program, all_variables_are_the_argument),
        RUN_TEST(program, long_texts_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
