/* carom new: a first scene with comments, to begin with. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "examples.h"
#include "table.h"

static bool write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, data, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        data += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* What is there already is never written over. */
static int write_scene(const char *path, const example_file *scene)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) {
        complain("'%s' is there already; give another name", path);
        return EXIT_BAD_INPUT;
    }
    bool ok = file >= 0 && write_all(file, (const char *)scene->data, scene->size);
    ok = (file < 0 || close(file) == 0) && ok;
    if (!ok) {
        int why = errno;
        if (file >= 0) {
            unlink(path); /* half a scene would be in the way of the next try */
        }
        complain("cannot write '%s': %s", path, strerror(why));
        return exit_code_of(why);
    }
    print_line("%s is written; 'carom run %s' runs it, 'carom check %s' explains it", path, path, path);
    return EXIT_DONE;
}

static int new_scene(const arguments *args)
{
    return write_scene(args->operand_count > 0 ? args->operands[0] : "scene.json", &new_files[0]);
}

const command command_new = {
    .name = "new",
    .summary = "write a first scene with comments",
    .operands = "[FILE]",
    .max_operands = 1,
    .notes = "FILE is scene.json unless given. A file that is there already is not written over.",
    .example = "  carom new swing.json && carom run swing.json",
    .run = new_scene,
};
