/* checkpoint.bin: comes back exactly, and whatever happens to the file is noticed before anything is changed. */
#include "support/check.h"

#include "fake_run.h"
#include "files/file.h"
#include "model/event_list.h"
#include "result/checkpoint.h"

static fake_run *start(void)
{
    fake_run *run = fake_run_start();
    for (int i = 0; i < FAKE_STATE; ++i) {
        run->data[i] = 0.1 * i;
    }
    return run;
}

static run_progress some_progress(void)
{
    run_progress progress;
    memset(&progress, 0, sizeof progress);
    progress.steps = 123456789012;
    progress.frames = 77;
    progress.wall = 1.0 / 3.0;
    progress.first.kinetic = -0.0;
    return progress;
}

static char *read_file(const fake_run *run, size_t *size)
{
    char path[256];
    char *bytes = NULL;
    carom_error err = { 0 };
    fake_path(run, "checkpoint.bin", path);
    CHECK_OK(file_read_whole(path, 1 << 20, &bytes, size, &err), err);
    return bytes;
}

/* Reads these bytes as a checkpoint. A refusal must leave state and progress alone. */
static carom_status read_bytes(fake_run *run, const char *bytes, size_t size, carom_error *err)
{
    double before[FAKE_STATE];
    run_progress progress = some_progress();
    const run_progress untouched = progress;
    CHECK_OK(file_write_whole(run->folder, "checkpoint.bin", bytes, size, err), *err);
    memcpy(before, run->data, sizeof before);
    carom_status status = checkpoint_read(run->folder, &run->model, &run->state, &progress, NULL, err);
    if (status != CAROM_OK) {
        CHECK(memcmp(before, run->data, sizeof before) == 0);
        CHECK(memcmp(&progress, &untouched, sizeof progress) == 0);
    }
    return status;
}

TEST(checkpoint, comes_back_exactly)
{
    fake_run *run = start();
    carom_error err = { 0 };
    const run_progress written = some_progress();
    run_progress progress;
    double before[FAKE_STATE];
    run->data[3] = (double)NAN;
    memcpy(before, run->data, sizeof before);
    CHECK_OK(checkpoint_write(run->folder, &run->model, &run->state, &written, NULL, &err), err);
    memset(run->data, 0, sizeof run->data);
    CHECK_OK(checkpoint_read(run->folder, &run->model, &run->state, &progress, NULL, &err), err);
    CHECK(memcmp(run->data, before, sizeof before) == 0);
    CHECK(memcmp(&progress, &written, sizeof progress) == 0);
    fake_run_finish(run);
}

static touching_pair some_pair(int a, int b)
{
    return (touching_pair){ .body = { a, b }, .mode = CONTACT_SLIPS, .gap = -1e-5, .slip = 1.0 / 3.0 };
}

