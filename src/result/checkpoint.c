/* The checkpoint file: header, run_progress, the state's doubles, its records of contacts, the pairs that touch and
 * what pairs have been through, findings so far, a checksum of all that stands before it.
 *
 * Written as the machine holds it, because only the same program on the same kind of machine goes on bit for bit; the
 * header refuses everything else. FNV-1a notices any change of a single byte: each step of it is invertible. */
#include "result/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "files/file.h"
#include "model/event_list.h"

#define CHECKPOINT_NAME "checkpoint.bin"

enum { CHECKPOINT_VERSION = 9, BYTE_ORDER_MARK = 0x01020304 };

typedef struct checkpoint_header {
    char magic[8]; /* "CAROMCHK" */
    uint32_t version;
    uint32_t byte_order;
    char program[16]; /* version of carom */
    uint64_t model_hash;
    uint64_t progress_size; /* [bytes] */
    uint64_t state_size;    /* [doubles] */
    uint64_t record_count;
    uint64_t pair_count;
    uint64_t total_count;
    uint64_t finding_count;
} checkpoint_header;

/* What a file of this program for this model and state must begin with. */
static checkpoint_header expected_header(const carom_model *model, const carom_state *state,
                                         const contact_memory *memory)
{
    checkpoint_header header = {
        .magic = { 'C', 'A', 'R', 'O', 'M', 'C', 'H', 'K' },
        .version = CHECKPOINT_VERSION,
        .byte_order = BYTE_ORDER_MARK,
        .model_hash = model->hash,
        .progress_size = sizeof(run_progress),
        .state_size = state->size,
        .record_count = state->contacts.count,
        .pair_count = memory ? memory->touching.count : 0,
        .total_count = memory ? memory->totals.count : 0,
        .finding_count = memory ? memory->findings.count : 0,
    };
    snprintf(header.program, sizeof header.program, "%s", CAROM_VERSION);
    return header;
}

static size_t file_size(const checkpoint_header *header)
{
    return sizeof(checkpoint_header) + sizeof(run_progress) + (size_t)header->state_size * sizeof(double) +
           (size_t)header->record_count * sizeof(contact_record) +
           (size_t)header->pair_count * sizeof(touching_pair) + (size_t)header->total_count * sizeof(pair_total) +
           (size_t)header->finding_count * sizeof(finding) + sizeof(uint64_t);
}

static void *put(char *to, const void *from, size_t bytes)
{
    if (bytes > 0) {
        memcpy(to, from, bytes);
    }
    return to + bytes;
}

carom_status checkpoint_write(const char *folder, const carom_model *model, const carom_state *state,
                              const run_progress *progress, const contact_memory *memory, carom_error *err)
{
    checkpoint_header header = expected_header(model, state, memory);
    size_t size = file_size(&header);
    char *block = malloc(size);
    if (!block) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for a checkpoint of %zu bytes", size);
    }
    char *to = put(block, &header, sizeof header);
    to = put(to, progress, sizeof *progress);
    to = put(to, state->data, state->size * sizeof(double));
    to = put(to, state->contacts.items, state->contacts.count * sizeof(contact_record));
    if (memory) {
        to = put(to, memory->touching.items, memory->touching.count * sizeof(touching_pair));
        to = put(to, memory->totals.items, memory->totals.count * sizeof(pair_total));
        to = put(to, memory->findings.items, memory->findings.count * sizeof(finding));
    }
    uint64_t checksum = carom_hash(CAROM_HASH_START, block, (size_t)(to - block));
    put(to, &checksum, sizeof checksum);
    carom_status status = file_write_whole(folder, CHECKPOINT_NAME, block, size, err);
    free(block);
    return status;
}

static bool bodies_fit(const int body[2], const carom_model *model)
{
    return body[0] >= 0 && body[0] < model->body_count && body[1] >= 0 && body[1] < model->body_count;
}

/* Its kind, body and joint are used as indices. */
static bool finding_fits(const finding *f, const carom_model *model)
{
    const finding_place *p = &f->place;
    bool body = p->a >= 0 && p->a < model->body_count;
    bool other = p->b >= 0 && p->b < model->body_count;
    bool joint = p->a >= 0 && p->a < model->joint_count;
    bool place = p->where == FINDING_BODY    ? body && p->b >= 0 && p->b <= 3
                 : p->where == FINDING_PAIR  ? body && other
                 : p->where == FINDING_JOINT ? joint
                                             : p->where == FINDING_RUN || p->where == FINDING_OTHERS;
    return place && f->kind >= 0 && f->kind < CAROM_FINDINGS;
}

static bool findings_fit(const char *block, const checkpoint_header *header, const carom_model *model)
{
    size_t bytes = (size_t)header->finding_count * sizeof(finding);
    const char *from = block + file_size(header) - sizeof(uint64_t) - bytes;
    bool fit = true;
    for (uint64_t i = 0; fit && i < header->finding_count; ++i) {
        finding f;
        memcpy(&f, from + i * sizeof f, sizeof f);
        fit = finding_fits(&f, model);
    }
    return fit;
}

