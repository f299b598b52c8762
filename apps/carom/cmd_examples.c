/* carom examples: lists the built-in scenes, or copies one with the files it uses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "examples.h"
#include "input.h"
#include "table.h"

/* A scene stands at the top of examples/scenes; what lies below are parts of scenes. */
static bool is_scene(const example_file *file)
{
    size_t length = strlen(file->path);
    return !strchr(file->path, '/') && length > 5 && strcmp(file->path + length - 5, ".json") == 0;
}

static bool has_name(const example_file *file, const char *name)
{
    size_t length = strlen(file->path) - strlen(".json");
    return is_scene(file) &&
           (strcmp(file->path, name) == 0 || (strlen(name) == length && strncmp(file->path, name, length) == 0));
}

static int list_examples(bool only_names)
{
    static const char *const titles[] = { "example", "shows" };
    table t;
    table_init(&t, 2, titles, "lw");
    for (const example_file *file = example_files; file->path; ++file) {
        int length = (int)(strlen(file->path) - strlen(".json"));
        if (!is_scene(file)) {
            continue;
        }
        if (only_names) {
            printf("%.*s\n", length, file->path);
        } else {
            table_cell(&t, "%.*s", length, file->path);
            table_cell(&t, "%s", file->description);
        }
    }
    if (!only_names) {
        table_print(&t);
        puts("\n'carom examples NAME' copies one here.");
    }
    return EXIT_DONE;
}

static int unknown_example(const char *name)
{
    size_t count = 0;
    while (example_files[count].path) {
        ++count;
    }
    const char **names = allocate(count + 1, sizeof *names);
    char **copies = allocate(count + 1, sizeof *copies);
    size_t scenes = 0;
    for (size_t i = 0; i < count; ++i) {
        if (is_scene(&example_files[i])) {
            copies[scenes] = copy_text(example_files[i].path);
            copies[scenes][strlen(copies[scenes]) - strlen(".json")] = '\0';
            names[scenes] = copies[scenes];
            ++scenes;
        }
    }
    const char *nearest = nearest_name(name, names);
    complain("there is no example '%s'%s%s%s; 'carom examples' lists them", name, nearest ? "; did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "");
    for (size_t i = 0; i < scenes; ++i) {
        free(copies[i]);
    }
    free(copies);
    free(names);
    return EXIT_BAD_INPUT;
}

static bool make_folders_of(const char *path)
{
    char *folder = copy_text(path);
    bool ok = true;
    for (char *c = folder + 1; *c && ok; ++c) {
        if (*c == '/') {
            *c = '\0';
            ok = mkdir(folder, 0777) == 0 || errno == EEXIST;
            *c = '/';
        }
    }
    free(folder);
    return ok;
}

/* What is there already with other content is the user's work, and so is what cannot be read: never overwritten. */
static bool is_different(const char *path, const example_file *file)
{
    struct stat info;
    FILE *stream = open_to_read(path);
    bool different = !stream && stat(path, &info) == 0;
    if (stream) {
        size_t i = 0;
        int c = 0;
        while ((c = fgetc(stream)) != EOF && !different) {
            different = i >= file->size || file->data[i] != (unsigned char)c;
            ++i;
        }
        different = different || i != file->size;
        fclose(stream);
    }
    return different;
}

static int copy_file(const char *folder, const example_file *file)
{
    char *path = format_text("%s/%s", folder, file->path);
    int code = EXIT_BAD_INPUT;
    if (is_different(path, file)) {
        complain("'%s' exists and differs from the example; move it away or name another folder", path);
    } else {
        errno = 0;
        FILE *stream = make_folders_of(path) ? create_anew(path) : NULL;
        bool ok = stream && fwrite(file->data, 1, file->size, stream) == file->size;
        int reason = errno;
        if (stream && fclose(stream) != 0 && ok) {
            ok = false;
            reason = errno;
        }
        code = ok ? EXIT_DONE : exit_code_of(reason ? reason : EIO);
        if (!ok) {
            complain("cannot write '%s': %s", path, strerror(reason ? reason : EIO));
        }
    }
    free(path);
    return code;
}

/* Does the text of one file name the other in quotes? The arrays end in a zero, so they are texts. */
static bool names_file(const example_file *user, const example_file *used)
{
    char *quoted = format_text("\"%s\"", used->path);
    const char *base = strrchr(used->path, '/');
    char *beside = format_text("\"%s\"", base ? base + 1 : used->path);
    const char *text = (const char *)user->data;
    bool found = strstr(text, quoted) || (strchr(user->path, '/') && strstr(text, beside));
    free(quoted);
    free(beside);
    return found;
}

/* The scene, the files it names, and the files those name. */
static int copy_with_parts(const char *folder, const example_file *scene, int depth)
{
    enum { DEEPEST = 8 };
    int code = copy_file(folder, scene);
    for (const example_file *file = example_files; file->path && code == EXIT_DONE && depth < DEEPEST; ++file) {
        if (file != scene && names_file(scene, file)) {
            code = copy_with_parts(folder, file, depth + 1);
        }
    }
    return code;
}

static int examples(const arguments *args)
{
    if (args->operand_count == 0) {
        return list_examples(arguments_have(args, "--names"));
    }
    const char *folder = args->operand_count > 1 ? args->operands[1] : ".";
    for (const example_file *file = example_files; file->path; ++file) {
        if (has_name(file, args->operands[0])) {
            int code = copy_with_parts(folder, file, 0);
            if (code != EXIT_DONE) {
                return code;
            }
            bool here = strcmp(folder, ".") == 0;
            puts("copied; run it with");
            print_line("  carom run %s%s%s", here ? "" : folder, here ? "" : "/", file->path);
            return EXIT_DONE;
        }
    }
    return unknown_example(args->operands[0]);
}

static const option options[] = {
    { "--names", 0, NULL, "Only the names, one a line (for shell completion)" },
    { NULL, 0, NULL, NULL },
};

const command command_examples = {
    .name = "examples",
    .summary = "list the built-in scenes, or copy one",
    .operands = "[NAME [DIR]]",
    .max_operands = 2,
    .options = options,
    .example = "  carom examples\n  carom examples pendulum && carom run pendulum.json",
    .run = examples,
};
