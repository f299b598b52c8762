/* result.h5, signals.csv and summary.json: what goes in comes out, whenever it was flushed, also after a failure. */
#include "support/check.h"

#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <carom/result.h>

#include "export/csv.h"
#include "fake_run.h"
#include "files/file.h"
#include "result/result.h"
#include "result/summary.h"

/* Writes frames [begin, end), flushing after every `batch`. */
static void write_frames(result_writer *writer, fake_run *run, long begin, long end, long batch)
{
    carom_error err = { 0 };
    for (long k = begin; k < end; ++k) {
        result_frame frame = fake_frame(run, k);
        CHECK_OK(result_writer_append(writer, &frame, &err), err);
        if ((k + 1) % batch == 0) {
            CHECK_OK(result_writer_flush(writer, &err), err);
        }
    }
}

static void write_run(fake_run *run, long frames, long batch)
{
    carom_error err = { 0 };
    result_writer *writer = NULL;
    CHECK_OK(result_writer_create(&writer, run->folder, &run->model, "{\"carom\": 1}", "carom run x", &err), err);
    write_frames(writer, run, 0, frames, batch);
    CHECK_OK(result_writer_close(writer, &err), err);
}

static const double *column(const carom_result *result, const char *name)
{
    for (size_t i = 0; i < carom_result_signal_count(result); ++i) {
        if (strcmp(carom_result_signal_name(result, i), name) == 0) {
            return carom_result_signal(result, i);
        }
    }
    print_error("no column %s\n", name);
    CHECK(false);
    return NULL;
}

static void check_columns(const carom_result *result, long frames)
{
    static const struct {
        const char *name;
        double value;
    } known[] = {
        { "rod.position.x", 108 }, /* the recorded one wins over the derived one */
        { "rod.position.y", 21 },         { "rod.velocity.z", 29 },
        { "rod.angular_velocity.x", 30 }, { "hinge.angle", 100 },
        { "slide.travel.rate", 121 },     { "slide.force.y", 123 },
        { "hinge.torque.z", 107 },        { "x,\"y\".force", 128 },
        { "energy.kinetic", 200 },        { "angular_momentum.residue.z", 201 },
    };
    CHECK_EQ(carom_result_frame_count(result), frames);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        const double *values = column(result, known[i].name);
        for (long k = 0; k < frames; ++k) {
            CHECK_NEAR(values[k], known[i].value + 1000.0 * (double)k, 0.0);
        }
    }
    for (long k = 0; k < frames; ++k) {
        CHECK_NEAR(carom_result_time(result)[k], 0.1 * (double)k, 0.0);
        CHECK_NEAR(column(result, "solver.steps")[k], 7.0 * (double)k, 0.0);
        CHECK_NEAR(column(result, "rod.orientation.w")[k], k % 2 == 0 ? 0.6 : -0.6, 0.0);
        CHECK_NEAR(column(result, "a/b,\"c\"\n\xc3\xa9.orientation.z")[k], k % 2 == 0 ? 0.8 : -0.8, 0.0);
    }
}

static void check_result(const fake_run *run, long frames)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    CHECK_OK(carom_result_open(run->folder, &result, &err), err);
    check_columns(result, frames);
    CHECK_TEXT(carom_result_scene(result), "{\"carom\": 1}");
    carom_result_close(result);
}

TEST(result, comes_back_as_written)
{
    const long frames[] = { 0, 1, 2, 511, 512, 513, 1500 };
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; ++i) {
        fake_run *run = fake_run_start();
        write_run(run, frames[i], 200);
        check_result(run, frames[i]);
        fake_run_finish(run);
    }
}

static char *file_text(const fake_run *run, const char *name, size_t *size)
{
    char path[256];
    char *text = NULL;
    carom_error err = { 0 };
    fake_path(run, name, path);
    CHECK_OK(file_read_whole(path, 1 << 30, &text, size, &err), err);
    return text;
}

TEST(result, has_the_same_bytes_however_it_was_flushed)
{
    fake_run *run = fake_run_start();
    size_t size[2];
    write_run(run, 1300, 100000);
    char *at_once = file_text(run, "result.h5", &size[0]);
    write_run(run, 1300, 7);
    char *in_pieces = file_text(run, "result.h5", &size[1]);
    CHECK_EQ(size[1], size[0]);
    CHECK(memcmp(at_once, in_pieces, size[0]) == 0);
    free(at_once);
    free(in_pieces);
    fake_run_finish(run);
}

