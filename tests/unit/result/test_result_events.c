/* Events in result.h5: each once and in its order, whenever they were flushed, cut or killed; damage is noticed. */
#include "support/check.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include <carom/result.h>

#include "fake_run.h"
#include "files/file.h"
#include "math/vec3.h"
#include "dynamics/contact.h"
#include "model/method.h"
#include "result/result.h"
#include "result/result_h5.h"

static const contact_forces contact = { 0 }; /* declared, never called */
static const carom_method touching = { .kind = { .name = "touching" }, .forces = &contact };

static fake_run *start(bool contacts)
{
    fake_run *run = fake_run_start();
    run->model.method = contacts ? &touching : NULL;
    return run;
}

/* Every number of event i is different and known. */
static carom_event known_event(long i)
{
    double at = (double)i;
    return (carom_event){ .t = 0.01 * at,
                          .kind = (carom_event_kind)(i % CAROM_EVENT_KINDS),
                          .body = { (int)(i % FAKE_BODIES), (int)((i + 1) % FAKE_BODIES) },
                          .position = { at, at + 0.1, at + 0.2 },
                          .normal = { -at, 0.3 - at, 0.4 - at },
                          .named = CAROM_NONE,
                          .speed = at - 17.0,
                          .joint = (int)(i % (FAKE_JOINTS + 1)) - 1,
                          .mode = (carom_contact_mode)(i % CAROM_MODES),
                          .speed_after = 17.0 - 0.5 * at,
                          .slip = { at + 0.5, at + 0.6, at + 0.7 },
                          .slip_after = { at - 0.5, at - 0.6, at - 0.7 },
                          .impulse = { 3.0 * at, 4.0 * at, -5.0 * at },
                          .energy_lost = 1e-3 * at,
                          .friction = (carom_friction_state)(i % 3),
                          .friction_after = (carom_friction_state)(i / 3 % 3) };
}

/* How many events happen before frame k: none, a few, and now and then more than several chunks hold. */
static int events_before(long k)
{
    return k % 60 == 0 ? 700 : (int)(5 * k % 7);
}

static int contacts_of(long k)
{
    return k % 50 == 3 ? 1500 : (int)(k % 4);
}

static void append_frame(result_writer *writer, fake_run *run, long k)
{
    static carom_contact_point points[1500];
    carom_error err = { 0 };
    result_frame frame = fake_frame(run, k);
    frame.contacts = points;
    frame.contact_count = contacts_of(k);
    CHECK_OK(result_writer_append(writer, &frame, &err), err);
}

/* Frames [begin, end), each with the events before it; flushes every `batch` calls. Returns the number of events. */
static long write_frames(result_writer *writer, fake_run *run, long begin, long end, long event, long batch)
{
    carom_error err = { 0 };
    long calls = 0;
    for (long k = begin; k < end; ++k) {
        for (int i = 0; i < events_before(k); ++i) {
            carom_event e = known_event(event++);
            CHECK_OK(result_writer_add_event(writer, &e, &err), err);
            CHECK_OK(++calls % batch == 0 ? result_writer_flush(writer, &err) : CAROM_OK, err);
        }
        append_frame(writer, run, k);
        CHECK_OK(++calls % batch == 0 ? result_writer_flush(writer, &err) : CAROM_OK, err);
    }
    return event;
}

static long write_run(fake_run *run, long frames, long batch)
{
    carom_error err = { 0 };
    result_writer *writer = NULL;
    CHECK_OK(result_writer_create(&writer, run->folder, &run->model, "{}", NULL, &err), err);
    long events = write_frames(writer, run, 0, frames, 0, batch);
    CHECK_OK(result_writer_close(writer, &err), err);
    return events;
}

static bool is_vector(carom_v3 a, v3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool has_details(const carom_event *found, const carom_event *put)
{
    return found->joint == put->joint && found->named == put->named && found->mode == put->mode &&
           found->speed_after == put->speed_after && is_vector(found->slip, put->slip) &&
           is_vector(found->slip_after, put->slip_after) && is_vector(found->impulse, put->impulse) &&
           found->energy_lost == put->energy_lost && found->friction == put->friction &&
           found->friction_after == put->friction_after;
}

static bool is_event(const carom_event *found, const carom_event *put)
{
    return has_details(found, put) && found->t == put->t && found->kind == put->kind &&
           found->body[0] == put->body[0] && found->body[1] == put->body[1] && found->speed == put->speed &&
           is_vector(found->position, put->position) && is_vector(found->normal, put->normal);
}

/* The events are the first ones, without a gap; their number. */
static long check_events(const fake_run *run)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    CHECK_OK(carom_result_open(run->folder, &result, &err), err);
    long count = (long)carom_result_event_count(result);
    for (long i = 0; i < count; ++i) {
        carom_event put = known_event(i);
        if (!is_event(&carom_result_events(result)[i], &put)) {
            print_error("event %ld of %ld is another one: t = %.17g\n", i, count, carom_result_events(result)[i].t);
            CHECK(false);
        }
    }
    carom_result_close(result);
    return count;
}