/* What the pairs say is used as an index. */
static bool pairs_fit(const char *block, const checkpoint_header *header, const carom_model *model)
{
    size_t behind = (size_t)header->total_count * sizeof(pair_total) +
                    (size_t)header->finding_count * sizeof(finding);
    const char *from = block + file_size(header) - sizeof(uint64_t) - behind;
    bool fit = true;
    for (uint64_t i = 0; fit && i < header->total_count; ++i) {
        pair_total total;
        memcpy(&total, from + i * sizeof total, sizeof total);
        fit = bodies_fit(total.body, model) && total.field >= 0.0 && total.field <= model->collider_count;
    }
    from -= (size_t)header->pair_count * sizeof(touching_pair);
    for (uint64_t i = 0; fit && i < header->pair_count; ++i) {
        touching_pair pair;
        memcpy(&pair, from + i * sizeof pair, sizeof pair);
        fit = bodies_fit(pair.body, model);
    }
    return fit;
}

/* The checksum comes first, so that what follows can be believed. */
static carom_status check(const char *path, const char *block, size_t size, const carom_model *model,
                          const carom_state *state, carom_error *err)
{
    const checkpoint_header expected = expected_header(model, state, NULL);
    checkpoint_header header;
    uint64_t checksum;
    if (size < sizeof header + sizeof checksum || memcmp(block, expected.magic, sizeof expected.magic) != 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is not a checkpoint of carom; start anew with 'carom run'",
                          path);
    }
    memcpy(&header, block, sizeof header);
    memcpy(&checksum, block + size - sizeof checksum, sizeof checksum);
    if (carom_hash(CAROM_HASH_START, block, size - sizeof checksum) != checksum) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is damaged (checksum); start anew with 'carom run'", path);
    }
    if (header.version != expected.version || header.byte_order != expected.byte_order ||
        memcmp(header.program, expected.program, sizeof header.program) != 0 ||
        header.progress_size != expected.progress_size) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'%.500s' was written by carom %.15s on another kind of machine or by another version; this "
            "is carom %s: resume with the same program or start anew with 'carom run'",
            path, header.program, CAROM_VERSION);
    }
    if (header.model_hash != expected.model_hash || header.state_size != expected.state_size) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'%.500s' belongs to another model: the scene, a file it includes or an override has changed "
            "since; restore it, or start anew with 'carom run'",
            path);
    }
    size_t needed = file_size(&header);
    bool sane = header.record_count <= size / sizeof(contact_record) && /* products may wrap */
                header.pair_count <= size / sizeof(touching_pair) &&
                header.total_count <= size / sizeof(pair_total) && header.finding_count <= size / sizeof(finding);
    if (size != needed || !sane) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu bytes instead of %zu", path, size, needed);
    }
    return pairs_fit(block, &header, model) && findings_fit(block, &header, model)
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "'%.500s' names bodies or joints that the model does not have",
                            path);
}

static carom_status read_block(const char *path, char **block, size_t *size, carom_error *err)
{
    const size_t largest = (size_t)1 << 32; /* a file of a larger model is refused by its header, not by its size */
    if (!file_exists(path)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "there is no checkpoint '%.500s': the run ended before its first one, or this is not the "
                          "folder of a run; start it with 'carom run'",
                          path);
    }
    return file_read_whole(path, largest, block, size, err);
}

/* Copies the next part of the block; returns where the one after it begins. */
static const char *get(void *to, const char *from, size_t bytes)
{
    if (bytes > 0) {
        memcpy(to, from, bytes);
    }
    return from + bytes;
}

/* A checked block becomes the state. */
static carom_status take(const char *block, carom_state *state, run_progress *progress, contact_memory *memory,
                         carom_error *err)
{
    checkpoint_header header;
    memcpy(&header, block, sizeof header);
    size_t count = (size_t)header.record_count;
    size_t pair_count = (size_t)header.pair_count;
    size_t total_count = (size_t)header.total_count;
    size_t finding_count = (size_t)header.finding_count;
    if (!contact_records_reserve(&state->contacts, count) ||
        (memory && !touching_pairs_reserve(&memory->touching, pair_count)) ||
        (memory && !pair_totals_reserve(&memory->totals, total_count)) ||
        (memory && !finding_totals_reserve(&memory->findings, finding_count))) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu records of contacts", count);
    }
    const char *from = get(progress, block + sizeof header, sizeof *progress);
    from = get(state->data, from, state->size * sizeof(double));
    from = get(state->contacts.items, from, count * sizeof(contact_record));
    state->contacts.count = count;
    if (memory) {
        from = get(memory->touching.items, from, pair_count * sizeof(touching_pair));
        from = get(memory->totals.items, from, total_count * sizeof(pair_total));
        get(memory->findings.items, from, finding_count * sizeof(finding));
        memory->touching.count = pair_count;
        memory->totals.count = total_count;
        memory->findings.count = finding_count;
    }
    return CAROM_OK;
}

carom_status checkpoint_read(const char *folder, const carom_model *model, carom_state *state, run_progress *progress,
                             contact_memory *memory, carom_error *err)
{
    char path[FILE_PATH];
    char *block = NULL;
    size_t size = 0;
    carom_status status = file_path(path, folder, CHECKPOINT_NAME, err);
    if (status == CAROM_OK) {
        status = read_block(path, &block, &size, err);
    }
    if (status == CAROM_OK) {
        status = check(path, block, size, model, state, err);
    }
    if (status == CAROM_OK) {
        status = take(block, state, progress, memory, err);
    }
    free(block);
    return status;
}
