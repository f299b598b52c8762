/* carom import: a robot (URDF, MJCF) or a scene of the rigid-ipc format as a carom scene. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene.h"

/* The folder of a path, "." where it has none. */
static char *folder_of(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    char *folder = copy_text(!slash ? "." : slash == path ? "/" : path);
    if (slash && slash != path) {
        folder[slash - path] = '\0';
    }
    return folder;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A pipe or a device is written to as it is. */
static bool is_special(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

/* Beside its target, under a name that nobody else has; NULL: errno. */
static FILE *open_beside(char *fresh)
{
    int fd = mkstemp(fresh);
    mode_t mask = umask(0);
    umask(mask);
    FILE *file = fd >= 0 && fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "wb") : NULL;
    if (fd >= 0 && !file) {
        close(fd);
        unlink(fresh);
    }
    return file;
}

/* The whole file under its name, or what was there before. */
static bool write_whole(const char *text, const char *path)
{
    bool special = is_special(path);
    char *fresh = format_text("%s.XXXXXX", path);
    FILE *file = special ? fopen(path, "wb") : open_beside(fresh);
    bool ok = file && fputs(text, file) >= 0;
    ok = file && fclose(file) == 0 && ok;
    ok = ok && (special || rename(fresh, path) == 0);
    int code = errno;
    if (!ok && file && !special) {
        unlink(fresh);
    }
    free(fresh);
    errno = code;
    return ok;
}

static int write_scene(const char *text, const char *path)
{
    if (!path) {
        fputs(text, stdout);
        return EXIT_DONE;
    }
    if (!write_whole(text, path)) {
        int code = errno;
        complain("cannot write '%s': %s", path, strerror(code));
        return exit_code_of(code);
    }
    return EXIT_DONE;
}

/* The scene has been read and compiled already: it is sound. */
static int import_scene(const scene *s, const scene_source *source, const char *path)
{
    bool piped = is_standard_input(source->file);
    char *folder = piped ? copy_text(".") : folder_of(source->file);
    char *to_folder = folder_of(path);
    char *text = NULL;
    carom_error err = { .all = allocate(1, sizeof *err.all) };
    carom_status status = carom_scene_import(s->text, strlen(s->text), s->file, folder, source->overrides,
                                             source->override_count, to_folder, &text, &err);
    int code = status == CAROM_OK ? write_scene(text, path) : report_scene(status, &err, s->file);
    carom_text_destroy(text);
    free(err.all);
    free(folder);
    free(to_folder);
    return code;
}

static int import(const arguments *args)
{
    scene s;
    scene_source source;
    const char *path = arguments_text(args, "--output");
    int code = scene_source_read(&source, args) ? EXIT_DONE : EXIT_BAD_INPUT;
    if (code == EXIT_DONE && path && same_file(path, source.file)) {
        complain("'%s' is the scene itself; give the carom scene another name", path);
        code = EXIT_BAD_INPUT;
    }
    if (code == EXIT_DONE) {
        code = scene_load(&s, &source);
        if (code == EXIT_DONE) {
            complain_notes(s.model, false);
            code = import_scene(&s, &source, path);
            scene_free(&s);
        }
    }
    scene_source_free(&source);
    return code;
}

static const option options[] = {
    { "--output", 'o', "FILE", "The carom scene (default: standard output)" },
    { "--set", 's', "PATH=VALUE", "Change a value of the scene, in its format or in carom's; may be repeated" },
    { "--package", 0, "NAME=FOLDER", "Where a package of a robot (package://NAME/...) is; may be repeated" },
    { "--rigid-ipc-quirks", 0, NULL, "Hinge inertias and torques as the rigid-ipc code has them" },
    { NULL, 0, NULL, NULL },
};

const command command_import = {
    .name = "import",
    .summary = "write a robot (URDF, MJCF) or a scene of the rigid-ipc format as a carom scene",
    .operands = "SCENE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes = "'carom run' and 'carom check' read these formats as they are; 'carom check' says what became of what.",
    .example = "  carom import robot.urdf --package arm_description=../arm -o robot.json",
    .run = import,
};
