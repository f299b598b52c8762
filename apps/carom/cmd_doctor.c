/* carom doctor: what a bug report needs to say, and what is wrong with an installation. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "command.h"
#include "table.h"

#ifndef CAROM_COMPONENTS
#define CAROM_COMPONENTS "unknown components"
#endif
#ifndef CAROM_COMPILER
#define CAROM_COMPILER "unknown compiler"
#endif

/* Whether a program is on the path. */
static bool on_path(const char *program)
{
    char *path = copy_text(getenv("PATH") ? getenv("PATH") : "");
    char *save = NULL;
    bool found = false;
    for (char *folder = strtok_r(path, ":", &save); folder && !found; folder = strtok_r(NULL, ":", &save)) {
        char *file = format_text("%s/%s", folder, program);
        found = access(file, X_OK) == 0;
        free(file);
    }
    free(path);
    return found;
}

/* As the library looks for it (carom/sdf.h). */
static char *cache_folder(void)
{
    const char *given = getenv("CAROM_CACHE");
    const char *shared = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    return given                 ? copy_text(given)
           : shared && shared[0] ? format_text("%s/carom", shared)
                                 : format_text("%s/.cache/carom", home ? home : "");
}

static void tell_cache(void)
{
    char *folder = cache_folder();
    struct stat about;
    bool there = folder[0] && stat(folder, &about) == 0;
    const char *state = !folder[0]                    ? "switched off by CAROM_CACHE"
                        : !there                      ? "made when it is needed"
                        : !S_ISDIR(about.st_mode)     ? "TROUBLE: this is no folder"
                        : access(folder, W_OK | X_OK) ? "TROUBLE: it cannot be written to"
                                                      : "there, can be written to";
    print_line("cache         %s (%s)", folder[0] ? folder : "none", state);
    free(folder);
}

static void tell_machine(void)
{
    struct utsname system;
    if (uname(&system) == 0) {
        print_line("system        %s %s, %s", system.sysname, system.release, system.machine);
    }
    char memory[BYTES_TEXT];
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    print_line("processors    %ld; memory %s", sysconf(_SC_NPROCESSORS_ONLN), bytes_text(bytes, memory));
}

static void tell_programs(void)
{
    static const struct {
        const char *name, *what;
    } programs[] = { { "gmsh", "meshes of shapes (flexible bodies with of_shape)" },
                     { "ffmpeg", "films" },
                     { "python3", "the Python package" } };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i) {
        print_line("%-13s %s; for %s", programs[i].name, on_path(programs[i].name) ? "found" : "not found",
                   programs[i].what);
    }
}

static void tell_environment(void)
{
    static const char *const names[] = { "CAROM_CACHE", "CAROM_LIBRARY", "LANG", "LC_ALL", "TERM" };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const char *value = getenv(names[i]);
        if (value) {
            print_line("%-13s %s", names[i], value);
        }
    }
}

/* A small scene from text to its end: whether the library works at all. */
static carom_status try_out(carom_error *err)
{
    static const char text[] =
        "{\"carom\": 1, \"gravity\": [0, 0, -10], \"time\": {\"end\": 0.1}, \"bodies\": [{\"name\": \"ball\", "
        "\"shape\": {\"sphere\": 0.1}, \"mass\": 1}]}";
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_run *run = NULL;
    const carom_run_def def = { 0 };
    carom_status status = carom_scene_parse(text, sizeof text - 1, "doctor", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, &model, err) : status;
    status = status == CAROM_OK ? carom_run_create(model, &def, &run, err) : status;
    status = status == CAROM_OK ? carom_run_advance(run, 1.0, 0.0, err) : status;
    carom_run_destroy(run);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return status;
}

static int doctor(const arguments *args)
{
    (void)args;
    carom_error err = { 0 };
    print_line("carom         %s, scene format %d", CAROM_VERSION, CAROM_SCENE_VERSION);
    print_line("library       %s%s", carom_version(),
               strcmp(carom_version(), CAROM_VERSION) == 0 ? "" : " TROUBLE: another one than the program's");
    print_line("features      %s", carom_features());
    print_line("built with    %s; %s", CAROM_COMPILER, CAROM_COMPONENTS);
    print_line("mesh files    %s", carom_mesh_formats());
    tell_machine();
    tell_cache();
    tell_programs();
    tell_environment();
    carom_status status = try_out(&err);
    print_line("a small run   %s", status == CAROM_OK ? "works" : "TROUBLE:");
    return status == CAROM_OK && strcmp(carom_version(), CAROM_VERSION) == 0 ? EXIT_DONE
           : status == CAROM_OK                                              ? EXIT_CHECK_FAILED
                                                                             : report(status, &err);
}

const command command_doctor = {
    .name = "doctor",
    .summary = "what is installed and how it is, for bug reports",
    .operands = "",
    .example = "  carom doctor",
    .run = doctor,
};
