/* Studies called as they should not be. */
#include "interface.h"

#include <stdlib.h>

static const char scene_text[] =
    "{\"carom\": 1, \"time\": {\"end\": 0.01}, \"variables\": {\"v\": 1},"
    " \"bodies\": [{\"name\": \"ball\", \"mass\": 1, \"inertia\": [1, 1, 1], \"velocity\": [\"$v\", 0, 0]}]}";
static const char study_text[] =
    "{\"carom-study\": 1, \"scene\": \"of_study.json\", \"sampling\": {\"random\": 3},"
    " \"vary\": {\"variables.v\": {\"uniform\": [1, 2]}}, \"measures\": {\"x\": {\"final\": \"ball.position.x\"}},"
    " \"keep\": {\"measure\": \"x\", \"worst\": 1}}";

static void write_text(const char *file, const char *text)
{
    FILE *f = fopen(file, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static carom_study *some_study(void)
{
    carom_study *study = NULL;
    carom_error err = { 0 };
    write_text("of_study.json", scene_text);
    write_text("study.json", study_text);
    CHECK_OK(carom_study_open("study.json", 0, &study, &err), err);
    return study;
}

static void open_study(void)
{
    carom_study *study = NULL;
    carom_study_destroy(some_study());
    REFUSES(carom_study_open, NULL, 0, &study);
    REFUSES(carom_study_open, "study.json", 0, NULL);
    FAILS(carom_study_open, "/no/such/study.json", 0, &study);
    FAILS(carom_study_open, "of_study.json", 0, &study);
    FAILS(carom_study_open, ".", 0, &study);
    FAILS(carom_study_open, "study.json", SIZE_MAX, &study);
    CHECK(study == NULL);
}

static void destroy_study(void)
{
    carom_study_destroy(NULL);
    carom_study_destroy(some_study());
}

static void study_counts(void)
{
    carom_study *study = some_study();
    CHECK_EQ(carom_study_run_count(NULL) + carom_study_variable_count(NULL) + carom_study_measure_count(NULL), 0);
    CHECK_EQ(carom_study_run_count(study), 3);
    CHECK(carom_study_name(NULL) == NULL && carom_study_name(study) != NULL);
    CHECK(!carom_study_needs(NULL, 0) && carom_study_needs(study, 2) && !carom_study_needs(study, 3));
    carom_study_destroy(study);
}

static void study_texts(void)
{
    carom_study *study = some_study();
    CHECK(carom_study_variable(NULL, 0) == NULL && carom_study_variable(study, 1) == NULL);
    CHECK(carom_study_measure(NULL, 0) == NULL && carom_study_measure(study, SIZE_MAX) == NULL);
    CHECK(carom_study_unit(NULL, 0) == NULL && carom_study_unit(study, 7) == NULL);
    CHECK_TEXT(carom_study_unit(study, 0), "m");
    CHECK(carom_study_sampling(NULL) == NULL && carom_study_sampling(study) != NULL);
    carom_study_destroy(study);
}

static void row_status_name(void)
{
    CHECK_TEXT(carom_row_status_name((carom_row_status)99), "");
    CHECK_TEXT(carom_row_status_name(CAROM_ROW_DONE), "done");
}

static void evaluate_run(void)
{
    carom_study *study = some_study();
    carom_row *row = NULL;
    carom_error err = { 0 };
    REFUSES(carom_study_evaluate, NULL, 0, &row);
    REFUSES(carom_study_evaluate, study, 3, &row);
    REFUSES(carom_study_evaluate, study, SIZE_MAX, &row);
    REFUSES(carom_study_evaluate, study, 0, NULL);
    CHECK_OK(carom_study_evaluate(study, 1, &row, &err), err);
    CHECK_EQ(row->status, CAROM_ROW_DONE);
    CHECK_NEAR(row->values[0], 0.01 * row->inputs[0], 1e-12);
    carom_row_destroy(row);
    carom_row_destroy(NULL);
    carom_study_destroy(study);
}

static void sweep_study(void)
{
    carom_study *study = some_study();
    carom_error err = { 0 };
    char fresh[] = "swept-XXXXXX"; /* a folder of an earlier version would be refused, rightly */
    CHECK(mkdtemp(fresh) != NULL);
    const carom_sweep_options good = { .folder = fresh, .workers = 2 };
    const carom_sweep_options bad[] = { { 0 },
                                        { .folder = "" },
                                        { .folder = "swept", .workers = -1 },
                                        { .folder = "swept", .workers = 100000 },
                                        { .folder = "swept", .part = 3, .parts = 2 },
                                        { .folder = "swept", .part = 0, .parts = 2 },
                                        { .folder = "swept", .parts = -1 } };
    REFUSES(carom_study_sweep, NULL, &good);
    REFUSES(carom_study_sweep, study, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        REFUSES(carom_study_sweep, study, &bad[i]);
    }
    CHECK(carom_study_row(study, 0) == NULL);
    CHECK_OK(carom_study_sweep(study, &good, &err), err);
    CHECK(carom_study_row(study, 2) != NULL && carom_study_row(study, 3) == NULL && carom_study_row(NULL, 0) == NULL);
    carom_study_destroy(study);
}

/* Runs in the hands of the caller: rows go as bytes from one study to another, each run is taken once. */
static void sweep_by_hand(void)
{
    carom_study *study = some_study();
    carom_study *other = some_study();
    carom_sweep *sweep = NULL;
    carom_row *row = NULL;
    carom_error err = { 0 };
    char *bytes = NULL;
    size_t size = 0, run = 0;
    char fresh[] = "swept-XXXXXX";
    CHECK(mkdtemp(fresh) != NULL);
    const carom_sweep_options good = { .folder = fresh };
    const carom_sweep_options bad = { .folder = fresh, .part = 3, .parts = 2 };
    REFUSES(carom_sweep_open, NULL, &good, &sweep);
    REFUSES(carom_sweep_open, study, NULL, &sweep);
    REFUSES(carom_sweep_open, study, &bad, &sweep);
    REFUSES(carom_sweep_open, study, &good, NULL);
    CHECK(!carom_sweep_take(NULL, &run));
    CHECK_EQ(carom_sweep_progress_of(NULL).runs, 0);
    CHECK_OK(carom_sweep_close(NULL, &err), err);
    CHECK_OK(carom_sweep_open(study, &good, &sweep, &err), err);
    REFUSES(carom_sweep_add, NULL, NULL);
    REFUSES(carom_sweep_add, sweep, NULL);
    CHECK(!carom_sweep_take(sweep, NULL));
    for (size_t i = 0; i < 3; ++i) {
        CHECK(carom_sweep_take(sweep, &run));
        CHECK_EQ(run, i);
        CHECK_OK(carom_study_evaluate(other, run, &row, &err), err);
        REFUSES(carom_row_pack, NULL, row, &bytes, &size);
        REFUSES(carom_row_pack, other, NULL, &bytes, &size);
        REFUSES(carom_row_pack, other, row, NULL, &size);
        REFUSES(carom_row_pack, other, row, &bytes, NULL);
        CHECK_OK(carom_row_pack(other, row, &bytes, &size, &err), err);
        double value = row->values[0];
        long steps = row->steps;
        carom_row_destroy(row);
        REFUSES(carom_row_unpack, NULL, bytes, size, &row);
        REFUSES(carom_row_unpack, study, NULL, size, &row);
        REFUSES(carom_row_unpack, study, bytes, size, NULL);
        for (size_t cut = 0; cut < size; ++cut) {
            REFUSES(carom_row_unpack, study, bytes, cut, &row);
        }
        CHECK_OK(carom_row_unpack(study, bytes, size, &row, &err), err);
        carom_text_destroy(bytes);
        CHECK_NEAR(row->values[0], value, 0.0);
        CHECK_EQ(row->steps, steps);
        CHECK_OK(carom_sweep_add(sweep, row, &err), err);
        CHECK_EQ(carom_sweep_progress_of(sweep).rows[CAROM_ROW_DONE], i + 1);
    }
    CHECK(!carom_sweep_take(sweep, &run));
    CHECK_OK(carom_sweep_close(sweep, &err), err);
    CHECK(carom_study_row(study, 2) != NULL);
    carom_study_destroy(study);
    carom_study_destroy(other);
}

static void load_rows(void)
{
    carom_study *study = some_study();
    char fresh[] = "swept-XXXXXX";
    CHECK(mkdtemp(fresh) != NULL);
    const carom_sweep_options good = { .folder = fresh };
    carom_error err = { 0 };
    CHECK_OK(carom_study_sweep(study, &good, &err), err);
    REFUSES(carom_study_load, NULL, fresh);
    REFUSES(carom_study_load, study, NULL);
    CHECK(carom_study_load(study, "no/such/folder", &err) == CAROM_IO_FAILED);
    CHECK(carom_study_row(study, 0) == NULL);
    CHECK_OK(carom_study_load(study, fresh, &err), err);
    CHECK(carom_study_row(study, 2) != NULL);
    carom_study_destroy(study);
}

static void write_page(void)
{
    carom_study *study = some_study();
    char fresh[] = "swept-XXXXXX";
    CHECK(mkdtemp(fresh) != NULL);
    const carom_sweep_options good = { .folder = fresh };
    carom_error err = { 0 };
    REFUSES(carom_study_page, NULL, fresh);
    REFUSES(carom_study_page, study, NULL);
    CHECK_OK(carom_study_sweep(study, &good, &err), err);
    REFUSES(carom_study_page, study, "no/such/folder");
    CHECK_OK(carom_study_page(study, fresh, &err), err);
    carom_study_destroy(study);
}

static void note_crash(void)
{
    carom_study *study = some_study();
    char fresh[] = "swept-XXXXXX";
    CHECK(mkdtemp(fresh) != NULL);
    const carom_sweep_options good = { .folder = fresh };
    REFUSES(carom_study_note_crash, NULL, &good, 0, "");
    REFUSES(carom_study_note_crash, study, NULL, 0, "");
    REFUSES(carom_study_note_crash, study, &good, 3, "");
    REFUSES(carom_study_note_crash, study, &good, 0, NULL);
    carom_study_destroy(study);
}

static void study_summary(void)
{
    carom_study *study = some_study();
    char *text = carom_study_summary(study); /* of a study without rows */
    CHECK(carom_study_summary(NULL) == NULL && text != NULL);
    CHECK_CONTAINS(text, "3 missing");
    carom_text_destroy(text);
    carom_study_destroy(study);
}

static void study_kept(void)
{
    carom_study *study = some_study();
    size_t runs[1] = { 7 };
    CHECK_EQ(carom_study_kept(NULL, runs, 1), 0);
    CHECK_EQ(carom_study_kept(study, NULL, 5), 0);
    CHECK_EQ(runs[0], 7);
    carom_study_destroy(study);
}

static void study_scene(void)
{
    carom_study *study = some_study();
    CHECK(carom_study_scene(NULL, NULL, NULL) == NULL);
    CHECK_TEXT(carom_study_scene(study, NULL, NULL), scene_text);
    carom_study_destroy(study);
}

static void study_changes(void)
{
    carom_study *study = some_study();
    const char *const *changes = NULL;
    size_t count = 0;
    REFUSES(carom_study_changes, NULL, 0, &changes, &count);
    REFUSES(carom_study_changes, study, 3, &changes, &count);
    REFUSES(carom_study_changes, study, 0, NULL, &count);
    REFUSES(carom_study_changes, study, 0, &changes, NULL);
    carom_study_destroy(study);
}

const interface_case interface_studies[] = {
    { "carom_study_open", open_study },
    { "carom_study_destroy", destroy_study },
    { "carom_study_name", study_counts },
    { "carom_study_run_count", study_counts },
    { "carom_study_variable_count", study_counts },
    { "carom_study_measure_count", study_counts },
    { "carom_study_variable", study_texts },
    { "carom_study_measure", study_texts },
    { "carom_study_unit", study_texts },
    { "carom_row_status_name", row_status_name },
    { "carom_study_evaluate", evaluate_run },
    { "carom_row_destroy", evaluate_run },
    { "carom_study_sweep", sweep_study },
    { "carom_sweep_open", sweep_by_hand },
    { "carom_sweep_take", sweep_by_hand },
    { "carom_sweep_add", sweep_by_hand },
    { "carom_sweep_progress_of", sweep_by_hand },
    { "carom_sweep_close", sweep_by_hand },
    { "carom_row_pack", sweep_by_hand },
    { "carom_row_unpack", sweep_by_hand },
    { "carom_study_note_crash", note_crash },
    { "carom_study_row", sweep_study },
    { "carom_study_summary", study_summary },
    { "carom_study_sampling", study_texts },
    { "carom_study_needs", study_counts },
    { "carom_study_load", load_rows },
    { "carom_study_page", write_page },
    { "carom_study_kept", study_kept },
    { "carom_study_scene", study_scene },
    { "carom_study_changes", study_changes },
    { NULL, NULL },
};
