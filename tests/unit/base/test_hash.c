/* FNV-1a against the test vectors of its authors: a hash in a checkpoint must mean the same for ever. */
#include "base/hash.h"
#include "support/check.h"

static uint64_t hash_text(const char *text)
{
    return carom_hash(CAROM_HASH_START, text, strlen(text));
}

TEST(hash, matches_the_published_vectors)
{
    CHECK(hash_text("") == UINT64_C(0xcbf29ce484222325));
    CHECK(hash_text("a") == UINT64_C(0xaf63dc4c8601ec8c));
    CHECK(hash_text("foobar") == UINT64_C(0x85944171f73967e8));
}

TEST(hash, of_parts_is_the_hash_of_the_whole)
{
    const char text[] = "contact and impact";
    for (size_t cut = 0; cut < sizeof text; ++cut) {
        uint64_t parts = carom_hash(CAROM_HASH_START, text, cut);
        parts = carom_hash(parts, text + cut, sizeof text - cut);
        CHECK(parts == carom_hash(CAROM_HASH_START, text, sizeof text));
    }
}

TEST(hash, sees_every_bit_of_a_number)
{
    double x = 1.0;
    uint64_t before = carom_hash(CAROM_HASH_START, &x, sizeof x);
    for (int bit = 0; bit < 64; ++bit) {
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        bits ^= UINT64_C(1) << bit;
        CHECK(carom_hash(CAROM_HASH_START, &bits, sizeof bits) != before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(hash, matches_the_published_vectors),
        RUN_TEST(hash, of_parts_is_the_hash_of_the_whole),
        RUN_TEST(hash, sees_every_bit_of_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