TEST(checkpoint, brings_touching_pairs_back)
{
    fake_run *run = start();
    carom_error err = { 0 };
    run_progress progress = some_progress();
    touching_pair items[2] = { some_pair(0, 1), some_pair(1, 2) };
    pair_total totals[1] = { { .body = { 1, 2 }, .peak_force = 7.0, .impulse = 0.5, .normal_force = -1.0 } };
    const contact_memory written = { .touching = { .items = items, .count = 2, .capacity = 2 },
                                     .totals = { .items = totals, .count = 1, .capacity = 1 } };
    contact_memory read = { 0 };
    CHECK_OK(checkpoint_write(run->folder, &run->model, &run->state, &progress, &written, &err), err);
    CHECK_OK(checkpoint_read(run->folder, &run->model, &run->state, &progress, &read, &err), err);
    CHECK_EQ(read.touching.count, 2);
    CHECK(memcmp(read.touching.items, items, sizeof items) == 0);
    CHECK_EQ(read.totals.count, 1);
    CHECK(memcmp(read.totals.items, totals, sizeof totals) == 0);
    items[1].body[1] = FAKE_BODIES; /* a body that the model does not have */
    CHECK_OK(checkpoint_write(run->folder, &run->model, &run->state, &progress, &written, &err), err);
    CHECK_EQ(checkpoint_read(run->folder, &run->model, &run->state, &progress, &read, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "does not have");
    items[1].body[1] = 2;
    totals[0].body[0] = -1;
    CHECK_OK(checkpoint_write(run->folder, &run->model, &run->state, &progress, &written, &err), err);
    CHECK_EQ(checkpoint_read(run->folder, &run->model, &run->state, &progress, &read, &err), CAROM_BAD_INPUT);
    contact_memory_free(&read);
    fake_run_finish(run);
}

TEST(checkpoint, brings_findings_back)
{
    fake_run *run = start();
    carom_error err = { 0 };
    run_progress progress = some_progress();
    finding items[2] = { { .kind = CAROM_FINDING_DEEP, .place = { FINDING_PAIR, 1, 2 }, .count = 3, .number = 0.1 },
                         { .kind = CAROM_FINDING_PLAY_EXCEEDED, .place = { FINDING_JOINT, 1, 0 }, .count = 1 } };
    const contact_memory written = { .findings = { .items = items, .count = 2, .capacity = 2 } };
    const finding bad[] = { { .kind = CAROM_FINDINGS },
                            { .place = { FINDING_PAIR, 0, FAKE_BODIES } },
                            { .place = { FINDING_BODY, 0, 4 } },
                            { .place = { FINDING_JOINT, FAKE_JOINTS, 0 } },
                            { .place = { 17, 0, 0 } } };
    contact_memory read = { 0 };
    CHECK_OK(checkpoint_write(run->folder, &run->model, &run->state, &progress, &written, &err), err);
    CHECK_OK(checkpoint_read(run->folder, &run->model, &run->state, &progress, &read, &err), err);
    CHECK_EQ(read.findings.count, 2);
    CHECK(memcmp(read.findings.items, items, sizeof items) == 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        items[1] = bad[i];
        CHECK_OK(checkpoint_write(run->folder, &run->model, &run->state, &progress, &written, &err), err);
        CHECK_EQ(checkpoint_read(run->folder, &run->model, &run->state, &progress, &read, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, "does not have");
    }
    contact_memory_free(&read);
    fake_run_finish(run);
}

TEST(checkpoint, notices_every_changed_byte_and_length)
{
    fake_run *run = start();
    carom_error err = { 0 };
    const run_progress progress = some_progress();
    size_t size = 0;
    CHECK_OK(checkpoint_write(run->folder, &run->model, &run->state, &progress, NULL, &err), err);
    char *bytes = read_file(run, &size);
    for (size_t i = 0; i < size; ++i) {
        bytes[i] ^= (char)(1 << i % 8);
        CHECK_EQ(read_bytes(run, bytes, size, &err), CAROM_BAD_INPUT);
        bytes[i] ^= (char)(1 << i % 8);
        CHECK_EQ(read_bytes(run, bytes, i, &err), CAROM_BAD_INPUT);
    }
    CHECK_OK(read_bytes(run, bytes, size, &err), err);
    free(bytes);
    fake_run_finish(run);
}

TEST(checkpoint, belongs_to_its_model)
{
    fake_run *run = start();
    carom_error err = { 0 };
    run_progress progress = some_progress();
    CHECK_OK(checkpoint_write(run->folder, &run->model, &run->state, &progress, NULL, &err), err);
    run->model.hash ^= 1;
    CHECK_EQ(checkpoint_read(run->folder, &run->model, &run->state, &progress, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "another model");
    run->model.hash ^= 1;
    run->state.size -= 1;
    CHECK_EQ(checkpoint_read(run->folder, &run->model, &run->state, &progress, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "another model");
    fake_run_finish(run);
}

TEST(checkpoint, says_when_there_is_none)
{
    fake_run *run = start();
    carom_error err = { 0 };
    run_progress progress = some_progress();
    CHECK_EQ(checkpoint_read(run->folder, &run->model, &run->state, &progress, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "no checkpoint");
    CHECK_EQ(checkpoint_write("/nonexistent/folder", &run->model, &run->state, &progress, NULL, &err),
             CAROM_IO_FAILED);
    CHECK_CONTAINS(err.message, "/nonexistent/folder");
    fake_run_finish(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(checkpoint, comes_back_exactly),   RUN_TEST(checkpoint, brings_touching_pairs_back),
        RUN_TEST(checkpoint, brings_findings_back), RUN_TEST(checkpoint, notices_every_changed_byte_and_length),
        RUN_TEST(checkpoint, belongs_to_its_model), RUN_TEST(checkpoint, says_when_there_is_none),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
