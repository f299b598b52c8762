/* Edit distance, the nearest name, growing text. */
#include "base/text.h"
#include "support/check.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(distance, counts_single_edits),
        RUN_TEST(distance, is_symmetric_zero_only_for_equals_and_bounded),
        RUN_TEST(distance, cuts_long_names),
        RUN_TEST(nearest, finds_what_was_meant),
        RUN_TEST(nearest, prefers_the_nearer_and_then_the_first),
        RUN_TEST(text, grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
