/* What a state remembers of contacts: records in order, found by key, copied and hashed with the state. */
#include "support/contact_scene.h"

#include <unistd.h>

#include "base/hash.h"
#include "model/state.h"
#include "result/checkpoint.h"

static contact_record record(uint32_t a, uint32_t b, uint32_t kind, uint32_t feature, double value)
{
    return (contact_record){
        .a = a, .b = b, .kind = kind, .feature = feature, .value = { value, 2.0 * value, -value }
    };
}

/* Every key of 4 x 4 x 2 x 3 in order. */
static void fill(contact_records *r)
{
    CHECK(contact_records_reserve(r, 96));
    r->count = 0;
    for (uint32_t k = 0; k < 96; ++k) {
        r->items[r->count++] = record(k / 24, k / 6 % 4, k / 3 % 2, k % 3, k);
    }
}

TEST(records, order_is_by_pair_then_kind_then_feature)
{
    contact_records r = { 0 };
    fill(&r);
    for (size_t i = 0; i < r.count; ++i) {
        for (size_t k = 0; k < r.count; ++k) {
            int order = contact_record_compare(&r.items[i], &r.items[k]);
            CHECK_EQ((order > 0) - (order < 0), (i > k) - (i < k));
        }
    }
    contact_record large = record(UINT32_MAX, 0, 0, 0, 0.0);
    CHECK(contact_record_compare(&large, &r.items[95]) > 0); /* no difference that could overflow */
    CHECK(contact_record_compare(&r.items[0], &large) < 0);
    free(r.items);
}

TEST(records, are_found_by_their_key_whatever_their_values)
{
    contact_records r = { 0 };
    contact_record none = record(0, 0, 0, 0, 0.0);
    CHECK(contact_records_find(&r, &none) == NULL);
    fill(&r);
    for (size_t count = 1; count <= 96; ++count) {
        r.count = count;
        for (uint32_t k = 0; k < 96; ++k) {
            contact_record key = record(k / 24, k / 6 % 4, k / 3 % 2, k % 3, -7.0);
            const contact_record *found = contact_records_find(&r, &key);
            CHECK(found == (k < count ? &r.items[k] : NULL));
        }
    }
    contact_record between_keys = record(1, 1, 0, 5, 0.0);
    contact_record beyond = record(4, 0, 0, 0, 0.0);
    CHECK(contact_records_find(&r, &between_keys) == NULL);
    CHECK(contact_records_find(&r, &beyond) == NULL);
    free(r.items);
}

static sim two_states(carom_state **other)
{
    contact_scene c = three_balls("{\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": 1e6}}}", "\"end\": 1");
    sim s = scene_start(&c, 1);
    *other = carom_state_create(s.model);
    CHECK(*other != NULL);
    return s;
}

TEST(records, are_part_of_copy_and_hash)
{
    carom_state *other = NULL;
    sim s = two_states(&other);
    CHECK_EQ(carom_state_copy(other, s.state), CAROM_OK);
    uint64_t without = carom_state_hash(s.state);
    CHECK(carom_state_hash(other) == without);
    fill(&s.state->contacts);
    uint64_t with = carom_state_hash(s.state);
    CHECK(with != without);
    CHECK_EQ(carom_state_copy(other, s.state), CAROM_OK);
    CHECK(other->contacts.items != s.state->contacts.items);
    CHECK_EQ(other->contacts.count, 96);
    CHECK(carom_state_hash(other) == with);
    for (size_t k = 0; k < 96; k += 5) { /* every part of every record counts */
        contact_record *r = &s.state->contacts.items[k];
        contact_record kept = *r;
        r->a ^= 1;
        CHECK(carom_state_hash(s.state) != with);
        *r = kept;
        r->feature ^= 1;
        CHECK(carom_state_hash(s.state) != with);
        *r = kept;
        r->value[2] = nextafter(r->value[2], 1e9);
        CHECK(carom_state_hash(s.state) != with);
        *r = kept;
    }
    CHECK(carom_state_hash(s.state) == with);
    s.state->contacts.count = 95;
    CHECK(carom_state_hash(s.state) != with);
    carom_state_destroy(other);
    sim_end(&s);
}

