/* Words and numbers of mesh files: numbers are rounded as strtod rounds them, bit for bit. */
#include "mesh_files/mesh_text.h"

#include <locale.h>
#include <stdlib.h>

#include "support/check.h"

static mesh_word word_of(const char *text)
{
    return (mesh_word){ text, (int)strlen(text) };
}

static void check_number(const char *text)
{
    double value = (double)NAN;
    CHECK(mesh_word_number(word_of(text), &value));
    double expected = strtod(text, NULL);
    if (memcmp(&value, &expected, sizeof value) != 0) {
        print_error("'%s' read as %.17g, strtod has %.17g\n", text, value, expected);
        fail();
    }
}

TEST(mesh_text, numbers_are_rounded_correctly)
{
    static const char *const numbers[] = {
        "0",
        "-0",
        "0.0",
        "-0.0e5",
        "1",
        "+1",
        "1.",
        ".5",
        "-.5e-3",
        "1e22",
        "1e23",
        "123456789012345678901234567890",
        "9007199254740993",
        "9007199254740992",
        "0.1",
        "1e-22",
        "1e-23",
        "2.2250738585072014e-308",
        "4.9e-324",
        "1e-400",
        "1e400",
        "1.7976931348623157e308",
        "0.000000000000000000000000000000000000001",
        "00000000000000000001",
        "0.30000000000000004",
        "1E+05",
        "8.5070591730234616e37",
        "1e99999999999",
        "12345678901234567890e-10",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        check_number(numbers[i]);
    }
}

TEST(mesh_text, random_numbers_are_rounded_correctly)
{
    FOR_EACH_SEED(rng, 20000) {
        double value = test_rng_uniform(&rng, -1.0, 1.0) * pow(10.0, test_rng_uniform(&rng, -30.0, 30.0));
        char text[400];
        switch (seed_ % 3) {
        case 0:
            snprintf(text, sizeof text, "%.*g", seed_ % 19 + 1, value);
            break;
        case 1:
            snprintf(text, sizeof text, "%.*f", seed_ % 12, value);
            break;
        default:
            snprintf(text, sizeof text, "%.*e", seed_ % 25, value);
        }
        check_number(text);
    }
}

TEST(mesh_text, what_is_no_number_is_refused)
{
    static const char *const words[] = { "",     "-",   ".",     "e5",    "1e",  "1e+", "nan", "NaN", "inf", "-inf",
                                         "0x10", "1,5", "1.2.3", "1e5.0", "--1", "1-",  "one", "1f",  "1e5e" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        double value;
        CHECK(!mesh_word_number(word_of(words[i]), &value));
    }
    char digits[2000];
    memset(digits, '7', sizeof digits);
    double value;
    CHECK(!mesh_word_number((mesh_word){ digits, (int)sizeof digits }, &value));
}

TEST(mesh_text, the_locale_does_not_matter)
{
    static const char *const locales[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8" };
    const char *found = NULL;
    for (int i = 0; i < 4 && !found; ++i) {
        found = setlocale(LC_ALL, locales[i]);
    }
    double fast, slow;
    CHECK(mesh_word_number(word_of("1.5"), &fast));
    CHECK(mesh_word_number(word_of("0.12345678901234567"), &slow));
    CHECK(fast == 1.5 && slow == 0.12345678901234567);
    setlocale(LC_ALL, "C");
}

TEST(mesh_text, integers)
{
    int32_t value;
    int used;
    CHECK(mesh_word_integer(word_of("12/3/4"), &value, &used) && value == 12 && used == 2);
    CHECK(mesh_word_integer(word_of("-7"), &value, &used) && value == -7 && used == 2);
    CHECK(mesh_word_integer(word_of("2147483647"), &value, &used) && value == INT32_MAX);
    CHECK(!mesh_word_integer(word_of("2147483648"), &value, &used));
    CHECK(!mesh_word_integer(word_of("99999999999999999999999999"), &value, &used));
    CHECK(!mesh_word_integer(word_of("/3"), &value, &used));
    CHECK(!mesh_word_integer(word_of("-"), &value, &used));
    CHECK(!mesh_word_integer(word_of(""), &value, &used));
}

TEST(mesh_text, words_and_lines)
{
    const char *content = "  Solid\tname\r\n\n facet";
    mesh_text text = { content, content + strlen(content), 1 };
    CHECK(mesh_word_is(mesh_text_word(&text), "solid"));
    CHECK(mesh_word_is(mesh_text_word_on_line(&text), "name"));
    CHECK_EQ(mesh_text_word_on_line(&text).length, 0);
    CHECK_EQ(text.line, 1);
    mesh_word word = mesh_text_word(&text);
    CHECK_EQ(text.line, 3);
    CHECK(mesh_word_is(word, "facet") && !mesh_word_is(word, "face") && !mesh_word_is(word, "facets"));
    CHECK(!mesh_word_is((mesh_word){ "facet\0s", 7 }, "facet"));
    CHECK_EQ(mesh_text_word(&text).length, 0);
    mesh_text_skip_line(&text);
    CHECK(text.at == text.end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(mesh_text, numbers_are_rounded_correctly),
        RUN_TEST(mesh_text, random_numbers_are_rounded_correctly),
        RUN_TEST(mesh_text, what_is_no_number_is_refused),
        RUN_TEST(mesh_text, the_locale_does_not_matter),
        RUN_TEST(mesh_text, integers),
        RUN_TEST(mesh_text, words_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
