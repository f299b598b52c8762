/* Results when memory or the disk fails: every single allocation of the writer fails once, and every write, with and without
 * hard links. The answer names the reason, whatever HDF5 made of it; nothing is lost, and what was flushed before can be
 * read. */
#include "support/failing_heap.h"

#include <errno.h>
#include <sys/types.h>

#include <carom/result.h>

#include "fake_run.h"
#include "result/result.h"

enum { FRAMES = 4 };

/* ---- a disk ------------------------------------------------------------------------------------------------------- */

static struct {
    bool has_links;
    long writes;   /* so far */
    long fails_at; /* this one fails; 0: none */
    int code;
} disk = { .has_links = true };

int __wrap_fsync(int fd);
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
ssize_t __real_pwrite(int fd, const void *data, size_t bytes, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *data, size_t bytes, off_t offset);

/* Takes its time, and nobody pulls the plug here. */
int __wrap_fsync(int fd)
{
    (void)fd;
    return 0;
}

int __wrap_link(const char *from, const char *to)
{
    errno = EPERM;
    return disk.has_links ? __real_link(from, to) : -1;
}

/* Half of it is written. */
ssize_t __wrap_pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    if (++disk.writes != disk.fails_at) {
        return __real_pwrite(fd, data, bytes, offset);
    }
    CHECK(__real_pwrite(fd, data, bytes / 2, offset) >= 0);
    errno = disk.code;
    return -1;
}

/* ---- a run -------------------------------------------------------------------------------------------------------- */

static carom_status write_frames(result_writer *writer, fake_run *run, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (long k = 0; k < FRAMES && status == CAROM_OK; ++k) {
        result_frame frame = fake_frame(run, k);
        status = result_writer_append(writer, &frame, err);
        status = status == CAROM_OK && k % 2 == 1 ? result_writer_flush(writer, err) : status;
    }
    return status;
}

/* The first failure; closing a writer that has failed says so again. */
static carom_status write_once(fake_run *run, bool again, carom_error *err)
{
    result_writer *writer = NULL;
    carom_status status = again ? result_writer_reopen(&writer, run->folder, &run->model, 0, 0, err)
                                : result_writer_create(&writer, run->folder, &run->model, "{}", "carom run", err);
    status = status == CAROM_OK ? write_frames(writer, run, err) : status;
    carom_error last = { 0 };
    carom_status closed = result_writer_close(writer, &last);
    if (status == CAROM_OK && closed != CAROM_OK) {
        *err = last;
        status = closed;
    }
    return status;
}

/* Of one that goes on every third: most are those of one that begins. */
static void fail_each(fake_run *run, bool again)
{
    long n = 0;
    for (bool failed = true; failed;) {
        carom_error err = { 0 };
        n += again ? 3 : 1;
        heap_begin(n);
        carom_status status = write_once(run, again, &err);
        failed = heap_end();
        if (heap.live != 0 || status != (failed ? CAROM_NO_MEMORY : CAROM_OK)) {
            print_error("allocation %ld: %s: %s; %ld blocks lost\n", n, carom_status_name(status), err.message,
                        heap.live);
        }
        CHECK_EQ(heap.live, 0);
        CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
        CHECK_CONTAINS(failed ? err.message : "memory", "memory");
        if (again) { /* what was there before, or what was flushed since */
            carom_result *result = NULL;
            CHECK_OK(carom_result_open(run->folder, &result, &err), err);
            carom_result_close(result);
        }
    }
    printf("  %ld allocations\n", n - 1);
    CHECK_GE((double)n, 20.0);
}

TEST(result_failing, every_allocation_of_a_writer_may_fail)
{
    fake_run *run = fake_run_start();
    fail_each(run, false);
    fail_each(run, true);
    fake_run_finish(run);
}

/* Beginning anew is done when the first file is there: no later write takes it away. */
static void fail_each_write(fake_run *run, bool has_links, int code)
{
    bool failed = true;
    long n = 0;
    while (failed) {
        carom_error err = { 0 };
        carom_result *result = NULL;
        disk.has_links = has_links;
        disk.writes = 0;
        disk.fails_at = ++n;
        disk.code = code;
        carom_status status = write_once(run, false, &err);
        failed = disk.writes >= n;
        disk.fails_at = 0;
        CHECK_EQ(status, failed ? CAROM_IO_FAILED : CAROM_OK);
        CHECK_CONTAINS(failed ? err.message : strerror(code), strerror(code));
        status = carom_result_open(run->folder, &result, &err);
        CHECK(status == CAROM_OK || n < 30); /* those of the first file */
        size_t frames = status == CAROM_OK ? carom_result_frame_count(result) : 0;
        CHECK(frames == 0 || frames == 2 || frames == FRAMES);
        carom_result_close(result);
    }
    printf("  %ld writes, %s\n", n - 1, strerror(code));
    CHECK_GE((double)n, 40.0);
}

TEST(result_failing, every_write_may_fail)
{
    fake_run *run = fake_run_start();
    fail_each_write(run, true, EIO);
    fail_each_write(run, false, EIO);
    fail_each_write(run, false, ENOSPC);
    disk.has_links = true;
    fake_run_finish(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(result_failing, every_allocation_of_a_writer_may_fail),
        RUN_TEST(result_failing, every_write_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
