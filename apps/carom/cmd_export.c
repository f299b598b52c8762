/* carom export: signals of a result as a table for other programs. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "guard.h"

/* The names asked for, patterns replaced by what they match. */
typedef struct name_list {
    const char **names;
    size_t count;
    size_t capacity;
} name_list;

static void add_name(name_list *list, const char *name)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        const char **names = allocate(capacity, sizeof *names);
        if (list->names) {
            memcpy(names, list->names, list->count * sizeof *names);
        }
        free(list->names);
        list->names = names;
        list->capacity = capacity;
    }
    list->names[list->count++] = name;
}

static bool is_signal(const carom_result *result, const char *name)
{
    for (size_t i = 0; i < carom_result_signal_count(result); ++i) {
        if (strcmp(carom_result_signal_name(result, i), name) == 0) {
            return true;
        }
    }
    return false;
}

/* A signal of exactly this name wins over a pattern: names may hold any character. */
static bool add_matches(name_list *list, const carom_result *result, const char *word)
{
    if (!strpbrk(word, "*?[") || is_signal(result, word)) {
        add_name(list, word);
        return true;
    }
    size_t before = list->count;
    for (size_t i = 0; i < carom_result_signal_count(result); ++i) {
        const char *name = carom_result_signal_name(result, i);
        if (fnmatch(word, name, 0) == 0) {
            add_name(list, name);
        }
    }
    if (list->count == before) {
        complain("no signal matches '%s'; 'carom info --all' lists them", word);
    }
    return list->count > before;
}

static int export_csv(const arguments *args, const carom_result *result, char *words)
{
    name_list list = { 0 };
    bool ok = true;
    for (char *word = words; word && ok;) {
        char *comma = strchr(word, ',');
        if (comma && !is_signal(result, word)) {
            *comma++ = '\0';
        } else {
            comma = NULL;
        }
        ok = add_matches(&list, result, word);
        word = comma;
    }
    int code = EXIT_BAD_INPUT;
    if (ok) {
        carom_error err = { 0 };
        const char *file = arguments_text(args, "--output");
        carom_status status = carom_result_export_csv(result, file ? file : "-", list.names, list.count, &err);
        code = status == CAROM_OK ? EXIT_DONE : report(status, &err);
        code = status == CAROM_IO_FAILED ? EXIT_GAVE_UP : code; /* the disk is full, or the reader is */
    }
    free(list.names);
    return code;
}

static int export_result(const arguments *args)
{
    const char *format = arguments_text(args, "--to");
    if (format && strcmp(format, "csv") != 0) {
        complain("option '--to' knows csv, not '%s'", format);
        return EXIT_BAD_INPUT;
    }
    carom_error err = { 0 };
    carom_result *result = NULL;
    carom_status status = carom_result_open(args->operands[0], &result, &err);
    if (status != CAROM_OK) {
        return report(status, &err);
    }
    const char *given = arguments_text(args, "--signals");
    char *words = given ? copy_text(given) : NULL;
    int code = export_csv(args, result, words);
    free(words);
    carom_result_close(result);
    return code;
}

static int export(const arguments *args)
{
    return run_guarded(export_result, args, args->operands[0]);
}

static const option options[] = {
    { "--to", 't', "FORMAT", "csv (default)" },
    { "--output", 'o', "FILE", "File to write (default: standard output)" },
    { "--signals", 's', "A,B,...", "Which ones, also patterns such as 'rod.*' (default: all)" },
    { NULL, 0, NULL, NULL },
};

const command command_export = {
    .name = "export",
    .summary = "write signals of a result as CSV",
    .operands = "RESULT",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "RESULT is the folder of a run or a result.h5. Beside the signals a scene records there are those of every\n"
        "body (rod.position.x), joint (hinge.angle, hinge.force.x) and the ledger (energy.kinetic).",
    .example = "  carom export results/pendulum --to csv --signals 'rod.position.*,energy.total' -o rod.csv",
    .run = export,
};