TEST(records, shrink_and_grow_with_copies)
{
    carom_state *other = NULL;
    sim s = two_states(&other);
    static const size_t counts[] = { 0, 1, 96, 3, 0, 50 };
    for (int k = 0; k < 6; ++k) {
        fill(&s.state->contacts);
        s.state->contacts.count = counts[k];
        CHECK_EQ(carom_state_copy(other, s.state), CAROM_OK);
        CHECK_EQ(other->contacts.count, counts[k]);
        CHECK(carom_state_hash(other) == carom_state_hash(s.state));
    }
    carom_state_destroy(other);
    sim_end(&s);
}

/* More than can be had: refused, and everything is as it was. */
TEST(records, too_many_are_refused)
{
    carom_state *other = NULL;
    sim s = two_states(&other);
    fill(&other->contacts);
    uint64_t before = carom_state_hash(other);
    for (int shift = 1; shift < 8; ++shift) { /* sizes in bytes that wrap around to small ones are among these */
        CHECK(!contact_records_reserve(&other->contacts, (SIZE_MAX >> shift) + 1));
        CHECK(!contact_records_reserve(&other->contacts, (SIZE_MAX >> shift) + 2));
    }
    CHECK(!contact_records_reserve(&other->contacts, SIZE_MAX));
    CHECK(carom_state_hash(other) == before);
    s.state->contacts.count = SIZE_MAX / 4; /* as if */
    CHECK_EQ(carom_state_copy(other, s.state), CAROM_NO_MEMORY);
    s.state->contacts.count = 0;
    CHECK(carom_state_hash(other) == before);
    carom_state_destroy(other);
    sim_end(&s);
}

/* A file whose checksum is right and whose number of records is a lie. */
static void claim_records(const char *folder, uint64_t count)
{
    enum { COUNT_AT = 56, LARGEST = 65536 };
    static char bytes[LARGEST];
    char path[64];
    snprintf(path, sizeof path, "%s/checkpoint.bin", folder);
    FILE *f = fopen(path, "r+b");
    CHECK(f != NULL);
    size_t size = fread(bytes, 1, sizeof bytes, f);
    uint64_t honest = 1;
    memcpy(&honest, bytes + COUNT_AT, sizeof honest);
    CHECK_EQ(honest, 0);
    memcpy(bytes + COUNT_AT, &count, sizeof count);
    uint64_t checksum = carom_hash(CAROM_HASH_START, bytes, size - sizeof checksum);
    memcpy(bytes + size - sizeof checksum, &checksum, sizeof checksum);
    rewind(f);
    CHECK_EQ(fwrite(bytes, 1, size, f), size);
    CHECK_EQ(fclose(f), 0);
}

TEST(records, a_checkpoint_cannot_claim_more_than_it_holds)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    char file[64];
    carom_state *other = NULL;
    carom_error err = { 0 };
    run_progress progress = { 0 };
    sim s = two_states(&other);
    uint64_t before = carom_state_hash(other);
    CHECK(mkdtemp(folder) != NULL);
    for (int k = 0; k < 64; ++k) {
        CHECK_OK(checkpoint_write(folder, s.model, s.state, &progress, NULL, &err), err);
        claim_records(folder, UINT64_C(1) << k);
        CHECK_EQ(checkpoint_read(folder, s.model, other, &progress, NULL, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, "bytes instead of");
    }
    CHECK(carom_state_hash(other) == before);
    snprintf(file, sizeof file, "%s/checkpoint.bin", folder);
    CHECK_EQ(remove(file), 0);
    CHECK_EQ(rmdir(folder), 0);
    carom_state_destroy(other);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(records, order_is_by_pair_then_kind_then_feature),
        RUN_TEST(records, are_found_by_their_key_whatever_their_values),
        RUN_TEST(records, are_part_of_copy_and_hash),
        RUN_TEST(records, shrink_and_grow_with_copies),
        RUN_TEST(records, too_many_are_refused),
        RUN_TEST(records, a_checkpoint_cannot_claim_more_than_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
