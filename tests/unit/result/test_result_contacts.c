/* Contact points in result.h5: as many per frame as came, whenever they were flushed, cut or killed. */
#include "support/check.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include <carom/result.h>

#include "fake_run.h"
#include "files/file.h"
#include "dynamics/contact.h"
#include "model/method.h"
#include "result/result.h"
#include "result/result_h5.h"

enum { LARGEST = 3000 };

static const contact_forces contact = { 0 }; /* declared, never called */
static const carom_method touching = { .kind = { .name = "touching" }, .forces = &contact };
static const carom_method untouching = { .kind = { .name = "none" } };

typedef struct contact_run {
    fake_run fake;
    carom_contact_point contacts[LARGEST];
} contact_run;

static contact_run *start(void)
{
    contact_run *run = malloc(sizeof *run);
    CHECK(run != NULL);
    fake_run_init(&run->fake);
    run->fake.model.method = &touching;
    CHECK(mkdtemp(run->fake.folder) != NULL);
    return run;
}

static void finish(contact_run *run)
{
    fake_run_clean(&run->fake);
    CHECK(!file_exists(run->fake.folder)); /* nothing hidden stays behind */
    free(run);
}

/* None, a few, and now and then more than several chunks hold. */
static int count_of(long frame)
{
    return frame % 97 == 5 ? LARGEST : (int)((7 * frame) % 11);
}

static v3 known_vector(double at)
{
    return (v3){ at, -at, at + 0.25 };
}

/* Every number of a point is different and known from its frame and its place there. */
static carom_contact_point known_point(long frame, int i)
{
    double at = 1e4 * (double)frame + i;
    return (carom_contact_point){ .body = { i % FAKE_BODIES, (i + 1) % FAKE_BODIES },
                                  .gap = -1e-9 * at,
                                  .position = known_vector(at),
                                  .normal = known_vector(at + 0.1),
                                  .force = known_vector(at + 0.2),
                                  .slip = known_vector(at + 0.3) };
}

static result_frame known_frame(contact_run *run, long k)
{
    result_frame frame = fake_frame(&run->fake, k);
    frame.contact_count = count_of(k);
    frame.contacts = run->contacts;
    for (int i = 0; i < frame.contact_count; ++i) {
        run->contacts[i] = known_point(k, i);
    }
    return frame;
}

static void write_frames(result_writer *writer, contact_run *run, long begin, long end, long batch)
{
    carom_error err = { 0 };
    for (long k = begin; k < end; ++k) {
        result_frame frame = known_frame(run, k);
        CHECK_OK(result_writer_append(writer, &frame, &err), err);
        if ((k + 1) % batch == 0) {
            CHECK_OK(result_writer_flush(writer, &err), err);
        }
    }
}

static void write_run(contact_run *run, long frames, long batch)
{
    carom_error err = { 0 };
    result_writer *writer = NULL;
    CHECK_OK(result_writer_create(&writer, run->fake.folder, &run->fake.model, "{}", NULL, &err), err);
    write_frames(writer, run, 0, frames, batch);
    CHECK_OK(result_writer_close(writer, &err), err);
}

static bool is_vector(carom_v3 a, v3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_point(const carom_contact_point *found, const carom_contact_point *put)
{
    return found->body[0] == put->body[0] && found->body[1] == put->body[1] && found->gap == put->gap &&
           is_vector(found->position, put->position) && is_vector(found->normal, put->normal) &&
           is_vector(found->force, put->force) && is_vector(found->slip, put->slip);
}

static void check_frame(const carom_result *result, long k)
{
    carom_error err = { 0 };
    const carom_contact_point *points = NULL;
    CHECK_EQ(carom_result_contact_count(result, (size_t)k), count_of(k));
    CHECK_OK(carom_result_contacts(result, (size_t)k, &points, &err), err);
    for (int i = 0; i < count_of(k); ++i) {
        carom_contact_point put = known_point(k, i);
        if (!is_point(&points[i], &put)) {
            print_error("point %d of frame %ld: gap %.17g, expected %.17g\n", i, k, points[i].gap, put.gap);
            CHECK(false);
        }
    }
}

static void check_result(const contact_run *run, long frames)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    CHECK_OK(carom_result_open(run->fake.folder, &result, &err), err);
    CHECK(carom_result_has_contacts(result));
    CHECK_EQ(carom_result_frame_count(result), frames);
    for (long k = 0; k < frames; ++k) {
        check_frame(result, k);
    }
    for (long k = frames - 1; k >= 0; k -= 37) { /* also backwards */
        check_frame(result, k);
    }
    carom_result_close(result);
}

TEST(contacts, come_back_as_written)
{
    const long frames[] = { 0, 1, 2, 6, 511, 512, 513, 1100 };
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; ++i) {
        contact_run *run = start();
        write_run(run, frames[i], 130);
        check_result(run, frames[i]);
        finish(run);
    }
}