TEST(result, is_readable_between_flushes)
{
    fake_run *run = fake_run_start();
    carom_error err = { 0 };
    result_writer *writer = NULL;
    CHECK_OK(result_writer_create(&writer, run->folder, &run->model, "{\"carom\": 1}", NULL, &err), err);
    check_result(run, 0);
    for (long k = 0; k < 10; ++k) {
        write_frames(writer, run, 100 * k, 100 * (k + 1), 100);
        check_result(run, 100 * (k + 1));
    }
    CHECK_OK(result_writer_close(writer, &err), err);
    check_result(run, 1000);
    fake_run_finish(run);
}

TEST(result, goes_on_after_a_cut)
{
    const long cuts[] = { 0, 3, 512, 700 };
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i) {
        fake_run *run = fake_run_start();
        carom_error err = { 0 };
        result_writer *writer = NULL;
        write_run(run, 700, 90);
        CHECK_OK(result_writer_reopen(&writer, run->folder, &run->model, cuts[i], 0, &err), err);
        check_result(run, cuts[i]);
        write_frames(writer, run, cuts[i], 1100, 130);
        CHECK_OK(result_writer_close(writer, &err), err);
        check_result(run, 1100);
        fake_run_finish(run);
    }
}

TEST(result, is_not_continued_when_it_does_not_fit)
{
    fake_run *run = fake_run_start();
    carom_error err = { 0 };
    result_writer *writer = NULL;
    write_run(run, 10, 5);
    CHECK_EQ(result_writer_reopen(&writer, run->folder, &run->model, 11, 0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "10 frames");
    run->model.signal_count = 1;
    CHECK_EQ(result_writer_reopen(&writer, run->folder, &run->model, 5, 0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "signals/value");
    run->model.signal_count = FAKE_SIGNALS;
    check_result(run, 10);
    fake_run_finish(run);
}

TEST(result, holds_its_folder)
{
    fake_run *run = fake_run_start();
    carom_error err = { 0 };
    result_writer *first = NULL;
    result_writer *second = NULL;
    CHECK_OK(result_writer_create(&first, run->folder, &run->model, "{\"carom\": 1}", NULL, &err), err);
    write_frames(first, run, 0, 10, 5);
    CHECK_EQ(result_writer_create(&second, run->folder, &run->model, NULL, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "is in use by another run");
    CHECK_CONTAINS(err.message, run->folder);
    CHECK_EQ(result_writer_reopen(&second, run->folder, &run->model, 5, 0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "is in use by another run");
    write_frames(first, run, 10, 20, 5);
    CHECK_OK(result_writer_close(first, &err), err);
    check_result(run, 20);
    CHECK_OK(result_writer_reopen(&second, run->folder, &run->model, 5, 0, &err), err);
    CHECK_OK(result_writer_close(second, &err), err);
    fake_run_finish(run);
}

TEST(result, going_on_drops_the_old_summary)
{
    fake_run *run = fake_run_start();
    carom_error err = { 0 };
    result_writer *writer = NULL;
    char path[256];
    fake_path(run, "summary.json", path);
    write_run(run, 10, 5);
    CHECK_OK(file_write_whole(run->folder, "summary.json", "{}", 2, &err), err);
    CHECK_EQ(result_writer_reopen(&writer, run->folder, &run->model, 11, 0, &err), CAROM_BAD_INPUT);
    CHECK(file_exists(path)); /* nothing has changed */
    CHECK_OK(result_writer_reopen(&writer, run->folder, &run->model, 10, 0, &err), err);
    CHECK(!file_exists(path));
    CHECK_OK(result_writer_close(writer, &err), err);
    fake_path(run, "result.h5", path);
    unlink(path);
    CHECK_EQ(result_writer_reopen(&writer, run->folder, &run->model, 0, 0, &err), CAROM_BAD_INPUT);
    fake_run_finish(run);
}

static void wait_us(long us)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000 * us }, NULL);
}

/* The writer is killed at many moments; what it leaves must open and hold a true beginning of the run. */
TEST(result, survives_kill_at_any_moment)
{
    for (int round = 0; round < 25; ++round) {
        fake_run *run = fake_run_start();
        pid_t child = fork();
        if (child == 0) {
            carom_error err = { 0 };
            result_writer *writer = NULL;
            result_writer_create(&writer, run->folder, &run->model, "{\"carom\": 1}", NULL, &err);
            for (long k = 0;; ++k) {
                result_frame frame = fake_frame(run, k);
                if (result_writer_append(writer, &frame, &err) != CAROM_OK ||
                    (k % 5 == 0 && result_writer_flush(writer, &err) != CAROM_OK)) {
                    _exit(1);
                }
            }
        }
        char path[256];
        fake_path(run, "result.h5", path);
        while (!file_exists(path)) {
            wait_us(100);
        }
        wait_us(3000 + 1371 * round);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        carom_error err = { 0 };
        carom_result *result = NULL;
        CHECK_OK(carom_result_open(run->folder, &result, &err), err);
        check_columns(result, (long)carom_result_frame_count(result));
        long kept = (long)carom_result_frame_count(result);
        carom_result_close(result);
        result_writer *writer = NULL;
        CHECK_OK(result_writer_reopen(&writer, run->folder, &run->model, kept / 2, 0, &err), err);
        write_frames(writer, run, kept / 2, kept + 20, 50);
        CHECK_OK(result_writer_close(writer, &err), err);
        check_result(run, kept + 20);
        fake_run_finish(run);
    }
}

/* A disk that is full: here a limit on file size, which the same calls report. */
TEST(result, keeps_what_was_flushed_when_the_disk_is_full)
{
    fake_run *run = fake_run_start();
    pid_t child = fork();
    if (child == 0) {
        carom_error err = { 0 };
        result_writer *writer = NULL;
        const struct rlimit limit = { 2 << 20, 2 << 20 };
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        carom_status status = result_writer_create(&writer, run->folder, &run->model, "{\"carom\": 1}", NULL, &err);
        for (long k = 0; status == CAROM_OK && k < 100000; ++k) {
            result_frame frame = fake_frame(run, k);
            status = result_writer_append(writer, &frame, &err);
            if (status == CAROM_OK && k % 100 == 99) {
                status = result_writer_flush(writer, &err);
            }
        }
        bool told = status == CAROM_IO_FAILED && strstr(err.message, "File too large");
        bool closes = result_writer_close(writer, &err) == CAROM_IO_FAILED;
        _exit(told && closes ? 0 : 1);
    }
    int answer = -1;
    waitpid(child, &answer, 0);
    CHECK(WIFEXITED(answer) && WEXITSTATUS(answer) == 0);
    carom_error err = { 0 };
    carom_result *result = NULL;
    CHECK_OK(carom_result_open(run->folder, &result, &err), err);
    CHECK_GE((double)carom_result_frame_count(result), 100.0);
    check_columns(result, (long)carom_result_frame_count(result));
    carom_result_close(result);
    fake_run_finish(run);
}

TEST(result, refuses_folders_it_cannot_make)
{
    fake_run *run = fake_run_start();
    carom_error err = { 0 };
    result_writer *writer = NULL;
    CHECK_EQ(result_writer_create(&writer, "/dev/null/x", &run->model, NULL, NULL, &err), CAROM_IO_FAILED);
    CHECK_CONTAINS(err.message, "/dev/null");
    CHECK_EQ(result_writer_create(&writer, "", &run->model, NULL, NULL, &err), CAROM_BAD_INPUT);
    fake_run_finish(run);
}

static carom_status open_bytes(const fake_run *run, const char *bytes, size_t size, carom_error *err)
{
    carom_result *result = NULL;
    CHECK_OK(file_write_whole(run->folder, "result.h5", bytes, size, err), *err);
    carom_status status = carom_result_open(run->folder, &result, err);
    for (size_t i = 0; status == CAROM_OK && i < carom_result_signal_count(result); ++i) {
        (void)carom_result_signal(result, i); /* NULL when it cannot be read */
    }
    if (status == CAROM_OK) {
        carom_result_close(result);
    }
    return status;
}

TEST(result, refuses_what_is_no_result)
{
    fake_run *run = fake_run_start();
    carom_error err = { 0 };
    carom_result *result = NULL;
    size_t size = 0;
    CHECK_EQ(carom_result_open(run->folder, &result, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "no result.h5");
    CHECK_EQ(carom_result_open("/nonexistent.h5", &result, &err), CAROM_BAD_INPUT);
    CHECK_EQ(open_bytes(run, "", 0, &err), CAROM_BAD_INPUT);
    CHECK_EQ(open_bytes(run, "{}", 2, &err), CAROM_BAD_INPUT);
    write_run(run, 20, 5);
    char *bytes = file_text(run, "result.h5", &size);
    for (size_t length = 0; length < size; length += 997) {
        CHECK_EQ(open_bytes(run, bytes, length, &err), CAROM_BAD_INPUT);
    }
    free(bytes);
    fake_run_finish(run);
}

TEST(csv, quotes_names_and_keeps_every_digit)
{
    fake_run *run = fake_run_start();
    carom_error err = { 0 };
    size_t size = 0;
    write_run(run, 2, 5);
    CHECK_OK(csv_write_recorded(run->folder, &err), err);
    char *text = file_text(run, "signals.csv", &size);
    CHECK_TEXT(text, "time [s],rod.position.x [m],\"x,\"\"y\"\".force [N]\"\n"
                     "0,108,128\n0.10000000000000001,1108,1128\n");
    free(text);

    carom_result *result = NULL;
    char path[256];
    const char *const names[] = { "hinge.angle", "rod.orientation.w" };
    const char *const wrong[] = { "hinge.angel" };
    fake_path(run, "out.csv", path);
    CHECK_OK(carom_result_open(run->folder, &result, &err), err);
    CHECK_OK(carom_result_export_csv(result, path, names, 2, &err), err);
    text = file_text(run, "out.csv", &size);
    CHECK_TEXT(text,
               "time [s],hinge.angle "
               "[rad],rod.orientation.w\n0,100,0.59999999999999998\n0.10000000000000001,1100,-0.59999999999999998\n");
    free(text);
    CHECK_EQ(carom_result_export_csv(result, path, wrong, 1, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "did you mean 'hinge.angle'?");
    carom_result_close(result);
    fake_run_finish(run);
}

TEST(summary, is_json_with_every_key)
{
    fake_run *run = fake_run_start();
    carom_error err = { 0 };
    size_t size = 0;
    (void)fake_frame(run, 0);
    run->bodies[1].name = "not utf-8: \xff";
    result_summary summary = { .status = "done",
                               .t = 0.1,
                               .steps = 5,
                               .distance_min = (double)NAN,
                               .penetration_max = 2e-6,
                               .contacts_max = 7,
                               .phases = { [PHASE_DETECTION] = 0.5 },
                               .pose = run->pose,
                               .rate = run->rate,
                               .energy_error_max = 1.0 / 3.0 };
    summary.phases[PHASE_SOLVE] = (double)INFINITY;
    char *words = summary_words(&run->model, &summary);
    CHECK(words != NULL);
    CHECK_OK(file_write_whole(run->folder, "summary.json", words, strlen(words), &err), err);
    free(words);
    char *text = file_text(run, "summary.json", &size);
    json_t *root = json_loads(text, 0, NULL);
    CHECK(json_is_object(root));
    const char *const keys[] = { "status",
                                 "method",
                                 "time",
                                 "steps",
                                 "wall_s",
                                 "phases",
                                 "energy",
                                 "momentum",
                                 "penetration_max",
                                 "distance_min",
                                 "constraint_error_max",
                                 "contacts_max",
                                 "impacts",
                                 "assembly",
                                 "bodies",
                                 "name",
                                 "carom" };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        CHECK(json_object_get(root, keys[i]) != NULL);
    }
    CHECK(json_is_null(json_object_get(root, "distance_min")));
    CHECK(json_real_value(json_object_get(root, "penetration_max")) == 2e-6);
    CHECK_EQ(json_integer_value(json_object_get(root, "contacts_max")), 7);
    CHECK_NEAR(json_real_value(json_object_get(json_object_get(root, "phases"), "detection")), 0.5, 0.0);
    CHECK(json_is_null(json_object_get(json_object_get(root, "phases"), "solve")));
    double error = json_real_value(json_object_get(json_object_get(root, "energy"), "worst_balance_error"));
    CHECK_NEAR(error, 1.0 / 3.0, 0.0);
    CHECK_EQ(json_object_size(json_object_get(root, "bodies")), 2);
    json_decref(root);
    free(text);
    fake_run_finish(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(result, comes_back_as_written),
        RUN_TEST(result, has_the_same_bytes_however_it_was_flushed),
        RUN_TEST(result, is_readable_between_flushes),
        RUN_TEST(result, goes_on_after_a_cut),
        RUN_TEST(result, is_not_continued_when_it_does_not_fit),
        RUN_TEST(result, holds_its_folder),
        RUN_TEST(result, going_on_drops_the_old_summary),
        RUN_TEST(result, survives_kill_at_any_moment),
        RUN_TEST(result, keeps_what_was_flushed_when_the_disk_is_full),
        RUN_TEST(result, refuses_folders_it_cannot_make),
        RUN_TEST(result, refuses_what_is_no_result),
        RUN_TEST(csv, quotes_names_and_keeps_every_digit),
        RUN_TEST(summary, is_json_with_every_key),
    };
    return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}