TEST(events, come_back_as_written)
{
    const long frames[] = { 0, 1, 2, 61, 130, 520 };
    for (size_t i = 0; i < 2 * sizeof frames / sizeof frames[0]; ++i) {
        fake_run *run = start(i % 2);
        long events = write_run(run, frames[i / 2], 397);
        CHECK_EQ(check_events(run), events);
        fake_run_finish(run);
    }
}

static char *result_bytes(const fake_run *run, size_t *size)
{
    char path[256];
    char *bytes = NULL;
    carom_error err = { 0 };
    fake_path(run, "result.h5", path);
    CHECK_OK(file_read_whole(path, 1 << 30, &bytes, size, &err), err);
    return bytes;
}

TEST(events, have_the_same_bytes_however_they_were_flushed)
{
    const long batches[] = { 155, 513 };
    for (int contacts = 0; contacts < 2; ++contacts) {
        fake_run *run = start(contacts);
        size_t size = 0;
        write_run(run, 560, 1000000);
        char *at_once = result_bytes(run, &size);
        for (size_t i = 0; i < sizeof batches / sizeof batches[0]; ++i) {
            size_t other = 0;
            write_run(run, 560, batches[i]);
            char *in_pieces = result_bytes(run, &other);
            CHECK_EQ(other, size);
            CHECK(memcmp(at_once, in_pieces, size) == 0);
            free(in_pieces);
        }
        free(at_once);
        fake_run_finish(run);
    }
}

/* A checkpoint counts frames and events; what came after it is written anew, once. */
TEST(events, go_on_after_a_cut)
{
    const long cuts[] = { 0, 1, 60, 61, 100 };
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i) {
        fake_run *run = start(true);
        carom_error err = { 0 };
        result_writer *writer = NULL;
        long kept = 0;
        for (long k = 0; k < cuts[i]; ++k) {
            kept += events_before(k);
        }
        write_run(run, 100, 300);
        CHECK_OK(result_writer_reopen(&writer, run->folder, &run->model, cuts[i], kept, &err), err);
        CHECK_EQ(check_events(run), kept);
        long events = write_frames(writer, run, cuts[i], 150, kept, 330);
        CHECK_OK(result_writer_close(writer, &err), err);
        CHECK_EQ(check_events(run), events);
        fake_run_finish(run);
    }
}

TEST(events, refuse_to_go_on_where_some_are_missing)
{
    fake_run *run = start(false);
    carom_error err = { 0 };
    result_writer *writer = NULL;
    long events = write_run(run, 20, 500);
    CHECK_EQ(result_writer_reopen(&writer, run->folder, &run->model, 20, events + 1, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "rows of time");
    fake_run_finish(run);
}

static void wait_us(long us)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000 * us }, NULL);
}

static void write_until_killed(fake_run *run)
{
    carom_error err = { 0 };
    result_writer *writer = NULL;
    result_writer_create(&writer, run->folder, &run->model, "{}", NULL, &err);
    write_frames(writer, run, 0, 1000000, 0, 25);
    _exit(1);
}

TEST(events, survive_kill_at_any_moment)
{
    for (int round = 0; round < 12; ++round) {
        fake_run *run = start(round % 2);
        char path[256];
        pid_t child = fork();
        if (child == 0) {
            write_until_killed(run);
        }
        fake_path(run, "result.h5", path);
        while (!file_exists(path)) {
            wait_us(100);
        }
        wait_us(3000 + 1777 * round);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        check_events(run);
        static const char *const hidden[] = { ".result-a.h5", ".result-b.h5", ".result-new.h5", ".lock" };
        for (int i = 0; i < 4; ++i) { /* which the next run would remove */
            fake_path(run, hidden[i], path);
            unlink(path);
        }
        fake_run_finish(run);
    }
}

/* Opens result.h5 for a change from outside. */
static hid_t open_for_damage(const fake_run *run)
{
    char path[256];
    fake_path(run, "result.h5", path);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    CHECK(file >= 0);
    return file;
}

