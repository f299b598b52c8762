/* Files that are whole under their name or not there at all, and leave nothing behind. */
#include "files/fresh_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/scratch_folder.h"

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", scratch_folder, name);
    return path[next];
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void check_text(const char *path, const char *text)
{
    char found[64] = { 0 };
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK_EQ(fread(found, 1, sizeof found - 1, file), strlen(text));
    CHECK_TEXT(found, text);
    fclose(file);
}

static long count_files(void)
{
    long count = 0;
    DIR *folder = opendir(scratch_folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    }
    closedir(folder);
    return count;
}

static void begin(carom_fresh *fresh, const char *target, const char *text)
{
    int fd = carom_fresh_open(fresh, target);
    CHECK(fd >= 0);
    CHECK_EQ(write(fd, text, strlen(text)), (long)strlen(text));
    CHECK_EQ(close(fd), 0);
}

TEST(fresh_file, appears_whole)
{
    carom_fresh fresh;
    long before = count_files();
    begin(&fresh, in_folder("new"), "one");
    CHECK(access(in_folder("new"), F_OK) != 0);
    CHECK_EQ(count_files() - before, fresh.hold >= 0 ? 0 : 1);
    CHECK(carom_fresh_publish(&fresh, in_folder("new")));
    check_text(in_folder("new"), "one");
    CHECK_EQ(count_files(), before + 1);
    struct stat info;
    mode_t mask = umask(0);
    umask(mask);
    CHECK_EQ(stat(in_folder("new"), &info), 0);
    CHECK_EQ(info.st_mode & 0777, 0666 & ~mask);
}

TEST(fresh_file, replaces_what_is_there)
{
    carom_fresh fresh;
    write_text(in_folder("old"), "old");
    long before = count_files();
    begin(&fresh, in_folder("old"), "newer");
    check_text(in_folder("old"), "old");
    CHECK(carom_fresh_publish(&fresh, in_folder("old")));
    check_text(in_folder("old"), "newer");
    CHECK_EQ(count_files(), before);
}

TEST(fresh_file, follows_no_link)
{
    carom_fresh fresh;
    write_text(in_folder("precious"), "precious");
    CHECK_EQ(symlink("precious", in_folder("link")), 0);
    CHECK_EQ(symlink("nowhere", in_folder("dangling")), 0);
    const char *const names[] = { "link", "dangling" };
    for (int i = 0; i < 2; ++i) {
        begin(&fresh, in_folder(names[i]), "mine");
        CHECK(carom_fresh_publish(&fresh, in_folder(names[i])));
        check_text(in_folder(names[i]), "mine");
    }
    check_text(in_folder("precious"), "precious");
    CHECK(access(in_folder("nowhere"), F_OK) != 0);
}

TEST(fresh_file, given_up_leaves_nothing)
{
    carom_fresh fresh;
    long before = count_files();
    begin(&fresh, in_folder("never"), "text");
    errno = ENOSPC;
    carom_fresh_drop(&fresh);
    CHECK_EQ(errno, ENOSPC);
    carom_fresh_drop(&fresh); /* nothing more to give up */
    CHECK_EQ(count_files(), before);
}

TEST(fresh_file, a_name_that_cannot_be_had_leaves_nothing)
{
    carom_fresh fresh;
    CHECK_EQ(mkdir(in_folder("folder"), 0777), 0);
    long before = count_files();
    begin(&fresh, in_folder("folder"), "text");
    CHECK(!carom_fresh_publish(&fresh, in_folder("folder")));
    CHECK_EQ(errno, EISDIR);
    CHECK_EQ(count_files(), before);
    CHECK_EQ(carom_fresh_open(&fresh, in_folder("missing/x")), -1);
    CHECK_EQ(errno, ENOENT);
    carom_fresh_drop(&fresh);
    char *longest = calloc(1, CAROM_FRESH_PATH + 10);
    memset(longest, 'x', CAROM_FRESH_PATH);
    longest[CAROM_FRESH_PATH - 5] = '/';
    CHECK_EQ(carom_fresh_open(&fresh, longest), -1);
    CHECK_EQ(errno, ENAMETOOLONG);
    carom_fresh_drop(&fresh);
    free(longest);
}

TEST(fresh_file, without_a_folder_it_is_made_here)
{
    carom_fresh fresh;
    unlink("here");
    begin(&fresh, "here", "here");
    CHECK(carom_fresh_publish(&fresh, "here"));
    check_text("here", "here");
    unlink("here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(fresh_file, appears_whole),
        RUN_TEST(fresh_file, replaces_what_is_there),
        RUN_TEST(fresh_file, follows_no_link),
        RUN_TEST(fresh_file, given_up_leaves_nothing),
        RUN_TEST(fresh_file, a_name_that_cannot_be_had_leaves_nothing),
        RUN_TEST(fresh_file, without_a_folder_it_is_made_here),
    };
    return cmocka_run_group_tests(tests, make_scratch_folder, remove_scratch_folder);
}
