/* A folder for the files of a group of tests: cmocka's setup and teardown. */
#ifndef TESTS_SUPPORT_SCRATCH_FOLDER_H
#define TESTS_SUPPORT_SCRATCH_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

static char scratch_folder[64];

static int make_scratch_folder(void **state)
{
    (void)state;
    snprintf(scratch_folder, sizeof scratch_folder, "/tmp/carom-test-XXXXXX");
    return mkdtemp(scratch_folder) ? 0 : 1;
}

static int remove_scratch_folder(void **state)
{
    char words[128];
    (void)state;
    snprintf(words, sizeof words, "rm -r '%s'", scratch_folder);
    return system(words);
}

#endif
