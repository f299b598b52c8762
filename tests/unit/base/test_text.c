/* Edit distance, the nearest name, growing text, repaired UTF-8. */
#include "base/text.h"
#include "support/check.h"

#include <stdlib.h>

TEST(distance, counts_single_edits)
{
    CHECK_EQ(carom_text_distance("", ""), 0);
    CHECK_EQ(carom_text_distance("mass", "mass"), 0);
    CHECK_EQ(carom_text_distance("mass", "Mass"), 0);         /* case does not count */
    CHECK_EQ(carom_text_distance("mass", "mas"), 1);          /* delete              */
    CHECK_EQ(carom_text_distance("mass", "masss"), 1);        /* insert              */
    CHECK_EQ(carom_text_distance("mass", "miss"), 1);         /* replace             */
    CHECK_EQ(carom_text_distance("velocity", "veloctiy"), 1); /* swap of neighbours  */
    CHECK_EQ(carom_text_distance("kitten", "sitting"), 3);    /* the textbook's      */
    CHECK_EQ(carom_text_distance("", "abc"), 3);
    CHECK_EQ(carom_text_distance("abc", ""), 3);
}

/* Random words over two letters, where ties and swaps abound. */
static void random_word(test_rng *rng, char *word)
{
    int length = (int)test_rng_uniform(rng, 0, 9);
    for (int i = 0; i < length; ++i) {
        word[i] = test_rng_uniform(rng, 0, 1) < 0.5 ? 'a' : 'b';
    }
    word[length] = '\0';
}

TEST(distance, is_symmetric_zero_only_for_equals_and_bounded)
{
    FOR_EACH_SEED(rng, 2000) {
        char a[16], b[16];
        random_word(&rng, a);
        random_word(&rng, b);
        int d = carom_text_distance(a, b);
        int na = (int)strlen(a), nb = (int)strlen(b);
        CHECK_EQ(carom_text_distance(b, a), d);
        CHECK_EQ(d == 0, strcmp(a, b) == 0);
        CHECK_LE(d, na > nb ? na : nb);
        CHECK_GE(d, na > nb ? na - nb : nb - na);
    }
}

TEST(distance, cuts_long_names)
{
    char a[300], b[300];
    memset(a, 'x', sizeof a - 1);
    memset(b, 'x', sizeof b - 1);
    a[sizeof a - 1] = b[sizeof b - 1] = '\0';
    b[200] = 'y';
    CHECK_EQ(carom_text_distance(a, b), 0);
    b[0] = 'y';
    CHECK_EQ(carom_text_distance(a, b), 1);
}

TEST(nearest, finds_what_was_meant)
{
    static const char *const names[] = { "position", NULL, "velocity", "mass", "density" };
    CHECK_TEXT(carom_text_nearest("postion", names, 5), "position");
    CHECK_TEXT(carom_text_nearest("Velosity", names, 5), "velocity");
    CHECK_TEXT(carom_text_nearest("mas", names, 5), "mass");
    CHECK(carom_text_nearest("stiffness", names, 5) == NULL);
    CHECK(carom_text_nearest("m", names, 5) == NULL);
    CHECK(carom_text_nearest("mass", names, 0) == NULL);
}

TEST(nearest, prefers_the_nearer_and_then_the_first)
{
    static const char *const names[] = { "springs", "spring", "sprint" };
    CHECK_TEXT(carom_text_nearest("spring", names, 3), "spring");
    CHECK_TEXT(carom_text_nearest("sprin", names, 3), "spring");
}

TEST(text, grows)
{
    carom_text text = { 0 };
    for (int i = 0; i < 1000; ++i) {
        carom_text_add(&text, "%d,", i % 10);
    }
    CHECK_EQ(text.length, 2000);
    CHECK_EQ(strlen(text.data), 2000);
    CHECK(strncmp(text.data, "0,1,2,3,", 8) == 0);
    carom_text_add(&text, "%s", "");
    CHECK_EQ(text.length, 2000);
    CHECK(!text.failed);
    carom_text_free(&text);
    CHECK(text.data == NULL);
}