static void spoil(const fake_run *run, const char *path, hsize_t row, double value)
{
    hsize_t one[1] = { 1 };
    hid_t file = open_for_damage(run);
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

static void check_refused(const fake_run *run)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    CHECK_EQ(carom_result_open(run->folder, &result, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "damaged");
    CHECK_CONTAINS(err.message, "events");
}

TEST(events, refuse_numbers_that_do_not_fit)
{
    static const struct {
        const char *path;
        double value;
    } wrong[] = {
        { "events/time", -1.0 },   { "events/time", (double)NAN },       { "events/time", HUGE_VAL },
        { "events/kind", -1.0 },   { "events/kind", CAROM_EVENT_KINDS }, { "events/body_a", 77.0 },
        { "events/body_b", -2.0 }, { "events/joint", FAKE_JOINTS },      { "events/joint", -2.0 },
        { "events/mode", -1.0 },   { "events/mode", CAROM_MODES },       { "events/friction", 3.0 },
        { "events/friction", -1 }, { "events/friction_after", 3.0 },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        fake_run *run = start(false);
        write_run(run, 10, 500);
        spoil(run, wrong[i].path, 5, wrong[i].value);
        check_refused(run);
        fake_run_finish(run);
    }
}

static void set_length(hid_t file, const char *path, hsize_t rows)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = h5_open_dataset(file, path);
    CHECK(h5_dims(set, dims) >= 1);
    dims[0] = rows;
    CHECK(H5Dset_extent(set, dims) >= 0);
    H5Dclose(set);
}

TEST(events, refuse_tables_that_do_not_fit)
{
    const char *const paths[] = { "events/kind",        "events/body_a",   "events/body_b",        "events/position",
                                  "events/normal",      "events/speed",    "events/joint",         "events/mode",
                                  "events/speed_after", "events/slip",     "events/slip_after",    "events/impulse",
                                  "events/energy_lost", "events/friction", "events/friction_after" };
    for (size_t i = 0; i < 3 + sizeof paths / sizeof paths[0]; ++i) {
        fake_run *run = start(false);
        write_run(run, 10, 500);
        hid_t file = open_for_damage(run);
        if (i == 0) {
            set_length(file, "events/time", 5000); /* longer than the others */
        } else if (i == 1) {
            set_length(file, "events/time", (hsize_t)1 << 50); /* more than the file can hold */
        } else if (i == 2) {
            CHECK(H5Ldelete(file, "events/normal", H5P_DEFAULT) >= 0);
        } else {
            set_length(file, paths[i - 3], 3);
        }
        H5Fclose(file);
        check_refused(run);
        fake_run_finish(run);
    }
}