TEST(contacts, name_their_bodies)
{
    contact_run *run = start();
    carom_error err = { 0 };
    carom_result *result = NULL;
    write_run(run, 20, 7);
    CHECK_OK(carom_result_open(run->fake.folder, &result, &err), err);
    CHECK_EQ(carom_result_body_count(result), FAKE_BODIES);
    CHECK_TEXT(carom_result_body_name(result, CAROM_GROUND), "ground");
    CHECK_TEXT(carom_result_body_name(result, 1), "rod");
    CHECK(carom_result_body_name(result, FAKE_BODIES) == NULL && carom_result_body_name(result, CAROM_NONE) == NULL);
    const carom_contact_point *points = NULL;
    CHECK_EQ(carom_result_contact_count(result, 20), 0); /* beyond the last frame */
    CHECK_EQ(carom_result_contacts(result, 20, &points, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "20 frames: no frame 20");
    size_t last = carom_result_signal_count(result) - 1;
    CHECK_TEXT(carom_result_signal_name(result, last), "contacts.count");
    CHECK_NEAR(carom_result_signal(result, last)[6], count_of(6), 0.0);
    carom_result_close(result);
    finish(run);
}

static char *result_bytes(const contact_run *run, size_t *size)
{
    char path[256];
    char *bytes = NULL;
    carom_error err = { 0 };
    fake_path(&run->fake, "result.h5", path);
    CHECK_OK(file_read_whole(path, 1 << 30, &bytes, size, &err), err);
    return bytes;
}

TEST(contacts, have_the_same_bytes_however_they_were_flushed)
{
    contact_run *run = start();
    const long batches[] = { 7, 1, 256, 513 };
    size_t size = 0;
    write_run(run, 1300, 100000);
    char *at_once = result_bytes(run, &size);
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; ++i) {
        size_t other = 0;
        write_run(run, 1300, batches[i]);
        char *in_pieces = result_bytes(run, &other);
        CHECK_EQ(other, size);
        CHECK(memcmp(at_once, in_pieces, size) == 0);
        free(in_pieces);
    }
    free(at_once);
    finish(run);
}

static void read_group_size(const contact_run *run, const char *path, hsize_t *rows)
{
    char file_name[256];
    hsize_t dims[3] = { 0, 1, 1 };
    fake_path(&run->fake, "result.h5", file_name);
    hid_t file = h5_open_file(file_name);
    hid_t set = h5_open_dataset(file, path);
    CHECK(h5_dims(set, dims) >= 1);
    H5Dclose(set);
    H5Fclose(file);
    *rows = dims[0];
}

/* The tables are cut together with the frames, and what follows is what an uninterrupted run would have written. */
TEST(contacts, go_on_after_a_cut)
{
    const long cuts[] = { 0, 1, 5, 6, 512, 700 };
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i) {
        contact_run *run = start();
        carom_error err = { 0 };
        result_writer *writer = NULL;
        hsize_t rows = 0;
        long expected = 0;
        for (long k = 0; k < cuts[i]; ++k) {
            expected += count_of(k);
        }
        write_run(run, 700, 90);
        CHECK_OK(result_writer_reopen(&writer, run->fake.folder, &run->fake.model, cuts[i], 0, &err), err);
        read_group_size(run, "contacts/gap", &rows);
        CHECK_EQ(rows, expected);
        check_result(run, cuts[i]);
        write_frames(writer, run, cuts[i], 900, 130);
        CHECK_OK(result_writer_close(writer, &err), err);
        check_result(run, 900);
        finish(run);
    }
}

static void wait_us(long us)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000 * us }, NULL);
}

static void write_until_killed(contact_run *run)
{
    carom_error err = { 0 };
    result_writer *writer = NULL;
    result_writer_create(&writer, run->fake.folder, &run->fake.model, "{}", NULL, &err);
    for (long k = 0;; ++k) {
        result_frame frame = known_frame(run, k);
        if (result_writer_append(writer, &frame, &err) != CAROM_OK ||
            (k % 3 == 0 && result_writer_flush(writer, &err) != CAROM_OK)) {
            _exit(1);
        }
    }
}

TEST(contacts, survive_kill_at_any_moment)
{
    for (int round = 0; round < 20; ++round) {
        contact_run *run = start();
        char path[256];
        pid_t child = fork();
        if (child == 0) {
            write_until_killed(run);
        }
        fake_path(&run->fake, "result.h5", path);
        while (!file_exists(path)) {
            wait_us(100);
        }
        wait_us(3000 + 1777 * round);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        carom_error err = { 0 };
        carom_result *result = NULL;
        CHECK_OK(carom_result_open(run->fake.folder, &result, &err), err);
        long kept = (long)carom_result_frame_count(result);
        carom_result_close(result);
        check_result(run, kept);
        result_writer *writer = NULL;
        CHECK_OK(result_writer_reopen(&writer, run->fake.folder, &run->fake.model, kept / 2, 0, &err), err);
        write_frames(writer, run, kept / 2, kept + 20, 50);
        CHECK_OK(result_writer_close(writer, &err), err);
        check_result(run, kept + 20);
        finish(run);
    }
}