/* ---- UTF-8 -------------------------------------------------------------------------------------------------------- */

static void check_repaired(const char *text, const char *expected)
{
    char *found = carom_text_repaired(text);
    CHECK_TEXT(found, expected);
    free(found);
}

TEST(repaired, valid_text_stays)
{
    check_repaired("", "");
    check_repaired("plain \t\n\x1b\x7f text", "plain \t\n\x1b\x7f text");
    check_repaired("\xc2\x80 \xdf\xbf", "\xc2\x80 \xdf\xbf"); /* U+80, U+7FF */
    check_repaired("\xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80", "\xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80");
    check_repaired("\xef\xbf\xbf \xf0\x90\x80\x80", "\xef\xbf\xbf \xf0\x90\x80\x80"); /* U+FFFF, U+10000 */
    check_repaired("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf");                           /* U+10FFFF */
}

TEST(repaired, every_other_byte_becomes_a_question_mark)
{
    check_repaired("a\x80z", "a?z"); /* a continuation of nothing */
    check_repaired("\xc3", "?");     /* cut off */
    check_repaired("\xe2\x82", "??");
    check_repaired("\xf0\x9f\x92z", "???z");
    check_repaired("\xc3\xc3\xa9", "?\xc3\xa9");  /* the second is whole */
    check_repaired("\xc0\xaf \xc1\xbf", "?? ??"); /* overlong */
    check_repaired("\xe0\x9f\xbf", "???");
    check_repaired("\xf0\x8f\xbf\xbf", "????");
    check_repaired("\xed\xa0\x80 \xed\xbf\xbf", "??? ???"); /* surrogates */
    check_repaired("\xf4\x90\x80\x80", "????");             /* beyond U+10FFFF */
    check_repaired("\xf8\x88\x80\x80\x80 \xfe\xff", "????? ??");
}

/* The oracle: a character is what encoding some number gives. */
static size_t encode(unsigned long code, char out[5])
{
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    for (size_t i = length; i-- > 1; code >>= 6) {
        out[i] = (char)(0x80 | (code & 0x3f));
    }
    out[0] = (char)(heads[length] | code);
    out[length] = '\0';
    return length;
}

TEST(repaired, every_character_and_only_characters)
{
    for (unsigned long code = 1; code <= 0x110fff; code += code < 0x3000 ? 1 : 37) {
        char text[5];
        size_t length = encode(code, text);
        bool valid = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        check_repaired(text, valid ? text : &"????"[4 - length]);
    }
}

TEST(repaired, random_bytes_keep_their_length_and_come_out_valid)
{
    FOR_EACH_SEED(rng, 3000) {
        char text[40];
        int length = (int)test_rng_uniform(&rng, 0.0, 39.0);
        for (int i = 0; i < length; ++i) {
            text[i] = (char)test_rng_uniform(&rng, 1.0, 256.0);
        }
        text[length] = '\0';
        char *once = carom_text_repaired(text);
        CHECK_EQ(strlen(once), strlen(text));
        check_repaired(once, once); /* nothing is left to repair */
        for (size_t i = 0; once[i]; ++i) {
            CHECK(once[i] == text[i] || (once[i] == '?' && (unsigned char)text[i] >= 0x80));
        }
        free(once);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(distance, counts_single_edits),
        RUN_TEST(distance, is_symmetric_zero_only_for_equals_and_bounded),
        RUN_TEST(distance, cuts_long_names),
        RUN_TEST(nearest, finds_what_was_meant),
        RUN_TEST(nearest, prefers_the_nearer_and_then_the_first),
        RUN_TEST(text, grows),
        RUN_TEST(repaired, valid_text_stays),
        RUN_TEST(repaired, every_other_byte_becomes_a_question_mark),
        RUN_TEST(repaired, every_character_and_only_characters),
        RUN_TEST(repaired, random_bytes_keep_their_length_and_come_out_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
