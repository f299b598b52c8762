/* carom view: the report of a result, in a browser. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "guard.h"
#include "page_file.h"
#include "table.h"

/* Beside the result, unless --output says otherwise. */
static char *page_path(const arguments *args)
{
    const char *chosen = arguments_text(args, "--output");
    const char *result = args->operands[0];
    struct stat info;
    if (chosen) {
        return copy_text(chosen);
    }
    if (stat(result, &info) == 0 && S_ISDIR(info.st_mode)) {
        return format_text("%s/report.html", result);
    }
    const char *slash = strrchr(result, '/');
    return format_text("%.*sreport.html", slash ? (int)(slash - result) + 1 : 0, result);
}

static int write_page(const arguments *args)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    carom_page_options options = { .title = arguments_text(args, "--title") };
    char *file = page_path(args);
    carom_status status = carom_result_open(args->operands[0], &result, &err);
    if (status == CAROM_OK) {
        status = carom_page_write((const carom_result *const *)&result, 1, &options, file, &err);
    }
    carom_result_close(result);
    free(file);
    return report_writing(status, &err);
}

static int view(const arguments *args)
{
    int code = run_guarded(write_page, args, args->operands[0]);
    if (code != EXIT_DONE) {
        return code;
    }
    char *file = page_path(args);
    bool opened = !arguments_have(args, "--no-open") && open_in_browser(file);
    print_line(opened ? "%s is being opened" : "%s can be opened in any browser", file);
    free(file);
    return EXIT_DONE;
}

static const option options[] = {
    { "--output", 'o', "FILE", "Page to write (default: report.html beside the result)" },
    { "--title", 0, "TEXT", "Title of the page (default: the scene's name)" },
    { "--no-open", 0, NULL, "Only write the page" },
    { NULL, 0, NULL, NULL },
};

const command command_view = {
    .name = "view",
    .summary = "write the report of a result and open it in a browser",
    .operands = "RESULT",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "RESULT is the folder of a run or a result.h5. The report is one HTML file with everything in it: the "
        "moving\n"
        "scene, contacts and forces, plots, the ledger, the scene's text. It needs no network and can be sent to\n"
        "others. Runs write it by themselves. It is opened only where there is a screen and a terminal.",
    .example = "  carom view results/docking",
    .run = view,
};