/* A result of a method without contacts is what it was before there were any. */
TEST(contacts, leave_no_trace_where_nothing_can_touch)
{
    contact_run *run = start();
    carom_error err = { 0 };
    carom_result *result = NULL;
    char path[256];
    run->fake.model.method = &untouching;
    write_run(run, 10, 3);
    fake_path(&run->fake, "result.h5", path);
    hid_t file = h5_open_file(path);
    CHECK(H5Lexists(file, "contacts", H5P_DEFAULT) == 0);
    H5Fclose(file);
    CHECK_OK(carom_result_open(run->fake.folder, &result, &err), err);
    CHECK(!carom_result_has_contacts(result));
    CHECK_EQ(carom_result_contact_count(result, 5), 0);
    carom_result_close(result);

    run->fake.model.method = &touching; /* other method than the file's: its tables are missing */
    result_writer *writer = NULL;
    CHECK_EQ(result_writer_reopen(&writer, run->fake.folder, &run->fake.model, 5, 0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "contacts/");
    finish(run);
}

/* Overwrites one number of a dataset in result.h5. */
static void spoil(const contact_run *run, const char *path, hsize_t row, double value)
{
    char file_name[256];
    hsize_t one[1] = { 1 };
    fake_path(&run->fake, "result.h5", file_name);
    hid_t file = H5Fopen(file_name, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = h5_open_dataset(file, path);
    hid_t space = H5Dget_space(set);
    hid_t memory = H5Screate_simple(1, one, NULL);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &row, NULL, one, NULL) >= 0);
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

TEST(contacts, refuse_numbers_that_do_not_fit)
{
    static const struct {
        const char *path;
        hsize_t row;
        double value;
        bool opens;
    } wrong[] = {
        { "contacts/count", 3, -1.0, false }, { "contacts/count", 3, 1e18, false },
        { "contacts/count", 29, 1e9, false }, { "contacts/first", 4, 1e12, false },
        { "contacts/first", 0, 1.0, false },  { "contacts/body_a", 2, 77.0, true },
        { "contacts/body_b", 2, -2.0, true },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        contact_run *run = start();
        carom_error err = { 0 };
        carom_result *result = NULL;
        const carom_contact_point *points = NULL;
        write_run(run, 30, 7);
        spoil(run, wrong[i].path, wrong[i].row, wrong[i].value);
        carom_status status = carom_result_open(run->fake.folder, &result, &err);
        CHECK_EQ(status, wrong[i].opens ? CAROM_OK : CAROM_BAD_INPUT);
        if (status == CAROM_OK) {
            CHECK_EQ(carom_result_contacts(result, 1, &points, &err), CAROM_BAD_INPUT);
            carom_result_close(result);
        }
        CHECK_CONTAINS(err.message, "damaged");
        finish(run);
    }
}

/* A million points: chunks, buffers and the reader's window go through many rounds. */
TEST(contacts, may_be_a_million)
{
    contact_run *run = start();
    carom_error err = { 0 };
    result_writer *writer = NULL;
    CHECK_OK(result_writer_create(&writer, run->fake.folder, &run->fake.model, "{}", NULL, &err), err);
    for (long k = 0; k < 340; ++k) {
        result_frame frame = known_frame(run, 97 * k + 5);
        CHECK_OK(result_writer_append(writer, &frame, &err), err);
    }
    CHECK_OK(result_writer_close(writer, &err), err);
    carom_result *result = NULL;
    CHECK_OK(carom_result_open(run->fake.folder, &result, &err), err);
    for (long k = 0; k < 340; ++k) {
        const carom_contact_point *points = NULL;
        CHECK_OK(carom_result_contacts(result, (size_t)k, &points, &err), err);
        CHECK_EQ(carom_result_contact_count(result, (size_t)k), LARGEST);
        for (int i = 0; i < LARGEST; i += 613) {
            carom_contact_point put = known_point(97 * k + 5, i);
            CHECK(is_point(&points[i], &put));
        }
    }
    carom_result_close(result);
    finish(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(contacts, come_back_as_written),
        RUN_TEST(contacts, name_their_bodies),
        RUN_TEST(contacts, have_the_same_bytes_however_they_were_flushed),
        RUN_TEST(contacts, go_on_after_a_cut),
        RUN_TEST(contacts, survive_kill_at_any_moment),
        RUN_TEST(contacts, leave_no_trace_where_nothing_can_touch),
        RUN_TEST(contacts, refuse_numbers_that_do_not_fit),
        RUN_TEST(contacts, may_be_a_million),
    };
    return cmocka_run_group_tests_name("contacts", tests, NULL, NULL);
}