/* Longer tables than times: what a killed run had begun to append. Files of an older carom: no group at all. */
TEST(events, that_were_never_declared_do_not_count)
{
    fake_run *run = start(false);
    write_run(run, 10, 500);
    hid_t file = open_for_damage(run);
    set_length(file, "events/time", 33);
    H5Fclose(file);
    CHECK_EQ(check_events(run), 33);
    file = open_for_damage(run);
    CHECK(H5Ldelete(file, "events", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    CHECK_EQ(check_events(run), 0);
    fake_run_finish(run);
}

/* Files of a carom that knew no impulses: what they do not hold is nothing, the rest is there. */
TEST(events, of_older_files_have_no_details)
{
    static const char *const newer[] = { "events/joint",       "events/mode",       "events/speed_after",
                                         "events/slip",        "events/slip_after", "events/impulse",
                                         "events/energy_lost", "events/friction",   "events/friction_after" };
    const carom_event nothing = { .joint = CAROM_NONE, .named = CAROM_NONE };
    fake_run *run = start(false);
    carom_error err = { 0 };
    carom_result *result = NULL;
    long events = write_run(run, 10, 500);
    hid_t file = open_for_damage(run);
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; ++i) {
        CHECK(H5Ldelete(file, newer[i], H5P_DEFAULT) >= 0);
    }
    H5Fclose(file);
    CHECK_OK(carom_result_open(run->folder, &result, &err), err);
    CHECK_EQ(carom_result_event_count(result), events);
    for (long i = 0; i < events; ++i) {
        const carom_event *found = &carom_result_events(result)[i];
        carom_event put = known_event(i);
        CHECK(has_details(found, &nothing) && !carom_event_has_details(found));
        CHECK(found->t == put.t && found->kind == put.kind && is_vector(found->position, put.position));
    }
    carom_result_close(result);
    fake_run_finish(run);
}

/* A method that lost its numbers must not make its result unreadable. */
TEST(events, may_hold_what_is_not_a_number)
{
    fake_run *run = start(false);
    carom_error err = { 0 };
    carom_result *result = NULL;
    write_run(run, 10, 500);
    spoil(run, "events/energy_lost", 5, (double)NAN);
    spoil(run, "events/speed_after", 6, -HUGE_VAL);
    CHECK_OK(carom_result_open(run->folder, &result, &err), err);
    CHECK(isnan(carom_result_events(result)[5].energy_lost));
    CHECK(isinf(carom_result_events(result)[6].speed_after));
    carom_result_close(result);
    fake_run_finish(run);
}

/* The two parts of an impulse add up to it: Pythagoras, and the normal part has the sign of pushing. */
TEST(events, split_impulses)
{
    test_rng rng = test_rng_seed(7);
    for (int i = 0; i < 1000; ++i) {
        v3 n = v3_unit((v3){ test_rng_uniform(&rng, -1.0, 1.0), test_rng_uniform(&rng, -1.0, 1.0), 1.5 });
        v3 across = v3_cross(n, (v3){ test_rng_uniform(&rng, -1.0, 1.0), 0.3, test_rng_uniform(&rng, -1.0, 1.0) });
        double push = test_rng_uniform(&rng, -2.0, 5.0);
        carom_event e = { .normal = n, .impulse = v3_add(v3_scale(push, n), across), .joint = -1 };
        CHECK_NEAR(carom_event_normal_impulse(&e), push, 1e-14);
        CHECK_NEAR(carom_event_tangential_impulse(&e), v3_norm(across), 1e-14);
        CHECK(carom_event_has_details(&e));
    }
    carom_event lost = { .impulse = { (double)NAN, 0.0, 0.0 }, .joint = -1 };
    CHECK(isnan(carom_event_normal_impulse(&lost)) && carom_event_has_details(&lost));
}

static void check_names(hid_t file, const char *path, const char *expected)
{
    char names[256] = "";
    hid_t set = h5_open_dataset(file, path);
    CHECK(h5_read_text_attribute(set, "names", names, sizeof names));
    CHECK_TEXT(names, expected);
    H5Dclose(set);
}

/* Names of modes in the order of their codes. */
static void list_modes(char *names, size_t size)
{
    names[0] = '\0';
    for (int mode = 0; mode < CAROM_MODES; ++mode) {
        size_t length = strlen(names);
        snprintf(names + length, size - length, "%s%s", mode > 0 ? ", " : "",
                 carom_contact_mode_name((carom_contact_mode)mode));
    }
}

TEST(events, have_names_beside_their_codes)
{
    fake_run *run = start(false);
    char modes[256];
    write_run(run, 1, 1000);
    list_modes(modes, sizeof modes);
    hid_t file = open_for_damage(run);
    check_names(file, "events/kind",
                "contact on, contact off, stick, slip, impact, topology, rest, jam, paradox, event, too deep");
    check_names(file, "events/mode", modes);
    check_names(file, "events/friction", "none, stick, slip");
    check_names(file, "events/friction_after", "none, stick, slip");
    CHECK_TEXT(carom_event_kind_name(CAROM_EVENT_SLIP), "slip");
    CHECK_TEXT(carom_event_kind_name(CAROM_EVENT_KINDS), "unknown");
    CHECK_TEXT(carom_friction_state_name((carom_friction_state)7), "unknown");
    H5Fclose(file);
    fake_run_finish(run);
}

/* A million without a frame between them: they go to the file by themselves. */
TEST(events, may_be_a_million)
{
    fake_run *run = start(false);
    carom_error err = { 0 };
    result_writer *writer = NULL;
    CHECK_OK(result_writer_create(&writer, run->folder, &run->model, "{}", NULL, &err), err);
    for (long i = 0; i < 1000000; ++i) {
        carom_event e = known_event(i);
        CHECK_OK(result_writer_add_event(writer, &e, &err), err);
    }
    CHECK(check_events(run) > 800000); /* before the run has ended */
    CHECK_OK(result_writer_close(writer, &err), err);
    CHECK_EQ(check_events(run), 1000000);
    fake_run_finish(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(events, come_back_as_written),
        RUN_TEST(events, have_the_same_bytes_however_they_were_flushed),
        RUN_TEST(events, go_on_after_a_cut),
        RUN_TEST(events, refuse_to_go_on_where_some_are_missing),
        RUN_TEST(events, survive_kill_at_any_moment),
        RUN_TEST(events, refuse_numbers_that_do_not_fit),
        RUN_TEST(events, refuse_tables_that_do_not_fit),
        RUN_TEST(events, that_were_never_declared_do_not_count),
        RUN_TEST(events, of_older_files_have_no_details),
        RUN_TEST(events, may_hold_what_is_not_a_number),
        RUN_TEST(events, split_impulses),
        RUN_TEST(events, have_names_beside_their_codes),
        RUN_TEST(events, may_be_a_million),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
