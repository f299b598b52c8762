/* Only regular files are opened, at once; everything else is called by its name. */
#include "files/input_file.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/check.h"

static void check_refused(const char *path, const char *part, int code)
{
    carom_input input;
    CHECK(!carom_input_open(&input, path));
    CHECK(strstr(input.why, part) != NULL);
    CHECK_EQ(input.code, code);
    CHECK_EQ(input.fd, -1);
    CHECK_EQ(carom_input_status(&input), CAROM_BAD_INPUT);
    CHECK(carom_input_stream(&input, path) == NULL);
}

TEST(input_file, regular_files_are_read)
{
    FILE *file = fopen("regular", "wb");
    fputs("content", file);
    fclose(file);
    carom_input input;
    CHECK(carom_input_open(&input, "regular"));
    CHECK_EQ(input.size, 7);
    close(input.fd);
    FILE *stream = carom_input_stream(&input, "regular");
    char text[16] = { 0 };
    CHECK_EQ(fread(text, 1, sizeof text, stream), 7);
    assert_string_equal(text, "content");
    fclose(stream);
    unlink("link");
    CHECK_EQ(symlink("regular", "link"), 0);
    CHECK(carom_input_open(&input, "link"));
    close(input.fd);
}

TEST(input_file, other_things_are_called_by_their_names)
{
    unlink("pipe");
    CHECK_EQ(mkfifo("pipe", 0600), 0);
    check_refused("pipe", "is a pipe, not a regular file", 0);
    check_refused(".", "is a folder", 0);
    check_refused("/dev/zero", "is a device", 0);
    unlink("socket");
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };
    CHECK_EQ(bind(s, (struct sockaddr *)&address, sizeof address), 0);
    check_refused("socket", "is a socket", 0);
    close(s);
}

TEST(input_file, what_the_system_says_is_passed_on)
{
    char name[400];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    check_refused("nowhere", strerror(ENOENT), ENOENT);
    check_refused("", strerror(ENOENT), ENOENT);
    check_refused("regular/below", strerror(ENOTDIR), ENOTDIR);
    check_refused(name, strerror(ENAMETOOLONG), ENAMETOOLONG);
    unlink("circle");
    CHECK_EQ(symlink("circle", "circle"), 0);
    check_refused("circle", strerror(ELOOP), ELOOP);
    if (geteuid() != 0) { /* who is root may read everything */
        chmod("regular", 0);
        check_refused("regular", strerror(EACCES), EACCES);
        chmod("regular", 0600);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(input_file, regular_files_are_read),
        RUN_TEST(input_file, other_things_are_called_by_their_names),
        RUN_TEST(input_file, what_the_system_says_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
