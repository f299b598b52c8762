/* A state as bytes: header, doubles, records of contacts, a checksum of all that stands before it.
 *
 * Written as the machine holds it, as checkpoints are, and refused elsewhere: only the same program on the same kind of machine
 * goes on bit for bit. */
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/hash.h"
#include "model/model.h"
#include "model/state.h"

enum { STATE_VERSION = 1, BYTE_ORDER_MARK = 0x01020304 };

typedef struct state_header {
    char magic[8]; /* "CAROMSTA" */
    uint32_t version;
    uint32_t byte_order;
    char program[16]; /* version of carom */
    uint64_t model_hash;
    uint64_t size; /* [doubles] */
    uint64_t record_count;
} state_header;

static state_header header_of(const carom_state *s)
{
    state_header header = { .magic = { 'C', 'A', 'R', 'O', 'M', 'S', 'T', 'A' },
                            .version = STATE_VERSION,
                            .byte_order = BYTE_ORDER_MARK,
                            .model_hash = s->model_hash,
                            .size = s->size,
                            .record_count = s->contacts.count };
    snprintf(header.program, sizeof header.program, "%s", CAROM_VERSION);
    return header;
}

static size_t bytes_of(const state_header *header)
{
    return sizeof *header + (size_t)header->size * sizeof(double) +
           (size_t)header->record_count * sizeof(contact_record) + sizeof(uint64_t);
}

size_t carom_state_size(const carom_state *state)
{
    state_header header = state ? header_of(state) : (state_header){ 0 };
    return state ? bytes_of(&header) : 0;
}

static char *put(char *to, const void *from, size_t bytes)
{
    if (bytes > 0) {
        memcpy(to, from, bytes);
    }
    return to + bytes;
}

carom_status carom_state_save(const carom_model *model, const carom_state *state, void *out, size_t size,
                              carom_error *err)
{
    const char *function = "carom_state_save";
    carom_status status = state_check(function, model, state, err);
    status = status == CAROM_OK ? argument_given(function, "out", out, err) : status;
    if (status == CAROM_OK && size != carom_state_size(state)) {
        status = carom_fail(err, CAROM_BAD_INPUT, "%s: 'size' is %zu, but the state has %zu bytes (carom_state_size)",
                            function, size, carom_state_size(state));
    }
    if (status != CAROM_OK) {
        return status;
    }
    state_header header = header_of(state);
    char *to = put(out, &header, sizeof header);
    to = put(to, state->data, state->size * sizeof *state->data);
    to = put(to, state->contacts.items, state->contacts.count * sizeof *state->contacts.items);
    uint64_t checksum = carom_hash(CAROM_HASH_START, out, (size_t)(to - (char *)out));
    put(to, &checksum, sizeof checksum);
    return CAROM_OK;
}

static bool is_whole(const char *bytes, size_t size)
{
    uint64_t checksum;
    memcpy(&checksum, bytes + size - sizeof checksum, sizeof checksum);
    return carom_hash(CAROM_HASH_START, bytes, size - sizeof checksum) == checksum;
}

/* The checksum comes first, so that what follows can be believed. */
static carom_status check(const carom_state *state, const char *bytes, size_t size, carom_error *err)
{
    const state_header expected = header_of(state);
    state_header header;
    if (size < sizeof header + sizeof(uint64_t) || memcmp(bytes, expected.magic, sizeof expected.magic) != 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "these %zu bytes are not a state of carom", size);
    }
    memcpy(&header, bytes, sizeof header);
    if (!is_whole(bytes, size)) {
        return carom_fail(err, CAROM_BAD_INPUT, "the bytes of a state are damaged (checksum)");
    }
    if (header.version != expected.version || header.byte_order != expected.byte_order ||
        memcmp(header.program, expected.program, sizeof header.program) != 0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the state was saved by carom %.15s on another kind of machine or by another version; this "
                          "is carom %s",
                          header.program, CAROM_VERSION);
    }
    if (header.model_hash != expected.model_hash || header.size != expected.size) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the state belongs to another model (%016llx, this is %016llx): the scene, a file it includes "
            "or an override differs",
            (unsigned long long)header.model_hash, (unsigned long long)expected.model_hash);
    }
    bool fits = header.record_count <= size / sizeof(contact_record) && bytes_of(&header) == size;
    return fits ? CAROM_OK
                : carom_fail(err, CAROM_BAD_INPUT, "the bytes of a state are %zu, its header says otherwise", size);
}

carom_status carom_state_restore(const carom_model *model, carom_state *state, const void *bytes, size_t size,
                                 carom_error *err)
{
    const char *function = "carom_state_restore";
    carom_status status = state_check(function, model, state, err);
    status = status == CAROM_OK ? argument_given(function, "bytes", bytes, err) : status;
    status = status == CAROM_OK ? check(state, bytes, size, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    state_header header;
    memcpy(&header, bytes, sizeof header);
    if (!contact_records_reserve(&state->contacts, (size_t)header.record_count)) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu records of contacts", (size_t)header.record_count);
    }
    const char *from = (const char *)bytes + sizeof header;
    memcpy(state->data, from, state->size * sizeof *state->data);
    from += state->size * sizeof *state->data;
    put((char *)state->contacts.items, from, (size_t)header.record_count * sizeof(contact_record));
    state->contacts.count = (size_t)header.record_count;
    return CAROM_OK;
}
